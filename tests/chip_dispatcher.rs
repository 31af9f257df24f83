//! The block dispatcher against cores that take random times.

use warpmesh::{chip::*, netlist::elaborate};

#[test]
fn dispatcher_is_a_tile() {
    for (cores, blocks) in [(1, 1), (3, 2), (12, 8)] {
        let module = dispatcher(&DispatcherParams { cores, warps: 8, blocks });
        let design = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        assert!(design.about(&module).registered.iter().all(|r| *r), "every output is a register");
    }
}
