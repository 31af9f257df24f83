//! `warpmesh area`: table, object, lines with commas; every shipped configuration.

use super::{Folder, json};
use crate::campaign::part_or_all;
use warpmesh::chip::{EMBEDDED, load};

#[test]
fn the_table_the_object_and_the_lines() {
    let commands: [&[&str]; 7] = [
        &["area", "baseline-tb-dor"],
        &["area", "baseline-tb-dor", "--crossbar", "mux"],
        &["area", "small-kim-ch5", "-P", "network.channel_bytes=64"],
        &["area", "dci-2p", "--json"],
        &["area", "cp-cr-2p", "--csv"],
        &["area", "cp-cr", "--layout", "as-built", "--technology", "22"],
        &["area", "ideal"],
    ];
    insta::assert_snapshot!(Folder::new().transcripts(&commands));
}

#[test]
fn mistakes() {
    let commands: [&[&str]; 6] = [
        &["area", "--technology", "28"],
        &["area", "--json", "--csv"],
        &["area", "-P", "network.vcs=0"],
        &["area", "kim-ch5", "--crossbar", "matrix"],
        &["area", "--crossbar", "multiplexer"],
        &["compare", "small", "kim-ch5", "--crossbar", "matrix"],
    ];
    insta::assert_snapshot!(Folder::new().transcripts(&commands));
}

/// The sums are the sums of the parts, whatever the configuration: every sixteenth one that is shipped, or every third.
#[test]
fn areas_add_up() {
    let folder = Folder::new();
    for (config, _) in EMBEDDED.iter().step_by(part_or_all(16, 3)) {
        let name = config.trim_end_matches(".toml");
        let outcome = folder.run(&["area", name, "--json"]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        let area = json(&outcome);
        let number = |key: &str| area[key].as_f64().unwrap_or_else(|| panic!("{name}: {key}"));
        assert_eq!(
            (&area["format_version"], &area["config"], &area["technology_nm"]),
            (&2.into(), &name.into(), &65.into())
        );
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{name}: {a} {b}");
        let routers = area["routers"].as_array().expect("a list");
        let mut all = 0.0;
        for router in routers {
            let part = |key: &str| router[key].as_f64().unwrap_or_else(|| panic!("{name}: {key}"));
            near(part("total_mm2"), part("crossbar_mm2") + part("buffer_mm2") + part("allocator_mm2"));
            all += part("count") * part("total_mm2");
        }
        near(number("routers_mm2"), all);
        near(number("network_mm2"), all + number("links_mm2"));
        let beside = number("cores_mm2")
            + number("controllers_mm2")
            + number("l1d_mm2")
            + number("read_only_mm2")
            + number("l2_mm2");
        near(number("chip_mm2"), number("network_mm2") + beside);
        near(number("network_percent"), 100.0 * number("network_mm2") / number("chip_mm2"));
        let chip = load(Some(config.as_ref()), &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(routers.is_empty(), chip.is_ideal(), "{name}");
    }
}

/// Areas are compared by one model: that of all chips when one of them has no other.
#[test]
fn chips_are_compared_by_one_model() {
    let folder = Folder::new();
    let areas = |ask: &[&str]| {
        let ask = [&["compare"], ask, &["--kernel", "vector_add", "--size", "32", "--json"]].concat();
        let object = json(&folder.run(&ask));
        let chips = object["chips"].as_array().expect("a list").iter();
        let areas: Vec<_> = chips.map(|chip| chip["network_mm2"].as_f64().expect("an area")).collect();
        (object["crossbar"].as_str().expect("a model").to_string(), areas)
    };
    let area = |ask: &[&str]| json(&folder.run(&[&["area", "--json"], ask].concat()))["network_mm2"].as_f64();
    let (matrix, mux) = (area(&["small"]).expect("an area"), area(&["small", "--crossbar", "mux"]).expect("an area"));
    assert!(mux < matrix);
    assert_eq!(areas(&["small"]), ("matrix".into(), vec![matrix]));
    assert_eq!(areas(&["small", "--crossbar", "mux"]), ("mux".into(), vec![mux]));
    folder.write("large.toml", "base = \"small-kim-ch5.toml\"\n[network]\nchannel_bytes = 64\n");
    let large = area(&["large.toml"]).expect("an area");
    assert_eq!(areas(&["small", "large.toml"]), ("mux".into(), vec![mux, large]));
}

/// Speedups are ratios of cycles, means are harmonic, and throughput-effectiveness is speedup over area, against the
/// first.
#[test]
fn chips_side_by_side() {
    let folder = Folder::new();
    let ask = ["compare", "small", "wide.toml", "--kernel", "vector_add,reduction", "--size", "64", "--threads", "1"];
    folder.write("wide.toml", "base = \"small.toml\"\nname = \"wide\"\n[network]\nchannel_bytes = 32\n");
    let object = json(&folder.run(&[&ask[..], &["--json"]].concat()));
    let chips = object["chips"].as_array().expect("a list");
    let number = |chip: usize, key: &str| chips[chip][key].as_f64().unwrap_or_else(|| panic!("{key}"));
    let of = |chip: usize, what: &str, kernel: &str| chips[chip][what][kernel].as_f64().expect("a number");
    let mut reciprocals = 0.0;
    for kernel in ["vector_add", "reduction"] {
        assert_eq!(of(0, "speedups", kernel), 1.0);
        let speedup = of(0, "cycles", kernel) / of(1, "cycles", kernel);
        assert!((of(1, "speedups", kernel) - speedup).abs() < 1e-12 && speedup > 1.0, "{kernel}: {speedup}");
        reciprocals += 1.0 / speedup;
    }
    assert!((number(1, "speedup") - 2.0 / reciprocals).abs() < 1e-12);
    let effectiveness = number(1, "speedup") * number(0, "chip_mm2") / number(1, "chip_mm2");
    assert!((number(1, "throughput_effectiveness") - effectiveness).abs() < 1e-12);
    assert!(
        number(1, "chip_mm2") > number(0, "chip_mm2")
            && number(1, "network_leakage_w") > number(0, "network_leakage_w")
    );
    // The areas are those of `area`, and one kernel's numbers those of `run`.
    let area = json(&folder.run(&["area", "wide.toml", "--json"]));
    assert_eq!(area["chip_mm2"], chips[1]["chip_mm2"]);
    let built = area["built_mm2"].as_f64().expect("an area");
    assert!((number(1, "built_mm2") / built - 1.0).abs() < 1e-12 && built > number(0, "built_mm2"));
    let run = json(&folder.run(&["run", "small", "--kernel", "reduction", "--size", "64", "--json"]));
    assert_eq!(run["core_cycles"], chips[0]["cycles"]["reduction"]);
    let ipc = run["ipc"].as_f64().expect("IPC") / run["cost"]["chip_mm2"].as_f64().expect("an area");
    assert!((run["cost"]["ipc_per_mm2"].as_f64().expect("a number") - ipc).abs() < 1e-12);
    // The same as table and lines.
    let text = folder.run(&ask).stdout;
    assert!(
        text.starts_with("2 kernels relative to small; means are harmonic; 65 nm") && text.contains("\n  wide.toml"),
        "{text}"
    );
    let lines = folder.run(&[&ask[..], &["--csv"]].concat()).stdout;
    let lines: Vec<Vec<&str>> = lines.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [32, 32, 32], "{lines:?}");
    // Under the names of the JSON, also inside of objects.
    for (at, name) in lines[0].iter().enumerate().filter(|(_, name)| !name.starts_with("speedup_")) {
        for (line, chip) in lines[1..].iter().zip(chips) {
            let value = chip.pointer(&format!("/{}", name.replace('.', "/"))).unwrap_or_else(|| panic!("{name}"));
            let same = line[at].parse().ok() == value.as_f64() && value.is_number() || value.as_str() == Some(line[at]);
            assert!(same, "{name}: {} {value}", line[at]);
        }
    }
    assert!(lines[0].contains(&"issue_slots.lost.fetch") && lines[0].contains(&"warp_cycles.waiting.barriers"));
    assert_eq!(folder.run(&["compare"]).code, 2);
    assert_eq!(folder.run(&["compare", "small", "--kernel", "vector_ad"]).code, 2);
}

#[test]
fn blocks_of_a_chip() {
    let folder = Folder::new();
    let object = json(&folder.run(&["area", "small", "--by-block", "--json"]));
    let blocks = object["blocks"].as_array().expect("a list");
    let routers = blocks.iter().find(|b| b["path"] == "router").expect("routers");
    let buffers = blocks.iter().find(|b| b["path"] == "router/input_unit").expect("input units");
    assert!(routers["gate_equivalents"].as_f64() > buffers["gate_equivalents"].as_f64());
    let text = folder.run(&["area", "small", "--by-block", "--depth", "1"]).stdout;
    assert!(text.contains("router") && !text.contains("input_unit"), "{text}");
    let lines = folder.run(&["area", "small", "--by-block", "--csv"]).stdout;
    assert_eq!(lines.lines().count(), blocks.len() + 1);
}

/// Of a block, of an instance of a chip and of all blocks of a chip: gates counted, and by Yosys, in three forms.
#[test]
fn blocks_beside_synthesis() {
    let folder = Folder::new();
    let gates = |row: &serde_json::Value| {
        ["gate_equivalents", "synthesised_gate_equivalents"].map(|key| row[key].as_f64().unwrap_or(f64::NAN))
    };
    let whole = |args: &[&str]| gates(&json(&folder.run(args))["blocks"][0]);
    let [counted, synthesised] = whole(&["area", "--block", "fifo", "--synth", "--json"]);
    assert!((counted / synthesised - 1.0).abs() < 0.2, "{counted} {synthesised}");
    let of_instance = ["area", "small", "--instance", "core0.write_back", "--synth"];
    let text = folder.run(&of_instance).stdout;
    assert!(text.contains("Yosys GE  GE / Yosys"), "{text}");
    // All of the smallest chip takes Yosys half a minute.
    for rows in ["network.rows=1"].into_iter().take(part_or_all(0, 1)) {
        let chip = folder.run(&["area", "small", "-P", rows, "--by-block", "--depth", "1", "--synth", "--json"]);
        for row in json(&chip)["blocks"].as_array().expect("a list") {
            let [counted, synthesised] = gates(row);
            assert!((counted / synthesised - 1.0).abs() < 0.25, "{row}");
        }
    }
    folder.write("odd.lib", "library (odd) {\n  cell (inv) {\n    area : 1;\n  }\n}\n");
    let odd = folder.run(&["area", "--block", "fifo", "--synth", "--liberty", "odd.lib"]);
    assert!(odd.code == 2 && !odd.stderr.is_empty(), "{}", odd.stderr);
    assert_eq!(folder.run(&of_instance).stdout, text);
    let [_, again] = whole(&[&of_instance[..], &["--json"]].concat());
    assert!(text.contains(&format!(" {again:.0} ")), "{text} {again}");
    let lines = folder.run(&[&of_instance[..], &["--csv"]].concat()).stdout;
    assert!(lines.lines().next().is_some_and(|head| head.ends_with(",mm2,synthesised_gate_equivalents")), "{lines}");
    assert!(lines.lines().nth(1).is_some_and(|line| line.ends_with(&format!(",{again}"))), "{lines}");
}

/// Without Yosys, with one that is too old, and with a library that is none: an error that says what to do.
#[test]
#[cfg(unix)]
fn synthesis_says_what_it_lacks() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let with_path = |path: &str, args: &[&str]| {
        let output = super::command(folder.0.path()).env("PATH", path).args(args).output().expect("starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (code, said) = with_path("", &["area", "small", "--synth"]);
    assert!(
        code == Some(2) && said.contains("`yosys` cannot be started") && said.contains("Debian package `yosys`"),
        "{said}"
    );
    std::fs::create_dir(folder.path("bin")).expect("a folder");
    folder.write("bin/yosys", "#!/bin/sh\necho 'Yosys 0.9 (git sha1 1979e0b)'\n");
    std::fs::set_permissions(folder.path("bin/yosys"), std::fs::Permissions::from_mode(0o755)).expect("allowed");
    let bin = folder.path("bin");
    let (code, said) = with_path(&bin.to_string_lossy(), &["area", "small", "--synth"]);
    assert!(code == Some(2) && said.contains("Yosys 0.9") && said.contains("0.23 or later"), "{said}");
    folder.write("no.lib", "nothing");
    let none = folder.run(&["area", "small", "--synth", "--liberty", "no.lib"]);
    assert!(none.code == 2 && none.stderr.contains("has no cell with an area"), "{}", none.stderr);
    let missing = folder.run(&["area", "small", "--synth", "--liberty", "nowhere.lib"]);
    assert!(
        missing.code == 2 && missing.stderr.contains("cannot read the Liberty file nowhere.lib"),
        "{}",
        missing.stderr
    );
    assert_eq!(folder.run(&["area", "ideal", "--synth"]).code, 2);
}
