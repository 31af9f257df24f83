//! Switch allocator: gives inputs the crossbar for the next cycle.
//!
//! ```text
//!                             +--------------+
//!  request_<input> (K) ------>|   separable  |-> grant_<input> (K, one-hot or zero): the output granted to this input
//!    [output k]               |   allocator  |-> sender_<output> (inputs of the output, one-hot or zero): the same, by output
//!                             +--------------+
//! ```
//!
//! Contract: combinational; an input is granted at most one output, an output at most one input, and only what was requested
//! (asserted).
//!
//! Testbench: `testbenches/switch_allocator/`.

use super::{
    Connectivity,
    allocator::{AllocatorParams, Bit, Request, allocate, join},
};
use crate::{
    blocks::at_most_one,
    hdl::{Builder, Module},
    params,
};

/// A switch allocator for the points of `connectivity`.
pub fn switch_allocator(connectivity: &Connectivity, p: AllocatorParams) -> Module {
    let m = Builder::new("switch_allocator", params! { x: connectivity.key(), allocator: p.key() });
    m.doc("Matches inputs and outputs of the crossbar for the next cycle.");
    let (inputs, outputs) = (connectivity.inputs(), connectivity.outputs());
    let mut requests = vec![];
    for (row, input) in inputs.iter().enumerate() {
        let reach = connectivity.outputs_of(row);
        let request = m.input(&format!("request_{input}"), reach.len() as u32);
        let bits = reach.into_iter().zip((0..).map(|at| Bit { word: request, at }));
        requests.extend(bits.map(|(column, bit)| Request { row, column, bit }));
    }
    let row_name = |row: usize| format!("input_{}", inputs[row]);
    let column_name = |column: usize| format!("output_{}", outputs[column]);
    let grants = allocate(&m, p, &requests, |_| None, row_name, column_name);
    for (row, input) in inputs.iter().enumerate() {
        let grant = join(requests.iter().zip(&grants).filter(|(r, _)| r.row == row).map(|(_, g)| *g));
        m.always("an input gets at most one output", at_most_one(grant));
        m.output_of(&format!("grant_{input}"), grant);
    }
    for (column, output) in outputs.iter().enumerate() {
        let sender = join(requests.iter().zip(&grants).filter(|(r, _)| r.column == column).map(|(_, g)| *g));
        m.always("an output gets at most one input", at_most_one(sender));
        m.output_of(&format!("sender_{output}"), sender);
    }
    m.finish()
}
