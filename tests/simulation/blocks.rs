//! Every building block under random inputs, native engine with intrinsics against the interpreter without.

use warpmesh::{
    blocks::*,
    common::random::Random,
    hdl::{Bits, Module},
    netlist::elaborate,
    sim::{Engine, Options, SimError, Simulator},
};

/// Random inputs do not keep to a block's contract: after a failed assertion the block is reset. Returns the edges
/// done.
fn agree(module: &Module, cycles: u64) -> u64 {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let options = Options { validate: Some(Engine::Interpreter), ..Options::default() };
    let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
    let name = |&net| module.net(net).name.as_str();
    let inputs: Vec<_> = module.inputs.iter().map(|n| sim.input(name(n)).expect("a port")).collect();
    let mut random = Random::new(0x1234_5678_9abc_def1);
    sim.reset(1);
    let mut done = 0;
    for _ in 0..cycles {
        for &input in &inputs {
            if !random.next_u64().is_multiple_of(3) {
                // From half of the bits down to nearly none.
                let sparse = random.next_u64() % 8;
                let word = |_| (0..sparse).fold(random.next_u64(), |word, _| word & random.next_u64());
                let words: Vec<_> = (0..16).map(word).collect();
                sim.poke_bits_at(input, &Bits::from_words(1024, &words));
            }
        }
        match sim.step() {
            Ok(()) => done += 1,
            Err(SimError::Assertion { .. }) => sim.reset(1),
            Err(e) => panic!("{}: {e}", module.name),
        }
    }
    done
}

#[test]
fn engines_agree_on_every_block() {
    let queue = |depth, width, registered| fifo(FifoParams { depth, width, registered });
    let modules = [
        queue(1, 8, false),
        queue(4, 128, false),
        queue(5, 515, true),
        arbiter(ArbiterKind::RoundRobin, 5),
        arbiter(ArbiterKind::Matrix, 9),
        priority_encoder(33),
        one_hot_multiplexer(5, 130),
        pipeline_register(70),
        skid_register(512),
        credit_counter(8),
        cam(8, 20),
        lru(6),
        lfsr(31, 4),
        multiply32(0),
        fp32_compare(),
        fp32_min_max(),
        fp32_from_integer(0),
        fp32_to_integer(0),
    ];
    for module in &modules {
        assert!(agree(module, 2000) > 20, "{}: hardly any cycle keeps the contract", module.name);
    }
}

#[test]
fn engines_agree_on_floating_point_and_intrinsics() {
    for module in [fp32_add(), fp32_mul(), fp32_fma(0)] {
        assert_eq!(agree(&module, 500), 500);
    }
}
