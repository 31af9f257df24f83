//! What a port choice says, and what it sees.

use crate::coordinates::share;
use blocks::{index_one_hot, or_all};
use hdl::{Builder, Signal, index_width, ports, row};

/// Random bits that a port choice takes.
pub const RANDOM_BITS: u32 = 8;

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

ports! {
    /// Ports of a [port choice](super::port_choice()) among so many ports, with queue counters of so many bits.
    pub struct PortChoicePorts((ports, used_bits, reads): &(u32, u32, PortChoiceReads)) of PlacedPortChoice {
        /// Ports that have a place for the packet.
        in open: *ports,
        /// The packet is taken.
        maybe (reads.advance) in advance: 1,
        /// The link that the packet will bid for.
        maybe (reads.direction) in direction: 2,
        /// By port: packets in its queue.
        maybe (reads.queues) in used: ports * used_bits,
        /// Random bits.
        maybe (reads.random) in random: RANDOM_BITS,
        /// The port, one-hot.
        out port: *ports,
    }
}

/// Of each input that not all policies look at.
const READS: &str = "a policy looks at what it says that it reads";

/// Inputs of a port choice; each is made when a policy asks for it, once.
pub struct PortChoiceInputs<'m> {
    /// The block.
    pub m: &'m Builder,
    pub(super) io: PortChoicePorts<'m>,
    /// Ports, 2 and up.
    pub ports: u32,
    pub(super) used_bits: u32,
}

impl<'m> PortChoiceInputs<'m> {
    /// Ports that have a place for the packet.
    pub fn open(&self) -> Vec<Signal<'m>> {
        self.io.open().to_bits()
    }

    /// The packet is taken.
    pub fn advance(&self) -> Signal<'m> {
        self.io.advance().expect(READS)
    }

    /// A random port, one-hot.
    pub fn random(&self) -> Signal<'m> {
        let (m, ports) = (self.m, self.ports);
        let random = self.io.random().expect(READS);
        index_one_hot(share(random, m.lit(index_width(ports as usize + 1), ports.into())), ports)
    }

    /// Packets in the queue of each port.
    pub fn used(&self) -> Vec<Signal<'m>> {
        self.io.used().expect(READS).parts(self.used_bits)
    }

    /// The link that the packet will bid for.
    pub fn direction(&self) -> Signal<'m> {
        self.io.direction().expect(READS)
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
pub(super) fn first_from<'m>(m: &'m Builder, start: Signal<'m>, suits: &[Signal<'m>]) -> Signal<'m> {
    first_of(m, start, suits, |i, _| i)
}

/// One-hot: the last port that suits from the one in `start` on, around; zero when none does.
pub(super) fn last_from<'m>(m: &'m Builder, start: Signal<'m>, suits: &[Signal<'m>]) -> Signal<'m> {
    first_of(m, start, suits, |i, n| n - 1 - i)
}
