//! Several chips and the same kernels: speedup, area, power and throughput per area relative to the first chip.

use super::{RunReport, SlotUse, WarpUse, counted, power::crossbars};
use crate::{area::ChipArea, record::Origin};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt};

/// Chips side by side.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChipComparison {
    /// Version of this object's shape.
    pub format_version: u32,
    /// Technology node of areas and power, nm.
    pub technology_nm: u32,
    /// Clock of the network of the first chip, MHz; power of each chip is computed with its own.
    pub clock_mhz: f64,
    /// How crossbars are counted in all areas: `matrix` of wires, or `mux`, multiplexers.
    pub crossbar: String,
    /// The kernels, in the order in which they ran.
    pub kernels: Vec<String>,
    /// The chips; the first is what the others are compared with.
    pub chips: Vec<ComparedChip>,
    /// What the areas leave out of the configurations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_note: Option<String>,
    /// Chips that are not among them, as a kernel did not run to its verified end.
    pub unfinished: Vec<UnfinishedChip>,
    /// What the comparison is of and what has made it.
    pub origin: Option<Origin>,
}

/// A chip on which not every kernel ran to its verified end.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct UnfinishedChip {
    /// The configuration as it was named.
    pub config: String,
    /// Cycles of each kernel that ran.
    pub cycles: BTreeMap<String, u64>,
    /// Why the next one did not.
    pub reason: String,
}

impl UnfinishedChip {
    /// With the reports of those that ran.
    pub fn new(config: String, reports: &[RunReport], reason: String) -> Self {
        let cycles = reports.iter().map(|report| (report.kernel.clone(), report.core_cycles)).collect();
        Self { config, cycles, reason }
    }
}

/// One chip.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedChip {
    /// The configuration as it was named.
    pub config: String,
    /// Cycles of each kernel.
    pub cycles: BTreeMap<String, u64>,
    /// Cycles of the first chip over those of this, by kernel.
    pub speedups: BTreeMap<String, f64>,
    /// Their harmonic mean.
    pub speedup: f64,
    /// Harmonic mean of thread instructions per cycle.
    pub ipc: f64,
    /// The chip, mm^2.
    pub chip_mm2: f64,
    /// Its network, mm^2.
    pub network_mm2: f64,
    /// The chip as it is built, from the netlist, mm^2.
    pub built_mm2: f64,
    /// IPC over the area of the chip.
    pub ipc_per_mm2: f64,
    /// Throughput-effectiveness: speedup times the area of the first chip over that of this.
    pub throughput_effectiveness: f64,
    /// Power of the network, dynamic (mean over the time of all kernels) and leakage, W.
    pub network_w: f64,
    /// Of it leakage.
    pub network_leakage_w: f64,
    /// How crossbars are counted in power and energy: as `run` counts them.
    pub energy_crossbar: String,
    /// Energy of the network over all kernels, J.
    pub network_energy_j: f64,
    /// Energy over all kernels, J: dynamic and leakage of the chip, without DRAM devices.
    pub energy_j: f64,
    /// Issue slots of all kernels by what became of them.
    pub issue_slots: SlotUse,
    /// Cycles of warps in all kernels by what they did.
    pub warp_cycles: WarpUse,
}

/// Titles of the tables of what issue slots and warps did.
const SLOTS: &str = "issue slots %";
const WARPS: &str = "warp-cycles %";

/// n over the sum of reciprocals; zero without values or with a zero.
fn harmonic_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    let sum: f64 = values.map(|value| 1.0 / value).sum();
    if sum > 0.0 { n / sum } else { 0.0 }
}

/// The numbers of an object with their places, dotted.
fn leaves(place: &str, value: &Value) -> Vec<(String, Value)> {
    match value.as_object() {
        None => vec![(place.to_string(), value.clone())],
        Some(fields) => fields.iter().flat_map(|(name, value)| leaves(&format!("{place}.{name}"), value)).collect(),
    }
}

impl ChipComparison {
    /// Of reports of the same kernels on each of several chips, with areas by the same model.
    pub fn new(chips: &[(String, ChipArea, Vec<RunReport>)], unfinished: Vec<UnfinishedChip>) -> Self {
        let kernels = chips.iter().take(1).flat_map(|(_, _, reports)| reports.iter().map(|r| r.kernel.clone()));
        let kernels = kernels.collect();
        let reports = || chips.iter().flat_map(|(_, _, reports)| reports);
        let cost = reports().next().map(|report| &report.cost);
        let (technology_nm, clock_mhz) = cost.map_or((0, 0.0), |cost| (cost.technology_nm, cost.clock_mhz));
        let crossbar = chips.first().map_or("", |(_, area, _)| area.technology.crossbar.name()).to_string();
        let none: &[RunReport] = &[];
        let first = chips.first().map_or(none, |(_, _, reports)| reports);
        let base = chips.first().map_or(0.0, |(_, area, _)| area.total_mm2());
        let chip = |(config, area, reports): &(String, ChipArea, Vec<RunReport>)| {
            let by_kernel = |r: &RunReport| (r.kernel.clone(), r.core_cycles);
            // In time: chips may have different clocks.
            let time = |report: &RunReport| report.core_cycles.max(1) as f64 / f64::from(report.clocks.core);
            let faster = |(a, b): (&RunReport, &RunReport)| time(a) / time(b);
            let speedups: Vec<f64> = first.iter().zip(reports).map(faster).collect();
            let speedup = harmonic_mean(speedups.iter().copied());
            let ipc = harmonic_mean(reports.iter().map(|report| report.ipc));
            let cost = reports.first().map(|report| &report.cost);
            let (chip_mm2, network_mm2) = (area.total_mm2(), area.network.total_mm2());
            let leakage = cost.map_or(0.0, |cost| cost.network.leakage_w);
            let cycles: f64 = reports.iter().map(|r| r.core_cycles as f64).sum();
            let dynamic: f64 = reports.iter().map(|r| r.cost.network.dynamic_w * r.core_cycles as f64).sum();
            ComparedChip {
                config: config.clone(),
                cycles: reports.iter().map(by_kernel).collect(),
                speedups: reports.iter().map(|r| r.kernel.clone()).zip(speedups).collect(),
                speedup,
                ipc,
                chip_mm2,
                network_mm2,
                built_mm2: cost.map_or(0.0, |cost| cost.built_mm2),
                ipc_per_mm2: ipc / chip_mm2,
                throughput_effectiveness: speedup * base / chip_mm2,
                network_w: dynamic / cycles.max(1.0) + leakage,
                network_leakage_w: leakage,
                energy_crossbar: cost.map_or(String::new(), |cost| cost.crossbar.clone()),
                network_energy_j: reports.iter().map(|r| r.cost.network.energy_j).sum(),
                energy_j: reports.iter().map(|r| r.cost.energy_j).sum(),
                issue_slots: reports.iter().map(|r| r.issue.slots).sum(),
                warp_cycles: reports.iter().map(|r| r.issue.warp_cycles).sum(),
            }
        };
        let chips = chips.iter().map(chip).collect();
        Self {
            format_version: 2,
            technology_nm,
            clock_mhz,
            crossbar,
            kernels,
            chips,
            area_note: None,
            unfinished,
            origin: None,
        }
    }

    /// One JSON object.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only")
    }

    /// A line for each chip, with commas between; behind speedups what issue slots and warps did, under the names of the JSON.
    pub fn csv(&self) -> String {
        let uses = |chip: &ComparedChip| {
            [("issue_slots", json!(chip.issue_slots)), ("warp_cycles", json!(chip.warp_cycles))]
                .into_iter()
                .flat_map(|(name, value)| leaves(name, &value))
                .collect::<Vec<_>>()
        };
        let names = self.chips.first().map(uses).unwrap_or_default();
        let names: String = names.into_iter().map(|(name, _)| format!(",{name}")).collect();
        let kernels: String = self.kernels.iter().map(|kernel| format!(",speedup_{kernel}")).collect();
        let head = "config,speedup,chip_mm2,network_mm2,ipc,ipc_per_mm2,throughput_effectiveness,network_w,\
                    network_leakage_w,network_energy_j,energy_j,built_mm2";
        let line = |c: &ComparedChip| {
            let each: String = self.kernels.iter().map(|kernel| format!(",{}", c.speedups[kernel])).collect();
            let (te, energy) = (c.throughput_effectiveness, c.network_energy_j);
            let (watts, leakage) = (c.network_w, c.network_leakage_w);
            let area = format!("{},{},{},{},{te}", c.chip_mm2, c.network_mm2, c.ipc, c.ipc_per_mm2);
            let config = if c.config.contains(',') { format!("\"{}\"", c.config) } else { c.config.clone() };
            let chip = c.energy_j;
            let built = c.built_mm2;
            let uses: String = uses(c).into_iter().map(|(_, count)| format!(",{count}")).collect();
            format!("\n{config},{},{area},{watts},{leakage},{energy},{chip},{built}{each}{uses}", c.speedup)
        };
        format!("{head}{kernels}{names}{}", self.chips.iter().map(line).collect::<String>())
    }
}

impl fmt::Display for ChipComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.chips.is_empty() {
            self.table(f)?;
        }
        if !self.unfinished.is_empty() {
            writeln!(f, "\n  Not compared, as not every kernel ran to its verified end:")?;
        }
        for UnfinishedChip { config, cycles, reason } in &self.unfinished {
            let ran = cycles.iter().map(|(kernel, &cycles)| format!("{kernel} {}; ", counted(cycles, "cycle")));
            writeln!(f, "  {config}: {}{reason}", ran.collect::<String>())?;
        }
        Ok(())
    }
}

impl ChipComparison {
    /// The chips that are compared.
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = self.chips.iter().map(|chip| chip.config.len()).max().unwrap_or(0).max(SLOTS.len());
        let base = self.chips.first().map_or("", |chip| &chip.config);
        let (s, means) = if self.kernels.len() == 1 { ("", "") } else { ("s", " means are harmonic;") };
        let has_network = self.chips.iter().any(|chip| chip.network_mm2 > 0.0);
        let crossbars = if has_network { crossbars(&self.crossbar) } else { "" };
        let at = format!("{} nm{crossbars}, network of {base} at {} MHz", self.technology_nm, self.clock_mhz);
        writeln!(f, "{} kernel{s} relative to {base};{means} {at}", self.kernels.len())?;
        writeln!(
            f,
            "rel. TE: throughput-effectiveness relative to {base}, speedup times its chip area over that of the chip\n"
        )?;
        let titles =
            ["speedup", "chip mm^2", "network", "IPC", "IPC/mm^2", "rel. TE", "network W", "leakage", "mJ", "chip mJ"];
        write!(f, "  {:<wide$}", "")?;
        titles.iter().try_for_each(|title| write!(f, " {title:>10}"))?;
        writeln!(f)?;
        for c in &self.chips {
            write!(f, "  {:<wide$} {:>10.3} {:>10.2} {:>10.2}", c.config, c.speedup, c.chip_mm2, c.network_mm2)?;
            write!(f, " {:>10.2} {:>10.4} {:>10.3}", c.ipc, c.ipc_per_mm2, c.throughput_effectiveness)?;
            write!(f, " {:>10.2} {:>10.2}", c.network_w, c.network_leakage_w)?;
            writeln!(f, " {:>10.4} {:>10.4}", 1e3 * c.network_energy_j, 1e3 * c.energy_j)?;
        }
        write!(f, "\n  {:<wide$}", "speedup")?;
        self.kernels.iter().try_for_each(|kernel| write!(f, " {kernel:>10}"))?;
        writeln!(f)?;
        for c in &self.chips {
            write!(f, "  {:<wide$}", c.config)?;
            self.kernels.iter().try_for_each(|kernel| write!(f, " {:>10.3}", c.speedups[kernel]))?;
            writeln!(f)?;
        }
        self.shares(f, (SLOTS, wide), &SlotUse::TITLES, |chip| chip.issue_slots.columns())?;
        self.shares(f, (WARPS, wide), &WarpUse::TITLES, |chip| chip.warp_cycles.columns())?;
        self.other_areas(f)?;
        self.other_energies(f)?;
        match &self.area_note {
            Some(note) => writeln!(f, "\n  Area: {note}."),
            None => Ok(()),
        }
    }

    /// Chips that are larger than the first by one model of area and smaller by the other.
    fn other_areas(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((base, others)) = self.chips.split_first() else { return Ok(()) };
        let differs = |chip: &&ComparedChip| (chip.chip_mm2 - base.chip_mm2) * (chip.built_mm2 - base.built_mm2) < 0.0;
        for chip in others.iter().filter(differs) {
            let than = if chip.built_mm2 > base.built_mm2 { "larger" } else { "smaller" };
            let built = format!("{:.2} mm^2 as built (cells and arrays of the netlist)", chip.built_mm2);
            let of_base = format!("{} {:.2}", base.config, base.built_mm2);
            write!(f, "\n  Area: {} is {than} by the other model: {built}, {of_base}.", chip.config)?;
            writeln!(f)?;
        }
        Ok(())
    }

    /// Chips whose power and energy are by the other model of crossbars, the one that `run` has for them.
    fn other_energies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = self.chips.iter().filter(|chip| chip.network_mm2 > 0.0 && chip.energy_crossbar != self.crossbar);
        let others: Vec<_> =
            others.map(|chip| format!("{}{}", chip.config, crossbars(&chip.energy_crossbar))).collect();
        match others.is_empty() {
            true => Ok(()),
            false => writeln!(f, "\n  Power and energy are those of `run`: {}.", others.join("; ")),
        }
    }

    /// A row for each chip with percentages.
    fn shares<const N: usize>(
        &self,
        f: &mut fmt::Formatter<'_>,
        (title, wide): (&str, usize),
        titles: &[&str; N],
        columns: impl Fn(&ComparedChip) -> [f64; N],
    ) -> fmt::Result {
        write!(f, "\n  {title:<wide$}")?;
        titles.iter().try_for_each(|title| write!(f, " {title:>11}"))?;
        writeln!(f)?;
        for chip in &self.chips {
            write!(f, "  {:<wide$}", chip.config)?;
            columns(chip).iter().try_for_each(|share| write!(f, " {share:>11.1}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
