//! `warpmesh area`: table, object, lines with commas; every shipped configuration.

use super::{Folder, json};
use warpmesh::chip::EMBEDDED;

#[test]
fn the_table_the_object_and_the_lines() {
    let commands: [&[&str]; 5] = [
        &["area", "baseline-tb-dor"],
        &["area", "dci-2p", "--json"],
        &["area", "cp-cr-2p", "--csv"],
        &["area", "cp-cr", "--layout", "as-built", "--technology", "22"],
        &["area", "ideal"],
    ];
    insta::assert_snapshot!(Folder::new().transcripts(&commands));
}

#[test]
fn mistakes() {
    let commands: [&[&str]; 3] =
        [&["area", "--technology", "28"], &["area", "--json", "--csv"], &["area", "-P", "network.vcs=0"]];
    insta::assert_snapshot!(Folder::new().transcripts(&commands));
}

/// The sums are the sums of the parts, whatever the configuration.
#[test]
fn every_shipped_configuration_has_an_area_that_adds_up() {
    let folder = Folder::new();
    for (config, _) in EMBEDDED {
        let name = config.trim_end_matches(".toml");
        let outcome = folder.run(&["area", name, "--json"]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        let area = json(&outcome);
        let number = |key: &str| area[key].as_f64().unwrap_or_else(|| panic!("{name}: {key}"));
        assert_eq!(
            (&area["format_version"], &area["config"], &area["technology_nm"]),
            (&1.into(), &name.into(), &65.into())
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
        near(number("noc_mm2"), all + number("links_mm2"));
        let beside = number("cores_mm2") + number("controllers_mm2") + number("l2_mm2");
        near(number("chip_mm2"), number("noc_mm2") + beside);
        near(number("noc_percent"), 100.0 * number("noc_mm2") / number("chip_mm2"));
        assert_eq!(routers.is_empty(), name == "ideal");
    }
}
