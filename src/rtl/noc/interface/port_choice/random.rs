//! Ports at random.

use super::{PortChoiceInputs, PortChoiceReads, PortPolicy, policy::first_from};
use hdl::Signal;

/// See the [module documentation](self).
pub struct RandomPort;

impl PortPolicy for RandomPort {
    fn reads(&self) -> PortChoiceReads {
        PortChoiceReads { random: true, ..PortChoiceReads::default() }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        first_from(inputs.m, inputs.random(), &inputs.open())
    }
}
