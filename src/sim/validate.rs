//! Two engines side by side, and where they differ.

use super::{
    engine::Runner,
    interpreter::{Replaced, replaced},
    layout::Area,
    paths::{FoundNet, Names},
    state::{State, write_ports},
};
use crate::hdl::*;

/// An engine with a state of its own.
pub(crate) struct Shadow {
    pub engine: Runner,
    pub state: State,
}

/// A net, write port or probe on which the engines disagree.
pub(crate) struct Found {
    pub scope: usize,
    pub net: String,
    /// In the first engine and in the one beside.
    pub values: [Bits; 2],
}

/// The first instance where the evaluated states differ: in the next value of a register, a pending write, a probe, a counter
/// or an output of the top. Wires are not compared: engines leave out what nothing needs. `twins`: the first engine calls
/// twins; nothing inside of such blocks is compared. `hidden`: tiles (positions in the instances of the top) in which an engine
/// does not tell of writes and probes before the edge; their memories are compared instead.
pub(crate) fn first_difference(
    names: &Names,
    twins: bool,
    hidden: &[usize],
    first: &State,
    beside: &State,
) -> Option<Found> {
    let replaced = replaced(names.design, names.scopes, twins);
    // Children first: what is wrong in a child makes its parent wrong.
    let inside = (0..names.scopes.len()).rev().filter(|&scope| replaced[scope] == Replaced::No).find_map(|scope| {
        if in_tiles(names, scope, hidden) {
            return in_registers(names, scope, first, beside).or_else(|| in_memories(names, scope, first, beside));
        }
        in_registers(names, scope, first, beside)
            .or_else(|| in_writes(names, scope, first, beside))
            .or_else(|| in_probes(names, scope, first, beside))
    });
    inside.or_else(|| in_outputs(names, first, beside))
}

/// The scope lies in one of these tiles.
fn in_tiles(names: &Names, scope: usize, tiles: &[usize]) -> bool {
    let mut at = scope;
    while let Some((parent, instance)) = names.scopes[at].parent {
        if parent == 0 {
            return tiles.contains(&instance);
        }
        at = parent;
    }
    false
}

fn in_memories(names: &Names, scope: usize, first: &State, beside: &State) -> Option<Found> {
    let at = &names.scopes[scope];
    let memories = names.design.modules[at.module].module.memories.iter();
    memories.zip(&names.layouts[at.module].memories).find_map(|(memory, &offset)| {
        let (start, words) = ((at.bases.rest + offset) as usize, words_for(memory.width));
        (0..memory.depth).find_map(|row| {
            let value = |state: &State| Bits::from_words(memory.width, &state.rest[start + row * words..][..words]);
            let values = [value(first), value(beside)];
            (values[0] != values[1]).then(|| Found { scope, net: format!("{}[{row}]", memory.name), values })
        })
    })
}

fn in_registers(names: &Names, scope: usize, first: &State, beside: &State) -> Option<Found> {
    let module = &names.design.modules[names.scopes[scope].module].module;
    let (at, layout) = (names.scopes[scope].bases, &names.layouts[names.scopes[scope].module]);
    let all = at.registers as usize..(at.registers + layout.registers) as usize;
    if first.next[all.clone()] == beside.next[all] {
        return None;
    }
    module.registers().find_map(|id| {
        let FoundNet { place, width, .. } = names.place(scope, id);
        let value = |state: &State| Bits::from_words(width, &state.next[place.offset as usize..]);
        let values = [value(first), value(beside)];
        (values[0] != values[1]).then(|| Found { scope, net: format!("{} (next)", module.net(id).name), values })
    })
}

fn in_writes(names: &Names, scope: usize, first: &State, beside: &State) -> Option<Found> {
    let (at, layout) = (&names.scopes[scope], &names.layouts[names.scopes[scope].module]);
    let module = &names.design.modules[at.module].module;
    let base = at.bases.rest as usize;
    let (a, b) = (&first.rest[base..], &beside.rest[base..]);
    let port = write_ports(module, layout).position(|port| !port.agrees(a, b))?;
    let slots = layout.writes[port];
    let word = [slots.enable, slots.address, slots.data].into_iter().find(|&slot| a[slot as usize] != b[slot as usize]);
    let word = word.or(slots.mask).unwrap_or(slots.data) as usize;
    let memory = &module.memories[module.writes[port].memory.index()].name;
    let net = format!("write port {port} (memory {memory})");
    Some(Found { scope, net, values: [a, b].map(|rest| Bits::new(64, rest[word])) })
}

fn in_probes(names: &Names, scope: usize, first: &State, beside: &State) -> Option<Found> {
    let (at, layout) = (&names.scopes[scope], &names.layouts[names.scopes[scope].module]);
    let module = &names.design.modules[at.module].module;
    let (a, b) = (&first.rest[at.bases.rest as usize..], &beside.rest[at.bases.rest as usize..]);
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

fn in_outputs(names: &Names, first: &State, beside: &State) -> Option<Found> {
    let top = &names.design.top;
    top.outputs.iter().find_map(|&id| {
        let FoundNet { place, width, .. } = names.place(0, id);
        let value = |state: &State| {
            let area = if place.area == Area::Rest { &state.rest } else { &state.registers };
            Bits::from_words(width, &area[place.offset as usize..])
        };
        let values = [value(first), value(beside)];
        (values[0] != values[1]).then(|| Found { scope: 0, net: top.net(id).name.clone(), values })
    })
}
