//! What a DRAM channel is asked for, and what is done of it in a cycle.

use crate::map::AddressMap;
use hdl::{Signal, bundle};

bundle! {
    /// What the DRAM is asked for.
    pub(super) struct DramCommand(map: &AddressMap) {
        write: 1,
        row: map.row_bits(),
        bank: map.bank_bits(),
        column: map.column_bits(),
    }
}

/// What is done in a cycle; at most one of the first three is high.
pub struct Service<'m> {
    pub(super) activate: Signal<'m>,
    pub(super) precharge: Signal<'m>,
    /// Read or write.
    pub(super) access: Signal<'m>,
    pub(super) write: Signal<'m>,
    pub(super) bank: Signal<'m>,
    pub(super) row: Signal<'m>,
    pub(super) column: Signal<'m>,
    /// Where the payload of the request is kept.
    pub(super) place: Option<Signal<'m>>,
    /// Bank, row and column mean something: what the pins are loaded with.
    pub(super) valid: Signal<'m>,
}
