//! Time of a waveform, and its clocks as they are drawn.
//!
//! What a sample shows is there since the last edges before it. So it stands there in the file: at the time of those edges, where
//! the clocks that had them rise, and by one period of the default clock later, as cycle 0, before the first edge of all, has its place, too.
//!
//! ```text
//!   edges           0           1           2
//!   samples    0          1           2              of what is just before an edge
//!   file       |0 ps      |period     |2 periods     cycle 1 is what edge 0 has made
//!   clock      /~~~~\_____/~~~~\_____/~~~~
//! ```

use super::{
    Moment,
    file::{Id, WaveFile},
};
use crate::clocks::{Edges, Schedule};

/// Of the default clock, where its frequency is not known.
const MEGAHERTZ: u32 = 1000;

/// A clock.
pub(super) struct ClockLine {
    id: Id,
    /// Position among the domains of the top.
    domain: usize,
    /// When it falls, ps, if it is high.
    falls: Option<u64>,
}

impl ClockLine {
    pub fn new(id: Id, domain: usize) -> Self {
        Self { id, domain, falls: None }
    }
}

/// So many ticks in ps, rounded.
fn ps(clocks: &Schedule, ticks: u64) -> u64 {
    let ticks_a_microsecond = u128::from(clocks.base_period()) * u128::from(clocks.megahertz().unwrap_or(MEGAHERTZ));
    ((u128::from(ticks) * 1_000_000 + ticks_a_microsecond / 2) / ticks_a_microsecond) as u64
}

/// Draws the clocks up to what a sample shows now; the time of that, ps.
pub(super) fn draw(
    lines: &mut [ClockLine],
    clocks: &Schedule,
    start: Moment,
    file: &mut WaveFile,
) -> Result<u64, String> {
    let (since, edges) = clocks.last().map_or((0, Edges::ALL), |(last, edges)| (last + clocks.base_period(), edges));
    let since = since.saturating_sub(start.instant);
    let time = ps(clocks, since);
    fall(lines, time, file)?;
    for line in lines.iter_mut().filter(|line| edges.has(line.domain)) {
        file.change(time, line.id, 1, &[1])?;
        // In ticks it may not be a whole number.
        line.falls = clocks.period(line.domain).map(|period| time + ps(clocks, period) / 2);
    }
    Ok(time)
}

/// Those that are high fall, as far as it is time.
pub(super) fn fall(lines: &mut [ClockLine], until: u64, file: &mut WaveFile) -> Result<(), String> {
    let mut due: Vec<(u64, Id)> = vec![];
    for line in lines {
        if let Some(at) = line.falls.take_if(|at| *at <= until) {
            due.push((at, line.id));
        }
    }
    due.sort_by_key(|(at, _)| *at);
    due.into_iter().try_for_each(|(at, id)| file.change(at, id, 1, &[0]))
}
