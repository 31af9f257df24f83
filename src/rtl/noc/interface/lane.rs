//! Ports that the injection lanes of interfaces and injectors have in common. What a packet is, is the lane's own.

use super::InterfaceParams;
use crate::{FlitFormat, channel::Flit};
use hdl::{index_width, ports};

/// What the ports of a lane depend on.
#[derive(Clone, Copy)]
pub(crate) struct LaneForm {
    /// Its flits.
    pub format: FlitFormat,
    /// Packets are written flit by flit.
    pub flit_writes: bool,
    /// Its packets.
    pub queues: LaneQueues,
}

/// What packets wait in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneQueues {
    /// One queue, of so many packets.
    Packets(usize),
    /// So many split queues, each of so many flits.
    Split(u32, usize),
}

impl LaneForm {
    /// A queue, of such an interface.
    pub fn queue(p: &InterfaceParams, format: FlitFormat) -> Self {
        Self { format, flit_writes: p.flit_writes, queues: LaneQueues::Packets(p.tx_queue_packets) }
    }

    /// So many split queues, each of so many flits.
    pub fn split(queues: u32, flits: usize, format: FlitFormat) -> Self {
        Self { format, flit_writes: false, queues: LaneQueues::Split(queues, flits) }
    }

    /// Split queues, and flits of each; none of one queue.
    fn split_queues(&self) -> Option<(u32, usize)> {
        if let LaneQueues::Split(queues, flits) = self.queues { Some((queues, flits)) } else { None }
    }

    /// Packets of one queue.
    fn packets(&self) -> Option<usize> {
        if let LaneQueues::Packets(packets) = self.queues { Some(packets) } else { None }
    }
}

ports! {
    /// Ports of an injection lane, beside its packet.
    pub(crate) struct LanePorts(form: &LaneForm) of Lane {
        /// This node.
        in here: form.format.node_bits,
        /// The packet, or its flit, enters a queue, a bit each.
        in enter: form.split_queues().map_or(1, |(queues, _)| queues),
        /// The flit that enters is the first of its packet.
        maybe (form.flit_writes) in enter_first: 1,
        /// The flit that enters is the last of its packet.
        maybe (form.flit_writes) in enter_last: 1,
        /// Flits for the router.
        out flit as "out": bundle Flit(&form.format) with credit: form.format.vcs,
        /// A packet has left its place.
        maybe (form.packets().is_some()) out left: 1,
        /// Packets in their places.
        maybe (form.packets().is_some()) out used: index_width(form.packets().unwrap_or(0) + 1),
        /// By split queue: flits that may still enter.
        maybe (form.split_queues().is_some()) out free:
            form.split_queues().map_or(0, |(queues, flits)| queues * index_width(flits + 1)),
    }
}
