//! Integer multiplier: the whole product of two 32-bit words, and a word added to it.
//!
//! ```text
//!  a, b         (32)->+------------+-> low (32): of a * b + c
//!  c            (32)->| multiply32 |-> high (32)
//!  signed_value  (1)->|            |
//!  enable (registers)->+------------+
//! ```
//!
//! Combinational, or with registers within ([`Cuts`]). `c` is unsigned; `a` and `b` are where `signed_value` is one. Signed,
//! the product is the unsigned one less `b` in the high half where `a` is negative, less `a` where `b` is: two more
//! summands.
//!
//! Testbench: `testbenches/multiply32/`; the intrinsic is compared with it in `tests/blocks/float/arithmetic.rs`.

use super::{
    carry_save::{Summand, carry_save, partial_products},
    cuts::{Cuts, registers_within},
    intrinsic::words,
};
use hdl::{Builder, Intrinsic, Module, ports};

/// Places for registers.
pub const MULTIPLY_CUTS: u32 = DELAYS.len() as u32 - 1;

/// Delays, FO4, to: operands (where they are chosen), sum in carry-save form; and to the words.
const DELAYS: [u32; 3] = [18, 44, 40];

ports! {
    /// Ports of a [`multiply32`] with so many registers within.
    pub struct Multiply32Ports(registers: &u32) of Multiply32 {
        /// A factor.
        in a: 32,
        /// The other one.
        in b: 32,
        /// What is added.
        in c: 32,
        /// The factors have signs.
        in signed_value: 1,
        /// Enable of each register within.
        maybe (*registers > 0) in enable: *registers,
        /// Low word of the result.
        out low: 32,
        /// High word of the result.
        out high: 32,
    }
}

/// The multiplier; with registers for its input `enable` (a bit each) within.
pub fn multiply32(registers: u32) -> Module {
    let m = Builder::new("multiply32", registers_within(registers));
    m.doc("32 x 32 bit integer product and sum.");
    let io = Multiply32Ports::new(&m, &registers);
    let (a, b, c, signed) = (io.a(), io.b(), io.c(), io.signed_value());
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &DELAYS);
    let [a, b, c, signed] = cuts.at([("a", a), ("b", b), ("c", c), ("signed", signed)]);
    // The complement of a word is one less than its negative: ones that are missing are the last summand.
    let [less_b, less_a] = [(b, a), (a, b)].map(|(word, of)| !(word & (of.sign() & signed).repeat(32)));
    let mut summands = partial_products(a, b);
    summands.push(Summand { lo: 0, word: c });
    summands.extend([less_b, less_a, m.lit(32, 2)].map(|word| Summand { lo: 32, word }));
    let [sum, carries] = carry_save("product", summands, 64);
    let [sum, carries] = cuts.at([("sum", sum), ("carries", carries)]);
    let result = m.wire("result", sum + carries);
    io.low(result.bits(0, 32));
    io.high(result.bits(32, 32));
    if registers == 0 {
        m.intrinsic(Intrinsic { name: "multiply32", call: intrinsic });
    }
    m.finish()
}

extern "C" fn intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a, b, c, signed]: [u32; 4]| {
        let product = match signed {
            0 => u64::from(a) * u64::from(b),
            _ => (i64::from(a as i32) * i64::from(b as i32)) as u64,
        };
        let sum = product.wrapping_add(c.into());
        [sum as u32, (sum >> 32) as u32]
    });
}
