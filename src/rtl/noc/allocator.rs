//! Allocation: matching of requesters (rows) and resources (columns) over a sparse matrix of requests.
//!
//! ```text
//!  request[row][column] -->+-----------+--> grant[row][column]: at most one a row, one a column, only what is requested
//!  [free[column]] -------->| allocator |
//!                          +-----------+
//! ```
//!
//! Each kind is a policy behind one interface ([`Allocation`]), combinational from request to grant:
//!
//! * [`separable`]: a stage of arbiters over columns and one over rows: iSLIP, PIM, separable input-first.
//! * [`wavefront`]: diagonals of the matrix one after the other; what it finds is always maximal.
//!
//! Tests: `tests/noc/networks/allocators.rs`. Testbenches: `testbenches/switch_allocator*/`, `testbenches/vc_allocator/`.

mod lines;
mod random;
mod separable;
mod wavefront;

pub use random::{Drawing, DrawingPorts, SEED_BITS};

use super::NocError;
use blocks::ArbiterKind;
use common::{parameters, parameters::Parameters, policies};
use hdl::{Builder, Signal, row};
use std::collections::BTreeMap;

policies! {
    /// How requesters and resources are matched.
    pub enum AllocatorKind: dyn Allocation {
        /// Resources grant, requesters accept.
        Islip = "islip" => separable::ISLIP,
        /// As iSLIP, but both sides choose at random.
        Pim = "pim" => separable::PIM,
        /// Requesters bid for one resource each, resources choose.
        SeparableInputFirst = "separable-input-first" | "input-first" => separable::INPUT_FIRST,
        /// A wave through the matrix of requests that leaves nothing over; it has no arbiters and no iterations.
        Wavefront = "wavefront" => wavefront::Wavefront,
    }
}

parameters! {
    /// Parameters of an allocator.
    #[derive(Copy, Hash)]
    pub struct AllocatorParams {
        /// How requesters and resources are matched.
        kind: AllocatorKind = AllocatorKind::Islip;
        /// Its arbiters.
        #[only(policy("kind", |kind: AllocatorKind| kind.policy().has_arbiters()))]
        arbiter: ArbiterKind = ArbiterKind::RoundRobin;
        /// Rounds of both stages within the cycle.
        #[only(policy("kind", |kind: AllocatorKind| kind.policy().iterates()))]
        iterations: u32 = 1, range(1, 8);
    }
}

impl AllocatorParams {
    /// In range?
    pub fn check(self) -> Result<(), NocError> {
        self.check_ranges("").map_err(|_| NocError::Iterations { iterations: self.iterations })
    }
}

/// A way to match rows and columns.
pub trait Allocation: Sync {
    /// The arbiters of the parameters are in it.
    fn has_arbiters(&self) -> bool;

    /// It has iterations.
    fn iterates(&self) -> bool;

    /// What is granted of the requests.
    fn allocate<'m>(&self, m: &'m Builder, p: AllocatorParams, of: &Requests<'_, 'm>) -> Matching<'m>;
}

/// A sparse matrix of requests.
pub struct Requests<'a, 'm> {
    /// The places where a request is possible.
    pub all: &'a [MatrixRequest<'m>],
    /// Of a column, where present: may it be granted at all?
    pub free: &'a dyn Fn(usize) -> Option<Bit<'m>>,
    /// Names the arbiters of rows.
    pub row_name: &'a dyn Fn(usize) -> String,
    /// Names the arbiters of columns.
    pub column_name: &'a dyn Fn(usize) -> String,
}

/// Bit `at` of `word`. Kept apart, so that neighbouring bits can be joined again as one slice.
#[derive(Clone, Copy)]
pub struct Bit<'m> {
    /// The word.
    pub word: Signal<'m>,
    /// The bit's place in it, from the lowest.
    pub at: u32,
}

impl<'m> Bit<'m> {
    /// All bits of a word.
    fn all(word: Signal<'m>) -> impl Iterator<Item = Bit<'m>> {
        (0..word.width()).map(move |at| Bit { word, at })
    }

    fn signal(self) -> Signal<'m> {
        self.word.bit(self.at)
    }

    /// So many places further in the same word.
    fn plus(self, places: u32) -> Self {
        Self { at: self.at + places, ..self }
    }

    fn same(self, other: Self) -> bool {
        self.at == other.at && self.word.same(other.word)
    }
}

/// A place of the matrix where a request is possible.
#[derive(Clone, Copy)]
pub struct MatrixRequest<'m> {
    /// Who asks.
    pub row: usize,
    /// For what.
    pub column: usize,
    /// Whether it asks.
    pub bit: Bit<'m>,
}

/// What is granted.
pub struct Matching<'m> {
    /// In the order of the requests.
    pub grants: Vec<Bit<'m>>,
    /// Columns of which it is known that one of their requests is granted, or none.
    taken: BTreeMap<usize, Bit<'m>>,
}

impl<'m> Matching<'m> {
    /// One of these requests for a column, which are all, is granted; `grants`: what is granted of them.
    pub fn taken(&self, column: usize, grants: impl Iterator<Item = Bit<'m>>) -> Signal<'m> {
        self.taken.get(&column).map_or_else(|| join(grants).any(), |bit| bit.signal())
    }
}

fn one_bit(word: Signal<'_>) -> Bit<'_> {
    Bit { word, at: 0 }
}

/// Bits, least significant first, as one word; neighbours in one word stay together.
pub(super) fn join<'m>(bits: impl Iterator<Item = Bit<'m>>) -> Signal<'m> {
    let mut runs: Vec<(Bit<'m>, u32)> = vec![];
    for bit in bits {
        match runs.last_mut() {
            Some((first, count)) if first.word.same(bit.word) && first.at + *count == bit.at => *count += 1,
            _ => runs.push((bit, 1)),
        }
    }
    row(runs.into_iter().map(|(first, count)| first.word.bits(first.at, count)))
}
