//! The building blocks against small executable models.

// The package under test, by the name that others have for it.
extern crate warpmesh_blocks as blocks;

mod arbiters;
mod lfsrs;
mod queues;
mod selectors;
mod tables;

use blocks::*;
use hdl::Module;
use netlist::elaborate;
use sim::Simulator;
use testkit_base::matrix;

/// `module` out of reset.
fn simulate(module: &Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let mut simulator = Simulator::new(&design, &matrix::options()).unwrap_or_else(|e| panic!("{e}"));
    simulator.reset(2);
    simulator
}

/// One clock edge; a broken assertion of the block fails the test.
fn step(simulator: &mut Simulator) {
    simulator.step().unwrap_or_else(|e| panic!("{e}"));
}

fn correct(module: Module) {
    if let Err(error) = elaborate(&module) {
        panic!("{error}");
    }
}

#[test]
fn blocks_elaborate_at_many_sizes() {
    for n in 2..=9 {
        correct(arbiter(ArbiterKind::RoundRobin, n));
        correct(arbiter(ArbiterKind::Matrix, n));
        correct(priority_encoder(n));
        correct(one_hot_multiplexer(n, 70));
    }
    for depth in [1, 2, 3, 4, 7, 8, 100] {
        for registered in [false, true] {
            correct(fifo(FifoParams { depth, width: 130, registered }));
        }
        correct(credit_counter(depth));
    }
    correct(pipeline_register(1));
    correct(skid_register(512));
    correct(cam(1, 1));
    correct(cam(33, 100));
    correct(lru(2));
    correct(lru(16));
    correct(lfsr(64, 64));
}

#[test]
fn wrong_parameters_are_named() {
    let message = |module: Module| elaborate(&module).expect_err("wrong on purpose").to_string();
    assert!(message(arbiter(ArbiterKind::Matrix, 1)).contains("n = 1 requests, at least 2 are needed"));
    assert!(message(credit_counter(0)).contains("places = 0, at least 1 is needed"));
    assert!(
        message(fifo(FifoParams { depth: 0, width: 1, registered: false }))
            .contains("depth = 0 words, at least 1 is needed")
    );
    assert!(message(cam(0, 4)).contains("entries = 0, at least 1 is needed"));
    assert!(message(lru(1)).contains("n = 1 ways, at least 2 are needed"));
    assert!(message(lfsr(65, 1)).contains("width = 65 bits, allowed are 2 to 64"));
    assert!(message(one_hot_multiplexer(0, 8)).contains("n = 0 items of 8 bits"));
    assert!(message(skid_register(0)).contains("width = 0 bits, at least 1 is needed"));
}
