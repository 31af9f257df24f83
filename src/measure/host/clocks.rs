//! Frequencies of a chip's clock domains in simulation.

use rtl::chip::Chip;
use sim::Clocks;

/// Frequencies for the clock domains of `chip`.
pub fn frequencies(chip: &Chip) -> Clocks {
    let clocks = &chip.config().clocks;
    let named = clocks.domains().into_iter().zip(clocks.megahertz());
    named.fold(Clocks::default().megahertz(clocks.core), |all, (name, mhz)| {
        all.ratio(name, mhz.into(), clocks.core.into())
    })
}
