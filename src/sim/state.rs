//! The state of a design and what happens to it at a clock edge, the same for both engines.
//!
//! An engine reads `registers` and `storage`, and writes `next` (every register), wires, pending memory writes and what
//! probes see. The edge then counts statistics, executes the pending writes, and `registers` and `next` change places.
//! [`State::commit`] visits all ports and probes for that; engines that know where something is to be done go there
//! only.

use super::{
    bigint::mask64,
    clocks::Edges,
    layout::{Bases, Counters, Layout, ProbeSlots},
};
use hdl::*;
use netlist::{Design, Elaborated};
use std::{collections::BTreeMap, ops::Range};

/// One instance of the flattened hierarchy. Index 0 is the top.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Instance name; the top's kind for the top.
    pub name: String,
    /// Position in [`Design::modules`].
    pub module: usize,
    /// Enclosing instance and position in its `instances`; `None` for the top.
    pub parent: Option<(usize, usize)>,
    /// Scopes of the children, in order.
    pub children: Vec<usize>,
    /// Absolute places.
    pub bases: Bases,
    /// Per clock domain of the module: the domain of the top that it is.
    pub domains: Vec<u32>,
}

/// All instances, parents before children.
pub(crate) fn scopes(design: &Design, layouts: &[Layout]) -> Vec<Scope> {
    let top = design.index_of(&design.top);
    let mut scopes = vec![Scope {
        name: design.top.kind.clone(),
        module: top,
        parent: None,
        children: vec![],
        bases: Bases::default(),
        domains: (0..design.top.domains.len() as u32).collect(),
    }];
    let mut at = 0;
    while at < scopes.len() {
        let (module, bases) = (scopes[at].module, scopes[at].bases);
        for (i, instance) in design.modules[module].module.instances.iter().enumerate() {
            let child = scopes.len();
            let domains = instance.outer_domains(&scopes[at].domains);
            scopes[at].children.push(child);
            scopes.push(Scope {
                name: instance.name.clone(),
                module: design.index_of(&instance.module),
                parent: Some((at, i)),
                children: vec![],
                bases: bases.then(layouts[module].children[i]),
                domains,
            });
        }
        at += 1;
    }
    scopes
}

/// Path of a scope, without the top's name: `tile.router`; empty for the top.
pub(crate) fn path_of(scopes: &[Scope], scope: usize) -> String {
    let mut names = vec![];
    let mut at = scope;
    while let Some((parent, _)) = scopes[at].parent {
        names.push(scopes[at].name.as_str());
        at = parent;
    }
    names.reverse();
    names.join(".")
}

/// The intrinsic that may stand in for a block. All outputs must depend on the same inputs: then calling it as one step
/// cannot close a loop that the block itself does not close.
pub(crate) fn usable_intrinsic(about: &Elaborated) -> Option<Intrinsic> {
    let through = &about.dependencies.through;
    about.module.intrinsic.filter(|_| !about.module.stateful && through.windows(2).all(|pair| pair[0] == pair[1]))
}

/// A memory write port, relative to its instance, in words.
#[derive(Clone, Debug)]
pub(crate) struct WritePort {
    pub enable: usize,
    address: Range<usize>,
    data: usize,
    /// Words of the mask and bits of the word that each mask bit enables.
    mask: Option<(usize, u32)>,
    memory: usize,
    depth: usize,
    words: usize,
    width: u32,
}

/// The write ports of a module.
pub(crate) fn write_ports<'a>(module: &'a ModuleDef, layout: &'a Layout) -> impl Iterator<Item = WritePort> + 'a {
    module.writes.iter().zip(&layout.writes).map(|(port, slots)| {
        let memory = &module.memories[port.memory.index()];
        let address = slots.address as usize;
        WritePort {
            enable: slots.enable as usize,
            address: address..address + words_for(module.expr(port.address).width),
            data: slots.data as usize,
            mask: port.mask.zip(slots.mask).map(|(m, at)| (at as usize, memory.width / module.expr(m).width)),
            memory: layout.memories[port.memory.index()] as usize,
            depth: memory.depth,
            words: words_for(memory.width),
            width: memory.width,
        }
    })
}

/// A write port of an instance whose storage starts at `base`.
#[derive(Clone, Debug)]
struct WriteSite {
    base: usize,
    port: WritePort,
    /// Domain of the top.
    domain: u32,
}

/// A probe of an instance whose storage starts at `base`, and its table if it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeSite {
    base: usize,
    slots: ProbeSlots,
    pub table: Option<usize>,
    /// Domain of the top.
    pub domain: u32,
}

/// Per scope: position of its first probe in [`Sites::probes`].
pub(crate) fn first_probes(layouts: &[Layout], scopes: &[Scope]) -> Vec<usize> {
    let mut next = 0;
    let first = |scope: &Scope| {
        next += layouts[scope.module].probes.len();
        next - layouts[scope.module].probes.len()
    };
    scopes.iter().map(first).collect()
}

/// Registers of one domain of the top that lie side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    /// The instance of the top that they are in; `None`: they are the top's own.
    pub instance: Option<usize>,
    pub domain: u32,
    pub registers: Range<usize>,
}

/// What a clock edge has to visit.
#[derive(Debug)]
pub(crate) struct Sites {
    writes: Vec<WriteSite>,
    /// In the order of scopes and their probes.
    pub probes: Vec<ProbeSite>,
    tables: usize,
    /// Registers with a reset value.
    resets: Vec<(usize, Bits)>,
    /// All registers in order; empty where there is one clock.
    pub held: Vec<Held>,
    /// Parts of the storage that an evaluation does not compute anew: inputs of the top, counters, memories.
    kept: Vec<Range<usize>>,
}

impl Sites {
    pub fn new(design: &Design, layouts: &[Layout], scopes: &[Scope]) -> Self {
        let inputs = design.top.inputs.iter().map(|&net| {
            let at = layouts[scopes[0].module].places[net.index()].offset as usize;
            at..at + words_for(design.top.net(net).width)
        });
        let mut sites =
            Sites { writes: vec![], probes: vec![], tables: 0, resets: vec![], held: vec![], kept: inputs.collect() };
        for scope in scopes {
            let (module, layout) = (&design.modules[scope.module].module, &layouts[scope.module]);
            sites.add(module, layout, scope);
        }
        if design.top.crosses_clocks() {
            sites.held = held(design, layouts, scopes);
        }
        sites
    }

    fn add(&mut self, module: &ModuleDef, layout: &Layout, scope: &Scope) {
        let (bases, base) = (scope.bases, scope.bases.storage as usize);
        self.kept.push(base + layout.kept.start as usize..base + layout.kept.end as usize);
        for (about, port) in module.writes.iter().zip(write_ports(module, layout)) {
            let domain = scope.domains[module.memories[about.memory.index()].domain.index()];
            self.writes.push(WriteSite { base, port, domain });
        }
        for (probe, &slots) in module.probes.iter().zip(&layout.probes) {
            let table = matches!(slots.counters, Counters::Table).then_some(self.tables);
            self.tables += usize::from(table.is_some());
            let domain = scope.domains[probe.domain.index()];
            self.probes.push(ProbeSite { base, slots, table, domain });
        }
        for id in module.registers() {
            if let NetKind::Register { reset: Some(value) } = &module.net(id).kind {
                let at = (bases.registers + layout.places[id.index()].offset) as usize;
                self.resets.push((at, value.clone()));
            }
        }
    }

    /// Enables of memory write ports inside a region of the storage.
    pub fn enables_within(&self, region: Range<usize>) -> Vec<usize> {
        let enables = self.writes.iter().map(|site| site.base + site.port.enable);
        enables.filter(|enable| region.contains(enable)).collect()
    }

    /// Number of write ports.
    pub fn writes(&self) -> usize {
        self.writes.len()
    }

    /// Number of probes that count in tables.
    pub fn tables(&self) -> usize {
        self.tables
    }
}

/// All registers, sorted by place; the gaps between registers of one domain belong to it. Every child of the top has
/// its own.
fn held(design: &Design, layouts: &[Layout], scopes: &[Scope]) -> Vec<Held> {
    let mut all = vec![];
    // Per scope: the child of the top that it lies in.
    let mut inside: Vec<Option<usize>> = vec![];
    for scope in scopes {
        let instance = scope.parent.and_then(|(parent, child)| if parent == 0 { Some(child) } else { inside[parent] });
        inside.push(instance);
        let (module, layout) = (&design.modules[scope.module].module, &layouts[scope.module]);
        for id in module.registers() {
            let net = module.net(id);
            let at = (scope.bases.registers + layout.places[id.index()].offset) as usize;
            let domain = scope.domains[net.domain.index()];
            all.push(Held { instance, domain, registers: at..at + words_for(net.width) });
        }
    }
    all.sort_by_key(|held| held.registers.start);
    let mut joined: Vec<Held> = vec![];
    for held in all {
        match joined.last_mut() {
            Some(last) if last.instance == held.instance && last.domain == held.domain => {
                last.registers.end = held.registers.end;
            }
            _ => joined.push(held),
        }
    }
    joined
}

/// Values of everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub registers: Vec<u64>,
    pub next: Vec<u64>,
    pub storage: Vec<u64>,
    /// Histograms of wide values.
    pub tables: Vec<BTreeMap<u64, u64>>,
}

impl State {
    /// All zero, as at power-on.
    pub fn new(top: &Layout, sites: &Sites) -> Self {
        let registers = vec![0; top.registers as usize];
        Self {
            next: registers.clone(),
            registers,
            storage: vec![0; top.storage as usize],
            tables: vec![BTreeMap::new(); sites.tables()],
        }
    }

    /// No probe has counted anything.
    pub fn forget_statistics(&mut self, sites: &Sites) {
        sites.probes.iter().for_each(|site| site.forget(self));
    }

    /// The storage with zeros in place of what an evaluation computes anew: the same for all engines.
    pub fn kept(&self, sites: &Sites) -> Vec<u64> {
        let mut storage = vec![0; self.storage.len()];
        for range in &sites.kept {
            storage[range.clone()].copy_from_slice(&self.storage[range.clone()]);
        }
        storage
    }

    /// Next values of registers with reset become their reset values.
    pub fn apply_reset(&mut self, sites: &Sites) {
        for (at, value) in &sites.resets {
            self.next[*at..at + value.words().len()].copy_from_slice(value.words());
        }
    }

    /// Keeps these registers, as far as they are of domains without an edge.
    pub fn hold(&mut self, held: &[Held], edges: Edges) {
        for held in held.iter().filter(|held| !edges.has(held.domain as usize)) {
            self.keep(&held.registers);
        }
    }

    /// These registers have the same values after the clock edge as before.
    pub fn keep(&mut self, registers: &Range<usize>) {
        self.next[registers.clone()].copy_from_slice(&self.registers[registers.clone()]);
    }

    /// The clock edge of these domains; `counted`: statistics go on.
    pub fn commit(&mut self, sites: &Sites, edges: Edges, counted: bool) {
        if counted {
            let counting = sites.probes.iter().filter(|site| edges.has(site.domain as usize));
            counting.for_each(|site| site.count(self, 1));
        }
        self.hold(&sites.held, edges);
        for WriteSite { base, port, domain } in &sites.writes {
            if self.storage[base + port.enable] != 0 && edges.has(*domain as usize) {
                port.write(&mut self.storage[*base..]);
            }
        }
        std::mem::swap(&mut self.registers, &mut self.next);
    }
}

impl ProbeSite {
    /// Counts so many cycles like the last evaluated one.
    pub fn count(&self, state: &mut State, cycles: u64) {
        let State { storage, tables, .. } = state;
        let at = |slot: u32| self.base + slot as usize;
        if storage[at(self.slots.enable)] == 0 || cycles == 0 {
            return;
        }
        let value = self.slots.value.map_or(0, |value| storage[at(value)]);
        let mut add = |slot: u32, amount: u64| storage[at(slot)] = storage[at(slot)].wrapping_add(amount);
        match self.slots.counters {
            Counters::Count { count } => add(count, cycles),
            Counters::Sum { count, sum } => {
                add(count, cycles);
                add(sum, value.wrapping_mul(cycles));
            }
            Counters::Bins { first, .. } => add(first + value as u32, cycles),
            Counters::Table => {
                let table = self.table.expect("such a probe has a table");
                *tables[table].entry(value).or_default() += cycles;
            }
        }
    }

    /// It has counted nothing.
    fn forget(&self, State { storage, tables, .. }: &mut State) {
        let mut zero = |first: u32, words: u32| storage[self.base + first as usize..][..words as usize].fill(0);
        match self.slots.counters {
            Counters::Count { count } => zero(count, 1),
            Counters::Sum { count, sum } => [count, sum].into_iter().for_each(|slot| zero(slot, 1)),
            Counters::Bins { first, bins } => zero(first, bins),
            Counters::Table => tables[self.table.expect("such a probe has a table")].clear(),
        }
    }
}

impl WritePort {
    /// The same write, or none, is pending in two states of the instance.
    pub fn agrees(&self, a: &[u64], b: &[u64]) -> bool {
        let mask = self.mask.map(|(at, part)| at..at + words_for(self.width / part));
        let data = self.data..self.data + self.words;
        a[self.enable] == b[self.enable]
            && (a[self.enable] == 0
                || [self.address.clone(), data].into_iter().chain(mask).all(|r| a[r.clone()] == b[r]))
    }

    /// Executes the pending write; `storage` is the instance's.
    pub fn write(&self, storage: &mut [u64]) {
        let high = storage[self.address.start + 1..self.address.end].iter().any(|&w| w != 0);
        let address = storage[self.address.start];
        if high || address >= self.depth as u64 {
            return;
        }
        let word = self.memory + address as usize * self.words;
        match self.mask {
            None => storage.copy_within(self.data..self.data + self.words, word),
            Some((mask, part)) if 64u32.is_multiple_of(part) => {
                // Parts do not cross words: expand the mask word by word.
                let parts_per_word = (64 / part) as usize;
                for i in 0..self.words {
                    let first = i * parts_per_word;
                    let bits = storage[mask + first / 64] >> (first % 64);
                    let mut select = 0;
                    for p in 0..parts_per_word.min((self.width as usize / part as usize) - first) {
                        if bits >> p & 1 == 1 {
                            select |= mask64(part) << (p as u32 * part);
                        }
                    }
                    storage[word + i] = storage[word + i] & !select | storage[self.data + i] & select;
                }
            }
            Some((mask, part)) => self.write_masked(storage, word, mask, part),
        }
    }

    #[cold]
    #[inline(never)]
    fn write_masked(&self, storage: &mut [u64], word: usize, mask: usize, part: u32) {
        for bit in 0..self.width {
            let (enable, at) = ((bit / part) as usize, bit as usize);
            if storage[mask + enable / 64] >> (enable % 64) & 1 == 1 {
                let select = 1 << (at % 64);
                let data = storage[self.data + at / 64] & select;
                storage[word + at / 64] = storage[word + at / 64] & !select | data;
            }
        }
    }
}
