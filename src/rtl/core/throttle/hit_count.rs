//! Throttling by hits (THU): when all miss entries are in use, as many warps may issue as lately found lines that they
//! had brought themselves.
//!
//! ```text
//!  loads ----->| hits: a bit for each warp  |--> hit count --+--> least, greatest, stable --+
//!  active ---->|  set by its intra hit,     |                |                              +--> limit, on, by divergence
//!              |  cleared by its miss       |                v                              |
//!  full ------>| rises, and the last decision is min_cycles old: decide ------------------+
//!  loads, fills -->| pending: lines of each warp |--> warps that hold the miss entries -----+
//! ```
//!
//! At a decision, in this order: with the fair policy no limit; with warps that hit their number and one, or the mean
//! of the least and greatest such number when neither has changed for `stable_periods` decisions; with fewer than
//! `divergence` warps that hold all entries those (their loads are divergent, and more warps would only wait); else no
//! limit. Never fewer than `min_warps`. A limit stays until the next decision; one by divergence gives way at once to
//! more warps that hit, and any to the fair policy.
//!
//! Choices where the thesis leaves one: a merged miss clears the warp's bit, an inter hit leaves it; the greatest
//! number is also followed between decisions, and counts as changed at the next; numbers have the width that the warps
//! of the core need.
//!
//! Source: Kim's thesis, section 3.3, figure 3.2. Tests: `tests/core/throttle.rs`.

use super::{Limit, LocalityEvents, ThrottleConfig, ThrottlePolicy, ThrottleReads, ThrottleView};
use blocks::{index_one_hot, popcount};
use cache::events::Class;
use hdl::{Builder, Signal, index_width, mux, row, statistics};

statistics! {
    "throttle" {
        /// Decisions to let as many warps issue as hit their own lines.
        HIT_DECISIONS: hit_decisions in "decisions";
        /// Decisions to let those warps issue whose divergent loads hold the miss entries.
        DIVERGENCE_DECISIONS: divergence_decisions in "decisions";
        /// Decisions to let all issue.
        UNTHROTTLED_DECISIONS: unthrottled_decisions in "decisions";
        /// Warps that may issue, in each cycle with a limit.
        ALLOWED_WARPS: allowed_warps in "warps";
        /// Cycles with a limit by hits.
        LIMITED_BY_HITS_CYCLES: limited_by_hits_cycles in "cycles";
        /// Cycles with a limit by divergence.
        LIMITED_BY_DIVERGENCE_CYCLES: limited_by_divergence_cycles in "cycles";
        /// Least number of warps that hit, in each cycle with a limit by hits.
        LEAST_HITS: least_hits in "warps";
        /// Greatest number of warps that hit, in each cycle with a limit by hits.
        GREATEST_HITS: greatest_hits in "warps";
    }
}

/// See the [module documentation](self).
pub struct HitCount {
    /// With the rule for divergent loads.
    pub divergence: bool,
}

impl ThrottlePolicy for HitCount {
    fn reads(&self) -> ThrottleReads {
        ThrottleReads { cache: true, ..ThrottleReads::default() }
    }

    fn allowed<'m>(&self, m: &'m Builder, config: &ThrottleConfig, seen: &ThrottleView<'m>) -> Option<Signal<'m>> {
        let (events, warps, bits) = (seen.cache(), seen.warps, seen.warp_count_bits());
        let class = |of: Class| events.load & events.class.eq(of as u64);
        let warp = index_one_hot(events.warp, warps);
        let hits = m.register("hits", warps, 0);
        let misses = class(Class::Miss) | class(Class::IntraMerged) | class(Class::InterMerged);
        let now_hits = hits | warp & class(Class::Intra).repeat(warps);
        m.set(hits, now_hits & !(warp & misses.repeat(warps)) & seen.active);
        let hit_count = m.wire("hit_count", popcount(hits));

        m.comment("Decisions: when the last free miss entry is taken, and the last one is old enough.");
        let [on, by_divergence] = ["on", "by_divergence"].map(|name| m.register(name, 1, 0));
        let limit = m.register("limit_now", bits, 0);
        let age = m.register("left", index_width(config.min_cycles as usize + 1), 0);
        let was_full = m.delayed("was_full", events.full);
        let decides = m.wire("decides", events.full & !was_full & (!on | age.is_zero()));
        let [least, greatest] =
            [("least", u64::MAX >> (64 - bits)), ("greatest", 0)].map(|(name, reset)| m.register(name, bits, reset));
        let stable = m.register("stable", index_width(config.stable_periods as usize + 1), 0);
        let grew = m.register("grew", 1, 0);
        let some_hit = m.wire("some_hit", hit_count.any());
        let [below, above] = [hit_count.lt(least), hit_count.gt(greatest)];
        let changed = m.wire("changed", below | above | grew);
        let new_least = m.wire("new_least", mux(below, hit_count, least));
        let new_greatest = m.wire("new_greatest", mux(above, hit_count, greatest));
        let full_time = stable.ge(u64::from(config.stable_periods - 1));
        let is_stable = m.wire("is_stable", !changed & full_time);
        let sum = m.wire("sum", new_least.extend(bits + 1) + new_greatest.extend(bits + 1) + 1);
        let by_hits = mux(is_stable, sum.bits(1, bits), hit_count + 1);
        let fewest = u64::from(config.min_warps.min(warps));
        let at_least = |count: Signal<'m>| mux(count.lt(fewest), m.lit(bits, fewest), count);
        let hit_decision = m.wire("hit_decision", decides & !events.prefer_rr & some_hit);
        let divergence_decision = self.divergence.then(|| {
            let holders = m.wire("holders", self.holders(seen, events, class(Class::Miss)));
            let few = holders.lt(config.divergence.min(warps + 1));
            (m.wire("divergence_decision", decides & !events.prefer_rr & !some_hit & few), holders)
        });
        m.when(age.any(), || m.set(age, age - 1));
        m.when(decides, || {
            m.set(on, 0);
            m.set(age, u64::from(config.min_cycles));
        });
        m.when(hit_decision, || {
            m.set(on, 1);
            m.set(by_divergence, 0);
            m.set(limit, at_least(by_hits));
            m.set(least, new_least);
            m.set(grew, 0);
            m.set(stable, mux(changed, m.lit(stable.width(), 0), mux(full_time, stable, stable + 1)));
        });
        m.when(hit_decision | on & above, || m.set(greatest, new_greatest));
        m.when(on & above & !hit_decision, || m.set(grew, 1));
        let wider = m.wire("wider", on & by_divergence & (hit_count + 1).gt(limit) & !decides);
        m.when(wider, || {
            m.set(limit, hit_count + 1);
            m.set(by_divergence, 0);
        });
        if let Some((decision, holders)) = divergence_decision {
            m.when(decision, || {
                m.set(on, 1);
                m.set(by_divergence, 1);
                m.set(limit, at_least(holders));
            });
            m.count(DIVERGENCE_DECISIONS, decision);
        }
        m.when(events.prefer_rr, || m.set(on, 0));
        m.when(events.clear, || {
            for register in [on, by_divergence, grew, stable, age, greatest] {
                m.set(register, 0);
            }
            m.set(least, u64::MAX >> (64 - bits));
        });
        m.count(HIT_DECISIONS, hit_decision);
        let open = m.wire("open_decision", decides & !events.prefer_rr & !some_hit);
        m.count(UNTHROTTLED_DECISIONS, divergence_decision.map_or(open, |(few, _)| open & !few));
        m.histogram(ALLOWED_WARPS, on, limit);
        m.count(LIMITED_BY_HITS_CYCLES, on & !by_divergence);
        m.count(LIMITED_BY_DIVERGENCE_CYCLES, on & by_divergence);
        m.sum(LEAST_HITS, on & !by_divergence, least);
        m.sum(GREATEST_HITS, on & !by_divergence, greatest);
        Some(seen.oldest(&Limit { on, warps: limit }))
    }
}

impl HitCount {
    /// Warps that have asked for a line that is still pending.
    fn holders<'m>(&self, seen: &ThrottleView<'m>, events: LocalityEvents<'m>, miss: Signal<'m>) -> Signal<'m> {
        let (m, warps, bits) = (seen.m, seen.warps, index_width(seen.miss_entries as usize + 1));
        let [asks, gets] = [(events.warp, miss), (events.fill_warp, events.fill)]
            .map(|(warp, now)| (index_one_hot(warp, warps) & now.repeat(warps)).to_bits());
        let holds = asks.into_iter().zip(gets).zip(0_u32..).map(|((asks, gets), w)| {
            let lines = m.register(("pending", w), bits, 0);
            m.when(asks & !gets, || m.set(lines, lines + 1));
            // A write that fetches its line has a fill and no load.
            m.when(gets & !asks & lines.any(), || m.set(lines, lines - 1));
            lines.any()
        });
        popcount(row(holds))
    }
}
