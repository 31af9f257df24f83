//! The hop rule: what every router does with a head flit, as a relation or in a compact form.
//!
//! Three compact forms are named by the routing, with the relation in a function beside the hardware: [`LineRule`],
//! UGAL, and destination tags.

use super::{ClassTransition, ClassedHop, Relation, View, relation::Form, ugal::hops};
use crate::line::LineRule;
use hdl::index_width;
use serde::{Serialize, Serializer};

/// What every router does with a head flit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HopRule {
    /// As a relation says, in the hardware that is recognised in it.
    Relation(&'static Relation),
    /// XY, each line by its own rule.
    Lines(LineRule),
    /// Straight or over an intermediate router, on a flattened butterfly.
    Ugal,
    /// The port or slot that the address names.
    Tag,
}

impl HopRule {
    /// All hops, in order of preference, with the routing class that each leads to; none of a rule that goes by ports.
    pub fn steps(self, view: View<'_>) -> Vec<ClassedHop> {
        match self {
            HopRule::Relation(relation) => (relation.steps)(&view),
            HopRule::Lines(rule) => vec![rule.step(view)],
            HopRule::Ugal => hops::steps(&view),
            HopRule::Tag => vec![],
        }
    }

    /// Decisions look at the routing class.
    pub fn reads_routing_class(self) -> bool {
        match self {
            HopRule::Relation(relation) => relation.traits().reads_routing_class,
            HopRule::Lines(rule) => rule == LineRule::Shortest,
            HopRule::Ugal => true,
            HopRule::Tag => false,
        }
    }

    /// Routing classes.
    pub fn classes(self) -> u32 {
        match self {
            HopRule::Relation(relation) => relation.classes(),
            HopRule::Lines(LineRule::Shortest) | HopRule::Ugal => 2,
            HopRule::Lines(_) | HopRule::Tag => 1,
        }
    }

    /// Bits of a routing class, 1 and up.
    pub fn class_bits(self) -> u32 {
        index_width(self.classes() as usize)
    }

    /// Decisions look at the router's own coordinates.
    pub fn reads_here(self) -> bool {
        match self {
            HopRule::Relation(relation) => relation.form() != Form::Table,
            HopRule::Lines(_) | HopRule::Ugal => true,
            HopRule::Tag => false,
        }
    }

    /// Decisions are looked up in a table of the router.
    pub fn table(self) -> Option<&'static Relation> {
        match self {
            HopRule::Relation(relation) if relation.form() == Form::Table => Some(relation),
            _ => None,
        }
    }

    /// Route units of different inputs are different.
    pub fn made_for_input(self) -> bool {
        matches!(self, HopRule::Relation(relation) if relation.form() == Form::Columns && relation.traits().reads_from)
    }

    /// Decisions look at the input by which a packet came.
    pub fn reads_from(self) -> bool {
        matches!(self, HopRule::Relation(relation) if relation.traits().reads_from)
    }

    /// How a packet's routing class may change on its way.
    pub fn class_transition(self) -> ClassTransition {
        match self {
            HopRule::Relation(relation) => relation.traits().transition,
            HopRule::Lines(LineRule::Shortest) => ClassTransition::BOTH,
            HopRule::Ugal => ClassTransition::DOWN,
            HopRule::Lines(_) | HopRule::Tag => ClassTransition::NEVER,
        }
    }

    /// Heads carry `waypoint`.
    pub fn reads_waypoint(self) -> bool {
        match self {
            HopRule::Relation(relation) => relation.traits().reads_waypoint,
            HopRule::Ugal => true,
            HopRule::Lines(_) | HopRule::Tag => false,
        }
    }

    /// More than one hop may be legal.
    pub fn chooses(self) -> bool {
        match self {
            HopRule::Relation(relation) => relation.traits().chooses,
            HopRule::Ugal => true,
            HopRule::Lines(_) | HopRule::Tag => false,
        }
    }

    /// All paths are shortest ones.
    pub fn is_minimal(self) -> bool {
        self != HopRule::Ugal && !self.looks_up_routes()
    }

    /// Decisions are those of the [`Routes`](crate::topology::Routes) of the topology.
    pub fn looks_up_routes(self) -> bool {
        matches!(self, HopRule::Relation(relation) if relation.of_routes)
    }

    /// Which of several hops a packet takes as it enters is decided by the loads of the outputs.
    pub fn reads_loads(self) -> bool {
        self == HopRule::Ugal
    }

    /// A packet may have to leave a router by the link that it came by: its escape leads back.
    pub fn turns_back(self) -> bool {
        self.looks_up_routes() && self.has_escapes()
    }

    /// Channels of the last routing class may be in circles, as packets in them may ask for others too.
    pub fn has_escapes(self) -> bool {
        matches!(self, HopRule::Relation(relation) if relation.has_escapes)
    }

    /// What a routing class is called.
    pub fn class_name(self, routing_class: u32) -> &'static str {
        match self {
            HopRule::Relation(relation) => relation.class_names[routing_class as usize],
            HopRule::Lines(_) => ["after the closing link", "before the closing link"][routing_class as usize],
            HopRule::Ugal => ["to the destination", "to the intermediate router"][routing_class as usize],
            HopRule::Tag => "to the port",
        }
    }
}

impl Serialize for HopRule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            HopRule::Relation(relation) => to.serialize_str(relation.key),
            HopRule::Lines(rule) => to.collect_str(&format_args!("{rule:?}Xy")),
            HopRule::Ugal => to.serialize_str("Ugal"),
            HopRule::Tag => to.serialize_str("Tag"),
        }
    }
}
