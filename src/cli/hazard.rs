//! `--check`: what checks on memory look for beside addresses.

use program::memcheck::Sought;

/// What checks on memory look for when they are asked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Hazard {
    /// Two warps of a block access a byte with no barrier between, or two blocks do, and one of them changes it
    Races,
    /// Shared or local memory is read before anybody has written it
    Uninitialised,
}

impl Hazard {
    /// All of these.
    pub fn sought(all: &[Self]) -> Sought {
        Sought { races: all.contains(&Hazard::Races), uninitialised: all.contains(&Hazard::Uninitialised) }
    }

    /// As the runtime's environment has it.
    pub fn name(self) -> &'static str {
        Sought::NAMES[self as usize]
    }
}
