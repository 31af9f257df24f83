//! Several clocks in the simulator: what happens at which instant, the same on all engines.

use warpmesh::{
    blocks::{CrossingParams, cross},
    hdl::{Bits, Builder, ClockDomain, Module, Signal, params},
    netlist::{Design, elaborate},
    sim::{Clocks, Engine, Moment, Options, Passes, SimError, Simulator, WaveFormat, WaveOptions},
    verilog::lockstep::Rng,
};

/// Takes a token, keeps it for some cycles, changes it, sends it on. With a memory, every kind of statistics, and an
/// assertion that fails at one token.
fn worker() -> Module {
    let m = Builder::new("worker", params! {});
    let (valid, data, full) = (m.input("valid", 1), m.input("data", 40), m.input("full", 1));
    let (pop, push) = (m.register("pop_now", 1, 0), m.register("push_now", 1, 0));
    let (busy, left) = (m.register("busy", 1, 0), m.register("left", 3, 0));
    let token = m.register_payload("token", 40);
    let history = m.memory("history", 8, 40);
    let take = m.wire("take", valid & !busy & !pop);
    let ready = m.wire("ready", busy & left.is_zero() & !push);
    let send = m.wire("send", ready & !full);
    m.set(pop, take);
    m.set(push, send);
    m.when(take, || {
        m.set(busy, 1);
        m.set(token, data);
        m.set(left, data.bits(3, 3));
        history.write(data.bits(0, 3), data);
    });
    m.when(busy & left.any(), || m.set(left, left - 1));
    m.when(send, || m.set(token, token * 0x9e37_79b9 + history.read(token.bits(5, 3))));
    m.when(push, || m.set(busy, 0));
    m.output_of("pop", pop);
    m.output_of("push", push);
    m.output_of("push_data", token);
    m.count("cycles", m.lit(1, 1));
    m.count("waiting", valid & busy);
    m.sum("sent", send, token.bits(0, 20));
    m.histogram("left", busy, left);
    m.histogram("tokens", send, token.bits(8, 8));
    m.always("no token is 77", !take | data.ne(77));
    m.finish()
}

struct Stream<'m> {
    valid: Signal<'m>,
    data: Signal<'m>,
}

/// A queue into `to`, and a worker there; `source` says what comes, by push and data, and `full` what goes on may not.
fn stage<'m>(
    m: &'m Builder,
    name: &str,
    [from, to]: [ClockDomain<'m>; 2],
    source: &Stream<'m>,
    full: Signal<'m>,
) -> (Stream<'m>, Signal<'m>) {
    let queue = cross(m, &format!("{name}_queue"), from, to, CrossingParams::new(4, 40));
    queue.push(source.valid);
    queue.push_data(source.data);
    let worker = m.tile_in(to, name, &worker());
    worker.drive("valid", queue.valid());
    worker.drive("data", queue.data());
    worker.drive("full", full);
    queue.pop(worker.get("pop"));
    (Stream { valid: worker.get("push"), data: worker.get("push_data") }, queue.full())
}

/// Two workers of different domains in one block.
fn pair() -> Module {
    let m = Builder::new("pair", params! {});
    let (here, there) = (m.clock(), m.domain("there"));
    let source = Stream { valid: m.input("push", 1), data: m.input("push_data", 40) };
    let between = m.wire_later("between", 1);
    let (middle, full) = stage(&m, "first", [here, here], &source, between);
    let (end, full_between) = stage(&m, "second", [here, there], &middle, m.input("next_full", 1));
    m.assign(between, full_between);
    m.output_of("full", full);
    m.output_of("next_push", end.valid);
    m.output_of("next_data", end.data);
    m.finish()
}

/// Blinks: a child that is no tile, in a domain that is not its parent's, with a statistic and an assertion.
fn blinker() -> Module {
    let m = Builder::new("blinker", params! {});
    let stop = m.input("stop", 1);
    let light = m.register("light", 1, 0);
    m.set(light, !light);
    m.output_of("shine", light);
    m.count("on", light);
    m.always("nobody stops the light", !stop);
    m.finish()
}

/// Tokens go from the clock of the cores to that of the network and to that of the memory.
pub fn system(one_clock: bool) -> Design {
    let m = Builder::new("system", params! { one_clock });
    let core = m.clock();
    let other = |name: &str| if one_clock { core } else { m.domain(name) };
    let (noc, dram) = (other("noc"), other("dram"));
    let source = Stream { valid: m.input("inject", 1), data: m.input("word", 40) };
    let [full1, full2, full3] = ["full1", "full2", "full3"].map(|name| m.wire_later(name, 1));
    let (to_noc, full) = stage(&m, "core", [core, core], &source, full1);
    m.output_of("full", full);
    let (to_pair, full) = stage(&m, "router", [core, noc], &to_noc, full2);
    m.assign(full1, full);
    let pair = m.tile_in(noc, "pair", &pair());
    pair.clocked("there", dram);
    pair.drive("push", to_pair.valid);
    pair.drive("push_data", to_pair.data);
    m.assign(full2, pair.get("full"));
    let from_pair = Stream { valid: pair.get("next_push"), data: pair.get("next_data") };
    pair.drive("next_full", full3);
    let (end, full) = stage(&m, "bank", [dram, core], &from_pair, m.lit(1, 0));
    m.assign(full3, full);
    let light = m.instance_in(noc, "lamp", &blinker());
    light.drive("stop", m.input("stop", 1));
    m.output_of("shine", light.get("shine"));
    let sum = m.register("sum", 40, 0);
    m.when(end.valid, || m.set(sum, sum + end.data));
    m.in_domain(dram, || {
        let age = m.register("age", 9, 0);
        m.set(age, age + 1);
        m.output_of("aged", age);
        m.histogram("ages", age.bit(0), age);
        m.sum("age_sum", age.bit(3), age);
    });
    m.output_of("sum_now", sum);
    m.output_of("came", end.valid);
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

fn start(design: &Design, clocks: &Clocks, options: Options) -> Simulator {
    let mut sim = Simulator::with_clocks(design, &options, clocks).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

fn step(sim: &mut Simulator) {
    sim.step().unwrap_or_else(|e| panic!("{e}"));
}

const PLAIN: Options = Options { engine: Engine::Interpreter, ..Options::DEFAULT };

/// Every way to simulate.
fn ways() -> [Options; 6] {
    [
        PLAIN,
        Options { engine: Engine::Auto, ..PLAIN },
        Options { engine: Engine::Word, ..PLAIN },
        Options { engine: Engine::Word, passes: Passes::NONE, ..PLAIN },
        Options { engine: Engine::Word, threads: 2, ..PLAIN },
        Options { engine: Engine::Word, validate: Some(Engine::Interpreter), ..PLAIN },
    ]
}

pub fn frequencies() -> [Clocks; 5] {
    let clocks = Clocks::default;
    [
        clocks(),
        clocks().ratio("noc", 3, 2).ratio("dram", 7, 4),
        clocks().period("noc", 2).period("dram", 3),
        clocks().ratio("clock", 5, 1).delay("noc", 1, 7).delay("dram", 2, 1),
        clocks().period("noc", 7).ratio("dram", 1, 3),
    ]
}

/// Whatever is done to the system, it shows in every bit, on every engine.
#[test]
fn engines_agree_at_every_instant() {
    let design = system(false);
    for (seed, clocks) in frequencies().into_iter().enumerate() {
        let mut random = Rng::new(seed as u64);
        let mut sims = ways().map(|options| start(&design, &clocks, options));
        let mut saved = None;
        let mut came = 0;
        for instant in 0..3_000 {
            let (action, value) = (random.below(200), random.below(1 << 40));
            let compare = random.below(8) == 0;
            for sim in &mut sims {
                let full = sim.peek("full") == 1;
                match action {
                    0..=19 => {
                        sim.poke("inject", u64::from(!full));
                        sim.poke("word", if value % (1 << 40) == 77 { 78 } else { value });
                    }
                    20..=29 => sim.poke("word", value),
                    30 => sim.reset(1 + value % 3),
                    31 => {
                        let path = ["core.history", "router.history", "pair.second.history"][value as usize % 3];
                        sim.write_memory_word(path, value as usize % 8, &Bits::new(40, value)).expect("a memory");
                    }
                    32..=39 => {
                        // An evaluation that is taken back.
                        sim.peek_net("bank.ready").expect("a net");
                        sim.poke("word", value);
                        sim.peek_net("router.send").expect("a net");
                    }
                    40 => saved.iter().for_each(|snapshot| sim.restore(snapshot).expect("the same design")),
                    _ => {}
                }
                let taken = sim.edges().has(0);
                step(sim);
                if taken {
                    sim.poke("inject", 0);
                }
            }
            let ports =
                sims.each_mut().map(|sim| (sim.time(), ["sum_now", "came", "shine"].map(|port| sim.peek(port))));
            assert!(ports.iter().all(|p| *p == ports[0]), "{clocks:?}, instant {instant}, action {action}");
            came += ports[0].1[1];
            if compare {
                let states = sims.each_mut().map(|sim| (sim.save(), sim.probes()));
                assert!(states.iter().all(|s| *s == states[0]), "{clocks:?}, instant {instant}, action {action}");
                if instant % 5 == 0 {
                    saved = Some(states[0].0.clone());
                }
            }
        }
        assert!(came > 20, "{clocks:?}: only {came} tokens came through");
    }
}

/// Wires that are looked at by handle, also for the first time, at instants without an edge of their clock.
#[test]
fn wires_are_up_to_date_while_their_clock_rests() {
    let design = system(false);
    let ways = [PLAIN.engine, Engine::Word, Engine::Sliced, Engine::Vector];
    let paths = ["core.ready", "router.ready", "router.take", "bank.send", "bank.take"];
    for clocks in frequencies() {
        let mut sims = ways.map(|engine| start(&design, &clocks, Options { engine, ..PLAIN }));
        let handles = sims.each_ref().map(|sim| paths.map(|path| sim.net(path).expect("a wire")));
        let mut random = Rng::new(7);
        let mut ones = 0;
        for instant in 0..400 {
            let (inject, word) = (random.below(3) == 0, random.below(1 << 40) | 128);
            // From some instant on, a wire after the other.
            let looked_at = paths.len().min(instant / 23);
            let seen = [0, 1, 2, 3].map(|i| {
                let sim = &mut sims[i];
                let full = sim.peek("full") == 1;
                sim.poke("inject", u64::from(inject && !full));
                sim.poke("word", word);
                let seen: Vec<_> = handles[i][..looked_at].iter().map(|&net| sim.peek_at(net)).collect();
                step(sim);
                seen
            });
            assert!(seen.iter().all(|found| *found == seen[0]), "{clocks:?}, instant {instant}: {seen:?}");
            ones += seen[0].iter().sum::<u64>();
        }
        assert!(ones > 20, "{clocks:?}: {ones}");
    }
}

/// Clocks of one frequency are what one clock is.
#[test]
fn equal_clocks_take_every_edge_together() {
    let design = system(false);
    let mut sim = start(&design, &Clocks::default().ratio("noc", 3, 3), Options::default());
    let clocks = ["clock", "noc", "dram"].map(|name| sim.clock(name).expect("declared"));
    for cycle in 2..50 {
        assert_eq!((sim.cycle(), sim.time()), (cycle, cycle));
        assert_eq!(clocks.map(|c| (sim.has_edge(c), sim.cycle_of(c))), [(true, cycle); 3]);
        step(&mut sim);
    }
    let alone = start(&system(true), &Clocks::default(), Options::default());
    assert_eq!(alone.cycle(), 2);
    alone.clock("noc").expect_err("it has one clock");
}

/// A counter for each clock.
fn counters() -> Design {
    let m = Builder::new("counters", params! {});
    let fail = m.input("fail", 1);
    let count = |name: &str| {
        let count = m.register(name, 8, 5);
        m.set(count, count + 1);
        m.output_of(format!("{name}_now"), count);
        m.count(format!("{name}_cycles"), m.lit(1, 1));
        m.histogram(format!("{name}_values"), m.lit(1, 1), count);
    };
    count("base");
    m.in_domain(m.domain("fast"), || count("quick"));
    m.in_domain(m.domain("slow"), || {
        count("lazy");
        m.always("nothing fails", !fail);
    });
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}

fn counter_clocks() -> Clocks {
    Clocks::default().ratio("fast", 3, 2).period("slow", 4)
}

#[test]
fn registers_move_at_their_own_edges() {
    for options in ways() {
        let mut sim = start(&counters(), &counter_clocks(), options);
        let clocks = ["clock", "fast", "slow"].map(|name| sim.clock(name).expect("declared"));
        // Two edges of the slowest clock lie in reset: at 0 and at 12 ticks, where the others had their 5th and 7th.
        assert_eq!(clocks.map(|c| sim.cycle_of(c)), [5, 7, 2]);
        let before = clocks.map(|c| sim.cycle_of(c));
        for _ in 0..200 {
            let moved: Vec<u64> = clocks.iter().zip(before).map(|(&c, before)| sim.cycle_of(c) - before).collect();
            let seen: Vec<u64> = ["base_now", "quick_now", "lazy_now"].iter().map(|port| sim.peek(port)).collect();
            assert_eq!(seen, moved.iter().map(|edges| 5 + edges).collect::<Vec<_>>(), "{options:?}");
            step(&mut sim);
        }
        let cycles: Vec<u64> = clocks.iter().zip(before).map(|(&c, before)| sim.cycle_of(c) - before).collect();
        for probe in sim.probes() {
            let own = ["base", "quick", "lazy"].iter().position(|name| probe.name.starts_with(name)).expect("named so");
            assert_eq!(probe.count, cycles[own], "{}", probe.name);
        }
    }
}

#[test]
fn assertions_hold_at_edges_of_their_clock() {
    for options in ways() {
        let mut sim = start(&counters(), &counter_clocks(), options);
        let slow = sim.clock("slow").expect("declared");
        let mut failures = 0;
        for _ in 0..60 {
            sim.poke("fail", 1);
            let due = sim.has_edge(slow);
            let (time, cycle) = (sim.time(), sim.cycle_of(slow));
            match sim.step() {
                Ok(()) => assert!(!due),
                Err(error) => {
                    assert!(due);
                    let message = format!("cycle {cycle} of clock `slow`: counters: assertion failed: nothing fails");
                    assert!(error.to_string().starts_with(&message), "{error}");
                    assert!(matches!(error, SimError::Assertion { .. }));
                    assert_eq!(sim.time(), time, "the edge has not happened");
                    sim.poke("fail", 0);
                    step(&mut sim);
                    failures += 1;
                }
            }
        }
        assert!(failures > 5);
    }
}

/// Where their clock has no edge, next values of tiles apart are not there to be compared.
#[test]
fn tiles_apart_are_validated_at_the_edges_of_their_clock() {
    let m = Builder::new("slow", params! {});
    let (count, sum) = (m.register("count", 8, 0), m.register("sum", 16, 0));
    m.set(count, count + 1);
    m.set(sum, sum + count.extend(16) + m.input("x", 16));
    let shown = m.register("shown", 16, 0);
    m.set(shown, sum ^ (sum >> 3u64));
    m.output_of("y", shown);
    let tile = m.finish();
    let m = Builder::new("of_two_clocks", params! {});
    let noc = m.domain("noc");
    let age = m.register("age", 8, 0);
    m.set(age, age + 1);
    m.output_of("age_now", age);
    for i in 0..6u32 {
        let slow = m.tile_in(noc, ("slow", i), &tile);
        slow.drive("x", m.lit(16, u64::from(i)));
        m.output_of(("y", i), slow.get("y"));
    }
    let design = elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
    let clocks = Clocks::default().ratio("noc", 2, 5);
    for engine in [Engine::Sliced, Engine::Vector] {
        for validate in [Engine::Interpreter, Engine::Word] {
            let options = Options { engine, validate: Some(validate), ..Options::DEFAULT };
            let mut sim = start(&design, &clocks, options);
            (0..60).for_each(|_| step(&mut sim));
            sim.finish_validation().unwrap_or_else(|e| panic!("{engine} beside {validate}: {e}"));
        }
    }
}

#[test]
fn a_snapshot_belongs_to_its_frequencies() {
    let design = counters();
    let mut sim = start(&design, &counter_clocks(), Options::default());
    (0..33).for_each(|_| step(&mut sim));
    let saved = sim.save();
    let mut other = start(&design, &Clocks::default(), Options::default());
    let text = other.restore(&saved).expect_err("other frequencies").to_string();
    assert_eq!(text, "cannot restore: the snapshot is of another design");
    for options in ways() {
        let mut again = start(&design, &counter_clocks(), options);
        again.restore(&saved).expect("the same");
        assert_eq!((again.time(), again.cycle(), again.edges()), (sim.time(), sim.cycle(), sim.edges()));
    }
}

/// As the clocks are: each rises at its edges and falls half a period later, and a register changes where its own clock rises.
#[test]
fn waveforms_have_the_time_of_the_clocks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (i, options) in ways().into_iter().enumerate() {
        let file = folder.path().join(format!("{i}.vcd"));
        let mut sim = start(&counters(), &counter_clocks().megahertz(400), options);
        let (mut texts, began) = (vec![], sim.cycle());
        for (from, until) in [(6, Some(10)), (0, None)] {
            let select = vec!["base".into(), "quick".into(), "lazy".into()];
            let start = Moment::default();
            let file = file.with_extension(format!("{from}.vcd"));
            let wave =
                WaveOptions { file: file.clone(), format: WaveFormat::Vcd, select, start, from, until, views: vec![] };
            sim.record_wave(wave).expect("a waveform");
            texts.push((file, from));
        }
        (0..20).for_each(|_| step(&mut sim));
        sim.finish_waves().expect("written");
        for (file, from) in texts {
            let text = std::fs::read_to_string(&file).expect("written");
            let times = |name: &str, which: fn(&str) -> bool| changes(&text, name, which);
            for (clock, register) in [("clock", "base"), ("clock_fast", "quick"), ("clock_slow", "lazy")] {
                let (rises, all) = (times(clock, |value| value == "1"), times(register, |_| true));
                // The first value is that of the beginning.
                let at_edges = all[1..].iter().all(|time| rises.contains(time));
                assert!(all.len() > 1 && at_edges, "{clock}: {rises:?}, {all:?}");
                let known = times(clock, |_| true);
                assert_eq!(known[0], all[0], "{clock} has a value from the beginning on");
                assert!(known.is_sorted_by(|a, b| a < b), "{clock} changes once at a time: {known:?}");
            }
            // Cycle k begins k periods of 2.5 ns after the start.
            let rises = times("clock", |value| value == "1");
            let cycles = (from.max(began)..).map(|cycle| 2500 * cycle).take(rises.len());
            assert!(rises.len() >= 4 && cycles.eq(rises.iter().copied()), "{rises:?}");
            if from == 6 {
                insta::assert_snapshot!("waveform", text);
            }
        }
    }
}

/// When a signal of a VCD file changes to such a value.
fn changes(vcd: &str, name: &str, which: fn(&str) -> bool) -> Vec<u64> {
    let declared = vcd.lines().find(|line| line.ends_with(&format!(" {name} $end"))).expect("it is there");
    let code = declared.split_whitespace().nth(3).expect("a code");
    let (mut time, mut found) = (0, vec![]);
    for line in vcd.lines() {
        if let Some(now) = line.strip_prefix('#') {
            time = now.parse().expect("a number");
        } else if let Some(value) = line.strip_suffix(code).map(str::trim)
            && value.starts_with(['0', '1', 'b'])
            && which(value)
        {
            found.push(time);
        }
    }
    found
}
