//! Two engines side by side, and where they differ.

use super::{
    engine::Runner,
    interpreter::{Replaced, replaced},
    layout::Area,
    paths::Names,
    state::State,
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

/// The first instance where the evaluated states differ: in a wire, a pending write, a probe, or the next value of a
/// register. `twins`: the first engine calls twins; of such blocks only ports are compared.
pub(crate) fn first_difference(names: &Names, twins: bool, first: &State, beside: &State) -> Option<Found> {
    if first.next == beside.next && first.rest == beside.rest {
        return None;
    }
    let replaced = replaced(names.design, names.scopes, twins);
    // Children first: a wrong wire of a child makes wrong wires of its parent.
    (0..names.scopes.len()).rev().find_map(|scope| match replaced[scope] {
        Replaced::Inside => None,
        Replaced::Twin => in_nets(names, scope, true, first, beside),
        Replaced::No => in_nets(names, scope, false, first, beside).or_else(|| in_rest(names, scope, first, beside)),
    })
}

fn in_nets(names: &Names, scope: usize, only_ports: bool, first: &State, beside: &State) -> Option<Found> {
    let module = &names.design.modules[names.scopes[scope].module].module;
    let (at, layout) = (names.scopes[scope].bases, &names.layouts[names.scopes[scope].module]);
    let own = at.rest as usize..(at.rest + layout.own) as usize;
    let registers = at.registers as usize..(at.registers + layout.registers) as usize;
    if first.rest[own.clone()] == beside.rest[own] && first.next[registers.clone()] == beside.next[registers] {
        return None;
    }
    (0..module.nets.len()).find_map(|i| {
        let found = names.place(scope, NetId(i as u32));
        let kind = &module.nets[i].kind;
        let register = matches!(kind, NetKind::Register { .. });
        if only_ports && !matches!(kind, NetKind::Input | NetKind::Output) {
            return None;
        }
        let value = |state: &State| {
            let area = if found.place.area == Area::Rest { &state.rest } else { &state.next };
            let at = found.place.offset as usize;
            Bits::from_words(found.width, &area[at..at + words_for(found.width)])
        };
        // Other nets may show a register; only the register itself stands for it.
        let own = register || found.place.area == Area::Rest;
        let values = [value(first), value(beside)];
        let next = if register { " (next)" } else { "" };
        (own && values[0] != values[1]).then(|| Found { scope, net: format!("{}{next}", module.nets[i].name), values })
    })
}

/// Pending writes, what probes see, and counters.
fn in_rest(names: &Names, scope: usize, first: &State, beside: &State) -> Option<Found> {
    let (at, layout) = (&names.scopes[scope], &names.layouts[names.scopes[scope].module]);
    let start = at.bases.rest as usize;
    let differs = |&i: &usize| first.rest[i] != beside.rest[i];
    let word = (start..start + layout.own as usize).find(differs)?;
    let module = &names.design.modules[at.module].module;
    let offset = (word - start) as u32;
    let write = layout.writes.iter().rposition(|w| w.enable <= offset);
    let probe = layout.probes.iter().rposition(|p| p.enable <= offset);
    let net = match (write, probe) {
        _ if offset >= layout.statistics => "statistics".to_string(),
        (_, Some(probe)) => format!("probe {}", module.probes[probe].name),
        (Some(port), None) => {
            let memory = &module.memories[module.writes[port].memory.index()].name;
            format!("write port {port} (memory {memory})")
        }
        (None, None) => "unknown".to_string(),
    };
    let value = |state: &State| Bits::new(64, state.rest[word]);
    Some(Found { scope, net, values: [value(first), value(beside)] })
}
