//! Router: a virtual-channel router of one to four stages made from its connectivity matrix.
//!
//! ```text
//!             +------------+  va_request  +---------------+  free, taken  +-------------+
//!  in_<p>_* ->| input unit |------------->| VC allocator  |<------------->| output unit |-> out_<q>_*
//!             |            |  sa_request  +---------------+               |             |
//!   credit <- |            |------------->| switch alloc. |-------------->|             |<- out_<q>_credit
//!             |            |              +---------------+    sender     |             |
//!             |            |  st_*        +---------------+               |             |
//!             |            |------------->|   crossbar    |-------------->|             |
//!             +------------+              +---------------+               +-------------+
//!                |      ^
//!                v      | route
//!             +------------+
//!             | route unit |<- here_x, here_y
//!             +------------+
//! ```
//!
//! Contract: channels as in `docs/tiles.md`; every output is a register. A head flit on the channel in cycle t that
//! meets no other traffic is on the next channel in t + 5: received t + 1, RC t + 1, VA t + 2, SA t + 3, ST t + 4, link
//! t + 5. With fewer stages it is there sooner (three: SA+ST merged into one cycle; two: RC+VA too; one: all four),
//! with `extra_latency` later: see [`NetworkParams::hop`]. Behind other packets of its VC: [`VcReallocation`]. One flit a cycle and port; an input with several switch
//! inputs ([`InputPort`]) sends one of each, to different outputs, and one with several VC links takes one of each.
//! Terminal ports are ports like any other. Reset: empty, `depth` credits for each VC of each output.
//!
//! With an allocator that chooses at random there is an input `seed` of [`SEED_BITS`](super::allocator::SEED_BITS), tied to a number of its own for
//! each router.
//!
//! Never: what the units forbid. A sender must keep to its credits and to one packet at a time on a VC, and may use a
//! VC only for the class that it belongs to.
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, chapter 16; half-routers
//! and several terminal ports: A. Bakhoda's thesis (2014), sections 5.1 and 5.3. Testbench: `testbenches/router/`;
//! tests: `tests/noc/`.

mod ports;
mod tables;

pub use ports::{InputLink, Router, RouterPorts};

use super::{
    AllocatorParams, Connectivity, FlitFormat, Input, InputPort, NocError, Output, ReplyVcs, Routing, VcDepths, VcSets,
    allocator::{Drawing, DrawingPorts},
    channel::Traversing,
    coordinates::HerePorts,
    crossbar::{Crossbar, FromInput, ToOutput, crossbar},
    input_unit::{ArrivedHead, InputUnit, InputUnitParams, Link, StageMerges, input_unit},
    output_unit::{OutputUnit, OutputUnitParams, WholeVcs, output_unit},
    route_unit::{RouteTables, RouteUnit, RouteUnitParams, route_unit},
    starvation::{StarvationCounter, starvation_counter},
    switch_allocator::{SwitchAllocator, switch_allocator},
    topology::Addressing,
    two_class::{two_class_switch_allocator, two_class_vc_allocator},
    vc_allocator::{VcAllocator, WholePackets, whole_packet_vc_allocator},
    vc_reallocation::VcReallocation,
};
use blocks::ArbiterKind;
use hdl::{Builder, Module, PortName, Signal, index_width, row};
use serde::Serialize;
use tables::{TableInputs, neighbour};

/// What all routers of a network have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct NetworkParams {
    /// Channel: VCs, width, node and tag bits.
    pub format: FlitFormat,
    /// Flits that a VC holds, 1 to 256.
    pub depth: usize,
    /// Flits of the longest packet: for adaptive routing, which gives VCs to packets that fit whole (or that find them empty).
    pub longest: usize,
    /// The VCs are divided among so many classes (message classes times sets of the routing), equally if `replies` does not say otherwise.
    pub classes: u32,
    /// VCs of replies that are not like those of requests, which then have the other VCs and `depth`.
    pub replies: Option<ReplyVcs>,
    /// Routing.
    pub routing: Routing,
    /// VC allocator.
    pub vc_allocator: AllocatorParams,
    /// Switch allocator.
    pub switch_allocator: AllocatorParams,
    /// Arbiter among the VCs of an input.
    pub vc_arbiter: ArbiterKind,
    /// Cycles that a head takes from channel register to output register, 1 to 4.
    pub pipeline: u32,
    /// Registers between output register and channel, 0 to 16.
    pub extra_latency: u32,
    /// Flits of different VCs that an input may send in one cycle, 1 or 2, where its [`InputPort`] does not say more; divides the VCs.
    pub input_speedup: u32,
    /// Cycles from the one in which a tail wins the switch to the RC of the packet behind it in its VC: 1, or with 3 and 4 stages 0.
    pub vc_reuse_delay: u32,
    /// When a VC is given to the packet behind a tail; with one stage both are the same.
    pub vc_reallocation: VcReallocation,
    /// Whole-packet forwarding: a VC that is not empty is given to packets that fit whole, by their own length, which flits carry. Adaptive
    /// routing does so with the VCs of routing class 1, other routings with all VCs.
    pub whole_packets: bool,
    /// Packets have a priority in allocation, which flits carry.
    pub priority: Option<Priority>,
}

/// Priority of packets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Priority {
    /// Levels, 2 to 8. A packet starts with `levels - 1` and has one less behind each route computation, down to 0; allocators serve those above 0
    /// before others.
    pub levels: u32,
    /// Cycles in a row for which an input port may request and get nothing, 1 to 65535; then no packet of the router has a priority until
    /// it gets something.
    pub starvation_cycles: u32,
}

impl NetworkParams {
    /// XY routing, iSLIP allocators with one iteration, round-robin arbiters, four stages.
    pub fn new(format: FlitFormat, depth: usize, classes: u32) -> Self {
        Self {
            format,
            depth,
            longest: usize::MAX,
            classes,
            replies: None,
            routing: Routing::default(),
            vc_allocator: AllocatorParams::default(),
            switch_allocator: AllocatorParams::default(),
            vc_arbiter: ArbiterKind::default(),
            pipeline: 4,
            extra_latency: 0,
            input_speedup: 1,
            vc_reuse_delay: 1,
            vc_reallocation: VcReallocation::BehindTail,
            whole_packets: false,
            priority: None,
        }
    }

    /// Cycles from channel to channel for a head without contention.
    pub fn hop(&self) -> u32 {
        self.pipeline + 1 + self.extra_latency
    }

    /// The classes of its VCs.
    pub fn sets(&self) -> VcSets {
        match self.replies {
            None => VcSets::equal(self.format.vcs, self.classes),
            Some(ReplyVcs { vcs, .. }) => VcSets::with_replies(self.format.vcs, self.classes, vcs),
        }
    }

    /// Flits that its VCs hold.
    pub fn depths(&self) -> VcDepths {
        match self.replies {
            None => VcDepths::equal(self.depth),
            Some(ReplyVcs { vcs, depth }) => {
                VcDepths { below: self.depth, from: self.format.vcs.saturating_sub(vcs), above: depth }
            }
        }
    }

    /// Flits that a port holds in all.
    pub fn flits_of_port(&self) -> usize {
        self.depths().sum(self.format.vcs)
    }

    /// VCs are given away in the cycle in which a tail wins the switch.
    fn with_tail(&self) -> bool {
        self.vc_reallocation == VcReallocation::WithTail && !self.merges().va_sa()
    }

    fn merges(&self) -> StageMerges {
        StageMerges::of_depth(self.pipeline)
    }

    /// Places that must be free behind an adaptive VC for it to be given away.
    fn whole(&self) -> Option<usize> {
        let longest = || self.longest.min(self.depths().most(self.format.vcs));
        (self.routing.rule().has_escapes() && !self.whole_packets).then(longest)
    }

    /// VCs that are given to packets that fit whole, by their own length; `None`: all are given away as soon as they are free.
    fn fits(&self) -> Option<WholePackets> {
        self.whole_packets.then(|| WholePackets {
            length_bits: self.format.length_bits,
            depths: self.depths(),
            adaptive: self.routing.rule().has_escapes().then(|| self.routing.vc_sets()),
        })
    }

    /// The same with these, and a format that carries what they need: lengths up to `longest`, or 1024.
    pub fn with_header(self, whole_packets: bool, priority: Option<Priority>) -> Self {
        let length_bits = if whole_packets { index_width(self.longest.min(1024) + 1) } else { 0 };
        let priority_bits = priority.map_or(0, |priority| index_width(priority.levels as usize));
        Self { whole_packets, priority, format: FlitFormat { length_bits, priority_bits, ..self.format }, ..self }
    }

    /// The same with `routing`, and a format that carries what it wants.
    pub fn with_routing(self, routing: Routing) -> Self {
        Self { routing, format: self.format.with_routing(routing), ..self }
    }

    /// Do the VCs divide among the classes, and the classes among the routing's sets? Does the format carry what the routing reads?
    pub(super) fn check(&self) -> Result<(), NocError> {
        let sets = self.routing.vc_sets();
        if !self.classes.is_multiple_of(sets) {
            return Err(NocError::Classes { classes: self.classes, routing: self.routing, sets });
        }
        if (self.format.waypoint, self.format.class_bits)
            != (self.routing.rule().reads_waypoint(), self.routing.rule().class_bits())
        {
            return Err(NocError::Waypoint { routing: self.routing });
        }
        if !(1..=4).contains(&self.pipeline) {
            return Err(NocError::Pipeline { stages: self.pipeline });
        }
        if self.vc_reuse_delay > 1 || (self.vc_reuse_delay == 0 && self.merges().rc_va()) {
            return Err(NocError::VcReuseDelay { cycles: self.vc_reuse_delay, stages: self.pipeline });
        }
        if self.vc_reuse_delay == 0 && self.with_tail() {
            return Err(NocError::VcReallocation);
        }
        if self.extra_latency > 16 {
            return Err(NocError::ExtraLatency { cycles: self.extra_latency });
        }
        if !(1..=2).contains(&self.input_speedup) || !self.format.vcs.is_multiple_of(self.input_speedup) {
            return Err(NocError::Speedup { speedup: self.input_speedup, vcs: self.format.vcs });
        }
        if let Some(Priority { levels, starvation_cycles }) = self.priority {
            for (name, value, allowed) in
                [("priority_levels", levels, 2..=8), ("starvation_cycles", starvation_cycles, 1..=65_535)]
            {
                if !allowed.contains(&value) {
                    let (low, high) = allowed.into_inner();
                    return Err(NocError::Priority { name, value, low, high });
                }
            }
        }
        let carried = |needed: bool, bits: u32| needed == (bits > 0);
        if !carried(self.whole_packets, self.format.length_bits)
            || !carried(self.priority.is_some(), self.format.priority_bits)
        {
            return Err(NocError::Header);
        }
        if let Some(ReplyVcs { vcs, depth }) = self.replies {
            if !self.sets().divide() {
                return Err(NocError::ReplyVcs { vcs: self.format.vcs, replies: vcs, classes: self.classes });
            }
            if !(1..=256).contains(&depth) {
                return Err(NocError::Depth { depth });
            }
            return self.format.check(1);
        }
        self.format.check(self.classes)
    }
}

/// What [`NocError::InputPort`] calls them.
pub const VC_LINKS: &str = "VC links";

/// Parameters of a [`router`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct RouterParams {
    /// Ports, and which input may send to which output.
    pub connectivity: Connectivity,
    /// Where the nodes are; 1 to 32 columns and rows of routers.
    pub addressing: Addressing,
    /// Slot of the node at each ejection port.
    pub slots: Vec<u32>,
    /// What it has in common with its neighbours.
    pub network: NetworkParams,
}

impl RouterParams {
    /// In a grid of one node a router.
    pub fn plain(columns: u32, rows: u32, connectivity: Connectivity, network: NetworkParams) -> Self {
        let ejects = connectivity.outputs().iter().filter(|o| matches!(o, Output::Eject(_))).count();
        Self { connectivity, addressing: Addressing::plain(columns, rows), slots: vec![0; ejects], network }
    }

    /// Bits of the load of an output: places behind it, and VCs whose packets may wait for it.
    fn load_bits(&self) -> u32 {
        let vcs = self.network.format.vcs;
        let waiting = self.connectivity.inputs().len() * vcs as usize;
        index_width(self.network.depths().sum(vcs) + waiting + 1)
    }

    /// The matrix, with the switch inputs that every port has.
    fn switch(&self) -> Connectivity {
        self.connectivity.clone().with_speedup(self.network.input_speedup)
    }

    /// In range?
    pub fn check(&self) -> Result<(), NocError> {
        let Addressing { columns, rows, .. } = self.addressing;
        if !(1..=1024).contains(&columns) || !(1..=32).contains(&rows) {
            return Err(NocError::Size { columns, rows });
        }
        if !(1..=256).contains(&self.network.depth) {
            return Err(NocError::Depth { depth: self.network.depth });
        }
        self.network.check()?;
        self.network.vc_allocator.check()?;
        self.network.switch_allocator.check()?;
        let vcs = self.network.format.vcs;
        for (i, input) in self.connectivity.inputs().iter().enumerate() {
            let InputPort { switch_inputs, links, .. } = self.connectivity.port(i);
            for (what, count) in [("switch inputs", switch_inputs), (VC_LINKS, links)] {
                if count == 0 || !vcs.is_multiple_of(count) {
                    return Err(NocError::InputPort { port: input.to_string(), what, count, vcs });
                }
            }
        }
        self.connectivity.check()
    }
}

/// A router; see the [module documentation](self).
pub fn router(p: &RouterParams) -> Result<Module, NocError> {
    p.check()?;
    let FlitFormat { vcs, width, .. } = p.network.format;
    let matrix = &p.switch();
    let rule = p.network.routing.rule();
    let names = matrix.parameters().with("vcs", &vcs).with("depth", &p.network.depth).with("width", &width).and(p);
    let m = Builder::new("router", names);
    let stages = ["One", "Two", "Three", "Four"][p.network.pipeline as usize - 1];
    m.doc(&format!("{stages}-stage virtual-channel router, one flit a cycle and port."));
    let io = RouterPorts::new(&m, p);
    let here = rule.reads_here().then(|| HerePorts::new(&m, &p.addressing.size()).place());
    let tables = TableInputs::new(p, io);

    let (va, sa) = allocators(&m, p);
    let drawing: Vec<_> = [va.0, sa.0].into_iter().filter_map(Drawing::of).collect();
    if !drawing.is_empty() {
        let seed = DrawingPorts::new(&m, &()).seed();
        drawing.iter().for_each(|allocator| allocator.seed(seed));
    }
    let control = p.network.format.vc_bits() + p.network.format.carried_bits();
    let xbar = Crossbar(m.instance("crossbar", &crossbar(matrix, control, width)));

    let outputs: Vec<_> = (matrix.outputs().iter().enumerate())
        .map(|(o, output)| {
            let module = output_unit(OutputUnitParams {
                inputs: matrix.switch_inputs_of(o),
                format: p.network.format,
                depths: p.network.depths(),
                va_sa: p.network.merges().va_sa(),
                with_tail: p.network.with_tail(),
                extra_latency: p.network.extra_latency,
                whole: p.network.whole().map(|places| WholeVcs {
                    sets: p.network.sets(),
                    classes: p.network.routing.vc_sets(),
                    places,
                }),
                load: rule.reads_loads(),
                free_places: p.network.fits().map(|whole| whole.places_bits(vcs)),
            });
            OutputUnit(m.instance(output_unit_name(*output), &module))
        })
        .collect();

    // Known when there are input units.
    let load = |output| m.wire_later(("load_of", output), p.load_bits());
    let loads: Vec<_> = matrix.outputs().iter().map(|output| rule.reads_loads().then(|| load(output))).collect();
    let inputs: Vec<_> = (0..matrix.inputs().len())
        .map(|i| {
            let input = matrix.inputs()[i];
            let reach = matrix.outputs_of(i);
            let available = row(reach.iter().map(|&o| outputs[o].available()));
            let loads = rule.reads_loads().then(|| row(reach.iter().filter_map(|&o| loads[o])));
            let unit = input_with_routes(&m, p, (i, io), &Routed { here, tables: tables.of(input), loads });
            va.request(i, unit.va_request());
            unit.va_grant(va.grant(i));
            for offset in rule.class_transition().offsets() {
                va.request_up((offset, i), unit.va_up(offset));
                unit.va_up_grant(offset, va.grant_up((offset, i)));
            }
            unit.available(available);
            sa.request(i, unit.sa_request());
            unit.sa_grant(sa.grant(i));
            let (select, control, payload) = (unit.st_select(), unit.st_control(), unit.st_payload());
            xbar.from(i, FromInput { select, control, payload });
            va.length(i, unit.va_length());
            unit
        })
        .collect();
    if p.network.priority.is_some() {
        prioritise(&m, p, &inputs, (va, sa));
    }

    for (o, output) in matrix.outputs().iter().enumerate() {
        let unit = outputs[o];
        let senders = matrix.inputs_of(o);
        let units = senders.iter().map(|&i| inputs[i]);
        if let Some(load) = loads[o] {
            m.comment("Places taken behind an output, and packets that wait for it.");
            let waits = senders.iter().map(|&i| {
                let reach = matrix.outputs_of(i);
                let at = reach.iter().position(|reached| *reached == o).expect("the input sends there");
                inputs[i].waits().expect("it tells who waits").parts(index_width(vcs as usize + 1))[at]
                    .extend(load.width())
            });
            m.assign(
                load,
                waits.fold(unit.load().expect("it tells its load").extend(load.width()), |sum, waits| sum + waits),
            );
        }
        va.free(o, unit.free());
        va.places(o, unit.places());
        unit.taken(va.taken(o));
        unit.sender(sa.sender(o));
        unit.send_vc(row(units.clone().map(InputUnit::send_vc)));
        unit.send_tail(row(units.map(InputUnit::send_tail)));
        let ToOutput { valid, control, payload } = xbar.to(o);
        unit.traversing(Traversing { valid, control, payload });
        io.next(*output).connect(unit.out());
    }
    Ok(m.finish())
}

/// Name of the output unit of an output of a router.
pub(super) fn output_unit_name(output: Output) -> String {
    ("output_unit_to", output).text()
}

/// The VC allocator and the switch allocator: of two classes where packets may have a priority.
fn allocators<'m>(m: &'m Builder, p: &RouterParams) -> (VcAllocator<'m>, SwitchAllocator<'m>) {
    let NetworkParams { vc_allocator, switch_allocator: of_switch, routing, .. } = p.network;
    let (matrix, sets, transition) = (&p.switch(), p.network.sets(), routing.rule().class_transition());
    let fits = p.network.fits();
    let (va, sa) = match matrix.priority_inputs().is_empty() {
        true => (
            whole_packet_vc_allocator(matrix, sets, transition, vc_allocator, fits),
            switch_allocator(matrix, of_switch),
        ),
        false => (
            two_class_vc_allocator(matrix, sets, transition, vc_allocator, fits),
            two_class_switch_allocator(matrix, of_switch),
        ),
    };
    (VcAllocator(m.instance("vc_allocator", &va)), SwitchAllocator(m.instance("switch_allocator", &sa)))
}

/// Tells the allocators which requests have a priority, and counts how long other ports wait: packets from neighbours, and those of
/// injection ports without one.
fn prioritise<'m>(
    m: &'m Builder,
    p: &RouterParams,
    units: &[InputUnit<'m>],
    (va, sa): (VcAllocator<'m>, SwitchAllocator<'m>),
) {
    let matrix = &p.connectivity;
    let with = matrix.priority_inputs();
    let Some(Priority { starvation_cycles, .. }) = p.network.priority.filter(|_| !with.is_empty()) else { return };
    let crossings = p.network.routing.rule().class_transition().offsets();
    m.comment("Packets with a priority go first, until others have waited for too long.");
    let waits = |i: &usize| matches!(matrix.inputs()[*i], Input::From(_)) || !with.contains(i);
    let others: Vec<_> = (0..matrix.inputs().len()).filter(waits).collect();
    // In front of an indirect topology there may be no others.
    let heard = if others.is_empty() {
        m.lit(1, 1)
    } else {
        let names: Vec<_> = others.iter().map(|&i| matrix.inputs()[i]).collect();
        let counter =
            StarvationCounter(m.instance("starvation_counter", &starvation_counter(&names, starvation_cycles)));
        for (i, input) in others.into_iter().zip(&names) {
            let (mut asks, mut gets) = (vec![], vec![]);
            asks.extend([units[i].va_request().any(), units[i].sa_request().any()]);
            asks.extend(crossings.iter().map(|&offset| units[i].va_up(offset).any()));
            gets.extend([va.grant(i).any(), sa.grant(i).any()]);
            gets.extend(crossings.iter().map(|&offset| va.grant_up((offset, i)).any()));
            counter.request(*input, row(asks).any());
            counter.grant(*input, row(gets).any());
        }
        m.wire("priorities_count", !counter.starved())
    };
    for &i in &with {
        let unit = units[i];
        let counts = |high: Signal<'m>| high & heard.repeat(high.width());
        if let (Some(of_va), Some(of_sa)) = (unit.va_high(), unit.sa_high()) {
            va.high(i, counts(of_va));
            sa.high(i, counts(of_sa));
        }
    }
}

/// What route units of an input look at besides the packet.
struct Routed<'a, 'm> {
    /// Coordinates of the router.
    here: Option<(Signal<'m>, Signal<'m>)>,
    tables: &'a [(String, Signal<'m>)],
    /// Loads of the outputs that the input may send to, where the routing looks at them.
    loads: Option<Signal<'m>>,
}

/// Input unit number `i` with its route units, connected to the ports of the router.
fn input_with_routes<'m>(
    m: &'m Builder,
    p: &RouterParams,
    (i, io): (usize, RouterPorts<'m>),
    Routed { here, tables, loads }: &Routed<'_, 'm>,
) -> InputUnit<'m> {
    let (matrix, input) = (p.switch(), p.connectivity.inputs()[i]);
    let reach = matrix.outputs_of(i);
    let outputs = reach.iter().map(|&o| matrix.outputs()[o]).collect();
    let rule = p.network.routing.rule();
    let from = neighbour(input);
    let route = RouteUnitParams {
        addressing: p.addressing.clone(),
        rule,
        from,
        outputs,
        slots: p.slots.clone(),
        load_bits: (rule.reads_loads() && from.is_none()).then(|| p.load_bits()),
    };
    let unit = InputUnit(m.instance(
        ("input_unit_from", input),
        &input_unit(InputUnitParams {
            outputs: reach.len() as u32,
            format: p.network.format,
            depths: p.network.depths(),
            sets: p.network.sets(),
            rule,
            reads_arrival: route.reads_arrival(),
            arbiter: p.network.vc_arbiter,
            merges: p.network.merges(),
            port: matrix.port(i),
            vc_reuse_delay: p.network.vc_reuse_delay,
            with_tail: p.network.with_tail(),
        }),
    ));
    for link in Link::all(matrix.port(i).links) {
        io.flit(InputLink { input, link: (link.of > 1).then_some(link.number as u32) }).connect(unit.flit(link));
        if !route.decides() {
            unit.route(link, m.lit(1, 1));
            continue;
        }
        let router = RouteUnit(m.instance(("route_unit_from", input, link), &route_unit(&route)));
        if let Some((x, y)) = here {
            router.here_x(*x);
            router.here_y(*y);
        }
        let read = route.table_ports();
        for (port, table) in tables.iter().filter(|(port, _)| read.contains(port)) {
            RouteTables(router.0).table(port.clone(), *table);
        }
        let ArrivedHead { dest, route_class, waypoint, head } = unit.arrived(link);
        router.dest(dest);
        router.route_class(route_class);
        let waypoint_bits = index_width((p.addressing.columns * p.addressing.rows) as usize);
        router.waypoint(waypoint.map(|waypoint| waypoint.resize(waypoint_bits)));
        if let (Some(loads), Some(_)) = (loads, route.load_bits) {
            router.loads(*loads);
        }
        router.arriving(head);
        let ways = rule.class_transition().offsets().into_iter().map(|offset| router.route_up(offset));
        unit.route(link, ways.fold(router.route(), |below, way| way.join(below)));
    }
    unit
}
