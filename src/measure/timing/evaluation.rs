//! Arrival of every bit of a design: each module once for each set of arrivals at its inputs.
//!
//! Chips consist of copies: a core of a chip, a warp of a core sees its inputs when its neighbour does. An
//! [`Evaluation`] is therefore known by its module, its [`Goal`] and the arrivals at the inputs that matter to it, and
//! is made when it is first asked for. Bits say which bit they have waited for, so that a path is read off later
//! ([`super::paths`]).

use super::{
    arrival::{Arrival, Tree},
    delay::DelayModel,
    module::{Goal, Plan, Step, TimedModule},
};
use crate::area::operator_shapes::Shape;
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Which evaluation.
pub type EvaluationId = usize;

/// All bits on the way to a goal.
pub struct Evaluation {
    /// Of which module of the design.
    pub module: usize,
    /// In which order, and where the bits of an expression are.
    pub plan: Rc<Plan>,
    /// Of all expressions.
    pub bits: Vec<Arrival>,
    /// Groups of outputs of children.
    pub children: FxHashMap<(InstanceId, usize), EvaluationId>,
    /// For [`Goal::Sampled`], the same of each child.
    pub below: Vec<EvaluationId>,
}

impl Evaluation {
    /// Bits of an expression.
    pub fn of(&self, module: &ModuleDef, expr: ExprId) -> &[Arrival] {
        let start = self.plan.offsets[expr.index()] as usize;
        &self.bits[start..start + module.expr(expr).width as usize]
    }
}

/// What tells evaluations apart: time and tree of each bit of the inputs that matter.
type Key = (usize, Goal, Vec<(i32, i32, Tree)>);

/// All evaluations of a design.
pub struct Evaluator<'a> {
    /// The design.
    pub design: &'a Design,
    /// Delays.
    pub model: DelayModel,
    /// Per module of the design.
    pub modules: Vec<TimedModule>,
    /// As far as they were asked for.
    pub evaluations: Vec<Evaluation>,
    known: FxHashMap<Key, EvaluationId>,
}

impl<'a> Evaluator<'a> {
    /// Without evaluations.
    pub fn new(design: &'a Design, modules: Vec<TimedModule>, model: DelayModel) -> Self {
        Self { design, model, modules, evaluations: vec![], known: FxHashMap::default() }
    }

    /// The top module, whose inputs come from registers of others: what is sampled in it, and its groups of outputs.
    pub fn top(&mut self) -> (EvaluationId, Vec<EvaluationId>) {
        let top = self.modules.len() - 1;
        let model = self.model;
        let at = |loads: &Vec<u32>| loads.iter().map(|&load| Arrival::start(model.buffers(load))).collect::<Vec<_>>();
        let inputs: Vec<Vec<Arrival>> = self.modules[top].input_loads.iter().map(at).collect();
        let sampled = self.evaluation(top, Goal::Sampled, &|input| inputs[input].clone());
        let groups = 0..self.modules[top].groups.len();
        let outputs = groups.map(|group| self.evaluation(top, Goal::Outputs(group), &|input| inputs[input].clone()));
        (sampled, outputs.collect())
    }

    /// Of a module with its inputs.
    fn evaluation(&mut self, module: usize, goal: Goal, input: &dyn Fn(usize) -> Vec<Arrival>) -> EvaluationId {
        let needed = match goal {
            Goal::Outputs(group) => self.modules[module].groups[group].inputs.clone(),
            Goal::Sampled => (0..self.modules[module].module.inputs.len()).collect(),
        };
        let inputs: FxHashMap<usize, Vec<Arrival>> = needed.iter().map(|&at| (at, input(at))).collect();
        let bits = needed.iter().flat_map(|at| &inputs[at]).map(|bit| (bit.time, bit.chain, bit.tree)).collect();
        let key = (module, goal, bits);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut evaluation = self.compute(module, goal, inputs);
        if goal == Goal::Sampled {
            let def = self.modules[module].module.clone();
            for child in &def.instances {
                let index = self.design.index_of(&child.module);
                let input = |at: usize| child.inputs[at].map_or(vec![], |expr| evaluation.of(&def, expr).to_vec());
                let below = self.evaluation(index, Goal::Sampled, &input);
                evaluation.below.push(below);
            }
        }
        self.evaluations.push(evaluation);
        self.known.insert(key, self.evaluations.len() - 1);
        self.evaluations.len() - 1
    }

    fn compute(&mut self, index: usize, goal: Goal, inputs: FxHashMap<usize, Vec<Arrival>>) -> Evaluation {
        let plan = self.plan(index, goal);
        let def = self.modules[index].module.clone();
        let bits = vec![Arrival::ZERO; plan.bits as usize];
        let mut evaluation =
            Evaluation { module: index, plan: plan.clone(), bits, children: FxHashMap::default(), below: vec![] };
        let position: FxHashMap<NetId, usize> = def.inputs.iter().enumerate().map(|(at, &net)| (net, at)).collect();
        for &step in &plan.steps {
            match step {
                Step::Child(instance, group) => {
                    let child = &def.instances[instance.index()];
                    let input = |at: usize| child.inputs[at].map_or(vec![], |expr| evaluation.of(&def, expr).to_vec());
                    let of = self.evaluation(self.design.index_of(&child.module), Goal::Outputs(group), &input);
                    evaluation.children.insert((instance, group), of);
                }
                Step::Expression(id) => {
                    let found = match &def.expr(id).op {
                        Op::Net(net) => {
                            self.net(index, &evaluation, *net, position.get(net).and_then(|at| inputs.get(at)))
                        }
                        _ => Operation { model: &self.model, timed: &self.modules[index], evaluation: &evaluation }
                            .of(id),
                    };
                    let start = plan.offsets[id.index()] as usize;
                    let timed = &self.modules[index];
                    for (bit, mut arrival) in found.into_iter().enumerate() {
                        let (root, at) = timed.root(id, bit as u32);
                        if (root, at) != (id, bit as u32) {
                            let from = plan.offsets[root.index()] + at;
                            evaluation.bits[start + bit] = Arrival { from, ..evaluation.bits[from as usize] };
                            continue;
                        }
                        let load = timed.load(id, bit as u32);
                        if load > 1 && arrival.value().is_none() {
                            arrival.tree = Tree::None;
                            // Those of an input stand outside.
                            let outside =
                                matches!(def.expr(id).op, Op::Net(net) if def.net(net).kind == NetKind::Input);
                            arrival.time += if outside { 0 } else { self.model.buffers(load) };
                        }
                        evaluation.bits[start + bit] = arrival;
                    }
                }
            }
        }
        evaluation
    }

    fn plan(&mut self, index: usize, goal: Goal) -> Rc<Plan> {
        let (before, rest) = self.modules.split_at_mut(index);
        let before = &*before;
        let design = self.design;
        rest[0].plan(goal, &|child: &Module| &before[design.index_of(child)])
    }

    /// What a net carries; `input`: of an input.
    fn net(&self, index: usize, evaluation: &Evaluation, net: NetId, input: Option<&Vec<Arrival>>) -> Vec<Arrival> {
        let def = &self.modules[index].module;
        let about = def.net(net);
        match about.kind {
            NetKind::Input => {
                let bit = |bit: &Arrival| bit.entering();
                input.map_or(vec![Arrival::start(0); about.width as usize], |bits| bits.iter().map(bit).collect())
            }
            NetKind::Register { .. } => vec![Arrival::start(self.model.clock_to_q); about.width as usize],
            // By its roots.
            NetKind::Wire | NetKind::Output => vec![Arrival::ZERO; about.width as usize],
            NetKind::InstanceOutput { instance, output } => {
                let child = &self.modules[self.design.index_of(&def.instances[instance.index()].module)];
                let of = &self.evaluations[evaluation.children[&(instance, child.group_of[output as usize])]];
                let port = child.module.outputs[output as usize];
                let bit = |bit: &Arrival| bit.entering();
                match child.module.drivers[port.index()] {
                    Some(driver) => of.of(&child.module, driver).iter().map(bit).collect(),
                    None => vec![Arrival::ZERO; about.width as usize],
                }
            }
        }
    }
}

/// An expression that is not a net.
struct Operation<'a> {
    model: &'a DelayModel,
    timed: &'a TimedModule,
    evaluation: &'a Evaluation,
}

impl Operation<'_> {
    /// Bits of an operand, each as the one that is waited for.
    fn operand(&self, id: ExprId) -> Vec<Arrival> {
        let start = self.evaluation.plan.offsets[id.index()];
        let bits = self.evaluation.of(&self.timed.module, id).iter().enumerate();
        bits.map(|(at, bit)| Arrival { from: start + at as u32, ..*bit }).collect()
    }

    fn of(&self, id: ExprId) -> Vec<Arrival> {
        let (m, expr) = (self.model, self.timed.module.expr(id));
        let width = expr.width as usize;
        match self.timed.shapes.get(&id) {
            Some(Shape::Cases { arms, default }) => return self.cases(arms, *default),
            Some(Shape::Sum { terms }) => {
                let not = |word: Vec<Arrival>| word.into_iter().map(Arrival::complement).collect::<Vec<_>>();
                let terms = terms
                    .iter()
                    .map(|(term, negative)| if *negative { not(self.operand(*term)) } else { self.operand(*term) });
                return m.sum(terms.collect(), width);
            }
            Some(Shape::Below { of, with_bit }) => return m.below(&self.operand(*of), *with_bit),
            None => {}
        }
        match &expr.op {
            Op::Net(_) => vec![],
            Op::Const(bits) => (0..expr.width).map(|bit| Arrival::constant(bits.bit(bit))).collect(),
            Op::Slice { value, lo } => self.operand(*value)[*lo as usize..*lo as usize + width].to_vec(),
            Op::Concat(parts) => parts.iter().rev().flat_map(|part| self.operand(*part)).collect(),
            Op::Unary(op, a) => {
                let a = self.operand(*a);
                match op {
                    UnaryOp::Not => a.into_iter().map(Arrival::complement).collect(),
                    UnaryOp::All => vec![m.and(a)],
                    UnaryOp::Any => vec![m.or(a)],
                    UnaryOp::Parity => vec![m.xor(a)],
                    UnaryOp::ZeroExtend | UnaryOp::SignExtend => {
                        let top = a.last().copied().unwrap_or(Arrival::ZERO);
                        let fill = if *op == UnaryOp::SignExtend { top } else { Arrival::ZERO };
                        let more = width - a.len();
                        a.into_iter().chain(std::iter::repeat_n(fill, more)).collect()
                    }
                }
            }
            Op::Mux { select, then, otherwise } => {
                let select = self.operand(*select)[0];
                let arms = self.operand(*then).into_iter().zip(self.operand(*otherwise));
                arms.map(|(then, otherwise)| m.choose(select, then, otherwise)).collect()
            }
            Op::SliceAt { value, offset } => {
                m.shift_right(&self.operand(*value), &self.operand(*offset), width, Arrival::ZERO)
            }
            Op::MemRead { memory, address } => vec![self.read(*memory, &self.operand(*address)); width],
            Op::Binary(op, a, b) => self.binary(*op, self.operand(*a), self.operand(*b)),
        }
    }

    fn binary(&self, op: BinaryOp, mut a: Vec<Arrival>, mut b: Vec<Arrival>) -> Vec<Arrival> {
        let m = self.model;
        let zip = |f: &dyn Fn([Arrival; 2]) -> Arrival| a.iter().zip(&b).map(|(&a, &b)| f([a, b])).collect();
        let not = |word: Vec<Arrival>| word.into_iter().map(Arrival::complement).collect::<Vec<_>>();
        match op {
            BinaryOp::And => zip(&|pair| m.and(pair)),
            BinaryOp::Or => zip(&|pair| m.or(pair)),
            BinaryOp::Xor => zip(&|pair| m.xor(pair)),
            BinaryOp::Add => m.add(&a, &b, Arrival::ZERO),
            BinaryOp::Sub => m.add(&a, &not(b), Arrival::ONE),
            BinaryOp::Mul => m.multiply(&a, &b),
            BinaryOp::Eq => vec![m.equal(&a, &b)],
            BinaryOp::Ne => vec![m.equal(&a, &b).complement()],
            BinaryOp::LtU => vec![m.carry_out(&a, &not(b), true).complement()],
            BinaryOp::LtS => {
                // With the signs the other way round it is the same comparison.
                for word in [&mut a, &mut b] {
                    word.last_mut().into_iter().for_each(|sign| *sign = sign.complement());
                }
                vec![m.carry_out(&a, &not(b), true).complement()]
            }
            BinaryOp::Shl => m.shift_left(&a, &b),
            BinaryOp::ShrU => m.shift_right(&a, &b, a.len(), Arrival::ZERO),
            BinaryOp::ShrS => m.shift_right(&a, &b, a.len(), a.last().copied().unwrap_or(Arrival::ZERO)),
        }
    }

    /// One of several, whose conditions exclude each other: all at a time.
    fn cases(&self, arms: &[(ExprId, ExprId)], default: ExprId) -> Vec<Arrival> {
        let m = self.model;
        let arms: Vec<_> =
            arms.iter().map(|(select, value)| (self.operand(*select)[0], self.operand(*value))).collect();
        let none = m.and(arms.iter().map(|(select, _)| select.complement()));
        let bit = |(at, default): (usize, Arrival)| {
            let taken = arms.iter().map(|(select, value)| m.and([*select, value[at]]));
            m.or(taken.chain([m.and([none, default])]))
        };
        self.operand(default).into_iter().enumerate().map(bit).collect()
    }

    /// A word of a memory; a constant address costs nothing.
    fn read(&self, memory: MemId, address: &[Arrival]) -> Arrival {
        let about = &self.timed.module.memories[memory.index()];
        match self.timed.arrays[memory.index()] {
            Some(access) => {
                let latest = address.iter().copied().reduce(Arrival::later).unwrap_or(Arrival::ZERO);
                if latest.value().is_some() { Arrival::start(access) } else { latest.after(access, 1) }
            }
            None => self.model.read_cells(about.depth, about.width, address),
        }
    }
}
