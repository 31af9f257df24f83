//! `--block`: a single block of the registry instead of a chip.

use super::{Failure, chip_args::ChipArgs, print::print};
use hdl::Module;
use measure::{
    area::structure::{self, BlockGroup as Part, Counting},
    block_bench::{BlockBenchError, Testbench, shipped},
    report::{BlockRow, block_csv, block_table},
};
use netlist::{Design, elaborate};
use rtl::registry::{BlockError, BlockKind};
use sim::{Options, SimError};
use std::path::Path;
use verilog::{ExportOptions, Exported, export_all, lockstep::test_bench, write_export_beside};

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

    fn design(&self, values: &[u32]) -> Result<Design, Failure> {
        let module: Module = self.block.build(values).map_err(wrong)?;
        elaborate(&module).map_err(|mistakes| Failure::new(1, mistakes))
    }

    /// What it is called with its parameters, and its netlist.
    pub fn elaborated(&self) -> Result<(String, Design), Failure> {
        let values = self.values()?;
        let shown = format!("{} {}", self.block.name, self.block.shown(&values));
        Ok((shown.trim_end().to_string(), self.design(&values)?))
    }

    /// Writes its Verilog; `with_bench`: with the test bench of its folder, whose parameters count where none are given.
    /// Memories of at least `sram_bits` become modules.
    pub fn export(&self, out: &Path, force: bool, with_bench: bool, sram_bits: Option<u64>) -> Result<(), Failure> {
        let bench = if with_bench { Some(self.testbench()?) } else { None };
        let values = match &bench {
            Some(bench) => bench.values(self.block, &self.given()).map_err(unsuitable)?,
            None => self.values()?,
        };
        let (name, shown) = (self.block.name, self.block.shown(&values));
        let design = self.design(&values)?;
        let given: String = self.given.iter().map(|(key, value)| format!(" -P {key}={value}")).collect();
        let command = format!("warpmesh export --block {name}{given}{}", super::export::sram_argument(sram_bits));
        let export = ExportOptions { command, sram_bits, ..ExportOptions::default() };
        let Exported { files, macros, .. } = export_all(&design, &export);
        let mut beside = match &bench {
            Some(bench) => {
                let options = Options { intrinsics: false, ..Options::default() };
                let rows = bench.run(bench.seed, &design, &options).map_err(unsuitable)?;
                test_bench(&design, &ExportOptions { sram_bits, ..ExportOptions::default() }, &rows)
            }
            None => vec![],
        };
        beside.extend(super::export::macros_file(&macros));
        write_export_beside(&files, &beside, out, force).map_err(super::export::failure)?;
        let lines: usize = files.iter().map(|file| file.text.lines().count()).sum();
        let (folder, space) = (out.display(), if shown.is_empty() { "" } else { " " });
        print(&format!(
            "{folder}: block {name}{space}{shown}: {} modules, {lines} lines; top module {}",
            files.len(),
            design.top.name
        ))?;
        match bench {
            Some(bench) => print(&format!(
                "{folder}: testbench.v, {} cycles; how to run it stands in {folder}/files.f",
                bench.cycles
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

    /// Prints what it consists of, down to `depth` levels below it.
    pub fn area(&self, depth: usize, nm: u32, json: bool, csv: bool) -> Result<(), Failure> {
        let values = self.values()?;
        let design = self.design(&values)?;
        let counting = Counting::default();
        let kind = design.top.kind.clone();
        let whole = Part { path: vec![kind.clone()], count: 1, structure: structure::total(&design, &counting) };
        let inside = structure::by_block(&design, &counting, depth).into_iter();
        let inside = inside.map(|part| Part { path: [vec![kind.clone()], part.path].concat(), ..part });
        let rows: Vec<_> = [whole].into_iter().chain(inside).map(|part| BlockRow::new(&part, nm)).collect();
        print(&match (json, csv) {
            (true, _) => format!(
                "{:#}",
                serde_json::json!({
                    "format_version": 1, "block": self.block.name, "parameters": self.block.shown(&values),
                    "technology_nm": nm, "blocks": rows,
                })
            ),
            (_, true) => block_csv(&rows).trim_end().to_string(),
            _ => format!("{} {}\n\n{}", self.block.name, self.block.shown(&values), block_table(&rows, nm).trim_end()),
        })
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
