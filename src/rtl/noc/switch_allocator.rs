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
use blocks::at_most_one;
use hdl::{Builder, Module, Parameters, PortName, ports, row};

/// What a switch allocator matches.
pub(super) struct SwitchAllocatorShape<'a> {
    pub connectivity: &'a Connectivity,
    /// It knows which requests have a priority.
    pub two_class: bool,
}

impl SwitchAllocatorShape<'_> {
    /// Requests of an input: a part for each switch input.
    fn requests(&self, input: usize) -> u32 {
        self.connectivity.outputs_of(input).len() as u32 * self.connectivity.switch_inputs(input)
    }

    /// Inputs whose requests may have a priority.
    fn high(&self) -> Vec<usize> {
        if self.two_class { self.connectivity.priority_inputs() } else { vec![] }
    }
}

ports! {
    /// Ports of a switch allocator, beside its seed.
    pub(super) struct SwitchAllocatorPorts(s: &SwitchAllocatorShape<'_>) of SwitchAllocator {
        /// Outputs that an input asks for.
        in request[i: usize in 0..s.connectivity.inputs().len()]: s.requests(i),
        /// Of these, those of packets with a priority.
        in high[i: usize in s.high()]: s.requests(i),
        /// The output that it is given, one-hot, or none.
        out grant[i: usize in 0..s.connectivity.inputs().len()]: s.requests(i),
        /// The switch input that an output is given to, one-hot, or none.
        out sender[o: usize in 0..s.connectivity.outputs().len()]: s.connectivity.switch_inputs_of(o),
    }
}

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
    let io = SwitchAllocatorPorts::new(&m, &SwitchAllocatorShape { connectivity, two_class: false });
    let rows = connectivity.switch_rows();
    let mut requests = vec![];
    for i in 0..inputs {
        let reach = connectivity.outputs_of(i);
        let word = io.request(i);
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
        io.grant(i, row(of_input));
    }
    for column in 0..outputs {
        let sender = join(requests.iter().zip(&grants).filter(|(r, _)| r.column == column).map(|(_, g)| *g));
        m.always("an output gets at most one input", at_most_one(sender));
        io.sender(column, sender);
    }
    m.finish()
}
