//! Time of a waveform, and its clocks as they are drawn.
//!
//! What a sample shows is there since the last edges before it. So it stands there in the file: at the time of those edges, where
//! the clocks that had them rise. Time counts from one period of the default clock before its next edge at the start, so that cycle `k`
//! begins `k` periods later.
//!
//! ```text
//!   edges           0           1           2
//!   samples    0          1           2              of what is just before an edge
//!   file       |0 ps      |period     |2 periods     cycle 1 is what edge 0 has made
//!   clock      /~~~~\_____/~~~~\_____/~~~~
//! ```

use super::{
    file::{Id, WaveFile},
    options::Moment,
};
use crate::clocks::Schedule;

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
fn ps(clocks: &Schedule, ticks: i128) -> i64 {
    let (base, unit) = clocks.base_frequency_period();
    let ticks_a_microsecond = i128::from(base) * i128::from(clocks.megahertz().unwrap_or(MEGAHERTZ));
    let scaled = ticks * i128::from(unit) * 1_000_000;
    ((scaled + ticks_a_microsecond / 2).div_euclid(ticks_a_microsecond)) as i64
}

/// Of a cycle, ps.
pub(super) fn period(clocks: &Schedule) -> u64 {
    ps(clocks, i128::from(clocks.base_period())).max(1) as u64
}

/// Draws the clocks up to what a sample shows now; the time of that, ps. `first`: nothing was drawn before.
pub(super) fn draw(
    lines: &mut [ClockLine],
    clocks: &Schedule,
    start: Moment,
    first: bool,
    file: &mut WaveFile,
) -> Result<u64, String> {
    let place = |instant: u64| {
        let ticks = i128::from(instant) + i128::from(clocks.base_period()) - i128::from(start.instant);
        ps(clocks, ticks)
    };
    // Before the first edge of all, cycle 0 begins with a rise that nothing has seen.
    let (time, edges) = clocks.last().map_or((0, clocks.base_edge()), |(last, edges)| (place(last).max(0), edges));
    fall(lines, time as u64, file)?;
    for line in lines.iter_mut() {
        // In ticks it may not be a whole number.
        let half = clocks.period(line.domain).map_or(0, |period| ps(clocks, period.into()) / 2);
        if edges.has(line.domain) {
            file.change(time as u64, line.id, 1, &[1])?;
            line.falls = Some((time + half) as u64);
        } else if first {
            let falls = clocks.last_of(line.domain).map(|edge| place(edge) + half).filter(|at| *at > time);
            file.change(time as u64, line.id, 1, &[u64::from(falls.is_some())])?;
            line.falls = falls.map(|at| at as u64);
        }
    }
    Ok(time as u64)
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
