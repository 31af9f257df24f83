//! Register pressure: where more names are live at a time than there are places, and which of them are to be kept
//! elsewhere.
//!
//! A name that is kept elsewhere has a place of its own only from its fetch to the operation that reads it, and from
//! the one that writes it until it is put away. Chosen are names that are mentioned seldom for as long as they are
//! live; a mention in a loop counts as several.
//!
//! Source: Chaitin, "Register allocation and spilling via graph coloring", 1982: cost over degree; here the length of
//! life stands for the degree, as the graph need not be built.

use super::{
    colour::{Colouring, Interference},
    ir::*,
    live::{LiveSet, RegisterKind, live_out},
    progress::Progress,
};
use crate::isa::{Opcode, Operands};
use std::collections::{BTreeSet, HashSet};

/// Most names that are live at a time.
pub fn peak(code: &KernelCode, kind: RegisterKind, progress: &Progress) -> usize {
    let mut live = LiveSet::new(kind.names(code));
    let mut most = 0;
    for (block, out) in code.blocks.iter().zip(live_out(code, kind, progress)) {
        live.set(out);
        most = most.max(live.len());
        for op in block.ops.iter().rev() {
            let dead = kind.written(op).is_some_and(|name| !live.contains(name));
            most = most.max(live.len() + usize::from(dead));
            live.step_back(kind, op);
        }
        most = most.max(live.len());
    }
    most
}

/// How many loops are around each block, as far as the layout tells: from the target of a jump back to the jump.
fn depths(code: &KernelCode) -> Vec<u32> {
    let mut changes = vec![0i32; code.blocks.len() + 1];
    for (b, block) in code.blocks.iter().enumerate() {
        for head in block.end.successors().filter(|to| *to <= b) {
            changes[head] += 1;
            changes[b + 1] -= 1;
        }
    }
    let mut depth = 0;
    let depths = changes.into_iter().take(code.blocks.len()).map(|change| {
        depth += change;
        depth as u32
    });
    depths.collect()
}

/// By name, what it costs to keep it elsewhere for what it brings: the smaller, the better.
pub struct Costs(Vec<u64>);

impl Costs {
    /// `cheap` names need no memory to be made again.
    pub fn of(code: &KernelCode, kind: RegisterKind, cheap: impl Fn(u32) -> bool, progress: &Progress) -> Self {
        let names = kind.names(code);
        let (mut mentions, mut lengths, mut until) = (vec![0.0; names], vec![0usize; names], vec![0; names]);
        let mut live = LiveSet::new(names);
        for ((block, out), depth) in code.blocks.iter().zip(live_out(code, kind, progress)).zip(depths(code)) {
            let mention = f64::from(1u32 << (3 * depth.min(6)));
            let end = block.ops.len();
            out.iter().for_each(|name| until[*name as usize] = end);
            live.set(out);
            if let Some(name) = kind.read_at_end(block.end) {
                mentions[name as usize] += mention;
            }
            for (i, op) in block.ops.iter().enumerate().rev() {
                for name in kind.read(op).chain(kind.written(op)) {
                    mentions[name as usize] += mention;
                    if !live.contains(name) {
                        until[name as usize] = i;
                    }
                }
                if let Some(name) = kind.written(op).filter(|_| !op.is_partial()) {
                    lengths[name as usize] += until[name as usize] - i;
                    // If the operation also reads it, it is live before that.
                    until[name as usize] = i;
                }
                live.step_back(kind, op);
            }
            live.iter().for_each(|name| lengths[name as usize] += until[name as usize]);
            progress.visited(end as u64);
        }
        let cost = |name: usize| {
            let cost = mentions[name] / (1 + lengths[name]) as f64 * if cheap(name as u32) { 0.25 } else { 1.0 };
            // Positive floats are in the order of their bits.
            cost.to_bits()
        };
        Self((0..names).map(cost).collect())
    }

    fn cost(&self, name: u32) -> u64 {
        self.0[name as usize]
    }
}

/// Names to keep elsewhere so that nowhere more than `limit` places are needed, as far as `fixed` ones allow.
pub fn above(
    code: &KernelCode,
    kind: RegisterKind,
    limit: usize,
    fixed: &[bool],
    costs: &Costs,
    progress: &Progress,
) -> Vec<u32> {
    let mut scan = Scan {
        kind,
        limit,
        fixed,
        costs,
        live: LiveSet::new(kind.names(code)),
        candidates: BTreeSet::new(),
        moved: vec![false; kind.names(code)],
        chosen: vec![],
    };
    for (block, out) in code.blocks.iter().zip(live_out(code, kind, progress)) {
        scan.candidates.clear();
        scan.live.set([]);
        out.into_iter().for_each(|name| scan.begin(name));
        let at_end = kind.read_at_end(block.end);
        scan.relieve(&at_end.into_iter().collect::<Vec<_>>(), usize::from(at_end.is_some_and(|p| scan.is_moved(p))));
        let mut end = block.ops.len();
        while end > 0 {
            let start = group_start(&block.ops, end - 1);
            scan.group(&block.ops[start..end]);
            end = start;
        }
        progress.visited(block.ops.len() as u64);
    }
    scan.chosen
}

/// Of the operations that are done as one, the first; `last` is the last one.
pub fn group_start(ops: &[Op], last: usize) -> usize {
    let before = |operands: Operands| (0..last).rev().find(|&i| ops[i].opcode.operands() == operands);
    let first = match ops[last].opcode {
        Opcode::DHigh => before(Operands::Double),
        opcode if opcode.operands() == Operands::Atomic && !opcode.is_high_part() => {
            before(Operands::Atomic).filter(|i| ops[*i].opcode.is_high_part())
        }
        _ => None,
    };
    first.unwrap_or(last)
}

/// A walk back through a block.
struct Scan<'a> {
    kind: RegisterKind,
    limit: usize,
    fixed: &'a [bool],
    costs: &'a Costs,
    /// Those that are not moved.
    live: LiveSet,
    /// Those of them that may be, in the order in which it is best.
    candidates: BTreeSet<(u64, u32)>,
    moved: Vec<bool>,
    chosen: Vec<u32>,
}

impl Scan<'_> {
    fn is_moved(&self, name: u32) -> bool {
        self.moved[name as usize]
    }

    fn begin(&mut self, name: u32) {
        if !self.is_moved(name) {
            self.live.insert(name);
            if !self.fixed[name as usize] {
                self.candidates.insert((self.costs.cost(name), name));
            }
        }
    }

    fn end(&mut self, name: u32) {
        self.live.remove(name);
        self.candidates.remove(&(self.costs.cost(name), name));
    }

    /// Moves names until those that are live and `more` have places; who is mentioned here needs one all the same.
    fn relieve(&mut self, mentioned: &[u32], more: usize) {
        while self.live.len() + more > self.limit {
            let others = |(_, name): &&(u64, u32)| !mentioned.contains(name);
            let Some(&(_, name)) = self.candidates.iter().find(others) else { return };
            self.end(name);
            self.moved[name as usize] = true;
            self.chosen.push(name);
        }
    }

    /// Goes back over operations that are done as one, or over one.
    fn group(&mut self, ops: &[Op]) {
        let kind = self.kind;
        let mentioned: Vec<u32> = ops.iter().flat_map(|op| kind.read(op).chain(kind.written(op))).collect();
        // What is put away behind the last one has a place in all of them.
        let away = ops.iter().filter(|op| kind.written(op).is_some_and(|name| self.is_moved(name))).count();
        let double = ops.len() > 1 && ops[0].opcode.is_double();
        for (i, op) in ops.iter().enumerate().rev() {
            let written = kind.written(op);
            let dead = written.is_some_and(|name| !self.is_moved(name) && !self.live.contains(name));
            let ahead = if double { 0 } else { self.fetched(&ops[i + 1..]) };
            self.relieve(&mentioned, away + ahead + usize::from(dead));
            match written {
                Some(name) if op.is_partial() => self.begin(name),
                Some(name) => self.end(name),
                None => {}
            }
            kind.read(op).for_each(|name| self.begin(name));
            let reads = if double { self.fetched(std::slice::from_ref(op)) } else { self.fetched(&ops[i..]) };
            // Before the first one nothing is to be put away, but where the old value is.
            let kept = ops.iter().filter(|op| op.is_partial()).count().min(away);
            self.relieve(&mentioned, reads + if i > 0 { away } else { kept });
        }
    }

    /// Names that are fetched for operations.
    fn fetched(&self, ops: &[Op]) -> usize {
        let reads: HashSet<u32> = ops.iter().flat_map(|op| self.kind.read(op)).collect();
        reads.into_iter().filter(|name| self.is_moved(*name)).count()
    }
}

/// Of names that got no place below `limit`, or of those beside each, the best to keep elsewhere.
pub fn without_place(
    colouring: &Colouring,
    interference: &Interference,
    (limit, fixed, costs): (usize, &[bool], &Costs),
) -> Vec<u32> {
    let beyond = (0..colouring.colours.len() as u32)
        .filter(|name| colouring.of(*name).is_some_and(|colour| colour as usize >= limit));
    let mut chosen = BTreeSet::new();
    for name in beyond {
        let near = || interference.neighbours(name).iter().copied().chain([name]);
        if !near().any(|name| chosen.contains(&name)) {
            chosen.extend(near().filter(|name| !fixed[*name as usize]).min_by_key(|name| (costs.cost(*name), *name)));
        }
    }
    chosen.into_iter().collect()
}
