//! Port choice: which of several injection ports of a router a packet takes.
//!
//! ```text
//!  open (P) ------------->+-------------+
//!  advance (1) ---------->|             |
//!  [direction (2)] ------>| port choice |-> port (P, one-hot)
//!  [used (P * U)] ------->|   history   |
//!  [random (8)] --------->+-------------+
//! ```
//!
//! `open` are the ports whose queue has a place, `used` the packets in the queue of each, `direction` the link that
//! this packet will bid for. Contract: combinational from the inputs to `port`, which is one of the open ones, or none
//! where none is open; with `advance` the packet is taken, and the turn or the history of its port moves at the clock
//! edge.
//!
//! How it is chosen is a policy ([`PortPolicy`]), a file each in `port_choice/`. Inputs that a policy does not read do
//! not exist.
//!
//! Source: A. Bakhoda's thesis (2014), section 5.3.1. Tests: `tests/noc/choices.rs`. Testbench:
//! `testbenches/port_choice/`.

mod by_direction;
mod most_space;
mod random;
mod round_robin;

use crate::{
    blocks::{index_one_hot, or_all},
    noc::coordinates::share,
};
use common::policies;
use hdl::{Builder, Module, Signal, index_width, params, row};

/// Random bits that a port choice takes.
pub const RANDOM_BITS: u32 = 8;

policies! {
    /// How a network interface with several injection ports into a router chooses one for each packet. The thesis' section 5.3.1.
    pub enum PortChoice: dyn PortPolicy {
        /// In turn, of those that have a place.
        RoundRobin = "round-robin" | "rr" => round_robin::RoundRobinPort,
        /// From a random one on: the first that is empty or whose last packet bid for the same output; else the last one tried that has a place.
        Smart = "smart" => by_direction::ByDirection { spreads: false },
        /// At random: the first that has a place, from a random one on.
        Random = "random" => random::RandomPort,
        /// The one with the most free places.
        MostSpace = "most-space" => most_space::MostSpace,
        /// As `smart`, but the first that is empty or whose last packet bid for another output: packets of one direction are spread.
        Opposite = "opposite" => by_direction::ByDirection { spreads: true },
    }
}

impl PortChoice {
    /// Inputs that it looks at.
    pub fn reads(self) -> PortChoiceReads {
        self.policy().reads()
    }
}

/// A way to choose a port.
pub trait PortPolicy: Sync {
    /// Inputs that it looks at.
    fn reads(&self) -> PortChoiceReads;

    /// The port, one-hot, of those that are open; zero where none is.
    fn port<'m>(&self, inputs: &PortChoiceInputs<'m>) -> Signal<'m>;
}

/// What a port choice depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PortChoiceReads {
    /// Where the packet goes.
    pub direction: bool,
    /// The queues.
    pub queues: bool,
    /// Chance.
    pub random: bool,
    /// It has a turn or a history: whether the packet is taken.
    pub advance: bool,
}

/// Inputs of a port choice; each is made when a policy asks for it, once.
pub struct PortChoiceInputs<'m> {
    /// The block.
    pub m: &'m Builder,
    /// Ports, 2 and up.
    pub ports: u32,
    used_bits: u32,
}

impl<'m> PortChoiceInputs<'m> {
    /// Ports that have a place for the packet.
    pub fn open(&self) -> Vec<Signal<'m>> {
        self.m.input("open", self.ports).to_bits()
    }

    /// The packet is taken.
    pub fn advance(&self) -> Signal<'m> {
        self.m.input("advance", 1)
    }

    /// A random port, one-hot.
    pub fn random(&self) -> Signal<'m> {
        let (m, ports) = (self.m, self.ports);
        let random = m.input("random", RANDOM_BITS);
        index_one_hot(share(random, m.lit(index_width(ports as usize + 1), ports.into())), ports)
    }

    /// Packets in the queue of each port.
    pub fn used(&self) -> Vec<Signal<'m>> {
        self.m.input("used", self.ports * self.used_bits).parts(self.used_bits)
    }

    /// The link that the packet will bid for.
    pub fn direction(&self) -> Signal<'m> {
        self.m.input("direction", 2)
    }
}

/// One-hot: the first in `order` that suits, counted from the one in `start` on, around; zero when none does. `order` gives the `i`-th of `n`.
fn first_of<'m>(
    m: &'m Builder,
    start: Signal<'m>,
    suits: &[Signal<'m>],
    order: impl Fn(usize, usize) -> usize,
) -> Signal<'m> {
    let n = suits.len();
    let from = |s: usize| {
        let mut none_yet = m.lit(1, 1);
        let mut bits = vec![m.lit(1, 0); n];
        for i in 0..n {
            let at = (s + order(i, n)) % n;
            bits[at] = none_yet & suits[at];
            none_yet = none_yet & !suits[at];
        }
        row(bits) & start.bit(s as u32).repeat(n as u32)
    };
    or_all(&(0..n).map(from).collect::<Vec<_>>())
}

/// One-hot: the first port that suits from the one in `start` on, around; zero when none does.
fn first_from<'m>(m: &'m Builder, start: Signal<'m>, suits: &[Signal<'m>]) -> Signal<'m> {
    first_of(m, start, suits, |i, _| i)
}

/// One-hot: the last port that suits from the one in `start` on, around; zero when none does.
fn last_from<'m>(m: &'m Builder, start: Signal<'m>, suits: &[Signal<'m>]) -> Signal<'m> {
    first_of(m, start, suits, |i, n| n - 1 - i)
}

/// A choice among `ports` (2 and up) ports, with queue counters of `used_bits`; see the [module documentation](self).
pub fn port_choice(ports: u32, used_bits: u32, kind: PortChoice) -> Module {
    let m = Builder::new("port_choice", params! { ports, used_bits, policy: format!("{kind:?}") });
    m.doc("Which of several injection ports a packet takes.");
    let port = kind.policy().port(&PortChoiceInputs { m: &m, ports, used_bits });
    m.output_of("port", port);
    m.finish()
}
