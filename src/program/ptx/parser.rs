//! Tokens to syntax tree, by recursive descent: a file and the statements of its kernels here, [`declaration`]s,
//! [`instruction`]s.

mod constant;
mod declaration;
mod function;
mod instruction;

use super::super::error::{Problem, PtxErrorKind};
use super::ast::*;
use super::lexer::{Placed, Token, tokens};
use super::types::{DeclaredType, ScalarType, StateSpace};

/// Reads a PTX file.
pub(crate) fn parse(source: &str) -> Result<PtxModule, Problem> {
    let mut parser = Parser { source, tokens: tokens(source)?, at: 0, in_call: false };
    let mut module = PtxModule::default();
    while *parser.peek() != Token::End {
        parser.module_item(&mut module)?;
    }
    Ok(module)
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Placed>,
    at: usize,
    /// Parentheses hold operands.
    in_call: bool,
}

type ParseResult<T> = Result<T, Problem>;

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

    fn expected<T>(&self, what: &str) -> ParseResult<T> {
        let placed = self.here();
        let found = match &placed.token {
            Token::End => "the end of the file".into(),
            Token::Bad(message) => {
                return Err(Problem::new(PtxErrorKind::Syntax, placed.span.clone(), message.clone()));
            }
            _ => format!("`{}`", &self.source[placed.span.clone()]),
        };
        Err(Problem::new(PtxErrorKind::Syntax, placed.span.clone(), format!("expected {what}, found {found}")))
    }

    fn expect(&mut self, mark: char) -> ParseResult<Span> {
        if self.is_mark(mark) { Ok(self.next().span) } else { self.expected(&format!("`{mark}`")) }
    }

    fn word(&mut self, what: &str) -> ParseResult<(String, Span)> {
        match self.peek() {
            Token::Word(_) => {
                let placed = self.next();
                let Token::Word(word) = placed.token else { return self.expected(what) };
                Ok((word, placed.span))
            }
            _ => self.expected(what),
        }
    }

    fn directive(&mut self, what: &str) -> ParseResult<(String, Span)> {
        match self.peek() {
            Token::Directive(_) => {
                let placed = self.next();
                let Token::Directive(word) = placed.token else { return self.expected(what) };
                Ok((word, placed.span))
            }
            _ => self.expected(what),
        }
    }

    fn unsigned(&mut self, what: &str) -> ParseResult<u64> {
        match *self.peek() {
            Token::Integer(value) => {
                self.next();
                Ok(value)
            }
            _ => self.expected(what),
        }
    }

    fn skip_line(&mut self) {
        let line = self.here().line;
        self.skip_rest_of(line);
    }

    fn skip_rest_of(&mut self, line: u32) {
        while self.here().line == line && *self.peek() != Token::End {
            self.next();
        }
    }

    /// Skips `{ ... }`, nested ones included.
    fn skip_braces(&mut self) -> ParseResult<()> {
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

    fn skip_past(&mut self, mark: char) -> ParseResult<()> {
        while !self.is_mark(mark) {
            if *self.peek() == Token::End {
                return self.expected(&format!("`{mark}`"));
            }
            self.next();
        }
        self.next();
        Ok(())
    }

    fn module_item(&mut self, module: &mut PtxModule) -> ParseResult<()> {
        let line = self.here().line;
        let Token::Directive(name) = self.peek().clone() else {
            return self.expected("a directive such as `.version` or `.entry`");
        };
        match name.as_str() {
            "address_size" => {
                self.next();
                module.address_bits = match *self.peek() {
                    Token::Integer(bits @ (32 | 64)) => bits as u32,
                    _ => return self.expected("32 or 64"),
                };
                self.skip_rest_of(line);
            }
            "version" | "target" | "file" | "loc" => self.skip_rest_of(line),
            "visible" | "weak" | "common" | "internal" => {
                self.next();
            }
            "extern" => {
                self.next();
                if matches!(self.peek(), Token::Directive(space) if matches!(space.as_str(), "global" | "const")) {
                    module.variables.extend(self.variables()?.into_iter().map(Variable::elsewhere));
                }
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
            "pragma" | "alias" | "branchtargets" | "calltargets" | "callprototype" => self.skip_past(';')?,
            "shared" | "global" | "const" | "tex" | "local" => module.variables.extend(self.variables()?),
            _ => {
                let problem = self.expected::<()>(
                    "`.version`, `.target`, `.address_size`, `.visible`, `.entry`, `.func`, `.shared`, `.global`, `.const`, \
                     `.pragma`, `.section` or `.file`",
                );
                module.problem = module.problem.take().or(problem.err());
                self.skip_unknown();
            }
        }
        Ok(())
    }

    /// Skips a directive that nobody knows: up to its semicolon, past its braces, or to the next one at the start of a line.
    fn skip_unknown(&mut self) {
        let mut line = self.next().line;
        loop {
            let here = self.here();
            let known = matches!(&here.token, Token::Directive(_)) && here.line != line;
            line = here.line;
            match here.token {
                Token::End => return,
                _ if known => return,
                // Braces without an end: the rest of the file is skipped.
                Token::Mark('{') => return self.skip_braces().unwrap_or(()),
                Token::Mark(';') => {
                    self.next();
                    return;
                }
                _ => {
                    self.next();
                }
            }
        }
    }

    fn entry(&mut self) -> ParseResult<Entry> {
        let (name, span) = self.word("the name of the kernel")?;
        let (mut params, mut unsupported) = (Vec::new(), None);
        if self.is_mark('(') {
            (params, unsupported) = self.params()?;
        }
        // Performance directives: none changes what the kernel computes.
        while !self.is_mark('{') {
            let (word, place) = self.directive("`{`")?;
            const HARMLESS: [&str; 7] =
                ["maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "noreturn", "pragma"];
            if !HARMLESS.contains(&word.as_str()) {
                let message = format!("`.{word}` is not supported between a kernel's parameters and its body");
                let help = format!("supported (and ignored): .{}", HARMLESS.join(", ."));
                let problem = Problem::new(PtxErrorKind::Unsupported, place, message).help(help);
                unsupported = unsupported.or(Some(problem));
            }
            while matches!(self.peek(), Token::Integer(_) | Token::Text | Token::Mark(',' | ';')) {
                self.next();
            }
        }
        let (body, problem) = self.body()?;
        Ok(Entry { name, span, params, body, unsupported: unsupported.or(problem) })
    }

    /// Statements in braces. What is wrong with them is a problem of who uses them; they end where the braces do.
    fn body(&mut self) -> ParseResult<(Vec<Statement>, Option<Problem>)> {
        let start = self.at;
        match self.statements() {
            Ok(body) => Ok((body, None)),
            Err(problem) => {
                self.at = start;
                // No end in sight: the file ends within these braces, and so they are to blame.
                self.skip_braces().map_err(|_| problem.clone())?;
                Ok((vec![], Some(problem)))
            }
        }
    }

    fn statements(&mut self) -> ParseResult<Vec<Statement>> {
        self.expect('{')?;
        let mut body = Vec::new();
        let mut depth = 0;
        loop {
            if self.eat('{') {
                depth += 1;
                body.push(Statement::ScopeBegin);
            } else if self.eat('}') {
                if depth == 0 {
                    return Ok(body);
                }
                depth -= 1;
                body.push(Statement::ScopeEnd);
            } else {
                self.statement(&mut body)?;
            }
        }
    }

    fn statement(&mut self, body: &mut Vec<Statement>) -> ParseResult<()> {
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
                "pragma" => self.skip_past(';'),
                "branchtargets" | "calltargets" => self.targets(body),
                "callprototype" => self.prototype(body),
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
}
