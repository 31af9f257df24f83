//! The file `testbench.toml`.

use crate::stimulus::Drive;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};
use warpmesh::sim::Clocks;

/// The folder of all testbenches.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testbenches"))
}

/// A testbench as written; the fields are described in `testbenches/README.md`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Testbench {
    pub cycles: u64,
    #[serde(default)]
    pub seed: u64,
    #[serde(default)]
    pub parameters: Parameters,
    /// Frequencies, as numerator and denominator.
    #[serde(default)]
    pub clocks: BTreeMap<String, (u64, u64)>,
    #[serde(default)]
    pub inputs: BTreeMap<String, Drive>,
}

impl Testbench {
    pub fn read(folder: &str) -> Self {
        let path = root().join(folder).join("testbench.toml");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// The frequencies for a simulation.
    pub fn frequencies(&self) -> Clocks {
        self.clocks.iter().fold(Clocks::default(), |clocks, (name, &(n, d))| clocks.ratio(name, n, d))
    }
}

/// Parameters of the block.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Parameters(BTreeMap<String, u64>);

impl Parameters {
    /// The parameter `name`, which must be there.
    pub fn number<T: TryFrom<u64>>(&self, name: &str) -> T {
        let value = *self.0.get(name).unwrap_or_else(|| panic!("parameter `{name}` is missing"));
        T::try_from(value).unwrap_or_else(|_| panic!("parameter `{name}` = {value} is too large"))
    }

    /// Fails when a parameter does not show in the block's name, that is, when nobody asked for it.
    pub fn assert_known(&self, module: &warpmesh::hdl::Module) {
        let known: BTreeSet<_> = module.params.iter().map(|(name, _)| name.as_str()).collect();
        for name in self.0.keys() {
            assert!(known.contains(name.as_str()), "{} has no parameter `{name}`, only {known:?}", module.kind);
        }
    }
}
