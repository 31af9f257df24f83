//! Execute stage: the lanes and the pipeline behind them.
//!
//! ```text
//!  operands (a, b, c: lanes x 32; p, q: lanes) ->+---------+   +-----------+--> result: valid, warp, register, beat, mask, data
//!  x_control, x_valid, x_warp, x_beat, x_active ->| lanes  |-->| registers |--> predicate: warp, number, beat, mask, bits
//!                                                +---------+   | (stages)  |--> done pulses for the scoreboard
//!                                                   |          +-----------+
//!                                                   +--> address (lanes x 32, combinational): to the memory units
//! ```
//!
//! Contract: a beat of operands each cycle; results `execute_stages` cycles later, in order, never held back. The register scoreboard
//! is told with the first beat: a following instruction reads its operands in the same order of beats, later. The
//! predicates are read whole in the first beat, so their scoreboard is told with the last.
//! All lanes take part every cycle; the mask says whose results count.
//!
//! Tests: `tests/core/random.rs`.

use super::{
    bundle::{Bundle, row},
    decode::controls,
    lane::lane,
    params::CoreParams,
};
use crate::{
    hdl::{Builder, Module},
    params,
};

/// What travels with a beat through the pipeline behind the lanes.
fn travelling(p: &CoreParams) -> Bundle {
    Bundle::new(vec![
        ("writes", 1),
        ("writes_predicate", 1),
        ("warp", p.warp_bits()),
        ("register", p.register_bits()),
        ("number", 3),
        ("beat", p.beat_bits()),
        ("mask", p.lanes),
        ("predicates", p.lanes),
    ])
}

/// The execute stage.
pub fn execute(p: &CoreParams) -> Module {
    let stages = p.execute_stages.max(1);
    let m = Builder::new("execute", params! { w: p.warps, l: p.lanes, r: p.registers, stages });
    m.doc("The lanes and the pipeline behind them.");
    let width = p.lanes * 32;
    let control = m.input("x_control", controls(p).width());
    let get = |name| controls(p).get(control, name);
    let (a, b, c) = (m.input("a", width).parts(32), m.input("b", width).parts(32), m.input("c", width).parts(32));
    let (source_p, source_q) = (m.input("p", p.lanes), m.input("q", p.lanes));
    let module = lane();
    let lanes: Vec<_> = (0..p.lanes as usize)
        .map(|l| {
            let lane = m.instance(&format!("lane{l}"), &module);
            for (port, value) in [("a", a[l]), ("b", b[l]), ("c", c[l])] {
                lane.drive(port, value);
            }
            lane.drive("p", source_p.bit(l as u32));
            lane.drive("q", source_q.bit(l as u32));
            for port in ["opcode", "code", "negate"] {
                lane.drive(port, get(port));
            }
            lane
        })
        .collect();
    let gather = |port: &str| row(lanes.iter().map(|l| l.get(port)));
    m.output_of("address", gather("address"));

    let layout = travelling(p);
    let mut valid = m.input("x_valid", 1);
    let mut travels = layout.pack(&[
        ("writes", get("lane_result")),
        ("writes_predicate", get("lane_predicate")),
        ("warp", m.input("x_warp", p.warp_bits())),
        ("register", get("d")),
        ("number", get("d_predicate")),
        ("beat", m.input("x_beat", p.beat_bits())),
        ("mask", m.input("x_active", p.lanes)),
        ("predicates", gather("predicate")),
    ]);
    let mut data = m.wire("data", gather("result"));
    for stage in 1..=stages {
        let [next_travels, next_data] = [("travelling", layout.width()), ("result", width)]
            .map(|(name, width)| m.register_payload(&format!("{name}{stage}"), width));
        m.set(next_travels, travels);
        m.set(next_data, data);
        valid = m.delayed(&format!("valid{stage}"), valid);
        (travels, data) = (next_travels, next_data);
    }

    let field = |name| layout.get(travels, name);
    let result = m.wire("writes_now", valid & field("writes"));
    let predicate = m.wire("writes_predicate_now", valid & field("writes_predicate"));
    m.output_of("result_valid", result);
    m.output_of("predicate_valid", predicate);
    for name in ["warp", "register", "number", "beat", "mask", "predicates"] {
        m.output_of(&format!("result_{name}"), field(name));
    }
    m.output_of("result_data", data);
    m.output_of("result_done", result & field("beat").is_zero());
    m.output_of("predicate_done", predicate & field("beat").eq(p.beats() - 1));
    m.finish()
}
