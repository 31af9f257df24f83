//! Reports of a run, for people and as JSON.
//!
//! The driver's numbers ([`crate::host::driver`]) become a [`RunReport`]: serialised it is the JSON of `run --json`,
//! displayed ([`text`]) it is what a person reads. Deterministic but for the fields under [`RunReport::TIMING`], which
//! tell of the simulation itself ([`simulation`]); among them where the time went ([`profile`]) and what changed
//! ([`activity`]), on request.
//!
//! [`AreaReport`] is the JSON of `area --json`. [`OpenLoopReport`] is the JSON of `noc --json`: a network under
//! traffic; [`curves()`] (a [`LineChart`]) and [`FloorPlan`] draw it. [`IssueSlots`] is what the issue slots of cores
//! were used for, as CSV, drawn, and as a Perfetto trace; [`BufferSnapshots`] what routers hold over time.

mod activity;
mod area;
mod buffer_snapshots;
mod cache_use;
mod compare;
mod curves;
pub(crate) mod drawing;
mod floor_plan;
mod functional;
mod issue_chart;
mod issue_slots;
mod issue_timeline;
mod issue_use;
mod line_chart;
mod link_use;
mod memory;
mod open_loop;
mod open_loop_text;
mod own_counts;
mod power;
mod prefetches;
mod profile;
mod run;
pub(crate) mod schema;
pub mod shades;
mod simulation;
mod statistics;
mod structure;
pub mod text;
mod timing;
pub mod words;

pub use activity::{ActivityPart, ActivityProfile};
pub use area::{AreaReport, RouterRow};
pub use buffer_snapshots::BufferSnapshots;
pub use cache_use::{CacheLocality, CacheUse, CacheWaits, Spread};
pub use compare::{ChipComparison, ComparedChip, UnfinishedChip};
pub use curves::curves;
pub use floor_plan::{BAR, FloorPlan};
pub use functional::{FunctionalReport, UnitUse};
pub use issue_slots::{CoreSlots, IssueSlot, IssueSlots, WarpState};
pub use issue_use::{IssueUse, SlotUse, WaitCauses, WarpUse};
pub use line_chart::{Axis, COLOURS, Line, LineChart, LineStyle};
pub use link_use::LinkUse;
pub use memory::{ControllerMemory, CoreMemory, Latencies, MemoryUse};
pub use open_loop::{ClassPoint, LatencySummary, LoadPoint, LoadVerdict, OpenLoopReport};
pub use open_loop_text::csv;
pub use own_counts::{OwnCounts, OwnValue};
pub use power::{ArrayPower, ChipCost, ChipWork, NetworkPowerReport, Operations, TileCost, TileUse, fixed_cores};
pub use prefetches::{DroppedPrefetches, PrefetchSource, PrefetchUse};
pub use profile::{TimePart, TimeProfile};
pub use run::{Dram, MemoryChecks, Noc, RunReport, SubnetworkUse, Verdict, Waiting};
pub use simulation::{Simulation, ThreadTrial, TileEngine, peak_memory};
pub use statistics::{Samples, StatisticRow, statistics_table};
pub use structure::{BlockRow, SynthesisRow, block_csv, block_table, synthesis_table};
pub use timing::{BlockTimingRow, DomainRow, MappedRow, PartRow, PathRow, StepRow, TimingReport};
pub use words::counted;
