//! `warpmesh exec`: runs a program of `warpmesh cc` with a chip and a way to simulate it.

use super::{
    Failure,
    cc::library,
    chip_args::ChipArgs,
    engine_args::engines,
    exec_parts::ProgramPartsArgs,
    hazard::Hazard,
    monitor_args::MonitorArgs,
    output::{NewFile, OutputFolder, refuse_shared},
    renamed::renamed_wave_launch,
    run::{TimelineArgs, issue_failure},
};
use clap::{ArgGroup, Args};
use cuda::{LaunchList, seconds, threads};
use measure::{issue_spec::IssueSpec, session::TraceSpec, wave::WaveSpec};
use rtl::chip;
use sim::Engine;
use std::{
    env,
    ffi::OsString,
    os::unix::process::CommandExt,
    path::{Path, PathBuf, absolute},
    process::Command,
};

/// Runs a program that `warpmesh cc` has made: `warpmesh exec --config small -- ./prog 1024`.
///
/// The exit code is the program's. The program alone runs on the chip that WARPMESH_CONFIG names, or on `fermi`. An option takes the
/// place of its environment variable (docs/cuda.md); variables whose option is not given hold here, too.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("outputs").args(["report", "wave", "issue_trace", "trace", "record", "samples", "save"]).multiple(true)))]
#[command(group(ArgGroup::new("over_time").args(["samples", "record"]).multiple(true)))]
#[command(group(ArgGroup::new("traces").args(["wave", "issue_trace", "trace"]).multiple(true)))]
pub struct Exec {
    /// A configuration file, or the name of a shipped one; without it `fermi`, which has every feature.
    #[arg(long, value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Overrides one value of the configuration, e.g. `-P network.vcs=8`. Repeatable; the last one wins.
    #[arg(short = 'P', long = "param", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Emulates all launches: results without cycles, many times as fast.
    #[arg(long, conflicts_with_all = ["kernels", "monitor", "trace"])]
    functional: bool,
    /// Simulates these launches on the chip, from 1, and emulates the others: `3,5-7`, `all` or `none`.
    #[arg(long, value_name = "LIST", value_parser = launches)]
    kernels: Option<String>,
    /// Keeps what emulated launches have computed in a folder, and takes it from there when the same launch comes again, in this run or another one.
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,
    /// Writes the report of launches to a new file, in the place of standard error; one that ends in `.json` has all that is known of each
    /// launch.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Writes a record of the launches on the chip to a new folder, as `run` does: configuration, report, and all statistics over time as
    /// Parquet.
    #[arg(long, value_name = "DIR", conflicts_with = "functional")]
    record: Option<PathBuf>,
    /// Cycles of an interval of --samples and --record; 1000 without it.
    #[arg(long, value_name = "N", requires = "over_time", value_parser = clap::value_parser!(u64).range(1..))]
    interval: Option<u64>,
    /// Replaces an earlier report, waveform, trace, record, file of samples or saved program.
    #[arg(long, requires = "outputs")]
    force: bool,
    /// Records a waveform of a launch on the chip, as `run` does: FILE.fst or FILE.vcd, then `:` and instance paths, then `@` and cycles of the
    /// launch, both optional: `--wave out.fst:core0@1000..2000`.
    #[arg(long, value_name = "SPEC", conflicts_with = "functional")]
    wave: Option<WaveSpec>,
    /// Writes what the issue slots of a launch on the chip are used for, as `run` does: FILE.csv, FILE.svg or FILE.pftrace, then `:` and cores,
    /// then `@` and cycles of the launch.
    #[arg(long, value_name = "SPEC", conflicts_with = "functional")]
    issue_trace: Option<IssueSpec>,
    #[command(flatten)]
    timeline: TimelineArgs,
    /// The launch of --wave, --issue-trace and --trace, from 1; without it, the first one on the chip.
    #[arg(long, value_name = "N", requires = "traces", value_parser = clap::value_parser!(u64).range(1..))]
    trace_launch: Option<u64>,
    #[arg(long, hide = true, value_parser = renamed_wave_launch)]
    _wave_launch: Option<u64>,
    /// Reports performance counters of each launch on the chip: statistics whose place and name match, as for `run`. May be given several
    /// times.
    #[arg(long, value_name = "PATTERN", conflicts_with = "functional")]
    stats: Vec<String>,
    /// Also writes these statistics over time, as `run` does: what each interval of each launch on the chip has added.
    #[arg(long, value_name = "FILE.csv", requires = "stats", conflicts_with = "functional")]
    samples: Option<PathBuf>,
    /// What computes a cycle; the result does not depend on it.
    #[arg(long, value_name = "ENGINE", conflicts_with = "functional", value_parser = engines())]
    engine: Option<Engine>,
    /// Threads of the simulation, 1 to 256, or `auto`: as many as gain. One without it. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "functional", value_parser = threads_text)]
    threads: Option<String>,
    /// Ends the launch that is at work so many seconds after the program has first used the device, with an error.
    #[arg(long, value_name = "S", value_parser = seconds_text)]
    max_seconds: Option<String>,
    /// Ends a launch that takes more cycles, with an error.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: Option<u64>,
    #[command(flatten)]
    parts: ProgramPartsArgs,
    /// Also looks for races between warps of a block and between blocks, and for shared and local memory that is read before it is written.
    /// What is found is an error of the launch.
    #[arg(long, value_name = "KIND", value_delimiter = ',', conflicts_with_all = ["no_memory_checks", "checkpoint"])]
    check: Vec<Hazard>,
    #[command(flatten)]
    monitor: MonitorArgs,
    /// Runs kernels also when they leave their allocations, are misaligned or use another block's shared memory.
    #[arg(long)]
    no_memory_checks: bool,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

fn launches(text: &str) -> Result<String, String> {
    text.parse::<LaunchList>().map(|_| text.into())
}

// The program reads them again.
fn threads_text(text: &str) -> Result<String, String> {
    threads(text).map(|_| text.into())
}

fn seconds_text(text: &str) -> Result<String, String> {
    seconds(text).map(|_| text.into())
}

impl Exec {
    /// Runs the command, which the program takes the place of.
    pub fn run(&self) -> Result<(), Failure> {
        let Some((program, args)) = self.program.split_first() else {
            return Err(Failure::input_message("there is no program", "it stands behind `--`"));
        };
        // What is wrong with the chip, or with the place of a file, is told before the program begins.
        let timeline = self.timeline.spec()?;
        let traces = [
            ("--wave", "WARPMESH_WAVE", self.wave.clone().map(TraceSpec::Wave)),
            ("--issue-trace", "WARPMESH_ISSUE_TRACE", self.issue_trace.clone().map(TraceSpec::Issue)),
            ("--trace", "WARPMESH_TRACE", timeline.map(TraceSpec::Timeline)),
        ];
        let traces: Vec<_> =
            traces.into_iter().filter_map(|(option, variable, spec)| Some((option, variable, spec?))).collect();
        let files = traces.iter().map(|(option, _, spec)| (*option, Some(spec.file())));
        let others = [
            ("--report", self.report.as_deref()),
            ("--record", self.record.as_deref()),
            ("--samples", self.samples.as_deref()),
            ("--save", self.parts.save.as_deref()),
            ("--checkpoint", self.checkpoint.as_deref()),
        ];
        refuse_shared(&files.chain(others).collect::<Vec<_>>())?;
        let (config, params) = (self.config(), self.params());
        let chip = ChipArgs::each(std::slice::from_ref(&config), &params)[0].chip()?;
        if let Some(spec) = &self.issue_trace {
            spec.cores(&chip).map_err(issue_failure)?;
        }
        self.timeline.check(&chip)?;
        if let Some(report) = &self.report {
            NewFile::claim(report, self.force)?;
        }
        if let Some(samples) = &self.samples {
            NewFile::claim(samples, self.force)?;
        }
        self.parts.claim(self.force)?;
        if self.record.is_some() || self.samples.is_some() || !traces.is_empty() {
            self.refuse_emulated()?;
        }
        if let Some(record) = &self.record {
            OutputFolder::claim(record, self.force)?;
        }
        for (_, _, spec) in &traces {
            NewFile::claim(spec.file(), self.force)?;
        }
        let mut command = Command::new(program);
        command.args(args);
        let mut set = |name: &str, value: Option<OsString>| {
            if let Some(value) = value {
                command.env(name, value);
            }
        };
        set("WARPMESH_CONFIG", Some(config.into_os_string()));
        set("WARPMESH_PARAMS", (!params.is_empty()).then(|| params.join(";").into()));
        let all_emulated = self.functional.then_some("none");
        set("WARPMESH_KERNELS", all_emulated.or(self.kernels.as_deref()).map(OsString::from));
        set("WARPMESH_REPORT", self.report.as_deref().map(from_anywhere));
        set("WARPMESH_CHECKPOINT", self.checkpoint.as_deref().map(from_anywhere));
        set("WARPMESH_MAX_CYCLES", self.max_cycles.map(|limit| limit.to_string().into()));
        set("WARPMESH_MAX_SECONDS", self.max_seconds.as_ref().map(OsString::from));
        // The variable of another trace does not hold for these.
        let launch = || self.trace_launch.map_or(String::new(), |launch| launch.to_string()).into();
        set("WARPMESH_TRACE_LAUNCH", (!traces.is_empty()).then(launch));
        for (_, variable, spec) in traces {
            let file = PathBuf::from(from_anywhere(spec.file()));
            set(variable, Some(spec.at(file).to_string().into()));
        }
        // Nor does the interval of another record.
        let interval = || self.interval.map_or(String::new(), |interval| interval.to_string()).into();
        set("WARPMESH_INTERVAL", (self.record.is_some() || self.samples.is_some()).then(interval));
        set("WARPMESH_SAMPLES", self.samples.as_deref().map(from_anywhere));
        set("WARPMESH_SAVE", self.parts.save.as_deref().map(from_anywhere));
        let every = || self.parts.every.map_or(String::new(), |every| every.to_string()).into();
        set("WARPMESH_SAVE_EVERY", self.parts.save.is_some().then(every));
        set("WARPMESH_RESUME", self.parts.resume.as_deref().map(from_anywhere));
        set("WARPMESH_RECORD", self.record.as_deref().map(from_anywhere));
        set("WARPMESH_STATS", (!self.stats.is_empty()).then(|| self.stats.join(";").into()));
        set("WARPMESH_MONITOR", self.monitor.port().map(|port| port.to_string().into()));
        set("WARPMESH_ENGINE", self.engine.map(|engine| engine.name().into()));
        set("WARPMESH_THREADS", self.threads.as_ref().map(OsString::from));
        let checks = if self.no_memory_checks { "off".into() } else { Hazard::list(&self.check) };
        set("WARPMESH_MEMORY_CHECKS", (!checks.is_empty()).then(|| checks.into()));
        // A program that was linked by a makefile does not know where the runtime is.
        if let Ok(folder) = library() {
            let others = env::var_os("LD_LIBRARY_PATH").filter(|folders| !folders.is_empty());
            let folders = others.iter().flat_map(env::split_paths).chain([folder]);
            command.env("LD_LIBRARY_PATH", env::join_paths(folders).map_err(|error| Failure::new(2, error))?);
        }
        if self.parts.are_given() {
            // Pointers that it gives to kernels or copies are the same in each part.
            cuda::same_addresses();
        }
        let error = command.exec();
        let name = program.to_string_lossy();
        Err(Failure::input_message(
            format!("{name} cannot be run: {error}"),
            "a program that `warpmesh cc` has made, with its path: ./prog",
        ))
    }

    /// A launch that is recorded is simulated.
    fn refuse_emulated(&self) -> Result<(), Failure> {
        let list = self.kernels.clone().or_else(|| given("WARPMESH_KERNELS")?.into_string().ok());
        let Some(list) = list else { return Ok(()) };
        // A variable that cannot be read is told by the program.
        let Ok(kernels) = list.parse::<LaunchList>() else { return Ok(()) };
        let message = match self.trace_launch {
            Some(launch) if !kernels.has(launch as usize) => {
                format!("launch {launch} cannot be recorded: it is emulated")
            }
            None if kernels.0.as_ref().is_some_and(Vec::is_empty) => {
                "no launch can be recorded: all are emulated".into()
            }
            _ => return Ok(()),
        };
        Err(Failure::input_message(message, format!("launches on the chip (--kernels, or WARPMESH_KERNELS): {list}")))
    }

    /// The configuration: of the option, or else of the environment, or else the one for programs.
    fn config(&self) -> PathBuf {
        let config = self.config.clone().or_else(|| given("WARPMESH_CONFIG").map(PathBuf::from));
        // A name of a shipped one stays a name.
        let config = config.unwrap_or(chip::OF_PROGRAMS.into());
        if config.is_file() { from_anywhere(&config).into() } else { config }
    }

    /// Overrides: those of the environment, then those of the options, of which the last one wins.
    fn params(&self) -> Vec<String> {
        let before = given("WARPMESH_PARAMS").map(|params| params.to_string_lossy().into_owned()).unwrap_or_default();
        let before = before.split(';').filter(|param| !param.is_empty()).map(String::from);
        before.chain(self.overrides.iter().cloned()).collect()
    }
}

/// What a variable of the environment says, if it is set and not empty.
fn given(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// The path of a place that is the same when the program goes to another folder.
fn from_anywhere(path: &Path) -> OsString {
    absolute(path).unwrap_or_else(|_| path.to_path_buf()).into_os_string()
}
