//! A library of cells in the Liberty format: as much as their names and areas.

use super::yosys::SynthesisError;
use common::files::{LIBERTY_LIMIT, read_text};
use std::{collections::BTreeMap, path::Path};

/// A Liberty file: the areas of its cells.
pub(crate) struct CellLibrary {
    pub(crate) text: String,
    areas: BTreeMap<String, f64>,
}

impl CellLibrary {
    pub(crate) fn read(path: &Path) -> Result<Self, SynthesisError> {
        let text =
            read_text(path, LIBERTY_LIMIT).map_err(|cause| SynthesisError::Liberty { path: path.into(), cause })?;
        let areas = areas(&text);
        if areas.is_empty() {
            return Err(SynthesisError::NoCells(path.into()));
        }
        Ok(Self { text, areas })
    }

    pub(crate) fn area(&self, cells: &BTreeMap<String, u64>) -> Result<f64, SynthesisError> {
        let each = |(kind, count): (&String, &u64)| {
            let area = self.areas.get(kind).ok_or_else(|| SynthesisError::Cell(kind.clone()))?;
            Ok(area * *count as f64)
        };
        cells.iter().map(each).sum()
    }

    /// A buffer that drives its inputs and flip-flops' outputs stand for: one of four times the smallest's strength, if names tell.
    pub(crate) fn buffer(&self) -> Option<&str> {
        // Its name becomes part of commands.
        let plain = |name: &&String| name.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
        let buffers = || self.areas.keys().filter(plain).filter(|name| name.to_lowercase().contains("buf"));
        let of_four = buffers().find(|name| name.ends_with("_4") || name.to_lowercase().ends_with("x4"));
        of_four.or_else(|| buffers().next()).map(String::as_str)
    }

    /// Area of the smallest cell that is called a NAND of two inputs: `nand2`, `ND2`.
    pub(crate) fn nand(&self) -> Option<f64> {
        let nands = self.areas.iter().filter(|(name, _)| is_nand(&name.to_lowercase()));
        nands.map(|(_, area)| *area).filter(|area| *area > 0.0).min_by(f64::total_cmp)
    }
}

fn is_nand(name: &str) -> bool {
    name.contains("nand2") || name.starts_with("nd2")
}

/// Name and area of every cell: `cell (NAME) { area : 7.2576; ...`.
fn areas(text: &str) -> BTreeMap<String, f64> {
    let mut areas = BTreeMap::new();
    let mut cell: Option<String> = None;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("cell").map(str::trim_start).and_then(|rest| rest.strip_prefix('(')) {
            cell = rest.split(')').next().map(|name| name.trim().trim_matches('"').to_string());
        }
        let value = line.strip_prefix("area").map(str::trim_start).and_then(|rest| rest.strip_prefix(':'));
        if let (Some(name), Some(value)) = (&cell, value)
            && let Ok(area) = value.trim().trim_end_matches(';').trim().trim_matches('"').parse()
        {
            areas.insert(name.clone(), area);
            cell = None;
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_cells_and_of_nothing_else() {
        let text = "library (x) {\n  operating_conditions (a) { }\n  cell (\"nand2_1\") {\n    area : 7.2576;\n    pin (A) { area : 3; }\n  }\n  cell(inv_1) {\n    cell_footprint : \"IN\";\n    area : 5.4432;\n  }\n}\n";
        let found = areas(text);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [("inv_1".to_string(), 5.4432), ("nand2_1".to_string(), 7.2576)]
        );
        assert!(areas("no library").is_empty());
    }
}
