//! Integer multiplier: the whole product of two 32-bit words, with both readings of its high half.
//!
//! ```text
//!  a (32) ->+------------+-> low (32): the same for signed and unsigned words
//!           | multiply32 |-> high_signed (32)
//!  b (32) ->+------------+-> high_unsigned (32)
//! ```
//!
//! Combinational. The signed high half is the unsigned one less `b` where `a` is negative, less `a` where `b` is.
//! Testbench: `testbenches/multiply32/`; the intrinsic is compared with it in `tests/float/arithmetic.rs`.

use super::intrinsic::words;
use hdl::{Builder, Intrinsic, Module, mux, params};

/// The multiplier.
pub fn multiply32() -> Module {
    let m = Builder::new("multiply32", params! {});
    m.doc("32 x 32 bit integer product.");
    let (a, b) = (m.input("a", 32), m.input("b", 32));
    let product = m.wire("product", a.extend(64) * b.extend(64));
    let high = product.bits(32, 32);
    m.output_of("low", product.bits(0, 32));
    m.output_of("high_signed", high - mux(a.sign(), b, 0) - mux(b.sign(), a, 0));
    m.output_of("high_unsigned", high);
    m.intrinsic(Intrinsic { name: "multiply32", call: intrinsic });
    m.finish()
}

extern "C" fn intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a, b]: [u32; 2]| {
        let unsigned = u64::from(a) * u64::from(b);
        let signed = i64::from(a as i32) * i64::from(b as i32);
        [unsigned as u32, (signed >> 32) as u32, (unsigned >> 32) as u32]
    });
}
