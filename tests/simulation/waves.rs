//! Waveform files, read back.

use crate::matrix::options;
use std::path::Path;
use warpmesh::{
    hdl::{Builder, Module, mux, params},
    netlist::elaborate,
    sim::{Moment, Simulator, WaveFormat, WaveOptions},
};

fn counters() -> Module {
    let counter = {
        let m = Builder::new("wave_counter", params! {});
        let count = m.register("count", 70, 3);
        m.set(count, count + m.input("step", 70));
        m.output_of("odd", count.bit(0));
        m.output_of("value", count);
        m.finish()
    };
    let m = Builder::new("wave_top", params! {});
    let step = m.input("step", 1);
    let mut sum = m.lit(70, 0);
    for i in 0..3u64 {
        let child = m.instance(format!("counter{i}"), &counter);
        child.drive("step", mux(step, m.lit(70, i + 1), m.lit(70, 0)));
        sum = sum + child.get("value");
    }
    m.output_of("sum", sum);
    m.finish()
}

/// Reset (2 edges), then 8 edges; `step` is high except in cycles 5 and 6.
fn record(file: &Path, format: WaveFormat, select: &[&str], from: u64, until: Option<u64>) {
    let design = elaborate(&counters()).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"));
    let select = select.iter().map(|s| s.to_string()).collect();
    sim.record_wave(WaveOptions { file: file.into(), format, select, start: Moment::default(), from, until })
        .unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    for _ in 0..8 {
        sim.poke("step", u64::from(![5, 6].contains(&sim.cycle())));
        sim.step().unwrap_or_else(|e| panic!("{e}"));
    }
    sim.finish_waves().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn vcd_shows_the_selected_part_and_window() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("wave.vcd");
    record(&file, WaveFormat::Vcd, &["counter1.count"], 1, Some(7));
    let text = std::fs::read_to_string(&file).expect("written");
    assert!(text.contains("$scope module counter1 $end"), "{text}");
    assert!(!text.contains("counter2"), "{text}");
    let mut parser = vcd::Parser::new(text.as_bytes());
    let header = parser.parse_header().expect("a header");
    let count = header.find_var(&["wave_top", "counter1", "count"]).expect("selected").code;
    let reset = header.find_var(&["wave_top", "reset"]).expect("always there").code;
    let clock = header.find_var(&["wave_top", "clock"]).expect("always there").code;
    let (mut time, mut counts, mut resets, mut clocks) = (0, vec![], vec![], vec![]);
    for command in parser {
        match command.expect("well-formed") {
            vcd::Command::Timestamp(t) => time = t,
            vcd::Command::ChangeVector(id, bits) if id == count => {
                let value = bits.iter().fold(0u64, |n, bit| n * 2 + u64::from(bit == vcd::Value::V1));
                counts.push((time, value));
            }
            vcd::Command::ChangeScalar(id, bit) if id == reset => resets.push((time, bit == vcd::Value::V1)),
            vcd::Command::ChangeScalar(id, bit) if id == clock => clocks.push((time, bit == vcd::Value::V1)),
            _ => {}
        }
    }
    assert_eq!(resets, [(10, true), (20, false)]);
    assert_eq!(counts, [(10, 3), (30, 5), (40, 7), (50, 9)]);
    assert_eq!(clocks.len(), 12);
    assert_eq!(clocks[..3], [(10, true), (15, false), (20, true)]);
}

#[test]
fn fst_holds_the_same_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("wave.fst");
    record(&file, WaveFormat::Fst, &["counter?.count"], 0, None);
    let input = std::io::BufReader::new(std::fs::File::open(&file).expect("written"));
    let mut reader = fst_reader::FstReader::open(input).expect("an FST file");
    let mut handle = None;
    let (mut scope, mut names) = (vec![], vec![]);
    reader
        .read_hierarchy(|entry| match entry {
            fst_reader::FstHierarchyEntry::Scope { name, .. } => scope.push(name),
            fst_reader::FstHierarchyEntry::UpScope => _ = scope.pop(),
            fst_reader::FstHierarchyEntry::Var { name, handle: id, .. } => {
                let path = format!("{}.{name}", scope.join("."));
                if path == "wave_top.counter2.count" {
                    handle = Some(id);
                }
                names.push(path);
            }
            _ => {}
        })
        .expect("a hierarchy");
    let expected =
        ["clock", "reset", "counter0.count", "counter1.count", "counter2.count"].map(|n| format!("wave_top.{n}"));
    assert_eq!(names, expected);
    let mut values = vec![];
    let filter = fst_reader::FstFilter::filter_signals(vec![handle.expect("counter2 is there")]);
    reader
        .read_signals(&filter, |time, _, value| {
            if let fst_reader::FstSignalValue::String(bits) = value {
                let number = bits.iter().fold(0u64, |n, &bit| n * 2 + u64::from(bit == b'1'));
                values.push((time, number));
            }
            Ok::<(), std::io::Error>(())
        })
        .expect("values");
    assert_eq!(values, [(0, 0), (10, 3), (30, 6), (40, 9), (50, 12), (80, 15), (90, 18)]);
}

#[test]
fn a_selection_that_matches_nothing_is_an_error() {
    let design = elaborate(&counters()).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"));
    let wave = |file: &str, select: &str| WaveOptions {
        file: file.into(),
        format: WaveFormat::Vcd,
        select: vec![select.into()],
        start: Moment::default(),
        from: 0,
        until: None,
    };
    let text = sim.record_wave(wave("unused.vcd", "conter1.count")).expect_err("misspelt").to_string();
    assert!(text.contains("`conter1.count`; did you mean `counter1`"), "{text}");
    let text = sim.record_wave(wave("/no/such/folder/x.vcd", "counter1")).expect_err("no folder").to_string();
    assert!(text.starts_with("waveform `/no/such/folder/x.vcd`"), "{text}");
}

#[test]
fn an_empty_window_gives_a_readable_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, format) in [("wave.fst", WaveFormat::Fst), ("wave.vcd", WaveFormat::Vcd)] {
        let file = folder.path().join(name);
        record(&file, format, &[], 100, None);
        assert!(std::fs::metadata(&file).expect("written").len() > 50);
    }
}
