//! Switch allocator: gives inputs the crossbar for the next cycle.
//!
//! ```text
//!                             +--------------+
//!  request_<input> (K) ------>|   separable  |-> grant_<input> (K, one-hot or zero): the output granted to this input
//!    [output k]               |   allocator  |-> sender_<output> (inputs of the output, one-hot or zero): the same, by output
//!                             +--------------+
//! ```
//!
//! With an input speedup `S` of 2 an input has two rows, one for each of its columns of the crossbar, which `request` and `grant` show side
//! by side (`S * K`); `sender` has a bit for each row.
//!
//! Contract: combinational; a row is granted at most one output, an output at most one input, and only what was requested
//! (asserted).
//!
//! Testbench: `testbenches/switch_allocator/`.

use super::{
    Connectivity,
    allocator::{AllocatorParams, Bit, Request, Requests, join},
};
use crate::blocks::at_most_one;
use hdl::{Builder, Module, PortName, params, row};

/// A switch allocator for the points of `connectivity`, with `speedup` (1 or 2) rows for each input.
pub fn switch_allocator(connectivity: &Connectivity, speedup: u32, p: AllocatorParams) -> Module {
    let mut names = params! { x: connectivity.key(), allocator: p.key() };
    if speedup > 1 {
        names.push(("speedup".into(), speedup.to_string()));
    }
    let m = Builder::new("switch_allocator", names);
    m.doc("Matches inputs and outputs of the crossbar for the next cycle.");
    let (inputs, outputs) = (connectivity.inputs(), connectivity.outputs());
    let banks = speedup as usize;
    let mut requests = vec![];
    for (i, input) in inputs.iter().enumerate() {
        let reach = connectivity.outputs_of(i);
        let word = m.input(("request", input), reach.len() as u32 * speedup);
        for bank in 0..banks {
            let bit = |k: usize| Bit { word, at: (bank * reach.len() + k) as u32 };
            requests.extend(reach.iter().zip(0..).map(|(&column, k)| Request {
                row: i * banks + bank,
                column,
                bit: bit(k),
            }));
        }
    }
    let row_name = |row: usize| match banks {
        1 => ("input", inputs[row]).text(),
        _ => ("input", inputs[row / banks], ("bank", row % banks)).text(),
    };
    let column_name = |column: usize| ("output", outputs[column]).text();
    let matrix = Requests { all: &requests, free: &|_| None, row_name: &row_name, column_name: &column_name };
    let grants = p.kind.policy().allocate(&m, p, &matrix).grants;
    for (i, input) in inputs.iter().enumerate() {
        let rows = (0..banks).map(|bank| {
            let row = i * banks + bank;
            let grant = join(requests.iter().zip(&grants).filter(|(r, _)| r.row == row).map(|(_, g)| *g));
            m.always("an input gets at most one output", at_most_one(grant));
            grant
        });
        m.output_of(("grant", input), row(rows));
    }
    for (column, output) in outputs.iter().enumerate() {
        let sender = join(requests.iter().zip(&grants).filter(|(r, _)| r.column == column).map(|(_, g)| *g));
        m.always("an output gets at most one input", at_most_one(sender));
        m.output_of(("sender", output), sender);
    }
    m.finish()
}
