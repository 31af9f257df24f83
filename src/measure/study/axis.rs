//! Axes of a study: keys of the configuration with the values that they take. All combinations, or a sample of them,
//! are designs.

use super::{DesignSpec, Study, sample::SampleSpec};
use crate::report::words::grouped;
use common::{
    parameters::{Parameter, Parameters},
    toml_text::{FileMistake, TomlText},
};
use rtl::chip::{self, ChipConfig, ConfigError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use toml::Spanned;

/// Runs that a study with axes makes without being asked twice.
pub const MANY_RUNS: u64 = 1_000;
/// Runs that a study with axes makes at the most.
const MOST_RUNS: u64 = 1_000_000;

/// A value of each of several keys.
type WrittenPoint = Vec<Spanned<toml::Value>>;

/// A key of the configuration and its values, in one of three forms.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisSpec {
    /// The key, such as `network.channel_bytes`.
    #[schemars(with = "Option<String>")]
    key: Option<Spanned<String>>,
    /// Its values, as a configuration has them.
    #[schemars(with = "Option<Vec<Value>>")]
    values: Option<Spanned<Vec<Spanned<toml::Value>>>>,
    /// Instead of `values`: the first number of a range.
    #[schemars(with = "Option<u32>")]
    from: Option<Spanned<u32>>,
    /// The range ends here, or before where no step leads here.
    #[schemars(with = "Option<u32>")]
    to: Option<Spanned<u32>>,
    /// From a number to the next.
    #[schemars(with = "Option<u32>")]
    step: Option<Spanned<u32>>,
    /// Instead of `step`: the next number is so many times the one before.
    #[schemars(with = "Option<u32>")]
    factor: Option<Spanned<u32>>,
    /// Instead of `key`: keys that change together.
    #[schemars(with = "Option<Vec<String>>")]
    keys: Option<Spanned<Vec<Spanned<String>>>>,
    /// Of `keys`: lists with a value of each.
    #[schemars(with = "Option<Vec<Vec<Value>>>")]
    points: Option<Spanned<Vec<Spanned<WrittenPoint>>>>,
}

/// A value of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisValue {
    /// In tables and names.
    pub shown: String,
    /// As TOML.
    written: String,
    /// Where it stands in the file.
    span: Range<usize>,
}

/// Keys that change together, and what they change to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The keys.
    pub keys: Vec<String>,
    /// Points: a value of each key.
    pub points: Vec<Vec<AxisValue>>,
}

/// Where the axes put a design.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DesignPoint {
    /// The design of the file that the axes change; none in a file without.
    pub of: Option<String>,
    /// On each axis, which of its points.
    pub at: Vec<usize>,
}

/// What is wrong with a value of a key, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingMistake {
    /// The key is wrong, not the value.
    pub of_key: bool,
    /// What is wrong.
    pub message: String,
    /// What is allowed.
    pub help: Option<String>,
}

/// Whether a configuration may have this value, written as TOML, looked at alone.
///
/// # Errors
/// There is no such key, or the value is of another kind or out of range.
pub fn check_setting(key: &str, written: &str) -> Result<(), SettingMistake> {
    let of_key = parameter(key).is_none();
    let wrong = |message: String, help: Option<String>| SettingMistake { of_key, message, help };
    match chip::read(None, &[format!("{key}={written}")]) {
        Ok(_) if of_key => Err(wrong(format!("unknown key `{key}`"), None)),
        Ok(loaded) => loaded.config.check_ranges("").map_err(|error| {
            let help = format!("allowed: {}", error.allowed);
            wrong(format!("invalid value {} for {}", error.value, error.path), Some(help))
        }),
        Err(ConfigError::Wrong { message, help, .. }) if of_key || message.contains(key) => Err(wrong(message, help)),
        Err(ConfigError::Wrong { message, help, .. }) => {
            Err(wrong(format!("invalid value {written} for {key}: {message}"), help))
        }
        Err(error) => Err(wrong(error.to_string(), None)),
    }
}

/// A parameter of a configuration by its key.
fn parameter(key: &str) -> Option<Parameter> {
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    all.into_iter().find(|parameter| parameter.path == key)
}

/// Unit of a key; empty: none.
pub fn unit(key: &str) -> &'static str {
    parameter(key).map_or("", |parameter| parameter.unit)
}

/// A value as an override writes it, and as people read it.
fn texts(value: &toml::Value) -> (String, String) {
    let written = value.to_string();
    (value.as_str().map_or_else(|| written.clone(), String::from), written)
}

impl AxisSpec {
    /// How many points it has; an error where it is not in one of the three forms.
    fn len(&self, place: &Range<usize>, toml: &TomlText<'_>) -> Result<u64, Box<FileMistake>> {
        const FORMS: &str = "`key` with `values`, or with `from`, `to` and `step` or `factor`; or `keys` with `points`";
        let wrong =
            |span: Range<usize>, message: String, help: &str| Err(toml.mistake(span, message, Some(help.to_string())));
        let spans = [
            ("key", self.key.as_ref().map(Spanned::span)),
            ("values", self.values.as_ref().map(Spanned::span)),
            ("from", self.from.as_ref().map(Spanned::span)),
            ("to", self.to.as_ref().map(Spanned::span)),
            ("step", self.step.as_ref().map(Spanned::span)),
            ("factor", self.factor.as_ref().map(Spanned::span)),
            ("keys", self.keys.as_ref().map(Spanned::span)),
            ("points", self.points.as_ref().map(Spanned::span)),
        ];
        let form: &[&str] = match (&self.key, &self.keys) {
            (Some(_), None) if self.values.is_some() => &["key", "values"],
            (Some(_), None) if self.factor.is_some() => &["key", "from", "to", "factor"],
            (Some(_), None) => &["key", "from", "to", "step"],
            (None, Some(_)) => &["keys", "points"],
            _ => return wrong(place.clone(), "an axis has a `key`, or `keys` that change together".into(), FORMS),
        };
        for (name, span) in &spans {
            match (span, form.contains(name)) {
                (Some(span), false) => {
                    return wrong(span.clone(), format!("`{name}` does not go with `{}`", form[1]), FORMS);
                }
                (None, true) => {
                    return wrong(place.clone(), format!("the axis has no `{name}`"), FORMS);
                }
                _ => {}
            }
        }
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            let [first, last] = [from, to].map(|end| u64::from(*end.get_ref()));
            if first > last {
                return wrong(
                    to.span(),
                    format!("the range ends at {last} before it begins at {first}"),
                    "a range that rises",
                );
            }
            return match (&self.step, &self.factor) {
                (Some(step), _) if *step.get_ref() == 0 => wrong(step.span(), "step 0".into(), "from 1 on"),
                (_, Some(factor)) if *factor.get_ref() < 2 => {
                    wrong(factor.span(), format!("factor {}", factor.get_ref()), "from 2 on")
                }
                (_, Some(factor)) if first == 0 => {
                    wrong(from.span(), format!("from 0 by a factor of {}", factor.get_ref()), "from 1 on")
                }
                (Some(step), _) => Ok((last - first) / u64::from(*step.get_ref()) + 1),
                (_, factor) => {
                    let factor = factor.as_ref().map_or(2, |factor| u64::from(*factor.get_ref()));
                    Ok(std::iter::successors(Some(first), |at| Some(at * factor)).take_while(|at| *at <= last).count()
                        as u64)
                }
            };
        }
        let listed = self.values.as_ref().map(|list| (list.span(), list.get_ref().len()));
        let listed = listed.or_else(|| self.points.as_ref().map(|list| (list.span(), list.get_ref().len())));
        match listed {
            Some((span, 0)) => wrong(span, "the axis has no values".into(), "at least one"),
            Some((_, len)) => Ok(len as u64),
            None => wrong(place.clone(), "the axis has no values".into(), FORMS),
        }
    }

    /// The numbers of a range.
    fn range(&self) -> Option<Vec<AxisValue>> {
        let (from, to) = (self.from.as_ref()?, self.to.as_ref()?);
        let next = |at: &u64| match (&self.step, &self.factor) {
            (Some(step), _) => Some(at + u64::from(*step.get_ref())),
            (_, factor) => Some(at * u64::from(*factor.as_ref()?.get_ref())),
        };
        let numbers = std::iter::successors(Some(u64::from(*from.get_ref())), next);
        let value = |number: u64| AxisValue {
            shown: number.to_string(),
            written: number.to_string(),
            span: from.span().start.min(to.span().start)..from.span().end.max(to.span().end),
        };
        Some(numbers.take_while(|at| *at <= u64::from(*to.get_ref())).map(value).collect())
    }

    /// Its keys and points, each key and value checked alone.
    fn axis(&self, toml: &TomlText<'_>) -> Result<Axis, Box<FileMistake>> {
        let value = |value: &Spanned<toml::Value>| {
            let (shown, written) = texts(value.get_ref());
            AxisValue { shown, written, span: value.span() }
        };
        let keys: Vec<&Spanned<String>> = match &self.keys {
            Some(keys) => keys.get_ref().iter().collect(),
            None => self.key.iter().collect(),
        };
        let points: Vec<Vec<AxisValue>> = match (&self.points, &self.values) {
            (Some(points), _) => {
                for point in points.get_ref() {
                    let (has, wants) = (point.get_ref().len(), keys.len());
                    if has != wants {
                        let message = format!("a point of {has} values for {wants} keys");
                        return Err(toml.mistake(point.span(), message, Some("a value of each key".into())));
                    }
                }
                points.get_ref().iter().map(|point| point.get_ref().iter().map(value).collect()).collect()
            }
            (_, Some(values)) => values.get_ref().iter().map(|one| vec![value(one)]).collect(),
            _ => self.range().unwrap_or_default().into_iter().map(|value| vec![value]).collect(),
        };
        if let (true, Some(list)) = (keys.is_empty(), &self.keys) {
            return Err(toml.mistake(list.span(), "the axis has no keys".into(), Some("at least one".into())));
        }
        let mut seen = BTreeSet::new();
        for point in &points {
            for (key, value) in keys.iter().zip(point) {
                check_setting(key.get_ref(), &value.written).map_err(|mistake| {
                    let span = if mistake.of_key { key.span() } else { value.span.clone() };
                    toml.mistake(span, mistake.message, mistake.help)
                })?;
            }
            let shown: Vec<_> = point.iter().map(|value| value.shown.as_str()).collect();
            if !seen.insert(shown.clone()) {
                let span = point.first().map_or(0..0, |first| first.span.start..point[point.len() - 1].span.end);
                let message = format!("{} is there twice", shown.join(", "));
                return Err(toml.mistake(span, message, Some("each value once".into())));
            }
        }
        Ok(Axis { keys: keys.into_iter().map(|key| key.get_ref().clone()).collect(), points })
    }

    /// Its keys with their places.
    fn written_keys(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.key.iter().chain(self.keys.iter().flat_map(|keys| keys.get_ref()))
    }
}

impl Axis {
    /// Keys with a value of each, at one of its points.
    pub fn settings(&self, at: usize) -> impl Iterator<Item = (&str, &AxisValue)> {
        self.keys.iter().map(String::as_str).zip(&self.points[at])
    }
}

/// What each key is called in names and tables: its last part, where no other key has the same.
pub fn short_keys<'a>(keys: &[&'a str]) -> BTreeMap<&'a str, &'a str> {
    let last = |key: &'a str| key.rsplit('.').next().unwrap_or(key);
    let short = |key: &'a str| match keys.iter().filter(|other| last(other) == last(key)).count() {
        1 => last(key),
        _ => key,
    };
    keys.iter().map(|key| (*key, short(key))).collect()
}

impl Study {
    /// Makes designs of the axes: each design of the file, or the configuration alone, at each point of the space or of the sample.
    ///
    /// # Errors
    /// An axis is none, a key is set twice, or there are more runs than `most`.
    pub(super) fn expand(&mut self, most: Option<u64>, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let wrong =
            |span: Range<usize>, message: String, help: &str| Err(toml.mistake(span, message, Some(help.into())));
        if self.axis.is_empty() {
            return match &self.sample {
                Some(sample) => {
                    let message = "`sample` has no effect without axes";
                    wrong(sample.budget.span(), message.into(), "[[axis]] tables whose space it is a sample of")
                }
                None => Ok(()),
            };
        }
        let lens = self.axis.iter().map(|axis| axis.get_ref().len(&axis.span(), toml));
        let lens = lens.collect::<Result<Vec<u64>, _>>()?;
        self.refuse_keys_twice(toml)?;
        let Some(space) = lens.iter().try_fold(1_u64, |all, len| all.checked_mul(*len)) else {
            return wrong(self.axis[0].span(), "the axes have more than 2^64 points".into(), "fewer values");
        };
        let points = self.sample.as_ref().map_or(space, |sample| u64::from(*sample.budget.get_ref()));
        let bases = self.design.iter().filter(|design| design.best_of.is_empty()).count().max(1) as u64;
        let seeds = u64::from((*self.seeds.get_ref()).max(1));
        let of_point = self.workloads().into_iter().map(|workload| if workload.has_seed() { seeds } else { 1 }).sum();
        let runs = points.saturating_mul(bases).saturating_mul(of_point);
        let allowed = most.unwrap_or(MOST_RUNS).min(MOST_RUNS);
        if runs > allowed {
            let span = self.sample.as_ref().map_or(self.axis[0].span(), |sample| sample.budget.span());
            let message = format!("the axes make {} runs, more than {}", grouped(runs), grouped(allowed));
            let help = match allowed {
                MOST_RUNS => "fewer values, or [sample] with a `budget`",
                _ => "--yes runs them; or take fewer values, or [sample] with a `budget`",
            };
            return wrong(span, message, help);
        }
        let axes = self.axis.iter().map(|axis| axis.get_ref().axis(toml)).collect::<Result<Vec<_>, _>>()?;
        let chosen = match &self.sample {
            Some(sample) => sample.choose(&lens, space, toml)?,
            None => (0..space).map(|point| digits(point, &lens)).collect(),
        };
        self.design = self.designs(&axes, &chosen);
        self.axes = axes;
        Ok(())
    }

    /// Designs at all chosen points; those that are the best of others stay as they are.
    fn designs(&mut self, axes: &[Axis], chosen: &[Vec<usize>]) -> Vec<DesignSpec> {
        let keys: Vec<&str> = axes.iter().flat_map(|axis| &axis.keys).map(String::as_str).collect();
        let short = short_keys(&keys);
        let (mut bases, best): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.design).into_iter().partition(|design| design.best_of.is_empty());
        let is_named = !bases.is_empty();
        if !is_named {
            let name = Spanned::new(self.axis[0].span(), String::new());
            bases.push(DesignSpec { name, config: None, overrides: vec![], quick: true, best_of: vec![], point: None });
        }
        let at_point = |base: &DesignSpec, at: &Vec<usize>| {
            let settings = || axes.iter().zip(at).flat_map(|(axis, at)| axis.settings(*at));
            let of = is_named.then(|| base.name.get_ref().clone());
            let words = settings().map(|(key, value)| format!("{}={}", short[key], value.shown));
            let name = of.clone().into_iter().chain(words).collect::<Vec<_>>().join(" ");
            let added =
                settings().map(|(key, value)| Spanned::new(value.span.clone(), format!("{key}={}", value.written)));
            DesignSpec {
                name: Spanned::new(base.name.span(), name),
                config: base.config.clone(),
                overrides: base.overrides.iter().cloned().chain(added).collect(),
                quick: base.quick,
                best_of: vec![],
                point: Some(DesignPoint { of, at: at.clone() }),
            }
        };
        let points = bases.iter().flat_map(|base| chosen.iter().map(move |at| at_point(base, at)));
        points.collect::<Vec<_>>().into_iter().chain(best).collect()
    }

    /// A key of two axes, or of an axis and of an override: one of both would be lost.
    fn refuse_keys_twice(&self, toml: &TomlText<'_>) -> Result<(), Box<FileMistake>> {
        let mut seen = BTreeSet::new();
        for key in self.axis.iter().flat_map(|axis| axis.get_ref().written_keys()) {
            if !seen.insert(key.get_ref().as_str()) {
                let message = format!("`{}` is a key of two axes", key.get_ref());
                return Err(toml.mistake(key.span(), message, Some("each key once".into())));
            }
        }
        let of_designs = self.design.iter().flat_map(|design| &design.overrides);
        let of_workloads = self.workloads().into_iter().flat_map(|workload| workload.overrides());
        for written in self.overrides.iter().chain(of_designs).chain(of_workloads) {
            let key = written.get_ref().split('=').next().unwrap_or("").trim();
            if seen.contains(key) {
                let message = format!("`{key}` is overridden here, and is a key of an axis");
                return Err(toml.mistake(written.span(), message, Some("leave out one of them".into())));
            }
        }
        Ok(())
    }
}

/// Which point of each axis a point of the space is; the last axis changes fastest.
pub(super) fn digits(mut point: u64, lens: &[u64]) -> Vec<usize> {
    let mut digits = vec![0; lens.len()];
    for (digit, len) in digits.iter_mut().zip(lens).rev() {
        *digit = (point % len) as usize;
        point /= len;
    }
    digits
}

/// A part of the space instead of all of it.
pub(super) type Points = Vec<Vec<usize>>;

impl SampleSpec {
    /// The points that it takes, in the order of the space.
    fn choose(&self, lens: &[u64], space: u64, toml: &TomlText<'_>) -> Result<Points, Box<FileMistake>> {
        let budget = u64::from(*self.budget.get_ref());
        if budget == 0 || budget >= space {
            let message = format!("a sample of {budget} of {space} points");
            let help = match space {
                1 => "no [sample]: the axes make one point".to_string(),
                _ => format!("1 to {}, or no [sample]", space - 1),
            };
            return Err(toml.mistake(self.budget.span(), message, Some(help)));
        }
        Ok(self.points(lens, space))
    }
}
