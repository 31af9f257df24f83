//! Activity gates: what cannot have changed is not evaluated.
//!
//! *Recovers* that in most cycles most of a chip stands still: on a busy core less than a tenth of all values change. *Legal*, as
//! a value is a function of what it is made from: its place in the state holds it until some of that changes.
//!
//! Data flow: the [`items`] of a function (values, effects, calls) are gathered into [`clusters`]. Every cluster of a
//! module has a bit, in words that each instance has among its marks. A bit set *now* says that the cluster is to be
//! evaluated in this evaluation; *next*, in the next one. Code that computes something compares it with what was there
//! before, and when it differs sets the bits of the clusters that read it:
//!
//! * a wire, or a value that passes between clusters: now (they come later in the order),
//! * the next value of a register that differs from the present one: next,
//! * a memory word about to be written: next, for those that read the memory,
//! * an input of a called instance: now, in the bits of that instance, and of the call.
//!
//! A call is a cluster of its own. It returns which outputs of the instance have changed, in groups, and whether the
//! instance has bits for the next evaluation; then the call is made again. So an instance without activity is not even
//! called.
//!
//! Whoever sets *next* bits also sets its own: it is evaluated once more when nothing else changes. That brings the
//! other of the two register arrays up to date, repeats writes whose enable stays, and repeats a failing assertion. And
//! it makes the bits valid however often a cycle is evaluated, and whether or not a clock edge happened in between: a
//! cluster whose bit is not set has left present and next registers equal, enables no write and fails no assertion.
//!
//! The state may be changed from outside after setting all bits.

mod around;
pub(crate) mod bits;
mod clusters;
pub(crate) mod items;
mod relations;
pub(crate) mod shape;

pub(super) use around::gate;

use super::{
    body::{Body, Step},
    ir::{Call, CallKind, Effect, Function, NodeId},
};
use crate::layout::Area;
use bits::{Bits, ModuleGates};
use clusters::{Clusters, gather};
use hdl::words_for;
use items::{Item, Items, ReadPlace};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, ops::Range};

/// Functions are cut after about this many items.
const CHUNK: usize = 1500;

/// What code of a phase must know about its gates. Targets are positions in [`ModuleGates::targets`].
#[derive(Debug, Default)]
pub(crate) struct Gates {
    /// This is the early phase.
    pub early: bool,
    /// Per machine function: its clusters, which are the chunks of the body.
    pub functions: Vec<Range<usize>>,
    /// Per cluster: its bit.
    pub bits: Vec<u32>,
    /// Per effect: whom a change is told.
    pub effects: FxHashMap<usize, usize>,
    /// Values that pass between clusters without a net: whom a change is told.
    pub values: FxHashMap<NodeId, usize>,
    /// Values that pass between clusters: home and place.
    pub passed: FxHashMap<NodeId, (usize, Passed)>,
    /// Per call and input: whom a change is told.
    pub inputs: FxHashMap<(usize, usize), usize>,
    /// Per call: what its result means: these bits of it, then this target, now or next.
    pub calls: FxHashMap<usize, Vec<(u64, bool, usize)>>,
    /// Per call of an intrinsic: outputs (place and words) that somebody reads, and whom a change is told.
    pub intrinsics: FxHashMap<usize, Vec<(u32, usize, usize)>>,
}

/// Where a value that passes between clusters is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    /// In the storage, as a net.
    Storage(u32),
    /// In a slot of the instance's marks.
    Slot(u32),
}

/// What a module looks like from here.
struct Module<'a> {
    /// Early and late.
    pub functions: [Function; 2],
    /// Places of inputs and outputs.
    pub inputs: Vec<u32>,
    pub outputs: Vec<ReadPlace>,
    /// Per write effect, by part and position: the memory.
    pub memory: &'a dyn Fn(usize, usize) -> u32,
    /// Per module of the design: its gates, if it is done.
    pub children: &'a dyn Fn(usize) -> Option<&'a ModuleGates>,
    /// Per module of the design: it has an early, a late function.
    pub made: &'a dyn Fn(usize) -> [bool; 2],
    /// Instances that are tiles; their calls are left to the scheduler.
    pub tiles: &'a [usize],
    /// Of tiles that another engine evaluates: outputs; marks of inputs by their places, and words of all marks.
    pub shown: &'a [ReadPlace],
    pub input_marks: (&'a FxHashMap<u32, u32>, u32),
    /// Per module of the design: places and words of an intrinsic's outputs.
    pub intrinsic_outputs: &'a dyn Fn(usize) -> Vec<(u32, usize)>,
    /// What a call counts as where functions are cut.
    pub called: &'a dyn Fn(&Call) -> usize,
}

/// A phase on the way.
struct GatedPhase {
    function: Function,
    items: Items,
    clusters: Clusters,
}

/// Adds gates to the phases of a module.
fn gated(module: Module) -> ([Option<Body>; 2], ModuleGates) {
    let Module {
        functions,
        inputs,
        outputs,
        memory,
        children,
        made,
        tiles,
        shown,
        input_marks,
        intrinsic_outputs,
        called,
    } = module;
    let phases = functions.map(|function| {
        let made = |call: usize| match function.calls[call].kind {
            CallKind::Early => made(function.calls[call].module)[0],
            CallKind::Late => made(function.calls[call].module)[1],
            CallKind::Tile | CallKind::Intrinsic => false,
        };
        let items = Items::new(&function, made);
        let is_narrow = |item: &Item| matches!(*item, Item::Node(id) if function.graph.width(id) == 1);
        let narrow: Vec<bool> = items.list.iter().map(is_narrow).collect();
        let fixed = |item: &Item| matches!(*item, Item::Call(call) if function.calls[call].kind != CallKind::Intrinsic);
        let fixed: Vec<bool> = items.list.iter().map(fixed).collect();
        let mut ports: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, item) in items.list.iter().enumerate() {
            if let Item::Effect(effect) = *item
                && let Effect::Write { part, index, .. } = function.effects[effect]
            {
                ports.entry(memory(part, index)).or_default().push(number);
            }
        }
        // Ports of one memory write in their order.
        let mut together: Vec<Vec<usize>> = ports.into_values().collect();
        together.iter_mut().for_each(|group| group.sort_unstable());
        let clusters = gather(&items, &narrow, &together, &fixed);
        GatedPhase { function, items, clusters }
    });
    let counts = [phases[0].clusters.list.len(), phases[1].clusters.list.len()];
    let mut bits = Bits::new(counts, tiles, input_marks, &outputs);
    for (early, phase) in [true, false].into_iter().zip(&phases) {
        for (cluster, members) in phase.clusters.list.iter().enumerate() {
            for source in members.iter().flat_map(|&item| &phase.items.sources[item]) {
                bits.watch(*source, bits.bit(early, cluster));
            }
        }
    }
    for (early, phase) in [true, false].into_iter().zip(&phases) {
        for (item, needs) in phase.items.needs.iter().enumerate() {
            let user = bits.bit(early, phase.clusters.home[item]);
            for &need in needs.iter().filter(|&&need| phase.clusters.home[need] != phase.clusters.home[item]) {
                if let Item::Node(id) = phase.items.list[need] {
                    match first_store(phase, id) {
                        Some(offset) => bits.watch(ReadPlace::Storage(offset), user),
                        None => bits.watch_value(early, id, user),
                    }
                }
            }
        }
        for (number, &item) in phase.items.list.iter().enumerate() {
            if let Item::Call(call) = item
                && phase.function.calls[call].kind != CallKind::Intrinsic
            {
                bits.call(early, &phase.function.calls[call], phase.clusters.home[number]);
            }
        }
    }
    let [early, late] = phases;
    for call in late.function.calls.iter().filter(|call| call.kind == CallKind::Tile) {
        if let Some(child) = children(call.module) {
            bits.tile_results(call, child);
        }
    }
    let early = finish(true, early, &mut bits, memory, children, intrinsic_outputs, called);
    let late = finish(false, late, &mut bits, memory, children, intrinsic_outputs, called);
    ([early, late], bits.finish(&inputs, shown))
}

/// Where an effect stores the value of a node.
fn first_store(phase: &GatedPhase, id: NodeId) -> Option<u32> {
    let effect = *phase.items.stores[id.index()].first()?;
    match phase.function.effects[effect] {
        Effect::Store { offset, .. } => Some(offset),
        _ => None,
    }
}

fn finish<'a>(
    early: bool,
    phase: GatedPhase,
    bits: &mut Bits,
    memory: &dyn Fn(usize, usize) -> u32,
    children: &dyn Fn(usize) -> Option<&'a ModuleGates>,
    intrinsic_outputs: &dyn Fn(usize) -> Vec<(u32, usize)>,
    called: &dyn Fn(&Call) -> usize,
) -> Option<Body> {
    let mut gates = Gates { early, ..Gates::default() };
    let mut chunks = vec![];
    for (cluster, members) in phase.clusters.list.iter().enumerate() {
        let own = bits.bit(early, cluster);
        gates.bits.push(own);
        let mut steps = vec![];
        for &number in members {
            match phase.items.list[number] {
                Item::Node(id) => {
                    steps.push(Step::Node(id));
                    for &effect in &phase.items.stores[id.index()] {
                        steps.push(Step::Effect(effect));
                        change_of_effect(&phase, effect, own, bits, memory, &mut gates);
                    }
                    if phase.items.users[number].iter().any(|&user| phase.clusters.home[user] != cluster) {
                        let place = first_store(&phase, id).map(Passed::Storage).unwrap_or_else(|| {
                            if let Some(target) = bits.value_target(early, id) {
                                gates.values.insert(id, target);
                            }
                            Passed::Slot(bits.slot(words_for(phase.function.graph.width(id)) as u32))
                        });
                        gates.passed.insert(id, (cluster, place));
                    }
                }
                Item::Effect(effect) => {
                    steps.push(Step::Effect(effect));
                    change_of_effect(&phase, effect, own, bits, memory, &mut gates);
                }
                Item::Input(call, input) => {
                    steps.push(Step::Input(call, input));
                    let about = &phase.function.calls[call];
                    let offset = about.inputs[input].0;
                    let inside = children(about.module)
                        .and_then(|child| child.shape.inputs.get(&(offset - about.bases.storage)))
                        .cloned()
                        .unwrap_or_default();
                    if let Some(target) = bits.input_target(about, offset, inside, own) {
                        gates.inputs.insert((call, input), target);
                    }
                }
                Item::Call(call) => {
                    steps.push(Step::Call(call));
                    let about = &phase.function.calls[call];
                    if about.kind == CallKind::Intrinsic {
                        let outputs = intrinsic_outputs(about.module).into_iter().filter_map(|(offset, words)| {
                            let offset = about.bases.storage + offset;
                            Some((offset, words, bits.source_target(ReadPlace::Storage(offset), Some(own))?))
                        });
                        let outputs = outputs.collect();
                        gates.intrinsics.insert(call, outputs);
                    } else if let Some(child) = children(about.module) {
                        gates.calls.insert(call, bits.results(about, child, Some(own)));
                    }
                }
            }
        }
        chunks.push(steps);
    }
    if chunks.is_empty() {
        return None;
    }
    let weight = |step: &Step| match *step {
        Step::Call(call) => called(&phase.function.calls[call]),
        _ => step.weight(&phase.function),
    };
    let (mut start, mut size) = (0, 0);
    for (cluster, steps) in chunks.iter().enumerate() {
        let weight = steps.iter().map(weight).sum::<usize>();
        if size > 0 && size + weight > CHUNK {
            gates.functions.push(start..cluster);
            (start, size) = (cluster, 0);
        }
        size += weight;
    }
    gates.functions.push(start..chunks.len());
    let GatedPhase { function, .. } = phase;
    Some(Body { function, chunks, spilled: FxHashMap::default(), spill_words: 0, gates: Some(gates) })
}

fn change_of_effect(
    phase: &GatedPhase,
    effect: usize,
    own: u32,
    bits: &mut Bits,
    memory: &dyn Fn(usize, usize) -> u32,
    gates: &mut Gates,
) {
    let target = match phase.function.effects[effect] {
        Effect::Store { offset, .. } => bits.source_target(ReadPlace::Storage(offset), Some(own)),
        Effect::Next { offset, .. } => Some(bits.next_target(Some(ReadPlace::Register(offset)), own)),
        Effect::Write { part, index, .. } => Some(bits.next_target(Some(ReadPlace::Memory(memory(part, index))), own)),
        Effect::Assertion { .. } => Some(bits.next_target(None, own)),
        Effect::Probe { .. } | Effect::Keep { .. } | Effect::Call(_) => None,
    };
    if let Some(target) = target {
        gates.effects.insert(effect, target);
    }
}

/// A place as a source.
fn source_at(area: Area, offset: u32) -> ReadPlace {
    match area {
        Area::Registers => ReadPlace::Register(offset),
        Area::Storage => ReadPlace::Storage(offset),
    }
}
