//! Ports in turn.

use super::{PortChoiceInputs, PortChoiceReads, PortPolicy, policy::first_from};
use blocks::next_turn;
use hdl::Signal;

/// See the [module documentation](self).
pub struct RoundRobinPort;

impl PortPolicy for RoundRobinPort {
    fn reads(&self) -> PortChoiceReads {
        PortChoiceReads { advance: true, ..PortChoiceReads::default() }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        let PortChoiceInputs { m, ports, .. } = *inputs;
        let turn = m.register("turn", ports, 1);
        let port = m.wire("chosen", first_from(m, turn, &inputs.open()));
        m.when(inputs.advance(), || m.set(turn, next_turn(port)));
        port
    }
}
