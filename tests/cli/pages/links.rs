//! Links between pages and their headings, and files that pages name.

use super::{Page, files, root, spans};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

/// Endings of files of the repository.
const ENDINGS: [&str; 11] = ["rs", "md", "toml", "cu", "ptx", "csv", "c", "v", "svg", "json", "bin"];

/// Folders of the repository; what begins with another one is a place of the user.
const FOLDERS: [&str; 13] = [
    "src",
    "examples",
    "tests",
    "docs",
    "benches",
    "campaigns",
    "kernels",
    "configs",
    "studies",
    "workloads",
    "testbenches",
    "scripts",
    "rtl-out",
];

/// Headings of a page as links name them: small, without marks, with dashes for spaces.
fn anchors(text: &str) -> HashSet<String> {
    let mut fence = false;
    let mut found = HashSet::new();
    for line in text.lines() {
        fence ^= line.starts_with("```");
        if let Some(title) = line.strip_prefix('#').filter(|_| !fence) {
            let title = title.trim_start_matches('#').trim().to_lowercase();
            // Of a link its text.
            let title = title.split("](").map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
            let kept = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
            found.insert(title.flat_map(str::chars).filter(|&c| kept(c)).collect::<String>().replace(' ', "-"));
        }
    }
    found
}

/// Targets of links: `[text](target)`.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[test]
fn links_lead_somewhere() {
    let mut broken = vec![];
    for page in Page::all() {
        let here = root().join(&page.name);
        let prose = page.prose();
        for target in targets(&prose).filter(|target| !target.contains("://") && !target.contains(' ')) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { here.clone() } else { here.parent().expect("a folder").join(file) };
            let has = |path: &Path| anchors(&fs::read_to_string(path).unwrap_or_default()).contains(heading);
            if !path.exists() || !heading.is_empty() && !has(&path) {
                broken.push(format!("{}: {target}", page.name));
            }
        }
    }
    assert!(broken.is_empty(), "links without a target:\n{}", broken.join("\n"));
}

/// What a name with `*` stands for may be any of them.
fn is_there(name: &str, page: &str) -> bool {
    let beside = root().join(page).parent().expect("a folder").to_path_buf();
    let folders = [root().to_path_buf(), beside];
    let Some((before, after)) = name.split_once('*') else {
        return folders.iter().any(|folder| folder.join(name).exists());
    };
    let (folder, start) = before.rsplit_once('/').unwrap_or(("", before));
    let ending = after.trim_start_matches('*').rsplit('*').next().unwrap_or("").rsplit('/').next().unwrap_or("");
    folders.iter().any(|root| {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(|found| found.starts_with(start) && (after.contains('/') || found.ends_with(ending)))
    })
}

#[test]
fn files_that_pages_name_are_there() {
    let sources: HashSet<PathBuf> = ["src", "tests", "benches", "campaigns", "docs"]
        .into_iter()
        .flat_map(|folder| files(folder, |_| true))
        .filter_map(|path| path.file_name().map(PathBuf::from))
        .collect();
    let mut missing = vec![];
    for page in Page::all() {
        let prose = page.prose();
        for span in spans(&prose) {
            let name = span.text.trim_end_matches('/');
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./*".contains(c))
                || name.starts_with(['.', '-', '/'])
            {
                continue;
            }
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            let there = match name.split_once('/') {
                Some((first, _)) if FOLDERS.contains(&first) || ENDINGS.contains(&ending) => is_there(name, &page.name),
                // Other files without a folder are the reader's.
                None if ["rs", "md"].contains(&ending) => {
                    sources.contains(Path::new(name)) || root().join(name).exists()
                }
                _ => true,
            };
            if !there {
                missing.push(format!("{}:{}: {}", page.name, span.line, span.text));
            }
        }
    }
    assert!(missing.is_empty(), "files that are not there:\n{}", missing.join("\n"));
}
