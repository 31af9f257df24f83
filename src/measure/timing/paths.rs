//! Where paths end, and the way back from there.

use super::{
    arrival::{Arrival, START},
    evaluation::{EvaluationId, Evaluator},
};
use crate::area::operator_shapes::Shape;
use hdl::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::VecDeque, rc::Rc};

/// An evaluation at a place of the hierarchy.
pub struct Place {
    /// What was computed there.
    pub evaluation: EvaluationId,
    /// Names of instances below the top, with dots between; empty for the top.
    pub path: String,
    /// Where the module is instantiated.
    parent: Option<(Rc<Place>, InstanceId)>,
    /// Per domain of the module, which of the top's it is.
    domains: Vec<DomainId>,
}

/// What samples a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sampler {
    /// A register.
    Register(NetId),
    /// A memory.
    Memory(MemId),
    /// An output of the top.
    Output(NetId),
}

/// The latest bit of what samples.
pub struct End {
    /// Where it is.
    pub place: Rc<Place>,
    /// What it is.
    pub sampler: Sampler,
    /// Domain of the top that it belongs to.
    pub domain: DomainId,
    /// With the setup time, thousandths of an FO4.
    pub time: i32,
    /// Which bit of the evaluation.
    bit: u32,
}

/// An operator on a path.
#[derive(Clone, PartialEq, Debug)]
pub struct PathStep {
    /// Names of instances below the top, with dots between; empty for the top.
    pub place: String,
    /// Kind of the module.
    pub kind: String,
    /// What it does.
    pub operator: String,
    /// Bits of its result.
    pub width: u32,
    /// The net that carries the result, if it has a name.
    pub net: Option<String>,
    /// Where it was described.
    pub source: Source,
    /// When its result is there, thousandths of an FO4.
    pub time: i32,
    /// Levels of logic in it.
    pub levels: u32,
}

/// A path from where a value starts to where it is sampled.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedPath {
    /// Register, memory or input where it starts, with its place.
    pub from: String,
    /// Register, memory or output where it ends, with its place.
    pub to: String,
    /// It starts, and it ends, at a register or memory: not at a port of the top.
    pub ends: (bool, bool),
    /// Domain of the top that it ends in: that of an output is where it comes from.
    pub domain: DomainId,
    /// With the setup time, thousandths of an FO4.
    pub time: i32,
    /// Levels of logic.
    pub levels: u32,
    /// From start to end.
    pub steps: Vec<PathStep>,
}

/// Where a path starts.
struct Start {
    name: String,
    /// At a register or memory, not at an input of the top.
    inside: bool,
    domain: Option<DomainId>,
}

impl Start {
    fn inside(name: String, domain: Option<DomainId>) -> Self {
        Self { name, inside: true, domain }
    }
}

impl Evaluator<'_> {
    /// The latest bit of each register, memory and output: of equal modules with equal inputs once, of equal names in a kind of module the worst,
    /// worst first.
    pub fn ends(&mut self) -> Vec<End> {
        let (sampled, outputs) = self.top();
        let domains: Vec<_> = (0..self.design.top.domains.len() as u32).map(DomainId).collect();
        let top = Rc::new(Place { evaluation: sampled, path: String::new(), parent: None, domains: domains.clone() });
        let mut ends = vec![];
        for evaluation in outputs {
            let place = Place { evaluation, path: String::new(), parent: None, domains: domains.clone() };
            self.outputs(&Rc::new(place), &mut ends);
        }
        let mut todo = VecDeque::from([top]);
        let mut seen = FxHashSet::default();
        while let Some(place) = todo.pop_front() {
            if !seen.insert((place.evaluation, place.domains.clone())) {
                continue;
            }
            self.samplers(&place, &mut ends);
            let evaluation = &self.evaluations[place.evaluation];
            let def = &self.modules[evaluation.module].module;
            for (at, (child, &below)) in def.instances.iter().zip(&evaluation.below).enumerate() {
                let path =
                    if place.path.is_empty() { child.name.clone() } else { format!("{}.{}", place.path, child.name) };
                let parent = Some((place.clone(), InstanceId(at as u32)));
                todo.push_back(Rc::new(Place {
                    evaluation: below,
                    path,
                    parent,
                    domains: child.outer_domains(&place.domains),
                }));
            }
        }
        self.worst(ends)
    }

    fn worst(&self, ends: Vec<End>) -> Vec<End> {
        let mut worst: FxHashMap<(String, String, DomainId), End> = FxHashMap::default();
        for end in ends {
            let def = &self.modules[self.evaluations[end.place.evaluation].module].module;
            let key = (def.kind.clone(), name(def, end.sampler).to_string(), end.domain);
            match worst.get(&key) {
                Some(known) if known.time >= end.time => {}
                _ => _ = worst.insert(key, end),
            }
        }
        let mut ends: Vec<_> = worst.into_iter().collect();
        ends.sort_by(|(a_key, a), (b_key, b)| {
            b.time.cmp(&a.time).then_with(|| (&a_key.0, &a_key.1, a_key.2).cmp(&(&b_key.0, &b_key.1, b_key.2)))
        });
        ends.into_iter().map(|(_, end)| end).collect()
    }

    /// Registers and memories of a module itself.
    fn samplers(&self, place: &Rc<Place>, ends: &mut Vec<End>) {
        let evaluation = &self.evaluations[place.evaluation];
        let timed = &self.modules[evaluation.module];
        let def = &timed.module;
        let model = &self.model;
        let mut add = |sampler, expr: ExprId, domain: DomainId, more: i32| {
            let start = evaluation.plan.offsets[expr.index()];
            let bits = evaluation.of(def, expr).iter().enumerate().filter(|(_, bit)| bit.value().is_none());
            if let Some((at, bit)) = bits.max_by_key(|(at, bit)| (bit.time, std::cmp::Reverse(*at))) {
                let domain = place.domains[domain.index()];
                ends.push(End { place: place.clone(), sampler, domain, time: bit.time + more, bit: start + at as u32 });
            }
        };
        let synchronised: FxHashSet<NetId> =
            def.synchronisers.iter().filter_map(|registers| registers.first().copied()).collect();
        for net in def.registers().filter(|net| timed.used_nets[net.index()] && !synchronised.contains(net)) {
            let NetKind::Register { reset } = &def.net(net).kind else { continue };
            let reset = if reset.is_some() { model.and } else { 0 };
            if let Some(driver) = def.drivers[net.index()] {
                add(Sampler::Register(net), driver, def.net(net).domain, model.setup + reset);
            }
        }
        for write in def.writes.iter().filter(|write| timed.used_memories[write.memory.index()]) {
            let memory = &def.memories[write.memory.index()];
            let sampler = Sampler::Memory(write.memory);
            let (choose, decode) = match timed.arrays[write.memory.index()] {
                Some(_) => (0, 0),
                None => (
                    model.mux,
                    f64::from(index_width(memory.depth)).log2().ceil() as i32 * model.and + model.buffers(memory.width),
                ),
            };
            add(sampler, write.data, memory.domain, model.setup + choose);
            for part in [write.enable, write.address].into_iter().chain(write.mask) {
                add(sampler, part, memory.domain, model.setup + choose + decode);
            }
        }
    }

    /// Outputs of the top that a group has.
    fn outputs(&self, place: &Rc<Place>, ends: &mut Vec<End>) {
        let evaluation = &self.evaluations[place.evaluation];
        let def = &self.modules[evaluation.module].module;
        for &output in &def.outputs {
            let Some(driver) = def.drivers[output.index()] else { continue };
            let start = evaluation.plan.offsets[driver.index()];
            if start == u32::MAX {
                continue;
            }
            let bits = evaluation.of(def, driver).iter().enumerate().filter(|(_, bit)| bit.value().is_none());
            if let Some((at, bit)) = bits.max_by_key(|(at, bit)| (bit.time, std::cmp::Reverse(*at))) {
                let (time, bit) = (bit.time, start + at as u32);
                ends.push(End {
                    place: place.clone(),
                    sampler: Sampler::Output(output),
                    domain: DomainId::DEFAULT,
                    time,
                    bit,
                });
            }
        }
    }

    /// Kind of the child of the top in which it is.
    pub fn part(&self, end: &End) -> Option<String> {
        let mut place = &end.place;
        let mut child = None;
        while let Some((parent, _)) = &place.parent {
            child = Some(place);
            place = parent;
        }
        child.map(|place| self.modules[self.evaluations[place.evaluation].module].module.kind.clone())
    }

    /// The path to an end.
    pub fn path(&self, end: &End) -> TimedPath {
        let def = &self.modules[self.evaluations[end.place.evaluation].module].module;
        let bit = self.evaluations[end.place.evaluation].plan.whose(end.bit).map_or(0, |(_, bit)| bit);
        let to = format!("{}{}", inside(&end.place.path, name(def, end.sampler)), index(def, end.sampler, bit));
        let mut steps = vec![];
        let (mut place, mut at) = (end.place.clone(), end.bit);
        let from = loop {
            match self.step(&mut place, &mut at, &mut steps) {
                None => {}
                Some(from) => break from,
            }
        };
        steps.reverse();
        let levels = steps.iter().map(|step| step.levels).sum();
        let sampled = !matches!(end.sampler, Sampler::Output(_));
        let domain = if sampled { end.domain } else { from.domain.unwrap_or(end.domain) };
        let (from, ends) = (from.name, (from.inside, sampled));
        TimedPath { from, to, ends, domain, time: end.time, levels, steps }
    }

    /// One bit further back; the start, when the path has come to it.
    fn step(&self, place: &mut Rc<Place>, at: &mut u32, steps: &mut Vec<PathStep>) -> Option<Start> {
        let evaluation = &self.evaluations[place.evaluation];
        let timed = &self.modules[evaluation.module];
        let def = &timed.module;
        let Some((id, bit)) = evaluation.plan.whose(*at) else { return Some(Start::inside(place.path.clone(), None)) };
        let arrival = evaluation.bits[*at as usize];
        let expr = def.expr(id);
        let started = |what: &str, domain: DomainId| {
            let domain = place.domains.get(domain.index()).copied();
            Some(Start::inside(format!("{}[{bit}]", inside(&place.path, what)), domain))
        };
        if let Op::Net(net) = &expr.op {
            let about = def.net(*net);
            match about.kind {
                NetKind::Register { .. } => return started(&about.name, about.domain),
                NetKind::Input => {
                    let Some((parent, instance)) = place.parent.clone() else {
                        let name = format!("input {}[{bit}]", about.name);
                        return Some(Start { name, inside: false, domain: None });
                    };
                    let outer = &self.evaluations[parent.evaluation];
                    let outer_def = &self.modules[outer.module].module;
                    let input = def.inputs.iter().position(|port| port == net);
                    let Some(value) = input.and_then(|at| outer_def.instances[instance.index()].inputs[at]) else {
                        return started(&about.name, about.domain);
                    };
                    *at = outer.plan.offsets[value.index()] + bit;
                    *place = parent;
                    return None;
                }
                NetKind::InstanceOutput { instance, output } => {
                    let child = &def.instances[instance.index()];
                    let inner = &self.modules[self.design.index_of(&child.module)];
                    let below = evaluation.children[&(instance, inner.group_of[output as usize])];
                    let port = inner.module.outputs[output as usize];
                    let Some(driver) = inner.module.drivers[port.index()] else {
                        return started(&about.name, about.domain);
                    };
                    let path = inside(&place.path, &child.name);
                    let domains = child.outer_domains(&place.domains);
                    *at = self.evaluations[below].plan.offsets[driver.index()] + bit;
                    *place =
                        Rc::new(Place { evaluation: below, path, parent: Some((place.clone(), instance)), domains });
                    return None;
                }
                NetKind::Wire | NetKind::Output => {}
            }
        } else if timed.root(id, bit) == (id, bit) {
            let before = if arrival.from == START { Arrival::start(0) } else { evaluation.bits[arrival.from as usize] };
            if arrival.time > before.time {
                steps.push(PathStep {
                    place: place.path.clone(),
                    kind: def.kind.clone(),
                    operator: operator(timed.shapes.get(&id), def, expr),
                    width: expr.width,
                    net: timed.names.get(&id).map(|net| def.net(*net).name.clone()),
                    source: expr.source,
                    time: arrival.time,
                    levels: u32::from(arrival.levels.saturating_sub(before.levels)),
                });
            }
            if let (Op::MemRead { memory, .. }, START) = (&expr.op, arrival.from) {
                let memory = &def.memories[memory.index()];
                return started(&memory.name, memory.domain);
            }
        }
        if arrival.from == START {
            // A constant: nothing is waited for.
            return Some(Start::inside(inside(&place.path, "constant"), None));
        }
        *at = arrival.from;
        None
    }
}

fn inside(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

fn name(def: &ModuleDef, sampler: Sampler) -> &str {
    match sampler {
        Sampler::Register(net) | Sampler::Output(net) => &def.net(net).name,
        Sampler::Memory(memory) => &def.memories[memory.index()].name,
    }
}

fn index(def: &ModuleDef, sampler: Sampler, bit: u32) -> String {
    match sampler {
        Sampler::Register(net) | Sampler::Output(net) if def.net(net).width > 1 => format!("[{bit}]"),
        _ => String::new(),
    }
}

/// In a word or two.
fn operator(shape: Option<&Shape>, def: &ModuleDef, expr: &Expr) -> String {
    let of = |id: &ExprId| def.expr(*id).width;
    match shape {
        Some(Shape::Cases { arms, .. }) => return format!("switch of {}", arms.len()),
        Some(Shape::Sum { terms }) => return format!("sum of {}", terms.len()),
        Some(Shape::Below { .. }) => return format!("first of {}", expr.width),
        None => {}
    }
    match &expr.op {
        Op::Unary(UnaryOp::Not, _) => "not".into(),
        Op::Unary(UnaryOp::All, a) => format!("all of {}", of(a)),
        Op::Unary(UnaryOp::Any, a) => format!("any of {}", of(a)),
        Op::Unary(UnaryOp::Parity, a) => format!("parity of {}", of(a)),
        Op::Binary(op, a, _) => match op {
            BinaryOp::And => "and".into(),
            BinaryOp::Or => "or".into(),
            BinaryOp::Xor => "xor".into(),
            BinaryOp::Add => "add".into(),
            BinaryOp::Sub => "subtract".into(),
            BinaryOp::Mul => "multiply".into(),
            BinaryOp::Eq => format!("equal {}", of(a)),
            BinaryOp::Ne => format!("unequal {}", of(a)),
            BinaryOp::LtU => format!("less {}", of(a)),
            BinaryOp::LtS => format!("less {} signed", of(a)),
            BinaryOp::Shl => "shift left".into(),
            BinaryOp::ShrU | BinaryOp::ShrS => "shift right".into(),
        },
        Op::Mux { .. } => "mux".into(),
        Op::SliceAt { value, .. } => format!("part of {}", of(value)),
        Op::MemRead { memory, .. } => {
            let memory = &def.memories[memory.index()];
            format!("read {} of {} words", memory.name, memory.depth)
        }
        Op::Const(_) | Op::Net(_) | Op::Concat(_) | Op::Slice { .. } | Op::Unary(..) => "wire".into(),
    }
}
