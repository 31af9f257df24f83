//! What a report is of and what has made it: enough to make it again.

use super::{Keys, Provenance, Workload, keys_of};
use rtl::chip::{Chip, to_toml};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The program, its command, and what it was given.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// What has made the report, when and where.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Configurations as the report calls them: all keys that have an effect, overrides among them.
    pub configurations: BTreeMap<String, Keys>,
    /// What ran; empty for traffic, which the report itself says.
    pub workloads: Vec<Workload>,
}

impl Origin {
    /// Of a report that is made now, of these chips.
    pub fn new<'c>(chips: impl IntoIterator<Item = (String, &'c Chip)>, workloads: Vec<Workload>) -> Self {
        let keys = |chip: &Chip| keys_of(&to_toml(chip.config())).expect("a configuration is TOML");
        let configurations = chips.into_iter().map(|(name, chip)| (name, keys(chip))).collect();
        Self { provenance: Provenance::this(), configurations, workloads }
    }
}
