//! Studies: kernels, CUDA programs and traffic on several designs, measured against one of them, and the claims of
//! papers compared with the results.
//!
//! ```text
//!  study file --> file: designs (also those of axes), workloads, claims --> plan: runs, each with a digest --> (run by the command, kept by digest)
//!                                                                                          |
//!  text, CSV, JSON, chart <-- outcome: ratios, means, verdicts <---------------------------+
//!  page of all claims <------ kept: the claims of each study, with what came out
//! ```
//!
//! A run is a process of its own and its JSON report a file, called by the digest of all that it depends on: what is
//! there is not run again.

mod axis;
mod claim;
mod figures;
mod file;
mod kept;
mod metric;
mod outcome;
mod plan;
mod plot;
mod sample;
#[cfg(test)]
mod testing;
mod text;
mod verdict;
mod workload;

pub(crate) use axis::short_keys;
pub use axis::{MANY_RUNS, SettingMistake, check_setting};
pub use claim::{ClaimResult, ClaimSpec};
pub(crate) use figures::{Figure, all as all_figures};
pub use file::{DesignSpec, KernelSpec, Mean, Study, StudyError, TableKind, schema};
pub use kept::{KeptClaims, tally};
pub use outcome::{AxisResult, DesignResult, StudyOutcome};
pub use plan::{Plan, PlannedRun, digest};
pub use plot::PlotKind;
pub use verdict::{Bounds, Verdict};
pub use workload::{ProgramSpec, TrafficSpec, Workload};
