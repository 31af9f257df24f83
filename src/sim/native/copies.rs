//! Code for long values that only go from place to place: loops, where code word by word would fill functions with
//! copies.

use super::emit::Emitter;
use crate::passes::{body::LONG, ir::NodeId};
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, condcodes::IntCC, types};
use hdl::words_for;

impl Emitter<'_, '_> {
    /// Stores a long value that stands in the state, and gives a value that is zero when it was there already; `None`,
    /// and nothing is stored, when the value is another one.
    pub(super) fn copy_leaf(&mut self, base: Value, offset: u32, key: NodeId) -> Option<Value> {
        let words = words_for(self.width(key));
        let from = self.leaf_place(key).filter(|_| words > LONG)?;
        let (from, to) = (self.address(from.0, from.1), self.address(base, offset));
        Some(self.copy(from, to, words))
    }

    /// Copies words from an address to another; a value that is zero when they were there already.
    pub(super) fn copy(&mut self, from: Value, to: Value, words: usize) -> Value {
        let (body, after) = (self.builder.create_block(), self.builder.create_block());
        let [at, before] = [(); 2].map(|()| self.builder.append_block_param(body, types::I64));
        let found = self.builder.append_block_param(after, types::I64);
        let zero = self.constant(0);
        self.ins().jump(body, &[zero, zero].map(BlockArg::Value));
        self.builder.switch_to_block(body);
        let (source, target) = (self.ins().iadd(from, at), self.ins().iadd(to, at));
        let [new, old] =
            [source, target].map(|address| self.ins().load(types::I64, MemFlagsData::trusted(), address, 0));
        self.ins().store(MemFlagsData::trusted(), new, target, 0);
        let differs = self.ins().bxor(new, old);
        let differs = self.ins().bor(before, differs);
        let (step, end) = (self.constant(8), self.constant(8 * words as u64));
        let next = self.ins().iadd(at, step);
        let more = self.ins().icmp(IntCC::UnsignedLessThan, next, end);
        let [next, differs] = [next, differs].map(BlockArg::Value);
        self.ins().brif(more, body, &[next, differs], after, &[differs]);
        self.builder.switch_to_block(after);
        found
    }
}
