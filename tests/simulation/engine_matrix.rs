//! Every kernel of the project on every engine with the selections of passes: the same report, the same memory, the
//! same statistics, the same state in every register.

use crate::campaign::part_or_all;
use crate::matrix::matrix;
use std::{path::Path, sync::OnceLock};
use warpmesh::{
    chip::*,
    host::{Host, Limits, run_on},
    netlist::{Design, elaborate},
    program::{Launch, kernels},
    report::{RunReport, Verdict},
    sim::{Engine, Options, Simulator, Snapshot},
    statistics::HardwareStatistics,
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
    ("convolution", 12),
    ("blur", 12),
    ("bfs", 12),
];

#[derive(PartialEq)]
struct EngineMatrixOutcome {
    report: RunReport,
    memory: Vec<Vec<u8>>,
    statistics: HardwareStatistics,
    state: Snapshot,
}

/// The small chip, and the kernels for it.
struct EngineMatrixBench {
    chip: Chip,
    design: Design,
    launches: Vec<Launch>,
}

impl EngineMatrixBench {
    fn new() -> Self {
        let chip = load(Some(Path::new("small.toml")), &[]).unwrap_or_else(|e| panic!("{e}"));
        let design = elaborate(&build(&chip).expect("a network")).unwrap_or_else(|e| panic!("{e}"));
        let launch = |&(kernel, size): &(&str, u32)| {
            let builtin = kernels::find(kernel).expect("a kernel of the project");
            builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|e| panic!("{e}"))
        };
        let launches = SIZES.iter().map(launch).collect();
        Self { chip, design, launches }
    }

    /// Runs these kernels to their ends, each from power-on, in one simulation.
    fn outcomes<'a>(
        &'a self,
        options: &Options,
        launches: impl Iterator<Item = &'a Launch>,
    ) -> Vec<EngineMatrixOutcome> {
        let about = format!("{} with passes {}", options.engine, options.passes);
        let mut simulator = Simulator::new(&self.design, options).unwrap_or_else(|e| panic!("{about}: {e}"));
        let power_on = simulator.save();
        let mut outcomes = vec![];
        for launch in launches {
            simulator.restore(&power_on).unwrap_or_else(|e| panic!("{about}: {e}"));
            let mut host = Host::with_simulator(&self.chip, simulator).unwrap_or_else(|e| panic!("{about}: {e}"));
            let report = run_on(&mut host, launch, Limits::default(), 1, |_, _| Ok(()));
            let report = report.unwrap_or_else(|e| panic!("{} on {about}: {e}", launch.name));
            assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{about}: {report}");
            let buffers = launch.buffers.iter().zip(launch.buffer_addresses());
            let memory = buffers.map(|(buffer, address)| host.read_memory(address, buffer.data.len())).collect();
            let (statistics, state) = (host.statistics(), host.simulator().save());
            // What engines differ in.
            let report = RunReport { engine: String::new(), ..report.without_timing() };
            outcomes.push(EngineMatrixOutcome { report, memory, statistics, state });
            simulator = host.into_simulator();
        }
        outcomes
    }
}

/// The chip, and what the interpreter makes of it.
fn reference() -> &'static (EngineMatrixBench, Vec<EngineMatrixOutcome>) {
    static REFERENCE: OnceLock<(EngineMatrixBench, Vec<EngineMatrixOutcome>)> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        let bench = EngineMatrixBench::new();
        let interpreter = matrix().into_iter().find(|options| options.engine == Engine::Interpreter);
        let expected = bench.outcomes(&interpreter.expect("the interpreter is an engine"), bench.launches.iter());
        (bench, expected)
    })
}

/// All rows of the matrix with this engine: all kernels with all passes and with none, every second one with the other selections, in
/// turns; a part of that in every run.
fn check(engine: Engine) {
    let (bench, expected) = reference();
    for (row, options) in matrix().into_iter().filter(|options| options.engine == engine).enumerate() {
        // Two rows of a turn are not the same kernels.
        let every = if row < 2 { part_or_all(8, 1) } else { part_or_all(10, 2) };
        let first = (row + engine as usize) % every;
        let launches = || bench.launches.iter().skip(first).step_by(every);
        let expected = expected.iter().skip(first).step_by(every);
        for ((launch, found), expected) in launches().zip(bench.outcomes(&options, launches())).zip(expected) {
            let about = format!("{} on {engine} with passes {}", launch.name, options.passes);
            assert_eq!(found.report, expected.report, "{about}");
            assert!(found.memory == expected.memory, "{about}: memory");
            assert_eq!(found.statistics, expected.statistics, "{about}");
            assert!(found.state == expected.state, "{about}: registers or memories");
        }
    }
}

macro_rules! engines {
    ($($test:ident: $engine:ident,)*) => {
        $(#[test]
        fn $test() {
            check(Engine::$engine);
        })*

        #[test]
        fn every_engine_and_kernel_is_here() {
            let here = [Engine::Interpreter, $(Engine::$engine),*];
            assert!(Engine::ALL.iter().all(|engine| here.contains(engine)));
            let kernels: Vec<_> = kernels::ALL.iter().map(|kernel| kernel.name).collect();
            assert_eq!(SIZES.iter().map(|(kernel, _)| *kernel).collect::<Vec<_>>(), kernels);
        }
    };
}

engines! {
    kernels_on_the_word_engine: Word,
    kernels_on_the_sliced_engine: Sliced,
    kernels_on_the_vector_engine: Vector,
    kernels_on_the_engine_of_choice: Auto,
}
