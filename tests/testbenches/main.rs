//! Testbenches as data: every folder of `testbenches/` that holds a `testbench.toml` names a block of the registry, its
//! parameters and its stimulus; `trace.snap` beside it is what the block did, cycle by cycle. `testbenches/README.md`
//! describes the format.
//!
//! A new testbench is a folder and its name in the list below. A missing or changed trace is reviewed with
//! `cargo insta`.

mod copies;
mod run;

use testkit::matrix;
use warpmesh::{
    block_bench::{Testbench, shipped},
    netlist::elaborate,
    registry::blocks,
};

/// A test called after each folder.
macro_rules! testbenches {
    ($($folder:ident)*) => {
        const FOLDERS: &[&str] = &[$(stringify!($folder)),*];

        mod folder {
            $(#[test]
            fn $folder() {
                super::run::check(stringify!($folder));
            })*
        }
    };
}

testbenches! {
    alu32
    atomic_alu
    atomic_unit
    barrier
    block_control
    block_dispatcher
    cache
    cache_data_array
    cache_reply_queue
    cache_set_array
    cache_targets
    cache_waiting_lists
    cam
    clock_crossing_fifo
    coalescer
    coalescer_atomics
    compare32
    compare_unit
    constant_memory
    credit_counter
    crossbar
    decode
    double_arithmetic
    double_unit
    dram_bank_state
    ejection_lane
    endpoint_crossing
    execute
    fifo
    fifo_registered
    first_in_order
    flit_buffer
    fp32_add
    fp32_compare
    fp32_fma
    fp32_from_integer
    fp32_min_max
    fp32_mul
    fp32_special
    fp32_to_fp64
    fp32_to_integer
    fp64_fma
    fp64_from_integer
    fp64_relation
    fp64_to_fp32
    fp64_to_integer
    front_end
    global_strides
    injection_lane
    injector
    input_unit
    inter_pc_table
    l1_data
    l1_data_locality
    l1_data_prefetch
    lane
    lfsr
    line_order
    link
    load_merge
    load_store
    locality
    locality_score
    lru
    matrix_arbiter
    matrix_arbiter_sets
    memory_controller
    memory_crossing
    memory_partition
    memory_partition_two_clocks
    memory_port
    miss_entries
    miss_entries_htsma
    multiply32
    named_barriers
    network_interface
    oldest_warps
    one_hot_multiplexer
    operands
    order_of_start
    order_of_use
    output_unit
    overlay_lane
    overlay_router
    overlay_sink
    overlay_sink_crossing
    overlay_source
    overlay_source_crossing
    partial_writes
    path_choice
    pending_request_table
    pipeline_register
    port_choice
    posted_writes
    predicate_file
    prefetcher_mt_hwp
    prefetcher_pcst
    prefetcher_stpe
    priority_encoder
    read_only_cache
    reconvergence_stack
    register_file
    result_slots
    ring_channel
    ring_hub
    ring_interface
    ring_writer
    round_robin_arbiter
    round_robin_arbiter_sets
    route_unit
    router
    scoreboard
    shared_bank
    shared_memory
    shared_memory_atomics
    shared_memory_back_to_back
    shared_memory_half_warps
    skid_register
    special_arithmetic
    special_unit
    split_lane
    split_queue
    starvation_counter
    store_tracker
    stride_table
    subnetwork_choice
    switch_allocator
    switch_allocator_pim
    switch_allocator_wavefront
    synchroniser
    texture_path
    thread_index
    thread_strides
    throttle_ccws
    throttle_swl
    throttle_thu
    traffic_sink
    traffic_source
    two_class_switch_allocator
    two_class_vc_allocator
    vc_allocator
    victim_tags
    warp
    warp_scheduler_2lev_gtlr_g
    warp_scheduler_gtlr
    warp_scheduler_gto
    warp_scheduler_oldest_ready
    warp_strides
    write_back
}

#[test]
fn every_folder_is_in_the_list() {
    assert_eq!(shipped().iter().map(|(folder, _)| *folder).collect::<Vec<_>>(), FOLDERS);
}

#[test]
fn every_block_has_a_testbench() {
    let benches = shipped().into_iter().map(|(folder, text)| {
        let bench = Testbench::parse(folder, text).unwrap_or_else(|e| panic!("{e}"));
        bench.block(folder).unwrap_or_else(|e| panic!("{folder}: {e}")).name
    });
    let benches: Vec<_> = benches.collect();
    let without: Vec<_> = blocks().iter().map(|block| block.name).filter(|name| !benches.contains(name)).collect();
    assert!(without.is_empty(), "blocks without a testbench: {without:?}");
}

/// Each parameter at its least and its greatest value, the others as by default: a block, or a message.
#[test]
fn every_block_is_one_with_all_its_parameters() {
    let mut wrong = vec![];
    for block in blocks() {
        let defaults: Vec<u32> = block.parameters.iter().map(|parameter| parameter.default).collect();
        let mut cases = vec![defaults.clone()];
        for (at, parameter) in block.parameters.iter().enumerate() {
            let ends = match parameter.range {
                Some(range) => {
                    let ends = range.ends();
                    // As large as this, some take minutes to elaborate.
                    [ends.0, ends.1.min(64)]
                }
                None => [0, parameter.names().len() as u32 - 1],
            };
            for value in ends {
                let mut case = defaults.clone();
                case[at] = value;
                cases.push(case);
            }
        }
        for case in cases {
            // What elaboration refuses is out of range, too: the table should have said so.
            let shown = format!("{} {}", block.name, block.shown(&case));
            match block.build(&case) {
                Ok(module) => wrong.extend(elaborate(&module).err().map(|e| format!("{shown}: {e}"))),
                Err(error) => assert!(case != defaults && error.message.contains("cannot be"), "{shown}: {error}"),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
