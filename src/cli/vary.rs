//! Values of keys as `sweep --vary` takes them.

use measure::study::check_setting;
use std::str::FromStr;

/// Numbers of a range that stands among other values, at the most.
const MOST: u64 = 1_000;

const FORMS: &str = "allowed: KEY=A,B,..., KEY=FROM..TO/STEP, KEY=FROM..TO*FACTOR, or KEY:KEY=A:B,C:D,...";

/// Keys that change together, and their values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vary {
    keys: Vec<String>,
    values: Values,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Values {
    Range(Range),
    /// Points: a value of each key, as TOML.
    Points(Vec<Vec<String>>),
}

/// Numbers with both ends.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Range {
    from: u64,
    to: u64,
    by: By,
}

/// From a number to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Step(u64),
    Factor(u64),
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((keys, values)) = text.split_once('=').filter(|(keys, values)| !keys.is_empty() && !values.is_empty())
        else {
            return Err(format!("no key with values; {FORMS}"));
        };
        let keys: Vec<String> = keys.split(':').map(|key| key.trim().to_string()).collect();
        let vary = match Range::parse(values).filter(|_| keys.len() == 1) {
            Some(range) => Self { keys, values: Values::Range(range?) },
            None => {
                let points = values.split(',').map(|point| points(point, keys.len()));
                let points = points.collect::<Result<Vec<_>, _>>()?.concat();
                Self { keys, values: Values::Points(points) }
            }
        };
        vary.check()?;
        Ok(vary)
    }
}

impl Range {
    /// None where the text is no range.
    fn parse(text: &str) -> Option<Result<Self, String>> {
        let (from, rest) = text.split_once("..")?;
        if text.contains(',') {
            return None;
        }
        let number = |text: &str| {
            let number = text.trim().parse::<u64>().ok().filter(|number| u32::try_from(*number).is_ok());
            number.ok_or_else(|| format!("`{}` is no number from 0", text.trim()))
        };
        let range = || {
            let (to, by) = match (rest.split_once('/'), rest.split_once('*')) {
                (Some((to, step)), _) => (to, By::Step(number(step)?)),
                (_, Some((to, factor))) => (to, By::Factor(number(factor)?)),
                _ => return Err(format!("range `{text}` has no step; {FORMS}")),
            };
            let (from, to) = (number(from)?, number(to.trim_start_matches('='))?);
            match by {
                _ if from > to => Err(format!("from {from} to {to}: allowed: a range that rises")),
                By::Step(0) => Err("the step of a range is 0: allowed: from 1 on".into()),
                By::Factor(factor @ (0 | 1)) => Err(format!("the factor of a range is {factor}: allowed: from 2 on")),
                By::Factor(factor) if from == 0 => Err(format!("from 0 by a factor of {factor}: allowed: from 1 on")),
                by => Ok(Self { from, to, by }),
            }
        };
        Some(range())
    }

    fn numbers(&self) -> impl Iterator<Item = u64> {
        let (to, by) = (self.to, self.by);
        let next = move |at: &u64| match by {
            By::Step(step) => Some(at + step),
            By::Factor(factor) => Some(at * factor),
        };
        std::iter::successors(Some(self.from), next).take_while(move |at| *at <= to)
    }
}

/// Points of one part between commas: a range is several.
fn points(text: &str, keys: usize) -> Result<Vec<Vec<String>>, String> {
    if keys == 1 {
        let Some(range) = Range::parse(text) else { return Ok(vec![vec![toml_of(text)?]]) };
        let range = range?;
        if range.numbers().nth(MOST as usize).is_some() {
            return Err(format!("range `{text}` has more than {MOST} numbers"));
        }
        return Ok(range.numbers().map(|number| vec![number.to_string()]).collect());
    }
    let values = text.split(':').map(toml_of).collect::<Result<Vec<_>, _>>()?;
    match values.len() == keys {
        true => Ok(vec![values]),
        false => Err(format!("`{text}` has {} values for {keys} keys", values.len())),
    }
}

/// A number or a switch as it is, anything else as a string.
fn toml_of(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text {
        "" => Err("a value is empty".into()),
        "true" | "false" => Ok(text.into()),
        _ => Ok(text.parse::<u64>().map_or_else(|_| toml::Value::String(text.into()).to_string(), |n| n.to_string())),
    }
}

impl Vary {
    /// The keys.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Each key is one that there is, and may have its values.
    fn check(&self) -> Result<(), String> {
        let points = match &self.values {
            // Those between the ends are looked at with the study.
            Values::Range(range) => [range.from, range.to].map(|end| vec![end.to_string()]).to_vec(),
            Values::Points(points) => points.clone(),
        };
        for (key, value) in points.iter().flat_map(|point| self.keys.iter().zip(point)) {
            check_setting(key, value).map_err(|mistake| {
                let help = mistake.help.map_or(String::new(), |help| format!("; {help}"));
                format!("{}{help}", mistake.message)
            })?;
        }
        Ok(())
    }

    /// As an `[[axis]]` of a study file, without its first line.
    pub fn toml(&self) -> String {
        let quoted = |key: &String| toml::Value::String(key.clone()).to_string();
        let list = |values: &[String]| format!("[{}]", values.join(", "));
        match (&self.keys[..], &self.values) {
            (keys, Values::Range(range)) => {
                let by = match range.by {
                    By::Step(step) => format!("step = {step}"),
                    By::Factor(factor) => format!("factor = {factor}"),
                };
                format!("key = {}\nfrom = {}\nto = {}\n{by}\n", quoted(&keys[0]), range.from, range.to)
                    .trim_end()
                    .into()
            }
            ([key], Values::Points(points)) => {
                let values: Vec<_> = points.iter().map(|point| point[0].clone()).collect();
                format!("key = {}\nvalues = {}", quoted(key), list(&values))
            }
            (keys, Values::Points(points)) => {
                let keys: Vec<_> = keys.iter().map(quoted).collect();
                let points: Vec<_> = points.iter().map(|point| list(point)).collect();
                format!("keys = {}\npoints = {}", list(&keys), list(&points))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_ranges_and_points_become_axes() {
        let toml = |text: &str| text.parse::<Vary>().map(|vary| vary.toml());
        for (text, axis) in [
            ("network.vcs=2,4", "key = \"network.vcs\"\nvalues = [2, 4]"),
            ("core.scheduler=gto,round-robin", "key = \"core.scheduler\"\nvalues = [\"gto\", \"round-robin\"]"),
            ("core.merge_loads=true,false", "key = \"core.merge_loads\"\nvalues = [true, false]"),
            ("core.warps=8..32/8", "key = \"core.warps\"\nfrom = 8\nto = 32\nstep = 8"),
            ("core.warps=8..=64*2", "key = \"core.warps\"\nfrom = 8\nto = 64\nfactor = 2"),
            ("core.warps=2,8..24/8", "key = \"core.warps\"\nvalues = [2, 8, 16, 24]"),
            (
                "network.vcs:network.vc_depth=2:8,4:4",
                "keys = [\"network.vcs\", \"network.vc_depth\"]\npoints = [[2, 8], [4, 4]]",
            ),
        ] {
            assert_eq!(toml(text), Ok(axis.into()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, says) in [
            ("network.vcs", "no key with values; "),
            ("network.vcs=", "no key with values; "),
            ("network.vc=2", "unknown key `network.vc`; "),
            ("network=2", "`network` is a table"),
            ("network.vcs=2,,4", "a value is empty"),
            ("network.vcs=2,many", "invalid value many for network.vcs"),
            ("network.vcs=4000", "invalid value 4000 for network.vcs; allowed: "),
            ("core.scheduler=gtoo", "unknown value `gtoo` for core.scheduler; did you mean `gto`?"),
            ("core.warps=8..32", "range `8..32` has no step; "),
            ("core.warps=32..8/8", "from 32 to 8: allowed: a range that rises"),
            ("core.warps=8..32/0", "the step of a range is 0"),
            ("core.warps=8..32*1", "the factor of a range is 1"),
            ("core.warps=0..32*2", "from 0 by a factor of 2"),
            ("core.warps=8..x/8", "`x` is no number"),
            ("core.warps=1,0..4000/1", "range `0..4000/1` has more than 1000 numbers"),
            ("network.vcs:network.vc_depth=2:8,4", "`4` has 1 values for 2 keys"),
        ] {
            let error = text.parse::<Vary>().expect_err(text);
            assert!(error.starts_with(says), "{text}: {error}");
        }
    }
}
