//! The connectivity matrix: which input of a router may send to which output.
//!
//! ```text
//!            north east south west inject0        north east south west inject0
//!   north      .     1    1     1     1    north    .     .    1     .     1
//!   east       1     .    1     1     1    east     .     .    .     1     1
//!   south      1     1    .     1     1    south    1     .    .     .     1
//!   west       1     1    1     .     1    west     .     1    .     .     1
//!   eject0     1     1    1     1     1    eject0   1     1    1     1     1
//!                 full router                            half-router
//! ```
//!
//! It is the only description of full, half, edge and multi-port routers: arbiters, multiplexers and VC state exist
//! only where the matrix has a one. A row of the switch is a switch input; an input port has one, or several with a
//! speedup, and one link or several ([`InputPort`]). Source of the half-router and of several terminal ports: A.
//! Bakhoda, *Designing Network-on-Chips for Throughput Accelerators* (thesis, 2014), sections 5.1 and 5.3.

use super::{NocError, direction::letters};
pub use super::{
    direction::Direction,
    ports::{Input, InputPort, Output, Ports},
};
use hdl::{Parameters, params};
use serde::{Serialize, Serializer};

/// `allowed[output][input]` with named ports.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Connectivity {
    inputs: Vec<Input>,
    /// By input.
    ports: Vec<InputPort>,
    outputs: Vec<Output>,
    #[serde(serialize_with = "serialize_rows")]
    allowed: Vec<Vec<bool>>,
}

impl Connectivity {
    /// The matrix that has a one where `allowed` says so.
    pub fn new(ports: &Ports, allowed: impl Fn(Input, Output) -> bool) -> Self {
        let mut links = ports.links.clone();
        links.sort();
        let inputs = links.iter().copied().map(Input::From).chain((0..ports.injects).map(Input::Inject)).collect();
        let outputs = links.into_iter().map(Output::To).chain((0..ports.ejects).map(Output::Eject)).collect();
        Self::of(inputs, outputs, allowed)
    }

    /// The same of any ports.
    pub fn of(inputs: Vec<Input>, outputs: Vec<Output>, allowed: impl Fn(Input, Output) -> bool) -> Self {
        let allowed = outputs.iter().map(|&o| inputs.iter().map(|&i| allowed(i, o)).collect()).collect();
        Self { ports: vec![InputPort::default(); inputs.len()], inputs, outputs, allowed }
    }

    /// Full router: every input to every output but back to where it came from.
    pub fn full(ports: &Ports) -> Self {
        Self::new(ports, |input, output| match (input, output) {
            (Input::From(from), Output::To(to)) => from != to,
            _ => true,
        })
    }

    /// Half-router: straight on, from every injection port to everywhere, from everywhere to every ejection port.
    pub fn half(ports: &Ports) -> Self {
        Self::new(ports, |input, output| match (input, output) {
            (Input::From(from), Output::To(to)) => from.opposite() == to,
            _ => true,
        })
    }

    /// Input ports in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The same with input ports that have what `port` says.
    pub fn with_ports(self, port: impl Fn(Input) -> InputPort) -> Self {
        let ports = self.inputs.iter().map(|&input| port(input)).collect();
        Self { ports, ..self }
    }

    /// The same with at least so many switch inputs at every port.
    pub fn with_speedup(self, switch_inputs: u32) -> Self {
        let more = |port: InputPort| InputPort { switch_inputs: port.switch_inputs.max(switch_inputs), ..port };
        Self { ports: self.ports.into_iter().map(more).collect(), ..self }
    }

    /// What input number `input` has of its own.
    pub fn port(&self, input: usize) -> InputPort {
        self.ports[input]
    }

    /// Switch inputs of input number `input`.
    pub fn switch_inputs(&self, input: usize) -> u32 {
        self.ports[input].switch_inputs
    }

    /// Rows of the switch: each is a switch input, as (number of the input, number among its switch inputs).
    pub fn switch_rows(&self) -> Vec<(usize, u32)> {
        (0..self.inputs.len()).flat_map(|i| (0..self.switch_inputs(i)).map(move |s| (i, s))).collect()
    }

    /// Switch inputs that may send to output number `output`.
    pub fn switch_inputs_of(&self, output: usize) -> u32 {
        self.inputs_of(output).into_iter().map(|i| self.switch_inputs(i)).sum()
    }

    /// Output ports in order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// True when input number `input` may send to output number `output`.
    pub fn allows(&self, input: usize, output: usize) -> bool {
        self.allowed[output][input]
    }

    /// Numbers of the outputs that input number `input` may send to, in order.
    pub fn outputs_of(&self, input: usize) -> Vec<usize> {
        (0..self.outputs.len()).filter(|&o| self.allows(input, o)).collect()
    }

    /// Numbers of the inputs that may send to output number `output`, in order.
    pub fn inputs_of(&self, output: usize) -> Vec<usize> {
        (0..self.inputs.len()).filter(|&i| self.allows(i, output)).collect()
    }

    /// True when there is a turn between two of its links that it cannot make.
    pub fn is_half(&self) -> bool {
        self.outputs.iter().enumerate().any(|(o, &output)| {
            self.inputs.iter().enumerate().any(|(i, &input)| match (input, output) {
                (Input::From(from), Output::To(to)) => from != to && from.opposite() != to && !self.allows(i, o),
                _ => false,
            })
        })
    }

    /// Every port has a partner.
    pub fn check(&self) -> Result<(), NocError> {
        for (i, input) in self.inputs.iter().enumerate() {
            if self.outputs_of(i).is_empty() {
                return Err(NocError::Unconnected { at: None, port: format!("input {input}") });
            }
        }
        for (o, output) in self.outputs.iter().enumerate() {
            if self.inputs_of(o).is_empty() {
                return Err(NocError::Unconnected { at: None, port: format!("output {output}") });
            }
        }
        Ok(())
    }

    /// Every point of the matrix: may this input send to this output?
    pub fn points(&self) -> impl Iterator<Item = (Input, Output, bool)> + '_ {
        let row = move |(o, &output)| {
            self.inputs.iter().enumerate().map(move |(i, &input)| (input, output, self.allows(i, o)))
        };
        self.outputs.iter().enumerate().flat_map(row)
    }

    /// For the parameters of a router: its links, terminal ports, and turns, which are `full`, `half`, `all` or the rows of the matrix in
    /// hexadecimal.
    pub fn parameters(&self) -> Parameters {
        let ins: Vec<_> =
            self.inputs.iter().filter_map(|i| if let Input::From(d) = i { Some(*d) } else { None }).collect();
        let outs: Vec<_> =
            self.outputs.iter().filter_map(|o| if let Output::To(d) = o { Some(*d) } else { None }).collect();
        let links = if ins == outs { letters(&ins) } else { format!("{} to {}", letters(&ins), letters(&outs)) };
        let ports = Ports {
            injects: (self.inputs.len() - ins.len()) as u32,
            ejects: (self.outputs.len() - outs.len()) as u32,
            links: ins,
        };
        let turns = if self.allowed == Self::full(&ports).allowed {
            "full".to_string()
        } else if self.allowed == Self::half(&ports).allowed {
            "half".to_string()
        } else {
            self.turns_of(0)
        };
        params! { links, inject: ports.injects, eject: ports.ejects, turns }
    }

    /// The same of ports without names, for blocks that number them: how many, and `full` (the first so many inputs do not go back to the output
    /// of their number), `all` or the rows in hexadecimal.
    pub fn numbered_parameters(&self) -> Parameters {
        let (inputs, outputs) = (self.inputs.len(), self.outputs.len());
        let without_return =
            |links: usize| (0..outputs).all(|o| (0..inputs).all(|i| self.allows(i, o) != (i == o && i < links)));
        let turns = self.turns_of((0..=inputs.min(outputs)).find(|&links| without_return(links)).unwrap_or(0));
        params! { inputs, outputs, turns }
    }

    /// Switch inputs of each input, where an input has more than one.
    pub fn switch_speedup(&self) -> Vec<u32> {
        let all: Vec<_> = self.ports.iter().map(|port| port.switch_inputs).collect();
        if all.iter().all(|count| *count == 1) { vec![] } else { all }
    }

    /// The points of the matrix: `full` with so many `links`, `all`, or its rows.
    fn turns_of(&self, links: usize) -> String {
        match links {
            0 if self.allowed.iter().flatten().all(|allowed| *allowed) => "all".to_string(),
            0 => rows(&self.allowed),
            links => format!("full{links}"),
        }
    }

    /// Numbers of the inputs whose packets may have a priority.
    pub fn priority_inputs(&self) -> Vec<usize> {
        (0..self.inputs.len()).filter(|&i| self.ports[i].priority).collect()
    }

    /// These inputs, and the outputs that they may send to; their packets have no priority.
    pub fn part(&self, inputs: &[usize]) -> Self {
        let outputs = (0..self.outputs.len()).filter(|&o| inputs.iter().any(|&i| self.allows(i, o)));
        let outputs: Vec<_> = outputs.collect();
        let row = |&o: &usize| inputs.iter().map(|&i| self.allows(i, o)).collect();
        Self {
            inputs: inputs.iter().map(|&i| self.inputs[i]).collect(),
            ports: inputs.iter().map(|&i| InputPort { priority: false, ..self.ports[i] }).collect(),
            allowed: outputs.iter().map(row).collect(),
            outputs: outputs.into_iter().map(|o| self.outputs[o]).collect(),
        }
    }
}

/// A row for each output, an input a bit, in hexadecimal.
fn rows(allowed: &[Vec<bool>]) -> String {
    let row = |bits: &Vec<bool>| {
        let digits = bits.chunks(4).map(|four| four.iter().rev().fold(0u32, |n, &bit| n << 1 | u32::from(bit)));
        let text: String = digits.rev().map(|digit| format!("{digit:x}")).collect();
        format!("x{}", text.trim_start_matches('0'))
    };
    allowed.iter().map(row).collect()
}

fn serialize_rows<S: Serializer>(allowed: &[Vec<bool>], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&rows(allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(parameters: &Parameters) -> String {
        parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_half_router_is_four_two_to_one_and_one_four_to_one() {
        let half = Connectivity::half(&Ports::interior());
        let rows: Vec<_> = (0..5).map(|o| half.inputs_of(o).len()).collect();
        assert_eq!(rows, [2, 2, 2, 2, 5]); // the fifth input of the ejection port is the own injection port
        assert_eq!(text(&half.parameters()), "links=nesw inject=1 eject=1 turns=half");
    }

    #[test]
    fn a_full_router_has_no_turn_back() {
        let full = Connectivity::full(&Ports::interior());
        assert!((0..4).all(|i| !full.allows(i, i)));
        assert_eq!((0..5).map(|i| full.outputs_of(i).len()).collect::<Vec<_>>(), [4, 4, 4, 4, 5]);
        full.check().expect("every port has a partner");
    }

    /// Blocks that number their ports are the same for ports of other names, and only for the same points.
    #[test]
    fn a_matrix_of_numbered_ports_is_short() {
        let full = |links: &[Direction], injects| {
            text(&Connectivity::full(&Ports { links: links.to_vec(), injects, ejects: 1 }).numbered_parameters())
        };
        let [north, east, south, west] = Direction::ALL;
        assert_eq!(full(&[north, east], 1), "inputs=3 outputs=3 turns=full2");
        assert_eq!(full(&[south, west], 1), "inputs=3 outputs=3 turns=full2");
        assert_eq!(full(&[north, east, south, west], 2), "inputs=6 outputs=5 turns=full4");
        assert_eq!(full(&[], 2), "inputs=2 outputs=1 turns=all");
        let half = |links: &[Direction]| {
            text(&Connectivity::half(&Ports { links: links.to_vec(), injects: 1, ejects: 1 }).numbered_parameters())
        };
        assert_eq!(half(&[north, east, south]), "inputs=4 outputs=4 turns=xcx8x9xf");
        assert_eq!(half(&[north, east, west]), "inputs=4 outputs=4 turns=x8xcxaxf");
        assert_eq!(half(&[north, south]), "inputs=3 outputs=3 turns=full2");
    }

    #[test]
    fn a_port_without_partner_is_an_error() {
        let none = Connectivity::new(&Ports::interior(), |_, output| output != Output::To(Direction::East));
        let error = none.check().expect_err("nothing reaches the east").to_string();
        assert_eq!(error, "output east is connected to nothing");
    }
}
