//! Constants in rust-hdl's texts.

use hdl::Bits;
use rust_hdl::prelude::VerilogLiteral;

/// A constant as rust-hdl prints it: `8'hff`, `3'b101`, `8'h-5`, `12`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    /// Declared bits; 64 for a plain number.
    pub width: u32,
    negative: bool,
    magnitude: Vec<u64>,
}

impl Literal {
    /// The value of an AST literal, whose fields are private: its text tells.
    pub fn of(literal: &VerilogLiteral) -> Option<Self> {
        Self::parse(&format!("{literal:x}"))
    }

    /// Reads a Verilog or Rust literal.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.replace('_', "");
        let (width, radix, digits) = match plain.split_once('\'') {
            Some((width, rest)) => {
                let radix = match rest.chars().next()? {
                    'h' => 16,
                    'b' => 2,
                    'd' => 10,
                    _ => return None,
                };
                (width.parse().ok()?, radix, &rest[1..])
            }
            None => rust_number(&plain)?,
        };
        let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest));
        let mut magnitude = vec![0_u64];
        if digits.is_empty() {
            return None;
        }
        for c in digits.chars() {
            let mut carry = u128::from(c.to_digit(radix)?);
            for word in &mut magnitude {
                let sum = u128::from(*word) * u128::from(radix) + carry;
                *word = sum as u64;
                carry = sum >> 64;
            }
            if carry > 0 {
                magnitude.push(carry as u64);
            }
        }
        Some(Self { width, negative, magnitude })
    }

    /// In two's complement; bits that do not fit are dropped.
    pub fn bits(&self, width: u32) -> Bits {
        if !self.negative {
            return Bits::from_words(width, &self.magnitude);
        }
        let mut words = vec![0; (width as usize).div_ceil(64)];
        let mut carry = true;
        for (i, word) in words.iter_mut().enumerate() {
            let (sum, over) = (!self.magnitude.get(i).copied().unwrap_or(0)).overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over);
        }
        Bits::from_words(width, &words)
    }

    /// As an integer, when it fits.
    pub fn integer(&self) -> Option<i128> {
        let [low, high] = [0, 1].map(|i| u128::from(self.magnitude.get(i).copied().unwrap_or(0)));
        let value = i128::try_from(high << 64 | low).ok().filter(|_| self.magnitude.len() <= 2)?;
        Some(if self.negative { -value } else { value })
    }
}

/// `0x1f`, `0b11`, `12u8` as (width, radix, digits).
fn rust_number(text: &str) -> Option<(u32, u32, &str)> {
    let text = match text {
        "true" => return Some((1, 2, "1")),
        "false" => return Some((1, 2, "0")),
        other => other,
    };
    let suffixes = ["usize", "u128", "u64", "u32", "u16", "i32", "i64", "u8"];
    let digits = suffixes.iter().find_map(|s| text.strip_suffix(s)).unwrap_or(text);
    let radix = [("0x", 16), ("0b", 2), ("0o", 8)];
    let found = radix.iter().find_map(|(prefix, radix)| digits.strip_prefix(prefix).map(|rest| (*radix, rest)));
    let (radix, digits) = found.unwrap_or((10, digits));
    Some((64, radix, digits))
}

/// `Bits` of an integer; `None` when it does not fit.
pub(super) fn integer_bits(value: i128, width: u32) -> Option<Bits> {
    let fits = match value {
        0.. => width >= 127 || value >> width == 0,
        _ => width >= 128 || width > 0 && value >> (width - 1) == -1,
    };
    let fill = if value < 0 { u64::MAX } else { 0 };
    let mut words = vec![value as u64, (value >> 64) as u64];
    words.resize((width as usize).div_ceil(64).max(2), fill);
    fits.then(|| Bits::from_words(width, &words))
}

/// An index as written in Rust (`i`, `(i+1)`, `2*i`), with loop variables replaced by `lookup`.
pub(super) fn index(text: &str, lookup: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    let mut rest = text;
    let value = sum(&mut rest, lookup)?;
    rest.trim().is_empty().then_some(value)
}

fn sum(rest: &mut &str, lookup: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    let mut value = product(rest, lookup)?;
    while let Some(op) = take(rest, &['+', '-']) {
        let right = product(rest, lookup)?;
        value = if op == '+' { value.checked_add(right)? } else { value.checked_sub(right)? };
    }
    Some(value)
}

fn product(rest: &mut &str, lookup: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    let mut value = term(rest, lookup)?;
    while let Some(op) = take(rest, &['*', '/', '%']) {
        let right = term(rest, lookup)?;
        value = match op {
            '*' => value.checked_mul(right)?,
            '/' => value.checked_div(right)?,
            _ => value.checked_rem(right)?,
        };
    }
    Some(value)
}

fn term(rest: &mut &str, lookup: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    if take(rest, &['(']).is_some() {
        let value = sum(rest, lookup)?;
        take(rest, &[')'])?;
        return Some(value);
    }
    let text = rest.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let word = &text[..end];
    *rest = &text[end..];
    lookup(word).or_else(|| Literal::parse(word)?.integer())
}

fn take(rest: &mut &str, wanted: &[char]) -> Option<char> {
    let text = rest.trim_start();
    let first = text.chars().next().filter(|c| wanted.contains(c))?;
    *rest = &text[1..];
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_rust_hdl_prints() {
        let value = |text: &str, width| Literal::parse(text).map(|l| l.bits(width).to_u64());
        assert_eq!(value("8'hff", 8), Some(0xff));
        assert_eq!(value("3'b101", 3), Some(5));
        assert_eq!(value("8'h-5", 8), Some(0xfb));
        assert_eq!(value("0x1F_u8", 64), Some(31));
        assert_eq!(value("true", 1), Some(1));
        assert_eq!(value("x", 1), None);
        assert_eq!(
            Literal::parse("100'h-1").map(|l| l.bits(100)),
            Some(Bits::ones(100)),
            "a negative wide value is sign-extended"
        );
    }

    #[test]
    fn evaluates_indices() {
        let i = |name: &str| (name == "i").then_some(5);
        assert_eq!(index("(i+1)", &i), Some(6));
        assert_eq!(index("2*i - 3", &i), Some(7));
        assert_eq!(index("i % 3", &i), Some(2));
        assert_eq!(index("j", &i), None);
        assert_eq!(index("1/0", &i), None);
    }
}
