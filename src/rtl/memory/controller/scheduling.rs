//! What all ways to choose requests have in common: what they see, and what they say.

use super::{
    banks::Banks,
    service::{DramCommand, Service},
};
use crate::map::AddressMap;
use hdl::{Builder, Signal};

/// A way to choose requests.
pub trait Scheduling: Sync {
    /// Requests are read and written in the order of arrival: they need no places.
    fn is_in_order(&self) -> bool {
        false
    }

    /// Requests go before older ones of their bank, as often as `memory.row_streak_max` lets them.
    fn may_overtake(&self) -> bool {
        false
    }

    /// The command of this cycle.
    fn schedule<'m>(&self, channel: &DramChannel<'_, 'm>) -> Service<'m>;
}

/// What a scheduler goes by, of the parameters of its controller.
pub(super) struct SchedulingParams {
    pub(super) map: AddressMap,
    /// Requests that the queue holds.
    pub(super) queue_entries: usize,
    /// Requests that may go before the oldest one of their bank; 0: any number.
    pub(super) row_streak_max: u32,
}

/// What a scheduler sees.
pub struct DramChannel<'a, 'm> {
    pub(super) m: &'m Builder,
    pub(super) p: &'a SchedulingParams,
    pub(super) banks: &'a Banks<'m>,
    /// A request arrives.
    pub(super) arrives: Signal<'m>,
    pub(super) request: DramCommand<'m>,
    /// Where its payload is kept, of a scheduler that is not in order.
    pub(super) place: Option<Signal<'m>>,
    /// One more request may be read or written.
    pub(super) reply_free: Signal<'m>,
}
