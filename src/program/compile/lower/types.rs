//! Which operands an instruction takes: each row of the instruction table names, place by place, what may stand there,
//! and [`check`] holds an instruction to it before it is lowered.
//!
//! The rules are those of the PTX manual, "Type Information for Instructions and Operands". A register agrees with a
//! type of the same size when one of the two is of bits (`.b32`), both are integers, or both are floats. `ld`, `st` and
//! `cvt` are
//! *relaxed*: a register may be wider than the type, unless both are floats. Constants have no size: an integer serves every
//! type but a float's, a float every type but an integer's.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
    special_registers::special_bits,
};
use crate::{
    error::{Problem, PtxErrorKind},
    ptx::{
        ast::{OperandKind, PtxOperand},
        types::{ScalarType, StateSpace, TypeFamily},
    },
};

/// What stands in one place of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    /// A register that is written.
    To(Ty),
    /// The same, or `_` where nobody wants the result.
    ToOrSink(Ty),
    /// A register that is read, a constant, or the address of a variable.
    Of(Ty),
    /// As `To`, relaxed; a vector of such registers where the mnemonic says so.
    RelaxedTo(Ty),
    /// As `Of`, relaxed; a vector where the mnemonic says so.
    RelaxedOf(Ty),
    /// As `To` the instruction's type; of bits also two registers of half the size.
    MoveTo,
    /// As `Of` the instruction's type; of bits also two halves; or a special register.
    MoveOf,
    /// A predicate that is written.
    ToPredicate,
    /// One that is written, and after `|` another.
    ToPredicates,
    /// A predicate that is read.
    OfPredicate,
    /// The same, where the mnemonic combines it with the outcome (`setp.lt.and`).
    Combined,
    /// An address in brackets.
    Address,
    /// What only the function that lowers the instruction knows: a label, a parameter, the number of a barrier.
    Other,
    /// The same, of any number of operands.
    Any,
}

/// A type, said relative to the mnemonic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// The last part of the mnemonic.
    Own,
    /// The same of twice the size.
    Double,
    /// Whatever the instruction works on: amounts of shifts, places of bits, counts.
    U32,
    /// Part of the mnemonic, by its place in the pattern.
    Part(usize),
}

impl ScalarType {
    /// A register of type `register` may stand where the instruction has this type.
    fn takes(self, register: Self, relaxed: bool) -> bool {
        use TypeFamily::{Bits, Float, Predicate};
        let families = match (self.family(), register.family()) {
            (Predicate, _) | (_, Predicate) => false,
            (Bits, _) | (_, Bits) => true,
            (a, b) => a == b,
        };
        let wider = relaxed && !(self.family() == Float && register.family() == Float);
        families && (register.bits() == self.bits() || wider && register.bits() > self.bits())
    }

    /// What a person may write instead.
    fn wanted(self, relaxed: bool) -> String {
        let (noun, may_be_wider) = match self.family() {
            TypeFamily::Bits => ("a value", true),
            TypeFamily::Integer => ("an integer", true),
            TypeFamily::Float => ("a float", false),
            TypeFamily::Predicate => return "a predicate".into(),
        };
        format!("{noun} of {}{} bits", if relaxed && may_be_wider { "at least " } else { "" }, self.bits())
    }

    /// Types of registers that agree.
    fn agreeing(self, relaxed: bool) -> String {
        let bits = self.bits();
        let letters = match self.family() {
            TypeFamily::Integer => "bus",
            TypeFamily::Float => "bf",
            _ => "busf",
        };
        let list: Vec<String> = letters.chars().map(|letter| format!(".{letter}{bits}")).collect();
        let wider = match self.family() {
            _ if !relaxed || bits == 64 => "",
            TypeFamily::Float => ", and wider ones of bits",
            _ => ", and wider ones",
        };
        format!("registers of {}{wider}", list.join(", "))
    }
}

/// Refuses an instruction with too few or too many operands, or one of a type that PTX does not allow there.
///
/// Names that are not declared are left to the function that lowers the instruction.
pub(super) fn check(l: &Lowering, form: &Form, takes: &[Takes]) -> Done {
    let combines = [Modifier::And, Modifier::Or, Modifier::Xor].into_iter().any(|modifier| form.has(modifier));
    let takes: Vec<Takes> = takes.iter().copied().filter(|t| *t != Takes::Combined || combines).collect();
    let operands = &form.instruction.operands;
    if takes.contains(&Takes::Any) {
        return Ok(());
    }
    if operands.len() != takes.len() {
        let message = format!("takes {} operands, found {}", takes.len(), operands.len());
        return Err(form.problem(PtxErrorKind::Syntax, &message));
    }
    let checker = TypeChecker { l, form };
    takes.into_iter().zip(operands).try_for_each(|(takes, operand)| checker.operand(takes, operand))
}

struct TypeChecker<'c, 'a> {
    l: &'c Lowering<'a>,
    form: &'c Form<'c>,
}

impl TypeChecker<'_, '_> {
    fn operand(&self, takes: Takes, operand: &PtxOperand) -> Done {
        let own = || self.resolve(Ty::Own);
        match takes {
            Takes::To(ty) => self.register(self.resolve(ty), false, operand),
            Takes::ToOrSink(_) if operand.kind == OperandKind::Sink => Ok(()),
            Takes::ToOrSink(ty) => self.register(self.resolve(ty), false, operand),
            Takes::Of(ty) => self.source(self.resolve(ty), false, operand),
            Takes::RelaxedTo(ty) => self.elements(operand, |part| match part.kind {
                OperandKind::Sink if part != operand => Ok(()),
                _ => self.register(self.resolve(ty), true, part),
            }),
            Takes::RelaxedOf(ty) => self.elements(operand, |part| self.source(self.resolve(ty), true, part)),
            Takes::MoveTo => self.halves(operand, |part, ty| match part.kind {
                OperandKind::Sink if part != operand => Ok(()),
                _ => self.register(ty, false, part),
            }),
            Takes::MoveOf => match &operand.kind {
                OperandKind::Name { name, negated: false, offset: 0 } if self.is_special(name) => {
                    self.special(own(), name, operand)
                }
                _ => self.halves(operand, |part, ty| self.source(ty, false, part)),
            },
            Takes::ToPredicate | Takes::ToPredicates | Takes::OfPredicate | Takes::Combined => Ok(()),
            Takes::Address => self.address(operand),
            Takes::Other | Takes::Any => Ok(()),
        }
    }

    fn resolve(&self, ty: Ty) -> ScalarType {
        match ty {
            Ty::Own => self.form.ty(),
            Ty::U32 => ScalarType::U32,
            Ty::Part(index) => self.form.type_at(index),
            Ty::Double => {
                let own = self.form.ty();
                own.of_bits(2 * own.bits()).unwrap_or_else(|| unreachable!("no type has twice the bits of .{own}"))
            }
        }
    }

    fn wrong(&self, wanted: ScalarType, relaxed: bool, operand: &PtxOperand, found: &str) -> Problem {
        let mnemonic = &self.form.instruction.mnemonic;
        let message = format!("`{mnemonic}` takes {} here, {found}", wanted.wanted(relaxed));
        Problem::new(PtxErrorKind::Type, operand.span.clone(), message).help(wanted.agreeing(relaxed))
    }

    /// A register that agrees.
    fn register(&self, wanted: ScalarType, relaxed: bool, operand: &PtxOperand) -> Done {
        match &operand.kind {
            OperandKind::Name { name, negated: false, offset: 0 } => match self.l.type_of(name) {
                Some(ty) if !wanted.takes(ty, relaxed) => {
                    Err(self.wrong(wanted, relaxed, operand, &format!("`{name}` is .{ty}")))
                }
                _ => Ok(()),
            },
            _ => Err(self.l.wrong(self.form, operand, "a register")),
        }
    }

    /// A register that agrees, or a constant or an address that the type can hold.
    fn source(&self, wanted: ScalarType, relaxed: bool, operand: &PtxOperand) -> Done {
        use TypeFamily::{Bits, Float};
        let constant = |fits: bool, what: &str| match fits {
            true => Ok(()),
            false => Err(self.wrong(wanted, relaxed, operand, &format!("this is {what}"))),
        };
        let (family, bits) = (wanted.family(), wanted.bits());
        match &operand.kind {
            OperandKind::Integer(_) => constant(family != Float, "an integer constant"),
            // The bits of a float of another size would be cut off.
            OperandKind::Float32(_) => {
                constant(matches!(family, Float | Bits) && bits == 32, "a constant of single precision")
            }
            OperandKind::Float64(_) => {
                let fits = family == Float && bits >= 32 || family == Bits && bits == 64;
                constant(fits, "a constant of double precision")
            }
            OperandKind::Name { name, negated: false, .. } if self.l.type_of(name).is_none() => {
                let variable = self.l.space_of(name).is_some();
                constant(!variable || family != Float && bits >= 32, "an address")
            }
            OperandKind::Name { negated: false, offset: 0, .. } => self.register(wanted, relaxed, operand),
            // What else there is (brackets, `!p`, `p|q`, `_`) the lowering refuses by name.
            _ => Ok(()),
        }
    }

    /// The parts of a vector, where the mnemonic has one, or the operand itself.
    fn elements(&self, operand: &PtxOperand, each: impl Fn(&PtxOperand) -> Done) -> Done {
        let count = self.form.lanes();
        match &operand.kind {
            OperandKind::Vector(parts) if count > 1 => {
                if count * self.resolve(Ty::Own).bits() > 128 {
                    return Err(self.form.problem(PtxErrorKind::Type, "a vector operand has at most 128 bits"));
                }
                parts.iter().try_for_each(each)
            }
            _ => each(operand),
        }
    }

    /// The two halves of a move of bits, or the operand itself.
    fn halves(&self, operand: &PtxOperand, each: impl Fn(&PtxOperand, ScalarType) -> Done) -> Done {
        let own = self.resolve(Ty::Own);
        let OperandKind::Vector(parts) = &operand.kind else { return each(operand, own) };
        if own.family() != TypeFamily::Bits || own.bits() < 32 {
            let message = "halves are packed and unpacked by `mov.b32` and `mov.b64`";
            return Err(self.form.problem(PtxErrorKind::Type, message));
        }
        let half = if own.bits() == 64 { ScalarType::B32 } else { ScalarType::B16 };
        parts.iter().try_for_each(|part| each(part, half))
    }

    fn is_special(&self, name: &str) -> bool {
        self.l.type_of(name).is_none() && special_bits(name).is_some()
    }

    /// Special registers are `.u32`; those that PTX 1 had with 16 bits may still be read so.
    fn special(&self, wanted: ScalarType, name: &str, operand: &PtxOperand) -> Done {
        let once_narrow = ["%tid.", "%ntid.", "%ctaid.", "%nctaid."].iter().any(|prefix| name.starts_with(prefix));
        let narrow = once_narrow && wanted.family() != TypeFamily::Float && wanted.bits() == 16;
        let own = if special_bits(name) == Some(64) { ScalarType::U64 } else { ScalarType::U32 };
        // `%gridid` had 32 bits in PTX 1, 2.
        let short = name == "%gridid" && wanted.takes(ScalarType::U32, false);
        match narrow || short || wanted.takes(own, false) {
            true => Ok(()),
            false => Err(self.wrong(wanted, false, operand, &format!("`{name}` is .{own}"))),
        }
    }

    /// Registers of addresses are integers or bits; an absolute address is unsigned, an offset signed, both of 32 bits.
    fn address(&self, operand: &PtxOperand) -> Done {
        let OperandKind::Address { base, offset } = &operand.kind else { return Ok(()) };
        let problem = |message: String| Problem::new(PtxErrorKind::Type, operand.span.clone(), message);
        let mnemonic = &self.form.instruction.mnemonic;
        let Some(name) = base else {
            return match u32::try_from(*offset) {
                Ok(_) => Ok(()),
                Err(_) => Err(problem(format!("`{mnemonic}`: {offset} is no address"))
                    .help("an absolute address is from 0 to 4294967295")),
            };
        };
        if i32::try_from(*offset).is_err() {
            return Err(problem(format!("`{mnemonic}`: offset {offset} does not fit 32 bits"))
                .help("offsets are from -2147483648 to 2147483647"));
        }
        match self.l.type_of(name) {
            Some(ty) if !matches!(ty.family(), TypeFamily::Bits | TypeFamily::Integer) || ty.bits() < 32 => {
                let message = format!("`{mnemonic}` takes an address here, `{name}` is .{ty}");
                Err(problem(message).help("registers of .b32, .u32, .s32, .b64, .u64, .s64"))
            }
            None => match (self.form.space(), self.l.space_of(name)) {
                (Some(own), Some(space)) if own != space && own != StateSpace::Param => {
                    Err(problem(format!("`{mnemonic}` does not access {space} memory, where `{name}` is")))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [u32; 4] = [8, 16, 32, 64];

    /// The tables of the manual, written out: rows are types of the instruction, columns those of the register; `=` the same size
    /// only, `>` also wider ones, `-` never.
    #[test]
    fn types_agree_as_the_manual_says() {
        let strict = [("b", "===="), ("u", "===-"), ("s", "===-"), ("f", "=--=")];
        let relaxed = [("b", ">>>>"), ("u", ">>>-"), ("s", ">>>-"), ("f", ">--=")];
        for (table, is_relaxed) in [(strict, false), (relaxed, true)] {
            for (row, cells) in table {
                for (column, cell) in ["b", "u", "s", "f"].into_iter().zip(cells.chars()) {
                    for (wide, narrow) in SIZES.iter().flat_map(|a| SIZES.map(|b| (a, b))) {
                        let [Some(instruction), Some(register)] = [(row, narrow), (column, *wide)].map(existing) else {
                            continue;
                        };
                        let allowed = match cell {
                            '=' => *wide == narrow,
                            '>' => *wide >= narrow,
                            _ => false,
                        };
                        let found = instruction.takes(register, is_relaxed);
                        assert_eq!(found, allowed, "{instruction} {register} {is_relaxed}");
                    }
                }
            }
        }
        assert!(!ScalarType::B8.takes(ScalarType::Pred, true));
    }

    fn existing((letter, bits): (&str, u32)) -> Option<ScalarType> {
        ScalarType::named(&format!("{letter}{bits}"))
    }
}
