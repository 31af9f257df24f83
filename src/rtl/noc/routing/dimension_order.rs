//! Dimension order: all packets first along the row, or all first along the column. No cycle of channels is possible on a mesh.

use super::{HopRule, Order, PathChoice, RoutingPolicy, SignRule, Signs, Source, Start, Step};

/// See the [module documentation](self).
pub struct DimensionOrder {
    order: Order,
    rule: &'static SignRule,
}

/// First along the row.
pub const XY: DimensionOrder = DimensionOrder { order: Order::Xy, rule: &XY_RULE };
/// First along the column.
pub const YX: DimensionOrder = DimensionOrder { order: Order::Yx, rule: &YX_RULE };

static XY_RULE: SignRule =
    SignRule::new("Xy", ["XY", "XY"], |dest, _, routing_class| vec![step(Order::Xy, dest, routing_class)]);
static YX_RULE: SignRule =
    SignRule::new("Yx", ["YX", "YX"], |dest, _, routing_class| vec![step(Order::Yx, dest, routing_class)]);

/// XY of routing class 0, YX of routing class 1; it stays.
pub(super) static BY_PHASE: SignRule = SignRule::new("ByPhase", ["XY", "YX"], |dest, _, routing_class| {
    vec![step(of_class(routing_class), dest, routing_class)]
});

fn step(order: Order, dest: Signs, routing_class: bool) -> Step {
    (order.next(dest.x, dest.y), routing_class)
}

/// The order in which packets of a routing class go.
pub(super) fn of_class(routing_class: bool) -> Order {
    if routing_class { Order::Yx } else { Order::Xy }
}

impl RoutingPolicy for DimensionOrder {
    fn rule(&self) -> HopRule {
        HopRule::Signs(self.rule)
    }

    fn vc_sets(&self) -> u32 {
        1
    }

    fn choices(&self, packet: &Source<'_>) -> Vec<PathChoice> {
        vec![packet.direct(false)]
    }

    fn start(&self) -> Start {
        Start::RoutingClass(false)
    }

    fn order(&self, _: bool) -> Order {
        self.order
    }
}
