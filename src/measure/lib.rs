//! Hardware at work: chips that run kernels, networks under load, what they cost, and the reports of all that.
//!
//! * [`explorer`]: a record as an HTML page.
//! * [`host`]: loads a kernel into a simulated chip, plays the DRAM devices, and takes the run to its report.
//! * [`issue_spec`]: which trace of issue slots of a run a person wants.
//! * [`block_bench`]: a single block under the stimulus of its testbench.
//! * [`monitor`]: a page on which a command can be watched while it runs.
//! * [`open_loop`]: a network alone under traffic that does not wait for it.
//! * [`area`]: area and power, from models and from the netlist.
//! * [`statistics`]: what the hardware has counted.
//! * [`record`]: a folder that says what ran, with all statistics over time.
//! * [`saved_run`]: a run that has not ended, as a file to go on from.
//! * [`session`]: a chip that stays, with its memory, across the launches of a program.
//! * [`study`]: designs and kernels of a file, and what papers claim of them.
//! * [`timing`]: how long the logic between two clock edges takes.
//! * [`timeline`]: what memory transactions, packets and DRAM rows do over time, for Perfetto.
//! * [`wave`]: which waveform of a run a person wants.
//! * [`report`]: what all of these have found, for people and as JSON.

#![forbid(unsafe_code)]

pub mod area;
pub mod block_bench;
pub mod explorer;
pub mod host;
pub mod issue_spec;
mod launch_key;
pub mod monitor;
pub mod open_loop;
mod output_units;
mod perfetto;
pub mod record;
pub mod report;
pub mod saved_run;
pub mod session;
pub mod statistics;
pub mod study;
pub mod timeline;
pub mod timing;
mod varint;
pub mod wave;
