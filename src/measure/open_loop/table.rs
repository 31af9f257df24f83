//! Tables in files: traffic that a person or another tool has written, as text with commas and a line of column names.

use rtl::noc::{NodeKind, Nodes};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// A mistake in a table, at its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {problem}: allowed: {allowed}")]
pub struct TableError {
    /// Name of the file.
    pub file: String,
    /// From 1 on.
    pub line: u64,
    /// What is wrong.
    pub problem: String,
    /// What is allowed.
    pub allowed: String,
}

/// A line of a table.
pub struct MeasurementRow<'a> {
    file: &'a str,
    /// Its number, from 1 on.
    pub line: u64,
    columns: &'a [&'a str],
    values: Vec<&'a str>,
}

impl MeasurementRow<'_> {
    /// A mistake in this line.
    pub fn wrong(&self, problem: impl Display, allowed: impl Display) -> TableError {
        let (file, problem, allowed) = (self.file.into(), problem.to_string(), allowed.to_string());
        TableError { file, line: self.line, problem, allowed }
    }

    /// The value of a column; nothing where it is empty, or where there is no such column.
    pub fn text(&self, column: &str) -> Option<&str> {
        let at = self.columns.iter().position(|name| *name == column)?;
        self.values.get(at).copied().filter(|value| !value.is_empty())
    }

    /// A number that has to be there.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &self,
        column: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, TableError> {
        let allowed = format!("{} to {}", range.start(), range.end());
        let Some(text) = self.text(column) else { return Err(self.wrong(format!("no {column}"), allowed)) };
        let number = text.parse::<T>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| self.wrong(format!("{column} = {text}"), allowed))
    }
}

/// Reads `text`, the content of `file`, which has the columns `needed` and may have those of `others`, in any order. Lines that begin with `#` are
/// comments.
pub fn read<'a, T>(
    file: &'a str,
    text: &'a str,
    (needed, others): (&[&str], &[&str]),
    mut each: impl FnMut(&MeasurementRow<'_>) -> Result<T, TableError>,
) -> Result<Vec<T>, TableError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let split = |line: &'a str| line.split(',').map(str::trim).collect::<Vec<_>>();
    let (top, columns) = lines.next().map_or((1, vec![]), |(number, line)| (number, split(line)));
    let allowed = || {
        let optional = if others.is_empty() { String::new() } else { format!(", perhaps {}", others.join(", ")) };
        format!("a first line with the columns {}{optional}", needed.join(", "))
    };
    let at_top = |problem: String| TableError { file: file.into(), line: top, problem, allowed: allowed() };
    if let Some(name) = needed.iter().find(|name| !columns.contains(name)) {
        return Err(at_top(format!("no column `{name}`")));
    }
    for (at, column) in columns.iter().enumerate() {
        if !needed.contains(column) && !others.contains(column) {
            return Err(at_top(format!("column `{column}`")));
        }
        if columns[..at].contains(column) {
            return Err(at_top(format!("column `{column}` twice")));
        }
    }
    let mut rows = vec![];
    for (line, text) in lines {
        let row = MeasurementRow { file, line, columns: &columns, values: split(text) };
        if row.values.len() != columns.len() {
            let problem = format!("{} values", row.values.len());
            return Err(row.wrong(problem, format!("{}, with commas between", columns.len())));
        }
        rows.push(each(&row)?);
    }
    if rows.is_empty() {
        return Err(TableError {
            file: file.into(),
            line: 1,
            problem: "nothing in the table".into(),
            allowed: "a line at the least".into(),
        });
    }
    Ok(rows)
}

/// Errors: `source` or `dest` of a line is no node, or one with nothing attached.
pub fn check_nodes((file, line): (&str, u64), [source, dest]: [u32; 2], nodes: &Nodes) -> Result<(), TableError> {
    for (column, node) in [("source", source), ("dest", dest)] {
        let allowed = match node < nodes.len() {
            true if nodes.node(node).kind != NodeKind::Empty => continue,
            true => "a node with something attached".into(),
            false => format!("nodes 0 to {}", nodes.len() - 1),
        };
        return Err(TableError { file: file.into(), line, problem: format!("{column} = {node}"), allowed });
    }
    Ok(())
}
