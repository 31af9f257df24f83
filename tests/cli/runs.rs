//! Runs: the JSON object, determinism, and kernels that do not end.

use super::{Folder, json, without_timing};

const RUN: [&str; 6] = ["run", "small", "--kernel", "reduction", "--size", "300"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

#[test]
fn the_report() {
    // The numbers of threads that are tried depend on the machine, and whether code is kept on other tests.
    let report = super::without_speed(&Folder::new().run(&with(&["--threads", "1", "--no-cache"])).stdout);
    insta::assert_snapshot!(super::without_digits(&report));
}

#[test]
fn engines_are_explained() {
    let folder = Folder::new();
    let explained = |more: &[&str]| {
        let outcome = folder.run(&with(&[&["--explain"], more].concat()));
        outcome.stdout.split_once("\n\nEngines:\n").expect("an explanation at the end").1.to_string()
    };
    insta::assert_snapshot!(super::numbers_redacted(&explained(&["--engine", "word"])));
    let interpreted = explained(&["--engine", "interpreter"]);
    assert!(interpreted.lines().skip(1).step_by(2).all(|line| line.trim().starts_with("interpreter: asked for")));
    let object = json(&folder.run(&with(&["--json"])));
    let engines = object["engines"].as_array().expect("a list");
    assert_eq!(interpreted.lines().count(), 2 * engines.len());
    let (wiring, tiles) = engines.split_last().expect("the wiring at least");
    assert!(wiring["wiring"] == true && tiles.iter().all(|group| group["wiring"] == false));
    assert!(engines.iter().all(|group| group["code_bytes"].as_u64() > Some(0) && group["reason"].is_string()));
}

#[test]
fn the_json_object_depends_on_config_kernel_and_seed_alone() {
    let folder = Folder::new();
    let object = |more: &[&str]| {
        let outcome = folder.run(&with(&[&["--json"], more].concat()));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        without_timing(json(&outcome))
    };
    let first = object(&[]);
    assert_eq!(object(&[]), first);
    assert_eq!(object(&["--threads", "2"]), first);
    assert_eq!(object(&["--threads", "auto"]), first);
    assert_eq!(object(&["--no-intrinsics"]), first);
    assert_eq!(object(&["--passes", "none"]), first);
    assert_eq!(object(&["--passes", "-split,-fold"]), first);
    assert_eq!(object(&["--validate"]), first);
    assert_eq!(object(&["--validate=interpreter"]), first);
    assert_eq!(object(&["--validate=word", "--engine", "word"]), first);
    let mut interpreted = object(&["--engine", "interpreter", "--validate=word"]);
    assert_eq!(interpreted["engine"], "interpreter");
    interpreted["engine"] = "word".into();
    assert_eq!(interpreted, first);
    let mut seeded = object(&["--seed", "2"]);
    assert_eq!(seeded["seed"], 2);
    seeded["seed"] = 1.into();
    // Other numbers switch other bits, which cost something else; accesses are as many.
    assert_eq!(seeded["cost"]["arrays"], first["cost"]["arrays"]);
    assert_ne!(seeded["cost"]["network"]["toggle"], first["cost"]["network"]["toggle"]);
    seeded["cost"] = first["cost"].clone();
    assert_eq!(seeded, first, "a reduction takes the same cycles whatever it adds");
    let text = serde_json::to_string_pretty(&first).expect("plain values");
    insta::assert_snapshot!(super::without_digits(&text));
}

#[test]
fn another_seed_is_other_data() {
    let folder = Folder::new();
    let cycles = |seed| {
        let args = ["run", "small", "--kernel", "gather", "--size", "300", "--json", "--seed", seed];
        let report = json(&folder.run(&args));
        assert_eq!(report["verified"], true);
        report["core_cycles"].clone()
    };
    assert_ne!(cycles("1"), cycles("2"));
}

const NEVER: &str = "\
.version 7.0
.target sm_35
.address_size 64
.visible .entry endless()
{
$again:
	bra.uni $again;
}
.visible .entry half_at_a_barrier()
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	mov.u32 %r1, %tid.x;
	setp.gt.u32 %p1, %r1, 31;
	@%p1 bra $elsewhere;
	bar.sync 0;
	ret;
$elsewhere:
	bra.uni $elsewhere;
}
";

/// A kernel of [`NEVER`] with two warps, stopped after 1,000 cycles.
fn never(kernel: &str) -> Folder {
    let folder = Folder::new();
    let launch = format!("ptx = \"never.ptx\"\nentry = \"{kernel}\"\ngrid = 1\nblock = 64\nargs = []\n");
    folder.write("never.ptx", NEVER).write("never.toml", launch);
    folder
}

const STOPPED: [&str; 6] = ["run", "small", "--launch", "never.toml", "--max-cycles", "1000"];

#[test]
fn an_endless_loop_stops_at_the_cycle_limit() {
    let folder = never("endless");
    let outcome = folder.run(&STOPPED);
    assert!(outcome.stdout.starts_with("endless on small: STOPPED at the cycle limit\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains(" at 0x0000, PTX line 7, `BRA 0x0`: runs: "), "{}", outcome.stdout);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (3, ""));
}

#[test]
fn a_run_stops_at_the_time_limit_with_what_it_has() {
    let folder = never("endless");
    let outcome = folder.run(&["run", "small", "--launch", "never.toml", "--max-seconds", "2", "--json", "--out", "r"]);
    let report = json(&outcome);
    assert_eq!((outcome.code, &report["verdict"]), (3, &"time_limit".into()));
    assert!(report["core_cycles"].as_u64() < Some(9_000_000), "{report}");
    assert_eq!(folder.read("r/report.json"), outcome.stdout);
    let refused = folder.run(&["run", "small", "--max-seconds", "0"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("more than 0"), "{}", refused.stderr);
}

/// A run of several launches has one limit for all, on the emulator as well: within a launch, and before a step.
#[test]
fn several_launches_stop_at_the_time_limit() {
    let folder = never("endless");
    let kernels = "[[kernel]]\nname = \"endless\"\nptx = \"never.ptx\"\nentry = \"endless\"\n\n[[step]]\nlaunch = \"endless\"\ngrid = 1\nblock = 64\nargs = []\n";
    folder.write("several.toml", kernels);
    for (mode, within) in [(&["--functional"][..], "0.5"), (&[], "2")] {
        let run = |seconds: &str| {
            let options = ["run", "small", "--launch", "several.toml", "--max-seconds", seconds];
            folder.run(&[&options[..], mode].concat())
        };
        let late = run(within);
        assert_eq!(late.code, 3, "{mode:?}: {}{}", late.stdout, late.stderr);
        assert!(late.stderr.contains("the limit of time was reached"), "{mode:?}: {}", late.stderr);
        let at_once = run("0.000001");
        assert_eq!(at_once.code, 3, "{mode:?}: {}{}", at_once.stdout, at_once.stderr);
        assert!(
            at_once.stderr.contains("several.toml:7: the time limit was reached before this step"),
            "{mode:?}: {}",
            at_once.stderr
        );
    }
}

#[test]
fn quiet_changes_no_report() {
    let folder = Folder::new();
    let quiet = folder.run(&with(&["-q"]));
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert!(quiet.stdout.contains("completed, result verified"));
    assert_eq!(folder.run(&with(&["--quiet", "-v"])).code, 2);
}

#[test]
fn a_changed_core_has_the_area_of_every_core_and_the_report_says_so() {
    let folder = Folder::new();
    let said = "every core counts as 5.25 mm^2, whatever `core.*` says";
    let area = |more: &[&str]| {
        let outcome = folder.run(&with(more));
        outcome.stdout.lines().find(|line| line.contains("  area  ")).expect("a line").to_string()
    };
    assert!(!area(&[]).contains(said));
    assert!(area(&["-P", "core.registers=128"]).ends_with(said));
    folder.write("other.toml", "base = \"small.toml\"\nname = \"other\"\n[core]\nregisters = 128\n");
    let compare =
        |configs: &[&str]| folder.run(&[&["compare", "--kernel", "vector_add", "--size", "64"], configs].concat());
    assert!(compare(&["small", "other.toml"]).stdout.trim_end().ends_with(&format!("Area: {said}.")));
    assert!(!compare(&["small", "small"]).stdout.contains("Area:"));
}

#[test]
fn a_barrier_that_a_warp_never_reaches_is_shown() {
    let folder = never("half_at_a_barrier");
    // Whether the loop is between two instructions or ready for the next one in the last cycle is of no interest.
    let transcript = folder.transcript(&STOPPED);
    insta::assert_snapshot!(transcript.replace("between two instructions", "STATE").replace("ready to issue", "STATE"));
    let outcome = folder.run(&[&STOPPED[..], &["--json"]].concat());
    let report = json(&outcome);
    assert_eq!((outcome.code, &report["verdict"]), (3, &"cycle_limit".into()));
    assert_eq!((&report["verified"], &report["core_cycles"]), (&serde_json::Value::Null, &1000.into()));
    let waiting = report["waiting"].as_array().expect("a list");
    let at_barrier = waiting.iter().find(|group| group["instruction"] == "BAR").expect("a warp waits at the barrier");
    assert_eq!((&at_barrier["line"], &at_barrier["warps"]), (&16.into(), &1.into()));
}

#[test]
fn warps_that_wait_for_memory_are_shown() {
    let args = ["run", "small", "--kernel", "vector_add", "--size", "64", "--max-cycles", "300"];
    let transcript = Folder::new().transcript(&args);
    assert!(transcript.contains("loads in flight") && transcript.ends_with("[exit 3]\n\n"), "{transcript}");
}

#[test]
fn the_profile_is_a_table() {
    let folder = Folder::new();
    for engine in ["word", "sliced"] {
        let outcome =
            folder.run(&["run", "small", "--kernel", "matmul", "--size", "32", "--profile", "--engine", engine]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        let table = outcome.stdout.split_once("\n\nTime of a cycle, ").expect("a table at the end").1;
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[0].contains(" ns on one thread, by ") && lines[0].ends_with(" samples:"), "{}", lines[0]);
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["part", "engine", "instances", "share", "ns"]);
        // Cores take most of the time of this kernel; what else there is and in which order depends on the machine.
        let words = super::numbers_redacted(lines[2]);
        assert_eq!(words, format!("  core {engine} # # % #\n"));
        let own = lines.iter().position(|line| line.starts_with("    own logic ")).expect("the core's own logic");
        let shares = |lines: &[&str], indent: &str| -> f64 {
            let chosen = lines.iter().filter(|line| line.starts_with(indent) && !line[indent.len()..].starts_with(' '));
            chosen
                .map(|line| {
                    line.split(" %").next().and_then(|l| l.rsplit(' ').next()).map_or(0.0, |n| n.parse().unwrap_or(0.0))
                })
                .sum()
        };
        let whole = shares(&lines[2..], "  ");
        assert!((90.0..101.0).contains(&whole), "{whole} % in\n{table}");
        assert!(own > 2);
    }
    let profile = &json(&folder.run(&with(&["--json", "--profile"])))["profile"];
    assert!(profile["samples"].is_u64() && profile["cycle_nanoseconds"].as_f64() > Some(0.0), "{profile}");
    let parts = profile["parts"].as_array().expect("a list");
    let fields = ["name", "engine", "instances", "share", "nanoseconds", "inside"];
    assert!(parts.iter().all(|part| fields.iter().all(|field| part.get(field).is_some())), "{profile}");
    assert!(json(&folder.run(&with(&["--json"])))["profile"].is_null());
}

#[test]
fn activity_is_a_table() {
    let folder = Folder::new();
    let activity = &json(&folder.run(&with(&["--json", "--profile=activity"])))["activity"];
    let tiles = activity["tiles"].as_array().expect("a list");
    let core = tiles.iter().find(|tile| tile["name"] == "core").expect("cores");
    let number = |part: &serde_json::Value, key: &str| part[key].as_f64().expect("a number");
    let blocks = core["inside"].as_array().expect("a list");
    let sum: f64 = blocks.iter().map(|b| number(b, "changed_nets") * number(b, "instances")).sum();
    assert!((sum / number(core, "instances") - number(core, "changed_nets")).abs() < 1e-6, "{core}");
    assert!(number(core, "changed_registers") < number(core, "changed_nets") && number(core, "active") <= 1.0);
    let energy: f64 = blocks.iter().map(|b| number(b, "dynamic_fj") * number(b, "instances")).sum();
    assert!((energy / number(core, "instances") / number(core, "dynamic_fj") - 1.0).abs() < 1e-6, "{core}");
    // At 602 MHz an edge is 1.66 ns.
    let all: f64 = tiles.iter().map(|tile| number(tile, "dynamic_fj") * number(tile, "instances")).sum();
    let watts = number(activity, "logic_w");
    assert!(watts > 0.0 && (watts / (all * 602e6 * 1e-15) - 1.0).abs() < 0.05, "{watts} W, {all} fJ");
    assert!(json(&folder.run(&with(&["--json"])))["activity"].is_null());
    let outcome = folder.run(&with(&["--profile=activity", "--engine", "sliced"]));
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("works with --engine word only"), "{}", outcome.stderr);
    let outcome = folder.run(&with(&["--profile=activity", "--save", "saved"]));
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("does not go with --save or --resume"), "{}", outcome.stderr);
}

#[test]
fn statistics_by_pattern() {
    let folder = Folder::new();
    let text = |pattern: &str| {
        let outcome = folder.run(&with(&["--stats", pattern]));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout.split_once("\n\nStatistics\n").expect("statistics at the end").1.to_string()
    };
    insta::assert_snapshot!(
        [text("core0.front_end"), text("requests_per_access"), text("memory*.controller.row_*")].join("--\n")
    );
    let plain = json(&folder.run(&with(&["--json"])));
    assert!(plain.get("statistics").is_none(), "only for who asks");
    let object = json(&folder.run(&with(&["--json", "--stats", "thread_instructions", "--stats", "barrier"])));
    let rows = object["statistics"].as_array().expect("a list");
    let of =
        |name: &'static str| rows.iter().filter(move |row| row["name"].as_str().is_some_and(|n| n.ends_with(name)));
    let executed: u64 = of(".thread_instructions").filter_map(|row| row["value"].as_u64()).sum();
    assert_eq!(Some(executed), object["thread_instructions"].as_u64());
    assert!(of("waiting_cycles").any(|row| row["value"].as_u64() > Some(0) && row["unit"] == "cycles"));
    assert_eq!(without_timing(plain)["core_cycles"], object["core_cycles"]);
}

/// What the intervals have added is what there is at the end.
#[test]
fn statistics_over_time() {
    let folder = Folder::new();
    let more = ["--json", "--stats", "front_end", "--samples", "over_time.csv", "--interval", "700"];
    let object = json(&folder.run(&with(&more)));
    let text = folder.read("over_time.csv");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let rows = object["statistics"].as_array().expect("a list");
    assert!(lines.len() > 3 && lines[0][0] == "cycle" && lines[0].len() == rows.len() + 1);
    for (column, row) in rows.iter().enumerate() {
        assert_eq!(lines[0][column + 1], row["name"]);
        let added: u64 = lines[1..].iter().map(|line| line[column + 1].parse::<u64>().expect("a number")).sum();
        assert_eq!(Some(added), row["value"].as_u64(), "{}", row["name"]);
    }
    let cycles: Vec<u64> = lines[1..].iter().map(|line| line[0].parse().expect("a number")).collect();
    assert!(cycles.iter().zip(1..).take(cycles.len() - 1).all(|(&cycle, n)| cycle == 700 * n));
    assert_eq!(cycles.last().copied(), object["core_cycles"].as_u64());
    // It is not replaced by mistake.
    assert_eq!(folder.run(&with(&more)).code, 2);
}

#[test]
fn statistics_that_are_not_there() {
    let folder = Folder::new();
    for (name, arguments) in [
        ("stats_unknown_block", &["--stats", "frontend"][..]),
        ("stats_unknown_instance", &["--stats", "core0.front_end.instruction"]),
        // A block that the chip does not have.
        ("stats_of_a_block_that_is_not_there", &["--stats", "prefetcher.resets"]),
        ("samples_without_stats", &["--samples", "x.csv"]),
        ("interval_without_samples", &["--stats", "front_end", "--interval", "5"]),
        ("interval_of_no_cycles", &["--stats", "front_end", "--samples", "x.csv", "--interval", "0"]),
    ] {
        let outcome = folder.run(&with(arguments));
        assert_eq!(outcome.code, 2, "{arguments:?}");
        insta::assert_snapshot!(name, outcome.stderr);
    }
}

/// A report of the emulator without what depends on the machine.
fn without_emulator_speed(report: &str) -> String {
    let lines = report.lines().filter(|line| {
        !line.contains("  Emulator ") && !line.contains("to compile") && !line.contains("from the cache")
    });
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn on_the_emulator() {
    let folder = Folder::new();
    let chip = json(&folder.run(&with(&["--json"])));
    let outcome = folder.run(&with(&["--functional", "--json", "--out", "out"]));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let object = json(&outcome);
    assert!(object["functional"] == true && object["compiled"] == true && object["verified"] == true);
    for field in ["warp_instructions", "threads", "blocks", "memory_checks", "verdict", "config", "kernel", "seed"] {
        assert_eq!(object[field], chip[field], "{field}");
    }
    let written = folder.read("out/report.txt");
    insta::assert_snapshot!(without_emulator_speed(&written));
}

#[test]
fn what_the_emulator_does_not_have() {
    let folder = Folder::new();
    let mut messages = String::new();
    for more in [
        &["--wave", "x.vcd"][..],
        &["--stats", "*"],
        &["--engine", "word"],
        &["--threads", "2"],
        &["--max-cycles", "9"],
    ] {
        let outcome = folder.run(&[&with(&["--functional"])[..], more].concat());
        assert_eq!(outcome.code, 2, "{more:?}");
        messages += outcome.stderr.lines().next().unwrap_or_default();
        messages += "\n";
    }
    insta::assert_snapshot!(messages);
    // Time runs out there, too.
    let long = [
        "run",
        "small",
        "--kernel",
        "collatz",
        "--size",
        "1048576",
        "--functional",
        "--no-memory-checks",
        "--max-seconds",
        "0.02",
    ];
    let outcome = folder.run(&long);
    assert_eq!(outcome.code, 3);
    assert!(
        outcome.stdout.starts_with("collatz for small, on the emulator: STOPPED at the time limit"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn mistakes_of_kernels_on_the_emulator() {
    let folder = Folder::new();
    let text = "ptx = \"far.ptx\"\nentry = \"far\"\ngrid = 1\nblock = 32\nargs = [\"out\", 70]\n\n[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = 64\n";
    let ptx = ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry far(.param .u64 out, .param .u32 step)\n{\n\
               .reg .b32 %r<4>;\n.reg .b64 %d<4>;\nmov.u32 %r1, %tid.x;\nld.param.u32 %r2, [step];\nmul.lo.s32 %r3, %r1, %r2;\n\
               ld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r1;\nret;\n}\n";
    folder.write("far.toml", text);
    folder.write("far.ptx", ptx);
    let run = |more: &[&str]| folder.run(&[&["run", "small", "--launch", "far.toml", "--functional"], more].concat());
    let checked = run(&[]);
    let unchecked = run(&["--no-memory-checks"]);
    assert_eq!((checked.code, unchecked.code), (1, 1));
    insta::assert_snapshot!(format!("{}\n{}", checked.stderr, unchecked.stderr));
}
