//! Memories that are read into registers are block memories of FPGAs, as Yosys finds them in the exported text.

use std::{fs, process::Command};
use warpmesh::{
    netlist::elaborate,
    registry::BlockKind,
    verilog::{ExportOptions, export_all},
};

/// Cells of a block by kind, synthesised for Xilinx's series 7: as the report of Yosys says, `RAMB18E1 2`.
fn cells(block: &str, given: &[(&str, &str)]) -> Vec<(String, u32)> {
    let kind = BlockKind::find(block).unwrap_or_else(|error| panic!("{}", error.message));
    let values = kind.values(given.iter().copied()).unwrap_or_else(|error| panic!("{}", error.message));
    let module = kind.build(&values).unwrap_or_else(|error| panic!("{}", error.message));
    let exported = export_all(&elaborate(&module).expect("correct"), &ExportOptions::default());
    assert!(exported.macros.iter().all(|memory| memory.registered), "{block}: {:?}", exported.macros);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<String> = exported.files.iter().map(|file| format!("{}.v", file.name)).collect();
    for (file, name) in exported.files.iter().zip(&files) {
        fs::write(folder.path().join(name), &file.text).expect("writable");
    }
    let top = &module.name;
    let script =
        format!("read_verilog {}; synth_xilinx -noiopad -noclkbuf -top {top}; tee -o cells stat", files.join(" "));
    let output = Command::new("yosys").current_dir(folder.path()).args(["-q", "-p", &script]).output().expect("yosys");
    assert!(output.status.success(), "{block}: {}", String::from_utf8_lossy(&output.stderr));
    let report = fs::read_to_string(folder.path().join("cells")).expect("a report");
    // The last list is that of the whole design.
    let list = report.rsplit("Number of cells:").next().expect("a list");
    let row = |line: &str| {
        let (name, count) = line.trim().split_once(' ')?;
        Some((name.to_string(), count.trim().parse().ok()?))
    };
    list.lines().skip(1).map_while(row).collect()
}

#[test]
fn read_registers_are_those_of_block_memories() {
    for (block, given, blocks) in [
        ("shared_bank", &[("words", "512")][..], 1),
        ("cache_set_array", &[("sets", "512"), ("width", "32")], 1),
        // A copy for each of the three operands; eight lanes of 32 bits and 2,048 words of them.
        ("register_file", &[("warps", "8"), ("registers", "64")], 3),
    ] {
        let cells = cells(block, given);
        let of = |kind: &str| cells.iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, n)| n).sum::<u32>();
        assert!(of("RAMB") >= blocks, "{block}: {cells:?}");
        // No word is kept in tables of logic, and at most the one that was just written in flip-flops.
        assert!(of("FD") < 64 && of("RAM32") + of("RAM64") + of("RAM128") + of("RAM256") == 0, "{block}: {cells:?}");
    }
}
