//! Code for one function: a chunk of steps over an instance.

use super::{activity::MarkLayout, gates::Changes, log};
use crate::{
    layout::{Bases, Counters, Layout},
    passes::{
        body::{Body, LONG, Prepared, Step, When},
        branch::kept_unless,
        gates::{Gates, bits::ModuleGates},
        ir::{Call, CallKind, Effect, NodeId, Op},
    },
    plan::Plan,
};
use cranelift_codegen::ir::{FuncRef, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder};
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;

/// What code is made from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub plans: &'a [Plan],
    pub marks: &'a [MarkLayout],
    /// Per module: number of its first write port.
    pub first_port: &'a [usize],
    pub prepared: &'a [Prepared],
    /// Position of the module.
    pub module: usize,
    /// The code tells which module it is.
    pub profile: bool,
}

impl<'a> Context<'a> {
    pub fn plan(&self) -> &'a Plan {
        &self.plans[self.module]
    }

    /// Gates of a module, if there are any.
    pub fn gates_of(&self, module: usize) -> Option<&'a ModuleGates> {
        self.prepared[module].gates.as_ref()
    }

    /// Where the gates of an instance start in its marks.
    pub fn gates_at(&self, module: usize) -> u32 {
        self.marks[module].gates
    }

    /// The module of a child of a part.
    pub fn child(&self, part: usize, instance: usize) -> usize {
        let around = &self.design.modules[self.plan().parts[part].module].module;
        self.design.index_of(&around.instances[instance].module)
    }
}

/// Functions that may be called.
pub(super) struct Callees<'a> {
    /// Per module of the design: early phase, late phase, intrinsic, as far as there are any.
    pub functions: &'a dyn Fn(usize) -> [Option<FuncRef>; 3],
}

/// The function under construction.
pub(crate) struct Emitter<'a, 'f> {
    pub context: Context<'a>,
    pub body: &'a Body,
    /// The chunk of the body, with gates the cluster, under construction.
    pub chunk: usize,
    pub builder: FunctionBuilder<'f>,
    /// Addresses of the instance: present registers, next registers, storage, marks; of the frame; and of the spill
    /// area.
    pub registers: Value,
    next: Value,
    pub storage: Value,
    pub marks: Value,
    frame: Value,
    spill: Value,
    /// Where there are several clocks: address of the views of the module's domains.
    clocks: Option<Value>,
    /// Per part: where its marks start.
    part_marks: Vec<u32>,
    /// One when an assertion has failed; not with gates.
    failed: Option<Value>,
    /// With gates: changes that the cluster has found.
    pub changes: Changes,
    pub bits: FxHashMap<NodeId, Value>,
    pub words: FxHashMap<(NodeId, usize), Value>,
    pub memory_places: FxHashMap<NodeId, (Value, Option<Value>)>,
}

impl<'a, 'f> Emitter<'a, 'f> {
    pub(super) fn new(
        context: Context<'a>,
        body: &'a Body,
        chunk: usize,
        builder: FunctionBuilder<'f>,
        addresses: [Value; 6],
        clocks: Option<Value>,
    ) -> Self {
        let [registers, next, storage, marks, frame, spill] = addresses;
        let mut part_marks: Vec<u32> = vec![];
        for part in &context.plan().parts {
            let base = part.parent.map_or(0, |(parent, instance)| {
                let around = context.plan().parts[parent].module;
                part_marks[parent] + context.marks[around].children[instance]
            });
            part_marks.push(base);
        }
        Self {
            context,
            body,
            chunk,
            builder,
            registers,
            next,
            storage,
            marks,
            frame,
            spill,
            clocks,
            part_marks,
            failed: None,
            changes: Changes::new(),
            bits: FxHashMap::default(),
            words: FxHashMap::default(),
            memory_places: FxHashMap::default(),
        }
    }

    /// Emits all steps and returns the builder and the failure flag; with gates, the clusters of a function, and the
    /// builder.
    pub(super) fn run(mut self, callees: &Callees) -> (FunctionBuilder<'f>, Value) {
        let body = self.body;
        self.mark(self.context.module);
        if let Some(gates) = &body.gates {
            self.clusters(gates, gates.functions[self.chunk].clone(), callees);
            let zero = self.constant(0);
            return (self.builder, zero);
        }
        for step in &body.chunks[self.chunk] {
            match step {
                &Step::Node(id) => self.node(id),
                &Step::Call(call) => self.call(call, callees),
                &Step::Effect(effect) => self.effect(&body.function.effects[effect], None),
                Step::Input(..) => unreachable!("inputs are steps with gates only"),
                Step::When(when) => self.when(when, None),
            }
        }
        let failed = match self.failed {
            Some(flag) => flag,
            None => self.constant(0),
        };
        (self.builder, failed)
    }

    pub fn ins(&mut self) -> FuncInstBuilder<'_, 'f> {
        self.builder.ins()
    }

    pub fn op(&self, key: NodeId) -> &'a Op {
        self.body.function.graph.op(key)
    }

    pub fn width(&self, key: NodeId) -> u32 {
        self.body.function.graph.width(key)
    }

    /// Narrow values are computed here, wide ones word by word when asked for.
    pub fn compute(&mut self, key: NodeId) {
        match self.width(key) {
            1 => _ = self.bit(key),
            2..=64 => _ = self.word(key, 0),
            _ => {}
        }
    }

    fn node(&mut self, key: NodeId) {
        self.compute(key);
        if let Some(&(_, at)) = self.body.spilled.get(&key) {
            self.store(self.spill, at, key);
        }
    }

    /// A value that an earlier chunk has left in the spill area, or another cluster where it passes values.
    pub fn load_spilled(&mut self, key: NodeId, word: usize, kind: Type) -> Option<Value> {
        if let Some(gates) = &self.body.gates {
            return self.load_passed(gates, key, word, kind);
        }
        let &(home, at) = self.body.spilled.get(&key)?;
        let spill = self.spill;
        (home != self.chunk).then(|| self.load(kind, spill, at + word as u32))
    }

    /// A branch. With gates, these tell of changes.
    pub fn when(&mut self, when: &When, gates: Option<&Gates>) {
        let function = &self.body.function;
        for step in &when.steps {
            match *step {
                Step::Effect(effect) => match function.effects[effect] {
                    Effect::Next { offset, value } => self.keep_register(offset, self.width(value)),
                    Effect::Write { part, index, enable, .. } => self.store_enable(part, index, enable),
                    _ => unreachable!("only these wait for something"),
                },
                _ => continue,
            }
        }
        let (select, wanted) = when.condition;
        let bit = self.bit(select);
        let holds = if wanted { bit } else { self.flip(bit) };
        // What is computed there is not at hand elsewhere.
        let before = (self.bits.clone(), self.words.clone(), self.memory_places.clone());
        let changes = std::mem::take(&mut self.changes);
        self.only_if(holds, |e| {
            for step in &when.steps {
                match *step {
                    Step::Node(id) => e.compute(id),
                    Step::Effect(effect) => {
                        let target = gates.and_then(|gates| gates.effects.get(&effect).copied());
                        match function.effects[effect] {
                            Effect::Next { offset, value } => {
                                let (_, value) = kept_unless(function, offset, value).expect("it waits for something");
                                e.effect(&Effect::Next { offset, value }, target);
                            }
                            ref effect => e.effect(effect, target),
                        }
                    }
                    _ => unreachable!("values and effects only"),
                }
            }
            e.tell_changes();
        });
        (self.bits, self.words, self.memory_places) = before;
        self.changes = changes;
    }

    /// The next value of a register is its present one.
    fn keep_register(&mut self, offset: u32, width: u32) {
        let (registers, next) = (self.registers, self.next);
        if words_for(width) > LONG {
            let (from, to) = (self.address(registers, offset), self.address(next, offset));
            self.copy(from, to, words_for(width));
            return;
        }
        let kind = if width == 1 { types::I8 } else { types::I64 };
        for at in offset..offset + words_for(width) as u32 {
            let word = self.load(kind, registers, at);
            self.ins().store(MemFlagsData::trusted(), word, next, bytes(at));
        }
    }

    fn store_enable(&mut self, part: usize, index: usize, enable: NodeId) {
        let offset = self.bases(part).storage + self.layout(part).writes[index].enable;
        self.store(self.storage, offset, enable);
    }

    // -- state ---------------------------------------------------------------------------------------------------------

    pub fn load(&mut self, kind: Type, base: Value, offset: u32) -> Value {
        self.ins().load(kind, MemFlagsData::trusted(), base, bytes(offset))
    }

    /// Stores a whole value.
    pub fn store(&mut self, base: Value, offset: u32, key: NodeId) {
        if self.width(key) == 1 {
            // The other bytes of the word are zero from the start.
            let bit = self.bit(key);
            self.ins().store(MemFlagsData::trusted(), bit, base, bytes(offset));
            return;
        }
        if self.copy_leaf(base, offset, key).is_some() {
            return;
        }
        for i in 0..words_for(self.width(key)) {
            let word = self.word(key, i);
            self.ins().store(MemFlagsData::trusted(), word, base, bytes(offset + i as u32));
        }
    }

    /// Where a leaf stands in the state: base and offset.
    pub fn leaf_place(&self, key: NodeId) -> Option<(Value, u32)> {
        match *self.op(key) {
            Op::Register(offset) => Some((self.registers, offset)),
            Op::Stored(offset) | Op::Result { offset, .. } => Some((self.storage, offset)),
            _ => None,
        }
    }

    /// Word `index` of a leaf that stands in the state.
    pub fn load_leaf(&mut self, key: NodeId, index: usize, kind: Type) -> Value {
        let (base, offset) = self.leaf_place(key).expect("the caller has a leaf");
        self.load(kind, base, offset + index as u32)
    }

    // -- effects -------------------------------------------------------------------------------------------------------

    fn layout(&self, part: usize) -> &'a Layout {
        &self.context.layouts[self.context.plan().parts[part].module]
    }

    fn part(&self, part: usize) -> &'a ModuleDef {
        &self.context.design.modules[self.context.plan().parts[part].module].module
    }

    fn bases(&self, part: usize) -> Bases {
        self.context.plan().parts[part].bases
    }

    /// With gates, `target` is told of changes.
    pub fn effect(&mut self, effect: &Effect, target: Option<usize>) {
        match *effect {
            Effect::Store { offset, value, .. } => self.store_and_compare(self.storage, offset, value, target),
            Effect::Next { offset, value } => {
                if let Some(target) = target {
                    self.compare_stored(self.registers, offset, value, target, true);
                }
                self.store(self.next, offset, value);
            }
            Effect::Write { part, index, enable, address, data, mask } => {
                let slots = self.layout(part).writes[index];
                let base = self.bases(part).storage;
                let offsets = [slots.enable, slots.address, slots.data].into_iter().chain(slots.mask);
                for (offset, value) in offsets.zip([enable, address, data].into_iter().chain(mask)) {
                    self.store(self.storage, base + offset, value);
                }
                self.log_write(part, index, enable);
                if let Some(target) = target {
                    let enable = self.word(enable, 0);
                    self.changed(target, true, enable);
                }
            }
            Effect::Probe { part, index, enable, value } => self.probe(part, index, enable, value),
            Effect::Assertion { part, index, condition } => {
                let holds = self.bit(condition);
                let broken = self.flip(holds);
                let broken = self.ins().uextend(types::I64, broken);
                let failed = self.at_edge(part, self.part(part).assertions[index].domain, broken);
                match target {
                    Some(target) => self.fail_in_cluster(broken, failed, target),
                    None => self.fail(failed),
                }
            }
            Effect::Keep { .. } | Effect::Call(_) => {}
        }
    }

    fn fail(&mut self, flag: Value) {
        self.failed = Some(match self.failed {
            Some(earlier) => self.ins().bor(earlier, flag),
            None => flag,
        });
    }

    pub fn address(&mut self, base: Value, offset: u32) -> Value {
        let offset = self.constant(u64::from(offset) * 8);
        self.ins().iadd(base, offset)
    }

    pub fn call(&mut self, number: usize, callees: &Callees) {
        let call = &self.body.function.calls[number];
        for &(offset, value) in &call.inputs {
            self.store(self.storage, offset, value);
        }
        let [early, late, intrinsic] = (callees.functions)(call.module);
        let function = match call.kind {
            CallKind::Early => early,
            CallKind::Late => late,
            CallKind::Tile => None,
            CallKind::Intrinsic => return self.if_needed(call, |e| e.call_intrinsic(intrinsic, call)),
        };
        let Some(function) = function else { return };
        if call.pure {
            // It asserts nothing.
            return self.if_needed(call, |e| _ = e.call_function(function, call));
        }
        let failed = self.call_function(function, call);
        self.fail(failed);
    }

    /// Code that runs only when a result of the call is read. It must not leave values behind for later code.
    pub fn if_needed(&mut self, call: &Call, code: impl FnOnce(&mut Self)) {
        let mut needed = None;
        for way in &call.needed {
            let mut all = None;
            for &(select, wanted) in way {
                let bit = self.bit(select);
                let holds = if wanted { bit } else { self.flip(bit) };
                all = Some(all.map_or(holds, |all| self.ins().band(all, holds)));
            }
            needed = match (needed, all) {
                (Some(needed), Some(all)) => Some(self.ins().bor(needed, all)),
                (needed, all) => needed.or(all),
            };
        }
        match needed {
            Some(needed) => self.only_if(needed, code),
            None => code(self),
        }
    }

    /// Where the marks of a called child start.
    pub fn child_marks(&self, part: usize, instance: usize) -> u32 {
        let around = self.context.plan().parts[part].module;
        self.part_marks[part] + self.context.marks[around].children[instance]
    }

    /// Returns the result.
    pub fn call_function(&mut self, function: FuncRef, call: &Call) -> Value {
        let (registers, next, storage, marks) = (self.registers, self.next, self.storage, self.marks);
        let mut arguments = vec![
            self.address(registers, call.bases.registers),
            self.address(next, call.bases.registers),
            self.address(storage, call.bases.storage),
            self.address(marks, self.child_marks(call.part, call.instance)),
            self.frame,
            self.spill,
        ];
        arguments.extend(self.child_clocks(call.part, call.instance));
        let call = self.ins().call(function, &arguments);
        let result = self.builder.inst_results(call)[0];
        self.mark(self.context.module);
        result
    }

    /// Address of the view of a part's domain; `None` where there is one clock.
    fn clock(&mut self, part: usize, domain: DomainId) -> Option<Value> {
        let clocks = self.clocks?;
        let offset = u64::from(self.context.plan().parts[part].domains[domain.index()]) * log::VIEW_BYTES;
        let offset = self.constant(offset);
        Some(self.ins().iadd(clocks, offset))
    }

    /// `flag` (of 64 bits), zero where the domain has no edge.
    fn at_edge(&mut self, part: usize, domain: DomainId, flag: Value) -> Value {
        let Some(clock) = self.clock(part, domain) else { return flag };
        let edge = self.ins().load(types::I64, MemFlagsData::trusted(), clock, log::EDGE);
        self.ins().band(flag, edge)
    }

    /// Address of the views of a called child's domains: inside our own, or, where they are others or in another order,
    /// copies.
    fn child_clocks(&mut self, part: usize, instance: usize) -> Option<Value> {
        let clocks = self.clocks?;
        let own = &self.context.plan().parts[part].domains;
        let domains = self.part(part).instances[instance].outer_domains(own);
        let first = domains[0];
        if domains.iter().zip(first..).all(|(&domain, wanted)| domain == wanted) {
            let offset = self.constant(u64::from(first) * log::VIEW_BYTES);
            return Some(self.ins().iadd(clocks, offset));
        }
        let mut words = vec![];
        for domain in domains {
            let offset = domain as i32 * log::VIEW_BYTES as i32;
            for field in [0, log::EDGE] {
                words.push(self.ins().load(types::I64, MemFlagsData::trusted(), clocks, offset + field));
            }
        }
        Some(self.on_stack(&words))
    }

    pub fn call_intrinsic(&mut self, function: Option<FuncRef>, &Call { module, bases, .. }: &Call) {
        let Some(function) = function else { return };
        let (layout, child) = (&self.context.layouts[module], &self.context.design.modules[module].module);
        let place = |ports: &[NetId]| ports.first().map_or(0, |p| layout.places[p.index()].offset);
        let storage = self.storage;
        let inputs = self.address(storage, bases.storage + place(&child.inputs));
        let outputs = self.address(storage, bases.storage + place(&child.outputs));
        self.mark(module);
        self.ins().call(function, &[inputs, outputs]);
        self.mark(self.context.module);
    }

    /// Tells a profile that code of a module follows.
    fn mark(&mut self, module: usize) {
        if self.context.profile {
            let frame = self.frame;
            let place = self.ins().load(types::I64, MemFlagsData::trusted(), frame, log::MODULE);
            let module = self.constant(module as u64);
            self.ins().store(MemFlagsData::trusted(), module, place, 0);
        }
    }

    /// Tells the clock edge of an enabled port.
    fn log_write(&mut self, part: usize, index: usize, enable: NodeId) {
        let mut enable = self.bit(enable);
        if self.clocks.is_some() {
            let module = self.part(part);
            let domain = module.memories[module.writes[index].memory.index()].domain;
            let wide = self.ins().uextend(types::I64, enable);
            enable = self.at_edge(part, domain, wide);
        }
        let (storage, base) = (self.storage, self.bases(part).storage);
        let port = (self.context.first_port[self.context.plan().parts[part].module] + index) as u64;
        self.only_if(enable, |e| {
            let entry = e.new_entry(log::WRITES, log::WRITE_BYTES);
            let (storage, port) = (e.address(storage, base), e.constant(port));
            e.ins().store(MemFlagsData::trusted(), storage, entry, 0);
            e.ins().store(MemFlagsData::trusted(), port, entry, 8);
        });
    }

    /// Address of a new entry of a log, whose end is at an offset in the frame.
    fn new_entry(&mut self, end: i32, size: u64) -> Value {
        let frame = self.frame;
        let entry = self.ins().load(types::I64, MemFlagsData::trusted(), frame, end);
        let size = self.constant(size);
        let behind = self.ins().iadd(entry, size);
        self.ins().store(MemFlagsData::trusted(), behind, frame, end);
        entry
    }

    /// Code that runs only when a condition holds. It must not leave values behind for later code.
    pub fn only_if(&mut self, condition: Value, code: impl FnOnce(&mut Self)) {
        let (then, after) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(then); // out of the way
        self.ins().brif(condition, then, &[], after, &[]);
        self.builder.switch_to_block(then);
        code(self);
        self.ins().jump(after, &[]);
        self.builder.switch_to_block(after);
    }

    /// Counts what the probe has seen since it was last evaluated, and says what it sees from now on.
    fn probe(&mut self, part: usize, index: usize, enable_now: NodeId, value_now: Option<NodeId>) {
        let slots = self.layout(part).probes[index];
        let module = self.context.plan().parts[part].module;
        let mark = self.part_marks[part] + self.context.marks[module].probes[index];
        let (base, storage, marks, frame) = (self.bases(part).storage, self.storage, self.marks, self.frame);
        let now = match self.clock(part, self.part(part).probes[index].domain) {
            None => self.ins().load(types::I64, MemFlagsData::trusted(), frame, log::TIME),
            Some(clock) => self.ins().load(types::I64, MemFlagsData::trusted(), clock, 0),
        };
        let since = self.load(types::I64, marks, mark);
        let enable = self.load(types::I64, storage, base + slots.enable);
        let passed = self.ins().isub(now, since);
        let cycles = self.ins().imul(passed, enable);
        let value = slots.value.map(|value| self.load(types::I64, storage, base + value));
        match (slots.counters, value) {
            (Counters::Sum { count, sum }, Some(value)) => {
                self.add_to(storage, base + count, cycles);
                let amount = self.ins().imul(value, cycles);
                self.add_to(storage, base + sum, amount);
            }
            (Counters::Bins { first, .. }, Some(value)) => {
                let offset = self.shift_left(value, 3);
                let bin = self.ins().iadd(storage, offset);
                self.add_to(bin, base + first, cycles);
            }
            (Counters::Table, Some(value)) => {
                let table = self.load(types::I64, marks, mark + 1);
                self.only_if(cycles, |e| {
                    let entry = e.new_entry(log::COUNTS, log::COUNT_BYTES);
                    for (i, field) in [table, value, cycles].into_iter().enumerate() {
                        e.ins().store(MemFlagsData::trusted(), field, entry, 8 * i as i32);
                    }
                });
            }
            (Counters::Count { count }, _) => self.add_to(storage, base + count, cycles),
            (_, None) => unreachable!("a probe with a sum or bins has a value"),
        }
        self.ins().store(MemFlagsData::trusted(), now, marks, bytes(mark));
        for (slot, now) in [(Some(slots.enable), Some(enable_now)), (slots.value, value_now)] {
            if let (Some(slot), Some(now)) = (slot, now) {
                self.store(storage, base + slot, now);
            }
        }
    }

    fn add_to(&mut self, base: Value, offset: u32, amount: Value) {
        let old = self.load(types::I64, base, offset);
        let new = self.ins().iadd(old, amount);
        self.ins().store(MemFlagsData::trusted(), new, base, bytes(offset));
    }
}

/// A word offset in bytes; layouts are limited so that it fits.
pub(super) fn bytes(words: u32) -> i32 {
    (words * 8) as i32
}
