//! Ports of a top module and their values in a cycle.

use super::error::LockstepError;
use hdl::{Bits, ModuleDef, NetId, words_for};
use sim::Edges;
use std::sync::Arc;

/// A port and its place in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowPort {
    /// As in the source.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// First 64-bit word in the row.
    pub at: usize,
}

/// Ports of one direction, in the order of the module; each takes whole 64-bit words of a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ports {
    /// The ports.
    pub list: Vec<RowPort>,
    /// 64-bit words of a row.
    pub words: usize,
}

impl Ports {
    pub(super) fn of(module: &ModuleDef, nets: &[NetId]) -> Arc<Self> {
        let mut ports = Ports::default();
        for &net in nets {
            let net = module.net(net);
            ports.list.push(RowPort { name: net.name.clone(), width: net.width, at: ports.words });
            ports.words += words_for(net.width);
        }
        Arc::new(ports)
    }

    /// Position of the port called `name` in the list.
    ///
    /// # Panics
    /// When there is none: a stimulus for another module.
    #[track_caller]
    pub fn position(&self, name: &str) -> usize {
        let names = || self.list.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        self.list
            .iter()
            .position(|p| p.name == name)
            .unwrap_or_else(|| panic!("there is no port `{name}`; there are {}", names()))
    }
}

/// One value for every port of a direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    ports: Arc<Ports>,
    words: Vec<u64>,
}

impl Values {
    /// All zero.
    pub fn zero(ports: &Arc<Ports>) -> Self {
        Self { ports: ports.clone(), words: vec![0; ports.words] }
    }

    /// The ports.
    pub fn ports(&self) -> &Arc<Ports> {
        &self.ports
    }

    /// All ports one after the other, each in whole little-endian 64-bit words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Value of the port at a position of the list.
    pub fn at(&self, position: usize) -> Bits {
        let port = &self.ports.list[position];
        Bits::from_words(port.width, &self.words[port.at..port.at + words_for(port.width)])
    }

    /// Sets the port at a position of the list; bits above its width are dropped.
    pub fn set_at(&mut self, position: usize, value: &Bits) {
        let port = &self.ports.list[position];
        let value = Bits::from_words(port.width, value.words());
        self.words[port.at..port.at + words_for(port.width)].copy_from_slice(value.words());
    }

    /// Low 64 bits of a port. Panics when there is no such port, as all access by name.
    #[track_caller]
    pub fn get(&self, name: &str) -> u64 {
        self.words[self.ports.list[self.ports.position(name)].at]
    }

    /// Value of a port.
    #[track_caller]
    pub fn bits(&self, name: &str) -> Bits {
        self.at(self.ports.position(name))
    }

    /// Sets a port; bits above its width are dropped.
    #[track_caller]
    pub fn set(&mut self, name: &str, value: u64) {
        self.set_at(self.ports.position(name), &Bits::new(64, value));
    }

    /// Sets a port of any width; bits above its width are dropped.
    #[track_caller]
    pub fn set_bits(&mut self, name: &str, value: &Bits) {
        self.set_at(self.ports.position(name), value);
    }
}

/// A clock edge, or simultaneous edges of several clocks, and what the ports carried before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockstepRow {
    /// Reset is high, in all domains.
    pub reset: bool,
    /// The domains that have an edge.
    pub edges: Edges,
    /// Inputs.
    pub inputs: Values,
    /// Outputs, settled.
    pub outputs: Values,
}

impl LockstepRow {
    /// Reset in the lowest bit, above it a bit for each domain that has an edge: the first word of a row that a model reads.
    pub(super) fn control(&self) -> u64 {
        self.edges.bits() << 1 | u64::from(self.reset)
    }
}

/// Takes the rows of a run, one a clock cycle (with several clocks: one an instant at which one of them has an edge).
pub trait RowSink {
    /// Takes a row; false: no more are wanted, as a difference has been found.
    fn row(&mut self, row: &LockstepRow) -> Result<bool, LockstepError>;
}

/// A run kept in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// Input ports.
    pub inputs: Arc<Ports>,
    /// Output ports.
    pub outputs: Arc<Ports>,
    /// In order.
    pub rows: Vec<LockstepRow>,
}

impl Recording {
    /// Empty, for a top module.
    pub fn new(top: &ModuleDef) -> Self {
        Self { inputs: Ports::of(top, &top.inputs), outputs: Ports::of(top, &top.outputs), rows: vec![] }
    }

    /// Feeds all rows to `sink`.
    pub fn replay(&self, sink: &mut dyn RowSink) -> Result<(), LockstepError> {
        for row in &self.rows {
            if !sink.row(row)? {
                break;
            }
        }
        Ok(())
    }
}

impl RowSink for Recording {
    fn row(&mut self, row: &LockstepRow) -> Result<bool, LockstepError> {
        self.rows.push(row.clone());
        Ok(true)
    }
}
