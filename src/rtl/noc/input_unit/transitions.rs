//! VCs from which packets may change their routing class.

use crate::{
    VcSets,
    allocator::{Bit, join},
    flit_buffer::chosen,
    routing::{ClassTransition, cross_name},
    vc_allocator::transition_vcs,
};
use blocks::{any_of, or_all};
use hdl::{Signal, concat};

/// How packets may change their routing class: by how many classes up, all around.
#[derive(Clone, Copy)]
pub(super) struct Transitions {
    pub sets: VcSets,
    pub allowed: ClassTransition,
}

impl Transitions {
    /// One for each number of classes up.
    pub fn crossings(self) -> Vec<Crossing> {
        self.allowed.offsets().into_iter().map(|offset| self.crossing(offset)).collect()
    }

    /// The one for so many classes up.
    pub fn crossing(self, offset: u32) -> Crossing {
        Crossing { sets: self.sets, allowed: self.allowed, offset }
    }

    /// Adds what VCs were granted in another routing class to their grants.
    pub fn add<'m>(grants: &mut [Signal<'m>], crossing: Crossing, other: Vec<Signal<'m>>) {
        for (v, grant) in crossing.numbers().into_iter().zip(other) {
            grants[v as usize] = grants[v as usize] | grant;
        }
    }

    /// The routing class of a flit from the VC in `pop` as it leaves, which was `now`; `changing`: by crossing.
    pub fn class_after<'m>(self, now: Signal<'m>, pop: Signal<'m>, changing: &[Signal<'m>]) -> Signal<'m> {
        let crossings = self.crossings();
        let changes = |crossing: Crossing, changing: Signal<'m>| (crossing.of(pop) & changing).any();
        match self.allowed {
            ClassTransition::DOWN | ClassTransition::ESCAPE => now & !changes(crossings[0], changing[0]),
            ClassTransition::BOTH => now ^ changes(crossings[0], changing[0]),
            _ => {
                let m = now.builder();
                let none = m.lit(now.width(), 0);
                let next = crossings.iter().zip(changing).flat_map(|(crossing, changing)| {
                    let leaves = crossing.spread(crossing.of(pop) & *changing);
                    crossing.by_class_behind().into_iter().map(move |(class, vcs)| {
                        let goes = vcs.iter().map(|vc| leaves.bit(*vc)).reduce(|a, b| a | b).expect("there is one");
                        (goes, m.lit(now.width(), class.into()) & goes.repeat(now.width()))
                    })
                });
                let next: Vec<_> = next.collect();
                let changes = any_of(&next.iter().map(|(goes, _)| *goes).collect::<Vec<_>>());
                let class = next.into_iter().fold(none, |class, (_, next)| class | next);
                (now & !changes.repeat(now.width())) | class
            }
        }
    }

    /// The output VC (one-hot of all VCs) that the VC in `pop` owns: the class is that of the input VC, or another one of its message class
    /// for a VC in `changing` (by crossing).
    pub fn output_vc<'m>(self, pop: Signal<'m>, owned: &[Signal<'m>], changing: &[Signal<'m>]) -> Signal<'m> {
        let crossings: Vec<_> =
            self.crossings().into_iter().zip(changing).map(|(c, word)| (c, c.spread(*word))).collect();
        let of_class = |pop: Signal<'m>, c: u32| {
            let vcs = self.sets.of(c);
            let group = vcs.end - vcs.start;
            let own = chosen_or_zero(pop.bits(vcs.start, group), &owned[vcs.start as usize..vcs.end as usize]);
            let by_output = own.parts(group);
            if group == 1 { any_of(&by_output) } else { or_all(&by_output) }
        };
        let count = self.allowed.classes();
        let classes = (0..self.sets.classes()).rev().map(|c| {
            let base = c - c % count;
            let leaving = crossings.iter().filter(|(crossing, _)| crossing.leads(c % count));
            let leaving = leaving.map(|(_, changing)| *changing).reduce(|a, b| a | b);
            let own = of_class(leaving.map_or(pop, |leaving| pop & !leaving), c);
            let coming = crossings.iter().filter_map(|(crossing, changing)| {
                let from = (c % count + count - crossing.offset) % count;
                crossing.leads(from).then(|| of_class(pop & *changing, base + from))
            });
            coming.fold(own, |own, coming| own | coming)
        });
        concat(&classes.collect::<Vec<_>>())
    }
}

/// The VCs from which packets may go so many routing classes up.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    sets: VcSets,
    allowed: ClassTransition,
    pub offset: u32,
}

impl Crossing {
    /// What its signals are called.
    pub fn name(self) -> String {
        cross_name(self.offset)
    }

    /// What the VCs are called whose packet goes so.
    pub fn crossed(self) -> String {
        if self.offset == 1 { "crossed".into() } else { format!("crossed{}", self.offset) }
    }

    /// From this routing class?
    fn leads(self, class: u32) -> bool {
        self.allowed.leads(class, self.offset).is_some()
    }

    /// Which VCs they are.
    pub fn numbers(self) -> Vec<u32> {
        transition_vcs(self.sets, self.allowed, self.offset)
    }

    /// How many VCs there are.
    pub fn count(self) -> u32 {
        self.numbers().len() as u32
    }

    /// Each routing class to which they lead, with the VCs that lead there.
    fn by_class_behind(self) -> Vec<(u32, Vec<u32>)> {
        let classes = self.allowed.classes();
        let from = (0..classes).filter_map(|class| Some((class, self.allowed.leads(class, self.offset)?)));
        let of_class =
            |class: u32| self.numbers().into_iter().filter(|vc| self.sets.class(*vc) % classes == class).collect();
        from.map(|(class, behind)| (behind, of_class(class))).collect()
    }

    /// The place of a VC among them, and the class of the VCs that its packets take.
    pub fn behind(self, vc: u32) -> Option<(u32, u32)> {
        let (class, classes) = (self.sets.class(vc), self.allowed.classes());
        let there = self.allowed.leads(class % classes, self.offset)?;
        Some((self.place(vc)?, class - class % classes + there))
    }

    /// The place of a VC among them.
    fn place(self, vc: u32) -> Option<u32> {
        self.numbers().iter().position(|v| *v == vc).map(|at| at as u32)
    }

    /// Their bits of a word with a bit for each VC.
    pub fn of(self, word: Signal<'_>) -> Signal<'_> {
        join(self.numbers().into_iter().map(|at| Bit { word, at }))
    }

    /// The other way: a bit for each VC, zero for the others.
    pub fn spread(self, word: Signal<'_>) -> Signal<'_> {
        if self.count() == self.sets.vcs() {
            return word;
        }
        let of_class = |class: u32| {
            let vcs = self.sets.of(class);
            match self.place(vcs.start) {
                Some(at) => word.bits(at, vcs.end - vcs.start),
                None => word.builder().lit(vcs.end - vcs.start, 0),
            }
        };
        concat(&(0..self.sets.classes()).rev().map(of_class).collect::<Vec<_>>())
    }
}

/// The item selected, or zero, even where there is only one item.
fn chosen_or_zero<'m>(which: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    if let [one] = items { *one & which.repeat(one.width()) } else { chosen(which, items) }
}
