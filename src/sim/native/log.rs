//! What generated code leaves for the clock edge, so that the edge goes only where something is to be done.
//!
//! Every thread that runs generated code has a [`Log`]; the code gets the address of its [`Frame`]. A write port that
//! is enabled adds an entry; all entries of an evaluation before are gone then, as an instance with an enabled port is
//! evaluated in every evaluation. A probe that counts in a table adds what it has seen since it was last evaluated.

use crate::{
    profile::MaybeBoard,
    state::{State, WritePort},
};

/// A pending write: address of the instance's storage, position of the port in the list of all modules' ports.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    storage: *mut u64,
    port: u64,
}

/// So many cycles with this value, for a table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    table: u64,
    value: u64,
    cycles: u64,
}

/// What generated code knows of a clock domain, where there are several: an array of these for the domains of a module.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ClockView {
    /// Its clock edges that counted, so far.
    pub time: u64,
    /// One when it has an edge now.
    pub edge: u64,
}

/// Offset of [`ClockView::edge`]; the time is at its start.
pub(super) const EDGE: i32 = 8;
/// Size of a view.
pub(super) const VIEW_BYTES: u64 = size_of::<ClockView>() as u64;

/// What generated code reads and writes. Offsets in bytes are constants below.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Frame {
    /// Clock edges that counted, so far.
    time: u64,
    /// Behind the last entry.
    writes: *mut Write,
    counts: *mut Count,
    /// Where code that was compiled for a profile writes which module it is.
    module: *mut u64,
}

/// Offset of [`Frame::time`].
pub(super) const TIME: i32 = 0;
/// Offset of [`Frame::writes`].
pub(super) const WRITES: i32 = 8;
/// Offset of [`Frame::counts`].
pub(super) const COUNTS: i32 = 16;
/// Offset of [`Frame::module`].
pub(super) const MODULE: i32 = 24;
/// Size of an entry of the writes.
pub(super) const WRITE_BYTES: u64 = size_of::<Write>() as u64;
/// Size of an entry of the counts.
pub(super) const COUNT_BYTES: u64 = size_of::<Count>() as u64;

/// Entries of one thread.
#[derive(Debug)]
pub(super) struct Log {
    frame: Frame,
    /// Keeps what the frame points to.
    _board: MaybeBoard,
    writes: Vec<Write>,
    counts: Vec<Count>,
}

// SAFETY: the pointers lead into the log's own vectors and, in entries, into the state whose evaluation made them,
// which `drain` gets; no thread but the owner's follows them.
unsafe impl Send for Log {}

impl Log {
    /// With room for everything that an evaluation can add: one entry per write port and per table.
    pub fn new(writes: usize, tables: usize, board: &MaybeBoard) -> Self {
        let (mut writes, mut counts) = (Vec::with_capacity(writes), Vec::with_capacity(tables));
        let module = board.as_ref().map_or(std::ptr::null_mut(), |board| board.module());
        let frame = Frame { time: 0, writes: writes.as_mut_ptr(), counts: counts.as_mut_ptr(), module };
        Self { frame, _board: board.clone(), writes, counts }
    }

    /// Before an evaluation, after `time` clock edges that counted.
    pub fn start(&mut self, time: u64, state: &mut State) {
        self.add_counts(state);
        self.frame.time = time;
        self.frame.writes = self.writes.as_mut_ptr();
    }

    /// For generated code, until the log moves.
    pub fn frame(&mut self) -> *mut Frame {
        &mut self.frame
    }

    /// Executes the writes.
    pub fn write(&mut self, ports: &[WritePort], state: &mut State) {
        let start = state.storage.as_ptr();
        let count = entries(self.writes.as_ptr(), self.frame.writes);
        // SAFETY: generated code has written all entries before the frame's pointer, at most as many as there is room
        // for.
        unsafe { self.writes.set_len(count) };
        for entry in &self.writes {
            // The entry was made by an evaluation of this state, whose storage has not moved since.
            let base = entries(start, entry.storage);
            ports[entry.port as usize].write(&mut state.storage[base..]);
        }
        self.writes.clear();
        self.frame.writes = self.writes.as_mut_ptr();
    }

    /// Adds the counts to the tables.
    pub fn add_counts(&mut self, state: &mut State) {
        let count = entries(self.counts.as_ptr(), self.frame.counts);
        // SAFETY: as in `write`.
        unsafe { self.counts.set_len(count) };
        for entry in self.counts.drain(..) {
            *state.tables[entry.table as usize].entry(entry.value).or_default() += entry.cycles;
        }
        self.frame.counts = self.counts.as_mut_ptr();
    }
}

/// Entries between two addresses in one array.
fn entries<T>(start: *const T, end: *mut T) -> usize {
    (end.addr() - start.addr()) / size_of::<T>()
}
