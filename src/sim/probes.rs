//! Reading the statistics of a run.

use super::{
    layout::{Layout, ProbeSlots},
    state::{Scope, Sites, State, path_of},
};
use crate::{hdl::ProbeKind, netlist::Design};
use std::collections::BTreeMap;

/// What one probe of one instance has recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// The instance, dotted, without the top's name; empty for the top.
    pub path: String,
    /// The probe.
    pub name: String,
    /// What it records.
    pub kind: ProbeKind,
    /// Cycles in which it was enabled.
    pub count: u64,
    /// Sum of its values over those cycles, modulo 2^64; zero for a count.
    pub sum: u64,
    /// Histogram: how often each value occurred.
    pub histogram: BTreeMap<u64, u64>,
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
    for (index, scope) in scopes.iter().enumerate() {
        let module = &design.modules[scope.module].module;
        let rest = |offset: u32| state.rest[(scope.bases.rest + offset) as usize];
        let mut table = sites.first_table[index];
        for (probe, slots) in module.probes.iter().zip(&layouts[scope.module].probes) {
            let (mut count, mut sum, mut histogram) = (0, 0, BTreeMap::new());
            match *slots {
                ProbeSlots::Count { count: at } => count = rest(at),
                ProbeSlots::Sum { count: at, sum: sum_at } => (count, sum) = (rest(at), rest(sum_at)),
                ProbeSlots::Bins { first, bins } => {
                    let bins = (0..bins).map(|i| (u64::from(i), rest(first + i)));
                    histogram = bins.filter(|(_, n)| *n > 0).collect();
                }
                ProbeSlots::Table { .. } => {
                    histogram.clone_from(&state.tables[table]);
                    table += 1;
                }
            }
            for (value, times) in &histogram {
                count += times;
                sum = sum.wrapping_add(value.wrapping_mul(*times));
            }
            let (path, name) = (path_of(scopes, index), probe.name.clone());
            out.push(ProbeResult { path, name, kind: probe.kind, count, sum, histogram });
        }
    }
    out
}
