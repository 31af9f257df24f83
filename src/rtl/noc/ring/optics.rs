//! Optical parts of a ring, as counts: they are no area of the chip's silicon, and no power of them is modelled.

use super::{Ring, RingFormat};
use crate::InterfaceParams;

/// Wavelengths that a waveguide carries (dense wavelength division multiplexing: the paper's note on up to 128).
pub const WAVELENGTHS: u32 = 128;

/// What a ring consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct OpticalParts {
    /// Channels: one for each memory node and message class.
    pub channels: u32,
    /// Waveguides of the channels' payload, with up to [`WAVELENGTHS`] wavelengths each.
    pub waveguides: u32,
    /// Wavelengths of tokens.
    pub token_wavelengths: u32,
    /// Wavelengths on which writers say that they have waited long.
    pub fairness_wavelengths: u32,
    /// Ring resonators that modulate payload.
    pub modulators: u32,
    /// Detectors of payload at the homes.
    pub detectors: u32,
}

impl OpticalParts {
    /// Of a ring between memory nodes with such interfaces. Payload alone is counted, as the paper's channel of 128 wavelengths does: headers take
    /// the place of the mesh's sideband.
    pub fn of(ring: &Ring, p: &InterfaceParams) -> Self {
        let homes = ring.memories().len() as u32;
        let bits = crate::MessageClass::ALL.map(|class| RingFormat::of(p, ring.params(), class).cycle_bits());
        let payload: u32 = bits.iter().sum::<u32>() * homes;
        let fair = if ring.params().fair_wait > 0 { homes - 1 } else { 0 };
        Self {
            channels: 2 * homes,
            waveguides: bits.iter().map(|bits| bits.div_ceil(WAVELENGTHS)).sum::<u32>() * homes,
            token_wavelengths: 2 * homes,
            fairness_wavelengths: 2 * homes * fair,
            modulators: payload * (homes - 1),
            detectors: payload,
        }
    }
}
