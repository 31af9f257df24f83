//! Two engines side by side, and where they differ.
//!
//! What stands in the state that all engines share is compared in every cycle. Tiles whose state an engine keeps
//! elsewhere (`hidden`) are brought there now and then only, as that takes longer than a cycle; in every cycle the
//! registers that their outputs show are fetched and compared. What has happened since all was equal is kept, so that
//! the first difference can be found when there is one; see [`Simulator`](super::Simulator).

use super::{
    batched::{BatchedTiles, TileState},
    clocks::Edges,
    interpreter::{Replaced, replaced},
    layout::{Area, Place, ProbeSlots},
    paths::{FoundNet, Names},
    runner::Runner,
    state::{State, WritePort, write_ports},
};
use hdl::*;
use rustc_hash::FxHashSet;
use std::{collections::BTreeSet, ops::Range};

/// An engine with a state of its own.
pub(crate) struct Shadow {
    pub engine: Runner,
    pub state: State,
    /// Made when it is needed; anew when an engine was made anew.
    pub compared: Option<Compared>,
    /// Where tiles are hidden: what has happened since all was equal.
    pub history: Option<History>,
    /// Cycles compared so far.
    pub cycles: u64,
    /// A difference was looked for in cycles that had been simulated before: time has gone back to it.
    pub went_back: bool,
}

impl Shadow {
    /// Nothing has been compared.
    pub fn new(engine: Runner, state: State) -> Self {
        Self { engine, state, compared: None, history: None, cycles: 0, went_back: false }
    }
}

/// A state in which all was equal, and what has happened since.
pub(crate) struct History {
    /// Of the first engine and of the second.
    pub states: [State; 2],
    /// As clocks count it.
    pub time: u64,
    pub events: Vec<Event>,
    pub cycles: u64,
}

/// Something that the next states depend on.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    /// A word of the input at this place in the storage has this value.
    Input { input: usize, word: usize, value: u64 },
    /// A clock edge.
    Edge,
}

/// A net, write port or probe on which the engines disagree.
pub(crate) struct Found {
    pub scope: usize,
    pub net: String,
    /// In the first engine and in the second.
    pub values: [Bits; 2],
}

/// What is compared. Wires are not: engines leave out what nothing needs.
pub(crate) struct Compared {
    /// Instances whose state stands where all engines have it, children first: what is wrong in a child makes its
    /// parent wrong.
    instances: Vec<Instance>,
    /// Others, likewise.
    hidden: Vec<usize>,
    /// Registers that outputs of hidden tiles show.
    shown: Vec<ShownRegister>,
    /// Registers of the tiles that each engine keeps elsewhere.
    elsewhere: [Vec<Range<usize>>; 2],
}

/// Places of an instance; absolute.
struct Instance {
    scope: usize,
    registers: Range<usize>,
    /// Where its storage starts; ports and probes are relative to it.
    base: usize,
    ports: Vec<WritePort>,
    probes: Vec<ProbeSlots>,
    counters: Range<usize>,
}

/// A register, and which engines keep it elsewhere.
struct ShownRegister {
    scope: usize,
    net: NetId,
    place: Place,
    words: usize,
    elsewhere: [bool; 2],
}

impl Compared {
    /// `intrinsics`: the first engine calls intrinsics; nothing inside of such blocks is compared. The engines' tiles
    /// that stand elsewhere.
    pub fn new(names: &Names, intrinsics: bool, mut batched: [Option<&mut BatchedTiles>; 2]) -> Self {
        let tiles_of = |batched: &Option<&mut BatchedTiles>| -> BTreeSet<usize> {
            batched.iter().flat_map(|batched| batched.tiles().into_keys()).collect()
        };
        let each = batched.each_ref().map(tiles_of);
        let elsewhere = each.each_ref().map(|tiles| tiles.iter().map(|&tile| registers_of(names, tile)).collect());
        let tiles: BTreeSet<usize> = each.into_iter().flatten().collect();
        let replaced = replaced(names.design, names.scopes, intrinsics);
        let compared = (0..names.scopes.len()).rev().filter(|&scope| replaced[scope] == Replaced::No);
        let (hidden, visible): (Vec<usize>, Vec<usize>) = compared.partition(|&scope| is_in(names, scope, &tiles));
        let mut found = FxHashSet::default();
        for &tile in &tiles {
            let scope = names.scopes[0].children[tile];
            let outputs = &names.design.modules[names.scopes[scope].module].module.outputs;
            outputs.iter().for_each(|&output| registers_shown(names, scope, output, &mut found));
        }
        let mut shown: Vec<_> = found.into_iter().filter(|(scope, _)| replaced[*scope] == Replaced::No).collect();
        shown.sort_unstable();
        let mut shown_register = |(scope, net): (usize, u32)| {
            let FoundNet { net, place, width, .. } = names.place(scope, NetId(net));
            let elsewhere =
                [0, 1].map(|engine: usize| batched[engine].as_mut().is_some_and(|batched| batched.hides(place)));
            ShownRegister { scope, net, place, words: words_for(width), elsewhere }
        };
        Self {
            instances: visible.into_iter().map(|scope| Instance::new(names, scope)).collect(),
            shown: shown.into_iter().map(&mut shown_register).collect(),
            hidden,
            elsewhere,
        }
    }

    /// There are tiles that not every engine keeps where it can be compared.
    pub fn hides(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Undoes what bringing next values of hidden tiles to the states has changed: outputs that others see have their
    /// present values in both arrays, which change places at the clock edge, and only those that change then are
    /// written.
    pub fn forget_next(&self, states: [&mut State; 2]) {
        for (state, registers) in states.into_iter().zip(&self.elsewhere) {
            for range in registers {
                state.next[range.clone()].copy_from_slice(&state.registers[range.clone()]);
            }
        }
    }

    /// The first instance where evaluated states differ: in the next value of a register, a pending write, a probe, a
    /// counter or an output of the top. Of hidden tiles the memories instead of writes and probes, and these and their
    /// registers have to be there; where a register has no edge (`edges`), such a tile need not have its next value, and
    /// the present one is compared.
    pub fn first_difference(&self, names: &Names, first: &State, second: &State, edges: Edges) -> Option<Found> {
        let hidden = self.hidden.iter().find_map(|&scope| {
            in_registers(names, scope, first, second, edges).or_else(|| in_memories(names, scope, first, second))
        });
        hidden.or_else(|| self.difference_at_boundaries(names, first, second))
    }

    /// The same, without the hidden tiles.
    pub fn difference_at_boundaries(&self, names: &Names, first: &State, second: &State) -> Option<Found> {
        let mut differing = self.instances.iter().filter(|instance| !instance.agrees(first, second));
        let found = differing.find_map(|&Instance { scope, .. }| {
            in_registers(names, scope, first, second, Edges::ALL)
                .or_else(|| in_writes(names, scope, first, second))
                .or_else(|| in_probes(names, scope, first, second))
        });
        found.or_else(|| in_outputs(names, first, second))
    }

    /// A register that an output of a hidden tile shows and that has different values now.
    pub fn difference_of_outputs(
        &self,
        names: &Names,
        engines: [&mut Runner; 2],
        states: [&mut State; 2],
    ) -> Option<Found> {
        let ([first, second], [a, b]) = (engines, states);
        self.shown.iter().find_map(|register| {
            let there = register.fetch(0, first, a) && register.fetch(1, second, b);
            let at = register.place.offset as usize..register.place.offset as usize + register.words;
            if !there || a.registers[at.clone()] == b.registers[at.clone()] {
                return None;
            }
            let FoundNet { width, .. } = names.place(register.scope, register.net);
            let values = [&*a, &*b].map(|state| Bits::from_words(width, &state.registers[at.clone()]));
            Some(Found { scope: register.scope, net: net_name(names, register.scope, register.net), values })
        })
    }
}

impl Instance {
    fn new(names: &Names, scope: usize) -> Self {
        let (at, layout) = (&names.scopes[scope], &names.layouts[names.scopes[scope].module]);
        let module = &names.design.modules[at.module].module;
        let (registers, base) = (at.bases.registers as usize, at.bases.storage as usize);
        let end = |id: NetId| layout.places[id.index()].offset as usize + words_for(module.net(id).width);
        Self {
            scope,
            // Those of the instances inside come after its own.
            registers: registers..registers + module.registers().map(end).max().unwrap_or(0),
            base,
            ports: write_ports(module, layout).collect(),
            probes: layout.probes.clone(),
            counters: base + layout.statistics as usize..base + layout.own as usize,
        }
    }

    /// Nothing differs.
    fn agrees(&self, first: &State, second: &State) -> bool {
        let (a, b) = (&first.storage[self.base..], &second.storage[self.base..]);
        let same = |slot: u32| a[slot as usize] == b[slot as usize];
        let counted = |value: Option<u32>, enable: u32| a[enable as usize] == 0 || value.is_none_or(same);
        first.next[self.registers.clone()] == second.next[self.registers.clone()]
            && self.ports.iter().all(|port| port.agrees(a, b))
            && self.probes.iter().all(|slots| same(slots.enable) && counted(slots.value, slots.enable))
            && first.storage[self.counters.clone()] == second.storage[self.counters.clone()]
    }
}

impl ShownRegister {
    /// Has its present value in the state; false when the engine has no such register.
    fn fetch(&self, engine: usize, runner: &mut Runner, state: &mut State) -> bool {
        !self.elsewhere[engine] || runner.batched().is_some_and(|batched| batched.put_register(self.place, state))
    }
}

/// Where a tile (position in the instances of the top) has its registers.
fn registers_of(names: &Names, tile: usize) -> Range<usize> {
    let scope = &names.scopes[names.scopes[0].children[tile]];
    let first = scope.bases.registers as usize;
    first..first + names.layouts[scope.module].registers as usize
}

/// The scope lies in one of these tiles.
fn is_in(names: &Names, scope: usize, tiles: &BTreeSet<usize>) -> bool {
    let mut at = scope;
    while let Some((parent, instance)) = names.scopes[at].parent {
        if parent == 0 {
            return tiles.contains(&instance);
        }
        at = parent;
    }
    false
}

/// The registers, as scope and number of the net, whose bits make up a registered output.
fn registers_shown(names: &Names, scope: usize, net: NetId, found: &mut FxHashSet<(usize, u32)>) {
    let module = &names.design.modules[names.scopes[scope].module].module;
    match module.net(net).kind {
        NetKind::Register { .. } => _ = found.insert((scope, net.0)),
        NetKind::Input => {}
        NetKind::InstanceOutput { instance, output } => {
            let child = names.scopes[scope].children[instance.index()];
            let outputs = &names.design.modules[names.scopes[child].module].module.outputs;
            registers_shown(names, child, outputs[output as usize], found);
        }
        NetKind::Wire | NetKind::Output => {
            let mut exprs: Vec<ExprId> = module.drivers[net.index()].into_iter().collect();
            while let Some(expr) = exprs.pop() {
                match &module.expr(expr).op {
                    Op::Net(net) => registers_shown(names, scope, *net, found),
                    op => op.for_each_operand(|operand| exprs.push(operand)),
                }
            }
        }
    }
}

fn net_name(names: &Names, scope: usize, net: NetId) -> String {
    names.design.modules[names.scopes[scope].module].module.net(net).name.clone()
}

fn in_memories(names: &Names, scope: usize, first: &State, second: &State) -> Option<Found> {
    let at = &names.scopes[scope];
    let memories = names.design.modules[at.module].module.memories.iter();
    memories.zip(&names.layouts[at.module].memories).find_map(|(memory, &offset)| {
        let (start, words) = ((at.bases.storage + offset) as usize, words_for(memory.width));
        let all = start..start + memory.depth * words;
        if first.storage[all.clone()] == second.storage[all] {
            return None;
        }
        (0..memory.depth).find_map(|row| {
            let value = |state: &State| Bits::from_words(memory.width, &state.storage[start + row * words..][..words]);
            let values = [value(first), value(second)];
            (values[0] != values[1]).then(|| Found { scope, net: format!("{}[{row}]", memory.name), values })
        })
    })
}

/// A register that differs: in the value that it gets where it has an edge, else in the one that it has.
fn in_registers(names: &Names, scope: usize, first: &State, second: &State, edges: Edges) -> Option<Found> {
    let module = &names.design.modules[names.scopes[scope].module].module;
    let (at, layout) = (names.scopes[scope].bases, &names.layouts[names.scopes[scope].module]);
    let all = at.registers as usize..(at.registers + layout.registers) as usize;
    if first.next[all.clone()] == second.next[all] {
        return None;
    }
    module.registers().find_map(|id| {
        let FoundNet { place, width, .. } = names.place(scope, id);
        let changes = edges.has(names.scopes[scope].domains[module.net(id).domain.index()] as usize);
        let value = |state: &State| {
            let registers = if changes { &state.next } else { &state.registers };
            Bits::from_words(width, &registers[place.offset as usize..])
        };
        let values = [value(first), value(second)];
        let net = || format!("{}{}", module.net(id).name, if changes { " (next)" } else { "" });
        (values[0] != values[1]).then(|| Found { scope, net: net(), values })
    })
}

fn in_writes(names: &Names, scope: usize, first: &State, second: &State) -> Option<Found> {
    let (at, layout) = (&names.scopes[scope], &names.layouts[names.scopes[scope].module]);
    let module = &names.design.modules[at.module].module;
    let base = at.bases.storage as usize;
    let (a, b) = (&first.storage[base..], &second.storage[base..]);
    let port = write_ports(module, layout).position(|port| !port.agrees(a, b))?;
    let slots = layout.writes[port];
    let word = [slots.enable, slots.address, slots.data].into_iter().find(|&slot| a[slot as usize] != b[slot as usize]);
    let word = word.or(slots.mask).unwrap_or(slots.data) as usize;
    let memory = &module.memories[module.writes[port].memory.index()].name;
    let net = format!("write port {port} (memory {memory})");
    Some(Found { scope, net, values: [a, b].map(|storage| Bits::new(64, storage[word])) })
}

fn in_probes(names: &Names, scope: usize, first: &State, second: &State) -> Option<Found> {
    let (at, layout) = (&names.scopes[scope], &names.layouts[names.scopes[scope].module]);
    let module = &names.design.modules[at.module].module;
    let (a, b) = (&first.storage[at.bases.storage as usize..], &second.storage[at.bases.storage as usize..]);
    let differs = |slot: &u32| a[*slot as usize] != b[*slot as usize];
    let found = |net: String, slot: u32| Found { scope, net, values: [a, b].map(|r| Bits::new(64, r[slot as usize])) };
    for (probe, slots) in module.probes.iter().zip(&layout.probes) {
        let value = slots.value.filter(|_| a[slots.enable as usize] != 0);
        if let Some(slot) = [slots.enable].into_iter().chain(value).find(differs) {
            return Some(found(format!("probe {}", probe.name), slot));
        }
    }
    let counter = (layout.statistics..layout.own).find(differs)?;
    Some(found("statistics".into(), counter))
}

fn in_outputs(names: &Names, first: &State, second: &State) -> Option<Found> {
    let top = &names.design.top;
    top.outputs.iter().find_map(|&id| {
        let FoundNet { place, width, .. } = names.place(0, id);
        let value = |state: &State| {
            let area = if place.area == Area::Storage { &state.storage } else { &state.registers };
            Bits::from_words(width, &area[place.offset as usize..])
        };
        let values = [value(first), value(second)];
        (values[0] != values[1]).then(|| Found { scope: 0, net: top.net(id).name.clone(), values })
    })
}
