//! Allocation: liveness, interference, colouring. The same code serves registers and predicates, through [`Kind`].

use super::ir::*;
use crate::isa::Opcode;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What is allocated: 32-bit registers or predicates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Registers,
    Predicates,
}

impl Kind {
    fn written(self, op: &Op) -> Option<u32> {
        if self == Kind::Registers { op.dst } else { op.pdst }
    }

    fn read(self, op: &Op) -> Vec<u32> {
        if self == Kind::Registers { op.reads().collect() } else { op.reads_predicates().collect() }
    }

    fn read_at_end(self, end: End) -> Option<u32> {
        if self == Kind::Registers { None } else { end.cond() }
    }

    /// Source and destination of a copy, which may share a place.
    fn copied(self, op: &Op) -> Option<(u32, u32)> {
        match (self, op.opcode, op.src[1]) {
            (Kind::Registers, Opcode::Mov, Value::Reg(source)) => Some((op.dst?, source)),
            _ => None,
        }
    }
}

/// A place for each name, and how many places there are.
pub struct Colouring {
    pub colours: HashMap<u32, u8>,
    pub used: usize,
}

/// Moves `live` from behind an operation to before it.
fn step_back(kind: Kind, op: &Op, live: &mut HashSet<u32>) {
    if let Some(written) = kind.written(op) {
        // Under a guard the old value lives on in the other threads.
        if op.is_partial() {
            live.insert(written);
        } else {
            live.remove(&written);
        }
    }
    live.extend(kind.read(op));
}

/// What is live at the end of each block.
fn live_out(code: &Code, kind: Kind) -> Vec<HashSet<u32>> {
    let count = code.blocks.len();
    let mut live_in: Vec<HashSet<u32>> = vec![HashSet::new(); count];
    let at_end = |b: BlockId, live_in: &[HashSet<u32>]| {
        let end = code.blocks[b].end;
        let mut live: HashSet<u32> = end.successors().flat_map(|s| live_in[s].iter().copied()).collect();
        live.extend(kind.read_at_end(end));
        live
    };
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..count).rev() {
            let mut live = at_end(b, &live_in);
            for op in code.blocks[b].ops.iter().rev() {
                step_back(kind, op, &mut live);
            }
            if live.len() != live_in[b].len() {
                live_in[b] = live;
                changed = true;
            }
        }
    }
    (0..count).map(|b| at_end(b, &live_in)).collect()
}

/// Which names hold different values at the same time.
pub struct Interference {
    neighbours: HashMap<u32, HashSet<u32>>,
}

impl Interference {
    pub fn of(code: &Code, kind: Kind) -> Self {
        let mut neighbours: HashMap<u32, HashSet<u32>> = HashMap::new();
        for (block, live) in code.blocks.iter().zip(live_out(code, kind)) {
            let mut live = live;
            for op in block.ops.iter().rev() {
                if let Some(written) = kind.written(op) {
                    neighbours.entry(written).or_default();
                    let source = kind.copied(op).filter(|_| !op.is_partial()).map(|(_, source)| source);
                    for &other in live.iter().filter(|&&o| o != written && Some(o) != source) {
                        neighbours.entry(written).or_default().insert(other);
                        neighbours.entry(other).or_default().insert(written);
                    }
                }
                for read in kind.read(op) {
                    neighbours.entry(read).or_default();
                }
                step_back(kind, op, &mut live);
            }
            // Never written on the way here: they need a place, but hold nothing that matters.
            for name in live {
                neighbours.entry(name).or_default();
            }
        }
        Self { neighbours }
    }

    /// The name with most neighbours among those that `allowed` accepts.
    pub fn busiest(&self, allowed: impl Fn(u32) -> bool) -> Option<u32> {
        let candidates = self.neighbours.iter().filter(|(name, _)| allowed(**name));
        candidates.map(|(name, n)| (n.len(), *name)).max().map(|(_, name)| name)
    }

    /// Gives every name a colour that no neighbour has. With `share`, copies share a colour with their source where they can.
    pub fn colour(&self, code: &Code, kind: Kind, share: bool) -> Colouring {
        let mut merged: HashMap<u32, u32> = HashMap::new();
        let mut graph = self.neighbours.clone();
        let find = |merged: &HashMap<u32, u32>, mut name: u32| {
            while let Some(&to) = merged.get(&name) {
                name = to;
            }
            name
        };
        if share {
            for op in code.ops() {
                let Some((to, from)) = kind.copied(op) else { continue };
                let (to, from) = (find(&merged, to), find(&merged, from));
                if to == from || graph[&to].contains(&from) {
                    continue;
                }
                let moved = graph.remove(&from).unwrap_or_default();
                for n in moved {
                    if let Some(set) = graph.get_mut(&n) {
                        set.remove(&from);
                        set.insert(to);
                    }
                    graph.entry(to).or_default().insert(n);
                }
                merged.insert(from, to);
            }
        }
        let colours = colour_graph(&graph);
        let used = colours.values().map(|c| *c + 1).max().unwrap_or(0);
        let colours = self.neighbours.keys().map(|&n| (n, colours[&find(&merged, n)].min(254) as u8)).collect();
        Colouring { colours, used }
    }
}

/// Removes copies whose source and destination got the same register.
pub fn drop_copies(code: &mut Code, registers: &Colouring) {
    let place = |name: u32| registers.colours.get(&name);
    for block in &mut code.blocks {
        block.ops.retain(|op| Kind::Registers.copied(op).is_none_or(|(to, from)| place(to) != place(from)));
    }
}

/// Smallest-degree-last order, then the lowest free colour.
fn colour_graph(graph: &HashMap<u32, HashSet<u32>>) -> HashMap<u32, usize> {
    let mut degree: HashMap<u32, usize> = graph.iter().map(|(n, s)| (*n, s.len())).collect();
    let mut queue: BTreeSet<(usize, u32)> = degree.iter().map(|(n, d)| (*d, *n)).collect();
    let mut order = Vec::new();
    while let Some((_, name)) = queue.pop_first() {
        degree.remove(&name);
        order.push(name);
        for n in &graph[&name] {
            if let Some(d) = degree.get_mut(n) {
                queue.remove(&(*d, *n));
                *d -= 1;
                queue.insert((*d, *n));
            }
        }
    }
    let mut colours: HashMap<u32, usize> = HashMap::new();
    for name in order.into_iter().rev() {
        let taken: HashSet<usize> = graph[&name].iter().filter_map(|n| colours.get(n).copied()).collect();
        let free = (0..).find(|c| !taken.contains(c)).unwrap_or(0);
        colours.insert(name, free);
    }
    colours
}
