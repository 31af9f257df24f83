//! Random configurations of chips: every key of every section, within bounds that keep the tools' time at seconds.
//!
//! What a network consists of (topology, organisation, routing, kinds of routers) is drawn first, the rest anew until
//! `check` accepts it, so that what has many conditions is not rarer than what has few.

use super::draw::Draw;
use warpmesh::{
    blocks::ArbiterKind,
    cache::{
        Allocation, Flush, L1Mshr, L2Mshr, MissHandling, MshrConfig, ProtectedVictims, ReadOnlyMshr, Replacement,
        SetIndex, WriteHit, WriteMiss, WritePending,
    },
    chip::{
        CachesConfig, Chip, ChipConfig, ClocksConfig, GraphConfig, L1Config, L2Config, MemoryConfig, MemoryModel,
        NetworkConfig, NetworkModel, OverlayConfig, OverlayInjection, OverlayKind, ReadOnlyConfig, ReplyInjection,
        ReplyWrite, RingConfig,
    },
    core::{
        BlockDistribution, ClassCycles, Coalescing, CoreConfig, DoubleRate, IssueRule, LatencyPreset, MemoryOrder,
        PrefetchConfig, Prefetcher, SharedGroup, Throttle, ThrottleConfig, TrainingBlock, WarpGroup, WarpScheduler,
        WrongStride,
    },
    memory::{AddressMapKind, DramScheduler, DramTiming, PartialWrite, WriteReply},
    noc::{
        AllocatorKind, AllocatorParams, Organisation, Placement, PlacementKind, PortChoice, Routing, TopologyKind,
        VcReallocation,
        fabric::RouterKinds,
        ring::{RingOrder, Tie},
    },
};

pub const TOPOLOGIES: [TopologyKind; 8] = {
    use TopologyKind::*;
    [Mesh, ExpressMesh, Torus, FoldedTorus, Ring, FlattenedButterfly, Butterfly, Crossbar]
};
/// Routings of a mesh.
const OF_MESH: [Routing; 9] = {
    use Routing::*;
    [Xy, Yx, ClassBased, O1Turn, Romm, Checkerboard, CheckerboardTwoPhase, Adaptive, OddEven]
};
pub const ORGANISATIONS: [Organisation; 5] = {
    use Organisation::*;
    [Single, Dedicated, Combined, Dci, Dcie]
};
pub const PORT_CHOICES: [PortChoice; 5] = {
    use PortChoice::*;
    [RoundRobin, Smart, Random, MostSpace, Opposite]
};
pub const ALLOCATORS: [AllocatorKind; 4] = {
    use AllocatorKind::*;
    [Islip, Pim, SeparableInputFirst, Wavefront]
};
pub const ARBITERS: [ArbiterKind; 2] = [ArbiterKind::RoundRobin, ArbiterKind::Matrix];

/// Most lanes of all cores: the nodes of other cores are empty. Verilator takes the hierarchy apart, so that every core
/// costs it time.
const MOST_LANES: u32 = 16;
/// Most virtual channels of the inputs of all routers, of the inputs of one, and of those where allocators are large:
/// with matrix arbiters, or as a wavefront.
const MOST_VCS: usize = 96;
const MOST_VCS_OF_ROUTER: usize = 48;
const MOST_VCS_LARGE: usize = 24;

/// The configuration of `seed`, which `check` accepts.
pub fn config(seed: u64) -> ChipConfig {
    // What was added later has numbers of its own: the rest of a seed's chip stays what it was.
    let (mut draw, mut units) = (Draw::new(seed), Draw::new(!seed));
    let (mut channels, mut rings) = (Draw::new(seed ^ 0x5555_5555), Draw::new(seed ^ 0x3333_3333));
    let mut overlays = Draw::new(seed ^ 0x7777_7777);
    loop {
        let frame = frame(&mut draw);
        for _ in 0..60 {
            let (core, memory) = (core(&mut draw), memory(&mut draw));
            let core = CoreConfig {
                special_units: units.one_of(&[0, 0, 1, 2, 4]),
                barriers: units.one_of(&[1, 1, 2, 16]),
                ..core
            };
            let cores = (MOST_LANES / core.lanes).max(1) as usize;
            let network = apart(&mut channels, network(&mut draw, &frame, memory.controllers, cores));
            let network = injecting(&mut channels, network);
            let network = NetworkConfig { ring: ring(&mut rings, memory.controllers, &network), ..network };
            let cache = CachesConfig {
                l1d: l1d(&mut draw),
                instruction: read_only(&mut draw),
                constant: read_only(&mut draw),
                texture: read_only(&mut draw),
                l2: l2(&mut draw),
            };
            let core = filling(core, &cache.l1d);
            let name = format!("random {seed}");
            let (network, clocks) = overlaid(&mut overlays, network, clocks(&mut draw));
            let config = ChipConfig { name, clocks, network, core, memory, cache, ..ChipConfig::default() };
            if Chip::new(&config).is_ok_and(|chip| is_small(&chip)) {
                let clustered = clustered(&mut Draw::new(seed ^ 0x2222_2222), &config);
                let config = if Chip::new(&clustered).is_ok_and(|chip| is_small(&chip)) { clustered } else { config };
                let irregular = irregular(&mut Draw::new(seed ^ 0x1111_1111), &config);
                let config = if Chip::new(&irregular).is_ok_and(|chip| is_small(&chip)) { irregular } else { config };
                let config = reallocating(&mut Draw::new(seed ^ 0x4444_4444), config);
                let faulty = faulty(&mut Draw::new(seed ^ 0x6666_6666), &config);
                return if Chip::new(&faulty).is_ok_and(|chip| is_small(&chip)) { faulty } else { config };
            }
        }
    }
}

/// Often one for all, or two parts with one.
fn clocks(draw: &mut Draw) -> ClocksConfig {
    let mhz = [draw.range(1, 10_000), draw.range(1, 10_000), draw.range(1, 10_000)];
    let mut of = || mhz[if draw.chance(0.5) { 0 } else { draw.uniform(0, 2) as usize }];
    ClocksConfig { core: of(), noc: of(), dram: of(), overlay: 0 }
}

/// What most conditions are about.
fn frame(draw: &mut Draw) -> NetworkConfig {
    // On a mesh there is most to choose.
    let topology = if draw.chance(0.4) { TopologyKind::Mesh } else { draw.one_of(&TOPOLOGIES) };
    let is_mesh = topology == TopologyKind::Mesh;
    let organisation = if is_mesh { draw.one_of(&ORGANISATIONS) } else { draw.one_of(&ORGANISATIONS[..3]) };
    let routing = match topology {
        TopologyKind::Mesh => draw.one_of(&OF_MESH),
        TopologyKind::FlattenedButterfly => draw.one_of(&[Routing::Xy, Routing::Ugal]),
        TopologyKind::Torus | TopologyKind::FoldedTorus => draw.one_of(&[Routing::Xy, Routing::Adaptive]),
        _ => Routing::Xy,
    };
    let is_inverted = matches!(organisation, Organisation::Dci | Organisation::Dcie);
    let routers = match is_mesh && (is_inverted || draw.chance(0.3)) {
        true => RouterKinds::Checkerboard,
        false => RouterKinds::Full,
    };
    NetworkConfig { topology, organisation, routing, routers, ..NetworkConfig::default() }
}

/// VCs whose multiples always do, for routings that are drawn with few topologies.
fn least_vcs(frame: &NetworkConfig) -> u32 {
    match (frame.topology, frame.routing) {
        (TopologyKind::FlattenedButterfly, Routing::Ugal) => 4,
        (TopologyKind::Torus | TopologyKind::FoldedTorus, Routing::Adaptive) => 6,
        _ => 1,
    }
}

fn network(draw: &mut Draw, frame: &NetworkConfig, controllers: u32, cores: usize) -> NetworkConfig {
    let (columns, rows) = (draw.uniform(1, 4), draw.uniform(1, 4));
    let placement = match draw.chance(0.3) {
        true => Placement::List(some_of(draw, (0..columns * rows).collect(), controllers as usize)),
        // Clusters were added later: they are drawn apart.
        false => Placement::Named(draw.one_of(&PlacementKind::ALL[..6])),
    };
    let memories = placement.nodes(columns, rows, controllers).unwrap_or_default();
    let others: Vec<_> = (0..columns * rows).filter(|node| !memories.contains(node)).collect();
    let idle = others.len().saturating_sub(cores);
    let mut empty = some_of(draw, others, idle);
    empty.sort();
    let concentrated = !matches!(frame.topology, TopologyKind::Mesh) || draw.chance(0.3);
    let pipeline = draw.uniform(1, 4);
    NetworkConfig {
        columns,
        rows,
        concentration: if concentrated { draw.one_of(&[1, 1, 2, 3, 4]) } else { 1 },
        tiles_per_cycle: draw.range(1, 4),
        placement,
        // The other one is not exported.
        model: NetworkModel::Routers,
        ideal_bytes: 0,
        ideal_latency: 0,
        ideal_flits: 0,
        empty_nodes: empty,
        channel_bytes: draw.range(4, 64),
        vcs: draw.one_of(&[1_u32, 2, 2, 3, 4, 4, 6, 8]).next_multiple_of(least_vcs(frame)),
        vc_depth: draw.range(1, 64),
        injection_ports: draw.one_of(&[1, 1, 2, 3, 4]),
        ejection_ports: draw.one_of(&[1, 1, 2, 3, 4]),
        port_choice: draw.one_of(&PORT_CHOICES),
        vc_allocator: allocator(draw),
        switch_allocator: allocator(draw),
        pipeline,
        extra_latency: if draw.chance(0.5) { 0 } else { draw.range(1, 16) },
        input_speedup: draw.uniform(1, 2),
        injection_speedup: draw.one_of(&[1, 1, 2, 3, 4]),
        vc_reuse_delay: if pipeline < 3 { 1 } else { draw.uniform(0, 1) },
        tx_queue_packets: draw.range(1, 16),
        ..frame.clone()
    }
}

/// Sometimes requests and replies are not alike, and cores have several ports.
fn apart(draw: &mut Draw, network: NetworkConfig) -> NetworkConfig {
    let core_ports = [draw.one_of(&[1, 1, 1, 2]), draw.one_of(&[1, 1, 1, 2])];
    let bytes = [draw.range(4, 64), draw.range(4, 64)];
    let network = NetworkConfig {
        core_injection_ports: core_ports[0],
        core_ejection_ports: core_ports[1],
        request_vcs: draw.one_of(&[0, 0, 0, 1, 2]),
        reply_vcs: draw.one_of(&[0, 0, 0, 1, 2, 4]),
        request_vc_depth: draw.one_of(&[0, 0, 1, 5, 16]),
        reply_vc_depth: draw.one_of(&[0, 0, 2, 7, 32]),
        ..network
    };
    if network.organisation != Organisation::Dedicated || draw.chance(0.5) {
        return network;
    }
    NetworkConfig { request_channel_bytes: bytes[0], reply_channel_bytes: bytes[1], ..network }
}

/// Sometimes memory nodes have split reply queues or a narrow link from their controller, replies a priority, and VCs
/// are for whole packets.
fn injecting(draw: &mut Draw, network: NetworkConfig) -> NetworkConfig {
    let network = NetworkConfig {
        priority_levels: draw.one_of(&[1, 1, 2, 3]),
        starvation_cycles: draw.one_of(&[1, 20, 1000]),
        whole_packet_forwarding: draw.chance(0.3),
        ..network
    };
    let (links, packets) = (draw.one_of(&[0, 0, 1, 2, 4]), draw.one_of(&[1, 1, 2]));
    let [_, replies] = network.channels();
    if draw.chance(0.6) || replies.vcs < 2 {
        return NetworkConfig { reply_write: draw.one_of(&[ReplyWrite::Packet, ReplyWrite::Flit]), ..network };
    }
    NetworkConfig {
        reply_injection: ReplyInjection::Split,
        reply_injection_links: links,
        injection_ports: 1,
        tx_queue_packets: replies.vcs * packets,
        ..network
    }
}

/// Sometimes a ring joins the memory nodes.
fn ring(draw: &mut Draw, controllers: u32, network: &NetworkConfig) -> RingConfig {
    let [requests, replies] = network.channels().map(|channels| channels.bytes);
    let common = (1..=32).map(|by| by * requests).find(|bytes| bytes.is_multiple_of(replies)).unwrap_or(requests);
    let drawn = RingConfig {
        round_trip_cycles: controllers + draw.uniform(0, 5),
        bytes: common * draw.one_of(&[1, 1, 2, 5]),
        tie: draw.one_of(&Tie::ALL),
        seed: draw.uniform(0, 1000),
        direct_below: draw.uniform(0, 4),
        order: draw.one_of(&[RingOrder::Shortest, RingOrder::Placement]),
        tx_queue_packets: draw.range(1, 4),
        rx_queue_packets: draw.range(1, 8),
        fair_wait: draw.one_of(&[0, 0, 1, 30]),
    };
    if controllers > 1 && draw.chance(0.5) { drawn } else { RingConfig::default() }
}

/// Sometimes a named placement is that for small clusters.
fn clustered(draw: &mut Draw, config: &ChipConfig) -> ChipConfig {
    let mut config = config.clone();
    if draw.chance(0.15) && matches!(config.network.placement, Placement::Named(_)) {
        config.network.placement = Placement::Named(PlacementKind::Clusters);
    }
    config
}

/// Every other time VCs are given away with the tail, where the turn-around is not zero.
fn reallocating(draw: &mut Draw, mut config: ChipConfig) -> ChipConfig {
    if draw.chance(0.5) && config.network.vc_reuse_delay == 1 {
        config.network.vc_reallocation = VcReallocation::WithTail;
    }
    config
}

/// Sometimes replies go by overlays, and nothing else is about replies.
fn overlaid(draw: &mut Draw, network: NetworkConfig, clocks: ClocksConfig) -> (NetworkConfig, ClocksConfig) {
    let overlay = OverlayConfig {
        kind: OverlayKind::Da2mesh,
        channel_bytes: draw.one_of(&[0, 1, 2, 3, 8, 64]),
        buffer_flits: draw.range(2, 16),
        injection: draw.one_of(&[OverlayInjection::Single, OverlayInjection::Split]),
    };
    let own = ClocksConfig {
        overlay: draw.one_of(&[0, 0, clocks.core, clocks.noc / 2 + 1, 2 * clocks.noc.min(5_000)]),
        ..clocks
    };
    let is_mesh = network.topology == TopologyKind::Mesh && network.concentration == 1;
    if !is_mesh || network.routers != RouterKinds::Full || draw.chance(0.4) {
        return (network, clocks);
    }
    let network = NetworkConfig {
        overlay,
        organisation: Organisation::Dedicated,
        reply_injection: ReplyInjection::Single,
        reply_write: ReplyWrite::Packet,
        ring: RingConfig::default(),
        priority_levels: 1,
        injection_speedup: 1,
        ..network
    };
    (network, own)
}

/// Sometimes routers are joined by a random graph: a tree, and some links more.
fn irregular(draw: &mut Draw, config: &ChipConfig) -> ChipConfig {
    let mut config = config.clone();
    let nodes = config.network.columns * config.network.rows;
    // Of the others there are few.
    if config.network.topology != TopologyKind::Mesh || draw.chance(0.7) {
        return config;
    }
    let routers = draw.uniform(2, nodes.max(2));
    let mut links: Vec<_> = (1..routers).map(|router| vec![draw.uniform(0, router - 1), router]).collect();
    for _ in 0..draw.uniform(0, 3) {
        let [a, b] = [draw.uniform(0, routers - 1), draw.uniform(0, routers - 1)];
        links.extend((a != b).then(|| vec![a, b, draw.range(1, 3)]));
    }
    let network = &mut config.network;
    // What is for a mesh alone.
    (network.overlay, network.routers) = (OverlayConfig::default(), RouterKinds::Full);
    if matches!(network.organisation, Organisation::Dci | Organisation::Dcie) {
        network.organisation = Organisation::Combined;
    }
    let routings = [Routing::Xy, Routing::UpDown, Routing::AdaptiveUpDown];
    (network.topology, network.routing) = (TopologyKind::Graph, draw.one_of(&routings));
    if network.routing == Routing::AdaptiveUpDown {
        // Two sets for each message class.
        (network.vcs, network.request_vcs, network.reply_vcs) = (4, 0, 0);
    }
    let nodes = (0..nodes).map(|_| draw.uniform(0, routers - 1)).collect();
    let mut one_way_links = vec![];
    for _ in 0..draw.uniform(0, 2) {
        let [a, b] = [draw.uniform(0, routers - 1), draw.uniform(0, routers - 1)];
        one_way_links.extend((a != b).then(|| vec![a, b, draw.range(1, 3)]));
    }
    network.graph = GraphConfig { nodes, links, one_way_links };
    config
}

/// Sometimes a link or a router is faulty, or a row or column disabled; packets go round them.
fn faulty(draw: &mut Draw, config: &ChipConfig) -> ChipConfig {
    let mut config = config.clone();
    let network = &mut config.network;
    let (columns, rows) = (network.columns, network.rows);
    let node = draw.uniform(0, columns * rows - 1);
    match draw.uniform(0, 7) {
        0 => network.disabled_rows = vec![draw.one_of(&[0, rows - 1])],
        1 => network.disabled_columns = vec![draw.one_of(&[0, columns - 1])],
        2 => network.faulty_routers = vec![node],
        3 if !node.is_multiple_of(columns) => network.faulty_links = vec![[node - 1, node]],
        4 if node >= columns => network.faulty_links = vec![[node - columns, node]],
        _ => {}
    }
    if !network.faults().is_empty() {
        network.overlay = OverlayConfig::default();
        network.routing = draw.one_of(&[Routing::UpDown, Routing::UpDown, Routing::AdaptiveUpDown, network.routing]);
    }
    config
}

/// `count` of `all`, in any order.
fn some_of(draw: &mut Draw, mut all: Vec<u32>, count: usize) -> Vec<u32> {
    let take = |_| (!all.is_empty()).then(|| all.swap_remove(draw.uniform(0, all.len() as u32 - 1) as usize));
    (0..count).filter_map(take).collect()
}

fn allocator(draw: &mut Draw) -> AllocatorParams {
    AllocatorParams {
        kind: draw.one_of(&ALLOCATORS),
        arbiter: draw.one_of(&ARBITERS),
        iterations: draw.one_of(&[1, 1, 1, 2, 3]),
    }
}

/// Most often none.
fn class_cycles(draw: &mut Draw) -> ClassCycles {
    let mut cycles = || if draw.chance(0.9) { 0 } else { draw.range(1, 255) };
    ClassCycles { integer: cycles(), multiply: cycles(), float_multiply_add: cycles(), ..ClassCycles::default() }
}

fn core(draw: &mut Draw) -> CoreConfig {
    use LatencyPreset::{Fermi, FourStage, Gt200, Uniform};
    let warps = if draw.chance(0.3) { 2 * draw.range(1, 32) } else { draw.power(2, 64) };
    CoreConfig {
        warps,
        issue_slots: if warps < 4 { 1 } else { draw.one_of(&[1, 1, 2]) },
        lanes: draw.power(8, 32),
        registers: draw.power(8, 128),
        register_file: draw.one_of(&[0, 0, 8192]),
        scale_percent: draw.one_of(&[100, 100, 50, 200]),
        program_words: draw.power(16, 65_536),
        shared_bytes: if draw.chance(0.3) { 1024 * draw.range(1, 64) } else { draw.power(1024, 65_536) },
        blocks: draw.range(2, 32),
        execute_stages: draw.range(1, 32),
        load_entries: draw.range(2, 64),
        tag_bits: draw.uniform(warps.next_power_of_two().ilog2(), 8),
        scheduler: draw.one_of(&WarpScheduler::ALL),
        warp_group: draw.one_of(&WarpGroup::ALL),
        laws_max_misses: draw.range(0, 31),
        throttle: ThrottleConfig {
            kind: draw.one_of(&[Throttle::None, Throttle::None, Throttle::Fixed, Throttle::Hits, Throttle::HitsAlone]),
            warps: draw.range(1, 64),
            min_warps: draw.range(1, 4),
            min_cycles: draw.range(1, 65_535),
            divergence: draw.range(1, 64),
            stable_periods: draw.range(1, 64),
            ..ThrottleConfig::default()
        },
        prefetch: PrefetchConfig {
            kind: if draw.chance(0.6) { Prefetcher::None } else { draw.one_of(&Prefetcher::ALL) },
            train: draw.one_of(&[TrainingBlock::Block, TrainingBlock::Any]),
            entries: draw.range(2, 64),
            inter_pc_entries: draw.range(2, 64),
            wrong_stride: draw.one_of(&[WrongStride::Transient, WrongStride::Initial]),
            max_resets: draw.range(0, 255),
            warp_entries: draw.range(2, 64),
            global_entries: draw.range(2, 64),
            thread_entries: draw.range(2, 64),
            adaptive_throttling: draw.chance(0.3),
            throttling_period: draw.range(16, 1_000_000),
            queue_entries: draw.power(2, 16),
        },
        block_distribution: draw.one_of(&BlockDistribution::ALL),
        memory_order: draw.one_of(&[MemoryOrder::Warp, MemoryOrder::Line]),
        max_outstanding: draw.range(2, 64),
        atomics: draw.chance(0.3),
        issue: draw.one_of(&[IssueRule::Scoreboard, IssueRule::Barrel]),
        latencies: draw.one_of(&[Uniform, Uniform, Gt200, Fermi, FourStage]),
        latency: class_cycles(draw),
        initiation_interval: class_cycles(draw),
        coalescing: draw.one_of(&[Coalescing::Line, Coalescing::HalfWarp, Coalescing::Cuda1x]),
        merge_loads: draw.chance(0.5),
        shared_banks: draw.one_of(&[0, 8, 16, 32]),
        shared_conflict_group: draw.one_of(&[SharedGroup::Lanes, SharedGroup::HalfWarp, SharedGroup::Warp]),
        double: draw.one_of(&[DoubleRate::None, DoubleRate::None, DoubleRate::Eighth, DoubleRate::Half]),
        // Drawn apart.
        special_units: 0,
        own_units: Default::default(),
        own_stages: Default::default(),
        barriers: 1,
    }
}

/// With limits no lower than what the MSHRs of its data cache hold.
fn filling(core: CoreConfig, l1d: &L1Config) -> CoreConfig {
    if l1d.bytes == 0 {
        return core;
    }
    let Some(lines) = MshrConfig::from(&l1d.mshr).lines() else { return core };
    CoreConfig {
        tag_bits: core.tag_bits.max(lines.next_power_of_two().ilog2()).min(8),
        max_outstanding: core.max_outstanding.max(lines).min(256),
        ..core
    }
}

fn memory(draw: &mut Draw) -> MemoryConfig {
    let mut cycles = |most| draw.range(1, most);
    let timing = DramTiming {
        t_cl: cycles(255),
        t_rp: cycles(255),
        t_rc: cycles(255),
        t_ras: cycles(255),
        t_rcd: cycles(255),
        t_rrd: cycles(255),
        burst: cycles(64),
        t_ccd: cycles(64),
        t_wl: cycles(255),
        t_wtr: cycles(255),
        t_rtw: cycles(255),
    };
    MemoryConfig {
        controllers: draw.range(1, 4),
        banks: draw.power(2, 64),
        row_bytes: draw.power(256, 16_384),
        line_bytes: draw.power(32, 128),
        queue_entries: draw.range(1, 128),
        reply_entries: draw.range(1, 256),
        address_map: draw.one_of(&AddressMapKind::ALL),
        scheduler: draw.one_of(&DramScheduler::ALL),
        row_streak_max: draw.one_of(&[0, 0, 1, 4, 100]),
        min_latency: draw.one_of(&[0, 0, 1, 2, 30, 1000]),
        partial_write: draw.one_of(&[PartialWrite::Mask, PartialWrite::ReadModifyWrite]),
        atomic_entries: draw.range(2, 16),
        model: MemoryModel::Controllers,
        write_reply: draw.one_of(&[WriteReply::Packet, WriteReply::None]),
        timing,
    }
}

/// The values that all caches have, as an L2 is drawn.
fn any_cache(draw: &mut Draw) -> (L2Config, MshrConfig) {
    let [first, second, third] = [(); 3].map(|()| l2(draw));
    let mshr = L2Mshr {
        targets: second.mshr.targets,
        cam_entries: third.mshr.cam_entries,
        cam_pipelined: third.mshr.cam_pipelined,
        protected_victims: third.mshr.protected_victims,
        ..first.mshr
    };
    let L2Config { latency, reply_entries, miss_queue_entries, .. } = second;
    let L2Config { write_pending, .. } = third;
    let mixed = MshrConfig::from(&mshr);
    (L2Config { latency, reply_entries, miss_queue_entries, write_pending, mshr, ..first }, mixed)
}

/// No line of it is dirty.
fn l1d(draw: &mut Draw) -> L1Config {
    let (cache, mshr) = any_cache(draw);
    let MshrConfig { kind, entries, ways, targets, cam_entries, cam_pipelined, protected_victims } = mshr;
    let write_hit = draw.one_of(&[WriteHit::Through, WriteHit::Evict]);
    L1Config {
        bytes: cache.bytes,
        ways: cache.ways,
        index: cache.index,
        replacement: cache.replacement,
        allocation: cache.allocation,
        write_hit,
        write_miss: cache.write_miss,
        mshr: L1Mshr { kind, entries, ways, targets, cam_entries, cam_pipelined, protected_victims },
        write_pending: cache.write_pending,
        latency: cache.latency,
        reply_entries: cache.reply_entries,
        miss_queue_entries: cache.miss_queue_entries,
        warp_locality: draw.chance(0.3),
        only_prefetches: draw.chance(0.15),
    }
}

fn read_only(draw: &mut Draw) -> ReadOnlyConfig {
    let (cache, mshr) = any_cache(draw);
    let MshrConfig { kind, entries, ways, targets, cam_entries, cam_pipelined, protected_victims } = mshr;
    ReadOnlyConfig {
        bytes: cache.bytes.min(4096),
        ways: cache.ways,
        index: cache.index,
        replacement: cache.replacement,
        allocation: cache.allocation,
        mshr: ReadOnlyMshr { kind, entries, ways, targets, cam_entries, cam_pipelined, protected_victims },
        latency: cache.latency,
        reply_entries: cache.reply_entries,
        miss_queue_entries: cache.miss_queue_entries,
    }
}

fn l2(draw: &mut Draw) -> L2Config {
    let entries = draw.range(2, 32);
    L2Config {
        bytes: if draw.chance(0.5) { 0 } else { draw.power(256, 16_384) * draw.one_of(&[1, 1, 3]) },
        ways: draw.one_of(&[1, 2, 3, 4, 8]),
        index: draw.one_of(&SetIndex::ALL),
        replacement: draw.one_of(&Replacement::ALL),
        allocation: draw.one_of(&[Allocation::OnFill, Allocation::OnMiss]),
        write_hit: draw.one_of(&[WriteHit::Back, WriteHit::Through, WriteHit::Evict]),
        write_miss: draw.one_of(&[WriteMiss::NoAllocate, WriteMiss::Allocate]),
        // Unlimited ones are the same with a thousand entries; single blocks have them.
        mshr: L2Mshr {
            kind: draw.one_of(&[
                MissHandling::Full,
                MissHandling::SetAssociative,
                MissHandling::Tsma,
                MissHandling::Htsma,
                MissHandling::Htsma,
            ]),
            entries,
            ways: draw.one_of(&[entries, (entries / 2).max(1)]),
            targets: draw.range(1, 8),
            cam_entries: draw.range(0, 8),
            cam_pipelined: draw.chance(0.5),
            protected_victims: draw.one_of(&[ProtectedVictims::Hit, ProtectedVictims::All]),
        },
        write_pending: draw.one_of(&[WritePending::Stall, WritePending::Poison]),
        latency: draw.range(3, 16),
        queue_entries: draw.range(1, 16),
        reply_entries: draw.range(1, 16),
        miss_queue_entries: draw.range(1, 16),
        fill_queue_entries: draw.range(1, 16),
        write_back_entries: draw.range(1, 32),
        flush: draw.one_of(&[Flush::Invalidate, Flush::Clean]),
    }
}

/// The tools look at its routers within seconds.
fn is_small(chip: &Chip) -> bool {
    let network = &chip.config().network;
    let is_large = |p: AllocatorParams| p.kind == AllocatorKind::Wavefront || p.arbiter == ArbiterKind::Matrix;
    let large = is_large(network.vc_allocator) || is_large(network.switch_allocator);
    let routers = chip.fabric().subnetworks().iter().flat_map(|part| &part.routers);
    let vcs: Vec<_> =
        routers.map(|router| router.inputs().len().max(router.outputs().len()) * network.vcs as usize).collect();
    let most = if large { MOST_VCS_LARGE } else { MOST_VCS_OF_ROUTER };
    vcs.iter().all(|&vcs| vcs <= most) && vcs.iter().sum::<usize>() <= MOST_VCS && (!large || network.vcs <= 4)
}
