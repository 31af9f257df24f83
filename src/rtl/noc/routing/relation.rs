//! The routing relation: from an input channel of a router and a head flit to the hops that the router may make, in
//! order of preference, each with the routing class (and so the set of VCs) behind it.
//!
//! ```text
//!   View: from (input), routing class, here, dest, waypoint --> steps --> [(hop, routing class), ...]
//! ```
//!
//! A routing says it once, as a function ([`Relation`]). Paths, the deadlock proof and the tests walk it; the route
//! units come from it. What hardware it needs is recognised by going through the situations of a small grid:
//!
//! * **signs**: it looks only at how `dest` (and `waypoint`) compares with here, and at the routing class. A route unit is two comparators and
//!   terms of their results.
//! * **columns**: besides at the signs of `dest` it looks at whether here is an odd column, whether `dest` is in a neighbouring column,
//!   and at the input. A route unit has one more comparator, and is made for its input.
//! * **table**: anything else, among it a relation that looks up the [routes](crate::topology::Routes) of a
//!   topology. A router has a table, an input tied to constants in its place as its coordinates are: for each input
//!   (if the relation looks at that), routing class and output a bit for each destination.

use super::{ClassTransition, ClassedHop, Hop, Signs, View};
use crate::{Direction, topology::Addressing};
use hdl::Bits;
use std::{
    cmp::Ordering::*,
    collections::BTreeSet,
    hash::{Hash, Hasher},
    sync::OnceLock,
};

/// A relation in plain Rust, from which the rest follows.
#[derive(Debug)]
pub struct Relation {
    /// In the names of modules; each relation has its own.
    pub key: &'static str,
    /// What the routing classes are called; there are as many.
    pub class_names: &'static [&'static str],
    /// The hops that a router may make, in order of preference, and the routing class that each leads to.
    pub steps: fn(&View<'_>) -> Vec<ClassedHop>,
    /// Channels of the last routing class may be in circles: every packet in them may ask for a channel of another class as well.
    pub has_escapes: bool,
    /// It looks up [`Routes`](crate::topology::Routes) of the topology, and at nothing else but the input.
    pub(super) of_routes: bool,
    traits: OnceLock<Traits>,
}

/// What follows from a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Traits {
    pub reads_routing_class: bool,
    pub reads_waypoint: bool,
    pub reads_from: bool,
    pub transition: ClassTransition,
    pub chooses: bool,
    pub form: Form,
}

impl Traits {
    /// Of a relation that looks up routes, with an escape class below the other one or without.
    fn of_routes(has_escapes: bool) -> Self {
        Self {
            reads_routing_class: has_escapes,
            reads_waypoint: false,
            reads_from: true,
            transition: if has_escapes { ClassTransition::ESCAPE } else { ClassTransition::NEVER },
            chooses: has_escapes,
            form: Form::Table,
        }
    }
}

/// The hardware of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Terms of signs.
    Signs,
    /// Terms of signs and of columns.
    Columns,
    /// A table for each router.
    Table,
}

impl PartialEq for Relation {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Relation {}

impl Hash for Relation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// The grid whose situations tell what a relation looks at; one of more routers where they need not be multiplied by those of `waypoint`.
const SAMPLE: (u32, u32) = (4, 4);
const LARGE_SAMPLE: (u32, u32) = (6, 5);

fn places((columns, rows): (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
}

/// Inputs of a router of a mesh.
fn inputs() -> impl Iterator<Item = Option<Direction>> {
    [None].into_iter().chain(Direction::ALL.map(Some))
}

impl Relation {
    /// A relation without escape channels.
    pub const fn new(
        key: &'static str,
        class_names: &'static [&'static str],
        steps: fn(&View<'_>) -> Vec<ClassedHop>,
    ) -> Self {
        Self { key, class_names, steps, has_escapes: false, of_routes: false, traits: OnceLock::new() }
    }

    /// The same: the last routing class has an escape to another one everywhere, which the deadlock proof checks.
    pub const fn with_escapes(mut self) -> Self {
        self.has_escapes = true;
        self
    }

    /// The same: it takes the hops of [`Routes`](crate::topology::Routes), with two routing classes if it has
    /// escapes, else with one. Grids tell nothing of such a relation.
    pub const fn of_routes(mut self) -> Self {
        self.of_routes = true;
        self
    }

    /// Routing classes.
    pub fn classes(&self) -> u32 {
        self.class_names.len() as u32
    }

    /// The hops in a situation in which only signs are known, for a relation that looks at nothing else.
    pub fn by_signs(&self, dest: Signs, waypoint: Signs, routing_class: u32) -> Vec<ClassedHop> {
        let place = |signs: Signs| {
            let one = |sign| match sign {
                Less => 0,
                Equal => 1,
                Greater => 2,
            };
            (one(signs.x), one(signs.y))
        };
        let (dest, waypoint) = (place(dest), place(waypoint));
        (self.steps)(&View { from: None, here: (1, 1), dest, waypoint, size: (3, 3), routing_class, routes: None })
    }

    /// The hops in a situation in which only signs of the destination, columns and the input are known.
    pub(crate) fn by_columns(
        &self,
        dest: Signs,
        columns: Columns,
        from: Option<Direction>,
        routing_class: u32,
    ) -> Vec<ClassedHop> {
        let here = (4 + u32::from(columns.odd), 1);
        let away = if columns.next { 1 } else { 3 };
        let along = |at: u32, sign, away: u32| match sign {
            Less => at - away,
            Equal => at,
            Greater => at + away,
        };
        let dest = (along(here.0, dest.x, away), along(here.1, dest.y, 1));
        (self.steps)(&View { from, here, dest, waypoint: dest, size: (9, 3), routing_class, routes: None })
    }

    /// The hardware that it needs.
    pub fn form(&self) -> Form {
        self.traits().form
    }

    /// Found once, by going through the situations of a small grid.
    pub(super) fn traits(&self) -> Traits {
        if self.of_routes {
            return Traits::of_routes(self.has_escapes);
        }
        *self.traits.get_or_init(|| {
            let changes = |view: View<'_>| -> Vec<(Hop, u32)> {
                let steps = (self.steps)(&view).into_iter();
                steps.map(|(hop, next)| (hop, (next + self.classes() - view.routing_class) % self.classes())).collect()
            };
            let mut found = Traits {
                reads_routing_class: false,
                reads_waypoint: false,
                reads_from: false,
                transition: ClassTransition::NEVER,
                chooses: false,
                form: Form::Signs,
            };
            let (mut by_signs, mut by_columns) = (true, true);
            let mut pairs = BTreeSet::new();
            let mut look = |view: View<'_>| {
                let steps = (self.steps)(&view);
                found.reads_waypoint |= steps != (self.steps)(&View { waypoint: view.dest, ..view });
                found.reads_from |= steps != (self.steps)(&View { from: None, ..view });
                found.reads_routing_class |= changes(view) != changes(View { routing_class: 0, ..view });
                found.chooses |= steps.len() > 1;
                let signs = view.dest_signs();
                by_signs &= steps == self.by_signs(signs, view.waypoint_signs(), view.routing_class);
                by_columns &= steps == self.by_columns(signs, Columns::of(&view), view.from, view.routing_class);
                pairs.extend(steps.into_iter().map(|(_, next)| (view.routing_class, next)));
            };
            let classes = || 0..self.classes();
            for (size, with_waypoint) in [(SAMPLE, true), (LARGE_SAMPLE, false)] {
                for (here, dest) in places(size).flat_map(|here| places(size).map(move |dest| (here, dest))) {
                    let of_waypoint = places(size).map(|waypoint| (None, waypoint)).filter(|_| with_waypoint);
                    for (from, waypoint) in
                        of_waypoint.chain(inputs().map(|from| (from, dest)).filter(|_| !with_waypoint))
                    {
                        classes().for_each(|class| {
                            look(View { from, here, dest, waypoint, size, routing_class: class, routes: None })
                        });
                    }
                }
            }
            found.transition = ClassTransition::of(self.classes(), pairs);
            found.form = match (by_signs, by_columns) {
                (true, _) => Form::Signs,
                (false, true) => Form::Columns,
                _ => Form::Table,
            };
            assert!(
                !(found.reads_waypoint && found.form == Form::Table),
                "{}: a table has no intermediate node",
                self.key
            );
            found
        })
    }

    /// Ports of a route unit for tables, for its hops.
    pub(crate) fn table_ports(&self, hops: &[Hop]) -> Vec<String> {
        let ways = self.ways();
        hops.iter().flat_map(|hop| ways.iter().map(|way| table_port(self, *way, *hop))).collect()
    }

    /// The tables of a router at `here` for an input: by [port](Self::table_ports) the destinations for which a packet takes that way.
    pub(crate) fn tables(
        &self,
        addressing: &Addressing,
        here: (u32, u32),
        from: Option<Direction>,
        hops: &[Hop],
    ) -> Vec<(String, Bits)> {
        let size = (addressing.columns, addressing.rows);
        let steps = |node: u32, routing_class: u32| {
            let address = addressing.of(node);
            let dest = (address.x, address.y);
            let routes = addressing.routes.as_deref();
            (self.steps)(&View { from, here, dest, waypoint: dest, size, routing_class, routes })
        };
        let mut tables = vec![];
        for (hop, way) in hops.iter().flat_map(|hop| self.ways().into_iter().map(move |way| (*hop, way))) {
            let mut table = Bits::zero(addressing.nodes());
            let leads = |node: &u32| steps(*node, way.class).contains(&(hop, way.next));
            (0..addressing.nodes()).filter(leads).for_each(|node| table.set_bit(node, true));
            tables.push((table_port(self, way, hop), table));
        }
        tables
    }

    /// From which routing class to which packets may go.
    pub(crate) fn ways(&self) -> Vec<ClassWay> {
        let (classes, transition) = (self.classes(), self.traits().transition);
        let pairs = (0..classes).flat_map(|class| (0..classes).map(move |next| ClassWay { class, next }));
        pairs.filter(|way| way.class == way.next || transition.allows(way.class, way.next)).collect()
    }
}

/// What the form of columns knows beside signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Columns {
    /// Here is an odd column.
    pub odd: bool,
    /// The destination is in a neighbouring column.
    pub next: bool,
}

impl Columns {
    fn of(view: &View<'_>) -> Self {
        Self { odd: view.here.0 % 2 == 1, next: view.here.0.abs_diff(view.dest.0) == 1 }
    }

    /// All four.
    pub fn all() -> [Self; 4] {
        [(false, false), (false, true), (true, false), (true, true)].map(|(odd, next)| Self { odd, next })
    }
}

/// A packet's routing class before a hop and after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassWay {
    /// Before.
    pub class: u32,
    /// After.
    pub next: u32,
}

/// Port of a route unit for the table of a way: the destinations for which it is `hop`.
pub(crate) fn table_port(relation: &Relation, way: ClassWay, hop: Hop) -> String {
    let classes = match (relation.classes(), way) {
        (1, _) => String::new(),
        (_, ClassWay { class, next }) if class == next => format!("_class{class}"),
        (_, ClassWay { class, next }) => format!("_class{class}_to{next}"),
    };
    match hop {
        Hop::Link(direction) => format!("table{classes}_{direction}"),
        Hop::Arrived => format!("table{classes}_eject"),
    }
}
