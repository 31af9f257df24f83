//! The engines by name, and which tiles each evaluates.

use std::{fmt, str::FromStr};

/// What computes a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Engine {
    /// The fastest: what simulates which module is chosen from the design.
    #[default]
    Auto,
    /// Machine code over words, one function per distinct module and phase.
    Word,
    /// Machine code over bits: equal tiles together, one bit of up to 64 of them in a word.
    Sliced,
    /// Machine code over vectors: equal tiles together, a word of 32 bits of up to 16 of them in a vector of AVX-512 or
    /// AVX2. On processors without it the same as [`Word`](Self::Word).
    Vector,
    /// The reference: slow to run, nothing to compile.
    Interpreter,
}

impl Engine {
    /// All of them, the default first.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Word, Self::Sliced, Self::Vector, Self::Interpreter];

    /// As on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Word => "word",
            Self::Sliced => "sliced",
            Self::Vector => "vector",
            Self::Interpreter => "interpreter",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Auto => "the fastest for each group of equal tiles: word, sliced or vector",
            Self::Word => "machine code over words, one function per distinct block",
            Self::Sliced => "machine code over bits, up to 64 equal tiles together",
            Self::Vector => "machine code over vectors (AVX-512 or AVX2), up to 16 equal tiles together",
            Self::Interpreter => "the slow reference",
        }
    }

    /// Which tiles it evaluates as bits and which in vectors, the rest being words; `None`: nothing is compiled.
    pub(super) fn parts(self) -> Option<Partition> {
        match self {
            Self::Interpreter => None,
            Self::Word => Some((Slicing::Nothing, Vectoring::Nothing)),
            Self::Auto => Some(ESTIMATED),
            Self::Sliced => Some((Slicing::All, Vectoring::Nothing)),
            Self::Vector => Some((Slicing::Nothing, Vectoring::All)),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|e| e.name() == name).ok_or_else(|| format!("there are: {}", names()))
    }
}

/// Which tiles are to be evaluated bit-sliced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slicing {
    Nothing,
    /// Groups that clearly gain by it, and what is linked with them.
    Gains,
    /// Likewise groups for which it cannot be told without trying.
    Promises,
    All,
}

/// Which tiles are to be evaluated in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vectoring {
    Nothing,
    /// Groups that clearly gain by it.
    Gains,
    /// All groups of two or more.
    All,
}

/// Which tiles are evaluated as bits and which of the others in vectors, the rest being words.
pub(super) type Partition = (Slicing, Vectoring);

/// What [`Engine::Auto`] begins with: what the estimates say, see [`Choices::new`](super::choices::Choices::new).
pub(super) const ESTIMATED: Partition = (Slicing::Gains, Vectoring::Gains);
