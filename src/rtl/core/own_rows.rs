//! Names of the units and stages that other crates have added: keys of a configuration, which knows nothing else of them.

use common::{
    parameters::Allowed,
    policies::{OwnKeys, OwnNames, OwnRows},
};

/// Of units beside the lanes.
pub(crate) static UNIT_NAMES: OwnNames = OwnNames::new("execution unit");
/// Of stages before the memory port.
pub(crate) static STAGE_NAMES: OwnNames = OwnNames::new("memory stage");

/// Keys of units of other crates: how many there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnUnitRows;

impl OwnRows for OwnUnitRows {
    type Value = u32;
    const NAME: &'static str = "OwnUnits";
    const ABOUT: &'static str = "Units beside the lanes that other crates have added: threads that each computes in a cycle, a power of two of at most half the lanes; 0: none, the lanes compute.";
    const RANGE: Option<Allowed> = Some(Allowed::range(0, 16));

    fn rows() -> Vec<(&'static str, &'static str)> {
        UNIT_NAMES.get()
    }
}

/// See [`OwnUnitRows`].
pub type OwnUnits = OwnKeys<OwnUnitRows>;

/// Keys of stages of other crates: whether the core has each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnStageRows;

impl OwnRows for OwnStageRows {
    type Value = bool;
    const NAME: &'static str = "OwnStages";
    const ABOUT: &'static str =
        "Stages between load/store unit and memory port that other crates have added: whether the core has each.";
    const RANGE: Option<Allowed> = None;

    fn rows() -> Vec<(&'static str, &'static str)> {
        STAGE_NAMES.get()
    }
}

/// See [`OwnStageRows`].
pub type OwnStages = OwnKeys<OwnStageRows>;
