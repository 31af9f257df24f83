//! Ports of a memory under construction.

use super::Builder;
use crate::{
    bits::index_width,
    def::*,
    ids::MemId,
    names::PortName,
    signal::{Operand, Signal, mux},
    source::Source,
};

/// A memory of the block under construction.
#[derive(Clone, Copy)]
pub struct Memory<'m> {
    pub(super) builder: &'m Builder,
    pub(super) id: MemId,
    pub(super) width: u32,
    pub(super) depth: usize,
}

impl<'m> Memory<'m> {
    /// Words.
    pub fn depth(self) -> usize {
        self.depth
    }

    /// Bits per word.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Bits of a word address.
    pub fn address_width(self) -> u32 {
        index_width(self.depth)
    }

    /// Asynchronous read port: the word at `address` now.
    #[track_caller]
    pub fn read(self, address: Signal<'m>) -> Signal<'m> {
        let address = self.builder.own(address);
        self.builder.expr(Op::MemRead { memory: self.id, address: address.id }, self.width)
    }

    /// Synchronous read port: a register called `name` that holds the word read in the last cycle with `enable`.
    #[track_caller]
    pub fn read_sync(self, name: impl PortName, address: Signal<'m>, enable: Signal<'m>) -> Signal<'m> {
        let output = self.builder.register_payload(name, self.width);
        let word = self.read(address);
        self.builder.set(output, mux(enable, word, output));
        output
    }

    /// Write port, enabled by the conditions around this call.
    #[track_caller]
    pub fn write(self, address: Signal<'m>, data: impl Operand<'m>) {
        self.add_write(address, data, None);
    }

    /// Write port with a mask: bit `i` of `mask` enables the `i`-th of `mask.width()` equal parts of the word.
    #[track_caller]
    pub fn write_masked(self, address: Signal<'m>, data: impl Operand<'m>, mask: Signal<'m>) {
        if !self.width.is_multiple_of(mask.width) {
            let message = format!("a {}-bit word is not divided evenly by a {}-bit mask", self.width, mask.width);
            self.builder.problem(ProblemKind::WidthMismatch, message, &[]);
            return;
        }
        self.add_write(address, data, Some(mask));
    }

    #[track_caller]
    fn add_write(self, address: Signal<'m>, data: impl Operand<'m>, mask: Option<Signal<'m>>) {
        let m = self.builder;
        let data = m.own(data.signal(m, self.width));
        if data.width != self.width {
            let source = m.state.borrow().def.memories[self.id.index()].source;
            let message = format!("the memory has words of {} bits, the data to write has {}", self.width, data.width);
            m.problem(ProblemKind::WidthMismatch, message, &[source]);
            return;
        }
        let enable = m.under_conditions(m.lit(1, 1)).id;
        let port = {
            let mut state = m.state.borrow_mut();
            state.def.writes.push(WritePort {
                memory: self.id,
                enable,
                address: m.own(address).id,
                data: data.id,
                mask: mask.map(|s| m.own(s).id),
                source: Source::here(),
            });
            state.def.writes.len() - 1
        };
        m.record(Stmt::Write { port });
    }
}
