//! Set index: which set a line goes to.
//!
//! ```text
//!  line number = tag | low bits;  set = low bits XOR mix(line number above the low five bits)
//! ```
//!
//! Contract: the tag and the set together give the line back: what is mixed in never depends on the bits that it
//! changes.

mod hashed;
mod plain;

use common::policies;
use hdl::Signal;

policies! {
    /// Which set a line goes to.
    pub enum SetIndex: dyn IndexPolicy {
        /// The low bits of the line's number.
        Plain = "plain" | "linear" => plain::Plain,
        /// The low bits, of which five are mixed with higher ones.
        Hashed = "hashed" | "hash" => hashed::Hashed,
    }
}

/// A way to choose a set.
pub trait IndexPolicy: Sync {
    /// What the low bits of `line`'s number are mixed with (XOR): `bits` bits or fewer, made of bits `fixed` and up, `fixed = min(bits, 5)`.
    fn mix<'m>(&self, line: Signal<'m>, bits: u32) -> Option<Signal<'m>>;
}

/// The set of `line`, `bits` wide.
pub fn set_of<'m>(index: SetIndex, line: Signal<'m>, bits: u32) -> Signal<'m> {
    let low = line.bits(0, bits);
    index.policy().mix(line, bits).map_or(low, |mix| low ^ mix.resize(bits))
}

/// The number of the line with this tag in this set.
pub fn line_of<'m>(index: SetIndex, tag: Signal<'m>, set: Signal<'m>) -> Signal<'m> {
    let bits = set.width();
    let mixed = tag.join(set);
    let low = index.policy().mix(mixed, bits).map_or(set, |mix| set ^ mix.resize(bits));
    tag.join(low)
}
