//! Structural area: what a netlist consists of, counted, by hierarchy.
//!
//! In comes an elaborated [`Design`], the one that is simulated and exported; out come the leaf cells
//! ([`super::leaves`]) of every distinct module, and of each with all below it: what operators take
//! ([`super::operator_leaves`]), registers and memories.
//!
//! What nothing depends on is not counted (probes and assertions cost no area), nor what constants decide. A memory
//! counts as flip-flops, a multiplexer tree for each read and a decoder for each write port, as synthesis without
//! macros makes it; a large one ([`Counting::array_bits`]) as an array of [`super::array`].

use super::{
    Array, ArrayTechnology, Cells,
    leaves::{Leaf, Leaves},
    operator_leaves::OperatorLeaves,
};
use hdl::*;
use netlist::Design;
use std::ops::AddAssign;

/// Bits of the smallest memory that is an array: of as many it is a module of its own in the exported Verilog.
pub const ARRAY_BITS: u64 = verilog::SRAM_BITS;

/// How to count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counting {
    /// Memories of at least so many bits are arrays; `None`: none is.
    pub array_bits: Option<u64>,
}

impl Default for Counting {
    /// Memories from 2 Kbit are arrays.
    fn default() -> Self {
        Self { array_bits: Some(ARRAY_BITS) }
    }
}

impl Counting {
    /// A memory of so many bits is an array.
    pub fn is_array(&self, bits: u64) -> bool {
        self.array_bits.is_some_and(|least| bits >= least)
    }
}

/// What a block consists of.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Structure {
    /// Register bits.
    pub register_bits: u64,
    /// Memory bits that one port reads.
    pub memory_bits_1r: u64,
    /// Memory bits that several ports read.
    pub memory_bits_nr: u64,
    /// All of it but arrays.
    pub leaves: Leaves,
    /// Memory bits that are in arrays.
    pub macro_bits: u64,
    /// Column circuits of the arrays, of all sub-arrays and ports.
    pub macro_columns: u64,
    /// Area of the arrays at 130 nm, mm^2.
    pub macros_mm2_at_130: f64,
}

impl Structure {
    /// Memory bits.
    pub fn memory_bits(&self) -> u64 {
        self.memory_bits_1r + self.memory_bits_nr
    }

    /// Inputs of multiplexers, bits: two for each bit of a choice of two.
    pub fn mux_input_bits(&self) -> u64 {
        2 * self.leaves.count(&[Leaf::Mux, Leaf::ShiftMux, Leaf::ReadMux, Leaf::Enable])
            + self.leaves.count(&[Leaf::Arm])
    }

    /// Bits that are added, in products too.
    pub fn adder_bits(&self) -> u64 {
        self.leaves.count(&[Leaf::FullAdder, Leaf::HalfAdder, Leaf::ProductAdder])
    }

    /// Bits that are compared.
    pub fn comparator_bits(&self) -> u64 {
        self.leaves.count(&[Leaf::Equal, Leaf::EqualConstant, Leaf::Less, Leaf::LessConstant])
    }

    /// Gates of two inputs in addition to all that.
    pub fn gates(&self) -> u64 {
        self.leaves.count(&[Leaf::Gate, Leaf::Inverter, Leaf::Xor, Leaf::FirstOne, Leaf::Table])
    }

    /// All of it but arrays, gate equivalents.
    pub fn gate_equivalents(&self) -> f64 {
        self.leaves.gates()
    }

    /// mm^2 at `nm`.
    pub fn mm2(&self, cells: &Cells, nm: u32) -> f64 {
        let length = f64::from(nm) / 130.0;
        cells.mm2(self.gate_equivalents(), nm) + self.macros_mm2_at_130 * length * length
    }

    pub(super) fn times(self, n: u64) -> Self {
        Self {
            register_bits: self.register_bits * n,
            memory_bits_1r: self.memory_bits_1r * n,
            memory_bits_nr: self.memory_bits_nr * n,
            leaves: self.leaves.times(n),
            macro_bits: self.macro_bits * n,
            macro_columns: self.macro_columns * n,
            macros_mm2_at_130: self.macros_mm2_at_130 * n as f64,
        }
    }
}

impl AddAssign<&Self> for Structure {
    fn add_assign(&mut self, other: &Self) {
        self.register_bits += other.register_bits;
        self.memory_bits_1r += other.memory_bits_1r;
        self.memory_bits_nr += other.memory_bits_nr;
        self.leaves += &other.leaves;
        self.macro_bits += other.macro_bits;
        self.macro_columns += other.macro_columns;
        self.macros_mm2_at_130 += other.macros_mm2_at_130;
    }
}

/// Per distinct module of a design, in its order: with everything below it.
pub fn totals(design: &Design, counting: &Counting) -> Vec<Structure> {
    with_children(design, |at| own(&design.modules[at].module, counting))
}

/// Per distinct module of a design, in its order: its `own` and that of everything below it.
pub(super) fn with_children<T: for<'a> AddAssign<&'a T>>(design: &Design, own: impl Fn(usize) -> T) -> Vec<T> {
    let mut totals: Vec<T> = vec![];
    for (at, elaborated) in design.modules.iter().enumerate() {
        let mut total = own(at);
        elaborated.module.instances.iter().for_each(|child| total += &totals[design.index_of(&child.module)]);
        totals.push(total);
    }
    totals
}

/// The whole design.
pub fn total(design: &Design, counting: &Counting) -> Structure {
    totals(design, counting).pop().unwrap_or_default()
}

/// Blocks of one kind at one place of the hierarchy, together.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockGroup {
    /// Kinds from the top module's children down to this one.
    pub path: Vec<String>,
    /// Which modules they are, as places in [`Design::modules`], and how many there are of each.
    pub modules: Vec<(usize, u64)>,
    /// All of them with everything below.
    pub structure: Structure,
}

impl BlockGroup {
    /// How many blocks there are.
    pub fn count(&self) -> u64 {
        self.modules.iter().map(|(_, count)| count).sum()
    }

    /// All of them by another measure: `of` a module with everything below it.
    pub fn sum(&self, of: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        self.modules.iter().map(|&(module, count)| Some(of(module)? * count as f64)).sum()
    }
}

/// The hierarchy down to `depth` levels below the top, equal kinds below the same kinds added up, in the order of the walk.
pub fn by_block(design: &Design, counting: &Counting, depth: usize) -> Vec<BlockGroup> {
    let totals = totals(design, counting);
    let mut blocks = vec![];
    below(design, &totals, &[(design.index_of(&design.top), 1)], &[], depth, &mut blocks);
    blocks
}

/// Adds the children of `parents` (modules with their numbers), which are at `path`.
fn below(
    design: &Design,
    totals: &[Structure],
    parents: &[(usize, u64)],
    path: &[String],
    depth: usize,
    out: &mut Vec<BlockGroup>,
) {
    if depth == 0 {
        return;
    }
    let mut kinds: Vec<(&str, Vec<(usize, u64)>)> = vec![];
    for &(parent, count) in parents {
        for child in &design.modules[parent].module.instances {
            let index = design.index_of(&child.module);
            let kind = child.module.kind.as_str();
            let at = kinds.iter().position(|(k, _)| *k == kind).unwrap_or_else(|| {
                kinds.push((kind, vec![]));
                kinds.len() - 1
            });
            match kinds[at].1.iter_mut().find(|(i, _)| *i == index) {
                Some((_, n)) => *n += count,
                None => kinds[at].1.push((index, count)),
            }
        }
    }
    for (kind, modules) in kinds {
        let path: Vec<_> = path.iter().cloned().chain([kind.to_string()]).collect();
        let mut structure = Structure::default();
        modules.iter().for_each(|&(index, n)| structure += &totals[index].times(n));
        out.push(BlockGroup { path: path.clone(), modules: modules.clone(), structure });
        below(design, totals, &modules, &path, depth - 1, out);
    }
}

/// One module without its children.
fn own(module: &ModuleDef, counting: &Counting) -> Structure {
    let used = Used::of(module);
    let mut s = Structure::default();
    let operators = OperatorLeaves::new(module, &used);
    let mut reads = vec![0u64; module.memories.len()];
    for (id, _) in used.exprs.iter().enumerate().filter(|(_, used)| **used) {
        s.leaves += &operators.of(ExprId(id as u32));
        if let Op::MemRead { memory, .. } = module.exprs[id].op {
            reads[memory.index()] += 1;
        }
    }
    for (net, _) in module.nets.iter().zip(&used.nets).filter(|(_, used)| **used) {
        if let NetKind::Register { reset } = &net.kind {
            s.register_bits += u64::from(net.width);
            s.leaves.add(Leaf::FlipFlop, net.width.into());
            s.leaves.add(Leaf::Gate, if reset.is_some() { net.width.into() } else { 0 });
        }
    }
    for (m, memory) in module.memories.iter().enumerate().filter(|(m, _)| used.memories[*m]) {
        let (depth, width) = (memory.depth as u64, u64::from(memory.width));
        let bits = depth * width;
        *(if reads[m] > 1 { &mut s.memory_bits_nr } else { &mut s.memory_bits_1r }) += bits;
        // Beyond its last word a memory reads zero.
        s.leaves.add(Leaf::Gate, if depth.is_power_of_two() { 0 } else { reads[m] * width });
        if counting.is_array(bits) {
            let writes = module.writes.iter().filter(|w| w.memory.index() == m).count() as u32;
            let array = Array { ports: (reads[m] as u32 + writes).max(1), ..Array::ram(depth as u32, memory.width) };
            s.macro_bits += bits;
            s.macro_columns += array.columns();
            s.macros_mm2_at_130 += array.cost(&ArrayTechnology::NM130).area_mm2;
            continue;
        }
        s.leaves.add(Leaf::FlipFlop, bits);
        s.leaves.add(Leaf::ReadMux, reads[m] * depth.saturating_sub(1) * width);
        for port in module.writes.iter().filter(|w| w.memory.index() == m) {
            let parts = port.mask.map_or(1, |mask| u64::from(module.exprs[mask.index()].width));
            s.leaves.add(Leaf::Enable, bits);
            // A decoder with the enable.
            s.leaves.add(Leaf::Gate, depth * (parts + 1));
        }
    }
    s
}

/// What an output or a child depends on, of a module.
pub(crate) struct Used {
    /// By expression.
    pub exprs: Vec<bool>,
    /// By net.
    pub nets: Vec<bool>,
    /// By memory.
    pub memories: Vec<bool>,
    /// By expression: how often operators, nets, children and memories read it.
    pub readers: Vec<u32>,
}

impl Used {
    /// Of a module.
    pub fn of(module: &ModuleDef) -> Self {
        let mut used = Self {
            exprs: vec![false; module.exprs.len()],
            nets: vec![false; module.nets.len()],
            memories: vec![false; module.memories.len()],
            readers: vec![0; module.exprs.len()],
        };
        let mut todo: Vec<ExprId> = vec![];
        let mut reach = |net: NetId, todo: &mut Vec<ExprId>| {
            if !std::mem::replace(&mut used.nets[net.index()], true) {
                todo.extend(module.drivers[net.index()]);
            }
        };
        module.outputs.iter().for_each(|&net| reach(net, &mut todo));
        todo.extend(module.instances.iter().flat_map(|child| child.inputs.iter().copied().flatten()));
        while let Some(id) = todo.pop() {
            used.readers[id.index()] += 1;
            if std::mem::replace(&mut used.exprs[id.index()], true) {
                continue;
            }
            let op = &module.exprs[id.index()].op;
            op.for_each_operand(|operand| todo.push(operand));
            match op {
                Op::Net(net) => reach(*net, &mut todo),
                Op::MemRead { memory, .. } if !std::mem::replace(&mut used.memories[memory.index()], true) => {
                    for port in module.writes.iter().filter(|w| w.memory == *memory) {
                        todo.extend([port.enable, port.address, port.data].into_iter().chain(port.mask));
                    }
                }
                _ => {}
            }
        }
        used
    }
}
