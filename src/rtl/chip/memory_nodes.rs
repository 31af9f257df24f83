//! Where the memory controllers are.

use super::{ChipConfig, ChipError, error::invalid_value};
use noc::{NocError, Placement};

/// Nodes of the controllers by the placement.
pub(super) fn memory_nodes(config: &ChipConfig) -> Result<Vec<usize>, ChipError> {
    let (network, controllers) = (&config.network, config.memory.controllers);
    if let Placement::List(nodes) = &network.placement
        && nodes.len() != controllers as usize
    {
        let allowed = format!("a list of {controllers} nodes, one for each of memory.controllers");
        return Err(invalid_value("network.placement.list", format!("{nodes:?}"), allowed));
    }
    let nodes = network.placement.nodes(network.columns, network.rows, controllers);
    let nodes = nodes.map_err(|error| {
        let allowed = match error {
            NocError::TooManyMemories { allowed, .. } => allowed,
            other => other.to_string(),
        };
        invalid_value("memory.controllers", controllers, allowed)
    })?;
    Ok(nodes.into_iter().map(|node| node as usize).collect())
}
