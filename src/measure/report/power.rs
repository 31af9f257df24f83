//! Power and throughput-effectiveness, in addition to the performance: part of the JSON of `run` and `noc`.

use super::words::{ReportRow, counted};
use crate::area::{
    ArrayUse, ChipArea, CrossbarModel, FlitActivity, Layout, NetworkPower, PowerTechnology, Technology, TechnologyNode,
    TileGroup,
    arrays::NOT_COUNTED,
    leaf::{DRAM_WORD_PJ, LeafCosts},
};
use rtl::{chip::Chip, core::CoreConfig, core::units::MOST_UNITS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a network has drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NetworkPowerReport {
    /// Dynamic power, W.
    pub dynamic_w: f64,
    /// Leakage of routers and of the repeaters of channels, W.
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
    /// Of the dynamic power: each router with the channels behind it, one subnetwork after the other, then one overlay after the other, W.
    pub routers_w: Vec<f64>,
    /// By subnetwork, overlays together behind the others: part of the payload bits that differ from one flit to the next on a channel,
    /// which the energy of channels and crossbars is in proportion to.
    pub toggle: Vec<f64>,
    /// Likewise: flits of the sample that it was recorded in; 0: none, it is assumed.
    pub toggle_flits: Vec<u64>,
    /// Dynamic energy of a flit from terminal to terminal, pJ; null without flits.
    pub pj_per_flit: Option<f64>,
    /// Dynamic energy and leakage over the time, J.
    pub energy_j: f64,
}

impl NetworkPowerReport {
    /// Where [`toggle`](Self::toggle) is from, in words.
    pub(super) fn sample(&self) -> String {
        let flits = |&flits: &u64| match flits {
            0 => "assumed, none sampled".to_string(),
            _ => format!("in a sample of {}", counted(flits, "flit")),
        };
        let from: Vec<_> = self.toggle_flits.iter().map(flits).collect();
        format!("of the bits change from flit to flit ({})", from.join("; "))
    }
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
            toggle: power.toggle.clone(),
            toggle_flits: power.toggle_flits.clone(),
            pj_per_flit: power.pj_per_flit(),
            energy_j: power.energy_j(),
        }
    }
}

/// What a chip costs and draws.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChipCost {
    /// Technology node of areas and power, nm.
    pub technology_nm: u32,
    /// Clock of the network, MHz.
    pub clock_mhz: f64,
    /// How crossbars are counted: `matrix` of wires, or `mux`, multiplexers.
    #[serde(default = "matrix")]
    pub crossbar: String,
    /// The chip, mm^2.
    pub chip_mm2: f64,
    /// The network, mm^2.
    pub network_mm2: f64,
    /// What the area leaves out of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_note: Option<String>,
    /// Thread instructions per cycle and mm^2 of the chip.
    pub ipc_per_mm2: f64,
    /// The network.
    pub network: NetworkPowerReport,
    /// Arrays of cores and memory controllers.
    pub arrays: Vec<ArrayPower>,
    /// Dynamic power of these arrays, W.
    pub arrays_w: f64,
    /// Dynamic power of the operations of lanes and of the units beside them, W.
    #[serde(default)]
    pub lanes_w: f64,
    /// Power of the clock of all flip-flops, W.
    #[serde(default)]
    pub clock_w: f64,
    /// Tiles by kind: area of what is built, leakage, clock.
    #[serde(default)]
    pub tiles: Vec<TileCost>,
    /// The chip as it is built, mm^2: tiles of the netlist, and channels.
    #[serde(default)]
    pub built_mm2: f64,
    /// Dynamic power of the chip, W: network, arrays, lanes, clock.
    #[serde(default)]
    pub dynamic_w: f64,
    /// Leakage of the whole chip, W.
    pub chip_leakage_w: f64,
    /// Power of DRAM devices and their interface, W; not in the energy of the chip.
    #[serde(default)]
    pub dram_w: f64,
    /// Energy of the run, J: dynamic of network, arrays, lanes and clock, leakage of the whole chip over its time.
    pub energy_j: f64,
    /// Of it dynamic, J.
    #[serde(default)]
    pub dynamic_j: f64,
    /// The same for each thread instruction, pJ; null without instructions.
    pub pj_per_instruction: Option<f64>,
    /// What draws dynamic power, too, and is in none of these.
    pub not_counted: Vec<String>,
}

/// All tiles of one kind, as they are built.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TileCost {
    /// Kind.
    pub kind: String,
    /// How many there are.
    pub count: u64,
    /// Cells and arrays of all, mm^2.
    pub mm2: f64,
    /// Share of the cycles in which clocks behind enables run (0 to 1): of cores beats of instructions in an issue slot, of memory partitions the use of the
    /// data bus or accesses to L2, of others flits by output of the routers.
    pub works: f64,
    /// Leakage, W; 0 of routers: theirs is in that of the network, by its formulas.
    pub leakage_w: f64,
    /// Power of the clock, W.
    pub clock_w: f64,
}

/// All arrays of one kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArrayPower {
    /// Which.
    pub name: String,
    /// Words of one of them.
    pub entries: u32,
    /// Bits of a word.
    pub bits: u32,
    /// Words read that somebody wanted.
    pub reads: u64,
    /// Words written.
    pub writes: u64,
    /// Energy of a read, pJ.
    pub read_pj: f64,
    /// Energy of a write, of all copies of the array, pJ.
    pub write_pj: f64,
    /// Dynamic power, W.
    pub dynamic_w: f64,
}

/// What a chip has done in a run, as far as it costs energy.
#[derive(Clone, Copy, Debug)]
pub struct ChipWork<'a> {
    /// By the network; `None` without one.
    pub network: Option<&'a FlitActivity>,
    /// By the arrays of cores and controllers.
    pub arrays: &'a [ArrayUse],
    /// Cycles of the cores.
    pub cycles: u64,
    /// Thread instructions.
    pub thread_instructions: u64,
    /// The netlist by kind of tile.
    pub tiles: &'a [TileGroup],
    /// How busy tiles are.
    pub busy: TileUse,
    /// Operations of lanes and of the units beside them.
    pub operations: Operations,
    /// Bytes that moved to and from DRAM devices.
    pub dram_bytes: u64,
}

/// How much flip-flops behind enables are clocked: the share of cycles in which what a kind of tile is for happens, mean over its tiles and
/// their equal parts (0 to 1).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TileUse {
    /// Cores: a beat of an instruction begins in an issue slot.
    pub core: f64,
    /// Routers: a flit leaves by an output. Interfaces, crossings and the block dispatcher are taken to work as often.
    pub network: f64,
    /// Memory partitions: the data bus is occupied, or L2 is accessed, whichever is more.
    pub memory: f64,
}

impl TileUse {
    /// Of tiles of a kind.
    pub fn of(&self, kind: &str) -> f64 {
        match kind {
            "core" => self.core,
            "memory_partition" => self.memory,
            _ => self.network,
        }
    }
}

/// Operations, each of a thread.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Operations {
    /// Additions, comparisons, logic and moves of integers, addresses among them.
    pub integer: f64,
    /// Products of integers.
    pub product: f64,
    /// Sums, comparisons, minima, maxima and conversions of floats.
    pub float: f64,
    /// Float products without a sum.
    pub fmul: f64,
    /// Float products with a sum.
    pub fma: f64,
    /// Of each of the [`UNITS`](rtl::core::units::UNITS) beside the lanes.
    pub beside: [f64; MOST_UNITS],
}

impl Operations {
    /// Dynamic energy, J.
    pub fn energy_j(&self, leaf: &LeafCosts) -> f64 {
        let Self { integer, product, float, fmul, fma, beside } = *self;
        let of_lanes =
            integer * leaf.integer_pj + product * leaf.product_pj + float * leaf.float_pj + fmul * leaf.fmul_pj;
        let beside = beside.iter().zip(leaf.beside_pj).map(|(operations, pj)| operations * pj);
        beside.fold(of_lanes + fma * leaf.fma_pj, |sum, unit| sum + unit) * 1e-12
    }
}

/// What crossbars are made of, behind the areas that they are part of.
pub(super) fn crossbars(model: &str) -> &'static str {
    if model == CrossbarModel::Matrix.name() { ", matrix crossbars" } else { ", multiplexer crossbars" }
}

/// What reports have that do not say.
fn matrix() -> String {
    CrossbarModel::Matrix.name().into()
}

/// Kinds of tiles that are routers: their leakage is that of the network.
const ROUTERS: [&str; 2] = ["router", "overlay_router"];

/// Said where somebody may expect that a changed core has another area.
pub fn fixed_cores() -> String {
    let core = Technology::at(TechnologyNode::Nm65).core_mm2;
    format!("every core counts as {core} mm^2, whatever `core.*` says")
}

impl ChipCost {
    /// Of a chip that has done this; at 65 nm.
    pub fn new(chip: &Chip, work: ChipWork) -> Self {
        let ChipWork { cycles, thread_instructions, .. } = work;
        let clocks = &chip.config().clocks;
        let [core_hertz, network_hertz] = [clocks.core, clocks.noc].map(|mhz| 1e6 * f64::from(mhz));
        let seconds = cycles as f64 / core_hertz;
        let per_second = |joules: f64| if cycles == 0 { 0.0 } else { joules / seconds };
        let technology = Technology::at(TechnologyNode::Nm65);
        let area = ChipArea::new(chip, Layout::Tile, &technology);
        let power = PowerTechnology::at(technology.node);
        let network = match work.network {
            Some(activity) => NetworkPower::new(chip.fabric(), activity, &area, &power, network_hertz),
            None => NetworkPower { seconds, ..NetworkPower::default() },
        };
        let array = |array: &ArrayUse| {
            let [read_pj, write_pj] = array.access_pj(&power.arrays);
            ArrayPower {
                name: array.name.clone(),
                entries: array.array.entries,
                bits: array.array.data_bits,
                reads: array.reads,
                writes: array.writes,
                read_pj,
                write_pj,
                dynamic_w: per_second(array.energy_j(&power.arrays)),
            }
        };
        let arrays_j: f64 = work.arrays.iter().map(|array| array.energy_j(&power.arrays)).sum();
        let domains = clocks.domains();
        let hertz = |name: &str| {
            let at = domains.iter().position(|domain| *domain == name);
            at.map_or(core_hertz, |at| 1e6 * f64::from(clocks.megahertz()[at]))
        };
        let leaf = &power.leaf;
        let tile = |tile: &TileGroup| {
            let works = work.busy.of(&tile.kind).clamp(0.0, 1.0);
            TileCost {
                kind: tile.kind.clone(),
                count: tile.count,
                mm2: tile.mm2(technology.node.nm()),
                works,
                leakage_w: if ROUTERS.contains(&tile.kind.as_str()) { 0.0 } else { tile.leakage_w(leaf) },
                clock_w: if cycles == 0 { 0.0 } else { tile.clock_w(leaf, works, hertz) },
            }
        };
        let tiles: Vec<_> = work.tiles.iter().map(tile).collect();
        let sum = |of: fn(&TileCost) -> f64| tiles.iter().map(of).sum::<f64>();
        let clock_w = sum(|tile| tile.clock_w);
        let lanes_j = work.operations.energy_j(leaf);
        let chip_leakage_w = network.leakage_w + sum(|tile| tile.leakage_w);
        let dynamic_j = network.dynamic_j() + arrays_j + lanes_j + clock_w * seconds;
        let energy_j = dynamic_j + chip_leakage_w * seconds;
        let ipc = if cycles == 0 { 0.0 } else { thread_instructions as f64 / cycles as f64 };
        Self {
            technology_nm: technology.node.nm(),
            clock_mhz: network_hertz / 1e6,
            crossbar: area.technology.crossbar.name().into(),
            chip_mm2: area.total_mm2(),
            network_mm2: area.network.total_mm2(),
            area_note: (chip.config().core != CoreConfig::default()).then(fixed_cores),
            ipc_per_mm2: ipc / area.total_mm2(),
            network: NetworkPowerReport::from(&network),
            arrays: work.arrays.iter().map(array).collect(),
            arrays_w: per_second(arrays_j),
            lanes_w: per_second(lanes_j),
            clock_w,
            built_mm2: sum(|tile| tile.mm2) + area.network.links_mm2(),
            tiles,
            dynamic_w: per_second(dynamic_j),
            chip_leakage_w,
            dram_w: per_second(work.dram_bytes as f64 / 8.0 * DRAM_WORD_PJ * 1e-12),
            energy_j,
            dynamic_j,
            pj_per_instruction: (thread_instructions > 0).then(|| energy_j * 1e12 / thread_instructions as f64),
            not_counted: NOT_COUNTED.map(String::from).to_vec(),
        }
    }

    /// As a person reads it.
    pub(super) fn rows(&self) -> Vec<ReportRow> {
        let row = |name: &str, value: String, note: String| (name.to_string(), value, note);
        let (noc, network) = (self.network_mm2, &self.network);
        let note = self.area_note.as_ref().map_or(String::new(), |note| format!("; {note}"));
        let share = 100.0 * noc / self.chip_mm2;
        let crossbars = if noc > 0.0 { crossbars(&self.crossbar) } else { "" };
        let flit = network.pj_per_flit.map_or(String::new(), |pj| format!(", {pj:.1} pJ a flit"));
        let at = format!("at {} nm and {} MHz", self.technology_nm, self.clock_mhz);
        let toggle = network.toggle.iter().map(|toggle| format!("{toggle:.3}")).collect::<Vec<_>>().join(", ");
        let sample = network.sample();
        let array = |array: &&ArrayPower| array.dynamic_w > 0.0;
        let arrays = self.arrays.iter().filter(array).map(|a| format!("{} {:.3}", a.name, a.dynamic_w));
        let arrays: Vec<_> = arrays.collect();
        let built = self.tiles.iter().filter(|tile| tile.mm2 >= 0.005);
        let built: Vec<_> = built.map(|tile| format!("{} {:.2}", tile.kind.replace('_', " "), tile.mm2)).collect();
        let parts = format!(
            "W: leakage {:.3}, clock {:.3}, lanes {:.3}, arrays {:.3}, network {:.3}",
            self.chip_leakage_w, self.clock_w, self.lanes_w, self.arrays_w, self.network.dynamic_w
        );
        let instruction =
            self.pj_per_instruction.map_or(String::new(), |pj| format!("; {pj:.1} pJ a thread instruction"));
        vec![
            row(
                "area",
                format!("{:.2}", self.chip_mm2),
                format!("mm^2, network {noc:.2} ({share:.1} %){crossbars}{note}"),
            ),
            row("area as built", format!("{:.2}", self.built_mm2), format!("mm^2: {}", built.join(", "))),
            row("IPC/mm^2", format!("{:.4}", self.ipc_per_mm2), String::new()),
            row(
                "network power",
                format!("{:.3}", network.dynamic_w + network.leakage_w),
                format!("W {at}, {:.3} of it leakage", network.leakage_w),
            ),
            row("switching", toggle, sample),
            row("network energy", format!("{:.3}", 1e6 * network.energy_j), format!("uJ{flit}")),
            row("array power", format!("{:.3}", self.arrays_w), format!("W dynamic: {}", arrays.join(", "))),
            row("chip power", format!("{:.3}", self.dynamic_w + self.chip_leakage_w), parts),
            row(
                "energy",
                format!("{:.3}", 1e6 * self.energy_j),
                format!("uJ, {:.3} of it dynamic{instruction}", 1e6 * self.dynamic_j),
            ),
            row("DRAM power", format!("{:.3}", self.dram_w), "W of the devices, not in that of the chip".into()),
            row("not modelled", String::new(), format!("dynamic power of {}", self.not_counted.join(", "))),
        ]
    }
}
