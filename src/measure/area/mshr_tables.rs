//! Miss handling side by side: tables 5.5 and 5.6 of Kim's thesis against the model, and the kinds of miss handling in the L1 of `kim-ch5` at several
//! sizes, by formula and as built.
//!
//! Source: K. Kim's thesis (2017), section 5.5.

use super::{
    Cells,
    array::{ArrayCost, ArrayTechnology},
    caches::{CacheArea, MISS_HANDLING},
    mshr::{Hybrid, conventional, tsma},
    structure::{self, Counting},
};
use rtl::{
    cache::{CacheParams, MissHandling, MshrConfig, cache},
    chip,
};
use serde::Serialize;

const NODE: ArrayTechnology = ArrayTechnology::NM130;
/// L1 files, one a core, and L2 files, one a bank (table 5.1).
const CORES: f64 = 15.0;
/// See [`CORES`].
const BANKS: f64 = 6.0;

/// Dynamic mW, leakage mW, mm^2.
pub type Costs = [f64; 3];

/// A row of table 5.5: the files of a whole chip, 130 nm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PowerAndArea {
    /// `MSHR`, `TSMA` or `HTSMA`.
    pub kind: &'static str,
    /// Entries of an L1 and an L2 file.
    pub entries: [u32; 2],
    /// Entries of their CAM parts; zero without.
    pub cam: [u32; 2],
    /// What the thesis says.
    pub source: Costs,
    /// What the model says.
    pub model: Costs,
}

/// A cell of table 5.6, 130 nm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AccessTime {
    /// `MSHR`, `TSMA`, `s-MSHR` (the CAM part alone), `s-MSHR tags` or `HTSMA critical path`.
    pub what: String,
    /// Entries, with those of the CAM part behind.
    pub entries: &'static str,
    /// Which file.
    pub level: &'static str,
    /// What the thesis says, ns.
    pub source: f64,
    /// What the model says, ns.
    pub model: f64,
}

/// The L1 of `kim-ch5` with another miss handling, at 65 nm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MissHandlingRow {
    /// Kind, as in `cache.l1d.mshr.kind`.
    pub kind: &'static str,
    /// Entries without those of a CAM part.
    pub entries: u32,
    /// Miss handling by formula, mm^2.
    pub formula_mm2: f64,
    /// Its largest part.
    pub largest_part: &'static str,
    /// That part's share of it.
    pub largest_share: f64,
    /// The cache in the netlist without the array of its lines, mm^2.
    pub built_mm2: f64,
    /// Comparator bits in it.
    pub compared_bits: u64,
    /// Its registers and memories without those of the lines, bits.
    pub bits: u64,
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(',').collect())
}

fn costs(cost: &ArrayCost) -> Costs {
    [cost.dynamic_mw(), cost.leakage_mw, cost.area_mm2]
}

/// Table 5.5.
pub fn power_and_area() -> Vec<PowerAndArea> {
    let of_hybrid = |entries, small| {
        let hybrid = Hybrid::new(entries, small, &NODE);
        [hybrid.dynamic_mw(), hybrid.leakage_mw(), hybrid.area_mm2()]
    };
    let row = |columns: Vec<&'static str>| {
        let number = |i: usize| columns[i].parse::<u32>().unwrap_or_default();
        let (entries, small) = ([number(1), number(2)], [number(3), number(4)]);
        let of_file = |i: usize| match columns[0] {
            "MSHR" => costs(&conventional(entries[i]).cost(&NODE)),
            "TSMA" => costs(&tsma(entries[i]).cost(&NODE)),
            _ => of_hybrid(entries[i], small[i]),
        };
        let (l1, l2) = (of_file(0), of_file(1));
        let source = [5, 6, 7].map(|i| columns[i].parse().expect("a number"));
        let model = [0, 1, 2].map(|i| CORES * l1[i] + BANKS * l2[i]);
        PowerAndArea { kind: columns[0], entries, cam: small, source, model }
    };
    rows(include_str!("mshr_power_area.csv")).map(row).collect()
}

/// Table 5.6.
pub fn access_times() -> Vec<AccessTime> {
    let mut cells = vec![];
    for columns in rows(include_str!("mshr_access_time.csv")) {
        let (what, level) = (columns[0], columns[2]);
        let (entries, small) = columns[1].split_once('+').unwrap_or((columns[1], "0"));
        let (entries, small) = (entries.parse().expect("entries"), small.parse().expect("entries"));
        let model = match what {
            "MSHR" | "s-MSHR" => conventional(entries).cost(&NODE).access_ns,
            "TSMA" => tsma(entries).cost(&NODE).access_ns,
            _ => Hybrid::new(entries, small, &NODE).critical_ns(),
        };
        let tags = (format!("{what} tags"), 4, conventional(entries).cost(&NODE).tag_ns);
        for (what, column, model) in [(what.to_string(), 3, model), tags] {
            if let Ok(source) = columns[column].parse() {
                cells.push(AccessTime { what, entries: columns[1], level, source, model });
            }
        }
    }
    cells
}

/// Entries of a set, where the handling has sets.
const WAYS: u32 = 8;
/// Entries of the CAM part of an HTSMA, in addition to the others.
pub const CAM_ENTRIES: u32 = 8;

/// The L1 of `kim-ch5`.
pub fn l1() -> CacheParams {
    let chip = chip::load(Some("kim-ch5".as_ref()), &[]).expect("a shipped configuration");
    chip.core().l1d.expect("it has one")
}

/// Every kind of miss handling that has a limit, with 32, 64 and 128 entries in the [`l1`].
pub fn in_an_l1() -> Vec<MissHandlingRow> {
    let l1 = l1();
    let handling = |kind: MissHandling, entries| MshrConfig {
        kind,
        entries,
        ways: WAYS,
        targets: l1.targets,
        cam_entries: CAM_ENTRIES,
        cam_pipelined: l1.cam_pipelined,
        protected_victims: l1.protects,
    };
    let with = |mshr: &MshrConfig| {
        // A pending line has a place among them.
        let cache = CacheParams { allocation: mshr.kind.allocation(), write_backs: mshr.entries, ..l1.clone() };
        cache.with_misses(mshr, 0)
    };
    let all = MissHandling::ALL.into_iter().flat_map(|kind| [32, 64, 128].map(|entries| handling(kind, entries)));
    all.filter(|mshr| mshr.lines().is_some()).map(|mshr| miss_handling(&with(&mshr))).collect()
}

fn miss_handling(l1: &CacheParams) -> MissHandlingRow {
    const NM: u32 = 65;
    let formula = CacheArea::new(l1, 1, NM);
    let handling = formula.parts.iter().filter(|(name, _)| MISS_HANDLING.contains(name));
    let &(name, most) = handling.max_by(|a, b| a.1.total_cmp(&b.1)).expect("it has parts");
    let design = netlist::elaborate(&cache(l1)).expect("a block of ours");
    let counting = Counting::default();
    let (all, blocks) = (structure::total(&design, &counting), structure::by_block(&design, &counting, 1));
    let lines = blocks.iter().find(|block| block.path == ["cache_data_array"]).expect("it has lines").structure;
    let mm2 = |structure: &structure::Structure| structure.mm2(&Cells::NANGATE45, NM);
    let bits = |structure: &structure::Structure| structure.register_bits + structure.memory_bits();
    MissHandlingRow {
        kind: l1.misses.name(),
        entries: l1.entries,
        formula_mm2: formula.misses_mm2(),
        largest_part: name,
        largest_share: most / formula.misses_mm2(),
        built_mm2: mm2(&all) - mm2(&lines),
        compared_bits: all.comparator_bits(),
        bits: bits(&all) - bits(&lines),
    }
}
