//! Replay of a recording on Icarus: a generated test bench reads the rows from a file.

use super::{
    error::{Difference, LockstepError},
    hash_of,
    rows::{Ports, Recording},
    workshop,
};
use crate::{
    ExportOptions, ToolError,
    export::{Exported, export_all, write_export},
    lint::{run, said},
    names::{identifier, module_identifier},
};
use netlist::Design;
use std::{
    fmt::Write,
    fs,
    process::Command,
    sync::atomic::{AtomicU64, Ordering},
};

/// Replays `recording` on the Verilog of `design` in Icarus; the first difference is an error.
pub fn replay_on_icarus(design: &Design, recording: &Recording) -> Result<(), LockstepError> {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let exported = export_all(design, &ExportOptions::default());
    let bench = bench(&design.top.name, &exported, recording, &REPLAY);
    let hash = hash_of([bench.as_str()].into_iter());
    let run_number = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = workshop().join(format!("icarus-{hash}-{}-{run_number}", std::process::id()));
    write_export(&exported.files, &folder, true).map_err(ToolError::from)?;
    for (name, text) in [("bench.v", &bench), ("rows.hex", &rows(recording))] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(ToolError::io(&path))?;
    }
    let mut compile = Command::new("iverilog");
    compile.current_dir(&folder).args(["-g2005", "-o", "bench.vvp", "-s", "warpmesh_bench", "bench.v"]);
    compile.args(exported.files.iter().map(|f| format!("{}.v", f.name)));
    let output = run("iverilog", "iverilog", &mut compile)?;
    if !output.status.success() {
        return Err(ToolError::Failed { tool: "iverilog", output: said(&output) }.into());
    }
    let output = run("vvp", "iverilog", Command::new("vvp").current_dir(&folder).args(["-n", "bench.vvp"]))?;
    let text = said(&output);
    if let Some(found) = text.lines().find_map(|line| line.strip_prefix("DIFFERENCE ")) {
        let difference = Box::new(parse(found, &recording.outputs));
        return Err(LockstepError::Differs { tool: "Icarus", module: design.top.name.clone(), difference });
    }
    if !output.status.success() || !text.lines().any(|l| l == format!("EQUAL {}", recording.rows.len())) {
        return Err(ToolError::Failed { tool: "vvp", output: text }.into());
    }
    fs::remove_dir_all(&folder).map_err(ToolError::io(&folder))?;
    Ok(())
}

/// A test bench of its own for an export of `design` with these options: name and text of each file, the bench first. It drives what was
/// recorded, compares every output in every cycle, and ends with `PASS`, or with `FAIL` and another exit code than 0.
pub fn test_bench(design: &Design, options: &ExportOptions, recording: &Recording) -> Vec<(String, String)> {
    let exported = export_all(design, options);
    let bench = bench(&design.top.name, &exported, recording, &ALONE);
    vec![("testbench.v".into(), bench), ("rows.hex".into(), rows(recording))]
}

/// How a bench says what it has found.
struct Style {
    /// Name of its module.
    module: &'static str,
    /// Of a difference: cycle, name of the port, what is expected, what is found.
    difference: fn(&str) -> String,
    /// The statement after it.
    stop: &'static str,
    /// Of no difference: cycles.
    equal: &'static str,
}

/// Read by [`replay_on_icarus`].
const REPLAY: Style = Style {
    module: "warpmesh_bench",
    difference: |port| format!("DIFFERENCE %0d {port} %h %h"),
    stop: "$finish;",
    equal: "EQUAL %0d",
};

/// Read by a person.
const ALONE: Style = Style {
    module: "testbench",
    difference: |port| format!("FAIL: cycle %0d, {port}: expected %h, found %h"),
    stop: "$fatal(1, \"the block on this test bench is wrong, see FAIL above\");",
    equal: "cycles %0d\\nPASS",
};

fn parse(text: &str, outputs: &Ports) -> Difference {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let word = |i: usize| words.get(i).copied().unwrap_or_default();
    let port = outputs.list.iter().find(|p| p.name == word(1));
    Difference {
        cycle: word(0).parse().unwrap_or(0),
        port: word(1).into(),
        width: port.map_or(0, |p| p.width),
        native: word(2).into(),
        verilog: word(3).into(),
    }
}

/// Bits of a row before the ports: reset and the domains that have an edge.
const CONTROL_BITS: u32 = 64;

fn row_bits(recording: &Recording) -> u32 {
    let ports = recording.inputs.list.iter().chain(&recording.outputs.list);
    CONTROL_BITS + ports.map(|p| p.width).sum::<u32>()
}

/// One hexadecimal word a row: control lowest, then the inputs, then the outputs.
fn rows(recording: &Recording) -> String {
    use hdl::Bits;
    let mut text = String::new();
    for row in &recording.rows {
        let mut parts = vec![Bits::new(CONTROL_BITS, row.control())];
        parts.extend((0..recording.inputs.list.len()).map(|i| row.inputs.at(i)));
        parts.extend((0..recording.outputs.list.len()).map(|i| row.outputs.at(i)));
        parts.reverse();
        writeln!(text, "{:x}", Bits::concat(&parts)).expect("writing to a string succeeds");
    }
    text
}

fn bench(top: &str, exported: &Exported, recording: &Recording, style: &Style) -> String {
    let (bits, count) = (row_bits(recording), recording.rows.len());
    let mut pins = vec![];
    // Registers of the bench, so that no clock comes later than another.
    let (mut clocks, mut raise, mut lower) = (String::new(), String::new(), String::new());
    for (i, ports) in exported.clocks.iter().enumerate() {
        if let Some(port) = &ports.clock {
            pins.push(format!(".{port}({port})"));
            clocks.push_str(&format!("  reg {port};\n"));
            raise.push_str(&format!("      {port} = row[{}];\n", i + 1));
            lower.push_str(&format!("      {port} = 0;\n"));
        }
        pins.extend(ports.reset.as_ref().map(|port| format!(".{port}(row[0])")));
    }
    let mut at = CONTROL_BITS;
    let mut wires = String::new();
    let mut checks = String::new();
    for port in &recording.inputs.list {
        pins.push(format!(".{}(row[{at} +: {}])", identifier(&port.name), port.width));
        at += port.width;
    }
    for (i, port) in recording.outputs.list.iter().enumerate() {
        wires.push_str(&format!("  wire [{}:0] found_{i};\n", port.width - 1));
        pins.push(format!(".{}(found_{i})", identifier(&port.name)));
        let expected = format!("row[{at} +: {}]", port.width);
        let (difference, stop) = ((style.difference)(&port.name), style.stop);
        checks.push_str(&format!(
            "      if (found_{i} !== {expected}) begin\n        \
             $display(\"{difference}\", cycle, {expected}, found_{i});\n        {stop}\n      end\n",
        ));
        at += port.width;
    }
    let mut zero = String::new();
    for (name, depth) in &exported.state {
        match depth {
            None => zero.push_str(&format!("    dut.{name} = 0;\n")),
            Some(depth) => {
                zero.push_str(&format!("    for (i = 0; i < {depth}; i = i + 1) dut.{name}[i] = 0;\n"));
            }
        }
    }
    format!(
        "module {};\n{clocks}  reg [{}:0] row;\n  reg [{}:0] rows [0:{}];\n  integer cycle;\n  integer i;\n\
         {wires}\n  {} dut (\n    {}\n  );\n\n  initial begin\n    $readmemh(\"rows.hex\", rows);\n{lower}    \
         row = {bits}'d0;\n    #1;\n{zero}    #1;\n    for (cycle = 0; cycle < {count}; cycle = cycle + 1) begin\n      \
         row = rows[cycle];\n      #1;\n{checks}{raise}      #1;\n{lower}    end\n    \
         $display(\"{}\", cycle);\n    $finish;\n  end\nendmodule\n",
        style.module,
        bits - 1,
        bits - 1,
        count.max(1) - 1,
        module_identifier(top),
        pins.join(",\n    "),
        style.equal,
    )
}
