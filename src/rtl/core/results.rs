//! What a unit that computes hands on: words for the registers, and the end of an instruction.

use super::config::CoreParams;
use hdl::bundle;

bundle! {
    /// A row for the register file: one register of the threads of a beat.
    pub struct RegisterWrite(p: &CoreParams) {
        valid: 1,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        beat: p.beat_bits(),
        /// Lanes that are written.
        mask: p.lanes,
        data: p.lanes * 32,
    }
}

bundle! {
    /// A register that the scoreboard need not hold back any longer.
    pub struct Completion(p: &CoreParams) {
        valid: 1,
        warp: p.warp_bits(),
        destination: p.register_bits(),
    }
}
