//! Errors of networks and address maps in the words of a configuration: the key, its value, and what is allowed.

use crate::{
    ChipConfig, ChipError, NetworkConfig,
    error::{invalid_value, name},
};
use memory::MapError;
use noc::{NocError, Placement, Routing, TopologyKind, fabric::HALF_ROUTERS, router::VC_LINKS};

/// The first key that says that something does not work, and its value.
pub(super) fn faults_key(network: &NetworkConfig) -> (&'static str, String) {
    let lists = [
        ("network.disabled_rows", &network.disabled_rows),
        ("network.disabled_columns", &network.disabled_columns),
        ("network.faulty_routers", &network.faulty_routers),
    ];
    let first = lists.into_iter().find(|(_, list)| !list.is_empty());
    let links = || ("network.faulty_links", format!("{:?}", network.faulty_links));
    first.map_or_else(links, |(path, list)| (path, format!("{list:?}")))
}

/// The key that an error of a network is about, its value and what is allowed.
pub(super) fn network_problem(config: &ChipConfig, error: &NocError) -> ChipError {
    let network = &config.network;
    let allocator = |at: &str| format!("network.{at}.iterations");
    let (path, value): (String, String) = match error {
        NocError::Vcs { .. }
        | NocError::Classes { .. }
        | NocError::InterfaceClasses { .. }
        | NocError::TrafficClasses { .. } => ("network.vcs".into(), network.vcs.to_string()),
        NocError::Width { .. } => ("network.channel_bytes".into(), network.channel_bytes.to_string()),
        NocError::ReplyVcs { .. } => ("network.reply_vcs".into(), network.reply_vcs.to_string()),
        NocError::ReplyWidth { .. } => ("network.reply_channel_bytes".into(), network.reply_channel_bytes.to_string()),
        NocError::Depth { .. } => ("network.vc_depth".into(), network.vc_depth.to_string()),
        NocError::Sideband { .. } => ("core.tag_bits".into(), config.core.tag_bits.to_string()),
        NocError::Places { name, places, .. } => (format!("network.{name}"), places.to_string()),
        NocError::Traffic { name, value, .. } => (name.to_string(), value.to_string()),
        NocError::Size { .. } => ("network.columns".into(), network.columns.to_string()),
        NocError::Placement { .. } => ("network.placement.list".into(), placement(config)),
        NocError::TooManyMemories { .. } => ("memory.controllers".into(), config.memory.controllers.to_string()),
        NocError::Pipeline { .. } => ("network.pipeline".into(), network.pipeline.to_string()),
        NocError::VcReuseDelay { .. } => ("network.vc_reuse_delay".into(), network.vc_reuse_delay.to_string()),
        NocError::VcReallocation => ("network.vc_reallocation".into(), name(&network.vc_reallocation)),
        NocError::ExtraLatency { .. } => ("network.extra_latency".into(), network.extra_latency.to_string()),
        NocError::Speedup { .. } => ("network.input_speedup".into(), network.input_speedup.to_string()),
        NocError::InputPort { what: VC_LINKS, .. } | NocError::SplitLinks { .. } => {
            ("network.reply_injection_links".into(), network.reply_injection_links.to_string())
        }
        NocError::Priority { name, value, .. } => (format!("network.{name}"), value.to_string()),
        NocError::Header => ("network.priority_levels".into(), network.priority_levels.to_string()),
        NocError::NoSplit { .. } => ("network.reply_injection".into(), name(&network.reply_injection)),
        NocError::FlitWrites { .. } => ("network.reply_write".into(), name(&network.reply_write)),
        NocError::SplitPlaces { .. } => ("network.tx_queue_packets".into(), network.tx_queue_packets.to_string()),
        NocError::InjectionSpeedup { .. } | NocError::InputPort { .. } => {
            ("network.injection_speedup".into(), network.injection_speedup.to_string())
        }
        NocError::Iterations { iterations } if network.vc_allocator.iterations == *iterations => {
            (allocator("vc_allocator"), iterations.to_string())
        }
        NocError::Iterations { iterations } => (allocator("switch_allocator"), iterations.to_string()),
        NocError::Concentration { .. } => ("network.concentration".into(), network.concentration.to_string()),
        NocError::Radix { .. } if network.topology == TopologyKind::Graph => {
            ("network.graph.links".into(), format!("{:?}", network.graph.links))
        }
        NocError::Torus { .. } | NocError::Radix { .. } | NocError::NotAttached { .. } => {
            ("network.topology".into(), name(&network.topology))
        }
        NocError::MeshOnly { what } if *what == HALF_ROUTERS => ("network.routers".into(), name(&network.routers)),
        NocError::MeshOnly { .. } | NocError::ByDirection { .. } => {
            ("network.port_choice".into(), name(&network.port_choice))
        }
        NocError::NotInverted => ("network.routers".into(), name(&network.routers)),
        NocError::Overlay { name, value, .. } => (format!("network.overlay.{name}"), value.clone()),
        NocError::NotATree { .. } => ("network.overlay.kind".into(), name(&network.overlay.kind)),
        NocError::Ring { name, value, .. } => (format!("network.ring.{name}"), value.clone()),
        NocError::Unconnected { .. } if !network.faults().is_empty() => {
            let (path, value) = faults_key(network);
            (path.into(), value)
        }
        NocError::Empty { .. } | NocError::Unconnected { .. } => {
            ("network.empty_nodes".into(), format!("{:?}", network.empty_nodes))
        }
        NocError::Graph { name, value, .. } => (format!("network.graph.{name}"), value.clone()),
        NocError::CutOff { .. } if network.faults().is_empty() => {
            ("network.graph.links".into(), format!("{:?}", network.graph.links))
        }
        NocError::Fault { name, .. } => {
            let lists = [("disabled_rows", &network.disabled_rows), ("disabled_columns", &network.disabled_columns)];
            let list = lists.into_iter().find(|(key, _)| key == name).map(|(_, list)| list);
            let links = || format!("{:?}", network.faulty_links);
            let routers = || format!("{:?}", network.faulty_routers);
            let value = if *name == "faulty_links" { links() } else { list.map_or_else(routers, |l| format!("{l:?}")) };
            (format!("network.{name}"), value)
        }
        NocError::CutOff { .. } | NocError::IndirectFaults => {
            let (path, value) = faults_key(network);
            (path.into(), value)
        }
        NocError::NoPath { .. }
        | NocError::MissingConnection { .. }
        | NocError::RoutingOnTopology { .. }
        | NocError::RelationKey { .. }
        | NocError::Waypoint { .. }
        | NocError::NoLink { .. } => ("network.routing".into(), name(&network.routing)),
    };
    let allowed = match error {
        NocError::NoPath { .. } | NocError::MissingConnection { .. } => {
            format!("what serves every pair of nodes that talk, with these routers and this placement. {error}")
        }
        NocError::NoLink { .. } => format!("up-down, which goes round faulty links and routers. {error}"),
        NocError::CutOff { .. } if network.faults().is_empty() => {
            format!("links by which every pair of nodes that talk has a way. {error}")
        }
        NocError::CutOff { .. } => format!("faults that leave a way between every pair of nodes that talk. {error}"),
        NocError::Fault { last, .. } => {
            let each = if path.ends_with("_links") { "pairs of neighbours" } else { "each once" };
            let text = error.to_string();
            let (problem, _) = text.split_once("; allowed: ").unwrap_or((&text, ""));
            format!("numbers from 0 to {last}, {each}. {problem}")
        }
        NocError::RoutingOnTopology { topologies, .. } => {
            let topology = network.topology();
            let works = Routing::named().into_iter().filter(|routing| topology.routing(*routing).is_some());
            let works = works.map(Routing::name).collect::<Vec<_>>().join(", ");
            match topologies.as_str() {
                "" => format!("{works}, on this topology"),
                _ => format!("{works}, on this topology; {} works on {topologies}", name(&network.routing)),
            }
        }
        NocError::Unconnected { .. } if !network.faults().is_empty() => {
            format!("faults that leave every port of a router another one to lead to. {error}")
        }
        NocError::Unconnected { .. } => {
            format!("no node whose router is a half-router in a corner: it leads nowhere else. {error}")
        }
        other => {
            let text = other.to_string();
            text.split_once(": allowed: ").map_or(text.clone(), |(_, allowed)| allowed.to_string())
        }
    };
    invalid_value(&path, value, allowed)
}

/// As the configuration says it.
fn placement(config: &ChipConfig) -> String {
    match &config.network.placement {
        Placement::List(nodes) => format!("{nodes:?}"),
        Placement::Named(kind) => kind.name().into(),
    }
}

/// The key that an address map finds wrong.
pub(super) fn map_problem(config: &ChipConfig, error: &MapError) -> ChipError {
    let nodes = placement(config);
    match error {
        MapError::NoController => invalid_value("memory.controllers", 0, "at least 1"),
        MapError::NoSuchNode { last, .. } => {
            invalid_value("network.placement.list", nodes, format!("nodes 0 to {last}"))
        }
        MapError::NodeTwice { node } => {
            invalid_value("network.placement.list", nodes, format!("every node once; node {node} is listed twice"))
        }
        MapError::Banks { banks } => invalid_value("memory.banks", banks, "a power of two from 2 to 64"),
        MapError::RowBytes { row_bytes } => {
            invalid_value("memory.row_bytes", row_bytes, "a power of two from 256 to 16384 bytes")
        }
    }
}
