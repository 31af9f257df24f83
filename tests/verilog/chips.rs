//! Exported chips: the default one is clean in all three tools, those with large memories are whole.

use crate::campaign::part_or_all;
use std::path::Path;
use warpmesh::{
    chip::{Chip, ChipConfig, build, load},
    hdl::Module,
    netlist::elaborate,
    verilog::{ExportOptions, check, constraints, domain_lists, export, export_all, lint, lint_quickly},
};

fn default_chip() -> Module {
    let chip = Chip::new(&ChipConfig::default()).unwrap_or_else(|e| panic!("{e}"));
    build(&chip).unwrap_or_else(|e| panic!("{e}"))
}

/// In Verilator, or in all tools with and without assertions, in which its tiles are clean on their own.
#[test]
fn the_default_chip_is_clean() {
    let design = elaborate(&default_chip()).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = if part_or_all(false, true) { lint(&design) } else { lint_quickly(&design) };
    let diagnostics = diagnostics.unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Memories that are modules of their own: their words are pins, not arrays, also where the address has all its values
/// (queues of 64 entries, tags of 7 bits), and their instances are called otherwise than what is inside (the words of a
/// bank of shared memory).
#[test]
fn chips_with_large_memories_are_whole() {
    let small = |overrides: &[&str]| ("small.toml", overrides.iter().map(ToString::to_string).collect::<Vec<_>>());
    let chips = [
        small(&["memory.queue_entries=64"]),
        small(&["memory.reply_entries=64"]),
        small(&["core.tag_bits=7"]),
        small(&["core.tag_bits=8"]),
        small(&["core.shared_bytes=32768"]),
        small(&["network.vc_depth=64", "network.vcs=16"]),
        ("default.toml", vec!["network.vcs=8".to_string(), "network.vc_depth=32".to_string()]),
    ];
    let mut broken = vec![];
    for (base, overrides) in chips {
        let chip = load(Some(Path::new(base)), &overrides).unwrap_or_else(|e| panic!("{e}"));
        let module = build(&chip).unwrap_or_else(|e| panic!("{e}"));
        let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
        let faults = check(&export(&design, &ExportOptions::default()));
        broken.extend(faults.first().map(|fault| format!("{base} {overrides:?}: {fault}")));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// With three clocks: `constraints.sdc` has each of them and every way between two, and all registers of synchronisers, and
/// nothing else, are marked for place and route.
#[test]
fn clocks_and_the_ways_between_them_are_constrained() {
    let overrides = ["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"].map(String::from);
    let chip = load(Some(Path::new("small.toml")), &overrides).unwrap_or_else(|e| panic!("{e}"));
    let design = elaborate(&build(&chip).expect("a network")).expect("a correct chip");
    let exported = export_all(&design, &ExportOptions::default());
    assert_eq!(check(&exported.files), []);
    insta::assert_snapshot!(constraints(&design.top.name, &exported.clocks, &chip.config().clocks.parts()));
    let parts = chip.config().clocks.parts();
    let lists = domain_lists(&exported.domains, &exported.clocks, &parts);
    assert_eq!(
        lists.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["files.core.f", "files.noc.f", "files.dram.f"]
    );
    // Each list is whole, in an order in which it can be read, and none has what is between clocks.
    let text = |name: &str| exported.files.iter().find(|file| file.name == name).map_or("", |file| &file.text);
    let kinds =
        [&["core_", "lane_", "async_ram_"][..], &["router_", "crossbar_", "async_ram_"], &["memory_controller_"]];
    for ((name, list), kinds) in lists.iter().zip(kinds) {
        let modules: Vec<_> = list.lines().filter_map(|line| line.strip_suffix(".v")).collect();
        let files: Vec<_> =
            exported.files.iter().filter(|file| modules.contains(&file.name.as_str())).cloned().collect();
        assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), modules);
        assert_eq!(check(&files), [], "{name}");
        for module in &modules {
            assert!(!text(module).contains("ASYNC_REG") && !module.starts_with("chip_"), "{name}: {module}");
        }
        for kind in kinds {
            assert!(modules.iter().any(|module| module.starts_with(kind)), "{name} has no {kind}");
        }
    }
    let marked = exported.files.iter().flat_map(|file| file.text.lines()).filter(|line| line.contains("ASYNC_REG"));
    let stages = design.modules.iter().map(|module| module.module.synchronisers.iter().flatten().count());
    let (marked, stages) = (marked.count(), stages.sum::<usize>());
    assert!(marked == stages && stages >= 4 && stages % 2 == 0, "{marked} of {stages} marked");
}
