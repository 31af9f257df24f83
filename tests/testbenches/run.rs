//! Runs a testbench and compares what it did with the trace beside it.

use crate::{
    copies::Copies,
    matrix::matrix,
    random::Random,
    stimulus::Drive,
    testbench::{Parameters, Testbench, root},
};
use warpmesh::{
    hdl::{Domain, Module, NetId},
    netlist::{Design, elaborate},
    sim::{Engine, Options, Simulator},
    verilog::{
        lint,
        lockstep::{Recorder, Recording, replay_on_icarus},
    },
};

/// Cycles of reset before the stimulus, of every clock.
const RESET: u64 = 2;

/// Copies that run beside each other, each with a seed of its own.
const COPIES: usize = 3;

/// Runs the testbench in `folder` on the block that `build` makes of its parameters: the trace must be the recorded one, on
/// every engine with the selections of passes, with and without native twins, alone and as one of several equal tiles, and in
/// Icarus on the exported Verilog, which must be clean.
pub fn check(folder: &str, build: fn(&Parameters) -> Module) {
    let bench = Testbench::read(folder);
    let module = build(&bench.parameters);
    bench.parameters.assert_known(&module);
    for name in bench.inputs.keys() {
        assert!(port_names(&module, &module.inputs).contains(name), "{} has no input `{name}`", module.name);
    }
    let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));

    let plain = Options { engine: Engine::Interpreter, twins: false, ..Options::default() };
    let trace = run(&bench, bench.seed, &design, &plain);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("trace", table(&module, &trace)));

    for options in matrix() {
        for twins in [false, true] {
            let other = run(&bench, bench.seed, &design, &Options { twins, ..options });
            let (engine, passes) = (options.engine, options.passes);
            assert_eq!(trace, other, "{} on {engine}, passes {passes}, twins {twins}", module.name);
        }
    }
    let others = (1..COPIES as u64).map(|copy| run(&bench, bench.seed + copy, &design, &plain));
    let traces: Vec<_> = [trace.clone()].into_iter().chain(others).collect();
    let copies = Copies::new(&module, COPIES);
    for options in matrix() {
        copies.check(&traces, &options, &bench.frequencies());
    }
    for engine in [Engine::Sliced, Engine::Vector] {
        let beside = Options { engine, validate: Some(Engine::Interpreter), ..Options::default() };
        copies.check(&traces, &beside, &bench.frequencies());
    }
    replay_on_icarus(&design, &trace).unwrap_or_else(|e| panic!("{e}"));
    let complaints = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let complaints: Vec<_> = complaints.iter().map(ToString::to_string).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn run(bench: &Testbench, seed: u64, design: &Design, options: &Options) -> Recording {
    let module = &design.top;
    let mut block = Simulator::with_clocks(design, options, &bench.frequencies()).unwrap_or_else(|e| panic!("{e}"));
    let mut recorder = Recorder::new(design, &block).unwrap_or_else(|e| panic!("{e}"));
    let mut trace = Recording::new(module);
    let mut sample = |block: &mut Simulator, reset| {
        recorder.sample(block, reset, &mut trace).unwrap_or_else(|e| panic!("{e}"));
    };
    while block.fewest_cycles() < RESET {
        sample(&mut block, true);
        block.reset_step();
    }
    let mut random = Random(seed);
    let uniform = Drive::default();
    let inputs = port_names(module, &module.inputs);
    for cycle in 0..bench.cycles {
        let value = |(&net, name): (&NetId, &String)| {
            let drive = bench.inputs.get(name).unwrap_or(&uniform);
            let value = drive.value(cycle, module.net(net).width, &mut random, &mut block);
            let clock = drive.clock.as_ref().map(|clock| block.clock(clock).unwrap_or_else(|e| panic!("{e}")));
            clock.is_none_or(|clock| block.has_edge(clock)).then_some(value)
        };
        let values: Vec<_> = module.inputs.iter().zip(&inputs).map(value).collect();
        for (name, value) in inputs.iter().zip(&values) {
            value.iter().for_each(|value| block.poke_bits(name, value));
        }
        sample(&mut block, false);
        block.step().unwrap_or_else(|e| panic!("{e}"));
    }
    trace
}

fn port_names(module: &Module, nets: &[NetId]) -> Vec<String> {
    nets.iter().map(|&net| module.net(net).name.clone()).collect()
}

/// The trace as text: a line a cycle, hexadecimal, inputs left of the bar; without the cycles of reset. With several clocks a line is
/// an instant, and ends with the clocks that have an edge.
fn table(module: &Module, trace: &Recording) -> String {
    let used = |(i, domain): (usize, &Domain)| domain.used.then(|| (i, domain.name.clone()));
    let clocks: Vec<_> = module.domains.iter().enumerate().filter_map(used).collect();
    let several = clocks.len() > 1;
    let columns = [&trace.inputs, &trace.outputs];
    let line = |first: &str, edges: &str, cell: &dyn Fn(usize, usize) -> String| {
        let half = |side: usize| {
            let ports = columns[side].list.iter().enumerate();
            let aligned = ports.map(|(i, port)| {
                let width = port.name.len().max(port.width.div_ceil(4) as usize);
                format!("  {:>width$}", cell(side, i))
            });
            aligned.collect::<String>()
        };
        let edges = if several { format!(" |  {edges}") } else { String::new() };
        format!("{first:>5}{} |{}{edges}\n", half(0), half(1))
    };
    let mut text =
        format!("{}\n\n", module.name) + &line("cycle", "edges", &|side, i| columns[side].list[i].name.clone());
    for (cycle, row) in trace.rows.iter().skip_while(|row| row.reset).enumerate() {
        let edges: Vec<_> = clocks.iter().filter(|(i, _)| row.edges.has(*i)).map(|(_, name)| name.as_str()).collect();
        let cell = |side: usize, i| format!("{:x}", [&row.inputs, &row.outputs][side].at(i));
        text += &line(&cycle.to_string(), &edges.join(" "), &cell);
    }
    text
}
