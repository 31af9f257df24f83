//! `warpmesh timing`: a block, a chip, the object, mistakes.

use super::{Folder, json};

#[test]
fn a_block() {
    let args = ["timing", "--block", "clock_crossing_fifo", "-P", "depth=4", "-P", "width=8", "--paths", "2"];
    insta::assert_snapshot!(super::without_digits(&Folder::new().transcript(&args)));
}

#[test]
fn mistakes() {
    let commands: [&[&str]; 8] = [
        &["timing", "--block", "fif"],
        &["timing", "--block", "fifo", "-P", "depth=0"],
        &["timing", "small", "--block", "fifo"],
        &["timing", "--paths", "0"],
        &["timing", "small", "--liberty", "cells.lib"],
        &["timing", "--block", "fifo", "--liberty", "nowhere.lib"],
        &["timing", "--block", "fifo", "--sta"],
        &["timing", "nowhere.toml"],
    ];
    insta::assert_snapshot!(Folder::new().transcripts(&commands));
}

/// Domains have the clocks of the configuration, slack is what is left, and paths lead from register to register.
#[test]
fn a_chip_against_its_clocks() {
    let folder = Folder::new();
    let args = ["timing", "bakhoda-ch6", "--json", "--paths", "3"];
    let object = json(&folder.run(&args));
    let domains = object["domains"].as_array().expect("a list");
    let named: Vec<_> = domains.iter().map(|domain| (domain["domain"].as_str(), domain["mhz"].as_f64())).collect();
    assert_eq!(named, [(Some("clock"), Some(1296.0)), (Some("noc"), Some(602.0)), (Some("dram"), Some(1107.0))]);
    for domain in domains {
        let number = |key: &str| domain[key].as_f64().unwrap_or_else(|| panic!("{key}"));
        let wanted = 1000.0 / number("mhz") * (1.0 - object["margin"].as_f64().expect("a number"));
        assert!((number("wanted_ns") - wanted).abs() < 1e-9);
        assert!((number("slack_ns") - wanted + number("worst_ns")).abs() < 1e-9);
        assert_eq!(domain["met"], number("slack_ns") >= 0.0);
        let paths = domain["paths"].as_array().expect("a list");
        assert_eq!((paths.len(), &paths[0]["ns"]), (3, &domain["worst_ns"]));
        for path in paths {
            assert_eq!(path["kind"], "register to register");
            let times: Vec<_> =
                path["steps"].as_array().expect("a list").iter().map(|step| step["ns"].as_f64()).collect();
            assert!(!times.is_empty() && times.is_sorted(), "{path}");
            assert!(path["steps"][0]["source"].as_str().is_some_and(|source| source.starts_with("src/")), "{path}");
        }
    }
    // A chip at a hundredth of the clocks meets them.
    let slow = ["-P", "clocks.core=13", "-P", "clocks.noc=6", "-P", "clocks.dram=11"];
    let object = json(&folder.run(&[&args[..], &slow].concat()));
    assert!(object["domains"].as_array().expect("a list").iter().all(|domain| domain["met"] == true));
}

/// A block through Yosys and abc with a small library; and what is said where they, or cells, are missing.
#[test]
fn a_block_is_mapped() {
    let folder = Folder::new();
    folder.write("cells.lib", include_str!("../testkit/data/five_cells.lib"));
    folder.write("none.lib", "nothing");
    let args = ["timing", "--block", "priority_encoder", "-P", "n=8", "--liberty", "cells.lib", "--no-cache", "--json"];
    let object = json(&folder.run(&args));
    let number = |key: &str| object["mapped"][key].as_f64().unwrap_or_else(|| panic!("{key}: {object}"));
    // Cells of two inputs take 20 to 90 ps each, so deep is as long.
    let (ns, deep) = (number("ns"), number("cells_deep"));
    assert!((3.0..20.0).contains(&deep) && (0.02..0.1).contains(&(ns / deep)), "{object}");
    assert!(number("levels") >= 3.0 && number("logic_ns") > 0.0, "{object}");
    // A static timing analysis of the same cells, where there is one: of logic alone it is the same path.
    let sta = folder.run(&[&args[..], &["--sta"]].concat());
    if std::process::Command::new("sta").arg("-version").output().is_ok() {
        let object = json(&sta);
        let found = &object["mapped"]["sta"];
        assert_eq!(found["kind"], "input to output", "{object}");
        let by_sta = found["ns"].as_f64().unwrap_or_else(|| panic!("{object}"));
        assert!((by_sta / ns - 1.0).abs() < 0.05, "{object}");
        assert!(object["mapped"]["path_ns"].as_f64().is_some_and(|here| here > 0.0), "{object}");
    } else {
        assert!(sta.code == 2 && sta.stderr.contains("`sta` cannot be started"), "{}", sta.stderr);
    }
    let none = folder.run(&["timing", "--block", "fifo", "--liberty", "none.lib"]);
    assert!(none.code == 2 && none.stderr.contains("has no cell with an area"), "{}", none.stderr);
    let output = super::command(folder.0.path()).env("PATH", "").args(args).output().expect("starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("`yosys` cannot be started"), "{said}");
}
