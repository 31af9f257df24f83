//! Wavefront allocator: the diagonals of the matrix of requests, one after the other.
//!
//! ```text
//!  column   0   1   2     diagonal of a cell: (row + column) mod n; cells of one diagonal share no row and no column
//!  row 0   d0  d1  d2     pointer = 1: d1, d2, d0 in this order; a request is granted when its row and its column
//!      1   d1  d2  d0     are still left
//!      2   d2  d0  d1
//! ```
//!
//! The result is maximal: no request is left whose row and column both are. A request that stays is granted at the latest when the
//! pointer (one-hot) is at its diagonal; it moves on with every cycle that grants something.
//!
//! No combinational loop: a ring of diagonals in which the wave starts anywhere is unrolled to `2n - 1` diagonals, of which the `n` from
//! the pointer on are awake. Cells exist only where a request is possible. Rows and columns that no chain of requests connects (VCs of
//! different classes) are matrices of their own.
//!
//! Source: Y. Tamir and H.-C. Chi, *Symmetric crossbar arbiters for VLSI communication switches* (1993); W. J. Dally and B. Towles,
//! *Principles and Practices of Interconnection Networks*, section 19.4; D. U. Becker and W. J. Dally, *Allocator implementations
//! for network-on-chip routers* (2009; loop-free forms).

use super::{Bit, Request, gather, one_bit};
use crate::hdl::{Builder, Signal, concat};
use std::collections::{BTreeMap, BTreeSet};

/// See [`super::allocate`].
pub fn allocate<'m>(
    m: &'m Builder,
    requests: &[Request<'m>],
    free: impl Fn(usize) -> Option<Signal<'m>>,
) -> Vec<Bit<'m>> {
    let usable: Vec<_> =
        (requests.iter()).map(|r| free(r.column).map_or(r.bit, |free| one_bit(r.bit.signal() & free))).collect();
    let mut grants = usable.clone();
    let parts = parts(requests);
    for (number, part) in parts.iter().enumerate() {
        let prefix = if parts.len() == 1 { String::new() } else { format!("part{number}_") };
        Matrix::new(m, prefix, requests, part).wave(&usable, &mut grants);
    }
    grants
}

/// Requests that share rows or columns, directly or through others.
fn parts(requests: &[Request<'_>]) -> Vec<Vec<usize>> {
    let mut parts: Vec<(BTreeSet<usize>, BTreeSet<usize>, Vec<usize>)> = vec![];
    for (i, r) in requests.iter().enumerate() {
        let touches = |(rows, columns, _): &mut (BTreeSet<usize>, BTreeSet<usize>, Vec<usize>)| {
            rows.contains(&r.row) || columns.contains(&r.column)
        };
        let mut joined = (BTreeSet::from([r.row]), BTreeSet::from([r.column]), vec![i]);
        for (rows, columns, members) in parts.extract_if(.., touches) {
            joined.0.extend(rows);
            joined.1.extend(columns);
            joined.2.extend(members);
        }
        parts.push(joined);
    }
    let mut members: Vec<_> = parts.into_iter().map(|(_, _, members)| members).collect();
    members.iter_mut().for_each(|m| m.sort_unstable());
    members.sort_unstable();
    members
}

/// A request in its place.
#[derive(Clone, Copy)]
struct Cell {
    request: usize,
    row: usize,
    column: usize,
}

struct Matrix<'m> {
    m: &'m Builder,
    prefix: String,
    /// Cells of each diagonal.
    diagonals: Vec<Vec<Cell>>,
}

impl<'m> Matrix<'m> {
    fn new(m: &'m Builder, prefix: String, requests: &[Request<'m>], part: &[usize]) -> Self {
        let places = |key: fn(&Request<'m>) -> usize| -> BTreeMap<usize, usize> {
            let lines: BTreeSet<_> = part.iter().map(|&i| key(&requests[i])).collect();
            lines.into_iter().zip(0..).collect()
        };
        let (rows, columns) = (places(|r| r.row), places(|r| r.column));
        let n = rows.len().max(columns.len());
        let mut diagonals = vec![vec![]; n];
        for &request in part {
            let (row, column) = (rows[&requests[request].row], columns[&requests[request].column]);
            diagonals[(row + column) % n].push(Cell { request, row, column });
        }
        Self { m, prefix, diagonals }
    }

    /// The wave: fills in the grants of this matrix.
    fn wave(&self, usable: &[Bit<'m>], grants: &mut [Bit<'m>]) {
        let (m, n) = (self.m, self.diagonals.len());
        if n == 1 {
            return; // one request: it is granted
        }
        let name = |what: &str, number: usize| format!("{}{what}{number}", self.prefix);
        let pointer = m.register(&format!("{}pointer", self.prefix), n as u32, 1);
        let asks: Vec<_> = (self.diagonals.iter().enumerate())
            .map(|(d, cells)| {
                let bits = gather(cells.iter().map(|cell| usable[cell.request].signal()));
                (!cells.is_empty()).then(|| m.wire(&name("asks", d), bits))
            })
            .collect();
        let (mut rows, mut columns) = (Left::default(), Left::default());
        let mut won: Vec<Option<Signal<'m>>> = vec![None; 2 * n - 1];
        for step in 0..2 * n - 1 {
            let cells = &self.diagonals[step % n];
            let Some(asks) = asks[step % n] else { continue };
            let awake = match step.checked_sub(n) {
                None => pointer.bits(0, step as u32 + 1),
                Some(past) => pointer.bits(past as u32 + 1, (n - 1 - past) as u32),
            };
            let mut here = asks & awake.any().repeat(asks.width());
            for left in [rows.of(cells.iter().map(|c| c.row), m), columns.of(cells.iter().map(|c| c.column), m)] {
                here = left.map_or(here, |left| here & left);
            }
            let here = m.wire(&name("won", step), here);
            won[step] = Some(here);
            let later: Vec<_> = (step + 1..2 * n - 1).flat_map(|s| &self.diagonals[s % n]).collect();
            let needed = |line: fn(&Cell) -> usize| later.iter().map(|cell| line(cell)).collect::<BTreeSet<_>>();
            rows = rows.after(m, &name("rows_left", step), here, cells.iter().map(|c| c.row), &needed(|c| c.row));
            columns = columns.after(
                m,
                &name("columns_left", step),
                here,
                cells.iter().map(|c| c.column),
                &needed(|c| c.column),
            );
        }
        let mut all = vec![];
        for (d, cells) in self.diagonals.iter().enumerate() {
            let Some(first) = won[d] else { continue };
            let granted = match won.get(d + n).copied().flatten() {
                Some(second) => m.wire(&name("granted", d), first | second),
                None => first,
            };
            all.push(granted.any());
            for (at, cell) in (0..).zip(cells) {
                grants[cell.request] = Bit { word: granted, at };
            }
        }
        let moves = m.wire(&format!("{}moves", self.prefix), gather(all.into_iter()).any());
        m.when(moves, || m.set(pointer, concat(&[pointer.bits(0, n as u32 - 1), pointer.bit(n as u32 - 1)])));
    }
}

/// Which rows (or columns) the wave has left over: a bit for each that it has touched and that it comes to again.
#[derive(Default)]
struct Left<'m> {
    lines: BTreeMap<usize, u32>,
    word: Option<Signal<'m>>,
}

impl<'m> Left<'m> {
    fn bit(&self, line: usize) -> Option<Signal<'m>> {
        Some(self.word?.bit(*self.lines.get(&line)?))
    }

    /// A bit for each of `lines`: is it left? `None` when all are.
    fn of(&self, lines: impl Iterator<Item = usize>, m: &'m Builder) -> Option<Signal<'m>> {
        let bits: Vec<_> = lines.map(|line| self.bit(line)).collect();
        let any = bits.iter().any(Option::is_some);
        any.then(|| gather(bits.into_iter().map(|bit| bit.unwrap_or_else(|| m.lit(1, 1)))))
    }

    /// After the cells of `won`, which lie on `cells`, of what is `needed` later.
    fn after(
        &self,
        m: &'m Builder,
        name: &str,
        won: Signal<'m>,
        cells: impl Iterator<Item = usize>,
        needed: &BTreeSet<usize>,
    ) -> Self {
        let here: BTreeMap<_, _> = cells.zip(0..).collect();
        let mut bits = BTreeMap::new();
        for &line in needed {
            let before = self.bit(line);
            let now = here.get(&line).map(|&at| !won.bit(at));
            if let Some(left) = before.zip(now).map(|(a, b)| a & b).or(before).or(now) {
                bits.insert(line, left);
            }
        }
        if bits.is_empty() {
            return Self::default();
        }
        let word = m.wire(name, gather(bits.values().copied().collect::<Vec<_>>().into_iter()));
        Self { lines: bits.into_keys().zip(0..).collect(), word: Some(word) }
    }
}
