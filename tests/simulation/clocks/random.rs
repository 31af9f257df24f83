//! Random netlists of several clocks: exported, linted, and compared with the simulation and the engines with each
//! other.

use crate::netlist::{DOMAINS, random_clocked_module, random_module};
use warpmesh::{
    hdl::Module,
    netlist::elaborate,
    sim::{Clocks, Engine, Options, Passes, Simulator},
    verilog::{
        lint,
        lockstep::{RandomStimulus, Rng, RunLength, lockstep, lockstep_icarus},
    },
};

/// Different frequencies each time, the first time equal ones.
fn clocks(count: usize, seed: u64) -> Clocks {
    let mut random = Rng::new(seed);
    let mut ratio = |clocks: Clocks, name: &str| {
        let mut small = || 1 + random.below(5);
        clocks.ratio(name, small(), small()).delay(name, small() - 1, small())
    };
    match seed {
        0 => Clocks::default(),
        _ => DOMAINS[..count].iter().fold(Clocks::default(), |clocks, (name, _)| ratio(clocks, name)),
    }
}

/// A hierarchy: children of one clock and of two, in domains by chance.
fn hierarchy(seed: u64, holding: bool) -> Module {
    let one = random_module(1000 + seed, 40, &[]);
    let two = random_clocked_module(2000 + seed, 60, 2, std::slice::from_ref(&one), holding);
    random_clocked_module(3000 + seed, 60, 3, &[two, one], holding)
}

/// The exported Verilog is clean, but for what nobody writes: a comparison with a wire that happens to be constant, a
/// memory written at such an address only.
fn assert_clean(top: &Module) {
    let design = elaborate(top).unwrap_or_else(|e| panic!("{e}"));
    let known = ["%Warning-UNSIGNED", "%Warning-CMPCONST", "Warning: Replacing memory"];
    for diagnostic in lint(&design).unwrap_or_else(|e| panic!("{e}")) {
        let warnings: Vec<_> =
            diagnostic.text.lines().filter(|l| l.starts_with("%Warning") || l.contains("arning: ")).collect();
        let harmless = warnings.iter().all(|line| known.iter().any(|k| line.starts_with(k)));
        assert!(harmless && !warnings.is_empty(), "{}: {diagnostic}", top.name);
    }
}

fn assert_agree(top: &Module, count: usize, seed: u64) {
    let mut run = RunLength { clocks: clocks(count, seed), ..RunLength::cycles(500) };
    run.model.optimise = "-O0";
    run.sim.validate = Some(Engine::Interpreter);
    lockstep(top, &mut RandomStimulus::new(seed), &run).unwrap_or_else(|e| panic!("{e}"));
    lockstep_icarus(top, &mut RandomStimulus::new(seed), &run).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn modules_of_two_clocks_agree_with_their_verilog() {
    // Not every seed is clean: Yosys 0.23 ends in a division by zero (`proc_rom`) at some void statements.
    assert_clean(&random_clocked_module(1, 150, 2, &[], false));
    for seed in 0..4 {
        assert_agree(&random_clocked_module(seed, 150, 2, &[], false), 2, seed);
    }
}

#[test]
fn hierarchies_of_three_clocks_agree_with_their_verilog() {
    // Of seed 1 Yosys ends in a division by zero, as above.
    let top = hierarchy(2, false);
    assert_clean(&top);
    assert_agree(&top, 3, 11);
}

/// With statistics and registers that hold, which Verilog tools would complain of.
#[test]
fn engines_agree_on_hierarchies() {
    for seed in 0..6 {
        let design = elaborate(&hierarchy(seed, true)).unwrap_or_else(|e| panic!("{e}"));
        let inputs: Vec<_> = design.top.inputs.iter().map(|&i| design.top.net(i).clone()).collect();
        let start = |engine, passes| {
            let options = Options { engine, passes, ..Options::default() };
            let mut sim = Simulator::with_clocks(&design, &options, &clocks(3, seed)).unwrap_or_else(|e| panic!("{e}"));
            sim.reset(2);
            sim
        };
        let mut sims = [
            start(Engine::Interpreter, Passes::ALL),
            start(Engine::Word, Passes::ALL),
            start(Engine::Word, Passes::NONE),
        ];
        let mut random = Rng::new(seed);
        for instant in 0..400 {
            for input in &inputs {
                let (change, value) = (random.chance(0.3), random.bits(input.width));
                if !change {
                    continue;
                }
                sims.iter_mut().for_each(|sim| sim.poke_bits(&input.name, &value));
            }
            if random.chance(0.02) {
                sims.iter_mut().for_each(|sim| sim.reset(1));
            }
            sims.iter_mut().for_each(|sim| sim.step().unwrap_or_else(|e| panic!("{e}")));
            if instant % 7 == 0 {
                let states = sims.each_mut().map(|sim| (sim.save(), sim.probes()));
                assert!(states.iter().all(|s| *s == states[0]), "seed {seed}, instant {instant}");
            }
        }
        let counted = sims[0].probes().iter().filter(|p| p.count > 0).count();
        assert!(counted > 10, "only {counted} statistics have counted");
    }
}
