//! Execute stage: the lanes and the pipeline behind them.
//!
//! ```text
//!  operands (a, b, c: lanes x 32; p, q: lanes) ->+---------+   +-----------+--> result: valid, warp, destination, beat, mask, data
//!  x_control, x_valid, x_warp, x_beat, x_active ->| lanes  |-->| registers |--> predicate: warp, number, beat, mask, bits
//!                                                +---------+   | (stages)  |--> result_done, predicate_released: scoreboard
//!                                                   |          +-----------+
//!                                                   +--> address (lanes x 32, combinational): to the memory units
//! ```
//!
//! Contract: a beat of operands each cycle; results `execute_stages` cycles later, in order, never held back. The register scoreboard
//! is told with the first beat: a following instruction reads its operands in the same order of beats, later. The
//! predicates are read whole in the first beat, so their scoreboard is told with the last.
//! All lanes take part every cycle; the mask says whose results count.
//!
//! Testbench: `testbenches/execute/`; tests: `tests/core/random.rs`.

use super::{
    decode::Controls,
    lane::lane,
    params::CoreParams,
    ports::{Completion, Executing, Operands, PredicateWrite, RegisterWrite, ReleasedPredicate},
};
use hdl::{Builder, Bundle, Module, bundle, params, row};

bundle! {
    /// What travels with a beat through the pipeline behind the lanes.
    struct Travelling(p: &CoreParams) {
        writes: 1,
        writes_predicate: 1,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        number: 3,
        beat: p.beat_bits(),
        mask: p.lanes,
        predicates: p.lanes,
    }
}

/// The execute stage.
pub fn execute(p: &CoreParams) -> Module {
    let stages = p.execute_stages.max(1);
    let m = Builder::new(
        "execute",
        [params! { w: p.warps, l: p.lanes, r: p.registers, stages }, p.constant_key().into_iter().collect()].concat(),
    );
    m.doc("The lanes and the pipeline behind them.");
    let executing = Executing::inputs(&m, "x", p);
    let control = Controls::unpack(executing.control, p);
    let operands = Operands::inputs(&m, "", p);
    let [a, b, c] = [operands.a, operands.b, operands.c].map(|words| words.parts(32));
    let module = lane();
    let lanes: Vec<_> = (0..p.lanes as usize)
        .map(|l| {
            let lane = m.instance(("lane", l), &module);
            for (port, value) in [("a", a[l]), ("b", b[l]), ("c", c[l])] {
                lane.drive(port, value);
            }
            lane.drive("p", operands.p.bit(l as u32));
            lane.drive("q", operands.q.bit(l as u32));
            for (port, value) in [("opcode", control.opcode), ("code", control.code), ("negate", control.negate)] {
                lane.drive(port, value);
            }
            lane
        })
        .collect();
    let gather = |port: &str| row(lanes.iter().map(|l| l.get(port)));
    m.output_of("address", gather("address"));

    let mut valid = executing.valid;
    let mut travels = Travelling {
        writes: control.lane_result,
        writes_predicate: control.lane_predicate,
        warp: executing.warp,
        destination: control.d,
        number: control.d_predicate,
        beat: executing.beat,
        mask: executing.active,
        predicates: gather("predicate"),
    }
    .pack();
    let mut data = m.wire("data", gather("result"));
    for stage in 1..=stages {
        let [next_travels, next_data] = [("travelling", travels), ("result", data)].map(|(name, value)| {
            let register = m.register_payload((name, stage), value.width());
            m.set(register, value);
            register
        });
        valid = m.delayed(("valid", stage), valid);
        (travels, data) = (next_travels, next_data);
    }

    let now = Travelling::unpack(travels, p);
    let Travelling { warp, destination, number, beat, mask, predicates, .. } = now;
    let result = m.wire("writes_now", valid & now.writes);
    let predicate = m.wire("writes_predicate_now", valid & now.writes_predicate);
    RegisterWrite { valid: result, warp, destination, beat, mask, data }.outputs(&m, "result", p);
    Completion { valid: result & beat.is_zero(), warp, destination }.outputs(&m, "result_done", p);
    PredicateWrite { valid: predicate, warp, number, beat, mask, bits: predicates }.outputs(&m, "predicate", p);
    let predicate_done = ReleasedPredicate { done: predicate & beat.eq(p.beats() - 1), number };
    predicate_done.outputs(&m, "predicate_released", &());
    m.finish()
}
