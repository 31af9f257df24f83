//! What the name of a configuration means: a shipped one, or a file; never silently one for the other.

use super::Folder;

/// Whether a name means the files of this test, which are no chips, or a shipped configuration; and what is said.
fn found(folder: &Folder, name: &str) -> (&'static str, String) {
    let outcome = folder.run(&["check", name]);
    match outcome.code {
        0 => ("shipped", outcome.stderr),
        _ => {
            let (said, error) = outcome.stderr.split_at(outcome.stderr.find("  ×").expect("an error"));
            assert!(error.contains("invalid value 3 for core.lanes"), "{error}");
            ("mine", said.to_string())
        }
    }
}

fn mine(folder: &Folder, name: &str) {
    folder.write(name, "[core]\nlanes = 3\n");
}

#[test]
fn a_base_is_named_as_on_the_command_line() {
    let folder = Folder::new();
    mine(&folder, "other.toml");
    for (base, what) in
        [("small", "shipped"), ("small.toml", "shipped"), ("other.toml", "mine"), ("./other.toml", "mine")]
    {
        folder.write("x.toml", format!("base = \"{base}\"\n"));
        assert_eq!(found(&folder, "x.toml"), (what, String::new()), "{base}");
    }
}

#[test]
fn a_file_or_folder_does_not_stand_for_a_shipped_configuration_in_silence() {
    let folder = Folder::new();
    let mut said = String::new();
    let mut expect = |folder: &Folder, name: &str, what: &str| {
        let (found, stderr) = found(folder, name);
        assert_eq!(found, what, "{name}: {stderr}");
        said += &format!("{name}: {what}\n{stderr}");
    };
    // A folder, as `export small --out small` makes it.
    std::fs::create_dir(folder.path("small")).expect("made");
    expect(&folder, "small", "shipped");
    std::fs::remove_dir(folder.path("small")).expect("is empty");
    mine(&folder, "small");
    expect(&folder, "small", "shipped");
    expect(&folder, "./small", "mine");
    std::fs::remove_file(folder.path("small")).expect("is there");
    mine(&folder, "small.toml");
    expect(&folder, "small", "shipped");
    expect(&folder, "small.toml", "mine");
    expect(&folder, "./small.toml", "mine");
    // The same of a base, beside the file that names it.
    std::fs::create_dir(folder.path("chips")).expect("made");
    mine(&folder, "chips/torus.toml");
    for base in ["torus", "torus.toml", "./torus.toml"] {
        folder.write("chips/x.toml", format!("base = \"{base}\"\n"));
        expect(&folder, "chips/x.toml", if base == "torus" { "shipped" } else { "mine" });
    }
    insta::assert_snapshot!(said);
}

/// A copy of a shipped configuration is no other one.
#[test]
fn a_file_with_the_same_content_is_not_worth_a_word() {
    let folder = Folder::new();
    let (_, text) = warpmesh::chip::EMBEDDED.iter().find(|(name, _)| *name == "small.toml").expect("is shipped");
    folder.write("small.toml", text);
    for name in ["small", "small.toml"] {
        assert_eq!(found(&folder, name), ("shipped", String::new()));
    }
}

/// Shipped configurations build upon shipped ones, whatever lies in the folder.
#[test]
fn the_base_of_a_shipped_configuration_is_shipped() {
    let folder = Folder::new();
    folder.write("baseline-tb-dor.toml", "this is no TOML").write("default.toml", "nor is this");
    let (name, text) =
        warpmesh::chip::EMBEDDED.iter().find(|(_, text)| text.contains("base = \"baseline-tb-dor")).expect("some");
    assert!(text.contains("baseline-tb-dor"));
    let outcome = folder.run(&["area", name.trim_end_matches(".toml"), "--json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
}
