//! Our engines and Verilator's models of the exported Verilog, side by side.
//!
//! Everyone simulates the same design with the same stimulus for the same number of cycles, in one thread, in turns that alternate
//! within one run; medians count, and all results must be equal. `scripts/compare-verilator` finds the Verilators and calls this.

mod chip;
mod clock;
mod contest;
mod mesh;
mod model;
mod plot;
mod table;
mod verilator;

use clap::Parser;
use contest::{Field, Row};
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use warpmesh::{
    program::kernels,
    sim::{Engine, Options},
};

/// Compares the simulation engines with each other and with Verilator.
#[derive(Parser)]
#[command(name = "engines")]
struct EnginesArguments {
    /// Meshes of so many routers a side.
    #[arg(long, value_delimiter = ',', default_value = "4,6,8,11", value_parser = clap::value_parser!(u32).range(1..=32))]
    sizes: Vec<u32>,
    /// Offered loads in flits per node and cycle.
    #[arg(long, value_delimiter = ',', default_value = "0,0.1,0.3")]
    loads: Vec<f64>,
    /// Kernels for the default chip; `all`, `none`.
    #[arg(long, value_delimiter = ',', default_value = "matmul")]
    kernels: Vec<String>,
    /// Our engines.
    #[arg(long = "engine", value_delimiter = ',', default_value = "auto,word")]
    engines: Vec<Engine>,
    /// Threads of our engines, or `auto`: as many as gain (wall time counts for anything but one).
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = threads)]
    threads: Vec<usize>,
    /// A Verilator: a name for the tables and its program, as `5.006=verilator`.
    #[arg(long = "verilator", value_name = "NAME=PROGRAM")]
    tools: Vec<verilator::Tool>,
    /// Only Verilator models with one of these in their names, as `5.48.0 flat` or `hierarchical -O3`.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Seconds that one Verilator model may take to build.
    #[arg(long, default_value_t = 300)]
    build_limit: u64,
    /// Processors for the C++ compiler.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Turns of each contestant.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Milliseconds of a turn of the slowest, on a mesh.
    #[arg(long, default_value_t = 400)]
    turn: u64,
    /// Writes all rows as tables (`engines.md`, `engines.csv`) and as plots (`nodes.svg`, `load.svg`) into this folder.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let arguments = EnginesArguments::parse();
    let kernels = chosen(&arguments.kernels);
    let field = Field {
        engines: arguments.engines,
        threads: arguments.threads,
        tools: arguments.tools,
        only: arguments.only,
        limits: verilator::Limits { seconds: arguments.build_limit, jobs: arguments.jobs },
        rounds: arguments.rounds.max(1),
        turn: Duration::from_millis(arguments.turn.max(1)),
    };
    let mut say = |text: &str| eprintln!("{text}");
    let mut rows = vec![];
    for &side in &arguments.sizes {
        rows.extend(mesh::contest(side, &arguments.loads, &field, &mut say));
    }
    if !kernels.is_empty() {
        rows.extend(chip::contest(&kernels, &field, &mut say));
    }
    let summary = format!("{}\n{}", table::summary(&rows), table::details(&rows));
    println!("{summary}");
    if let Some(folder) = arguments.output {
        write(&folder, &rows, &summary).unwrap_or_else(|error| fail(&format!("{}: {error}", folder.display())));
    }
}

fn write(folder: &Path, rows: &[Row], summary: &str) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let command = env::args().skip(1).filter(|a| a != "--bench").map(|a| shown(&a)).collect::<Vec<_>>().join(" ");
    let head = format!("# Simulation engines, measured\n\nMade by `cargo bench --bench engines -- {command}`.\n\n");
    fs::write(folder.join("engines.md"), head + summary)?;
    fs::write(folder.join("engines.csv"), table::csv(rows))?;
    plot::nodes(rows, &folder.join("nodes.svg"))?;
    plot::load(rows, &folder.join("load.svg"))
}

/// An argument as a shell takes it; where a Verilator is on this machine is nobody else's business.
fn shown(argument: &str) -> String {
    match (argument.parse::<verilator::Tool>(), argument.contains(' ')) {
        (Ok(tool), _) => format!("{}=verilator", tool.name),
        (_, true) => format!("'{argument}'"),
        _ => argument.into(),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text {
        "auto" => Ok(Options::AUTOMATIC_THREADS),
        number => number.parse().map_err(|_| "expected a number or `auto`".into()),
    }
}

/// The kernels of the project among `names`.
fn chosen(names: &[String]) -> Vec<String> {
    match names {
        [all] if all == "all" => kernels::ALL.iter().map(|k| k.name.to_string()).collect(),
        [none] if none == "none" => vec![],
        names => {
            if let Some(unknown) = names.iter().find(|name| kernels::find(name).is_none()) {
                let known: Vec<_> = kernels::ALL.iter().map(|k| k.name).collect();
                fail(&format!("there is no kernel `{unknown}`; there are all, none, {}", known.join(", ")));
            }
            names.to_vec()
        }
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}
