//! A kernel for checks on memory: the same program in which loads and stores keep what the chip does without, the high
//! words of 64-bit addresses, and know which access of PTX they are part of.
//!
//! It is compiled anew from the kernel's text, so that the chip's code need not carry anything for it. It is never
//! loaded into a chip: only the emulator executes it, with as many registers as an instruction can name.

use super::{CompileOptions, Feature, Kernel, Spill, Target, build, checked_access::CheckedAccess, emit};
use crate::{emulator::CompiledChecks, isa::Instruction};
use std::sync::OnceLock;

/// Code for checks.
pub(crate) struct CheckedCode {
    /// Instructions; the first is executed first.
    pub code: Vec<Instruction>,
    /// PTX line of each, from 1.
    pub lines: Vec<u32>,
    /// Of each load and store.
    pub accesses: Vec<Option<CheckedAccess>>,
    /// Why it is no more than the chip's code.
    pub lacking: Option<String>,
    /// The same in machine code, once it was worth it.
    pub compiled: OnceLock<CompiledChecks>,
}

impl CheckedCode {
    /// Of a kernel; the chip's own code where there is no text, or the text needs too many registers with the high words.
    pub fn of(kernel: &Kernel) -> Self {
        let Some(source) = &kernel.source else { return Self::plain(kernel, None) };
        // All registers that an instruction can name; special functions as in the chip's own code, whose results are
        // not those of sequences.
        let special = kernel.requirement(Feature::SpecialFunctions).is_some();
        let target = Target { registers: 255, double: true, special, stack_bytes: kernel.stack_bytes };
        let formats =
            kernel.textures.iter().filter_map(|texture| Some((texture.name.clone(), texture.format?))).collect();
        let params_in_constants = kernel.params.iter().any(|param| param.constant.is_some());
        let wanted = CompileOptions { target: &target, high_words: true, formats: &formats, params_in_constants };
        let fits =
            |spill: Option<Spill>| spill.map_or(0, |own| own.bytes) <= kernel.spill.map_or(0, |there| there.bytes);
        match build(&source.text, Some(&kernel.name), &wanted) {
            Ok((built, _)) if !fits(built.spill) => {
                Self::plain(kernel, Some("with them it needs more than 255 registers".into()))
            }
            Ok((_, emit::Emitted { instructions: code, lines, accesses })) => {
                Self { code, lines, accesses, lacking: None, compiled: OnceLock::new() }
            }
            Err(problem) => Self::plain(kernel, Some(problem.message)),
        }
    }

    fn plain(kernel: &Kernel, problem: Option<String>) -> Self {
        Self {
            code: kernel.code.iter().map_while(|&word| Instruction::decode(word)).collect(),
            lines: kernel.lines.clone(),
            accesses: vec![None; kernel.code.len()],
            compiled: OnceLock::new(),
            lacking: problem.map(|problem| format!("address bits above 32 are not checked: {problem}")),
        }
    }
}
