//! Events become records: what is asked for is matched with what answers it.

use crate::host::monitor::PacketKey;
use rtl::{
    chip::Chip,
    memory::{AddressMap, WriteReply, controller::command, map::Location},
    noc::MessageClass,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Bytes that the routers on the way of a packet and its answer take.
const HOPS_BYTES: usize = 256;

/// What a request wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Read,
    Write,
    Atomic {
        /// The old value is wanted: it is answered as a read.
        returns: bool,
    },
    Fence,
}

impl Kind {
    /// From the fields of a request; see [`rtl::memory::protocol`].
    pub(super) fn of(write: bool, words: u64, bytes: u64, returns: impl FnOnce() -> bool) -> Self {
        match (write, words, bytes) {
            (false, 0, _) => Self::Fence,
            (false, ..) => Self::Read,
            (true, _, 0) => Self::Atomic { returns: returns() },
            (true, ..) => Self::Write,
        }
    }

    /// Its reply is one to a write.
    fn answered_as_write(self) -> bool {
        !matches!(self, Self::Read | Self::Atomic { returns: true })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Atomic { .. } => "atomic",
            Self::Fence => "fence",
        }
    }
}

/// A request of a load/store unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub(super) core: usize,
    pub(super) warp: u64,
    /// Number of the line.
    pub(super) line: u32,
    pub(super) kind: Kind,
    /// First shown, taken (at the end of all: not yet), answered.
    pub(super) shown: u64,
    pub(super) taken: u64,
    pub(super) replied: Option<u64>,
}

/// A packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Leg {
    pub(super) key: PacketKey,
    /// When it was handed over, and the cycle of the network.
    pub(super) sent: (u64, u64),
    pub(super) received: Option<(u64, u64)>,
    /// The tiles that its head has left, and when.
    pub(super) hops: Vec<(usize, u64)>,
}

/// A request packet with the packet that answers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Journey {
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) request: Leg,
    pub(super) reply: Option<Leg>,
}

/// A line in the DRAM of a controller.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct DramPlace {
    pub(super) controller: usize,
    pub(super) bank: u32,
    pub(super) row: u32,
    pub(super) column: u32,
}

/// A request of a controller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DramAccess {
    pub(super) at: DramPlace,
    pub(super) write: bool,
    pub(super) taken: u64,
    /// When its READ or WRITE was on the pins, and the last cycle of its burst.
    pub(super) command: Option<(u64, u64)>,
    pub(super) replied: Option<u64>,
}

/// A row that was open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpenRow {
    pub(super) controller: usize,
    pub(super) bank: u32,
    pub(super) row: u32,
    pub(super) from: u64,
    /// When the bank was closed for it; none: it was closed before.
    pub(super) precharged: Option<u64>,
    pub(super) until: Option<u64>,
}

/// What has been found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) accesses: Vec<Access>,
    pub(super) journeys: Vec<Journey>,
    pub(super) dram: Vec<DramAccess>,
    pub(super) rows: Vec<OpenRow>,
    /// Numbers of the cores and controllers at nodes.
    pub(super) core_of_node: FxHashMap<u32, usize>,
    pub(super) controller_of_node: FxHashMap<u32, usize>,
    pub(super) nodes: usize,
    pub(super) routers: Vec<String>,
    /// How long a line takes on a data bus, and how long a reply waits behind its burst at least.
    pub(super) burst: u64,
    pub(super) min_latency: u64,
    /// When the run ended.
    pub(super) end: u64,
}

/// Records that are open, by what their end is known by; the oldest one ends first.
struct Outstanding<K, T> {
    open: FxHashMap<K, VecDeque<T>>,
}

impl<K: std::hash::Hash + Eq, T> Outstanding<K, T> {
    fn new() -> Self {
        Self { open: FxHashMap::default() }
    }

    fn begins(&mut self, key: K, record: T) {
        self.open.entry(key).or_default().push_back(record);
    }

    fn oldest_that(&mut self, key: &K, is: impl Fn(&T) -> bool) -> Option<&mut T> {
        self.open.get_mut(key)?.iter_mut().find(|record| is(record))
    }

    fn ends(&mut self, key: &K) -> Option<T> {
        self.ends_that(key, |_| true)
    }

    /// The oldest one for which this is true, or else the oldest one.
    fn ends_that(&mut self, key: &K, is: impl Fn(&T) -> bool) -> Option<T> {
        let queue = self.open.get_mut(key)?;
        let record = queue.remove(queue.iter().position(is).unwrap_or(0));
        if queue.is_empty() {
            self.open.remove(key);
        }
        record
    }

    fn all(&self) -> impl Iterator<Item = &T> {
        self.open.values().flatten()
    }

    fn into_all(self) -> impl Iterator<Item = T> {
        self.open.into_values().flatten()
    }
}

/// Node of a core, node of the memory, answered as a write, tag.
type AtMemory = (u32, u32, bool, u64);

/// Matches events.
pub(super) struct Follower {
    /// What has ended before, with all that it served, is forgotten now and then.
    keep_from: u64,
    /// Records at which that is next done.
    full: usize,
    posts_writes: bool,
    memory_nodes: FxHashSet<u32>,
    /// Core, answered as a write, tag.
    accesses: Outstanding<(usize, bool, u64), Access>,
    requests: Outstanding<PacketKey, Journey>,
    at_memory: Outstanding<AtMemory, Journey>,
    replies: Outstanding<PacketKey, Journey>,
    dram: Outstanding<(usize, bool, u64), DramAccess>,
    /// Acknowledgements name a warp and no line. Lines whose writes have been acknowledged a level below tell which:
    /// of each core by packets, of each controller by its DRAM.
    /// With the time: a line that was acknowledged before it was asked for is another one's.
    acknowledged: [FxHashMap<usize, VecDeque<(u32, u64)>>; 2],
    map: AddressMap,
    open_rows: FxHashMap<(usize, u32), OpenRow>,
    closed: FxHashMap<(usize, u32), u64>,
    /// Cycles of the DRAM from a READ and from a WRITE to the end of their bursts, in nanoseconds of the file.
    bursts: [u64; 2],
    found: Found,
    pub(super) unmatched: u64,
}

/// What the head of a packet says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PacketHead {
    /// Node that sent it.
    pub source: u32,
    /// Node that it goes to.
    pub destination: u32,
    /// It is a write, or answered as one.
    pub write: bool,
    /// Number of its transaction.
    pub tag: u64,
}

impl Follower {
    pub(super) fn new(chip: &Chip, keep_from: u64) -> Self {
        let numbered = |nodes: &[usize]| nodes.iter().enumerate().map(|(i, &node)| (node as u32, i)).collect();
        let [core, _, dram, _] = chip.config().clocks.megahertz();
        let timing = chip.config().memory.timing;
        let cycles = |cycles: u32| u64::from(cycles) * super::SCALE * u64::from(core) / u64::from(dram);
        let found = Found {
            burst: cycles(timing.burst),
            min_latency: cycles(chip.config().memory.min_latency),
            core_of_node: numbered(chip.core_nodes()),
            controller_of_node: numbered(chip.memory_nodes()),
            nodes: chip.fabric().params().nodes.iter().count(),
            routers: super::taps::routers(chip).0,
            ..Found::default()
        };
        Self {
            keep_from,
            full: RECORDS,
            posts_writes: chip.config().memory.write_reply == WriteReply::None,
            memory_nodes: found.controller_of_node.keys().copied().collect(),
            accesses: Outstanding::new(),
            requests: Outstanding::new(),
            at_memory: Outstanding::new(),
            replies: Outstanding::new(),
            dram: Outstanding::new(),
            acknowledged: Default::default(),
            map: chip.map().clone(),
            open_rows: FxHashMap::default(),
            closed: FxHashMap::default(),
            bursts: [cycles(timing.latency()), cycles(timing.write_latency())],
            found,
            unmatched: 0,
        }
    }

    /// A core asks.
    pub(super) fn asks(&mut self, access: Access, tag: u64) {
        self.accesses.begins((access.core, access.kind.answered_as_write(), tag), access);
    }

    /// A core asks for something that nobody has taken.
    pub(super) fn waits(&mut self, access: Access) {
        self.found.accesses.push(access);
    }

    /// A core is answered.
    pub(super) fn answered(&mut self, core: usize, write: bool, tag: u64, now: u64) {
        let lines = self.acknowledged[0].entry(core).or_default();
        match self.accesses.ends_that(&(core, write, tag), |access| write && is_among(lines, access.line, access.taken))
        {
            Some(access) => {
                forget(lines, access.line);
                let access = Access { replied: Some(now), ..access };
                self.found.accesses.push(access);
                self.forget_ended(now);
            }
            None => self.unmatched += 1,
        }
    }

    /// A packet is handed to the network; `request`: line and kind of what it asks for.
    pub(super) fn sent(&mut self, key: PacketKey, request: Option<(u32, Kind)>, at: (u64, u64)) {
        let leg = Leg { key, sent: at, received: None, hops: vec![] };
        match request {
            Some((line, kind)) => self.requests.begins(key, Journey { line, kind, request: leg, reply: None }),
            None => {
                let memory = self.found.controller_of_node[&key.source];
                let lines = self.acknowledged[1].entry(memory).or_default();
                let place = (key.destination, key.source, key.write, key.tag);
                match self.at_memory.ends_that(&place, |journey| {
                    let arrived = journey.request.received.map_or(u64::MAX, |(at, _)| at);
                    key.write && is_among(lines, journey.line, arrived)
                }) {
                    Some(journey) => {
                        forget(lines, journey.line);
                        self.replies.begins(key, Journey { reply: Some(leg), ..journey });
                    }
                    None => self.unmatched += 1,
                }
            }
        }
    }

    /// The head of a packet leaves a tile.
    pub(super) fn passes(&mut self, head: PacketHead, tile: usize, now: u64) {
        let PacketHead { source, destination, write, tag } = head;
        let is_reply = self.memory_nodes.contains(&source);
        let class = if is_reply { MessageClass::Reply } else { MessageClass::Request };
        let key = PacketKey { class, source, destination, write, tag };
        let has_not = |leg: &Leg| leg.hops.iter().all(|&(left, _)| left != tile);
        let of = |journey: &Journey| {
            has_not(if is_reply { journey.reply.as_ref().unwrap_or(&journey.request) } else { &journey.request })
        };
        let open = if is_reply { &mut self.replies } else { &mut self.requests };
        match open.oldest_that(&key, of) {
            Some(Journey { reply: Some(leg), .. }) if is_reply => leg.hops.push((tile, now)),
            Some(Journey { request, .. }) => request.hops.push((tile, now)),
            None => self.unmatched += 1,
        }
    }

    /// A packet is handed to its destination.
    pub(super) fn received(&mut self, key: &PacketKey, at: (u64, u64)) {
        let open = if key.class == MessageClass::Request { &mut self.requests } else { &mut self.replies };
        let Some(mut journey) = open.ends(key) else {
            self.unmatched += 1;
            return;
        };
        if let Some(reply) = &mut journey.reply {
            reply.received = Some(at);
            if key.write {
                let core = self.found.core_of_node[&key.destination];
                remember(self.acknowledged[0].entry(core).or_default(), (journey.line, at.0));
            }
            self.found.journeys.push(journey);
            return;
        }
        journey.request.received = Some(at);
        if self.posts_writes && journey.kind == Kind::Write {
            self.found.journeys.push(journey);
            return;
        }
        let place = (key.source, key.destination, journey.kind.answered_as_write(), key.tag);
        self.at_memory.begins(place, journey);
    }

    /// A controller takes a request.
    pub(super) fn dram_asked(&mut self, at: DramPlace, write: bool, tag: u64, now: u64) {
        let access = DramAccess { at, write, taken: now, command: None, replied: None };
        self.dram.begins((at.controller, write, tag), access);
    }

    /// A command is on the pins of a channel.
    pub(super) fn command(&mut self, code: u64, at: DramPlace, now: u64) {
        let bank = (at.controller, at.bank);
        match code {
            command::ACTIVATE => {
                let DramPlace { controller, bank: number, row, .. } = at;
                let precharged = self.closed.remove(&bank);
                let open = OpenRow { controller, bank: number, row, from: now, precharged, until: None };
                self.open_rows.insert(bank, open);
            }
            command::PRECHARGE => {
                if let Some(row) = self.open_rows.remove(&bank) {
                    self.found.rows.push(OpenRow { until: Some(now), ..row });
                }
                self.closed.insert(bank, now);
            }
            _ => {
                let write = code == command::WRITE;
                let Some(row) = self.open_rows.get(&bank).map(|open| open.row) else {
                    self.unmatched += 1;
                    return;
                };
                let at = DramPlace { row, ..at };
                // Requests for one line are served in the order in which they came.
                let waiting = self.dram.open.values_mut().flatten();
                let waiting = waiting.filter(|one| one.at == at && one.write == write && one.command.is_none());
                match waiting.min_by_key(|one| one.taken) {
                    Some(one) => one.command = Some((now, now + self.bursts[usize::from(write)])),
                    None => self.unmatched += 1,
                }
            }
        }
    }

    /// The reply of a controller is taken.
    pub(super) fn dram_answered(&mut self, controller: usize, write: bool, tag: u64, now: u64) {
        match self.dram.ends(&(controller, write, tag)) {
            Some(access) => {
                if write {
                    let DramPlace { controller, bank, row, column } = access.at;
                    let address = self.map.address(Location { controller, row, bank, column, byte: 0 }).unwrap_or(0);
                    let line = address >> self.map.line_bytes().ilog2();
                    remember(self.acknowledged[1].entry(controller).or_default(), (line, now));
                }
                self.found.dram.push(DramAccess { replied: Some(now), ..access });
            }
            None => self.unmatched += 1,
        }
    }

    /// Before the window: forgets what has ended and serves nothing that is open.
    fn forget_ended(&mut self, now: u64) {
        let found = &mut self.found;
        if now >= self.keep_from || found.accesses.len() + found.journeys.len() + found.dram.len() < self.full {
            return;
        }
        let journeys = self.requests.all().chain(self.at_memory.all()).chain(self.replies.all());
        let oldest = journeys.map(|one| one.request.sent.0).chain(self.accesses.all().map(|one| one.shown)).min();
        let oldest = oldest.unwrap_or(now);
        found.accesses.retain(|one| one.replied.is_some_and(|end| end >= oldest));
        found.journeys.retain(|one| {
            let last = one.reply.as_ref().unwrap_or(&one.request);
            last.received.is_some_and(|(end, _)| end >= oldest)
        });
        found.dram.retain(|one| one.replied.is_some_and(|end| end >= oldest));
        found.rows.retain(|one| one.until.is_some_and(|end| end >= oldest));
        self.full = RECORDS + 2 * (found.accesses.len() + found.journeys.len() + found.dram.len());
    }

    /// Bytes of the records that are kept, about.
    pub(super) fn held(&self) -> u64 {
        let Found { accesses, journeys, dram, rows, .. } = &self.found;
        let bytes = [
            accesses.len() * size_of::<Access>(),
            journeys.len() * (size_of::<Journey>() + HOPS_BYTES),
            dram.len() * size_of::<DramAccess>(),
            rows.len() * size_of::<OpenRow>(),
        ];
        bytes.iter().sum::<usize>() as u64
    }

    /// Everything that began before `end` has ended.
    pub(super) fn is_past(&self, end: u64) -> bool {
        let journeys = self.requests.all().chain(self.at_memory.all()).chain(self.replies.all());
        self.accesses.all().all(|one| one.shown >= end)
            && journeys.into_iter().all(|one| one.request.sent.0 >= end)
            && self.dram.all().all(|one| one.taken >= end)
    }

    /// All records, those that are open among them.
    pub(super) fn finish(self, end: u64) -> Found {
        let Self { accesses, requests, at_memory, replies, dram, open_rows, mut found, .. } = self;
        found.end = end;
        found.accesses.extend(accesses.into_all());
        found.journeys.extend(requests.into_all().chain(at_memory.into_all()).chain(replies.into_all()));
        found.dram.extend(dram.into_all());
        found.rows.extend(open_rows.into_values());
        found.accesses.sort_by_key(|one| (one.shown, one.core));
        found.journeys.sort_by_key(|one| (one.request.sent.0, one.request.key.source));
        found.dram.sort_by_key(|one| (one.taken, one.at.controller));
        found.rows.sort_by_key(|one| (one.from, one.controller, one.bank));
        found
    }
}

/// Records that are worth forgetting some.
const RECORDS: usize = 1000;

/// Lines that are remembered: more than can be acknowledged and not passed on.
const REMEMBERED: usize = 64;

fn remember(lines: &mut VecDeque<(u32, u64)>, line: (u32, u64)) {
    if lines.len() == REMEMBERED {
        lines.pop_front();
    }
    lines.push_back(line);
}

/// The line was acknowledged at this time or later.
fn is_among(lines: &VecDeque<(u32, u64)>, line: u32, from: u64) -> bool {
    lines.iter().any(|&(one, at)| one == line && at >= from)
}

fn forget(lines: &mut VecDeque<(u32, u64)>, line: u32) {
    if let Some(at) = lines.iter().position(|&(one, _)| one == line) {
        lines.remove(at);
    }
}
