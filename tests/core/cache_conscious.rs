//! Cache-conscious throttling: the unit against an executable model, cycle by cycle; its order when nothing changes.

use crate::{
    rig::*,
    throttle::{simulator, step, throttled},
};
use cache::events::Class;
use program::isa::RZ;
use simt_core::{CoreParams, Throttle, ThrottleConfig, throttle::throttle};
use std::collections::VecDeque;

/// An event of a cycle: its warp and line.
type CacheConsciousLine = Option<(usize, u64)>;

/// What the unit sees in a cycle.
#[derive(Default)]
struct CacheConsciousSeen {
    active: u64,
    starts: u64,
    issued: Option<usize>,
    /// Primary miss.
    miss: CacheConsciousLine,
    store: CacheConsciousLine,
    lost: CacheConsciousLine,
}

/// The quotient in progress.
struct Division {
    warp: usize,
    score: u64,
    left: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum CacheConsciousWalk {
    First,
    Begins,
    Up,
    Top,
    Down,
}

/// The unit with plain numbers.
struct CacheConsciousUnit {
    p: ThrottleConfig,
    sets: u64,
    lost: Vec<Vec<VecDeque<u64>>>,
    hits: Vec<u64>,
    instructions: Vec<u64>,
    was_active: u64,
    waiting: u64,
    division: Option<Division>,
    /// The cycle from which the score of a warp is at the base.
    until: Vec<Option<u64>>,
    now: u64,
    order: Vec<usize>,
    walk: (CacheConsciousWalk, usize),
    along: usize,
    picked: u64,
    sum: u64,
    loaders: u64,
}

impl CacheConsciousUnit {
    fn new(p: &CoreParams) -> Self {
        let (warps, sets) = (p.warps as usize, p.throttle.victim_tags / p.throttle.victim_ways);
        Self {
            p: p.throttle,
            sets: sets.into(),
            lost: vec![vec![VecDeque::new(); sets as usize]; warps],
            hits: vec![0; warps],
            instructions: vec![0; warps],
            was_active: 0,
            waiting: 0,
            division: None,
            until: vec![None; warps],
            now: 0,
            order: vec![0; warps],
            walk: (CacheConsciousWalk::First, 0),
            along: 0,
            picked: 0,
            sum: 0,
            loaders: u64::MAX >> (64 - warps),
        }
    }

    fn score(&self, warp: usize, active: u64) -> u64 {
        let above = self.until[warp].map_or(0, |until| until.saturating_sub(self.now));
        if active >> warp & 1 == 1 { u64::from(self.p.base_score) + above } else { 0 }
    }

    fn row(&mut self, (warp, line): (usize, u64)) -> &mut VecDeque<u64> {
        let set = (line % self.sets) as usize;
        &mut self.lost[warp][set]
    }

    /// The walk along the order, and what it finds.
    fn walk(&mut self, active: u64, cutoff: u64) {
        let (walk, at) = self.walk;
        let (warps, here) = (self.order.len(), self.order[at]);
        let key = |unit: &Self, warp: usize| (unit.score(warp, active), usize::MAX - warp);
        self.walk = match walk {
            CacheConsciousWalk::First => {
                self.order[at] = at;
                if at + 1 == warps { (CacheConsciousWalk::Begins, at) } else { (walk, at + 1) }
            }
            CacheConsciousWalk::Begins => {
                self.along = here;
                (CacheConsciousWalk::Up, warps - 2)
            }
            CacheConsciousWalk::Up => {
                let higher = key(self, self.along) > key(self, here);
                self.order[at + 1] = if higher { here } else { self.along };
                self.along = if higher { self.along } else { here };
                if at == 0 { (CacheConsciousWalk::Top, 0) } else { (walk, at - 1) }
            }
            CacheConsciousWalk::Top => {
                self.order[0] = self.along;
                (CacheConsciousWalk::Down, 0)
            }
            CacheConsciousWalk::Down => {
                if active >> here & 1 == 1 && self.sum < cutoff {
                    self.picked |= 1 << here;
                    self.sum += self.score(here, active);
                }
                if at + 1 == warps {
                    self.loaders = (self.picked | !active) & (u64::MAX >> (64 - warps));
                    (self.picked, self.sum) = (0, 0);
                    (CacheConsciousWalk::Begins, at)
                } else {
                    (walk, at + 1)
                }
            }
        };
    }

    fn cycle(&mut self, seen: &CacheConsciousSeen) {
        let cutoff = u64::from(seen.active.count_ones() * self.p.base_score);
        self.walk(seen.active, cutoff);

        // Quotients.
        match &mut self.division {
            Some(division) if division.left > 1 => division.left -= 1,
            Some(division) => {
                let above = division.score.saturating_sub(self.p.base_score.into());
                self.until[division.warp] = (above > 0).then_some(self.now + above);
                self.division = None;
            }
            None if self.waiting != 0 => {
                let warp = self.waiting.trailing_zeros() as usize;
                self.waiting &= !(1 << warp);
                let [hits, instructions]: [u64; 2] = [&self.hits, &self.instructions].map(|of| of.iter().sum());
                let quotient = u64::from(self.p.locality_factor) * cutoff * hits / instructions.max(1);
                self.division = Some(Division { warp, score: quotient.min(0x7fff), left: 16 });
            }
            None => {}
        }

        // Lost lines.
        let hit = seen.miss.filter(|miss| self.row(*miss).contains(&miss.1));
        let enters = seen.lost.filter(|lost| !self.row(*lost).contains(&lost.1));
        if let Some(store) = seen.store {
            self.row(store).iter_mut().filter(|line| **line == store.1).for_each(|line| *line = u64::MAX);
        }
        if let Some(lost) = enters {
            let ways = self.p.victim_ways as usize;
            let row = self.row(lost);
            row.push_front(lost.1);
            row.truncate(ways);
        }

        let ended = self.was_active & !seen.active;
        for warp in 0..self.hits.len() {
            if seen.starts >> warp & 1 == 1 {
                self.lost[warp].iter_mut().for_each(VecDeque::clear);
            }
            if ended >> warp & 1 == 1 {
                (self.hits[warp], self.instructions[warp]) = (0, 0);
            }
            if seen.active >> warp & 1 == 0 {
                self.until[warp] = None;
            }
        }
        self.was_active = seen.active;
        if let Some(warp) = seen.issued {
            self.instructions[warp] += 1;
        }
        if let Some((warp, _)) = hit {
            self.hits[warp] += 1;
            self.waiting |= 1 << warp;
        }
        self.waiting &= seen.active;
        self.now += 1;
    }
}

fn core_with_ccws(warps: u32) -> CoreParams {
    let config = throttled(Throttle::CacheConscious, warps, 4);
    let throttle = ThrottleConfig { victim_tags: 8, victim_ways: 4, ..config.throttle };
    CoreParams { throttle, ..config }
}

/// A random line of a warp that runs, so often; few lines, so that many lost ones are missed.
fn line(random: &mut Random, percent: u64, active: u64, warps: u32) -> CacheConsciousLine {
    let (now, warp, line) = (random.below(100) < percent, random.below(warps.into()) as usize, random.below(24));
    (now && active >> warp & 1 == 1).then_some((warp, line))
}

/// Half a million cycles each: who may issue loads is what the model says in every cycle, and when nothing has changed
/// for long, the order is that of the scores.
#[test]
fn the_unit_is_that_of_its_model() {
    for warps in [24, 32] {
        let params = core_with_ccws(warps);
        let mut sim = simulator(&throttle(&params));
        let (mut unit, mut random) = (CacheConsciousUnit::new(&params), Random::new(5));
        let all = u64::MAX >> (64 - warps);
        let (mut active, mut starts, mut limited, mut sorted) = (0, 0, 0, 0);
        for cycle in 0..500_000_u64 {
            // Phases of many lost lines, of few, and of none.
            let phase = cycle / 4_000 % 4;
            let often = [40, 6, 0, 0][phase as usize];
            active |= starts;
            starts = if random.below(400) == 0 { random.next_u64() & random.next_u64() & all & !active } else { 0 };
            if random.below(300) == 0 && phase < 3 && starts == 0 {
                active &= !(1 << random.below(warps.into()));
            }
            starts &= if phase == 3 { 0 } else { all };
            let of = |random: &mut Random, percent| line(random, percent, active, warps);
            let load = of(&mut random, often);
            let class = if random.below(4) == 0 { Class::Intra } else { Class::Miss };
            let store = of(&mut random, often / 8).filter(|_| load.is_none());
            let seen = CacheConsciousSeen {
                active,
                starts,
                issued: of(&mut random, 70).map(|(warp, _)| warp),
                miss: load.filter(|_| matches!(class, Class::Miss)),
                store,
                lost: of(&mut random, often),
            };
            let (warp, at) = load.or(store).unwrap_or_default();
            let (lost_warp, lost_line) = seen.lost.unwrap_or_default();
            for (port, value) in [
                ("active", active),
                ("starts", starts),
                ("issued", seen.issued.is_some().into()),
                ("issued_warp", seen.issued.unwrap_or(0) as u64),
                ("cache_load", load.is_some().into()),
                ("cache_class", class as u64),
                ("cache_warp", warp as u64),
                ("cache_line", at),
                ("cache_store", store.is_some().into()),
                ("cache_evicted", seen.lost.is_some().into()),
                ("cache_evicted_warp", lost_warp as u64),
                ("cache_evicted_line", lost_line),
            ] {
                sim.poke(port, value);
            }
            assert_eq!(sim.peek("allowed"), unit.loaders, "{warps} warps, cycle {cycle}");
            limited += u64::from(unit.loaders != all);
            if phase == 3 && cycle % 4_000 == 3_999 && unit.walk.0 == CacheConsciousWalk::Down {
                let mut by_score = unit.order.clone();
                by_score.sort_by_key(|warp| (std::cmp::Reverse(unit.score(*warp, active)), *warp));
                assert_eq!(unit.order, by_score, "cycle {cycle}");
                sorted += 1;
            }
            unit.cycle(&seen);
            step(&mut sim);
        }
        assert!(limited > 50_000 && limited < 450_000, "{limited} cycles with a limit");
        assert!(sorted > 5, "{sorted}");
    }
}

/// A core whose warps' lines do not fit its data cache: warps that lose theirs are found, and others wait.
#[test]
fn warps_that_lose_their_lines_hold_others_back() {
    let mut rig = CoreRig::new(&core_with_ccws(8), 2);
    // Every warp reads four lines of its own again and again: 8 warps, a cache of 8 lines.
    let mut code = Assembly::new(&[special(1, 0), opi(Mov, 2, RZ, 40), opi(Mul, 3, 1, 8)]);
    code.label("LOOP").put(&[opi(LdG32, 4, 3, 0), opi(Sub, 2, 2, 1), compare(ISetpS, 1, 0, 2, 0)]);
    code.branch(Some((0, false)), "LOOP", "END").label("END").put(&[exit()]);
    rig.load(&code.finish(), &[]);
    rig.run(Launch::line(1, 256));
    let probes = rig.sim.probes();
    let count = |name| probes.iter().find(|probe| probe.name == name).expect("recorded").value();
    let [hits, limited] = ["lost_hits", "limited_cycles"].map(count);
    assert!(hits > 10 && limited > 100, "{hits} misses of lost lines, {limited} cycles with a limit");
}
