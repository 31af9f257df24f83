//! The waveform of one launch of a session.

use crate::wave::WaveSpec;
use sim::{SimError, Simulator};
use std::fs;

/// What is to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchWave {
    /// File, selection, window.
    pub spec: WaveSpec,
    /// The launch, from 1; without it, the first one on the chip.
    pub launch: Option<usize>,
}

/// What has become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RecordingState {
    /// The launch has not come yet.
    Wanted,
    /// The launch with this number has begun, and nothing is recorded so far.
    Begun(usize),
    /// It is in the file.
    Recorded(usize),
    /// It is not, or not all of it, and why.
    Failed(String),
}

/// A waveform that is recorded when its launch comes.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    wave: LaunchWave,
    state: RecordingState,
}

impl Recording {
    pub fn new(wave: LaunchWave) -> Self {
        Self { wave, state: RecordingState::Wanted }
    }

    /// The launch with this number begins on the chip. Returns whether it is the one.
    pub fn begins(&mut self, number: usize) -> bool {
        let is_it = self.state == RecordingState::Wanted && self.wave.launch.is_none_or(|launch| launch == number);
        if is_it {
            self.state = RecordingState::Begun(number);
        }
        is_it
    }

    /// Starts recording, before the first cycle of the kernel.
    pub fn attach(&mut self, simulator: &mut Simulator) -> Result<(), SimError> {
        let attached = self.wave.spec.attach(simulator, simulator.moment());
        if let Err(error) = &attached {
            self.state = RecordingState::Failed(format!("{} is not written: {error}", self.wave.spec.file().display()));
        }
        attached
    }

    /// Its launch has ended after so many cycles, or in an error.
    pub fn finish(&mut self, simulator: &mut Simulator, cycles: Option<u64>) {
        let RecordingState::Begun(number) = self.state else { return };
        let unreached = simulator.unreached_waves();
        let finished = simulator.finish_waves();
        let file = self.wave.spec.file().display();
        self.state = match (finished, unreached.first(), cycles) {
            (Err(error), ..) => RecordingState::Failed(error.to_string()),
            (Ok(()), Some((path, from)), cycles) => {
                // There is no cycle in it.
                _ = fs::remove_file(path);
                let after = cycles.map_or("in an error".into(), |cycles| format!("after {cycles} cycles"));
                RecordingState::Failed(format!(
                    "{file} is not written: launch {number} ended {after}, before cycle {from}"
                ))
            }
            (Ok(()), None, _) => RecordingState::Recorded(number),
        };
    }

    /// Where the waveform of which launch is.
    pub fn recorded(&self) -> Option<String> {
        match self.state {
            RecordingState::Recorded(number) => {
                Some(format!("launch {number}: waveform in {}", self.wave.spec.file().display()))
            }
            _ => None,
        }
    }

    /// Why there is none, after so many launches.
    pub fn problem(&self, launched: usize) -> Option<String> {
        let file = self.wave.spec.file().display();
        match (&self.state, self.wave.launch) {
            (RecordingState::Recorded(_), _) => None,
            (RecordingState::Failed(why), _) => Some(why.clone()),
            (RecordingState::Begun(number), _) => {
                Some(format!("{file} is not complete: launch {number} has not ended"))
            }
            (RecordingState::Wanted, None) => {
                Some(format!("{file} is not written: no launch was simulated on the chip"))
            }
            (RecordingState::Wanted, Some(launch)) if launch > launched => {
                let found = super::launches_found(launched);
                Some(format!("{file} is not written: launch {launch} was to be recorded, and {found}"))
            }
            (RecordingState::Wanted, Some(launch)) => {
                Some(format!("{file} is not written: launch {launch} was not simulated on the chip"))
            }
        }
    }
}
