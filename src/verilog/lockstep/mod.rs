//! Lockstep: the native simulation and the exported Verilog side by side, every output in every cycle.

use super::VerilogFile;
use std::path::PathBuf;

/// Where models are built and kept.
pub(super) fn workshop() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/lockstep"))
}

/// A name for the content of an export.
pub(super) fn content_hash(files: &[VerilogFile]) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let text = files.iter().flat_map(|f| f.name.bytes().chain([0]).chain(f.text.bytes()).chain([0]));
    for byte in text {
        // FNV-1a, 128 bits.
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    format!("{hash:032x}")
}
