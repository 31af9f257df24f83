//! Lines: the statements of one printed block, pruned to the targets that the block drives.
//!
//! Recorded statements are concurrent for wires (a wire read anywhere means its final value), so each combinational
//! target gets a block of its own: the recorded tree, without what does not concern the target. Registers that reset
//! alike share a block, a memory has one.

use super::terms::{Term, TermId, Terms};
use hdl::*;
use rustc_hash::FxHashSet;

/// A statement as printed.
pub(super) enum PrintedLine {
    Assign {
        target: Target,
        value: TermId,
    },
    /// The word at `index`, or those of its lanes that `mask` selects; a bit of the mask is one lane or several.
    Store {
        memory: MemId,
        index: TermId,
        mask: Option<TermId>,
        value: TermId,
    },
    When {
        condition: TermId,
        then: Vec<PrintedLine>,
        otherwise: Vec<PrintedLine>,
    },
    Case {
        value: TermId,
        cases: Vec<(Bits, Vec<PrintedLine>)>,
        default: Vec<PrintedLine>,
    },
    Comment(String),
}

impl PrintedLine {
    /// Calls `visit` for every term read in `lines`, in the order of the text.
    pub(super) fn for_each_term(lines: &[PrintedLine], visit: &mut impl FnMut(TermId)) {
        for line in lines {
            match line {
                PrintedLine::Assign { value, .. } => visit(*value),
                PrintedLine::Store { index, mask, value, .. } => {
                    visit(*index);
                    mask.iter().for_each(|mask| visit(*mask));
                    visit(*value);
                }
                PrintedLine::When { condition, then, otherwise } => {
                    visit(*condition);
                    Self::for_each_term(then, visit);
                    Self::for_each_term(otherwise, visit);
                }
                PrintedLine::Case { value, cases, default } => {
                    visit(*value);
                    cases.iter().for_each(|(_, body)| Self::for_each_term(body, visit));
                    Self::for_each_term(default, visit);
                }
                PrintedLine::Comment(_) => {}
            }
        }
    }

    /// Calls `visit` for the row, the mask and the value of every write to a memory in `lines`.
    pub(super) fn for_each_store(lines: &[PrintedLine], visit: &mut impl FnMut(TermId, Option<TermId>, TermId)) {
        for line in lines {
            match line {
                PrintedLine::Store { index, mask, value, .. } => visit(*index, *mask, *value),
                PrintedLine::When { then, otherwise, .. } => {
                    Self::for_each_store(then, visit);
                    Self::for_each_store(otherwise, visit);
                }
                PrintedLine::Case { cases, default, .. } => {
                    cases.iter().for_each(|(_, body)| Self::for_each_store(body, visit));
                    Self::for_each_store(default, visit);
                }
                PrintedLine::Assign { .. } | PrintedLine::Comment(_) => {}
            }
        }
    }
}

/// Makes the lines of one block after another; a comment goes with the first block that prints the statement after it.
pub(super) struct Pruner<'a> {
    module: &'a ModuleDef,
    commented: FxHashSet<*const Stmt>,
}

impl<'a> Pruner<'a> {
    pub(super) fn new(module: &'a ModuleDef) -> Self {
        Self { module, commented: FxHashSet::default() }
    }

    /// The body, pruned to the assignments and writes that `keep` accepts.
    pub(super) fn prune(&mut self, terms: &mut Terms<'_>, keep: &impl Fn(&Stmt) -> bool) -> Vec<PrintedLine> {
        let module = self.module;
        self.block(terms, &module.body, keep)
    }

    fn block(
        &mut self,
        terms: &mut Terms<'_>,
        statements: &'a [Stmt],
        keep: &impl Fn(&Stmt) -> bool,
    ) -> Vec<PrintedLine> {
        let mut out = vec![];
        let mut comments: Vec<&'a Stmt> = vec![];
        for statement in statements {
            if let Stmt::Comment(_) = statement {
                comments.push(statement);
                continue;
            }
            let before = std::mem::take(&mut comments);
            let Some(lines) = self.statement(terms, statement, keep) else { continue };
            for comment in before {
                if let Stmt::Comment(text) = comment
                    && self.commented.insert(comment)
                {
                    out.push(PrintedLine::Comment(text.clone()));
                }
            }
            out.extend(lines);
        }
        out
    }

    fn statement(
        &mut self,
        terms: &mut Terms<'_>,
        statement: &'a Stmt,
        keep: &impl Fn(&Stmt) -> bool,
    ) -> Option<Vec<PrintedLine>> {
        match statement {
            Stmt::Assign { target, value, .. } if keep(statement) => {
                Some(vec![PrintedLine::Assign { target: *target, value: terms.of(*value) }])
            }
            Stmt::Write { port } if keep(statement) => Some(self.write(terms, *port)).filter(|lines| !lines.is_empty()),
            Stmt::When { condition, then, otherwise } => {
                let then = self.block(terms, then, keep);
                let otherwise = self.block(terms, otherwise, keep);
                (!then.is_empty() || !otherwise.is_empty())
                    .then(|| vec![PrintedLine::When { condition: terms.of(*condition), then, otherwise }])
            }
            Stmt::Switch { value, cases, default } => {
                let mut kept: Vec<_> =
                    cases.iter().map(|(bits, body)| (bits.clone(), self.block(terms, body, keep))).collect();
                let default = self.block(terms, default, keep);
                if default.is_empty() {
                    kept.retain(|(_, body)| !body.is_empty());
                }
                match (kept.is_empty(), default.is_empty()) {
                    (true, true) => None,
                    (true, false) => Some(default),
                    (false, _) => Some(vec![PrintedLine::Case { value: terms.of(*value), cases: kept, default }]),
                }
            }
            Stmt::Assign { .. } | Stmt::Write { .. } | Stmt::Comment(_) => None,
        }
    }

    fn write(&self, terms: &mut Terms<'_>, port: usize) -> Vec<PrintedLine> {
        let port = &self.module.writes[port];
        let memory = port.memory;
        let (index, guard) = terms.address(memory, port.address);
        let data = terms.of(port.data);
        // A mask of one bit is an enable.
        let (mask, enable) = match port.mask.map(|mask| terms.of(mask)) {
            Some(mask) if terms.width(mask) == 1 => (None, Some(mask)),
            mask => (mask, None),
        };
        let mut lines = vec![PrintedLine::Store { memory, index, mask, value: data }];
        if let Some(condition) = enable {
            lines = vec![PrintedLine::When { condition, then: lines, otherwise: vec![] }];
        }
        match guard {
            Some(never) if matches!(terms.term(never), Term::Const(bits) if bits.is_zero()) => vec![],
            Some(condition) if matches!(terms.term(condition), Term::Const(_)) => lines,
            Some(condition) => vec![PrintedLine::When { condition, then: lines, otherwise: vec![] }],
            None => lines,
        }
    }
}
