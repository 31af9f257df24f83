//! Parameter variables of functions (`.param`): rows of registers, a word each.

use super::{
    form::Form,
    lowering::{Done, Lowering},
    operands::elements,
    scope::Binding,
};
use crate::{
    compile::ir::{MemoryAccess, Op, Reg, Value},
    error::{Problem, PtxErrorKind},
    isa::Opcode,
    ptx::{
        ast::{OperandKind, PtxOperand, Variable},
        types::{DeclaredType, ScalarType, StateSpace},
    },
};

/// Bytes of a parameter.
const PARAMETER_BYTES: u64 = 4096;

impl Lowering<'_> {
    /// A `.param` variable: registers for its words.
    pub(super) fn declare_slot(&mut self, variable: &Variable) -> Done {
        if let Some(problem) = &variable.unsupported {
            return Err(problem.clone());
        }
        let Some(bytes) = variable.bytes().filter(|bytes| (1..=PARAMETER_BYTES).contains(bytes)) else {
            let message = format!("parameter `{}` has no size, or more than {PARAMETER_BYTES} bytes", variable.name);
            return Err(Problem::new(PtxErrorKind::Unsupported, variable.span.clone(), message));
        };
        let words = (0..bytes.div_ceil(4)).map(|_| self.code.reg()).collect();
        // The same name again: calls one after the other without braces around them.
        self.bind_slot(&variable.name, words);
        Ok(())
    }

    /// The variable of that name is in these registers.
    pub(super) fn bind_slot(&mut self, name: &str, words: Vec<Reg>) {
        let scope = self.scopes.last_mut().expect("the body of the kernel is a scope");
        scope.slots.insert(name.into(), words);
    }

    /// The registers of the variable of that name.
    pub(super) fn slot(&self, name: &str) -> Option<&Vec<Reg>> {
        self.scopes.iter().rev().find_map(|scope| scope.slots.get(name))
    }

    /// The address of a parameter of a function: what its registers hold goes to local memory, where `ld.param` finds it.
    pub(super) fn slot_address(&mut self, name: &str, words: &[Reg]) -> Option<Value> {
        if self.local_address(name).is_none() {
            let (space, ty) = (StateSpace::Local, DeclaredType::Scalar(ScalarType::B32));
            let (initial, pointers, unsupported) = (vec![], vec![], None);
            let (name, elements, span) = (name.into(), words.len() as u64, 0..0);
            let own = Variable { space, ty, name, align: 16, elements, initial, pointers, span, unsupported };
            self.declare_local(&own).ok()?;
        }
        let base = self.local_address(name)?;
        for (&word, at) in words.iter().zip((0..).step_by(4)) {
            let access = MemoryAccess { high: Value::ZERO, bytes: 4, before: 0 };
            let src = [base, Value::Const(at), Value::Reg(word)];
            self.emit(Op { src, access, ..Op::new(Opcode::StG32, self.line) });
        }
        Some(base)
    }
}

/// Of a size that cannot be counted: more than there may be.
pub(super) fn bytes_of(param: &Variable) -> u64 {
    param.bytes().unwrap_or(PARAMETER_BYTES + 1)
}

/// The registers that it takes.
pub(super) fn words_of(param: &Variable) -> u64 {
    bytes_of(param).clamp(1, PARAMETER_BYTES).div_ceil(4)
}

/// These registers are enough for it.
pub(super) fn fits(slot: &[Reg], param: &Variable) -> bool {
    slot.len() as u64 >= words_of(param)
}

/// `ld.param` of a parameter variable.
pub(super) fn load_slot(
    l: &mut Lowering,
    form: &Form,
    words: &[Reg],
    offset: u32,
    parts: &[&PtxOperand],
    bytes: u32,
) -> Done {
    let ty = form.ty();
    let mut loaded = vec![];
    for (i, operand) in parts.iter().enumerate() {
        let at = offset + i as u32 * bytes;
        let (index, shift) = ((at / 4) as usize, 8 * (at % 4));
        let word = Value::Reg(words[index]);
        let value = if bytes == 8 { [word, Value::Reg(words[index + 1])] } else { [word, Value::ZERO] };
        let low = if bytes < 4 { l.calc(Opcode::Shr, value[0], Value::Const(shift)) } else { value[0] };
        let low = l.extend(low, ty);
        loaded.push((l.binding_of(form, operand)?, [low, value[1]]));
    }
    for (dst, value) in loaded {
        match dst {
            Binding::Wide(pair) if bytes == 8 => l.mov_wide(pair, value),
            dst => l.write_extended(form, dst, value[0], ty)?,
        }
    }
    Ok(())
}

/// `st.param`.
pub(super) fn store_parameter(l: &mut Lowering, form: &Form) -> Done {
    let operand = l.operand(form, 0)?;
    let OperandKind::Address { base: Some(name), offset } = &operand.kind else {
        return Err(l.wrong(form, operand, "the name of a parameter in brackets"));
    };
    let Some(words) = l.slot(name).cloned() else {
        let message = format!("`{name}` is not a parameter that can be written");
        return Err(Problem::new(PtxErrorKind::Name, operand.span.clone(), message));
    };
    let bytes = form.ty().bytes();
    let parts = elements(l, form, l.operand(form, 1)?)?;
    let end = offset.saturating_add(i64::from(bytes) * parts.len() as i64);
    if *offset < 0 || end > 4 * words.len() as i64 || offset % i64::from(bytes) != 0 {
        let message =
            format!("access to bytes {offset} to {end} of parameter `{name}`, which has {} bytes", 4 * words.len());
        return Err(Problem::new(PtxErrorKind::Syntax, operand.span.clone(), message));
    }
    for (i, part) in parts.into_iter().enumerate() {
        let at = *offset as u32 + i as u32 * bytes;
        let (index, shift) = ((at / 4) as usize, 8 * (at % 4));
        let (value, _) = l.src_any(form, part)?;
        if bytes >= 4 {
            for (word, value) in words[index..].iter().zip(value).take(bytes as usize / 4) {
                l.mov(*word, value);
            }
            continue;
        }
        let mask = if bytes == 1 { 0xff } else { 0xffff };
        let value = l.calc(Opcode::And, value[0], Value::Const(mask));
        let value = l.calc(Opcode::Shl, value, Value::Const(shift));
        let kept = l.calc(Opcode::And, Value::Reg(words[index]), Value::Const(!(mask << shift)));
        l.op(Opcode::Or, words[index], [kept, value, Value::ZERO]);
    }
    Ok(())
}
