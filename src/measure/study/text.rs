//! The outcome as a table for people and as lines with commas between.

use super::{Mean, StudyOutcome};
use std::fmt;

/// A ratio, or a dash.
fn shown(ratio: Option<f64>) -> String {
    ratio.map_or("-".into(), |ratio| format!("{ratio:.3}"))
}

/// A field of a CSV line.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

impl StudyOutcome {
    /// Titles of the means: the groups, then all.
    fn titles(&self) -> Vec<String> {
        self.groups.iter().cloned().chain([String::from("mean")]).collect()
    }

    /// A line for each design, kernel by kernel: the number, and its ratio to the baseline.
    pub fn csv(&self) -> String {
        let mut text = String::from("design,kernel,group,value,ratio\n");
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        for design in &self.designs {
            for (k, kernel) in self.kernels.iter().enumerate() {
                let [design_name, kernel, group] = [&design.name, kernel, &self.groups_of[k]].map(|text| field(text));
                let [value, ratio] = [design.values[k], design.ratios[k]].map(number);
                text += &format!("{design_name},{kernel},{group},{value},{ratio}\n");
            }
        }
        text
    }
}

impl fmt::Display for StudyOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        let mean = match self.mean {
            Mean::Geometric => "geometric",
            Mean::Harmonic => "harmonic",
            Mean::Arithmetic => "arithmetic",
        };
        writeln!(f, "  {} relative to {}; {mean} means\n", self.metric, self.baseline)?;
        let first = self.designs.iter().map(|design| design.name.len()).max().unwrap_or(0);
        let titles: Vec<String> = self.kernels.iter().cloned().chain(self.titles()).collect();
        let wide: Vec<usize> = titles.iter().map(|title| title.chars().count().max(6)).collect();
        write!(f, "  {:first$}", "")?;
        titles.iter().zip(&wide).try_for_each(|(title, wide)| write!(f, "  {title:>wide$}"))?;
        writeln!(f)?;
        for design in &self.designs {
            write!(f, "  {:first$}", design.name)?;
            let numbers = design.ratios.iter().chain(&design.means).map(|ratio| shown(*ratio));
            numbers.zip(&wide).try_for_each(|(number, wide)| write!(f, "  {number:>wide$}"))?;
            writeln!(f)?;
        }
        if !self.claims.is_empty() {
            let about = self.claims.iter().map(|claim| claim.about.chars().count()).max().unwrap_or(0).max(5);
            let paper = self.claims.iter().map(|claim| claim.paper.chars().count()).max().unwrap_or(0).max(5);
            writeln!(f, "\n  {:about$}  {:>paper$}  {:>8}  verdict", "claim", "paper", "measured")?;
            for claim in &self.claims {
                let measured = shown(claim.measured);
                writeln!(f, "  {:about$}  {:>paper$}  {measured:>8}  {}", claim.about, claim.paper, claim.verdict)?;
            }
        }
        if !self.failures.is_empty() {
            writeln!(f, "\n  Without a result:")?;
            self.failures.iter().try_for_each(|failure| writeln!(f, "  {failure}"))?;
        }
        Ok(())
    }
}
