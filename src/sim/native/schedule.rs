//! From units to functions of limited size.
//!
//! The units of a phase, each preceded by the expressions that it needs and that no earlier unit needed, make one long list
//! of steps. The list is cut into chunks, each of which becomes a function: Cranelift's register allocation is superlinear
//! in the length of a block. What a later chunk needs of an earlier one passes through memory (*spilled*), but what can be
//! read again from the state is simply read again.

use super::emit::Key;
use crate::{
    hdl::*,
    netlist::Design,
    sim::plan::{Part, Unit},
};
use std::collections::{HashMap, HashSet};

/// Words computed by one function, about.
const CHUNK: usize = 1000;

/// One step of a phase.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Expr(Key),
    Unit(Unit),
}

/// The steps of a phase, cut.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub chunks: Vec<Vec<Step>>,
    /// Values that a later chunk reads: the chunk that computes them and their first word in the spill area.
    pub spilled: HashMap<Key, (usize, u32)>,
    /// Words of the spill area.
    pub spill_words: u32,
}

/// Where expressions are looked up.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub design: &'a Design,
    pub parts: &'a [Part],
}

impl<'a> Lookup<'a> {
    pub fn module(&self, part: usize) -> &'a ModuleDef {
        &self.design.modules[self.parts[part].module].module
    }

    pub fn expr(&self, key: Key) -> &'a Expr {
        self.module(key.0).expr(key.1)
    }

    /// Can be had from the state or from nothing, at the cost of a load.
    pub fn is_leaf(&self, key: Key) -> bool {
        match &self.expr(key).op {
            Op::Const(_) | Op::Net(_) => true,
            Op::Slice { value, .. } => self.is_leaf((key.0, *value)),
            _ => false,
        }
    }

    /// The expressions that a unit needs.
    pub fn roots(&self, unit: Unit) -> Vec<Key> {
        match unit {
            Unit::Net(part, net) => match (&self.module(part).net(net).kind, self.parts[part].parent) {
                (NetKind::Input, Some((parent, instance))) => {
                    let position = self.module(part).inputs.iter().position(|&n| n == net);
                    let position = position.expect("inputs are listed");
                    let value = self.module(parent).instances[instance].inputs[position];
                    value.map(|e| (parent, e)).into_iter().collect()
                }
                _ => self.driver(part, net),
            },
            Unit::Next(part, net) => self.driver(part, net),
            Unit::Early(..) => vec![],
            Unit::Late(part, instance) => {
                let inputs = &self.module(part).instances[instance].inputs;
                inputs.iter().flatten().map(|&e| (part, e)).collect()
            }
            Unit::Write(part, index) => {
                let port = &self.module(part).writes[index];
                let own = [port.enable, port.address, port.data].into_iter().chain(port.mask);
                own.map(|e| (part, e)).collect()
            }
            Unit::Probe(part, index) => {
                let probe = &self.module(part).probes[index];
                std::iter::once(probe.enable).chain(probe.value).map(|e| (part, e)).collect()
            }
            Unit::Assertion(part, index) => vec![(part, self.module(part).assertions[index].condition)],
        }
    }

    fn driver(&self, part: usize, net: NetId) -> Vec<Key> {
        self.module(part).drivers[net.index()].map(|e| (part, e)).into_iter().collect()
    }
}

/// Orders and cuts the units of a phase.
pub(super) fn schedule(lookup: Lookup, units: &[Unit]) -> Schedule {
    let mut out = Schedule::default();
    let mut seen = HashSet::new();
    let mut steps = vec![];
    for &unit in units {
        for root in lookup.roots(unit) {
            cone(lookup, root, &mut seen, &mut steps);
        }
        steps.push(Step::Unit(unit));
    }
    let mut size = CHUNK;
    let mut home = HashMap::new();
    for step in steps {
        if size >= CHUNK {
            out.chunks.push(vec![]);
            size = 0;
        }
        let chunk = out.chunks.len() - 1;
        out.chunks[chunk].push(step);
        size += match step {
            Step::Expr(key) => {
                home.insert(key, chunk);
                words_for(lookup.expr(key).width)
            }
            Step::Unit(_) => 1,
        };
        let mut used = match step {
            Step::Expr(key) => operands(lookup, key),
            Step::Unit(unit) => lookup.roots(unit),
        };
        used.retain(|key| home.get(key).is_some_and(|&at| at != chunk));
        for key in used {
            if !out.spilled.contains_key(&key) {
                out.spilled.insert(key, (home[&key], out.spill_words));
                out.spill_words += words_for(lookup.expr(key).width) as u32;
            }
        }
    }
    out
}

fn operands(lookup: Lookup, key: Key) -> Vec<Key> {
    let mut out = vec![];
    lookup.expr(key).op.for_each_operand(|e| out.push((key.0, e)));
    out
}

/// Adds the expressions below `root` that are not there yet, operands first. The depth is on a stack of our own.
fn cone(lookup: Lookup, root: Key, seen: &mut HashSet<Key>, steps: &mut Vec<Step>) {
    let mut todo = vec![(root, false)];
    while let Some((key, ready)) = todo.pop() {
        if ready {
            steps.push(Step::Expr(key));
        } else if !lookup.is_leaf(key) && seen.insert(key) {
            todo.push((key, true));
            todo.extend(operands(lookup, key).into_iter().rev().map(|operand| (operand, false)));
        }
    }
}
