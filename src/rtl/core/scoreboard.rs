//! Scoreboard of one warp: registers and predicates whose results are still to come.
//!
//! ```text
//!  hazards (next instruction) ---------->+------------+--> free: none of its registers and predicates is awaited
//!  issue (it issues now) --------------->| registers  |--> clean: nothing at all is awaited
//!  lane_done, lane_register ------------>| predicates |
//!  load_done, load_register ------------>+------------+
//!  shared_done, shared_register, predicate_done, predicate_number, and <unit>_done, <unit>_register of units beside the lanes
//! ```
//!
//! Contract: `issue` marks the destination from the next cycle on; a `done` removes the mark from the next cycle on.
//! All kinds of result may come in one cycle. Sources and the destination are waited for: no read or write overtakes a
//! write. Reads are not tracked: operands are read in the beats after issue, before any later result can be written.
//!
//! Testbench: `testbenches/scoreboard/`; tests: `tests/core/random.rs`, `tests/core/control.rs`.

use super::{
    config::CoreParams,
    decode::Hazards,
    ports::{Released, ReleasedPredicate},
    units::Writer,
};
use blocks::index_one_hot;
use hdl::{Builder, Bundle, Module, Signal, params, ports, taps};

taps! {
    "scoreboard" {
        /// Registers whose results are awaited, a bit each.
        AWAITED_REGISTERS,
        /// Likewise predicates.
        AWAITED_PREDICATES,
    }
}

ports! {
    /// Ports of a [`scoreboard`].
    pub struct ScoreboardPorts(p: &CoreParams) of Scoreboard {
        /// [`Hazards`] of the next instruction, as a word.
        in hazards: Hazards::width(p),
        /// It issues now.
        in issue: 1,
        /// None of its registers and predicates is awaited.
        out free: 1,
        /// Nothing at all is awaited.
        out clean: 1,
        /// A result has come from there.
        in released[from: Writer in p.writers()] as from: bundle Released(p),
        /// A predicate has come.
        in predicate: bundle ReleasedPredicate(&()),
    }
}

/// The scoreboard.
pub fn scoreboard(p: &CoreParams) -> Module {
    let m = Builder::new("scoreboard", p.parameters(params! { registers: p.registers }));
    m.doc("Registers and predicates of one warp whose results are still to come.");
    let io = ScoreboardPorts::new(&m, p);
    let wanted = Hazards::unpack(io.hazards(), p);
    let issue = io.issue();
    let registers = m.register("registers", p.registers, 0);
    let predicates = m.register("predicates", 7, 0);
    m.tap(AWAITED_REGISTERS, registers);
    m.tap(AWAITED_PREDICATES, predicates);
    let awaited = |used, number| Signal::at(registers, number) & used;
    let sources =
        awaited(wanted.a_used, wanted.a) | awaited(wanted.b_used, wanted.b) | awaited(wanted.c_used, wanted.c);
    let busy = sources | awaited(wanted.d_used, wanted.d);
    io.free(!(busy | (predicates & wanted.predicates).any()));
    io.clean(!(registers.any() | predicates.any()));

    let done = |from: Writer| {
        let released = io.released(from);
        index_one_hot(released.destination, p.registers) & released.done.repeat(p.registers)
    };
    let cleared = p.writers().map(done).reduce(|cleared, others| cleared | others);
    let cleared = m.wire("cleared", cleared.unwrap_or(m.lit(p.registers, 0)));
    let marked = index_one_hot(wanted.d, p.registers) & (issue & wanted.d_used).repeat(p.registers);
    let marked = m.wire("marked", marked);
    m.set(registers, registers & !cleared | marked);
    let predicate = io.predicate();
    let predicate_cleared = index_one_hot(predicate.number, 7) & predicate.done.repeat(7);
    let predicate_marked = wanted.predicates_written & issue.repeat(7);
    m.set(predicates, predicates & !predicate_cleared | predicate_marked);
    m.always("a result is awaited", (cleared & !registers).is_zero() & (predicate_cleared & !predicates).is_zero());
    m.always("a destination is free when its instruction issues", (marked & registers).is_zero());
    m.finish()
}
