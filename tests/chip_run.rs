//! Whole chips: composition, and kernels run to their end.

use std::path::Path;
use warpmesh::{chip::*, netlist::elaborate};

fn chip(config: &str, overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn chips_elaborate() {
    for (config, overrides) in [("small.toml", &[][..]), ("default.toml", &[]), ("default.toml", &["core.lanes=16"])] {
        let chip = chip(config, overrides);
        let top = build(&chip).expect("a network");
        let design = elaborate(&top).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(design.top.instances.iter().filter(|i| i.tile).count(), design.top.instances.len());
        assert_eq!(design.top.instances.len(), 1 + 3 * chip.nodes());
    }
}
