//! `docs/mshr.md` and `area --mshr`: what miss handling costs, by the model, the thesis and the netlist.

use super::tables::{code, table};
use measure::area::mshr_tables::{AccessTime, MissHandlingRow, PowerAndArea, access_times, in_an_l1, power_and_area};

/// The page.
pub fn page() -> String {
    [heading(), thesis(), times(), built()].join("\n")
}

fn heading() -> String {
    "# Miss handling: area, power, access time\n\n`warpmesh area --mshr` prints this page. Formulas: \
     [area-power.md](area-power.md#arrays-and-cams); what the kinds are: [kim.md](kim.md).\n"
        .into()
}

fn beside(source: f64, model: f64, digits: usize) -> String {
    format!("{source:.digits$}, {model:.digits$} ({:+.1} %)", 100.0 * (model / source - 1.0))
}

fn thesis() -> String {
    let row = |row: PowerAndArea| {
        let PowerAndArea { kind, entries: [l1, l2], small, source, model } = row;
        let small = if small == [0, 0] { String::new() } else { format!(" + {}, {}", small[0], small[1]) };
        let [dynamic, leakage, area] = [0, 1, 2].map(|i| beside(source[i], model[i], if i == 2 { 2 } else { 0 }));
        [kind.to_string(), format!("{l1}, {l2}{small}"), dynamic, leakage, area]
    };
    let columns = ["kind", "entries: L1, L2 (+ CAM part)", "dynamic, mW", "leakage, mW", "mm^2"];
    let rows = table(columns, power_and_area().into_iter().map(row));
    format!(
        "## Power and area of the thesis\n\nTable 5.5 of Kim's thesis (2017), 130 nm: files of 15 L1s and 6 L2 banks. The \
         thesis, the model, and how far it is off.\n\n{rows}"
    )
}

fn times() -> String {
    let row = |AccessTime { what, entries, level, source, model }| {
        [what, entries.to_string(), level.to_string(), beside(source, model, 2)]
    };
    let rows = table(["file", "entries", "level", "ns"], access_times().into_iter().map(row));
    format!("## Access times of the thesis\n\nTable 5.6, 130 nm.\n\n{rows}")
}

fn built() -> String {
    let row = |row: &MissHandlingRow| {
        let (part, share) = row.largest;
        [
            code(row.kind),
            row.entries.to_string(),
            format!("{:.4}", row.formula_mm2),
            format!("{part} ({:.0} %)", 100.0 * share),
            format!("{:.3}", row.built_mm2),
            row.compared_bits.to_string(),
            row.bits.to_string(),
        ]
    };
    let all = in_an_l1();
    let least = |kind: &str| {
        let smaller = |row: &&MissHandlingRow| {
            let full = all.iter().find(|full| full.kind == "full" && full.entries == row.entries);
            row.kind == kind && full.is_some_and(|full| row.built_mm2 < full.built_mm2)
        };
        let from = all.iter().filter(smaller).map(|row| row.entries).min();
        from.map_or("at no size here".to_string(), |entries| format!("from {entries} entries on"))
    };
    let (tsma, htsma) = (least("tsma"), least("htsma"));
    let columns = [
        "`cache.l1d.mshr`",
        "entries",
        "by formula, mm^2",
        "largest part",
        "cache as built without its lines, mm^2",
        "compared bits",
        "register and memory bits",
    ];
    let rows = table(columns, all.iter().map(row));
    format!(
        "## In the L1 of this project\n\nThe L1 of `kim-ch5` (32 sets of 8 lines of 128 bytes) at 65 nm; `htsma` has a CAM part \
         of 8 entries beside. Its entries have 8 targets of some\nbits and no fields of 56 bytes as in the thesis, so that \
         what a kind saves is smaller. As built, `tsma` is smaller than `full` {tsma},\n`htsma` {htsma}: below, numbers of entries beside \
         the tags cost more than comparators save.\n\n{rows}"
    )
}
