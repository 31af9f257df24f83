//! Testbenches as data: every folder of `testbenches/` that holds a `testbench.toml` names a block, its parameters and its stimulus;
//! `trace.snap` beside it is what the block did, cycle by cycle. `testbenches/README.md` describes the format.
//!
//! A new testbench is a folder and one line in the table below. A missing or changed trace is reviewed with `cargo insta`.

mod copies;
#[path = "../support/matrix.rs"]
mod matrix;
#[path = "../support/random.rs"]
mod random;
mod run;
mod stimulus;
mod testbench;

use run::check;
use testbench::Parameters;
use warpmesh::{
    blocks::*,
    chip::{DispatcherParams, dispatcher},
    core::{self, CoreParams, WarpScheduler},
    hdl::Module,
    memory::{AddressMap, DramTiming, PartitionParams, partition},
    noc::{
        AllocatorKind, AllocatorParams, Connectivity, FlitFormat, InterfaceParams, MessageClass, NetworkParams,
        Organisation, PortChoice, Ports, Routing,
        interface::{
            injection_lane::injection_lane,
            path_choice::{PathChoiceParams, path_choice},
            port_choice::port_choice,
            subnetwork_choice::{SubnetworkChoiceParams, subnetwork_choice},
        },
        link::link,
        route_unit::{RouteUnitParams, route_unit},
        switch_allocator::switch_allocator,
        vc_allocator::vc_allocator,
    },
};

/// The table, and a test called after each folder.
macro_rules! testbenches {
    ($($folder:ident: $build:expr,)*) => {
        /// Each folder with the function from its parameters to the block.
        const TABLE: &[(&str, fn(&Parameters) -> Module)] = &[$((stringify!($folder), $build)),*];

        mod folder {
            $(#[test]
            fn $folder() {
                super::check_folder(stringify!($folder));
            })*
        }
    };
}

testbenches! {
    alu32: |_| fixed::alu32(),
    barrier: |p| core::barrier::barrier(&core_params(p.number("w"), p.number("b"))),
    block_control: |p| core::block_control::block_control(&core_params(p.number("w"), p.number("b"))),
    block_dispatcher: |p| dispatcher(&DispatcherParams { cores: p.number("cores"), warps: 8, blocks: p.number("blocks") }),
    cam: |p| cam(p.number("entries"), p.number("width")),
    clock_crossing_fifo: |p| clock_crossing_fifo(CrossingParams {
        depth: p.number("depth"),
        width: p.number("width"),
        stages: p.number("stages"),
    }),
    compare32: |_| fixed::compare32(),
    compare_unit: |_| core::lane::compare_unit(),
    credit_counter: |p| credit_counter(p.number("places")),
    fifo: |p| fifo(FifoParams { depth: p.number("depth"), width: p.number("width"), registered: false }),
    fifo_registered: |p| fifo(FifoParams { depth: p.number("depth"), width: p.number("width"), registered: true }),
    float_unit: |_| core::lane::float_unit(),
    fp32_add: |_| fp32_add(),
    fp32_compare: |_| fp32_compare(),
    fp32_fma: |_| fp32_fma(),
    fp32_from_integer: |_| fp32_from_integer(),
    fp32_min_max: |_| fp32_min_max(),
    fp32_mul: |_| fp32_mul(),
    fp32_to_integer: |_| fp32_to_integer(),
    first_in_order: |p| order::first_in_order(p.number("n")),
    lfsr: |p| lfsr(p.number("width"), p.number("shifts")),
    link: |p| link(&FlitFormat::new(2, 8, 4, 2), p.number("stages")),
    lru: |p| lru(p.number("n")),
    matrix_arbiter: |p| arbiter(ArbiterKind::Matrix, p.number("n")),
    memory_partition: |p| partition(&PartitionParams {
        map: AddressMap::new(&[1, 2], 4, 2, 256).expect("a legal map"),
        timing: DramTiming { t_cl: 3, t_rp: 4, t_rc: 12, t_ras: 7, t_rcd: 4, t_rrd: 3, burst: 2 },
        tag_bits: p.number("tag"),
        queue_entries: p.number("q"),
        reply_entries: p.number("r"),
        tx_places: p.number("x"),
    }),
    multiply32: |_| multiply32(),
    order_of_start: |p| order::order_of_start(p.number("n")),
    order_of_use: |p| order::order_of_use(p.number("n")),
    one_hot_multiplexer: |p| one_hot_multiplexer(p.number("n"), p.number("width")),
    pipeline_register: |p| pipeline_register(p.number("width")),
    predicate_file: |p| core::register_file::predicate_file(&core_params(p.number("w"), 8)),
    priority_encoder: |p| priority_encoder(p.number("n")),
    reconvergence_stack: |_| core::stack::reconvergence_stack(),
    round_robin_arbiter: |p| arbiter(ArbiterKind::RoundRobin, p.number("n")),
    path_choice: |p| path_choice(PathChoiceParams {
        columns: p.number("columns"),
        rows: p.number("rows"),
        routing: Routing::Checkerboard,
        odd_is_half: true,
    }),
    port_choice: |p| port_choice(p.number("ports"), p.number("used_bits"), PortChoice::Smart),
    injection_lane: |p| injection_lane(&InterfaceParams {
        tx_places: p.number("places"),
        ..InterfaceParams::new(
            NetworkParams::new(FlitFormat::new(4, 512, 16, 4), 64, 4).with_routing(Routing::O1Turn),
            4,
            4,
            MessageClass::Request,
        )
    }),
    route_unit: |p| route_unit(&RouteUnitParams::plain(
        p.number("columns"),
        p.number("rows"),
        Routing::Xy.rule(),
        Connectivity::full(&Ports::interior()).outputs().to_vec(),
    )),
    shared_bank: |p| core::memory::shared_memory::shared_bank(p.number("words")),
    subnetwork_choice: |p| subnetwork_choice(SubnetworkChoiceParams {
        columns: p.number("columns"),
        rows: p.number("rows"),
        organisation: Organisation::Dcie,
        routing: Routing::ClassBased,
        odd_is_half: true,
    }),
    skid_register: |p| skid_register(p.number("width")),
    switch_allocator: |_| switch_allocator_of(AllocatorKind::Islip),
    switch_allocator_pim: |_| switch_allocator_of(AllocatorKind::Pim),
    switch_allocator_wavefront: |_| switch_allocator_of(AllocatorKind::Wavefront),
    thread_index: |p| core::thread_index::thread_index(&core_params(p.number("w"), 8)),
    vc_allocator: |p| vc_allocator(
        &Connectivity::half(&Ports::interior()),
        p.number("vcs"),
        p.number("classes"),
        warpmesh::noc::routing::ClassTransition::Never,
        AllocatorParams::default(),
    ),
    warp_scheduler_gto: |p| core::scheduler::warp_scheduler(WarpScheduler::GreedyThenOldest, p.number("warps")),
}

/// Of a full router.
fn switch_allocator_of(kind: AllocatorKind) -> Module {
    let p = AllocatorParams { kind, ..AllocatorParams::default() };
    switch_allocator(&Connectivity::full(&Ports::interior()), p)
}

/// A core with so many warps and blocks, otherwise as by default.
fn core_params(warps: u32, blocks: u32) -> CoreParams {
    let map = AddressMap::new(&[0], 2, 2, 1024).expect("a legal map");
    CoreParams { warps, blocks, ..CoreParams::new(map) }
}

fn check_folder(folder: &str) {
    let (_, build) = TABLE.iter().find(|(name, _)| *name == folder).expect("tests are made from the table");
    check(folder, *build);
}

#[test]
fn every_folder_is_in_the_table() {
    let folders = std::fs::read_dir(testbench::root()).expect("the testbenches folder").map(|entry| {
        let entry = entry.expect("a readable folder");
        (entry.path().join("testbench.toml").exists(), entry.file_name().to_string_lossy().into_owned())
    });
    let forgotten: Vec<_> = folders
        .filter(|(is_bench, name)| *is_bench && !TABLE.iter().any(|(known, _)| known == name))
        .map(|(_, name)| name)
        .collect();
    assert!(forgotten.is_empty(), "add to the table of tests/testbenches/main.rs: {forgotten:?}");
}
