//! `warpmesh export`: a chip, a block or an instance of a chip as Verilog.

use super::{
    Failure, block,
    chip_args::{ChipArgs, design},
    instance,
    print::print,
    renamed::renamed_knob,
    run,
    verilog_export::{export_options, failure, macros_file},
};
use clap::Args;
use measure::host::{
    Limits,
    testbench::{TestBench, TestBenchError, test_bench},
};
use netlist::Design;
use program::kernels::Setting;
use rtl::chip::Chip;
use std::path::PathBuf;
use verilog::{
    CONSTRAINTS, ExportOptions, Exported, SRAM_BITS, async_reset_top, constraints, domain_lists, export_all,
    write_export_beside,
};

/// Writes a chip, a block or an instance as Verilog, one module a file, and the list `files.f`.
#[derive(Args, Debug)]
pub struct Export {
    #[command(flatten)]
    chip: ChipArgs,
    /// A single block instead of a chip (see `warpmesh list blocks`), with `-P NAME=VALUE` for its parameters. With --testbench:
    /// also its test bench, whose parameters count where none are given.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["config", "kernel", "size", "kernel_params", "launch", "seed"])]
    block: Option<String>,
    /// A block as it is in the chip instead, with what is below it, by the path that waveforms have: `core0.front_end`.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["block", "testbench", "kernel", "size", "kernel_params", "launch", "seed"])]
    instance: Option<String>,
    /// Folder to write to; an earlier export in it is replaced.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Memories of at least so many bits that have one write port become modules, with the registers that read them; `macros.csv` lists
    /// them, so that macros can be bound to them; 0: none does.
    #[arg(long, value_name = "BITS", default_value_t = SRAM_BITS)]
    sram_bits: u64,
    /// Also write a top module around the chip with one asynchronous reset, which a synchroniser of two flip-flops releases in each clock domain;
    /// the constraints are for that top.
    #[arg(long, conflicts_with_all = ["block", "instance"])]
    async_reset: bool,
    /// Write even into a folder that holds other files.
    #[arg(long)]
    force: bool,
    /// Also write a Verilog test bench that runs a kernel on the chip and checks memory and cycles at its end.
    #[arg(long)]
    testbench: bool,
    /// Kernel of the test bench, one that comes with the program [default: vector_add].
    #[arg(long, value_name = "NAME", requires = "testbench", conflicts_with = "launch")]
    kernel: Option<String>,
    /// Problem size of that kernel: elements, matrix rows or graph nodes.
    #[arg(long, value_name = "N", requires = "testbench", conflicts_with = "launch")]
    size: Option<u32>,
    /// Sets a parameter of that kernel (see `warpmesh list kernel-params`). May be given several times.
    #[arg(long = "kernel-param", value_name = "PARAM=N", requires = "testbench", conflicts_with = "launch")]
    kernel_params: Vec<Setting>,
    #[arg(long = "knob", hide = true, value_parser = renamed_knob)]
    _knob: Option<Setting>,
    /// Kernel of the test bench, your own: a launch file.
    #[arg(long, value_name = "FILE.toml", requires = "testbench")]
    launch: Option<PathBuf>,
    /// Seed of random input data [default: 1].
    #[arg(long, value_name = "S", requires = "testbench")]
    seed: Option<u64>,
}

/// Short on every chip: Icarus takes its time.
const DEFAULT_KERNEL: &str = "vector_add";

impl Export {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if let Some(name) = &self.block {
            let block = block::Chosen::new(name, &self.chip)?;
            return block.export(&self.out, self.force, self.testbench, self.sram_bits());
        }
        if let Some(path) = &self.instance {
            return self.instance(path);
        }
        let chip = self.chip.chip()?;
        let design = design(&chip)?;
        if let Some([key, value, other]) = chip.behavioural() {
            return Err(Failure::input_message(
                format!("{key} = {value} is behavioural and cannot be exported"),
                format!("`-P {key}={other}` exports the chip with its {other}"),
            ));
        }
        let config = self.chip.describe();
        let options =
            ExportOptions { config: config.clone(), ..export_options(&format!("export {config}"), self.sram_bits()) };
        let Exported { files, macros, clocks, domains, .. } = export_all(&design, &options);
        let bench = if self.testbench { Some(self.test_bench(&chip, &design)?) } else { None };
        let mut beside = bench.as_ref().map_or(vec![], |bench| bench.files.clone());
        beside.extend(macros_file(&macros));
        let parts = chip.config().clocks.parts();
        let around = self.async_reset.then(|| async_reset_top(&design.top, &clocks));
        let top = around.as_ref().map_or(&design.top.name, |[_, around]| &around.name);
        let mut limits = constraints(top, &clocks, &parts);
        if let Some(around) = &around {
            limits += "\n# It is asynchronous to every clock: the synchronisers release it.\n\
                       set_false_path -from [get_ports async_reset]\n";
            beside.extend(around.iter().map(|file| (format!("{}.v", file.name), file.text.clone())));
        }
        beside.push((CONSTRAINTS.into(), limits));
        beside.extend(domain_lists(&domains, &clocks, &parts));
        write_export_beside(&files, &beside, &self.out, self.force).map_err(failure)?;
        let lines: usize = files.iter().map(|f| f.text.lines().count()).sum();
        let folder = self.out.display();
        print(&format!("{folder}: {} modules, {lines} lines; top module {top}", files.len()))?;
        match bench {
            Some(TestBench { cycles, .. }) => {
                print(&format!("{folder}: testbench.v, {cycles} cycles; how to run it stands in {folder}/files.f"))
            }
            None => Ok(()),
        }
    }

    fn instance(&self, path: &str) -> Result<(), Failure> {
        let instance::Chosen { part, clocks } = instance::Chosen::new(path, &self.chip)?;
        let options = export_options(&part.command, self.sram_bits());
        let exported = export_all(&part.design, &ExportOptions { config: self.chip.describe(), ..options });
        let parts: Vec<_> = clocks.iter().map(|clock| (clock.clock, clock.name.as_str(), clock.megahertz)).collect();
        let constraints = constraints(&part.design.top.name, &exported.clocks, &parts);
        let mut beside = vec![(CONSTRAINTS.into(), constraints)];
        beside.extend(domain_lists(&exported.domains, &exported.clocks, &parts));
        part.write(&exported, beside, &self.out, self.force)
    }

    fn sram_bits(&self) -> Option<u64> {
        Some(self.sram_bits).filter(|&bits| bits > 0)
    }

    fn test_bench(&self, chip: &Chip, design: &Design) -> Result<TestBench, Failure> {
        let kernel = self.kernel.as_deref().unwrap_or(DEFAULT_KERNEL);
        let launch = run::read_launch(
            chip,
            self.launch.as_deref(),
            kernel,
            (self.size, &self.kernel_params),
            self.seed.unwrap_or(1),
        )?;
        test_bench(chip, design, &launch, Limits::default()).map_err(|error| match error {
            TestBenchError::Host(error) => run::failure(error),
            error @ TestBenchError::Endless { .. } => Failure::new(3, error),
            error @ TestBenchError::Wrong { .. } => Failure::new(1, error),
        })
    }
}
