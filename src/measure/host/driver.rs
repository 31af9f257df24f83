//! *Behavioural*, off the chip: the host that loads and starts a kernel through the host pins, and the DRAM devices behind the
//! memory controllers' pins.
//!
//! ```text
//!  Launch --> buffers into the DRAM devices (a host's copy, without time)
//!         --> program, parameters, launch registers through host_* pins, one word a cycle --> caches cleared --> host_start
//!  every cycle of its clock: dram{c}_* pins <--> device c; packet ports --> latency monitor
//!  host_done --> read the buffers back, verify
//! ```
//!
//! A run ends with a [`Verdict`]: completed, the cycle limit, the time limit, or deadlocked when no warp has issued an
//! instruction and no packet or DRAM command has moved for [`Limits::watchdog`] cycles. In all but the first case
//! [`Host::waiting`] tells what the warps wait for.

use crate::{
    area::{TileGroup, inventory, structure::Counting},
    host::{
        DramDevice, HostError, LatencyMonitor, Pins,
        channel_pins::ChannelPins,
        clocks::frequencies,
        ideal::IdealNetwork,
        loading::{idle_cycles, initial_memory, loading, read_only},
        memory_checks::BufferLines,
        packet_ports::{Monitor, packet_ports},
        perfect::PerfectMemory,
        saved::{DamagedState, StateReader, StateWriter, Stateful},
        waiting::{self, WarpGroup},
    },
    report::Verdict,
    statistics::HardwareStatistics,
};
use netlist::{Design, elaborate};
use program::{
    Launch,
    memcheck::{CheckKinds, Checker},
};
use rtl::chip::{Chip, build};
use serde::{Deserialize, Serialize};
use sim::{Options, SimError, Simulator, Snapshot, Stopwatch};
use std::{
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

/// When to stop a run that does not end by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Cycles from the start of the kernel.
    pub max_cycles: u64,
    /// Cycles without any progress that make a deadlock.
    pub watchdog: u64,
    /// When to stop by the clock on the wall, whatever has been reached.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_cycles: 10_000_000, watchdog: 50_000, deadline: None }
    }
}

/// How far a started kernel has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct RunProgress {
    /// Cycles since the start.
    pub cycles: u64,
    /// The last one in which something moved.
    last_progress: u64,
    /// Warp instructions that had been issued when nothing had moved for long.
    instructions: u64,
}

/// Cycles between looks at the clock on the wall.
const LOOK: u64 = 16;

/// A chip in simulation with everything around it. `P` simulates the chip.
pub struct Host<P: Pins = Simulator> {
    chip: Chip,
    simulator: P,
    /// The DRAM of each controller, and the pins of each; none with a perfect memory.
    devices: Vec<DramDevice>,
    channels: Vec<ChannelPins<P>>,
    network: Option<IdealNetwork<P>>,
    perfect: Option<PerfectMemory<P>>,
    pins: HostPins<P>,
    monitor: Option<Monitor<P>>,
    latency: LatencyMonitor,
    observer: Option<Observer<P>>,
    after_network_edge: Option<AfterEdge<P>>,
    /// Edges of the network's clock before the kernel.
    network_start: u64,
    /// Checks on memory are wanted.
    memory_checks: bool,
    check_kinds: CheckKinds,
    /// Of the kernel that runs next, if it has run before.
    checker: Option<Arc<Checker>>,
    /// The chip has run a launch before, and is not reset.
    continues: bool,
    /// What the chip may read and write.
    lines: Option<BufferLines>,
    /// Something moved at a tile boundary in the last cycle.
    moved: bool,
    /// Of cores, network and DRAM.
    clocks: [P::Clock; 3],
    preparation: Preparation,
    stopwatch: Stopwatch,
    /// See [`Host::tiles`].
    tiles: Option<Arc<[TileGroup]>>,
}

/// Time before the first cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preparation {
    /// Building and elaborating the chip; zero for a design that was there already.
    pub elaborate: Duration,
    /// All of it.
    pub whole: Duration,
}

/// Called in every cycle, those of reset included, when the pins are driven and before the clock edge; the flag tells that reset is
/// high. For recording what goes over the pins.
pub type Observer<P = Simulator> = Box<dyn FnMut(&mut P, bool)>;

/// Called after every cycle of a run with the number of cycles so far; an error ends the run.
///
/// Not generic: the loop over cycles would be compiled with its caller, and the command line is not optimised.
pub(super) type EachCycle<'c, P> = &'c mut dyn FnMut(&mut P, u64) -> Result<(), HostError>;

/// Called after each edge of a clock, with its number.
pub(super) type AfterEdge<P> = Box<dyn FnMut(&mut P, u64)>;

/// The host port of the chip.
struct HostPins<P: Pins> {
    write: P::Input,
    address: P::Input,
    data: P::Input,
    start: P::Input,
    done: P::Output,
}

impl Host {
    /// Builds and elaborates the chip and prepares its simulation.
    pub fn new(chip: &Chip, options: &Options) -> Result<Self, HostError> {
        let start = Instant::now();
        let design = elaborate(&build(chip)?)?;
        let elaborate = start.elapsed();
        let mut host = Self::with_design(chip, &design, options)?;
        host.preparation = Preparation { elaborate, whole: start.elapsed() };
        Ok(host)
    }

    /// For a design that has the pins and tiles of `chip`: the chip itself, or with its tiles observed.
    pub fn with_design(chip: &Chip, design: &Design, options: &Options) -> Result<Self, HostError> {
        let start = Instant::now();
        let mut host = Self::with_simulator(chip, Simulator::with_clocks(design, options, &frequencies(chip))?)?;
        host.preparation.whole = start.elapsed();
        Ok(host)
    }

    /// For a simulation of such a design, at power-on: a new one, or one that was restored to that.
    pub fn with_simulator(chip: &Chip, simulator: Simulator) -> Result<Self, HostError> {
        if chip.is_ideal() {
            return Ok(Self::around(chip, simulator)?);
        }
        let monitor = packet_ports(chip, &simulator)?;
        let mut host = Self::around(chip, simulator)?;
        host.monitor = Some(monitor);
        Ok(host)
    }

    /// The simulation, for another host.
    pub fn into_simulator(self) -> Simulator {
        self.simulator
    }

    /// Statistics of all blocks.
    pub fn statistics(&mut self) -> HardwareStatistics {
        self.simulator.probes().into()
    }

    /// What the netlist consists of by kind of tile, as [`inventory()`] finds it; at the first call.
    pub fn tiles(&mut self) -> Arc<[TileGroup]> {
        let design = self.simulator.design();
        self.tiles.get_or_insert_with(|| inventory(design, &Counting::default()).into()).clone()
    }

    /// As another host has found them for the same netlist.
    pub fn know_tiles(&mut self, tiles: Arc<[TileGroup]>) {
        self.tiles = Some(tiles);
    }

    /// What the warps wait for now, most frequent first.
    pub fn waiting(&mut self, launch: &Launch) -> Vec<WarpGroup> {
        waiting::waiting(&mut self.simulator, &self.chip, launch)
    }
}

impl<P: Pins> Host<P> {
    /// Around a model that has the pins of `chip` and shows nothing of its inside: packet latency is not measured.
    pub fn around(chip: &Chip, model: P) -> Result<Self, SimError> {
        let start = Instant::now();
        let controllers = chip.map().controllers();
        let device = |c: usize| DramDevice::new(c, chip.map(), chip.config().memory.timing);
        let devices = (0..controllers).map(device).collect();
        let with_pins = if chip.is_perfect() { 0 } else { controllers };
        let channels = (0..with_pins).map(|c| ChannelPins::new(&model, c, chip)).collect::<Result<_, _>>()?;
        let perfect = if chip.is_perfect() { Some(PerfectMemory::new(chip, &model)?) } else { None };
        let routed = perfect.is_some() || !chip.is_ideal();
        let network = if routed { None } else { Some(IdealNetwork::new(chip, &model)?) };
        let pins = HostPins {
            write: model.input("host_write")?,
            address: model.input("host_address")?,
            data: model.input("host_data")?,
            start: model.input("host_start")?,
            done: model.output("host_done")?,
        };
        let [core, noc, dram, _] = chip.config().clocks.domains();
        let clocks = [model.clock(core)?, model.clock(noc)?, model.clock(dram)?];
        Ok(Self {
            chip: chip.clone(),
            simulator: model,
            devices,
            channels,
            network,
            perfect,
            pins,
            monitor: None,
            latency: LatencyMonitor::new(chip),
            observer: None,
            after_network_edge: None,
            network_start: 0,
            memory_checks: true,
            check_kinds: CheckKinds::default(),
            checker: None,
            continues: false,
            lines: None,
            moved: false,
            clocks,
            preparation: Preparation { elaborate: Duration::ZERO, whole: start.elapsed() },
            stopwatch: Stopwatch::default(),
            tiles: None,
        })
    }

    /// The chip.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// The simulation, for waveforms, peeks and snapshots.
    pub fn simulator(&mut self) -> &mut P {
        &mut self.simulator
    }

    /// Sets the observer of all cycles from now on.
    pub fn observe(&mut self, observer: Observer<P>) {
        self.observer = Some(observer);
    }

    /// Sets what is called after each edge of the network's clock, numbered from the start of the kernel.
    pub(super) fn after_network_edge(&mut self, called: Option<AfterEdge<P>>) {
        self.after_network_edge = called;
    }

    /// Whether [`start`](Self::start) begins to watch that the chip keeps to the kernel's buffers, as it does unless it is told not to.
    pub fn check_memory(&mut self, wanted: bool) {
        self.memory_checks = wanted;
    }

    /// What those checks look for beside addresses.
    pub fn set_check_kinds(&mut self, check_kinds: CheckKinds) {
        self.check_kinds = check_kinds;
    }

    /// Checks with what was prepared for the kernel before.
    pub(crate) fn check_with(&mut self, checker: Arc<Checker>) {
        self.checker = Some(checker);
    }

    /// See [`check_with`](Self::check_with).
    pub(super) fn checker(&self) -> Option<Arc<Checker>> {
        self.checker.clone()
    }

    /// See [`set_check_kinds`](Self::set_check_kinds).
    pub(super) fn check_kinds(&self) -> CheckKinds {
        self.check_kinds
    }

    /// Checks on memory are wanted.
    pub(super) fn checks_memory(&self) -> bool {
        self.memory_checks
    }

    fn show(&mut self, reset: bool) {
        if let Some(observer) = &mut self.observer {
            observer(&mut self.simulator, reset);
        }
    }

    /// Packet latency since the last start.
    pub fn latency(&self) -> &LatencyMonitor {
        &self.latency
    }

    /// Time that building, elaborating and compiling took.
    pub fn preparation(&self) -> Preparation {
        self.preparation
    }

    /// Share of the time of all cycles so far that went to devices and monitor (0 to 1), sampled; `None` after very few cycles.
    pub fn behavioural_share(&self) -> Option<f64> {
        self.stopwatch.behavioural_share()
    }

    /// Resets the chip, copies the buffers into the DRAM, loads program, parameters and launch registers, waits until the
    /// caches are cleared, and gives the start pulse. Statistics go on counting: take a new host for each kernel that is to be measured.
    /// Without the reset, and what it makes necessary, where the chip [goes on](Self::go_on) from another launch.
    pub fn start(&mut self, launch: &Launch) -> Result<(), HostError> {
        launch.validate()?;
        let writes = loading(&self.chip, launch)?;
        let read_only = read_only(&self.chip, launch);
        self.watch(launch, &read_only);
        let continues = std::mem::take(&mut self.continues);
        if !continues {
            self.power_up(launch, &read_only);
        }
        self.latency = LatencyMonitor::new(&self.chip);
        let HostPins { write, address, data, start, .. } = self.pins;
        self.simulator.poke_at(write, 1);
        for word in &writes {
            self.simulator.poke_at(address, word.address);
            self.simulator.poke_at(data, word.data);
            self.cycle()?;
        }
        self.simulator.poke_at(write, 0);
        let idle = if continues { 0 } else { idle_cycles(&self.chip, writes.len()) };
        for _ in 0..idle {
            self.cycle()?;
        }
        self.simulator.poke_at(start, 1);
        self.cycle()?;
        self.simulator.poke_at(start, 0);
        self.network_start = self.simulator.cycle_of(self.clocks[1]);
        Ok(())
    }

    /// Data of the launch in the DRAM, and everything else reset.
    fn power_up(&mut self, launch: &Launch, read_only: &[(u32, Vec<u8>)]) {
        initial_memory(launch, read_only).for_each(|(address, data)| self.write_memory(address, data));
        for pin in [self.pins.write, self.pins.start] {
            self.simulator.poke_at(pin, 0);
        }
        let counts = |host: &Self| host.clocks.map(|clock| host.simulator.cycle_of(clock));
        let before = counts(self);
        while counts(self).iter().zip(before).any(|(&now, before)| now < before + 2) {
            self.show(true);
            self.simulator.reset_step();
        }
        self.devices.iter_mut().for_each(DramDevice::restart);
        if let Some(network) = &mut self.network {
            network.restart(&self.chip);
        }
        if let Some(memory) = &mut self.perfect {
            memory.restart(&self.chip);
        }
    }

    /// Begins to watch that the chip keeps to the kernel's buffers and what else it may read.
    fn watch(&mut self, launch: &Launch, read_only: &[(u32, Vec<u8>)]) {
        let range = |(address, data): &(u32, Vec<u8>)| u64::from(*address)..u64::from(*address) + data.len() as u64;
        // A prefetch may read anything; the checks on memory look at loads alone.
        let anywhere = self.chip.core().prefetches().then_some(0..1 << 32);
        let may_read = read_only.iter().map(range).chain(anywhere).collect();
        self.lines = self.memory_checks.then(|| BufferLines::of(launch, may_read));
    }

    /// Runs a started kernel to its end or a limit; returns the verdict and the cycles since the start. `each_cycle` is called
    /// after every cycle (for waveforms and progress).
    pub fn run(
        &mut self,
        limits: Limits,
        mut each_cycle: impl FnMut(&mut P, u64) -> Result<(), SimError>,
    ) -> Result<(Verdict, u64), HostError> {
        let mut progress = RunProgress::default();
        let verdict =
            self.proceed(&mut progress, limits, u64::MAX, &mut |model, cycle| Ok(each_cycle(model, cycle)?))?;
        Ok((verdict.expect("no run has so many cycles"), progress.cycles))
    }

    /// Goes on to the end, a limit, or so many cycles since the start; then there is no verdict. Whatever ends it, all is as after a
    /// whole cycle.
    pub(super) fn proceed(
        &mut self,
        progress: &mut RunProgress,
        limits: Limits,
        pause: u64,
        each_cycle: EachCycle<'_, P>,
    ) -> Result<Option<Verdict>, HostError> {
        loop {
            let RunProgress { cycles, last_progress, instructions } = *progress;
            if cycles > 0 && cycles - last_progress >= limits.watchdog {
                // Silent outside; a loop without memory accesses still issues instructions.
                let issued = self.simulator.instructions();
                if issued.is_none_or(|issued| issued == instructions) {
                    return Ok(Some(Verdict::Deadlocked));
                }
                (progress.instructions, progress.last_progress) = (issued.unwrap_or(instructions), cycles);
            }
            // The start pulse needs two cycles to clear the last run's end.
            if cycles >= 3 && self.simulator.peek_at(self.pins.done) != 0 {
                return Ok(Some(Verdict::Completed));
            }
            if cycles >= limits.max_cycles {
                return Ok(Some(Verdict::CycleLimit));
            }
            if cycles.is_multiple_of(LOOK) && limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Some(Verdict::TimeLimit));
            }
            if cycles >= pause {
                return Ok(None);
            }
            self.cycle()?;
            progress.cycles += 1;
            if self.moved {
                progress.last_progress = progress.cycles;
            }
            each_cycle(&mut self.simulator, progress.cycles)?;
        }
    }

    /// One clock cycle of the cores with all that the other clocks do in it, and of what is around the chip.
    pub fn cycle(&mut self) -> Result<(), HostError> {
        self.stopwatch.cycle();
        self.moved = false;
        let core = self.clocks[0];
        loop {
            let last = self.simulator.has_edge(core);
            self.instant()?;
            if last {
                return Ok(());
            }
        }
    }

    /// The edges of an instant.
    fn instant(&mut self) -> Result<(), HostError> {
        let [_, noc, dram] = self.clocks.map(|clock| self.simulator.has_edge(clock));
        self.simulator.behavioural(true);
        for (channel, device) in self.channels.iter_mut().zip(&mut self.devices).filter(|_| dram) {
            self.moved |= channel.cycle(device, &mut self.simulator)?;
            if let (Some(lines), Some(line)) = (&self.lines, device.accessed()) {
                lines.allow(line)?;
            }
        }
        if let (Some(network), true) = (&mut self.network, noc) {
            let cycle = self.simulator.cycle_of(self.clocks[1]);
            self.moved |= network.cycle(&mut self.simulator, cycle, &mut self.latency);
        }
        if let Some(memory) = &mut self.perfect {
            let cycle = self.simulator.cycle_of(self.clocks[0]);
            let (lines, devices) = (self.lines.as_ref(), &mut self.devices);
            self.moved |= memory.cycle(&mut self.simulator, cycle, &mut self.latency, lines, devices)?;
        }
        self.simulator.behavioural(false);
        self.stopwatch.behavioural();
        // Some of the packet ports' nets are wires: peeking at one would do this, and count as the monitor's time.
        self.simulator.settle();
        self.stopwatch.hardware();
        self.simulator.behavioural(true);
        if let (Some(monitor), true) = (&mut self.monitor, noc) {
            self.moved |= monitor(&mut self.simulator, &mut self.latency);
        }
        self.show(false);
        self.simulator.behavioural(false);
        self.stopwatch.behavioural();
        self.simulator.step()?;
        self.stopwatch.hardware();
        if let (Some(after), true) = (&mut self.after_network_edge, noc) {
            let number = self.simulator.cycle_of(self.clocks[1]) - self.network_start;
            after(&mut self.simulator, number);
        }
        Ok(())
    }

    /// Bytes of device memory from `address` on. Only what the chip has written back, which at the end of a kernel is all.
    pub fn read_memory(&self, address: u32, bytes: usize) -> Vec<u8> {
        let mut data = vec![0; bytes];
        for (at, part) in self.lines(address, bytes) {
            self.devices[self.chip.map().controller(at)].read(at, &mut data[part]);
        }
        data
    }

    /// Sets bytes of device memory from `address` on.
    pub fn write_memory(&mut self, address: u32, data: &[u8]) {
        for (at, part) in self.lines(address, data.len()) {
            let controller = self.chip.map().controller(at);
            self.devices[controller].write(at, &data[part]);
        }
    }

    /// Parts of memory that are in one line each: their addresses, and which bytes of all they are.
    fn lines(&self, address: u32, bytes: usize) -> impl Iterator<Item = (u32, Range<usize>)> + use<P> {
        let line = self.chip.map().line_bytes() as usize;
        let mut done = 0;
        std::iter::from_fn(move || {
            let at = address.wrapping_add(done as u32);
            let part = done..bytes.min(done + line - at as usize % line);
            done = part.end;
            (!part.is_empty()).then_some((at, part))
        })
    }
}

impl Host {
    /// Everything that the cycles so far have made, but for what a caller follows itself.
    pub(super) fn save(&mut self, to: &mut StateWriter) {
        let snapshot = self.simulator.save();
        self.save_chip(&snapshot, to);
        to.put(&self.network_start);
        self.latency.save(to);
    }

    /// The chip, in this state, and what is around it.
    fn save_chip(&self, snapshot: &Snapshot, to: &mut StateWriter) {
        to.put_bytes(snapshot.as_bytes());
        to.put(&self.channels.iter().map(|channel| channel.shows).collect::<Vec<_>>());
        self.devices.iter().for_each(|device| device.save(to));
        self.network.iter().for_each(|network| network.save(to));
        self.perfect.iter().for_each(|memory| memory.save(to));
    }

    fn restore_chip(&mut self, from: &mut StateReader) -> Result<(), HostError> {
        let snapshot = Snapshot::from_bytes(from.take_bytes()?.to_vec());
        self.simulator.restore(&snapshot)?;
        let shows: Vec<bool> = from.take()?;
        if shows.len() != self.channels.len() {
            return Err(DamagedState.into());
        }
        self.channels.iter_mut().zip(shows).for_each(|(channel, shows)| channel.shows = shows);
        self.devices.iter_mut().try_for_each(|device| device.restore(from))?;
        self.network.iter_mut().try_for_each(|network| network.restore(from))?;
        self.perfect.iter_mut().try_for_each(|memory| memory.restore(from))?;
        Ok(())
    }

    /// Chip and DRAM as a launch that has completed leaves them, with all statistics at zero, for [`go_on`](Self::go_on).
    pub(crate) fn save_after_launch(&mut self) -> Vec<u8> {
        let mut to = StateWriter::default();
        let snapshot = self.simulator.save_without_statistics();
        self.save_chip(&snapshot, &mut to);
        to.into_bytes()
    }

    /// Chip and DRAM are as another launch has left them: the next one starts without a reset, and finds the lines that
    /// caches keep. Returns whether it may: the DRAM has to hold what the launch begins with, as lines of an L2 are
    /// copies of it. If not, the host is of no use.
    pub(crate) fn go_on(&mut self, state: &[u8], launch: &Launch) -> Result<bool, HostError> {
        let mut from = StateReader::new(state);
        self.restore_chip(&mut from)?;
        from.end()?;
        let read_only = read_only(&self.chip, launch);
        let mut initial = initial_memory(launch, &read_only);
        self.continues = initial.all(|(address, data)| self.read_memory(address, data.len()) == data);
        Ok(self.continues)
    }

    /// Instead of [`start`](Self::start): continues a run of the same launch.
    pub(super) fn restore(&mut self, launch: &Launch, from: &mut StateReader) -> Result<(), HostError> {
        launch.validate()?;
        let read_only = read_only(&self.chip, launch);
        self.watch(launch, &read_only);
        self.restore_chip(from)?;
        self.network_start = from.take()?;
        self.latency = LatencyMonitor::new(&self.chip);
        Ok(self.latency.restore(from)?)
    }
}
