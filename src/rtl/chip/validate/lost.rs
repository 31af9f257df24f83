//! Nodes with nothing attached, and what faults leave of a chip.

use super::problems::{faults_key, network_problem};
use crate::{ChipConfig, ChipError, error::invalid_value, memory_nodes::memory_nodes};
use noc::Placement;

/// The configuration of what is left: only the memory controllers at nodes that are not lost are there.
pub(super) fn without_lost(config: &ChipConfig) -> Result<ChipConfig, ChipError> {
    let network = &config.network;
    let lost = network.lost().map_err(|error| network_problem(config, &error))?;
    if lost.is_empty() {
        return Ok(config.clone());
    }
    let is_left = |node: &usize| !lost.contains(&(*node as u32));
    let left: Vec<_> = memory_nodes(config)?.into_iter().filter(is_left).map(|node| node as u32).collect();
    if left.is_empty() {
        let (path, value) = faults_key(network);
        return Err(invalid_value(path, value, "faults that leave a memory controller"));
    }
    let mut config = config.clone();
    config.memory.controllers = left.len() as u32;
    config.network.placement = Placement::List(left);
    Ok(config)
}

/// Nodes with nothing attached, lost or empty. Errors: a node that is both, faults that cannot be.
pub(super) fn unattached(config: &ChipConfig) -> Result<Vec<u32>, ChipError> {
    let network = &config.network;
    let lost = network.lost().map_err(|error| network_problem(config, &error))?;
    if let Some(node) = network.empty_nodes.iter().find(|node| lost.contains(node)) {
        let allowed = format!("nodes that are there; node {node} is lost already by {}", faults_key(network).0);
        return Err(invalid_value("network.empty_nodes", format!("{:?}", network.empty_nodes), allowed));
    }
    Ok([network.empty_nodes.clone(), lost].concat())
}
