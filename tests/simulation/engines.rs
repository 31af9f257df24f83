//! All engines on designs of many tiles: the same bits, whatever is in the tiles.

use crate::netlist::random_holding_module;
use crate::ring::{ring, tile};
use std::path::Path;
use warpmesh::{
    hdl::{Bits, Builder, Intrinsic, Module, NetKind, params},
    netlist::{Design, elaborate},
    sim::{Engine, Moment, Options, SimError, Simulator, Snapshot, WaveFormat, WaveOptions},
    verilog::lockstep::Rng,
};

fn start(design: &Design, options: &Options) -> Simulator {
    let mut sim = Simulator::new(design, options).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

fn on_threads(design: &Design, engine: Engine, threads: usize) -> Simulator {
    let sim = start(design, &Options { engine, threads, ..Options::default() });
    if engine == Engine::Sliced {
        assert_eq!(sim.threading().threads, threads, "there is enough for all threads");
    }
    sim
}

fn poke(sim: &mut Simulator, rng: &mut Rng) {
    sim.poke("seed", rng.next_u64());
    sim.poke_bits("word", &rng.bits(96));
}

fn run(sim: &mut Simulator, rng: &mut Rng, cycles: u64) {
    for _ in 0..cycles {
        poke(sim, rng);
        sim.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Engines that keep the state of tiles for themselves. Where the processor has no AVX2 the second is another one.
const APART: [Engine; 2] = [Engine::Sliced, Engine::Vector];

fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Blocks nobody would write, one inside the other.
fn random_tile(seed: u64) -> Module {
    let leaf = random_holding_module(seed, 30, &[]);
    tile(&format!("random{seed}"), &random_holding_module(seed + 50, 40, &[leaf.clone(), leaf]))
}

#[test]
fn tiles_apart_are_the_interpreters_in_every_register_and_memory() {
    for (seed, engine) in (0..4).flat_map(|seed| APART.map(|engine| (seed, engine))) {
        for count in [3, 66] {
            let design = ring(&[random_tile(seed)], count);
            let options = Options { engine, validate: Some(Engine::Interpreter), ..Options::default() };
            let mut sim = start(&design, &options);
            let expected = if engine == Engine::Sliced || has_vectors() { engine } else { Engine::Word };
            assert_eq!(sim.engine(), expected);
            run(&mut sim, &mut Rng::new(seed), if count > 9 { 12 } else { 60 });
        }
    }
}

#[test]
fn engines_and_threads_agree_in_outputs_probes_and_saved_states() {
    // Tiles of two kinds, each of which may have a thread, and of one kind, which is divided.
    for (seed, kinds) in [(20, vec![20, 27]), (21, vec![21, 28]), (22, vec![22])] {
        let design = ring(&kinds.into_iter().map(random_tile).collect::<Vec<_>>(), 134);
        let trace = |engine, threads| {
            let mut sim = on_threads(&design, engine, threads);
            let mut rng = Rng::new(seed);
            let mut seen = vec![];
            for _ in 0..25 {
                run(&mut sim, &mut rng, 1);
                seen.push((sim.peek("y"), sim.peek_bits("w")));
            }
            (seen, sim.probes(), sim.save())
        };
        let reference = trace(Engine::Interpreter, 1);
        assert!(reference.1.iter().any(|probe| probe.count > 5), "the test moves something");
        for (engine, threads) in [
            (Engine::Word, 2),
            (Engine::Sliced, 1),
            (Engine::Sliced, 2),
            (Engine::Vector, 1),
            (Engine::Vector, 2),
            (Engine::Auto, 2),
        ] {
            let found = trace(engine, threads);
            assert!(found.0 == reference.0, "{engine}, {threads} threads: outputs differ");
            assert_eq!(found.1, reference.1, "{engine}, {threads} threads: probes");
            assert!(found.2 == reference.2, "{engine}, {threads} threads: states differ");
        }
    }
}

#[test]
fn an_assertion_that_fails_on_one_thread_stops_the_clock_edge_on_all() {
    let watched = |low: u32| {
        let m = Builder::new("watched", params! { low });
        let x = m.input("x", 64);
        m.output_of("y", x ^ (x >> u64::from(low)));
        m.always("x never has that", x.bits(low, 11).ne(77u64));
        tile(&format!("watched{low}"), &m.finish())
    };
    // A kind for each thread.
    let design = ring(&[watched(3), watched(5)], 134);
    let stopped = |engine, threads| {
        let mut sim = on_threads(&design, engine, threads);
        let mut rng = Rng::new(8);
        let step = |_: usize| {
            poke(&mut sim, &mut rng);
            sim.step().err()
        };
        let error = (0..1_000).find_map(step).expect("some tile has it");
        (error, sim.probes(), sim.save())
    };
    let reference = stopped(Engine::Interpreter, 1);
    assert!(matches!(reference.0, SimError::Assertion { .. }), "{:?}", reference.0);
    for (engine, threads) in [(Engine::Sliced, 1), (Engine::Sliced, 2), (Engine::Word, 2)] {
        let found = stopped(engine, threads);
        assert_eq!((&found.0, &found.1), (&reference.0, &reference.1), "{engine}, {threads} threads");
        assert!(found.2 == reference.2, "{engine}, {threads} threads: states differ");
    }
}

#[test]
fn a_state_goes_from_engine_to_engine() {
    let design = ring(&[random_tile(31)], 9);
    let of = |engine| start(&design, &Options { engine, ..Options::default() });
    let rng = Rng::new(4);
    let mut first = APART.map(of);
    let saved = first.each_mut().map(|sim| {
        run(sim, &mut rng.clone(), 30);
        sim.save()
    });
    assert!(saved[0] == saved[1]);
    let [saved, _] = saved;
    let after = |engine, saved: &Snapshot| {
        let mut sim = of(engine);
        sim.restore(saved).expect("the same design");
        run(&mut sim, &mut Rng::new(5), 30);
        (sim.save(), sim.probes())
    };
    let reference = after(Engine::Interpreter, &saved);
    for engine in [Engine::Sliced, Engine::Vector, Engine::Word] {
        assert!(after(engine, &saved) == reference, "{engine}");
    }
    for mut sim in first {
        run(&mut sim, &mut Rng::new(5), 30);
        assert!(sim.save() == reference.0, "saving changes nothing");
    }
}

#[test]
fn everything_inside_tiles_apart_can_be_looked_at_and_memories_changed() {
    APART.into_iter().for_each(look_inside);
}

fn look_inside(engine: Engine) {
    let design = ring(&[random_tile(41)], 7);
    let of = |engine| start(&design, &Options { engine, ..Options::default() });
    let (mut apart, mut reference) = (of(engine), of(Engine::Interpreter));
    let mut rng = Rng::new(6);
    for cycle in 0..12 {
        let seed = rng.next_u64();
        for sim in [&mut apart, &mut reference] {
            sim.poke("seed", seed);
            if cycle == 5 {
                sim.write_memory_word("tile3.queue", 2, &Bits::from_words(96, &[seed, 9])).expect("there is one");
            }
        }
        let module = &design.top.instances[3].module;
        for net in &module.nets {
            let path = format!("tile3.{}", net.name);
            assert_eq!(apart.peek_net(&path), reference.peek_net(&path), "{engine}: {path} in cycle {cycle}");
        }
        for row in 0..5 {
            assert_eq!(apart.memory_word("tile3.queue", row), reference.memory_word("tile3.queue", row));
        }
        for sim in [&mut apart, &mut reference] {
            sim.step().expect("no claims");
        }
    }
}

/// Tiles that are alike but for one block have it evaluated apart.
#[test]
fn tiles_that_differ_in_a_block_share_a_group() {
    let step = |name: &str, by: u64| {
        let m = Builder::new("step", params! { name });
        let at = m.register("at", 16, by);
        m.set(at, at + m.input("x", 16) + by);
        m.output_of("y", if by.is_multiple_of(2) { at ^ (at >> 3u64) } else { at });
        m.finish()
    };
    let kinds: Vec<_> = (1..4).map(|by| tile(&format!("by{by}"), &step(&format!("by{by}"), by))).collect();
    let design = ring(&kinds, 14);
    let options = Options { engine: Engine::Sliced, validate: Some(Engine::Interpreter), ..Options::default() };
    let mut sim = start(&design, &options);
    run(&mut sim, &mut Rng::new(8), 60);
    let groups = sim.parts().iter().filter(|line| line.starts_with("group")).count();
    assert_eq!(groups, 1, "{:?}", sim.parts());
}

/// A block without state that tells tiles apart is computed in all forms, and each tile takes its own.
#[test]
fn tiles_that_differ_in_a_block_without_state_share_a_vector() {
    let mix = |name: &str, by: u64| {
        let m = Builder::new("mix", params! { name });
        let x = m.input("x", 16);
        // More nets in some, so that they are of different sizes.
        let y = (0..by).fold(x, |y, step| m.wire(("y", step as u32), (y ^ (y >> 3u64)) + by));
        m.output_of("y", y);
        m.finish()
    };
    // Two of them are equal but for their names.
    let kinds = [("one", 1), ("two", 2), ("five", 5), ("second", 2)];
    let kinds: Vec<_> = kinds.iter().map(|&(name, by)| tile(name, &mix(name, by))).collect();
    // In two vectors and a half, each of tiles of all kinds.
    let many = ring(&kinds, 38);
    let options = Options { engine: Engine::Vector, validate: Some(Engine::Interpreter), ..Options::default() };
    run(&mut start(&many, &options), &mut Rng::new(9), 40);
    let design = ring(&kinds, 14);
    let mut sim = start(&design, &options);
    run(&mut sim, &mut Rng::new(8), 60);
    let groups = |sim: &mut Simulator| sim.parts().iter().filter(|line| line.starts_with("group")).count();
    let in_vectors = sim.explain().iter().any(|group| group.engine == Engine::Vector);
    assert_eq!(groups(&mut sim), usize::from(in_vectors), "{:?}", sim.parts());
    let saved = sim.save();
    // Where somebody looks into such a block, it is there as it is.
    let mut watched = start(&design, &options);
    let handle = watched.net("tile6.inner.y").expect("a wire");
    let mut reference = start(&design, &Options { engine: Engine::Interpreter, ..Options::default() });
    let (mut rng, mut same) = (Rng::new(8), Rng::new(8));
    for _ in 0..60 {
        poke(&mut watched, &mut rng);
        poke(&mut reference, &mut same);
        let other = reference.net("tile6.inner.y").expect("a wire");
        assert_eq!(watched.peek_bits_at(handle), reference.peek_bits_at(other));
        watched.step().and(reference.step()).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(reference.save() == saved && watched.save() == saved);
}

#[test]
fn a_broken_claim_in_a_tile_apart_is_named_as_by_the_interpreter() {
    let m = Builder::new("careful", params! {});
    let at = m.register("at", 8, 0);
    m.set(at, at + m.input("x", 8));
    m.always("the value stays below 250", at.lt(250));
    m.output_of("y", at);
    let design = ring(&[tile("careful", &m.finish())], 20);
    let fail = |engine| {
        let mut sim = start(&design, &Options { engine, ..Options::default() });
        let mut rng = Rng::new(9);
        let error = (0..1000).find_map(|_| {
            poke(&mut sim, &mut rng);
            sim.step().err()
        });
        error.expect("some value passes the limit")
    };
    let reference = fail(Engine::Interpreter);
    assert!(matches!(reference, SimError::Assertion { .. }));
    assert_eq!(APART.map(fail), [reference.clone(), reference]);
}

/// A waveform of all cycles.
fn whole_wave(file: &Path, select: Vec<String>) -> WaveOptions {
    let (format, start) = (WaveFormat::Vcd, Moment::default());
    WaveOptions { file: file.into(), format, select, start, from: 0, until: None, views: vec![] }
}

#[test]
fn waveforms_of_tiles_apart_are_those_of_other_engines() {
    let design = ring(&[random_tile(61)], 8);
    let folder = tempfile::tempdir().expect("a folder");
    let record = |engine: Engine| {
        let file = folder.path().join(format!("{engine}.vcd"));
        let mut sim = start(&design, &Options { engine, ..Options::default() });
        let mut rng = Rng::new(3);
        run(&mut sim, &mut rng, 10);
        let select = vec!["tile2".into(), "tile5.state".into()];
        sim.record_wave(whole_wave(&file, select)).expect("a file");
        run(&mut sim, &mut rng, 15);
        sim.finish_waves().expect("a file");
        let text = std::fs::read_to_string(file).expect("a waveform");
        (text, sim.save())
    };
    let reference = record(Engine::Interpreter);
    assert!(reference.0.lines().count() > 100);
    APART.into_iter().for_each(|engine| assert!(record(engine) == reference, "{engine}"));
}

/// Wires too: they are computed for whoever looks.
#[test]
fn tiles_of_which_a_few_signals_are_looked_at_stay_apart() {
    let design = ring(&[random_tile(71)], 66);
    let inner = &design.top.instances[3].module.instances[0].module;
    let wires = inner.nets.iter().filter(|net| matches!(net.kind, NetKind::Wire) && net.width < 64);
    let paths: Vec<_> = wires.take(5).map(|wire| format!("tile3.inner.{}", wire.name)).collect();
    assert!(paths.len() > 2);
    let folder = tempfile::tempdir().expect("a folder");
    let record = |engine: Engine| {
        let file = folder.path().join(format!("{engine}.vcd"));
        let mut sim = start(&design, &Options { engine, ..Options::default() });
        let select = [&paths[..], &["tile64.state".into(), "tile65.kept".into()]].concat();
        sim.record_wave(whole_wave(&file, select)).expect("a file");
        let handles: Vec<_> =
            paths.iter().map(|path| sim.net(&path.replace("tile3", "tile7")).expect("a wire")).collect();
        let mut rng = Rng::new(3);
        let mut seen = vec![];
        for _ in 0..30 {
            poke(&mut sim, &mut rng);
            seen.extend(handles.iter().map(|&handle| sim.peek_bits_at(handle)));
            sim.step().unwrap_or_else(|e| panic!("{e}"));
        }
        sim.finish_waves().expect("a file");
        let apart: usize =
            sim.explain().iter().filter(|group| APART.contains(&group.engine)).map(|g| g.instances).sum();
        (std::fs::read_to_string(file).expect("a waveform"), seen, sim.save(), apart)
    };
    let reference = record(Engine::Interpreter);
    assert_eq!(reference.3, 0);
    for engine in APART {
        let found = record(engine);
        assert_eq!(found.3, if engine == Engine::Sliced || has_vectors() { 66 } else { 0 });
        assert!(found.0 == reference.0, "{engine}: waveforms");
        assert!(found.1 == reference.1, "{engine}: handles");
        assert!(found.2 == reference.2, "{engine}: states");
    }
}

/// Says something wrong of 9 only.
extern "C" fn lying_intrinsic(inputs: *const u64, outputs: *mut u64) {
    // SAFETY: the simulator passes one word per port.
    unsafe {
        let a = *inputs;
        *outputs = if a == 9 { 0 } else { !a & 0xff };
    }
}

/// Tiles with something inside that is shown outside only when it is asked for: a sum, and a memory.
fn secretive_tiles(count: usize) -> Design {
    let m = Builder::new("inverter", params! {});
    m.output_of("y", !m.input("a", 8));
    m.intrinsic(Intrinsic { name: "lying", call: lying_intrinsic });
    let inverter = m.finish();
    let m = Builder::new("secretive", params! {});
    let (a, add, show) = (m.input("a", 8), m.input("add", 1), m.input("show", 1));
    let inner = m.instance("inner", &inverter);
    inner.drive("a", a);
    let sum = m.register("sum", 32, 0);
    m.when(add, || m.set(sum, sum + inner.get("y").resize(32)));
    let last = m.memory("last", 16, 8);
    m.when(!add, || last.write(a.bits(0, 4), inner.get("y")));
    let shown = m.register("shown", 32, 0);
    m.when(show, || m.set(shown, sum + last.read(a.bits(0, 4)).resize(32)));
    m.output_of("out", shown);
    let tile = m.finish();
    let m = Builder::new("secrets", params! {});
    let (add, show) = (m.input("add", 1), m.input("show", 1));
    for i in 0..count {
        let tile = m.tile(format!("tile{i}"), &tile);
        tile.drive("a", m.input(format!("a{i}"), 8));
        tile.drive("add", add);
        tile.drive("show", show);
        m.output_of(format!("out{i}"), tile.get("out"));
    }
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

/// The difference that is found when the intrinsic in tile 3 lies in cycle 137, in the sum or in the memory, and from
/// cycle `shown` on all is shown; with it, the cycle at which it was found.
fn found(design: &Design, engines: [Engine; 2], in_sum: bool, shown: u64) -> (String, u64) {
    let options = Options { engine: engines[0], validate: Some(engines[1]), ..Options::default() };
    let mut sim = Simulator::new(design, &options).unwrap_or_else(|e| panic!("{e}"));
    let mut error = None;
    let mut cycles = 0;
    while cycles < 300 && error.is_none() {
        (0..14).for_each(|i| sim.poke(&format!("a{i}"), (cycles * 7 + i) % 8));
        sim.poke("add", u64::from(cycles % 2 == 0 || cycles == 137 && in_sum));
        sim.poke("show", u64::from(cycles >= shown));
        if cycles == 137 {
            // Evaluated in between: the last values count.
            sim.settle();
            sim.poke("a3", 9);
        }
        error = sim.step().err();
        cycles += u64::from(error.is_none());
    }
    let error = error.or_else(|| sim.finish_validation().err()).expect("the intrinsic lies");
    assert_eq!(sim.step().expect_err("it does not go on"), error);
    assert!(matches!(&error, SimError::Difference { cycle, .. } if *cycle == sim.cycle()), "{error}");
    let told = error.to_string().replace(engines[0].name(), "first").replace(engines[1].name(), "beside");
    (told, cycles)
}

#[test]
fn validation_tells_the_first_difference_in_tiles_apart_even_if_it_shows_much_later_or_never() {
    let design = secretive_tiles(14);
    for in_sum in [true, false] {
        let (reference, cycles) = found(&design, [Engine::Word, Engine::Interpreter], in_sum, 290);
        // A write to a memory differs in the cycle in which it is made.
        assert_eq!((cycles, reference.starts_with("cycle 137: secrets.tile3.")), (137, true), "{reference}");
        for engines in [
            [Engine::Word, Engine::Sliced],
            [Engine::Interpreter, Engine::Sliced],
            [Engine::Vector, Engine::Word],
            [Engine::Word, Engine::Vector],
        ] {
            if engines.contains(&Engine::Vector) && !has_vectors() {
                continue;
            }
            let expected =
                if in_sum { &reference } else { "cycle 138: secrets.tile3.last[9]: first 8'h00, beside 8'hf6" };
            for shown in [150, 290, 1000] {
                let (told, found_at) = found(&design, engines, in_sum, shown);
                assert_eq!(told, expected, "{engines:?}, shown from {shown} on");
                assert!(found_at > 137, "{engines:?}: not everything is compared in every cycle");
            }
        }
    }
}

/// An output that would have changed at the edge, had an input not been changed again after a look in between.
#[test]
fn validation_does_not_disturb_what_is_evaluated_twice_in_a_cycle() {
    let design = secretive_tiles(14);
    for engines in [[Engine::Sliced, Engine::Word], [Engine::Word, Engine::Sliced], [Engine::Vector, Engine::Word]] {
        let start = |validate| {
            let options = Options { engine: engines[0], validate, ..Options::default() };
            Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"))
        };
        let (mut alone, mut validated) = (start(None), start(Some(engines[1])));
        for cycle in 0..60 {
            let outputs = [&mut alone, &mut validated].map(|sim| {
                (0..14).for_each(|i| sim.poke(&format!("a{i}"), (cycle * 5 + i) % 8));
                sim.poke("add", 1);
                sim.poke("show", 1);
                sim.settle();
                sim.poke("show", u64::from(cycle % 7 == 0));
                sim.step().unwrap_or_else(|e| panic!("{engines:?}: {e}"));
                [sim.peek("out3"), sim.peek("out13")]
            });
            assert_eq!(outputs[0], outputs[1], "{engines:?}, cycle {cycle}");
        }
        validated.finish_validation().unwrap_or_else(|e| panic!("{engines:?}: {e}"));
    }
}
