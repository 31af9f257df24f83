//! What a person wrote, in a message: as long as it can be read at a glance.

/// Characters that are shown.
const SHOWN: usize = 80;

/// The beginning of a long text, and how long it is.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) if text.chars().count() > SHOWN + SHOWN / 4 => {
            format!("{}... ({} characters)", &text[..end], text.chars().count())
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_long_is_cut() {
        assert_eq!(shortened("[1, 2]"), "[1, 2]");
        assert_eq!(shortened(&"x".repeat(100)), "x".repeat(100));
        assert_eq!(shortened(&"é".repeat(101)), format!("{}... (101 characters)", "é".repeat(80)));
    }
}
