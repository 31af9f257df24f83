//! Synchroniser: a level from one clock domain to another.
//!
//! ```text
//!   another clock : clock
//!  value (1) --->-:-> stage 1 -> ... -> stage n --> seen (1)
//! ```
//!
//! Contract: `value` comes straight from a register of one domain (checked by elaboration) and stays until its effect
//! has come back; it is shown by `seen` after `stages` edges of `clock`. Reset: zero.
//!
//! Testbench: `testbenches/synchroniser/`.

use hdl::{Builder, Module, params, ports};

ports! {
    /// Ports of a [`synchroniser`] of so many stages.
    pub struct SynchroniserPorts(_stages: &u32) of Synchroniser {
        /// The level, in its own clock domain.
        in value: 1,
        /// The level as this clock domain sees it.
        out seen: 1,
    }
}

/// A level into the clock domain of the block, through `stages` registers, 2 and up; see the [module documentation](self).
pub fn synchroniser(stages: u32) -> Module {
    let m = Builder::new("synchroniser", params! { stages });
    m.doc("A level from another clock domain, through registers of this one.");
    let io = SynchroniserPorts::new(&m, &stages);
    io.seen(m.synchronise("level", io.value(), stages));
    m.finish()
}
