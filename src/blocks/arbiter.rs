//! Arbiters: choose one of several requests, fairly.
//!
//! ```text
//!               +------------------+
//!  request (n)->|     arbiter      |-> grant (n): one-hot, a subset of request; zero iff request is zero
//!  advance (1)->|  priority state  |
//!               +------------------+
//! ```
//!
//! Contract: `grant` follows `request` in the same cycle. The priorities move at the clock edge, only when `advance` is high
//! (the grant was used) and there is a grant; so a grant that cannot be used is offered again. A requester that keeps
//! requesting waits for at most `n - 1` used grants of others. After reset requester 0 comes first.
//!
//! * [`ArbiterKind::RoundRobin`]: the requester after the last winner comes first (`n` bits of state).
//! * [`ArbiterKind::Matrix`]: the least recently granted requester comes first (`n (n - 1) / 2` bits of state).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 18.4 (round-robin) and
//! 18.5 (matrix arbiter). Testbenches: `testbenches/round_robin_arbiter/`, `testbenches/matrix_arbiter/`.

use super::{
    order::order_and_first,
    select::{above_mask, at_most_one, lowest_set},
};
use crate::{
    hdl::{Builder, Module, PortName, Signal, mux},
    params,
};
use serde::{Deserialize, Serialize};

/// How an arbiter orders its requesters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArbiterKind {
    /// The requester after the last winner comes first.
    #[default]
    RoundRobin,
    /// The least recently granted requester comes first.
    Matrix,
}

/// Grant to one of the bits of `request`, by an arbiter instance called `name`. A single request needs no arbiter: it is granted.
#[track_caller]
pub fn arbitrate<'m>(
    m: &'m Builder,
    name: impl PortName,
    kind: ArbiterKind,
    request: Signal<'m>,
    advance: Signal<'m>,
) -> Signal<'m> {
    match request.width() {
        1 => request,
        n => arbitrate_by(m, name, &arbiter(kind, n), request, advance),
    }
}

/// Grant to one of the bits of `request`, by an instance called `name` of an arbiter over as many.
#[track_caller]
pub fn arbitrate_by<'m>(
    m: &'m Builder,
    name: impl PortName,
    arbiter: &Module,
    request: Signal<'m>,
    advance: Signal<'m>,
) -> Signal<'m> {
    let instance = m.instance(name, arbiter);
    instance.drive("request", request);
    instance.drive("advance", advance);
    instance.get("grant")
}

/// An arbiter over `n` requests, `n >= 2`.
pub fn arbiter(kind: ArbiterKind, n: u32) -> Module {
    let m = match kind {
        ArbiterKind::RoundRobin => Builder::new("round_robin_arbiter", params! { n }),
        ArbiterKind::Matrix => Builder::new("matrix_arbiter", params! { n }),
    };
    m.require(n >= 2, &format!("arbiter: n = {n} requests, at least 2 are needed"));
    let request = m.input("request", n.max(2));
    let advance = m.input("advance", 1);
    match kind {
        ArbiterKind::RoundRobin => round_robin(&m, request, advance),
        ArbiterKind::Matrix => matrix(&m, request, advance),
    }
    m.finish()
}

/// `mask` holds the requesters after the last winner: they come first, then all others.
fn round_robin<'m>(m: &'m Builder, request: Signal<'m>, advance: Signal<'m>) {
    m.doc("Round-robin arbiter: the requester after the last winner comes first.");
    let mask = m.register("mask", request.width(), 0);
    let masked = m.wire("masked", request & mask);
    let grant = m.wire("chosen", lowest_set(mux(masked.any(), masked, request)));
    m.output_of("grant", grant);
    m.when(advance & request.any(), || m.set(mask, above_mask(grant)));
}

/// The order in which the requesters were last granted decides; the winner goes to its end.
fn matrix<'m>(m: &'m Builder, request: Signal<'m>, advance: Signal<'m>) {
    m.doc("Matrix arbiter: the least recently granted requester comes first.");
    let grant = order_and_first(m, request, |first| first, advance).named("chosen");
    m.output_of("grant", grant);
    m.always("one of the requests is granted", at_most_one(grant) & grant.any().eq(request.any()));
}
