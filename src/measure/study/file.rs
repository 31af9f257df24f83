//! The study file: TOML, each mistake at its place.

use super::{
    axis::{Axis, AxisSpec, DesignPoint},
    claim::ClaimSpec,
    metric::Metric,
    sample::SampleSpec,
    workload::{ProgramSpec, TrafficSpec, Workload, yes},
};
use common::{
    files::{TOML_LIMIT, read_text},
    toml_text::{FileMistake, TomlText},
};
use miette::Diagnostic;
use program::kernels::{self, Setting};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    marker::PhantomData,
    ops::Range,
    path::{Path, PathBuf},
};
use thiserror::Error;
use toml::Spanned;

/// What can be wrong with a study file.
#[derive(Debug, Error, Diagnostic)]
pub enum StudyError {
    /// A mistake in the file.
    #[error(transparent)]
    #[diagnostic(transparent)]
    File(#[from] Box<FileMistake>),
    /// It cannot be read.
    #[error("cannot read study file {}: {reason}", path.display())]
    #[diagnostic(help("a study file is TOML: designs, kernels, traffic and claims; docs/command-line.md shows one"))]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
}

/// The JSON schema of a study file.
pub fn schema() -> Value {
    schema_for!(Study).to_value()
}

/// Most seeds of a study.
const MOST_SEEDS: u32 = 100;

/// A study.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// Above its table.
    pub title: String,
    /// What it is about, and where it comes from.
    #[serde(default)]
    pub about: String,
    /// A sensitivity study: its claims are those of other studies, on chips that are changed; they are judged, but not counted among all.
    #[serde(default)]
    pub sensitivity: bool,
    /// Configuration of all designs that name none: a name, or a file in the folder of the study.
    #[schemars(with = "Option<String>")]
    pub config: Option<Spanned<String>>,
    /// Overrides of all designs, as `-P` takes them.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub overrides: Vec<Spanned<String>>,
    /// The design that the others are measured against; without it, the first.
    #[schemars(with = "Option<String>")]
    pub baseline: Option<Spanned<String>>,
    /// What is compared of kernels and programs: `speed` (the inverse of the time), the place of a number in the JSON report of a run
    /// (`/network/reply_latency`; of a program, in that of `exec`), `sum PATTERN` of statistics, or `sum /place` of the JSON of a kernel or of
    /// each launch of a program; or one of these over another, with ` / ` between [default: speed].
    #[serde(default = "speed")]
    #[schemars(with = "String")]
    pub metric: Spanned<String>,
    /// How the workloads of a group are averaged [default: geometric].
    #[serde(default)]
    pub mean: Mean,
    /// Seed of random input data [default: 1].
    #[serde(default = "one")]
    pub seed: u64,
    /// Each kernel and traffic runs with so many seeds, `seed` and those after it, 1 to 100: ratios and claims are means over them, and a claim
    /// has the lowest and the highest of a seed. A program makes its data itself and runs once [default: 1].
    #[serde(default = "a_seed")]
    #[schemars(with = "u32")]
    pub seeds: Spanned<u32>,
    /// A run ends after this many cycles [default: 10000000].
    #[serde(default = "ten_million")]
    pub max_cycles: u64,
    /// A run has no result in which a kernel leaves its buffers, is misaligned or uses another block's shared memory [default: true].
    #[serde(default = "yes")]
    pub memory_checks: bool,
    /// The table that is printed [default: `figures` of a study with axes that has neither a baseline nor claims, else `ratios`].
    pub table: Option<TableKind>,
    /// What is compared.
    #[serde(default)]
    pub design: Vec<DesignSpec>,
    /// Keys that take several values: each design, or the configuration, with all combinations, called `vcs=2 vc_depth=4` behind its name.
    #[serde(default)]
    #[schemars(with = "Vec<AxisSpec>")]
    pub axis: Vec<Spanned<AxisSpec>>,
    /// A part of these combinations instead of all.
    pub sample: Option<SampleSpec>,
    /// What runs on the whole chip.
    #[serde(default)]
    pub kernel: Vec<KernelSpec>,
    /// CUDA programs that run on the whole chip.
    #[serde(default)]
    pub program: Vec<ProgramSpec>,
    /// What is sent through its network alone.
    #[serde(default)]
    pub traffic: Vec<TrafficSpec>,
    /// What is to come out.
    #[serde(default)]
    pub claim: Vec<ClaimSpec>,
    /// The axes, checked, whose points are among the designs.
    #[serde(skip)]
    pub(super) axes: Vec<Axis>,
    /// Name and text of the file, for messages.
    #[serde(skip)]
    source: (String, String),
}

/// What a table shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TableKind {
    /// A row for each design, a column for each workload: its metric over that of the baseline.
    Ratios,
    /// A row for each run: its parameters, cycles, IPC, mm^2 and W, or load and latency.
    Figures,
    /// Both.
    Both,
}

/// A mean of ratios.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mean {
    /// The n-th root of the product.
    #[default]
    Geometric,
    /// n over the sum of inverses.
    Harmonic,
    /// The sum over n.
    Arithmetic,
}

/// A design.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignSpec {
    /// In the table.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Its configuration, where it is not that of the study.
    #[schemars(with = "Option<String>")]
    pub config: Option<Spanned<String>>,
    /// Overrides after those of the study.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub overrides: Vec<Spanned<String>>,
    /// Left out by `--quick`, when false [default: true].
    #[serde(default = "yes")]
    pub quick: bool,
    /// Nothing of its own: for each workload and seed, that of these designs of which its metric is the highest.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub best_of: Vec<Spanned<String>>,
    /// Where axes have put it.
    #[serde(skip)]
    pub(super) point: Option<DesignPoint>,
}

/// A kernel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelSpec {
    /// One that comes with the program, or how a launch file is called in the table.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Its size; without it, its own.
    pub size: Option<u32>,
    /// Its parameters, as `--kernel-param` takes them; those that are not here have their defaults.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, u32>")]
    pub params: BTreeMap<String, Spanned<u32>>,
    /// What `params` was called before: an error.
    #[serde(default, rename = "knobs", deserialize_with = "renamed_knobs")]
    #[schemars(skip)]
    _knobs: PhantomData<()>,
    /// A launch file in the folder of the study instead.
    #[schemars(with = "Option<String>")]
    pub launch: Option<Spanned<String>>,
    /// In the table, where its name, its size and its parameters are not to stand.
    pub label: Option<String>,
    /// The group that it is averaged in.
    #[serde(default)]
    pub group: String,
    /// Left out by `--quick`, when false [default: true].
    #[serde(default = "yes")]
    pub quick: bool,
    /// Overrides for this kernel alone, after those of the design.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub overrides: Vec<Spanned<String>>,
}

/// Says what `knobs` is called now.
fn renamed_knobs<'de, D: Deserializer<'de>>(_: D) -> Result<PhantomData<()>, D::Error> {
    Err(D::Error::custom("`knobs` was renamed to `params`"))
}

impl KernelSpec {
    /// In the table.
    pub fn shown(&self) -> String {
        let size = self.size.map_or(String::new(), |size| format!(" {size}"));
        let params: String = self.settings().iter().map(|param| format!(" {param}")).collect();
        self.label.clone().unwrap_or_else(|| format!("{}{size}{params}", self.name.get_ref()))
    }

    /// Its parameters.
    pub fn settings(&self) -> Vec<Setting> {
        let setting = |(name, value): (&String, &Spanned<u32>)| Setting { name: name.clone(), value: *value.get_ref() };
        self.params.iter().map(setting).collect()
    }
}

fn speed() -> Spanned<String> {
    Spanned::new(0..0, "speed".into())
}

fn one() -> u64 {
    1
}

fn a_seed() -> Spanned<u32> {
    Spanned::new(0..0, 1)
}

fn ten_million() -> u64 {
    10_000_000
}

impl Study {
    /// Reads a study file. `most`: runs that its axes may make, if there is such a limit.
    ///
    /// # Errors
    /// It cannot be read, or says something wrong: where, and what is allowed.
    pub fn load(path: &Path, most: Option<u64>) -> Result<Self, StudyError> {
        let text = read_text(path, TOML_LIMIT)
            .map_err(|cause| StudyError::Read { path: path.into(), reason: cause.to_string() })?;
        Ok(Self::parse(&text, &path.display().to_string(), most)?)
    }

    /// The same from a text and its name.
    ///
    /// # Errors
    /// It says something wrong.
    pub fn parse(text: &str, file: &str, most: Option<u64>) -> Result<Self, Box<FileMistake>> {
        let toml = TomlText { text, file };
        let mut study: Self = toml.parse()?;
        study.expand(most, &toml)?;
        study.check(&toml)?;
        study.source = (file.into(), text.into());
        Ok(study)
    }

    /// The file as it was read.
    pub fn text(&self) -> &str {
        &self.source.1
    }

    /// What runs on each design: kernels, programs, then traffic.
    pub fn workloads(&self) -> Vec<Workload<'_>> {
        let programs = self.program.iter().map(Workload::Program);
        self.kernel
            .iter()
            .map(Workload::Kernel)
            .chain(programs)
            .chain(self.traffic.iter().map(Workload::Traffic))
            .collect()
    }

    /// The seeds that each kernel and traffic runs with; one of a study of programs.
    pub fn seeds(&self) -> impl Iterator<Item = u64> + Clone + use<> {
        let has_seeds = self.workloads().into_iter().any(Workload::has_seed);
        self.seed..self.seed + if has_seeds { u64::from(*self.seeds.get_ref()) } else { 1 }
    }

    /// It has kernels or programs.
    pub fn has_chip_workloads(&self) -> bool {
        !self.kernel.is_empty() || !self.program.is_empty()
    }

    /// Leaves out the designs and workloads that are not for a quick look, and the claims that need them.
    ///
    /// # Errors
    /// Nothing would be left to run, or to compare with.
    pub fn make_quick(&mut self) -> Result<(), Box<FileMistake>> {
        let (file, text) = (self.source.0.clone(), self.source.1.clone());
        let wrong = |span, message: String, help: &str| {
            TomlText { text: &text, file: &file }.mistake(span, message, Some(help.into()))
        };
        // The best of others needs all of them.
        let is_quick =
            |name: &Spanned<String>| self.design_called(name.get_ref()).is_none_or(|at| self.design[at].quick);
        let quick = self.design.iter().filter(|design| design.quick && design.best_of.iter().all(is_quick));
        let designs: BTreeSet<String> = quick.map(|design| design.name.get_ref().clone()).collect();
        let baseline = &self.design[self.baseline()].name;
        if !designs.contains(baseline.get_ref()) {
            let message = format!("--quick does not run the baseline `{}`", baseline.get_ref());
            let help = "a baseline without `quick = false`, as each design of its `best_of`";
            return Err(wrong(baseline.span(), message, help));
        }
        let workloads: Vec<bool> = self.workloads().into_iter().map(Workload::is_quick).collect();
        if !workloads.contains(&true) {
            return Err(wrong(0..0, "--quick runs no workload".into(), "one without `quick = false`"));
        }
        // A claim about a group is about those of it that are left.
        let has_workloads = |claim| self.workloads_of(claim).into_iter().any(|at| workloads[at]);
        let mut with_workloads = self.claim.iter().map(has_workloads).collect::<Vec<_>>().into_iter();
        let is_left = |name: &Spanned<String>| designs.contains(name.get_ref());
        self.claim.retain(|claim| {
            with_workloads.next() == Some(true) && is_left(&claim.design) && claim.against.iter().all(is_left)
        });
        self.design.retain(|design| is_left(&design.name));
        self.kernel.retain(|kernel| kernel.quick);
        self.program.retain(|program| program.quick);
        self.traffic.retain(|traffic| traffic.quick);
        Ok(())
    }

    /// A mistake in the configuration of a design with a workload: at the last of the lines that make it.
    pub fn mistake(&self, design: &DesignSpec, workload: Workload<'_>, message: &str) -> Box<FileMistake> {
        let lists = [workload.overrides(), &design.overrides, &self.overrides];
        let written = lists.into_iter().find_map(|list| list.last());
        let config = design.config.as_ref().or(self.config.as_ref());
        let at = written.or(config).unwrap_or(&design.name);
        let (file, text) = &self.source;
        TomlText { text, file }.mistake(at.span(), format!("design `{}`: {message}", design.name.get_ref()), None)
    }

    /// What its table shows.
    pub fn table(&self) -> TableKind {
        let compares = self.baseline.is_some() || !self.claim.is_empty();
        self.table.unwrap_or(if self.axes.is_empty() || compares { TableKind::Ratios } else { TableKind::Figures })
    }

    /// Its baseline, by number.
    pub fn baseline(&self) -> usize {
        self.baseline.as_ref().and_then(|name| self.design_called(name.get_ref())).unwrap_or(0)
    }

    /// The design of this name.
    pub fn design_called(&self, name: &str) -> Option<usize> {
        self.design.iter().position(|design| design.name.get_ref() == name)
    }

    /// Groups, in the order of the workloads.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = vec![];
        for group in self.workloads().into_iter().map(Workload::group).filter(|group| !group.is_empty()) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    /// The workloads that a claim is about.
    pub fn workloads_of(&self, claim: &ClaimSpec) -> Vec<usize> {
        let all = self.workloads();
        let meant = |at: &usize| {
            let workload = all[*at];
            let named = claim.kernel.as_ref().or(claim.traffic.as_ref());
            match (&claim.group, named) {
                (Some(group), _) => workload.group() == group.get_ref(),
                (_, Some(name)) => {
                    workload.is_on_chip() == claim.kernel.is_some() && workload.shown() == *name.get_ref()
                }
                _ => workload.is_on_chip() || !self.has_chip_workloads(),
            }
        };
        (0..all.len()).filter(meant).collect()
    }

    /// All that is compared anywhere in it.
    pub fn metrics(&self) -> impl Iterator<Item = &Spanned<String>> {
        let of_traffic = self.traffic.iter().map(|traffic| &traffic.metric);
        std::iter::once(&self.metric)
            .chain(of_traffic)
            .chain(self.claim.iter().filter_map(|claim| claim.metric.as_ref()))
    }

    fn check(&self, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let wrong = |span: Range<usize>, message: String, help: String| Err(toml.mistake(span, message, Some(help)));
        if self.design.is_empty() || self.workloads().is_empty() {
            let help = "at least one [[design]] or [[axis]], and one [[kernel]], [[program]] or [[traffic]]";
            return wrong(0..0, "there is nothing to run".into(), help.into());
        }
        if !self.has_chip_workloads() && !self.metric.span().is_empty() {
            let help = "it is about kernels and programs: a [[traffic]] has a `metric` of its own";
            return wrong(self.metric.span(), "`metric` has no effect".into(), help.into());
        }
        let seeds = *self.seeds.get_ref();
        if !(1..=MOST_SEEDS).contains(&seeds) {
            return wrong(self.seeds.span(), format!("{seeds} seeds"), format!("1 to {MOST_SEEDS}"));
        }
        if seeds > 1 && self.workloads().into_iter().all(|workload| !workload.has_seed()) {
            let help = "programs make their data themselves";
            return wrong(self.seeds.span(), "`seeds` has no effect without kernels or traffic".into(), help.into());
        }
        let mut seen = BTreeSet::new();
        for design in &self.design {
            let name = design.name.get_ref();
            if name.trim().is_empty() || !seen.insert(name) {
                return wrong(
                    design.name.span(),
                    format!("design `{name}` is listed twice"),
                    "a name of its own".into(),
                );
            }
        }
        let mut seen = BTreeSet::new();
        for workload in self.workloads() {
            match workload {
                Workload::Kernel(kernel) => self.check_kernel(kernel, toml)?,
                Workload::Program(program) => check_program(program, toml)?,
                Workload::Traffic(traffic) => traffic.check(toml)?,
            }
            let name = workload.shown();
            if name.trim().is_empty() || !seen.insert(name.clone()) {
                let (what, help) = match workload {
                    Workload::Kernel(_) => ("kernel", "another size, or a `label`"),
                    Workload::Program(_) => ("program", "a name of its own"),
                    Workload::Traffic(_) => ("traffic", "a name of its own"),
                };
                return wrong(workload.span(), format!("{what} `{name}` is listed twice"), help.into());
            }
        }
        for traffic in self.traffic.iter().filter(|traffic| !traffic.group.is_empty()) {
            let same = |workload: &Workload<'_>| workload.is_on_chip() && workload.group() == traffic.group;
            if self.workloads().iter().any(same) {
                let message = format!(
                    "group `{}` has traffic beside kernels or programs, whose numbers have no mean",
                    traffic.group
                );
                return wrong(traffic.name.span(), message, "a group of its own".into());
            }
        }
        for metric in self.metrics() {
            let parsed = match Metric::parse(metric.get_ref()) {
                Ok(parsed) => parsed,
                Err(allowed) => {
                    return wrong(metric.span(), format!("invalid metric `{}`", metric.get_ref()), allowed);
                }
            };
            if let Some(place) = parsed.unknown_places().first() {
                let help = "`warpmesh schema --report run` (of kernels), `exec` (of programs), `noc` (of traffic)";
                return wrong(metric.span(), format!("no report has a value at `{place}`"), help.into());
            }
        }
        let designs = || self.design.iter().map(|design| design.name.get_ref().as_str()).collect::<Vec<_>>().join(", ");
        let names = self.claim.iter().flat_map(|claim| [Some(&claim.design), claim.against.as_ref()]);
        for name in names.flatten().chain(&self.baseline) {
            if self.design_called(name.get_ref()).is_none() {
                return wrong(
                    name.span(),
                    format!("there is no design `{}`", name.get_ref()),
                    format!("there are: {}", designs()),
                );
            }
        }
        self.design.iter().try_for_each(|design| self.check_best(design, toml))?;
        self.claim.iter().try_for_each(|claim| self.check_claim(claim, toml))
    }

    /// The best of others runs nothing, and those others run.
    fn check_best(&self, design: &DesignSpec, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let wrong = |span: Range<usize>, message: String, help: String| Err(toml.mistake(span, message, Some(help)));
        if let (false, Some(own)) = (design.best_of.is_empty(), design.config.as_ref().or(design.overrides.first())) {
            let message = format!("`{}` has no effect with `best_of`", own.get_ref());
            return wrong(own.span(), message, "leave out one of them".into());
        }
        let runs = |spec: &&DesignSpec| spec.best_of.is_empty();
        for name in &design.best_of {
            if !self.design.iter().filter(runs).any(|other| other.name.get_ref() == name.get_ref()) {
                let others: Vec<_> =
                    self.design.iter().filter(runs).map(|other| other.name.get_ref().as_str()).collect();
                let message = format!("there is no design `{}` that runs", name.get_ref());
                return wrong(name.span(), message, format!("there are: {}", others.join(", ")));
            }
        }
        Ok(())
    }

    fn check_kernel(&self, kernel: &KernelSpec, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let wrong = |span: Range<usize>, message: String, help: String| Err(toml.mistake(span, message, Some(help)));
        let name = kernel.name.get_ref();
        if kernel.launch.is_some() {
            let given = [("size", kernel.size.is_some()), ("params", !kernel.params.is_empty())];
            return match given.iter().find(|(_, given)| *given) {
                Some((key, _)) => {
                    let message = format!("`{key}` has no effect with `launch`");
                    wrong(kernel.name.span(), message, "leave out one of them".into())
                }
                None => Ok(()),
            };
        }
        let Some(builtin) = kernels::find(name) else {
            let all: Vec<_> = kernels::every().map(|kernel| kernel.name).collect();
            let help = format!("there are: {}", all.join(", "));
            return wrong(kernel.name.span(), format!("there is no kernel `{name}`"), help);
        };
        match builtin.with(&kernel.settings()) {
            Ok(_) => Ok(()),
            Err(error) => wrong(kernel.params[error.param()].span(), error.to_string(), error.help()),
        }
    }
}

fn check_program(program: &ProgramSpec, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
    let source = program.source.get_ref();
    match Path::new(source).extension().is_some_and(|end| end == "cu") {
        true => Ok(()),
        false => {
            let help = "a file that ends in .cu, in the folder of the study".to_string();
            Err(toml.mistake(program.source.span(), format!("source `{source}` is no CUDA program"), Some(help)))
        }
    }
}
