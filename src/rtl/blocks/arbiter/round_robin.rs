//! Round robin: `n` bits of state, the requesters after the last winner; they come first, then all others.

use super::Arbitration;
use crate::blocks::select::{above_mask, lowest_set};
use hdl::{Builder, Signal, mux};

/// See the [module documentation](self).
pub struct RoundRobinArbiter;

impl Arbitration for RoundRobinArbiter {
    fn doc(&self) -> &'static str {
        "Round-robin arbiter: the requester after the last winner comes first."
    }

    fn grant<'m>(&self, m: &'m Builder, request: Signal<'m>, advance: Signal<'m>) -> Signal<'m> {
        let mask = m.register("mask", request.width(), 0);
        let masked = m.wire("masked", request & mask);
        // The first of those after the last winner and the first of all at once: the choice between the two waits for neither.
        let after = m.wire("some_after", masked.any());
        m.when(advance & request.any(), || m.set(mask, mux(after, above_mask(masked), above_mask(request))));
        m.wire("chosen", mux(after, lowest_set(masked), lowest_set(request)))
    }
}
