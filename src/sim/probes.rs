//! Reading the statistics of a run.

use super::{
    layout::{Counters, Layout},
    pattern::selects,
    state::{Scope, Sites, State, path_of},
};
use hdl::{ProbeKind, Statistic};
use netlist::Design;
use std::collections::BTreeMap;

/// What one probe of one instance has recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// The instance, dotted, without the top's name; empty for the top.
    pub path: String,
    /// The probe.
    pub name: String,
    /// What the probe is, if that was declared.
    pub statistic: Option<Statistic>,
    /// What it records.
    pub kind: ProbeKind,
    /// Cycles in which it was enabled.
    pub count: u64,
    /// Sum of its values over those cycles, modulo 2^64; zero for a count.
    pub sum: u64,
    /// Histogram: how often each value occurred.
    pub histogram: BTreeMap<u64, u64>,
}

impl ProbeResult {
    /// Its one number: of a count the count, else the sum.
    pub fn value(&self) -> u64 {
        if self.kind == ProbeKind::Count { self.count } else { self.sum }
    }

    /// Does `pattern` match neighbouring components of its full name, wherever they are, or of the kind of block and
    /// the name under which it is declared? `front_end`, `core*.front_end.instructions`, `warp.fetch_wait_cycles` and
    /// `slots_lost_*` do; `*` is any characters of a component, `?` one.
    pub fn matches(&self, pattern: &str) -> bool {
        selects(pattern, &self.full_name(), self.statistic.map(|kept| (kept.block, kept.name)))
    }

    /// The instance and the name, dotted.
    pub fn full_name(&self) -> String {
        if self.path.is_empty() { self.name.clone() } else { format!("{}.{}", self.path, self.name) }
    }
}

/// All probes, parents before children, in the order of their description.
pub(crate) fn read(
    design: &Design,
    layouts: &[Layout],
    scopes: &[Scope],
    sites: &Sites,
    state: &State,
) -> Vec<ProbeResult> {
    let mut out = vec![];
    let mut sites = sites.probes.iter();
    for (index, scope) in scopes.iter().enumerate() {
        let module = &design.modules[scope.module].module;
        let storage = |offset: u32| state.storage[(scope.bases.storage + offset) as usize];
        for (probe, slots) in module.probes.iter().zip(&layouts[scope.module].probes) {
            let (mut count, mut sum, mut histogram) = (0, 0, BTreeMap::new());
            let table = sites.next().and_then(|site| site.table);
            match slots.counters {
                Counters::Count { count: at } => count = storage(at),
                Counters::Sum { count: at, sum: sum_at } => (count, sum) = (storage(at), storage(sum_at)),
                Counters::Bins { first, bins } => {
                    let bins = (0..bins).map(|i| (u64::from(i), storage(first + i)));
                    histogram = bins.filter(|(_, n)| *n > 0).collect();
                }
                Counters::Table => histogram.extend(table.iter().flat_map(|&t| &state.tables[t])),
            }
            for (value, times) in &histogram {
                count += times;
                sum = sum.wrapping_add(value.wrapping_mul(*times));
            }
            let (path, name) = (path_of(scopes, index), probe.name.clone());
            out.push(ProbeResult { path, name, statistic: probe.statistic, kind: probe.kind, count, sum, histogram });
        }
    }
    out
}
