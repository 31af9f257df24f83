//! Miss handling side by side: tables 5.5 and 5.6 of Kim's thesis against the model, and the kinds of miss handling in the L1 of `kim-ch5` at several
//! sizes, by formula and as built.
//!
//! Source: K. Kim's thesis (2017), section 5.5.

use super::{
    Cells,
    array::ArrayTechnology,
    caches::CacheArea,
    mshr::{Files, conventional},
    structure::{self, Counting},
};
use rtl::{
    cache::{CacheParams, MissHandling, MshrConfig, cache},
    chip::{self, Chip},
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
    /// What the source calls its kind.
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
    /// What the source calls it; of a comparison of tags alone with `tags` behind.
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
    /// Entries without those that the kind has in addition.
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

/// What is said of a table above its columns.
fn notes(text: &'static str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join(" ")
}

/// The kind of miss handling that a row is about.
fn kind(name: &str) -> MissHandling {
    let named = MissHandling::ALL.into_iter().find(|kind| kind.name() == name);
    named.unwrap_or_else(|| panic!("a kind of miss handling, not {name}"))
}

/// Table 5.5.
pub fn power_and_area() -> Vec<PowerAndArea> {
    let row = |columns: Vec<&'static str>| {
        let number = |i: usize| columns[i].parse::<u32>().unwrap_or_default();
        let (entries, cam) = ([number(2), number(3)], [number(4), number(5)]);
        let costs = |i: usize| {
            let files = Files::new(kind(columns[1]), entries[i], cam[i], &NODE);
            [files.dynamic_mw(), files.leakage_mw(), files.area_mm2()]
        };
        let (l1, l2) = (costs(0), costs(1));
        let source = [6, 7, 8].map(|i| columns[i].parse().expect("a number"));
        let model = [0, 1, 2].map(|i| CORES * l1[i] + BANKS * l2[i]);
        PowerAndArea { kind: columns[0], entries, cam, source, model }
    };
    rows(include_str!("mshr_power_area.csv")).map(row).collect()
}

const ACCESS_TIMES: &str = include_str!("mshr_access_time.csv");

/// What table 5.6 is.
pub fn access_times_about() -> String {
    notes(ACCESS_TIMES)
}

/// Table 5.6.
pub fn access_times() -> Vec<AccessTime> {
    let mut cells = vec![];
    for columns in rows(ACCESS_TIMES) {
        let (what, level) = (columns[0], columns[3]);
        let (entries, cam) = columns[2].split_once('+').unwrap_or((columns[2], "0"));
        let (entries, cam) = (entries.parse().expect("entries"), cam.parse().expect("entries"));
        let access = Files::new(kind(columns[1]), entries, cam, &NODE).critical_ns();
        let tags = (format!("{what} tags"), 5, conventional(entries).cost(&NODE).tag_ns);
        for (what, column, model) in [(what.to_string(), 4, access), tags] {
            if let Ok(source) = columns[column].parse() {
                cells.push(AccessTime { what, entries: columns[2], level, source, model });
            }
        }
    }
    cells
}

/// Entries of a set, where the handling has sets.
const WAYS: u32 = 8;
fn chip() -> Chip {
    chip::load(Some("kim-ch5".as_ref()), &[]).expect("a shipped configuration")
}

/// The L1 of `kim-ch5`.
pub fn l1() -> CacheParams {
    chip().core().l1d.expect("it has one")
}

/// Its miss handling.
fn l1_handling() -> MshrConfig {
    MshrConfig::from(&chip().config().cache.l1d.mshr)
}

/// Kinds of miss handling with entries of their own in that L1, and which these are.
pub fn own_entries() -> Vec<(&'static str, String)> {
    let own = l1_handling().own();
    let all = MissHandling::ALL.into_iter();
    all.filter_map(|kind| Some((kind.name(), kind.policy().own_entries_about(&own)?))).collect()
}

/// Every kind of miss handling that has a limit, with 32, 64 and 128 entries in the [`l1`].
pub fn in_an_l1() -> Vec<MissHandlingRow> {
    let (l1, handling) = (l1(), l1_handling());
    let with = |mshr: &MshrConfig| {
        // A pending line has a place among them.
        let cache = CacheParams { allocation: mshr.kind.allocation(), write_backs: mshr.entries, ..l1.clone() };
        cache.with_misses(mshr, 0)
    };
    let sizes = |kind| [32, 64, 128].map(|entries| MshrConfig { kind, entries, ways: WAYS, ..handling });
    let all = MissHandling::ALL.into_iter().flat_map(sizes);
    all.filter(|mshr| mshr.lines().is_some()).map(|mshr| miss_handling(&with(&mshr))).collect()
}

fn miss_handling(l1: &CacheParams) -> MissHandlingRow {
    const NM: u32 = 65;
    let formula = CacheArea::new(l1, 1, NM);
    let handling = formula.parts.iter().filter(|part| part.of_misses);
    let largest = handling.max_by(|a, b| a.mm2.total_cmp(&b.mm2)).expect("it has parts");
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
        largest_part: largest.name,
        largest_share: largest.mm2 / formula.misses_mm2(),
        built_mm2: mm2(&all) - mm2(&lines),
        compared_bits: all.comparator_bits(),
        bits: bits(&all) - bits(&lines),
    }
}
