//! From the plan of a module to a function of values and effects.
//!
//! Nets disappear here: an expression that reads a net computed in the same phase uses the value that drives it, across
//! the borders of inlined children too; any other net is read from its place in the state.

use super::ir::{Call, CallKey, CallKind, Effect, Function, NodeId, Op};
use crate::{
    equivalence::ModuleClasses,
    layout::{Area, Bases, Layout, Place},
    plan::{Origin, Part, Plan, Unit, origin},
    source::Observed,
};
use hdl::{self, ExprId, ModuleDef, NetId, NetKind};
use netlist::Design;
use rustc_hash::FxHashMap;

/// What functions are made from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub plans: &'a [Plan],
    /// Calls are of the first of the modules that are equal.
    pub classes: &'a ModuleClasses,
    /// Nets (module and net) that must be in their places after every evaluation, as somebody looks at them.
    pub observed: &'a Observed,
    /// Per module: calling it has no effect but its results.
    pub pure: &'a [bool],
}

impl<'a> Source<'a> {
    /// Nets of a module that are observed.
    pub fn observed_in(&self, module: usize) -> impl Iterator<Item = NetId> + use<'a> {
        self.observed.range((module, NetId(0))..(module + 1, NetId(0))).map(|&(_, net)| net)
    }
}

/// An expression of a part.
type Key = (usize, ExprId);

/// Where a value in the storage comes from: output (position in the module's outputs) of a called child.
pub(crate) type ChildOutput = (usize, u32);

/// A lowered phase.
pub(crate) struct Lowered {
    pub function: Function,
    /// Per place in the storage that a called child's output has: which output.
    pub outputs: FxHashMap<u32, ChildOutput>,
}

/// Lowers the units of a phase of `module`; `early` tells which phase it is.
pub(crate) fn lower(source: Source, module: usize, early: bool, share: bool) -> Lowered {
    let plan = &source.plans[module];
    let mut lowering = Lowering {
        source,
        plan,
        function: Function::new(share),
        values: FxHashMap::default(),
        nets: FxHashMap::default(),
        calls: FxHashMap::default(),
        outputs: FxHashMap::default(),
    };
    for &unit in if early { &plan.early } else { &plan.late } {
        lowering.unit(unit);
    }
    lowering.keep_all(module);
    Lowered { function: lowering.function, outputs: lowering.outputs }
}

struct Lowering<'a> {
    source: Source<'a>,
    plan: &'a Plan,
    function: Function,
    /// Nodes of expressions.
    values: FxHashMap<Key, NodeId>,
    /// Values of nets computed in this phase.
    nets: FxHashMap<(usize, NetId), NodeId>,
    /// Calls made so far.
    calls: FxHashMap<CallKey, u32>,
    outputs: FxHashMap<u32, ChildOutput>,
}

impl<'a> Lowering<'a> {
    fn part(&self, part: usize) -> &'a Part {
        &self.plan.parts[part]
    }

    fn module(&self, part: usize) -> &'a ModuleDef {
        &self.source.design.modules[self.part(part).module].module
    }

    fn layout(&self, part: usize) -> &'a Layout {
        &self.source.layouts[self.part(part).module]
    }

    /// Place of a net of a part, relative to the module.
    fn place(&self, part: usize, net: NetId) -> Place {
        self.part(part).bases.of(self.layout(part).places[net.index()])
    }

    /// Place of a called child, and the module whose code it runs.
    fn child(&self, part: usize, instance: usize) -> (Bases, usize) {
        let bases = self.part(part).bases.then(self.layout(part).children[instance]);
        (bases, self.source.classes.of(self.source.design.index_of(&self.module(part).instances[instance].module)))
    }

    fn unit(&mut self, unit: Unit) {
        match unit {
            Unit::Net(part, net) => self.net_unit(part, net),
            // Its blocks are computed; who reads it chooses.
            Unit::Chosen(..) => {}
            Unit::Early(part, instance) => {
                let (bases, module) = self.child(part, instance);
                let elsewhere = part == 0 && self.plan.elsewhere.contains_key(&instance);
                let kind = if elsewhere { CallKind::Tile } else { CallKind::Early };
                let call = Call { kind, part, instance, module, bases, inputs: vec![], pure: false, needed: vec![] };
                self.call(CallKey { part, instance, early: true }, call);
            }
            Unit::Late(part, instance) => self.late(part, instance),
            Unit::Next(part, net) => {
                if let Some(driver) = self.module(part).drivers[net.index()] {
                    let value = self.value((part, driver));
                    let offset = self.place(part, net).offset;
                    self.function.effects.push(Effect::Next { offset, value });
                }
            }
            Unit::Write(part, index) => {
                let port = &self.module(part).writes[index];
                let [enable, address, data] = [port.enable, port.address, port.data].map(|e| self.value((part, e)));
                let mask = port.mask.map(|mask| self.value((part, mask)));
                self.function.effects.push(Effect::Write { part, index, enable, address, data, mask });
            }
            Unit::Probe(part, index) => {
                let probe = &self.module(part).probes[index];
                let enable = self.value((part, probe.enable));
                let value = probe.value.map(|value| self.value((part, value)));
                self.function.effects.push(Effect::Probe { part, index, enable, value });
            }
            Unit::Assertion(part, index) => {
                let condition = self.value((part, self.module(part).assertions[index].condition));
                self.function.effects.push(Effect::Assertion { part, index, condition });
            }
        }
    }

    /// A wire or output, or an input of an inlined child.
    fn net_unit(&mut self, part: usize, net: NetId) {
        let module = self.module(part);
        let driver = match (&module.net(net).kind, self.part(part).parent) {
            (NetKind::Input, Some((parent, instance))) => {
                let position = module.inputs.iter().position(|&n| n == net).expect("inputs are listed");
                self.module(parent).instances[instance].inputs[position].map(|e| (parent, e))
            }
            _ => module.drivers[net.index()].map(|e| (part, e)),
        };
        if let Some(driver) = driver {
            let value = self.value(driver);
            self.nets.insert((part, net), value);
            self.function.effects.push(Effect::Store { offset: self.place(part, net).offset, value });
        }
    }

    fn late(&mut self, part: usize, instance: usize) {
        let (bases, module) = self.child(part, instance);
        let layout = &self.source.layouts[module];
        let ports = &self.source.design.modules[module].module.inputs;
        let mut inputs = vec![];
        // Another engine may read only some of them.
        let elsewhere = self.plan.elsewhere.get(&instance).filter(|_| part == 0);
        let values = &self.module(part).instances[instance].inputs;
        for (position, (&port, &value)) in ports.iter().zip(values).enumerate() {
            if let Some(value) = value.filter(|_| elsewhere.is_none_or(|read| read.positions.contains(&position))) {
                inputs.push((bases.of(layout.places[port.index()]).offset, self.value((part, value))));
            }
        }
        let kind = match self.source.plans[module].intrinsic {
            _ if elsewhere.is_some() || part == 0 && self.plan.tiles.contains(&instance) => CallKind::Tile,
            Some(_) => CallKind::Intrinsic,
            None => CallKind::Late,
        };
        let pure = self.source.pure[module] && kind != CallKind::Tile;
        let call = Call { kind, part, instance, module, bases, inputs, pure, needed: vec![] };
        self.call(CallKey { part, instance, early: false }, call);
    }

    fn call(&mut self, key: CallKey, call: Call) {
        let number = self.function.calls.len();
        self.function.calls.push(call);
        self.function.effects.push(Effect::Call(number));
        self.calls.insert(key, number as u32);
    }

    /// A net that shows an output of a called child has its place there: the child must leave it, if the net is wanted.
    fn keep(&mut self, part: usize, net: NetId) {
        if let Origin::Called(part, instance, output) = self.origin(part, net) {
            let value = self.called(part, instance, output);
            if let Op::Result { offset, .. } = *self.function.graph.op(value) {
                self.function.effects.push(Effect::Keep { offset, value });
            }
        }
    }

    /// Outputs of the module, and nets that are observed.
    fn keep_all(&mut self, module: usize) {
        for &net in &self.source.design.modules[module].module.outputs {
            self.keep(0, net);
        }
        for part in 0..self.plan.parts.len() {
            let source = self.source;
            source.observed_in(self.part(part).module).for_each(|net| self.keep(part, net));
        }
    }

    fn origin(&self, part: usize, net: NetId) -> Origin {
        origin(self.source.design, self.source.layouts, &self.plan.parts, part, net)
    }

    /// The value of a net.
    fn net(&mut self, part: usize, net: NetId) -> NodeId {
        match self.origin(part, net) {
            Origin::Stored(part, net) => self.stored(part, net),
            Origin::Net(part, net) => match self.nets.get(&(part, net)) {
                Some(&value) => value,
                None => self.stored(part, net), // computed early
            },
            Origin::Called(part, instance, output) => self.called(part, instance, output),
            Origin::Chosen(part, instance, output) => self.chosen(part, instance, output),
        }
    }

    /// An output of one of several blocks.
    fn chosen(&mut self, part: usize, instance: usize, output: u32) -> NodeId {
        let mut chosen = None;
        for (select, block) in self.part(part).blocks_at(instance) {
            let port = self.module(block).outputs[output as usize];
            let value = self.net(block, port);
            chosen = match (chosen, select) {
                (Some(otherwise), Some(select)) => {
                    let width = self.module(block).net(port).width;
                    let select = self.function.graph.add(Op::Stored(select), 1);
                    Some(self.function.graph.add(Op::Mux { select, then: value, otherwise }, width))
                }
                _ => Some(value),
            };
        }
        chosen.expect("the first block is inlined")
    }

    fn stored(&mut self, part: usize, net: NetId) -> NodeId {
        let Place { area, offset } = self.place(part, net);
        let op = if area == Area::Registers { Op::Register(offset) } else { Op::Stored(offset) };
        self.function.graph.add(op, self.module(part).net(net).width)
    }

    fn called(&mut self, part: usize, instance: usize, output: u32) -> NodeId {
        let (bases, module) = self.child(part, instance);
        let child = &self.source.design.modules[module];
        let port = child.module.outputs[output as usize];
        let Place { area, offset } = bases.of(self.source.layouts[module].places[port.index()]);
        let early =
            self.source.plans[module].intrinsic.is_none() && child.dependencies.through[output as usize].is_empty();
        let op = match (area, self.calls.get(&CallKey { part, instance, early })) {
            (Area::Registers, _) => Op::Register(offset),
            (Area::Storage, Some(&call)) => Op::Result { call, offset },
            (Area::Storage, None) => Op::Stored(offset),
        };
        if area == Area::Storage {
            self.outputs.insert(offset, (module, output));
        }
        self.function.graph.add(op, child.module.net(port).width)
    }

    /// The node of an expression. The depth is on a stack of our own: chains may be long.
    fn value(&mut self, root: Key) -> NodeId {
        let mut todo = vec![(root, false)];
        while let Some((key, ready)) = todo.pop() {
            if self.values.contains_key(&key) {
                continue;
            }
            let expr = self.module(key.0).expr(key.1);
            if ready || matches!(expr.op, hdl::Op::Const(_) | hdl::Op::Net(_)) {
                let node = self.node(key);
                self.values.insert(key, node);
            } else {
                todo.push((key, true));
                expr.op.for_each_operand(|operand| todo.push(((key.0, operand), false)));
            }
        }
        self.values[&root]
    }

    /// The node of an expression whose operands have nodes.
    fn node(&mut self, (part, id): Key) -> NodeId {
        let expr = self.module(part).expr(id);
        let of = |id: ExprId| self.values[&(part, id)];
        let op = match &expr.op {
            hdl::Op::Net(net) => return self.net(part, *net),
            hdl::Op::Const(value) => Op::Const(value.clone()),
            hdl::Op::MemRead { memory, address } => Op::Memory {
                first: self.part(part).bases.storage + self.layout(part).memories[memory.index()],
                depth: self.module(part).memories[memory.index()].depth,
                address: of(*address),
            },
            hdl::Op::Unary(op, a) => Op::Unary(*op, of(*a)),
            hdl::Op::Binary(op, a, b) => Op::Binary(*op, of(*a), of(*b)),
            hdl::Op::Mux { select, then, otherwise } => {
                Op::Mux { select: of(*select), then: of(*then), otherwise: of(*otherwise) }
            }
            hdl::Op::Concat(parts) => Op::Concat(parts.iter().map(|&p| of(p)).collect()),
            hdl::Op::Slice { value, lo } => Op::Slice { value: of(*value), lo: *lo },
            hdl::Op::SliceAt { value, offset } => Op::SliceAt { value: of(*value), offset: of(*offset) },
        };
        self.function.graph.add(op, expr.width)
    }
}

/// Per module: evaluating it has no effect but its outputs, and nobody looks inside. Then it need not be evaluated
/// while nobody needs them.
pub(crate) fn pure(design: &Design, plans: &[Plan], observed: &Observed) -> Vec<bool> {
    let mut out: Vec<bool> = vec![];
    for (index, about) in design.modules.iter().enumerate() {
        let module = &about.module;
        let quiet = !module.stateful && module.probes.is_empty() && module.assertions.is_empty();
        let unseen = observed.range((index, NetId(0))..(index + 1, NetId(0))).next().is_none();
        let below = module.instances.iter().all(|i| out[design.index_of(&i.module)]);
        out.push(quiet && unseen && below && !plans[index].has_early());
    }
    out
}
