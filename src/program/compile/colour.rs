//! Colouring: which names hold different values at the same time, and a place for each. The same code serves registers
//! and predicates, through [`RegisterKind`].
//!
//! Smallest-degree-last order, then the lowest free colour. Source: Matula and Beck, "Smallest-last ordering and
//! clustering and graph coloring algorithms", 1983.

use super::{
    ir::*,
    live::{LiveSet, RegisterKind, live_out},
    progress::Progress,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A place for each name, and how many places there are.
pub struct Colouring {
    /// By name; of names that are not there, none.
    pub colours: Vec<Option<u32>>,
    pub used: usize,
}

impl Colouring {
    /// The place of a name.
    pub fn of(&self, name: u32) -> Option<u32> {
        self.colours.get(name as usize).copied().flatten()
    }
}

/// Which names hold different values at the same time.
pub struct Interference {
    /// By name, in ascending order.
    neighbours: Vec<Vec<u32>>,
    /// Names that are there.
    there: Vec<bool>,
}

impl Interference {
    pub fn of(code: &KernelCode, kind: RegisterKind, progress: &Progress) -> Self {
        let names = kind.names(code);
        let mut found = Self { neighbours: vec![vec![]; names], there: vec![false; names] };
        let mut live = LiveSet::new(names);
        for (block, live_out) in code.blocks.iter().zip(live_out(code, kind, progress)) {
            live.set(live_out);
            for op in block.ops.iter().rev() {
                if let Some(written) = kind.written(op) {
                    found.there[written as usize] = true;
                    let source = kind.copied(op).filter(|_| !op.is_partial()).map(|(_, source)| source);
                    for other in live.iter().filter(|&o| o != written && Some(o) != source) {
                        found.neighbours[written as usize].push(other);
                        found.neighbours[other as usize].push(written);
                    }
                    progress.visited(live.len() as u64);
                }
                kind.read(op).for_each(|name| found.there[name as usize] = true);
                live.step_back(kind, op);
            }
            // Never written on the way here: they need a place, but hold nothing that matters.
            live.iter().for_each(|name| found.there[name as usize] = true);
        }
        for list in &mut found.neighbours {
            list.sort_unstable();
            list.dedup();
        }
        found
    }

    /// Names beside which a name is live.
    pub fn neighbours(&self, name: u32) -> &[u32] {
        &self.neighbours[name as usize]
    }

    /// Gives every name a colour that no neighbour has. With `share`, copies share a colour with their source where they can.
    pub fn colour(&self, code: &KernelCode, kind: RegisterKind, share: bool, progress: &Progress) -> Colouring {
        let mut groups = Groups::of(self);
        if share {
            for (to, from) in code.ops().filter_map(|op| kind.copied(op)) {
                groups.share(to, from);
            }
        }
        progress.visited(groups.visits);
        let graph = groups.graph(&self.there);
        let colours = colour_graph(&graph, progress);
        let used = colours.iter().flatten().map(|c| *c as usize + 1).max().unwrap_or(0);
        let of = |name: u32| self.there[name as usize].then(|| colours[groups.root(name) as usize]).flatten();
        Colouring { colours: (0..self.there.len() as u32).map(of).collect(), used }
    }
}

/// Names that share a place.
struct Groups {
    /// By name, another one of its group, or itself.
    parents: Vec<u32>,
    /// By the name that stands for a group, the neighbours of its members, as they were called at the start.
    neighbours: Vec<Vec<u32>>,
    visits: u64,
}

impl Groups {
    /// Each name is one.
    fn of(graph: &Interference) -> Self {
        let names = graph.neighbours.len() as u32;
        Self { parents: (0..names).collect(), neighbours: graph.neighbours.clone(), visits: 0 }
    }

    fn root(&self, mut name: u32) -> u32 {
        while self.parents[name as usize] != name {
            name = self.parents[name as usize];
        }
        name
    }

    /// The same, and who asks next has a short way.
    fn find(&mut self, name: u32) -> u32 {
        let root = self.root(name);
        let mut at = name;
        while at != root {
            at = std::mem::replace(&mut self.parents[at as usize], root);
        }
        root
    }

    /// Joins the group of `from` to that of `to`, if none of the one is beside one of the other.
    fn share(&mut self, to: u32, from: u32) {
        let (to, from) = (self.find(to), self.find(from));
        let [few, many] = match self.neighbours[to as usize].len() < self.neighbours[from as usize].len() {
            true => [to, from],
            false => [from, to],
        };
        if to == from {
            return;
        }
        for i in 0..self.neighbours[few as usize].len() {
            self.visits += 1;
            if self.find(self.neighbours[few as usize][i]) == many {
                return;
            }
        }
        let mut moved = std::mem::take(&mut self.neighbours[few as usize]);
        let mut all = std::mem::take(&mut self.neighbours[many as usize]);
        all.append(&mut moved);
        self.neighbours[to as usize] = all;
        self.parents[from as usize] = to;
    }

    /// The neighbours of each group, by the names that stand for them; of other names, nothing.
    fn graph(&mut self, there: &[bool]) -> Vec<Option<Vec<u32>>> {
        let names: Vec<bool> = (0..there.len()).map(|name| there[name] && self.parents[name] == name as u32).collect();
        let mut list = |name: usize| {
            let mut list = std::mem::take(&mut self.neighbours[name]);
            list.iter_mut().for_each(|other| *other = self.find(*other));
            list.sort_unstable();
            list.dedup();
            list
        };
        names.into_iter().enumerate().map(|(name, stands)| stands.then(|| list(name))).collect()
    }
}

fn colour_graph(graph: &[Option<Vec<u32>>], progress: &Progress) -> Vec<Option<u32>> {
    // Of those that are in the graph still.
    let mut degrees: Vec<Option<usize>> = graph.iter().map(|list| list.as_ref().map(Vec::len)).collect();
    // Those of a degree up to `limit`; a name may stand there with degrees that it had before.
    let (mut queue, mut limit) = (BinaryHeap::new(), 0);
    let mut order = vec![];
    loop {
        let Some(Reverse((degree, name))) = queue.pop() else {
            let Some(least) = degrees.iter().flatten().min() else { break };
            limit = least + 4;
            let near = (0u32..).zip(&degrees).filter_map(|(name, degree)| Some(((*degree)?, name)));
            queue.extend(near.filter(|(degree, _)| *degree <= limit).map(Reverse));
            continue;
        };
        if degrees[name as usize] != Some(degree) {
            continue;
        }
        degrees[name as usize] = None;
        order.push(name);
        for &n in graph[name as usize].iter().flatten() {
            if let Some(degree) = &mut degrees[n as usize] {
                *degree -= 1;
                if *degree <= limit {
                    queue.push(Reverse((*degree, n)));
                }
            }
        }
        progress.visited(degree as u64);
    }
    let mut colours: Vec<Option<u32>> = vec![None; graph.len()];
    // By colour, who has looked last and found it taken.
    let mut taken = vec![u32::MAX; 1];
    for name in order.into_iter().rev() {
        for colour in graph[name as usize].iter().flatten().filter_map(|n| colours[*n as usize]) {
            taken[colour as usize] = name;
        }
        let free = taken.iter().position(|by| *by != name).expect("one more than there are neighbours");
        colours[name as usize] = Some(free as u32);
        if free + 1 == taken.len() {
            taken.push(u32::MAX);
        }
    }
    colours
}

/// Removes copies whose source and destination got the same register.
pub fn drop_copies(code: &mut KernelCode, registers: &Colouring) {
    for block in &mut code.blocks {
        let same = |(to, from)| registers.of(to) == registers.of(from);
        block.ops.retain(|op| !RegisterKind::Registers.copied(op).is_some_and(same));
    }
}
