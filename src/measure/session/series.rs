//! What is sampled over time in the launches of a session: `--record`, `--samples`.

use crate::{
    host::saved::{DamagedState, StateReader, StateWriter, Stateful},
    record::RunRecord,
    report::Samples,
    saved_run::SavedSeries,
    statistics::{HardwareStatistics, Selection},
};
use rtl::chip::Chip;
use sim::Simulator;
use std::fmt::Write;

/// All series of a session.
pub(super) struct LaunchSeries {
    /// Of `--record`, with the option as a saved program knows it.
    record: Option<(String, RunRecord)>,
    /// Of `--samples`.
    samples: Option<(String, LaunchSamples)>,
}

impl LaunchSeries {
    pub fn new(chip: &Chip, settings: &super::Settings) -> Self {
        let record = settings.record.clone().map(|record| RunRecord::new(chip, record));
        let samples = settings.samples.map(LaunchSamples::new);
        Self { record: settings.record_of().zip(record), samples: settings.samples_of().zip(samples) }
    }

    /// The record that was asked for.
    pub fn record(&self) -> Option<&RunRecord> {
        self.record.as_ref().map(|(_, record)| record)
    }

    /// The samples that were asked for, as CSV; without a launch on the chip there is nothing to count.
    pub fn samples(&self) -> Option<Option<String>> {
        self.samples.as_ref().map(|(_, samples)| samples.text())
    }

    /// A launch begins on the chip.
    pub fn begin(&mut self, number: usize, start: &HardwareStatistics, selection: &Selection) {
        if let Some((_, record)) = &mut self.record {
            record.samples.begin(number, start);
        }
        if let Some((_, samples)) = &mut self.samples {
            samples.begin(number, start, selection);
        }
    }

    /// After a cycle of it.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        if let Some((_, record)) = &mut self.record {
            record.samples.cycle(cycle, || simulator.probes().into());
        }
        if let Some((_, samples)) = &mut self.samples {
            samples.cycle(cycle, || simulator.probes().into());
        }
    }

    /// It has ended after so many cycles, or in an error.
    pub fn end(&mut self, cycles: Option<u64>, counted: &HardwareStatistics) {
        if let Some((_, record)) = &mut self.record {
            record.samples.end(cycles, counted);
        }
        if let Some((_, samples)) = &mut self.samples {
            samples.end(cycles, counted);
        }
    }

    /// All of them so far.
    pub fn saved(&mut self) -> Vec<SavedSeries> {
        SavedSeries::of_all(self.all())
    }

    /// Goes on from what was saved: between two launches, or in the middle of one that has begun.
    pub fn restore(&mut self, saved: &[SavedSeries]) -> Result<(), DamagedState> {
        SavedSeries::restore_all(saved, self.all())
    }

    fn all(&mut self) -> impl Iterator<Item = (&String, &mut dyn Stateful)> {
        let record = self.record.iter_mut().map(|(of, record)| (&*of, &mut record.samples as &mut dyn Stateful));
        let samples = self.samples.iter_mut().map(|(of, samples)| (&*of, samples as &mut dyn Stateful));
        record.chain(samples)
    }
}

/// Selected statistics over time, as [`Samples`], with the number of the launch in front of each line.
struct LaunchSamples {
    interval: u64,
    /// Names of columns, and lines of launches that have ended.
    text: String,
    current: Option<(usize, Samples)>,
    /// The last cycle that was looked at.
    seen: u64,
}

impl LaunchSamples {
    fn new(interval: u64) -> Self {
        Self { interval, text: String::new(), current: None, seen: 0 }
    }

    fn begin(&mut self, number: usize, start: &HardwareStatistics, selection: &Selection) {
        self.current = Some((number, Samples::new(start, selection.clone(), self.interval)));
        self.seen = 0;
    }

    fn cycle(&mut self, cycle: u64, statistics: impl FnOnce() -> HardwareStatistics) {
        self.seen = cycle;
        if let Some((_, samples)) = self.current.as_mut().filter(|(_, samples)| samples.is_due(cycle)) {
            samples.sample(cycle, &statistics());
        }
    }

    fn end(&mut self, cycles: Option<u64>, counted: &HardwareStatistics) {
        let Some((number, samples)) = self.current.take() else { return };
        let lines = samples.finish(cycles.unwrap_or(self.seen), counted);
        let mut lines = lines.lines();
        let names = lines.next().unwrap_or_default();
        // Writing to a string does not fail.
        if self.text.is_empty() {
            let _ = writeln!(self.text, "launch,{names}");
        }
        for line in lines {
            let _ = writeln!(self.text, "{number},{line}");
        }
    }

    fn text(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| self.text.clone())
    }
}

impl Stateful for LaunchSamples {
    fn save(&self, to: &mut StateWriter) {
        to.put(&(&self.text, self.seen, self.current.is_some()));
        self.current.iter().for_each(|(_, samples)| samples.save(to));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        let is_in_launch;
        (self.text, self.seen, is_in_launch) = from.take()?;
        match (is_in_launch, &mut self.current) {
            (true, Some((_, samples))) => samples.restore(from),
            (false, None) => Ok(()),
            _ => Err(DamagedState),
        }
    }
}
