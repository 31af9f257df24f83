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
    allocator::SEED_BITS,
    routing::{ClassTransition, cross_name},
    switch_allocator::{self, switch_allocator},
    vc_allocator::{self, WholePackets, transition_vcs, whole_packet_vc_allocator},
};
use hdl::{Builder, Child, Module, concat, row};

/// The inputs with a priority, each with the number that it has among all.
fn parts(connectivity: &Connectivity) -> (Vec<usize>, Connectivity) {
    let inputs = connectivity.priority_inputs();
    let part = connectivity.part(&inputs);
    (inputs, part)
}

/// Allocators that draw have numbers of their own.
fn seed(m: &Builder, high: Child<'_>, low: Child<'_>) {
    if low.has_input("seed") {
        let seed = m.input("seed", SEED_BITS);
        low.drive("seed", seed);
        if high.has_input("seed") {
            high.drive("seed", !seed);
        }
    }
}

/// A switch allocator whose inputs with a priority have `high<i>`, the requests of packets with one.
pub fn two_class_switch_allocator(connectivity: &Connectivity, p: AllocatorParams) -> Module {
    let (with, part) = parts(connectivity);
    let parameters = switch_allocator::parameters(connectivity, p);
    let m = Builder::new("two_class_switch_allocator", parameters.beside("priority", &connectivity.priority_inputs()));
    m.doc("Matches inputs and outputs of the crossbar, packets with a priority first.");
    let high = m.instance("high", &switch_allocator(&part, p));
    let low = m.instance("low", &switch_allocator(connectivity, p));
    seed(&m, high, low);
    let place_of = |o: usize| part.outputs().iter().position(|own| *own == connectivity.outputs()[o]);
    let taken = |o: usize| place_of(o).map(|place| high.get(("sender", place)).any());
    let taken: Vec<_> = (0..connectivity.outputs().len()).map(taken).collect();
    for i in 0..connectivity.inputs().len() {
        let (reach, rows) = (connectivity.outputs_of(i), connectivity.switch_inputs(i));
        let request = m.input(("request", i), reach.len() as u32 * rows);
        let left = row(reach.iter().map(|&o| taken[o].map_or(m.lit(1, 1), |taken| !taken)));
        let left = left.repeat(rows);
        let Some(at) = with.iter().position(|&with| with == i) else {
            low.drive(("request", i), request & left);
            m.output_of(("grant", i), low.get(("grant", i)));
            continue;
        };
        let urgent = m.input(("high", i), request.width());
        high.drive(("request", at), urgent);
        let granted = high.get(("grant", at));
        let of_row = granted.parts(reach.len() as u32);
        let open = row(of_row.into_iter().map(|grant| (!grant.any()).repeat(reach.len() as u32)));
        low.drive(("request", i), request & !urgent & left & open);
        m.output_of(("grant", i), granted | low.get(("grant", i)));
    }
    for o in 0..connectivity.outputs().len() {
        let sender = low.get(("sender", o));
        let Some(place) = place_of(o) else {
            m.output_of(("sender", o), sender);
            continue;
        };
        // The rows of the part are some of those of the whole.
        let (of_high, mut at) = (high.get(("sender", place)), 0);
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
        m.output_of(("sender", o), sender | spread);
    }
    m.finish()
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
    let vcs = sets.vcs();
    let parameters = vc_allocator::parameters(connectivity, sets, transition, p, whole);
    let names = parameters.beside("priority", &connectivity.priority_inputs());
    let m = Builder::new("two_class_vc_allocator", names);
    m.doc("Matches waiting packets and free virtual channels of the outputs, packets with a priority first.");
    let high = m.instance("high", &whole_packet_vc_allocator(&part, sets, transition, p, whole));
    let low = m.instance("low", &whole_packet_vc_allocator(connectivity, sets, transition, p, whole));
    seed(&m, high, low);
    for (o, output) in connectivity.outputs().iter().enumerate() {
        let (free, of_low) = (m.input(("free", o), vcs), low.get(("taken", o)));
        let places = whole.map(|whole| m.input(("places", o), vcs * whole.places_bits(vcs)));
        places.into_iter().for_each(|places| low.drive(("places", o), places));
        let Some(place) = part.outputs().iter().position(|own| own == output) else {
            low.drive(("free", o), free);
            m.output_of(("taken", o), of_low);
            continue;
        };
        places.into_iter().for_each(|places| high.drive(("places", place), places));
        high.drive(("free", place), free);
        let taken = high.get(("taken", place));
        low.drive(("free", o), free & !taken);
        m.output_of(("taken", o), taken | of_low);
    }
    let crossings: Vec<_> =
        transition.offsets().into_iter().map(|offset| (offset, transition_vcs(sets, transition, offset))).collect();
    for i in 0..connectivity.inputs().len() {
        let reach = connectivity.outputs_of(i).len() as u32;
        let place = with.iter().position(|&with| with == i);
        let urgent = place.map(|place| (place, m.input(("high", i), vcs)));
        let length = whole.map(|whole| m.input(("length", i), vcs * whole.length_bits));
        let mut ways = vec![("request".to_string(), "grant".to_string(), (0..vcs).collect::<Vec<_>>())];
        let crossing = |(offset, changing): &(u32, Vec<u32>)| {
            let cross = cross_name(*offset);
            (format!("{cross}_request"), format!("{cross}_grant"), changing.clone())
        };
        ways.extend(crossings.iter().map(crossing));
        for (request, grant, of_vcs) in ways {
            let (request, grant, width) = (request.as_str(), grant.as_str(), of_vcs.len() as u32);
            let asked = m.input((request, i), reach * width);
            let of_low = low.get((grant, i));
            let Some((place, urgent)) = urgent else {
                low.drive((request, i), asked);
                m.output_of((grant, i), of_low);
                continue;
            };
            let urgent = if request == "request" { urgent } else { row(of_vcs.iter().map(|&vc| urgent.bit(vc))) };
            let urgent = concat(&vec![urgent; reach as usize]);
            high.drive((request, place), asked & urgent);
            low.drive((request, i), asked & !urgent);
            m.output_of((grant, i), high.get((grant, place)) | of_low);
        }
        if let Some(length) = length {
            low.drive(("length", i), length);
            if let Some((place, _)) = urgent {
                high.drive(("length", place), length);
            }
        }
    }
    m.finish()
}
