//! Parameters of a network interface, and what follows from them: lanes, classes, credits.

use super::path_choice::PathChoiceParams;
use crate::{
    FlitFormat, MessageClass, NetworkParams, NocError, Organisation, PortChoice, packet::PacketFormat,
    route_unit::is_class,
};
use hdl::{Parameters, Signal, params};
use serde::Serialize;
use std::ops::Range;

/// Parameters of a [`network_interface`](super::network_interface).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct InterfaceParams {
    /// What it has in common with the routers.
    pub network: NetworkParams,
    /// The same for a subnetwork of replies alone that is not like that of requests.
    pub replies: Option<NetworkParams>,
    /// Nodes in a row of the mesh.
    pub columns: u32,
    /// Nodes in a column of the mesh.
    pub rows: u32,
    /// Class of the packets that it sends; it receives the other.
    pub sends: MessageClass,
    /// It sends both classes, as only an [`injector`](crate::injector()) does.
    pub both: bool,
    /// Subnetworks.
    pub organisation: Organisation,
    /// Message classes that share a subnetwork, 1 or 2.
    pub messages: u32,
    /// The half-routers (of subnetwork 0) are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
    /// Injection ports into each subnetwork, 1 to 4.
    pub injects: u32,
    /// Ejection ports from each subnetwork, 1 to 4.
    pub ejects: u32,
    /// Choice of the injection port, or of the split queue, for a packet.
    pub port_choice: PortChoice,
    /// Split queues: a queue for each VC of the class that is sent, at a single injection port. None: a queue a port.
    pub split: Option<SplitQueues>,
    /// A packet is written into its lane a flit in a cycle, not whole in one. Of senders of one class, with a queue a port.
    pub flit_writes: bool,
    /// Replies go by an [overlay](crate::overlay): it only sends requests, or only receives them.
    pub overlay: bool,
    /// Replies start with the highest priority of their network, as those of memory nodes do; else with the lowest.
    pub priority: bool,
    /// Places for packets to be sent in each injection lane, and of several lanes in the queue in front of them, 1 to 64. The
    /// endpoint has so many credits at the start.
    pub tx_queue_packets: usize,
    /// Packets that the endpoint can take, 1 to 128.
    pub rx_queue_packets: usize,
    /// Bits of the longest payload of requests and of replies.
    pub payload_bits: [u32; 2],
}

/// Split queues of an injection port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct SplitQueues {
    /// VC links into the router: the queue of VC `v` sends on link `v mod links`. Divides the VCs of the class.
    pub links: u32,
}

/// Packets in front of split queues and of writes flit by flit: with one place a packet could enter every other cycle only.
const ENTRY_PACKETS: usize = 2;

/// Usual payloads, bits: a line of 64 bytes with a header of 8, a line.
const USUAL_PAYLOADS: [u32; 2] = [576, 512];

impl InterfaceParams {
    /// One injection and one ejection port, one network of two message classes.
    pub fn new(network: NetworkParams, columns: u32, rows: u32, sends: MessageClass) -> Self {
        Self {
            network,
            replies: None,
            columns,
            rows,
            sends,
            both: false,
            organisation: Organisation::Single,
            messages: 2,
            odd_is_half: true,
            injects: 1,
            ejects: 1,
            port_choice: PortChoice::default(),
            split: None,
            flit_writes: false,
            overlay: false,
            priority: false,
            tx_queue_packets: 2,
            rx_queue_packets: 2,
            payload_bits: USUAL_PAYLOADS,
        }
    }

    /// In range?
    pub fn check(&self) -> Result<(), NocError> {
        self.network.check()?;
        self.replies.map_or(Ok(()), |network| network.check())?;
        let classes = self.messages.min(self.organisation.messages()) * self.network.routing.vc_sets();
        if self.network.classes != classes || self.messages > self.organisation.messages() {
            return Err(NocError::InterfaceClasses { classes: self.network.classes, needed: classes });
        }
        for network in [Some(self.network), self.replies].into_iter().flatten() {
            if !(1..=256).contains(&network.depth) {
                return Err(NocError::Depth { depth: network.depth });
            }
        }
        for (name, places, most) in [
            ("tx_queue_packets", self.tx_queue_packets, 64),
            ("rx_queue_packets", self.rx_queue_packets, 128),
            ("injects", self.injects as usize, 4),
            ("ejects", self.ejects as usize, 4),
        ] {
            if !(1..=most).contains(&places) {
                return Err(NocError::Places { name, places, most });
            }
        }
        if self.flit_writes && (self.both || self.split.is_some()) {
            return Err(NocError::FlitWrites { both: self.both });
        }
        self.split.map_or(Ok(()), |split| self.check_split(split))
    }

    /// A queue for each VC, each with places for the same number of packets.
    fn check_split(&self, SplitQueues { links }: SplitQueues) -> Result<(), NocError> {
        let queues = self.vcs_of(self.sends).len() as u32;
        if self.both || self.injects > 1 || queues < 2 {
            return Err(NocError::NoSplit { queues, ports: self.injects, both: self.both });
        }
        if links == 0 || !queues.is_multiple_of(links) {
            return Err(NocError::SplitLinks { links, queues });
        }
        if !self.tx_queue_packets.is_multiple_of(queues as usize) {
            return Err(NocError::SplitPlaces { places: self.tx_queue_packets, queues });
        }
        Ok(())
    }

    /// Packets for which the endpoint has credits at the start.
    pub fn tx_credits(&self) -> usize {
        if self.split.is_some() || self.flit_writes { ENTRY_PACKETS } else { self.tx_queue_packets }
    }

    /// Widths of the packets of a class.
    pub fn packet(&self, class: MessageClass) -> PacketFormat {
        let FlitFormat { node_bits, sideband_bits, width, .. } = self.network_of(class).format;
        PacketFormat { node_bits, sideband_bits, width, payload_bits: self.payload_bits[class as usize] }
    }

    /// Widths of the packets that it takes from its endpoint.
    pub fn sent(&self) -> PacketFormat {
        self.packet(self.sends)
    }

    /// Widths of the packets that it gives to its endpoint.
    pub fn received(&self) -> PacketFormat {
        self.packet(self.sends.other())
    }

    /// Bits of a routing class that packets carry; 0: they carry none.
    pub(super) fn routing_class_bits(&self) -> u32 {
        let rule = self.network.routing.rule();
        if rule.reads_routing_class() { rule.class_bits() } else { 0 }
    }

    /// By set of the routing: its VCs of a class, and that a packet of the routing class in `route_class` takes one of them. Nothing where there is only
    /// one set.
    pub(crate) fn sets_of<'m>(
        &self,
        class: MessageClass,
        route_class: Option<Signal<'m>>,
    ) -> Vec<(Range<u32>, Signal<'m>)> {
        let sets = self.network.routing.vc_sets();
        let of_set = |(set, route_class)| (self.vcs_of_set(class, set), is_class(route_class, sets, set));
        route_class
            .filter(|_| sets > 1)
            .map_or(vec![], |route_class| (0..sets).map(|set| of_set((set, route_class))).collect())
    }

    /// The routers of a subnetwork.
    pub fn network_in(&self, subnetwork: usize) -> NetworkParams {
        self.replies.filter(|_| subnetwork == 1).unwrap_or(self.network)
    }

    /// The routers that packets of a class pass.
    pub fn network_of(&self, class: MessageClass) -> NetworkParams {
        self.organisation.of_class(class).first().map_or(self.network, |&subnetwork| self.network_in(subnetwork))
    }

    /// Number of a message class among those that share a subnetwork.
    pub(super) fn message(&self, class: MessageClass) -> u32 {
        if self.messages == 1 { 0 } else { class as u32 }
    }

    /// VCs of a class.
    pub fn vcs_of(&self, class: MessageClass) -> Range<u32> {
        self.network_of(class).sets().of_message(self.message(class), self.messages)
    }

    /// VCs of a class and a set of the routing.
    pub(crate) fn vcs_of_set(&self, class: MessageClass, set: u32) -> Range<u32> {
        self.network_of(class).sets().of(self.message(class) * self.network.routing.vc_sets() + set)
    }

    /// Subnetwork and port of each injection lane; of split queues a lane for each link of the port.
    pub fn injection_lanes(&self) -> Vec<(usize, u32)> {
        if !self.sends_packets() {
            return vec![];
        }
        let Some(SplitQueues { links }) = self.split else { return lanes(self.sends_into(), self.injects) };
        self.sends_into().into_iter().flat_map(|subnetwork| vec![(subnetwork, 0); links as usize]).collect()
    }

    /// Flits of an injection lane.
    pub fn lane_format(&self, lane: usize) -> FlitFormat {
        self.network_in(self.injection_lanes()[lane].0).format
    }

    /// Flits of the packets that it receives.
    pub(super) fn received_format(&self) -> FlitFormat {
        self.network_of(self.sends.other()).format
    }

    /// The link of its port into which an injection lane leads, where the port has several.
    pub fn link_of(&self, lane: usize) -> Option<u32> {
        self.split.filter(|split| split.links > 1).map(|split| lane as u32 % split.links)
    }

    /// Priority with which packets start (of senders of both classes: replies).
    pub(crate) fn first_priority(&self) -> u32 {
        let replies = self.both || self.sends == MessageClass::Reply;
        let levels = self.network_of(MessageClass::Reply).priority.map_or(1, |priority| priority.levels);
        if replies && self.priority { levels - 1 } else { 0 }
    }

    /// What a packet has to choose from in a subnetwork: ports, or queues.
    pub(super) fn choices(&self) -> u32 {
        if self.split.is_some() { self.vcs_of(self.sends).len() as u32 } else { self.injects }
    }

    /// It has a sending half.
    pub(crate) fn sends_packets(&self) -> bool {
        !(self.overlay && self.sends == MessageClass::Reply)
    }

    /// Subnetworks that it sends into.
    pub(super) fn sends_into(&self) -> Vec<usize> {
        if self.both { (0..self.organisation.subnetworks()).collect() } else { self.organisation.of_class(self.sends) }
    }

    /// Subnetwork and port of each ejection lane.
    pub fn ejection_lanes(&self) -> Vec<(usize, u32)> {
        if self.overlay && self.sends == MessageClass::Request {
            return vec![];
        }
        lanes(self.organisation.of_class(self.sends.other()), self.ejects)
    }

    /// The interface has the inputs `here_x` and `here_y`.
    pub fn reads_place(&self) -> bool {
        let path = PathChoiceParams::reads_place(self.network.routing);
        self.sends_packets()
            && (path || self.organisation.inverts() || (self.choices() > 1 && self.port_choice.reads().direction))
    }

    pub(super) fn reads_random(&self) -> bool {
        let ports = self.choices() > 1 && self.port_choice.reads().random;
        PathChoiceParams::chooses(self.network.routing) || ports || self.organisation == Organisation::Combined
    }

    /// Parameters of a lane for `class`.
    pub(super) fn lane_parameters(&self, class: MessageClass) -> Parameters {
        let network = self.network_of(class);
        let depth = network.depths().of(self.vcs_of(class).start);
        params! { class, vcs: network.format.vcs, depth, width: network.format.width }.and(self)
    }
}

fn lanes(subnetworks: Vec<usize>, ports: u32) -> Vec<(usize, u32)> {
    subnetworks.into_iter().flat_map(|subnetwork| (0..ports).map(move |port| (subnetwork, port))).collect()
}
