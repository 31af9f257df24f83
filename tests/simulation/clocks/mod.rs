//! Several clock domains: description and its mistakes, simulation on all engines, exported Verilog, the crossing
//! queue.

mod crossing;
mod mistakes;
mod random;
mod simulation;
mod verilog;

use proptest::prelude::*;
use warpmesh::sim::Clocks;

/// Frequencies and delays of two clocks, in small numbers.
#[derive(Clone, Debug)]
struct Ratios {
    frequencies: [(u64, u64); 2],
    delays: [(u64, u64); 2],
}

impl Ratios {
    /// For domains of these names.
    fn clocks(&self, names: [&str; 2]) -> Clocks {
        names.iter().enumerate().fold(Clocks::default(), |clocks, (i, name)| {
            let ((n, d), (a, b)) = (self.frequencies[i], self.delays[i]);
            clocks.ratio(name, n, d).delay(name, a, b)
        })
    }
}

fn ratios() -> impl Strategy<Value = Ratios> {
    let frequency = || (1u64..=9, 1u64..=9);
    let delay = || prop_oneof![Just((0u64, 1u64)), (0u64..=9, 1u64..=9)];
    let equal = frequency().prop_map(|f| [f, f]);
    let frequencies = prop_oneof![1 => equal, 4 => (frequency(), frequency()).prop_map(|(a, b)| [a, b])];
    (frequencies, (delay(), delay())).prop_map(|(frequencies, (a, b))| Ratios { frequencies, delays: [a, b] })
}
