//! Arbiters: choose one of several requests, fairly.
//!
//! ```text
//!               +------------------+
//!  request (n)->|     arbiter      |-> grant (n): one-hot, a subset of request; zero iff request is zero
//!  advance (1)->|  priority state  |
//!               +------------------+
//! ```
//!
//! Contract: `grant` follows `request` in the same cycle. The priorities move at the clock edge, only when `advance` is
//! high (the grant was used) and there is a grant; so a grant that cannot be used is offered again. A requester that
//! keeps requesting waits for at most `n - 1` used grants of others. After reset requester 0 comes first.
//!
//! How the requesters are ordered is a policy ([`Arbitration`]), a file each in `arbiter/`.
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 18.4
//! (round-robin) and 18.5 (matrix arbiter). Testbenches: `testbenches/round_robin_arbiter/`,
//! `testbenches/matrix_arbiter/`.

mod matrix;
mod round_robin;

use common::policies;
use hdl::{Builder, Module, PortName, Signal, params};

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

    /// The grant to one bit of `request`, two bits or more, which may be used: then `advance` is high.
    fn grant<'m>(&self, m: &'m Builder, request: Signal<'m>, advance: Signal<'m>) -> Signal<'m>;
}

impl ArbiterKind {
    /// In the names of modules that have such arbiters.
    pub(crate) fn key(self) -> String {
        match self {
            Self::RoundRobin => "rr".into(),
            _ => self.module(),
        }
    }

    /// In the names of arbiters: `<module>_arbiter`.
    fn module(self) -> String {
        self.name().replace('-', "_")
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
    let instance = m.instance(name, arbiter);
    instance.drive("request", request);
    instance.drive("advance", advance);
    instance.get("grant")
}

/// An arbiter over `n` requests, `n >= 2`.
pub fn arbiter(kind: ArbiterKind, n: u32) -> Module {
    let policy = kind.policy();
    let m = Builder::new(&format!("{}_arbiter", kind.module()), params! { n });
    m.doc(policy.doc());
    m.require(n >= 2, &format!("arbiter: n = {n} requests, at least 2 are needed"));
    let request = m.input("request", n.max(2));
    let advance = m.input("advance", 1);
    let grant = policy.grant(&m, request, advance);
    m.output_of("grant", grant);
    m.finish()
}
