//! What a command is at while it works, on a terminal only: blocks compiled, then simulated cycles and their rate.

use super::call::{self, Listener};
use indicatif::{ProgressBar, ProgressStyle};
use measure::{monitor::Monitor, report::words::grouped};
use sim::progress::{ProgressStep, watch};
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
    begun: Instant,
    shown: Instant,
    /// Of the cycles that are counted: when the first one was shown, its number, and that of the last one.
    counted: Option<(Instant, u64, u64)>,
    /// Shows the same.
    monitor: Option<Monitor>,
    /// The program that has called the command hears the same.
    listener: Option<Listener>,
}

/// Cycles between looks at the clock.
const LOOK: u64 = 256;

const LINE: &str = "{spinner} {elapsed}  {msg}";

impl Progress {
    /// Nothing is shown yet.
    pub fn new(terminal: Terminal) -> Self {
        let bar = match terminal {
            Terminal::Progress => ProgressBar::new_spinner(),
            Terminal::Quiet => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template(LINE) {
            bar.set_style(style);
        }
        let now = Instant::now();
        Self { bar, begun: now, shown: now, counted: None, monitor: None, listener: call::listener() }
    }

    /// Also on the page of a monitor.
    pub fn on_page(self, monitor: Option<&Monitor>) -> Self {
        Self { monitor: monitor.cloned(), ..self }
    }

    /// Says how far it is, and which part of all is done where that is known.
    fn tell(&self, line: String, done: Option<f64>) {
        if let Some(monitor) = &self.monitor {
            monitor.running(line.clone(), done);
        }
        if let Some(listener) = &self.listener {
            listener(&line, done);
        }
        self.bar.set_message(line);
        self.bar.tick();
    }

    /// Shows what is compiled in `work`, which is given this line for its cycles.
    pub fn preparing<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let (bar, monitor, listener) = (self.bar.clone(), self.monitor.clone(), self.listener.clone());
        let show = move |step: ProgressStep| {
            bar.set_message(message(step));
            listener.iter().for_each(|listener| listener(&message(step), None));
            monitor.iter().for_each(|page| page.preparing(message(step), step.done as f64 / step.of.max(1) as f64));
        };
        watch(show, || work(self))
    }

    /// So many cycles are done, of about so many; `what` stands before their number. Fewer than before: another count has begun.
    pub fn cycle(&mut self, cycle: u64, of: Option<u64>, what: impl FnOnce() -> String) {
        if cycle.is_multiple_of(LOOK) && self.shown.elapsed() > Duration::from_millis(100) {
            let (begun, first) = match self.counted {
                Some((begun, first, last)) if cycle >= last => (begun, first),
                _ => {
                    self.bar.reset_elapsed();
                    (Instant::now(), cycle)
                }
            };
            self.counted = Some((begun, first, cycle));
            let line = counted(&what(), cycle, of, cycle - first, begun.elapsed());
            self.tell(line, of.map(|of| cycle as f64 / of.max(cycle).max(1) as f64));
            self.shown = Instant::now();
        }
    }

    /// So many of so many runs are done, the last one called `last`; so many were there before.
    pub fn runs(&mut self, done: usize, of: usize, before: usize, last: &str) {
        let left = self.begun.elapsed().as_secs_f64() / done.max(1) as f64 * (of - done) as f64;
        let before = if before > 0 { format!(", {before} were there") } else { String::new() };
        let line = format!("{done} of {of} runs{before}, about {left:.0} s left; last: {last}");
        self.tell(line, Some(done as f64 / of.max(1) as f64));
    }

    /// Anything else.
    pub fn say(&self, text: String) {
        self.bar.set_message(text);
        self.bar.tick();
    }

    /// The line goes.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Cycles, how fast they go, of which `timed` in `time`, and the time that is left when it is known how many there will be.
fn counted(what: &str, cycle: u64, of: Option<u64>, timed: u64, time: Duration) -> String {
    /// A shorter time says nothing of the speed.
    const LEAST: f64 = 0.05;
    let before = if what.is_empty() { String::new() } else { format!("{what}; ") };
    let number = of.map_or_else(|| grouped(cycle), |of| format!("{} of {}", grouped(cycle), grouped(of.max(cycle))));
    let seconds = time.as_secs_f64();
    if seconds < LEAST || timed == 0 {
        return format!("{before}{number} cycles");
    }
    let rate = timed as f64 / seconds;
    let left = of.map(|of| format!(", about {:.0} s left", of.saturating_sub(cycle) as f64 / rate));
    format!("{before}{number} cycles, {} a second{}", grouped(rate as u64), left.unwrap_or_default())
}

fn message(ProgressStep { what, done, of }: ProgressStep) -> String {
    format!("compiled {done} of {of}: {}", what.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_apart_and_the_time_left_is_told() {
        let second = Duration::from_secs(1);
        let line = counted("default, load 2 of 3: 0.1", 6_000, Some(14_000), 4_000, second);
        assert_eq!(line, "default, load 2 of 3: 0.1; 6,000 of 14,000 cycles, 4,000 a second, about 2 s left");
        assert_eq!(counted("", 1_234_567, None, 1_234_567, 10 * second), "1,234,567 cycles, 123,456 a second");
        assert_eq!(counted("x", 256, Some(128), 0, Duration::ZERO), "x; 256 of 256 cycles");
    }

    #[test]
    fn what_is_compiled_is_said_in_words() {
        let step = ProgressStep { what: "vc_allocator", done: 3, of: 40 };
        assert_eq!(message(step), "compiled 3 of 40: vc allocator");
    }
}
