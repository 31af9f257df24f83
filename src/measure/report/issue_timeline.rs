//! Issue slots as a trace that Perfetto's viewer and its SQL read: protocol buffers of `perfetto/trace/trace.proto`.
//!
//! ```text
//!  core0 ─┬─ issue slots  ▐ issued ▐ load-use hazard ▐ issued   ▐   the cause of each slot
//!         ├─ warp 0       ▐ LDG ...▐ load-use hazard ▐ FFMA ... ▐   what issues, or what the warp waits for
//!         └─ warp 1       ▐ ready  ▐ ...
//! ```
//!
//! A cycle is a nanosecond. A slot takes the cycles from the one before to its own; equal ones side by side are a slice,
//! but for instructions, each of which is one.

use super::issue_slots::{CoreSlots, IssueSlot, IssueSlots, WarpState};
use crate::varint::varint;

/// A message of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(mut self, field: u64, value: u64) -> Self {
        varint(field << 3, &mut self.0);
        varint(value, &mut self.0);
        self
    }

    fn bytes(mut self, field: u64, content: &[u8]) -> Self {
        varint(field << 3 | 2, &mut self.0);
        varint(content.len() as u64, &mut self.0);
        self.0.extend_from_slice(content);
        self
    }

    fn message(self, field: u64, content: &Self) -> Self {
        self.bytes(field, &content.0)
    }
}

// Fields and values, as the definition numbers them.
mod trace {
    pub const PACKET: u64 = 1;
}
mod packet {
    pub const TIMESTAMP: u64 = 8;
    pub const SEQUENCE: u64 = 10;
    pub const TRACK_EVENT: u64 = 11;
    pub const TRACK_DESCRIPTOR: u64 = 60;
}
mod descriptor {
    pub const UUID: u64 = 1;
    pub const NAME: u64 = 2;
    pub const PARENT: u64 = 5;
    pub const ORDER_OF_CHILDREN: u64 = 11;
    pub const RANK: u64 = 12;
    /// By their ranks.
    pub const EXPLICIT: u64 = 3;
}
mod event {
    pub const KIND: u64 = 9;
    pub const TRACK: u64 = 11;
    pub const NAME: u64 = 23;
    pub const BEGIN: u64 = 1;
    pub const END: u64 = 2;
}

/// A file in the making.
struct Trace {
    file: Message,
    tracks: u64,
}

impl Trace {
    fn packet(&mut self, content: Message) {
        let content = content.number(packet::SEQUENCE, 1);
        self.file = std::mem::take(&mut self.file).message(trace::PACKET, &content);
    }

    /// Adds a track below another one, in this place.
    fn track(&mut self, name: &str, (parent, rank): (Option<u64>, u64)) -> u64 {
        self.tracks += 1;
        let about = Message::default()
            .number(descriptor::UUID, self.tracks)
            .bytes(descriptor::NAME, name.as_bytes())
            .number(descriptor::ORDER_OF_CHILDREN, descriptor::EXPLICIT)
            .number(descriptor::RANK, rank);
        let about = match parent {
            Some(parent) => about.number(descriptor::PARENT, parent),
            None => about,
        };
        self.packet(Message::default().message(packet::TRACK_DESCRIPTOR, &about));
        self.tracks
    }

    /// Adds slices, each with its first cycle, the one behind its last, and its name.
    fn slices<'a>(&mut self, track: u64, slices: impl IntoIterator<Item = (u64, u64, &'a str)>) {
        for (from, until, name) in slices {
            let begin = Message::default().number(event::KIND, event::BEGIN).bytes(event::NAME, name.as_bytes());
            let end = Message::default().number(event::KIND, event::END);
            for (cycle, event) in [(from, begin), (until, end)] {
                let event = event.number(event::TRACK, track);
                self.packet(Message::default().number(packet::TIMESTAMP, cycle).message(packet::TRACK_EVENT, &event));
            }
        }
    }
}

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
        let mut trace = Trace { file: Message::default(), tracks: 0 };
        for (rank, core) in (0..).zip(&self.cores) {
            let part = if self.parts > 1 { format!(", part {}", core.part) } else { String::new() };
            let above = trace.track(&format!("core{}{part}", core.core), (None, rank));
            let slots = trace.track("issue slots", (Some(above), 0));
            let causes = self.of(core).map(|(slot, states)| {
                let cause = WarpState::of_slot(states);
                (cause != WarpState::None).then_some(Drawn { cycle: slot.cycle, name: cause.cause(), alone: false })
            });
            trace.slices(slots, self.joined(causes));
            for warp in 0..self.warps {
                let name = format!("warp {}", self.number(core, warp));
                let track = trace.track(&name, (Some(above), warp as u64 + 1));
                trace.slices(track, self.joined(self.of_warp(core, warp)));
            }
        }
        trace.file.0
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
