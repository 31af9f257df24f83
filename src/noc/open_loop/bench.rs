//! One load after the other on one network: each from an empty network through warm-up, measurement and drain to a verdict.
//!
//! ```text
//!  | warm-up | measurement             | drain ...            |
//!  packets   created here are measured   sources go on, until all measured packets have arrived
//! ```
//!
//! The network is built and compiled once; every load starts from the same saved state. The verdict is *saturated* when in the
//! measurement less than 95 % of the created flits came out (and more are missing than are on their way), when the drain takes longer
//! than its limit, or when the mean latency is above 20 times that without contention; *deadlocked* when packets are
//! in the network and none has moved for [`WATCHDOG`] cycles: meanwhile, or after the sources were stopped at the end of a
//! saturated measurement.

use super::{
    OpenLoopParams, Target, Traffic,
    flight::Flight,
    open_loop,
    pins::Pins,
    run::{Run, WATCHDOG},
    sink::Sinks,
    source::Sources,
    statistics::{Class, Statistics},
    traffic::Routers,
};
use crate::{
    netlist::{ElaborationError, elaborate},
    noc::{Mesh, NetworkParams, NocError},
    report::{ClassPoint, LinkUse, LoadPoint, LoadVerdict},
    sim::{Options, ProbeResult, SimError, Simulator, Snapshot, Stopwatch},
};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

/// Mean latency, relative to that without contention, that no network below saturation has.
const LATE: f64 = 20.0;

/// What is not hardware in a measurement.
pub const BEHAVIOURAL: [&str; 2] =
    ["sources (random packets, queues without end)", "sinks (take every flit, check it, answer)"];

/// Lengths of the phases, cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases {
    /// Before measuring.
    pub warmup: u64,
    /// Packets created in these are measured.
    pub measure: u64,
    /// At most, until they have arrived.
    pub drain: u64,
}

impl Default for Phases {
    fn default() -> Self {
        Self { warmup: 2_000, measure: 10_000, drain: 20_000 }
    }
}

/// Why there is no measurement.
#[derive(Debug, thiserror::Error)]
pub enum OpenLoopError {
    /// The network or the traffic is impossible.
    #[error(transparent)]
    Network(#[from] NocError),
    /// The hardware is wrong.
    #[error(transparent)]
    Elaboration(#[from] ElaborationError),
    /// A broken claim of a block, or a difference between engines.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// What came out of the network is not what went in.
    #[error("cycle {cycle}: {problem}")]
    Broken {
        /// When.
        cycle: u64,
        /// What.
        problem: String,
    },
}

/// A network in simulation, with its traffic.
pub struct Bench {
    params: OpenLoopParams,
    traffic: Traffic,
    targets: Vec<Target>,
    routers: Routers,
    terminals: Vec<u32>,
    simulator: Simulator,
    pins: Pins,
    /// After reset.
    start: Snapshot,
    stopwatch: Stopwatch,
    preparation: Duration,
    simulated: u64,
    wall: Duration,
}

impl Bench {
    /// The routers of `network` on `mesh`, loaded with `traffic`; see [`OpenLoopParams::new`].
    pub fn new(
        mesh: &Mesh,
        network: &NetworkParams,
        traffic: &Traffic,
        options: &Options,
    ) -> Result<Self, OpenLoopError> {
        let begin = Instant::now();
        let params = OpenLoopParams::new(mesh, network, traffic)?;
        let targets = traffic.pattern.targets(mesh, traffic.hot_share)?;
        let design = elaborate(&open_loop(&params)?)?;
        let mut simulator = Simulator::new(&design, options)?;
        let pins = Pins::new(&simulator, &params)?;
        simulator.reset(2);
        Ok(Self {
            routers: Routers::new(mesh),
            terminals: params.terminals(),
            pins,
            start: simulator.save(),
            simulator,
            targets,
            traffic: traffic.clone(),
            params,
            stopwatch: Stopwatch::default(),
            preparation: begin.elapsed(),
            simulated: 0,
            wall: Duration::ZERO,
        })
    }

    /// Mean latency without contention, cycles.
    pub fn zero_load_latency(&self) -> f64 {
        self.traffic.zero_load(&self.params.mesh, &self.targets)
    }

    /// Nodes that send requests, or one-way packets.
    pub fn senders(&self) -> usize {
        self.targets.iter().filter(|target| **target != Target::Nobody).count()
    }

    /// The highest load that can be offered: a packet in every cycle.
    pub fn most_load(&self) -> f64 {
        self.traffic.mean_request()
    }

    /// Share of the time that went to what is no hardware, so far.
    pub fn behavioural_share(&self) -> Option<f64> {
        self.stopwatch.behavioural_share()
    }

    /// Time to build, elaborate and compile.
    pub fn preparation(&self) -> Duration {
        self.preparation
    }

    /// Simulated cycles of all loads so far, and the time they took.
    pub fn simulated(&self) -> (u64, Duration) {
        (self.simulated, self.wall)
    }

    /// The simulator.
    pub fn simulator(&mut self) -> &mut Simulator {
        &mut self.simulator
    }

    /// Offers `load` flits per sender and cycle. `flit_bytes` is for the report. `each_cycle` is told the number of cycles so far.
    pub fn run(
        &mut self,
        load: f64,
        phases: Phases,
        seed: u64,
        flit_bytes: u32,
        mut each_cycle: impl FnMut(u64),
    ) -> Result<LoadPoint, OpenLoopError> {
        if !(load > 0.0 && load <= self.most_load()) {
            let allowed = format!("above 0, up to {}: a packet in every cycle", self.most_load());
            return Err(NocError::Load { name: "rate", value: load.to_string(), allowed }.into());
        }
        if phases.measure == 0 {
            return Err(
                NocError::Load { name: "measure", value: "0".into(), allowed: "1 cycle and more".into() }.into()
            );
        }
        let begin = Instant::now();
        self.simulator.restore(&self.start)?;
        let window = phases.warmup..phases.warmup + phases.measure;
        let sources = Sources::new(&self.traffic, &self.targets, &self.terminals, load, seed);
        let vcs = self.params.network.format.vcs;
        let mut run = Run {
            sources,
            sinks: Sinks::new(&self.terminals, vcs, &self.pins),
            flight: Flight::new(self.pins.tags()),
            statistics: Statistics::new(window.clone(), self.traffic.classes(), self.params.mesh.len()),
            simulator: &mut self.simulator,
            pins: &self.pins,
            routers: &self.routers,
            stopwatch: &mut self.stopwatch,
            now: 0,
            still: 0,
            stopped: false,
        };
        let (mut before, mut flits) = (vec![], vec![]);
        let limit = window.end + phases.drain;
        let measured = loop {
            if run.now == window.start {
                before = flits_of_links(run.simulator);
            }
            if run.now == window.end {
                flits = flits_of_links(run.simulator);
                if run.overloaded() {
                    break LoadVerdict::Saturated;
                }
            }
            if run.now >= window.end && run.statistics.missing == 0 {
                break LoadVerdict::Converged;
            }
            if run.now >= limit {
                break LoadVerdict::Saturated;
            }
            if run.still >= WATCHDOG {
                break LoadVerdict::Deadlocked;
            }
            run.cycle()?;
            each_cycle(self.simulated + run.now);
        };
        let zero_load = self.traffic.zero_load(&self.params.mesh, &self.targets);
        let all = run.statistics.together();
        let mean = all.summary().map(|latency| latency.mean);
        let oldest_waiting = run.oldest();
        let verdict = match measured {
            LoadVerdict::Converged if mean.is_some_and(|mean| mean > LATE * zero_load) => LoadVerdict::Saturated,
            LoadVerdict::Saturated if run.is_stuck()? => LoadVerdict::Deadlocked,
            other => other,
        };
        let stuck = if verdict == LoadVerdict::Deadlocked { run.stuck() } else { vec![] };
        let Run { statistics, now, .. } = run;
        self.simulated += now;
        self.wall += begin.elapsed();
        let accepted = statistics.classes[0].accepted as f64 / (self.senders() as f64 * phases.measure as f64);
        let of_class = |(class, name): (&Class, &&str)| {
            let nodes = self.nodes_sending(*name == "reply");
            (name.to_string(), class_point(class, nodes, phases.measure))
        };
        Ok(LoadPoint {
            offered: load,
            offered_bytes: load * f64::from(flit_bytes),
            accepted,
            accepted_bytes: accepted * f64::from(flit_bytes),
            verdict,
            packet_latency: all.summary(),
            network_latency_mean: all.network_mean(),
            routers_per_packet: all.routers_mean(),
            classes: statistics.classes.iter().zip(self.traffic.class_names()).map(of_class).collect(),
            packets: all.latencies.len() as u64,
            missing: statistics.missing,
            oldest_waiting,
            accepted_per_node: statistics.accepted_of.iter().map(|&n| n as f64 / phases.measure as f64).collect(),
            links: utilisation(&before, &flits, phases.measure),
            stuck,
        })
    }

    /// Nodes that send requests (or one-way packets), or replies.
    fn nodes_sending(&self, replies: bool) -> usize {
        if !replies {
            return self.senders();
        }
        let asked: BTreeSet<u32> = self.targets.iter().flat_map(Target::shares).map(|(node, _)| node).collect();
        asked.len()
    }
}

fn class_point(class: &Class, nodes: usize, cycles: u64) -> ClassPoint {
    ClassPoint {
        packets: class.latencies.len() as u64,
        accepted: class.accepted as f64 / (nodes as f64 * cycles as f64),
        packet_latency: class.summary(),
        network_latency_mean: class.network_mean(),
        routers_per_packet: class.routers_mean(),
    }
}

/// Flits of each VC of each output of the routers so far: the probes of their output units.
fn flits_of_links(simulator: &mut Simulator) -> Vec<ProbeResult> {
    simulator.probes().into_iter().filter(|probe| probe.name.starts_with(FLITS_OF_VC)).collect()
}

/// The probes that count the flits of a VC behind an output.
const FLITS_OF_VC: &str = "flits_vc";

/// What the probes have counted in between, by output.
fn utilisation(before: &[ProbeResult], after: &[ProbeResult], cycles: u64) -> Vec<LinkUse> {
    let mut links: Vec<LinkUse> = vec![];
    for (before, after) in before.iter().zip(after) {
        let Some((router, port)) = after.path.split_once(".output_unit_to_") else { continue };
        let Some(node) = router.strip_prefix("router").and_then(|number| number.parse().ok()) else { continue };
        let share = (after.count - before.count) as f64 / cycles as f64;
        match links.last_mut().filter(|link| link.node == node && link.port == port) {
            Some(link) => {
                link.utilisation += share;
                link.vcs.push(share);
            }
            None => links.push(LinkUse { node, port: port.to_string(), utilisation: share, vcs: vec![share] }),
        }
    }
    links
}
