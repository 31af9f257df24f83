//! From statements to drivers: what a list of assignments under conditions means.
//!
//! Statements are executed symbolically, top to bottom, with an environment from net to present value. A `when`
//! executes both sides and joins every net that either side changed with a multiplexer. A register starts with its own
//! old value, so an unassigned path holds it; a wire starts with nothing, so a path without a value is a latch and
//! reported as one.

use super::{
    bits::Bits,
    def::*,
    ids::{ExprId, NetId},
    source::Source,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Present value of a net while executing: `None` where a wire has none yet on this path.
type Environment = BTreeMap<NetId, Option<ExprId>>;

/// Fills [`ModuleDef::drivers`] from [`ModuleDef::body`] and reports undriven nets and latches.
pub(super) fn lower(def: &mut ModuleDef, interned: &mut FxHashMap<(Op, u32), ExprId>) {
    let body = std::mem::take(&mut def.body);
    let mut run = StatementLowering { def, interned, assigned_at: FxHashMap::default() };
    let mut environment = Environment::new();
    run.block(&body, &mut environment);
    let assigned_at = run.assigned_at;
    def.body = body;
    def.drivers = vec![None; def.nets.len()];
    for index in 0..def.nets.len() {
        let id = NetId(index as u32);
        let net = &def.nets[index];
        let (name, source, width) = (net.name.clone(), net.source, net.width);
        match (&net.kind, environment.get(&id)) {
            (NetKind::Input | NetKind::InstanceOutput { .. }, _) => {}
            (NetKind::Register { .. }, Some(Some(value))) => def.drivers[index] = Some(*value),
            (NetKind::Register { .. }, _) => {
                // Never assigned: a constant register. Keep it, holding itself.
                def.drivers[index] = Some(intern(def, interned, Op::Net(id), width, source));
            }
            (NetKind::Wire | NetKind::Output, Some(Some(value))) => def.drivers[index] = Some(*value),
            (NetKind::Wire | NetKind::Output, Some(None)) => {
                let message = format!("`{name}` is not assigned on every path: this would be a latch");
                let sources = std::iter::once(source).chain(assigned_at.get(&id).copied()).collect();
                def.problems.push(Problem { kind: ProblemKind::Latch, message, sources });
            }
            (NetKind::Wire | NetKind::Output, None) => {
                let message = format!("`{name}` has no driver");
                def.problems.push(Problem { kind: ProblemKind::Undriven, message, sources: vec![source] });
            }
        }
    }
}

fn intern(
    def: &mut ModuleDef,
    interned: &mut FxHashMap<(Op, u32), ExprId>,
    op: Op,
    width: u32,
    source: Source,
) -> ExprId {
    *interned.entry((op, width)).or_insert_with_key(|(op, width)| {
        def.exprs.push(Expr { op: op.clone(), width: *width, source });
        ExprId(def.exprs.len() as u32 - 1)
    })
}

struct StatementLowering<'a> {
    def: &'a mut ModuleDef,
    interned: &'a mut FxHashMap<(Op, u32), ExprId>,
    assigned_at: FxHashMap<NetId, Source>,
}

impl StatementLowering<'_> {
    fn expr(&mut self, op: Op, width: u32, source: Source) -> ExprId {
        intern(self.def, self.interned, op, width, source)
    }

    fn block(&mut self, statements: &[Stmt], environment: &mut Environment) {
        for statement in statements {
            match statement {
                Stmt::Assign { target, value, source } => self.assign(*target, *value, *source, environment),
                Stmt::When { condition, then, otherwise } => {
                    let (mut yes, mut no) = (environment.clone(), environment.clone());
                    self.block(then, &mut yes);
                    self.block(otherwise, &mut no);
                    self.join(*condition, yes, no, environment);
                }
                Stmt::Switch { value, cases, default } => self.switch(*value, cases, default, environment),
                Stmt::Write { .. } | Stmt::Comment(_) => {}
            }
        }
    }

    fn switch(&mut self, value: ExprId, cases: &[(Bits, Vec<Stmt>)], default: &[Stmt], environment: &mut Environment) {
        let Some(((constant, then), rest)) = cases.split_first() else {
            return self.block(default, environment);
        };
        let source = self.def.expr(value).source;
        let width = constant.width();
        let constant = self.expr(Op::Const(constant.clone()), width, source);
        let hit = self.expr(Op::Binary(BinaryOp::Eq, value, constant), 1, source);
        let (mut yes, mut no) = (environment.clone(), environment.clone());
        self.block(then, &mut yes);
        self.switch(value, rest, default, &mut no);
        self.join(hit, yes, no, environment);
    }

    fn assign(&mut self, target: Target, value: ExprId, source: Source, environment: &mut Environment) {
        self.assigned_at.insert(target.net, source);
        let net = self.def.net(target.net);
        let width = net.width;
        if target.width == width {
            environment.insert(target.net, Some(value));
            return;
        }
        let name = net.name.clone();
        let Some(old) = self.present(target.net, environment) else {
            let message = format!("part of `{name}` is assigned before the whole has a value: assign all of it first");
            self.def.problems.push(Problem { kind: ProblemKind::Undriven, message, sources: vec![source] });
            return;
        };
        let above = target.lo + target.width;
        let mut parts = vec![];
        if above < width {
            parts.push(self.expr(Op::Slice { value: old, lo: above }, width - above, source));
        }
        parts.push(value);
        if target.lo > 0 {
            parts.push(self.expr(Op::Slice { value: old, lo: 0 }, target.lo, source));
        }
        let joined = self.expr(Op::Concat(parts), width, source);
        environment.insert(target.net, Some(joined));
    }

    /// The value of a net so far: what was assigned, else a register's old value.
    fn present(&mut self, id: NetId, environment: &Environment) -> Option<ExprId> {
        if let Some(value) = environment.get(&id) {
            return *value;
        }
        let net = self.def.net(id);
        let (width, source) = (net.width, net.source);
        matches!(net.kind, NetKind::Register { .. }).then(|| self.expr(Op::Net(id), width, source))
    }

    fn join(&mut self, condition: ExprId, yes: Environment, no: Environment, environment: &mut Environment) {
        let source = self.def.expr(condition).source;
        let nets: std::collections::BTreeSet<_> = yes.keys().chain(no.keys()).copied().collect();
        for id in nets {
            let (then, otherwise) = (self.present(id, &yes), self.present(id, &no));
            let value = match (then, otherwise) {
                (Some(a), Some(b)) if a == b => Some(a),
                (Some(then), Some(otherwise)) => {
                    let width = self.def.net(id).width;
                    Some(self.expr(Op::Mux { select: condition, then, otherwise }, width, source))
                }
                _ => None,
            };
            environment.insert(id, value);
        }
    }
}
