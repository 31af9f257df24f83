//! Two levels: a group goes on while any of its warps is ready, then the next one; a policy of one level chooses within
//! the group.
//!
//! ```text
//!                  +---------------+ turn                    +--------+
//!  ready, groups ->| ready in the  |-------->( mask )------->| inner  |--> chosen
//!                  | present group?|   ^        ^            | policy |
//!                  +---------------+   |      ready          +--------+
//!                    no -> outer: next ready group, or that of the oldest ready warp
//! ```
//!
//! What issued last is one register for all groups. Source: Kim's thesis, section 2.3.

use super::{
    Candidates, SchedulerReads, WarpPolicy,
    after::{After, Last},
};
use blocks::{above_mask, lowest_set, or_all};
use hdl::{Signal, mux, row};

/// Which group comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outer {
    /// The first after the present one that has a ready warp, around.
    RoundRobin,
    /// That of the oldest ready warp.
    Oldest,
}

/// See the [module documentation](self).
pub struct TwoLevel {
    /// Within a group.
    pub inner: &'static dyn After,
    /// Between groups.
    pub outer: Outer,
}

impl WarpPolicy for TwoLevel {
    fn reads(&self) -> SchedulerReads {
        let of_groups = SchedulerReads { groups: true, age: self.outer == Outer::Oldest, ..SchedulerReads::default() };
        of_groups.and(self.inner.reads_after())
    }

    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        let (m, groups) = (warps.m, warps.groups());
        let last = Last::new(warps, self.inner.reads_after());
        let among = |some: Signal<'m>| row(groups.iter().map(|group| (*group & some).any()));
        let present = m.register("present_group", groups.len() as u32, 1);
        let ready = m.wire("ready_groups", among(warps.ready));
        let next = match self.outer {
            Outer::RoundRobin => {
                let above = ready & above_mask(present);
                lowest_set(mux(above.any(), above, ready))
            }
            Outer::Oldest => among(warps.oldest("oldest_of_all", warps.ready)),
        };
        let turn = m.wire("turn_of_group", mux((ready & present).any(), present, next));
        let members: Vec<_> =
            groups.iter().zip(turn.to_bits()).map(|(group, turn)| *group & turn.repeat(warps.count())).collect();
        let some = m.wire("ready_in_group", warps.ready & or_all(&members));
        let chosen = self.inner.pick(warps, &last, some);
        last.follows(warps, chosen);
        m.when(warps.ready.any(), || m.set(present, turn));
        chosen
    }
}
