//! Where in a text a mistake stands, and how it is shown: bytes, as readers count them, to line and column, as people
//! do; and of a text that may have any size the few lines that a message shows.

use crate::short::{CUT, brief};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// A place in a text, as people count.
pub struct TextPosition {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// In bytes, within the text, at character boundaries.
    pub span: Range<usize>,
}

impl TextPosition {
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

/// Lines longer than this are cut, in characters.
const LONGEST_LINE: usize = 200;
/// What is left before the mistake when its line is cut.
const BEFORE: usize = 60;
/// Lines around the mistake: those that [`miette`] shows, and one more.
const AROUND: usize = 2;
/// A mistake of more lines (a list of thousands of values) is marked in its first line alone.
const LONGEST_SPAN: usize = 8;
/// The lines around a mistake, for its message. Holds only these, and of long lines only a part, so that messages stay short
/// whatever the text is.
#[derive(Clone, Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// The mistake, within `text`.
    span: Range<usize>,
    /// Lines of the whole text before `text`.
    lines_before: usize,
    line: usize,
    column: usize,
}

impl Excerpt {
    /// Of the text called `name`, around `span` (bytes).
    pub fn new(name: &str, source: &str, span: Range<usize>) -> Self {
        let TextPosition { line, column, span } = TextPosition::of(source, span);
        let lines: Vec<&str> = source.split('\n').collect();
        let last = line + source[span.clone()].trim_end_matches('\n').matches('\n').count();
        let last = if last - line < LONGEST_SPAN { last } else { line };
        let shown = line.saturating_sub(1 + AROUND)..(last + AROUND).min(lines.len());
        let mut excerpt = Self {
            name: brief(name, LONGEST_LINE),
            text: String::new(),
            span: 0..0,
            lines_before: shown.start,
            line,
            column,
        };
        let mut at: usize = lines[..shown.start].iter().map(|l| l.len() + 1).sum();
        for number in shown.clone() {
            let content = lines[number];
            let focus = if number + 1 == line { span.start - at } else { 0 };
            let kept = KeptText::of(content, focus);
            let place = |byte: usize| excerpt.text.len() + kept.place(byte - at);
            if number + 1 == line {
                excerpt.span = place(span.start)..place(span.start);
            }
            if (line..=last).contains(&(number + 1)) {
                excerpt.span.end = place(span.end.clamp(at, at + content.len())).max(excerpt.span.start);
            }
            excerpt.text += &kept.text;
            if number + 1 < lines.len() {
                excerpt.text.push('\n');
            }
            at += content.len() + 1;
        }
        excerpt
    }

    /// The mistake, as the label of a message wants it.
    pub fn span(&self) -> SourceSpan {
        self.span.clone().into()
    }

    /// Name of the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Line of the mistake in the whole text, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column of the mistake in the whole text, in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let part = self.text.read_span(span, lines_before, lines_after)?;
        // Without lines before: the place of the mistake for the headline, which is that in the whole text.
        let column = if lines_before == 0 { self.column - 1 } else { part.column() };
        let (line, name) = (part.line() + self.lines_before, self.name.clone());
        let whole = MietteSpanContents::new_named(name, part.data(), *part.span(), line, column, part.line_count());
        Ok(Box::new(whole))
    }
}

/// What is left of a line.
struct KeptText {
    text: String,
    /// Bytes of the line that are left.
    range: Range<usize>,
    /// Bytes before them in `text`.
    lead: usize,
}

impl KeptText {
    /// Of a long line the part around byte `focus`. Control characters, which a terminal would obey, are spaces.
    fn of(line: &str, focus: usize) -> Self {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let range = if line.chars().count() <= LONGEST_LINE { 0..line.len() } else { around(line, focus) };
        let lead = if range.start > 0 { CUT } else { "" };
        let tail = if range.end < line.len() { CUT } else { "" };
        let shown = |c: char| if c.is_ascii_control() && c != '\t' { ' ' } else { c };
        let middle: String = line[range.clone()].chars().map(shown).collect();
        Self { text: format!("{lead}{middle}{tail}"), lead: lead.len(), range }
    }

    /// Where byte `at` of the line is in the text.
    fn place(&self, at: usize) -> usize {
        self.lead + at.clamp(self.range.start, self.range.end) - self.range.start
    }
}

fn around(line: &str, focus: usize) -> Range<usize> {
    let before = line[..focus.min(line.len())].char_indices().rev().nth(BEFORE - 1);
    let start = before.map_or(0, |(i, _)| i);
    let end = line[start..].char_indices().nth(LONGEST_LINE - BEFORE);
    start..end.map_or(line.len(), |(i, _)| start + i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        let at = |start| {
            let place = TextPosition::of("one\nzwölf\n", start..start + 1);
            (place.line, place.column, place.span)
        };
        assert_eq!(at(0), (1, 1, 0..1));
        assert_eq!(at(4), (2, 1, 4..5));
        assert_eq!(at(7), (2, 3, 6..8), "inside the second byte of `ö`");
        assert_eq!(at(8), (2, 4, 8..9));
        assert_eq!(at(99), (3, 1, 11..11), "beyond the end");
    }

    /// The marked text, and the place in the whole.
    fn marked(source: &str, span: Range<usize>) -> (String, usize, usize) {
        let excerpt = Excerpt::new("x", source, span);
        (excerpt.text[excerpt.span.clone()].to_string(), excerpt.line, excerpt.column)
    }

    #[test]
    fn an_excerpt_marks_the_same_text() {
        let source = "first\r\nsecond\nthird é fourth\n\nfifth\nsixth\n";
        for (start, _) in source.char_indices() {
            for end in [start, start + 1, start + 4] {
                let TextPosition { line, column, span } = TextPosition::of(source, start..end);
                let wanted = source[span].trim_end_matches('\n').replace('\r', "");
                let (text, at_line, at_column) = marked(source, start..end);
                assert_eq!((text.as_str(), at_line, at_column), (wanted.as_str(), line, column), "{start}..{end}");
            }
        }
        assert_eq!(marked("", 0..5), (String::new(), 1, 1));
        assert_eq!(marked("a", 7..9), (String::new(), 1, 2));
    }

    #[test]
    fn long_lines_and_long_spans_are_cut() {
        let line = "é".repeat(500) + "WRONG" + &"b".repeat(500);
        let source = format!("{line}\n{line}\n{line}\n{line}\n{line}\n{line}");
        let start = 3 * (line.len() + 1) + 1000;
        let excerpt = Excerpt::new("x", &source, start..start + 5);
        assert_eq!((&excerpt.text[excerpt.span.clone()], excerpt.line, excerpt.column), ("WRONG", 4, 501));
        assert!(excerpt.text.lines().all(|l| l.chars().count() <= LONGEST_LINE + 2), "{}", excerpt.text);
        let list = "1,\n".repeat(5000);
        let excerpt = Excerpt::new("x", &list, 0..list.len());
        assert_eq!((&excerpt.text[excerpt.span.clone()], excerpt.text.lines().count()), ("1,", 3));
    }
}
