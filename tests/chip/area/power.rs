//! Power against what it must be: leakage when idle, in proportion to the load, energy of hops along the way.

use crate::area::NETWORK_HERTZ;
use crate::campaign::part_or_all;
use warpmesh::{
    area::{
        ChipArea, CrossbarModel, FlitActivity, FlitEnergy, Layout, Leaf, NetworkArea, NetworkPower, NetworkShape,
        PowerTechnology, RouterArea, RouterShape, Technology, TechnologyNode,
        crossbar::crosspoints,
        shape::{PlacedRouter, placed_routers},
    },
    chip::{self, Chip},
    noc::{Connectivity, Fabric, Flow, MessageClass, Ports},
    open_loop::{Bench, Destination, Pattern, Phases, Sizes, Traffic},
    report::{LoadPoint, LoadVerdict},
    sim::Options,
};

fn chip(overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    chip::load(Some("default.toml".as_ref()), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn bench(chip: &Chip) -> Bench {
    let transactions = Sizes::fixed(1).one_way();
    let traffic =
        Traffic { pattern: Pattern::Uniform, hot_share: 0.0, transactions, service: 0, matrix: None, burst: None };
    let options = Options { threads: 1, ..Options::default() };
    Bench::new(chip.fabric().params(), &traffic, &options).unwrap_or_else(|error| panic!("{error}"))
}

const PHASES: Phases = Phases { warmup: 500, measure: 8_000, drain: 4_000 };

fn measure(bench: &mut Bench, load: f64) -> LoadPoint {
    let point = bench.run(load, PHASES, 1, 16, |_| {}).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(point.verdict, LoadVerdict::Converged);
    point
}

fn power(chip: &Chip, activity: &FlitActivity, layout: Layout) -> NetworkPower {
    let area = ChipArea::new(chip, layout, &Technology::NM65);
    let power = PowerTechnology::at(TechnologyNode::Nm65);
    NetworkPower::new(chip.fabric(), activity, &area, &power, NETWORK_HERTZ)
}

#[test]
fn an_idle_network_costs_its_leakage() {
    for config in ["baseline-tb-dor", "dci-2p", "cp-cr"] {
        let chip = chip::load(Some(format!("{config}.toml").as_ref()), &[]).expect("shipped");
        let idle = power(&chip, &FlitActivity::idle(chip.fabric(), 1e6), Layout::Tile);
        assert_eq!((idle.dynamic_w(), idle.pj_per_flit()), (0.0, None));
        let leakage = leakage_by_hand(&chip);
        assert!((idle.total_w() / leakage - 1.0).abs() < 1e-12 && leakage > 0.0);
        assert!((idle.energy_j() / (leakage * 1e6 / NETWORK_HERTZ) - 1.0).abs() < 1e-9);
    }
}

/// Of bits, switches at crosspoints, allocators and repeaters, from what each router is, W; not for overlays.
fn leakage_by_hand(chip: &Chip) -> f64 {
    let leaf = PowerTechnology::at(TechnologyNode::Nm65).leaf;
    let (area, fabric) = (ChipArea::new(chip, Layout::Tile, &Technology::NM65), chip.fabric());
    let gate_um2 = 0.798 * (65.0_f64 / 45.0).powi(2);
    let of_router = |router: &PlacedRouter| {
        let (shape, network) = (Layout::Tile.of(fabric, &router.shape), fabric.network_in(router.subnetwork));
        let (vcs, width) = (network.format.vcs, f64::from(network.format.width));
        let bits = f64::from(shape.inputs()) * network.flits_of_port() as f64 * width;
        let pairs = f64::from((shape.links() + shape.terminals) * vcs).powi(2);
        let gates = f64::from(crosspoints(&shape)) * width + pairs * 10.0 / gate_um2;
        bits * leaf.bit_nw + gates * leaf.gate_nw
    };
    let routers: f64 = placed_routers(fabric).iter().map(of_router).sum();
    // 7 % on top of the wires.
    let repeaters = area.network.links_mm2() * 1e6 * 0.07 / 1.07 / gate_um2;
    (routers + repeaters * leaf.repeater_nw) * 1e-9
}

/// Crosspoints and channels of other pitch take another area, and leak the same.
#[test]
fn wires_do_not_leak() {
    let chip = chip(&[]);
    let leaf = PowerTechnology::at(TechnologyNode::Nm65).leaf;
    let of = |technology: &Technology| ChipArea::new(&chip, Layout::Tile, technology).network;
    let wide = Technology { crosspoint_um2: 4.0 * Technology::NM65.crosspoint_um2, ..Technology::NM65 };
    let (thin, wide) = ((of(&Technology::NM65), Technology::NM65), (of(&wide), wide));
    let leaks = |(network, technology): &(NetworkArea, Technology)| network.leakage_w(technology, &leaf);
    assert!(wide.0.total_mm2() > 2.0 * thin.0.total_mm2());
    assert!((leaks(&wide) / leaks(&thin) - 1.0).abs() < 1e-12);
}

/// At 0.05, 0.1 and 0.2 flits per node and cycle; loads differ from what is asked for by chance, which the flits tell.
#[test]
fn twice_the_load_is_at_most_twice_the_dynamic_power() {
    let chip = chip(&[]);
    let mut bench = bench(&chip);
    let mut at = |load: f64| {
        let links = measure(&mut bench, load).links;
        power(&chip, &FlitActivity::of_links(bench.fabric(), &links, PHASES.measure as f64), Layout::Tile)
    };
    let points = [0.05, 0.1, 0.2].map(&mut at);
    for pair in points.windows(2) {
        let (ratio, flits) = (pair[1].dynamic_w() / pair[0].dynamic_w(), pair[1].flits / pair[0].flits);
        println!(
            "dynamic {:.4} W, {:.4} W: {ratio:.3} with {flits:.3} times the flits",
            pair[0].dynamic_w(),
            pair[1].dynamic_w()
        );
        assert!((1.9..=2.1).contains(&flits), "{flits}");
        // Uniform traffic at twice the load takes the same ways: no more than by chance.
        assert!(ratio <= 2.0 * 1.03 && ratio > 1.9, "{ratio}");
        assert_eq!(pair[0].leakage_w, pair[1].leakage_w);
    }
}

/// Routers as laid out are all alike: a flit through r routers costs r routers, r - 1 channels between them, and two to
/// terminals.
#[test]
fn a_flit_in_an_empty_network_costs_its_hops() {
    let chip = chip(&[]);
    let mut bench = bench(&chip);
    let point = measure(&mut bench, 0.01);
    let found =
        power(&chip, &FlitActivity::of_links(bench.fabric(), &point.links, PHASES.measure as f64), Layout::Tile);
    let shape: RouterShape = ChipArea::new(&chip, Layout::Tile, &Technology::NM65).network.routers[0].shape;
    let network = chip.fabric().network();
    let (bits, vcs, depth) = (bench.fabric().network().format.width, network.format.vcs, network.depth as u32);
    let e = FlitEnergy::new(
        &shape,
        chip.format().width,
        vcs,
        depth,
        &Technology::NM65,
        &PowerTechnology::at(TechnologyNode::Nm65),
    );
    let routers = point.routers_per_packet.expect("packets");
    let expected = routers * e.hop_pj() - e.link_pj + 2.0 * e.local_link_pj;
    let per_flit = found.pj_per_flit().expect("flits");
    println!("{routers:.3} routers: {per_flit:.2} pJ a flit, {expected:.2} by hops ({e:?}; bench {bits} bits)");
    // The window cuts through some ways at both ends.
    assert!((per_flit / expected - 1.0).abs() < 0.02, "{per_flit} {expected}");
}

/// Wider channels, longer links and more ports cost a flit more; half-routers less; smaller nodes less.
#[test]
fn energy_of_a_flit_grows_with_what_it_goes_through() {
    let shape = |config: &str, kind: &str| {
        let chip = chip::load(Some(format!("{config}.toml").as_ref()), &[]).expect("shipped");
        let kinds = ChipArea::new(&chip, Layout::Tile, &Technology::NM65).network.routers;
        kinds.iter().find(|r| r.shape.kind() == kind).expect("there").shape
    };
    let (full, half, two) = (shape("cp-cr", "full"), shape("cp-cr", "half"), shape("dci-2p", "multi-port full"));
    let at = |shape: &RouterShape, bits, node| {
        FlitEnergy::new(shape, bits, 4, 8, &Technology::at(node), &PowerTechnology::at(node))
    };
    let base = at(&full, 128, TechnologyNode::Nm65);
    assert!(at(&half, 128, TechnologyNode::Nm65).crossbar_pj < base.crossbar_pj);
    assert!(at(&two, 128, TechnologyNode::Nm65).crossbar_pj > base.crossbar_pj);
    // Twice the width: four times in the crossbar (twice the wires of twice the length), twice on the channel.
    let wide = at(&full, 256, TechnologyNode::Nm65);
    assert!(
        (wide.crossbar_pj / base.crossbar_pj - 4.0).abs() < 1e-9 && (wide.link_pj / base.link_pj - 2.0).abs() < 1e-9
    );
    for pair in TechnologyNode::ALL.windows(2) {
        assert!(at(&full, 128, pair[1]).hop_pj() < at(&full, 128, pair[0]).hop_pj());
    }
    assert!(base.allocator_pj < 0.01 * base.hop_pj(), "the estimate of the allocator matters: {base:?}");
}

/// Crossbars of multiplexers: energy grows with ports and width, and a smaller node has less; gates leak, and a tree has none.
#[test]
fn multiplexers_switch_and_leak() {
    let at = |matrix: &Connectivity, bits, node| {
        let technology = Technology::at(node).with_crossbars(Some(CrossbarModel::Mux));
        let shape = RouterShape::new(matrix, 1);
        FlitEnergy::new(&shape, bits, 4, 8, &technology, &PowerTechnology::at(node)).crossbar_pj
    };
    let [one, two] = [1, 2].map(|ports| Ports { injects: ports, ejects: ports, ..Ports::interior() });
    let [half, full, multi] = [Connectivity::half(&one), Connectivity::full(&one), Connectivity::full(&two)];
    let of = |matrix, bits| at(matrix, bits, TechnologyNode::Nm65);
    assert!(of(&half, 128) < of(&full, 128) && of(&full, 128) < of(&multi, 128));
    // Twice the gates, and wires longer by the root of two.
    let wider = of(&full, 256) / of(&full, 128);
    assert!((2.0..2.0 * 2f64.sqrt()).contains(&wider), "{wider}");
    for pair in TechnologyNode::ALL.windows(2) {
        assert!(at(&full, 128, pair[1]) < at(&full, 128, pair[0]));
    }
    let channels =
        |channel_bits| NetworkShape { routers: vec![], links: vec![], local_links: 0, channel_bits, vcs: 2, depth: 4 };
    let (leaf, technology) = (PowerTechnology::at(TechnologyNode::Nm65).leaf, Technology::NM65);
    let technology = technology.with_crossbars(Some(CrossbarModel::Mux));
    for (shape, gates) in [
        (RouterShape::new(&full, 1), 128.0 * f64::from(RouterShape::new(&full, 1).ones - 5) * Leaf::Mux.gates()),
        (RouterShape::of_tree(3), 0.0),
    ] {
        let router = RouterArea::new(shape, &channels(128), &technology);
        let without = RouterArea { crossbar_mm2: 0.0, ..router.clone() };
        let crossbar = router.leakage_w(&technology, &leaf) - without.leakage_w(&technology, &leaf);
        assert!((crossbar - gates * leaf.gate_nw * 1e-9).abs() < 1e-12, "{shape:?}: {crossbar}");
    }
}

/// Networks unlike a mesh, and two subnetworks of different routers.
fn others() -> Vec<(&'static str, Chip)> {
    let default = |name, overrides: &[&str]| (name, chip(overrides));
    let dci = chip::load(Some("dci-2p.toml".as_ref()), &[]).expect("shipped");
    vec![
        default("torus", &["network.topology=torus", "network.vcs=4"]),
        default("folded torus", &["network.topology=folded-torus", "network.vcs=4"]),
        default("ring", &["network.topology=ring", "network.vcs=4"]),
        default("flattened butterfly", &["network.topology=flattened-butterfly", "network.concentration=4"]),
        default("butterfly", &["network.topology=butterfly"]),
        default("crossbar", &["network.topology=crossbar"]),
        ("DCI, 2 ports", dci),
    ]
}

/// Of what a loaded bench has done, with the channels of the chip.
fn of_bench(chip: &Chip, bench: &Bench, point: &LoadPoint) -> NetworkPower {
    let area = ChipArea::new(chip, Layout::Tile, &Technology::NM65);
    let activity = FlitActivity::of_links(bench.fabric(), &point.links, PHASES.measure as f64);
    let (width, power) = (chip.format().width, PowerTechnology::at(TechnologyNode::Nm65));
    NetworkPower::of_width(bench.fabric(), &[width], &activity, &area, &power, NETWORK_HERTZ)
}

/// What a flit costs from `source` to `dest`, pJ: every router with the crossbar that it has, every channel as long as
/// it is; of several ways the mean.
fn along_the_way(chip: &Chip, fabric: &Fabric, source: u32, dest: u32) -> f64 {
    let (technology, power, routers) =
        (Technology::NM65, PowerTechnology::at(TechnologyNode::Nm65), placed_routers(fabric));
    let (vcs, depth) = (fabric.network().format.vcs, fabric.network().depth as u32);
    let energy = |subnetwork: usize, site: usize| {
        let mut of_part = routers.iter().filter(|router| router.subnetwork == subnetwork);
        let built = of_part.nth(site).expect("every site has a router").shape;
        let shape = Layout::Tile.of(fabric, &built);
        FlitEnergy::new(&shape, chip.format().width, vcs, depth, &technology, &power)
    };
    let flow = Flow { class: MessageClass::Request, source, dest };
    let mut ways = vec![];
    for (s, part) in fabric.subnetworks().iter().enumerate().filter(|(_, part)| part.flows.contains(&flow)) {
        let end = |node: u32, site: usize| {
            let e = energy(s, site);
            match part.topology.tiles(node, site) {
                1 => e.local_link_pj,
                tiles => f64::from(tiles) * e.link_pj,
            }
        };
        let grid = fabric.grid(part);
        for choice in grid.choices(flow).expect("a way") {
            let mut whole = end(source, part.topology.sends_at(source).expect("it sends"));
            for passage in grid.walk(flow, choice).expect("a way") {
                let e = energy(s, passage.site);
                let link = passage.to.map(|to| part.topology.link_from(passage.site, to).expect("a link"));
                whole += e.router_pj() + link.map_or(end(dest, passage.site), |link| f64::from(link.tiles) * e.link_pj);
            }
            ways.push(whole);
        }
    }
    ways.iter().sum::<f64>() / ways.len() as f64
}

#[test]
fn other_networks_idle_on_leakage_and_cost_the_sum_of_the_way() {
    for (name, chip) in others().into_iter().step_by(part_or_all(3, 1)) {
        let idle = power(&chip, &FlitActivity::idle(chip.fabric(), 1e6), Layout::Tile);
        assert_eq!(idle.dynamic_w(), 0.0, "{name}");
        assert!((idle.total_w() / leakage_by_hand(&chip) - 1.0).abs() < 1e-9, "{name}");
        // Every node to one other: how often is what came out of it.
        let transactions = Sizes::fixed(1).one_way();
        let traffic =
            Traffic { pattern: Pattern::Tornado, hot_share: 0.0, transactions, service: 0, matrix: None, burst: None };
        let options = Options { threads: 1, ..Options::default() };
        let nodes = chip.fabric().params().nodes.clone();
        let targets = Pattern::Tornado.targets(&nodes, 0.0).expect("legal");
        let mut bench =
            Bench::new(chip.fabric().params(), &traffic, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let point = measure(&mut bench, 0.01);
        let (mut expected, mut flits) = (0.0, 0.0);
        for (source, target) in (0..).zip(&targets) {
            let Destination::Always(dest) = *target else { panic!("{target:?}") };
            let of_node = point.accepted_per_node[source as usize] * PHASES.measure as f64;
            expected += of_node * along_the_way(&chip, bench.fabric(), source, dest);
            flits += of_node;
        }
        let found = of_bench(&chip, &bench, &point);
        let (per_flit, expected) = (found.pj_per_flit().expect("flits"), expected / flits);
        println!("{name}: {per_flit:.2} pJ a flit, {expected:.2} along the ways of {flits} flits");
        assert!((found.flits / flits - 1.0).abs() < 0.01, "{name}: {} {flits}", found.flits);
        assert!((per_flit / expected - 1.0).abs() < 0.03, "{name}: {per_flit} {expected}");
    }
}

#[test]
fn twice_the_load_is_at_most_twice_the_dynamic_power_of_other_networks() {
    for (name, chip) in others().into_iter().step_by(part_or_all(4, 1)) {
        let mut bench = bench(&chip);
        let [low, high] = [0.03, 0.06].map(|load| {
            let point = measure(&mut bench, load);
            of_bench(&chip, &bench, &point)
        });
        let (ratio, flits) = (high.dynamic_w() / low.dynamic_w(), high.flits / low.flits);
        println!(
            "{name}: dynamic {:.4} W, {:.4} W: {ratio:.3}, {flits:.3} times the flits",
            low.dynamic_w(),
            high.dynamic_w()
        );
        assert!((1.9..=2.1).contains(&flits), "{name}: {flits}");
        // In proportion to the flits, but for the ways that chance chose; leakage does not move.
        assert!((ratio / flits - 1.0).abs() < 0.03 && ratio <= 2.0 * 1.06, "{name}: {ratio} {flits}");
        assert_eq!(low.leakage_w, high.leakage_w, "{name}");
    }
}
