//! Code for activity gates (see [`gates`](crate::passes::gates)): clusters under their bits, and who is told of
//! changes.

use super::emit::{Callees, Context, Emitter, bytes};
use crate::passes::{
    body::Step,
    gates::{
        Gates, Passed,
        bits::{EARLY, FAILED, LATE, ModuleGates, Owner, Target},
    },
    ir::{CallKind, NodeId},
};
use cranelift_codegen::ir::{FuncRef, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use hdl::words_for;
use std::{collections::BTreeMap, ops::Range};

/// Changes found in a cluster: whom to tell, in this evaluation or the next, and a value that is zero without a change.
pub(super) type Changes = BTreeMap<(usize, bool), Value>;

impl<'a> Emitter<'a, '_> {
    /// Emits the clusters of a machine function; one of several looks first whether it has anything to do.
    pub(super) fn clusters(&mut self, gates: &'a Gates, clusters: Range<usize>, callees: &Callees) {
        if gates.functions.len() == 1 {
            return self.each_cluster(gates, clusters, callees);
        }
        let any = any_bit(&mut self.builder, self.context, self.marks, gates, clusters.clone());
        self.only_if(any, |e| e.each_cluster(gates, clusters, callees));
    }

    fn each_cluster(&mut self, gates: &'a Gates, clusters: Range<usize>, callees: &Callees) {
        for cluster in clusters {
            let bit = gates.bits[cluster];
            let (marks, at) = (self.marks, bytes(self.context.gates_at(self.context.module)) + bit as i32 / 8);
            let byte = self.ins().load(types::I8, MemFlagsData::trusted(), marks, at);
            let mask = self.ins().iconst(types::I8, 1 << (bit % 8));
            let set = self.ins().band(byte, mask);
            self.chunk = cluster;
            self.only_if(set, |e| e.cluster(gates, cluster, callees));
            // What was computed there is not at hand elsewhere.
            self.bits.clear();
            self.words.clear();
            self.memory_places.clear();
        }
    }

    fn cluster(&mut self, gates: &'a Gates, cluster: usize, callees: &Callees) {
        let body = self.body;
        for step in &body.chunks[cluster] {
            match step {
                &Step::Node(id) => self.node_in_cluster(id, gates),
                &Step::Effect(effect) => {
                    let target = gates.effects.get(&effect).copied();
                    self.effect(&body.function.effects[effect], target);
                }
                &Step::Input(call, input) => {
                    let (offset, value) = body.function.calls[call].inputs[input];
                    let target = gates.inputs.get(&(call, input)).copied();
                    self.store_and_compare(self.storage, offset, value, target);
                }
                &Step::Call(call) => self.gated_call(gates, call, callees),
                Step::When(when) => self.when(when, Some(gates)),
            }
        }
        self.tell_changes();
    }

    pub(super) fn tell_changes(&mut self) {
        for ((target, next), change) in std::mem::take(&mut self.changes) {
            self.only_if(change, |e| e.tell_target(target, next));
        }
    }

    fn node_in_cluster(&mut self, id: NodeId, gates: &Gates) {
        self.compute(id);
        if let Some((_, Passed::Slot(slot))) = gates.passed.get(&id) {
            let (marks, at) = (self.marks, self.slot_at(*slot));
            self.store_and_compare(marks, at, id, gates.values.get(&id).copied());
        }
    }

    fn slot_at(&self, slot: u32) -> u32 {
        let module = self.context.module;
        self.context.gates_at(module) + self.gates_of(module).shape.first_slot() + slot
    }

    fn gates_of(&self, module: usize) -> &'a ModuleGates {
        self.context.gates_of(module).expect("with gates all modules have some")
    }

    /// A value that another cluster has computed.
    pub(super) fn load_passed(&mut self, gates: &Gates, key: NodeId, word: usize, kind: Type) -> Option<Value> {
        let &(home, place) = gates.passed.get(&key)?;
        let (base, offset) = match place {
            Passed::Storage(offset) => (self.storage, offset),
            Passed::Slot(slot) => (self.marks, self.slot_at(slot)),
        };
        (home != self.chunk).then(|| self.load(kind, base, offset + word as u32))
    }

    // -- changes -------------------------------------------------------------------------------------------------------

    /// Remembers a change: `change` is not zero when there is one.
    pub(super) fn changed(&mut self, target: usize, next: bool, change: Value) {
        let change = match self.changes.get(&(target, next)) {
            Some(&earlier) => self.ins().bor(earlier, change),
            None => change,
        };
        self.changes.insert((target, next), change);
    }

    /// Stores a value, and tells if it differs from what was there.
    pub(super) fn store_and_compare(&mut self, base: Value, offset: u32, key: NodeId, target: Option<usize>) {
        let Some(target) = target else { return self.store(base, offset, key) };
        match self.copy_leaf(base, offset, key) {
            Some(differs) => self.changed(target, false, differs),
            None => {
                self.compare_stored(base, offset, key, target, false);
                self.store(base, offset, key);
            }
        }
    }

    /// Tells if a value differs from what is at a place.
    pub(super) fn compare_stored(&mut self, base: Value, offset: u32, key: NodeId, target: usize, next: bool) {
        if self.width(key) == 1 {
            let (new, old) = (self.bit(key), self.load(types::I8, base, offset));
            let differs = self.ins().bxor(new, old);
            let differs = self.ins().uextend(types::I64, differs);
            return self.changed(target, next, differs);
        }
        for i in 0..words_for(self.width(key)) {
            let (new, old) = (self.word(key, i), self.load(types::I64, base, offset + i as u32));
            let differs = self.ins().bxor(new, old);
            self.changed(target, next, differs);
        }
    }

    /// Sets the bits of a target.
    pub(super) fn tell_target(&mut self, target: usize, next: bool) {
        let module = self.context.module;
        let own = self.context.gates_at(module);
        let gates = self.gates_of(module);
        let Target { bits, exports } = &gates.targets[target];
        for (&(owner, word), &mask) in bits {
            let start = match owner {
                Owner::Own => own + if next { gates.shape.next() } else { 0 },
                Owner::Child(part, instance) => {
                    let child = self.context.child(part, instance);
                    self.child_marks(part, instance) + self.context.gates_at(child)
                }
            };
            self.set_bits(start + word, mask);
        }
        if *exports != 0 {
            self.set_bits(own + gates.shape.result(), *exports);
        }
    }

    fn set_bits(&mut self, offset: u32, mask: u64) {
        let marks = self.marks;
        let old = self.load(types::I64, marks, offset);
        let mask = self.constant(mask);
        let new = self.ins().bor(old, mask);
        self.ins().store(MemFlagsData::trusted(), new, marks, bytes(offset));
    }

    /// An assertion fails, if `broken` is not zero; then `target` is told for the next evaluation. It failed if
    /// `failed` is not zero, either: not without an edge of its clock.
    pub(super) fn fail_in_cluster(&mut self, broken: Value, failed: Value, target: usize) {
        let result = self.context.gates_at(self.context.module) + self.gates_of(self.context.module).shape.result();
        self.only_if(broken, |e| {
            e.only_if(failed, |e| e.set_bits(result, FAILED));
            e.tell_target(target, true);
        });
    }

    // -- calls ---------------------------------------------------------------------------------------------------------

    fn gated_call(&mut self, gates: &'a Gates, number: usize, callees: &Callees) {
        let call = &self.body.function.calls[number];
        let functions = (callees.functions)(call.module);
        if call.kind == CallKind::Intrinsic {
            call.inputs.iter().for_each(|&(offset, value)| self.store(self.storage, offset, value));
            // Changes are told here, as values do not leave a branch.
            let found = std::mem::take(&mut self.changes);
            self.if_needed(call, |e| e.gated_intrinsic(gates, number, functions[2]));
            self.changes = found;
        } else if let Some(function) = if call.kind == CallKind::Early { functions[0] } else { functions[1] } {
            self.if_needed(call, |e| e.gated_function(gates, number, function));
        }
    }

    fn gated_intrinsic(&mut self, gates: &Gates, number: usize, intrinsic: Option<FuncRef>) {
        let outputs = gates.intrinsics.get(&number).map_or(&[][..], Vec::as_slice);
        let storage = self.storage;
        let words =
            outputs.iter().flat_map(|&(offset, words, target)| (0..words as u32).map(move |i| (offset + i, target)));
        let words: Vec<_> = words.map(|(at, target)| (at, target, self.load(types::I64, storage, at))).collect();
        self.call_intrinsic(intrinsic, &self.body.function.calls[number]);
        for (at, target, old) in words {
            let new = self.load(types::I64, storage, at);
            let differs = self.ins().bxor(new, old);
            self.changed(target, false, differs);
        }
        self.tell_changes();
    }

    fn gated_function(&mut self, gates: &Gates, number: usize, function: FuncRef) {
        let call = &self.body.function.calls[number];
        let result = self.call_function(function, call);
        let failed = self.constant(FAILED);
        let failed = self.ins().band(result, failed);
        let at = self.context.gates_at(self.context.module) + self.gates_of(self.context.module).shape.result();
        self.only_if(result, |e| {
            e.only_if(failed, |e| e.set_bits(at, FAILED));
            for &(mask, next, target) in gates.calls.get(&number).into_iter().flatten() {
                let mask = e.constant(mask);
                let told = e.ins().band(result, mask);
                e.only_if(told, |e| e.tell_target(target, next));
            }
        });
    }
}

/// Bits of some clusters for this evaluation: not zero when there is one.
fn any_bit(
    builder: &mut FunctionBuilder,
    context: Context,
    marks: Value,
    gates: &Gates,
    clusters: Range<usize>,
) -> Value {
    let mut words: BTreeMap<u32, u64> = BTreeMap::new();
    for cluster in clusters {
        let bit = gates.bits[cluster];
        *words.entry(bit / 64).or_default() |= 1 << (bit % 64);
    }
    let at = context.gates_at(context.module);
    let mut any = None;
    for (word, mask) in words {
        let bits = builder.ins().load(types::I64, MemFlagsData::trusted(), marks, bytes(at + word));
        let mask = builder.ins().iconst(types::I64, mask as i64);
        let bits = builder.ins().band(bits, mask);
        any = Some(any.map_or(bits, |any| builder.ins().bor(any, bits)));
    }
    any.unwrap_or_else(|| builder.ins().iconst(types::I64, 0))
}

/// The end of a phase: bits for the next evaluation take their places, and the result is made.
pub(super) fn end_phase(builder: &mut FunctionBuilder, context: Context, marks: Value, early: bool) -> Value {
    let gates = context.gates_of(context.module).expect("with gates all modules have some");
    let at = context.gates_at(context.module);
    let trusted = MemFlagsData::trusted();
    let zero = builder.ins().iconst(types::I64, 0);
    let (mut for_early, mut for_late) = (zero, zero);
    for word in 0..gates.shape.early() + gates.shape.late() {
        let (now_at, next_at) = (bytes(at + word), bytes(at + gates.shape.next() + word));
        let next = builder.ins().load(types::I64, trusted, marks, next_at);
        if early {
            // What is for the next evaluation waits for the end of the late phase, which must come.
            for_late = builder.ins().bor(for_late, next);
            if word < gates.shape.early() {
                builder.ins().store(trusted, zero, marks, now_at);
            } else {
                let now = builder.ins().load(types::I64, trusted, marks, now_at);
                for_late = builder.ins().bor(for_late, now);
            }
        } else {
            builder.ins().store(trusted, next, marks, now_at);
            builder.ins().store(trusted, zero, marks, next_at);
            let sum = if word < gates.shape.early() { &mut for_early } else { &mut for_late };
            *sum = builder.ins().bor(*sum, next);
        }
    }
    let result_at = bytes(at + gates.shape.result());
    let mut result = builder.ins().load(types::I64, trusted, marks, result_at);
    builder.ins().store(trusted, zero, marks, result_at);
    for (bits, flag) in [(for_late, LATE), (for_early, EARLY)] {
        if bits != zero {
            let flag = builder.ins().iconst(types::I64, flag as i64);
            let flag = builder.ins().select(bits, flag, zero);
            result = builder.ins().bor(result, flag);
        }
    }
    result
}
