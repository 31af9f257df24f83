//! Where the time of a simulation went, as a table.

use super::words::{counted, grouped};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim::{Profile, ProfilePart};
use std::fmt;

/// Where the time of a simulation went, as a sampler saw it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TimeProfile {
    /// How often the sampler looked.
    pub samples: u64,
    /// Nanoseconds of a simulated cycle.
    pub cycle_nanoseconds: f64,
    /// The parts, the one with the greatest share first.
    pub parts: Vec<TimePart>,
}

/// A part of the time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TimePart {
    /// Kind of block, or what else it is.
    pub name: String,
    /// Engine that simulates it; null for what belongs to none.
    pub engine: Option<String>,
    /// Instances in the chip; 0 for what is no block.
    pub instances: usize,
    /// Share of the time, from 0 to 1.
    pub share: f64,
    /// Nanoseconds of a simulated cycle, for all instances together.
    pub nanoseconds: f64,
    /// Blocks inside, the one with the greatest share first. One that is inlined counts as the block around it.
    pub inside: Vec<TimePart>,
}

impl From<Profile> for TimeProfile {
    fn from(profile: Profile) -> Self {
        let cycle = profile.time.as_secs_f64() * 1e9 / profile.cycles.max(1) as f64;
        let parts = profile.parts.into_iter().map(|part| TimePart::of(part, cycle)).collect();
        Self { samples: profile.samples, cycle_nanoseconds: cycle, parts }
    }
}

impl TimePart {
    fn of(part: ProfilePart, cycle: f64) -> Self {
        Self {
            name: part.name,
            engine: part.engine.map(|engine| engine.name().into()),
            instances: part.instances,
            share: part.share,
            nanoseconds: part.share * cycle,
            inside: part.inside.into_iter().map(|part| Self::of(part, cycle)).collect(),
        }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, inside: bool) -> fmt::Result {
        let name = format!("{}{}", if inside { "  " } else { "" }, self.name.replace('_', " "));
        let engine = self.engine.as_deref().filter(|_| !inside).unwrap_or_default();
        let instances = if self.instances == 0 { String::new() } else { grouped(self.instances as u64) };
        let (share, time) = (100.0 * self.share, grouped(self.nanoseconds.round() as u64));
        write!(f, "\n  {name:<42} {engine:<11} {instances:>9} {share:>7.1} % {time:>10}")
    }
}

/// Parts that nobody would look for are left out.
const LEAST: f64 = 0.001;

impl fmt::Display for TimeProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { samples, cycle_nanoseconds, parts } = self;
        let (samples, cycle) = (counted(*samples, "sample"), grouped(cycle_nanoseconds.round() as u64));
        write!(f, "Time of a cycle, {cycle} ns on one thread, by {samples}:")?;
        write!(f, "\n  {:<42} {:<11} {:>9} {:>9} {:>10}", "part", "engine", "instances", "share", "ns")?;
        for part in parts.iter().filter(|part| part.share >= LEAST) {
            part.line(f, false)?;
            part.inside.iter().filter(|part| part.share >= LEAST).try_for_each(|part| part.line(f, true))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_leaves_out_crumbs() {
        let part = |name: &str, engine: Option<&str>, share: f64, inside| TimePart {
            name: name.into(),
            engine: engine.map(String::from),
            instances: if engine.is_some() { 12 } else { 0 },
            share,
            nanoseconds: 20_000.0 * share,
            inside,
        };
        let lane = part("special_unit", Some("word"), 0.4, vec![]);
        let parts = vec![part("core", Some("word"), 0.7, vec![lane]), part("clock edge", None, 0.2999, vec![])];
        let crumb = part("waveforms", None, 0.0001, vec![]);
        let profile = TimeProfile { samples: 1234, cycle_nanoseconds: 20_000.0, parts: [parts, vec![crumb]].concat() };
        let text = profile.to_string();
        let lines: Vec<_> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(
            lines,
            [
                "Time of a cycle, 20,000 ns on one thread, by 1,234 samples:",
                "part engine instances share ns",
                "core word 12 70.0 % 14,000",
                "special unit 12 40.0 % 8,000",
                "clock edge 30.0 % 5,998",
            ]
        );
    }
}
