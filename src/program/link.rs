//! Programs of several PTX files: functions and variables of one that another one uses.
//!
//! What comes out for each file is PTX again, of which its kernels can be compiled: its own lines, where they were, and
//! behind them the functions and variables of other files that its kernels need. All variables in global memory of all
//! files are declared in each, in one order, so that each has one address.
//!
//! ```text
//!  a.ptx: kernel, .extern scale      the same lines      + scale and what it needs, variables of b.ptx
//!  b.ptx: .visible scale         =>  variables of a.ptx + the same lines
//! ```
//!
//! A name means what the file itself defines; then what one other file defines for all (`.visible`, `.weak`). Files
//! that were compiled to be linked (*relocatable*) share their names: one strong definition, or the first of weak ones.
//! Files that were compiled as a whole have names of their own, as C++ has them in an unnamed namespace. Of two
//! definitions that are called alike, the one of the other file gets another name.

mod items;

use crate::ptx::lexer::{Token, tokens};
use items::{Binding, ItemKind, LinkItem, items};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A PTX file of a program.
#[derive(Clone, Debug)]
pub struct PtxUnit {
    /// The file that it was compiled from, for messages.
    pub file: String,
    /// PTX.
    pub text: String,
    /// Its names are those of the program.
    pub relocatable: bool,
}

/// A function or variable: the number of its file, and its name there.
pub type Symbol = (usize, String);

/// A file with what its kernels need of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// PTX.
    pub text: String,
    /// The variables of other files whose initial contents are in `text`, and textures, by their names there.
    pub variables: HashMap<String, Symbol>,
    /// What is missing, or there twice, by kernel.
    pub problems: BTreeMap<String, Vec<String>>,
}

/// The files of a program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    files: Vec<LinkedFile>,
    /// Groups of files so far. What has been linked stays as it is.
    groups: usize,
}

#[derive(Clone, Debug)]
struct LinkedFile {
    unit: PtxUnit,
    group: usize,
    items: Vec<LinkItem>,
    /// Definitions by name.
    defined: HashMap<String, usize>,
    /// Names that are said to be elsewhere.
    declared: BTreeSet<String>,
}

/// What a name means in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// This.
    Found(Symbol),
    /// Nothing.
    Missing,
    /// Several things, of these files.
    Several(Vec<usize>),
}

/// What clang puts in the place of functions that an abstract class leaves to others: a call of it is a trap. No file of the program defines it.
fn with_pure_virtual(text: String) -> String {
    const DECLARED: &str = ".extern .func __cxa_pure_virtual\n()\n;";
    const DEFINED: &str = ".func __cxa_pure_virtual\n()\n{ trap; ret; }";
    if text.contains(DECLARED) { text.replace(DECLARED, DEFINED) } else { text }
}

impl Program {
    /// Files that come together.
    pub fn add(&mut self, units: impl IntoIterator<Item = PtxUnit>) {
        self.groups += 1;
        for mut unit in units {
            unit.text = with_pure_virtual(unit.text);
            let (items, declared) = items(&unit.text);
            let defined = items.iter().enumerate().filter(|(_, item)| item.kind != ItemKind::Elsewhere);
            let defined = defined.flat_map(|(i, item)| item.names.iter().map(move |name| (name.clone(), i))).collect();
            self.files.push(LinkedFile { unit, group: self.groups, items, defined, declared });
        }
    }

    /// How many files there are.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    fn binding(&self, file: usize, name: &str) -> Option<Binding> {
        let of = &self.files[file];
        Some(of.items[*of.defined.get(name)?].binding)
    }

    /// What `name` means in a file; nothing, if it is no name of a function or variable.
    fn meaning(&self, file: usize, name: &str) -> Option<Meaning> {
        let of = &self.files[file];
        let own = self.binding(file, name);
        if own.is_none() && !of.declared.contains(name) {
            return None;
        }
        if own == Some(Binding::Own) || own.is_some() && !of.unit.relocatable {
            return Some(Meaning::Found((file, name.into())));
        }
        let sees =
            |(_, other): &(usize, &LinkedFile)| other.group <= of.group && (own.is_none() || other.unit.relocatable);
        let candidates = self.files.iter().enumerate().filter(sees);
        let binding = |(number, other): (usize, &LinkedFile)| Some((other.group, self.binding(number, name)?, number));
        let mut found: Vec<_> = candidates.filter_map(binding).filter(|(_, b, _)| *b != Binding::Own).collect();
        found.sort_unstable();
        let strong: Vec<usize> = found.iter().filter(|(_, b, _)| *b == Binding::Strong).map(|found| found.2).collect();
        Some(match (found.first(), strong.len()) {
            (_, 2..) => Meaning::Several(strong),
            (Some(&(_, _, number)), _) => Meaning::Found((number, name.into())),
            (None, _) => Meaning::Missing,
        })
    }

    /// Whether a file has a variable of this name, and not one of another file in its place.
    pub fn defines(&self, file: usize, name: &str) -> bool {
        self.binding(file, name).is_some() && self.symbol(file, name).0 == file
    }

    /// The variable or function that `name` of a file is, perhaps one of another file.
    pub fn symbol(&self, file: usize, name: &str) -> Symbol {
        match self.meaning(file, name) {
            Some(Meaning::Found(symbol)) => symbol,
            _ => (file, name.into()),
        }
    }

    /// All that is needed for an item of a file, and what is wrong with it.
    fn needed(&self, file: usize, item: usize, problems: &mut BTreeSet<String>) -> BTreeSet<(usize, usize)> {
        let (mut needed, mut new) = (BTreeSet::new(), vec![(file, item)]);
        while let Some((file, item)) = new.pop() {
            if !needed.insert((file, item)) {
                continue;
            }
            let of = &self.files[file];
            let of_item = &of.items[item];
            let who = || {
                let what = match of_item.kind {
                    ItemKind::Kernel => "kernel",
                    ItemKind::Function => "function",
                    _ => "variable",
                };
                format!("{what} `{}` of {} needs", of_item.names[0], of.unit.file)
            };
            for (word, _) in &of_item.words {
                match self.meaning(file, word) {
                    None => {}
                    Some(Meaning::Found((number, name))) => new.push((number, self.files[number].defined[&name])),
                    Some(Meaning::Missing) => {
                        problems.insert(format!("{} `{word}`, which no file of the program defines", who()));
                    }
                    Some(Meaning::Several(numbers)) => {
                        let files: Vec<&str> = numbers.iter().map(|&n| self.files[n].unit.file.as_str()).collect();
                        let files = files.join(" and ");
                        problems.insert(format!("{} `{word}`, which is defined in {files}", who()));
                    }
                }
            }
        }
        needed
    }

    /// What something of another file is called in the text of `file`.
    fn called(&self, file: usize, symbol: &Symbol) -> String {
        match symbol.0 == file || self.meaning(file, &symbol.1) == Some(Meaning::Found(symbol.clone())) {
            true => symbol.1.clone(),
            false => format!("{}__file{}", symbol.1, symbol.0 + 1),
        }
    }

    /// Whether a definition is the one that its name means in its own file.
    fn counts(&self, file: usize, item: &LinkItem) -> bool {
        let here =
            |name: &String| !matches!(self.meaning(file, name), Some(Meaning::Found((other, _))) if other != file);
        item.kind == ItemKind::Kernel || item.names.iter().all(here)
    }

    /// Text of an item of file `from` in the text of file `to`.
    fn text(&self, from: usize, item: &LinkItem, to: usize, initial: bool) -> String {
        let source = &self.files[from].unit.text;
        let (mut text, mut at) = (String::new(), item.span.start);
        let end = if initial { item.span.end } else { item.initial.unwrap_or(item.span.end) };
        for (word, place) in item.words.iter().filter(|(_, place)| place.end <= end) {
            if let Some(Meaning::Found(symbol)) = self.meaning(from, word) {
                text += &source[at..place.start];
                text += &self.called(to, &symbol);
                at = place.end;
            }
        }
        text += &source[at..end];
        if end < item.span.end {
            text += ";";
        }
        // Each file numbers its sources for itself.
        let is_place = |line: &str| from != to && line.trim_start().starts_with(".loc");
        text.lines().filter(|line| !is_place(line)).collect::<Vec<_>>().join("\n")
    }

    /// A file with what its kernels need.
    pub fn link(&self, file: usize) -> Linked {
        let own = &self.files[file];
        let mut linked = Linked::default();
        let mut needed = BTreeSet::new();
        for (i, item) in own.items.iter().enumerate() {
            let mut problems = BTreeSet::new();
            match item.kind {
                ItemKind::Kernel => needed.extend(self.needed(file, i, &mut problems)),
                // The host may ask for it.
                ItemKind::Global | ItemKind::Constant => needed.extend(self.needed(file, i, &mut BTreeSet::new())),
                _ => {}
            }
            if !problems.is_empty() {
                linked.problems.insert(item.names[0].clone(), problems.into_iter().collect());
            }
        }
        let (mut before, mut behind) = (String::new(), String::new());
        for (number, other) in
            self.files.iter().enumerate().filter(|(number, other)| *number != file && other.group <= own.group)
        {
            for (i, item) in other.items.iter().enumerate().filter(|(_, item)| item.kind != ItemKind::Elsewhere) {
                let is_needed = needed.contains(&(number, i));
                if item.kind == ItemKind::Kernel
                    || !self.counts(number, item)
                    || !is_needed && item.kind != ItemKind::Global
                {
                    continue;
                }
                let text = self.text(number, item, file, is_needed);
                match item.kind {
                    // They have to be in their order.
                    ItemKind::Global if number < file => before += &one_line(&text),
                    _ => behind += &format!("// {}\n{text}\n", other.unit.file),
                }
                if is_needed && matches!(item.kind, ItemKind::Global | ItemKind::Constant | ItemKind::Texture) {
                    let symbols = item.names.iter().map(|name| (number, name.clone()));
                    linked.variables.extend(symbols.map(|symbol| (self.called(file, &symbol), symbol)));
                }
            }
        }
        linked.text = self.own_text(file, &before, &behind);
        linked
    }

    /// The lines of a file, with those of others around them, and without what is elsewhere.
    fn own_text(&self, file: usize, before: &str, behind: &str) -> String {
        let own = &self.files[file];
        let source = &own.unit.text;
        let first = own.items.first().map_or(source.len(), |item| item.span.start);
        let mut text = [&source[..first], before].concat();
        let mut at = first;
        for item in &own.items {
            let replaced = match item.kind {
                ItemKind::Elsewhere => item.names.iter().any(|name| self.symbol(file, name).0 != file),
                _ => !self.counts(file, item),
            };
            if replaced {
                text += &source[at..item.span.start];
                text.extend(source[item.span.clone()].chars().map(|c| if c == '\n' { c } else { ' ' }));
                at = item.span.end;
            }
        }
        text += &source[at..];
        if !behind.is_empty() {
            text += "\n";
            text += behind;
        }
        text
    }
}

/// What a file has for others, with whether it may be there several times, and what it wants of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportedNames {
    /// Functions and variables.
    pub defined: Vec<(String, bool)>,
    /// Names without a definition.
    pub wanted: Vec<String>,
    /// It has nothing but functions, and perhaps variables of their own.
    pub only_functions: bool,
}

/// The names in a file that concern others.
pub fn names(text: &str) -> ExportedNames {
    let (items, mut wanted) = items(text);
    let is_more = |item: &LinkItem| match item.kind {
        ItemKind::Kernel | ItemKind::Texture => true,
        ItemKind::Global | ItemKind::Constant => item.binding != Binding::Own,
        _ => false,
    };
    let mut names = ExportedNames { only_functions: !items.iter().any(is_more), ..ExportedNames::default() };
    for item in items.iter().filter(|item| item.kind != ItemKind::Elsewhere) {
        for name in &item.names {
            wanted.remove(name);
            if item.kind != ItemKind::Kernel && item.binding != Binding::Own {
                names.defined.push((name.clone(), item.binding == Binding::Weak));
            }
        }
    }
    names.wanted = wanted.into_iter().collect();
    names
}

/// A declaration without comments, on one line.
fn one_line(text: &str) -> String {
    let placed = tokens(text).unwrap_or_default();
    let words = placed.iter().filter(|placed| placed.token != Token::End).map(|placed| &text[placed.span.clone()]);
    words.flat_map(|word| [" ", word]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Target, survey};

    const HEAD: &str = ".version 3.2\n.target sm_35\n.address_size 64\n";

    fn program(files: &[(&str, &str, bool)]) -> Program {
        let mut program = Program::default();
        program.add(files.iter().map(|&(file, text, relocatable)| PtxUnit {
            file: file.into(),
            text: [HEAD, text].concat(),
            relocatable,
        }));
        program
    }

    fn kernel(linked: &Linked, name: &str) -> Kernel {
        let surveyed = survey(&linked.text, "linked", &Target::default()).expect("it can be read");
        let found = surveyed.into_iter().find(|kernel| kernel.name == name).expect("the kernel is there");
        found.outcome.unwrap_or_else(|problems| panic!("{problems:?}\n{}", linked.text))
    }

    const A: &str = ".extern .func (.param .b32 r) scale (.param .b32 x);\n.extern .global .align 4 .u32 counter;\n\
        .extern .const .align 4 .b8 table[16];\n.global .align 4 .u32 own = 5;\n.visible .entry k(.param .u64 p)\n{\n\
        .reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r1, [counter];\nld.const.u32 %r2, [table+4];\n\
        ld.global.u32 %r4, [own];\n{\n.param .b32 a;\nst.param.b32 [a+0], %r1;\n.param .b32 q;\ncall.uni (q), scale, (a);\n\
        ld.param.b32 %r3, [q+0];\n}\nadd.s32 %r3, %r3, %r4;\nadd.s32 %r3, %r3, %r2;\nst.global.u32 [%rd1], %r3;\nret;\n}\n";
    const B: &str = ".visible .global .align 4 .u32 counter = 7;\n.visible .const .align 4 .b8 table[16] = {1, 0, 0, 0, 2};\n\
        .global .align 4 .u32 own = 6;\n.global .align 4 .u32 unused = 9;\n.visible .func (.param .b32 r) scale (.param .b32 x)\n{\n.reg .b32 %r<4>;\n\
        ld.param.u32 %r1, [x];\nld.global.u32 %r2, [own];\nadd.s32 %r1, %r1, %r2; // own of b\nst.param.b32 [r+0], %r1;\nret;\n}\n";

    #[test]
    fn names_of_other_files_are_found_and_own_ones_stay_apart() {
        for files in [[("a.cu", A, true), ("b.cu", B, true)], [("b.cu", B, false), ("a.cu", A, false)]] {
            let program = program(&files);
            let a = usize::from(files[1].0 == "a.cu");
            let linked = program.link(a);
            assert_eq!(linked.problems, BTreeMap::new());
            let own_lines = [HEAD, A].concat().lines().count();
            let line = |text: &str, wanted: &str| text.lines().position(|line| line.contains(wanted));
            assert_eq!(line(&linked.text, "call.uni"), line(&[HEAD, A].concat(), "call.uni"));
            assert!(linked.text.lines().count() > own_lines);
            let kernel = kernel(&linked, "k");
            let mut found: Vec<(Symbol, Vec<u8>)> = vec![];
            for global in kernel.globals.iter().chain(&kernel.constants) {
                let symbol = linked.variables.get(&global.name).cloned().unwrap_or((a, global.name.clone()));
                found.push((symbol, global.data.clone()));
            }
            let value = |symbol: Symbol| found.iter().find(|(other, _)| *other == symbol).map(|(_, data)| data[0]);
            assert_eq!(value((a, "own".into())), Some(5));
            assert_eq!(value((1 - a, "own".into())), Some(6));
            assert_eq!(value((1 - a, "counter".into())), Some(7));
            assert_eq!(value((1 - a, "table".into())), Some(1));
            // The same variables in the same order in both texts.
            let variables = |linked: &Linked| {
                let text = format!(
                    "{}\n.visible .entry all() {{ .reg .b64 %rd<3>; mov.u64 %rd1, own; st.global.u64 [%rd1], %rd1; ret; }}",
                    linked.text
                );
                let kernel = self::kernel(&Linked { text, ..Linked::default() }, "all");
                kernel.globals.iter().map(|global| (global.address, global.data.len())).collect::<Vec<_>>()
            };
            assert_eq!(variables(&linked), variables(&program.link(1 - a)));
        }
    }

    #[test]
    fn what_is_missing_or_twice_is_told() {
        let problem =
            |files: &[(&str, &str, bool)]| program(files).link(0).problems.remove("k").unwrap_or_default().join("\n");
        let missing = problem(&[("a.cu", A, true)]);
        assert!(
            missing.contains("kernel `k` of a.cu needs `scale`, which no file of the program defines"),
            "{missing}"
        );
        let twice = problem(&[("a.cu", A, true), ("b.cu", B, true), ("c.cu", B, true)]);
        assert!(twice.contains("kernel `k` of a.cu needs `scale`, which is defined in b.cu and c.cu"), "{twice}");
        // Whole files may have the same names, if nobody else wants them; weak ones are one.
        assert_eq!(
            problem(&[("a.cu", A, true), ("b.cu", B, true), ("c.cu", &B.replace(".visible", ".weak"), true)]),
            ""
        );
        let weak = B.replace(".visible", ".weak");
        let both = program(&[("b.cu", &weak, true), ("c.cu", &weak, true)]);
        assert_eq!(both.symbol(1, "counter"), (0, "counter".into()));
        assert_eq!(both.link(1).text.matches("counter").count(), 1);
        assert_eq!(program(&[("b.cu", B, false), ("c.cu", B, false)]).symbol(1, "counter"), (1, "counter".into()));
    }

    #[test]
    fn a_file_tells_what_it_has_and_wants() {
        assert_eq!(
            names(A),
            ExportedNames {
                wanted: ["counter", "scale", "table"].map(String::from).into(),
                ..ExportedNames::default()
            }
        );
        let defined = ["counter", "table", "scale"].map(|name| (name.into(), true)).into();
        assert_eq!(names(&B.replace(".visible", ".weak")), ExportedNames { defined, ..ExportedNames::default() });
    }
}
