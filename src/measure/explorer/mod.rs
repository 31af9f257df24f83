//! A record as one HTML page that needs no network and no server.
//!
//! ```text
//!  StoredRecord ──┬─ figures: reports as rows of tables ──┐
//!                 └─ series: samples, summed and joined ──┴─> JSON ─────┐
//!  page.html ── page.css ── vendor/echarts.min.js ── shared.js, page.js ┴─> page
//! ```
//!
//! The page is `page.html` with the other files put into it where it names them. All that it shows is one JSON object in
//! it; `page.js` draws it. A Content-Security-Policy forbids the page to load anything. The page of
//! [`monitor`](crate::monitor) has the same style, charts and `shared.js`.
//!
//! Tests: `tests/cli/explorer.rs`, with Chromium.

mod figures;
mod series;

use crate::record::{RecordError, StoredRecord};
use figures::{Launches, Reports, overview};
use serde::Serialize;
use series::Series;

const PAGE: &str = include_str!("page.html");
pub(crate) const STYLE: &str = include_str!("page.css");
/// What scripts of pages have in common.
pub(crate) const SHARED: &str = include_str!("shared.js");
const SCRIPT: &str = include_str!("page.js");
pub(crate) const CHARTS: &str = include_str!("vendor/echarts.min.js");

/// Points of a curve, and fewer where the data would take more bytes than [`ROOM`].
const POINTS: [usize; 4] = [2000, 1000, 500, 250];
/// Bytes of samples; with the library the page stays below 5 MB.
const ROOM: usize = 3_000_000;

/// All that a page shows.
#[derive(Serialize)]
struct PageData {
    title: String,
    overview: Vec<(&'static str, String)>,
    config: String,
    reports: Vec<Reports>,
    /// Reports of launches that are not among them.
    reports_left_out: usize,
    launches: Option<Launches>,
    chip: ChipNumbers,
    series: Series,
}

/// What curves are measured by.
#[derive(Serialize)]
struct ChipNumbers {
    /// Thread instructions a cycle.
    peak_ipc: Option<f64>,
    /// Parts of a core that issue.
    issue_slots: u64,
    /// Cycles of DRAM in one of the cores.
    dram_cycles: f64,
}

/// The page of a record.
///
/// # Errors
/// When the record is damaged.
pub fn page(record: &StoredRecord) -> Result<String, RecordError> {
    let figures::Found { reports, reports_left_out, launches, peak_ipc } = figures::of(record)?;
    let config = record.config_table()?;
    // A key that is not there has no effect on this chip.
    let number = |table: &str, key: &str| config.get(table)?.get(key)?.as_integer();
    let megahertz = |clock| number("clocks", clock).unwrap_or(1) as f64;
    let chip = ChipNumbers {
        peak_ipc,
        issue_slots: number("core", "issue_slots").unwrap_or(1) as u64,
        dram_cycles: megahertz("dram") / megahertz("core"),
    };
    let [most, fewer @ ..] = POINTS;
    let mut series = Series::of(record, most)?;
    for points in fewer {
        if series.bytes() <= ROOM {
            break;
        }
        series = Series::of(record, points)?;
    }
    let title = figures::title(record);
    let data = PageData {
        title: title.clone(),
        overview: overview(record),
        config: record.config.clone(),
        reports,
        reports_left_out,
        launches,
        chip,
        series,
    };
    let data = serde_json::to_string(&data).expect("texts and numbers are JSON");
    let part = |name: &str| match name {
        "title" => escaped(&title),
        "style" => STYLE.into(),
        "charts" => CHARTS.into(),
        "shared" => SHARED.into(),
        // No text of the data ends the element that it is in.
        "data" => data.replace('<', "\\u003c"),
        _ => SCRIPT.into(),
    };
    Ok(filled(PAGE, part))
}

/// A page with its parts in the places that name them.
pub(crate) fn filled(page: &str, part: impl Fn(&str) -> String) -> String {
    let (first, others) = page.split_once("{{").expect("the page names its parts");
    let others = others.split("{{").filter_map(|text| text.split_once("}}"));
    others.fold(first.to_string(), |page, (name, rest)| page + &part(name) + rest)
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
