//! Registers declared between two braces, and where they live.

use crate::{
    compile::ir::{Pred, Reg},
    ptx::types::ScalarType,
};
use std::collections::HashMap;

/// Registers declared between two braces.
#[derive(Default)]
pub struct RegisterScope {
    /// Declarations: name or prefix, width, count.
    pub declared: Vec<DeclaredName>,
    /// Their places, by name or prefix.
    pub by_name: HashMap<String, Vec<usize>>,
    /// There are vectors among them.
    pub has_vectors: bool,
    /// Registers already met.
    pub bound: HashMap<String, Binding>,
    /// Local variables, by their places in the memory of the thread.
    pub locals: HashMap<String, u32>,
    /// Parameter variables, by their words.
    pub slots: HashMap<String, Vec<Reg>>,
}

/// A declaration of registers.
pub struct DeclaredName {
    pub name: String,
    pub ty: ScalarType,
    pub count: Option<u64>,
    /// Which one of a vector, with its dot.
    pub element: &'static str,
}

/// Elements of a vector of registers.
pub const ELEMENTS: [(&str, &str); 4] = [(".x", ".r"), (".y", ".g"), (".z", ".b"), (".w", ".a")];

impl DeclaredName {
    fn covers(&self, name: &str) -> bool {
        let is_vector = !self.element.is_empty();
        // `.r`, `.g`, `.b`, `.a` are other names of the elements.
        let colour = ELEMENTS.iter().find(|(element, _)| *element == self.element).map_or("", |(_, colour)| colour);
        let stem = name.strip_suffix(self.element).or_else(|| name.strip_suffix(colour).filter(|_| is_vector));
        let Some(name) = stem else { return false };
        match self.count {
            None => self.name == name,
            Some(count) => name
                .strip_prefix(self.name.as_str())
                .filter(|n| *n == "0" || !n.starts_with('0'))
                .and_then(|n| n.parse::<u64>().ok())
                .is_some_and(|n| n < count),
        }
    }
}

impl RegisterScope {
    /// The declaration that covers a name: that of its own, or of a prefix with a count, of an element without its dot.
    pub fn declaration(&self, name: &str) -> Option<&DeclaredName> {
        let stem = name.rsplit_once('.').filter(|_| self.has_vectors).map(|(stem, _)| stem);
        let stems = [Some(name), stem].into_iter().flatten();
        let prefixes = stems.flat_map(|stem| {
            let shortest = stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            (shortest..=stem.len()).map(|end| &stem[..end])
        });
        let places = prefixes.filter_map(|prefix| self.by_name.get(prefix)).flatten().copied();
        let place = places.filter(|place| self.declared[*place].covers(name)).min()?;
        self.declared.get(place)
    }
}

/// Where a PTX register lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// A predicate.
    Predicate(Pred),
    /// Up to 32 bits; bits above `bits` are unspecified.
    Narrow { reg: Reg, bits: u32 },
    /// 64 bits: low, high word.
    Wide([Reg; 2]),
}
