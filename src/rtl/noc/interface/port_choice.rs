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
mod policy;
mod random;
mod round_robin;

use common::policies;
use hdl::{Builder, Module, params};
pub use policy::{PlacedPortChoice, PortChoiceInputs, PortChoicePorts, PortChoiceReads, PortPolicy, RANDOM_BITS};

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

/// A choice among `ports` (2 and up) ports, with queue counters of `used_bits`; see the [module documentation](self).
pub fn port_choice(ports: u32, used_bits: u32, kind: PortChoice) -> Module {
    let m = Builder::new("port_choice", params! { ports, used_bits, policy: kind });
    m.doc("Which of several injection ports a packet takes.");
    let io = PortChoicePorts::new(&m, &(ports, used_bits, kind.reads()));
    io.port(kind.policy().port(&PortChoiceInputs { m: &m, io, ports, used_bits }));
    m.finish()
}
