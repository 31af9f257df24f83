//! The state of a design and what happens to it at a clock edge, the same for both engines.
//!
//! An engine reads `registers` and `rest`, and writes `next` (every register), wires, pending memory writes and counters.
//! [`State::commit`] then makes the edge: pending writes go to memories, and `registers` and `next` change places.

use super::{
    layout::{Bases, Layout, ProbeSlots},
    words::mask64,
};
use crate::{
    hdl::*,
    netlist::{Design, Elaborated},
};
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
    }];
    let mut at = 0;
    while at < scopes.len() {
        let (module, bases) = (scopes[at].module, scopes[at].bases);
        for (i, instance) in design.modules[module].module.instances.iter().enumerate() {
            let child = scopes.len();
            scopes[at].children.push(child);
            scopes.push(Scope {
                name: instance.name.clone(),
                module: design.index_of(&instance.module),
                parent: Some((at, i)),
                children: vec![],
                bases: bases.then(layouts[module].children[i]),
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

/// The twin that may stand in for a block. All outputs must depend on the same inputs: then calling it as one step cannot
/// close a loop that the block itself does not close.
pub(crate) fn usable_twin(about: &Elaborated) -> Option<Twin> {
    let through = &about.dependencies.through;
    about.module.twin.filter(|_| !about.module.stateful && through.windows(2).all(|pair| pair[0] == pair[1]))
}

/// A memory write port, absolute.
#[derive(Clone, Debug)]
struct WriteSite {
    enable: usize,
    address: Range<usize>,
    data: usize,
    /// Words of the mask and bits of the word that each mask bit enables.
    mask: Option<(usize, u32)>,
    memory: usize,
    depth: usize,
    words: usize,
    width: u32,
}

/// A histogram whose table is kept outside of the arrays, absolute.
#[derive(Clone, Copy, Debug)]
struct TableSite {
    enable: usize,
    value: usize,
}

/// What a clock edge has to visit.
#[derive(Debug)]
pub(crate) struct Sites {
    writes: Vec<WriteSite>,
    tables: Vec<TableSite>,
    /// Registers with a reset value.
    resets: Vec<(usize, Bits)>,
    /// Parts of the rest that are counters.
    pub statistics: Vec<Range<usize>>,
    /// Per scope: number of its first table.
    pub first_table: Vec<usize>,
}

impl Sites {
    pub fn new(design: &Design, layouts: &[Layout], scopes: &[Scope]) -> Self {
        let mut sites =
            Sites { writes: vec![], tables: vec![], resets: vec![], statistics: vec![], first_table: vec![] };
        for scope in scopes {
            let (module, layout) = (&design.modules[scope.module].module, &layouts[scope.module]);
            sites.add(module, layout, scope.bases);
        }
        sites
    }

    fn add(&mut self, module: &ModuleDef, layout: &Layout, bases: Bases) {
        let rest = |offset: u32| (bases.rest + offset) as usize;
        for (port, slots) in module.writes.iter().zip(&layout.writes) {
            let memory = &module.memories[port.memory.index()];
            let address = rest(slots.address);
            self.writes.push(WriteSite {
                enable: rest(slots.enable),
                address: address..address + words_for(module.expr(port.address).width),
                data: rest(slots.data),
                mask: port.mask.zip(slots.mask).map(|(m, at)| (rest(at), memory.width / module.expr(m).width)),
                memory: rest(layout.memories[port.memory.index()]),
                depth: memory.depth,
                words: words_for(memory.width),
                width: memory.width,
            });
        }
        self.first_table.push(self.tables.len());
        for slots in &layout.probes {
            if let ProbeSlots::Table { enable, value } = *slots {
                self.tables.push(TableSite { enable: rest(enable), value: rest(value) });
            }
        }
        for id in module.registers() {
            if let NetKind::Register { reset: Some(value) } = &module.net(id).kind {
                let at = (bases.registers + layout.places[id.index()].offset) as usize;
                self.resets.push((at, value.clone()));
            }
        }
        if !layout.statistics.is_empty() {
            self.statistics.push(rest(layout.statistics.start)..rest(layout.statistics.end));
        }
    }

    /// Enables of memory write ports, and counters, inside a region of the rest.
    pub fn within(&self, region: Range<usize>) -> (Vec<usize>, Vec<Range<usize>>) {
        let enables = self.writes.iter().map(|site| site.enable).filter(|enable| region.contains(enable));
        let statistics = self.statistics.iter().filter(|range| region.contains(&range.start)).cloned();
        (enables.collect(), statistics.collect())
    }

    pub fn tables(&self) -> usize {
        self.tables.len()
    }
}

/// Values of everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub registers: Vec<u64>,
    pub next: Vec<u64>,
    pub rest: Vec<u64>,
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
            rest: vec![0; top.rest as usize],
            tables: vec![BTreeMap::new(); sites.tables()],
        }
    }

    /// Next values of registers with reset become their reset values.
    pub fn apply_reset(&mut self, sites: &Sites) {
        for (at, value) in &sites.resets {
            self.next[*at..at + value.words().len()].copy_from_slice(value.words());
        }
    }

    /// Counts the present values of wide histograms.
    pub fn record_tables(&mut self, sites: &Sites) {
        for (table, site) in self.tables.iter_mut().zip(&sites.tables) {
            if self.rest[site.enable] != 0 {
                *table.entry(self.rest[site.value]).or_default() += 1;
            }
        }
    }

    /// The clock edge.
    pub fn commit(&mut self, sites: &Sites) {
        for site in &sites.writes {
            if self.rest[site.enable] != 0 {
                write_memory(&mut self.rest, site);
            }
        }
        std::mem::swap(&mut self.registers, &mut self.next);
    }

    /// Counters as they are now.
    pub fn keep_statistics(&self, sites: &Sites, kept: &mut Vec<u64>) {
        kept.clear();
        for range in &sites.statistics {
            kept.extend_from_slice(&self.rest[range.clone()]);
        }
    }

    /// Counters as they were kept.
    pub fn put_statistics(&mut self, sites: &Sites, kept: &[u64]) {
        let mut at = 0;
        for range in &sites.statistics {
            self.rest[range.clone()].copy_from_slice(&kept[at..at + range.len()]);
            at += range.len();
        }
    }
}

#[cold]
#[inline(never)]
fn write_masked(rest: &mut [u64], site: &WriteSite, word: usize, mask: usize, part: u32) {
    for bit in 0..site.width {
        let (enable, at) = ((bit / part) as usize, bit as usize);
        if rest[mask + enable / 64] >> (enable % 64) & 1 == 1 {
            let select = 1 << (at % 64);
            let data = rest[site.data + at / 64] & select;
            rest[word + at / 64] = rest[word + at / 64] & !select | data;
        }
    }
}

fn write_memory(rest: &mut [u64], site: &WriteSite) {
    let high = rest[site.address.start + 1..site.address.end].iter().any(|&w| w != 0);
    let address = rest[site.address.start];
    if high || address >= site.depth as u64 {
        return;
    }
    let word = site.memory + address as usize * site.words;
    match site.mask {
        None => rest.copy_within(site.data..site.data + site.words, word),
        Some((mask, part)) if 64u32.is_multiple_of(part) => {
            // Parts do not cross words: expand the mask word by word.
            let parts_per_word = (64 / part) as usize;
            for i in 0..site.words {
                let first = i * parts_per_word;
                let bits = rest[mask + first / 64] >> (first % 64);
                let mut select = 0;
                for p in 0..parts_per_word.min((site.width as usize / part as usize) - first) {
                    if bits >> p & 1 == 1 {
                        select |= mask64(part) << (p as u32 * part);
                    }
                }
                rest[word + i] = rest[word + i] & !select | rest[site.data + i] & select;
            }
        }
        Some((mask, part)) => write_masked(rest, site, word, mask, part),
    }
}
