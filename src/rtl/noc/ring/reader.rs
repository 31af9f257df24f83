//! Ring reader: the end of a channel at its home, packets put together and queued.
//!
//! A part that is on the channel in cycle t and is the last of its packet shows the packet in t when nothing is before
//! it. There are as many places as the home has given credits for, so nothing waits on the channel.

use super::{
    RingFormat,
    packet::{RingFlit, RingPacket},
};
use crate::passing_queue::{Head, passing_queue};
use hdl::{Builder, Bundle, PortName, Signal, index_width, mux, row};

/// The end of a channel that carries `flit`; its packets are [`RingPacket`]s. `pop` takes the one that is shown. Registers are called after
/// `name`.
pub(super) fn reader<'m>(
    m: &'m Builder,
    name: impl PortName,
    (flit, f): (RingFlit<'m>, &RingFormat),
    places: usize,
    pop: Signal<'m>,
) -> Head<'m> {
    let name = name.text();
    let (slot, bits) = (f.slot(), f.cycle_bits());
    let payload = if slot == 1 {
        flit.payload
    } else {
        let index = m.register((&name, "part"), index_width(slot as usize), 0);
        m.when(flit.valid, || m.set(index, mux(flit.tail, 0, index + 1)));
        m.always("a packet has no more parts than a slot", !flit.valid | flit.tail | index.ne(u64::from(slot - 1)));
        let part = |i: u32| {
            let here = index.eq(u64::from(i));
            let kept = m.captured((&name, "payload_part", i), flit.valid & here, flit.payload);
            mux(here, flit.payload, kept)
        };
        row((0..slot - 1).map(part).chain([flit.payload]))
    };
    debug_assert!(slot * bits >= f.payload_bits);
    let packet: RingPacket<'m> = flit.packet(payload.bits(0, f.payload_bits));
    passing_queue(m, &(&name, "packets").text(), places, (flit.valid & flit.tail, packet.pack()), pop)
}
