//! warpmesh with a routing of its own: the west-first turn model, minimal adaptive. A packet that has to go west does
//! so first; all others take any productive direction. No packet turns to the west, so one set of virtual channels is
//! enough (C. J. Glass and L. M. Ni, *The turn model for adaptive routing*, ISCA 1992).

#![forbid(unsafe_code)]

use std::process::ExitCode;
use warpmesh::{
    common::policies::{OwnPolicy, RowError},
    noc::{
        Direction, Routing,
        routing::{ClassedHop, Hop, HopRule, Relation, RoutingPolicy, View},
    },
};

struct WestFirst;

static RULE: Relation = Relation::new("WestFirst", &["west-first"], steps);

/// West alone while the destination is there, else both productive directions, that along the row first.
fn steps(view: &View<'_>) -> Vec<ClassedHop> {
    let [row, column] = view.dest_signs().productive();
    let column = column.filter(|_| row != Some(Direction::West));
    let hops: Vec<_> = [row, column].into_iter().flatten().map(|direction| (Hop::Link(direction), 0)).collect();
    if hops.is_empty() { vec![(Hop::Arrived, 0)] } else { hops }
}

impl RoutingPolicy for WestFirst {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&RULE)
    }
}

fn main() -> Result<ExitCode, RowError> {
    Routing::add(OwnPolicy {
        name: "west-first",
        aliases: &["wf"],
        about: "West first, then any minimal direction: the west-first turn model (Glass and Ni, 1992).",
        policy: &WestFirst,
    })?;
    Ok(warpmesh::main())
}
