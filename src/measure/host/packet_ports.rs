//! The packet ports of a chip, for the latency monitor and timelines.

use super::monitor::{LatencyMonitor, PacketKey};
use hdl::{Bits, PortName};
use rtl::{chip::Chip, memory::packets::MemoryPackets, noc::MessageClass};
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

/// An endpoint's packet port, in the clock of the network.
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
        let [core_clock, noc, ..] = chip.config().clocks.domains();
        let packets = chip.packets();
        let fabric = chip.fabric();
        let receiving_tile = |node: usize| fabric.endpoints().receiving_tile(fabric.params().nodes.node(node as u32));
        // Packets of cores count when they have come to the network's clock.
        let core = |(i, &node): (usize, &usize)| {
            let sender = if noc == core_clock { ("core", i, "tx") } else { ("crossing", node, "net_tx") };
            let receiver = receiving_tile(node);
            Self::new(simulator, packets, [&sender.text(), &receiver], (node as u32, MessageClass::Request))
        };
        let memory = |(c, &node): (usize, &usize)| {
            let receiver = receiving_tile(node);
            let sender = ("memory", c, "tx").text();
            Self::new(simulator, packets, [&sender, &receiver], (node as u32, MessageClass::Reply))
        };
        let cores = chip.core_nodes().iter().enumerate().map(core);
        cores.chain(chip.memory_nodes().iter().enumerate().map(memory)).collect()
    }

    /// Of a node whose packets leave at `sender` and come at the tile `receiver`.
    fn new(
        simulator: &Simulator,
        packets: MemoryPackets,
        [sender, receiver]: [&str; 2],
        (node, sends): (u32, MessageClass),
    ) -> Result<Self, SimError> {
        let net = |side: &dyn PortName, field: &str| simulator.net(&(side, field).text());
        let [valid, dest, sideband] = ["valid", "dest", "sideband"].map(|field| net(&sender, field));
        let sent = [valid?, dest?, sideband?];
        let payload = net(&sender, "payload")?;
        let receiver = (receiver, "rx");
        let [valid, src, sideband] = ["valid", "src", "sideband"].map(|field| net(&receiver, field));
        Ok(Self { node, sends, packets, sent, payload, received: [valid?, src?, sideband?] })
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
