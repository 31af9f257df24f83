//! The width of an expression, by the precedence of Verilog's operators; all operands have to be as wide as they are
//! meant.

use super::{
    Fault,
    items::VerilogReader,
    scope::{Declared, NameKind},
    tokens::Token,
};

/// What an expression gives; the width is not known where a fault has been found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WidthAndSign {
    pub(super) width: Option<u32>,
    /// It is computed as a signed number, unless something unsigned stands beside it.
    signed: bool,
}

impl WidthAndSign {
    /// Something unsigned.
    pub(super) fn of(width: Option<u32>) -> Self {
        Self { width, signed: false }
    }

    fn bits(width: u32) -> Self {
        Self::of(Some(width))
    }
}

/// How strongly an operator binds, if `symbol` is one between two operands.
fn strength(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "*" => 9,
        "+" | "-" => 8,
        "<<" | ">>" | ">>>" => 7,
        "<" | ">=" | ">" | "<=" => 6,
        "==" | "!=" => 5,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        _ => return None,
    })
}

/// Bits that count `of` things from 0.
fn index_bits(of: u64) -> u32 {
    of.max(2).next_power_of_two().trailing_zeros()
}

impl<'t> VerilogReader<'t, '_> {
    /// An expression, up to what cannot belong to it.
    pub(super) fn expression(&mut self) -> Result<WidthAndSign, Fault> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        self.is_bit(condition, "a condition");
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.expression()?;
        Ok(self.alike("?:", then, otherwise))
    }

    fn binary(&mut self, least: u8) -> Result<WidthAndSign, Fault> {
        let mut left = self.unary()?;
        while let Token::Symbol(symbol) = self.peek()
            && let Some(own) = strength(symbol).filter(|&own| own > least)
        {
            self.next();
            let right = self.binary(own)?;
            left = match symbol {
                "<<" | ">>" | ">>>" => {
                    if right.signed || left.signed != (symbol == ">>>") {
                        self.fault(format!(
                            "`{symbol}` of a number that is {}signed",
                            if left.signed { "" } else { "un" }
                        ));
                    }
                    left
                }
                "<" | ">=" | ">" | "<=" => {
                    if left.signed != right.signed {
                        self.fault(format!("one side of `{symbol}` is signed"));
                    }
                    self.same_width(symbol, left, right);
                    WidthAndSign::bits(1)
                }
                "==" | "!=" => {
                    self.alike(symbol, left, right);
                    WidthAndSign::bits(1)
                }
                _ => self.alike(symbol, left, right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<WidthAndSign, Fault> {
        let Token::Symbol(symbol @ ("!" | "~" | "&" | "|" | "^")) = self.peek() else { return self.primary() };
        self.next();
        let value = self.unary()?;
        match symbol {
            "!" => self.is_bit(value, "what `!` negates"),
            "~" => return Ok(WidthAndSign { signed: false, ..value }),
            _ => {}
        }
        Ok(WidthAndSign::bits(1))
    }

    fn primary(&mut self) -> Result<WidthAndSign, Fault> {
        match self.peek() {
            Token::Literal(width) => {
                self.next();
                Ok(WidthAndSign::bits(width))
            }
            Token::Symbol("(") => {
                self.next();
                let value = self.expression()?;
                self.expect(")")?;
                Ok(value)
            }
            Token::Symbol("{") => self.join(),
            Token::System("$signed") => {
                self.next();
                self.expect("(")?;
                let value = self.expression()?;
                self.expect(")")?;
                Ok(WidthAndSign { signed: true, ..value })
            }
            _ => {
                let name = self.name()?;
                let line = self.line();
                match self.scope.find_as(name, line, "a value", |kind| {
                    !matches!(kind, NameKind::Instance | NameKind::Genvar { .. })
                }) {
                    Some(declared) => self.selected(name, &declared),
                    None => self.skip_selections(),
                }
            }
        }
    }

    /// `{a, b, c}` or `{3{a}}`.
    fn join(&mut self) -> Result<WidthAndSign, Fault> {
        self.expect("{")?;
        if let Token::Number(count) = self.peek() {
            self.next();
            self.expect("{")?;
            let value = self.expression()?;
            self.expect("}")?;
            self.expect("}")?;
            let width = value.width.and_then(|width| width.checked_mul(u32::try_from(count).ok()?));
            return Ok(WidthAndSign::of(width));
        }
        let mut total = Some(0);
        loop {
            let part = self.expression()?;
            total = total.zip(part.width).and_then(|(a, b): (u32, u32)| a.checked_add(b));
            if !self.take(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(WidthAndSign::of(total))
    }

    /// The part of `name` that follows it: a word of a memory, bits of it or of a vector, or all of it.
    pub(super) fn selected(&mut self, name: &'t str, declared: &Declared) -> Result<WidthAndSign, Fault> {
        if let NameKind::Memory { depth } = declared.kind {
            if !self.take("[") {
                self.fault(format!("the memory `{name}` is used without an index"));
                return Ok(WidthAndSign::of(None));
            }
            let index = self.expression()?;
            self.expect("]")?;
            let wanted = index_bits(depth);
            if index.width.is_some_and(|width| width != wanted) {
                self.fault(format!("{} bits index the {depth} words of `{name}`", index.width.unwrap_or(0)));
            }
        }
        self.bits(name, declared.width)
    }

    /// `[3]`, `[7:4]`, `[offset +: 8]`, `[offset]`, `[genvar]`, `[genvar * 8 +: 8]`, or nothing, behind a vector of `total` bits.
    fn bits(&mut self, name: &'t str, total: u32) -> Result<WidthAndSign, Fault> {
        if !self.take("[") {
            return Ok(WidthAndSign::bits(total));
        }
        if total == 1 {
            self.fault(format!("`{name}` has one bit and is no vector"));
        }
        let width = if let Token::Number(first) = self.peek() {
            self.next();
            let last = if self.take(":") { self.number()? } else { first };
            if first >= u64::from(total) || last > first {
                self.fault(format!("bits {first}:{last} of `{name}`, which has {total}"));
            }
            first.saturating_sub(last) + 1
        } else if let Token::Word(genvar) = self.peek()
            && let Some(iterations) = self.scope.iterations(genvar)
        {
            self.next();
            let last = if self.take("*") {
                (iterations - 1).saturating_mul(self.number()?)
            } else if self.take("/") {
                (iterations - 1) / self.number()?.max(1)
            } else {
                iterations - 1
            };
            let width = if self.take("+:") { self.number()? } else { 1 };
            // Every lane of a word is read and written.
            if last.saturating_add(width) != u64::from(total) {
                self.fault(format!(
                    "the last of {iterations} iterations is at bit {last}, {width} wide, of `{name}`, which has {total}"
                ));
            }
            width
        } else {
            let offset = self.expression()?;
            let width = if self.take("+:") { self.number()? } else { 1 };
            let reach = offset.width.map(|w| index_bits(total.into()).cmp(&w));
            if width > u64::from(total) || reach.is_some_and(|order| order.is_ne()) {
                let offset = offset.width.unwrap_or(0);
                self.fault(format!("{width} of {total} bits of `{name}` from an offset of {offset} bits"));
            }
            width
        };
        self.expect("]")?;
        Ok(WidthAndSign::bits(width as u32))
    }

    /// Reads over the parts of something that is not known.
    fn skip_selections(&mut self) -> Result<WidthAndSign, Fault> {
        while self.take("[") {
            if let Token::Number(_) = self.peek() {
                self.next();
            } else {
                self.expression()?;
            }
            if self.take(":") || self.take("+:") {
                self.number()?;
            }
            self.expect("]")?;
        }
        Ok(WidthAndSign::of(None))
    }

    /// Both operands of `symbol` are as wide, and no signed number is among them: it would be computed as an unsigned one.
    fn alike(&mut self, symbol: &str, left: WidthAndSign, right: WidthAndSign) -> WidthAndSign {
        if left.signed || right.signed {
            self.fault(format!("an operand of `{symbol}` is signed"));
        }
        self.same_width(symbol, left, right);
        WidthAndSign::of(left.width.or(right.width))
    }

    fn same_width(&mut self, symbol: &str, left: WidthAndSign, right: WidthAndSign) {
        if let (Some(a), Some(b)) = (left.width, right.width)
            && a != b
        {
            self.fault(format!("widths {a} and {b} on the two sides of `{symbol}`"));
        }
    }

    pub(super) fn is_bit(&mut self, value: WidthAndSign, what: &str) {
        if let Some(width) = value.width.filter(|&width| width != 1) {
            self.fault(format!("{what} has {width} bits"));
        }
    }
}
