//! Register file and predicate file.
//!
//! ```text
//!  read_warp, read_a, _b, _c, read_beat --->+---------------+--> a, b, c (lanes x 32, the cycle after a read)
//!  read_enable_a, _b, _c ------------------>| register_file |
//!  write (RegisterWrite) ------------------>+---------------+
//!
//!  read_warp, read_guard, read_p, read_q -->+----------------+--> guard, p, q (32, combinational)
//!  write (PredicateWrite) ----------------->| predicate_file |
//!                                           +----------------+
//! ```
//!
//! Contract: a row of the register file holds one register of the threads of one beat. One write and three reads a
//! cycle; a read in the cycle of a write to the row gives the old word. An operand is read where its `read_enable` is
//! one, and else shows what was read last. The three read ports are one memory in the description; a synthesis tool
//! makes three copies. Number 7 of the predicate file reads all ones; its row is not written.
//!
//! Testbenches: `testbenches/register_file/`, `testbenches/predicate_file/`; tests: `tests/core/random.rs`.

use super::{
    params::{CoreParams, WARP},
    ports::{PredicateWrite, RegisterWrite},
};
use crate::blocks::index_one_hot;
use hdl::{self, Builder, Bundle, Module, mux, params, statistics};

statistics! {
    "register_file" {
        /// Rows written.
        WRITES: writes in "rows";
    }
}

/// The register file.
pub fn register_file(p: &CoreParams) -> Module {
    let m = Builder::new("register_file", p.sizes());
    m.doc("Registers of all threads: a row per warp, register and beat.");
    let rows = m.memory("rows", (p.warps * p.registers * p.beats()) as usize, p.lanes * 32);
    let (warp, beat) = (m.input("read_warp", p.warp_bits()), m.input("read_beat", p.beat_bits()));
    for operand in ["a", "b", "c"] {
        let register = m.input(("read", operand), p.register_bits());
        let (address, enable) = (p.row(&[warp, register], beat), m.input(("read_enable", operand), 1));
        p.one_beat(&m, enable, beat);
        m.output_of(operand, rows.read_sync((operand, "row"), address, enable));
    }
    let write = RegisterWrite::inputs(&m, "write", p);
    let address = p.row(&[write.warp, write.destination], write.beat);
    m.when(write.valid, || rows.write_masked(address, write.data, write.mask));
    p.one_beat(&m, write.valid, write.beat);
    m.count(WRITES, write.valid);
    m.finish()
}

/// The predicate file.
pub fn predicate_file(p: &CoreParams) -> Module {
    let m = Builder::new("predicate_file", params! { warps: p.warps, lanes: p.lanes });
    m.doc("Predicates of all threads: a row of 32 bits per warp and predicate.");
    let rows = m.memory("rows", p.warps as usize * 8, WARP);
    let warp = m.input("read_warp", p.warp_bits());
    for source in ["guard", "p", "q"] {
        let number = m.input(("read", source), 3);
        let word = rows.read(warp.join(number));
        m.output_of(source, mux(number.all(), m.lit(WARP, u64::from(u32::MAX)), word));
    }
    let write = PredicateWrite::inputs(&m, "write", p);
    let address = write.warp.join(write.number);
    let part = index_one_hot(write.beat, p.beats());
    let mask = hdl::row(part.to_bits().into_iter().map(|hit| write.mask & hit.repeat(p.lanes)));
    let data = write.bits.repeat(p.beats());
    m.when(write.valid, || rows.write_masked(address, data, mask));
    m.finish()
}
