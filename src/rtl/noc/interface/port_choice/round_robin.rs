//! Ports in turn.

use super::{PortChoiceInputs, PortPolicy, Reads, first_from};
use crate::blocks::next_turn;
use hdl::Signal;

/// See the [module documentation](self).
pub struct RoundRobin;

impl PortPolicy for RoundRobin {
    fn reads(&self) -> Reads {
        Reads { advance: true, ..Reads::default() }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        let PortChoiceInputs { m, ports, .. } = *inputs;
        let turn = m.register("turn", ports, 1);
        let port = m.wire("chosen", first_from(m, turn, &inputs.open()));
        m.when(inputs.advance(), || m.set(turn, next_turn(port)));
        port
    }
}
