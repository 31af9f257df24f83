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
use crate::blocks::{at_most_one, payload_mux};
use hdl::{Builder, Module, row};

/// A crossbar for the points of `connectivity`, for flits with `control` and `width` bits.
pub fn crossbar(connectivity: &Connectivity, control: u32, width: u32) -> Module {
    let names = connectivity.numbered_parameters().with("control", &control).with("width", &width);
    let m = Builder::new("crossbar", names.beside("switch_inputs", &connectivity.switch_speedup()));
    m.doc("A multiplexer for each output, over the inputs that may send to it.");
    let inputs: Vec<_> = (0..connectivity.inputs().len())
        .map(|i| {
            let each = |field: &str, width: u32| {
                m.input(("from", i, field), connectivity.switch_inputs(i) * width).parts(width)
            };
            let select = each("select", connectivity.outputs_of(i).len() as u32);
            (select, each("control", control), each("payload", width))
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
        m.output_of(("to", o, "valid"), select.any());
        let controls: Vec<_> = sources.iter().flat_map(|&i| inputs[i].1.clone()).collect();
        let payloads: Vec<_> = sources.iter().flat_map(|&i| inputs[i].2.clone()).collect();
        m.output_of(("to", o, "control"), payload_mux(select, &controls));
        m.output_of(("to", o, "payload"), payload_mux(select, &payloads));
    }
    m.finish()
}
