//! Loads as `noc --rate` takes them: numbers, and ranges of them.

use std::str::FromStr;

/// Loads of a range, at the most.
const MOST: usize = 1_000;

/// A load, or those of a range with both ends: `0.1..0.3/0.05`.
#[derive(Clone, PartialEq, Debug)]
pub struct Loads(pub Vec<f64>);

impl FromStr for Loads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |what: &str, text: &str| {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("`{}` is no {what}: allowed: a number", text.trim()))
        };
        let Some((from, rest)) = text.split_once("..") else { return Ok(Self(vec![number("load", text)?])) };
        let Some((to, step)) = rest.trim_start_matches('=').split_once('/') else {
            return Err("a range has a step: FROM..TO/STEP, both ends in it, as in 0.1..0.3/0.05".into());
        };
        let [from, to, step] = [number("load", from)?, number("load", to)?, number("step", step)?];
        if step <= 0.0 {
            return Err(format!("step {step}: allowed: above 0"));
        }
        if from > to {
            return Err(format!("from {from} to {to}: allowed: a range that rises"));
        }
        // A hundredth of a step is for numbers that are no sums of powers of two.
        let steps = ((to - from) / step + 0.01).floor();
        if steps >= MOST as f64 {
            return Err(format!("{} loads: allowed: up to {MOST} in a range", steps + 1.0));
        }
        // So that 0.1 + 2 x 0.1 is 0.3.
        let load = |i: u32| ((from + f64::from(i) * step) * 1e9).round() / 1e9;
        Ok(Self((0..=steps as u32).map(load).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_both_ends() {
        let loads = |text: &str| text.parse::<Loads>().map(|loads| loads.0);
        assert_eq!(loads("0.1"), Ok(vec![0.1]));
        assert_eq!(loads("0.1..0.3/0.05"), Ok(vec![0.1, 0.15, 0.2, 0.25, 0.3]));
        assert_eq!(loads("0.1..=0.3/0.1"), Ok(vec![0.1, 0.2, 0.3]));
        assert_eq!(loads("0.1..0.26/0.1"), Ok(vec![0.1, 0.2]), "what lies behind the last step is left out");
        assert_eq!(loads("0.2..0.2/1"), Ok(vec![0.2]));
    }

    #[test]
    fn what_is_no_load_is_named() {
        for (text, says) in [
            ("much", "`much` is no load: allowed: a number"),
            ("nan", "`nan` is no load: allowed: a number"),
            ("0.1..0.3", "a range has a step: FROM..TO/STEP, both ends in it, as in 0.1..0.3/0.05"),
            ("0.1..x/0.1", "`x` is no load: allowed: a number"),
            ("0.1..0.3/", "`` is no step: allowed: a number"),
            ("0.1..0.3/0", "step 0: allowed: above 0"),
            ("0.1..0.3/-1", "step -1: allowed: above 0"),
            ("0.3..0.1/0.1", "from 0.3 to 0.1: allowed: a range that rises"),
            ("0..1/0.0001", "10001 loads: allowed: up to 1000 in a range"),
        ] {
            assert_eq!(text.parse::<Loads>(), Err(says.into()), "{text}");
        }
    }
}
