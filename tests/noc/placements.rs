//! Placements for small clusters: the lists against a search, their balance, and other sizes.

use noc::{
    PlacementKind,
    placement::clusters::{cost, search},
};

/// With eight memory nodes on 6 x 6 to 10 x 10: no cluster has more cores than an even share, rounded up, and a quick
/// search finds nothing better.
#[test]
fn lists_of_clusters_are_no_worse_than_a_search() {
    for side in [6, 7, 8, 9, 10] {
        let size = (side, side, 8);
        let nodes = PlacementKind::Clusters.nodes(side, side, 8).expect("there is room");
        let listed = cost(size, &nodes);
        let share = (side * side - 8).div_ceil(8) as usize;
        assert_eq!(listed.largest, share, "{side} x {side}: {listed:?}");
        assert!(listed.lost() <= cost(size, &search(size, 2)).lost(), "{side} x {side}: {listed:?}");
        // Cores are nearer than with the other named placements.
        for other in [PlacementKind::TopBottom, PlacementKind::Diamond, PlacementKind::Scattered2] {
            let other = cost(size, &other.nodes(side, side, 8).expect("there is room"));
            assert!((listed.largest, listed.hops) <= (other.largest, other.hops), "{side} x {side}: {other:?}");
        }
    }
}

/// Any size: as many as are asked for, each once, none beside another, and the same ones again.
#[test]
fn clusters_are_found_for_other_sizes() {
    for (columns, rows, memories) in [(2, 1, 1), (3, 3, 2), (5, 3, 4), (4, 4, 8), (1, 7, 3), (12, 5, 6)] {
        let find = || PlacementKind::Clusters.nodes(columns, rows, memories).expect("there is room");
        let nodes = find();
        assert_eq!((nodes.len() as u32, &nodes), (memories, &find()));
        for (at, a) in nodes.iter().enumerate() {
            let far = |b: &u32| (a % columns).abs_diff(b % columns) + (a / columns).abs_diff(b / columns) > 1;
            assert!(*a < columns * rows && nodes[..at].iter().all(far), "{columns} x {rows}: {nodes:?}");
        }
    }
    let error = PlacementKind::Clusters.nodes(4, 4, 9).expect_err("too many").to_string();
    assert!(error.ends_with("allowed: 1 to 8 none beside another"), "{error}");
}
