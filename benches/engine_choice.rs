//! What `auto` makes of the engines it can choose from: `cargo bench --bench engine_choice`.
//!
//! Each chip runs each kernel on every engine that can be forced and on `auto`, all in one process and in step:
//! everyone simulates the same slice of cycles in turn, beginning with another one each time, so that all do the same
//! work on the same machine. Processor time counts, on one thread. The *last half* of the cycles, or what follows the
//! last engine that was compiled for a trial, tells what `auto` has come to; the
//! *whole* has its trials and what they compile in it.

use clap::Parser;
use std::{path::Path, time::Duration};
use testkit::clock;
use warpmesh::{
    chip::{build, load},
    host::{Host, Limits},
    netlist::elaborate,
    program::kernels,
    report::Verdict,
    sim::{Engine, Options},
};

/// Compares `auto` with every engine that can be forced.
#[derive(Parser)]
#[command(name = "engine_choice")]
struct EngineChoiceArguments {
    /// Configurations, without `.toml`.
    #[arg(long, value_delimiter = ',', default_value = "default,baseline-tb-dor,bakhoda-ch6,kim-ch2")]
    chips: Vec<String>,
    /// Kernels, with their sizes.
    #[arg(long, value_delimiter = ',', default_value = "matmul=192,gather=200000,bfs=20000,vector_add=400000", value_parser = sized)]
    kernels: Vec<(String, u32)>,
    /// The engines to compare with.
    #[arg(long = "engine", value_delimiter = ',', default_value = "word,vector,sliced")]
    engines: Vec<Engine>,
    /// Core cycles from the start of the kernel.
    #[arg(long, default_value_t = 40_000)]
    cycles: u64,
    /// Core cycles of a turn.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(4..))]
    slice: u64,
    /// Take compiled code from the cache, and leave it there.
    #[arg(long)]
    cache: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn sized(text: &str) -> Result<(String, u32), String> {
    let (name, size) = text.split_once('=').ok_or("expected KERNEL=SIZE")?;
    let size = size.parse().map_err(|_| format!("`{size}` is no size"))?;
    kernels::find(name).map(|_| (name.into(), size)).ok_or_else(|| format!("there is no kernel `{name}`"))
}

/// An engine with a chip of its own.
struct EngineChoiceContestant {
    host: Host,
    /// Processor time of each slice.
    slices: Vec<Duration>,
}

fn main() {
    let arguments = EngineChoiceArguments::parse();
    let forced = arguments.engines.iter().map(|engine| format!(" {engine} |")).collect::<String>();
    println!("| chip | kernel | cycles |{forced} auto | auto : best, last half | whole | at work |");
    println!("|---|---|---:|{}---:|---:|---:|---|", "---:|".repeat(arguments.engines.len()));
    for chip in &arguments.chips {
        for (kernel, size) in &arguments.kernels {
            cell(chip, kernel, *size, &arguments);
        }
    }
}

/// One chip and one kernel: prints a row, microseconds of processor time a core cycle.
fn cell(name: &str, kernel: &str, size: u32, arguments: &EngineChoiceArguments) {
    let chip = load(Some(Path::new(&format!("{name}.toml"))), &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
    let design = elaborate(&build(&chip).expect("a network")).expect("the chip is correct");
    let builtin = kernels::find(kernel).expect("checked by the command line");
    let launch = builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|e| panic!("{kernel}: {e}"));
    let engines = arguments.engines.iter().copied().chain([Engine::Auto]);
    let contestant = |engine| {
        let options = Options { engine, cache: arguments.cache, ..Options::default() };
        let mut host = Host::with_design(&chip, &design, &options).expect("the chip compiles");
        host.start(&launch).expect("the launch fits the chip");
        EngineChoiceContestant { host, slices: vec![] }
    };
    let mut contestants: Vec<EngineChoiceContestant> = engines.map(contestant).collect();
    let (mut cycles, mut made) = (vec![], vec![]);
    while cycles.iter().sum::<u64>() < arguments.cycles {
        let mut ends = vec![None; contestants.len()];
        for i in 0..contestants.len() {
            let at = (cycles.len() + i) % contestants.len();
            let contestant = &mut contestants[at];
            let limits = Limits { max_cycles: arguments.slice, ..Limits::default() };
            let (end, spent) = clock::timed(|| contestant.host.run(limits, |_, _| Ok(())).expect("no rule is broken"));
            contestant.slices.push(spent.cpu);
            ends[at] = Some(end);
        }
        let (verdict, count) = ends[0].expect("everyone had a turn");
        assert!(ends.iter().all(|end| *end == ends[0]), "{name}, {kernel}: {ends:?}");
        cycles.push(count);
        made.push(contestants.last_mut().expect("auto is the last one").host.simulator().engines_made());
        match verdict {
            Verdict::CycleLimit => {}
            Verdict::Completed => break,
            other => panic!("{name}, {kernel}: {other:?}"),
        }
    }
    // Slices in which an engine was made, and the one after it, in which it is tried, are not in the last half.
    let making = (1..made.len()).filter(|&slice| made[slice] > made[slice - 1]).map(|slice| slice + 2);
    let half = making.fold(cycles.len() / 2, usize::max).min(cycles.len() - 1);
    let micros = |contestant: &EngineChoiceContestant, first: usize| {
        let spent: Duration = contestant.slices[first..].iter().sum();
        1e6 * spent.as_secs_f64() / cycles[first..].iter().sum::<u64>() as f64
    };
    let ratio = |first: usize| {
        let times: Vec<f64> = contestants.iter().map(|contestant| micros(contestant, first)).collect();
        let (auto, forced) = times.split_last().expect("auto is the last one");
        forced.iter().copied().fold(f64::INFINITY, f64::min) / auto
    };
    let times = contestants.iter().map(|contestant| format!(" {:.1} |", micros(contestant, half))).collect::<String>();
    let (last, whole) = (ratio(half), ratio(0));
    let auto = contestants.last_mut().expect("auto is the last one");
    let at_work = auto.host.simulator().explain();
    let at_work: Vec<String> = (at_work.iter().filter(|group| !group.top && group.engine != Engine::Word))
        .map(|group| format!("{} {} {}", group.instances, group.kind, group.engine))
        .collect();
    let at_work = if at_work.is_empty() { "words".into() } else { at_work.join(", ") };
    let cycles = cycles.iter().sum::<u64>();
    println!("| {name} | {kernel} | {cycles} |{times} {last:.2} | {whole:.2} | {at_work} |");
}
