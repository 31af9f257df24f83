//! What a command is at while it works, on a terminal only: blocks compiled, then simulated cycles and their rate.

use indicatif::{ProgressBar, ProgressStyle};
use sim::progress::{Step, watch};
use std::time::{Duration, Instant};

/// A line that tells how far the simulation is.
pub struct Progress {
    bar: ProgressBar,
    shown: Instant,
    simulating: bool,
}

/// Cycles between looks at the clock.
const LOOK: u64 = 256;

/// While there are no cycles yet, and then.
const PREPARING: &str = "{spinner} {msg}, {elapsed}";
const SIMULATING: &str = "{spinner} {msg}{human_pos} cycles, {per_sec} simulated, {elapsed}";

impl Progress {
    /// Nothing is shown yet.
    pub fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        set_style(&bar, PREPARING);
        Self { bar, shown: Instant::now(), simulating: false }
    }

    /// Shows what is compiled in `work`, which is given this line for its cycles.
    pub fn preparing<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let bar = self.bar.clone();
        watch(move |step| bar.set_message(message(step)), || work(self))
    }

    /// So many cycles are done; `what` stands before their number.
    pub fn cycle(&mut self, cycle: u64, what: impl FnOnce() -> String) {
        if cycle.is_multiple_of(LOOK) && self.shown.elapsed() > Duration::from_millis(100) {
            if !self.simulating {
                self.simulating = true;
                self.bar.reset();
                set_style(&self.bar, SIMULATING);
            }
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

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

fn message(Step { what, done, of }: Step) -> String {
    format!("compiled {done} of {of}: {}", what.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compiled_is_said_in_words() {
        let step = Step { what: "vc_allocator", done: 3, of: 40 };
        assert_eq!(message(step), "compiled 3 of 40: vc allocator");
    }
}
