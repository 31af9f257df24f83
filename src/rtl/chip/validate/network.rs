//! The network of a chip: what its keys exclude, and what is made from them.

use super::{lost::unattached, problems::network_problem};
use crate::{
    ChipConfig, ChipError, ClassChannels, NetworkConfig, NetworkModel, OverlayInjection, OverlayKind, ReplyInjection,
    ReplyWrite, RingConfig, error::invalid_value,
};
use memory::packets::MemoryPackets;
use noc::{
    Fabric, FabricParams, FlitFormat, MessageClass, NetworkParams, NocError, Nodes, OverlayParams, Priority,
    RingParams, SplitQueues, fabric::ReplyChannel,
};

/// The VCs of an injection port divide among its switch inputs, and there is such a port.
pub(super) fn injection_speedup(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    let refuse = |allowed: String| Err(invalid_value("network.injection_speedup", network.injection_speedup, allowed));
    if network.injection_speedup == 1 || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    for vcs in network.vcs_of_ports() {
        if !vcs.is_multiple_of(network.injection_speedup) {
            let divisors = (1..=vcs).filter(|n| vcs.is_multiple_of(*n)).map(|n| n.to_string());
            let divisors = divisors.collect::<Vec<_>>().join(", ");
            return refuse(format!("{divisors}, as {}: each switch input has as many of them", counted(network, vcs)));
        }
    }
    Ok(())
}

/// A channel of the ring carries whole flits.
pub(super) fn ring_bytes(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    if network.ring.round_trip_cycles == 0 || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    for channels in network.channels() {
        if !network.ring.bytes.is_multiple_of(channels.bytes) {
            let allowed = format!("a multiple of {}, the bytes of a flit of the mesh", channels.bytes);
            return Err(invalid_value("network.ring.bytes", network.ring.bytes, allowed));
        }
    }
    Ok(())
}

/// The ring that a configuration asks for.
fn ring(network: &NetworkConfig) -> Option<RingParams> {
    let RingConfig { round_trip_cycles: cycles, bytes, tie, seed, direct_below, order, .. } = network.ring;
    let RingConfig { tx_queue_packets: tx, rx_queue_packets: rx, fair_wait, .. } = network.ring;
    let flits = network.channels().map(|channels| bytes / channels.bytes);
    let (seed, tx, rx) = (seed.into(), tx as usize, rx as usize);
    (cycles > 0).then_some(RingParams { cycles, flits, tie, seed, direct_below, order, tx, rx, fair_wait })
}

/// Bytes of an overlay's flit: the reply network's divided among the memory controllers, if nothing else is said.
pub(super) fn overlay_bytes(config: &ChipConfig) -> Result<u32, ChipError> {
    let (network, controllers) = (&config.network, config.memory.controllers);
    let [_, ClassChannels { bytes, .. }] = network.channels();
    match network.overlay.channel_bytes {
        0 if network.overlay.kind != OverlayKind::None
            && network.model != NetworkModel::Ideal
            && !bytes.is_multiple_of(controllers) =>
        {
            let allowed = format!(
                "1 to 64 bytes: {bytes} bytes, the channel of the reply network, do not divide among {controllers} controllers (memory.controllers)"
            );
            Err(invalid_value("network.overlay.channel_bytes", 0, allowed))
        }
        0 => Ok(bytes / controllers),
        own => Ok(own),
    }
}

/// The overlays that a configuration asks for.
fn overlay(config: &ChipConfig) -> Result<Option<OverlayParams>, ChipError> {
    let own = &config.network.overlay;
    let (buffer, split) = (own.buffer_flits as usize, own.injection == OverlayInjection::Split);
    let ([_, noc, _, overlay], [_, of_noc, _, of_overlay]) = (config.clocks.megahertz(), config.clocks.domains());
    let clock = (of_noc != of_overlay).then_some([overlay, noc]);
    let params = OverlayParams { width: 8 * overlay_bytes(config)?, buffer, split, header_flits: 0, clock };
    Ok((own.kind == OverlayKind::Da2mesh).then_some(params))
}

/// Numbers by which all of these can be divided.
fn common_divisors(numbers: &[u32]) -> String {
    let least = numbers.iter().copied().min().unwrap_or(1);
    let divides = |n: &u32| numbers.iter().all(|number| number.is_multiple_of(*n));
    (1..=least).filter(divides).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

/// Split reply queues: one for each VC of replies, with as many packets each, divided among the links.
pub(super) fn split_replies(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    if network.reply_injection == ReplyInjection::Single || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    let [_, ClassChannels { vcs, .. }] = network.channels();
    if vcs < 2 {
        let allowed = "single, as replies have 1 virtual channel: there is a queue for each";
        return Err(invalid_value("network.reply_injection", "split", allowed));
    }
    if network.injection_ports > 1 {
        let allowed = "1, as network.reply_injection = split: its links lead to one port";
        return Err(invalid_value("network.injection_ports", network.injection_ports, allowed));
    }
    let of_port = network.vcs_of_ports().pop().expect("there is a network");
    if !vcs.is_multiple_of(network.links()) || !of_port.is_multiple_of(network.links()) {
        let divisors = common_divisors(&[vcs, of_port]);
        let of_all = if of_port == vcs { String::new() } else { format!(", and the {of_port} of a port") };
        let allowed = format!("{divisors}: it divides the {vcs} virtual channels of replies{of_all}");
        return Err(invalid_value("network.reply_injection_links", network.reply_injection_links, allowed));
    }
    if !network.tx_queue_packets.is_multiple_of(vcs) {
        let multiples = (1..=16 / vcs).map(|n| (n * vcs).to_string()).collect::<Vec<_>>().join(", ");
        let allowed = format!("{multiples}: each of the {vcs} split reply queues holds the same number of packets");
        return Err(invalid_value("network.tx_queue_packets", network.tx_queue_packets, allowed));
    }
    Ok(())
}

/// Which key says that a port has so many VCs.
pub(super) fn counted(network: &NetworkConfig, vcs: u32) -> String {
    if vcs == network.vcs { format!("network.vcs = {vcs}") } else { format!("a port has {vcs} virtual channels") }
}

/// The VCs divide among message classes and the routing's sets.
pub(super) fn vc_sets(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    let topology = network.topology();
    let routing = topology.routing(network.routing).unwrap_or(network.routing);
    let (messages, sets) = (network.organisation.messages(), routing.vc_sets());
    let [requests, replies] = network.channels();
    if messages == 2 && requests.bytes != replies.bytes {
        let (key, bytes) = match network.reply_channel_bytes {
            0 => ("network.request_channel_bytes", requests.bytes),
            bytes => ("network.reply_channel_bytes", bytes),
        };
        let other = if network.reply_channel_bytes == 0 { replies.bytes } else { requests.bytes };
        let allowed =
            format!("{other}, or network.organisation = dedicated: requests and replies share their channels");
        return Err(invalid_value(key, bytes, allowed));
    }
    for (key, bytes) in [
        ("network.request_channel_bytes", network.request_channel_bytes),
        ("network.reply_channel_bytes", network.reply_channel_bytes),
    ] {
        if (1..4).contains(&bytes) {
            return Err(invalid_value(key, bytes, "0 (as network.channel_bytes), or 4 to 128 bytes"));
        }
    }
    for (key, own) in [("network.request_vcs", network.request_vcs), ("network.reply_vcs", network.reply_vcs)] {
        if !own.is_multiple_of(sets) {
            let allowed = format!("0 (by network.vcs), or an even number up to 16: {routing:?} routing keeps two sets");
            return Err(invalid_value(key, own, allowed));
        }
    }
    if network.request_vcs > 0 && network.reply_vcs > 0 {
        return Ok(());
    }
    if network.vcs.is_multiple_of(messages * sets) {
        return Ok(());
    }
    let halves = if messages == 2 { "half for requests, half for replies" } else { "one message class a subnetwork" };
    let number = if messages * sets == 2 {
        "an even number from 2 to 16".into()
    } else {
        format!("a multiple of {} up to 16", messages * sets)
    };
    let each = if sets == 2 { ", each in two sets for this routing" } else { "" };
    Err(invalid_value("network.vcs", network.vcs, format!("{number}: {halves}{each}")))
}

/// The network for the chip's traffic.
pub(super) fn fabric(
    config: &ChipConfig,
    memory_nodes: &[usize],
    packets: &MemoryPackets,
) -> Result<Fabric, ChipError> {
    let network = &config.network;
    let problem = |error: NocError| network_problem(config, &error);
    let memories: Vec<_> = memory_nodes.iter().map(|&node| node as u32).collect();
    let nothing = unattached(config)?;
    let nodes = Nodes::with_empty(network.columns, network.rows, &memories, &nothing).map_err(problem)?;
    let flows = nodes.flows();
    let [requests, replies] = network.channels();
    let alike = requests == replies;
    let vcs = if alike { requests.vcs * network.organisation.messages() } else { requests.vcs };
    let format = FlitFormat::new(vcs, requests.bytes * 8, nodes.len(), packets.sideband_bits());
    let routers = NetworkParams {
        routing: network.routing,
        longest: [(MessageClass::Request, requests), (MessageClass::Reply, replies)]
            .map(|(class, channels)| packets.most_flits(class, 8 * channels.bytes) as usize)
            .into_iter()
            .fold(0, usize::max),
        vc_allocator: network.vc_allocator,
        switch_allocator: network.switch_allocator,
        pipeline: network.pipeline,
        extra_latency: network.extra_latency,
        input_speedup: network.input_speedup,
        vc_reuse_delay: network.vc_reuse_delay,
        vc_reallocation: network.vc_reallocation,
        ..NetworkParams::new(format, requests.depth as usize, 2)
    };
    let replies = ReplyChannel { vcs: replies.vcs, depth: replies.depth as usize, width: 8 * replies.bytes };
    let params = FabricParams {
        replies: (!alike).then_some(replies),
        core_ports: [network.core_injection_ports, network.core_ejection_ports],
        organisation: network.organisation,
        routers: network.routers,
        injects: network.injection_ports,
        ejects: network.ejection_ports,
        injection_speedup: network.injection_speedup,
        port_choice: network.port_choice,
        priority: (network.priority_levels > 1)
            .then_some(Priority { levels: network.priority_levels, starvation_cycles: network.starvation_cycles }),
        whole_packets: network.whole_packet_forwarding,
        split: (network.reply_injection == ReplyInjection::Split).then(|| SplitQueues { links: network.links() }),
        flit_writes: network.reply_write == ReplyWrite::Flit,
        topology: network.topology(),
        tiles_per_cycle: network.tiles_per_cycle,
        ring: ring(network),
        graph: network.graph(),
        faults: network.faults(),
        overlay: overlay(config)?,
        ..FabricParams::new(nodes, routers)
    };
    Fabric::new(params, &flows).map_err(problem)
}

/// Places of requests in a VC allocator that are built and simulated in bearable time.
const MOST_PLACES: u64 = 200_000;

/// Refuses routers whose VC allocator takes too long to elaborate. Measured: crossbars of 36 ports with 8 VCs (41,472 places) take 3 s,
/// with 16 (165,888) 21 s, one of 64 ports with 16 (524,288) was not done
/// after 5 minutes on a busy machine.
pub(super) fn affordable(config: &ChipConfig, fabric: &Fabric) -> Result<(), ChipError> {
    let (network, places) = (&config.network, fabric.allocator_places());
    if network.model == NetworkModel::Ideal || places <= MOST_PLACES {
        return Ok(());
    }
    let minutes = 21.0 * (places as f64 / 165_888.0).powf(1.4) / 60.0;
    let why = format!(
        "the VC allocator of the largest router would have {places} places for requests, which take about {minutes:.0} minutes to elaborate; at most {MOST_PLACES} are possible"
    );
    let [requests, replies] = network.channels().map(|channels| channels.vcs);
    let (own, key) = match replies > requests {
        true => (network.reply_vcs, "network.reply_vcs"),
        false => (network.request_vcs, "network.request_vcs"),
    };
    let (key, vcs, step) = match own {
        0 => ("network.vcs", network.vcs, fabric.network().classes),
        _ => (key, own, fabric.network().routing.vc_sets()),
    };
    // Places grow with the squares of the VCs of each class. With the fewest that there can be, routers of 64 ports are
    // far below.
    let shared = own > 0 && network.organisation.messages() == 2;
    let others = if shared { requests.min(replies).pow(2) } else { 0 };
    let fits = |fewer: u32| places * u64::from(others + fewer.pow(2)) <= MOST_PLACES * u64::from(others + vcs.pow(2));
    let most = (step..vcs).rev().find(|&fewer| fewer.is_multiple_of(step) && fits(fewer)).unwrap_or(step);
    Err(invalid_value(key, vcs, format!("at most {most}; {why}")))
}
