//! The text of one module, piece by piece.

use super::{
    expression::{Expressions, ValueConstants, bits_of, literal, range},
    lines::PrintedLine,
    live::{Live, Need},
    module::{Drives, GUARD, Interface, VerilogBlock, is_assigned, lanes, procedural},
    names::{ModuleNames, identifier, module_identifier},
    sram::{Read, Sram},
    terms::{Term, TermId, Terms},
};
use hdl::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Longer lines are broken.
const COLUMNS: usize = 110;

/// What has been printed of a module, and the names given so far.
pub(super) struct Printer<'t, 'm> {
    module: &'m ModuleDef,
    terms: &'t Terms<'m>,
    live: &'t Live,
    named: Vec<bool>,
    names: Vec<Option<String>>,
    /// Terms whose names (and those of all their operands) are declared.
    emitted: Vec<bool>,
    pub(super) fresh: ModuleNames,
    /// Names of values that were printed.
    pub(super) constants: ValueConstants,
    /// Per term, the bits that are read in the part being printed.
    pub(super) read: Vec<Option<Bits>>,
    /// Nets that name a term.
    alias: FxHashMap<NetId, TermId>,
    /// Memories in modules of their own, and registers in those.
    apart: (&'t [MemId], &'t [NetId]),
    /// Names of the rows of memories that are only written at constant ones.
    rows: FxHashMap<(MemId, TermId), String>,
    /// The loop that is being printed.
    lanes: Option<PrintedLanes>,
    pub(super) out: String,
}

/// A loop over the lanes of a memory's words.
struct PrintedLanes {
    /// Its variable.
    name: String,
    count: u32,
    /// Of a lane, in bits.
    width: u32,
}

impl PrintedLanes {
    /// The bits of this turn.
    fn bits(&self) -> String {
        let Self { name, width, .. } = self;
        if *width == 1 { format!("[{name}]") } else { format!("[{name} * {width} +: {width}]") }
    }
}

/// A port in the header of a module.
#[derive(Default)]
struct PortText {
    text: String,
    /// What it means, as a comment behind it.
    about: String,
    /// That of lint, where it is not all read.
    waiver: Option<String>,
}

/// The most columns of a port with its comment.
const PORT_COLUMNS: usize = 120;

/// What a port means, as the comment behind it; the first clause alone where all of it is too long for a line.
fn port_comment(port: &str, about: &str) -> String {
    if about.is_empty() {
        return String::new();
    }
    let comment = format!(" // {}", plain_text(about).replace('`', ""));
    let fits = port.len() + ",".len() + comment.len() <= PORT_COLUMNS;
    if fits { comment } else { comment.split([';', '.', ',']).next().unwrap_or_default().into() }
}

impl<'t, 'm> Printer<'t, 'm> {
    /// Nothing printed; `alias` are the nets of the author that name a term.
    pub(super) fn new(
        module: &'m ModuleDef,
        terms: &'t Terms<'m>,
        live: &'t Live,
        named: Vec<bool>,
        alias: FxHashMap<NetId, TermId>,
        mut fresh: ModuleNames,
        apart: (&'t [MemId], &'t [NetId]),
    ) -> Self {
        let mut names = vec![None; terms.len()];
        for (net, value) in &alias {
            names[value.index()] = Some(identifier(&module.net(*net).name));
        }
        let (emitted, read) = (vec![false; terms.len()], vec![None; terms.len()]);
        Self {
            module,
            terms,
            live,
            named,
            names,
            emitted,
            constants: ValueConstants::new(module, &mut fresh),
            fresh,
            read,
            alias,
            apart,
            rows: FxHashMap::default(),
            lanes: None,
            out: String::new(),
        }
    }

    fn expressions(&self) -> Expressions<'_, 'm> {
        let Self { module, terms, names, constants, .. } = self;
        Expressions { module, terms, names, constants }
    }

    fn text(&self, id: TermId) -> String {
        self.expressions().text(id)
    }

    fn index(&self, id: TermId) -> String {
        self.expressions().index(id)
    }

    fn definition(&self, id: TermId) -> String {
        self.expressions().definition(id)
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.out.push_str(&wrapped(indent, text));
    }

    fn procedural(&self, blocks: &[VerilogBlock]) -> BTreeSet<NetId> {
        let is_table = |net: NetId, value: TermId| {
            self.alias.get(&net) == Some(&value) && matches!(self.terms.term(value), Term::Table { .. })
        };
        procedural(self.module, blocks, is_table)
    }

    // -- declarations --------------------------------------------------------------------------------------------------

    pub(super) fn ports(&mut self, blocks: &[VerilogBlock]) {
        let procedural = self.procedural(blocks);
        let mut guarded = vec![];
        let mut ports = vec![];
        for (domain, needs) in self.module.domains.iter().zip(&self.live.clocks).rev() {
            for (name, need) in [(domain.reset_port(), needs.reset), (domain.clock_port(), needs.clock)] {
                match need {
                    Need::Always => {
                        ports.insert(0, PortText { text: format!("    input wire {name}"), ..Default::default() })
                    }
                    Need::Assertions => guarded.push(format!("    input wire {name}")),
                    Need::Never => {}
                }
            }
        }
        for &id in self.module.inputs.iter().chain(&self.module.outputs) {
            let net = self.module.net(id);
            let kind = match net.kind {
                NetKind::Input => "input wire",
                _ if procedural.contains(&id) => "output reg",
                _ => "output wire",
            };
            let text = format!("    {kind} {}{}", range(net.width), identifier(&net.name));
            let text = PortText { about: port_comment(&text, net.about), text, waiver: None };
            ports.push(match self.unread(id) {
                Some(why) if net.kind == NetKind::Input => PortText { waiver: Some(off(&why)), ..text },
                _ => text,
            });
        }
        let name = module_identifier(&self.module.name);
        let comma = if ports.is_empty() { "" } else { "," };
        let guarded = match guarded.join(",\n") {
            none if none.is_empty() => none,
            some => format!("`ifdef {GUARD}\n{some}{comma}\n`endif\n"),
        };
        let mut list = String::new();
        for (i, PortText { text, about, waiver }) in ports.iter().enumerate() {
            let comma = if i + 1 < ports.len() { "," } else { "" };
            let line = format!("{text}{comma}{about}");
            list += &match waiver {
                Some(waiver) => format!("    {waiver}\n{line}\n    {ON}\n"),
                None => format!("{line}\n"),
            };
        }
        self.out.push_str(&format!("module {name} (\n{guarded}{list});\n"));
    }

    /// Why a lint waiver is due on a net: the bits that nothing reads.
    fn unread(&self, net: NetId) -> Option<String> {
        let width = self.module.net(net).width;
        let by_net = self.terms.find(&Term::Net(net), width);
        let by_value = self.alias.get(&net).copied();
        let mut mask = Bits::zero(width);
        for read in [by_net, by_value].into_iter().flatten().filter_map(|t| self.read[t.index()].as_ref()) {
            (0..width).filter(|&bit| read.bit(bit)).for_each(|bit| mask.set_bit(bit, true));
        }
        unread(&mask)
    }

    pub(super) fn declarations(&mut self, blocks: &[VerilogBlock], need: Need) {
        let procedural = self.procedural(blocks);
        let mut any = false;
        for (i, net) in self.module.nets.iter().enumerate() {
            let id = NetId(i as u32);
            if self.live.nets[i] != need && !matches!(net.kind, NetKind::InstanceOutput { .. }) {
                continue;
            }
            let declared = format!("{}{}", range(net.width), identifier(&net.name));
            let text = match &net.kind {
                NetKind::Input | NetKind::Output => continue,
                NetKind::InstanceOutput { .. } if self.live.nets[i] == Need::Never || need != Need::Always => continue,
                NetKind::Register { reset: None } if !is_assigned(self.module, id) => {
                    let zero = literal(&Bits::zero(net.width));
                    format!("wire {declared} = {zero}; // never assigned")
                }
                NetKind::Register { .. } if self.apart.1.contains(&id) => format!("wire {declared};"),
                NetKind::Register { .. } if self.module.synchronisers.iter().flatten().any(|&stage| stage == id) => {
                    format!("(* ASYNC_REG = \"TRUE\" *) reg {declared};")
                }
                NetKind::Register { .. } => format!("reg {declared};"),
                _ if procedural.contains(&id) => format!("reg {declared};"),
                _ => format!("wire {declared};"),
            };
            any = true;
            let unread = self.unread(id);
            self.declare(&text, unread);
        }
        for (i, memory) in self.module.memories.iter().enumerate() {
            if self.live.memories[i] == need && !self.apart.0.contains(&MemId(i as u32)) {
                any = true;
                let text = format!("reg {}{} [0:{}];", range(memory.width), identifier(&memory.name), memory.depth - 1);
                let written = |b: &VerilogBlock| b.drives == Drives::Memory(MemId(i as u32)) && !b.lines.is_empty();
                if blocks.iter().any(written) {
                    self.line(1, &text);
                } else {
                    self.line(1, "/* verilator lint_off UNDRIVEN */ // never written");
                    self.line(1, &text);
                    self.line(1, "/* verilator lint_on UNDRIVEN */");
                }
                self.constant_rows(MemId(i as u32), blocks);
            }
        }
        if any {
            self.out.push('\n');
        }
    }

    /// Names the rows of a memory whose rows are all written, at constant rows only: Yosys makes registers of such a memory, with a warning, where the
    /// row is a literal.
    fn constant_rows(&mut self, memory: MemId, blocks: &[VerilogBlock]) {
        let mut rows = vec![];
        let mine = blocks.iter().filter(|block| block.drives == Drives::Memory(memory));
        mine.for_each(|block| PrintedLine::for_each_store(&block.lines, &mut |row, _, _| rows.push(row)));
        if !rows.iter().all(|&row| matches!(self.terms.term(row), Term::Const(_))) {
            return;
        }
        rows.sort_unstable();
        rows.dedup();
        // Where other rows are never written, Yosys 0.23 ends with a division by zero.
        if rows.len() != self.module.memories[memory.index()].depth {
            return;
        }
        for row in rows {
            let name = self.fresh.fresh(&format!("{}_row", self.module.memories[memory.index()].name));
            self.line(1, &format!("wire {}{name} = {};", range(self.terms.width(row)), self.text(row)));
            self.rows.insert((memory, row), name);
        }
    }

    fn declare(&mut self, text: &str, unread: Option<String>) {
        match unread {
            Some(why) => {
                self.line(1, &off(&why));
                self.line(1, text);
                self.line(1, ON);
            }
            None => self.line(1, text),
        }
    }

    /// Declares the names that reading `roots` takes; `context` says what for.
    fn prepare(&mut self, roots: &[TermId], context: &str) {
        let mut needed = vec![];
        let mut todo = roots.to_vec();
        while let Some(id) = todo.pop() {
            // A term that is named by a net of the author is declared and assigned elsewhere.
            if self.names[id.index()].is_some() || std::mem::replace(&mut self.emitted[id.index()], true) {
                continue;
            }
            if self.named[id.index()] {
                needed.push(id);
            }
            self.terms.term(id).for_each_operand(|operand| todo.push(operand));
        }
        needed.sort_unstable();
        for id in needed {
            let wanted = match (self.terms.term(id), self.terms.field(id)) {
                (Term::Word { memory, .. }, _) => format!("{}_word", self.module.memories[memory.index()].name),
                (_, Some((word, field))) => format!("{word}_{field}"),
                (term, None) => format!("{context}_{}", meaning(term)),
            };
            let name = self.fresh.fresh(&wanted);
            let declared = format!("{}{name}", range(self.terms.width(id)));
            let text = match self.terms.term(id) {
                Term::Word { memory, .. } if self.apart.0.contains(memory) => format!("wire {declared};"),
                Term::Table { .. } => format!("reg {declared};"),
                _ => format!("wire {declared} = {};", self.definition(id)),
            };
            let unread = self.read[id.index()].as_ref().and_then(unread);
            self.declare(&text, unread);
            if let Term::Table { index, rows } = self.terms.term(id) {
                self.table(&name, *index, rows);
            }
            self.names[id.index()] = Some(name);
        }
    }

    // -- statements ----------------------------------------------------------------------------------------------------

    pub(super) fn block(&mut self, block: &VerilogBlock) {
        let mut roots = vec![];
        PrintedLine::for_each_term(&block.lines, &mut |t| roots.push(t));
        if let Some((net, value)) = block.plain(self.module) {
            let name = self.module.net(net).name.clone();
            for line in &block.lines {
                if let PrintedLine::Comment(text) = line {
                    self.comment(1, text);
                }
            }
            let own = self.alias.get(&net) == Some(&value);
            if own {
                let mut operands = vec![];
                self.terms.term(value).for_each_operand(|operand| operands.push(operand));
                self.prepare(&operands, &name);
            } else {
                self.prepare(&[value], &name);
            }
            if own && let Term::Table { index, rows } = self.terms.term(value) {
                return self.table(&identifier(&name), *index, rows);
            }
            let value = if own { self.definition(value) } else { self.expressions().value(self.values_of(net), value) };
            return self.line(1, &format!("assign {} = {value};", identifier(&name)));
        }
        match block.drives {
            Drives::Net(net) => {
                let name = self.module.net(net).name.clone();
                self.prepare(&roots, &name);
                self.line(1, "always @* begin");
                self.lines(2, &block.lines, "=");
            }
            Drives::Registers(domain, with_reset) => {
                self.out.push('\n');
                self.prepare(&roots, "next");
                self.at_edge(domain);
                if with_reset {
                    self.line(2, &format!("if ({}) begin", self.module.domain(domain).reset_port()));
                    self.resets(domain, block.need);
                    if !block.lines.is_empty() {
                        self.line(2, "end else begin");
                        self.lines(3, &block.lines, "<=");
                    }
                    self.line(2, "end");
                } else {
                    self.lines(2, &block.lines, "<=");
                }
            }
            Drives::Memory(memory) => {
                if block.lines.is_empty() {
                    return;
                }
                self.out.push('\n');
                let about = &self.module.memories[memory.index()];
                self.prepare(&roots, &about.name);
                let count = lanes(self.module, memory);
                if count > 1 {
                    return self.in_lanes(memory, count, &block.lines);
                }
                self.at_edge(about.domain);
                self.lines(2, &block.lines, "<=");
            }
        }
        self.line(1, "end");
    }

    /// A clocked block for each lane: in one block for all of them Yosys takes the square of their number, and the text is as long.
    fn in_lanes(&mut self, memory: MemId, count: u32, lines: &[PrintedLine]) {
        let about = &self.module.memories[memory.index()];
        let name = self.fresh.fresh(&format!("{}_lane", about.name));
        let block = self.fresh.fresh(&format!("{}_lanes", about.name));
        self.line(1, &format!("genvar {name};"));
        self.line(1, "generate");
        self.line(2, &format!("for ({name} = 0; {name} < {count}; {name} = {name} + 1) begin : {block}"));
        let clock = self.module.domain(about.domain).clock_port();
        self.line(3, &format!("always @(posedge {clock}) begin"));
        self.lanes = Some(PrintedLanes { name, count, width: about.width / count });
        self.lines(4, lines, "<=");
        self.lanes = None;
        self.line(3, "end");
        self.line(2, "end");
        self.line(1, "endgenerate");
    }

    fn at_edge(&mut self, domain: DomainId) {
        self.line(1, &format!("always @(posedge {}) begin", self.module.domain(domain).clock_port()));
    }

    fn resets(&mut self, domain: DomainId, need: Need) {
        for (i, net) in self.module.nets.iter().enumerate() {
            if let NetKind::Register { reset: Some(reset) } = &net.kind
                && self.live.nets[i] == need
                && net.domain == domain
            {
                let values = self.values_of(NetId(i as u32));
                let reset = self.constants.text(values, reset);
                self.line(3, &format!("{} <= {reset};", identifier(&net.name)));
            }
        }
    }

    /// Names of the values of a whole net, if it has some.
    fn values_of(&self, net: NetId) -> Option<&'m ValueNames> {
        self.module.value_names(net, 0, self.module.net(net).width)
    }

    fn comment(&mut self, indent: usize, text: &str) {
        for line in text.lines() {
            self.out.push_str(format!("{}// {line}", "  ".repeat(indent)).trim_end());
            self.out.push('\n');
        }
    }

    fn lines(&mut self, indent: usize, lines: &[PrintedLine], arrow: &str) {
        for line in lines {
            match line {
                PrintedLine::Comment(text) => self.comment(indent, text),
                PrintedLine::Assign { target, value } => {
                    let net = self.module.net(target.net);
                    let place = bits_of(&identifier(&net.name), net.width, target.lo, target.width);
                    let values = self.values_of(target.net).filter(|_| target.width == net.width);
                    let text = format!("{place} {arrow} {};", self.expressions().value(values, *value));
                    self.line(indent, &text);
                }
                PrintedLine::Store { memory, index, mask, value } => {
                    self.store(indent, *memory, *index, *mask, *value);
                }
                PrintedLine::When { condition, then, otherwise } => {
                    let text = self.text(*condition);
                    self.when(indent, "", &text, then, otherwise, arrow);
                }
                PrintedLine::Case { value, cases, default } => {
                    let text = format!("case ({})", self.text(*value));
                    self.line(indent, &text);
                    let values = self.terms.value_names(*value);
                    for (constant, body) in cases {
                        let label = self.constants.text(values, constant);
                        self.case(indent + 1, &label, body, arrow);
                    }
                    self.case(indent + 1, "default", default, arrow);
                    self.line(indent, "endcase");
                }
            }
        }
    }

    /// Assigns the row of a table to `name`. What is not known chooses no row.
    fn table(&mut self, name: &str, index: TermId, rows: &[TermId]) {
        self.line(1, "always @* begin");
        let (text, values, bits) = (self.text(index), self.terms.value_names(index), self.terms.width(index));
        self.line(2, &format!("case ({text})"));
        for (at, &row) in rows.iter().enumerate() {
            let label = self.constants.text(values, &Bits::new(bits, at as u64));
            let row = self.text(row);
            self.line(3, &format!("{label}: {name} = {row};"));
        }
        let unknown = match rows.first().map_or(1, |&row| self.terms.width(row)) {
            1 => "1'bx".to_string(),
            width => format!("{{{width}{{1'bx}}}}"),
        };
        self.line(3, &format!("default: {name} = {unknown};"));
        self.line(2, "endcase");
        self.line(1, "end");
    }

    /// A word of `memory`, or its lane in a loop over them.
    fn store(&mut self, indent: usize, memory: MemId, index: TermId, mask: Option<TermId>, value: TermId) {
        let row = self.rows.get(&(memory, index)).cloned().unwrap_or_else(|| self.index(index));
        let word = format!("{}[{row}]", identifier(&self.module.memories[memory.index()].name));
        let value = self.text(value);
        let Some(lanes) = &self.lanes else {
            return self.line(indent, &format!("{word} <= {value};"));
        };
        let (lane, bits) = (lanes.name.clone(), lanes.bits());
        let assignment = format!("{word}{bits} <= {value}{bits};");
        let Some(mask) = mask else {
            return self.line(indent, &assignment);
        };
        let of_bit = lanes.count / self.terms.width(mask);
        let bit = if of_bit == 1 { lane } else { format!("{lane} / {of_bit}") };
        let condition = format!("{}[{bit}]", self.text(mask));
        self.line(indent, &format!("if ({condition}) begin"));
        self.line(indent + 1, &assignment);
        self.line(indent, "end");
    }

    fn case(&mut self, indent: usize, label: &str, body: &[PrintedLine], arrow: &str) {
        if body.is_empty() {
            return self.line(indent, &format!("{label}: ;"));
        }
        self.line(indent, &format!("{label}: begin"));
        self.lines(indent + 1, body, arrow);
        self.line(indent, "end");
    }

    /// `before` is `"end else "` in a chain of conditions.
    fn when(
        &mut self,
        indent: usize,
        before: &str,
        condition: &str,
        then: &[PrintedLine],
        otherwise: &[PrintedLine],
        arrow: &str,
    ) {
        if then.is_empty() {
            let negated = if condition.contains(' ') { format!("!({condition})") } else { format!("!{condition}") };
            self.line(indent, &format!("{before}if ({negated}) begin"));
            self.lines(indent + 1, otherwise, arrow);
            return self.line(indent, "end");
        }
        self.line(indent, &format!("{before}if ({condition}) begin"));
        self.lines(indent + 1, then, arrow);
        match otherwise {
            [] => self.line(indent, "end"),
            [PrintedLine::When { condition, then, otherwise }] => {
                let text = self.text(*condition);
                self.when(indent, "end else ", &text, then, otherwise, arrow);
            }
            _ => {
                self.line(indent, "end else begin");
                self.lines(indent + 1, otherwise, arrow);
                self.line(indent, "end");
            }
        }
    }

    // -- children ------------------------------------------------------------------------------------------------------

    pub(super) fn instance(&mut self, instance: &Instance, name: &str, inputs: &[TermId], about: &Interface) {
        let child = &instance.module;
        self.out.push('\n');
        let mut pins = vec![];
        let mut guarded = String::new();
        for ((inner, outer), needs) in child.domains.iter().zip(&instance.domains).zip(&about.clocks) {
            let Some(outer) = outer.map(|id| self.module.domain(id)) else { continue };
            let clock = (inner.clock_port(), outer.clock_port(), needs.clock);
            for (port, name, need) in [clock, (inner.reset_port(), outer.reset_port(), needs.reset)] {
                match need {
                    Need::Always => pins.push(format!(".{port}({name})")),
                    Need::Assertions => guarded.push_str(&format!("\n    .{port}({name}),")),
                    Need::Never => {}
                }
            }
        }
        for (&port, &value) in child.inputs.iter().zip(inputs) {
            let port = &child.net(port).name;
            self.prepare(&[value], &format!("{}_{port}", instance.name));
            pins.push(format!(".{}({})", identifier(port), self.text(value)));
        }
        for (&port, &net) in child.outputs.iter().zip(&instance.outputs) {
            let port = child.net(port);
            let net = match self.live.nets[net.index()] {
                Need::Never => {
                    // Verilator complains of an empty pin, not of an unread wire that is called unused.
                    let name = self.fresh.fresh(&format!("unused_{}_{}", instance.name, port.name));
                    self.line(1, &format!("wire {}{name};", range(port.width)));
                    name
                }
                _ => identifier(&self.module.net(net).name),
            };
            pins.push(format!(".{}({net})", identifier(&port.name)));
        }
        self.pins(&module_identifier(&child.name), name, &guarded, &pins);
    }

    pub(super) fn sram(&mut self, memory: &Memory, name: &str, sram: &Sram) {
        self.out.push('\n');
        let mut pins = vec![format!(".clock({})", self.module.domain(memory.domain).clock_port())];
        let memory = &memory.name;
        for (port, value) in sram.ports() {
            self.prepare(&[value], &format!("{memory}_{port}"));
            pins.push(format!(".{port}({})", self.text(value)));
        }
        match &sram.read {
            Read::Registered(read) => {
                pins.push(format!(".read_data({})", identifier(&self.module.net(read.net).name)));
            }
            Read::Asynchronous { words, .. } => {
                for (i, word) in words.iter().enumerate() {
                    self.prepare(&[*word], memory);
                    pins.push(format!(".read{i}_data({})", self.text(*word)));
                }
            }
        }
        self.pins(&sram.name(), name, "", &pins);
    }

    fn pins(&mut self, module: &str, name: &str, guarded: &str, pins: &[String]) {
        self.line(1, &format!("{module} {} (", identifier(name)));
        if !guarded.is_empty() {
            let guarded = if pins.is_empty() { guarded.trim_end_matches(',') } else { guarded };
            self.out.push_str(&format!("`ifdef {GUARD}{guarded}\n`endif\n"));
        }
        for (i, pin) in pins.iter().enumerate() {
            let comma = if i + 1 < pins.len() { "," } else { "" };
            self.line(2, &format!("{pin}{comma}"));
        }
        self.line(1, ");");
    }

    // -- assertions ----------------------------------------------------------------------------------------------------

    pub(super) fn claims(&mut self, blocks: &[VerilogBlock], claims: &[TermId]) {
        if claims.is_empty() {
            return;
        }
        self.out.push_str(&format!("\n`ifdef {GUARD}\n"));
        let (head, before) = (self.out.len(), self.constants.used());
        self.declarations(blocks, Need::Assertions);
        for block in blocks.iter().filter(|b| b.need == Need::Assertions) {
            self.block(block);
        }
        self.prepare(claims, "claim");
        for domain in (0..self.module.domains.len() as u32).map(DomainId) {
            let claims = self.module.assertions.iter().zip(claims).filter(|(claim, _)| claim.domain == domain);
            self.claims_of(domain, &claims.collect::<Vec<_>>());
        }
        // What assertions alone compare with is declared for them alone.
        let constants = self.constants.declarations(&before);
        self.out.insert_str(head, &constants);
        self.out.push_str("`endif\n");
    }

    fn claims_of(&mut self, domain: DomainId, claims: &[(&Assertion, &TermId)]) {
        if claims.is_empty() {
            return;
        }
        self.at_edge(domain);
        self.line(2, &format!("if (!{}) begin", self.module.domain(domain).reset_port()));
        for (claim, condition) in claims {
            let condition = self.text(**condition);
            self.line(3, &format!("if (!({condition})) begin"));
            let message =
                claim.message.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('\n', " ");
            self.out.push_str(&format!("        $display(\"%m: assertion failed: {message}\");\n        $stop;\n"));
            self.line(3, "end");
        }
        self.line(2, "end");
        self.line(1, "end");
    }
}

const ON: &str = "/* verilator lint_on UNUSED */";

fn off(why: &str) -> String {
    format!("/* verilator lint_off UNUSED */ // {why}")
}

/// The bits that `read` leaves out, in words; `None` when there are none.
fn unread(read: &Bits) -> Option<String> {
    if *read == Bits::ones(read.width()) {
        return None;
    }
    if read.is_zero() {
        return Some("not read".into());
    }
    let mut ranges = vec![];
    let mut bit = 0;
    while bit < read.width() {
        let length = (bit..read.width()).take_while(|&b| !read.bit(b)).count() as u32;
        match length {
            0 => {}
            1 => ranges.push(bit.to_string()),
            _ => ranges.push(format!("{}:{bit}", bit + length - 1)),
        }
        bit += length + 1;
    }
    let few = ranges.len() <= 6;
    Some(if few { format!("bits {} are not read", ranges.join(", ")) } else { "some bits are not read".into() })
}

/// What a term computes, as part of a name.
fn meaning(term: &Term) -> &'static str {
    use super::terms::{Infix::*, Reduce};
    match term {
        Term::Const(_) => "constant",
        Term::Net(_) => "net",
        Term::Not(_) => "inverse",
        Term::Reduce(Reduce::And, _) => "all",
        Term::Reduce(Reduce::Or, _) => "any",
        Term::Reduce(Reduce::Xor, _) => "parity",
        Term::Infix(op, ..) => match op {
            And => "masked",
            Or => "merged",
            Xor => "mixed",
            Add => "sum",
            Sub => "difference",
            Mul => "product",
            Eq => "equal",
            Ne => "different",
            Lt | LtSigned => "less",
            Ge | GeSigned => "not_less",
            Shl | Shr | ShrSigned => "shifted",
        },
        Term::Mux(..) => "choice",
        Term::Table { .. } => "row",
        Term::Concat(_) => "joined",
        Term::Repeat(..) => "copies",
        Term::Slice { .. } | Term::Index { .. } => "part",
        Term::Word { .. } => "word",
    }
}

/// `text` at an indentation of two blanks a level, broken at blanks where it is too long.
fn wrapped(indent: usize, text: &str) -> String {
    let mut out = String::new();
    let mut line = format!("{}{text}", "  ".repeat(indent));
    let is_comment = text.starts_with("/*");
    while line.len() > COLUMNS && !is_comment {
        let least = 2 * indent + 5;
        let Some(at) = line[..COLUMNS]
            .rfind(' ')
            .filter(|&at| at > least)
            .or_else(|| line[COLUMNS..].find(' ').map(|at| at + COLUMNS))
        else {
            break;
        };
        out.push_str(&line[..at]);
        out.push('\n');
        line = format!("{}{}", "  ".repeat(indent + 2), &line[at + 1..]);
    }
    out + &line + "\n"
}
