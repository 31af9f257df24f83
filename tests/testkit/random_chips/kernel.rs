//! Random kernels of what chips have options for: atomics, double precision, textures, constants, barriers by number,
//! shared, local and global memory in all sizes, special functions, divergence.
//!
//! A kernel is a sequence of parts between which the live threads of a block are together. Each part changes the
//! variables `%a0` to `%a3` of a thread, with values that do not depend on the order of threads: what threads of
//! several warps change together is only changed by one commutative operation, and read after a barrier or not at all.

use std::fmt::Write;
use warpmesh::program::{Argument, Buffer, Launch, Target, TextureBinding, compile, random::Random};

/// Words of `in`, and of `wide`.
const INPUTS: u64 = 1024;
/// Bytes of `out` of a thread.
const OUT: u32 = 128;
/// Words of `acc`: eight for each of the commutative operations of 32 bits, and 64-bit words behind them.
const ACC: u32 = 128;
/// Bins in shared memory.
const BINS: u32 = 16;
/// Operations on words of `acc`, and those on its 64-bit words.
const WORD_OPS: [&str; 6] = ["add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"];
const LONG_OPS: [&str; 4] = ["add.u64", "min.s64", "max.u64", "xor.b64"];

/// What the chip has.
pub struct Has {
    pub atomics: bool,
    pub double: bool,
    pub barriers: u32,
    pub warps: u32,
    pub shared_bytes: u32,
    pub cores: u32,
}

/// A kernel, and how it is launched.
#[derive(Clone)]
pub struct Needs {
    pub source: String,
    threads: u32,
    blocks: u32,
    textures: Vec<(&'static str, [u32; 3])>,
    inputs: Vec<u32>,
}

/// The kernel of `seed` with so many parts.
pub fn kernel(seed: u64, parts: usize, has: &Has) -> Needs {
    let mut random = Random::new(seed);
    // A word of each thread, the bins, and another word for shuffles.
    let fits =
        |size: &u32| size.div_ceil(32) <= has.warps && 8 * size.next_multiple_of(32) + 4 * BINS <= has.shared_bytes;
    let sizes: Vec<u32> = [7, 31, 32, 33, 64, 96, 128, 256].into_iter().filter(fits).collect();
    let threads = sizes[random.below(sizes.len() as u64) as usize];
    let blocks = 1 + random.below(u64::from(3 * has.cores)) as u32;
    let inputs = (0..INPUTS).map(|_| random.next_u64() as u32 >> random.below(32)).collect();
    let writer = KernelWriter {
        random,
        has,
        threads,
        text: String::new(),
        fresh: [0; 4],
        labels: 0,
        left: false,
        tables: [false; 3],
    };
    writer.write(parts, blocks, inputs)
}

impl Needs {
    /// Compiled for `target`.
    pub fn launch(&self, target: &Target) -> Result<Launch, String> {
        let compiled = compile(&self.source, "random.ptx", None, target);
        let mut kernel = compiled.map_err(|error| format!("{:?}", miette::Report::new(*error)))?;
        for &(name, [width, height, channels]) in &self.textures {
            let bound = TextureBinding { buffer: 0, offset: 0, width, height, depth: 1, channels };
            assert!(kernel.bind_texture(name, bound), "{name} is declared where it is read");
        }
        let zeros = |name: &str, words: u32| Buffer::words(name, (0..words).map(|_| 0));
        let buffers = vec![
            Buffer::words("in", self.inputs.iter().copied()),
            zeros("out", self.threads * self.blocks * OUT / 4),
            zeros("acc", ACC),
            zeros("wide", INPUTS as u32),
        ];
        Ok(Launch {
            name: "random".into(),
            kernel,
            grid: [self.blocks, 1, 1],
            block: [self.threads, 1, 1],
            args: (0..buffers.len()).map(Argument::Buffer).collect(),
            buffers,
            checks: vec![],
            placement: None,
        })
    }
}

struct KernelWriter<'a> {
    random: Random,
    has: &'a Has,
    threads: u32,
    text: String,
    /// Registers used: words, 64-bit words, floats, predicates.
    fresh: [u32; 4],
    labels: u32,
    /// Threads may have ended.
    left: bool,
    /// Used: the texture `image`, the texture `line`, the constants.
    tables: [bool; 3],
}

/// A part.
type KernelPart<'a> = fn(&mut KernelWriter<'a>);

impl<'a> KernelWriter<'a> {
    fn write(mut self, parts: usize, blocks: u32, inputs: Vec<u32>) -> Needs {
        self.start();
        for _ in 0..parts {
            self.part();
        }
        for var in 0..4 {
            self.line(&format!("st.global.u32 [%out+{}], %a{var}", 4 * var));
        }
        self.line("ret");
        let channels = [1, 2, 4][self.random.below(3) as usize];
        let bound = [("image", [9, 7, 1]), ("line", [40, 1, channels])];
        let textures: Vec<_> =
            bound.into_iter().zip(self.tables).filter(|(_, used)| *used).map(|(one, _)| one).collect();
        let mut declared: String = textures.iter().map(|(name, _)| format!(".global .texref {name};\n")).collect();
        if self.tables[2] {
            let values: Vec<_> = (0..64).map(|_| (self.random.next_u64() as u32).to_string()).collect();
            let _ = writeln!(declared, ".const .align 4 .u32 table[64] = {{{}}};", values.join(", "));
        }
        let [words, longs, floats, predicates] = self.fresh.map(|count| count + 1);
        let source = format!(
            ".version 7.0\n.target sm_35\n.address_size 64\n{declared}.visible .entry kernel(\n\t.param .u64 p_in, .param .u64 p_out, \
             .param .u64 p_acc, .param .u64 p_wide\n)\n{{\n\t.reg .b32 %a<4>, %tid, %cta, %thread, %own;\n\t.reg .b64 %in, %out, %acc, %wide;\n\t\
             .reg .b32 %r<{words}>;\n\t.reg .b64 %d<{longs}>;\n\t.reg .f32 %f<{floats}>;\n\t.reg .pred %p<{predicates}>;\n\t\
             .shared .align 8 .b8 words[{}];\n\t.shared .align 8 .b8 bins[{}];\n\t.local .align 4 .b8 stack[32];\n{}}}\n",
            4 * self.threads,
            4 * BINS,
            self.text
        );
        Needs { source, threads: self.threads, blocks, textures, inputs }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "\t{text};");
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn fresh_register(&mut self, kind: usize) -> String {
        self.fresh[kind] += 1;
        format!("%{}{}", ["r", "d", "f", "p"][kind], self.fresh[kind])
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn place(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    /// A new register of a kind, and the instruction that sets it.
    fn set(&mut self, kind: usize, operation: &str, operands: &str) -> String {
        let to = self.fresh_register(kind);
        self.line(&format!("{operation} {to}, {operands}"));
        to
    }

    fn variable(&mut self) -> String {
        format!("%a{}", self.below(4))
    }

    /// Mixes a word into a variable.
    fn mix(&mut self, word: &str) {
        let into = self.variable();
        let operation = self.one_of(&["add.s32", "xor.b32", "sub.s32"]);
        self.line(&format!("{operation} {into}, {into}, {word}"));
    }

    /// A number below a power of two, from a variable.
    fn number(&mut self, bound: u64) -> String {
        let (from, by) = (self.variable(), self.below(12));
        let shifted = self.set(0, "shr.u32", &format!("{from}, {by}"));
        self.set(0, "and.b32", &format!("{shifted}, {}", bound - 1))
    }

    /// The address of element `index` of `bytes` behind `base`.
    fn address(&mut self, base: &str, index: &str, bytes: u64) -> String {
        let offset = self.set(1, "mul.wide.u32", &format!("{index}, {bytes}"));
        self.set(1, "add.s64", &format!("{base}, {offset}"))
    }

    fn start(&mut self) {
        self.line("mov.u32 %tid, %tid.x");
        self.line("mov.u32 %cta, %ctaid.x");
        self.line(&format!("mad.lo.u32 %thread, %cta, {}, %tid", self.threads));
        for name in ["in", "out", "acc", "wide"] {
            self.line(&format!("ld.param.u64 %{name}, [p_{name}]"));
        }
        let own = self.set(1, "mul.wide.u32", &format!("%thread, {OUT}"));
        self.line(&format!("add.s64 %out, %out, {own}"));
        let words = self.set(0, "mov.u32", "words");
        let offset = self.set(0, "shl.b32", "%tid, 2");
        self.line(&format!("add.u32 %own, {words}, {offset}"));
        self.line("mov.u32 %a0, %thread");
        self.line("mul.lo.u32 %a1, %tid, 40503");
        let index = self.set(0, "and.b32", &format!("%thread, {}", INPUTS - 1));
        let at = self.address("%in", &index, 4);
        self.line(&format!("ld.global.u32 %a2, [{at}]"));
        self.line("xor.b32 %a3, %a2, %a1");
        self.line("st.shared.u32 [%own], %a3");
        let at = self.bin("%tid");
        self.line(&format!("st.shared.u32 [{at}], 0"));
    }

    /// Bins that are used: there is a thread for each, which makes it zero.
    fn bins(&self) -> u32 {
        1 << self.threads.min(BINS).ilog2()
    }

    fn bin(&mut self, number: &str) -> String {
        let (bins, last) = (self.set(0, "mov.u32", "bins"), self.bins() - 1);
        let index = self.set(0, "and.b32", &format!("{number}, {last}"));
        let offset = self.set(0, "shl.b32", &format!("{index}, 2"));
        self.set(0, "add.u32", &format!("{bins}, {offset}"))
    }

    /// All live threads of the block, by any number.
    fn barrier(&mut self) {
        let number = self.below(self.has.barriers.into());
        self.line(&format!("bar.sync {number}"));
    }

    // -- parts ---------------------------------------------------------------------------------------------------------

    fn part(&mut self) {
        let together: &[KernelPart<'a>] = &[
            Self::words_of_others,
            Self::reduction,
            Self::groups,
            Self::producer,
            Self::bins_of_all,
            Self::leave,
            Self::shuffle,
        ];
        if self.chance(45) {
            let part = self.one_of(together);
            return part(self);
        }
        match self.below(4) {
            0 => self.branch(),
            1 => self.repeat(),
            _ => self.alone(),
        }
    }

    /// What a thread does without others.
    fn alone(&mut self) {
        let all: &[KernelPart<'a>] = &[
            Self::integers,
            Self::floats,
            Self::gather,
            Self::scatter,
            Self::parts_of_words,
            Self::vectors,
            Self::together,
            Self::scattered,
            Self::own_atomics,
            Self::doubles,
            Self::image,
            Self::texels,
            Self::constants,
            Self::stack,
            Self::special,
        ];
        let part = self.one_of(all);
        part(self);
    }

    /// Some threads do one thing, the others another.
    fn branch(&mut self) {
        let (number, [other, end]) = (self.number(4), [self.label(), self.label()]);
        let p = self.set(3, "setp.eq.u32", &format!("{number}, 0"));
        self.line(&format!("@{p} bra {other}"));
        self.alone();
        self.line(&format!("bra.uni {end}"));
        self.place(&other);
        self.alone();
        self.place(&end);
    }

    /// Every thread has its own number of rounds.
    fn repeat(&mut self) {
        let (rounds, top) = (self.number(4), self.label());
        let count = self.set(0, "mov.u32", &rounds);
        self.place(&top);
        self.alone();
        self.line(&format!("sub.s32 {count}, {count}, 1"));
        let p = self.set(3, "setp.gt.s32", &format!("{count}, 0"));
        self.line(&format!("@{p} bra {top}"));
    }

    fn integers(&mut self) {
        for _ in 0..3 {
            let [a, b] = [self.variable(), self.variable()];
            let operation = self.one_of(&["mul.lo.u32", "min.s32", "max.u32", "shl.b32", "mul.hi.u32", "add.s32"]);
            let word = self.set(0, operation, &format!("{a}, {b}"));
            self.mix(&word);
        }
    }

    fn float(&mut self) -> String {
        let from = self.number(4096);
        self.set(2, "cvt.rn.f32.u32", &from)
    }

    fn mix_float(&mut self, value: &str) {
        let word = self.set(0, "mov.b32", value);
        self.mix(&word);
    }

    fn floats(&mut self) {
        let [a, b, c] = [self.float(), self.float(), self.float()];
        let sum = self.set(2, "fma.rn.f32", &format!("{a}, {b}, {c}"));
        let operation = self.one_of(&["add.rn.f32", "mul.rn.f32", "min.f32", "max.f32", "sub.rn.f32"]);
        let value = self.set(2, operation, &format!("{sum}, {a}"));
        self.mix_float(&value);
    }

    /// Words of `in`, near each other or not.
    fn gather(&mut self) {
        let index = self.number(INPUTS);
        let index = if self.chance(50) { index } else { self.set(0, "and.b32", &format!("%thread, {}", INPUTS - 1)) };
        let at = self.address("%in", &index, 4);
        let kind = self.one_of(&["ld.global.u32", "ld.global.cg.u32", "ld.volatile.global.u32", "ld.global.nc.u32"]);
        let word = self.set(0, kind, &format!("[{at}]"));
        self.mix(&word);
    }

    /// Own words of `out`, written and read.
    fn scatter(&mut self) {
        let (slot, value) = (16 + 4 * self.below(4), self.variable());
        self.line(&format!("st.global.u32 [%out+{slot}], {value}"));
        if self.chance(50) {
            let slot = 16 + 4 * self.below(4);
            let word = self.set(0, "ld.global.u32", &format!("[%out+{slot}]"));
            self.mix(&word);
        }
    }

    /// Bytes and halves of own words.
    fn parts_of_words(&mut self) {
        let value = self.variable();
        let (ty, bytes) = self.one_of(&[("u8", 1), ("u16", 2)]);
        let slot = 32 + bytes * self.below(16 / bytes);
        self.line(&format!("st.global.{ty} [%out+{slot}], {value}"));
        let (ty, bytes) = self.one_of(&[("s8", 1), ("u8", 1), ("s16", 2), ("u32", 4)]);
        let slot = 32 + bytes * self.below(16 / bytes);
        let word = self.set(0, &format!("ld.global.{ty}"), &format!("[%out+{slot}]"));
        self.mix(&word);
    }

    fn vectors(&mut self) {
        let index = self.number(INPUTS / 4);
        let at = self.address("%in", &index, 16);
        let [a, b, c, d] = [(); 4].map(|()| self.fresh_register(0));
        self.line(&format!("ld.global.v4.u32 {{{a}, {b}, {c}, {d}}}, [{at}]"));
        self.line(&format!("st.global.v2.u32 [%out+48], {{{a}, {d}}}"));
        self.mix(&b);
        self.mix(&c);
    }

    /// Words that all threads change.
    fn together(&mut self) {
        if !self.has.atomics {
            return self.gather();
        }
        let (value, which) = (self.variable(), self.number(8));
        if self.chance(70) {
            let kind = self.below(WORD_OPS.len() as u64);
            let index = self.set(0, "add.u32", &format!("{which}, {}", 8 * kind));
            let at = self.address("%acc", &index, 4);
            self.line(&format!("red.global.{} [{at}], {value}", WORD_OPS[kind as usize]));
        } else {
            let kind = self.below(LONG_OPS.len() as u64);
            let index = self.set(0, "add.u32", &format!("{which}, {}", 32 + 8 * kind));
            let at = self.address("%acc", &index, 8);
            let value = self.set(1, "cvt.s64.s32", &value);
            self.line(&format!("red.global.{} [{at}], {value}", LONG_OPS[kind as usize]));
        }
    }

    /// Atomics of a warp on many lines.
    fn scattered(&mut self) {
        if !self.has.atomics {
            return self.scatter();
        }
        let (stride, value) = (self.one_of(&[1, 8, 16, 64]), self.variable());
        for step in 0..4 {
            let far = self.set(0, "mad.lo.u32", &format!("%thread, {stride}, {}", 16 * step));
            let index = self.set(0, "and.b32", &format!("{far}, {}", INPUTS - 1));
            let at = self.address("%wide", &index, 4);
            self.line(&format!("red.global.add.u32 [{at}], {value}"));
        }
    }

    /// Own words, by atomics whose values are used.
    fn own_atomics(&mut self) {
        if !self.has.atomics {
            return self.scatter();
        }
        let value = self.variable();
        if self.chance(25) {
            let long = self.set(1, "cvt.s64.s32", &value);
            let operation = self.one_of(&["add.u64", "exch.b64", "max.s64", "xor.b64"]);
            let old = self.set(1, &format!("atom.global.{operation}"), &format!("[%out+72], {long}"));
            let word = self.set(0, "cvt.u32.u64", &old);
            return self.mix(&word);
        }
        self.atomic("global", "%out+64", &value);
    }

    /// An atomic on a word that no other thread changes now.
    fn atomic(&mut self, space: &str, at: &str, value: &str) {
        let operation = self.one_of(&["add.u32", "exch.b32", "min.s32", "inc.u32", "xor.b32", "cas.b32"]);
        let compare = if operation == "cas.b32" { "0, " } else { "" };
        let old = self.set(0, &format!("atom.{space}.{operation}"), &format!("[{at}], {compare}{value}"));
        self.mix(&old);
    }

    fn doubles(&mut self) {
        if !self.has.double {
            return self.floats();
        }
        let [a, b] = [self.number(4096), self.variable()];
        let [a, b] = [self.set(1, "cvt.rn.f64.u32", &a), self.set(1, "cvt.rn.f64.s32", &b)];
        let sum = self.set(1, "fma.rn.f64", &format!("{a}, {b}, {a}"));
        let operation = self.one_of(&["add.rn.f64", "sub.rn.f64", "mul.rn.f64", "min.f64", "max.f64", "div.rn.f64"]);
        let value = self.set(1, operation, &format!("{sum}, {b}"));
        self.line(&format!("st.global.f64 [%out+80], {value}"));
        let word = self.set(0, "cvt.rzi.s32.f64", &value);
        self.mix(&word);
        if self.has.atomics && self.chance(20) {
            self.line(&format!("red.global.add.f64 [%out+88], {sum}"));
        }
    }

    fn image(&mut self) {
        self.tables[0] = true;
        let [x, y] = [self.number(16), self.number(8)];
        let [x, y] = [x, y].map(|at| self.set(0, "sub.s32", &format!("{at}, 2")));
        let [a, b, c] = [(); 3].map(|()| self.fresh_register(0));
        self.line(&format!("tex.2d.v4.u32.s32 {{{a}, {b}, _, {c}}}, [image, {{{x}, {y}}}]"));
        self.mix(&a);
        self.mix(&c);
    }

    fn texels(&mut self) {
        self.tables[1] = true;
        let at = self.number(64);
        let [a, b, c, d] = [(); 4].map(|()| self.fresh_register(0));
        self.line(&format!("tex.1d.v4.u32.s32 {{{a}, {b}, {c}, {d}}}, [line, {{{at}}}]"));
        self.mix(&a);
        self.mix(&d);
    }

    fn constants(&mut self) {
        self.tables[2] = true;
        let table = self.set(1, "mov.u64", "table");
        let index = if self.chance(50) { self.number(64) } else { self.set(0, "and.b32", "%cta, 63") };
        let at = self.address(&table, &index, 4);
        let word = self.set(0, "ld.const.u32", &format!("[{at}]"));
        self.mix(&word);
    }

    /// Local memory.
    fn stack(&mut self) {
        let base = self.set(1, "mov.u64", "stack");
        let (index, value) = (self.number(8), self.variable());
        let at = self.address(&base, &index, 4);
        self.line(&format!("st.local.u32 [{at}], {value}"));
        let word = self.set(0, "ld.local.u32", &format!("[{at}]"));
        self.mix(&word);
    }

    fn special(&mut self) {
        let value = self.float();
        let function = self.one_of(&[
            "rcp.approx",
            "sqrt.approx",
            "rsqrt.approx",
            "ex2.approx",
            "lg2.approx",
            "sin.approx",
            "cos.approx",
        ]);
        let value = self.set(2, &format!("{function}.f32"), &value);
        self.mix_float(&value);
    }

    // -- parts of all threads of a block -------------------------------------------------------------------------------

    /// The word of another thread.
    fn other(&mut self) -> String {
        let number = self.number(512);
        let thread = self.set(0, "rem.u32", &format!("{number}, {}", self.threads));
        self.word_of(&thread)
    }

    fn word_of(&mut self, thread: &str) -> String {
        let (words, offset) = (self.set(0, "mov.u32", "words"), self.set(0, "shl.b32", &format!("{thread}, 2")));
        let at = self.set(0, "add.u32", &format!("{words}, {offset}"));
        self.set(0, "ld.shared.u32", &format!("[{at}]"))
    }

    fn share(&mut self) {
        self.barrier();
        let value = self.variable();
        self.line(&format!("st.shared.u32 [%own], {value}"));
    }

    fn reduction(&mut self) {
        if self.has.barriers < 2 {
            return self.words_of_others();
        }
        let (number, of, bound) = (self.below(self.has.barriers.into()), self.number(8), 1 + self.below(7));
        let p = self.set(3, "setp.lt.u32", &format!("{of}, {bound}"));
        match self.below(3) {
            0 => {
                let count = self.set(0, "bar.red.popc.u32", &format!("{number}, {p}"));
                self.mix(&count);
            }
            kind => {
                let kind = ["and", "or"][kind as usize - 1];
                let all = self.set(3, &format!("bar.red.{kind}.pred"), &format!("{number}, {p}"));
                let word = self.set(0, "selp.u32", &format!("77, 5, {all}"));
                self.mix(&word);
            }
        }
    }

    fn words_of_others(&mut self) {
        self.share();
        if self.has.atomics && self.chance(50) {
            let value = self.variable();
            self.atomic("shared", "%own", &value);
        }
        self.barrier();
        let word = self.other();
        self.mix(&word);
    }

    /// Warps of even and of odd number meet apart, and read the words of the next warp of their kind.
    fn groups(&mut self) {
        let warps = self.threads / 32;
        if self.left || self.has.barriers < 3 || !self.threads.is_multiple_of(64) {
            return self.words_of_others();
        }
        self.share();
        let first = self.below(self.has.barriers.into());
        let [second, all] = [1, 2].map(|next| (first + next) % u64::from(self.has.barriers));
        let (warp, [odd, end]) = (self.set(0, "shr.u32", "%tid, 5"), [self.label(), self.label()]);
        let parity = self.set(0, "and.b32", &format!("{warp}, 1"));
        let p = self.set(3, "setp.eq.u32", &format!("{parity}, 1"));
        self.line(&format!("@{p} bra {odd}"));
        self.line(&format!("bar.sync {first}, {}", 16 * warps));
        self.line(&format!("bra.uni {end}"));
        self.place(&odd);
        self.line(&format!("bar.sync {second}, {}", 16 * warps));
        self.place(&end);
        let next = self.set(0, "add.u32", "%tid, 64");
        let thread = self.set(0, "rem.u32", &format!("{next}, {}", self.threads));
        let word = self.word_of(&thread);
        self.mix(&word);
        // A third one: the first of each kind may come there while the others still meet at theirs.
        self.line(&format!("bar.sync {all}"));
    }

    /// The first warp writes, the others wait for it.
    fn producer(&mut self) {
        if self.left || self.has.barriers < 2 || !self.threads.is_multiple_of(32) || self.threads < 64 {
            return self.words_of_others();
        }
        self.share();
        let number = self.below(self.has.barriers.into());
        let [waits, end] = [self.label(), self.label()];
        let p = self.set(3, "setp.ge.u32", "%tid, 32");
        self.line(&format!("@{p} bra {waits}"));
        self.line(&format!("bar.arrive {number}, {}", self.threads));
        self.line(&format!("bra.uni {end}"));
        self.place(&waits);
        self.line(&format!("bar.sync {number}, {}", self.threads));
        let lane = self.set(0, "and.b32", "%tid, 31");
        let word = self.word_of(&lane);
        self.mix(&word);
        self.place(&end);
        // The first warp must not come to the same one again before it is complete.
        self.line(&format!("bar.sync {}", (number + 1) % u64::from(self.has.barriers)));
    }

    /// Atomics in shared memory.
    fn bins_of_all(&mut self) {
        if !self.has.atomics {
            return self.words_of_others();
        }
        let (of, value) = (self.variable(), self.variable());
        self.barrier();
        let at = self.bin(&of);
        self.line(&format!("red.shared.add.u32 [{at}], {value}"));
        self.barrier();
        let word = self.set(0, "ld.shared.u32", &format!("[{at}]"));
        self.mix(&word);
        self.barrier();
    }

    /// Some threads end.
    fn leave(&mut self) {
        let number = self.number(16);
        let p = self.set(3, "setp.eq.u32", &format!("{number}, 3"));
        self.left = true;
        self.line(&format!("@{p} ret"));
    }

    fn shuffle(&mut self) {
        if self.left || !self.threads.is_multiple_of(32) {
            return self.words_of_others();
        }
        let (value, by) = (self.variable(), 1 + self.below(31));
        let mode = self.one_of(&["up", "down", "bfly", "idx"]);
        let last = if mode == "up" { 0 } else { 31 };
        let word = self.set(0, &format!("shfl.sync.{mode}.b32"), &format!("{value}, {by}, {last}, -1"));
        self.mix(&word);
    }
}
