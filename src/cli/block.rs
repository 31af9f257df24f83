//! `--block`: a single block of the registry instead of a chip.

use super::{Failure, chip_args::ChipArgs, part::Part, print::print, verilog_export::export_options};
use hdl::Module;
use measure::block_bench::{BlockBenchError, Testbench, shipped};
use netlist::elaborate;
use rtl::registry::{BlockError, BlockKind};
use sim::{Options, SimError};
use std::path::Path;
use verilog::{ExportOptions, export_all, lockstep::test_bench};

/// A block, and what was said of its parameters.
pub struct Chosen {
    block: &'static BlockKind,
    given: Vec<(String, String)>,
}

impl Chosen {
    /// The block `name`, with the overrides of `chip` as its parameters.
    pub fn new(name: &str, chip: &ChipArgs) -> Result<Self, Failure> {
        let block = BlockKind::find(name).map_err(wrong)?;
        let pair = |text: &String| match text.split_once('=') {
            Some((key, value)) => Ok((key.trim().to_string(), value.trim().to_string())),
            None => Err(Failure::input_message(
                format!("-P {text}: there is no `=`"),
                "a parameter of a block is written `-P NAME=VALUE`",
            )),
        };
        Ok(Self { block, given: chip.overrides().iter().map(pair).collect::<Result<_, _>>()? })
    }

    fn given(&self) -> Vec<(&str, &str)> {
        self.given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    /// The parameters that were given, and the defaults of the others.
    fn values(&self) -> Result<Vec<u32>, Failure> {
        self.block.values(self.given()).map_err(wrong)
    }

    fn part(&self, values: &[u32]) -> Result<Part, Failure> {
        let module: Module = self.block.build(values).map_err(wrong)?;
        let design = elaborate(&module).map_err(|mistakes| Failure::new(1, mistakes))?;
        let given: String = self.given.iter().map(|(key, value)| format!(" -P {key}={value}")).collect();
        let name = format!("{} {}", self.block.name, self.block.shown(values)).trim_end().to_string();
        Ok(Part { name, command: format!("export --block {}{given}", self.block.name), design })
    }

    /// Its netlist.
    pub fn elaborated(&self) -> Result<Part, Failure> {
        self.part(&self.values()?)
    }

    /// Writes its Verilog; `with_bench`: with the test bench of its folder, whose parameters count where none are given.
    /// Memories of at least `sram_bits` become modules.
    pub fn export(&self, out: &Path, force: bool, with_bench: bool, sram_bits: Option<u64>) -> Result<(), Failure> {
        let bench = if with_bench { Some(self.testbench()?) } else { None };
        let values = match &bench {
            Some(bench) => bench.values(self.block, &self.given()).map_err(unsuitable)?,
            None => self.values()?,
        };
        let part = self.part(&values)?;
        let export = export_options(&part.command, sram_bits);
        let beside = match &bench {
            Some(bench) => {
                let options = Options { intrinsics: false, ..Options::default() };
                let rows = bench.run(bench.seed, &part.design, &options).map_err(unsuitable)?;
                test_bench(&part.design, &ExportOptions { sram_bits, ..ExportOptions::default() }, &rows)
            }
            None => vec![],
        };
        part.write(&export_all(&part.design, &export), beside, out, force)?;
        match bench {
            Some(bench) => print(&format!(
                "{folder}: testbench.v, {} cycles; how to run it stands in {folder}/files.f",
                bench.cycles,
                folder = out.display()
            )),
            None => Ok(()),
        }
    }

    /// The testbench of the folder with its name, or else the first one for it.
    fn testbench(&self) -> Result<Testbench, Failure> {
        let mut found = vec![];
        for (folder, text) in shipped() {
            let bench = Testbench::parse(folder, text).map_err(|error| Failure::new(4, error))?;
            if bench.block(folder).is_ok_and(|block| block.name == self.block.name) {
                found.push((folder != self.block.name, bench));
            }
        }
        let best = found.into_iter().min_by_key(|(other, _)| *other);
        best.map(|(_, bench)| bench).ok_or_else(|| {
            Failure::input_message(
                format!("block `{}` has no testbench", self.block.name),
                "without --testbench, only the Verilog of the block is written",
            )
        })
    }

    /// Its netlist, and the first keys of what is printed of it as JSON.
    pub fn described(&self) -> Result<(Part, serde_json::Value), Failure> {
        let values = self.values()?;
        let about = serde_json::json!({ "block": self.block.name, "parameters": self.block.shown(&values) });
        Ok((self.part(&values)?, about))
    }
}

/// Name, meaning and parameters of every block.
pub fn list() -> Vec<(String, String)> {
    let row = |block: &BlockKind| {
        let parameters: String = block.parameters.iter().map(|parameter| format!("\n    {parameter}")).collect();
        (block.name.to_string(), format!("{}{parameters}", block.about))
    };
    rtl::registry::blocks().into_iter().map(row).collect()
}

fn wrong(BlockError { message, help }: BlockError) -> Failure {
    Failure::input_message(message, help)
}

/// Of a testbench that was shipped with the block.
fn unsuitable(error: BlockBenchError) -> Failure {
    match error {
        BlockBenchError::Block(error) => wrong(error),
        BlockBenchError::Simulation(error) if matches!(*error, SimError::Assertion { .. }) => Failure::input_message(
            format!("the testbench of this block does not run with these parameters: {error}"),
            "leave out -P to take the parameters of the testbench, or leave out --testbench",
        ),
        error => Failure::new(4, error),
    }
}
