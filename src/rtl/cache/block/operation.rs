//! What happens in a cycle: what parts of the cache look at to count and to show it.

use super::{
    decision::Decision,
    fill::Fill,
    prefetches::Prefetches,
    set_row::{Change, SetRow},
};
use crate::CacheParams;
use hdl::Signal;
use protocol::MemoryRequest;

/// What happens in a cycle.
pub struct Operation<'a, 'm> {
    pub p: &'a CacheParams,
    /// The request in the register is decided.
    pub s1_valid: Signal<'m>,
    pub request: &'a MemoryRequest<'m>,
    pub row: &'a SetRow<'m>,
    pub decision: &'a Decision<'m>,
    pub fill: &'a Fill<'m>,
    pub change: &'a Change<'m>,
    pub prefetches: Option<&'a Prefetches<'m>>,
}
