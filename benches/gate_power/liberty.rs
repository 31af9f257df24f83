//! A Liberty file: capacitance of the inputs and energy inside of every cell.
//!
//! Of the crates that read the format none reads the free library that figures are made with.

use std::{collections::BTreeMap, fs, path::Path};

/// Row of the tables of energy that is looked up, of the second shortest transition of an input: 0.1 ns.
const TRANSITION_AT: usize = 1;

/// A cell.
#[derive(Default, Debug)]
pub struct Cell {
    /// Inputs, clocks among them: capacitance, fF, and energy of a change that no output follows, fJ.
    pub inputs: BTreeMap<String, Input>,
    /// Outputs: energy inside of a change by load, fF and fJ.
    pub outputs: BTreeMap<String, Vec<(f64, f64)>>,
    /// The input that is the clock of a flip-flop.
    pub clock: Option<String>,
}

/// An input of a cell.
#[derive(Clone, Copy, Default, Debug)]
pub struct Input {
    /// fF.
    pub ff: f64,
    /// Mean of rise and fall, fJ.
    pub fj: f64,
}

impl Cell {
    /// Energy inside of a change of an output that drives so much, fJ.
    pub fn inside_fj(&self, output: &str, ff: f64) -> f64 {
        let Some(points) = self.outputs.get(output).filter(|points| !points.is_empty()) else { return 0.0 };
        let next = points.iter().position(|&(load, _)| load >= ff).unwrap_or(points.len() - 1).max(1);
        let (&(from, low), &(to, high)) = (&points[next - 1], &points[next.min(points.len() - 1)]);
        if to > from { low + (high - low) * ((ff - from) / (to - from)).clamp(0.0, 1.0) } else { low }
    }
}

/// A library.
pub struct Library {
    /// Supply, V.
    pub volts: f64,
    /// By name.
    pub cells: BTreeMap<String, Cell>,
}

impl Library {
    /// Reads a file in units of V, pF, pJ.
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut reader = Reader { words: words(&text).into_iter().peekable() };
        let library = reader.group().unwrap_or_else(|| panic!("{}: no Liberty file", path.display()));
        let cells = library.groups.iter().filter(|group| group.kind == "cell");
        let cells = cells.map(|group| (group.name.clone(), cell(group))).collect();
        Self { volts: library.number("nom_voltage").expect("a library has a supply"), cells }
    }
}

fn cell(group: &Group) -> Cell {
    let mut cell = Cell::default();
    for pin in group.groups.iter().filter(|group| group.kind == "pin") {
        let energies = pin.groups.iter().filter(|group| group.kind == "internal_power").collect::<Vec<_>>();
        if pin.attributes.get("direction").is_some_and(|direction| direction == "output") {
            cell.outputs.insert(pin.name.clone(), by_load(&energies));
            continue;
        }
        // The one that holds whatever the other inputs are, else the mean.
        let always: Vec<_> = energies.iter().copied().filter(|e| !e.attributes.contains_key("when")).collect();
        let of: Vec<f64> = if always.is_empty() { &energies } else { &always }.iter().map(|e| mean(e, 0)).collect();
        let fj = if of.is_empty() { 0.0 } else { 1e3 * of.iter().sum::<f64>() / of.len() as f64 };
        cell.inputs.insert(pin.name.clone(), Input { ff: 1e3 * pin.number("capacitance").unwrap_or_default(), fj });
        if pin.attributes.get("clock").is_some_and(|clock| clock == "true") {
            cell.clock = Some(pin.name.clone());
        }
    }
    cell
}

/// Energy of a change by load, mean over the inputs that it may come from.
fn by_load(energies: &[&Group]) -> Vec<(f64, f64)> {
    let loads = energies.iter().find_map(|energy| {
        let table = energy.groups.iter().find(|table| table.complex.contains_key("index_2"))?;
        Some(numbers(&table.complex["index_2"]))
    });
    let loads = loads.unwrap_or_else(|| vec![0.0]);
    let tables: Vec<_> =
        energies.iter().filter(|energy| energy.groups.iter().any(|t| t.complex.contains_key("index_2"))).collect();
    let at = |(number, load): (usize, &f64)| {
        let sum: f64 = tables.iter().map(|energy| mean(energy, number)).sum();
        (1e3 * load, 1e3 * sum / tables.len().max(1) as f64)
    };
    loads.iter().enumerate().map(at).collect()
}

/// Mean of rise and fall at a load, pJ.
fn mean(energy: &Group, load: usize) -> f64 {
    let of = |table: &Group| {
        let values = numbers(table.complex.get("values").map_or("", String::as_str));
        let loads = table.complex.get("index_2").map_or(1, |index| numbers(index).len());
        values.get(TRANSITION_AT * loads + load).or(values.first()).copied().unwrap_or_default()
    };
    let tables = ["rise_power", "fall_power"].map(|kind| energy.groups.iter().find(|table| table.kind == kind));
    tables.iter().flatten().map(|table| of(table)).sum::<f64>() / 2.0
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([',', ' ']).filter_map(|number| number.parse().ok()).collect()
}

/// `kind (name) { attribute : value; complex (value, value); group (...) { } }`.
#[derive(Default, Debug)]
struct Group {
    kind: String,
    name: String,
    attributes: BTreeMap<String, String>,
    complex: BTreeMap<String, String>,
    groups: Vec<Group>,
}

impl Group {
    fn number(&self, attribute: &str) -> Option<f64> {
        self.attributes.get(attribute)?.parse().ok()
    }
}

/// Words and marks; quotes, comments and ends of lines are gone.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut rest) = (vec![], text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => {
                let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                words.push(rest[1..end - 1].replace(['\\', '\n'], " "));
                end
            }
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '(' | ')' | '{' | '}' | ':' | ';' | ',' => {
                words.push(first.to_string());
                1
            }
            _ if first.is_whitespace() || first == '\\' => 1,
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c)).unwrap_or(rest.len());
                words.push(rest[..end].into());
                end
            }
        };
        rest = &rest[end..];
    }
    words
}

/// Reads groups from words.
struct Reader {
    words: std::iter::Peekable<std::vec::IntoIter<String>>,
}

impl Reader {
    /// A group from its kind on.
    fn group(&mut self) -> Option<Group> {
        let kind = self.words.next()?;
        self.words.next().filter(|word| word == "(")?;
        let name = self.to(")");
        self.inside(kind, name)
    }

    /// A group from its bracket on.
    fn inside(&mut self, kind: String, name: String) -> Option<Group> {
        self.words.next().filter(|word| word == "{")?;
        let mut group = Group { kind, name, ..Group::default() };
        loop {
            let word = self.words.next()?;
            match word.as_str() {
                "}" => return Some(group),
                ";" => continue,
                _ => {}
            }
            if self.words.next()? == ":" {
                let value = self.to(";");
                group.attributes.insert(word, value);
                continue;
            }
            let name = self.to(")");
            if self.words.peek()? == "{" {
                group.groups.push(self.inside(word, name)?);
            } else {
                group.complex.insert(word, name);
            }
        }
    }

    /// Up to a mark, without commas.
    fn to(&mut self, mark: &str) -> String {
        let all: Vec<_> = self.words.by_ref().take_while(|word| word != mark).filter(|word| word != ",").collect();
        all.join(" ")
    }
}
