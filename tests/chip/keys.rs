//! Keys of configurations: what has no effect is said, what people write is understood.
//! `cargo campaign config-keys` changes any number of random configurations.

use crate::campaign::part_or_all;
use crate::config_keys::{Outcome, change, signature};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use warpmesh::{
    cache::Replacement,
    chip::{Chip, ChipConfig, EMBEDDED, load, read, to_toml},
    common::parameters::{Parameter, Parameters},
    core::WarpScheduler,
    noc::Routing,
};

fn parameters() -> Vec<Parameter> {
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    all
}

fn render(error: &dyn Diagnostic) -> String {
    let mut out = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(200);
    handler.render_report(&mut out, error).expect("rendering succeeds");
    out
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

/// Files in a folder of their own.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).expect("written"));
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Without the folder.
    fn shown(&self, text: String) -> String {
        text.replace(&format!("{}/", self.0.path().display()), "")
    }

    /// The warnings of a file with overrides, or its error.
    fn said(&self, name: &str, overrides: &[&str]) -> Result<Vec<String>, String> {
        let said = read(Some(&self.path(name)), &strings(overrides)).and_then(|loaded| loaded.warnings());
        let shown = |text: String| self.shown(text);
        said.map(|all| all.into_iter().map(shown).collect()).map_err(|error| shown(render(&error)))
    }
}

/// The default chip with overrides.
fn with(overrides: &[&str]) -> Result<Chip, String> {
    load(None, &strings(overrides)).map_err(|error| render(&error))
}

#[test]
fn a_changed_key_changes_the_chip_or_it_is_said_why_not() {
    let mut outcomes = BTreeMap::<String, u32>::new();
    // The others were found by the campaign: a preset's latency set apart, a threshold above all warps, a mesh of which
    // one column is left.
    for seed in (0..part_or_all(8, 20)).chain([109, 653, 904, 981, 2244]) {
        let (change, outcome) = change(seed).unwrap_or_else(|said| panic!("seed {seed}: {said}"));
        assert!(![Outcome::Silent, Outcome::SameArea].contains(&outcome), "{outcome:?}: {change}");
        *outcomes.entry(format!("{outcome:?}")).or_default() += 1;
    }
    assert!(outcomes["Changed"] >= 3 && outcomes["Idle"] >= 1, "{outcomes:?}");
}

/// What the issue has listed, each with what makes it meaningless.
#[test]
fn keys_without_effect_are_errors_where_the_user_has_written_them() {
    for key in [
        "cache.l1d.ways=8",
        "core.throttle.warps=8",
        "network.ideal_latency=5",
        "memory.row_streak_max=4",
        "core.laws_max_misses=7",
        "core.warp_group=block",
        "core.max_outstanding=16",
        "memory.atomic_entries=4",
        "cache.l2.write_back_entries=4",
        "core.prefetch.queue_entries=8",
        "network.port_choice=smart",
        "cache.instruction.mshr.kind=tsma",
    ] {
        let error = with(&[key]).expect_err(key);
        let (path, _) = key.split_once('=').expect("a value");
        assert!(error.contains(&format!("{path} has no effect")) && error.contains("only with"), "{error}");
    }
    // Set to its default a key is no better.
    with(&["cache.l1d.ways=4"]).expect_err("no cache");
    // The order of overrides does not matter.
    with(&["core.throttle.warps=2", "core.throttle.kind=swl"]).expect("it has an effect");
    insta::assert_snapshot!(
        "mshr_ways_of_other_miss_handling",
        with(&["cache.l1d.mshr.ways=8", "cache.l1d.bytes=4096"]).expect_err("other handling")
    );
    let perfect = ["memory.model=perfect", "network.ideal_latency=5"];
    insta::assert_snapshot!("network_key_of_perfect_memory", with(&perfect).expect_err("there is no network"));
}

/// What follows from several keys together.
#[test]
fn keys_without_effect_by_what_others_make_together() {
    let classes = [
        "integer",
        "integer_min_max",
        "multiply",
        "multiply_add",
        "float",
        "float_min_max",
        "float_multiply",
        "float_multiply_add",
        "convert",
    ];
    let of_all = |table: &str| classes.map(|class| format!("core.{table}.{class}=7"));
    let (latencies, times) = (of_all("latency").to_vec(), [of_all("latency"), of_all("initiation_interval")].concat());
    let these = |all: &[&str]| strings(all);
    let one_core =
        these(&["network.columns=2", "network.rows=1", "memory.controllers=1", "network.placement={list=[1]}"]);
    for (others, key, reason) in [
        (one_core.clone(), "core.block_distribution=fewest-resident", "only with more than one core; here 1 core"),
        (
            these(&["network.rows=1", "memory.controllers=2"]),
            "network.routers=checkerboard",
            "only with several rows and columns, or `network.organisation` = dci or dcie; here 4 x 1 nodes",
        ),
        (vec![], "network.tiles_per_cycle=2", "only with links of more than one tile; here links of one tile"),
        (one_core, "memory.address_map=page-2k", "only with `memory.controllers` above 1; here memory.controllers = 1"),
        (latencies.clone(), "core.execute_stages=5", "only with an operation class whose `core.latency` is 0, or"),
        (times, "core.latencies=fermi", "here core.latency and core.initiation_interval set all classes"),
        (these(&["memory.model=perfect"]), "memory.banks=16", "only with `memory.model` = controllers, or"),
        (these(&["memory.model=perfect"]), "memory.row_bytes=4096", "only with `memory.model` = controllers, or"),
        (these(&["memory.model=perfect"]), "memory.write_reply=none", "only with `memory.model` = controllers;"),
    ] {
        let all: Vec<_> = others.iter().map(String::as_str).chain([key]).collect();
        let error = with(&all).expect_err(key);
        let (path, _) = key.split_once('=').expect("a value");
        assert!(error.contains(&format!("{path} has no effect")) && error.contains(reason), "{error}");
        let without: Vec<_> = others.iter().map(String::as_str).collect();
        with(&without).unwrap_or_else(|error| panic!("{error}"));
    }
    let stages = [&latencies.iter().map(String::as_str).collect::<Vec<_>>()[..], &["core.execute_stages=5"]].concat();
    for more in ["core.issue=barrel", "core.double=1/2", "core.special_units=2", "core.latency.convert=0"] {
        with(&[&stages[..], &[more]].concat()).unwrap_or_else(|error| panic!("{error}"));
    }
    with(&["network.topology=torus", "network.tiles_per_cycle=2"]).unwrap_or_else(|error| panic!("{error}"));
    // An error names all of them.
    let error = with(&["cache.l1d.ways=2", "core.throttle.warps=2", "network.ideal_flits=2"]).expect_err("three keys");
    assert!(error.contains("network.ideal_flits has no effect"), "{error}");
    assert!(error.contains("Without effect as well: core.throttle.warps, cache.l1d.ways"), "{error}");
}

/// Data sheets have values that others cover, and sweeps pass bounds: that is a warning, and the chip is the same.
#[test]
fn values_beyond_which_nothing_changes_are_warnings() {
    let files = Files::new(&[
        ("empty.toml", ""),
        ("own.toml", "[core]\nregister_file = 100000\n[memory.timing]\nt_ccd = 2\n"),
        ("of_own.toml", "base = \"own.toml\"\n"),
        ("sheet.toml", "base = \"gddr3\"\nname = \"mine\"\n"),
        ("torus.toml", "[network]\ntopology = \"torus\"\ntiles_per_cycle = 9\n"),
    ]);
    let of = |name: &str, overrides: &[&str]| files.said(name, overrides);
    insta::assert_debug_snapshot!([
        of("own.toml", &[]),
        of("of_own.toml", &[]),
        of("torus.toml", &[]),
        of("empty.toml", &["memory.timing.t_wtr=1", "memory.timing.t_rtw=3"]),
        of("empty.toml", &["core.throttle.kind=swl", "core.throttle.warps=64"]),
        of("empty.toml", &["core.throttle.kind=thu", "core.throttle.divergence=64"]),
        // What is shipped is as it is meant to be, unless something else has made it so.
        of("sheet.toml", &[]),
        of("sheet.toml", &["memory.timing.t_wl=255"]),
    ]);
    for bound in ["core.register_file=16384", "memory.timing.t_ccd=5", "memory.timing.t_rtw=5"] {
        assert_eq!(of("empty.toml", &[bound]), Ok(vec![]), "{bound}");
    }
    // A file of the whole configuration has none.
    let chip = load(Some(&files.path("own.toml")), &[]).expect("legal");
    let written = Files::new(&[("written.toml", &to_toml(chip.config()))]);
    assert_eq!(written.said("written.toml", &[]), Ok(vec![]));
    // Nothing counts the flits of an ideal network without a limit, and what is about routers does not matter.
    let width = |overrides: &[&str]| with(overrides).map(|chip| chip.core().flit_bits);
    let ideal = ["network.model=ideal", "network.ideal_flits=4", "network.channel_bytes=32"];
    assert_eq!((width(&ideal), width(&ideal[..2])), (Ok(256), Ok(128)));
    let corner = Files::new(&[(
        "torus.toml",
        "[network]\ntopology = \"ring\"\ncolumns = 1\nempty_nodes = [3]\nchannel_bytes = 32\n",
    )]);
    let chip = load(Some(&corner.path("torus.toml")), &strings(&["network.model=ideal", "memory.controllers=1"]));
    assert_eq!(chip.expect("a mesh would not do").core().flit_bits, 128);
    // Keys that have no effect at all are errors as before.
    of("empty.toml", &["memory.model=perfect", "memory.timing.t_ccd=2"]).expect_err("no DRAM");
}

#[test]
fn keys_of_a_base_without_effect_are_warnings() {
    let files = Files::new(&[
        ("base.toml", "name = \"base\"\n[core.throttle]\nkind = \"swl\"\nwarps = 2\n[network]\nvc_depth = 4\n"),
        ("mine.toml", "base = \"base.toml\"\n[core.throttle]\nkind = \"none\"\n"),
        ("own.toml", "base = \"base.toml\"\n[core]\nthrottle = { kind = \"none\", warps = 3 }\n"),
        ("dead.toml", "[core.throttle]\nwarps = 2\n"),
        ("of_dead.toml", "base = \"dead.toml\"\nname = \"of-dead\"\n"),
        ("caches.toml", "base = \"small-l2\"\n[cache.l2]\nbytes = 0\n"),
        ("ideal.toml", "base = \"baseline-tb-dor\"\n[network]\nmodel = \"ideal\"\nideal_latency = 4\n"),
    ]);
    let of = |name: &str, overrides: &[&str]| files.said(name, overrides);
    assert_eq!(of("base.toml", &[]), Ok(vec![]));
    insta::assert_debug_snapshot!(
        "keys_of_a_base_without_effect",
        [
            of("mine.toml", &[]),
            // A base that is wrong by itself.
            of("of_dead.toml", &[]),
            of("caches.toml", &[]),
            of("ideal.toml", &[]),
            // What an override makes meaningless in the file itself.
            of("base.toml", &["core.throttle.kind=none"]),
            of("base.toml", &["memory.model=perfect"]),
        ]
    );
    insta::assert_snapshot!("own_key_without_effect", of("own.toml", &[]).expect_err("its own line"));
    insta::assert_snapshot!("own_table_without_effect", of("dead.toml", &[]).expect_err("its own line"));
    // What an override gives an effect has one.
    assert_eq!(of("dead.toml", &["core.throttle.kind=swl"]), Ok(vec![]));
}

#[test]
fn shipped_configurations_have_no_keys_without_effect() {
    for (name, _) in EMBEDDED.iter() {
        let said = read(Some(Path::new(name)), &[]).and_then(|loaded| loaded.warnings());
        assert_eq!(said.map_err(|error| render(&error)), Ok(vec![]), "{name}");
    }
}

#[test]
fn a_written_configuration_can_be_read() {
    for name in ["default", "kim-ch4", "ideal", "small-caches", "dcie-2p"] {
        let chip = load(Some(Path::new(name)), &[]).expect("shipped");
        let files = Files::new(&[("written.toml", &to_toml(chip.config()))]);
        assert_eq!(files.said("written.toml", &[]), Ok(vec![]), "{name}");
        let again = load(Some(&files.path("written.toml")), &[]).expect("the same");
        assert_eq!(signature(&again), signature(&chip), "{name}");
    }
    let perfect = with(&["memory.model=perfect", "core.warps=4"]).expect("legal");
    let files = Files::new(&[("written.toml", &to_toml(perfect.config()))]);
    assert_eq!(files.said("written.toml", &[]), Ok(vec![]));
}

/// A condition names parameters and values that there are, and none needs itself.
#[test]
fn conditions_are_about_parameters() {
    let all = parameters();
    let mut needs = BTreeMap::<&str, BTreeSet<&str>>::new();
    for parameter in &all {
        for path in parameter.only.iter().flat_map(|condition| condition.paths()) {
            let about = all.iter().find(|other| other.path == path);
            let about = about.unwrap_or_else(|| panic!("{}: no parameter is called {path}", parameter.path));
            let names: Vec<_> = about.names().into_iter().map(|named| named.name).collect();
            for value in parameter.only.iter().flat_map(|condition| condition.named(path)) {
                let value = value.as_str();
                let is_number = about.range.is_some_and(|range| value.parse().is_ok_and(|number| range.has(number)));
                let is_switch = about.is_switch() && ["true", "false"].contains(&value);
                let legal = is_number || is_switch || names.iter().any(|name| name == value);
                assert!(legal, "{}: {path} is never {value}", parameter.path);
            }
            needs.entry(&parameter.path).or_default().insert(path);
        }
    }
    // What is needed is free of needs after as many steps as there are parameters.
    for _ in 0..all.len() {
        let free: BTreeSet<_> = all.iter().map(|p| p.path.as_str()).filter(|path| !needs.contains_key(path)).collect();
        needs.values_mut().for_each(|of| of.retain(|path| !free.contains(path)));
        needs.retain(|_, of| !of.is_empty());
    }
    assert!(needs.is_empty(), "{needs:?}");
}

#[test]
fn overrides_of_shipped_studies_have_an_effect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
    let (mut checked, mut said) = (0, vec![]);
    for file in std::fs::read_dir(folder).expect("studies").map(|entry| entry.expect("an entry").path()) {
        let Some("toml") = file.extension().and_then(|ending| ending.to_str()) else { continue };
        let study: toml::Table = toml::from_str(&std::fs::read_to_string(&file).expect("a file")).expect("TOML");
        let list = |table: &toml::Table| -> Vec<String> {
            let all = table.get("overrides").and_then(toml::Value::as_array);
            all.into_iter().flatten().filter_map(|text| text.as_str().map(String::from)).collect()
        };
        let config = |table: &toml::Table| table.get("config").and_then(toml::Value::as_str).map(PathBuf::from);
        for design in study["design"].as_array().expect("designs").iter().filter_map(toml::Value::as_table) {
            let overrides = [list(&study), list(design)].concat();
            let config = config(design).or_else(|| config(&study));
            if let Err(error) = load(config.as_deref(), &overrides) {
                said.push(format!("{}: {}\n{}", file.display(), design["name"], render(&error)));
            }
            checked += 1;
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
    assert!(checked > 20, "{checked}");
}

#[test]
fn values_are_understood_as_people_write_them() {
    let chip = with(&["core.scheduler=GTO", "network.routing=DOR", "core.shared_bytes=32KB", "clocks.core=1.4GHz"]);
    let chip = chip.expect("legal");
    let config = chip.config();
    assert_eq!((config.core.scheduler, config.network.routing), (WarpScheduler::GreedyThenOldest, Routing::Xy));
    assert_eq!((config.core.shared_bytes, config.clocks.core), (32 * 1024, 1400));
    let text = "[core]\nscheduler = \"LRR\"\nshared_bytes = \"8 KiB\"\n[network]\ntopology = \"Folded_Torus\"\nvc_depth = \"4 flits\"\n\
                placement = \"Top-Bottom\"\n[cache]\nl1d = { bytes = \"4KB\", replacement = \"PLRU\", write_hit = \"write-through\" }\n";
    let files = Files::new(&[("chip.toml", text)]);
    let chip = load(Some(&files.path("chip.toml")), &[]).unwrap_or_else(|error| panic!("{}", render(&error)));
    let config = chip.config();
    assert_eq!((config.core.scheduler, config.core.shared_bytes), (WarpScheduler::RoundRobin, 8192));
    assert_eq!((config.network.vc_depth, config.cache.l1d.bytes), (4, 4096));
    assert_eq!(config.cache.l1d.replacement, Replacement::Tree);
}

#[test]
fn what_is_not_understood_is_told_what_may_be_meant() {
    let told = |overrides: &[&str]| with(overrides).expect_err("wrong on purpose");
    insta::assert_snapshot!(
        [
            &["vcs=4"][..],
            &["ways=2"],
            &["network.warps=4"],
            &["Core.Warps=4"],
            &["core.sheduler=gto"],
            &["core.scheduler=gtor"],
            &["network.routing=zigzag"],
            &["network.vcs=four"],
            &["network.vcs=-1"],
            &["core.shared_bytes=16XB"],
            &["core.shared_bytes=16KBs"],
            &["core.warps=16KB"],
            &["clocks.noc=fast"],
            &["core.atomics=yes"],
            &["memory.scheduler=3"],
            &["network.placement=middle"],
        ]
        .map(told)
        .concat()
    );
}

/// Places of mistakes behind values that are rewritten are those of the text.
#[test]
fn rewritten_values_do_not_move_mistakes() {
    let text = "core = { scheduler = \"greedy-then-oldest\", shared_bytes = \"16KB\" }\nnetwork = { routing = \"dor\", placement = { list = [1, true] } }\n";
    let files = Files::new(&[("chip.toml", text)]);
    insta::assert_snapshot!(files.said("chip.toml", &[]).expect_err("no node"));
}

/// Every name and alias of a choice means one value.
#[test]
fn names_of_a_choice_are_unambiguous() {
    for parameter in parameters() {
        let mut seen = BTreeSet::new();
        for named in parameter.names() {
            for name in std::iter::once(named.name).chain(named.aliases) {
                assert!(seen.insert(name.to_lowercase().replace('_', "-")), "{}: {name} twice", parameter.path);
            }
        }
    }
}
