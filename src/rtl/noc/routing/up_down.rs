//! Up*/down*: shortest ways through routers that are joined in any way, none of which turns from down to up; see
//! [`Routes`](crate::topology::Routes). One set of VCs is enough, whatever links there are.
//!
//! Source: M. D. Schroeder and others, *Autonet: a high-speed, self-configuring local area network using point-to-point
//! links* (1991).

use super::{ClassedHop, HopRule, Relation, RoutingPolicy, View};

/// See the [module documentation](self).
pub struct UpDown;

static RULE: Relation = Relation::new("UpDown", &["up, then down"], steps).of_routes();

fn steps(view: &View<'_>) -> Vec<ClassedHop> {
    let site = |(x, y): (u32, u32)| (y * view.size.0 + x) as usize;
    let hop = view.routes.and_then(|routes| routes.hop(site(view.here), view.from, site(view.dest)));
    hop.map(|hop| (hop, 0)).into_iter().collect()
}

impl RoutingPolicy for UpDown {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&RULE)
    }
}
