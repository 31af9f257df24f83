//! How often the oldest request of a bank has been overtaken: a limit against starvation.
//!
//! ```text
//!  bank (1 each), overtakes (1 each) --> streak of each bank --> at_limit (1 each)
//! ```
//!
//! Contract: a strobe in cycle t shows in t + 1. A bank is at its limit when as many requests as allowed went before
//! its oldest one; then the oldest one comes first. A limit of 0 means none: no hardware.

use super::scheduling::DramChannel;
use hdl::{Signal, index_width, mux, row};

/// Streaks of all banks; see the [module documentation](self).
pub(super) struct Streaks<'m>(Vec<Signal<'m>>);

impl<'m> Streaks<'m> {
    pub(super) fn new(channel: &DramChannel<'_, 'm>) -> Self {
        let (m, limit) = (channel.m, channel.p.row_streak_max);
        let banks = if limit == 0 { 0 } else { channel.p.map.banks() };
        Self((0..banks).map(|b| m.register(("streak", b), index_width(limit as usize + 1), 0)).collect())
    }

    /// There is a limit.
    pub(super) fn limited(&self) -> bool {
        !self.0.is_empty()
    }

    /// Banks at their limit.
    pub(super) fn at_limit(&self, channel: &DramChannel<'_, 'm>) -> Signal<'m> {
        let limit = u64::from(channel.p.row_streak_max);
        match self.0[..] {
            [] => channel.m.lit(channel.p.map.banks() as u32, 0),
            _ => row(self.0.iter().map(|streak| streak.eq(limit))),
        }
    }

    /// A request of each bank in `chosen` goes first; in `overtakes` those where it is not the oldest.
    pub(super) fn step(&self, channel: &DramChannel<'_, 'm>, chosen: Signal<'m>, overtakes: Signal<'m>) {
        for ((&streak, chosen), overtakes) in self.0.iter().zip(chosen.to_bits()).zip(overtakes.to_bits()) {
            channel.m.when(chosen, || channel.m.set(streak, mux(overtakes, streak + 1, 0)));
        }
    }
}
