//! A run in several parts: what of its options goes with `--save` and `--resume`.

use super::Run;
use crate::{Failure, saved_args::Saved};
use measure::saved_run::RunIdentity;
use program::Launch;
use rtl::chip::Chip;

impl Run {
    /// Where the run goes on and is saved, as far as that goes with what else is asked for.
    pub(super) fn saved(&self, chip: &Chip, launch: &Launch) -> Result<Saved<'_>, Failure> {
        let identity = || RunIdentity::new(chip, &self.workload(), launch, !self.no_intrinsics);
        let saved = self.saved.claim(identity, &self.series(), self.force)?;
        if saved.from.is_some() && !self.issue_trace.is_empty() {
            let message = "--issue-trace does not go with --resume: what warps wait for is known from what they have done since the start";
            return Err(Failure::input_message(message, "trace a run from the start; --wave goes with --resume"));
        }
        match self.wave.as_ref().and_then(|wave| Some((wave, wave.begins_before(saved.cycle())?))) {
            Some((wave, why)) => Err(Failure::input_message(
                format!("--wave {} does not go with --resume: {why}", wave.file().display()),
                "resume an earlier state, or choose a later window",
            )),
            None => Ok(saved),
        }
    }

    /// What is sampled over time, in the order of `OverTime`: the options that say what is in it.
    pub(super) fn series(&self) -> Vec<String> {
        let samples = self.samples.as_ref().map(|_| self.samples_of());
        let record = self.record.as_ref().map(|_| self.record_of());
        samples.into_iter().chain(record).chain(self.film.is_wanted().then(|| self.film_of())).collect()
    }

    pub(super) fn samples_of(&self) -> String {
        let stats: String = self.stats.iter().map(|pattern| format!("--stats {pattern} ")).collect();
        format!("--samples {stats}--interval {}", self.interval)
    }

    pub(super) fn record_of(&self) -> String {
        format!("--record --interval {}", self.interval)
    }

    pub(super) fn film_of(&self) -> String {
        format!("--snapshots --snapshot-interval {}", self.film.snapshot_interval)
    }
}
