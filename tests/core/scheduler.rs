//! Warp schedulers: each against an executable model, and in a core under random programs. The Verilog of cores with
//! them: `lockstep.rs`.

use crate::{random, rig::*};
use netlist::elaborate;
use sim::Simulator;
use simt_core::{CoreParams, WarpGroup, WarpScheduler, scheduler::warp_scheduler};

/// What a scheduler chooses by what issued last, of one level or within a group.
#[derive(Clone, Copy)]
enum After {
    RoundRobin,
    Gtrr,
    Gtlr,
    Gto,
}

/// What a scheduler is to choose, by number of the warp: lists of warps, and nothing of the hardware's masks.
struct SchedulerModel {
    kind: WarpScheduler,
    group: WarpGroup,
    warps: usize,
    last: Option<usize>,
    last_was_load: bool,
    present: usize,
    oldest_first: Vec<usize>,
    /// Those that could issue, the one that could first at the front.
    queue: Vec<usize>,
}

/// The inputs of a cycle, a bit for each warp.
struct Inputs {
    ready: u64,
    able: u64,
    loads: u64,
    slot: Vec<usize>,
    fair: bool,
}

const SLOTS: usize = 3;

impl SchedulerModel {
    fn new(kind: WarpScheduler, group: WarpGroup, warps: usize) -> Self {
        let (oldest_first, queue) = ((0..warps).collect(), vec![]);
        Self { kind, group, warps, last: None, last_was_load: false, present: 0, oldest_first, queue }
    }

    fn choose(&mut self, now: &Inputs) -> Option<usize> {
        self.queue.retain(|warp| now.able >> warp & 1 == 1);
        let missing = (0..self.warps).filter(|warp| now.able >> warp & 1 == 1 && !self.queue.contains(warp));
        let missing: Vec<_> = missing.collect();
        self.queue.extend(missing);
        let ready: Vec<_> = (0..self.warps).filter(|warp| now.ready >> warp & 1 == 1).collect();
        use WarpScheduler as S;
        let (after, oldest_group) = match self.kind {
            S::RoundRobin | S::TwoLevel => (After::RoundRobin, false),
            S::GreedyThenRoundRobin | S::TwoLevelGtrr => (After::Gtrr, false),
            S::GreedyThenLoose | S::TwoLevelGtlr => (After::Gtlr, false),
            S::GreedyThenOldest | S::TwoLevelGto => (After::Gto, false),
            S::OldestReadyFirst => {
                let chosen = self.queue.iter().copied().find(|warp| ready.contains(warp));
                self.queue.retain(|warp| Some(*warp) != chosen);
                return chosen;
            }
            S::Laws => (if now.fair { After::Gtlr } else { After::Gto }, false),
            S::TwoLevelOldest => (After::RoundRobin, true),
            S::TwoLevelGtrrOldest => (After::Gtrr, true),
            S::TwoLevelGtlrOldest => (After::Gtlr, true),
            S::TwoLevelGtoOldest => (After::Gto, true),
            S::Own(_) => unreachable!("the model has the rows of the table"),
        };
        let mut some = ready;
        if self.kind.name().starts_with("2lev") && !some.is_empty() {
            let group_of = |warp: &usize| match self.group {
                WarpGroup::Eight => warp / 8,
                WarpGroup::Block => now.slot[*warp],
                WarpGroup::Own(_) => unreachable!("the model has the rows of the table"),
            };
            let groups = match self.group {
                WarpGroup::Eight => self.warps.div_ceil(8),
                WarpGroup::Block => SLOTS,
                WarpGroup::Own(_) => unreachable!("the model has the rows of the table"),
            };
            let goes_on = |group: &usize| some.iter().any(|warp| group_of(warp) == *group);
            if !goes_on(&self.present) {
                let oldest = self.oldest_first.iter().find(|warp| some.contains(warp)).map(group_of);
                let next = (1..=groups).map(|step| (self.present + step) % groups).find(goes_on);
                self.present = if oldest_group { oldest } else { next }.expect("a warp is ready");
            }
            some.retain(|warp| group_of(warp) == self.present);
        }
        let chosen = self.after(after, &some);
        if let Some(warp) = chosen {
            self.last = chosen;
            self.last_was_load = now.loads >> warp & 1 == 1;
        }
        chosen
    }

    fn after(&self, after: After, some: &[usize]) -> Option<usize> {
        let again = self.last.filter(|last| some.contains(last));
        let first = self.last.map_or(0, |last| last + 1);
        let next = (first..first + self.warps).map(|warp| warp % self.warps).find(|warp| some.contains(warp));
        match after {
            After::RoundRobin => next,
            After::Gtrr => again.or(next),
            After::Gtlr => again.filter(|_| !self.last_was_load).or(next),
            After::Gto => again.or_else(|| self.oldest_first.iter().copied().find(|warp| some.contains(warp))),
        }
    }

    fn start(&mut self, starts: u64) {
        self.oldest_first.retain(|warp| starts >> warp & 1 == 0);
        self.oldest_first.extend((0..self.warps).filter(|warp| starts >> warp & 1 == 1));
    }
}

#[test]
fn schedulers_are_those_of_their_models() {
    for kind in WarpScheduler::ALL {
        for (warps, group) in [2, 5, 8, 19, 32].into_iter().flat_map(|warps| WarpGroup::ALL.map(|group| (warps, group)))
        {
            let design = elaborate(&warp_scheduler(kind, warps, group, SLOTS as u32)).unwrap_or_else(|e| panic!("{e}"));
            let mut sim = Simulator::new(&design, &crate::matrix::options()).unwrap_or_else(|e| panic!("{e}"));
            sim.reset(2);
            let mut random = Random::new(7);
            let all = (1 << warps) - 1;
            let mut model = SchedulerModel::new(kind, group, warps as usize);
            let mut slot = vec![0; warps as usize];
            for cycle in 0..3_000 {
                let able = random.next_u64() & random.next_u64() & all;
                // Most beats are not the last one.
                let ready = if random.next_u64().is_multiple_of(3) { 0 } else { able };
                let starts = random.next_u64() & random.next_u64() & random.next_u64() & random.next_u64() & all;
                let loads = random.next_u64() & all;
                for (warp, slot) in slot.iter_mut().enumerate().filter(|(warp, _)| starts >> warp & 1 == 1) {
                    *slot = (random.next_u64() as usize + warp) % SLOTS;
                }
                let fair = random.next_u64().is_multiple_of(2);
                let slots = slot.iter().rev().fold(0, |word, slot| word << 2 | *slot as u64);
                sim.poke("ready", ready);
                for (port, value) in [
                    ("able", able),
                    ("starts", starts),
                    ("is_load", loads),
                    ("slot", slots),
                    ("prefer_rr", fair.into()),
                ] {
                    if sim.input(port).is_ok() {
                        sim.poke(port, value);
                    }
                }
                let now = Inputs { ready, able, loads, slot: slot.clone(), fair };
                let expected = model.choose(&now).map_or(0, |warp| 1 << warp);
                assert_eq!(sim.peek("chosen"), expected, "{kind:?}, {group:?}, {warps} warps, cycle {cycle}");
                model.start(starts);
                sim.step().unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

/// With eight warps there is one group, and the policy within it is that of one level.
#[test]
fn two_levels_of_one_group_are_one_level() {
    use WarpScheduler as S;
    for (one, two) in [
        (S::RoundRobin, S::TwoLevel),
        (S::GreedyThenRoundRobin, S::TwoLevelGtrr),
        (S::GreedyThenLoose, S::TwoLevelGtlrOldest),
        (S::GreedyThenOldest, S::TwoLevelGtoOldest),
    ] {
        let cycles = |scheduler| {
            let mut rig = CoreRig::new(&CoreParams { scheduler, ..params() }, 4);
            rig.run_program(&random::program(70, 3, [100, 1, 1]))
        };
        assert_eq!(cycles(one), cycles(two), "{one:?}");
    }
}

/// Memory after random programs is that of the emulator, whatever the order of the warps.
#[test]
fn random_programs_agree_under_every_scheduler() {
    // LAWS looks at a data cache: with the throttles.
    for scheduler in WarpScheduler::ALL.into_iter().filter(|kind| *kind != WarpScheduler::Laws) {
        for (seed, warp_group) in [(50, WarpGroup::Eight), (51, WarpGroup::Block)] {
            random::check(&CoreParams { scheduler, warp_group, ..params() }, seed, 3, [45, 1, 1]);
        }
    }
}
