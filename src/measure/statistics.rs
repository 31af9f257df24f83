//! What the hardware has counted, asked for by the handle of a [`Statistic`] or by a pattern.

use hdl::Statistic;
use rtl::noc::{Fabric, fabric::PlacedOutput, output_unit::FLITS_VC};
use sim::ProbeResult;
use std::collections::HashMap;

/// All statistics of a simulation at some cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HardwareStatistics(Vec<ProbeResult>);

/// Some of the statistics of a chip; see [`HardwareStatistics::select`].
#[derive(Clone, Debug)]
pub struct Selection(Vec<usize>);

/// No statistic matches a pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no statistic matches `{pattern}`{}", nearest.as_ref().map_or(String::new(), |name| format!("; the nearest is `{name}`")))]
pub struct NoSuchStatistic {
    /// The pattern.
    pub pattern: String,
    /// A name like it.
    pub nearest: Option<String>,
}

impl From<Vec<ProbeResult>> for HardwareStatistics {
    fn from(probes: Vec<ProbeResult>) -> Self {
        Self(probes)
    }
}

impl HardwareStatistics {
    /// Of all instances, and of all of a row.
    pub fn each(&self, statistic: Statistic) -> impl Iterator<Item = &ProbeResult> {
        self.0.iter().filter(move |probe| probe.statistic.is_some_and(|kept| kept.is_of(statistic)))
    }

    /// Over all instances; zero where the chip has none of the blocks.
    pub fn total(&self, statistic: Statistic) -> u64 {
        self.each(statistic).map(ProbeResult::value).sum()
    }

    /// Over the instances inside of those called `part`.
    pub fn total_within(&self, part: &str, statistic: Statistic) -> u64 {
        self.within(part, statistic).into_iter().map(ProbeResult::value).sum()
    }

    /// Of each of the instances inside of those called `part`.
    pub fn within(&self, part: &str, statistic: Statistic) -> Vec<&ProbeResult> {
        let inside = |probe: &&ProbeResult| probe.path.split('.').any(|name| name == part);
        self.each(statistic).filter(inside).collect()
    }

    /// Those that match one of `patterns`, see [`ProbeResult::matches`]: the same of the same chip at any time.
    ///
    /// # Errors
    /// Nothing matches one of them.
    pub fn select(&self, patterns: &[String]) -> Result<Selection, NoSuchStatistic> {
        let none = |pattern: &&String| !self.0.iter().any(|probe| probe.matches(pattern));
        if let Some(pattern) = patterns.iter().find(none) {
            return Err(self.unknown(pattern));
        }
        let matches = |probe: &ProbeResult| patterns.iter().any(|pattern| probe.matches(pattern));
        Ok(Selection(self.0.iter().enumerate().filter(|(_, probe)| matches(probe)).map(|(at, _)| at).collect()))
    }

    /// Those of a selection, in the order of the hierarchy.
    pub fn selected(&self, Selection(places): &Selection) -> impl Iterator<Item = &ProbeResult> {
        places.iter().map(|&at| &self.0[at])
    }

    fn unknown(&self, pattern: &str) -> NoSuchStatistic {
        // What people mistake is a component.
        let last = pattern.rsplit('.').next().unwrap_or(pattern);
        let words =
            self.0.iter().flat_map(|probe| [probe.name.as_str(), probe.statistic.map_or("", |kept| kept.block)]);
        let like = |word: &&str| strsim::jaro_winkler(word, last);
        let nearest = words.max_by(|a, b| like(a).total_cmp(&like(b))).filter(|word| like(word) > 0.7);
        NoSuchStatistic { pattern: pattern.into(), nearest: nearest.map(str::to_string) }
    }

    /// Flits that each output unit of `fabric` has sent, by virtual channel.
    pub fn flits(&self, fabric: &Fabric) -> Vec<(PlacedOutput, Vec<u64>)> {
        let mut by_path: HashMap<&str, Vec<u64>> = HashMap::new();
        for probe in self.each(FLITS_VC) {
            by_path.entry(&probe.path).or_default().push(probe.count);
        }
        let of = |place: PlacedOutput| {
            let flits = by_path.remove(place.path.as_str()).unwrap_or_default();
            (place, flits)
        };
        fabric.output_units().into_iter().map(of).collect()
    }
}

/// Mean and largest value of histograms together; none where nothing was recorded.
pub fn spread(all: &[&ProbeResult]) -> Option<(f64, u64)> {
    let (count, sum) = all.iter().fold((0, 0), |(count, sum), probe| (count + probe.count, sum + probe.sum));
    let most = all.iter().filter_map(|probe| probe.histogram.keys().next_back()).max();
    most.map(|&most| (sum as f64 / count as f64, most))
}

/// All statistics that blocks of the chip keep, as Markdown: `docs/statistics.md`.
pub fn page() -> String {
    let mut text = String::from(
        "# Statistics\n\nWhat blocks count while they work; it costs no area and is not exported. Cycles are those of the block's clock. `warpmesh run --stats PATTERN` prints \
         what matches\n(`front_end`, `core3.front_end.slots_lost_*`, `router*.input_unit*`), `--samples FILE.csv` writes it over time.\n\
         Written by `warpmesh list statistics --markdown`.\n",
    );
    let mut block = "";
    for statistic in rtl::statistics() {
        if statistic.block != block {
            block = statistic.block;
            text += &format!("\n## `{block}`\n\n| statistic | unit | meaning |\n|---|---|---|\n");
        }
        text += &format!("| `{}` | {} | {} |\n", statistic.name, statistic.unit, statistic.about);
    }
    text
}
