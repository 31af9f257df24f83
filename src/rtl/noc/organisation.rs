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
//!
//! An organisation is a row of the table below and a file with its rule ([`SubnetworkPolicy`]).

mod combined;
mod dedicated;
mod inverted;
mod policy;
mod single;

use super::{MessageClass, routing::AxisOrder};
use common::policies;
pub use policy::{SubnetworkPacket, SubnetworkPolicy};

policies! {
    /// One network or two.
    pub enum Organisation: dyn SubnetworkPolicy {
        /// One network.
        Single = "single" => single::Single,
        /// Two: one for requests, one for replies.
        Dedicated = "dedicated" => dedicated::Dedicated,
        /// Two, each for every packet, at random.
        Combined = "combined" => combined::Combined,
        /// Double checkerboard inverted: every node has a full and a half-router, and a packet takes the one where it need not turn at a half-router.
        Dci = "dci" => inverted::Inverted { balances: false },
        /// DCI enhanced: packets that go straight on take the subnetwork that was used less of late.
        Dcie = "dcie" => inverted::Inverted { balances: true },
    }
}

impl Organisation {
    /// Subnetworks.
    pub fn subnetworks(self) -> usize {
        self.policy().subnetworks()
    }

    /// Message classes that share a subnetwork, with VCs of their own.
    pub fn messages(self) -> u32 {
        self.policy().messages()
    }

    /// DCI or DCIE: the second subnetwork is inverted.
    pub fn inverts(self) -> bool {
        self.policy().inverts()
    }

    /// Subnetworks that carry `class` at all.
    pub fn of_class(self, class: MessageClass) -> Vec<usize> {
        self.policy().of_class(class)
    }

    /// Subnetworks that a packet of `class` from `source` to `dest`, both (x, y), may take when it goes in `order`; `odd_is_half`: the
    /// half-routers of subnetwork 0 are at odd sums of coordinates.
    pub fn choices(
        self,
        class: MessageClass,
        source: (u32, u32),
        dest: (u32, u32),
        order: AxisOrder,
        odd_is_half: bool,
    ) -> Vec<usize> {
        self.policy().choices(SubnetworkPacket { class, source, dest, order, odd_is_half })
    }
}
