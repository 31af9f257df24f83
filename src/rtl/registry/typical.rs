//! Parameters of single blocks that the table does not ask for: small, typical ones.

use crate::{
    cache::{
        Allocation, CacheParams, MissHandling, MshrConfig, Prefetching, Replacement, SetIndex, WriteHit, WritePending,
    },
    core::{
        CoreParams, PrefetchConfig, SharedGroup, ThrottleConfig,
        memory::{L1Params, PostedWritesParams, memory_port::MemoryPortParams},
    },
    memory::{
        AddressMap, ControllerParams, DramScheduler, DramTiming, PartialWrite, PartitionParams, ServiceParams,
        WriteReply, protocol::Protocol,
    },
    noc::{
        Connectivity, Direction, FlitFormat, Input, InputPort, InterfaceParams, MessageClass, NetworkParams, Nodes,
        Output, Ports, Ring, RingParams, RouterParams, Routing, SplitQueues, VcDepths, VcSets,
        input_unit::{InputUnitParams, StageMerges},
        overlay::OverlayFormat,
        packet::PacketFormat,
        ring::{
            ChannelParams, RingFormat,
            interface::{Inner, ring_interface},
        },
    },
};

/// A core with so many warps and blocks, otherwise as by default.
pub(super) fn core_params(warps: u32, blocks: u32) -> CoreParams {
    let map = AddressMap::new(&[0], 2, 2, 1024).expect("a legal map");
    CoreParams { warps, blocks, ..CoreParams::new(map) }
}

/// A core with a data cache of eight miss entries, so many warps and this throttle.
pub(super) fn throttled_core(warps: u32, throttle: ThrottleConfig) -> CoreParams {
    let params = core_params(warps, 8);
    let cache = CacheParams { entries: 8, entry_ways: 8, ..CacheParams::new(params.protocol(), 4, 2) };
    CoreParams { l1d: Some(cache), throttle, ..params }
}

/// A core with a data cache, so many warps and this prefetcher.
pub(super) fn prefetching_core(warps: u32, prefetch: PrefetchConfig) -> CoreParams {
    let params = throttled_core(warps, ThrottleConfig::default());
    let l1d = params.l1d.map(|cache| CacheParams { prefetching: Prefetching::Beside, ..cache });
    CoreParams { l1d, prefetch, ..params }
}

/// A core whose memory has lines of so many bytes.
pub(super) fn core_of_lines(line_bytes: u32) -> CoreParams {
    let params = core_params(8, 8);
    CoreParams { map: params.map.clone().with_line_bytes(line_bytes), ..params }
}

pub(super) fn router_params(vcs: u32, depth: usize, width: u32) -> RouterParams {
    let network = NetworkParams::new(FlitFormat::new(vcs, width, 36, 8), depth, 1);
    RouterParams::plain(6, 6, Connectivity::full(&Ports::interior()), network)
}

/// An input of a router with XY routing, from which three outputs can be reached.
pub(super) fn input_unit_params(vcs: u32, depth: usize, width: u32) -> InputUnitParams {
    let network = NetworkParams::new(FlitFormat::new(vcs, width, 16, 4), depth, 2);
    InputUnitParams {
        outputs: 3,
        format: network.format,
        depths: VcDepths::equal(depth),
        sets: VcSets::equal(vcs, 2),
        rule: Routing::Xy.rule(),
        reads_arrival: false,
        arbiter: network.vc_arbiter,
        merges: StageMerges::of_depth(network.pipeline),
        port: InputPort::default(),
        vc_reuse_delay: network.vc_reuse_delay,
        with_tail: false,
    }
}

/// A full router whose injected packets may have a priority.
pub(super) fn injects_first(switch_inputs: u32) -> Connectivity {
    Connectivity::full(&Ports::interior()).with_ports(|input| match input {
        Input::Inject(_) => InputPort { switch_inputs, priority: true, ..InputPort::default() },
        Input::From(_) => InputPort::default(),
    })
}

/// The interface of a core in a 4 x 4 mesh.
pub(super) fn lane_params(tx_queue_packets: usize) -> InterfaceParams {
    InterfaceParams { tx_queue_packets, ..InterfaceParams::new(lane_network(512, 64), 4, 4, MessageClass::Request) }
}

/// The interface of a memory node with split queues of so many packets of four flits.
pub(super) fn split_params(packets: usize) -> InterfaceParams {
    let network = NetworkParams::new(FlitFormat::new(4, 128, 16, 4), 64, 2);
    let split = Some(SplitQueues { links: 1 });
    InterfaceParams { split, tx_queue_packets: 2 * packets, ..InterfaceParams::new(network, 4, 4, MessageClass::Reply) }
}

/// Four VCs in two classes of two phases.
pub(super) fn lane_network(width: u32, depth: usize) -> NetworkParams {
    NetworkParams::new(FlitFormat::new(4, width, 16, 4), depth, 4).with_routing(Routing::O1Turn)
}

/// A 4 x 4 mesh with memory nodes 1, 7, 8 and 14 on a ring of four cycles.
pub(super) fn ring_of_four(flits: u32, tx: usize, rx: usize) -> Ring {
    let nodes = Nodes::new(4, 4, &[1, 7, 8, 14]).expect("legal");
    Ring::new(RingParams { flits: [flits; 2], tx, rx, ..RingParams::new(4) }, &nodes).expect("legal")
}

/// The interface of a node of [`ring_of_four`], packets of up to four flits.
pub(super) fn ring_interface_params(sends: MessageClass) -> InterfaceParams {
    // Four bits of a sideband, four of a node number and three of a length.
    let network = NetworkParams { longest: 4, ..NetworkParams::new(FlitFormat::new(2, 16, 16, 4 + 4 + 3), 8, 2) };
    InterfaceParams { payload_bits: [64, 64], ..InterfaceParams::new(network, 4, 4, sends) }
}

/// Packets of up to four flits of `width` bits on an overlay of a 4 x 4 mesh, with two flits of header at 8 bits.
pub(super) fn overlay_format(width: u32) -> OverlayFormat {
    OverlayFormat::new(PacketFormat { node_bits: 4, sideband_bits: 6, payload_bits: 4 * width, width })
}

/// A branch of a tree in each direction but the west, and so many ejection ports.
pub(super) fn overlay_outputs(ejects: u32) -> Vec<Output> {
    let links = [Direction::North, Direction::East, Direction::South].map(Output::To);
    links.into_iter().chain((0..ejects).map(Output::Eject)).collect()
}

/// The interface of a core there.
pub(super) fn ring_core(places: usize) -> hdl::Module {
    let p = InterfaceParams { tx_queue_packets: places, ..ring_interface_params(MessageClass::Request) };
    ring_interface(&ring_of_four(1, 2, 4), Inner::Interface(&p)).expect("legal")
}

/// A channel with writers one, two and three cycles behind the home.
pub(super) fn ring_channel_params(flits: u32, cycles: u32, (tx, rx): (usize, usize), fair_wait: u32) -> ChannelParams {
    let ring = RingParams { flits: [flits; 2], ..RingParams::new(cycles) };
    let format = RingFormat::of(&ring_interface_params(MessageClass::Reply), &ring, MessageClass::Request);
    ChannelParams { format, cycles, offsets: vec![1, 2, 3], tx, rx, fair_wait }
}

/// Posted writes of so many warps, with the map of [`port_params`].
pub(super) fn posted_params(warps: u32, protocol: Protocol) -> PostedWritesParams {
    PostedWritesParams { protocol, warps, map: port_params(1, protocol, 1).map }
}

/// A partition of two, with short times; `places`: of requests, replies, and packets to be sent.
pub(super) fn partition_params(tag_bits: u32, line_bytes: u32, places: (usize, usize, usize)) -> PartitionParams {
    let (queue_entries, reply_entries, tx_queue_packets) = places;
    PartitionParams {
        map: AddressMap::new(&[1, 2], 4, 2, 256).expect("a legal map").with_line_bytes(line_bytes),
        timing: DramTiming {
            t_cl: 3,
            t_rp: 4,
            t_rc: 12,
            t_ras: 7,
            t_rcd: 4,
            t_rrd: 3,
            burst: 2,
            ..DramTiming::default()
        },
        tag_bits,
        queue_entries,
        reply_entries,
        tx_queue_packets,
        service: ServiceParams::default(),
        l2: None,
        atomics: 0,
        crosses_clocks: false,
        write_reply: WriteReply::default(),
        partial_write: PartialWrite::default(),
        flit_bits: 128,
    }
}

/// A cache that writes back, of `(sets, ways)`.
pub(super) fn cache_params(
    protocol: Protocol,
    (sets, ways): (u32, u32),
    latency: u32,
    (index, replacement, misses): (SetIndex, Replacement, MissHandling),
) -> CacheParams {
    let mshr = MshrConfig::small(misses);
    let cache = CacheParams::new(protocol, sets, ways).with_misses(&mshr, 1 << protocol.tag_bits);
    CacheParams { index, replacement, allocation: misses.allocation(), latency, ..cache }
}

/// Whether there can be a [cache](cache_params) of that kind.
pub(super) fn cache_is_legal(ways: u32, tag_bits: u32, misses: MissHandling) -> bool {
    let needs = misses.policy().needs();
    needs.ways.is_none_or(|(least, _)| ways >= least) && needs.block_tag_bits.is_none_or(|most| tag_bits <= most)
}

/// When there can be none, in words.
pub(super) fn cache_needs() -> String {
    let all = MissHandling::ALL.map(|kind| (kind.name(), kind.policy().needs()));
    let ways = all.iter().filter_map(|(name, needs)| Some(format!("{name} needs {} ways", needs.ways?.0)));
    let tags =
        all.iter().filter_map(|(name, needs)| Some(format!("{name} at most {} tag bits", needs.block_tag_bits?)));
    ways.chain(tags).collect::<Vec<_>>().join(", ")
}

/// The same of one with prefetches.
pub(super) fn prefetching_cache_needs() -> String {
    let all = MissHandling::ALL.map(|kind| (kind, kind.policy().needs()));
    let without = all.iter().filter(|(_, needs)| needs.no_prefetches.is_some()).map(|(kind, _)| kind.name());
    let alone = all.iter().filter(|(kind, _)| prefetch_is_legal(2, *kind)).map(|(kind, _)| kind.name());
    format!(
        "{}, {} no prefetches, prefetched lines alone {}",
        cache_needs(),
        without.collect::<Vec<_>>().join(" and "),
        alone.collect::<Vec<_>>().join(" or ")
    )
}

/// Whether a cache of that kind can take prefetches: 0 none, 1 beside others, 2 alone.
pub(super) fn prefetch_is_legal(prefetch: u32, misses: MissHandling) -> bool {
    let goes = misses.policy().needs().no_prefetches.is_none();
    prefetch == 0 || goes && (prefetch == 1 || misses.allocation() == Allocation::OnFill)
}

/// A data cache that evicts on a write, with or without locality, poisoned lines and prefetches.
pub(super) fn l1_params(
    protocol: Protocol,
    places: (u32, u32),
    (max_outstanding, misses): (u32, MissHandling),
    (locality, poison, prefetch): (bool, bool, u32),
) -> L1Params {
    let cache = cache_params(protocol, places, 3, (SetIndex::Plain, Replacement::Lru, misses));
    let write_pending = if poison { WritePending::Poison } else { WritePending::Stall };
    let locality = locality.then_some(3);
    let prefetching = [Prefetching::None, Prefetching::Beside, Prefetching::Only][prefetch as usize];
    L1Params {
        cache: CacheParams { write_hit: WriteHit::Evict, write_pending, locality, prefetching, ..cache },
        max_outstanding,
        atomics: false,
    }
}

/// A cache of a core that is only read.
pub(super) fn read_only_params(protocol: Protocol, places: (u32, u32), misses: MissHandling) -> CacheParams {
    let cache = cache_params(protocol, places, 3, (SetIndex::Plain, Replacement::Lru, misses));
    CacheParams { write_hit: WriteHit::Through, ..cache }
}

/// A core, with an instruction cache if it is to be.
pub(super) fn fetching(core: CoreParams, cached: bool) -> CoreParams {
    let cache = cached.then(|| read_only_params(core.fetch_protocol(), (4, 2), MissHandling::default()));
    CoreParams { instruction_cache: cache, ..core }
}

/// A controller that serves requests so.
pub(super) fn served(
    params: ControllerParams,
    scheduler: DramScheduler,
    (row_streak_max, min_latency): (u32, u32),
) -> ControllerParams {
    ControllerParams { service: ServiceParams { scheduler, row_streak_max, min_latency }, ..params }
}

pub(super) fn port_params(clients: u32, client: Protocol, tx_queue_packets: u32) -> MemoryPortParams {
    let map = AddressMap::new(&[0, 3, 12, 15], 16, 8, 2048).expect("a legal map").with_line_bytes(client.line_bytes);
    MemoryPortParams { clients, client, tx_queue_packets, map, replies: 0, flit_bits: 128 }
}

/// Of `group` threads that shared memory serves together, where `banks` is of any lanes.
pub(super) fn shared_params(lanes: u32, shared_bytes: u32, shared_banks: u32, group: u32) -> CoreParams {
    let shared_conflict_group = match group {
        16 => SharedGroup::HalfWarp,
        32 => SharedGroup::Warp,
        _ => SharedGroup::Lanes,
    };
    CoreParams { lanes, shared_bytes, shared_banks, shared_conflict_group, ..core_params(8, 8) }
}
