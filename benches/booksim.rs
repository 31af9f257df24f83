//! Latency under load beside BookSim's: `cargo bench --bench booksim` prints, for each line of
//! `tests/testkit/data/booksim-6x6-uniform.csv`, the contention (packet latency less zero-load latency) that BookSim measured
//! and ours, and the load at which latency reaches three times that without traffic.
//! `cargo bench --bench booksim -- 2,1` does so for 2 VCs and packets of one flit alone, and a number behind that
//! (`2,1 200000`) sets the cycles that are measured for each line. `cargo bench --bench booksim -- routers` compares
//! pipelines, speedup and allocators of our routers with each other.

use std::{env, time::Instant};
use testkit::uniform;
use uniform::{Loaded, Measured, booksim, knee, routers_of_booksim, zero_load};
use warpmesh::{
    noc::{AllocatorKind, AllocatorParams, NetworkParams},
    sim::Options,
};

/// Cycles in which packets are born that count.
const CYCLES: u64 = 100_000;

/// Up to this share of the load at the knee the contention is compared.
const COMPARED: f64 = 0.8;

fn main() {
    let words: Vec<_> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let cycles = words.iter().find_map(|word| word.parse().ok()).unwrap_or(CYCLES);
    let only: Vec<_> = words.iter().filter(|word| word.contains(',')).collect();
    let table = booksim();
    let start = Instant::now();
    if words.iter().any(|word| word == "routers") {
        return compare_routers(cycles.min(30_000));
    }
    let mut simulated = 0;
    for vcs in [2, 4] {
        let mut network = None;
        for flits in [1, 4] {
            if !only.is_empty() && !only.iter().any(|word| **word == format!("{vcs},{flits}")) {
                continue;
            }
            let network = network.get_or_insert_with(|| Loaded::like_booksim(vcs, &Options::default()));
            simulated += compare(network, &table, vcs, flits, cycles);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{simulated} cycles in {seconds:.0} s, {:.0} cycles/s", simulated as f64 / seconds);
}

/// The lines for `vcs` VCs and packets of `flits` flits; cycles that were simulated.
fn compare(network: &mut Loaded, table: &[uniform::Line], vcs: u32, flits: u32, cycles: u64) -> u64 {
    let lines: Vec<_> = table.iter().filter(|line| line.vcs == vcs && line.flits == flits).collect();
    let theirs: Vec<_> = lines.iter().filter_map(|line| Some((line.offered, line.contention?))).collect();
    let their_knee = knee(flits, &theirs).expect("the table goes beyond the knee");
    println!("{vcs} VCs, packets of {flits} flits; zero load {:.2} cycles", zero_load(flits));
    println!("{:>8} {:>10} {:>10} {:>8}", "load", "BookSim", "here", "");
    let (mut ours, mut simulated) = (vec![], 0);
    for line in lines {
        let most = 40_000;
        let measured = network.run(flits, line.offered, cycles, 1 + (1e4 * line.offered) as u64, most);
        let text = |value: Option<f64>| value.map_or("unstable".into(), |value| format!("{value:.3}"));
        let here = measured.map(|Measured { contention, .. }| contention);
        let difference = here.zip(line.contention).map_or(String::new(), |(here, there)| {
            let allowed = (0.05 * there).max(0.3);
            let verdict = match (here - there).abs() <= allowed {
                _ if line.offered > COMPARED * their_knee => "",
                true => "  equal",
                false => "  DIFFERENT",
            };
            format!("{:>+7.1} %{verdict}", 100.0 * (here / there - 1.0))
        });
        println!("{:>8.2} {:>10} {:>10} {difference}", line.offered, text(line.contention), text(here));
        let Some(measured) = measured else { break };
        simulated += measured.cycles;
        ours.push((line.offered, measured.contention));
    }
    match knee(flits, &ours) {
        Some(here) => println!(
            "three times zero load at {their_knee:.4} in BookSim, {here:.4} here: {:+.1} %\n",
            100.0 * (here / their_knee - 1.0)
        ),
        None => println!("three times zero load at {their_knee:.4} in BookSim, not reached here\n"),
    }
    simulated
}

/// Contention at some loads, and the load at which it is 50 cycles, for 4 VCs and packets of 4 flits; and of one flit
/// at one load.
fn compare_routers(cycles: u64) {
    let usual = routers_of_booksim(4);
    let with = |kind, iterations| {
        let allocator = AllocatorParams { kind, iterations, ..AllocatorParams::default() };
        NetworkParams { vc_allocator: allocator, switch_allocator: allocator, ..usual }
    };
    let kinds = [
        ("four stages, islip", usual),
        ("three stages", NetworkParams { pipeline: 3, ..usual }),
        ("two stages", NetworkParams { pipeline: 2, ..usual }),
        ("one stage", NetworkParams { pipeline: 1, ..usual }),
        ("extra latency 4", NetworkParams { extra_latency: 4, ..usual }),
        ("input speedup 2", NetworkParams { input_speedup: 2, ..usual }),
        ("islip, 2 iterations", with(AllocatorKind::Islip, 2)),
        ("pim", with(AllocatorKind::Pim, 1)),
        ("pim, 2 iterations", with(AllocatorKind::Pim, 2)),
        ("separable-input-first", with(AllocatorKind::SeparableInputFirst, 1)),
        ("wavefront", with(AllocatorKind::Wavefront, 1)),
    ];
    println!(
        "{:<24} {:>8} {:>8} {:>8} {:>14} {:>16}",
        "routers", "at 0.20", "at 0.35", "at 0.45", "50 cycles at", "1 flit, at 0.35"
    );
    for (name, params) in kinds {
        let mut network = Loaded::new(&params, &Options::default());
        let mut at = |load: f64| network.run(4, load, cycles, 1, 40_000).map_or(f64::INFINITY, |m| m.contention);
        let points = [0.2, 0.35, 0.45].map(&mut at);
        let mut last = (0.45, points[2]);
        let saturation = (1..=30).map(|i| 0.45 + 0.01 * f64::from(i)).find_map(|load| {
            let (before, contention) = (last, at(load));
            last = (load, contention);
            // One over the contention is nearly a straight line.
            let share = (1.0 / before.1 - 1.0 / 50.0) / (1.0 / before.1 - 1.0 / contention);
            (contention > 50.0).then_some(before.0 + 0.01 * share)
        });
        let [a, b, c] = points;
        let saturation = saturation.map_or("above 0.75".into(), |load| format!("{load:.3}"));
        let short = network.run(1, 0.35, cycles, 1, 40_000).map_or(f64::INFINITY, |m| m.contention);
        println!("{name:<24} {a:>8.3} {b:>8.3} {c:>8.3} {saturation:>14} {short:>16.3}");
    }
}
