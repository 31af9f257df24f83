//! What the parameters of a core demand of each other, by the keys of a configuration, each with its reason.

use super::CoreParams;
use cache::CacheParams;
use common::parameters::{Rule, rule};
use hdl::index_width;
use memory::WriteReply;

impl CoreParams {
    /// The first demand that is not met. `table`: where a configuration has the parameters, with a dot behind; empty for parameters alone.
    pub fn first_violation(&self, table: &str) -> Option<Rule> {
        let groups =
            [self.data_cache_rules(), self.throttle_rules(table), self.atomic_rules(table), self.size_rules(table)];
        groups.into_iter().flatten().find(|rule| !rule.holds)
    }

    /// What is wrong, if anything: a number out of its range, or a demand that is not met.
    pub fn problem(&self) -> Option<String> {
        let out_of_range = self.check_ranges("").err().map(|error| error.to_string());
        let latencies = self.latencies.iter().flat_map(|latencies| latencies.cycles);
        let latency = latencies.into_iter().find(|cycles| !(1..=255).contains(cycles));
        let latency = latency.map(|cycles| format!("latency = {cycles}, allowed: 1 to 255 cycles"));
        out_of_range.or(latency).or_else(|| self.first_violation("").map(|rule| rule.to_string()))
    }

    /// What goes by the events of a data cache, or fills it.
    fn data_cache_rules(&self) -> Vec<Rule> {
        let has_cache = self.l1d.is_some();
        let why = "as there is no data cache (cache.l1d.bytes = 0, or memory.model = perfect)";
        let (scheduler, throttle, prefetcher) = (self.scheduler, self.throttle.kind, self.prefetch.kind);
        let takes_prefetches = self.l1d.as_ref().is_some_and(CacheParams::prefetches);
        vec![
            rule(has_cache || !self.scores_locality(), "scheduler", scheduler.name(), format!("others, {why}")),
            rule(
                has_cache || !throttle.policy().reads().cache,
                "throttle.kind",
                throttle.name(),
                format!("others, {why}"),
            ),
            rule(takes_prefetches || !self.prefetches(), "prefetch.kind", prefetcher.name(), format!("none, {why}")),
            rule(
                !(self.merge_loads && has_cache),
                "merge_loads",
                true,
                "false with a data cache (cache.l1d.bytes), which merges misses",
            ),
        ]
    }

    /// What a throttle needs of the warps that it holds.
    fn throttle_rules(&self, table: &str) -> Vec<Rule> {
        let (throttle, own) = (self.throttle, self.warps / self.issue_slots);
        let each = if self.issue_slots > 1 { " of each issue slot" } else { "" };
        vec![
            rule(
                throttle.min_warps <= own || !throttle.kind.policy().reads().cache,
                "throttle.min_warps",
                throttle.min_warps,
                format!("1 to {table}warps = {own}{each}"),
            ),
            rule(
                throttle.victim_ways <= throttle.victim_tags,
                "throttle.victim_ways",
                throttle.victim_ways,
                format!("1 to {table}throttle.victim_tags = {}", throttle.victim_tags),
            ),
        ]
    }

    /// What atomics do not go with.
    fn atomic_rules(&self, table: &str) -> Vec<Rule> {
        if !self.atomics {
            return vec![];
        }
        let posted = "false, as memory.write_reply = none: an atomic is a write that is answered";
        let merged = format!("false, as {table}merge_loads = true: replies of atomics are nobody else's");
        vec![
            rule(self.write_reply != WriteReply::None, "atomics", true, posted),
            rule(!self.merge_loads, "atomics", true, merged),
        ]
    }

    /// Numbers that depend on others.
    fn size_rules(&self, table: &str) -> Vec<Rule> {
        let Self { warps, lanes, issue_slots: slots, special_units: special, shared_banks, tag_bits, .. } = *self;
        let (half, least) = (lanes / 2, index_width(warps as usize));
        let of_lanes = |count: u32| count == 0 || count.is_power_of_two() && count <= half;
        let own = self.own_units.iter().map(|(name, count)| {
            let allowed = format!("0 or a power of two up to {half}, half of {table}lanes");
            rule(of_lanes(count), format!("own_units.{name}"), count, allowed)
        });
        let others = vec![
            rule(
                of_lanes(special),
                "special_units",
                special,
                format!("0 or a power of two up to {half}, half of {table}lanes"),
            ),
            rule(
                warps >= 2 * slots,
                "issue_slots",
                slots,
                format!("1, as {table}warps = {warps}: each slot has two at least"),
            ),
            rule(
                warps.is_multiple_of(slots),
                "warps",
                warps,
                format!("an even number, as {table}issue_slots = {slots}"),
            ),
            rule(
                tag_bits >= least,
                "tag_bits",
                tag_bits,
                format!("{least} to 8 bits, as {table}warps = {warps}, or 0: as many as it takes"),
            ),
            rule([0, 8, 16, 32].contains(&shared_banks), "shared_banks", shared_banks, "0, 8, 16 or 32"),
        ];
        others.into_iter().chain(own).collect()
    }
}
