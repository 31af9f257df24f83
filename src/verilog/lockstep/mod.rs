//! Lockstep: the native simulation and the exported Verilog side by side, every output in every cycle.
//!
//! ```text
//!  Stimulus ──inputs──▶ Simulator ──outputs──┐
//!      ▲                    │                ▼ rows: reset, inputs, expected outputs
//!      └─outputs of the ────┘           ┌─────────┐
//!        last cycle                     │ RowSink │ = a running Verilator model (compares at once), or a Recording
//!                                       └─────────┘   (replayed on Verilator or on Icarus)
//! ```
//!
//! A row is one clock cycle: inputs are set, outputs sampled after combinational settling, then comes the clock edge.
//! With several clocks it is one instant at which some of them have an edge; the row says which, and the models raise
//! those together. State starts at zero on both sides; the first rows hold reset high (and drive inputs already). Since
//! Verilator models only ever see rows, a chip whose pins are driven by devices in Rust is replayed like anything else:
//! see [`Recorder`].
//!
//! * [`rows`]: ports, values, rows. [`stimulus`]: what drives the inputs. [`recorder`]: runs the simulator.
//! * [`verilator`]: builds and feeds models, kept by content under `target/lockstep`. [`icarus`]: replay with a test bench.
//!   [`error`]: how a run ends without agreement.

mod error;
mod icarus;
mod recorder;
mod rows;
mod stimulus;
mod verilator;

pub use error::{Difference, LockstepError};
pub use hdl::random::Rng;
pub use icarus::{replay_on_icarus, test_bench};
pub use recorder::{Agreement, Recorder, RunLength, lockstep, lockstep_icarus, record};
pub use rows::{LockstepRow, Ports, Recording, RowPort, RowSink, Values};
pub use stimulus::{RandomStimulus, Stimulus};
pub use verilator::{Feed, ModelOptions, VerilatedModel};

use std::path::PathBuf;

/// Where models are built and kept.
pub(super) fn workshop() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/lockstep"))
}

/// FNV-1a, 128 bits, over texts and the borders between them.
fn hash_of<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in texts.flat_map(|text| text.bytes().chain([0])) {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    format!("{hash:032x}")
}
