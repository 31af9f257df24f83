//! Functions of the file: by name, and by what may call them.

use crate::ptx::ast::{OperandKind, Prototype, PtxFunction, PtxModule, Statement, Targets, Variable};
use std::collections::HashSet;

/// Addresses of functions are from here on, where nothing else is.
const FUNCTIONS_START: u32 = 0xfff0_0000;
/// From one to the next.
const FUNCTION_STEP: u32 = 16;

/// What an indirect call or branch may go to.
#[derive(Clone, Copy)]
pub enum Callees<'a> {
    Prototype(&'a Prototype),
    Targets(&'a Targets),
}

/// The address of a function of the file.
pub fn function_address(module: &PtxModule, name: &str) -> Option<u32> {
    let number = module.functions.iter().position(|function| function.name == name)?;
    u32::try_from(number).ok()?.checked_mul(FUNCTION_STEP)?.checked_add(FUNCTIONS_START)
}

/// The functions of the file whose address is taken, in order.
pub fn functions_taken(module: &PtxModule) -> Vec<&str> {
    let bodies = module.functions.iter().filter_map(|function| function.body.as_deref());
    let bodies = bodies.chain(module.entries.iter().map(|entry| entry.body.as_slice()));
    let mut names = HashSet::new();
    for statement in bodies.flatten() {
        let Statement::Instruction(instruction) = statement else { continue };
        let is_call = instruction.mnemonic.starts_with("call");
        for operand in &instruction.operands {
            // Of a call the function itself stands by its name, arguments in parentheses.
            match &operand.kind {
                OperandKind::Name { name, .. } if !is_call => {
                    names.insert(name.as_str());
                }
                OperandKind::Vector(parts) => names.extend(parts.iter().filter_map(|part| match &part.kind {
                    OperandKind::Name { name, .. } => Some(name.as_str()),
                    _ => None,
                })),
                _ => {}
            }
        }
    }
    names.extend(module.variables.iter().flat_map(|v| &v.pointers).map(|pointer| pointer.name.as_str()));
    let mut taken: Vec<&str> = vec![];
    for function in &module.functions {
        if names.remove(function.name.as_str()) {
            taken.push(&function.name);
        }
    }
    taken
}

/// The function of that name, with its body if the file has it.
pub fn function_named<'a>(module: &'a PtxModule, name: &str) -> Option<&'a PtxFunction> {
    let named = || module.functions.iter().filter(|function| function.name == name);
    named().find(|function| function.body.is_some()).or_else(|| named().next())
}

/// The function has parameters and results of these sizes.
pub fn fits(function: &PtxFunction, prototype: &Prototype) -> bool {
    let same =
        |a: &[Variable], b: &[Variable]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.bytes() == b.bytes());
    same(&function.params, &prototype.params) && same(&function.results, &prototype.results)
}
