//! Zero-load latency: how long packets take when no other packet is in the network.
//!
//! While a packet does not wait for its own credits, a formula of the routers on its way says it exactly
//! ([`zero_load`](super::zero_load())). So it is when the packet is no longer than a virtual channel, or a virtual
//! channel no shallower than the credit round trip of every channel on the way ([`PathLength::round_trip`]). Else the
//! packet's flits wait for credits that its first flits have taken; how long is measured, with one packet of each kind
//! in the empty network: of each length, depth, and sequence of channels with their round trips. (The head of a packet
//! advances more slowly than the flits behind it, so a channel far behind with a shorter round trip may cost more than
//! the one with the longest.) Where routers choose among ways of equally many hops over links of different lengths,
//! every pair is a kind.
//!
//! Tests: `tests/noc/networks/random_measurements.rs` and `campaigns/random_networks.rs` (every packet of random traffic on random
//! networks, each alone).
//!
//! [`PathLength::round_trip`]: rtl::noc::paths::PathLength::round_trip

use super::{Bench, OpenLoopError, flight::PacketInFlight};
use rtl::noc::{Flow, MessageClass};
use std::collections::BTreeMap;

/// Kinds of packets that are measured; of more, so many at even distances, and what lies between two takes the waiting time of the first.
const MOST_KINDS: usize = 256;
/// The same where each pair of nodes is a kind.
const MOST_PAIRS: usize = 1024;

/// Zero-load latency of a network under its traffic.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ZeroLoad {
    /// Mean over the packets of the pattern, cycles.
    pub mean: f64,
    /// Packets that were measured for it; 0: no packet waits for its own credits, and the formula gives all.
    pub measured: usize,
}

impl ZeroLoad {
    /// Of the network and the traffic of `bench`.
    pub(super) fn of(bench: &mut Bench) -> Result<Self, OpenLoopError> {
        let mut kinds = BTreeMap::new();
        let ways = bench.ways().clone();
        bench.each_packet(|flow, flits| {
            if let Some(kind) = ways.waits(flow, flits) {
                kinds.entry(kind).or_insert(flow);
            }
            0.0
        });
        let most = if ways.is_by_choice { MOST_PAIRS } else { MOST_KINDS };
        let step = kinds.len().div_ceil(most).max(1);
        let mut waiting = BTreeMap::new();
        for (kind, flow) in kinds.into_iter().step_by(step) {
            let alone = bench.alone(flow, kind.flits)?;
            waiting.insert(kind, alone as f64 - ways.zero_load(flow.source, flow.dest, kind.flits) as f64);
        }
        let mean = bench.each_packet(|flow, flits| {
            let free = ways.mean_zero_load(flow.source, flow.dest, flits);
            let kind = ways.waits(flow, flits);
            free + kind.map_or(0.0, |kind| waiting.range(..=kind).next_back().map_or(0.0, |(_, waits)| *waits))
        });
        Ok(Self { mean, measured: waiting.len() })
    }
}

impl Bench {
    /// Latency of one packet in a network without others, cycles.
    pub fn alone(&mut self, flow: Flow, flits: u32) -> Result<u64, OpenLoopError> {
        let Flow { class, source, dest } = flow;
        let reply = class == MessageClass::Reply;
        let packet = PacketInFlight {
            source,
            dest,
            reply,
            flits,
            owed: None,
            created: 0,
            measured: true,
            traced: None,
            number: 0,
        };
        let mut run = self.begin(0.0, 0..1, 0)?;
        run.statistics.created(&packet);
        run.sources.send(packet);
        while run.statistics.missing > 0 {
            run.cycle()?;
            if run.is_still() {
                return Err(OpenLoopError::Broken { cycle: run.now, problem: format!("{packet:?} alone is stuck") });
            }
        }
        Ok(run.statistics.oldest)
    }
}
