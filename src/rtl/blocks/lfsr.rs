//! Linear feedback shift register: a pseudo-random sequence of period `2^width - 1`.
//!
//! ```text
//!                +---------------------+
//!  load     (1)->| shift left, new bit |-> value (width): never zero
//!  seed (width)->| 0 = XOR of the taps |
//!  step     (1)->|                     |
//!                +---------------------+
//! ```
//!
//! Contract: `value` is a register; with `step` it advances by `shifts` places at the clock edge (with
//! `shifts = width`, successive values share no bits); `load` goes before `step`. After reset it is 1. Never: a zero
//! `seed` is loaded (asserted).
//!
//! Source of the taps: P. Alfke, *Efficient Shift Registers, LFSR Counters, and Long Pseudo-Random Sequence
//! Generators*, Xilinx application note XAPP 052, 1996, table 3 (width 2: x^2 + x + 1). `tests/blocks/lfsrs.rs` proves
//! each to be maximal. Testbench: `testbenches/lfsr/`.

use hdl::{Builder, Module, Signal, params, ports};

/// Taps of the widths 2 to 64, counted from 1 at the bit that is shifted in; the top bit is always a tap and not listed.
const TAPS: [&[u32]; 63] = [
    &[1],
    &[2],
    &[3],
    &[3],
    &[5],
    &[6],
    &[6, 5, 4],
    &[5],
    &[7],
    &[9],
    &[6, 4, 1],
    &[4, 3, 1],
    &[5, 3, 1],
    &[14],
    &[15, 13, 4],
    &[14],
    &[11],
    &[6, 2, 1],
    &[17],
    &[19],
    &[21],
    &[18],
    &[23, 22, 17],
    &[22],
    &[6, 2, 1],
    &[5, 2, 1],
    &[25],
    &[27],
    &[6, 4, 1],
    &[28],
    &[22, 2, 1],
    &[20],
    &[27, 2, 1],
    &[33],
    &[25],
    &[5, 4, 3, 2, 1],
    &[6, 5, 1],
    &[35],
    &[38, 21, 19],
    &[38],
    &[41, 20, 19],
    &[42, 38, 37],
    &[43, 18, 17],
    &[44, 42, 41],
    &[45, 26, 25],
    &[42],
    &[47, 21, 20],
    &[40],
    &[49, 24, 23],
    &[50, 36, 35],
    &[49],
    &[52, 38, 37],
    &[53, 18, 17],
    &[31],
    &[55, 35, 34],
    &[50],
    &[39],
    &[58, 38, 37],
    &[59],
    &[60, 46, 45],
    &[61, 6, 5],
    &[62],
    &[63, 61, 60],
];

/// Bits of a `width`-bit register (2 to 64) whose XOR is shifted in, as a mask; `None` for other widths.
pub fn lfsr_taps(width: u32) -> Option<u64> {
    let taps = TAPS.get((width as usize).checked_sub(2)?)?;
    Some(taps.iter().fold(1 << (width - 1), |mask, tap| mask | 1 << (tap - 1)))
}

ports! {
    /// Ports of an [`lfsr`] of so many bits.
    pub struct LfsrPorts(width: &u32) of Lfsr {
        /// Takes the seed; it comes before a step.
        in load: 1,
        /// What the register begins with, not zero.
        in seed: *width,
        /// Moves on.
        in step: 1,
        /// The register.
        out value: *width,
    }
}

/// A register of `width` bits (2 to 64) that moves by `shifts` places (1 and up) a step.
pub fn lfsr(width: u32, shifts: u32) -> Module {
    let m = Builder::new("lfsr", params! { width, shifts });
    m.doc("Pseudo-random sequence of maximal period.");
    m.require(lfsr_taps(width).is_some(), &format!("lfsr: width = {width} bits, allowed are 2 to 64"));
    m.require(shifts >= 1, "lfsr: shifts = 0 a step, at least 1 is needed");
    let width = width.clamp(2, 64);
    let io = LfsrPorts::new(&m, &width);
    let (load, seed, step) = (io.load(), io.seed(), io.step());
    let state = m.register("state", width, 1);
    m.when(step, || m.set(state, advance(state, shifts)));
    m.when(load, || m.set(state, seed));
    io.value(state);
    m.always("a seed is not zero", !load | seed.any());
    m.always("the state is not zero", state.any());
    m.finish()
}

/// `shifts` places on. As many new bits at a time as the lowest tap allows are one XOR of slices: bit `p` of `k` new ones comes from
/// bit `t - k + p` for each tap `t`.
fn advance(state: Signal<'_>, shifts: u32) -> Signal<'_> {
    let width = state.width();
    let taps = [width].into_iter().chain(TAPS[width as usize - 2].iter().copied());
    let lowest = taps.clone().min().expect("there is a tap");
    let (mut now, mut left) = (state, shifts);
    while left > 0 {
        let k = left.min(lowest).min(width - 1);
        let new = taps.clone().map(|tap| now.bits(tap - k, k)).reduce(|sum, part| sum ^ part);
        now = now.bits(0, width - k).join(new.expect("there is a tap"));
        left -= k;
    }
    now
}
