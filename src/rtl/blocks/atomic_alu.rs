//! What an atomic leaves in memory.
//!
//! ```text
//!  operation (4) ------------------>+------------+--> result (bits)
//!  old, operand, compare (bits) --->| atomic_alu |--> writes (1)
//!  wide (1, with 64 bits) --------->+------------+
//! ```
//!
//! Combinational. The operations are those of `docs/isa.md` ([`AtomicOp`]). With 64 bits `wide` chooses between
//! operands of 64 bits and of 32, in the low half; the high half of `result` means nothing then. `writes` is zero for a
//! compare-and-swap that finds another value. Floats have 32 bits.
//!
//! Testbenches: `testbenches/atomic_alu/`; tests: `tests/memory/atomics.rs`.

use super::{Fp32Add, fp32_add};
use hdl::{Builder, Module, mux, params, ports, priority_mux};
use program::isa::AtomicOp;

/// Bits of an operation's code.
pub const OPERATION_BITS: u32 = 4;

ports! {
    /// Ports of an [`atomic_alu`] for values of up to so many bits.
    pub struct AtomicAluPorts(bits: &u32) of AtomicAlu {
        /// Code of the operation.
        in operation: OPERATION_BITS,
        /// The operands have 64 bits, not 32.
        maybe (*bits == 64) in wide: 1,
        /// Value in memory.
        in old: *bits,
        /// Operand, and what is exchanged.
        in operand: *bits,
        /// What a compare-and-swap compares with.
        in compare: *bits,
        /// Value for memory.
        out result: *bits,
        /// It is written.
        out writes: 1,
    }
}

/// The unit for values of up to `bits`: 32 or 64.
pub fn atomic_alu(bits: u32) -> Module {
    let m = Builder::new("atomic_alu", params! { bits });
    m.doc("What an atomic leaves in memory.");
    m.require(bits == 32 || bits == 64, &format!("atomic_alu: bits = {bits}, allowed are 32 and 64"));
    let io = AtomicAluPorts::new(&m, &bits);
    let operation = io.operation();
    let is = |ops: &[AtomicOp]| crate::any_of(&ops.iter().map(|op| operation.eq(*op as u64)).collect::<Vec<_>>());
    let signed = m.wire("signed", is(&[AtomicOp::MinS, AtomicOp::MaxS]));
    let wide = io.wide();
    // Narrow operands as numbers of all bits.
    let [old, operand, compare] =
        [("old", io.old()), ("operand", io.operand()), ("compare", io.compare())].map(|(name, value)| {
            let Some(wide) = wide else { return value };
            let low = value.bits(0, 32);
            m.wire((name, "number"), mux(wide, value, mux(signed, low.sign_extend(bits), low.extend(bits))))
        });

    m.comment("Signed numbers compare as unsigned ones with their signs inverted.");
    let [a, b] = [old, operand].map(|value| (value.sign() ^ signed).join(value.bits(0, bits - 1)));
    let less = m.wire("less", a.lt(b));
    let equal = m.wire("equal", old.eq(compare));
    let float = Fp32Add(m.instance("float", &fp32_add()));
    float.a(old.bits(0, 32));
    float.b(operand.bits(0, 32));

    let minimum = is(&[AtomicOp::MinS, AtomicOp::MinU]);
    let extreme = is(&[AtomicOp::MinS, AtomicOp::MinU, AtomicOp::MaxS, AtomicOp::MaxU]);
    let from_top = old.is_zero() | !less & old.ne(operand);
    let choices = [
        (is(&[AtomicOp::Add]), old + operand),
        (extreme, mux(less.eq(minimum), old, operand)),
        (is(&[AtomicOp::And]), old & operand),
        (is(&[AtomicOp::Or]), old | operand),
        (is(&[AtomicOp::Xor]), old ^ operand),
        (is(&[AtomicOp::Inc]), mux(less, old + 1, 0)),
        (is(&[AtomicOp::Dec]), mux(from_top, operand, old - 1)),
        (is(&[AtomicOp::FAdd]), float.y().extend(bits)),
    ];
    m.comment("Exchange and compare-and-swap leave the operand.");
    io.result(priority_mux(&choices, operand));
    io.writes(!is(&[AtomicOp::Cas]) | equal);
    m.finish()
}
