//! The ring of a chip: hosts, positions, the way of each flow, and the times of the ring.

use super::{
    RingParams,
    hosts::{distance, hosts, sizes},
    tour::{positions, tour},
};
use crate::{Flow, MessageClass, NocError, NodeKind, Nodes};

/// A ring, checked; see the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    params: RingParams,
    nodes: Nodes,
    hosts: Vec<Option<usize>>,
    positions: Vec<u32>,
}

impl Ring {
    /// Joins the memory nodes of `nodes`. Errors: fewer than two of them, more than the ring has cycles, a cluster without cores, numbers out
    /// of range.
    pub fn new(params: RingParams, nodes: &Nodes) -> Result<Self, NocError> {
        let count = nodes.memories().len();
        let refuse = |name, value: String, allowed: String| Err(NocError::Ring { name, value, allowed });
        if count < 2 {
            let allowed = format!("0, as there are {count} memory nodes and a ring joins 2 or more");
            return refuse("round_trip_cycles", params.cycles.to_string(), allowed);
        }
        if !(count as u32..=64).contains(&params.cycles) {
            let allowed =
                format!("0: no ring, or {count} to 64: each of {count} memory nodes has a position of its own");
            return refuse("round_trip_cycles", params.cycles.to_string(), allowed);
        }
        for (name, value, most) in [
            ("bytes", params.flits[0].min(params.flits[1]) as usize, 1024),
            ("tx_queue_packets", params.tx, 64),
            ("rx_queue_packets", params.rx, 64),
        ] {
            if !(1..=most).contains(&value) {
                return refuse(name, value.to_string(), format!("1 to {most}"));
            }
        }
        let found = hosts(nodes, params.tie, params.seed);
        if let Some(empty) = sizes(nodes, &found).iter().position(|&cores| cores == 0) {
            let works = super::Tie::ALL
                .into_iter()
                .filter(|&tie| !sizes(nodes, &hosts(nodes, tie, params.seed)).contains(&0))
                .map(|tie| format!("{tie:?}").to_lowercase())
                .collect::<Vec<_>>();
            let rules = match works[..] {
                [] => "no rule does with this placement".into(),
                _ => works.join(", "),
            };
            let memory = nodes.memories()[empty];
            let allowed =
                format!("a rule that gives each memory node a core: {rules}; memory node {memory} would host none");
            return refuse("tie", format!("{:?}", params.tie).to_lowercase(), allowed);
        }
        let positions = positions(nodes, &tour(nodes, params.order), params.cycles);
        Ok(Self { params, nodes: nodes.clone(), hosts: found, positions })
    }

    /// What it was made from.
    pub fn params(&self) -> &RingParams {
        &self.params
    }

    /// The nodes of the mesh.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Nodes of the memory controllers, in their order.
    pub fn memories(&self) -> &[u32] {
        self.nodes.memories()
    }

    /// By node: the number of the memory controller that hosts it; none of an empty node.
    pub fn hosts(&self) -> &[Option<usize>] {
        &self.hosts
    }

    /// Position of each memory controller, a cycle of the round trip.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// Cores of each cluster.
    pub fn cluster_sizes(&self) -> Vec<usize> {
        sizes(&self.nodes, &self.hosts)
    }

    /// Number of the memory controller at a node.
    pub fn controller(&self, node: u32) -> Option<usize> {
        self.memories().iter().position(|&memory| memory == node)
    }

    /// Packets between this core and this memory controller go by the mesh alone.
    pub fn is_direct(&self, core: u32, controller: usize) -> bool {
        let near = distance(&self.nodes, core, self.memories()[controller]) < self.params.direct_below;
        near || self.hosts[core as usize] == Some(controller)
    }

    /// Cycles of light from one memory controller to another one.
    pub fn cycles(&self, from: usize, to: usize) -> u32 {
        let [from, to] = [from, to].map(|controller| self.positions[controller]);
        (to + self.params.cycles - from) % self.params.cycles
    }

    /// Cycles that a packet waits for a token of a channel without other traffic, in the mean and at most. The home emits a token each `slot`
    /// cycles; with fewer places than tokens fit on the round trip, it waits until the first one is back.
    pub fn token_wait(&self, slot: u32) -> (f64, u32) {
        let period = (self.params.cycles + 1).next_multiple_of(slot);
        let tokens = (period / slot).min(self.params.rx as u32);
        let longest = period - (tokens - 1) * slot;
        let waits = |gap: u32| f64::from(gap) * f64::from(gap - 1) / 2.0;
        let mean = (f64::from(tokens - 1) * waits(slot) + waits(longest)) / f64::from(period);
        (mean, longest - 1)
    }

    /// Of a flow that takes the ring: the memory controllers between which it does.
    pub fn relay(&self, flow: Flow) -> Option<[usize; 2]> {
        let host = |core: u32| self.hosts[core as usize];
        match (self.controller(flow.source), self.controller(flow.dest)) {
            (None, Some(to)) if !self.is_direct(flow.source, to) => host(flow.source).map(|from| [from, to]),
            (Some(from), None) if !self.is_direct(flow.dest, from) => host(flow.dest).map(|to| [from, to]),
            _ => None,
        }
    }

    /// The part of a flow's way that is in the mesh.
    pub fn leg(&self, flow: Flow) -> Flow {
        match self.relay(flow) {
            Some([from, _]) if self.controller(flow.source).is_none() => Flow { dest: self.memories()[from], ..flow },
            Some([_, to]) => Flow { source: self.memories()[to], ..flow },
            None => flow,
        }
    }

    /// What the mesh carries of these flows, each once. Memory nodes receive requests and send replies, and do nothing else.
    pub fn legs(&self, flows: &[Flow]) -> Result<Vec<Flow>, NocError> {
        let mut legs = vec![];
        let mut known = std::collections::HashSet::new();
        for &flow in flows {
            let is_memory = |node: u32| self.nodes.node(node).kind == NodeKind::Memory;
            let wrong = match flow.class {
                MessageClass::Request => flow.source,
                MessageClass::Reply => flow.dest,
            };
            if is_memory(wrong) {
                let allowed =
                    "0 with traffic in which memory nodes send requests: on a chip with a ring they answer".into();
                return Err(NocError::Ring {
                    name: "round_trip_cycles",
                    value: self.params.cycles.to_string(),
                    allowed,
                });
            }
            let leg = self.leg(flow);
            if known.insert(leg) {
                legs.push(leg);
            }
        }
        Ok(legs)
    }
}
