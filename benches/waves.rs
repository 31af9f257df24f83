//! What a waveform of a few signals costs: the same simulation with and without, in turns, processor time.
//!
//! The signals are eight registers, or four registers and four wires, of one tile in the middle.
//! `cargo bench --bench waves` prints a line for each design, engine and choice of signals.

use std::path::Path;
use testkit::clock::timed;
use warpmesh::{
    chip::{build, load},
    hdl::NetKind,
    host::{Host, Limits},
    netlist::{Design, elaborate},
    noc::{TrafficParams, traffic::traffic_mesh},
    program::{Launch, kernels},
    sim::{Engine, Moment, Options, Simulator, WaveFormat, WaveOptions},
};

/// Turns of each.
const ROUNDS: usize = 7;

/// Cycles of a turn of a mesh.
const CYCLES: u64 = 10_000;

fn main() {
    println!(
        "{:<30} {:<8} {:<24} {:>10} {:>10} {:>7}",
        "design", "engine", "signals", "us a cycle", "with wave", "ratio"
    );
    let folder = tempfile::tempdir().expect("a folder for waveforms");
    for side in [6, 8] {
        let params = TrafficParams::benchmark(side);
        let design = elaborate(&traffic_mesh(&params).expect("legal")).expect("correct");
        for (engine, signals) in every(&[Engine::Word, Engine::Sliced]) {
            let [mut plain, mut waved] = [0, 1].map(|_| {
                let options = Options { engine, ..Options::default() };
                let mut simulator = Simulator::new(&design, &options).expect("it compiles");
                simulator.reset(2);
                simulator.poke("threshold", params.threshold(0.3));
                run(&mut simulator, 2_000);
                simulator
            });
            waved.record_wave(signals.of(&design, "router", folder.path())).expect("the signals exist");
            let times = alternate(|with| {
                let simulator = if with { &mut waved } else { &mut plain };
                timed(|| run(simulator, CYCLES)).1.cpu.as_secs_f64() / CYCLES as f64
            });
            line(&format!("mesh {side}x{side}, 0.3 flits"), waved.engine(), signals, times);
        }
    }
    let chip = load(None, &[]).expect("the default chip");
    let design = elaborate(&build(&chip).expect("a network")).expect("correct");
    let launch = kernels::find("matmul").expect("a kernel").launch(None, 1, &chip.target()).expect("legal");
    for (engine, signals) in every(&[Engine::Word, Engine::Auto]) {
        for kind in ["router", "core"] {
            let options = Options { engine, ..Options::default() };
            let mut hosts = [0, 1].map(|_| Host::with_design(&chip, &design, &options).expect("it compiles"));
            hosts.iter_mut().for_each(|host| _ = turn(host, &launch));
            let wave = signals.of(&design, kind, folder.path());
            hosts[1].simulator().record_wave(wave).expect("the signals exist");
            let times = alternate(|with| {
                let (cycles, spent) = timed(|| turn(&mut hosts[usize::from(with)], &launch));
                spent.cpu.as_secs_f64() / cycles as f64
            });
            line(&format!("default chip, matmul, {kind}"), hosts[1].simulator().engine(), signals, times);
        }
    }
}

fn run(simulator: &mut Simulator, cycles: u64) {
    (0..cycles).for_each(|_| simulator.step().expect("no claim is broken"));
}

/// The kernel from start to end: cycles.
fn turn(host: &mut Host, launch: &Launch) -> u64 {
    let before = host.simulator().cycle();
    host.start(launch).expect("it fits");
    host.run(Limits::default(), |_, _| Ok(())).expect("no rule is broken");
    host.simulator().cycle() - before
}

/// Which signals.
#[derive(Clone, Copy)]
struct Signals {
    registers: usize,
    wires: usize,
}

fn every(engines: &[Engine]) -> Vec<(Engine, Signals)> {
    let signals = [Signals { registers: 8, wires: 0 }, Signals { registers: 4, wires: 4 }];
    engines.iter().flat_map(|&engine| signals.map(|signals| (engine, signals))).collect()
}

impl Signals {
    /// Of the middle one of the tiles of a kind.
    fn of(self, design: &Design, kind: &str, folder: &Path) -> WaveOptions {
        let tiles: Vec<_> = design.top.instances.iter().filter(|i| i.tile && i.module.kind == kind).collect();
        let tile = tiles[tiles.len() / 2];
        let mut select = vec![];
        // Registers may be in blocks inside.
        let mut todo = vec![(tile.name.clone(), &tile.module)];
        let (mut registers, mut wires) = (self.registers, self.wires);
        while let Some((path, module)) = todo.pop() {
            for net in &module.nets {
                let left = match net.kind {
                    NetKind::Register { .. } => &mut registers,
                    NetKind::Wire => &mut wires,
                    _ => continue,
                };
                if *left > 0 {
                    *left -= 1;
                    select.push(format!("{path}.{}", net.name));
                }
            }
            todo.extend(module.instances.iter().map(|child| (format!("{path}.{}", child.name), &child.module)));
        }
        assert_eq!(select.len(), self.registers + self.wires, "there are so many");
        WaveOptions {
            file: folder.join("wave.fst"),
            format: WaveFormat::Fst,
            select,
            start: Moment::default(),
            from: 0,
            until: None,
            views: vec![],
        }
    }
}

/// Medians of the turns without and with.
fn alternate(mut turn: impl FnMut(bool) -> f64) -> [f64; 2] {
    let mut times = [vec![], vec![]];
    for round in 0..ROUNDS {
        for with in [round % 2 == 0, round % 2 == 1] {
            times[usize::from(with)].push(turn(with));
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn line(design: &str, engine: Engine, Signals { registers, wires }: Signals, [without, with]: [f64; 2]) {
    let signals = format!("{registers} registers, {wires} wires");
    let ratio = with / without;
    println!("{design:<30} {engine:<8} {signals:<24} {:>10.2} {:>10.2} {ratio:>7.3}", 1e6 * without, 1e6 * with);
}
