//! Order: whether packets of a flow may overtake each other.
//!
//! They do not where they have one path, with one virtual channel on it, and one port at each of its ends: what a
//! source sends first arrives first.

use super::{Fabric, Subnetwork};
use crate::{Flow, MessageClass};

/// The first reason why packets of a flow may overtake each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overtaking {
    /// They are injected by several ports.
    InjectionPorts(u32),
    /// They are ejected by several ports.
    EjectionPorts(u32),
    /// Their class has several virtual channels in each of its sets.
    Vcs,
    /// Routers or sources choose among several paths.
    Paths,
    /// They travel in several subnetworks.
    Subnetworks,
}

impl Fabric {
    /// Why packets of this flow may overtake each other; `None`: they arrive in the order in which they are sent.
    pub fn overtaking(&self, flow: Flow) -> Option<Overtaking> {
        let ([injects, _], [_, ejects]) = (self.ports(flow.source), self.ports(flow.dest));
        if injects > 1 {
            return Some(Overtaking::InjectionPorts(injects));
        }
        if ejects > 1 {
            return Some(Overtaking::EjectionPorts(ejects));
        }
        if !self.endpoints().uses_routers(flow.class) {
            // A tree has one path to each core, through one queue of its source.
            return None;
        }
        let network = self.network_of(flow.class);
        // Where the routing has sets of VCs, a packet keeps to one of them, and changes only where all packets of its
        // path do.
        let shared = network.classes > network.routing.vc_sets();
        let first = if flow.class == MessageClass::Reply && shared { network.routing.vc_sets() } else { 0 };
        if network.sets().size(first) > 1 {
            return Some(Overtaking::Vcs);
        }
        if network.routing.rule().chooses() {
            return Some(Overtaking::Paths);
        }
        let leg = self.leg(flow);
        let of_part = |part| self.grid(part).choices(leg).map_or(0, |choices| choices.len());
        // Where there is only one it carries all.
        let carries = |part: &&Subnetwork| self.subnetworks().len() == 1 || part.flows.contains(&leg);
        let paths: Vec<_> = self.subnetworks().iter().filter(carries).map(of_part).collect();
        if paths.iter().any(|&paths| paths > 1) {
            return Some(Overtaking::Paths);
        }
        (paths.len() > 1).then_some(Overtaking::Subnetworks)
    }
}
