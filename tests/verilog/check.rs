//! The check of what an export is about to write: it finds what is broken, it finds whatever Icarus finds, and nothing
//! of a broken export is written.

use crate::netlist::random_module;
use std::{fs, process::Command};
use warpmesh::{
    hdl::{Builder, Module, Values, concat, mux, params},
    netlist::elaborate,
    random::Rng,
    verilog::{ExportError, ExportOptions, VerilogFile, check, export, write_export},
};

fn files(top: &Module) -> Vec<VerilogFile> {
    let design = elaborate(top).unwrap_or_else(|e| panic!("{e}"));
    export(&design, &ExportOptions { sram_bits: Some(256), ..ExportOptions::default() })
}

/// A bit of everything that is printed: a child, a memory module, a memory, registers, cases, signed comparisons, an
/// assertion.
fn sample() -> Module {
    let child = {
        let m = Builder::new("child", params! {});
        let (a, clear) = (m.input("a", 8), m.input("clear", 1));
        let sum = m.register("sum", 8, 0);
        m.when(clear, || m.set(sum, 0)).otherwise(|| m.set(sum, sum + a));
        m.output_of("total", sum);
        m.output_of("negative", sum.lt_signed(a));
        m.finish()
    };
    let m = Builder::new("sample", params! {});
    let (a, b, select, priority) = (m.input("a", 8), m.input("b", 8), m.input("select", 2), m.input("priority", 1));
    let adder = m.instance("adder", &child);
    adder.drive("a", a);
    adder.drive("clear", priority);
    let lookup = m.memory("lookup", 64, 8);
    m.when(priority, || lookup.write(b.bits(0, 6), a));
    let queue = m.memory("queue", 4, 8);
    m.when(!priority, || queue.write(select, b));
    let lines = m.memory("lines", 4, 32);
    m.when(priority, || lines.write_masked(select, concat(&[b, a, b, a]), b.bits(0, 4)));
    m.output_of("line", lines.read(select));
    let chosen = m.output("chosen", 8);
    m.name_values(select, Values { kind: "SELECT", names: &[("A", 0), ("TOTAL", 1)] });
    m.switch(select, |case| {
        case.is(0, || m.assign(chosen, a));
        case.is(1, || m.assign(chosen, adder.get("total")));
        case.default(|| m.assign(chosen, mux(adder.get("negative"), a.shr_signed(select), lookup.read(a.bits(0, 6)))));
    });
    m.output_of("joined", concat(&[queue.read(select), a + b, priority.repeat(3)]));
    m.output_of("any", (a & b).any() | (a ^ b).all());
    let earlier = m.delayed("earlier", a);
    m.always("it is something", earlier.is_zero() | earlier.any());
    m.finish()
}

/// `sample` with `from`, which is in one of its files, replaced by `to`.
fn broken(from: &str, to: &str) -> Vec<VerilogFile> {
    let mut files = files(&sample());
    let file = files.iter_mut().rev().find(|file| file.text.contains(from));
    let file = file.unwrap_or_else(|| panic!("no file contains {from:?}"));
    file.text = file.text.replacen(from, to, 1);
    files
}

#[test]
fn what_is_broken_is_found() {
    let whole: Vec<_> = files(&sample()).into_iter().map(|file| file.text).collect();
    insta::assert_snapshot!("the_sample", whole.join("\n"));
    assert_eq!(check(&files(&sample())), []);
    let changes = [
        // Names.
        ("assign any", "assign anything"),
        ("  reg [7:0] earlier;", "  reg [7:0] earlier;\n  wire [7:0] earlier;"),
        ("  reg [7:0] queue [0:3];", "  reg [7:0] queue [0:3];\n  wire queue;"),
        ("priority_", "priority"),
        ("child adder (", "child sum ("),
        ("child adder (", "child lookup ("),
        ("wire [7:0] lookup_word", "wire [7:0] lookup_wort"),
        ("assign total = sum", "assign total = child"),
        ("queue[select] <=", "queue <="),
        ("sum <= sum + a", "total <= sum + a"),
        ("@(posedge clock)", "@(posedge select)"),
        // Drivers.
        ("  assign total = sum;\n", ""),
        ("  assign total = sum;\n", "  assign total = sum;\n  assign total = sum;\n"),
        ("  assign total = sum;\n", "  assign total = sum;\n  assign a = sum;\n"),
        ("  assign total = sum;\n", "  assign total = sum;\n  assign sum = total;\n"),
        ("    .read0_data(lookup_word)", "    .read0_data(a)"),
        ("output reg [7:0] chosen", "output wire [7:0] chosen"),
        // Widths.
        ("sum + a", "sum + clear"),
        ("assign total = sum", "assign total = sum[6:0]"),
        ("a[5:0]", "a[8:3]"),
        ("a[5:0]", "a[6:0]"),
        ("queue[select]", "queue[a]"),
        ("SELECT_TOTAL: begin", "3'h1: begin"),
        ("SELECT_TOTAL: begin", "b: begin"),
        ("SELECT_TOTAL: begin", "SELECT_B: begin"),
        ("localparam [1:0] SELECT_TOTAL = 2'h1", "localparam [2:0] SELECT_TOTAL = 3'h1"),
        ("localparam [1:0] SELECT_TOTAL = 2'h1", "localparam [1:0] SELECT_TOTAL = 3'h1"),
        ("localparam [1:0] SELECT_TOTAL = 2'h1", "localparam [1:0] select = 2'h1"),
        ("8'h00", "8'h100"),
        ("if (clear)", "if (a)"),
        ("$signed(sum) < $signed(a)", "$signed(sum) < a"),
        ("$signed(a) >>> select", "a >>> select"),
        ("{3{priority_}}", "{4{priority_}}"),
        // Loops.
        ("  genvar lines_lane;\n", ""),
        ("lines_lane < 4", "lines_lane < 5"),
        ("lines_lane < 4", "select < 4"),
        ("lines_lane * 8 +: 8", "lines_lane * 4 +: 8"),
        ("lines_part[lines_lane]", "lines_part[lines_lane / 2]"),
        ("lines_lane * 8 +: 8", "lines_lanes * 8 +: 8"),
        ("begin : lines_lanes", "begin : queue"),
        // Instances.
        ("child adder (", "children adder ("),
        ("    .clear(priority_),\n", ""),
        ("    .clear(priority_),\n", "    .clear(priority_),\n    .clear(priority_),\n"),
        (".clear(", ".clean("),
        (".total(", ".a("),
        (".a(a)", ".a(a[3:0])"),
        // What cannot be read, and what is elsewhere.
        ("endmodule", ""),
        ("assign total = sum;", "assign total == sum;"),
        ("assign total = sum;", "assign total = sum sum;"),
        ("always @* begin", "always begin"),
        ("module child", "module sample"),
        ("`ifdef WARPMESH_ASSERT", "`ifdef WARPMESH_ASSERTS"),
    ];
    let mut text = String::new();
    for (from, to) in changes {
        let faults = check(&broken(from, to));
        text.push_str(&format!("{from:?} -> {to:?}\n"));
        assert!(!faults.is_empty(), "{text}");
        faults.iter().for_each(|fault| text.push_str(&format!("  {fault}\n")));
    }
    insta::assert_snapshot!(text);
    let twice = [files(&sample()), files(&sample())].concat();
    assert!(check(&twice).iter().any(|fault| fault.to_string().contains("another file holds the module")));
    let mut parents_first = files(&sample());
    parents_first.reverse();
    assert!(!check(&parents_first).is_empty());
}

#[test]
fn nothing_of_a_broken_export_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().join("rtl");
    let error = write_export(&broken("assign total = sum", "assign sum = total"), &place, true).expect_err("broken");
    assert!(matches!(&error, ExportError::Broken(faults) if !faults.is_empty()), "{error}");
    assert!(!place.exists());
    // Neither is an earlier export taken away.
    write_export(&files(&sample()), &place, false).expect("whole");
    let names = || fs::read_dir(&place).expect("a folder").count();
    let before = names();
    write_export(&broken("clear)", "clean)"), &place, true).expect_err("broken");
    assert_eq!(names(), before);
}

/// One queue change of the text: a line left out or twice, a name or a number put in place of another.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let worth = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let places: Vec<_> = (0..lines.len()).filter(|&i| worth(&lines[i])).collect();
    let mut any = |of: usize| rng.below(of as u64) as usize;
    let at = places[any(places.len())];
    match any(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        _ => {
            let words = |line: &str| -> Vec<(usize, String)> {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let mut starts: Vec<_> = line.match_indices(is_word).map(|(i, _)| i).collect();
                starts.retain(|&i| i == 0 || !line[..i].ends_with(is_word));
                let length = |i: usize| line[i..].find(|c| !is_word(c)).unwrap_or(line.len() - i);
                starts.into_iter().map(|i| (i, line[i..i + length(i)].to_string())).collect()
            };
            let here = words(&lines[at]);
            let there = words(&lines[places[any(places.len())]]);
            if let (false, false) = (here.is_empty(), there.is_empty()) {
                let (start, old) = &here[any(here.len())];
                let (_, new) = &there[any(there.len())];
                lines[at].replace_range(*start..start + old.len(), new);
            }
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_icarus_finds_is_found() {
    let leaf = random_module(300, 25, &[]);
    let designs = [files(&sample()), files(&random_module(301, 30, &[leaf]))];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut refused, mut tried) = (0, 0);
    for (files, seed) in designs.iter().zip(1..) {
        assert_eq!(check(files), []);
        let mut rng = Rng::new(seed);
        for number in 0..60 {
            let mut mutant = files.clone();
            let file = rng.below(files.len() as u64) as usize;
            mutant[file].text = mutate(&files[file].text, &mut rng);
            let paths: Vec<_> = mutant.iter().map(|file| folder.path().join(format!("{}.v", file.name))).collect();
            mutant.iter().zip(&paths).for_each(|(file, path)| fs::write(path, &file.text).expect("written"));
            let mut icarus = Command::new("iverilog");
            icarus.args(["-g2005", "-o", "/dev/null", "-s", &files[files.len() - 1].name]).args(&paths);
            let output = icarus.output().expect("Icarus is installed");
            tried += 1;
            if !output.status.success() {
                refused += 1;
                let said = String::from_utf8_lossy(&output.stderr);
                let name = &mutant[file].name;
                assert!(!check(&mutant).is_empty(), "mutant {number} of {name}: {said}{}", mutant[file].text);
            }
        }
    }
    assert!(refused * 3 > tried, "{refused} of {tried}");
}
