//! A thread with its registers, as it is interpreted.

use super::lane::{HighPart, Lane, LowPart};
use crate::isa::Predicate;

/// A thread of a block.
pub struct Thread {
    pub registers: [u32; 256],
    pub predicates: [bool; 8],
    pub pc: usize,
    pub index: [u32; 3],
    pub linear: u32,
    pub ended: bool,
    /// Of the atomic that comes next.
    pub high_part: Option<HighPart>,
    /// Before a `DHIGH`.
    pub low_part: Option<LowPart>,
}

impl Lane for Thread {
    fn register(&self, number: u8) -> u32 {
        self.registers[usize::from(number)]
    }

    fn set_register(&mut self, number: u8, value: u32) {
        self.registers[usize::from(number)] = value;
    }

    fn holds(&self, p: Predicate) -> bool {
        self.predicates[usize::from(p.index)] ^ p.negate
    }

    fn set_predicate(&mut self, index: u8, value: bool) {
        self.predicates[usize::from(index)] = value;
    }

    fn index(&self) -> [u32; 3] {
        self.index
    }

    fn linear(&self) -> u32 {
        self.linear
    }

    fn high_part(&mut self) -> &mut Option<HighPart> {
        &mut self.high_part
    }

    fn low_part(&mut self) -> &mut Option<LowPart> {
        &mut self.low_part
    }
}
