//! Bytes and half words within a word: the size codes of loads and stores.
//!
//! ```text
//!  word (32), offset (2: byte in the word), size (3) --> extract  --> value (32), zero- or sign-extended
//!  value (32), offset, size                          --> position --> value copied to every place it can go
//!                                                    --> bytes    --> mask (4) of the bytes of the word
//! ```
//!
//! Functions on signals, combinational. Sizes: 0 = 32 bits, 1 = u8, 2 = s8, 3 = u16, 4 = s16, as in `docs/isa.md`.

use hdl::{Signal, mux, select};

/// Bits of a size code.
pub const SIZE_BITS: u32 = 3;

/// What a load of `size` at byte `offset` of `word` gives.
pub fn extract<'m>(word: Signal<'m>, offset: Signal<'m>, size: Signal<'m>) -> Signal<'m> {
    let half = select(offset.bit(1), &word.parts(16));
    let byte = select(offset.bit(0), &half.parts(8));
    let halves = select(size.bit(2), &[half.extend(32), half.sign_extend(32)]);
    let bytes = select(size.bit(1), &[byte.extend(32), byte.sign_extend(32)]);
    mux(size.is_zero(), word, mux(is_half(size), halves, bytes))
}

/// The data of a store of `size`, copied to every place in the word that it can go to.
pub fn position<'m>(value: Signal<'m>, size: Signal<'m>) -> Signal<'m> {
    let half = value.bits(0, 16).repeat(2);
    mux(size.is_zero(), value, mux(is_half(size), half, value.bits(0, 8).repeat(4)))
}

/// The bytes of the word that an access of `size` at byte `offset` touches.
pub fn bytes<'m>(offset: Signal<'m>, size: Signal<'m>) -> Signal<'m> {
    let m = offset.builder();
    let half = mux(offset.bit(1), m.lit(4, 0b1100), m.lit(4, 0b0011));
    mux(size.is_zero(), m.lit(4, 0b1111), mux(is_half(size), half, m.lit(4, 1) << offset))
}

/// 3 (u16) or 4 (s16).
fn is_half(size: Signal<'_>) -> Signal<'_> {
    size.eq(3) | size.eq(4)
}
