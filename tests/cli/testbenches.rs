//! The exported test bench runs a kernel on the exported chip in Icarus, as `files.f` says, and finds what is wrong; in a
//! long run of the tests in Verilator, too, whose C++ takes half a minute to compile.

use super::{Folder, json};
use crate::campaign::part_or_all;
use std::{collections::BTreeSet, process::Command};

const KERNEL: [&str; 4] = ["--kernel", "vector_add", "--size", "40"];
/// Atomics in shared and in global memory.
const ATOMICS: [&str; 6] = ["--kernel", "histogram", "--size", "200", "-P", "core.atomics=true"];

/// A core and a controller alone: Verilator makes C++ of every instance, which takes long to compile.
const ONE_CORE: [&str; 3] = ["small", "-P", "network.rows=1"];

/// The export of a core in `rtl`, with a test bench.
fn exported() -> Folder {
    let folder = Folder::new();
    let asked = [&["export"], &ONE_CORE[..], &["--testbench", "--out", "rtl"], &KERNEL].concat();
    let outcome = folder.run(&asked);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    folder
}

/// Runs the command of `files.f` that starts with `tool`; returns success, and what it printed.
fn run(folder: &Folder, tool: &str) -> (bool, String) {
    let list = folder.read("rtl/files.f");
    let wanted = |line: &&str| line.starts_with(tool) && line.contains(" && ");
    let command = list.lines().filter_map(|line| line.strip_prefix("//   ")).find(wanted).expect("a command");
    // Compiled without optimisation: a short kernel is over before an optimiser is.
    let command = command.replace("--binary", "--binary -MAKEFLAGS OPT_FAST=-O0 -MAKEFLAGS OPT_GLOBAL=-O0");
    let output = Command::new("sh").current_dir(folder.path("rtl")).args(["-c", &command]).output().expect("a shell");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (output.status.success(), said)
}

/// Replaces `from` by `to` in a file of the export.
fn replace(folder: &Folder, file: &str, from: &str, to: &str) {
    let text = folder.read(file);
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from}");
    folder.write(file, changed);
}

/// Changes the last word of the last line that is not zero.
fn break_expectation(folder: &Folder) {
    let text = folder.read("rtl/expected.hex");
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let line = lines.iter_mut().rfind(|line| line.contains(|c| c != '0')).expect("a result");
    let digit = line.find(|c| c != '0').expect("found above");
    line.replace_range(digit..=digit, if line[digit..].starts_with('1') { "2" } else { "1" });
    folder.write("rtl/expected.hex", lines.join("\n") + "\n");
}

#[test]
fn the_exported_chip_runs_a_kernel_in_as_many_cycles_as_the_simulation() {
    let folder = exported();
    let report = json(&folder.run(&[&["run", "--json"], &ONE_CORE[..], &KERNEL].concat()));
    let cycles = format!("cycles {}\nPASS\n", report["core_cycles"]);
    for tool in part_or_all(&["iverilog"][..], &["iverilog", "verilator"]) {
        let (success, said) = run(&folder, tool);
        assert!(success && said.contains(&cycles), "{tool}: {said}");
    }
    break_expectation(&folder);
    let (success, said) = run(&folder, "iverilog");
    assert!(!success && !said.contains("PASS"), "{said}");
    assert!(said.contains("FAIL: buffer c, bytes from ") && said.contains("FAIL: 1 of "), "{said}");
    // Built before; it reads the expectation when it starts.
    let rtl = folder.path("rtl");
    if rtl.join("obj_dir").exists() {
        let output = Command::new(rtl.join("obj_dir/Vtestbench")).current_dir(&rtl).output().expect("it was built");
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stdout).contains("FAIL: 1 of "));
    }
}

#[test]
fn chips_with_other_lines_an_l2_or_several_clocks_run_it_too() {
    let kinds: [&[&str]; 3] = [
        &["cache.instruction.bytes=512", "cache.constant.bytes=512", "memory.line_bytes=128"],
        &[
            "cache.texture.bytes=512",
            "memory.line_bytes=32",
            "cache.l2.bytes=4096",
            "clocks.core=1296",
            "clocks.noc=602",
            "clocks.dram=1107",
            "memory.scheduler=fr-fcfs",
        ],
        &[
            "network.organisation=dedicated",
            "network.overlay.kind=da2mesh",
            "clocks.overlay=1505",
            "network.overlay.injection=split",
        ],
    ];
    for (kind, kernel) in kinds
        .into_iter()
        .zip([&ATOMICS[..], &KERNEL].into_iter().cycle())
        .skip(part_or_all(1, 0))
        .take(part_or_all(1, 3))
    {
        let folder = Folder::new();
        let overrides: Vec<_> = kind.iter().flat_map(|setting| ["-P", setting]).collect();
        let outcome =
            folder.run(&[&["export", "small", "--testbench", "--out", "rtl"], &overrides[..], kernel].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let (success, said) = run(&folder, "iverilog");
        assert!(success && said.contains("PASS\n"), "{kind:?}: {said}");
    }
}

/// Memories as a compiler of memories has them: one clock, whole words, bit by bit what is written.
const MACROS: &str = "\
module macro_1r1w #(parameter WORDS = 2, BITS = 1, ADDRESS = 1) (
    input CLK, input WE, input [ADDRESS-1:0] WA, input [BITS-1:0] D, BWE, input RE, input [ADDRESS-1:0] RA,
    output reg [BITS-1:0] Q);
  reg [BITS-1:0] array [0:WORDS-1];
  always @(posedge CLK) begin
    if (RE) Q <= array[RA];
    if (WE) array[WA] <= (array[WA] & ~BWE) | (D & BWE);
  end
endmodule
module macro_async #(parameter WORDS = 2, BITS = 1, ADDRESS = 1) (
    input CLK, input WE, input [ADDRESS-1:0] WA, input [BITS-1:0] D, BWE, input [ADDRESS-1:0] RA, output [BITS-1:0] Q);
  reg [BITS-1:0] array [0:WORDS-1];
  assign Q = array[RA];
  always @(posedge CLK) if (WE) array[WA] <= (array[WA] & ~BWE) | (D & BWE);
endmodule
";

/// The module of a line of `macros.csv`, around macros: an asynchronous one for each read port.
fn bound(line: &str) -> (String, String) {
    let fields: Vec<&str> = line.split(',').collect();
    let number = |at: usize| fields[at].parse::<u32>().expect("a number");
    let (name, words, bits, parts, reads) = (fields[0], number(1), number(2), number(3), number(4));
    let address = u32::BITS - (words - 1).leading_zeros();
    let range = |width: u32| format!("[{}:0]", width - 1);
    let mut ports = format!(
        "input clock, input write_enable, input {} write_address, input {} write_data",
        range(address),
        range(bits)
    );
    let mut enables = format!("{{{bits}{{1'b1}}}}");
    if parts > 1 {
        ports += &format!(", input {} write_mask", range(parts));
        let each = (0..parts).rev().map(|part| format!("{{{}{{write_mask[{part}]}}}}", bits / parts));
        enables = format!("{{{}}}", each.collect::<Vec<_>>().join(", "));
    }
    let registered = fields[5] == "registered";
    let mut inside = String::new();
    for read in 0..reads {
        let (kind, prefix) = if registered { ("1r1w", "read".into()) } else { ("async", format!("read{read}")) };
        let enable = if registered { ", .RE(read_enable)" } else { "" };
        ports += if registered { ", input read_enable" } else { "" };
        ports += &format!(", input {} {prefix}_address, output {} {prefix}_data", range(address), range(bits));
        inside += &format!(
            "  macro_{kind} #(.WORDS({words}), .BITS({bits}), .ADDRESS({address})) bank{read} (.CLK(clock), .WE(write_enable),\n    \
             .WA(write_address), .D(write_data), .BWE({enables}){enable}, .RA({prefix}_address), .Q({prefix}_data));\n"
        );
    }
    (name.into(), format!("module {name} ({ports});\n{inside}endmodule\n"))
}

/// `macros.csv` is all that it takes to bind macros to the memories of a chip, which takes as many cycles with them: a small one, or those of two
/// papers, too, which take Icarus a minute each.
#[test]
fn macros_bind_to_every_memory() {
    let small = ["cache.instruction.bytes=512", "cache.constant.bytes=512", "cache.l2.bytes=4096"];
    let small: Vec<_> = small.into_iter().flat_map(|setting| ["-P", setting]).collect();
    let small = [&["small-l1"], &small[..], &ATOMICS].concat();
    let paper = |chip| vec![chip, "--kernel", "vector_add", "--size", "64"];
    for asked in [small, paper("bakhoda-ch6"), paper("kim-ch5")].into_iter().take(part_or_all(1, 3)) {
        let folder = Folder::new();
        let outcome = folder.run(&[&["export", "--testbench", "--out", "rtl"], &asked[..]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let list = folder.read("rtl/macros.csv");
        let kinds = list.lines().skip(1).map(|line| line.split(',').nth(5).expect("a field"));
        let (registered, all) = (kinds.clone().filter(|kind| *kind == "registered").count(), kinds.count());
        assert!(registered > 5 && all > registered, "{list}");
        for (at, line) in list.lines().skip(1).enumerate() {
            let (name, text) = bound(line);
            let file = format!("rtl/{name}.v");
            assert!(folder.path(&file).exists(), "{file}");
            folder.write(&file, if at == 0 { MACROS.to_string() + &text } else { text });
        }
        let (success, said) = run(&folder, "iverilog");
        assert!(success && said.contains("PASS\n"), "{asked:?}: {said}");
    }
}

/// Chips of the papers, with all of the caches, miss handling, networks and schedulers that have memories.
const CHIPS_OF_PAPERS: [&str; 6] = ["bakhoda-ch3", "bakhoda-ch6", "kim-ch2", "kim-ch5", "ari-ada", "intra-clustering"];

/// Every memory of these chips beside the macros that take its place: cycle by cycle the same words, also where a word is read and written
/// at one edge, and where nothing was written yet.
#[test]
fn memories_of_the_papers_chips_are_macros() {
    let folder = Folder::new();
    let mut lines = BTreeSet::new();
    for (at, chip) in CHIPS_OF_PAPERS.into_iter().enumerate() {
        let out = format!("rtl{at}");
        let outcome = folder.run(&["export", chip, "--out", &out]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        for line in folder.read(&format!("{out}/macros.csv")).lines().skip(1) {
            // All but how many of them this chip has.
            let shape = line.split(',').take(6).collect::<Vec<_>>().join(",");
            let name = shape.split(',').next().expect("a name").to_string();
            if lines.insert(shape) {
                std::fs::copy(folder.path(&format!("{out}/{name}.v")), folder.path(&format!("{name}.v")))
                    .expect("a module");
            }
        }
    }
    assert!(lines.len() > 60, "{}", lines.len());
    let mut text = MACROS.to_string();
    let mut files = vec!["both.v".to_string()];
    let (mut parts, mut drive, mut look) = (String::new(), String::new(), [String::new(), String::new()]);
    for (at, line) in lines.iter().enumerate() {
        let (name, bound) = bound(line);
        text += &bound.replacen(&format!("module {name} "), &format!("module bound{at} "), 1);
        files.push(format!("{name}.v"));
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields[at].parse::<u32>().expect("a number");
        let (words, bits, masks, reads) = (number(1), number(2), number(3), number(4));
        let registered = fields[5] == "registered";
        // Name, width, and what is driven: some addresses often, so that they meet.
        let address = format!("($urandom % 2) ? $urandom % {words} : $urandom % {}", words.min(3));
        let word = format!("{{{}{{$urandom}}}}", bits.div_ceil(32));
        let mut inputs = vec![
            ("write_enable".to_string(), 1, "$urandom".to_string()),
            ("write_address".into(), 32, address.clone()),
            ("write_data".into(), bits, word),
        ];
        if masks > 1 {
            inputs.push(("write_mask".into(), masks, format!("{{{}{{$urandom}}}}", masks.div_ceil(32))));
        }
        if registered {
            inputs.push(("read_enable".into(), 1, "$urandom".into()));
        }
        let prefixes = (0..reads).map(|read| if registered { "read".into() } else { format!("read{read}") });
        let prefixes: Vec<String> = prefixes.collect();
        inputs.extend(prefixes.iter().map(|prefix| (format!("{prefix}_address"), 32, address.clone())));
        for (port, width, value) in &inputs {
            parts += &format!("  reg [{}:0] {port}_{at};\n", width - 1);
            drive += &format!("      {port}_{at} = {value};\n");
        }
        for (copy, module) in [("left", name.clone()), ("right", format!("bound{at}"))] {
            let mut ports: Vec<_> = inputs
                .iter()
                .map(|(port, ..)| port.clone())
                .map(|port| {
                    let address = u32::BITS - (words - 1).leading_zeros();
                    let part = if port.ends_with("address") { format!("[{}:0]", address - 1) } else { String::new() };
                    format!(".{port}({port}_{at}{part})")
                })
                .collect();
            for prefix in &prefixes {
                parts += &format!("  wire [{}:0] {copy}_{prefix}_{at};\n", bits - 1);
                ports.push(format!(".{prefix}_data({copy}_{prefix}_{at})"));
            }
            parts += &format!("  {module} {copy}_{at} (.clock(clock), {});\n", ports.join(", "));
        }
        for prefix in &prefixes {
            let check = format!(
                "      if (left_{prefix}_{at} !== right_{prefix}_{at}) begin $display(\"{name}: %h %h\", left_{prefix}_{at}, right_{prefix}_{at}); $finish; end\n"
            );
            look[usize::from(registered)] += &check;
        }
    }
    let [before, after] = look;
    text += &format!(
        "module both;\n  reg clock = 0;\n  integer cycle;\n{parts}  initial begin\n    for (cycle = 0; cycle < 300; cycle = cycle + 1) begin\n{drive}\
         \x20     #1;\n{before}      clock = 1; #1;\n{after}      clock = 0; #1;\n    end\n    $display(\"PASS\");\n  end\nendmodule\n"
    );
    folder.write("both.v", text);
    let command = format!("iverilog -g2012 -s both -o both.vvp {} && vvp -n both.vvp", files.join(" "));
    let output = Command::new("sh").current_dir(folder.0.path()).args(["-c", &command]).output().expect("a shell");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert_eq!(said, "PASS\n");
}

#[test]
fn the_bench_checks_cycles_and_the_timing_of_its_dram() {
    let folder = exported();
    let bench = folder.read("rtl/testbench.v");
    let cycles = bench.lines().find(|line| line.contains("integer CYCLES = ")).expect("the number of cycles");
    replace(&folder, "rtl/testbench.v", cycles, "  localparam integer CYCLES = 100000;");
    let (success, said) = run(&folder, "iverilog");
    assert!(!success && said.contains(" cycles, expected 100000\n") && !said.contains("PASS"), "{said}");
    folder.write("rtl/testbench.v", &bench);
    replace(&folder, "rtl/testbench.v", "integer T_RCD = 12;", "integer T_RCD = 13;");
    let (success, said) = run(&folder, "iverilog");
    assert!(!success && said.contains("tRCD\n") && !said.contains("PASS"), "{said}");
}

/// The top with one asynchronous reset: each clock domain is in reset at once, and leaves it at the second edge of its own clock.
#[test]
fn one_asynchronous_reset_is_released_by_every_clock() {
    let folder = Folder::new();
    let clocks = ["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"];
    let overrides: Vec<_> = clocks.into_iter().flat_map(|setting| ["-P", setting]).collect();
    let asked = [&["export"], &ONE_CORE[..], &["--async-reset", "--out", "rtl"], &overrides].concat();
    let outcome = folder.run(&asked);
    assert!(outcome.code == 0 && outcome.stdout.ends_with("_async_reset\n"), "{} {}", outcome.stdout, outcome.stderr);
    let list = folder.read("rtl/files.f");
    let lint =
        list.lines().find(|line| line.contains("_async_reset.v") && line.contains("verilator")).expect("a command");
    let shell = |command: &str| {
        let output =
            Command::new("sh").current_dir(folder.path("rtl")).args(["-c", command]).output().expect("a shell");
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        (output.status.success(), said)
    };
    assert_eq!(shell(lint.trim_start_matches("//   ")), (true, String::new()));
    let top = lint.split(' ').skip_while(|word| *word != "--top-module").nth(1).expect("a module");
    let text = folder.read(&format!("rtl/{top}.v"));
    let ports: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("    input wire clock").map(|_| line)).collect();
    let names: Vec<_> =
        ports.iter().map(|line| line.trim().trim_start_matches("input wire ").trim_end_matches(',')).collect();
    assert_eq!(names.len(), 3, "{text}");
    let limits = folder.read("rtl/constraints.sdc");
    assert!(limits.contains(top) && limits.contains("set_false_path -from [get_ports async_reset]"), "{limits}");
    // Resets of the clocks, in the order of the clocks.
    let resets: Vec<_> =
        text.lines().filter_map(|line| line.trim().strip_prefix("wire ")?.strip_suffix("_released;")).collect();
    assert_eq!(resets.len(), 3, "{text}");
    let mut bench = "module bench;\n  reg async_reset = 0;\n  integer failures = 0;\n".to_string();
    for (at, (clock, reset)) in names.iter().zip(&resets).enumerate() {
        bench += &format!(
            "  reg {clock} = 0;\n  integer edges{at} = 0;\n  always #{} {clock} = ~{clock};\n  wire held{at} = top.{reset}_released;\n  \
             always @(posedge async_reset) edges{at} = 0;\n  always @(posedge {clock}) if (held{at} && !async_reset) edges{at} = edges{at} + 1;\n",
            [7, 15, 9][at]
        );
    }
    let connected: Vec<_> = names.iter().map(|clock| format!(".{clock}({clock})")).collect();
    bench += &format!("  {top} top (.async_reset(async_reset), {});\n  initial begin\n", connected.join(", "));
    for wait in [3, 101] {
        bench += &format!("    #{wait} async_reset = 1; #1 if (!held0 || !held1 || !held2) failures = failures + 1;\n");
        bench += "    #4 async_reset = 0; #1 if (!held0 || !held1 || !held2) failures = failures + 1;\n    #100;\n";
        bench +=
            "    if (held0 || held1 || held2 || edges0 != 2 || edges1 != 2 || edges2 != 2) failures = failures + 1;\n";
    }
    bench += "    if (failures == 0) $display(\"PASS\");\n    else $display(\"%d %d %d %d\", failures, edges0, edges1, edges2);\n    $finish;\n  end\nendmodule\n";
    folder.write("rtl/bench.v", bench);
    let run = format!(
        "iverilog -g2012 -s bench -o bench.vvp -f files.f reset_synchroniser.v {top}.v bench.v && vvp -n bench.vvp"
    );
    let (success, said) = shell(&run);
    assert!(success && said.contains("PASS\n"), "{said}");
}

#[test]
fn a_test_bench_goes_with_its_export_and_takes_no_place_of_another_file() {
    let folder = exported();
    assert_eq!(folder.run(&["export", "small", "--out", "rtl"]).code, 0);
    for name in ["testbench.v", "memory.hex", "expected.hex", "load.hex"] {
        assert!(!folder.path(&format!("rtl/{name}")).exists(), "{name}");
    }
    folder.write("rtl/testbench.v", "// mine\n");
    let text = folder.transcripts(&[
        &["export", "small", "--out", "rtl", "--testbench"],
        &["export", "small", "--out", "rtl", "--kernel", "gather"],
        &["export", "small", "--out", "rtl", "--testbench", "--kernel", "vector"],
        &[
            "export",
            "small",
            "--out",
            "rtl",
            "--testbench",
            "-P",
            "core.registers=16",
            "-P",
            "core.program_words=16",
            "--kernel",
            "matmul",
        ],
    ]);
    insta::assert_snapshot!(text);
    assert_eq!(folder.read("rtl/testbench.v"), "// mine\n");
    assert_eq!(folder.run(&["export", "small", "--out", "rtl", "--testbench", "--force"]).code, 0);
    assert!(folder.read("rtl/testbench.v").starts_with("// Test bench"));
}
