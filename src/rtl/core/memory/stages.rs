//! Stages between load/store unit and memory port: each is a file and a row of `STAGES`.
//!
//! ```text
//!                 +-------+        +-------+                    +-------------+
//!   load_store -->| stage |-- ... -| stage |------------------->| memory_port |
//!              <--|       |        |       |<-------------------|             |
//!                 +-------+        +-------+   caches that are  |             |
//!               request, reply     downstream  only read ------>|             |
//! ```
//!
//! Contract: a stage takes the requests of what is above at `request` and shows its own at `downstream`, and the replies
//! the other way round, each as [`protocol`] says. A core has the stages of the list that exist with its
//! parameters, in the order of the list. What the load/store unit tells beside a request (that it is uncached, whose it is) goes
//! to a stage as it is: no stage above one that asks for it may delay a request. What its other parts have to know of them (`StageNeeds`) and the transactions
//! of its memory port follow from the same list.

use super::{
    l1_data::L1Data,
    line_order::LineOrder,
    load_merge::LoadMerge,
    posted_writes::PostedWrites,
    stage::{MemoryStage, StageNeeds},
    texture_path::TexturePath,
};
use crate::config::CoreParams;
use hdl::Statistic;
use protocol::Protocol;

/// All of them, from the load/store unit to the memory port.
pub(crate) const STAGES: &[&dyn MemoryStage] = &[&TexturePath, &LoadMerge, &L1Data, &LineOrder, &PostedWrites];

/// What all stages count.
pub fn statistics() -> Vec<Statistic> {
    STAGES.iter().flat_map(|stage| stage.statistics()).copied().collect()
}

impl CoreParams {
    /// The stages between load/store unit and memory port.
    pub(crate) fn stages(&self) -> impl Iterator<Item = &'static dyn MemoryStage> {
        STAGES.iter().copied().filter(|stage| stage.exists(self))
    }

    /// One of them has this need.
    fn has_stage(&self, need: impl Fn(StageNeeds) -> bool) -> bool {
        self.stages().any(|stage| need(stage.needs(self)))
    }

    /// Transactions of what loads and stores become.
    pub fn data_protocol(&self) -> Protocol {
        self.stages().fold(self.protocol(), |above, stage| stage.downstream(self, above))
    }

    /// What is above a memory port or a cache has to know of loads that pass a cache by.
    pub(crate) fn tells_uncached(&self) -> bool {
        self.has_stage(|needs| needs.uncached)
    }

    /// And whose each request is.
    pub fn shows_warps(&self) -> bool {
        self.has_stage(|needs| needs.warp)
    }

    /// Replies wait at its memory port: a client may refuse one.
    pub(crate) fn queues_replies(&self) -> bool {
        self.has_stage(|needs| needs.refuses) || !self.read_only_caches().is_empty()
    }

    /// It has a port `flush`: something has to be done at the end of a kernel.
    pub fn flushes(&self) -> bool {
        self.has_stage(|needs| needs.flush) || !self.read_only_caches().is_empty()
    }
}
