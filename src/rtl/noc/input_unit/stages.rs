//! Which pipeline stages share a cycle.

use serde::Serialize;

/// Stages that are merged into one cycle: of route computation (RC), VC allocation (VA), switch allocation (SA) and switch traversal (ST),
/// each with the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct StageMerges {
    depth: u32,
}

impl StageMerges {
    /// Those of a pipeline of `depth` cycles: 4: none; 3: SA+ST; 2: RC+VA and SA+ST; 1: all.
    pub fn of_depth(depth: u32) -> Self {
        Self { depth }
    }

    /// Cycles from the channel register to the output register.
    pub fn depth(self) -> u32 {
        self.depth
    }

    /// SA+ST: no register before the crossbar.
    pub fn sa_st(self) -> bool {
        self.depth <= 3
    }

    /// RC+VA: a VC asks for an output VC in the cycle in which it takes its route.
    pub fn rc_va(self) -> bool {
        self.depth <= 2
    }

    /// VA+SA: a VC that is granted an output VC asks for the switch in the same cycle.
    pub fn va_sa(self) -> bool {
        self.depth <= 1
    }
}
