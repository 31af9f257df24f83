//! Variables in constant memory (`.const`): places, and what they hold at the start.

use super::{
    lowering::{Done, Lowering, declared_twice},
    memory_map::{CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, Constant},
};
use crate::{
    error::{Problem, PtxErrorKind},
    ptx::{
        ast::{Entry, Variable},
        types::StateSpace,
    },
};

impl Lowering<'_> {
    /// The variables of the file that the kernel uses.
    pub(super) fn declare_constants(&mut self, entry: &Entry) -> Done {
        let module = self.module;
        let mut end = u64::from(CONSTANTS_START);
        // Others have no place, and who uses one is told so.
        let is_data = |v: &&Variable| v.space == StateSpace::Const && v.ty.scalar().is_some();
        let variables = module.variables.iter().filter(is_data);
        for variable in variables.filter(|v| self.used.contains(v.name.as_str())).collect::<Vec<_>>() {
            let problem = |kind, message: String| Problem::new(kind, variable.span.clone(), message);
            if let Some(problem) = &variable.unsupported {
                return Err(problem.clone());
            }
            let Some(bytes) = variable.bytes().filter(|_| variable.elements > 0) else {
                let message = format!("constant `{}` has no fixed size", variable.name);
                return Err(problem(PtxErrorKind::Unsupported, message));
            };
            let address = end.next_multiple_of(variable.align);
            end = address.saturating_add(bytes);
            if end > CONSTANTS_END as u64 {
                let message = format!("the constants of `{}` need more than {CONSTANT_BYTES} bytes", entry.name);
                return Err(problem(PtxErrorKind::Resources, message));
            }
            let data = variable.data(bytes)?;
            if self.constants.iter().any(|other| other.name == variable.name) {
                return Err(declared_twice(&variable.name, &variable.span));
            }
            self.constants.push(Constant { name: variable.name.clone(), address: address as u32, data });
        }
        Ok(())
    }
}
