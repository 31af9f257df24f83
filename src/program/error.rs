//! What can be wrong with a PTX file, shown at the place where it is wrong.

use common::{
    place::Excerpt,
    short::{LONGEST_HELP, LONGEST_MESSAGE, brief},
};
use miette::{Diagnostic, SourceSpan};
use std::ops::Range;
use thiserror::Error;

/// Kinds of mistakes, so that a program can tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PtxErrorKind {
    /// Not PTX.
    Syntax,
    /// An operand whose type or width the instruction does not take.
    Type,
    /// A mnemonic that PTX does not have, or whose form we do not know.
    UnknownInstruction,
    /// PTX that this chip or compiler does not do.
    Unsupported,
    /// A name that is not declared, or is declared twice, or has the wrong kind.
    Name,
    /// The file has no kernel of the name asked for, or several and none was asked for.
    Entry,
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
    excerpt: Excerpt,
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
        let excerpt = Excerpt::new(file, source, self.span);
        PtxError {
            kind: self.kind,
            file: file.into(),
            line: excerpt.line(),
            column: excerpt.column(),
            message: brief(&self.message, LONGEST_MESSAGE),
            help: self.help.map(|help| brief(&help, LONGEST_HELP)),
            span: excerpt.span(),
            excerpt,
        }
    }
}
