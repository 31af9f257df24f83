//! Children, loops that are none, memories and random hierarchies: both engines agree, and agree with the host where
//! the answer is simple.

use proptest::{prelude::*, test_runner::TestRunner};
use warpmesh::{
    common::random::Random,
    hdl::{Bits, Builder, Module, Signal, concat, mux, params, select},
    netlist::elaborate,
    sim::{Engine, Options, Simulator},
};

const ENGINES: [Engine; 2] = [Engine::Interpreter, Engine::Word];

fn simulate(module: &Module, engine: Engine) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let options =
        Options { engine, validate: (engine == Engine::Word).then_some(Engine::Interpreter), ..Options::default() };
    Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// `x * 3 + 7` after many steps, so that the block is too large to be inlined for its size.
fn long_way<'m>(x: Signal<'m>) -> Signal<'m> {
    let tripled = x * 3;
    (0..40u64).fold(tripled + 7, |sum, i| sum + (i + 1) - i - 1)
}

/// Two paths that have nothing to do with each other, and a register behind the second.
fn two_paths() -> Module {
    let m = Builder::new("two_paths", params! {});
    let (a, b) = (m.input("a", 16), m.input("b", 16));
    m.output_of("a_out", long_way(a));
    let b_out = long_way(b).named("b_value");
    m.output_of("b_out", b_out);
    let seen = m.delayed("seen", b_out);
    m.output_of("seen_out", seen);
    m.output_of("seen_plus", seen + 1);
    m.finish()
}

#[test]
fn a_loop_through_a_child_that_is_none_is_resolved() {
    let m = Builder::new("false_loop", params! {});
    let inner = m.instance("inner", &two_paths());
    inner.drive("a", m.input("x", 16));
    inner.drive("b", inner.get("a_out") + 1);
    m.output_of("y", inner.get("b_out"));
    m.output_of("seen", inner.get("seen_out"));
    let module = m.finish();
    for engine in ENGINES {
        let mut sim = simulate(&module, engine);
        sim.poke("x", 10);
        assert_eq!(sim.peek("y"), (10 * 3 + 7 + 1) * 3 + 7);
        sim.step().expect("engines agree");
        assert_eq!(sim.peek("seen"), 121);
        assert_eq!(sim.peek_path("inner.b_value"), Some(Bits::new(16, 121)));
    }
}

/// The middle block's output needs none of its inputs, but comes from a child that one of them goes to: the outer block
/// feeds the one back to the other.
#[test]
fn an_early_output_from_a_child_that_waits_for_an_input() {
    let middle = {
        let m = Builder::new("middle", params! {});
        let count = m.register("count", 16, 0);
        m.set(count, count + 1);
        let inner = m.instance("inner", &two_paths());
        inner.drive("a", count);
        inner.drive("b", m.input("late", 16));
        m.output_of("early", inner.get("a_out"));
        m.output_of("seen", inner.get("seen_out"));
        m.output_of("plus", inner.get("seen_plus"));
        m.finish()
    };
    let m = Builder::new("outer", params! {});
    let child = m.instance("middle", &middle);
    child.drive("late", child.get("early") + child.get("plus"));
    m.output_of("seen", child.get("seen"));
    let module = m.finish();
    for engine in ENGINES {
        let mut sim = simulate(&module, engine);
        sim.reset(1);
        let mut seen = 0u64;
        for count in 0..50u64 {
            assert_eq!(sim.peek("seen"), seen, "{engine:?}, cycle {count}");
            sim.step().expect("engines agree");
            seen = ((count * 3 + 7 + seen + 1) * 3 + 7) & 0xffff;
        }
    }
}

/// A memory with two write ports (the second masked), an asynchronous and a synchronous read port.
fn storage(depth: usize, width: u32, parts: u32) -> Module {
    let m = Builder::new("storage", params! { depth, width, parts });
    let memory = m.memory("words", depth, width);
    let address = |name: &str| m.input(name, memory.address_width() + 1);
    let (first, second, read) = (address("first"), address("second"), address("read"));
    m.when(m.input("first_enable", 1), || memory.write(first, m.input("first_data", width)));
    m.when(m.input("second_enable", 1), || {
        memory.write_masked(second, m.input("second_data", width), m.input("mask", parts));
    });
    m.output_of("now", memory.read(read));
    m.output_of("later", memory.read_sync("later_word", read, m.input("read_enable", 1)));
    m.finish()
}

#[test]
fn memories_keep_what_was_written() {
    for (depth, width, parts) in
        [(8, 1, 1), (5, 12, 3), (16, 32, 4), (7, 64, 8), (4, 130, 10), (6, 512, 64), (3, 96, 2)]
    {
        let design = elaborate(&storage(depth, width, parts)).unwrap_or_else(|e| panic!("{e}"));
        for engine in ENGINES {
            let options = Options { engine, validate: Some(Engine::Interpreter), ..Options::default() };
            let mut sim = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
            check_memory(&mut sim, depth, width, parts);
        }
    }
}

fn check_memory(sim: &mut Simulator, depth: usize, width: u32, parts: u32) {
    let mut random = Random::new(u64::from(width));
    let mut words = vec![Bits::zero(width); depth];
    let mut later = Bits::zero(width);
    for _ in 0..300 {
        let wide =
            |random: &mut Random| Bits::from_words(width, &std::array::from_fn::<_, 8, _>(|_| random.next_u64()));
        let range = depth as u64 + 1; // one address is beyond the end
        let (first, second, read) = (random.below(range), random.below(range), random.below(range));
        let (a, b) = (wide(&mut random), wide(&mut random));
        let (enable_a, enable_b, enable_read) = (random.below(2), random.below(2), random.below(2));
        let mask = Bits::new(parts, random.next_u64());
        sim.poke("first", first);
        sim.poke("second", second);
        sim.poke("read", read);
        sim.poke_bits("first_data", &a);
        sim.poke_bits("second_data", &b);
        sim.poke_bits("mask", &mask);
        sim.poke("first_enable", enable_a);
        sim.poke("second_enable", enable_b);
        sim.poke("read_enable", enable_read);
        let now = words.get(read as usize).cloned().unwrap_or(Bits::zero(width));
        assert_eq!(sim.peek_bits("now"), now);
        assert_eq!(sim.peek_bits("later"), later);
        sim.step().unwrap_or_else(|e| panic!("{e}"));
        if enable_read == 1 {
            later = now;
        }
        if enable_a == 1
            && let Some(word) = words.get_mut(first as usize)
        {
            *word = a;
        }
        if enable_b == 1
            && let Some(word) = words.get_mut(second as usize)
        {
            (0..width).filter(|i| mask.bit(i / (width / parts))).for_each(|i| word.set_bit(i, b.bit(i)));
        }
    }
    for (address, word) in words.iter().enumerate() {
        assert_eq!(sim.memory_word("words", address).as_ref(), Ok(word));
    }
    assert!(sim.memory_word("words", depth).is_err());
    sim.write_memory_word("words", 1, &Bits::ones(width)).expect("the word exists");
    sim.poke("read", 1);
    assert_eq!(sim.peek_bits("now"), Bits::ones(width));
}

/// A random block over `children`; every random choice comes from `random`.
fn random_module(name: &str, random: &mut Random, children: &[Module], size: usize) -> Module {
    let m = Builder::new(name, params! {});
    let widths = [1u32, 1, 1, 3, 8, 17, 32, 64, 65, 130, 200];
    let mut pool = vec![];
    for i in 0..4 {
        pool.push(m.input(format!("in{i}"), widths[random.below(widths.len() as u64) as usize]));
    }
    let mut registers = vec![];
    for i in 0..5 {
        let width = widths[random.below(widths.len() as u64) as usize];
        let bits = Bits::from_words(width, &[random.next_u64(), random.next_u64(), 5, 9]);
        let register = if i == 4 { m.register_payload("r4", width) } else { m.register_bits(format!("r{i}"), bits) };
        registers.push(register);
        pool.push(register);
    }
    let memory = m.memory("memory", 5, 40);
    // Children are driven by whatever is there; their outputs join the pool, so parents chain them.
    for (c, child) in children.iter().enumerate() {
        let instance = m.instance(format!("c{c}"), child);
        for &input in &child.inputs {
            let net = child.net(input);
            let value = pool[random.below(pool.len() as u64) as usize];
            instance.drive(&net.name, value.resize(net.width));
        }
        for &output in &child.outputs {
            pool.push(instance.get(&child.net(output).name));
        }
        grow(random, &mut pool, size / 4);
    }
    grow(random, &mut pool, size);
    let pick = |random: &mut Random, pool: &[Signal<'_>]| random.below(pool.len() as u64) as usize;
    let address = pool[pick(random, &pool)].resize(3);
    pool.push(memory.read(address));
    let (enable, data) = (pool[pick(random, &pool)].any(), pool[pick(random, &pool)].resize(40));
    m.when(enable, || memory.write_masked(pool[pick(random, &pool)].resize(3), data, pool[3].resize(5)));
    grow(random, &mut pool, size / 4);
    for register in registers {
        let (enable, value) = (pool[pick(random, &pool)].any(), pool[pick(random, &pool)]);
        m.when(enable, || m.set(register, value.resize(register.width())));
    }
    for i in 0..4 {
        // Some outputs show registers, some are combinational.
        let value = if i == 0 { pool[4] } else { pool[pool.len() - 1 - i * 3] };
        m.output_of(format!("out{i}"), value);
    }
    m.output_of("early", pool[5] ^ pool[5].any().resize(pool[5].width()));
    m.count("counted", pool[pick(random, &pool)].any());
    m.sum("summed", pool[pick(random, &pool)].any(), pool[pick(random, &pool)].resize(30));
    m.histogram("small", pool[pick(random, &pool)].any(), pool[pick(random, &pool)].resize(4));
    m.histogram("large", pool[pick(random, &pool)].any(), pool[pick(random, &pool)].resize(12));
    m.finish()
}

fn grow<'m>(random: &mut Random, pool: &mut Vec<Signal<'m>>, count: usize) {
    for i in 0..count {
        let (a, b) = (pool[random.below(pool.len() as u64) as usize], pool[random.below(pool.len() as u64) as usize]);
        let same = b.resize(a.width());
        let value = match random.below(22) {
            0 => a + same,
            1 => a - same,
            2 => a * same,
            3 => a & same,
            4 => a | same,
            5 => a ^ same,
            6 => a.eq(same),
            7 => a.lt(same),
            8 => a.lt_signed(same),
            9 => a << b.resize(7),
            10 => a >> b.resize(9),
            11 => a.shr_signed(b.resize(8)),
            12 => mux(b.any(), a, a + 1),
            13 if a.width() + b.width() < 300 => a.join(b),
            14 => a.bits(a.width() / 3, a.width() - a.width() / 2),
            15 => a.bits_at(b.resize(8), 20),
            16 => !a,
            17 => a.parity(),
            18 => a.sign_extend(a.width() + 9).bits(4, a.width()),
            19 => select(b.resize(2), &[a, same, a ^ same]),
            20 => mux(b.bit(0), a, same),
            _ => concat(&[a.bit(0), b.bit(0), a.all()]),
        };
        pool.push(if random.below(4) == 0 { value.named(format!("w{}_{i}", pool.len())) } else { value });
    }
}

/// Three levels; the upper two instantiate the ones below several times.
fn random_design(seed: u64, size: usize) -> Module {
    let mut random = Random::new(seed.wrapping_mul(77) + 3);
    let leaf = |n: &str, random: &mut Random, size| random_module(&format!("{n}_{seed}_{size}"), random, &[], size);
    let (small, large) = (leaf("small", &mut random, 3), leaf("large", &mut random, size));
    let middle =
        random_module(&format!("middle_{seed}_{size}"), &mut random, &[small.clone(), large.clone(), large], size);
    random_module(&format!("top_{seed}_{size}"), &mut random, &[middle.clone(), small, middle], size)
}

fn run_random(seed: u64, size: usize, cycles: u64) -> Result<(), String> {
    let module = random_design(seed, size);
    let design = elaborate(&module).map_err(|e| e.to_string())?;
    let options = Options { validate: Some(Engine::Interpreter), ..Options::default() };
    let mut sim = Simulator::new(&design, &options).map_err(|e| e.to_string())?;
    let mut random = Random::new(seed);
    sim.reset(2);
    for _ in 0..cycles {
        for i in 0..4 {
            if random.below(2) == 0 {
                let value = Bits::from_words(200, &std::array::from_fn::<_, 4, _>(|_| random.next_u64()));
                sim.poke_bits(&format!("in{i}"), &value);
            }
        }
        sim.step().map_err(|e| format!("seed {seed}, size {size}: {e}"))?;
    }
    Ok(())
}

#[test]
fn random_hierarchies_agree_between_the_engines() {
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() });
    let result = runner.run(&(any::<u32>(), 4..120usize), |(seed, size)| {
        run_random(u64::from(seed), size, 40).map_err(TestCaseError::fail)
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// Enough code for several functions per phase, with values passed between them.
#[test]
fn large_modules_are_cut_into_functions() {
    run_random(11, 4000, 10).unwrap_or_else(|e| panic!("{e}"));
}
