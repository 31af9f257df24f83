//! The table of features in `docs/features.md`: whether each kernel of `tests/cuda_programs/features/` compiles, and whether each case is right on
//! the emulator and on a small chip: `cargo bench --bench features > docs/features.md`. With names of programs only those; what is wrong is said on
//! standard error.

#[path = "../tests/support/features.rs"]
mod features;

use clap::Parser;
use std::process::ExitCode;

/// Tries what CUDA programs do.
#[derive(Parser)]
#[command(name = "features")]
struct FeaturesArguments {
    /// Programs; all without any.
    names: Vec<String>,
    /// Not on the chip.
    #[arg(long)]
    emulate: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Kernels that there are, and those that compile.
#[derive(Default)]
struct Count {
    kernels: usize,
    compile: usize,
    instances: usize,
    instances_compile: usize,
    cases: usize,
    right: [usize; 2],
    /// Wrong, but not among those of which it is known, or the other way round.
    wrong: usize,
}

fn main() -> ExitCode {
    let FeaturesArguments { names, emulate, .. } = FeaturesArguments::parse();
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = Count::default();
    let mut rows = String::new();
    let chosen = features::programs().into_iter().filter(|program| names.is_empty() || names.contains(&program.name));
    for program in chosen {
        match table(&program, folder.path(), emulate, &mut count) {
            Ok(table) => rows += &table,
            Err(problem) => {
                eprintln!("{}: {problem}", program.name);
                return ExitCode::FAILURE;
            }
        }
    }
    let Count { kernels, compile, instances, instances_compile, cases, right, wrong } = count;
    let share = 100.0 * compile as f64 / kernels.max(1) as f64;
    println!("{HEAD}");
    println!(
        "{compile} of {kernels} kernel functions compile ({share:.1} %), {instances_compile} of {instances} with all instances of templates. {} of {cases} cases are right on the \
         emulator, {} on the chip.\n",
        right[0], right[1]
    );
    println!(
        "| feature or idiom | program | kernels | compiles | emulator | chip |\n|---|---|---|---|---|---|\n{}",
        rows.trim_end()
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

const HEAD: &str = "# Features of CUDA programs

The kernels of public suites (Rodinia, Parboil, SHOC, PolyBench, the SDK's samples, the ISPASS-2009 set, LonestarGPU, Pannotia, Mars) are not in this repository. What they
ask of a compiler and a chip is: for each feature and idiom there is a kernel of our own in [`tests/cuda_programs/features/`](../tests/cuda_programs/features), whose results the
program compares with the host's. This table is what `cargo bench --bench features > docs/features.md` prints; the chip is `small` with atomics and double precision.
";

/// The rows of a program.
fn table(
    program: &features::FeatureProgram,
    folder: &std::path::Path,
    emulate: bool,
    count: &mut Count,
) -> Result<String, String> {
    let compiled = program.kernels(folder)?;
    let executable = program.compile(folder)?;
    let runs: [&[&str]; 2] = [&["--functional"], &["--max-cycles", "20000000"]];
    let right = runs.into_iter().take(if emulate { 1 } else { 2 }).map(|options| {
        let cases: Vec<&str> = program.cases.iter().map(|case| case.name.as_str()).collect();
        let (right, said) = features::execute(&executable, options, &cases);
        if right.len() < cases.len() {
            eprintln!("{}: {said}", program.name);
        }
        right
    });
    let right: Vec<_> = right.collect();
    let mut rows = String::new();
    for case in &program.cases {
        let instances = |name: &String| -> Vec<&Option<String>> {
            let of_name = compiled.iter().filter(|(mangled, _)| features::is_kernel(mangled, name));
            of_name.map(|(_, problem)| problem).collect()
        };
        // The PTX of a program with textures is made ready when it is launched; what has run has compiled.
        let has_run = right[0].contains(&case.name);
        let good = |name: &&String| {
            has_run || instances(name).iter().all(|problem| problem.is_none()) && !instances(name).is_empty()
        };
        let compile = case.kernels.iter().filter(good).count();
        count.kernels += case.kernels.len();
        count.compile += compile;
        count.cases += 1;
        for problem in case.kernels.iter().flat_map(instances) {
            count.instances += 1;
            count.instances_compile += usize::from(has_run || problem.is_none());
            problem
                .iter()
                .filter(|_| !has_run)
                .for_each(|problem| eprintln!("{}: {}: {problem}", program.name, case.name));
        }
        let mut marks = ["not tried"; 2];
        for (which, right) in right.iter().enumerate() {
            let is_right = right.contains(&case.name);
            count.right[which] += usize::from(is_right);
            count.wrong += usize::from(!is_right);
            marks[which] = if is_right { "right" } else { "**wrong**" };
        }
        let all = if compile == case.kernels.len() {
            "yes".to_string()
        } else {
            format!("**{compile} of {}**", case.kernels.len())
        };
        let kernels: Vec<String> = case.kernels.iter().map(|name| format!("`{name}`")).collect();
        rows += &format!(
            "| {} | `{}` | {} | {all} | {} | {} |\n",
            case.what,
            program.name,
            kernels.join(" "),
            marks[0],
            marks[1]
        );
    }
    Ok(rows)
}
