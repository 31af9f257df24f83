//! Every kernel of the project on every engine with every selection of passes: the same report, the same memory, the same
//! statistics, the same state in every register.

#[path = "support/matrix.rs"]
mod matrix;

use matrix::matrix;
use std::path::Path;
use warpmesh::{
    chip::*,
    netlist::{Design, elaborate},
    program::{Launch, kernels},
    report::{RunReport, Verdict},
    sim::{Options, ProbeResult, Snapshot},
};

/// Sizes at which the interpreter takes a second or two, and which are not multiples of anything.
const SIZES: &[(&str, u32)] = &[
    ("vector_add", 150),
    ("saxpy", 150),
    ("matmul", 6),
    ("reduction", 150),
    ("transpose", 10),
    ("collatz", 20),
    ("gather", 70),
    ("bfs", 12),
];

#[derive(PartialEq)]
struct Outcome {
    report: RunReport,
    memory: Vec<Vec<u8>>,
    statistics: Vec<ProbeResult>,
    state: Snapshot,
}

/// Runs a launch to its end; what engines may differ in is taken out of the report.
fn outcome(chip: &Chip, design: &Design, launch: &Launch, options: &Options) -> Outcome {
    let mut host = Host::with_design(chip, design, options).unwrap_or_else(|e| panic!("{e}"));
    let report =
        run_on(&mut host, launch, Limits::default(), 1, |_, _| Ok(())).unwrap_or_else(|e| panic!("{options:?}: {e}"));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{options:?}: {report}");
    let buffers = launch.buffers.iter().zip(launch.buffer_addresses());
    let memory = buffers.map(|(buffer, address)| host.read_memory(address, buffer.data.len())).collect();
    let (statistics, state) = (host.probes(), host.simulator().save());
    Outcome { report: RunReport { engine: String::new(), ..report.without_timing() }, memory, statistics, state }
}

fn check(kernel: &str) {
    let (_, size) = SIZES.iter().find(|(name, _)| *name == kernel).expect("tests are made for the list");
    let chip = load(Some(Path::new("small.toml")), &[]).unwrap_or_else(|e| panic!("{e}"));
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(*size), 1, &chip.target()).unwrap_or_else(|e| panic!("{e}"));
    let design = elaborate(&build(&chip).expect("a network")).unwrap_or_else(|e| panic!("{e}"));
    let mut all = matrix().into_iter();
    let first = all.next().expect("there are engines");
    let expected = outcome(&chip, &design, &launch, &first);
    for options in all {
        let found = outcome(&chip, &design, &launch, &options);
        let about = format!("{kernel} on {} with passes {}, against {}", options.engine, options.passes, first.engine);
        assert_eq!(found.report, expected.report, "{about}");
        assert!(found.memory == expected.memory, "{about}: memory");
        assert_eq!(found.statistics, expected.statistics, "{about}");
        assert!(found.state == expected.state, "{about}: registers or memories");
    }
}

macro_rules! kernels {
    ($($kernel:ident,)*) => {
        $(#[test]
        fn $kernel() {
            check(stringify!($kernel));
        })*

        #[test]
        fn every_kernel_is_here() {
            let here = [$(stringify!($kernel)),*];
            assert_eq!(kernels::ALL.iter().map(|kernel| kernel.name).collect::<Vec<_>>(), here);
        }
    };
}

kernels! { vector_add, saxpy, matmul, reduction, transpose, collatz, gather, bfs, }
