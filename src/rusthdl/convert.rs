//! One scope with `#[hdl_gen]` code as a module.

use crate::{
    ChildScope, UniqueNames,
    expr::ExpressionValue,
    identifier,
    steps::{self, HdlStatement, Located, Use, loop_value, resolve, uses},
    walk::{AtomInfo, LogicScope},
};
use hdl::{Bits, Builder, Child, Module, NetId, ProblemKind, Signal, concat, mux};
use rust_hdl::prelude::{AtomKind, ast::VerilogBlock, ast::VerilogExpression};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Conversion of one scope.
pub(super) struct Convert<'m, 's> {
    pub m: &'m Builder,
    name: &'s str,
    scope: &'s LogicScope,
    children: &'s [ChildScope<'s>],
    pub nets: BTreeMap<String, ScopeNet<'m>>,
    /// Constants and enum variants; the flag says signed.
    pub constants: HashMap<String, (Bits, bool)>,
    clocks: HashSet<String>,
    driven_clocks: HashSet<String>,
    assigned: HashSet<String>,
    names: UniqueNames,
}

/// A signal of the scope under its rust-hdl name.
pub(super) struct ScopeNet<'m> {
    pub width: u32,
    pub signed: bool,
    /// Its final value.
    pub read: Option<Signal<'m>>,
    /// Assignments take effect one after the other, and reads see the value so far.
    pub stepwise: bool,
    sink: ConnectionSink<'m>,
    /// Lowest bit and wire of parts that are assigned on their own.
    pieces: Vec<(u32, Signal<'m>)>,
}

/// Where assignments to a net go.
#[derive(Clone)]
enum ConnectionSink<'m> {
    /// Inputs and outputs of children: not assigned here.
    Nowhere,
    /// Wire or output.
    Assign(Signal<'m>),
    /// Register.
    Set(Signal<'m>),
    /// Input of a child, by name.
    Drive(Child<'m>, String),
}

/// What is known on one path through the statements.
#[derive(Clone, Default)]
pub(super) struct Path<'m> {
    /// Values so far of the stepwise nets.
    pub so_far: BTreeMap<String, Signal<'m>>,
    /// Nets assigned as a whole.
    done: BTreeSet<String>,
}

impl<'m, 's> Convert<'m, 's> {
    pub fn new(m: &'m Builder, name: &'s str, scope: &'s LogicScope, children: &'s [ChildScope<'s>]) -> Self {
        let constants = scope.enums.iter().map(|(label, &(value, width))| {
            let bits = Bits::new(width.max(1), value);
            (label.clone(), (bits, false))
        });
        Self {
            m,
            name,
            scope,
            children,
            nets: BTreeMap::new(),
            constants: constants.collect(),
            clocks: HashSet::new(),
            driven_clocks: HashSet::new(),
            assigned: HashSet::new(),
            names: UniqueNames::default(),
        }
    }

    /// Records everything.
    pub fn run(mut self, code: &VerilogBlock) {
        let (steps, problems) = steps::steps(code);
        problems.iter().for_each(|problem| self.fail(problem));
        let uses = uses(&steps);
        self.declare_own(&uses);
        let drives = self.declare_children(&uses);
        let mut path = Path::default();
        self.steps(&steps, &mut path);
        self.finish(&path, drives);
    }

    /// A mistake, under the block's name.
    pub fn fail(&self, what: &str) {
        self.problem(ProblemKind::Illegal, what);
    }

    fn problem(&self, kind: ProblemKind, what: &str) {
        self.m.problem(kind, format!("rust-hdl block `{}`: {what}", self.name), &[]);
    }

    // -- declarations --------------------------------------------------------------------------------------------------

    fn declare_own(&mut self, uses: &HashMap<String, Use>) {
        let (m, scope) = (self.m, self.scope);
        let atoms = || scope.atoms.iter().filter(|a| a.width > 0);
        self.clocks.extend(scope.atoms.iter().filter(|a| a.clock).map(|a| a.name.clone()));
        for atom in atoms().filter(|a| a.is_input() && !a.clock) {
            let input = m.input(self.names.claim(&atom.name), atom.width);
            self.add(&atom.name, atom, Some(input), ConnectionSink::Nowhere, None);
        }
        for atom in atoms().filter(|a| a.is_output() && !a.clock) {
            let output = m.output(self.names.claim(&atom.name), atom.width);
            self.add(&atom.name, atom, Some(output), ConnectionSink::Assign(output), uses.get(&atom.name));
        }
        for atom in atoms() {
            match atom.kind {
                AtomKind::Constant => {
                    let value = atom.value.as_ref().map_or_else(|| Bits::zero(atom.width), |v| v.bits(atom.width));
                    self.constants.insert(atom.name.clone(), (value, atom.signed));
                }
                AtomKind::LocalSignal if !atom.clock && uses.contains_key(&atom.name) => {
                    let wire = m.wire_later(self.names.claim(&atom.name), atom.width);
                    self.add(&atom.name, atom, Some(wire), ConnectionSink::Assign(wire), uses.get(&atom.name));
                }
                _ => {}
            }
        }
    }

    /// Adds a net; parts that are assigned on their own become wires.
    fn add(
        &mut self,
        name: &str,
        atom: &AtomInfo,
        read: Option<Signal<'m>>,
        sink: ConnectionSink<'m>,
        uses: Option<&Use>,
    ) {
        let stepwise = uses.is_some_and(|u| u.read_between) && !atom.is_input();
        let mut pieces = vec![];
        if let Some(u) = uses.filter(|u| !u.cuts.is_empty() && !stepwise) {
            let bounds: BTreeSet<_> =
                u.cuts.iter().copied().filter(|&b| b < atom.width).chain([0, atom.width]).collect();
            let bounds: Vec<_> = bounds.into_iter().collect();
            for pair in bounds.windows(2) {
                let wire = self.names.claim(&format!("{name}_{}_{}", pair[1] - 1, pair[0]));
                pieces.push((pair[0], self.m.wire_later(&wire, pair[1] - pair[0])));
            }
        }
        let net = ScopeNet { width: atom.width, signed: atom.signed, read, stepwise, sink, pieces };
        self.nets.insert(name.into(), net);
    }

    /// Children, and what is to be driven once everything is recorded.
    fn declare_children(&mut self, uses: &HashMap<String, Use>) -> Vec<(ConnectionSink<'m>, Signal<'m>)> {
        let mut drives = vec![];
        for part in self.children {
            let child = part.scope();
            let clocks = child.atoms.iter().filter(|a| a.clock);
            self.clocks.extend(clocks.map(|a| format!("{}${}", child.name, a.name)));
            match part {
                ChildScope::Flop(_, flop) => {
                    let register = self.m.register_bits(self.names.claim(&child.name), flop.init.clone());
                    let [q, d] = [&flop.q, &flop.d].map(|port| (format!("{}${port}", child.name), child.atom(port)));
                    let (Some(q_atom), Some(d_atom)) = (q.1, d.1) else { continue };
                    self.add(&q.0, q_atom, Some(register), ConnectionSink::Nowhere, None);
                    self.add_target(&d.0, d_atom, ConnectionSink::Set(register), uses, &mut drives);
                }
                ChildScope::Instance(_, module) => {
                    let instance = self.m.instance(self.instance_name(child, module), module);
                    let port_names = |ports: &[NetId]| -> Vec<String> {
                        ports.iter().map(|&port| module.net(port).name.clone()).collect()
                    };
                    let ports = |input: bool| {
                        let wanted = move |a: &&AtomInfo| !a.clock && a.width > 0;
                        child
                            .atoms
                            .iter()
                            .filter(wanted)
                            .filter(move |a| if input { a.is_input() } else { a.is_output() })
                    };
                    for (atom, port) in ports(false).zip(port_names(&module.outputs)) {
                        let name = format!("{}${}", child.name, atom.name);
                        self.add(&name, atom, Some(instance.get(&port)), ConnectionSink::Nowhere, None);
                    }
                    for (atom, port) in ports(true).zip(port_names(&module.inputs)) {
                        let name = format!("{}${}", child.name, atom.name);
                        let sink = ConnectionSink::Drive(instance, port);
                        if uses.get(&name).is_some_and(|u| u.assigned > 0) {
                            self.add_target(&name, atom, sink, uses, &mut drives);
                        }
                    }
                }
            }
        }
        drives
    }

    /// An input of a child: driven directly where that is possible, else through a wire.
    fn add_target(
        &mut self,
        name: &str,
        atom: &AtomInfo,
        sink: ConnectionSink<'m>,
        uses: &HashMap<String, Use>,
        drives: &mut Vec<(ConnectionSink<'m>, Signal<'m>)>,
    ) {
        let none = Use::default();
        let u = uses.get(name).unwrap_or(&none);
        let direct = match sink {
            ConnectionSink::Drive(..) => u.assigned == 1 && !u.conditional && !u.read,
            _ => u.cuts.is_empty() && !u.read,
        };
        if direct {
            return self.add(name, atom, None, sink, Some(u));
        }
        let wire = self.m.wire_later(self.names.claim(name), atom.width);
        drives.push((sink, wire));
        self.add(name, atom, Some(wire), ConnectionSink::Assign(wire), Some(u));
    }

    /// A name for an instance that, with the names of its outputs, is free.
    fn instance_name(&mut self, child: &LogicScope, module: &Module) -> String {
        let mut name = identifier(&child.name);
        if module.nets.iter().any(|net| net.name == name) {
            name += "_block"; // Verilator warns when a signal hides its own instance
        }
        let with_outputs = |name: &str| -> Vec<String> {
            let outputs = child.atoms.iter().filter(|a| a.is_output() && !a.clock);
            let outputs = outputs.map(|a| format!("{name}_{}", identifier(&a.name)));
            outputs.chain([name.to_string()]).collect()
        };
        while with_outputs(&name).iter().any(|n| self.names.0.contains(n)) {
            name.push('_');
        }
        self.names.0.extend(with_outputs(&name));
        name
    }

    // -- statements ----------------------------------------------------------------------------------------------------

    fn steps(&mut self, steps: &[HdlStatement<'_>], path: &mut Path<'m>) {
        for step in steps {
            match step {
                HdlStatement::Assign { target, part, value } => self.assignment(target, *part, value, path),
                HdlStatement::If { test, then, otherwise } => self.conditional(test, then, otherwise, path),
                HdlStatement::Match { test, cases } => self.choice(test, cases, path),
                HdlStatement::Comment(text) => self.m.comment(text),
            }
        }
    }

    fn assignment(
        &mut self,
        target: &str,
        part: Option<(u32, u32)>,
        value: &steps::AssignedValue<'_>,
        path: &mut Path<'m>,
    ) {
        if self.clocks.contains(target) {
            return self.clock(target, value);
        }
        let Some(width) = self.nets.get(target).map(|net| net.width) else {
            return self.fail(&format!("`{target}` is assigned, but is none of its signals"));
        };
        let width = part.map_or(width, |(_, width)| width);
        let value = match value {
            steps::AssignedValue::Expr(located) => self.value(located, Some(width), path),
            steps::AssignedValue::Net(name) => self.read(name, path),
        };
        let value = self.coerce(value, width);
        let m = self.m;
        let net = &self.nets[target];
        if part.is_none() {
            path.done.insert(target.into());
        }
        let first = self.assigned.insert(target.into());
        if let ConnectionSink::Set(register) = net.sink
            && first
            && value.is(register)
        {
            return; // `d = q` at the start is what a register does anyway
        }
        if net.stepwise {
            let old = path.so_far.get(target).copied().or(net.read);
            let new = match (part, old) {
                (Some((lo, width)), Some(old)) => replace(old, lo, width, value),
                _ => value,
            };
            path.so_far.insert(target.into(), new);
        } else if !net.pieces.is_empty() {
            let (lo, width) = part.unwrap_or((0, net.width));
            for &(at, wire) in net.pieces.iter().filter(|(at, _)| (lo..lo + width).contains(at)) {
                m.assign(wire, value.bits(at - lo, wire.width()));
            }
        } else {
            match &net.sink {
                ConnectionSink::Nowhere => {
                    self.fail(&format!("`{target}` is driven elsewhere and cannot be assigned here"))
                }
                sink => put(m, sink, value),
            }
        }
    }

    fn clock(&mut self, target: &str, value: &steps::AssignedValue<'_>) {
        self.driven_clocks.insert(target.into());
        let source = match value {
            steps::AssignedValue::Net(name) => Some(name.clone()),
            steps::AssignedValue::Expr(Located { expr: VerilogExpression::Signal(name), loops }) => {
                resolve(name, loops).ok()
            }
            steps::AssignedValue::Expr(_) => None,
        };
        if !source.is_some_and(|name| self.clocks.contains(&name)) {
            self.fail(&format!("clock `{target}` is computed: only the clock itself can be passed on"));
        }
    }

    fn conditional(
        &mut self,
        test: &Located<'_>,
        then: &[HdlStatement<'_>],
        otherwise: &[HdlStatement<'_>],
        path: &mut Path<'m>,
    ) {
        let condition = match self.value(test, Some(1), path) {
            ExpressionValue::Int(fixed) => return self.steps(if fixed != 0 { then } else { otherwise }, path),
            value => self.coerce(value, 1),
        };
        let (mut yes, mut no) = (path.clone(), path.clone());
        let m = self.m;
        let when = m.when(condition, || self.steps(then, &mut yes));
        if !otherwise.is_empty() {
            when.otherwise(|| self.steps(otherwise, &mut no));
        }
        *path = self.join(condition, yes, no);
    }

    fn choice(&mut self, test: &Located<'_>, cases: &[(String, Vec<HdlStatement<'_>>)], path: &mut Path<'m>) {
        let tested = self.value(test, None, path);
        let width = tested.width().unwrap_or(64);
        let mut arms: Vec<(Bits, &[HdlStatement<'_>])> = vec![];
        let mut default = None;
        let mut kinds = HashSet::new();
        for (label, steps) in cases {
            if label == "default" {
                default = default.or(Some(steps.as_slice()));
                break; // what follows cannot match
            }
            let Some(bits) = self.label(label, test, width) else {
                self.fail(&format!("`{label}` is not a constant that a match can test for"));
                continue;
            };
            kinds.extend(label.rsplit_once('$').map(|(kind, _)| kind.to_string()));
            if arms.iter().all(|(earlier, _)| *earlier != bits) {
                arms.push((bits, steps));
            }
        }
        if let ExpressionValue::Int(fixed) = tested {
            let hit = arms.iter().find(|(bits, _)| i128::from(bits.to_u64()) == fixed).map(|(_, steps)| *steps);
            return self.steps(hit.or(default).unwrap_or_default(), path);
        }
        let variants = self.scope.enums.keys().filter(|l| l.rsplit_once('$').is_some_and(|(k, _)| kinds.contains(k)));
        let all = (kinds.len() == 1 && variants.count() == arms.len()) || width < 16 && arms.len() == 1 << width;
        if default.is_none() && all {
            // Every value that Rust can have is named: the last case answers for codes that cannot occur.
            default = arms.pop().map(|(_, steps)| steps);
        }
        let value = self.coerce(tested, width);
        let m = self.m;
        let mut rest = path.clone();
        let mut taken = vec![];
        m.switch(value, |recorder| {
            for (bits, steps) in &arms {
                let mut yes = path.clone();
                recorder.is(bits.to_u64(), || self.steps(steps, &mut yes));
                taken.push((value.eq(bits.signal(m)), yes));
            }
            if let Some(steps) = default {
                recorder.default(|| self.steps(steps, &mut rest));
            }
        });
        for (hit, yes) in taken.into_iter().rev() {
            rest = self.join(hit, yes, rest);
        }
        *path = rest;
    }

    /// The constant that a match arm names.
    fn label(&self, label: &str, test: &Located<'_>, width: u32) -> Option<Bits> {
        if let Some((bits, _)) = self.constant(&resolve(label, &test.loops).ok()?) {
            return (bits.width() == width).then_some(bits);
        }
        let value = loop_value(label, &test.loops).or_else(|| super::literal::Literal::parse(label)?.integer())?;
        super::literal::integer_bits(value, width)
    }

    /// A constant or enum variant; a path in front of the type's name does not matter.
    pub fn constant(&self, name: &str) -> Option<(Bits, bool)> {
        let short = || name.rmatch_indices('$').nth(1).map(|(at, _)| &name[at + 1..]);
        self.constants.get(name).or_else(|| self.constants.get(short()?)).cloned()
    }

    /// The paths after a condition.
    fn join(&self, condition: Signal<'m>, yes: Path<'m>, no: Path<'m>) -> Path<'m> {
        let mut so_far = BTreeMap::new();
        for name in yes.so_far.keys().chain(no.so_far.keys()) {
            let before = self.nets[name].read;
            let [a, b] = [&yes, &no].map(|path| path.so_far.get(name).copied().or(before));
            if let (Some(a), Some(b)) = (a, b) {
                so_far.insert(name.clone(), mux(condition, a, b));
            }
        }
        Path { so_far, done: yes.done.intersection(&no.done).cloned().collect() }
    }

    // -- the end -------------------------------------------------------------------------------------------------------

    fn finish(&self, path: &Path<'m>, drives: Vec<(ConnectionSink<'m>, Signal<'m>)>) {
        let m = self.m;
        for (name, net) in &self.nets {
            let held = net.stepwise || matches!(net.sink, ConnectionSink::Set(_));
            if held && !path.done.contains(name) {
                self.problem(
                    ProblemKind::Latch,
                    &format!("`{name}` is not assigned on every path: this would be a latch"),
                );
            }
            if net.stepwise {
                let value = path.so_far.get(name).copied().unwrap_or_else(|| Bits::zero(net.width).signal(m));
                put(m, &net.sink, value);
            } else if !net.pieces.is_empty() {
                let parts: Vec<_> = net.pieces.iter().rev().map(|(_, wire)| *wire).collect();
                put(m, &net.sink, concat(&parts));
            }
        }
        drives.iter().for_each(|(sink, wire)| put(m, sink, *wire));
        for part in self.children {
            let child = part.scope();
            for clock in child.atoms.iter().filter(|a| a.clock && a.is_input()) {
                let name = format!("{}${}", child.name, clock.name);
                if !self.driven_clocks.contains(&name) {
                    self.problem(ProblemKind::Undriven, &format!("clock `{name}` has no driver"));
                }
            }
        }
    }
}

fn put<'m>(m: &'m Builder, sink: &ConnectionSink<'m>, value: Signal<'m>) {
    match sink {
        ConnectionSink::Assign(target) => m.assign(*target, value),
        ConnectionSink::Set(register) => m.set(*register, value),
        ConnectionSink::Drive(child, port) => child.drive(port, value),
        ConnectionSink::Nowhere => {}
    }
}

/// `old` with `width` bits from `lo` on replaced.
fn replace<'m>(old: Signal<'m>, lo: u32, width: u32, value: Signal<'m>) -> Signal<'m> {
    let mut parts = vec![];
    if lo + width < old.width() {
        parts.push(old.bits(lo + width, old.width() - lo - width));
    }
    parts.push(value);
    if lo > 0 {
        parts.push(old.bits(0, lo));
    }
    concat(&parts)
}
