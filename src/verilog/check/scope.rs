//! What a module declares, and what drives it.

use super::{Fault, tokens::Token};
use crate::names;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameKind {
    Input,
    /// Driven by an assignment or a child.
    Wire,
    /// Driven by an `always` block.
    Variable,
    Memory {
        depth: u64,
    },
    Instance,
    /// The name of a value.
    Constant,
    /// Counts the iterations of a loop from 0; none before the loop, and the name of a loop has none.
    Genvar {
        iterations: u64,
    },
}

impl NameKind {
    fn name(self) -> &'static str {
        match self {
            NameKind::Input => "an input",
            NameKind::Wire => "a wire",
            NameKind::Variable => "a variable",
            NameKind::Memory { .. } => "a memory",
            NameKind::Instance => "an instance",
            NameKind::Constant => "a constant",
            NameKind::Genvar { .. } => "a loop",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) kind: NameKind,
    pub(super) width: u32,
    line: usize,
    drivers: usize,
}

/// A port, as parents see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModulePort {
    pub(super) width: u32,
    pub(super) is_input: bool,
}

/// A module that has been read.
pub(super) struct ParsedModule<'t> {
    pub(super) ports: BTreeMap<&'t str, ModulePort>,
    pub(super) names: FxHashMap<&'t str, Declared>,
}

/// The names of the module that is being read, and what has been found wrong with it.
#[derive(Default)]
pub(super) struct ModuleScope<'t> {
    pub(super) names: FxHashMap<&'t str, Declared>,
    pub(super) ports: BTreeMap<&'t str, ModulePort>,
    pub(super) faults: Vec<Fault>,
}

impl<'t> ModuleScope<'t> {
    pub(super) fn fault(&mut self, line: usize, message: impl Into<String>) {
        self.faults.push(Fault::at(line, message));
    }

    pub(super) fn declare(&mut self, name: &'t str, kind: NameKind, width: u32, line: usize) {
        if let Some(earlier) = self.names.get(name) {
            let text = format!("`{name}` is declared twice: as {} in line {}", earlier.kind.name(), earlier.line);
            return self.fault(line, text);
        }
        self.names.insert(name, Declared { kind, width, line, drivers: 0 });
    }

    /// What `name` stands for; a fault where it is not declared.
    pub(super) fn find(&mut self, name: &str, line: usize) -> Option<Declared> {
        let found = self.names.get(name).cloned();
        if found.is_none() {
            self.fault(line, format!("`{name}` is not declared before this"));
        }
        found
    }

    /// As [`find`](Self::find), for what has to be one of `kinds`, in words `wanted`.
    pub(super) fn find_as(
        &mut self,
        name: &str,
        line: usize,
        wanted: &str,
        is: impl FnOnce(NameKind) -> bool,
    ) -> Option<Declared> {
        let found = self.find(name, line)?;
        if !is(found.kind) {
            self.fault(line, format!("`{name}` is {}, not {wanted}", found.kind.name()));
            return None;
        }
        Some(found)
    }

    /// From here on `name`, which is a loop, counts `iterations`.
    pub(super) fn set_iterations(&mut self, name: &str, iterations: u64) {
        if let Some(Declared { kind: NameKind::Genvar { iterations: of }, .. }) = self.names.get_mut(name) {
            *of = iterations;
        }
    }

    /// Iterations of the loop that `name` counts, where it is one that is being read.
    pub(super) fn iterations(&self, name: &str) -> Option<u64> {
        match self.names.get(name)?.kind {
            NameKind::Genvar { iterations } if iterations > 0 => Some(iterations),
            _ => None,
        }
    }

    /// One more driver of `name`.
    pub(super) fn drive(&mut self, name: &str, line: usize) {
        let Some(declared) = self.names.get_mut(name) else { return };
        declared.drivers += 1;
        if declared.drivers > 1 {
            self.fault(line, format!("`{name}` has another driver"));
        }
    }

    /// Nothing more comes: whatever has no driver will have none.
    pub(super) fn finish(&mut self) {
        let without = |(name, declared): (&&'t str, &Declared)| {
            let needs = matches!(declared.kind, NameKind::Wire | NameKind::Variable) && declared.drivers == 0;
            needs.then(|| Fault::at(declared.line, format!("nothing drives `{name}`")))
        };
        let mut without: Vec<_> = self.names.iter().filter_map(without).collect();
        without.sort_by_key(|fault| fault.line);
        self.faults.extend(without);
    }
}

/// The name that a token is, and no reserved word.
pub(super) fn name_of<'t>(token: Token<'t>, line: usize) -> Result<&'t str, Fault> {
    match token {
        Token::Word(name) if names::is_reserved(name) => {
            Err(Fault::at(line, format!("the reserved word `{name}` stands where a name should")))
        }
        Token::Word(name) => Ok(name),
        _ => Err(Fault::at(line, format!("a name should stand here, not {}", token.text()))),
    }
}
