//! Every number in its own range, and as others allow it.

use super::network::{counted, injection_speedup, overlay_bytes, ring_bytes, split_replies, vc_sets};
use crate::{
    chip::{
        ChipConfig, ChipError, caches,
        cores::{atomics, fills_mshrs, listeners, prefetcher},
        error::invalid_value,
    },
    noc::VcReallocation,
};
use common::parameters::{OutOfRange, Parameters};
use hdl::index_width;

/// Every number in its own range.
pub(in crate::chip) fn in_ranges(config: &ChipConfig) -> Result<(), ChipError> {
    config.check_ranges("").map_err(|OutOfRange { path, value, allowed }| invalid_value(&path, value, allowed))
}

/// Every number in its own range, and as others allow it.
pub(super) fn ranges(config: &ChipConfig) -> Result<(), ChipError> {
    in_ranges(config)?;
    let ChipConfig { network, core, .. } = config;
    if network.columns * network.rows < 2 {
        return Err(invalid_value(
            "network.columns",
            network.columns,
            "at least 2 nodes: a core and a memory controller",
        ));
    }
    if network.ideal_bytes > 0 && network.ideal_flits > 0 {
        let allowed = "0, as network.ideal_bytes limits the ideal network already";
        return Err(invalid_value("network.ideal_flits", network.ideal_flits, allowed));
    }
    vc_sets(config)?;
    caches::fit(config)?;
    if network.vc_reuse_delay == 0 && network.pipeline < 3 {
        let allowed = format!("1, as network.pipeline = {}: route and virtual channel share a cycle", network.pipeline);
        return Err(invalid_value("network.vc_reuse_delay", network.vc_reuse_delay, allowed));
    }
    if network.vc_reuse_delay == 0 && network.vc_reallocation == VcReallocation::WithTail {
        let allowed =
            "1, as network.vc_reallocation = with-tail: the next packet's virtual channel is taken in that cycle";
        return Err(invalid_value("network.vc_reuse_delay", network.vc_reuse_delay, allowed));
    }
    if let Some(vcs) = network.vcs_of_ports().into_iter().find(|vcs| !vcs.is_multiple_of(network.input_speedup)) {
        let count = counted(network, vcs);
        let allowed = format!("1, as {count} is odd: an input has two banks of virtual channels");
        return Err(invalid_value("network.input_speedup", network.input_speedup, allowed));
    }
    injection_speedup(config)?;
    split_replies(config)?;
    ring_bytes(config)?;
    overlay_bytes(config)?;
    listeners(config)?;
    prefetcher(config)?;
    atomics(config)?;
    fills_mshrs(config)?;
    let most = core.lanes / 2;
    if core.special_units != 0 && !(core.special_units.is_power_of_two() && core.special_units <= most) {
        let allowed = format!("0 or a power of two up to {most}, half of core.lanes");
        return Err(invalid_value("core.special_units", core.special_units, allowed));
    }
    if core.warps < 2 * core.issue_slots {
        let allowed = format!("1, as core.warps = {}: each slot has two at least", core.warps);
        return Err(invalid_value("core.issue_slots", core.issue_slots, allowed));
    }
    if !core.warps.is_multiple_of(core.issue_slots) {
        let allowed = format!("an even number, as core.issue_slots = {}", core.issue_slots);
        return Err(invalid_value("core.warps", core.warps, allowed));
    }
    let least = index_width(core.warps as usize);
    if (1..least).contains(&core.tag_bits) {
        let allowed = format!("{least} to 8 bits, as core.warps = {}, or 0: as many as it takes", core.warps);
        return Err(invalid_value("core.tag_bits", core.tag_bits, allowed));
    }
    if core.merge_loads && config.cache.l1d.bytes > 0 {
        return Err(invalid_value(
            "core.merge_loads",
            true,
            "false with a data cache (cache.l1d.bytes), which merges misses",
        ));
    }
    if ![0, 8, 16, 32].contains(&core.shared_banks) {
        return Err(invalid_value("core.shared_banks", core.shared_banks, "0, 8, 16 or 32"));
    }
    Ok(())
}
