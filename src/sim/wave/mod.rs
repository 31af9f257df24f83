//! Waveforms of a part of the hierarchy and a window of cycles, as FST or VCD.
//!
//! ```text
//!   Names --signals: nets, fields, names of values--> Tree --file: header--> WaveFile <--changes-- Wave::sample, each clock edge
//!                                                            clock_lines: time, clocks --^   --enumerations--> names of values (FST)
//!                                                              --view--> what a viewer shows at first
//! ```
//!
//! A sample shows what a logic analyser would see just before a clock edge: registers with their old values and wires
//! that follow from them. Only changes are written. Time is that of the clocks, where their frequency is known
//! ([`Clocks::megahertz`](crate::Clocks::megahertz)), or 1 ns a cycle. Beside nets there are the clocks, `reset`, and `cycle`,
//! which counts cycles of the default clock.

mod clock_lines;
mod enumerations;
mod file;
mod options;
mod signals;
mod view;

use super::{
    clocks::Schedule,
    error::SimError,
    layout::{Area, Place},
    paths::Names,
    state::State,
};
use clock_lines::ClockLine;
use file::{Id, Traced, WaveFile};
use hdl::*;
use netlist::Design;
pub use options::{Moment, ViewFormat, WaveFormat, WaveOptions, WaveView};
use signals::{PlacedBits, Shown, Tree};
use std::{fs, path::PathBuf};
use view::{ViewContent, WaveTimes};

/// A waveform being written.
pub(crate) struct Wave {
    options: WaveOptions,
    /// Until it is complete.
    file: Option<WaveFile>,
    clocks: Vec<ClockLine>,
    reset: Control,
    cycle: Option<Control>,
    view: ViewContent,
    /// Once they are known.
    times: WaveTimes,
    signals: Vec<Signal>,
    /// Last written values of the signals.
    last: Vec<u64>,
    /// The bits of a field.
    bits: Vec<u64>,
    /// No cycle has been in the window.
    is_empty: bool,
}

/// A signal that is no net.
struct Control {
    id: Id,
    last: Option<u64>,
}

struct Signal {
    traced: Traced,
    /// Last written value: start in `Wave::last`.
    last: usize,
}

/// Bits of the number of the cycle.
const CYCLE_BITS: u32 = 64;

impl Wave {
    /// With its file, which is made.
    pub fn new(names: &Names, options: WaveOptions) -> Result<Self, SimError> {
        let tree = Tree::new(names, &options.select).map_err(|pattern| names.unknown(pattern))?;
        let domains = clocks(names.design);
        let mut controls: Vec<_> =
            domains.iter().map(|&domain| (names.design.top.domains[domain].clock_port(), 1)).collect();
        controls.push(("reset".into(), 1));
        if names.design.top.find_net("cycle").is_none() {
            controls.push(("cycle".into(), CYCLE_BITS));
        }
        let is_port = |shown: &Shown| {
            let (module, net) = shown.net;
            matches!(names.design.modules[module].module.net(net).kind, NetKind::Input | NetKind::Output)
        };
        let view = ViewContent::new(&tree, &controls, &options, is_port);
        let (file, declared) = WaveFile::new(&options.file, options.format, &tree, &controls)
            .map_err(|message| SimError::Wave { file: options.file.display().to_string(), message })?;
        let mut ids = declared.controls.into_iter();
        let clocks = ids.by_ref().take(domains.len()).zip(&domains).map(|(id, &at)| ClockLine::new(id, at)).collect();
        let mut control = || ids.next().map(|id| Control { id, last: None });
        let reset = control().expect("it was declared");
        let cycle = control();
        let mut words = 0;
        let signal = |traced: Traced| {
            let last = words;
            words += words_for(traced.bits.width);
            Signal { traced, last }
        };
        let signals = declared.signals.into_iter().map(signal).collect();
        let last = vec![0; words];
        Ok(Self {
            options,
            file: Some(file),
            clocks,
            reset,
            cycle,
            view,
            times: WaveTimes::default(),
            signals,
            last,
            bits: vec![],
            is_empty: true,
        })
    }

    /// Place and net (module, number) of each signal.
    pub fn nets(&self) -> impl Iterator<Item = (Place, (usize, NetId))> + '_ {
        self.signals.iter().map(|signal| (signal.traced.bits.place, signal.traced.net))
    }

    /// The file and the first cycle of the window, if that was never reached.
    pub fn unreached(&self) -> Option<(PathBuf, u64)> {
        self.is_empty.then(|| (self.options.file.clone(), self.options.from))
    }

    /// The cycle is in the window.
    pub fn wants(&self, cycle: u64) -> bool {
        let cycle = cycle - self.options.start.cycle;
        cycle >= self.options.from && self.options.until.is_none_or(|until| cycle < until)
    }

    /// Writes what has changed, if the cycle is in the window.
    pub fn sample(&mut self, clocks: &Schedule, reset: bool, state: &State) -> Result<(), SimError> {
        if !self.wants(clocks.cycle()) {
            return Ok(());
        }
        self.write_changes(clocks, reset, state).map_err(|message| self.error(message))
    }

    fn error(&self, message: String) -> SimError {
        SimError::Wave { file: self.options.file.display().to_string(), message }
    }

    fn write_changes(&mut self, clocks: &Schedule, reset: bool, state: &State) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let first = std::mem::replace(&mut self.is_empty, false);
        let time = clock_lines::draw(&mut self.clocks, clocks, self.options.start, first, file)?;
        if first {
            self.times = WaveTimes { start: time, period: clock_lines::period(clocks) };
        }
        let cycle = clocks.cycle() - self.options.start.cycle;
        let controls = [(Some(&mut self.reset), u64::from(reset), 1), (self.cycle.as_mut(), cycle, CYCLE_BITS)];
        for (control, value, width) in controls {
            if let Some(control) = control
                && control.last.replace(value) != Some(value)
            {
                file.change(time, control.id, width, &[value])?;
            }
        }
        for Signal { traced: Traced { bits: shown, id, .. }, last } in &self.signals {
            let value = bits_of(state, *shown, &mut self.bits);
            let last = &mut self.last[*last..*last + value.len()];
            if first || last != value {
                last.copy_from_slice(value);
                file.change(time, *id, shown.width, value)?;
            }
        }
        Ok(())
    }

    /// Completes the file.
    pub fn finish(&mut self) -> Result<(), SimError> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let fallen = clock_lines::fall(&mut self.clocks, u64::MAX, &mut file);
        file.finish().and(fallen).map_err(|message| self.error(message))?;
        if self.is_empty {
            return Ok(());
        }
        let write = |view: &WaveView| {
            let text = self.view.text(view, &self.options.file, self.times);
            let failed = |error: std::io::Error| error.to_string();
            fs::write(&view.file, text)
                .map_err(|error| SimError::Wave { file: view.file.display().to_string(), message: failed(error) })
        };
        self.options.views.iter().try_for_each(write)
    }
}

impl Drop for Wave {
    fn drop(&mut self) {
        // Whoever wants to know of an error calls `finish`.
        let _ = self.finish();
    }
}

/// The value of these bits, from the state or put together in `scratch`.
fn bits_of<'s>(state: &'s State, shown: PlacedBits, scratch: &'s mut Vec<u64>) -> &'s [u64] {
    let PlacedBits { place, lo, width, whole } = shown;
    let area = if place.area == Area::Registers { &state.registers } else { &state.storage };
    let (at, words) = (place.offset as usize, words_for(width));
    // What the net has above its width is zero, but what it has above a field is not.
    if whole {
        return &area[at..at + words];
    }
    let bit = |word: usize| area.get(at + word).copied().unwrap_or(0);
    scratch.clear();
    for word in 0..words {
        let (from, shift) = (lo as usize / 64 + word, lo % 64);
        let low = bit(from) >> shift;
        scratch.push(if shift == 0 { low } else { low | bit(from + 1) << (64 - shift) });
    }
    if width % 64 != 0
        && let Some(top) = scratch.last_mut()
    {
        *top &= (1 << (width % 64)) - 1;
    }
    scratch
}

/// The domains whose clocks are drawn: the default one at least.
fn clocks(design: &Design) -> Vec<usize> {
    let top = &design.top;
    match top.crosses_clocks() {
        true => (0..top.domains.len()).filter(|&at| top.domains[at].used).collect(),
        false => vec![top.domains.iter().position(|domain| domain.used).unwrap_or(0)],
    }
}
