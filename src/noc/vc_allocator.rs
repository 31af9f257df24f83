//! VC allocator: gives waiting packets a virtual channel of the output port that they go to.
//!
//! ```text
//!                                   +--------------+
//!  request_<input>  (K * V) ------->|   separable  |-> grant_<input> (V * K * C)
//!    [output k][input VC]           |   allocator  |     [input VC][output k][VC of the class]
//!  free_<output>    (V) ----------->| over allowed |-> taken_<output> (V): this output VC has a new owner
//!                                   |   points     |
//!                                   +--------------+
//! ```
//!
//! `K` counts the outputs that the input may send to, `C = V / classes` the VCs of a class: a packet stays in its class, so input VC
//! v asks only for output VCs of the class that v belongs to. Contract: combinational; an input VC is granted at most one output
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

/// A VC allocator for the points of `connectivity`.
pub fn vc_allocator(connectivity: &Connectivity, vcs: u32, classes: u32, p: AllocatorParams) -> Module {
    let m = Builder::new("vc_allocator", params! { x: connectivity.key(), vcs, classes, allocator: p.key() });
    m.doc("Matches waiting packets and free virtual channels of the outputs.");
    let group = vcs / classes;
    let (inputs, outputs) = (connectivity.inputs(), connectivity.outputs());
    let free: Vec<_> = outputs.iter().map(|o| m.input(&format!("free_{o}"), vcs)).collect();

    let (v, c) = (vcs as usize, group as usize);
    let mut requests = vec![];
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
    }
    let grants = allocate(
        &m,
        p,
        &requests,
        |column| Some(free[column / v].bit((column % v) as u32)),
        |row| format!("input_{}_vc{}", inputs[row / v], row % v),
        |column| format!("output_{}_vc{}", outputs[column / v], column % v),
    );

    for (i, input) in inputs.iter().enumerate() {
        let own = requests.iter().zip(&grants).filter(|(r, _)| r.row / v == i).map(|(_, g)| *g);
        m.output_of(&format!("grant_{input}"), join(own));
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
