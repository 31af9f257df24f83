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
    config::CoreParams,
    params::WARP,
    ports::{PredicateWrite, RegisterWrite},
};
use blocks::index_one_hot;
use hdl::{self, Builder, Module, Signal, mux, params, ports, statistics};

statistics! {
    "register_file" {
        /// Rows written.
        WRITES: writes in "rows";
    }
}

ports! {
    /// Ports of a [`register_file`].
    pub struct RegisterFilePorts(p: &CoreParams) of RegisterFile {
        /// Whose registers are read.
        in read_warp: p.warp_bits(),
        /// Of the threads of which beat.
        in read_beat: p.beat_bits(),
        /// Register of operand a.
        in read_a: p.register_bits(),
        /// Register of operand b.
        in read_b: p.register_bits(),
        /// Register of operand c.
        in read_c: p.register_bits(),
        /// Operand a is read.
        in read_enable_a: 1,
        /// Operand b is read.
        in read_enable_b: 1,
        /// Operand c is read.
        in read_enable_c: 1,
        /// Operand a of each lane.
        out a: p.lanes * 32,
        /// Operand b of each lane.
        out b: p.lanes * 32,
        /// Operand c of each lane.
        out c: p.lanes * 32,
        /// What is written.
        in write: bundle RegisterWrite(p),
    }
}

ports! {
    /// Ports of a [`predicate_file`].
    pub struct PredicateFilePorts(p: &CoreParams) of PredicateFile {
        /// Whose predicates are read.
        in read_warp: p.warp_bits(),
        /// Number of the guard.
        in read_guard: 3,
        /// Number of the first operand.
        in read_p: 3,
        /// Number of the second operand.
        in read_q: 3,
        /// The guard of each thread.
        out guard: WARP,
        /// The first operand of each thread.
        out p: WARP,
        /// The second operand of each thread.
        out q: WARP,
        /// What is written.
        in write: bundle PredicateWrite(p),
    }
}

/// The register file.
pub fn register_file(p: &CoreParams) -> Module {
    let m = Builder::new("register_file", p.sizes());
    m.doc("Registers of all threads: a row per warp, register and beat.");
    let rows = m.memory("rows", (p.warps * p.registers * p.beats()) as usize, p.lanes * 32);
    let io = RegisterFilePorts::new(&m, p);
    let (warp, beat) = (io.read_warp(), io.read_beat());
    let read = |operand: &str, register, enable| {
        p.one_beat(&m, enable, beat);
        rows.read_sync((operand, "row"), p.row(&[warp, register], beat), enable)
    };
    io.a(read("a", io.read_a(), io.read_enable_a()));
    io.b(read("b", io.read_b(), io.read_enable_b()));
    io.c(read("c", io.read_c(), io.read_enable_c()));
    let write = io.write();
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
    let io = PredicateFilePorts::new(&m, p);
    let warp = io.read_warp();
    let read = |number| {
        let word = rows.read(Signal::join(warp, number));
        mux(Signal::all(number), m.lit(WARP, u64::from(u32::MAX)), word)
    };
    io.guard(read(io.read_guard()));
    io.p(read(io.read_p()));
    io.q(read(io.read_q()));
    let write = io.write();
    let address = write.warp.join(write.number);
    let part = index_one_hot(write.beat, p.beats());
    let mask = hdl::row(part.to_bits().into_iter().map(|hit| write.mask & hit.repeat(p.lanes)));
    let data = write.bits.repeat(p.beats());
    m.when(write.valid, || rows.write_masked(address, data, mask));
    m.finish()
}
