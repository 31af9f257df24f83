//! What the programs in `workloads/` are like: each verifies on the emulator at the size asked for, and at the small size on `bakhoda-ch6`, where its
//! character is measured, also with the ideal network of the thesis' classes: `cargo bench --bench workloads`. With names of programs only
//! those; `--emulate SIZE` only on the emulator. The table is for `docs/workloads.md`.

#[path = "../tests/support/workloads.rs"]
mod workloads;

use clap::Parser;
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, ExitCode},
    time::Instant,
};
use warpmesh::program::kernels;

/// Measures the character of the workloads.
#[derive(Parser)]
#[command(name = "workloads")]
struct WorkloadsArguments {
    /// Programs; all without any.
    names: Vec<String>,
    /// Only verifies on the emulator, at this size: small, medium, large.
    #[arg(long)]
    emulate: Option<String>,
    /// Only verifies in RTL, shipped kernels too.
    #[arg(long, conflicts_with = "emulate")]
    verify: bool,
    /// The chip.
    #[arg(long, default_value = "bakhoda-ch6")]
    config: String,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let WorkloadsArguments { names, emulate, verify, config, .. } = WorkloadsArguments::parse();
    let folder = tempfile::tempdir().expect("a folder");
    // Some kernels have the name of a workload.
    let kernels = kernels::every().filter(|_| verify).map(|kernel| (true, kernel.name.to_string()));
    let mut all: Vec<(bool, String)> =
        kernels.chain(workloads::names().into_iter().map(|name| (false, name))).collect();
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|(_, known)| known == *name)) {
        let known: Vec<&str> = all.iter().map(|(_, name)| name.as_str()).collect();
        eprintln!("there is no workload `{unknown}`; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    all.retain(|(_, name)| names.is_empty() || names.contains(name));
    let mut wrong = 0;
    if verify {
        println!("| program | launches | thread instructions | cycles | IPC | result |");
        println!("|---|---|---|---|---|---|");
    } else if emulate.is_none() {
        println!(
            "| workload | launches | thread instructions | IPC | divergence | FMA | global | shared | requests | L1 miss | L2 miss | bytes | ideal | class |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    }
    for (kernel, name) in all {
        let row = match &emulate {
            _ if kernel => kernel_verified(&name, &config),
            _ if verify => workload_verified(&name, &workloads::compile(&name, folder.path()), &config),
            Some(size) => emulated(&name, &workloads::compile(&name, folder.path()), size, &config),
            None => measured(&name, &workloads::compile(&name, folder.path()), &config),
        };
        match row {
            Ok(row) => println!("{row}"),
            Err(error) => {
                wrong += 1;
                eprintln!("{name}: {error}");
            }
        }
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Thread instructions of a run on the emulator.
fn emulated(name: &str, program: &Path, size: &str, config: &str) -> Result<String, String> {
    let start = Instant::now();
    let report = workloads::execute(program, size, &["--functional", "--config", config])?;
    let instructions = sum(&report, &["thread_instructions"]);
    let launches = report["launches"].as_array().map_or(0, Vec::len);
    Ok(format!("| {name} | {launches} | {instructions} | {:.1} s |", start.elapsed().as_secs_f64()))
}

/// A row of the table of what is verified: a shipped kernel at its own size.
fn kernel_verified(name: &str, config: &str) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpmesh"));
    command.args(["run", config, "--kernel", name, "--json"]);
    let output = command.output().map_err(|error| error.to_string())?;
    let said = || String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| said())?;
    if report["verdict"] != "completed" || report["verified"] != true {
        return Err(said());
    }
    Ok(verified_row(
        &format!("kernel `{name}`"),
        1,
        [&report["thread_instructions"], &report["core_cycles"]].map(|n| n.as_u64().unwrap_or(0)),
    ))
}

/// A row of the same: a workload, which compares its results itself. All of its launches are on the chip.
fn workload_verified(name: &str, program: &Path, config: &str) -> Result<String, String> {
    let report = workloads::execute(program, "small", &["--config", config])?;
    let launches = report["launches"].as_array().map_or(0, Vec::len);
    let on_chip =
        report["launches"].as_array().into_iter().flatten().filter(|launch| launch["cycles"].is_u64()).count();
    if launches == 0 || on_chip != launches {
        return Err(format!("{on_chip} of {launches} launches were on the chip"));
    }
    Ok(verified_row(name, launches, [&["thread_instructions"][..], &["cycles"]].map(|path| sum(&report, path))))
}

fn verified_row(name: &str, launches: usize, [instructions, cycles]: [u64; 2]) -> String {
    let ipc = instructions as f64 / cycles as f64;
    format!("| {name} | {launches} | {instructions} | {cycles} | {ipc:.1} | right |")
}

/// A row of the table: sums over all launches.
fn measured(name: &str, program: &Path, config: &str) -> Result<String, String> {
    let report = workloads::execute(program, "small", &["--config", config])?;
    let ideal = workloads::execute(program, "small", &["--config", config, "-P", "network.model=ideal"])?;
    let of = |path: &[&str]| sum(&report, path) as f64;
    let (threads, warps) = (of(&["thread_instructions"]), of(&["warp_instructions"]));
    let cycles = |report: &Value| sum(report, &["cycles"]) as f64;
    let percent =
        |part: f64, whole: f64| if whole > 0.0 { format!("{:.0} %", 100.0 * part / whole) } else { "-".into() };
    let mix = |kind: &str| percent(of(&["mix", kind]), warps);
    let caches = |cache: &str| {
        let [reads, hits, merged] =
            ["reads", "read_hits", "merged_misses"].map(|of_cache| of(&["report", cache, of_cache]));
        percent(reads - hits - merged, reads)
    };
    // Lines that the accesses of a warp touch: 1 or 2 where neighbours read neighbours.
    let requests = of(&["report", "l1d", "reads"]) + of(&["report", "l1d", "writes"]);
    let speedup = cycles(&report) / cycles(&ideal);
    // Accepted traffic with the ideal network, a node and cycle of the network.
    let bytes = bytes_of(&ideal);
    let letter = |high: bool| if high { 'H' } else { 'L' };
    Ok(format!(
        "| {name} | {} | {threads:.0} | {:.1} | {} | {} | {} | {} | {:.1} | {} | {} | {bytes:.2} | {speedup:.2} | {}{} |",
        report["launches"].as_array().map_or(0, Vec::len),
        threads / cycles(&report),
        percent(32.0 * warps - threads, 32.0 * warps),
        mix("fma"),
        mix("global"),
        mix("shared"),
        requests / of(&["mix", "global"]).max(1.0),
        caches("l1d"),
        caches("l2"),
        letter(speedup > 1.3),
        letter(bytes > 1.0),
    ))
}

/// Bytes that a node accepts in a cycle of the network.
fn bytes_of(report: &Value) -> f64 {
    let launches = report["launches"].as_array().into_iter().flatten();
    let (mut bytes, mut cycles) = (0.0, 0.0);
    for launch in launches {
        let report = &launch["report"];
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let clocks = &report["clocks"];
        cycles += number(&report["core_cycles"]) * number(&clocks["noc"]) / number(&clocks["core"]);
        // The ideal network moves packets: a read is one flit and four back, a write five and one back.
        let reads = number(&report["memory"]["to_memory"]["count"]);
        let writes = number(&report["noc"]["request_packets"]) - reads;
        bytes += FLIT * (5.0 * reads + 6.0 * writes);
    }
    bytes / NODES / cycles
}

/// Bytes of a flit, and nodes, of `bakhoda-ch6`.
const FLIT: f64 = 16.0;
const NODES: f64 = 36.0;

/// A number at this path of every launch, summed.
fn sum(report: &Value, path: &[&str]) -> u64 {
    let launches = report["launches"].as_array().into_iter().flatten();
    launches.filter_map(|launch| path.iter().fold(launch, |value, key| &value[*key]).as_u64()).sum()
}
