//! What can be wrong with a PTX file, shown at the place where it is wrong.

use miette::{Diagnostic, NamedSource, SourceSpan};
use std::ops::Range;
use thiserror::Error;

/// Kinds of mistakes, so that a program can tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PtxErrorKind {
    /// Not PTX.
    Syntax,
    /// A mnemonic that PTX does not have, or whose form we do not know.
    UnknownInstruction,
    /// PTX that this chip or compiler does not do.
    Unsupported,
    /// A name that is not declared, or is declared twice, or has the wrong kind.
    Name,
    /// The kernel does not fit the chip.
    Resources,
}

/// A problem in a PTX file, with its place.
#[derive(Debug, Clone, Error, Diagnostic)]
#[error("{file}:{line}:{column}: {message}")]
pub struct PtxError {
    /// What kind of mistake.
    pub kind: PtxErrorKind,
    /// File name as given by the caller.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, with the text that is wrong.
    pub message: String,
    /// What is allowed.
    #[help]
    pub help: Option<String>,
    #[source_code]
    text: NamedSource<String>,
    #[label("here")]
    span: SourceSpan,
}

/// A problem before it knows its file: what the passes pass around.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub kind: PtxErrorKind,
    pub span: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(kind: PtxErrorKind, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { kind, span, message: message.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The error that a person sees.
    pub fn in_file(self, source: &str, file: &str) -> PtxError {
        let place = Place::of(source, self.span);
        PtxError {
            kind: self.kind,
            file: file.into(),
            line: place.line,
            column: place.column,
            message: self.message,
            help: self.help,
            text: NamedSource::new(file, source.to_string()),
            span: place.span.into(),
        }
    }
}

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
