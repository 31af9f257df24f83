//! Loads and stores. A 64-bit address counts by its low word; a 64-bit access is two of 32 bits.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
    memory_map::SHARED_WINDOW,
    operands::elements,
    scope::Binding,
    slots,
};
use crate::{
    compile::ir::{MemoryAccess, Op, Reg, Value},
    error::{Problem, PtxErrorKind},
    isa::Opcode,
    ptx::{
        ast::{OperandKind, PtxOperand},
        types::{ScalarType, StateSpace},
    },
};

/// `[base + offset]`.
pub(super) struct PtxAddress {
    /// Low and high word.
    pub base: [Value; 2],
    offset: i64,
    /// The base is a 64-bit register; smaller addresses wrap at 32 bits.
    wide: bool,
    /// What the low word is further than the offset: generic addresses of shared memory become others.
    shift: u32,
}

impl PtxAddress {
    fn absolute(offset: u32) -> Self {
        Self { base: [Value::ZERO; 2], offset: offset.into(), wide: false, shift: 0 }
    }

    /// The address in a register of 64 bits.
    pub fn of(base: [Value; 2]) -> Self {
        Self { base, offset: 0, wide: base[1].reg().is_some(), shift: 0 }
    }

    /// Constant offset of the operation that starts `before` bytes behind the address.
    pub fn at(&self, before: u32) -> Value {
        Value::Const((self.offset as u32).wrapping_add(before).wrapping_add(self.shift))
    }

    /// Where a generic address of shared memory is there.
    pub fn in_window(&self) -> Self {
        Self { shift: SHARED_WINDOW, ..*self }
    }

    /// What the checks have to know of this operation of an access of `bytes`. Computes the high word before anything is loaded:
    /// the base may be overwritten.
    pub fn access(&self, l: &mut Lowering, bytes: u32, before: u32) -> MemoryAccess {
        let offset = self.offset.wrapping_add(before.into());
        let keeps_high = l.high_words || l.recursion.exists();
        let high = match (keeps_high && self.wide, offset) {
            (false, _) => Value::ZERO,
            (true, 0) => l.calc(Opcode::Mov, Value::ZERO, self.base[1]),
            (true, _) => l.add_wide(self.base, [Value::Const(offset as u32), Value::Const((offset >> 32) as u32)])[1],
        };
        MemoryAccess { high, bytes, before }
    }
}

pub(super) fn address(l: &mut Lowering, form: &Form, index: usize) -> Result<PtxAddress, Problem> {
    let operand = l.operand(form, index)?;
    let OperandKind::Address { base, offset } = &operand.kind else {
        return Err(l.wrong(form, operand, "an address in brackets"));
    };
    let Some(name) = base else { return Ok(PtxAddress::absolute(*offset as u32)) };
    let named = PtxOperand {
        kind: OperandKind::Name { name: name.clone(), negated: false, offset: 0 },
        span: operand.span.clone(),
    };
    match l.src_any(form, &named)? {
        (_, ..32) => Err(l.wrong(form, operand, "an address of 32 or 64 bits")),
        (base, bits) => Ok(PtxAddress { base, offset: *offset, wide: bits == 64 && base[1].reg().is_some(), shift: 0 }),
    }
}

/// Opcode of a load of type `ty`: of 32 bits, unsigned and signed bytes, unsigned and signed half words.
fn load_opcode(form: &Form, shared: bool) -> Opcode {
    // A first-level cache is not coherent with those of other cores: these forms ask what lies behind it.
    let passes = [Modifier::Volatile, Modifier::Cg, Modifier::Cv].into_iter().any(|modifier| form.has(modifier));
    if form.is_in(StateSpace::Const) {
        return constant_opcode(form.ty());
    }
    let words = match (shared, passes) {
        (true, _) => [Opcode::LdS32, Opcode::LdSU8, Opcode::LdSS8, Opcode::LdSU16, Opcode::LdSS16],
        (false, false) => [Opcode::LdG32, Opcode::LdGU8, Opcode::LdGS8, Opcode::LdGU16, Opcode::LdGS16],
        (false, true) => [Opcode::LdV32, Opcode::LdVU8, Opcode::LdVS8, Opcode::LdVU16, Opcode::LdVS16],
    };
    of_type(words, form.ty())
}

/// The same from constant memory.
fn constant_opcode(ty: ScalarType) -> Opcode {
    of_type([Opcode::LdC32, Opcode::LdCU8, Opcode::LdCS8, Opcode::LdCU16, Opcode::LdCS16], ty)
}

fn of_type([word, u8, s8, u16, s16]: [Opcode; 5], ty: ScalarType) -> Opcode {
    match ty {
        ScalarType::U8 | ScalarType::B8 => u8,
        ScalarType::S8 => s8,
        ScalarType::U16 | ScalarType::B16 => u16,
        ScalarType::S16 => s16,
        _ => word,
    }
}

fn store_opcode(shared: bool, bytes: u32) -> Opcode {
    match (shared, bytes) {
        (false, 1) => Opcode::StG8,
        (false, 2) => Opcode::StG16,
        (false, _) => Opcode::StG32,
        (true, 1) => Opcode::StS8,
        (true, 2) => Opcode::StS16,
        (true, _) => Opcode::StS32,
    }
}

pub(super) fn load(l: &mut Lowering, form: &Form) -> Done {
    let address = address(l, form, 1)?;
    match form.space().is_some() {
        true => load_words(l, form, load_opcode(form, form.is_in(StateSpace::Shared)), &address),
        false => l.by_space(&address, |l, shared, address| load_words(l, form, load_opcode(form, shared), address)),
    }
}

/// Loads all elements, each into its registers; the one that holds the base comes last.
fn load_words(l: &mut Lowering, form: &Form, opcode: Opcode, address: &PtxAddress) -> Done {
    let ty = form.ty();
    let bytes = ty.bytes();
    let mut loads: Vec<(Reg, u32)> = Vec::new();
    let mut high_words = Vec::new();
    let elements = elements(l, form, l.operand(form, 0)?)?;
    let whole = elements.len() as u32 * bytes;
    for (i, operand) in elements.into_iter().enumerate() {
        let before = i as u32 * bytes;
        match l.binding_of(form, operand)? {
            Binding::Wide(pair) if bytes == 8 => loads.extend([(pair[0], before), (pair[1], before + 4)]),
            Binding::Wide(pair) => {
                loads.push((pair[0], before));
                high_words.push(pair);
            }
            Binding::Narrow { reg, bits } if bits >= 8 * bytes => loads.push((reg, before)),
            _ => return Err(l.wrong(form, operand, &format!("a register of at least {} bits", 8 * bytes))),
        }
    }
    loads.sort_by_key(|(reg, _)| Value::Reg(*reg) == address.base[0]);
    let accesses: Vec<MemoryAccess> = loads.iter().map(|&(_, before)| address.access(l, whole, before)).collect();
    for ((reg, before), access) in loads.into_iter().zip(accesses) {
        let src = [address.base[0], address.at(before), Value::ZERO];
        l.emit(Op { dst: Some(reg), src, access, ..Op::new(opcode, l.line) });
    }
    for [low, high] in high_words {
        if ty.is_signed() {
            l.op(Opcode::Sar, high, [Value::Reg(low), Value::Const(31), Value::ZERO]);
        } else {
            l.mov(high, Value::ZERO);
        }
    }
    Ok(())
}

pub(super) fn store(l: &mut Lowering, form: &Form) -> Done {
    let address = address(l, form, 0)?;
    match form.space().is_some() {
        true => store_words(l, form, form.is_in(StateSpace::Shared), &address),
        false => l.by_space(&address, |l, shared, address| store_words(l, form, shared, address)),
    }
}

fn store_words(l: &mut Lowering, form: &Form, shared: bool, address: &PtxAddress) -> Done {
    let bytes = form.ty().bytes();
    let opcode = store_opcode(shared, bytes);
    let elements = elements(l, form, l.operand(form, 1)?)?;
    let whole = elements.len() as u32 * bytes;
    for (i, operand) in elements.into_iter().enumerate() {
        let (words, bits) = l.src_any(form, operand)?;
        if bits < 8 * bytes {
            return Err(l.wrong(form, operand, &format!("a register of at least {} bits", 8 * bytes)));
        }
        for (word, value) in words.into_iter().enumerate().take(bytes.div_ceil(4) as usize) {
            let before = i as u32 * bytes + 4 * word as u32;
            let access = address.access(l, whole, before);
            l.emit(Op { src: [address.base[0], address.at(before), value], access, ..Op::new(opcode, l.line) });
        }
    }
    Ok(())
}

/// Parameters of the kernel are 32-bit words at constant addresses, or in constant memory; those of a function are registers.
pub(super) fn load_param(l: &mut Lowering, form: &Form) -> Done {
    let operand = l.operand(form, 1)?;
    let OperandKind::Address { base: Some(name), offset } = &operand.kind else {
        return Err(l.wrong(form, operand, "the name of a parameter in brackets"));
    };
    if l.type_of(name).is_some() {
        return load_param_at(l, form);
    }
    let bytes = form.ty().bytes();
    let parts = elements(l, form, l.operand(form, 0)?)?;
    let end = offset.saturating_add(parts.len() as i64 * i64::from(bytes));
    let check = |size: u32| {
        if *offset < 0 || end > i64::from(size) || offset % i64::from(bytes) != 0 {
            let message = format!("access to bytes {offset} to {end} of parameter `{name}`, which has {size} bytes");
            return Err(Problem::new(PtxErrorKind::Syntax, operand.span.clone(), message));
        }
        Ok(*offset as u32)
    };
    if let Some(words) = l.slot(name).cloned() {
        let offset = check(4 * words.len() as u32)?;
        return slots::load_slot(l, form, &words, offset, &parts, bytes);
    }
    let Some(param) = l.params.get(name).filter(|_| l.frames.is_empty()).cloned() else {
        let mut known: Vec<&str> = l.params.keys().map(String::as_str).collect();
        known.sort_unstable();
        let message = format!("`{name}` is not a parameter of this kernel");
        let problem = Problem::new(PtxErrorKind::Name, operand.span.clone(), message);
        return Err(problem.help(format!("parameters: {}", known.join(", "))));
    };
    let at = check(param.size)?;
    if let Some(constant) = param.constant {
        return load_words(l, form, constant_opcode(form.ty()), &PtxAddress::absolute(constant + at));
    }
    let at = PtxAddress::absolute(param.offset + at);
    load_param_words(l, form, &at, &parts, bytes)
}

/// A parameter whose address is in a register.
fn load_param_at(l: &mut Lowering, form: &Form) -> Done {
    let at = address(l, form, 1)?;
    if l.in_function() {
        return load_words(l, form, load_opcode(form, false), &at);
    }
    if l.params_in_constants {
        return load_words(l, form, constant_opcode(form.ty()), &at);
    }
    let bytes = form.ty().bytes();
    let parts = elements(l, form, l.operand(form, 0)?)?;
    load_param_words(l, form, &at, &parts, bytes)
}

/// The parameter memory has whole words: smaller values are cut out of theirs.
fn load_param_words(l: &mut Lowering, form: &Form, at: &PtxAddress, parts: &[&PtxOperand], bytes: u32) -> Done {
    if bytes >= 4 {
        return load_words(l, form, Opcode::LdP32, at);
    }
    let ty = form.ty();
    let mut loaded = vec![];
    for (i, operand) in parts.iter().enumerate() {
        let dst = l.binding_of(form, operand)?;
        let address = l.calc(Opcode::Add, at.base[0], at.at(i as u32 * bytes));
        let word = l.calc(Opcode::And, address, Value::Const(!3));
        let word = l.calc(Opcode::LdP32, word, Value::ZERO);
        let byte = l.calc(Opcode::And, address, Value::Const(3));
        let amount = l.calc(Opcode::Shl, byte, Value::Const(3));
        let value = l.calc(Opcode::Shr, word, amount);
        loaded.push((dst, l.extend(value, ty)));
    }
    loaded.into_iter().try_for_each(|(dst, value)| l.write_extended(form, dst, value, ty))
}
