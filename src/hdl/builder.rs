//! Recording a block.

mod child;
mod clocks;
mod conditions;
mod memory;

pub use child::Child;
pub use clocks::ClockDomain;
pub use conditions::{Cases, Otherwise};
pub use memory::Memory;
use rustc_hash::FxHashMap;

use super::{
    bits::Bits,
    def::{self, *},
    ids::{DomainId, ExprId, InstanceId, MemId, NetId},
    layout::{Field, Layout, PortGroup},
    lower,
    names::PortName,
    parameters::Parameters,
    ports::DeclaredPort,
    share,
    signal::{Operand, Signal},
    source::Source,
    statistic::StatisticName,
    tap::Tap,
    values::{ValueNames, Values},
};
use std::cell::RefCell;

/// Records a block; see the [module documentation](super) for the flow and `blocks` for examples.
///
/// All methods take `&self`, so that signals (which borrow the builder) can be used freely while recording goes on.
pub struct Builder {
    pub(super) state: RefCell<BuilderState>,
}

pub(super) struct BuilderState {
    def: ModuleDef,
    interned: FxHashMap<(Op, u32), ExprId>,
    names: FxHashMap<String, Source>,
    /// Statement lists under construction, innermost last; the first is the module body.
    blocks: Vec<Vec<Stmt>>,
    /// Conditions around the present statement, innermost last.
    conditions: Vec<ExprId>,
    /// The clock domain of what is recorded now.
    domain: DomainId,
    /// Ports of declarations.
    pub(super) declared: Vec<DeclaredPort>,
}

impl Builder {
    /// Starts a block of the given kind and parameters (see [`params!`](crate::params)); both make its name.
    pub fn new(kind: &str, params: Parameters) -> Self {
        let name = params.name(kind);
        let builder = Self {
            state: RefCell::new(BuilderState {
                def: ModuleDef { kind: kind.to_string(), params, ..hollow(name) },
                interned: FxHashMap::default(),
                names: FxHashMap::default(),
                blocks: vec![vec![]],
                conditions: vec![],
                domain: DomainId::DEFAULT,
                declared: vec![],
            }),
        };
        for implicit in ["clock", "reset"] {
            builder.state.borrow_mut().names.insert(implicit.into(), Source { file: "implicit port", line: 0 });
        }
        builder
    }

    /// What the block does, for the header of its Verilog: one or a few sentences.
    pub fn doc(&self, text: &str) {
        self.state.borrow_mut().def.doc = text.to_string();
    }

    /// An input port.
    #[track_caller]
    pub fn input(&self, name: impl PortName, width: u32) -> Signal<'_> {
        self.input_about(name, width, "")
    }

    /// An input port with what it means.
    #[track_caller]
    pub(super) fn input_about(&self, name: impl PortName, width: u32, about: &'static str) -> Signal<'_> {
        let net = self.declare(&name.text(), width, NetKind::Input);
        let mut state = self.state.borrow_mut();
        state.def.inputs.push(net);
        state.def.nets[net.index()].about = about;
        drop(state);
        self.read(net)
    }

    /// A combinational output port, to be driven by [`assign`](Self::assign).
    #[track_caller]
    pub fn output(&self, name: impl PortName, width: u32) -> Signal<'_> {
        self.output_about(name, width, "")
    }

    /// A combinational output port with what it means.
    #[track_caller]
    pub(super) fn output_about(&self, name: impl PortName, width: u32, about: &'static str) -> Signal<'_> {
        let net = self.declare(&name.text(), width, NetKind::Output);
        let mut state = self.state.borrow_mut();
        state.def.outputs.push(net);
        state.def.nets[net.index()].about = about;
        drop(state);
        self.read(net)
    }

    /// An output port that shows `value`.
    #[track_caller]
    pub fn output_of(&self, name: impl PortName, value: Signal<'_>) {
        let port = self.output(name, value.width);
        self.assign(port, value);
    }

    /// An output port that shows `value`, looked at by `tap`.
    #[track_caller]
    pub fn tapped_output(&self, tap: Tap, name: impl PortName, value: Signal<'_>) {
        let port = self.output(name, value.width);
        self.assign(port, value);
        self.tap(tap, port);
    }

    /// A wire that carries `value`.
    #[track_caller]
    pub fn wire<'m>(&'m self, name: impl PortName, value: Signal<'m>) -> Signal<'m> {
        let wire = self.wire_later(name, value.width);
        self.assign(wire, value);
        wire
    }

    /// A wire to be driven later by [`assign`](Self::assign).
    #[track_caller]
    pub fn wire_later(&self, name: impl PortName, width: u32) -> Signal<'_> {
        let net = self.declare(&name.text(), width, NetKind::Wire);
        self.read(net)
    }

    /// A register with synchronous reset to `reset`. It keeps its value unless assigned by [`set`](Self::set).
    #[track_caller]
    pub fn register(&self, name: impl PortName, width: u32, reset: u64) -> Signal<'_> {
        self.check_fits(width, reset);
        self.register_bits(name, Bits::new(width, reset))
    }

    /// A register with synchronous reset to a value of any width.
    #[track_caller]
    pub fn register_bits(&self, name: impl PortName, reset: Bits) -> Signal<'_> {
        let width = reset.width();
        let net = self.declare(&name.text(), width, NetKind::Register { reset: Some(reset) });
        self.read(net)
    }

    /// A register that ignores reset: for payload, whose value means nothing until a reset valid bit says so.
    #[track_caller]
    pub fn register_payload(&self, name: impl PortName, width: u32) -> Signal<'_> {
        let net = self.declare(&name.text(), width, NetKind::Register { reset: None });
        self.read(net)
    }

    /// The value of `next` one cycle ago; zero after reset.
    #[track_caller]
    pub fn delayed<'m>(&'m self, name: impl PortName, next: Signal<'m>) -> Signal<'m> {
        let register = self.register_bits(name, Bits::zero(next.width));
        self.set(register, next);
        register
    }

    /// A register that takes `value` when `enable` is one; it ignores reset.
    #[track_caller]
    pub fn captured<'m>(&'m self, name: impl PortName, enable: Signal<'m>, value: Signal<'m>) -> Signal<'m> {
        let register = self.register_payload(name, value.width);
        self.when(enable, || self.set(register, value));
        register
    }

    /// Registers that take their values when `enable` is one; they ignore reset.
    #[track_caller]
    pub fn captured_together<'m, const N: usize>(
        &'m self,
        enable: Signal<'m>,
        values: [(impl PortName, Signal<'m>); N],
    ) -> [Signal<'m>; N] {
        let registers = values.map(|(name, value)| (self.register_payload(name, value.width), value));
        self.when(enable, || registers.iter().for_each(|(register, value)| self.set(*register, *value)));
        registers.map(|(register, _)| register)
    }

    /// A memory of `depth` words of `width` bits.
    #[track_caller]
    pub fn memory(&self, name: impl PortName, depth: usize, width: u32) -> Memory<'_> {
        self.add_memory(&name.text(), depth, width, false)
    }

    #[track_caller]
    fn add_memory(&self, name: &str, depth: usize, width: u32, crossing: bool) -> Memory<'_> {
        self.claim_name(name);
        if depth == 0 || width == 0 {
            self.problem(ProblemKind::Illegal, format!("memory `{name}` of {depth} words of {width} bits"), &[]);
        }
        let mut state = self.state.borrow_mut();
        let id = MemId(state.def.memories.len() as u32);
        let (domain, source) = (state.domain, Source::here());
        let (depth, width) = (depth.max(1), width.max(1));
        state.def.memories.push(def::Memory { name: name.into(), depth, width, domain, crossing, source });
        state.def.stateful = true;
        Memory { builder: self, id, width, depth }
    }

    /// A child block called `name`.
    #[track_caller]
    pub fn instance(&self, name: impl PortName, module: &Module) -> Child<'_> {
        self.add_instance(&name.text(), module, false)
    }

    /// A child that is a tile: all its outputs are registers (checked by elaboration).
    #[track_caller]
    pub fn tile(&self, name: impl PortName, module: &Module) -> Child<'_> {
        self.add_instance(&name.text(), module, true)
    }

    #[track_caller]
    fn add_instance(&self, name: &str, module: &Module, tile: bool) -> Child<'_> {
        self.claim_name(name);
        let id = InstanceId(self.state.borrow().def.instances.len() as u32);
        let mut outputs = Vec::with_capacity(module.outputs.len());
        for (output, &port) in module.outputs.iter().enumerate() {
            let port = module.net(port);
            let kind = NetKind::InstanceOutput { instance: id, output: output as u32 };
            outputs.push(self.declare(&format!("{name}_{}", port.name), port.width, kind));
        }
        let mut state = self.state.borrow_mut();
        state.def.stateful |= module.stateful;
        let mut domains = vec![None; module.domains.len()];
        domains[0] = Some(state.domain);
        state.def.instances.push(Instance {
            name: name.into(),
            module: module.clone(),
            tile,
            inputs: vec![None; module.inputs.len()],
            outputs,
            domains,
            source: Source::here(),
        });
        Child { builder: self, id }
    }

    /// `target = value` for a wire or output; under [`when`](Self::when), the wire needs a value on every other path too.
    #[track_caller]
    pub fn assign<'m>(&'m self, target: Signal<'m>, value: impl Operand<'m>) {
        self.record_assign(target, value, false);
    }

    /// `target <= value` at the clock edge, for a register.
    #[track_caller]
    pub fn set<'m>(&'m self, target: Signal<'m>, value: impl Operand<'m>) {
        self.record_assign(target, value, true);
    }

    #[track_caller]
    fn record_assign<'m>(&'m self, target: Signal<'m>, value: impl Operand<'m>, clocked: bool) {
        let value = self.own(value.signal(self, target.width));
        let Some(place) = self.place(target) else {
            let verb = if clocked { "set" } else { "assign" };
            self.problem(ProblemKind::Illegal, format!("{verb}: the target is not a net or a slice of a net"), &[]);
            return;
        };
        let (name, kind, declared) = {
            let state = self.state.borrow();
            let net = state.def.net(place.net);
            (net.name.clone(), net.kind.clone(), net.source)
        };
        let legal = match kind {
            NetKind::Register { .. } => clocked,
            NetKind::Wire | NetKind::Output => !clocked,
            NetKind::Input => {
                let message = format!("input `{name}` is driven by its parent and cannot be assigned here");
                self.problem(ProblemKind::MultiplyDriven, message, &[declared]);
                return;
            }
            NetKind::InstanceOutput { .. } => {
                let message = format!("`{name}` is driven by its instance and cannot be assigned here");
                self.problem(ProblemKind::MultiplyDriven, message, &[declared]);
                return;
            }
        };
        if !legal {
            let hint = if clocked { "use assign for a wire or output" } else { "use set for a register" };
            self.problem(ProblemKind::Illegal, format!("`{name}`: {hint}"), &[declared]);
            return;
        }
        if value.width != target.width {
            let message = format!("`{name}` takes {} bits, the value has {}", target.width, value.width);
            self.problem(ProblemKind::WidthMismatch, message, &[declared]);
            return;
        }
        self.record(Stmt::Assign { target: place, value: value.id, source: Source::here() });
    }

    /// Statements recorded in `then` take effect when `condition` (1 bit) is one. Returns a handle for the other case:
    /// `m.when(c, || ...).otherwise(|| ...)`.
    #[track_caller]
    pub fn when<'m>(&'m self, condition: Signal<'m>, then: impl FnOnce()) -> Otherwise<'m> {
        let condition = self.one_bit(condition, "when");
        let statements = self.nested(condition, then);
        self.record(Stmt::When { condition: condition.id, then: statements, otherwise: vec![] });
        Otherwise { builder: self, condition }
    }

    /// Statements chosen by a constant: `m.switch(state, |case| { case.is(0, || ...); case.default(|| ...); })`.
    #[track_caller]
    pub fn switch<'m>(&'m self, value: Signal<'m>, cases: impl FnOnce(&mut Cases<'m>)) {
        let value = self.own(value);
        let mut recorder = Cases { builder: self, value, cases: vec![], default: None, taken: vec![] };
        cases(&mut recorder);
        let Cases { cases, default, .. } = recorder;
        self.record(Stmt::Switch { value: value.id, cases, default: default.unwrap_or_default() });
    }

    /// A comment, carried into the Verilog before the next statement.
    pub fn comment(&self, text: &str) {
        self.record(Stmt::Comment(text.to_string()));
    }

    /// Counts the cycles in which `condition` is one, under the conditions around this call.
    #[track_caller]
    pub fn count(&self, statistic: impl StatisticName, condition: Signal<'_>) {
        self.probe(statistic, ProbeKind::Count, condition, None);
    }

    /// Sums `value` (up to 64 bits) over the cycles in which `condition` is one.
    #[track_caller]
    pub fn sum(&self, statistic: impl StatisticName, condition: Signal<'_>, value: Signal<'_>) {
        self.probe(statistic, ProbeKind::Sum, condition, Some(value));
    }

    /// Records how often each `value` (up to 64 bits) occurs in cycles in which `condition` is one.
    #[track_caller]
    pub fn histogram(&self, statistic: impl StatisticName, condition: Signal<'_>, value: Signal<'_>) {
        self.probe(statistic, ProbeKind::Histogram, condition, Some(value));
    }

    #[track_caller]
    fn probe(&self, name: impl StatisticName, kind: ProbeKind, condition: Signal<'_>, value: Option<Signal<'_>>) {
        let (statistic, name) = (name.declaration(), name.name());
        let condition = self.one_bit(condition, "probe condition");
        let enable = self.under_conditions(condition).id;
        let value = value.map(|v| self.own(v));
        if let Some(wide) = value.filter(|v| v.width > 64) {
            self.problem(ProblemKind::Illegal, format!("probe `{name}` of {} bits: at most 64", wide.width), &[]);
            return;
        }
        let mut state = self.state.borrow_mut();
        if let Some(statistic) = statistic
            && statistic.block != state.def.kind
        {
            let message = format!("statistic `{name}` belongs to `{}`, not to `{}`", statistic.block, state.def.kind);
            drop(state);
            return self.problem(ProblemKind::Illegal, message, &[]);
        }
        state.def.stateful = true;
        let domain = state.domain;
        state.def.probes.push(Probe { name, statistic, kind, enable, value: value.map(|v| v.id), domain });
    }

    /// Ties `tap` to `net`: a register, wire or port of this block, or an output of a child. A tap of several nets is tied once for each, in
    /// order.
    #[track_caller]
    pub fn tap(&self, tap: Tap, net: Signal<'_>) {
        let net = self.own(net);
        let tied = self.bits_of_net(net);
        let mut state = self.state.borrow_mut();
        let whole = tied.filter(|&(tied, lo)| lo == 0 && state.def.net(tied).width == net.width);
        let problem = match whole {
            _ if !tap.of_part && tap.block != state.def.kind => {
                format!("tap `{}` belongs to `{}`, not to `{}`", tap.name, tap.block, state.def.kind)
            }
            None => format!("tap `{}` is tied to an expression: give it a wire", tap.name),
            Some((net, _)) => return state.def.taps.push((tap, net)),
        };
        drop(state);
        self.problem(ProblemKind::Illegal, problem, &[]);
    }

    /// Claims that `condition` is one at every clock edge outside reset (where the conditions around this call hold).
    #[track_caller]
    pub fn always(&self, message: &str, condition: Signal<'_>) {
        let condition = self.one_bit(condition, "assertion");
        let around = self.under_conditions(self.lit(1, 1));
        let condition = condition | !around;
        let mut state = self.state.borrow_mut();
        state.def.stateful = true;
        let (domain, source) = (state.domain, Source::here());
        state.def.assertions.push(Assertion { message: message.into(), condition: condition.id, domain, source });
    }

    /// Checks a parameter of the block: when `legal` is false, elaboration reports `message`, which names the parameter, its
    /// value and what is allowed. Recording goes on, so the block continues with some legal value.
    #[track_caller]
    pub fn require(&self, legal: bool, message: &str) {
        if !legal {
            self.problem(ProblemKind::Illegal, message.to_string(), &[]);
        }
    }

    /// Names the native function that simulation may call in place of this block, which must be combinational.
    pub fn intrinsic(&self, intrinsic: Intrinsic) {
        self.state.borrow_mut().def.intrinsic = Some(intrinsic);
    }

    /// Names a block with the same ports that does the same in every cycle, and that simulation may take instead: a
    /// pipeline with its registers behind the arithmetic, which has an intrinsic, in place of registers within.
    #[track_caller]
    pub fn equal(&self, equal: Module) {
        let ports = |of: &ModuleDef, ports: &[NetId]| -> Vec<_> {
            ports.iter().map(|&port| (of.net(port).name.clone(), of.net(port).width)).collect()
        };
        let same = {
            let state = self.state.borrow();
            [(&state.def.inputs, &equal.inputs), (&state.def.outputs, &equal.outputs)]
                .into_iter()
                .all(|(own, other)| ports(&state.def, own) == ports(&equal, other))
        };
        if !same {
            let message = format!("`{}` is to be simulated instead, but has other ports", equal.name);
            self.problem(ProblemKind::Illegal, message, &[]);
        }
        self.state.borrow_mut().def.equal = Some(equal);
    }

    /// Ends recording and returns the shared block; an equal one that exists already is returned instead.
    pub fn finish(&self) -> Module {
        self.check_declared();
        let mut state = self.state.borrow_mut();
        state.mark_used_domains();
        let BuilderState { def, interned, blocks, .. } = &mut *state;
        let empty = hollow(def.name.clone());
        let mut def = std::mem::replace(def, ModuleDef { kind: def.kind.clone(), ..empty });
        def.body = std::mem::take(&mut blocks[0]);
        lower::lower(&mut def, interned);
        share::intern(def)
    }

    /// A constant of `width` bits.
    #[track_caller]
    pub fn lit(&self, width: u32, value: u64) -> Signal<'_> {
        self.check_fits(width, value);
        Bits::new(width.max(1), value).signal(self)
    }

    #[track_caller]
    fn check_fits(&self, width: u32, value: u64) {
        // A negative literal arrives sign-extended: accept it when it fits as such.
        let fits =
            width >= 64 || value >> width == 0 || (value as i64) < 0 && (value as i64) >> (width.max(1) - 1) == -1;
        if width == 0 || !fits {
            self.problem(ProblemKind::Illegal, format!("constant {value} does not fit in {width} bits"), &[]);
        }
    }

    // -- used by Signal ------------------------------------------------------------------------------------------------

    #[track_caller]
    pub(super) fn expr(&self, op: Op, width: u32) -> Signal<'_> {
        let source = Source::here(); // not inside the closure below, where the caller is unknown
        let mut state = self.state.borrow_mut();
        let BuilderState { def, interned, .. } = &mut *state;
        let id = *interned.entry((op, width)).or_insert_with_key(|(op, width)| {
            def.exprs.push(Expr { op: op.clone(), width: *width, source });
            ExprId(def.exprs.len() as u32 - 1)
        });
        Signal { builder: self, id, width }
    }

    /// Keeps a mistake in the description, found here and because of what stands at `others`; elaboration reports it.
    #[track_caller]
    pub fn problem(&self, kind: ProblemKind, message: String, others: &[Source]) {
        let sources = std::iter::once(Source::here()).chain(others.iter().copied()).collect();
        self.state.borrow_mut().def.problems.push(Problem { kind, message, sources });
    }

    /// `signal` if it belongs to this block, else a problem and zero.
    #[track_caller]
    pub(super) fn own<'m>(&'m self, signal: Signal<'m>) -> Signal<'m> {
        if std::ptr::eq(signal.builder, self) {
            return signal;
        }
        self.problem(ProblemKind::Illegal, "a signal of another module is used here".into(), &[]);
        self.lit(signal.width, 0)
    }

    /// `other` if as wide as `first`, else a problem and a zero that is.
    #[track_caller]
    pub(super) fn same_width<'m>(&'m self, first: Signal<'m>, other: Signal<'m>, what: &str) -> Signal<'m> {
        if first.width == other.width {
            return other;
        }
        let message = format!(
            "{what}: {} bits ({}) and {} bits ({})",
            first.width,
            self.show(first),
            other.width,
            self.show(other)
        );
        let sources = [self.source_of(first), self.source_of(other)];
        self.problem(ProblemKind::WidthMismatch, message, &sources);
        self.lit(first.width, 0)
    }

    #[track_caller]
    pub(super) fn one_bit<'m>(&'m self, signal: Signal<'m>, what: &str) -> Signal<'m> {
        let signal = self.own(signal);
        if signal.width == 1 {
            return signal;
        }
        let message = format!("{what} takes 1 bit, `{}` has {}", self.show(signal), signal.width);
        self.problem(ProblemKind::WidthMismatch, message, &[self.source_of(signal)]);
        self.lit(1, 0)
    }

    fn source_of(&self, signal: Signal<'_>) -> Source {
        self.state.borrow().def.expr(signal.id).source
    }

    /// A short name for messages.
    fn show(&self, signal: Signal<'_>) -> String {
        let state = self.state.borrow();
        match &state.def.expr(signal.id).op {
            Op::Net(net) => state.def.net(*net).name.clone(),
            Op::Const(bits) => bits.to_string(),
            Op::Slice { value, lo } => match state.def.expr(*value).op {
                Op::Net(net) => format!("{}[{}:{lo}]", state.def.net(net).name, lo + signal.width - 1),
                _ => "slice".into(),
            },
            _ => "expression".into(),
        }
    }

    /// Calls `width` bits of `word` from bit `low` on a field of this name: the exported Verilog shows it. Fields may overlap; bits are of the
    /// smallest field that has them.
    #[track_caller]
    pub fn name_field(&self, word: Signal<'_>, name: &'static str, low: u32, width: u32) {
        let word = self.own(word);
        let inside = low.checked_add(width).is_some_and(|end| width > 0 && end <= word.width);
        self.check_identifier(name);
        if !inside {
            let message = format!("the field `{name}` is {width} bits from bit {low} on, the word has {}", word.width);
            return self.problem(ProblemKind::WidthMismatch, message, &[]);
        }
        self.note_layout(word, low, vec![Field { name, width, values: None, about: "" }]);
    }

    /// Calls values of `word`, a net or bits of one, by names. The exported Verilog has them (`STATE_IDLE`) where it compares the word with
    /// such a value or assigns it; waveforms show them.
    #[track_caller]
    pub fn name_values(&self, word: Signal<'_>, values: Values) {
        let word = self.own(word);
        self.check_identifier(values.kind);
        for (name, value) in values.names {
            self.check_identifier(name);
            self.check_fits(word.width, *value);
        }
        if let Some((net, lo)) = self.bits_of_net(word) {
            let names = ValueNames { net, lo, width: word.width, values };
            let all = &mut self.state.borrow_mut().def.values;
            if !all.contains(&names) {
                all.push(names);
            }
        }
    }

    /// Notes what the bits of `word` are, the last field from bit `low` on; of a word that is no net, or bits of one, nothing.
    pub(super) fn note_layout(&self, word: Signal<'_>, low: u32, fields: Vec<Field>) {
        if let Some((net, lo)) = self.bits_of_net(word) {
            let layouts = &mut self.state.borrow_mut().def.layouts;
            let layout = Layout { net, lo: lo + low, fields };
            if !layouts.contains(&layout) {
                layouts.push(layout);
            }
        }
    }

    /// The net that a word is, or is bits of, and its first bit there.
    fn bits_of_net(&self, word: Signal<'_>) -> Option<(NetId, u32)> {
        let def = &self.state.borrow().def;
        let (mut expr, mut first) = (word.id, 0);
        loop {
            match def.expr(expr).op {
                Op::Net(net) => return Some((net, first)),
                Op::Slice { value, lo } => (expr, first) = (value, first + lo),
                _ => return None,
            }
        }
    }

    pub(super) fn add_group(&self, group: PortGroup) {
        self.state.borrow_mut().def.groups.push(group);
    }

    // -- recording -----------------------------------------------------------------------------------------------------

    fn record(&self, statement: Stmt) {
        let mut state = self.state.borrow_mut();
        state.blocks.last_mut().expect("the module body is never popped").push(statement);
    }

    /// Runs `body` with its statements recorded apart, under `condition`.
    fn nested(&self, condition: Signal<'_>, body: impl FnOnce()) -> Vec<Stmt> {
        self.enter(condition);
        body();
        self.leave()
    }

    // Apart from `nested`, which is compiled for every body.
    fn enter(&self, condition: Signal<'_>) {
        let mut state = self.state.borrow_mut();
        state.blocks.push(vec![]);
        state.conditions.push(condition.id);
    }

    fn leave(&self) -> Vec<Stmt> {
        let mut state = self.state.borrow_mut();
        state.conditions.pop();
        state.blocks.pop().expect("pushed by `enter`")
    }

    /// `signal` and all conditions around the present statement.
    #[track_caller]
    fn under_conditions<'m>(&'m self, signal: Signal<'m>) -> Signal<'m> {
        let conditions = self.state.borrow().conditions.clone();
        conditions.into_iter().fold(signal, |all, id| {
            let one = matches!(&self.state.borrow().def.expr(all.id).op, Op::Const(b) if !b.is_zero());
            let condition = Signal { builder: self, id, width: 1 };
            if one { condition } else { condition & all }
        })
    }

    #[track_caller]
    fn check_identifier(&self, name: &str) {
        let legal = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !legal {
            self.problem(ProblemKind::Name, format!("`{name}` is not an identifier (letters, digits, _)"), &[]);
        }
    }

    #[track_caller]
    fn claim_name(&self, name: &str) {
        let here = Source::here();
        self.check_identifier(name);
        let earlier = self.state.borrow_mut().names.insert(name.to_string(), here);
        if let Some(earlier) = earlier {
            self.problem(ProblemKind::Name, format!("the name `{name}` is used twice"), &[earlier]);
        }
    }

    #[track_caller]
    fn declare(&self, name: &str, width: u32, kind: NetKind) -> NetId {
        self.claim_name(name);
        if width == 0 {
            self.problem(ProblemKind::Illegal, format!("`{name}` has no bits"), &[]);
        }
        let mut state = self.state.borrow_mut();
        let register = matches!(kind, NetKind::Register { .. });
        state.def.stateful |= register;
        let domain = if register { state.domain } else { DomainId::DEFAULT };
        state.def.nets.push(Net {
            name: name.into(),
            width: width.max(1),
            kind,
            domain,
            about: "",
            source: Source::here(),
        });
        NetId(state.def.nets.len() as u32 - 1)
    }

    #[track_caller]
    fn read(&self, net: NetId) -> Signal<'_> {
        let width = self.state.borrow().def.net(net).width;
        self.expr(Op::Net(net), width)
    }

    /// The net bits that a signal stands for, when it can be a target.
    fn place(&self, signal: Signal<'_>) -> Option<Target> {
        if !std::ptr::eq(signal.builder, self) {
            return None;
        }
        let state = self.state.borrow();
        match state.def.expr(signal.id).op {
            Op::Net(net) => Some(Target { net, lo: 0, width: signal.width }),
            Op::Slice { value, lo } => match state.def.expr(value).op {
                Op::Net(net) => Some(Target { net, lo, width: signal.width }),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A definition without content.
fn hollow(name: String) -> ModuleDef {
    ModuleDef {
        name,
        kind: String::new(),
        params: Parameters::default(),
        doc: String::new(),
        nets: vec![],
        inputs: vec![],
        outputs: vec![],
        exprs: vec![],
        memories: vec![],
        instances: vec![],
        body: vec![],
        drivers: vec![],
        writes: vec![],
        probes: vec![],
        taps: vec![],
        assertions: vec![],
        intrinsic: None,
        equal: None,
        domains: vec![Domain { name: "clock".into(), used: false, source: Source { file: "implicit port", line: 0 } }],
        synchronisers: vec![],
        groups: vec![],
        layouts: vec![],
        values: vec![],
        problems: vec![],
        stateful: false,
        digest: 0,
    }
}
