//! Switch allocator: gives inputs the crossbar for the next cycle.
//!
//! ```text
//!                       +--------------+
//!  request<i> (K) ----->|   separable  |-> grant<i> (K, one-hot or zero): the output granted to this input
//!    [output k]         |   allocator  |-> sender<o> (inputs of the output, one-hot or zero): the same, by output
//!                       +--------------+
//! ```
//!
//! Ports are numbered as in the connectivity matrix. An input with `S` switch inputs
//! ([`InputPort`](super::connectivity::InputPort)) has as many rows, which `request` and `grant` show side by side (`S
//! * K`); `sender` has a bit for each row.
//!
//! Contract: combinational; a row is granted at most one output, an output at most one input, and only what was
//! requested (asserted).
//!
//! Testbench: `testbenches/switch_allocator/`.

use super::{
    Connectivity,
    allocator::{AllocatorParams, Bit, MatrixRequest, Requests, join},
};
use crate::blocks::at_most_one;
use hdl::{Builder, Module, Parameters, PortName, row};

/// Parameters of a switch allocator.
pub(super) fn parameters(connectivity: &Connectivity, p: AllocatorParams) -> Parameters {
    let numbered = connectivity.numbered_parameters().beside("switch_inputs", &connectivity.switch_speedup());
    numbered.beside("allocator", &p)
}

/// A switch allocator for the points of `connectivity`, with a row for each switch input.
pub fn switch_allocator(connectivity: &Connectivity, p: AllocatorParams) -> Module {
    let m = Builder::new("switch_allocator", parameters(connectivity, p));
    m.doc("Matches inputs and outputs of the crossbar for the next cycle.");
    let (inputs, outputs) = (connectivity.inputs().len(), connectivity.outputs().len());
    let rows = connectivity.switch_rows();
    let mut requests = vec![];
    for i in 0..inputs {
        let reach = connectivity.outputs_of(i);
        let word = m.input(("request", i), reach.len() as u32 * connectivity.switch_inputs(i));
        for (row, &(_, s)) in rows.iter().enumerate().filter(|(_, of)| of.0 == i) {
            let bit = |k: usize| Bit { word, at: (s as usize * reach.len() + k) as u32 };
            requests.extend(reach.iter().zip(0..).map(|(&column, k)| MatrixRequest { row, column, bit: bit(k) }));
        }
    }
    let row_name = |row: usize| match rows[row] {
        (i, _) if connectivity.switch_inputs(i) == 1 => ("input", i).text(),
        (i, s) => ("input", i, ("bank", s)).text(),
    };
    let column_name = |column: usize| ("output", column).text();
    let matrix = Requests { all: &requests, free: &|_| None, row_name: &row_name, column_name: &column_name };
    let grants = p.kind.policy().allocate(&m, p, &matrix).grants;
    for i in 0..inputs {
        let of_input = (0..rows.len()).filter(|row| rows[*row].0 == i).map(|row| {
            let grant = join(requests.iter().zip(&grants).filter(|(r, _)| r.row == row).map(|(_, g)| *g));
            m.always("an input gets at most one output", at_most_one(grant));
            grant
        });
        m.output_of(("grant", i), row(of_input));
    }
    for column in 0..outputs {
        let sender = join(requests.iter().zip(&grants).filter(|(r, _)| r.column == column).map(|(_, g)| *g));
        m.always("an output gets at most one input", at_most_one(sender));
        m.output_of(("sender", column), sender);
    }
    m.finish()
}
