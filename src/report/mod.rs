//! Reports of a run, for people and as JSON.
//!
//! The driver's numbers ([`crate::chip::host`]) become a [`RunReport`]: serialised it is the JSON of `run --json`, displayed
//! ([`text`]) it is what a person reads. Deterministic but for the fields under [`RunReport::TIMING`].

mod run;
mod text;

pub use run::{Dram, Noc, RunReport, Verdict, Waiting};
pub use text::counted;
