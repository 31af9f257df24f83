//! Calls that are being lowered: of functions that are taken in, and of those that reach themselves.

use super::functions::{fits, function_named, functions_taken};
use crate::{
    compile::ir::{BlockId, Pred, Reg},
    ptx::ast::{OperandKind, PtxFunction, PtxModule, Statement},
};
use petgraph::{algo::tarjan_scc, graph::DiGraph};
use std::{
    cell::LazyCell,
    collections::{HashMap, HashSet},
    ops::Range,
};

/// A call that is being lowered.
pub struct Frame {
    /// Where `ret` goes.
    pub end: BlockId,
}

/// Frames are a multiple of this, or of the largest alignment among local variables in them.
const FRAME_ALIGN: u32 = 16;

/// What lowering knows of recursion.
#[derive(Default)]
pub struct Recursion<'a> {
    /// Of functions that reach themselves by calls: a number for all that reach each other.
    pub cycles: HashMap<&'a str, usize>,
    /// The registers with the end of the used stack and the end of the stack.
    pub pointers: Option<(Reg, Reg)>,
    /// Outermost calls that are being lowered, each within the one before.
    pub regions: Vec<FrameRegion<'a>>,
    /// Bytes of local variables of each function that was lowered so.
    pub locals: Vec<u32>,
    /// Which of them is being lowered.
    pub current: Vec<usize>,
    pub align: u32,
    pub calls: Vec<RecursiveCall>,
}

/// What an outermost call leads to.
pub struct FrameRegion<'a> {
    pub cycle: usize,
    pub functions: Vec<LoweredFunction<'a>>,
    pub dispatch: BlockId,
    /// Numbers of the calls, and where they go on.
    pub calls: Vec<(usize, BlockId)>,
    /// The first register and predicate that are its own.
    pub first: (Reg, Pred),
}

/// A function of a region.
pub struct LoweredFunction<'a> {
    pub function: &'a PtxFunction,
    pub entry: BlockId,
    pub params: Vec<Vec<Reg>>,
    pub results: Vec<Vec<Reg>>,
    /// Its number among all.
    pub number: usize,
}

/// A call, with what is filled in when all is lowered.
pub struct RecursiveCall {
    /// The functions that call and are called, by their numbers; none calls in the kernel itself.
    pub caller: Option<usize>,
    pub callee: usize,
    /// Where registers are saved and restored, and where the code goes on: labels.
    pub save: BlockId,
    pub restore: BlockId,
    pub after: BlockId,
    /// The block and the operation that computes the end of what is needed.
    pub need: (BlockId, usize),
    /// Registers and predicates of the region; empty for an outermost call.
    pub own: (Range<Reg>, Range<Pred>),
    /// With results on the way to their places.
    pub results: Vec<Reg>,
    pub line: u32,
}

impl<'a> Recursion<'a> {
    /// Finds the functions that reach themselves, among those whose names the kernel mentions or reaches.
    pub fn of(module: &'a PtxModule, used: &HashSet<&str>) -> Self {
        let names: HashMap<&str, usize> =
            module.functions.iter().enumerate().rev().map(|(i, f)| (f.name.as_str(), i)).collect();
        // Asked for only where a call goes through a register.
        let taken = LazyCell::new(|| {
            let taken = functions_taken(module).into_iter().filter_map(|name| function_named(module, name));
            taken.collect::<Vec<_>>()
        });
        let mut graph = DiGraph::<&'a str, ()>::new();
        let nodes: Vec<_> = module.functions.iter().map(|function| graph.add_node(function.name.as_str())).collect();
        for function in module.functions.iter().filter(|function| used.contains(function.name.as_str())) {
            let Some(from) = names.get(function.name.as_str()).map(|&i| nodes[i]) else { continue };
            let mut calls = |name: &str| {
                if let Some(&to) = names.get(name) {
                    graph.update_edge(from, nodes[to], ());
                }
            };
            for statement in function.body.iter().flatten() {
                match statement {
                    Statement::Instruction(call) if call.mnemonic.starts_with("call") => {
                        for operand in &call.operands {
                            if let OperandKind::Name { name, .. } = &operand.kind {
                                calls(name);
                            }
                        }
                    }
                    Statement::Prototype(prototype) => {
                        taken.iter().filter(|to| fits(to, prototype)).for_each(|to| calls(&to.name));
                    }
                    Statement::Targets(list) => list.targets.iter().for_each(|(name, _)| calls(name)),
                    _ => {}
                }
            }
        }
        let mut cycles = HashMap::new();
        for (cycle, nodes) in tarjan_scc(&graph).into_iter().enumerate() {
            if nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]) {
                cycles.extend(nodes.into_iter().map(|node| (graph[node], cycle)));
            }
        }
        Self { cycles, align: FRAME_ALIGN, ..Self::default() }
    }

    /// The function reaches itself.
    pub fn contains(&self, function: &str) -> bool {
        self.cycles.contains_key(function)
    }

    /// Some function of the file does.
    pub fn exists(&self) -> bool {
        !self.cycles.is_empty()
    }

    /// The kernel calls such a function.
    pub fn has_stack(&self) -> bool {
        self.pointers.is_some()
    }

    /// Local variables up to `end` in the function that is being lowered, if it is a recursive one: they are on the
    /// stack.
    pub fn keep_locals(&mut self, end: u32, align: u32) -> bool {
        let Some(&current) = self.current.last() else { return false };
        self.locals[current] = self.locals[current].max(end);
        self.align = self.align.max(align);
        true
    }

    /// The register with the place of the local variables of the function that is being lowered, if it is a recursive
    /// one.
    pub fn frame(&self) -> Option<Reg> {
        self.current.last().and(self.pointers).map(|(top, _)| top)
    }

    /// Bytes of a frame for so many.
    pub fn aligned(&self, bytes: u32) -> u32 {
        bytes.next_multiple_of(self.align)
    }
}
