//! What a policy of the prefetcher says, and what it sees of the core's loads.

use super::{PredictorKind, PrefetchConfig};
use cache::events::PrefetchEvents;
use hdl::{Builder, Signal};

/// A way to prefetch.
pub trait PrefetchPolicy: Sync {
    /// What it may prefetch by, the first that applies first; empty: it is not there.
    fn sources(&self) -> &'static [PredictorKind];

    /// What it has learnt about the request that is looked up.
    fn predict<'m>(&self, m: &'m Builder, config: &PrefetchConfig, seen: &PrefetchView<'m>) -> Prediction<'m>;

    /// What it keeps, for areas; `warp_bits`: of a warp number.
    fn tables(&self, config: &PrefetchConfig, warp_bits: u32) -> Vec<Table>;
}

/// What a policy sees.
pub struct PrefetchView<'m> {
    /// A thread that it is to learn from executes a load.
    pub thread: Signal<'m>,
    /// The thread's address.
    pub thread_address: Signal<'m>,
    /// Pc of that load, and of the request.
    pub pc: Signal<'m>,
    /// The first request of a load, in the cycle before it is looked up.
    pub first: LoadRequest<'m>,
    /// The request that is looked up.
    pub request: LoadRequest<'m>,
    /// A block that it has learnt from has ended.
    pub ended: Signal<'m>,
    /// What has become of earlier prefetches.
    pub events: PrefetchEvents<'m>,
    /// The kernel has ended.
    pub clear: Signal<'m>,
}

/// A request of a load.
#[derive(Clone, Copy)]
pub struct LoadRequest<'m> {
    /// There is one.
    pub valid: Signal<'m>,
    /// Of the load.
    pub pc: Signal<'m>,
    /// Whose load it is.
    pub warp: Signal<'m>,
    /// Of the first thread that it serves.
    pub address: Signal<'m>,
}

/// What a policy says.
pub struct Prediction<'m> {
    /// By which of its sources it predicts, a bit each, one-hot or zero.
    pub by: Vec<Signal<'m>>,
    /// From the address of the request to that of the prefetch; 32 bits, signed.
    pub stride: Signal<'m>,
    /// It clears its tables, and it has stopped; of one that does so.
    pub throttle: Option<[Signal<'m>; 2]>,
    /// It drops this prefetch; of one that does so.
    pub drops: Option<Signal<'m>>,
}

/// A table of a prefetcher: all keys are compared with what is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// As in reports.
    pub name: &'static str,
    /// Entries.
    pub entries: u32,
    /// Bits that are compared.
    pub key_bits: u32,
    /// Other bits of an entry, that of its use among them.
    pub data_bits: u32,
}
