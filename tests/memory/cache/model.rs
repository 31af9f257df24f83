//! Miss handling against an executable model, one access and one line at a time: what becomes of each access, by which
//! cause it is refused, which entry and which way a line gets, which line leaves, who waits for it and in which order,
//! whose lines they are.

use crate::{matrix::options, rig::small};
use cache::{
    Allocation, CacheParams, MissHandling, OwnParams, Prefetching, ProtectedVictims, WriteHit, WriteMiss, WritePending,
    cache,
    events::{Cause, Class},
};
use netlist::elaborate;
use protocol::Protocol;
use sim::Simulator;
use std::collections::VecDeque;
use verilog::lockstep::Rng;

const WARP_BITS: u32 = 3;

#[derive(Clone, Copy, Default)]
struct ModelWay {
    line: u64,
    valid: bool,
    /// Entry of the line that is pending.
    reserved: Option<usize>,
    dirty: bool,
    hit: bool,
    warp: u64,
    /// Prefetched, and nobody has read it.
    unused: bool,
}

struct ModelSet {
    ways: Vec<ModelWay>,
    /// Ways, the least recently used one first.
    order: Vec<usize>,
}

#[derive(Clone)]
struct Entry {
    line: u64,
    warp: u64,
    poisoned: bool,
    tags: Vec<u64>,
    /// A prefetch has asked for it; and nobody has read it.
    opened: bool,
    unused: bool,
}

/// What becomes of prefetches and their lines, in the order of their statistics.
#[derive(Default, PartialEq, Debug)]
struct Prefetched([u64; 8]);

/// Names of these statistics.
const PREFETCHED: [&str; 8] = [
    "prefetches",
    "prefetches_present",
    "prefetches_pending",
    "prefetches_without_entry",
    "prefetches_blocked",
    "useful_prefetches",
    "late_prefetches",
    "useless_prefetches",
];

#[derive(Clone, Copy, Debug)]
struct ModelAccess {
    write: bool,
    line: u64,
    warp: u64,
    tag: u64,
}

/// What an access becomes.
#[derive(PartialEq, Debug)]
enum ModelOutcome {
    Accepted { class: Class, asks: Option<u64>, writes: bool, evicts: Option<(u64, u64)> },
    Refused(Cause),
}

struct CacheModel {
    p: CacheParams,
    sets: Vec<ModelSet>,
    entries: Vec<Option<Entry>>,
    written_back: u64,
    prefetched: Prefetched,
}

impl CacheModel {
    fn new(p: &CacheParams) -> Self {
        let set =
            || ModelSet { ways: vec![ModelWay::default(); p.ways as usize], order: (0..p.ways as usize).collect() };
        let (sets, entries) = ((0..p.sets).map(|_| set()).collect(), vec![None; p.all_entries() as usize]);
        Self { p: p.clone(), sets, entries, written_back: 0, prefetched: Prefetched::default() }
    }

    fn set(&self, line: u64) -> usize {
        (line % u64::from(self.p.sets)) as usize
    }

    fn pending(&self, line: u64) -> Option<usize> {
        self.entries.iter().position(|entry| entry.as_ref().is_some_and(|entry| entry.line == line))
    }

    /// The lowest free entry among these.
    fn free(&self, mut among: impl Iterator<Item = usize>) -> Option<usize> {
        among.find(|&e| self.entries[e].is_none())
    }

    fn victim(&self, set: usize) -> Option<usize> {
        let ModelSet { ways, order } = &self.sets[set];
        let empty = ways.iter().position(|way| !way.valid && way.reserved.is_none());
        empty.or_else(|| order.iter().copied().find(|&way| ways[way].reserved.is_none()))
    }

    fn touch(&mut self, set: usize, way: usize) {
        self.sets[set].order.retain(|&other| other != way);
        self.sets[set].order.push(way);
    }

    /// The entry for another line, and whether it takes its way now.
    fn entry(&self, line: u64) -> Result<(usize, bool), Cause> {
        let (n, all) = (self.p.entries as usize, self.p.all_entries() as usize);
        let set = self.set(line);
        let on_miss = self.p.allocation == Allocation::OnMiss;
        match self.p.misses {
            MissHandling::Full | MissHandling::Unlimited | MissHandling::Tsma => {
                Ok((self.free(0..n).ok_or(Cause::Entry)?, on_miss))
            }
            MissHandling::SetAssociative => {
                let sets = n / self.p.entry_ways as usize;
                let ways = (0..n).filter(|e| e % sets == line as usize % sets);
                Ok((self.free(ways).ok_or(Cause::Entry)?, on_miss))
            }
            MissHandling::Htsma => {
                let ways = &self.sets[set].ways;
                let (shared, small) = (self.free(0..n), self.free(n..all));
                if ways.iter().filter(|way| way.reserved.is_none()).count() == 1 {
                    return Ok((small.ok_or(Cause::Handling)?, false));
                }
                let victim = ways[self.victim(set).expect("one is not reserved")];
                let protected = self.p.own.protects == ProtectedVictims::All || victim.valid && victim.hit;
                match (protected, small) {
                    (true, Some(small)) => Ok((small, false)),
                    _ => Ok((shared.ok_or(Cause::Entry)?, true)),
                }
            }
            MissHandling::Own(_) => unreachable!("the model has the rows of the table"),
        }
    }

    /// The line leaves its way for another one.
    fn replace(&mut self, set: usize, way: usize) -> Option<(u64, u64)> {
        let way = &mut self.sets[set].ways[way];
        let left = way.valid.then_some((way.line, way.warp));
        self.written_back += u64::from(way.valid && way.dirty);
        self.prefetched.0[7] += u64::from(way.valid && way.unused);
        *way = ModelWay::default();
        left
    }

    fn access(&mut self, access: ModelAccess) -> ModelOutcome {
        let ModelAccess { write, line, warp, tag } = access;
        let set = self.set(line);
        let class = |of: u64, same: Class, other: Class| if of == warp { same } else { other };
        if let Some(way) = self.sets[set].ways.iter().position(|way| way.valid && way.line == line) {
            self.touch(set, way);
            let here = &mut self.sets[set].ways[way];
            let class = class(here.warp, Class::Intra, Class::Inter);
            here.hit = true;
            let evicts = write && self.p.write_hit == WriteHit::Evict;
            here.dirty |= write && self.p.write_hit == WriteHit::Back;
            here.valid &= !evicts;
            self.prefetched.0[5] += u64::from(here.unused && !write);
            self.prefetched.0[7] += u64::from(here.unused && evicts);
            here.unused &= write && !evicts;
            let writes = write && self.p.write_hit != WriteHit::Back;
            return ModelOutcome::Accepted { class, asks: None, writes, evicts: None };
        }
        if let Some(e) = self.pending(line) {
            let entry = self.entries[e].as_mut().expect("it is pending");
            let class = class(entry.warp, Class::IntraMerged, Class::InterMerged);
            if write {
                if self.p.write_pending == WritePending::Stall {
                    return ModelOutcome::Refused(Cause::Line);
                }
                entry.poisoned = true;
                return ModelOutcome::Accepted { class, asks: None, writes: true, evicts: None };
            }
            if entry.poisoned {
                return ModelOutcome::Refused(Cause::Poisoned);
            }
            if entry.tags.len() == self.p.targets as usize && self.p.misses != MissHandling::Unlimited {
                return ModelOutcome::Refused(Cause::Target);
            }
            entry.tags.push(tag);
            self.prefetched.0[6] += u64::from(std::mem::take(&mut entry.unused));
            if let Some(way) = self.sets[set].ways.iter().position(|way| way.reserved == Some(e)) {
                self.touch(set, way);
            }
            return ModelOutcome::Accepted { class, asks: None, writes: false, evicts: None };
        }
        if write {
            return ModelOutcome::Accepted { class: Class::Miss, asks: None, writes: true, evicts: None };
        }
        match self.ask(line, warp, Some(tag)) {
            Ok((e, evicts)) => ModelOutcome::Accepted { class: Class::Miss, asks: Some(e), writes: false, evicts },
            Err(cause) => ModelOutcome::Refused(cause),
        }
    }

    /// A line is asked for, by a read or a prefetch: its entry, and what leaves for it.
    fn ask(&mut self, line: u64, warp: u64, tag: Option<u64>) -> Result<(u64, Option<(u64, u64)>), Cause> {
        let set = self.set(line);
        let (e, reserves) = self.entry(line)?;
        let victim = self.victim(set);
        if self.p.allocation == Allocation::OnMiss && victim.is_none() {
            return Err(Cause::Way);
        }
        let mut evicts = None;
        if let Some(victim) = victim {
            self.sets[set].ways[victim].hit = false;
            if reserves {
                evicts = self.replace(set, victim);
                self.sets[set].ways[victim] = ModelWay { line, reserved: Some(e), warp, ..ModelWay::default() };
                self.touch(set, victim);
            }
        }
        let (opened, tags) = (tag.is_none(), tag.into_iter().collect());
        self.entries[e] = Some(Entry { line, warp, poisoned: false, tags, opened, unused: opened });
        Ok((e as u64, evicts))
    }

    /// A prefetch: the entry of its line, if it asks for it.
    fn prefetch(&mut self, line: u64, warp: u64) -> Option<u64> {
        let here = self.sets[self.set(line)].ways.iter().any(|way| way.valid && way.line == line);
        let (outcome, entry) = match (here, self.pending(line)) {
            (true, _) => (1, None),
            (_, Some(_)) => (2, None),
            _ => match self.ask(line, warp, None) {
                Ok((entry, _)) => (0, Some(entry)),
                Err(Cause::Way) => (4, None),
                Err(_) => (3, None),
            },
        };
        self.prefetched.0[outcome] += 1;
        entry
    }

    /// The line of an entry comes: who it answers, and what leaves for it.
    fn fill(&mut self, e: usize) -> (Vec<u64>, Option<(u64, u64)>, Option<u64>) {
        let Entry { line, warp, poisoned, tags, opened, unused } = self.entries[e].take().expect("it is pending");
        self.prefetched.0[7] += u64::from(poisoned && unused);
        let passes = poisoned || self.p.prefetching == Prefetching::Only && !opened;
        let set = self.set(line);
        let reserved = self.sets[set].ways.iter().position(|way| way.reserved == Some(e));
        let mut evicts = None;
        match (reserved, passes) {
            (Some(way), true) => self.sets[set].ways[way].reserved = None,
            (None, true) => {}
            (reserved, false) => {
                let way = reserved.or_else(|| self.victim(set)).expect("there is a way");
                evicts = self.replace(set, way);
                self.sets[set].ways[way] = ModelWay { line, valid: true, warp, unused, ..ModelWay::default() };
                self.touch(set, way);
            }
        }
        (tags, evicts, (!opened).then_some(warp))
    }
}

struct Harness {
    sim: Simulator,
    model: CacheModel,
    free_tags: VecDeque<u64>,
    /// Acknowledgements of writes that are due.
    writes: VecDeque<u64>,
    answered: Vec<u64>,
    expected: Vec<u64>,
    /// Writes that came below, and those of requests that should have.
    written: u64,
    forwarded: u64,
    asked: Vec<u64>,
    /// Causes seen, and classes.
    refused: Vec<Cause>,
    accepted: [u64; 5],
    small: u64,
}

/// What the events of some cycles have shown.
#[derive(Default)]
struct ModelSeen {
    access: Option<(bool, u64, u64, u64)>,
    refused: Option<u64>,
    fill: Option<(u64, u64)>,
    evicted: Option<(u64, u64)>,
}

impl Harness {
    fn new(p: &CacheParams) -> Self {
        let design = elaborate(&cache(p)).unwrap_or_else(|errors| panic!("{p:?}: {errors:?}"));
        let mut sim = Simulator::new(&design, &options()).expect("simulates");
        sim.reset(2);
        for (port, value) in [("flush", 0), ("downstream_taken", 1), ("reply_taken", 0), ("request_valid", 0)] {
            sim.poke(port, value);
        }
        sim.poke("downstream_reply_valid", 0);
        if p.prefetches() {
            sim.poke("prefetch_valid", 0);
        }
        sim.poke("request_words", 1);
        sim.poke("request_bytes", 15);
        let (free_tags, model) = ((0..64).collect(), CacheModel::new(p));
        let (writes, answered, expected, asked) = (VecDeque::new(), vec![], vec![], vec![]);
        let mut new = Self {
            sim,
            model,
            free_tags,
            writes,
            answered,
            expected,
            asked,
            refused: vec![],
            accepted: [0; 5],
            small: 0,
            written: 0,
            forwarded: 0,
        };
        new.cycles(p.sets + 2);
        new
    }

    /// One cycle: replies and requests below are taken at once.
    fn cycle(&mut self) -> ModelSeen {
        let sim = &mut self.sim;
        sim.settle();
        let replies = sim.peek("reply_valid");
        sim.poke("reply_taken", replies);
        if replies == 1 {
            self.answered.push(sim.peek("reply_tag"));
        }
        let lower = sim.peek("downstream_valid");
        sim.poke("downstream_taken", lower);
        if lower == 1 {
            let tag = sim.peek("downstream_tag");
            if sim.peek("downstream_write") == 1 {
                self.writes.push_back(tag)
            } else {
                self.asked.push(tag)
            }
            self.written += sim.peek("downstream_write");
        }
        let mut seen = ModelSeen::default();
        if sim.peek("event_access") == 1 {
            let [load, class, warp, line] =
                ["event_load", "event_class", "event_warp", "event_line"].map(|port| sim.peek(port));
            seen.access = Some((load == 0, class, warp, line));
        }
        let refused = sim.peek("event_refused");
        seen.refused = (refused != 0).then_some(refused);
        let pair = |sim: &mut Simulator, of: [&str; 3]| {
            let [shown, line, warp] = of.map(|port| sim.peek(port));
            (shown == 1).then_some((line, warp))
        };
        seen.fill = pair(sim, ["event_fill", "event_fill_line", "event_fill_warp"]);
        seen.evicted = pair(sim, ["event_evicted", "event_evicted_line", "event_evicted_warp"]);
        sim.step().unwrap_or_else(|error| panic!("{:?}: {error}", self.model.p));
        seen
    }

    fn cycles(&mut self, cycles: u32) {
        for _ in 0..cycles {
            self.cycle();
        }
    }

    /// Cycles until one shows something that counts.
    fn until<T>(&mut self, what: &str, of: impl Fn(&ModelSeen) -> Option<T>) -> (T, ModelSeen) {
        for _ in 0..8 {
            let seen = self.cycle();
            if let Some(found) = of(&seen) {
                return (found, seen);
            }
        }
        panic!("no {what}: {:?}", self.model.p);
    }

    /// The access is shown, and taken into the register.
    fn show(&mut self, access: ModelAccess) {
        let ModelAccess { write, line, warp, tag } = access;
        for (port, value) in [("valid", 1), ("write", write.into()), ("tag", tag), ("line", line), ("warp", warp)] {
            self.sim.poke(&format!("request_{port}"), value);
        }
        self.sim.settle();
        assert_eq!(self.sim.peek("request_taken"), 1);
        self.cycle();
        self.sim.poke("request_valid", 0);
    }

    /// What becomes of the access in the register. Whether it is accepted.
    fn decided(&mut self, access: ModelAccess) -> bool {
        let before = self.asked.len();
        let (shown, seen) = self.until("decision", |seen| {
            seen.access.map(|access| (Some(access), None)).or(seen.refused.map(|refused| (None, Some(refused))))
        });
        let expected = self.model.access(access);
        match (expected, shown) {
            (ModelOutcome::Accepted { class, asks, writes, evicts }, (Some(event), _)) => {
                assert_eq!(event, (access.write, class as u64, access.warp, access.line), "{:?}", self.model.p);
                assert_eq!(seen.evicted, evicts, "{access:?} {:?}", self.model.p);
                self.accepted[class as usize] += 1;
                self.small += u64::from(asks.is_some_and(|entry| entry >= u64::from(self.model.p.entries)));
                self.cycles(3);
                let asked = self.asked[before..].first().copied();
                assert_eq!(asked, asks, "{access:?} {:?}", self.model.p);
                self.forwarded += u64::from(writes);
                let hits = asks.is_none() && matches!(class, Class::Intra | Class::Inter);
                if hits && (!access.write || self.model.p.write_hit == WriteHit::Back) {
                    self.expected.push(access.tag);
                }
                true
            }
            (ModelOutcome::Refused(cause), (_, Some(bits))) => {
                assert_eq!(bits, 1 << cause as u64, "{cause:?} {access:?} {:?}", self.model.p);
                self.refused.push(cause);
                false
            }
            (expected, shown) => panic!("{access:?}: {expected:?}, but {shown:?}, {:?}", self.model.p),
        }
    }

    fn reply(&mut self, write: bool, tag: u64) {
        self.sim.poke("downstream_reply_valid", 1);
        self.sim.poke("downstream_reply_write", write.into());
        self.sim.poke("downstream_reply_tag", tag);
        loop {
            self.sim.settle();
            let taken = self.sim.peek("downstream_reply_taken") == 1;
            if taken {
                break;
            }
            self.cycle();
        }
    }

    /// Memory acknowledges a write.
    fn acknowledge(&mut self) {
        if let Some(tag) = self.writes.pop_front() {
            self.expected.extend((tag < 64).then_some(tag));
            self.reply(true, tag);
            self.cycle();
            self.sim.poke("downstream_reply_valid", 0);
            self.cycle();
        }
    }

    /// The line of an entry comes and answers all its requests; what waits in the register is decided in the next
    /// cycle.
    fn fill(&mut self, which: usize) {
        let entry = self.asked.swap_remove(which);
        let line = self.model.entries[entry as usize].as_ref().expect("it is pending").line;
        self.reply(false, entry);
        self.cycle();
        self.sim.poke("downstream_reply_valid", 0);
        let (tags, evicts, warp) = self.model.fill(entry as usize);
        self.expected.extend(tags);
        let mut shown = (None, None);
        loop {
            let busy = ["fills", "drains"].map(|net| self.sim.peek_net(net).expect("a register").to_u64());
            if busy == [0, 0] {
                break;
            }
            let seen = self.cycle();
            shown = (shown.0.or(seen.fill), shown.1.or(seen.evicted));
        }
        assert_eq!(shown, (warp.map(|warp| (line, warp)), evicts), "{:?}", self.model.p);
    }

    /// A prefetch is shown, taken, and decided.
    fn prefetch(&mut self, line: u64, warp: u64) {
        let before = self.asked.len();
        for (port, value) in [("valid", 1), ("line", line), ("warp", warp)] {
            self.sim.poke(&format!("prefetch_{port}"), value);
        }
        self.sim.settle();
        assert_eq!(self.sim.peek("prefetch_taken"), 1);
        self.cycle();
        self.sim.poke("prefetch_valid", 0);
        let seen = self.cycle();
        assert!(seen.access.is_none() && seen.refused.is_none());
        let entry = self.model.prefetch(line, warp);
        assert_eq!(self.sim.peek("prefetch_event_issued") == 1, entry.is_some(), "{line} {:?}", self.model.p);
        self.cycles(3);
        assert_eq!(self.asked[before..].first().copied(), entry, "{line} {:?}", self.model.p);
    }

    /// All is answered, in its order.
    fn answers(&mut self) {
        self.cycles(8);
        assert_eq!(self.answered, self.expected, "{:?}", self.model.p);
        assert_eq!(self.written, self.forwarded + self.model.written_back, "{:?}", self.model.p);
        if self.model.p.prefetches() {
            let probes = self.sim.probes();
            let counted = PREFETCHED.map(|name| {
                probes.iter().find(|probe| probe.path.is_empty() && probe.name == name).expect("a statistic").value()
            });
            assert_eq!(counted, self.model.prefetched.0, "{PREFETCHED:?} {:?}", self.model.p);
        }
    }

    /// The next tag whose last request does not wait for a line.
    fn free_tag(&mut self) -> u64 {
        loop {
            let tag = self.free_tags.pop_front().expect("a tag");
            self.free_tags.push_back(tag);
            if !self.model.entries.iter().flatten().any(|entry| entry.tags.contains(&tag)) {
                return tag;
            }
        }
    }

    fn run(&mut self, lines: u64, accesses: u32, random: &mut Rng) {
        let mut done = 0;
        while done < accesses {
            // A tag whose request was answered.
            let tag = self.free_tag();
            let write = random.chance(0.15);
            let access = ModelAccess { write, line: random.below(lines), warp: random.below(1 << WARP_BITS), tag };
            self.show(access);
            while !self.decided(access) {
                assert!(!self.asked.is_empty(), "it waits for nothing: {access:?} {:?}", self.model.p);
                let which = random.below(self.asked.len() as u64) as usize;
                self.fill(which);
            }
            done += 1;
            if self.model.p.prefetches() && random.chance(0.4) {
                self.prefetch(random.below(lines), random.below(1 << WARP_BITS));
            }
            while !self.writes.is_empty() {
                self.acknowledge();
            }
            if self.asked.len() > 40 || random.chance(0.25) && !self.asked.is_empty() {
                let which = random.below(self.asked.len() as u64) as usize;
                self.fill(which);
            }
        }
        while !self.asked.is_empty() {
            self.fill(0);
        }
        self.cycles(4);
        while !self.writes.is_empty() {
            self.acknowledge();
        }
        self.answers();
    }
}

/// A cache whose queues never refuse anything, so that what a model without time says holds.
fn roomy(p: CacheParams) -> CacheParams {
    CacheParams { replies: 64, requests: 64, write_backs: 200, locality: Some(WARP_BITS), ..p }
}

#[test]
fn every_kind_of_miss_handling_does_what_its_model_does() {
    let mut random = Rng::new(5);
    let (mut refused, mut accepted, mut cam_accesses) = (vec![], [0; 5], 0);
    for misses in MissHandling::ALL {
        for seed in 0..8 {
            let mut of = |values: &[u32]| values[random.below(values.len() as u64) as usize];
            let in_tags = misses.allocation() == Allocation::OnMiss;
            let on_miss = in_tags || of(&[0, 1]) == 1;
            let entries = if misses == MissHandling::Unlimited { 65 } else { of(&[2, 3, 6, 8, 12]) };
            let p = roomy(CacheParams {
                misses,
                entries,
                entry_ways: if misses == MissHandling::SetAssociative {
                    entries >> entries.trailing_zeros()
                } else {
                    entries
                },
                allocation: if on_miss { Allocation::OnMiss } else { Allocation::OnFill },
                own: OwnParams {
                    cam_entries: if seed < 2 { 0 } else { of(&[1, 2, 4]) },
                    cam_pipelined: of(&[0, 1]) == 1,
                    protects: [ProtectedVictims::Hit, ProtectedVictims::All][of(&[0, 0, 1]) as usize],
                },
                targets: of(&[1, 2, 4]),
                sets: of(&[2, 4, 8]),
                ways: of(&[2, 3, 4]),
                write_hit: [WriteHit::Back, WriteHit::Through, WriteHit::Evict][of(&[0, 1, 2]) as usize],
                write_miss: WriteMiss::NoAllocate,
                write_pending: [WritePending::Stall, WritePending::Poison][of(&[0, 1]) as usize],
                ..small()
            });
            assert_eq!(p.problem(), None);
            let mut harness = Harness::new(&p);
            let lines = u64::from(p.sets * p.ways) * 2;
            harness.run(lines, 400, &mut random);
            refused.extend(harness.refused);
            accepted.iter_mut().zip(harness.accepted).for_each(|(all, more)| *all += more);
            cam_accesses += harness.small;
        }
    }
    for cause in Cause::ALL.into_iter().filter(|cause| !matches!(cause, Cause::Reply | Cause::Downstream)) {
        assert!(refused.contains(&cause), "nothing was refused by {cause:?}");
    }
    assert!(accepted.iter().all(|class| *class > 100) && cam_accesses > 100, "{accepted:?}, {cam_accesses}");
}

/// Prefetches: what becomes of each, and of its line, whatever the miss handling; every one of their statistics moves.
#[test]
fn prefetches_and_their_lines_become_what_their_model_says() {
    let (mut random, mut counted) = (Rng::new(6), [0; 8]);
    let kinds = MissHandling::ALL.into_iter().filter(|misses| *misses != MissHandling::Unlimited);
    for (misses, seed) in kinds.flat_map(|misses| (0..12).map(move |seed| (misses, seed))) {
        let mut of = |values: &[u32]| values[random.below(values.len() as u64) as usize];
        let in_tags = misses.allocation() == Allocation::OnMiss;
        let prefetching = if seed % 2 == 1 && !in_tags { Prefetching::Only } else { Prefetching::Beside };
        let on_miss = in_tags || prefetching == Prefetching::Beside && of(&[0, 1]) == 1;
        let entries = of(&[2, 3, 6, 8]);
        let p = roomy(CacheParams {
            misses,
            entries,
            entry_ways: if misses == MissHandling::SetAssociative {
                entries >> entries.trailing_zeros()
            } else {
                entries
            },
            allocation: if on_miss { Allocation::OnMiss } else { Allocation::OnFill },
            own: OwnParams { cam_entries: of(&[0, 2, 4]), ..OwnParams::default() },
            targets: of(&[1, 2, 4]),
            sets: of(&[2, 4]),
            ways: of(&[2, 3, 4]),
            write_hit: [WriteHit::Back, WriteHit::Through, WriteHit::Evict][of(&[0, 1, 2, 2]) as usize],
            write_pending: [WritePending::Stall, WritePending::Poison][of(&[0, 1]) as usize],
            prefetching,
            ..small()
        });
        assert_eq!(p.problem(), None);
        let mut harness = Harness::new(&p);
        harness.run(u64::from(p.sets * p.ways) * 2, 400, &mut random);
        counted.iter_mut().zip(harness.model.prefetched.0).for_each(|(all, more)| *all += more);
    }
    assert!(counted.iter().all(|count| *count > 50), "{counted:?}");
}

/// Without a CAM part, an HTSMA is a TSMA that keeps one way of each set for lines that are here: a set of two ways has
/// one pending line.
#[test]
fn an_htsma_without_a_small_part_keeps_a_way_of_each_set_unshared() {
    for (ways, kind) in [2, 3, 4].into_iter().flat_map(|ways| [(ways, MissHandling::Tsma), (ways, MissHandling::Htsma)])
    {
        let p =
            CacheParams { misses: kind, allocation: Allocation::OnMiss, ways, entries: 16, entry_ways: 16, ..small() };
        let mut harness = Harness::new(&roomy(p));
        let set_of_line = |i: u64| ModelAccess { write: false, line: 4 * i, warp: 0, tag: i };
        let mut pending = 0;
        loop {
            harness.show(set_of_line(pending));
            if !harness.decided(set_of_line(pending)) {
                break;
            }
            pending += 1;
        }
        let (unshared, cause) = if kind == MissHandling::Htsma { (1, Cause::Handling) } else { (0, Cause::Way) };
        assert_eq!((pending, harness.refused.last()), (u64::from(ways - unshared), Some(&cause)));
    }
}

/// Table 5.4's sizes (section 5.4.4 of Kim's thesis): 64 entries at L1, 128 at L2, of 1, 2, 4, 8 times the cache's
/// ways. That many lines of a set can be pending; the next one is refused although other sets have room.
#[test]
fn set_associative_registers_of_the_thesis_refuse_at_their_ways() {
    let table: [(u32, u32, [u64; 4]); 3] =
        [(64, 8, [8, 16, 32, 64]), (64, 4, [4, 8, 16, 32]), (128, 8, [8, 16, 32, 64])];
    for (entries, cache_ways, sizes) in table {
        for (times, expected) in [1, 2, 4, 8].into_iter().zip(sizes) {
            let ways = (cache_ways * times).min(entries);
            let p = roomy(CacheParams {
                misses: MissHandling::SetAssociative,
                ways: cache_ways,
                sets: 32,
                entries,
                entry_ways: ways,
                protocol: Protocol { line_bytes: 32, tag_bits: 8 },
                ..small()
            });
            assert_eq!(p.problem(), None);
            let mut harness = Harness::new(&p);
            let mut pending = 0;
            loop {
                // All in the last set of the entries, whatever their number.
                let access = ModelAccess { write: false, line: 31 + 32 * pending, warp: 0, tag: pending };
                harness.show(access);
                if !harness.decided(access) {
                    break;
                }
                pending += 1;
            }
            assert_eq!(pending, expected, "{entries} entries, {times} times {cache_ways} ways");
        }
    }
}
