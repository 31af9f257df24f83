//! Elaboration, compilation and cycles per second of a mid-size design: a torus of tiles with queues, arbiters, a
//! crossbar of 128-bit words and a multiply-add lane each.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};
use warpmesh::{
    blocks::{ArbiterKind, FifoParams, arbiter, fifo, fp32_fma},
    hdl::{Builder, Module, concat, mux, params},
    netlist::{Design, elaborate},
    sim::{Engine, Options, Simulator},
};

const PORTS: usize = 5;
const WIDTH: u32 = 128;

/// Five queues, an arbiter per output, a crossbar; the word for the fifth output goes through a multiply-add.
fn switch_tile() -> Module {
    let m = Builder::new("switch_tile", params! {});
    let queue = fifo(FifoParams { depth: 8, width: WIDTH + 3, registered: false });
    let round_robin = arbiter(ArbiterKind::RoundRobin, PORTS as u32);
    let queues: Vec<_> = (0..PORTS).map(|i| m.instance(format!("queue{i}"), &queue)).collect();
    let mut pops = [m.lit(1, 0); PORTS];
    for out in 0..PORTS {
        let requests: Vec<_> =
            queues.iter().rev().map(|q| q.get("valid") & q.get("data").bits(WIDTH, 3).eq(out as u64)).collect();
        let choice = m.instance(format!("choice{out}"), &round_robin);
        choice.drive("request", concat(&requests).named(format!("request{out}")));
        choice.drive("advance", 1);
        let grant = choice.get("grant");
        let mut word = m.lit(128, 0).bits(0, WIDTH);
        for (i, queue) in queues.iter().enumerate() {
            word = mux(grant.bit(i as u32), queue.get("data").bits(0, WIDTH), word);
            pops[i] = pops[i] | grant.bit(i as u32);
        }
        if out == PORTS - 1 {
            let lane = m.instance("lane", &fp32_fma(0));
            lane.drive("a", word.bits(0, 32));
            lane.drive("b", word.bits(32, 32));
            lane.drive("c", word.bits(64, 32));
            word = word.bits(32, 96).join(lane.get("y"));
        }
        let valid = m.register(format!("valid{out}"), 1, 0);
        let data = m.register_payload(format!("data{out}"), WIDTH);
        m.set(valid, grant.any());
        m.when(grant.any(), || m.set(data, word));
        m.output_of(format!("out_valid{out}"), valid);
        m.output_of(format!("out{out}"), data);
        m.count(format!("sent{out}"), grant.any());
    }
    for (i, queue) in queues.iter().enumerate() {
        let (push, data) = (m.input(format!("in_valid{i}"), 1), m.input(format!("in{i}"), WIDTH));
        // The next output follows from the word; 5 to 7 become 0 to 2.
        let hash = data.bits(3, 3) ^ data.bits(17, 3) ^ data.bits(40, 3);
        let next = mux(hash.lt(PORTS as u64), hash, hash - PORTS as u64);
        queue.drive("push", push & !queue.get("full"));
        queue.drive("push_data", next.join(data));
        queue.drive("pop", pops[i]);
    }
    m.finish()
}

fn torus(side: usize) -> Module {
    let tile = switch_tile();
    let m = Builder::new("switch_torus", params! { side });
    let (valid, word) = (m.input("valid", 1), m.input("word", WIDTH));
    let tiles: Vec<_> = (0..side * side).map(|i| m.tile(format!("tile{i}"), &tile)).collect();
    for (i, t) in tiles.iter().enumerate() {
        let (x, y) = (i % side, i / side);
        let from = [
            y * side + (x + 1) % side,
            y * side + (x + side - 1) % side,
            (y + 1) % side * side + x,
            (y + side - 1) % side * side + x,
        ];
        for (port, &neighbour) in from.iter().enumerate() {
            t.drive(format!("in_valid{port}"), tiles[neighbour].get(format!("out_valid{}", port ^ 1)));
            t.drive(format!("in{port}"), tiles[neighbour].get(format!("out{}", port ^ 1)));
        }
        t.drive("in_valid4", valid);
        t.drive("in4", word + (i as u64 * 0x9e37_79b9));
    }
    m.output_of("seen", tiles[0].get("out4"));
    m.finish()
}

fn design(side: usize) -> Design {
    elaborate(&torus(side)).expect("the design is correct")
}

fn running(side: usize, options: Options) -> Simulator {
    let mut sim = Simulator::new(&design(side), &options).expect("the design compiles");
    sim.reset(2);
    sim
}

/// `cycles` edges with new words at all fifth inputs every fourth cycle.
fn run(sim: &mut Simulator, cycles: u64) {
    let (valid, word) = (sim.input("valid").expect("a port"), sim.input("word").expect("a port"));
    for i in 0..cycles {
        sim.poke_at(valid, u64::from(i % 4 == 0));
        sim.poke_at(word, i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        sim.step().expect("no assertion fails");
    }
}

fn benchmarks(c: &mut Criterion) {
    let module = torus(4);
    c.bench_function("elaborate torus 4x4", |b| b.iter(|| elaborate(black_box(&module)).expect("correct")));
    let elaborated = design(4);
    c.bench_function("compile torus 4x4", |b| {
        b.iter(|| Simulator::new(black_box(&elaborated), &Options::default()).expect("compiles"));
    });
    let mut group = c.benchmark_group("cycles of torus 4x4");
    for (name, options, cycles) in [
        ("native", Options::default(), 1000),
        ("native, no intrinsics", Options { intrinsics: false, ..Options::default() }, 1000),
        ("native, 2 threads", Options { threads: 2, ..Options::default() }, 1000),
        ("interpreter", Options { engine: Engine::Interpreter, ..Options::default() }, 100),
    ] {
        group.throughput(Throughput::Elements(cycles));
        let start = || running(4, options);
        group.bench_function(name, |b| b.iter_batched_ref(start, |sim| run(sim, cycles), BatchSize::LargeInput));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = benchmarks
}
criterion_main!(benches);
