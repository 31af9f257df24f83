//! Where the issue slots of all cores went, and how many warps were there to fill them.

use super::text::{ReportRow, counted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, iter::Sum};

/// Issue slots of all cores during the kernel, and the occupancy.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct IssueUse {
    /// Issue slots by what became of them.
    pub slots: SlotUse,
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
    pub lost: LostSlots,
    /// No warp runs a block.
    pub without_warp: u64,
}

/// Issue slots by why nothing was issued: the first cause that holds for any warp, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct LostSlots {
    /// A warp could issue that the throttle holds back.
    pub throttle: u64,
    /// A warp waits for a result.
    pub data_hazards: u64,
    /// A warp waits for a unit.
    pub structural_hazards: u64,
    /// A warp waits at a barrier.
    pub barriers: u64,
    /// Instructions are being fetched.
    pub fetch: u64,
}

impl LostSlots {
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

    /// Of all causes.
    pub fn total(self) -> u64 {
        self.named().iter().map(|(_, slots)| slots).sum()
    }
}

impl Sum for SlotUse {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            total: a.total + b.total,
            issued: a.issued + b.issued,
            lost: LostSlots {
                throttle: a.lost.throttle + b.lost.throttle,
                data_hazards: a.lost.data_hazards + b.lost.data_hazards,
                structural_hazards: a.lost.structural_hazards + b.lost.structural_hazards,
                barriers: a.lost.barriers + b.lost.barriers,
                fetch: a.lost.fetch + b.lost.fetch,
            },
            without_warp: a.without_warp + b.without_warp,
        })
    }
}

impl SlotUse {
    /// Titles of [`Self::columns`].
    pub(super) const TITLES: [&'static str; 7] =
        ["used", "data hazard", "structural", "barrier", "throttle", "fetch", "no warp"];

    /// All slots by what became of them, percent.
    pub(super) fn columns(&self) -> [f64; 7] {
        let LostSlots { throttle, data_hazards, structural_hazards, barriers, fetch } = self.lost;
        [self.issued, data_hazards, structural_hazards, barriers, throttle, fetch, self.without_warp]
            .map(|slots| 100.0 * slots as f64 / self.total.max(1) as f64)
    }

    /// In a line: the share that was used, and causes of the others, largest first.
    pub fn text(&self) -> [String; 2] {
        let percent = |slots: u64| format!("{:.1} %", 100.0 * slots as f64 / self.total.max(1) as f64);
        let mut lost: Vec<_> = self.lost.named().into_iter().filter(|(_, slots)| *slots > 0).collect();
        lost.sort_by_key(|(_, slots)| Reverse(*slots));
        let lost: Vec<_> = lost.into_iter().map(|(cause, slots)| format!("{cause} {}", percent(slots))).collect();
        let lost = if lost.is_empty() { "none lost".into() } else { format!("lost to {}", lost.join(", ")) };
        [percent(self.issued), format!("{lost}; {} without a warp", percent(self.without_warp))]
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
        vec![("issue slots used".into(), used, lost), ("occupancy".into(), format!("{occupancy:.1} %"), of + &fit)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_come_largest_first_and_those_of_no_slot_are_left_out() {
        let lost = LostSlots { data_hazards: 20, fetch: 30, ..LostSlots::default() };
        let used = IssueUse {
            slots: SlotUse { total: 100, issued: 40, lost, without_warp: 10 },
            active_warps: 6.0,
            resident_warps: 8,
            warps: 16,
            limited_by: "core.shared_bytes".into(),
        };
        let [slots, occupancy] = &used.rows()[..] else { panic!("two rows") };
        assert_eq!((slots.1.as_str(), occupancy.1.as_str()), ("40.0 %", "37.5 %"));
        assert_eq!(slots.2, "lost to fetch 30.0 %, data hazards 20.0 %; 10.0 % without a warp");
        assert_eq!(occupancy.2, "6.0 of 16 warps a core active in the mean; 8 fit, limited by core.shared_bytes");
        assert_eq!(IssueUse::default().rows(), []);
        let sum: SlotUse = [used.slots, SlotUse { issued: 160, total: 160, ..SlotUse::default() }].into_iter().sum();
        assert_eq!((sum.total, sum.issued, sum.lost.total(), sum.without_warp), (260, 200, 50, 10));
    }
}
