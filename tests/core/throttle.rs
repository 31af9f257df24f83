//! Throttles: the blocks against executable models, kernels and random programs under each of them.

use crate::{random, rig::*};
use cache::{CacheParams, MissHandling, events::Class};
use netlist::elaborate;
use program::isa::{Instruction, RZ};
use sim::Simulator;
use simt_core::{
    CoreParams, Throttle, ThrottleConfig, WarpScheduler,
    throttle::{oldest_warps::oldest_warps, throttle},
};
use std::collections::VecDeque;

pub fn simulator(module: &hdl::Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &crate::matrix::options()).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

pub fn step(sim: &mut Simulator) {
    sim.step().unwrap_or_else(|e| panic!("{e}"));
}

/// A core with a data cache of `entries` miss entries, so many warps and this throttle.
pub fn throttled(kind: Throttle, warps: u32, entries: u32) -> CoreParams {
    let params = CoreParams { warps, tag_bits: 5, ..params() };
    let cache = CacheParams {
        entries,
        entry_ways: entries,
        targets: 4,
        misses: MissHandling::Full,
        write_hit: cache::WriteHit::Evict,
        locality: Some(params.warp_bits()),
        replies: 4,
        requests: 4,
        ..CacheParams::new(params.protocol(), 4, 2)
    };
    let throttle = ThrottleConfig { kind, min_cycles: 40, stable_periods: 3, divergence: 4, ..Default::default() };
    CoreParams { l1d: Some(cache), throttle, ..params }
}

/// When nothing changes for two walks, the allowed warps are the oldest ones that are eligible.
#[test]
fn the_oldest_eligible_warps_are_allowed() {
    for warps in [2, 8, 32, 64] {
        let mut sim = simulator(&oldest_warps(warps));
        let mut random = Random::new(warps.into());
        let mut oldest_first: Vec<u64> = (0..warps.into()).collect();
        let all = u64::MAX >> (64 - warps);
        for _ in 0..200 {
            let starts =
                (random.next_u64() << 20 ^ random.next_u64()) & (random.next_u64() << 20 ^ random.next_u64()) & all;
            sim.poke("starts", starts);
            step(&mut sim);
            sim.poke("starts", 0);
            oldest_first.retain(|warp| starts >> warp & 1 == 0);
            oldest_first.extend((0..warps.into()).filter(|warp| starts >> warp & 1 == 1));
            let eligible = (random.next_u64() << 20 ^ random.next_u64()) & all;
            let (on, limit) = (random.next_u64() & 1, 1 + random.below(warps.into()));
            for (port, value) in [("eligible", eligible), ("on", on), ("limit", limit)] {
                sim.poke(port, value);
            }
            (0..2 * limit + 3).for_each(|_| step(&mut sim));
            let oldest = oldest_first.iter().filter(|warp| eligible >> *warp & 1 == 1).take(limit as usize);
            let expected = if on == 1 { oldest.map(|warp| 1 << warp).sum() } else { all };
            assert_eq!(sim.peek("allowed"), expected, "{warps} warps, limit {limit} of {eligible:x}");
        }
    }
}

/// Kim's throttling unit, figure 3.2, with numbers instead of registers.
#[derive(Default)]
struct ThrottleUnit {
    hits: Vec<bool>,
    pending: Vec<usize>,
    limit: Option<(usize, bool)>,
    least: Option<usize>,
    greatest: usize,
    grew: bool,
    stable: u32,
    left: u32,
    was_full: bool,
}

/// An access and a fill of a cycle, and what the cache shows.
struct Events {
    access: Option<(Class, usize)>,
    fill: Option<usize>,
    full: bool,
    prefer_rr: bool,
    clear: bool,
}

impl ThrottleUnit {
    /// A cycle: from what was known before it, and its events.
    fn cycle(&mut self, p: &CoreParams, divergence: bool, events: &Events, active: u64) {
        let (config, entries) = (&p.throttle, p.miss_entries() as usize);
        let count = self.hits.iter().filter(|hit| **hit).count();
        let holders = (0..self.hits.len()).filter(|warp| self.pending.contains(warp)).count();
        let decides = events.full && !self.was_full && (self.limit.is_none() || self.left == 0);
        let by_hits = decides && !events.prefer_rr && count > 0;
        let (below, above) = (self.least.is_none_or(|least| count < least), count > self.greatest);
        let before = self.limit;
        self.left = self.left.saturating_sub(1);
        if decides {
            self.limit = None;
            self.left = config.min_cycles;
        }
        if by_hits {
            let changed = below || above || self.grew;
            self.least = Some(self.least.map_or(count, |least| least.min(count)));
            self.greatest = self.greatest.max(count);
            self.grew = false;
            self.stable = if changed { 0 } else { (self.stable + 1).min(config.stable_periods) };
            let mean = (self.least.unwrap_or(0) + self.greatest).div_ceil(2);
            let warps = if self.stable == config.stable_periods { mean } else { count + 1 };
            self.limit = Some((warps.max(config.min_warps as usize), false));
        } else if decides && !events.prefer_rr && divergence && holders < config.divergence as usize {
            self.limit = Some((holders.max(config.min_warps as usize), true));
        }
        if before.is_some() && above && !by_hits {
            self.greatest = count;
            self.grew = true;
        }
        if let (false, Some((warps, true))) = (decides, before)
            && count + 1 > warps
        {
            self.limit = Some((count + 1, false));
        }
        if events.prefer_rr {
            self.limit = None;
        }
        self.was_full = events.full;
        if let Some((class, warp)) = events.access {
            match class {
                Class::Miss | Class::IntraMerged | Class::InterMerged => self.hits[warp] = false,
                Class::Intra => self.hits[warp] = true,
                Class::Inter => {}
            }
            if matches!(class, Class::Miss) {
                assert!(self.pending.len() <= entries);
                self.pending.push(warp);
            }
        }
        if let Some(owner) = events.fill {
            let at = self.pending.iter().position(|warp| *warp == owner).expect("its line is pending");
            self.pending.remove(at);
        }
        for (warp, hit) in self.hits.iter_mut().enumerate() {
            *hit &= active >> warp & 1 == 1;
        }
        if events.clear {
            let kept = (std::mem::take(&mut self.hits), std::mem::take(&mut self.pending));
            *self = ThrottleUnit { hits: kept.0, pending: kept.1, was_full: self.was_full, ..ThrottleUnit::default() };
        }
    }
}

/// A million events in all: the limit is that of the model in every cycle, and all kinds of decisions happen.
#[test]
fn the_throttling_unit_is_that_of_its_model() {
    for (divergence, kind) in [(true, Throttle::Hits), (false, Throttle::HitsAlone)] {
        let (warps, entries) = (16, 6);
        let params = throttled(kind, warps, entries);
        let mut sim = simulator(&throttle(&params));
        let mut unit = ThrottleUnit { hits: vec![false; warps as usize], ..ThrottleUnit::default() };
        let mut random = Random::new(11);
        let mut outstanding = VecDeque::new();
        let (mut kinds, mut active) = ([0; 3], u64::MAX >> 48);
        for cycle in 0..500_000_u64 {
            // Phases of many warps that miss, of few, and of hits.
            let phase = cycle / 2_000 % 3;
            let warp = random.below(if phase == 1 { 3 } else { warps.into() }) as usize;
            let class = match random.below(8) {
                0..4 if phase < 2 => Class::Miss,
                0..4 => Class::Intra,
                4 => Class::Inter,
                5 => Class::IntraMerged,
                6 => Class::InterMerged,
                _ => Class::Intra,
            };
            let has_room = outstanding.len() < entries as usize;
            let access = (random.below(2) == 0 && (has_room || !matches!(class, Class::Miss))).then_some((class, warp));
            let fill = (random.below(6) == 0).then(|| outstanding.pop_front()).flatten();
            let full = outstanding.len() + usize::from(fill.is_some()) == entries as usize;
            if let Some((Class::Miss, warp)) = access {
                outstanding.push_back(warp);
            }
            if random.below(3_000) == 0 {
                active = random.next_u64() & random.next_u64() | 1 << random.below(16);
            } else if random.below(500) == 0 {
                active = u64::MAX >> 48;
            }
            let events =
                Events { access, fill, full, prefer_rr: random.below(700) < 3, clear: random.below(60_000) == 0 };
            let (number, warp) = access.map_or((0, 0), |(class, warp)| (class as u64, warp as u64));
            for (port, value) in [
                ("cache_load", access.is_some().into()),
                ("cache_class", number),
                ("cache_warp", warp),
                ("cache_full", full.into()),
                ("cache_fill", fill.is_some().into()),
                ("cache_fill_warp", fill.unwrap_or(0) as u64),
                ("cache_prefer_rr", events.prefer_rr.into()),
                ("cache_clear", events.clear.into()),
                ("active", active & 0xffff),
                ("at_barrier", 0),
                ("starts", 0),
            ] {
                if sim.input(port).is_ok() {
                    sim.poke(port, value);
                }
            }
            let mut peek = |net: &str| sim.peek_path(net).expect("a register").to_u64();
            let limit = (peek("on") == 1).then(|| (peek("limit_now") as usize, peek("by_divergence") == 1));
            assert_eq!(limit, unit.limit, "{kind:?}, cycle {cycle}");
            kinds[limit.map_or(0, |(_, by_divergence)| 1 + usize::from(by_divergence))] += 1;
            unit.cycle(&params, divergence, &events, active);
            step(&mut sim);
        }
        assert!(kinds[0] > 1000 && kinds[1] > 1000 && (kinds[2] > 1000) == divergence, "{kinds:?}");
    }
}

/// Memory after random programs with barriers is that of the emulator, whatever warps are held back: with fewer warps
/// than a block has, the warps that wait at a barrier give their places to those that they wait for.
#[test]
fn random_programs_agree_under_every_throttle() {
    for kind in [Throttle::Fixed, Throttle::Hits, Throttle::HitsAlone, Throttle::CacheConscious] {
        use WarpScheduler::{GreedyThenOldest, Laws};
        for (seed, warps, scheduler) in [(60, 1, Laws), (61, 2, GreedyThenOldest), (63, 3, Laws)] {
            let params = throttled(kind, 8, 4);
            let throttle = ThrottleConfig { warps, ..params.throttle };
            random::check(&CoreParams { throttle, scheduler, ..params }, seed, 3, [130, 1, 1]);
        }
    }
}

/// A limit that all warps meet is no hardware.
#[test]
fn a_limit_of_all_warps_is_that_of_none() {
    let cycles = |kind| {
        let params = throttled(kind, 8, 4);
        let throttle = ThrottleConfig { warps: 8, ..params.throttle };
        let mut rig = CoreRig::new(&CoreParams { throttle, scheduler: WarpScheduler::GreedyThenOldest, ..params }, 3);
        rig.run_program(&random::program(64, 3, [90, 1, 1]))
    };
    assert_eq!(cycles(Throttle::Fixed), cycles(Throttle::None));
}

/// Two warps may issue. One of block 0 waits at its barrier, so one of block 1 may, and does atomics of 64 bits; then
/// the other one of block 0 comes, and the oldest are its two. Whenever that is, the atomic whose high words have gone
/// is finished: they want the memory unit.
#[test]
fn a_warp_that_is_held_back_leaves_no_atomic_half_done() {
    let throttle = ThrottleConfig { warps: 2, ..throttled(Throttle::Fixed, 8, 4).throttle };
    let p = CoreParams { throttle, ..params() };
    let half = |opcode, dst, a, c| on(1, Instruction { c, ..op(opcode, dst, a, RZ) });
    let mut rig = CoreRig::new(&p, 1);
    rig.slowness = 2;
    for (delay, more) in (1..12).flat_map(|delay| (0..12).map(move |more| (delay, more))) {
        let mut code = Assembly::new(&[
            special(0, 6),
            special(1, 13),
            special(2, 12),
            compare(ISetpS, 0, 0, 0, 1),
            compare(ISetpS, 0, 1, 2, 0),
            compare(ISetpS, 0, 2, 1, 0),
            opi(Mov, 3, RZ, delay),
            opi(Mov, 4, RZ, 40),
            opi(Mov, 5, RZ, 0x2000),
            opi(Mov, 6, RZ, 1),
        ]);
        code.branch(Some((0, false)), "ATOMICS", "").branch(Some((2, false)), "BARRIER", "BARRIER").label("DELAY");
        code.put(&[opi(Sub, 3, 3, 1), compare(ISetpS, 1, 3, 3, 0)]).branch(Some((3, false)), "DELAY", "BARRIER");
        code.put(&vec![Instruction::new(Nop); more]);
        code.label("BARRIER").put(&[
            Instruction::new(Bar),
            opi(LdG32, 7, RZ, 0x1000),
            opi(StG32, 7, RZ, 0x1004),
            exit(),
        ]);
        code.label("ATOMICS").put(&[half(AtomGHigh, 8, RZ, 6), half(AtomGAdd, 9, 5, 6), opi(Sub, 4, 4, 1)]);
        code.put(&[compare(ISetpS, 1, 3, 4, 0)]).branch(Some((3, false)), "ATOMICS", "END").label("END").put(&[exit()]);
        rig.memory[0x2000..0x2008].fill(0);
        rig.load(&code.finish(), &[]);
        rig.run(Launch::line(2, 64));
        assert_eq!((rig.word(0x2000), rig.word(0x2004)), (80, 80), "delay {delay}, {more}");
    }
}
