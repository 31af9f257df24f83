//! Elaboration, compilation and cycles per second of a RouterParams, router, of a core with its memory, and of the default chip.

use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use warpmesh::{
    chip::{Chip, ChipConfig, build},
    hdl::{Bits, Module},
    host::Host,
    netlist::{Design, elaborate},
    noc::{Connectivity, Direction, Ports, RouterParams, router},
    program::{Launch, kernels},
    sim::{Engine, InputHandle, Options, OutputHandle, Simulator},
    verilog::lockstep::Rng,
};

const INTERPRETER: Options = Options { engine: Engine::Interpreter, ..Options::DEFAULT };

fn chip(config: &ChipConfig) -> Chip {
    Chip::new(config).expect("a legal configuration")
}

/// One core and one memory controller.
fn one_core() -> Chip {
    let mut config = ChipConfig::default();
    (config.network.columns, config.network.rows, config.memory.controllers) = (2, 1, 1);
    chip(&config)
}

fn design(module: &Module) -> Design {
    elaborate(module).expect("the design is correct")
}

// -- a router --------------------------------------------------------------------------------------------------------

/// The node of the RouterParams, router, in a mesh of 4 x 4.
const HERE: (u64, u64) = (1, 1);

/// The router of the default chip with all five ports.
fn full_router() -> Module {
    let chip = chip(&ChipConfig::default());
    let network = &chip.config().network;
    let connectivity = Connectivity::full(&Ports { links: Direction::ALL.to_vec(), injects: 1, ejects: 1 });
    let params = RouterParams::plain(network.columns, network.rows, connectivity, *chip.fabric().network());
    router(&params).expect("legal parameters")
}

/// Destinations of flits that XY routing lets come in at a port.
fn destinations(port: &str) -> Vec<u64> {
    let allowed = |x: u64, y: u64| match port {
        "north" => x == HERE.0 && y >= HERE.1,
        "south" => x == HERE.0 && y <= HERE.1,
        "west" => x >= HERE.0,
        "east" => x <= HERE.0,
        _ => (x, y) != HERE,
    };
    (0..16).filter(|node| allowed(node % 4, node / 4)).collect()
}

/// A port: a source of one-flit packets on the way in, a sink that returns every credit at once on the way out.
struct ChipPort {
    valid: InputHandle,
    vc: InputHandle,
    dest: InputHandle,
    payload: InputHandle,
    credit: OutputHandle,
    credits: [u32; 4],
    destinations: Vec<u64>,
    arrived: OutputHandle,
    arrived_vc: OutputHandle,
    returned: InputHandle,
    returns: u64,
}

/// A router under traffic of half the capacity of its inputs.
struct ChipTraffic {
    simulator: Simulator,
    ports: Vec<ChipPort>,
    random: Rng,
    payloads: Vec<Bits>,
}

impl ChipTraffic {
    fn new(design: &Design, options: &Options) -> Self {
        let mut simulator = Simulator::new(design, options).expect("the router compiles");
        simulator.poke("here_x", HERE.0);
        simulator.poke("here_y", HERE.1);
        let names = [("north", "north"), ("east", "east"), ("south", "south"), ("west", "west"), ("inject0", "eject0")];
        for (from, _) in names {
            simulator.poke(&format!("in_{from}_head"), 1);
            simulator.poke(&format!("in_{from}_tail"), 1);
        }
        simulator.reset(2);
        let port = |(from, to): (&str, &str)| {
            let input = |name: String| simulator.input(&name).expect("a port");
            let output = |name: String| simulator.output(&name).expect("a port");
            ChipPort {
                valid: input(format!("in_{from}_valid")),
                vc: input(format!("in_{from}_vc")),
                dest: input(format!("in_{from}_dest")),
                payload: input(format!("in_{from}_payload")),
                credit: output(format!("in_{from}_credit")),
                credits: [8; 4],
                destinations: destinations(from),
                arrived: output(format!("out_{to}_valid")),
                arrived_vc: output(format!("out_{to}_vc")),
                returned: input(format!("out_{to}_credit")),
                returns: 0,
            }
        };
        let ports = names.map(port).into();
        let mut random = Rng::new(1);
        let payloads = (0..64).map(|_| random.bits(128)).collect();
        Self { simulator, ports, random, payloads }
    }

    fn run(&mut self, cycles: u64) {
        let Self { simulator, ports, random, payloads } = self;
        for _ in 0..cycles {
            // All outputs are read before any input changes: one evaluation a cycle.
            for port in ports.iter_mut() {
                let freed = simulator.peek_at(port.credit);
                (0..4).for_each(|vc| port.credits[vc] += (freed >> vc & 1) as u32);
                port.returns = simulator.peek_at(port.arrived) << simulator.peek_at(port.arrived_vc);
            }
            for port in ports.iter_mut() {
                simulator.poke_at(port.returned, port.returns);
                let dice = random.next_u64();
                let vc = (dice >> 1 & 3) as usize;
                let sends = dice & 1 == 1 && port.credits[vc] > 0;
                simulator.poke_at(port.valid, sends.into());
                if sends {
                    port.credits[vc] -= 1;
                    simulator.poke_at(port.vc, vc as u64);
                    simulator.poke_at(port.dest, port.destinations[(dice >> 8) as usize % port.destinations.len()]);
                    simulator.poke_bits_at(port.payload, &payloads[(dice >> 32) as usize % payloads.len()]);
                }
            }
            simulator.step().expect("the traffic is legal");
        }
    }
}

// -- a chip ----------------------------------------------------------------------------------------------------------

/// A chip that multiplies matrices. Slices of equal length of the run are measured; it starts again before it ends.
struct Multiply {
    host: Host,
    launch: Launch,
    cycle: u64,
}

/// Cycles from a start that are not measured: the first loads.
const WARM_UP: u64 = 400;
/// The multiply is still in full swing here.
const LAST: u64 = 12_000;

impl Multiply {
    fn new(chip: &Chip, options: &Options) -> Self {
        let kernel = kernels::find("matmul").expect("a kernel of ours");
        let launch = kernel.launch(None, 1, &chip.target()).expect("the kernel compiles");
        Self { host: Host::new(chip, options).expect("the chip compiles"), launch, cycle: LAST }
    }

    /// Time of the next `cycles` cycles.
    fn slice(&mut self, cycles: u64) -> Duration {
        if self.cycle + cycles > LAST {
            self.host.start(&self.launch).expect("the launch fits");
            self.cycle = 0;
            self.run(WARM_UP);
        }
        let start = Instant::now();
        self.run(cycles);
        start.elapsed()
    }

    fn run(&mut self, cycles: u64) {
        self.cycle += cycles;
        (0..cycles).for_each(|_| self.host.cycle().expect("no claim of a block is broken"));
    }
}

// -- benchmarks ------------------------------------------------------------------------------------------------------

fn preparation(c: &mut Criterion, what: &str, module: impl Fn() -> Module) {
    c.bench_function(&format!("elaborate {what}"), |b| b.iter(|| design(&module())));
    let elaborated = design(&module());
    c.bench_function(&format!("compile {what}"), |b| {
        b.iter(|| Simulator::new(black_box(&elaborated), &Options::default()).expect("compiles"));
    });
}

/// Slices of `cycles` cycles each.
fn cycles(group: &mut BenchmarkGroup<WallTime>, name: &str, cycles: u64, mut slice: impl FnMut(u64) -> Duration) {
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(cycles));
    group.bench_function(name, |b| b.iter_custom(|slices| (0..slices).map(|_| slice(cycles)).sum()));
}

fn multiply(c: &mut Criterion, what: &str, chip: &Chip, engines: &[(&str, Options, u64)]) {
    let mut group = c.benchmark_group(format!("cycles of {what}"));
    for (name, options, length) in engines {
        let mut running = Multiply::new(chip, options);
        cycles(&mut group, name, *length, |cycles| running.slice(cycles));
    }
    group.finish();
}

fn router_benchmarks(c: &mut Criterion) {
    preparation(c, "router", full_router);
    let elaborated = design(&full_router());
    let mut group = c.benchmark_group("cycles of router");
    for (name, options, length) in [("native", Options::default(), 5000), ("interpreter", INTERPRETER, 500)] {
        let mut traffic = ChipTraffic::new(&elaborated, &options);
        cycles(&mut group, name, length, |cycles| {
            let start = Instant::now();
            traffic.run(cycles);
            start.elapsed()
        });
    }
    group.finish();
}

fn core_benchmarks(c: &mut Criterion) {
    let engines = [("native", Options::default(), 2000), ("interpreter", INTERPRETER, 200)];
    multiply(c, "core with its memory", &one_core(), &engines);
}

fn chip_benchmarks(c: &mut Criterion) {
    let default = chip(&ChipConfig::default());
    preparation(c, "default chip", || build(&default).expect("a legal network"));
    let engines = [
        ("native", Options::default(), 500),
        ("native, 2 threads", Options { threads: 2, ..Options::default() }, 500),
        ("native, no intrinsics", Options { intrinsics: false, ..Options::default() }, 500),
        ("interpreter", INTERPRETER, 30),
    ];
    multiply(c, "default chip", &default, &engines);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = router_benchmarks, core_benchmarks, chip_benchmarks
}
criterion_main!(benches);
