//! `papers.md`: the configuration tables of the papers row by row, beside the values of the chips that stand for them.
//!
//! `papers.toml` has the papers' values and what ours are called: `{core.warps}` is that value of the configuration.

use super::tables::table;
use crate::Failure;
use rtl::chip::{self, Chip};
use std::path::Path;

const DATA: &str = include_str!("papers.toml");

const INTRO: &str = "\
# The papers' chips

Each table of configuration of the papers, row by row, beside the chip that stands for it here: its values are read from the
configuration. A row that differs says why.
";

/// A table of a paper.
struct PaperTable {
    title: String,
    /// The shipped configuration.
    config: String,
    /// Parameter, the paper's value, ours, and why it differs.
    rows: Vec<[String; 4]>,
}

/// The page.
pub fn page() -> Result<String, Failure> {
    let sections: Vec<String> = papers().iter().map(section).collect::<Result<_, _>>()?;
    Ok(format!("{INTRO}{}", sections.concat()))
}

fn papers() -> Vec<PaperTable> {
    let text = |value: &toml::Value| value.as_str().expect("a text").to_string();
    let row = |row: &toml::Value| {
        let cells: Vec<String> = row.as_array().expect("a row").iter().map(text).collect();
        <[String; 4]>::try_from(cells).expect("parameter, paper, here, why")
    };
    let data: toml::Table = DATA.parse().expect("it is part of the program");
    let tables = data["table"].as_array().expect("tables").iter();
    let table = |table: &toml::Value| PaperTable {
        title: text(&table["title"]),
        config: text(&table["config"]),
        rows: table["rows"].as_array().expect("rows").iter().map(row).collect(),
    };
    tables.map(table).collect()
}

fn section(paper: &PaperTable) -> Result<String, Failure> {
    let PaperTable { title, config, rows } = paper;
    let chip = chip::load(Some(Path::new(config)), &[]).map_err(Failure::input)?;
    let rows = rows
        .iter()
        .map(|[parameter, said, ours, why]| [parameter.clone(), said.clone(), filled(ours, &chip), why.clone()]);
    Ok(format!("\n## {title}: `{config}`\n\n{}", table(["parameter", "paper", "here", "why different"], rows)))
}

/// A text with the values of the configuration in place of their paths.
fn filled(text: &str, chip: &Chip) -> String {
    let config = toml::Value::try_from(chip.config()).expect("a configuration is a table");
    let mut parts = text.split('{');
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (path, rest) = part.split_once('}').expect("braces come in pairs");
        let value = match path {
            "cores" => chip.core_nodes().len().to_string(),
            path => match path.split('.').try_fold(&config, |value, key| value.get(key)) {
                Some(toml::Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => panic!("a configuration has no `{path}`"),
            },
        };
        all += &value;
        all += rest;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_values_and_every_difference_its_reason() {
        for paper in papers() {
            let chip = chip::load(Some(Path::new(&paper.config)), &[]).expect("it is shipped");
            for [parameter, said, ours, why] in &paper.rows {
                let ours = filled(ours, &chip);
                assert!(!parameter.is_empty() && !said.is_empty() && !ours.is_empty(), "{}: {parameter}", paper.title);
                assert_eq!(*said != ours, !why.is_empty(), "{}: {parameter}: {said} and {ours}", paper.title);
            }
        }
    }

    #[test]
    fn values_stand_in_place_of_their_paths() {
        let chip = chip::load(Some(Path::new("baseline-tb-dor")), &[]).expect("it is shipped");
        assert_eq!(filled("{cores} cores, {core.warps} warps; {network.routing}", &chip), "28 cores, 32 warps; xy");
    }
}
