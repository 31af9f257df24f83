//! Unlimited: the registers of [`Full`] for limit studies, so many that no miss is ever refused, and lists of any
//! length behind them ([`waiting_lists`](mod@crate::waiting_lists)). How many can be outstanding is the sum of
//! what all askers can send.

use super::{
    arrays::{BesideCache, MissArray},
    full::Full,
    policy::{Inputs, MissCycle, MissLookup, MissNeeds, MissParams, MissPolicy, MshrKeys},
};
use crate::cause::Cause;
use hdl::Builder;

/// See the [module documentation](self).
pub struct Unlimited;

impl MissPolicy for Unlimited {
    fn keys(&self) -> MshrKeys {
        MshrKeys { entries: false, targets: false, ways: false, cam_part: false }
    }

    fn needs(&self) -> MissNeeds {
        MissNeeds {
            no_prefetches: Some("prefetches would take the entries that loads never wait for"),
            most_reads: Some(1024),
            block_tag_bits: Some(8),
            ..MissNeeds::default()
        }
    }

    fn compared(&self, p: &MissParams) -> u32 {
        Full.compared(p)
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        Full.build(m, p, inputs)
    }

    fn check<'m>(&self, m: &'m Builder, now: &MissCycle<'m>) {
        let [entry, target] = [Cause::Entry, Cause::Target].map(|cause| now.refused.bit(cause as u32));
        m.always("unlimited miss entries refuse nothing", !(entry | target));
    }

    fn arrays(&self, p: &MissParams, cache: &BesideCache) -> Vec<MissArray> {
        Full.arrays(p, cache)
    }
}
