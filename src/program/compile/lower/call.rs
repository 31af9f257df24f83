//! Calls of device functions: the body of the function where it is called, as often as it is called; functions that
//! reach themselves are lowered by [`recursion`].
//!
//! A parameter variable (`.param` in a function or before a call) is a row of registers, a word each: a call gives the
//! same registers the name that the function has for them. Registers of the function are its own; its labels, too.
//! `ret` goes to the end of the body.

use super::{
    control,
    form::Form,
    frames::Frame,
    functions::function_named,
    indirect,
    lowering::{Done, Lowering},
    recursion,
    scope::{Binding, RegisterScope},
    slots::{bytes_of, fits, words_of},
    trap::Trap,
};
use crate::{
    compile::ir::{BlockId, Cond, Reg, Value},
    error::{Problem, PtxErrorKind},
    ptx::{
        ast::{OperandKind, PtxFunction, PtxOperand, Span, Statement, Variable},
        types::StateSpace,
    },
};

/// Operations after which nothing more is taken in: functions that call several times what calls several times would grow without end.
const MOST_OPERATIONS: usize = 200_000;
/// Calls after which nothing more is taken in: functions may be empty.
const MOST_CALLS: usize = 4096;

impl<'a> Lowering<'a> {
    /// A function is being lowered, not the kernel itself.
    pub(super) fn in_function(&self) -> bool {
        !self.frames.is_empty() || self.recursion.frame().is_some()
    }

    /// Takes the body of `function` in.
    pub(super) fn inline(
        &mut self,
        function: &'a PtxFunction,
        body: &'a [Statement],
        bindings: Vec<(String, Vec<Reg>)>,
    ) -> Done {
        let (scopes, labels) = (std::mem::take(&mut self.scopes), std::mem::take(&mut self.labels));
        let callees = std::mem::take(&mut self.callees);
        let (line, local_end) = (self.line, self.local_end);
        self.scopes.push(RegisterScope::default());
        let end = self.label();
        self.frames.push(Frame { end });
        for (name, words) in bindings {
            self.bind_slot(&name, words);
        }
        for param in function.params.iter().chain(&function.results).filter(|param| param.space == StateSpace::Reg) {
            let Some(ty) = param.ty.scalar() else { continue };
            self.declare_registers(ty, &param.name, None, "", &param.span)?;
        }
        let own = function.params.iter().chain(&function.results).filter(|param| param.space == StateSpace::Reg);
        for param in own {
            let Some(words) = self.slot(&param.name).cloned() else { continue };
            self.bind_register(&param.name, &words);
        }
        self.declare_labels(body)?;
        body.iter().try_for_each(|statement| self.statement(statement))?;
        self.frames.pop();
        self.place(end);
        (self.scopes, self.labels, self.line, self.local_end) = (scopes, labels, line, local_end);
        self.callees = callees;
        self.guard = Cond::TRUE;
        Ok(())
    }

    /// The end of the function whose body is being lowered.
    pub(super) fn return_to(&self) -> Option<BlockId> {
        self.frames.last().map(|frame| frame.end)
    }
}

/// `call (result), name, (arguments);` without result or arguments where there are none.
pub(super) fn call<'a>(l: &mut Lowering<'a>, form: &Form) -> Done {
    let operands = &form.instruction.operands;
    let (results, rest) = match operands.split_first() {
        Some((PtxOperand { kind: OperandKind::Vector(results), .. }, rest)) => (results.as_slice(), rest),
        _ => (&[][..], operands.as_slice()),
    };
    let Some((PtxOperand { kind: OperandKind::Name { name, negated: false, offset: 0 }, span }, rest)) =
        rest.split_first()
    else {
        return Err(form.problem(PtxErrorKind::Syntax, "the name of a function is missing"));
    };
    let (arguments, callees) = match rest {
        [] => (&[][..], None),
        [PtxOperand { kind: OperandKind::Vector(arguments), .. }] => (arguments.as_slice(), None),
        [PtxOperand { kind: OperandKind::Vector(arguments), .. }, callees] => (arguments.as_slice(), Some(callees)),
        [callees] => (&[][..], Some(callees)),
        _ => return Err(form.problem(PtxErrorKind::Syntax, "too many operands")),
    };
    // `assert` of the CUDA headers ends in this function.
    if name == "__assertfail" {
        return control::trap_as(l, form, Trap::Assertion);
    }
    let call = FunctionCall { form, results, arguments, span };
    l.under_guard(|l| match callees {
        Some(callees) => indirect::call(l, &call, callees),
        None => call.by_name(l, name),
    })
}

/// A call, whomever it goes to.
pub(super) struct FunctionCall<'f> {
    pub form: &'f Form<'f>,
    pub results: &'f [PtxOperand],
    pub arguments: &'f [PtxOperand],
    /// Where the function is named.
    pub span: &'f Span,
}

impl FunctionCall<'_> {
    fn by_name(&self, l: &mut Lowering, name: &str) -> Done {
        let problem = |kind, message: String| Problem::new(kind, self.span.clone(), message);
        let Some(function) = function_named(l.module, name) else {
            return Err(problem(PtxErrorKind::Name, format!("there is no function `{name}`")));
        };
        self.function(l, function)
    }

    /// Takes the function in.
    pub(super) fn function<'a>(&self, l: &mut Lowering<'a>, function: &'a PtxFunction) -> Done {
        let Self { form, results, arguments, span } = *self;
        let name = function.name.as_str();
        let problem = |kind, message: String| Problem::new(kind, span.clone(), message);
        if let Some(problem) = &function.unsupported {
            return Err(problem.clone());
        }
        let Some(body) = &function.body else {
            let message = format!("function `{name}` is declared only: the file does not have its body");
            return Err(problem(PtxErrorKind::Unsupported, message).help("give the compiler the whole program"));
        };
        l.calls += 1;
        if l.emitted > MOST_OPERATIONS || l.calls > MOST_CALLS {
            let message = format!(
                "the kernel makes more than {MOST_CALLS} calls, or has more than {MOST_OPERATIONS} operations with them"
            );
            return Err(problem(PtxErrorKind::Resources, message));
        }
        if arguments.len() != function.params.len() || results.len() != function.results.len() {
            let message = format!(
                "`{name}` takes {} arguments and returns {} values, this call has {} and {}",
                function.params.len(),
                function.results.len(),
                arguments.len(),
                results.len()
            );
            return Err(problem(PtxErrorKind::Syntax, message));
        }
        let mut bindings = vec![];
        for (operand, param) in arguments.iter().zip(&function.params) {
            bindings.push((param.name.clone(), argument(l, form, operand, param)?));
        }
        if l.recursion.contains(name) {
            let arguments: Vec<_> = bindings.into_iter().map(|(_, words)| words).collect();
            let values = recursion::call(l, form, function, &arguments)?;
            for (operand, words) in results.iter().zip(values) {
                take(l, form, operand, &words)?;
            }
            return Ok(());
        }
        let mut taken = vec![];
        for (operand, result) in results.iter().zip(&function.results) {
            let words = match &operand.kind {
                OperandKind::Name { name, .. }
                    if l.slot(name).is_some_and(|slot| fits(slot, result)) && result.space == StateSpace::Param =>
                {
                    l.slot(name).cloned().unwrap_or_default()
                }
                _ => {
                    let words: Vec<Reg> = (0..words_of(result)).map(|_| l.code.reg()).collect();
                    taken.push((operand, words.clone()));
                    words
                }
            };
            bindings.push((result.name.clone(), words));
        }
        l.inline(function, body, bindings)?;
        taken.iter().try_for_each(|(operand, words)| take(l, form, operand, words))
    }
}

/// Puts a result where the call wants it: a variable or registers.
fn take(l: &mut Lowering, form: &Form, operand: &PtxOperand, words: &[Reg]) -> Done {
    if let OperandKind::Name { name, .. } = &operand.kind
        && let Some(slot) = l.slot(name).filter(|slot| slot.len() >= words.len()).cloned()
    {
        slot.iter().zip(words).for_each(|(&to, &word)| l.mov(to, Value::Reg(word)));
        return Ok(());
    }
    match l.binding_of(form, operand)? {
        Binding::Wide(pair) if words.len() > 1 => l.mov_wide(pair, [Value::Reg(words[0]), Value::Reg(words[1])]),
        Binding::Wide([reg, _]) | Binding::Narrow { reg, .. } => l.mov(reg, Value::Reg(words[0])),
        Binding::Predicate(_) => return Err(l.wrong(form, operand, "a register")),
    }
    Ok(())
}

/// The words of an argument: the variable's own, or new ones with the value.
fn argument(l: &mut Lowering, form: &Form, operand: &PtxOperand, param: &Variable) -> Result<Vec<Reg>, Problem> {
    if let OperandKind::Name { name, .. } = &operand.kind
        && let Some(slot) = l.slot(name)
    {
        if !fits(slot, param) {
            return Err(l.wrong(form, operand, &format!("a parameter of {} bytes", bytes_of(param))));
        }
        return Ok(slot.clone());
    }
    let (value, _) = l.src_any(form, operand)?;
    let words: Vec<Reg> = (0..words_of(param)).map(|_| l.code.reg()).collect();
    for (&word, value) in words.iter().zip(value) {
        l.mov(word, value);
    }
    Ok(words)
}
