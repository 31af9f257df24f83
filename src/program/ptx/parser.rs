//! Tokens to syntax tree, by recursive descent.

use super::super::error::{Problem, PtxErrorKind};
use super::ast::*;
use super::lexer::{Placed, Token, tokens};

/// Reads a PTX file.
pub(crate) fn parse(source: &str) -> Result<Module, Problem> {
    let mut parser = Parser { source, tokens: tokens(source)?, at: 0 };
    let mut module = Module::default();
    while *parser.peek() != Token::End {
        parser.module_item(&mut module)?;
    }
    Ok(module)
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Placed>,
    at: usize,
}

type Parsed<T> = Result<T, Problem>;

impl Parser<'_> {
    // The token list ends with `End`, and `next` does not move past it.
    fn here(&self) -> &Placed {
        &self.tokens[self.at]
    }

    fn peek(&self) -> &Token {
        &self.here().token
    }

    fn next(&mut self) -> Placed {
        let placed = self.here().clone();
        if placed.token != Token::End {
            self.at += 1;
        }
        placed
    }

    fn is_mark(&self, mark: char) -> bool {
        *self.peek() == Token::Mark(mark)
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.next();
        }
        found
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let placed = self.here();
        let found = match placed.token {
            Token::End => "the end of the file".into(),
            _ => format!("`{}`", &self.source[placed.span.clone()]),
        };
        Err(Problem::new(PtxErrorKind::Syntax, placed.span.clone(), format!("expected {what}, found {found}")))
    }

    fn expect(&mut self, mark: char) -> Parsed<Span> {
        if self.is_mark(mark) { Ok(self.next().span) } else { self.expected(&format!("`{mark}`")) }
    }

    fn word(&mut self, what: &str) -> Parsed<(String, Span)> {
        match self.peek() {
            Token::Word(_) => {
                let placed = self.next();
                let Token::Word(word) = placed.token else { return self.expected(what) };
                Ok((word, placed.span))
            }
            _ => self.expected(what),
        }
    }

    fn directive(&mut self, what: &str) -> Parsed<(String, Span)> {
        match self.peek() {
            Token::Directive(_) => {
                let placed = self.next();
                let Token::Directive(word) = placed.token else { return self.expected(what) };
                Ok((word, placed.span))
            }
            _ => self.expected(what),
        }
    }

    fn unsigned(&mut self, what: &str) -> Parsed<u64> {
        match *self.peek() {
            Token::Integer(value) => {
                self.next();
                Ok(value)
            }
            _ => self.expected(what),
        }
    }

    /// An integer with signs before it: `-4`, `+-4`.
    fn signed(&mut self) -> Parsed<i64> {
        let mut negative = false;
        loop {
            if self.eat('-') {
                negative = !negative;
            } else if !self.eat('+') {
                break;
            }
        }
        let value = self.unsigned("an integer")? as i64;
        Ok(if negative { value.wrapping_neg() } else { value })
    }

    fn skip_line(&mut self) {
        let line = self.here().line;
        while self.here().line == line && *self.peek() != Token::End {
            self.next();
        }
    }

    /// Skips `{ ... }`, nested ones included.
    fn skip_braces(&mut self) -> Parsed<()> {
        self.expect('{')?;
        let mut depth = 1;
        while depth > 0 {
            match self.next().token {
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => depth -= 1,
                Token::End => return self.expected("`}`"),
                _ => {}
            }
        }
        Ok(())
    }

    fn skip_past_semicolon(&mut self) -> Parsed<()> {
        while !self.is_mark(';') {
            if *self.peek() == Token::End {
                return self.expected("`;`");
            }
            self.next();
        }
        self.next();
        Ok(())
    }

    fn module_item(&mut self, module: &mut Module) -> Parsed<()> {
        let Token::Directive(name) = self.peek().clone() else {
            return self.expected("a directive such as `.version` or `.entry`");
        };
        match name.as_str() {
            "version" | "target" | "address_size" | "file" | "loc" => self.skip_line(),
            "visible" | "extern" | "weak" | "common" => {
                self.next();
            }
            "entry" => {
                self.next();
                let entry = self.entry()?;
                module.entries.push(entry);
            }
            "func" => {
                self.next();
                self.function(module)?;
            }
            "section" => {
                self.next();
                while !self.is_mark('{') {
                    if *self.peek() == Token::End {
                        return self.expected("`{`");
                    }
                    self.next();
                }
                self.skip_braces()?;
            }
            "pragma" | "alias" => self.skip_past_semicolon()?,
            "shared" | "global" | "const" | "tex" => module.variables.extend(self.variables()?),
            _ => {
                return self.expected(
                    "`.version`, `.target`, `.address_size`, `.visible`, `.entry`, `.func`, `.shared`, `.global`, `.const`, \
                     `.pragma`, `.section` or `.file`",
                );
            }
        }
        Ok(())
    }

    fn function(&mut self, module: &mut Module) -> Parsed<()> {
        let mut name = None;
        while !self.is_mark('{') && !self.is_mark(';') {
            match self.next().token {
                Token::Word(word) => name = name.or(Some(word)),
                // The return value, before the name.
                Token::Mark('(') if name.is_none() => {
                    while !self.eat(')') {
                        if *self.peek() == Token::End {
                            return self.expected("`)`");
                        }
                        self.next();
                    }
                }
                Token::End => return self.expected("the body of the function"),
                _ => {}
            }
        }
        module.functions.extend(name);
        if self.eat(';') { Ok(()) } else { self.skip_braces() }
    }

    fn entry(&mut self) -> Parsed<Entry> {
        let (name, span) = self.word("the name of the kernel")?;
        let mut params = Vec::new();
        if self.eat('(') && !self.eat(')') {
            loop {
                params.push(self.param()?);
                if !self.eat(',') {
                    self.expect(')')?;
                    break;
                }
            }
        }
        // Performance directives: none changes what the kernel computes.
        while !self.is_mark('{') {
            let (word, place) = self.directive("`{`")?;
            const HARMLESS: [&str; 7] =
                ["maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "noreturn", "pragma"];
            if !HARMLESS.contains(&word.as_str()) {
                let message = format!("`.{word}` is not supported between a kernel's parameters and its body");
                let help = format!("supported (and ignored): .{}", HARMLESS.join(", ."));
                return Err(Problem::new(PtxErrorKind::Unsupported, place, message).help(help));
            }
            while matches!(self.peek(), Token::Integer(_) | Token::Text | Token::Mark(',' | ';')) {
                self.next();
            }
        }
        self.expect('{')?;
        let mut body = Vec::new();
        let mut depth = 0;
        loop {
            if self.eat('{') {
                depth += 1;
                body.push(Statement::ScopeBegin);
            } else if self.eat('}') {
                if depth == 0 {
                    return Ok(Entry { name, span, params, body });
                }
                depth -= 1;
                body.push(Statement::ScopeEnd);
            } else {
                self.statement(&mut body)?;
            }
        }
    }

    fn param(&mut self) -> Parsed<Variable> {
        let (space, span) = self.directive("`.param`")?;
        if space != "param" {
            return Err(Problem::new(PtxErrorKind::Syntax, span, format!("expected `.param`, found `.{space}`")));
        }
        let (mut ty, mut align) = (None, None);
        // `.u64 .ptr .global .align 4`: type, then what the pointer points to.
        while let Token::Directive(word) = self.peek().clone() {
            let span = self.next().span;
            match word.as_str() {
                "align" => {
                    let value = self.alignment()?;
                    align = align.or(ty.is_none().then_some(value));
                }
                "ptr" | "global" | "shared" | "const" | "local" => {}
                _ if ty.is_none() && type_bytes(&word).is_some() => ty = Some(word),
                _ => return Err(unknown_type(&word, span)),
            }
        }
        let Some(ty) = ty else { return self.expected("a type such as `.u32`") };
        let (name, span) = self.word("the name of the parameter")?;
        let elements = self.array_size()?;
        let align = align.or(type_bytes(&ty)).unwrap_or(1);
        Ok(Variable { space, ty, name, align, elements, span })
    }

    fn alignment(&mut self) -> Parsed<u64> {
        let span = self.here().span.clone();
        let value = self.unsigned("an alignment in bytes")?;
        if value.is_power_of_two() && value <= 4096 {
            Ok(value)
        } else {
            let message = format!("alignment {value} is not a power of two up to 4096");
            Err(Problem::new(PtxErrorKind::Syntax, span, message))
        }
    }

    /// `[4][5]`: the number of elements; 1 when there are no brackets, 0 for `[]`.
    fn array_size(&mut self) -> Parsed<u64> {
        let mut elements = 1u64;
        while self.eat('[') {
            let span = self.here().span.clone();
            let count = if self.is_mark(']') { 0 } else { self.unsigned("a number of elements")? };
            self.expect(']')?;
            elements = elements
                .checked_mul(count)
                .ok_or_else(|| Problem::new(PtxErrorKind::Syntax, span, "array larger than 64 bits can count"))?;
        }
        Ok(elements)
    }

    /// `.shared .align 4 .b8 name[1024], other;`
    fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let (space, _) = self.directive("a state space")?;
        let (mut ty, mut align) = (None, None);
        while let Token::Directive(word) = self.peek().clone() {
            let span = self.next().span;
            match word.as_str() {
                "align" => align = Some(self.alignment()?),
                "v2" | "v4" | "attribute" => {
                    let message = format!("variable with `.{word}` is not supported");
                    return Err(Problem::new(PtxErrorKind::Unsupported, span, message));
                }
                "texref" | "samplerref" | "surfref" => ty = Some(word),
                _ if type_bytes(&word).is_some() => ty = Some(word),
                _ => return Err(unknown_type(&word, span)),
            }
        }
        let Some(ty) = ty else { return self.expected("a type such as `.b32`") };
        let mut out = Vec::new();
        loop {
            let (name, span) = self.word("the name of the variable")?;
            let elements = self.array_size()?;
            let align = align.or(type_bytes(&ty)).unwrap_or(1);
            out.push(Variable { space: space.clone(), ty: ty.clone(), name, align, elements, span });
            if self.eat('=') {
                self.skip_past_semicolon()?;
                return Ok(out);
            }
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(out);
            }
        }
    }

    fn statement(&mut self, body: &mut Vec<Statement>) -> Parsed<()> {
        match self.peek().clone() {
            Token::Directive(word) => match word.as_str() {
                "reg" => self.registers(body),
                "shared" | "local" | "param" | "global" | "const" => {
                    body.extend(self.variables()?.into_iter().map(Statement::Variable));
                    Ok(())
                }
                "loc" | "file" => {
                    self.skip_line();
                    Ok(())
                }
                "pragma" => self.skip_past_semicolon(),
                _ => self.expected("an instruction, a label, `.reg`, `.shared`, `.loc` or `.pragma`"),
            },
            Token::Word(_) if matches!(self.tokens.get(self.at + 1).map(|t| &t.token), Some(Token::Mark(':'))) => {
                let (name, span) = self.word("a label")?;
                self.expect(':')?;
                body.push(Statement::Label(name, span));
                Ok(())
            }
            Token::Word(_) | Token::Mark('@') => {
                let instruction = self.instruction()?;
                body.push(Statement::Instruction(instruction));
                Ok(())
            }
            _ => self.expected("an instruction, a label, a declaration or `}`"),
        }
    }

    fn registers(&mut self, body: &mut Vec<Statement>) -> Parsed<()> {
        self.next();
        let (ty, place) = self.directive("a type such as `.b32` or `.pred`")?;
        if ty != "pred" && type_bytes(&ty).is_none() {
            return Err(unknown_type(&ty, place));
        }
        loop {
            let (name, span) = self.word("a register name")?;
            let count = if self.eat('<') {
                let count = self.unsigned("a number of registers")?;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            body.push(Statement::Registers { ty: ty.clone(), name, count, span });
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(());
            }
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction> {
        let (start, line) = (self.here().span.start, self.here().line);
        let guard = if self.eat('@') {
            let negated = self.eat('!');
            Some((self.word("a predicate")?.0, negated))
        } else {
            None
        };
        let (mnemonic, _) = self.word("an instruction")?;
        let mut operands = Vec::new();
        if !self.is_mark(';') {
            loop {
                operands.push(self.operand()?);
                if !self.eat(',') {
                    break;
                }
            }
        }
        if !self.is_mark(';') {
            return self.expected("`,` or `;`");
        }
        let end = self.next().span.end;
        Ok(Instruction { guard, mnemonic, operands, span: start..end, line })
    }

    fn operand(&mut self) -> Parsed<Operand> {
        let start = self.here().span.start;
        let kind = self.operand_kind()?;
        let end = self.tokens[self.at.saturating_sub(1)].span.end.max(start);
        Ok(Operand { kind, span: start..end })
    }

    fn operand_kind(&mut self) -> Parsed<OperandKind> {
        match self.peek().clone() {
            Token::Mark('[') => {
                self.next();
                let address = self.address()?;
                self.expect(']')?;
                Ok(address)
            }
            // The operands of a call: kept as a vector, refused by name later.
            Token::Mark('{') => self.list('}'),
            Token::Mark('(') => self.list(')'),
            Token::Mark('!') => {
                self.next();
                let (name, _) = self.word("a predicate")?;
                Ok(OperandKind::Name { name, negated: true, offset: 0 })
            }
            Token::Mark('-' | '+') => match self.tokens.get(self.at + 1).map(|t| &t.token) {
                Some(&Token::Float64(bits)) => {
                    let flip = if self.is_mark('-') { 1 << 63 } else { 0 };
                    self.next();
                    self.next();
                    Ok(OperandKind::Float64(bits ^ flip))
                }
                _ => self.signed().map(OperandKind::Integer),
            },
            Token::Integer(value) => {
                self.next();
                Ok(OperandKind::Integer(value as i64))
            }
            Token::Float32(bits) => {
                self.next();
                Ok(OperandKind::Float32(bits))
            }
            Token::Float64(bits) => {
                self.next();
                Ok(OperandKind::Float64(bits))
            }
            Token::Word(name) => {
                self.next();
                if self.eat('|') {
                    return Ok(OperandKind::Pair(name, self.word("a predicate")?.0));
                }
                if name == "_" {
                    return Ok(OperandKind::Sink);
                }
                let offset = if self.is_mark('+') || self.is_mark('-') { self.signed()? } else { 0 };
                Ok(OperandKind::Name { name, negated: false, offset })
            }
            _ => self.expected("an operand"),
        }
    }

    fn list(&mut self, close: char) -> Parsed<OperandKind> {
        self.next();
        let mut parts = Vec::new();
        while !self.is_mark(close) {
            let flat = matches!(self.peek(), Token::Word(_) | Token::Integer(_) | Token::Float32(_) | Token::Mark('-'));
            if !flat {
                return self.expected("a register or a constant");
            }
            parts.push(self.operand()?);
            if !self.eat(',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(OperandKind::Vector(parts))
    }

    fn address(&mut self) -> Parsed<OperandKind> {
        let base = match self.peek() {
            Token::Word(_) => Some(self.word("a register")?.0),
            _ => None,
        };
        let offset = if base.is_none() || self.is_mark('+') || self.is_mark('-') { self.signed()? } else { 0 };
        // Texture coordinates: `[name, {x, y}]`; refused by name later.
        while self.eat(',') {
            self.operand_in_address()?;
        }
        Ok(OperandKind::Address { base, offset })
    }

    fn operand_in_address(&mut self) -> Parsed<()> {
        if self.is_mark('[') { self.expected("a register or a vector") } else { self.operand().map(drop) }
    }
}

fn unknown_type(word: &str, span: Span) -> Problem {
    Problem::new(PtxErrorKind::Syntax, span, format!("`.{word}` is not a type that this compiler knows"))
        .help("types: .pred, .b8 .u8 .s8, .b16 .u16 .s16 .f16, .b32 .u32 .s32 .f32, .b64 .u64 .s64 .f64")
}
