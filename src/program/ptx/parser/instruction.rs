//! Instructions and their operands.

use super::*;

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> ParseResult<Instruction> {
        let (start, line) = (self.here().span.start, self.here().line);
        let guard = if self.eat('@') {
            let negated = self.eat('!');
            Some((self.word("a predicate")?.0, negated))
        } else {
            None
        };
        let (mnemonic, _) = self.word("an instruction")?;
        self.in_call = mnemonic == "call" || mnemonic.starts_with("call.");
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

    fn operand(&mut self) -> ParseResult<PtxOperand> {
        let start = self.here().span.start;
        let kind = self.operand_kind()?;
        let end = self.tokens[self.at.saturating_sub(1)].span.end.max(start);
        Ok(PtxOperand { kind, span: start..end })
    }

    fn operand_kind(&mut self) -> ParseResult<OperandKind> {
        match self.peek().clone() {
            Token::Mark('[') => {
                self.next();
                let address = self.address()?;
                self.expect(']')?;
                Ok(address)
            }
            // The operands of a call: kept as a vector, refused by name later.
            Token::Mark('{') => self.list('}'),
            Token::Mark('(') if self.in_call => self.list(')'),
            Token::Mark('!') if matches!(self.tokens.get(self.at + 1).map(|t| &t.token), Some(Token::Word(_))) => {
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
                _ => self.constant().map(OperandKind::Integer),
            },
            Token::Integer(_) | Token::Mark('(' | '~' | '!') => self.constant().map(OperandKind::Integer),
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
                let offset = self.offset()?;
                Ok(OperandKind::Name { name, negated: false, offset })
            }
            _ => self.expected("an operand"),
        }
    }

    fn list(&mut self, close: char) -> ParseResult<OperandKind> {
        self.next();
        let mut parts = Vec::new();
        while !self.is_mark(close) {
            let flat = matches!(
                self.peek(),
                Token::Word(_) | Token::Integer(_) | Token::Float32(_) | Token::Float64(_) | Token::Mark('-')
            );
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

    fn address(&mut self) -> ParseResult<OperandKind> {
        let base = match self.peek() {
            Token::Word(_) => Some(self.word("a register")?.0),
            _ => None,
        };
        let offset = if base.is_none() { self.constant()? } else { self.offset()? };
        // Texture coordinates: `[name, {x, y}]`.
        let mut coordinates = vec![];
        while self.eat(',') {
            let operand = self.operand_in_address()?;
            match operand.kind {
                OperandKind::Vector(parts) => coordinates.extend(parts),
                _ => coordinates.push(operand),
            }
        }
        match base {
            Some(name) if offset == 0 && !coordinates.is_empty() => Ok(OperandKind::Texture { name, coordinates }),
            base => Ok(OperandKind::Address { base, offset }),
        }
    }

    fn operand_in_address(&mut self) -> ParseResult<PtxOperand> {
        if self.is_mark('[') { self.expected("a register or a vector") } else { self.operand() }
    }
}
