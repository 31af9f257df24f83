//! `warpmesh run`: a kernel on a chip, to its verified end.

mod failure;
mod launch;
mod saved;
mod timeline;

use super::{
    Failure,
    buffer_film::{self, FilmArgs},
    call,
    chip_args::ChipArgs,
    engine_args::{EngineArgs, engines},
    hazard::Hazard,
    interrupt::{self, Interrupt},
    monitor_args::{self, MonitorArgs},
    nearest::nearest,
    output::{NewFile, OutputFolder, refuse_shared},
    over_time::OverTime,
    print::print,
    progress::{Progress, Terminal},
    record,
    renamed::{renamed_knob, renamed_twins},
    run_steps::{self, RunArgs},
    saved_args::{Saved, SavedArgs},
};
use clap::{ArgGroup, Args, ValueEnum};
use cuda::{INTERVAL, seconds};
pub(super) use failure::{failure, issue_failure};
use failure::{no_such_statistic, timeline_failure};
pub(super) use launch::{kernel_launch, read_launch};
use measure::{
    host::{
        HostError,
        driver::{Host, Limits},
        functional::{MemoryWatch, run_functional},
        residency,
        run::{Parts, RunState, run_in_parts},
    },
    issue_spec::IssueSpec,
    monitor::{self, LaunchWatch, Monitor},
    record::{Origin, RecordSettings, RunRecord, Workload},
    report::{BufferSnapshots, IssueSlots, RunReport, Samples, StatisticRow, Verdict, statistics_table},
    session::Settings,
    timeline::RunTimeline,
    wave::{self, WaveSpec},
};
use program::{
    Launch,
    kernels::Setting,
    memcheck::CheckKinds,
    run_file::{self, RunFile},
};
use rtl::chip::{Chip, to_toml};
use sim::{Engine, Options, Pass, Passes, SimError, Simulator, WaveView};
use std::{
    cell::RefCell,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};
pub(super) use timeline::TimelineArgs;
use tracing::info;

/// What `--profile` is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ProfileOf {
    /// Where the time of the simulation goes
    Time,
    /// Registers, nets and bits that change at a clock edge, the energy of that, and instances in which any do; computed by words without passes and intrinsics
    Activity,
}

/// Runs a kernel on a chip, checks its result, and reports.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("over_time").args(["samples", "record"]).multiple(true)))]
pub struct Run {
    #[command(flatten)]
    chip: ChipArgs,
    /// A kernel that comes with the program (see `warpmesh list kernels`).
    #[arg(long, value_name = "NAME", default_value = DEFAULT_KERNEL, conflicts_with = "launch")]
    kernel: String,
    /// Problem size of that kernel: elements, matrix rows or graph nodes.
    #[arg(long, value_name = "N", conflicts_with = "launch")]
    size: Option<u32>,
    /// Sets a parameter of that kernel (see `warpmesh list kernel-params`). May be given several times.
    #[arg(long = "kernel-param", value_name = "PARAM=N", conflicts_with = "launch")]
    kernel_params: Vec<Setting>,
    #[arg(long = "knob", hide = true, value_parser = renamed_knob)]
    _knob: Option<Setting>,
    /// Your own kernel: a launch file; or several launches: a run file.
    #[arg(long, value_name = "FILE.toml")]
    launch: Option<PathBuf>,
    /// Seed of random input data.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Run the kernel on the emulator instead of the chip: the same result, thousands of times as fast, without cycles. What only a simulated
    /// chip has cannot be asked for.
    #[arg(long, conflicts_with_all = OF_THE_CHIP)]
    functional: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Also run a second engine, plainly (one thread, no intrinsics, no passes), and stop at the first difference. Without a name: `word`;
    /// `interpreter` shares no code with the others, and is some twenty times as slow.
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, require_equals = true, default_missing_value = "word", value_parser = engines())]
    validate: Option<Engine>,
    /// Passes of the engines: names with commas between, `all`, `none`, or names with `-` before to leave them out (see
    /// `warpmesh list passes`). The result does not depend on it.
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = passes, allow_hyphen_values = true)]
    passes: Passes,
    /// Also print which engine simulates which tiles, and why.
    #[arg(long)]
    explain: bool,
    /// Also print, by block, where the time of the simulation goes, or what changes from one clock edge to the next. On one thread.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "time")]
    profile: Option<ProfileOf>,
    /// Evaluate arithmetic blocks as hardware instead of calling their native intrinsics.
    #[arg(long)]
    no_intrinsics: bool,
    #[arg(long = "no-twins", hide = true, num_args = 0, default_missing_value = "", value_parser = renamed_twins)]
    _no_twins: Option<bool>,
    /// Record a waveform: FILE.fst or FILE.vcd, then `:` and instance paths, then `@` and cycles, both optional:
    /// `--wave out.fst:core0,router5@1000..2000`.
    #[arg(long, value_name = "SPEC")]
    wave: Option<WaveSpec>,
    /// Also write a file with which a viewer opens the waveform and shows clocks, and of each selected instance the states and opcodes in it and
    /// its ports: a save file, FILE.gtkw (`gtkwave FILE.gtkw`), or a command file of Surfer, FILE.sucl. May be given several times.
    #[arg(long, value_name = "FILE", requires = "wave", value_parser = wave::view)]
    wave_view: Vec<WaveView>,
    /// Write what issue slots are used for: FILE.csv, FILE.svg for a picture of at most 1000 cycles, or FILE.pftrace, a timeline of
    /// all warps for Perfetto; then `:` and cores, then `@` and
    /// cycles, both optional: `--issue-trace slots.svg:core0@1000..1200`. May be given several times.
    #[arg(long, value_name = "SPEC")]
    issue_trace: Vec<IssueSpec>,
    #[command(flatten)]
    timeline: TimelineArgs,
    /// Print performance counters: statistics whose place and name match, such as `front_end`, `core3.front_end.slots_lost_*`
    /// or `router*.output_unit*` (see `warpmesh list statistics`). May be given several times.
    #[arg(long, value_name = "PATTERN")]
    stats: Vec<String>,
    /// Also write these statistics over time: what each interval has added.
    #[arg(long, value_name = "FILE.csv", requires = "stats")]
    samples: Option<PathBuf>,
    /// Also write a record to this new folder: what ran, configuration, report, and all statistics over time as Parquet. A row is an interval
    /// with its launch, its last cycle, and what it has added to each statistic; `NAME.values` says how many values a sum is of.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Cycles of an interval of --samples and --record.
    #[arg(long, value_name = "N", default_value_t = INTERVAL, requires = "over_time", value_parser = clap::value_parser!(u64).range(1..))]
    interval: u64,
    #[command(flatten)]
    film: FilmArgs,
    /// Stop after this many cycles.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: u64,
    /// Stop after this many seconds by the clock, the time to build and compile the chip included.
    #[arg(long, value_name = "S", value_parser = seconds)]
    max_seconds: Option<Duration>,
    #[command(flatten)]
    saved: SavedArgs,
    #[command(flatten)]
    monitor: MonitorArgs,
    /// Also look for races between warps of a block and between blocks, and for shared and local memory that is read before it is written. What is found stops
    /// the run.
    #[arg(long, value_name = "KIND", value_delimiter = ',', conflicts_with = "no_memory_checks")]
    check: Vec<Hazard>,
    /// Run the kernel also when it leaves its buffers, is misaligned or uses another block's shared memory.
    #[arg(long)]
    no_memory_checks: bool,
    /// Print one JSON object instead of the report.
    #[arg(long)]
    json: bool,
    /// Also write the report, the JSON object and the configuration to this new folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace earlier files or an output folder.
    #[arg(long)]
    force: bool,
}

/// What a simulation has found.
struct RunOutcome {
    report: RunReport,
    /// Statistics over time, if they were asked for.
    sampled: Option<String>,
    /// What routers hold over time, likewise.
    snapshots: Option<BufferSnapshots>,
    /// Issue slots, of each trace that was asked for.
    traced: Vec<IssueSlots>,
    /// The timeline, which is not joined yet.
    timeline: Option<RunTimeline>,
    /// Whether the waveform could be written.
    wave: Result<(), Failure>,
    /// Whether the state could, if it was to be.
    saved: Result<(), Failure>,
}

/// Options that need the chip.
const OF_THE_CHIP: [&str; 20] = [
    "engine",
    "threads",
    "no_cache",
    "validate",
    "passes",
    "explain",
    "profile",
    "no_intrinsics",
    "wave",
    "wave_view",
    "issue_trace",
    "trace",
    "stats",
    "samples",
    "record",
    "snapshots",
    "max_cycles",
    "save",
    "resume",
    "monitor",
];

/// What `warpmesh` without arguments runs.
const DEFAULT_KERNEL: &str = "matmul";

/// A list of passes.
fn passes(text: &str) -> Result<Passes, String> {
    Passes::parse(text).map_err(|unknown| {
        let names: Vec<_> = Pass::ALL.iter().map(|pass| pass.name()).collect();
        format!("no pass is called `{unknown}`; {}", nearest(&unknown, &names))
    })
}

impl Run {
    /// Runs the command.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        let deadline = self.max_seconds.map(|limit| Instant::now() + limit);
        let mut outputs = vec![
            ("--out", self.out.as_deref()),
            ("--samples", self.samples.as_deref()),
            ("--record", self.record.as_deref()),
            ("--save", self.saved.save.as_deref()),
            ("--wave", self.wave.as_ref().map(WaveSpec::file)),
            ("--trace", self.timeline.file()),
        ];
        outputs.extend(self.film.outputs());
        outputs.extend(self.wave_view.iter().map(|view| ("--wave-view", Some(view.file.as_path()))));
        outputs.extend(self.issue_trace.iter().map(|spec| ("--issue-trace", Some(spec.file()))));
        refuse_shared(&outputs)?;
        let engine = self.engine.options().engine;
        if self.profile == Some(ProfileOf::Activity) && ![Engine::Auto, Engine::Word].contains(&engine) {
            let message = format!(
                "--profile=activity works with --engine word only, not {engine}: other engines do not keep the value of every net"
            );
            return Err(Failure::input_message(message, "leave out --engine"));
        }
        if self.profile == Some(ProfileOf::Activity) && (self.saved.save.is_some() || self.saved.resume.is_some()) {
            let message =
                "--profile=activity does not go with --save or --resume: the state of such a run is another one";
            return Err(Failure::input_message(message, "run the whole kernel with --profile=activity"));
        }
        let chip = self.chip.chip()?;
        if let Some(file) = &self.launch
            && let Some(file) = run_file::load(file, self.seed, &chip.target()).map_err(Failure::input)?
        {
            return self.run_steps(chip, &file, deadline);
        }
        let launch = self.read_launch(&chip)?;
        residency(&chip, &launch).map_err(failure)?;
        if self.functional {
            return self.emulate(&chip, &launch, deadline);
        }
        let saved = self.saved(&chip, &launch)?;
        let monitor = self.monitor.start()?;
        let ended = self.run_launch((&chip, &launch), deadline, terminal, saved, monitor.as_ref());
        monitor_args::end(monitor.as_ref(), &ended);
        ended
    }

    /// Runs a launch, and writes all that was asked for.
    fn run_launch(
        &self,
        (chip, launch): (&Chip, &Launch),
        deadline: Option<Instant>,
        terminal: Terminal,
        saved: Saved,
        monitor: Option<&Monitor>,
    ) -> Result<(), Failure> {
        let output = self.out.as_ref().map(|folder| OutputFolder::claim(folder, self.force)).transpose()?;
        let folder = self.record.as_ref().map(|folder| OutputFolder::claim(folder, self.force)).transpose()?;
        let mut record = folder.map(|folder| (folder, RunRecord::new(chip, self.record_settings())));
        if let Some(wave) = &self.wave {
            NewFile::claim(wave.file(), self.force)?;
        }
        for view in &self.wave_view {
            NewFile::claim(&view.file, self.force)?;
        }
        let samples = self.samples.as_ref().map(|file| NewFile::claim(file, self.force)).transpose()?;
        if let Some([key, value, other]) = chip.behavioural().filter(|_| self.film.is_wanted()) {
            return Err(Failure::input_message(
                format!("--snapshots has no effect: {key} = {value}, there are no routers"),
                format!("`-P {key}={other}` has them"),
            ));
        }
        let film = self.film.claim(self.force)?;
        let claim = |spec: &IssueSpec| {
            spec.cores(chip).map_err(issue_failure).and_then(|_| NewFile::claim(spec.file(), self.force))
        };
        let traces = self.issue_trace.iter().map(claim).collect::<Result<Vec<_>, _>>()?;
        let timeline_file = self.timeline.claim(chip, self.force)?;
        let recorded = record.as_mut().map(|(_, record)| record);
        let outcome = self.simulate((chip, launch), deadline, terminal, recorded, saved, monitor);
        let RunOutcome { report, sampled, snapshots, traced, timeline, wave, saved } = match (outcome, record.as_ref())
        {
            (Ok(outcome), _) => outcome,
            // Before the first cycle there is nothing to keep.
            (Err(failure), Some((folder, record))) if record.samples.has_begun() => {
                let kept = record::write(folder, record, &record::failed(&failure), None);
                return Failure::first_of([Err(failure), kept]);
            }
            (Err(failure), _) => return Err(failure),
        };
        let ended = exit(report.verdict, report.succeeded());
        // What has been found is said before anything else can fail.
        call::report(|| self.text(&report), || report.json());
        let text = if self.json { report.json() } else { self.text(&report) };
        let printed = print(&text);
        let written = output.map_or(Ok(()), |output| write(&output, chip, &report.json(), &self.text(&report)));
        let recorded = record.map_or(Ok(()), |(folder, record)| {
            record::write(&folder, &record, &record::ended(&report), Some(&report.json()))
        });
        let samples = samples.zip(sampled).map_or(Ok(()), |(file, text)| file.write(&text));
        let filmed = snapshots.map_or(Ok(()), |snapshots| buffer_film::write(&film, &snapshots));
        let traces = self.issue_trace.iter().zip(&traces).zip(&traced);
        let traces = traces.map(|((spec, file), slots)| file.write_bytes(&spec.content(slots).map_err(issue_failure)?));
        let timeline = timeline_file.zip(timeline).map_or(Ok(()), |(file, timeline)| {
            file.write_bytes(&timeline.finish(report.all_cycles()).map_err(timeline_failure)?)
        });
        let all = [ended, printed, saved, wave, written, recorded, samples, filmed, timeline];
        let all = Failure::first_of(all.into_iter().chain(traces));
        if let Some(monitor) = monitor {
            monitor.end(monitor::verdict(&report), text);
        }
        all
    }

    /// Runs several launches.
    fn run_steps(&self, chip: Chip, file: &RunFile, deadline: Option<Instant>) -> Result<(), Failure> {
        let of_one_launch = [
            ("--wave", self.wave.is_some()),
            ("--issue-trace", !self.issue_trace.is_empty()),
            ("--trace", self.timeline.file().is_some()),
            ("--stats", !self.stats.is_empty()),
            ("--samples", self.samples.is_some()),
            ("--snapshots", self.film.is_wanted()),
            ("--explain", self.explain),
            ("--profile", self.profile.is_some()),
            ("--check", !self.check.is_empty()),
            ("--save", self.saved.save.is_some()),
            ("--resume", self.saved.resume.is_some()),
        ];
        if let Some((option, _)) = of_one_launch.iter().find(|(_, given)| *given) {
            let message = format!("{option} is for a single launch, and {} has several", file.file);
            let help =
                "make a launch file of the launch that it is for: its buffers can be `file`s that a `dump` has written";
            return Err(Failure::input_message(message, help));
        }
        let limits = Limits { max_cycles: self.max_cycles, deadline, ..Limits::default() };
        let monitor = self.monitor.start()?;
        let settings = Settings {
            on_chip: self.functional.then(Vec::new),
            memory_checks: !self.no_memory_checks,
            limits,
            options: self.options(),
            interrupt: Some(Interrupt::watch().flag()),
            record: self.record.as_ref().map(|_| self.record_settings()),
            monitor: monitor.clone(),
            ..Settings::default()
        };
        let (out, record, force, json) = (self.out.as_deref(), self.record.as_deref(), self.force, self.json);
        let workload = self.workload();
        let ended = run_steps::run(chip, file, RunArgs { settings, workload, deadline, out, record, force, json });
        monitor_args::end(monitor.as_ref(), &ended);
        ended
    }

    /// What a record is of.
    fn record_settings(&self) -> RecordSettings {
        RecordSettings { interval: self.interval, workload: self.workload() }
    }

    /// What runs.
    fn workload(&self) -> Workload {
        match &self.launch {
            Some(file) => record::of_file(file, self.seed),
            None => record::of_kernel(&self.kernel, self.size, &self.kernel_params, self.seed),
        }
    }

    /// How the chip is simulated.
    fn options(&self) -> Options {
        Options {
            validate: self.validate,
            intrinsics: !self.no_intrinsics,
            passes: self.passes,
            profile: self.profile == Some(ProfileOf::Time),
            activity: self.profile == Some(ProfileOf::Activity),
            ..self.engine.options()
        }
    }

    /// Runs on the emulator.
    fn emulate(&self, chip: &Chip, launch: &Launch, deadline: Option<Instant>) -> Result<(), Failure> {
        let output = self.out.as_ref().map(|folder| OutputFolder::claim(folder, self.force)).transpose()?;
        let interrupt = Interrupt::watch();
        let is_late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let stop = move || match () {
            () if interrupt.is_asked() => Some(Verdict::Interrupted),
            () if is_late() => Some(Verdict::TimeLimit),
            () => None,
        };
        let watch = MemoryWatch { enabled: !self.no_memory_checks, check_kinds: self.check_kinds() };
        info!("executing on the emulator");
        let mut report = run_functional(chip, launch, self.seed, watch, stop).map_err(|error| match error {
            // Memory ends for the emulator, checked or not.
            HostError::Memory(fault) if self.no_memory_checks => Failure { code: 1, reports: vec![(*fault).into()] },
            error => failure(error),
        })?;
        report.origin = Some(Origin::new([(report.config.clone(), chip)], vec![self.workload()]));
        let ended = exit(report.verdict, report.succeeded());
        call::report(|| report.to_string(), || report.json());
        let printed = print(&if self.json { report.json() } else { report.to_string() });
        let written = output.map_or(Ok(()), |output| write(&output, chip, &report.json(), &report.to_string()));
        Failure::first_of([ended, printed, written])
    }

    /// What checks on memory look for beside addresses.
    fn check_kinds(&self) -> CheckKinds {
        Hazard::check_kinds(&self.check)
    }

    /// The report for a person, with what was asked for in addition.
    fn text(&self, report: &RunReport) -> String {
        let mut text = report.to_string();
        if self.explain {
            text += &format!("\n\n{}", report.simulation.explanation().trim_end());
        }
        if !report.statistics.is_empty() {
            text += &format!("\n\n{}", statistics_table(&report.statistics));
        }
        if let Some(profile) = &report.simulation.profile {
            text += &format!("\n\n{profile}");
        }
        if let Some(activity) = &report.simulation.activity {
            text += &format!("\n\n{activity}");
        }
        text
    }

    fn read_launch(&self, chip: &Chip) -> Result<Launch, Failure> {
        read_launch(chip, self.launch.as_deref(), &self.kernel, (self.size, &self.kernel_params), self.seed)
    }

    /// What has been found.
    fn simulate(
        &self,
        (chip, launch): (&Chip, &Launch),
        deadline: Option<Instant>,
        terminal: Terminal,
        record: Option<&mut RunRecord>,
        mut saved: Saved,
        monitor: Option<&Monitor>,
    ) -> Result<RunOutcome, Failure> {
        let options = self.options();
        let limits = Limits { max_cycles: self.max_cycles, deadline, ..Limits::default() };
        let mut progress = Progress::new(terminal).on_page(monitor);
        let wave = self.wave.clone().map(|wave| wave.with_views(self.wave_view.clone()));
        let mut wave_attached = wave.is_none();
        let (registers, words) = (launch.kernel.registers, launch.kernel.code.len());
        info!("kernel `{}`: {words} instructions, {registers} registers a thread", launch.name);
        info!(
            "grid {:?}, blocks of {:?} threads, {} bytes of memory",
            launch.grid,
            launch.block,
            launch.memory_bytes()
        );
        info!("building and compiling the chip");
        let mut host = progress.preparing(|_| Host::new(chip, &options)).map_err(failure)?;
        host.check_memory(!self.no_memory_checks);
        host.set_check_kinds(self.check_kinds());
        // A pattern that matches nothing is told before anything runs.
        let counted = host.statistics();
        let selection = counted.select(&self.stats).map_err(no_such_statistic)?;
        let samples = self.samples.as_ref().map(|_| Samples::new(&counted, selection.clone(), self.interval));
        let mut over_time = OverTime {
            samples: samples.map(|samples| (self.samples_of(), samples)),
            record: record.map(|record| (self.record_of(), &mut record.samples)),
            snapshots: self.film.is_wanted().then(|| {
                let title = format!("{}, {}", chip.config().name, launch.kernel.name);
                let mut snapshots = BufferSnapshots::of_chip(title, self.film.snapshot_interval, chip.fabric());
                snapshots.begin(chip.fabric(), &counted);
                (self.film_of(), snapshots)
            }),
        };
        if let Some((_, recorded)) = &mut over_time.record {
            recorded.begin(1, &counted);
        }
        let from = saved.from.take().map(|from| {
            over_time.restore(&from.series).map_err(|damaged| failure(damaged.into()))?;
            Ok::<_, Failure>(from.state)
        });
        let from = from.transpose()?;
        let start = from.as_ref().map(|state| state.start);
        let over_time = RefCell::new(over_time);
        let attach = |spec: &IssueSpec| {
            let cores = spec.cores(chip).map_err(issue_failure)?;
            Ok::<_, Failure>(spec.attach(chip, launch, host.simulator(), &cores))
        };
        let mut traces = self.issue_trace.iter().map(attach).collect::<Result<Vec<_>, _>>()?;
        let timeline = self.timeline.spec()?.map(|spec| spec.attach(chip, launch, &mut host));
        let mut timeline = timeline.transpose().map_err(|error| failure(error.into()))?;
        let interrupt = Interrupt::watch();
        let ends = (limits.max_cycles, limits.watchdog);
        let mut watch = monitor.map(|monitor| LaunchWatch::new(monitor, (chip, launch), None, ends).started(start));
        let each_cycle = |simulator: &mut Simulator, cycle: u64| -> Result<(), SimError> {
            if let Some(wave) = wave.as_ref().filter(|_| !wave_attached) {
                wave.attach(simulator, start.unwrap_or(simulator.moment()))?;
                wave_attached = true;
            }
            over_time.borrow_mut().cycle(simulator, cycle, chip);
            traces.iter_mut().for_each(|trace| trace.cycle(simulator, cycle));
            timeline.iter_mut().for_each(|timeline| timeline.cycle(simulator, cycle));
            progress.cycle(cycle, None, String::new);
            watch.iter_mut().for_each(|watch| watch.cycle(simulator, cycle));
            if interrupt.is_asked() { Err(SimError::Interrupted) } else { Ok(()) }
        };
        let every = saved.every();
        let is_wanted = saved.is_wanted();
        let mut keep = |state: RunState| saved.keep(state, over_time.borrow_mut().saved());
        let keep: Option<&mut dyn FnMut(RunState)> = if is_wanted { Some(&mut keep) } else { None };
        let parts = Parts { from, every, keep, ..Parts::default() };
        info!("simulating");
        let report = run_in_parts(&mut host, launch, limits, self.seed, parts, each_cycle);
        progress.finish();
        if let (Some(watch), Ok(report)) = (&mut watch, &report) {
            watch.end(host.simulator(), report.all_cycles());
        }
        let mut over_time = over_time.into_inner();
        over_time.end(report.as_ref().ok().map(RunReport::all_cycles), &host.statistics());
        let mut unreached = host.simulator().unreached_waves();
        // A page may ask for some, too.
        unreached.retain(|(file, _)| self.wave.as_ref().is_some_and(|wave| wave.file() == file));
        let wave = host.simulator().finish_waves().map_err(|error| failure(error.into()));
        match report {
            Ok(mut report) => {
                let wave = wave.and_then(|()| nothing_recorded(&unreached, report.all_cycles()));
                let counted = host.statistics();
                report.simulation.origin = Some(Origin::new([(report.config.clone(), chip)], vec![self.workload()]));
                report.statistics = counted.selected(&selection).map(StatisticRow::from).collect();
                let OverTime { samples, snapshots, .. } = over_time;
                let sampled = samples.map(|(_, samples)| samples.finish(report.all_cycles(), &counted));
                let snapshots = snapshots.map(|(_, snapshots)| snapshots);
                let traced = traces.into_iter().map(|trace| trace.finish(report.all_cycles())).collect();
                Ok(RunOutcome { report, sampled, snapshots, traced, timeline, wave, saved: saved.end() })
            }
            Err(error) => Err(Failure::first_of([Err(failure(error)), wave]).expect_err("the first one is an error")),
        }
    }
}

/// Waveforms whose windows the run has not reached: there is no file then.
fn nothing_recorded(unreached: &[(PathBuf, u64)], cycles: u64) -> Result<(), Failure> {
    // A run that was interrupted before its first cycle has no window that it missed.
    let Some((file, from)) = unreached.iter().find(|(_, from)| *from >= cycles.max(1)) else { return Ok(()) };
    _ = fs::remove_file(file);
    Err(Failure::input_message(
        format!(
            "{} is not written: the run ended after {cycles} cycles, its window begins at cycle {from}",
            file.display()
        ),
        "choose an earlier window",
    ))
}

/// The exit code of a run that has ended so.
fn exit(verdict: Verdict, succeeded: bool) -> Result<(), Failure> {
    match verdict {
        Verdict::Completed if succeeded => Ok(()),
        Verdict::Completed => Err(Failure::said(1)),
        Verdict::CycleLimit | Verdict::TimeLimit | Verdict::Deadlocked => Err(Failure::said(3)),
        Verdict::Interrupted => Err(Failure::said(interrupt::CODE)),
    }
}

/// Fills the folder that was asked for.
fn write(output: &OutputFolder, chip: &Chip, json: &str, text: &str) -> Result<(), Failure> {
    output.write(&[
        ("report.json", format!("{json}\n")),
        ("report.txt", format!("{text}\n")),
        ("config.toml", to_toml(chip.config())),
    ])?;
    info!("wrote report.json, report.txt and config.toml to {}", output.path().display());
    Ok(())
}
