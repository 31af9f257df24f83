//! Whole chips: composition, and kernels run to their end.

use std::path::Path;
use warpmesh::{
    chip::*,
    netlist::elaborate,
    program::{Launch, Target, kernels},
    report::{RunReport, Verdict},
    sim::Options,
};

fn chip(config: &str, overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn chips_elaborate() {
    for (config, overrides) in [("small.toml", &[][..]), ("default.toml", &[]), ("default.toml", &["core.lanes=16"])] {
        let chip = chip(config, overrides);
        let top = build(&chip).expect("a network");
        let design = elaborate(&top).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(design.top.instances.iter().filter(|i| i.tile).count(), design.top.instances.len());
        assert_eq!(design.top.instances.len(), 1 + 3 * chip.nodes());
    }
}

fn launch(chip: &Chip, kernel: &str, size: u32) -> Launch {
    let target = Target { registers: chip.config().core.registers as usize };
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    builtin.launch(Some(size), 1, &target).unwrap_or_else(|error| panic!("{error}"))
}

fn verified(chip: &Chip, kernel: &str, size: u32, options: &Options) -> RunReport {
    let launch = launch(chip, kernel, size);
    let limits = Limits { max_cycles: 300_000, watchdog: 5_000 };
    let report =
        run(chip, &launch, options, limits, 1, |_, _| Ok(())).unwrap_or_else(|error| panic!("{kernel}: {error}"));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{report}");
    report
}

#[test]
fn vector_add_on_the_small_chip() {
    verified(&chip("small.toml", &[]), "vector_add", 300, &Options::default());
}

#[test]
fn all_kernels_verify_on_the_small_chip() {
    let chip = chip("small.toml", &[]);
    let sizes = [
        ("vector_add", 1000),
        ("saxpy", 1000),
        ("matmul", 32),
        ("reduction", 2000),
        ("transpose", 40),
        ("collatz", 200),
        ("gather", 500),
        ("bfs", 200),
    ];
    for (kernel, size) in sizes {
        verified(&chip, kernel, size, &Options::default());
    }
}
