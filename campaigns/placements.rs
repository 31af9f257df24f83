//! The lists of `src/rtl/noc/placement/`, found again by a complete search: `cargo campaign placements` prints
//! what each costs and fails where a list is not the best.

use std::{process::ExitCode, time::Instant};
use warpmesh::noc::{
    PlacementKind,
    placement::clusters::{cost, search},
};

/// Panics where a list is not the best.
pub fn run() -> ExitCode {
    println!("placement          mesh      busiest link, tenths of flits   seconds  nodes");
    for (columns, rows, memories) in [(4, 4, 4), (6, 6, 8), (8, 8, 8), (11, 11, 8)] {
        for placement in PlacementKind::ALL {
            let Some(rules) = placement.rules(columns, rows, memories) else { continue };
            let start = Instant::now();
            let found = rules.complete(memories as usize).expect("there is room");
            let busiest = rules.cost_of(&found)[3];
            let mut found: Vec<_> = found.into_iter().map(|(x, y)| y * columns + x).collect();
            found.sort();
            let seconds = start.elapsed().as_secs_f64();
            println!("{:<18} {columns:>2} x {rows:<2} {busiest:>33} {seconds:>9.2}  {found:?}", placement.name());
            let mut listed = placement.nodes(columns, rows, memories).expect("there is room");
            listed.sort();
            assert_eq!(listed, found, "the list of {placement:?} for {columns} x {rows}");
        }
    }
    println!("\nclusters           mesh      largest, hops, seconds of 100 starts, nodes");
    for side in [4, 6, 7, 8, 9, 10] {
        let size = (side, side, if side == 4 { 4 } else { 8 });
        let start = Instant::now();
        let found = cost(size, &search(size, 100));
        let listed = PlacementKind::Clusters.nodes(size.0, size.1, size.2).expect("there is room");
        let listed_cost = cost(size, &listed);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "                   {side:>2} x {side:<2} {:>8} {:>5} {seconds:>9.2}  {listed:?}",
            listed_cost.largest, listed_cost.hops
        );
        assert!(listed_cost.lost() <= found.lost(), "the list of clusters for {side} x {side}: {found:?} is better");
    }
    ExitCode::SUCCESS
}
