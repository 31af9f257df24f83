//! Wavefront allocator: the diagonals of the matrix of requests, one after the other.
//!
//! ```text
//!  column   0   1   2     diagonal of a cell: (row + column) mod n; cells of one diagonal share no row and no column
//!  row 0   d0  d1  d2     pointer = 1: d1, d2, d0 in this order; a request is granted when its row and its column
//!      1   d1  d2  d0     are still left
//!      2   d2  d0  d1
//!
//!                                   +-----------+-> grant<row>, likewise
//!  request<row> (a bit for each  -->| wavefront |
//!        of the cells of the row)   +-----------+-> taken (a bit for each column: one of its cells is granted)
//! ```
//!
//! The result is maximal: no request is left whose row and column both are. A request that stays is granted at the
//! latest when the pointer (one-hot) is at its diagonal; it moves on with every cycle that grants something.
//!
//! No combinational loop: a ring of diagonals in which the wave starts anywhere is unrolled to `2n - 1` diagonals, of
//! which the `n` from the pointer on are awake. Cells exist only where a request is possible. Rows and columns that no
//! chain of requests connects (VCs of different classes) are blocks of their own, and blocks with the same cells are
//! one module.
//!
//! A diagonal is a word, a bit a cell, by row. Neighbours there are neighbours among the rows and, with columns counted
//! backwards, among the columns, so all is done on slices of words (see [`lines`](super::lines)).
//!
//! Source: Y. Tamir and H.-C. Chi, *Symmetric crossbar arbiters for VLSI communication switches* (1993); W. J. Dally
//! and B. Towles,
//! *Principles and Practices of Interconnection Networks*, section 19.4; D. U. Becker and W. J. Dally, *Allocator implementations
//! for network-on-chip routers* (2009; loop-free forms).

use super::{
    Allocation, AllocatorParams, Bit, Matching, MatrixRequest, Requests, join,
    lines::{LineBits, picked},
    one_bit,
};
use blocks::next_turn;
use hdl::{Builder, Module, PortName, Signal, params, ports, row};
use petgraph::unionfind::UnionFind;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// See the [module documentation](self).
pub struct Wavefront;

impl Allocation for Wavefront {
    fn has_arbiters(&self) -> bool {
        false
    }

    fn iterates(&self) -> bool {
        false
    }

    fn allocate<'m>(&self, m: &'m Builder, _: AllocatorParams, of: &Requests<'_, 'm>) -> Matching<'m> {
        let requests = of.all;
        let free = of.free;
        let mut matching = Matching { grants: requests.iter().map(|r| r.bit).collect(), taken: BTreeMap::new() };
        let parts = parts(requests);
        for (number, part) in parts.iter().enumerate() {
            let usable = |members: &[usize]| usable(members.iter().map(|&request| requests[request]), free);
            if let [only] = part[..] {
                matching.grants[only] = one_bit(usable(&[only]));
                continue;
            }
            let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            part.iter().for_each(|&request| rows.entry(requests[request].row).or_default().push(request));
            let columns: BTreeSet<usize> = part.iter().map(|&request| requests[request].column).collect();
            let columns: BTreeMap<usize, usize> = columns.into_iter().zip(0..).collect();
            let cells = rows.values().map(|members| members.iter().map(|&r| columns[&requests[r].column]).collect());
            let name = if parts.len() == 1 { "wave".to_string() } else { ("wave", number).text() };
            let wave = PlacedWavefront(m.instance(&name, &wavefront(&cells.collect::<Vec<_>>())));
            for (row, members) in rows.values().enumerate() {
                wave.request(row, usable(members));
                let grant = wave.grant(row);
                members.iter().zip(Bit::all(grant)).for_each(|(&request, bit)| matching.grants[request] = bit);
            }
            matching.taken.extend(columns.into_keys().zip(Bit::all(wave.taken())));
        }
        matching
    }
}

/// Requests for columns that are free, as one word.
fn usable<'m>(
    requests: impl Iterator<Item = MatrixRequest<'m>>,
    free: impl Fn(usize) -> Option<Bit<'m>>,
) -> Signal<'m> {
    // A request for several columns that are neighbours: its bit, the first of theirs, and how many.
    let mut runs: Vec<(Bit<'m>, Option<Bit<'m>>, u32)> = vec![];
    for MatrixRequest { column, bit, .. } in requests {
        let free = free(column);
        match runs.last_mut() {
            Some((request, Some(first), count))
                if request.same(bit) && free.is_some_and(|free| first.plus(*count).same(free)) =>
            {
                *count += 1;
            }
            _ => runs.push((bit, free, 1)),
        }
    }
    let words: Vec<_> = (runs.into_iter())
        .map(|(request, free, count)| match free {
            Some(free) => request.signal().repeat(count) & free.word.bits(free.at, count),
            None => request.signal(),
        })
        .collect();
    row(words)
}

/// Requests that share rows or columns, directly or through others.
fn parts(requests: &[MatrixRequest<'_>]) -> Vec<Vec<usize>> {
    let rows = requests.iter().map(|r| r.row + 1).max().unwrap_or(0);
    let columns = requests.iter().map(|r| r.column + 1).max().unwrap_or(0);
    let mut lines = UnionFind::new(rows + columns);
    requests.iter().for_each(|r| _ = lines.union(r.row, rows + r.column));
    // In the order of their first requests.
    let mut numbers = HashMap::new();
    let mut parts: Vec<Vec<usize>> = vec![];
    for (i, r) in requests.iter().enumerate() {
        let part = *numbers.entry(lines.find(r.row)).or_insert(parts.len());
        if part == parts.len() {
            parts.push(vec![]);
        }
        parts[part].push(i);
    }
    parts
}

/// A possible request: its row, its bit there, and its column, counted backwards.
#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    at: u32,
    back: usize,
}

/// Columns of the cells of rows.
fn columns_of(points: &[Vec<usize>]) -> usize {
    points.iter().flatten().max().map_or(0, |last| last + 1)
}

ports! {
    /// Ports of a [`wavefront`] over cells: per row, their columns.
    struct WavefrontPorts(points: &[Vec<usize>]) of PlacedWavefront {
        /// By row: cells for which there is a request, a bit each.
        in request[row: usize in 0..points.len()]: points[row].len() as u32,
        /// By row: cells whose request is granted, a bit each.
        out grant[row: usize in 0..points.len()]: points[row].len() as u32,
        /// Columns of which a cell is granted, a bit each.
        out taken: columns_of(points) as u32,
    }
}

/// A wavefront over cells, at least two: per row, their columns in the order of their bits. There is no column without a cell.
fn wavefront(points: &[Vec<usize>]) -> Module {
    let rows = points.len();
    let columns = columns_of(points);
    let m = Builder::new("wavefront", params! { rows, columns; cells: points });
    m.doc("Matches rows and columns by a wave over the diagonals of the matrix of requests.");
    let n = rows.max(columns);
    let mut diagonals: Vec<Vec<Cell>> = vec![vec![]; n];
    for (row, columns) in points.iter().enumerate() {
        for (&column, at) in columns.iter().zip(0..) {
            diagonals[(row + column) % n].push(Cell { row, at, back: (n - column) % n });
        }
    }
    let io = WavefrontPorts::new(&m, points);
    let requests: Vec<_> = (0..rows).map(|row| io.request(row)).collect();
    let granted = Wave::new(&m, &diagonals).run(&requests);

    let mut grants: Vec<_> = points.iter().map(|columns| vec![None; columns.len()]).collect();
    let mut taken = LineBits::default();
    for (d, (cells, granted)) in diagonals.iter().zip(granted).enumerate() {
        let Some(granted) = granted else { continue };
        cells.iter().zip(Bit::all(granted)).for_each(|(cell, bit)| grants[cell.row][cell.at as usize] = Some(bit));
        let here = LineBits::new(cells.iter().map(|cell| cell.back), granted);
        taken = taken.with(&here, |before, now| before | now, &m, ("taken", d));
    }
    for (row, grants) in grants.into_iter().enumerate() {
        io.grant(row, join(grants.into_iter().flatten()));
    }
    let back = (0..columns).map(|column| (n - column) % n);
    io.taken(join(back.filter_map(|line| taken.bit(line))));
    m.finish()
}

struct Wave<'a, 'm> {
    m: &'m Builder,
    diagonals: &'a [Vec<Cell>],
    /// Per row, and per column counted backwards: the last step with a cell of it.
    last: [Vec<usize>; 2],
}

impl<'a, 'm> Wave<'a, 'm> {
    fn new(m: &'m Builder, diagonals: &'a [Vec<Cell>]) -> Self {
        let n = diagonals.len();
        let mut last = [vec![0; n], vec![0; n]];
        for step in 0..2 * n - 1 {
            for cell in &diagonals[step % n] {
                (last[0][cell.row], last[1][cell.back]) = (step, step);
            }
        }
        Self { m, diagonals, last }
    }

    /// Per diagonal: which of its cells are granted; `None` where it has no cells. `requests`: of each row.
    fn run(&self, requests: &[Signal<'m>]) -> Vec<Option<Signal<'m>>> {
        let (m, n) = (self.m, self.diagonals.len());
        let pointer = m.register("pointer", n as u32, 1);
        let asks: Vec<_> = (self.diagonals.iter().enumerate())
            .map(|(d, cells)| {
                let bits = cells.iter().map(|cell| Bit { word: requests[cell.row], at: cell.at });
                (!cells.is_empty()).then(|| m.wire(("asks", d), join(bits)))
            })
            .collect();
        let (mut rows, mut columns) = (LineBits::default(), LineBits::default());
        let mut won: Vec<Option<Signal<'m>>> = vec![None; 2 * n - 1];
        for step in 0..2 * n - 1 {
            let cells = &self.diagonals[step % n];
            let Some(asks) = asks[step % n] else { continue };
            let awake = match step.checked_sub(n) {
                None => pointer.bits(0, step as u32 + 1),
                Some(past) => pointer.bits(past as u32 + 1, (n - 1 - past) as u32),
            };
            let mut here = asks & awake.any().repeat(asks.width());
            for left in
                [picked(m, cells.iter().map(|c| rows.bit(c.row))), picked(m, cells.iter().map(|c| columns.bit(c.back)))]
            {
                here = left.map_or(here, |left| here & left);
            }
            let here = m.wire(("won", step), here);
            won[step] = Some(here);
            rows = self.left(&rows, step, LineBits::new(cells.iter().map(|c| c.row), here), 0);
            columns = self.left(&columns, step, LineBits::new(cells.iter().map(|c| c.back), here), 1);
        }
        let granted = |d: usize| {
            let first = won[d]?;
            Some(match won.get(d + n).copied().flatten() {
                Some(second) => m.wire(("granted", d), first | second),
                None => first,
            })
        };
        let granted: Vec<_> = (0..n).map(granted).collect();
        let any: Vec<_> = granted.iter().flatten().map(|granted| granted.any()).collect();
        let moves = m.wire("moves", row(any).any());
        m.when(moves, || m.set(pointer, next_turn(pointer)));
        granted
    }

    /// Which rows (0) or columns (1) the wave has left over after a step: those that it has touched and that it comes to again.
    fn left(&self, before: &LineBits<'m>, step: usize, won: LineBits<'m>, which: usize) -> LineBits<'m> {
        let later = |line: usize| self.last[which][line] > step;
        let name = (["rows", "columns"][which], "left", step).text();
        before.only(later).with_not(&won.only(later), self.m, &name)
    }
}
