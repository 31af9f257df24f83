//! A network under one load: the cycle with all that is around the hardware, the phases, the verdict.
//!
//! ```text
//!  | warm-up | measurement             | drain ...            |
//!  packets   created here are measured   sources go on, until all measured packets have arrived
//! ```
//!
//! The verdict is that of the measurement's [`steadiness`](super::steadiness); *undecided*, too, when measured packets
//! have not arrived at the end of the drain; *no packets* when none was created to be measured; *deadlocked* when
//! packets are in the network and none has moved for [`WATCHDOG`] cycles and those of the longest way: meanwhile, or
//! after the sources were stopped at the end of a measurement that has not converged.

use super::{
    OpenLoopError, Phases,
    flight::{Flight, Underway},
    order::FlowOrder,
    pins::Pins,
    shortest_paths::ShortestPaths,
    sink::Sinks,
    source::Sources,
    statistics::Statistics,
    steadiness::Finding,
    trace::Delivery,
};
use crate::report::{BufferSnapshots, LoadVerdict};
use crate::statistics::HardwareStatistics;
use rtl::noc::Fabric;
use sim::{ClockHandle, Simulator, Stopwatch};
use std::sync::atomic::{AtomicBool, Ordering};

/// Cycles without any movement that make a deadlock, beyond those of the longest way.
pub const WATCHDOG: u64 = 4000;
/// Packets that are told of in a deadlock.
const SHOWN: usize = 8;

/// One load, in progress.
pub(super) struct LoadRun<'a> {
    pub sources: Sources<'a>,
    pub sinks: Sinks,
    pub order: FlowOrder,
    pub flight: Flight,
    pub statistics: Statistics,
    pub simulator: &'a mut Simulator,
    pub pins: &'a Pins,
    /// Nodes to which packets are shown whole.
    pub whole: &'a [u32],
    /// Of the network: a cycle is one of it.
    pub clock: ClockHandle,
    pub ways: &'a ShortestPaths,
    pub stopwatch: &'a mut Stopwatch,
    pub interrupted: &'a AtomicBool,
    /// Of what routers hold, and the network.
    pub snapshots: Option<(&'a mut BufferSnapshots, &'a Fabric)>,
    /// Cycles without any movement that make a deadlock.
    pub watchdog: u64,
    /// This cycle.
    pub now: u64,
    /// Cycles in which packets were on their way and nothing moved at the pins.
    pub still: u64,
    /// Sources show nothing more, and nothing is recorded.
    pub stopped: bool,
}

/// What is left of a load.
pub(super) struct LoadOutcome {
    pub finding: Finding,
    pub statistics: Statistics,
    /// The longest that any packet has waited, cycles.
    pub oldest_waiting: u64,
    /// Packets in a deadlock.
    pub stuck: Vec<String>,
    pub cycles: u64,
    /// Flits of each VC of each output before and after the measurement, or what there was of it: so many cycles.
    pub flits_before: HardwareStatistics,
    pub flits: HardwareStatistics,
    pub counted: u64,
    /// Of a trace.
    pub deliveries: Vec<Delivery>,
}

impl LoadRun<'_> {
    /// All phases. `each_cycle` is told the number of cycles so far.
    pub fn measure(mut self, phases: Phases, each_cycle: &mut dyn FnMut(u64)) -> Result<LoadOutcome, OpenLoopError> {
        let window = self.statistics.window.clone();
        let (mut before, mut after) = ((0, HardwareStatistics::from(self.simulator.probes())), None);
        let mut finding = Finding::plain(LoadVerdict::Undecided);
        loop {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(OpenLoopError::Interrupted);
            }
            if self.now == window.start {
                before = (self.now, HardwareStatistics::from(self.simulator.probes()));
            }
            if self.now == window.end {
                after = Some((self.now, HardwareStatistics::from(self.simulator.probes())));
                finding = self.statistics.batches.finding(&self.sources.uses());
                if finding.verdict == LoadVerdict::Saturated {
                    break;
                }
            }
            if self.now >= window.end && (self.statistics.missing == 0 || self.now >= window.end + phases.drain) {
                break;
            }
            if self.is_still() {
                finding = Finding::plain(LoadVerdict::Deadlocked);
                break;
            }
            self.cycle()?;
            if let Some((snapshots, fabric)) = self.snapshots.as_mut().filter(|(shots, _)| shots.is_due(self.now)) {
                snapshots.take(self.now, fabric, &self.simulator.probes().into());
            }
            each_cycle(self.now);
        }
        let (until, flits) = after.unwrap_or_else(|| (self.now, HardwareStatistics::from(self.simulator.probes())));
        let (from, flits_before) = before;
        let counted = (until - from).max(1);
        let (oldest_waiting, missing) = (self.oldest(), self.statistics.missing);
        let measured = self.statistics.together();
        if finding.verdict == LoadVerdict::Converged && missing > 0 {
            let reason = format!("{missing} measured packets have not arrived in the drain");
            finding = Finding { verdict: LoadVerdict::Undecided, reason };
        }
        let settles = matches!(finding.verdict, LoadVerdict::Converged | LoadVerdict::Deadlocked);
        if !settles && self.is_stuck()? {
            finding = Finding::plain(LoadVerdict::Deadlocked);
        }
        let stuck = if finding.verdict == LoadVerdict::Deadlocked { self.stuck() } else { vec![] };
        if measured.latencies.is_empty() && missing == 0 && stuck.is_empty() {
            finding = Finding::plain(LoadVerdict::NoPackets);
        }
        let LoadRun { statistics, now: cycles, .. } = self;
        let deliveries = vec![];
        Ok(LoadOutcome { finding, statistics, oldest_waiting, stuck, cycles, flits_before, flits, counted, deliveries })
    }

    /// A trace, until all its packets have arrived, or for `drain` cycles since the last one was created. `each_cycle` is told the number of
    /// cycles so far.
    pub fn follow(mut self, drain: u64, each_cycle: &mut dyn FnMut(u64)) -> Result<LoadOutcome, OpenLoopError> {
        let flits_before = HardwareStatistics::from(self.simulator.probes());
        let (mut left, mut since) = (u64::MAX, 0);
        let finding = loop {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(OpenLoopError::Interrupted);
            }
            let missing = self.statistics.missing;
            if self.sources.is_done() && missing == 0 {
                break Finding::plain(LoadVerdict::Completed);
            }
            if self.is_still() {
                break Finding::plain(LoadVerdict::Deadlocked);
            }
            if missing == 0 || missing != left {
                (left, since) = (missing, self.now);
            }
            if self.now - since > drain {
                let reason = format!("{missing} packets have not arrived, and none has for {drain} cycles");
                break Finding { verdict: LoadVerdict::Undecided, reason };
            }
            self.cycle()?;
            each_cycle(self.now);
        };
        let stuck = if finding.verdict == LoadVerdict::Deadlocked { self.stuck() } else { vec![] };
        let flits = HardwareStatistics::from(self.simulator.probes());
        let (oldest_waiting, counted) = (self.oldest(), self.now.max(1));
        let deliveries = self.sources.deliveries();
        let LoadRun { statistics, now: cycles, .. } = self;
        Ok(LoadOutcome { finding, statistics, oldest_waiting, stuck, cycles, flits_before, flits, counted, deliveries })
    }

    /// One cycle. All pins are driven before one is looked at, so that the hardware is evaluated once.
    pub fn cycle(&mut self) -> Result<(), OpenLoopError> {
        let Self {
            sources, sinks, order, flight, statistics, simulator, pins, whole, clock, ways, stopwatch, now, ..
        } = self;
        let (now, stopped) = (*now, self.stopped);
        stopwatch.cycle();
        let measured = statistics.window.contains(&now);
        if !stopped {
            sources.create(now, measured, |packet| statistics.created(packet));
            sources.show(simulator, pins, flight);
        }
        sinks.give(simulator, pins);
        stopwatch.behavioural();
        simulator.settle();
        stopwatch.hardware();
        let (mut moved, mut problem) = (false, None);
        pins.places_free(simulator, |_, terminal| {
            moved = true;
            sources.place_free(terminal, now);
        });
        pins.injecting(simulator, |simulator, port| {
            moved = true;
            let tag = pins.injected(simulator, port);
            match flight.at(tag) {
                Some(underway) => underway.injected = Some(now),
                None => problem = Some(format!("a head flit of packet {tag}, which nobody sends")),
            }
        });
        pins.ejecting(simulator, |simulator, port| {
            moved = true;
            let flit = pins.ejected(simulator, port);
            if let Some(underway) = flight.at(flit.tag).filter(|_| !stopped) {
                statistics.flit(now, &underway.packet);
            }
            match sinks.take(flight, pins, port, flit) {
                Ok(Some(_)) if stopped => {}
                Ok(Some(whole)) => {
                    statistics.arrived(now, ways, &whole);
                    problem = problem.take().or(order.arrived(&whole.packet).err());
                    sources.answer(&whole, now);
                }
                Ok(None) => {}
                Err(error) => problem = Some(error),
            }
        });
        pins.arriving(simulator, |simulator, port| {
            moved = true;
            let (tag, intact) = pins.arrived(simulator, port);
            match Sinks::take_whole(flight, whole[port], tag, intact) {
                Ok(Some(packet)) if !stopped => {
                    (0..packet.packet.flits).for_each(|_| statistics.flit(now, &packet.packet));
                    statistics.arrived(now, ways, &packet);
                    problem = problem.take().or(order.arrived(&packet.packet).err());
                    sources.answer(&packet, now);
                }
                Ok(_) => {}
                Err(error) => problem = Some(error),
            }
        });
        if let Some(problem) = problem {
            return Err(OpenLoopError::Broken { cycle: now, problem });
        }
        stopwatch.behavioural();
        let edges = simulator.cycle_of(*clock);
        // Edges of another clock may come before.
        while simulator.cycle_of(*clock) == edges {
            simulator.step()?;
        }
        stopwatch.hardware();
        self.still = if moved || self.flight.is_empty() { 0 } else { self.still + 1 };
        self.now += 1;
        Ok(())
    }

    /// Packets are in the network and nothing has moved for long.
    pub fn is_still(&self) -> bool {
        self.still >= self.watchdog
    }

    /// The longest that any packet has waited so far, cycles.
    pub fn oldest(&self) -> u64 {
        let flight = self.flight.all().map(|underway| &underway.packet);
        let created = flight.chain(self.sources.waiting()).map(|packet| packet.created).min();
        self.statistics.oldest.max(created.map_or(0, |created| self.now - created))
    }

    /// Stops the sources and sees whether what is in the network comes out; true when it does not.
    pub fn is_stuck(&mut self) -> Result<bool, OpenLoopError> {
        self.stopped = true;
        self.sources.hide(self.simulator, self.pins);
        while !self.flight.is_empty() && !self.is_still() {
            self.cycle()?;
        }
        Ok(!self.flight.is_empty())
    }

    /// The oldest packets on their way, in words.
    pub fn stuck(&self) -> Vec<String> {
        let mut packets: Vec<&Underway> = self.flight.all().collect();
        packets.sort_by_key(|underway| (underway.packet.created, underway.packet.source));
        let tell = |underway: &&Underway| {
            let packet = &underway.packet;
            let kind = if packet.reply { "reply" } else { "packet" };
            let since = match underway.injected {
                Some(at) => format!("in the network since cycle {at}"),
                None => "not yet in the network".to_string(),
            };
            let (source, dest, flits, arrived) = (packet.source, packet.dest, packet.flits, underway.arrived);
            format!("{kind} from node {source} to node {dest}, {arrived} of {flits} flits arrived, {since}")
        };
        packets.iter().take(SHOWN).map(tell).collect()
    }
}
