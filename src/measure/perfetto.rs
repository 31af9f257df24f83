//! Traces that Perfetto's viewer and its SQL read: protocol buffers of `perfetto/trace/trace.proto`, as far as they are
//! needed here: tracks in tracks, slices in slices, numbers and texts of a slice, and flows from slice to slice.

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

    /// A number of 64 bits that is always written whole.
    fn fixed(mut self, field: u64, value: u64) -> Self {
        varint(field << 3 | 1, &mut self.0);
        self.0.extend_from_slice(&value.to_le_bytes());
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
    pub const ANNOTATION: u64 = 4;
    pub const KIND: u64 = 9;
    pub const TRACK: u64 = 11;
    pub const NAME: u64 = 23;
    pub const FLOW: u64 = 47;
    pub const BEGIN: u64 = 1;
    pub const END: u64 = 2;
}
mod annotation {
    pub const NUMBER: u64 = 3;
    pub const TEXT: u64 = 6;
    pub const NAME: u64 = 10;
}

/// What is said of a slice.
pub(crate) enum Annotation {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

/// A slice of a track: from one time to another, in nanoseconds, with the slices inside it, which follow one another.
#[derive(Default)]
pub(crate) struct Slice<'a> {
    /// When it begins.
    pub(crate) from: u64,
    /// When it ends; not before it begins.
    pub(crate) until: u64,
    /// Its name.
    pub(crate) name: std::borrow::Cow<'a, str>,
    /// In SQL: `debug.NAME` in the table `args`.
    pub(crate) annotations: Vec<(&'static str, Annotation)>,
    /// Flows that it is part of: a flow joins all slices that have its number, in the order of their time.
    pub(crate) flows: Vec<u64>,
    /// Inside it.
    pub(crate) inner: Vec<Slice<'a>>,
}

/// A file in the making.
#[derive(Default)]
pub(crate) struct Trace {
    file: Message,
    tracks: u64,
}

impl Trace {
    fn packet(&mut self, content: Message) {
        let content = content.number(packet::SEQUENCE, 1);
        self.file = std::mem::take(&mut self.file).message(trace::PACKET, &content);
    }

    /// Adds a track below another one, in this place among its children.
    pub(crate) fn track(&mut self, name: &str, parent: Option<u64>, rank: u64) -> u64 {
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

    /// Adds a slice with all that is inside it. Slices of a track come in the order of their time.
    pub(crate) fn slice(&mut self, track: u64, slice: &Slice) {
        let mut begin = Message::default().number(event::KIND, event::BEGIN).bytes(event::NAME, slice.name.as_bytes());
        for (name, value) in &slice.annotations {
            let about = Message::default().bytes(annotation::NAME, name.as_bytes());
            let about = match value {
                Annotation::Number(value) => about.number(annotation::NUMBER, *value),
                Annotation::Text(text) => about.bytes(annotation::TEXT, text.as_bytes()),
            };
            begin = begin.message(event::ANNOTATION, &about);
        }
        let begin = slice.flows.iter().fold(begin, |begin, &flow| begin.fixed(event::FLOW, flow));
        self.event(track, slice.from, begin);
        slice.inner.iter().for_each(|inner| self.slice(track, inner));
        self.event(track, slice.until, Message::default().number(event::KIND, event::END));
    }

    fn event(&mut self, track: u64, time: u64, event: Message) {
        let event = event.number(event::TRACK, track);
        self.packet(Message::default().number(packet::TIMESTAMP, time).message(packet::TRACK_EVENT, &event));
    }

    /// Its bytes.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.file.0
    }
}
