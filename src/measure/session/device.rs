//! What executes the launches of a session: the chip, or the emulator.

use super::{
    AtTrap, InstructionMix, LaunchTrace, Record, Where,
    checkpoint::{Checkpoints, Counts, SavedLaunch},
    pages::apply_changes,
    program_parts::{LaunchPart, ProgramParts},
    recording::Recording,
    saved_program::LaunchResult,
    series::LaunchSeries,
};
use crate::{
    area::TileGroup,
    host::{
        Checks, Host, HostError, Limits,
        functional::{Emulated, MemoryWatch, emulate},
        residency,
        run::{Parts, RunState, run_in_parts},
        saved::DamagedState,
    },
    monitor::{LaunchWatch, Monitor},
    record::{RecordSettings, RunRecord},
    report::{MemoryChecks, RunReport, StatisticRow, Verdict},
    saved_run::SavedSeries,
};
use program::{
    Kernel, Launch,
    emulator::{CompiledKernel, EmulationError, memory_pool},
    memcheck::{CheckKinds, Checker},
};
use rtl::chip::Chip;
use rustc_hash::FxHashMap;
use sim::{Options, SimError, Simulator, Snapshot};
use std::{
    cell::RefCell,
    ops::RangeInclusive,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

/// How launches are executed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The numbers of those on the chip, from 1; all others are on the emulator. `None`: all are on the chip.
    pub on_chip: Option<Vec<RangeInclusive<usize>>>,
    /// Checks on memory.
    pub memory_checks: bool,
    /// What they look for beside addresses.
    pub check_kinds: CheckKinds,
    /// When to stop a launch on the chip.
    pub limits: Limits,
    /// How the chip is simulated.
    pub options: Options,
    /// Ends a launch when it becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Where results of emulated launches are kept.
    pub checkpoints: Option<Checkpoints>,
    /// What is recorded of launches on the chip.
    pub traces: Vec<LaunchTrace>,
    /// Statistics that the reports of launches on the chip have: patterns of places and names.
    pub statistics: Vec<String>,
    /// A record of all launches on the chip.
    pub record: Option<RecordSettings>,
    /// Cycles of an interval of samples of those statistics, if there are to be some.
    pub samples: Option<u64>,
    /// What makes the program one in several parts.
    pub parts: Option<ProgramParts>,
    /// Shows launches on the chip.
    pub monitor: Option<Monitor>,
}

impl Default for Settings {
    fn default() -> Self {
        // Programs take as long as they take; what does not move at all is stopped.
        let limits = Limits { max_cycles: u64::MAX, ..Limits::default() };
        Self {
            on_chip: None,
            memory_checks: true,
            check_kinds: CheckKinds::default(),
            limits,
            options: Options::default(),
            interrupt: None,
            checkpoints: None,
            traces: vec![],
            statistics: vec![],
            record: None,
            samples: None,
            parts: None,
            monitor: None,
        }
    }
}

impl Settings {
    /// The record, as a saved program knows it.
    pub(super) fn record_of(&self) -> Option<String> {
        self.record.as_ref().map(|record| format!("--record --interval {}", record.interval))
    }

    /// The samples, as a saved program knows them.
    pub(super) fn samples_of(&self) -> Option<String> {
        let stats: String = self.statistics.iter().map(|pattern| format!("--stats {pattern} ")).collect();
        self.samples.map(|interval| format!("--samples {stats}--interval {interval}"))
    }

    /// What is sampled over time: the options that say what is in it.
    pub fn series(&self) -> Vec<String> {
        self.record_of().into_iter().chain(self.samples_of()).collect()
    }
}

/// A chip, which is built when it is first needed.
pub struct Device {
    chip: Chip,
    settings: Settings,
    simulator: Option<(Simulator, Snapshot)>,
    /// Chip and DRAM after the last launch, if caches keep lines for the next one.
    after_launch: Option<Vec<u8>>,
    recordings: Vec<Recording>,
    series: LaunchSeries,
    /// What the chip consists of, once a launch has ended on it.
    tiles: Option<Arc<[TileGroup]>>,
    /// Kernels that have run, by their names, instructions and lines.
    kernels: FxHashMap<CompiledKernelKey, Prepared>,
}

type CompiledKernelKey = (String, Vec<u64>, Vec<u32>);

/// What is kept of a kernel.
#[derive(Default)]
struct Prepared {
    /// In machine code, for the emulator.
    compiled: OnceLock<CompiledKernel>,
    /// For checks on memory.
    checker: OnceLock<Arc<Checker>>,
}

impl Prepared {
    fn compiled(&self, kernel: &Kernel) -> &CompiledKernel {
        self.compiled.get_or_init(|| CompiledKernel::new(kernel))
    }

    fn checker(&self, kernel: &Kernel) -> Arc<Checker> {
        self.checker.get_or_init(|| Arc::new(Checker::new(kernel))).clone()
    }
}

impl Device {
    /// A device that has run nothing.
    pub fn new(chip: Chip, settings: Settings) -> Self {
        let recordings = settings.traces.iter().cloned().map(Recording::new).collect();
        let series = LaunchSeries::new(&chip, &settings);
        Self {
            chip,
            settings,
            simulator: None,
            after_launch: None,
            recordings,
            series,
            tiles: None,
            kernels: FxHashMap::default(),
        }
    }

    pub(super) fn chip(&self) -> &Chip {
        &self.chip
    }

    /// What was to be recorded of launches.
    pub(super) fn recordings(&self) -> &[Recording] {
        &self.recordings
    }

    /// The record that was asked for, of launches so far.
    pub(super) fn record(&self) -> Option<&RunRecord> {
        self.series.record()
    }

    /// The samples that were asked for, as CSV, of launches so far; nothing in them: none has begun.
    pub(super) fn samples(&self) -> Option<Option<String>> {
        self.series.samples()
    }

    /// Where the program goes on and is saved, if it does or is.
    pub(super) fn parts(&self) -> Option<&ProgramParts> {
        self.settings.parts.as_ref()
    }

    /// The page that shows launches, if there is one.
    pub(super) fn monitor(&self) -> Option<&Monitor> {
        self.settings.monitor.as_ref()
    }

    /// The launches that are on the chip, if not all are.
    pub(super) fn on_chip(&self) -> Option<&[RangeInclusive<usize>]> {
        self.settings.on_chip.as_deref()
    }

    /// The launch with this number is simulated on the chip.
    pub(super) fn is_on_chip(&self, number: usize) -> bool {
        self.settings.on_chip.as_ref().is_none_or(|ranges| ranges.iter().any(|range| range.contains(&number)))
    }

    /// Executes a launch; its buffers have the new contents afterwards.
    pub(super) fn run(&mut self, number: usize, launch: &mut Launch) -> Result<Record, HostError> {
        launch.validate()?;
        if self.settings.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.keep_before_launch();
            return Err(HostError::TimeLimit { kernel: launch.kernel.name.clone() });
        }
        let part = self.settings.parts.as_mut().map(|parts| parts.next(number, launch)).transpose()?;
        let mut from = None;
        match part {
            None => {}
            Some(LaunchPart::Answer(LaunchResult { record, changes })) => {
                apply_changes(&changes, &mut launch.buffers).ok_or(DamagedState)?;
                return Ok(record);
            }
            Some(LaunchPart::Start(series, after_launch)) => {
                self.series.restore(&series)?;
                self.after_launch = after_launch.or(self.after_launch.take());
            }
            Some(LaunchPart::Resume(state, series)) => from = Some((state, series)),
        }
        let outcome = match self.is_on_chip(number) {
            true => self.run_on_chip(number, launch, from),
            false => self.run_emulated(number, launch),
        };
        if ended_early(&outcome) && !self.is_on_chip(number) {
            self.keep_before_launch();
        }
        if let Some(parts) = &mut self.settings.parts {
            match ended_early(&outcome) {
                true => parts.is_over(),
                false => parts.ended_otherwise(),
            }
        }
        outcome
    }

    /// Saves the launches before the one that a limit or somebody has ended, or not let begin.
    fn keep_before_launch(&mut self) {
        if let Some(parts) = &mut self.settings.parts {
            parts.keep_before_launch(|| (self.series.saved(), self.after_launch.clone()));
        }
    }

    /// On the emulator, unless it was there before.
    fn run_emulated(&mut self, number: usize, launch: &mut Launch) -> Result<Record, HostError> {
        if let Some(monitor) = self.monitor() {
            monitor.running(format!("launch {number}, {}: emulated", launch.name), None);
        }
        residency(&self.chip, launch)?;
        let checked = self.settings.memory_checks;
        let Some(checkpoints) = self.settings.checkpoints.clone() else {
            return self.emulate(number, launch, |_, _| {});
        };
        let file = checkpoints.file(launch, checked);
        let damaged = match checkpoints.restore(&file, launch) {
            SavedLaunch::Result(counts) => {
                let memory_checks = if checked { MemoryChecks::Completed } else { MemoryChecks::Off };
                return Ok(emulated(number, launch, Where::Checkpoint, counts, memory_checks));
            }
            SavedLaunch::Nothing => None,
            SavedLaunch::Damaged(problem) => Some(format!("{problem}; executed again")),
        };
        let mut kept = Ok(());
        let mut record =
            self.emulate(number, launch, |buffers, counts| kept = checkpoints.keep(&file, counts, buffers))?;
        let not_kept = kept.err().map(|error| format!("{} cannot be written: {error}", file.display()));
        record.checkpoint = not_kept.or(damaged);
        Ok(record)
    }

    /// On the emulator; `done` sees each buffer before and after, if checks on memory were completed.
    fn emulate(
        &mut self,
        number: usize,
        launch: &mut Launch,
        done: impl FnOnce(&[(&[u8], &[u8])], Counts),
    ) -> Result<Record, HostError> {
        let watch = MemoryWatch { enabled: self.settings.memory_checks, check_kinds: self.settings.check_kinds };
        let prepared = prepared(&mut self.kernels, &launch.kernel);
        let checker = watch.enabled.then(|| prepared.checker(&launch.kernel));
        let kernel = prepared.compiled(&launch.kernel);
        let asked = asked(&self.settings);
        let deadline = self.settings.limits.deadline;
        let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let stop = move || match () {
            () if asked() => Some(Verdict::Interrupted),
            () if is_late() => Some(Verdict::TimeLimit),
            () => None,
        };
        let run = |checks: &Checks| emulate((kernel, launch), checks, watch, stop);
        let Emulated { outcome, memory_checks, verdict } =
            Checks::beside((launch, checker.as_deref()), watch.enabled, watch.check_kinds, run)?;
        match verdict {
            Verdict::Completed => {}
            Verdict::TimeLimit => return Err(HostError::TimeLimit { kernel: launch.kernel.name.clone() }),
            _ => return Err(HostError::Simulation(SimError::Interrupted)),
        }
        let addresses = launch.buffer_addresses();
        let after = |address: u32, bytes: usize| &outcome.memory[address as usize..][..bytes];
        let counts =
            Counts { thread_instructions: outcome.thread_instructions, warp_instructions: outcome.warp_instructions };
        if !matches!(memory_checks, MemoryChecks::NotCompleted { .. }) {
            let buffers = launch.buffers.iter().zip(&addresses);
            let both = buffers.map(|(buffer, &address)| (&buffer.data[..], after(address, buffer.data.len())));
            done(&both.collect::<Vec<_>>(), counts);
        }
        for (buffer, address) in launch.buffers.iter_mut().zip(addresses) {
            let bytes = buffer.data.len();
            buffer.data.copy_from_slice(after(address, bytes));
        }
        memory_pool::give_back(outcome.memory);
        Ok(emulated(number, launch, Where::Emulator, counts, memory_checks))
    }

    /// The first warp that traps, as the emulator executes the launch.
    pub(super) fn at_trap(&mut self, launch: &Launch) -> Option<AtTrap> {
        let kernel = prepared(&mut self.kernels, &launch.kernel).compiled(&launch.kernel);
        let (outcome, ended) = kernel.run_until(launch, &AtomicU64::new(u64::MAX));
        match ended {
            Err(EmulationError::Access(bad)) => {
                Some(AtTrap { memory: outcome.memory, block: bad.block, thread: bad.thread })
            }
            _ => None,
        }
    }

    /// On the chip, from its start or from a state of the same launch with what was sampled up to there.
    fn run_on_chip(
        &mut self,
        number: usize,
        launch: &mut Launch,
        from: Option<(RunState, Vec<SavedSeries>)>,
    ) -> Result<Record, HostError> {
        let (simulator, power_on) = match self.simulator.take() {
            Some((mut simulator, power_on)) => {
                simulator.restore(&power_on)?;
                (simulator, power_on)
            }
            None => {
                let mut simulator = Host::new(&self.chip, &self.settings.options)?.into_simulator();
                let power_on = simulator.save();
                (simulator, power_on)
            }
        };
        let mut host = Host::with_simulator(&self.chip, simulator)?;
        if let (Some(state), None) = (self.after_launch.take(), &from)
            && !host.go_on(&state, launch)?
        {
            let mut simulator = host.into_simulator();
            simulator.restore(&power_on)?;
            host = Host::with_simulator(&self.chip, simulator)?;
        }
        if let Some(tiles) = &self.tiles {
            host.know_tiles(tiles.clone());
        }
        host.check_memory(self.settings.memory_checks);
        host.set_check_kinds(self.settings.check_kinds);
        if self.settings.memory_checks {
            host.check_with(prepared(&mut self.kernels, &launch.kernel).checker(&launch.kernel));
        }
        // A pattern that matches nothing is told before anything runs.
        let selection = host.statistics().select(&self.settings.statistics)?;
        let asked = asked(&self.settings);
        let start = from.as_ref().map(|(state, _)| state.start);
        let mut recordings = vec![];
        for recording in &mut self.recordings {
            if recording.begins(number, (&self.chip, launch), &mut host, start)? {
                recordings.push(recording);
            }
        }
        self.series.begin(number, &host.statistics(), &selection);
        let from = from.map(|(state, series)| self.series.restore(&series).map(|()| state)).transpose()?;
        let series = RefCell::new(&mut self.series);
        let limits = self.settings.limits;
        let watched = (&self.chip, &*launch);
        let ends = (limits.max_cycles, limits.watchdog);
        let watch = |monitor| LaunchWatch::new(monitor, watched, Some(number), ends).started(start);
        let mut watch = self.settings.monitor.as_ref().map(watch);
        let each_cycle = |simulator: &mut Simulator, cycle| {
            recordings.iter_mut().try_for_each(|recording| recording.cycle(simulator, cycle))?;
            series.borrow_mut().cycle(simulator, cycle);
            watch.iter_mut().for_each(|watch| watch.cycle(simulator, cycle));
            if asked() { Err(SimError::Interrupted) } else { Ok(()) }
        };
        let mut parts = self.settings.parts.as_mut();
        let [every, earlier] = parts.as_ref().map_or([0; 2], |parts| parts.intervals());
        let is_saved = parts.as_ref().is_some_and(|parts| parts.is_saved());
        let mut keep = |state: RunState| {
            if let Some(parts) = &mut parts {
                parts.keep(state, series.borrow_mut().saved());
            }
        };
        let keep: Option<&mut dyn FnMut(RunState)> = if is_saved { Some(&mut keep) } else { None };
        let in_parts = Parts { from, every: if is_saved { every } else { 0 }, earlier, keep };
        let report = run_in_parts(&mut host, launch, limits, 0, in_parts, each_cycle);
        if let (Some(watch), Ok(report)) = (&mut watch, &report) {
            watch.end(host.simulator(), report.all_cycles());
        }
        let recorded = watch.as_ref().is_some_and(LaunchWatch::has_recorded);
        let mut before = vec![];
        if report.is_ok() {
            self.tiles = Some(host.tiles());
            let addresses = launch.buffer_addresses();
            for (buffer, address) in launch.buffers.iter_mut().zip(addresses) {
                let after = host.read_memory(address, buffer.data.len());
                let data = std::mem::replace(&mut buffer.data, after);
                // What has changed is all that anybody asks for.
                before.extend(self.settings.parts.is_some().then_some(data));
            }
        }
        let counted = host.statistics();
        self.series.end(report.as_ref().ok().map(RunReport::all_cycles), &counted);
        let mix = InstructionMix::of(&counted);
        let completed = report.as_ref().is_ok_and(|report| report.verdict == Verdict::Completed);
        if completed && self.chip.keeps_lines() {
            self.after_launch = Some(host.save_after_launch());
        }
        if recordings.is_empty() && !recorded {
            self.simulator = Some((host.into_simulator(), power_on));
        } else {
            // What was looked at is computed another way, and more slowly: the next launch gets a new simulation.
            let cycles = report.as_ref().ok().map(RunReport::all_cycles);
            recordings.iter_mut().for_each(|recording| recording.finish(host.simulator(), cycles));
            // Those of a page; the launch is none the worse if one cannot be written.
            if let (Err(error), Some(monitor)) = (host.simulator().finish_waves(), &self.settings.monitor) {
                monitor.waveform_failed(&error.to_string());
            }
        }
        let mut report = report?;
        report.statistics = counted.selected(&selection).map(StatisticRow::from).collect();
        if report.verdict != Verdict::Completed {
            return Err(HostError::NotEnded { report: Box::new(report) });
        }
        let record = Record {
            number,
            kernel: launch.name.clone(),
            grid: launch.grid,
            block: launch.block,
            executed: Where::Rtl,
            cycles: Some(report.core_cycles),
            thread_instructions: report.thread_instructions,
            warp_instructions: report.warp_instructions,
            checkpoint: None,
            memory_checks: report.memory_checks.clone(),
            mix: Some(mix),
            report: Some(Box::new(report)),
        };
        if let Some(parts) = &mut self.settings.parts {
            let after = launch.buffers.iter().map(|buffer| &buffer.data[..]);
            parts.ended_on_chip(&record, before.iter().map(|data| &data[..]).zip(after));
        }
        Ok(record)
    }
}

/// A limit or somebody has ended a launch.
fn ended_early(outcome: &Result<Record, HostError>) -> bool {
    match outcome {
        Err(HostError::NotEnded { report }) => report.verdict != Verdict::Deadlocked,
        Err(HostError::TimeLimit { .. } | HostError::Simulation(SimError::Interrupted)) => true,
        _ => false,
    }
}

/// Whether a launch is to end.
fn asked(settings: &Settings) -> impl Fn() -> bool + Send + use<> {
    let mark = settings.interrupt.clone();
    move || mark.as_ref().is_some_and(|mark| mark.load(Ordering::Relaxed))
}

/// The record of a launch that knows no time.
fn emulated(number: usize, launch: &Launch, executed: Where, counts: Counts, memory_checks: MemoryChecks) -> Record {
    Record {
        number,
        kernel: launch.name.clone(),
        grid: launch.grid,
        block: launch.block,
        executed,
        cycles: None,
        thread_instructions: counts.thread_instructions,
        warp_instructions: counts.warp_instructions,
        checkpoint: None,
        memory_checks,
        mix: None,
        report: None,
    }
}

/// What is known of a kernel.
fn prepared<'p>(kernels: &'p mut FxHashMap<CompiledKernelKey, Prepared>, kernel: &Kernel) -> &'p Prepared {
    kernels.entry((kernel.name.clone(), kernel.code.clone(), kernel.lines.clone())).or_default()
}
