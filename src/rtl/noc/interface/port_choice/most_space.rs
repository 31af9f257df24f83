//! The port with the fewest packets in its queue; of equal ones the lower. When it has no place, none has one.

use super::{PortChoiceInputs, PortChoiceReads, PortPolicy};
use hdl::{Signal, row};

/// See the [module documentation](self).
pub struct MostSpace;

impl PortPolicy for MostSpace {
    fn reads(&self) -> PortChoiceReads {
        PortChoiceReads { queues: true, ..PortChoiceReads::default() }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        let (used, open) = (inputs.used(), inputs.open());
        let least = |i: usize| {
            let others = (0..used.len()).filter(|&j| j != i);
            let before = others.map(|j| if j < i { used[i].lt(used[j]) } else { used[i].le(used[j]) });
            open[i] & before.reduce(|a, b| a & b).expect("at least two ports")
        };
        row((0..used.len()).map(least))
    }
}
