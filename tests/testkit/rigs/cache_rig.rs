//! A cache between a requester and a memory, both random.

use crate::matrix::options;
use cache::{
    Allocation, CacheParams, Flush, MissHandling, OwnParams, Prefetching, ProtectedVictims, Replacement, SetIndex,
    WriteHit, WriteMiss, WritePending, cache,
};
use hdl::Bits;
use netlist::elaborate;
use protocol::Protocol;
use sim::Simulator;
use std::collections::{HashMap, VecDeque};
use verilog::lockstep::Rng;

/// A cache of 4 sets of 2 ways with 4 miss entries.
pub fn small() -> CacheParams {
    CacheParams { entries: 4, entry_ways: 4, write_backs: 4, ..CacheParams::new(protocol(32), 4, 2) }
}

fn protocol(line_bytes: u32) -> Protocol {
    Protocol { line_bytes, tag_bits: 6 }
}

/// Any legal parameters, small ones.
pub fn draw(random: &mut Rng) -> CacheParams {
    loop {
        let mut of = |values: &[u32]| values[random.below(values.len() as u64) as usize];
        let misses = MissHandling::ALL[of(&[0, 1, 2, 3, 3, 3, 4]) as usize];
        // As many as there are tags, and one for a write that fetches its line.
        let entries = if misses == MissHandling::Unlimited { 65 } else { of(&[2, 3, 4, 6, 8, 16]) };
        let write_backs = if misses == MissHandling::Unlimited { 67 } else { of(&[1, 2, 8, 16]) };
        let any_allocation = [Allocation::OnFill, Allocation::OnMiss][of(&[0, 1]) as usize];
        let in_tags = misses.allocation() == Allocation::OnMiss;
        let p = CacheParams {
            index: SetIndex::ALL[of(&[0, 1]) as usize],
            replacement: Replacement::ALL[of(&[0, 1, 2, 3]) as usize],
            allocation: if in_tags { Allocation::OnMiss } else { any_allocation },
            write_hit: [WriteHit::Back, WriteHit::Through, WriteHit::Evict][of(&[0, 1, 2]) as usize],
            write_miss: [WriteMiss::NoAllocate, WriteMiss::Allocate][of(&[0, 1]) as usize],
            misses,
            entries,
            entry_ways: if of(&[0, 1]) == 0 { entries } else { entries >> entries.trailing_zeros() },
            targets: of(&[1, 2, 3, 8]),
            own: OwnParams {
                cam_entries: of(&[0, 1, 2, 4, 7]),
                cam_pipelined: of(&[0, 1]) == 1,
                protects: [ProtectedVictims::Hit, ProtectedVictims::All][of(&[0, 0, 1]) as usize],
            },
            write_pending: [WritePending::Stall, WritePending::Poison][of(&[0, 1]) as usize],
            flush: [Flush::Invalidate, Flush::Clean][of(&[0, 1]) as usize],
            prefetching: [Prefetching::None, Prefetching::Beside, Prefetching::Only][of(&[0, 1, 2]) as usize],
            latency: of(&[3, 4, 5, 10]),
            replies: of(&[1, 2, 6]),
            requests: of(&[1, 2, 8]),
            write_backs,
            ..CacheParams::new(protocol(of(&[32, 64, 128])), of(&[2, 4, 8, 32, 64]), of(&[1, 2, 3, 4, 8]))
        };
        if p.problem().is_none() {
            return p;
        }
    }
}

/// How busy both sides are.
#[derive(Clone, Copy)]
pub struct Traffic {
    /// Chance of a request in a cycle.
    pub requests: f64,
    /// Share of writes.
    pub writes: f64,
    /// Lines that are touched.
    pub lines: u64,
    /// Chance that a reply is taken.
    pub replies: f64,
    /// Chance that memory takes a request, and that it answers one.
    pub memory: f64,
}

struct AskedRequest {
    write: bool,
    tag: u64,
    line: u64,
    words: u64,
    bytes: u64,
    data: Bits,
}

pub struct CacheRig {
    pub p: CacheParams,
    pub sim: Simulator,
    pub random: Rng,
    /// What a program sees.
    seen: HashMap<u64, Bits>,
    /// What memory holds.
    stored: HashMap<u64, Bits>,
    shown: Option<AskedRequest>,
    /// By tag: data expected, of reads.
    expected: HashMap<u64, Option<Bits>>,
    /// Requests of memory, each with what it answers.
    below: VecDeque<(bool, u64, Bits)>,
    /// Reads that memory has got.
    pub fetched: Vec<u64>,
    pub done: u64,
    /// Memory takes a request only when it has answered all before.
    pub memory_answers_first: bool,
    /// The inputs of each cycle are kept.
    pub records: bool,
    /// They.
    pub recorded: Vec<Vec<(String, Bits)>>,
    inputs: HashMap<String, Bits>,
}

impl CacheRig {
    pub fn new(p: &CacheParams, seed: u64) -> Self {
        let design = elaborate(&cache(p)).unwrap_or_else(|errors| panic!("{p:?}: {errors:?}"));
        let mut sim = Simulator::new(&design, &options()).expect("simulates");
        sim.reset(2);
        let (seen, stored) = (HashMap::new(), HashMap::new());
        let (random, shown) = (Rng::new(seed), None);
        let (expected, below, fetched) = (HashMap::new(), VecDeque::new(), vec![]);
        let (memory_answers_first, recorded, inputs) = (false, vec![], HashMap::new());
        let p = p.clone();
        let mut rig = Self {
            p,
            sim,
            random,
            seen,
            stored,
            shown,
            expected,
            below,
            fetched,
            done: 0,
            memory_answers_first,
            records: true,
            recorded,
            inputs,
        };
        rig.poke("flush", 0);
        rig
    }

    fn poke(&mut self, port: &str, value: u64) {
        self.poke_bits(port, &Bits::new(64, value));
        self.sim.poke(port, value);
    }

    fn poke_bits(&mut self, port: &str, value: &Bits) {
        if value.width() != 64 {
            self.sim.poke_bits(port, value);
        }
        self.inputs.insert(port.into(), value.clone());
    }

    /// A line that nobody has written.
    fn fresh(&self, line: u64) -> Bits {
        Rng::new(line.wrapping_mul(0x9E37_79B9) + 1).bits(8 * self.p.protocol.line_bytes)
    }

    fn merged(&self, old: &Bits, data: &Bits, words: u64, bytes: u64) -> Bits {
        let mut new = old.clone();
        for bit in 0..8 * self.p.protocol.line_bytes {
            if words >> (bit / 32) & 1 == 1 && bytes >> (bit / 8 % 4) & 1 == 1 {
                new.set_bit(bit, data.bit(bit));
            }
        }
        new
    }

    fn ask(&mut self, traffic: &Traffic) {
        if self.shown.is_some() || !self.random.chance(traffic.requests) {
            return;
        }
        let tag = self.random.below(1 << self.p.protocol.tag_bits);
        if self.expected.contains_key(&tag) {
            return;
        }
        let line = self.line(traffic);
        let asked = AskedRequest {
            write: self.random.chance(traffic.writes),
            tag,
            line,
            words: self.random.below(1 << self.p.protocol.words()),
            bytes: self.random.below(16),
            data: self.random.bits(8 * self.p.protocol.line_bytes),
        };
        self.shown = Some(asked);
    }

    /// One cycle.
    pub fn cycle(&mut self, traffic: &Traffic) {
        self.ask(traffic);
        self.poke("request_valid", self.shown.is_some().into());
        if let Some(AskedRequest { write, tag, line, words, bytes, data }) = self.shown.take() {
            let fields = [("write", write.into()), ("tag", tag), ("line", line), ("words", words), ("bytes", bytes)];
            fields.into_iter().for_each(|(field, value)| self.poke(&format!("request_{field}"), value));
            self.poke_bits("request_data", &data);
            self.shown = Some(AskedRequest { write, tag, line, words, bytes, data });
        }
        self.prefetch(traffic);
        self.memory(traffic);
        self.reply(traffic);
        if self.sim.peek("request_taken") == 1 {
            let asked = self.shown.take().expect("only what is shown is taken");
            let old = self.seen.get(&asked.line).cloned().unwrap_or_else(|| self.fresh(asked.line));
            if asked.write {
                let new = self.merged(&old, &asked.data, asked.words, asked.bytes);
                self.seen.insert(asked.line, new);
            }
            let twice = self.expected.insert(asked.tag, (!asked.write).then_some(old));
            assert!(twice.is_none());
        }
        if self.records {
            self.recorded.push(self.inputs.iter().map(|(port, value)| (port.clone(), value.clone())).collect());
        }
        self.sim.step().unwrap_or_else(|error| panic!("{:?}: {error}", self.p));
    }

    /// Any of the lines, wanted or not.
    fn prefetch(&mut self, traffic: &Traffic) {
        if self.p.prefetches() {
            let shown = traffic.requests > 0.0 && self.random.chance(0.5);
            let line = self.line(traffic);
            self.poke("prefetch_valid", shown.into());
            self.poke("prefetch_line", line);
        }
    }

    /// Few lines, spread over all bits of their numbers.
    fn line(&mut self, traffic: &Traffic) -> u64 {
        self.random.below(traffic.lines) * 0x10_4081 % (1 << self.p.protocol.line_number_bits())
    }

    fn memory(&mut self, traffic: &Traffic) {
        // Reads of other lines may overtake each other; what concerns one line keeps its order.
        let pick = self.random.below(self.below.len().max(1) as u64) as usize;
        let answer = !self.below.is_empty() && self.random.chance(traffic.memory);
        self.poke("downstream_reply_valid", answer.into());
        if answer {
            let (write, tag, data) = self.below[pick].clone();
            self.poke("downstream_reply_write", write.into());
            self.poke("downstream_reply_tag", tag);
            self.poke_bits("downstream_reply_data", &data);
            if self.sim.peek("downstream_reply_taken") == 1 {
                self.below.remove(pick);
            }
        }
        let shown = self.sim.peek("downstream_valid") == 1;
        let most = if self.memory_answers_first { 1 } else { 24 };
        let take = shown && self.below.len() < most && self.random.chance(traffic.memory);
        self.poke("downstream_taken", take.into());
        if take {
            let of = |sim: &mut Simulator, field: &str| sim.peek(&format!("downstream_{field}"));
            let [write, tag, line, words, bytes] =
                ["write", "tag", "line", "words", "bytes"].map(|field| of(&mut self.sim, field));
            let old = self.stored.get(&line).cloned().unwrap_or_else(|| self.fresh(line));
            if write == 1 {
                let data = self.sim.peek_bits("downstream_data");
                let new = self.merged(&old, &data, words, bytes);
                self.stored.insert(line, new);
            } else {
                assert_eq!((words, bytes), ((1 << self.p.protocol.words()) - 1, 15), "a line is read whole");
                self.fetched.push(line);
            }
            self.below.push_back((write == 1, tag, old));
        }
    }

    fn reply(&mut self, traffic: &Traffic) {
        let take = self.sim.peek("reply_valid") == 1 && self.random.chance(traffic.replies);
        self.poke("reply_taken", take.into());
        if take {
            let (tag, write) = (self.sim.peek("reply_tag"), self.sim.peek("reply_write") == 1);
            let expected = self.expected.remove(&tag).unwrap_or_else(|| panic!("a reply to nobody: {:?}", self.p));
            assert_eq!(write, expected.is_none(), "kind of the reply, {:?}", self.p);
            if let Some(line) = expected {
                assert_eq!(self.sim.peek_bits("reply_data"), line, "{:?}", self.p);
            }
            self.done += 1;
        }
    }

    /// Until all is answered.
    pub fn drain(&mut self, traffic: &Traffic) {
        let quiet = Traffic { requests: 0.0, ..*traffic };
        let mut left = 200_000;
        while !(self.expected.is_empty() && self.shown.is_none() && self.below.is_empty()) {
            self.cycle(&quiet);
            left -= 1;
            assert!(left > 0, "it hangs: {:?}", self.p);
        }
    }

    /// Until all is in memory, which then holds what a program has seen.
    pub fn flush(&mut self, traffic: &Traffic) {
        self.drain(traffic);
        let quiet = Traffic { requests: 0.0, ..*traffic };
        self.poke("flush", 1);
        let mut left = 200_000;
        while self.sim.peek("flushed") == 0 {
            self.cycle(&quiet);
            left -= 1;
            assert!(left > 0, "the flush hangs: {:?}", self.p);
        }
        self.poke("flush", 0);
        for (line, data) in &self.seen {
            let stored = self.stored.get(line).cloned().unwrap_or_else(|| self.fresh(*line));
            assert_eq!(stored, *data, "line {line:#x} in memory after a flush, {:?}", self.p);
        }
        self.cycle(&quiet);
    }

    /// One access, from request to reply. Whether memory was read.
    pub fn access(&mut self, line: u64, write: bool) -> bool {
        let busy = Traffic { requests: 0.0, writes: 0.0, lines: 1, replies: 1.0, memory: 1.0 };
        let before = self.fetched.len();
        let data = self.random.bits(8 * self.p.protocol.line_bytes);
        self.shown = Some(AskedRequest { write, tag: 0, line, words: 1, bytes: 1, data });
        self.cycle(&busy);
        self.drain(&busy);
        self.fetched.len() > before
    }
}
