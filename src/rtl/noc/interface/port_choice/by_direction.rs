//! `smart` and `opposite`: by the direction of the last packet that each port took.
//!
//! `smart`, as section 5.3.1 has it: step 1, start with a random port; step 2, if it is empty, inject to it; step 3, if
//! the last packet that was injected to it bids for the same direction, inject to it; step 4, else try the next port,
//! and take the last one if there is no more. All ports are tried at once. `opposite` turns step 3 around.

use super::{
    PortChoiceInputs, PortChoiceReads, PortPolicy,
    policy::{first_from, last_from},
};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct ByDirection {
    /// Packets of one direction go to different ports.
    pub spreads: bool,
}

impl PortPolicy for ByDirection {
    fn reads(&self) -> PortChoiceReads {
        PortChoiceReads { direction: true, queues: true, random: true, advance: true }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        let PortChoiceInputs { m, ports, .. } = *inputs;
        let direction = inputs.direction();
        let (start, used, open) = (inputs.random(), inputs.used(), inputs.open());
        let lasts: Vec<_> = (0..ports).map(|i| m.register(("last_direction", i), 2, 0)).collect();
        let suits = used.iter().zip(&lasts).zip(&open).map(|((used, last), open)| {
            let same = last.eq(direction);
            *open & (used.is_zero() | if self.spreads { !same } else { same })
        });
        let suits: Vec<_> = suits.collect();
        let first = m.wire("first_that_suits", first_from(m, start, &suits));
        let port = m.wire("chosen", mux(first.any(), first, last_from(m, start, &open)));
        let taken = inputs.advance();
        for (i, last) in (0..).zip(lasts) {
            m.when(taken & port.bit(i), || m.set(last, direction));
        }
        port
    }
}
