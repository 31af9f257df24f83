//! Route unit: the output port for a destination, generated from the routing's Rust function.
//!
//! ```text
//!  here_x, here_y ------>+------------+
//!  dest (N) ------------>| route unit |-> route (K, one-hot): one of the outputs that the input may send to
//!  [yx (1)] ------------>|            |
//!  [arriving (1)] ------>+------------+
//! ```
//!
//! Contract: combinational. `yx` exists only for a routing that reads it. With several ejection ports, the packets that end here take
//! them in turn, and `arriving` (a head flit is looked at) moves the turn on at the clock edge; else the unit has no state.
//! `here_x` and `here_y` are inputs, so that routers at different places are one module.
//!
//! Tests: `tests/noc/` (every pair of a mesh), [`super::routing`]. Testbench: `testbenches/route_unit/`.

use super::{
    Output,
    routing::{Hop, Routing, Situation},
};
use crate::{
    blocks::{any_of, popcount},
    hdl::{Builder, Module, Signal, concat, index_width, select},
    params,
};
use std::cmp::Ordering::*;

/// Parameters of a [`route_unit`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RouteUnitParams {
    /// Nodes in a row of the mesh.
    pub columns: u32,
    /// Nodes in a column of the mesh.
    pub rows: u32,
    /// The routing.
    pub routing: Routing,
    /// Outputs that the input may send to, in order.
    pub outputs: Vec<Output>,
}

impl RouteUnitParams {
    /// Ejection ports among the outputs.
    pub fn ejects(&self) -> usize {
        self.outputs.iter().filter(|o| matches!(o, Output::Eject(_))).count()
    }
}

/// A route unit; see the [module documentation](self).
pub fn route_unit(p: &RouteUnitParams) -> Module {
    let RouteUnitParams { columns, rows, routing, ref outputs } = *p;
    let letters: String = outputs.iter().map(|o| o.to_string().replace("eject", "t")).map(|s| short(&s)).collect();
    let m = Builder::new("route_unit", params! { columns, rows, algorithm: format!("{routing:?}"), outputs: letters });
    m.doc("The output port on the way to a destination.");
    let (here_x, here_y) =
        (m.input("here_x", index_width(columns as usize)), m.input("here_y", index_width(rows as usize)));
    let dest = m.input("dest", index_width((columns * rows) as usize));
    let (x, y) = coordinates(&m, columns, rows, dest);
    let yx = routing.reads_phase().then(|| m.input("yx", 1));
    let signs = Signs { x: Sign::of(&m, "x", x, here_x), y: Sign::of(&m, "y", y, here_y), yx };
    let ejects = p.ejects();
    let turn = (ejects > 1).then(|| turn(&m, ejects as u32));

    let routes: Vec<_> = outputs
        .iter()
        .map(|output| match output {
            Output::To(direction) => signs.when(&m, |at| routing.next(at) == Hop::Link(*direction)),
            Output::Eject(i) => {
                let arrived = signs.when(&m, |at| routing.next(at) == Hop::Arrived);
                turn.map_or(arrived, |turn| arrived & turn.bit(*i))
            }
        })
        .rev()
        .collect();
    m.output_of("route", concat(&routes));
    m.finish()
}

fn short(name: &str) -> String {
    if name.starts_with('t') { name.to_string() } else { name[..1].to_string() }
}

/// One-hot turn among the ejection ports, moved on by `arriving`.
fn turn(m: &Builder, ejects: u32) -> Signal<'_> {
    let turn = m.register("turn", ejects, 1);
    m.when(m.input("arriving", 1), || m.set(turn, concat(&[turn.bits(0, ejects - 1), turn.bit(ejects - 1)])));
    turn
}

/// x and y of a node number: slices for a power of two of columns, else y is the number of row starts at or below it.
fn coordinates<'m>(m: &'m Builder, columns: u32, rows: u32, node: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let (x_bits, y_bits) = (index_width(columns as usize), index_width(rows as usize));
    if rows == 1 {
        return (node.resize(x_bits), m.lit(1, 0));
    }
    if columns == 1 {
        return (m.lit(1, 0), node.resize(y_bits));
    }
    if columns.is_power_of_two() {
        return (node.bits(0, x_bits), node.bits(x_bits, y_bits));
    }
    let starts: Vec<_> = (1..rows).map(|y| node.ge(y * columns)).collect();
    let y = popcount(concat(&starts)).resize(y_bits);
    let bases: Vec<_> = (0..rows).map(|y| m.lit(x_bits, u64::from(y * columns) & ((1 << x_bits) - 1))).collect();
    (node.bits(0, x_bits) - select(y, &bases), y)
}

/// How a destination coordinate compares with here.
struct Sign<'m> {
    less: Signal<'m>,
    equal: Signal<'m>,
    greater: Signal<'m>,
}

impl<'m> Sign<'m> {
    fn of(m: &'m Builder, axis: &str, there: Signal<'m>, here: Signal<'m>) -> Self {
        let less = m.wire(&format!("{axis}_less"), there.lt(here));
        let equal = m.wire(&format!("{axis}_equal"), there.eq(here));
        Self { less, equal, greater: !(less | equal) }
    }
}

struct Signs<'m> {
    x: Sign<'m>,
    y: Sign<'m>,
    yx: Option<Signal<'m>>,
}

impl<'m> Signs<'m> {
    /// One in the situations for which `holds`: first as sets of y signs for each sign of x, for each phase.
    fn when(&self, m: &'m Builder, holds: impl Fn(Situation) -> bool) -> Signal<'m> {
        let one_phase = |yx: bool| -> Signal<'m> {
            let along = |sign: &Sign<'m>, signs: [bool; 3]| match signs {
                [false, false, false] => None,
                [true, true, true] => Some(m.lit(1, 1)),
                [true, false, false] => Some(sign.less),
                [false, true, false] => Some(sign.equal),
                [false, false, true] => Some(sign.greater),
                [false, true, true] => Some(!sign.less),
                [true, false, true] => Some(!sign.equal),
                [true, true, false] => Some(!sign.greater),
            };
            let signs = [Less, Equal, Greater];
            let rows = signs.map(|x| signs.map(|y| holds(Situation { x, y, yx })));
            // Equal rows are joined, so that a term has as few literals as its set allows.
            let mut terms = vec![];
            for (i, row) in rows.iter().enumerate() {
                let first = rows.iter().position(|r| r == row) == Some(i);
                if let (true, Some(y_term)) = (first, along(&self.y, *row)) {
                    let x_term = along(&self.x, rows.map(|r| r == *row)).expect("the row is equal to itself");
                    terms.push(match (rows.iter().all(|r| r == row), row.iter().all(|&all| all)) {
                        (true, _) => y_term,
                        (_, true) => x_term,
                        _ => x_term & y_term,
                    });
                }
            }
            if terms.is_empty() { m.lit(1, 0) } else { any_of(&terms) }
        };
        match self.yx {
            None => one_phase(false),
            Some(yx) => (one_phase(false) & !yx) | (one_phase(true) & yx),
        }
    }
}
