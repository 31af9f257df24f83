//! What the prefetchers of a chip's cores have done.

use super::words::{ReportRow, grouped};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Prefetches into the data caches, summed over the cores.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PrefetchUse {
    /// By what told their addresses.
    pub sources: Vec<PrefetchSource>,
    /// Prefetches that asked for no line, by why.
    pub dropped: DroppedPrefetches,
    /// Lines that were asked for.
    pub issued: u64,
    /// Of them those that were read while they were in the cache.
    pub useful: u64,
    /// Those that were read while they were pending.
    pub late: u64,
    /// Those that left before anybody had read them.
    pub useless: u64,
    /// Share of the lines that loads wanted and did not have that a prefetch had asked for (0 to 1): useful and late ones over these and primary
    /// misses.
    pub coverage: f64,
    /// Share of the lines asked for that were useful or late (0 to 1).
    pub accuracy: f64,
    /// Blocks that were learnt from.
    pub training_blocks: u64,
    /// Times that `stpe` has cleared its tables.
    pub resets: u64,
    /// Cycles in which `stpe` has stopped.
    pub off_cycles: u64,
}

/// Prefetches by one kind of knowledge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PrefetchSource {
    /// Its name.
    pub source: String,
    /// Prefetches that it has told.
    pub generated: u64,
    /// Of them those that asked for a line.
    pub issued: u64,
}

/// Prefetches that asked for no line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DroppedPrefetches {
    /// Beyond the address space.
    pub out_of_range: u64,
    /// `mt-hwp` has dropped them by its degree.
    pub degree: u64,
    /// The queue was full.
    pub queue: u64,
    /// They were in the queue at the end of the kernel.
    pub end: u64,
    /// The line was there.
    pub present: u64,
    /// The line was pending.
    pub pending: u64,
    /// No miss entry was free.
    pub entry: u64,
    /// No way could be reserved, or the queues towards the next level were full.
    pub blocked: u64,
}

impl PrefetchUse {
    /// With what follows from the numbers; `misses`: lines that loads have asked for themselves.
    pub fn with_shares(self, misses: u64) -> Self {
        let over = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        let used = self.useful + self.late;
        Self { coverage: over(used, used + misses), accuracy: over(used, self.issued), ..self }
    }

    /// As a person reads it.
    pub(super) fn row(&self) -> ReportRow {
        let [useful, late, useless] = [self.useful, self.late, self.useless].map(grouped);
        let note = format!(
            "{useful} useful, {late} late, {useless} useless, coverage {:.1} %, accuracy {:.1} %",
            100.0 * self.coverage,
            100.0 * self.accuracy
        );
        ("L1 prefetches".into(), grouped(self.issued), note)
    }
}
