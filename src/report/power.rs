//! Power and throughput-effectiveness beside the performance: part of the JSON of `run` and `noc`.

use super::text::Row;
use crate::{
    area::{Activity, ChipArea, Layout, NetworkPower, Node, PowerTechnology, Technology, power::NETWORK_HERTZ},
    chip::Chip,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a network has drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NetworkPowerReport {
    /// Dynamic power, W.
    pub dynamic_w: f64,
    /// Leakage of routers and channels, W.
    pub leakage_w: f64,
    /// Of the dynamic power: buffers, W.
    pub buffers_w: f64,
    /// Crossbars, W.
    pub crossbars_w: f64,
    /// Allocators, W.
    pub allocators_w: f64,
    /// Channels, W.
    pub links_w: f64,
    /// Of the dynamic power: each message class, requests first, W.
    pub classes_w: Vec<f64>,
    /// Of the dynamic power: each router with the channels behind it, one subnetwork after the other, W.
    pub routers_w: Vec<f64>,
    /// Dynamic energy of a flit from terminal to terminal, pJ; null without flits.
    pub pj_per_flit: Option<f64>,
    /// Dynamic energy and leakage over the time, J.
    pub energy_j: f64,
}

impl From<&NetworkPower> for NetworkPowerReport {
    fn from(power: &NetworkPower) -> Self {
        let watts = |joules: f64| if power.seconds > 0.0 { joules / power.seconds } else { 0.0 };
        Self {
            dynamic_w: power.dynamic_w(),
            leakage_w: power.leakage_w,
            buffers_w: watts(power.buffer_j),
            crossbars_w: watts(power.crossbar_j),
            allocators_w: watts(power.allocator_j),
            links_w: watts(power.link_j),
            classes_w: power.classes_j.iter().copied().map(watts).collect(),
            routers_w: power.routers_j.iter().map(|(_, _, joules)| watts(*joules)).collect(),
            pj_per_flit: power.pj_per_flit(),
            energy_j: power.energy_j(),
        }
    }
}

/// What a chip costs and draws.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Technology node of areas and power, nm.
    pub technology_nm: u32,
    /// Clock that power is computed with, MHz.
    pub clock_mhz: f64,
    /// The chip, mm^2.
    pub chip_mm2: f64,
    /// The network, mm^2.
    pub noc_mm2: f64,
    /// Thread instructions per cycle and mm^2 of the chip.
    pub ipc_per_mm2: f64,
    /// The network.
    pub network: NetworkPowerReport,
    /// Leakage of the whole chip, W. Dynamic power of cores, controllers and L2 is not modelled.
    pub chip_leakage_w: f64,
}

impl Cost {
    /// Of a chip that has done `activity` (by its network; `None` without one) at this rate, for `cycles` cycles; at 65 nm.
    pub fn new(chip: &Chip, activity: Option<&Activity>, cycles: f64, ipc: f64) -> Self {
        let technology = Technology::at(Node::Nm65);
        let area = ChipArea::new(chip, Layout::Tile, &technology);
        let power = PowerTechnology::at(technology.node);
        let network = match activity {
            Some(activity) => NetworkPower::new(chip.fabric(), activity, &area, &power, NETWORK_HERTZ),
            None => NetworkPower { seconds: cycles / NETWORK_HERTZ, ..NetworkPower::default() },
        };
        Self {
            technology_nm: technology.node.nm(),
            clock_mhz: NETWORK_HERTZ / 1e6,
            chip_mm2: area.total_mm2(),
            noc_mm2: area.network.total_mm2(),
            ipc_per_mm2: ipc / area.total_mm2(),
            network: NetworkPowerReport::from(&network),
            chip_leakage_w: area.total_mm2() * power.leakage_w_mm2,
        }
    }

    /// As a person reads it.
    pub(super) fn rows(&self) -> Vec<Row> {
        let row = |name: &str, value: String, note: String| (name.to_string(), value, note);
        let (noc, network) = (self.noc_mm2, &self.network);
        let share = 100.0 * noc / self.chip_mm2;
        let flit = network.pj_per_flit.map_or(String::new(), |pj| format!(", {pj:.1} pJ a flit"));
        let at = format!("at {} nm and {} MHz", self.technology_nm, self.clock_mhz);
        vec![
            row("area", format!("{:.2}", self.chip_mm2), format!("mm^2, network {noc:.2} ({share:.1} %)")),
            row("IPC/mm^2", format!("{:.4}", self.ipc_per_mm2), String::new()),
            row(
                "network power",
                format!("{:.3}", network.dynamic_w + network.leakage_w),
                format!("W {at}, {:.3} of it leakage", network.leakage_w),
            ),
            row("network energy", format!("{:.3}", 1e6 * network.energy_j), format!("uJ{flit}")),
        ]
    }
}
