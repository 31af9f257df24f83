//! Issue slots as a trace that Perfetto's viewer and its SQL read.
//!
//! ```text
//!  core0 ─┬─ issue slots  ▐ issued ▐ load-use hazard ▐ issued   ▐   the cause of each slot
//!         ├─ warp 0       ▐ LDG ...▐ load-use hazard ▐ FFMA ... ▐   what issues, or what the warp waits for
//!         └─ warp 1       ▐ ready  ▐ ...
//! ```
//!
//! A cycle of the cores is a microsecond, as in a [timeline](crate::timeline). A slot takes the cycles from the one before to its own; equal ones side by side are a slice,
//! but for instructions, each of which is one.

use super::issue_slots::{CoreSlots, IssueSlot, IssueSlots, WarpState};
use crate::{
    perfetto::{Slice, Trace},
    timeline::SCALE,
};

/// A slot of a track, as it is drawn.
struct Drawn<'a> {
    cycle: u64,
    name: &'a str,
    /// Never one with its neighbours.
    alone: bool,
}

impl IssueSlots {
    /// The file.
    pub fn perfetto(&self) -> Vec<u8> {
        let mut trace = Trace::default();
        for (rank, core) in (0..).zip(&self.cores) {
            let part = if self.parts > 1 { format!(", part {}", core.part) } else { String::new() };
            let above = trace.track(&format!("core{}{part}", core.core), None, rank);
            self.tracks(&mut trace, core, above, 0, SCALE);
        }
        trace.into_bytes()
    }

    /// Adds the tracks of a core: issue slots in place `first` below `above`, then each warp. A cycle takes `scale`
    /// nanoseconds.
    pub(crate) fn tracks(&self, trace: &mut Trace, core: &CoreSlots, above: u64, first: u64, scale: u64) {
        let add = |trace: &mut Trace, track, slices: Vec<(u64, u64, &str)>| {
            for (from, until, name) in slices {
                let slice = Slice { from: from * scale, until: until * scale, name: name.into(), ..Slice::default() };
                trace.slice(track, &slice);
            }
        };
        let slots = trace.track("issue slots", Some(above), first);
        let causes = self.of(core).map(|(slot, states)| {
            let cause = WarpState::of_slot(states);
            (cause != WarpState::None).then_some(Drawn { cycle: slot.cycle, name: cause.cause(), alone: false })
        });
        add(trace, slots, self.joined(causes));
        for warp in 0..self.warps {
            let name = format!("warp {}", self.number(core, warp));
            let track = trace.track(&name, Some(above), first + warp as u64 + 1);
            add(trace, track, self.joined(self.of_warp(core, warp)));
        }
    }

    /// What a warp does in each slot in which it has a block.
    fn of_warp<'a>(&'a self, core: &'a CoreSlots, warp: usize) -> impl Iterator<Item = Option<Drawn<'a>>> {
        self.of(core).map(move |(IssueSlot { cycle, issued }, states)| match (states[warp], issued) {
            (WarpState::None, _) => None,
            (WarpState::Issues, Some((_, pc))) => {
                let name = self.instructions.get(pc as usize).map_or("issued", String::as_str);
                Some(Drawn { cycle, name, alone: true })
            }
            (state, _) => Some(Drawn { cycle, name: state.cause(), alone: false }),
        })
    }

    /// Slots as slices.
    fn joined<'a>(&self, slots: impl Iterator<Item = Option<Drawn<'a>>>) -> Vec<(u64, u64, &'a str)> {
        let mut slices: Vec<(u64, u64, &str)> = vec![];
        let mut open = false;
        for slot in slots.flatten() {
            let (from, until) = ((slot.cycle + 1).saturating_sub(self.beats), slot.cycle + 1);
            match slices.last_mut() {
                Some((_, end, name)) if open && !slot.alone && *end == from && *name == slot.name => *end = until,
                _ => slices.push((from, until, slot.name)),
            }
            open = !slot.alone;
        }
        slices
    }
}
