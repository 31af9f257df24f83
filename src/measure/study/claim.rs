//! What a paper says: the claim of a study file, and what came out.

use super::{Bounds, Mean, Study, Verdict, Workload};
use common::toml_text::{FileMistake, TomlText};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, ops::Range};
use toml::Spanned;

/// Something that a paper says.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimSpec {
    /// What, in a sentence.
    pub about: String,
    /// Where.
    #[serde(default)]
    pub source: String,
    /// What the paper says, where that is not the number in `figure`.
    #[serde(default)]
    pub paper: String,
    /// The design that it is about.
    #[schemars(with = "String")]
    pub design: Spanned<String>,
    /// Against which; without it, the baseline.
    #[schemars(with = "Option<String>")]
    pub against: Option<Spanned<String>>,
    /// It is about the design alone: not a ratio, but what is measured.
    #[serde(default)]
    pub absolute: bool,
    /// Workloads of this group; without it, `kernel` and `traffic`, all kernels and programs, or all traffic of a study without either.
    #[schemars(with = "Option<String>")]
    pub group: Option<Spanned<String>>,
    /// This kernel or program, as the table calls it.
    #[schemars(with = "Option<String>")]
    pub kernel: Option<Spanned<String>>,
    /// This traffic.
    #[schemars(with = "Option<String>")]
    pub traffic: Option<Spanned<String>>,
    /// What is compared, where it is not that of the study or of the traffic.
    #[schemars(with = "Option<String>")]
    pub metric: Option<Spanned<String>>,
    /// How its workloads are averaged, where it is not as in the study: a geometric mean has no zeros.
    pub mean: Option<Mean>,
    /// The paper's number: the claim holds with a third of that change, and holds in part with less of the same sign.
    pub figure: Option<f64>,
    /// The number that `figure` is a change from [default: 1].
    pub neutral: Option<f64>,
    /// It is at least this: of a paper that has a bound or a direction only, or that says that nothing changes.
    pub at_least: Option<f64>,
    /// It is at most this.
    pub at_most: Option<f64>,
    /// Why it comes out otherwise here, as far as that was measured.
    #[serde(default)]
    pub why: String,
}

/// What a paper says and what came out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClaimResult {
    /// The claim.
    pub about: String,
    /// Where it stands.
    pub source: String,
    /// What the paper says, where that is not the number in `figure`.
    pub paper: String,
    /// The paper's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<f64>,
    /// What it is a change from; none: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neutral: Option<f64>,
    /// It is at least this.
    pub at_least: Option<f64>,
    /// It is at most this.
    pub at_most: Option<f64>,
    /// Why it comes out otherwise here.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The figure here.
    pub measured: Option<f64>,
    /// How many workloads that is the mean of.
    pub workloads: usize,
    /// The lowest of them.
    pub lowest: Option<f64>,
    /// The highest.
    pub highest: Option<f64>,
    /// How many seeds of data or traffic it is the mean over.
    #[serde(default = "one_seed", skip_serializing_if = "is_one_seed")]
    pub seeds: u32,
    /// The figure of the seed with the lowest, of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowest_of_seeds: Option<f64>,
    /// Of the one with the highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_of_seeds: Option<f64>,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Numbers, from the lowest to the highest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    number: usize,
    lowest: Option<f64>,
    highest: Option<f64>,
}

impl Spread {
    /// Of these; without ends where one is missing.
    pub fn of(figures: &[Option<f64>]) -> Self {
        let all: Option<Vec<f64>> = figures.iter().copied().collect();
        let end = |of: fn(f64, f64) -> f64| all.iter().flatten().copied().reduce(of);
        Self { number: figures.len(), lowest: end(f64::min), highest: end(f64::max) }
    }
}

pub(super) fn one_seed() -> u32 {
    1
}

pub(super) fn is_one_seed(seeds: &u32) -> bool {
    *seeds == 1
}

impl ClaimSpec {
    /// With what came out: the mean, and what it is the mean of.
    pub(super) fn result(&self, measured: Option<f64>, of_workloads: Spread, of_seeds: Spread) -> ClaimResult {
        let several = |end: Option<f64>| end.filter(|_| of_seeds.number > 1);
        let mut result = ClaimResult {
            about: self.about.clone(),
            source: self.source.clone(),
            paper: self.paper.clone(),
            figure: self.figure,
            neutral: self.neutral,
            at_least: self.at_least,
            at_most: self.at_most,
            why: self.why.clone(),
            measured,
            workloads: of_workloads.number,
            lowest: of_workloads.lowest,
            highest: of_workloads.highest,
            seeds: of_seeds.number as u32,
            lowest_of_seeds: several(of_seeds.lowest),
            highest_of_seeds: several(of_seeds.highest),
            verdict: Verdict::NotMeasured,
        };
        result.judge();
        result
    }
}

impl ClaimResult {
    /// What is asked of the number.
    pub fn bounds(&self) -> Bounds {
        match self.figure {
            Some(figure) => Bounds::Effect { neutral: self.neutral.unwrap_or(1.0), figure },
            None => Bounds::Within { at_least: self.at_least, at_most: self.at_most },
        }
    }

    /// Its verdict, from its numbers.
    pub(super) fn judge(&mut self) {
        self.verdict = self.bounds().verdict(self.measured);
    }

    /// What the paper says: its words, or its number.
    pub fn said(&self) -> String {
        match (self.paper.is_empty(), self.figure) {
            (true, Some(figure)) => figure.to_string(),
            _ => self.paper.clone(),
        }
    }
}

impl Study {
    /// Is it about something that there is, and does it ask for something?
    pub(super) fn check_claim(&self, claim: &ClaimSpec, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let wrong = |span: Range<usize>, message: String, help: String| Err(toml.mistake(span, message, Some(help)));
        let given = [&claim.group, &claim.kernel, &claim.traffic];
        if let [_, second, ..] = given.into_iter().flatten().collect::<Vec<_>>()[..] {
            let message = "a claim has a group, a kernel or traffic".to_string();
            return wrong(second.span(), message, "leave out the others".into());
        }
        if let (true, Some(against)) = (claim.absolute, &claim.against) {
            let message = "`against` has no effect with `absolute`".to_string();
            return wrong(against.span(), message, "leave out one of them".into());
        }
        if let Some(group) = &claim.group
            && !self.groups().contains(&group.get_ref().as_str())
        {
            return wrong(
                group.span(),
                format!("there is no group `{}`", group.get_ref()),
                format!("there are: {}", self.groups().join(", ")),
            );
        }
        for (what, named, on_chip) in [("kernel or program", &claim.kernel, true), ("traffic", &claim.traffic, false)] {
            let all = self.workloads().into_iter().filter(|workload| workload.is_on_chip() == on_chip);
            let all: Vec<_> = all.map(Workload::shown).collect();
            if let Some(name) = named
                && !all.contains(name.get_ref())
            {
                let message = format!("there is no {what} `{}`", name.get_ref());
                return wrong(name.span(), message, format!("there are: {}", all.join(", ")));
            }
        }
        let about = self.workloads_of(claim).into_iter().map(|at| self.workloads()[at].is_on_chip());
        if about.collect::<BTreeSet<_>>().len() > 1 {
            let message = "the claim is about traffic together with kernels or programs".to_string();
            return wrong(claim.design.span(), message, "a group of one of them, `kernel` or `traffic`".into());
        }
        claim
            .check_bounds()
            .map_err(|(message, help)| toml.mistake(claim.design.span(), message.into(), Some(help.into())))
    }
}

impl ClaimSpec {
    /// A figure or bounds, all of them numbers.
    fn check_bounds(&self) -> Result<(), (&'static str, &'static str)> {
        let bounds = [self.at_least, self.at_most];
        let has_bounds = bounds.iter().any(Option::is_some);
        let numbers = bounds.into_iter().chain([self.figure, self.neutral]).flatten();
        if numbers.into_iter().any(|number| !number.is_finite()) {
            return Err(("a bound is a finite number", "such as 1.05"));
        }
        match (self.figure, has_bounds) {
            (None, false) => Err(("the claim has no bound", "`figure`, or `at_least`, `at_most` or both")),
            (Some(_), true) => Err(("the claim has a figure and bounds", "leave out one of them")),
            (None, true) if self.neutral.is_some() => Err(("`neutral` has no effect without `figure`", "leave it out")),
            (Some(figure), false) if figure == self.neutral.unwrap_or(1.0) => {
                Err(("the figure is no change", "`at_least` and `at_most` of a paper that says that nothing changes"))
            }
            _ => Ok(()),
        }
    }
}
