//! Parameters of a memory controller, and what follows from them: transactions.

use super::{DramScheduler, scheduling::SchedulingParams};
use crate::{map::AddressMap, protocol::Protocol, timing::DramTiming};
use serde::Serialize;

/// Parameters of a [`controller`](super::controller()).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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
    /// Below an [`atomic_unit`](mod@crate::atomic_unit): its writes, whose tags have their top bit set, give no `request_left`.
    pub atomics: bool,
}

/// How requests are served; by default in order and as fast as the DRAM allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
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
}
