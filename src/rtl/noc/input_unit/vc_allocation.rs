//! VC allocation (VA) as an input sees it: requests, and the output VCs that its VCs own.
//!
//! ```text
//!   asking, routes ----> va_request, va_cross
//!   va_grant, va_cross_grant ----> granted; owned_by_vc_v: one-hot of the VCs of the class of every output
//! ```

use super::{Unit, VcState};
use hdl::{Signal, mux, row};

/// What the VCs of an input own.
pub(super) struct VcAllocation<'m> {
    /// VCs that ask for an output VC.
    pub asking: Signal<'m>,
    /// VCs that are given an output VC in this cycle.
    pub granted: Signal<'m>,
    /// By VC: the output VC that it owns, `[output k][VC of the class]`.
    pub owned: Vec<Signal<'m>>,
    /// Of the VCs from which packets may change their routing class: those whose packet does.
    pub changing: Option<Signal<'m>>,
}

impl<'m> VcAllocation<'m> {
    pub fn new(u: &Unit<'m>, state: &VcState<'m>) -> Self {
        let Unit { m, merges, .. } = *u;
        m.comment("VA: a waiting VC asks for a VC of its output until it owns one.");
        let asking = state.asking(u);
        m.output_of("va_request", row(state.routes.iter().map(|to| *to & asking)));
        let mut grants = grants(u, "va_grant", 0..u.vcs);
        let changing = u.transitions.exist().then(|| Self::changing(u, state, asking, &mut grants));
        let granted = m.wire("granted", row(grants.iter().map(|g| g.any())));
        let owned = grants.iter().enumerate().map(|(v, grant)| {
            let owned = m.register(("owned_by_vc", v), grant.width(), 0);
            m.when(granted.bit(v as u32), || m.set(owned, *grant));
            match merges.va_sa() {
                true => m.wire(("owned_now_by_vc", v), mux(granted.bit(v as u32), *grant, owned)),
                false => owned,
            }
        });
        Self { asking, granted, owned: owned.collect(), changing }
    }

    /// Requests for VCs of the other routing class; what they are granted is added to `grants`.
    fn changing(u: &Unit<'m>, state: &VcState<'m>, asking: Signal<'m>, grants: &mut [Signal<'m>]) -> Signal<'m> {
        let Unit { m, transitions, merges, .. } = *u;
        m.output_of("va_cross", row(state.transition_routes.iter().map(|to| *to & transitions.of(asking))));
        let others = self::grants(u, "va_cross_grant", transitions.numbers());
        let now = m.wire("cross_granted", row(others.iter().map(|g| g.any())));
        let granted = transitions.of(row(grants.iter().map(|g| g.any())));
        transitions.add(grants, others);
        let changing = m.register("crossed_vcs", transitions.count(), 0);
        let next = (changing & !granted) | now;
        let next = if merges.va_sa() { m.wire("crossed_now", next) } else { next };
        m.set(changing, next);
        if merges.va_sa() { next } else { changing }
    }
}

/// What some VCs are granted, `[VC][output k][VC of the class]` in the input `name`.
fn grants<'m>(u: &Unit<'m>, name: &str, vcs: impl IntoIterator<Item = u32>) -> Vec<Signal<'m>> {
    let widths: Vec<_> = vcs.into_iter().map(|vc| u.outputs * u.class_size(vc)).collect();
    let word = u.m.input(name, widths.iter().sum());
    let mut at = 0;
    let part = |width: &u32| {
        at += width;
        word.bits(at - width, *width)
    };
    widths.iter().map(part).collect()
}
