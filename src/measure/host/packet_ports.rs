//! The packet ports of a chip, for the latency monitor and timelines.

use super::monitor::{LatencyMonitor, PacketKey};
use hdl::{Bits, Tap};
use rtl::{
    chip::Chip,
    memory::packets::MemoryPackets,
    noc::{MessageClass, packet::*},
};
use sim::{OutputHandle, SimError, Simulator};

/// Looks at the packet ports inside the chip; returns whether a packet moved.
pub(super) type Monitor<P> = Box<dyn FnMut(&mut P, &mut LatencyMonitor) -> bool>;

/// The monitor of all packet ports of `chip` that `simulator` simulates.
pub(super) fn packet_ports(chip: &Chip, simulator: &Simulator) -> Result<Monitor<Simulator>, SimError> {
    let ports = PacketPort::all(chip, simulator)?;
    let [_, noc, ..] = chip.config().clocks.domains();
    let clock = simulator.clock(noc)?;
    Ok(Box::new(move |simulator: &mut Simulator, latency: &mut LatencyMonitor| {
        let cycle = simulator.cycle_of(clock);
        ports.iter().fold(false, |moved, port| port.observe(simulator, cycle, latency) | moved)
    }))
}

/// An endpoint's packet port, in the clock of the network: packets of cores count when they have come to it.
pub(crate) struct PacketPort {
    node: u32,
    sends: MessageClass,
    packets: MemoryPackets,
    /// valid, peer's node, sideband.
    sent: [OutputHandle; 3],
    payload: OutputHandle,
    received: [OutputHandle; 3],
}

impl PacketPort {
    /// Those of all cores and memory nodes, of a chip that has routers.
    pub(crate) fn all(chip: &Chip, simulator: &Simulator) -> Result<Vec<Self>, SimError> {
        let port = |node: usize, sends: MessageClass| {
            let at = |tap: Tap| tap.at(node as u32);
            let sent = [SENT, SENT_DEST, SENT_SIDEBAND, SENT_PAYLOAD].map(at);
            let [valid, dest, sideband, payload] = simulator.part_tap(sent)?;
            let received = simulator.part_tap([RECEIVED, RECEIVED_SRC, RECEIVED_SIDEBAND].map(at))?;
            let (node, packets, sent) = (node as u32, chip.packets(), [valid, dest, sideband]);
            Ok(Self { node, sends, packets, sent, payload, received })
        };
        let cores = chip.core_nodes().iter().map(|&node| port(node, MessageClass::Request));
        cores.chain(chip.memory_nodes().iter().map(|&node| port(node, MessageClass::Reply))).collect()
    }

    /// The packet that the endpoint hands over in this cycle.
    pub(crate) fn sent(&self, simulator: &mut Simulator) -> Option<PacketKey> {
        if simulator.peek_at(self.sent[0]) == 0 {
            return None;
        }
        let [peer, sideband] = [1, 2].map(|i| simulator.peek_at(self.sent[i]));
        let (write, tag) = self.packets.write_and_tag(sideband);
        Some(PacketKey { class: self.sends, source: self.node, destination: peer as u32, write, tag })
    }

    /// Its payload.
    pub(crate) fn payload(&self, simulator: &mut Simulator) -> Bits {
        simulator.peek_bits_at(self.payload)
    }

    /// The packet that is handed to the endpoint in this cycle.
    pub(crate) fn received(&self, simulator: &mut Simulator) -> Option<PacketKey> {
        if simulator.peek_at(self.received[0]) == 0 {
            return None;
        }
        let [peer, sideband] = [1, 2].map(|i| simulator.peek_at(self.received[i]));
        let (write, tag) = self.packets.write_and_tag(sideband);
        Some(PacketKey { class: self.sends.other(), source: peer as u32, destination: self.node, write, tag })
    }

    /// Tells the monitor about the packets of this cycle; returns whether there was one.
    fn observe(&self, simulator: &mut Simulator, cycle: u64, latency: &mut LatencyMonitor) -> bool {
        let sent = self.sent(simulator);
        if let Some(packet) = sent {
            latency.sent(cycle, packet);
            if self.sends == MessageClass::Request {
                latency.asks(packet.source, MemoryPackets::header(&self.payload(simulator)));
            }
        }
        let received = self.received(simulator);
        if let Some(packet) = received {
            latency.received(cycle, packet);
        }
        sent.is_some() | received.is_some()
    }
}
