//! *Behavioural*: an ideal network between the packet ports, for limit studies. Never exported.
//!
//! A packet that its endpoint shows in cycle t is shown to the receiver in the same cycle, when the receiver has a
//! place for it and nothing is before it. All senders may send at once. With a limit of bytes, no more bytes than that
//! enter the network in a cycle on average, whoever sends them: packets are let in in the order in which they come, in
//! one cycle by node number, and a packet larger than what is left of a cycle's bytes takes from those of the next
//! ones. With a latency, a packet arrives so many cycles after it has entered. With a limit of flits, packets are let
//! in in that order while fewer have been in the cycle, so the last one may go beyond it.
//!
//! Any number of packets may arrive at one receiver in a cycle, and wait there in a queue without end; its port, which
//! belongs to the endpoint and not to the network, is one packet wide: an L2 bank has one access a cycle, a core writes
//! back one line.
//!
//! Source: A. Bakhoda's thesis (2014), section 4.2.1 and figure 4.5: zero latency and infinite bandwidth; zero latency
//! with an aggregate bandwidth limit; chapter 3: a network of fixed latency.

use crate::host::{
    LatencyMonitor, Pins,
    monitor::{PacketKey, saved_class},
    saved::{DamagedState, SavedBits, StateReader, StateWriter, Stateful, restored_bits, saved_bits},
};
use hdl::{Bits, PortName};
use rtl::{chip::Chip, memory::packets::MemoryPackets, noc::MessageClass};
use sim::SimError;
use std::collections::VecDeque;

/// The network, with the packet ports of all nodes.
pub struct IdealNetwork<P: Pins> {
    ports: Vec<NodePins<P>>,
    /// Port of each node; none at empty ones.
    of_node: Vec<Option<usize>>,
    /// Bytes a cycle; 0: no limit.
    bytes_per_cycle: u64,
    /// Flits in which a cycle's last packet may enter; 0: no limit.
    flits_per_cycle: u32,
    /// Bytes that may still enter. While nobody sends no more is saved up than one cycle's bytes and the longest packet, so that an idle
    /// network starts at once and does not store bandwidth.
    budget: u64,
    /// Cycles on the way.
    latency: u64,
    packets: MemoryPackets,
    entering: VecDeque<IdealPacket>,
}

/// A node's pins.
pub(super) struct NodePins<P: Pins> {
    node: u32,
    sends: MessageClass,
    packets: MemoryPackets,
    /// `tx_valid`, `tx_dest`, `tx_flits`, `tx_sideband`.
    sent: [P::Output; 4],
    payload: P::Output,
    credit: P::Input,
    /// `rx_valid`, `rx_src`, `rx_sideband`; a core has no `rx_src`.
    received: [Option<P::Input>; 3],
    received_payload: P::Input,
    pub(super) taken: P::Output,
    /// Packets that the endpoint can take now.
    pub(super) places: usize,
    /// Packets for it, with the cycle in which each arrives.
    pub(super) waiting: VecDeque<(u64, IdealPacket)>,
    /// `rx_valid` and `tx_credit` are high.
    shows: bool,
    credits: bool,
}

pub(super) struct IdealPacket {
    pub(super) source: u32,
    pub(super) dest: u32,
    pub(super) class: MessageClass,
    pub(super) flits: u32,
    pub(super) write: bool,
    pub(super) tag: u64,
    pub(super) payload: Bits,
}

impl IdealPacket {
    pub(super) fn key(&self) -> PacketKey {
        let IdealPacket { source, dest: destination, class, write, tag, .. } = *self;
        PacketKey { class, source, destination, write, tag }
    }
}

impl<P: Pins> IdealNetwork<P> {
    /// Between the packet pins of `model`, a chip without routers.
    pub fn new(chip: &Chip, model: &P) -> Result<Self, SimError> {
        let (mut ports, mut of_node) = (vec![], vec![None; chip.nodes()]);
        let cores = chip.core_nodes().iter().map(|&node| (node, MessageClass::Request));
        for (node, sends) in cores.chain(chip.memory_nodes().iter().map(|&node| (node, MessageClass::Reply))) {
            of_node[node] = Some(ports.len());
            ports.push(NodePins::new(chip, model, node, sends)?);
        }
        let network = &chip.config().network;
        let (bytes_per_cycle, latency) = (network.ideal_bytes.into(), network.ideal_latency.into());
        let (packets, entering, flits_per_cycle) = (chip.packets(), VecDeque::new(), network.ideal_flits);
        Ok(Self { ports, of_node, bytes_per_cycle, flits_per_cycle, budget: 0, latency, packets, entering })
    }

    /// Forgets every packet: the chip is being reset.
    pub fn restart(&mut self, chip: &Chip) {
        (self.budget, self.entering) = (0, VecDeque::new());
        for port in &mut self.ports {
            port.waiting.clear();
            port.places = chip.interface(port.sends).rx_queue_packets;
        }
    }

    /// One cycle: takes what the endpoints show, gives what may arrive. Returns whether a packet moved.
    pub fn cycle(&mut self, model: &mut P, cycle: u64, latency: &mut LatencyMonitor) -> bool {
        let mut moved = false;
        for port in &mut self.ports {
            port.places += model.peek_at(port.taken) as usize;
            if let Some(packet) = port.sent(model) {
                latency.sent(cycle, packet.key());
                if packet.class == MessageClass::Request {
                    latency.asks(packet.source, MemoryPackets::header(&packet.payload));
                }
                self.entering.push_back(packet);
                moved = true;
            }
        }
        let longest = u64::from(self.packets.bits(MessageClass::Request, true) / 8);
        self.budget = (self.budget + self.bytes_per_cycle).min(self.bytes_per_cycle + longest);
        let mut flits = 0;
        while let Some(packet) = self.entering.front() {
            if self.flits_per_cycle > 0 && flits >= self.flits_per_cycle {
                break;
            }
            flits += packet.flits;
            let bytes = u64::from(self.packets.bits(packet.class, packet.write).div_ceil(8));
            if self.bytes_per_cycle > 0 {
                if self.budget < bytes {
                    break;
                }
                self.budget -= bytes;
            }
            let to = self.of_node[packet.dest as usize].expect("endpoints send to endpoints");
            let packet = self.entering.pop_front().expect("it is the front");
            self.ports[to].waiting.push_back((cycle + self.latency, packet));
        }
        for port in &mut self.ports {
            moved |= port.deliver(model, cycle, latency);
        }
        moved
    }
}

impl<P: Pins> NodePins<P> {
    /// Of `node`, which sends packets of a class.
    pub(super) fn new(chip: &Chip, model: &P, node: usize, sends: MessageClass) -> Result<Self, SimError> {
        let output = |field: &str| model.output(&("node", node, field).text());
        let input = |field: &str| model.input(&("node", node, field).text());
        let [valid, dest, flits, sideband] = ["tx_valid", "tx_dest", "tx_flits", "tx_sideband"].map(output);
        let at_memory = sends == MessageClass::Reply;
        let [valid_in, sideband_in] = ["rx_valid", "rx_sideband"].map(input);
        let source = if at_memory { Some(input("rx_src")?) } else { None };
        Ok(Self {
            node: node as u32,
            sends,
            packets: chip.packets(),
            sent: [valid?, dest?, flits?, sideband?],
            payload: output("tx_payload")?,
            credit: input("tx_credit")?,
            received: [Some(valid_in?), source, Some(sideband_in?)],
            received_payload: input("rx_payload")?,
            taken: output("rx_credit")?,
            places: chip.interface(sends).rx_queue_packets,
            waiting: VecDeque::new(),
            shows: false,
            credits: false,
        })
    }

    /// The packet that the endpoint shows; its place is free again at once.
    pub(super) fn sent(&mut self, model: &mut P) -> Option<IdealPacket> {
        let valid = model.peek_at(self.sent[0]) == 1;
        if valid != self.credits {
            model.poke_at(self.credit, valid.into());
            self.credits = valid;
        }
        let [_, dest, flits, sideband] = self.sent.map(|pin| if valid { model.peek_at(pin) } else { 0 });
        let (write, tag) = self.packets.write_and_tag(sideband);
        valid.then(|| IdealPacket {
            source: self.node,
            dest: dest as u32,
            class: self.sends,
            flits: flits as u32,
            write,
            tag,
            payload: model.peek_bits_at(self.payload),
        })
    }

    /// Shows the oldest packet that has arrived to the endpoint, if it has a place.
    pub(super) fn deliver(&mut self, model: &mut P, cycle: u64, latency: &mut LatencyMonitor) -> bool {
        let arrived = self.places > 0 && self.waiting.front().is_some_and(|&(arrives, _)| arrives <= cycle);
        let packet = if arrived { self.waiting.pop_front().map(|(_, packet)| packet) } else { None };
        let [valid, source, sideband] = self.received;
        if packet.is_some() || self.shows {
            valid.into_iter().for_each(|pin| model.poke_at(pin, packet.is_some().into()));
            self.shows = packet.is_some();
        }
        let Some(packet) = packet else { return false };
        self.places -= 1;
        let beside = self.packets.sideband(packet.write, packet.tag);
        for (pin, value) in [(source, packet.source.into()), (sideband, beside)] {
            pin.into_iter().for_each(|pin| model.poke_at(pin, value));
        }
        model.poke_bits_at(self.received_payload, &packet.payload);
        latency.received(cycle, packet.key());
        true
    }
}

impl<P: Pins> Stateful for IdealNetwork<P> {
    fn save(&self, to: &mut StateWriter) {
        to.put(&(self.budget, self.entering.iter().map(IdealPacket::saved).collect::<Vec<_>>()));
        self.ports.iter().for_each(|port| port.save(to));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        let entering: Vec<SavedPacket>;
        (self.budget, entering) = from.take()?;
        self.entering = entering.into_iter().map(IdealPacket::restored).collect();
        self.ports.iter_mut().try_for_each(|port| port.restore(from))
    }
}

impl<P: Pins> Stateful for NodePins<P> {
    fn save(&self, to: &mut StateWriter) {
        let waiting: Vec<_> = self.waiting.iter().map(|(arrives, packet)| (arrives, packet.saved())).collect();
        to.put(&(self.places, waiting, self.shows, self.credits));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        let waiting: Vec<(u64, SavedPacket)>;
        (self.places, waiting, self.shows, self.credits) = from.take()?;
        self.waiting = waiting.into_iter().map(|(arrives, packet)| (arrives, IdealPacket::restored(packet))).collect();
        Ok(())
    }
}

/// A packet as it is saved: source, destination, is it a reply, flits, is it a write, tag, payload.
type SavedPacket = (u32, u32, bool, u32, bool, u64, SavedBits);

impl IdealPacket {
    fn saved(&self) -> SavedPacket {
        let Self { source, dest, class, flits, write, tag, ref payload } = *self;
        (source, dest, class == MessageClass::Reply, flits, write, tag, saved_bits(payload))
    }

    fn restored((source, dest, reply, flits, write, tag, payload): SavedPacket) -> Self {
        Self { source, dest, class: saved_class(reply), flits, write, tag, payload: restored_bits(&payload) }
    }
}
