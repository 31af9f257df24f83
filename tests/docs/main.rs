//! README, CONTRIBUTING and `docs/*.md` against the program: documented commands print what the pages show ([`examples`]), links lead somewhere and files
//! are there ([`links`]), and options, keys, statistics and other names exist ([`names`]).

mod examples;
mod links;
mod names;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A page of documentation.
struct Page {
    /// From the root of the repository: `docs/core.md`.
    name: String,
    text: String,
}

/// A block between two lines of three backticks.
struct Fence<'a> {
    /// What stands behind the first backticks.
    language: &'a str,
    /// Number of its first line in the page.
    line: usize,
    lines: Vec<&'a str>,
}

/// Text between backticks.
struct Span<'a> {
    line: usize,
    text: &'a str,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder, as far as `wanted` likes their names.
fn files(folder: &str, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![root().join(folder)], vec![]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if path.is_dir() {
                open.push(path);
            } else if wanted(name) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

impl Page {
    fn all() -> Vec<Self> {
        let outside = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name));
        let inside = files("docs", |name| name.ends_with(".md"));
        let page = |path: PathBuf| Self {
            name: path.strip_prefix(root()).expect("in the repository").display().to_string(),
            text: fs::read_to_string(&path).expect("a page"),
        };
        outside.into_iter().chain(inside).map(page).collect()
    }

    fn fences(&self) -> Vec<Fence<'_>> {
        let (mut fences, mut open): (Vec<Fence<'_>>, Option<Fence<'_>>) = (vec![], None);
        for (at, line) in self.text.lines().enumerate() {
            open = match (open, line.trim_start().strip_prefix("```")) {
                (Some(fence), Some(_)) => {
                    fences.push(fence);
                    None
                }
                (Some(mut fence), None) => {
                    fence.lines.push(line);
                    Some(fence)
                }
                (None, Some(language)) => Some(Fence { language, line: at + 2, lines: vec![] }),
                (None, None) => None,
            };
        }
        assert!(open.is_none(), "{}: a block has no end", self.name);
        fences
    }

    /// The page with empty lines in place of its blocks.
    fn prose(&self) -> String {
        let mut lines: Vec<&str> = self.text.lines().collect();
        for fence in self.fences() {
            lines[fence.line - 2..=fence.line - 1 + fence.lines.len()].fill("");
        }
        lines.join("\n")
    }
}

/// Code in running text; it may go on in the next line of a paragraph.
fn spans(prose: &str) -> Vec<Span<'_>> {
    let (mut all, mut line) = (vec![], 1);
    for paragraph in prose.split("\n\n") {
        let mut at = line;
        for (part, text) in paragraph.split('`').enumerate() {
            if part % 2 == 1 {
                all.push(Span { line: at, text });
            }
            at += text.matches('\n').count();
        }
        line += paragraph.matches('\n').count() + 2;
    }
    all
}
