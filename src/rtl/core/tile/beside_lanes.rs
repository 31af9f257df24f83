//! From the operands of a part to what stands beside its lanes: named barriers and units.

use crate::{
    barrier::NamedBarriers,
    config::CoreParams,
    decode::Controls,
    issue_partitions::IssuePartition,
    ports::*,
    units::{PlacedUnit, UNITS, UnitBeat},
};
use hdl::Bundle;
use program::isa::Opcode;

/// What the barriers get of a part, and the outcomes that it reads.
pub(super) fn to_barriers<'m>(part: &IssuePartition<'m>, barriers: NamedBarriers<'m>, own: &CoreParams) {
    let IssuePartition { number, front, operand, .. } = *part;
    let (issue, executing, operands) = (front.issue(), operand.executing(), operand.operands());
    let (issued, control) = (Controls::unpack(issue.control, own), Controls::unpack(executing.control, own));
    let arrival = BarrierBeat {
        step: issue.valid & front.beat().is_zero() & issued.barrier,
        step_warp: issue.warp,
        valid: executing.valid & control.barrier,
        last: executing.beat.eq(u64::from(own.beats() - 1)),
        warp: executing.warp,
        waits: control.opcode.eq(Opcode::Bar as u64),
        active: executing.active,
        holds: operands.p,
        words: operands.b,
    };
    barriers.arrive(number, arrival);
    barriers.issue_warp(number, issue.warp);
    operand.issue_barrier_sum(barriers.issue_sum(number));
}

/// What a unit beside the lanes gets, behind the operands of its part.
pub(super) fn to_unit<'m>(own: &CoreParams, part: &IssuePartition<'m>, u: usize, placed: PlacedUnit<'m>) {
    let IssuePartition { front, operand, .. } = *part;
    let (m, unit) = (front.0.builder(), UNITS.rows()[u]);
    m.comment(unit.about());
    let issue = front.issue();
    let first = issue.valid & front.beat().is_zero();
    let issued = Controls::unpack(issue.control, own);
    let no = m.lit(1, 0);
    let reserves = match unit.bits().reserves {
        Some((_, half)) => issued.opcode.eq(half as u64),
        None => issued.units[u][0].unwrap_or(no),
    };
    placed.reserve(first & reserves);
    let executing = operand.executing();
    let control = Controls::unpack(executing.control, own);
    let [issues, writes] = control.units[u].map(|bit| bit.unwrap_or(no));
    let Executing { warp, beat, active, .. } = executing;
    let Controls { opcode, d: destination, negate, .. } = control;
    let valid = executing.valid & issues;
    let Operands { a, b, c, .. } = operand.operands();
    let beat = UnitBeat { valid, writes, opcode, warp, destination, negate, beat, active, a, b, c };
    unit.connect(&beat, placed.0);
}
