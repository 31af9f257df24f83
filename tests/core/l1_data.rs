//! The data cache of a core between warps and a network that keeps no order at all.
//!
//! Each warp has one access outstanding. Every write leaves a version of its own in the whole line. A read may return a
//! version unless that was surely overwritten before the read began: by a write that began after the version's write
//! had ended, and had itself ended.

use crate::matrix::options;
use cache::{Allocation, CacheParams, MissHandling, OwnParams, WriteHit, WriteMiss, WritePending};
use hdl::Bits;
use netlist::elaborate;
use protocol::Protocol;
use rigs::cache_rig as rig;
use sim::Simulator;
use simt_core::memory::{L1Params, l1_data};
use std::collections::HashMap;
use verilog::lockstep::Rng;

const WARPS: u64 = 16;

fn params(cache: CacheParams, max_outstanding: u32) -> L1Params {
    let protocol = Protocol { line_bytes: 32, tag_bits: 4 };
    L1Params { cache: CacheParams { protocol, ..cache }, max_outstanding, atomics: false }
}

#[derive(Clone, Copy)]
struct L1Write {
    line: u64,
    began: u64,
    ended: Option<u64>,
}

/// An access of a warp.
#[derive(Clone, Copy)]
struct L1Access {
    line: u64,
    /// Its version, of a write.
    version: Option<usize>,
    uncached: bool,
    began: u64,
}

/// A request in the network or an answer on its way back: tag, write, line, version.
type L1Packet = (u64, bool, u64, u64);

struct Core {
    sim: Simulator,
    random: Rng,
    /// By version; 0 is what memory holds at first.
    writes: Vec<L1Write>,
    outstanding: HashMap<u64, L1Access>,
    /// The warp whose access is shown.
    shown: Option<u64>,
    memory: HashMap<u64, u64>,
    there: Vec<L1Packet>,
    back: Vec<L1Packet>,
    /// The reply that is shown stays until it is taken.
    replying: Option<L1Packet>,
    now: u64,
    done: u64,
}

impl Core {
    fn new(p: &L1Params, seed: u64) -> Self {
        let design = elaborate(&l1_data(p)).unwrap_or_else(|errors| panic!("{p:?}: {errors:?}"));
        let mut sim = Simulator::new(&design, &options()).expect("simulates");
        sim.reset(2);
        sim.poke("flush", 0);
        sim.poke("request_words", 255);
        sim.poke("request_bytes", 15);
        Self {
            sim,
            random: Rng::new(seed),
            writes: vec![L1Write { line: u64::MAX, began: 0, ended: Some(0) }],
            outstanding: HashMap::new(),
            shown: None,
            memory: HashMap::new(),
            there: vec![],
            back: vec![],
            replying: None,
            now: 1,
            done: 0,
        }
    }

    /// One cycle, with chances of an access, of a write, of a read that passes the cache by, and of every move in the
    /// network.
    fn cycle(&mut self, lines: u64, [access, write, uncached, moves]: [f64; 4]) {
        if self.shown.is_none() && self.random.chance(access) {
            let warp = self.random.below(WARPS);
            if !self.outstanding.contains_key(&warp) {
                let line = (self.random.below(lines) * 0x10_4081) & 0x07ff_ffff;
                let is_write = self.random.chance(write);
                let past = !is_write && self.random.chance(uncached);
                self.show(warp, line, is_write, past);
            }
        }
        self.sim.poke("request_valid", self.shown.is_some().into());
        self.network(moves);
        self.sim.settle();
        if self.shown.is_some() && self.sim.peek("request_taken") == 1 {
            self.shown = None;
        }
        if self.sim.peek("reply_valid") == 1 {
            self.answered();
        }
        self.sim.step().unwrap_or_else(|error| panic!("{error}"));
        self.now += 1;
    }

    fn show(&mut self, warp: u64, line: u64, is_write: bool, uncached: bool) {
        let version = is_write.then(|| {
            self.writes.push(L1Write { line, began: self.now, ended: None });
            self.writes.len() - 1
        });
        let data: Vec<u64> = vec![version.unwrap_or(0) as u64; 4];
        self.sim.poke("request_write", is_write.into());
        self.sim.poke("request_uncached", uncached.into());
        self.sim.poke("request_tag", warp);
        self.sim.poke("request_line", line);
        self.sim.poke_bits("request_data", &Bits::from_words(256, &data));
        self.outstanding.insert(warp, L1Access { line, version, uncached, began: self.now });
        self.shown = Some(warp);
    }

    /// Packets reach memory in any order, and their answers come back in any.
    fn network(&mut self, moves: f64) {
        let takes = self.random.chance(moves);
        self.sim.poke("downstream_taken", takes.into());
        if !self.there.is_empty() && self.random.chance(moves) {
            let (tag, write, line, version) =
                self.there.swap_remove(self.random.below(self.there.len() as u64) as usize);
            let held = self.memory.entry(line).or_insert(0);
            if write {
                *held = version;
            }
            self.back.push((tag, write, line, *held));
        }
        if self.replying.is_none() && !self.back.is_empty() && self.random.chance(moves) {
            self.replying = Some(self.back.swap_remove(self.random.below(self.back.len() as u64) as usize));
        }
        self.sim.poke("downstream_reply_valid", self.replying.is_some().into());
        if let Some((tag, write, _, version)) = self.replying {
            self.sim.poke("downstream_reply_tag", tag);
            self.sim.poke("downstream_reply_write", write.into());
            self.sim.poke_bits("downstream_reply_data", &Bits::from_words(256, &[version; 4]));
        }
        self.sim.settle();
        if takes && self.sim.peek("downstream_valid") == 1 {
            let version = self.sim.peek_bits("downstream_data").words()[0];
            let [tag, write, line] =
                ["downstream_tag", "downstream_write", "downstream_line"].map(|port| self.sim.peek(port));
            self.there.push((tag, write == 1, line, version));
        }
        if self.replying.is_some() && self.sim.peek("downstream_reply_taken") == 1 {
            self.replying = None;
        }
    }

    fn answered(&mut self) {
        let warp = self.sim.peek("reply_tag");
        let access = self.outstanding.remove(&warp).expect("the warp waits for it");
        self.done += 1;
        assert_eq!(self.sim.peek("reply_write") == 1, access.version.is_some());
        if let Some(version) = access.version {
            self.writes[version].ended = Some(self.now);
            return;
        }
        let words = self.sim.peek_bits("reply_data").words().to_vec();
        assert!(words.iter().all(|word| *word == words[0]), "a line in parts");
        let found = self.writes[words[0] as usize];
        assert!(words[0] == 0 || found.line == access.line, "a version of another line");
        let surely_before = |ended: Option<u64>, time: u64| ended.is_some_and(|ended| ended < time);
        let newer = self
            .writes
            .iter()
            .filter(|write| write.line == access.line)
            .find(|write| surely_before(write.ended, access.began) && surely_before(found.ended, write.began));
        assert!(newer.is_none(), "warp {warp} reads version {}, uncached: {}", words[0], access.uncached);
    }

    fn drain(&mut self) {
        for _ in 0..2000 {
            if self.outstanding.is_empty() {
                return;
            }
            self.cycle(1, [0.0, 0.0, 0.0, 1.0]);
        }
        panic!("accesses are never answered");
    }

    /// When all is quiet, every line reads as memory has it, through the cache and past it.
    fn settled(&mut self) {
        self.drain();
        let all: Vec<(u64, u64)> = self.memory.iter().map(|(&line, &version)| (line, version)).collect();
        for (line, version) in all {
            for uncached in [false, true] {
                self.show(0, line, false, uncached);
                while !self.outstanding.is_empty() {
                    self.cycle(1, [0.0, 0.0, 0.0, 1.0]);
                    if self.sim.peek("reply_valid") == 1 {
                        assert_eq!(self.sim.peek_bits("reply_data").words()[0], version, "uncached: {uncached}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_read_finds_what_was_written_before_it_began() {
    let mut random = Rng::new(77);
    let mut done = 0;
    for seed in 0..40 {
        let cache = loop {
            let drawn = rig::draw(&mut random);
            if drawn.write_hit != WriteHit::Back {
                break drawn;
            }
        };
        let p = params(cache, [2, 3, 8, 32][random.below(4) as usize]);
        let mut core = Core::new(&p, seed);
        for _ in 0..3 {
            let lines = [1, 3, 20][random.below(3) as usize];
            let chances = [0.9, [0.1, 0.5][random.below(2) as usize], 0.2, [0.2, 0.6, 1.0][random.below(3) as usize]];
            (0..500).for_each(|_| core.cycle(lines, chances));
        }
        core.settled();
        done += core.done;
    }
    assert!(done > 10_000, "{done} accesses");
}

#[test]
fn every_kind_of_cache_keeps_order() {
    for misses in MissHandling::ALL {
        for (write_hit, write_miss) in [
            (WriteHit::Through, WriteMiss::NoAllocate),
            (WriteHit::Through, WriteMiss::Allocate),
            (WriteHit::Evict, WriteMiss::NoAllocate),
        ] {
            for write_pending in [WritePending::Stall, WritePending::Poison] {
                // Sixteen warps.
                let entries = if misses == MissHandling::Unlimited { 17 } else { 4 };
                let own = OwnParams { cam_entries: 2, ..OwnParams::default() };
                let kind = CacheParams { misses, entries, entry_ways: entries, own, ..rig::small() };
                let cache =
                    CacheParams { allocation: Allocation::OnMiss, write_hit, write_miss, write_pending, ..kind };
                if cache.problem().is_some() {
                    continue;
                }
                let mut core = Core::new(&params(cache, 8), 9);
                (0..1500).for_each(|_| core.cycle(4, [1.0, 0.4, 0.2, 0.5]));
                core.settled();
                assert!(core.done > 200, "{} accesses", core.done);
            }
        }
    }
}

/// A flush forgets every line: what memory has become meanwhile is read.
#[test]
fn a_flush_forgets_all_lines() {
    let mut core = Core::new(&params(CacheParams { write_hit: WriteHit::Evict, ..rig::small() }, 8), 1);
    (0..500).for_each(|_| core.cycle(6, [1.0, 0.2, 0.0, 1.0]));
    core.settled();
    core.sim.poke("request_valid", 0);
    core.sim.poke("flush", 1);
    for _ in 0..100 {
        core.cycle(1, [0.0, 0.0, 0.0, 1.0]);
    }
    assert_eq!(core.sim.peek("flushed"), 1);
    core.sim.poke("flush", 0);
    core.cycle(1, [0.0, 0.0, 0.0, 1.0]);
    for version in core.memory.values_mut() {
        core.writes.push(L1Write { line: u64::MAX, began: core.now, ended: Some(core.now) });
        *version = core.writes.len() as u64 - 1;
    }
    for (version, line) in core.memory.iter().map(|(line, version)| (*version as usize, *line)) {
        core.writes[version].line = line;
    }
    assert!(!core.memory.is_empty());
    core.settled();
}
