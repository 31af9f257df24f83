//! Port choice: which of several injection ports of a router a packet takes.
//!
//! ```text
//!  advance (1) ---------->+-------------+
//!  [direction (2)] ------>| port choice |-> port (P, one-hot)
//!  [used (P * U)] ------->|   history   |
//!  [random (8)] --------->+-------------+
//! ```
//!
//! `used` are the packets in the queue in front of each port, `direction` the link that this packet will bid for. Contract: combinational
//! from the inputs to `port`; with `advance` the packet is taken, and the turn or the history of its port moves at the clock edge.
//!
//! `smart`, as section 5.3.1 has it: step 1, start with a random port; step 2, if it is empty, inject to it; step 3, if the last packet
//! that was injected to it bids for the same direction, inject to it; step 4, else try the next port, and take the last one if there is
//! no more. All ports are tried at once. `opposite` turns step 3 around.
//!
//! Source: A. Bakhoda's thesis (2014), section 5.3.1. Tests: `tests/noc/choices.rs`. Testbench: `testbenches/port_choice/`.

use crate::{
    blocks::{index_one_hot, or_all},
    hdl::{Builder, Module, Signal, concat},
    noc::{PortChoice, coordinates::share},
    params,
};

/// Random bits that a port choice takes.
pub const RANDOM_BITS: u32 = 8;

impl PortChoice {
    /// The choice depends on where the packet goes.
    pub fn reads_direction(self) -> bool {
        matches!(self, PortChoice::Smart | PortChoice::Opposite)
    }

    /// The choice depends on the queues.
    pub fn reads_queues(self) -> bool {
        self.reads_direction() || self == PortChoice::MostSpace
    }

    /// The choice depends on chance.
    pub fn reads_random(self) -> bool {
        self.reads_direction() || self == PortChoice::Random
    }
}

/// A choice among `ports` (2 and up) ports, with queue counters of `used_bits`; see the [module documentation](self).
pub fn port_choice(ports: u32, used_bits: u32, policy: PortChoice) -> Module {
    let m = Builder::new("port_choice", params! { ports, used_bits, policy: format!("{policy:?}") });
    m.doc("Which of several injection ports a packet takes.");
    let advance = || m.input("advance", 1);
    let random = || {
        let random = m.input("random", RANDOM_BITS);
        index_one_hot(share(random, m.lit(crate::hdl::index_width(ports as usize + 1), ports.into())), ports)
    };
    let used = || m.input("used", ports * used_bits).parts(used_bits);
    let port = match policy {
        PortChoice::RoundRobin => {
            let turn = m.register("turn", ports, 1);
            m.when(advance(), || m.set(turn, concat(&[turn.bits(0, ports - 1), turn.bit(ports - 1)])));
            turn
        }
        PortChoice::Random => random(),
        PortChoice::MostSpace => {
            let used = used();
            let least = |i: usize| {
                let others = (0..used.len()).filter(|&j| j != i);
                // Of equal queues the lower one.
                others.map(|j| if j < i { used[i].lt(used[j]) } else { used[i].le(used[j]) }).reduce(|a, b| a & b)
            };
            concat(&(0..used.len()).rev().map(|i| least(i).expect("at least two ports")).collect::<Vec<_>>())
        }
        PortChoice::Smart | PortChoice::Opposite => {
            let direction = m.input("direction", 2);
            let (start, used) = (random(), used());
            let lasts: Vec<_> = (0..ports).map(|i| m.register(("last_direction", i), 2, 0)).collect();
            let suits = used.iter().zip(&lasts).map(|(used, last)| {
                let same = last.eq(direction);
                used.is_zero() | if policy == PortChoice::Smart { same } else { !same }
            });
            let suits: Vec<_> = suits.collect();
            let port = m.wire("chosen", first_from(&m, start, &suits));
            let taken = advance();
            for (i, last) in (0..).zip(lasts) {
                m.when(taken & port.bit(i), || m.set(last, direction));
            }
            port
        }
    };
    m.output_of("port", port);
    m.finish()
}

/// One-hot: the first that suits from the one in `start` on, around; the last one tried when none does.
fn first_from<'m>(m: &'m Builder, start: Signal<'m>, suits: &[Signal<'m>]) -> Signal<'m> {
    let n = suits.len();
    let from = |s: usize| {
        let mut open = m.lit(1, 1);
        let mut bits = vec![m.lit(1, 0); n];
        for i in 0..n {
            let at = (s + i) % n;
            bits[at] = if i + 1 == n { open } else { open & suits[at] };
            open = open & !suits[at];
        }
        concat(&bits.into_iter().rev().collect::<Vec<_>>()) & start.bit(s as u32).repeat(n as u32)
    };
    or_all(&(0..n).map(from).collect::<Vec<_>>())
}
