//! Code for one function: a chunk of steps over an instance.

use super::{
    log,
    marks::MarkLayout,
    schedule::{Lookup, Schedule, Step},
};
use crate::{
    hdl::*,
    netlist::Design,
    sim::{
        layout::{Area, Bases, Counters, Layout, Place},
        plan::{Origin, Plan, Unit, origin},
    },
};
use cranelift_codegen::ir::{FuncRef, InstBuilder, MemFlagsData, SigRef, Type, Value, types};
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder};
use std::collections::HashMap;

/// An expression of a part.
pub(crate) type Key = (usize, ExprId);

/// What code of one module is made from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub plans: &'a [Plan],
    pub marks: &'a [MarkLayout],
    /// Per module: number of its first write port.
    pub first_port: &'a [usize],
    /// Position of the module.
    pub module: usize,
}

impl<'a> Context<'a> {
    pub fn plan(&self) -> &'a Plan {
        &self.plans[self.module]
    }

    pub fn lookup(&self) -> Lookup<'a> {
        Lookup { design: self.design, parts: &self.plan().parts }
    }
}

/// Functions that may be called.
pub(super) struct Callees<'a> {
    /// Per module of the design: early and late, as far as there are any.
    pub functions: &'a dyn Fn(usize) -> (Option<FuncRef>, Option<FuncRef>),
    /// Signature of twins.
    pub twin: SigRef,
}

/// The function under construction.
pub(crate) struct Emitter<'a, 'f> {
    context: Context<'a>,
    schedule: &'a Schedule,
    chunk: usize,
    pub builder: FunctionBuilder<'f>,
    /// Addresses of the instance: present registers, next registers, rest, marks; of the frame; and of the spill area.
    pub registers: Value,
    next: Value,
    pub rest: Value,
    marks: Value,
    frame: Value,
    spill: Value,
    /// Per part: where its marks start.
    part_marks: Vec<u32>,
    /// One when an assertion has failed.
    failed: Option<Value>,
    pub bits: HashMap<Key, Value>,
    pub words: HashMap<(Key, usize), Value>,
    pub memory_places: HashMap<Key, (Value, Option<Value>)>,
    /// Nets computed by this function: what drives them.
    forwarded: HashMap<(usize, NetId), Key>,
}

impl<'a, 'f> Emitter<'a, 'f> {
    pub(super) fn new(
        context: Context<'a>,
        schedule: &'a Schedule,
        chunk: usize,
        builder: FunctionBuilder<'f>,
        addresses: [Value; 6],
    ) -> Self {
        let [registers, next, rest, marks, frame, spill] = addresses;
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
            schedule,
            chunk,
            builder,
            registers,
            next,
            rest,
            marks,
            frame,
            spill,
            part_marks,
            failed: None,
            bits: HashMap::new(),
            words: HashMap::new(),
            memory_places: HashMap::new(),
            forwarded: HashMap::new(),
        }
    }

    /// Emits all steps and returns the builder and the failure flag.
    pub(super) fn run(mut self, callees: &Callees) -> (FunctionBuilder<'f>, Value) {
        for step in &self.schedule.chunks[self.chunk] {
            match *step {
                Step::Expr(key) => self.expression(key),
                Step::Unit(unit) => self.unit(unit, callees),
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

    pub fn op(&self, key: Key) -> &'a Op {
        &self.context.lookup().expr(key).op
    }

    pub fn width(&self, key: Key) -> u32 {
        self.context.lookup().expr(key).width
    }

    /// Narrow values are computed here, wide ones word by word when asked for.
    fn expression(&mut self, key: Key) {
        match self.width(key) {
            1 => _ = self.bit(key),
            2..=64 => _ = self.word(key, 0),
            _ => {}
        }
        if let Some(&(_, at)) = self.schedule.spilled.get(&key) {
            self.store(self.spill, at, key);
        }
    }

    /// A value that an earlier chunk has left in the spill area.
    pub fn load_spilled(&mut self, key: Key, word: usize, kind: Type) -> Option<Value> {
        let &(home, at) = self.schedule.spilled.get(&key)?;
        let spill = self.spill;
        (home != self.chunk).then(|| self.load(kind, spill, at + word as u32))
    }

    // -- state ---------------------------------------------------------------------------------------------------------

    fn load(&mut self, kind: Type, base: Value, offset: u32) -> Value {
        self.ins().load(kind, MemFlagsData::trusted(), base, bytes(offset))
    }

    /// Stores a whole value.
    fn store(&mut self, base: Value, offset: u32, key: Key) {
        if self.width(key) == 1 {
            // The other bytes of the word are zero from the start.
            let bit = self.bit(key);
            self.ins().store(MemFlagsData::trusted(), bit, base, bytes(offset));
            return;
        }
        for i in 0..words_for(self.width(key)) {
            let word = self.word(key, i);
            self.ins().store(MemFlagsData::trusted(), word, base, bytes(offset + i as u32));
        }
    }

    fn layout(&self, part: usize) -> &'a Layout {
        &self.context.layouts[self.context.plan().parts[part].module]
    }

    fn bases(&self, part: usize) -> Bases {
        self.context.plan().parts[part].bases
    }

    /// Place of a net of a part, relative to the module.
    pub fn place(&self, part: usize, net: NetId) -> Place {
        self.bases(part).of(self.layout(part).places[net.index()])
    }

    /// Depth, words per word, and place of a memory.
    pub fn memory(&self, part: usize, memory: MemId) -> (usize, usize, u32) {
        let def = &self.context.lookup().module(part).memories[memory.index()];
        (def.depth, words_for(def.width), self.bases(part).rest + self.layout(part).memories[memory.index()])
    }

    /// What drives the net, when this function has computed it.
    fn forwarded(&self, part: usize, net: NetId) -> Option<Key> {
        let Context { design, layouts, .. } = self.context;
        match origin(design, layouts, &self.context.plan().parts, part, net) {
            Origin::Net(part, net) => self.forwarded.get(&(part, net)).copied(),
            _ => None,
        }
    }

    pub fn net_bit(&mut self, part: usize, net: NetId) -> Value {
        match self.forwarded(part, net) {
            Some(driver) => self.bit(driver),
            None => self.load_net(part, net, 0, types::I8),
        }
    }

    pub fn net_word(&mut self, part: usize, net: NetId, index: usize) -> Value {
        match self.forwarded(part, net) {
            Some(driver) => self.word(driver, index),
            None => self.load_net(part, net, index, types::I64),
        }
    }

    fn load_net(&mut self, part: usize, net: NetId, index: usize, kind: Type) -> Value {
        let place = self.place(part, net);
        let base = if place.area == Area::Registers { self.registers } else { self.rest };
        self.load(kind, base, place.offset + index as u32)
    }

    // -- units ---------------------------------------------------------------------------------------------------------

    fn unit(&mut self, unit: Unit, callees: &Callees) {
        let lookup = self.context.lookup();
        let roots = lookup.roots(unit);
        match unit {
            Unit::Net(part, net) => {
                if let Some(&driver) = roots.first() {
                    self.store(self.rest, self.place(part, net).offset, driver);
                    self.forwarded.insert((part, net), driver);
                }
            }
            Unit::Next(part, net) => {
                if let Some(&driver) = roots.first() {
                    self.store(self.next, self.place(part, net).offset, driver);
                }
            }
            Unit::Early(part, instance) => {
                let (bases, module) = self.child(part, instance);
                if let Some(function) = (callees.functions)(module).0 {
                    self.call(function, bases, self.child_marks(part, instance));
                }
            }
            Unit::Late(part, instance) => self.late(part, instance, callees),
            Unit::Write(part, index) => {
                let slots = self.layout(part).writes[index];
                let base = self.bases(part).rest;
                let offsets = [slots.enable, slots.address, slots.data].into_iter().chain(slots.mask);
                for (offset, &key) in offsets.zip(&roots) {
                    self.store(self.rest, base + offset, key);
                }
                self.log_write(part, index, roots[0]);
            }
            Unit::Probe(part, index) => self.probe(part, index, &roots),
            Unit::Assertion(..) => {
                let holds = self.bit(roots[0]);
                let broken = self.flip(holds);
                let broken = self.ins().uextend(types::I64, broken);
                self.fail(broken);
            }
        }
    }

    fn fail(&mut self, flag: Value) {
        self.failed = Some(match self.failed {
            Some(earlier) => self.ins().bor(earlier, flag),
            None => flag,
        });
    }

    /// Place and module of a called child.
    fn child(&self, part: usize, instance: usize) -> (Bases, usize) {
        let module = self.context.lookup().module(part);
        let bases = self.bases(part).then(self.layout(part).children[instance]);
        (bases, self.context.design.index_of(&module.instances[instance].module))
    }

    fn address(&mut self, base: Value, offset: u32) -> Value {
        let offset = self.constant(u64::from(offset) * 8);
        self.ins().iadd(base, offset)
    }

    /// Where the marks of a called child start.
    fn child_marks(&self, part: usize, instance: usize) -> u32 {
        self.part_marks[part] + self.context.marks[self.context.plan().parts[part].module].children[instance]
    }

    fn call(&mut self, function: FuncRef, bases: Bases, child_marks: u32) {
        let (registers, next, rest, marks) = (self.registers, self.next, self.rest, self.marks);
        let arguments = [
            self.address(registers, bases.registers),
            self.address(next, bases.registers),
            self.address(rest, bases.rest),
            self.address(marks, child_marks),
            self.frame,
            self.spill,
        ];
        let call = self.ins().call(function, &arguments);
        let flag = self.builder.inst_results(call)[0];
        self.fail(flag);
    }

    fn late(&mut self, part: usize, instance: usize, callees: &Callees) {
        let (bases, module) = self.child(part, instance);
        let layout = &self.context.layouts[module];
        let child = &self.context.design.modules[module].module;
        let values = &self.context.lookup().module(part).instances[instance].inputs;
        for (&input, value) in child.inputs.iter().zip(values) {
            if let Some(value) = *value {
                let place = bases.of(layout.places[input.index()]);
                self.store(self.rest, place.offset, (part, value));
            }
        }
        let scheduled_apart = part == 0 && self.context.plan().tiles.contains(&instance);
        if let Some(twin) = self.context.plans[module].twin {
            let place = |ports: &[NetId]| ports.first().map_or(0, |p| layout.places[p.index()].offset);
            let rest = self.rest;
            let inputs = self.address(rest, bases.rest + place(&child.inputs));
            let outputs = self.address(rest, bases.rest + place(&child.outputs));
            let function = self.constant(twin.call as usize as u64);
            self.ins().call_indirect(callees.twin, function, &[inputs, outputs]);
        } else if let (Some(function), false) = ((callees.functions)(module).1, scheduled_apart) {
            self.call(function, bases, self.child_marks(part, instance));
        }
    }

    /// Tells the clock edge of an enabled port.
    fn log_write(&mut self, part: usize, index: usize, enable: Key) {
        let enable = self.bit(enable);
        let (rest, base) = (self.rest, self.bases(part).rest);
        let port = (self.context.first_port[self.context.plan().parts[part].module] + index) as u64;
        self.only_if(enable, |e| {
            let entry = e.new_entry(log::WRITES, log::WRITE_BYTES);
            let (rest, port) = (e.address(rest, base), e.constant(port));
            e.ins().store(MemFlagsData::trusted(), rest, entry, 0);
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
    fn only_if(&mut self, condition: Value, code: impl FnOnce(&mut Self)) {
        let (then, after) = (self.builder.create_block(), self.builder.create_block());
        self.ins().brif(condition, then, &[], after, &[]);
        self.builder.switch_to_block(then);
        code(self);
        self.ins().jump(after, &[]);
        self.builder.switch_to_block(after);
    }

    /// Counts what the probe has seen since it was last evaluated, and says what it sees from now on.
    fn probe(&mut self, part: usize, index: usize, roots: &[Key]) {
        let slots = self.layout(part).probes[index];
        let module = self.context.plan().parts[part].module;
        let mark = self.part_marks[part] + self.context.marks[module].probes[index];
        let (base, rest, marks, frame) = (self.bases(part).rest, self.rest, self.marks, self.frame);
        let now = self.ins().load(types::I64, MemFlagsData::trusted(), frame, log::TIME);
        let since = self.load(types::I64, marks, mark);
        let enable = self.load(types::I64, rest, base + slots.enable);
        let passed = self.ins().isub(now, since);
        let cycles = self.ins().imul(passed, enable);
        let value = slots.value.map(|value| self.load(types::I64, rest, base + value));
        match (slots.counters, value) {
            (Counters::Sum { count, sum }, Some(value)) => {
                self.add_to(rest, base + count, cycles);
                let amount = self.ins().imul(value, cycles);
                self.add_to(rest, base + sum, amount);
            }
            (Counters::Bins { first, .. }, Some(value)) => {
                let offset = self.shift_left(value, 3);
                let bin = self.ins().iadd(rest, offset);
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
            (Counters::Count { count }, _) => self.add_to(rest, base + count, cycles),
            (_, None) => unreachable!("a probe with a sum or bins has a value"),
        }
        self.ins().store(MemFlagsData::trusted(), now, marks, bytes(mark));
        for (slot, &root) in [Some(slots.enable), slots.value].into_iter().flatten().zip(roots) {
            self.store(rest, base + slot, root);
        }
    }

    fn add_to(&mut self, base: Value, offset: u32, amount: Value) {
        let old = self.load(types::I64, base, offset);
        let new = self.ins().iadd(old, amount);
        self.ins().store(MemFlagsData::trusted(), new, base, bytes(offset));
    }
}

/// A word offset in bytes; layouts are limited so that it fits.
fn bytes(words: u32) -> i32 {
    (words * 8) as i32
}
