//! What is kept of a study in the repository: its claims with what came out, without its runs.

use super::{ClaimResult, StudyOutcome};
use serde::{Deserialize, Serialize};

/// The claims of a study, measured: `docs/results/*.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptClaims {
    /// Version of this object's shape.
    pub format_version: u32,
    /// Title of the study.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// Its claims are those of other studies once more: they do not count among all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitivity: bool,
    /// What has measured it.
    pub command: String,
    /// What to know about these numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remark: String,
    /// What ran: kernels, programs with their arguments, traffic.
    pub workloads: Vec<String>,
    /// The claims.
    pub claims: Vec<ClaimResult>,
}

impl StudyOutcome {
    /// What is kept of it. `command` has measured it.
    pub fn kept_claims(&self, command: &str) -> KeptClaims {
        KeptClaims {
            format_version: 1,
            title: self.title.clone(),
            about: self.about.clone(),
            sensitivity: self.sensitivity,
            command: command.into(),
            remark: String::new(),
            workloads: self.kernels.clone(),
            claims: self.claims.clone(),
        }
    }
}

/// How many claims have each verdict, in the order of [`super::Verdict`]: a row for each study, one without a study for all of them, and
/// then rows of sensitivity studies, which do not count among all.
pub fn tally(studies: &[KeptClaims]) -> Vec<(Option<&KeptClaims>, [usize; 4])> {
    let count = |studies: &[&KeptClaims]| {
        let mut counts = [0; 4];
        studies.iter().flat_map(|study| &study.claims).for_each(|claim| counts[claim.verdict as usize] += 1);
        counts
    };
    let (again, once): (Vec<_>, Vec<_>) = studies.iter().partition(|study| study.sensitivity);
    let row = |study| (Some(study), count(&[study]));
    let all = (None, count(&once));
    once.into_iter().map(row).chain([all]).chain(again.into_iter().map(row)).collect()
}

impl KeptClaims {
    /// From a file's text; verdicts are given anew.
    ///
    /// # Errors
    /// It is something else.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut kept: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if kept.format_version != 1 {
            return Err(format!("format version {}, not 1", kept.format_version));
        }
        kept.claims.iter_mut().for_each(ClaimResult::judge);
        Ok(kept)
    }

    /// As a file's text.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Verdict, testing::outcome};

    #[test]
    fn verdicts_of_kept_claims_follow_from_their_numbers() {
        let mut outcome = outcome(&[], 1);
        let claim = |measured| ClaimResult {
            about: "faster".into(),
            source: String::new(),
            paper: String::new(),
            figure: Some(1.3),
            neutral: None,
            at_least: None,
            at_most: None,
            why: String::new(),
            measured,
            workloads: 1,
            lowest: measured,
            highest: measured,
            seeds: 1,
            lowest_of_seeds: None,
            highest_of_seeds: None,
            verdict: Verdict::Holds,
        };
        outcome.claims = [Some(1.2), Some(1.05), Some(0.9), None].map(claim).into();
        let kept = outcome.kept_claims("warpmesh study x.toml");
        let read = KeptClaims::parse(&kept.json()).expect("its own");
        let verdicts: Vec<_> = read.claims.iter().map(|claim| claim.verdict).collect();
        assert_eq!(verdicts, [Verdict::Holds, Verdict::Part, Verdict::Not, Verdict::NotMeasured]);
        assert_eq!(read.claims[0].said(), "1.3");
        let later = kept.json().replace("\"format_version\": 1", "\"format_version\": 2");
        assert_eq!(KeptClaims::parse(&later), Err("format version 2, not 1".into()));
    }
}
