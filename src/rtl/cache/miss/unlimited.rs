//! Unlimited: the registers of [`Full`] for limit studies, so many that no miss is ever refused, and lists of any
//! length behind them ([`waiting_lists`](mod@crate::cache::waiting_lists)). How many can be outstanding is the sum of
//! what all askers can send.

use super::{Inputs, MissLookup, MissParams, MissPolicy, full::Full};
use hdl::Builder;

/// See the [module documentation](self).
pub struct Unlimited;

impl MissPolicy for Unlimited {
    fn is_unlimited(&self) -> bool {
        true
    }

    fn compared(&self, p: &MissParams) -> u32 {
        Full.compared(p)
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        Full.build(m, p, inputs)
    }
}
