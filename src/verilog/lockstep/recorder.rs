//! Running the native simulation for a sink of rows.

use super::{
    error::LockstepError,
    icarus::replay_on_icarus,
    rows::{LockstepRow, Ports, Recording, RowSink, Values},
    stimulus::Stimulus,
    verilator::{ModelOptions, VerilatedModel},
};
use hdl::{Bits, Module, words_for};
use netlist::{Design, elaborate};
use sim::{Clocks, Edges, InputHandle, Options, OutputHandle, SimError, Simulator};

/// What a lockstep run has shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Rows compared, that is, clock cycles where there is one clock, reset included.
    pub cycles: u64,
    /// Output bits compared in each.
    pub output_bits: u64,
    /// Output ports that changed at least once: the others have shown little.
    pub moved: Vec<String>,
    /// Output ports that never changed.
    pub still: Vec<String>,
}

/// Length and manner of a run.
#[derive(Clone, Debug)]
pub struct RunLength {
    /// Cycles after reset; with several clocks: instants at which some of them has an edge.
    pub cycles: u64,
    /// Cycles of reset (of every clock) before them; inputs are driven already.
    pub reset_cycles: u64,
    /// Frequencies of the clock domains.
    pub clocks: Clocks,
    /// Native engine.
    pub sim: Options,
    /// Verilator model.
    pub model: ModelOptions,
}

impl RunLength {
    /// `cycles` after two of reset, otherwise with defaults.
    pub fn cycles(cycles: u64) -> Self {
        Self {
            cycles,
            reset_cycles: 2,
            clocks: Clocks::default(),
            sim: Options::default(),
            model: ModelOptions::default(),
        }
    }
}

/// Gives every cycle of a [`Simulator`] to a sink. For runs that somebody else drives (a chip with devices at its pins):
/// call [`sample`](Self::sample) after poking the inputs and before each step.
pub struct Recorder {
    row: LockstepRow,
    first: Option<Values>,
    moved: Vec<bool>,
    output_handles: Vec<OutputHandle>,
    input_names: Vec<String>,
    cycles: u64,
}

impl Recorder {
    /// For a simulation of `design`.
    pub fn new(design: &Design, simulator: &Simulator) -> Result<Self, SimError> {
        let top = &design.top;
        let (inputs, outputs) = (Ports::of(top, &top.inputs), Ports::of(top, &top.outputs));
        let output_handles = outputs.list.iter().map(|p| simulator.output(&p.name)).collect::<Result<_, _>>()?;
        Ok(Self {
            input_names: inputs.list.iter().map(|p| p.name.clone()).collect(),
            moved: vec![false; outputs.list.len()],
            row: LockstepRow {
                reset: false,
                edges: Edges::ALL,
                inputs: Values::zero(&inputs),
                outputs: Values::zero(&outputs),
            },
            first: None,
            output_handles,
            cycles: 0,
        })
    }

    /// Gives the present cycle to `sink`; false when the sink wants no more.
    pub fn sample(
        &mut self,
        simulator: &mut Simulator,
        reset: bool,
        sink: &mut dyn RowSink,
    ) -> Result<bool, LockstepError> {
        for (i, name) in self.input_names.iter().enumerate() {
            self.row.inputs.set_at(i, &simulator.peek_net(name)?);
        }
        self.sample_outputs(simulator, reset, sink)
    }

    /// As [`sample`](Self::sample), with the inputs in `self` already.
    fn sample_outputs(
        &mut self,
        simulator: &mut Simulator,
        reset: bool,
        sink: &mut dyn RowSink,
    ) -> Result<bool, LockstepError> {
        for (i, &handle) in self.output_handles.iter().enumerate() {
            self.row.outputs.set_at(i, &simulator.peek_bits_at(handle));
        }
        let outputs = &self.row.outputs;
        let first = self.first.get_or_insert_with(|| outputs.clone());
        for (port, moved) in outputs.ports().list.iter().zip(&mut self.moved) {
            let words = port.at..port.at + words_for(port.width);
            *moved |= first.words()[words.clone()] != outputs.words()[words];
        }
        self.cycles += 1;
        (self.row.reset, self.row.edges) = (reset, simulator.edges());
        sink.row(&self.row)
    }

    /// What has been given so far.
    pub fn agreement(&self) -> Agreement {
        let ports = &self.row.outputs.ports().list;
        let named = |flag: bool| {
            let chosen = ports.iter().zip(&self.moved).filter(move |(_, moved)| **moved == flag);
            chosen.map(|(port, _)| port.name.clone()).collect()
        };
        Agreement {
            cycles: self.cycles,
            output_bits: ports.iter().map(|p| u64::from(p.width)).sum(),
            moved: named(true),
            still: named(false),
        }
    }
}

/// Runs the native simulation of `design` under `stimulus`, giving every cycle to `sink` (a [`Recording`], a started model).
pub fn record(
    design: &Design,
    stimulus: &mut dyn Stimulus,
    run: &RunLength,
    sink: &mut dyn RowSink,
) -> Result<Agreement, LockstepError> {
    let mut simulator = Simulator::with_clocks(design, &run.sim, &run.clocks)?;
    let mut recorder = Recorder::new(design, &simulator)?;
    let names = &recorder.input_names;
    let handles: Vec<InputHandle> = names.iter().map(|n| simulator.input(n)).collect::<Result<_, _>>()?;
    let mut left = run.cycles;
    for cycle in 0.. {
        let reset = simulator.fewest_cycles() < run.reset_cycles;
        if !reset && left == 0 {
            break;
        }
        let LockstepRow { inputs, outputs, .. } = &mut recorder.row;
        stimulus.drive(cycle, outputs, inputs);
        for (i, &handle) in handles.iter().enumerate() {
            let value: Bits = recorder.row.inputs.at(i);
            simulator.poke_bits_at(handle, &value);
        }
        if !recorder.sample_outputs(&mut simulator, reset, sink)? {
            break;
        }
        if reset {
            simulator.reset_step();
        } else {
            simulator.step()?;
            left -= 1;
        }
    }
    Ok(recorder.agreement())
}

/// Runs `top` natively and its exported Verilog in Verilator under the same `stimulus`, comparing every output in every cycle.
pub fn lockstep(top: &Module, stimulus: &mut dyn Stimulus, run: &RunLength) -> Result<Agreement, LockstepError> {
    let design = elaborate(top)?;
    let mut feed = VerilatedModel::build(&design, &run.model)?.start()?;
    let outcome = record(&design, stimulus, run, &mut feed);
    // A difference explains everything that came after it.
    feed.finish()?;
    outcome
}

/// As [`lockstep`], in Icarus: slower to run, nothing to compile. For runs of a few thousand cycles.
pub fn lockstep_icarus(top: &Module, stimulus: &mut dyn Stimulus, run: &RunLength) -> Result<Agreement, LockstepError> {
    let design = elaborate(top)?;
    let mut recording = Recording::new(top);
    let agreement = record(&design, stimulus, run, &mut recording)?;
    replay_on_icarus(&design, &recording)?;
    Ok(agreement)
}
