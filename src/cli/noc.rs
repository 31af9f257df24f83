//! `warpmesh noc`: the network of a chip alone, loaded with traffic and measured.

use super::{
    Failure,
    buffer_film::{self, FilmArgs},
    call,
    chip_args::ChipArgs,
    chip_groups::ChipGroups,
    choice::policy,
    engine_args::EngineArgs,
    interrupt::{self, Interrupt},
    loads::Loads,
    monitor_args::{self, MonitorArgs},
    output::{NewFile, OutputFolder, refuse_shared},
    print::print,
    progress::{Progress, Terminal},
    traffic_file::TrafficFiles,
};
use clap::{Args, builder::TypedValueParser};
use measure::{
    area::{
        ChipArea, FlitActivity, Layout, NetworkPower, PowerTechnology, Technology, TechnologyNode, power::channel_bits,
    },
    monitor::Monitor,
    open_loop::{
        Bench, Burst, Knee, LoadSetting, OpenLoopError, Pattern, Phases, RateMatrix, Sizes, Sweep, SweepProgress,
        Trace, Traffic, Transaction, bench::BEHAVIOURAL, series, sweep, traffic::memory_of_widths,
    },
    record::{NetworkEnding, NetworkRecord, Origin},
    report::{self, BufferSnapshots, FloorPlan, LinkUse, LoadPoint, LoadVerdict, NetworkPowerReport, OpenLoopReport},
};
use rtl::{chip::Chip, noc::MessageClass};
use sim::SimError;
use std::{path::PathBuf, sync::Arc};
use tracing::info;

/// Part of reads among requests for lines, when nothing else is said.
const READS: f64 = 0.9;

/// Part of the requests for the hot controller, likewise.
const HOT_SHARE: f64 = 0.2;

/// Part of the packets of cores for memory controllers in `cores-and-memories`.
const MEMORY_SHARE: f64 = 0.9;

/// Loads the network of a chip with traffic that does not wait for it, and measures latency.
///
/// Of the configuration only the network and the places of the memory controllers count. Loads are in flits per sender and cycle;
/// where packets are answered, those of requests.
#[derive(Args, Debug)]
pub struct Noc {
    #[command(flatten)]
    chips: ChipGroups,
    /// Who sends to whom.
    #[arg(long, value_name = "PATTERN", default_value = "many-to-few", value_parser = patterns())]
    traffic: Pattern,
    #[command(flatten)]
    files: TrafficFiles,
    /// Packets come in bursts: mean cycles that a source is on, and the part of the time that it is on, as in `20:0.25` (a Markov chain of two
    /// states). Without, packets are born independently in each cycle.
    #[arg(long, value_name = "CYCLES:DUTY")]
    burst: Option<Burst>,
    /// Measure these loads: numbers, and ranges with both ends in them, as in `0.05,0.1..0.3/0.05`.
    #[arg(long, value_name = "LOAD,FROM..TO/STEP,...", value_delimiter = ',', conflicts_with = "sweep")]
    rate: Vec<Loads>,
    /// Find the load at which latency reaches three times the zero-load latency, and measure the curve up to it. The default.
    #[arg(long)]
    sweep: bool,
    /// Packet sizes in flits, fixed (`4`) or mixed (`1:0.9,4:0.1`); where packets are answered, also those of replies.
    #[arg(long, value_name = "SIZES")]
    flits: Option<Sizes>,
    /// No packet is answered: all virtual channels are one class. The default but for many-to-few and hotspot.
    #[arg(long, conflicts_with = "request_reply")]
    one_way: bool,
    /// Every packet is answered, on virtual channels of its own. Without --flits: reads of one flit are answered with a line of 64
    /// bytes, writes of a line with one flit.
    #[arg(long)]
    request_reply: bool,
    /// Part of reads among such requests [default: 0.9].
    #[arg(long, value_name = "P", value_parser = share)]
    reads: Option<f64>,
    /// Part of the requests that go to memory controller 0 in `hotspot` [default: 0.2], to all memory controllers in `cores-and-memories` [default: 0.9].
    #[arg(long, value_name = "P", value_parser = share)]
    hot_share: Option<f64>,
    /// Cycles from the arrival of a request to the creation of its reply [default: 0].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    service: Option<u64>,
    /// Cycles before the measurement.
    #[arg(long, value_name = "N", default_value_t = Phases::default().warmup, value_parser = cycles(0))]
    warmup: u64,
    /// Cycles of the measurement: the packets created in them are measured.
    #[arg(long, value_name = "N", default_value_t = Phases::default().measure, value_parser = cycles(1))]
    measure: u64,
    /// Cycles after it in which all of them have to arrive, at the most.
    #[arg(long, value_name = "N", default_value_t = Phases::default().drain, value_parser = cycles(0))]
    drain: u64,
    /// Seed of the traffic.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    monitor: MonitorArgs,
    /// Also report the use of every link and virtual channel at every load of a sweep.
    #[arg(long)]
    links: bool,
    /// Print one JSON object instead of a table; with several configurations, a list of them.
    #[arg(long)]
    json: bool,
    /// Print a table with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw latency and throughput against load, a curve for each configuration.
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    plot: Option<PathBuf>,
    /// Draw the floor plan of one configuration with the use of its links, at the highest load below saturation.
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    heatmap: Option<PathBuf>,
    #[command(flatten)]
    film: FilmArgs,
    /// Also write a record to this new folder: what ran, configurations, and the reports with the use of every link at every load. `warpmesh
    /// report` makes a page of it.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Replace earlier drawings and records.
    #[arg(long)]
    force: bool,
}

/// Traffic patterns by name, with what they are in the help.
fn patterns() -> impl TypedValueParser<Value = Pattern> {
    policy::<Pattern>()
}

/// From 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or("0 to 1".into())
}

/// Lengths of phases that can be waited for.
fn cycles(least: u64) -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(least..=1_000_000_000)
}

fn svg(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(ending) if ending == "svg" => Ok(path),
        _ => Err("the file has to end in .svg".into()),
    }
}

impl Noc {
    /// Runs the command.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        let chosen = self.chips.chips()?;
        let chips = chosen.iter().map(|(chip, _)| chip.chip()).collect::<Result<Vec<_>, _>>()?;
        if let Some([key, value, other]) = chips.iter().find_map(Chip::behavioural) {
            return Err(Failure::input_message(
                format!("{key} = {value}: there is no network to load"),
                format!("`-P {key}={other}` loads the routers of this configuration"),
            ));
        }
        self.refuse_idle_options()?;
        let drawings = [
            ("--plot", self.plot.as_deref()),
            ("--heatmap", self.heatmap.as_deref()),
            ("--record", self.record.as_deref()),
        ];
        refuse_shared(&drawings.into_iter().chain(self.film.outputs()).collect::<Vec<_>>())?;
        if self.film.is_wanted() && (chips.len() > 1 || self.loads().len() != 1) {
            return Err(Failure::input_message(
                "--snapshots are of one configuration at one load",
                "name one configuration, and one load with --rate",
            ));
        }
        if self.heatmap.is_some() && chips.len() > 1 {
            return Err(Failure::input_message(
                format!("--heatmap draws one network, and there are {} configurations", chips.len()),
                "name one configuration; --plot draws several in one chart",
            ));
        }
        let monitor = self.monitor.start()?;
        let ended = self.load((&chips, &chosen), terminal, monitor.as_ref());
        monitor_args::end(monitor.as_ref(), &ended);
        ended
    }

    /// Measures these chips, and what is changed in each.
    fn load(
        &self,
        (chips, chosen): (&[Chip], &[(ChipArgs, String)]),
        terminal: Terminal,
        monitor: Option<&Monitor>,
    ) -> Result<(), Failure> {
        let (matrix, trace) = (self.files.matrix()?, self.files.trace()?);
        let claim = |file: &Option<PathBuf>| file.as_ref().map(|file| NewFile::claim(file, self.force)).transpose();
        let (plot, heatmap, film) = (claim(&self.plot)?, claim(&self.heatmap)?, self.film.claim(self.force)?);
        let folder = self.record.as_ref().map(|folder| OutputFolder::claim(folder, self.force)).transpose()?;
        let named = chips.iter().zip(chosen);
        let named: Vec<_> =
            named.map(|(chip, (_, suffix))| (chip, format!("{}{suffix}", chip.config().name))).collect();
        let record = folder.map(|folder| (folder, NetworkRecord::new(&named, self.traffic_name(), self.seed)));
        let (mut reports, mut plan, mut snapshots, mut failures) = (vec![], None, None, vec![]);
        let mut recorded = vec![];
        let (mut progress, mut done) = (Progress::new(terminal).on_page(monitor), 0);
        for (number, (chip, name)) in (1..).zip(named) {
            let which = Which { name, number, of: chips.len(), done };
            let measured = match &trace {
                Some(trace) => self.follow(chip, trace, &which, &mut progress),
                None => self.measure(chip, matrix.clone(), &which, &mut progress),
            };
            match measured {
                Ok(MeasuredNetwork { mut report, swept, floor_plan, snapshots: taken }) => {
                    done += report.simulated_cycles;
                    recorded.extend(record.as_ref().map(|_| report.clone()));
                    if swept && !self.links {
                        report.points.iter_mut().for_each(|point| point.links.clear());
                    }
                    reports.push(report);
                    (plan, snapshots) = (floor_plan, taken);
                }
                Err(failure) => failures.push(Err(failure)),
            }
            if Interrupt::watch().is_asked() {
                failures.push(Err(Failure::said(interrupt::CODE)));
                break;
            }
        }
        if reports.is_empty() {
            return Failure::first_of(failures);
        }
        // What has been found is said before anything else can fail.
        reports.iter().for_each(|report| call::report(|| report.to_string(), || report.json()));
        let text = self.text(&reports);
        let printed = print(&text);
        let written = record.map_or(Ok(()), |(folder, record)| {
            let errors = failures.iter().filter_map(|failed: &Result<(), Failure>| failed.as_ref().err());
            let errors = errors.flat_map(|failure| &failure.reports).map(ToString::to_string).collect();
            let ending = NetworkEnding { interrupted: Interrupt::watch().is_asked(), errors };
            folder.write_bytes(&record.files(&ending, &recorded))
        });
        let deadlocked = |point: &LoadPoint| point.verdict == LoadVerdict::Deadlocked;
        let ended = match reports.iter().flat_map(|report| &report.points).any(deadlocked) {
            true => Err(Failure::said(3)),
            false => Ok(()),
        };
        let draw = |plot: NewFile| {
            let curves = report::curves(&reports, self.is_of_memory());
            plot.write(&curves.map_err(|cause| Failure::new(2, format!("{}: {cause}", plot.path().display())))?)
        };
        let drawn = plot.map_or(Ok(()), draw);
        let planned = heatmap.zip(plan).map_or(Ok(()), |(file, plan)| file.write(&plan.svg()));
        let filmed = snapshots.map_or(Ok(()), |snapshots| buffer_film::write(&film, &snapshots));
        if let Some(monitor) = monitor {
            let verdict = match (&ended, failures.is_empty()) {
                _ if Interrupt::watch().is_asked() => "INTERRUPTED: all numbers are those up to there",
                (Err(_), _) => "DEADLOCKED at some load",
                (Ok(()), false) => "ended with an error of some configuration",
                (Ok(()), true) => "completed",
            };
            monitor.end(verdict.into(), text);
        }
        Failure::first_of(failures.into_iter().chain([ended, printed, drawn, planned, filmed, written]))
    }

    /// Options that would change nothing.
    fn refuse_idle_options(&self) -> Result<(), Failure> {
        let idle = |option: &str, why: &str, help: &str| {
            Err(Failure::input_message(format!("{option} has no effect: {why}"), format!("leave it out; {help}")))
        };
        if self.reads.is_some() && (self.flits.is_some() || !self.is_answered()) {
            let why = if self.flits.is_some() { "--flits gives the sizes" } else { "packets are not answered" };
            return idle("--reads", why, "it is the part of reads among requests of memory traffic without --flits");
        }
        if self.service.is_some() && !self.is_answered() {
            return idle("--service", "packets are not answered", "it is the time from a request to its reply");
        }
        if self.hot_share.is_some()
            && (self.files.are_given() || !matches!(self.traffic, Pattern::Hotspot | Pattern::CoresAndMemories))
        {
            let help = "it belongs to --traffic hotspot and cores-and-memories";
            return idle("--hot-share", "the traffic has no hot controller", help);
        }
        Ok(())
    }

    fn text(&self, reports: &[OpenLoopReport]) -> String {
        match reports {
            _ if self.csv => report::csv(reports),
            [one] if self.json => one.json(),
            several if self.json => serde_json::to_string_pretty(several).expect("numbers and strings only"),
            all => all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"),
        }
    }

    /// Cores ask and memory controllers answer.
    fn is_of_memory(&self) -> bool {
        self.traffic.is_of_memory() && !self.files.are_given()
    }

    /// What is sent, for reports.
    fn traffic_name(&self) -> String {
        self.files.name().unwrap_or_else(|| self.traffic.name().into())
    }

    /// Packets are answered.
    fn is_answered(&self) -> bool {
        self.request_reply || self.is_of_memory() && !self.one_way
    }

    /// What is sent on a chip with flits (of requests and of replies) and lines of these sizes.
    fn traffic(&self, flit_bytes: [u32; 2], line_bytes: u32, matrix: Option<Arc<RateMatrix>>) -> Traffic {
        let answered = self.is_answered();
        let transactions: Vec<Transaction> = match (&self.flits, answered) {
            (Some(sizes), true) => sizes.echoed(),
            (Some(sizes), false) => sizes.one_way(),
            (None, true) => {
                memory_of_widths(self.reads.unwrap_or(READS), flit_bytes.map(|flit| line_bytes.div_ceil(flit)))
            }
            (None, false) => Sizes::fixed(1).one_way(),
        };
        Traffic {
            pattern: self.traffic,
            hot_share: self.hot_share.unwrap_or(match self.traffic {
                Pattern::CoresAndMemories => MEMORY_SHARE,
                _ => HOT_SHARE,
            }),
            transactions,
            service: self.service.unwrap_or(0),
            matrix,
            burst: self.burst,
        }
    }

    /// The loads that were asked for; none: a sweep.
    fn loads(&self) -> Vec<f64> {
        self.rate.iter().flat_map(|Loads(loads)| loads).copied().collect()
    }

    /// Sends a trace.
    fn follow(
        &self,
        chip: &Chip,
        trace: &Arc<Trace>,
        which: &Which,
        progress: &mut Progress,
    ) -> Result<MeasuredNetwork, Failure> {
        let flit_bytes = chip.format_of(MessageClass::Request).width / 8;
        info!("building the network of `{}`", which.name);
        let failure = |error| failure(chip, &self.traffic_name(), error);
        let network = chip.fabric().params();
        let bench = progress.preparing(|_| Bench::of_trace(network, trace, &self.engine.options()));
        let mut bench = bench.map_err(failure)?;
        bench.interrupt_on(Interrupt::watch().flag());
        let of = which.done + trace.last_cycle().max(1) * (which.of - which.number + 1) as u64;
        let each_cycle = |cycle| {
            let done = which.done + cycle;
            progress.cycle(done, Some(of.max(done)), || format!("{}, {}", which.name, self.traffic_name()));
        };
        let followed = bench.follow(self.drain, flit_bytes, each_cycle);
        progress.finish();
        let point = followed.map_err(failure)?;
        let (packets, flits) = trace.size();
        let cycles = bench.simulated().0;
        let found = NocOutcome {
            packets: format!("{packets} packets, {flits} flits"),
            makespan: (point.verdict == LoadVerdict::Completed).then_some(cycles),
            sweep: Sweep { knee: None, points: vec![point], interrupted: false },
            phases: [0, cycles, self.drain],
            cycles,
            swept: false,
        };
        Ok(self.report(chip, which, bench, found))
    }

    fn measure(
        &self,
        chip: &Chip,
        matrix: Option<Arc<RateMatrix>>,
        which: &Which,
        progress: &mut Progress,
    ) -> Result<MeasuredNetwork, Failure> {
        let config = chip.config();
        // Of replies by overlays the flits are narrower than the reply network's were.
        let channels = MessageClass::ALL.map(|class| chip.format_of(class).width / 8);
        let as_written = matrix.as_ref().filter(|_| self.rate.is_empty() && !self.sweep).map(|m| m.mean_load());
        let traffic = self.traffic(channels, config.memory.line_bytes, matrix);
        let [flit_bytes, _] = channels;
        let network = chip.fabric().params();
        let phases = Phases { warmup: self.warmup, measure: self.measure, drain: self.drain };
        info!("building the network of `{}`", which.name);
        let failure = |error| failure(chip, &self.traffic_name(), error);
        let bench = progress.preparing(|_| Bench::new(network, &traffic, &self.engine.options()));
        let mut bench = bench.map_err(failure)?;
        let loads = as_written.map_or_else(|| self.loads(), |load| vec![load]);
        loads.iter().try_for_each(|load| bench.check(*load, phases)).map_err(failure)?;
        bench.interrupt_on(Interrupt::watch().flag());
        if self.film.is_wanted() {
            let title = format!("{}, {}, {} flits per sender and cycle", which.name, self.traffic_name(), loads[0]);
            bench.take_snapshots(title, self.film.snapshot_interval);
        }
        let mut told = None;
        let each_cycle = |step: SweepProgress| {
            if told.replace(step.number) != Some(step.number) {
                info!("load {}", step.load);
            }
            // The other configurations take about as long.
            let of = which.done + step.of * (which.of - which.number + 1) as u64;
            progress.cycle(which.done + step.cycles, Some(of), || which.describe(&step, loads.is_empty()));
        };
        let setting = LoadSetting { phases, seed: self.seed, flit_bytes };
        let found = match loads[..] {
            [] => sweep(&mut bench, setting, each_cycle),
            _ => series(&mut bench, &loads, setting, each_cycle),
        };
        progress.finish();
        let found = NocOutcome {
            packets: traffic.describe(),
            makespan: None,
            sweep: found.map_err(failure)?,
            phases: [self.warmup, self.measure, self.drain],
            cycles: self.measure,
            swept: loads.is_empty(),
        };
        Ok(self.report(chip, which, bench, found))
    }

    /// The report of what has been found.
    fn report(&self, chip: &Chip, which: &Which, bench: Bench, found: NocOutcome) -> MeasuredNetwork {
        let NocOutcome { packets, makespan, sweep: Sweep { knee, points, interrupted }, phases, cycles, swept } = found;
        let flit_bytes = chip.format_of(MessageClass::Request).width / 8;
        let nodes = &chip.fabric().params().nodes;
        let power = points.iter().map(|point| network_power(chip, &bench, &point.links, cycles as f64)).collect();
        let floor_plan =
            self.heatmap.as_ref().and_then(|_| floor_plan(&which.name, &self.traffic_name(), &bench, &points));
        let (saturation_load, saturation_below) = match knee {
            Some(Knee::At(load)) => (Some(load), None),
            Some(Knee::Below(load)) => (None, Some(load)),
            Some(Knee::None(_)) | None => (None, None),
        };
        let (simulated_cycles, wall) = bench.simulated();
        let report = OpenLoopReport {
            format_version: 1,
            config: which.name.clone(),
            traffic: self.traffic_name(),
            seed: self.seed,
            zero_load_latency: bench.zero_load().mean,
            zero_load_measured: bench.zero_load().measured,
            saturation_load,
            saturation_below,
            technology_nm: TECHNOLOGY.nm(),
            clock_mhz: chip.config().clocks.noc.into(),
            power,
            saturation_bytes: saturation_load.map(|load| load * f64::from(flit_bytes)),
            points,
            makespan,
            interrupted,
            packets,
            nodes: [nodes.columns(), nodes.rows()],
            senders: bench.senders(),
            flit_bytes,
            phases,
            behavioural: BEHAVIOURAL.map(String::from).to_vec(),
            behavioural_share: bench.behavioural_share(),
            simulated_cycles,
            wall_seconds: wall.as_secs_f64(),
            preparation_seconds: bench.preparation().as_secs_f64(),
            origin: Some(Origin::new([(which.name.clone(), chip)], vec![])),
        };
        MeasuredNetwork { report, swept, floor_plan, snapshots: bench.snapshots().cloned() }
    }
}

/// What a measurement has found.
struct NocOutcome {
    /// What was sent.
    packets: String,
    /// Of a trace.
    makespan: Option<u64>,
    sweep: Sweep,
    /// Cycles of warm-up and measurement, and at most of drain.
    phases: [u64; 3],
    /// Cycles that use of links is counted in.
    cycles: u64,
    /// The loads were chosen by the sweep.
    swept: bool,
}

/// What is reported of a configuration.
struct MeasuredNetwork {
    /// With the use of all links.
    report: OpenLoopReport,
    /// The loads were chosen by the sweep.
    swept: bool,
    floor_plan: Option<FloorPlan>,
    snapshots: Option<BufferSnapshots>,
}

/// Which of several configurations is measured.
struct Which {
    name: String,
    /// From 1 on.
    number: usize,
    of: usize,
    /// Cycles of those before.
    done: u64,
}

impl Which {
    /// What is measured: `default, 1 of 2, load 3 of about 20: 0.04`.
    fn describe(&self, step: &SweepProgress, is_sweep: bool) -> String {
        let SweepProgress { load, number, loads, .. } = step;
        let configuration = if self.of > 1 { format!(", {} of {}", self.number, self.of) } else { String::new() };
        let about = if is_sweep { "about " } else { "" };
        format!("{}{configuration}, load {number} of {about}{loads}: {load}", self.name)
    }
}

/// Of the highest load that the network takes; of the lowest when it takes none.
fn floor_plan(name: &str, traffic: &str, bench: &Bench, points: &[LoadPoint]) -> Option<FloorPlan> {
    let taken = points.iter().rev().find(|point| point.verdict == LoadVerdict::Converged);
    let point = taken.or(points.first())?;
    let title = format!(
        "Use of links, {name}, {traffic}: {:.3} flits per sender and cycle, {}",
        point.offered,
        point.verdict.name()
    );
    let fabric = bench.fabric();
    Some(FloorPlan::new(title, fabric, point.links.clone()))
}

/// Node that power is computed at.
const TECHNOLOGY: TechnologyNode = TechnologyNode::Nm65;

/// Of the network that is loaded, with the channels of the configuration: the bench's are only as wide as its checks need.
fn network_power(chip: &Chip, bench: &Bench, links: &[LinkUse], cycles: f64) -> NetworkPowerReport {
    let technology = Technology::at(TECHNOLOGY);
    let area = ChipArea::new(chip, Layout::Tile, &technology);
    let activity = FlitActivity::of_links(bench.fabric(), links, cycles);
    let power = PowerTechnology::at(technology.node);
    let widths = channel_bits(chip.fabric());
    let hertz = 1e6 * f64::from(chip.config().clocks.noc);
    NetworkPowerReport::from(&NetworkPower::of_width(bench.fabric(), &widths, &activity, &area, &power, hertz))
}

/// What is said of an error, and the exit code that it has.
fn failure(chip: &Chip, traffic: &str, error: OpenLoopError) -> Failure {
    let code = match &error {
        OpenLoopError::Network(problem) => {
            let error = chip.network_problem(problem);
            let message = format!("{error} with --traffic {traffic}");
            return Failure::input_message(message, format!("allowed: {}", error.allowed));
        }
        OpenLoopError::Traffic(_) | OpenLoopError::Simulation(SimError::Memory { .. }) => 2,
        OpenLoopError::Elaboration(_) => 1,
        OpenLoopError::Simulation(_) | OpenLoopError::Broken { .. } => 4,
        OpenLoopError::Interrupted => interrupt::CODE,
    };
    Failure::new(code, error)
}
