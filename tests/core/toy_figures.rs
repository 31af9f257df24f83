//! The toy machines of Kim's thesis, figures 2.1, 2.2 and 2.4, with what its text says of them (sections 2.1 and 2.3):
//! four warps, one issue a cycle.
//!
//! Schedulers, throttle and cache are the real blocks; pipeline, scoreboard and memory are a model, as short as in the
//! figures. Where the figures' programs are known by the text alone, they are those that fit all its numbers.

use crate::{matrix::options, rig::params};
use cache::{Allocation, CacheParams, WriteHit, cache, events::Class};
use hdl::Module;
use netlist::elaborate;
use protocol::Protocol;
use sim::Simulator;
use simt_core::{
    CoreParams, Throttle, ThrottleConfig, WarpGroup, WarpScheduler, scheduler::warp_scheduler, throttle::throttle,
};
use std::collections::VecDeque;

const WARPS: usize = 4;

/// A cycle that no run comes to.
const NEVER: u64 = u64::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ToyFiguresKind {
    /// Its result can be used so many cycles after it has issued.
    Alu(u64),
    /// A load of this line.
    Load(u64),
}

/// An instruction, and which earlier ones of its warp it needs.
#[derive(Clone)]
struct ToyFiguresInstruction {
    kind: ToyFiguresKind,
    needs: Vec<usize>,
}

fn alu(latency: u64, needs: &[usize]) -> ToyFiguresInstruction {
    ToyFiguresInstruction { kind: ToyFiguresKind::Alu(latency), needs: needs.to_vec() }
}

fn load(line: u64, needs: &[usize]) -> ToyFiguresInstruction {
    ToyFiguresInstruction { kind: ToyFiguresKind::Load(line), needs: needs.to_vec() }
}

fn simulator(module: &Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

fn step(sim: &mut Simulator) {
    sim.step().unwrap_or_else(|e| panic!("{e}"));
}

/// Where loads go. A cycle: what comes back, then a load if there is room for one, then the clock edge.
trait ToyFiguresMemory {
    /// Loads whose data is here in the next cycle, and whether one has room in this one.
    fn look(&mut self) -> (Vec<(usize, usize)>, bool);
    fn load(&mut self, warp: usize, index: usize, line: u64);
    fn step(&mut self);
}

/// Every load takes so many cycles behind that of its issue.
struct Fixed {
    latency: u64,
    now: u64,
    loads: VecDeque<(u64, usize, usize)>,
}

impl Fixed {
    fn new(latency: u64) -> Self {
        Self { latency, now: 0, loads: VecDeque::new() }
    }
}

impl ToyFiguresMemory for Fixed {
    fn look(&mut self) -> (Vec<(usize, usize)>, bool) {
        let here = self.loads.iter().filter(|(at, ..)| *at == self.now);
        (here.map(|&(_, warp, index)| (warp, index)).collect(), true)
    }

    fn load(&mut self, warp: usize, index: usize, _: u64) {
        self.loads.push_back((self.now + self.latency, warp, index));
    }

    fn step(&mut self) {
        self.now += 1;
    }
}

/// A cache of two lines, two miss entries and three cycles, before a memory of three.
///
/// Of the figure's two blocks each is a set, because our caches have two sets at least; even lines are in the first
/// one. Lines get their places at the miss, as those of the figure seem to: there a line is lost to a miss of two
/// cycles ago, whose data takes three.
struct Cached {
    sim: Simulator,
    now: u64,
    /// A load on its way to the cache.
    shown: Option<(usize, usize, u64)>,
    taken: bool,
    /// When the memory answers, and with which tag.
    below: VecDeque<(u64, u64)>,
    answered: bool,
    /// What each access was, in their order.
    events: Vec<(usize, Class)>,
    /// Lines that memory was asked for.
    requests: Vec<u64>,
}

const MEMORY_LATENCY: u64 = 3;
/// Of an instruction's number, in a tag.
const INDEX_BITS: u64 = 4;

impl Cached {
    /// With the lines that the first two warps load first.
    fn new(programs: &[Vec<ToyFiguresInstruction>]) -> Self {
        let protocol = Protocol { line_bytes: 32, tag_bits: 6 };
        let p = CacheParams {
            allocation: Allocation::OnMiss,
            write_hit: WriteHit::Evict,
            entries: 2,
            targets: 4,
            replies: 4,
            requests: 4,
            locality: Some(2),
            ..CacheParams::new(protocol, 2, 1)
        };
        let sim = simulator(&cache(&p));
        let (below, events, requests) = (VecDeque::new(), vec![], vec![]);
        let mut memory = Self { sim, now: 0, shown: None, taken: false, below, answered: false, events, requests };
        for port in ["flush", "request_write"] {
            memory.sim.poke(port, 0);
        }
        for (port, value) in [("request_words", 0xff), ("request_bytes", 0xf)] {
            memory.sim.poke(port, value);
        }
        for (warp, program) in programs.iter().enumerate().take(2) {
            let ToyFiguresKind::Load(line) = program[0].kind else { panic!("a load comes first") };
            memory.load(warp, 0, line);
            while memory.look().0.is_empty() {
                memory.step();
            }
            memory.step();
        }
        assert_eq!(memory.events, [(0, Class::Miss), (1, Class::Miss)], "both were not there");
        memory.events.clear();
        memory.requests.clear();
        memory
    }

    fn peek(&mut self, port: &str) -> u64 {
        self.sim.peek(port)
    }
}

impl ToyFiguresMemory for Cached {
    fn look(&mut self) -> (Vec<(usize, usize)>, bool) {
        self.sim.poke("request_valid", self.shown.is_some().into());
        if let Some((warp, index, line)) = self.shown {
            let tag = (warp as u64) << INDEX_BITS | index as u64;
            for (port, value) in [("request_tag", tag), ("request_line", line), ("request_warp", warp as u64)] {
                self.sim.poke(port, value);
            }
        }
        let answer = self.below.front().filter(|(at, _)| *at <= self.now).map(|(_, tag)| *tag);
        self.sim.poke("downstream_reply_valid", answer.is_some().into());
        self.sim.poke("downstream_reply_write", 0);
        if let Some(tag) = answer {
            self.sim.poke("downstream_reply_tag", tag);
        }
        self.answered = answer.is_some() && self.peek("downstream_reply_taken") == 1;
        self.taken = self.peek("request_taken") == 1;
        let asks = self.peek("downstream_valid");
        self.sim.poke("downstream_taken", asks);
        let reply = (self.peek("reply_valid") == 1).then(|| self.peek("reply_tag"));
        self.sim.poke("reply_taken", reply.is_some().into());
        let of_tag = |tag: u64| ((tag >> INDEX_BITS) as usize, (tag & ((1 << INDEX_BITS) - 1)) as usize);
        (reply.map(of_tag).into_iter().collect(), self.shown.is_none() || self.taken)
    }

    fn load(&mut self, warp: usize, index: usize, line: u64) {
        assert!(self.shown.is_none() || self.taken, "there is room for it");
        self.taken = false;
        self.shown = Some((warp, index, line));
    }

    fn step(&mut self) {
        if self.peek("downstream_valid") == 1 {
            let tag = self.peek("downstream_tag");
            self.below.push_back((self.now + MEMORY_LATENCY, tag));
            let line = self.peek("downstream_line");
            self.requests.push(line);
        }
        if self.answered {
            self.below.pop_front();
        }
        if self.taken {
            self.shown = None;
        }
        step(&mut self.sim);
        self.now += 1;
        if self.peek("event_access") == 1 {
            let class = [Class::Miss, Class::Intra, Class::Inter, Class::IntraMerged, Class::InterMerged];
            let class = class[self.peek("event_class") as usize];
            let warp = self.peek("event_warp") as usize;
            self.events.push((warp, class));
        }
    }
}

/// A machine of one issue a cycle.
struct ToyFiguresMachine {
    scheduler: WarpScheduler,
    /// Nothing of a warp issues until its last instruction has left the pipeline, and come back from memory.
    barrel: bool,
    /// Of the pipeline.
    stages: u64,
    /// The warps that may issue.
    allowed: u64,
}

impl ToyFiguresMachine {
    fn new(scheduler: WarpScheduler, barrel: bool, stages: u64) -> Self {
        Self { scheduler, barrel, stages, allowed: (1 << WARPS) - 1 }
    }

    /// The warp and the number of the instruction that issues in each cycle, until everything has ended. Warps 0 and 1
    /// are a block, 2 and 3 another one; warp 0 is the oldest.
    fn run(
        &self,
        programs: &[Vec<ToyFiguresInstruction>],
        memory: &mut dyn ToyFiguresMemory,
    ) -> Vec<Option<(usize, usize)>> {
        let mut sim = simulator(&warp_scheduler(self.scheduler, WARPS as u32, WarpGroup::Block, 2));
        let poke = |sim: &mut Simulator, port: &str, value: u64| {
            if sim.input(port).is_ok() {
                sim.poke(port, value);
            }
        };
        poke(&mut sim, "slot", 0b1100);
        poke(&mut sim, "ready", 0);
        poke(&mut sim, "starts", (1 << WARPS) - 1);
        step(&mut sim);
        poke(&mut sim, "starts", 0);
        let mut done: Vec<Vec<u64>> = vec![vec![]; WARPS];
        let mut issues = vec![];
        for now in 0..300 {
            let (here, room) = memory.look();
            here.into_iter().for_each(|(warp, index)| done[warp][index] = now + 1);
            let mut masks = [0, 0];
            for (warp, program) in programs.iter().enumerate() {
                let Some(next) = program.get(done[warp].len()).filter(|_| self.allowed >> warp & 1 == 1) else {
                    continue;
                };
                let is_load = matches!(next.kind, ToyFiguresKind::Load(_));
                let before = if self.barrel { (0..done[warp].len()).collect() } else { next.needs.clone() };
                let ready = before.iter().all(|&index| done[warp][index] <= now) && (room || !is_load);
                masks[0] |= u64::from(ready) << warp;
                masks[1] |= u64::from(is_load) << warp;
            }
            for (port, mask) in ["ready", "is_load"].into_iter().zip(masks) {
                poke(&mut sim, port, mask);
            }
            let chosen = sim.peek("chosen");
            let issued = (chosen != 0).then(|| {
                let warp = chosen.trailing_zeros() as usize;
                (warp, done[warp].len())
            });
            if let Some((warp, index)) = issued {
                done[warp].push(match programs[warp][index].kind {
                    ToyFiguresKind::Alu(latency) => now + latency,
                    ToyFiguresKind::Load(line) => {
                        memory.load(warp, index, line);
                        NEVER
                    }
                });
                // In the pipeline it is, whatever its latency.
                let leaves = done[warp][index].max(now + self.stages);
                if self.barrel {
                    done[warp][index] = leaves;
                }
            }
            issues.push(issued);
            step(&mut sim);
            memory.step();
            let ended = |warp: usize| self.allowed >> warp & 1 == 0 || done[warp].len() == programs[warp].len();
            if (0..WARPS).all(ended) && done.iter().flatten().all(|at| *at <= now) {
                let last = issues.iter().rposition(Option::is_some).expect("something issued");
                issues.truncate(last + 1);
                return issues;
            }
        }
        panic!("{} does not end: {issues:?}", self.scheduler.name());
    }
}

/// Figure 2.1 (p. 11): `c0 c1 c2 m0 use`, two stages, eight cycles of memory. How many of the eight behind the first
/// load have an issue.
fn hidden(scheduler: WarpScheduler, c2: u64) -> usize {
    const LATENCY: u64 = 8;
    let program = vec![alu(2, &[]), alu(2, &[0]), alu(c2, &[1]), load(0, &[2]), alu(2, &[3])];
    // Both schedulers are of barrel processing there.
    let issues = ToyFiguresMachine::new(scheduler, true, 2).run(&vec![program; WARPS], &mut Fixed::new(LATENCY));
    let first = issues.iter().position(|issue| matches!(issue, Some((_, 3)))).expect("a load");
    issues[first + 1..].iter().take(LATENCY as usize).flatten().count()
}

#[test]
fn two_levels_hide_all_of_a_load_and_three_cycles_behind_a_long_instruction() {
    assert_eq!(hidden(WarpScheduler::RoundRobin, 2), 3, "(a) barrel");
    assert_eq!(hidden(WarpScheduler::TwoLevel, 2), 8, "(b) two levels");
    assert_eq!(hidden(WarpScheduler::TwoLevel, 4), 3, "(c) c2 of four cycles");
}

/// Figure 2.2 (p. 13): `m0 m1 use`, four stages, eight cycles of memory.
fn two_loads(scheduler: WarpScheduler, barrel: bool) -> Vec<Option<(usize, usize)>> {
    let program = vec![load(0, &[]), load(1, &[]), alu(4, &[0, 1])];
    ToyFiguresMachine::new(scheduler, barrel, 4).run(&vec![program; WARPS], &mut Fixed::new(8))
}

fn stalls(issues: &[Option<(usize, usize)>]) -> usize {
    issues.iter().filter(|issue| issue.is_none()).count()
}

/// (d), a simple fixed priority, is no policy of ours. Of (c) and (d) the text has no numbers.
#[test]
fn a_scoreboard_halves_the_stalls_of_two_loads_in_a_row() {
    let barrel = stalls(&two_loads(WarpScheduler::RoundRobin, true));
    let scoreboard = stalls(&two_loads(WarpScheduler::RoundRobin, false));
    // Three other warps hide three of eight cycles, once for each load, or once for both.
    assert_eq!((barrel, scoreboard), (2 * (8 - 3), 8 - 3));
    // (c): a warp goes on until its data hazard.
    let greedy = two_loads(WarpScheduler::GreedyThenRoundRobin, false);
    let loads: Vec<_> = greedy.iter().flatten().filter(|(_, index)| *index < 2).copied().collect();
    assert_eq!(loads, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]);
    assert_eq!(greedy.iter().position(Option::is_none), Some(8), "all loads are on their way without a stall");
}

/// Figure 2.4 (p. 18): `m0 m1 use` of these lines, so many times; four stages. What each access was, by warp, and what
/// memory was asked for.
fn locality(
    scheduler: WarpScheduler,
    allowed: u64,
    turns: usize,
    lines: fn(u64) -> [u64; 2],
) -> (Vec<(usize, Class)>, Vec<u64>) {
    let program = |warp: u64| {
        let [m0, m1] = lines(warp);
        let turn = |first: usize| [load(m0, &[]), load(m1, &[]), alu(4, &[first, first + 1])];
        (0..turns).flat_map(|turn_number| turn(3 * turn_number)).collect::<Vec<_>>()
    };
    let programs: Vec<_> = (0..WARPS as u64).map(program).collect();
    let mut memory = Cached::new(&programs);
    let machine = ToyFiguresMachine { allowed, ..ToyFiguresMachine::new(scheduler, false, 4) };
    machine.run(&programs, &mut memory);
    // The last event is a register.
    (memory.events, memory.requests)
}

/// Each warp has a line of its own.
fn intra(warp: u64) -> [u64; 2] {
    [warp; 2]
}

/// Even warps have two lines, and odd ones two others.
fn inter(warp: u64) -> [u64; 2] {
    [warp % 2, 2 + warp % 2]
}

const ALL: u64 = (1 << WARPS) - 1;

#[test]
fn a_fair_scheduler_loses_lines_of_warps_that_a_greedy_one_keeps() {
    use Class::{Intra, IntraMerged, Miss};
    let (fair, requests) = locality(WarpScheduler::RoundRobin, ALL, 1, intra);
    // (a): m0 of warps 2 and 3 evicts the lines of 0 and 1, which miss them at m1. Their misses evict those of 2 and 3
    // again, of which the text does not speak.
    let m0 = [(0, Intra), (1, Intra), (2, Miss), (3, Miss)];
    assert_eq!(fair, [&m0[..], &[(0, Miss), (1, Miss), (2, Miss), (3, Miss)]].concat());
    assert_eq!(requests, [2, 3, 0, 1, 2, 3]);
    // (b): two misses; m1 of warps 2 and 3 finds its line pending.
    let (greedy, requests) = locality(WarpScheduler::GreedyThenOldest, ALL, 1, intra);
    let kept = [(0, Intra), (0, Intra), (1, Intra), (1, Intra)];
    assert_eq!(greedy, [&kept[..], &[(2, Miss), (2, IntraMerged), (3, Miss), (3, IntraMerged)]].concat());
    assert_eq!(requests, [2, 3]);
}

#[test]
fn with_two_warps_nothing_is_lost() {
    let two = ThrottleConfig { kind: Throttle::Fixed, warps: 2, ..ThrottleConfig::default() };
    let mut sim = simulator(&throttle(&CoreParams { warps: WARPS as u32, throttle: two, ..params() }));
    sim.poke("at_barrier", 0);
    sim.poke("active", ALL);
    sim.poke("starts", ALL);
    step(&mut sim);
    sim.poke("starts", 0);
    (0..4 * WARPS).for_each(|_| step(&mut sim));
    let allowed = sim.peek("allowed");
    assert_eq!(allowed, 0b11, "the oldest two");
    let (accesses, requests) = locality(WarpScheduler::GreedyThenOldest, allowed, 3, intra);
    assert_eq!((accesses.len(), requests.len()), (2 * 2 * 3, 0));
    assert!(accesses.iter().all(|(_, class)| *class == Class::Intra), "{accesses:?}");
}

#[test]
fn a_greedy_scheduler_loses_lines_between_warps_that_a_fair_one_keeps() {
    use Class::{Inter, InterMerged, Intra, Miss};
    // (c): all m0 hit; four misses of m1 make two requests.
    let (fair, requests) = locality(WarpScheduler::RoundRobin, ALL, 1, inter);
    let m0 = [(0, Intra), (1, Intra), (2, Inter), (3, Inter)];
    assert_eq!(fair, [&m0[..], &[(0, Miss), (1, Miss), (2, InterMerged), (3, InterMerged)]].concat());
    assert_eq!(requests, [2, 3]);
    // (d): m0 of warps 2 and 3 misses lines that m1 of 0 and 1 has evicted, and nothing merges.
    let (greedy, requests) = locality(WarpScheduler::GreedyThenOldest, ALL, 1, inter);
    let first = [(0, Intra), (0, Miss), (1, Intra), (1, Miss)];
    assert_eq!(greedy, [&first[..], &[(2, Miss), (2, Miss), (3, Miss), (3, Miss)]].concat());
    assert_eq!(requests.len(), 6);
}
