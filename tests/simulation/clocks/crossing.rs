//! The crossing queue: words come out once each and in order whatever the frequencies, and its Verilog does the same.

use super::{Ratios, ratios};
use proptest::prelude::*;
use std::collections::VecDeque;
use warpmesh::{
    blocks::{CrossingParams, clock_crossing_fifo, cross},
    hdl::{Bits, Builder, Module, params},
    netlist::{Design, elaborate},
    sim::{Clocks, Engine, Options, Simulator},
    verilog::{
        lint,
        lockstep::{Rng, RunLength, Values, lockstep, lockstep_icarus},
    },
};

const NAMES: [&str; 2] = ["write", "read"];

fn design(params: CrossingParams) -> Design {
    elaborate(&clock_crossing_fifo(params)).unwrap_or_else(|e| panic!("{e}"))
}

/// Pushes and pops with these percentages wherever it is allowed, for so many edges of the slower clock; every word is
/// checked. Returns how many came out.
fn run(design: &Design, clocks: &Clocks, seed: u64, percent: [u64; 2], edges: u64) -> u64 {
    let options = Options { engine: Engine::Word, validate: Some(Engine::Interpreter), ..Options::default() };
    let mut sim = Simulator::with_clocks(design, &options, clocks).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    let width = design.top.net(design.top.inputs[1]).width;
    let [write, read] = NAMES.map(|name| sim.clock(name).expect("declared"));
    let mut random = Rng::new(seed);
    let (mut sent, mut came) = (VecDeque::new(), 0);
    while sim.fewest_cycles() < edges {
        // Between two edges of its clock a side does not change its mind.
        if sim.has_edge(write) {
            let push = random.below(100) < percent[0] && sim.peek("full") == 0;
            let word = random.bits(width);
            sim.poke("push", push.into());
            sim.poke_bits("push_data", &word);
            if push {
                sent.push_back(word);
            }
        }
        if sim.has_edge(read) {
            let pop = random.below(100) < percent[1] && sim.peek("valid") == 1;
            sim.poke("pop", pop.into());
            if pop {
                let expected: Option<Bits> = sent.pop_front();
                assert_eq!(Some(sim.peek_bits("data")), expected);
                came += 1;
            }
        }
        sim.step().unwrap_or_else(|e| panic!("{e}"));
    }
    came
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_word_comes_out_once_and_in_order(
        ratios in ratios(),
        depth in prop::sample::select(vec![2usize, 4, 8, 32]),
        width in prop::sample::select(vec![1u32, 8, 64, 130]),
        stages in 2u32..=4,
        seed: u64,
        push in prop::sample::select(vec![10u64, 60, 100]),
        pop in prop::sample::select(vec![10u64, 60, 100]),
    ) {
        let design = design(CrossingParams { depth, width, stages });
        let came = run(&design, &ratios.clocks(NAMES), seed, [push, pop], 150);
        prop_assert!(came > 0);
    }
}

#[test]
fn a_deep_queue_passes_a_word_a_cycle() {
    // The last one is a word too shallow: a place is free again 2 stages + 3 cycles after it was taken.
    for (stages, depth, enough) in [(2, 8, true), (3, 16, true), (6, 16, true), (7, 16, false)] {
        let came = run(&design(CrossingParams { depth, width: 8, stages }), &Clocks::default(), 3, [100, 100], 400);
        let lost = 400 - came;
        assert_eq!(lost < 12, enough, "{lost} of 400 cycles without a word, {stages} stages");
    }
}

/// Cycles of the reader from the write edge on until the word is shown.
#[test]
fn latency_is_as_documented() {
    for stages in 2..=4 {
        let design = design(CrossingParams { depth: 4, width: 8, stages });
        let clocks = Clocks::default().delay("read", 1, 2);
        let mut sim = Simulator::with_clocks(&design, &crate::matrix::options(), &clocks).expect("legal clocks");
        sim.reset(2);
        let [write, read] = NAMES.map(|name| sim.clock(name).expect("declared"));
        while !sim.has_edge(write) {
            sim.step().expect("no assertion");
        }
        sim.poke("push", 1);
        sim.step().expect("no assertion");
        sim.poke("push", 0);
        let before = sim.cycle_of(read);
        while sim.peek("valid") == 0 {
            sim.step().expect("no assertion");
        }
        assert_eq!(sim.cycle_of(read) - before, u64::from(stages) + 1);
    }
}

#[test]
fn its_verilog_is_clean_and_agrees() {
    for params in [CrossingParams::new(4, 8), CrossingParams { depth: 2, width: 70, stages: 3 }] {
        let module = clock_crossing_fifo(params);
        let diagnostics = lint(&elaborate(&module).expect("correct")).unwrap_or_else(|e| panic!("{e}"));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let ratios = [
            Ratios { frequencies: [(1, 1), (1, 1)], delays: [(0, 1), (0, 1)] },
            Ratios { frequencies: [(3, 7), (5, 2)], delays: [(0, 1), (1, 3)] },
            Ratios { frequencies: [(5, 3), (5, 4)], delays: [(2, 1), (0, 1)] },
        ];
        for ratios in ratios {
            let mut stimulus = traffic(1);
            let run =
                RunLength { clocks: ratios.clocks(NAMES), sim: crate::matrix::options(), ..RunLength::cycles(2000) };
            let agreement = lockstep(&module, &mut stimulus, &run).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(agreement.still, Vec::<String>::new());
            let mut stimulus = traffic(2);
            lockstep_icarus(&module, &mut stimulus, &run).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// Pushes and pops that obey what the queue said before the last edge, and the edges since.
pub fn traffic(seed: u64) -> impl FnMut(u64, &Values, &mut Values) {
    let mut random = Rng::new(seed);
    // What was seen before an edge holds before the next instant too, unless that edge was of the same side and moved
    // something: so move only every other instant.
    move |cycle, seen, inputs| {
        let moves = cycle % 2 == 1;
        let (push, pop) = if cycle / 200 % 2 == 0 { (0.9, 0.1) } else { (0.4, 0.9) };
        inputs.set("push", u64::from(moves && random.chance(push) && seen.get("full") == 0));
        inputs.set("pop", u64::from(moves && random.chance(pop) && seen.get("valid") == 1));
        let word = random.bits(130);
        inputs.set_bits("push_data", &word);
    }
}

/// Producer and consumer with the queue between them that [`cross`] chooses.
fn system(two_clocks: bool) -> Module {
    let m = Builder::new("system", params! { two_clocks });
    let here = m.clock();
    let there = if two_clocks { m.domain("noc") } else { here };
    let queue = cross(&m, "queue", here, there, CrossingParams::new(4, 8)).0;
    for (port, width) in [("push", 1), ("push_data", 8), ("pop", 1)] {
        queue.drive(port, m.input(port, width));
    }
    for port in ["valid", "data", "full"] {
        m.output_of(port, queue.get(port));
    }
    m.finish()
}

#[test]
fn one_clock_has_the_plain_queue() {
    let kinds = |two| {
        elaborate(&system(two)).expect("correct").modules.iter().map(|m| m.module.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(false), ["fifo_registered", "system"]);
    assert_eq!(kinds(true), ["clock_crossing_fifo", "system"]);
}

#[test]
fn wrong_sizes_are_named() {
    let message = |depth, width| {
        let module = clock_crossing_fifo(CrossingParams::new(depth, width));
        elaborate(&module).expect_err("wrong on purpose").to_string()
    };
    assert!(message(6, 8).contains("depth = 6 words, a power of two from 2 on is needed"));
    assert!(message(1, 8).contains("depth = 1 words, a power of two from 2 on is needed"));
    assert!(message(4, 0).contains("width = 0 bits, at least 1 is needed"));
}
