//! A matrix of rates: who sends how much to whom, as a file says it.
//!
//! ```text
//!   source,dest,rate      flits a cycle from node to node; pairs that are not listed do not talk
//!   0,5,0.02
//!   0,6,0.01
//! ```

use super::{
    Destination,
    table::{self, TableError},
};
use rtl::noc::Nodes;
use std::collections::BTreeMap;

/// Highest rate from a node to a node: that of the longest packets, one a cycle.
const MOST_RATE: f64 = super::traffic::MOST_FLITS as f64;

/// See the [module documentation](self).
#[derive(Clone, PartialEq, Debug)]
pub struct RateMatrix {
    file: String,
    /// By source and destination: flits a cycle, and the line that says so.
    rates: BTreeMap<(u32, u32), (f64, u64)>,
}

impl RateMatrix {
    /// Reads `text`, the content of `file`. Errors: a rate below 0, a pair that is listed twice, no rate above 0.
    pub fn read(file: &str, text: &str) -> Result<Self, TableError> {
        let mut rates = BTreeMap::new();
        table::read(file, text, (&["source", "dest", "rate"], &[]), |row| {
            let [source, dest] = [row.number("source", 0..=u32::MAX)?, row.number("dest", 0..=u32::MAX)?];
            let rate = row.number("rate", 0.0..=MOST_RATE)?;
            if let Some((_, before)) = rates.insert((source, dest), (rate, row.line)) {
                let problem = format!("source = {source}, dest = {dest}, as in line {before}");
                return Err(row.wrong(problem, "each pair of nodes once"));
            }
            Ok(())
        })?;
        if rates.values().all(|(rate, _)| *rate == 0.0) {
            let (problem, allowed) = ("every rate is 0".into(), "a rate above 0 at the least".into());
            return Err(TableError { file: file.into(), line: 1, problem, allowed });
        }
        Ok(Self { file: file.into(), rates })
    }

    /// Flits a cycle of a node that sends, mean over these nodes.
    pub fn mean_load(&self) -> f64 {
        let rows = self.rows();
        rows.values().sum::<f64>() / rows.len() as f64
    }

    /// Flits a cycle of each node that sends.
    fn rows(&self) -> BTreeMap<u32, f64> {
        let mut rows = BTreeMap::new();
        for ((source, _), (rate, _)) in self.rates.iter().filter(|(_, (rate, _))| *rate > 0.0) {
            *rows.entry(*source).or_default() += rate;
        }
        rows
    }

    /// Where each node sends. Errors: a node that is not there, or has nothing attached.
    pub fn targets(&self, nodes: &Nodes) -> Result<Vec<Destination>, TableError> {
        for ((source, dest), (_, line)) in &self.rates {
            table::check_nodes((&self.file, *line), [*source, *dest], nodes)?;
        }
        let (rows, mean) = (self.rows(), self.mean_load());
        let target = |node: u32| {
            let Some(row) = rows.get(&node) else { return Destination::Nobody };
            let of_row = self.rates.range((node, 0)..=(node, u32::MAX)).filter(|(_, (rate, _))| *rate > 0.0);
            let dests = of_row.map(|((_, dest), (rate, _))| (*dest, rate / row)).collect();
            Destination::Weighted { weight: row / mean, dests }
        };
        Ok((0..nodes.len()).map(target).collect())
    }
}
