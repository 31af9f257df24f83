//! Bars on a floor plan, which who shows it fills: on the left of routers, and on the right of memory controllers.

use super::FloorPlan;
use rtl::noc::{Node, NodeKind};
use std::fmt::Write;

/// Width and largest height of the bars of routers and controllers.
pub const BAR: (f64, f64) = (5.0, 28.0);

impl FloorPlan {
    /// Height of the note that explains bars.
    pub(super) fn note_of_bars(&self) -> f64 {
        if self.bars { 18.0 } else { 0.0 }
    }

    /// An empty bar, with its lower left corner here.
    pub(super) fn bar(&self, out: &mut String, (left, bottom): (f64, f64), whose: &str) {
        if self.bars {
            let width = BAR.0;
            let _ = writeln!(
                out,
                "<rect {whose} x=\"{left:.1}\" y=\"{bottom:.1}\" width=\"{width}\" height=\"0\" fill=\"#0072b2\"><title/></rect>"
            );
        }
    }

    /// Within a node whose lower right corner is here.
    pub(super) fn bar_of_controller(&self, out: &mut String, node: Node, (right, bottom): (f64, f64)) {
        if node.kind == NodeKind::Memory {
            let whose = format!("data-controller=\"{}\" data-bottom=\"{:.1}\"", node.number, bottom - 2.0);
            self.bar(out, (right - 2.0 - BAR.0, bottom - 2.0), &whose);
        }
    }
}
