//! What is sent: transactions of a request and perhaps a reply.

use super::{Burst, Destination, Pattern, RateMatrix, TrafficError};
use hdl::random::Rng;
use rtl::noc::{Flow, MessageClass, Nodes};
use std::{str::FromStr, sync::Arc};

/// Flits of the longest packet.
pub const MOST_FLITS: u32 = 64;

/// Traffic for a network; how much of it is said by the load.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// Who sends to whom.
    pub pattern: Pattern,
    /// Part of memory controller 0 in [`Pattern::Hotspot`], of all in [`Pattern::CoresAndMemories`], 0 to 1.
    pub hot_share: f64,
    /// Kinds of transactions; their shares add up to 1.
    pub transactions: Vec<Transaction>,
    /// Cycles from the one after a request's tail was on the ejection channel to the creation of its reply.
    pub service: u64,
    /// Who sends to whom, instead of the pattern.
    pub matrix: Option<Arc<RateMatrix>>,
    /// When packets are born, if not independently in each cycle.
    pub burst: Option<Burst>,
}

/// A request, and what comes back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transaction {
    /// Its part of all transactions, 0 to 1.
    pub share: f64,
    /// Flits of the request.
    pub request: u32,
    /// Flits of the reply; `None`: one-way.
    pub reply: Option<u32>,
}

/// Packet sizes with their probabilities: `4`, or `1:0.9,4:0.1`.
#[derive(Clone, PartialEq, Debug)]
pub struct Sizes(Vec<(u32, f64)>);

impl Sizes {
    /// Packets of one size.
    pub fn fixed(flits: u32) -> Self {
        Self(vec![(flits, 1.0)])
    }

    /// One-way transactions of these sizes.
    pub fn one_way(&self) -> Vec<Transaction> {
        self.0.iter().map(|&(request, share)| Transaction { share, request, reply: None }).collect()
    }

    /// Transactions whose reply is as long as the request.
    pub fn echoed(&self) -> Vec<Transaction> {
        self.0.iter().map(|&(request, share)| Transaction { share, request, reply: Some(request) }).collect()
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}`: packet sizes are written FLITS, or FLITS:SHARE,FLITS:SHARE with shares that add up to 1")
        };
        let one = |part: &str| {
            let (flits, share) = part.split_once(':').unwrap_or((part, "1"));
            let flits: u32 = flits.trim().parse().map_err(|_| wrong())?;
            let share: f64 = share.trim().parse().map_err(|_| wrong())?;
            if !(1..=MOST_FLITS).contains(&flits) {
                return Err(format!("{flits} flits: allowed: 1 to {MOST_FLITS}"));
            }
            if share > 0.0 && share <= 1.0 { Ok((flits, share)) } else { Err(wrong()) }
        };
        let sizes = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
        let whole: f64 = sizes.iter().map(|(_, share)| share).sum();
        if (whole - 1.0).abs() > 1e-6 { Err(wrong()) } else { Ok(Self(sizes)) }
    }
}

/// The memory traffic of the thesis' section 6.7: reads of one flit whose reply carries a line, writes that carry one and are
/// answered with one flit. `line`: flits of a line.
pub fn memory(reads: f64, line: u32) -> Vec<Transaction> {
    memory_of_widths(reads, [line, line])
}

/// The same with channels of different width: flits of a line in a request, and in a reply.
pub fn memory_of_widths(reads: f64, lines: [u32; 2]) -> Vec<Transaction> {
    let [written, read] = lines;
    let read = Transaction { share: reads, request: 1, reply: Some(read) };
    let write = Transaction { share: 1.0 - reads, request: written, reply: Some(1) };
    [read, write].into_iter().filter(|kind| kind.share > 0.0).collect()
}

impl Traffic {
    /// By a pattern, each packet born independently, with replies that take no time.
    pub fn new(pattern: Pattern, transactions: Vec<Transaction>) -> Self {
        Self { pattern, hot_share: 0.2, transactions, service: 0, matrix: None, burst: None }
    }

    /// Where each node sends.
    pub fn targets(&self, nodes: &Nodes) -> Result<Vec<Destination>, TrafficError> {
        match &self.matrix {
            Some(matrix) => Ok(matrix.targets(nodes)?),
            None => self.pattern.targets(nodes, self.hot_share),
        }
    }

    /// The highest load that can be offered, flits per sender and cycle: a packet in every cycle in which a source is on, at the busiest one.
    pub fn most_load(&self, targets: &[Destination]) -> f64 {
        let most = targets.iter().map(Destination::weight).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        self.mean_request() * self.burst.map_or(1.0, |burst| burst.duty) / most
    }

    /// In range?
    pub fn check(&self) -> Result<(), TrafficError> {
        let wrong = |name, value: String, allowed: String| Err(TrafficError::Load { name, value, allowed });
        let whole: f64 = self.transactions.iter().map(|t| t.share).sum();
        if (whole - 1.0).abs() > 1e-6 || self.transactions.iter().any(|t| t.share.is_nan() || t.share <= 0.0) {
            let shares: Vec<_> = self.transactions.iter().map(|t| t.share).collect();
            return wrong("shares of transactions", format!("{shares:?}"), "above 0, adding up to 1".into());
        }
        for flits in self.transactions.iter().flat_map(|t| [Some(t.request), t.reply]).flatten() {
            if !(1..=MOST_FLITS).contains(&flits) {
                return wrong("flits of a packet", flits.to_string(), format!("1 to {MOST_FLITS}"));
            }
        }
        let (first, rest) = self.transactions.split_first().expect("the shares add up to 1");
        if rest.iter().any(|kind| kind.reply.is_some() != first.reply.is_some()) {
            return wrong("replies", "some".into(), "all transactions have one, or none has".into());
        }
        Ok(())
    }

    /// Requests are answered.
    pub fn replies(&self) -> bool {
        self.transactions.iter().any(|kind| kind.reply.is_some())
    }

    /// Message classes: one, or requests and replies.
    pub fn classes(&self) -> u32 {
        if self.replies() { 2 } else { 1 }
    }

    /// Their names in reports.
    pub fn class_names(&self) -> &'static [&'static str] {
        if self.replies() { &["request", "reply"] } else { &["packet"] }
    }

    /// Flits of a request on average.
    pub fn mean_request(&self) -> f64 {
        self.transactions.iter().map(|kind| kind.share * f64::from(kind.request)).sum()
    }

    /// Flits of a reply on average; 0 without replies.
    pub fn mean_reply(&self) -> f64 {
        self.transactions.iter().map(|kind| kind.share * f64::from(kind.reply.unwrap_or(0))).sum()
    }

    /// Flits of the longest packet.
    pub fn most_flits(&self) -> u32 {
        let flits = self.transactions.iter().flat_map(|kind| [kind.request, kind.reply.unwrap_or(0)]);
        flits.max().unwrap_or(1)
    }

    /// Flits of the longest packet of each message class; of replies 1 where there are none.
    pub fn most_flits_of_classes(&self) -> [u32; 2] {
        let most = |of: fn(&Transaction) -> Option<u32>| self.transactions.iter().filter_map(of).max().unwrap_or(1);
        [most(|kind| Some(kind.request)), most(|kind| kind.reply)]
    }

    /// In words: `1 flit, answered with 4 (90 %); 4 flits, answered with 1 (10 %)`.
    pub fn describe(&self) -> String {
        let kind = |kind: &Transaction| {
            let flits = if kind.request == 1 { "flit" } else { "flits" };
            let answer = kind.reply.map_or(String::new(), |reply| format!(", answered with {reply}"));
            let share = match self.transactions.len() {
                1 => String::new(),
                _ => format!(" ({:.1} %)", 100.0 * kind.share),
            };
            format!("{} {flits}{answer}{share}", kind.request)
        };
        let burst = self.burst.map(|burst| burst.describe());
        self.transactions.iter().map(kind).chain(burst).collect::<Vec<_>>().join("; ")
    }

    /// A kind of transaction.
    pub fn draw(&self, random: &mut Rng) -> Transaction {
        let mut rest = if self.transactions.len() == 1 { 0.0 } else { random.unit() };
        for kind in &self.transactions {
            if rest < kind.share {
                return *kind;
            }
            rest -= kind.share;
        }
        *self.transactions.last().expect("there is a kind of transaction")
    }

    /// The mean of `value` over all packets, with their flow and flits: an expectation over the pattern.
    pub fn expectation(&self, targets: &[Destination], mut value: impl FnMut(Flow, u32) -> f64) -> f64 {
        let (mut sum, mut senders) = (0.0, 0.0);
        for (source, target) in (0..).zip(targets) {
            senders += target.weight();
            for (dest, share) in target.shares() {
                for kind in &self.transactions {
                    let there = value(Flow { class: MessageClass::Request, source, dest }, kind.request);
                    let reply = Flow { class: MessageClass::Reply, source: dest, dest: source };
                    let mean = kind.reply.map_or(there, |flits| (there + value(reply, flits)) / 2.0);
                    sum += target.weight() * share * kind.share * mean;
                }
            }
        }
        sum / senders
    }
}

#[cfg(test)]
mod tests {
    use super::{super::shortest_paths::ShortestPaths, *};
    use rtl::noc::{Fabric, FabricParams, FlitFormat, NetworkParams, NodeKind, Nodes, paths::all_pairs};

    /// Ways in a mesh for flows between all nodes.
    fn ways(nodes: &Nodes) -> ShortestPaths {
        let network = NetworkParams::new(FlitFormat::new(2, 8, nodes.len(), 1), 4, 1);
        let params = FabricParams { messages: 1, ..FabricParams::new(nodes.clone(), network) };
        let flows: Vec<_> = all_pairs(nodes.len()).collect();
        ShortestPaths::new(&Fabric::new(params, &flows).expect("legal"))
    }

    fn traffic(pattern: Pattern, transactions: Vec<Transaction>) -> Traffic {
        Traffic::new(pattern, transactions)
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!("4".parse(), Ok(Sizes::fixed(4)));
        assert_eq!("1:0.9,4:0.1".parse(), Ok(Sizes(vec![(1, 0.9), (4, 0.1)])));
        for wrong in ["", "0", "65", "x", "1:0.5", "1:0.5,4:0.6", "1:-1,4:2", "1:nan,2:1"] {
            wrong.parse::<Sizes>().expect_err(wrong);
        }
    }

    #[test]
    fn kinds_of_transactions_are_drawn_by_their_shares() {
        let memory = traffic(Pattern::ManyToFew, memory(0.9, 4));
        assert!((memory.mean_request() - 1.3).abs() < 1e-12);
        assert_eq!((memory.most_flits(), memory.classes()), (4, 2));
        assert_eq!(memory.describe(), "1 flit, answered with 4 (90.0 %); 4 flits, answered with 1 (10.0 %)");
        let mut random = Rng::new(3);
        let reads = (0..10_000).filter(|_| memory.draw(&mut random).reply == Some(4)).count();
        assert!((8_850..9_150).contains(&reads), "{reads}");
    }

    #[test]
    fn zero_load_is_an_expectation_over_pairs() {
        let grid = Nodes::with_kinds(6, 6, |_| NodeKind::Core).expect("legal");
        let uniform = traffic(Pattern::Uniform, Sizes::fixed(4).one_way());
        let targets = uniform.targets(&grid).expect("legal");
        // The mean distance in a row of n is (n - 1/n) / 3, so 35/18 in each direction.
        let expected = 2.0 + 5.0 * (1.0 + 2.0 * 35.0 / 18.0) + 3.0;
        let mean = |traffic: &Traffic, targets: &[Destination], ways: &ShortestPaths| {
            traffic.expectation(targets, |flow, flits| ways.zero_load(flow.source, flow.dest, flits) as f64)
        };
        assert!((mean(&uniform, &targets, &ways(&grid)) - expected).abs() < 1e-9);
        let grid = Nodes::new(2, 1, &[1]).expect("legal");
        let asked = traffic(Pattern::ManyToFew, memory(0.5, 5));
        let targets = asked.targets(&grid).expect("legal");
        // Two routers; one flit and five, both ways.
        assert!((mean(&asked, &targets, &ways(&grid)) - (12.0 + 16.0) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn impossible_traffic_is_an_error() {
        let error = |transactions| traffic(Pattern::Uniform, transactions).check().expect_err("impossible").to_string();
        let kind = Transaction { share: 1.0, request: 1, reply: None };
        assert_eq!(
            error(vec![Transaction { share: 0.5, ..kind }]),
            "shares of transactions = [0.5]: allowed: above 0, adding up to 1"
        );
        assert_eq!(error(vec![Transaction { request: 65, ..kind }]), "flits of a packet = 65: allowed: 1 to 64");
        let mixed = [None, Some(1)].map(|reply| Transaction { share: 0.5, reply, ..kind });
        assert_eq!(error(mixed.to_vec()), "replies = some: allowed: all transactions have one, or none has");
    }
}
