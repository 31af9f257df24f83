//! A network under one load: the cycle with all that is around the hardware, the phases, the verdict.
//!
//! ```text
//!  | warm-up | measurement             | drain ...            |
//!  packets   created here are measured   sources go on, until all measured packets have arrived
//! ```
//!
//! The verdict is *saturated* when in the measurement less than 95 % of the created flits came out (and more are missing than are on
//! their way), when the drain takes longer than its limit, or when the mean latency is above 20 times that without contention;
//! *deadlocked* when packets are in the network and none has moved for [`WATCHDOG`] cycles: meanwhile, or after the sources were
//! stopped at the end of a saturated measurement.

use super::{
    OpenLoopError, Phases,
    flight::{Flight, Underway},
    pins::Pins,
    sink::Sinks,
    source::Sources,
    statistics::Statistics,
    traffic::Ways,
};
use crate::report::LoadVerdict;
use crate::statistics::HardwareStatistics;
use sim::{Simulator, Stopwatch};
use std::sync::atomic::{AtomicBool, Ordering};

/// Cycles without any movement that make a deadlock.
pub const WATCHDOG: u64 = 4000;
/// Part of the created flits that comes out below saturation.
const TAKEN: f64 = 0.95;
/// Mean latency, relative to that without contention, that no network below saturation has.
const LATE: f64 = 20.0;
/// Packets that are told of in a deadlock.
const SHOWN: usize = 8;

/// One load, under way.
pub(super) struct Run<'a> {
    pub sources: Sources<'a>,
    pub sinks: Sinks,
    pub flight: Flight,
    pub statistics: Statistics,
    pub simulator: &'a mut Simulator,
    pub pins: &'a Pins,
    pub ways: &'a Ways,
    pub stopwatch: &'a mut Stopwatch,
    pub interrupted: &'a AtomicBool,
    /// This cycle.
    pub now: u64,
    /// Cycles in which packets were on their way and nothing moved at the pins.
    pub still: u64,
    /// Sources show nothing more, and nothing is recorded.
    pub stopped: bool,
}

/// What is left of a load.
pub(super) struct Outcome {
    pub verdict: LoadVerdict,
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
}

impl Run<'_> {
    /// All phases. `zero_load`: mean latency without contention; `each_cycle` is told the number of cycles so far.
    pub fn measure(
        mut self,
        phases: Phases,
        zero_load: f64,
        mut each_cycle: impl FnMut(u64),
    ) -> Result<Outcome, OpenLoopError> {
        let window = self.statistics.window.clone();
        let (mut before, mut after) = ((0, HardwareStatistics::from(self.simulator.probes())), None);
        let ended = loop {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(OpenLoopError::Interrupted);
            }
            if self.now == window.start {
                before = (self.now, HardwareStatistics::from(self.simulator.probes()));
            }
            if self.now == window.end {
                after = Some((self.now, HardwareStatistics::from(self.simulator.probes())));
                if self.overloaded() {
                    break LoadVerdict::Saturated;
                }
            }
            if self.now >= window.end && self.statistics.missing == 0 {
                break LoadVerdict::Converged;
            }
            if self.now >= window.end + phases.drain {
                break LoadVerdict::Saturated;
            }
            if self.still >= WATCHDOG {
                break LoadVerdict::Deadlocked;
            }
            self.cycle()?;
            each_cycle(self.now);
        };
        let (until, flits) = after.unwrap_or_else(|| (self.now, HardwareStatistics::from(self.simulator.probes())));
        let (from, flits_before) = before;
        let counted = (until - from).max(1);
        let oldest_waiting = self.oldest();
        let mean = self.statistics.together().summary().map(|latency| latency.mean);
        let verdict = match ended {
            LoadVerdict::Converged if mean.is_some_and(|mean| mean > LATE * zero_load) => LoadVerdict::Saturated,
            LoadVerdict::Saturated if self.is_stuck()? => LoadVerdict::Deadlocked,
            other => other,
        };
        let stuck = if verdict == LoadVerdict::Deadlocked { self.stuck() } else { vec![] };
        let Run { statistics, now: cycles, .. } = self;
        Ok(Outcome { verdict, statistics, oldest_waiting, stuck, cycles, flits_before, flits, counted })
    }

    /// One cycle. All pins are driven before one is looked at, so that the hardware is evaluated once.
    pub fn cycle(&mut self) -> Result<(), OpenLoopError> {
        let Self { sources, sinks, flight, statistics, simulator, pins, ways, stopwatch, now, .. } = self;
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
            sources.place_free(terminal);
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
                    sources.answer(&whole.packet, now);
                }
                Ok(None) => {}
                Err(error) => problem = Some(error),
            }
        });
        if let Some(problem) = problem {
            return Err(OpenLoopError::Broken { cycle: now, problem });
        }
        stopwatch.behavioural();
        simulator.step()?;
        stopwatch.hardware();
        self.still = if moved || self.flight.is_empty() { 0 } else { self.still + 1 };
        self.now += 1;
        Ok(())
    }

    /// Less came out in the window than was created, by more than what is on its way.
    pub fn overloaded(&self) -> bool {
        let all = self.statistics.together();
        let behind = all.created.saturating_sub(all.accepted);
        let underway: u64 = self.flight.all().map(|underway| u64::from(underway.packet.flits)).sum();
        (all.accepted as f64) < TAKEN * all.created as f64 && behind > underway
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
        while !self.flight.is_empty() && self.still < WATCHDOG {
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
