//! Energy of overlays (DA2mesh): buffers, demultiplexers and channels, of the same energies as those of the mesh.

use crate::area::NETWORK_HERTZ;
use std::path::Path;
use warpmesh::{
    area::{
        ChipArea, FlitActivity, FlitEnergy, Layout, NetworkPower, PowerTechnology, RouterShape, Technology,
        TechnologyNode,
    },
    chip::{self, Chip},
    host::{self, Limits},
    program::kernels,
    report::RunReport,
    sim::Options,
};

fn load(overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    chip::load(Some(Path::new("small-da2mesh.toml")), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn power(chip: &Chip, activity: &FlitActivity) -> NetworkPower {
    let area = ChipArea::new(chip, Layout::Tile, &Technology::NM65);
    NetworkPower::new(chip.fabric(), activity, &area, &PowerTechnology::at(TechnologyNode::Nm65), NETWORK_HERTZ)
}

fn add(activity: &mut FlitActivity, router: &str, port: &str, flits: f64) {
    let found = activity.routers.iter_mut().find(|at| at.router.name == router);
    found.unwrap_or_else(|| panic!("no {router}")).add(port, 0, flits);
}

/// Flits on the way to one core: each router with its outputs, channels of a tile between them, and those to and from
/// the ends.
#[test]
fn a_flit_costs_what_is_on_its_way() {
    for split in [&[][..], &["network.overlay.injection=split"]] {
        let chip = load(split);
        let overlay = chip.fabric().overlay().expect("there are two");
        let (tree, bits) = (&overlay.trees()[1], overlay.network().format.width);
        let (buffer, flits) = (overlay.params().buffer as u32, 7.0);
        let core = chip.core_nodes()[0] as u32;
        let path = tree.path(core);
        assert!(path.len() > 2, "{path:?}");
        let outputs = |node: u32| if split.is_empty() || node != tree.root { tree.outputs(node).len() } else { 1 };
        let technology = PowerTechnology::at(TechnologyNode::Nm65);
        let energy = |node: u32| {
            let shape = RouterShape::of_tree(outputs(node) as u32);
            FlitEnergy::new(&shape, bits, 1, buffer, &Technology::NM65, &technology)
        };
        let e = energy(core);
        assert_eq!((e.allocator_pj, e.buffer_read_pj > 0.0), (0.0, true), "nothing is allocated in a tree");
        let routers: f64 = path.iter().map(|&node| energy(node).router_pj()).sum();
        let expected = routers + (path.len() - 1) as f64 * e.link_pj + 2.0 * e.local_link_pj;

        let mut activity = FlitActivity::idle(chip.fabric(), 1000.0);
        for steps in path.windows(2) {
            let (_, direction) = tree.above(steps[1]).expect("not the root");
            let name = match split.is_empty() || steps[0] != tree.root {
                true => format!("overlay1_router{}", steps[0]),
                false => format!("overlay1_root_to_{}", direction.name()),
            };
            add(&mut activity, &name, &direction.name(), flits);
        }
        add(&mut activity, &format!("overlay1_router{core}"), "eject0", flits);
        let found = power(&chip, &activity);
        let joules = expected * flits * 1e-12;
        assert!((found.dynamic_j() / joules - 1.0).abs() < 1e-9, "{} {joules}", found.dynamic_j());
        assert_eq!(found.classes_j.len(), 2, "requests and replies");
        assert!(found.classes_j[0] == 0.0 && (found.classes_j[1] / joules - 1.0).abs() < 1e-9);
        assert!((found.pj_per_flit().expect("flits") / expected - 1.0).abs() < 1e-9);
        assert_eq!((found.toggle, found.toggle_flits), (vec![0.5; 2], vec![0; 2]));
        assert!(found.allocator_j == 0.0 && found.crossbar_j > 0.0 && found.buffer_j > 0.0);
    }
}

fn run(chip: &Chip) -> RunReport {
    let builtin = kernels::find("vector_add").expect("a kernel of the project");
    let launch = builtin.launch(Some(1000), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let report = host::run(chip, &launch, &Options::default(), Limits::default(), 1, |_, _| Ok(()));
    report.unwrap_or_else(|error| panic!("{error}"))
}

/// Replies of a kernel draw power in overlays, as many flits whatever the queues and the clock; its parts and its
/// routers sum up.
#[test]
fn replies_of_a_kernel_draw_power_in_overlays() {
    let mut energies = vec![];
    for overrides in [&[][..], &["network.overlay.injection=split"], &["clocks.overlay=1505"]] {
        let chip = load(overrides);
        let report = run(&chip);
        let network = &report.cost.network;
        let [requests, replies] = network.classes_w[..] else { panic!("{:?}", network.classes_w) };
        assert!(requests > 0.0 && replies > 0.0, "{requests} {replies}");
        let parts = [network.buffers_w, network.crossbars_w, network.allocators_w, network.links_w];
        for sum in [parts.iter().sum(), requests + replies, network.routers_w.iter().sum::<f64>()] {
            assert!((sum / network.dynamic_w - 1.0).abs() < 1e-9, "{sum} of {}", network.dynamic_w);
        }
        assert!(!report.to_string().contains("dynamic power of overlays"), "{report}");
        let routers = chip.fabric().overlay().expect("there are two").outputs();
        let of_trees = routers.iter().filter(|output| output.number == 0).count();
        assert_eq!(network.routers_w.len(), 8 + of_trees);
        let seconds = network.energy_j / (network.dynamic_w + network.leakage_w);
        energies.push(replies * seconds);
    }
    // A root of its own for each output has a smaller demultiplexer.
    for energy in &energies[1..] {
        assert!((energy / energies[0] - 1.0).abs() < 0.25, "{energies:?}");
    }
}
