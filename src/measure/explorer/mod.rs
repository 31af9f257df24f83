//! A record as one HTML page that needs no network and no server.
//!
//! ```text
//!  Stored::Run ──┬─ figures: reports as rows of tables,
//!                │  parts: what is a sum of parts ───────┐
//!                ├─ series: samples, summed and joined ──┤                   │
//!                └─ plan_over_time: links by frame ──────┼─> JSON ───────────┐
//!  two of these ──── pair: what differs ─────────────────┤                   │
//!  Stored::Network ── network: curves, floor plans ──────┤                   │
//!  Stored::Study ──── study: claims, designs, runs ──────┘                   │
//!  frame.html ── run.html, ... ── page.css ── vendor ── shared.js, record.js, run.js, ... ─> page
//! ```
//!
//! The page is `frame.html` with the other files put into it where it names them. All that it shows is one JSON object in
//! it, which the scripts draw. A Content-Security-Policy forbids the page to load anything. The page of
//! [`monitor`](crate::monitor) has the same style, charts and `shared.js`.
//!
//! Tests: `tests/cli/explorer.rs`, with Chromium.

mod chip_numbers;
mod figures;
mod network;
mod pair;
mod parts;
mod plan_over_time;
mod series;
mod study;

use crate::record::{RecordError, Stored, StoredNetwork, StoredRecord};
use chip_numbers::{ChipNumbers, ROOM};
use figures::{Launches, Reports, overview};
use network::NetworkPage;
use pair::PairPage;
use parts::Part;
use plan_over_time::PlanOverTime;
use serde::Serialize;
use series::Series;
use study::StudyPage;

const FRAME: &str = include_str!("frame.html");
pub(crate) const STYLE: &str = include_str!("page.css");
/// What scripts of pages have in common, also of those of [`monitor`](crate::monitor).
pub(crate) const SHARED: &str = include_str!("shared.js");
/// What scripts of records have in common.
const RECORD: &str = include_str!("record.js");
pub(crate) const CHARTS: &str = include_str!("vendor/echarts.min.js");

const CURVES: &str = include_str!("curves.js");

/// What differs between pages.
struct Kind {
    /// Identifiers and titles of the parts that the head of the page leads to.
    sections: &'static [(&'static str, &'static str)],
    /// The one that a keyboard gets to at once, and what is there.
    skips_to: (&'static str, &'static str),
    body: &'static str,
    /// One after the other.
    scripts: &'static [&'static str],
}

const RUN: Kind = Kind {
    sections: &[
        ("overview", "Overview"),
        ("over-time", "Over time"),
        ("plan", "Network over time"),
        ("sums", "Sums in the window"),
        ("parts", "By part"),
        ("report", "Report"),
        ("configuration", "Configuration"),
    ],
    skips_to: ("over-time", "curves"),
    body: include_str!("run.html"),
    scripts: &[CURVES, include_str!("parts.js"), include_str!("plan.js"), include_str!("run.js")],
};
const PAIR: Kind = Kind {
    sections: &[
        ("overview", "Overview"),
        ("differences", "Configuration"),
        ("figures", "Figures"),
        ("over-time", "Over time"),
        ("configuration", "Files"),
    ],
    skips_to: ("figures", "figures"),
    body: include_str!("pair.html"),
    scripts: &[CURVES, include_str!("pair.js")],
};
const NETWORK: Kind = Kind {
    sections: &[
        ("overview", "Overview"),
        ("loads", "Loads"),
        ("plan", "Floor plan"),
        ("report", "Report"),
        ("configuration", "Configuration"),
    ],
    skips_to: ("loads", "curves"),
    body: include_str!("network.html"),
    scripts: &[include_str!("network.js")],
};
const STUDY: Kind = Kind {
    sections: &[
        ("overview", "Overview"),
        ("claims", "Claims"),
        ("charts-of-runs", "Charts"),
        ("all-runs", "Runs"),
        ("report", "Report"),
        ("configuration", "Configuration"),
    ],
    skips_to: ("charts-of-runs", "charts"),
    body: include_str!("study.html"),
    scripts: &[include_str!("study.js")],
};

/// All that the page of a run shows.
#[derive(Serialize)]
struct RunPage {
    overview: Vec<(&'static str, String)>,
    config: String,
    reports: Vec<Reports>,
    /// Reports of launches that are not among them.
    reports_left_out: usize,
    launches: Option<Launches>,
    chip: ChipNumbers,
    /// Of the chip by part, mm^2.
    area: Option<Vec<Part>>,
    series: Series,
    plan: Option<PlanOverTime>,
}

/// The page of a record.
///
/// # Errors
/// When the record is damaged.
pub fn page(record: &Stored) -> Result<String, RecordError> {
    Ok(match record {
        Stored::Run(record) => assembled(RUN, &figures::title(record), &RunPage::of(record)?),
        Stored::Network(record) => networks(&[record]),
        Stored::Study(record) => assembled(STUDY, &study::title(record), &StudyPage::of(record)),
    })
}

/// The page of networks: those of all these records.
pub fn networks(records: &[&StoredNetwork]) -> String {
    assembled(NETWORK, &network::title(records), &NetworkPage::of(records))
}

/// The page of two runs side by side.
///
/// # Errors
/// When one of the records is damaged.
pub fn pair(records: [&StoredRecord; 2]) -> Result<String, RecordError> {
    Ok(assembled(PAIR, &pair::title(records), &PairPage::of(records)?))
}

impl RunPage {
    fn of(record: &StoredRecord) -> Result<Self, RecordError> {
        let figures::Found { reports, reports_left_out, launches, peak_ipc, chip_mm2 } = figures::of(record)?;
        let (chip, series) = (ChipNumbers::of(record, peak_ipc)?, Series::within(record, ROOM)?);
        Ok(Self {
            overview: overview(record),
            config: record.config.clone(),
            reports,
            reports_left_out,
            launches,
            chip,
            area: chip_mm2.and_then(|mm2| parts::area(record, mm2)),
            plan: PlanOverTime::of(record, &figures::title(record), &series)?,
            series,
        })
    }
}

/// A page of this kind.
fn assembled(kind: Kind, title: &str, data: &impl Serialize) -> String {
    let data = serde_json::to_string(data).expect("texts and numbers are JSON");
    let sections: Vec<_> = kind.sections.iter().map(|(id, title)| format!("<a href=\"#{id}\">{title}</a>")).collect();
    let part = |name: &str| match name {
        "title" => escaped(title),
        "style" => STYLE.into(),
        "first" => kind.skips_to.0.into(),
        "what" => kind.skips_to.1.into(),
        "sections" => sections.join("\n"),
        "body" => kind.body.into(),
        "charts" => CHARTS.into(),
        "shared" => SHARED.into(),
        // No text of the data ends the element that it is in.
        "data" => data.replace('<', "\\u003c"),
        _ => format!("{RECORD}\n{}", kind.scripts.join("\n")),
    };
    filled(FRAME, part)
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
