//! Transactions that wait, their lines of data apart: of most queues only some transactions have one.
//!
//! ```text
//!  push, head ---->| heads |--> valid, head, full
//!  push, line ---->| lines |--> line
//! ```
//!
//! Contract: that of both queues ([`fifo()`]). The user says when a line enters and leaves; it is to leave with the head that it
//! has entered with. `full` is that of the heads, as there are never more lines.

use blocks::{Fifo, FifoParams, fifo};
use hdl::{Builder, Signal};

/// The two queues.
#[derive(Clone, Copy)]
pub struct LineQueue<'m> {
    heads: Fifo<'m>,
    lines: Fifo<'m>,
}

impl<'m> LineQueue<'m> {
    /// Queues of `depth` words each: names and widths of heads and lines.
    pub fn new(m: &'m Builder, depth: usize, heads: (&str, u32), lines: (&str, u32)) -> Self {
        let queue =
            |(name, width): (&str, u32)| Fifo(m.instance(name, &fifo(FifoParams { depth, width, registered: false })));
        Self { heads: queue(heads), lines: queue(lines) }
    }

    /// A head enters, and a line, each with its own signal.
    pub fn push(self, (push_head, head): (Signal<'m>, Signal<'m>), (push_line, line): (Signal<'m>, Signal<'m>)) {
        self.heads.push(push_head);
        self.heads.push_data(head);
        self.lines.push(push_line);
        self.lines.push_data(line);
    }

    /// The oldest head leaves, and the oldest line.
    pub fn pop(self, head: Signal<'m>, line: Signal<'m>) {
        self.heads.pop(head);
        self.lines.pop(line);
    }

    /// A head is there.
    pub fn valid(self) -> Signal<'m> {
        self.heads.valid()
    }

    /// The oldest head.
    pub fn head(self) -> Signal<'m> {
        self.heads.data()
    }

    /// The oldest line.
    pub fn line(self) -> Signal<'m> {
        self.lines.data()
    }

    /// There is no place for another head.
    pub fn full(self) -> Signal<'m> {
        self.heads.full()
    }

    /// Heads that wait.
    pub fn count(self) -> Signal<'m> {
        self.heads.count()
    }
}
