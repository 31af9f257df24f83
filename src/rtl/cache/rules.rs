//! What the parameters of a cache demand of each other, by the keys of a configuration, each with its reason.

use super::{Allocation, CacheParams, Prefetching, WriteHit, WriteMiss, WritePending};
use std::fmt;

/// A demand on one parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// It is met.
    pub holds: bool,
    /// Key of the parameter, in the table of the cache.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// What is allowed, and why.
    pub allowed: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}, allowed: {}", self.key, self.value, self.allowed)
    }
}

fn rule(holds: bool, key: &'static str, value: impl ToString, allowed: impl ToString) -> Rule {
    Rule { holds, key, value: value.to_string(), allowed: allowed.to_string() }
}

impl CacheParams {
    /// The first demand that is not met. `table`: where a configuration has the parameters, with a dot behind; empty for parameters alone.
    pub fn broken(&self, table: &str) -> Option<Rule> {
        self.sizes(table).into_iter().chain(self.policies(table)).chain(self.of_prefetches(table)).find(|r| !r.holds)
    }

    /// What is wrong, if anything.
    pub fn problem(&self) -> Option<String> {
        self.broken("").map(|rule| rule.to_string())
    }

    /// Bounds of single parameters. Ranges of keys keep most of them; who writes parameters by hand may not.
    fn sizes(&self, table: &str) -> Vec<Rule> {
        let Self { sets, ways, entries, entry_ways, .. } = *self;
        let set_bits = sets.checked_ilog2().unwrap_or(0);
        let (needs, by) = (self.misses.policy().needs(), self.misses.policy().reads());
        let kind = format!("{table}mshr.kind = {}", self.misses.name());
        let (least_ways, why) = needs.ways.unwrap_or((1, "has no demand"));
        let divides = entry_ways >= 1 && entries.is_multiple_of(entry_ways) && (entries / entry_ways).is_power_of_two();
        vec![
            rule(sets.is_power_of_two() && sets >= 2, "sets", sets, "a power of two, at least 2"),
            rule(
                set_bits < self.protocol.line_number_bits(),
                "sets",
                sets,
                "fewer than lines of memory: a line's number has more bits than its set",
            ),
            rule((1..=16).contains(&ways), "ways", ways, "1 to 16"),
            rule(entries >= 2, "mshr.entries", entries, "2 and more"),
            rule(self.targets >= 1, "mshr.targets", self.targets, "1 and more"),
            rule(self.cam_entries <= 64, "mshr.cam_entries", self.cam_entries, "0 to 64"),
            rule(self.latency >= Self::LEAST_LATENCY, "latency", self.latency, "3 cycles and more"),
            rule(self.replies >= 1, "reply_entries", self.replies, "1 and more"),
            rule(self.requests >= 1, "miss_queue_entries", self.requests, "1 and more"),
            rule(self.write_backs >= 1, "write_back_entries", self.write_backs, "1 and more"),
            rule(
                self.locality.is_none_or(|bits| (1..=8).contains(&bits)),
                "warp_locality",
                self.warp_bits(),
                "1 to 8 bits of a warp's number",
            ),
            rule(ways >= least_ways, "ways", ways, format!("{least_ways} and more, as {kind} {why}")),
            rule(
                !by.ways || divides,
                "mshr.ways",
                entry_ways,
                format!("a divisor of {table}mshr.entries = {entries} that gives a power of two of sets"),
            ),
        ]
    }

    /// Policies that do not go with each other.
    fn policies(&self, table: &str) -> Vec<Rule> {
        let in_tags = format!("on-miss, as {table}mshr.kind = {} keeps pending lines in the tags", self.misses.name());
        let allocates = self.write_miss == WriteMiss::Allocate;
        vec![
            rule(!self.entries_in_tags() || self.allocation == Allocation::OnMiss, "allocation", "on-fill", in_tags),
            rule(
                !allocates || self.write_pending == WritePending::Stall,
                "write_pending",
                "poison",
                format!("stall, as {table}write_miss = allocate: a write would poison its own line"),
            ),
            rule(
                !allocates || self.write_hit != WriteHit::Evict,
                "write_miss",
                "allocate",
                format!("no-allocate, as {table}write_hit = evict: a write leaves no line"),
            ),
        ]
    }

    /// What does not go with prefetches, or with lines of prefetches alone.
    fn of_prefetches(&self, table: &str) -> Vec<Rule> {
        let why = self.misses.policy().needs().no_prefetches.filter(|_| self.prefetches());
        let only = self.prefetching == Prefetching::Only;
        let alone = format!("as {table}only_prefetches = true");
        vec![
            rule(why.is_none(), "mshr.kind", self.misses.name(), format!("other kinds: {}", why.unwrap_or_default())),
            rule(
                !only || self.allocation == Allocation::OnFill,
                "allocation",
                "on-miss",
                format!("on-fill, {alone}: lines that are passed on have no way"),
            ),
            rule(
                !only || self.write_miss == WriteMiss::NoAllocate,
                "write_miss",
                "allocate",
                format!("no-allocate, {alone}: a line that is fetched by a write does not enter"),
            ),
        ]
    }
}
