//! Writes that nobody answers need a network that keeps the order of a core's requests to a controller.
//!
//! It does where [packets of no such pair overtake each other](Fabric::overtaking): whatever a core sends behind a
//! write to the same controller arrives behind it.

use super::{
    ChipConfig, ChipError, NetworkModel,
    error::{invalid_value, name},
};
use memory::WriteReply;
use noc::{Fabric, MessageClass, fabric::Overtaking};

const WHY: &str = "as memory.write_reply = none needs requests that stay in order";

/// Refuses writes without replies where requests may overtake each other.
pub(super) fn fits(config: &ChipConfig, fabric: &Fabric) -> Result<(), ChipError> {
    let network = &config.network;
    if config.memory.write_reply == WriteReply::Packet || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    let requests = fabric.network_of(MessageClass::Request);
    let of_requests = fabric.params().nodes.flows().into_iter().filter(|flow| flow.class == MessageClass::Request);
    let Some(overtaking) = of_requests.filter_map(|flow| fabric.overtaking(flow)).next() else { return Ok(()) };
    Err(match overtaking {
        Overtaking::InjectionPorts(ports) => invalid_value("network.core_injection_ports", ports, format!("1, {WHY}")),
        Overtaking::EjectionPorts(ports) => invalid_value("network.ejection_ports", ports, format!("1, {WHY}")),
        Overtaking::Vcs if network.request_vcs > 0 => {
            let allowed = format!("{}: one for each class of requests, {WHY}", requests.routing.vc_sets());
            invalid_value("network.request_vcs", network.request_vcs, allowed)
        }
        Overtaking::Vcs => {
            let allowed = format!("{}: one for each class of packets, {WHY}", requests.classes);
            invalid_value("network.vcs", network.vcs, allowed)
        }
        Overtaking::Paths => {
            invalid_value("network.routing", name(&network.routing), format!("one with a single path, {WHY}"))
        }
        Overtaking::Subnetworks => {
            let organisation = name(&network.organisation);
            invalid_value("network.organisation", organisation, format!("one with a single path, {WHY}"))
        }
    })
}
