//! Dimension order: all packets first along the row, or all first along the column. No cycle of channels is possible on a mesh.

use super::{HopRule, Order, PathChoice, RoutingPolicy, SignRule, Source, Start};

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
    SignRule { key: "Xy", phases: ["XY", "XY"], steps: |dest, _, phase| vec![(Order::Xy.next(dest.x, dest.y), phase)] };
static YX_RULE: SignRule =
    SignRule { key: "Yx", phases: ["YX", "YX"], steps: |dest, _, phase| vec![(Order::Yx.next(dest.x, dest.y), phase)] };

/// XY in phase 0, YX in phase 1; the phase stays.
pub(super) static BY_PHASE: SignRule = SignRule {
    key: "ByPhase",
    phases: ["XY", "YX"],
    steps: |dest, _, phase| vec![(of_phase(phase).next(dest.x, dest.y), phase)],
};

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
