//! What came out of a study: ratios to the baseline, their means, and the claims.

use super::{
    ClaimResult, ClaimSpec, Mean, Plan, Study, TableKind, Workload,
    axis::{self, DesignPoint},
    claim::{Spread, is_one_seed, one_seed},
    figures::Figures,
    metric::Metric,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A design against the baseline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DesignResult {
    /// The design.
    pub name: String,
    /// What was measured, of each workload.
    pub values: Vec<Option<f64>>,
    /// Over that of the baseline.
    pub ratios: Vec<Option<f64>>,
    /// Their mean in each group, then over all kernels and programs, or all traffic of a study without either; none where a run is missing.
    pub means: Vec<Option<f64>>,
    /// Where the axes put it; none of a design that no axis changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<DesignPoint>,
    /// Values of the keys of all axes there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Value>,
    /// Time, area, power, load and latency, of each workload.
    pub figures: Vec<Option<Figures>>,
}

/// An axis: keys that change together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AxisResult {
    /// The keys.
    pub keys: Vec<String>,
    /// The unit of each; empty: none.
    pub units: Vec<String>,
    /// Points: a value of each key.
    pub points: Vec<Vec<String>>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StudyOutcome {
    /// Version of this object's shape.
    pub format_version: u32,
    /// Title of the study.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// Its claims are those of other studies once more.
    #[serde(default)]
    pub sensitivity: bool,
    /// What was compared: of kernels and programs, of traffic.
    pub metric: String,
    /// How workloads are averaged.
    pub mean: Mean,
    /// What the others are measured against.
    pub baseline: String,
    /// The kernels, the programs, then the traffic.
    pub kernels: Vec<String>,
    /// The group of each.
    pub groups_of: Vec<String>,
    /// Groups, in the order of the means.
    pub groups: Vec<String>,
    /// Seed of data and traffic: the first of several, to which figures belong.
    pub seed: u64,
    /// How many seeds values and ratios are means over.
    #[serde(default = "one_seed", skip_serializing_if = "is_one_seed")]
    pub seeds: u32,
    /// The axes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<AxisResult>,
    /// What the numbers leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The designs.
    pub designs: Vec<DesignResult>,
    /// The claims.
    pub claims: Vec<ClaimResult>,
    /// Runs without a result, and why.
    pub failures: Vec<String>,
    /// What is printed.
    pub table: TableKind,
    /// Of each workload, what it is a point of in a drawing: a kernel or a program itself, a pattern of traffic.
    pub series: Vec<String>,
}

impl StudyOutcome {
    /// Of the reports of a plan's runs, in its order; none where a run has none.
    pub fn new(study: &Study, plan: &Plan, reports: &[Option<Value>], failures: Vec<String>) -> Self {
        let table = OutcomeTable::new(study, plan, reports);
        let baseline = study.baseline();
        let workloads = study.workloads();
        let all: Vec<usize> = (0..workloads.len()).collect();
        let metrics: Vec<Metric> = workloads.iter().map(|workload| table.metric(workload.metric(study))).collect();
        let groups: Vec<String> = study.groups().into_iter().map(String::from).collect();
        let designs = study.design.iter().enumerate().map(|(design, spec)| {
            let ratio = |at: usize, seed| table.ratio(&metrics[at], (design, baseline), at, seed);
            let of = |is_meant: &dyn Fn(Workload<'_>) -> bool| {
                table.over_seeds(|seed| {
                    let meant = all.iter().filter(|&&at| is_meant(workloads[at]));
                    mean(study.mean, meant.map(|&at| ratio(at, seed)).collect())
                })
            };
            // What runs on the chip and traffic are measured by different numbers.
            let overall = of(&|workload| workload.is_on_chip() || !study.has_chip_workloads());
            let of_groups = groups.iter().map(|group| of(&|workload| workload.group() == group));
            let means = of_groups.chain([overall]).collect();
            let over_seeds = |of: &dyn Fn(usize, u64) -> Option<f64>| -> Vec<Option<f64>> {
                all.iter().map(|&at| table.over_seeds(|seed| of(at, seed))).collect()
            };
            DesignResult {
                name: spec.name.get_ref().clone(),
                values: over_seeds(&|at, seed| table.value(&metrics[at], design, at, seed)),
                ratios: over_seeds(&ratio),
                means,
                parameters: table.parameters(design),
                figures: all.iter().map(|&at| table.report(design, at, study.seed).map(Figures::new)).collect(),
                point: spec.point.clone(),
            }
        });
        let axes = study.axes.iter().map(|axis| AxisResult {
            keys: axis.keys.clone(),
            units: axis.keys.iter().map(|key| axis::unit(key).to_string()).collect(),
            points: axis.points.iter().map(|point| point.iter().map(|value| value.shown.clone()).collect()).collect(),
        });
        Self {
            format_version: 1,
            title: study.title.clone(),
            about: study.about.clone(),
            sensitivity: study.sensitivity,
            metric: unique(workloads.iter().map(|workload| workload.metric(study).to_string())).join(", "),
            mean: study.mean,
            baseline: study.design[baseline].name.get_ref().clone(),
            kernels: workloads.iter().map(|workload| workload.shown()).collect(),
            groups_of: workloads.iter().map(|workload| workload.group().to_string()).collect(),
            designs: designs.collect(),
            groups,
            claims: study.claim.iter().map(|claim| table.claim(claim)).collect(),
            failures,
            seed: study.seed,
            seeds: study.seeds().count() as u32,
            axes: axes.collect(),
            notes: table.notes(),
            table: study.table(),
            series: workloads.iter().map(|workload| workload.series()).collect(),
        }
    }

    /// Of a study whose runs could not begin: nothing is measured.
    pub fn without_runs(study: &Study) -> Self {
        Self::new(study, &Plan { runs: vec![] }, &[], vec![])
    }

    /// Whether all its lists fit together, as those of a study do.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), String> {
        let workloads = self.kernels.len();
        if [self.groups_of.len(), self.series.len()] != [workloads; 2] || self.designs.is_empty() || workloads == 0 {
            return Err("its workloads are not complete".into());
        }
        for design in &self.designs {
            let lens = [design.values.len(), design.ratios.len(), design.figures.len()];
            let is_placed = design.point.as_ref().is_none_or(|point| {
                let at = point.at.iter().zip(&self.axes);
                point.at.len() == self.axes.len() && at.into_iter().all(|(at, axis)| *at < axis.points.len())
            });
            if lens != [workloads; 3] || design.means.len() != self.groups.len() + 1 || !is_placed {
                return Err(format!("design `{}` is not complete", design.name));
            }
        }
        let has_all = |axis: &AxisResult| {
            axis.units.len() == axis.keys.len() && axis.points.iter().all(|point| point.len() == axis.keys.len())
        };
        if self.axes.iter().all(has_all) { Ok(()) } else { Err("its axes are not complete".into()) }
    }

    /// One JSON object.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only")
    }
}

/// The reports of all runs.
struct OutcomeTable<'a> {
    study: &'a Study,
    reports: &'a [Option<Value>],
    /// Runs by design, workload and seed.
    runs: BTreeMap<(usize, usize, u64), usize>,
}

impl<'a> OutcomeTable<'a> {
    fn new(study: &'a Study, plan: &Plan, reports: &'a [Option<Value>]) -> Self {
        let runs = plan.runs.iter().enumerate().map(|(at, run)| ((run.design, run.workload, run.seed), at));
        Self { study, reports, runs: runs.collect() }
    }

    /// The report of a run; that of a program is the same with each seed.
    fn report(&self, design: usize, workload: usize, seed: u64) -> Option<&'a Value> {
        let seed = if self.study.workloads()[workload].has_seed() { seed } else { self.study.seed };
        self.reports[*self.runs.get(&(design, workload, seed))?].as_ref()
    }

    /// The mean over all seeds; none where one is missing.
    fn over_seeds(&self, of: impl Fn(u64) -> Option<f64>) -> Option<f64> {
        mean(Mean::Arithmetic, self.study.seeds().map(of).collect())
    }

    /// What the axes set in a design: numbers, switches and names.
    fn parameters(&self, design: usize) -> BTreeMap<String, Value> {
        let at = self.study.design[design].point.iter().flat_map(|point| &point.at);
        let settings = self.study.axes.iter().zip(at).flat_map(|(axis, at)| axis.settings(*at));
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| text.into());
        settings.map(|(key, set)| (key.to_string(), value(&set.shown))).collect()
    }

    /// What areas and powers leave out, as the reports say it.
    fn notes(&self) -> Vec<String> {
        let notes = self.reports.iter().flatten().filter_map(|report| report.pointer("/cost/area_note")?.as_str());
        notes.map(String::from).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn metric(&self, text: &str) -> Metric {
        Metric::parse(text).expect("a study is checked when it is read")
    }

    /// Of a design, or of the best of some.
    fn value(&self, metric: &Metric, design: usize, workload: usize, seed: u64) -> Option<f64> {
        let best_of = &self.study.design[design].best_of;
        if !best_of.is_empty() {
            let of_study = self.metric(self.study.workloads()[workload].metric(self.study));
            let others = best_of.iter().filter_map(|name| self.study.design_called(name.get_ref()));
            let values = others.map(|other| Some((self.value(&of_study, other, workload, seed)?, other)));
            let values: Vec<_> = values.collect::<Option<_>>()?;
            let (_, best) = values.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
            return self.value(metric, best, workload, seed);
        }
        metric.of(self.report(design, workload, seed)?)
    }

    fn ratio(&self, metric: &Metric, (design, against): (usize, usize), workload: usize, seed: u64) -> Option<f64> {
        let [value, base] = [design, against].map(|design| self.value(metric, design, workload, seed));
        let ratio = value? / base?;
        ratio.is_finite().then_some(ratio)
    }

    fn claim(&self, claim: &ClaimSpec) -> ClaimResult {
        let study = self.study;
        let called = |name: &str| study.design_called(name).expect("a study is checked when it is read");
        let design = called(claim.design.get_ref());
        let against = claim.against.as_ref().map_or(study.baseline(), |name| called(name.get_ref()));
        let workloads = study.workloads();
        let figure = |workload: usize, seed: u64| {
            let own = claim.metric.as_ref().map_or(workloads[workload].metric(study), |metric| metric.get_ref());
            let metric = self.metric(own);
            match claim.absolute {
                true => self.value(&metric, design, workload, seed),
                false => self.ratio(&metric, (design, against), workload, seed),
            }
        };
        // A mean of shares may be of zeros, which have no geometric one.
        let usual = if claim.absolute { Mean::Arithmetic } else { study.mean };
        let kind = claim.mean.unwrap_or(usual);
        let workloads = study.workloads_of(claim);
        let figures: Vec<_> = workloads.iter().map(|&at| self.over_seeds(|seed| figure(at, seed))).collect();
        let of_seed = |seed| mean(kind, workloads.iter().map(|&at| figure(at, seed)).collect());
        let has_seeds = workloads.iter().any(|&at| study.workloads()[at].has_seed());
        let of_seeds: Vec<_> = study.seeds().take(if has_seeds { usize::MAX } else { 1 }).map(of_seed).collect();
        claim.result(mean(Mean::Arithmetic, of_seeds.clone()), Spread::of(&figures), Spread::of(&of_seeds))
    }
}

/// Each text once, in its order.
fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.fold(vec![], |mut all, text| {
        if !all.contains(&text) {
            all.push(text);
        }
        all
    })
}

/// The mean of ratios; none without ratios, where one is missing, or, but for an arithmetic one, where one is zero.
fn mean(kind: Mean, ratios: Vec<Option<f64>>) -> Option<f64> {
    let ratios: Vec<f64> = ratios.into_iter().collect::<Option<_>>()?;
    let n = ratios.len() as f64;
    let has_one = kind == Mean::Arithmetic || ratios.iter().all(|ratio| *ratio > 0.0);
    (n > 0.0 && has_one).then(|| match kind {
        Mean::Geometric => (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n).exp(),
        Mean::Harmonic => n / ratios.iter().map(|ratio| 1.0 / ratio).sum::<f64>(),
        Mean::Arithmetic => ratios.iter().sum::<f64>() / n,
    })
}
