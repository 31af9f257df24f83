//! Locality of a core's loads, from the events of its data cache: the score that LAWS chooses its policy by.
//!
//! ```text
//!  event_* (of the data cache) --> class: miss, intra, inter --> locality_score --> prefer_rr
//!  flushed (the kernel has ended) --------------------------------- clear ^
//! ```
//!
//! Contract: an access that the data cache shows in cycle t is in `prefer_rr` from t + 1 on.
//!
//! Source: Kim's thesis, section 2.5. Testbench: `testbenches/locality/`; tests: `tests/core/throttle.rs` (in a core,
//! in step with its Verilog), `tests/simulation/rust_hdl/fixed.rs` (the score).

use super::config::CoreParams;
use blocks::fixed;
use cache::events::Class;
use hdl::{Builder, Module, params, ports, statistics};

statistics! {
    "locality" {
        /// Cycles in which the fair policy rules.
        PREFER_RR_CYCLES: prefer_rr_cycles in "cycles";
        /// Times that the policy changed.
        POLICY_SWITCHES: policy_switches in "changes";
        /// Misses since the last inter access, at each primary miss.
        MISSES_SINCE_INTER_ACCESS: misses_since_inter_access in "misses";
    }
}

ports! {
    /// Ports of [`locality`].
    pub struct LocalityPorts(p: &CoreParams) of Locality {
        /// The data cache has accepted a load.
        in load: 1,
        /// Its [`Class`].
        in load_class: Class::BITS,
        /// The kernel has ended.
        in clear: 1,
        /// The fair policy rules.
        out prefer_rr: 1,
    }
}

ports! {
    /// Ports of [`fixed::locality_score`].
    struct ScorePorts(_p: &()) of Score {
        /// The kernel has ended.
        in clear: 1,
        /// A load has missed a line that nobody waits for yet: a primary miss.
        in miss: 1,
        /// A load has found a line, here or pending, that its own warp asked for.
        in intra: 1,
        /// The same, of a line that another warp asked for.
        in inter: 1,
        /// Of the misses since the last inter access, so many count at most.
        in max_misses: 5,
        /// The fair policy rules.
        out prefer_rr: 1,
        /// Misses since the last inter access.
        out misses: 5,
    }
}

/// The score of a core's loads.
pub fn locality(p: &CoreParams) -> Module {
    let m = Builder::new("locality", params! { max_misses: p.laws_max_misses });
    m.doc("Locality of a core's loads: which policy its scheduler should follow.");
    let io = LocalityPorts::new(&m, p);
    let (load, class) = (io.load(), io.load_class());
    let is = |of: Class| load & class.eq(of as u64);
    let score = Score(m.instance("score", &fixed::locality_score()));
    let miss = is(Class::Miss);
    score.clear(io.clear());
    score.miss(miss);
    score.intra(is(Class::Intra) | is(Class::IntraMerged));
    score.inter(is(Class::Inter) | is(Class::InterMerged));
    score.max_misses(u64::from(p.laws_max_misses));
    let prefer_rr = score.prefer_rr();
    io.prefer_rr(prefer_rr);
    m.count(PREFER_RR_CYCLES, prefer_rr);
    m.count(POLICY_SWITCHES, prefer_rr ^ m.delayed("preferred_rr", prefer_rr));
    m.histogram(MISSES_SINCE_INTER_ACCESS, miss, score.misses());
    m.finish()
}
