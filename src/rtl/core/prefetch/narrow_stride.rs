//! Strides of twenty bits, as the tables of MT-HWP have them.

use hdl::{Builder, Signal};

/// Bits of a stride, signed.
pub const BITS: u32 = 20;

/// A difference of addresses as a stride: whether it is one, and the stride.
pub(super) fn of<'m>(m: &'m Builder, name: &str, difference: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let stride = m.wire((name, "stride"), difference.bits(0, BITS));
    (m.wire((name, "fits"), stride.sign_extend(32).eq(difference)), stride)
}
