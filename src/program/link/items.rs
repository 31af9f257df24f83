//! What is in a PTX file, as far as linking goes: functions, kernels, variables, each with its place and the words in
//! it.

use crate::ptx::{
    ast::Span,
    lexer::{Placed, Token, tokens},
};
use std::collections::BTreeSet;

/// Who calls it knows what it does: it has no body anywhere.
const BUILT_IN: [&str; 1] = ["__assertfail"];

/// What is declared by itself: a function, a kernel, variables.
#[derive(Clone, Debug)]
pub(super) struct LinkItem {
    pub kind: ItemKind,
    pub binding: Binding,
    pub names: Vec<String>,
    /// All of it.
    pub span: Span,
    /// Where its initial values begin.
    pub initial: Option<usize>,
    /// Words in it, with their places.
    pub words: Vec<(String, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ItemKind {
    Kernel,
    Function,
    Global,
    Constant,
    Shared,
    /// A reference.
    Texture,
    /// A declaration without a definition.
    Elsewhere,
}

/// Who knows a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Binding {
    Strong,
    Weak,
    Own,
}

/// The items of a file in order, and the names of functions and variables that it declares only.
pub(super) fn items(text: &str) -> (Vec<LinkItem>, BTreeSet<String>) {
    // What is no PTX is found by the compiler.
    let placed = tokens(text).unwrap_or_default();
    let mut scanner = Scanner { placed: &placed, at: 0 };
    let mut items = vec![];
    while scanner.peek() != &Token::End {
        items.extend(scanner.item());
    }
    let declared = items.iter().filter(|item| item.kind == ItemKind::Elsewhere).flat_map(|item| item.names.clone());
    let declared = declared.filter(|name| !BUILT_IN.contains(&name.as_str())).collect();
    // Prototypes of functions stay where they are.
    items.retain(|item| item.kind != ItemKind::Elsewhere || item.binding == Binding::Strong);
    (items, declared)
}

struct Scanner<'t> {
    placed: &'t [Placed],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> &Token {
        self.placed.get(self.at).map_or(&Token::End, |placed| &placed.token)
    }

    fn skip_line(&mut self) {
        let line = self.placed[self.at].line;
        while self.peek() != &Token::End && self.placed[self.at].line == line {
            self.at += 1;
        }
    }

    /// The item that begins here, if it is one.
    fn item(&mut self) -> Option<LinkItem> {
        let start = self.at;
        let mut binding = Binding::Own;
        let mut elsewhere = false;
        loop {
            let Token::Directive(word) = self.peek().clone() else {
                self.at += 1;
                return None;
            };
            match word.as_str() {
                "visible" => binding = Binding::Strong,
                "weak" | "common" => binding = Binding::Weak,
                "extern" => elsewhere = true,
                "internal" => {}
                "func" => return self.function(start, ItemKind::Function, binding),
                "entry" => return self.function(start, ItemKind::Kernel, binding),
                "global" => {
                    return self.variables(
                        start,
                        if elsewhere { ItemKind::Elsewhere } else { ItemKind::Global },
                        binding,
                    );
                }
                "const" => {
                    return self.variables(
                        start,
                        if elsewhere { ItemKind::Elsewhere } else { ItemKind::Constant },
                        binding,
                    );
                }
                // Dynamic shared memory is no variable of another file.
                "shared" => return self.variables(start, ItemKind::Shared, Binding::Own),
                "version" | "target" | "address_size" | "file" | "loc" => {
                    self.skip_line();
                    return None;
                }
                _ => {
                    self.at += 1;
                    return None;
                }
            }
            self.at += 1;
        }
    }

    /// To behind the mark that closes what is opened here.
    fn skip_nested(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek() {
                Token::End => return,
                Token::Mark('(' | '{' | '[') => depth += 1,
                Token::Mark(')' | '}' | ']') => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn function(&mut self, start: usize, kind: ItemKind, binding: Binding) -> Option<LinkItem> {
        self.at += 1;
        if self.peek() == &Token::Mark('(') {
            self.skip_nested();
        }
        let Token::Word(name) = self.peek().clone() else { return None };
        loop {
            match self.peek() {
                Token::End => return None,
                // A prototype: of this file's own function, or of another's.
                Token::Mark(';') => {
                    self.at += 1;
                    return Some(self.finished(start, ItemKind::Elsewhere, Binding::Own, vec![name], None));
                }
                Token::Mark('{') => {
                    self.skip_nested();
                    return Some(self.finished(start, kind, binding_of(&name, binding), vec![name], None));
                }
                Token::Mark('(') => self.skip_nested(),
                _ => self.at += 1,
            }
        }
    }

    fn variables(&mut self, start: usize, mut kind: ItemKind, binding: Binding) -> Option<LinkItem> {
        let (mut names, mut initial, mut in_initial) = (vec![], None, false);
        loop {
            match self.peek().clone() {
                Token::End => return None,
                Token::Mark('(' | '{' | '[') => {
                    self.skip_nested();
                    continue;
                }
                Token::Mark('=') => {
                    // Of several, all have theirs.
                    initial = initial.or(Some(self.placed[self.at].span.start)).filter(|_| names.len() == 1);
                    in_initial = true;
                }
                Token::Mark(',') => (initial, in_initial) = (None, false),
                Token::Mark(';') => break,
                Token::Directive(ty) if ty.ends_with("ref") && kind != ItemKind::Elsewhere => kind = ItemKind::Texture,
                Token::Word(name) if !in_initial => names.push(name),
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        let first = names.first()?.clone();
        let binding = if kind == ItemKind::Elsewhere { Binding::Strong } else { binding_of(&first, binding) };
        Some(self.finished(start, kind, binding, names, initial))
    }

    fn finished(
        &self,
        start: usize,
        kind: ItemKind,
        binding: Binding,
        names: Vec<String>,
        initial: Option<usize>,
    ) -> LinkItem {
        let placed = &self.placed[start..self.at];
        let span = placed.first().map_or(0, |first| first.span.start)..placed.last().map_or(0, |last| last.span.end);
        let word = |placed: &Placed| match &placed.token {
            Token::Word(word) if !word.starts_with('%') => Some((word.clone(), placed.span.clone())),
            _ => None,
        };
        LinkItem { kind, binding, names, span, initial, words: placed.iter().filter_map(word).collect() }
    }
}

/// clang makes what the host asks for visible, also what is the file's own by its name.
fn binding_of(name: &str, binding: Binding) -> Binding {
    if is_own(name) { Binding::Own } else { binding }
}

/// Whether a mangled name is that of something with internal linkage: `L` before a part of it, or an unnamed namespace.
fn is_own(name: &str) -> bool {
    let Some(mangled) = name.strip_prefix("_Z") else { return false };
    let mut rest = mangled.strip_prefix('N').unwrap_or(mangled).trim_start_matches(['r', 'V', 'K']);
    if mangled.len() == rest.len() && mangled.starts_with('L') {
        return mangled[1..].starts_with(|c: char| c.is_ascii_digit());
    }
    loop {
        let part = rest.strip_prefix('L').unwrap_or(rest);
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(length) = part[..digits].parse::<usize>() else { return false };
        let Some(identifier) = part[digits..].get(..length) else { return false };
        if part.len() < rest.len() || identifier.starts_with("_GLOBAL__N_") {
            return true;
        }
        rest = &part[digits + length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_internal_linkage_are_known() {
        for own in ["_ZL6hidden", "_ZN3fooL1xE", "_ZN12_GLOBAL__N_13addEi", "_ZN2ab12_GLOBAL__N_11xE"] {
            assert!(is_own(own), "{own}");
        }
        for other in ["hidden", "_Z5scalef", "_ZN3foo1xE", "_ZN3fooILi3EE1xE", "_Z", "_ZN99x", "_ZLx"] {
            assert!(!is_own(other), "{other}");
        }
    }
}
