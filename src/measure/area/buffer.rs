//! Area of the flit buffers of a router: bits times the area of one.
//!
//! ```text
//!   area = inputs x VCs x depth x W x buffer bit area
//! ```
//!
//! Source: table 6.5 of A. Bakhoda's thesis (2014), which is linear in all of them as far as its digits go; ORION 2.0
//! (SRAM buffers) is what was behind it. Control fields of a flit are not counted, as there.

use super::{MM2, RouterShape, Technology};

/// Bits of payload that the buffers of a router hold.
pub fn bits(router: &RouterShape, vcs: u32, depth: u32, channel_bits: u32) -> u64 {
    [router.inputs(), vcs, depth, channel_bits].into_iter().map(u64::from).product()
}

/// mm^2.
pub fn area(router: &RouterShape, vcs: u32, depth: u32, channel_bits: u32, technology: &Technology) -> f64 {
    bits(router, vcs, depth, channel_bits) as f64 * technology.buffer_bit_um2 * MM2
}
