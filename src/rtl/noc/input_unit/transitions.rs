//! VCs from which packets may change their routing class.

use crate::{
    blocks::{any_of, or_all},
    noc::{
        VcSets,
        allocator::{Bit, join},
        flit_buffer::chosen,
        routing::ClassTransition,
        vc_allocator::transition_vcs,
    },
};
use hdl::{Signal, concat};

/// The VCs from which packets may go to the other routing class: none, those of routing class 1 (the odd classes), or all.
#[derive(Clone, Copy)]
pub(super) struct Transitions {
    pub sets: VcSets,
    pub allowed: ClassTransition,
}

impl Transitions {
    pub fn exist(self) -> bool {
        self.allowed != ClassTransition::Never
    }

    /// Which VCs they are.
    pub fn numbers(self) -> Vec<u32> {
        transition_vcs(self.sets, self.allowed)
    }

    /// How many VCs there are.
    pub fn count(self) -> u32 {
        self.numbers().len() as u32
    }

    /// The place of a VC among them.
    pub fn place(self, vc: u32) -> Option<u32> {
        self.numbers().iter().position(|v| *v == vc).map(|at| at as u32)
    }

    /// Their bits of a word with a bit for each VC.
    pub fn of(self, word: Signal<'_>) -> Signal<'_> {
        join(self.numbers().into_iter().map(|at| Bit { word, at }))
    }

    /// The other way: a bit for each VC, zero for the others.
    pub fn spread(self, word: Signal<'_>) -> Signal<'_> {
        if self.allowed == ClassTransition::Both {
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

    /// Adds what VCs were granted in the other routing class to their grants.
    pub fn add<'m>(self, grants: &mut [Signal<'m>], other: Vec<Signal<'m>>) {
        for (v, grant) in self.numbers().into_iter().zip(other) {
            grants[v as usize] = grants[v as usize] | grant;
        }
    }

    /// The routing class of a flit from the VC in `pop` as it leaves, which was `now`.
    pub fn class_after<'m>(self, now: Signal<'m>, pop: Signal<'m>, changing: Signal<'m>) -> Signal<'m> {
        let changes = (self.of(pop) & changing).any();
        if self.allowed == ClassTransition::Down { now & !changes } else { now ^ changes }
    }

    /// The output VC (one-hot of all VCs) that the VC in `pop` owns: the class is that of the input VC, or the other one of its pair for a
    /// VC in `changing`.
    pub fn output_vc<'m>(self, pop: Signal<'m>, owned: &[Signal<'m>], changing: Option<Signal<'m>>) -> Signal<'m> {
        let changing = changing.map(|word| self.spread(word));
        let of_class = |pop: Signal<'m>, c: u32| {
            let vcs = self.sets.of(c);
            let group = vcs.end - vcs.start;
            let own = chosen_or_zero(pop.bits(vcs.start, group), &owned[vcs.start as usize..vcs.end as usize]);
            let by_output = own.parts(group);
            if group == 1 { any_of(&by_output) } else { or_all(&by_output) }
        };
        let both = self.allowed == ClassTransition::Both;
        let classes = (0..self.sets.classes()).rev().map(|c| match changing {
            Some(changing) if both => of_class(pop & !changing, c) | of_class(pop & changing, c ^ 1),
            Some(changing) if c % 2 == 0 => of_class(pop, c) | of_class(pop & changing, c + 1),
            Some(changing) => of_class(pop & !changing, c),
            None => of_class(pop, c),
        });
        concat(&classes.collect::<Vec<_>>())
    }
}

/// The item selected, or zero, even where there is only one item.
fn chosen_or_zero<'m>(which: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    if let [one] = items { *one & which.repeat(one.width()) } else { chosen(which, items) }
}
