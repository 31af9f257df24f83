//! What threads do to bytes with nothing to order them: threads of two warps of a block, or of two blocks, that race
//! for a byte; and bytes that are read and were never written. Both are looked for when somebody asks ([`Hazards`]).
//!
//! A *race*: threads of different warps of a block access a byte, no barriers order the two, at least one writes, not
//! both are atomic, and a second write changes what the first one left. Threads of one warp are in step on the chip, so
//! what they do has an order. Volatile loads wait for others on purpose and do not count.
//!
//! *Between blocks*, which are emulated one after the other: the same for bytes of global memory that an earlier block has accessed. Blocks synchronise by
//! atomics and volatile loads, which are not followed: after its first one a block may know of all others, and is not
//! compared with them any more.
//!
//! Barriers may be of some warps only, so each warp has a vector clock: its own count of barriers to which it has come,
//! and of each other warp the count up to which it is known to be. Who waits at a barrier knows, behind it, what all
//! knew who came to it (C. Fidge, *Timestamps in Message-Passing Systems That Preserve the Partial Ordering*, 1988; C.
//! Flanagan, S. Freund, *FastTrack*, PLDI 2009).

use super::{
    bad_access::{Fault, Space},
    warp_mask::WARP,
};
use crate::isa::BARRIERS;
use std::collections::HashMap;

/// What is looked for beside addresses.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CheckKinds {
    /// Races within a block and between blocks.
    pub races: bool,
    /// Reads of shared and local memory that nobody has written.
    pub uninitialised: bool,
}

impl CheckKinds {
    /// As a list of names with commas between.
    ///
    /// # Errors
    /// The name that is none.
    pub fn named(list: &str) -> Result<Self, String> {
        list.split(',').map(str::trim).try_fold(Self::default(), |check_kinds, name| match name {
            "races" => Ok(Self { races: true, ..check_kinds }),
            "uninitialised" => Ok(Self { uninitialised: true, ..check_kinds }),
            other => Err(other.into()),
        })
    }

    /// Anything at all.
    pub fn any(self) -> bool {
        self.races || self.uninitialised
    }
}

/// An access to some bytes.
pub(super) struct Touch<'a> {
    pub space: Space,
    pub address: u64,
    pub kind: AccessKind,
    /// Address of the instruction.
    pub pc: usize,
    /// Number of the thread in its block.
    pub thread: u32,
    /// What is there now, and what will be.
    pub bytes: &'a [u8],
    pub new: &'a [u8],
}

/// What is done to them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessKind {
    Read,
    Volatile,
    Write,
    Atomic,
}

/// What is known of a byte.
#[derive(Clone, Default)]
struct Mark {
    /// Written since the block began (shared), or at all.
    written: bool,
    /// Of what follows; older is forgotten.
    block: u32,
    writer: Option<Who>,
    atomic: bool,
    /// The first of each warp that has read since others were known to have.
    readers: Vec<Who>,
    /// The last of earlier blocks that has written, and that has read.
    earlier: [Option<Other>; 2],
}

/// The other side of a race.
#[derive(Clone, Copy, Debug)]
struct Other {
    who: Who,
    /// Number of its block, where it is another one.
    block: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Who {
    thread: u32,
    pc: u32,
    /// The count of its warp then.
    clock: u32,
}

impl Who {
    fn warp(self) -> usize {
        self.thread as usize / WARP
    }

    /// A warp that knows this much knows that it has been.
    fn is_known(self, clocks: &[u32]) -> bool {
        clocks[self.warp()] >= self.clock
    }
}

/// The bytes that a launch has touched.
pub(super) struct Hazards {
    check_kinds: CheckKinds,
    /// Counts blocks, one after the other, from 1.
    block: u32,
    /// The block has synchronised with others, maybe.
    acquired: bool,
    /// By warp: what it knows of each.
    clocks: Vec<Vec<u32>>,
    /// By barrier: what those know who have come to it.
    arrived: Vec<Vec<u32>>,
    shared: HashMap<u64, Mark>,
    global: HashMap<u64, Mark>,
    /// Local memory of all threads.
    local: std::ops::Range<u64>,
}

impl Hazards {
    pub fn new(check_kinds: CheckKinds, local: std::ops::Range<u64>) -> Self {
        let (shared, global) = (HashMap::new(), HashMap::new());
        Self { check_kinds, block: 0, acquired: false, clocks: vec![], arrived: vec![], shared, global, local }
    }

    /// A block of so many warps begins, whose shared memory holds nothing.
    pub fn block(&mut self, warps: usize) {
        self.block += 1;
        self.acquired = false;
        self.shared.clear();
        let knows_itself = |warp: usize| (0..warps).map(|other| u32::from(other == warp)).collect();
        self.clocks = (0..warps).map(knows_itself).collect();
        self.arrived = vec![vec![0; warps]; BARRIERS as usize];
    }

    /// A warp comes to a barrier.
    pub fn arrive(&mut self, warp: usize, number: u32) {
        learn(&mut self.arrived[number as usize], &self.clocks[warp]);
        self.clocks[warp][warp] += 1;
    }

    /// Those who have come to a barrier go on; `waited` did at it, and whose warps have `ended` did nothing since.
    pub fn pass(&mut self, number: u32, waited: &[usize], ended: impl Iterator<Item = usize>) {
        let mut known = std::mem::take(&mut self.arrived[number as usize]);
        ended.for_each(|warp| learn(&mut known, &self.clocks[warp]));
        waited.iter().for_each(|&warp| learn(&mut self.clocks[warp], &known));
        known.fill(0);
        self.arrived[number as usize] = known;
    }

    /// Notes an access, and tells what is wrong with it; the line of a race is the address of the other instruction.
    pub fn touch(&mut self, touch: &Touch) -> Option<Fault> {
        let marks = match touch.space {
            Space::Shared => &mut self.shared,
            Space::Global => &mut self.global,
            Space::Param | Space::Const => return None,
        };
        let unwritten = touch.space == Space::Shared || self.local.contains(&touch.address);
        let is_common = touch.space == Space::Global && !self.local.contains(&touch.address);
        let clocks = &self.clocks[touch.thread as usize / WARP];
        let mut fault = None;
        for (at, (old, new)) in (touch.address..).zip(touch.bytes.iter().zip(touch.new)) {
            let mark = marks.entry(at).or_default();
            mark.belong_to(self.block);
            let reads = touch.kind != AccessKind::Write;
            if self.check_kinds.uninitialised && reads && unwritten && !mark.written {
                fault = fault.or(Some(Fault::Uninitialised));
            }
            let changes = old != new;
            let between = mark.between_blocks(touch.kind, changes).filter(|_| is_common && !self.acquired);
            let within = mark.touched(touch, clocks, changes).map(|who| Other { who, block: None });
            if let Some(Other { who, block }) = within.or(between).filter(|_| self.check_kinds.races) {
                fault = fault.or(Some(Fault::Race { other: who.thread, block, line: who.pc }));
            }
        }
        self.acquired |=
            touch.space == Space::Global && matches!(touch.kind, AccessKind::Atomic | AccessKind::Volatile);
        fault
    }
}

/// Adds what is known to `clocks`.
fn learn(clocks: &mut [u32], known: &[u32]) {
    clocks.iter_mut().zip(known).for_each(|(own, &other)| *own = (*own).max(other));
}

impl Mark {
    /// What earlier blocks did is of earlier blocks.
    fn belong_to(&mut self, block: u32) {
        if self.block == block {
            return;
        }
        let of_block = |who: Who| Other { who, block: Some(self.block - 1) };
        let last = [self.writer, self.readers.first().copied()].map(|who| who.map(of_block));
        let [writer, reader] = self.earlier;
        let earlier = [last[0].or(writer), last[1].or(reader)];
        *self = Mark { written: self.written, block, earlier, ..Mark::default() };
    }

    /// The access of an earlier block that races with this one, if nothing orders them.
    fn between_blocks(&self, kind: AccessKind, changes: bool) -> Option<Other> {
        let [writer, reader] = self.earlier;
        match kind {
            AccessKind::Volatile | AccessKind::Atomic => None,
            AccessKind::Read => writer,
            AccessKind::Write => writer.or(reader).filter(|_| changes),
        }
    }

    /// Notes an access of a warp with these `clocks`; the one that races with it, if any.
    fn touched(&mut self, touch: &Touch, clocks: &[u32], changes: bool) -> Option<Who> {
        let warp = touch.thread as usize / WARP;
        let who = Who { thread: touch.thread, pc: touch.pc as u32, clock: clocks[warp] };
        let apart = |other: &Who| !other.is_known(clocks);
        let atomic = touch.kind == AccessKind::Atomic;
        let wrote = self.writer.filter(|_| !(atomic && self.atomic)).filter(apart);
        match touch.kind {
            AccessKind::Volatile => None,
            AccessKind::Read => {
                // A race with one who is known, or with its warp, is one with this reader, too.
                if !self.readers.iter().any(|reader| reader.warp() == warp && reader.clock == who.clock) {
                    self.readers.retain(apart);
                    self.readers.push(who);
                }
                wrote
            }
            AccessKind::Write | AccessKind::Atomic => {
                // An atomic that changes nothing is a read.
                let read = self.readers.iter().copied().find(apart).filter(|_| changes);
                (self.written, self.writer, self.atomic) = (true, Some(who), atomic);
                wrote.filter(|_| changes).or(read)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(hazards: &mut Hazards, kind: AccessKind, thread: u32, values: [u8; 2]) -> Option<Fault> {
        let (bytes, new) = (&[values[0]][..], &[values[1]][..]);
        hazards.touch(&Touch { space: Space::Shared, address: 8, kind, pc: thread as usize, thread, bytes, new })
    }

    fn hazards() -> Hazards {
        let mut hazards = Hazards::new(CheckKinds { races: true, uninitialised: true }, 0..0);
        hazards.block(4);
        hazards
    }

    /// Warps meet at a barrier; the `first` of them do not wait.
    fn meet(hazards: &mut Hazards, number: u32, warps: &[usize], first: usize) {
        warps.iter().for_each(|&warp| hazards.arrive(warp, number));
        hazards.pass(number, &warps[first..], std::iter::empty());
    }

    fn all(hazards: &mut Hazards) {
        meet(hazards, 0, &[0, 1, 2, 3], 0);
    }

    #[test]
    fn barriers_order_those_who_come() {
        let race = |other| Some(Fault::Race { other, block: None, line: other });
        let mut h = hazards();
        touch(&mut h, AccessKind::Write, 0, [0, 1]);
        meet(&mut h, 1, &[0, 1], 0);
        assert_eq!(touch(&mut h, AccessKind::Read, 32, [1, 1]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 64, [1, 1]), race(0), "it was not there");
        // What warp 1 has read is known to 2 by way of barrier 2, which 1 does not wait at.
        meet(&mut h, 2, &[1, 2], 1);
        assert_eq!(touch(&mut h, AccessKind::Write, 64, [1, 2]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 32, [2, 2]), race(64), "who does not wait knows nothing");
        all(&mut h);
        assert_eq!(touch(&mut h, AccessKind::Write, 96, [2, 3]), None);
    }

    #[test]
    fn warps_race_between_barriers() {
        let race = |other| Some(Fault::Race { other, block: None, line: other });
        let mut h = hazards();
        assert_eq!(touch(&mut h, AccessKind::Write, 0, [0, 1]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 31, [1, 1]), None, "of the same warp");
        assert_eq!(touch(&mut h, AccessKind::Read, 32, [1, 1]), race(0));
        assert_eq!(touch(&mut h, AccessKind::Volatile, 32, [1, 1]), None);
        all(&mut h);
        assert_eq!(touch(&mut h, AccessKind::Read, 32, [1, 1]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 64, [1, 1]), None);
        assert_eq!(touch(&mut h, AccessKind::Write, 33, [1, 2]), race(64));
        all(&mut h);
        assert_eq!(touch(&mut h, AccessKind::Write, 0, [2, 3]), None);
        assert_eq!(touch(&mut h, AccessKind::Write, 40, [3, 3]), None, "the same value");
        assert_eq!(touch(&mut h, AccessKind::Write, 80, [3, 4]), race(40));
    }

    #[test]
    fn atomics_do_not_race_with_each_other() {
        let mut h = hazards();
        assert_eq!(touch(&mut h, AccessKind::Write, 0, [0, 1]), None);
        all(&mut h);
        assert_eq!(touch(&mut h, AccessKind::Atomic, 0, [1, 2]), None);
        assert_eq!(touch(&mut h, AccessKind::Atomic, 32, [2, 3]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 64, [3, 3]), Some(Fault::Race { other: 32, block: None, line: 32 }));
    }

    #[test]
    fn blocks_race_until_they_may_have_synchronised() {
        let mut h = hazards();
        let touch = |h: &mut Hazards, kind, address: u64, values: [u8; 2]| {
            let (bytes, new) = (&[values[0]][..], &[values[1]][..]);
            h.touch(&Touch { space: Space::Global, address, kind, pc: 7, thread: 5, bytes, new })
        };
        let race = |block| Some(Fault::Race { other: 5, block: Some(block), line: 7 });
        assert_eq!(touch(&mut h, AccessKind::Write, 0, [0, 1]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 1, [9, 9]), None);
        h.block(4);
        assert_eq!(touch(&mut h, AccessKind::Read, 0, [1, 1]), race(0));
        assert_eq!(touch(&mut h, AccessKind::Write, 0, [1, 1]), None, "the same value");
        assert_eq!(touch(&mut h, AccessKind::Write, 1, [9, 8]), race(0));
        assert_eq!(touch(&mut h, AccessKind::Read, 1, [8, 8]), None, "it is its own");
        assert_eq!(touch(&mut h, AccessKind::Read, 2, [0, 0]), None);
        h.block(4);
        assert_eq!(touch(&mut h, AccessKind::Write, 2, [0, 1]), race(1), "it was read");
        assert_eq!(touch(&mut h, AccessKind::Atomic, 3, [0, 1]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 1, [8, 8]), None, "it may know of all by the atomic");
        h.block(4);
        assert_eq!(touch(&mut h, AccessKind::Read, 1, [8, 8]), race(1));
        assert_eq!(touch(&mut h, AccessKind::Volatile, 9, [0, 0]), None);
        assert_eq!(touch(&mut h, AccessKind::Read, 1, [8, 8]), None);
    }

    #[test]
    fn a_block_begins_with_nothing_written() {
        let mut h = hazards();
        assert_eq!(touch(&mut h, AccessKind::Read, 0, [0, 0]), Some(Fault::Uninitialised));
        touch(&mut h, AccessKind::Write, 0, [0, 1]);
        assert_eq!(touch(&mut h, AccessKind::Read, 0, [1, 1]), None);
        h.block(4);
        assert_eq!(touch(&mut h, AccessKind::Read, 0, [1, 1]), Some(Fault::Uninitialised));
    }
}
