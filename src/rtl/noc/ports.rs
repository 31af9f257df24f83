//! Ports of a router: inputs and outputs, and what an input has of its own.

use super::direction::{Direction, letters};
use hdl::PortName;
use serde::{Serialize, Serializer};
use std::fmt;

/// An input port: the channel from a neighbour, or an injection port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Input {
    /// From the neighbour in this direction.
    From(Direction),
    /// From a terminal.
    Inject(u32),
}

/// An output port: the channel to a neighbour, or an ejection port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Output {
    /// To the neighbour in this direction.
    To(Direction),
    /// To a terminal.
    Eject(u32),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::From(direction) => direction.fmt(f),
            Input::Inject(i) => write!(f, "inject{i}"),
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Output::To(direction) => direction.fmt(f),
            Output::Eject(i) => write!(f, "eject{i}"),
        }
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl PortName for Input {
    fn append_to(&self, out: &mut String) {
        self.to_string().append_to(out);
    }
}

impl PortName for Output {
    fn append_to(&self, out: &mut String) {
        self.to_string().append_to(out);
    }
}

/// What an input port has of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
pub struct InputPort {
    /// Switch inputs (input speedup): flits of different VCs that may leave in one cycle, to different outputs; VC v leaves by switch input
    /// `v mod switch_inputs`. Divides the VCs.
    pub switch_inputs: u32,
    /// VC links: flits of different VCs that may come in one cycle; VC v comes on link `v mod links`. Divides the VCs.
    pub links: u32,
    /// Its packets may have a priority.
    pub priority: bool,
}

impl Default for InputPort {
    fn default() -> Self {
        Self { switch_inputs: 1, links: 1, priority: false }
    }
}

impl InputPort {
    /// Of one link.
    pub fn with_switch_inputs(switch_inputs: u32) -> Self {
        Self { switch_inputs, ..Self::default() }
    }

    /// Flit buffers: so many that each is written by one link and read by one switch input.
    pub fn buffers(self) -> u32 {
        let Self { switch_inputs, links, .. } = self;
        (1..=switch_inputs).map(|n| n * links).find(|n| n.is_multiple_of(switch_inputs)).unwrap_or(links)
    }
}

/// The ports of a router, from which the usual matrices are made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ports {
    /// Directions in which there is a neighbour.
    pub links: Vec<Direction>,
    /// Injection ports.
    pub injects: u32,
    /// Ejection ports.
    pub ejects: u32,
}

impl Ports {
    /// Four neighbours, one injection and one ejection port.
    pub fn interior() -> Self {
        Self { links: Direction::ALL.to_vec(), injects: 1, ejects: 1 }
    }
}

/// Output ports, short: `nesw eject0`.
pub(super) fn shown_outputs(outputs: &[Output]) -> String {
    let links: Vec<_> = outputs.iter().filter_map(|o| if let Output::To(d) = o { Some(*d) } else { None }).collect();
    let ejects: Vec<_> =
        outputs.iter().filter_map(|o| if let Output::Eject(i) = o { Some(*i) } else { None }).collect();
    let ejects = match ejects[..] {
        [first, .., last] if ejects.len() > 4 && last - first + 1 == ejects.len() as u32 => {
            format!("eject{first} to {last}")
        }
        _ => ejects.iter().map(|port| format!("eject{port}")).collect::<Vec<_>>().join(" "),
    };
    [letters(&links), ejects].join(" ").trim().to_string()
}
