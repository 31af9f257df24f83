//! From hardware to work: what has to be computed for the bundles, as boolean networks with places for their results.
//!
//! Work is found from its ends: next values of registers, probes, assertions, memory writes and the conditions under
//! which payload moves are wanted; their networks have leaves; what a leaf needs from another bundle becomes wanted
//! there. So what nobody needs is not computed. A piece of work that is wanted as one is a [`Unit`].

use super::{
    blast::blast,
    bundles::{Bundles, Child},
    datapath::classify::Payload,
    gates::{Bit, Gate, Gates},
};
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;
use std::{collections::hash_map::Entry, rc::Rc};

/// Which array of planes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Arena {
    /// Registers: read from the present array, written to the next one.
    Registers,
    /// All else.
    Wires,
}

/// A bit of every instance of a bundle. Word `w` of the bundle that uses it is word `slot * words + offset + w` of the
/// bundle that owns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Plane {
    pub arena: Arena,
    pub bundle: usize,
    pub slot: u32,
    pub offset: u32,
}

/// Work that is done as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    /// Compute an output of a bundle that is no register.
    Out(usize, NetId),
    /// Compute the input at a position of an instance of a bundle.
    Drive(usize, usize, usize),
    /// Compute the address of memory read number so many of a bundle.
    Address(usize, usize),
    /// Read the memory.
    Read(usize, usize),
    /// Compute all that nobody waits for: next values, writes, probes, assertions, conditions.
    Sinks(usize),
}

impl Key {
    pub fn bundle(self) -> usize {
        match self {
            Key::Out(b, _) | Key::Drive(b, ..) | Key::Address(b, _) | Key::Read(b, _) | Key::Sinks(b) => b,
        }
    }
}

/// Results to store, and what must be done before.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub stores: Vec<(Bit, Plane)>,
    pub needs: Vec<Key>,
}

/// What a plane of wires holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Wire {
    Input(NetId),
    Out(NetId),
    Address(usize),
    Read(usize),
    /// Constant: lanes of a variant.
    Lanes,
    Observed(ExprId),
    Failed,
}

/// A read of a memory whose word is needed as bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub memory: MemId,
    pub address: ExprId,
    /// First slots (wires) of the address and of the word.
    pub address_slot: u32,
    pub slot: u32,
}

/// The network of a bundle and where its values live.
#[derive(Debug)]
pub(super) struct Work {
    pub gates: Gates,
    known: FxHashMap<ExprId, Rc<[Bit]>>,
    /// What the leaves are.
    pub leaves: Vec<Plane>,
    leaf_numbers: FxHashMap<Plane, u32>,
    /// First slots of registers that are kept as bits, and of the flags of those that are payload.
    pub registers: FxHashMap<NetId, u32>,
    pub register_slots: u32,
    wires: FxHashMap<Wire, u32>,
    owners: Vec<Wire>,
    pub reads: Vec<Read>,
    /// Constant planes: slot and words.
    pub constants: Vec<(u32, Vec<u64>)>,
    observed: Vec<(ExprId, u32)>,
}

impl Work {
    /// A network by itself, with leaves in these planes.
    #[cfg(test)]
    pub fn alone(gates: Gates, leaves: Vec<Plane>) -> Self {
        Self {
            gates,
            known: FxHashMap::default(),
            leaves,
            leaf_numbers: FxHashMap::default(),
            registers: FxHashMap::default(),
            register_slots: 0,
            wires: FxHashMap::default(),
            owners: vec![],
            reads: vec![],
            constants: vec![],
            observed: vec![],
        }
    }

    pub fn wire_slots(&self) -> u32 {
        self.owners.len() as u32
    }

    /// A plane for a value that passes from one function to another.
    pub fn temporary(&mut self) -> u32 {
        self.owners.push(Wire::Lanes);
        self.owners.len() as u32 - 1
    }

    fn wire(&mut self, what: Wire, width: u32) -> u32 {
        if let Some(&slot) = self.wires.get(&what) {
            return slot;
        }
        let slot = self.owners.len() as u32;
        self.owners.extend((0..width).map(|_| what));
        self.wires.insert(what, slot);
        slot
    }

    fn leaf(&mut self, plane: Plane) -> Bit {
        let next = self.leaves.len() as u32;
        let number = *self.leaf_numbers.entry(plane).or_insert(next);
        if number == next {
            self.leaves.push(plane);
        }
        self.gates.leaf(number)
    }

    /// Slots of the inputs that somebody reads.
    pub fn inputs(&self) -> Vec<(NetId, u32)> {
        let input = |(wire, &slot): (&Wire, &u32)| match wire {
            Wire::Input(net) => Some((*net, slot)),
            _ => None,
        };
        let mut inputs: Vec<_> = self.wires.iter().filter_map(input).collect();
        inputs.sort();
        inputs
    }

    /// Nothing but code, and links of inputs that are not `fixed`, knows the place of a plane of ours.
    pub fn may_move(&self, plane: Plane, fixed: impl Fn(NetId) -> bool) -> bool {
        plane.arena == Arena::Wires
            && match self.owners[plane.slot as usize] {
                Wire::Input(net) => !fixed(net),
                Wire::Out(_) => true,
                Wire::Address(_) | Wire::Read(_) | Wire::Lanes | Wire::Observed(_) | Wire::Failed => false,
            }
    }

    /// Width of the observed value at a slot.
    pub fn observed_width(&self, module: &ModuleDef, slot: u32) -> u32 {
        let (expr, _) = self.observed.iter().find(|(_, s)| *s == slot).expect("the value is observed");
        module.expr(*expr).width
    }

    /// Slot of the flag that an assertion was broken.
    pub fn failed(&self) -> Option<u32> {
        self.wires.get(&Wire::Failed).copied()
    }
}

/// Where a bit of a net comes from.
#[derive(Clone, Debug)]
pub(super) enum BitSource {
    Constant(bool),
    Plane(Plane),
    /// Of several variants, each in its lanes (per word of the bundle that asks).
    Variants(Vec<(Vec<u64>, BitSource)>),
    /// It has to be computed.
    Computed,
}

impl BitSource {
    fn moved(self, child: &Child) -> Self {
        match self {
            BitSource::Plane(plane) => BitSource::Plane(Plane { offset: plane.offset + child.offset as u32, ..plane }),
            other => other,
        }
    }
}

/// Finds the work.
pub(super) struct Builder<'a> {
    pub design: &'a Design,
    pub bundles: &'a Bundles,
    pub payload: &'a Payload,
    pub work: Vec<Work>,
    pub units: FxHashMap<Key, Unit>,
    todo: Vec<Key>,
}

impl<'a> Builder<'a> {
    pub fn new(design: &'a Design, bundles: &'a Bundles, payload: &'a Payload) -> Self {
        let mut work = vec![];
        for (b, bundle) in bundles.bundles.iter().enumerate() {
            let module = &design.modules[bundle.module].module;
            let (mut registers, mut slots) = (FxHashMap::default(), 0);
            for net in module.registers() {
                registers.insert(net, slots);
                slots += if payload.net(b, net) { 1 } else { module.net(net).width };
            }
            work.push(Work {
                gates: Gates::new(),
                known: FxHashMap::default(),
                leaves: vec![],
                leaf_numbers: FxHashMap::default(),
                registers,
                register_slots: slots,
                wires: FxHashMap::default(),
                owners: vec![],
                reads: vec![],
                constants: vec![],
                observed: vec![],
            });
        }
        Self { design, bundles, payload, work, units: FxHashMap::default(), todo: vec![] }
    }

    pub fn module(&self, bundle: usize) -> &'a ModuleDef {
        &self.design.modules[self.bundles.bundles[bundle].module].module
    }

    /// First slot (wires) where the bits of an expression will stand after evaluation. To be asked before
    /// [`finish`](Self::finish).
    pub fn observe(&mut self, bundle: usize, expr: ExprId) -> u32 {
        let width = self.module(bundle).expr(expr).width;
        let slot = self.work[bundle].wire(Wire::Observed(expr), width);
        if !self.work[bundle].observed.contains(&(expr, slot)) {
            self.work[bundle].observed.push((expr, slot));
        }
        slot
    }

    /// Finds all work.
    pub fn finish(&mut self) {
        for b in 0..self.work.len() {
            self.want(Key::Sinks(b));
        }
        while let Some(key) = self.todo.pop() {
            let unit = self.unit(key);
            self.units.insert(key, unit);
        }
    }

    fn want(&mut self, key: Key) {
        if let Entry::Vacant(place) = self.units.entry(key) {
            place.insert(Unit::default());
            self.todo.push(key);
        }
    }

    // -- where values come from ----------------------------------------------------------------------------------------

    /// Where a bit of a net of a bundle comes from.
    pub fn source(&mut self, bundle: usize, net: NetId, bit: u32) -> BitSource {
        let module = self.module(bundle);
        match &module.net(net).kind {
            NetKind::Register { .. } => {
                let slot = self.work[bundle].registers[&net] + bit;
                BitSource::Plane(Plane { arena: Arena::Registers, bundle, slot, offset: 0 })
            }
            NetKind::Input => {
                let slot = self.work[bundle].wire(Wire::Input(net), module.net(net).width) + bit;
                let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
                for &(parent, instance) in &self.bundles.bundles[bundle].parents {
                    self.want(Key::Drive(parent, instance, position));
                }
                BitSource::Plane(Plane { arena: Arena::Wires, bundle, slot, offset: 0 })
            }
            NetKind::InstanceOutput { instance, output } => {
                let bundles = self.bundles;
                let variants = &bundles.bundles[bundle].children[instance.index()];
                let mut found = vec![];
                for child in variants {
                    let port = self.module(child.bundle).outputs[*output as usize];
                    let source = match self.source(child.bundle, port, bit) {
                        BitSource::Computed => {
                            let width = self.module(child.bundle).net(port).width;
                            let slot = self.work[child.bundle].wire(Wire::Out(port), width) + bit;
                            self.want(Key::Out(child.bundle, port));
                            BitSource::Plane(Plane { arena: Arena::Wires, bundle: child.bundle, slot, offset: 0 })
                        }
                        // Lanes of variants of a variant count in words of the child: not a shape that a parent can
                        // use.
                        BitSource::Variants(_) => self.relayed(child, port, bit),
                        other => other,
                    };
                    found.push((child.lanes.clone(), source.moved(child)));
                }
                match found.len() {
                    1 => found.remove(0).1,
                    _ => BitSource::Variants(found.into_iter().map(|(l, s)| (l.unwrap_or_default(), s)).collect()),
                }
            }
            NetKind::Wire | NetKind::Output => match module.drivers[net.index()] {
                Some(driver) => self.part(bundle, driver, bit),
                None => BitSource::Constant(false),
            },
        }
    }

    /// An output of a child that is computed there though it only renames something.
    fn relayed(&mut self, child: &Child, port: NetId, bit: u32) -> BitSource {
        let width = self.module(child.bundle).net(port).width;
        let slot = self.work[child.bundle].wire(Wire::Out(port), width) + bit;
        self.want(Key::Out(child.bundle, port));
        BitSource::Plane(Plane { arena: Arena::Wires, bundle: child.bundle, slot, offset: 0 })
    }

    fn part(&mut self, bundle: usize, expr: ExprId, bit: u32) -> BitSource {
        let module = self.module(bundle);
        match &module.expr(expr).op {
            Op::Const(value) => BitSource::Constant(value.bit(bit)),
            Op::Net(net) => self.source(bundle, *net, bit),
            Op::Slice { value, lo } => self.part(bundle, *value, lo + bit),
            Op::Unary(UnaryOp::ZeroExtend, a) if bit >= module.expr(*a).width => BitSource::Constant(false),
            Op::Unary(UnaryOp::ZeroExtend, a) => self.part(bundle, *a, bit),
            Op::Unary(UnaryOp::SignExtend, a) => self.part(bundle, *a, bit.min(module.expr(*a).width - 1)),
            Op::Concat(parts) => {
                let mut bit = bit;
                for &part in parts.iter().rev() {
                    let width = module.expr(part).width;
                    if bit < width {
                        return self.part(bundle, part, bit);
                    }
                    bit -= width;
                }
                BitSource::Constant(false)
            }
            _ => BitSource::Computed,
        }
    }

    fn leaf(&mut self, bundle: usize, source: BitSource) -> Bit {
        match source {
            BitSource::Constant(value) => Gates::constant(value),
            BitSource::Plane(plane) => self.work[bundle].leaf(plane),
            BitSource::Variants(variants) => {
                let mut merged = Gates::constant(false);
                for (lanes, source) in variants {
                    let value = self.leaf(bundle, source);
                    let work = &mut self.work[bundle];
                    let known = work.constants.iter().find(|(_, words)| *words == lanes).map(|c| c.0);
                    let slot = known.unwrap_or_else(|| {
                        let slot = work.temporary();
                        work.constants.push((slot, lanes));
                        slot
                    });
                    let mask = work.leaf(Plane { arena: Arena::Wires, bundle, slot, offset: 0 });
                    let gates = &mut work.gates;
                    let here = gates.and(mask, value);
                    merged = gates.or(merged, here);
                }
                merged
            }
            BitSource::Computed => unreachable!("wires are computed in place"),
        }
    }

    /// Bits of an expression, lowest first.
    pub fn bits(&mut self, bundle: usize, root: ExprId) -> Rc<[Bit]> {
        let module = self.module(bundle);
        let mut todo = vec![(root, false)];
        while let Some((expr, ready)) = todo.pop() {
            if self.work[bundle].known.contains_key(&expr) {
                continue;
            }
            let about = module.expr(expr);
            // What it is made from: operands, or the driver of a wire.
            let mut operands = vec![];
            match &about.op {
                Op::Net(net) => {
                    if let (NetKind::Wire | NetKind::Output, Some(driver)) =
                        (&module.net(*net).kind, module.drivers[net.index()])
                    {
                        operands.push(driver);
                    }
                }
                Op::MemRead { .. } => {}
                op => op.for_each_operand(|operand| operands.push(operand)),
            }
            if !ready {
                todo.push((expr, true));
                todo.extend(operands.into_iter().map(|operand| (operand, false)));
                continue;
            }
            let values: Vec<Vec<Bit>> = operands.iter().map(|o| self.work[bundle].known[o].to_vec()).collect();
            let bits: Vec<Bit> = match &about.op {
                Op::Net(_) if !values.is_empty() => values[0].clone(),
                Op::Net(net) => (0..about.width)
                    .map(|bit| {
                        let source = self.source(bundle, *net, bit);
                        self.leaf(bundle, source)
                    })
                    .collect(),
                Op::MemRead { memory, address } => self.read(bundle, *memory, *address, about.width),
                _ => blast(&mut self.work[bundle].gates, about, &values),
            };
            self.work[bundle].known.insert(expr, bits.into());
        }
        Rc::clone(&self.work[bundle].known[&root])
    }

    fn read(&mut self, bundle: usize, memory: MemId, address: ExprId, width: u32) -> Vec<Bit> {
        let number = self.work[bundle].reads.len();
        let address_width = self.module(bundle).expr(address).width;
        let address_slot = self.work[bundle].wire(Wire::Address(number), address_width);
        let slot = self.work[bundle].wire(Wire::Read(number), width);
        self.work[bundle].reads.push(Read { memory, address, address_slot, slot });
        self.want(Key::Address(bundle, number));
        self.want(Key::Read(bundle, number));
        let plane = |slot| Plane { arena: Arena::Wires, bundle, slot, offset: 0 };
        (0..width).map(|bit| self.work[bundle].leaf(plane(slot + bit))).collect()
    }

    // -- units ---------------------------------------------------------------------------------------------------------

    fn unit(&mut self, key: Key) -> Unit {
        let own = |bundle, slot| Plane { arena: Arena::Wires, bundle, slot, offset: 0 };
        let mut stores: Vec<(Bit, Plane)> = vec![];
        match key {
            Key::Out(b, net) => {
                let driver = self.module(b).drivers[net.index()].expect("outputs are driven");
                let bits = self.bits(b, driver);
                let slot = self.work[b].wire(Wire::Out(net), bits.len() as u32);
                stores.extend(bits.iter().zip(slot..).map(|(&bit, slot)| (bit, own(b, slot))));
            }
            Key::Drive(b, instance, position) => {
                let value = self.module(b).instances[instance].inputs[position].expect("inputs are driven");
                let bits = self.bits(b, value);
                let bundles = self.bundles;
                for child in &bundles.bundles[b].children[instance] {
                    let net = self.module(child.bundle).inputs[position];
                    let slot = self.work[child.bundle].wire(Wire::Input(net), bits.len() as u32);
                    let plane = |slot| Plane { offset: child.offset as u32, ..own(child.bundle, slot) };
                    stores.extend(bits.iter().zip(slot..).map(|(&bit, slot)| (bit, plane(slot))));
                }
            }
            Key::Address(b, read) => {
                let Read { address, address_slot, .. } = self.work[b].reads[read];
                let bits = self.bits(b, address);
                stores.extend(bits.iter().zip(address_slot..).map(|(&bit, slot)| (bit, own(b, slot))));
            }
            Key::Read(b, read) => return Unit { stores, needs: vec![Key::Address(b, read)] },
            Key::Sinks(b) => self.sinks(b, &mut stores),
        }
        let needs = self.needs(key.bundle(), &stores);
        Unit { stores, needs }
    }

    fn sinks(&mut self, b: usize, stores: &mut Vec<(Bit, Plane)>) {
        let module = self.module(b);
        for net in module.registers() {
            if self.payload.net(b, net) {
                continue;
            }
            let slot = self.work[b].registers[&net];
            let bits = self.bits(b, module.drivers[net.index()].expect("registers are driven"));
            let plane = |slot| Plane { arena: Arena::Registers, bundle: b, slot, offset: 0 };
            stores.extend(bits.iter().zip(slot..).map(|(&bit, slot)| (bit, plane(slot))));
        }
        let own = |slot| Plane { arena: Arena::Wires, bundle: b, slot, offset: 0 };
        for (expr, slot) in self.work[b].observed.clone() {
            let bits = self.bits(b, expr);
            stores.extend(bits.iter().zip(slot..).map(|(&bit, slot)| (bit, own(slot))));
        }
        if !module.assertions.is_empty() {
            let holds: Vec<_> =
                module.assertions.iter().map(|assertion| self.bits(b, assertion.condition)[0]).collect();
            let gates = &mut self.work[b].gates;
            let all = gates.reduce(&holds, true);
            let failed = gates.not(all);
            let slot = self.work[b].wire(Wire::Failed, 1);
            stores.push((failed, own(slot)));
        }
    }

    /// What must be done before these bits can be computed.
    fn needs(&mut self, bundle: usize, stores: &[(Bit, Plane)]) -> Vec<Key> {
        let mut needs = vec![];
        for plane in self.leaves_below(bundle, stores.iter().map(|s| s.0)) {
            if plane.arena == Arena::Registers {
                continue;
            }
            match self.work[plane.bundle].owners[plane.slot as usize] {
                Wire::Input(net) => {
                    let position = self.module(plane.bundle).inputs.iter().position(|&i| i == net);
                    let position = position.expect("inputs are listed");
                    let parents = &self.bundles.bundles[plane.bundle].parents;
                    needs.extend(parents.iter().map(|&(p, i)| Key::Drive(p, i, position)));
                }
                Wire::Out(net) => needs.push(Key::Out(plane.bundle, net)),
                Wire::Read(number) => needs.push(Key::Read(plane.bundle, number)),
                Wire::Address(_) | Wire::Lanes | Wire::Observed(_) | Wire::Failed => {}
            }
        }
        needs.sort();
        needs.dedup();
        needs
    }

    fn leaves_below(&self, bundle: usize, roots: impl Iterator<Item = Bit>) -> Vec<Plane> {
        let work = &self.work[bundle];
        let mut seen = vec![false; work.gates.nodes.len()];
        let mut todo: Vec<Bit> = roots.collect();
        let mut out = vec![];
        while let Some(bit) = todo.pop() {
            if !std::mem::replace(&mut seen[bit.0 as usize], true) {
                match work.gates.gate(bit) {
                    Gate::Leaf(number) => out.push(work.leaves[number as usize]),
                    gate => todo.extend(Gates::operands(gate)),
                }
            }
        }
        out
    }
}
