//! Ports at random.

use super::{PortChoiceInputs, PortPolicy, Reads, first_from};
use hdl::Signal;

/// See the [module documentation](self).
pub struct Random;

impl PortPolicy for Random {
    fn reads(&self) -> Reads {
        Reads { random: true, ..Reads::default() }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        first_from(inputs.m, inputs.random(), &inputs.open())
    }
}
