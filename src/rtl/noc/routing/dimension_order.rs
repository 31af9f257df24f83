//! Dimension order: all packets first along the row, or all first along the column. No cycle of channels is possible on
//! a mesh.

use super::{AxisOrder, ClassedHop, HopRule, Relation, RoutingPolicy, View};

/// See the [module documentation](self).
pub struct DimensionOrder {
    order: AxisOrder,
    rule: &'static Relation,
}

/// First along the row.
pub const XY: DimensionOrder = DimensionOrder { order: AxisOrder::Xy, rule: &XY_RULE };
/// First along the column.
pub const YX: DimensionOrder = DimensionOrder { order: AxisOrder::Yx, rule: &YX_RULE };

static XY_RULE: Relation = Relation::new("Xy", &["XY"], |view| vec![step(AxisOrder::Xy, view)]);
static YX_RULE: Relation = Relation::new("Yx", &["YX"], |view| vec![step(AxisOrder::Yx, view)]);

/// XY of routing class 0, YX of routing class 1; it stays.
pub(super) static BY_PHASE: Relation =
    Relation::new("ByPhase", &["XY", "YX"], |view| vec![step(of_class(view.routing_class), view)]);

fn step(order: AxisOrder, view: &View<'_>) -> ClassedHop {
    let dest = view.dest_signs();
    (order.next(dest.x, dest.y), view.routing_class)
}

/// The order in which packets of a routing class go.
pub(super) fn of_class(routing_class: u32) -> AxisOrder {
    if routing_class == 1 { AxisOrder::Yx } else { AxisOrder::Xy }
}

impl RoutingPolicy for DimensionOrder {
    fn rule(&self) -> HopRule {
        HopRule::Relation(self.rule)
    }

    fn order(&self, _: u32) -> AxisOrder {
        self.order
    }
}
