//! Clock domains: nothing of one reaches another but through a crossing.
//!
//! Everything that is sampled at a clock edge (the next value of a register, a memory write, a probe, an assertion) may
//! depend on registers and memories of its own domain alone. There are two exceptions, both said in the description:
//! the first register of a synchroniser samples registers of another domain, straight, with no logic between (a glitch
//! could be sampled); and a crossing memory may be read anywhere. At the top, an input belongs to the one domain that
//! samples it, and an output to one domain.
//!
//! For its parent a module is summed up as [`Clocking`]: which of its domains every output shows and every input is
//! sampled by. It is made only for modules below one that uses several domains: a design with one clock costs nothing
//! here.

use super::Elaborated;
use hdl::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Something that belongs to a domain: its path from the module at hand, and its place in the source of that module (for
/// something inside a child: the place of the child).
#[derive(Clone, Debug)]
struct Witness {
    path: String,
    source: Source,
}

/// Domains with an example of each.
type Domains = BTreeMap<DomainId, Witness>;

/// What a parent needs to know about a module; domains are the module's own.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocking {
    /// Per output: the domains whose state it shows.
    outputs: Vec<Domains>,
    /// Per input: the domains that sample it.
    inputs: Vec<Domains>,
    /// Per input: a synchroniser that samples it.
    synchronised: Vec<Option<Witness>>,
}

/// What a value depends on within a cycle.
#[derive(Clone, Debug, Default)]
struct Reach {
    domains: Domains,
    /// Positions in the module's inputs.
    inputs: BTreeSet<usize>,
}

impl Reach {
    fn join(&mut self, other: &Reach) {
        for (&domain, witness) in &other.domains {
            self.domains.entry(domain).or_insert_with(|| witness.clone());
        }
        self.inputs.extend(&other.inputs);
    }
}

/// Sums up modules, each once.
#[derive(Default)]
pub(super) struct Clocks {
    done: FxHashMap<usize, Clocking>,
}

impl Clocks {
    /// The mistakes of a module that uses several domains; `about` tells about its children.
    pub fn check<'a>(
        &mut self,
        module: &'a Module,
        top: bool,
        about: &impl Fn(&Module) -> &'a Elaborated,
    ) -> Vec<Problem> {
        let mut problems = unbound(module);
        if !problems.is_empty() || !module.crosses_clocks() {
            return problems;
        }
        self.sum_up(module, about, &mut problems);
        problems.dedup(); // the several values of one memory port
        if top {
            self.check_ports(module, about, &mut problems);
        }
        problems
    }

    fn sum_up<'a>(
        &mut self,
        module: &'a ModuleDef,
        about: &impl Fn(&Module) -> &'a Elaborated,
        problems: &mut Vec<Problem>,
    ) -> Clocking {
        for child in &module.instances {
            if !self.done.contains_key(&child.module.key()) {
                // The child's own mistakes are found where it is checked itself.
                let clocking = self.sum_up(&about(&child.module).module, about, &mut vec![]);
                self.done.insert(child.module.key(), clocking);
            }
        }
        let mut search = CrossingSearch { module, about, children: &self.done, known: vec![None; module.nets.len()] };
        let mut clocking = Clocking {
            outputs: vec![],
            inputs: vec![Domains::new(); module.inputs.len()],
            synchronised: vec![None; module.inputs.len()],
        };
        for sink in search.sinks() {
            search.judge(&sink, &mut clocking, problems);
        }
        clocking.outputs = module.outputs.iter().map(|&output| search.net(output).domains).collect();
        clocking
    }

    /// The ports of the top: one domain each.
    fn check_ports<'a>(
        &mut self,
        module: &'a ModuleDef,
        about: &impl Fn(&Module) -> &'a Elaborated,
        problems: &mut Vec<Problem>,
    ) {
        let clocking = self.sum_up(module, about, &mut vec![]);
        let mut report = |port: &Net, verb: &str, domains: &Domains| {
            if domains.len() < 2 {
                return;
            }
            let all: Vec<_> =
                domains.iter().map(|(&d, w)| format!("`{}` (`{}`)", module.domain(d).name, w.path)).collect();
            problems.push(Problem {
                kind: ProblemKind::ClockCrossing,
                message: format!("`{}` {verb} several clock domains: {}", port.name, all.join(", ")),
                sources: std::iter::once(port.source).chain(domains.values().map(|w| w.source)).collect(),
            });
        };
        for (&input, domains) in module.inputs.iter().zip(&clocking.inputs) {
            report(module.net(input), "is read by", domains);
        }
        let mut search = CrossingSearch { module, about, children: &self.done, known: vec![None; module.nets.len()] };
        for &output in &module.outputs {
            let Reach { mut domains, inputs } = search.net(output);
            for input in inputs {
                for &domain in clocking.inputs[input].keys() {
                    let net = module.net(module.inputs[input]);
                    let witness = Witness { path: net.name.clone(), source: net.source };
                    domains.entry(domain).or_insert(witness);
                }
            }
            report(module.net(output), "shows", &domains);
        }
    }
}

/// Domains of children that nobody has given a clock.
fn unbound(module: &ModuleDef) -> Vec<Problem> {
    let mut problems = vec![];
    for child in &module.instances {
        for (inner, outer) in child.module.domains.iter().zip(&child.domains) {
            if inner.used && outer.is_none() {
                problems.push(Problem {
                    kind: ProblemKind::Undriven,
                    message: format!("clock domain `{}` of instance `{}` has no clock", inner.name, child.name),
                    sources: vec![child.source, inner.source],
                });
            }
        }
    }
    problems
}

/// A place where a value is sampled.
struct SamplingSite {
    value: ExprId,
    domain: DomainId,
    /// As in messages.
    name: String,
    witness: Witness,
    synchroniser: bool,
}

struct CrossingSearch<'a, 'c, F> {
    module: &'a ModuleDef,
    about: &'c F,
    children: &'c FxHashMap<usize, Clocking>,
    /// Per net, as far as it was asked for.
    known: Vec<Option<Reach>>,
}

impl<'a, F: Fn(&Module) -> &'a Elaborated> CrossingSearch<'a, '_, F> {
    fn sinks(&self) -> Vec<SamplingSite> {
        let module = self.module;
        let mut sinks = vec![];
        for id in module.registers() {
            let net = module.net(id);
            let synchroniser = module.synchronisers.iter().any(|registers| registers.first() == Some(&id));
            let kind = if synchroniser { "synchroniser" } else { "register" };
            sinks.extend(module.drivers[id.index()].map(|value| SamplingSite {
                value,
                domain: net.domain,
                name: format!("{kind} `{}`", net.name),
                witness: Witness { path: net.name.clone(), source: net.source },
                synchroniser,
            }));
        }
        let mut add = |value: ExprId, domain, name: String, path: &str, source| {
            let witness = Witness { path: path.into(), source };
            sinks.push(SamplingSite { value, domain, name, witness, synchroniser: false });
        };
        for port in &module.writes {
            let memory = &module.memories[port.memory.index()];
            for value in [port.enable, port.address, port.data].into_iter().chain(port.mask) {
                add(value, memory.domain, format!("memory `{}`", memory.name), &memory.name, port.source);
            }
        }
        for probe in &module.probes {
            for value in std::iter::once(probe.enable).chain(probe.value) {
                let source = module.expr(value).source;
                add(value, probe.domain, format!("probe `{}`", probe.name), &probe.name, source);
            }
        }
        for assertion in &module.assertions {
            let name = format!("assertion `{}`", assertion.message);
            add(assertion.condition, assertion.domain, name, &assertion.message, assertion.source);
        }
        for child in &module.instances {
            self.child_sinks(child, &mut sinks);
        }
        sinks
    }

    fn child_sinks(&self, child: &Instance, sinks: &mut Vec<SamplingSite>) {
        let clocking = &self.children[&child.module.key()];
        for (i, value) in child.inputs.iter().enumerate() {
            let Some(value) = *value else { continue };
            let port = &child.module.net(child.module.inputs[i]).name;
            let sink = |domain: Option<DomainId>, witness: &Witness, synchroniser| {
                let witness = Witness { path: format!("{}.{}", child.name, witness.path), source: child.source };
                let kind = if synchroniser { "synchroniser " } else { "" };
                let name = format!("{kind}`{}` through input `{port}`", witness.path);
                domain.map(|domain| SamplingSite { value, domain, name, witness, synchroniser })
            };
            let sampled = clocking.inputs[i].iter();
            sinks.extend(sampled.filter_map(|(d, witness)| sink(child.domains[d.index()], witness, false)));
            let synchronised = clocking.synchronised[i].as_ref();
            sinks.extend(synchronised.and_then(|witness| sink(Some(DomainId::DEFAULT), witness, true)));
        }
    }

    /// Checks what a sink depends on, and notes the inputs among it.
    fn judge(&mut self, sink: &SamplingSite, clocking: &mut Clocking, problems: &mut Vec<Problem>) {
        let reach = self.value(sink.value);
        if sink.synchroniser {
            problems.extend(self.judge_synchroniser(sink, &reach));
            for &input in &reach.inputs {
                clocking.synchronised[input].get_or_insert_with(|| sink.witness.clone());
            }
            return;
        }
        for &input in &reach.inputs {
            clocking.inputs[input].entry(sink.domain).or_insert_with(|| sink.witness.clone());
        }
        for (&domain, witness) in reach.domains.iter().filter(|(domain, _)| **domain != sink.domain) {
            let name = |id| &self.module.domain(id).name;
            problems.push(Problem {
                kind: ProblemKind::ClockCrossing,
                message: format!(
                    "{} in clock domain `{}` reads `{}` of clock domain `{}` without a crossing",
                    sink.name,
                    name(sink.domain),
                    witness.path,
                    name(domain)
                ),
                sources: vec![sink.witness.source, witness.source],
            });
        }
    }

    fn judge_synchroniser(&self, sink: &SamplingSite, reach: &Reach) -> Option<Problem> {
        let problem = |message, mut others: Vec<Source>| {
            others.insert(0, sink.witness.source);
            Some(Problem { kind: ProblemKind::ClockCrossing, message, sources: others })
        };
        if reach.domains.len() > 1 {
            let paths: Vec<_> = reach.domains.values().map(|w| format!("`{}`", w.path)).collect();
            let message = format!("{} samples several clock domains: {}", sink.name, paths.join(", "));
            return problem(message, reach.domains.values().map(|w| w.source).collect());
        }
        if !self.is_straight(sink.value) {
            let message = format!(
                "{} samples logic, whose glitches it could catch: a register of the sending domain must be before it",
                sink.name
            );
            return problem(message, vec![self.module.expr(sink.value).source]);
        }
        None
    }

    /// Made of register bits and inputs alone.
    fn is_straight(&self, value: ExprId) -> bool {
        match &self.module.expr(value).op {
            Op::Const(_) => true,
            Op::Slice { value, .. } | Op::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, value) => {
                self.is_straight(*value)
            }
            Op::Concat(parts) => parts.iter().all(|&part| self.is_straight(part)),
            Op::Net(net) => match &self.module.net(*net).kind {
                NetKind::Register { .. } | NetKind::Input => true,
                NetKind::InstanceOutput { instance, output } => {
                    let child = &self.module.instances[instance.index()].module;
                    (self.about)(child).registered[*output as usize]
                }
                NetKind::Wire | NetKind::Output => {
                    self.module.drivers[net.index()].is_some_and(|driver| self.is_straight(driver))
                }
            },
            _ => false,
        }
    }

    fn value(&mut self, root: ExprId) -> Reach {
        let module = self.module;
        let mut reach = Reach::default();
        let mut seen = FxHashSet::from_iter([root]);
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let op = &module.expr(id).op;
            match op {
                Op::Net(net) => reach.join(&self.net(*net)),
                Op::MemRead { memory, .. } => {
                    let memory = &module.memories[memory.index()];
                    if !memory.crossing {
                        let witness = || Witness { path: memory.name.clone(), source: memory.source };
                        reach.domains.entry(memory.domain).or_insert_with(witness);
                    }
                }
                _ => {}
            }
            op.for_each_operand(|operand| {
                if seen.insert(operand) {
                    todo.push(operand);
                }
            });
        }
        reach
    }

    fn net(&mut self, id: NetId) -> Reach {
        if let Some(known) = &self.known[id.index()] {
            return known.clone();
        }
        self.known[id.index()] = Some(Reach::default()); // around a loop, which is a mistake of its own
        let module = self.module;
        let net = module.net(id);
        let mut reach = Reach::default();
        match &net.kind {
            NetKind::Register { .. } => {
                reach.domains.insert(net.domain, Witness { path: net.name.clone(), source: net.source });
            }
            NetKind::Input => reach.inputs.extend(module.inputs.iter().position(|&i| i == id)),
            NetKind::Wire | NetKind::Output => {
                if let Some(driver) = module.drivers[id.index()] {
                    reach = self.value(driver);
                }
            }
            NetKind::InstanceOutput { instance, output } => {
                let child = &module.instances[instance.index()];
                for (domain, witness) in &self.children[&child.module.key()].outputs[*output as usize] {
                    let path = format!("{}.{}", child.name, witness.path);
                    let witness = Witness { path, source: child.source };
                    reach.domains.extend(child.domains[domain.index()].map(|outer| (outer, witness)));
                }
                for &input in &(self.about)(&child.module).dependencies.through[*output as usize] {
                    if let Some(value) = child.inputs[input] {
                        let inner = self.value(value);
                        reach.join(&inner);
                    }
                }
            }
        }
        self.known[id.index()] = Some(reach.clone());
        reach
    }
}
