//! Timing: how long the logic between two clock edges takes, and which path is the longest.
//!
//! ```text
//!   Design --module: loads, order, groups of outputs--> TimedModule --evaluation: arrival of every bit--> Evaluation
//!                        operators: adders, multipliers, shifters --^ ^-- arrival: trees of gates ^-- delay: constants
//!   Evaluation --paths--> what samples, worst first, with the way back --here--> by clock domain, by kind of block
//! ```
//!
//! The netlist is timed as a synthesis tool would map it: AND, OR and XOR as trees in which late inputs pass few gates,
//! adders and comparisons as prefix trees, multipliers as trees of full adders, `switch` as one choice, memories as
//! flip-flops with a tree of multiplexers or, from [`crate::area::structure::ARRAY_BITS`] on, as arrays. Arrival is
//! known for every bit, so that a slice of a word waits for that slice alone. Wires have no length: what placement adds
//! is not known here. Formulas, constants and how they compare with Yosys and static timing analysis: `docs/timing.md`.

pub mod arrival;
pub mod delay;
mod evaluation;
mod mapped;
mod module;
mod operators;
mod paths;
pub mod reference;
mod sta;

pub use delay::{DelayModel, MARGIN, fo4_ps, ns, wanted_ns};
pub use mapped::{Mapped, mapped};
pub use paths::{PathStep, TimedPath};
use rustc_hash::FxHashMap;
pub use sta::StaticTiming;

use crate::area::{Array, ArrayTechnology, structure::Counting};
use evaluation::Evaluator;
use hdl::Module;
use module::TimedModule;
use netlist::Design;

/// Paths of a clock domain, one for each register, memory and output of a kind of module, the longest first.
#[derive(Clone, PartialEq, Debug)]
pub struct DomainTiming {
    /// Its name at the top: `clock` for the default one.
    pub domain: String,
    /// As many as were asked for.
    pub paths: Vec<TimedPath>,
}

/// The longest path through blocks of a kind.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockTiming {
    /// Kind of the module.
    pub kind: String,
    /// Domain in which the path is sampled.
    pub domain: String,
    /// Of the whole path, thousandths of an FO4.
    pub time: i32,
    /// What passes within the block itself, not in blocks in it.
    pub own: i32,
    /// Levels of logic of the path.
    pub levels: u32,
}

/// The longest path that ends in a kind of child of the top: a kind of tile of a chip.
#[derive(Clone, PartialEq, Debug)]
pub struct PartTiming {
    /// Kind of the child.
    pub kind: String,
    /// Domain in which the path is sampled.
    pub domain: String,
    /// The path.
    pub path: TimedPath,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// Every domain that clocks something, in the order of the top's.
    pub domains: Vec<DomainTiming>,
    /// Every kind of block in every domain in which it has logic on a path, the worst first.
    pub blocks: Vec<BlockTiming>,
    /// Kinds of children of the top in every domain in which a path ends in them, the worst first.
    pub parts: Vec<PartTiming>,
}

/// Times a design; `paths`: how many of each domain are kept.
pub fn timing(design: &Design, model: &DelayModel, counting: &Counting, paths: usize) -> Timing {
    let mut modules: Vec<TimedModule> = vec![];
    for elaborated in &design.modules {
        let timed = TimedModule::new(elaborated, counting, &access, &|child: &Module| &modules[design.index_of(child)]);
        modules.push(timed);
    }
    let mut evaluator = Evaluator::new(design, modules, *model);
    let ends = evaluator.ends();
    let name = |domain: hdl::DomainId| design.top.domain(domain).name.clone();
    let used = design.top.domains.iter().enumerate().filter(|(at, domain)| domain.used || *at == 0);
    let mut domains: Vec<_> = used.map(|(_, d)| DomainTiming { domain: d.name.clone(), paths: vec![] }).collect();
    let mut blocks: FxHashMap<(String, String), BlockTiming> = FxHashMap::default();
    let mut parts = vec![];
    for end in &ends {
        let path = evaluator.path(end);
        let domain = name(path.domain);
        for (kind, own) in path.by_kind() {
            let row =
                BlockTiming { kind: kind.clone(), domain: domain.clone(), time: path.time, own, levels: path.levels };
            // Worst first: later ones are not longer.
            blocks.entry((kind, domain.clone())).or_insert(row);
        }
        if let Some(kind) = evaluator.part(end)
            && !parts.iter().any(|part: &PartTiming| part.kind == kind && part.domain == domain)
        {
            parts.push(PartTiming { kind, domain: domain.clone(), path: path.clone() });
        }
        if let Some(of) = domains.iter_mut().find(|of| of.domain == domain && of.paths.len() < paths) {
            of.paths.push(path);
        }
    }
    domains.retain(|domain| !domain.paths.is_empty());
    let mut blocks: Vec<_> = blocks.into_values().collect();
    blocks.sort_by(|a, b| {
        b.time.cmp(&a.time).then(b.own.cmp(&a.own)).then_with(|| (&a.kind, &a.domain).cmp(&(&b.kind, &b.domain)))
    });
    Timing { domains, blocks, parts }
}

/// Of an array, thousandths of an FO4.
fn access(words: usize, bits: u32) -> i32 {
    let ns = Array::ram(words as u32, bits).cost(&ArrayTechnology::NM130).access_ns;
    (ns / delay::fo4_ns_at_130() * delay::UNIT).round() as i32
}

impl TimedPath {
    /// What it leads from and to.
    pub fn kind(&self) -> &'static str {
        match self.ends {
            (true, true) => "register to register",
            (true, false) => "register to output",
            (false, true) => "input to register",
            (false, false) => "input to output",
        }
    }

    /// What passes in modules of each kind, thousandths of an FO4, in the order of the path.
    pub fn by_kind(&self) -> Vec<(String, i32)> {
        let mut kinds: Vec<(String, i32)> = vec![];
        let mut before = 0;
        for step in &self.steps {
            let passed = step.time - std::mem::replace(&mut before, step.time);
            match kinds.iter_mut().find(|(kind, _)| *kind == step.kind) {
                Some((_, own)) => *own += passed,
                None => kinds.push((step.kind.clone(), passed)),
            }
        }
        kinds
    }
}
