//! What single kinds of miss handling have beside entries and targets. Others go without: it has no effect on them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which victims a hybrid protects, as long as its CAM part has room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProtectedVictims {
    /// Lines that were hit since they came or were protected.
    #[default]
    Hit,
    /// All lines; there are no hit bits.
    All,
}

/// What single kinds have alone, of all of them; see the [module documentation](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct OwnParams {
    /// Entries of a CAM part beside the tags, in addition to the others, 0 to 64; their numbers follow the others.
    pub cam_entries: u32,
    /// The tags of the CAM part are compared a cycle ahead, while the row of the set is read.
    pub cam_pipelined: bool,
    /// Which victims are protected while the CAM part has room.
    pub protects: ProtectedVictims,
}
