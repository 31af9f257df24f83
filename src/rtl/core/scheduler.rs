//! Warp scheduler: which of the ready warps issues next.
//!
//! ```text
//!  ready (w) -------->+-----------+
//!  [is_load (w)] ---->|  policy   |--> chosen (w): one-hot, a subset of ready; zero iff ready is zero
//!  [order of start]-->|  state    |
//!                     +-----------+
//! ```
//!
//! Contract: combinational from `ready`, which is zero outside the last beat; a chosen warp issues, so state moves on at the clock edge. A
//! policy is a file in `scheduler/` and a row of [`WarpScheduler`]; what it looks at beyond `ready` exists only where it asks for it
//! ([`Reads`]).
//!
//! Tests: `tests/core/`.

mod greedy_then_oldest;
mod round_robin;

use crate::blocks::order;
use common::policies;
use hdl::{Builder, Module, Signal, params};

policies! {
    /// Which of the ready warps issues next.
    pub enum WarpScheduler: dyn WarpPolicy {
        /// The warp after the last one that issued comes first.
        RoundRobin = "round-robin" => round_robin::RoundRobin,
        /// Greedy then oldest (GTO): the last one that issued while it is ready, then the one that was started first.
        GreedyThenOldest = "gto" => greedy_then_oldest::GreedyThenOldest,
    }
}

/// A way to choose a warp.
pub trait WarpPolicy: Sync {
    /// What it looks at in addition to `ready`.
    fn reads(&self) -> Reads {
        Reads::default()
    }

    /// The chosen warp, one-hot.
    fn choose<'m>(&self, warps: &Candidates<'_, 'm>) -> Signal<'m>;
}

/// What a scheduler looks at in addition to which warps are ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reads {
    /// Whether the next instruction of a warp is a global load.
    pub loads: bool,
    /// Which warp was started before which.
    pub age: bool,
}

/// The warps, as a scheduler sees them.
pub struct Candidates<'a, 'm> {
    /// The block that the scheduler is a part of.
    pub m: &'m Builder,
    /// Those that can issue now, a bit each.
    pub ready: Signal<'m>,
    /// Of all warps a bit, where the policy reads it.
    pub(super) gather: &'a dyn Fn(&str) -> Signal<'m>,
}

impl<'m> Candidates<'_, 'm> {
    /// Those whose next instruction is a global load, of a policy that reads them.
    pub fn loads(&self) -> Signal<'m> {
        (self.gather)("is_load")
    }

    /// The oldest of `some`, one-hot, of a policy that reads ages: the one that was started first; of warps of one block the one with the
    /// lowest number.
    pub fn oldest(&self, some: Signal<'m>) -> Signal<'m> {
        order::oldest(self.m, (self.gather)("starts"), some)
    }
}

/// A scheduler of `warps` as a block of its own, for its testbench; in a core it is a part of the front end. Inputs `is_load` and `starts`
/// where the policy reads them.
pub fn warp_scheduler(kind: WarpScheduler, warps: u32) -> Module {
    let m = Builder::new("warp_scheduler", params! { kind: kind.name().replace('-', "_"), warps });
    m.doc("Which of the ready warps issues next.");
    let ready = m.input("ready", warps);
    let chosen = kind.policy().choose(&Candidates { m: &m, ready, gather: &|port| m.input(port, warps) });
    m.output_of("chosen", chosen);
    m.finish()
}
