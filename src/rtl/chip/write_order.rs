//! Writes that nobody answers need a network that keeps the order of a core's requests to a controller.
//!
//! It does where each such pair has one path, with one virtual channel on it, and one port at its end. Then whatever a core sends behind a
//! write to the same controller arrives behind it.

use super::{
    ChipConfig, ChipError, NetworkModel,
    validate::{impossible, name},
};
use crate::{
    memory::WriteReply,
    noc::{Fabric, MessageClass},
};

const WHY: &str = "as memory.write_reply = none needs requests that stay in order";

/// Refuses writes without replies where requests may overtake each other.
pub(super) fn fits(config: &ChipConfig, fabric: &Fabric) -> Result<(), ChipError> {
    let network = &config.network;
    if config.memory.write_reply == WriteReply::Packet || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    if network.core_injection_ports > 1 {
        let ports = network.core_injection_ports;
        return Err(impossible("network.core_injection_ports", ports, format!("1, {WHY}")));
    }
    if network.ejection_ports > 1 {
        return Err(impossible("network.ejection_ports", network.ejection_ports, format!("1, {WHY}")));
    }
    let requests = fabric.network_of(MessageClass::Request);
    let (routing, classes) = (requests.routing, requests.classes);
    // Where the routing has sets of VCs, a packet keeps to one of them, and changes only where all packets of its path do.
    if requests.sets().size(0) > 1 {
        let own = network.request_vcs;
        if own > 0 {
            let allowed = format!("{}: one for each class of requests, {WHY}", routing.vc_sets());
            return Err(impossible("network.request_vcs", own, allowed));
        }
        return Err(impossible("network.vcs", network.vcs, format!("{classes}: one for each class of packets, {WHY}")));
    }
    let another = || impossible("network.routing", name(&network.routing), format!("one with a single path, {WHY}"));
    if routing.rule().chooses() {
        return Err(another());
    }
    let nodes = &fabric.params().nodes;
    for flow in nodes.flows().into_iter().filter(|flow| flow.class == MessageClass::Request) {
        let leg = fabric.leg(flow);
        let of_part = |part| fabric.grid(part).choices(leg).map_or(0, |choices| choices.len());
        let paths: Vec<_> = fabric.subnetworks().iter().map(of_part).collect();
        if paths.iter().any(|&paths| paths > 1) {
            return Err(another());
        }
        if paths.iter().sum::<usize>() > 1 {
            let organisation = name(&network.organisation);
            return Err(impossible("network.organisation", organisation, format!("one with a single path, {WHY}")));
        }
    }
    Ok(())
}
