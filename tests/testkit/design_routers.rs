//! The routers of designs, exported and shown to Verilator; shared by `tests/chip/designs.rs` and `campaigns/designs.rs`.

use std::collections::{BTreeSet, HashSet};
use warpmesh::{
    chip::{self, Chip},
    hdl::{Builder, Module, NetId, params},
    netlist::elaborate,
    noc::{Connectivity, RouterParams, fabric::Subnetwork},
    verilog::lint_quickly,
};

/// More ports than tools look at in seconds.
pub fn is_large(router: &Connectivity) -> bool {
    router.inputs().len() > 20
}

/// Each design has one module for each distinct router, and its routers and interfaces (but a router of more than 20
/// ports), `most` of them at most, are clean in Verilator. How many different ones there were.
pub fn lint_routers(designs: impl Iterator<Item = (&'static str, Chip)>, most: usize) -> usize {
    let top = Builder::new("routers_and_interfaces", params! {});
    let mut seen = BTreeSet::new();
    for (name, chip) in designs {
        let design = elaborate(&chip::build(&chip).unwrap_or_else(|e| panic!("{name}: {e}")));
        let design = design.unwrap_or_else(|e| panic!("{name}: {e}"));
        let fabric = chip.fabric();
        let params = |part: &Subnetwork| {
            let sites = 0..part.routers.len();
            sites.map(|site| fabric.router_params(part, site)).collect::<Vec<_>>()
        };
        let shapes: HashSet<_> = fabric.subnetworks().iter().flat_map(params).collect();
        if fabric.params().topology.is_plain_mesh() {
            let distinct = |router: &RouterParams| format!("{:?} {:?}", router.connectivity, router.network);
            let matrices = shapes.iter().map(distinct).collect::<BTreeSet<_>>();
            assert_eq!(matrices.len(), shapes.len(), "{name}: only matrix and subnetwork make a router distinct");
        }
        let routers = design.modules.iter().filter(|module| module.module.kind == "router").count();
        assert_eq!(routers, shapes.len(), "{name}: one module for each distinct router");
        // The lint of a router of 36 ports takes minutes; `tests/noc/networks/topologies.rs` has one of its kind with fewer.
        let large = shapes.iter().any(|router| is_large(&router.connectivity));
        let modules = design.modules.iter().map(|module| &module.module);
        for module in modules.filter(|module| !(large && module.kind == "router")) {
            if ["router", "network_interface"].contains(&module.kind.as_str())
                && seen.insert(module.name.clone())
                && seen.len() <= most
            {
                expose(&top, module);
            }
        }
    }
    let design = elaborate(&top.finish()).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint_quickly(&design).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
    seen.len()
}

/// An instance with all its ports as pins.
fn expose(top: &Builder, module: &Module) {
    let instance = top.instance(&module.name, module);
    let nets = |ids: &[NetId]| ids.iter().map(|id| &module.nets[id.index()]).collect::<Vec<_>>();
    for input in nets(&module.inputs) {
        instance.drive(&input.name, top.input(format!("pin_{}_{}", module.name, input.name), input.width));
    }
    for output in nets(&module.outputs) {
        top.output_of(format!("pin_{}_{}", module.name, output.name), instance.get(&output.name));
    }
}
