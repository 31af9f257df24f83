//! Every number in its own range, and as others allow it.

use super::network::{counted, injection_speedup, overlay_bytes, ring_bytes, split_replies, vc_sets};
use crate::{
    ChipConfig, ChipError, caches,
    cores::{self, fills_mshrs},
    error::invalid_value,
};
use common::parameters::{OutOfRange, Parameters};
use noc::VcReallocation;

/// Every number in its own range.
pub(crate) fn in_ranges(config: &ChipConfig) -> Result<(), ChipError> {
    config.check_ranges("").map_err(|OutOfRange { path, value, allowed }| invalid_value(&path, value, allowed))
}

/// Every number in its own range, and as others allow it.
pub(super) fn ranges(config: &ChipConfig) -> Result<(), ChipError> {
    in_ranges(config)?;
    let network = &config.network;
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
    cores::fit(config)?;
    fills_mshrs(config)
}
