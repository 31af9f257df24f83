//! Activity gates: what stands still is not computed, and nobody can tell.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};
use warpmesh::{
    hdl::{Bits, Builder, Intrinsic, Module, Signal, mux, params},
    netlist::{Design, elaborate},
    sim::{Engine, Options, Pass, Passes, Simulator},
    verilog::lockstep::Rng,
};

static CALLS: AtomicUsize = AtomicUsize::new(0);
/// One test at a time, as calls are counted.
static TURN: Mutex<()> = Mutex::new(());

extern "C" fn counted_add_3(inputs: *const u64, outputs: *mut u64) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the simulator passes one word per port.
    unsafe { *outputs = (*inputs + 3) & 0xffff }
}

/// `a + 3`, with an intrinsic that counts its calls.
fn add_3() -> Module {
    let m = Builder::new("add_3", params! {});
    m.output_of("y", m.input("a", 16) + 3);
    m.intrinsic(Intrinsic { name: "counted_add_3", call: counted_add_3 });
    m.finish()
}

/// `x * 3 + 7` after many steps, so that blocks are too large to be inlined for their size.
fn long_way<'m>(x: Signal<'m>) -> Signal<'m> {
    (0..16u64).fold(x * 3 + 7, |sum, i| sum + (i + 1) - i - 1)
}

/// Keeps tokens; most of it rests unless one comes. A memory with two ports, an output that needs no input, one that is
/// nothing but an input, every kind of probe, and a claim.
fn station() -> Module {
    let m = Builder::new("station", params! {});
    let (go, token, look) = (m.input("go", 1), m.input("token", 70), m.input("look", 3));
    let place = m.register("place", 3, 0);
    let kept = m.register("kept", 16, 0);
    let memory = m.memory("tokens", 8, 70);
    m.when(go, || {
        m.set(place, place + 1);
        m.set(kept, token.bits(0, 16));
        memory.write(place, token);
    });
    let sum = m.instance("sum", &add_3());
    sum.drive("a", kept);
    let far = m.wire("far", long_way(sum.get("y")));
    // Writes as long as it stands, without a register that changes.
    let stubborn = m.register("stubborn", 1, 0);
    m.when(go, || m.set(stubborn, token.bit(5)));
    m.when(stubborn, || memory.write_masked(place + 1, far.extend(70), look.bits(0, 2)));
    let seen = m.wire("seen", memory.read(look));
    m.output_of("early", long_way(kept ^ 0x55));
    m.output_of("same", token);
    m.output_of("late", mux(go, far, seen.bits(2, 16)));
    m.output_of("filled", place);
    m.count("tokens", go);
    m.sum("far", stubborn, far);
    m.histogram("places", seen.bit(0), place);
    m.histogram("low", seen.bit(1), seen.bits(0, 10));
    m.always("a token is not 77", !go | !token.eq(77));
    m.finish()
}

/// Two stations, the second fed by what the first shows early, and the first by what the second shows late.
fn pair() -> Module {
    let m = Builder::new("pair", params! {});
    let (go, token, look) = (m.input("go", 1), m.input("token", 70), m.input("look", 3));
    let [first, second] = ["first", "second"].map(|name| m.instance(name, &station()));
    first.drive("go", go);
    first.drive("token", token);
    first.drive("look", look ^ second.get("early").bits(0, 3));
    second.drive("go", m.delayed("go_before", go));
    let early = first.get("early");
    second.drive("token", mux(look.bit(2), early.extend(70), first.get("same") ^ 8));
    second.drive("look", first.get("late").bits(1, 3));
    m.output_of("result", first.get("late") ^ second.get("late"));
    m.output_of("early", early);
    m.output_of("places", first.get("filled") + second.get("filled"));
    m.finish()
}

/// Tiles in a row; `busy`: something in each changes all the time.
fn row(busy: bool) -> Design {
    let tile = {
        let m = Builder::new("tile", params! { busy });
        let (go, token, look) = (m.input("go", 1), m.input("token", 70), m.input("look", 3));
        if busy {
            let count = m.register("count", 16, 0);
            m.set(count, long_way(count));
            m.count("odd", count.bit(0));
        }
        let pair = m.instance("pair", &pair());
        pair.drive("go", go);
        pair.drive("token", token);
        pair.drive("look", look);
        m.output_of("go_on", m.delayed("go_before", go & !pair.get("places").bit(2)));
        m.output_of("next", m.delayed("next_value", pair.get("result").extend(70) ^ token));
        m.output_of("shown", m.delayed("early_value", pair.get("early").bits(0, 3)));
        m.finish()
    };
    let m = Builder::new("row", params! { busy });
    let (mut go, mut token, mut look) = (m.input("go", 1), m.input("token", 70), m.input("look", 3));
    for i in 0..4 {
        let tile = m.tile(format!("tile{i}"), &tile);
        tile.drive("go", go);
        tile.drive("token", token);
        tile.drive("look", look);
        (go, token, look) = (tile.get("go_on"), tile.get("next"), tile.get("shown"));
    }
    m.output_of("y", token ^ go.extend(70) ^ look.extend(70));
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

fn start(design: &Design, options: Options) -> Simulator {
    let mut sim = Simulator::new(design, &options).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

/// Whatever is done to a design in which little happens, it shows in every bit.
#[test]
fn gates_are_exact() {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for busy in [false, true] {
        let design = row(busy);
        let word = Options { engine: Engine::Word, ..Options::default() };
        let mut sims = [
            Options { engine: Engine::Interpreter, ..word },
            Options { threads: 1, ..word },
            Options { threads: 2, ..word },
            Options { threads: 1, intrinsics: false, ..word },
            Options { threads: 1, passes: Passes::NONE.with(Pass::Gates), ..word },
            Options { threads: 1, passes: Passes::ALL.without(Pass::Gates), ..word },
        ]
        .map(|options| start(&design, options));
        let mut random = Rng::new(7 + u64::from(busy));
        let mut saved = None;
        for cycle in 0..4_000 {
            let (action, value) = (random.below(160), random.below(60) + 3);
            let (tile, station) = (value % 4, ["first", "second"][value as usize / 4 % 2]);
            for sim in &mut sims {
                match action {
                    0..=9 => sim.poke("go", 1),
                    10..=12 => sim.poke("look", value),
                    13..=17 => sim.poke_bits("token", &Bits::from_words(70, &[value << 50 | value, value % 4])),
                    18 => sim.reset(1 + value % 3),
                    19 => {
                        let path = format!("tile{tile}.pair.{station}.tokens");
                        sim.write_memory_word(&path, value as usize % 8, &Bits::new(70, value)).expect("a memory");
                    }
                    20..=22 => {
                        // Evaluations that are taken back.
                        sim.peek_net(&format!("tile{tile}.pair.{station}.seen")).expect("a net");
                        sim.poke("look", value);
                        sim.peek("y");
                        sim.poke("look", value / 4);
                    }
                    23 => {
                        sim.poke("token", 77);
                        sim.poke("go", 1);
                        for _ in 0..2 {
                            let error = sim.step().expect_err("the first station refuses this token").to_string();
                            assert!(
                                error.contains("row.tile0.pair.first: assertion failed: a token is not 77"),
                                "{error}"
                            );
                        }
                        sim.poke("token", value);
                    }
                    24 => saved.iter().for_each(|snapshot| sim.restore(snapshot).expect("the same design")),
                    _ => {}
                }
                // A token of 77 may also come about inside.
                if let Err(error) = sim.step() {
                    assert!(error.to_string().contains("a token is not 77"), "{error}");
                    sim.reset(1);
                }
                sim.poke("go", 0);
            }
            let states = sims.each_mut().map(|sim| (sim.save(), sim.probes()));
            for (i, state) in states.iter().enumerate() {
                // Without intrinsics more wires are computed.
                assert!(i == 3 || *state == states[0], "cycle {cycle}, action {action}, simulation {i}, busy {busy}");
                assert!(state.1 == states[0].1, "cycle {cycle}, action {action}, simulation {i}, busy {busy}");
            }
            if cycle % 300 == 0 {
                saved = Some(states[0].0.clone());
            }
        }
        let moved = sims[0].probes();
        assert!(moved.iter().all(|probe| probe.count > 0), "the test moves everything");
    }
}

/// The sum in a station is computed when a token comes, not when something else in the tile changes.
#[test]
fn what_stands_still_is_not_computed() {
    let design = row(true);
    let calls = |passes: Passes| {
        let mut sim = start(&design, Options { engine: Engine::Word, threads: 1, passes, ..Options::default() });
        let mut run = |cycles| {
            let before = CALLS.load(Ordering::Relaxed);
            (0..cycles).for_each(|_| sim.step().expect("no token of 77"));
            let count = CALLS.load(Ordering::Relaxed) - before;
            sim.poke("token", sim.cycle() + 100);
            sim.poke("go", 1);
            sim.step().expect("no token of 77");
            sim.poke("go", 0);
            count
        };
        run(20);
        run(20);
        [run(100), run(100)]
    };
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let gated = calls(Passes::ALL);
    assert!(gated.iter().all(|&calls| calls < 40), "{gated:?}");
    let always = calls(Passes::ALL.without(Pass::Gates));
    assert!(always.iter().all(|&calls| calls >= 800), "{always:?}");
}

/// A block, and an intrinsic inside a block, are evaluated when their results are chosen, and at once then.
#[test]
fn what_is_not_chosen_is_not_computed() {
    let inner = {
        let m = Builder::new("inner", params! {});
        let sum = m.instance("sum", &add_3());
        sum.drive("a", m.input("a", 16));
        m.output_of("y", long_way(sum.get("y")));
        m.finish()
    };
    let m = Builder::new("chosen", params! {});
    let (choose, a) = (m.input("choose", 2), m.input("a", 16));
    let block = m.instance("block", &inner);
    block.drive("a", a);
    let sum = m.instance("sum", &add_3());
    sum.drive("a", a ^ 0x1234);
    m.output_of("y", mux(choose.bit(0), block.get("y"), mux(choose.bit(1), sum.get("y") ^ 1, a)));
    let design = elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for passes in [Passes::ALL, Passes::ALL.without(Pass::Gates)] {
        let mut sim = Simulator::new(&design, &Options { engine: Engine::Word, passes, ..Options::default() })
            .unwrap_or_else(|e| panic!("{e}"));
        let mut run = |choose: u64, first: u64| {
            let before = CALLS.load(Ordering::Relaxed);
            sim.poke("choose", choose);
            for a in first..first + 10 {
                sim.poke("a", a);
                let expected = match choose {
                    0 => a,
                    2 => ((a ^ 0x1234) + 3) ^ 1,
                    _ => ((a + 3) * 3 + 7) & 0xffff,
                };
                assert_eq!(sim.peek("y"), expected, "{passes}: {choose} {a}");
                sim.step().expect("no claim");
            }
            CALLS.load(Ordering::Relaxed) - before
        };
        // First evaluations come when there is nothing to go by yet.
        run(0, 0);
        assert_eq!([run(0, 100), run(1, 200), run(2, 300), run(3, 400), run(0, 500)], [0, 10, 10, 10, 0], "{passes}");
    }
}
