//! Passes of the word-level engine: none of them changes a bit, alone, together or left out.

use crate::matrix::selections;
use crate::netlist::random_holding_module;
use warpmesh::{
    blocks::multiply32,
    hdl::{Bits, Builder, Module, mux, params, priority_mux, select},
    netlist::elaborate,
    sim::{Engine, Moment, Options, Pass, Passes, ProbeResult, Simulator, WaveFormat, WaveOptions},
    verilog::lockstep::Rng,
};

fn simulate(module: &Module, options: Options) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// Outputs over time and statistics, under random stimulus with pokes that are taken back and a reset in the middle.
fn record(module: &Module, options: Options, seed: u64, cycles: u64) -> (Vec<Bits>, Vec<ProbeResult>) {
    let mut sim = simulate(module, options);
    let mut rng = Rng::new(seed);
    let mut seen = vec![];
    let ports = |ids: &[warpmesh::hdl::NetId]| ids.iter().map(|&id| module.net(id).clone()).collect::<Vec<_>>();
    let (inputs, outputs) = (ports(&module.inputs), ports(&module.outputs));
    for cycle in 0..cycles {
        if cycle == 0 || cycle == cycles / 2 {
            sim.reset(1);
        }
        for _ in 0..2 {
            for port in &inputs {
                if rng.chance(0.4) {
                    sim.poke_bits(&port.name, &rng.bits(port.width));
                }
            }
            let port = &outputs[rng.below(outputs.len() as u64) as usize];
            seen.push(sim.peek_bits(&port.name));
        }
        sim.step().unwrap_or_else(|e| panic!("{:?}: {e}", options.passes));
        seen.extend(outputs.iter().map(|port| sim.peek_bits(&port.name)));
    }
    (seen, sim.probes())
}

fn check(module: &Module, seed: u64, cycles: u64) {
    let expected = record(module, Options { engine: Engine::Interpreter, ..Options::default() }, seed, cycles);
    // The design with operator nets does the same.
    assert!(record(module, Options { activity: true, ..Options::default() }, seed, cycles) == expected, "seed {seed}");
    for passes in selections() {
        let options =
            Options { engine: Engine::Word, validate: Some(Engine::Interpreter), passes, ..Options::default() };
        assert!(record(module, options, seed, cycles) == expected, "seed {seed}, passes {passes}");
    }
}

#[test]
fn random_modules_do_not_depend_on_passes() {
    for seed in 0..6 {
        check(&random_holding_module(seed, 150, &[]), seed, 60);
    }
}

#[test]
fn random_hierarchies_do_not_depend_on_passes() {
    for seed in 10..13 {
        let leaves = [random_holding_module(seed, 40, &[]), random_holding_module(seed + 100, 60, &[])];
        let middle = random_holding_module(seed + 200, 60, &leaves);
        check(&random_holding_module(seed + 300, 60, &[middle, leaves[0].clone()]), seed, 40);
    }
}

/// `x * factor + 7` after many steps: too large to be inlined for its size.
fn long_unit(name: &str, factor: u64) -> Module {
    let m = Builder::new(name, params! {});
    let x = m.input("x", 32);
    m.output_of("y", (0..16u64).fold(x * factor + 7, |sum, i| sum + (i + 1) - i - 1));
    m.output_of("odd", (x * factor).bit(0));
    m.finish()
}

/// Chooses between units, one of which chooses again: what is not chosen need not be computed.
fn chooser() -> Module {
    let m = Builder::new("chooser", params! {});
    let (kind, a, b) = (m.input("kind", 3), m.input("a", 32), m.input("b", 32));
    let held = m.register("held", 32, 0);
    let unit = |name: &str, module: &Module, x| {
        let unit = m.instance(name, module);
        unit.drive("x", x);
        unit
    };
    let triple = unit("triple", &long_unit("triple", 3), a);
    let five = unit("five", &long_unit("five", 5), b);
    let nested = m.instance("nested", &chosen_within());
    nested.drive("a", a);
    nested.drive("b", held);
    nested.drive("kind", kind.bits(0, 2));
    let product = m.instance("product", &multiply32(0));
    product.drive("a", a);
    product.drive("b", held);
    product.drive("c", 0);
    product.drive("signed_value", 1);
    let is = |code: u64| kind.eq(code);
    let of_product = select(kind.bits(0, 1), &[product.get("low"), product.get("high") + b]);
    let arms = [(is(1), triple.get("y")), (is(2), five.get("y")), (is(3) | is(4), of_product)];
    m.output_of("chosen", priority_mux(&arms, nested.get("y")));
    // Its own result chooses: it has to be there.
    let seven = unit("seven", &long_unit("seven", 7), b);
    m.output_of("own", mux(seven.get("odd"), seven.get("y"), a));
    // One result chooses whether another one is read, which chooses whether a third one is.
    let nine = unit("nine", &long_unit("nine", 9), held);
    let eleven = unit("eleven", &long_unit("eleven", 11), a);
    let by_nine = mux(nine.get("odd"), eleven.get("y"), b);
    let thirteen = unit("thirteen", &long_unit("thirteen", 13), by_nine);
    m.output_of("third", mux(by_nine.bit(0), thirteen.get("y"), held));
    // Read in two ways.
    let both = unit("both", &long_unit("both", 15), a ^ held);
    m.output_of("this", mux(is(5), both.get("y"), 0));
    m.output_of("that", mux(is(6), a, both.get("y") + 1));
    m.when(is(7), || m.set(held, mux(a.bit(0), triple.get("y"), b)));
    m.count("odd", five.get("odd"));
    m.finish()
}

fn chosen_within() -> Module {
    let m = Builder::new("chosen_within", params! {});
    let (kind, a, b) = (m.input("kind", 2), m.input("a", 32), m.input("b", 32));
    let units = ["left", "middle", "right"].map(|name| (name, long_unit(name, name.len() as u64)));
    let results = units.map(|(name, module)| {
        let unit = m.instance(name, &module);
        unit.drive("x", if name == "left" { a } else { a - b });
        unit.get("y")
    });
    let product = m.instance("product", &multiply32(0));
    product.drive("a", a);
    product.drive("b", b);
    product.drive("c", a);
    product.drive("signed_value", 0);
    m.output_of("y", select(kind, &[results[0], results[1], results[2], product.get("low")]));
    m.finish()
}

#[test]
fn what_is_not_chosen_changes_nothing() {
    for seed in 20..24 {
        check(&chooser(), seed, 200);
    }
}

#[test]
fn what_is_not_chosen_can_be_looked_at() {
    let expected = Options { engine: Engine::Interpreter, ..Options::default() };
    let (mut native, mut reference) = (simulate(&chooser(), Options::default()), simulate(&chooser(), expected));
    let mut names = vec![];
    all_nets(&chooser(), "", &mut names);
    let mut rng = Rng::new(5);
    for cycle in 0..300 {
        for (port, width) in [("kind", 3), ("a", 32), ("b", 32)].into_iter().filter(|_| cycle % 3 > 0) {
            let value = rng.bits(width);
            for sim in [&mut native, &mut reference] {
                sim.poke_bits(port, &value);
            }
        }
        let name = &names[rng.below(names.len() as u64) as usize];
        assert_eq!(native.peek_path(name), reference.peek_path(name), "cycle {cycle}: {name}");
        for sim in [&mut native, &mut reference] {
            sim.step().expect("no claims");
        }
    }
}

/// Names of all nets, dotted.
fn all_nets(module: &Module, path: &str, names: &mut Vec<String>) {
    names.extend(module.nets.iter().map(|net| format!("{path}{}", net.name)));
    for instance in &module.instances {
        all_nets(&instance.module, &format!("{path}{}.", instance.name), names);
    }
}

#[test]
fn wires_that_are_left_out_can_be_looked_at() {
    let leaf = random_holding_module(20, 40, &[]);
    let module = random_holding_module(21, 60, &[random_holding_module(22, 40, &[leaf])]);
    let mut names = vec![];
    all_nets(&module, "", &mut names);
    let mut all = [(Engine::Interpreter, Passes::NONE), (Engine::Word, Passes::ALL), (Engine::Word, Passes::NONE)]
        .map(|(engine, passes)| simulate(&module, Options { engine, passes, ..Options::default() }));
    let handles = all.each_ref().map(|sim| {
        let handle = |name: &String| sim.net(name).unwrap_or_else(|e| panic!("{e}"));
        names.iter().step_by(7).map(handle).collect::<Vec<_>>()
    });
    let mut rng = Rng::new(20);
    // Long enough for the simulator to notice that somebody looks in every cycle; the handles come last.
    for cycle in 0..40 {
        for &port in &module.inputs {
            let (name, value) = (&module.net(port).name, rng.bits(module.net(port).width));
            all.iter_mut().for_each(|sim| sim.poke_bits(name, &value));
        }
        for name in names.iter().skip(cycle).step_by(11) {
            let seen = all.each_mut().map(|sim| sim.peek_path(name));
            assert!(seen[0].is_some() && seen[0] == seen[1] && seen[0] == seen[2], "cycle {cycle}, {name}: {seen:?}");
        }
        if cycle >= 30 {
            let [reference, one, other] =
                [0, 1, 2].map(|i| handles[i].iter().map(|&h| all[i].peek_bits_at(h)).collect::<Vec<_>>());
            assert!(reference == one && reference == other, "cycle {cycle}: handles");
        }
        let saved = all.each_mut().map(|sim| sim.save());
        assert!(saved[0] == saved[1] && saved[0] == saved[2], "equal states have equal bytes");
        all.iter_mut().for_each(|sim| sim.step().unwrap_or_else(|e| panic!("{e}")));
    }
    let probes = all.each_mut().map(|sim| sim.probes());
    assert!(probes[0] == probes[1] && probes[0] == probes[2], "{probes:?}");
}

#[test]
fn waveforms_do_not_depend_on_passes() {
    let leaf = random_holding_module(30, 40, &[]);
    let module = random_holding_module(31, 60, &[leaf.clone(), leaf]);
    let folder = tempfile::tempdir().expect("a folder for waveforms");
    let record = |engine: Engine, passes: Passes, select: &[&str]| {
        let mut sim = simulate(&module, Options { engine, passes, ..Options::default() });
        let file = folder.path().join("wave.vcd");
        let select = select.iter().map(|s| s.to_string()).collect();
        let mut rng = Rng::new(3);
        for cycle in 0..30 {
            if cycle == 10 {
                let options = WaveOptions {
                    file: file.clone(),
                    format: WaveFormat::Vcd,
                    select: Vec::clone(&select),
                    start: Moment::default(),
                    from: 0,
                    until: None,
                    views: vec![],
                };
                sim.record_wave(options).unwrap_or_else(|e| panic!("{e}"));
            }
            for &port in &module.inputs {
                sim.poke_bits(&module.net(port).name, &rng.bits(module.net(port).width));
            }
            sim.step().unwrap_or_else(|e| panic!("{e}"));
        }
        sim.finish_waves().unwrap_or_else(|e| panic!("{e}"));
        std::fs::read_to_string(&file).expect("it was written")
    };
    for select in [&[][..], &["child*"], &["w*", "*.s*"]] {
        let expected = record(Engine::Interpreter, Passes::ALL, select);
        for passes in [Passes::ALL, Passes::NONE] {
            assert!(record(Engine::Word, passes, select) == expected, "{select:?}, {passes}");
        }
    }
}

/// Words, described bit by bit.
fn bit_by_bit() -> Module {
    let m = Builder::new("bit_by_bit", params! {});
    let [a, b, c] = ["a", "b", "c"].map(|name| m.input(name, 40));
    let (s, held) = (m.input("s", 1), m.register("held", 40, 5));
    let [a_bits, b_bits, c_bits, held_bits] = [a, b, c, held].map(|word| word.to_bits());
    let all = 0..40;
    let one = |i: usize| (a_bits[i] & !b_bits[i]) | (held_bits[i] & s);
    m.output_of("some", all.clone().map(one).reduce(|x, y| x | y).expect("there are bits"));
    // Not in order, and not all of them.
    let other = |i: usize| b_bits[(7 * i) % 40] | c_bits[(7 * i) % 40];
    m.output_of("every", (0..33).map(other).reduce(|x, y| x & y).expect("there are bits"));
    // Most significant first, among other things.
    let chosen = |i: usize| a_bits[i] ^ mux(s, b_bits[i], if i.is_multiple_of(3) { m.lit(1, 1) } else { m.lit(1, 0) });
    let mut parts = vec![c.bits(3, 9)];
    parts.extend(all.clone().rev().map(chosen));
    parts.push(held.bits(0, 7));
    m.output_of("word", warpmesh::hdl::concat(&parts));
    // Bits that are needed by themselves, too.
    m.output_of("third", one(3));
    m.set(held, warpmesh::hdl::concat(&all.rev().map(|i| a_bits[i] & c_bits[39 - i]).collect::<Vec<_>>()));
    m.finish()
}

#[test]
fn words_that_are_described_bit_by_bit_are_computed_as_words() {
    let module = bit_by_bit();
    check(&module, 5, 60);
    let size = |passes: Passes| {
        let sim = simulate(&module, Options { engine: Engine::Word, passes, ..Options::default() });
        sim.figures().expect("code").code_bytes()
    };
    let passes = Passes::ALL.without(Pass::Gates);
    let (with, without) = (size(passes), size(passes.without(Pass::Merge)));
    assert!(2 * with < without, "{with} and {without} bytes");
}

/// Registers that keep their values now and then, and a memory of two ports that may write the same word.
fn keeping() -> Module {
    let m = Builder::new("keeping", params! {});
    let (enable, other) = (m.input("enable", 1), m.input("other", 1));
    let (a, b, wide) = (m.input("a", 64), m.input("b", 64), m.input("wide", 130));
    let long = |x, y| (0..6).fold(x, |x, i| ((x + y) ^ (x >> (i + 3))) - (y << i));
    let (first, second, third) = (m.register("first", 64, 3), m.register("second", 64, 4), m.register("third", 130, 5));
    let shared = long(first, b);
    m.when(enable, || m.set(first, long(a, first)));
    // The other way round; part of it is needed by others, too.
    m.set(second, mux(other, second, long(shared, a)));
    m.output_of("shared", shared);
    // The condition is computed of what is sunk elsewhere, and there is a condition inside.
    m.when(long(b, a).bit(7), || {
        m.when(enable & other, || m.set(third, wide + third));
        m.when(!enable, || m.set(third, wide - (third << 2u64)));
    });
    let memory = m.memory("memory", 4, 64);
    m.when(enable, || memory.write(long(a, b).bits(5, 2), long(b, first)));
    m.when(other, || memory.write(long(b, second).bits(9, 2), long(a, second)));
    m.output_of("read", memory.read(a.bits(0, 2)));
    m.output_of("x", first);
    m.output_of("y", second);
    m.output_of("z", third);
    m.finish()
}

#[test]
fn what_only_a_register_needs_is_computed_under_a_branch() {
    let module = keeping();
    check(&module, 6, 80);
    let size = |passes: Passes| {
        let sim = simulate(&module, Options { engine: Engine::Word, passes, ..Options::default() });
        sim.figures().expect("code").code_bytes()
    };
    assert_ne!(size(Passes::ALL), size(Passes::ALL.without(Pass::Branch)), "there are branches");
}

#[test]
fn passes_have_names() {
    assert_eq!(Passes::parse("all"), Ok(Passes::ALL));
    assert_eq!(Passes::parse("none"), Ok(Passes::NONE));
    assert_eq!(Passes::parse(""), Ok(Passes::NONE));
    assert_eq!(Passes::parse("fold, common"), Ok(Passes::NONE.with(Pass::Fold).with(Pass::Common)));
    assert_eq!(Passes::parse("-fold"), Ok(Passes::ALL.without(Pass::Fold)));
    assert_eq!(Passes::parse("all,-fold,-split,split"), Ok(Passes::ALL.without(Pass::Fold)));
    assert_eq!(Passes::parse("all,fodl"), Err("fodl".to_string()));
    for passes in selections() {
        assert_eq!(Passes::parse(&passes.to_string()), Ok(passes));
    }
    assert!(Pass::ALL.iter().all(|pass| !pass.about().is_empty()));
}
