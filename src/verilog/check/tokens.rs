//! The tokens of printed Verilog, with or without what stands under the macro of assertions.

use super::Fault;

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A name or keyword.
    Word(&'t str),
    /// A name written with a backslash, so no keyword.
    Escaped(&'t str),
    /// `$signed`, `$display`, ...
    System(&'t str),
    /// A plain decimal number: bounds, counts, positions.
    Number(u64),
    /// A literal with its width.
    Literal(u32),
    /// A text in quotes.
    Text,
    /// An operator or bracket.
    Symbol(&'static str),
    /// Nothing is left.
    End,
}

impl Token<'_> {
    /// As messages show it.
    pub(super) fn text(self) -> String {
        match self {
            Token::Word(text) | Token::Escaped(text) | Token::System(text) => format!("`{text}`"),
            Token::Number(value) => format!("the number {value}"),
            Token::Literal(width) => format!("a constant of {width} bits"),
            Token::Text => "a text".into(),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the file".into(),
        }
    }
}

/// Longer ones first.
const SYMBOLS: [&str; 32] = [
    ">>>", "<<", ">>", "<=", ">=", "==", "!=", "+:", "(", ")", "[", "]", "{", "}", ";", ",", ".", ":", "?", "=", "@",
    "+", "-", "*", "/", "<", ">", "&", "|", "^", "~", "!",
];

/// The tokens of `text` with their lines, an [`Token::End`] last; `defined`: the macro `guard` is defined.
pub(super) fn tokens<'t>(text: &'t str, guard: &str, defined: bool) -> Result<Vec<(Token<'t>, usize)>, Fault> {
    let mut found = vec![];
    let (mut in_comment, mut guarded, mut skipping) = (false, false, false);
    let mut lines = 0;
    for (at, line) in text.lines().enumerate() {
        lines = at + 1;
        let mut rest = line;
        if !in_comment && let Some(directive) = line.trim_start().strip_prefix('`') {
            match directive.trim_end().split_once(' ').unwrap_or((directive.trim_end(), "")) {
                ("ifdef", name) if name == guard && !guarded => (guarded, skipping) = (true, !defined),
                ("endif", "") if guarded => (guarded, skipping) = (false, false),
                ("default_nettype", "none" | "wire") => {}
                _ => {
                    return Err(Fault::at(
                        lines,
                        format!("the directive `{directive} does not stand here in what is printed"),
                    ));
                }
            }
            continue;
        }
        if skipping {
            continue;
        }
        loop {
            if in_comment {
                let Some((_, after)) = rest.split_once("*/") else { break };
                (rest, in_comment) = (after, false);
            }
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with("//") {
                break;
            }
            if let Some(after) = rest.strip_prefix("/*") {
                (rest, in_comment) = (after, true);
                continue;
            }
            // An attribute begins and ends in one line, and declares nothing.
            if let Some((_, after)) = rest.strip_prefix("(* ").and_then(|inner| inner.split_once(" *)")) {
                rest = after;
                continue;
            }
            let (token, after) = token(rest).map_err(|message| Fault::at(lines, message))?;
            found.push((token, lines));
            rest = after;
        }
    }
    if guarded {
        return Err(Fault::at(lines, format!("an `ifdef {guard} without its `endif")));
    }
    found.push((Token::End, lines));
    Ok(found)
}

/// The first token of `text`, which is not empty, and what follows it.
fn token(text: &str) -> Result<(Token<'_>, &str), String> {
    let word = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let first = text.chars().next().unwrap_or_default();
    if first == '\\' {
        // The end of the line is a blank, too.
        return Ok(text[1..]
            .split_once(' ')
            .map_or((Token::Escaped(&text[1..]), ""), |(n, after)| (Token::Escaped(n), after)));
    }
    if first == '"' {
        let mut escaped = false;
        let end = text[1..].find(|c: char| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let end = end.ok_or("a text without its end")?;
        return Ok((Token::Text, &text[end + 2..]));
    }
    if first == '$' {
        let end = 1 + word(&text[1..]);
        return Ok((Token::System(&text[..end]), &text[end..]));
    }
    if first.is_ascii_digit() {
        return number(text);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let end = word(text);
        return Ok((Token::Word(&text[..end]), &text[end..]));
    }
    let symbol = SYMBOLS.iter().find(|symbol| text.starts_with(**symbol));
    let symbol = symbol.ok_or_else(|| format!("`{first}` is not Verilog"))?;
    Ok((Token::Symbol(symbol), &text[symbol.len()..]))
}

/// `12`, `4'hf`, `1'b0` or `1'bx`; digits that do not fit the width are an error.
fn number(text: &str) -> Result<(Token<'_>, &str), String> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    let (decimal, after) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let Some(value) = after.strip_prefix('\'') else {
        let value = decimal.parse().map_err(|_| format!("{decimal} is too large"))?;
        return Ok((Token::Number(value), after));
    };
    let width: u32 = decimal.parse().ok().filter(|&w| w > 0).ok_or_else(|| format!("{decimal} is no width"))?;
    // The unknown bit, of which tables make what no row has.
    if let Some(after) = value.strip_prefix("bx").filter(|_| width == 1) {
        return Ok((Token::Literal(width), after));
    }
    let per_digit = match value.chars().next() {
        Some('h') => 4,
        Some('b') => 1,
        _ => return Err(format!("{decimal}' is followed by neither h nor b")),
    };
    let (value, after) = value[1..].split_at(digits(&value[1..]));
    let top = value.trim_start_matches('0');
    let highest = top.chars().next().and_then(|c| c.to_digit(16)).map_or(0, |digit| 32 - digit.leading_zeros());
    let bits = highest + per_digit * (top.len().max(1) as u32 - 1);
    if value.is_empty() || bits > width || per_digit == 1 && value.contains(|c| !"01".contains(c)) {
        return Err(format!("{width} bits do not hold `{value}`"));
    }
    Ok((Token::Literal(width), after))
}
