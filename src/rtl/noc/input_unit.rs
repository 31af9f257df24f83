//! Input unit: takes the flits of one channel, keeps them by virtual channel, and asks for what they need.
//!
//! ```text
//!                      +----------------------------------------------------+
//!  in_valid, ... ----->| channel register --> arrived_dest ... to route unit |
//!  route (K or 2K) --->|   |  RC                                             |
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
//! With a shallower [`Pipeline`] stages share a cycle: with 3, a flit that wins the switch goes through the crossbar at once and `st_*`
//! are wires; with 2, a VC asks for an output VC in the cycle in which it takes its route; with 1, a VC that is granted an output VC asks
//! for the switch in the same cycle.
//!
//! With a turn-around of 0 the next packet's RC takes place in the cycle in which the previous tail wins the switch: the buffer shows the
//! route of the flit behind the one that leaves, or the head that comes in behind an only one starts. The winner of the switch so selects a
//! row of the route memory, as it does of the flit memories.
//!
//! With an input speedup `S` of 2 the VCs are in banks by `VC mod 2`, each with a buffer, an arbiter and a column of the crossbar of
//! its own: `sa_*`, `send_*` and `st_*` have a part for each bank, the first least significant.
//!
//! Where packets may cross from one phase to the other ([`HopRule::crossing`]), `route` is `{cross, route}` of the route unit, `va_cross`
//! and `va_cross_grant` ask for and get VCs of the other phase's class, and the phase bit of a flit of such a VC changes as it leaves.
//!
//! Among the VCs that want the output which the switch allocator gave to this input, a round-robin arbiter chooses.
//!
//! Never: a packet starts without a head flit, a flit comes for a full buffer, two stored packets start at once (asserted).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 16.1 to 16.4; timing as in
//! BookSim 2 with one cycle a stage and no speculation. Tests: `tests/noc/`.

use super::{
    allocator::{Bit, join},
    channel::{Carried, Control, Flit, FlitFormat},
    flit_buffer::{FlitBufferParams, chosen, flit_buffer},
    routing::{Crossing, HopRule},
    vc_allocator::crossing_vcs,
};
use crate::blocks::{ArbiterKind, any_of, arbitrate, at_most_one, index_one_hot, one_hot_index, or_all};
use hdl::{Builder, Bundle, Module, PortName, Signal, concat, mux, params, row, statistics};

statistics! {
    "input_unit" {
        /// Cycles in which a head asks for a virtual channel and gets none.
        VC_ALLOCATION_STALLS: vc_allocation_stalls in "cycles";
        /// Cycles in which a flit could traverse the crossbar and none of the port does.
        SWITCH_ALLOCATION_STALLS: switch_allocation_stalls in "cycles";
    }
}

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
    /// What the router does with a head.
    pub rule: HopRule,
    /// The route unit is told about arriving heads.
    pub reads_arrival: bool,
    /// Arbiter among the VCs of this input.
    pub arbiter: ArbiterKind,
    /// Which stages share a cycle.
    pub pipeline: Pipeline,
    /// Flits that may leave in one cycle, 1 or 2; divides the VCs.
    pub speedup: u32,
    /// Cycles from the one in which a tail wins the switch to the RC of the packet behind it, 0 or 1; 0 needs stages that do not ask at once.
    pub turnaround: u32,
}

/// The stages that share a cycle, by the pipeline's depth: 4 (RC, VA, SA, ST) to 1 (all in one).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pipeline(pub u32);

impl Pipeline {
    /// SA and ST: no register before the crossbar.
    pub fn traverses_at_once(self) -> bool {
        self.0 <= 3
    }

    /// RC and VA.
    pub fn asks_at_once(self) -> bool {
        self.0 <= 2
    }

    /// VA and SA.
    pub fn sends_at_once(self) -> bool {
        self.0 <= 1
    }
}

/// An input unit; see the [module documentation](self).
pub fn input_unit(p: InputUnitParams) -> Module {
    let InputUnitParams { outputs, format, depth, classes, .. } = p;
    let FlitFormat { vcs, width, node_bits, tag_bits, .. } = format;
    let (crossing, chooses) = (p.rule.crossing(), p.rule.chooses());
    let mut names = params! {
        outputs, vcs, depth, width, classes, node_bits, tag_bits,
        phase: u32::from(p.rule.reads_phase()), heads: u32::from(p.reads_arrival), i: p.arbiter.policy().key()
    };
    names.extend(crossing.key().map(|key| ("crosses".into(), key.into())));
    names.extend(chooses.then(|| ("chooses".into(), "1".into())));
    names.extend(others(p.pipeline, p.speedup, p.turnaround));
    let m = Builder::new("input_unit", format.named(names));
    m.doc("Channel register, flit buffers, state of the virtual channels, credit return.");

    let arrived = Flit::inputs(&m, "in", &format).registered(&m, "arrived", &format);
    let arriving = m.wire("arriving_vc", index_one_hot(arrived.vc, vcs) & arrived.valid.repeat(vcs));
    m.output_of("arrived_dest", arrived.dest);
    if p.rule.reads_phase() {
        m.output_of("arrived_yx", arrived.yx);
    }
    if let Some(via) = arrived.via {
        m.output_of("arrived_via", via);
    }
    if p.reads_arrival {
        m.output_of("arrived_head", arrived.valid & arrived.head);
    }
    let phases = Phases { vcs, classes, crossing };
    let route_bits = outputs * if crossing == Crossing::Never { 1 } else { 2 };
    let route = m.input("route", route_bits);

    let turns = p.turnaround == 0;
    let banks = Banks { vcs, banks: p.speedup };
    let buffer = flit_buffer(FlitBufferParams {
        vcs: vcs / p.speedup,
        depth,
        carried: format.carried_bits(),
        width,
        route: route_bits,
        behind: turns,
    });
    let buffers: Vec<_> = banks.each().map(|b| m.instance(banks.name("flit_buffer", b), &buffer)).collect();
    let occupied = banks.merge(buffers.iter().map(|buffer| buffer.get("occupied")));

    m.comment("RC: an idle VC whose oldest flit is here takes its route.");
    let (waiting, active) = (m.register("waiting_vcs", vcs, 0), m.register("active_vcs", vcs, 0));
    let idle = m.wire("idle", !(waiting | active));
    // With a turn-around of 0 a stored packet starts as the tail before it leaves, so none is left to an idle VC.
    let turning = turns.then(|| [m.wire_later("turns_to_stored", vcs), m.wire_later("turns_to_arrived", vcs)]);
    let start_stored = m.wire("start_stored", turning.map_or(idle & occupied, |[stored, _]| stored));
    let first = idle & !occupied & arriving;
    let start_arrived = m.wire("start_arrived", turning.map_or(first, |[_, arrived]| first | arrived));
    let exposed: Vec<_> = (banks.each().zip(&buffers))
        .map(|(b, buffer)| {
            buffer.drive("expose", banks.part(start_stored, b));
            buffer.get("exposed_route")
        })
        .collect();
    let start = m.wire("start", start_stored | start_arrived);
    let stored_to = |k: u32| start_stored & banks.spread(exposed.iter().map(|route| route.bit(k)));
    let routes: Vec<_> = (0..outputs)
        .map(|k| {
            let to = m.register(("to_output", k), vcs, 0);
            let next = (to & !start) | stored_to(k) | (start_arrived & route.bit(k).repeat(vcs));
            let next = if p.pipeline.asks_at_once() { m.wire(("now_to_output", k), next) } else { next };
            m.set(to, next);
            if p.pipeline.asks_at_once() { next } else { to }
        })
        .collect();
    let cross_routes: Vec<_> = (outputs..route_bits)
        .map(|k| {
            let to = m.register(("cross_to_output", k - outputs), phases.count(), 0);
            let arrived = start_arrived & route.bit(k).repeat(vcs);
            let next = (to & !phases.of(start)) | phases.of(stored_to(k) | arrived);
            let now = ("cross_now_to_output", k - outputs);
            let next = if p.pipeline.asks_at_once() { m.wire(now, next) } else { next };
            m.set(to, next);
            if p.pipeline.asks_at_once() { next } else { to }
        })
        .collect();

    m.comment("VA: a waiting VC asks for a VC of its output until it owns one.");
    let asking = if p.pipeline.asks_at_once() { m.wire("asking", waiting | start) } else { waiting };
    m.output_of("va_request", row(routes.iter().map(|to| *to & asking)));
    let group = vcs / classes;
    let mut va_grant = m.input("va_grant", vcs * outputs * group).parts(outputs * group);
    let crossed = (crossing != Crossing::Never).then(|| {
        m.output_of("va_cross", row(cross_routes.iter().map(|to| *to & phases.of(asking))));
        let grants = m.input("va_cross_grant", phases.count() * outputs * group).parts(outputs * group);
        let now = m.wire("cross_granted", row(grants.iter().map(|g| g.any())));
        let granted = phases.of(row(va_grant.iter().map(|g| g.any())));
        crossing_vcs(vcs, classes, crossing)
            .iter()
            .zip(grants)
            .for_each(|(&v, grant)| va_grant[v as usize] = va_grant[v as usize] | grant);
        let crossed = m.register("crossed_vcs", phases.count(), 0);
        let next = (crossed & !granted) | now;
        let next = if p.pipeline.sends_at_once() { m.wire("crossed_now", next) } else { next };
        m.set(crossed, next);
        if p.pipeline.sends_at_once() { next } else { crossed }
    });
    let granted = m.wire("granted", row(va_grant.iter().map(|g| g.any())));
    let owned: Vec<_> = (va_grant.iter().enumerate())
        .map(|(v, grant)| {
            let owned = m.register(("owned_by_vc", v), outputs * group, 0);
            m.when(granted.bit(v as u32), || m.set(owned, *grant));
            match p.pipeline.sends_at_once() {
                true => m.wire(("owned_now_by_vc", v), mux(granted.bit(v as u32), *grant, owned)),
                false => owned,
            }
        })
        .collect();

    m.comment("SA: an active VC with a flit and a credit asks for its output.");
    let available = m.input("available", outputs * vcs).parts(vcs);
    let class_available: Vec<_> = (0..classes)
        .map(|c| m.wire(("available_class", c), row(available.iter().map(|a| a.bits(c * group, group)))))
        .collect();
    let available_to = |v: usize| {
        let class = v / group as usize;
        match (crossed, phases.place(v as u32)) {
            (Some(crossed), Some(at)) => mux(crossed.bit(at), class_available[class ^ 1], class_available[class]),
            _ => class_available[class],
        }
    };
    let credit = row(owned.iter().enumerate().map(|(v, o)| (*o & available_to(v)).any()));
    let sending = if p.pipeline.sends_at_once() { m.wire("sending", active | granted) } else { active };
    let ready = m.wire("ready", sending & (occupied | arriving) & credit);
    let towards: Vec<_> = (0..outputs as usize)
        .map(|k| match (chooses, cross_routes.get(k)) {
            // Which of several outputs it is, is known from the VC that was granted.
            (true, _) => row(owned.iter().map(|o| o.bits(k as u32 * group, group).any())),
            (false, Some(cross)) => routes[k] | phases.spread(*cross),
            (false, None) => routes[k],
        })
        .collect();
    let sa_grants = banks.requests(&m, outputs, |b| row(towards.iter().map(|to| banks.part(*to & ready, b).any())));
    let leaving: Vec<_> = banks
        .each()
        .map(|b| {
            let name = |name: &str| banks.name(name, b);
            let (sa_grant, buffer) = (sa_grants[b], &buffers[b]);
            let of_output: Vec<_> = towards
                .iter()
                .zip(sa_grant.to_bits())
                .map(|(to, g)| banks.part(*to, b) & g.repeat(banks.size()))
                .collect();
            let eligible = m.wire(name("eligible"), banks.part(ready, b) & or_all(&of_output));
            let pop = m.wire(name("pop"), arbitrate(&m, name("vc_arbiter"), p.arbiter, eligible, m.lit(1, 1)));
            let any_pop = m.wire(name("any_pop"), pop.any());

            let stored = m.wire(name("pop_stored"), pop & banks.part(occupied, b));
            let bypass = m.wire(name("bypass"), any_pop & stored.is_zero());
            buffer.drive("push", banks.part(arriving, b) & !bypass.repeat(banks.size()));
            buffer.drive("carried", arrived.carried().pack());
            buffer.drive("payload", arrived.payload);
            buffer.drive("route", route);
            buffer.drive("select", stored);
            buffer.drive("pop", stored);
            let front = mux(bypass, arrived.carried().pack(), buffer.get("front_carried")).named(name("front"));
            let payload = mux(bypass, arrived.payload, buffer.get("front_payload"));
            Leaving { grant: sa_grant, pop, any: any_pop, front, payload }
        })
        .collect();
    let pop = banks.merge(leaving.iter().map(|leaving| leaving.pop));
    let tails: Vec<_> = leaving.iter().map(|leaving| Carried::unpack(leaving.front, &format).tail).collect();

    let done = m.wire("done", pop & banks.spread(tails.iter().copied()));
    if let Some([stored, arrived]) = turning {
        let emptied = banks.merge(buffers.iter().map(|buffer| buffer.get("emptied")));
        m.assign(stored, done & occupied & !emptied);
        m.assign(arrived, done & emptied & arriving);
        m.always("no packet waits at an idle VC", (idle & occupied).is_zero());
    }
    match (p.pipeline.asks_at_once(), p.pipeline.sends_at_once()) {
        (false, _) => m.set(waiting, (waiting & !granted) | start),
        (true, _) => m.set(waiting, asking & !granted),
    }
    match p.pipeline.sends_at_once() {
        false => m.set(active, (active & !done) | granted),
        true => m.set(active, sending & !done),
    }

    let popped: Vec<_> = leaving.iter().enumerate().map(|(b, leaving)| banks.alone(leaving.pop, b)).collect();
    let send_vcs: Vec<_> = (popped.iter().enumerate())
        .map(|(b, &pop)| {
            let vc = output_vc(pop, &owned, crossed.map(|f| phases.spread(f)), classes, crossing);
            m.wire(banks.name("sending_vc", b), vc)
        })
        .collect();
    m.output_of("send_vc", row(send_vcs.iter().copied()));
    m.output_of("send_tail", row(tails.iter().copied()));

    let now = p.pipeline.traverses_at_once();
    if !now {
        m.comment("ST: the flit waits one cycle for the crossbar.");
    }
    let selects = leaving.iter().enumerate().map(|(b, leaving)| match now {
        true => leaving.grant,
        false => m.delayed(banks.name("traversal_select", b), leaving.grant),
    });
    m.output_of("st_select", row(selects));
    let flits: Vec<_> = (leaving.iter().enumerate())
        .map(|(b, leaving)| {
            let carried = match crossed {
                None => leaving.front,
                Some(crossed) => {
                    let flit = Carried::unpack(leaving.front, &format);
                    let changes = (phases.of(popped[b]) & crossed).any();
                    let yx = if crossing == Crossing::Down { flit.yx & !changes } else { flit.yx ^ changes };
                    Carried { yx, ..flit }.pack()
                }
            };
            let control = Control { vc: one_hot_index(send_vcs[b]), carried }.pack();
            if now {
                return (control, leaving.payload);
            }
            (
                m.captured(banks.name("traversal_control", b), leaving.any, control),
                m.captured(banks.name("traversal_payload", b), leaving.any, leaving.payload),
            )
        })
        .collect();
    m.output_of("st_control", row(flits.iter().map(|flit| flit.0)));
    m.output_of("st_payload", row(flits.iter().map(|flit| flit.1)));
    m.output_of("in_credit", m.delayed("credit", pop));

    m.always("a packet starts with a head flit", start_arrived.is_zero() | arrived.head);
    for (b, leaving) in leaving.iter().enumerate() {
        let name = |claim: &str| if banks.banks == 1 { claim.into() } else { format!("{claim} (bank {b})") };
        m.always(&name("at most one stored packet starts"), at_most_one(banks.part(start_stored, b)));
        m.always(&name("the switch is granted to a VC that asked"), leaving.any.eq(leaving.grant.any()));
    }
    m.always("a VC is granted while it waits", (granted & !asking).is_zero());
    let any_pop = leaving.iter().map(|leaving| leaving.any).reduce(|a, b| a | b).expect("there is a bank");
    m.count(VC_ALLOCATION_STALLS, (asking & !granted).any());
    m.count(SWITCH_ALLOCATION_STALLS, ready.any() & !any_pop);
    m.finish()
}

/// What pipeline and speedup add to the name of a module, where they are not the usual.
pub(super) fn others(pipeline: Pipeline, speedup: u32, turnaround: u32) -> Vec<(String, String)> {
    let usual = [("stages", pipeline.0, 4), ("speedup", speedup, 1), ("turnaround", turnaround, 1)];
    usual.into_iter().filter(|(_, is, usual)| is != usual).map(|(name, is, _)| (name.into(), is.to_string())).collect()
}

/// A flit of one bank that wins the switch.
struct Leaving<'m> {
    /// Output granted to the bank.
    grant: Signal<'m>,
    /// Its VC, of those of the bank.
    pop: Signal<'m>,
    any: Signal<'m>,
    front: Signal<'m>,
    payload: Signal<'m>,
}

/// The VCs by bank: VC v is in bank `v mod banks`, at place `v / banks`.
#[derive(Clone, Copy)]
struct Banks {
    vcs: u32,
    banks: u32,
}

impl Banks {
    fn each(self) -> std::ops::Range<usize> {
        0..self.banks as usize
    }

    /// VCs of a bank.
    fn size(self) -> u32 {
        self.vcs / self.banks
    }

    fn name(self, name: &str, bank: usize) -> String {
        if self.banks == 1 { name.into() } else { (name, "bank", bank).text() }
    }

    /// The bits of one bank in a word with a bit for each VC.
    fn part(self, word: Signal<'_>, bank: usize) -> Signal<'_> {
        if self.banks == 1 {
            return word;
        }
        join((0..self.size()).map(|at| Bit { word, at: at * self.banks + bank as u32 }))
    }

    /// The other way: a word with a bit for each VC from one for each bank.
    fn merge<'m>(self, parts: impl Iterator<Item = Signal<'m>>) -> Signal<'m> {
        let parts: Vec<_> = parts.collect();
        if let [one] = parts[..] {
            return one;
        }
        join((0..self.vcs).map(|v| Bit { word: parts[(v % self.banks) as usize], at: v / self.banks }))
    }

    /// A bit of each bank for all its VCs.
    fn spread<'m>(self, bits: impl Iterator<Item = Signal<'m>>) -> Signal<'m> {
        self.merge(bits.map(|bit| bit.repeat(self.size())))
    }

    /// A word with a bit for each VC that is zero for other banks.
    fn alone(self, part: Signal<'_>, bank: usize) -> Signal<'_> {
        let none = part.builder().lit(part.width(), 0);
        self.merge(self.each().map(|b| if b == bank { part } else { none }))
    }

    /// The request of each bank as one output, the grants to them.
    fn requests<'m>(self, m: &'m Builder, outputs: u32, request: impl Fn(usize) -> Signal<'m>) -> Vec<Signal<'m>> {
        m.output_of("sa_request", row(self.each().map(request)));
        m.input("sa_grant", outputs * self.banks).parts(outputs)
    }
}

/// The VCs from which packets may cross to the other phase: none, those of phase 1 (the odd classes), or all.
#[derive(Clone, Copy)]
struct Phases {
    vcs: u32,
    classes: u32,
    crossing: Crossing,
}

impl Phases {
    /// How many there are.
    fn count(self) -> u32 {
        crossing_vcs(self.vcs, self.classes, self.crossing).len() as u32
    }

    /// The place of a VC among them.
    fn place(self, vc: u32) -> Option<u32> {
        let vcs = crossing_vcs(self.vcs, self.classes, self.crossing);
        vcs.iter().position(|v| *v == vc).map(|at| at as u32)
    }

    /// Their bits of a word with a bit for each VC.
    fn of(self, word: Signal<'_>) -> Signal<'_> {
        let vcs = crossing_vcs(self.vcs, self.classes, self.crossing);
        join(vcs.into_iter().map(|at| Bit { word, at }))
    }

    /// The other way: a bit for each VC, zero for the others.
    fn spread(self, word: Signal<'_>) -> Signal<'_> {
        if self.crossing == Crossing::Both {
            return word;
        }
        let group = self.vcs / self.classes;
        let none = word.builder().lit(group, 0);
        let parts = word.parts(group).into_iter().rev().flat_map(|part| [part, none]);
        concat(&parts.collect::<Vec<_>>())
    }
}

/// The output VC (one-hot of all VCs) that the VC in `pop` owns: the class is that of the input VC, or the other phase's for a VC in
/// `crossed`.
fn output_vc<'m>(
    pop: Signal<'m>,
    owned: &[Signal<'m>],
    crossed: Option<Signal<'m>>,
    classes: u32,
    crossing: Crossing,
) -> Signal<'m> {
    let group = pop.width() / classes;
    let of_class = |pop: Signal<'m>, c: u32| {
        let (first, end) = (c * group, (c + 1) * group);
        let own = chosen_or_zero(pop.bits(first, group), &owned[first as usize..end as usize]);
        let by_output = own.parts(group);
        if group == 1 { any_of(&by_output) } else { or_all(&by_output) }
    };
    let classes: Vec<_> = (0..classes)
        .rev()
        .map(|c| match crossed {
            Some(crossed) if crossing == Crossing::Both => of_class(pop & !crossed, c) | of_class(pop & crossed, c ^ 1),
            Some(crossed) if c % 2 == 0 => of_class(pop, c) | of_class(pop & crossed, c + 1),
            Some(crossed) => of_class(pop & !crossed, c),
            None => of_class(pop, c),
        })
        .collect();
    concat(&classes)
}

/// The item selected, or zero, even where there is only one item.
fn chosen_or_zero<'m>(which: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    if let [one] = items { *one & which.repeat(one.width()) } else { chosen(which, items) }
}
