//! Passes over what a module computes, between the plan and machine code.
//!
//! Data flow: [`plan`](super::plan) → [`lower`] (a function of values and effects per phase, [`ir`]) → the passes of
//! [`Pass::ALL`], each of which can be switched off → [`body`] (steps in order, in functions of bounded size) →
//! [`native`](super::native).

pub(crate) mod body;
pub(crate) mod branch;
pub(crate) mod dead;
mod fold;
pub(crate) mod gates;
pub(crate) mod ir;
mod lower;
mod merge;
mod order;
pub(crate) mod selection;
mod sink;
mod split;

use super::{equivalence::ModuleClasses, plan::Plan, source};
use body::{Body, Prepared};
use hdl::words_for;
use ir::{Call, CallKind, Function, Op};
use lower::{Lowered, Source};
use netlist::Design;
use rustc_hash::FxHashSet;
use selection::{Pass, Passes};

/// Prepares the modules `roots` and all that they call, and leaves the others empty; in the order of the design's. Of
/// equal modules the first is prepared for all, and the others get no bodies.
pub(crate) fn prepare(
    source: source::Source,
    plans: &[Plan],
    classes: &ModuleClasses,
    passes: Passes,
    roots: &[usize],
) -> Vec<Prepared> {
    let source::Source { design, layouts, observed, .. } = source;
    let pure = match passes.has(Pass::Dead) {
        true => lower::pure(design, plans, observed),
        false => vec![false; plans.len()],
    };
    let mut preparation = Preparation {
        source: Source { design, layouts, plans, classes, observed, pure: &pure },
        passes,
        wanted: vec![LiveOuts::default(); plans.len()],
        functions: vec![],
    };
    // Outputs of tiles are what test benches watch, and come from registers: they cost little.
    let tiles = design.top.instances.iter().filter(|instance| instance.tile);
    for tile in tiles.map(|instance| classes.of(design.index_of(&instance.module))) {
        preparation.wanted[tile].outputs = (0..design.modules[tile].module.outputs.len() as u32).collect();
    }
    roots.iter().for_each(|&root| preparation.wanted[classes.of(root)].called = true);
    // Parents come first: they tell what they want of their children.
    let mut done: Vec<Prepared> = (0..plans.len()).rev().map(|module| preparation.module(module)).collect();
    done.reverse();
    let Preparation { source, mut functions, .. } = preparation;
    let repeated = repeated_tiles(design, classes);
    let mut weights = vec![[0; 2]; plans.len()];
    // Children come first: parents must know their gates.
    for module in 0..plans.len() {
        let Some(functions) = functions.pop().flatten() else {
            let Prepared { pure, stored, gates, .. } = &done[classes.of(module)];
            done[module] =
                Prepared { pure: *pure, stored: stored.clone(), gates: gates.clone(), ..Prepared::default() };
            continue;
        };
        // Where a call counts as what it calls, functions are cut between calls.
        let called = |call: &Call| match repeated[module] {
            true => weights[call.module][usize::from(call.kind == CallKind::Late)].max(1),
            false => 1,
        };
        let own = functions.each_ref().map(|function| weight(function, &weights));
        let finish = |functions: [Function; 2]| functions.map(|function| finish(function, passes, called));
        if passes.has(Pass::Gates) {
            done[module].plain = finish(functions.clone());
            gates::gate(source, module, functions, &called, &mut done);
        } else {
            let [early, late] = finish(functions);
            (done[module].early, done[module].late) = (early, late);
        }
        if passes.has(Pass::Branch) {
            let Prepared { early, late, plain, .. } = &mut done[module];
            [early, late].into_iter().chain(plain).flatten().for_each(branch::branch);
        }
        weights[module] = own;
    }
    done
}

/// What is wanted of a module.
#[derive(Clone, Default)]
struct LiveOuts {
    /// Somebody calls it.
    called: bool,
    /// Positions of outputs that somebody reads.
    outputs: FxHashSet<u32>,
}

struct Preparation<'a> {
    source: Source<'a>,
    passes: Passes,
    /// Per module.
    wanted: Vec<LiveOuts>,
    /// Early and late, if it is called; modules from the top down.
    functions: Vec<Option<[Function; 2]>>,
}

impl Preparation<'_> {
    /// All of a module but what is made from its functions.
    fn module(&mut self, module: usize) -> Prepared {
        let plan = &self.source.plans[module];
        let top = module == self.source.plans.len() - 1;
        let pure = self.source.pure[module];
        if plan.intrinsic.is_some() {
            self.functions.push(None);
            return Prepared {
                pure,
                stored: dead::wanted_places(self.source, module, |_| true).into_iter().collect(),
                ..Prepared::default()
            };
        }
        if !self.wanted[module].called || self.source.classes.of(module) != module {
            self.functions.push(None);
            return Prepared::default();
        }
        let mut wanted =
            dead::wanted_places(self.source, module, |output| top || self.wanted[module].outputs.contains(&output));
        let late = self.phase(module, false, &wanted);
        wanted.extend(late.graph.ids().filter_map(|id| match *late.graph.op(id) {
            Op::Stored(offset) => Some(offset),
            _ => None,
        }));
        let early = self.phase(module, true, &wanted);
        let stored = [&early, &late].into_iter().flat_map(dead::stored).collect();
        self.functions.push(Some([early, late]));
        Prepared { pure, stored, ..Prepared::default() }
    }

    /// Lowers and optimises a phase, and notes what it wants of children.
    fn phase(&mut self, module: usize, early: bool, wanted: &FxHashSet<u32>) -> Function {
        let share = self.passes.has(Pass::Common);
        let Lowered { mut function, outputs } = lower::lower(self.source, module, early, share);
        if self.passes.has(Pass::Dead) {
            dead::remove(&mut function, wanted);
        }
        if self.passes.has(Pass::Fold) {
            fold::fold(&mut function);
        }
        if self.passes.has(Pass::Merge) {
            merge::merge(&mut function);
        }
        if self.passes.has(Pass::Sink) {
            sink::sink(&mut function);
        }
        let (nodes, calls) = function.live();
        for id in function.graph.ids().filter(|id| nodes[id.index()]) {
            if let Op::Stored(offset) | Op::Result { offset, .. } = function.graph.op(id)
                && let Some(&(child, output)) = outputs.get(offset)
            {
                self.wanted[child].outputs.insert(output);
            }
        }
        // Tiles that another engine evaluates only get their inputs.
        let elsewhere = &self.source.plans[module].elsewhere;
        let here = |call: &Call| call.kind != CallKind::Tile || !elsewhere.contains_key(&call.instance);
        for (call, _) in function.calls.iter().zip(calls).filter(|(call, live)| *live && here(call)) {
            self.wanted[call.module].called = true;
        }
        function
    }
}

/// Per module: several tiles of the top run its code. Then their functions are cut so that they can be evaluated
/// together, function by function.
pub(crate) fn repeated_tiles(design: &Design, classes: &ModuleClasses) -> Vec<bool> {
    let mut counts = vec![0; design.modules.len()];
    let tiles = design.top.instances.iter().filter(|instance| instance.tile);
    tiles.for_each(|tile| counts[classes.of(design.index_of(&tile.module))] += 1);
    counts.into_iter().map(|count| count > 1).collect()
}

/// Words that a function computes, with those that it calls; `weights`: those of children, early and late.
fn weight(function: &Function, weights: &[[usize; 2]]) -> usize {
    let (nodes, calls) = function.live();
    let nodes = function.graph.ids().filter(|id| nodes[id.index()]);
    let own: usize = nodes.map(|id| words_for(function.graph.width(id))).sum();
    let calls = function.calls.iter().zip(calls).filter(|(_, live)| *live);
    own + calls.map(|(call, _)| weights[call.module][usize::from(call.kind == CallKind::Late)]).sum::<usize>()
}

fn finish(function: Function, passes: Passes, called: impl Fn(&Call) -> usize) -> Option<Body> {
    if function.effects.is_empty() {
        return None;
    }
    let steps = order::order(&function);
    Some(split::split(function, steps, passes.has(Pass::Split), called))
}
