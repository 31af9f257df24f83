//! One kernel on one chip, from launch to report.

use crate::{
    area::{
        ArrayUse, FlitActivity, Switching, SwitchingSampler, ToggleLoads, power::channel_bits, structure::Counting,
    },
    host::{
        HostError, Residency,
        cache_use::{cache_locality, cache_use, prefetch_use},
        driver::{Host, Limits, Preparation, RunProgress},
        memory_checks::Checks,
        memory_use::memory_use,
        residency,
        saved::{StateReader, StateWriter, Stateful},
    },
    report::{
        ActivityProfile, CacheUse, ChipCost, ChipWork, Dram, IssueUse, MemoryChecks, Noc, Operations, RunReport,
        Simulation, SlotUse, SubnetworkUse, ThreadTrial, TileEngine, TileUse, TimeProfile, Verdict, WaitCauses,
        Waiting, WarpUse, peak_memory,
    },
    statistics::HardwareStatistics,
};
use program::{Launch, memcheck::CheckKinds};
use rtl::{
    cache,
    chip::{Chip, ClocksConfig, dispatcher},
    core::{
        front_end,
        units::{MOST_UNITS, UNITS},
    },
    memory::{controller, partition},
    noc::{
        Fabric, MessageClass,
        interface::{self, injection_lane},
    },
};
use sim::{Moment, Options, SimError, Simulator};
use std::{cell::RefCell, rc::Rc, time::Instant};

/// What is not hardware in a run.
pub const BEHAVIOURAL: [&str; 2] = ["host (loads and starts the kernel)", "DRAM devices (hold data, check timing)"];

/// The same of a chip without routers.
const IDEAL: &str = "ideal network (every packet arrives at once)";

/// The same of a chip of cores alone.
const PERFECT: &str = "perfect memory (every access is answered at once; no caches, no network)";

/// Runs `launch` on `chip` with all checks and verifies it. `seed` is only reported. `each_cycle`: see [`Host::run`]; with
/// is told 0 before the first cycle, and with
/// [`SimError::Interrupted`] ends the run, whose report then has the verdict [`Verdict::Interrupted`].
pub fn run(
    chip: &Chip,
    launch: &Launch,
    options: &Options,
    limits: Limits,
    seed: u64,
    each_cycle: impl FnMut(&mut Simulator, u64) -> Result<(), SimError>,
) -> Result<RunReport, HostError> {
    run_with(chip, launch, options, limits, seed, true, each_cycle)
}

/// As [`run`], with checks on memory or without.
pub fn run_with(
    chip: &Chip,
    launch: &Launch,
    options: &Options,
    limits: Limits,
    seed: u64,
    memory_checks: bool,
    mut each_cycle: impl FnMut(&mut Simulator, u64) -> Result<(), SimError>,
) -> Result<RunReport, HostError> {
    launch.validate()?;
    // While the chip is being compiled, they are at work already.
    Checks::beside((launch, None), memory_checks, CheckKinds::default(), |checks| {
        let mut host = Host::new(chip, options)?;
        host.check_memory(memory_checks);
        run_beside(checks, &mut host, (launch, seed), limits, Parts::default(), &mut each_cycle)
    })
}

/// As [`run`], on a host that has run nothing yet; memory, statistics and state can be looked at afterwards.
pub fn run_on(
    host: &mut Host,
    launch: &Launch,
    limits: Limits,
    seed: u64,
    each_cycle: impl FnMut(&mut Simulator, u64) -> Result<(), SimError>,
) -> Result<RunReport, HostError> {
    run_in_parts(host, launch, limits, seed, Parts::default(), each_cycle)
}

/// The state of a run that has not ended, to go on from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunState {
    /// Cycles since the start of the kernel.
    pub cycle: u64,
    /// When the kernel was started.
    pub start: Moment,
    /// All else.
    pub state: Vec<u8>,
}

/// What makes a run one in several parts.
#[derive(Default)]
pub struct Parts<'p> {
    /// Where an earlier run of the same launch on the same chip was; `each_cycle` is first called with the cycle of this.
    pub from: Option<RunState>,
    /// Cycles from one state that is kept to the next; 0: only the last one is.
    pub every: u64,
    /// Cycles of earlier launches that count for `every`, too.
    pub earlier: u64,
    /// Takes the states: those, and one when a limit or somebody ends the run.
    pub keep: Option<&'p mut dyn FnMut(RunState)>,
}

/// As [`run_on`], of a run in several parts. The report is of all of them, but for what it says about the simulation.
pub fn run_in_parts(
    host: &mut Host,
    launch: &Launch,
    limits: Limits,
    seed: u64,
    parts: Parts,
    mut each_cycle: impl FnMut(&mut Simulator, u64) -> Result<(), SimError>,
) -> Result<RunReport, HostError> {
    launch.validate()?;
    let (checked, check_kinds, checker) = (host.checks_memory(), host.check_kinds(), host.checker());
    Checks::beside((launch, checker.as_deref()), checked, check_kinds, |checks| {
        run_beside(checks, host, (launch, seed), limits, parts, &mut each_cycle)
    })
}

/// Edges from one at which the values of operators are compared to the next, for `--profile=activity`: a prime, so that it
/// shares no factor with numbers of beats.
const OPERATORS_AT: u64 = 11;

fn run_beside(
    checks: &Checks,
    host: &mut Host,
    (launch, seed): (&Launch, u64),
    limits: Limits,
    Parts { from, every, earlier, mut keep }: Parts,
    each_cycle: &mut dyn FnMut(&mut Simulator, u64) -> Result<(), SimError>,
) -> Result<RunReport, HostError> {
    let fabric = (!host.chip().is_ideal()).then(|| host.chip().fabric().clone());
    let sampler = |fabric| SwitchingSampler::new(&fabric, host.simulator());
    let sampler = Rc::new(RefCell::new(fabric.map(sampler).transpose()?));
    let looks = sampler.clone();
    let start = Instant::now();
    host.simulator().start_profile();
    // Whether another one takes its turn depends on the machine.
    let engine = host.simulator().engine();
    let mut before = host.simulator().cycle();
    // Of the first part.
    let mut power_on = before;
    let mut progress = RunProgress::default();
    let kernel_start = match from {
        Some(RunState { start, state, .. }) => {
            let mut reader = StateReader::new(&state);
            host.restore(launch, &mut reader)?;
            (progress, power_on) = reader.take()?;
            sampler.borrow_mut().iter_mut().try_for_each(|sampler| sampler.restore(&mut reader))?;
            reader.end()?;
            before = host.simulator().cycle();
            start
        }
        None => {
            host.start(launch)?;
            host.simulator().moment()
        }
    };
    host.simulator().start_activity(OPERATORS_AT);
    let activity_from = host.simulator().cycle();
    // After the start, so that the sample depends on the kernel alone.
    host.after_network_edge(Some(Box::new(move |simulator, cycle| {
        if let Some(sampler) = &mut *looks.borrow_mut() {
            sampler.cycle(simulator, cycle);
        }
    })));
    let first = each_cycle(host.simulator(), progress.cycles).map_err(HostError::from);
    let mut cycle = |simulator: &mut Simulator, cycle: u64| {
        if let Some(fault) = checks.fault() {
            return Err(HostError::Memory(Box::new(fault.clone())));
        }
        Ok(each_cycle(simulator, cycle)?)
    };
    let mut save = |host: &mut Host, progress: &RunProgress| {
        if let Some(keep) = &mut keep {
            let mut writer = StateWriter::default();
            host.save(&mut writer);
            writer.put(&(progress, power_on));
            sampler.borrow().iter().for_each(|sampler| sampler.save(&mut writer));
            keep(RunState { cycle: progress.cycles, start: kernel_start, state: writer.into_bytes() });
        }
    };
    let ended = first.and_then(|()| {
        loop {
            let pause = (earlier + progress.cycles + 1).checked_next_multiple_of(every);
            let pause = pause.map_or(u64::MAX, |pause| pause - earlier);
            match host.proceed(&mut progress, limits, pause, &mut cycle) {
                Ok(None) => save(host, &progress),
                Ok(Some(verdict)) => break Ok(verdict),
                Err(error) => break Err(error),
            }
        }
    });
    host.after_network_edge(None);
    let executed = host.statistics().total(front_end::THREAD_INSTRUCTIONS);
    let verdict = match ended {
        Err(HostError::Simulation(SimError::Interrupted)) => Verdict::Interrupted,
        Err(HostError::OutOfBounds(line)) => return Err(checks.explain(*line, executed)),
        Err(HostError::Simulation(claim @ SimError::Assertion { .. })) => {
            return Err(checks.explain_claim(claim, executed));
        }
        ended => ended?,
    };
    if matches!(verdict, Verdict::CycleLimit | Verdict::TimeLimit | Verdict::Interrupted) {
        save(host, &progress);
    }
    let memory_checks = checks.conclude(verdict, executed).map_err(HostError::Memory)?;
    if verdict == Verdict::Completed
        && let Some((line, trap)) = launch.trapped(|address, bytes| host.read_memory(address, bytes))
    {
        let line = launch.kernel.code_line(line);
        return Err(HostError::Trapped { kernel: launch.kernel.name.clone(), line, trap });
    }
    host.simulator().finish_validation()?;
    let switching = sampler.borrow_mut().take().map_or(vec![], SwitchingSampler::finish);
    let wall = start.elapsed().as_secs_f64();
    let simulated = host.simulator().cycle() - before;
    let profile = host.simulator().finish_profile().map(TimeProfile::from);
    let seconds =
        (host.simulator().cycle() - activity_from) as f64 / (1e6 * f64::from(host.chip().config().clocks.core));
    let activity = host.simulator().finish_activity().map(|activity| {
        let loads = ToggleLoads::new(host.simulator().design(), &Counting::default());
        ActivityProfile::new(activity, &loads, seconds)
    });
    // What caches still hold goes to memory after the kernel.
    let cycles = progress.cycles - host.statistics().total(dispatcher::FLUSH_CYCLES);
    let all_simulated = host.simulator().cycle() - power_on;
    let mut report = summary(host, launch, verdict, [cycles, all_simulated], switching)?;
    report.memory_checks = memory_checks;
    report.seed = seed;
    report.engine = engine.name().into();
    let tiles = host.simulator().explain().into_iter().map(|group| TileEngine {
        kind: group.kind,
        module: group.module,
        instances: group.instances,
        wiring: group.top,
        engine: group.engine.name().into(),
        reason: group.reason,
        functions: group.functions,
        code_bytes: group.code_bytes,
    });
    let threading = host.simulator().threading();
    let trials = threading.trials.iter().map(|&(threads, relative_time)| ThreadTrial { threads, relative_time });
    let Preparation { elaborate, whole } = host.preparation();
    report.simulation = Simulation {
        simulated_cycles: simulated,
        threads_of_simulation: threading.threads,
        threads_automatic: threading.automatic,
        thread_trials: trials.collect(),
        preparation_seconds: whole.as_secs_f64(),
        elaborate_seconds: elaborate.as_secs_f64(),
        compile_seconds: host.simulator().figures().map_or(0.0, |figures| figures.compile_time.as_secs_f64()),
        code_from_cache: host.simulator().figures().is_some_and(|figures| figures.from_cache),
        wall_seconds: wall,
        cycles_per_second: simulated as f64 / wall.max(1e-9),
        behavioural_share: host.behavioural_share(),
        peak_memory_bytes: peak_memory(),
        engines: tiles.collect(),
        profile,
        activity,
        origin: None,
    };
    Ok(report)
}

/// Everything but the timing fields, engine and seed. Cycles of the kernel, and those that were simulated: loading and flush are among them.
fn summary(
    host: &mut Host,
    launch: &Launch,
    verdict: Verdict,
    [cycles, simulated]: [u64; 2],
    switching: Vec<Switching>,
) -> Result<RunReport, HostError> {
    let statistics = host.statistics();
    let chip = host.chip().clone();
    let config = chip.config();
    let total = |statistic| statistics.total(statistic);
    let (request, reply) = (host.latency().latency(MessageClass::Request), host.latency().latency(MessageClass::Reply));
    let mismatch = match verdict {
        Verdict::Completed => launch.verify(|address, bytes| host.read_memory(address, bytes)).err(),
        _ => None,
    };
    let waiting = if verdict == Verdict::Completed { vec![] } else { host.waiting(launch) };
    let clocks = &config.clocks;
    let of_clock = |mhz: u32| cycles as f64 * f64::from(mhz) / f64::from(clocks.core);
    // Lines that the flush writes back are among those of the DRAM, so its cycles are, too.
    let with_flush = (cycles + total(dispatcher::FLUSH_CYCLES)) as f64;
    let dram_cycles = with_flush * f64::from(clocks.dram) / f64::from(clocks.core);
    let per_dram_cycle = |amount: u64| if cycles == 0 { 0.0 } else { amount as f64 / dram_cycles };
    let per_cycle = |amount: u64| if cycles == 0 { 0.0 } else { amount as f64 / cycles as f64 };
    let thread_instructions = total(front_end::THREAD_INSTRUCTIONS);
    let (requests, bus_busy_cycles) = (total(controller::REQUESTS), total(controller::BUS_BUSY_CYCLES));
    let network_cycles = of_clock(clocks.noc);
    let pending = total(controller::PENDING_CYCLES);
    let activity =
        |switching| FlitActivity::of_statistics(chip.fabric(), &statistics, network_cycles).with_switching(switching);
    let activity = (!chip.is_ideal()).then(|| activity(switching));
    let cores = chip.core_nodes().len();
    let mut arrays = ArrayUse::of_chip(&chip, total);
    let core = chip.core();
    let caches = [
        ("L1D", "l1d", core.l1d),
        ("constant cache", "constant_cache", core.constant_cache),
        ("texture cache", "texture_cache", core.texture_cache),
        ("instruction cache", "instruction_cache", core.instruction_cache),
        ("L2", "l2", chip.partition().l2.map(|l2| l2.cache)),
    ];
    for (kind, part, cache) in caches {
        let within = |statistic| statistics.total_within(part, statistic);
        arrays.extend(cache.iter().flat_map(|cache| ArrayUse::of_cache(kind, cache, within)));
    }
    let tiles = host.tiles();
    let operations = operations(&statistics);
    let line_bytes = u64::from(chip.map().line_bytes());
    let beats = total(front_end::INSTRUCTIONS) * u64::from(chip.core().beats());
    let slots = cores as f64 * f64::from(config.core.issue_slots);
    let partitions = chip.map().controllers() as f64;
    let l2: u64 = [cache::block::READS, cache::block::WRITES].map(|of| statistics.total_within("l2", of)).iter().sum();
    let busy = TileUse {
        core: share(beats, cycles as f64 * slots),
        network: activity.as_ref().map_or(0.0, |activity| activity.use_of_outputs()),
        memory: share(bus_busy_cycles, dram_cycles * partitions).max(share(l2, network_cycles * partitions)),
    };
    let work = ChipWork {
        network: activity.as_ref(),
        arrays: &arrays,
        cycles,
        thread_instructions,
        tiles: &tiles,
        busy,
        operations,
        dram_bytes: line_bytes * requests,
    };
    let limit = chip.is_ideal().then_some(if chip.is_perfect() { &PERFECT } else { &IDEAL });
    let cost = ChipCost::new(&chip, work);
    let mixes_orders = !chip.is_ideal() && chip.fabric().params().network.routing.mixes_orders();
    let blocks: u64 = launch.grid.iter().map(|&n| u64::from(n)).product();
    let residency = residency(&chip, launch)?;
    let bytes_per_cycle = per_dram_cycle(u64::from(chip.map().line_bytes()) * requests);
    let controllers = chip.map().controllers() as f64;
    let of_controller = f64::from(chip.map().line_bytes()) / f64::from(config.memory.timing.burst);
    let gb_per_s = |bytes: f64| bytes * f64::from(clocks.dram) / 1000.0;
    let of_cores = |part: &'static str| cache_use(|statistic| statistics.within(part, statistic));
    Ok(RunReport {
        format_version: 2,
        version: env!("CARGO_PKG_VERSION").into(),
        config: config.name.clone(),
        kernel: launch.name.clone(),
        verdict,
        verified: (verdict == Verdict::Completed && !launch.checks.is_empty()).then_some(mismatch.is_none()),
        mismatch: mismatch.map(|mismatch| mismatch.to_string()),
        clocks: config.clocks.clone(),
        core_cycles: cycles,
        thread_instructions,
        warp_instructions: total(front_end::INSTRUCTIONS),
        ipc: per_cycle(thread_instructions),
        peak_ipc: cores as f64 * f64::from(config.core.lanes * config.core.issue_slots),
        cores,
        blocks,
        threads: blocks * u64::from(launch.block_threads()),
        resident_blocks: residency.slots,
        issue: issue_use(&chip, &statistics, residency, cycles as f64 / simulated.max(1) as f64),
        network: Noc {
            request_latency: request.mean(),
            reply_latency: reply.mean(),
            longest_request: request.longest,
            longest_reply: reply.longest,
            request_packets: request.packets,
            reply_packets: reply.packets,
            flits: total(injection_lane::FLITS_SENT),
            yx_packets: mixes_orders.then(|| total(interface::YX_PACKETS)),
            subnetworks: if chip.is_ideal() {
                vec![]
            } else {
                link_use(&statistics, chip.fabric(), network_cycles, clocks)
            },
        },
        flush_cycles: total(dispatcher::FLUSH_CYCLES),
        l1d: chip.core().l1d.map(|cache| CacheUse {
            locality: cache.locality.map(|_| cache_locality(&statistics, "l1d")),
            prefetches: cache.prefetches().then(|| prefetch_use(&chip, &statistics)),
            ..cache_use(|statistic| statistics.within("l1d", statistic))
        }),
        instruction_cache: chip.core().instruction_cache.map(|_| of_cores("instruction_cache")),
        constant_cache: chip.core().constant_cache.map(|_| of_cores("constant_cache")),
        texture_cache: chip.core().texture_cache.map(|_| of_cores("texture_cache")),
        l2: chip.partition().l2.map(|_| cache_use(|statistic| statistics.within("l2", statistic))),
        dram: Dram {
            requests,
            writes: total(controller::WRITES),
            row_hits: total(controller::ROW_HITS),
            activates: total(controller::ACTIVATES),
            bus_busy_cycles,
            bank_conflicts: total(controller::BANK_CONFLICTS),
            efficiency: (pending > 0).then(|| bus_busy_cycles as f64 / pending as f64),
            network_wait_cycles: total(partition::NETWORK_WAIT_CYCLES),
            bandwidth_share: per_dram_cycle(bus_busy_cycles) / controllers,
            bytes_per_cycle,
            gb_per_s: gb_per_s(bytes_per_cycle),
            peak_gb_per_s: gb_per_s(controllers * of_controller),
        },
        memory: memory_use(&chip, host.latency().path(), &statistics, [network_cycles, dram_cycles]),
        cost,
        statistics: vec![],
        memory_checks: MemoryChecks::Off,
        seed: 0,
        engine: String::new(),
        waiting: waiting.into_iter().map(Waiting::from).collect(),
        behavioural: BEHAVIOURAL.iter().chain(limit).map(ToString::to_string).collect(),
        simulation: Simulation::default(),
    })
}

/// A part of a whole (0 to 1); none of nothing.
fn share(part: u64, whole: f64) -> f64 {
    if whole > 0.0 { (part as f64 / whole).min(1.0) } else { 0.0 }
}

/// What lanes and the units beside them have computed: instructions by class, each with as many threads as the mean one has.
fn operations(statistics: &HardwareStatistics) -> Operations {
    let total = |statistic| statistics.total(statistic) as f64;
    let threads = total(front_end::THREAD_INSTRUCTIONS) / total(front_end::INSTRUCTIONS).max(1.0);
    let of = |statistic| threads * total(statistic);
    let beside: [f64; MOST_UNITS] =
        std::array::from_fn(|u| UNITS.rows().get(u).map_or(0.0, |unit| of(unit.instructions())));
    // All that are issued for one of them are without an operation of the lanes.
    let issued: f64 = UNITS.rows().iter().zip(beside).map(|(unit, computed)| f64::from(unit.issues()) * computed).sum();
    let addresses = of(front_end::GLOBAL_INSTRUCTIONS) + of(front_end::SHARED_INSTRUCTIONS);
    Operations {
        integer: (of(front_end::ALU_INSTRUCTIONS) - issued).max(0.0) + addresses,
        product: of(front_end::PRODUCT_INSTRUCTIONS),
        float: of(front_end::FLOAT_INSTRUCTIONS),
        fmul: of(front_end::FMUL_INSTRUCTIONS),
        fma: of(front_end::FMA_INSTRUCTIONS),
        beside,
    }
}

/// What issue slots were used for, where the kernel has taken this share of the cycles that were counted.
fn issue_use(chip: &Chip, statistics: &HardwareStatistics, residency: Residency, share: f64) -> IssueUse {
    let total = |statistic| statistics.total(statistic);
    let active = statistics.each(front_end::ACTIVE_WARPS);
    let (counted, warp_slots) = active.fold((0, 0), |(slots, warps), probe| (slots + probe.count, warps + probe.sum));
    // Nothing issues while a kernel is loaded and caches are flushed: that is not its time.
    let total_slots = (counted as f64 * share).round() as u64;
    let issued = total(front_end::INSTRUCTIONS);
    let lost = WaitCauses {
        throttle: total(front_end::SLOTS_LOST_TO_THROTTLE),
        data_hazards: total(front_end::SLOTS_LOST_TO_DATA_HAZARDS),
        structural_hazards: total(front_end::SLOTS_LOST_TO_STRUCTURAL_HAZARDS),
        barriers: total(front_end::SLOTS_LOST_TO_BARRIERS),
        fetch: total(front_end::SLOTS_LOST_TO_FETCH),
    };
    let total_slots = total_slots.max(issued + lost.total());
    let without_warp = total_slots - issued - lost.total();
    let core = &chip.config().core;
    // Each slot sees all warps of its part, for the cycles of an issue interval.
    let part = chip.core().part();
    let cycles = |warps: u64| warps * u64::from(part.beats());
    let [data_hazards, structural_hazards, barriers, throttle] = [
        front_end::DATA_HAZARD_WARPS,
        front_end::STRUCTURAL_HAZARD_WARPS,
        front_end::BARRIER_WARPS,
        front_end::THROTTLED_WARPS,
    ]
    .map(total);
    let ready: u64 = statistics.each(front_end::READY_WARPS).map(|probe| probe.sum).sum();
    let without_instruction = warp_slots - (ready + data_hazards + structural_hazards + barriers + throttle);
    let warp_cycles = WarpUse {
        total: cycles(total_slots * u64::from(part.warps)),
        issued: cycles(issued),
        ready: cycles(ready - issued),
        waiting: WaitCauses {
            throttle: cycles(throttle),
            data_hazards: cycles(data_hazards),
            structural_hazards: cycles(structural_hazards),
            barriers: cycles(barriers),
            fetch: cycles(without_instruction),
        },
        with_open_load: cycles(total(front_end::LOAD_WAIT_WARPS)),
        without_block: cycles((total_slots * u64::from(part.warps)).saturating_sub(warp_slots)),
    };
    IssueUse {
        slots: SlotUse { total: total_slots, issued, lost, without_warp },
        warp_cycles,
        active_warps: warp_slots as f64 * f64::from(core.issue_slots) / total_slots.max(1) as f64,
        resident_warps: residency.slots * residency.block_warps,
        warps: core.warps,
        limited_by: residency.limit.into(),
    }
}

/// What the links of each subnetwork have carried in so many cycles.
fn link_use(
    statistics: &HardwareStatistics,
    fabric: &Fabric,
    cycles: f64,
    clocks: &ClocksConfig,
) -> Vec<SubnetworkUse> {
    let mut subnetworks = vec![];
    let [_, noc, _, overlay] = clocks.megahertz();
    let clock = |subnetwork| if subnetwork < fabric.subnetworks().len() { noc } else { overlay };
    let channels = channel_bits(fabric).into_iter().enumerate();
    let mut peaks = channels.map(|(i, bits)| f64::from(bits) / 8.0 * f64::from(clock(i)) / 1000.0);
    for (output, flits) in statistics.flits(fabric) {
        if subnetworks.len() <= output.subnetwork {
            subnetworks.resize(output.subnetwork + 1, SubnetworkUse::default());
        }
        if !output.ejects {
            let subnetwork = &mut subnetworks[output.subnetwork];
            subnetwork.links += 1;
            subnetwork.flits += flits.into_iter().sum::<u64>();
        }
    }
    for SubnetworkUse { links, link_gb_per_s, flits, link_use } in &mut subnetworks {
        *link_use = if *links > 0 && cycles > 0.0 { *flits as f64 / (*links as f64 * cycles) } else { 0.0 };
        *link_gb_per_s = peaks.next().unwrap_or_default();
    }
    subnetworks
}
