//! Simulated cycles and their rate while a command works, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// A line that tells how far the simulation is.
pub struct Progress {
    bar: ProgressBar,
    shown: Instant,
}

/// Cycles between looks at the clock.
const LOOK: u64 = 256;

impl Progress {
    /// Nothing is shown yet.
    pub fn new() -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg}{human_pos} cycles, {per_sec} simulated, {elapsed}");
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar, shown: Instant::now() }
    }

    /// So many cycles are done; `what` stands before their number.
    pub fn cycle(&mut self, cycle: u64, what: impl FnOnce() -> String) {
        if cycle.is_multiple_of(LOOK) && self.shown.elapsed() > Duration::from_millis(100) {
            self.bar.set_message(what());
            self.bar.set_position(cycle);
            self.shown = Instant::now();
        }
    }

    /// The line goes.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
