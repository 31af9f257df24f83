//! Text to tokens. A name carries its dotted tail (`setp.lt.s32`, `%tid.x`); comments and white space vanish.

use super::super::error::{Problem, PtxErrorKind};
use super::ast::Span;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// `add.s32`, `%r1`, `%tid.x`, `LBB0_2`.
    Word(String),
    /// `.reg`, with its dot cut off.
    Directive(String),
    /// An unsigned integer constant.
    Integer(u64),
    /// `0f3f800000`
    Float32(u32),
    /// `0d3ff0000000000000`, `1.5`
    Float64(u64),
    /// `"text"`
    Text,
    /// One of `{}[]()<>,;:|!@=+-*/%&^~?`
    Mark(char),
    /// What is no token of PTX, and why.
    Bad(String),
    /// End of the file.
    End,
}

/// A token with its place and line (from 1).
#[derive(Debug, Clone)]
pub struct Placed {
    /// What.
    pub token: Token,
    /// Where.
    pub span: Span,
    /// Line.
    pub line: u32,
}

/// All tokens of the text, closed by [`Token::End`].
pub(crate) fn tokens(source: &str) -> Result<Vec<Placed>, Problem> {
    let mut lexer = Lexer { source, bytes: source.as_bytes(), at: 0, line: 1 };
    let mut out = Vec::new();
    loop {
        lexer.skip_blank()?;
        let (start, line) = (lexer.at, lexer.line);
        // Only the kernel that it stands in suffers.
        let token = lexer.token().unwrap_or_else(|problem| Token::Bad(problem.message));
        let end = token == Token::End;
        out.push(Placed { token, span: start..lexer.at, line });
        if end {
            return Ok(out);
        }
    }
}

struct Lexer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn problem(&self, start: usize, message: impl Into<String>) -> Problem {
        Problem::new(PtxErrorKind::Syntax, start..self.at.max(start + 1), message)
    }

    fn skip_blank(&mut self) -> Result<(), Problem> {
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r' | 0x0c, _) => self.at += 1,
                (b'/', b'/') => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    let start = self.at;
                    let Some(length) = self.source[start + 2..].find("*/") else {
                        return Err(self.problem(start, "comment without an end"));
                    };
                    self.at += length + 4;
                    self.line += self.source[start..self.at].matches('\n').count() as u32;
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && keep(self.peek(0)) {
            self.at += 1;
        }
    }

    fn token(&mut self) -> Result<Token, Problem> {
        let start = self.at;
        let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
        match self.peek(0) {
            _ if start >= self.bytes.len() => Ok(Token::End),
            b'0'..=b'9' => self.number(),
            b'.' => {
                self.at += 1;
                self.take_while(part);
                if self.at == start + 1 {
                    return Err(self.problem(start, "a dot without a name"));
                }
                Ok(Token::Directive(self.source[start + 1..self.at].into()))
            }
            first if part(first) || first == b'%' && part(self.peek(1)) => {
                self.at += 1;
                self.take_while(part);
                while self.peek(0) == b'.' && part(self.peek(1)) {
                    self.at += 1;
                    self.take_while(part);
                }
                // `.global::cta`-style qualifiers belong to the mnemonic, too.
                while self.peek(0) == b':' && self.peek(1) == b':' && part(self.peek(2)) {
                    self.at += 2;
                    self.take_while(|b| part(b) || b == b'.');
                }
                Ok(Token::Word(self.source[start..self.at].into()))
            }
            b'"' => {
                self.at += 1;
                self.take_while(|b| b != b'"' && b != b'\n');
                if self.peek(0) != b'"' {
                    return Err(self.problem(start, "text without a closing quotation mark"));
                }
                self.at += 1;
                Ok(Token::Text)
            }
            mark if b"{}[]()<>,;:|!@=+-*/%&^~?".contains(&mark) => {
                self.at += 1;
                Ok(Token::Mark(mark as char))
            }
            _ => {
                let c = self.source[start..].chars().next().unwrap_or(' ');
                self.at += c.len_utf8();
                Err(self.problem(start, format!("character {c:?} has no place in PTX")))
            }
        }
    }

    fn number(&mut self) -> Result<Token, Problem> {
        let start = self.at;
        self.take_while(|b| b.is_ascii_alphanumeric());
        let radix_digits = |text: &str| {
            let lower = text.to_ascii_lowercase();
            let lower = lower.strip_suffix('u').unwrap_or(&lower).to_string();
            let (radix, digits) = if let Some(d) = lower.strip_prefix("0x") {
                (16, d.to_string())
            } else if let Some(d) = lower.strip_prefix("0b") {
                (2, d.to_string())
            } else if lower.len() > 1 && lower.starts_with('0') {
                (8, lower[1..].to_string())
            } else {
                (10, lower)
            };
            u64::from_str_radix(&digits, radix)
        };
        let text = &self.source[start..self.at];
        let bad = |l: &Self, what: &str| l.problem(start, format!("`{}` is not {what}", &l.source[start..l.at]));
        if let Some(hex) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
            let bits = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 8);
            return bits
                .map(Token::Float32)
                .ok_or_else(|| bad(self, "a single-precision constant (0f and 8 hex digits)"));
        }
        if let Some(hex) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0D")) {
            let bits = u64::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 16);
            return bits
                .map(Token::Float64)
                .ok_or_else(|| bad(self, "a double-precision constant (0d and 16 hex digits)"));
        }
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.take_while(|b| b.is_ascii_alphanumeric());
            if matches!(self.bytes[self.at - 1], b'e' | b'E') && matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
                self.take_while(|b| b.is_ascii_digit());
            }
            let value = self.source[start..self.at].parse::<f64>();
            return value.map(|v| Token::Float64(v.to_bits())).map_err(|_| bad(self, "a number"));
        }
        radix_digits(text).map(Token::Integer).map_err(|_| bad(self, "a 64-bit integer"))
    }
}
