//! What several parameters together say of a chip, as conditions of others: `core.block_distribution` chooses among
//! cores, so there have to be several ([`common::condition`]).

use super::{ChipConfig, NetworkConfig, memory_nodes::memory_nodes};
use common::condition::Fact;
use noc::{Nodes, Topology, topology::Roles};

/// There is more than one core.
pub(super) const SEVERAL_CORES: Fact =
    Fact { about: "more than one core", unmet: |config| (cores(&read(config)?)? == 1).then(|| "1 core".into()) };

/// A link, or the way from a node to its router, is longer than a tile.
pub(super) const LONG_LINKS: Fact = Fact {
    about: "links of more than one tile",
    unmet: |config| (longest_link(&read(config)?)? == 1).then(|| "links of one tile".into()),
};

/// Packets can turn from rows to columns.
pub(super) const TURNS: Fact = Fact {
    about: "several rows and columns",
    unmet: |config| {
        let NetworkConfig { columns, rows, disabled_columns, disabled_rows, .. } = read(config)?.network;
        let left = |count: u32, disabled: &[u32]| count.saturating_sub(disabled.len() as u32);
        let (columns, rows) = (left(columns, &disabled_columns), left(rows, &disabled_rows));
        (columns == 1 || rows == 1).then(|| format!("{columns} x {rows} nodes"))
    },
};

fn read(config: &toml::Table) -> Option<ChipConfig> {
    config.clone().try_into().ok()
}

/// How many cores there are; nothing of a configuration that has no place for its controllers.
fn cores(config: &ChipConfig) -> Option<usize> {
    let ChipConfig { network, .. } = config;
    let memories = memory_nodes(config).ok()?;
    let lost = network.lost().ok()?;
    let nothing = |node: &u32| network.empty_nodes.contains(node) || lost.contains(node);
    let is_core = |node: &u32| !memories.contains(&(*node as usize)) && !nothing(node);
    Some((0..network.columns * network.rows).filter(is_core).count())
}

/// The longest link of the network, and the longest way from a node to its router, in tiles.
pub(super) fn longest_link(config: &ChipConfig) -> Option<u32> {
    let NetworkConfig { columns, rows, empty_nodes: empty, .. } = &config.network;
    let memories: Vec<_> = memory_nodes(config).ok()?.into_iter().map(|node| node as u32).collect();
    let nodes = Nodes::with_empty(*columns, *rows, &memories, empty).ok()?;
    let all = |_| Roles { injects: true, ejects: true };
    let (graph, faults) = (config.network.graph(), config.network.faults());
    let topology = Topology::of(config.network.topology(), &graph, &nodes, all).ok()?.without(&faults, &graph).ok()?;
    let links = topology.links().iter().map(|link| link.tiles);
    let of_node = |node| {
        let sites = [topology.sends_at(node), topology.receives_at(node)].into_iter().flatten();
        sites.map(|site| topology.tiles(node, site)).max()
    };
    links.chain((0..nodes.len()).filter_map(of_node)).max()
}
