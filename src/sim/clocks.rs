//! When which clock has an edge.
//!
//! The domains of the top module run at rational ratios to a common base frequency ([`Clocks`]). From these follow
//! whole periods in
//! *ticks*, the longest unit of time of which all periods and delays are multiples; with one clock, or equal ones, a tick is a
//! cycle. [`Schedule`] goes from one instant at which some domain has an edge to the next; simultaneous edges are one
//! instant.

use super::error::{SimError, nearest};
use hdl::{Domain, Module};
use netlist::Design;
use std::collections::BTreeMap;

/// Frequencies of the clock domains of a top module. A domain that is not named runs at the base frequency.
///
/// ```
/// # use warpmesh_sim::Clocks;
/// // Three edges of `noc` in the time of two of the base, and `dram` 7/4 as fast as the base.
/// let clocks = Clocks::default().ratio("noc", 3, 2).ratio("dram", 7, 4);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    given: BTreeMap<String, Given>,
    megahertz: Option<u32>,
}

/// What was said of a domain: frequency and delay, as numerator and denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Given {
    frequency: (u64, u64),
    delay: (u64, u64),
}

impl Clocks {
    /// `domain` has `numerator` edges in the time of `denominator` edges of the base.
    pub fn ratio(mut self, domain: &str, numerator: u64, denominator: u64) -> Self {
        self.given(domain).frequency = (numerator, denominator);
        self
    }

    /// `domain` has an edge every `periods` periods of the base.
    pub fn period(self, domain: &str, periods: u64) -> Self {
        self.ratio(domain, 1, periods)
    }

    /// The base frequency, for time in waveforms; nothing else depends on it.
    pub fn megahertz(mut self, base: u32) -> Self {
        self.megahertz = Some(base);
        self
    }

    /// The first edge of `domain` comes `numerator / denominator` periods of the base later than that of others.
    pub fn delay(mut self, domain: &str, numerator: u64, denominator: u64) -> Self {
        self.given(domain).delay = (numerator, denominator);
        self
    }

    fn given(&mut self, domain: &str) -> &mut Given {
        self.given.entry(domain.into()).or_insert(Given { frequency: (1, 1), delay: (0, 1) })
    }

    /// Period of each of `domains`, in ticks; `None` for a domain that clocks nothing.
    ///
    /// # Errors
    /// A domain that is not there, a frequency of zero, no common unit of time.
    pub fn periods(&self, domains: &[Domain]) -> Result<Vec<Option<u64>>, SimError> {
        Ok(self.ticks(domains)?.domains.into_iter().map(|ticks| ticks.map(|(period, _)| period)).collect())
    }

    /// Periods and first edges in ticks.
    fn ticks(&self, domains: &[Domain]) -> Result<Ticks, SimError> {
        for (name, given) in &self.given {
            if domains.iter().all(|d| d.name != *name) {
                let candidates = nearest(name, domains.iter().map(|d| d.name.as_str()));
                return Err(SimError::UnknownClock { name: name.clone(), candidates });
            }
            let Given { frequency: (numerator, denominator), delay: (_, parts) } = *given;
            if numerator == 0 || denominator == 0 || parts == 0 {
                let message =
                    format!("`{name}` runs at {numerator}/{denominator} of the base: both must be above zero");
                return Err(SimError::Clocks(message));
            }
        }
        let nothing = Given { frequency: (1, 1), delay: (0, 1) };
        let none_used = domains.iter().all(|d| !d.used);
        let of = |(i, d): (usize, &Domain)| {
            let given = self.given.get(&d.name).copied().unwrap_or(nothing);
            (d.used || none_used && i == 0).then_some(given)
        };
        let used: Vec<Option<Given>> = domains.iter().enumerate().map(of).collect();
        whole(&used)
            .ok_or_else(|| SimError::Clocks("the frequencies have no common unit of time that fits 64 bits".into()))
    }
}

/// Time in ticks.
struct Ticks {
    /// Period and first edge of each domain; `None` for one that clocks nothing.
    domains: Vec<Option<(u64, u64)>>,
    /// Period of the base frequency: so many over so many.
    base: (u64, u64),
}

/// Periods and delays as multiples of their longest common unit; `None` when they do not fit.
fn whole(given: &[Option<Given>]) -> Option<Ticks> {
    // In parts of a base period: a period is denominator / numerator of the frequency.
    let mut parts = 1_u64;
    for Given { frequency: (n, d), delay: (a, b) } in given.iter().flatten() {
        for denominator in [n / gcd(*n, *d), b / gcd(*a, *b)] {
            parts = (parts / gcd(parts, denominator)).checked_mul(denominator)?;
        }
    }
    let scaled = |(numerator, denominator): (u64, u64)| {
        let exact = u128::from(parts) * u128::from(numerator) / u128::from(denominator);
        // Room for as many cycles as anyone will simulate.
        u64::try_from(exact).ok().filter(|&ticks| ticks < 1 << 32)
    };
    let mut ticks = vec![];
    for about in given {
        ticks.push(match about {
            Some(Given { frequency: (n, d), delay }) => Some((scaled((*d, *n))?, scaled(*delay)?)),
            None => None,
        });
    }
    // Time starts with the first edge of all.
    let start = ticks.iter().flatten().map(|&(_, delay)| delay).min().unwrap_or(0);
    ticks.iter_mut().flatten().for_each(|(_, delay)| *delay -= start);
    let unit = ticks.iter().flatten().fold(0, |unit, &(period, delay)| gcd(unit, gcd(period, delay)));
    ticks.iter_mut().flatten().for_each(|(period, delay)| (*period, *delay) = (*period / unit, *delay / unit));
    Some(Ticks { domains: ticks, base: (parts, unit) })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The clock domains of the top that have an edge at an instant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edges(u64);

impl Edges {
    /// Every domain.
    pub const ALL: Edges = Edges(u64::MAX);

    /// Does the domain at this position of the top's [`domains`](hdl::ModuleDef::domains) have an edge?
    pub fn has(self, domain: usize) -> bool {
        self.0 >> domain & 1 == 1
    }

    /// One bit per domain, the first one lowest; all ones when all have an edge.
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// Edges of these domains, for tests.
#[cfg(test)]
pub(crate) fn edges(domains: &[usize]) -> Edges {
    Edges(domains.iter().fold(0, |edges, domain| edges | 1 << domain))
}

/// A clock domain of the top, for fast access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockHandle(pub(super) usize);

/// Goes from instant to instant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Schedule {
    /// Per domain, in ticks; `None`: no edges.
    periods: Vec<Option<(u64, u64)>>,
    /// Per domain: its next edge, in ticks.
    next: Vec<u64>,
    /// Per domain: edges so far.
    counts: Vec<u64>,
    /// The next instant, in ticks, and the domains that have an edge then.
    now: u64,
    edges: Edges,
    /// The first domain that has edges.
    base: usize,
    /// All domains have all their edges together.
    together: bool,
    /// The base frequency, if it is known, and its period: so many ticks over so many.
    megahertz: Option<u32>,
    base_frequency_period: (u64, u64),
}

impl Schedule {
    pub fn new(design: &Design, clocks: &Clocks) -> Result<Self, SimError> {
        let Ticks { domains: periods, base: base_frequency_period } = clocks.ticks(&design.top.domains)?;
        let base = periods.iter().position(Option::is_some).expect("some domain has edges, if used or not");
        let mut schedule = Self {
            next: vec![],
            counts: vec![],
            now: 0,
            edges: Edges::ALL,
            base,
            together: periods.iter().flatten().all(|p| Some(*p) == periods[base]),
            megahertz: clocks.megahertz.filter(|mhz| *mhz > 0),
            base_frequency_period,
            periods,
        };
        schedule.set_time(0);
        Ok(schedule)
    }

    /// The next instant, in ticks.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Domains that have an edge at the next instant.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// The last instant before the next one, in ticks, and the domains that had an edge then; `None` before the first edge of all.
    pub fn last(&self) -> Option<(u64, Edges)> {
        let each: Vec<_> = (0..self.periods.len()).map(|domain| self.last_of(domain)).collect();
        let last = each.iter().flatten().copied().max()?;
        let had = |edges, (i, at): (usize, &Option<u64>)| edges | u64::from(*at == Some(last)) << i;
        Some((last, Edges(each.iter().enumerate().fold(0, had))))
    }

    /// Period of a domain that has edges, in ticks.
    pub fn period(&self, domain: usize) -> Option<u64> {
        self.periods[domain].map(|(period, _)| period)
    }

    /// Period of the base domain, in ticks.
    pub fn base_period(&self) -> u64 {
        self.period(self.base).expect("the base has edges")
    }

    /// The last edge of a domain before the next instant, in ticks.
    pub fn last_of(&self, domain: usize) -> Option<u64> {
        let (period, delay) = self.periods[domain].filter(|_| self.counts[domain] > 0)?;
        Some(delay + (self.counts[domain] - 1) * period)
    }

    /// The base domain alone.
    pub fn base_edge(&self) -> Edges {
        Edges(1 << self.base)
    }

    /// The next edge of the base domain, in ticks.
    pub fn next_of_base(&self) -> u64 {
        self.periods[self.base].map_or(self.now, |(period, delay)| delay + self.counts[self.base] * period)
    }

    /// Period of the base frequency in ticks, as numerator and denominator.
    pub fn base_frequency_period(&self) -> (u64, u64) {
        self.base_frequency_period
    }

    /// The base frequency, if it is known.
    pub fn megahertz(&self) -> Option<u32> {
        self.megahertz
    }

    /// Edges of a domain before the next instant.
    pub fn count(&self, domain: usize) -> u64 {
        self.counts[domain]
    }

    /// Edges of the base domain before the next instant.
    pub fn cycle(&self) -> u64 {
        self.counts[self.base]
    }

    /// Domains that have edges.
    pub fn running(&self) -> impl Iterator<Item = usize> + '_ {
        self.periods.iter().enumerate().filter(|(_, p)| p.is_some()).map(|(i, _)| i)
    }

    /// A number of base periods in which each clock has close to a whole number of edges: stretches of so many periods
    /// are alike.
    pub fn burst(&self) -> u64 {
        const LEAST: u64 = 12;
        const MOST: u64 = 40;
        let Some((base, _)) = self.periods[self.base].filter(|_| !self.together) else { return LEAST };
        let deviation = |periods: u64| {
            let of = |&(period, _): &(u64, u64)| {
                let edges = (periods * base) as f64 / period as f64;
                (edges - edges.round()).abs() / edges
            };
            self.periods.iter().flatten().map(of).sum::<f64>()
        };
        (LEAST..=MOST).min_by(|&a, &b| deviation(a).total_cmp(&deviation(b))).unwrap_or(LEAST)
    }

    /// The base domain has an edge at the next instant.
    pub fn has_base_edge(&self) -> bool {
        self.edges.has(self.base)
    }

    /// What makes time mean something else, for snapshots; one clock is like any other.
    pub fn fingerprint(&self) -> impl std::hash::Hash + '_ {
        Some(&self.periods).filter(|_| !self.together)
    }

    /// The edges of this instant have happened.
    pub fn advance(&mut self) {
        if self.together {
            let (period, _) = self.periods[self.base].expect("the base has edges");
            self.now += period;
            self.counts.iter_mut().zip(&self.periods).filter(|(_, p)| p.is_some()).for_each(|(count, _)| *count += 1);
            return;
        }
        for (i, period) in self.periods.iter().enumerate() {
            if let Some((period, _)) = period
                && self.edges.has(i)
            {
                self.next[i] += period;
                self.counts[i] += 1;
            }
        }
        self.choose();
    }

    /// Goes to the first instant at or after `time`.
    pub fn set_time(&mut self, time: u64) {
        let before = |&(period, delay): &(u64, u64)| time.saturating_sub(delay).div_ceil(period);
        self.counts = self.periods.iter().map(|p| p.as_ref().map_or(0, before)).collect();
        let next =
            |(p, count): (&Option<(u64, u64)>, &u64)| p.map_or(u64::MAX, |(period, delay)| delay + count * period);
        self.next = self.periods.iter().zip(&self.counts).map(next).collect();
        self.choose();
    }

    fn choose(&mut self) {
        self.now = self.next.iter().copied().min().unwrap_or(0);
        let due = |edges, (i, &next): (usize, &u64)| edges | u64::from(next == self.now) << i;
        let edges = self.next.iter().enumerate().fold(0, due);
        let all = self.periods.iter().enumerate().all(|(i, p)| p.is_none() || edges >> i & 1 == 1);
        self.edges = if all { Edges::ALL } else { Edges(edges) };
    }
}

/// The domains of the top that clock something in an instance of it.
pub(crate) fn used_domains(design: &Design, instance: usize) -> Vec<u32> {
    let about = &design.top.instances[instance];
    let own: Vec<u32> = (0..design.top.domains.len() as u32).collect();
    let used = |module: &Module| module.domains.iter().map(|d| d.used).collect::<Vec<_>>();
    let outer = about.outer_domains(&own).into_iter().zip(used(&about.module));
    let mut domains: Vec<u32> = outer.filter(|(_, used)| *used).map(|(domain, _)| domain).collect();
    domains.sort_unstable();
    domains.dedup();
    domains
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::{Builder, Module, params};
    use netlist::elaborate;

    fn three() -> Module {
        let m = Builder::new("three_clocks", params! {});
        let counter = |name: &str| {
            let count = m.register(name, 4, 0);
            m.set(count, count + 1);
            m.output_of(format!("{name}_now"), count);
        };
        counter("base");
        m.in_domain(m.domain("fast"), || counter("quick"));
        m.in_domain(m.domain("slow"), || counter("lazy"));
        m.domain("idle");
        m.finish()
    }

    fn schedule(clocks: Clocks) -> Result<Schedule, SimError> {
        Schedule::new(&elaborate(&three()).expect("correct"), &clocks)
    }

    /// Time and domains of the first instants.
    fn instants(clocks: Clocks, n: usize) -> Vec<(u64, String)> {
        let mut schedule = schedule(clocks).expect("legal");
        let one = |_| {
            let due = ["b", "f", "s"].iter().enumerate().filter(|(i, _)| schedule.edges().has(*i));
            let out = (schedule.now(), due.map(|(_, n)| *n).collect());
            schedule.advance();
            out
        };
        (0..n).map(one).collect()
    }

    fn expect(all: &[(u64, &str)]) -> Vec<(u64, String)> {
        all.iter().map(|&(t, d)| (t, d.to_string())).collect()
    }

    #[test]
    fn instants_follow_from_ratios() {
        let clocks = Clocks::default().ratio("fast", 3, 2).period("slow", 2);
        let first = [(0, "bfs"), (2, "f"), (3, "b"), (4, "f"), (6, "bfs"), (8, "f")];
        assert_eq!(instants(clocks, 6), expect(&first));
    }

    #[test]
    fn delays_move_the_first_edge() {
        let clocks = Clocks::default().delay("fast", 1, 3).period("slow", 3).delay("slow", 4, 1);
        let first = [(0, "b"), (1, "f"), (3, "b"), (4, "f"), (6, "b"), (7, "f"), (9, "b"), (10, "f"), (12, "bs")];
        assert_eq!(instants(clocks, 9), expect(&first));
    }

    #[test]
    fn equal_clocks_tick_by_one() {
        let clocks = Clocks::default().ratio("clock", 5, 3).ratio("fast", 10, 6).ratio("slow", 5, 3);
        assert_eq!(instants(clocks, 3), expect(&[(0, "bfs"), (1, "bfs"), (2, "bfs")]));
    }

    #[test]
    fn bursts_have_whole_numbers_of_edges() {
        let burst = |clocks| schedule(clocks).expect("legal").burst();
        assert_eq!(burst(Clocks::default()), 12);
        assert_eq!(burst(Clocks::default().ratio("fast", 7, 5)), 15);
        // 28 periods have 13.006 and 23.92 edges.
        assert_eq!(burst(Clocks::default().ratio("fast", 602, 1296).ratio("slow", 1107, 1296)), 28);
        // A clock that hardly ever has an edge.
        assert_eq!(burst(Clocks::default().period("slow", 1000)), 12);
    }

    #[test]
    fn time_can_be_set() {
        let clocks = || Clocks::default().ratio("fast", 3, 2).period("slow", 5).delay("slow", 7, 3);
        let mut walked = schedule(clocks()).expect("legal");
        for _ in 0..1000 {
            let mut set = schedule(clocks()).expect("legal");
            set.set_time(walked.now());
            assert_eq!(set, walked);
            walked.advance();
        }
    }

    #[test]
    fn wrong_clocks_are_refused() {
        let message = |clocks| schedule(clocks).expect_err("wrong on purpose").to_string();
        assert_eq!(message(Clocks::default().period("fats", 2)), "no clock domain `fats`; did you mean `fast`?");
        assert_eq!(
            message(Clocks::default().ratio("fast", 0, 2)),
            "clocks: `fast` runs at 0/2 of the base: both must be above zero"
        );
        let primes = Clocks::default().ratio("fast", 4_294_967_291, 1).ratio("slow", 4_294_967_279, 7);
        assert!(message(primes).contains("no common unit of time"));
    }
}
