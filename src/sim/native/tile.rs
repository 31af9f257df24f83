//! A tile, and the machine code that evaluates it.

use super::{
    activity::ActivityFlags,
    log::{ClockView, Frame},
};
use crate::{layout::Bases, state::State};
use std::time::Instant;

/// A compiled phase of a module.
pub(super) type Phase = unsafe extern "C" fn(
    registers: *const u64,
    next: *mut u64,
    storage: *mut u64,
    marks: *mut u64,
    frame: *mut Frame,
    spill: *mut u64,
) -> u64;

/// The same in a design with several clocks.
pub(super) type ClockedPhase = unsafe extern "C" fn(
    registers: *const u64,
    next: *mut u64,
    storage: *mut u64,
    marks: *mut u64,
    frame: *mut Frame,
    spill: *mut u64,
    clocks: *const ClockView,
) -> u64;

/// Either.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    Plain(Phase),
    Clocked(ClockedPhase),
}

impl Code {
    /// Returns the result.
    ///
    /// # Safety
    /// As for [`Tile::evaluate`], of the instance whose regions of the arrays these are; a chunk of a phase needs the
    /// spill area of the phase.
    pub unsafe fn run(self, arrays: Arrays, frame: *mut Frame, spill: *mut u64) -> u64 {
        let Arrays { registers, next, storage, marks, clocks } = arrays;
        // SAFETY: the caller's.
        unsafe {
            match self {
                Code::Plain(phase) => phase(registers, next, storage, marks, frame, spill),
                Code::Clocked(phase) => phase(registers, next, storage, marks, frame, spill, clocks),
            }
        }
    }
}

/// The arrays of an evaluation: present registers, next registers, storage, marks, clocks.
#[derive(Clone, Copy)]
pub(super) struct Arrays {
    pub registers: *const u64,
    pub next: *mut u64,
    pub storage: *mut u64,
    pub marks: *mut u64,
    pub clocks: *const ClockView,
}

impl Arrays {
    pub fn new(state: &mut State, marks: &mut ActivityFlags, clocks: *const ClockView) -> Self {
        let (registers, next) = (state.registers.as_ptr(), state.next.as_mut_ptr());
        let (storage, marks) = (state.storage.as_mut_ptr(), marks.words.as_mut_ptr());
        Self { registers, next, storage, marks, clocks }
    }
}

/// An evaluation of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Position of the tile.
    pub tile: usize,
    /// By plain code.
    pub plain: bool,
    /// How long it takes is wanted.
    pub timed: bool,
}

/// A tile: its late phase, which the scheduler calls, with gates and without where there are both, and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub late: Code,
    pub plain: Option<Code>,
    pub bases: Bases,
    /// Some of its outputs are computed by an early phase.
    pub early: bool,
    /// Its part of the marks.
    pub marks: (usize, usize),
    /// Where its domains start among the views of clocks.
    pub clocks: usize,
    /// Position in the instances of the top.
    pub instance: u32,
}

impl Tile {
    /// Runs the late phase and returns its result, and nanoseconds if they are wanted.
    ///
    /// # Safety
    /// The arrays are those of a state and the marks of the design that the code was generated for, nobody else reads
    /// or writes the tile's regions of `next`, `storage` and `marks` meanwhile, and nobody else uses the frame.
    pub unsafe fn evaluate(&self, turn: Turn, arrays: Arrays, frame: *mut Frame) -> (u64, u64) {
        let start = turn.timed.then(Instant::now);
        let code = self.plain.filter(|_| turn.plain).unwrap_or(self.late);
        // SAFETY: the caller's; a whole phase has a spill area of its own.
        let result = unsafe { self.run(code, arrays, frame, std::ptr::null_mut()) };
        (result, start.map_or(0, |start| start.elapsed().as_nanos() as u64))
    }

    /// Runs the late phase or a chunk of it.
    ///
    /// # Safety
    /// As for [`evaluate`](Self::evaluate), and as for [`Code::run`].
    pub unsafe fn run(&self, code: Code, arrays: Arrays, frame: *mut Frame, spill: *mut u64) -> u64 {
        let (at, storage_at) = (self.bases.registers as usize, self.bases.storage as usize);
        let Arrays { registers, next, storage, marks, clocks } = arrays;
        // SAFETY: the tile's regions lie inside the arrays, and the code stays inside the regions.
        unsafe {
            let (registers, next, storage) = (registers.add(at), next.add(at), storage.add(storage_at));
            let (marks, clocks) = (marks.add(self.marks.0), clocks.add(self.clocks));
            code.run(Arrays { registers, next, storage, marks, clocks }, frame, spill)
        }
    }
}
