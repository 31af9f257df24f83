//! Single blocks: their list, their Verilog with a test bench, what they consist of.

use super::{Folder, json};
use std::process::Command;

#[test]
fn blocks_are_listed_with_their_parameters() {
    insta::assert_snapshot!(Folder::new().transcript(&["list", "blocks"]));
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.transcripts(&[
        &["export", "--block", "fif", "--out", "o"],
        &["export", "--block", "fifo", "-P", "dept=4", "--out", "o"],
        &["export", "--block", "fifo", "-P", "depth=0", "--out", "o"],
        &["export", "--block", "fifo", "-P", "depth", "--out", "o"],
        &["export", "--block", "alu32", "-P", "width=8", "--out", "o"],
        &["export", "--block", "switch_allocator", "-P", "kind=pin", "--out", "o"],
        &["export", "--block", "barrier", "-P", "warps=2", "--out", "o"],
        &["export", "small", "--block", "fifo", "--out", "o"],
        &["area", "small", "--block", "fifo"],
        &["area", "--block", "fifo", "--layout", "tile"],
        &["area", "--depth", "3"],
        &["export", "small", "--instance", "core0.fron", "--out", "o"],
        &["export", "small", "--instance", "tile7", "--out", "o"],
        &["export", "small", "--instance", "core0..front_end", "--out", "o"],
        &["area", "small", "--instance", "core0.front_end.decode.x"],
        &["timing", "--block", "fifo", "--instance", "core0"],
        &["export", "small", "--instance", "core0", "--testbench", "--out", "o"],
    ]));
    assert!(!folder.path("o").exists());
}

#[test]
fn what_a_block_consists_of() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.transcript(&["area", "--block", "fifo", "-P", "depth=4", "-P", "width=8"]));
    let object = json(&folder.run(&["area", "--block", "router", "--json"]));
    assert_eq!((&object["block"], &object["parameters"]), (&"router".into(), &"vcs=4 depth=8 width=128".into()));
    let blocks = object["blocks"].as_array().expect("a list");
    assert!(
        blocks.len() > 5
            && blocks[0]["path"] == "router"
            && blocks[1]["path"].as_str().unwrap_or("").starts_with("router/")
    );
}

/// Its modules are those of the whole chip, its clocks those that drive it.
#[test]
fn an_instance_is_as_it_is_in_its_chip() {
    let folder = Folder::new();
    let clocks = ["-P", "clocks.core=1300", "-P", "clocks.noc=650"];
    let export = |out: &str, more: &[&str]| {
        let outcome = folder.run(&[&["export", "small", "--out", out], &clocks[..], more].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        outcome.stdout
    };
    export("chip", &[]);
    let said = export("part", &["--instance", "core0.load_store"]);
    assert!(said.starts_with("part: block core0.load_store of small -P clocks.core=1300"), "{said}");
    let made = "// Made by: warpmesh export small -P clocks.core=1300 -P clocks.noc=650";
    let mut modules = 0;
    for entry in std::fs::read_dir(folder.path("part")).expect("a folder") {
        let name = entry.expect("readable").file_name().into_string().expect("a module");
        if !name.ends_with(".v") {
            continue;
        }
        let (part, whole) = (folder.read(&format!("part/{name}")), folder.read(&format!("chip/{name}")));
        assert_eq!(part.replace(&format!("{made} --instance core0.load_store"), made), whole);
        modules += 1;
    }
    assert!(modules > 2);
    // The crossing between cores and network has the clocks of both.
    export("crossing", &["--instance", "crossing0"]);
    let constraints = folder.read("crossing/constraints.sdc");
    for clock in
        ["create_clock -name core -period 0.769 [get_ports ", "create_clock -name noc -period 1.538 [get_ports "]
    {
        assert!(constraints.contains(clock), "{constraints}");
    }
    let timing = json(&folder.run(&[&["timing", "small", "--instance", "crossing0", "--json"], &clocks[..]].concat()));
    let domains = timing["domains"].as_array().expect("a list");
    let mut megahertz: Vec<_> = domains.iter().map(|domain| domain["mhz"].as_f64().unwrap_or_default()).collect();
    megahertz.sort_by(f64::total_cmp);
    assert_eq!(megahertz, [650.0, 1300.0]);
    let area = json(&folder.run(&["area", "small", "--instance", "core0", "--json"]));
    assert_eq!((&area["config"], &area["instance"]), (&"small".into(), &"core0".into()));
    assert_eq!(area["blocks"][0]["path"], "core");
}

/// Blocks of one clock, of two, and of none.
#[test]
fn an_export_says_from_which_size_memories_are_modules() {
    let folder = Folder::new();
    let export = |out: &str, bits: &[&str]| {
        let fifo = ["export", "--block", "fifo", "-P", "depth=16", "-P", "width=128", "--out", out];
        let outcome = folder.run(&[&fifo[..], bits].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        let header = folder.read(&format!("{out}/fifo_depth16_width128.v"));
        header.lines().find(|line| line.starts_with("// Made by: ")).expect("a header").to_string()
    };
    let made = "// Made by: warpmesh export --block fifo -P depth=16 -P width=128";
    assert_eq!(export("default", &[]), made);
    let list = "module,words,bits,write_parts,reads,read_ports,instances,total_bits\n\
                async_ram_depth16_width128_reads1,16,128,1,1,asynchronous,1,2048\n";
    assert_eq!(folder.read("default/macros.csv"), list);
    assert_eq!(export("all", &["--sram-bits", "1"]), format!("{made} --sram-bits 1"));
    for (out, bits) in [("larger", "2049"), ("none", "0")] {
        assert_eq!(export(out, &["--sram-bits", bits]), format!("{made} --sram-bits {bits}"));
        assert!(!folder.path(&format!("{out}/macros.csv")).exists());
    }
}

#[test]
fn a_block_passes_its_test_bench_in_both_tools() {
    let folder = Folder::new();
    for (block, tool) in [
        ("fifo", "icarus"),
        ("fifo", "verilator"),
        ("clock_crossing_fifo", "icarus"),
        ("clock_crossing_fifo", "verilator"),
        ("compare32", "icarus"),
        ("warp_scheduler", "icarus"),
    ] {
        let out = format!("{block}-{tool}");
        let done = folder.run(&["export", "--block", block, "--testbench", "--out", &out]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stdout.contains("testbench.v"), "{}", done.stdout);
        let (passed, said) = run(&folder, &out, tool);
        assert!(passed && said.contains("PASS"), "{block} in {tool}: {said}");
    }
    let bench = folder.read("fifo-icarus/rows.hex");
    let broken: Vec<_> =
        bench.lines().map(|row| if row.starts_with('0') { row.into() } else { format!("0{}", &row[1..]) }).collect();
    folder.write("fifo-icarus/rows.hex", broken.join("\n"));
    let (passed, said) = run(&folder, "fifo-icarus", "icarus");
    assert!(!passed && said.contains("FAIL: cycle "), "{said}");
}

/// The command that `files.f` gives for the tool.
fn run(folder: &Folder, out: &str, tool: &str) -> (bool, String) {
    let list = folder.read(&format!("{out}/files.f"));
    let start = if tool == "icarus" { "//   iverilog -g2012" } else { "//   verilator --binary" };
    let line = list.lines().find(|line| line.starts_with(start)).expect("a command").trim_start_matches("//");
    // Compiled without optimisation: its rows are over before an optimiser is.
    let line = line.replace("--binary", "--binary -MAKEFLAGS OPT_FAST=-O0 -MAKEFLAGS OPT_GLOBAL=-O0");
    let output = Command::new("sh").arg("-c").arg(line).current_dir(folder.path(out)).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said)
}
