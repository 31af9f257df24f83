//! Variables in shared memory: those of the kernel, and those of the file that it uses.

use super::{
    functions::functions_taken,
    lowering::{Done, Lowering, declared_twice},
};
use crate::{
    error::{Problem, PtxErrorKind},
    ptx::{
        ast::{Entry, OperandKind, PtxModule, PtxOperand, Statement, Variable},
        types::StateSpace,
    },
};
use std::collections::HashSet;

impl Lowering<'_> {
    /// The arrays of the file that the kernel uses: the others take none of its shared memory, and need not be of a kind that we
    /// can make.
    pub(super) fn declare_shared_of_file(&mut self) -> Done {
        let module = self.module;
        let is_used = |v: &&Variable| v.space == StateSpace::Shared && self.used.contains(v.name.as_str());
        let variables: Vec<_> = module.variables.iter().filter(is_used).collect();
        variables.into_iter().try_for_each(|variable| self.declare_shared(variable))
    }

    /// Where dynamic shared memory begins: behind all else.
    pub(super) fn dynamic_start(&self) -> u32 {
        self.shared_bytes.next_multiple_of(self.dynamic_align.into()) as u32
    }

    pub(super) fn declare_shared(&mut self, variable: &Variable) -> Done {
        if let Some(problem) = &variable.unsupported {
            return Err(problem.clone());
        }
        if variable.elements == 0 {
            // All arrays whose size the launch says are the same memory.
            self.dynamic_align = self.dynamic_align.max(variable.align as u32);
            self.dynamic_shared.get_or_insert_with(|| self.code.reg());
            self.dynamic_arrays.insert(variable.name.clone());
            return Ok(());
        }
        let Some(bytes) = variable.bytes() else {
            let message = format!("shared array `{}` has no size", variable.name);
            return Err(Problem::new(PtxErrorKind::Unsupported, variable.span.clone(), message));
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

/// Names that a kernel mentions, or a function that it calls, or the initial value of a variable that one of them mentions.
pub(super) fn names_used<'m>(module: &'m PtxModule, entry: &'m Entry) -> HashSet<&'m str> {
    let mut used = HashSet::new();
    let mut new: Vec<&str> = names_in(&entry.body).into_iter().collect();
    // Whom a call through a register may go to is not known by name.
    let is_indirect = |body: &[Statement]| body.iter().any(|s| matches!(s, Statement::Prototype(_)));
    if is_indirect(&entry.body) || module.functions.iter().filter_map(|f| f.body.as_ref()).any(|body| is_indirect(body))
    {
        new.extend(functions_taken(module));
    }
    while let Some(name) = new.pop() {
        if !used.insert(name) {
            continue;
        }
        for body in module.functions.iter().filter(|function| function.name == name).filter_map(|f| f.body.as_ref()) {
            new.extend(names_in(body));
        }
        let variables = module.variables.iter().filter(|variable| variable.name == name);
        new.extend(variables.flat_map(|variable| &variable.pointers).map(|pointer| pointer.name.as_str()));
    }
    used
}

/// Names that operands mention and that the body itself does not declare as variables.
fn names_in(body: &[Statement]) -> HashSet<&str> {
    fn collect<'a>(operand: &'a PtxOperand, names: &mut HashSet<&'a str>) {
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
        match statement {
            Statement::Instruction(instruction) => {
                instruction.operands.iter().for_each(|operand| collect(operand, &mut names));
            }
            Statement::Targets(list) => names.extend(list.targets.iter().map(|(name, _)| name.as_str())),
            _ => {}
        }
    }
    for statement in body {
        if let Statement::Variable(own) = statement {
            names.remove(own.name.as_str());
        }
    }
    names
}
