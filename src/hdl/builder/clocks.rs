//! Clock domains of the block under construction, and the two ways across: synchronisers and crossing memories.

use super::{Builder, BuilderState, Child, Memory};
use crate::{bits::Bits, def::*, ids::DomainId, names::PortName, signal::Signal, source::Source};

/// Domains that one module may have.
const LIMIT: usize = 32;

/// A clock domain of the block under construction.
#[derive(Clone, Copy)]
pub struct ClockDomain<'m> {
    pub(super) builder: &'m Builder,
    pub(super) id: DomainId,
}

impl<'m> ClockDomain<'m> {
    /// True when `other` is the same clock of the same block.
    pub fn same(self, other: ClockDomain<'m>) -> bool {
        std::ptr::eq(self.builder, other.builder) && self.id == other.id
    }

    /// The block that it belongs to.
    pub fn builder(self) -> &'m Builder {
        self.builder
    }
}

impl Builder {
    /// The domain of what is recorded now: the default one, outside of [`in_domain`](Self::in_domain).
    pub fn clock(&self) -> ClockDomain<'_> {
        ClockDomain { builder: self, id: self.state.borrow().domain }
    }

    /// Declares a clock domain in addition to the default one; the block then has the ports `clock_<name>` and `reset_<name>` too. Its
    /// parent says which clock that is, see [`Child::clocked`]; for the top, whoever simulates it does.
    #[track_caller]
    pub fn domain(&self, name: &str) -> ClockDomain<'_> {
        let (known, count) = {
            let domains = &self.state.borrow().def.domains;
            (domains.iter().position(|d| d.name == name).map(|i| (i, domains[i].source)), domains.len())
        };
        if let Some((earlier, source)) = known {
            self.problem(ProblemKind::Name, format!("there is a clock domain `{name}` already"), &[source]);
            return ClockDomain { builder: self, id: DomainId(earlier as u32) };
        }
        if count >= LIMIT {
            self.problem(ProblemKind::Illegal, format!("a hardware block has at most {LIMIT} clock domains"), &[]);
            return self.clock();
        }
        for port in ["clock", "reset"] {
            self.claim_name(&format!("{port}_{name}"));
        }
        let domain = Domain { name: name.into(), used: false, source: Source::here() };
        let domains = &mut self.state.borrow_mut().def.domains;
        domains.push(domain);
        ClockDomain { builder: self, id: DomainId(domains.len() as u32 - 1) }
    }

    /// Records `body` in `domain`: registers, memories, children, probes and assertions described in it belong to that clock.
    #[track_caller]
    pub fn in_domain<'m, T>(&'m self, domain: ClockDomain<'m>, body: impl FnOnce() -> T) -> T {
        let domain = self.own_domain(domain);
        let before = std::mem::replace(&mut self.state.borrow_mut().domain, domain);
        let out = body();
        self.state.borrow_mut().domain = before;
        out
    }

    /// [`instance`](Self::instance) in another domain.
    #[track_caller]
    pub fn instance_in<'m>(&'m self, domain: ClockDomain<'m>, name: impl PortName, module: &Module) -> Child<'m> {
        let child = self.instance(name, module);
        self.bind(child, DomainId::DEFAULT.index(), domain);
        child
    }

    /// [`tile`](Self::tile) in another domain.
    #[track_caller]
    pub fn tile_in<'m>(&'m self, domain: ClockDomain<'m>, name: impl PortName, module: &Module) -> Child<'m> {
        let child = self.tile(name, module);
        self.bind(child, DomainId::DEFAULT.index(), domain);
        child
    }

    /// A synchroniser: `value`, which comes from another domain, through `stages` registers of the present one (at least two;
    /// what the last one holds is returned, and is called `name`; all are reset to zero).
    ///
    /// `value` has to be made of registers of one domain alone, which elaboration checks. Where it has several bits, the block has
    /// to see to it that at most one of them changes at a time (Gray code), or the receiver may see a mixture.
    #[track_caller]
    pub fn synchronise<'m>(&'m self, name: impl PortName, value: Signal<'m>, stages: u32) -> Signal<'m> {
        let name = name.text();
        if stages < 2 {
            let message = format!("synchroniser `{name}` has {stages} stages: at least 2 are needed");
            self.problem(ProblemKind::Illegal, message, &[]);
        }
        let mut value = self.own(value);
        self.comment(&format!("Synchroniser: {name} comes from another clock domain."));
        let mut registers = vec![];
        for stage in 1..stages.max(2) {
            let register = self.register_bits(format!("{name}_stage{stage}"), Bits::zero(value.width));
            self.set(register, value);
            registers.extend(self.place(register));
            value = register;
        }
        let last = self.delayed(&name, value);
        registers.extend(self.place(last));
        let registers = registers.into_iter().map(|place| place.net).collect();
        self.state.borrow_mut().def.synchronisers.push(registers);
        last
    }

    /// A memory that is written in the present domain and may be read in others, where the block sees to it that a word does not
    /// change while another domain reads it: for the words of a crossing queue.
    #[track_caller]
    pub fn crossing_memory(&self, name: &str, depth: usize, width: u32) -> Memory<'_> {
        self.add_memory(name, depth, width, true)
    }

    /// The domain if it belongs to this block, else a problem and the default one.
    #[track_caller]
    fn own_domain(&self, domain: ClockDomain<'_>) -> DomainId {
        if std::ptr::eq(domain.builder, self) {
            return domain.id;
        }
        self.problem(ProblemKind::Illegal, "a clock domain of another module is used here".into(), &[]);
        DomainId::DEFAULT
    }

    #[track_caller]
    fn bind(&self, child: Child<'_>, domain: usize, to: ClockDomain<'_>) {
        let to = self.own_domain(to);
        self.state.borrow_mut().def.instances[child.id.index()].domains[domain] = Some(to);
    }
}

impl<'m> Child<'m> {
    /// Says which clock the child's domain `name` (as the child declares it; `clock`: its default one) is.
    #[track_caller]
    pub fn clocked(self, name: &str, domain: ClockDomain<'m>) {
        let m = self.builder;
        let (module, bound) = {
            let state = m.state.borrow();
            let instance = &state.def.instances[self.id.index()];
            (instance.module.clone(), instance.domains.clone())
        };
        let names = || module.domains.iter().map(|d| d.name.as_str()).collect::<Vec<_>>().join(", ");
        match module.domains.iter().position(|d| d.name == name) {
            None => {
                let message = format!("`{}` has no clock domain `{name}`; it has {}", module.name, names());
                m.problem(ProblemKind::Name, message, &[]);
            }
            Some(at) if at != DomainId::DEFAULT.index() && bound[at].is_some() => {
                let message = format!("clock domain `{name}` of the child is connected twice");
                m.problem(ProblemKind::MultiplyDriven, message, &[]);
            }
            Some(at) => m.bind(self, at, domain),
        }
    }
}

impl BuilderState {
    /// Notes which domains something is clocked by.
    pub(super) fn mark_used_domains(&mut self) {
        let def = &mut self.def;
        let registers = def.nets.iter().filter(|n| matches!(n.kind, NetKind::Register { .. })).map(|n| n.domain);
        let mut used: Vec<DomainId> = registers.collect();
        used.extend(def.memories.iter().map(|m| m.domain));
        used.extend(def.probes.iter().map(|p| p.domain));
        used.extend(def.assertions.iter().map(|a| a.domain));
        for instance in &def.instances {
            let bound = instance.domains.iter().zip(&instance.module.domains);
            used.extend(bound.filter(|(_, inner)| inner.used).filter_map(|(outer, _)| *outer));
        }
        used.into_iter().for_each(|id| def.domains[id.index()].used = true);
    }
}
