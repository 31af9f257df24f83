//! Where the time goes, and what changes: see [`profile`] and [`toggles`](crate::toggles).

use super::Simulator;
use crate::{
    profile::{self, Activity, Profile, Sampler, profile_mark},
    toggles::{SwitchingActivity, ToggleMeter},
};

impl Simulator {
    /// Looks, from now on, at where the time goes. Nothing happens unless [`Options::profile`](crate::Options::profile)
    /// was set.
    pub fn start_profile(&mut self) {
        self.sampler = self.board.clone().map(|board| Sampler::start(board, self.clocks.cycle()));
    }

    /// Where the time went since [`start_profile`](Self::start_profile), which ends; `None` when it was not called or
    /// nothing is told.
    pub fn finish_profile(&mut self) -> Option<Profile> {
        let sampler = self.sampler.take()?;
        let cycles = self.clocks.cycle() - sampler.cycle;
        let batched = self.engine.batched().map(|batched| (batched.bundles(), batched.engines()));
        let (bundles, tiles) = batched.unwrap_or_default();
        let (time, samples) = sampler.finish();
        Some(profile::profile(&self.design, &bundles, &tiles, time, samples, cycles))
    }

    /// Counts, from now on, what changes. Nothing happens unless [`Options::activity`](crate::Options::activity) was
    /// set. Values of operators, most of the nets, are compared at one edge in `period`, which stands for all: 1 is exact,
    /// a prime shares no factor with numbers of beats.
    pub fn start_activity(&mut self, period: u64) {
        if self.options.activity {
            self.evaluate_all();
            let meter = ToggleMeter::new(&self.design, &self.layouts, &self.scopes, &self.state, period);
            assert!(meter.wires().all(|wire| self.engine.computes(wire as u32)), "each wire is computed in its place");
            self.toggles = Some(meter);
        }
    }

    /// What has changed since [`start_activity`](Self::start_activity), which ends; `None` when it was not called or
    /// nothing is counted.
    pub fn finish_activity(&mut self) -> Option<SwitchingActivity> {
        self.toggles.take().map(ToggleMeter::finish)
    }

    /// Tells a profile that parts which are no hardware are at work, or no more.
    pub fn behavioural(&mut self, at_work: bool) {
        profile_mark(&self.board, if at_work { Activity::Behavioural } else { Activity::Outside });
    }
}
