//! Throttle of MT-HWP: of five prefetches that its tables tell, so many are dropped as a degree says, which is adjusted
//! every period.
//!
//! ```text
//!  event_* (of the data cache) --> counts of a period --> degree (0 to 5) --+
//!  tells (1): a prefetch ------------------------------> turn (0 to 4) -----+--> drops (1)
//! ```
//!
//! | at the end of a period | the degree becomes |
//! |---|---|
//! | more than 2 % as many lines have left unused as were read | 5: all are dropped |
//! | 1 % and more | one more |
//! | less, and more than 15 % of the reads that missed have merged | one less |
//! | else | 5 |
//!
//! The degree begins with 2.
//!
//! Source: as [`warp_strides`](mod@super::warp_strides), section 5. Tests: `tests/core/prefetch.rs`.

use cache::events::PrefetchEvents;
use hdl::{Builder, Signal, index_width, mux};

/// All prefetches are dropped.
const ALL: u64 = 5;
const FIRST: u64 = 2;
/// Bits of a degree.
const BITS: u32 = 3;

/// Whether the prefetch that the tables tell now (`tells`) is dropped; a period has so many cycles. `clear`: the kernel has ended.
pub(super) fn drops<'m>(
    m: &'m Builder,
    period: u32,
    events: &PrefetchEvents<'m>,
    [tells, clear]: [Signal<'m>; 2],
) -> Signal<'m> {
    m.comment("Throttle: what happens in a period.");
    let bits = index_width(period as usize + 1);
    let left = m.register("period_left", bits, u64::from(period - 1));
    let ends = m.wire("period_ends", left.is_zero());
    m.set(left, mux(ends, u64::from(period - 1), left - 1));
    let counted = |name: &str, now: Signal<'m>| {
        let count = m.register(name, bits, 0);
        m.set(count, mux(ends | clear, now.extend(bits), count + now.extend(bits)));
        // Times a number below 128.
        count.extend(bits + 7)
    };
    let used = counted("used_in_period", events.useful | events.late);
    let unused = counted("unused_in_period", events.useless);
    let merged = counted("merged_in_period", events.merged);
    let asked = counted("asked_in_period", events.asked);

    m.comment("The degree.");
    let (degree, turn) = (m.register("degree", BITS, FIRST), m.register("turn", BITS, 0));
    let early = m.wire("many_leave_early", (unused * 50).gt(used));
    let some = m.wire("some_leave_early", unused.any() & (unused * 100).ge(used));
    let merges = m.wire("many_merge", (merged * 17).gt(asked * 3));
    let more = mux(degree.eq(ALL), degree, degree + 1);
    let less = mux(degree.is_zero(), degree, degree - 1);
    let next = mux(early, m.lit(BITS, ALL), mux(some, more, mux(merges, less, m.lit(BITS, ALL))));
    m.when(ends, || m.set(degree, next));
    m.when(tells, || m.set(turn, mux(turn.eq(ALL - 1), 0, turn + 1)));
    m.when(clear, || {
        m.set(degree, FIRST);
        m.set(turn, 0);
        m.set(left, u64::from(period - 1));
    });
    turn.lt(degree)
}
