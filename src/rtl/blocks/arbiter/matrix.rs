//! Matrix: the order in which the requesters were last granted decides, `n (n - 1) / 2` bits of state; the winner goes
//! to its end.

use super::{Arbitration, of_chosen, of_set};
use crate::{
    order::{OrderOfUse, first, order_of_use},
    select::at_most_one,
};
use hdl::{Builder, Signal};

/// See the [module documentation](self).
pub struct Matrix;

impl Arbitration for Matrix {
    fn doc(&self) -> &'static str {
        "Matrix arbiter: the least recently granted requester comes first."
    }

    fn grant<'m>(
        &self,
        m: &'m Builder,
        requests: &[Signal<'m>],
        which: Option<Signal<'m>>,
        advance: Signal<'m>,
    ) -> Signal<'m> {
        let order = OrderOfUse(m.instance("order", &order_of_use(requests[0].width())));
        let first = |(k, &request): (usize, &Signal<'m>)| {
            first(m, &of_set("choice", k, requests.len()), order.before(), request)
        };
        let firsts: Vec<_> = requests.iter().enumerate().map(first).collect();
        let grant = of_chosen(which, &firsts).named("chosen");
        order.now(grant);
        order.advance(advance);
        let request = of_chosen(which, requests);
        m.always("one of the requests is granted", at_most_one(grant) & grant.any().eq(request.any()));
        grant
    }
}
