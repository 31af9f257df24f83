//! Property tests on netlists: all engines, on one block and on many tiles of it, and the exported Verilog, do the
//! same. A netlist that fails is made smaller until nothing can be left out.
//!
//! The same netlists are tried every time, so that a result can be had again; `PROPTEST_RNG_SEED` and `PROPTEST_CASES`
//! look further.

use crate::matrix::matrix;
use crate::netlist::{Recipe, module_of};
use crate::ring::{ring, tile};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{RngSeed, TestRunner},
};
use warpmesh::{
    hdl::{Bits, Module},
    netlist::{Design, elaborate},
    sim::{Engine, Options, ProbeResult, Simulator, Snapshot},
    verilog::lockstep::{RandomStimulus, Rng, RunLength, lockstep, lockstep_icarus},
};

/// Up to so many things of each kind, in a block without children.
fn leaf(size: usize, holding: bool) -> impl Strategy<Value = Recipe> {
    let things = |most: usize| vec(any::<u64>(), 0..=most);
    let all = (things(4 * size), things(size), things(size), things(size / 3));
    all.prop_map(move |(expressions, wires, registers, memories)| Recipe {
        expressions,
        wires,
        registers,
        memories,
        children: vec![],
        holding,
    })
}

/// Three levels of blocks.
fn hierarchy(size: usize, holding: bool) -> impl Strategy<Value = Recipe> {
    let with = |inner: BoxedStrategy<Recipe>| {
        let children = vec((inner, vec(any::<u64>(), 1..3)), 0..3);
        (leaf(size, holding), children).prop_map(|(own, children)| Recipe { children, ..own }).boxed()
    };
    with(with(leaf(size, holding).boxed()))
}

fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), String>) {
    let given = ProptestConfig::default();
    let rng_seed = if given.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { given.rng_seed };
    let cases = if given.cases == ProptestConfig::with_cases(256).cases { cases } else { given.cases };
    let config = ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 2_000, ..given };
    let result = TestRunner::new(config).run(&strategy, |value| test(value).map_err(TestCaseError::fail));
    result.unwrap_or_else(|e| panic!("{e}"));
}

type Trace = (Vec<Bits>, Vec<ProbeResult>, Vec<Snapshot>);

/// Outputs of every cycle, states now and then, and statistics.
fn trace(design: &Design, options: &Options, seed: u64, cycles: u64) -> Result<Trace, String> {
    let mut sim = Simulator::new(design, options).map_err(|e| e.to_string())?;
    let mut rng = Rng::new(seed);
    let ports = |module: &Module, ids: &[warpmesh::hdl::NetId]| {
        ids.iter().map(|&id| (module.net(id).name.clone(), module.net(id).width)).collect::<Vec<_>>()
    };
    let (inputs, outputs) = (ports(&design.top, &design.top.inputs), ports(&design.top, &design.top.outputs));
    let (mut seen, mut states) = (vec![], vec![]);
    sim.reset(2);
    for cycle in 0..cycles {
        for (port, width) in &inputs {
            let value = rng.bits(*width);
            if rng.chance(0.6) {
                sim.poke_bits(port, &value);
            }
        }
        seen.extend(outputs.iter().map(|(port, _)| sim.peek_bits(port)));
        if cycle % 8 == 3 {
            states.push(sim.save());
        }
        sim.step().map_err(|e| e.to_string())?;
    }
    states.push(sim.save());
    Ok((seen, sim.probes(), states))
}

fn engines_agree(design: &Design, seed: u64, cycles: u64, others: &[Options]) -> Result<(), String> {
    let interpreter = Options { engine: Engine::Interpreter, ..Options::default() };
    let expected = trace(design, &interpreter, seed, cycles)?;
    for options in others {
        let found = trace(design, options, seed, cycles)?;
        let Options { engine, passes, threads, .. } = *options;
        // Where they first differ, if that is seen from outside of the tiles.
        let place = || {
            let validated = trace(design, &Options { validate: Some(Engine::Interpreter), ..*options }, seed, cycles);
            validated.err().unwrap_or_else(|| "not found by validation".into())
        };
        let about = |what: &str| format!("{engine}, passes {passes}, {threads} threads: {what}; {}", place());
        let compared = [
            (found.0 == expected.0, "outputs"),
            (found.1 == expected.1, "statistics"),
            (found.2 == expected.2, "registers or memories"),
        ];
        for (equal, what) in compared {
            equal.then_some(()).ok_or_else(|| about(what))?;
        }
    }
    Ok(())
}

#[test]
fn engines_and_passes_agree_on_blocks() {
    check(12, (hierarchy(6, true), any::<u64>()), |(recipe, seed)| {
        let design = elaborate(&module_of(&recipe)).map_err(|e| e.to_string())?;
        engines_agree(&design, seed, 30, &matrix())
    });
}

#[test]
fn engines_agree_on_tiles() {
    let count = prop_oneof![2..12usize, 60..70usize, 126..131usize];
    check(12, (hierarchy(5, true), leaf(5, true), count, any::<u64>()), |(recipe, other, count, seed)| {
        // Two kinds of tiles, in turn; one of a kind where there are few.
        let mut tiles = vec![tile("first", &module_of(&recipe))];
        tiles.extend((count > 4).then(|| tile("second", &module_of(&other))));
        let design = ring(&tiles, count);
        let of = |engine, threads| Options { engine, threads, ..Options::default() };
        let ways =
            [(Engine::Word, 1), (Engine::Sliced, 1), (Engine::Sliced, 2), (Engine::Vector, 1), (Engine::Auto, 2)];
        engines_agree(&design, seed, 14, &ways.map(|(engine, threads)| of(engine, threads)))
    });
}

/// With the interpreter beside, so that three agree.
fn run(cycles: u64) -> RunLength {
    let mut run = RunLength::cycles(cycles);
    run.sim.validate = Some(Engine::Interpreter);
    run.model.optimise = "-O0";
    run
}

#[test]
fn icarus_agrees() {
    check(12, (hierarchy(5, true), any::<u64>()), |(recipe, seed)| {
        let run = lockstep_icarus(&module_of(&recipe), &mut RandomStimulus::new(seed), &run(150));
        run.map(|_| ()).map_err(|e| e.to_string())
    });
}

#[test]
fn verilator_agrees() {
    check(3, (hierarchy(8, true), any::<u64>()), |(recipe, seed)| {
        let run = lockstep(&module_of(&recipe), &mut RandomStimulus::new(seed), &run(1000));
        run.map(|_| ()).map_err(|e| e.to_string())
    });
}
