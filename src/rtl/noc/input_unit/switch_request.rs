//! Switch allocation (SA) as an input sees it: requests by output, and the VC of each switch input that goes when the
//! switch is granted.
//!
//! ```text
//!   sending, occupied | arriving, available ---> ready (V) ---> sa_request (K), of each switch input
//!   ready by output, sa_grant (K) ---> arbiter ---> pop: the VC whose flit leaves, from its buffer or past it
//! ```

use super::{
    context::InputUnitContext,
    storage::{Arrivals, Storage},
    vc_allocation::VcAllocation,
    vc_state::VcState,
};
use crate::channel::Carried;
use blocks::{ArbiterKind, arbitrate_in, one_hot_mux};
use hdl::{Bundle, Signal, mux, row};

/// The winners of the switch.
pub(super) struct SwitchRequest<'m> {
    /// VCs that own an output VC.
    pub sending: Signal<'m>,
    /// Of these: with a flit and a credit.
    pub ready: Signal<'m>,
    /// By switch input.
    pub winners: Vec<Winner<'m>>,
}

/// What leaves by a switch input.
pub(super) struct Winner<'m> {
    /// Output granted to the switch input.
    pub grant: Signal<'m>,
    /// The VC, of those of the switch input.
    pub pop: Signal<'m>,
    /// There is one.
    pub any: Signal<'m>,
    /// [`Carried`] of the flit.
    pub front: Signal<'m>,
    pub payload: Signal<'m>,
}

impl<'m> SwitchRequest<'m> {
    pub fn new(
        u: &InputUnitContext<'m>,
        arbiter: ArbiterKind,
        (arrivals, storage): (&Arrivals<'m>, &Storage<'m>),
        (state, va): (&VcState<'m>, &VcAllocation<'m>),
    ) -> Self {
        let InputUnitContext { m, switch_inputs, .. } = *u;
        m.comment("SA: an active VC with a flit and a credit asks for its output.");
        let credit = credit(u, va);
        let sending = state.sending(u, va.granted);
        let ready = m.wire("ready", sending & (storage.occupied | arrivals.arriving) & credit);
        let towards = towards(u, state, va);
        // By output: VCs that ask for it.
        let asking = |s| towards.iter().map(|to| switch_inputs.part(*to & ready, s)).collect::<Vec<_>>();
        let request = |s| row(asking(s).iter().map(|asking| asking.any()));
        u.io.sa_request(row(switch_inputs.each().map(request)));
        if let Some(high) = state.high_sent(u) {
            let request = |s| row(towards.iter().map(|to| switch_inputs.part(*to & ready & high, s).any()));
            u.io.sa_high(row(switch_inputs.each().map(request)));
        }
        let grants = u.io.sa_grant().parts(u.outputs);
        let winners = switch_inputs.each().map(|s| {
            let name = |name: &str| switch_inputs.name(name, s);
            // One VC for each output is chosen while the switch is allocated.
            let pop = m.wire(name("pop"), arbitrate_in(m, name("vc_arbiter"), arbiter, &asking(s), grants[s]));
            let any = m.wire(name("any_pop"), pop.any());
            let [front, payload] = read(u, arrivals, storage, s, pop);
            Winner { grant: grants[s], pop, any, front, payload }
        });
        Self { sending, ready, winners: winners.collect() }
    }

    /// VCs whose flit leaves.
    pub fn pop(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        u.switch_inputs.merge(self.winners.iter().map(|winner| winner.pop))
    }

    /// By switch input: what leaves is a tail.
    pub fn tails(&self, u: &InputUnitContext<'m>) -> Vec<Signal<'m>> {
        self.winners.iter().map(|winner| Carried::unpack(winner.front, &u.format).tail).collect()
    }
}

/// VCs with a place behind the output VC that they own.
fn credit<'m>(u: &InputUnitContext<'m>, va: &VcAllocation<'m>) -> Signal<'m> {
    let available = u.io.available().parts(u.vcs);
    let of_class = |c| {
        let first = u.sets.of(c).start;
        u.m.wire(("available_class", c), row(available.iter().map(|a| a.bits(first, u.sets.size(c)))))
    };
    let of_class: Vec<_> = (0..u.sets.classes()).map(of_class).collect();
    let available_to = |v: usize| {
        let class = u.sets.class(v as u32);
        let crossings = u.transitions.crossings().into_iter().zip(&va.changing);
        crossings.fold(of_class[class as usize], |there, (crossing, changing)| match crossing.behind(v as u32) {
            Some((at, class)) => mux(changing.bit(at), of_class[class as usize], there),
            None => there,
        })
    };
    row(va.owned.iter().enumerate().map(|(v, owned)| (*owned & available_to(v)).any()))
}

/// By output: the VCs whose packet goes there.
fn towards<'m>(u: &InputUnitContext<'m>, state: &VcState<'m>, va: &VcAllocation<'m>) -> Vec<Signal<'m>> {
    let to_output = |k: usize| match u.rule.chooses() {
        // Which of several outputs it is, is known from the VC that was granted.
        true => row((0..).zip(&va.owned).map(|(v, owned)| {
            let group = u.class_size(v);
            owned.bits(k as u32 * group, group).any()
        })),
        false => {
            let others = u.transitions.crossings().into_iter().zip(&state.sent_transition_routes);
            others.fold(state.sent_routes[k], |to, (crossing, routes)| to | crossing.spread(routes[k]))
        }
    };
    (0..u.outputs as usize).map(to_output).collect()
}

/// Takes the flit of the VC in `pop` from the buffers of switch input `s`: its control fields and its payload.
fn read<'m>(
    u: &InputUnitContext<'m>,
    arrivals: &Arrivals<'m>,
    storage: &Storage<'m>,
    s: usize,
    pop: Signal<'m>,
) -> [Signal<'m>; 2] {
    let InputUnitContext { m, buffers, switch_inputs, .. } = *u;
    if buffers.count == switch_inputs.count {
        return read_buffer(u, arrivals, storage, s, pop);
    }
    // Several links come together in this switch input.
    let own = buffers.each().filter(|b| b % switch_inputs.count as usize == s);
    let reads = own.map(|b| {
        let pop = m.wire(buffers.name("pop_of", b), buffers.within(switch_inputs, pop, b));
        (pop.any(), read_buffer(u, arrivals, storage, b, pop))
    });
    let (which, reads): (Vec<_>, Vec<_>) = reads.unzip();
    let which = m.wire(switch_inputs.name("popped_buffer", s), row(which));
    [0, 1].map(|field| one_hot_mux(which, &reads.iter().map(|read| read[field]).collect::<Vec<_>>()))
}

/// Takes the flit of the VC in `pop` from buffer `b`, or past it as it arrives.
fn read_buffer<'m>(
    u: &InputUnitContext<'m>,
    arrivals: &Arrivals<'m>,
    storage: &Storage<'m>,
    b: usize,
    pop: Signal<'m>,
) -> [Signal<'m>; 2] {
    let InputUnitContext { m, buffers, .. } = *u;
    let name = |name: &str| buffers.name(name, b);
    let buffer = storage.buffers[b];
    let link = b % u.links.count as usize;
    let (flit, route) = (arrivals.flits[link], arrivals.routes[link]);
    let stored = m.wire(name("pop_stored"), pop & buffers.part(storage.occupied, b));
    let bypass = m.wire(name("bypass"), (pop & !buffers.part(storage.occupied, b)).any());
    buffer.push(buffers.part(arrivals.arriving, b) & !bypass.repeat(buffers.size()));
    buffer.carried(flit.carried().pack());
    buffer.payload(flit.payload);
    buffer.route(route);
    buffer.select(stored);
    buffer.pop(stored);
    let front = mux(bypass, flit.carried().pack(), buffer.front_carried()).named(name("front"));
    let payload = mux(bypass, flit.payload, buffer.front_payload());
    [front, payload]
}
