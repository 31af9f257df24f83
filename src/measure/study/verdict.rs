//! Whether a claim holds: one definition for all studies.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The part of a paper's effect from which on a claim holds: a third.
const ENOUGH: f64 = 1.0 / 3.0;

/// The part below which there is no effect: a thirtieth.
const NONE: f64 = 1.0 / 30.0;

/// Whether a claim holds here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The effect has the paper's sign and at least a third of its size; or what was measured is within the paper's bounds.
    Holds,
    /// It has the sign, and less than a third of the size.
    Part,
    /// There is no effect (less than a thirtieth of the paper's) or the opposite one; or what was measured is outside of the bounds.
    #[serde(alias = "does_not_hold")]
    Not,
    /// A run is missing.
    NotMeasured,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Part => "part",
            Verdict::Not => "not",
            Verdict::NotMeasured => "not measured",
        })
    }
}

/// What is asked of a measured number: an effect of a paper's size, or bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bounds {
    /// A change away from `neutral`, which the paper has at `figure`.
    Effect {
        /// Nothing changes.
        neutral: f64,
        /// The paper's number.
        figure: f64,
    },
    /// Of a paper that says a bound, a direction alone, or that nothing changes.
    Within {
        /// At least this, if anything.
        at_least: Option<f64>,
        /// At most this, if anything.
        at_most: Option<f64>,
    },
}

impl Bounds {
    /// What this number means for the claim; none: a run is missing.
    pub fn verdict(self, measured: Option<f64>) -> Verdict {
        let Some(measured) = measured.filter(|measured| !measured.is_nan()) else { return Verdict::NotMeasured };
        match self {
            // Digits that binary fractions lose decide nothing.
            Bounds::Effect { neutral, figure } => match (measured - neutral) / (figure - neutral) + 1e-9 {
                part if part >= ENOUGH => Verdict::Holds,
                part if part >= NONE => Verdict::Part,
                _ => Verdict::Not,
            },
            Bounds::Within { at_least, at_most } => {
                let within =
                    at_least.is_none_or(|least| measured >= least) && at_most.is_none_or(|most| measured <= most);
                if within { Verdict::Holds } else { Verdict::Not }
            }
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bounds::Effect { neutral, figure } => {
                let side = if figure > neutral { "at least" } else { "at most" };
                write!(f, "{side} {:.3}", neutral + ENOUGH * (figure - neutral))
            }
            Bounds::Within { at_least: Some(least), at_most: Some(most) } => write!(f, "{least} to {most}"),
            Bounds::Within { at_least: Some(least), at_most: None } => write!(f, "at least {least}"),
            Bounds::Within { at_least: None, at_most: Some(most) } => write!(f, "at most {most}"),
            Bounds::Within { at_least: None, at_most: None } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Holds, Not, NotMeasured, Part};

    fn of(neutral: f64, figure: f64) -> impl Fn(f64) -> Verdict {
        move |measured| Bounds::Effect { neutral, figure }.verdict(Some(measured))
    }

    #[test]
    fn an_effect_holds_from_a_third_on_and_is_none_below_a_thirtieth() {
        let faster = of(1.0, 1.3);
        assert_eq!([1.3, 2.0, 1.1, 1.0999].map(&faster), [Holds, Holds, Holds, Part]);
        assert_eq!([1.01, 1.0099, 1.0, 0.9, 0.0].map(&faster), [Part, Not, Not, Not, Not]);
        let slower = of(1.0, 0.7);
        assert_eq!([0.5, 0.9, 0.91, 0.99, 0.995, 1.0, 1.2].map(&slower), [Holds, Holds, Part, Part, Not, Not, Not]);
    }

    #[test]
    fn an_effect_may_be_one_on_a_share() {
        let share = of(0.0, 0.6);
        assert_eq!([0.2, 0.1, 0.0, -0.2].map(share), [Holds, Part, Not, Not]);
    }

    #[test]
    fn bounds_are_kept_or_not() {
        let same = Bounds::Within { at_least: Some(0.95), at_most: Some(1.05) };
        assert_eq!([0.949, 0.95, 1.05, 1.051].map(|measured| same.verdict(Some(measured))), [Not, Holds, Holds, Not]);
        let above = Bounds::Within { at_least: Some(1.01), at_most: None };
        assert_eq!([1.0, 1.01, 7.0].map(|measured| above.verdict(Some(measured))), [Not, Holds, Holds]);
    }

    #[test]
    fn what_was_not_measured_has_no_verdict() {
        for bounds in [Bounds::Effect { neutral: 1.0, figure: 2.0 }, Bounds::Within { at_least: None, at_most: None }] {
            assert_eq!([None, Some(f64::NAN)].map(|measured| bounds.verdict(measured)), [NotMeasured; 2]);
        }
    }

    #[test]
    fn bounds_say_what_they_ask_for() {
        let shown = [
            Bounds::Effect { neutral: 1.0, figure: 1.3 },
            Bounds::Effect { neutral: 0.0, figure: -0.6 },
            Bounds::Within { at_least: Some(0.95), at_most: Some(1.05) },
            Bounds::Within { at_least: None, at_most: Some(1.06) },
        ];
        let shown = shown.map(|bounds| bounds.to_string());
        assert_eq!(shown, ["at least 1.100", "at most -0.200", "0.95 to 1.05", "at most 1.06"]);
    }
}
