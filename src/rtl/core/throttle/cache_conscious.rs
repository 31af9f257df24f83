//! Cache-conscious throttling (CCWS): warps that lose lines which they need again get more of the data cache, and
//! others issue no loads.
//!
//! ```text
//!  miss, lost line, store -->+-------------+ hit   +-----------------------+   +--------------------+
//!  starts ------------------>| victim_tags |------>| hits, instructions    |-->| divide: locality x |
//!  issued, warp ------------ +-------------+ ----->|  (each warp, the sum) |   | cutoff hits / ins. |
//!                                                  +-----------------------+   +--------------------+
//!                                                                                        | until (a score for each warp)
//!  active (w) --------------------------->+---------------------------+                  v
//!                                         | order of the warps, walk  |<------------------
//!                                         | up: sort; down: sum up    |--> loaders (w), a register
//!                                         +---------------------------+
//! ```
//!
//! A warp's score is `base_score`. When it misses a line that it has lost, its score becomes
//! `locality x cutoff x hits / instructions`, of the warps that run (the part of a warp leaves with it), but not below
//! the base; each cycle takes one from it, down to the base. `cutoff` is `base_score` for each warp that runs. In the
//! order of their scores, the warps may issue loads up to the one with which the sum of scores reaches the cutoff;
//! others may issue all but loads of global memory. As scores fall by themselves, each warp gets its turn: no barrier
//! waits for ever.
//!
//! Hardware: a score is kept as the cycle `until` which it is above the base, so that none is counted down. The order
//! is a memory of warp numbers. A walk up it takes the higher of two neighbours along and a walk down sums up, one warp
//! a cycle; so `loaders` follows a warp that rises within `4 warps + 4` cycles, and a new order of all within as many
//! walks as warps. The quotient takes 16 cycles; warps that hit meanwhile wait, the lowest number first.
//!
//! Choices: merged misses do not ask the victim tags; instructions and hits of a warp stop at 2^24 - 1 and 2^16 - 1.
//!
//! Source: T. G. Rogers, M. O'Connor and T. M. Aamodt, *Cache-conscious wavefront scheduling* (MICRO 2012); Kim's
//! thesis, sections 3.1 and 3.5. Tests: `tests/core/cache_conscious.rs`.

use super::{
    ThrottleConfig, ThrottlePolicy, ThrottleReads, ThrottleView,
    victim_tags::{LineEvent, VictimTags, VictimTagsParams, victim_tags},
};
use blocks::{at_most_one, index_one_hot, lowest_set, one_hot_index, popcount};
use cache::events::Class;
use hdl::{Builder, MemoryHandle, Signal, index_width, mux, statistics, values};

statistics! {
    "throttle" {
        /// Misses of lines that the warp has lost (CCWS).
        LOST_HITS: lost_hits in "misses";
        /// Warps that may issue loads, in each cycle.
        LOADERS: loaders in "warps";
        /// Cycles in which some warp may not issue loads.
        LIMITED_CYCLES: limited_cycles in "cycles";
        /// New scores, above the base.
        NEW_SCORES: new_scores in "score";
    }
}

/// Bits of a score.
const SCORE: u32 = 15;
/// Bits of the time until which a score is above the base: a walk meets each warp in less than half of its period.
const TIME: u32 = SCORE + 1;
/// Bits of the instructions of a warp.
const INSTRUCTIONS: u32 = 24;
/// Bits of the hits of a warp.
const HITS: u32 = 16;

/// See the [module documentation](self).
pub struct CacheConscious;

impl ThrottlePolicy for CacheConscious {
    fn reads(&self) -> ThrottleReads {
        ThrottleReads { cache: true, lost_lines: true, issues: true }
    }

    fn holds_loads_only(&self) -> bool {
        true
    }

    fn allowed<'m>(&self, m: &'m Builder, config: &ThrottleConfig, seen: &ThrottleView<'m>) -> Option<Signal<'m>> {
        let hit = lost_line_is_missed(m, config, seen);
        let running = m.wire("running", popcount(seen.active));
        let base = u64::from(config.base_score);
        let cutoff = m.wire("cutoff", running.extend(SCORE) * m.lit(SCORE, base));
        let sums = sums(m, seen, hit);
        let scores = Scores::new(m, config, seen, &sums, cutoff);
        let loaders = walk(m, seen.warps, &scores, cutoff);
        m.histogram(LOADERS, m.lit(1, 1), popcount(loaders));
        m.count(LIMITED_CYCLES, !loaders.all());
        Some(loaders)
    }
}

/// A warp misses a line that it has lost.
struct Hit<'m> {
    valid: Signal<'m>,
    warp: Signal<'m>,
}

fn lost_line_is_missed<'m>(m: &'m Builder, config: &ThrottleConfig, seen: &ThrottleView<'m>) -> Hit<'m> {
    let events = seen.cache();
    let absent = "the policy reads lost lines";
    let (sets, line) = (config.victim_tags / config.victim_ways, events.line.expect(absent));
    let shape = VictimTagsParams { warps: seen.warps, sets, ways: config.victim_ways, line_bits: line.width() };
    let tags = VictimTags(m.instance("victim_tags", &victim_tags(&shape)));
    tags.starts(seen.starts());
    let miss = m.wire("primary_miss", events.load & events.class.eq(Class::Miss as u64));
    for (event, now, warp, line) in [
        (LineEvent::Lost, events.evicted, events.evicted_warp, events.evicted_line),
        (LineEvent::Miss, Some(miss), Some(events.warp), Some(line)),
        (LineEvent::Store, events.store, Some(events.warp), Some(line)),
    ] {
        tags.happens(event, now.expect(absent));
        tags.warp(event, warp.expect(absent));
        tags.line(event, line.expect(absent));
    }
    let valid = m.wire("lost_hit", tags.hit());
    m.count(LOST_HITS, valid);
    Hit { valid, warp: events.warp }
}

/// Hits and instructions of the warps that run.
struct Sums<'m> {
    hits: Signal<'m>,
    instructions: Signal<'m>,
    hit: Hit<'m>,
}

/// A count of each warp and their sum: `adds` one for `warp`; that of `ended` leaves, if `ends`.
fn counts<'m>(
    m: &'m Builder,
    (name, bits, warps): (&'static str, u32, u32),
    (adds, warp): (Signal<'m>, Signal<'m>),
    (ends, ended): (Signal<'m>, Signal<'m>),
) -> Signal<'m> {
    let counts = m.memory((name, "of_warp"), warps as usize, bits);
    // What a warp has that has not counted since it started: nothing.
    let counted = m.register((name, "counted"), warps, 0);
    let count_of = |warp: Signal<'m>| mux(counted.at(warp), counts.read(warp), 0);
    let now = m.wire((name, "now"), count_of(warp));
    let more = m.wire((name, "more"), adds & !now.all());
    m.when(more, || counts.write(warp, now + 1));
    let [adding, ending] =
        [(more, warp), (ends, ended)].map(|(now, warp)| index_one_hot(warp, warps) & now.repeat(warps));
    m.set(counted, (counted | adding) & !ending);
    let sum = m.register((name, "sum"), bits + index_width(warps as usize), 0);
    let leaves = mux(ends, count_of(ended), 0).extend(sum.width());
    m.set(sum, sum + more.extend(sum.width()) - leaves);
    m.always("a warp that ends does not count", !(more & ends) | warp.ne(ended));
    sum
}

fn sums<'m>(m: &'m Builder, seen: &ThrottleView<'m>, hit: Hit<'m>) -> Sums<'m> {
    m.comment("Hits and instructions of the warps that run.");
    let (issued, warp) = seen.issued();
    let was_active = m.delayed("was_active", seen.active);
    let ending = m.wire("ending", was_active & !seen.active);
    m.always("one warp ends at a time", at_most_one(ending));
    let ended = (m.wire("ends", ending.any()), m.wire("ended", one_hot_index(ending)));
    Sums {
        hits: counts(m, ("hits", HITS, seen.warps), (hit.valid, hit.warp), ended),
        instructions: counts(m, ("instructions", INSTRUCTIONS, seen.warps), (issued, warp), ended),
        hit,
    }
}

/// Until when the score of each warp is above the base.
struct Scores<'m> {
    until: MemoryHandle<'m>,
    above: Signal<'m>,
    /// The cycle, around.
    time: Signal<'m>,
    /// Warps whose score is found to be at the base.
    falls: Signal<'m>,
    base: u64,
    active: Signal<'m>,
}

impl<'m> Scores<'m> {
    /// New scores of the warps that hit, one after the other.
    fn new(
        m: &'m Builder,
        config: &ThrottleConfig,
        seen: &ThrottleView<'m>,
        sums: &Sums<'m>,
        cutoff: Signal<'m>,
    ) -> Self {
        m.comment("Scores: the quotient of one warp after the other.");
        let (warps, base) = (seen.warps, u64::from(config.base_score));
        let time = m.register("time", TIME, 0);
        m.set(time, time + 1);
        let (waiting, left) = (m.register("waiting", warps, 0), m.register("steps_left", 5, 0));
        let begins = m.wire("divides", waiting.any() & left.is_zero());
        let next = m.wire("next_divided", lowest_set(waiting));
        let [hits, begun] = [(index_one_hot(sums.hit.warp, warps), sums.hit.valid), (next, begins)]
            .map(|(warps_now, now)| warps_now & now.repeat(warps));
        m.set(waiting, (waiting & !begun | hits) & seen.active);

        let warp = m.captured("divided", begins, one_hot_index(next));
        let factor = cutoff.extend(SCORE + 8) * m.lit(SCORE + 8, config.locality_factor.into());
        let bits = factor.width() + sums.hits.width();
        let whole = bits.max(sums.instructions.width() + SCORE);
        let (rest, divisor) = (m.register_payload("rest", whole), m.register_payload("divisor", whole));
        let quotient = m.register_payload("quotient", SCORE);
        m.when(begins, || {
            m.set(rest, factor.extend(whole) * sums.hits.extend(whole));
            m.set(divisor, sums.instructions.extend(whole) << u64::from(SCORE - 1));
            m.set(quotient, 0);
            m.set(left, u64::from(SCORE + 1));
        });
        m.comment("Greatest score for what does not fit: a rest of twice the first divisor.");
        let fits = m.wire("fits", rest.ge(divisor));
        let first = left.eq(u64::from(SCORE + 1));
        let too_much = m.register_payload("too_much", 1);
        m.when(left.gt(1), || {
            m.set(left, left - 1);
            m.set(rest, mux(fits, rest - divisor, rest));
            m.set(divisor, divisor >> 1);
            m.set(quotient, quotient.bits(0, SCORE - 1).join(fits));
        });
        m.when(first, || m.set(too_much, (rest >> 1).ge(divisor)));
        let done = m.wire("quotient_done", left.eq(1));
        m.when(done, || m.set(left, 0));
        let score = m.wire("new_score", mux(too_much, m.lit(SCORE, (1 << SCORE) - 1), quotient));
        let until = m.memory("until", warps as usize, TIME);
        let rises = m.wire("rises", done & score.gt(base));
        m.when(rises, || until.write(warp, time + (score - base).extend(TIME)));
        m.sum(NEW_SCORES, rises, score);
        let above = m.register("above_base", warps, 0);
        let falls = m.wire_later("score_is_at_base", warps);
        let [new, risen] = [done, rises].map(|now| index_one_hot(warp, warps) & now.repeat(warps));
        m.set(above, (above & !falls & !new | risen) & seen.active);
        Self { until, above, time, falls, base, active: seen.active }
    }

    /// The score of a warp; and whether it has been above the base, and is no longer.
    fn of(&self, warp: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        let (above, left) = (self.above.at(warp), self.until.read(warp) - self.time);
        let more = mux(above & !left.sign(), left.bits(0, SCORE), 0);
        let score = more.extend(SCORE + 1) + self.base;
        (mux(self.active.at(warp), score, 0), above & (left.sign() | left.is_zero()))
    }
}

values! {
    /// Where the walk is.
    mod phase = "PHASE" {
        /// The order is being written for the first time.
        FIRST = 0,
        /// The last of the order is taken along.
        BEGINS = 1,
        /// Up the order: the higher of two neighbours is taken along.
        UP = 2,
        /// What was taken along comes first.
        TOP = 3,
        /// Down the order: who may issue loads.
        DOWN = 4,
    }
}

/// The warps that may issue loads, after each walk along the order of their scores.
fn walk<'m>(m: &'m Builder, warps: u32, scores: &Scores<'m>, cutoff: Signal<'m>) -> Signal<'m> {
    m.comment("The order of the warps by their scores: up it to sort, down it to sum up.");
    let bits = index_width(warps as usize);
    let (phase, at) = (m.register("phase", 3, phase::FIRST), m.register("at", bits, 0));
    m.name_values(phase, phase::VALUES);
    let is = |of: u64| phase.eq(of);
    let order = m.memory("order", warps as usize, bits);
    let along = m.register_payload("along", bits);
    let here = m.wire("here", order.read(at));
    let ((score, at_base), (of_along, _)) = (scores.of(here), scores.of(along));
    let (score, of_along) = (m.wire("score", score), m.wire("score_along", of_along));
    let higher = m.wire("along_is_higher", of_along.gt(score) | of_along.eq(score) & along.lt(here));
    let last = if warps.is_power_of_two() { at.all() } else { at.eq(warps - 1) };
    let first = at.is_zero();
    m.when(is(phase::FIRST), || order.write(at, at));
    m.when(is(phase::UP), || order.write(at + 1, mux(higher, here, along)));
    m.when(is(phase::TOP), || order.write(m.lit(bits, 0), along));
    m.when(is(phase::BEGINS) | is(phase::UP) & !higher, || m.set(along, here));

    let (picked, sum) = (m.register("picked", warps, 0), m.register("sum", SCORE + 1, 0));
    let inside = m.wire("inside", scores.active.at(here) & sum.lt(cutoff.extend(SCORE + 1)));
    let picks = m.wire("picks", picked | index_one_hot(here, warps) & inside.repeat(warps));
    let loaders = m.register("loaders_now", warps, u64::MAX >> (64 - warps));
    let down = m.wire("down", is(phase::DOWN));
    m.when(down, || {
        m.set(picked, picks);
        // Behind the one that reaches the cutoff nothing is added, so the sum does not overflow.
        m.when(inside, || m.set(sum, sum + score));
    });
    let ends = m.wire("walk_ends", down & last);
    m.when(ends, || {
        m.set(loaders, picks | !scores.active);
        m.set(picked, 0);
        m.set(sum, 0);
    });
    m.assign(scores.falls, index_one_hot(here, warps) & (down & at_base).repeat(warps));

    let back = is(phase::BEGINS) | is(phase::UP);
    m.set(at, mux(back, at - 1, at + 1));
    let step = |from: u64, now: Signal<'m>, to: u64, place: u64| {
        m.when(is(from) & now, || {
            m.set(phase, to);
            m.set(at, place);
        });
    };
    let (always, bottom) = (m.lit(1, 1), u64::from(warps - 1));
    step(phase::FIRST, last, phase::BEGINS, bottom);
    step(phase::BEGINS, always, phase::UP, bottom - 1);
    step(phase::UP, first, phase::TOP, 0);
    step(phase::TOP, always, phase::DOWN, 0);
    step(phase::DOWN, last, phase::BEGINS, bottom);
    loaders
}
