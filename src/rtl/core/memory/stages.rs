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
//!
//! Another crate adds a stage of its own ([`add`]) before anything looks at the list; a core has it where a configuration
//! says so by the key `core.own_stages.<name>`.

use super::{
    l1_data::L1Data,
    line_order::LineOrder,
    load_merge::LoadMerge,
    posted_writes::PostedWrites,
    stage::{MemoryStage, StageNeeds},
    texture_path::TexturePath,
};
use crate::config::CoreParams;
use crate::own_rows::STAGE_NAMES;
use common::policies::{OpenTable, RowError};
use hdl::Statistic;
use protocol::Protocol;

/// All of them, from the load/store unit to the memory port.
pub static STAGES: OpenTable<dyn MemoryStage> = OpenTable::new(
    "memory stage",
    |stage| stage.name(),
    &[&TexturePath, &LoadMerge, &L1Data, &LineOrder, &PostedWrites],
);

/// Adds a stage to [`STAGES`], right behind the one that it [names](MemoryStage::behind).
///
/// # Errors
/// When its name is taken, there is no stage that it stands behind, or a core or a configuration has been made.
pub fn add(stage: &'static dyn MemoryStage) -> Result<(), RowError> {
    STAGES.add(stage, |rows| {
        let behind = |before: &str| {
            let known = || rows.iter().map(|row| row.name()).collect::<Vec<_>>().join(", ");
            let why = || format!("behind `{before}`, which there is not; allowed: {}", known());
            let at = rows.iter().position(|row| row.name() == before);
            Ok(at.ok_or_else(|| RowError::Refused { table: "memory stage", name: stage.name(), why: why() })? + 1)
        };
        let place = stage.behind().map_or(Ok(0), behind)?;
        STAGE_NAMES.add(stage.name(), stage.about())?;
        Ok(place)
    })
}

/// What all stages count.
pub fn statistics() -> Vec<Statistic> {
    STAGES.rows().iter().flat_map(|stage| stage.statistics()).copied().collect()
}

impl CoreParams {
    /// The stages between load/store unit and memory port.
    pub(crate) fn stages(&self) -> impl Iterator<Item = &'static dyn MemoryStage> {
        STAGES.rows().iter().copied().filter(|stage| stage.exists(self))
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
