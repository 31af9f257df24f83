//! The thread index table of all shapes that a block can have, against host arithmetic; and in step with its Verilog.

use crate::rig::params;
use hdl::{Bits, Module, random::Rng};
use netlist::elaborate;
use sim::{Options, Simulator};
use simt_core::{
    CoreParams,
    thread_index::{FIRST_READ, INDEX_BITS, thread_index},
};
use verilog::lockstep::{RunLength, Values, lockstep, lockstep_icarus};

/// Threads of the greatest block.
const THREADS: u64 = 1024;
const AXES: [&str; 3] = ["x", "y", "z"];

fn table(lanes: u32, warps: u32) -> Module {
    thread_index(&CoreParams { warps, lanes, ..params() })
}

struct Bench {
    sim: Simulator,
    lanes: u64,
    rows: u64,
}

impl Bench {
    fn new(lanes: u32, warps: u32) -> Self {
        let design = elaborate(&table(lanes, warps)).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulator::new(&design, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        sim.reset(1);
        Self { sim, lanes: lanes.into(), rows: u64::from(warps * 32 / lanes) }
    }

    fn step(&mut self) {
        self.sim.step().unwrap_or_else(|e| panic!("{e}"));
    }

    fn show(&mut self, shape: [u64; 3]) {
        for (axis, dim) in AXES.iter().zip(shape) {
            self.sim.poke(&format!("block_dim_{axis}"), dim);
        }
    }

    /// Cycles until the table is filled for this shape.
    fn fill(&mut self, shape: [u64; 3]) -> u64 {
        self.show(shape);
        let mut cycles = 0;
        while self.sim.peek("filled") == 0 {
            self.step();
            cycles += 1;
            assert!(cycles < 1000, "{shape:?} is never filled");
        }
        cycles
    }

    /// The first rows, as soon as they may be read, the last one first.
    fn check(&mut self, shape: [u64; 3], rows: u64) {
        (0..FIRST_READ).for_each(|_| self.step());
        let beats = 32 / self.lanes;
        let [x, y, _] = shape.map(|dim| dim.max(1));
        self.sim.poke("read_enable", 1);
        for row in (0..rows.min(self.rows)).rev() {
            self.sim.poke("warp", row / beats);
            self.sim.poke("beat", row % beats);
            self.step();
            let found = AXES.map(|axis| self.sim.peek_bits(axis));
            for lane in 0..self.lanes {
                let thread = row * self.lanes + lane;
                let wanted = [thread % x, thread / x % y, thread / x / y % 64];
                let lane = lane as u32 * INDEX_BITS;
                let found = [0, 1, 2].map(|axis: usize| found[axis].slice(lane, INDEX_BITS).to_u64());
                assert_eq!(found, wanted, "thread {thread} of {shape:?}");
            }
        }
        self.sim.poke("read_enable", 0);
    }
}

#[test]
fn all_shapes_of_blocks_have_the_right_indices() {
    let mut bench = Bench::new(32, 32);
    let mut shapes = 0;
    for x in 1..=THREADS {
        for y in 1..=THREADS / x {
            for z in 1..=(THREADS / x / y).min(64) {
                bench.fill([x, y, z]);
                bench.check([x, y, z], (x * y * z).div_ceil(32));
                shapes += 1;
            }
        }
    }
    assert!(shapes > 20_000, "{shapes} shapes");
}

/// A shape of any size, zeros and long ones included.
fn shape(random: &mut Rng) -> [u64; 3] {
    let mut most = THREADS;
    let mut dim = |limit: u64| {
        let chosen = if random.chance(0.5) { random.below(most.min(8) + 1) } else { random.below(most + 1) };
        let chosen = chosen.min(limit);
        most /= chosen.max(1);
        chosen
    };
    let (y, x, z) = (dim(1024), dim(1024), dim(64));
    [x, y, z]
}

#[test]
fn tables_of_all_sizes_are_filled_in_a_cycle_a_row() {
    let mut random = Rng::new(11);
    for (lanes, warps, rounds) in
        [(8, 8, 300), (8, 32, 100), (16, 48, 100), (32, 8, 300), (32, 2, 100), (8, 2, 100), (16, 2, 100)]
    {
        let mut bench = Bench::new(lanes, warps);
        let mut last = [0; 3];
        let written = bench.rows.next_power_of_two();
        for _ in 0..rounds {
            if random.chance(0.3) {
                // Dimensions that change while the table is filled for others.
                last = shape(&mut random);
                bench.show(last);
                (0..random.below(written + 8)).for_each(|_| bench.step());
            }
            let new = shape(&mut random);
            let cycles = bench.fill(new);
            if new != last {
                assert_eq!(cycles, 1 + written + u64::from(lanes == 32), "{lanes} lanes, {warps} warps, {new:?}");
            }
            bench.check(new, bench.rows);
            last = new;
        }
    }
}

#[test]
#[should_panic(expected = "no warp reads before the last row is written")]
fn a_read_that_comes_too_early_is_noticed() {
    let mut bench = Bench::new(16, 8);
    bench.fill([7, 5, 3]);
    bench.sim.poke("read_enable", 1);
    bench.step();
}

/// New dimensions every so often, some in vain; reads when all rows are written.
fn stimulus(seed: u64, period: u64) -> impl FnMut(u64, &Values, &mut Values) {
    let mut random = Rng::new(seed);
    move |cycle, _, inputs| {
        let at = cycle % period;
        if at == 0 || at == 3 && random.chance(0.3) {
            for (axis, dim) in AXES.iter().zip(shape(&mut random)) {
                inputs.set(&format!("block_dim_{axis}"), dim);
            }
        }
        for port in ["warp", "beat"] {
            let bits: Bits = random.bits(if port == "warp" { 1 } else { 2 });
            inputs.set(port, bits.to_u64());
        }
        inputs.set("read_enable", u64::from(at > period / 2 && random.chance(0.8)));
    }
}

#[test]
fn its_verilog_does_the_same() {
    let module = table(8, 2);
    let agreement =
        lockstep(&module, &mut stimulus(3, 48), &RunLength::cycles(20_000)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(agreement.still, Vec::<String>::new(), "outputs that never moved");
    lockstep_icarus(&module, &mut stimulus(4, 48), &RunLength::cycles(2_000)).unwrap_or_else(|e| panic!("{e}"));
}
