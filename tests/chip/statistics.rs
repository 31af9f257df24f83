//! Statistics of the hardware: declared where they are kept, and all in the documentation.

use crate::parquet_file;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};
use testkit::organisations::traffic;
use warpmesh::{
    chip,
    hdl::{Builder, params},
    netlist::{Design, elaborate},
    noc::{TrafficParams, traffic_mesh},
    open_loop::{OpenLoopParams, open_loop},
    random::Rng,
    record::{StoredTable, Table},
    rtl,
    sim::ProbeResult,
};

/// Split reply queues that share a link.
const SPLIT: [&str; 5] = [
    "network.vcs=4",
    "network.reply_injection=split",
    "network.reply_injection_links=1",
    "network.injection_speedup=2",
    "network.priority_levels=2",
];

/// Chips, a network under traffic, and traffic as hardware: together they have every block that counts.
fn designs() -> Vec<Design> {
    let with = |name: &str, overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
        chip::load(Some(Path::new(name)), &overrides).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    let chip = |name: &str| with(name, &[]);
    let default = chip("default.toml");
    let posted = ["memory.write_reply=none", "network.vcs=2", "memory.partial_write=read-modify-write"];
    let params = OpenLoopParams::new(default.fabric().params(), &traffic()).expect("legal");
    let modules = [
        chip::build(&default).expect("legal"),
        chip::build(&chip("dcie-cdr-2p.toml")).expect("legal"),
        chip::build(&chip("small-l1.toml")).expect("legal"),
        chip::build(&chip("small-caches.toml")).expect("legal"),
        chip::build(&with("small-l1.toml", &["core.scheduler=laws", "core.throttle.kind=thu"])).expect("legal"),
        chip::build(&with("small-l1.toml", &["core.prefetch.kind=stpe"])).expect("legal"),
        chip::build(&with("small-l1.toml", &["core.prefetch.kind=mt-hwp", "core.prefetch.adaptive_throttling=true"]))
            .expect("legal"),
        chip::build(&with(
            "small-l2.toml",
            &["core.atomics=true", "cache.l2.mshr.kind=htsma", "cache.l2.allocation=on-miss"],
        ))
        .expect("legal"),
        chip::build(&with("small.toml", &posted)).expect("legal"),
        chip::build(&with("small.toml", &SPLIT)).expect("legal"),
        chip::build(&chip("small-ring.toml")).expect("legal"),
        chip::build(&with("small-da2mesh.toml", &["network.overlay.injection=split"])).expect("legal"),
        chip::build(&with(
            "small.toml",
            &["core.merge_loads=true", "core.coalescing=cuda-1x", "core.double=1/8", "core.special_units=4"],
        ))
        .expect("legal"),
        open_loop(&params).expect("legal"),
        traffic_mesh(&TrafficParams::benchmark(2)).expect("legal"),
    ];
    modules.iter().map(|module| elaborate(module).unwrap_or_else(|e| panic!("{e}"))).collect()
}

#[test]
fn every_statistic_is_declared_and_every_declaration_is_kept() {
    let mut kept = BTreeSet::new();
    for design in designs() {
        for module in &design.modules {
            for probe in &module.module.probes {
                let Some(statistic) = probe.statistic else { panic!("{}.{}", module.module.kind, probe.name) };
                assert!(!statistic.unit.is_empty() && statistic.about.ends_with('.'), "{statistic:?}");
                kept.insert((statistic.block, statistic.name));
            }
        }
    }
    let declared: Vec<_> = rtl::statistics().iter().map(|statistic| (statistic.block, statistic.name)).collect();
    let all: BTreeSet<_> = declared.iter().copied().collect();
    assert_eq!((&all - &kept, &kept - &all), Default::default(), "declared and not kept, kept and not declared");
    assert_eq!(declared.len(), all.len(), "each is declared once");
}

/// What `list statistics` prints is a pattern for `--stats`, wherever the block is and whatever the instance is called.
#[test]
fn every_listed_statistic_matches_its_own_name() {
    let mut matched = BTreeSet::new();
    for design in designs() {
        for (module, probe) in design.modules.iter().flat_map(|m| m.module.probes.iter().map(move |probe| (m, probe))) {
            let Some(statistic) = probe.statistic else { continue };
            let (path, name) = (format!("core0.an_instance_of_{}7", module.module.kind), probe.name.clone());
            let (kind, histogram) = (probe.kind, BTreeMap::new());
            let found = ProbeResult { path, name, statistic: probe.statistic, kind, count: 0, sum: 0, histogram };
            let listed = format!("{}.{}", statistic.block, statistic.name);
            if found.matches(&listed) && found.matches(statistic.block) && found.matches(statistic.name) {
                matched.insert(listed);
            }
        }
    }
    let listed: BTreeSet<_> = rtl::statistics().iter().map(|s| format!("{}.{}", s.block, s.name)).collect();
    assert_eq!(&listed - &matched, BTreeSet::new());
}

#[test]
fn a_block_keeps_only_its_own_statistics() {
    let m = Builder::new("other", params! {});
    m.count(rtl::core::front_end::INSTRUCTIONS, m.input("a", 1));
    let error = elaborate(&m.finish()).expect_err("it belongs to the front end").to_string();
    assert!(error.contains("statistic `instructions` belongs to `front_end`, not to `other`"), "{error}");
}

/// Equal blocks are one module; a plain name is not the statistic that is called so.
#[test]
fn a_declaration_is_part_of_the_block() {
    let keeping = |declared: bool| {
        let m = Builder::new("front_end", params! {});
        let issued = m.input("issued", 1);
        match declared {
            true => m.count(rtl::core::front_end::INSTRUCTIONS, issued),
            false => m.count("instructions", issued),
        }
        m.finish()
    };
    assert_eq!(
        [false, true, false].map(|declared| keeping(declared).probes[0].statistic.is_some()),
        [false, true, false]
    );
}

/// Apache Arrow's library reads the same numbers: small ones, those of all bits, and any lengths of blocks and pages.
#[test]
fn tables_are_parquet() {
    let mut random = Rng::new(1);
    let folder = tempfile::tempdir().expect("a folder");
    for rows in [0usize, 1, 2, 32, 33, 34, 128, 129, 130, 160, 161, 257, 1000, (1 << 20) + 300] {
        let count = if rows > 1000 { 2 } else { 40 };
        let names: Vec<String> = (0..count).map(|column| format!("core{column}.name.of \"it\"")).collect();
        let columns: Vec<Vec<u64>> = (0..count)
            .map(|column| {
                let bits = column % 20 * 64 / 19;
                let mut number = || if bits == 0 { 0 } else { random.next_u64() >> (64 - bits) };
                // Some grow, others jump.
                let mut value = 0u64;
                let step = |_| {
                    value = if column % 2 == 0 { value.wrapping_add(number()) } else { number() };
                    value
                };
                (0..rows).map(step).collect()
            })
            .collect();
        let mut table = Table::new(names.clone());
        (0..rows).for_each(|row| table.push(columns.iter().map(|column| column[row])));
        assert_eq!(table.rows(), rows as u64);
        let file = folder.path().join(format!("{rows}.parquet"));
        std::fs::write(&file, table.file()).expect("written");
        let expected: Vec<_> = names.into_iter().zip(columns).collect();
        assert!(parquet_file::columns(&file) == expected, "{rows} rows");
        // So does our own reader.
        let stored = StoredTable::new(table.file()).expect("a table");
        let read = stored.names().map(String::from).enumerate();
        let read: Vec<_> = read.map(|(at, name)| (name, stored.column(at).expect("values"))).collect();
        assert!(stored.rows() == rows as u64 && read == expected, "{rows} rows");
    }
    // What does not change takes next to no room.
    let mut table = Table::new(["constant".to_string()]);
    (0..100_000).for_each(|_| table.push([7]));
    assert!(table.file().len() < 6_000, "{} bytes", table.file().len());
}

/// What is cut short or damaged is an error or other numbers, never a panic or a table without end.
#[test]
fn damaged_tables_are_refused() {
    let mut random = Rng::new(2);
    let mut table = Table::new(["a".to_string(), "b".to_string(), "c".to_string()]);
    (0..300).for_each(|row| table.push([row, random.next_u64() >> 40, 5]));
    let file = table.file();
    let read = |file: Vec<u8>| -> Result<Vec<Vec<u64>>, String> {
        let stored = StoredTable::new(file).map_err(|error| error.to_string())?;
        (0..stored.names().len()).map(|at| stored.column(at).map_err(|error| error.to_string())).collect()
    };
    assert_eq!(read(file.clone()).expect("whole").len(), 3);
    for length in 0..file.len() {
        let error = read(file[..length].to_vec()).expect_err("cut short");
        assert!(error.starts_with("it does not"), "{length}: {error}");
    }
    let mut refused = 0;
    for at in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << bit;
            match read(damaged) {
                Ok(columns) => assert!(columns.iter().all(|column| column.len() <= 300), "byte {at}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > file.len(), "{refused} of {} bits", 8 * file.len());
    // What others write: pages with a dictionary, compressed, of several row groups.
    for (was, becomes, said) in [(10, 16, "encoding"), (0, 2, "compressed")] {
        let found = (0..file.len()).filter_map(|at| {
            let mut other = file.clone();
            if other[at] == was {
                other[at] = becomes
            } else {
                return None;
            }
            read(other).err()
        });
        assert!(found.into_iter().any(|error| error.contains(said)), "{said}");
    }
}
