//! Where in a text a mistake stands: bytes, as readers count them, to line and column, as people do.

use std::ops::Range;

/// A place in a text, as people count.
pub(crate) struct Place {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// In bytes, within the text, at character boundaries.
    pub span: Range<usize>,
}

impl Place {
    /// The place of a span of bytes; a span outside of the text or inside a character is moved to the nearest boundary before.
    pub fn of(source: &str, span: Range<usize>) -> Self {
        let start = floor_boundary(source, span.start);
        let end = floor_boundary(source, span.end.max(start));
        let before = &source[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let column = source[line_start..start].chars().count() + 1;
        Self { line: before.matches('\n').count() + 1, column, span: start..end }
    }
}

fn floor_boundary(source: &str, index: usize) -> usize {
    let mut index = index.min(source.len());
    while !source.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        let at = |start| {
            let place = Place::of("one\nzwölf\n", start..start + 1);
            (place.line, place.column, place.span)
        };
        assert_eq!(at(0), (1, 1, 0..1));
        assert_eq!(at(4), (2, 1, 4..5));
        assert_eq!(at(7), (2, 3, 6..8), "inside the second byte of `ö`");
        assert_eq!(at(8), (2, 4, 8..9));
        assert_eq!(at(99), (3, 1, 11..11), "beyond the end");
    }
}
