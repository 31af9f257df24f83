//! Configuration files: layers, overrides, and every way to be wrong; the rendered message is the test.

use crate::campaign::part_or_all;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::path::{Path, PathBuf};
use warpmesh::{
    chip::*,
    common::parameters::{Allowed, Parameter, Parameters, schema},
    core::CoreParams,
    noc::Routing,
};

/// A config file in a directory of its own, and the message of loading it, with the directory cut out.
fn message(text: &str, overrides: &[&str]) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("chip.toml");
    std::fs::write(&path, text).expect("written");
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    let error = load(Some(&path), &overrides).expect_err("wrong on purpose");
    render(&error).replace(&format!("{}/", directory.path().display()), "")
}

fn render(error: &dyn Diagnostic) -> String {
    let mut out = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(200);
    handler.render_report(&mut out, error).expect("rendering succeeds");
    out
}

#[test]
fn the_embedded_default_is_the_default() {
    let chip = load(None, &[]).expect("legal");
    assert_eq!(load(Some(Path::new("default.toml")), &[]).expect("legal").config(), chip.config());
    assert_eq!(chip.memory_nodes(), [1, 2, 13, 14]);
    assert_eq!(chip.core_nodes().len(), 12);
    assert_eq!(chip.node_bits(), 4);
    assert_eq!(chip.core(), CoreParams::new(chip.core().map), "a core alone and one in a chip have equal defaults");
}

#[test]
fn a_base_gives_what_the_file_does_not_say() {
    let small = load(Some(Path::new("small.toml")), &[]).expect("legal");
    assert_eq!((small.core_nodes(), small.memory_nodes()), (&[0, 2, 3][..], &[1][..]));
    assert_eq!(small.config().core, ChipConfig::default().core);
    assert_eq!(small.config().network.vc_depth, 4);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| {
        let path: PathBuf = directory.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    write("mine.toml", "base = \"small.toml\"\n[core]\nwarps = 16\n");
    let path = write("again.toml", "base = \"mine.toml\"\nname = \"again\"\ncore.load_entries = 4\n");
    let again = load(Some(&path), &["core.load_entries=6".into(), "network.routing=yx".into()]).expect("legal");
    let config = again.config();
    assert_eq!((config.core.warps, config.core.load_entries, config.network.vc_depth), (16, 6, 4));
    assert_eq!((config.name.as_str(), config.network.routing), ("again", Routing::Yx));
}

#[test]
fn unknown_keys_show_the_place_and_the_nearest_key() {
    insta::assert_snapshot!("unknown_key", message("name = \"x\"\n[core]\nwraps = 8\n", &[]));
    insta::assert_snapshot!("unknown_table", message("[network.foo]\nbar = 8\n", &[]));
    insta::assert_snapshot!("unknown_key_of_an_override", message("", &["core.lane=16"]));
}

/// The keys of the configuration that match `pattern`, whose `*` is one part; tables too.
fn keys_like(pattern: &str) -> Vec<String> {
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    let parts: Vec<_> = pattern.split('.').collect();
    let start = |path: &str| path.split('.').take(parts.len()).map(String::from).collect::<Vec<_>>();
    let like = |key: &Vec<String>| key.len() == parts.len() && key.iter().zip(&parts).all(|(k, p)| *p == "*" || k == p);
    let found: std::collections::BTreeSet<_> = all.iter().map(|p| start(&p.path)).filter(like).collect();
    found.into_iter().map(|key| key.join(".")).collect()
}

/// Every name that was given up: it is none of today's, and the error says today's name.
#[test]
fn renamed_keys_and_values_say_the_new_name() {
    for &(old, new) in RENAMED_KEYS {
        // A key may have become a table.
        let is_table = new.strip_prefix(old).is_some_and(|rest| rest.starts_with('.'));
        assert!(is_table || keys_like(old).is_empty(), "{old} is a key again");
        let keys = keys_like(new);
        assert!(!keys.is_empty(), "{new} is no key");
        for key in keys {
            let at = |part: usize| key.split('.').nth(part).unwrap_or_default();
            let parts = old.split('.').enumerate().map(|(part, name)| if name == "*" { at(part) } else { name });
            let before = parts.collect::<Vec<_>>().join(".");
            let said = message("", &[&format!("{before}=1")]);
            assert!(said.contains(&format!("`{before}` was renamed to `{key}`")), "{said}");
        }
    }
    for &(pattern, old, new) in RENAMED_VALUES {
        let keys = keys_like(pattern);
        assert!(!keys.is_empty(), "{pattern} is no key");
        for key in keys {
            let said = message("", &[&format!("{key}={old}")]);
            assert!(said.contains(&format!("value `{old}` of {key} was renamed to `{new}`")), "{said}");
            let accepted = message("", &[&format!("{key}={new}"), "core.warps=1"]);
            assert!(accepted.contains("core.warps") && !accepted.contains(&format!("`{new}`")), "{accepted}");
        }
    }
    let file = "[core]\nunder_way = 16\n";
    insta::assert_snapshot!(
        "renamed_keys_and_values",
        message(file, &[]) + &message("", &["cache.l1d.write_miss=fetch"])
    );
    // A table of today, on the command line and in a file.
    let file = "[cache.l2]\nmshr = \"tsma\"\n";
    insta::assert_snapshot!(
        "keys_that_are_tables_now",
        message(file, &[]) + &message("", &["cache.l1d.mshr_entries=48"])
    );
}

#[test]
fn wrong_types_and_syntax_show_the_place() {
    insta::assert_snapshot!("text_for_a_number", message("[core]\nwarps = \"many\"\n", &[]));
    insta::assert_snapshot!("unknown_value", message("[network]\nrouting = \"zigzag\"\n", &[]));
    insta::assert_snapshot!("number_for_a_table", message("core = 3\n", &[]));
    insta::assert_snapshot!("bracket_that_is_missing", message("[core\nwarps = 8\n", &[]));
    insta::assert_snapshot!("number_below_zero", message("[core]\nwarps = -8\n", &[]));
}

#[test]
fn impossible_cores_show_what_is_allowed() {
    insta::assert_snapshot!(
        "core_scale_for_too_many_warps",
        message("core = { warps = 64, scale_percent = 150 }\n", &[])
    );
    insta::assert_snapshot!("core_scale_too_small", message("core.scale_percent = 99\n", &[]));
    insta::assert_snapshot!("shared_banks", message("core.shared_banks = 12\n", &[]));
    insta::assert_snapshot!(
        "merged_loads_with_a_data_cache",
        message("core.merge_loads = true\ncache.l1d.bytes = 4096\n", &[])
    );
    insta::assert_snapshot!(
        "core_scale_for_too_few_warps",
        message("core = { warps = 4, issue_slots = 2, scale_percent = 50, register_file = 8192 }\n", &[])
    );
    insta::assert_snapshot!("double_rate", message("core.double = \"1/4\"\n", &[]));
    insta::assert_snapshot!("special_units", message("core = { lanes = 16, special_units = 3 }\n", &[]));
    insta::assert_snapshot!("integer_latency", message("core.latency.integer = 300\n", &[]));
}

/// Schedulers and throttles that listen to the data cache need one.
#[test]
fn listeners_without_a_data_cache_show_what_is_allowed() {
    insta::assert_snapshot!("laws_without_a_data_cache", message("core.scheduler = \"laws\"\n", &[]));
    insta::assert_snapshot!("thu_without_a_data_cache", message("core.throttle.kind = \"thu\"\n", &[]));
    let perfect = "cache.l1d.bytes = 4096\nmemory.model = \"perfect\"\ncore.scheduler = \"laws\"\n";
    insta::assert_snapshot!("laws_on_perfect_memory", message(perfect, &[]));
    let few = "cache.l1d.bytes = 4096\ncore.throttle = { kind = \"thu\", min_warps = 9 }\n";
    insta::assert_snapshot!("thu_min_warps_of_a_core", message(few, &[]));
    let half = "cache.l1d.bytes = 4096\ncore = { issue_slots = 2, throttle = { kind = \"thu\", min_warps = 5 } }\n";
    insta::assert_snapshot!("thu_min_warps_of_an_issue_slot", message(half, &[]));
}

/// A prefetcher needs a data cache that can take what it asks for.
#[test]
fn prefetchers_without_a_place_for_lines_show_what_is_allowed() {
    insta::assert_snapshot!("stpe_without_a_data_cache", message("core.prefetch.kind = \"stpe\"\n", &[]));
    let of_cache = |text: &str| message(&format!("cache.l1d.bytes = 4096\n{text}"), &[]);
    insta::assert_snapshot!("only_prefetches_without_a_prefetcher", of_cache("cache.l1d.only_prefetches = true\n"));
    let prefetching = |text: &str| of_cache(&format!("core.prefetch.kind = \"pcst\"\n{text}"));
    insta::assert_snapshot!("prefetcher_with_unlimited_mshrs", prefetching("cache.l1d.mshr.kind = \"unlimited\"\n"));
    insta::assert_snapshot!(
        "only_prefetches_allocated_on_miss",
        prefetching("cache.l1d.only_prefetches = true\ncache.l1d.allocation = \"on-miss\"\n")
    );
}

#[test]
fn impossible_values_show_what_is_allowed() {
    insta::assert_snapshot!("lanes", message("[core]\nlanes = 7\n", &[]));
    insta::assert_snapshot!("t_rp", message("", &["memory.timing.t_rp=0"]));
    insta::assert_snapshot!(
        "placement_outside_the_mesh",
        message("[network]\nplacement = { list = [0, 1, 2, 99] }\n", &[])
    );
    insta::assert_snapshot!("controllers", message("memory.controllers = 16\n", &[]));
    insta::assert_snapshot!("vcs", message("network.vcs = 5\n", &[]));
    insta::assert_snapshot!("banks", message("memory.banks = 6\n", &[]));
}

/// What does not work and is not there, what leaves nothing, and routings that do not go round it.
#[test]
fn wrong_faults_show_what_is_allowed() {
    insta::assert_snapshot!("disabled_row_outside_the_mesh", message("network.disabled_rows = [4]\n", &[]));
    insta::assert_snapshot!("faulty_link_between_no_neighbours", message("network.faulty_links = [[0, 5]]\n", &[]));
    insta::assert_snapshot!("faulty_link_with_xy_routing", message("network.faulty_links = [[5, 6]]\n", &[]));
    let lonely = message("network = { routing = \"up-down\", faulty_links = [[0, 1], [0, 4]] }\n", &[]);
    insta::assert_snapshot!("faulty_links_that_cut_off_a_node", lonely);
    insta::assert_snapshot!("disabled_rows_with_memory_nodes", message("network.disabled_rows = [0, 3]\n", &[]));
    insta::assert_snapshot!(
        "faulty_router_of_a_crossbar",
        message("network = { topology = \"crossbar\", faulty_routers = [3] }\n", &[])
    );
    insta::assert_snapshot!("faulty_link_with_one_end", message("network.faulty_links = [5]\n", &[]));
}

/// Cores, controllers and routers of a disabled column are gone; with XY the rest is a smaller mesh.
#[test]
fn a_disabled_column_leaves_a_smaller_mesh() {
    let with = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        load(None, &overrides).unwrap_or_else(|error| panic!("{error}"))
    };
    let chip = with(&["network.disabled_columns=[0]", "network.disabled_rows=[3]"]);
    assert_eq!((chip.memory_nodes(), chip.core_nodes()), (&[1, 2][..], &[3, 5, 6, 7, 9, 10, 11][..]));
    assert_eq!(chip.config().memory.controllers, 2);
    let part = &chip.fabric().subnetworks()[0];
    assert_eq!(part.topology.links().len(), 2 * 12, "3 x 3 routers");
    assert_eq!(part.routers.iter().filter(|router| router.inputs().is_empty()).count(), 7);
    chip.fabric().prove().expect("a mesh");
    // What is left is what it is made from again.
    let again = Chip::new(chip.config()).expect("legal");
    assert_eq!(again.config(), chip.config());
    let round = with(&["network.faulty_links=[[5, 6], [9, 10]]", "network.routing=up-down"]);
    round.fabric().prove().expect("up*/down*");
    assert_eq!(round.core_nodes().len(), 12);
}

/// Graphs that cannot be, and keys of a graph without one.
#[test]
fn wrong_graphs_show_what_is_allowed() {
    let graph = |nodes: &str, links: &str| {
        message(&format!("[network]\ntopology = \"graph\"\n[network.graph]\nnodes = {nodes}\nlinks = {links}\n"), &[])
    };
    let nodes = "[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]";
    insta::assert_snapshot!("graph_without_nodes", message("network.topology = \"graph\"\n", &[]));
    insta::assert_snapshot!("graph_in_two_parts", graph(nodes, "[[0, 1], [1, 2]]"));
    insta::assert_snapshot!("graph_link_with_one_end", graph(nodes, "[[0, 1], [1, 2], [2]]"));
    insta::assert_snapshot!("graph_link_too_long", graph(nodes, "[[0, 1], [1, 2], [2, 3, 99]]"));
    insta::assert_snapshot!("graph_node_nobody_reaches", graph(nodes, "[[0, 1], [1, 2], [2, 3], [3, 5]]"));
    insta::assert_snapshot!("graph_of_another_topology", message("network.graph.links = [[0, 1]]\n", &[]));
    let romm = "[network]\ntopology = \"graph\"\nrouting = \"romm\"\n[network.graph]\nlinks = [[0, 1]]\n";
    insta::assert_snapshot!("graph_with_romm_routing", message(&format!("{romm}nodes = {nodes}\n"), &[]));
}

/// Concentrators have one stage, which allows no delay of 0: found by a random configuration.
/// Bits of a transaction number follow from the warps where nobody has set them.
#[test]
fn tag_bits_follow_from_the_warps() {
    let tag_bits = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        load(None, &overrides).unwrap_or_else(|error| panic!("{error}")).core().tag_bits
    };
    assert_eq!(tag_bits(&[]), 4);
    assert_eq!([2, 16, 32, 64].map(|warps| tag_bits(&[&format!("core.warps={warps}")])), [4, 4, 5, 6]);
    assert_eq!(tag_bits(&["core.warps=16", "core.scale_percent=200"]), 5);
    assert_eq!(tag_bits(&["core.warps=32", "core.tag_bits=7"]), 7);
    // And from the targets of the data cache's MSHRs, of which there are 32 times 8 by default.
    let cached = |more: &[&str]| tag_bits(&[&["cache.l1d.bytes=4096"], more].concat());
    assert_eq!(cached(&[]), 8);
    assert_eq!(cached(&["cache.l1d.mshr.entries=16", "cache.l1d.mshr.targets=4"]), 6);
    assert_eq!(cached(&["cache.l1d.mshr.entries=2", "cache.l1d.mshr.targets=2"]), 4);
    assert_eq!(cached(&["cache.l1d.mshr.entries=32", "cache.l1d.mshr.targets=32"]), 8);
}

/// Lines that the MSHRs hold can all be pending: nothing that a request needs, too, is fewer.
#[test]
fn limits_below_the_mshrs_show_what_is_allowed() {
    let error = |more: &[&str]| {
        let overrides: Vec<_> = ["cache.l1d.bytes=4096"].iter().chain(more).map(ToString::to_string).collect();
        let error = load(None, &overrides).expect_err(&format!("{more:?}"));
        format!("{:?}", miette::Report::new(error))
    };
    let tags = error(&["core.tag_bits=4"]);
    assert!(tags.contains("core.tag_bits") && tags.contains("5 to 8 bits") && tags.contains("32 lines"), "{tags}");
    let outstanding = error(&["cache.l1d.mshr.entries=48"]);
    assert!(outstanding.contains("48 to 256") && outstanding.contains("cache.l1d.mshr.entries"), "{outstanding}");
    let hybrid = ["cache.l1d.mshr.kind=htsma", "cache.l1d.allocation=on-miss", "cache.l1d.mshr.cam_entries=4"];
    let hybrid = error(&[&hybrid[..], &["core.max_outstanding=35"]].concat());
    assert!(hybrid.contains("36 to 256"), "{hybrid}");
    for legal in [
        &["core.tag_bits=5", "core.max_outstanding=32"][..],
        &["cache.l1d.mshr.kind=unlimited", "core.tag_bits=4", "core.max_outstanding=2"],
        &["cache.l1d.mshr.entries=256", "core.max_outstanding=256"],
    ] {
        let overrides: Vec<_> = ["cache.l1d.bytes=4096"].iter().chain(legal).map(ToString::to_string).collect();
        load(None, &overrides).unwrap_or_else(|error| panic!("{legal:?}: {error}"));
    }
}

/// Rings that cannot be: too few memory nodes, positions or cores, channels that carry no whole flits.
#[test]
fn impossible_rings_show_what_is_allowed() {
    let one = message("memory.controllers = 1\nnetwork.ring.round_trip_cycles = 8\n", &[]);
    let few = message("network.ring.round_trip_cycles = 3\n", &[]);
    let bytes = message("network.ring = { round_trip_cycles = 8, bytes = 24 }\n", &[]);
    let list = "[network]\ncolumns = 3\nrows = 3\nplacement = { list = [0, 1, 2, 4] }\n";
    let empty = message(&format!("{list}ring = {{ round_trip_cycles = 8 }}\n"), &[]);
    let idle = message("", &["network.ring.rx_queue_packets=4"]);
    let ideal = message("", &["network.model=ideal", "network.ring.round_trip_cycles=8"]);
    insta::assert_snapshot!([one, few, bytes, empty, idle, ideal].join("\n"));
}

/// Overlays that cannot be: without a network of its own for replies, with what else is about them, with a channel that
/// does not divide.
#[test]
fn impossible_overlays_show_what_is_allowed() {
    let da2mesh = "network.overlay.kind=da2mesh";
    let with = |overrides: &[&str]| message("", &[&["network.organisation=dedicated", da2mesh], overrides].concat());
    let cases = [
        message("", &[da2mesh]),
        message("", &["network.organisation=combined", da2mesh]),
        message("", &["network.organisation=dci", "network.routers=checkerboard", da2mesh]),
        with(&["network.ring.round_trip_cycles=8"]),
        with(&["network.reply_injection=split", "network.tx_queue_packets=4"]),
        with(&["network.priority_levels=2"]),
        with(&["network.injection_speedup=2"]),
        with(&["network.topology=torus"]),
        with(&["network.concentration=4", "network.columns=8", "network.rows=8"]),
        with(&["network.routers=checkerboard", "network.routing=checkerboard"]),
        with(&["memory.controllers=3"]),
        with(&["network.overlay.buffer_flits=1"]),
        with(&["network.overlay.injection=queue"]),
        with(&["network.reply_vc_depth=4"]),
        message("", &["network.overlay.injection=split"]),
        message("", &["network.model=ideal", da2mesh]),
    ];
    insta::assert_snapshot!(cases.join("\n"));
}

/// What does not go together is shown at the key that was written last, with the other one and where that comes from.
#[test]
fn conflicts_are_shown_at_the_key_that_was_written_last() {
    let all = [
        message("core.tag_bits = 4\n", &["core.warps=32"]),
        message("core.tag_bits = 4\ncore.warps = 32\n", &[]),
        message("core.warps = 32\n", &["core.tag_bits=4"]),
        message("core.scheduler = \"laws\"\ncache.l1d.bytes = 4096\n", &["cache.l1d.bytes=0"]),
        message("name = \"mine\"\n", &["network.pipeline=2", "network.vc_reuse_delay=0"]),
        message("[network]\npipeline = 4\nvc_reuse_delay = 0\n", &["network.pipeline=2"]),
        message("[network]\nvc_reuse_delay = 0\n", &["network.vc_reallocation=with-tail"]),
        message("memory.controllers = 2\n[network]\nplacement = { list = [14, 15] }\n", &["network.rows=2"]),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

/// Whatever single key makes a chip impossible, the message is about it.
#[test]
fn every_refused_override_is_named() {
    let mut parameters = vec![];
    ChipConfig::describe("", &mut parameters);
    let mut refused = 0;
    // Each key takes one or two of three values, each on one of the chips.
    let bases = ["default", "small-ch6", "small-kim-ch2", "dcie-2p"];
    for turn in 0..part_or_all(1, 2) {
        for (at, Parameter { path, range, .. }) in parameters.iter().enumerate() {
            let Some(range) = range else { continue };
            let (low, high) = range.ends();
            let (base, value) = (bases[(at + 2 * turn) % 4], [low, (low + high) / 2, high][(at / 4 + turn) % 3]);
            if range.has(value) {
                let written = format!("{path}={value}");
                let Err(error) = load(Some(Path::new(base)), std::slice::from_ref(&written)) else { continue };
                let text = error.to_string();
                assert!(
                    text.starts_with(&format!("-P {written}: ")) && text.contains(path),
                    "{base}, {written}: {text}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > part_or_all(10, 20), "{refused} refusals: too few to say anything");
}

#[test]
fn a_vc_reuse_delay_of_zero_is_not_for_concentrators() {
    let overrides = ["network.topology=crossbar", "network.concentration=3", "network.vc_reuse_delay=0"];
    let chip = load(None, &overrides.map(String::from)).expect("legal");
    build(&chip).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn missing_files_and_loops_are_named() {
    let missing = load(Some(Path::new("no-such.toml")), &[]).expect_err("missing");
    insta::assert_snapshot!(render(&missing));
    let text = message("base = \"chip.toml\"\n", &[]);
    assert!(text.contains("is its own base: chip.toml -> chip.toml"), "{text}");
}

#[test]
fn the_schema_describes_every_field() {
    let schema = serde_json::to_value(schemars::schema_for!(ChipConfig)).expect("JSON");
    let fields = schema["$defs"]["CoreConfig"]["properties"].as_object().expect("fields");
    assert!(fields.values().all(|field| field["description"].is_string()), "{fields:#?}");
}

/// What the schema allows of a number is what the program allows.
#[test]
fn the_schema_has_the_ranges_that_are_checked() {
    let schema = schema::<ChipConfig>();
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    let ranged: Vec<_> = all.iter().filter_map(|parameter| parameter.range.map(|range| (parameter, range))).collect();
    assert!(ranged.len() > 30);
    for (Parameter { path, field: (table, field), .. }, range) in ranged {
        let property = &schema["$defs"][table]["properties"][field];
        let allows = |value: u32| match property["enum"].as_array() {
            Some(all) => all.contains(&value.into()),
            None => {
                (property["minimum"].as_u64() <= Some(value.into()))
                    && Some(value.into()) <= property["maximum"].as_u64()
                    && u64::from(value).is_multiple_of(property["multipleOf"].as_u64().unwrap_or(1))
            }
        };
        let (Allowed::Numbers(low, high) | Allowed::Powers(low, high) | Allowed::Kibibytes(low, high)) = range;
        let values = [low.saturating_sub(1), low, low + 1, high - 1, high, high + 1];
        for value in values {
            assert_eq!(allows(value), range.has(value), "{path} = {value}");
            if !range.has(value) {
                let error = load(None, &[format!("{path}={value}")]).err().map(|error| render(&error));
                let refused = error.as_ref().is_some_and(|text| text.contains(&format!("{range}")));
                assert!(refused, "{path} = {value}: {error:?}");
            }
        }
    }
}

#[test]
fn requests_and_replies_have_channels_of_their_own() {
    let chip = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
        load(Some(Path::new("small.toml")), &overrides).unwrap_or_else(|error| panic!("{}", render(&error)))
    };
    let dedicated = chip(&[
        "network.organisation=dedicated",
        "network.reply_channel_bytes=32",
        "network.reply_vcs=3",
        "network.reply_vc_depth=5",
        "network.request_vc_depth=2",
    ]);
    let formats = warpmesh::noc::MessageClass::ALL.map(|class| dedicated.fabric().network_of(class));
    assert_eq!(formats.map(|network| (network.format.width, network.depth)), [(128, 2), (256, 5)]);
    assert_eq!(formats[1].format.vcs, 3);
    // A write of a line and a read reply.
    assert_eq!(formats[0].longest, 5);
    let shared = chip(&["network.request_vcs=1", "network.reply_vcs=4", "network.reply_vc_depth=7"]);
    let network = shared.fabric().network();
    assert_eq!((network.format.vcs, network.sets().of(0), network.sets().of(1)), (5, 0..1, 1..5));
    assert_eq!([0, 1, 4].map(|vc| network.depths().of(vc)), [4, 7, 7]);
    assert_eq!(chip(&["network.request_vcs=1", "network.reply_vcs=1"]).fabric().network().replies, None);
    let two = chip(&["network.core_injection_ports=2", "network.core_ejection_ports=3"]);
    assert_eq!([0, 1].map(|node| two.fabric().ports(node)), [[2, 3], [1, 1]]);
    two.fabric().prove().expect("free of deadlock");
}

#[test]
fn impossible_channels_of_requests_and_replies_are_errors() {
    for (name, overrides) in [
        ("reply_channel_bytes", &["network.reply_channel_bytes=32"][..]),
        ("request_channel_bytes", &["network.request_channel_bytes=3"]),
        ("reply_vcs_of_o1_turn", &["network.routing=o1-turn", "network.reply_vcs=3"]),
        ("vcs_of_requests_alone", &["network.vcs=3", "network.reply_vcs=2"]),
        ("core_injection_ports", &["network.core_injection_ports=5"]),
        ("injection_speedup_of_replies", &["network.reply_vcs=3", "network.injection_speedup=2"]),
    ] {
        insta::assert_snapshot!(name, message("", overrides));
    }
}

#[test]
fn impossible_reply_injection_shows_what_is_allowed() {
    let split = "network.reply_injection=split";
    for (name, overrides) in [
        ("split_injection_of_two_vcs", &[split, "network.vcs=2"][..]),
        ("split_injection_with_two_ports", &[split, "network.injection_ports=2"]),
        ("split_injection_with_four_links", &[split, "network.reply_injection_links=4"]),
        (
            "split_injection_of_six_vcs",
            &[split, "network.vcs=6", "network.reply_injection_links=2", "network.tx_queue_packets=3"],
        ),
        ("split_injection_with_few_packets", &[split, "network.tx_queue_packets=3"]),
        ("links_without_split_injection", &["network.reply_injection_links=2"]),
        ("starvation_without_priorities", &["network.starvation_cycles=100"]),
        ("priority_levels", &["network.priority_levels=9"]),
        ("flit_writes_of_split_injection", &[split, "network.tx_queue_packets=4", "network.reply_write=flit"]),
        ("flit_writes_of_an_ideal_network", &["network.model=ideal", "network.reply_write=flit"]),
        (
            "flit_writes_of_an_overlay",
            &["network.organisation=dedicated", "network.overlay.kind=da2mesh", "network.reply_write=flit"],
        ),
        ("unknown_reply_write", &["network.reply_write=flits"]),
    ] {
        insta::assert_snapshot!(name, message("", overrides));
    }
}
