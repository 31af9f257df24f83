//! Route unit: the output ports for a destination, generated from the routing's hop rule.
//!
//! ```text
//!  [here_x, here_y] ---->+------------+
//!  dest (N) ------------>| route unit |-> route (K): the outputs that the packet may go to, in its class
//!  [route_class (1)] --->|            |-> [cross (K)], ...: those that it may go to with its routing class
//!  [waypoint (N)] ------>|            |    so many classes up
//!  [table_* (nodes)] --->|            |
//!  [loads (K * L)] ----->|            |
//!  [arriving (1)] ------>+------------+
//! ```
//!
//! Contract: combinational; `route` and `cross` together are one-hot, but for a rule that chooses. With more than two
//! routing classes there are `cross`, `cross2`, ...: packets whose routing class goes one up, two up, all around.
//! `here_*` and `route_class` exist only for a rule that reads them, `waypoint` and `cross` likewise. A relation in
//! which no compact form is recognised is looked up in tables, inputs tied to constants: one for each output, routing
//! class and class behind it. With UGAL the units of injection ports see how many places are taken behind each output,
//! `loads`. With several ejection ports for a node, the packets that end there take them in turn, and `arriving` (a
//! head flit is looked at) moves the turn on at the clock edge; else the unit has no state. `here_x` and `here_y` are
//! inputs, so that routers at different places are one module.
//!
//! Tests: `tests/noc/` (every pair of a mesh), [`super::routing`]. Testbench: `testbenches/route_unit/`.

mod ugal;

use super::{
    Direction, Output,
    coordinates::{Gap, Sign, address, coordinates, widths},
    line::{COLUMN, LinePorts, LineRule, ROW},
    ports::shown_outputs,
    routing::{
        ClassedHop, Hop, HopRule, Relation, Signs, cross_name,
        relation::{Columns, Form, table_port},
    },
    topology::Addressing,
};
use blocks::{any_of, index_one_hot, next_turn};
use hdl::{Bits, Builder, Module, Signal, concat, index_width, params, ports};
use std::cmp::Ordering::*;

/// Parameters of a [`route_unit`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RouteUnitParams {
    /// Where the nodes are.
    pub addressing: Addressing,
    /// What the router does.
    pub rule: HopRule,
    /// Neighbour at the input; `None`: packets are injected there. It matters only to relations that look at it.
    pub from: Option<Direction>,
    /// Outputs that the input may send to, in order.
    pub outputs: Vec<Output>,
    /// Slot of the node at each ejection port of the router.
    pub slots: Vec<u32>,
    /// Bits of the load of each output, at injection ports with a rule that goes by it.
    pub load_bits: Option<u32>,
}

impl RouteUnitParams {
    /// In a grid of one node a router.
    pub fn plain(columns: u32, rows: u32, rule: HopRule, outputs: Vec<Output>) -> Self {
        let ejects = outputs.iter().filter(|o| matches!(o, Output::Eject(_))).count();
        Self {
            addressing: Addressing::plain(columns, rows),
            rule,
            from: None,
            outputs,
            slots: vec![0; ejects],
            load_bits: None,
        }
    }

    /// Slots of the ejection ports among the outputs, each once, with how many there are of it.
    fn ejects(&self) -> Vec<(u32, u32)> {
        let mut slots: Vec<(u32, u32)> = vec![];
        for output in &self.outputs {
            if let Output::Eject(port) = output {
                let slot = self.slots[*port as usize];
                match slots.iter_mut().find(|(known, _)| *known == slot) {
                    Some((_, ports)) => *ports += 1,
                    None => slots.push((slot, 1)),
                }
            }
        }
        slots
    }

    /// What its table inputs are tied to at `here`; nothing where it has none.
    pub fn tables(&self, here: (u32, u32)) -> Vec<(String, Bits)> {
        let tables = |relation: &Relation| relation.tables(&self.addressing, here, self.from, &self.hops());
        self.rule.table().map_or(vec![], tables)
    }

    /// Names of its table inputs.
    pub(super) fn table_ports(&self) -> Vec<String> {
        self.rule.table().map_or(vec![], |relation| relation.table_ports(&self.hops()))
    }

    /// Hops to its outputs, each once.
    pub(super) fn hops(&self) -> Vec<Hop> {
        let mut hops: Vec<_> = self.outputs.iter().map(|output| Hop::to(*output)).collect();
        hops.dedup();
        hops
    }

    /// A node has several ejection ports, which packets take in turn.
    pub fn reads_arrival(&self) -> bool {
        self.ejects().iter().any(|(_, ports)| *ports > 1)
    }

    /// There is something to decide: by destination tag not where there is only one output.
    pub fn decides(&self) -> bool {
        self.rule != HopRule::Tag || self.outputs.len() > 1
    }
}

ports! {
    /// Ports of a [`route_unit`], beside its tables.
    pub struct RouteUnitPorts(p: &RouteUnitParams) of RouteUnit {
        /// This router's column.
        maybe (p.rule.reads_here()) in here_x: widths(p.addressing.columns, p.addressing.rows).0,
        /// This router's row.
        maybe (p.rule.reads_here()) in here_y: widths(p.addressing.columns, p.addressing.rows).1,
        /// Destination node.
        in dest: index_width(p.addressing.nodes() as usize),
        /// Routing class of the packet.
        maybe (p.rule.reads_routing_class()) in route_class: p.rule.class_bits(),
        /// A head is there: the turn among ejection ports moves on.
        maybe (p.reads_arrival()) in arriving: 1,
        /// Node at which the first phase ends.
        maybe (p.rule.reads_waypoint()) in waypoint: index_width((p.addressing.columns * p.addressing.rows) as usize),
        /// Load of each output.
        maybe (p.load_bits.is_some()) in loads: p.load_bits.unwrap_or(0) * p.outputs.len() as u32,
        /// Outputs on the way.
        out route: p.outputs.len() as u32,
        /// Outputs on ways so many routing classes up.
        out route_up[offset: u32 in p.rule.class_transition().offsets()] as (cross_name(offset)): p.outputs.len() as u32,
    }
}

ports! {
    /// Tables of a [`route_unit`], where it looks the way of a packet up.
    pub(super) struct RouteTablePorts(p: &RouteUnitParams) of RouteTables {
        /// Nodes for which a packet takes a way, a bit each.
        in table[name: String in p.table_ports()] as name: p.addressing.nodes(),
    }
}

/// A route unit; see the [module documentation](self).
pub fn route_unit(p: &RouteUnitParams) -> Module {
    let RouteUnitParams { addressing, rule, outputs, slots, from, load_bits } = p;
    let (columns, rows) = (addressing.columns, addressing.rows);
    let input = rule.made_for_input().then(|| from.map_or("inject".into(), Direction::name));
    let slots_matter = addressing.table.is_some().then_some(slots);
    let names = params! {
        columns, rows, algorithm: rule, outputs: shown_outputs(outputs), from: input, load_bits;
        addresses: addressing.table, slots: slots_matter
    };
    let m = Builder::new("route_unit", names);
    m.doc("The output ports on the way to a destination.");
    let io = RouteUnitPorts::new(&m, p);
    let (x_bits, _) = widths(columns, rows);
    let here = io.here_x().zip(io.here_y());
    let node = io.dest();
    let dest = address(&m, addressing, node);
    let route_class = io.route_class();
    let turns = p.ejects().into_iter().filter(|(_, ports)| *ports > 1);
    let arriving = io.arriving();
    let turns = turns.zip(arriving.into_iter().cycle());
    let turns: Vec<_> = turns.map(|((slot, ports), arriving)| (slot, turn(&m, slot, ports, arriving))).collect();
    let decide = Decide { outputs, slots, turns, slot_is: &|slot| dest.slot_is(slot) };

    match (rule, here) {
        (HopRule::Tag, _) | (HopRule::Lines(_) | HopRule::Ugal, None) => {
            let port_is = |hop| match hop {
                Hop::Link(Direction::Port(port)) => dest.x_is(u32::from(port)),
                Hop::Link(_) => m.lit(1, 0),
                Hop::Arrived => m.lit(1, 1),
            };
            io.route(decide.word(port_is));
        }
        (HopRule::Lines(lines), Some((x, y))) => {
            let (there_x, there_y) = (dest.x(), dest.y());
            let ways = LineRuleNets {
                m: &m,
                rule: *lines,
                row: Gap::of(&m, "x", there_x, x, columns),
                column: Gap::of(&m, "y", there_y, y, rows),
                border: [border(y, rows), border(x, columns)],
                route_class,
            };
            if !rule.class_transition().exists() {
                io.route(decide.word(|hop| ways.hop(hop)));
            } else {
                io.route(decide.word(|hop| ways.hop_to(hop, false)));
                io.route_up(1, decide.word(|hop| ways.hop_to(hop, true)));
            }
        }
        (HopRule::Ugal, Some(here)) => {
            let route_class = route_class.expect("the phase is told by the routing class");
            ugal::ugal((&m, io), p, &dest, (here, route_class), &decide);
        }
        (HopRule::Relation(relation), Some(here)) => {
            let signs = |(x, y), prefix: &str| SignNets {
                x: Sign::of(&m, (prefix, "x"), x, here.0),
                y: Sign::of(&m, (prefix, "y"), y, here.1),
            };
            let there = (dest.x(), dest.y());
            let dest = signs(there, "");
            let next = || {
                let (less, more) = (there.0.extend(x_bits + 1) + 1, there.0.extend(x_bits + 1));
                let here = here.0.extend(x_bits + 1);
                less.eq(here) | more.eq(here + 1)
            };
            let of_columns = (relation.form() == Form::Columns).then(|| [here.0.bit(0), m.wire("next_column", next())]);
            let waypoint = io.waypoint().map(|waypoint| signs(coordinates(&m, columns, rows, waypoint), "waypoint"));
            let ways = RelationTerms { m: &m, relation, from: *from, dest, of_columns, waypoint, route_class };
            ways_out(io, *rule, |offset| decide.word(|hop| ways.hop(hop, offset)));
        }
        (HopRule::Relation(relation), None) => {
            let decoded = || m.wire("dest_node", index_one_hot(node, addressing.nodes()));
            let dest = dest.decoded().unwrap_or_else(decoded);
            let lookup = Lookup::new(&m, p, relation, (dest, route_class));
            ways_out(io, *rule, |offset| decide.word(|hop| lookup.hop(hop, offset)));
        }
    }
    m.finish()
}

/// The outputs for packets that keep their routing class, and for those whose class goes up by each offset.
fn ways_out<'m>(io: RouteUnitPorts<'m>, rule: HopRule, word: impl Fn(u32) -> Signal<'m>) {
    io.route(word(0));
    for offset in rule.class_transition().offsets() {
        io.route_up(offset, word(offset));
    }
}

/// From hops to output ports.
struct Decide<'a, 'm> {
    outputs: &'a [Output],
    slots: &'a [u32],
    /// Of slots with several ejection ports, whose turn it is, one-hot.
    turns: Vec<(u32, Signal<'m>)>,
    slot_is: &'a dyn Fn(u32) -> Option<Signal<'m>>,
}

impl<'m> Decide<'_, 'm> {
    /// A bit for each output: is its hop one to take?
    fn word(&self, way: impl Fn(Hop) -> Signal<'m>) -> Signal<'m> {
        let of_output = |output: &Output| match output {
            Output::To(direction) => way(Hop::Link(*direction)),
            Output::Eject(port) => {
                let slot = self.slots[*port as usize];
                let arrived = way(Hop::Arrived);
                let arrived = (self.slot_is)(slot).map_or(arrived, |here| arrived & here);
                let first = self.slots.iter().position(|s| *s == slot).expect("it is one of them") as u32;
                let turn = self.turns.iter().find(|(known, _)| *known == slot);
                turn.map_or(arrived, |(_, turn)| arrived & turn.bit(*port - first))
            }
        };
        concat(&self.outputs.iter().map(of_output).rev().collect::<Vec<_>>())
    }
}

/// This coordinate is the first or the last.
fn border(at: Signal<'_>, count: u32) -> Signal<'_> {
    at.eq(0) | at.eq(u64::from(count - 1))
}

/// The rule of lines over nets: [`LineRule::step`], held equal by a test.
struct LineRuleNets<'m> {
    m: &'m Builder,
    rule: LineRule,
    row: Gap<'m>,
    column: Gap<'m>,
    /// The row, and the column, is at the border.
    border: [Signal<'m>; 2],
    route_class: Option<Signal<'m>>,
}

impl<'m> LineRuleNets<'m> {
    /// Is it this hop?
    fn hop(&self, hop: Hop) -> Signal<'m> {
        match hop {
            Hop::Arrived => self.row.none & self.column.none,
            Hop::Link(direction) => match self.along(&self.row, ROW, self.border[0], direction) {
                Some(along) => along,
                None => {
                    let along = self.along(&self.column, COLUMN, self.border[1], direction);
                    self.row.none & along.unwrap_or_else(|| self.m.lit(1, 0))
                }
            },
        }
    }

    /// Is it this hop, with the routing class changing or not?
    fn hop_to(&self, hop: Hop, changes: bool) -> Signal<'m> {
        let here = self.hop(hop);
        let (Hop::Link(direction), Some(route_class)) = (hop, self.route_class) else {
            return if changes { self.m.lit(1, 0) } else { here };
        };
        let (gap, ports) = if ROW.neighbours.contains(&direction) { (&self.row, ROW) } else { (&self.column, COLUMN) };
        let ahead = direction == ports.neighbours[0];
        // The closing link is next; it is further on.
        let last = if ahead { gap.here.eq(u64::from(gap.count - 1)) } else { gap.here.eq(0) };
        let closes = if ahead { gap.less } else { !gap.less };
        let change = (last & route_class) | (!last & closes & !route_class);
        here & if changes { change } else { !change }
    }

    /// Does a packet leave by `direction`, if it is one of this line?
    fn along(&self, gap: &Gap<'m>, ports: LinePorts, border: Signal<'m>, direction: Direction) -> Option<Signal<'m>> {
        let there = |directions: [Direction; 2]| directions.iter().position(|d| *d == direction);
        let count = u64::from(gap.count);
        match self.rule {
            LineRule::Shortest => {
                let at = there(ports.neighbours)?;
                let ahead = gap.ahead();
                let near = ahead.lt(count.div_ceil(2));
                let tie = count.is_multiple_of(2).then(|| ahead.eq(count / 2));
                let goes_ahead = match (tie, self.route_class) {
                    (Some(tie), Some(route_class)) => near | (tie & route_class),
                    _ => near,
                };
                Some(!gap.none & if at == 0 { goes_ahead } else { !goes_ahead })
            }
            LineRule::Express => {
                let (at, express) = match (there(ports.neighbours), there(ports.express)) {
                    (Some(at), _) => (at, false),
                    (None, Some(at)) => (at, true),
                    (None, None) => return None,
                };
                let way = !gap.none & if at == 0 { !gap.less } else { gap.less };
                if gap.count / 2 < 2 {
                    return Some(if express { self.m.lit(1, 0) } else { way });
                }
                let far = border & gap.distance().ge(count / 2);
                Some(way & if express { far } else { !far })
            }
            LineRule::Flattened => {
                let offset = (1..gap.count as u8).find(|offset| (ports.offset)(*offset) == direction)?;
                Some(gap.ahead().eq(u64::from(offset)))
            }
        }
    }
}

/// A relation of signs over nets, turned into terms over the signs.
struct RelationTerms<'m> {
    m: &'m Builder,
    relation: &'static Relation,
    from: Option<Direction>,
    dest: SignNets<'m>,
    /// Here is an odd column, the destination is in a neighbouring one; where the relation looks at that.
    of_columns: Option<[Signal<'m>; 2]>,
    waypoint: Option<SignNets<'m>>,
    route_class: Option<Signal<'m>>,
}

impl<'m> RelationTerms<'m> {
    /// May a packet take `hop` with its routing class going so many up?
    fn hop(&self, hop: Hop, offset: u32) -> Signal<'m> {
        let classes = self.relation.classes();
        let Some(route_class) = self.route_class else { return self.term((hop, 0), 0) };
        let term = |class: u32| self.term((hop, (class + offset) % classes), class);
        if offset == 0 {
            let of_class = (0..classes).map(|class| term(class) & is_class(route_class, classes, class));
            return of_class.reduce(|a, b| a | b).expect("there is a class");
        }
        let transition = HopRule::Relation(self.relation).class_transition();
        let from = (0..classes).filter(|class| transition.leads(*class, offset).is_some());
        let of_class = from.map(|class| term(class) & is_class(route_class, classes, class));
        of_class.reduce(|a, b| a | b).unwrap_or_else(|| self.m.lit(1, 0))
    }

    /// One where a packet of `routing_class` may take this step.
    fn term(&self, step: ClassedHop, routing_class: u32) -> Signal<'m> {
        if let Some(columns) = self.of_columns {
            return self.term_of_columns(step, routing_class, columns);
        }
        let holds = |dest, waypoint| self.relation.by_signs(dest, waypoint, routing_class).contains(&step);
        let Some(waypoint_nets) = &self.waypoint else {
            return self.dest.when(self.m, |dest| holds(dest, dest));
        };
        // The signs of `waypoint`, by the signs of the destination that suit each: a product a set.
        let mut sets: Vec<(Vec<Signs>, Vec<Signs>)> = vec![];
        for waypoint in Signs::all() {
            let dests: Vec<_> = Signs::all().filter(|dest| holds(*dest, waypoint)).collect();
            match sets.iter_mut().find(|(known, _)| *known == dests) {
                Some((_, waypoints)) => waypoints.push(waypoint),
                None => sets.push((dests, vec![waypoint])),
            }
        }
        let all = Signs::all().count();
        let products = sets.into_iter().filter(|(dests, _)| !dests.is_empty()).map(|(dests, waypoints)| {
            let of_dest = || self.dest.when(self.m, |signs| dests.contains(&signs));
            let of_waypoint = || waypoint_nets.when(self.m, |signs| waypoints.contains(&signs));
            match (dests.len() == all, waypoints.len() == all) {
                (true, _) => of_waypoint(),
                (_, true) => of_dest(),
                _ => of_dest() & of_waypoint(),
            }
        });
        let products: Vec<_> = products.collect();
        if products.is_empty() { self.m.lit(1, 0) } else { any_of(&products) }
    }
}

impl<'m> RelationTerms<'m> {
    /// The same, for each set of signs where here and destination are in such columns.
    fn term_of_columns(&self, step: ClassedHop, routing_class: u32, [odd, next]: [Signal<'m>; 2]) -> Signal<'m> {
        let holds = |dest, columns| self.relation.by_columns(dest, columns, self.from, routing_class).contains(&step);
        let mut sets: Vec<(Vec<Signs>, Vec<Columns>)> = vec![];
        for columns in Columns::all() {
            let dests: Vec<_> = Signs::all().filter(|dest| holds(*dest, columns)).collect();
            match sets.iter_mut().find(|(known, _)| *known == dests) {
                Some((_, all)) => all.push(columns),
                None => sets.push((dests, vec![columns])),
            }
        }
        let literal = |net: Signal<'m>, is: bool| if is { net } else { !net };
        let products = sets.into_iter().filter(|(dests, _)| !dests.is_empty()).map(|(dests, columns)| {
            let signs = self.dest.when(self.m, |signs| dests.contains(&signs));
            let same = |of: fn(&Columns) -> bool| columns.iter().all(|c| of(c) == of(&columns[0]));
            match (columns.len(), same(|c| c.odd), same(|c| c.next)) {
                (4, _, _) => signs,
                (2, true, _) => signs & literal(odd, columns[0].odd),
                (2, _, true) => signs & literal(next, columns[0].next),
                _ => {
                    let each = columns.iter().map(|c| literal(odd, c.odd) & literal(next, c.next));
                    signs & any_of(&each.collect::<Vec<_>>())
                }
            }
        });
        let products: Vec<_> = products.collect();
        if products.is_empty() { self.m.lit(1, 0) } else { any_of(&products) }
    }
}

/// The routing class in `route_class`, of `classes`, is this one.
pub(super) fn is_class<'m>(route_class: Signal<'m>, classes: u32, class: u32) -> Signal<'m> {
    match (classes, class) {
        (2, 0) => !route_class,
        (2, _) => route_class,
        _ => route_class.eq(u64::from(class)),
    }
}

/// A relation over nets that is looked up in a table of the router.
struct Lookup<'m> {
    m: &'m Builder,
    /// Is it this hop, with the routing class going so many up?
    found: Vec<(Hop, u32, Signal<'m>)>,
}

impl<'m> Lookup<'m> {
    /// With the tables as inputs. `dest`: a bit for each node.
    fn new(
        m: &'m Builder,
        p: &RouteUnitParams,
        relation: &Relation,
        (dest, route_class): (Signal<'m>, Option<Signal<'m>>),
    ) -> Self {
        let io = RouteTablePorts::new(m, p);
        let (classes, mut found) = (relation.classes(), vec![]);
        for (hop, way) in p.hops().iter().flat_map(|hop| relation.ways().into_iter().map(move |way| (*hop, way))) {
            let is_it = (dest & io.table(table_port(relation, way, hop))).any();
            let is_it = route_class.map_or(is_it, |route_class| is_it & is_class(route_class, classes, way.class));
            found.push((hop, (way.next + classes - way.class) % classes, is_it));
        }
        Self { m, found }
    }

    fn hop(&self, hop: Hop, offset: u32) -> Signal<'m> {
        let ways =
            self.found.iter().filter(|(known, up, _)| (*known, *up) == (hop, offset)).map(|(_, _, found)| *found);
        ways.reduce(|a, b| a | b).unwrap_or_else(|| self.m.lit(1, 0))
    }
}

/// One-hot turn among the ejection ports of a slot, moved on by `arriving`.
fn turn<'m>(m: &'m Builder, slot: u32, ejects: u32, arriving: Signal<'m>) -> Signal<'m> {
    let name = if slot == 0 { "turn".to_string() } else { format!("turn{slot}") };
    let turn = m.register(&name, ejects, 1);
    m.when(arriving, || m.set(turn, next_turn(turn)));
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
