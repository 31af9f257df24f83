//! What runs on each design: kernels and CUDA programs on the whole chip, and synthetic traffic on its network alone.

use super::{KernelSpec, Study};
use crate::open_loop::{Pattern, Sizes, traffic::MOST_FLITS};
use common::toml_text::{FileMistake, TomlText};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// Synthetic traffic on the network of each design alone, as `noc` measures it at one load.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrafficSpec {
    /// In the table.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Offered load, flits per sender and cycle, above 0.
    #[schemars(with = "f64")]
    pub rate: Spanned<f64>,
    /// Who sends to whom [default: many-to-few].
    #[serde(default = "many_to_few")]
    pub pattern: Pattern,
    /// Packet sizes in flits, as `noc --flits` takes them: `4`, or `1:0.9,4:0.1`.
    #[schemars(with = "Option<String>")]
    pub flits: Option<Spanned<String>>,
    /// Part of reads among requests of memory traffic without `flits`, 0 to 1 [default: 0.9].
    #[schemars(with = "Option<f64>")]
    pub reads: Option<Spanned<f64>>,
    /// Packets are not answered.
    #[serde(default)]
    pub one_way: bool,
    /// Cycles before the measurement [default: 2000].
    pub warmup: Option<u64>,
    /// Cycles of the measurement [default: 10000].
    pub measure: Option<u64>,
    /// Cycles at most until the measured packets have arrived [default: 20000].
    pub drain: Option<u64>,
    /// What is compared: as the study's `metric`, of the JSON report of `noc` [default: accepted, flits per sender and cycle].
    #[serde(default = "accepted")]
    #[schemars(with = "String")]
    pub metric: Spanned<String>,
    /// The group that it is averaged in.
    #[serde(default)]
    pub group: String,
    /// Left out by `--quick`, when false [default: true].
    #[serde(default = "yes")]
    pub quick: bool,
    /// Overrides for this traffic alone, after those of the design.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub overrides: Vec<Spanned<String>>,
}

fn many_to_few() -> Pattern {
    Pattern::ManyToFew
}

fn accepted() -> Spanned<String> {
    Spanned::new(0..0, "accepted".into())
}

impl TrafficSpec {
    /// Arguments of `noc` that say the traffic, without the configuration.
    pub fn arguments(&self, seed: u64) -> Vec<String> {
        let mut all =
            vec!["--traffic".into(), self.pattern.name().into(), "--rate".into(), self.rate.get_ref().to_string()];
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                all.extend([format!("--{name}"), value]);
            }
        };
        option("flits", self.flits.as_ref().map(|flits| flits.get_ref().clone()));
        option("reads", self.reads.as_ref().map(|reads| reads.get_ref().to_string()));
        let cycles = [("warmup", self.warmup), ("measure", self.measure), ("drain", self.drain)];
        cycles.into_iter().for_each(|(name, cycles)| option(name, cycles.map(|cycles| cycles.to_string())));
        option("seed", Some(seed.to_string()));
        all.extend(self.one_way.then(|| "--one-way".into()));
        all
    }

    /// All that tells it from other traffic but its load.
    fn series(&self) -> String {
        let option = |name: &str, value: Option<String>| value.map(|value| format!(" {name} {value}"));
        let options = [
            option("flits", self.flits.as_ref().map(|flits| flits.get_ref().clone())),
            option("reads", self.reads.as_ref().map(|reads| reads.get_ref().to_string())),
            self.one_way.then(|| " one way".into()),
        ];
        let group = if self.group.is_empty() { String::new() } else { format!(", {}", self.group) };
        format!("{}{}{group}", self.pattern.name(), options.into_iter().flatten().collect::<String>())
    }

    /// Is every value one that `noc` takes?
    pub(super) fn check(&self, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let wrong =
            |span: Range<usize>, message: String, help: &str| Err(toml.mistake(span, message, Some(help.into())));
        let rate = *self.rate.get_ref();
        if !rate.is_finite() || rate <= 0.0 || rate > f64::from(MOST_FLITS) {
            return wrong(self.rate.span(), format!("rate {rate}"), "above 0, at most 64 flits per sender and cycle");
        }
        if let Some(flits) = &self.flits
            && let Err(message) = flits.get_ref().parse::<Sizes>()
        {
            return wrong(flits.span(), message, "packet sizes such as 4, or 1:0.9,4:0.1");
        }
        let Some(reads) = &self.reads else { return Ok(()) };
        if self.flits.is_some() || self.one_way || !self.pattern.is_of_memory() {
            let help = "it is the part of reads among requests of memory traffic that is answered, without `flits`";
            return wrong(reads.span(), "`reads` has no effect".into(), help);
        }
        match (0.0..=1.0).contains(reads.get_ref()) {
            true => Ok(()),
            false => wrong(reads.span(), format!("reads {}", reads.get_ref()), "0 to 1"),
        }
    }
}

/// A CUDA program on the whole chip: all its launches, as `exec` runs them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramSpec {
    /// In the table.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Its only file, `.cu`, in the folder of the study.
    #[schemars(with = "String")]
    pub source: Spanned<String>,
    /// What it is called with, in the folder of the study.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The group that it is averaged in.
    #[serde(default)]
    pub group: String,
    /// Left out by `--quick`, when false [default: true].
    #[serde(default = "yes")]
    pub quick: bool,
    /// Overrides for this program alone, after those of the design.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub overrides: Vec<Spanned<String>>,
}

/// Default of `quick`.
pub(super) fn yes() -> bool {
    true
}

/// What runs on each design.
#[derive(Clone, Copy, Debug)]
pub enum Workload<'a> {
    /// A kernel on the whole chip.
    Kernel(&'a KernelSpec),
    /// A CUDA program on the whole chip.
    Program(&'a ProgramSpec),
    /// Traffic on its network.
    Traffic(&'a TrafficSpec),
}

impl<'a> Workload<'a> {
    /// In the table.
    pub fn shown(self) -> String {
        match self {
            Workload::Kernel(kernel) => kernel.shown(),
            Workload::Program(program) => program.name.get_ref().clone(),
            Workload::Traffic(traffic) => traffic.name.get_ref().clone(),
        }
    }

    /// What it is a point of in a drawing: loads of the same traffic are a line.
    pub(super) fn series(self) -> String {
        match self {
            Workload::Traffic(traffic) => traffic.series(),
            _ => self.shown(),
        }
    }

    /// The group that it is averaged in; empty: none.
    pub fn group(self) -> &'a str {
        match self {
            Workload::Kernel(kernel) => &kernel.group,
            Workload::Program(program) => &program.group,
            Workload::Traffic(traffic) => &traffic.group,
        }
    }

    /// Overrides after those of the design.
    pub fn overrides(self) -> &'a [Spanned<String>] {
        match self {
            Workload::Kernel(kernel) => &kernel.overrides,
            Workload::Program(program) => &program.overrides,
            Workload::Traffic(traffic) => &traffic.overrides,
        }
    }

    /// What is compared.
    pub fn metric(self, study: &'a Study) -> &'a str {
        match self {
            Workload::Kernel(_) | Workload::Program(_) => study.metric.get_ref(),
            Workload::Traffic(traffic) => traffic.metric.get_ref(),
        }
    }

    /// Where it stands in the file.
    pub(super) fn span(self) -> Range<usize> {
        match self {
            Workload::Kernel(kernel) => kernel.name.span(),
            Workload::Program(program) => program.name.span(),
            Workload::Traffic(traffic) => traffic.name.span(),
        }
    }

    /// `--quick` does not leave it out.
    pub fn is_quick(self) -> bool {
        match self {
            Workload::Kernel(kernel) => kernel.quick,
            Workload::Program(program) => program.quick,
            Workload::Traffic(traffic) => traffic.quick,
        }
    }

    /// The seed of a run decides its data or its packets; a program makes its data itself.
    pub fn has_seed(self) -> bool {
        !matches!(self, Workload::Program(_))
    }

    /// It runs on the whole chip: a kernel or a program.
    pub fn is_on_chip(self) -> bool {
        !matches!(self, Workload::Traffic(_))
    }
}
