//! Constant expressions: integers of 64 bits with the operators of C, as everywhere a constant may stand.

use super::{super::types::TypeFamily, *};

/// Nested parentheses and signs: more are refused, so that no file exhausts the stack.
const DEEPEST: u32 = 64;

/// A value, and whether it counts as unsigned.
#[derive(Clone, Copy)]
struct Constant {
    value: i64,
    unsigned: bool,
}

/// Binary operators by how strongly they bind, the weakest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
/// Sums.
const SUM: usize = 8;

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn constant(&mut self) -> ParseResult<i64> {
        Ok(self.choice(0)?.value)
    }

    /// What follows a name: `+ 4`, `- 8 * 2`; nothing is 0.
    pub(super) fn offset(&mut self) -> ParseResult<i64> {
        let mut sum = 0i64;
        loop {
            if self.eat('+') {
                sum = sum.wrapping_add(self.binary(SUM + 1, 0)?.value);
            } else if self.eat('-') {
                sum = sum.wrapping_sub(self.binary(SUM + 1, 0)?.value);
            } else {
                return Ok(sum);
            }
        }
    }

    fn deeper(&self, depth: u32) -> ParseResult<u32> {
        match depth < DEEPEST {
            true => Ok(depth + 1),
            false => {
                let span = self.here().span.clone();
                Err(Problem::new(PtxErrorKind::Syntax, span, format!("an expression nested more than {DEEPEST} times")))
            }
        }
    }

    fn choice(&mut self, depth: u32) -> ParseResult<Constant> {
        let depth = self.deeper(depth)?;
        let condition = self.binary(0, depth)?;
        if !self.eat('?') {
            return Ok(condition);
        }
        let yes = self.choice(depth)?;
        self.expect(':')?;
        let no = self.choice(depth)?;
        Ok(if condition.value != 0 { yes } else { no })
    }

    fn is_operator(&self, operator: &str) -> bool {
        operator
            .chars()
            .enumerate()
            .all(|(i, mark)| self.tokens.get(self.at + i).is_some_and(|placed| placed.token == Token::Mark(mark)))
    }

    /// The operator of a level that stands here.
    fn operator(&self, level: usize) -> Option<&'static str> {
        let found = LEVELS[level].iter().find(|operator| self.is_operator(operator))?;
        // `a & b` is not the start of `a && b`, nor `a < b` that of `a << b`.
        let doubled = found.len() == 1 && "&|<>".contains(found) && self.is_operator(&found.repeat(2));
        (!doubled).then_some(found)
    }

    fn binary(&mut self, level: usize, depth: u32) -> ParseResult<Constant> {
        if level == LEVELS.len() {
            return self.unary(depth);
        }
        let mut left = self.binary(level + 1, depth)?;
        while let Some(operator) = self.operator(level) {
            let start = self.here().span.start;
            operator.chars().for_each(|_| {
                self.next();
            });
            let right = self.binary(level + 1, depth)?;
            let end = self.tokens[self.at.saturating_sub(1)].span.end.max(start);
            left = combine(operator, left, right)
                .ok_or_else(|| Problem::new(PtxErrorKind::Syntax, start..end, "a division by zero"))?;
        }
        Ok(left)
    }

    fn unary(&mut self, depth: u32) -> ParseResult<Constant> {
        let depth = self.deeper(depth)?;
        let signed = |value: i64| Constant { value, unsigned: false };
        if self.eat('-') {
            let of = self.unary(depth)?;
            return Ok(Constant { value: of.value.wrapping_neg(), ..of });
        }
        if self.eat('+') {
            return self.unary(depth);
        }
        if self.eat('~') {
            let of = self.unary(depth)?;
            return Ok(Constant { value: !of.value, ..of });
        }
        if self.eat('!') {
            return Ok(signed((self.unary(depth)?.value == 0).into()));
        }
        if self.eat('(') {
            if let Token::Directive(ty) = self.peek().clone() {
                let Some(ty) = ScalarType::named(&ty).filter(|ty| ty.family() == TypeFamily::Integer) else {
                    return self.expected("an integer type");
                };
                self.next();
                self.expect(')')?;
                return Ok(Constant { unsigned: !ty.is_signed(), ..self.unary(depth)? });
            }
            let inner = self.choice(depth)?;
            self.expect(')')?;
            return Ok(inner);
        }
        if matches!(self.peek(), Token::Word(name) if name == "WARP_SZ") {
            self.next();
            return Ok(signed(32));
        }
        let value = self.unsigned("an integer")?;
        Ok(Constant { value: value as i64, unsigned: value > i64::MAX as u64 })
    }
}

/// `None`: a division by zero.
fn combine(operator: &str, left: Constant, right: Constant) -> Option<Constant> {
    let (a, b) = (left.value, right.value);
    let unsigned = left.unsigned || right.unsigned;
    let (ua, ub) = (a as u64, b as u64);
    let order = if unsigned { ua.cmp(&ub) } else { a.cmp(&b) };
    let truth = |is: bool| Some(Constant { value: is.into(), unsigned: false });
    // Shifts take the type of what is shifted.
    let shift = |value: i64| Some(Constant { value, unsigned: left.unsigned });
    let value = match operator {
        "||" => return truth(a != 0 || b != 0),
        "&&" => return truth(a != 0 && b != 0),
        "==" => return truth(a == b),
        "!=" => return truth(a != b),
        "<" => return truth(order.is_lt()),
        "<=" => return truth(order.is_le()),
        ">" => return truth(order.is_gt()),
        ">=" => return truth(order.is_ge()),
        "<<" => return shift(if ub < 64 { a << ub } else { 0 }),
        ">>" if left.unsigned => return shift(if ub < 64 { (ua >> ub) as i64 } else { 0 }),
        ">>" => return shift(a >> ub.min(63)),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" if unsigned => ua.checked_div(ub)? as i64,
        "%" if unsigned => ua.checked_rem(ub)? as i64,
        "/" if b != 0 => a.wrapping_div(b),
        "%" if b != 0 => a.wrapping_rem(b),
        _ => return None,
    };
    Some(Constant { value, unsigned })
}
