//! What the hardware has counted, asked for by the handle of a [`Statistic`] or by a pattern.

use common::names::{did_you_mean, near};
use hdl::{Module, Statistic};
use netlist::Design;
use rtl::noc::{Fabric, fabric::PlacedOutput, output_unit::FLITS_VC, overlay::router::FLITS_TO};
use rustc_hash::{FxHashMap, FxHashSet};
use sim::{ProbeResult, pattern::occurs};

/// All statistics of a simulation at some cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HardwareStatistics(Vec<ProbeResult>);

/// Some of the statistics of a chip; see [`HardwareStatistics::select`].
#[derive(Clone, Debug)]
pub struct Selection(Vec<usize>);

/// No statistic matches a pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no statistic of this chip matches `{pattern}`")]
pub struct NoSuchStatistic {
    /// The pattern.
    pub pattern: String,
    /// It is a name of an earlier version: the name of today.
    pub renamed: Option<String>,
    /// A block that this chip does not have keeps such statistics.
    pub absent: Option<&'static str>,
    /// Names like it.
    pub near: Vec<String>,
}

impl NoSuchStatistic {
    /// What to do about it.
    pub fn help(&self) -> String {
        if let Some(renamed) = &self.renamed {
            return format!("it was renamed to `{renamed}`");
        }
        match (self.absent, &self.near[..]) {
            (Some(block), _) => format!("blocks of the kind `{block}` keep it, and this chip has none"),
            (None, []) => "`warpmesh list statistics` has them all".into(),
            (None, near) => format!("{} `warpmesh list statistics` has them all", did_you_mean(near)),
        }
    }
}

/// Statistics of earlier versions, and what they are called now; see also [`renamed`].
const RENAMED: [(&str, &str); 23] = [
    ("slots_lost_to_results", "slots_lost_to_data_hazards"),
    ("slots_lost_to_units", "slots_lost_to_structural_hazards"),
    ("fair_cycles", "prefer_rr_cycles"),
    ("look_ups", "mshr_lookups"),
    ("compared_tags", "mshr_tags_compared"),
    ("small_accesses", "cam_accesses"),
    ("shared_accesses", "tag_array_accesses"),
    ("shared_ways", "pending_ways"),
    ("closed_reads", "unmergeable_reads"),
    ("miss_runs", "misses_since_inter_access"),
    ("waiting_for_room", "core_wait_cycles"),
    ("waits_for_taker", "downstream_wait_cycles"),
    ("waits_for_lower", "downstream_wait_cycles"),
    ("waits_for_field", "target_wait_cycles"),
    ("waits_for_small", "cam_wait_cycles"),
    ("waits_for_registers", "write_port_wait_cycles"),
    ("load_waits", "load_wait_cycles"),
    ("reply_waits", "reply_wait_cycles"),
    ("request_waits", "request_wait_cycles"),
    ("token_waits", "token_wait_cycles"),
    ("waits", "wait_cycles"),
    ("rounds", "fence_rounds"),
    ("limit", "allowed_warps"),
];

/// What a statistic of an earlier version is called now.
fn renamed(name: &str) -> Option<String> {
    let listed = RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| new.to_string());
    listed
        .or_else(|| name.strip_prefix("waits_for_").map(|cause| format!("{cause}_wait_cycles")))
        .or_else(|| name.strip_suffix("_stalls").map(|cause| format!("{cause}_stall_cycles")))
}

impl From<Vec<ProbeResult>> for HardwareStatistics {
    fn from(probes: Vec<ProbeResult>) -> Self {
        Self(probes)
    }
}

impl HardwareStatistics {
    /// All of them.
    pub fn all(&self) -> &[ProbeResult] {
        &self.0
    }

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

    fn unknown<'s>(&'s self, pattern: &str) -> NoSuchStatistic {
        let declared = |statistic: &&Statistic| occurs(pattern, &format!("{}.{}", statistic.block, statistic.name));
        let absent = rtl::statistics().iter().find(declared).map(|statistic| statistic.block);
        // What people mistake is a component.
        let last = pattern.rsplit('.').next().unwrap_or(pattern);
        let words = |probe: &'s ProbeResult| {
            let (block, name) = probe.statistic.map_or(("", probe.name.as_str()), |kept| (kept.block, kept.name));
            probe.path.split('.').chain([block, name])
        };
        NoSuchStatistic {
            pattern: pattern.into(),
            renamed: renamed(last).map(|name| format!("{}{name}", &pattern[..pattern.len() - last.len()])),
            absent,
            near: near_parts(pattern, self.0.iter().flat_map(words)).into_iter().take(3).map(String::from).collect(),
        }
    }

    /// Flits that each output unit of `fabric` has sent, by virtual channel; of overlays, which have none, each output.
    pub fn flits(&self, fabric: &Fabric) -> Vec<(PlacedOutput, Vec<u64>)> {
        let mut by_path: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
        for probe in self.each(FLITS_VC).chain(self.each(FLITS_TO)) {
            by_path.entry(&probe.path).or_default().push(probe.count);
        }
        let of = |place: PlacedOutput| {
            let counted = by_path.get(place.path.as_str()).cloned().unwrap_or_default();
            let flits = match place.of_side_network {
                Some(output) => counted.get(output).copied().into_iter().collect(),
                None => counted,
            };
            (place, flits)
        };
        fabric.output_units().into_iter().map(of).collect()
    }
}

/// The names that are like the component of a pattern which is wrong: the last one that matches none of `names`.
pub fn near_parts<'n>(pattern: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = FxHashSet::default();
    let names: Vec<_> = names.into_iter().filter(|name| seen.insert(*name)).collect();
    let is_wrong = |part: &&str| !names.iter().any(|name| occurs(part, name));
    let last = pattern.rsplit('.').next().unwrap_or(pattern);
    near(pattern.rsplit('.').find(is_wrong).unwrap_or(last), names)
}

/// What the blocks of a design keep, with the full name of each: its place and what it is called there, dotted.
pub fn kept_in(design: &Design) -> Vec<(String, Statistic)> {
    fn add(module: &Module, place: &str, all: &mut Vec<(String, Statistic)>) {
        let within = |name: &str| if place.is_empty() { name.to_string() } else { format!("{place}.{name}") };
        all.extend(module.probes.iter().filter_map(|probe| Some((within(&probe.name), probe.statistic?))));
        module.instances.iter().for_each(|instance| add(&instance.module, &within(&instance.name), all));
    }
    let mut all = vec![];
    add(&design.top, "", &mut all);
    all
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
         what matches,\nby place (`core3.front_end.slots_lost_*`, `router*.input_unit*`) or by kind of block, as below (`warp.fetch_wait_cycles`); `--samples FILE.csv` writes it over time.\n",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_names_lead_to_names_of_today() {
        let is_kept = |name: &str| rtl::statistics().iter().any(|statistic| statistic.name == name);
        for (old, new) in RENAMED {
            assert!(is_kept(new) && !is_kept(old), "{old} -> {new}");
            assert_eq!(renamed(old).as_deref(), Some(new));
        }
        assert_eq!(renamed("waits_for_way").as_deref(), Some("way_wait_cycles"));
        assert_eq!(renamed("credit_stalls").as_deref(), Some("credit_stall_cycles"));
        // Names of today are not taken for old ones.
        assert!(rtl::statistics().iter().all(|statistic| renamed(statistic.name).is_none()));
    }

    #[test]
    fn a_pattern_of_an_earlier_version_is_told_the_name_of_today() {
        let none = HardwareStatistics::from(vec![]);
        let error = none.select(&["cache.waits_for_way".into()]).expect_err("nothing is kept");
        assert_eq!(error.help(), "it was renamed to `cache.way_wait_cycles`");
        let error = none.select(&["cache.waits*".into()]).expect_err("nothing is kept");
        assert_eq!(error.renamed, None);
    }
}
