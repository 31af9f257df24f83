//! What memory transactions, packets and DRAM rows do over time, read from outside of the hardware, as a timeline for
//! Perfetto.
//!
//! ```text
//!  nets of the chip --[taps]--> events --[follow]--> accesses, packets, DRAM accesses, rows --[join]--> stages --[file]--> tracks
//! ```
//!
//! An *access* is a request of a core's load/store unit, from the cycle in which the coalescer shows it to its reply.
//! What serves it is found by its line: the request packet that leaves for this line while it waits (or, where none
//! does, the one that had left before: a merged miss), and behind that the access of the DRAM. So it is the same with and
//! without data caches, L2 banks, merging, crossings of clocks. The stages of an access tile its life: their sum is the
//! time from its first to its last cycle.
//!
//! Nothing is there for it in the hardware, and everything is followed from the start of the kernel on, so that what is
//! on its way when the window begins is known, too. Times are those of the simulation: a cycle of the cores is 1000
//! nanoseconds in the file, and an edge of another clock is where it is.
//!
//! Packets that agree in everything (writes of a warp to one memory node) are taken to stay in order, as in
//! [`LatencyMonitor`](crate::host::LatencyMonitor). Tests: `tests/cli/timeline.rs`.

mod file;
mod follow;
mod join;
mod spec;
mod taps;

pub use spec::{RunTimeline, TimelineError, TimelineSpec};

use crate::report::IssueSlots;
use follow::Follower;
use join::{Caches, Joined};
use rtl::{chip::Chip, memory::AddressMap};
use sim::{ClockHandle, SimError, Simulator};
use std::ops::Range;
use taps::Taps;

/// Nanoseconds of the file in a cycle of the cores.
pub(crate) const SCALE: u64 = 1000;

/// A timeline in the making; see the [module documentation](self).
pub struct Timeline {
    taps: Taps,
    follower: Follower,
    core_clock: ClockHandle,
    /// Cycles of the cores that are shown, from the start of the kernel.
    window: Range<u64>,
    /// Ticks of the simulation: the last edge of the cores' clock, and a cycle of it.
    core_edges: (Option<u64>, u64),
    /// The tick of the first edge behind the start of the kernel.
    start: Option<u64>,
    /// The last time that was looked at, in the file's nanoseconds.
    now: u64,
    is_over: bool,
    map: AddressMap,
    caches: Caches,
}

impl Timeline {
    /// Of a chip that has routers: what overlaps `window`, in cycles of the cores from the start of the kernel.
    pub fn new(chip: &Chip, simulator: &Simulator, window: Range<u64>) -> Result<Self, SimError> {
        let [core, ..] = chip.config().clocks.domains();
        Ok(Self {
            taps: Taps::new(chip, simulator)?,
            follower: Follower::new(chip, window.start.saturating_mul(SCALE)),
            core_clock: simulator.clock(core)?,
            window,
            core_edges: (None, 1),
            start: None,
            now: 0,
            is_over: false,
            map: chip.map().clone(),
            caches: Caches { l1: chip.core().l1d.is_some(), l2: chip.partition().l2.is_some() },
        })
    }

    /// The kernel is started: what is looked at from now on belongs to it.
    pub fn begin(&mut self, simulator: &Simulator) {
        let (last, period) = self.core_edges;
        self.start = Some(last.map_or(simulator.time(), |last| last + period));
    }

    /// To be called in every instant from power-on, when all wires are computed and before the clock edge.
    pub fn observe(&mut self, simulator: &mut Simulator) {
        if self.is_over {
            return;
        }
        let time = simulator.time();
        let Some(start) = self.start else {
            // Loading takes cycles enough to see how long one is; all are of the same length.
            if simulator.has_edge(self.core_clock) {
                let (last, period) = self.core_edges;
                self.core_edges = (Some(time), last.map_or(period, |last| time - last));
            }
            return;
        };
        self.now = time.saturating_sub(start) * SCALE / self.core_edges.1;
        self.taps.observe(simulator, &mut self.follower, self.now);
        let end = self.window.end.saturating_mul(SCALE);
        self.is_over = self.now >= end && self.follower.is_past(end) && !self.taps.shows_before(end);
    }

    /// Bytes of what is kept, about.
    pub(crate) fn held(&self) -> u64 {
        self.follower.held()
    }

    /// The file: with what the issue slots of cores are used for. `cycles`: of the run.
    ///
    /// # Errors
    /// The number of events that belong to nothing that was seen before: the timeline would be wrong.
    pub fn finish(self, slots: Option<&IssueSlots>, cycles: u64) -> Result<Vec<u8>, u64> {
        let Self { mut follower, mut taps, window, now, is_over, map, caches, .. } = self;
        taps.finish(&mut follower, now);
        if follower.unmatched > 0 {
            return Err(follower.unmatched);
        }
        let window = window.start.min(cycles) * SCALE..window.end.min(cycles) * SCALE;
        // What is open then has ended later than anybody looked, or not at all.
        let end = if is_over { now } else { now.max(cycles * SCALE) };
        let found = follower.finish(end);
        Ok(file::file(&Joined::new(found, window, caches, &map), slots, &map))
    }
}
