//! Input unit: takes the flits of one channel, keeps them by virtual channel, and asks for what they need.
//!
//! ```text
//!                      +----------------------------------------------------+
//!  in_valid, ... ----->| channel register --> arrived_dest ... to route unit |
//!  route (K) --------->|   |  RC                                             |
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
//! `K` outputs are within reach of this input, `C = V / classes`. Pipeline of a head flit that finds an empty, idle VC, in channel
//! register at t: RC t, VA t + 1, SA t + 2, in the traversal register (ST) at t + 3. A body flit of an active VC may win the switch
//! straight from the channel register. A VC holds the state of one packet: the next packet's RC follows the cycle in which the
//! previous tail won the switch. The route was computed as the head came in and waits beside the flit, so one route unit serves
//! all VCs. A VC without credit does not ask for the switch. One credit goes back for each flit that won the switch, in the cycle
//! after. After reset all VCs are idle and empty.
//!
//! Among the VCs that want the output which the switch allocator gave to this input, a round-robin arbiter chooses.
//!
//! Never: a packet starts without a head flit, a flit comes for a full buffer, two stored packets start at once (asserted).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 16.1 to 16.4; timing as in
//! BookSim 2 with one cycle a stage and no speculation. Tests: `tests/noc/`.

use super::{
    allocator::{arbiter_key, gather},
    channel::{Carried, FlitFormat, channel_register},
    flit_buffer::{FlitBufferParams, chosen, flit_buffer},
};
use crate::{
    blocks::{ArbiterKind, any_of, arbitrate, at_most_one, index_one_hot, one_hot_index, or_all},
    hdl::{Builder, Module, Signal, concat, mux},
    params,
};

/// Parameters of an [`input_unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputUnitParams {
    /// Outputs within reach, 1 and up.
    pub outputs: u32,
    /// The channel.
    pub format: FlitFormat,
    /// Flits that a VC holds, 1 and up.
    pub depth: usize,
    /// VCs are divided equally among so many classes.
    pub classes: u32,
    /// The routing reads the packet's phase.
    pub reads_phase: bool,
    /// The route unit is told about arriving heads.
    pub reads_arrival: bool,
    /// Arbiter among the VCs of this input.
    pub arbiter: ArbiterKind,
}

/// An input unit; see the [module documentation](self).
pub fn input_unit(p: InputUnitParams) -> Module {
    let InputUnitParams { outputs, format, depth, classes, .. } = p;
    let FlitFormat { vcs, width, node_bits, tag_bits } = format;
    let m = Builder::new(
        "input_unit",
        params! {
            outputs, vcs, depth, width, classes, node_bits, tag_bits,
            phase: u32::from(p.reads_phase), heads: u32::from(p.reads_arrival), i: arbiter_key(p.arbiter)
        },
    );
    m.doc("Channel register, flit buffers, state of the virtual channels, credit return.");

    let arrived = channel_register(&m, format, "in");
    let arriving = m.wire("arriving_vc", index_one_hot(arrived.vc, vcs) & arrived.valid.repeat(vcs));
    m.output_of("arrived_dest", arrived.carried.dest);
    if p.reads_phase {
        m.output_of("arrived_yx", arrived.carried.yx);
    }
    if p.reads_arrival {
        m.output_of("arrived_head", arrived.valid & arrived.carried.head);
    }
    let route = m.input("route", outputs);

    let buffer = m.instance(
        "flit_buffer",
        &flit_buffer(FlitBufferParams { vcs, depth, carried: format.carried_bits(), width, route: outputs }),
    );
    let occupied = buffer.get("occupied");

    m.comment("RC: an idle VC whose oldest flit is here takes its route.");
    let (waiting, active) = (m.register("waiting_vcs", vcs, 0), m.register("active_vcs", vcs, 0));
    let idle = m.wire("idle", !(waiting | active));
    let start_stored = m.wire("start_stored", idle & occupied);
    let start_arrived = m.wire("start_arrived", idle & !occupied & arriving);
    buffer.drive("expose", start_stored);
    let exposed = buffer.get("exposed_route");
    let start = m.wire("start", start_stored | start_arrived);
    let routes: Vec<_> = (0..outputs)
        .map(|k| {
            let to = m.register(&format!("to_output{k}"), vcs, 0);
            let stored = start_stored & exposed.bit(k).repeat(vcs);
            m.set(to, (to & !start) | stored | (start_arrived & route.bit(k).repeat(vcs)));
            to
        })
        .collect();

    m.comment("VA: a waiting VC asks for a VC of its output until it owns one.");
    m.output_of("va_request", gather(routes.iter().map(|to| *to & waiting)));
    let group = vcs / classes;
    let va_grant = m.input("va_grant", vcs * outputs * group).parts(outputs * group);
    let granted = m.wire("granted", gather(va_grant.iter().map(|g| g.any())));
    let owned: Vec<_> = (va_grant.iter().enumerate())
        .map(|(v, grant)| {
            let owned = m.register(&format!("owned_by_vc{v}"), outputs * group, 0);
            m.when(granted.bit(v as u32), || m.set(owned, *grant));
            owned
        })
        .collect();

    m.comment("SA: an active VC with a flit and a credit asks for its output.");
    let available = m.input("available", outputs * vcs).parts(vcs);
    let class_available: Vec<_> = (0..classes)
        .map(|c| m.wire(&format!("available_class{c}"), gather(available.iter().map(|a| a.bits(c * group, group)))))
        .collect();
    let credit = gather(owned.iter().enumerate().map(|(v, o)| (*o & class_available[v / group as usize]).any()));
    let ready = m.wire("ready", active & (occupied | arriving) & credit);
    m.output_of("sa_request", gather(routes.iter().map(|to| (*to & ready).any())));
    let sa_grant = m.input("sa_grant", outputs);
    let of_output: Vec<_> = routes.iter().zip(sa_grant.to_bits()).map(|(to, g)| *to & g.repeat(vcs)).collect();
    let eligible = m.wire("eligible", ready & or_all(&of_output));
    let pop = m.wire("pop", arbitrate(&m, "vc_arbiter", p.arbiter, eligible, m.lit(1, 1)));
    let any_pop = m.wire("any_pop", pop.any());

    let stored = m.wire("pop_stored", pop & occupied);
    let bypass = m.wire("bypass", any_pop & stored.is_zero());
    buffer.drive("push", arriving & !bypass.repeat(vcs));
    buffer.drive("carried", arrived.carried.pack());
    buffer.drive("payload", arrived.payload);
    buffer.drive("route", route);
    buffer.drive("select", stored);
    buffer.drive("pop", stored);
    let front = mux(bypass, arrived.carried.pack(), buffer.get("front_carried")).named("front");
    let tail = Carried::unpack(format, front).tail;

    let done = m.wire("done", pop & tail.repeat(vcs));
    m.set(waiting, (waiting & !granted) | start);
    m.set(active, (active & !done) | granted);

    let send_vc = m.wire("sending_vc", output_vc(pop, &owned, outputs, classes));
    m.output_of("send_vc", send_vc);
    m.output_of("send_tail", tail);

    m.comment("ST: the flit waits one cycle for the crossbar.");
    m.output_of("st_select", m.delayed("traversal_select", sa_grant));
    let st_control = m.register_payload("traversal_control", format.vc_bits() + format.carried_bits());
    let st_payload = m.register_payload("traversal_payload", width);
    m.when(any_pop, || {
        m.set(st_control, one_hot_index(send_vc).join(front));
        m.set(st_payload, mux(bypass, arrived.payload, buffer.get("front_payload")));
    });
    m.output_of("st_control", st_control);
    m.output_of("st_payload", st_payload);
    m.output_of("in_credit", m.delayed("credit", pop));

    m.always("a packet starts with a head flit", start_arrived.is_zero() | arrived.carried.head);
    m.always("at most one stored packet starts", at_most_one(start_stored));
    m.always("the switch is granted to a VC that asked", any_pop.eq(sa_grant.any()));
    m.always("a VC is granted while it waits", (granted & !waiting).is_zero());
    m.count("vc_allocation_stalls", (waiting & !granted).any());
    m.count("switch_allocation_stalls", ready.any() & !any_pop);
    m.finish()
}

/// The output VC (one-hot of all VCs) that the VC in `pop` owns: the class is that of the input VC.
fn output_vc<'m>(pop: Signal<'m>, owned: &[Signal<'m>], outputs: u32, classes: u32) -> Signal<'m> {
    let group = pop.width() / classes;
    let classes: Vec<_> = (0..classes)
        .rev()
        .map(|c| {
            let own =
                chosen_or_zero(pop.bits(c * group, group), &owned[(c * group) as usize..((c + 1) * group) as usize]);
            let by_output = own.parts(group);
            debug_assert_eq!(by_output.len(), outputs as usize, "one part for each output");
            if group == 1 { any_of(&by_output) } else { or_all(&by_output) }
        })
        .collect();
    concat(&classes)
}

/// The item selected, or zero, even where there is only one item.
fn chosen_or_zero<'m>(which: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    if let [one] = items { *one & which.repeat(one.width()) } else { chosen(which, items) }
}
