//! The passes by name, and which of them run.

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
    /// Nets that nobody needs are neither computed nor stored, and a block without state is evaluated only where its
    /// results are needed.
    Dead "dead",
    /// Constants and operations that a constant or an equal operand makes simpler are folded.
    Fold "fold",
    /// Equal values are computed once, across the borders of inlined blocks.
    Common "common",
    /// One-bit values that are computed alike side by side become one value.
    Merge "merge",
    /// Blocks whose results are not selected are not evaluated.
    Sink "sink",
    /// What cannot have changed since the last evaluation is not evaluated.
    Gates "activity-gates",
    /// Long functions are cut into several of bounded size.
    Split "split",
    /// What only the next value of a register needs is computed where the register does not keep its value.
    Branch "branches",
    /// Bit-sliced tiles are computed by tables of three inputs, eight words at a time, and vectors are whole, where the
    /// processor has AVX-512; with AVX2 bit-sliced tiles are computed four words at a time.
    Wide "wide",
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

    /// From names with commas between: `all`, `none`, a pass, or `-` and a pass to leave it out. Later words win; a
    /// list that begins by leaving out a pass starts from all.
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
