//! Contestants that do the same work in turn, and what they needed.

use crate::verilator::{self, NotBuilt, Tool, Variant};
use std::time::Duration;
use testkit::clock::{Spent, timed};
use warpmesh::sim::{Engine, Options};

/// Who takes part.
#[derive(Clone)]
pub struct Field {
    pub engines: Vec<Engine>,
    /// For each engine.
    pub threads: Vec<usize>,
    pub tools: Vec<Tool>,
    /// Parts of names of Verilator models; empty: all.
    pub only: Vec<String>,
    pub limits: verilator::Limits,
    /// Rounds in which everyone has a turn.
    pub rounds: usize,
    /// Processor time of a turn of the slowest.
    pub turn: Duration,
}

impl Field {
    /// Our contestants: engine, threads, name.
    pub fn ours(&self) -> Vec<(Engine, usize, String)> {
        let name = |engine: Engine, threads: usize| match threads {
            1 => engine.to_string(),
            Options::AUTOMATIC_THREADS => format!("{engine}, automatic threads"),
            n => format!("{engine}, {n} threads"),
        };
        let all = self.engines.iter().flat_map(|&e| self.threads.iter().map(move |&t| (e, t)));
        all.map(|(engine, threads)| (engine, threads, name(engine, threads))).collect()
    }

    pub fn variants(&self) -> Vec<Variant> {
        let wanted = |variant: &Variant| {
            let name = variant.to_string();
            self.only.is_empty() || self.only.iter().any(|part| name.contains(part))
        };
        self.tools.iter().flat_map(Variant::of).filter(wanted).collect()
    }
}

/// Cycles of a kernel that are looked at on their own.
pub const STRETCH: u64 = 1000;

/// What one contestant needed for one workload.
#[derive(Clone, Debug)]
pub struct Row {
    /// `mesh 8x8`, `default chip`.
    pub design: String,
    /// Routers.
    pub nodes: u32,
    /// Offered load in flits per node and cycle, or a kernel.
    pub workload: String,
    pub contestant: String,
    /// As asked for.
    pub threads: usize,
    /// Cycles of a turn; 0: it did not take part.
    pub cycles: u64,
    /// Of each turn.
    pub turns: Vec<Spent>,
    /// Of a kernel: median processor seconds of each stretch of [`STRETCH`] cycles.
    pub stretches: Vec<f64>,
    /// Elaborate, or verilate.
    pub first: Spent,
    /// Compile to machine code, or C++.
    pub second: Spent,
    /// What the work came to; equal for all.
    pub result: String,
    /// Why it did not take part; remarks.
    pub note: String,
}

impl Row {
    pub fn ours(&self) -> bool {
        !self.contestant.starts_with("Verilator")
    }

    /// Median seconds a cycle: processor time, but wall time for several threads.
    pub fn seconds(&self) -> Option<f64> {
        let time = |spent: &Spent| if self.threads == 1 { spent.cpu } else { spent.wall };
        median(self.turns.iter().map(|turn| time(turn).as_secs_f64() / self.cycles as f64))
    }

    /// Median wall seconds a cycle, and those of the fastest turn.
    pub fn wall_seconds(&self) -> Option<[f64; 2]> {
        let turns = || self.turns.iter().map(|turn| turn.wall.as_secs_f64() / self.cycles as f64);
        Some([median(turns())?, turns().min_by(f64::total_cmp)?])
    }

    /// Nothing but the reason why there is nothing.
    pub fn absent(design: &str, nodes: u32, workload: &str, variant: &Variant, why: &NotBuilt) -> Self {
        let why = why.to_string();
        Self {
            design: design.into(),
            nodes,
            workload: workload.into(),
            contestant: variant.to_string(),
            threads: 1,
            cycles: 0,
            turns: vec![],
            stretches: vec![],
            first: Spent::default(),
            second: Spent::default(),
            result: String::new(),
            note: why.lines().next().unwrap_or_default().into(),
        }
    }
}

pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// Median of five repetitions of `work`, and the last result.
pub fn repeated<T>(mut work: impl FnMut() -> T) -> (T, Spent) {
    let (mut result, spent) = timed(&mut work);
    let mut all = vec![spent];
    for _ in 1..5 {
        let (next, spent) = timed(&mut work);
        result = next;
        all.push(spent);
    }
    all.sort_by_key(|spent| spent.cpu);
    (result, all[2])
}

/// Everyone has a turn in each round, beginning with another one each time; `turn` is given the contestant's number.
pub fn alternate(contestants: usize, rounds: usize, mut turn: impl FnMut(usize)) {
    for round in 0..rounds {
        (0..contestants).for_each(|i| turn((round + i) % contestants));
    }
}
