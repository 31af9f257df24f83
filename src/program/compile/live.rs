//! Liveness: which registers or predicates hold a value that is still read.
//!
//! From each block that reads a name before it writes it, the name is followed backwards to the blocks that write it.
//! So the work is that of writing the result down, however the blocks are nested.
//!
//! Source: Appel and Palsberg, "Modern Compiler Implementation", exercise 10.6; without its static single assignment: a
//! write under a guard is no end of the way.

use super::{ir::*, progress::Progress};
use crate::isa::Opcode;

/// What is allocated: 32-bit registers or predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterKind {
    Registers,
    Predicates,
}

impl RegisterKind {
    /// Numbers of names, used or not.
    pub fn names(self, code: &KernelCode) -> usize {
        (if self == RegisterKind::Registers { code.next_reg } else { code.next_pred }) as usize
    }

    pub fn written(self, op: &Op) -> Option<u32> {
        if self == RegisterKind::Registers { op.dst } else { op.pdst }
    }

    /// In any order, perhaps several times.
    pub fn read(self, op: &Op) -> impl Iterator<Item = u32> {
        let [a, b, c] = match self {
            RegisterKind::Registers => op.src.map(Value::reg),
            RegisterKind::Predicates => [op.guard.pred, op.p.pred, op.q.pred],
        };
        let high = op.access.high.reg().filter(|_| self == RegisterKind::Registers);
        [a, b, c, high].into_iter().flatten()
    }

    pub fn read_at_end(self, end: End) -> Option<u32> {
        if self == RegisterKind::Registers { None } else { end.cond() }
    }

    /// Source and destination of a copy, which may share a place.
    pub fn copied(self, op: &Op) -> Option<(u32, u32)> {
        match (self, op.opcode, op.src[1]) {
            (RegisterKind::Registers, Opcode::Mov, Value::Reg(source)) => Some((op.dst?, source)),
            _ => None,
        }
    }
}

/// Names, each of them or not, with their number known.
pub struct LiveSet {
    /// Where in `names` a name stands, plus 1; 0: it is not there.
    places: Vec<u32>,
    names: Vec<u32>,
}

impl LiveSet {
    /// Of so many numbers; none is in it.
    pub fn new(names: usize) -> Self {
        Self { places: vec![0; names], names: vec![] }
    }

    pub fn contains(&self, name: u32) -> bool {
        self.places[name as usize] > 0
    }

    pub fn insert(&mut self, name: u32) {
        if !self.contains(name) {
            self.names.push(name);
            self.places[name as usize] = self.names.len() as u32;
        }
    }

    pub fn remove(&mut self, name: u32) {
        let place = std::mem::take(&mut self.places[name as usize]);
        if place > 0 {
            self.names.swap_remove(place as usize - 1);
            if let Some(&moved) = self.names.get(place as usize - 1) {
                self.places[moved as usize] = place;
            }
        }
    }

    /// Only these are in it.
    pub fn set(&mut self, names: impl IntoIterator<Item = u32>) {
        self.names.drain(..).for_each(|name| self.places[name as usize] = 0);
        names.into_iter().for_each(|name| self.insert(name));
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.names.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// From behind an operation to before it.
    pub fn step_back(&mut self, kind: RegisterKind, op: &Op) {
        if let Some(written) = kind.written(op) {
            // Under a guard the old value lives on in the other threads.
            if op.is_partial() {
                self.insert(written);
            } else {
                self.remove(written);
            }
        }
        kind.read(op).for_each(|name| self.insert(name));
    }
}

/// What is live at the end of each block, in ascending order.
pub fn live_out(code: &KernelCode, kind: RegisterKind, progress: &Progress) -> Vec<Vec<u32>> {
    let Mentions { mut reads, mut writes } = Mentions::of(code, kind);
    reads.sort_unstable();
    writes.sort_unstable();
    let mut ways = BackwardPaths {
        before: predecessors(code),
        out: vec![vec![]; code.blocks.len()],
        writes: vec![u32::MAX; code.blocks.len()],
        at_start: vec![u32::MAX; code.blocks.len()],
        at_end: vec![u32::MAX; code.blocks.len()],
        todo: vec![],
        visits: 0,
    };
    let mut writes = writes.into_iter().peekable();
    for reads in reads.chunk_by(|a, b| a.name == b.name) {
        let name = reads[0].name;
        while let Some((other, b)) = writes.next_if(|(other, _)| *other <= name) {
            if other == name {
                ways.writes[b] = name;
            }
        }
        for &LiveRead { block, at_end, .. } in reads {
            if at_end { ways.end(name, block) } else { ways.start(name, block) }
        }
        ways.back(name);
    }
    progress.visited(ways.visits);
    ways.out
}

/// A block that reads a name and has not written it before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LiveRead {
    name: u32,
    block: BlockId,
    /// The branch at the end does.
    at_end: bool,
}

struct Mentions {
    reads: Vec<LiveRead>,
    /// Names and blocks that write them in all threads.
    writes: Vec<(u32, BlockId)>,
}

impl Mentions {
    fn of(code: &KernelCode, kind: RegisterKind) -> Self {
        let (mut reads, mut writes) = (vec![], vec![]);
        // By name, the last block that did so.
        let [mut read, mut written] = [(); 2].map(|()| vec![usize::MAX; kind.names(code)]);
        for (b, block) in code.blocks.iter().enumerate() {
            for op in &block.ops {
                let kept = kind.written(op).filter(|_| op.is_partial());
                for name in kind.read(op).chain(kept) {
                    if written[name as usize] != b && read[name as usize] != b {
                        read[name as usize] = b;
                        reads.push(LiveRead { name, block: b, at_end: false });
                    }
                }
                if let Some(name) = kind.written(op).filter(|_| !op.is_partial())
                    && written[name as usize] != b
                {
                    written[name as usize] = b;
                    writes.push((name, b));
                }
            }
            reads.extend(kind.read_at_end(block.end).map(|name| LiveRead { name, block: b, at_end: true }));
        }
        Self { reads, writes }
    }
}

/// The ways back from where a name is read; arrays are by block, and hold the last name of which something is so.
struct BackwardPaths {
    before: Vec<Vec<BlockId>>,
    out: Vec<Vec<u32>>,
    writes: Vec<u32>,
    at_start: Vec<u32>,
    at_end: Vec<u32>,
    /// Blocks at whose starts it is live.
    todo: Vec<BlockId>,
    visits: u64,
}

impl BackwardPaths {
    fn start(&mut self, name: u32, b: BlockId) {
        if self.at_start[b] != name {
            self.at_start[b] = name;
            self.todo.push(b);
        }
    }

    fn end(&mut self, name: u32, b: BlockId) {
        self.visits += 1;
        if self.at_end[b] != name {
            self.at_end[b] = name;
            self.out[b].push(name);
            if self.writes[b] != name {
                self.start(name, b);
            }
        }
    }

    fn back(&mut self, name: u32) {
        while let Some(b) = self.todo.pop() {
            for i in 0..self.before[b].len() {
                self.end(name, self.before[b][i]);
            }
        }
    }
}

/// The blocks from which a way leads to each block.
pub fn predecessors(code: &KernelCode) -> Vec<Vec<BlockId>> {
    let mut before = vec![vec![]; code.blocks.len()];
    for (b, block) in code.blocks.iter().enumerate() {
        block.end.successors().for_each(|to| before[to].push(b));
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition: rounds over all blocks until nothing changes.
    fn expected(code: &KernelCode, kind: RegisterKind) -> Vec<Vec<u32>> {
        let mut starts: Vec<Vec<u32>> = vec![vec![]; code.blocks.len()];
        let ends = |starts: &[Vec<u32>], b: usize| {
            let end = code.blocks[b].end;
            let mut live: Vec<u32> = end.successors().flat_map(|to| starts[to].clone()).collect();
            live.extend(kind.read_at_end(end));
            live.sort_unstable();
            live.dedup();
            live
        };
        loop {
            let before = starts.clone();
            for b in 0..code.blocks.len() {
                let mut live = LiveSet::new(kind.names(code));
                live.set(ends(&starts, b));
                code.blocks[b].ops.iter().rev().for_each(|op| live.step_back(kind, op));
                starts[b] = live.iter().collect();
                starts[b].sort_unstable();
            }
            if starts == before {
                return (0..code.blocks.len()).map(|b| ends(&starts, b)).collect();
            }
        }
    }

    #[test]
    fn ways_back_find_what_rounds_find() {
        let mut random = crate::random::Random::new(1);
        for _ in 0..300 {
            let blocks = 1 + random.below(9) as usize;
            let mut code = KernelCode { blocks: vec![], next_reg: 12, next_pred: 6 };
            for _ in 0..blocks {
                let mut ops = vec![];
                for _ in 0..random.below(6) {
                    let mut reg = || random.below(12) as u32;
                    let (dst, src) = (Some(reg()), [reg(), reg(), reg()].map(Value::Reg));
                    let mut pred = |percent| (random.below(100) < percent).then(|| random.below(6) as u32);
                    let (pdst, guard) = (pred(50), Cond { pred: pred(30), negate: false });
                    ops.push(Op { dst, pdst, src, guard, ..Op::new(Opcode::Mad, 1) });
                }
                let mut to = || random.below(blocks as u64) as usize;
                let (taken, next) = (to(), to());
                let end = match random.below(4) {
                    0 => End::Exit,
                    1 => End::Jump(next),
                    _ => End::Branch { cond: Cond::of(random.below(6) as u32), taken, next },
                };
                code.blocks.push(BasicBlock { ops, end, end_line: 1 });
            }
            for kind in [RegisterKind::Registers, RegisterKind::Predicates] {
                assert_eq!(live_out(&code, kind, &Progress::default()), expected(&code, kind));
            }
        }
    }
}
