//! *Behavioural*: sinks. They take a flit a cycle and ejection port, give its credit back in the next cycle, and check what comes out: whole
//! packets, their flits in order and not mixed with others of the same VC, at the right node, each once.

use super::{
    flight::{Flight, Underway},
    pins::{Ejected, Pins},
};
use sim::Simulator;

/// The sinks of all nodes.
pub struct Sinks {
    /// Node of each ejection port.
    nodes: Vec<u32>,
    /// By ejection port and VC: the packet that is coming out.
    open: Vec<Option<u32>>,
    vcs: u32,
    /// Credits of the flits of the last cycle.
    owed: Vec<u64>,
    /// Some credit is on its wire.
    giving: bool,
}

impl Sinks {
    /// At ejection ports of these nodes.
    pub fn new(nodes: Vec<u32>, vcs: u32, pins: &Pins) -> Self {
        let open = vec![None; nodes.len() * vcs as usize];
        Self { nodes, open, vcs, owed: vec![0; pins.credit_words()], giving: false }
    }

    /// Gives the credits of the last cycle's flits.
    pub fn give(&mut self, simulator: &mut Simulator, pins: &Pins) {
        let owing = self.owed.iter().any(|word| *word != 0);
        if owing || self.giving {
            pins.give(simulator, &self.owed);
            self.owed.fill(0);
        }
        self.giving = owing;
    }

    /// Takes a flit. The result is its packet when it is its last; an error when the network has not kept its promises.
    pub fn take(
        &mut self,
        flight: &mut Flight,
        pins: &Pins,
        port: usize,
        flit: Ejected,
    ) -> Result<Option<Underway>, String> {
        let Ejected { head, tail, vc, tag, index, intact } = flit;
        let (word, bit) = pins.credit(port, vc);
        self.owed[word] |= bit;
        let node = self.nodes[port];
        let wrong = |what: &str| Err(format!("node {node}, VC {vc}: {what}: {flit:?}"));
        let open = &mut self.open[port * self.vcs as usize + vc as usize];
        if head != open.is_none() {
            return wrong("a packet starts with a head flit and has no other");
        }
        if *open.get_or_insert(tag) != tag || !intact {
            return wrong("a flit of another packet");
        }
        if tail {
            *open = None;
        }
        let Some(underway) = flight.at(tag) else { return wrong("no such packet is on its way") };
        if underway.packet.dest != node {
            return wrong(&format!("the packet goes to node {}", underway.packet.dest));
        }
        if underway.arrived != index || tail != (index + 1 == underway.packet.flits) {
            return wrong(&format!("of {} flits, {} came before", underway.packet.flits, underway.arrived));
        }
        if underway.injected.is_none() {
            return wrong("it was never on an injection channel");
        }
        underway.arrived += 1;
        Ok(if tail { flight.end(tag) } else { None })
    }

    /// Takes a packet that is shown whole at a node; `intact`: flits that are as they were sent. The result is the packet; an error when the network has not
    /// kept its promises.
    pub fn take_whole(flight: &mut Flight, node: u32, tag: u32, intact: u64) -> Result<Option<Underway>, String> {
        let wrong = |what: &str| Err(format!("node {node}, packet {tag}: {what}"));
        let Some(underway) = flight.at(tag) else { return wrong("no such packet is on its way") };
        if underway.packet.dest != node {
            return wrong(&format!("the packet goes to node {}", underway.packet.dest));
        }
        if intact < u64::from(underway.packet.flits) {
            return wrong(&format!("flit {intact} is not the one that was sent"));
        }
        if underway.injected.is_none() {
            return wrong("it was never on an injection channel");
        }
        underway.arrived = underway.packet.flits;
        Ok(flight.end(tag))
    }
}
