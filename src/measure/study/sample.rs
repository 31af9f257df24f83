//! Samples of a space of designs: as many points of it as there is a budget for, the same ones for the same seed.

use super::axis::{Points, digits};
use hdl::random::Rng;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

/// How points are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SampleMethod {
    /// Each point is as likely as any other.
    #[default]
    Random,
    /// Each value of an axis comes as often as any other, or once more (McKay, Beckman and Conover, Technometrics 1979).
    LatinHypercube,
}

/// Designs that are run, of all that the axes make.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleSpec {
    /// How many points of the axes' space.
    #[schemars(with = "u32")]
    pub budget: Spanned<u32>,
    /// How they are chosen [default: random].
    #[serde(default)]
    pub method: SampleMethod,
    /// Seed of the choice [default: 1].
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

impl SampleSpec {
    /// Different points, in the order of the space: fewer than it has.
    pub(super) fn points(&self, lens: &[u64], space: u64) -> Points {
        let (mut rng, budget) = (Rng::new(self.seed), u64::from(*self.budget.get_ref()));
        let chosen = match self.method {
            SampleMethod::Random => random(&mut rng, budget, space, BTreeSet::new()),
            SampleMethod::LatinHypercube => latin_hypercube(&mut rng, budget, lens, space),
        };
        chosen.into_iter().map(|point| digits(point, lens)).collect()
    }
}

/// So many points in addition to `taken`, each with the same chance.
fn random(rng: &mut Rng, more: u64, space: u64, mut taken: BTreeSet<u64>) -> BTreeSet<u64> {
    // R. Floyd's algorithm; what was taken before is left to the loop behind it.
    let want = taken.len() as u64 + more;
    if taken.is_empty() {
        for last in space - more..space {
            let point = rng.below(last + 1);
            if !taken.insert(point) {
                taken.insert(last);
            }
        }
    }
    while (taken.len() as u64) < want {
        taken.insert(rng.below(space));
    }
    taken
}

/// Columns in which each value comes equally often, shuffled against each other until no two rows are the same.
fn latin_hypercube(rng: &mut Rng, budget: u64, lens: &[u64], space: u64) -> BTreeSet<u64> {
    /// Exchanges for each point, in which two equal rows are to come apart.
    const TRIES: u64 = 100;
    let columns = lens.iter().map(|len| column(rng, budget, *len)).collect();
    let mut rows = Rows::new(columns, lens, budget as usize);
    for _ in 0..TRIES * budget {
        let before = rows.counts.len();
        if before as u64 == budget {
            break;
        }
        let axis = rng.below(lens.len() as u64) as usize;
        let pair = [rng.below(budget) as usize, rng.below(budget) as usize];
        rows.exchange(axis, pair);
        if rows.counts.len() < before {
            rows.exchange(axis, pair);
        }
    }
    let distinct: BTreeSet<u64> = rows.counts.into_keys().collect();
    // Where exchanges did not help, as in a space that is almost full, any other points make up the number.
    match budget - distinct.len() as u64 {
        0 => distinct,
        missing => random(rng, missing, space, distinct),
    }
}

/// Points, by column, and how often each of them is there.
struct Rows<'a> {
    columns: Vec<Vec<u64>>,
    lens: &'a [u64],
    counts: BTreeMap<u64, u32>,
}

impl<'a> Rows<'a> {
    fn new(columns: Vec<Vec<u64>>, lens: &'a [u64], budget: usize) -> Self {
        let mut rows = Self { columns, lens, counts: BTreeMap::new() };
        (0..budget).for_each(|row| rows.add(row));
        rows
    }

    fn point(&self, row: usize) -> u64 {
        self.columns.iter().zip(self.lens).fold(0, |point, (column, len)| point * len + column[row])
    }

    fn add(&mut self, row: usize) {
        *self.counts.entry(self.point(row)).or_default() += 1;
    }

    fn remove(&mut self, row: usize) {
        let point = self.point(row);
        match self.counts.get_mut(&point) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = self.counts.remove(&point),
        }
    }

    /// Two rows exchange their values on an axis.
    fn exchange(&mut self, axis: usize, [a, b]: [usize; 2]) {
        if a == b {
            return;
        }
        [a, b].iter().for_each(|row| self.remove(*row));
        self.columns[axis].swap(a, b);
        [a, b].iter().for_each(|row| self.add(*row));
    }
}

/// Each of `len` values equally often, or once more, in random order.
fn column(rng: &mut Rng, budget: u64, len: u64) -> Vec<u64> {
    // Which values come once more is random, too.
    let offset = rng.below(len);
    let mut column: Vec<u64> = (0..budget).map(|at| (at + offset) % len).collect();
    for last in (1..column.len()).rev() {
        column.swap(last, rng.below(last as u64 + 1) as usize);
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(method: SampleMethod, budget: u32, seed: u64, lens: &[u64]) -> Points {
        let spec = SampleSpec { budget: Spanned::new(0..0, budget), method, seed };
        spec.points(lens, lens.iter().product())
    }

    #[test]
    fn samples_have_their_size_without_a_point_twice_and_are_the_same_again() {
        for method in [SampleMethod::Random, SampleMethod::LatinHypercube] {
            for (lens, budget) in
                [(&[5, 4, 3][..], 7), (&[2, 2], 3), (&[1000, 1000, 1000, 1000], 40), (&[9], 8), (&[6, 7], 41)]
            {
                let points = sample(method, budget, 3, lens);
                let distinct: BTreeSet<_> = points.iter().collect();
                assert_eq!((points.len(), distinct.len()), (budget as usize, budget as usize), "{method:?} {lens:?}");
                let inside = |point: &Vec<usize>| point.iter().zip(lens).all(|(at, len)| (*at as u64) < *len);
                assert!(points.iter().all(inside), "{method:?} {lens:?}: {points:?}");
                assert_eq!(points, sample(method, budget, 3, lens));
                assert!(points.is_sorted(), "in the order of the space");
            }
            let lens = [50, 50];
            assert_ne!(sample(method, 20, 1, &lens), sample(method, 20, 2, &lens), "{method:?}");
        }
    }

    #[test]
    fn a_latin_hypercube_has_each_value_equally_often() {
        for seed in 0..20 {
            let lens = [4, 6, 12];
            let points = sample(SampleMethod::LatinHypercube, 12, seed, &lens);
            for (axis, len) in lens.into_iter().enumerate() {
                for value in 0..len as usize {
                    let count = points.iter().filter(|point| point[axis] == value).count() as u64;
                    assert_eq!(count, 12 / len, "seed {seed}, axis {axis}, value {value}: {points:?}");
                }
            }
        }
    }

    #[test]
    fn random_points_are_equally_likely() {
        let (mut counts, lens) = ([0_u32; 6], [2, 3]);
        for seed in 0..3_000 {
            for point in sample(SampleMethod::Random, 2, seed, &lens) {
                counts[point[0] * 3 + point[1]] += 1;
            }
        }
        // Mean 1000, standard deviation 26.
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
