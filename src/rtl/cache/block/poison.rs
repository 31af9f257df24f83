//! Poisoned lines: pending ones that memory has changed behind the request for them. They are not kept when they come.

use crate::{CacheParams, WritePending};
use hdl::{Builder, Signal, mux};

/// A bit for each miss entry, where writes poison.
pub struct Poison<'m> {
    lines: Option<Signal<'m>>,
    no: Signal<'m>,
}

impl<'m> Poison<'m> {
    pub fn new(m: &'m Builder, p: &CacheParams) -> Self {
        let poisons = p.write_pending == WritePending::Poison;
        Self { lines: poisons.then(|| m.register("poisoned", p.all_entries(), 0)), no: m.lit(1, 0) }
    }

    /// Whether the line of `entry` is poisoned.
    pub fn of(&self, entry: Signal<'m>) -> Signal<'m> {
        self.lines.map_or(self.no, |lines| lines.at(entry))
    }

    /// The line of `entry` becomes pending (`opens`), or poisoned.
    pub fn update(&self, m: &'m Builder, entry: Signal<'m>, opens: Signal<'m>, poisons: Signal<'m>) {
        let Some(lines) = self.lines else { return };
        let mine = blocks::index_one_hot(entry, lines.width());
        let with = lines | mine & poisons.repeat(lines.width());
        m.set(lines, mux(opens, lines & !mine, with));
    }
}
