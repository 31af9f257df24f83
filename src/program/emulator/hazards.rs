//! What an emulated block does to bytes between two of its barriers: threads of two warps that race for a byte, and bytes that are read
//! and were never written. Both are looked for when somebody asks ([`Hazards`]).
//!
//! A *race*: between two barriers, threads of different warps of a block access a byte, at least one writes, not both are atomic, and a
//! second write changes what the first one left. Threads of one warp are in step on the chip, so what they do has an order; blocks are not
//! compared with each other. Volatile loads wait for others on purpose and do not count.

use super::{
    WARP,
    memory::{Fault, Space},
};
use std::collections::HashMap;

/// What is looked for beside addresses.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sought {
    /// Races within a block.
    pub races: bool,
    /// Reads of shared and local memory that nobody has written.
    pub uninitialised: bool,
}

impl Sought {
    /// Anything at all.
    pub fn any(self) -> bool {
        self.races || self.uninitialised
    }
}

/// An access to some bytes.
pub(super) struct Touch<'a> {
    pub space: Space,
    pub address: u64,
    pub kind: Kind,
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
pub(super) enum Kind {
    Read,
    Volatile,
    Write,
    Atomic,
}

/// What is known of a byte.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// Written since the block began (shared), or at all.
    written: bool,
    /// Of what follows; older is forgotten.
    phase: u32,
    writer: Option<Who>,
    atomic: bool,
    reader: Option<Who>,
    /// A thread of another warp than the reader's has read, too.
    more: Option<Who>,
}

#[derive(Clone, Copy)]
struct Who {
    thread: u32,
    pc: u32,
}

impl Who {
    fn warp(self) -> u32 {
        self.thread / WARP as u32
    }
}

/// The bytes that a launch has touched.
pub(super) struct Hazards {
    sought: Sought,
    /// Counts barriers of all blocks, one after the other.
    phase: u32,
    shared: HashMap<u64, Mark>,
    global: HashMap<u64, Mark>,
    /// Local memory of all threads.
    local: std::ops::Range<u64>,
}

impl Hazards {
    pub fn new(sought: Sought, local: std::ops::Range<u64>) -> Self {
        Self { sought, phase: 0, shared: HashMap::new(), global: HashMap::new(), local }
    }

    /// The threads of a block have met at a barrier.
    pub fn barrier(&mut self) {
        self.phase += 1;
    }

    /// A block begins, whose shared memory holds nothing.
    pub fn block(&mut self) {
        self.barrier();
        self.shared.clear();
    }

    /// Notes an access, and tells what is wrong with it; the line of a race is the address of the other instruction.
    pub fn touch(&mut self, touch: &Touch) -> Option<Fault> {
        let marks = match touch.space {
            Space::Shared => &mut self.shared,
            Space::Global => &mut self.global,
            Space::Param | Space::Const => return None,
        };
        let unwritten = touch.space == Space::Shared || self.local.contains(&touch.address);
        let mut fault = None;
        for (at, (old, new)) in (touch.address..).zip(touch.bytes.iter().zip(touch.new)) {
            let mark = marks.entry(at).or_default();
            if mark.phase != self.phase {
                *mark = Mark { written: mark.written, phase: self.phase, ..Mark::default() };
            }
            let reads = touch.kind != Kind::Write;
            if self.sought.uninitialised && reads && unwritten && !mark.written {
                fault = fault.or(Some(Fault::Uninitialised));
            }
            let race = mark.touched(touch, old != new);
            if let Some(other) = race.filter(|_| self.sought.races) {
                fault = fault.or(Some(Fault::Race { other: other.thread, line: other.pc }));
            }
        }
        fault
    }
}

impl Mark {
    /// Notes an access; the one that races with it, if any.
    fn touched(&mut self, touch: &Touch, changes: bool) -> Option<Who> {
        let who = Who { thread: touch.thread, pc: touch.pc as u32 };
        let apart = |other: &Who| other.warp() != who.warp();
        let atomic = touch.kind == Kind::Atomic;
        let wrote = self.writer.filter(|_| !(atomic && self.atomic)).filter(apart);
        match touch.kind {
            Kind::Volatile => None,
            Kind::Read => {
                match self.reader {
                    None => self.reader = Some(who),
                    Some(first) if first.warp() != who.warp() => self.more = Some(who),
                    Some(_) => {}
                }
                wrote
            }
            Kind::Write | Kind::Atomic => {
                // An atomic that changes nothing is a read.
                let read = [self.reader, self.more].into_iter().flatten().find(apart).filter(|_| changes);
                (self.written, self.writer, self.atomic) = (true, Some(who), atomic);
                wrote.filter(|_| changes).or(read)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(hazards: &mut Hazards, kind: Kind, thread: u32, values: [u8; 2]) -> Option<Fault> {
        let (bytes, new) = (&[values[0]][..], &[values[1]][..]);
        hazards.touch(&Touch { space: Space::Shared, address: 8, kind, pc: thread as usize, thread, bytes, new })
    }

    fn hazards() -> Hazards {
        Hazards::new(Sought { races: true, uninitialised: true }, 0..0)
    }

    #[test]
    fn warps_race_between_barriers() {
        let race = |other| Some(Fault::Race { other, line: other });
        let mut h = hazards();
        assert_eq!(touch(&mut h, Kind::Write, 0, [0, 1]), None);
        assert_eq!(touch(&mut h, Kind::Read, 31, [1, 1]), None, "of the same warp");
        assert_eq!(touch(&mut h, Kind::Read, 32, [1, 1]), race(0));
        assert_eq!(touch(&mut h, Kind::Volatile, 32, [1, 1]), None);
        h.barrier();
        assert_eq!(touch(&mut h, Kind::Read, 32, [1, 1]), None);
        assert_eq!(touch(&mut h, Kind::Read, 64, [1, 1]), None);
        assert_eq!(touch(&mut h, Kind::Write, 33, [1, 2]), race(64));
        h.barrier();
        assert_eq!(touch(&mut h, Kind::Write, 0, [2, 3]), None);
        assert_eq!(touch(&mut h, Kind::Write, 40, [3, 3]), None, "the same value");
        assert_eq!(touch(&mut h, Kind::Write, 80, [3, 4]), race(40));
    }

    #[test]
    fn atomics_do_not_race_with_each_other() {
        let mut h = hazards();
        assert_eq!(touch(&mut h, Kind::Write, 0, [0, 1]), None);
        h.barrier();
        assert_eq!(touch(&mut h, Kind::Atomic, 0, [1, 2]), None);
        assert_eq!(touch(&mut h, Kind::Atomic, 32, [2, 3]), None);
        assert_eq!(touch(&mut h, Kind::Read, 64, [3, 3]), Some(Fault::Race { other: 32, line: 32 }));
    }

    #[test]
    fn a_block_begins_with_nothing_written() {
        let mut h = hazards();
        assert_eq!(touch(&mut h, Kind::Read, 0, [0, 0]), Some(Fault::Uninitialised));
        touch(&mut h, Kind::Write, 0, [0, 1]);
        assert_eq!(touch(&mut h, Kind::Read, 0, [1, 1]), None);
        h.block();
        assert_eq!(touch(&mut h, Kind::Read, 0, [1, 1]), Some(Fault::Uninitialised));
    }
}
