//! DRAM scheduler: which request gets which command in a cycle.
//!
//! ```text
//!  arrival: valid, request, [place] -->+-----------+
//!  banks: what may be done now ------->|  policy   |--> service: activate, precharge or access; write, bank, row, column, [place]
//!  reply_free ------------------------>|  state    |
//!                                      +-----------+
//! ```
//!
//! Contract: at most one command a cycle, and none that the banks do not allow. A request that arrives in cycle t is
//! looked at from t + 1 on. Requests for the same line are served in the order of arrival: of requests for one row none
//! overtakes an older one. A policy is a file here and a row of [`DramScheduler`].

use super::{Banks, ControllerParams, DramCommand, fifo, fifo_banks, fr_fcfs, fr_fcfs_global};
use common::policies;
use hdl::{Builder, Signal};

policies! {
    /// Which request a memory controller serves next.
    pub enum DramScheduler: dyn Scheduling {
        /// In the order of arrival; only the oldest request gets commands.
        Fifo = "fifo" | "fcfs" => fifo::Fifo,
        /// In the order of arrival to the banks, which work at the same time.
        FifoBanks = "fifo-banks" => fifo_banks::FifoBanks,
        /// First ready, first come first served: in each bank requests for the open row first, then the oldest; banks in rotation.
        FrFcfs = "fr-fcfs" | "frfcfs" => fr_fcfs::FrFcfs,
        /// The oldest of all requests that can be read or written now, else the oldest that can get its row.
        FrFcfsGlobal = "fr-fcfs-global" => fr_fcfs_global::FrFcfsGlobal,
    }
}

/// A way to choose requests.
pub trait Scheduling: Sync {
    /// Requests are read and written in the order of arrival: they need no places.
    fn is_in_order(&self) -> bool {
        false
    }

    /// Requests go before older ones of their bank, as often as `memory.row_streak_max` lets them.
    fn may_overtake(&self) -> bool {
        false
    }

    /// The command of this cycle.
    fn schedule<'m>(&self, channel: &DramChannel<'_, 'm>) -> Service<'m>;
}

/// What a scheduler sees.
pub struct DramChannel<'a, 'm> {
    pub(super) m: &'m Builder,
    pub(super) p: &'a ControllerParams,
    pub(super) banks: &'a Banks<'m>,
    /// A request arrives.
    pub(super) arrives: Signal<'m>,
    pub(super) request: DramCommand<'m>,
    /// Where its payload is kept, of a scheduler that is not in order.
    pub(super) place: Option<Signal<'m>>,
    /// One more request may be read or written.
    pub(super) reply_free: Signal<'m>,
}

/// What is done in a cycle; at most one of the first three is high.
pub struct Service<'m> {
    pub(super) activate: Signal<'m>,
    pub(super) precharge: Signal<'m>,
    /// Read or write.
    pub(super) access: Signal<'m>,
    pub(super) write: Signal<'m>,
    pub(super) bank: Signal<'m>,
    pub(super) row: Signal<'m>,
    pub(super) column: Signal<'m>,
    /// Where the payload of the request is kept.
    pub(super) place: Option<Signal<'m>>,
    /// Bank, row and column mean something: what the pins are loaded with.
    pub(super) valid: Signal<'m>,
}
