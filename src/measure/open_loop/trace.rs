//! A trace: packets one by one, as a file says them.
//!
//! ```text
//!   cycle,source,dest,flits,class,after     class: request (if nothing is said) or reply
//!   0,0,5,1,request,                        after: number of an earlier packet, from 1 on in the order of the file
//!   10,5,0,4,reply,1
//! ```
//!
//! A packet is created in its cycle or, if it comes after another one, in the cycle behind the one in which that has
//! arrived, whichever is later. The trace is done when all its packets have arrived.
//!
//! Source of dependencies: J. Hestness, B. Grot and S. W. Keckler, *Netrace: dependency-driven trace-based
//! network-on-chip simulation* (2010).

use super::{
    Pattern,
    flight::{PacketInFlight, Underway},
    table::{self, TableError},
    traffic::{MOST_FLITS, Traffic, Transaction},
};
use rtl::noc::{Flow, MessageClass, Nodes};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

/// Cycles in which packets may be created.
const LAST_CYCLE: u64 = 1_000_000_000;

/// A packet of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TracedPacket {
    line: u64,
    cycle: u64,
    flow: Flow,
    flits: u32,
    /// Index of the packet that has to arrive before.
    after: Option<usize>,
}

/// See the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    file: String,
    packets: Vec<TracedPacket>,
}

impl Trace {
    /// Reads `text`, the content of `file`. Errors: a number out of range, a packet that comes after itself or a later one.
    pub fn read(file: &str, text: &str) -> Result<Self, TableError> {
        let mut count = 0;
        let columns: (&[&str], &[&str]) = (&["cycle", "source", "dest", "flits"], &["class", "after"]);
        let packets = table::read(file, text, columns, |row| {
            let class = match row.text("class") {
                None | Some("request") => MessageClass::Request,
                Some("reply") => MessageClass::Reply,
                Some(other) => return Err(row.wrong(format!("class = {other}"), "request, reply")),
            };
            let after = match (row.text("after"), count) {
                (None, _) => None,
                (Some(after), 0) => {
                    return Err(row.wrong(format!("after = {after}"), "nothing, as there is no earlier packet"));
                }
                (Some(_), last) => Some(row.number("after", 1..=last)? - 1),
            };
            count += 1;
            Ok(TracedPacket {
                line: row.line,
                cycle: row.number("cycle", 0..=LAST_CYCLE)?,
                flow: Flow {
                    class,
                    source: row.number("source", 0..=u32::MAX)?,
                    dest: row.number("dest", 0..=u32::MAX)?,
                },
                flits: row.number("flits", 1..=MOST_FLITS)?,
                after,
            })
        })?;
        Ok(Self { file: file.into(), packets })
    }

    /// Errors: a node that is not there, or has nothing attached.
    pub fn check(&self, nodes: &Nodes) -> Result<(), TableError> {
        for TracedPacket { line, flow: Flow { source, dest, .. }, .. } in &self.packets {
            table::check_nodes((&self.file, *line), [*source, *dest], nodes)?;
        }
        Ok(())
    }

    /// Packets, and their flits.
    pub fn size(&self) -> (usize, u64) {
        (self.packets.len(), self.packets.iter().map(|packet| u64::from(packet.flits)).sum())
    }

    /// The last cycle that it names.
    pub fn last_cycle(&self) -> u64 {
        self.packets.iter().map(|packet| packet.cycle).max().unwrap_or(0)
    }

    /// Who sends what to whom, each once.
    pub fn flows(&self) -> BTreeSet<Flow> {
        self.packets.iter().map(|packet| packet.flow).collect()
    }

    /// Every packet's flow and flits.
    pub fn packets(&self) -> impl Iterator<Item = (Flow, u32)> {
        self.packets.iter().map(|packet| (packet.flow, packet.flits))
    }

    /// What is as long as its longest packets, for the widths of the hardware.
    pub(super) fn longest_packets(&self) -> Traffic {
        let most = |class| {
            let of_class = self.packets.iter().filter(move |packet| packet.flow.class == class);
            of_class.map(|packet| packet.flits).max()
        };
        let reply = most(MessageClass::Reply);
        let longest = Transaction { share: 1.0, request: most(MessageClass::Request).unwrap_or(1), reply };
        Traffic::new(Pattern::Uniform, vec![longest])
    }
}

/// When a packet of a trace was where, cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Number of the packet, from 0 on in the order of the file.
    pub packet: usize,
    /// In front of its injector.
    pub created: u64,
    /// Its head was on the injection channel.
    pub injected: Option<u64>,
    /// Its tail was on the ejection channel.
    pub arrived: u64,
}

/// A trace that is sent.
pub(super) struct TraceSource<'a> {
    trace: &'a Trace,
    /// By packet: those that come after it.
    followers: Vec<Vec<usize>>,
    /// Cycle and number of those that wait for nothing but their cycle.
    due: BinaryHeap<Reverse<(u64, usize)>>,
    /// Not created.
    left: usize,
    /// In the order of their arrival.
    deliveries: Vec<Delivery>,
}

impl<'a> TraceSource<'a> {
    pub fn new(trace: &'a Trace) -> Self {
        let mut followers = vec![vec![]; trace.packets.len()];
        let mut due = BinaryHeap::new();
        for (number, packet) in trace.packets.iter().enumerate() {
            match packet.after {
                Some(before) => followers[before].push(number),
                None => due.push(Reverse((packet.cycle, number))),
            }
        }
        Self { trace, followers, due, left: trace.packets.len(), deliveries: vec![] }
    }

    /// The next packet that is created in cycle `now`.
    pub fn next(&mut self, now: u64) -> Option<PacketInFlight> {
        let &Reverse((cycle, number)) = self.due.peek()?;
        if cycle > now {
            return None;
        }
        self.due.pop();
        self.left -= 1;
        let TracedPacket { flow: Flow { class, source, dest }, flits, .. } = self.trace.packets[number];
        let reply = class == MessageClass::Reply;
        Some(PacketInFlight {
            source,
            dest,
            reply,
            flits,
            owed: None,
            created: now,
            measured: true,
            traced: Some(number),
            number: 0,
        })
    }

    /// A packet has arrived in cycle `now`: those after it may go.
    pub fn arrived(&mut self, whole: &Underway, now: u64) {
        let Some(number) = whole.packet.traced else { return };
        let Underway { packet: PacketInFlight { created, .. }, injected, .. } = *whole;
        self.deliveries.push(Delivery { packet: number, created, injected, arrived: now });
        for &follower in &self.followers[number] {
            self.due.push(Reverse((self.trace.packets[follower].cycle.max(now + 1), follower)));
        }
    }

    /// Packets that have arrived, in the order of their arrival.
    pub fn deliveries(self) -> Vec<Delivery> {
        self.deliveries
    }

    /// Every packet has been created.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }
}
