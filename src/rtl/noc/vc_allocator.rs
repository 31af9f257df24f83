//! VC allocator: gives waiting packets a virtual channel of the output port that they go to.
//!
//! ```text
//!                                  +--------------+
//!  request<i>         (K * V) ---->|   separable  |-> grant<i> (V * K * C)
//!    [output k][input VC]          |   allocator  |     [input VC][output k][VC of the class]
//!  [cross_request<i>  (K * X)] --->| over allowed |-> [cross_grant<i> (X * K * C)]
//!  free<o>            (V) -------->|   points     |-> taken<o> (V): this output VC has a new owner
//!                                  +--------------+
//! ```
//!
//! Ports are numbered as in the connectivity matrix. `K` counts the outputs that the input may send to, `C` the VCs of
//! a class ([`VcSets`]): with `request` a packet stays in its class, so input VC v asks only for output VCs of the
//! class that v belongs to. Where packets may change their routing class (the classes of a message class follow each
//! other), `cross_request` asks for the next routing class, all around, `cross2_request` for the one after that, and so
//! on; its bits are those of the X input VCs that may ([`transition_vcs`]), in order. Contract: combinational; an input
//! VC is granted at most one output VC, an output VC is granted at most once and only when free. Occupancy downstream
//! does not matter here.
//!
//! Testbench: `testbenches/vc_allocator/`.

use super::{
    Connectivity, VcDepths, VcSets,
    allocator::{AllocatorParams, Bit, MatrixRequest, Requests, join},
    routing::{ClassTransition, cross_name},
};
use hdl::{Builder, Module, Parameters, PortName, Signal, index_width, ports, row};
use serde::Serialize;

/// Numbers of the VCs from which packets may go so many routing classes up.
pub(super) fn transition_vcs(sets: VcSets, transition: ClassTransition, offset: u32) -> Vec<u32> {
    (0..sets.vcs()).filter(|vc| class_behind(sets, transition, *vc, offset).is_some()).collect()
}

/// The class of the VCs that a packet takes so many routing classes up from that of VC `vc`.
fn class_behind(sets: VcSets, transition: ClassTransition, vc: u32, offset: u32) -> Option<u32> {
    let (class, classes) = (sets.class(vc), transition.classes());
    Some(class - class % classes + transition.leads(class % classes, offset)?)
}

/// Output VCs that are given only to packets that fit whole behind what is there, by their own length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct WholePackets {
    /// Bits of a packet's length.
    pub length_bits: u32,
    /// Flits that VCs hold. One that is empty is given to longer packets too.
    pub depths: VcDepths,
    /// Of so many routing classes they are the VCs of the last one; `None`: all VCs.
    pub adaptive: Option<u32>,
}

impl WholePackets {
    /// Bits of a number of places.
    pub fn places_bits(self, vcs: u32) -> u32 {
        index_width(self.depths.most(vcs) + 1)
    }
}

/// What a VC allocator matches.
pub(super) struct VcAllocatorShape<'a> {
    pub connectivity: &'a Connectivity,
    pub sets: VcSets,
    pub transition: ClassTransition,
    pub whole: Option<WholePackets>,
    /// It knows which packets have a priority.
    pub two_class: bool,
}

impl VcAllocatorShape<'_> {
    fn inputs(&self) -> usize {
        self.connectivity.inputs().len()
    }

    fn outputs(&self) -> usize {
        self.connectivity.outputs().len()
    }

    /// Requests of an input, of so many VCs.
    fn requests(&self, input: usize, vcs: usize) -> u32 {
        (self.connectivity.outputs_of(input).len() * vcs) as u32
    }

    /// Ways to another routing class, at each input.
    fn crossings(&self) -> impl Iterator<Item = WayOfInput> {
        let offsets = self.transition.offsets();
        (0..self.inputs()).flat_map(move |input| offsets.clone().into_iter().map(move |offset| (offset, input)))
    }

    /// VCs from which packets may take such a way.
    fn changing(&self, offset: u32) -> Vec<u32> {
        transition_vcs(self.sets, self.transition, offset)
    }

    /// Output VCs that an input may be given, for some of its VCs.
    fn grants(&self, input: usize, vcs: impl IntoIterator<Item = u32>, offset: u32) -> u32 {
        let behind = |vc| class_behind(self.sets, self.transition, vc, offset).unwrap_or_else(|| self.sets.class(vc));
        let class = |vc| if offset == 0 { self.sets.class(vc) } else { behind(vc) };
        let of_vc = vcs.into_iter().map(|vc| self.sets.size(class(vc)));
        self.connectivity.outputs_of(input).len() as u32 * of_vc.sum::<u32>()
    }

    /// Inputs whose packets may have a priority.
    fn high(&self) -> Vec<usize> {
        if self.two_class { self.connectivity.priority_inputs() } else { vec![] }
    }
}

/// So many routing classes up, from an input.
type WayOfInput = (u32, usize);

ports! {
    /// Ports of a VC allocator, beside its seed.
    pub(super) struct VcAllocatorPorts(s: &VcAllocatorShape<'_>) of VcAllocator {
        /// VCs of an output that no packet owns.
        in free[o: usize in 0..s.outputs()]: s.sets.vcs(),
        /// Free places behind each of them, where packets have to fit whole.
        maybe (s.whole.is_some()) in places[o: usize in 0..s.outputs()]:
            s.whole.map_or(0, |whole| s.sets.vcs() * whole.places_bits(s.sets.vcs())),
        /// By output: VCs of an input that ask for a VC there.
        in request[i: usize in 0..s.inputs()]: s.requests(i, s.sets.vcs() as usize),
        /// The same of VCs whose packets may go so many routing classes up.
        in request_up[way: WayOfInput in s.crossings()] as (cross_name(way.0), "request", way.1):
            s.requests(way.1, s.changing(way.0).len()),
        /// VCs of an input whose packets have a priority.
        in high[i: usize in s.high()]: s.sets.vcs(),
        /// Lengths of the packets of an input, where they have to fit whole.
        maybe (s.whole.is_some()) in length[i: usize in 0..s.inputs()]:
            s.whole.map_or(0, |whole| s.sets.vcs() * whole.length_bits),
        /// By VC of an input: the VC of an output that it is given.
        out grant[i: usize in 0..s.inputs()]: s.grants(i, 0..s.sets.vcs(), 0),
        /// The same so many routing classes up.
        out grant_up[way: WayOfInput in s.crossings()] as (cross_name(way.0), "grant", way.1):
            s.grants(way.1, s.changing(way.0), way.0),
        /// VCs of an output that are given to packets.
        out taken[o: usize in 0..s.outputs()]: s.sets.vcs(),
    }
}

/// Parameters of a VC allocator.
pub(super) fn parameters(
    connectivity: &Connectivity,
    sets: VcSets,
    transition: ClassTransition,
    p: AllocatorParams,
    whole: Option<WholePackets>,
) -> Parameters {
    let numbered = connectivity.numbered_parameters().with("vcs", &sets.vcs()).with("classes", &sets.classes());
    numbered.beside("sets", &sets).beside("allocator", &p).beside("transition", &transition).beside("whole", &whole)
}

/// A VC allocator for the points of `connectivity`; `transition`: how packets may change their routing class.
pub fn vc_allocator(
    connectivity: &Connectivity,
    sets: VcSets,
    transition: ClassTransition,
    p: AllocatorParams,
) -> Module {
    whole_packet_vc_allocator(connectivity, sets, transition, p, None)
}

/// The same with output VCs for packets that fit whole: then there are `length<i>` (V * L) and, of free places, `places<o>` (V * R).
pub fn whole_packet_vc_allocator(
    connectivity: &Connectivity,
    sets: VcSets,
    transition: ClassTransition,
    p: AllocatorParams,
    whole: Option<WholePackets>,
) -> Module {
    let vcs = sets.vcs();
    let m = Builder::new("vc_allocator", parameters(connectivity, sets, transition, p, whole));
    m.doc("Matches waiting packets and free virtual channels of the outputs.");
    let (inputs, outputs) = (connectivity.inputs().len(), connectivity.outputs().len());
    let shape = VcAllocatorShape { connectivity, sets, transition, whole, two_class: false };
    let io = VcAllocatorPorts::new(&m, &shape);
    let free: Vec<_> = (0..outputs).map(|o| io.free(o)).collect();

    let v = vcs as usize;
    let of_class = |class: u32| sets.of(class).map(|ovc| ovc as usize);
    // Those that keep their class, and those that go so many classes up.
    let crossings: Vec<_> =
        transition.offsets().into_iter().map(|offset| (offset, transition_vcs(sets, transition, offset))).collect();
    let (mut requests, mut others) = (vec![], vec![vec![]; crossings.len()]);
    for i in 0..inputs {
        let reach = connectivity.outputs_of(i);
        let request = io.request(i);
        for ivc in 0..v {
            for (k, output) in reach.iter().enumerate() {
                let bit = Bit { word: request, at: (k * v + ivc) as u32 };
                let same = of_class(sets.class(ivc as u32));
                requests.extend(same.map(|ovc| MatrixRequest { row: i * v + ivc, column: output * v + ovc, bit }));
            }
        }
        for ((offset, changing), other) in crossings.iter().zip(&mut others) {
            let cross = io.request_up((*offset, i));
            for (at, ivc) in changing.iter().map(|vc| *vc as usize).enumerate() {
                for (k, output) in reach.iter().enumerate() {
                    let bit = Bit { word: cross, at: (k * changing.len() + at) as u32 };
                    let there = class_behind(sets, transition, ivc as u32, *offset).expect("it may change its class");
                    let there = of_class(there);
                    other.extend(there.map(|ovc| MatrixRequest { row: i * v + ivc, column: output * v + ovc, bit }));
                }
            }
        }
    }
    let same_class = requests.len();
    let mut ranges = vec![];
    for other in others {
        ranges.push(requests.len()..requests.len() + other.len());
        requests.extend(other);
    }
    if let Some(whole) = whole {
        only_fitting(&m, io, &shape, whole, &mut requests);
    }
    if transition.is_last_resort() {
        only_where_nothing_is_free(&m, (inputs, v), &free, same_class, &mut requests);
    }
    let matrix = Requests {
        all: &requests,
        free: &|column| Some(Bit { word: free[column / v], at: (column % v) as u32 }),
        row_name: &|row| ("input", row / v, ("vc", row % v)).text(),
        column_name: &|column| ("output", column / v, ("vc", column % v)).text(),
    };
    let matching = p.kind.policy().allocate(&m, p, &matrix);

    for i in 0..inputs {
        let own = |range: std::ops::Range<usize>| {
            join(
                requests[range.clone()]
                    .iter()
                    .zip(&matching.grants[range])
                    .filter(|(r, _)| r.row / v == i)
                    .map(|(_, g)| *g),
            )
        };
        io.grant(i, own(0..same_class));
        for ((offset, _), range) in crossings.iter().zip(&ranges) {
            io.grant_up((*offset, i), own(range.clone()));
        }
    }
    for o in 0..outputs {
        let taken = (0..v).map(|ovc| {
            let column = o * v + ovc;
            let own = requests.iter().zip(&matching.grants).filter(|(r, _)| r.column == column);
            matching.taken(column, own.map(|(_, grant)| *grant))
        });
        io.taken(o, row(taken));
    }
    m.finish()
}

/// Removes requests for VCs of another class where a VC that a packet asks for in its own is free; the latter requests are the first
/// `same_class` ones.
fn only_where_nothing_is_free<'m>(
    m: &'m Builder,
    (inputs, vcs): (usize, usize),
    free: &[Signal<'m>],
    same_class: usize,
    requests: &mut [MatrixRequest<'m>],
) {
    m.comment("A packet changes its class only where no VC of its own is free.");
    for i in 0..inputs {
        let others: Vec<_> = (same_class..requests.len()).filter(|&r| requests[r].row / vcs == i).collect();
        let rows: Vec<_> =
            (i * vcs..(i + 1) * vcs).filter(|&at| others.iter().any(|&r| requests[r].row == at)).collect();
        if rows.is_empty() {
            continue;
        }
        let is_free = |at: &usize| {
            let own = requests[..same_class].iter().filter(|request| request.row == *at);
            let open = own.map(|MatrixRequest { column, bit, .. }| {
                bit.word.bit(bit.at) & free[column / vcs].bit((column % vcs) as u32)
            });
            row(open.collect::<Vec<_>>()).any()
        };
        let has_own = m.wire(("own_is_free", i), row(rows.iter().map(is_free).collect::<Vec<_>>()));
        let asks = |&r: &usize| {
            let MatrixRequest { row, bit, .. } = requests[r];
            let at = rows.iter().position(|at| *at == row).expect("it has a request");
            bit.word.bit(bit.at) & !has_own.bit(at as u32)
        };
        let word = m.wire(("last_resort", i), row(others.iter().map(asks).collect::<Vec<_>>()));
        for (at, r) in (0..).zip(others) {
            requests[r].bit = Bit { word, at };
        }
    }
}

/// Removes requests for VCs without places for the whole packet.
fn only_fitting<'m>(
    m: &'m Builder,
    io: VcAllocatorPorts<'m>,
    VcAllocatorShape { connectivity, sets, .. }: &VcAllocatorShape<'_>,
    whole: WholePackets,
    requests: &mut [MatrixRequest<'m>],
) {
    let WholePackets { length_bits, depths, adaptive } = whole;
    let (vcs, places_bits) = (sets.vcs(), whole.places_bits(sets.vcs()));
    let places_of = (0..connectivity.outputs().len()).filter_map(|o| Some(io.places(o)?.parts(places_bits)));
    let places_of: Vec<_> = places_of.collect();
    let bits = places_bits.max(length_bits);
    for i in 0..connectivity.inputs().len() {
        let lengths = io.length(i).map_or(vec![], |lengths| lengths.parts(length_bits));
        let v = vcs as usize;
        let own: Vec<_> = (0..requests.len()).filter(|&r| requests[r].row / v == i).collect();
        let possible = own.iter().map(|&r| {
            let MatrixRequest { row, column, bit } = requests[r];
            let (ivc, output, ovc) = (row % v, column / v, (column % v) as u32);
            let asked = bit.word.bit(bit.at);
            if adaptive.is_some_and(|classes| sets.class(ovc) % classes != classes - 1) {
                return asked;
            }
            let places = places_of[output][ovc as usize];
            let fits = places.extend(bits).ge(lengths[ivc].extend(bits)) | places.eq(depths.of(ovc) as u64);
            asked & fits
        });
        let word = m.wire(("fitting", i), row(possible.collect::<Vec<_>>()));
        for (at, r) in (0..).zip(own) {
            requests[r].bit = Bit { word, at };
        }
    }
}
