//! Meshes of routers that make their own traffic: the same Verilog, or the same design, with nothing but a clock around
//! it.

use crate::{
    contest::{Field, Row, alternate, repeated},
    model::EngineModel,
    verilator,
};
use testkit::clock::{Spent, timed};
use warpmesh::{
    host::Pins,
    netlist::{Design, elaborate},
    noc::{TrafficParams, traffic_mesh},
    sim::{Options, Simulator},
};

const TOTALS: [&str; 3] = ["flits", "latency", "checksum"];
/// Cycles before the first turn.
const WARM_UP: u64 = 500;

/// A mesh that runs.
trait MeshRunner {
    fn start(&mut self, threshold: u64);
    fn run(&mut self, cycles: u64);
    fn totals(&mut self) -> [u64; 3];
}

fn start<P: Pins>(model: &mut P, threshold: u64) {
    let port = model.input("threshold").expect("a port of the mesh");
    model.poke_at(port, threshold);
    (0..2).for_each(|_| model.reset_step());
}

fn totals<P: Pins>(model: &mut P) -> [u64; 3] {
    TOTALS.map(|name| {
        let port = model.output(name).expect("a port of the mesh");
        model.peek_at(port)
    })
}

impl MeshRunner for Simulator {
    fn start(&mut self, threshold: u64) {
        start(self, threshold);
    }

    fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step().expect("no claim of a block is broken"));
    }

    fn totals(&mut self) -> [u64; 3] {
        totals(self)
    }
}

impl MeshRunner for EngineModel {
    fn start(&mut self, threshold: u64) {
        start(self, threshold);
    }

    fn run(&mut self, cycles: u64) {
        EngineModel::run(self, cycles);
    }

    fn totals(&mut self) -> [u64; 3] {
        totals(self)
    }
}

struct MeshContestant {
    name: String,
    threads: usize,
    first: Spent,
    second: Spent,
    runner: Box<dyn MeshRunner>,
}

/// All contestants on a mesh of `side x side` under each load.
pub fn contest(side: u32, loads: &[f64], field: &Field, say: &mut dyn FnMut(&str)) -> Vec<Row> {
    let params = TrafficParams::benchmark(side);
    let (name, nodes) = (format!("mesh {side}x{side}"), side * side);
    let elaborated = || elaborate(&traffic_mesh(&params).expect("legal")).expect("the mesh is correct");
    let (design, first) = repeated(elaborated);
    let mut contestants = ours(&design, first, field);
    let mut absent = vec![];
    for variant in field.variants() {
        say(&format!("{name}: {variant}"));
        match verilator::build(&design, &variant, field.limits) {
            Ok(built) => contestants.push(MeshContestant {
                name: variant.to_string(),
                threads: 1,
                first: built.verilate,
                second: built.compile,
                runner: Box::new(EngineModel::load(&built.file).expect("the model was built here")),
            }),
            Err(why) => {
                say(&format!("  {why}"));
                absent.push((variant, why));
            }
        }
    }
    let mut rows = vec![];
    for &load in loads {
        say(&format!("{name}: load {load}"));
        let workload = load.to_string();
        rows.extend(under(load, &params, &mut contestants, field, |c, cycles, turns, result| Row {
            design: name.clone(),
            nodes,
            workload: workload.clone(),
            contestant: c.name.clone(),
            threads: c.threads,
            cycles,
            turns,
            stretches: vec![],
            first: c.first,
            second: c.second,
            result,
            note: String::new(),
        }));
        rows.extend(absent.iter().map(|(variant, why)| Row::absent(&name, nodes, &workload, variant, why)));
    }
    rows
}

fn ours(design: &Design, first: Spent, field: &Field) -> Vec<MeshContestant> {
    let all = field.ours().into_iter().map(|(engine, threads, name)| {
        let options = Options { engine, threads, ..Options::default() };
        let (simulator, second) = repeated(|| Simulator::new(design, &options).expect("the mesh compiles"));
        MeshContestant { name, threads, first, second, runner: Box::new(simulator) }
    });
    all.collect()
}

/// One load: cycles of a turn by the slowest, then turns in alternation; all totals are equal at the end.
fn under(
    load: f64,
    params: &TrafficParams,
    contestants: &mut [MeshContestant],
    field: &Field,
    row: impl Fn(&MeshContestant, u64, Vec<Spent>, String) -> Row,
) -> Vec<Row> {
    let mut slowest: f64 = 0.0;
    for c in contestants.iter_mut() {
        c.runner.start(params.threshold(load));
        let ((), spent) = timed(|| c.runner.run(WARM_UP));
        slowest = slowest.max(spent.cpu.as_secs_f64() / WARM_UP as f64);
    }
    let cycles = ((field.turn.as_secs_f64() / slowest) as u64).next_multiple_of(100);
    let mut turns = vec![vec![]; contestants.len()];
    alternate(contestants.len(), field.rounds, |i| {
        let ((), spent) = timed(|| contestants[i].runner.run(cycles));
        turns[i].push(spent);
    });
    let results: Vec<_> = contestants.iter_mut().map(|c| c.runner.totals()).collect();
    for (c, result) in contestants.iter().zip(&results) {
        assert_eq!(*result, results[0], "{} differs from {} at load {load}: {TOTALS:?}", c.name, contestants[0].name);
    }
    let [flits, latency, checksum] = results[0];
    let result = format!("{flits} flits, latency {latency}, checksum {checksum:08x}");
    contestants.iter().zip(turns).map(|(c, turns)| row(c, cycles, turns, result.clone())).collect()
}
