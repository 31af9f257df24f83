//! Writes flit by flit: the narrow link over which the packet at the front of the entry queue goes into its lane. Part
//! of a network interface, not a block.
//!
//! ```text
//!                 +-------------------------------------+
//!  flits (F) ---->| number of the flit on the link -----|--> number, first, last
//!  lane (L) ----->| lane of the packet, kept from first |--> enters (L): its flit is written
//!                 |  to last flit                       |--> written: that was its last one
//!                 +-------------------------------------+
//! ```
//!
//! A packet of L flits takes L cycles, from the one in which its lane has a place. The flit that is written in cycle t
//! is on the channel from t + 2 on: the lane does not wait for the rest, which follows a flit a cycle. The packet stays
//! at the front to its last flit.
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 4.1: the baseline of the simulator, whose link from memory controller to interface is narrow.

use crate::packet::PacketFormat;
use hdl::{Builder, Signal, index_width, mux, row, select};

/// The flit on the link.
#[derive(Clone, Copy)]
pub(crate) struct OnLink<'m> {
    /// Which of its packet.
    pub number: Signal<'m>,
    pub first: Signal<'m>,
    pub last: Signal<'m>,
    /// There are packets of several flits.
    several: bool,
}

impl<'m> OnLink<'m> {
    /// Of a packet of `flits` flits, where the longest have `longest`.
    pub fn new(m: &'m Builder, flits: Signal<'m>, longest: u32) -> Self {
        if longest == 1 {
            return Self { number: m.lit(1, 0), first: m.lit(1, 1), last: m.lit(1, 1), several: false };
        }
        m.comment("The link from the controller carries a flit in a cycle.");
        let number = m.register("written_flits", index_width(longest as usize), 0);
        let last = m.wire("last_on_link", number.eq((flits - 1).resize(number.width())));
        Self { number, first: m.wire("first_on_link", number.is_zero()), last, several: true }
    }

    /// Its word of a payload.
    pub fn word(&self, payload: Signal<'m>, packet: &PacketFormat) -> Signal<'m> {
        let words = payload.resize(packet.most_flits() * packet.width).parts(packet.width);
        if self.several { select(self.number, &words) } else { words[0] }
    }

    /// The lane into which it is written, one-hot, none while there is no place; `chosen`: that of a packet whose first flit this is.
    pub fn enters(&self, m: &'m Builder, chosen: &[Signal<'m>]) -> Vec<Signal<'m>> {
        let chosen = row(chosen.iter().copied());
        if !self.several {
            return chosen.to_bits();
        }
        let kept = m.register("lane_on_link", chosen.width(), 0);
        let enters = m.wire("enters_lane", mux(self.first, chosen, kept));
        m.when(enters.any(), || {
            m.set(kept, enters);
            m.set(self.number, mux(self.last, 0, self.number + 1));
        });
        enters.to_bits()
    }
}
