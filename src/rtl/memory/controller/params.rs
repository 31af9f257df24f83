//! Parameters of a memory controller, and what follows from them: transactions, names.

use super::{DramScheduler, scheduling::SchedulingParams};
use crate::memory::{
    map::{AddressMap, AddressMapKind},
    protocol::Protocol,
    timing::DramTiming,
};
use hdl::params;

/// Parameters of a [`controller`](super::controller()).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControllerParams {
    /// Address map of the chip.
    pub map: AddressMap,
    /// DRAM timing.
    pub timing: DramTiming,
    /// Bits of a request's tag, 1 and up.
    pub tag_bits: u32,
    /// Requests that the queue holds, 1 and up.
    pub queue_entries: usize,
    /// Replies in the DRAM or waiting to be taken, 1 and up; fewer than `latency / burst` limit the bandwidth.
    pub reply_entries: usize,
    /// How requests are served.
    pub service: ServiceParams,
    /// Below an [`atomic_unit`](mod@crate::memory::atomic_unit): its writes, whose tags have their top bit set, give no `request_left`.
    pub atomics: bool,
}

/// How requests are served; by default in order and as fast as the DRAM allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ServiceParams {
    /// Which request is served next.
    pub scheduler: DramScheduler,
    /// Requests that may go before the oldest one of their bank; 0: any number.
    pub row_streak_max: u32,
    /// Cycles that every reply waits after its burst.
    pub min_latency: u32,
}

impl ControllerParams {
    /// Its transactions.
    pub fn protocol(&self) -> Protocol {
        Protocol { line_bytes: self.map.line_bytes(), tag_bits: self.tag_bits }
    }

    /// What its scheduler goes by.
    pub(super) fn scheduling(&self) -> SchedulingParams {
        SchedulingParams {
            map: self.map.clone(),
            queue_entries: self.queue_entries,
            row_streak_max: self.service.row_streak_max,
        }
    }

    /// For the names of modules: what differs from the default only where it does.
    pub(in crate::memory) fn names(&self) -> Vec<(String, String)> {
        let DramTiming { t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, burst, t_ccd, t_wl, t_wtr, t_rtw } = self.timing;
        let timing = [t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, burst].map(|t| t.to_string()).join("_");
        let (map, tag) = (&self.map, self.tag_bits);
        let mut names = params! {
            n: map.node_bits(), c: map.controllers(), b: map.banks(), col: map.column_bits(), line: map.line_bytes(), tag,
            q: self.queue_entries, r: self.reply_entries, t: timing
        };
        let bus = DramTiming { t_ccd, t_wl, t_wtr, t_rtw, ..DramTiming::default() };
        if bus != DramTiming::default() {
            names.extend(params! { bus: format!("{t_ccd}_{t_wl}_{t_wtr}_{t_rtw}") });
        }
        if map.kind() != AddressMapKind::default() {
            names.extend(params! { chunk: map.chunk_bits() });
        }
        if self.service != ServiceParams::default() {
            let ServiceParams { scheduler, row_streak_max, min_latency } = self.service;
            names.extend(params! { s: scheduler.name().replace('-', "_"), streak: row_streak_max, wait: min_latency });
        }
        if self.atomics {
            names.extend(params! { a: 1 });
        }
        names
    }
}
