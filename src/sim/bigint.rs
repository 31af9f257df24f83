//! Arithmetic on little-endian arrays of 64-bit words: what the interpreter computes wide values with, and what native
//! code calls for the wide operations that it does not spell out.
//!
//! Every function writes all words of `out` and leaves the bits above `width` zero; operands have zeros there too.

use std::cmp::Ordering;

/// All ones in the low `width` bits (1 to 64).
pub(crate) fn mask64(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Clears the bits of the last word above `width`.
pub(crate) fn trim(out: &mut [u64], width: u32) {
    if !width.is_multiple_of(64) {
        out[width as usize / 64] &= mask64(width % 64);
    }
}

fn bit(a: &[u64], index: u32) -> bool {
    a[index as usize / 64] >> (index % 64) & 1 == 1
}

/// Joins two operands word by word.
pub(crate) fn zip(out: &mut [u64], a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) {
    for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *o = f(a, b);
    }
}

/// `a + b`.
pub(crate) fn add(out: &mut [u64], a: &[u64], b: &[u64], width: u32) {
    let mut carry = false;
    for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
        let (sum, first) = a.overflowing_add(b);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        (*o, carry) = (sum, first | second);
    }
    trim(out, width);
}

/// `a - b`.
pub(crate) fn sub(out: &mut [u64], a: &[u64], b: &[u64], width: u32) {
    let mut borrow = false;
    for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
        let (difference, first) = a.overflowing_sub(b);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (*o, borrow) = (difference, first | second);
    }
    trim(out, width);
}

/// The low half of `a * b`.
pub(crate) fn mul(out: &mut [u64], a: &[u64], b: &[u64], width: u32) {
    out.fill(0);
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0;
        for (o, &y) in out[i..].iter_mut().zip(b) {
            let wide = u128::from(x) * u128::from(y) + u128::from(*o) + u128::from(carry);
            (*o, carry) = (wide as u64, (wide >> 64) as u64);
        }
    }
    trim(out, width);
}

/// Unsigned comparison.
pub(crate) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// Signed comparison of `width`-bit numbers.
pub(crate) fn less_signed(a: &[u64], b: &[u64], width: u32) -> bool {
    match (bit(a, width - 1), bit(b, width - 1)) {
        (true, false) => true,
        (false, true) => false,
        _ => compare(a, b) == Ordering::Less,
    }
}

/// An unsigned amount as a number, at most `limit`.
pub(crate) fn amount(a: &[u64], limit: u32) -> u32 {
    let high = a[1..].iter().any(|&w| w != 0);
    if high || a[0] > u64::from(limit) { limit } else { a[0] as u32 }
}

/// `out` = bits of `a` from `lo` on, `width` of them; zeros above `a`.
pub(crate) fn slice(out: &mut [u64], a: &[u64], lo: u32, width: u32) {
    let (skip, shift) = (lo as usize / 64, lo % 64);
    for (i, o) in out.iter_mut().enumerate() {
        let low = a.get(skip + i).copied().unwrap_or(0);
        let high = a.get(skip + i + 1).copied().unwrap_or(0);
        *o = if shift == 0 { low } else { low >> shift | high << (64 - shift) };
    }
    trim(out, width);
}

/// ORs `a` into `out` from bit `lo` on; it must fit.
pub(crate) fn insert(out: &mut [u64], a: &[u64], lo: u32) {
    let (skip, shift) = (lo as usize / 64, lo % 64);
    for (i, &word) in a.iter().enumerate() {
        out[skip + i] |= word << shift;
        if shift != 0 && word >> (64 - shift) != 0 {
            out[skip + i + 1] |= word >> (64 - shift);
        }
    }
}

/// `a << by`; `by` at most `width`.
pub(crate) fn shl(out: &mut [u64], a: &[u64], by: u32, width: u32) {
    let (skip, shift) = (by as usize / 64, by % 64);
    for (i, o) in out.iter_mut().enumerate() {
        let word = |back: usize| i.checked_sub(skip + back).map_or(0, |at| a[at]);
        *o = if shift == 0 { word(0) } else { word(0) << shift | word(1) >> (64 - shift) };
    }
    trim(out, width);
}

/// `a >> by` with zeros from above.
pub(crate) fn shr(out: &mut [u64], a: &[u64], by: u32, width: u32) {
    slice(out, a, by, width);
}

/// `a >> by` with copies of the sign from above; `by` at most `width`.
pub(crate) fn sra(out: &mut [u64], a: &[u64], by: u32, width: u32) {
    slice(out, a, by, width);
    if bit(a, width - 1) {
        fill_ones(out, width - by, width);
    }
}

/// `a` of `from` bits with copies of its sign above, to `width` bits.
pub(crate) fn sign_extend(out: &mut [u64], a: &[u64], from: u32, width: u32) {
    out.fill(0);
    out[..a.len()].copy_from_slice(a);
    if bit(a, from - 1) {
        fill_ones(out, from, width);
    }
}

/// Sets bits `from .. to`.
fn fill_ones(out: &mut [u64], from: u32, to: u32) {
    for (i, o) in out.iter_mut().enumerate() {
        let start = i as u32 * 64;
        if from < start + 64 {
            *o |= u64::MAX << from.saturating_sub(start);
        }
    }
    trim(out, to);
}
