//! What a throttle sees of the data cache.

use cache::events::Class;
use hdl::bundle;

/// Widths of [`LocalityEvents`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalityWidths {
    /// Bits of a warp number.
    pub warp_bits: u32,
    /// Bits of the number of a line that the cache loses; 0: lost lines are not shown.
    pub lost_line_bits: u32,
}

bundle! {
    /// What a throttle sees of the data cache.
    pub struct LocalityEvents(p: &LocalityWidths) {
        /// A load was accepted.
        load: 1,
        /// Its [`Class`](cache::events::Class).
        class: Class::BITS,
        /// Whose it is.
        warp: p.warp_bits,
        /// No miss entry is free.
        full: 1,
        /// A line came.
        fill: 1,
        /// Who had asked for it first.
        fill_warp: p.warp_bits,
        /// The fair policy rules ([`mod@crate::locality`]).
        prefer_rr: 1,
        /// The kernel has ended.
        clear: 1,
        /// A store was accepted, of `warp`.
        maybe store: u32::from(p.lost_line_bits > 0),
        /// The line of the load or store.
        maybe line: p.lost_line_bits,
        /// A line left for another one.
        maybe evicted: u32::from(p.lost_line_bits > 0),
        /// Who had brought it.
        maybe evicted_warp: if p.lost_line_bits > 0 { p.warp_bits } else { 0 },
        maybe evicted_line: p.lost_line_bits,
    }
}
