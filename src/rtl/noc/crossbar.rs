//! Crossbar: moves the flits that won the switch from the inputs' traversal registers to the output units.
//!
//! ```text
//!  from<i>_select (K, one-hot or zero) ->+-----------+-> to<o>_valid
//!  from<i>_control (c) ----------------->|  one mux  |-> to<o>_control (c)
//!  from<i>_payload (W) ----------------->| an output |-> to<o>_payload (W)
//!                                        +-----------+
//! ```
//!
//! Ports are numbered as in the connectivity matrix. An input with several switch inputs
//! ([`InputPort`](super::connectivity::InputPort)) has them side by side in its ports. Contract: combinational;
//! `control` and `payload` of an output mean nothing while its `valid` is zero. An output has a multiplexer input only
//! for the inputs that the connectivity matrix allows. Never: two inputs select one output (asserted).

use super::Connectivity;
use blocks::{at_most_one, payload_mux};
use hdl::{Builder, Module, bundle, ports, row};

bundle! {
    /// What a crossbar takes from an input: a part for each switch input. Widths of all of them.
    pub struct FromInput(widths: &[u32; 3]) {
        /// The output that the flit goes to, of those within reach, one-hot, or none.
        select: widths[0],
        /// Control of the flit.
        control: widths[1],
        /// Its payload.
        payload: widths[2],
    }
}

bundle! {
    /// What a crossbar gives to an output. Widths of control and payload.
    pub struct ToOutput(widths: &[u32; 2]) {
        /// There is a flit.
        valid: 1,
        /// Control of the flit.
        control: widths[0],
        /// Its payload.
        payload: widths[1],
    }
}

/// What a crossbar connects.
struct CrossbarShape<'a> {
    connectivity: &'a Connectivity,
    /// Bits of control, and of payload.
    widths: [u32; 2],
}

impl CrossbarShape<'_> {
    fn widths_from(&self, input: usize) -> [u32; 3] {
        let (reach, [control, payload]) = (self.connectivity.outputs_of(input).len() as u32, self.widths);
        [reach, control, payload].map(|width| self.connectivity.switch_inputs(input) * width)
    }
}

ports! {
    /// Ports of a [`crossbar`].
    pub struct CrossbarPorts(s: &CrossbarShape<'_>) of Crossbar {
        /// Flits of an input.
        in from[i: usize in 0..s.connectivity.inputs().len()]: bundle FromInput(&s.widths_from(i)),
        /// The flit for an output.
        out to[o: usize in 0..s.connectivity.outputs().len()]: bundle ToOutput(&s.widths),
    }
}

/// A crossbar for the points of `connectivity`, for flits with `control` and `width` bits.
pub fn crossbar(connectivity: &Connectivity, control: u32, width: u32) -> Module {
    let names = connectivity.numbered_parameters().with("control", &control).with("width", &width);
    let m = Builder::new("crossbar", names.beside("switch_inputs", &connectivity.switch_speedup()));
    m.doc("A multiplexer for each output, over the inputs that may send to it.");
    let io = CrossbarPorts::new(&m, &CrossbarShape { connectivity, widths: [control, width] });
    let inputs: Vec<_> = (0..connectivity.inputs().len())
        .map(|i| {
            let FromInput { select, control: controls, payload } = io.from(i);
            let reach = connectivity.outputs_of(i).len() as u32;
            (select.parts(reach), controls.parts(control), payload.parts(width))
        })
        .collect();
    for o in 0..connectivity.outputs().len() {
        let sources = connectivity.inputs_of(o);
        let chosen = |&i: &usize| {
            let k = connectivity.outputs_of(i).iter().position(|&reached| reached == o);
            let k = k.expect("the matrix has a one here") as u32;
            row(inputs[i].0.iter().map(|select| select.bit(k)))
        };
        let select = m.wire(("select", o), row(sources.iter().map(chosen)));
        m.always("one flit an output", at_most_one(select));
        let controls: Vec<_> = sources.iter().flat_map(|&i| inputs[i].1.clone()).collect();
        let payloads: Vec<_> = sources.iter().flat_map(|&i| inputs[i].2.clone()).collect();
        let (control, payload) = (payload_mux(select, &controls), payload_mux(select, &payloads));
        io.to(o, ToOutput { valid: select.any(), control, payload });
    }
    m.finish()
}
