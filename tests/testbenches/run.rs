//! Runs a testbench and compares what it did with the trace beside it.

use crate::{
    random::Random,
    stimulus::Drive,
    testbench::{Parameters, Testbench, root},
};
use warpmesh::{
    hdl::{Bits, Module, NetId},
    netlist::{Design, elaborate},
    sim::{Engine, Options, Simulator},
    verilog::lint,
};

/// What the ports of a block carried: a row of inputs and a row of outputs for each cycle, in port order.
pub struct Trace {
    pub inputs: Vec<Vec<Bits>>,
    pub outputs: Vec<Vec<Bits>>,
}

/// Runs the testbench in `folder` on the block that `build` makes of its parameters: the trace must be the recorded one, on
/// both engines, with and without native twins, and the exported Verilog clean.
pub fn check(folder: &str, build: fn(&Parameters) -> Module) {
    let bench = Testbench::read(folder);
    let module = build(&bench.parameters);
    bench.parameters.assert_known(&module);
    for name in bench.inputs.keys() {
        assert!(port_names(&module, &module.inputs).contains(name), "{} has no input `{name}`", module.name);
    }
    let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));

    let trace = run(&bench, &design, &Options { twins: false, ..Options::default() });
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("trace", table(&module, &trace)));

    for engine in [Engine::Interpreter, Engine::Native] {
        for twins in [false, true] {
            let other = run(&bench, &design, &Options { engine, twins, ..Options::default() });
            assert_eq!(trace.outputs, other.outputs, "{} on {engine:?}, twins {twins}", module.name);
        }
    }
    let complaints = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let complaints: Vec<_> = complaints.iter().map(ToString::to_string).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn run(bench: &Testbench, design: &Design, options: &Options) -> Trace {
    let module = &design.top;
    let mut block = Simulator::new(design, options).unwrap_or_else(|e| panic!("{e}"));
    let mut random = Random(bench.seed);
    let mut trace = Trace { inputs: vec![], outputs: vec![] };
    let (inputs, outputs) = (port_names(module, &module.inputs), port_names(module, &module.outputs));
    let uniform = Drive::default();
    block.reset(2);
    for cycle in 0..bench.cycles {
        let values: Vec<_> = module
            .inputs
            .iter()
            .zip(&inputs)
            .map(|(&net, name)| {
                let drive = bench.inputs.get(name).unwrap_or(&uniform);
                drive.value(cycle, module.net(net).width, &mut random, &mut block)
            })
            .collect();
        inputs.iter().zip(&values).for_each(|(name, value)| block.poke_bits(name, value));
        trace.inputs.push(values);
        trace.outputs.push(outputs.iter().map(|name| block.peek_bits(name)).collect());
        block.step().unwrap_or_else(|e| panic!("{e}"));
    }
    trace
}

fn port_names(module: &Module, nets: &[NetId]) -> Vec<String> {
    nets.iter().map(|&net| module.net(net).name.clone()).collect()
}

/// The trace as text: a line a cycle, hexadecimal, inputs left of the bar.
fn table(module: &Module, trace: &Trace) -> String {
    let column = |&net: &NetId| {
        let net = module.net(net);
        (net.name.clone(), net.name.len().max(net.width.div_ceil(4) as usize))
    };
    let columns = [&module.inputs, &module.outputs].map(|ports| ports.iter().map(column).collect::<Vec<_>>());
    let line = |first: &str, cells: [Vec<String>; 2]| {
        let aligned = |(cell, (_, width)): (&String, &(String, usize))| format!("  {cell:>width$}");
        let half = |i: usize| cells[i].iter().zip(&columns[i]).map(aligned).collect::<String>();
        format!("{first:>5}{} |{}\n", half(0), half(1))
    };
    let names = |i: usize| columns[i].iter().map(|(name, _)| name.clone()).collect();
    let hexadecimal = |values: &[Bits]| values.iter().map(|value| format!("{value:x}")).collect();
    let mut text = format!("{}\n\n", module.name) + &line("cycle", [names(0), names(1)]);
    for (cycle, (inputs, outputs)) in trace.inputs.iter().zip(&trace.outputs).enumerate() {
        text += &line(&cycle.to_string(), [hexadecimal(inputs), hexadecimal(outputs)]);
    }
    text
}
