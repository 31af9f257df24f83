//! Machine code for kernels: straight-line boolean code over the words of a bundle.
//!
//! [`plan`] cuts kernels into functions of limited size (register allocation is superlinear in the length of a block,
//! and code has to stay in the instruction cache); a value that a later function of the same bundle needs passes
//! through a plane of wires, unless it is one gate away from leaves. [`emit`] makes machine code of a function: ours
//! (`wide`) where the processor has AVX-512 or AVX2, else Cranelift's, one word at a time for bundles of one word and
//! vectors of two in a loop for others.

use super::{
    build::{Arena, Key, Plane, Unit, Work},
    gates::{Bit, Gate, Gates, ONE, ZERO},
    order::KernelStep,
};
use crate::code::Coder;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Type, Value, condcodes::IntCC, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module as _};
use rustc_hash::FxHashMap;

/// Gates of a function, about.
const LIMIT: usize = 700;

/// One function.
#[derive(Debug)]
pub(super) struct Code {
    pub bundle: usize,
    /// Gates in order, operands first; leaves and loaded values included.
    order: Vec<Bit>,
    /// Values that an earlier function has left in a plane.
    pub loaded: FxHashMap<Bit, u32>,
    pub stores: Vec<(Bit, Plane)>,
}

/// A planned step.
#[derive(Debug)]
pub(super) enum Planned {
    Code(Code),
    Read(usize, usize),
}

/// Cuts the kernels.
pub(super) fn plan(steps: &[KernelStep], units: &FxHashMap<Key, Unit>, work: &mut [Work]) -> Vec<Planned> {
    let mut out: Vec<Planned> = vec![];
    // Per bundle: where each gate was first computed.
    let mut homes: Vec<FxHashMap<Bit, usize>> = work.iter().map(|_| FxHashMap::default()).collect();
    for step in steps {
        let keys = match step {
            KernelStep::Read(bundle, number) => {
                out.push(Planned::Read(*bundle, *number));
                continue;
            }
            KernelStep::Kernel(keys) => keys,
        };
        let bundle = keys[0].bundle();
        let stores: Vec<_> = keys.iter().flat_map(|key| units[key].stores.iter().copied()).collect();
        let mut at = 0;
        while at < stores.len() {
            let here = out.len();
            let mut code = Code { bundle, order: vec![], loaded: FxHashMap::default(), stores: vec![] };
            let mut seen: FxHashMap<Bit, ()> = FxHashMap::default();
            while at < stores.len() && code.order.len() < LIMIT {
                let (root, plane) = stores[at];
                at += 1;
                code.stores.push((root, plane));
                let mut todo = vec![(root, false)];
                while let Some((bit, ready)) = todo.pop() {
                    if ready {
                        code.order.push(bit);
                        continue;
                    }
                    if seen.insert(bit, ()).is_some() {
                        continue;
                    }
                    let gate = work[bundle].gates.gate(bit);
                    let simple = Gates::operands(gate).all(|o| is_leaf(&work[bundle].gates, o));
                    if !simple {
                        let home = *homes[bundle].entry(bit).or_insert(here);
                        if home != here {
                            let slot = spilled(&mut out, home, bit, &mut work[bundle]);
                            code.loaded.insert(bit, slot);
                            code.order.push(bit);
                            continue;
                        }
                    }
                    todo.push((bit, true));
                    todo.extend(inputs(&work[bundle].gates, gate).into_iter().map(|o| (o, false)));
                }
            }
            out.push(Planned::Code(code));
        }
    }
    out
}

fn is_leaf(gates: &Gates, bit: Bit) -> bool {
    match gates.gate(bit) {
        Gate::Zero | Gate::One | Gate::Leaf(_) => true,
        Gate::Not(a) => matches!(gates.gate(a), Gate::Leaf(_)),
        _ => false,
    }
}

/// The plane in which the function at `home` leaves `bit`.
fn spilled(out: &mut [Planned], home: usize, bit: Bit, work: &mut Work) -> u32 {
    let Planned::Code(code) = &mut out[home] else { unreachable!("gates are computed by code") };
    let own = |p: &Plane| p.arena == Arena::Wires && p.bundle == code.bundle && p.offset == 0;
    if let Some((_, plane)) = code.stores.iter().find(|(b, p)| *b == bit && own(p)) {
        return plane.slot;
    }
    let slot = work.temporary();
    code.stores.push((bit, Plane { arena: Arena::Wires, bundle: code.bundle, slot, offset: 0 }));
    slot
}

/// Operands as they are emitted: AND and OR take the complement of their second operand for nothing.
fn inputs(gates: &Gates, gate: Gate) -> Vec<Bit> {
    match gate {
        Gate::And(a, b) | Gate::Or(a, b) => match (gates.gate(a), gates.gate(b)) {
            (_, Gate::Not(inner)) => vec![a, inner],
            (Gate::Not(inner), _) => vec![b, inner],
            _ => vec![a, b],
        },
        _ => Gates::operands(gate).collect(),
    }
}

/// Words of lanes that an instruction takes at most.
pub(super) fn vector(wide: bool) -> usize {
    #[cfg(all(target_arch = "x86_64", unix))]
    if let Some(words) = super::wide::available().next().filter(|_| wide) {
        return words;
    }
    _ = wide;
    CRANELIFT
}

/// Words of Cranelift's vectors.
const CRANELIFT: usize = 2;

/// Compiles a function: `place` gives the array and the first word of a plane; `words` are those of the bundle, and
/// what [`vector`] said.
pub(super) fn emit(
    coder: &mut Coder,
    name: &str,
    code: &Code,
    work: &Work,
    (words, vector): (usize, usize),
    place: impl Fn(Plane) -> (Arena, usize),
) -> Result<FuncId, String> {
    #[cfg(all(target_arch = "x86_64", unix))]
    if vector > CRANELIFT {
        let bytes = super::wide::emit(code, work, (words, vector), place).map_err(|e| e.to_string())?;
        return define(coder, name, bytes);
    }
    portable(coder, name, code, work, words, place)
}

/// A function that is machine code already.
pub(super) fn define(coder: &mut Coder, name: &str, bytes: Vec<u8>) -> Result<FuncId, String> {
    coder.define_bytes(name, signature(coder), 64, bytes)
}

/// Addresses of the present registers, next registers and wires.
fn signature(coder: &Coder) -> Signature {
    let mut signature = coder.jit.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 3];
    signature
}

/// By Cranelift.
fn portable(
    coder: &mut Coder,
    name: &str,
    code: &Code,
    work: &Work,
    words: usize,
    place: impl Fn(Plane) -> (Arena, usize),
) -> Result<FuncId, String> {
    let mut context = coder.jit.make_context();
    let mut builder_context = FunctionBuilderContext::new();
    let id = coder.declare(name, signature(coder), &mut context.func)?;
    let mut builder = FunctionBuilder::new(&mut context.func, &mut builder_context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let bases: [_; 3] = builder.block_params(block).try_into().expect("the signature has three parameters");
    body(&mut builder, bases, code, work, words, place);
    builder.seal_all_blocks();
    builder.finalize(coder.jit.target_config());
    coder.define(id, &mut context)?;
    Ok(id)
}

/// Emits the body; ends with a return.
fn body(
    builder: &mut FunctionBuilder,
    bases: [Value; 3],
    code: &Code,
    work: &Work,
    words: usize,
    place: impl Fn(Plane) -> (Arena, usize),
) {
    if words == 1 {
        KernelBody { builder, kind: types::I64, bases, code, work, place: &place, values: FxHashMap::default() }.run();
        builder.ins().return_(&[]);
        return;
    }
    let (body, end) = (builder.create_block(), builder.create_block());
    let offset = builder.append_block_param(body, types::I64);
    let zero = builder.ins().iconst(types::I64, 0);
    builder.ins().jump(body, &[zero.into()]);
    builder.switch_to_block(body);
    let moved = bases.map(|base| builder.ins().iadd(base, offset));
    KernelBody { builder, kind: types::I64X2, bases: moved, code, work, place: &place, values: FxHashMap::default() }
        .run();
    let next = builder.ins().iadd_imm_s(offset, 16);
    let more = builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, next, words as i64 * 8);
    builder.ins().brif(more, body, &[next.into()], end, &[]);
    builder.switch_to_block(end);
    builder.ins().return_(&[]);
}

struct KernelBody<'a, 'f, P: Fn(Plane) -> (Arena, usize)> {
    builder: &'a mut FunctionBuilder<'f>,
    kind: Type,
    bases: [Value; 3],
    code: &'a Code,
    work: &'a Work,
    place: &'a P,
    values: FxHashMap<Bit, Value>,
}

#[cfg(test)]
impl Code {
    /// Everything in one function.
    pub fn alone(work: &Work, loaded: FxHashMap<Bit, u32>, stores: Vec<(Bit, Plane)>) -> Self {
        let (mut order, mut todo) = (vec![], stores.iter().map(|s| (s.0, false)).rev().collect::<Vec<_>>());
        while let Some((bit, ready)) = todo.pop() {
            if order.contains(&bit) {
                continue;
            }
            if ready || loaded.contains_key(&bit) {
                order.push(bit);
                continue;
            }
            todo.push((bit, true));
            todo.extend(inputs(&work.gates, work.gates.gate(bit)).into_iter().map(|o| (o, false)));
        }
        Self { bundle: 0, order, loaded, stores }
    }
}

impl<P: Fn(Plane) -> (Arena, usize)> KernelBody<'_, '_, P> {
    fn run(&mut self) {
        let mut stores: FxHashMap<Bit, Vec<Plane>> = FxHashMap::default();
        for &(bit, plane) in &self.code.stores {
            stores.entry(bit).or_default().push(plane);
        }
        for &bit in &self.code.order {
            let value = self.compute(bit);
            self.values.insert(bit, value);
            for plane in stores.remove(&bit).unwrap_or_default() {
                self.store(value, plane);
            }
        }
        debug_assert!(stores.is_empty(), "what is stored was computed");
    }

    fn flags() -> MemFlagsData {
        MemFlagsData::trusted()
    }

    fn load(&mut self, plane: Plane) -> Value {
        let (arena, at) = (self.place)(plane);
        let (base, at) = (self.bases[if arena == Arena::Registers { 0 } else { 2 }], at as i32 * 8);
        self.builder.ins().load(self.kind, Self::flags(), base, at)
    }

    fn store(&mut self, value: Value, plane: Plane) {
        let (arena, at) = (self.place)(plane);
        let (base, at) = (self.bases[if arena == Arena::Registers { 1 } else { 2 }], at as i32 * 8);
        self.builder.ins().store(Self::flags(), value, base, at);
    }

    fn compute(&mut self, bit: Bit) -> Value {
        if let Some(&slot) = self.code.loaded.get(&bit) {
            return self.load(Plane { arena: Arena::Wires, bundle: self.code.bundle, slot, offset: 0 });
        }
        let gates = &self.work.gates;
        match gates.gate(bit) {
            Gate::Zero => self.constant(0),
            Gate::One => self.constant(-1),
            Gate::Leaf(number) => self.load(self.work.leaves[number as usize]),
            Gate::Not(a) => {
                let a = self.values[&a];
                self.builder.ins().bnot(a)
            }
            gate @ (Gate::And(..) | Gate::Or(..)) => {
                let (Gate::And(a, b) | Gate::Or(a, b)) = gate else { unreachable!("matched above") };
                let complement = [a, b].iter().any(|&x| matches!(gates.gate(x), Gate::Not(_)));
                let operands = inputs(gates, gate);
                let (x, y) = (self.values[&operands[0]], self.values[&operands[1]]);
                let ins = self.builder.ins();
                match (gate, complement) {
                    (Gate::And(..), true) => ins.band_not(x, y),
                    (Gate::And(..), false) => ins.band(x, y),
                    (_, true) => ins.bor_not(x, y),
                    (_, false) => ins.bor(x, y),
                }
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.values[&a], self.values[&b]);
                self.builder.ins().bxor(a, b)
            }
            Gate::Mux(s, t, o) => {
                let (s, t, o) = (self.values[&s], self.values[&t], self.values[&o]);
                let differ = self.builder.ins().bxor(t, o);
                let change = self.builder.ins().band(differ, s);
                self.builder.ins().bxor(change, o)
            }
        }
    }

    fn constant(&mut self, value: i64) -> Value {
        let word = self.builder.ins().iconst(types::I64, value);
        if self.kind == types::I64 { word } else { self.builder.ins().splat(self.kind, word) }
    }
}

/// Gates that are evaluated, each once per word of its bundle.
pub(super) fn size(code: &Code, gates: &Gates) -> usize {
    let counted = |bit: &&Bit| {
        **bit != ZERO && **bit != ONE && !matches!(gates.gate(**bit), Gate::Leaf(_)) && !code.loaded.contains_key(bit)
    };
    code.order.iter().filter(counted).count()
}
