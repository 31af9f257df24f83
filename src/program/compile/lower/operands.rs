//! Names and operands of PTX instructions.

use super::{
    form::Form,
    lowering::{Done, Lowering, declared_twice},
    memory_map::Constant,
    scope::{Binding, DeclaredName, ELEMENTS},
    special_registers::{special_bits, special_register},
};
use crate::{
    compile::ir::{Cond, Pred, Reg, Value},
    error::{Problem, PtxErrorKind},
    isa::Opcode,
    ptx::{
        ast::{Instruction, OperandKind, PtxOperand, Span},
        types::{ScalarType, StateSpace},
    },
};

impl<'a> Lowering<'a> {
    pub(super) fn declare_registers(
        &mut self,
        ty: ScalarType,
        name: &str,
        count: Option<u64>,
        element: &'static str,
        span: &Span,
    ) -> Done {
        let scope = self.scopes.last_mut().expect("the body of the kernel is a scope");
        let same = |d: &DeclaredName| d.count.is_some() == count.is_some() && d.element == element;
        let places = scope.by_name.entry(name.into()).or_default();
        if places.iter().any(|&place| same(&scope.declared[place])) {
            return Err(declared_twice(name, span));
        }
        places.push(scope.declared.len());
        scope.has_vectors |= !element.is_empty();
        scope.declared.push(DeclaredName { name: name.into(), ty, count, element });
        Ok(())
    }

    /// A register of a function that lives in these words.
    pub(super) fn bind_register(&mut self, name: &str, words: &[Reg]) {
        let Some(ty) = self.type_of(name).filter(|ty| *ty != ScalarType::Pred) else { return };
        let binding = match (ty.bits(), words) {
            (64, [low, high, ..]) => Binding::Wide([*low, *high]),
            (bits, [reg, ..]) => Binding::Narrow { reg: *reg, bits },
            _ => return,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.bound.insert(name.into(), binding);
        }
    }

    /// The instruction with the elements in the place of each register vector, if it names any.
    pub(super) fn with_vectors(&self, instruction: &Instruction) -> Option<Instruction> {
        if !self.scopes.iter().any(|scope| scope.has_vectors) {
            return None;
        }
        let elements = |operand: &PtxOperand| {
            let OperandKind::Name { name, negated: false, offset: 0 } = &operand.kind else { return None };
            let names = ELEMENTS.map(|(element, _)| format!("{name}{element}"));
            let parts: Vec<PtxOperand> = names
                .into_iter()
                .take_while(|name| self.type_of(name).is_some())
                .map(|name| PtxOperand {
                    kind: OperandKind::Name { name, negated: false, offset: 0 },
                    ..operand.clone()
                })
                .collect();
            (!parts.is_empty()).then_some(OperandKind::Vector(parts))
        };
        let is_vector = |operand: &PtxOperand| elements(operand).is_some();
        if !instruction.operands.iter().any(is_vector) {
            return None;
        }
        let mut expanded = instruction.clone();
        for operand in &mut expanded.operands {
            operand.kind = elements(operand).unwrap_or_else(|| operand.kind.clone());
        }
        Some(expanded)
    }

    /// The type that a register is declared with.
    pub(super) fn type_of(&self, name: &str) -> Option<ScalarType> {
        self.scopes.iter().rev().find_map(|scope| scope.declaration(name)).map(|d| d.ty)
    }

    fn register(&mut self, name: &str) -> Option<Binding> {
        // An element has one register under both of its names.
        let elements = if name.contains('.') { &ELEMENTS[..] } else { &[] };
        let canonical = elements.iter().find_map(|(element, colour)| {
            let stem = name.strip_suffix(colour)?;
            let first = format!("{stem}{element}");
            self.type_of(&first).map(|_| first)
        });
        let name = canonical.as_deref().unwrap_or(name);
        for depth in (0..self.scopes.len()).rev() {
            let scope = &self.scopes[depth];
            if let Some(&binding) = scope.bound.get(name) {
                return Some(binding);
            }
            let Some(declared) = scope.declaration(name) else { continue };
            let binding = match (declared.ty, declared.ty.bits()) {
                (ScalarType::Pred, _) => Binding::Predicate(self.code.pred()),
                (_, 64) => Binding::Wide([self.code.reg(), self.code.reg()]),
                (_, bits) => Binding::Narrow { reg: self.code.reg(), bits },
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
                .help("supported outside a kernel: .shared, .const, .global");
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
    pub(super) fn operand<'f>(&self, form: &'f Form, index: usize) -> Result<&'f PtxOperand, Problem> {
        let operands = &form.instruction.operands;
        operands.get(index).ok_or_else(|| {
            let message = format!("has {} operands, operand {} is missing", operands.len(), index + 1);
            form.problem(PtxErrorKind::Syntax, &message)
        })
    }

    pub(super) fn wrong(&self, form: &Form, operand: &PtxOperand, wanted: &str) -> Problem {
        let message = format!("`{}` wants {wanted} here", form.instruction.mnemonic);
        Problem::new(PtxErrorKind::Syntax, operand.span.clone(), message)
    }

    /// The register that operand `index` names.
    pub(super) fn binding(&mut self, form: &Form, index: usize) -> Result<Binding, Problem> {
        let operand = self.operand(form, index)?;
        self.binding_of(form, operand)
    }

    pub(super) fn binding_of(&mut self, form: &Form, operand: &PtxOperand) -> Result<Binding, Problem> {
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

    /// The register of 32 bits that stands there by name.
    pub(super) fn narrow(&mut self, form: &Form, operand: &PtxOperand) -> Result<Reg, Problem> {
        let OperandKind::Name { name, .. } = &operand.kind else {
            return Err(self.wrong(form, operand, "a register"));
        };
        match self.register(name) {
            Some(Binding::Narrow { reg, bits: 32 }) => Ok(reg),
            Some(_) => Err(self.wrong(form, operand, "a register of 32 bits")),
            None => Err(self.unknown_name(name, &operand.span)),
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
    pub(super) fn src_any(&mut self, form: &Form, operand: &PtxOperand) -> Result<([Value; 2], u32), Problem> {
        let word = |v: i64| [Value::Const(v as u32), Value::Const((v >> 32) as u32)];
        match &operand.kind {
            OperandKind::Integer(value) => Ok((word(*value), 64)),
            OperandKind::Float32(bits) => Ok((word(i64::from(*bits)), 32)),
            OperandKind::Float64(bits) if form.ty() == ScalarType::F32 => {
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
                match self.named_value(name, *offset) {
                    Some(value) => Ok(value),
                    None if name == "WARP_SZ" => Ok((word(32), 64)),
                    None => Err(self.unknown_name(name, &operand.span)),
                }
            }
            _ => Err(self.wrong(form, operand, "a register or a constant")),
        }
    }

    /// The address of a variable, plus `offset`, or the value of a special register, with its bits.
    fn named_value(&mut self, name: &str, offset: i64) -> Option<([Value; 2], u32)> {
        let word = |v: i64| [Value::Const(v as u32), Value::Const((v >> 32) as u32)];
        let offset = i64::from(offset as i32);
        // Addresses of dynamic shared and of local memory are in registers.
        let at = |l: &mut Self, base: Value| {
            let sum = l.calc(Opcode::Add, base, Value::Const(offset as u32));
            Some(([sum, Value::ZERO], 64))
        };
        if let Some(words) = self.slot(name).cloned() {
            let base = self.slot_address(name, &words)?;
            return at(self, base);
        }
        if let Some(base) = self.local_address(name) {
            return at(self, base);
        }
        if let Some(&place) = self.shared.get(name) {
            return Some((word(i64::from(place) + offset), 64));
        }
        if let Some(base) = self.dynamic_shared.filter(|_| self.dynamic_arrays.contains(name)) {
            return at(self, Value::Reg(base));
        }
        if let Some(address) = self.static_address(name) {
            return Some((word(i64::from(address) + offset), 64));
        }
        if let Some(param) = self.params.get(name).filter(|_| self.frames.is_empty()) {
            let bytes = param.offset..param.offset + param.size;
            if !self.taken_params.contains(&bytes) {
                self.taken_params.push(bytes);
            }
            return Some((word(i64::from(param.offset) + offset), 64));
        }
        if offset == 0 { self.special(name) } else { None }
    }

    /// The value of a special register, with its bits.
    pub(super) fn special(&mut self, name: &str) -> Option<([Value; 2], u32)> {
        let bits = special_bits(name)?;
        let read = |l: &mut Self, number: u32| l.calc(Opcode::S2r, Value::ZERO, Value::Const(number));
        if let Some(number) = special_register(name) {
            return Some(([read(self, number), Value::ZERO], bits));
        }
        let lane = |l: &mut Self| special_register("%laneid").map_or(Value::ZERO, |number| read(l, number));
        let value = match name {
            "%clock64" => special_register("%clock").map_or(Value::ZERO, |number| read(self, number)),
            "%gridid" | "%clock_hi" => Value::ZERO,
            _ => {
                let lane = lane(self);
                let own = self.calc(Opcode::Shl, Value::Const(1), lane);
                let below = self.calc(Opcode::Sub, own, Value::Const(1));
                let upto = self.calc(Opcode::Or, own, below);
                match name {
                    "%lanemask_eq" => own,
                    "%lanemask_lt" => below,
                    "%lanemask_le" => upto,
                    "%lanemask_gt" => self.calc(Opcode::Xor, upto, Value::Const(u32::MAX)),
                    _ => self.calc(Opcode::Xor, below, Value::Const(u32::MAX)),
                }
            }
        };
        Some(([value, Value::ZERO], bits))
    }

    /// The space of a variable, if the name is one's.
    pub(super) fn space_of(&self, name: &str) -> Option<StateSpace> {
        if self.scopes.iter().any(|scope| scope.locals.contains_key(name)) {
            return Some(StateSpace::Local);
        }
        if self.shared.contains_key(name) || self.dynamic_arrays.contains(name) {
            return Some(StateSpace::Shared);
        }
        let is = |places: &[Constant]| places.iter().any(|place| place.name == name);
        match () {
            () if is(&self.constants) => Some(StateSpace::Const),
            () if is(&self.globals) => Some(StateSpace::Global),
            () => None,
        }
    }

    /// Source of at most 32 bits.
    pub(super) fn src(&mut self, form: &Form, index: usize) -> Result<Value, Problem> {
        let operand = self.operand(form, index)?;
        let (words, bits) = self.src_any(form, operand)?;
        match (words, bits) {
            ([Value::Reg(_), _], 64) if !self.is_variable(operand) => {
                Err(self.wrong(form, operand, "a register of at most 32 bits"))
            }
            ([lo, _], _) => Ok(lo),
        }
    }

    /// The address of a variable: of as many bits as it is asked for.
    fn is_variable(&self, operand: &PtxOperand) -> bool {
        matches!(&operand.kind, OperandKind::Name { name, .. } if self.type_of(name).is_none() && self.space_of(name).is_some())
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
    pub(super) fn src_extended(&mut self, form: &Form, index: usize, ty: ScalarType) -> Result<Value, Problem> {
        let value = self.src(form, index)?;
        Ok(self.extend(value, ty))
    }

    /// The low bits of `value` that type `ty` has, extended to 32.
    pub(super) fn extend(&mut self, value: Value, ty: ScalarType) -> Value {
        let bits = ty.bits();
        if bits >= 32 {
            return value;
        }
        if ty.is_signed() {
            let up = self.calc(Opcode::Shl, value, Value::Const(32 - bits));
            self.calc(Opcode::Sar, up, Value::Const(32 - bits))
        } else {
            self.calc(Opcode::And, value, Value::Const((1 << bits) - 1))
        }
    }
}

/// The operands of a vector, or the operand itself.
pub(super) fn elements<'f>(
    l: &Lowering,
    form: &'f Form,
    operand: &'f PtxOperand,
) -> Result<Vec<&'f PtxOperand>, Problem> {
    let count = form.lanes();
    match &operand.kind {
        _ if count == 1 => Ok(vec![operand]),
        OperandKind::Vector(parts) if parts.len() == count as usize => Ok(parts.iter().collect()),
        _ => Err(l.wrong(form, operand, &format!("a vector of {count} registers"))),
    }
}
