//! Files of a crate that import each other in a circle can only be read, moved and tested together: no such circle may
//! be larger than its crate's limit.
//!
//! Read are the paths that begin with `crate`, `super`, `self` or, in `use` lines, a child module, up to the tests of a
//! file. A path that a module re-exports counts as an import of that module.

use petgraph::{algo::tarjan_scc, graphmap::DiGraphMap};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Folders of crates in `src`, and how many files may be in a circle.
const LIMITS: [(&str, usize); 1] = [("sim", 9)];

/// Of a crate, by path in it (empty for the root): file and text, without comments and tests.
type Modules = BTreeMap<Vec<String>, (PathBuf, String)>;

#[test]
fn no_import_circle_is_larger_than_its_limit() {
    for (name, limit) in LIMITS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
        let modules = modules(&folder);
        assert!(modules.len() > 20, "{} modules in {}", modules.len(), folder.display());
        if let Some(circle) = circles(&modules).into_iter().find(|circle| circle.len() > limit) {
            let files: Vec<_> = circle.iter().map(|file| format!("  {file}")).collect();
            panic!(
                "{} files of src/{name} import each other in a circle, limit {limit}:\n{}",
                files.len(),
                files.join("\n")
            );
        }
    }
}

#[test]
fn circles_are_found_by_any_form_of_path() {
    let modules: Modules = [
        ("", "pub use a::A;"),
        ("a", "use super::{b::{self, B}, c::C as Other};"),
        ("b", "fn f() -> crate::c::d::D { todo!() }"),
        ("c", "mod d; use d::D;"),
        ("c::d", "use super::super::{e::E, *}; use self::unknown::X;"),
        ("e", "// use crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
    ]
    .map(|(path, text)| {
        let path: Vec<String> = path.split("::").filter(|name| !name.is_empty()).map(String::from).collect();
        (path.clone(), (PathBuf::from(path.join("/")), code(text)))
    })
    .into();
    let imports = |of: &str| {
        let path: Vec<String> = of.split("::").map(String::from).collect();
        imports(&modules, &path).into_iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(imports("a"), ["b", "b", "c"]);
    assert_eq!(imports("b"), ["c::d"]);
    assert_eq!(imports("c"), ["c::d"]);
    assert_eq!(imports("c::d"), ["e", ""]);
    assert_eq!(imports("e"), [""; 0]);
    assert_eq!(circles(&modules), [["", "a", "b", "c", "c/d"]]);
}

/// The modules of the crate in `folder`.
fn modules(folder: &Path) -> Modules {
    let mut modules = Modules::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).unwrap_or_else(|error| panic!("{}: {error}", inside.display())) {
            let file = entry.expect("an entry of the folder").path();
            let relative = file.strip_prefix(folder).expect("it is inside").to_path_buf();
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|extension| extension == "rs") && relative != Path::new("build.rs") {
                let path = relative.with_extension("");
                let names = path.iter().map(|name| name.to_str().expect("names are ASCII").to_string());
                let path: Vec<String> = names.filter(|name| name != "mod" && name != "lib").collect();
                let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                modules.insert(path, (relative, code(&text)));
            }
        }
    }
    modules
}

/// Without comments and tests.
fn code(text: &str) -> String {
    let opens = |line: &str| line.ends_with("mod tests {");
    let tests = text
        .match_indices("#[cfg(test)]\n")
        .find(|(at, mark)| text[at + mark.len()..].lines().next().is_some_and(opens));
    let text = &text[..tests.map_or(text.len(), |(at, _)| at)];
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Files that import each other, sets of two and more, the largest first.
fn circles(modules: &Modules) -> Vec<Vec<String>> {
    let mut graph = DiGraphMap::<&[String], ()>::new();
    for path in modules.keys() {
        for target in imports(modules, path) {
            let (target, _) = modules.get_key_value(&target).expect("imports are modules");
            graph.add_edge(path, target, ());
        }
    }
    let file = |path: &&[String]| modules[*path].0.display().to_string();
    let mut circles: Vec<Vec<String>> = tarjan_scc(&graph).iter().map(|set| set.iter().map(file).collect()).collect();
    circles.retain(|circle| circle.len() > 1);
    circles.iter_mut().for_each(|circle| circle.sort());
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

/// The modules that the one at `path` imports, but itself.
fn imports(modules: &Modules, path: &[String]) -> Vec<Vec<String>> {
    let text = &modules[path].1;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = vec![];
    for (at, _) in text.char_indices() {
        let before = text[..at].trim_end();
        let starts = !before.ends_with("::")
            && !before.ends_with("pub(in")
            && !text[..at].ends_with(is_name)
            && text[at..].starts_with(is_name);
        let first: String = text[at..].chars().take_while(|&c| is_name(c)).collect();
        let child = || before.ends_with("use") && modules.contains_key(&[path, std::slice::from_ref(&first)].concat());
        let leads_on = || text[at + first.len()..].trim_start().starts_with("::");
        if starts && leads_on() && (matches!(first.as_str(), "crate" | "super" | "self") || child()) {
            tree(&mut text[at..].chars().filter(|c| !c.is_whitespace()).peekable(), &[], &mut found);
        }
    }
    let absolute = |names: Vec<String>| {
        let mut base = if names[0] == "crate" { vec![] } else { path.to_vec() };
        for name in names.into_iter().filter(|name| name != "crate" && name != "self") {
            match name.as_str() {
                "super" => drop(base.pop()),
                _ => base.push(name),
            }
        }
        while !modules.contains_key(&base) && base.pop().is_some() {}
        base
    };
    found.into_iter().map(absolute).filter(|target| target != path).collect()
}

/// The paths of a tree of imports, or of a single path, each behind `prefix`.
fn tree(text: &mut std::iter::Peekable<impl Iterator<Item = char>>, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let mut path = prefix.to_vec();
    loop {
        if text.next_if_eq(&'{').is_some() {
            while text.peek().is_some_and(|&c| c != '}') {
                tree(text, &path, found);
                // What follows `as` has become part of the name; nothing is called so.
                while text.next_if(|&c| c != ',' && c != '}').is_some() {}
                text.next_if_eq(&',');
            }
            text.next();
            return;
        }
        let mut name = String::new();
        while let Some(c) = text.next_if(|&c| c.is_alphanumeric() || c == '_') {
            name.push(c);
        }
        path.extend(Some(name).filter(|name| !name.is_empty()));
        if text.next_if_eq(&':').is_none() || text.next_if_eq(&':').is_none() {
            found.push(path);
            return;
        }
    }
}
