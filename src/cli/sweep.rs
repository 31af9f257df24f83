//! `warpmesh sweep`: a study with axes from the command line.
//!
//! ```text
//!  --vary, --kernel, --noc --rate ──> text of a study file ──> study_runs ──> table, CSV, plot
//!                                              └──> --save-study
//! ```

use super::{
    Failure, call,
    chip_args::ChipArgs,
    choice::{choice, policy},
    loads::Loads,
    monitor_args::{self, MonitorArgs},
    output::{NewFile, refuse_shared},
    print::print,
    program_digests::ProgramDigests,
    progress::Terminal,
    record::StudyRecording,
    study_runs::StudyRuns,
    study_text::{kernel_table, named_from, quoted, quoted_list},
    vary::Vary,
};
use clap::Args;
use measure::{
    open_loop::{Pattern, Sizes},
    study::{MANY_RUNS, PlotKind, Study as StudyFile},
};
use program::kernels::Setting;
use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

/// What runs when nothing is named.
const DEFAULT_KERNEL: &str = "matmul";
/// Options of kernels, and of traffic: one of both is swept.
const OF_KERNELS: [&str; 5] = ["kernel", "size", "kernel_params", "program", "max_cycles"];

/// Runs kernels, a CUDA program, or traffic, on a chip with all combinations of some values of its configuration, and prints a table.
///
/// It is a study with an `[[axis]]` for each --vary, which --save-study writes; its runs are kept like those of `study`, in the same folder.
#[derive(Args, Debug)]
pub struct Sweep {
    #[command(flatten)]
    chip: ChipArgs,
    /// A key of the configuration and its values: `network.vcs=2,4`, a range with both ends `core.warps=8..32/8`, one that multiplies
    /// `core.warps=8..64*2`, or keys that change together `network.vcs:network.vc_depth=2:8,4:4`. May be given several times: the designs are
    /// all combinations.
    #[arg(long, value_name = "KEY=VALUE,...")]
    vary: Vec<Vary>,
    /// Run this many of the combinations instead of all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Choose them so that each value comes equally often (Latin hypercube), instead of at random.
    #[arg(long, requires = "sample")]
    latin_hypercube: bool,
    /// Seed of the choice.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    sample_seed: u64,
    /// Kernels to run, with commas between [default: matmul].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    kernel: Vec<String>,
    /// Sizes of every kernel, with commas between; without it, each kernel's own.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    size: Vec<u32>,
    /// Sets a parameter of the kernels (see `warpmesh list kernel-params`). May be given several times.
    #[arg(long = "kernel-param", value_name = "PARAM=N")]
    kernel_params: Vec<Setting>,
    /// Stop a kernel after this many cycles [default: 10000000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: Option<u64>,
    /// A CUDA program to run, alone or beside kernels: its only file.
    #[arg(long, value_name = "FILE.cu")]
    program: Option<PathBuf>,
    /// What the program is called with.
    #[arg(last = true, value_name = "ARGUMENTS", requires = "program")]
    args: Vec<String>,
    /// Load the network alone with traffic instead, as `noc` does.
    #[arg(long, requires = "rate", conflicts_with_all = OF_KERNELS)]
    noc: bool,
    /// Loads of the traffic: numbers, and ranges with both ends in them, as in `0.05,0.1..0.3/0.05`.
    #[arg(long, value_name = "LOAD,FROM..TO/STEP,...", value_delimiter = ',', requires = "noc")]
    rate: Vec<Loads>,
    /// Who sends to whom.
    #[arg(long, value_name = "PATTERN", default_value = "many-to-few", value_parser = policy::<Pattern>(), requires = "noc")]
    traffic: Pattern,
    /// Packet sizes in flits, fixed (`4`) or mixed (`1:0.9,4:0.1`).
    #[arg(long, value_name = "SIZES", requires = "noc", value_parser = sizes)]
    flits: Option<String>,
    /// No packet is answered.
    #[arg(long, requires = "noc")]
    one_way: bool,
    /// Cycles before the measurement [default: 2000].
    #[arg(long, value_name = "N", requires = "noc", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    warmup: Option<u64>,
    /// Cycles of the measurement [default: 10000].
    #[arg(long, value_name = "N", requires = "noc", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    measure: Option<u64>,
    /// Cycles after it in which all measured packets have to arrive, at the most [default: 20000].
    #[arg(long, value_name = "N", requires = "noc", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    drain: Option<u64>,
    /// Seed of data and traffic.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Runs at a time; without it, as many as there are processors.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Folder in which the reports of runs are kept, as those of `study`.
    #[arg(long, value_name = "DIR", default_value = "study-results")]
    out: PathBuf,
    #[command(flatten)]
    monitor: MonitorArgs,
    /// Also make more than 1000 runs.
    #[arg(long)]
    yes: bool,
    /// Run nothing: print what was run before, and how much is missing.
    #[arg(long)]
    no_run: bool,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
    /// Also write a line for each run with all parameters and figures, with commas between.
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Also draw the result.
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    plot: Option<PathBuf>,
    /// How it is drawn; without it, lines, or where they are too many, the front.
    #[arg(long, value_name = "KIND", requires = "plot", value_parser = choice(PlotKind::ALL, PlotKind::name, |kind| kind.about().into()))]
    plot_kind: Option<PlotKind>,
    /// Also write the study file that this sweep is.
    #[arg(long, value_name = "FILE.toml")]
    save_study: Option<PathBuf>,
    /// Also write a record to this new folder, as that of `study`.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Replace earlier files.
    #[arg(long)]
    force: bool,
}

fn sizes(text: &str) -> Result<String, String> {
    text.parse::<Sizes>().map(|_| text.to_string())
}

fn svg(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(ending) if ending == "svg" => Ok(path),
        _ => Err("the file has to end in .svg".into()),
    }
}

impl Sweep {
    /// Runs the command.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        if self.vary.is_empty() && self.size.len() < 2 && !self.noc {
            return Err(Failure::input_message(
                "there is nothing to sweep",
                "--vary KEY=VALUE,... with a key of the configuration, several --size, or --noc with --rate",
            ));
        }
        let outputs = [
            ("--csv", &self.csv),
            ("--plot", &self.plot),
            ("--save-study", &self.save_study),
            ("--record", &self.record),
        ];
        refuse_shared(&outputs.map(|(option, path)| (option, path.as_deref())))?;
        let most = (!self.yes && !self.no_run).then_some(MANY_RUNS);
        let study = StudyFile::parse(&self.text(Path::new("")), "sweep", most);
        let study = study.map_err(|mistake| Failure::input(*mistake))?;
        let claim = |file: &Option<PathBuf>| file.as_ref().map(|file| NewFile::claim(file, self.force)).transpose();
        let (csv, plot, saved) = (claim(&self.csv)?, claim(&self.plot)?, claim(&self.save_study)?);
        let (folder, at_a_time) = (Path::new(""), self.jobs);
        let monitor = self.monitor.start()?;
        let (out, monitor) = (&*self.out, monitor.as_ref());
        let (study, programs) = (&study, &ProgramDigests::default());
        let runs = StudyRuns { study, folder, out, at_a_time, only_kept: self.no_run, engine: None, programs, monitor };
        let record = StudyRecording::begin((self.record.as_deref(), self.force), &runs, None, false)?;
        let ran = runs.run(terminal);
        monitor_args::end(monitor, &ran);
        let end = ran?;
        let outcome = &end.outcome;
        call::report(|| outcome.to_string().trim_end().to_string(), || outcome.json());
        let text = if self.json { outcome.json() } else { outcome.to_string().trim_end().to_string() };
        let draw = |plot: NewFile| {
            let kind = self.plot_kind.unwrap_or(outcome.usual_plot());
            let drawn = outcome.plot(kind);
            plot.write(&drawn.map_err(|cause| Failure::new(2, format!("{}: {cause}", plot.path().display())))?)
        };
        let save = |file: NewFile| {
            let folder = file.path().parent().unwrap_or(Path::new("")).to_path_buf();
            file.write(&self.text(&folder))
        };
        let ended = end.finish([
            print(&text),
            csv.map_or(Ok(()), |file| file.write(&outcome.csv())),
            plot.map_or(Ok(()), draw),
            saved.map_or(Ok(()), save),
            record.map_or(Ok(()), |record| record.end(&end)),
        ]);
        // Waits for open pages: the terminal and the files have it first.
        end.show(monitor, &text);
        ended
    }

    /// The study file, which is to stand in `folder`.
    fn text(&self, folder: &Path) -> String {
        let config = self.chip.config().map(|config| named_from(folder, config));
        let mut text = String::new();
        let mut add = |line: String| _ = writeln!(text, "{line}");
        let keys = self.vary.iter().map(|vary| vary.keys().join(" and ")).collect::<Vec<_>>().join(", ");
        let on = self.chip.describe();
        let title = if keys.is_empty() { on } else { format!("{keys}: {on}") };
        add(format!("title = {}", quoted(&title)));
        config.iter().for_each(|config| add(format!("config = {}", quoted(config))));
        if !self.chip.overrides().is_empty() {
            add(format!("overrides = {}", quoted_list(self.chip.overrides())));
        }
        add(format!("seed = {}", self.seed));
        self.max_cycles.iter().for_each(|cycles| add(format!("max_cycles = {cycles}")));
        add("table = \"figures\"".into());
        if let Some(budget) = self.sample {
            let method = if self.latin_hypercube { "latin-hypercube" } else { "random" };
            add(format!("\n[sample]\nbudget = {budget}\nmethod = \"{method}\"\nseed = {}", self.sample_seed));
        }
        if self.vary.is_empty() {
            add(format!("\n[[design]]\nname = {}", quoted(&self.chip.describe())));
        }
        self.vary.iter().for_each(|vary| add(format!("\n[[axis]]\n{}", vary.toml())));
        if let Some(program) = &self.program {
            add(self.program_table(&named_from(folder, program), program));
        }
        if self.noc {
            self.rate.iter().flat_map(|Loads(loads)| loads).for_each(|rate| add(self.traffic_table(*rate)));
        } else {
            self.kernel_tables().into_iter().for_each(add);
        }
        text
    }

    fn kernel_tables(&self) -> Vec<String> {
        let kernels = match (&self.kernel[..], &self.program) {
            ([], None) => vec![DEFAULT_KERNEL.to_string()],
            (kernels, _) => kernels.to_vec(),
        };
        let sizes: Vec<Option<u32>> = match &self.size[..] {
            [] => vec![None],
            sizes => sizes.iter().copied().map(Some).collect(),
        };
        kernels
            .iter()
            .flat_map(|kernel| sizes.iter().map(move |size| (kernel, size)))
            .map(|(kernel, size)| kernel_table(kernel, *size, &self.kernel_params))
            .collect()
    }

    fn program_table(&self, source: &str, program: &Path) -> String {
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        let args = if self.args.is_empty() { "".into() } else { format!("\narguments = {}", quoted_list(&self.args)) };
        format!("\n[[program]]\nname = {}\nsource = {}{args}", quoted(&name), quoted(source))
    }

    fn traffic_table(&self, rate: f64) -> String {
        let pattern = self.traffic.name();
        let mut text = format!("\n[[traffic]]\nname = \"{pattern} {rate}\"\npattern = \"{pattern}\"\nrate = {rate:?}");
        self.flits.iter().for_each(|flits| text += &format!("\nflits = {}", quoted(flits)));
        if self.one_way {
            text += "\none_way = true";
        }
        for (name, cycles) in [("warmup", self.warmup), ("measure", self.measure), ("drain", self.drain)] {
            cycles.iter().for_each(|cycles| text += &format!("\n{name} = {cycles}"));
        }
        text
    }
}
