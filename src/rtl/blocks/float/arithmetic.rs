//! Add, multiply and fused multiply-add: one datapath, specialised.
//!
//! ```text
//!  a -. unpack --+
//!                x--> product (carry-save) ---.--+
//!  b -. unpack --+      |                        +--> add or  --.--> count --.--> shift --.--> round --> y
//!                       v exponents              |    subtract
//!  c -. unpack ---------.--> right shift ------.-+                    . place for a register ([`Cuts`])
//! ```
//!
//! Combinational, or, a fused multiply-add, with registers within; words of 32 or 64 bits. `y = a * b + c` with one rounding ([`fp32_fma`], [`fp64_fma`]), `a + b`
//! ([`fp32_add`]: the product is `a`, the addend `b`), `a * b` ([`fp32_mul`]: no addend). A zero sum of opposite signs
//! is +0, of equal signs has that sign.
//!
//! Source of the alignment: E. Hokenek, R. K. Montoye, P. W. Cook, *Second-generation RISC floating point with
//! multiply-add fused*, IEEE JSSC 25(5), 1990: the product stays and the addend, which starts left of it, is shifted
//! right. Testbenches: `testbenches/fp32_fma/`, `testbenches/fp32_add/`, `testbenches/fp32_mul/`,
//! `testbenches/fp64_fma/`; tests: `tests/blocks/float/arithmetic.rs`.
//!
//! **Why the window is wide enough**, in single precision (in double precision 53 stands for 24). From the top: 24 bits where the addend starts, 2 bits of gap, the product, 2 bits below it,
//! 1 sticky bit. The exponent of the window is such that the addend needs no shift, or such that the product stands at
//! its true place, whichever is greater. In the first case a product that is really further down stands too high, but
//! still below a quarter of the addend's last place: no rounding can tell. In the second, addend bits are lost into the
//! sticky bit only when the addend is less than half of the product (whose factors are then not both subnormal, so that
//! it has at least 24 significant bits): then at least 24 result bits and the rounding bit stand above the sticky bit.

use super::{
    canonical, canonical_double,
    parts::{Format, Unpacked, choose, normalize, places_to_top, round_and_pack, shifted_to_top, unpack, with_sticky},
};
use crate::{
    carry_save::{Summand, carry_save, partial_products},
    cuts::{Cuts, registers_within},
    intrinsic::words,
};
use hdl::{Builder, Intrinsic, Module, Signal, mux, params, ports, row};

/// Places for registers in a fused multiply-add.
pub const FMA_CUTS: u32 = FMA_DELAYS.len() as u32 - 1;

/// Delays in single precision, FO4, to: operands (where they are chosen), product in carry-save form, aligned addend, sum,
/// its first one, normalised sum; and to the word.
const FMA_DELAYS: [u32; 7] = [18, 42, 24, 44, 30, 28, 36];

ports! {
    /// Ports of a fused multiply-add in a format, with so many registers within.
    pub struct FmaPorts((format, registers): &(Format, u32)) of Fma {
        /// A factor.
        in a: format.bits(),
        /// The other one.
        in b: format.bits(),
        /// What is added.
        in c: format.bits(),
        /// Enable of each register within.
        maybe (*registers > 0) in enable: *registers,
        /// The result.
        out y: format.bits(),
    }
}

ports! {
    /// Ports of [`fp32_add`].
    pub struct Fp32AddPorts(_p: &()) of Fp32Add {
        /// What is added.
        in a: 32,
        /// To what.
        in b: 32,
        /// The sum.
        out y: 32,
    }
}

ports! {
    /// Ports of [`fp32_mul`].
    pub struct Fp32MulPorts(_p: &()) of Fp32Mul {
        /// A factor.
        in a: 32,
        /// The other one.
        in b: 32,
        /// The product.
        out y: 32,
    }
}

/// `y = a * b + c`, rounded once; with registers for its input `enable` (a bit each) within.
pub fn fp32_fma(registers: u32) -> Module {
    fma(Format::SINGLE, registers, Intrinsic { name: "fp32_fma", call: fma_intrinsic })
}

/// `y = a * b + c` in double precision, rounded once; with registers as [`fp32_fma`].
pub fn fp64_fma(registers: u32) -> Module {
    fma(Format::DOUBLE, registers, Intrinsic { name: "fp64_fma", call: double_fma_intrinsic })
}

fn fma(format: Format, registers: u32, intrinsic: Intrinsic) -> Module {
    let m = Builder::new(&format!("{}_fma", format.name), registers_within(registers));
    m.doc(&format!("{} fused multiply-add, round to nearest even.", format.precision));
    let io = FmaPorts::new(&m, &(format, registers));
    let (a, b, c) = (io.a(), io.b(), io.c());
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &FMA_DELAYS);
    let [a, b, c] = cuts.at([("a", a), ("b", b), ("c", c)]);
    let product = product(unpack(a, format), unpack(b, format), format);
    io.y(product_plus(product, unpack(c, format), format, &mut cuts));
    if registers == 0 {
        m.intrinsic(intrinsic);
    }
    m.finish()
}

/// `y = a + b`.
pub fn fp32_add() -> Module {
    let format = Format::SINGLE;
    let m = Builder::new("fp32_add", params! {});
    m.doc("Single-precision addition, round to nearest even.");
    let io = Fp32AddPorts::new(&m, &());
    let (a, b) = (io.a(), io.b());
    let Unpacked { sign, exponent, mantissa, nan, infinite } = unpack(a, format);
    let product = Product {
        sign,
        exponents: vec![exponent],
        // The window of a 24-bit product lies 26 places above its own last place.
        offset: 26,
        mantissa: [mantissa, m.lit(24, 0)],
        zero: mantissa.is_zero(),
        nan,
        infinite,
    };
    io.y(product_plus(product, unpack(b, format), format, &mut Cuts::new(&m, (0, None), &FMA_DELAYS)));
    m.intrinsic(Intrinsic { name: "fp32_add", call: add_intrinsic });
    m.finish()
}

/// `y = a * b`.
pub fn fp32_mul() -> Module {
    let format = Format::SINGLE;
    let m = Builder::new("fp32_mul", params! {});
    m.doc("Single-precision multiplication, round to nearest even.");
    let io = Fp32MulPorts::new(&m, &());
    let (a, b) = (io.a(), io.b());
    let product = product(unpack(a, format), unpack(b, format), format);
    io.y(product_alone(product, format));
    m.intrinsic(Intrinsic { name: "fp32_mul", call: mul_intrinsic });
    m.finish()
}

/// Empty places between an addend at the top of the window and the product, places below the product, and the sticky bit.
const GAP: u32 = 2;
const BELOW: u32 = 2;
const STICKY: u32 = 1;

/// What the addend is added to.
struct Product<'m> {
    sign: Signal<'m>,
    /// Fields of the factors. Their sum and `offset` are the exponent of an addend that starts at the top of the window, with
    /// the product at its true place.
    exponents: Vec<Signal<'m>>,
    offset: i64,
    /// The sum of both; two mantissas wide, one for the product of an addition.
    mantissa: [Signal<'m>; 2],
    zero: Signal<'m>,
    nan: Signal<'m>,
    infinite: Signal<'m>,
}

impl<'m> Product<'m> {
    /// The exponent less `other`, two bits more than a field, signed.
    fn exponent_above(&self, other: Option<Signal<'m>>, format: Format) -> Signal<'m> {
        let (m, bits) = (self.sign.builder(), format.exponent + 2);
        let complement = other.map(|other| !other.extend(bits));
        // A complement is one less than the negative.
        let offset = self.offset + i64::from(complement.is_some());
        let offset = m.lit(bits, offset as u64 & ((1 << bits) - 1));
        let fields = self.exponents.iter().map(|exponent| exponent.extend(bits));
        let summands = fields.chain(complement).chain([offset]).map(|word| Summand { lo: 0, word });
        let [sum, carries] = carry_save(if other.is_some() { "above" } else { "exponent" }, summands.collect(), bits);
        sum + carries
    }
}

/// The exact product of two operands.
fn product<'m>(a: Unpacked<'m>, b: Unpacked<'m>, format: Format) -> Product<'m> {
    let width = 2 * format.mantissa();
    let zero = a.mantissa.is_zero() | b.mantissa.is_zero();
    // Of single precision: last place of the product: 2^(a + b - 300); of an addend at the top: 50 places higher, and
    // its exponent has bias 150.
    let excess = format.bias() + u64::from(format.fraction) - u64::from(GAP + width);
    Product {
        sign: a.sign ^ b.sign,
        exponents: vec![a.exponent, b.exponent],
        offset: -(excess as i64),
        mantissa: carry_save("product", partial_products(a.mantissa, b.mantissa), width),
        zero,
        nan: a.nan | b.nan | ((a.infinite | b.infinite) & zero),
        infinite: a.infinite | b.infinite,
    }
}

/// The rounded product. It stands in the window of an addend that is zero, so that it can always be normalised by a left shift.
fn product_alone(product: Product<'_>, format: Format) -> Signal<'_> {
    let exponent = product.exponent_above(None, format);
    let Product { sign, mantissa: [sum, carries], nan, infinite, .. } = product;
    let top = mux(exponent.lt_signed(1), 1, exponent).bits(0, format.exponent + 1);
    let window = format.mantissa() + GAP + sum.width();
    let (value, room) = normalize((sum + carries).extend(window), top - 1);
    choose(nan, (infinite, sign), sign, round_and_pack(with_sticky(value, format), room, format), format)
}

/// What is known of a sum from the operands, one bit each.
struct Signs<'m> {
    product: Signal<'m>,
    subtract: Signal<'m>,
    nan: Signal<'m>,
    infinite: Signal<'m>,
    of_infinity: Signal<'m>,
}

impl<'m> Signs<'m> {
    fn new(product: &Product<'m>, addend: Unpacked<'m>) -> Self {
        let subtract = product.sign ^ addend.sign;
        Self {
            product: product.sign,
            subtract,
            nan: product.nan | addend.nan | (product.infinite & addend.infinite & subtract),
            infinite: product.infinite | addend.infinite,
            of_infinity: mux(product.infinite, product.sign, addend.sign),
        }
    }

    /// The sign of a sum that is not infinite.
    fn of_sum(&self, zero: Signal<'m>, addend_wins: Signal<'m>) -> Signal<'m> {
        mux(zero, self.product & !self.subtract, self.product ^ addend_wins)
    }

    fn pack(&self) -> Signal<'m> {
        row([self.product, self.subtract, self.nan, self.infinite, self.of_infinity])
    }

    fn unpack(word: Signal<'m>) -> Self {
        let [product, subtract, nan, infinite, of_infinity] = [0, 1, 2, 3, 4].map(|at| word.bit(at));
        Self { product, subtract, nan, infinite, of_infinity }
    }
}

/// The rounded sum.
fn product_plus<'m>(product: Product<'m>, addend: Unpacked<'m>, format: Format, cuts: &mut Cuts<'m>) -> Signal<'m> {
    let m = product.sign.builder();
    let mantissa_bits = format.mantissa();
    let start = GAP + product.mantissa[0].width() + BELOW + STICKY; // last place of the addend before its shift
    let width = mantissa_bits + start;

    let above = m.wire("product_above", product.exponent_above(Some(addend.exponent), format));
    let addend_rules = m.wire("addend_rules", product.zero | above.sign());
    let own = addend.exponent.extend(format.exponent + 2);
    let top = mux(addend_rules, own, product.exponent_above(None, format)).bits(0, format.exponent + 1);

    // Below the window are places for the rest of a mantissa, so that the longest shift loses nothing: their OR is the
    // sticky bit. What is further away is nothing but that bit.
    let longest = start + format.fraction;
    let bits = u32::BITS - longest.leading_zeros();
    let far = !addend_rules & above.gt(longest);
    let places = above.bits(0, bits) & !addend_rules.repeat(bits);
    let signs = Signs::new(&product, addend).pack();
    let [sum, carries] = product.mantissa;
    let [sum, carries, mantissa, places, far, top, signs] = cuts.at([
        ("product_sum", sum),
        ("product_carries", carries),
        ("addend", addend.mantissa),
        ("places", m.wire("places", places)),
        ("far", m.wire("far", far)),
        ("top_exponent", m.wire("top_exponent", top)),
        ("signs", m.wire("signs", signs)),
    ]);
    let long = m.wire("shifted", mantissa.join(m.lit(longest, 0)) >> places);
    let lost = mux(far, mantissa.any(), long.bits(0, mantissa_bits).any());
    let kept = long.bits(mantissa_bits, width - 1) & !far.repeat(width - 1);
    let [sum, carries, aligned, top, signs] = cuts.at([
        ("product_sum", sum),
        ("product_carries", carries),
        ("aligned", m.wire("aligned", kept.join(lost))),
        ("top_exponent", top),
        ("signs", signs),
    ]);

    // The addend, or its complement, which is one less than its negative. A sum without that one is negative where the
    // product is not greater: then its complement is the difference the other way round.
    let subtract = Signs::unpack(signs).subtract;
    let summands = [
        Summand { lo: BELOW + STICKY, word: sum },
        Summand { lo: BELOW + STICKY, word: carries },
        Summand { lo: 0, word: aligned.extend(width + 1) ^ subtract.repeat(width + 1) },
    ];
    let [sum, carries] = carry_save("total", summands.to_vec(), width + 1);
    let without = m.wire("sum", sum + carries);
    let with = m.wire("sum_and_one", sum + carries + subtract.extend(width + 1));
    let addend_wins = m.wire("addend_wins", subtract & without.sign());
    let magnitude = mux(addend_wins, !without, with).bits(0, width);
    let [magnitude, addend_wins, top, signs] = cuts.at([
        ("magnitude", m.wire("magnitude", magnitude)),
        ("addend_wins", addend_wins),
        ("top_exponent", top),
        ("signs", signs),
    ]);

    let signs = Signs::unpack(signs);
    let sign = signs.of_sum(magnitude.is_zero(), addend_wins);
    let (room, signs) = (top - 1, signs.pack());
    let [magnitude, places, room, sign, signs] = cuts.at([
        ("magnitude", magnitude),
        ("places_to_top", m.wire("places_to_top", places_to_top(magnitude, room))),
        ("room", room),
        ("sign", m.wire("sign", sign)),
        ("signs", signs),
    ]);
    let (value, room) = shifted_to_top(magnitude, room, places);
    let [value, room, sign, signs] = cuts.at([
        ("value", m.wire("value", with_sticky(value, format))),
        ("room", m.wire("room", room)),
        ("sign", sign),
        ("signs", signs),
    ]);
    let signs = Signs::unpack(signs);
    choose(signs.nan, (signs.infinite, signs.of_infinity), sign, round_and_pack(value, room, format), format)
}

extern "C" fn fma_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b, c] = operands.map(f32::from_bits);
        [canonical(a.mul_add(b, c))]
    });
}

extern "C" fn add_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b] = operands.map(f32::from_bits);
        [canonical(a + b)]
    });
}

extern "C" fn mul_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b] = operands.map(f32::from_bits);
        [canonical(a * b)]
    });
}

extern "C" fn double_fma_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b, c] = operands.map(f64::from_bits);
        [canonical_double(a.mul_add(b, c))]
    });
}
