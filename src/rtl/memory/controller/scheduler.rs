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

pub use super::{
    scheduling::{DramChannel, Scheduling},
    service::Service,
};

use super::{fifo, fifo_banks, fr_fcfs, fr_fcfs_global};
use common::policies;

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
