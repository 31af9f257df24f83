//! Bits for some rows, or for some columns, of a matrix: set operations on them as operations on slices of words.

use super::Bit;
use hdl::{Builder, PortName, Signal, row};
use std::collections::{BTreeMap, BTreeSet};

/// A bit for each of some lines.
#[derive(Clone, Default)]
pub struct LineBits<'m>(BTreeMap<usize, Bit<'m>>);

/// Neighbours of two sets of lines, as slices of their words: of the first, of the second, of both.
type LineSlices<'m> = (Option<Signal<'m>>, Option<Signal<'m>>);

impl<'m> LineBits<'m> {
    /// The bits of `word`, for these lines.
    pub fn new(lines: impl Iterator<Item = usize>, word: Signal<'m>) -> Self {
        Self(lines.zip(Bit::all(word)).collect())
    }

    /// That of a line.
    pub fn bit(&self, line: usize) -> Option<Bit<'m>> {
        self.0.get(&line).copied()
    }

    /// Those of some lines.
    pub fn only(&self, wanted: impl Fn(usize) -> bool) -> Self {
        Self(self.0.iter().filter(|(line, _)| wanted(**line)).map(|(&line, &bit)| (line, bit)).collect())
    }

    /// Lines of either, as a wire; `join` makes the bits of those of both.
    pub fn with(
        &self,
        other: &Self,
        join: impl Fn(Signal<'m>, Signal<'m>) -> Signal<'m>,
        m: &'m Builder,
        name: impl PortName,
    ) -> Self {
        self.merged(other, m, name, |slices| match slices {
            (Some(a), Some(b)) => join(a, b),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => unreachable!("a slice is of one of them at least"),
        })
    }

    /// Lines of either, as a wire: one where it is one here (or is not here) and zero in `other` (or is not there).
    pub fn with_not(&self, other: &Self, m: &'m Builder, name: impl PortName) -> Self {
        self.merged(other, m, name, |slices| match slices {
            (Some(a), Some(b)) => a & !b,
            (Some(a), None) => a,
            (None, Some(b)) => !b,
            (None, None) => unreachable!("a slice is of one of them at least"),
        })
    }

    fn merged(
        &self,
        other: &Self,
        m: &'m Builder,
        name: impl PortName,
        make: impl Fn(LineSlices<'m>) -> Signal<'m>,
    ) -> Self {
        let lines: BTreeSet<usize> = self.0.keys().chain(other.0.keys()).copied().collect();
        let mut runs: Vec<[Option<Bit<'m>>; 2]> = vec![];
        let mut lengths: Vec<u32> = vec![];
        for &line in &lines {
            let bits = [self.bit(line), other.bit(line)];
            match runs.last().zip(lengths.last_mut()) {
                Some((first, length)) if follows(first, *length, &bits) => *length += 1,
                _ => {
                    runs.push(bits);
                    lengths.push(1);
                }
            }
        }
        let slices = runs.iter().zip(&lengths).map(|(run, &length)| {
            let [a, b] = run.map(|bit| bit.map(|bit| bit.word.bits(bit.at, length)));
            make((a, b))
        });
        let slices: Vec<_> = slices.collect();
        match slices.is_empty() {
            true => Self::default(),
            false => Self::new(lines.into_iter(), m.wire(name, row(slices))),
        }
    }
}

/// After `length` bits from `first` on, these come next, in each of the words.
fn follows<'m>(first: &[Option<Bit<'m>>], length: u32, bits: &[Option<Bit<'m>>]) -> bool {
    first.iter().zip(bits).all(|pair| match pair {
        (Some(first), Some(bit)) => first.plus(length).same(*bit),
        (None, None) => true,
        _ => false,
    })
}

/// Bits as a word, where ones stand for those that there are not; `None` when there is none.
pub fn picked<'m>(m: &'m Builder, bits: impl Iterator<Item = Option<Bit<'m>>>) -> Option<Signal<'m>> {
    let bits: Vec<_> = bits.collect();
    let mut words = vec![];
    for run in bits.chunk_by(|a, b| a.is_some() == b.is_some()) {
        words.push(match run[0] {
            Some(_) => super::join(run.iter().flatten().copied()),
            None => m.lit(1, 1).repeat(run.len() as u32),
        });
    }
    bits.iter().any(Option::is_some).then(|| row(words))
}
