//! *Behavioural*: a perfect memory behind the packet ports of the cores, for limit studies. Never exported.
//!
//! A request that a core shows in cycle t is carried out, and its reply is shown, in t: every access takes no time but
//! that of the core itself. Requests of one cycle are carried out in the order of the nodes.
//!
//! Source: A. Bakhoda's thesis (2014), figure 3.7; A. Bakhoda and T. Aamodt (CMP-MSI 2008), figures 1 and 4.

use super::{
    HostError, LatencyMonitor, Pins,
    device::{DramDevice, LineAccess, pack, unpack},
    ideal::{IdealPacket, NodePins},
    memory_checks::BufferLines,
    saved::{DamagedState, StateReader, StateWriter, Stateful},
};
use rtl::{
    chip::Chip,
    memory::{AddressMap, packets::MemoryPackets},
    noc::MessageClass,
};
use sim::SimError;

/// The memory, with the packet ports of all cores.
pub(super) struct PerfectMemory<P: Pins> {
    ports: Vec<NodePins<P>>,
    packets: MemoryPackets,
    map: AddressMap,
}

impl<P: Pins> PerfectMemory<P> {
    /// At the packet pins of `model`, a chip of cores alone.
    pub fn new(chip: &Chip, model: &P) -> Result<Self, SimError> {
        let ports = chip.core_nodes().iter().map(|&node| NodePins::new(chip, model, node, MessageClass::Request));
        Ok(Self { ports: ports.collect::<Result<_, _>>()?, packets: chip.packets(), map: chip.map().clone() })
    }

    /// Forgets every reply: the chip is being reset.
    pub fn restart(&mut self, chip: &Chip) {
        for port in &mut self.ports {
            port.waiting.clear();
            port.places = chip.interface(MessageClass::Request).rx_queue_packets;
        }
    }

    /// One cycle: what the cores ask for, on `devices`, in which it may touch `lines` alone. Returns whether there was anything.
    pub fn cycle(
        &mut self,
        model: &mut P,
        cycle: u64,
        latency: &mut LatencyMonitor,
        lines: Option<&BufferLines>,
        devices: &mut [DramDevice],
    ) -> Result<bool, HostError> {
        let mut moved = false;
        for port in &mut self.ports {
            port.places += model.peek_at(port.taken) as usize;
            if let Some(request) = port.sent(model) {
                latency.sent(cycle, request.key());
                latency.asks(request.source, MemoryPackets::header(&request.payload));
                latency.received(cycle, request.key());
                let access = access(&self.packets, &request);
                let channel = self.map.controller(access.address);
                if let Some(lines) = lines {
                    let (address, bytes) = (Some(access.address), self.packets.protocol.line_bytes);
                    lines.allow(LineAccess { channel, cycle, address, bytes, write: request.write })?;
                }
                let reply = answer(&self.packets, request, &access, &mut devices[channel]);
                latency.sent(cycle, reply.key());
                port.waiting.push_back((cycle, reply));
            }
            moved |= port.deliver(model, cycle, latency);
        }
        Ok(moved)
    }
}

impl<P: Pins> Stateful for PerfectMemory<P> {
    fn save(&self, to: &mut StateWriter) {
        self.ports.iter().for_each(|port| port.save(to));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        self.ports.iter_mut().try_for_each(|port| port.restore(from))
    }
}

/// What a request header says.
struct RequestHeader {
    address: u32,
    /// Bytes that a write changes.
    mask: u128,
}

fn access(packets: &MemoryPackets, request: &IdealPacket) -> RequestHeader {
    let (header, protocol) = (MemoryPackets::header(&request.payload), &packets.protocol);
    let line_bits = protocol.line_number_bits();
    let line = header & ((1 << line_bits) - 1);
    let (words, bytes) = (header >> line_bits, header >> (line_bits + protocol.words()) & 0xf);
    let written = |byte: u32| words >> (byte / 4) & 1 == 1 && bytes >> (byte % 4) & 1 == 1;
    let mask = (0..protocol.line_bytes).filter(|&byte| written(byte)).fold(0, |mask, byte| mask | 1u128 << byte);
    RequestHeader { address: (line << protocol.offset_bits()) as u32, mask }
}

/// Carries a request out.
fn answer(
    packets: &MemoryPackets,
    request: IdealPacket,
    access: &RequestHeader,
    device: &mut DramDevice,
) -> IdealPacket {
    let (mut line, bytes) =
        (unpack(&packets.line(MessageClass::Request, &request.payload)), packets.protocol.line_bytes);
    for byte in 0..bytes {
        let address = access.address + byte;
        if !request.write {
            line[byte as usize] = device.peek(address);
        } else if access.mask >> byte & 1 == 1 {
            device.poke(address, line[byte as usize]);
        }
    }
    let payload = pack(&line, bytes);
    IdealPacket { source: request.dest, dest: request.source, class: MessageClass::Reply, payload, ..request }
}
