//! `--check`: what checks on memory look for beside addresses.

use clap::ValueEnum;
use program::memcheck::CheckKinds;

/// What checks on memory look for when they are asked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Hazard {
    /// Two warps of a block access a byte with no barrier between, or two blocks do, and one of them changes it
    Races,
    /// Shared or local memory is read before anybody has written it
    Uninitialised,
}

impl Hazard {
    /// All of these.
    pub fn check_kinds(all: &[Self]) -> CheckKinds {
        CheckKinds { races: all.contains(&Hazard::Races), uninitialised: all.contains(&Hazard::Uninitialised) }
    }

    /// These, as the runtime's environment has them ([`CheckKinds::named`]).
    pub fn list(all: &[Self]) -> String {
        let names = all.iter().filter_map(ValueEnum::to_possible_value);
        names.map(|value| value.get_name().to_string()).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_understands_every_name() {
        for all in [&[Hazard::Races][..], &[Hazard::Uninitialised], &[Hazard::Races, Hazard::Uninitialised]] {
            assert_eq!(CheckKinds::named(&Hazard::list(all)), Ok(Hazard::check_kinds(all)));
        }
    }
}
