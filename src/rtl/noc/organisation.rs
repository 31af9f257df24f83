//! Organisation: one network or two subnetworks side by side, and which of them a packet takes.
//!
//! | organisation | subnetworks | a packet's subnetwork | message classes in each |
//! |---|---|---|---|
//! | `single` | 1 | 0 | 2 |
//! | `dedicated` | 2 | requests 0, replies 1 | 1 |
//! | `combined` | 2 | at random | 2 |
//! | `dci` | 2, the second with full and half-routers exchanged | rules (1), (2), or (1'), (2') for packets that go YX | 2 |
//! | `dcie` | as `dci` | as `dci`; packets that do not turn: the one less used of late | 2 |
//!
//! Source: A. Bakhoda's thesis (2014), sections 5.4 (channel slicing), 5.5 (DCI), 5.6 (CDR on DCI) and 5.6.1 (DCIE).

use super::{MessageClass, routing::Order};
use serde::{Deserialize, Serialize};

/// One network or two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Organisation {
    /// One network.
    #[default]
    Single,
    /// Two: one for requests, one for replies.
    Dedicated,
    /// Two, each for every packet, at random.
    Combined,
    /// Double checkerboard inverted: every node has a full and a half-router, and a packet takes the one where it need not turn at a
    /// half-router.
    Dci,
    /// DCI enhanced: packets that go straight on take the subnetwork that was used less of late.
    Dcie,
}

impl Organisation {
    /// Subnetworks.
    pub fn subnetworks(self) -> usize {
        if self == Organisation::Single { 1 } else { 2 }
    }

    /// Message classes that share a subnetwork, with VCs of their own.
    pub fn messages(self) -> u32 {
        if self == Organisation::Dedicated { 1 } else { 2 }
    }

    /// DCI or DCIE: the second subnetwork is inverted.
    pub fn inverts(self) -> bool {
        matches!(self, Organisation::Dci | Organisation::Dcie)
    }

    /// Subnetworks that carry `class` at all.
    pub fn of_class(self, class: MessageClass) -> Vec<usize> {
        match (self, class) {
            (Organisation::Dedicated, MessageClass::Request) => vec![0],
            (Organisation::Dedicated, MessageClass::Reply) => vec![1],
            _ => (0..self.subnetworks()).collect(),
        }
    }

    /// Subnetworks that a packet of `class` from `source` to `dest`, both (x, y), may take when it goes in `order`; `odd_is_half`: the
    /// half-routers of subnetwork 0 are at odd sums of coordinates.
    pub fn choices(
        self,
        class: MessageClass,
        source: (u32, u32),
        dest: (u32, u32),
        order: Order,
        odd_is_half: bool,
    ) -> Vec<usize> {
        if !self.inverts() || (self == Organisation::Dcie && (source.0 == dest.0 || source.1 == dest.1)) {
            return self.of_class(class);
        }
        // Rules (1) and (2), or (1') and (2'): an even distance to where it turns, or across it, from the full router.
        let apart = match order {
            Order::Xy => source.0.abs_diff(dest.0),
            Order::Yx => source.1.abs_diff(dest.1),
        };
        let half_in_0 = ((source.0 + source.1) % 2 == 1) == odd_is_half;
        vec![usize::from(half_in_0 ^ (apart % 2 == 1))]
    }
}
