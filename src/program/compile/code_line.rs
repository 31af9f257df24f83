//! Where an instruction stands: its line in the PTX file, and in the CUDA source where the compiler of that has said it
//! (`.loc`).

use super::Kernel;
use std::{collections::HashMap, env, fmt, path::Path};

/// The place of an instruction in the texts that it was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLine {
    /// Line in the PTX file, from 1.
    pub ptx: u32,
    /// File and line of the CUDA source.
    pub source: Option<String>,
}

impl fmt::Display for CodeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "{source}, PTX line {}", self.ptx),
            None => write!(f, "PTX line {}", self.ptx),
        }
    }
}

impl Kernel {
    /// Where the instruction at a line of the PTX file comes from.
    pub fn code_line(&self, ptx: u32) -> CodeLine {
        let source = self.source.as_ref().and_then(|source| source_line(&source.text, ptx));
        CodeLine { ptx, source }
    }
}

/// File and line of the source, as the last `.loc` of the function before `line` says. Code of headers of ours that a compiler has inlined counts as
/// the statement before it.
fn source_line(text: &str, line: u32) -> Option<String> {
    let (names, mut found) = (file_names(text), None);
    for text_line in text.lines().take(line as usize) {
        let mut words = text_line.split_whitespace();
        match words.next() {
            Some(".loc") => {
                let mut number = || words.next()?.trim_end_matches(',').parse::<u32>().ok();
                if let (Some(file), Some(at)) = (number(), number())
                    && at > 0
                    && let Some(&name) = names.get(&file).filter(|name| !is_own_header(Path::new(name)))
                {
                    found = Some((name, at));
                }
            }
            Some(_) if text_line.contains(".entry ") || text_line.contains(".func ") => found = None,
            _ => {}
        }
    }
    let (name, at) = found?;
    let here = env::current_dir().ok();
    let shown = here.as_deref().and_then(|here| Path::new(name).strip_prefix(here).ok()).unwrap_or(Path::new(name));
    Some(format!("{}:{at}", shown.display()))
}

/// The files that `.file` has numbered, which may be behind the code.
fn file_names(text: &str) -> HashMap<u32, &str> {
    let name_of = |line| {
        let (number, name) = str::trim(line).strip_prefix(".file")?.trim_start().split_once(char::is_whitespace)?;
        Some((number.parse().ok()?, name.split('"').nth(1)?))
    };
    text.lines().filter_map(name_of).collect()
}

/// A header that the program itself has unpacked.
fn is_own_header(path: &Path) -> bool {
    let folder = |path: &Path| path.parent()?.file_name()?.to_str().map(String::from);
    let is = |path: &Path| folder(path).is_some_and(|name| name.starts_with("include-"));
    path.ancestors().any(|path| is(path) && path.parent().and_then(folder).is_some_and(|name| name == "warpmesh"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_last_statement_of_the_function() {
        let text = ".visible .func f()\n{\n\t.loc\t1 2 10\n\tret;\n}\n.visible .entry k()\n{\n\tmov.u32 %r1, 0;\n\t.loc\t1 7 3\n\tadd;\n\
                    \t.loc\t2 90 1, inlined_at 1 8 5\n\tatom;\n\t.loc\t1 0 0\n\tret;\n}\n.file 1 \"/a b/k.cu\"\n\t.file\t2 \"/c/warpmesh/include-ab/bits/x.h\"\n";
        let line = |at: u32| source_line(text, at);
        assert_eq!([4, 8, 10].map(line), [Some("/a b/k.cu:2".into()), None, Some("/a b/k.cu:7".into())]);
        assert_eq!([12, 14].map(line), [Some("/a b/k.cu:7".into()), Some("/a b/k.cu:7".into())], "of the call");
        let places = [Some("k.cu:7".to_string()), None].map(|source| CodeLine { ptx: 10, source }.to_string());
        assert_eq!(places, ["k.cu:7, PTX line 10", "PTX line 10"]);
    }
}
