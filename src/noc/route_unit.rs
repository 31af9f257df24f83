//! Route unit: the output ports for a destination, generated from the routing's hop rule.
//!
//! ```text
//!  here_x, here_y ------>+------------+
//!  dest (N) ------------>| route unit |-> route (K): the outputs that the packet may go to, in its phase
//!  [yx (1)] ------------>|            |-> [fall (K)]: those that it may go to with its phase bit falling to 0
//!  [via (N)] ----------->|            |
//!  [arriving (1)] ------>+------------+
//! ```
//!
//! Contract: combinational; `route` and `fall` together are one-hot, but for a rule that chooses. `yx` exists only for a rule that reads it, `via` and `fall` likewise.
//! With several ejection ports, the packets that end here take them in turn, and `arriving` (a head flit is looked at) moves the turn on
//! at the clock edge; else the unit has no state. `here_x` and `here_y` are inputs, so that routers at different places are one module.
//!
//! Tests: `tests/noc/` (every pair of a mesh), [`super::routing`]. Testbench: `testbenches/route_unit/`.

use super::{
    Output,
    coordinates::{Sign, coordinates, widths},
    routing::{Hop, HopRule, Order, Signs},
};
use crate::{
    blocks::any_of,
    hdl::{Builder, Module, Signal, concat, index_width},
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
    /// What the router does.
    pub rule: HopRule,
    /// Outputs that the input may send to, in order.
    pub outputs: Vec<Output>,
}

impl RouteUnitParams {
    /// Ejection ports among the outputs.
    pub fn ejects(&self) -> usize {
        self.outputs.iter().filter(|o| matches!(o, Output::Eject(_))).count()
    }
}

impl HopRule {
    /// For the name of a module.
    pub(super) fn key(self) -> String {
        match self {
            HopRule::Fixed(order) => format!("{order:?}"),
            HopRule::TwoPhase(order) => format!("TwoPhase{order:?}"),
            other => format!("{other:?}"),
        }
    }
}

/// A route unit; see the [module documentation](self).
pub fn route_unit(p: &RouteUnitParams) -> Module {
    let RouteUnitParams { columns, rows, rule, ref outputs } = *p;
    let letters: String = outputs.iter().map(|o| o.to_string().replace("eject", "t")).map(|s| short(&s)).collect();
    let m = Builder::new("route_unit", params! { columns, rows, algorithm: rule.key(), outputs: letters });
    m.doc("The output ports on the way to a destination.");
    let (x_bits, y_bits) = widths(columns, rows);
    let here = (m.input("here_x", x_bits), m.input("here_y", y_bits));
    let signs = |node: &str, prefix: &str| {
        let node = m.input(node, index_width((columns * rows) as usize));
        let (x, y) = coordinates(&m, columns, rows, node);
        SignNets {
            x: Sign::of(&m, &format!("{prefix}x"), x, here.0),
            y: Sign::of(&m, &format!("{prefix}y"), y, here.1),
        }
    };
    let dest = signs("dest", "");
    let yx = rule.reads_phase().then(|| m.input("yx", 1));
    let via = rule.reads_via().then(|| signs("via", "via_"));
    let ejects = p.ejects();
    let turn = (ejects > 1).then(|| turn(&m, ejects as u32));

    let ways = Ways { m: &m, rule, dest, via, yx };
    m.output_of("route", route_word(outputs, turn, |hop| ways.stay(hop)));
    if rule.falls() {
        m.output_of("fall", route_word(outputs, turn, |hop| ways.fall(hop)));
    }
    m.finish()
}

/// A bit for each output: is its hop one to take?
fn route_word<'m>(outputs: &[Output], turn: Option<Signal<'m>>, way: impl Fn(Hop) -> Signal<'m>) -> Signal<'m> {
    let of_output = |output: &Output| match output {
        Output::To(direction) => way(Hop::Link(*direction)),
        Output::Eject(i) => {
            let arrived = way(Hop::Arrived);
            turn.map_or(arrived, |turn| arrived & turn.bit(*i))
        }
    };
    concat(&outputs.iter().map(of_output).rev().collect::<Vec<_>>())
}

/// The hop rule over nets: [`HopRule::stay`] and [`HopRule::fall`], held equal by a test.
struct Ways<'m> {
    m: &'m Builder,
    rule: HopRule,
    dest: SignNets<'m>,
    via: Option<SignNets<'m>>,
    yx: Option<Signal<'m>>,
}

impl<'m> Ways<'m> {
    fn by_order(&self, order: Order, signs: &SignNets<'m>, hop: Hop) -> Signal<'m> {
        signs.when(self.m, |s| order.next(s.x, s.y) == hop)
    }

    fn by_phase(&self, clear: Signal<'m>, set: Signal<'m>) -> Signal<'m> {
        match self.yx {
            Some(yx) => (clear & !yx) | (set & yx),
            None => clear,
        }
    }

    fn stay(&self, hop: Hop) -> Signal<'m> {
        let order = |order| self.by_order(order, &self.dest, hop);
        match (self.rule, &self.via) {
            (HopRule::Fixed(fixed), _) => order(fixed),
            (HopRule::ByPhase, _) => self.by_phase(order(Order::Xy), order(Order::Yx)),
            (HopRule::TwoPhase(first), Some(via)) => {
                // A packet in its first phase does not end here: it falls first.
                let towards_via = if hop == Hop::Arrived { self.m.lit(1, 0) } else { self.by_order(first, via, hop) };
                self.by_phase(order(Order::Xy), towards_via)
            }
            (HopRule::TwoPhase(_) | HopRule::Adaptive, _) => {
                let nearer = self.dest.when(self.m, |s| HopRule::Adaptive.stay(s, s, true).contains(&hop));
                self.by_phase(order(Order::Xy), nearer)
            }
        }
    }

    fn fall(&self, hop: Hop) -> Signal<'m> {
        let xy = self.by_order(Order::Xy, &self.dest, hop);
        let now = self.yx.map_or(xy, |yx| xy & yx);
        self.via.as_ref().map_or(now, |via| now & via.x.equal & via.y.equal)
    }
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

struct SignNets<'m> {
    x: Sign<'m>,
    y: Sign<'m>,
}

impl<'m> SignNets<'m> {
    /// One for the signs for which `holds`: first as sets of y signs for each sign of x.
    fn when(&self, m: &'m Builder, holds: impl Fn(Signs) -> bool) -> Signal<'m> {
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
        let rows = signs.map(|x| signs.map(|y| holds(Signs { x, y })));
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
    }
}
