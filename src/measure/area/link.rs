//! Area of a channel: bits times pitch times length, repeaters and drivers included.
//!
//! ```text
//!   area = W x link bit width x length
//! ```
//!
//! Source: A. Bakhoda's thesis (2014), section 6.8: drivers are part of the channel; channels to terminals are 0.05 mm
//! long.

use super::Technology;

/// Share of a channel's area that is repeaters: 7 % on top of the wires.
pub const REPEATERS: f64 = 0.07 / 1.07;

/// mm^2 of a channel of `channel_bits` over `mm`.
pub fn area(channel_bits: u32, mm: f64, technology: &Technology) -> f64 {
    f64::from(channel_bits) * technology.link_bit_um * 1e-3 * mm
}
