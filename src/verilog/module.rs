//! One module: its blocks, what they read, which names that takes; then, in order, header, ports, declarations,
//! combinational logic in the author's order, children, clocked blocks, and the guarded assertions.

use super::{
    lines::{PrintedLine, Pruner},
    live::{ClockNeed, Live, Need, live},
    names::{ModuleNames, identifier},
    naming,
    printer::Printer,
    read_registers,
    sram::{self, Sram},
    terms::{Term, TermId, Terms},
};
use hdl::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The macro under which assertions are compiled.
pub(super) const GUARD: &str = "WARPMESH_ASSERT";

/// What a parent needs to know of an exported module, and the harness of its state.
#[derive(Debug)]
pub(super) struct Interface {
    /// Per clock domain.
    pub(super) clocks: Vec<ClockNeed>,
    /// Everything that it declares: an instance of it is called otherwise, as its name would be hidden inside.
    pub(super) names: ModuleNames,
    /// What its instances are called in the text.
    pub(super) instances: Vec<String>,
    /// Registers (no depth) and memories of the module itself, by their hierarchical name below it.
    pub(super) state: Vec<(String, Option<usize>)>,
}

/// The text of a module and what else it gives rise to.
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) interface: Interface,
    /// Memory modules that it instantiates.
    pub(super) srams: Vec<Sram>,
}

/// What one printed block drives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drives {
    Net(NetId),
    /// Registers of a domain with (true) or without reset.
    Registers(DomainId, bool),
    Memory(MemId),
}

pub(super) struct VerilogBlock {
    pub(super) drives: Drives,
    pub(super) need: Need,
    pub(super) lines: Vec<PrintedLine>,
}

impl VerilogBlock {
    /// The value, where the block is one plain assignment of a whole combinational net.
    pub(super) fn plain(&self, module: &ModuleDef) -> Option<(NetId, TermId)> {
        let (Drives::Net(net), [rest @ .., PrintedLine::Assign { target, value }]) = (self.drives, &self.lines[..])
        else {
            return None;
        };
        let alone = rest.iter().all(|line| matches!(line, PrintedLine::Comment(_)));
        (alone && target.width == module.net(net).width).then_some((net, *value))
    }
}

/// Prints `module`; `header` is put before it, memories of `sram_bits` and more are put outside, `child` tells about children.
pub(super) fn print<'c>(
    module: &ModuleDef,
    header: &str,
    sram_bits: Option<u64>,
    child: &dyn Fn(&Instance) -> &'c Interface,
) -> Printed {
    let mut terms = Terms::new(module);
    let live = live(module, &mut terms, |i| child(i).clocks.clone());
    let mut blocks = combinational(module, &mut terms, &live);
    // A macro has no port for assertions: a memory of which they read other words than the hardware does stays inside.
    let memory_apart = |m: MemId| {
        live.memories[m.index()] == Need::Always
            && !live.asserted_words[m.index()]
            && sram::wanted(module, m, sram_bits)
    };
    let apart: Vec<MemId> = (0..module.memories.len() as u32).map(MemId).filter(|&m| memory_apart(m)).collect();
    let inputs: Vec<Vec<TermId>> =
        module.instances.iter().map(|i| i.inputs.iter().flatten().map(|&e| terms.of(e)).collect()).collect();
    let claims: Vec<TermId> = module.assertions.iter().map(|a| terms.of(a.condition)).collect();
    let mut srams: Vec<(MemId, Sram)> =
        apart.iter().map(|&memory| (memory, Sram::of(module, memory, &mut terms))).collect();

    let candidates = read_registers::candidates(module, &mut terms, &live, &apart);
    let mut outside: Vec<NetId> = candidates.iter().map(|read| read.net).collect();
    let mut edges = clocked(module, &mut terms, &live, &apart, &outside);
    let mut others: Vec<TermId> = inputs.iter().flatten().chain(&claims).copied().collect();
    others.extend(srams.iter().flat_map(|(_, sram)| sram.inputs()));
    others.extend(candidates.iter().flat_map(|read| read.inputs()));
    blocks.iter().chain(&edges).for_each(|block| PrintedLine::for_each_term(&block.lines, &mut |t| others.push(t)));
    let read = read_registers::sole_readers(candidates, &naming::reachable(&terms, &others));
    if read.len() < outside.len() {
        outside = read.iter().map(|read| read.net).collect();
        edges = clocked(module, &mut terms, &live, &apart, &outside);
    }
    blocks.extend(edges);
    // A macro has one read port: each further word that is read is read in a copy.
    let copies = read.into_iter().map(|read| (read.memory, srams[position(&apart, read.memory)].1.with(read)));
    let copies: Vec<_> = copies.collect();
    srams.extend(copies);

    // Everything that is read, in the plain export and with assertions.
    let mut plain: Vec<TermId> = inputs.iter().flatten().copied().collect();
    plain.extend(srams.iter().flat_map(|(_, s)| s.inputs()));
    let mut own_plain = vec![];
    let mut asserted = claims.clone();
    let mut alias = FxHashMap::default();
    for block in &blocks {
        if let Some((net, value)) = block.plain(module)
            && block.need == Need::Always
            && !matches!(terms.term(value), Term::Const(_) | Term::Net(_))
            // A word of a memory module is a pin of it, and nothing that could be assigned.
            && !matches!(terms.term(value), Term::Word { memory, .. } if apart.contains(memory))
            && !alias.contains_key(&value)
        {
            alias.insert(value, net);
            own_plain.push(value);
            continue;
        }
        let roots = if block.need == Need::Always { &mut plain } else { &mut asserted };
        PrintedLine::for_each_term(&block.lines, &mut |t| roots.push(t));
    }
    let reached = naming::reachable(&terms, &[plain.clone(), own_plain.clone()].concat());
    srams.iter_mut().for_each(|(memory, s)| s.find_reads(*memory, &terms, &reached));
    srams.retain(|(_, s)| s.is_read());
    srams.sort_by_key(|(memory, _)| *memory);

    let all_roots = [plain.clone(), own_plain.clone(), asserted.clone()].concat();
    let named = naming::named(&terms, &all_roots, &indexed(module, &terms, &blocks));
    alias.retain(|value, _| named[value.index()]);
    // A definition whose name is not needed elsewhere reads its operands like any other text.
    let (own, other): (Vec<_>, Vec<_>) = own_plain.into_iter().partition(|value| alias.contains_key(value));
    plain.extend(other);
    let read_plain = naming::bits_read(&terms, &plain, &own);
    let read_all = naming::bits_read(&terms, &[plain, asserted].concat(), &own);
    let mut names = ModuleNames::new(own_names(module));
    let instances: Vec<String> =
        module.instances.iter().map(|i| names.outside(&i.name, &child(i).names, "block")).collect();
    let mut sram_names: Vec<String> = vec![];
    for (at, (memory, sram)) in srams.iter().enumerate() {
        let name = &module.memories[memory.index()].name;
        let copy = at > 0 && srams[at - 1].0 == *memory;
        let name =
            if copy { names.fresh(&format!("{name}_copy")) } else { names.outside(name, &sram.names(), "memory") };
        sram_names.push(name);
    }
    let alias = alias.into_iter().map(|(value, net)| (net, value)).collect();
    let mut printer = Printer::new(module, &terms, &live, named, alias, names, (&apart, &outside));
    printer.read = read_plain;
    printer.out.push_str(header);
    printer.out.push_str("`default_nettype none\n\n");
    printer.ports(&blocks);
    let head = printer.out.len();
    printer.declarations(&blocks, Need::Always);
    for block in blocks.iter().filter(|b| b.need == Need::Always && matches!(b.drives, Drives::Net(_))) {
        printer.block(block);
    }
    for ((instance, name), inputs) in module.instances.iter().zip(&instances).zip(&inputs) {
        printer.instance(instance, name, inputs, child(instance));
    }
    for ((memory, sram), name) in srams.iter().zip(&sram_names) {
        printer.sram(&module.memories[memory.index()], name, sram);
    }
    for block in blocks.iter().filter(|b| b.need == Need::Always && !matches!(b.drives, Drives::Net(_))) {
        printer.block(block);
    }
    let constants = printer.constants.declarations(&BTreeSet::new());
    let gap = if constants.is_empty() { "" } else { "\n" };
    printer.out.insert_str(head, &format!("{constants}{gap}"));
    printer.read = read_all;
    printer.claims(&blocks, &claims);
    printer.out.push_str("endmodule\n\n`default_nettype wire\n");

    let registers = module.registers().filter(|r| live.nets[r.index()] == Need::Always && !outside.contains(r));
    let mut state: Vec<_> = registers.map(|r| (identifier(&module.net(r).name), None)).collect();
    for (i, memory) in module.memories.iter().enumerate().filter(|(i, _)| live.memories[*i] == Need::Always) {
        if !apart.contains(&MemId(i as u32)) {
            state.push((identifier(&memory.name), Some(memory.depth)));
        }
    }
    for ((_, sram), name) in srams.iter().zip(&sram_names) {
        state.extend(sram.state().map(|(inside, depth)| (format!("{}.{inside}", identifier(name)), depth)));
    }
    let (text, names) = (printer.out, printer.fresh);
    let interface = Interface { clocks: live.clocks, names, instances, state };
    Printed { text, interface, srams: srams.into_iter().map(|(_, s)| s).collect() }
}

/// Where `memory` is among those in `apart`.
fn position(apart: &[MemId], memory: MemId) -> usize {
    apart.iter().position(|&m| m == memory).expect("read registers are of memories apart")
}

/// What the author has named in a module.
fn own_names(module: &ModuleDef) -> impl Iterator<Item = String> {
    let nets = module.nets.iter().map(|n| n.name.clone());
    let memories = module.memories.iter().map(|m| m.name.clone());
    let instances = module.instances.iter().map(|i| i.name.clone());
    let clocks = module.domains.iter().flat_map(|d| [d.clock_port(), d.reset_port()]);
    nets.chain(memories).chain(instances).chain(clocks)
}

/// One block per live combinational net, in the order in which the author assigns them.
fn combinational<'a>(module: &'a ModuleDef, terms: &mut Terms<'a>, live: &Live) -> Vec<VerilogBlock> {
    let mut order = vec![];
    let mut seen = BTreeSet::new();
    assigned(&module.body, &mut |target| {
        let net = target.net;
        let wire = matches!(module.net(net).kind, NetKind::Wire | NetKind::Output);
        if wire && live.nets[net.index()] != Need::Never && seen.insert(net) {
            order.push(net);
        }
    });
    let mut pruner = Pruner::new(module);
    let mut blocks = vec![];
    for net in order {
        let mut lines = pruner.prune(terms, &|s| matches!(s, Stmt::Assign { target, .. } if target.net == net));
        let mut roots = vec![];
        PrintedLine::for_each_term(&lines, &mut |t| roots.push(t));
        if !roots.iter().any(|&root| terms.varies(root)) {
            // `always @*` would wait for ever.
            let value = module.drivers[net.index()].expect("elaboration has found a driver for every wire");
            let target = Target { net, lo: 0, width: module.net(net).width };
            lines = vec![PrintedLine::Assign { target, value: terms.of(value) }];
        }
        blocks.push(VerilogBlock { drives: Drives::Net(net), need: live.nets[net.index()], lines });
    }
    blocks
}

fn assigned(statements: &[Stmt], visit: &mut impl FnMut(&Target)) {
    for statement in statements {
        match statement {
            Stmt::Assign { target, .. } => visit(target),
            Stmt::When { then, otherwise, .. } => {
                assigned(then, visit);
                assigned(otherwise, visit);
            }
            Stmt::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, body)| assigned(body, visit));
                assigned(default, visit);
            }
            Stmt::Write { .. } | Stmt::Comment(_) => {}
        }
    }
}

/// Registers with reset, registers without, and each memory that is not apart; those that only assertions need separately. Registers in
/// `outside` are in memory modules.
fn clocked<'a>(
    module: &'a ModuleDef,
    terms: &mut Terms<'a>,
    live: &Live,
    apart: &[MemId],
    outside: &[NetId],
) -> Vec<VerilogBlock> {
    let mut pruner = Pruner::new(module);
    let mut blocks = vec![];
    for need in [Need::Always, Need::Assertions] {
        let groups = (0..module.domains.len() as u32).flat_map(|d| [(DomainId(d), true), (DomainId(d), false)]);
        for (domain, with_reset) in groups {
            let mine = |net: NetId| {
                let about = module.net(net);
                live.nets[net.index()] == need
                    && about.domain == domain
                    && !outside.contains(&net)
                    && matches!(&about.kind, NetKind::Register { reset } if reset.is_some() == with_reset)
            };
            let lines = pruner.prune(terms, &|s| matches!(s, Stmt::Assign { target, .. } if mine(target.net)));
            if !lines.is_empty() || with_reset && module.registers().any(mine) {
                blocks.push(VerilogBlock { drives: Drives::Registers(domain, with_reset), need, lines });
            }
        }
        for memory in (0..module.memories.len() as u32).map(MemId) {
            if live.memories[memory.index()] != need || apart.contains(&memory) {
                continue;
            }
            let mine = |s: &Stmt| matches!(s, Stmt::Write { port } if module.writes[*port].memory == memory);
            let lines = pruner.prune(terms, &mine);
            blocks.push(VerilogBlock { drives: Drives::Memory(memory), need, lines });
        }
    }
    blocks
}

/// Lanes of a memory's words: the finest that its masks select, 1 without masks.
pub(super) fn lanes(module: &ModuleDef, memory: MemId) -> u32 {
    let gcd = |mut a: u32, mut b: u32| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let masks = module.writes.iter().filter(|w| w.memory == memory).filter_map(|w| w.mask);
    masks.map(|mask| module.expr(mask).width).fold(1, |lanes, mask| lanes / gcd(lanes, mask) * mask)
}

/// What is read lane by lane, and needs a name for it.
fn indexed(module: &ModuleDef, terms: &Terms<'_>, blocks: &[VerilogBlock]) -> Vec<TermId> {
    let mut found = vec![];
    for block in blocks {
        let Drives::Memory(memory) = block.drives else { continue };
        if lanes(module, memory) > 1 {
            PrintedLine::for_each_store(&block.lines, &mut |_, mask, value| {
                found.extend(mask.into_iter().chain([value]))
            });
        }
    }
    found.retain(|&id| !matches!(terms.term(id), Term::Net(_)));
    found
}

/// Combinational nets that are driven by an `always` block: all but those of one plain value that is no table which the net names.
pub(super) fn procedural(
    module: &ModuleDef,
    blocks: &[VerilogBlock],
    is_table: impl Fn(NetId, TermId) -> bool,
) -> BTreeSet<NetId> {
    let net = |b: &VerilogBlock| match b.drives {
        Drives::Net(net) if b.plain(module).is_none_or(|(net, value)| is_table(net, value)) => Some(net),
        _ => None,
    };
    blocks.iter().filter_map(net).collect()
}

pub(super) fn is_assigned(module: &ModuleDef, net: NetId) -> bool {
    let mut found = false;
    assigned(&module.body, &mut |target| found |= target.net == net);
    found
}
