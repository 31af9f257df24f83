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

use super::params::CoreParams;
use crate::{blocks::fixed, cache::events::Class};
use hdl::{Builder, Module, params, statistics};

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

/// The score of a core's loads. Inputs `load`, `load_class` ([`Class`]) and `clear`.
pub fn locality(p: &CoreParams) -> Module {
    let m = Builder::new("locality", params! { max_misses: p.laws_max_misses });
    m.doc("Locality of a core's loads: which policy its scheduler should follow.");
    let (load, class) = (m.input("load", 1), m.input("load_class", Class::BITS));
    let is = |of: Class| load & class.eq(of as u64);
    let score = m.instance("score", &fixed::locality_score());
    let miss = is(Class::Miss);
    score.drive("clear", m.input("clear", 1));
    score.drive("miss", miss);
    score.drive("intra", is(Class::Intra) | is(Class::IntraMerged));
    score.drive("inter", is(Class::Inter) | is(Class::InterMerged));
    score.drive("max_misses", u64::from(p.laws_max_misses));
    let prefer_rr = score.get("prefer_rr");
    m.output_of("prefer_rr", prefer_rr);
    m.count(PREFER_RR_CYCLES, prefer_rr);
    m.count(POLICY_SWITCHES, prefer_rr ^ m.delayed("preferred_rr", prefer_rr));
    m.histogram(MISSES_SINCE_INTER_ACCESS, miss, score.get("misses"));
    m.finish()
}
