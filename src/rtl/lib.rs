//! The hardware: every block of the chip, written once, and the chip composed of them.
//!
//! [`blocks`] are what every part is made of (queues, arbiters, arithmetic); [`noc`] is the network, [`memory`] the
//! nodes at its ends with a DRAM channel, [`core`] the nodes with warps; [`chip`] reads a configuration, checks it, and
//! puts them together. [`registry`] has single blocks by name. Nothing here simulates, prints or measures.

#![forbid(unsafe_code)]

pub mod registry;

pub use ::{blocks, cache, chip, memory, noc, simt_core as core};

use hdl::Statistic;

/// All statistics that blocks keep, by kind of block, as `docs/statistics.md` lists them.
pub fn statistics() -> Vec<Statistic> {
    [
        core::front_end::STATISTICS,
        core::warp::STATISTICS,
        core::locality::STATISTICS,
        core::throttle::STATISTICS,
        core::prefetch::STATISTICS,
        core::stack::STATISTICS,
        core::operands::STATISTICS,
        core::register_file::STATISTICS,
        core::write_back::STATISTICS,
        &core::units::statistics(),
        core::memory::shared_memory::STATISTICS,
        core::barrier::STATISTICS,
        core::memory::constant_memory::STATISTICS,
        core::memory::coalescer::STATISTICS,
        core::memory::pending_request_table::STATISTICS,
        &core::memory::stages::statistics(),
        core::memory::memory_port::STATISTICS,
        core::block_control::STATISTICS,
        chip::dispatcher::STATISTICS,
        memory::partition::STATISTICS,
        memory::atomic_unit::STATISTICS,
        &cache::statistics(),
        memory::partial_writes::STATISTICS,
        memory::controller::STATISTICS,
        noc::interface::STATISTICS,
        noc::interface::injection_lane::STATISTICS,
        noc::interface::split_lane::STATISTICS,
        noc::interface::ejection_lane::STATISTICS,
        noc::input_unit::STATISTICS,
        noc::output_unit::STATISTICS,
        noc::starvation::STATISTICS,
        noc::injector::STATISTICS,
        noc::ring::hub::STATISTICS,
        noc::ring::writer::STATISTICS,
        noc::ring::channel::STATISTICS,
        noc::overlay::lane::STATISTICS,
        noc::overlay::router::STATISTICS,
        noc::overlay::sink::STATISTICS,
        noc::overlay::source::STATISTICS,
        noc::traffic::source::STATISTICS,
        noc::traffic::sink::STATISTICS,
    ]
    .concat()
}
