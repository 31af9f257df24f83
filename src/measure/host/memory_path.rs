//! Where reads spend their time, seen at the packet ports from outside of the chip: on the way to memory, there, on the
//! way back. The hardware carries no time. What the controllers do with a read is in their own statistics.

use super::{
    monitor::PacketKey,
    saved::{DamagedState, StateReader, StateWriter, Stateful},
};
use rtl::{
    chip::Chip,
    memory::{AddressMap, WriteReply, protocol::Protocol},
    noc::MessageClass,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Cycles that something took, each time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Durations {
    /// How often.
    pub count: u64,
    /// Cycles in all.
    pub sum: u64,
    /// The longest.
    pub longest: u64,
    /// Bucket `i` has those below 2^i cycles that are in no bucket before.
    pub histogram: Vec<u64>,
}

impl Durations {
    fn add(&mut self, cycles: u64) {
        self.count += 1;
        self.sum += cycles;
        self.longest = self.longest.max(cycles);
        let bucket = (u64::BITS - cycles.leading_zeros()) as usize;
        if self.histogram.len() <= bucket {
            self.histogram.resize(bucket + 1, 0);
        }
        self.histogram[bucket] += 1;
    }

    /// Mean in cycles; `None` when there was nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// What a core has asked memory for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoreRequests {
    /// Read requests; fences, too.
    pub reads: u64,
    /// Write requests.
    pub writes: u64,
    /// Requests for the row that this core's last request to the bank was for.
    pub row_hits: u64,
    /// From the packet of a read at the core to its reply there.
    pub reads_take: Durations,
}

/// One read: core, memory node, tag.
type ReadInFlight = (u32, u32, u64);

/// Reads on their way, and what they took; cycles of the network.
#[derive(Clone, Debug, Default)]
pub struct MemoryPath {
    /// From core to memory.
    pub to_memory: Durations,
    /// Queues, L2, DRAM, and waiting for the network.
    pub at_memory: Durations,
    /// From memory to core.
    pub to_core: Durations,
    /// By the core's node.
    pub cores: BTreeMap<u32, CoreRequests>,
    /// Packets that each node has sent: reads (or replies to them), writes.
    pub sent: BTreeMap<u32, [u64; 2]>,
    left: FxHashMap<ReadInFlight, VecDeque<u64>>,
    arrived: FxHashMap<ReadInFlight, VecDeque<u64>>,
    /// A fence is asked for as a read and answered as a write.
    fences: bool,
    map: Option<(AddressMap, Protocol)>,
    rows: FxHashMap<(u32, usize, u32), u32>,
}

impl MemoryPath {
    /// Of a chip whose rows are known.
    pub fn new(chip: &Chip) -> Self {
        let map = Some((chip.map().clone(), chip.core().protocol()));
        Self { fences: chip.config().memory.write_reply == WriteReply::None, map, ..Self::default() }
    }

    /// The header of a request that a core sends.
    pub fn asks(&mut self, core: u32, header: u64) {
        let Some((map, protocol)) = &self.map else { return };
        let line = header & ((1 << protocol.line_number_bits()) - 1);
        let at = map.locate((line << protocol.offset_bits()) as u32);
        let last = self.rows.insert((core, at.controller, at.bank), at.row);
        self.cores.entry(core).or_default().row_hits += u64::from(last == Some(at.row));
    }

    pub(super) fn sent(&mut self, cycle: u64, packet: &PacketKey) {
        self.sent.entry(packet.source).or_default()[usize::from(packet.write)] += 1;
        match packet.class {
            MessageClass::Request => {
                let core = self.cores.entry(packet.source).or_default();
                *(if packet.write { &mut core.writes } else { &mut core.reads }) += 1;
                if !packet.write {
                    let read = (packet.source, packet.destination, packet.tag);
                    self.left.entry(read).or_default().push_back(cycle);
                }
            }
            MessageClass::Reply if !packet.write || self.fences => {
                let read = (packet.destination, packet.source, packet.tag);
                if let Some(since) = self.arrived.get_mut(&read).and_then(VecDeque::pop_front) {
                    self.at_memory.add(cycle - since);
                }
            }
            MessageClass::Reply => {}
        }
    }

    pub(super) fn received(&mut self, cycle: u64, packet: &PacketKey, latency: u64) {
        match packet.class {
            MessageClass::Request if !packet.write => {
                self.to_memory.add(latency);
                let read = (packet.source, packet.destination, packet.tag);
                self.arrived.entry(read).or_default().push_back(cycle);
            }
            MessageClass::Reply if !packet.write || self.fences => {
                self.to_core.add(latency);
                let read = (packet.destination, packet.source, packet.tag);
                if let Some(since) = self.left.get_mut(&read).and_then(VecDeque::pop_front) {
                    self.cores.entry(packet.destination).or_default().reads_take.add(cycle - since);
                }
            }
            _ => {}
        }
    }
}

impl Stateful for MemoryPath {
    fn save(&self, to: &mut StateWriter) {
        let in_order = |reads: &FxHashMap<ReadInFlight, VecDeque<u64>>| -> BTreeMap<ReadInFlight, VecDeque<u64>> {
            reads.iter().map(|(&read, since)| (read, since.clone())).collect()
        };
        to.put(&(&self.to_memory, &self.at_memory, &self.to_core, &self.cores, &self.sent));
        let rows: BTreeMap<_, _> = self.rows.iter().collect();
        to.put(&(in_order(&self.left), in_order(&self.arrived), rows));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        (self.to_memory, self.at_memory, self.to_core, self.cores, self.sent) = from.take()?;
        (self.left, self.arrived, self.rows) = from.take()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_followed_through_its_stages() {
        let key = |class, source, destination| PacketKey { class, source, destination, write: false, tag: 3 };
        let (request, reply) = (key(MessageClass::Request, 1, 9), key(MessageClass::Reply, 9, 1));
        let mut path = MemoryPath::default();
        path.sent(10, &request);
        path.received(15, &request, 5);
        path.sent(45, &reply);
        path.received(52, &reply, 7);
        let means = [&path.to_memory, &path.at_memory, &path.to_core].map(|stage| stage.mean());
        assert_eq!(means, [Some(5.0), Some(30.0), Some(7.0)]);
        let core = &path.cores[&1];
        assert_eq!((core.reads, core.reads_take.sum, core.reads_take.histogram.len()), (1, 42, 7));
        assert_eq!(path.sent[&9], [1, 0]);
    }
}
