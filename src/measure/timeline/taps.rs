//! The nets of a chip at which transactions, packets and DRAM commands pass.

use super::follow::{Access, DramPlace, Follower, Kind, PacketHead};
use crate::{
    host::{monitor::PacketKey, packet_ports::PacketPort},
    output_units::output_unit_taps,
};
use hdl::{Bits, Bundle};
use rtl::{
    chip::Chip,
    core::memory::load_store,
    memory::{
        controller::{self, command},
        packets::MemoryPackets,
        protocol::{AtomicData, HEADER_BITS, Protocol},
    },
    noc::{
        MessageClass,
        fabric::terminal::{INJECTED, INJECTED_DEST, INJECTED_HEAD, INJECTED_INFO},
        output_unit::{FLIT, FLIT_DEST, FLIT_HEAD, FLIT_INFO},
    },
};
use sim::{ClockHandle, OutputHandle, SimError, Simulator};

/// All of them.
pub(super) struct Taps {
    cores: (ClockHandle, Vec<CoreTap>),
    network: (ClockHandle, Vec<PacketPort>, Vec<ChannelTap>),
    dram: (ClockHandle, Vec<ControllerTap>),
    protocol: Protocol,
}

/// The load/store unit of a core.
struct CoreTap {
    reserve: OutputHandle,
    warp: OutputHandle,
    /// valid, taken, write, tag, line, words, bytes.
    request: [OutputHandle; 7],
    data: OutputHandle,
    /// valid, write, tag.
    reply: [OutputHandle; 3],
    /// Of the access whose requests are shown.
    warp_now: u64,
    /// The request that is shown, with its tag: nobody has taken it.
    shown: Option<(Access, u64)>,
}

/// A channel on which flits leave a router or an interface.
struct ChannelTap {
    /// Name of what they leave.
    tile: usize,
    valid: OutputHandle,
    head: OutputHandle,
    dest: OutputHandle,
    info: OutputHandle,
    sideband_bits: u32,
    packets: MemoryPackets,
}

/// A memory controller.
struct ControllerTap {
    /// valid, taken, write, tag, line.
    request: [OutputHandle; 5],
    /// valid, taken, write, tag.
    reply: [OutputHandle; 4],
    /// command, bank, row, column.
    pins: [OutputHandle; 4],
    /// Bits of column, bank and row in the number of a line, from the lowest.
    bits: [u32; 3],
}

impl Taps {
    pub(super) fn new(chip: &Chip, simulator: &Simulator) -> Result<Self, SimError> {
        let [core, noc, dram, _] = chip.config().clocks.domains();
        Ok(Self {
            cores: (simulator.clock(core)?, CoreTap::all(simulator)),
            network: (simulator.clock(noc)?, PacketPort::all(chip, simulator)?, channels(chip, simulator)?),
            dram: (simulator.clock(dram)?, ControllerTap::all(chip, simulator)),
            protocol: chip.packets().protocol,
        })
    }

    /// Tells the follower what happens in the instant `now`; of replies last, as they answer requests.
    pub(super) fn observe(&mut self, simulator: &mut Simulator, follower: &mut Follower, now: u64) {
        let (noc, ports, channels) = &self.network;
        if simulator.has_edge(*noc) {
            let cycle = simulator.cycle_of(*noc);
            for port in ports {
                if let Some(packet) = port.sent(simulator) {
                    let request = (packet.class == MessageClass::Request).then(|| {
                        let payload = port.payload(simulator);
                        self.asked(&packet, &payload)
                    });
                    follower.sent(packet, request, (now, cycle));
                }
            }
            for channel in channels {
                if let Some(head) = channel.head(simulator) {
                    follower.passes(head, channel.tile, now);
                }
            }
            for port in ports {
                if let Some(packet) = port.received(simulator) {
                    follower.received(&packet, (now, cycle));
                }
            }
        }
        let (dram, controllers) = &self.dram;
        if simulator.has_edge(*dram) {
            (0..).zip(controllers).for_each(|(c, tap)| tap.observe(simulator, follower, c, now));
        }
        // A reply packet may be a reply to the load/store unit in the same cycle.
        let (core_clock, cores) = &mut self.cores;
        if simulator.has_edge(*core_clock) {
            (0..).zip(cores).for_each(|(core, tap)| tap.observe(simulator, follower, core, now, &self.protocol));
        }
    }

    /// Some request that was first shown before `end` has not been taken.
    pub(super) fn shows_before(&self, end: u64) -> bool {
        self.cores.1.iter().any(|core| core.shown.as_ref().is_some_and(|(access, _)| access.shown < end))
    }

    /// Tells the follower of requests that nobody has taken to the end.
    pub(super) fn finish(&mut self, follower: &mut Follower, now: u64) {
        let shown = self.cores.1.iter_mut().filter_map(|core| core.shown.take());
        shown.for_each(|(access, _)| follower.waits(Access { taken: now, ..access }));
    }

    /// Line and kind of what a request packet asks for.
    fn asked(&self, packet: &PacketKey, payload: &Bits) -> (u32, Kind) {
        let p = &self.protocol;
        let header = MemoryPackets::header(payload);
        let field = |low: u32, bits: u32| header >> low & ((1 << bits) - 1);
        let line = field(0, p.line_number_bits());
        let words = field(p.line_number_bits(), p.words());
        let bytes = field(p.line_number_bits() + p.words(), 4);
        let returns = || payload.bit(HEADER_BITS + AtomicData::width(&()) - 1);
        (line as u32, Kind::of(packet.write, words, bytes, returns))
    }
}

impl CoreTap {
    /// Those of all cores.
    fn all(simulator: &Simulator) -> Vec<Self> {
        use load_store::*;
        let accesses = simulator.taps([BEGINS, WARP_OF_ACCESS, REQUEST_DATA]);
        let requests = [REQUEST, REQUEST_TAKEN, REQUEST_WRITE, REQUEST_TAG, REQUEST_LINE, REQUEST_WORDS, REQUEST_BYTES];
        let (requests, replies) = (simulator.taps(requests), simulator.taps([REPLY, REPLY_WRITE, REPLY_TAG]));
        let core = |((access, request), reply): ((Vec<[_; 3]>, Vec<[_; 7]>), Vec<[_; 3]>)| {
            let [reserve, warp, data] = access[0];
            Self { reserve, warp, request: request[0], data, reply: reply[0], warp_now: 0, shown: None }
        };
        accesses.into_iter().zip(requests).zip(replies).map(core).collect()
    }

    fn observe(
        &mut self,
        simulator: &mut Simulator,
        follower: &mut Follower,
        core: usize,
        now: u64,
        protocol: &Protocol,
    ) {
        let [valid, taken, write, tag, line, words, bytes] = self.request;
        if simulator.peek_at(valid) == 1 {
            let shown = self.shown.take().unwrap_or_else(|| {
                let [write, tag, line, words, bytes] =
                    [write, tag, line, words, bytes].map(|net| simulator.peek_at(net));
                let returns = || simulator.peek_bits_at(self.data).bit(AtomicData::width(&()) - 1);
                let kind = Kind::of(write == 1, words, bytes, returns);
                let line = (line << protocol.offset_bits() >> protocol.offset_bits()) as u32;
                (Access { core, warp: self.warp_now, line, kind, shown: now, taken: now, replied: None }, tag)
            });
            if simulator.peek_at(taken) == 1 {
                let (access, tag) = shown;
                follower.asks(Access { taken: now, ..access }, tag);
            } else {
                self.shown = Some(shown);
            }
        }
        if simulator.peek_at(self.reserve) == 1 {
            self.warp_now = simulator.peek_at(self.warp);
        }
        if simulator.peek_at(self.reply[0]) == 1 {
            let [write, tag] = [1, 2].map(|i| simulator.peek_at(self.reply[i]));
            follower.answered(core, write == 1, tag, now);
        }
    }
}

impl ChannelTap {
    /// On `tile` at these nets: valid, head, dest, info.
    fn new(packets: MemoryPackets, (tile, [valid, head, dest, info]): (usize, [OutputHandle; 4])) -> Self {
        Self { tile, valid, head, dest, info, sideband_bits: packets.sideband_bits(), packets }
    }

    /// The packet whose head leaves in this cycle; its class is not known here.
    fn head(&self, simulator: &mut Simulator) -> Option<PacketHead> {
        if simulator.peek_at(self.valid) == 0 || simulator.peek_at(self.head) == 0 {
            return None;
        }
        let [dest, info] = [self.dest, self.info].map(|net| simulator.peek_at(net));
        let (write, tag) = self.packets.write_and_tag(info & ((1 << self.sideband_bits) - 1));
        let (source, destination) = ((info >> self.sideband_bits) as u32, dest as u32);
        Some(PacketHead { source, destination, write, tag })
    }
}

/// Names of the tiles that packets leave: interfaces by node, then routers in the order of their output units.
pub(super) fn tile_name(tile: usize, nodes: usize, routers: &[String]) -> String {
    if tile < nodes { format!("interface{tile}") } else { routers[tile - nodes].clone() }
}

/// All channels. Where a node has no interface of the usual kind, packets are seen at routers first; those that pass a
/// ring are other packets for the routers, and are not seen there.
fn channels(chip: &Chip, simulator: &Simulator) -> Result<Vec<ChannelTap>, SimError> {
    let fabric = chip.fabric();
    if fabric.params().ring.is_some() {
        return Ok(vec![]);
    }
    let injected = [INJECTED, INJECTED_HEAD, INJECTED_DEST, INJECTED_INFO];
    let injected = simulator.part_taps(injected).into_iter().filter_map(|(node, nets)| Some((node? as usize, nets)));
    let sent = output_unit_taps(fabric, simulator, [FLIT, FLIT_HEAD, FLIT_DEST, FLIT_INFO])?;
    let nodes = fabric.params().nodes.iter().count();
    let sent = routers(chip).1.into_iter().zip(sent).map(|(router, (_, nets))| (nodes + router, nets));
    Ok(injected.chain(sent).map(|at| ChannelTap::new(chip.packets(), at)).collect())
}

/// Names of the routers, and of each output the number of its router.
pub(super) fn routers(chip: &Chip) -> (Vec<String>, Vec<usize>) {
    let (mut names, mut outputs) = (Vec::<String>::new(), vec![]);
    for unit in chip.fabric().output_units().into_iter().filter(|unit| unit.of_side_network.is_none()) {
        if names.last() != Some(&unit.tile) {
            names.push(unit.tile);
        }
        outputs.push(names.len() - 1);
    }
    (names, outputs)
}

impl ControllerTap {
    /// Those of all memory nodes.
    fn all(chip: &Chip, simulator: &Simulator) -> Vec<Self> {
        use controller::*;
        let requests = simulator.taps([REQUEST, REQUEST_TAKEN, REQUEST_WRITE, REQUEST_TAG, REQUEST_LINE]);
        let replies = simulator.taps([REPLY, REPLY_TAKEN, REPLY_WRITE, REPLY_TAG]);
        let pins = simulator.taps([COMMAND, COMMAND_BANK, COMMAND_ROW, COMMAND_COLUMN]);
        let map = chip.map();
        let bits = [map.column_bits(), map.bank_bits(), map.row_bits()];
        let controller = |((request, reply), pins): ((Vec<[_; 5]>, Vec<[_; 4]>), Vec<[_; 4]>)| Self {
            request: request[0],
            reply: reply[0],
            pins: pins[0],
            bits,
        };
        requests.into_iter().zip(replies).zip(pins).map(controller).collect()
    }

    fn observe(&self, simulator: &mut Simulator, follower: &mut Follower, controller: usize, now: u64) {
        let mut look = |nets: &[OutputHandle]| -> Vec<u64> { nets.iter().map(|&net| simulator.peek_at(net)).collect() };
        let [column_bits, bank_bits, row_bits] = self.bits;
        if look(&self.request[..2]) == [1, 1] {
            let asked = look(&self.request[2..]);
            let field = |low: u32, bits: u32| (asked[2] >> low & ((1 << bits) - 1)) as u32;
            let at = DramPlace {
                controller,
                bank: field(column_bits, bank_bits),
                row: field(column_bits + bank_bits, row_bits),
                column: field(0, column_bits),
            };
            follower.dram_asked(at, asked[0] == 1, asked[1], now);
        }
        let pins = look(&self.pins);
        if pins[0] != command::NONE {
            let at = DramPlace { controller, bank: pins[1] as u32, row: pins[2] as u32, column: pins[3] as u32 };
            follower.command(pins[0], at, now);
        }
        if look(&self.reply[..2]) == [1, 1] {
            let reply = look(&self.reply[2..]);
            follower.dram_answered(controller, reply[0] == 1, reply[1], now);
        }
    }
}
