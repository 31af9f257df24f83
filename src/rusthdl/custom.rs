//! Custom Verilog of rust-hdl's state widgets.
//!
//! rust-hdl writes flip-flops, RAMs and ROMs as Verilog text. This reads the subset that its widgets use (and blocks of
//! users written alike): `initial` values, `always @(posedge clock)` with non-blocking assignments under at most one
//! `if`, memories declared as `reg [..] mem [..]`, and `always @* case (address)` tables.

use crate::{UniqueNames, literal::Literal, refuse, walk::LogicScope};
use hdl::{Bits, Builder, MemoryHandle as Memory, ProblemKind, Signal};
use std::collections::BTreeMap;

/// A parsed text.
#[derive(Default, Debug)]
pub(super) struct Custom {
    memories: Vec<String>,
    depths: BTreeMap<String, (usize, u32)>,
    initial: Vec<(AssignmentTarget, Literal)>,
    clocked: Vec<Clocked>,
    table: Option<NameTable>,
}

/// `net` or `memory[address]`.
#[derive(Clone, PartialEq, Eq, Debug)]
enum AssignmentTarget {
    Net(String),
    Word { memory: String, address: String },
}

/// `if (enable) target <= value` at a clock edge.
#[derive(Debug)]
struct Clocked {
    enable: Option<String>,
    target: AssignmentTarget,
    value: AssignmentTarget,
}

/// `case (address)`: a combinational ROM.
#[derive(Debug)]
struct NameTable {
    address: String,
    target: String,
    cases: Vec<(Literal, Literal)>,
    default: Option<Literal>,
}

/// A lone flip-flop.
#[derive(Clone, Debug)]
pub(super) struct Flop {
    /// Input port.
    pub d: String,
    /// Output port.
    pub q: String,
    /// Initial value.
    pub init: Bits,
}

impl Custom {
    /// Reads a text; the error says what was not understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text), at: 0, custom: Custom::default() };
        parser.items()?;
        Ok(parser.custom)
    }

    /// The flip-flop that this is, when it is nothing else.
    pub fn flop(&self, scope: &LogicScope) -> Option<Flop> {
        let [Clocked { enable: None, target: AssignmentTarget::Net(q), value: AssignmentTarget::Net(d) }] =
            self.clocked.as_slice()
        else {
            return None;
        };
        let (input, output) = (scope.atom(d)?, scope.atom(q)?);
        let lone = self.memories.is_empty()
            && self.table.is_none()
            && scope.children.is_empty()
            && scope.atoms.iter().filter(|a| !a.clock).count() == 2
            && input.is_input()
            && output.is_output()
            && input.width == output.width
            && output.width > 0;
        lone.then(|| Flop { d: d.clone(), q: q.clone(), init: self.initial_of(q, output.width) })
    }

    fn initial_of(&self, net: &str, width: u32) -> Bits {
        let found = self.initial.iter().find(|(place, _)| *place == AssignmentTarget::Net(net.into()));
        found.map_or_else(|| Bits::zero(width), |(_, literal)| literal.bits(width))
    }

    /// Records the hardware of the text.
    pub fn build(&self, m: &Builder, name: &str, scope: &LogicScope) {
        let mut names = UniqueNames::default();
        let mut nets = BTreeMap::new();
        for atom in scope.atoms.iter().filter(|a| a.is_input() && !a.clock && a.width > 0) {
            nets.insert(atom.name.as_str(), m.input(names.claim(&atom.name), atom.width));
        }
        for atom in scope.atoms.iter().filter(|a| a.is_output() && !a.clock && a.width > 0) {
            nets.insert(atom.name.as_str(), m.output(names.claim(&atom.name), atom.width));
        }
        let state = self.build_with(m, name, &nets, &mut names);
        if let Err(unknown) = state {
            refuse(m, name, &format!("custom Verilog that uses `{unknown}`, which is not one of its signals"));
        }
    }

    /// The error is the name that is not known.
    fn build_with<'m>(
        &self,
        m: &'m Builder,
        name: &str,
        nets: &BTreeMap<&str, Signal<'m>>,
        names: &mut UniqueNames,
    ) -> Result<(), String> {
        let net = |name: &str| nets.get(name).copied().ok_or_else(|| name.to_string());
        if let Some(table) = &self.table {
            let target = net(&table.target)?;
            let zero = Literal::parse("0").expect("zero is a literal");
            table_lookup(m, net(&table.address)?, target, &table.cases, table.default.as_ref().unwrap_or(&zero));
        }
        let written = |memory: &str| {
            let is = |c: &Clocked| matches!(&c.target, AssignmentTarget::Word { memory: m, .. } if m == memory);
            self.clocked.iter().any(is)
        };
        let mut memories: BTreeMap<&str, Memory<'m>> = BTreeMap::new();
        for memory in self.memories.iter().filter(|memory| written(memory)) {
            let (depth, width) = self.depths[memory];
            memories.insert(memory, m.memory(names.claim(memory), depth, width));
            if self.content(memory).next().is_some() {
                refuse(m, name, "a RAM with initial content, which a module's memory cannot have (a ROM can)");
            }
        }
        for clocked in &self.clocked {
            let enable = clocked.enable.as_deref().map(net).transpose()?;
            if let (AssignmentTarget::Word { memory, address }, AssignmentTarget::Net(data)) =
                (&clocked.target, &clocked.value)
            {
                let memory = *memories.get(memory.as_str()).ok_or_else(|| memory.clone())?;
                let (address, data) = (net(address)?, net(data)?);
                match enable {
                    Some(enable) => drop(m.when(enable, || memory.write(address, data))),
                    None => memory.write(address, data),
                }
                continue;
            }
            let AssignmentTarget::Net(target) = &clocked.target else {
                m.problem(ProblemKind::Illegal, format!("rust-hdl block `{name}` copies between memories"), &[]);
                continue;
            };
            let output = net(target)?;
            let always = m.lit(1, 1);
            match &clocked.value {
                AssignmentTarget::Word { memory, address } if memories.contains_key(memory.as_str()) => {
                    let register = names.claim(&format!("{target}_register"));
                    let word = memories[memory.as_str()].read_sync(&register, net(address)?, enable.unwrap_or(always));
                    m.assign(output, word);
                }
                AssignmentTarget::Word { memory, address } => {
                    let (_, width) = *self.depths.get(memory).ok_or_else(|| memory.clone())?;
                    let word = m.wire_later(names.claim("word"), width);
                    let cases: Vec<_> = self.content(memory).collect();
                    let zero = Literal::parse("0").expect("zero is a literal");
                    table_lookup(m, net(address)?, word, &cases, &zero);
                    self.register(m, names, target, output, word, enable);
                }
                AssignmentTarget::Net(value) => self.register(m, names, target, output, net(value)?, enable),
            }
        }
        Ok(())
    }

    fn register<'m>(
        &self,
        m: &'m Builder,
        names: &mut UniqueNames,
        target: &str,
        output: Signal<'m>,
        value: Signal<'m>,
        enable: Option<Signal<'m>>,
    ) {
        let init = self.initial_of(target, output.width());
        let register = m.register_bits(names.claim(&format!("{target}_register")), init);
        match enable {
            Some(enable) => drop(m.when(enable, || m.set(register, value))),
            None => m.set(register, value),
        }
        m.assign(output, register);
    }

    /// Initial words of a memory: (address, word).
    fn content<'a>(&'a self, memory: &'a str) -> impl Iterator<Item = (Literal, Literal)> + 'a {
        self.initial.iter().filter_map(move |(place, value)| match place {
            AssignmentTarget::Word { memory: m, address } if m == memory => {
                Some((Literal::parse(address)?, value.clone()))
            }
            _ => None,
        })
    }
}

fn table_lookup<'m>(
    m: &'m Builder,
    address: Signal<'m>,
    target: Signal<'m>,
    cases: &[(Literal, Literal)],
    default: &Literal,
) {
    let put = |value: &Literal| m.assign(target, value.bits(target.width()).signal(m));
    if cases.is_empty() {
        return put(default);
    }
    m.switch(address, |table| {
        for (at, value) in cases {
            table.is(at.bits(address.width()).to_u64(), || put(value));
        }
        table.default(|| put(default));
    });
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    custom: Custom,
}

type ParsedVerilog<T> = Result<T, String>;

impl Parser {
    fn items(&mut self) -> ParsedVerilog<()> {
        while self.at < self.tokens.len() {
            match self.next()?.as_str() {
                "reg" => self.memory()?,
                "initial" => self.initial()?,
                "always" => self.always()?,
                ";" => {}
                other => return Err(format!("`{other}` is not understood")),
            }
        }
        Ok(())
    }

    /// `reg [w-1:0] name [d-1:0];`
    fn memory(&mut self) -> ParsedVerilog<()> {
        let width = self.range()?;
        let name = self.next()?;
        let depth = self.range()?;
        self.expect(";")?;
        self.custom.depths.insert(name.clone(), (depth, width as u32));
        self.custom.memories.push(name);
        Ok(())
    }

    fn range(&mut self) -> ParsedVerilog<usize> {
        self.expect("[")?;
        let high = self.next()?;
        for token in [":", "0", "]"] {
            self.expect(token)?;
        }
        let size = high.parse::<u32>().ok().and_then(|h| h.checked_add(1));
        size.map(|size| size as usize).ok_or_else(|| format!("`{high}` is not a size"))
    }

    fn initial(&mut self) -> ParsedVerilog<()> {
        let many = self.eat("begin");
        loop {
            if many && self.eat("end") {
                return Ok(());
            }
            if !self.eat(";") {
                let place = self.place()?;
                self.expect("=")?;
                let value = self.literal()?;
                self.expect(";")?;
                self.custom.initial.push((place, value));
            }
            if !many {
                return Ok(());
            }
        }
    }

    fn always(&mut self) -> ParsedVerilog<()> {
        self.expect("@")?;
        if self.eat("*") {
            return self.table();
        }
        self.expect("(")?;
        if self.eat("*") {
            self.expect(")")?;
            return self.table();
        }
        self.expect("posedge")?;
        self.next()?;
        self.expect(")")?;
        self.clocked(None)
    }

    fn clocked(&mut self, enable: Option<&str>) -> ParsedVerilog<()> {
        if self.eat("begin") {
            while !self.eat("end") {
                self.clocked(enable)?;
            }
            return Ok(());
        }
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("if") {
            if enable.is_some() {
                return Err("an `if` inside an `if`".into());
            }
            self.expect("(")?;
            let condition = self.next()?;
            self.expect(")")?;
            self.clocked(Some(&condition))?;
            return if self.eat("else") { Err("an `else`".into()) } else { Ok(()) };
        }
        let target = self.place()?;
        self.expect("<=")?;
        let value = self.place()?;
        self.expect(";")?;
        self.custom.clocked.push(Clocked { enable: enable.map(Into::into), target, value });
        Ok(())
    }

    fn table(&mut self) -> ParsedVerilog<()> {
        self.expect("case")?;
        self.expect("(")?;
        let address = self.next()?;
        self.expect(")")?;
        let mut table = NameTable { address, target: String::new(), cases: vec![], default: None };
        while !self.eat("endcase") {
            let at = if self.eat("default") { None } else { Some(self.literal()?) };
            self.expect(":")?;
            table.target = self.next()?;
            self.expect("=")?;
            let value = self.literal()?;
            self.expect(";")?;
            match at {
                Some(at) => table.cases.push((at, value)),
                None => table.default = Some(value),
            }
        }
        self.custom.table = Some(table);
        Ok(())
    }

    fn place(&mut self) -> ParsedVerilog<AssignmentTarget> {
        let name = self.next()?;
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("`{name}` is not a signal"));
        }
        if !self.eat("[") {
            return Ok(AssignmentTarget::Net(name));
        }
        let address = self.next()?;
        self.expect("]")?;
        Ok(AssignmentTarget::Word { memory: name, address })
    }

    fn literal(&mut self) -> ParsedVerilog<Literal> {
        let text = self.next()?;
        Literal::parse(&text).ok_or_else(|| format!("`{text}` is not a constant"))
    }

    fn next(&mut self) -> ParsedVerilog<String> {
        let token = self.tokens.get(self.at).cloned().ok_or("it ends too early")?;
        self.at += 1;
        Ok(token)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t == token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> ParsedVerilog<()> {
        if self.eat(token) {
            return Ok(());
        }
        let found = self.tokens.get(self.at).map_or("the end", String::as_str);
        Err(format!("`{token}` expected, `{found}` found"))
    }
}

fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = vec![];
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let c = chars[at];
        at += 1;
        if c.is_whitespace() {
            continue;
        }
        if c == '/' && chars.get(at) == Some(&'/') {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
            continue;
        }
        if c.is_alphanumeric() || c == '_' {
            let in_word = |c: char, before: char| {
                c.is_alphanumeric() || matches!(c, '_' | '$' | '\'') || c == '-' && before.is_alphabetic()
            };
            // A minus belongs to a word only in a negative literal such as `8'h-5`.
            let mut literal = false;
            while at < chars.len() && in_word(chars[at], if literal { chars[at - 1] } else { '0' }) {
                literal |= chars[at] == '\'';
                at += 1;
            }
        } else if c == '<' && chars.get(at) == Some(&'=') {
            at += 1;
        }
        out.push(chars[start..at].iter().collect());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_ram() {
        let text =
            "reg[7:0] mem[15:0];\n initial begin\nmem[4'h1] = 8'h-5;\nend always @(posedge a) begin q <= mem[r]; end
            always @(posedge b) begin if (e) begin mem[w] <= d; end end";
        let custom = Custom::parse(text).expect("a RAM");
        assert_eq!(custom.depths["mem"], (16, 8));
        assert_eq!(custom.clocked.len(), 2);
        assert_eq!(custom.clocked[1].enable.as_deref(), Some("e"));
        assert_eq!(custom.content("mem").next().map(|(_, v)| v.bits(8).to_u64()), Some(0xfb));
    }

    #[test]
    fn says_what_it_does_not_read() {
        assert_eq!(Custom::parse("assign y = a;").unwrap_err(), "`assign` is not understood");
        assert_eq!(Custom::parse("always @(posedge c) q <= a + b;").unwrap_err(), "`;` expected, `+` found");
        assert_eq!(Custom::parse("initial begin q = 8'h0;").unwrap_err(), "it ends too early");
    }
}
