//! Packet latency, measured at the packet ports from outside the chip.
//!
//! A packet's latency is the number of cycles of the network's clock from the one in which its endpoint showed it to
//! the network interface (`tx_valid`) to the one in which the interface at the destination shows it (`rx_valid`). The
//! hardware carries no time; the simulation's driver looks at the packet ports each cycle and tells the monitor, which
//! matches packets by class, source, destination, write and tag (equal packets in flight are matched in order).

use super::{
    memory_path::MemoryPath,
    saved::{DamagedState, StateReader, StateWriter, Stateful},
};
use rtl::{chip::Chip, noc::MessageClass};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// What identifies a packet in flight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PacketKey {
    /// Message class.
    pub class: MessageClass,
    /// Sender's node.
    pub source: u32,
    /// Receiver's node.
    pub destination: u32,
    /// Write request or write reply.
    pub write: bool,
    /// Transaction number.
    pub tag: u64,
}

/// Number of packets and what their latencies add up to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Latency {
    /// Packets delivered.
    pub packets: u64,
    /// Sum of their latencies in cycles.
    pub cycles: u64,
    /// Longest latency in cycles.
    pub longest: u64,
}

impl Latency {
    /// Mean in cycles; `None` when no packet was delivered.
    pub fn mean(&self) -> Option<f64> {
        (self.packets > 0).then(|| self.cycles as f64 / self.packets as f64)
    }
}

/// Measures packet latency by class.
#[derive(Clone, Debug, Default)]
pub struct LatencyMonitor {
    open: FxHashMap<PacketKey, VecDeque<u64>>,
    requests: Latency,
    replies: Latency,
    path: MemoryPath,
}

impl LatencyMonitor {
    /// Of the packets of a chip.
    pub fn new(chip: &Chip) -> Self {
        Self { path: MemoryPath::new(chip), ..Self::default() }
    }

    /// Where reads have spent their time.
    pub fn path(&self) -> &MemoryPath {
        &self.path
    }

    /// A core sends a request with this header.
    pub fn asks(&mut self, core: u32, header: u64) {
        self.path.asks(core, header);
    }

    /// A packet was handed to its network interface in `cycle`.
    pub fn sent(&mut self, cycle: u64, packet: PacketKey) {
        self.path.sent(cycle, &packet);
        self.open.entry(packet).or_default().push_back(cycle);
    }

    /// A packet was delivered in `cycle`. The result is its latency; `None` when no such packet is in flight.
    pub fn received(&mut self, cycle: u64, packet: PacketKey) -> Option<u64> {
        let waiting = self.open.get_mut(&packet)?;
        let sent = waiting.pop_front()?;
        if waiting.is_empty() {
            self.open.remove(&packet);
        }
        let latency = cycle - sent;
        self.path.received(cycle, &packet, latency);
        let sum = match packet.class {
            MessageClass::Request => &mut self.requests,
            MessageClass::Reply => &mut self.replies,
        };
        sum.packets += 1;
        sum.cycles += latency;
        sum.longest = sum.longest.max(latency);
        Some(latency)
    }

    /// Packets of a class delivered so far.
    pub fn latency(&self, class: MessageClass) -> Latency {
        match class {
            MessageClass::Request => self.requests,
            MessageClass::Reply => self.replies,
        }
    }

    /// Packets on their way.
    pub fn in_flight(&self) -> usize {
        self.open.values().map(VecDeque::len).sum()
    }
}

impl Stateful for LatencyMonitor {
    fn save(&self, to: &mut StateWriter) {
        let open: BTreeMap<SavedKey, _> = self.open.iter().map(|(key, since)| (saved_key(key), since)).collect();
        to.put(&(open, self.requests, self.replies));
        self.path.save(to);
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        let open: BTreeMap<SavedKey, VecDeque<u64>>;
        (open, self.requests, self.replies) = from.take()?;
        self.open = open.into_iter().map(|(key, since)| (restored_key(key), since)).collect();
        self.path.restore(from)
    }
}

/// A key as it is saved: is it a reply; source, destination; is it a write; tag.
type SavedKey = (bool, u32, u32, bool, u64);

fn saved_key(&PacketKey { class, source, destination, write, tag }: &PacketKey) -> SavedKey {
    (class == MessageClass::Reply, source, destination, write, tag)
}

fn restored_key((reply, source, destination, write, tag): SavedKey) -> PacketKey {
    PacketKey { class: saved_class(reply), source, destination, write, tag }
}

/// The class of packets that are replies or not.
pub(super) fn saved_class(reply: bool) -> MessageClass {
    if reply { MessageClass::Reply } else { MessageClass::Request }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_matched_in_order() {
        let key = PacketKey { class: MessageClass::Request, source: 1, destination: 2, write: false, tag: 7 };
        let mut monitor = LatencyMonitor::default();
        monitor.sent(10, key);
        monitor.sent(12, key);
        assert_eq!(monitor.received(30, PacketKey { tag: 8, ..key }), None);
        assert_eq!((monitor.received(30, key), monitor.received(31, key)), (Some(20), Some(19)));
        assert_eq!(monitor.latency(MessageClass::Request), Latency { packets: 2, cycles: 39, longest: 20 });
        assert_eq!((monitor.in_flight(), monitor.latency(MessageClass::Reply).mean()), (0, None));
    }
}
