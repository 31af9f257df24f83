//! The file `testbench.toml`, and a run of it.

use super::Drive;
use hdl::{Module, NetId, random::Rng};
use netlist::Design;
use rtl::registry::{BlockError, BlockKind};
use serde::Deserialize;
use sim::{Clocks, Options, SimError, Simulator};
use std::{collections::BTreeMap, fmt};
use verilog::lockstep::{LockstepError, Recorder, Recording};

/// Cycles of reset before the stimulus, of every clock.
const RESET: u64 = 2;

/// A testbench as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Testbench {
    /// The block, when it is not called after the folder.
    block: Option<String>,
    /// Cycles after reset; with several clocks, instants at which some have an edge.
    pub cycles: u64,
    /// Of the random numbers.
    #[serde(default)]
    pub seed: u64,
    /// Of the block; the others are as by default.
    #[serde(default)]
    pub parameters: BTreeMap<String, ParameterSetting>,
    /// Frequencies, as numerator and denominator.
    #[serde(default)]
    pub clocks: BTreeMap<String, (u64, u64)>,
    /// How inputs are driven; a random word where nothing is said.
    #[serde(default)]
    pub inputs: BTreeMap<String, Drive>,
}

/// A value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum ParameterSetting {
    /// A number.
    Number(u32),
    /// The name of a policy.
    Name(String),
}

impl fmt::Display for ParameterSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// Why a block does not run on its testbench.
#[derive(Debug, thiserror::Error)]
pub enum BlockBenchError {
    /// The file is wrong.
    #[error("{folder}/testbench.toml: {cause}")]
    File {
        /// Its folder.
        folder: String,
        /// What is wrong.
        cause: Box<toml::de::Error>,
    },
    /// There is no such block, or it has no such parameters.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// The simulation has stopped, as an assertion of the block does when the stimulus does not suit the parameters.
    #[error(transparent)]
    Simulation(#[from] Box<SimError>),
    /// What happened could not be recorded.
    #[error(transparent)]
    Recording(#[from] Box<LockstepError>),
}

impl Testbench {
    /// Of this text; `folder` is for messages and names the block.
    pub fn parse(folder: &str, text: &str) -> Result<Self, BlockBenchError> {
        toml::from_str(text).map_err(|cause| BlockBenchError::File { folder: folder.into(), cause: cause.into() })
    }

    /// The block; `folder` is where the file is.
    pub fn block(&self, folder: &str) -> Result<&'static BlockKind, BlockBenchError> {
        Ok(BlockKind::find(self.block.as_deref().unwrap_or(folder))?)
    }

    /// The parameters of the block: those that are `given`, then those of the file, then the defaults.
    pub fn values(&self, block: &BlockKind, given: &[(&str, &str)]) -> Result<Vec<u32>, BlockBenchError> {
        let own: Vec<_> = self.parameters.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        Ok(block.values(own.chain(given.iter().copied()))?)
    }

    /// The frequencies for a simulation.
    pub fn frequencies(&self) -> Clocks {
        self.clocks.iter().fold(Clocks::default(), |clocks, (name, &(n, d))| clocks.ratio(name, n, d))
    }

    /// What the block does, cycle by cycle. Inputs that it does not have are left out.
    pub fn run(&self, seed: u64, design: &Design, options: &Options) -> Result<Recording, BlockBenchError> {
        let module = &design.top;
        let mut block = Simulator::with_clocks(design, options, &self.frequencies()).map_err(Box::new)?;
        let mut recorder = Recorder::new(design, &block).map_err(Box::new)?;
        let mut trace = Recording::new(module);
        while block.fewest_cycles() < RESET {
            recorder.sample(&mut block, true, &mut trace).map_err(Box::new)?;
            block.reset_step();
        }
        let mut random = Rng::new(seed);
        let uniform = Drive::default();
        let inputs = port_names(module, &module.inputs);
        for cycle in 0..self.cycles {
            let mut values = vec![];
            for (&net, name) in module.inputs.iter().zip(&inputs) {
                let drive = self.inputs.get(name).unwrap_or(&uniform);
                let value = drive.value(cycle, module.net(net).width, &mut random, &mut block);
                let clock = drive.clock.as_ref().map(|clock| block.clock(clock)).transpose().map_err(Box::new)?;
                values.push(clock.is_none_or(|clock| block.has_edge(clock)).then_some(value));
            }
            for (name, value) in inputs.iter().zip(&values) {
                value.iter().for_each(|value| block.poke_bits(name, value));
            }
            recorder.sample(&mut block, false, &mut trace).map_err(Box::new)?;
            block.step().map_err(Box::new)?;
        }
        Ok(trace)
    }
}

fn port_names(module: &Module, nets: &[NetId]) -> Vec<String> {
    nets.iter().map(|&net| module.net(net).name.clone()).collect()
}
