//! Groups of virtual channels: those that share a switch input, a flit buffer or a link.

use crate::allocator::{Bit, join};
use hdl::{PortName, Signal};
use std::ops::Range;

/// The VCs of an input, divided in turn among so many groups: VC v is in group `v mod count`, at place `v / count`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct VcGroups {
    pub vcs: u32,
    pub count: u32,
    /// What names a group, before its number.
    pub label: &'static str,
}

impl VcGroups {
    pub fn each(self) -> Range<usize> {
        0..self.count as usize
    }

    /// VCs of a group.
    pub fn size(self) -> u32 {
        self.vcs / self.count
    }

    /// The name of what a group has; a single group needs no number.
    pub fn name(self, name: &str, group: usize) -> String {
        if self.count == 1 { name.into() } else { (name, self.label, group).text() }
    }

    /// The bits of one group in a word with a bit for each VC.
    pub fn part(self, word: Signal<'_>, group: usize) -> Signal<'_> {
        if self.count == 1 {
            return word;
        }
        join((0..self.size()).map(|at| Bit { word, at: at * self.count + group as u32 }))
    }

    /// The other way: a word with a bit for each VC from one for each group.
    pub fn merge<'m>(self, parts: impl Iterator<Item = Signal<'m>>) -> Signal<'m> {
        let parts: Vec<_> = parts.collect();
        if let [one] = parts[..] {
            return one;
        }
        join((0..self.vcs).map(|v| Bit { word: parts[(v % self.count) as usize], at: v / self.count }))
    }

    /// A bit of each group for all its VCs.
    pub fn spread<'m>(self, bits: impl Iterator<Item = Signal<'m>>) -> Signal<'m> {
        self.merge(bits.map(|bit| bit.repeat(self.size())))
    }

    /// The bits of one group in a word with a bit for each VC of a group of `larger`, which this one is a part of.
    pub fn within(self, larger: VcGroups, word: Signal<'_>, group: usize) -> Signal<'_> {
        if self.count == larger.count {
            return word;
        }
        let vc = |at: u32| at * self.count + group as u32;
        join((0..self.size()).map(|at| Bit { word, at: vc(at) / larger.count }))
    }

    /// A word with a bit for each VC that is zero for other groups.
    pub fn alone(self, part: Signal<'_>, group: usize) -> Signal<'_> {
        let none = part.builder().lit(part.width(), 0);
        self.merge(self.each().map(|g| if g == group { part } else { none }))
    }
}
