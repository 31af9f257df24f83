//! *Behavioural*: packets of a flow come out in the order in which they were sent, where the network promises that
//! ([`Fabric::overtaking`]). Tests: `tests/noc/networks/order.rs`.

use super::flight::PacketInFlight;
use rtl::noc::{Fabric, MessageClass};

/// The last packet of each flow that keeps its order. Looked up for each packet, so by number and not by a hash.
#[derive(Clone, Debug)]
pub struct FlowOrder {
    nodes: usize,
    /// By class, source and destination.
    flows: Vec<Last>,
}

/// What has come out of a flow last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    /// Its packets may overtake each other.
    Unordered,
    Nothing,
    Packet(u64),
}

impl FlowOrder {
    /// Nothing has come out.
    pub fn new(fabric: &Fabric) -> Self {
        let nodes = fabric.params().nodes.len() as usize;
        let mut order = Self { nodes, flows: vec![Last::Unordered; 2 * nodes * nodes] };
        for flow in fabric.flows().iter().filter(|flow| fabric.overtaking(**flow).is_none()) {
            *order.last(flow.class == MessageClass::Reply, flow.source, flow.dest) = Last::Nothing;
        }
        order
    }

    fn last(&mut self, reply: bool, source: u32, dest: u32) -> &mut Last {
        &mut self.flows[(usize::from(reply) * self.nodes + source as usize) * self.nodes + dest as usize]
    }

    /// Flows whose packets may not overtake each other.
    pub fn flows(&self) -> usize {
        self.flows.iter().filter(|last| **last != Last::Unordered).count()
    }

    /// A packet has come out whole. Error: one that was sent later has before.
    pub fn arrived(&mut self, packet: &PacketInFlight) -> Result<(), String> {
        let &PacketInFlight { source, dest, reply, number, .. } = packet;
        let last = self.last(reply, source, dest);
        match *last {
            Last::Unordered => return Ok(()),
            Last::Packet(before) if before >= number => {
                return Err(format!(
                    "node {dest}: the packet that is number {number} of node {source} comes behind its number {before}, and this network keeps \
                     their order"
                ));
            }
            Last::Nothing | Last::Packet(_) => {}
        }
        *last = Last::Packet(number);
        Ok(())
    }
}
