//! The execute stage with its registers within the lanes, against the one with all of them behind, which simulation
//! takes instead: the same outputs in every cycle, whatever comes in.

use crate::rig::params;
use hdl::{Bits, random::Rng};
use netlist::elaborate;
use sim::{Options, Simulator};
use simt_core::{CoreParams, execute::execute};

/// Random operands and controls for so many cycles, with gaps.
fn check(core: &CoreParams, cycles: u32) {
    let module = execute(core);
    let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
    let simulate = |intrinsics| {
        let options = Options { intrinsics, ..Options::default() };
        let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
        sim.reset(1);
        sim
    };
    let (mut behind, mut within) = (simulate(true), simulate(false));
    let mut random = Rng::new(5);
    for cycle in 0..cycles {
        for &port in &module.inputs {
            let net = module.net(port);
            let value = match net.name.as_str() {
                "x_valid" => Bits::new(1, u64::from(random.chance(0.7))),
                _ => random.bits(net.width),
            };
            [&mut behind, &mut within].into_iter().for_each(|sim| sim.poke_bits(&net.name, &value));
        }
        for &port in &module.outputs {
            let name = &module.net(port).name;
            let [expected, found] = [&mut behind, &mut within].map(|sim| sim.peek_bits(name));
            assert_eq!(expected, found, "{}, cycle {cycle}: {name}", module.name);
        }
        for sim in [&mut behind, &mut within] {
            sim.step().unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[test]
fn registers_within_the_lanes_change_nothing() {
    for execute_stages in 1..=9 {
        check(&CoreParams { execute_stages, lanes: 8, ..params() }, 2_000);
    }
}
