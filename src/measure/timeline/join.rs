//! Which packet serves an access, which access of the DRAM serves a packet, and the stages that follow from it.

use super::follow::{Access, DramAccess, DramPlace, Found, Journey, Kind, Leg};
use rtl::memory::AddressMap;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A stage of a life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stage {
    pub(super) name: String,
    pub(super) from: u64,
    pub(super) until: u64,
}

/// Records with what joins them.
pub(super) struct Joined {
    pub(super) found: Found,
    /// Of each access: the packet that serves it, and whether it had left for another access before.
    pub(super) served_by: Vec<Option<(usize, bool)>>,
    /// Of each packet: the access of the DRAM.
    pub(super) dram_of: Vec<Option<usize>>,
    pub(super) window: Range<u64>,
    caches: Caches,
}

/// Which caches there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Caches {
    /// In the cores.
    pub(super) l1: bool,
    /// At the controllers.
    pub(super) l2: bool,
}

/// Intervals by line, in the order in which they begin.
type ByLine<K> = FxHashMap<K, Vec<usize>>;

fn by<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> ByLine<K> {
    let mut lines = ByLine::default();
    keys.enumerate().for_each(|(i, key)| lines.entry(key).or_default().push(i));
    lines
}

impl Joined {
    pub(super) fn new(found: Found, window: Range<u64>, caches: Caches, map: &AddressMap) -> Self {
        let served_by = packets_of_accesses(&found);
        let dram_of = dram_of_packets(&found, caches, map);
        Self { found, served_by, dram_of, window, caches }
    }

    /// Whether something from `from` to `until` is shown.
    pub(super) fn shows(&self, from: u64, until: Option<u64>) -> bool {
        from < self.window.end && until.unwrap_or(self.found.end) >= self.window.start
    }

    /// The stages of an access, which tile its life.
    pub(super) fn stages_of_access(&self, number: usize) -> Vec<Stage> {
        let access = &self.found.accesses[number];
        let end = access.replied.unwrap_or(self.found.end);
        let [before, behind] = if self.caches.l1 { ["L1", "L1 fill"] } else { ["core to network", "network to core"] };
        let mut stages = Stages::new(access.shown);
        stages.until("coalescer", access.taken);
        let Some((packet, _)) = self.served_by[number] else {
            stages.until(before, end);
            return stages.finish();
        };
        stages.until(before, self.found.journeys[packet].request.sent.0.min(end));
        self.journey(&mut stages, packet, end);
        stages.until(behind, end);
        stages.finish()
    }

    /// The stages of a packet.
    pub(super) fn stages_of_leg(&self, leg: &Leg) -> Vec<Stage> {
        let mut stages = Stages::new(leg.sent.0);
        self.network(&mut stages, leg, self.found.end);
        stages.finish()
    }

    /// From the request packet to the reply packet's arrival, as far as it is before `end`.
    fn journey(&self, stages: &mut Stages, packet: usize, end: u64) {
        let Journey { request, reply, .. } = &self.found.journeys[packet];
        self.network(stages, request, end);
        if request.received.is_none() {
            return;
        }
        let left = reply.as_ref().map_or(end, |reply| reply.sent.0).min(end);
        self.memory(stages, packet, left);
        if let Some(reply) = reply {
            self.network(stages, reply, end);
        }
    }

    fn network(&self, stages: &mut Stages, leg: &Leg, end: u64) {
        let end = leg.received.map_or(end, |(at, _)| at.min(end));
        for &(tile, left) in &leg.hops {
            let name = super::taps::tile_name(tile, self.found.nodes, &self.found.routers);
            let name = if tile < self.found.nodes { format!("{name} injection queue") } else { name };
            stages.until(&name, left.min(end));
        }
        stages.until(if leg.hops.is_empty() { "network" } else { "ejection" }, end);
    }

    fn memory(&self, stages: &mut Stages, packet: usize, left: u64) {
        let [before, behind] = if self.caches.l2 { ["L2", "L2 fill"] } else { ["to controller", "to network"] };
        let Some(dram) = self.dram_of[packet].map(|dram| &self.found.dram[dram]) else {
            return stages.until(before, left);
        };
        stages.until(before, dram.taken.min(left));
        if let Some((command, burst)) = dram.command {
            let opened = self.opened_for(dram, command);
            if let Some((closing, opening)) = opened {
                stages.until("controller queue", closing.min(left));
                stages.until("precharge", opening.min(left));
                stages.until("activate", command.min(left));
            } else {
                stages.until("controller queue", command.min(left));
            }
            stages.until("DRAM access", burst.min(left));
            stages
                .until("minimum latency", (burst + self.found.min_latency).min(dram.replied.unwrap_or(left)).min(left));
        }
        stages.until("DRAM return queue", dram.replied.unwrap_or(left).min(left));
        stages.until(behind, left);
    }

    /// When its row was opened, where that was for requests that waited with it: PRECHARGE (or ACTIVATE) and ACTIVATE.
    fn opened_for(&self, dram: &DramAccess, command: u64) -> Option<(u64, u64)> {
        let DramPlace { controller, bank, row, .. } = dram.at;
        let end = self.found.rows.partition_point(|open| open.from <= command);
        let rows = self.found.rows[..end].iter().rev();
        let mut rows = rows.take_while(|open| open.from >= dram.taken);
        let open = rows.find(|open| (open.controller, open.bank, open.row) == (controller, bank, row))?;
        let closing = open.precharged.filter(|&at| at >= dram.taken).unwrap_or(open.from);
        Some((closing, open.from))
    }
}

/// Stages in the making: each begins where the one before has ended.
struct Stages {
    all: Vec<Stage>,
    at: u64,
}

impl Stages {
    fn new(from: u64) -> Self {
        Self { all: vec![], at: from }
    }

    /// The next stage, if it takes any time.
    fn until(&mut self, name: &str, until: u64) {
        if until > self.at {
            self.all.push(Stage { name: name.into(), from: self.at, until });
            self.at = until;
        }
    }

    fn finish(self) -> Vec<Stage> {
        self.all
    }
}

/// When its reply arrived; `None`: not yet, or nobody answers it.
fn answered(journey: &Journey) -> Option<u64> {
    journey.reply.as_ref()?.received.map(|(at, _)| at)
}

/// Packets of a core for one line that are looked at for one that an access shares.
const EARLIER: usize = 64;

fn packets_of_accesses(found: &Found) -> Vec<Option<(usize, bool)>> {
    let key = |journey: &Journey| (found.core_of_node.get(&journey.request.key.source).copied(), journey.line);
    let lines = by(found.journeys.iter().map(key));
    let mut claimed = vec![false; found.journeys.len()];
    let mut serves = |access: &Access| {
        let end = access.replied.unwrap_or(found.end);
        let candidates = lines.get(&(Some(access.core), access.line))?;
        let of_kind = |packet: &usize| match (access.kind, found.journeys[*packet].kind) {
            (asked, sent) if asked == sent => true,
            // A cache fetches the line that is written.
            (Kind::Write | Kind::Atomic { .. }, Kind::Read) => true,
            _ => false,
        };
        let sent = |packet: usize| found.journeys[packet].request.sent.0;
        let split = candidates.partition_point(|&packet| sent(packet) < access.taken);
        let (before, after) = candidates.split_at(split);
        let while_it_waits = after.iter().copied().take_while(|&packet| sent(packet) <= end);
        let own = while_it_waits
            .filter(of_kind)
            .find(|&packet| !claimed[packet] && answered(&found.journeys[packet]).is_none_or(|at| at <= end));
        if let Some(packet) = own {
            claimed[packet] = true;
            return Some((packet, false));
        }
        // Packets of a core for one line are few at a time: those that left long before have been answered.
        let earlier = before.iter().rev().take(EARLIER).copied().filter(of_kind).find(|&packet| {
            let open = answered(&found.journeys[packet]).is_some_and(|at| at >= access.taken && at <= end);
            open && access.kind == Kind::Read
        });
        Some((earlier?, true))
    };
    found.accesses.iter().map(&mut serves).collect()
}

fn dram_of_packets(found: &Found, caches: Caches, map: &AddressMap) -> Vec<Option<usize>> {
    let lines = by(found.dram.iter().map(|one| one.at));
    let mut claimed = vec![false; found.dram.len()];
    let mut serves = |journey: &Journey| {
        let (arrived, _) = journey.request.received?;
        // What an L2 bank writes, it writes for itself.
        if journey.kind == Kind::Fence || caches.l2 && journey.kind == Kind::Write && journey.reply.is_none() {
            return None;
        }
        let at = map.locate(journey.line << map.line_bytes().ilog2());
        let at = DramPlace { controller: at.controller, bank: at.bank, row: at.row, column: at.column };
        let left = journey.reply.as_ref().map(|reply| reply.sent.0);
        let within = |one: &DramAccess| {
            // Without a reply packet it is outstanding, or nobody answers it.
            one.taken >= arrived && left.is_none_or(|left| one.replied.is_some_and(|at| at <= left))
        };
        let of_kind = |one: &DramAccess| !one.write || journey.kind != Kind::Read;
        let candidates = lines.get(&at)?;
        let own = candidates.iter().copied().find(|&i| {
            let one = &found.dram[i];
            !claimed[i] && within(one) && one.write == (journey.kind == Kind::Write)
        });
        // Several reads of one line that an L2 bank fetches once; an atomic's access of any kind.
        let own =
            own.or_else(|| candidates.iter().copied().find(|&i| within(&found.dram[i]) && of_kind(&found.dram[i])));
        if let Some(own) = own {
            claimed[own] = true;
            return Some(own);
        }
        // A miss that another packet had begun.
        candidates.iter().rev().copied().find(|&i| {
            let one = &found.dram[i];
            let back = one.replied.filter(|&at| at >= arrived && left.is_none_or(|left| at <= left));
            one.taken < arrived && back.is_some() && !one.write && journey.kind == Kind::Read
        })
    };
    found.journeys.iter().map(&mut serves).collect()
}
