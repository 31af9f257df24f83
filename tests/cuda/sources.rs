//! Random programs with what is in headers, compiled with `warpmesh cc`. Any number of them:
//! `cargo campaign random-sources`.

use crate::random_sources::{CHIP, check};

#[test]
fn random_programs_do_what_the_host_does() {
    for (first, registers) in [(0, "core.registers=128"), (60, "core.registers=16")] {
        let options = [&CHIP[..], &["-P", registers, "--functional"]].concat();
        check(first, 4, &options).unwrap_or_else(|error| panic!("{registers}: {error}"));
    }
}

/// A recursive function, and a tile that reduces behind it: threads whose calls were nested less deep wait for the
/// others.
#[test]
fn a_random_program_does_on_the_chip_what_the_host_does() {
    check(2, 1, &CHIP).unwrap_or_else(|error| panic!("{error}"));
}
