//! Parameters of single blocks that the table does not ask for: small, typical ones.

use crate::{
    cache::{Allocation, CacheParams, MissHandling, Replacement, SetIndex, WriteHit, WriteMiss},
    core::{
        CoreParams,
        memory::{L1Params, memory_port::MemoryPortParams},
    },
    memory::{
        AddressMap, ControllerParams, DramScheduler, DramTiming, PartitionParams, ServiceParams, protocol::Protocol,
    },
    noc::{
        Connectivity, FlitFormat, InputPort, InterfaceParams, MessageClass, NetworkParams, Ports, RouterParams,
        Routing,
        input_unit::{InputUnitParams, StageMerges},
    },
};

/// A core with so many warps and blocks, otherwise as by default.
pub(super) fn core_params(warps: u32, blocks: u32) -> CoreParams {
    let map = AddressMap::new(&[0], 2, 2, 1024).expect("a legal map");
    CoreParams { warps, blocks, ..CoreParams::new(map) }
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
        depth,
        classes: 2,
        rule: Routing::Xy.rule(),
        reads_arrival: false,
        arbiter: network.vc_arbiter,
        merges: StageMerges::of_depth(network.pipeline),
        port: InputPort::default(),
        vc_reuse_delay: network.vc_reuse_delay,
    }
}

/// The interface of a core in a 4 x 4 mesh.
pub(super) fn lane_params(tx_queue_packets: usize) -> InterfaceParams {
    InterfaceParams { tx_queue_packets, ..InterfaceParams::new(lane_network(512, 64), 4, 4, MessageClass::Request) }
}

/// Four VCs in two classes of two phases.
pub(super) fn lane_network(width: u32, depth: usize) -> NetworkParams {
    NetworkParams::new(FlitFormat::new(4, width, 16, 4), depth, 4).with_routing(Routing::O1Turn)
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
        crosses_clocks: false,
    }
}

/// A cache that writes back, of `(sets, ways)`.
pub(super) fn cache_params(
    protocol: Protocol,
    (sets, ways): (u32, u32),
    latency: u32,
    (index, replacement, misses): (SetIndex, Replacement, MissHandling),
) -> CacheParams {
    let allocation = if misses == MissHandling::Tsma { Allocation::OnMiss } else { Allocation::OnFill };
    CacheParams {
        protocol,
        sets,
        ways,
        index,
        replacement,
        allocation,
        write_hit: WriteHit::Back,
        write_miss: WriteMiss::Forward,
        misses,
        entries: 2,
        entry_ways: 2,
        fields: 2,
        latency,
        replies: 2,
        requests: 2,
        write_backs: 2,
    }
}

/// A data cache that evicts on a write.
pub(super) fn l1_params(protocol: Protocol, places: (u32, u32), under_way: u32, misses: MissHandling) -> L1Params {
    let cache = cache_params(protocol, places, 3, (SetIndex::Plain, Replacement::Lru, misses));
    L1Params { cache: CacheParams { write_hit: WriteHit::Evict, ..cache }, under_way }
}

/// A cache of a core that is only read.
pub(super) fn read_only_params(protocol: Protocol, places: (u32, u32), misses: MissHandling) -> CacheParams {
    let cache = cache_params(protocol, places, 3, (SetIndex::Plain, Replacement::Lru, misses));
    CacheParams { write_hit: WriteHit::Through, ..cache }
}

/// A core, with an instruction cache if it is to be.
pub(super) fn fetching(core: CoreParams, cached: bool) -> CoreParams {
    let cache = cached.then(|| read_only_params(core.fetch_protocol(), (4, 2), MissHandling::Full));
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
    MemoryPortParams { clients, client, tx_queue_packets, map, replies: 0 }
}
