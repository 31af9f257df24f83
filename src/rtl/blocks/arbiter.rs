//! Arbiters: choose one of several requests, fairly.
//!
//! ```text
//!                   +------------------+
//!  request (n * s)->|     arbiter      |-> grant (n): one-hot, a subset of request; zero iff request is zero
//!  [which (s)]    ->|  priority state  |
//!  advance (1)    ->|                  |
//!                   +------------------+
//! ```
//!
//! Contract: `grant` follows `request` in the same cycle. The priorities move at the clock edge, only when `advance` is
//! high (the grant was used) and there is a grant; so a grant that cannot be used is offered again. A requester that
//! keeps requesting waits for at most `n - 1` used grants of others. After reset requester 0 comes first.
//!
//! With several sets of requests `which` (one-hot, or zero: no grant) tells whose first request is granted. It may come late: the first
//! of each set is known before. All sets share the priorities.
//!
//! How the requesters are ordered is a policy ([`Arbitration`]), a file each in `arbiter/`.
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 18.4
//! (round-robin) and 18.5 (matrix arbiter). Testbenches: `testbenches/round_robin_arbiter/`,
//! `testbenches/matrix_arbiter/`, and `*_arbiter_sets/`; tests: `tests/blocks/arbiters.rs`.

mod matrix;
mod round_robin;

use super::select::{at_most_one, one_hot_mux};
use common::policies;
use hdl::{Builder, Module, PortName, Signal, params, ports, row};

policies! {
    /// How an arbiter orders its requesters.
    pub enum ArbiterKind: dyn Arbitration {
        /// The requester after the last winner comes first.
        RoundRobin = "round-robin" | "rr" => round_robin::RoundRobinArbiter,
        /// The least recently granted requester comes first.
        Matrix = "matrix" | "least-recently-granted" => matrix::Matrix,
    }
}

/// The state and the choice of an arbiter.
pub trait Arbitration: Sync {
    /// For its documentation in Verilog.
    fn doc(&self) -> &'static str;

    /// The grant to one bit of the `requests` that `which` selects, two bits or more, which may be used: then `advance` is high.
    fn grant<'m>(
        &self,
        m: &'m Builder,
        requests: &[Signal<'m>],
        which: Option<Signal<'m>>,
        advance: Signal<'m>,
    ) -> Signal<'m>;
}

impl ArbiterKind {
    /// In the names of arbiters: `<module>_arbiter`.
    fn module(self) -> String {
        self.name().replace('-', "_")
    }
}

ports! {
    /// Ports of an arbiter over `sets` of `n` requests.
    pub struct ArbiterPorts((n, sets): &(u32, u32)) of Arbiter {
        /// Requests, set by set.
        in request: n * sets,
        /// Set whose request is granted, one-hot.
        maybe (*sets > 1) in which: *sets,
        /// The grant is used: the priorities move.
        in advance: 1,
        /// The request that is granted, one-hot.
        out grant: *n,
    }
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
    let arbiter = Arbiter(m.instance(name, arbiter));
    arbiter.request(request);
    arbiter.advance(advance);
    arbiter.grant()
}

/// Grant to one of the bits of the set of `requests` that `which` (one-hot, or zero) selects, by an arbiter instance called `name`; all its
/// grants are used. No wider than the sets: a single request needs no arbiter.
#[track_caller]
pub fn arbitrate_in<'m>(
    m: &'m Builder,
    name: impl PortName,
    kind: ArbiterKind,
    requests: &[Signal<'m>],
    which: Signal<'m>,
) -> Signal<'m> {
    let (n, sets) = (requests[0].width(), requests.len() as u32);
    if n == 1 {
        return one_hot_mux(which, requests);
    }
    if sets == 1 {
        return arbitrate(m, name, kind, requests[0] & which.repeat(n), m.lit(1, 1));
    }
    let arbiter = Arbiter(m.instance(name, &arbiter_of_sets(kind, n, sets)));
    arbiter.request(row(requests.iter().copied()));
    arbiter.which(which);
    arbiter.advance(m.lit(1, 1));
    arbiter.grant()
}

/// An arbiter over `n` requests, `n >= 2`.
pub fn arbiter(kind: ArbiterKind, n: u32) -> Module {
    arbiter_of_sets(kind, n, 1)
}

/// An arbiter over one of several `sets` of `n` requests, `n >= 2`; with one set there is no `which`.
pub fn arbiter_of_sets(kind: ArbiterKind, n: u32, sets: u32) -> Module {
    let policy = kind.policy();
    let names = params! { n, sets: (sets > 1).then_some(sets) };
    let m = Builder::new(&format!("{}_arbiter", kind.module()), names);
    m.doc(policy.doc());
    m.require(n >= 2, &format!("arbiter: n = {n} requests, at least 2 are needed"));
    let (n, sets) = (n.max(2), sets.max(1));
    let io = ArbiterPorts::new(&m, &(n, sets));
    let requests = io.request().parts(n);
    let (which, advance) = (io.which(), io.advance());
    which.iter().for_each(|which| m.always("at most one set is chosen", at_most_one(*which)));
    let grant = policy.grant(&m, &requests, which, advance);
    io.grant(grant);
    m.finish()
}

/// Name of a wire for set `k` of `sets`.
fn of_set(name: &str, k: usize, sets: usize) -> String {
    if sets == 1 { name.into() } else { format!("{name}{k}") }
}

/// The item of the set that is chosen; zero where none is.
fn of_chosen<'m>(which: Option<Signal<'m>>, items: &[Signal<'m>]) -> Signal<'m> {
    which.map_or_else(|| items[0], |which| one_hot_mux(which, items))
}
