//! The Verilog in `rtl-out/` is what this version exports.

use std::{collections::BTreeMap, fs, path::Path};
use warpmesh::{
    chip,
    netlist::elaborate,
    verilog::{CONSTRAINTS, ExportOptions, MACROS, constraints, export_all, macros_csv, write_export_beside},
};

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("a readable folder").path())
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("text"))
        })
        .collect()
}

#[test]
fn the_committed_verilog_is_the_exported_one() {
    let chip = chip::load(None, &[]).expect("the default chip");
    let design = elaborate(&chip::build(&chip).expect("a network")).expect("a correct chip");
    let options = ExportOptions {
        command: "warpmesh export default".into(),
        config: "default".into(),
        ..ExportOptions::default()
    };
    let fresh = tempfile::tempdir().expect("a temporary folder");
    let exported = export_all(&design, &options);
    let macros = (MACROS.to_string(), macros_csv(&exported.macros));
    let parts = chip.config().clocks.parts();
    let constraints = (CONSTRAINTS.to_string(), constraints(&design.top.name, &exported.clocks, &parts));
    write_export_beside(&exported.files, &[macros, constraints], fresh.path(), false).expect("an empty folder");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl-out/default");
    let (fresh, committed) = (files(fresh.path()), files(&committed));
    let hint = "make it again with: cargo run --release -- export --out rtl-out/default";
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&fresh), names(&committed), "other modules than in rtl-out/default; {hint}");
    for (name, text) in &fresh {
        assert!(committed[name] == *text, "rtl-out/default/{name} differs; {hint}");
    }
}
