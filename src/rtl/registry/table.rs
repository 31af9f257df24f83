//! The rows of the registry, in the order of their names.

use super::{Block, BlockParameter, Value, typical::*};
use crate::{
    blocks::*,
    cache::{self, CacheParams, MissHandling, Replacement, SetIndex, cache, reply_queue::ReplyQueueParams},
    chip::{BlockDistribution, DispatcherParams, dispatcher},
    core::{self, CoreParams, WarpScheduler, memory::line_order::LineOrderParams},
    memory::{DramScheduler, controller::controller, memory_crossing, partition, protocol::Protocol},
    noc::{
        AllocatorKind, AllocatorParams, Connectivity, EndpointCrossingParams, FlitFormat, InterfaceParams,
        MessageClass, Organisation, PortChoice, Ports, Routing,
        crossbar::crossbar,
        endpoint_crossing,
        flit_buffer::{FlitBufferParams, flit_buffer},
        interface::{
            ejection_lane::ejection_lane,
            injection_lane::injection_lane,
            path_choice::{PathChoiceParams, path_choice},
            port_choice::port_choice,
            subnetwork_choice::{SubnetworkChoiceParams, subnetwork_choice},
        },
        link::link,
        packet::PacketFormat,
        route_unit::{RouteUnitParams, route_unit},
        router,
        routing::ClassTransition,
        switch_allocator::switch_allocator,
        vc_allocator::vc_allocator,
    },
};
use common::parameters::Allowed;

blocks! {
    /// Integer unit of a lane: 32 bits, two operands.
    alu32 {} => fixed::alu32();
    /// Barriers of the thread blocks of a core.
    barrier {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
        /// Thread blocks.
        blocks: u32 = 8, powers(1, 8);
    } where blocks <= warps, "a block has a warp at least"; => core::barrier::barrier(&core_params(warps, blocks));
    /// What starts the thread blocks of a core.
    block_control {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
        /// Thread blocks.
        blocks: u32 = 8, powers(1, 8);
    } where blocks <= warps, "a block has a warp at least"; => core::block_control::block_control(&core_params(warps, blocks));
    /// What gives the thread blocks of a kernel to cores.
    block_dispatcher {
        /// Cores.
        cores: usize = 12, range(1, 256);
        /// Thread blocks of a core.
        blocks: usize = 8, powers(1, 8);
        /// Caches that are flushed after a kernel.
        flushed: usize = 0, range(0, 512);
        /// Which core gets the next block.
        distribution: BlockDistribution;
    } => dispatcher(&DispatcherParams { cores, warps: 8, blocks, flushed, distribution });
    /// Cache with two miss entries of two fields each: an L2 bank with short queues.
    cache {
        /// Sets.
        sets: u32 = 4, powers(2, 1024);
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Bytes of a line.
        line: u32 = 32, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Cycles of a hit.
        latency: u32 = 3, range(3, 64);
        /// Set of a line.
        index: SetIndex;
        /// Which line of a set leaves.
        replacement: Replacement;
        /// How pending lines are found; `tsma` with allocation on miss, the others on fill.
        misses: MissHandling;
    } => cache(&cache_params(Protocol { line_bytes: line, tag_bits: tag }, (sets, ways), latency, (index, replacement, misses)));
    /// Lines of a cache.
    cache_data_array {
        /// Lines.
        lines: u32 = 64, range(2, 65536);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => cache::data_array::data_array(lines, line);
    /// Requests that wait for each pending line of a cache.
    cache_fields {
        /// Miss entries.
        entries: u32 = 8, range(2, 256);
        /// Requests that can wait for one line.
        fields: u32 = 4, range(1, 32);
        /// Bits of a request's tag.
        tag: u32 = 8, range(1, 32);
    } => cache::fields::fields(entries, fields, tag);
    /// Replies of a cache, until they are due and taken.
    cache_reply_queue {
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 8, range(1, 32);
        /// Replies.
        places: u32 = 6, range(1, 64);
        /// Cycles that each waits at least.
        delay: u32 = 7, range(0, 61);
    } => cache::reply_queue::reply_queue(&ReplyQueueParams { protocol: Protocol { line_bytes: line, tag_bits: tag }, places, delay });
    /// Rows of the sets of a cache, read a cycle ahead.
    cache_set_array {
        /// Sets.
        sets: u32 = 64, powers(2, 65536);
        /// Bits of a row.
        width: u32 = 32, range(1, 4096);
    } => cache::set_array::set_array(sets, width);
    /// Content-addressable memory.
    cam {
        /// Entries.
        entries: u32 = 16, range(1, 1024);
        /// Bits of a key.
        width: u32 = 32, range(1, 1024);
    } => cam(entries, width);
    /// Queue between two clock domains, with gray-coded pointers.
    clock_crossing_fifo {
        /// Words.
        depth: usize = 8, powers(2, 1024);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
        /// Registers of a synchroniser.
        stages: u32 = 2, range(2, 8);
    } => clock_crossing_fifo(CrossingParams { depth, width, stages });
    /// Turns the accesses of a warp of eight lanes into requests for lines.
    coalescer {
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => core::memory::coalescer::coalescer(&core_of_lines(line));
    /// Integer comparison: 32 bits, signed or unsigned.
    compare32 {} => fixed::compare32();
    /// Comparison unit of a lane: integers and floats.
    compare_unit {} => core::lane::compare_unit();
    /// Counts the free places of a receiver.
    credit_counter {
        /// Places.
        places: usize = 8, range(1, 65536);
    } => credit_counter(places);
    /// Crossbar of a router in the middle of a mesh.
    crossbar {
        /// Bits of control of a flit.
        control: u32 = 8, range(1, 64);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 4096);
    } => crossbar(&Connectivity::full(&Ports::interior()), control, width);
    /// What the memory controller knows of a DRAM bank: the commands that it may be given now.
    dram_bank_state {} => fixed::dram_bank_state();
    /// One port of a network interface: flits in, packets out; replies of two flits.
    ejection_lane {
        /// Flits of each virtual channel.
        depth: usize = 8, range(1, 256);
    } => ejection_lane(&InterfaceParams::new(lane_network(256, depth), 4, 4, MessageClass::Request));
    /// Clock crossing between a core and its network interface.
    endpoint_crossing {
        /// Bits of a packet's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Packets for which the core may have credits.
        sent: usize = 4, range(1, 64);
        /// Replies for which the network may have credits.
        received: usize = 4, range(1, 64);
    } => endpoint_crossing(&EndpointCrossingParams { packet: PacketFormat::new(4, &Protocol { line_bytes: line, tag_bits: tag }), tx_places: sent, rx_places: received });
    /// Queue: the oldest word stands at the output.
    fifo {
        /// Words.
        depth: usize = 8, range(1, 4096);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => fifo(FifoParams { depth, width, registered: false });
    /// Queue whose outputs are registers.
    fifo_registered {
        /// Words.
        depth: usize = 8, range(1, 4096);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => fifo(FifoParams { depth, width, registered: true });
    /// The first of several requests by an order that is kept elsewhere.
    first_in_order {
        /// Requests.
        n: u32 = 8, range(2, 64);
    } => order::first_in_order(n);
    /// Queues of several virtual channels in one memory.
    flit_buffer {
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Flits of each.
        depth: usize = 8, range(1, 256);
        /// Bits of control of a flit.
        carried: u32 = 2, range(1, 64);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 4096);
    } => flit_buffer(FlitBufferParams { vcs, depth, carried, width, route: 0, behind: false });
    /// Float unit of a lane: arithmetic and conversions.
    float_unit {} => core::lane::float_unit();
    /// Single-precision sum.
    fp32_add {} => fp32_add();
    /// Single-precision comparison.
    fp32_compare {} => fp32_compare();
    /// Single-precision fused multiply-add.
    fp32_fma {} => fp32_fma();
    /// Integer to single precision.
    fp32_from_integer {} => fp32_from_integer();
    /// Single-precision minimum and maximum.
    fp32_min_max {} => fp32_min_max();
    /// Single-precision product.
    fp32_mul {} => fp32_mul();
    /// Single precision to integer.
    fp32_to_integer {} => fp32_to_integer();
    /// One port of a network interface: packets in, flits out.
    injection_lane {
        /// Packets that wait.
        places: usize = 4, range(1, 64);
    } => injection_lane(&lane_params(places));
    /// Data cache of a core that evicts on a write, with the order of lines below it.
    l1_data {
        /// Sets.
        sets: u32 = 4, powers(2, 1024);
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Bytes of a line.
        line: u32 = 32, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Requests below that may be under way.
        entries: u32 = 4, range(2, 256);
        /// How pending lines are found.
        misses: MissHandling;
    } => core::memory::l1_data(&l1_params(Protocol { line_bytes: line, tag_bits: tag }, (sets, ways), entries, misses));
    /// What one thread computes in one instruction.
    lane {} => core::lane::lane();
    /// Pseudo-random sequence of maximal period.
    lfsr {
        /// Bits.
        width: u32 = 16, range(2, 64);
        /// Places that it moves by in a step.
        shifts: u32 = 1, range(1, 128);
    } => lfsr(width, shifts);
    /// Keeps the order of reads and writes of each line in front of a network that does not.
    line_order {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Requests under way.
        entries: u32 = 8, range(2, 256);
    } => core::memory::line_order::line_order(&LineOrderParams { protocol: Protocol { line_bytes: line, tag_bits: tag }, entries });
    /// Registers on a channel between two routers.
    link {
        /// Registers in a row.
        stages: u32 = 1, range(1, 64);
    } => link(&FlitFormat::new(2, 8, 4, 2), stages);
    /// Least recently used way of a set.
    lru {
        /// Ways.
        n: u32 = 4, range(2, 64);
    } => lru(n);
    /// Arbiter: the least recently granted requester comes first.
    matrix_arbiter {
        /// Requesters.
        n: u32 = 5, range(2, 64);
    } => arbiter(ArbiterKind::Matrix, n);
    /// Controller of a DRAM channel with two banks.
    memory_controller {
        /// Bits of a request's tag; two more say the node.
        tag: u32 = 4, range(1, 16);
        /// Requests that wait.
        queue: usize = 16, range(1, 256);
        /// Replies that wait.
        replies: usize = 4, range(1, 256);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Which request is served next.
        scheduler: DramScheduler;
        /// Requests that may go before the oldest one of their bank; 0: any number.
        streak: u32 = 0, range(0, 1023);
        /// Cycles that every reply waits after its burst.
        wait: u32 = 0, range(0, 1023);
    } => controller(&served(partition_params(tag, line, (queue, replies, 1)).controller(), scheduler, (streak, wait)));
    /// Clock crossing of the memory protocol.
    memory_crossing {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => memory_crossing(&Protocol { line_bytes: line, tag_bits: tag });
    /// Memory partition tile: packets in and out, the controller of a DRAM channel with two banks.
    memory_partition {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Requests that wait.
        queue: usize = 16, range(1, 256);
        /// Replies that wait.
        replies: usize = 4, range(1, 256);
        /// Packets that the network interface takes before it gives a credit back.
        places: usize = 16, range(1, 256);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => partition(&partition_params(tag, line, (queue, replies, places)));
    /// Memory port of a core: transactions of its units as packets, four controllers of a 4 x 4 mesh.
    memory_port {
        /// Units that send requests.
        clients: u32 = 2, range(1, 8);
        /// Bits of a unit's tag.
        tag: u32 = 4, range(1, 8);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Packets that the network interface takes before it gives a credit back.
        places: u32 = 2, range(1, 64);
    } => core::memory::memory_port(&port_params(clients, Protocol { line_bytes: line, tag_bits: tag }, places));
    /// Miss status holding registers of a cache, without their fields.
    miss_entries {
        /// Entries.
        entries: u32 = 8, range(2, 256);
        /// Entries of a set, of a set-associative kind; gives a power of two of sets.
        ways: u32 = 4, range(1, 256);
        /// How pending lines are found.
        misses: MissHandling;
    } where entries.is_multiple_of(ways) && (entries / ways).is_power_of_two(), "ways divide entries into a power of two of sets"; => cache::miss::miss_entries(&CacheParams { entries, entry_ways: ways, misses, ..cache_params(Protocol { line_bytes: 64, tag_bits: 8 }, (64, 8), 3, Default::default()) });
    /// Integer product: 32 bits, both halves.
    multiply32 {} => multiply32();
    /// Takes one of several words by a one-hot select.
    one_hot_multiplexer {
        /// Words.
        n: u32 = 5, range(1, 64);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => one_hot_multiplexer(n, width);
    /// Which of several came first.
    order_of_start {
        /// How many.
        n: u32 = 8, range(2, 64);
    } => order::order_of_start(n);
    /// Which of several was used last.
    order_of_use {
        /// How many.
        n: u32 = 8, range(2, 64);
    } => order::order_of_use(n);
    /// XY or YX for a packet in a checkerboard mesh.
    path_choice {
        /// Routers in a row.
        columns: u32 = 6, range(2, 32);
        /// Rows.
        rows: u32 = 6, range(2, 32);
    } => path_choice(PathChoiceParams { columns, rows, routing: Routing::Checkerboard, odd_is_half: true });
    /// A register with valid and ready.
    pipeline_register {
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => pipeline_register(width);
    /// Which injection port a packet takes.
    port_choice {
        /// Ports.
        ports: u32 = 2, range(2, 8);
        /// Bits of the use of a port.
        used_bits: u32 = 4, range(1, 16);
        /// How.
        kind: PortChoice;
    } => port_choice(ports, used_bits, kind);
    /// Predicates of the threads of a core.
    predicate_file {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
    } => core::register_file::predicate_file(&core_params(warps, 8));
    /// Number of the lowest request.
    priority_encoder {
        /// Requests.
        n: u32 = 8, range(2, 256);
    } => priority_encoder(n);
    /// Stack of the branches of a warp.
    reconvergence_stack {} => core::stack::reconvergence_stack();
    /// Registers of the threads of a core.
    register_file {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
        /// Registers of a thread.
        registers: u32 = 64, powers(8, 128);
    } => core::register_file::register_file(&CoreParams { registers, ..core_params(warps, 2) });
    /// Arbiter: the requester after the last winner comes first.
    round_robin_arbiter {
        /// Requesters.
        n: u32 = 5, range(2, 64);
    } => arbiter(ArbiterKind::RoundRobin, n);
    /// The outputs that a packet may take: XY routing in a mesh.
    route_unit {
        /// Routers in a row.
        columns: u32 = 6, range(2, 32);
        /// Rows.
        rows: u32 = 6, range(2, 32);
    } => route_unit(&RouteUnitParams::plain(
        columns,
        rows,
        Routing::Xy.rule(),
        Connectivity::full(&Ports::interior()).outputs().to_vec(),
    ));
    /// Virtual-channel router in the middle of a 6 x 6 mesh: XY routing, iSLIP allocators, four stages.
    router {
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Flits of each.
        depth: usize = 8, range(1, 256);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 4096);
    } => router(&router_params(vcs, depth, width)).map_err(|_| "its parameters do not fit")?;
    /// Registers and predicates of a warp whose results are still to come.
    scoreboard {
        /// Registers of a thread.
        registers: u32 = 64, powers(8, 128);
    } => core::scoreboard::scoreboard(&CoreParams { registers, ..core_params(8, 8) });
    /// A bank of shared memory.
    shared_bank {
        /// Words.
        words: u32 = 512, powers(2, 16384);
    } => core::memory::shared_memory::shared_bank(words);
    /// A register with valid and ready whose ready is a register, too.
    skid_register {
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => skid_register(width);
    /// Which warps of a core have stores that are not acknowledged.
    store_tracker {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
    } => core::memory::store_tracker::store_tracker(&core_params(warps, 2));
    /// Which subnetwork of a double checkerboard a packet takes.
    subnetwork_choice {
        /// Routers in a row.
        columns: u32 = 6, range(2, 32);
        /// Rows.
        rows: u32 = 6, range(2, 32);
    } => subnetwork_choice(SubnetworkChoiceParams {
        columns,
        rows,
        organisation: Organisation::Dcie,
        routing: Routing::ClassBased,
        odd_is_half: true,
    });
    /// Matches inputs and outputs of a full router.
    switch_allocator {
        /// How.
        kind: AllocatorKind;
        /// Its arbiters.
        arbiter: ArbiterKind;
        /// Rounds in a cycle.
        iterations: u32 = 1, range(1, 8);
        /// Inputs of the crossbar for each input of the router.
        speedup: u32 = 1, range(1, 2);
    } => switch_allocator(
        &Connectivity::full(&Ports::interior()).with_speedup(speedup),
        AllocatorParams { kind, arbiter, iterations },
    );
    /// A level from one clock domain to another.
    synchroniser {
        /// Registers.
        stages: u32 = 2, range(2, 8);
    } => synchroniser(stages);
    /// Coordinates of the threads of a warp in its block.
    thread_index {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
    } => core::thread_index::thread_index(&core_params(warps, 8));
    /// Matches waiting packets of a half-router and free virtual channels.
    vc_allocator {
        /// Virtual channels.
        vcs: u32 = 4, powers(1, 16);
        /// Classes that they are divided among.
        classes: u32 = 2, powers(1, 16);
        /// How.
        kind: AllocatorKind;
        /// Its arbiters.
        arbiter: ArbiterKind;
    } where classes <= vcs, "a class has a virtual channel at least"; => vc_allocator(
        &Connectivity::half(&Ports::interior()),
        vcs,
        classes,
        ClassTransition::Never,
        AllocatorParams { kind, arbiter, ..AllocatorParams::default() },
    );
    /// Which of the ready warps issues next.
    warp_scheduler {
        /// Warps.
        warps: u32 = 8, range(2, 64);
        /// How.
        kind: WarpScheduler;
    } => core::scheduler::warp_scheduler(kind, warps);
}
