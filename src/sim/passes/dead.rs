//! Nets that nobody needs are neither computed nor stored.
//!
//! *Recovers* what a reader of the hardware wants to see and a simulation does not need: names for intermediate values, outputs that
//! no parent connects. *Legal*, as wires are computed anew in every evaluation: one that no register, memory,
//! assertion, probe or output of the top depends on can be left out. Whoever looks at a wire all the same gets it from
//! the interpreter; where somebody looks in every cycle (a waveform), the wire counts as needed.
//!
//! What is left out is not up to date in the state, so nothing may read the place of a wire without asking
//! [`up_to_date`].

use super::{
    ir::{Effect, Function},
    lower::Source,
};
use crate::{
    layout::{Area, Bases, Place},
    plan::Plan,
    source,
};
use hdl::NetId;
use rustc_hash::FxHashSet;

/// Places in the storage (relative to an instance of `module`) that somebody outside of its functions reads: outputs,
/// and nets that are looked at.
pub(super) fn wanted_places(source: Source, module: usize, output: impl Fn(u32) -> bool) -> FxHashSet<u32> {
    let place = |bases: Bases, module: usize, net: NetId| {
        let place = bases.of(source.layouts[module].places[net.index()]);
        Some(place).filter(|place| place.area == Area::Storage).map(|Place { offset, .. }| offset)
    };
    let outputs =
        source.design.modules[module].module.outputs.iter().zip(0..).filter(|&(_, position)| output(position));
    let mut wanted: FxHashSet<u32> = outputs.filter_map(|(&net, _)| place(Bases::default(), module, net)).collect();
    for part in &source.plans[module].parts {
        wanted.extend(source.observed_in(part.module).filter_map(|net| place(part.bases, part.module, net)));
    }
    wanted
}

/// Drops what stores places that are not wanted.
pub(super) fn remove(function: &mut Function, wanted: &FxHashSet<u32>) {
    function.effects.retain(|effect| match effect {
        Effect::Store { offset, .. } | Effect::Keep { offset, .. } => wanted.contains(offset),
        _ => true,
    });
}

/// Places in the storage that the function brings up to date whenever it is called.
pub(super) fn stored(function: &Function) -> Vec<u32> {
    let mut out = vec![];
    for effect in &function.effects {
        match *effect {
            Effect::Store { offset, .. } | Effect::Keep { offset, .. } => out.push(offset),
            Effect::Call(call) if !function.calls[call].pure => {
                out.extend(function.calls[call].inputs.iter().map(|&(offset, _)| offset));
            }
            _ => {}
        }
    }
    out
}

/// Words of the whole rest that are up to date after every evaluation; per module, `pure` and `stored` as in
/// [`Prepared`](super::body::Prepared).
pub(crate) fn up_to_date<'a>(
    source: source::Source,
    plans: &[Plan],
    pure: impl Fn(usize) -> bool,
    stored: impl Fn(usize) -> &'a [u32],
) -> FxHashSet<u32> {
    let top = source.design.modules.len() - 1;
    let inputs = source.design.top.inputs.iter().map(|net| source.layouts[top].places[net.index()].offset);
    let mut out: FxHashSet<u32> = inputs.collect();
    // Scopes of functions that are called in every evaluation.
    let mut todo = vec![0];
    while let Some(scope) = todo.pop() {
        let (module, base) = (source.scopes[scope].module, source.scopes[scope].bases.storage);
        out.extend(stored(module).iter().map(|offset| base + offset));
        let parts = &plans[module].parts;
        let mut scopes = vec![scope];
        for (parent, instance) in parts.iter().filter_map(|part| part.parent) {
            scopes.push(source.scopes[scopes[parent]].children[instance]);
        }
        for (part, scope) in parts.iter().zip(scopes) {
            let called =
                source.scopes[scope].children.iter().zip(&part.inlined).filter(|(_, inlined)| inlined.is_none());
            todo.extend(called.map(|(&child, _)| child).filter(|&child| !pure(source.scopes[child].module)));
        }
    }
    out
}
