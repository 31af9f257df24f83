//! Credit counter: the sender's knowledge of the free places in the receiver's buffer.
//!
//! ```text
//!              +----------------+
//!  send   (1)->|  count (0 ..=  |-> available (1): at least one place is free
//!  credit (1)->|        places) |-> count
//!              +----------------+
//! ```
//!
//! Contract: outputs depend on registers alone. `send` takes a place, `credit` gives one back, both may come in one
//! cycle. After reset all `places` are free. Never: `send` without `available`, more credits than `places` (asserted).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, section 13.3
//! (credit-based flow control). Testbench: `testbenches/credit_counter/`.

use hdl::{Builder, Module, index_width, mux, params, ports};

ports! {
    /// Ports of a [`credit_counter`] of so many places.
    pub struct CreditCounterPorts(places: &usize) of CreditCounter {
        /// Takes a place.
        in send: 1,
        /// A place is free again.
        in credit: 1,
        /// At least one place is free.
        out available: 1,
        /// Free places.
        out count: index_width(*places + 1),
    }
}

/// A counter of the credits for a buffer of `places` (1 and up); `count` has `index_width(places + 1)` bits.
pub fn credit_counter(places: usize) -> Module {
    let m = Builder::new("credit_counter", params! { places });
    m.doc("Free places in the receiver's buffer, as its sender knows them.");
    m.require(places >= 1, "credit counter: places = 0, at least 1 is needed");
    let width = index_width(places + 1);
    let io = CreditCounterPorts::new(&m, &places);
    let (send, credit) = (io.send(), io.credit());
    let count = m.register("free", width, places as u64);
    m.comment("A register: switch allocation begins with it.");
    let available = m.register("some_free", 1, 1);
    io.available(available);
    io.count(count);
    m.when(send ^ credit, || {
        m.set(count, mux(send, count - 1, count + 1));
        m.set(available, !send | count.ne(1));
    });
    m.always("what is available is counted", available.eq(count.any()));
    m.always("nothing is sent without a credit", !send | available);
    m.always("no more credits than places", !credit | send | count.ne(places));
    m.finish()
}
