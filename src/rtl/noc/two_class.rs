//! Allocation in two classes: requests of packets with a priority are served first, the others of what they leave over.
//!
//! ```text
//!  high_<input> --------->+----------------+  granted rows, taken columns
//!  request_<input> --+--->| high allocator |---------------+
//!                    |    +----------------+               v
//!                    |            |                +---------------+
//!                    +------------|--------------->| low allocator |
//!                                 |                +---------------+
//!                                 `-----> OR <-------------'-------> grant_<input>, sender_<output>, taken_<output>
//! ```
//!
//! Both are allocators of the same kind, so each resource has an arbiter for each class. The high one has only the
//! inputs whose packets may have a priority. Ports are those of a [`switch_allocator`] or a [`mod@vc_allocator`], and
//! `high_<input>` for such inputs: of the switch, those of its requests that have a priority; of VCs, the VCs whose
//! packets have one. Contract: combinational; what one class is granted is nothing to the other. No low request is
//! served in a cycle in which a high one asks for the same resource and gets it.
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 5; where the priority acts is not said there. Testbenches: `testbenches/two_class_switch_allocator/`,
//! `testbenches/two_class_vc_allocator/`; tests: `tests/noc/priority.rs`.

use super::{
    AllocatorParams, Connectivity, VcSets,
    allocator::SEED_BITS,
    routing::{ClassTransition, relation::cross_name},
    switch_allocator::switch_allocator,
    vc_allocator::{self, WholePackets, transition_vcs, whole_packet_vc_allocator},
};
use hdl::{Builder, Child, Module, concat, params, row};

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

/// A switch allocator whose inputs with a priority have `high_<input>`, the requests of packets with one.
pub fn two_class_switch_allocator(connectivity: &Connectivity, p: AllocatorParams) -> Module {
    let (with, part) = parts(connectivity);
    let mut names = params! { x: connectivity.key(), allocator: p.key() };
    names.extend(connectivity.speedup_key().into_iter().chain(connectivity.priority_key()));
    let m = Builder::new("two_class_switch_allocator", names);
    m.doc("Matches inputs and outputs of the crossbar, packets with a priority first.");
    let high = m.instance("high", &switch_allocator(&part, p));
    let low = m.instance("low", &switch_allocator(connectivity, p));
    seed(&m, high, low);
    let taken = |o: usize| {
        let output = connectivity.outputs()[o];
        part.outputs().contains(&output).then(|| high.get(("sender", output)).any())
    };
    let taken: Vec<_> = (0..connectivity.outputs().len()).map(taken).collect();
    for (i, input) in connectivity.inputs().iter().enumerate() {
        let (reach, rows) = (connectivity.outputs_of(i), connectivity.switch_inputs(i));
        let request = m.input(("request", input), reach.len() as u32 * rows);
        let left = row(reach.iter().map(|&o| taken[o].map_or(m.lit(1, 1), |taken| !taken)));
        let left = left.repeat(rows);
        if !with.contains(&i) {
            low.drive(("request", input), request & left);
            m.output_of(("grant", input), low.get(("grant", input)));
            continue;
        }
        let urgent = m.input(("high", input), request.width());
        high.drive(("request", input), urgent);
        let granted = high.get(("grant", input));
        let of_row = granted.parts(reach.len() as u32);
        let open = row(of_row.into_iter().map(|grant| (!grant.any()).repeat(reach.len() as u32)));
        low.drive(("request", input), request & !urgent & left & open);
        m.output_of(("grant", input), granted | low.get(("grant", input)));
    }
    for (o, output) in connectivity.outputs().iter().enumerate() {
        let sender = low.get(("sender", output));
        let Some(place) = part.outputs().iter().position(|own| own == output) else {
            m.output_of(("sender", output), sender);
            continue;
        };
        // The rows of the part are some of those of the whole.
        let (of_high, mut at) = (high.get(("sender", output)), 0);
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
        m.output_of(("sender", output), sender | spread);
    }
    m.finish()
}

/// A VC allocator whose inputs with a priority have `high_<input>` (V), the VCs whose packets have one.
pub fn two_class_vc_allocator(
    connectivity: &Connectivity,
    sets: VcSets,
    transition: ClassTransition,
    p: AllocatorParams,
    whole: Option<WholePackets>,
) -> Module {
    let (with, part) = parts(connectivity);
    let vcs = sets.vcs();
    let names = vc_allocator::names(connectivity, sets, transition, p, whole).into_iter();
    let m = Builder::new("two_class_vc_allocator", names.chain(connectivity.priority_key()).collect());
    m.doc("Matches waiting packets and free virtual channels of the outputs, packets with a priority first.");
    let high = m.instance("high", &whole_packet_vc_allocator(&part, sets, transition, p, whole));
    let low = m.instance("low", &whole_packet_vc_allocator(connectivity, sets, transition, p, whole));
    seed(&m, high, low);
    for output in connectivity.outputs() {
        let (free, of_low) = (m.input(("free", output), vcs), low.get(("taken", output)));
        let places = whole.map(|whole| m.input(("places", output), vcs * whole.places_bits(vcs)));
        places.into_iter().for_each(|places| low.drive(("places", output), places));
        if !part.outputs().contains(output) {
            low.drive(("free", output), free);
            m.output_of(("taken", output), of_low);
            continue;
        }
        places.into_iter().for_each(|places| high.drive(("places", output), places));
        high.drive(("free", output), free);
        let taken = high.get(("taken", output));
        low.drive(("free", output), free & !taken);
        m.output_of(("taken", output), taken | of_low);
    }
    let crossings: Vec<_> =
        transition.offsets().into_iter().map(|offset| (offset, transition_vcs(sets, transition, offset))).collect();
    for (i, input) in connectivity.inputs().iter().enumerate() {
        let reach = connectivity.outputs_of(i).len() as u32;
        let urgent = with.contains(&i).then(|| m.input(("high", input), vcs));
        let length = whole.map(|whole| m.input(("length", input), vcs * whole.length_bits));
        let mut ways = vec![("request".to_string(), "grant".to_string(), (0..vcs).collect::<Vec<_>>())];
        let crossing = |(offset, changing): &(u32, Vec<u32>)| {
            (cross_name(*offset), format!("{}_grant", cross_name(*offset)), changing.clone())
        };
        ways.extend(crossings.iter().map(crossing));
        for (request, grant, of_vcs) in ways {
            let (request, grant, width) = (request.as_str(), grant.as_str(), of_vcs.len() as u32);
            let asked = m.input((request, input), reach * width);
            let of_low = low.get((grant, input));
            let Some(urgent) = urgent else {
                low.drive((request, input), asked);
                m.output_of((grant, input), of_low);
                continue;
            };
            let urgent = if request == "request" { urgent } else { row(of_vcs.iter().map(|&vc| urgent.bit(vc))) };
            let urgent = concat(&vec![urgent; reach as usize]);
            high.drive((request, input), asked & urgent);
            low.drive((request, input), asked & !urgent);
            m.output_of((grant, input), high.get((grant, input)) | of_low);
        }
        if let Some(length) = length {
            low.drive(("length", input), length);
            if urgent.is_some() {
                high.drive(("length", input), length);
            }
        }
    }
    m.finish()
}
