//! What a kernel on a chip is at: curves so far, blocks done, what warps wait for, and components that wait.
//!
//! A sample is taken a few times a second. What warps wait for is looked at less often: that takes an evaluation of the
//! chip by the interpreter. Neither takes more than a fiftieth of the time. Samples are sums since power-on, so that every second one can be left out when there are too many: what a point of a curve stands for grows,
//! and nothing is lost.

use super::Monitor;
use crate::{host::waiting::waiting, report::Waiting, statistics::HardwareStatistics, wave::WaveSpec};
use hdl::ProbeKind;
use program::Launch;
use rtl::{
    chip::{
        Chip,
        dispatcher::{self, BUSY_SLOTS},
    },
    core::front_end,
    memory::controller,
    noc::interface::injection_lane,
};
use serde::Serialize;
use sim::{Moment, ProbeResult, Simulator};
use std::{
    fs::{self, OpenOptions},
    time::{Duration, Instant},
};

/// Cycles between looks at the clock on the wall.
const LOOK: u64 = 16;
/// Time between samples, and between the first two, which doubles until it is that: short runs have curves, too.
const INTERVAL: Duration = Duration::from_millis(250);
const FIRST_INTERVAL: Duration = Duration::from_millis(10);
/// Of the time, one part in so many goes to samples at most, and one to what warps wait for.
const PART: u32 = 50;
/// Samples that are kept.
const POINTS: usize = 400;
/// Groups of warps, and components that wait, that are shown.
const SHOWN: usize = 12;
/// Without an instruction for this part of the cycles that make a deadlock, the page warns.
const WARNING: u64 = 10;

/// Sums at some cycle.
#[derive(Clone, Copy, Debug, Serialize)]
struct Sample {
    cycle: u64,
    thread_instructions: u64,
    instructions: u64,
    slots: u64,
    data_hazards: u64,
    structural_hazards: u64,
    barriers: u64,
    throttle: u64,
    fetch: u64,
    active_warps: u64,
    bus_busy_cycles: u64,
    flits: u64,
}

/// A component that has waited since the sample before.
#[derive(Clone, Debug, Serialize)]
struct WaitingComponent {
    /// Place and name of the statistic.
    name: String,
    cycles: u64,
}

/// A waveform that the page asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WaveformRequest {
    /// From now on.
    pub cycles: u64,
    /// Of instances, with commas between; none: of all.
    pub paths: String,
}

/// A waveform of the page.
#[derive(Clone, Debug, Serialize)]
struct PageWaveform {
    /// In the folder of the command.
    file: String,
    from: u64,
    until: u64,
    /// Why there is none.
    problem: Option<String>,
}

/// A kernel on a chip.
#[derive(Clone, Debug, Serialize)]
pub struct LaunchState {
    kernel: String,
    chip: String,
    /// Of several.
    number: Option<usize>,
    /// Since the start of the kernel.
    cycle: u64,
    max_cycles: Option<u64>,
    cycles_a_second: f64,
    core_mhz: u32,
    blocks: u64,
    blocks_given: u64,
    blocks_done: Option<u64>,
    /// By the blocks that are left.
    left_seconds: Option<f64>,
    /// No instruction has been issued for so many cycles, as far as samples tell.
    silent_cycles: u64,
    silent: bool,
    /// Without any movement in so many the run ends.
    watchdog: u64,
    peak_ipc: f64,
    issue_slots: u32,
    /// Of all data buses in a cycle of the cores.
    bus_cycles: f64,
    samples: Vec<Sample>,
    waiting: Vec<Waiting>,
    /// Groups that are not shown.
    waiting_more: usize,
    /// When that was.
    waiting_cycle: Option<u64>,
    components: Vec<WaitingComponent>,
    waveforms: Vec<PageWaveform>,
}

impl LaunchState {
    /// Some waveform of the page could not be written.
    pub(super) fn waveform_failed(&mut self, why: &str) {
        let recorded = self.waveforms.iter_mut().filter(|waveform| waveform.problem.is_none());
        recorded.for_each(|waveform| waveform.problem = Some(why.into()));
    }
}

/// The time of the next look, after one that began at `start`: the looks take a small part of the time, and are this far apart at least.
fn due(start: Instant, interval: Duration) -> Instant {
    let end = Instant::now();
    end + interval.max((end - start) * PART)
}

/// Watches a launch.
pub struct LaunchWatch<'l> {
    monitor: Monitor,
    chip: &'l Chip,
    launch: &'l Launch,
    state: LaunchState,
    begun: Option<(Instant, u64)>,
    due: Instant,
    /// Time to the next sample.
    interval: Duration,
    /// When to look at what warps wait for.
    look_due: Instant,
    /// Of each statistic of waits, the last value.
    waited: Vec<u64>,
    /// The first sample with the instructions of the last one: its cycle.
    last_issue: u64,
    /// When the kernel was started.
    start: Option<Moment>,
}

impl<'l> LaunchWatch<'l> {
    /// Of a launch that has not begun, with its number if there are several, and the cycles that end it, or make a deadlock.
    pub fn new(
        monitor: &Monitor,
        (chip, launch): (&'l Chip, &'l Launch),
        number: Option<usize>,
        (max_cycles, watchdog): (u64, u64),
    ) -> Self {
        let config = chip.config();
        let cores = chip.core_nodes().len();
        let controllers = chip.map().controllers() as f64;
        let of_core = |mhz: u32| f64::from(mhz) / f64::from(config.clocks.core);
        let state = LaunchState {
            kernel: launch.name.clone(),
            chip: config.name.clone(),
            number,
            cycle: 0,
            max_cycles: (max_cycles < u64::MAX).then_some(max_cycles),
            cycles_a_second: 0.0,
            core_mhz: config.clocks.core,
            blocks: launch.grid.iter().map(|&blocks| u64::from(blocks)).product(),
            blocks_given: 0,
            blocks_done: None,
            left_seconds: None,
            silent_cycles: 0,
            silent: false,
            watchdog,
            peak_ipc: cores as f64 * f64::from(config.core.lanes * config.core.issue_slots),
            issue_slots: config.core.issue_slots,
            bus_cycles: if chip.is_perfect() { 0.0 } else { controllers * of_core(config.clocks.dram) },
            samples: vec![],
            waiting: vec![],
            waiting_more: 0,
            waiting_cycle: None,
            components: vec![],
            waveforms: vec![],
        };
        let (monitor, due) = (monitor.clone(), Instant::now());
        let (interval, look_due) = (FIRST_INTERVAL, due + INTERVAL);
        let (begun, waited, last_issue, start) = (None, vec![], 0, None);
        Self { monitor, chip, launch, state, begun, due, interval, look_due, waited, last_issue, start }
    }

    /// Of a run that goes on: when its kernel was started.
    #[must_use]
    pub fn started(self, start: Option<Moment>) -> Self {
        Self { start, ..self }
    }

    /// Before the first cycle and after each.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        let moment = *self.start.get_or_insert_with(|| simulator.moment());
        if cycle.is_multiple_of(LOOK) || self.begun.is_none() {
            if let Some(wanted) = self.monitor.waveform() {
                self.record(simulator, cycle, moment, &wanted);
                self.monitor.launch(self.state.clone());
            }
            let start = Instant::now();
            if start >= self.due {
                self.sample(simulator, cycle, start);
                self.due = due(start, self.interval);
                self.interval = INTERVAL.min(self.interval * 2);
                if self.look_due <= start {
                    let start = Instant::now();
                    self.look(simulator);
                    self.look_due = due(start, INTERVAL);
                }
                self.monitor.launch(self.state.clone());
            }
        }
    }

    /// Records a waveform from cycle `cycle` on, of a kernel that was started at `start`.
    fn record(&mut self, simulator: &mut Simulator, cycle: u64, start: Moment, wanted: &WaveformRequest) {
        let names = (1..).map(|number| match number {
            1 => format!("monitor-{cycle}.fst"),
            _ => format!("monitor-{cycle}-{number}.fst"),
        });
        // Whoever makes the file has made it: nothing that is there, or comes meanwhile, is replaced.
        let made = |file: &String| OpenOptions::new().write(true).create_new(true).open(file).is_ok();
        let until = cycle + wanted.cycles;
        let Some(file) = names.take(100).find(made) else {
            let (file, problem) = (format!("monitor-{cycle}.fst"), Some("no file can be made".into()));
            return self.state.waveforms.push(PageWaveform { file, from: cycle, until, problem });
        };
        let spec = format!("{file}:{}@{cycle}..{until}", wanted.paths).parse::<WaveSpec>();
        let attached = spec.and_then(|spec| spec.attach(simulator, start).map_err(|error| error.to_string()));
        let problem = attached.err();
        if problem.is_some() {
            // It is empty.
            _ = fs::remove_file(&file);
        }
        self.state.waveforms.push(PageWaveform { file, from: cycle, until, problem });
    }

    /// Waveforms of the page were recorded: the simulation is slower for it, and has files to finish.
    pub fn has_recorded(&self) -> bool {
        self.state.waveforms.iter().any(|waveform| waveform.problem.is_none())
    }

    /// The launch has ended after so many cycles.
    pub fn end(&mut self, simulator: &mut Simulator, cycles: u64) {
        // What was asked for of this launch is not of the next one.
        _ = self.monitor.waveform();
        if self.begun.is_some() && cycles > self.state.cycle {
            self.sample(simulator, cycles, Instant::now());
            self.look(simulator);
            self.monitor.launch(self.state.clone());
        }
    }

    fn sample(&mut self, simulator: &mut Simulator, cycle: u64, now: Instant) {
        let (begun, first_cycle) = *self.begun.get_or_insert((now, cycle));
        let statistics = HardwareStatistics::from(simulator.probes());
        let sample = Sample::of(&statistics, cycle);
        let state = &mut self.state;
        if state.samples.last().is_none_or(|last| last.instructions != sample.instructions) {
            self.last_issue = cycle;
        }
        let seconds = (now - begun).as_secs_f64();
        state.cycle = cycle;
        state.cycles_a_second = if seconds > 0.0 { (cycle - first_cycle) as f64 / seconds } else { 0.0 };
        state.silent_cycles = cycle - self.last_issue;
        state.silent = state.silent_cycles >= state.watchdog / WARNING;
        state.blocks_given = statistics.total(dispatcher::BLOCKS).min(state.blocks);
        let running = running_blocks(simulator);
        state.blocks_done = Some(state.blocks_given.saturating_sub(running));
        let done = state.blocks_done.filter(|&done| done > 0 && first_cycle == 0);
        state.left_seconds = done.map(|done| seconds * (state.blocks - done) as f64 / done as f64);
        state.samples.push(sample);
        if state.samples.len() > POINTS {
            // The first and the last one stay.
            let mut number = 0;
            state.samples.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
        state.components = components(&statistics, &mut self.waited);
    }

    /// At what warps wait for.
    fn look(&mut self, simulator: &mut Simulator) {
        let groups = waiting(simulator, self.chip, self.launch);
        let state = &mut self.state;
        state.waiting_more = groups.len().saturating_sub(SHOWN);
        state.waiting = groups.into_iter().take(SHOWN).map(Waiting::from).collect();
        state.waiting_cycle = Some(state.cycle);
    }
}

impl Sample {
    fn of(statistics: &HardwareStatistics, cycle: u64) -> Self {
        let total = |statistic| statistics.total(statistic);
        let active = statistics.each(front_end::ACTIVE_WARPS);
        let (slots, active_warps) =
            active.fold((0, 0), |(slots, warps), probe| (slots + probe.count, warps + probe.sum));
        Self {
            cycle,
            thread_instructions: total(front_end::THREAD_INSTRUCTIONS),
            instructions: total(front_end::INSTRUCTIONS),
            slots,
            data_hazards: total(front_end::SLOTS_LOST_TO_DATA_HAZARDS),
            structural_hazards: total(front_end::SLOTS_LOST_TO_STRUCTURAL_HAZARDS),
            barriers: total(front_end::SLOTS_LOST_TO_BARRIERS),
            throttle: total(front_end::SLOTS_LOST_TO_THROTTLE),
            fetch: total(front_end::SLOTS_LOST_TO_FETCH),
            active_warps,
            bus_busy_cycles: total(controller::BUS_BUSY_CYCLES),
            flits: total(injection_lane::FLITS_SENT),
        }
    }
}

/// Blocks that cores have, by the slots that the dispatcher takes for busy.
fn running_blocks(simulator: &mut Simulator) -> u64 {
    simulator.glance(|simulator| {
        let cores = simulator.taps([BUSY_SLOTS]);
        cores.into_iter().flatten().map(|[slots]| u64::from(simulator.peek_at(slots).count_ones())).sum()
    })
}

/// Where cycles were waited for something since the last sample, most first.
fn components(statistics: &HardwareStatistics, last: &mut Vec<u64>) -> Vec<WaitingComponent> {
    let is_wait = |probe: &&ProbeResult| {
        let name = probe.statistic.map_or("", |statistic| statistic.name);
        probe.kind == ProbeKind::Count && ["_wait_cycles", "_stall_cycles"].iter().any(|ending| name.ends_with(ending))
    };
    let waits: Vec<_> = statistics.all().iter().filter(is_wait).collect();
    let is_first = last.is_empty();
    last.resize(waits.len(), 0);
    let added = waits.iter().zip(last).map(|(probe, last)| {
        let now = probe.value();
        (probe, now.wrapping_sub(std::mem::replace(last, now)))
    });
    let mut added: Vec<_> = added.filter(|(_, cycles)| *cycles > 0 && !is_first).collect();
    added.sort_by_key(|&(_, cycles)| std::cmp::Reverse(cycles));
    let shown = added.into_iter().take(SHOWN);
    shown.map(|(probe, cycles)| WaitingComponent { name: probe.full_name(), cycles }).collect()
}
