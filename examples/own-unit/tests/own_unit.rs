//! The unit is known to every command as those of the project are, and it is the one that computes.

use std::{env::temp_dir, fs, process, process::Command};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_own-unit"))
}

/// What a command prints; it must succeed.
fn output(args: &[&str]) -> String {
    let output = program().args(args).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// What a command that must fail says.
fn error(args: &[&str]) -> String {
    let output = program().args(args).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TWO: &str = "core.own_units.products=2";

#[test]
fn it_is_in_lists_in_the_schema_in_completions_and_in_errors() {
    let listed = output(&["list", "units"]);
    let row = listed.lines().find(|line| line.trim_start().starts_with("products ")).expect("a row");
    assert!(row.ends_with("Products of integers."), "{row}");
    assert!(output(&["list", "statistics", "products_unit"]).contains("products_unit.busy_cycles"));
    let schema = output(&["schema"]);
    let table = schema.split("\"OwnUnits\": {").nth(1).expect("the table");
    assert!(table.contains("\"products\": {") && table.contains("Products of integers."), "{table}");
    let mut ask = program();
    ask.env("WARPMESH_COMPLETE", "zsh").env("_CLAP_COMPLETE_INDEX", "3").env("_CLAP_IFS", "\n");
    let words = ["--", "warpmesh", "run", "-P", "core.own_un"];
    let found = String::from_utf8(ask.args(words).output().expect("it starts").stdout).expect("text");
    assert!(found.contains("core.own_units.products="), "{found}");

    let wrong = error(&["check", "-P", "core.own_units.product=2"]);
    assert!(wrong.contains("did you mean `core.own_units.products`?"), "{wrong}");
    let wrong = error(&["check", "-P", "core.own_units.products=3"]);
    assert!(wrong.contains("0 or a power of two up to 4, half of core.lanes"), "{wrong}");
    let wrong = error(&["check", "-P", "core.own_units.products=many"]);
    assert!(wrong.contains("allowed: 0 to 16"), "{wrong}");
}

/// A study of the kernel without and with the unit: cycles differ, and the unit has computed.
#[test]
fn a_study_runs_a_kernel_with_it_in_cycles_of_its_own() {
    let folder = temp_dir().join(format!("own-unit-study-{}", process::id()));
    fs::create_dir_all(&folder).expect("created");
    let study = "title = \"Multipliers\"\n[[axis]]\nkey = \"core.own_units.products\"\nvalues = [0, 2]\n\
                 [[kernel]]\nname = \"matmul\"\nsize = 16\n";
    let file = folder.join("products.toml");
    fs::write(&file, study).expect("written");
    let (file, out) = (file.to_str().expect("text"), folder.join("out"));
    let table = output(&["study", file, "--csv", "--out", out.to_str().expect("text")]);
    fs::remove_dir_all(&folder).expect("removed");
    let shown = |units: &str| table.lines().any(|line| line.contains(units));
    assert!(shown("products=0") && shown("products=2"), "{table}");
}

/// The number behind each place of `before` in a report.
fn numbers(report: &str, before: &str) -> Vec<f64> {
    let number = |rest: &str| rest.split([',', '\n', ' ']).next().and_then(|number| number.parse().ok());
    report.split(before).skip(1).map(|rest| number(rest).expect("a number")).collect()
}

/// As many instructions go to the unit as are products on the lanes, whatever the cycles.
#[test]
fn a_kernel_runs_to_its_verified_end_and_its_products_go_to_the_unit() {
    let run = |units: &str, counted: &str| {
        let units = format!("core.own_units.products={units}");
        let kernel = ["run", "--kernel", "matmul", "--size", "16", "-P", &units, "--stats", counted, "--json"];
        let report = output(&kernel);
        assert!(report.contains("\"verified\": true"), "{report}");
        let instructions: f64 = numbers(&report, "\"value\": ").iter().sum();
        (numbers(&report, "\"core_cycles\": ")[0], instructions)
    };
    let (lanes, products) = run("0", "front_end.product_instructions");
    let [(four, on_four), (two, on_two)] = ["4", "2"].map(|units| run(units, "products_unit.instructions"));
    assert!(lanes != four && four != two && lanes != two, "{lanes} with lanes alone, {four}, {two} with the unit");
    assert!(products > 0.0 && [on_four, on_two] == [products; 2], "{products}, {on_four}, {on_two}");
}

#[test]
fn its_verilog_and_its_area_are_those_of_a_chip_with_it() {
    let folder = temp_dir().join(format!("own-unit-{}", process::id()));
    output(&["export", "-P", TWO, "--out", folder.to_str().expect("text")]);
    let files = fs::read_dir(&folder).expect("the folder").map(|file| file.expect("a file").file_name());
    let units = files.filter(|name| name.to_string_lossy().starts_with("products_unit")).count();
    fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(units, 1);
    let areas = |settings: &[&str]| numbers(&output(&[&["area", "--json"], settings].concat()), "\"one_mm2\": ");
    let core = |settings: &[&str]| areas(settings).into_iter().fold(0.0, f64::max);
    assert!(core(&["-P", TWO]) > core(&[]));
}
