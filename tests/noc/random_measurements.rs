//! Random measurements of random networks, by number: 20 here, any number with `cargo bench --bench random_noc`.

use crate::{
    matrix::options,
    random_loads::{self, check},
};

/// Zero-load latency is that of every packet alone, within one percent, and no verdict is contradicted by ten times as long.
#[test]
fn zero_load_latency_and_verdicts_hold() {
    let mistakes: Vec<_> =
        (0..20).filter_map(|seed| check(&random_loads::draw_small(seed), 1_000, &options()).err()).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
}
