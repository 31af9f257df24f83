//! Matrix: the order in which the requesters were last granted decides, `n (n - 1) / 2` bits of state; the winner goes
//! to its end.

use super::Arbitration;
use crate::blocks::{order::order_and_first, select::at_most_one};
use hdl::{Builder, Signal};

/// See the [module documentation](self).
pub struct Matrix;

impl Arbitration for Matrix {
    fn doc(&self) -> &'static str {
        "Matrix arbiter: the least recently granted requester comes first."
    }

    fn grant<'m>(&self, m: &'m Builder, request: Signal<'m>, advance: Signal<'m>) -> Signal<'m> {
        let grant = order_and_first(m, request, |first| first, advance).named("chosen");
        m.always("one of the requests is granted", at_most_one(grant) & grant.any().eq(request.any()));
        grant
    }
}
