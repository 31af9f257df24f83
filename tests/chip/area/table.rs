//! Table 6.5 of the thesis, cell by cell, from the shipped configurations alone.

use std::{fmt::Write, path::Path};
use warpmesh::{
    area::{ChipArea, Layout, RouterArea, Technology},
    chip,
};

/// Every cell is met within this.
const TOLERANCE: f64 = 0.03;

/// Rows of the table and the configurations that are these designs.
const DESIGNS: [(&str, &str); 9] = [
    ("Baseline (TB DOR)", "baseline-tb-dor"),
    ("2x-BW", "2x-bw"),
    ("CP DOR 4VC", "cp-dor-4vc"),
    ("CP-CR", "cp-cr"),
    ("CP-CR 2P", "cp-cr-2p"),
    ("Double CP-CR or DCI 4VC", "double-cp-cr"),
    ("DCI 2VC", "dci-2vc"),
    ("DCI 2P 2VC", "dci-2p-2vc"),
    ("DCI 2P 4VC", "dci-2p"),
];

/// Cells that the crosspoint area of the text, 2.07 um^2, misses by more than 3 %. The source's crosspoints are of 2.11
/// to 2.13 um^2 where the printed digits tell (0.87, 3.5, 0.42, 0.69), which in turn misses 0.10 (rounded from 0.104)
/// and the total of CP-CR 2P (36.8, where 18 x 1.22 + 10 x 0.76 + 8 x 1.12 of the same row is 38.5): no constant of the
/// source meets all cells.
const MISSED_WITH_THE_STATED_CROSSPOINT: [(&str, &str); 8] = [
    ("2x-BW", "crossbar full"),
    ("CP-CR", "crossbar half"),
    ("CP-CR 2P", "crossbar half"),
    ("Double CP-CR or DCI 4VC", "crossbar full"),
    ("Double CP-CR or DCI 4VC", "router full"),
    ("DCI 2VC", "crossbar full"),
    ("DCI 2P 2VC", "crossbar full"),
    ("DCI 2P 4VC", "crossbar full"),
];

/// The same with 2.12 um^2, the middle of what its crossbar column implies.
const MISSED_WITH_THE_IMPLIED_CROSSPOINT: [(&str, &str); 5] = [
    ("CP-CR 2P", "routers"),
    ("Double CP-CR or DCI 4VC", "crossbar half"),
    ("DCI 2VC", "crossbar half"),
    ("DCI 2P 2VC", "crossbar half"),
    ("DCI 2P 4VC", "crossbar half"),
];

struct Cell {
    design: String,
    name: String,
    source: f64,
    model: f64,
}

impl Cell {
    fn deviation(&self) -> f64 {
        self.model / self.source - 1.0
    }
}

fn area(config: &str, technology: &Technology) -> ChipArea {
    let chip = chip::load(Some(Path::new(&format!("{config}.toml"))), &[]).expect("shipped");
    ChipArea::new(&chip, Layout::Tile, technology)
}

/// Every number of the table beside what the model says.
fn cells(technology: &Technology) -> Vec<Cell> {
    let rows = include_str!("noc-area-65nm.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut cells = vec![];
    for (row, (design, config)) in rows.zip(DESIGNS) {
        let columns: Vec<_> = row.split(',').collect();
        assert_eq!(columns[0], design);
        let area = area(config, technology);
        let mut cell = |name: &str, source: &str, model: f64| {
            let source = source.parse().unwrap_or_else(|_| panic!("{design}: {name}: {source}"));
            cells.push(Cell { design: design.into(), name: name.into(), source, model });
        };
        cell("one link", columns[4], area.network.one_link_mm2);
        type Part = fn(&RouterArea) -> f64;
        let parts: [(&str, usize, Part); 4] = [
            ("crossbar", 5, |r| r.crossbar_mm2),
            ("buffer", 6, |r| r.buffer_mm2),
            ("allocator", 7, |r| r.allocator_mm2),
            ("router", 8, RouterArea::total_mm2),
        ];
        for (part, column, of) in parts {
            let kinds = ["full", "half", "multi-port full", "multi-port half"];
            for (source, kind) in columns[column].split('|').zip(kinds).filter(|(source, _)| !source.is_empty()) {
                let router = area.network.routers.iter().find(|router| router.shape.kind() == kind);
                cell(&format!("{part} {kind}"), source, of(router.unwrap_or_else(|| panic!("{design}: no {kind}"))));
            }
        }
        // A kind of router that the design has and the table has not would be counted in the sums alone.
        let printed = columns[8].split('|').filter(|source| !source.is_empty()).count();
        assert_eq!(area.network.routers.len(), printed, "{design}");
        cell("links", columns[9], area.network.links_mm2());
        cell("routers", columns[10], area.network.routers_mm2());
        cell("percent", columns[11], area.network_percent());
        cell("chip", columns[12], area.total_mm2());
    }
    cells
}

fn missed(technology: &Technology) -> Vec<(String, String)> {
    let missed = cells(technology).into_iter().filter(|cell| cell.deviation().abs() > TOLERANCE);
    missed.map(|cell| (cell.design, cell.name)).collect()
}

/// Every cell within 3 %, side by side. `cargo test --test chip area::table -- --nocapture` shows it.
#[test]
fn every_cell_of_table_6_5_is_reproduced() {
    let cells = cells(&Technology::NM65);
    let mut text = format!("{:<24} {:<26} {:>9} {:>9}\n", "design", "cell", "source", "model");
    for cell in &cells {
        let Cell { design, name, source, model } = cell;
        let _ = writeln!(text, "{design:<24} {name:<26} {source:>9} {model:>9.4} {:>+6.1} %", 100.0 * cell.deviation());
    }
    println!("{text}");
    assert_eq!(cells.len(), 125);
    let worst = cells.iter().map(|cell| cell.deviation().abs()).fold(0.0, f64::max);
    assert!(worst <= TOLERANCE, "{text}");
}

/// Why the crosspoint is neither what the text states nor what the crossbar column implies.
#[test]
fn neither_crosspoint_of_the_source_meets_every_cell() {
    let owned = |list: &[(&str, &str)]| list.iter().map(|(d, c)| (d.to_string(), c.to_string())).collect::<Vec<_>>();
    let with = |crosspoint_um2| missed(&Technology { crosspoint_um2, ..Technology::NM65 });
    assert_eq!(with(2.07), owned(&MISSED_WITH_THE_STATED_CROSSPOINT));
    assert_eq!(with(2.12), owned(&MISSED_WITH_THE_IMPLIED_CROSSPOINT));
}

/// The sentences of section 6.8 beside the table.
#[test]
fn the_text_of_section_6_8() {
    let baseline = area("baseline-tb-dor", &Technology::NM65);
    let outside = baseline.total_mm2() - baseline.network.total_mm2();
    assert!((outside - 244.68).abs() < 0.01, "non-network area {outside}");
    let local = warpmesh::area::link::area(64, Technology::NM65.local_link_mm, &Technology::NM65);
    assert!((0.0009..0.0011).contains(&local), "a local link of 64 bits: {local}");
    let kinds = area("cp-cr", &Technology::NM65).network.routers;
    let one = |kind: &str| kinds.iter().find(|r| r.shape.kind() == kind).expect("there").total_mm2();
    let half = one("half") / one("full");
    assert!((half - 0.63).abs() < 0.01, "a half-router is 63 % of a full one: {half}");
}
