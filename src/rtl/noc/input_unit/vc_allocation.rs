//! VC allocation (VA) as an input sees it: requests, and the output VCs that its VCs own.
//!
//! ```text
//!   asking, routes ----> va_request, va_cross
//!   va_grant, va_cross_grant ----> granted; owned_by_vc_v: one-hot of the VCs of the class of every output
//! ```

use super::{
    context::InputUnitContext,
    transitions::{Crossing, Transitions},
    vc_state::VcState,
};
use hdl::{Signal, mux, row};

/// What the VCs of an input own.
pub(super) struct VcAllocation<'m> {
    /// VCs that ask for an output VC.
    pub asking: Signal<'m>,
    /// VCs that are given an output VC in this cycle.
    pub granted: Signal<'m>,
    /// By VC: the output VC that it owns, `[output k][VC of the class]`.
    pub owned: Vec<Signal<'m>>,
    /// By crossing: of the VCs from which packets may change their routing class so, those whose packet does.
    pub changing: Vec<Signal<'m>>,
}

impl<'m> VcAllocation<'m> {
    pub fn new(u: &InputUnitContext<'m>, state: &VcState<'m>) -> Self {
        let InputUnitContext { m, merges, .. } = *u;
        m.comment("VA: a waiting VC asks for a VC of its output until it owns one.");
        let asking = state.asking(u);
        u.io.va_request(row(state.routes.iter().map(|to| *to & asking)));
        let mut grants = grants(u, u.io.va_grant(), 0..u.vcs);
        let changing = Self::changing(u, state, asking, &mut grants);
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

    /// Requests for VCs of other routing classes; what they are granted is added to `grants`.
    fn changing(
        u: &InputUnitContext<'m>,
        state: &VcState<'m>,
        asking: Signal<'m>,
        grants: &mut [Signal<'m>],
    ) -> Vec<Signal<'m>> {
        let InputUnitContext { m, merges, .. } = *u;
        let ask = |(crossing, routes): (Crossing, &Vec<Signal<'m>>)| {
            let name = crossing.name();
            u.io.va_up(crossing.offset, row(routes.iter().map(|to| *to & crossing.of(asking))));
            let granted = self::grants(u, u.io.va_up_grant(crossing.offset), crossing.numbers());
            let now = m.wire((&name, "granted"), row(granted.iter().map(|g| g.any())));
            (crossing, granted, now)
        };
        let asked: Vec<_> = u.transitions.crossings().into_iter().zip(&state.transition_routes).map(ask).collect();
        let own = row(grants.iter().map(|g| g.any()));
        for (crossing, granted, _) in &asked {
            Transitions::add(grants, *crossing, granted.clone());
        }
        let changing = |(at, (crossing, _, now)): (usize, &(Crossing, Vec<_>, Signal<'m>))| {
            let others = asked.iter().enumerate().filter(|(other, _)| *other != at);
            let elsewhere = others.map(|(_, (other, _, now))| other.spread(*now)).fold(own, |all, other| all | other);
            let granted = crossing.of(elsewhere);
            let changing = m.register((crossing.crossed(), "vcs"), crossing.count(), 0);
            let next = (changing & !granted) | *now;
            let next = if merges.va_sa() { m.wire((crossing.crossed(), "now"), next) } else { next };
            m.set(changing, next);
            if merges.va_sa() { next } else { changing }
        };
        asked.iter().enumerate().map(changing).collect()
    }
}

/// What some VCs are granted, `[VC][output k][VC of the class]` in `word`.
fn grants<'m>(u: &InputUnitContext<'m>, word: Signal<'m>, vcs: impl IntoIterator<Item = u32>) -> Vec<Signal<'m>> {
    let widths: Vec<_> = vcs.into_iter().map(|vc| u.outputs * u.class_size(vc)).collect();
    let mut at = 0;
    let part = |width: &u32| {
        at += width;
        word.bits(at - width, *width)
    };
    widths.iter().map(part).collect()
}
