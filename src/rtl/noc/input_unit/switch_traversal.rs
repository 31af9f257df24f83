//! Switch traversal (ST): the flits that won the switch, in registers before the crossbar, or at once where SA and ST
//! are merged.

use super::{context::InputUnitContext, switch_request::SwitchRequest, vc_allocation::VcAllocation};
use crate::channel::{Carried, Control};
use blocks::one_hot_index;
use hdl::{Bundle, Signal, row};

/// Tells the output units which VC sends, and shows its flit to the crossbar. `tails`: by switch input.
pub(super) fn switch_traversal<'m>(
    u: &InputUnitContext<'m>,
    sa: &SwitchRequest<'m>,
    va: &VcAllocation<'m>,
    tails: &[Signal<'m>],
) {
    let InputUnitContext { m, switch_inputs, transitions, merges, .. } = *u;
    let winners = &sa.winners;
    let popped: Vec<_> = switch_inputs.each().map(|s| switch_inputs.alone(winners[s].pop, s)).collect();
    let send_vc = |s: usize| {
        let vc = transitions.output_vc(popped[s], &va.owned, &va.changing);
        m.wire(switch_inputs.name("sending_vc", s), vc)
    };
    let send_vcs: Vec<_> = switch_inputs.each().map(send_vc).collect();
    u.io.send_vc(row(send_vcs.iter().copied()));
    u.io.send_tail(row(tails.iter().copied()));

    if !merges.sa_st() {
        m.comment("ST: the flit waits one cycle for the crossbar.");
    }
    let selects = winners.iter().enumerate().map(|(s, winner)| match merges.sa_st() {
        true => winner.grant,
        false => m.delayed(switch_inputs.name("traversal_select", s), winner.grant),
    });
    u.io.st_select(row(selects));
    let flits = winners.iter().enumerate().map(|(s, winner)| {
        let carried = match &va.changing[..] {
            [] => winner.front,
            changing => {
                let flit = Carried::unpack(winner.front, &u.format);
                Carried { route_class: transitions.class_after(flit.route_class, popped[s], changing), ..flit }.pack()
            }
        };
        let control = Control { vc: one_hot_index(send_vcs[s]), carried }.pack();
        if merges.sa_st() {
            return (control, winner.payload);
        }
        (
            m.captured(switch_inputs.name("traversal_control", s), winner.any, control),
            m.captured(switch_inputs.name("traversal_payload", s), winner.any, winner.payload),
        )
    });
    let flits: Vec<_> = flits.collect();
    u.io.st_control(row(flits.iter().map(|flit| flit.0)));
    u.io.st_payload(row(flits.iter().map(|flit| flit.1)));
}
