//! Waveform files, read back.

use crate::matrix::options;
use std::path::Path;
use warpmesh::{
    hdl::{Builder, Bundle, Module, bundle, concat, mux, params, values},
    netlist::elaborate,
    sim::{Moment, Simulator, ViewFormat, WaveFormat, WaveOptions, WaveView},
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
    sim.record_wave(WaveOptions {
        file: file.into(),
        format,
        select,
        start: Moment::default(),
        from,
        until,
        views: vec![],
    })
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
    assert_eq!(resets, [(1000, true), (2000, false)]);
    assert_eq!(counts, [(1000, 3), (3000, 5), (4000, 7), (5000, 9)]);
    assert_eq!(clocks.len(), 12);
    assert_eq!(clocks[..3], [(1000, true), (1500, false), (2000, true)]);
    assert_eq!(clocks[11], (6500, false));
}

#[test]
fn fst_holds_the_same_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("wave.fst");
    record(&file, WaveFormat::Fst, &["counter?.count"], 0, None);
    let read = read_fst(&file);
    let names: Vec<_> = read.signals.iter().map(|signal| signal.path.as_str()).collect();
    let expected = ["clock", "reset", "cycle", "counter0.count", "counter1.count", "counter2.count"];
    assert_eq!(names, expected.map(|n| format!("wave_top.{n}")));
    let values = read.values("wave_top.counter2.count");
    let expected = [(0, 0), (10, 3), (30, 6), (40, 9), (50, 12), (80, 15), (90, 18)];
    assert_eq!(values, expected.map(|(time, value)| (time * 100, value)));
    assert_eq!(read.values("wave_top.cycle"), (0..10).map(|cycle| (cycle * 1000, cycle)).collect::<Vec<_>>());
}

/// A signal of an FST file.
struct FstSignal {
    path: String,
    width: u32,
    /// Its position among all that differ.
    handle: usize,
    /// Position of the names of its values.
    names: Option<usize>,
}

/// Names of values, with their digits.
struct FstNames {
    kind: String,
    names: Vec<(String, String)>,
}

struct Fst {
    file: std::path::PathBuf,
    signals: Vec<FstSignal>,
    names: Vec<FstNames>,
}

fn open(file: &Path) -> fst_reader::FstReader<std::io::BufReader<std::fs::File>> {
    let input = std::io::BufReader::new(std::fs::File::open(file).expect("written"));
    fst_reader::FstReader::open(input).expect("an FST file")
}

fn read_fst(file: &Path) -> Fst {
    let mut read = Fst { file: file.into(), signals: vec![], names: vec![] };
    let (mut scope, mut of_next) = (vec![], None);
    let mut handles = vec![];
    open(file)
        .read_hierarchy(|entry| match entry {
            fst_reader::FstHierarchyEntry::Scope { name, .. } => scope.push(name),
            fst_reader::FstHierarchyEntry::UpScope => _ = scope.pop(),
            fst_reader::FstHierarchyEntry::Var { name, handle, length, .. } => {
                let path = format!("{}.{name}", scope.join("."));
                read.signals.push(FstSignal { path, width: length, handle: handle.get_index(), names: of_next.take() });
            }
            fst_reader::FstHierarchyEntry::EnumTable { name, handle, mapping } => {
                handles.push(handle);
                read.names.push(FstNames { kind: name, names: mapping });
            }
            fst_reader::FstHierarchyEntry::EnumTableRef { handle } => {
                of_next = handles.iter().position(|known| *known == handle);
                assert!(of_next.is_some(), "the table is there before");
            }
            _ => {}
        })
        .expect("a hierarchy");
    read
}

impl Fst {
    fn signal(&self, path: &str) -> &FstSignal {
        self.signals.iter().find(|signal| signal.path == path).unwrap_or_else(|| panic!("no signal `{path}`"))
    }

    /// Times and values up to 64 bits.
    fn values(&self, path: &str) -> Vec<(u64, u64)> {
        let mut values = vec![];
        let filter = fst_reader::FstFilter::filter_signals(vec![fst_reader::FstSignalHandle::from_index(
            self.signal(path).handle,
        )]);
        open(&self.file)
            .read_signals(&filter, |time, _, value| {
                if let fst_reader::FstSignalValue::String(bits) = value {
                    let number = bits.iter().fold(0u64, |n, &bit| n * 2 + u64::from(bit == b'1'));
                    values.push((time, number));
                }
                Ok::<(), std::io::Error>(())
            })
            .expect("values");
        values
    }

    /// Times and names of values.
    fn named(&self, path: &str) -> Vec<(u64, String)> {
        let signal = self.signal(path);
        let names = &self.names[signal.names.unwrap_or_else(|| panic!("values of `{path}` have no names"))].names;
        let digits = |value| format!("{value:0width$b}", width = signal.width as usize);
        let name =
            |value| names.iter().find(|(of, _)| *of == digits(value)).map_or("?".into(), |(_, name)| name.clone());
        self.values(path).into_iter().map(|(time, value)| (time, name(value))).collect()
    }
}

bundle! {
    /// Named values, and more than a word of the simulator.
    struct WavesInner(_p: &()) {
        color: 2 => waves_state::VALUES,
        wide: 66,
    }
}

values! {
    /// Of the machine, and colors.
    mod waves_state = "STATE" {
        IDLE = 0,
        BUSY = 1,
        DONE = 2,
    }
}

bundle! {
    /// Bundles in a bundle.
    struct WavesOuter(_p: &()) {
        before: 3,
        left: 68,
        right: 68,
        after: 1,
    }
}

/// A machine of three states, its state within a word as well, and a word of two equal bundles.
fn machine() -> Module {
    let m = Builder::new("machine", params! {});
    let state = m.register("state", 2, 0);
    m.name_values(state, waves_state::VALUES);
    m.set(state, mux(state.eq(waves_state::DONE), m.lit(2, 0), state + 1));
    let word = m.register("word", 140, 0);
    let count = word.bits(0, 3) + 1;
    let inner = concat(&[state, count.extend(66)]);
    m.set(word, concat(&[count, inner, (inner + 1).bits(0, 68), state.bit(0)]));
    let outer = WavesOuter::unpack(word, &());
    let (left, right) = (WavesInner::unpack(outer.left, &()), WavesInner::unpack(outer.right, &()));
    m.output_of("seen", left.wide ^ right.wide ^ outer.before.extend(66));
    m.output_of("colors", left.color & right.color & outer.after.extend(2));
    m.output_of("word_after", outer.after);
    // It has the name of the signal that counts cycles, which is left out.
    m.output_of("cycle", state);
    m.finish()
}

/// Fields are signals, under names of their own each; values have their names in the file.
#[test]
fn fields_and_names_of_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("wave.fst");
    let design = elaborate(&machine()).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"));
    let start = Moment::default();
    let wave = WaveOptions {
        file: file.clone(),
        format: WaveFormat::Fst,
        select: vec![],
        start,
        from: 0,
        until: None,
        views: vec![],
    };
    sim.record_wave(wave).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(1);
    let mut words = vec![];
    for _ in 0..9 {
        words.push(sim.peek_net("word").unwrap_or_else(|e| panic!("{e}")));
        sim.step().unwrap_or_else(|e| panic!("{e}"));
    }
    sim.finish_waves().unwrap_or_else(|e| panic!("{e}"));
    let read = read_fst(&file);
    let of_word =
        read.signals.iter().filter_map(|signal| Some((signal.path.strip_prefix("machine.word_")?, signal.width)));
    let expected = [
        ("before", 3),
        ("left", 68),
        ("right", 68),
        // A net has the name `word_after`.
        ("left_color", 2),
        ("left_wide", 66),
        ("right_color", 2),
        ("right_wide", 66),
        ("after", 1),
    ];
    assert_eq!(of_word.collect::<Vec<_>>(), expected);
    // The changes of a field are those of its bits.
    let parts = [("before", 137, 3), ("left_color", 135, 2), ("right_color", 67, 2)];
    for (name, lo, width) in parts {
        let mut expected: Vec<(u64, u64)> = vec![(0, 0)];
        for (at, word) in words.iter().enumerate() {
            let value = (0..width).map(|bit| u64::from(word.bit(lo + bit)) << bit).sum();
            if expected.last().is_none_or(|(_, last)| *last != value) {
                expected.push((1000 * (at as u64 + 1), value));
            }
        }
        assert!(expected.len() > 3);
        assert_eq!(read.values(&format!("machine.word_{name}")), expected, "{name}");
    }
    let of_cycle: Vec<_> = read.signals.iter().filter(|signal| signal.path == "machine.cycle").collect();
    assert_eq!(of_cycle.iter().map(|signal| signal.width).collect::<Vec<_>>(), [2]);
    assert_eq!(read.names.iter().map(|names| names.kind.as_str()).collect::<Vec<_>>(), ["STATE"]);
    let first = |path: &str| read.named(path).into_iter().take(4).collect::<Vec<_>>();
    let named =
        |times: [u64; 4]| times.into_iter().zip(["IDLE", "BUSY", "DONE", "IDLE"].map(String::from)).collect::<Vec<_>>();
    assert_eq!(first("machine.state"), named([0, 2000, 3000, 4000]));
    assert_eq!(first("machine.word_left_color"), named([0, 3000, 4000, 5000]));
    assert!(read.signal("machine.word_right_color").names.is_some() && read.signal("machine.word").names.is_none());
}

/// What viewers show of all of a design, of an instance, and of single signals.
#[test]
fn views_of_a_waveform() {
    let m = Builder::new("two_machines", params! {});
    let inner = {
        let m = Builder::new("around", params! {});
        m.output_of("colors", m.instance("machine", &machine()).get("colors"));
        m.finish()
    };
    for (name, module) in [("plain", machine()), ("inside", inner)] {
        m.output_of(format!("colors_of_{name}"), m.instance(name, &module).get("colors"));
    }
    let design = elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut shown = String::new();
    let whole_and_part = ["inside", "inside.machine"];
    for select in
        [&[][..], &["inside"], &whole_and_part, &["plain.word", "inside.machine.state"], &["colors_of_plain", "plain"]]
    {
        let mut sim = Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"));
        let file = |name: &str| folder.path().join(name);
        let view = |name: &str, format| WaveView { file: file(name), format };
        sim.record_wave(WaveOptions {
            file: file("x.fst"),
            format: WaveFormat::Fst,
            select: select.iter().map(ToString::to_string).collect(),
            start: Moment::default(),
            from: 2 * u64::from(select.len() == 1),
            until: None,
            views: vec![view("x.gtkw", ViewFormat::Gtkwave), view("x.sucl", ViewFormat::Surfer)],
        })
        .unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..3 {
            sim.step().unwrap_or_else(|e| panic!("{e}"));
        }
        assert!(!file("x.gtkw").exists());
        sim.finish_waves().unwrap_or_else(|e| panic!("{e}"));
        let read = read_fst(&file("x.fst"));
        for name in ["x.gtkw", "x.sucl"] {
            let text = std::fs::read_to_string(file(name)).expect("written");
            let text = text.replace(&folder.path().display().to_string(), "FOLDER");
            shown.push_str(&format!("== {name} {select:?}\n{text}"));
            std::fs::remove_file(file(name)).expect("it is there");
            // Every signal of the view is in the file.
            let last = |line: &'_ str| line.split(' ').next_back().map(str::to_string);
            for name in text.lines().filter_map(last).filter(|name| name.starts_with("two_machines.")) {
                let path = name.split('[').next().unwrap_or_default();
                assert!(read.signals.iter().any(|signal| signal.path == path), "{path}");
            }
        }
    }
    insta::assert_snapshot!(shown);
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
        views: vec![],
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
