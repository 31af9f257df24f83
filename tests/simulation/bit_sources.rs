//! What area counting says of bits holds in simulation: constants never change, and bits of one source are equal.

use crate::{campaign::part_or_all, netlist::random_module};
use std::collections::BTreeMap;
use warpmesh::{
    area::bit_sources::{Bit, BitSources},
    hdl::NetKind,
    netlist::elaborate,
    sim::{Engine, Options, Simulator},
    verilog::lockstep::Rng,
};

#[test]
fn constant_and_equal_bits_are_so() {
    let (mut constant, mut shared) = (0, 0);
    for seed in 0..part_or_all(30, 1000) {
        // Every operator drives a net.
        let design =
            elaborate(&random_module(seed, 14, &[])).unwrap_or_else(|error| panic!("{error}")).with_operator_nets();
        let module = &design.top;
        let sources = BitSources::new(module, &vec![true; module.exprs.len()]);
        let wire = |(id, net): (usize, &warpmesh::hdl::Net)| match net.kind {
            NetKind::Register { .. } => None,
            _ => Some((net.name.clone(), module.drivers[id]?)),
        };
        let wires: Vec<_> = module.nets.iter().enumerate().filter_map(wire).collect();
        let options = Options { engine: Engine::Interpreter, ..Options::default() };
        let mut sim = Simulator::new(&design, &options).unwrap_or_else(|error| panic!("{error}"));
        let inputs: Vec<_> =
            module.inputs.iter().map(|&id| (module.net(id).name.clone(), module.net(id).width)).collect();
        let mut rng = Rng::new(seed);
        sim.reset(2);
        for _ in 0..20 {
            for (port, width) in &inputs {
                sim.poke_bits(port, &rng.bits(*width));
            }
            sim.settle();
            let mut seen: BTreeMap<(u32, u32), bool> = BTreeMap::new();
            for (name, driver) in &wires {
                let value = sim.peek_net(name).unwrap_or_else(|error| panic!("{error}"));
                for (at, source) in sources.of(*driver).iter().enumerate() {
                    let bit = value.bit(at as u32);
                    let expected = match source {
                        Bit::Constant(expected) => {
                            constant += 1;
                            *expected
                        }
                        Bit::Made(by, place) => {
                            shared += usize::from(by != driver);
                            *seen.entry((by.0, *place)).or_insert(bit)
                        }
                    };
                    assert_eq!(bit, expected, "seed {seed}: bit {at} of {name}: {source:?}");
                }
            }
            sim.step().unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(constant > 5_000 && shared > 5_000, "{constant} {shared}");
}
