//! Allocation in two classes: requests of packets with a priority are served first, the others of what they leave over.
//!
//! ```text
//!  high<i> -------------->+----------------+  granted rows, taken columns
//!  request<i> -------+--->| high allocator |---------------+
//!                    |    +----------------+               v
//!                    |            |                +---------------+
//!                    +------------|--------------->| low allocator |
//!                                 |                +---------------+
//!                                 `-----> OR <-------------'-------> grant<i>, sender<o>, taken<o>
//! ```
//!
//! Both are allocators of the same kind, so each resource has an arbiter for each class. The high one has only the
//! inputs whose packets may have a priority, and numbers these. Ports are those of a [`switch_allocator()`] or a
//! [`mod@vc_allocator`], and `high<i>` for such inputs: of the switch, those of its requests that have a priority; of
//! VCs, the VCs whose packets have one. Contract: combinational; what one class is granted is nothing to the other. No
//! low request is served in a cycle in which a high one asks for the same resource and gets it.
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 5; where the priority acts is not said there. Testbenches: `testbenches/two_class_switch_allocator/`,
//! `testbenches/two_class_vc_allocator/`; tests: `tests/noc/priority.rs`.

use super::{
    AllocatorParams, Connectivity, VcSets,
    allocator::{Drawing, DrawingPorts},
    routing::ClassTransition,
    switch_allocator::{self, SwitchAllocator, SwitchAllocatorPorts, SwitchAllocatorShape, switch_allocator},
    vc_allocator::{
        self, VcAllocator, VcAllocatorPorts, VcAllocatorShape, WholePackets, transition_vcs, whole_packet_vc_allocator,
    },
};
use hdl::{Builder, Child, Module, Signal, concat, row};

/// The inputs with a priority, each with the number that it has among all.
fn parts(connectivity: &Connectivity) -> (Vec<usize>, Connectivity) {
    let inputs = connectivity.priority_inputs();
    let part = connectivity.part(&inputs);
    (inputs, part)
}

/// Allocators that draw have numbers of their own.
fn seed(m: &Builder, high: Child<'_>, low: Child<'_>) {
    let Some(low) = Drawing::of(low) else { return };
    let seed = DrawingPorts::new(m, &()).seed();
    low.seed(seed);
    if let Some(high) = Drawing::of(high) {
        high.seed(!seed);
    }
}

/// A switch allocator whose inputs with a priority have `high<i>`, the requests of packets with one.
pub fn two_class_switch_allocator(connectivity: &Connectivity, p: AllocatorParams) -> Module {
    let (with, part) = parts(connectivity);
    let parameters = switch_allocator::parameters(connectivity, p);
    let m = Builder::new("two_class_switch_allocator", parameters.beside("priority", &connectivity.priority_inputs()));
    m.doc("Matches inputs and outputs of the crossbar, packets with a priority first.");
    let io = SwitchAllocatorPorts::new(&m, &SwitchAllocatorShape { connectivity, two_class: true });
    let high = SwitchAllocator(m.instance("high", &switch_allocator(&part, p)));
    let low = SwitchAllocator(m.instance("low", &switch_allocator(connectivity, p)));
    seed(&m, high.0, low.0);
    let place_of = |o: usize| part.outputs().iter().position(|own| *own == connectivity.outputs()[o]);
    let taken = |o: usize| place_of(o).map(|place| high.sender(place).any());
    let taken: Vec<_> = (0..connectivity.outputs().len()).map(taken).collect();
    for i in 0..connectivity.inputs().len() {
        let (reach, rows) = (connectivity.outputs_of(i), connectivity.switch_inputs(i));
        let request = io.request(i);
        let left = row(reach.iter().map(|&o| taken[o].map_or(m.lit(1, 1), |taken| !taken)));
        let left = left.repeat(rows);
        let Some(at) = with.iter().position(|&with| with == i) else {
            low.request(i, request & left);
            io.grant(i, low.grant(i));
            continue;
        };
        let urgent = io.high(i);
        high.request(at, urgent);
        let granted = high.grant(at);
        let of_row = granted.parts(reach.len() as u32);
        let open = row(of_row.into_iter().map(|grant| (!grant.any()).repeat(reach.len() as u32)));
        low.request(i, request & !urgent & left & open);
        io.grant(i, granted | low.grant(i));
    }
    for o in 0..connectivity.outputs().len() {
        let sender = low.sender(o);
        let Some(place) = place_of(o) else {
            io.sender(o, sender);
            continue;
        };
        // The rows of the part are some of those of the whole.
        let (of_high, mut at) = (high.sender(place), 0);
        let rows = connectivity.inputs_of(o).into_iter().map(|i| {
            let rows = connectivity.switch_inputs(i);
            let own = with.iter().position(|&input| input == i).is_some_and(|i| part.allows(i, place));
            if !own {
                return m.lit(rows, 0);
            }
            at += rows;
            of_high.bits(at - rows, rows)
        });
        let spread = row(rows.collect::<Vec<_>>());
        io.sender(o, sender | spread);
    }
    m.finish()
}

/// What VCs of input `i` ask for, where they keep their routing class or go so many up.
fn ask<'m>(of: VcAllocator<'m>, up: Option<u32>, i: usize, asked: Signal<'m>) {
    match up {
        None => of.request(i, asked),
        Some(offset) => of.request_up((offset, i), asked),
    }
}

/// What they are granted.
fn granted<'m>(of: VcAllocator<'m>, up: Option<u32>, i: usize) -> Signal<'m> {
    up.map_or_else(|| of.grant(i), |offset| of.grant_up((offset, i)))
}

/// A VC allocator whose inputs with a priority have `high<i>` (V), the VCs whose packets have one.
pub fn two_class_vc_allocator(
    connectivity: &Connectivity,
    sets: VcSets,
    transition: ClassTransition,
    p: AllocatorParams,
    whole: Option<WholePackets>,
) -> Module {
    let (with, part) = parts(connectivity);
    let parameters = vc_allocator::parameters(connectivity, sets, transition, p, whole);
    let names = parameters.beside("priority", &connectivity.priority_inputs());
    let m = Builder::new("two_class_vc_allocator", names);
    m.doc("Matches waiting packets and free virtual channels of the outputs, packets with a priority first.");
    let io = VcAllocatorPorts::new(&m, &VcAllocatorShape { connectivity, sets, transition, whole, two_class: true });
    let high = VcAllocator(m.instance("high", &whole_packet_vc_allocator(&part, sets, transition, p, whole)));
    let low = VcAllocator(m.instance("low", &whole_packet_vc_allocator(connectivity, sets, transition, p, whole)));
    seed(&m, high.0, low.0);
    for (o, output) in connectivity.outputs().iter().enumerate() {
        let (free, of_low) = (io.free(o), low.taken(o));
        let places = io.places(o);
        low.places(o, places);
        let Some(place) = part.outputs().iter().position(|own| own == output) else {
            low.free(o, free);
            io.taken(o, of_low);
            continue;
        };
        high.places(place, places);
        high.free(place, free);
        let taken = high.taken(place);
        low.free(o, free & !taken);
        io.taken(o, taken | of_low);
    }
    let crossings: Vec<_> =
        transition.offsets().into_iter().map(|offset| (offset, transition_vcs(sets, transition, offset))).collect();
    for i in 0..connectivity.inputs().len() {
        let reach = connectivity.outputs_of(i).len() as u32;
        let place = with.iter().position(|&with| with == i);
        let urgent = place.map(|place| (place, io.high(i)));
        let length = io.length(i);
        // Requests of all VCs that keep their routing class, then of those that go so many up.
        let ways = [None].into_iter().chain(crossings.iter().map(Some));
        for way in ways {
            let up = way.map(|(offset, _)| *offset);
            let asked = up.map_or_else(|| io.request(i), |offset| io.request_up((offset, i)));
            let grant = |value| match up {
                None => io.grant(i, value),
                Some(offset) => io.grant_up((offset, i), value),
            };
            let of_low = granted(low, up, i);
            let Some((place, urgent)) = urgent else {
                ask(low, up, i, asked);
                grant(of_low);
                continue;
            };
            let urgent = way.map_or(urgent, |(_, changing)| row(changing.iter().map(|&vc| urgent.bit(vc))));
            let urgent = concat(&vec![urgent; reach as usize]);
            ask(high, up, place, asked & urgent);
            ask(low, up, i, asked & !urgent);
            grant(granted(high, up, place) | of_low);
        }
        low.length(i, length);
        if let Some((place, _)) = urgent {
            high.length(place, length);
        }
    }
    m.finish()
}
