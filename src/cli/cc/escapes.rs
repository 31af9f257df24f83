//! What nvcc takes and clang does not, in preprocessed text.
//!
//! * Launches whose brackets are apart: `kernel << <blocks, threads >> >(...)`.
//! * Names of special registers in assembly: nvcc takes `asm("mov.u32 %0, %smid;" : "=r"(x))`, clang wants `%%smid`.
//!
//! Where clang refuses a source for that, its preprocessed text is changed: in assembly with operands a `%` before a
//! name is doubled.

/// What clang says.
pub const REFUSED: &str = "invalid % escape in inline assembly string";

/// A source may have launches whose brackets are apart.
pub fn has_open_launches(text: &str) -> bool {
    apart(text, '<').is_some() && apart(text, '>').is_some()
}

/// The first place of three brackets that are not together, but have nothing else between them.
fn apart(text: &str, bracket: char) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(found) = text[from..].find(bracket) {
        let start = from + found;
        let mut end = start;
        let mut count = 0;
        for (at, letter) in text[start..].char_indices() {
            match letter {
                letter if letter == bracket => (count, end) = (count + 1, start + at + 1),
                letter if letter.is_whitespace() => {}
                _ => break,
            }
        }
        // The template that an operator is: `operator<< <>`.
        let of_operator = text[..start].trim_end().ends_with("operator");
        if count == 3 && end - start > 3 && !of_operator {
            return Some((start, end));
        }
        from = end.max(start + 1);
    }
    None
}

/// The same with the brackets together: those that close after one that opened. Lines stay lines.
pub fn closed_launches(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((start, end)) = apart(rest, '<') {
        out += &rest[..start];
        out += "<<<";
        out.extend(rest[start..end].matches('\n'));
        rest = &rest[end..];
        let statement = rest.find(';').unwrap_or(rest.len());
        if let Some((start, end)) = apart(&rest[..statement], '>') {
            out += &rest[..start];
            out += ">>>";
            out.extend(rest[start..end].matches('\n'));
            rest = &rest[end..];
        }
    }
    out + rest
}

/// Preprocessed C++ in which clang understands the assembly.
pub fn doubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = next_assembly(rest) {
        let (before, from) = rest.split_at(at);
        out += before;
        let strings = strings_end(from);
        let (assembly, behind) = from.split_at(strings);
        // Without operands a `%` is one.
        match behind.trim_start().starts_with(':') {
            true => out += &with_doubled(assembly),
            false => out += assembly,
        }
        rest = behind;
    }
    out + rest
}

/// Where the parenthesis of the next assembly statement opens, behind it.
fn next_assembly(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find("asm") {
        let start = from + found;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name_start = text[..start].trim_end_matches('_');
        let behind = text[start + 3..].trim_start_matches('_');
        from = start + 3;
        if name_start.ends_with(word) || behind.starts_with(word) {
            continue;
        }
        let mut behind = behind.trim_start();
        for qualifier in ["volatile", "__volatile__", "__volatile"] {
            behind = behind.strip_prefix(qualifier).map_or(behind, str::trim_start);
        }
        if let Some(inside) = behind.strip_prefix('(') {
            return Some(text.len() - inside.len());
        }
    }
    None
}

/// The end of the string literals that a text begins with, and of what stands between them: spaces and lines of the preprocessor.
fn strings_end(text: &str) -> usize {
    let mut end = 0;
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        if trimmed.starts_with('#') {
            rest = trimmed.split_once('\n').map_or("", |(_, behind)| behind);
            continue;
        }
        let Some(inside) = trimmed.strip_prefix('"') else { return end };
        let mut escaped = false;
        let close = inside.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let Some(close) = close else { return end };
        rest = &inside[close + 1..];
        end = text.len() - rest.len();
    }
}

/// Each `%` before two letters is one that clang would not understand; one is a modifier of an operand.
fn with_doubled(assembly: &str) -> String {
    let letters: Vec<char> = assembly.chars().collect();
    let is_letter = |at: usize| letters.get(at).is_some_and(|c| c.is_ascii_alphabetic() || *c == '_');
    let mut out = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        out.push(letter);
        let own = letter == '%' && (at == 0 || letters[at - 1] != '%');
        if own && is_letter(at + 1) && is_letter(at + 2) {
            out.push('%');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_launches_come_together() {
        let given = "k << < b, t >> > (x); y << 3; f<g<h<int> > >(1); k<<<b, t>>>(x); k << <b, t >>>(x);";
        let wanted = "k <<< b, t >>> (x); y << 3; f<g<h<int> > >(1); k<<<b, t>>>(x); k <<<b, t >>>(x);";
        assert_eq!(closed_launches(given), wanted);
        let lines = "k<<\n <b, t>>\n>(x);\nf<g<h<int\n>\n>\n>();";
        assert_eq!(closed_launches(lines), "k<<<\nb, t>>>\n(x);\nf<g<h<int\n>\n>\n>();");
        let operators = "friend stream &operator<< <>(stream &, const m<t<int> > &); f<g<h<int> > > x;";
        assert_eq!(closed_launches(operators), operators);
        assert!(has_open_launches(given) && !has_open_launches("k<<<b, t>>>(x); f<g<h<int> > >(1);"));
    }

    #[test]
    fn names_of_registers_are_doubled_and_nothing_else() {
        for (given, wanted) in [
            ("asm(\"mov.u32 %0, %smid;\" : \"=r\"(x) );", "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(x) );"),
            (
                "asm volatile (\"mov.u32 %0, %%clock;\" :: \"r\"(x));",
                "asm volatile (\"mov.u32 %0, %%clock;\" :: \"r\"(x));",
            ),
            (
                "__asm__(\"a %tid.x;\"\n# 3 \"f.h\"\n \"b %laneid;\" : );",
                "__asm__(\"a %%tid.x;\"\n# 3 \"f.h\"\n \"b %%laneid;\" : );",
            ),
            ("asm(\"bar.sync %smid;\");", "asm(\"bar.sync %smid;\");"),
            (
                "plasma(\"%smid\" : 1); asm_(2); printf(\"%smid\");",
                "plasma(\"%smid\" : 1); asm_(2); printf(\"%smid\");",
            ),
            ("asm(\"%p1 %c0 \\\"%ctaid\\\"\" : \"=r\"(x));", "asm(\"%p1 %c0 \\\"%%ctaid\\\"\" : \"=r\"(x));"),
            ("asm(", "asm("),
        ] {
            assert_eq!(doubled(given), wanted);
        }
    }
}
