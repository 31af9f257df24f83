//! VC reallocation: when a VC is given to the packet behind a tail.
//!
//! ```text
//!  four stages        t        t + 1    t + 2    t + 3
//!  tail               SA       ST
//!  next, behind-tail           RC       VA       SA        cycles without a flit: 2
//!  next, with-tail    VA       SA                                               0
//! ```
//!
//! A VC holds the state of one packet, in the input that its flits are in and in the output that leads there. With
//! `behind-tail` both are free from the cycle after the one in which the tail wins the switch. With `with-tail` they
//! are free in that cycle already: the input asks for a VC for the packet stored behind the tail, whose route has been
//! computed as its head came in, and the output lets it, or a packet of another input, have the VC. So packets follow
//! each other like the flits of one packet. VC allocation of these packets comes behind switch allocation in one cycle,
//! which makes the longest path of the router longer. With one stage the next packet has VA and SA in the cycle behind
//! the tail anyway, and both are the same.
//!
//! Nothing is taken before the tail has won, so no packet owns a VC while it waits for another packet: who waits for
//! whom is as without, and so is the proof that there are no deadlocks.
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, sections 16.4
//! (reallocating a channel) and 16.5 (routes computed ahead).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a VC is given to the next packet; see the [module documentation](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VcReallocation {
    /// From the cycle after the one in which the last flit wins the crossbar.
    #[default]
    BehindTail,
    /// In the cycle in which it wins.
    WithTail,
}
