//! Atomics: the block that computes, the unit of a memory node against a model, and every operation and type through
//! compiler, emulator and chip against host arithmetic. Programs of many threads are in `tests/memory/litmus.rs`, random ones
//! in `tests/core/random.rs`.

use crate::matrix::options;
use std::{collections::HashMap, path::Path};
use warpmesh::{
    blocks::atomic_alu,
    chip::load,
    hdl::Bits,
    host::{Host, Limits},
    memory::{AtomicUnitParams, atomic_unit, protocol::Protocol},
    netlist::elaborate,
    program::{Argument, Buffer, Launch, compile, emulator, isa::AtomicOp, semantics},
    report::Verdict,
    sim::Simulator,
    verilog::lockstep::{Rng, RunLength, Values, lockstep},
};

const CORNERS: [u64; 14] = [
    0,
    1,
    2,
    0x3f80_0000,
    0x7f80_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xff80_0001,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_0000_0000,
    u64::MAX,
];

fn value(random: &mut Rng) -> u64 {
    match random.below(3) {
        0 => CORNERS[random.below(14) as usize],
        1 => random.bits(64).to_u64() >> random.below(64),
        _ => u64::from((random.below(4096) as f32 / 16.0 - 100.0).to_bits()),
    }
}

#[test]
fn the_alu_computes_what_the_instructions_mean() {
    for bits in [32, 64] {
        let design = elaborate(&atomic_alu(bits)).unwrap_or_else(|errors| panic!("{errors}"));
        let mut sim = Simulator::new(&design, &options()).expect("simulates");
        let mut random = Rng::new(u64::from(bits));
        for _ in 0..100_000 {
            let op = AtomicOp::ALL[random.below(13) as usize];
            let wide = bits == 64 && op != AtomicOp::FAdd && random.chance(0.5);
            let [old, operand, other] = [(); 3].map(|()| value(&mut random));
            let compare = if random.chance(0.5) { old } else { other };
            let mask = if bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
            sim.poke("operation", op as u64);
            for (port, value) in [("old", old), ("operand", operand), ("compare", compare)] {
                sim.poke(port, value & mask);
            }
            if bits == 64 {
                sim.poke("wide", wide.into());
            }
            let low = if wide { u64::MAX } else { u64::from(u32::MAX) };
            let expected = semantics::atomic(op, wide, old, operand, compare);
            assert_eq!(sim.peek("writes") == 1, expected.is_some(), "{op:?} {wide} {old:x} {operand:x} {compare:x}");
            if let Some(new) = expected {
                assert_eq!(sim.peek("result") & low, new, "{op:?} {wide} {old:x} {operand:x} {compare:x}");
            }
        }
    }
}

/// What a request has to be answered with: its kind, and the words that count, with their values.
struct AtomicsExpected {
    write: bool,
    words: Vec<(u32, u32)>,
}

struct AtomicRequest {
    write: bool,
    tag: u64,
    line: u64,
    words: u64,
    bytes: u64,
    data: Bits,
}

impl AtomicRequest {
    /// The line after a plain write.
    fn store(&self, line: &mut [u32]) {
        for (w, word) in line.iter_mut().enumerate().filter(|(w, _)| self.words >> w & 1 == 1) {
            let mask = (0..4).filter(|b| self.bytes >> b & 1 == 1).fold(0, |mask, b| mask | 0xff_u32 << (8 * b));
            *word = *word & !mask | self.data.slice(32 * w as u32, 32).to_u64() as u32 & mask;
        }
    }

    /// The line after an atomic; its answer.
    fn atomic(&self, line: &mut [u32]) -> AtomicsExpected {
        let (at, wide) = (self.words.trailing_zeros() as usize, self.words.count_ones() == 2);
        let old = u64::from(line[at]) | if wide { u64::from(line[at + 1]) << 32 } else { 0 };
        let [operand, compare] = [0, 64].map(|low| self.data.slice(low, 64).to_u64());
        let op = AtomicOp::ALL[self.data.slice(128, 4).to_u64() as usize];
        if let Some(new) = semantics::atomic(op, wide, old, operand, compare) {
            line[at] = new as u32;
            if wide {
                line[at + 1] = (new >> 32) as u32;
            }
        }
        let mut words = vec![(at as u32, old as u32)];
        words.extend(wide.then_some((at as u32 + 1, (old >> 32) as u32)));
        let returns = self.data.slice(132, 1).to_u64() == 1;
        AtomicsExpected { write: !returns, words: if returns { words } else { vec![] } }
    }
}

/// The unit between random requests and a memory that answers in any order. What it takes has to take effect in that
/// order, so each reply is known when its request is taken.
struct AtomicsRig {
    p: AtomicUnitParams,
    sim: Simulator,
    random: Rng,
    seen: HashMap<u64, Vec<u32>>,
    stored: HashMap<u64, Vec<u32>>,
    shown: Option<AtomicRequest>,
    expected: HashMap<u64, AtomicsExpected>,
    /// Requests of memory, with what it answers.
    below: Vec<(bool, u64, Vec<u32>)>,
    answered: usize,
    atomics: usize,
    inputs: HashMap<String, Bits>,
    recorded: Vec<HashMap<String, Bits>>,
}

impl AtomicsRig {
    fn new(p: AtomicUnitParams, seed: u64) -> Self {
        let design = elaborate(&atomic_unit(&p)).unwrap_or_else(|errors| panic!("{errors}"));
        let mut sim = Simulator::new(&design, &options()).expect("simulates");
        sim.reset(2);
        let (random, shown, expected) = (Rng::new(seed), None, HashMap::new());
        let (seen, stored, inputs) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (below, recorded) = (vec![], vec![]);
        Self { p, sim, random, seen, stored, shown, expected, below, answered: 0, atomics: 0, inputs, recorded }
    }

    fn poke(&mut self, port: &str, value: &Bits) {
        self.sim.poke_bits(port, value);
        self.inputs.insert(port.into(), value.clone());
    }

    fn poke_bit(&mut self, port: &str, value: bool) {
        self.poke(port, &Bits::new(1, value.into()));
    }

    fn ask(&mut self) {
        let protocol = self.p.protocol;
        let tag = self.random.below(1 << protocol.tag_bits);
        if self.shown.is_some() || self.expected.contains_key(&tag) || !self.random.chance(0.8) {
            return;
        }
        let (count, bits) = (protocol.words(), protocol.data_bits());
        let any = self.random.below(1 << count);
        let mut data = self.random.bits(bits);
        let (write, words, bytes) = match self.random.below(4) {
            0 => (false, any, 15),
            1 => (true, any, 1 + self.random.below(15)),
            _ => {
                let op = self.random.below(13);
                let wide = op != AtomicOp::FAdd as u64 && self.random.chance(0.4);
                let at = self.random.below(count.into());
                // Small numbers, so that values meet again.
                let [operand, compare] = [(); 2].map(|()| self.random.below(4) | self.random.below(2) << 33);
                data = Bits::from_words(bits, &[operand, compare, op | self.random.below(2) << 4]);
                (true, if wide { 3 << (at & !1) } else { 1 << at }, 0)
            }
        };
        self.shown = Some(AtomicRequest { write, tag, line: self.random.below(5) * 77, words, bytes, data });
    }

    fn memory(&mut self) {
        let pick = self.random.below(self.below.len().max(1) as u64) as usize;
        let answer = !self.below.is_empty() && self.random.chance(0.4);
        self.poke_bit("downstream_reply_valid", answer);
        if answer {
            let (write, tag, line) = self.below[pick].clone();
            let tag_bits = self.p.downstream().tag_bits;
            let words: Vec<_> = line.chunks(2).map(|pair| u64::from(pair[1]) << 32 | u64::from(pair[0])).collect();
            self.poke_bit("downstream_reply_write", write);
            self.poke("downstream_reply_tag", &Bits::new(tag_bits, tag));
            self.poke("downstream_reply_data", &Bits::from_words(32 * line.len() as u32, &words));
        }
        self.reply();
        if answer && self.sim.peek("downstream_reply_taken") == 1 {
            self.below.remove(pick);
        }
        let shown = self.sim.peek("downstream_valid") == 1;
        let take = shown && self.below.len() < 12 && self.random.chance(0.6);
        self.poke_bit("downstream_taken", take);
        if take {
            let [write, tag, line, words, bytes] =
                ["write", "tag", "line", "words", "bytes"].map(|field| self.sim.peek(&format!("downstream_{field}")));
            let data = self.sim.peek_bits("downstream_data");
            let count = self.p.protocol.words() as usize;
            let of = self.stored.entry(line).or_insert_with(|| vec![0; count]);
            if write == 1 {
                assert_ne!(bytes, 0, "no atomic below");
                AtomicRequest { write: true, tag, line, words, bytes, data }.store(of);
            }
            self.below.push((write == 1, tag, of.clone()));
        }
    }

    fn reply(&mut self) {
        let take = self.sim.peek("reply_valid") == 1 && self.random.chance(0.6);
        self.poke_bit("reply_taken", take);
        if take {
            let expected = self.expected.remove(&self.sim.peek("reply_tag")).expect("a reply to a request");
            assert_eq!(self.sim.peek("reply_write") == 1, expected.write);
            let data = self.sim.peek_bits("reply_data");
            for (word, value) in expected.words {
                assert_eq!(data.slice(32 * word, 32).to_u64(), u64::from(value), "word {word}");
            }
            self.answered += 1;
        }
    }

    fn cycle(&mut self, asks: bool) {
        if asks {
            self.ask();
        }
        self.poke_bit("request_valid", self.shown.is_some());
        if let Some(asked) = self.shown.take() {
            let protocol = self.p.protocol;
            let widths = [1, protocol.tag_bits, protocol.line_number_bits(), protocol.words(), 4];
            let values = [asked.write.into(), asked.tag, asked.line, asked.words, asked.bytes];
            for ((field, width), value) in ["write", "tag", "line", "words", "bytes"].iter().zip(widths).zip(values) {
                self.poke(&format!("request_{field}"), &Bits::new(width, value));
            }
            self.poke("request_data", &asked.data);
            self.shown = Some(asked);
        }
        self.memory();
        if self.sim.peek("request_taken") == 1 {
            let asked = self.shown.take().expect("only what is shown is taken");
            let count = self.p.protocol.words() as usize;
            let line = self.seen.entry(asked.line).or_insert_with(|| vec![0; count]);
            let expected = match (asked.write, asked.bytes) {
                (false, _) => AtomicsExpected { write: false, words: (0..).zip(line.iter().copied()).collect() },
                (true, 0) => {
                    self.atomics += 1;
                    asked.atomic(line)
                }
                (true, _) => {
                    asked.store(line);
                    AtomicsExpected { write: true, words: vec![] }
                }
            };
            assert!(self.expected.insert(asked.tag, expected).is_none());
        }
        self.recorded.push(self.inputs.clone());
        self.sim.step().unwrap_or_else(|error| panic!("{:?}: {error}", self.p));
    }

    /// Random requests until `cycles` have passed and all are answered.
    fn run(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle(true));
        let mut left = 10_000;
        while !self.expected.is_empty() || self.shown.is_some() {
            self.cycle(false);
            left -= 1;
            assert!(left > 0, "it hangs: {:?}", self.p);
        }
        assert_eq!(self.seen, self.stored, "what memory holds in the end");
    }
}

fn unit(line_bytes: u32, tag_bits: u32, entries: u32) -> AtomicUnitParams {
    AtomicUnitParams { protocol: Protocol { line_bytes, tag_bits }, entries }
}

#[test]
fn the_unit_of_a_memory_node_does_one_thing_after_the_other_in_each_line() {
    let units = [unit(32, 4, 2), unit(64, 5, 8), unit(128, 6, 5), unit(32, 2, 16)];
    for (seed, p) in (1..).zip(units) {
        let mut rig = AtomicsRig::new(p, seed);
        rig.run(6_000);
        assert!(rig.atomics > 400 && rig.answered > 800, "{} of {}", rig.atomics, rig.answered);
    }
}

#[test]
fn the_unit_agrees_with_its_verilog() {
    for p in [unit(32, 4, 3), unit(64, 5, 8)] {
        let mut rig = AtomicsRig::new(p, 9);
        rig.run(1_500);
        let cycles = rig.recorded.len() as u64;
        let mut stimulus = |cycle: u64, _: &Values, inputs: &mut Values| {
            // Two cycles of reset first.
            for (port, value) in &rig.recorded[cycle.saturating_sub(2) as usize] {
                inputs.set_bits(port, value);
            }
        };
        let agreement =
            lockstep(&atomic_unit(&p), &mut stimulus, &RunLength { sim: options(), ..RunLength::cycles(cycles) });
        agreement.unwrap_or_else(|error| panic!("{p:?}: {error}"));
    }
}

/// An operation and type of PTX, and the new value by host arithmetic: of 64-bit operands, of which a narrow one takes
/// the low halves.
type AtomicsCase = (&'static str, fn(u64, u64, u64) -> u64);

fn w(x: u64) -> u32 {
    x as u32
}

fn s(x: u64) -> i32 {
    x as i32
}

fn l(x: u64) -> i64 {
    x as i64
}

const NARROW: [AtomicsCase; 14] = [
    ("add.u32", |a, b, _| w(a).wrapping_add(w(b)).into()),
    ("add.s32", |a, b, _| w(a).wrapping_add(w(b)).into()),
    ("add.f32", |a, b, _| {
        let sum = f32::from_bits(w(a)) + f32::from_bits(w(b));
        if sum.is_nan() { 0x7fff_ffff } else { sum.to_bits().into() }
    }),
    ("min.s32", |a, b, _| (s(a).min(s(b)) as u32).into()),
    ("max.s32", |a, b, _| (s(a).max(s(b)) as u32).into()),
    ("min.u32", |a, b, _| w(a).min(w(b)).into()),
    ("max.u32", |a, b, _| w(a).max(w(b)).into()),
    ("and.b32", |a, b, _| (w(a) & w(b)).into()),
    ("or.b32", |a, b, _| (w(a) | w(b)).into()),
    ("xor.b32", |a, b, _| (w(a) ^ w(b)).into()),
    ("exch.b32", |_, b, _| w(b).into()),
    ("cas.b32", |a, b, c| if w(a) == w(b) { w(c) } else { w(a) }.into()),
    ("inc.u32", |a, b, _| if w(a) >= w(b) { 0 } else { u64::from(w(a)) + 1 }),
    ("dec.u32", |a, b, _| if w(a) == 0 || w(a) > w(b) { w(b) } else { w(a) - 1 }.into()),
];

const WIDE: [AtomicsCase; 11] = [
    ("add.u64", |a, b, _| a.wrapping_add(b)),
    ("add.s64", |a, b, _| a.wrapping_add(b)),
    ("min.s64", |a, b, _| l(a).min(l(b)) as u64),
    ("max.s64", |a, b, _| l(a).max(l(b)) as u64),
    ("min.u64", |a, b, _| a.min(b)),
    ("max.u64", |a, b, _| a.max(b)),
    ("and.b64", |a, b, _| a & b),
    ("or.b64", |a, b, _| a | b),
    ("xor.b64", |a, b, _| a ^ b),
    ("exch.b64", |_, b, _| b),
    ("cas.b64", |a, b, c| if a == b { c } else { a }),
];

const THREADS: usize = 256;

/// Threads do each case on words of their own, as `atom` and as `red`, in global and in shared memory; what they find
/// goes to `out`: for each case old and new value of `atom`, and the new one of `red` (or of `atom` without a result,
/// where PTX has no `red`).
fn conformance() -> (String, Vec<(AtomicsCase, bool, bool)>) {
    let mut cases: Vec<_> = NARROW.iter().flat_map(|case| [(*case, false, false), (*case, false, true)]).collect();
    cases.extend(WIDE.iter().map(|case| (*case, true, false)));
    let mut body = String::new();
    for (n, ((name, _), wide, shared)) in cases.iter().enumerate() {
        let (space, at) = if *shared { ("shared", "s1") } else { ("global", "d9") };
        let (ty, r) = if *wide { ("u64", "d") } else { ("u32", "r") };
        let values = if name.starts_with("cas") { format!("{r}2, {r}3") } else { format!("{r}2") };
        let silent = match name.split('.').next() {
            Some("exch" | "cas") => format!("atom.relaxed.gpu.{space}.{name} _, [{at}+8], {values};"),
            _ => format!("red.{space}.{name} [{at}+8], {values};"),
        };
        let out = n * THREADS * 24;
        body += &format!(
            "st.{space}.{ty} [{at}], {r}1; st.{space}.{ty} [{at}+8], {r}1;\n\
             atom.{space}.{name} {r}4, [{at}], {values};\n{silent}\n\
             ld.{space}.{ty} {r}5, [{at}]; ld.{space}.{ty} {r}6, [{at}+8];\n\
             st.global.{ty} [d8+{out}], {r}4; st.global.{ty} [d8+{}], {r}5; st.global.{ty} [d8+{}], {r}6;\n",
            out + 8,
            out + 16,
        );
    }
    let source = format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n\
         .visible .entry test(.param .u64 in, .param .u64 scratch, .param .u64 out)\n{{\n\
         .reg .b32 r<9>;\n.reg .b64 d<12>;\n.reg .b32 s<2>;\n.reg .b32 t<4>;\n.shared .align 8 .b8 own[1024];\n\
         mov.u32 t0, %tid.x; mov.u32 t1, %ctaid.x; mad.lo.s32 t1, t1, 64, t0; mov.u32 s1, own; mad.lo.s32 s1, t0, 16, s1;\n\
         ld.param.u64 d10, [in]; mul.wide.u32 d11, t1, 24; add.s64 d10, d10, d11;\n\
         ld.global.u64 d1, [d10]; ld.global.u64 d2, [d10+8]; ld.global.u64 d3, [d10+16];\n\
         cvt.u32.u64 r1, d1; cvt.u32.u64 r2, d2; cvt.u32.u64 r3, d3;\n\
         ld.param.u64 d8, [out]; add.s64 d8, d8, d11;\n\
         ld.param.u64 d9, [scratch]; mul.wide.u32 d11, t1, 16; add.s64 d9, d9, d11;\n{body}ret;\n}}\n"
    );
    (source, cases)
}

#[test]
fn every_operation_and_type_is_right_in_emulator_and_chip() {
    let (source, cases) = conformance();
    let mut random = Rng::new(5);
    let inputs: Vec<[u64; 3]> = (0..THREADS)
        .map(|_| {
            let [a, b, c] = [(); 3].map(|()| value(&mut random));
            if random.chance(0.3) { [a, a, c] } else { [a, b, c] }
        })
        .collect();
    let chip = load(Some(Path::new("small.toml")), &["core.program_words=8192".into(), "core.atomics=true".into()])
        .expect("a chip");
    let kernel = compile(&source, "test.ptx", None, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let words = |v: &[u64]| v.iter().flat_map(|v| [*v as u32, (*v >> 32) as u32]).collect::<Vec<_>>();
    let buffers = vec![
        Buffer::words("in", words(inputs.as_flattened())),
        Buffer::words("scratch", vec![0; 4 * THREADS]),
        Buffer::words("out", vec![0; 6 * THREADS * cases.len()]),
    ];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Buffer(2)];
    let grid = [THREADS as u32 / 64, 1, 1];
    let launch =
        Launch { name: "test".into(), kernel, grid, block: [64, 1, 1], buffers, args, checks: vec![], placement: None };
    let at = launch.buffer_addresses()[2];
    let emulated = emulator::run(&launch, 1 << 30).unwrap_or_else(|error| panic!("{error}")).memory;
    let mut host = Host::new(&chip, &options()).expect("a chip");
    host.start(&launch).expect("it fits");
    let (verdict, _) = host.run(Limits::default(), |_, _| Ok(())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verdict, Verdict::Completed);
    let simulated = host.read_memory(at, 24 * THREADS * cases.len());
    for (who, found) in [("emulator", &emulated[at as usize..]), ("chip", &simulated)] {
        for (n, ((name, new), wide, shared)) in cases.iter().enumerate() {
            for (thread, &[a, b, c]) in inputs.iter().enumerate() {
                let place = 24 * (n * THREADS + thread);
                let of = |i: usize| {
                    let bytes = found[place + 8 * i..][..8].try_into().expect("eight bytes");
                    u64::from_le_bytes(bytes)
                };
                let old = if *wide { a } else { w(a).into() };
                let new = new(a, b, c);
                assert_eq!([of(0), of(1), of(2)], [old, new, new], "{who}, shared {shared}: {name} {a:x} {b:x} {c:x}");
            }
        }
    }
}

#[test]
fn a_chip_without_atomics_says_so() {
    let (source, _) = conformance();
    let chip = load(Some(Path::new("small.toml")), &[]).expect("a chip");
    let kernel = compile(&source, "test.ptx", None, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let buffers = ["in", "scratch", "out"].map(|name| Buffer::words(name, vec![0; 64])).to_vec();
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Buffer(2)];
    let launch = Launch {
        name: "test".into(),
        kernel,
        grid: [1, 1, 1],
        block: [64, 1, 1],
        buffers,
        args,
        checks: vec![],
        placement: None,
    };
    let mut host = Host::new(&chip, &options()).expect("a chip");
    let error = host.start(&launch).expect_err("no atomics").to_string();
    assert!(error.contains("needs atomics (PTX line") && error.contains("`core.atomics`"), "{error}");
}

#[test]
fn what_atomics_do_not_go_with_is_named() {
    // Posted writes need requests in order, hence one virtual channel of requests.
    for (other, more) in [
        ("memory.write_reply=none", &["network.vcs=2"][..]),
        ("memory.model=perfect", &[]),
        ("core.merge_loads=true", &[]),
    ] {
        let overrides: Vec<_> = ["core.atomics=true", other].iter().chain(more).map(ToString::to_string).collect();
        let error = load(Some(Path::new("small.toml")), &overrides).expect_err("refused");
        let (key, _) = other.split_once('=').expect("key and value");
        let said = format!("{error:?}");
        assert!(said.contains("core.atomics") && said.contains(key), "{said}");
    }
}
