//! What timing needs to know of a module, whatever its inputs: what its bits drive, in which order it is computed, and
//! which outputs depend on which inputs.
//!
//! Outputs that depend on the same inputs are a *group*: they are computed together, as soon as these inputs are known.
//! So a module may be entered several times within a cycle, as the netlist itself may.

use crate::area::operator_shapes::{Shape, shapes};
use crate::area::structure::{Counting, Used};
use hdl::*;
use netlist::Elaborated;
use rustc_hash::FxHashMap;
use std::{collections::BTreeSet, rc::Rc};

/// Outputs that depend on the same inputs.
#[derive(Clone, Debug)]
pub struct Group {
    /// Positions in the module's inputs.
    pub inputs: Vec<usize>,
    /// Positions in the module's outputs.
    pub outputs: Vec<usize>,
}

/// What is computed of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The outputs of a group.
    Outputs(usize),
    /// All that is sampled at a clock edge, here and in children.
    Sampled,
}

/// A step towards a goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// An expression, all of whose operands are there.
    Expression(ExprId),
    /// A group of outputs of a child.
    Child(InstanceId, usize),
}

/// The way to a goal.
#[derive(Debug)]
pub struct Plan {
    /// In this order.
    pub steps: Vec<Step>,
    /// Where the bits of each expression begin in an evaluation; `u32::MAX` for one that is not in it.
    pub offsets: Vec<u32>,
    /// Bits of all.
    pub bits: u32,
    /// Expressions in order of their first bits.
    begins: Vec<(u32, ExprId)>,
}

impl Plan {
    /// Whose bit it is, and which of its bits.
    pub fn whose(&self, bit: u32) -> Option<(ExprId, u32)> {
        let at = self.begins.partition_point(|(start, _)| *start <= bit).checked_sub(1)?;
        let (start, id) = self.begins[at];
        Some((id, bit - start))
    }
}

/// A module as timing sees it.
#[derive(Debug)]
pub struct TimedModule {
    /// The module.
    pub module: Module,
    /// Per expression, net, memory: something outside of probes and assertions depends on it.
    pub used_nets: Vec<bool>,
    /// Likewise.
    pub used_memories: Vec<bool>,
    /// Per memory: it is an array, and its access takes so long, thousandths of an FO4.
    pub arrays: Vec<Option<i32>>,
    /// Groups of outputs.
    pub groups: Vec<Group>,
    /// Per output, its group.
    pub group_of: Vec<usize>,
    /// Expressions that are more than their operator.
    pub shapes: FxHashMap<ExprId, Shape>,
    /// Per input, per bit: how many inputs of gates it drives.
    pub input_loads: Vec<Vec<u32>>,
    /// Net that an expression drives, for its name.
    pub names: FxHashMap<ExprId, NetId>,
    first: Vec<u32>,
    loads: Vec<u32>,
    /// Per bit, which bit it is by another name.
    roots: Vec<(ExprId, u32)>,
    plans: FxHashMap<Goal, Rc<Plan>>,
}

/// Looks up a child of a module.
type Children<'a> = &'a dyn Fn(&Module) -> &'a TimedModule;

impl TimedModule {
    /// Of a module whose children are known; `access`: of an array of so many words of so many bits.
    pub fn new(
        about: &Elaborated,
        counting: &Counting,
        access: &dyn Fn(usize, u32) -> i32,
        children: Children<'_>,
    ) -> Self {
        let module = &about.module;
        let used = Used::of(module);
        let Used { exprs, nets: used_nets, memories: used_memories, .. } = &used;
        let (groups, group_of) = groups(&about.dependencies.through);
        let mut first = vec![0u32; module.exprs.len() + 1];
        for (i, expr) in module.exprs.iter().enumerate() {
            first[i + 1] = first[i] + if exprs[i] { expr.width } else { 0 };
        }
        let array = |memory: &Memory| {
            counting.is_array(memory.depth as u64 * u64::from(memory.width)).then(|| access(memory.depth, memory.width))
        };
        let mut timed = Self {
            shapes: shapes(module, &used),
            arrays: module.memories.iter().map(array).collect(),
            input_loads: vec![],
            names: FxHashMap::default(),
            loads: vec![0; first[module.exprs.len()] as usize],
            roots: vec![(ExprId(0), 0); first[module.exprs.len()] as usize],
            plans: FxHashMap::default(),
            module: module.clone(),
            used_nets: used_nets.clone(),
            used_memories: used_memories.clone(),
            groups,
            group_of,
            first,
        };
        for (i, driver) in module.drivers.iter().enumerate() {
            if let (Some(driver), NetKind::Wire | NetKind::Output) = (driver, &module.nets[i].kind) {
                timed.names.entry(*driver).or_insert(NetId(i as u32));
            }
        }
        timed.count_loads(children);
        timed
    }

    /// What a bit of an expression drives.
    pub fn load(&self, expr: ExprId, bit: u32) -> u32 {
        self.loads.get((self.first[expr.index()] + bit) as usize).copied().unwrap_or(0)
    }

    /// Which bit it is by another name: itself, or one that it is sliced, joined or extended from, or that both arms of a multiplexer are (a
    /// word of which a part is assigned is chosen as a whole).
    pub fn root(&self, expr: ExprId, bit: u32) -> (ExprId, u32) {
        self.roots.get((self.first[expr.index()] + bit) as usize).copied().unwrap_or((expr, bit))
    }

    /// The way to a goal, made when it is first asked for.
    pub fn plan(&mut self, goal: Goal, children: Children<'_>) -> Rc<Plan> {
        if let Some(plan) = self.plans.get(&goal) {
            return plan.clone();
        }
        let plan = Rc::new(self.make(self.roots(goal), children));
        self.plans.insert(goal, plan.clone());
        plan
    }

    fn roots(&self, goal: Goal) -> Vec<ExprId> {
        let module = &self.module;
        match goal {
            Goal::Outputs(group) => {
                let outputs = self.groups[group].outputs.iter().map(|&output| module.outputs[output]);
                outputs.filter_map(|net| module.drivers[net.index()]).collect()
            }
            Goal::Sampled => {
                let registers = module.registers().filter(|net| self.used_nets[net.index()]);
                let registers = registers.filter_map(|net| module.drivers[net.index()]);
                let writes = module.writes.iter().filter(|write| self.used_memories[write.memory.index()]);
                let writes = writes.flat_map(|w| [w.enable, w.address, w.data].into_iter().chain(w.mask));
                let inputs = module.instances.iter().flat_map(|child| child.inputs.iter().copied().flatten());
                registers.chain(writes).chain(inputs).collect()
            }
        }
    }

    /// What has to be there before a step.
    fn before(&self, step: Step, children: Children<'_>) -> Vec<Step> {
        let module = &self.module;
        match step {
            Step::Child(instance, group) => {
                let child = &module.instances[instance.index()];
                let inputs = children(&child.module).groups[group].inputs.iter();
                inputs.filter_map(|&input| child.inputs[input]).map(Step::Expression).collect()
            }
            Step::Expression(id) => match &module.expr(id).op {
                Op::Net(net) => match module.net(*net).kind {
                    NetKind::Wire | NetKind::Output => {
                        module.drivers[net.index()].map(Step::Expression).into_iter().collect()
                    }
                    NetKind::InstanceOutput { instance, output } => {
                        let child = children(&module.instances[instance.index()].module);
                        vec![Step::Child(instance, child.group_of[output as usize])]
                    }
                    NetKind::Input | NetKind::Register { .. } => vec![],
                },
                op => {
                    let mut found = vec![];
                    self.each_operand(id, op, |operand| found.push(Step::Expression(operand)));
                    found
                }
            },
        }
    }

    /// Those of the whole shape where it has one.
    fn each_operand(&self, id: ExprId, op: &Op, mut visit: impl FnMut(ExprId)) {
        match self.shapes.get(&id) {
            Some(Shape::Cases { arms, default }) => {
                arms.iter().for_each(|(select, value)| [*select, *value].into_iter().for_each(&mut visit));
                visit(*default);
            }
            Some(Shape::Below { of, .. }) => visit(*of),
            Some(Shape::Sum { terms }) => terms.iter().for_each(|(term, _)| visit(*term)),
            None => op.for_each_operand(visit),
        }
    }

    /// Depth-first, without recursion: chains are long.
    fn make(&self, roots: Vec<ExprId>, children: Children<'_>) -> Plan {
        let mut plan =
            Plan { steps: vec![], offsets: vec![u32::MAX; self.module.exprs.len()], bits: 0, begins: vec![] };
        let mut seen: BTreeSet<(u32, usize)> = BTreeSet::new();
        let mut reached = vec![false; self.module.exprs.len()];
        let mut todo: Vec<(Step, bool)> = roots.into_iter().rev().map(|id| (Step::Expression(id), false)).collect();
        while let Some((step, ready)) = todo.pop() {
            if ready {
                if let Step::Expression(id) = step {
                    plan.offsets[id.index()] = plan.bits;
                    plan.begins.push((plan.bits, id));
                    plan.bits += self.module.expr(id).width;
                }
                plan.steps.push(step);
                continue;
            }
            let new = match step {
                Step::Expression(id) => !std::mem::replace(&mut reached[id.index()], true),
                Step::Child(instance, group) => seen.insert((instance.0, group)),
            };
            if new {
                todo.push((step, true));
                todo.extend(self.before(step, children).into_iter().map(|step| (step, false)));
            }
        }
        plan
    }

    /// Users first: what only gives a bit another name hands on what that drives.
    fn count_loads(&mut self, children: Children<'_>) {
        let module = self.module.clone();
        let outputs = module.outputs.iter().filter_map(|net| module.drivers[net.index()]);
        let mut roots = self.roots(Goal::Sampled);
        roots.extend(outputs.clone());
        let plan = self.make(roots, children);
        for step in &plan.steps {
            if let Step::Expression(id) = step {
                self.find_roots(*id);
            }
        }
        outputs.for_each(|driver| self.drive(driver, 1));
        for net in module.registers().filter(|net| self.used_nets[net.index()]).collect::<Vec<_>>() {
            module.drivers[net.index()].into_iter().for_each(|driver| self.drive(driver, 1));
        }
        for write in &module.writes {
            let memory = write.memory.index();
            if !self.used_memories[memory] {
                continue;
            }
            let words = if self.arrays[memory].is_some() { 1 } else { module.memories[memory].depth as u32 };
            self.drive(write.data, words);
            [write.enable, write.address].into_iter().chain(write.mask).for_each(|part| self.drive(part, words));
        }
        for child in &module.instances {
            let timed = children(&child.module);
            for (input, loads) in child.inputs.iter().zip(&timed.input_loads) {
                let Some(input) = input else { continue };
                let start = self.first[input.index()] as usize;
                self.loads[start..].iter_mut().zip(loads).for_each(|(load, more)| *load += more);
            }
        }
        for step in plan.steps.iter().rev() {
            if let Step::Expression(id) = step {
                self.hand_on(*id);
            }
        }
        let mut loads: FxHashMap<NetId, Vec<u32>> = FxHashMap::default();
        for (i, expr) in module.exprs.iter().enumerate() {
            if let (Op::Net(net), true) = (&expr.op, self.first[i] < self.first[i + 1]) {
                loads.insert(*net, self.loads[self.first[i] as usize..self.first[i + 1] as usize].to_vec());
            }
        }
        let none = |net: &NetId| vec![0; module.net(*net).width as usize];
        self.input_loads = module.inputs.iter().map(|net| loads.remove(net).unwrap_or_else(|| none(net))).collect();
    }

    fn drive(&mut self, expr: ExprId, more: u32) {
        let range = self.first[expr.index()] as usize..self.first[expr.index() + 1] as usize;
        self.loads[range].iter_mut().for_each(|load| *load += more);
    }

    /// Operands first.
    fn find_roots(&mut self, id: ExprId) {
        let module = self.module.clone();
        let expr = module.expr(id);
        let of = |id: ExprId, bit: u32| self.root(id, bit);
        let width = |id: ExprId| module.expr(id).width;
        let roots: Vec<(ExprId, u32)> = match (&expr.op, self.shapes.get(&id)) {
            (_, Some(Shape::Below { .. } | Shape::Sum { .. })) => return self.are_roots(id),
            (_, Some(Shape::Cases { arms, default })) => {
                let same = |bit: u32| arms.iter().all(|(_, value)| of(*value, bit) == of(*default, bit));
                (0..expr.width).map(|bit| if same(bit) { of(*default, bit) } else { (id, bit) }).collect()
            }
            (Op::Net(net), _) => match (&module.net(*net).kind, module.drivers[net.index()]) {
                (NetKind::Wire | NetKind::Output, Some(driver)) => (0..expr.width).map(|bit| of(driver, bit)).collect(),
                _ => return self.are_roots(id),
            },
            (Op::Slice { value, lo }, _) => (0..expr.width).map(|bit| of(*value, lo + bit)).collect(),
            (Op::Concat(parts), _) => parts
                .iter()
                .rev()
                .flat_map(|part| (0..width(*part)).map(move |bit| (*part, bit)))
                .map(|(part, bit)| of(part, bit))
                .collect(),
            (Op::Unary(op @ (UnaryOp::ZeroExtend | UnaryOp::SignExtend), value), _) => {
                let inner = width(*value);
                let beyond = |bit: u32| if *op == UnaryOp::SignExtend { of(*value, inner - 1) } else { (id, bit) };
                (0..expr.width).map(|bit| if bit < inner { of(*value, bit) } else { beyond(bit) }).collect()
            }
            (Op::Mux { then, otherwise, .. }, _) => {
                let choose = |bit: u32| if of(*then, bit) == of(*otherwise, bit) { of(*then, bit) } else { (id, bit) };
                (0..expr.width).map(choose).collect()
            }
            _ => return self.are_roots(id),
        };
        let start = self.first[id.index()] as usize;
        self.roots[start..start + roots.len()].copy_from_slice(&roots);
    }

    fn are_roots(&mut self, id: ExprId) {
        for bit in 0..self.module.expr(id).width {
            self.roots[(self.first[id.index()] + bit) as usize] = (id, bit);
        }
    }

    fn hand_on(&mut self, id: ExprId) {
        let module = self.module.clone();
        let expr = module.expr(id);
        let width = expr.width;
        let mut own = 0;
        for bit in 0..width {
            let (root, at) = self.root(id, bit);
            if (root, at) == (id, bit) {
                own += 1;
                continue;
            }
            let more = self.loads[(self.first[id.index()] + bit) as usize];
            self.loads[(self.first[root.index()] + at) as usize] += more;
        }
        if own == 0 {
            return;
        }
        let constant = |id: &ExprId| matches!(module.expr(*id).op, Op::Const(_));
        match self.shapes.get(&id).cloned() {
            Some(Shape::Cases { arms, default }) => {
                for (select, value) in &arms {
                    self.drive(*select, if constant(value) { width.div_ceil(2) } else { width });
                    self.drive(*value, 1);
                }
                return self.drive(default, 1);
            }
            Some(Shape::Below { of, .. }) => return self.drive(of, 2),
            Some(Shape::Sum { terms }) => return terms.iter().for_each(|(term, _)| self.drive(*term, 2)),
            None => {}
        }
        match &expr.op {
            Op::Const(_) | Op::Net(_) | Op::Slice { .. } | Op::Concat(_) => {}
            Op::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, _) => {}
            Op::Unary(_, value) => self.drive(*value, 1),
            Op::Mux { select, then, otherwise } => {
                self.drive(*select, own);
                for bit in (0..width).filter(|&bit| self.root(id, bit) == (id, bit)).collect::<Vec<_>>() {
                    self.loads[(self.first[then.index()] + bit) as usize] += 1;
                    self.loads[(self.first[otherwise.index()] + bit) as usize] += 1;
                }
            }
            // What an address drives is part of the read.
            Op::MemRead { address, .. } => self.drive(*address, 1),
            Op::SliceAt { value, offset } => {
                self.drive(*value, 2);
                self.drive(*offset, width);
            }
            Op::Binary(op, a, b) => {
                let (for_a, for_b) = match op {
                    BinaryOp::Mul => (width, width),
                    BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS => (2, width),
                    BinaryOp::Add | BinaryOp::Sub => (2, 2),
                    _ => (1, 1),
                };
                self.drive(*a, for_a);
                self.drive(*b, for_b);
            }
        }
    }
}

fn groups(through: &[BTreeSet<usize>]) -> (Vec<Group>, Vec<usize>) {
    let mut groups: Vec<Group> = vec![];
    let mut known: FxHashMap<&BTreeSet<usize>, usize> = FxHashMap::default();
    let mut group_of = vec![];
    for (output, inputs) in through.iter().enumerate() {
        let at = *known.entry(inputs).or_insert_with(|| {
            groups.push(Group { inputs: inputs.iter().copied().collect(), outputs: vec![] });
            groups.len() - 1
        });
        groups[at].outputs.push(output);
        group_of.push(at);
    }
    (groups, group_of)
}
