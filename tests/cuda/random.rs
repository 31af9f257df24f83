//! Random kernels on the emulators and on a chip. Any number of them: `cargo campaign random-kernels`.

use crate::{
    campaign::part_or_all,
    cuda::check::{Checker, launch, on_the_emulators},
    cuda::generate,
    matrix::options,
    small,
};
use warpmesh::program::Target;

#[test]
fn random_kernels_do_what_the_host_does() {
    let mut checker = Checker::new(&small(), &options());
    for seed in 0..part_or_all(12, 40) {
        checker.check(&generate::kernel(seed)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The same with so few registers that some are in memory.
#[test]
fn random_kernels_with_registers_in_memory_do_what_the_host_does() {
    let mut checker = Checker::new(&small(), &options());
    let mut spilled = 0;
    for seed in 0..16 {
        let target = Target { registers: 8 + seed as usize % 5, ..Target::default() };
        let launch = launch(&generate::kernel(seed), &target).unwrap_or_else(|error| panic!("{error}"));
        spilled += usize::from(launch.kernel.spill.is_some());
        on_the_emulators(&launch).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        checker.on_the_chip(&launch).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    assert!(spilled > 8, "{spilled} kernels had registers in memory");
}

/// A check that cannot fail proves nothing: one wrong bit at the end is found.
#[test]
fn a_wrong_result_is_found() {
    let mut checker = Checker::new(&small(), &options());
    let mut launch = checker.launch(&generate::kernel(3)).unwrap_or_else(|error| panic!("{error}"));
    let last = launch.checks[0].expected.last_mut().expect("there is output");
    *last ^= 1;
    let error = checker.on_the_chip(&launch).expect_err("a bit is wrong");
    assert!(error.contains("(1 of "), "{error}");
}
