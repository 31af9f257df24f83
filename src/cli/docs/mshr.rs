//! `docs/mshr.md` and `area --mshr`: what miss handling costs, by the model, the thesis and the netlist.

use super::tables::table_of;
use measure::area::mshr_tables::{
    AccessTime, MissHandlingRow, PowerAndArea, access_times, access_times_about, in_an_l1, l1, own_entries,
    power_and_area,
};
use rtl::cache::{Allocation, MissHandling};

/// A table with what is said of it.
struct Section {
    title: &'static str,
    about: String,
    columns: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// The page.
pub fn page() -> String {
    let heading = "# Miss handling: area, power, access time\n\nGenerated; `warpmesh area --mshr` prints these tables. Formulas: \
         [area-power.md](area-power.md#arrays-and-cams); what the kinds are: [kim.md](kim.md).\n";
    let section = |Section { title, about, columns, rows }: Section| {
        format!("## {title}\n\n{about}\n\n{}", table_of(&columns, rows))
    };
    std::iter::once(heading.to_string()).chain(sections().into_iter().map(section)).collect::<Vec<_>>().join("\n")
}

/// The tables for a terminal.
pub fn text() -> String {
    let section = |Section { title, about, columns, rows }: Section| {
        let header: Vec<_> = columns.iter().map(ToString::to_string).collect();
        let lines: Vec<_> = std::iter::once(&header).chain(&rows).collect();
        let width = |at: usize| lines.iter().map(|cells| cells[at].chars().count()).max().unwrap_or(0);
        let line = |cells: &&Vec<String>| {
            let cells = cells.iter().enumerate().map(|(at, cell)| format!("  {cell:<width$}", width = width(at)));
            cells.collect::<String>().trim_end().to_string() + "\n"
        };
        format!("{title}\n{about}\n\n{}", lines.iter().map(line).collect::<String>())
    };
    sections().into_iter().map(section).collect::<Vec<_>>().join("\n")
}

/// All of it as JSON.
pub fn json() -> serde_json::Value {
    serde_json::json!({
        "format_version": 1,
        "power_and_area_130nm": power_and_area(),
        "access_times_130nm": access_times(),
        "l1_of_kim_ch5_65nm": in_an_l1(),
    })
}

fn sections() -> [Section; 3] {
    [thesis(), times(), built()]
}

fn off(source: f64, model: f64) -> String {
    format!("{:+.1} %", 100.0 * (model / source - 1.0))
}

fn thesis() -> Section {
    let row = |row: PowerAndArea| {
        let PowerAndArea { kind, entries: [l1, l2], cam, source, model } = row;
        let cam = if cam == [0, 0] { "-".to_string() } else { format!("{}, {}", cam[0], cam[1]) };
        let mut cells = vec![kind.to_string(), format!("{l1}, {l2}"), cam];
        for (at, digits) in [0, 0, 2].into_iter().enumerate() {
            cells.push(format!("{:.digits$}", source[at]));
            cells.push(format!("{:.digits$}", model[at]));
        }
        let deviations = [0, 1, 2].map(|at| (at, (model[at] / source[at] - 1.0).abs()));
        let largest = deviations.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        cells.extend(largest.map(|(at, _)| off(source[at], model[at])));
        cells
    };
    Section {
        title: "Power and area in Kim's thesis",
        about: "Table 5.5, 130 nm: the miss files of 15 L1s and 6 L2 banks together. Entries are those of an L1 and of an L2 bank.".into(),
        columns: vec![
            "kind",
            "entries",
            "of CAM parts",
            "dynamic mW, thesis",
            "model",
            "leakage mW, thesis",
            "model",
            "mm^2, thesis",
            "model",
            "largest deviation",
        ],
        rows: power_and_area().into_iter().map(row).collect(),
    }
}

fn times() -> Section {
    let row = |AccessTime { what, entries, level, source, model }| {
        let numbers = [format!("{source:.2}"), format!("{model:.2}"), off(source, model)];
        [what, entries.to_string(), level.to_string()].into_iter().chain(numbers).collect()
    };
    Section {
        title: "Access times in Kim's thesis",
        about: access_times_about(),
        columns: vec!["file", "entries", "level", "thesis", "model", "deviation"],
        rows: access_times().into_iter().map(row).collect(),
    }
}

fn built() -> Section {
    let (l1, all) = (l1(), in_an_l1());
    let row = |row: &MissHandlingRow| {
        vec![
            row.kind.to_string(),
            row.entries.to_string(),
            format!("{:.4}", row.formula_mm2),
            format!("{} ({:.0} %)", row.largest_part, 100.0 * row.largest_share),
            format!("{:.3}", row.built_mm2),
            row.compared_bits.to_string(),
            row.bits.to_string(),
        ]
    };
    let usual = MissHandling::default().name();
    let smaller = |kind: &str| {
        let smaller = |row: &&MissHandlingRow| {
            let full = all.iter().find(|full| full.kind == usual && full.entries == row.entries);
            row.kind == kind && full.is_some_and(|full| row.built_mm2 < full.built_mm2)
        };
        let sizes: Vec<_> = all.iter().filter(smaller).map(|row| row.entries.to_string()).collect();
        if sizes.is_empty() { "none".to_string() } else { sizes.join(" and ") }
    };
    let own = own_entries().into_iter().map(|(kind, entries)| format!("`{kind}` has {entries} in addition"));
    // Those whose entries have no tags of their own.
    let in_tags = MissHandling::ALL.into_iter().filter(|kind| kind.allocation() == Allocation::OnMiss);
    let in_tags: Vec<_> = in_tags.map(MissHandling::name).collect();
    let first = in_tags.first().copied().unwrap_or(usual);
    let sizes = in_tags.iter().enumerate().map(|(at, kind)| {
        let than = if at == 0 { format!(" is smaller than `{usual}`") } else { String::new() };
        let (gap, entries) = if at == 0 { ("\n", " entries") } else { (" ", "") };
        format!("`{kind}`{than} with{gap}{}{entries}", smaller(kind))
    });
    Section {
        title: "In the L1 of this project",
        about: format!(
            "The L1 of `kim-ch5` ({} sets of {} lines) at 65 nm, with the kinds of `cache.l1d.mshr.kind`; {}. The formula\n\
             counts the arrays of miss handling alone; one of more than 32 rows is four sub-arrays or more with columns of \
             their own, so that `{usual}`\nmore than doubles from 32 entries to 64. As built is the whole cache in the netlist but for the array of its lines: \
             the two columns do\nnot compare. An entry keeps the tags of {} waiting requests here, 56 bytes in the thesis. As built, {}: \
             otherwise the number of an entry in each tag costs more than the comparators that it replaces (`area kim-ch5\n\
             --instance core0.l1d.cache -P cache.l1d.mshr.kind={first} -P cache.l1d.allocation=on-miss`).",
            l1.sets,
            l1.ways,
            own.collect::<Vec<_>>().join("; "),
            l1.targets,
            sizes.collect::<Vec<_>>().join(", ")
        ),
        columns: vec![
            "kind",
            "entries",
            "mm^2 by formula",
            "largest part of it",
            "mm^2 as built",
            "compared bits",
            "register and memory bits",
        ],
        rows: all.iter().map(row).collect(),
    }
}
