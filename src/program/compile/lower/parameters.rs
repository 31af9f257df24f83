//! Parameters of a kernel: their places.
//!
//! The parameter block of a core has [`PARAM_BYTES`], and gives all threads of a warp the same word. Where a kernel has
//! more, or reads large structures at addresses that differ from thread to thread, its structures are in constant
//! memory, where the launch puts them.

use super::{
    lowering::{Lowering, declared_twice},
    memory_map::{CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, Constant},
    param::{PARAM_BYTES, Param},
    texture_layout::Texture,
    textures,
};
use crate::{
    error::{Problem, PtxErrorKind},
    ptx::ast::{Entry, OperandKind, PtxModule, Statement, Variable},
};
use std::collections::HashSet;

/// Words behind the parameters that a kernel may need: for local memory, exchange and spilled registers.
const OTHER_WORDS: u32 = 3;

/// Not everything may fit the parameter block.
pub(super) fn is_crowded(module: &PtxModule, entry: &Entry, used: &HashSet<&str>) -> bool {
    let place = |end: u64, param: &Variable| Some(align(end, param).saturating_add(param.bytes()?));
    // A kernel with a parameter of no size is refused where parameters get their places.
    let Some(end) = entry.params.iter().try_fold(0, place) else { return false };
    let textures = module.variables.iter().filter(textures::is_texture).filter(|v| used.contains(v.name.as_str()));
    let others = textures.count() as u64 * u64::from(Texture::PARAM_BYTES) + u64::from(4 * OTHER_WORDS);
    end.next_multiple_of(4).saturating_add(others) > PARAM_BYTES
}

/// Where a parameter begins behind others that end at `end`: parameter memory has words of 32 bits.
fn align(end: u64, param: &Variable) -> u64 {
    end.checked_next_multiple_of(param.align.max(4)).unwrap_or(u64::MAX)
}

/// Names that instructions of a kernel take the address of, or would if they were those of parameters.
fn taken_names(body: &[Statement]) -> HashSet<&str> {
    let operands = body.iter().filter_map(|statement| match statement {
        Statement::Instruction(instruction) => Some(&instruction.operands),
        _ => None,
    });
    let taken = operands.flatten().filter_map(|operand| match &operand.kind {
        OperandKind::Name { name, .. } => Some(name.as_str()),
        _ => None,
    });
    taken.collect()
}

impl Lowering<'_> {
    /// Gives all parameters their places.
    pub(super) fn declare_params(&mut self, entry: &Entry) -> Result<Vec<Param>, Problem> {
        let too_many = |what: &str, bytes: u64, variable: &Variable| {
            let message = format!("the {what} of `{}` need more than {bytes} bytes", entry.name);
            Problem::new(PtxErrorKind::Resources, variable.span.clone(), message)
        };
        let taken = if self.params_in_constants { taken_names(&entry.body) } else { HashSet::new() };
        let (mut params, mut argument_end, mut block_end) = (vec![], 0u64, 0u64);
        for variable in &entry.params {
            let Some(ty) = variable.ty.scalar() else {
                let message = format!("parameter `{}` has no type of values in memory", variable.name);
                return Err(Problem::new(PtxErrorKind::Unsupported, variable.span.clone(), message));
            };
            let bytes = variable.bytes().unwrap_or(u64::MAX);
            let argument_offset = align(argument_end, variable);
            argument_end = argument_offset.saturating_add(bytes);
            if argument_end > CONSTANT_BYTES.into() {
                return Err(too_many("parameters", CONSTANT_BYTES.into(), variable));
            }
            let structure = variable.elements > 1 || taken.contains(variable.name.as_str());
            let (mut offset, mut constant) = (0, None);
            if self.params_in_constants && structure {
                let end = self.constants.last().map_or(CONSTANTS_START, Constant::end);
                let address = align(end.into(), variable);
                if address + bytes > CONSTANTS_END as u64 {
                    return Err(too_many("constants and parameters", CONSTANT_BYTES.into(), variable));
                }
                let (name, data) = (variable.name.clone(), vec![0; bytes as usize]);
                self.constants.push(Constant { name, address: address as u32, data });
                constant = Some(address as u32);
            } else {
                offset = align(block_end, variable);
                block_end = offset.saturating_add(bytes);
                if block_end > PARAM_BYTES {
                    return Err(too_many("parameters", PARAM_BYTES, variable));
                }
            }
            let param = Param {
                name: variable.name.clone(),
                ty,
                offset: offset as u32,
                argument_offset: argument_offset as u32,
                constant,
                size: bytes as u32,
            };
            params.push(param.clone());
            if self.params.insert(variable.name.clone(), param).is_some() {
                return Err(declared_twice(&variable.name, &variable.span));
            }
        }
        Ok(params)
    }
}
