//! A function of machine code as it is kept: its bytes, and its relocations, the places where it holds the address of
//! another function, by number, of a place in itself, or of a function of the system's library, by name.

use cranelift_codegen::{binemit::Reloc, ir::LibCall};
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use serde::{Deserialize, Serialize};

/// A function as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Function {
    pub name: String,
    /// Of this program: a symbol.
    pub imported: bool,
    pub alignment: u32,
    pub bytes: Vec<u8>,
    pub relocations: Vec<Relocation>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Relocation {
    /// In the bytes.
    pub offset: u32,
    /// Position in [`KINDS`].
    pub kind: u32,
    pub target: Target,
    pub addend: i64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Target {
    /// By number.
    Function(u32),
    /// A place in the function itself.
    Inside(u32),
    /// Of the system's library, by Cranelift's name.
    Library(String),
}

/// Kinds of relocations that are kept, and how many bytes they fill in.
const KINDS: [(Reloc, usize); 6] = [
    (Reloc::Abs4, 4),
    (Reloc::Abs8, 8),
    (Reloc::X86PCRel4, 4),
    (Reloc::X86CallPCRel4, 4),
    (Reloc::Arm64Call, 4),
    (Reloc::RiscvCallPlt, 8),
];

/// The kinds, in this order.
pub(super) fn kinds_of_relocations() -> String {
    format!("{KINDS:?}")
}

/// As it is kept, if it can be.
pub(super) fn kept(relocation: &ModuleReloc) -> Option<Relocation> {
    let target = match &relocation.name {
        ModuleRelocTarget::User { namespace: 0, index } => Target::Function(*index),
        ModuleRelocTarget::FunctionOffset(_, offset) => Target::Inside(*offset),
        ModuleRelocTarget::LibCall(call) => Target::Library(call.to_string()),
        _ => return None,
    };
    let kind = KINDS.iter().position(|(kind, _)| *kind == relocation.kind)? as u32;
    Some(Relocation { offset: relocation.offset, kind, target, addend: relocation.addend })
}

impl Relocation {
    /// As the linker takes it, in the function `id`.
    pub fn module_reloc(&self, id: FuncId) -> Option<ModuleReloc> {
        let name = match &self.target {
            Target::Function(number) => ModuleRelocTarget::user(0, *number),
            Target::Inside(offset) => ModuleRelocTarget::FunctionOffset(id, *offset),
            Target::Library(name) => ModuleRelocTarget::LibCall(name.parse::<LibCall>().ok()?),
        };
        Some(ModuleReloc { offset: self.offset, kind: KINDS.get(self.kind as usize)?.0, name, addend: self.addend })
    }
}

impl Function {
    /// Relocations lie inside and refer to one of so many functions.
    pub fn is_sound(&self, functions: usize) -> bool {
        let inside = |r: &Relocation| {
            let size = KINDS.get(r.kind as usize).map_or(usize::MAX, |(_, size)| *size);
            let end = (r.offset as usize).checked_add(size).is_some_and(|end| end <= self.bytes.len());
            let target = match r.target {
                Target::Function(number) => (number as usize) < functions,
                Target::Inside(offset) => (offset as usize) < self.bytes.len(),
                Target::Library(_) => true,
            };
            end && target
        };
        self.relocations.iter().all(inside) && self.alignment.is_power_of_two() | self.imported
    }
}
