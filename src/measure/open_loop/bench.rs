//! One load after the other on one network: each from an empty network through warm-up, measurement and drain to a
//! verdict.
//!
//! The network is built and compiled once; every load starts from the same saved state. What a load goes through, and
//! its verdict: `run`.

use super::{
    Destination, OpenLoopError, OpenLoopParams, Phases, Trace, Traffic, TrafficError,
    flight::Flight,
    open_loop,
    order::FlowOrder,
    pins::Pins,
    run::{LoadOutcome, LoadRun, WATCHDOG},
    shortest_paths::ShortestPaths,
    sink::Sinks,
    source::Sources,
    statistics::{Class, Statistics},
    steadiness::{Finding, last_quarter},
    trace::{Delivery, TraceSource},
    zero_load::ZeroLoad,
};
use crate::{
    report::{BufferSnapshots, ClassPoint, LinkUse, LoadPoint},
    statistics::HardwareStatistics,
};
use netlist::elaborate;
use rtl::noc::{Fabric, FabricParams, Flow, MessageClass, fabric::PlacedOutput};
use sim::{ClockHandle, Clocks, Options, Simulator, Snapshot, Stopwatch};
use std::{
    collections::BTreeSet,
    ops::Range,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// What is not hardware in a measurement.
pub const BEHAVIOURAL: [&str; 2] =
    ["sources (random packets, infinite queues)", "sinks (take every flit, check it, answer)"];

/// A network in simulation, with its traffic.
pub struct Bench {
    params: OpenLoopParams,
    traffic: Traffic,
    targets: Vec<Destination>,
    trace: Option<Arc<Trace>>,
    ways: ShortestPaths,
    zero_load: ZeroLoad,
    /// Flows whose packets keep their order.
    order: FlowOrder,
    /// Cycles without any movement that make a deadlock.
    watchdog: u64,
    /// Nodes, and places of their injectors.
    terminals: Vec<(u32, usize)>,
    /// Node of each ejection port.
    ejections: Vec<u32>,
    /// Nodes to which packets are shown whole.
    whole: Vec<u32>,
    simulator: Simulator,
    pins: Pins,
    /// Of the network.
    clock: ClockHandle,
    /// After reset.
    start: Snapshot,
    stopwatch: Stopwatch,
    preparation: Duration,
    simulated: u64,
    wall: Duration,
    interrupted: Arc<AtomicBool>,
    /// Of the last load.
    snapshots: Option<BufferSnapshots>,
    /// Of the last trace.
    deliveries: Vec<Delivery>,
}

impl Bench {
    /// `network`, loaded with `traffic`; see [`OpenLoopParams::new`].
    pub fn new(network: &FabricParams, traffic: &Traffic, options: &Options) -> Result<Self, OpenLoopError> {
        let params = OpenLoopParams::new(network, traffic)?;
        let targets = traffic.targets(&network.nodes)?;
        Self::of(params, traffic.clone(), targets, None, options)
    }

    /// `network`, in which the packets of a trace are sent; see [`Bench::follow`].
    pub fn of_trace(network: &FabricParams, trace: &Arc<Trace>, options: &Options) -> Result<Self, OpenLoopError> {
        let params = OpenLoopParams::of_trace(network, trace)?;
        let nobody = vec![Destination::Nobody; network.nodes.len() as usize];
        Self::of(params, trace.longest_packets(), nobody, Some(trace.clone()), options)
    }

    fn of(
        params: OpenLoopParams,
        traffic: Traffic,
        targets: Vec<Destination>,
        trace: Option<Arc<Trace>>,
        options: &Options,
    ) -> Result<Self, OpenLoopError> {
        let begin = Instant::now();
        let design = elaborate(&open_loop(&params)?)?;
        let clocks = match params.fabric.endpoints().clock() {
            Some([own, network]) => Clocks::default().ratio("overlay", own.into(), network.into()),
            None => Clocks::default(),
        };
        let mut simulator = Simulator::with_clocks(&design, options, &clocks)?;
        let clock = simulator.clock("clock")?;
        let pins = Pins::new(&simulator, &params)?;
        simulator.reset(2);
        for _ in 0..params.fabric.endpoints().settles() {
            simulator.step()?;
        }
        let places = |node| (node, params.places(node));
        let ways = ShortestPaths::new(&params.fabric).with_longest(params.flits_of_classes);
        let mut bench = Self {
            order: FlowOrder::new(&params.fabric),
            watchdog: WATCHDOG + ways.longest(1),
            ways,
            zero_load: ZeroLoad { mean: 0.0, measured: 0 },
            terminals: params.terminals().into_iter().map(places).collect(),
            whole: params.terminals().into_iter().filter(|&node| params.whole_at(node).receives).collect(),
            ejections: params.ejections().into_iter().map(|(node, _, _)| node).collect(),
            pins,
            clock,
            start: simulator.save(),
            simulator,
            targets,
            trace,
            traffic,
            params,
            stopwatch: Stopwatch::default(),
            preparation: Duration::ZERO,
            simulated: 0,
            wall: Duration::ZERO,
            interrupted: Arc::default(),
            snapshots: None,
            deliveries: vec![],
        };
        bench.zero_load = ZeroLoad::of(&mut bench)?;
        bench.preparation = begin.elapsed();
        Ok(bench)
    }

    /// When this becomes true, a load that is measured ends with [`OpenLoopError::Interrupted`].
    pub fn interrupt_on(&mut self, flag: Arc<AtomicBool>) {
        self.interrupted = flag;
    }

    /// Has snapshots taken of what routers hold, every `interval` cycles of each load.
    pub fn take_snapshots(&mut self, title: String, interval: u64) {
        let lanes = |node| self.params.injector(node).interface.injection_lanes();
        self.snapshots = Some(BufferSnapshots::new(title, interval, &self.params.fabric, lanes));
    }

    /// Those of the last load.
    pub fn snapshots(&self) -> Option<&BufferSnapshots> {
        self.snapshots.as_ref()
    }

    /// Packets of the last trace that have arrived, in the order of their arrival.
    pub fn deliveries(&self) -> &[Delivery] {
        &self.deliveries
    }

    /// Mean latency without contention.
    pub fn zero_load(&self) -> ZeroLoad {
        self.zero_load
    }

    /// Latency of a packet of so many flits without contention, cycles; see [`ShortestPaths::zero_load`].
    pub fn zero_load_of(&self, source: u32, dest: u32, flits: u32) -> u64 {
        self.ways.zero_load(source, dest, flits)
    }

    /// [`zero_load`](Self::zero_load) in cycles.
    pub fn zero_load_latency(&self) -> f64 {
        self.zero_load.mean
    }

    /// The ways between nodes.
    pub(super) fn ways(&self) -> &ShortestPaths {
        &self.ways
    }

    /// The mean of `value` over the packets of the traffic; see [`Traffic::expectation`].
    pub(super) fn each_packet(&self, mut value: impl FnMut(Flow, u32) -> f64) -> f64 {
        let Some(trace) = &self.trace else { return self.traffic.expectation(&self.targets, value) };
        let sum: f64 = trace.packets().map(|(flow, flits)| value(flow, flits)).sum();
        sum / trace.size().0 as f64
    }

    /// Nodes that send requests, or one-way packets.
    pub fn senders(&self) -> usize {
        match &self.trace {
            Some(trace) => trace.flows().iter().map(|flow| flow.source).collect::<BTreeSet<_>>().len(),
            None => self.targets.iter().filter(|target| **target != Destination::Nobody).count(),
        }
    }

    /// The highest load that can be offered; see [`Traffic::most_load`].
    pub fn most_load(&self) -> f64 {
        self.traffic.most_load(&self.targets)
    }

    /// Flits of a request on average.
    pub fn mean_request(&self) -> f64 {
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

    /// The network.
    pub fn fabric(&self) -> &Fabric {
        &self.params.fabric
    }

    /// The simulator.
    pub fn simulator(&mut self) -> &mut Simulator {
        &mut self.simulator
    }

    /// Whether this load can be offered, and measured in these phases.
    pub fn check(&self, load: f64, phases: Phases) -> Result<(), OpenLoopError> {
        if !(load > 0.0 && load <= self.most_load()) {
            let allowed = format!("above 0, up to {}: a packet in every cycle", (1e6 * self.most_load()).round() / 1e6);
            return Err(TrafficError::Load { name: "rate", value: load.to_string(), allowed }.into());
        }
        if phases.measure == 0 {
            return Err(
                TrafficError::Load { name: "measure", value: "0".into(), allowed: "1 cycle and more".into() }.into()
            );
        }
        Ok(())
    }

    /// Offers `load` flits per sender and cycle. `flit_bytes` is for the report. `each_cycle` is told the number of cycles of this
    /// load so far.
    pub fn run(
        &mut self,
        load: f64,
        phases: Phases,
        seed: u64,
        flit_bytes: u32,
        mut each_cycle: impl FnMut(u64),
    ) -> Result<LoadPoint, OpenLoopError> {
        self.check(load, phases)?;
        let start = Instant::now();
        let run = self.begin(load, phases.window(), seed)?;
        let outcome = run.measure(phases, &mut each_cycle)?;
        Ok(self.point(load, phases.measure, flit_bytes, start, outcome))
    }

    /// Sends the packets of the trace; the load of the result is that of its flits until the last one has arrived. Ends without a result that is
    /// complete when none has arrived for `drain` cycles.
    pub fn follow(
        &mut self,
        drain: u64,
        flit_bytes: u32,
        mut each_cycle: impl FnMut(u64),
    ) -> Result<LoadPoint, OpenLoopError> {
        let start = Instant::now();
        let trace = self.trace.clone().expect("a bench of a trace");
        let mut run = self.begin(0.0, 0..u64::MAX, 0)?;
        run.sources.follow(TraceSource::new(&trace));
        let mut outcome = run.follow(drain, &mut each_cycle)?;
        self.deliveries = std::mem::take(&mut outcome.deliveries);
        let cycles = outcome.cycles.max(1);
        let load = trace.size().1 as f64 / (self.senders() as f64 * cycles as f64);
        let point = self.point(load, cycles, flit_bytes, start, outcome);
        let own = point.classes.values().map(|class| class.packets).sum();
        // Batches are of a window with an end.
        Ok(LoadPoint { packets: own, mean_half_width: None, accepted_half_width: 0.0, ..point })
    }

    /// What has been found of a load, in so many cycles.
    fn point(&mut self, load: f64, measure: u64, flit_bytes: u32, start: Instant, outcome: LoadOutcome) -> LoadPoint {
        let LoadOutcome { finding, statistics, oldest_waiting, stuck, cycles, flits_before, flits, counted, .. } =
            outcome;
        let Finding { verdict, reason } = finding;
        self.simulated += cycles;
        self.wall += start.elapsed();
        let all = statistics.together();
        // Of answered requests, what was answered.
        let taken = match statistics.classes.get(1).filter(|_| self.trace.is_none()) {
            Some(replies) => replies.accepted as f64 * self.traffic.mean_request() / self.traffic.mean_reply(),
            None => all.accepted as f64,
        };
        let accepted = taken / (self.senders() as f64 * measure as f64);
        // In the unit of the load, by the flits of all classes.
        let accepted_half_width =
            statistics.batches.accepted_half_width() * accepted * measure as f64 / (all.accepted.max(1)) as f64;
        let of_class = |(class, name): (&Class, &&str)| {
            let nodes = self.nodes_sending(*name == "reply");
            (name.to_string(), class_point(class, nodes, measure))
        };
        LoadPoint {
            offered: load,
            offered_bytes: load * f64::from(flit_bytes),
            accepted,
            accepted_bytes: accepted * f64::from(flit_bytes),
            verdict,
            reason,
            accepted_half_width,
            mean_half_width: statistics.batches.latency_half_width(),
            packet_latency: all.summary(),
            network_latency_mean: all.network_mean(),
            routers_per_packet: all.routers_mean(),
            classes: statistics.classes.iter().zip(self.traffic.class_names()).map(of_class).collect(),
            packets: all.latencies.len() as u64,
            missing: statistics.missing,
            oldest_waiting,
            accepted_per_node: statistics.accepted_of.iter().map(|&n| n as f64 / measure as f64).collect(),
            links: utilisation(self.fabric(), &flits_before, &flits, counted),
            stuck,
        }
    }

    /// An empty network with its sources and sinks.
    pub(super) fn begin(&mut self, load: f64, window: Range<u64>, seed: u64) -> Result<LoadRun<'_>, OpenLoopError> {
        self.simulator.restore(&self.start)?;
        if let Some(snapshots) = &mut self.snapshots {
            snapshots.begin(&self.params.fabric, &self.simulator.probes().into());
        }
        let vcs = self.params.most_vcs();
        Ok(LoadRun {
            sources: Sources::new(&self.traffic, &self.targets, &self.terminals, load, seed, last_quarter(&window)),
            sinks: Sinks::new(self.ejections.clone(), vcs, &self.pins),
            order: self.order.clone(),
            flight: Flight::new(self.pins.tags()),
            statistics: Statistics::new(window, self.traffic.classes(), self.params.nodes().len()),
            simulator: &mut self.simulator,
            pins: &self.pins,
            whole: &self.whole,
            clock: self.clock,
            ways: &self.ways,
            stopwatch: &mut self.stopwatch,
            interrupted: &self.interrupted,
            snapshots: self.snapshots.as_mut().map(|snapshots| (snapshots, &self.params.fabric)),
            watchdog: self.watchdog,
            now: 0,
            still: 0,
            stopped: false,
        })
    }

    /// Nodes that send requests (or one-way packets), or replies.
    fn nodes_sending(&self, replies: bool) -> usize {
        if !replies {
            return self.senders();
        }
        if let Some(trace) = &self.trace {
            let of_class = trace.flows().into_iter().filter(|flow| flow.class == MessageClass::Reply);
            return of_class.map(|flow| flow.source).collect::<BTreeSet<_>>().len();
        }
        let asked: BTreeSet<u32> = self.targets.iter().flat_map(Destination::shares).map(|(node, _)| node).collect();
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

/// What each output of the routers has sent in between.
fn utilisation(fabric: &Fabric, before: &HardwareStatistics, after: &HardwareStatistics, cycles: u64) -> Vec<LinkUse> {
    let used = |((output, before), (_, after)): ((PlacedOutput, Vec<u64>), (PlacedOutput, Vec<u64>))| {
        let share = |(before, after): (&u64, &u64)| (after - before) as f64 / cycles as f64;
        let vcs: Vec<f64> = before.iter().zip(&after).map(share).collect();
        let PlacedOutput { subnetwork, router, port, .. } = output;
        LinkUse { subnetwork, router, port, utilisation: vcs.iter().sum(), vcs }
    };
    before.flits(fabric).into_iter().zip(after.flits(fabric)).map(used).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Pattern, Sizes, flight::PacketInFlight},
        *,
    };
    use crate::report::LoadVerdict;
    use rtl::noc::{FlitFormat, NetworkParams, NodeKind, Nodes};

    /// A packet that the hardware does not have stands for one that is stuck in it.
    #[test]
    fn what_does_not_move_is_a_deadlock() {
        let mesh = Nodes::with_kinds(2, 1, |_| NodeKind::Core).expect("legal");
        let network = NetworkParams::new(FlitFormat::new(2, 8, 2, 1), 4, 1);
        let transactions = Sizes::fixed(3).one_way();
        let traffic = Traffic::new(Pattern::Uniform, transactions);
        let mut bench = Bench::new(&FabricParams::new(mesh, network), &traffic, &Options::default()).expect("legal");
        let lost = PacketInFlight {
            source: 0,
            dest: 1,
            reply: false,
            flits: 3,
            owed: None,
            created: 0,
            measured: false,
            traced: None,
            number: 0,
        };
        // Others do not move meanwhile, or they do, until the sources stop; and in a measurement that does not come to
        // its end.
        for (load, measure, drain) in [(1e-9, 100, 20_000), (0.9, 100, 1_000), (1e-9, 100_000, 1_000)] {
            let phases = Phases { warmup: 10, measure, drain };
            let mut run = bench.begin(load, phases.window(), 1).expect("starts");
            run.flight.start(lost);
            run.statistics.missing = 1;
            let outcome = run.measure(phases, &mut |_| {}).expect("no assertion fails");
            assert_eq!(outcome.finding.verdict, LoadVerdict::Deadlocked, "{load}");
            assert_eq!(outcome.stuck, ["packet from node 0 to node 1, 0 of 3 flits arrived, not yet in the network"]);
            assert!(outcome.oldest_waiting >= 110 && outcome.cycles >= WATCHDOG);
            // What the links were used for until then is known.
            let links = utilisation(bench.fabric(), &outcome.flits_before, &outcome.flits, outcome.counted);
            assert!(!links.is_empty() && outcome.counted >= 100);
        }
        let phases = Phases { warmup: 10, measure: 100, drain: 1_000 };
        let point = bench.run(0.1, phases, 1, 16, |_| {}).expect("runs again");
        assert_eq!(point.verdict, LoadVerdict::Converged);
    }
}
