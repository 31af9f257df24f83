//! Random blocks: what no chip has in it, and what chips have with few parameters alone.

use super::{chips, draw::Draw};
use warpmesh::{
    blocks::*,
    chip::Chip,
    hdl::{Builder, Module},
    noc::{
        AllocatorParams, Connectivity, FlitFormat, Input, InputPort, NetworkParams, Ports,
        flit_buffer::{FlitBufferParams, flit_buffer},
        link::link,
        switch_allocator::switch_allocator,
        traffic::{TrafficParams, traffic_mesh},
    },
    open_loop::{OpenLoopParams, Pattern, Traffic, open_loop, traffic::memory},
};

/// A kind of block.
type Kind = (&'static str, fn(&mut Draw) -> Module);

/// All kinds; a seed has the one at its remainder.
pub const KINDS: [Kind; 22] = [
    ("fifo", |d| fifo(FifoParams { depth: d.range(1, 64) as usize, width: d.range(1, 300), registered: false })),
    ("fifo_registered", |d| {
        fifo(FifoParams { depth: d.range(1, 64) as usize, width: d.range(1, 300), registered: true })
    }),
    ("clock_crossing_fifo", |d| clock_crossing_fifo(crossing(d))),
    ("two_clocks", two_clocks),
    ("flit_buffer", buffer),
    ("round_robin_arbiter", |d| arbiter(ArbiterKind::RoundRobin, d.range(2, 33))),
    ("matrix_arbiter", |d| arbiter(ArbiterKind::Matrix, d.range(2, 12))),
    ("switch_allocator", allocator),
    ("cam", |d| cam(d.range(1, 33), d.range(1, 65))),
    ("lru", |d| lru(d.range(2, 17))),
    ("lfsr", |d| lfsr(d.range(2, 64), d.range(1, 70))),
    ("credit_counter", |d| credit_counter(d.range(1, 65) as usize)),
    ("pipeline_register", |d| pipeline_register(d.range(1, 300))),
    ("skid_register", |d| skid_register(d.range(1, 300))),
    ("priority_encoder", |d| priority_encoder(d.range(2, 65))),
    ("one_hot_multiplexer", |d| one_hot_multiplexer(d.range(1, 17), d.range(1, 65))),
    ("link", |d| link(&FlitFormat::new(d.range(1, 16), d.range(8, 512), 16, 8), d.range(1, 16))),
    ("multiply32", |_| multiply32()),
    ("fp32_add", |_| fp32_add()),
    ("fp32_mul", |_| fp32_mul()),
    ("traffic_mesh", mesh),
    ("open_loop", alone),
];

/// The block of `seed`, and what it is.
pub fn block(seed: u64) -> (String, Module) {
    let (kind, make) = KINDS[(seed % KINDS.len() as u64) as usize];
    let top = make(&mut Draw::new(seed));
    (format!("block of kind {kind}: {}", top.name), top)
}

fn crossing(draw: &mut Draw) -> CrossingParams {
    CrossingParams { stages: draw.uniform(2, 4), ..CrossingParams::new(draw.power(2, 64) as usize, draw.range(1, 300)) }
}

/// A queue between two clocks, and registers on both sides.
fn two_clocks(draw: &mut Draw) -> Module {
    let params = crossing(draw);
    let m = Builder::new("two_clocks", warpmesh::hdl::params! { depth: params.depth, width: params.width });
    let other = m.domain("other");
    let queue = cross(&m, "queue", m.clock(), other, params);
    queue.drive("push", m.delayed("push_earlier", m.input("push", 1)));
    queue.drive("push_data", m.delayed("data_earlier", m.input("data", params.width)));
    m.output_of("full", queue.get("full"));
    m.in_domain(other, || {
        queue.drive("pop", m.delayed("pop_earlier", m.input("pop", 1)));
        m.output_of("valid", m.delayed("valid_earlier", queue.get("valid")));
        m.output_of("word", m.delayed("word_earlier", queue.get("data")));
    });
    m.finish()
}

fn buffer(draw: &mut Draw) -> Module {
    let (vcs, depth) = (draw.range(1, 16), draw.range(1, 64) as usize);
    let route = if draw.chance(0.5) { draw.range(1, 8) } else { 0 };
    let behind = route > 0 && draw.chance(0.5);
    flit_buffer(FlitBufferParams { vcs, depth, carried: draw.range(1, 16), width: draw.range(8, 512), route, behind })
}

fn allocator(draw: &mut Draw) -> Module {
    let ports = Ports::interior();
    let connectivity = if draw.chance(0.5) { Connectivity::full(&ports) } else { Connectivity::half(&ports) };
    let params = AllocatorParams {
        kind: draw.one_of(&chips::ALLOCATORS),
        arbiter: draw.one_of(&chips::ARBITERS),
        iterations: draw.uniform(1, 4),
    };
    let injection = InputPort::with_switch_inputs(draw.uniform(1, 4));
    let port = |input| if matches!(input, Input::Inject(_)) { injection } else { InputPort::default() };
    switch_allocator(&connectivity.with_ports(port).with_speedup(draw.uniform(1, 2)), params)
}

/// Traffic as hardware.
fn mesh(draw: &mut Draw) -> Module {
    let (columns, rows) = (draw.uniform(2, 3), draw.uniform(1, 3));
    let format = FlitFormat::new(draw.power(1, 4), 40, columns * rows, 8);
    let network = NetworkParams::new(format, draw.range(1, 32) as usize, 1);
    let params = TrafficParams { columns, rows, network, flits: draw.range(1, 64), queue: draw.range(1, 1024) };
    traffic_mesh(&params).unwrap_or_else(|e| panic!("{params:?}: {e}"))
}

/// The network of a random chip, as it is measured.
fn alone(draw: &mut Draw) -> Module {
    let config = chips::config(draw.uniform(0, u32::MAX).into());
    let chip = Chip::new(&config).expect("drawn so that it is legal");
    let pattern = Pattern::ManyToFew;
    let traffic = Traffic { pattern, hot_share: 0.2, transactions: memory(0.7, draw.uniform(1, 8)), service: 0 };
    let params = OpenLoopParams::new(chip.fabric().params(), &traffic);
    params.and_then(|params| Ok(open_loop(&params)?)).unwrap_or_else(|e| panic!("{config:?}: {e}"))
}
