//! The packet ports of a chip, for the latency monitor.

use super::monitor::{LatencyMonitor, PacketKey};
use hdl::PortName;
use rtl::{chip::Chip, memory::packets::MemoryPackets, noc::MessageClass};
use sim::{OutputHandle, SimError, Simulator};

/// Looks at the packet ports inside the chip; returns whether a packet moved.
pub(super) type Monitor<P> = Box<dyn FnMut(&mut P, &mut LatencyMonitor) -> bool>;

/// The monitor of all packet ports of `chip` that `simulator` simulates.
pub(super) fn packet_ports(chip: &Chip, simulator: &Simulator) -> Result<Monitor<Simulator>, SimError> {
    let [core_clock, noc, ..] = chip.config().clocks.domains();
    let packets = chip.packets();
    let fabric = chip.fabric();
    let receiving_tile = |node: usize| fabric.endpoints().receiving_tile(fabric.params().nodes.node(node as u32));
    // Packets of cores count when they have come to the network's clock.
    let core = |(i, &node): (usize, &usize)| {
        let sender = if noc == core_clock { ("core", i, "tx") } else { ("crossing", node, "net_tx") };
        let receiver = receiving_tile(node);
        PacketPort::new(simulator, packets, [&sender.text(), &receiver], (node as u32, MessageClass::Request))
    };
    let memory = |(c, &node): (usize, &usize)| {
        let receiver = receiving_tile(node);
        PacketPort::new(
            simulator,
            packets,
            [&("memory", c, "tx").text(), &receiver],
            (node as u32, MessageClass::Reply),
        )
    };
    let cores = chip.core_nodes().iter().enumerate().map(core);
    let ports: Vec<_> =
        cores.chain(chip.memory_nodes().iter().enumerate().map(memory)).collect::<Result<_, SimError>>()?;
    let clock = simulator.clock(noc)?;
    Ok(Box::new(move |simulator: &mut Simulator, latency: &mut LatencyMonitor| {
        let cycle = simulator.cycle_of(clock);
        ports.iter().fold(false, |moved, port| port.observe(simulator, cycle, latency) | moved)
    }))
}

/// An endpoint's packet port, as the latency monitor sees it.
struct PacketPort {
    node: u32,
    sends: MessageClass,
    packets: MemoryPackets,
    /// valid, peer's node, sideband.
    sent: [OutputHandle; 3],
    payload: OutputHandle,
    received: [OutputHandle; 3],
}

impl PacketPort {
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

    /// Tells the monitor about the packets of this cycle; returns whether there was one.
    fn observe(&self, simulator: &mut Simulator, cycle: u64, latency: &mut LatencyMonitor) -> bool {
        let sent = simulator.peek_at(self.sent[0]) == 1;
        if sent {
            let [peer, sideband] = [1, 2].map(|i| simulator.peek_at(self.sent[i]));
            let (write, tag) = self.packets.write_and_tag(sideband);
            let (source, destination) = (self.node, peer as u32);
            latency.sent(cycle, PacketKey { class: self.sends, source, destination, write, tag });
            if self.sends == MessageClass::Request {
                latency.asks(source, MemoryPackets::header(&simulator.peek_bits_at(self.payload)));
            }
        }
        let received = simulator.peek_at(self.received[0]) == 1;
        if received {
            let [peer, sideband] = [1, 2].map(|i| simulator.peek_at(self.received[i]));
            let (write, tag) = self.packets.write_and_tag(sideband);
            let (class, source, destination) = (self.sends.other(), peer as u32, self.node);
            latency.received(cycle, PacketKey { class, source, destination, write, tag });
        }
        sent | received
    }
}
