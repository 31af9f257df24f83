//! Network interface: whole packets on one side, flits on the other. A tile.
//!
//! ```text
//!  endpoint                                                          router
//!                +----------------------------------------------+
//!  tx_valid, --->| packet places --> word of the oldest packet  |--> out_inject0_valid, ... _payload
//!  tx_dest, ...  |  (words in memories)  --> output register    |
//!  tx_credit <---|                          credit counters     |<-- out_inject0_credit (V)
//!                |                                              |
//!  rx_valid, <---| word registers <-- flit buffer <-- channel   |<-- in_eject0_valid, ... _payload
//!  rx_src, ...   |                    (per VC)        register  |
//!  rx_credit --->| credit counter                               |--> in_eject0_credit (V)
//!                +----------------------------------------------+
//!  here (N): this node's number (tied to a constant)
//! ```
//!
//! Packets, flits and the ports are those of `docs/tiles.md`; all outputs are registers. The interface sends packets of one class and
//! receives the other: at a core requests and replies, at a memory controller the reverse.
//!
//! Sending: a packet shown in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a cycle. A packet takes
//! the next VC of its class, in turn, among those that have a credit, and keeps it. Its place is given back when the tail is sent.
//!
//! Receiving: flits wait in a buffer for each VC of the class; one VC at a time is drained, from head to tail, one flit a cycle, so a
//! packet is put together in the registers that the endpoint sees. The tail waits for an `rx_credit`. A tail on the channel in cycle
//! t that meets nothing before it makes `rx_valid` in t + 3. `rx_*` hold the packet in the cycle of `rx_valid` only. `rx_header` means
//! something for write replies and requests, `rx_data` for read replies and write requests.
//!
//! Reset: empty, all credits. Never: `tx_valid` without a free place, a flit of the other class, a body flit without a head (asserted).
//!
//! Tests: `tests/noc/`.

mod receive;
mod send;

use super::{FlitFormat, NocError};
use crate::{
    hdl::{Builder, Module},
    params,
};

/// Bits of a packet header.
pub const HEADER_BITS: u32 = 64;
/// Bits of a line.
pub const DATA_BITS: u32 = 512;

/// Fields of the ejection channel that an interface reads: the routing fields have done their duty.
pub(super) const EJECT_FIELDS: [&str; 6] = ["valid", "head", "tail", "vc", "info", "payload"];

/// Message classes. Requests use the lower half of the VCs, replies the upper half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MessageClass {
    /// From cores to memory.
    Request,
    /// From memory to cores.
    Reply,
}

impl MessageClass {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            MessageClass::Request => MessageClass::Reply,
            MessageClass::Reply => MessageClass::Request,
        }
    }

    /// First VC of the class.
    pub fn first_vc(self, vcs: u32) -> u32 {
        match self {
            MessageClass::Request => 0,
            MessageClass::Reply => vcs / 2,
        }
    }

    /// Bits of a packet: header, data or both.
    pub fn packet_bits(self, write: bool) -> u32 {
        match (self, write) {
            (MessageClass::Request, false) | (MessageClass::Reply, true) => HEADER_BITS,
            (MessageClass::Request, true) => HEADER_BITS + DATA_BITS,
            (MessageClass::Reply, false) => DATA_BITS,
        }
    }

    /// Flits of a packet on a channel of `width` bits.
    pub fn flits(self, write: bool, width: u32) -> u32 {
        self.packet_bits(write).div_ceil(width)
    }

    /// Flits of the longest packet.
    pub fn most_flits(self, width: u32) -> u32 {
        self.flits(false, width).max(self.flits(true, width))
    }
}

/// Parameters of a [`network_interface`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InterfaceParams {
    /// The channel; an even number of VCs.
    pub format: FlitFormat,
    /// Flits that a VC holds here and in the router, 1 to 256.
    pub depth: usize,
    /// Class of the packets that it sends; it receives the other.
    pub sends: MessageClass,
    /// Places for packets to be sent, 1 to 64.
    pub tx_places: usize,
    /// Packets that the endpoint can take, 1 to 64.
    pub rx_places: usize,
}

impl InterfaceParams {
    /// In range?
    pub fn check(&self) -> Result<(), NocError> {
        self.format.check(2)?;
        if !(1..=256).contains(&self.depth) {
            return Err(NocError::Depth { depth: self.depth });
        }
        for (name, places) in [("tx_places", self.tx_places), ("rx_places", self.rx_places)] {
            if !(1..=64).contains(&places) {
                return Err(NocError::Places { name, places });
            }
        }
        Ok(())
    }

    /// VCs of each class.
    fn group(&self) -> u32 {
        self.format.vcs / 2
    }
}

/// A network interface; see the [module documentation](self).
pub fn network_interface(p: &InterfaceParams) -> Result<Module, NocError> {
    p.check()?;
    let FlitFormat { vcs, width, node_bits, tag_bits, .. } = p.format;
    let sends = match p.sends {
        MessageClass::Request => "requests",
        MessageClass::Reply => "replies",
    };
    let m = Builder::new(
        "network_interface",
        params! { sends, vcs, depth: p.depth, width, node_bits, tag_bits, tx: p.tx_places, rx: p.rx_places },
    );
    m.doc("Cuts packets into flits and puts flits together to packets.");
    send::half(&m, p);
    receive::half(&m, p);
    Ok(m.finish())
}

/// First bit of the header and of the data in a packet, where it has them.
fn layout(class: MessageClass, write: bool) -> (Option<u32>, Option<u32>) {
    match (class, write) {
        (MessageClass::Request, false) | (MessageClass::Reply, true) => (Some(0), None),
        (MessageClass::Request, true) => (Some(0), Some(HEADER_BITS)),
        (MessageClass::Reply, false) => (None, Some(0)),
    }
}
