//! `smart` and `opposite`: by the direction of the last packet that each port took.
//!
//! `smart`, as section 5.3.1 has it: step 1, start with a random port; step 2, if it is empty, inject to it; step 3, if the last packet
//! that was injected to it bids for the same direction, inject to it; step 4, else try the next port, and take the last one if there is
//! no more. All ports are tried at once. `opposite` turns step 3 around.

use super::{PortChoiceInputs, PortPolicy, Reads};
use crate::blocks::or_all;
use hdl::{Builder, Signal, row};

/// See the [module documentation](self).
pub struct ByDirection {
    /// Packets of one direction go to different ports.
    pub spreads: bool,
}

impl PortPolicy for ByDirection {
    fn reads(&self) -> Reads {
        Reads { direction: true, queues: true, random: true, advance: true }
    }

    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m> {
        let PortChoiceInputs { m, ports, .. } = *inputs;
        let direction = inputs.direction();
        let (start, used) = (inputs.random(), inputs.used());
        let lasts: Vec<_> = (0..ports).map(|i| m.register(("last_direction", i), 2, 0)).collect();
        let suits = used.iter().zip(&lasts).map(|(used, last)| {
            let same = last.eq(direction);
            used.is_zero() | if self.spreads { !same } else { same }
        });
        let suits: Vec<_> = suits.collect();
        let port = m.wire("chosen", first_from(m, start, &suits));
        let taken = inputs.advance();
        for (i, last) in (0..).zip(lasts) {
            m.when(taken & port.bit(i), || m.set(last, direction));
        }
        port
    }
}

/// One-hot: the first that suits from the one in `start` on, around; the last one tried when none does.
fn first_from<'m>(m: &'m Builder, start: Signal<'m>, suits: &[Signal<'m>]) -> Signal<'m> {
    let n = suits.len();
    let from = |s: usize| {
        let mut open = m.lit(1, 1);
        let mut bits = vec![m.lit(1, 0); n];
        for i in 0..n {
            let at = (s + i) % n;
            bits[at] = if i + 1 == n { open } else { open & suits[at] };
            open = open & !suits[at];
        }
        row(bits) & start.bit(s as u32).repeat(n as u32)
    };
    or_all(&(0..n).map(from).collect::<Vec<_>>())
}
