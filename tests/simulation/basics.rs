//! Simulation from the outside: what a block described with the builder does, cycle by cycle.

use crate::matrix::options;
use warpmesh::{
    chip,
    hdl::{Bits, Builder, Intrinsic, Module, ProbeKind, mux, params, taps},
    netlist::elaborate,
    open_loop::{OpenLoopParams, Pattern, Traffic, open_loop, traffic::memory},
    sim::{Engine, Explanation, Options, OutputHandle, SimError, Simulator},
};

fn simulate(module: &Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"))
}

fn counter(width: u32) -> Module {
    let m = Builder::new("counter", params! { width });
    let enable = m.input("enable", 1);
    let count = m.register("count", width, 5);
    m.when(enable, || m.set(count, count + 1));
    m.output_of("value", count);
    m.output_of("next", mux(enable, count + 1, count));
    m.count("enabled", enable);
    m.sum("total", enable, count);
    m.histogram("values", enable, count);
    m.always("the count stays below twelve", count.lt(12));
    m.finish()
}

#[test]
fn a_counter_counts_resets_and_records() {
    let mut sim = simulate(&counter(8));
    assert_eq!(sim.peek("value"), 0, "power-on is zero");
    sim.reset(2);
    assert_eq!((sim.peek("value"), sim.cycle()), (5, 2));
    sim.poke("enable", 1);
    assert_eq!(sim.peek("next"), 6, "combinational outputs follow pokes without a clock edge");
    sim.step().expect("no assertion fails");
    sim.poke("enable", 0);
    assert_eq!(sim.peek("next"), 6);
    sim.step().expect("no assertion fails");
    sim.poke("enable", 1);
    sim.step().expect("no assertion fails");
    assert_eq!(sim.peek_path("count"), Some(Bits::new(8, 7)));
    let probes = sim.probes();
    let seen: Vec<_> = probes.iter().map(|p| (p.name.as_str(), p.kind, p.count, p.sum)).collect();
    assert_eq!(
        seen,
        [
            ("enabled", ProbeKind::Count, 2, 0),
            ("total", ProbeKind::Sum, 2, 11),
            ("values", ProbeKind::Histogram, 2, 11)
        ]
    );
    assert_eq!(probes[2].histogram, [(5, 1), (6, 1)].into());
}

#[test]
fn a_failed_assertion_names_cycle_path_and_message() {
    let m = Builder::new("around", params! {});
    let inner = m.instance("inner", &counter(4));
    inner.drive("enable", 1);
    m.output_of("value", inner.get("value"));
    let mut sim = simulate(&m.finish());
    sim.reset(1);
    let error = (0..20).find_map(|_| sim.step().err()).expect("12 is reached");
    let SimError::Assertion { cycle, clock: None, path, message, source_line } = &error else { panic!("{error}") };
    assert_eq!((*cycle, path.as_str(), message.as_str()), (8, "around.inner", "the count stays below twelve"));
    assert_eq!(source_line.file, "tests/simulation/basics.rs");
    assert_eq!(sim.peek("value"), 12, "the edge did not happen");
}

taps! {
    "leaf" {
        /// Its registers.
        VALUES,
    }
}

/// Tile by tile, and in it one instance after the other, or only those in a block of some kind; tiles without any are
/// left out.
#[test]
fn taps_are_found_wherever_their_blocks_are() {
    let leaf = |first: u64| {
        let m = Builder::new("leaf", params! { first });
        for (i, value) in [first, first + 1].into_iter().enumerate() {
            let register = m.register(("register", i), 8, value);
            m.tap(VALUES, register);
            m.output_of(("value", i), register);
        }
        m.finish()
    };
    let tile = |first: u64| {
        let m = Builder::new("tile", params! { first });
        let shell = Builder::new("shell", params! { first });
        shell.output_of("value", shell.instance("inside", &leaf(first + 10)).get("value0"));
        m.output_of("a", m.instance("shell", &shell.finish()).get("value"));
        m.output_of("b", m.instance("leaf", &leaf(first)).get("value0"));
        m.finish()
    };
    let other = Builder::new("other", params! {});
    other.output_of("value", other.register("value_now", 8, 5));
    let m = Builder::new("top", params! {});
    for (name, module) in [("one", tile(20)), ("other", other.finish()), ("two", tile(40))] {
        m.tile(name, &module);
    }
    let mut sim = simulate(&m.finish());
    sim.reset(1);
    let (all, inside) = (sim.taps([VALUES]), sim.taps_inside("shell", [VALUES]));
    let mut values = |found: Vec<Vec<[OutputHandle; 1]>>| -> Vec<Vec<u64>> {
        found.into_iter().map(|nets| nets.into_iter().map(|[net]| sim.peek_at(net)).collect()).collect()
    };
    assert_eq!(values(all), [[30, 31, 20, 21], [50, 51, 40, 41]]);
    assert_eq!(values(inside), [[30, 31], [50, 51]]);
}

#[test]
fn unknown_names_are_errors_with_candidates() {
    let mut sim = simulate(&counter(8));
    let text = sim.input("enabel").expect_err("misspelt").to_string();
    assert_eq!(text, "no input port `enabel`; did you mean `enable`?");
    let text = sim.output("valeu").expect_err("misspelt").to_string();
    assert_eq!(text, "no output port `valeu`; did you mean `value`?");
    let text = sim.peek_net("counter.conut").expect_err("misspelt").to_string();
    assert!(text.contains("`count`"), "{text}");
    assert_eq!(sim.peek_path("nothing.at.all"), None);
}

/// An intrinsic that is wrong for one operand.
extern "C" fn lying_intrinsic(inputs: *const u64, outputs: *mut u64) {
    // SAFETY: the simulator passes one word per port.
    unsafe {
        let a = *inputs;
        *outputs = if a == 9 { 0 } else { !a & 0xff };
    }
}

fn inverter_with_intrinsic() -> Module {
    let m = Builder::new("inverter_with_intrinsic", params! {});
    m.output_of("y", !m.input("a", 8));
    m.intrinsic(Intrinsic { name: "lying", call: lying_intrinsic });
    let inverter = m.finish();
    let m = Builder::new("uses_intrinsic", params! {});
    let inner = m.instance("inner", &inverter);
    inner.drive("a", m.input("a", 8));
    m.output_of("y", inner.get("y"));
    m.output_of("kept", m.delayed("kept_value", inner.get("y")));
    m.finish()
}

#[test]
fn validation_finds_the_first_difference() {
    let design = elaborate(&inverter_with_intrinsic()).unwrap_or_else(|e| panic!("{e}"));
    // The first engine calls the intrinsic, the one beside does not, so that an engine can be compared with itself.
    for (engine, beside, names) in [
        (Engine::Auto, Engine::Interpreter, ["word", "interpreter"]),
        (Engine::Word, Engine::Word, ["word", "word"]),
        (Engine::Interpreter, Engine::Auto, ["interpreter", "word"]),
        (Engine::Interpreter, Engine::Interpreter, ["interpreter", "interpreter"]),
    ] {
        let options = Options { engine, validate: Some(beside), ..Options::default() };
        let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(sim.engine().name(), names[0]);
        sim.poke("a", 8);
        sim.step().expect("the intrinsic is right here");
        let kept = sim.save();
        for again in [false, true] {
            if again {
                sim.restore(&kept).expect("of this design");
            }
            sim.poke("a", 9);
            let text = sim.step().expect_err("the intrinsic is wrong here").to_string();
            assert_eq!(
                text,
                format!("cycle 1: uses_intrinsic.kept_value (next): {} 8'h00, {} 8'hf6", names[0], names[1])
            );
        }
        let options = Options { intrinsics: false, ..options };
        let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
        sim.poke("a", 9);
        sim.step().expect("without intrinsics there is no difference");
    }
}

#[test]
fn intrinsics_can_be_turned_off() {
    let design = elaborate(&inverter_with_intrinsic()).unwrap_or_else(|e| panic!("{e}"));
    for engine in [Engine::Interpreter, Engine::Word] {
        for (intrinsics, result) in [(true, 0), (false, 0xf6)] {
            let options = Options { engine, intrinsics, ..Options::default() };
            let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
            sim.poke("a", 9);
            assert_eq!(sim.peek("y"), result, "{options:?}");
        }
    }
}

/// Overlapping conditions, a switch inside, and slices: a later assignment wins, an unassigned path holds.
fn priorities() -> Module {
    let m = Builder::new("priorities", params! {});
    let (a, b, state) = (m.input("a", 1), m.input("b", 1), m.input("state", 2));
    let wire = m.wire_later("wire", 8);
    m.assign(wire, 1);
    m.when(a, || m.assign(wire, 2)).otherwise(|| m.assign(wire, 3));
    m.when(b, || {
        m.switch(state, |case| {
            case.is(0, || m.assign(wire, 4));
            case.is(2, || m.when(a, || m.assign(wire, 5)).otherwise(|| ()));
            case.default(|| m.assign(wire, 6));
        });
    });
    m.output_of("y", wire);
    let register = m.register("register", 8, 0xa5);
    m.when(a, || m.set(register, wire));
    m.when(b, || m.set(register.bits(2, 3), state.extend(3)));
    m.output_of("kept", register);
    m.finish()
}

#[test]
fn later_assignments_win_and_unassigned_paths_hold() {
    for engine in [Engine::Interpreter, Engine::Word] {
        let design = elaborate(&priorities()).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { engine, validate: Some(Engine::Interpreter), ..Options::default() };
        let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
        sim.reset(1);
        let mut kept = 0xa5;
        for case in (0..16u64).chain((0..16).rev()) {
            let (a, b, state) = (case & 1, case >> 1 & 1, case >> 2);
            sim.poke("a", a);
            sim.poke("b", b);
            sim.poke("state", state);
            let outer = if a == 1 { 2 } else { 3 };
            let y = match (b, state) {
                (0, _) => outer,
                (_, 0) => 4,
                (_, 2) => [outer, 5][a as usize],
                _ => 6,
            };
            assert_eq!(sim.peek("y"), y, "a {a}, b {b}, state {state}");
            assert_eq!(sim.peek("kept"), kept, "{engine:?}, a {a}, b {b}, state {state}");
            sim.step().expect("the engines agree");
            kept = if a == 1 { y } else { kept };
            kept = if b == 1 { kept & !0b11100 | state << 2 } else { kept };
        }
        sim.reset(1);
        assert_eq!(sim.peek("kept"), 0xa5);
    }
}

#[test]
fn compilation_reports_its_figures() {
    let design = elaborate(&inverter_with_intrinsic()).unwrap_or_else(|e| panic!("{e}"));
    let sim =
        Simulator::new(&design, &Options { intrinsics: false, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let figures = sim.figures().expect("the word engine has some");
    let counts: Vec<_> = figures.modules.iter().map(|m| (m.module.as_str(), m.instances)).collect();
    assert_eq!(counts, [("inverter_with_intrinsic", 1), ("uses_intrinsic", 1)]);
    assert!(figures.code_bytes() > 20 && !figures.compile_time.is_zero());
}

/// Two kinds of tiles, of which one holds a block that it has in common with the top.
fn tiled() -> Module {
    let block = Builder::new("block", params! {});
    let a = block.input("a", 8);
    let mut y = a;
    for i in 0..30 {
        y = block.wire(format!("step{i}"), (y + i) ^ a);
    }
    block.output_of("y", y);
    let block = block.finish();
    let tile = |kind: &str, inside: bool| {
        let m = Builder::new(kind, params! {});
        let a = m.input("a", 8);
        let value = match inside {
            true => {
                let child = m.instance("block", &block);
                child.drive("a", a);
                child.get("y")
            }
            false => a,
        };
        m.output_of("y", m.delayed("kept", value));
        m.finish()
    };
    let (first, second) = (tile("first", true), tile("second", false));
    let m = Builder::new("tiled", params! {});
    let mut a = m.input("a", 8);
    for (i, kind) in [&first, &second, &first].into_iter().enumerate() {
        let tile = m.tile(format!("tile{i}"), kind);
        tile.drive("a", a);
        a = tile.get("y");
    }
    let child = m.instance("block", &block);
    child.drive("a", a);
    m.output_of("y", child.get("y"));
    m.finish()
}

/// Links of a crossbar hand on flits: bits would cost a border to the router and to all interfaces.
#[test]
fn links_and_what_is_beside_them_are_not_sliced() {
    let keys = ["network.topology=crossbar", "network.channel_bytes=32", "network.vcs=2"].map(String::from);
    let chip = chip::load(None, &keys).unwrap_or_else(|e| panic!("{e}"));
    let design = elaborate(&chip::build(&chip).expect("a network")).unwrap_or_else(|e| panic!("{e}"));
    let sim = Simulator::new(&design, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let groups = sim.explain();
    let links: u32 = groups.iter().filter(|group| group.kind == "link").map(|group| group.instances as u32).sum();
    let sliced: Vec<_> = groups.iter().filter(|group| group.engine == Engine::Sliced).map(|g| &g.kind).collect();
    assert!(links >= 24 && sliced.is_empty(), "{links} links, sliced: {sliced:?}");
}

/// Two counters of four bits, of which the second waits for `go`, and a memory that takes each count of the first.
#[test]
fn what_changes_is_counted() {
    // Of operators and aliases edges 1 and 12 of 17 are looked at, or all.
    what_changes_is_counted_at(11, [2 * 17 / 2, 2 * 3 * 17 / 2, 2 * 3 * 17 / 2, 60]);
    what_changes_is_counted_at(1, [60, 60, 60, 60]);
}

/// `of_nets`: bits of the output, which is an alias of the register, of the sum and the choice of it, which are operators,
/// and of the register. Before edge 12 the count goes from 10 to 11 and the sum from 11 to 12.
fn what_changes_is_counted_at(period: u64, of_nets: [u64; 4]) {
    let counter = |kind: &str, waits: bool| {
        let m = Builder::new(kind, params! {});
        let (count, go) = (m.register("count", 4, 0), m.input("go", 1));
        let enable = if waits { go } else { m.lit(1, 1) };
        m.when(enable, || m.set(count, count + 1));
        let last = m.memory("last", 2, 4);
        m.when(enable, || last.write(m.lit(1, 0), count));
        m.output_of("now", count);
        m.finish()
    };
    let (free, waiting) = (counter("free", false), counter("waiting", true));
    let m = Builder::new("both", params! {});
    for (name, child) in [("left", &free), ("middle", &free), ("right", &waiting)] {
        let child = m.tile(name, child);
        child.drive("go", m.input((name, "go"), 1));
        m.output_of((name, "shown"), child.get("now"));
    }
    let options = Options { activity: true, ..Options::default() };
    let design = elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(1);
    sim.start_activity(period);
    (0..17).for_each(|_| sim.step().expect("no claim is broken"));
    let activity = sim.finish_activity().expect("it was started");
    assert_eq!(activity.edges, 17);
    let tile = |kind: &str| activity.tiles.iter().find(|tile| tile.kind == kind).expect("a kind of tile");
    let (free, waiting) = (tile("free"), tile("waiting"));
    // Before the first edge nothing has changed yet; 16 counts change 30 bits of a register, and what is wired to it.
    let counts = free.counts;
    assert_eq!((counts.instances, counts.changed_registers, counts.active, counts.memory_writes), (2, 32, 32, 34));
    assert_eq!(free.registers, [("free.count".into(), 32)]);
    assert_eq!(counts.changed_bits, 2 * 30, "{counts:?}");
    assert_eq!(counts.any, [(0, 0); 3], "two instances are no group of 16");
    let [block] = &free.blocks[..] else { panic!("a block: {:?}", free.blocks) };
    let mut changed: Vec<u64> = block.nets.iter().map(|&(_, _, bits)| bits).collect();
    changed.sort_unstable();
    assert_eq!(changed, of_nets, "{:?}", block.nets);
    assert_eq!(block.writes.iter().map(|&(_, port, count)| (port, count)).collect::<Vec<_>>(), [(0, 34)]);
    let counts = waiting.counts;
    assert_eq!((counts.changed_nets, counts.active, counts.memory_writes), (0, 0, 0));
}

/// A border between engines amid the routers of a mesh costs more than vectors gain for those of equal shape. Where the
/// cores fill more than one vector, that holds for a border between them and the network, too.
#[test]
fn all_routers_of_a_network_are_in_one_engine() {
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        hot_share: 0.2,
        transactions: memory(0.7, 4),
        service: 0,
        matrix: None,
        burst: None,
    };
    for name in ["baseline-tb-dor", "torus"] {
        let chip = chip::load(Some(name.as_ref()), &[]).unwrap_or_else(|e| panic!("{e}"));
        let alone = OpenLoopParams::new(chip.fabric().params(), &traffic).unwrap_or_else(|e| panic!("{e}"));
        let alone = open_loop(&alone).unwrap_or_else(|e| panic!("{e}"));
        let whole = chip::build(&chip).expect("a network");
        for (module, expected) in [(alone, Engine::Sliced), (whole, Engine::Vector)] {
            let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
            let sim = Simulator::new(&design, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
            let routers = sim.explain().into_iter().filter(|group| group.kind == "router");
            let routers: Vec<(usize, Engine)> = routers.map(|group| (group.instances, group.engine)).collect();
            let fits = |&(_, engine): &(usize, Engine)| engine == expected;
            assert!(!routers.is_empty() && routers.iter().all(fits), "{name}: {routers:?}");
        }
    }
}

#[test]
fn what_simulates_which_tiles_is_told() {
    let design = elaborate(&tiled()).unwrap_or_else(|e| panic!("{e}"));
    for engine in Engine::ALL {
        let sim = Simulator::new(&design, &Options { engine, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
        let groups = sim.explain();
        let names: Vec<_> = groups.iter().map(|g| (g.kind.as_str(), g.instances, g.top)).collect();
        assert_eq!(names, [("first", 2, false), ("second", 1, false), ("tiled", 1, true)]);
        let apart = [Engine::Sliced, Engine::Vector].contains(&sim.engine());
        let told = |group: &Explanation| match sim.engine() {
            _ if group.top && apart => Engine::Word,
            Engine::Vector if group.instances == 1 => Engine::Word,
            engine => engine,
        };
        assert!(groups.iter().all(|group| group.engine == told(group) && !group.reason.is_empty()));
        let Some(figures) = sim.figures() else {
            assert!(groups.iter().all(|group| group.functions == 0 && group.code_bytes == 0));
            continue;
        };
        let own = |kind: &str| {
            let module = figures.modules.iter().find(|m| m.module == kind).expect("a module of the design");
            (module.functions, module.code_bytes)
        };
        let (block, first, second, top) = (own("block"), own("first"), own("second"), own("tiled"));
        // Only what words are computed for has code over words.
        let word = !apart;
        assert!(block.1 > 0 && (first.1 > 0) == word && (second.1 > 0) == (sim.engine() != Engine::Sliced));
        let told: Vec<_> = groups.iter().map(|group| (group.functions, group.code_bytes)).collect();
        let with_block = |own: (usize, usize)| (own.0 + block.0, own.1 + block.1);
        assert_eq!(told, [if word { with_block(first) } else { with_block((0, 0)) }, second, with_block(top)]);
    }
}
