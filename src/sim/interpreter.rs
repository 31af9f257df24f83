//! The reference engine: the design flattened into one list of simple instructions.
//!
//! Every expression of every instance has a temporary of its own. The list is made by demand: to compute a value, first
//! compute what it reads, across instance boundaries; nothing is called, shared or split, so this engine has none of
//! the planning that the native engine depends on.

use super::{
    bigint,
    clocks::Edges,
    layout::{Area, Layout, Place, ProbeSlots},
    state::{Scope, State, usable_intrinsic},
};
use hdl::*;
use netlist::Design;

/// Index of a temporary.
type Temp = u32;

#[derive(Clone, Debug)]
enum Instr {
    /// From the state.
    Load {
        to: Temp,
        from: Place,
        words: u32,
    },
    /// To the rest.
    Store {
        to: u32,
        from: Temp,
        words: u32,
    },
    /// To the next registers.
    Next {
        to: u32,
        from: Temp,
        words: u32,
    },
    MemRead {
        to: Temp,
        address: Temp,
        address_words: u32,
        memory: u32,
        depth: u64,
        words: u32,
    },
    Unary {
        op: UnaryOp,
        to: Temp,
        a: Temp,
        from: u32,
        width: u32,
    },
    Binary {
        op: BinaryOp,
        to: Temp,
        a: Temp,
        b: Temp,
        width: u32,
        b_width: u32,
    },
    Mux {
        to: Temp,
        select: Temp,
        then: Temp,
        otherwise: Temp,
        words: u32,
    },
    /// Parts from the least significant: temporary and width.
    Concat {
        to: Temp,
        width: u32,
        parts: Box<[(Temp, u32)]>,
    },
    Slice {
        to: Temp,
        a: Temp,
        from: u32,
        lo: u32,
        width: u32,
    },
    SliceAt {
        to: Temp,
        a: Temp,
        from: u32,
        offset: Temp,
        offset_width: u32,
        width: u32,
    },
    Intrinsic {
        call: extern "C" fn(*const u64, *mut u64),
        inputs: u32,
        outputs: u32,
    },
}

/// The flattened design.
#[derive(Debug)]
pub(crate) struct Interpreter {
    code: Vec<Instr>,
    temps: Vec<u64>,
    /// In order of scopes.
    assertions: Vec<Checked>,
}

/// An assertion.
#[derive(Clone, Copy, Debug)]
struct Checked {
    condition: Temp,
    scope: usize,
    /// Position among the module's.
    index: usize,
    /// Domain of the top.
    domain: u32,
}

impl Interpreter {
    /// `intrinsics`: call native intrinsics where there are any.
    pub fn new(design: &Design, layouts: &[Layout], scopes: &[Scope], intrinsics: bool) -> Self {
        let mut flatten = Flatten::new(design, layouts, scopes, intrinsics);
        for scope in 0..scopes.len() {
            flatten.scope(scope);
        }
        flatten.done
    }

    /// Computes wires, next registers, pending writes and what probes see; the first failed assertion of a domain with
    /// an edge, as (scope, position).
    pub fn evaluate(&mut self, state: &mut State, edges: Edges) -> Option<(usize, usize)> {
        for instr in &self.code {
            execute(instr, &mut self.temps, state);
        }
        let failed = |c: &&Checked| self.temps[c.condition as usize] == 0 && edges.has(c.domain as usize);
        self.assertions.iter().find(failed).map(|c| (c.scope, c.index))
    }
}

#[derive(Clone, Copy, Debug)]
enum Demand {
    Expr(usize, ExprId),
    Net(usize, NetId),
    Intrinsic(usize),
}

/// Whether a native intrinsic stands in for a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replaced {
    No,
    /// An intrinsic is called for this scope.
    Intrinsic,
    /// An intrinsic is called for a scope around this one.
    Inside,
}

struct Flatten<'a> {
    design: &'a Design,
    layouts: &'a [Layout],
    scopes: &'a [Scope],
    /// Per scope: evaluated, or what an intrinsic does in its place.
    replaced: Vec<Replaced>,
    /// Per scope: temporary of each expression.
    temps: Vec<Vec<Temp>>,
    expr_done: Vec<Vec<bool>>,
    net_done: Vec<Vec<bool>>,
    done: Interpreter,
}

impl<'a> Flatten<'a> {
    fn new(design: &'a Design, layouts: &'a [Layout], scopes: &'a [Scope], intrinsics: bool) -> Self {
        let mut values = vec![];
        let mut temps = vec![];
        let module = |scope: &Scope| &design.modules[scope.module].module;
        for scope in scopes {
            let mut own = vec![];
            for expr in &module(scope).exprs {
                own.push(values.len() as Temp);
                match &expr.op {
                    Op::Const(bits) => values.extend_from_slice(bits.words()),
                    _ => values.resize(values.len() + words_for(expr.width), 0),
                }
            }
            temps.push(own);
        }
        Self {
            design,
            layouts,
            scopes,
            replaced: replaced(design, scopes, intrinsics),
            temps,
            expr_done: scopes.iter().map(|s| vec![false; module(s).exprs.len()]).collect(),
            net_done: scopes.iter().map(|s| vec![false; module(s).nets.len()]).collect(),
            done: Interpreter { code: vec![], temps: values, assertions: vec![] },
        }
    }

    fn module(&self, scope: usize) -> &'a ModuleDef {
        &self.design.modules[self.scopes[scope].module].module
    }

    fn layout(&self, scope: usize) -> &'a Layout {
        &self.layouts[self.scopes[scope].module]
    }

    fn temp(&self, scope: usize, expr: ExprId) -> Temp {
        self.temps[scope][expr.index()]
    }

    fn place(&self, scope: usize, net: NetId) -> Place {
        self.scopes[scope].bases.of(self.layout(scope).places[net.index()])
    }

    /// Everything of one instance.
    fn scope(&mut self, scope: usize) {
        let module = self.module(scope);
        match self.replaced[scope] {
            Replaced::No => {}
            Replaced::Inside => return,
            Replaced::Intrinsic => {
                module.inputs.iter().for_each(|&i| self.demand(Demand::Net(scope, i)));
                return self.demand(Demand::Intrinsic(scope));
            }
        }
        let layout = self.layout(scope);
        let storage = self.scopes[scope].bases.storage;
        for i in 0..module.nets.len() {
            self.demand(Demand::Net(scope, NetId(i as u32)));
        }
        for id in module.registers() {
            if let Some(driver) = module.drivers[id.index()] {
                let from = self.value(scope, driver);
                let words = words_for(module.net(id).width) as u32;
                self.done.code.push(Instr::Next { to: self.place(scope, id).offset, from, words });
            }
        }
        for (port, slots) in module.writes.iter().zip(&layout.writes) {
            self.store(scope, port.enable, storage + slots.enable);
            self.store(scope, port.address, storage + slots.address);
            self.store(scope, port.data, storage + slots.data);
            if let (Some(mask), Some(at)) = (port.mask, slots.mask) {
                self.store(scope, mask, storage + at);
            }
        }
        for (probe, slots) in module.probes.iter().zip(&layout.probes) {
            self.probe(scope, probe, *slots);
        }
        for (index, assertion) in module.assertions.iter().enumerate() {
            let condition = self.value(scope, assertion.condition);
            let domain = self.scopes[scope].domains[assertion.domain.index()];
            self.done.assertions.push(Checked { condition, scope, index, domain });
        }
    }

    fn probe(&mut self, scope: usize, probe: &Probe, slots: ProbeSlots) {
        let storage = self.scopes[scope].bases.storage;
        let low = [(probe.enable, Some(slots.enable)), (probe.value.unwrap_or(probe.enable), slots.value)];
        for (expr, slot) in low {
            if let Some(slot) = slot {
                let from = self.value(scope, expr);
                self.done.code.push(Instr::Store { to: storage + slot, from, words: 1 });
            }
        }
    }

    /// The temporary of an expression, computed.
    fn value(&mut self, scope: usize, expr: ExprId) -> Temp {
        self.demand(Demand::Expr(scope, expr));
        self.temp(scope, expr)
    }

    fn store(&mut self, scope: usize, expr: ExprId, to: u32) {
        let from = self.value(scope, expr);
        let words = words_for(self.module(scope).expr(expr).width) as u32;
        self.done.code.push(Instr::Store { to, from, words });
    }

    /// Runs a task after everything that it needs. Depth is on a stack of our own: chains may be long.
    fn demand(&mut self, task: Demand) {
        let mut todo = vec![task];
        let mut needs = vec![];
        while let Some(&task) = todo.last() {
            if self.is_done(task) {
                todo.pop();
                continue;
            }
            needs.clear();
            self.needs(task, &mut needs);
            needs.retain(|&t| !self.is_done(t));
            if needs.is_empty() {
                self.emit(task);
                todo.pop();
            } else {
                todo.append(&mut needs);
            }
        }
    }

    fn is_done(&self, task: Demand) -> bool {
        match task {
            Demand::Expr(scope, expr) => self.expr_done[scope][expr.index()],
            Demand::Net(scope, net) => self.net_done[scope][net.index()],
            Demand::Intrinsic(scope) => self.module(scope).outputs.iter().all(|o| self.net_done[scope][o.index()]),
        }
    }

    fn needs(&self, task: Demand, needs: &mut Vec<Demand>) {
        match task {
            Demand::Expr(scope, expr) => match &self.module(scope).expr(expr).op {
                Op::Net(net) => needs.push(Demand::Net(scope, *net)),
                op => op.for_each_operand(|e| needs.push(Demand::Expr(scope, e))),
            },
            Demand::Intrinsic(scope) => {
                let (module, about) = (self.module(scope), &self.design.modules[self.scopes[scope].module]);
                let read = about.dependencies.through.iter().flatten();
                needs.extend(read.map(|&i| Demand::Net(scope, module.inputs[i])));
            }
            Demand::Net(scope, net) => {
                let module = self.module(scope);
                match module.net(net).kind {
                    NetKind::Register { .. } => {}
                    NetKind::Input => {
                        if let Some((parent, expr)) = self.outside(scope, net) {
                            needs.push(Demand::Expr(parent, expr));
                        }
                    }
                    NetKind::InstanceOutput { instance, output } => {
                        let child = self.scopes[scope].children[instance.index()];
                        needs.push(Demand::Net(child, self.module(child).outputs[output as usize]));
                    }
                    NetKind::Output if self.replaced[scope] == Replaced::Intrinsic => {
                        needs.push(Demand::Intrinsic(scope))
                    }
                    NetKind::Wire | NetKind::Output => {
                        needs.extend(module.drivers[net.index()].map(|d| Demand::Expr(scope, d)));
                    }
                }
            }
        }
    }

    /// What the parent drives an input with.
    fn outside(&self, scope: usize, input: NetId) -> Option<(usize, ExprId)> {
        let (parent, instance) = self.scopes[scope].parent?;
        let position = self.module(scope).inputs.iter().position(|&i| i == input).expect("inputs are listed");
        self.module(parent).instances[instance].inputs[position].map(|expr| (parent, expr))
    }

    fn emit(&mut self, task: Demand) {
        match task {
            Demand::Expr(scope, expr) => {
                self.expr_done[scope][expr.index()] = true;
                if let Some(instr) = self.instruction(scope, expr) {
                    self.done.code.push(instr);
                }
            }
            Demand::Net(scope, net) => {
                self.net_done[scope][net.index()] = true;
                let source = match self.module(scope).net(net).kind {
                    NetKind::Input => self.outside(scope, net),
                    NetKind::Wire | NetKind::Output if !self.layout(scope).alias[net.index()] => {
                        self.module(scope).drivers[net.index()].map(|d| (scope, d))
                    }
                    _ => None,
                };
                if let Some((from_scope, expr)) = source {
                    let words = words_for(self.module(scope).net(net).width) as u32;
                    let (to, from) = (self.place(scope, net).offset, self.temp(from_scope, expr));
                    self.done.code.push(Instr::Store { to, from, words });
                }
            }
            Demand::Intrinsic(scope) => {
                let module = self.module(scope);
                for output in &module.outputs {
                    self.net_done[scope][output.index()] = true;
                }
                let start = |ports: &[NetId]| ports.first().map_or(0, |&p| self.place(scope, p).offset);
                if let Some(intrinsic) = module.intrinsic {
                    let (inputs, outputs) = (start(&module.inputs), start(&module.outputs));
                    self.done.code.push(Instr::Intrinsic { call: intrinsic.call, inputs, outputs });
                }
            }
        }
    }

    fn instruction(&self, scope: usize, id: ExprId) -> Option<Instr> {
        let module = self.module(scope);
        let width_of = |e: ExprId| module.expr(e).width;
        let temp = |e: ExprId| self.temp(scope, e);
        let width = width_of(id);
        let (to, words) = (temp(id), words_for(width) as u32);
        Some(match &module.expr(id).op {
            Op::Const(_) => return None,
            Op::Net(net) => Instr::Load { to, from: self.place(scope, *net), words },
            Op::MemRead { memory, address } => Instr::MemRead {
                to,
                address: temp(*address),
                address_words: words_for(width_of(*address)) as u32,
                memory: self.scopes[scope].bases.storage + self.layout(scope).memories[memory.index()],
                depth: module.memories[memory.index()].depth as u64,
                words,
            },
            Op::Unary(op, a) => Instr::Unary { op: *op, to, a: temp(*a), from: width_of(*a), width },
            Op::Binary(op, a, b) => {
                Instr::Binary { op: *op, to, a: temp(*a), b: temp(*b), width: width_of(*a), b_width: width_of(*b) }
            }
            Op::Mux { select, then, otherwise } => {
                Instr::Mux { to, select: temp(*select), then: temp(*then), otherwise: temp(*otherwise), words }
            }
            Op::Concat(parts) => {
                Instr::Concat { to, width, parts: parts.iter().rev().map(|&p| (temp(p), width_of(p))).collect() }
            }
            Op::Slice { value, lo } => Instr::Slice { to, a: temp(*value), from: width_of(*value), lo: *lo, width },
            Op::SliceAt { value, offset } => Instr::SliceAt {
                to,
                a: temp(*value),
                from: width_of(*value),
                offset: temp(*offset),
                offset_width: width_of(*offset),
                width,
            },
        })
    }
}

/// Per scope, parents before children.
pub(crate) fn replaced(design: &Design, scopes: &[Scope], intrinsics: bool) -> Vec<Replaced> {
    let mut out: Vec<Replaced> = vec![];
    for scope in scopes {
        let inside = scope.parent.is_some_and(|(p, _)| out[p] != Replaced::No);
        out.push(match intrinsics && usable_intrinsic(&design.modules[scope.module]).is_some() {
            _ if inside => Replaced::Inside,
            true => Replaced::Intrinsic,
            false => Replaced::No,
        });
    }
    out
}

/// `words` words from `at` on.
fn words_at(values: &[u64], at: u32, words: usize) -> &[u64] {
    &values[at as usize..at as usize + words]
}

fn execute(instr: &Instr, temps: &mut [u64], state: &mut State) {
    match *instr {
        Instr::Load { to, from, words } => {
            let words = words as usize;
            let area = if from.area == Area::Registers { &state.registers } else { &state.storage };
            temps[to as usize..to as usize + words].copy_from_slice(words_at(area, from.offset, words));
        }
        Instr::Store { to, from, words } => {
            let (to, words) = (to as usize, words as usize);
            state.storage[to..to + words].copy_from_slice(words_at(temps, from, words));
        }
        Instr::Next { to, from, words } => {
            let (to, words) = (to as usize, words as usize);
            state.next[to..to + words].copy_from_slice(words_at(temps, from, words));
        }
        Instr::MemRead { to, address, address_words, memory, depth, words } => {
            let (to, words) = (to as usize, words as usize);
            let address = words_at(temps, address, address_words as usize);
            let outside = address[1..].iter().any(|&w| w != 0) || address[0] >= depth;
            if outside {
                temps[to..to + words].fill(0);
            } else {
                let at = memory as usize + address[0] as usize * words;
                temps[to..to + words].copy_from_slice(&state.storage[at..at + words]);
            }
        }
        Instr::Intrinsic { call, inputs, outputs } => {
            let base = state.storage.as_mut_ptr();
            // An intrinsic reads its inputs and writes its outputs, both inside the region of its instance.
            call(base.wrapping_add(inputs as usize), base.wrapping_add(outputs as usize));
        }
        _ => compute(instr, temps),
    }
}

/// Instructions from temporaries to temporaries. The result's temporary lies behind those of all operands.
fn compute(instr: &Instr, temps: &mut [u64]) {
    let (to, width) = match *instr {
        Instr::Unary { to, width, .. }
        | Instr::Binary { to, width, .. }
        | Instr::Concat { to, width, .. }
        | Instr::Slice { to, width, .. }
        | Instr::SliceAt { to, width, .. } => (to, width),
        Instr::Mux { to, words, .. } => (to, words * 64),
        _ => unreachable!("executed by `execute`"),
    };
    let (temps, out) = temps.split_at_mut(to as usize);
    match instr {
        Instr::Unary { op, a, from, .. } => {
            let a = words_at(temps, *a, words_for(*from));
            unary(*op, &mut out[..words_for(width)], a, *from, width);
        }
        Instr::Binary { op, a, b, b_width, .. } => {
            let (a, b) = (words_at(temps, *a, words_for(width)), words_at(temps, *b, words_for(*b_width)));
            binary(*op, out, a, b, width);
        }
        Instr::Mux { select, then, otherwise, words, .. } => {
            let from = if temps[*select as usize] != 0 { *then } else { *otherwise };
            let words = *words as usize;
            out[..words].copy_from_slice(words_at(temps, from, words));
        }
        Instr::Concat { parts, .. } => {
            let out = &mut out[..words_for(width)];
            out.fill(0);
            let mut lo = 0;
            for &(part, part_width) in parts {
                bigint::insert(out, words_at(temps, part, words_for(part_width)), lo);
                lo += part_width;
            }
        }
        Instr::Slice { a, from, lo, .. } => {
            bigint::slice(&mut out[..words_for(width)], words_at(temps, *a, words_for(*from)), *lo, width);
        }
        Instr::SliceAt { a, from, offset, offset_width, .. } => {
            let lo = bigint::amount(words_at(temps, *offset, words_for(*offset_width)), *from);
            bigint::slice(&mut out[..words_for(width)], words_at(temps, *a, words_for(*from)), lo, width);
        }
        _ => unreachable!("executed by `execute`"),
    }
}

pub(crate) fn unary(op: UnaryOp, out: &mut [u64], a: &[u64], from: u32, width: u32) {
    match op {
        UnaryOp::Not => {
            for (o, a) in out.iter_mut().zip(a) {
                *o = !a;
            }
            bigint::trim(out, width);
        }
        UnaryOp::All => {
            let ones: u32 = a.iter().map(|w| w.count_ones()).sum();
            out[0] = u64::from(ones == from);
        }
        UnaryOp::Any => out[0] = u64::from(a.iter().any(|&w| w != 0)),
        UnaryOp::Parity => out[0] = u64::from(a.iter().fold(0, |x, w| x ^ w).count_ones() % 2 == 1),
        UnaryOp::ZeroExtend => {
            out.fill(0);
            out[..a.len()].copy_from_slice(a);
        }
        UnaryOp::SignExtend => bigint::sign_extend(out, a, from, width),
    }
}

/// `out` may be longer than the result; `width` is that of `a`.
pub(crate) fn binary(op: BinaryOp, out: &mut [u64], a: &[u64], b: &[u64], width: u32) {
    let wide = &mut out[..a.len()];
    match op {
        BinaryOp::And => bigint::zip(wide, a, b, |a, b| a & b),
        BinaryOp::Or => bigint::zip(wide, a, b, |a, b| a | b),
        BinaryOp::Xor => bigint::zip(wide, a, b, |a, b| a ^ b),
        BinaryOp::Add => bigint::add(wide, a, b, width),
        BinaryOp::Sub => bigint::sub(wide, a, b, width),
        BinaryOp::Mul => bigint::mul(wide, a, b, width),
        BinaryOp::Shl => bigint::shl(wide, a, bigint::amount(b, width), width),
        BinaryOp::ShrU => bigint::shr(wide, a, bigint::amount(b, width), width),
        BinaryOp::ShrS => bigint::sra(wide, a, bigint::amount(b, width), width),
        BinaryOp::Eq => out[0] = u64::from(a == b),
        BinaryOp::Ne => out[0] = u64::from(a != b),
        BinaryOp::LtU => out[0] = u64::from(bigint::compare(a, b).is_lt()),
        BinaryOp::LtS => out[0] = u64::from(bigint::less_signed(a, b, width)),
    }
}
