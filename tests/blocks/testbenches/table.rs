//! A trace as text, in at most [`WIDTH`] columns.
//!
//! ```text
//! cycle  push  data |  full  valid  head
//!     0     1    3a |     0      0    00
//!     1     .    7f |     .      1    3a      `.`: as in the cycle before
//!     4     0     . |     .      .     .      nothing changed in between
//! ```
//!
//! Inputs stand left of the bar, outputs right of it, all hexadecimal. Ports that find no room are a table below, with
//! the same cycles; a wide value is several columns, with its bits in the heading. With several clocks a line is an
//! instant, and the last table ends with the clocks that have an edge. Cycles of reset are left out.

use warpmesh::{hdl::Module, verilog::lockstep::Recording};

/// Columns of text.
pub const WIDTH: usize = 160;
/// Digits of a column; wider values are several.
const DIGITS: usize = 32;
/// Columns of the number of a cycle.
const CYCLE: usize = 5;

/// Some digits of a port.
struct Column {
    /// Lines of its heading.
    heading: Vec<String>,
    is_output: bool,
    port: usize,
    /// Its first digit, from the left, and how many there are.
    first: usize,
    digits: usize,
}

impl Column {
    fn width(&self) -> usize {
        self.heading.iter().map(String::len).fold(self.digits, usize::max)
    }

    /// All of a port.
    fn of(name: &str, width: u32, is_output: bool, port: usize) -> Vec<Self> {
        let all = (width as usize).div_ceil(4);
        let parts = (0..all).rev().step_by(DIGITS).map(|last| {
            let digits = DIGITS.min(last + 1);
            let (first, low) = (last + 1 - digits, 4 * (all - 1 - last));
            let bits = format!("[{}:{low}]", (low + 4 * digits).min(width as usize) - 1);
            let name = if all > DIGITS { format!("{name}_{bits}") } else { name.into() };
            Self { heading: heading(&name, digits), is_output, port, first, digits }
        });
        let mut parts: Vec<_> = parts.collect();
        parts.reverse();
        parts
    }
}

/// The words of a name in lines, which are as wide as the longest of them, or as the digits below.
fn heading(name: &str, digits: usize) -> Vec<String> {
    let words: Vec<_> = name.split_inclusive('_').collect();
    let width = words.iter().map(|word| word.len()).fold(digits, usize::max);
    words.into_iter().fold(vec![], |mut lines: Vec<String>, word| {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() <= width => line.push_str(word),
            _ => lines.push(word.into()),
        }
        lines
    })
}

/// The trace of `module`; see the [module documentation](self).
pub fn table(module: &Module, trace: &Recording) -> String {
    let used = module.domains.iter().enumerate().filter(|(_, domain)| domain.used);
    let clocks: Vec<_> = used.map(|(i, domain)| (i, domain.name.as_str())).collect();
    let clocks = if clocks.len() > 1 { clocks } else { vec![] };
    let sides = [(&trace.inputs, false), (&trace.outputs, true)];
    let columns = sides.into_iter().flat_map(|(ports, is_output)| {
        let ports = ports.list.iter().enumerate();
        ports.flat_map(move |(i, port)| Column::of(&port.name, port.width, is_output, i))
    });
    let of_edges = clocks.iter().map(|(_, name)| name.len() + 1).sum::<usize>() + 3;
    // Room is kept for the bar, and in each table for the clocks.
    let room = WIDTH - CYCLE - 2 - if clocks.is_empty() { 0 } else { of_edges };
    let (mut bands, mut left): (Vec<Vec<Column>>, _) = (vec![], 0);
    for column in columns {
        let width = 2 + column.width();
        match bands.last_mut().filter(|_| width <= left) {
            Some(band) => band.push(column),
            None => {
                bands.push(vec![column]);
                left = room;
            }
        }
        left -= width;
    }
    let count = bands.len();
    let tables = bands.iter().enumerate().map(|(i, band)| {
        let clocks = if i + 1 == count { clocks.as_slice() } else { &[] };
        rows(band, trace, clocks)
    });
    format!("{}\n\n{}", module.name, tables.collect::<Vec<_>>().join("\n"))
}

/// The lines of some columns, with the edges of these clocks.
fn rows(band: &[Column], trace: &Recording, clocks: &[(usize, &str)]) -> String {
    let line = |cycle: &str, cells: &[&str], edges: &str| {
        let mut text = format!("{cycle:>CYCLE$}");
        for (at, (column, cell)) in band.iter().zip(cells).enumerate() {
            if column.is_output && (at == 0 || !band[at - 1].is_output) {
                text += " |";
            }
            text += &format!("  {cell:>width$}", width = column.width());
        }
        if !clocks.is_empty() {
            text += &format!(" |  {edges}");
        }
        text.trim_end().to_string() + "\n"
    };
    let height = band.iter().map(|column| column.heading.len()).fold(1, usize::max);
    let mut text = String::new();
    for at in 0..height {
        // The last lines stand side by side.
        let cells = band.iter().map(|Column { heading, .. }| {
            let line = (at + heading.len()).checked_sub(height);
            line.map_or("", |line| heading[line].as_str())
        });
        let cells: Vec<_> = cells.collect();
        let is_last = at + 1 == height;
        text += &line(if is_last { "cycle" } else { "" }, &cells, if is_last { "edges" } else { "" });
    }
    let mut before: Vec<String> = vec![];
    for (cycle, row) in trace.rows.iter().skip_while(|row| row.reset).enumerate() {
        let values = band.iter().map(|column| {
            let side = if column.is_output { &row.outputs } else { &row.inputs };
            format!("{:x}", side.at(column.port))[column.first..][..column.digits].to_string()
        });
        let values: Vec<_> = values.collect();
        let same = |at: usize| before.get(at) == Some(&values[at]);
        let cells: Vec<_> = (0..band.len()).map(|at| if same(at) { "." } else { values[at].as_str() }).collect();
        let edges =
            clocks.iter().filter(|(i, _)| row.edges.has(*i)).map(|(_, name)| *name).collect::<Vec<_>>().join(" ");
        if !clocks.is_empty() || cells.iter().any(|cell| *cell != ".") {
            text += &line(&cycle.to_string(), &cells, &edges);
        }
        before = values;
    }
    text
}
