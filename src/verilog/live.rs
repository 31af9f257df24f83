//! What of a module is exported: what an output or a child depends on, and what only assertions look at.
//!
//! Walks the recorded statements once and notes, per assigned net and per memory write, the expressions that its
//! printed statements read: the value and every condition around it. From the outputs and the inputs of children
//! backwards this gives the live nets and memories. A second round from the assertions gives those that exist only
//! under `WARPMESH_ASSERT`. The rest (read by probes alone, or by nobody) is not exported.

use super::terms::{Term, TermId, Terms};
use hdl::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// When something exists in the exported text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Need {
    Never,
    /// Only where the macro `WARPMESH_ASSERT` is defined.
    Assertions,
    Always,
}

/// When the ports of a clock domain exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockNeed {
    pub(super) clock: Need,
    pub(super) reset: Need,
}

/// Liveness of one module.
pub(super) struct Live {
    pub(super) nets: Vec<Need>,
    pub(super) memories: Vec<Need>,
    /// Per memory: an assertion reads a word at an address at which nothing else reads.
    pub(super) asserted_words: Vec<bool>,
    /// Per clock domain.
    pub(super) clocks: Vec<ClockNeed>,
}

/// What the statements of a target read.
#[derive(Default)]
struct Readers {
    of_net: FxHashMap<NetId, Vec<ExprId>>,
    of_memory: FxHashMap<MemId, Vec<ExprId>>,
}

impl Readers {
    fn walk(&mut self, module: &ModuleDef, statements: &[Stmt], around: &mut Vec<ExprId>) {
        for statement in statements {
            match statement {
                Stmt::Assign { target, value, .. } => {
                    let reads = self.of_net.entry(target.net).or_default();
                    reads.extend(around.iter().copied().chain([*value]));
                }
                Stmt::Write { port } => {
                    let port = &module.writes[*port];
                    let own = [Some(port.enable), Some(port.address), Some(port.data), port.mask];
                    let reads = self.of_memory.entry(port.memory).or_default();
                    reads.extend(around.iter().copied().chain(own.into_iter().flatten()));
                }
                Stmt::When { condition, then, otherwise } => {
                    around.push(*condition);
                    self.walk(module, then, around);
                    self.walk(module, otherwise, around);
                    around.pop();
                }
                Stmt::Switch { value, cases, default } => {
                    around.push(*value);
                    cases.iter().for_each(|(_, body)| self.walk(module, body, around));
                    self.walk(module, default, around);
                    around.pop();
                }
                Stmt::Comment(_) => {}
            }
        }
    }
}

/// Liveness of `module`; `child(i)` tells which clocks and resets instance `i` needs.
pub(super) fn live(module: &ModuleDef, terms: &mut Terms<'_>, child: impl Fn(&Instance) -> Vec<ClockNeed>) -> Live {
    let mut readers = Readers::default();
    readers.walk(module, &module.body, &mut vec![]);
    let mut found = Live {
        nets: vec![Need::Never; module.nets.len()],
        memories: vec![Need::Never; module.memories.len()],
        asserted_words: vec![false; module.memories.len()],
        clocks: vec![ClockNeed { clock: Need::Never, reset: Need::Never }; module.domains.len()],
    };
    let mut search = LiveSearch { terms, readers: &readers, seen: FxHashSet::default(), todo: vec![] };
    module.outputs.iter().for_each(|&output| search.net(&mut found, output, Need::Always));
    search.read(module.instances.iter().flat_map(|i| i.inputs.iter().flatten()));
    search.run(&mut found, Need::Always);
    search.read(module.assertions.iter().map(|a| &a.condition));
    search.run(&mut found, Need::Assertions);
    module.inputs.iter().for_each(|input| found.nets[input.index()] = Need::Always);

    found.clocks = clocks(module, &found, child);
    found
}

fn clocks(module: &ModuleDef, found: &Live, child: impl Fn(&Instance) -> Vec<ClockNeed>) -> Vec<ClockNeed> {
    let mut clocks = found.clocks.clone();
    let mut needs = |domain: DomainId, clock: Need, reset: Need| {
        let at = &mut clocks[domain.index()];
        (at.clock, at.reset) = (at.clock.max(clock), at.reset.max(reset));
    };
    for id in module.registers() {
        let (net, need) = (module.net(id), found.nets[id.index()]);
        let has_reset = matches!(net.kind, NetKind::Register { reset: Some(_) });
        needs(net.domain, need, if has_reset { need } else { Need::Never });
    }
    for port in &module.writes {
        needs(module.memories[port.memory.index()].domain, found.memories[port.memory.index()], Need::Never);
    }
    for claim in &module.assertions {
        needs(claim.domain, Need::Assertions, Need::Assertions);
    }
    for instance in &module.instances {
        for (outer, inner) in instance.domains.iter().zip(child(instance)) {
            if let Some(outer) = *outer {
                needs(outer, inner.clock, inner.reset);
            }
        }
    }
    clocks
}

struct LiveSearch<'a, 'm> {
    terms: &'a mut Terms<'m>,
    readers: &'a Readers,
    seen: FxHashSet<TermId>,
    todo: Vec<TermId>,
}

impl LiveSearch<'_, '_> {
    fn read<'e>(&mut self, expressions: impl IntoIterator<Item = &'e ExprId>) {
        for &expression in expressions {
            let term = self.terms.of(expression);
            self.todo.push(term);
        }
    }

    fn net(&mut self, found: &mut Live, net: NetId, need: Need) {
        if found.nets[net.index()] == Need::Never {
            found.nets[net.index()] = need;
            let readers = self.readers;
            self.read(readers.of_net.get(&net).into_iter().flatten());
        }
    }

    fn run(&mut self, found: &mut Live, need: Need) {
        while let Some(id) = self.todo.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            match *self.terms.term(id) {
                Term::Net(net) => self.net(found, net, need),
                Term::Word { memory, .. } => {
                    found.asserted_words[memory.index()] |= need == Need::Assertions;
                    if found.memories[memory.index()] == Need::Never {
                        found.memories[memory.index()] = need;
                        let readers = self.readers;
                        self.read(readers.of_memory.get(&memory).into_iter().flatten());
                    }
                }
                _ => {}
            }
            let todo = &mut self.todo;
            self.terms.term(id).for_each_operand(|operand| todo.push(operand));
        }
    }
}
