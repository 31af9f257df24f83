//! Variables in shared memory: those of the kernel, and those of the file that it uses.

use super::*;
use crate::ptx::ast::{Operand, OperandKind, Variable};

impl Lowering<'_> {
    /// The arrays of the file that the kernel uses: the others take none of its shared memory, and need not be of a kind that we
    /// can make.
    pub(super) fn declare_shared_of_file(&mut self, entry: &Entry) -> Done {
        let used = names_in(&entry.body);
        let module = self.module;
        let variables = module.variables.iter().filter(|v| v.space == "shared" && used.contains(v.name.as_str()));
        variables.into_iter().try_for_each(|variable| self.declare_shared(variable))
    }

    pub(super) fn declare_shared(&mut self, variable: &Variable) -> Done {
        if let Some(problem) = &variable.unsupported {
            return Err(problem.clone());
        }
        let unsized_array = variable.elements == 0;
        let Some(bytes) = variable.bytes().filter(|_| !unsized_array) else {
            let message = format!("shared array `{}` has no fixed size", variable.name);
            let help = "give the array a constant size in the kernel: dynamic shared memory is not supported";
            return Err(Problem::new(PtxErrorKind::Unsupported, variable.span.clone(), message).help(help));
        };
        let offset = self.shared_bytes.next_multiple_of(variable.align);
        self.shared_bytes = offset.saturating_add(bytes);
        if self.shared_bytes >= 1 << 31 {
            let message = format!("shared variable `{}` makes more than 2 GiB of shared memory", variable.name);
            return Err(Problem::new(PtxErrorKind::Resources, variable.span.clone(), message));
        }
        match self.shared.insert(variable.name.clone(), offset as u32) {
            Some(_) => Err(declared_twice(&variable.name, &variable.span)),
            None => Ok(()),
        }
    }
}

/// Names that operands mention and that the body itself does not declare as variables.
pub(super) fn names_in(body: &[Statement]) -> HashSet<&str> {
    fn collect<'a>(operand: &'a Operand, names: &mut HashSet<&'a str>) {
        match &operand.kind {
            OperandKind::Name { name, .. }
            | OperandKind::Address { base: Some(name), .. }
            | OperandKind::Texture { name, .. } => {
                names.insert(name);
            }
            OperandKind::Vector(parts) => parts.iter().for_each(|part| collect(part, names)),
            _ => {}
        }
    }
    let mut names = HashSet::new();
    for statement in body {
        if let Statement::Instruction(instruction) = statement {
            instruction.operands.iter().for_each(|operand| collect(operand, &mut names));
        }
    }
    for statement in body {
        if let Statement::Variable(own) = statement {
            names.remove(own.name.as_str());
        }
    }
    names
}
