//! Dynamic energy of logic: what toggles behind the nets that a simulation has seen change.
//!
//! ```text
//!   BlockActivity: bit toggles of every net, writes --+
//!   netlist: gates and pins of every net -------------+--> gates, pins, flip-flops that toggled --energy of each--> J
//! ```
//!
//! The simulated design has a net for each operator ([`Design::with_operator_nets`]). Of the gates of an operator as
//! large a part toggles as of the bits of its value; reads of memories and shifts count by their pins alone. Each bit
//! also charges the input pins of gates that it drives: one of a gate, as many as a multiplexer has bits where it
//! selects, as many as there are words where it may be written to a memory. Half of the bits that are written into a
//! small memory are others than before. Arrays are not in it ([`mod@super::arrays`]), nor is the clock
//! ([`mod@super::inventory`]), nor are glitches: nets change once a cycle here.

use super::{
    LeafCosts,
    operator_leaves::OperatorLeaves,
    structure::{Counting, Used},
};
use hdl::{BinaryOp, ExprId, ModuleDef, NetKind, Op, UnaryOp};
use netlist::Design;
use sim::BlockActivity;
use std::ops::AddAssign;

/// What costs about as much each time that it toggles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToggleKind {
    /// Gate equivalents of AND, OR, NOT, multiplexers.
    Logic,
    /// Of sums, products, comparisons, XOR.
    Arithmetic,
    /// Input pins of gates that a bit drives.
    Pin,
    /// Input pins of the words of small memories.
    WritePin,
    /// Bits of flip-flops.
    FlipFlop,
}

/// Kinds.
pub const TOGGLE_KINDS: usize = 5;

/// Of each kind, fJ, in IHP's SG13G2 at 130 nm and 1.2 V: energy inside of cells and switching of their pins, without wires. Fitted
/// to blocks that Yosys mapped and Icarus simulated, of `gate_power.csv`: `cargo bench --bench gate_power`.
pub const TOGGLE_FJ_130: [f64; TOGGLE_KINDS] = [3.8, 1.2, 1.4, 10.0, 65.0];

/// What toggled, by kind, of all instances and edges together.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Toggled(pub [f64; TOGGLE_KINDS]);

impl Toggled {
    /// Energy, J.
    pub fn energy_j(&self, leaf: &LeafCosts) -> f64 {
        self.fj(&leaf.toggle_fj) * 1e-15
    }

    /// With so many fJ of each kind.
    fn fj(&self, each: &[f64; TOGGLE_KINDS]) -> f64 {
        self.0.iter().zip(each).map(|(count, fj)| count * fj).sum()
    }

    fn add(&mut self, kind: ToggleKind, count: f64) {
        self.0[kind as usize] += count;
    }

    fn times(&self, factor: f64) -> Self {
        Self(self.0.map(|count| count * factor))
    }
}

impl AddAssign for Toggled {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, one)| *sum += one);
    }
}

/// What hangs on the nets of a design.
#[derive(Clone, Debug)]
pub struct ToggleLoads {
    modules: Vec<ModuleLoads>,
}

/// Of one module.
#[derive(Clone, Debug)]
struct ModuleLoads {
    /// Per net: what toggles with a bit of it.
    nets: Vec<Toggled>,
    /// Per write port: with a write.
    writes: Vec<Toggled>,
}

impl ToggleLoads {
    /// Of all modules of a design whose switching activity is counted.
    pub fn new(design: &Design, counting: &Counting) -> Self {
        let design = design.with_operator_nets();
        Self { modules: design.modules.iter().map(|elaborated| module_loads(&elaborated.module, counting)).collect() }
    }

    /// What toggled in blocks of this design.
    pub fn of(&self, block: &BlockActivity) -> Toggled {
        let mut sum = Toggled::default();
        for &(module, net, bits) in &block.nets {
            sum += self.modules[module].nets[net.index()].times(bits as f64);
        }
        for &(module, port, count) in &block.writes {
            sum += self.modules[module].writes[port].times(count as f64);
        }
        sum
    }
}

fn module_loads(module: &ModuleDef, counting: &Counting) -> ModuleLoads {
    let used = Used::of(module);
    let Used { exprs, nets, memories, .. } = &used;
    let pins = driven_pins(module, counting, exprs, memories);
    let operators = OperatorLeaves::new(module, &used);
    let mut known = vec![false; module.exprs.len()];
    let load = |id: usize| {
        let mut load = Toggled::default();
        if nets[id] {
            load += pins.of_nets[id];
            load.add(ToggleKind::FlipFlop, f64::from(matches!(module.nets[id].kind, NetKind::Register { .. })));
        }
        // Of the nets that an operator drives one stands for it.
        let driver = module.drivers[id].filter(|_| !matches!(module.nets[id].kind, NetKind::Register { .. }));
        if let Some(driver) = driver.filter(|driver| exprs[driver.index()] && module.expr(*driver).op.takes_gates())
            && !std::mem::replace(&mut known[driver.index()], true)
        {
            let kind = match module.expr(driver).op {
                // A bit has gone through few of their multiplexers; what selects drives all of them.
                Op::MemRead { .. }
                | Op::SliceAt { .. }
                | Op::Binary(BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS, ..) => None,
                Op::Unary(UnaryOp::Parity, _) => Some(ToggleKind::Arithmetic),
                Op::Binary(BinaryOp::And | BinaryOp::Or, ..) | Op::Unary(..) | Op::Mux { .. } => {
                    Some(ToggleKind::Logic)
                }
                _ => Some(ToggleKind::Arithmetic),
            };
            if let Some(kind) = kind {
                load.add(kind, operators.of(driver).gates() / f64::from(module.expr(driver).width));
            }
            // The pins behind a shift or a part by a constant are those of its operand.
            if !is_wiring(module, driver) {
                load += pins.of_operators[driver.index()];
            }
        }
        load
    };
    let loads = (0..nets.len()).map(load).collect();
    let write = |port: &hdl::WritePort| {
        let memory = &module.memories[port.memory.index()];
        let counts = memories[port.memory.index()] && !counting.is_array(memory.depth as u64 * u64::from(memory.width));
        let mut load = Toggled::default();
        load.add(ToggleKind::FlipFlop, if counts { f64::from(memory.width) / 2.0 } else { 0.0 });
        load
    };
    ModuleLoads { nets: loads, writes: module.writes.iter().map(write).collect() }
}

/// A shift or a part by a constant.
fn is_wiring(module: &ModuleDef, id: ExprId) -> bool {
    let constant = |id: ExprId| matches!(module.expr(id).op, Op::Const(_));
    match module.expr(id).op {
        Op::Binary(BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS, _, by) => constant(by),
        Op::SliceAt { offset, .. } => constant(offset),
        _ => false,
    }
}

/// Pins that a bit drives, mean over the bits.
struct DrivenPins {
    /// Per net, where it is read.
    of_nets: Vec<Toggled>,
    /// Per expression, where it is used as it is.
    of_operators: Vec<Toggled>,
}

/// Operands stand before what they are operands of.
fn driven_pins(module: &ModuleDef, counting: &Counting, exprs: &[bool], memories: &[bool]) -> DrivenPins {
    let width = |id: ExprId| f64::from(module.exprs[id.index()].width);
    let constant = |id: ExprId| matches!(module.exprs[id.index()].op, Op::Const(_));
    let mut pins = vec![Toggled::default(); module.exprs.len()];
    let mut nets = vec![Toggled::default(); module.nets.len()];
    let flip_flops = |memory: usize| {
        let about = &module.memories[memory];
        let (depth, width) = (about.depth as f64, f64::from(about.width));
        (memories[memory] && !counting.is_array(about.depth as u64 * u64::from(about.width))).then_some((depth, width))
    };
    for (id, net) in module.nets.iter().enumerate() {
        if let (NetKind::Register { .. }, Some(driver)) = (&net.kind, module.drivers[id])
            && exprs[driver.index()]
        {
            pins[driver.index()].add(ToggleKind::Pin, 1.0);
        }
    }
    for port in &module.writes {
        if let Some((depth, _)) = flip_flops(port.memory.index()) {
            let all = [port.enable, port.address, port.data].into_iter().chain(port.mask);
            all.for_each(|operand| pins[operand.index()].add(ToggleKind::WritePin, depth));
        }
    }
    for id in (0..module.exprs.len()).rev().filter(|id| exprs[*id]) {
        let (expr, here) = (&module.exprs[id], pins[id]);
        let own = f64::from(expr.width);
        let mut wires = |operand: ExprId, part: f64| pins[operand.index()] += here.times(part);
        match &expr.op {
            Op::Net(net) => nets[net.index()] += here,
            Op::Slice { value, .. } => wires(*value, own / width(*value)),
            Op::SliceAt { value, offset } if constant(*offset) => wires(*value, own / width(*value)),
            Op::Concat(parts) => parts.iter().for_each(|part| wires(*part, 1.0)),
            Op::Unary(UnaryOp::ZeroExtend, a) => wires(*a, 1.0),
            Op::Unary(UnaryOp::SignExtend, a) => wires(*a, own / width(*a)),
            Op::Binary(BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS, a, b) if constant(*b) => wires(*a, 1.0),
            _ => {}
        }
        let mut drives = |operand: ExprId, each: f64| pins[operand.index()].add(ToggleKind::Pin, each);
        match &expr.op {
            Op::Const(_) | Op::Net(_) | Op::Slice { .. } | Op::Concat(_) => {}
            Op::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, _) => {}
            Op::Unary(_, a) => drives(*a, 1.0),
            Op::Binary(BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS, a, b) => {
                if !constant(*b) {
                    drives(*a, 2.0);
                    drives(*b, width(*a));
                }
            }
            Op::Binary(op, a, b) => {
                let each = match op {
                    BinaryOp::Mul => width(*a),
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor | BinaryOp::Eq | BinaryOp::Ne => 2.0,
                    _ => 1.0,
                };
                let each = if constant(*a) || constant(*b) { 1.0 } else { each };
                drives(*a, each);
                drives(*b, each);
            }
            Op::Mux { select, then, otherwise } => {
                drives(*select, own);
                drives(*then, 1.0);
                drives(*otherwise, 1.0);
            }
            Op::SliceAt { value, offset } => {
                if !constant(*offset) {
                    drives(*value, 1.0);
                    drives(*offset, width(*value) / width(*offset));
                }
            }
            Op::MemRead { memory, address } => {
                if let Some((depth, width_of_word)) = flip_flops(memory.index()) {
                    drives(*address, depth * width_of_word / width(*address));
                }
            }
        }
    }
    DrivenPins { of_nets: nets, of_operators: pins }
}

/// A block whose gates were simulated, to which the energies are fitted.
#[derive(Clone, Copy, Debug)]
pub struct GateReference {
    /// Configuration.
    pub chip: &'static str,
    /// Kernel that it ran.
    pub kernel: &'static str,
    /// Kind of the block.
    pub block: &'static str,
    /// Energy of its gates, fJ a cycle at 130 nm.
    pub gates_fj: f64,
    /// What toggles in our simulation of it, a cycle.
    pub toggled: Toggled,
}

impl GateReference {
    /// Energy by the model in the library of the gates, fJ a cycle.
    pub fn model_fj(&self) -> f64 {
        self.toggled.fj(&TOGGLE_FJ_130)
    }

    /// The model over the gates.
    pub fn ratio(&self) -> f64 {
        self.model_fj() / self.gates_fj
    }

    /// Within 30 %.
    pub fn is_near(&self) -> bool {
        self.ratio().max(1.0 / self.ratio()) < 1.3
    }
}

/// The blocks that the energies are fitted to.
///
/// # Panics
/// When the table in the program is wrong.
pub fn gate_references() -> Vec<GateReference> {
    let row = |line: &'static str| {
        let fields: Vec<_> = line.split(',').collect();
        let numbers: Vec<f64> = fields[4..].iter().map(|number| number.parse().expect("a number")).collect();
        let toggled = Toggled(numbers[1..].try_into().expect("a column for each kind"));
        GateReference { chip: fields[0], kernel: fields[1], block: fields[2], gates_fj: numbers[0], toggled }
    };
    include_str!("gate_power.csv").lines().skip(2).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A constant that is a fifth larger or smaller does not fit better: the squares of the logarithms of the ratios, of which one
    /// block has no more than a certain weight.
    #[test]
    fn energies_are_fitted() {
        let rows = gate_references();
        let misfit = |each: &[f64; TOGGLE_KINDS]| -> f64 {
            rows.iter().map(|row| (row.toggled.fj(each) / row.gates_fj).ln().powi(2).min(0.5)).sum()
        };
        for kind in 0..TOGGLE_KINDS {
            for factor in [1.2, 1.0 / 1.2] {
                let mut each = TOGGLE_FJ_130;
                each[kind] *= factor;
                assert!(misfit(&each) >= misfit(&TOGGLE_FJ_130), "kind {kind} times {factor}");
            }
        }
    }

    /// The model is within 30 % of most blocks in gates, and of all together.
    #[test]
    fn blocks_in_gates() {
        let rows = gate_references();
        let near = rows.iter().filter(|row| row.is_near()).count();
        assert!(rows.len() >= 24 && 10 * near >= 6 * rows.len(), "{near} of {}", rows.len());
        let gates: f64 = rows.iter().map(|row| row.gates_fj).sum();
        let model: f64 = rows.iter().map(GateReference::model_fj).sum();
        assert!((model / gates - 1.0).abs() < 0.1, "{model} and {gates} fJ");
    }
}
