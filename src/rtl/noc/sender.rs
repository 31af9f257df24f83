//! What every sender of flits has in common: it gives a packet a virtual channel with a credit, keeps it to the tail,
//! and shows flits in an output register. Pieces for injection lanes, injectors and traffic sources, not a block.

use super::VcDepths;
use blocks::{ArbiterKind, CreditCounter, Lfsr, arbitrate, credit_counter, lfsr, one_hot_index};
use hdl::{Builder, Signal, concat, mux, row};
use std::ops::Range;

/// The virtual channels of a sender.
pub(super) struct SenderVcs<'m> {
    /// Of the channel.
    pub vcs: u32,
    /// Those that it uses.
    pub own: Range<u32>,
    /// Flits that they hold in the receiver.
    pub depths: VcDepths,
    /// `own` in parts, each with the condition that the packet takes its VC there; none: of all of them, always.
    pub sets: Vec<(Range<u32>, Signal<'m>)>,
}

impl<'m> SenderVcs<'m> {
    /// All VCs of the channel for every packet.
    pub fn all(vcs: u32, depth: usize) -> Self {
        Self { vcs, own: 0..vcs, depths: VcDepths::equal(depth), sets: vec![] }
    }

    /// One-hot of `own`: the VC of the packet. A packet takes the next VC of its set, in turn, of those that have a credit, and keeps it;
    /// `sending` (a wire that this assigns) is high when something is `waiting` and its VC has a credit. `first`: the flit is the first
    /// one; `None`: every one is. `credit`: that of the channel.
    pub fn choose(
        &self,
        m: &'m Builder,
        credit: Signal<'m>,
        first: Option<Signal<'m>>,
        waiting: Signal<'m>,
        sending: Signal<'m>,
    ) -> Signal<'m> {
        m.comment("A packet takes the next VC of its set that has a credit.");
        let Self { vcs, own, depths, sets } = self;
        let count = own.end - own.start;
        let (available, chosen) = (m.wire_later("available_vc", count), m.wire_later("chosen_vc", count));
        let counters = own.clone().map(|vc| {
            let counter = CreditCounter(m.instance(("credits_vc", vc), &credit_counter(depths.of(vc))));
            counter.send(sending & chosen.bit(vc - own.start));
            // The whole word is looked at: credits of other VCs do not come, and no bit is left unread.
            counter.credit(if count == *vcs { credit.bit(vc) } else { (credit & m.lit(*vcs, 1 << vc)).any() });
            counter.available()
        });
        m.assign(available, row(counters));
        let begins = first.map_or(sending, |first| first & sending);
        let next = match sets.len() {
            0 => arbitrate(m, "vc_arbiter", ArbiterKind::RoundRobin, available, begins),
            _ => {
                let of_set = |(i, (vcs, takes)): (usize, &(Range<u32>, Signal<'m>))| {
                    let part = available.bits(vcs.start - own.start, vcs.end - vcs.start);
                    arbitrate(m, ("vc_arbiter_set", i), ArbiterKind::RoundRobin, part, begins & *takes)
                        & takes.repeat(part.width())
                };
                row(sets.iter().enumerate().map(of_set))
            }
        };
        match first {
            None => m.assign(chosen, next),
            Some(first) => {
                let kept = m.register("kept_vc", count, 0);
                m.when(sending, || m.set(kept, chosen));
                m.assign(chosen, mux(first, next, kept));
            }
        }
        m.assign(sending, waiting & (chosen & available).any());
        chosen
    }

    /// The number of the VC in the one-hot `chosen` of `own`.
    pub fn number(&self, m: &'m Builder, chosen: Signal<'m>) -> Signal<'m> {
        let [below, above] = [self.own.start, self.vcs - self.own.end].map(|bits| (bits > 0).then(|| m.lit(bits, 0)));
        one_hot_index(concat(&above.into_iter().chain([chosen]).chain(below).collect::<Vec<_>>()))
    }
}

/// Bits of the random state: its taps (58, 39) are so far apart that 32 new bits are one XOR.
pub(super) const RANDOM_STATE_BITS: u32 = 58;

/// Random numbers with `fresh` new bits a cycle (the low ones), and a flag that they have begun: in the first cycle they take a seed, the node's
/// number spread over all bits.
pub(super) fn random_numbers<'m>(m: &'m Builder, here: Signal<'m>, fresh: u32) -> (Signal<'m>, Signal<'m>) {
    m.comment("Random numbers; the seed is the node's number, spread over all bits.");
    let random = Lfsr(m.instance("random", &lfsr(RANDOM_STATE_BITS, fresh)));
    let started = m.register("started", 1, 0);
    m.set(started, 1);
    let copies = vec![here; (RANDOM_STATE_BITS / here.width() + 1) as usize];
    let low = RANDOM_STATE_BITS - 1;
    let spread = concat(&copies).bits(0, low) ^ m.lit(low, 0x01e3_779b_97f4_a7c1);
    random.load(!started);
    random.seed(m.lit(1, 1).join(spread));
    random.step(1);
    (random.value(), started)
}
