//! Names and operands of PTX instructions.

use super::types::Type;
use super::*;
use crate::ptx::ast::{Operand, OperandKind, type_bytes};

/// Registers declared between two braces.
#[derive(Default)]
pub(crate) struct Scope {
    /// Declarations: name or prefix, width, count.
    declared: Vec<Declared>,
    /// Registers already met.
    bound: HashMap<String, Binding>,
}

struct Declared {
    name: String,
    ty: Type,
    count: Option<u64>,
}

impl Declared {
    fn covers(&self, name: &str) -> bool {
        match self.count {
            None => self.name == name,
            Some(count) => name
                .strip_prefix(self.name.as_str())
                .filter(|n| *n == "0" || !n.starts_with('0'))
                .and_then(|n| n.parse::<u64>().ok())
                .is_some_and(|n| n < count),
        }
    }
}

/// Where a PTX register lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// A predicate.
    Predicate(Pred),
    /// Up to 32 bits; bits above `bits` are unspecified.
    Narrow { reg: Reg, bits: u32 },
    /// 64 bits: low, high word.
    Wide([Reg; 2]),
}

impl<'a> Lowering<'a> {
    pub(super) fn declare_registers(&mut self, ty: &str, name: &str, count: Option<u64>, span: &Span) -> Done {
        let scope = self.scopes.last_mut().expect("the body of the kernel is a scope");
        if scope.declared.iter().any(|d| d.name == name && d.count.is_some() == count.is_some()) {
            return Err(declared_twice(name, span));
        }
        scope.declared.push(Declared { name: name.into(), ty: Type::named(ty), count });
        Ok(())
    }

    /// The type that a register is declared with.
    pub(super) fn type_of(&self, name: &str) -> Option<&Type> {
        self.scopes.iter().rev().find_map(|scope| scope.declared.iter().find(|d| d.covers(name))).map(|d| &d.ty)
    }

    fn register(&mut self, name: &str) -> Option<Binding> {
        for depth in (0..self.scopes.len()).rev() {
            let scope = &self.scopes[depth];
            if let Some(&binding) = scope.bound.get(name) {
                return Some(binding);
            }
            let Some(declared) = scope.declared.iter().find(|d| d.covers(name)) else { continue };
            let binding = match declared.ty.width() {
                None => Binding::Predicate(self.code.pred()),
                Some(64) => Binding::Wide([self.code.reg(), self.code.reg()]),
                Some(bits) => Binding::Narrow { reg: self.code.reg(), bits },
            };
            self.scopes[depth].bound.insert(name.into(), binding);
            return Some(binding);
        }
        None
    }

    pub(super) fn unknown_name(&self, name: &str, span: &Span) -> Problem {
        if let Some(variable) = self.module.variables.iter().find(|v| v.name == name) {
            let message = format!("`.{}` variable `{name}` is not supported", variable.space);
            return Problem::new(PtxErrorKind::Unsupported, span.clone(), message)
                .help("supported outside a kernel: .shared, .const; data comes in through the kernel's parameters");
        }
        let problem = Problem::new(PtxErrorKind::Name, span.clone(), format!("`{name}` is not declared"));
        let declared = self.scopes.iter().flat_map(|s| &s.declared).map(|d| match d.count {
            Some(count) => format!("{}<{count}>", d.name),
            None => d.name.clone(),
        });
        let mut names: Vec<String> = declared.chain(self.shared.keys().cloned()).collect();
        names.extend(self.constants.iter().map(|constant| constant.name.clone()));
        names.sort_unstable();
        match names.is_empty() {
            true => problem,
            false => problem.help(format!("declared: {}", names.join(", "))),
        }
    }

    pub(super) fn predicate_named(&mut self, name: &str, span: &Span) -> Result<Pred, Problem> {
        match self.register(name) {
            Some(Binding::Predicate(p)) => Ok(p),
            Some(_) => Err(Problem::new(PtxErrorKind::Name, span.clone(), format!("`{name}` is not a predicate"))),
            None => Err(self.unknown_name(name, span)),
        }
    }

    /// Operand `index` of the instruction.
    pub(super) fn operand<'f>(&self, form: &'f Form, index: usize) -> Result<&'f Operand, Problem> {
        let operands = &form.instruction.operands;
        operands.get(index).ok_or_else(|| {
            let message = format!("has {} operands, operand {} is missing", operands.len(), index + 1);
            form.problem(PtxErrorKind::Syntax, &message)
        })
    }

    pub(super) fn wrong(&self, form: &Form, operand: &Operand, wanted: &str) -> Problem {
        let message = format!("`{}` wants {wanted} here", form.instruction.mnemonic);
        Problem::new(PtxErrorKind::Syntax, operand.span.clone(), message)
    }

    /// The register that operand `index` names.
    pub(super) fn binding(&mut self, form: &Form, index: usize) -> Result<Binding, Problem> {
        let operand = self.operand(form, index)?;
        self.binding_of(form, operand)
    }

    pub(super) fn binding_of(&mut self, form: &Form, operand: &Operand) -> Result<Binding, Problem> {
        match &operand.kind {
            OperandKind::Name { name, negated: false, offset: 0 } => {
                self.register(name).ok_or_else(|| self.unknown_name(name, &operand.span))
            }
            // Results that nobody wants.
            OperandKind::Sink => Ok(Binding::Wide([self.temp(), self.temp()])),
            _ => Err(self.wrong(form, operand, "a register")),
        }
    }

    /// Destination of at most 32 bits.
    pub(super) fn dst(&mut self, form: &Form, index: usize) -> Result<Reg, Problem> {
        match self.binding(form, index)? {
            Binding::Narrow { reg, .. } => Ok(reg),
            _ => Err(self.wrong(form, self.operand(form, index)?, "a register of at most 32 bits")),
        }
    }

    /// 64-bit destination.
    pub(super) fn dst_wide(&mut self, form: &Form, index: usize) -> Result<[Reg; 2], Problem> {
        match self.binding(form, index)? {
            Binding::Wide(pair) => Ok(pair),
            _ => Err(self.wrong(form, self.operand(form, index)?, "a 64-bit register")),
        }
    }

    /// Destination predicate.
    pub(super) fn dst_pred(&mut self, form: &Form, index: usize) -> Result<Pred, Problem> {
        match self.binding(form, index)? {
            Binding::Predicate(p) => Ok(p),
            _ => Err(self.wrong(form, self.operand(form, index)?, "a predicate")),
        }
    }

    /// Source predicate.
    pub(super) fn src_pred(&mut self, form: &Form, index: usize) -> Result<Cond, Problem> {
        let operand = self.operand(form, index)?;
        match &operand.kind {
            OperandKind::Name { name, negated, offset: 0 } => {
                Ok(Cond::of(self.predicate_named(name, &operand.span)?).invert_if(*negated))
            }
            OperandKind::Integer(value) => Ok(Cond::TRUE.invert_if(*value == 0)),
            _ => Err(self.wrong(form, operand, "a predicate")),
        }
    }

    /// Source of any width: low and high word. High words of narrow sources are unspecified (here: zero, or the constant's).
    pub(super) fn src_any(&mut self, form: &Form, operand: &Operand) -> Result<([Value; 2], u32), Problem> {
        let word = |v: i64| [Value::Const(v as u32), Value::Const((v >> 32) as u32)];
        match &operand.kind {
            OperandKind::Integer(value) => Ok((word(*value), 64)),
            OperandKind::Float32(bits) => Ok((word(i64::from(*bits)), 32)),
            OperandKind::Float64(bits) if form.ty() == "f32" => {
                Ok((word(i64::from((f64::from_bits(*bits) as f32).to_bits())), 32))
            }
            OperandKind::Float64(bits) => Ok((word(*bits as i64), 64)),
            OperandKind::Name { name, negated: false, offset } => {
                if *offset == 0 {
                    match self.register(name) {
                        Some(Binding::Narrow { reg, bits }) => return Ok(([Value::Reg(reg), Value::ZERO], bits)),
                        Some(Binding::Wide([lo, hi])) => return Ok(([Value::Reg(lo), Value::Reg(hi)], 64)),
                        Some(Binding::Predicate(_)) => {
                            return Err(self.wrong(form, operand, "a register, not a predicate"));
                        }
                        None => {}
                    }
                }
                if let Some(&at) = self.shared.get(name) {
                    return Ok((word(i64::from(at) + i64::from(*offset as i32)), 64));
                }
                if let Some(at) = self.constant(name) {
                    return Ok((word(i64::from(at) + i64::from(*offset as i32)), 64));
                }
                if name == "WARP_SZ" {
                    return Ok((word(32), 64));
                }
                Err(self.unknown_name(name, &operand.span))
            }
            _ => Err(self.wrong(form, operand, "a register or a constant")),
        }
    }

    /// Source of at most 32 bits.
    pub(super) fn src(&mut self, form: &Form, index: usize) -> Result<Value, Problem> {
        let operand = self.operand(form, index)?;
        let (words, bits) = self.src_any(form, operand)?;
        match (words, bits) {
            ([Value::Reg(_), _], 64) => Err(self.wrong(form, operand, "a register of at most 32 bits")),
            ([lo, _], _) => Ok(lo),
        }
    }

    /// 64-bit source.
    pub(super) fn src_wide(&mut self, form: &Form, index: usize) -> Result<[Value; 2], Problem> {
        let operand = self.operand(form, index)?;
        match self.src_any(form, operand)? {
            (words, 64) => Ok(words),
            _ => Err(self.wrong(form, operand, "a 64-bit register")),
        }
    }

    /// A source of 8, 16 or 32 bits, as a full 32-bit word: sign- or zero-extended as the type `ty` says.
    pub(super) fn src_extended(&mut self, form: &Form, index: usize, ty: &str) -> Result<Value, Problem> {
        let value = self.src(form, index)?;
        Ok(self.extend(value, ty))
    }

    /// The low bits of `value` that type `ty` has, extended to 32.
    pub(super) fn extend(&mut self, value: Value, ty: &str) -> Value {
        let bits = 8 * type_bytes(ty).unwrap_or(4) as u32;
        if bits >= 32 {
            return value;
        }
        if ty.starts_with('s') {
            let up = self.calc(Opcode::Shl, value, Value::Const(32 - bits));
            self.calc(Opcode::Sar, up, Value::Const(32 - bits))
        } else {
            self.calc(Opcode::And, value, Value::Const((1 << bits) - 1))
        }
    }
}
