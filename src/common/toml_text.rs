//! TOML that a person wrote, read into a type, with mistakes shown at their place.

use crate::{
    place::Excerpt,
    short::{LONGEST_HELP, LONGEST_MESSAGE, brief},
};
use miette::{Diagnostic, SourceSpan};
use serde::de::DeserializeOwned;
use std::ops::Range;
use thiserror::Error;

/// A mistake in a file, with its place.
#[derive(Debug, Error, Diagnostic)]
#[error("{file}:{line}:{column}: {message}")]
pub struct FileMistake {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What is allowed.
    #[help]
    pub help: Option<String>,
    #[source_code]
    excerpt: Excerpt,
    #[label("here")]
    span: SourceSpan,
}

/// A text and its name for messages.
#[derive(Clone, Copy, Debug)]
pub struct TomlText<'a> {
    /// The text.
    pub text: &'a str,
    /// Its name.
    pub file: &'a str,
}

impl TomlText<'_> {
    /// What it says.
    ///
    /// # Errors
    /// The first place that is no TOML or not what the type wants; for an unknown key or value the nearest that exists.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Box<FileMistake>> {
        toml::from_str(self.text).map_err(|error| self.toml_mistake(&error))
    }

    /// A mistake at a span of bytes; `help` says what is allowed.
    pub fn mistake(&self, span: Range<usize>, message: String, help: Option<String>) -> Box<FileMistake> {
        let excerpt = Excerpt::new(self.file, self.text, span);
        Box::new(FileMistake {
            file: self.file.into(),
            line: excerpt.line(),
            column: excerpt.column(),
            message: brief(&message, LONGEST_MESSAGE),
            help: help.map(|help| brief(&help, LONGEST_HELP)),
            span: excerpt.span(),
            excerpt,
        })
    }

    fn toml_mistake(&self, error: &toml::de::Error) -> Box<FileMistake> {
        let message = error.message();
        let span = error.span().unwrap_or(0..0);
        let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let what = ["unknown field", "unknown variant"].into_iter().find(|p| message.starts_with(p));
        let (Some(what), [unknown, allowed @ ..]) = (what, names.as_slice()) else {
            return self.mistake(span, message.replace("u64", "a number from 0"), None);
        };
        let nearest = allowed.iter().map(|n| (strsim::damerau_levenshtein(n, unknown), *n)).min();
        let hint = match nearest {
            Some((distance, name)) if distance <= 2 => format!("did you mean `{name}`? "),
            _ => String::new(),
        };
        let what = if what.ends_with("field") { "key" } else { "value" };
        let help = format!("{hint}allowed: {}", allowed.join(", "));
        self.mistake(span, format!("unknown {what} `{unknown}`"), Some(help))
    }
}
