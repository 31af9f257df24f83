//! The building blocks against small executable models.

use warpmesh::{blocks::*, hdl::Module, netlist::elaborate};

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
    assert!(message(skid_register(0)).contains("width = 0 bits, at least 1 is needed"));
}
