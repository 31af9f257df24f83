//! Where the issue slots of all cores and the cycles of their warps went, and how many warps were there to fill them.

use super::words::{ReportRow, counted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, iter::Sum};

/// Issue slots of all cores during the kernel, and the occupancy.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct IssueUse {
    /// Issue slots by what became of them.
    pub slots: SlotUse,
    /// Cycles of warps by what the warp did.
    #[serde(default)]
    pub warp_cycles: WarpUse,
    /// Warps of a core that run a block, mean over the kernel.
    pub active_warps: f64,
    /// Warps of a core that could at a time, by the blocks that fit.
    pub resident_warps: u32,
    /// Warps of a core.
    pub warps: u32,
    /// Key of the configuration that keeps a core from taking another block.
    pub limited_by: String,
}

/// Issue slots by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SlotUse {
    /// Issue slots; `issued`, `lost` and `without_warp` are all of them.
    pub total: u64,
    /// With an instruction.
    pub issued: u64,
    /// Without one although a warp runs a block, by cause.
    pub lost: WaitCauses,
    /// No warp runs a block.
    pub without_warp: u64,
}

/// By why nothing was issued. Issue slots: the first cause that holds for any warp, in this order; cycles of warps: that of the warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct WaitCauses {
    /// It could issue, but the throttle holds it back.
    pub throttle: u64,
    /// It waits for a result.
    pub data_hazards: u64,
    /// It waits for a unit or its earlier accesses.
    pub structural_hazards: u64,
    /// It waits at a barrier.
    pub barriers: u64,
    /// Its instruction is being fetched.
    pub fetch: u64,
}

impl WaitCauses {
    /// With their names.
    fn named(self) -> [(&'static str, u64); 5] {
        [
            ("data hazards", self.data_hazards),
            ("structural hazards", self.structural_hazards),
            ("barriers", self.barriers),
            ("throttle", self.throttle),
            ("fetch", self.fetch),
        ]
    }

    /// In words, the largest first, as parts of `total`; those of nothing are left out.
    fn text(self, total: u64) -> String {
        let mut causes: Vec<_> = self.named().into_iter().filter(|(_, of)| *of > 0).collect();
        causes.sort_by_key(|(_, of)| Reverse(*of));
        let causes: Vec<_> = causes.into_iter().map(|(cause, of)| format!("{cause} {}", percent(of, total))).collect();
        causes.join(", ")
    }

    fn plus(self, other: Self) -> Self {
        Self {
            throttle: self.throttle + other.throttle,
            data_hazards: self.data_hazards + other.data_hazards,
            structural_hazards: self.structural_hazards + other.structural_hazards,
            barriers: self.barriers + other.barriers,
            fetch: self.fetch + other.fetch,
        }
    }

    /// Of all causes.
    pub fn total(self) -> u64 {
        self.named().iter().map(|(_, slots)| slots).sum()
    }
}

/// Cycles of all warps of the cores by what they did, as each issue slot has found them. `issued`, `ready`, `waiting` and
/// `without_block` are all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct WarpUse {
    /// Warps times cycles.
    pub total: u64,
    /// An instruction of the warp is issued.
    pub issued: u64,
    /// One could be, and that of another warp was.
    pub ready: u64,
    /// The warp waits.
    pub waiting: WaitCauses,
    /// Of the data hazards: a global load of the warp has not returned.
    pub with_open_load: u64,
    /// The warp has no block.
    pub without_block: u64,
}

/// A part of all.
fn share(part: u64, total: u64) -> f64 {
    100.0 * part as f64 / total.max(1) as f64
}

fn percent(part: u64, total: u64) -> String {
    format!("{:.1} %", share(part, total))
}

impl Sum for SlotUse {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            total: a.total + b.total,
            issued: a.issued + b.issued,
            lost: a.lost.plus(b.lost),
            without_warp: a.without_warp + b.without_warp,
        })
    }
}

impl Sum for WarpUse {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            total: a.total + b.total,
            issued: a.issued + b.issued,
            ready: a.ready + b.ready,
            waiting: a.waiting.plus(b.waiting),
            with_open_load: a.with_open_load + b.with_open_load,
            without_block: a.without_block + b.without_block,
        })
    }
}

impl SlotUse {
    /// Titles of [`Self::columns`].
    pub(super) const TITLES: [&'static str; 7] =
        ["used", "data hazard", "structural", "barrier", "throttle", "fetch", "no warp"];

    /// All slots by what became of them, percent.
    pub(super) fn columns(&self) -> [f64; 7] {
        let WaitCauses { throttle, data_hazards, structural_hazards, barriers, fetch } = self.lost;
        [self.issued, data_hazards, structural_hazards, barriers, throttle, fetch, self.without_warp]
            .map(|slots| share(slots, self.total))
    }

    /// In a line: the share that was used, and causes of the others, largest first.
    pub fn text(&self) -> [String; 2] {
        let lost = self.lost.text(self.total);
        let lost = if lost.is_empty() { "none lost".into() } else { format!("lost to {lost}") };
        let without = percent(self.without_warp, self.total);
        [percent(self.issued, self.total), format!("{lost}; {without} without a warp")]
    }
}

impl WarpUse {
    /// Titles of [`Self::columns`].
    pub(super) const TITLES: [&'static str; 9] =
        ["issued", "data hazard", "with a load", "structural", "barrier", "throttle", "fetch", "ready", "no block"];

    /// All cycles of warps by what they did, percent; those with a load are among the data hazards.
    pub(super) fn columns(&self) -> [f64; 9] {
        let WaitCauses { throttle, data_hazards, structural_hazards, barriers, fetch } = self.waiting;
        let (loads, without) = (self.with_open_load, self.without_block);
        [self.issued, data_hazards, loads, structural_hazards, barriers, throttle, fetch, self.ready, without]
            .map(|cycles| share(cycles, self.total))
    }

    /// In a line: the share in which warps issue, and what the others do.
    pub fn text(&self) -> [String; 2] {
        let waiting = self.waiting.text(self.total);
        let waiting = if waiting.is_empty() { "none waited".into() } else { format!("waits: {waiting}") };
        let [ready, loads, without] =
            [self.ready, self.with_open_load, self.without_block].map(|cycles| percent(cycles, self.total));
        let loads =
            if self.with_open_load > 0 { format!("; {loads} for data with a global load open") } else { String::new() };
        [percent(self.issued, self.total), format!("{waiting}{loads}; {ready} ready; {without} without a block")]
    }
}

impl IssueUse {
    /// For a report: what slots were used for, and the occupancy.
    pub(super) fn rows(&self) -> Vec<ReportRow> {
        if self.slots.total == 0 {
            return vec![];
        }
        let [used, lost] = self.slots.text();
        let occupancy = 100.0 * self.active_warps / f64::from(self.warps.max(1));
        let (mean, warps) = (self.active_warps, counted(self.warps.into(), "warp"));
        let of = format!("{mean:.1} of {warps} a core active in the mean; ");
        let fit = format!("{} fit, limited by {}", self.resident_warps, self.limited_by);
        let [issued, waits] = self.warp_cycles.text();
        let of_warps = ("warp-cycles issued".into(), issued, waits);
        vec![
            ("issue slots used".into(), used, lost),
            of_warps,
            ("occupancy".into(), format!("{occupancy:.1} %"), of + &fit),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_come_largest_first_and_those_of_no_slot_are_left_out() {
        let lost = WaitCauses { data_hazards: 20, fetch: 30, ..WaitCauses::default() };
        let used = IssueUse {
            slots: SlotUse { total: 100, issued: 40, lost, without_warp: 10 },
            warp_cycles: WarpUse {
                total: 1600,
                issued: 40,
                ready: 40,
                waiting: WaitCauses { data_hazards: 480, barriers: 40, ..WaitCauses::default() },
                with_open_load: 320,
                without_block: 1000,
            },
            active_warps: 6.0,
            resident_warps: 8,
            warps: 16,
            limited_by: "core.shared_bytes".into(),
        };
        let [slots, warps, occupancy] = &used.rows()[..] else { panic!("three rows") };
        assert_eq!((slots.1.as_str(), occupancy.1.as_str()), ("40.0 %", "37.5 %"));
        assert_eq!(slots.2, "lost to fetch 30.0 %, data hazards 20.0 %; 10.0 % without a warp");
        let waits = "waits: data hazards 30.0 %, barriers 2.5 %; 20.0 % for data with a global load open; 2.5 % ready; 62.5 % without a block";
        assert_eq!((warps.1.as_str(), warps.2.as_str()), ("2.5 %", waits));
        assert_eq!(occupancy.2, "6.0 of 16 warps a core active in the mean; 8 fit, limited by core.shared_bytes");
        assert_eq!(IssueUse::default().rows(), []);
        let sum: SlotUse = [used.slots, SlotUse { issued: 160, total: 160, ..SlotUse::default() }].into_iter().sum();
        assert_eq!((sum.total, sum.issued, sum.lost.total(), sum.without_warp), (260, 200, 50, 10));
    }
}
