//! Activity gates in vectors: the clusters of [`passes::gates`](crate::passes::gates), each executed when the bit says that something it
//! reads has changed in any of the tiles of a block.
//!
//! The bits are those of the word engine, and so are the rules; only that one set of bits serves sixteen tiles, that a value which passes
//! between clusters is a vector, and that a twin, which is called lane by lane, remembers in which lanes its inputs have changed.

use super::{
    lower::{Context, Lowering, VECTOR, WORD, bytes},
    program::{Base, Cluster, End, Function, Marks, Place, Step as Do, Value},
};
use crate::passes::{
    body::{Body, Step},
    gates::{
        Gates, Passed,
        bits::{FAILED, ModuleGates, Owner, Target},
        shape::{Set, Shape},
    },
    ir::{CallKind, Effect, NodeId},
};
use netlist::Design;
use std::collections::BTreeMap;

/// Places in the marks of an instance of one module, in bytes: its words of bits first.
#[derive(Debug)]
pub(super) struct MarkLayout {
    /// Where values that pass between clusters start.
    slots: i32,
    /// Per instance.
    pub children: Vec<i32>,
    /// With instances inside.
    pub size: i32,
}

/// Of all modules of the design; `shapes`: of those that have gates.
pub(super) fn mark_layouts(design: &Design, shapes: &BTreeMap<usize, Shape>) -> Vec<MarkLayout> {
    let mut done: Vec<MarkLayout> = vec![];
    for (module, about) in design.modules.iter().enumerate() {
        let (words, values) = shapes.get(&module).map_or((1, 0), |shape| (shape.first_slot(), shape.slots));
        let slots = (8 * words).next_multiple_of(VECTOR as u32) as i32;
        let mut size = slots + values as i32 * WORD;
        let mut take = |bytes: i32| {
            size += bytes;
            size - bytes
        };
        let inner = about.module.instances.iter().map(|i| done[design.index_of(&i.module)].size);
        let children = inner.map(&mut take).collect();
        done.push(MarkLayout { slots, children, size });
    }
    done
}

/// A set of bits of the instance at `start` in the marks.
pub(super) fn marks(set: &Set, start: i32) -> Marks {
    set.iter().flat_map(|(&word, &bits)| halves(start + 8 * word as i32, bits)).collect()
}

fn halves(at: i32, bits: u64) -> impl Iterator<Item = (Place, u32)> {
    let half = move |i: i32| (Place { base: Base::Marks, offset: at + 4 * i }, (bits >> (32 * i)) as u32);
    [half(0), half(1)].into_iter().filter(|(_, bits)| *bits != 0)
}

/// The cluster that a program is made for.
pub(super) struct InCluster<'a> {
    gates: &'a Gates,
    number: usize,
    /// Where values that pass between clusters start, in bytes of the marks.
    slots: i32,
    /// Changes found: whom they are told, in this evaluation or the next, and a value that is not zero where there is one.
    changes: BTreeMap<(usize, bool), Value>,
}

impl InCluster<'_> {
    /// Where a value of another cluster is.
    pub fn passed(&self, id: NodeId) -> Option<(Base, i32)> {
        let &(home, place) = self.gates.passed.get(&id)?;
        (home != self.number).then(|| self.place(place))
    }

    fn place(&self, place: Passed) -> (Base, i32) {
        match place {
            Passed::Rest(offset) => (Base::Rest, bytes(offset)),
            Passed::Slot(slot) => (Base::Marks, self.slots + slot as i32 * WORD),
        }
    }
}

/// The function of a body with gates.
pub(super) fn lower(context: Context, body: &Body, gates: &Gates) -> Function {
    let cluster = |number: usize| {
        let slots = context.marks[context.module].slots;
        let in_cluster = InCluster { gates, number, slots, changes: BTreeMap::new() };
        let mut lowering = Lowering::new(context, body, Some(in_cluster));
        lowering.cluster(body, gates, number);
        let bit = gates.bits[number];
        let place = Place { base: Base::Marks, offset: bit as i32 / 8 };
        Cluster { gate: Some((place, (bit % 8) as u8)), program: lowering.program }
    };
    let shape = &gates_of(context, context.module).shape;
    let end = End {
        early: gates.early,
        early_words: shape.early(),
        words: shape.early() + shape.late(),
        next: shape.next(),
        result: shape.result(),
    };
    Function { clusters: (0..body.chunks.len()).map(cluster).collect(), end: Some(end) }
}

fn gates_of<'a>(context: Context<'a>, module: usize) -> &'a ModuleGates {
    context.prepared[module].gates.as_ref().expect("with gates all modules have some")
}

impl<'a> Lowering<'a> {
    fn cluster(&mut self, body: &Body, gates: &Gates, number: usize) {
        let mut failed = vec![];
        for step in &body.chunks[number] {
            match step {
                &Step::Node(id) => {
                    self.node(id);
                    if let Some((_, place @ Passed::Slot(_))) = gates.passed.get(&id) {
                        let (base, offset) = self.in_cluster().place(*place);
                        self.store_and_compare(base, offset, id, gates.values.get(&id).copied());
                    }
                }
                &Step::Effect(effect) => {
                    let target = gates.effects.get(&effect).copied();
                    self.gated_effect(&body.function.effects[effect], target, &mut failed);
                }
                &Step::Input(call, input) => {
                    let (offset, value) = body.function.calls[call].inputs[input];
                    self.store_and_compare(Base::Rest, bytes(offset), value, gates.inputs.get(&(call, input)).copied());
                }
                &Step::Call(call) => self.gated_call(body, gates, call),
                Step::When(_) => unreachable!("there are no branches"),
            }
        }
        for ((target, next), value) in std::mem::take(&mut self.in_cluster().changes) {
            let marks = self.told(target, next);
            self.program.steps.push(Do::Mark { value, marks });
        }
        let value = self.program.any(&failed);
        if self.program.as_constant(value) != Some(0) {
            let marks = self.failure();
            self.program.steps.push(Do::Mark { value, marks });
        }
        self.program.finish();
    }

    fn in_cluster(&mut self) -> &mut InCluster<'a> {
        self.cluster.as_mut().expect("it is a cluster")
    }

    /// What tells that an assertion fails.
    fn failure(&self) -> Marks {
        let result = gates_of(self.context, self.context.module).shape.result();
        halves(8 * result as i32, FAILED).collect()
    }

    /// The bits that tell of a change.
    fn told(&self, target: usize, next: bool) -> Marks {
        let gates = gates_of(self.context, self.context.module);
        let Target { bits, exports } = &gates.targets[target];
        let start = |owner: Owner| match owner {
            Owner::Own => 8 * if next { gates.shape.next() } else { 0 } as i32,
            Owner::Child(part, instance) => self.context.marks_of(part, instance),
        };
        let bits = bits.iter().flat_map(|(&(owner, word), &mask)| halves(start(owner) + 8 * word as i32, mask));
        bits.chain(halves(8 * gates.shape.result() as i32, *exports)).collect()
    }

    /// Remembers where something has changed.
    fn changed(&mut self, target: usize, next: bool, change: Value) {
        let before = self.in_cluster().changes.get(&(target, next)).copied();
        let change = before.map_or(change, |before| self.program.or(before, change));
        self.in_cluster().changes.insert((target, next), change);
    }

    /// Where a value differs from what stands there, not zero.
    fn difference(&mut self, base: Base, offset: i32, id: NodeId) -> Value {
        let values = self.all(id).into_iter().enumerate();
        let here = values.map(|(limb, value)| {
            let before = self.program.load(base, offset + limb as i32 * VECTOR);
            self.program.xor(value, before)
        });
        let here: Vec<Value> = here.collect();
        self.program.any(&here)
    }

    fn store_and_compare(&mut self, base: Base, offset: i32, id: NodeId, target: Option<usize>) {
        if let Some(target) = target {
            let change = self.difference(base, offset, id);
            self.changed(target, false, change);
        }
        self.store_at(base, offset, id);
    }

    fn gated_effect(&mut self, effect: &Effect, target: Option<usize>, failed: &mut Vec<Value>) {
        if let Some(target) = target {
            match *effect {
                Effect::Store { offset, value } => {
                    return self.store_and_compare(Base::Rest, bytes(offset), value, Some(target));
                }
                Effect::Next { offset, value } => {
                    let change = self.difference(Base::Registers, bytes(offset), value);
                    self.changed(target, true, change);
                }
                Effect::Write { enable, .. } => {
                    let change = self.limb(enable, 0);
                    self.changed(target, true, change);
                }
                Effect::Assertion { condition, .. } => {
                    let holds = self.limb(condition, 0);
                    let broken = self.program.not(holds);
                    self.changed(target, true, broken);
                }
                Effect::Probe { .. } | Effect::Keep { .. } | Effect::Call(_) => {}
            }
        }
        self.effect(effect, failed);
    }

    fn gated_call(&mut self, body: &Body, gates: &Gates, number: usize) {
        let call = &body.function.calls[number];
        let needed = self.needed(call);
        if call.kind == CallKind::Twin {
            let place = Place { base: Base::Marks, offset: self.context.marks_of(call.part, call.instance) };
            let mut changes = vec![];
            for &(offset, value) in &call.inputs {
                changes.push(self.difference(Base::Rest, bytes(offset), value));
                self.store(Base::Rest, offset, value);
            }
            let value = self.program.any(&changes);
            self.program.steps.push(Do::Pending { value, place });
            let outputs = gates.twins.get(&number).into_iter().flatten();
            let results = outputs.map(|&(_, _, target)| (u64::MAX, self.told(target, false))).collect();
            return self.make_call(call, needed, Some(place), results);
        }
        let told = gates.calls.get(&number).into_iter().flatten();
        let told = told.map(|&(mask, next, target)| (mask, self.told(target, next)));
        let results = std::iter::once((FAILED, self.failure())).chain(told).collect();
        self.make_call(call, needed, None, results);
    }
}
