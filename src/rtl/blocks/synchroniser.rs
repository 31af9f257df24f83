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

use hdl::{Builder, Module, params};

/// A level into the clock domain of the block, through `stages` registers, 2 and up; see the [module documentation](self).
pub fn synchroniser(stages: u32) -> Module {
    let m = Builder::new("synchroniser", params! { stages });
    m.doc("A level from another clock domain, through registers of this one.");
    m.output_of("seen", m.synchronise("level", m.input("value", 1), stages));
    m.finish()
}
