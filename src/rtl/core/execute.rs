//! Execute stage: the lanes and the pipeline in and behind them.
//!
//! ```text
//!  operands (a, b, c: lanes x 32; p, q: lanes) ->+---------+   +-----------+--> result: valid, warp, destination, beat, mask, data
//!  x_control, x_valid, x_warp, x_beat, x_active ->| lanes  |-->| registers |--> predicate: warp, number, beat, mask, bits
//!                                                +---------+   |           |--> result_done, predicate_released: scoreboard
//!                                                   |          +-----------+
//!                                                   +--> address (lanes x 32, combinational): to the memory units
//! ```
//!
//! Contract: a beat of operands each cycle; results `execute_stages` cycles later, in order, never held back. All
//! registers but the last stand within the lanes, as far as these have places. Where latencies differ
//! ([`mod@super::latency`]) each result comes after its own, and no two at a time: the front end sees to that. Then the
//! lanes have the registers that the shortest latency leaves, and a calendar keeps results for the rest of theirs. The
//! register scoreboard is told with the first beat: a following instruction reads its operands in the same
//! order of beats, later. The predicates are read whole in the first beat, so their scoreboard is told with the last.
//! All lanes take part every cycle; the mask says whose results count.
//!
//! Testbench: `testbenches/execute/`; tests: `tests/core/random.rs`.

use super::{
    config::CoreParams,
    decode::Controls,
    lane::{LANE_CUTS, Lane, lane},
    latency::Latencies,
    ports::{Completion, Executing, Operands, PredicateWrite, RegisterWrite, ReleasedPredicate},
};
use blocks::{any_of, cuts::Registers, one_hot_mux};
use hdl::{Bits, Builder, Bundle, Module, Signal, bundle, mux, ports, row};
use std::ops::Range;

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

ports! {
    /// Ports of an [`execute`] stage.
    pub struct ExecutePorts(p: &CoreParams) of Execute {
        /// The beat at the lanes.
        in executing as "x": bundle Executing(p),
        /// Its operands.
        in operands as "": bundle Operands(p),
        /// Sum of operands a and b of each lane.
        out address: p.lanes * 32,
        /// Words for the registers.
        out result: bundle RegisterWrite(p),
        /// A register has its result.
        out result_done: bundle Completion(p),
        /// Predicates.
        out predicate: bundle PredicateWrite(p),
        /// A predicate has its result, of the warp of `predicate`.
        out predicate_released: bundle ReleasedPredicate(&()),
    }
}

/// The execute stage.
pub fn execute(p: &CoreParams) -> Module {
    with_registers(p, Registers::Within)
}

fn with_registers(p: &CoreParams, registers: Registers) -> Module {
    let stages = p.execute_stages.max(1);
    let names = p.sizes().with("registers_behind", &registers.are_behind());
    let m = Builder::new("execute", p.parameters(names));
    m.doc("The lanes and the pipeline in and behind them.");
    let io = ExecutePorts::new(&m, p);
    let executing = io.executing();
    let control = Controls::unpack(executing.control, p);
    // All have so many in common; with a calendar its memory takes the place of the last one.
    let (common, within) = match &p.latencies {
        Some(latencies) => {
            let common = (latencies.shortest() - 1).min(LANE_CUTS);
            (common, registers.within(common, LANE_CUTS))
        }
        None => (stages, registers.within(stages - 1, LANE_CUTS)),
    };
    let passing = Passing::new(&m, executing.valid, common);
    let lanes = lanes(&m, io.operands(), &control, (&passing, within));
    io.address(row(lanes.iter().map(|lane| lane.address())));

    let travels = Travelling {
        writes: control.lane_result,
        writes_predicate: control.lane_predicate,
        warp: executing.warp,
        destination: control.d,
        number: control.d_predicate,
        beat: executing.beat,
        mask: executing.active,
        predicates: row(lanes.iter().map(|lane| lane.predicate())),
    }
    .pack();
    let valid = passing.valid[common as usize];
    let travels = passing.through("travelling", travels, 0);
    let data = passing.through("result", m.wire("data", row(lanes.iter().map(|lane| lane.result()))), within);
    let entering = Leaving { valid, travels, data };
    let Leaving { valid, travels, data } = match (&p.latencies, control.group) {
        (Some(latencies), Some(group)) => {
            calendar(&m, (latencies, common), passing.through("group", group, 0), entering)
        }
        _ => entering,
    };
    let now = Travelling::unpack(travels, p);
    let Travelling { warp, destination, number, beat, mask, predicates, .. } = now;
    let result = m.wire("writes_now", valid & now.writes);
    let predicate = m.wire("writes_predicate_now", valid & now.writes_predicate);
    io.result(RegisterWrite { valid: result, warp, destination, beat, mask, data });
    io.result_done(Completion { valid: result & beat.is_zero(), warp, destination });
    io.predicate(PredicateWrite { valid: predicate, warp, number, beat, mask, bits: predicates });
    io.predicate_released(ReleasedPredicate { done: predicate & beat.eq(p.beats() - 1), number });
    if within > 0 {
        m.equal(with_registers(p, Registers::Behind));
    }
    m.finish()
}

/// The lanes, on the operands; with registers `within`, the first ones that all instructions pass.
fn lanes<'m>(
    m: &'m Builder,
    operands: Operands<'m>,
    control: &Controls<'m>,
    (passing, within): (&Passing<'m>, u32),
) -> Vec<Lane<'m>> {
    let [a, b, c] = [operands.a, operands.b, operands.c].map(|words| words.parts(32));
    let module = lane(within);
    let opcodes = passing.each("opcode", control.opcode, 0..within);
    let lanes = (0..a.len()).map(|l| {
        let lane = Lane(m.instance(("lane", l), &module));
        lane.a(a[l]);
        lane.b(b[l]);
        lane.c(c[l]);
        lane.p(operands.p.bit(l as u32));
        lane.q(operands.q.bit(l as u32));
        lane.opcode(control.opcode);
        lane.code(control.code);
        lane.negate(control.negate);
        if within > 0 {
            lane.valid(row(passing.valid[..within as usize].iter().copied()));
            lane.later(row(opcodes.iter().copied()));
        }
        lane
    });
    lanes.collect()
}

/// What goes through the pipeline behind the lanes.
struct Leaving<'m> {
    valid: Signal<'m>,
    /// [`Travelling`] as a word.
    travels: Signal<'m>,
    data: Signal<'m>,
}

/// The registers that all instructions pass.
struct Passing<'m> {
    builder: &'m Builder,
    /// In front of the first register, behind it, and so on.
    valid: Vec<Signal<'m>>,
}

impl<'m> Passing<'m> {
    fn new(m: &'m Builder, valid: Signal<'m>, registers: u32) -> Self {
        let mut all = vec![valid];
        (1..=registers).for_each(|stage| all.push(m.delayed(("valid", stage), all[stage as usize - 1])));
        Self { builder: m, valid: all }
    }

    /// `value` behind each of these registers, of which it has come through the ones before.
    fn each(&self, name: &str, mut value: Signal<'m>, registers: Range<u32>) -> Vec<Signal<'m>> {
        let behind = |register: u32| {
            value = self.builder.captured((name, register + 1), self.valid[register as usize], value);
            value
        };
        registers.map(behind).collect()
    }

    /// `value`, which has come through the first `passed`, behind the last one.
    fn through(&self, name: &str, value: Signal<'m>, passed: u32) -> Signal<'m> {
        let all = self.valid.len() as u32 - 1;
        self.each(name, value, passed..all).last().copied().unwrap_or(value)
    }
}

/// A memory with a place for each coming cycle, where latencies differ: a result, which has come through `passed` registers, is written to
/// the place of the cycle in which it is due.
fn calendar<'m>(
    m: &'m Builder,
    (latencies, passed): (&Latencies, u32),
    group: Signal<'m>,
    entering: Leaving<'m>,
) -> Leaving<'m> {
    let longest = latencies.longest() - passed;
    let places = m.memory(
        "calendar",
        (longest + 1).next_power_of_two() as usize,
        entering.travels.width() + entering.data.width(),
    );
    let now = m.register("now", places.address_width(), 0);
    m.set(now, now + 1);
    let due = m.register_bits("due", Bits::zero(longest));
    let latency: Vec<_> = latencies
        .groups()
        .iter()
        .map(|&(cycles, _)| m.lit(places.address_width(), u64::from(cycles - passed)))
        .collect();
    let enters = m.wire("enters", entering.valid & group.any());
    m.when(enters, || places.write(now + one_hot_mux(group, &latency), entering.travels.join(entering.data)));
    let marks = row((1..=longest).map(|cycle| {
        let of: Vec<_> = latencies
            .groups()
            .iter()
            .enumerate()
            .filter(|(_, group)| group.0 - passed == cycle)
            .map(|(g, _)| group.bit(g as u32))
            .collect();
        if of.is_empty() { m.lit(1, 0) } else { enters & any_of(&of) }
    }));
    let rest = m.wire("rest", due >> 1);
    m.set(due, rest | marks);
    m.always("a result is due alone", (rest & marks).is_zero());
    // Between results the address stands still, so that the read port does not toggle: worth a multiplexer in the
    // address.
    let last_read = m.captured("last_read", due.bit(0), now);
    let place = m.wire("place", places.read(mux(due.bit(0), now, last_read)));
    let data_bits = entering.data.width();
    Leaving {
        valid: due.bit(0),
        travels: place.bits(data_bits, entering.travels.width()),
        data: place.bits(0, data_bits),
    }
}
