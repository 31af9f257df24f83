//! One-bit values that are computed alike side by side become one value.
//!
//! *Recovers* vectors from descriptions that loop over bits: `any(valid[i] & !done[i])` is one AND of two words and one test, instead of two
//! slices, two gates and an OR for each bit. *Legal*, as bitwise operations do to each bit what they do to one.
//!
//! Roots are concatenations, and sums and products of many bits (trees of OR and AND). Bits of a root that are computed
//! by the same operation are merged with their operands: slices of a value that are side by side, constants, the same
//! bit for all, or again bits that are computed by one operation. Other operands are concatenated, if all in all that
//! still costs less.

use super::ir::{Function, Graph, NodeId, Op};
use hdl::{BinaryOp, Bits, UnaryOp, words_for};
use rustc_hash::FxHashMap;

/// Fewest bits that are merged.
const FEWEST: usize = 3;

/// Operations that must be saved.
const GAIN: i32 = 1;

/// How far operations are followed.
const DEPTH: usize = 6;

/// What putting a bit into a word costs, or taking it out: a shift and a logical operation.
const PLACED: i32 = 2;

pub(super) fn merge(function: &mut Function) {
    let (live, _) = function.live();
    let uses = uses(function);
    let inner = inside_of_trees(function, &live, &uses);
    let order: Vec<usize> = function.graph.ids().map(|id| id.index()).filter(|&id| live[id]).collect();
    let mut next = order.into_iter();
    let mut merging = Merging { uses: FxHashMap::default() };
    function.rewrite(|graph, op, width| {
        let old = next.next().expect("every live node is made once");
        let made = match (&op, width) {
            (Op::Concat(parts), _) => merging.concat(graph, parts),
            (&Op::Binary(kind @ (BinaryOp::And | BinaryOp::Or), a, b), 1) if !inner[old] => {
                merging.tree(graph, kind, [a, b])
            }
            _ => None,
        };
        let made = made.unwrap_or_else(|| graph.add(op, width));
        *merging.uses.entry(made).or_default() += uses[old];
        made
    });
}

/// Per node: who needs it.
fn uses(function: &Function) -> Vec<u32> {
    let (live, live_calls) = function.live();
    let mut uses = vec![0; function.graph.len()];
    for id in function.graph.ids().filter(|id| live[id.index()]) {
        function.graph.op(id).for_each_operand(|operand| uses[operand.index()] += 1);
    }
    for effect in &function.effects {
        effect.for_each_value(|value| uses[value.index()] += 1);
    }
    for (call, _) in function.calls.iter().zip(live_calls).filter(|(_, live)| *live) {
        call.inputs.iter().for_each(|(_, value)| uses[value.index()] += 1);
        call.selects().for_each(|select| uses[select.index()] += 1);
    }
    uses
}

/// Per node: it is AND or OR, and all that needs it is one of the same kind.
fn inside_of_trees(function: &Function, live: &[bool], uses: &[u32]) -> Vec<bool> {
    let mut inner = vec![false; function.graph.len()];
    let kind = |id: NodeId| match function.graph.op(id) {
        Op::Binary(kind @ (BinaryOp::And | BinaryOp::Or), ..) if function.graph.width(id) == 1 => Some(*kind),
        _ => None,
    };
    for id in function.graph.ids().filter(|id| live[id.index()]) {
        let Some(outer) = kind(id) else { continue };
        function.graph.op(id).for_each_operand(|operand| {
            inner[operand.index()] |= uses[operand.index()] == 1 && kind(operand) == Some(outer);
        });
    }
    inner
}

/// A merged value, and how many operations are saved by it.
type Merged = (NodeId, i32);

struct Merging {
    /// How often nodes of the new graph are needed.
    uses: FxHashMap<NodeId, u32>,
}

impl Merging {
    fn used_once(&self, id: NodeId) -> bool {
        self.uses.get(&id).is_some_and(|&uses| uses == 1)
    }

    /// Runs of single bits in a concatenation. Parts come most significant first.
    fn concat(&self, graph: &mut Graph, parts: &[NodeId]) -> Option<NodeId> {
        let (mut out, mut changed) = (vec![], false);
        let mut at = 0;
        while at < parts.len() {
            let bits = parts[at..].iter().take_while(|&&part| graph.width(part) == 1).count();
            let mut run: Vec<NodeId> = parts[at..at + bits].to_vec();
            run.reverse();
            let merged = if bits < FEWEST { None } else { self.bits(graph, &run, DEPTH) };
            match merged.filter(|(_, saved)| saved + PLACED * bits as i32 > PLACED + GAIN) {
                Some((merged, _)) => {
                    out.push(merged);
                    changed = true;
                }
                None => out.extend(&parts[at..(at + bits.max(1))]),
            }
            at += bits.max(1);
        }
        match out[..] {
            _ if !changed => None,
            [only] => Some(only),
            _ => {
                let width = out.iter().map(|&part| graph.width(part)).sum();
                Some(graph.add(Op::Concat(out), width))
            }
        }
    }

    /// A tree of AND or OR over many bits: bits that are computed alike are merged, and the word is tested.
    fn tree(&self, graph: &mut Graph, kind: BinaryOp, roots: [NodeId; 2]) -> Option<NodeId> {
        let mut leaves = vec![];
        let mut todo = vec![roots[1], roots[0]];
        while let Some(id) = todo.pop() {
            match *graph.op(id) {
                Op::Binary(inner, a, b) if inner == kind && self.used_once(id) => todo.extend([b, a]),
                _ => leaves.push(id),
            }
        }
        if leaves.len() < FEWEST {
            return None;
        }
        let mut alike: Vec<(Shape, Vec<NodeId>)> = vec![];
        for leaf in leaves {
            let shape = shape(graph, leaf, 2);
            match alike.iter_mut().find(|(other, _)| *other == shape) {
                Some((_, found)) => found.push(leaf),
                None => alike.push((shape, vec![leaf])),
            }
        }
        let (mut out, mut changed) = (vec![], false);
        for (_, mut bits) in alike {
            bits.sort_by_key(|&bit| first_place(graph, bit, 3));
            bits.dedup();
            let merged = if bits.len() < FEWEST { None } else { self.bits(graph, &bits, DEPTH) };
            // What joined them is saved but for the test of the word.
            match merged.filter(|(_, saved)| saved + bits.len() as i32 - 2 > GAIN) {
                Some((merged, _)) => {
                    let test = if kind == BinaryOp::Or { UnaryOp::Any } else { UnaryOp::All };
                    out.push(graph.add(Op::Unary(test, merged), 1));
                    changed = true;
                }
                None => out.extend(bits),
            }
        }
        let joined = out.into_iter().reduce(|a, b| graph.add(Op::Binary(kind, a, b), 1));
        joined.filter(|_| changed)
    }

    /// Bits, the least significant first, as one value.
    fn bits(&self, graph: &mut Graph, bits: &[NodeId], depth: usize) -> Option<Merged> {
        let width = bits.len() as u32;
        if let Some(constants) =
            bits.iter().map(|&bit| graph.as_constant(bit).map(|c| c.bit(0))).collect::<Option<Vec<_>>>()
        {
            let mut value = Bits::zero(width);
            constants.iter().enumerate().for_each(|(i, &bit)| value.set_bit(i as u32, bit));
            return Some((graph.constant(value), 0));
        }
        if bits.iter().all(|&bit| bit == bits[0]) {
            return Some((graph.add(Op::Unary(UnaryOp::SignExtend, bits[0]), width), -1));
        }
        let pieces = self.pieces(graph, bits);
        if let (&[only], saved) = (&pieces.0[..], pieces.1) {
            return Some((only, saved));
        }
        let alike = depth.checked_sub(1).and_then(|depth| self.operation(graph, bits, depth));
        alike.or_else(|| {
            let (mut parts, saved) = pieces;
            let placed = PLACED * parts.len() as i32;
            parts.reverse();
            Some((graph.add(Op::Concat(parts), width), saved - placed))
        })
    }

    /// Bits as pieces, the least significant first: slices of one value that are side by side become one.
    fn pieces(&self, graph: &mut Graph, bits: &[NodeId]) -> (Vec<NodeId>, i32) {
        let place = |graph: &Graph, bit: NodeId| match *graph.op(bit) {
            Op::Slice { value, lo } => Some((value, lo)),
            _ => None,
        };
        let (mut pieces, mut saved) = (vec![], 0);
        let mut at = 0;
        while at < bits.len() {
            let Some((value, lo)) = place(graph, bits[at]) else {
                pieces.push(bits[at]);
                at += 1;
                continue;
            };
            let next = |&(i, &bit): &(usize, &NodeId)| place(graph, bit) == Some((value, lo + i as u32));
            let count = bits[at..].iter().enumerate().take_while(next).count();
            let once = bits[at..at + count].iter().filter(|&&bit| self.used_once(bit)).count() as i32;
            pieces.push(match count {
                1 => bits[at],
                _ if graph.width(value) == count as u32 => value,
                _ => graph.add(Op::Slice { value, lo }, count as u32),
            });
            saved += if count == 1 { 0 } else { once - 1 };
            at += count;
        }
        (pieces, saved)
    }

    /// Bits that are computed by the same bitwise operation.
    fn operation(&self, graph: &mut Graph, bits: &[NodeId], depth: usize) -> Option<Merged> {
        let width = bits.len() as u32;
        let saved: i32 = bits.iter().filter(|&&bit| self.used_once(bit)).count() as i32;
        let saved = saved - words_for(width) as i32;
        match graph.op(bits[0]).clone() {
            Op::Unary(UnaryOp::Not, _) => {
                let operand = |&bit: &NodeId| match *graph.op(bit) {
                    Op::Unary(UnaryOp::Not, a) => Some(a),
                    _ => None,
                };
                let operands = bits.iter().map(operand).collect::<Option<Vec<_>>>()?;
                let (merged, more) = self.bits(graph, &operands, depth)?;
                Some((graph.add(Op::Unary(UnaryOp::Not, merged), width), saved + more))
            }
            Op::Binary(kind @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), ..) => {
                let operands = |&bit: &NodeId| match *graph.op(bit) {
                    Op::Binary(other, a, b) if other == kind => Some([a, b]),
                    _ => None,
                };
                let mut pairs = bits.iter().map(operands).collect::<Option<Vec<_>>>()?;
                // Operands may be exchanged, so that those of one place are alike.
                let wanted = shape(graph, pairs[0][0], 1);
                for pair in &mut pairs {
                    if shape(graph, pair[0], 1) != wanted && shape(graph, pair[1], 1) == wanted {
                        pair.swap(0, 1);
                    }
                }
                let [left, right] = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>());
                let (left, more) = self.bits(graph, &left, depth)?;
                let (right, even_more) = self.bits(graph, &right, depth)?;
                Some((graph.add(Op::Binary(kind, left, right), width), saved + more + even_more))
            }
            Op::Mux { select, .. } => {
                let arms = |&bit: &NodeId| match *graph.op(bit) {
                    Op::Mux { select: other, then, otherwise } if other == select => Some((then, otherwise)),
                    _ => None,
                };
                let arms = bits.iter().map(arms).collect::<Option<Vec<_>>>()?;
                let (then, otherwise): (Vec<_>, Vec<_>) = arms.into_iter().unzip();
                let (then, more) = self.bits(graph, &then, depth)?;
                let (otherwise, even_more) = self.bits(graph, &otherwise, depth)?;
                Some((graph.add(Op::Mux { select, then, otherwise }, width), saved + more + even_more))
            }
            _ => None,
        }
    }
}

/// What bits have in common that may be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// A bit of this value.
    Slice(NodeId),
    Not(Box<Shape>),
    /// Shapes of both operands, in an order of their own.
    Binary(BinaryOp, Box<[Shape; 2]>),
    Mux(NodeId),
    Constant,
    Other,
}

impl Shape {
    fn rank(&self) -> u64 {
        match self {
            Shape::Slice(value) => 8 + value.index() as u64,
            Shape::Not(_) => 4,
            Shape::Binary(..) => 3,
            Shape::Mux(_) => 2,
            Shape::Constant => 1,
            Shape::Other => 0,
        }
    }
}

fn shape(graph: &Graph, bit: NodeId, depth: usize) -> Shape {
    let below = |id: NodeId| if depth == 0 { Shape::Other } else { shape(graph, id, depth - 1) };
    match *graph.op(bit) {
        Op::Slice { value, .. } => Shape::Slice(value),
        Op::Unary(UnaryOp::Not, a) => Shape::Not(Box::new(below(a))),
        Op::Binary(kind @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) => {
            let mut operands = [below(a), below(b)];
            operands.sort_by_key(Shape::rank);
            Shape::Binary(kind, Box::new(operands))
        }
        Op::Mux { select, .. } => Shape::Mux(select),
        Op::Const(_) => Shape::Constant,
        _ => Shape::Other,
    }
}

/// The lowest place of a slice in what computes a bit: bits of a word are merged in their order there.
fn first_place(graph: &Graph, bit: NodeId, depth: usize) -> Option<(NodeId, u32)> {
    match *graph.op(bit) {
        Op::Slice { value, lo } => Some((value, lo)),
        _ if depth == 0 => None,
        Op::Unary(UnaryOp::Not, a) => first_place(graph, a, depth - 1),
        Op::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) | Op::Mux { then: a, otherwise: b, .. } => {
            let both = [a, b].into_iter().filter_map(|operand| first_place(graph, operand, depth - 1));
            both.min()
        }
        _ => None,
    }
}
