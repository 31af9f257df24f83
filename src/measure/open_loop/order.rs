//! *Behavioural*: packets of a flow come out in the order in which they were sent, where the network promises that
//! ([`Fabric::overtaking`]). Tests: `tests/noc/order.rs`.

use super::flight::Packet;
use rtl::noc::{Fabric, Flow, MessageClass};
use std::collections::HashMap;

/// The last packet of each flow that keeps its order.
#[derive(Clone, Debug)]
pub struct Order {
    last: HashMap<Flow, Option<u64>>,
}

impl Order {
    /// Nothing has come out.
    pub fn new(fabric: &Fabric) -> Self {
        let ordered = fabric.flows().iter().filter(|flow| fabric.overtaking(**flow).is_none());
        Self { last: ordered.map(|flow| (*flow, None)).collect() }
    }

    /// Flows whose packets may not overtake each other.
    pub fn flows(&self) -> usize {
        self.last.len()
    }

    /// A packet has come out whole. Error: one that was sent later has before.
    pub fn arrived(&mut self, packet: &Packet) -> Result<(), String> {
        let &Packet { source, dest, reply, number, .. } = packet;
        let class = if reply { MessageClass::Reply } else { MessageClass::Request };
        let Some(last) = self.last.get_mut(&Flow { class, source, dest }) else { return Ok(()) };
        match last.replace(number) {
            Some(before) if before >= number => Err(format!(
                "node {dest}: the packet that is number {number} of node {source} comes behind its number {before}, and this network keeps their \
                 order"
            )),
            _ => Ok(()),
        }
    }
}
