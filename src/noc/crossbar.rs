//! Crossbar: moves the flits that won the switch from the inputs' traversal registers to the output units.
//!
//! ```text
//!  select_from_<input> (K, one-hot or zero) ->+-----------+-> valid_to_<output>
//!  control_from_<input> (c) ----------------->|  one mux  |-> control_to_<output> (c)
//!  payload_from_<input> (W) ----------------->| an output |-> payload_to_<output> (W)
//!                                             +-----------+
//! ```
//!
//! Contract: combinational; `control` and `payload` of an output mean nothing while its `valid` is zero. An output has a multiplexer
//! input only for the inputs that the connectivity matrix allows. Never: two inputs select one output (asserted).

use super::{Connectivity, allocator::gather};
use crate::{
    blocks::{at_most_one, payload_mux},
    hdl::{Builder, Module},
    params,
};

/// A crossbar for the points of `connectivity`, for flits with `control` and `width` bits.
pub fn crossbar(connectivity: &Connectivity, control: u32, width: u32) -> Module {
    let m = Builder::new("crossbar", params! { x: connectivity.key(), control, width });
    m.doc("A multiplexer for each output, over the inputs that may send to it.");
    let inputs: Vec<_> = (connectivity.inputs().iter().enumerate())
        .map(|(i, input)| {
            let select = m.input(&format!("select_from_{input}"), connectivity.outputs_of(i).len() as u32);
            (
                select,
                m.input(&format!("control_from_{input}"), control),
                m.input(&format!("payload_from_{input}"), width),
            )
        })
        .collect();
    for (o, output) in connectivity.outputs().iter().enumerate() {
        let sources = connectivity.inputs_of(o);
        let chosen = |&i: &usize| {
            let k = connectivity.outputs_of(i).iter().position(|&reached| reached == o);
            inputs[i].0.bit(k.expect("the matrix has a one here") as u32)
        };
        let select = m.wire(&format!("from_{output}"), gather(sources.iter().map(chosen)));
        m.always("one flit an output", at_most_one(select));
        m.output_of(&format!("valid_to_{output}"), select.any());
        let controls: Vec<_> = sources.iter().map(|&i| inputs[i].1).collect();
        let payloads: Vec<_> = sources.iter().map(|&i| inputs[i].2).collect();
        m.output_of(&format!("control_to_{output}"), payload_mux(select, &controls));
        m.output_of(&format!("payload_to_{output}"), payload_mux(select, &payloads));
    }
    m.finish()
}
