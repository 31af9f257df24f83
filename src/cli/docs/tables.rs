//! Tables of Markdown.

/// A table with a line for each row.
pub fn table<const N: usize>(columns: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    table_of(&columns, rows)
}

/// The same of any width.
pub fn table_of(columns: &[&str], rows: impl IntoIterator<Item = impl AsRef<[String]>>) -> String {
    let head = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    let line = |cells: &[String]| cells.iter().map(|cell| one_line(cell)).collect::<Vec<_>>().join(" | ");
    head + &rows.into_iter().map(|cells| format!("| {} |\n", line(cells.as_ref()))).collect::<String>()
}

/// Text as code.
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// In a cell a line end is a space, and a bar no border.
fn one_line(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_one_line_without_borders() {
        let text = table(["a", "b"], [["x\n y".to_string(), "1|2".into()]]);
        assert_eq!(text, "| a | b |\n|---|---|\n| x y | 1\\|2 |\n");
    }
}
