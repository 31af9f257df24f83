//! The code of `update` as plain steps: loops unrolled, macros and links as assignments, names resolved.

use crate::literal::{Literal, index};
use rust_hdl::prelude::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink, VerilogStatement,
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Loop variables and their values, innermost last.
pub(super) type Loops = Rc<Vec<(String, i128)>>;

/// An expression and the loop variables around it.
#[derive(Clone)]
pub(super) struct Located<'a> {
    pub expr: &'a VerilogExpression,
    pub loops: Loops,
}

/// Right side of an assignment.
pub(super) enum AssignedValue<'a> {
    Expr(Located<'a>),
    /// A signal, from a link.
    Net(String),
}

/// One statement.
pub(super) enum HdlStatement<'a> {
    Assign { target: String, part: Option<(u32, u32)>, value: AssignedValue<'a> },
    If { test: Located<'a>, then: Vec<HdlStatement<'a>>, otherwise: Vec<HdlStatement<'a>> },
    Match { test: Located<'a>, cases: Vec<(String, Vec<HdlStatement<'a>>)> },
    Comment(String),
}

/// The steps of a block, and what could not be understood.
pub(super) fn steps(code: &VerilogBlock) -> (Vec<HdlStatement<'_>>, Vec<String>) {
    let mut unroll = Unroll { problems: vec![] };
    let steps = unroll.block(code, &Loops::default());
    (steps, unroll.problems)
}

/// A name of the AST as that of a signal: `bus.data.next` is `bus$data`, `dffs[i+1].d` is `dffs$3$d`.
pub(super) fn resolve(name: &str, loops: &Loops) -> Result<String, String> {
    let mut rest = name.trim_start_matches('.').replace("::", "$").replace('.', "$");
    if let Some(plain) = rest.strip_suffix("$next") {
        rest.truncate(plain.len());
    }
    let mut out = String::new();
    let mut text = rest.as_str();
    while let Some((before, after)) = text.split_once('[') {
        let (inside, after) = after.split_once(']').ok_or_else(|| format!("`{name}` has no closing bracket"))?;
        let at = index(inside, &|variable| loop_value(variable, loops))
            .ok_or_else(|| format!("the index `{inside}` of `{name}` is not a constant or loop variable"))?;
        out += &format!("{before}${at}");
        text = after;
    }
    Ok(out + text)
}

/// Value of a loop variable.
pub(super) fn loop_value(name: &str, loops: &Loops) -> Option<i128> {
    loops.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| *value)
}

struct Unroll {
    problems: Vec<String>,
}

impl Unroll {
    fn block<'a>(&mut self, code: &'a VerilogBlock, loops: &Loops) -> Vec<HdlStatement<'a>> {
        let mut out = vec![];
        code.iter().for_each(|statement| self.statement(statement, loops, &mut out));
        out
    }

    fn statement<'a>(&mut self, statement: &'a VerilogStatement, loops: &Loops, out: &mut Vec<HdlStatement<'a>>) {
        let located = |expr: &'a VerilogExpression| Located { expr, loops: loops.clone() };
        match statement {
            VerilogStatement::Assignment(target, value) => {
                if let Some(target) = self.target(target, loops) {
                    out.push(HdlStatement::Assign { target, part: None, value: AssignedValue::Expr(located(value)) });
                }
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let Some(target) = self.target(base, loops) else { return };
                let VerilogExpression::Literal(offset) = offset else {
                    return self.problems.push(format!("a part of `{target}` is assigned at a variable place"));
                };
                let lo = Literal::of(offset).and_then(|l| l.integer()).and_then(|lo| u32::try_from(lo).ok());
                let part = Some((lo.unwrap_or(0), *width as u32));
                out.push(HdlStatement::Assign { target, part, value: AssignedValue::Expr(located(replacement)) });
            }
            VerilogStatement::If(c) => out.push(self.conditional(c, loops)),
            VerilogStatement::Match(m) => {
                let cases =
                    m.cases.iter().map(|case| (case.condition.clone(), self.block(&case.block, loops))).collect();
                out.push(HdlStatement::Match { test: located(&m.test), cases });
            }
            VerilogStatement::Loop(l) => {
                let bound = |literal| Literal::of(literal).and_then(|l: Literal| l.integer());
                let (Some(from), Some(to)) = (bound(&l.from), bound(&l.to)) else {
                    return self.problems.push(format!("the bounds of the loop over `{}` are not numbers", l.index));
                };
                for i in from..to {
                    let mut inner = (**loops).clone();
                    inner.push((l.index.clone(), i));
                    out.extend(self.block(&l.block, &inner.into()));
                }
            }
            VerilogStatement::Comment(text) => out.push(HdlStatement::Comment(text.clone())),
            VerilogStatement::Link(links) => links.iter().for_each(|link| self.link(link, loops, out)),
            VerilogStatement::Macro(block) => out.extend(self.block(block, loops)),
        }
    }

    fn conditional<'a>(&mut self, c: &'a VerilogConditional, loops: &Loops) -> HdlStatement<'a> {
        let then = self.block(&c.then, loops);
        let mut otherwise = vec![];
        match &c.otherwise {
            VerilogBlockOrConditional::Block(block) => otherwise = self.block(block, loops),
            VerilogBlockOrConditional::Conditional(next) => self.statement(next, loops, &mut otherwise),
            VerilogBlockOrConditional::None => {}
        }
        HdlStatement::If { test: Located { expr: &c.test, loops: loops.clone() }, then, otherwise }
    }

    fn link<'a>(&mut self, link: &VerilogLink, loops: &Loops, out: &mut Vec<HdlStatement<'a>>) {
        let (details, forward) = match link {
            VerilogLink::Forward(details) => (details, true),
            VerilogLink::Backward(details) => (details, false),
            VerilogLink::Bidirectional(details) => {
                let (a, b) = (&details.owner_name, &details.other_name);
                return self.problems.push(format!("`{a}` and `{b}` are linked in both directions (in-out signals)"));
            }
        };
        let full = |base: &str| match details.my_name.trim_start_matches('.') {
            "" => resolve(base, loops),
            signal => resolve(&format!("{base}.{signal}"), loops),
        };
        match (full(&details.owner_name), full(&details.other_name)) {
            (Ok(owner), Ok(other)) => {
                let (target, source) = if forward { (other, owner) } else { (owner, other) };
                out.push(HdlStatement::Assign { target, part: None, value: AssignedValue::Net(source) });
            }
            (Err(problem), _) | (_, Err(problem)) => self.problems.push(problem),
        }
    }

    fn target(&mut self, target: &VerilogExpression, loops: &Loops) -> Option<String> {
        let VerilogExpression::Signal(name) = target else {
            self.problems.push(format!("something that is not a signal is assigned: {target:?}"));
            return None;
        };
        resolve(name, loops).map_err(|problem| self.problems.push(problem)).ok()
    }
}

/// How the steps use one signal.
#[derive(Default, Debug)]
pub(super) struct Use {
    /// Number of assignments.
    pub assigned: usize,
    /// Some assignment is under an `if` or `match`, or to a part.
    pub conditional: bool,
    /// Bounds between the parts that are assigned on their own.
    pub cuts: Vec<u32>,
    /// Read anywhere.
    pub read: bool,
    /// Read between two of its assignments: the value so far matters.
    pub read_between: bool,
    first: usize,
    last: usize,
    reads: Vec<usize>,
}

/// How the steps use each signal.
pub(super) fn uses(steps: &[HdlStatement<'_>]) -> HashMap<String, Use> {
    let mut survey = Survey { uses: HashMap::new(), at: 0 };
    survey.steps(steps, false);
    for u in survey.uses.values_mut() {
        u.read = !u.reads.is_empty();
        // The read at place `r` follows the assignments numbered below `r`.
        u.read_between = u.assigned > 0 && u.reads.iter().any(|&r| u.first < r && r <= u.last);
        u.cuts.sort_unstable();
        u.cuts.dedup();
    }
    survey.uses
}

struct Survey {
    uses: HashMap<String, Use>,
    at: usize,
}

impl Survey {
    fn steps(&mut self, steps: &[HdlStatement<'_>], conditional: bool) {
        for step in steps {
            match step {
                HdlStatement::Assign { target, part, value } => {
                    match value {
                        AssignedValue::Expr(located) => self.read(located),
                        AssignedValue::Net(name) => self.read_name(name.clone()),
                    }
                    let at = self.at;
                    self.at += 1;
                    let u = self.uses.entry(target.clone()).or_default();
                    if u.assigned == 0 {
                        u.first = at;
                    }
                    u.last = at;
                    u.assigned += 1;
                    u.conditional |= conditional || part.is_some();
                    u.cuts.extend(part.iter().flat_map(|(lo, width)| [*lo, lo + width]));
                }
                HdlStatement::If { test, then, otherwise } => {
                    self.read(test);
                    self.steps(then, true);
                    self.steps(otherwise, true);
                }
                HdlStatement::Match { test, cases } => {
                    self.read(test);
                    cases.iter().for_each(|(_, steps)| self.steps(steps, true));
                }
                HdlStatement::Comment(_) => {}
            }
        }
    }

    fn read(&mut self, located: &Located<'_>) {
        let mut names = HashSet::new();
        signals(located.expr, &mut names);
        for name in names {
            if let Ok(name) = resolve(name, &located.loops) {
                self.read_name(name);
            }
        }
    }

    fn read_name(&mut self, name: String) {
        let at = self.at;
        self.uses.entry(name).or_default().reads.push(at);
    }
}

fn signals<'a>(expr: &'a VerilogExpression, out: &mut HashSet<&'a str>) {
    match expr {
        VerilogExpression::Signal(name) => drop(out.insert(name)),
        VerilogExpression::Literal(_) => {}
        VerilogExpression::Cast(a, _)
        | VerilogExpression::Signed(a)
        | VerilogExpression::Unsigned(a)
        | VerilogExpression::Paren(a)
        | VerilogExpression::Unary(_, a) => signals(a, out),
        VerilogExpression::Binary(a, _, b) | VerilogExpression::Index(a, b) | VerilogExpression::Slice(a, _, b) => {
            signals(a, out);
            signals(b, out);
        }
        VerilogExpression::IndexReplace(a, b, c) => [a, b, c].into_iter().for_each(|e| signals(e, out)),
    }
}
