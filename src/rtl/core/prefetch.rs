//! Prefetchers: what they see of a core's loads tells them which lines its data cache should have soon.
//!
//! ```text
//!  load_*  (of the load/store unit)  -->+----------+ address  +-------+
//!  start, done (blocks) --------------->|  policy, |--------->| queue |--> prefetch_* (to the data cache)
//!  event_* (of the data cache) -------->|  tables  |          +-------+<-- prefetch_taken
//!  clear   (the kernel has ended) ----->+----------+
//! ```
//!
//! Contract: a load that is seen in cycle t is learnt at the end of t + 1; each of its requests is looked up in t + 2,
//! and its prefetch is shown from t + 3 on, until it is taken: one for each line of the access. A policy is a file in
//! `prefetch/` and a row of [`Prefetcher`]. Prefetches whose address leaves the address space are dropped, and those
//! that find the queue full. All state is that of a kernel. Nothing waits for a prefetcher.
//!
//! Source: Kim's thesis, chapter 4. Testbenches: `testbenches/prefetcher_pcst/`, `prefetcher_stpe/`,
//! `prefetcher_mt_hwp/`; tests: `tests/core/prefetch.rs`.

mod block;
mod degree;
mod entries;
pub mod global_strides;
pub mod inter_pc_table;
mod many_thread;
mod narrow_stride;
mod none;
mod pc_stride;
mod policy;
mod recent_entries;
pub mod stride_table;
pub mod thread_strides;
pub mod warp_strides;

use common::{parameters, policies};
use hdl::{Statistic, statistics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use block::{PrefetcherUnit, prefetcher};
pub use policy::{LoadRequest, Prediction, PrefetchPolicy, PrefetchView, Table};
pub use stride_table::WrongStride;

policies! {
    /// What a core prefetches into its data cache.
    pub enum Prefetcher: dyn PrefetchPolicy {
        /// Nothing.
        None = "none" | "off" => none::Nothing,
        /// By the stride between accesses of a load, learnt from one thread for all warps (PCST).
        PcStride = "pcst" => pc_stride::PcStride { inter_pc: false, throttled: false },
        /// As `pcst`; loads that a thread executes once go by the distance to the next such load (ITPC).
        InterPc = "pcst-itpc" => pc_stride::PcStride { inter_pc: true, throttled: false },
        /// As `pcst-itpc`; its tables are cleared when lines were fetched for nothing, and then it stops (STPE).
        Stpe = "stpe" => pc_stride::PcStride { inter_pc: true, throttled: true },
        /// By strides of single warps, strides that hold for all, and distances between warps (MT-HWP).
        ManyThread = "mt-hwp" => many_thread::ManyThread,
    }
}

/// Blocks whose first thread a prefetcher learns from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrainingBlock {
    /// One at a time, the next block that starts when it has ended.
    #[default]
    Block,
    /// All of them, interleaved.
    Any,
}

parameters! {
    /// Prefetching into the data cache of a core (Kim's thesis, chapter 4).
    #[derive(Copy, Hash)]
    pub struct PrefetchConfig {
        /// What is prefetched.
        kind: Prefetcher = Prefetcher::None;
        /// Blocks whose first thread a prefetcher learns from.
        #[only(other_than("kind", "none"))]
        train: TrainingBlock = TrainingBlock::Block;
        /// Loads that the table of strides of `pcst` holds.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Stride)))]
        entries: u32 = 16, range(2, 64);
        /// Loads that the table of distances of `pcst-itpc` holds.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::InterPc)))]
        inter_pc_entries: u32 = 16, range(2, 64);
        /// What an entry of these tables with a steady stride becomes by another one.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Stride)))]
        wrong_stride: WrongStride = WrongStride::Transient;
        /// Times that `stpe` clears its tables before it stops; the next one stops it.
        #[only(is("kind", "stpe"))]
        max_resets: u32 = 2, range(0, 255);
        /// Loads of a warp that `mt-hwp` knows the strides of.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        warp_entries: u32 = 32, range(2, 64);
        /// Loads whose stride `mt-hwp` takes to hold for all warps.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        global_entries: u32 = 8, range(2, 64);
        /// Loads that `mt-hwp` knows the distances between warps of.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        thread_entries: u32 = 8, range(2, 64);
        /// `mt-hwp` drops some or all of its prefetches, by what became of those of the last period.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        adaptive_throttling: bool = false;
        /// Such a period.
        #[only(is("adaptive_throttling", true))]
        throttling_period: u32 = 100_000, range(16, 1_000_000) cycles;
        /// Prefetches that wait for the data cache.
        #[only(other_than("kind", "none"))]
        queue_entries: u32 = 4, powers(2, 16);
    }
}

/// What tells the address of a prefetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredictorKind {
    /// The stride of a load.
    Stride,
    /// The distance to the next load.
    InterPc,
    /// A stride that holds for all warps.
    Global,
    /// The distance to the next warp.
    InterThread,
    /// The stride of a warp.
    Warp,
}

impl Prefetcher {
    /// It may prefetch by this.
    fn has(self, source: PredictorKind) -> bool {
        self.sources().contains(&source)
    }

    /// What tells its addresses.
    pub fn sources(self) -> &'static [PredictorKind] {
        self.policy().sources()
    }
}

impl PredictorKind {
    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            PredictorKind::Stride => "stride",
            PredictorKind::InterPc => "inter-pc",
            PredictorKind::Global => "global stride",
            PredictorKind::InterThread => "inter-thread",
            PredictorKind::Warp => "stride of a warp",
        }
    }

    /// Prefetches that it has generated, and those that the data cache has asked for.
    pub fn statistics(self) -> [Statistic; 2] {
        match self {
            PredictorKind::Stride => [STRIDE_GENERATED, STRIDE_ISSUED],
            PredictorKind::InterPc => [INTER_PC_GENERATED, INTER_PC_ISSUED],
            PredictorKind::Global => [GLOBAL_GENERATED, GLOBAL_ISSUED],
            PredictorKind::InterThread => [INTER_THREAD_GENERATED, INTER_THREAD_ISSUED],
            PredictorKind::Warp => [WARP_GENERATED, WARP_ISSUED],
        }
    }
}

statistics! {
    "prefetcher" {
        /// Prefetches by the stride of a load (`pcst`).
        STRIDE_GENERATED: stride_generated in "prefetches";
        /// Of them those whose lines were requested.
        STRIDE_ISSUED: stride_issued in "prefetches";
        /// Prefetches by the distance to the next load (`pcst-itpc`).
        INTER_PC_GENERATED: inter_pc_generated in "prefetches";
        /// Of them those whose lines were requested.
        INTER_PC_ISSUED: inter_pc_issued in "prefetches";
        /// Prefetches by a stride that holds for all warps (`mt-hwp`).
        GLOBAL_GENERATED: global_generated in "prefetches";
        /// Of them those whose lines were requested.
        GLOBAL_ISSUED: global_issued in "prefetches";
        /// Prefetches by the distance to the next warp (`mt-hwp`).
        INTER_THREAD_GENERATED: inter_thread_generated in "prefetches";
        /// Of them those whose lines were requested.
        INTER_THREAD_ISSUED: inter_thread_issued in "prefetches";
        /// Prefetches by the stride of a warp (`mt-hwp`).
        WARP_GENERATED: warp_generated in "prefetches";
        /// Of them those whose lines were requested.
        WARP_ISSUED: warp_issued in "prefetches";
        /// Prefetches that `mt-hwp` has dropped by its degree.
        DROPPED_BY_DEGREE: dropped_by_degree in "prefetches";
        /// Prefetches that found the queue full.
        DROPPED_BY_QUEUE: dropped_by_queue in "prefetches";
        /// Prefetches beyond the address space.
        DROPPED_OUT_OF_RANGE: dropped_out_of_range in "prefetches";
        /// Prefetches in the queue at the end of a kernel.
        DROPPED_AT_END: dropped_at_end in "prefetches";
        /// Blocks that it has learnt from.
        TRAINING_BLOCKS: training_blocks in "blocks";
        /// Times that `stpe` has cleared its tables.
        RESETS: resets in "resets";
        /// Cycles in which `stpe` has stopped.
        OFF_CYCLES: off_cycles in "cycles";
    }
}
