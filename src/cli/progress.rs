//! What a command is at while it works, on a terminal only: blocks compiled, then simulated cycles and their rate.

use indicatif::{ProgressBar, ProgressStyle};
use sim::progress::{Step, watch};
use std::time::{Duration, Instant};

/// Who watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminal {
    /// Somebody who wants to see how far it is, where standard error is a terminal.
    Progress,
    /// Nobody.
    Quiet,
}

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
const SIMULATING: &str = "{spinner} {msg}{human_pos} cycles, {per_sec}, {elapsed}";
/// Where it is known how many there will be.
const COUNTED: &str = "{spinner} {msg}{human_pos} of {human_len} cycles, {per_sec}, {elapsed}, about {eta} left";

impl Progress {
    /// Nothing is shown yet.
    pub fn new(terminal: Terminal) -> Self {
        let bar = match terminal {
            Terminal::Progress => ProgressBar::new_spinner(),
            Terminal::Quiet => ProgressBar::hidden(),
        };
        set_style(&bar, PREPARING);
        Self { bar, shown: Instant::now(), simulating: false }
    }

    /// Shows what is compiled in `work`, which is given this line for its cycles.
    pub fn preparing<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let bar = self.bar.clone();
        watch(move |step| bar.set_message(message(step)), || work(self))
    }

    /// So many cycles are done, of about so many; `what` stands before their number.
    pub fn cycle(&mut self, cycle: u64, of: Option<u64>, what: impl FnOnce() -> String) {
        if cycle.is_multiple_of(LOOK) && self.shown.elapsed() > Duration::from_millis(100) {
            if !self.simulating {
                self.simulating = true;
                self.bar.reset();
                set_style(&self.bar, if of.is_some() { COUNTED } else { SIMULATING });
            }
            self.bar.set_message(before(&what()));
            if let Some(of) = of {
                self.bar.set_length(of.max(cycle));
            }
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

/// What stands before the numbers, apart from them.
fn before(what: &str) -> String {
    if what.is_empty() { String::new() } else { format!("{what}; ") }
}

fn message(Step { what, done, of }: Step) -> String {
    format!("compiled {done} of {of}: {}", what.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_apart() {
        assert_eq!(before("default, load 3: 0.1"), "default, load 3: 0.1; ");
        assert_eq!(before(""), "");
    }

    #[test]
    fn what_is_compiled_is_said_in_words() {
        let step = Step { what: "vc_allocator", done: 3, of: 40 };
        assert_eq!(message(step), "compiled 3 of 40: vc allocator");
    }
}
