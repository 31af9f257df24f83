//! Input unit: takes the flits of one channel, keeps them by virtual channel, and asks for what they need.
//!
//! ```text
//!                      +----------------------------------------------------+
//!  in_valid, ... ----->| channel register --> arrived_dest ... to route unit |
//!  route (K, 2K ..) -->|   |  RC                                             |
//!                      |   v                    per-VC state                 |
//!                      | flit buffer      idle -> waiting -> active          |-> va_request (K * V): [output][VC]
//!  va_grant (V*K*C) -->|   |                RC      VA        SA             |
//!  available (K * V) ->|   |                                                 |-> sa_request (K)
//!  sa_grant (K) ------>|   v                                                 |-> send_vc (V), send_tail: granted just now
//!                      | traversal register -------------------------------->|-> st_select (K), st_control, st_payload
//!  in_credit (V) <-----| credit register                                     |
//!                      +----------------------------------------------------+
//! ```
//!
//! `K` outputs are within reach of this input, each of the `C` VCs of a class ([`VcSets`]). Pipeline of a head flit
//! that finds an empty, idle VC, in channel register at t: RC t, VA t + 1, SA t + 2, in the traversal register (ST) at
//! t + 3. A body flit of an active VC may win the switch straight from the channel register. A VC holds the state of
//! one packet: the next packet's RC follows the cycle in which the previous tail won the switch. The route was computed
//! as the head came in and waits beside the flit, so one route unit serves all VCs. A VC without credit does not ask
//! for the switch. One credit goes back for each flit that won the switch, in the cycle after. After reset all VCs are
//! idle and empty.
//!
//! Stages that are merged share a cycle ([`StageMerges`]). SA+ST: a flit that wins the switch goes through the crossbar
//! at once and `st_*` are wires. RC+VA: a VC asks for an output VC in the cycle in which it takes its route. VA+SA: a
//! VC that is granted an output VC asks for the switch in the same cycle.
//!
//! With a turn-around of 0 the next packet's RC takes place in the cycle in which the previous tail wins the switch:
//! the buffer shows the route of the flit behind the one that leaves, or the head that comes in behind an only one
//! starts. The winner of the switch so selects a row of the route memory, as it does of the flit memories.
//!
//! Where VCs are reallocated with the tail ([`VcReallocation`](super::VcReallocation)) the packet behind a tail also
//! asks for its output VC in that cycle, if it is in the buffer: then its route has been computed. A head that comes
//! in then has its RC, and asks as usual. `va_*` follow `sa_grant` in the same cycle.
//!
//! With an input speedup of `S` the input has `S` switch inputs ([`InputPort`]): the VCs are in groups by `VC mod S`,
//! each with a buffer, an arbiter and a row of the switch of its own: `sa_*`, `send_*` and `st_*` have a part for each,
//! the first least significant.
//!
//! With `L` VC links the input has `L` channels (`in_link<l>_*`, each with its credits) and as many registers and route
//! units; link `l` has the VCs `v` with `v mod L = l`, so up to `L` flits come in a cycle. Each buffer is written by
//! one link and read by one switch input.
//!
//! Where packets may change their routing class ([`HopRule::class_transition`]), `route` is `{cross, route}` of the
//! route unit, `va_cross` and `va_cross_grant` ask for and get VCs of the next routing class, and the class of a flit
//! of such a VC changes as it leaves. With more than two routing classes the same goes for `cross2`, two classes up,
//! and so on.
//!
//! Among the VCs that want the output which the switch allocator gave to this input, a round-robin arbiter chooses.
//!
//! Where packets have a priority ([`InputPort::priority`]) `va_high` (V) tells the VCs whose packet has one as it
//! arrives, `sa_high` (K) the requests for the switch of such VCs; with the route the priority goes down by one.
//! `va_length` (V * L) tells the lengths of packets, where the router gives VCs to packets that fit whole. Both are
//! kept with the route.
//!
//! Where the routing looks at loads, `waits` (K * W) tells how many packets wait for a VC of each output.
//!
//! Never: a packet starts without a head flit, a flit comes for a full buffer, two stored packets start at once
//! (asserted).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 16.1 to 16.4;
//! timing as in BookSim 2 with one cycle a stage and no speculation. Testbench: `testbenches/input_unit/`; tests:
//! `tests/noc/`.
//!
//! [`VcSets`]: super::VcSets
//! [`InputPort`]: super::InputPort
//! [`InputPort::priority`]: super::InputPort::priority
//! [`HopRule::class_transition`]: super::routing::HopRule::class_transition

mod context;
mod params;
mod ports;
mod stages;
mod storage;
mod switch_request;
mod switch_traversal;
mod transitions;
mod vc_allocation;
mod vc_groups;
mod vc_state;

use blocks::{at_most_one, popcount};
use context::InputUnitContext;
use hdl::{Builder, Module, params, row, statistics};
pub use params::InputUnitParams;
pub(super) use ports::{ArrivedHead, InputUnit, Link};
pub use stages::StageMerges;
use storage::{Arrivals, Storage};
use switch_request::SwitchRequest;
use switch_traversal::switch_traversal;
use vc_allocation::VcAllocation;
use vc_groups::VcGroups;
use vc_state::VcState;

statistics! {
    "input_unit" {
        /// Cycles in which a head requests a virtual channel and gets none.
        VC_ALLOCATION_STALL_CYCLES: vc_allocation_stall_cycles in "cycles";
        /// Cycles in which a flit could traverse the crossbar and none of the port does.
        SWITCH_ALLOCATION_STALL_CYCLES: switch_allocation_stall_cycles in "cycles";
        /// Cycles in which a flit has a virtual channel of an output and no place behind it.
        CREDIT_STALL_CYCLES: credit_stall_cycles in "cycles";
        /// Switch inputs used, in cycles in which a flit could traverse the crossbar; of ports with several.
        SWITCH_INPUTS_USED: switch_inputs_used in "switch inputs";
    }
}

/// An input unit; see the [module documentation](self).
pub fn input_unit(p: InputUnitParams) -> Module {
    let m = Builder::new(
        "input_unit",
        params! { outputs: p.outputs, vcs: p.format.vcs, depth: p.depths.of(0), width: p.format.width }.and(&p),
    );
    m.doc("Channel register, flit buffers, state of the virtual channels, credit return.");
    let u = InputUnitContext::new(&m, &p);
    let arrivals = Arrivals::new(&u);
    let storage = Storage::new(&u, p.depths);
    let state = VcState::new(&u, &arrivals, &storage);
    let va = VcAllocation::new(&u, &state);
    let sa = SwitchRequest::new(&u, p.arbiter, (&arrivals, &storage), (&state, &va));

    if u.rule.reads_loads() {
        u.io.waits(state.waits(&u));
    }
    if let Some(high) = state.high(&u) {
        u.io.va_high(high);
    }
    if u.format.length_bits > 0 {
        u.io.va_length(state.lengths(&u));
    }
    let (pop, tails) = (sa.pop(&u), sa.tails(&u));
    let done = m.wire("done", pop & u.switch_inputs.spread(tails.iter().copied()));
    state.turn(&u, &arrivals, &storage, done);
    state.advance(&u, &va, sa.sending, done);
    switch_traversal(&u, &sa, &va, &tails);
    let credit = m.delayed("credit", pop);
    for link in Link::all(u.links.count) {
        let own = u.links.alone(u.links.part(credit, link.number), link.number);
        u.io.flit(link).answer().shows(own);
    }

    checks(&u, &arrivals, &state, &va, &sa);
    let any_pop = sa.winners.iter().map(|winner| winner.any).reduce(|a, b| a | b).expect("there is a switch input");
    m.count(VC_ALLOCATION_STALL_CYCLES, (va.asking & !va.granted).any());
    m.count(SWITCH_ALLOCATION_STALL_CYCLES, sa.ready.any() & !any_pop);
    m.count(CREDIT_STALL_CYCLES, (sa.sending & (storage.occupied | arrivals.arriving) & !sa.ready).any());
    if u.switch_inputs.count > 1 {
        m.histogram(SWITCH_INPUTS_USED, sa.ready.any(), popcount(row(sa.winners.iter().map(|winner| winner.any))));
    }
    m.finish()
}

/// What must never happen.
fn checks<'m>(
    u: &InputUnitContext<'m>,
    arrivals: &Arrivals<'m>,
    state: &VcState<'m>,
    va: &VcAllocation<'m>,
    sa: &SwitchRequest<'m>,
) {
    let InputUnitContext { m, buffers, links, switch_inputs, .. } = *u;
    let name = |groups: VcGroups, claim: &str, at| match groups.count {
        1 => claim.to_string(),
        _ => format!("{claim} ({} {at})", groups.label),
    };
    for (l, flit) in arrivals.flits.iter().enumerate() {
        let none = links.part(state.start_arrived, l).is_zero();
        m.always(&name(links, "a packet starts with a head flit", l), none | flit.head);
    }
    for b in buffers.each() {
        let starts = at_most_one(buffers.part(state.start_stored, b));
        m.always(&name(buffers, "at most one stored packet starts", b), starts);
    }
    for (s, winner) in sa.winners.iter().enumerate() {
        let agree = winner.any.eq(winner.grant.any());
        m.always(&name(switch_inputs, "the switch is granted to a VC that asked", s), agree);
    }
    m.always("a VC is granted while it waits", (va.granted & !va.asking).is_zero());
}
