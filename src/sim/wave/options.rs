//! What to record of a simulation.

use std::path::PathBuf;

/// File format of a waveform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaveFormat {
    /// Compressed, for GTKWave and Surfer.
    Fst,
    /// Text, for everything.
    Vcd,
}

/// For which viewer a file says what to show of a waveform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewFormat {
    /// A save file of GTKWave.
    Gtkwave,
    /// Commands of Surfer.
    Surfer,
}

/// A file that says what a viewer shows of a waveform at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaveView {
    /// Written file.
    pub file: PathBuf,
    /// Its format.
    pub format: ViewFormat,
}

/// A moment of a simulation, by default the one of power-on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Edges of the default clock before it.
    pub cycle: u64,
    /// The next edge of the default clock, in ticks; with one clock: the cycle.
    pub instant: u64,
}

/// What to record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaveOptions {
    /// Written file.
    pub file: PathBuf,
    /// Its format.
    pub format: WaveFormat,
    /// Dotted paths of instances or nets, without the top's name; all below is recorded. In a name, `*` stands for any
    /// characters and `?` for one: `tile*.router.count`. Empty: everything.
    pub select: Vec<String>,
    /// What the cycles of the window and the time in the file count from: power-on, or some
    /// [`Simulator::moment`](crate::Simulator::moment) since.
    pub start: Moment,
    /// First recorded cycle.
    pub from: u64,
    /// First cycle that is not recorded any more; `None`: to the end.
    pub until: Option<u64>,
    /// Written with the waveform.
    pub views: Vec<WaveView>,
}
