//! Area grows with every parameter as its formula says, whatever the others are.

use proptest::prelude::*;
use warpmesh::{
    area::{
        Layout, LinkShape, NetworkArea, NetworkShape, RouterArea, RouterShape, Technology, TechnologyNode, crossbar,
    },
    noc::{Connectivity, Direction, Input, InputPort, Ports},
};

#[derive(Clone, Debug)]
struct Router {
    half: bool,
    links: u32,
    injects: u32,
    ejects: u32,
    bits: u32,
    vcs: u32,
    depth: u32,
    node: TechnologyNode,
}

impl Router {
    fn shape(&self) -> RouterShape {
        let links = Direction::ALL[..self.links as usize].to_vec();
        let ports = Ports { links, injects: self.injects, ejects: self.ejects };
        RouterShape::new(&if self.half { Connectivity::half(&ports) } else { Connectivity::full(&ports) }, 1)
    }

    fn area(&self) -> RouterArea {
        let &Self { bits: channel_bits, vcs, depth, .. } = self;
        let network = NetworkShape { routers: vec![], links: vec![], local_links: 0, channel_bits, vcs, depth };
        RouterArea::new(self.shape(), &network, &Technology::at(self.node))
    }
}

fn routers() -> impl Strategy<Value = Router> {
    let ports = (any::<bool>(), 2..=4u32, 1..=4u32, 1..=4u32);
    let rest = (1..=64u32, 1..=16u32, 1..=64u32, proptest::sample::select(&TechnologyNode::ALL[..]));
    (ports, rest).prop_map(|((half, links, injects, ejects), (bytes, vcs, depth, node))| Router {
        half,
        links,
        injects,
        ejects,
        bits: 8 * bytes,
        vcs,
        depth,
        node,
    })
}

proptest! {
    #[test]
    fn with_every_parameter(router in routers()) {
        let before = router.area();
        let grows = |what: &str, change: &dyn Fn(&mut Router)| {
            let mut more = router.clone();
            change(&mut more);
            let after = more.area();
            prop_assert!(after.total_mm2() > before.total_mm2(), "{what}: {before:?} {after:?}");
            prop_assert!(after.crossbar_mm2 >= before.crossbar_mm2, "{what}: {before:?} {after:?}");
            prop_assert!(after.buffer_mm2 >= before.buffer_mm2, "{what}: {before:?} {after:?}");
            prop_assert!(after.allocator_mm2 >= before.allocator_mm2, "{what}: {before:?} {after:?}");
            Ok(())
        };
        grows("width", &|r| r.bits += 8)?;
        grows("VCs", &|r| r.vcs += 1)?;
        grows("depth", &|r| r.depth += 1)?;
        grows("injection ports", &|r| r.injects += 1)?;
        grows("ejection ports", &|r| r.ejects += 1)?;
        if router.links < 4 {
            grows("links", &|r| r.links += 1)?;
        }
    }

    /// Crossbars with the square of the width, buffers and links in proportion, allocators with the square of the VCs.
    #[test]
    fn by_their_powers(router in routers()) {
        let (one, wide) = (router.area(), Router { bits: 2 * router.bits, ..router.clone() }.area());
        let deep = Router { depth: 2 * router.depth, ..router.clone() }.area();
        let many = Router { vcs: 2 * router.vcs, ..router.clone() }.area();
        let near = |a: f64, b: f64| {
            prop_assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
            Ok(())
        };
        near(wide.crossbar_mm2, 4.0 * one.crossbar_mm2)?;
        near(wide.buffer_mm2, 2.0 * one.buffer_mm2)?;
        near(deep.buffer_mm2, 2.0 * one.buffer_mm2)?;
        near(many.buffer_mm2, 2.0 * one.buffer_mm2)?;
        near(many.allocator_mm2, 4.0 * one.allocator_mm2)?;
        near(wide.allocator_mm2, one.allocator_mm2)?;
        let links = |channel_bits, tiles| {
            let links = vec![LinkShape { count: 3, tiles }];
            let network = NetworkShape { routers: vec![], links, local_links: 0, channel_bits, vcs: 1, depth: 1 };
            NetworkArea::of(&network, &Technology::at(router.node)).links_mm2()
        };
        near(links(2 * router.bits, 1.0), 2.0 * links(router.bits, 1.0))?;
        near(links(router.bits, 2.0), 2.0 * links(router.bits, 1.0))?;
    }
}

#[test]
fn crosspoints_follow_the_matrix() {
    let router =
        Router { half: false, links: 4, injects: 1, ejects: 1, bits: 8, vcs: 1, depth: 1, node: TechnologyNode::Nm65 };
    let points =
        |half, ports| crossbar::crosspoints(&Router { half, injects: ports, ejects: ports, ..router.clone() }.shape());
    assert_eq!([points(false, 1), points(true, 1), points(false, 2), points(true, 2)], [25, 12, 32, 20]);
    let injecting = |input| InputPort::with_switch_inputs(if matches!(input, Input::Inject(_)) { 4 } else { 1 });
    let matrix = Connectivity::full(&Ports::interior()).with_ports(injecting);
    assert_eq!(
        crossbar::crosspoints(&RouterShape::new(&matrix, 1)),
        25 + 3 * 5,
        "three more switch inputs to five outputs"
    );
    assert_eq!(RouterShape::new(&matrix, 1).kind(), "full, injection speedup 4");
}

/// A half-router is smaller than a full one with the same ports, and every node of technology smaller than the one
/// before.
#[test]
fn half_routers_and_smaller_nodes_are_smaller() {
    for ports in 1..=4 {
        let mut last = f64::INFINITY;
        for node in TechnologyNode::ALL {
            let full =
                Router { half: false, links: 4, injects: ports, ejects: ports, bits: 128, vcs: 4, depth: 8, node };
            let half = Router { half: true, ..full.clone() };
            assert!(half.area().total_mm2() < full.area().total_mm2());
            assert!(full.area().total_mm2() < last);
            last = full.area().total_mm2();
        }
    }
}

/// The border of a mesh has fewer ports: as built, 16 of 36 routers have three, and four have two links.
#[test]
fn a_layout_as_built_counts_the_ports_that_are_there() {
    let chip = warpmesh::chip::load(Some("baseline-tb-dor.toml".as_ref()), &[]).expect("shipped");
    let count = |layout| {
        let area = NetworkArea::new(chip.fabric(), layout, &Technology::NM65);
        area.routers.iter().map(|r| (r.shape.kind(), r.count)).collect::<Vec<_>>()
    };
    assert_eq!(count(Layout::Tile), [("full".to_string(), 36)]);
    let built = [("full, 2 links".to_string(), 4), ("full, 3 links".to_string(), 16), ("full".to_string(), 16)];
    assert_eq!(count(Layout::AsBuilt), built);
}

/// Routers of a disabled column are not there.
#[test]
fn what_is_disabled_has_no_area() {
    let chip = warpmesh::chip::load(Some("baseline-tb-dor.toml".as_ref()), &["network.disabled_columns=[5]".into()]);
    let chip = chip.expect("legal");
    let area = NetworkArea::new(chip.fabric(), Layout::Tile, &Technology::NM65);
    let routers: Vec<_> = area.routers.iter().map(|r| (r.shape.kind(), r.count)).collect();
    assert_eq!(routers, [("full".to_string(), 30)]);
}

/// Overlays are counted by the same formulas: a buffer for each router, a crosspoint for each output, and no
/// allocators; channels of their width.
#[test]
fn overlays_have_buffers_demultiplexers_and_channels() {
    let area = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        let chip = warpmesh::chip::load(Some("small-da2mesh.toml".as_ref()), &overrides).expect("legal");
        (NetworkArea::new(chip.fabric(), Layout::Tile, &Technology::NM65), chip.fabric().overlay().cloned())
    };
    let (requests, none) = area(&["network.overlay.kind=none"]);
    assert!(none.is_none());
    for split in ["single", "split"] {
        let (network, overlay) = area(&[&format!("network.overlay.injection={split}")]);
        let trees = overlay.expect("there are overlays");
        let (trees, t) = (trees.trees(), &Technology::NM65);
        let outputs: usize = trees.iter().flat_map(|tree| tree.nodes().map(|node| tree.outputs(node).len())).sum();
        let routers: usize = trees.iter().map(|tree| tree.nodes().count()).sum();
        let roots: usize = trees.iter().map(|tree| tree.outputs(tree.root).len() - 1).sum();
        let routers = routers + if split == "split" { roots } else { 0 };
        // Two overlays of 64 bits, buffers of four flits.
        let rows: Vec<_> = network.routers.iter().filter(|row| row.shape.tree).collect();
        assert_eq!(rows.iter().map(|row| row.count as usize).sum::<usize>(), routers);
        let sum = |of: &dyn Fn(&RouterArea) -> f64| rows.iter().map(|row| f64::from(row.count) * of(row)).sum::<f64>();
        let near = |is: f64, should: f64| assert!((is / should - 1.0).abs() < 1e-9, "{split}: {is}, {should}");
        near(sum(&|row| row.buffer_mm2), routers as f64 * 4.0 * 64.0 * t.buffer_bit_um2 * 1e-6);
        near(sum(&|row| row.crossbar_mm2), outputs as f64 * 64.0 * 64.0 * t.crosspoint_um2 * 1e-6);
        assert_eq!(sum(&|row| row.allocator_mm2), 0.0);
        // Half the links of a network of replies of twice the width, and no router of it.
        assert!(network.links_mm2() > requests.links_mm2() / 2.0 && network.links_mm2() < requests.links_mm2());
        assert!(network.routers_mm2() < 0.6 * requests.routers_mm2());
    }
}
