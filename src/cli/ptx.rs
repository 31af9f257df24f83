//! `warpmesh ptx`: which kernels of PTX files the compiler takes, and what they need.

use super::{Failure, print::print};
use clap::Args;
use common::files::{PTX_LIMIT, read_text};
use program::{Kernel, PtxError, Surveyed, Target, survey};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Compiles all kernels of PTX files, and runs none: registers, memory and instructions of each, or what the compiler does not take.
///
/// The exit code is 0 when all kernels compile, else 2.
#[derive(Args, Debug)]
pub struct Ptx {
    /// PTX files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Registers of a thread that the core has.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=255))]
    registers: u16,
    /// The core has a double-precision unit.
    #[arg(long)]
    double: bool,
    /// The core has special function units.
    #[arg(long)]
    special: bool,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// A file and what its kernels have become.
struct PtxFile {
    name: String,
    kernels: Result<Vec<Surveyed>, PtxError>,
}

impl PtxFile {
    fn compiles(&self) -> bool {
        self.kernels.as_ref().is_ok_and(|kernels| kernels.iter().all(|kernel| kernel.outcome.is_ok()))
    }
}

impl Ptx {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let target = Target {
            registers: self.registers.into(),
            double: self.double,
            special: self.special,
            ..Target::default()
        };
        let mut files = vec![];
        for path in &self.files {
            let name = path.display().to_string();
            let text = read_text(path, PTX_LIMIT).map_err(|cause| {
                Failure::input_message(
                    format!("cannot read {name}: {cause}"),
                    "a PTX file is text, as clang or nvcc print it",
                )
            })?;
            let kernels = survey(&text, &name, &target).map_err(|error| *error);
            files.push(PtxFile { name, kernels });
        }
        print(&if self.json { json_of(&files) } else { tables(&files) })?;
        match files.iter().all(PtxFile::compiles) {
            true => Ok(()),
            false => Err(Failure::said(2)),
        }
    }
}

/// Columns of the table: name, what a kernel has.
type Column = (&'static str, fn(&Kernel) -> usize);

const COLUMNS: [Column; 6] = [
    ("registers", |kernel| kernel.registers),
    ("shared", |kernel| kernel.shared_bytes as usize),
    ("local", |kernel| kernel.local.map_or(0, |local| local.bytes as usize)),
    ("spilled", |kernel| kernel.spill.map_or(0, |spill| spill.bytes as usize)),
    ("constant", |kernel| kernel.constants.iter().map(|constant| constant.data.len()).sum()),
    ("instructions", |kernel| kernel.code.len()),
];

fn tables(files: &[PtxFile]) -> String {
    let texts: Vec<String> = files.iter().map(table).collect();
    texts.join("\n")
}

fn table(file: &PtxFile) -> String {
    let kernels = match &file.kernels {
        Ok(kernels) => kernels,
        Err(error) => return format!("{}: no kernel compiles\n{}", file.name, problem(error)),
    };
    let good = kernels.iter().filter(|kernel| kernel.outcome.is_ok()).count();
    let mut text = format!("{}: {good} of {} kernels compile\n", file.name, kernels.len());
    let width = kernels.iter().map(|kernel| kernel.name.chars().count()).max().unwrap_or(0).clamp(6, 60);
    let compiled = || kernels.iter().filter_map(|kernel| kernel.outcome.as_ref().ok());
    if good > 0 {
        text += &format!("{:width$}", "kernel");
        COLUMNS.iter().for_each(|(name, _)| text += &format!(" {name:>12}"));
        text += "  of them\n";
    }
    for kernel in compiled() {
        text += &format!("{:width$}", kernel.name);
        COLUMNS.iter().for_each(|(_, of)| text += &format!(" {:>12}", of(kernel)));
        let units = kernel.instructions_by_unit().into_iter().filter(|(_, count)| *count > 0);
        let units: Vec<String> = units.map(|(unit, count)| format!("{count} {unit}")).collect();
        let dynamic = if kernel.dynamic_shared.is_some() { "; shared memory grows with the launch" } else { "" };
        text += &format!("  {}{dynamic}\n", units.join(", "));
    }
    for kernel in kernels {
        if let Err(problems) = &kernel.outcome {
            text += &format!("{} (line {}) does not compile:\n", kernel.name, kernel.line);
            problems.iter().for_each(|error| text += &problem(error));
        }
    }
    text
}

fn problem(error: &PtxError) -> String {
    let help = error.help.as_ref().map_or(String::new(), |help| format!("\n      {help}"));
    format!("  {}:{}: {}{help}\n", error.line, error.column, error.message)
}

fn json_of(files: &[PtxFile]) -> String {
    let files: Vec<Value> = files
        .iter()
        .map(|file| match &file.kernels {
            Ok(kernels) => json!({
                "file": file.name, "compiles": file.compiles(), "kernels": kernels.iter().map(json_kernel).collect::<Vec<_>>(),
            }),
            Err(error) => json!({ "file": file.name, "compiles": false, "problems": [json_problem(error)] }),
        })
        .collect();
    format!("{:#}", json!({ "format_version": 1, "files": files }))
}

fn json_kernel(surveyed: &Surveyed) -> Value {
    let (name, line) = (&surveyed.name, surveyed.line);
    match &surveyed.outcome {
        Ok(kernel) => {
            let units: serde_json::Map<String, Value> =
                kernel.instructions_by_unit().into_iter().map(|(unit, count)| (unit.into(), count.into())).collect();
            let mut object = json!({
                "name": name, "line": line, "compiles": true, "units": units, "dynamic_shared": kernel.dynamic_shared.is_some(),
                "param_bytes": kernel.param_bytes(), "barrier": kernel.uses_barrier,
                "global_bytes": kernel.globals.iter().map(|variable| variable.data.len()).sum::<usize>(),
            });
            for (column, of) in COLUMNS {
                let key = if matches!(column, "registers" | "instructions") {
                    column.into()
                } else {
                    format!("{column}_bytes")
                };
                object[key] = of(kernel).into();
            }
            object
        }
        Err(problems) => json!({
            "name": name, "line": line, "compiles": false, "problems": problems.iter().map(json_problem).collect::<Vec<_>>(),
        }),
    }
}

fn json_problem(error: &PtxError) -> Value {
    json!({
        "kind": format!("{:?}", error.kind), "line": error.line, "column": error.column, "message": error.message, "help": error.help,
    })
}
