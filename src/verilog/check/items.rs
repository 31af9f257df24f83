//! Modules: header, declarations, assignments, `always` blocks, instances.

use super::{
    Fault,
    expression::WidthAndSign,
    scope::{ModulePort, ModuleScope, NameKind, ParsedModule, name_of},
    tokens::Token,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Reads `tokens`, a file that is to hold the module `name`, and adds it to `modules`; returns what is wrong.
pub(super) fn module<'t>(
    tokens: &[(Token<'t>, usize)],
    name: &str,
    modules: &mut FxHashMap<&'t str, ParsedModule<'t>>,
) -> Vec<Fault> {
    let mut reader = VerilogReader { tokens, at: 0, scope: ModuleScope::default(), modules };
    let read = reader.module();
    let mut scope = reader.scope;
    match read {
        Ok(found) => {
            scope.finish();
            if found != name {
                scope.fault(1, format!("the file holds the module `{found}`"));
            }
            if modules.contains_key(found) {
                scope.fault(1, format!("another file holds the module `{found}`, too"));
            }
            modules.insert(found, ParsedModule { ports: scope.ports, names: scope.names });
        }
        // What follows makes no sense.
        Err(fault) => scope.faults.push(fault),
    }
    scope.faults
}

/// Where the reader is, and what it knows.
pub(super) struct VerilogReader<'t, 'a> {
    tokens: &'a [(Token<'t>, usize)],
    at: usize,
    pub(super) scope: ModuleScope<'t>,
    modules: &'a FxHashMap<&'t str, ParsedModule<'t>>,
}

/// What an `always` block is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AlwaysBlock {
    Combinational,
    Clocked,
}

impl<'t> VerilogReader<'t, '_> {
    // -- tokens --------------------------------------------------------------------------------------------------------

    pub(super) fn peek(&self) -> Token<'t> {
        self.tokens[self.at].0
    }

    /// Takes a token; the last one stays.
    pub(super) fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += usize::from(token != Token::End);
        token
    }

    /// Line of the token that was taken last.
    pub(super) fn line(&self) -> usize {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(super) fn fault(&mut self, message: String) {
        let line = self.line();
        self.scope.fault(line, message);
    }

    /// Takes `text`, a symbol, keyword or number, if it is next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is = match self.peek() {
            Token::Symbol(next) | Token::Word(next) | Token::System(next) => next == text,
            Token::Number(next) => text.parse() == Ok(next),
            _ => false,
        };
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), Fault> {
        if self.take(text) {
            return Ok(());
        }
        let found = self.next();
        Err(Fault::at(self.line(), format!("`{text}` should stand here, not {}", found.text())))
    }

    pub(super) fn name(&mut self) -> Result<&'t str, Fault> {
        let token = self.next();
        name_of(token, self.line())
    }

    /// Modules alone may have reserved names, escaped.
    fn module_name(&mut self) -> Result<&'t str, Fault> {
        match self.peek() {
            Token::Escaped(name) => {
                self.next();
                Ok(name)
            }
            _ => self.name(),
        }
    }

    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        match self.next() {
            Token::Number(value) => Ok(value),
            other => Err(Fault::at(self.line(), format!("a number should stand here, not {}", other.text()))),
        }
    }

    // -- the module ----------------------------------------------------------------------------------------------------

    fn module(&mut self) -> Result<&'t str, Fault> {
        self.expect("module")?;
        let name = self.module_name()?;
        self.expect("(")?;
        while !self.take(")") {
            self.port()?;
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        self.expect(";")?;
        while !self.take("endmodule") {
            self.item()?;
        }
        match self.next() {
            Token::End => Ok(name),
            other => Err(Fault::at(self.line(), format!("{} behind the end of the module", other.text()))),
        }
    }

    fn port(&mut self) -> Result<(), Fault> {
        let is_input = self.take("input");
        if !is_input {
            self.expect("output")?;
        }
        let kind = match (is_input, self.take("reg")) {
            (true, _) => NameKind::Input,
            (false, true) => NameKind::Variable,
            (false, false) => NameKind::Wire,
        };
        if kind != NameKind::Variable {
            self.expect("wire")?;
        }
        let (width, name) = (self.range()?, self.name()?);
        self.scope.declare(name, kind, width, self.line());
        self.scope.ports.insert(name, ModulePort { width, is_input });
        Ok(())
    }

    /// `[7:0]`, or nothing: one bit.
    fn range(&mut self) -> Result<u32, Fault> {
        if !self.take("[") {
            return Ok(1);
        }
        let high = self.number()?;
        self.expect(":")?;
        let low = self.number()?;
        self.expect("]")?;
        let width = u32::try_from(high + 1).ok().filter(|&width| low == 0 && width > 1);
        width.ok_or_else(|| Fault::at(self.line(), format!("[{high}:{low}] is not the range of a vector")))
    }

    fn item(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Token::Word("wire") => self.wire(),
            Token::Word("localparam") => self.constant(),
            Token::Word("reg") => self.variable(),
            Token::Word("assign") => {
                self.next();
                let name = self.name()?;
                self.assigned(name)
            }
            Token::Word("always") => self.always(),
            Token::Word("genvar") => {
                self.next();
                let name = self.name()?;
                self.scope.declare(name, NameKind::Genvar { iterations: 0 }, 0, self.line());
                self.expect(";")
            }
            Token::Word("generate") => self.generate(),
            _ => self.instance(),
        }
    }

    /// `wire [7:0] name;` or `wire [7:0] name = value;`
    fn wire(&mut self) -> Result<(), Fault> {
        self.expect("wire")?;
        let (width, name) = (self.range()?, self.name()?);
        // Its own value must not read it.
        let line = self.line();
        if self.peek() == Token::Symbol("=") {
            self.next();
            let value = self.expression()?;
            self.scope.declare(name, NameKind::Wire, width, line);
            self.fits(name, WidthAndSign::of(Some(width)), value);
            self.scope.drive(name, line);
        } else {
            self.scope.declare(name, NameKind::Wire, width, line);
        }
        self.expect(";")
    }

    /// `localparam [7:0] NAME = 8'h00;`
    fn constant(&mut self) -> Result<(), Fault> {
        self.expect("localparam")?;
        let (width, name) = (self.range()?, self.name()?);
        self.expect("=")?;
        let value = self.expression()?;
        self.scope.declare(name, NameKind::Constant, width, self.line());
        self.fits(name, WidthAndSign::of(Some(width)), value);
        self.expect(";")
    }

    /// `reg [7:0] name;` or `reg [7:0] name [0:15];`
    fn variable(&mut self) -> Result<(), Fault> {
        self.expect("reg")?;
        let (width, name) = (self.range()?, self.name()?);
        let line = self.line();
        let kind = if self.take("[") {
            if self.number()? != 0 {
                self.fault(format!("the first word of `{name}` is not 0"));
            }
            self.expect(":")?;
            let depth = self.number()? + 1;
            self.expect("]")?;
            NameKind::Memory { depth }
        } else {
            NameKind::Variable
        };
        self.scope.declare(name, kind, width, line);
        self.expect(";")
    }

    /// `= value;` behind `assign name`.
    fn assigned(&mut self, name: &'t str) -> Result<(), Fault> {
        let line = self.line();
        let wire = self.scope.find_as(name, line, "a wire", |kind| kind == NameKind::Wire);
        self.expect("=")?;
        let value = self.expression()?;
        if let Some(wire) = wire {
            self.fits(name, WidthAndSign::of(Some(wire.width)), value);
            self.scope.drive(name, line);
        }
        self.expect(";")
    }

    fn fits(&mut self, name: &str, place: WidthAndSign, value: WidthAndSign) {
        if let (Some(place), Some(value)) = (place.width, value.width)
            && place != value
        {
            self.fault(format!("`{name}` has {place} bits and is assigned {value}"));
        }
    }

    /// `generate for (genvar = 0; genvar < 4; genvar = genvar + 1) begin : name ... end endgenerate`, with `always` blocks inside.
    fn generate(&mut self) -> Result<(), Fault> {
        for text in ["generate", "for", "("] {
            self.expect(text)?;
        }
        let name = self.name()?;
        let line = self.line();
        self.scope.find_as(name, line, "a loop", |kind| kind == NameKind::Genvar { iterations: 0 });
        for text in ["=", "0", ";", name, "<"] {
            self.expect(text)?;
        }
        let iterations = self.number()?;
        for text in [";", name, "=", name, "+", "1", ")", "begin", ":"] {
            self.expect(text)?;
        }
        let block = self.name()?;
        self.scope.declare(block, NameKind::Genvar { iterations: 0 }, 0, self.line());
        self.scope.set_iterations(name, iterations);
        while !self.take("end") {
            self.always()?;
        }
        self.scope.set_iterations(name, 0);
        self.expect("endgenerate")
    }

    // -- statements ----------------------------------------------------------------------------------------------------

    fn always(&mut self) -> Result<(), Fault> {
        self.expect("always")?;
        self.expect("@")?;
        let block = if self.take("*") {
            AlwaysBlock::Combinational
        } else {
            self.expect("(")?;
            self.expect("posedge")?;
            let name = self.name()?;
            let line = self.line();
            let clock = self.scope.find_as(name, line, "a clock", |kind| kind == NameKind::Input);
            self.is_bit(WidthAndSign::of(clock.map(|clock| clock.width)), "the clock");
            self.expect(")")?;
            AlwaysBlock::Clocked
        };
        let line = self.line();
        let mut targets = BTreeSet::new();
        self.body(block, &mut targets)?;
        targets.into_iter().for_each(|target| self.scope.drive(target, line));
        Ok(())
    }

    /// `begin ... end`
    fn body(&mut self, block: AlwaysBlock, targets: &mut BTreeSet<&'t str>) -> Result<(), Fault> {
        self.expect("begin")?;
        while !self.take("end") {
            self.statement(block, targets)?;
        }
        Ok(())
    }

    fn statement(&mut self, block: AlwaysBlock, targets: &mut BTreeSet<&'t str>) -> Result<(), Fault> {
        match self.peek() {
            Token::Word("if") => self.when(block, targets),
            Token::Word("case") => self.case(block, targets),
            Token::System("$display") => {
                self.next();
                self.expect("(")?;
                if self.next() != Token::Text {
                    self.fault("no text to display".into());
                }
                self.expect(")")?;
                self.expect(";")
            }
            Token::System("$stop") => {
                self.next();
                self.expect(";")
            }
            _ => {
                let name = self.name()?;
                let line = self.line();
                let wanted = if block == AlwaysBlock::Clocked { "a register or memory" } else { "a variable" };
                let is = |kind| match kind {
                    NameKind::Memory { .. } => block == AlwaysBlock::Clocked,
                    kind => kind == NameKind::Variable,
                };
                let place = match self.scope.find_as(name, line, wanted, is) {
                    Some(declared) => self.selected(name, &declared)?,
                    None => return Err(Fault::at(line, format!("`{name}` cannot be assigned here"))),
                };
                targets.insert(name);
                self.expect(if block == AlwaysBlock::Clocked { "<=" } else { "=" })?;
                let value = self.expression()?;
                self.fits(name, place, value);
                self.expect(";")
            }
        }
    }

    fn when(&mut self, block: AlwaysBlock, targets: &mut BTreeSet<&'t str>) -> Result<(), Fault> {
        loop {
            self.expect("if")?;
            self.expect("(")?;
            let condition = self.expression()?;
            self.is_bit(condition, "a condition");
            self.expect(")")?;
            self.body(block, targets)?;
            if !self.take("else") {
                return Ok(());
            }
            if self.peek() != Token::Word("if") {
                return self.body(block, targets);
            }
        }
    }

    fn case(&mut self, block: AlwaysBlock, targets: &mut BTreeSet<&'t str>) -> Result<(), Fault> {
        self.expect("case")?;
        self.expect("(")?;
        let value = self.expression()?;
        self.expect(")")?;
        while !self.take("endcase") {
            if !self.take("default") {
                match self.next() {
                    Token::Literal(width) if value.width.is_none_or(|of| of == width) => {}
                    Token::Literal(width) => self.fault(format!("a case of {width} bits")),
                    Token::Word(name) => {
                        let line = self.line();
                        let constant = self.scope.find_as(name, line, "a constant", |kind| kind == NameKind::Constant);
                        if let Some(width) =
                            constant.map(|of| of.width).filter(|of| value.width.is_some_and(|width| width != *of))
                        {
                            self.fault(format!("a case of {width} bits"));
                        }
                    }
                    other => return Err(Fault::at(self.line(), format!("{} is no case", other.text()))),
                }
            }
            self.expect(":")?;
            match self.peek() {
                Token::Symbol(";") => self.expect(";")?,
                Token::Word("begin") => self.body(block, targets)?,
                _ => self.statement(block, targets)?,
            }
        }
        Ok(())
    }

    // -- instances -----------------------------------------------------------------------------------------------------

    /// `module name ( .pin(value), ... );`
    fn instance(&mut self) -> Result<(), Fault> {
        let module = self.module_name()?;
        let name = self.name()?;
        let line = self.line();
        self.scope.declare(name, NameKind::Instance, 0, line);
        let modules = self.modules;
        let Some(known) = modules.get(module) else {
            return Err(Fault::at(line, format!("there is no module `{module}` in the files before this one")));
        };
        if known.names.contains_key(name) {
            self.fault(format!("inside the instance `{name}` its own name is declared again"));
        }
        self.expect("(")?;
        let mut connected = BTreeSet::new();
        while !self.take(")") {
            self.expect(".")?;
            let pin = self.name()?;
            let line = self.line();
            let port = known.ports.get(pin);
            if port.is_none() {
                self.fault(format!("module `{module}` of `{name}` has no port `{pin}`"));
            }
            if !connected.insert(pin) {
                self.fault(format!("pin `{pin}` of `{name}` is connected twice"));
            }
            self.expect("(")?;
            let value = match port {
                Some(ModulePort { is_input: false, .. }) => {
                    let net = self.name()?;
                    let net_line = self.line();
                    self.scope.drive(net, net_line);
                    let found = self.scope.find_as(net, net_line, "a wire", |kind| kind == NameKind::Wire);
                    WidthAndSign::of(found.map(|found| found.width))
                }
                _ => self.expression()?,
            };
            if let (Some(port), Some(width)) = (port, value.width)
                && port.width != width
            {
                let text = format!("{width} bits at pin `{pin}` of `{name}`, which has {}", port.width);
                self.scope.fault(line, text);
            }
            self.expect(")")?;
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        for pin in known.ports.keys().filter(|pin| !connected.contains(*pin)) {
            self.scope.fault(line, format!("pin `{pin}` of `{name}` is not connected"));
        }
        self.expect(";")
    }
}
