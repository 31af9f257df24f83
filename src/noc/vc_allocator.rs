//! VC allocator: gives waiting packets a virtual channel of the output port that they go to.
//!
//! ```text
//!                                   +--------------+
//!  request_<input>  (K * V) ------->|   separable  |-> grant_<input> (V * K * C)
//!    [output k][input VC]           |   allocator  |     [input VC][output k][VC of the class]
//!  [fall_<input>    (K * V / 2)] -->| over allowed |-> [fall_grant_<input> (V / 2 * K * C)]
//!  free_<output>    (V) ----------->|   points     |-> taken_<output> (V): this output VC has a new owner
//!                                   +--------------+
//! ```
//!
//! `K` counts the outputs that the input may send to, `C = V / classes` the VCs of a class: with `request` a packet stays in its class, so
//! input VC v asks only for output VCs of the class that v belongs to. Where packets may fall from phase 1 (odd classes) to phase 0 (the
//! class before), `fall` asks for that class; its bits are those of the input VCs of odd classes, in order. Contract: combinational; an input VC is granted at most one output
//! VC, an output VC is granted at most once and only when free. Occupancy downstream does not matter here.
//!
//! Testbench: `testbenches/vc_allocator/`.

use super::{
    Connectivity,
    allocator::{AllocatorParams, Bit, Request, allocate, gather, join},
};
use crate::{
    hdl::{Builder, Module},
    params,
};

/// Numbers of the VCs of phase 1: those of the odd ones of `classes` classes.
pub(super) fn upper_vcs(vcs: u32, classes: u32) -> Vec<u32> {
    let group = vcs / classes;
    (0..vcs).filter(|vc| vc / group % 2 == 1).collect()
}

/// A VC allocator for the points of `connectivity`; `falls`: packets may go from the odd classes to those before.
pub fn vc_allocator(connectivity: &Connectivity, vcs: u32, classes: u32, falls: bool, p: AllocatorParams) -> Module {
    let mut names = params! { x: connectivity.key(), vcs, classes, allocator: p.key() };
    if falls {
        names.push(("falls".into(), "1".into()));
    }
    let m = Builder::new("vc_allocator", names);
    m.doc("Matches waiting packets and free virtual channels of the outputs.");
    let group = vcs / classes;
    let (inputs, outputs) = (connectivity.inputs(), connectivity.outputs());
    let free: Vec<_> = outputs.iter().map(|o| m.input(&format!("free_{o}"), vcs)).collect();

    let (v, c) = (vcs as usize, group as usize);
    let (mut requests, mut falling) = (vec![], vec![]);
    let upper = if falls { upper_vcs(vcs, classes) } else { vec![] };
    for (i, input) in inputs.iter().enumerate() {
        let reach = connectivity.outputs_of(i);
        let request = m.input(&format!("request_{input}"), reach.len() as u32 * vcs);
        for ivc in 0..v {
            for (k, output) in reach.iter().enumerate() {
                let bit = Bit { word: request, at: (k * v + ivc) as u32 };
                let of_class = |ovc| Request { row: i * v + ivc, column: output * v + ivc / c * c + ovc, bit };
                requests.extend((0..c).map(of_class));
            }
        }
        if falls {
            let fall = m.input(&format!("fall_{input}"), (reach.len() * upper.len()) as u32);
            for (at, ivc) in upper.iter().map(|vc| *vc as usize).enumerate() {
                for (k, output) in reach.iter().enumerate() {
                    let bit = Bit { word: fall, at: (k * upper.len() + at) as u32 };
                    let lower = |ovc| Request { row: i * v + ivc, column: output * v + (ivc / c - 1) * c + ovc, bit };
                    falling.extend((0..c).map(lower));
                }
            }
        }
    }
    let staying = requests.len();
    requests.extend(falling);
    let grants = allocate(
        &m,
        p,
        &requests,
        |column| Some(free[column / v].bit((column % v) as u32)),
        |row| format!("input_{}_vc{}", inputs[row / v], row % v),
        |column| format!("output_{}_vc{}", outputs[column / v], column % v),
    );

    for (i, input) in inputs.iter().enumerate() {
        let own = |range: std::ops::Range<usize>| {
            join(requests[range.clone()].iter().zip(&grants[range]).filter(|(r, _)| r.row / v == i).map(|(_, g)| *g))
        };
        m.output_of(&format!("grant_{input}"), own(0..staying));
        if falls {
            m.output_of(&format!("fall_grant_{input}"), own(staying..requests.len()));
        }
    }
    for (o, output) in outputs.iter().enumerate() {
        let taken = (0..v).map(|ovc| {
            let column = o * v + ovc;
            join(requests.iter().zip(&grants).filter(|(r, _)| r.column == column).map(|(_, g)| *g)).any()
        });
        m.output_of(&format!("taken_{output}"), gather(taken));
    }
    m.finish()
}
