//! Random kernels on the emulators and on a chip. Any number of them: `cargo bench --bench random_kernels`.

use crate::{cuda::check::Checker, cuda::generate, matrix::options, small};

#[test]
fn random_kernels_do_what_the_host_does() {
    let mut checker = Checker::new(&small(), &options());
    for seed in 0..200 {
        checker.check(&generate::kernel(seed)).unwrap_or_else(|error| panic!("{error}"));
    }
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
