//! The flit channel: its fields, as ports, as registers and as words that are stored.
//!
//! ```text
//!  sender                                        receiver
//!   out_<port>_valid, _head, ... _payload ------> in_<port>_valid, ...     [`Flit`]
//!   out_<port>_credit (V) <---------------------- in_<port>_credit (V)
//! ```
//!
//! Inside a router the fields that are only carried travel as one word, [`Carried`], and through the crossbar with the
//! number of their VC, [`Control`].

use super::{NocError, Routing};
use hdl::{Builder, Bundle, Credit, PortName, Producer, Signal, bundle, index_width};
use serde::Serialize;

/// Sizes of a flit and its control fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct FlitFormat {
    /// Virtual channels of a link, 1 to 32.
    pub vcs: u32,
    /// Payload bits, a multiple of 8 up to 1024.
    pub width: u32,
    /// Bits of a node number.
    pub node_bits: u32,
    /// Bits of a packet's sideband, 1 to 33: they travel beside the payload of its head.
    pub sideband_bits: u32,
    /// Heads carry the node at which their first phase ends; see [`HopRule::reads_waypoint`](super::routing::HopRule::reads_waypoint).
    pub waypoint: bool,
    /// Bits of the routing class that flits carry, 1 and up; see [`HopRule::class_bits`](super::routing::HopRule::class_bits).
    pub class_bits: u32,
    /// Bits of the priority that flits carry; 0: they have none.
    pub priority_bits: u32,
    /// Bits of the length of their packet that flits carry; 0: they do not tell it.
    pub length_bits: u32,
}

bundle! {
    /// A flit on a channel.
    pub struct Flit(f: &FlitFormat) {
        /// There is one.
        valid: 1,
        /// First flit of its packet.
        head: 1,
        /// Last flit of its packet.
        tail: 1,
        /// Virtual channel, at the receiver.
        vc: f.vc_bits(),
        /// Destination node.
        dest: f.node_bits,
        /// Routing class.
        route_class: f.class_bits,
        /// Node at which the first phase ends, where the routing has one.
        maybe waypoint: f.waypoint_bits(),
        /// Priority of its packet in allocation, where packets have one.
        maybe priority: f.priority_bits,
        /// Flits of its packet, where VCs are given to packets that fit whole.
        maybe length: f.length_bits,
        /// [`Info`] as a word.
        info: f.info_bits(),
        payload: f.width,
    }
}

/// Who shows the flits of a channel, in its place.
pub type FlitProducer<'m> = Producer<'m, Flit<'m>, Credit>;

bundle! {
    /// What an interface reads of a flit that has arrived: the routing fields have done their duty.
    pub struct Ejected(f: &FlitFormat) {
        valid: 1,
        head: 1,
        tail: 1,
        vc: f.vc_bits(),
        info: f.info_bits(),
        payload: f.width,
    }
}

bundle! {
    /// The fields that routers only carry (and `dest`, which the route unit reads as the flit comes in).
    pub struct Carried(f: &FlitFormat) {
        head: 1,
        tail: 1,
        route_class: f.class_bits,
        maybe waypoint: f.waypoint_bits(),
        maybe priority: f.priority_bits,
        maybe length: f.length_bits,
        dest: f.node_bits,
        info: f.info_bits(),
    }
}

bundle! {
    /// What goes through the crossbar beside the payload.
    pub struct Control(f: &FlitFormat) {
        /// Virtual channel of the output.
        vc: f.vc_bits(),
        /// [`Carried`] as a word.
        carried: f.carried_bits(),
    }
}

bundle! {
    /// A flit behind the crossbar.
    pub struct Traversing(f: &FlitFormat) {
        valid: 1,
        /// [`Control`] as a word.
        control: f.vc_bits() + f.carried_bits(),
        payload: f.width,
    }
}

bundle! {
    /// Whose packet a flit belongs to.
    pub struct Info(f: &FlitFormat) {
        source: f.node_bits,
        sideband: f.sideband_bits,
    }
}

impl FlitFormat {
    /// The format for a network of `nodes` nodes, without `waypoint`.
    pub fn new(vcs: u32, width: u32, nodes: u32, sideband_bits: u32) -> Self {
        let node_bits = index_width(nodes as usize);
        Self { vcs, width, node_bits, sideband_bits, waypoint: false, class_bits: 1, priority_bits: 0, length_bits: 0 }
    }

    /// With what `routing` wants heads to carry.
    pub fn with_routing(self, routing: Routing) -> Self {
        Self { waypoint: routing.rule().reads_waypoint(), class_bits: routing.rule().class_bits(), ..self }
    }

    /// A priority that does not change, where flits carry one.
    pub(super) fn constant_priority(self, m: &Builder, value: u32) -> Option<Signal<'_>> {
        (self.priority_bits > 0).then(|| m.lit(self.priority_bits, value.into()))
    }

    /// Bits of `waypoint`: those of a node number, or none.
    pub fn waypoint_bits(self) -> u32 {
        if self.waypoint { self.node_bits } else { 0 }
    }

    /// Bits of a VC number.
    pub fn vc_bits(self) -> u32 {
        index_width(self.vcs as usize)
    }

    /// Bits of [`Info`].
    pub fn info_bits(self) -> u32 {
        Info::width(&self)
    }

    /// Bits of [`Carried`].
    pub fn carried_bits(self) -> u32 {
        Carried::width(&self)
    }

    /// Sizes in range?
    pub fn check(self, classes: u32) -> Result<(), NocError> {
        if classes == 0 || self.vcs == 0 || !self.vcs.is_multiple_of(classes) || self.vcs > 32 {
            return Err(NocError::Vcs { vcs: self.vcs, classes });
        }
        if self.width == 0 || !self.width.is_multiple_of(8) || self.width > 1024 {
            return Err(NocError::Width { width: self.width });
        }
        if !(1..=33).contains(&self.sideband_bits) {
            return Err(NocError::Sideband { sideband_bits: self.sideband_bits });
        }
        Ok(())
    }
}

impl<'m> Flit<'m> {
    /// From its parts; the fields of `control` are those of `format`.
    pub fn new(valid: Signal<'m>, control: Control<'m>, payload: Signal<'m>, format: &FlitFormat) -> Self {
        let Carried { head, tail, route_class, waypoint, priority, length, dest, info } =
            Carried::unpack(control.carried, format);
        Self { valid, head, tail, vc: control.vc, dest, route_class, waypoint, priority, length, info, payload }
    }

    /// The fields that are only carried.
    pub fn carried(self) -> Carried<'m> {
        let Self { head, tail, route_class, waypoint, priority, length, dest, info, .. } = self;
        Carried { head, tail, route_class, waypoint, priority, length, dest, info }
    }

    /// What an interface reads.
    pub fn ejected(self) -> Ejected<'m> {
        let Self { valid, head, tail, vc, info, payload, .. } = self;
        Ejected { valid, head, tail, vc, info, payload }
    }

    /// The flit one cycle later, in registers called after `name`: that of `valid` like it, the others with the field behind.
    pub(super) fn registered(self, m: &'m Builder, name: impl PortName, format: &FlitFormat) -> Self {
        let vc = m.captured((&name, "vc"), self.valid, self.vc);
        let carried = m.captured((&name, "carried"), self.valid, self.carried().pack());
        let payload = m.captured((&name, "payload"), self.valid, self.payload);
        Self::new(m.delayed(name, self.valid), Control { vc, carried }, payload, format)
    }
}

impl<'m> Traversing<'m> {
    /// The flit one cycle later, in registers called after `name`.
    pub(super) fn registered(self, m: &'m Builder, name: impl PortName) -> Self {
        Self {
            control: m.captured((&name, "control"), self.valid, self.control),
            payload: m.captured((&name, "payload"), self.valid, self.payload),
            valid: m.delayed((&name, "valid"), self.valid),
        }
    }
}
