//! The tables of a router whose routing relation has no compact form: inputs that are tied to constants in its place.
//!
//! ```text
//!   table_class2_east (nodes) -----------> route units of all inputs           a relation that does not look at the input
//!   from_north_table_class2_east (nodes) -> route unit of the input north       one that does
//! ```

use super::{RouterParams, RouterPorts};
use crate::{Direction, Input, routing::Hop};
use hdl::{Bits, Signal};

/// Tables, by the port of a route unit.
type Tables<'m> = Vec<(String, Signal<'m>)>;

/// The inputs for the tables of a router.
pub(super) struct TableInputs<'m> {
    /// By input, or for all of them.
    tables: Vec<(Option<Input>, Tables<'m>)>,
}

impl<'m> TableInputs<'m> {
    /// An input for each table that route units look up: where the relation looks at the input of a packet, for each.
    pub fn new(p: &RouterParams, io: RouterPorts<'m>) -> Self {
        let Some(relation) = p.network.routing.rule().table() else { return Self { tables: vec![] } };
        let of = |input: Option<Input>| {
            let prefix = prefix(input);
            let ports = relation.table_ports(&p.hops_of(input)).into_iter();
            (input, ports.map(|port| (port.clone(), io.table(format!("{prefix}{port}")))).collect())
        };
        Self { tables: p.with_tables().into_iter().map(of).collect() }
    }

    /// Those of an input.
    pub fn of(&self, input: Input) -> &[(String, Signal<'m>)] {
        let own = |(known, _): &&(Option<Input>, _)| known.is_none_or(|known| known == input);
        self.tables.iter().find(own).map_or(&[], |(_, tables)| tables)
    }
}

/// What is before the names of the tables of an input.
fn prefix(input: Option<Input>) -> String {
    input.map_or(String::new(), |input| format!("from_{input}_"))
}

/// The neighbour at an input.
pub(super) fn neighbour(input: Input) -> Option<Direction> {
    if let Input::From(from) = input { Some(from) } else { None }
}

impl RouterParams {
    /// Inputs that have tables of their own, or all together.
    fn with_tables(&self) -> Vec<Option<Input>> {
        match self.network.routing.rule().reads_from() {
            true => self.connectivity.inputs().iter().copied().map(Some).collect(),
            false => vec![None],
        }
    }

    /// Hops to its outputs, or to those that an input may send to, each once.
    fn hops_of(&self, input: Option<Input>) -> Vec<Hop> {
        let matrix = &self.connectivity;
        let reaches = |i: usize| input.is_none_or(|input| matrix.inputs()[i] == input);
        let reached = |o: &usize| matrix.inputs_of(*o).into_iter().any(reaches);
        let mut hops: Vec<_> =
            (0..matrix.outputs().len()).filter(reached).map(|o| Hop::to(matrix.outputs()[o])).collect();
        hops.dedup();
        hops
    }

    /// Names of the inputs for its tables.
    pub(super) fn table_ports(&self) -> Vec<String> {
        let Some(relation) = self.network.routing.rule().table() else { return vec![] };
        let of = |input: Option<Input>| {
            let ports = relation.table_ports(&self.hops_of(input));
            ports.into_iter().map(move |port| format!("{}{port}", prefix(input)))
        };
        self.with_tables().into_iter().flat_map(of).collect()
    }

    /// What inputs a router at `place` has tied to constants, where its route units look up tables.
    pub fn tables(&self, place: (u32, u32)) -> Vec<(String, Bits)> {
        let Some(relation) = self.network.routing.rule().table() else { return vec![] };
        let of = |input: Option<Input>| {
            let tables = relation.tables(&self.addressing, place, input.and_then(neighbour), &self.hops_of(input));
            tables.into_iter().map(move |(port, table)| (format!("{}{port}", prefix(input)), table))
        };
        self.with_tables().into_iter().flat_map(of).collect()
    }
}
