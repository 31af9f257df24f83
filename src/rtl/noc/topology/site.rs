//! Sites: places for routers, and for nodes at them.

use hdl::PortName;
use std::fmt;

/// What a site is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteName {
    /// In a grid, at (x, y).
    Grid {
        /// `y * columns + x`.
        number: u32,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// At this place of a ring.
    Ring(u32),
    /// Of a stage, the first is 0.
    Stage(u32, u32),
    /// Of a graph.
    Router(u32),
    /// Before a crossbar.
    Concentrator(u32),
    /// The crossbar.
    Crossbar,
}

impl fmt::Display for SiteName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SiteName::Grid { x, y, .. } => write!(f, "({x},{y})"),
            SiteName::Ring(place) => write!(f, "ring router {place}"),
            SiteName::Router(number) => write!(f, "{number}"),
            SiteName::Stage(stage, number) => write!(f, "stage {stage} router {number}"),
            SiteName::Concentrator(number) => write!(f, "concentrator {number}"),
            SiteName::Crossbar => write!(f, "crossbar"),
        }
    }
}

impl SiteName {
    /// Of its router's tile.
    pub fn tile(self) -> String {
        match self {
            SiteName::Grid { number, .. } | SiteName::Ring(number) | SiteName::Router(number) => {
                format!("router{number}")
            }
            SiteName::Stage(stage, number) => format!("stage{stage}_router{number}"),
            SiteName::Concentrator(number) => format!("concentrator{number}"),
            SiteName::Crossbar => "crossbar".into(),
        }
    }
}

impl PortName for SiteName {
    fn append_to(&self, out: &mut String) {
        self.tile().append_to(out);
    }
}

/// A place for a node at a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeSlot {
    /// The node; `None`: nobody has this place.
    pub node: Option<u32>,
    /// It sends here.
    pub injects: bool,
    /// It receives here.
    pub ejects: bool,
}

impl NodeSlot {
    /// A place without a node.
    pub const NOBODY: Self = Self { node: None, injects: false, ejects: false };
}

/// A place for a router.
#[derive(Clone, Debug)]
pub struct Site {
    /// What it is called.
    pub name: SiteName,
    /// Its coordinates as routing sees them.
    pub place: (u32, u32),
    /// Its middle on the floor plan, in halves of a tile from the left and from the top.
    pub middle: (u32, u32),
    /// Its nodes.
    pub slots: Vec<NodeSlot>,
}
