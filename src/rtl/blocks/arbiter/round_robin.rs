//! Round robin: `n` bits of state, the requesters after the last winner; they come first, then all others.

use super::{Arbitration, of_chosen, of_set};
use crate::select::{above_mask, lowest_set};
use hdl::{Builder, Signal, mux};

/// See the [module documentation](self).
pub struct RoundRobinArbiter;

impl Arbitration for RoundRobinArbiter {
    fn doc(&self) -> &'static str {
        "Round-robin arbiter: the requester after the last winner comes first."
    }

    fn grant<'m>(
        &self,
        m: &'m Builder,
        requests: &[Signal<'m>],
        which: Option<Signal<'m>>,
        advance: Signal<'m>,
    ) -> Signal<'m> {
        let mask = m.register("mask", requests[0].width(), 0);
        let sets = requests.iter().enumerate().map(|(k, &request)| {
            let name = |name| of_set(name, k, requests.len());
            let masked = m.wire(name("masked"), request & mask);
            // The first of those after the last winner and the first of all at once: the choice between the two waits for neither.
            let after = m.wire(name("some_after"), masked.any());
            let first = m.wire(name("chosen"), mux(after, lowest_set(masked), lowest_set(request)));
            (first, mux(after, above_mask(masked), above_mask(request)))
        });
        let (firsts, masks): (Vec<_>, Vec<_>) = sets.unzip();
        let some: Vec<_> = requests.iter().map(|request| request.any()).collect();
        m.when(advance & of_chosen(which, &some), || m.set(mask, of_chosen(which, &masks)));
        of_chosen(which, &firsts)
    }
}
