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

static XY_RULE: SignRule = SignRule::new("Xy", ["XY", "XY"], |dest, _, phase| vec![step(Order::Xy, dest, phase)]);
static YX_RULE: SignRule = SignRule::new("Yx", ["YX", "YX"], |dest, _, phase| vec![step(Order::Yx, dest, phase)]);

/// XY in phase 0, YX in phase 1; the phase stays.
pub(super) static BY_PHASE: SignRule =
    SignRule::new("ByPhase", ["XY", "YX"], |dest, _, phase| vec![step(of_phase(phase), dest, phase)]);

fn step(order: Order, dest: Signs, phase: bool) -> Step {
    (order.next(dest.x, dest.y), phase)
}

/// The order in which packets of a phase go.
pub(super) fn of_phase(phase: bool) -> Order {
    if phase { Order::Yx } else { Order::Xy }
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
        Start::Phase(false)
    }

    fn order(&self, _: bool) -> Order {
        self.order
    }
}
