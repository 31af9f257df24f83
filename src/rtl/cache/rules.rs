//! What the parameters of a cache demand of each other, by the keys of a configuration, each with its reason.

use super::{Allocation, CacheParams, MissHandling, Prefetching, WriteHit, WriteMiss, WritePending};
use common::parameters::{Rule, rule};

impl CacheParams {
    /// The first demand that is not met. `table`: where a configuration has the parameters, with a dot behind; empty for parameters alone.
    pub fn first_violation(&self, table: &str) -> Option<Rule> {
        let groups =
            [self.bounds(), self.miss_handling_rules(table), self.write_rules(table), self.prefetch_rules(table)];
        groups.into_iter().flatten().find(|rule| !rule.holds)
    }

    /// What is wrong, if anything.
    pub fn problem(&self) -> Option<String> {
        self.first_violation("").map(|rule| rule.to_string())
    }

    /// Single parameters. The ranges of keys keep most of these; parameters that no configuration gives may not.
    fn bounds(&self) -> Vec<Rule> {
        let Self { sets, ways, latency, .. } = *self;
        let has_tags = sets.checked_ilog2().is_some_and(|bits| bits < self.protocol.line_number_bits());
        vec![
            rule(sets.is_power_of_two() && sets >= 2, "sets", sets, "a power of two, at least 2"),
            rule(has_tags, "sets", sets, "fewer than lines of memory: a line's number has more bits than its set"),
            rule((1..=16).contains(&ways), "ways", ways, "1 to 16"),
            rule(self.entries >= 2, "mshr.entries", self.entries, "2 and more"),
            rule(self.targets >= 1, "mshr.targets", self.targets, "1 and more"),
            rule(latency >= Self::LEAST_LATENCY, "latency", latency, format!("{} and more", Self::LEAST_LATENCY)),
            rule(self.replies >= 1, "reply_entries", self.replies, "1 and more"),
            rule(self.requests >= 1, "miss_queue_entries", self.requests, "1 and more"),
            rule(self.write_backs >= 1, "write_back_entries", self.write_backs, "1 and more"),
            rule((1..=8).contains(&self.warp_bits()), "locality", self.warp_bits(), "1 to 8 bits of a warp's number"),
        ]
    }

    /// What the handling of misses needs.
    fn miss_handling_rules(&self, table: &str) -> Vec<Rule> {
        let (policy, name) = (self.misses.policy(), self.misses.name());
        let (needs, kind) = (policy.needs(), format!("{table}mshr.kind = {name}"));
        let mut rules = vec![];
        if policy.in_tags() {
            let allowed = format!("on-miss, as {kind} keeps pending lines in the tags");
            rules.push(rule(self.allocation == Allocation::OnMiss, "allocation", "on-fill", allowed));
        }
        if let Some((least, why)) = needs.ways {
            let allowed = format!("{least} and more, as {kind} {why}");
            rules.push(rule(self.ways >= least, "ways", self.ways, allowed));
        }
        rules.extend(policy.rules(&self.miss(), table));
        if let Some(why) = needs.no_prefetches {
            rules.push(rule(
                !self.prefetches(),
                "mshr.kind",
                name,
                format!("{}: {why}", MissHandling::names_of(|needs| needs.no_prefetches.is_none())),
            ));
        }
        rules
    }

    /// What a write that fetches its line does not go with.
    fn write_rules(&self, table: &str) -> Vec<Rule> {
        if self.write_miss == WriteMiss::NoAllocate {
            return vec![];
        }
        let poison = format!("stall, as {table}write_miss = allocate: a write would poison its own line");
        let evict = format!("no-allocate, as {table}write_hit = evict: a write leaves no line");
        vec![
            rule(self.write_pending == WritePending::Stall, "write_pending", "poison", poison),
            rule(self.write_hit != WriteHit::Evict, "write_miss", "allocate", evict),
        ]
    }

    /// What a cache of prefetched lines alone does not go with.
    fn prefetch_rules(&self, table: &str) -> Vec<Rule> {
        if self.prefetching != Prefetching::Only {
            return vec![];
        }
        let alone = format!("as {table}only_prefetches = true");
        let way = format!("on-fill, {alone}: lines that are passed on have no way");
        let fetched = format!("no-allocate, {alone}: a line that is fetched by a write does not enter");
        vec![
            rule(self.allocation == Allocation::OnFill, "allocation", "on-miss", way),
            rule(self.write_miss == WriteMiss::NoAllocate, "write_miss", "allocate", fetched),
        ]
    }
}
