//! Passes over what a module computes, between the plan and machine code.
//!
//! Data flow: [`plan`](super::plan) → [`lower`] (a function of values and effects per phase, [`ir`]) → the passes of
//! [`Pass::ALL`], each of which can be switched off → [`body`] (steps in order, in functions of bounded size) →
//! [`native`](super::native).

pub(crate) mod body;
mod fold;
pub(crate) mod ir;
mod lower;
mod order;
mod split;

use super::{layout::Layout, plan::Plan};
use crate::netlist::Design;
use body::Body;
use ir::Function;
use lower::Source;
use std::fmt;

macro_rules! passes {
    ($($(#[doc = $doc:literal])* $pass:ident $name:literal,)*) => {
        /// A pass that can be switched off.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Pass {
            $($(#[doc = $doc])* $pass,)*
        }

        impl Pass {
            /// All passes, in the order in which they run.
            pub const ALL: &[Pass] = &[$(Pass::$pass),*];

            /// As the command line names it.
            pub fn name(self) -> &'static str {
                match self { $(Pass::$pass => $name,)* }
            }

            /// What it does, in one line.
            pub fn about(self) -> &'static str {
                match self { $(Pass::$pass => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}

passes! {
    /// Constants and operations that a constant or an equal operand makes simpler are folded.
    Fold "fold",
    /// Equal values are computed once, across the borders of inlined blocks.
    Common "common",
    /// Long functions are cut into several of bounded size.
    Split "split",
}

/// A set of passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Passes(u32);

impl Passes {
    /// No pass.
    pub const NONE: Passes = Passes(0);

    /// Every pass.
    pub const ALL: Passes = Passes((1 << Pass::ALL.len()) - 1);

    /// Is the pass in the set?
    pub fn has(self, pass: Pass) -> bool {
        self.0 >> pass as u32 & 1 == 1
    }

    /// The set with the pass.
    #[must_use]
    pub fn with(self, pass: Pass) -> Self {
        Self(self.0 | 1 << pass as u32)
    }

    /// The set without the pass.
    #[must_use]
    pub fn without(self, pass: Pass) -> Self {
        Self(self.0 & !(1 << pass as u32))
    }

    /// From names with commas between: `all`, `none`, a pass, or `-` and a pass to leave it out. Later words win; a list that begins by
    /// leaving out a pass starts from all.
    ///
    /// # Errors
    /// The word that names no pass.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut set = if text.trim_start().starts_with('-') { Self::ALL } else { Self::NONE };
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, wanted) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
            let named = match name {
                "all" => Self::ALL,
                "none" => Self::NONE,
                _ => match Pass::ALL.iter().find(|pass| pass.name() == name) {
                    Some(&pass) => Self::NONE.with(pass),
                    None => return Err(name.to_string()),
                },
            };
            set = match (wanted, name) {
                (true, "none") => Self::NONE,
                (true, _) => Self(set.0 | named.0),
                (false, _) => Self(set.0 & !named.0),
            };
        }
        Ok(set)
    }
}

impl Default for Passes {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Pass::ALL.iter().filter(|&&pass| self.has(pass)).map(|pass| pass.name()).collect();
        f.write_str(if names.is_empty() { "none".into() } else { names.join(",") }.as_str())
    }
}

impl fmt::Debug for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The phases of a module, ready for code.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub early: Option<Body>,
    pub late: Option<Body>,
}

/// Prepares all modules, in the order of [`Design::modules`].
pub(crate) fn prepare(design: &Design, layouts: &[Layout], plans: &[Plan], passes: Passes) -> Vec<Prepared> {
    let source = Source { design, layouts, plans };
    let phase = |module: usize, early: bool| {
        let mut function = lower::lower(source, module, early, passes.has(Pass::Common));
        if passes.has(Pass::Fold) {
            fold::fold(&mut function);
        }
        finish(function, passes)
    };
    let prepared = |module: usize| match plans[module].twin {
        Some(_) => Prepared::default(),
        None => Prepared { early: phase(module, true), late: phase(module, false) },
    };
    (0..plans.len()).map(prepared).collect()
}

fn finish(function: Function, passes: Passes) -> Option<Body> {
    if function.effects.is_empty() {
        return None;
    }
    let steps = order::order(&function);
    Some(split::split(function, steps, passes.has(Pass::Split)))
}
