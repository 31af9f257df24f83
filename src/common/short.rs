//! What a person wrote, in a message: as long as it can be read at a glance.

/// Characters that are shown.
const SHOWN: usize = 80;

/// Stands where something is left out.
pub const CUT: &str = "…";

/// The beginning of a long text, and how long it is.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) if text.chars().count() > SHOWN + SHOWN / 4 => {
            format!("{}... ({} characters)", &text[..end], text.chars().count())
        }
        _ => text.to_string(),
    }
}

/// `text`, without its middle when it has more than `limit` characters: what was wrong is at the start of a message, what is
/// allowed at its end.
pub fn brief(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.into();
    }
    let tail = limit / 4;
    let head: String = text.chars().take(limit - tail).collect();
    let rest: String = text.chars().skip(count - tail).collect();
    format!("{head} {CUT} {rest}")
}

/// Characters of the longest message.
pub const LONGEST_MESSAGE: usize = 400;
/// Characters of the longest list of what is allowed: the instruction table and the keys of a table fit.
pub const LONGEST_HELP: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_long_is_cut() {
        assert_eq!(shortened("[1, 2]"), "[1, 2]");
        assert_eq!(shortened(&"x".repeat(100)), "x".repeat(100));
        assert_eq!(shortened(&"é".repeat(101)), format!("{}... (101 characters)", "é".repeat(80)));
    }

    #[test]
    fn a_message_keeps_its_ends() {
        let (head, tail) = ("h".repeat(30), "t".repeat(10));
        assert_eq!(brief(&format!("{head}{}{tail}", "m".repeat(99)), 40), format!("{head} … {tail}"));
        assert_eq!(brief("short", 5), "short");
    }
}
