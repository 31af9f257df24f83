//! The whole chip running a kernel. One host and one set of DRAM devices, in Rust, drive our simulation and Verilator's
//! model of the exported Verilog alike, through the pins.

use crate::{
    contest::{Field, Row, STRETCH, alternate, median, repeated},
    model::EngineModel,
    verilator,
};
use testkit::clock::{Spent, process_time, timed};
use warpmesh::{
    chip::{Chip, ChipConfig, build},
    host::{Host, Limits, Pins},
    netlist::elaborate,
    program::{Launch, kernels},
    report::Verdict,
    sim::{Options, Simulator},
};

/// A chip with its host.
trait ChipRunner {
    /// From load to the verified end; the number of cycles from the start, and of all. `stretches` takes the processor
    /// time of each full [`STRETCH`].
    fn run(&mut self, launch: &Launch, stretches: &mut Vec<f64>) -> (u64, u64);
}

impl<P: Pins> ChipRunner for Host<P> {
    fn run(&mut self, launch: &Launch, stretches: &mut Vec<f64>) -> (u64, u64) {
        let before = self.simulator().cycle();
        self.start(launch).expect("the launch fits the chip");
        let mut last = process_time();
        let each_cycle = |_: &mut P, cycle: u64| {
            if cycle.is_multiple_of(STRETCH) {
                let now = process_time();
                stretches.push((now - last).as_secs_f64());
                last = now;
            }
            Ok(())
        };
        let (verdict, cycles) = Host::run(self, Limits::default(), each_cycle).expect("no rule is broken");
        assert_eq!(verdict, Verdict::Completed);
        launch.verify(|address, bytes| self.read_memory(address, bytes)).unwrap_or_else(|wrong| panic!("{wrong}"));
        (cycles, self.simulator().cycle() - before)
    }
}

struct ChipContestant {
    name: String,
    threads: usize,
    first: Spent,
    second: Spent,
    runner: Box<dyn ChipRunner>,
}

/// All contestants on the default chip with each kernel.
pub fn contest(kernels: &[String], field: &Field, say: &mut dyn FnMut(&str)) -> Vec<Row> {
    let name = "default chip";
    let chip = Chip::new(&ChipConfig::default()).expect("a legal configuration");
    let (design, first) = repeated(|| elaborate(&build(&chip).expect("a network")).expect("the chip is correct"));
    let mut contestants = vec![];
    for (engine, threads, name) in field.ours() {
        let options = Options { engine, threads, ..Options::default() };
        let (simulator, second) = repeated(|| Simulator::new(&design, &options).expect("the chip compiles"));
        let runner = Box::new(Host::around(&chip, simulator).expect("the pins"));
        contestants.push(ChipContestant { name, threads, first, second, runner });
    }
    let mut absent = vec![];
    for variant in field.variants() {
        say(&format!("{name}: {variant}"));
        match verilator::build(&design, &variant, field.limits) {
            Ok(built) => {
                let model = EngineModel::load(&built.file).expect("the model was built here");
                let runner = Box::new(Host::around(&chip, model).expect("the pins"));
                let (first, second) = (built.verilate, built.compile);
                contestants.push(ChipContestant { name: variant.to_string(), threads: 1, first, second, runner });
            }
            Err(why) => {
                say(&format!("  {why}"));
                absent.push((variant, why));
            }
        }
    }
    let mut rows = vec![];
    let nodes = chip.nodes() as u32;
    for kernel in kernels {
        say(&format!("{name}: {kernel}"));
        let builtin = kernels::find(kernel).expect("checked by the command line");
        let launch = builtin.launch(None, 1, &chip.target()).expect("the kernel compiles");
        // The first run is not measured.
        let expected = contestants[0].runner.run(&launch, &mut vec![]);
        contestants[1..]
            .iter_mut()
            .for_each(|c| assert_eq!(c.runner.run(&launch, &mut vec![]), expected, "{}", c.name));
        let mut turns = vec![vec![]; contestants.len()];
        let mut stretches = turns.iter().map(|_| vec![]).collect::<Vec<_>>();
        alternate(contestants.len(), field.rounds, |i| {
            let mut own = vec![];
            let (found, spent) = timed(|| contestants[i].runner.run(&launch, &mut own));
            assert_eq!(found, expected, "{}", contestants[i].name);
            turns[i].push(spent);
            stretches[i].push(own);
        });
        rows.extend(contestants.iter().zip(turns).zip(stretches).map(|((c, turns), stretches)| Row {
            design: name.into(),
            nodes,
            workload: kernel.clone(),
            contestant: c.name.clone(),
            threads: c.threads,
            cycles: expected.1,
            turns,
            stretches: medians(&stretches),
            first: c.first,
            second: c.second,
            result: format!("{} cycles from the start, result verified", expected.0),
            note: String::new(),
        }));
        rows.extend(absent.iter().map(|(variant, why)| Row::absent(name, nodes, kernel, variant, why)));
    }
    rows
}

/// Median over the turns of each stretch.
fn medians(turns: &[Vec<f64>]) -> Vec<f64> {
    (0..turns[0].len()).filter_map(|i| median(turns.iter().map(|turn| turn[i]))).collect()
}
