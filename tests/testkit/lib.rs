//! What several test programs and campaigns share, of which those of low layers use what [`testkit_base`] and [`rigs`] have: engines and
//! passes under test ([`matrix`]), how much of a campaign a test does ([`campaign`]), processor time ([`clock`]), random programs, chips,
//! networks and sources with their reference executions, and designs beside their Verilog.
//!
//! It is linked with tests and benches alone.

pub mod api;
pub mod chip_beside_verilog;
pub mod clock;
pub mod config_keys;
pub mod cuda;
pub mod design_routers;
pub mod dram;
pub mod exports;
pub mod features;
pub mod http;
pub mod mutants;
pub mod organisations;
pub mod parquet_file;
pub mod policies;
pub mod random_chips;
pub mod random_loads;
pub mod random_recursion;
pub mod random_sources;
pub mod random_traffic;
pub mod uniform;
pub mod watch;
pub mod workloads;

pub use rigs::{cache_rig, interface_rig, network_rig};
pub use testkit_base::{
    assembling, campaign, cuda_features, doubles, float_vectors, matrix, netlist, random_program, repository,
};

use std::{
    env,
    path::{Path, PathBuf},
};

/// Path of the `warpmesh` program of this build, one folder above that of the tests and benches.
///
/// # Panics
///
/// When nobody can say where the running program is.
pub fn warpmesh() -> PathBuf {
    let own = env::current_exe().expect("a running program has a path");
    own.parent().and_then(Path::parent).expect("it is in a folder of the build").join("warpmesh")
}
