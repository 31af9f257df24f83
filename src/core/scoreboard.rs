//! Scoreboard of one warp: registers and predicates whose results are still to come.
//!
//! ```text
//!  hazards (next instruction) ---------->+------------+--> free: none of its registers and predicates is awaited
//!  issue (it issues now) --------------->| registers  |--> clean: nothing at all is awaited
//!  lane_done, lane_register ------------>| predicates |
//!  load_done, load_register ------------>+------------+
//!  shared_done, shared_register, predicate_done, predicate_number
//! ```
//!
//! Contract: `issue` marks the destination from the next cycle on; a `done` removes the mark from the next cycle on. The four
//! kinds of result may come in one cycle. Sources and the destination are waited for: no read or write overtakes a write.
//! Reads are not tracked: operands are read in the beats after issue, before any later result can be written.
//!
//! Tests: `tests/core/random.rs`, `tests/core/control.rs`.

use super::{decode::hazards, params::CoreParams};
use crate::{
    blocks::index_one_hot,
    hdl::{Builder, Module},
    params,
};

/// The scoreboard.
pub fn scoreboard(p: &CoreParams) -> Module {
    let m = Builder::new("scoreboard", params! { r: p.registers });
    m.doc("Registers and predicates of one warp whose results are still to come.");
    let layout = hazards(p);
    let wanted = m.input("hazards", layout.width());
    let issue = m.input("issue", 1);
    let registers = m.register("registers", p.registers, 0);
    let predicates = m.register("predicates", 7, 0);
    let field = |name| layout.get(wanted, name);
    let awaited = |used, number| field(used) & registers.at(field(number));
    let busy = awaited("a_used", "a") | awaited("b_used", "b") | awaited("c_used", "c") | awaited("d_used", "d");
    m.output_of("free", !(busy | (predicates & field("predicates")).any()));
    m.output_of("clean", !(registers.any() | predicates.any()));

    let done = |kind: &str| {
        let (done, number) =
            (m.input(&format!("{kind}_done"), 1), m.input(&format!("{kind}_register"), p.register_bits()));
        index_one_hot(number, p.registers) & done.repeat(p.registers)
    };
    let cleared = m.wire("cleared", done("lane") | done("load") | done("shared"));
    let marked = index_one_hot(field("d"), p.registers) & (issue & field("d_used")).repeat(p.registers);
    let marked = m.wire("marked", marked);
    m.set(registers, registers & !cleared | marked);
    let predicate_done = m.input("predicate_done", 1);
    let predicate_cleared = index_one_hot(m.input("predicate_number", 3), 7) & predicate_done.repeat(7);
    let predicate_marked = field("predicates_written") & issue.repeat(7);
    m.set(predicates, predicates & !predicate_cleared | predicate_marked);
    m.always("a result is awaited", (cleared & !registers).is_zero() & (predicate_cleared & !predicates).is_zero());
    m.always("a destination is free when its instruction issues", (marked & registers).is_zero());
    m.finish()
}
