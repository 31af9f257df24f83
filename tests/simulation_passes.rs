//! Passes of the word-level engine: none of them changes a bit, alone, together or left out.

#[path = "support/netlist.rs"]
mod netlist;

use netlist::random_holding_module;
use warpmesh::{
    hdl::{Bits, Module},
    netlist::elaborate,
    sim::{Engine, Options, Pass, Passes, ProbeResult, Simulator},
    verilog::lockstep::Rng,
};

/// All, none, each one alone, and all but each one.
fn selections() -> Vec<Passes> {
    let alone = Pass::ALL.iter().map(|&pass| Passes::NONE.with(pass));
    let without = Pass::ALL.iter().map(|&pass| Passes::ALL.without(pass));
    [Passes::ALL, Passes::NONE].into_iter().chain(alone).chain(without).collect()
}

fn simulate(module: &Module, options: Options) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// Outputs over time and statistics, under random stimulus with pokes that are taken back and a reset in the middle.
fn record(module: &Module, options: Options, seed: u64, cycles: u64) -> (Vec<Bits>, Vec<ProbeResult>) {
    let mut sim = simulate(module, options);
    let mut rng = Rng::new(seed);
    let mut seen = vec![];
    let ports = |ids: &[warpmesh::hdl::NetId]| ids.iter().map(|&id| module.net(id).clone()).collect::<Vec<_>>();
    let (inputs, outputs) = (ports(&module.inputs), ports(&module.outputs));
    for cycle in 0..cycles {
        if cycle == 0 || cycle == cycles / 2 {
            sim.reset(1);
        }
        for _ in 0..2 {
            for port in &inputs {
                if rng.chance(0.4) {
                    sim.poke_bits(&port.name, &rng.bits(port.width));
                }
            }
            let port = &outputs[rng.below(outputs.len() as u64) as usize];
            seen.push(sim.peek_bits(&port.name));
        }
        sim.step().unwrap_or_else(|e| panic!("{:?}: {e}", options.passes));
        seen.extend(outputs.iter().map(|port| sim.peek_bits(&port.name)));
    }
    (seen, sim.probes())
}

fn check(module: &Module, seed: u64, cycles: u64) {
    let expected = record(module, Options { engine: Engine::Interpreter, ..Options::default() }, seed, cycles);
    for passes in selections() {
        let options =
            Options { engine: Engine::Word, validate: Some(Engine::Interpreter), passes, ..Options::default() };
        assert!(record(module, options, seed, cycles) == expected, "seed {seed}, passes {passes}");
    }
}

#[test]
fn random_modules_do_not_depend_on_passes() {
    for seed in 0..6 {
        check(&random_holding_module(seed, 150, &[]), seed, 60);
    }
}

#[test]
fn random_hierarchies_do_not_depend_on_passes() {
    for seed in 10..13 {
        let leaves = [random_holding_module(seed, 40, &[]), random_holding_module(seed + 100, 60, &[])];
        let middle = random_holding_module(seed + 200, 60, &leaves);
        check(&random_holding_module(seed + 300, 60, &[middle, leaves[0].clone()]), seed, 40);
    }
}

#[test]
fn passes_have_names() {
    assert_eq!(Passes::parse("all"), Ok(Passes::ALL));
    assert_eq!(Passes::parse("none"), Ok(Passes::NONE));
    assert_eq!(Passes::parse(""), Ok(Passes::NONE));
    assert_eq!(Passes::parse("fold, common"), Ok(Passes::NONE.with(Pass::Fold).with(Pass::Common)));
    assert_eq!(Passes::parse("-fold"), Ok(Passes::ALL.without(Pass::Fold)));
    assert_eq!(Passes::parse("all,-fold,-split,split"), Ok(Passes::ALL.without(Pass::Fold)));
    assert_eq!(Passes::parse("all,fodl"), Err("fodl".to_string()));
    for passes in selections() {
        assert_eq!(Passes::parse(&passes.to_string()), Ok(passes));
    }
    assert!(Pass::ALL.iter().all(|pass| !pass.about().is_empty()));
}
