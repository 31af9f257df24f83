//! Register file and predicate file.
//!
//! ```text
//!  read_warp, read_a, _b, _c, read_beat --->+---------------+--> a, b, c (lanes x 32, the cycle after)
//!  write, write_warp, write_register, ----->| register_file |
//!    write_beat, write_mask, write_data     +---------------+
//!
//!  read_warp, read_guard, read_p, read_q -->+----------------+--> guard, p, q (32, combinational)
//!  write, write_warp, write_number, ------->| predicate_file |
//!    write_beat, write_mask, write_bits     +----------------+
//! ```
//!
//! Contract: a row of the register file holds one register of the threads of one beat. One write and three reads a cycle; a read in the
//! cycle of a write to the row gives the old word. The three read ports are one memory in the description; a synthesis tool makes
//! three copies. Number 7 of the predicate file reads all ones; its row is not written.
//!
//! Testbench: `testbenches/predicate_file/`; tests: `tests/core/random.rs`.

use super::{
    bundle::row as joined,
    params::{CoreParams, WARP},
};
use crate::{
    blocks::index_one_hot,
    hdl::{Builder, Module, Signal, concat, mux},
    params,
};

/// Row number of a register (or predicate) of a warp in a beat.
fn row<'m>(warp: Signal<'m>, register: Signal<'m>, beat: Signal<'m>) -> Signal<'m> {
    concat(&[warp, register, beat])
}

/// The register file.
pub fn register_file(p: &CoreParams) -> Module {
    let m = Builder::new("register_file", params! { w: p.warps, l: p.lanes, r: p.registers });
    m.doc("Registers of all threads: a row per warp, register and beat.");
    let rows = m.memory("rows", (p.warps * p.registers * p.beats()) as usize, p.lanes * 32);
    let (warp, beat) = (m.input("read_warp", p.warp_bits()), m.input("read_beat", p.beat_bits()));
    for operand in ["a", "b", "c"] {
        let register = m.input(&format!("read_{operand}"), p.register_bits());
        let address = row(warp, register, beat);
        m.output_of(operand, rows.read_sync(&format!("{operand}_row"), address, m.lit(1, 1)));
    }
    let warp = m.input("write_warp", p.warp_bits());
    let register = m.input("write_register", p.register_bits());
    let address = row(warp, register, m.input("write_beat", p.beat_bits()));
    let (mask, data) = (m.input("write_mask", p.lanes), m.input("write_data", p.lanes * 32));
    let write = m.input("write", 1);
    m.when(write, || rows.write_masked(address, data, mask));
    m.count("writes", write);
    m.finish()
}

/// The predicate file.
pub fn predicate_file(p: &CoreParams) -> Module {
    let m = Builder::new("predicate_file", params! { w: p.warps, l: p.lanes });
    m.doc("Predicates of all threads: a row of 32 bits per warp and predicate.");
    let rows = m.memory("rows", p.warps as usize * 8, WARP);
    let warp = m.input("read_warp", p.warp_bits());
    for source in ["guard", "p", "q"] {
        let number = m.input(&format!("read_{source}"), 3);
        let word = rows.read(warp.join(number));
        m.output_of(source, mux(number.all(), m.lit(WARP, u64::from(u32::MAX)), word));
    }
    let address = m.input("write_warp", p.warp_bits()).join(m.input("write_number", 3));
    let part = index_one_hot(m.input("write_beat", p.beat_bits()), p.beats());
    let lanes = m.input("write_mask", p.lanes);
    let mask = joined(part.to_bits().into_iter().map(|hit| lanes & hit.repeat(p.lanes)));
    let data = m.input("write_bits", p.lanes).repeat(p.beats());
    m.when(m.input("write", 1), || rows.write_masked(address, data, mask));
    m.finish()
}
