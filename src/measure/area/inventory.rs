//! What the elaborated chip consists of by kind of tile, with the clocks that its flip-flops hang on.
//!
//! ```text
//!   Design --structure--> gates, arrays of each kind of tile --leaf costs--> mm^2, leakage
//!          --domains----> flip-flops by clock: every cycle, or behind an enable --> energy of the clock
//! ```
//!
//! A register whose next value may be its own has an enable, and a gated clock: it costs energy in the cycles in which
//! its tile works. Of a small memory, which is flip-flops too, a word is clocked for each write port.

use super::{
    Cells, Structure,
    leaf::LeafCosts,
    structure::{Counting, Used, totals},
};
use hdl::{DomainId, ExprId, ModuleDef, NetId, NetKind, Op};
use netlist::Design;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
};

/// Flip-flops of a clock, bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockedBits {
    /// Clocked in every cycle.
    pub every_cycle: u64,
    /// Behind an enable.
    pub enabled: u64,
}

impl AddAssign for ClockedBits {
    fn add_assign(&mut self, other: Self) {
        self.every_cycle += other.every_cycle;
        self.enabled += other.enabled;
    }
}

/// All tiles of a kind.
#[derive(Clone, PartialEq, Debug)]
pub struct TileGroup {
    /// Kind of their module.
    pub kind: String,
    /// How many there are.
    pub count: u64,
    /// All of them with everything below.
    pub structure: Structure,
    /// Flip-flops by the clock domain of the top that they hang on.
    pub clocked: BTreeMap<String, ClockedBits>,
}

impl TileGroup {
    /// mm^2 at `nm`: cells and arrays, without what placement and routing leave empty.
    pub fn mm2(&self, nm: u32) -> f64 {
        self.structure.mm2(&Cells::NANGATE45, nm)
    }

    /// Leakage of gates, flip-flops and arrays, W.
    pub fn leakage_w(&self, leaf: &LeafCosts) -> f64 {
        let Structure { macro_bits, macro_columns, .. } = self.structure;
        let gate_equivalents = self.structure.gate_equivalents();
        let arrays = macro_bits as f64 * leaf.bit_nw + macro_columns as f64 * leaf.column_nw;
        (gate_equivalents * leaf.gate_nw + arrays) * 1e-9
    }

    /// Power of the clock where the tiles work in a share of the cycles, W. `hertz`: of a domain of the top.
    pub fn clock_w(&self, leaf: &LeafCosts, works: f64, hertz: impl Fn(&str) -> f64) -> f64 {
        let of_domain = |(domain, bits): (&String, &ClockedBits)| {
            (bits.every_cycle as f64 + works * bits.enabled as f64) * leaf.clock_fj * 1e-15 * hertz(domain)
        };
        self.clocked.iter().map(of_domain).sum()
    }
}

/// The tiles of a chip by kind, in the order of the netlist.
pub fn inventory(design: &Design, counting: &Counting) -> Vec<TileGroup> {
    let (structures, clocked) = (totals(design, counting), clocked(design, counting));
    let top = &design.top;
    let mut groups: Vec<TileGroup> = vec![];
    for child in &top.instances {
        let (index, kind) = (design.index_of(&child.module), &child.module.kind);
        let at = groups.iter().position(|group| group.kind == *kind).unwrap_or_else(|| {
            let (structure, clocked) = (Structure::default(), BTreeMap::new());
            groups.push(TileGroup { kind: kind.clone(), count: 0, structure, clocked });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.count += 1;
        group.structure += &structures[index];
        for (domain, bits) in child.domains.iter().zip(&clocked[index]) {
            let outer = domain.unwrap_or(DomainId::DEFAULT);
            *group.clocked.entry(top.domain(outer).name.clone()).or_default() += *bits;
        }
    }
    groups
}

/// Per distinct module of a design, in its order: flip-flops by its own domains, with everything below.
fn clocked(design: &Design, counting: &Counting) -> Vec<Vec<ClockedBits>> {
    let mut all: Vec<Vec<ClockedBits>> = vec![];
    for elaborated in &design.modules {
        let mut bits = own(&elaborated.module, counting);
        for child in &elaborated.module.instances {
            for (domain, below) in child.domains.iter().zip(&all[design.index_of(&child.module)]) {
                bits[domain.unwrap_or(DomainId::DEFAULT).index()] += *below;
            }
        }
        all.push(bits);
    }
    all
}

/// One module without its children.
fn own(module: &ModuleDef, counting: &Counting) -> Vec<ClockedBits> {
    let Used { nets, memories, .. } = Used::of(module);
    let mut bits = vec![ClockedBits::default(); module.domains.len()];
    for (id, net) in module.nets.iter().enumerate().filter(|(id, _)| nets[*id]) {
        if matches!(net.kind, NetKind::Register { .. }) {
            let of_domain = &mut bits[net.domain.index()];
            let enabled = keeps_its_value(module, NetId(id as u32));
            *(if enabled { &mut of_domain.enabled } else { &mut of_domain.every_cycle }) += u64::from(net.width);
        }
    }
    for port in module.writes.iter().filter(|port| memories[port.memory.index()]) {
        let memory = &module.memories[port.memory.index()];
        if !counting.is_array(memory.depth as u64 * u64::from(memory.width)) {
            bits[memory.domain.index()].enabled += u64::from(memory.width);
        }
    }
    bits
}

/// One of the values that a register may take is the one that it has.
fn keeps_its_value(module: &ModuleDef, register: NetId) -> bool {
    let mut seen: BTreeSet<ExprId> = BTreeSet::new();
    let mut todo: Vec<ExprId> = module.drivers[register.index()].into_iter().collect();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &module.exprs[id.index()].op {
            Op::Net(net) if *net == register => return true,
            Op::Net(net) if !matches!(module.net(*net).kind, NetKind::Register { .. }) => {
                todo.extend(module.drivers[net.index()]);
            }
            Op::Mux { then, otherwise, .. } => todo.extend([*then, *otherwise]),
            _ => {}
        }
    }
    false
}
