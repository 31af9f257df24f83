//! How much channels are used.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much an output of a router is used: flits a cycle of the network (0 to 1, in overlays with a faster clock more).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LinkUse {
    /// Subnetwork; 0 where there is one network. Each overlay counts as one.
    pub subnetwork: usize,
    /// Its router: `router<node>` in a mesh, `overlay<number>_router<node>` in an overlay.
    pub router: String,
    /// Output port: a direction, or an ejection port.
    pub port: String,
    /// All virtual channels.
    pub utilisation: f64,
    /// Each virtual channel.
    pub vcs: Vec<f64>,
}
