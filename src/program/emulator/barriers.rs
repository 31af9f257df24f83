//! The barriers of an emulated thread block: which warps wait at them, and which have arrived and gone on.
//!
//! A warp arrives when all its live threads have, wherever they are in the meantime. A barrier with a count lets its
//! warps go on when so many have arrived; one without when no warp of the block that has not ended is missing. That no
//! warp is left to arrive is an error here ([`Barriers::stuck`]).

use super::{error::EmulationError, machine::EmulatedBlocks, warp_mask::WARP};
use crate::isa::{BARRIERS, Instruction, Opcode};

/// A warp, or the threads of it that are there already, comes to a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival {
    pub pc: usize,
    /// See [`crate::isa::barrier_word`].
    pub word: u32,
    /// It waits there.
    pub waits: bool,
    /// Threads for which the predicate holds.
    pub holding: u32,
}

impl Arrival {
    fn number(self) -> u32 {
        self.word & 0xffff
    }

    fn threads(self) -> u32 {
        self.word >> 16
    }

    /// Of the instruction at `pc`, for threads with these words, of which `holding` fulfil the predicate.
    pub fn new(
        machine: &EmulatedBlocks,
        (pc, i): (usize, &Instruction),
        mut words: impl Iterator<Item = u32>,
        holding: u32,
    ) -> Result<Self, EmulationError> {
        let word = words.next().unwrap_or(0);
        let arrival = Self { pc, word, waits: i.opcode == Opcode::Bar, holding };
        let wrong = |what: String| Err(machine.bad_barrier(pc, what));
        let (number, threads) = (arrival.number(), arrival.threads());
        match () {
            () if words.any(|other| other != word) => {
                wrong("threads of a warp come to different barriers, or with different counts".into())
            }
            () if number >= BARRIERS => wrong(format!("barrier {number}: a block has barriers 0 to {}", BARRIERS - 1)),
            () if !threads.is_multiple_of(WARP as u32) || threads == 0 && !arrival.waits => {
                wrong(format!("barrier {number}: a count of {threads} threads, which is no multiple of {WARP}"))
            }
            () => Ok(arrival),
        }
    }

    /// Of all threads, when some have been there before.
    pub fn after(self, before: Option<Self>, machine: &EmulatedBlocks) -> Result<Self, EmulationError> {
        match before {
            None => Ok(self),
            Some(before) if before.word == self.word => Ok(Self { holding: self.holding + before.holding, ..self }),
            Some(before) => Err(machine.bad_barrier(
                self.pc,
                format!("threads of a warp come to barriers {} and {}", before.number(), self.number()),
            )),
        }
    }
}

/// A warp at the barriers.
#[derive(Clone, Default)]
struct WarpBarrierState {
    /// Where it waits.
    waits: Option<Arrival>,
    /// The barriers, one bit each, at which it has arrived and gone on.
    arrived: u32,
    /// Outcome of the last one that it has passed.
    sum: u32,
}

/// The barriers of a block.
#[derive(Default)]
pub(super) struct Barriers {
    warps: Vec<WarpBarrierState>,
}

impl Barriers {
    /// Of a block of so many warps.
    pub fn new(warps: usize) -> Self {
        Self { warps: vec![WarpBarrierState::default(); warps] }
    }

    /// The warp waits at a barrier.
    pub fn waits(&self, warp: usize) -> bool {
        self.warps[warp].waits.is_some()
    }

    /// Threads that fulfilled the predicate of the last barrier that the warp has passed.
    pub fn sum(&self, warp: usize) -> u32 {
        self.warps.get(warp).map_or(0, |place| place.sum)
    }

    /// The warp has arrived at barrier `number`, whether it waits there or not.
    fn is_at(&self, warp: usize, number: u32) -> bool {
        let place = &self.warps[warp];
        place.arrived >> number & 1 == 1 || place.waits.is_some_and(|at| at.number() == number)
    }

    /// All who have arrived there go on; tells those that have waited.
    fn pass(&mut self, number: u32) -> Vec<usize> {
        let waits = |place: &WarpBarrierState| place.waits.filter(|at| at.number() == number);
        let sum = self.warps.iter().filter_map(waits).map(|at| at.holding).sum();
        let mut waited = vec![];
        for (warp, place) in self.warps.iter_mut().enumerate() {
            place.arrived &= !(1 << number);
            if waits(place).is_some() {
                (place.waits, place.sum) = (None, sum);
                waited.push(warp);
            }
        }
        waited
    }

    /// The first warp that waits for ever, and what all wait for.
    pub fn stuck(&self, machine: &EmulatedBlocks) -> Option<EmulationError> {
        let waiting = || self.warps.iter().enumerate().filter_map(|(warp, place)| Some((warp, place.waits?)));
        let (_, first) = waiting().next()?;
        let text = |(warp, at): (usize, Arrival)| {
            let (number, line) = (at.number(), machine.line(at.pc));
            let wanted = match at.threads() {
                0 => "all warps".into(),
                threads => format!("{threads} threads"),
            };
            let there = (0..self.warps.len()).filter(|&other| self.is_at(other, number)).count() * WARP;
            format!("warp {warp} at barrier {number} for {wanted}, {there} are there (PTX line {line})")
        };
        let waiting: Vec<String> = waiting().map(text).collect();
        Some(EmulationError::Stuck { pc: first.pc, line: machine.line(first.pc), waiting: waiting.join("; ") })
    }
}

impl EmulatedBlocks<'_> {
    pub(super) fn bad_barrier(&self, pc: usize, what: String) -> EmulationError {
        EmulationError::BadBarrier { pc, line: self.line(pc), what }
    }

    /// Threads of a warp wait at the barriers at `first` and `pc`: it has to be the same one.
    pub(super) fn one_barrier(&self, first: usize, pc: usize) -> Result<(), EmulationError> {
        if first == pc {
            return Ok(());
        }
        let (line, other_line) = (self.line(pc), self.line(first));
        Err(EmulationError::DivergentBarrier { pc, line, other: first, other_line })
    }

    /// A warp has come to a barrier with all its threads.
    pub(super) fn arrive(&mut self, warp: usize, arrival: Arrival) -> Result<(), EmulationError> {
        let (number, threads) = (arrival.number(), arrival.threads() as usize);
        if self.barriers.is_at(warp, number) {
            let what = format!("warp {warp} of the block comes to barrier {number} again before it is complete");
            return Err(self.bad_barrier(arrival.pc, what));
        }
        let place = &mut self.barriers.warps[warp];
        match arrival.waits {
            true => place.waits = Some(arrival),
            false => place.arrived |= 1 << number,
        }
        if let Some(hazards) = &mut self.hazards {
            hazards.arrive(warp, number);
        }
        if threads == 0 {
            return Ok(());
        }
        let there = (0..self.barriers.warps.len()).filter(|&w| self.barriers.is_at(w, number)).count() * WARP;
        if there > threads {
            let what = format!("barrier {number} is for {threads} threads, {there} have come");
            return Err(self.bad_barrier(arrival.pc, what));
        }
        if there == threads {
            self.pass(number, |_| true);
        }
        Ok(())
    }

    /// Lets warps go on that wait for all others, where these have come or ended.
    pub(super) fn pass_whole_barriers(&mut self, live: impl Fn(usize) -> bool) {
        let waits = self.barriers.warps.iter().filter_map(|place| place.waits.filter(|at| at.threads() == 0));
        let mut wanted = waits.fold(0u32, |numbers, at| numbers | 1 << at.number());
        while wanted != 0 {
            let number = wanted.trailing_zeros();
            wanted &= wanted - 1;
            let missing = |warp: usize| live(warp) && !self.barriers.is_at(warp, number);
            if !(0..self.barriers.warps.len()).any(missing) {
                self.pass(number, &live);
            }
        }
    }

    fn pass(&mut self, number: u32, live: impl Fn(usize) -> bool) {
        let waited = self.barriers.pass(number);
        let ended = (0..self.barriers.warps.len()).filter(|&warp| !live(warp));
        if let Some(hazards) = &mut self.hazards {
            hazards.pass(number, &waited, ended);
        }
    }
}
