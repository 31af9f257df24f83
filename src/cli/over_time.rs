//! What a run samples over time: `--samples`, `--record`, `--snapshots`.

use measure::{
    host::saved::{DamagedState, Stateful},
    record::SampleTable,
    report::{BufferSnapshots, Samples},
    saved_run::SavedSeries,
    statistics::HardwareStatistics,
};
use rtl::chip::Chip;
use sim::Simulator;

/// All series of a run, each with the option and what else says what is in it: a run goes on with the very same.
#[derive(Default)]
pub struct OverTime<'r> {
    /// Of `--samples`.
    pub samples: Option<(String, Samples)>,
    /// Of `--record`.
    pub record: Option<(String, &'r mut SampleTable)>,
    /// Of `--snapshots`.
    pub snapshots: Option<(String, BufferSnapshots)>,
}

impl OverTime<'_> {
    /// After a cycle.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64, chip: &Chip) {
        if let Some((_, samples)) = self.samples.as_mut().filter(|(_, samples)| samples.is_due(cycle)) {
            samples.sample(cycle, &simulator.probes().into());
        }
        if let Some((_, record)) = &mut self.record {
            record.cycle(cycle, || simulator.probes().into());
        }
        if let Some((_, snapshots)) = self.snapshots.as_mut().filter(|(_, snapshots)| snapshots.is_due(cycle)) {
            snapshots.take(cycle, chip.fabric(), &simulator.probes().into());
        }
    }

    /// The run has ended after so many cycles, or in an error.
    pub fn end(&mut self, cycles: Option<u64>, statistics: &HardwareStatistics) {
        if let Some((_, record)) = &mut self.record {
            record.end(cycles, statistics);
        }
    }

    /// All of them so far.
    pub fn saved(&mut self) -> Vec<SavedSeries> {
        SavedSeries::of_all(self.all())
    }

    /// Goes on from what was saved. What is not among it begins now: see [`SavedArgs::claim`](super::saved_args::SavedArgs::claim).
    pub fn restore(&mut self, saved: &[SavedSeries]) -> Result<(), DamagedState> {
        SavedSeries::restore_all(saved, self.all())
    }

    fn all(&mut self) -> impl Iterator<Item = (&String, &mut dyn Stateful)> {
        let samples = self.samples.iter_mut().map(|(of, samples)| (&*of, samples as &mut dyn Stateful));
        let record = self.record.iter_mut().map(|(of, record)| (&*of, &mut **record as &mut dyn Stateful));
        let snapshots = self.snapshots.iter_mut().map(|(of, snapshots)| (&*of, snapshots as &mut dyn Stateful));
        samples.chain(record).chain(snapshots)
    }
}
