//! The pins of an [`open_loop`](super::open_loop()) in simulation.
//!
//! | pin | bits, from bit 0 |
//! |---|---|
//! | `tx<i>` | 1: a packet is shown; its tag; flits; destination; where both classes are sent 1: a reply |
//! | `inject<k>` | tag of the packet whose flit is on the injection channel |
//! | `eject<e>` | 1: tail; 1: head; VC; tag; payload: index of the flit, low bits of the tag |
//! | `whole<c>` | tag of the packet that a hub or a sink shows whole; flits from the first one on whose payload is as it was sent |
//! | `eject_credit<w>` | credits, a bit a VC, for so many ejection ports as fit in 64 bits |
//! | `places_free<w>` | a bit a terminal: a place in its injector is free again |
//! | `injecting<w>`, `ejecting<w>` | a bit a port: a head flit is on the injection channel, a flit is on the ejection channel |
//! | `arriving<w>` | a bit a port of whole packets: there is one |

use super::build::{OpenLoopParams, per_word};
use hdl::index_width;
use sim::{InputHandle, OutputHandle, SimError, Simulator};

/// Pins by handle, and where their fields are.
#[derive(Clone, Debug)]
pub struct Pins {
    tx: Vec<InputHandle>,
    inject: Vec<OutputHandle>,
    eject: Vec<OutputHandle>,
    eject_credit: Vec<InputHandle>,
    places_free: Vec<OutputHandle>,
    injecting: Vec<OutputHandle>,
    ejecting: Vec<OutputHandle>,
    whole: Vec<OutputHandle>,
    arriving: Vec<OutputHandle>,
    tag_bits: u32,
    flits_bits: u32,
    node_bits: u32,
    vc_bits: u32,
    vcs: u32,
    /// Of a flit's payload, those that tell its index and tag.
    payload_bits: u32,
}

/// A packet as it is shown to an injector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Its number among those on their way.
    pub tag: u32,
    /// Node that it goes to.
    pub dest: u32,
    /// Flits.
    pub flits: u32,
    /// It is a reply.
    pub reply: bool,
}

/// A flit on an ejection channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ejected {
    /// First of its packet.
    pub head: bool,
    /// Last of its packet.
    pub tail: bool,
    /// Virtual channel.
    pub vc: u32,
    /// Number of its packet.
    pub tag: u32,
    /// Which flit of its packet it is, as the payload says.
    pub index: u32,
    /// The payload tells the tag, too.
    pub intact: bool,
}

fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

impl Pins {
    /// Of a simulator of the hardware for `p`.
    pub fn new(simulator: &Simulator, p: &OpenLoopParams) -> Result<Self, SimError> {
        let (terminals, injections, ejections) = (p.terminals(), p.injections().len(), p.ejections().len());
        let format = p.fabric.network().format;
        let flits_bits = terminals.first().map_or(1, |&node| p.injector(node).flits_bits());
        let ports = terminals.iter().filter(|&&node| p.whole_at(node).receives).count();
        let terminals = terminals.len();
        let outputs = |name: &str, count: usize| {
            (0..count).map(|i| simulator.output(&format!("{name}{i}"))).collect::<Result<Vec<_>, _>>()
        };
        let inputs = |name: &str, count: usize| {
            (0..count).map(|i| simulator.input(&format!("{name}{i}"))).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            tx: inputs("tx", terminals)?,
            inject: outputs("inject", injections)?,
            eject: outputs("eject", ejections)?,
            eject_credit: inputs("eject_credit", ejections.div_ceil(per_word(p.most_vcs())))?,
            places_free: outputs("places_free", terminals.div_ceil(64))?,
            injecting: outputs("injecting", injections.div_ceil(64))?,
            ejecting: outputs("ejecting", ejections.div_ceil(64))?,
            whole: outputs("whole", ports)?,
            arriving: outputs("arriving", ports.div_ceil(64))?,
            tag_bits: p.tag_bits(),
            flits_bits,
            node_bits: format.node_bits,
            vc_bits: index_width(p.most_vcs() as usize),
            vcs: p.most_vcs(),
            payload_bits: format.width.min(flits_bits + p.tag_bits()),
        })
    }

    /// Packets on their way that can be told apart.
    pub fn tags(&self) -> u32 {
        1 << self.tag_bits
    }

    /// Shows a packet to the injector of a terminal, or none.
    pub fn show(&self, simulator: &mut Simulator, terminal: usize, packet: Option<Shown>) {
        let word = packet.map_or(0, |p| {
            let fields = [
                (1, 1),
                (u64::from(p.tag), self.tag_bits),
                (u64::from(p.flits), self.flits_bits),
                (u64::from(p.dest), self.node_bits),
                (u64::from(p.reply), 1),
            ];
            fields.iter().rev().fold(0, |word, (value, bits)| word << bits | value)
        });
        simulator.poke_at(self.tx[terminal], word);
    }

    /// Tag of the packet whose flit is on the injection channel.
    pub fn injected(&self, simulator: &mut Simulator, port: usize) -> u32 {
        simulator.peek_at(self.inject[port]) as u32
    }

    /// The flit on the ejection channel.
    pub fn ejected(&self, simulator: &mut Simulator, port: usize) -> Ejected {
        let word = simulator.peek_at(self.eject[port]);
        let (vc, rest) = (word >> 2 & mask(self.vc_bits), word >> (2 + self.vc_bits));
        let (tag, payload) = (rest & mask(self.tag_bits), rest >> self.tag_bits);
        let told = payload >> self.flits_bits & mask(self.payload_bits - self.flits_bits);
        Ejected {
            tail: word & 1 == 1,
            head: word >> 1 & 1 == 1,
            vc: vc as u32,
            tag: tag as u32,
            index: (payload & mask(self.flits_bits)) as u32,
            intact: told == tag & mask(self.payload_bits - self.flits_bits),
        }
    }

    /// The packet that a hub or a sink shows whole: its tag, and how many flits from the first one on are intact.
    pub fn arrived(&self, simulator: &mut Simulator, port: usize) -> (u32, u64) {
        let word = simulator.peek_at(self.whole[port]);
        ((word & mask(self.tag_bits)) as u32, word >> self.tag_bits)
    }

    /// Ports at which whole packets are shown.
    pub fn arriving(&self, simulator: &mut Simulator, each: impl FnMut(&mut Simulator, usize)) {
        set_bits(simulator, &self.arriving, each);
    }

    /// Words of [`give`](Self::give).
    pub fn credit_words(&self) -> usize {
        self.eject_credit.len()
    }

    /// The bit of a credit in these words.
    pub fn credit(&self, port: usize, vc: u32) -> (usize, u64) {
        let each = per_word(self.vcs);
        (port / each, 1 << ((port % each) as u32 * self.vcs + vc))
    }

    /// Gives credits.
    pub fn give(&self, simulator: &mut Simulator, words: &[u64]) {
        self.eject_credit.iter().zip(words).for_each(|(&pin, &word)| simulator.poke_at(pin, word));
    }

    /// Terminals of whose injectors a place is free again.
    pub fn places_free(&self, simulator: &mut Simulator, each: impl FnMut(&mut Simulator, usize)) {
        set_bits(simulator, &self.places_free, each);
    }

    /// Injection ports on whose channels a head flit is.
    pub fn injecting(&self, simulator: &mut Simulator, each: impl FnMut(&mut Simulator, usize)) {
        set_bits(simulator, &self.injecting, each);
    }

    /// Ejection ports on whose channels a flit is.
    pub fn ejecting(&self, simulator: &mut Simulator, each: impl FnMut(&mut Simulator, usize)) {
        set_bits(simulator, &self.ejecting, each);
    }
}

fn set_bits(simulator: &mut Simulator, words: &[OutputHandle], mut each: impl FnMut(&mut Simulator, usize)) {
    for (w, &pin) in words.iter().enumerate() {
        let mut word = simulator.peek_at(pin);
        while word != 0 {
            each(simulator, 64 * w + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
