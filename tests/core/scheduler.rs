//! Warp schedulers: each against an executable model, and in a core under random programs.

use crate::{random, rig::*};
use warpmesh::{
    core::{CoreParams, WarpScheduler, scheduler::warp_scheduler},
    netlist::elaborate,
    sim::Simulator,
};

/// What a scheduler is to choose, by number of the warp.
struct Model {
    kind: WarpScheduler,
    warps: usize,
    last: Option<usize>,
    oldest_first: Vec<usize>,
}

impl Model {
    fn choose(&mut self, ready: u64) -> Option<usize> {
        let is_ready = |warp: &usize| ready >> warp & 1 == 1;
        let chosen = match self.kind {
            WarpScheduler::RoundRobin => {
                let first = self.last.map_or(0, |last| last + 1);
                (first..first + self.warps).map(|warp| warp % self.warps).find(is_ready)
            }
            WarpScheduler::GreedyThenOldest => {
                self.last.filter(is_ready).or_else(|| self.oldest_first.iter().copied().find(is_ready))
            }
        };
        self.last = chosen.or(self.last);
        chosen
    }

    fn start(&mut self, starts: u64) {
        self.oldest_first.retain(|warp| starts >> warp & 1 == 0);
        self.oldest_first.extend((0..self.warps).filter(|warp| starts >> warp & 1 == 1));
    }
}

#[test]
fn schedulers_are_those_of_their_models() {
    for kind in WarpScheduler::ALL {
        for warps in [2, 5, 8, 32] {
            let design = elaborate(&warp_scheduler(kind, warps)).unwrap_or_else(|e| panic!("{e}"));
            let mut sim = Simulator::new(&design, &crate::matrix::options()).unwrap_or_else(|e| panic!("{e}"));
            sim.reset(2);
            let mut random = Random::new(7);
            let all = (1 << warps) - 1;
            let mut model =
                Model { kind, warps: warps as usize, last: None, oldest_first: (0..warps as usize).collect() };
            for cycle in 0..3_000 {
                let ready = random.next() & random.next() & all;
                let starts = random.next() & random.next() & random.next() & random.next() & all;
                sim.poke("ready", ready);
                if sim.input("starts").is_ok() {
                    sim.poke("starts", starts);
                }
                let expected = model.choose(ready).map_or(0, |warp| 1 << warp);
                assert_eq!(sim.peek("chosen"), expected, "{kind:?} of {warps} warps, cycle {cycle}");
                model.start(starts);
                sim.step().unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

/// Memory after random programs is that of the emulator, whatever the order of the warps.
#[test]
fn random_programs_agree_under_every_scheduler() {
    for scheduler in WarpScheduler::ALL {
        for seed in 50..54 {
            random::check(&CoreParams { scheduler, ..params() }, seed, 3, [45, 1, 1]);
        }
    }
}

#[test]
fn the_verilog_of_every_scheduler_agrees() {
    for scheduler in WarpScheduler::ALL.into_iter().filter(|kind| *kind != WarpScheduler::default()) {
        let mut rig = Rig::with_verilog(&CoreParams { scheduler, ..params() }, 9);
        rig.run_program(&random::program(60, 3, [45, 1, 1]));
        rig.agreement();
    }
}
