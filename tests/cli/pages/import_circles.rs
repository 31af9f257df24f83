//! Files of a crate that import each other in a circle can only be read, moved and tested together: no such circle may
//! be larger than its crate's limit. Crates cannot; they use each other as their table here says, from the bottom up.
//!
//! Read are the paths that begin with `crate`, `super`, `self` or a child module, up to the tests of a file. What a module
//! re-exports by name counts as an import of the module that it comes from, and to re-export is to import nothing.

use super::root;
use petgraph::{algo::tarjan_scc, graphmap::DiGraphMap};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Folders of crates in `src`, and how many files may be in a circle.
const LIMITS: [(&str, usize); 14] = [
    ("cli", 2),
    ("cuda", 6),
    ("hdl", 5),
    ("measure", 5),
    ("program", 4),
    ("rtl", 0),
    ("rtl/blocks", 3),
    ("rtl/cache", 3),
    ("rtl/chip", 5),
    ("rtl/core", 5),
    ("rtl/memory", 3),
    ("rtl/noc", 5),
    ("sim", 6),
    ("verilog", 3),
];

/// Folders of all packages, from the bottom up, and what each uses of them; what only its tests use does not count.
const PACKAGES: [(&str, &[&str]); 28] = [
    ("src/common", &[]),
    ("src/hdl", &["common"]),
    ("src/netlist", &["hdl"]),
    ("src/sim", &["common", "hdl", "netlist"]),
    ("src/verilog", &["hdl", "netlist", "sim"]),
    ("src/embed", &["hdl", "netlist", "sim", "verilog"]),
    ("src/rusthdl", &["hdl"]),
    ("src/program", &["common"]),
    ("src/rtl/blocks", &["common", "hdl", "program", "rusthdl"]),
    ("src/rtl/noc", &["blocks", "common", "hdl"]),
    ("src/rtl/protocol", &["blocks", "hdl", "program"]),
    ("src/rtl/cache", &["blocks", "common", "hdl", "protocol"]),
    ("src/rtl/memory", &["blocks", "cache", "common", "hdl", "noc", "protocol"]),
    ("src/rtl/core", &["blocks", "cache", "common", "hdl", "memory", "noc", "program", "protocol"]),
    ("src/rtl/chip", &["blocks", "cache", "common", "hdl", "memory", "noc", "program", "protocol", "simt_core"]),
    ("src/rtl", &["blocks", "cache", "chip", "common", "hdl", "memory", "noc", "simt_core"]),
    ("src/measure", &["common", "hdl", "netlist", "program", "rtl", "sim", "verilog"]),
    ("src/cuda", &["common", "measure", "program", "rtl", "sim"]),
    ("src/cli", &["common", "cuda", "hdl", "measure", "netlist", "program", "rtl", "sim", "verilog"]),
    (
        "",
        &["cli", "common", "cuda", "embed", "hdl", "measure", "netlist", "program", "rtl", "rusthdl", "sim", "verilog"],
    ),
    ("tests/testkit/base", &["hdl", "program", "sim", "verilog"]),
    ("tests/testkit/rigs", &["cache", "hdl", "netlist", "noc", "protocol", "sim", "testkit_base", "verilog"]),
    ("tests/testkit", &["rigs", "testkit_base", "warpmesh"]),
    ("examples/own-routing", &["warpmesh"]),
    ("examples/own-scheduler", &["warpmesh"]),
    ("examples/own-stage", &["warpmesh"]),
    ("examples/own-unit", &["warpmesh"]),
    ("python", &["cli", "common", "measure"]),
];

fn manifest(folder: &str) -> toml::Table {
    let path = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder of a dependency of the package in `folder`, if it is a package of this repository.
fn folder_of(name: &str, dependency: &toml::Value, folder: &str, workspace: &toml::Table) -> Option<String> {
    if let Some(path) = dependency.get("path").and_then(toml::Value::as_str) {
        let mut parts: Vec<&str> = folder.split('/').collect();
        for part in path.split('/') {
            match part {
                ".." => {
                    parts.pop();
                }
                _ => parts.push(part),
            }
        }
        return Some(parts.join("/"));
    }
    workspace["workspace"]["dependencies"][name].get("path")?.as_str().map(String::from)
}

#[test]
fn packages_use_what_is_below_them() {
    let workspace = manifest("");
    let mut below = vec![];
    for (package, uses) in PACKAGES {
        let manifest = manifest(package);
        let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
        let of_all = manifest.get("dependencies").into_iter();
        let tables = of_all.chain(targets.filter_map(|target| target.get("dependencies")));
        let mut found = vec![];
        for (name, dependency) in tables.filter_map(toml::Value::as_table).flatten() {
            let Some(folder) = folder_of(name, dependency, package, &workspace) else { continue };
            assert!(below.contains(&folder), "{package} uses {name}, which is not below it");
            found.push(name.as_str());
        }
        found.sort_unstable();
        assert_eq!(found, uses, "{package}");
        below.push(package.to_string());
    }
}

#[test]
fn every_package_has_its_row() {
    let members = manifest("")["workspace"]["members"].clone();
    let has_row = |folder: &str| PACKAGES.iter().any(|(package, _)| *package == folder);
    for member in members.as_array().expect("a list").iter().filter_map(toml::Value::as_str) {
        let Some(folder) = member.strip_suffix("/*") else {
            assert!(has_row(member), "{member}");
            continue;
        };
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let entry = entry.expect("an entry of the folder");
            let member = format!("{folder}/{}", entry.file_name().display());
            assert!(!entry.path().join("Cargo.toml").exists() || has_row(&member), "{member}");
        }
    }
}

/// Of a crate, by path in it (empty for the root): file and text, without comments and tests.
type Modules = BTreeMap<Vec<String>, (PathBuf, String)>;

#[test]
fn no_import_circle_is_larger_than_its_limit() {
    let mut wrong = String::new();
    for (name, limit) in LIMITS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
        let modules = modules(&folder);
        assert!(modules.len() > 3, "{} modules in {}", modules.len(), folder.display());
        let largest = circles(&modules).into_iter().next().unwrap_or_default();
        if largest.len() != limit {
            let files: String = largest.iter().map(|file| format!("  {file}\n")).collect();
            wrong += &format!(
                "{} files of src/{name} import each other in a circle, limit {limit}:\n{files}",
                largest.len()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}where it is smaller, the limit is to be lowered");
}

#[test]
fn circles_are_found_by_any_form_of_path() {
    let modules: Modules = [
        ("", "pub use c::D;\nuse a::A;"),
        ("a", "use super::{b::{self, B}, c::C as Other};"),
        ("b", "fn f() -> crate::D { todo!() }"),
        ("c", "mod d; pub use d::D; use d::Other;"),
        ("c::d", "use super::super::{e::E, *}; use self::unknown::X; use std::e::F; f::g();"),
        ("c::d::f", ""),
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
    assert_eq!(imports("c::d"), ["e", "", "c::d::f"]);
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
                // Not so crates within.
                folders.extend(Some(file).filter(|file| !file.join("Cargo.toml").exists()));
            } else if file.extension().is_some_and(|extension| extension == "rs") {
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
    let text: String = statements(&modules[path].1).filter(|statement| re_exported(statement).is_none()).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = vec![];
    for (at, _) in text.char_indices() {
        let before = text[..at].trim_end();
        let starts = !before.ends_with("::")
            && !before.ends_with("pub(in")
            && !text[..at].ends_with(is_name)
            && text[at..].starts_with(is_name);
        let first: String = text[at..].chars().take_while(|&c| is_name(c)).collect();
        let child = || modules.contains_key(&[path, std::slice::from_ref(&first)].concat());
        let leads_on = || text[at + first.len()..].trim_start().starts_with("::");
        if starts && leads_on() && (matches!(first.as_str(), "crate" | "super" | "self") || child()) {
            tree(&mut text[at..].chars().filter(|c| !c.is_whitespace()).peekable(), &[], &mut found);
        }
    }
    found.into_iter().map(|names| origin(modules, path, &names, 8)).filter(|target| target != path).collect()
}

/// Pieces of a text that end with a semicolon, which they have.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(';')
}

/// What a statement re-exports, if that is what it does: the text behind `pub use`.
fn re_exported(statement: &str) -> Option<&str> {
    let visible = ["pub use ", "pub(crate) use ", "pub(super) use "];
    // Before it there may be the end of what has no semicolon.
    let (at, word) = visible.iter().filter_map(|word| Some((statement.find(word)?, word))).min()?;
    Some(&statement[at + word.len()..])
}

/// The module in which that what `names` names from `path` is; `depth`: re-exports in a row that are followed.
fn origin(modules: &Modules, path: &[String], names: &[String], depth: usize) -> Vec<String> {
    let mut base = if names[0] == "crate" { vec![] } else { path.to_vec() };
    let mut rest = names.iter().filter(|name| *name != "crate" && *name != "self").peekable();
    while let Some(name) = rest.peek() {
        let below = [&base[..], std::slice::from_ref(*name)].concat();
        match name.as_str() {
            "super" => drop(base.pop()),
            _ if modules.contains_key(&below) => base = below,
            _ => break,
        }
        rest.next();
    }
    let Some(name) = rest.next().filter(|_| depth > 0) else { return base };
    let mut exported = vec![];
    for statement in statements(&modules[&base].1).filter_map(re_exported) {
        tree(&mut statement.chars().filter(|c| !c.is_whitespace()).peekable(), &[], &mut exported);
    }
    let found = exported.into_iter().find(|exported| exported.len() > 1 && exported.last() == Some(name));
    found.map_or(base.clone(), |names| origin(modules, &base, &names, depth - 1))
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
