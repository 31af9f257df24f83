//! The runs of a study: what each is made from, and its digest.

use super::{ClaimSpec, DesignSpec, Study, metric::Metric};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// A run of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedRun {
    /// Its design, by number.
    pub design: usize,
    /// Its workload, by number.
    pub workload: usize,
    /// Seed of its data or packets.
    pub seed: u64,
    /// Configuration: a name, or a file.
    pub config: Option<PathBuf>,
    /// Overrides, in the order in which they apply.
    pub overrides: Vec<String>,
    /// Statistics that it reports; none of traffic.
    pub patterns: Vec<String>,
}

/// All runs: those of the first seed, then those of each further one; those of a design after each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The runs.
    pub runs: Vec<PlannedRun>,
}

impl Plan {
    /// Of a study in this folder. `is_shipped`: whether a configuration of this name comes with the program.
    pub fn new(study: &Study, folder: &Path, is_shipped: impl Fn(&str) -> bool) -> Self {
        let place = |name: &str| if is_shipped(name) { PathBuf::from(name) } else { folder.join(name) };
        let mut first = vec![];
        for (d, design) in study.design.iter().enumerate().filter(|(_, design)| design.best_of.is_empty()) {
            let patterns = patterns_of(study, d);
            let config = design.config.as_ref().or(study.config.as_ref()).map(|config| place(config.get_ref()));
            for (w, workload) in study.workloads().into_iter().enumerate() {
                let overrides = study.overrides.iter().chain(&design.overrides).chain(workload.overrides());
                let overrides = overrides.map(|text| text.get_ref().clone()).collect();
                let patterns = if workload.is_on_chip() { patterns.clone() } else { vec![] };
                let (config, seed) = (config.clone(), study.seed);
                first.push(PlannedRun { design: d, workload: w, seed, config, overrides, patterns });
            }
        }
        let with_seed = first.iter().filter(|run| study.workloads()[run.workload].has_seed());
        let further = study.seeds().skip(1).flat_map(|seed| with_seed.clone().map(move |run| (seed, run)));
        let further: Vec<_> = further.map(|(seed, run)| PlannedRun { seed, ..run.clone() }).collect();
        let runs = first.into_iter().chain(further).collect();
        Self { runs }
    }
}

/// Statistics that the runs of a design report: those of the study's metric, and of claims about it.
fn patterns_of(study: &Study, design: usize) -> Vec<String> {
    let name = study.design[design].name.get_ref();
    let best_of = |best: &&DesignSpec| best.best_of.iter().any(|of| of.get_ref() == name);
    let names: Vec<_> = study.design.iter().filter(best_of).map(|best| best.name.get_ref()).chain([name]).collect();
    let baseline = study.design[study.baseline()].name.get_ref();
    let is_about = |claim: &&ClaimSpec| {
        let against = claim.against.as_ref().map_or(baseline, |against| against.get_ref());
        names.iter().any(|name| *name == claim.design.get_ref() || *name == against && !claim.absolute)
    };
    let of_claims = study.claim.iter().filter(is_about).filter_map(|claim| claim.metric.as_ref());
    let mut patterns: Vec<String> = vec![];
    for metric in of_claims.chain([&study.metric]).filter_map(|metric| Metric::parse(metric.get_ref()).ok()) {
        for pattern in metric.patterns().map(str::to_string) {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    patterns
}

impl PlannedRun {
    /// Name of the file with its report: a digest of `parts`, all that it depends on.
    pub fn file_name(&self, parts: &[&[u8]]) -> String {
        let parts = parts.iter().copied().chain(self.patterns.iter().map(String::as_bytes));
        format!("{:032x}.json", digest(parts))
    }
}

/// A digest of `parts` and of the borders between them.
pub fn digest<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> u128 {
    let mut digest = Xxh3::new();
    for part in parts {
        digest.update(&(part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.digest128()
}
