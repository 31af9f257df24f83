//! Why an access is refused.

/// Why an access is refused, and tried again in the next cycle: bits of
/// [`CacheEvents::refused`](crate::events::CacheEvents::refused).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// No place for its reply.
    Reply,
    /// No miss entry.
    Entry,
    /// A cause of its kind of miss handling alone ([`MissPolicy::refusal`](crate::miss::MissPolicy::refusal)).
    Handling,
    /// No target of the entry of its line.
    Target,
    /// No way of its set that may leave.
    Way,
    /// No place in the queues below.
    Downstream,
    /// A write, of a line that is pending.
    Line,
    /// A read, of a pending line that a write has poisoned.
    Poisoned,
}

impl Cause {
    /// In the order of their bits.
    pub const ALL: [Cause; 8] = [
        Cause::Reply,
        Cause::Entry,
        Cause::Handling,
        Cause::Target,
        Cause::Way,
        Cause::Downstream,
        Cause::Line,
        Cause::Poisoned,
    ];
}
