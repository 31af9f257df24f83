//! VC sets: how the virtual channels of a channel are divided among classes, and how deep they are.
//!
//! A **class** is a message class with one of the routing's sets of VCs; packets never leave the VCs of their message
//! class, and only the routing takes them from set to set. Classes are numbered message class by message class,
//! `message * sets + set`, and their VCs lie one after the other in that order. All sets of a message class have
//! equally many VCs.

use serde::Serialize;
use std::ops::Range;

/// What the VCs of replies have of their own, where they share their channels with requests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ReplyVcs {
    /// How many there are: the last ones of a channel.
    pub vcs: u32,
    /// Flits that each holds, 1 to 256.
    pub depth: usize,
}

/// The division of the VCs of a channel; see the [module documentation](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct VcSets {
    vcs: u32,
    classes: u32,
    /// VCs of the upper half of the classes, where that is not half of all.
    upper: Option<u32>,
}

impl VcSets {
    /// Equal parts.
    pub fn equal(vcs: u32, classes: u32) -> Self {
        Self { vcs, classes, upper: None }
    }

    /// `replies` VCs for the upper half of the classes, the others for the lower half.
    pub fn with_replies(vcs: u32, classes: u32, replies: u32) -> Self {
        Self { vcs, classes, upper: (2 * replies != vcs).then_some(replies) }
    }

    /// VCs of the channel.
    pub fn vcs(self) -> u32 {
        self.vcs
    }

    /// Classes.
    pub fn classes(self) -> u32 {
        self.classes
    }

    /// Every class has VCs, all sets of a message class equally many?
    pub fn divide(self) -> bool {
        let Self { vcs, classes, upper } = self;
        let equally = |vcs: u32, classes: u32| classes > 0 && vcs > 0 && vcs.is_multiple_of(classes);
        match upper {
            None => equally(vcs, classes),
            Some(upper) => {
                let half = classes / 2;
                classes.is_multiple_of(2) && upper < vcs && equally(upper, half) && equally(vcs - upper, half)
            }
        }
    }

    /// VCs of a class; they must [divide](Self::divide).
    pub fn of(self, class: u32) -> Range<u32> {
        let Self { vcs, classes, upper } = self;
        let Some(upper) = upper else {
            let size = vcs / classes;
            return class * size..(class + 1) * size;
        };
        let half = classes / 2;
        let (base, size, at) =
            if class < half { (0, (vcs - upper) / half, class) } else { (vcs - upper, upper / half, class - half) };
        base + at * size..base + (at + 1) * size
    }

    /// How many VCs a class has.
    pub fn size(self, class: u32) -> u32 {
        let vcs = self.of(class);
        vcs.end - vcs.start
    }

    /// The class of a VC.
    pub fn class(self, vc: u32) -> u32 {
        (0..self.classes).find(|class| self.of(*class).contains(&vc)).expect("every VC is of a class")
    }

    /// VCs of message class `message` of `messages`.
    pub fn of_message(self, message: u32, messages: u32) -> Range<u32> {
        let sets = self.classes / messages;
        self.of(message * sets).start..self.of(message * sets + sets - 1).end
    }
}

/// Flits that VCs hold: so many those below a VC, so many it and those above.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct VcDepths {
    /// Of the VCs below.
    pub below: usize,
    /// The first VC of the others.
    pub from: u32,
    /// Of the others.
    pub above: usize,
}

impl VcDepths {
    /// All alike.
    pub fn equal(depth: usize) -> Self {
        Self { below: depth, from: 0, above: depth }
    }

    /// Of a VC.
    pub fn of(self, vc: u32) -> usize {
        if vc < self.from { self.below } else { self.above }
    }

    /// All alike?
    pub fn common(self, vcs: u32) -> Option<usize> {
        (0..vcs).all(|vc| self.of(vc) == self.of(0)).then(|| self.of(0))
    }

    /// The deepest of `vcs` VCs.
    pub fn most(self, vcs: u32) -> usize {
        (0..vcs).map(|vc| self.of(vc)).fold(0, usize::max)
    }

    /// Flits that `vcs` VCs hold in all.
    pub fn sum(self, vcs: u32) -> usize {
        (0..vcs).map(|vc| self.of(vc)).sum()
    }

    /// Of the VCs `group`, `group + count`, ... alone, by their place among these.
    pub(super) fn of_group(self, group: u32, count: u32) -> Self {
        Self { from: self.from.saturating_sub(group).div_ceil(count), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vc_is_of_one_class() {
        for (sets, expected) in [
            (VcSets::equal(6, 3), vec![0..2, 2..4, 4..6]),
            (VcSets::equal(4, 1), std::iter::once(0..4).collect()),
            (VcSets::with_replies(4, 2, 2), vec![0..2, 2..4]),
            (VcSets::with_replies(8, 2, 5), vec![0..3, 3..8]),
            (VcSets::with_replies(6, 4, 4), vec![0..1, 1..2, 2..4, 4..6]),
        ] {
            assert!(sets.divide(), "{sets:?}");
            let classes: Vec<_> = (0..sets.classes()).map(|class| sets.of(class)).collect();
            assert_eq!(classes, expected, "{sets:?}");
            for vc in 0..sets.vcs() {
                assert!(sets.of(sets.class(vc)).contains(&vc));
            }
        }
        assert_eq!(VcSets::with_replies(6, 4, 4).of_message(1, 2), 2..6);
        assert_eq!(VcSets::equal(6, 3).of_message(0, 1), 0..6);
        for wrong in [
            VcSets::equal(5, 2),
            VcSets::equal(0, 1),
            VcSets::equal(4, 0),
            VcSets::with_replies(5, 2, 5),
            VcSets::with_replies(6, 4, 3),
        ] {
            assert!(!wrong.divide(), "{wrong:?}");
        }
    }

    #[test]
    fn groups_of_vcs_keep_their_depths() {
        for from in 0..=8 {
            let depths = VcDepths { below: 3, from, above: 7 };
            for count in [1, 2, 4, 8] {
                for vc in 0..8 {
                    assert_eq!(depths.of_group(vc % count, count).of(vc / count), depths.of(vc), "{from} {count} {vc}");
                }
            }
        }
        assert_eq!((VcDepths::equal(5).common(4), VcDepths { below: 1, from: 2, above: 2 }.common(4)), (Some(5), None));
        assert_eq!(VcDepths { below: 1, from: 1, above: 4 }.sum(3), 9);
    }
}
