//! Tiles on one and several threads, and saved states.

use warpmesh::{
    hdl::{Bits, Builder, Module, mux, params, row},
    netlist::{Design, elaborate},
    sim::{Engine, Options, SimError, Simulator, Snapshot},
    verilog::lockstep::Rng,
};

/// More tiles than two vectors hold, so that several threads have some of them.
const SIDE: usize = 6;

/// The engines that evaluate on several threads.
const COMPILED: [Engine; 3] = [Engine::Word, Engine::Sliced, Engine::Vector];

/// A tile that mixes what its neighbours send, with a memory, statistics and, at one value, a failing assertion.
fn mixer(limit: u64) -> Module {
    let m = Builder::new("mixer", params! { limit });
    let (west, north, seed) = (m.input("west", 40), m.input("north", 40), m.input("seed", 8));
    let state = m.register("state", 40, 1);
    let memory = m.memory("history", 16, 40);
    let read = memory.read_sync("read", state.bits(4, 4), state.bit(9));
    memory.write(state.bits(0, 4), west);
    let mixed = mux(north.bit(3), west + north, west ^ (north << 7u64)) + seed.extend(40) + read;
    m.set(state, mixed * 0x9e37_79b9 + state);
    m.output_of("east", state);
    let south = m.delayed("south_value", mixed.bits(3, 30));
    m.output_of("south", south.extend(40));
    m.count("odd", state.bit(0));
    m.sum("sent", state.bit(1), state.bits(0, 20));
    m.histogram("nibbles", state.bit(2), state.bits(8, 4));
    m.histogram("bytes", state.bit(3), state.bits(8, 8));
    m.always("the low bits stay below the limit", state.bits(0, 16).lt(limit) | state.bit(39));
    m.finish()
}

fn torus(limit: u64) -> Design {
    let tile = mixer(limit);
    let m = Builder::new("torus", params! { limit });
    let seed = m.input("seed", 8);
    let tiles: Vec<_> = (0..SIDE * SIDE).map(|i| m.tile(format!("tile{i}"), &tile)).collect();
    for (i, t) in tiles.iter().enumerate() {
        let (x, y) = (i % SIDE, i / SIDE);
        t.drive("west", tiles[y * SIDE + (x + SIDE - 1) % SIDE].get("east"));
        t.drive("north", tiles[(y + SIDE - 1) % SIDE * SIDE + x].get("south"));
        t.drive("seed", seed + i as u64);
    }
    m.output_of("y", tiles[0].get("east") ^ tiles[5].get("south"));
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

fn start(design: &Design, engine: Engine, threads: usize) -> Simulator {
    let options = Options { engine, threads, ..Options::default() };
    let mut sim = Simulator::new(design, &options).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

fn run(sim: &mut Simulator, cycles: u64) {
    for _ in 0..cycles {
        sim.poke("seed", sim.cycle() * 37);
        sim.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn threads_and_engines_give_the_same_bits() {
    let design = torus(0xffff);
    let mut reference = start(&design, Engine::Interpreter, 1);
    run(&mut reference, 600);
    assert!(reference.probes().iter().all(|p| p.count > 50), "the test moves something");
    for engine in COMPILED {
        for threads in [1, 2, 3, Options::AUTOMATIC_THREADS] {
            let mut sim = start(&design, engine, threads);
            run(&mut sim, 600);
            assert_eq!(sim.probes(), reference.probes(), "{engine:?}, {threads} threads");
            assert!(sim.save() == reference.save(), "{engine:?}, {threads} threads: the states differ");
        }
    }
}

#[test]
fn the_number_of_threads_is_tried_out_and_told() {
    let design = torus(0xffff);
    for engine in [Engine::Interpreter, Engine::Word] {
        let mut sim = start(&design, engine, Options::AUTOMATIC_THREADS);
        run(&mut sim, 600);
        let told = sim.threading();
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        assert_eq!(told.automatic, engine == Engine::Word && cores > 1);
        let tried: Vec<_> = told.trials.iter().map(|&(threads, _)| threads).collect();
        assert_eq!(tried.first(), [2].iter().find(|_| told.automatic), "{told:?}");
        assert!(told.trials.iter().all(|&(threads, time)| threads <= cores && time > 0.0), "{told:?}");
        assert!(told.threads == 1 || tried.contains(&told.threads), "{told:?}");
    }
    let given = start(&design, Engine::Word, 3).threading();
    assert_eq!((given.threads, given.automatic, given.trials), (3, false, vec![]));
}

#[test]
fn threads_report_the_same_assertion() {
    let design = torus(0xff00);
    let fail = |engine, threads| {
        let mut sim = start(&design, engine, threads);
        let error = (0..10_000).find_map(|_| {
            sim.poke("seed", sim.cycle() * 37);
            sim.step().err()
        });
        error.expect("some value passes the limit")
    };
    let reference = fail(Engine::Interpreter, 1);
    assert!(matches!(reference, SimError::Assertion { .. }));
    for engine in COMPILED {
        for threads in [1, 2] {
            assert_eq!(fail(engine, threads), reference, "{engine:?}, {threads} threads");
        }
    }
}

#[test]
fn a_restored_run_continues_as_if_never_stopped() {
    let design = torus(0xffff);
    let mut whole = start(&design, Engine::Word, 1);
    run(&mut whole, 100);
    let saved = whole.save();
    run(&mut whole, 100);
    for (engine, threads) in [(Engine::Interpreter, 1), (Engine::Word, 1), (Engine::Word, 2)] {
        let mut resumed = start(&design, engine, threads);
        resumed.restore(&Snapshot::from_bytes(saved.as_bytes().to_vec())).expect("the same design");
        assert_eq!(resumed.cycle(), 102);
        run(&mut resumed, 100);
        assert!(resumed.save() == whole.save(), "{engine:?} {threads}");
        assert_eq!(resumed.probes(), whole.probes());
    }
}

/// Counts, sums and histograms, those with a table of their own, too.
#[test]
fn statistics_of_a_restored_run_begin_at_zero_if_they_are_to() {
    let design = torus(0xffff);
    let mut whole = start(&design, Engine::Word, 1);
    run(&mut whole, 100);
    let before = whole.probes();
    run(&mut whole, 100);
    for engine in [Engine::Interpreter, Engine::Word, Engine::Sliced, Engine::Vector] {
        let mut counted = start(&design, engine, 1);
        run(&mut counted, 100);
        let saved = counted.save_without_statistics();
        assert_eq!(counted.probes(), before, "{engine:?}");
        counted.restore(&saved).expect("the same design");
        assert!(counted.probes().iter().all(|probe| (probe.count, probe.sum) == (0, 0)));
        run(&mut counted, 100);
        for ((part, before), whole) in counted.probes().iter().zip(&before).zip(whole.probes()) {
            let sum = (before.count + part.count, before.sum.wrapping_add(part.sum));
            assert_eq!(sum, (whole.count, whole.sum), "{engine:?}: {}", whole.full_name());
            let mut histogram = before.histogram.clone();
            part.histogram.iter().for_each(|(value, times)| *histogram.entry(*value).or_default() += times);
            assert_eq!(histogram, whole.histogram, "{engine:?}: {}", whole.full_name());
        }
    }
}

#[test]
fn a_foreign_or_damaged_snapshot_is_refused() {
    let mut sim = start(&torus(0xffff), Engine::Word, 1);
    let foreign = start(&torus(0xfffe), Engine::Word, 1).save();
    let text = sim.restore(&foreign).expect_err("another design").to_string();
    assert_eq!(text, "cannot restore: the snapshot is of another design");
    let mut bytes = sim.save().as_bytes().to_vec();
    bytes.truncate(bytes.len() / 2 / 8 * 8);
    let text = sim.restore(&Snapshot::from_bytes(bytes)).expect_err("cut").to_string();
    assert_eq!(text, "cannot restore: the snapshot is damaged");
    let text = sim.restore(&Snapshot::from_bytes(vec![1, 2, 3])).expect_err("not one").to_string();
    assert_eq!(text, "cannot restore: this is not a snapshot of this version");
}

/// A tile that is idle unless a token comes in: it counts always, and keeps the last tokens in a memory. `busy`: writes
/// to the memory all the time, although its registers stand still.
fn sleeper(busy: bool) -> Module {
    let m = Builder::new("sleeper", params! { busy });
    let (go, token, look) = (m.input("go", 1), m.input("token", 70), m.input("look", 2));
    let place = m.register("place", 2, 0);
    m.when(go, || m.set(place, place + 1));
    // Changes by itself after reset, but not under reset.
    let awake = m.register("awake", 1, 0);
    m.set(awake, 1);
    let memory = m.memory("tokens", 4, 70);
    m.when(if busy { m.lit(1, 1) } else { go }, || memory.write(place, token));
    let seen = memory.read(look);
    m.output_of("seen", m.delayed("seen_value", seen));
    m.output_of("go_on", m.delayed("go_before", go));
    m.histogram("places", awake, place);
    m.histogram("low", seen.bit(0), seen.bits(0, 10));
    m.sum("tokens", !go, seen.bits(2, 9));
    m.always("a token is not 77", !go | !token.eq(77));
    m.finish()
}

fn sleepers() -> Design {
    let m = Builder::new("sleepers", params! {});
    let (mut go, mut token) = (m.input("go", 1), m.input("token", 70));
    let look = m.input("look", 2);
    for i in 0..6 {
        let tile = m.tile(format!("tile{i}"), &sleeper(i == 3));
        tile.drive("go", go);
        tile.drive("token", token);
        tile.drive("look", look);
        (go, token) = (tile.get("go_on"), tile.get("seen"));
    }
    m.output_of("y", token ^ go.extend(70));
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

/// Whatever is done to a design whose tiles are idle most of the time, it shows in every bit.
#[test]
fn idle_tiles_are_exact() {
    let design = sleepers();
    let mut random = Rng::new(11);
    let automatic = Options::AUTOMATIC_THREADS;
    // Statistics of tiles in vectors are brought up to date when they are read: the last simulation is not looked at in
    // most cycles.
    let ways = [
        (Engine::Interpreter, 1, 1),
        (Engine::Word, 1, 1),
        (Engine::Word, 2, 1),
        (Engine::Word, automatic, 1),
        (Engine::Vector, 1, 1),
        (Engine::Vector, 1, 97),
    ];
    let mut sims = ways.map(|(engine, threads, every)| (start(&design, engine, threads), every));
    let mut saved = None;
    for cycle in 0..6_000 {
        let (action, value) = (random.below(200), random.below(60) + 3);
        for (sim, _) in &mut sims {
            match action {
                0..=9 => sim.poke("go", 1),
                10..=12 => sim.poke("look", value),
                13..=15 => sim.poke("token", value << 9 | value),
                16 => sim.reset(1 + value % 6),
                17 => {
                    let (path, place) = (format!("tile{}.tokens", value % 6), value as usize % 4);
                    sim.write_memory_word(&path, place, &Bits::new(70, value)).expect("a memory");
                }
                18..=20 => {
                    // An evaluation that is taken back.
                    sim.peek_net("tile2.seen").expect("a net");
                    sim.poke("look", value);
                    sim.peek("y");
                    sim.poke("look", value / 4);
                }
                21 => {
                    sim.poke("token", 77);
                    sim.poke("go", 1);
                    sim.step().expect_err("the first tile refuses this token");
                    sim.poke("token", value);
                }
                22 => saved.iter().for_each(|snapshot| sim.restore(snapshot).expect("the same design")),
                _ => {}
            }
            sim.step().unwrap_or_else(|e| panic!("{e}"));
            sim.poke("go", 0);
        }
        let compared = sims.iter_mut().filter(|(_, every)| cycle % every == 0);
        let states: Vec<_> = compared.map(|(sim, _)| (sim.save(), sim.probes())).collect();
        assert!(states.iter().all(|state| *state == states[0]), "cycle {cycle}, action {action}");
        if cycle % 500 == 0 {
            saved = Some(states[0].0.clone());
        }
    }
}

/// Tiles with more inputs than a word has bits: of which few change in most cycles, none in some, and all in a few.
fn listeners() -> Design {
    const INPUTS: u64 = 70;
    let listener = || {
        let m = Builder::new("listener", params! {});
        let heard = m.register("heard", 32, 0);
        let sum = (0..INPUTS).fold(heard, |sum, i| (sum << 1u64) ^ (sum + m.input(format!("in{i}"), 40).bits(3, 32)));
        m.set(heard, sum);
        m.output_of("sum", heard);
        m.finish()
    };
    let m = Builder::new("listeners", params! {});
    let (value, which, all) = (m.input("value", 40), m.input("which", 7), m.input("all", 1));
    let words: Vec<_> = (0..INPUTS)
        .map(|i| {
            let word = m.register(format!("word{i}"), 40, 0);
            m.when(all | which.eq(i), || m.set(word, value + i));
            word
        })
        .collect();
    let listener = listener();
    let sums: Vec<_> = (0..20)
        .map(|t| {
            let tile = m.tile(format!("tile{t}"), &listener);
            // Some inputs reach one tile alone.
            for (i, &word) in (0..INPUTS).zip(&words) {
                tile.drive(format!("in{i}"), if i < 40 { word } else { mux(value.eq(t), word, words[0]) });
            }
            tile.get("sum")
        })
        .collect();
    m.output_of("y", sums.iter().skip(1).fold(sums[0], |y, &sum| y ^ sum));
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn inputs_that_change_seldom_arrive() {
    let design = listeners();
    let engines = [(Engine::Interpreter, 1), (Engine::Word, 1), (Engine::Vector, 1), (Engine::Vector, 2)];
    let mut sims = engines.map(|(engine, threads)| start(&design, engine, threads));
    let mut random = Rng::new(5);
    for cycle in 0..700 {
        // Now and then the state comes from elsewhere.
        let saved = (cycle % 100 == 99).then(|| sims[0].save());
        let pokes =
            [("value", random.below(24)), ("which", random.below(128)), ("all", u64::from(random.below(50) == 0))];
        for (sim, about) in sims.iter_mut().zip(engines) {
            if let Some(saved) = &saved {
                sim.restore(saved).unwrap_or_else(|e| panic!("{e}"));
            }
            pokes.iter().for_each(|&(port, value)| sim.poke(port, value));
            sim.step().unwrap_or_else(|e| panic!("{about:?}: {e}"));
        }
        let [reference, others @ ..] = &mut sims;
        let y = reference.peek("y");
        assert!(others.iter_mut().all(|sim| sim.peek("y") == y), "cycle {cycle}");
    }
    let [reference, others @ ..] = &mut sims;
    assert!(others.iter_mut().all(|sim| sim.save() == reference.save()), "the states differ");
}

/// A block of two values that follow each other, `x` at once or `y` at once: the other one a cycle later.
fn follower(x_at_once: bool) -> Module {
    let m = Builder::new("follower", params! { x_at_once: u32::from(x_at_once) });
    let (a, b, seed) = (m.input("a", 8), m.input("b", 8), m.input("seed", 8));
    let [x, y] = [("x", x_at_once, a), ("y", !x_at_once, b)].map(|(name, at_once, from)| {
        let value = from * 5 + seed;
        (name, if at_once { value } else { m.delayed((name, "register"), value) })
    });
    m.output_of(x.0, x.1);
    m.output_of(y.0, y.1);
    m.finish()
}

/// Around one block no loop closes, around the other neither; around one that were both there would be one. Tiles with
/// one and the other are not evaluated together (found by a random chip whose routers recursed without an end).
#[test]
fn tiles_whose_blocks_pass_other_inputs_through_are_apart() {
    let pair = |x_at_once: bool| {
        let m = Builder::new("pair", params! { x_at_once: u32::from(x_at_once) });
        let inner = m.instance("inner", &follower(x_at_once));
        inner.drive("a", inner.get("y"));
        inner.drive("b", inner.get("x"));
        inner.drive("seed", m.input("seed", 8));
        m.output_of("both", m.delayed("sent", inner.get("x") ^ inner.get("y")));
        m.finish()
    };
    let kinds = [pair(false), pair(true)];
    let m = Builder::new("pairs", params! {});
    let seed = m.input("seed", 8);
    let tiles: Vec<_> = (0..16).map(|i| m.tile(format!("tile{i}"), &kinds[i % 2])).collect();
    tiles.iter().zip(0_u64..).for_each(|(tile, i)| tile.drive("seed", seed + i));
    m.output_of("y", row(tiles.iter().map(|tile| tile.get("both"))));
    let design = elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
    let outputs = |engine| {
        let mut sim = start(&design, engine, 1);
        let outputs = (0..200).map(|_| {
            run(&mut sim, 1);
            sim.peek_bits("y")
        });
        outputs.collect::<Vec<_>>()
    };
    let reference = outputs(Engine::Interpreter);
    for engine in COMPILED {
        assert_eq!(outputs(engine), reference, "{engine:?}");
    }
}
