//! Runs in several parts: saved at three points, and resumed from each, they end like a run in a piece.

use warpmesh::{
    chip::Chip,
    host::{
        Host, Limits,
        run::{Parts, RunState, run_in_parts},
        saved::{StateReader, StateWriter, Stateful},
    },
    netlist::elaborate,
    program::{Launch, random::Random},
    record::{SampleTable, Workload},
    report::{BufferSnapshots, RunReport, Samples, Verdict},
    saved_run::{RunIdentity, SavedRun, SavedSeries},
    sim::{Engine, Options, Passes, SimError, Simulator, Snapshot},
    statistics::HardwareStatistics,
};

/// How a run in parts is checked.
pub struct PartsCheck<'c> {
    pub chip: &'c Chip,
    pub launch: &'c Launch,
    /// Begins the runs.
    pub options: &'c Options,
    /// Resume them, each from all three points.
    pub others: &'c [Options],
    /// The chip keeps to its buffers.
    pub memory_checks: bool,
    /// A run in a piece ends here at the latest.
    pub max_cycles: u64,
}

/// All that a run is found to be at its end.
#[derive(PartialEq)]
struct WholeRun {
    report: RunReport,
    memory: Vec<Vec<u8>>,
    statistics: HardwareStatistics,
    state: Snapshot,
    samples: String,
    table: Vec<u8>,
    film: Option<String>,
}

/// What is sampled.
struct SampledRun {
    samples: Samples,
    table: SampleTable,
    film: Option<BufferSnapshots>,
}

impl SampledRun {
    fn new(chip: &Chip, start: &HardwareStatistics, interval: u64) -> Self {
        let all = start.select(&["*".into()]).expect("every chip has statistics");
        let mut table = SampleTable::new(interval);
        table.begin(1, start);
        let film = (!chip.is_ideal()).then(|| {
            let mut film = BufferSnapshots::of_chip("film".into(), interval, chip.fabric());
            film.begin(chip.fabric(), start);
            film
        });
        Self { samples: Samples::new(start, all, interval), table, film }
    }

    fn cycle(&mut self, chip: &Chip, simulator: &mut Simulator, cycle: u64) {
        if self.samples.is_due(cycle) {
            self.samples.sample(cycle, &simulator.probes().into());
        }
        self.table.cycle(cycle, || simulator.probes().into());
        if let Some(film) = self.film.as_mut().filter(|film| film.is_due(cycle)) {
            film.take(cycle, chip.fabric(), &simulator.probes().into());
        }
    }

    fn save(&self) -> SavedSeries {
        let mut writer = StateWriter::default();
        self.samples.save(&mut writer);
        self.table.save(&mut writer);
        self.film.iter().for_each(|film| film.save(&mut writer));
        SavedSeries { of: "all".into(), state: writer.into_bytes() }
    }

    fn restore(&mut self, saved: &SavedSeries) {
        let mut reader = StateReader::new(&saved.state);
        self.samples.restore(&mut reader).expect("as saved");
        self.table.restore(&mut reader).expect("as saved");
        self.film.iter_mut().for_each(|film| film.restore(&mut reader).expect("as saved"));
        reader.end().expect("no more");
    }
}

impl PartsCheck<'_> {
    /// Cycles that were simulated, or what went wrong.
    pub fn check(&self) -> Result<u64, String> {
        let module = warpmesh::chip::build(self.chip).map_err(|error| error.to_string())?;
        let design = elaborate(&module).map_err(|error| error.to_string())?;
        let mut host = Host::with_design(self.chip, &design, self.options).map_err(|error| error.to_string())?;
        let power_on = host.simulator().save();
        let (once, _) = self.run(&mut host, None, (0, u64::MAX), u64::MAX)?;
        let cycles = once.report.all_cycles();
        // Some rows, whose ends are not where the run is saved.
        let run = |host: &mut Host, from: Option<&SavedRun>, every: u64, max_cycles: u64| {
            self.run(host, from, (every, cycles / 7 + 1), max_cycles)
        };
        let mut host = self.at_power_on(host, &power_on)?;
        let (whole, states) = run(&mut host, None, 0, u64::MAX)?;
        let has_ended = whole.report.verdict == Verdict::Completed && whole.report.verified != Some(false);
        let was_stopped = whole.report.verdict == Verdict::CycleLimit && cycles == self.max_cycles;
        if !(has_ended && states.is_empty() || was_stopped && states.len() == 1) {
            return Err(format!("in a piece: {}", whole.report));
        }
        let mut simulated = 2 * cycles;
        // The same again, saved on the way; then a run that a limit ends.
        let every = (cycles / 4).max(1);
        let mut host = self.at_power_on(host, &power_on)?;
        let (again, states) = run(&mut host, None, every, u64::MAX)?;
        same("saved on the way", &again, &whole)?;
        let points = &states[..states.len().min(3)];
        let mut host = self.at_power_on(host, &power_on)?;
        let (stopped, last) = run(&mut host, None, 0, every)?;
        if stopped.report.verdict != Verdict::CycleLimit || last[..] != points[..1] {
            return Err(format!("stopped at cycle {every}, {} states", last.len()));
        }
        simulated += cycles + every;
        drop(host);
        for options in self.others {
            let about = format!("{} with {} threads and passes {}", options.engine, options.threads, options.passes);
            let mut host = Host::with_design(self.chip, &design, options).map_err(|error| error.to_string())?;
            for (number, point) in points.iter().enumerate() {
                let at = format!("resumed at cycle {} of {cycles} on {about}", point.state.cycle);
                let (resumed, later) = run(&mut host, Some(point), every, u64::MAX)?;
                same(&at, &resumed, &whole)?;
                if later[..] != states[number + 1..] {
                    return Err(format!("{at}: the states that are saved later differ"));
                }
                simulated += cycles - point.state.cycle;
                // The next one is restored over what this one has left behind.
                host = Host::with_simulator(self.chip, host.into_simulator()).map_err(|error| error.to_string())?;
            }
        }
        Ok(simulated)
    }

    fn at_power_on(&self, host: Host, power_on: &Snapshot) -> Result<Host, String> {
        let mut simulator = host.into_simulator();
        simulator.restore(power_on).map_err(|error| error.to_string())?;
        Host::with_simulator(self.chip, simulator).map_err(|error| error.to_string())
    }

    /// To the end or the limit, with the states that are saved, which have been files meanwhile.
    fn run(
        &self,
        host: &mut Host,
        from: Option<&SavedRun>,
        (every, interval): (u64, u64),
        max_cycles: u64,
    ) -> Result<(WholeRun, Vec<SavedRun>), String> {
        let Self { chip, launch, .. } = *self;
        let identity = RunIdentity::new(chip, &Workload::default(), launch, true);
        host.check_memory(self.memory_checks);
        let sampled = std::cell::RefCell::new(SampledRun::new(chip, &host.statistics(), interval));
        if let Some(from) = from {
            identity.allow(&from.run).map_err(|error| error.to_string())?;
            sampled.borrow_mut().restore(&from.series[0]);
        }
        let mut states = vec![];
        let mut keep = |state: RunState| {
            let series = vec![sampled.borrow().save()];
            let saved = SavedRun { run: identity.clone(), state, series };
            let bytes = saved.to_bytes();
            states.push(SavedRun::from_bytes(&bytes).expect("as written"));
        };
        let from = from.map(|from| from.state.clone());
        let parts = Parts { from, every, keep: Some(&mut keep), ..Parts::default() };
        let limits = Limits { max_cycles: max_cycles.min(self.max_cycles), watchdog: 300_000, ..Limits::default() };
        let each_cycle = |simulator: &mut Simulator, cycle: u64| -> Result<(), SimError> {
            sampled.borrow_mut().cycle(chip, simulator, cycle);
            Ok(())
        };
        let report = run_in_parts(host, launch, limits, 1, parts, each_cycle).map_err(|error| error.to_string())?;
        let SampledRun { samples, mut table, film } = sampled.into_inner();
        let (cycles, statistics) = (report.all_cycles(), host.statistics());
        table.end(Some(cycles), &statistics);
        let memory = launch.buffers.iter().zip(launch.buffer_addresses());
        let whole = WholeRun {
            // What engines differ in.
            report: RunReport { engine: String::new(), ..report.without_timing() },
            memory: memory.map(|(buffer, address)| host.read_memory(address, buffer.data.len())).collect(),
            samples: samples.finish(cycles, &statistics),
            table: table.parquet(),
            film: film.map(|film| film.json_lines()),
            statistics,
            state: host.simulator().save(),
        };
        Ok((whole, states))
    }
}

fn same(about: &str, found: &WholeRun, expected: &WholeRun) -> Result<(), String> {
    let parts = [
        ("the report", found.report == expected.report),
        ("memory", found.memory == expected.memory),
        ("the statistics", found.statistics == expected.statistics),
        ("registers and memories of the chip", found.state == expected.state),
        ("the samples", found.samples == expected.samples),
        ("the record", found.table == expected.table),
        ("the snapshots", found.film == expected.film),
    ];
    match parts.into_iter().find(|(_, same)| !same) {
        Some((what, _)) => Err(format!("{about}: not the same: {what}\n{}\n{}", found.report, expected.report)),
        None => Ok(()),
    }
}

/// The chip of `seed` runs a random kernel in parts, to its end or so many cycles, begun and resumed on engines, threads and passes by the seed.
pub fn check_random(seed: u64, max_cycles: u64) -> Result<u64, String> {
    let chip = super::chip::chip(seed);
    let (source, launch) = super::kernel_for(&chip, seed)?;
    let mut random = Random::new(seed ^ 0x7061_7274);
    // The interpreter is twenty times as slow; it resumes on the chip of `tests/chip/drawn_chips.rs`.
    let engines: Vec<_> = Engine::ALL.into_iter().filter(|&engine| engine != Engine::Interpreter).collect();
    let mut drawn = || Options {
        engine: engines[random.below(engines.len() as u64) as usize],
        cache: true,
        threads: 1 + random.below(2) as usize,
        passes: if random.below(4) == 0 { Passes::NONE } else { Passes::ALL },
        ..Options::default()
    };
    let (options, others) = (Options { threads: 1, ..drawn() }, [drawn()]);
    let (memory_checks, options, others) = (false, &options, &others);
    let check = PartsCheck { chip: &chip, launch: &launch, options, others, memory_checks, max_cycles };
    check.check().map_err(|said| format!("begun on {}: {said}\n{source}\n{}", options.engine, super::chip::text(&chip)))
}
