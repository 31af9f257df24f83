//! The text of a random program.

use std::{fmt::Write, ops::Range};
use warpmesh::program::random::Random;

/// Values of a thread, as `model.h` has it.
const VALUES: u64 = 6;

/// A program with the kernels of these seeds.
pub fn program(seeds: Range<u64>) -> String {
    let mut text = String::from("#include \"model.h\"\n");
    let mut table = String::new();
    for seed in seeds {
        let mut kernel = GeneratedKernel { random: Random::new(seed), seed, alone: String::new(), parts: 0, apart: 0 };
        let threads = 32 * (1 + kernel.below(4));
        text += &kernel.text();
        writeln!(table, "  {{k{seed}, h{seed}, {threads}, {seed}u}},").expect("text");
    }
    text + "static const Kernel kernels[] = {\n" + &table + "};\nint main() { return run(kernels); }\n"
}

struct GeneratedKernel {
    random: Random,
    seed: u64,
    /// Functions that come before the kernel.
    alone: String,
    /// How many steps of a thread alone there are.
    parts: u64,
    /// How many functions of their own.
    apart: u64,
}

impl GeneratedKernel {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    /// Functions, kernel, and the same on the host.
    fn text(&mut self) -> String {
        let seed = self.seed;
        let (mut device, mut host) = (String::new(), String::new());
        for _ in 0..3 + self.below(4) {
            let (on_device, on_host) = match self.below(6) {
                0 => self.tile(),
                1 => self.together(),
                2 => self.wide_atomics(),
                _ => self.step(),
            };
            device += &on_device;
            host += &on_host;
        }
        format!(
            "\n{}__global__ void k{seed}(unsigned seed, C c, unsigned *out) {{\n  c.place = blockIdx.x * blockDim.x + threadIdx.x;\n  \
             S s = initial(seed, c.place);\n{device}  s.v[0] += pop(s, ~0u);\n  for (int i = 0; i < VALUES; ++i)\n    \
             out[c.place * VALUES + i] = s.v[i];\n}}\n\
             static void h{seed}(unsigned seed, C c, int threads, unsigned *out) {{\n  for (int block = 0; block < BLOCKS; ++block) {{\n  \
             std::vector<S> s;\n  std::vector<C> cs(threads, c);\n  for (int t = 0; t < threads; ++t)\n    cs[t].place = block * threads + t, \
             s.push_back(initial(seed, cs[t].place));\n{host}  for (int t = 0; t < threads; ++t) {{\n    s[t].v[0] += pop(s[t], ~0u);\n    \
             for (int i = 0; i < VALUES; ++i)\n      out[cs[t].place * VALUES + i] = s[t].v[i];\n  }}\n  }}\n}}\n",
            self.alone
        )
    }

    fn value(&mut self) -> String {
        format!("s.v[{}]", self.below(VALUES))
    }

    fn target(&mut self) -> String {
        let operator = ["=", "+=", "^="][self.below(3) as usize];
        format!("{} {operator}", self.value())
    }

    /// What a thread does alone: a function of both.
    fn step(&mut self) -> (String, String) {
        let name = format!("k{}_{}", self.seed, self.parts);
        self.parts += 1;
        let mut body = String::new();
        for _ in 0..2 + self.below(4) {
            body += &self.statement(2);
        }
        write!(self.alone, "BOTH void {name}(S &s, const C &c) {{\n{body}}}\n").expect("text");
        (format!("  {name}(s, c);\n"), format!("  for (int t = 0; t < threads; ++t)\n    {name}(s[t], cs[t]);\n"))
    }

    fn statement(&mut self, depth: u64) -> String {
        let [a, b, c, d] = [(); 4].map(|()| self.value());
        let target = self.target();
        let operation = self.below(12);
        match self.below(if depth > 0 { 17 } else { 13 }) {
            0 => format!("  {target} {a} * {}u + ({b} ^ {c} >> {});\n", self.below(1 << 32), self.below(32)),
            1 => format!("  {target} {a} / ({b} >> {} | 1) + {c} % ({d} | 1);\n", self.below(31)),
            2 | 3 => format!("  {target} half_one({operation}, {a}, {b} >> {}, {c});\n", self.below(17)),
            4 => format!("  {target} bf16_one({operation}, {a} >> 16, {b}, {c} >> {});\n", self.below(17)),
            5 => format!("  {target} half_two({}, {a}, {b}, {c});\n", operation % 4),
            6 => {
                let conversion = ["half_of_float", "float_of_half", "int_of_half"][self.below(3) as usize];
                format!("  {target} {conversion}({a});\n")
            }
            7 => format!("  {target} surface_read(c, {a}, {b}, {});\n", self.below(2)),
            8 => format!("  {target} surface_change(c, {a});\n"),
            9 => format!("  {target} on_heap({a}, 1 + {b} % {}, {});\n", 2 + self.below(12), self.below(2) == 0),
            10 => match self.below(2) {
                0 => format!("  push(s, {a});\n"),
                _ => format!("  {target} pop(s, {});\n", 1 + self.below(3)),
            },
            11 => format!("  {target} {}({a}, {b} % {});\n", self.recursive(), 2 + self.below(8)),
            12 => self.many_values(),
            13 | 14 => {
                let (then, other) = (self.statement(depth - 1), self.statement(depth - 1));
                let condition = self.condition();
                format!("  if ({condition}) {{\n{then}  }} else {{\n{other}  }}\n")
            }
            _ => {
                let (inner, most) = (self.statement(depth - 1), 2 + self.below(5));
                let index = format!("i{depth}");
                let leave = if self.below(2) == 0 { "  if (s.v[0] % 11 == 3) break;\n" } else { "" };
                format!("  for (unsigned {index} = {a} % {most}; {index} > 0; --{index}) {{\n{inner}{leave}  }}\n")
            }
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.below(3) {
            0 => format!("{a} >> {} & 1", self.below(32)),
            1 => format!("{a} < {b}"),
            _ => format!("{a} % {} < 2", 3 + self.below(5)),
        }
    }

    /// Two functions that call themselves and each other; the name of the first.
    fn recursive(&mut self) -> String {
        let names = ["a", "b"].map(|end| format!("r{}_{}{end}", self.seed, self.apart));
        self.apart += 1;
        let mut text = format!("APART unsigned {}(unsigned x, unsigned depth);\n", names[1]);
        for name in &names {
            let [first, second] = [(); 2].map(|()| names[self.below(2) as usize].clone());
            let [one, two] = [(); 2].map(|()| self.below(1 << 16));
            let (shift, bound) = (self.below(16), 3 + self.below(4));
            let twice = match self.below(2) {
                0 => format!("  if (x % {bound} == 0)\n    y ^= {second}(y + {two}, depth / 2) * 3;\n"),
                _ => format!("  for (int i = 0; i < 3 && y % {bound} == 1; ++i)\n    y = y / 2 + {second}(y, 0);\n"),
            };
            write!(
                text,
                "APART unsigned {name}(unsigned x, unsigned depth) {{\n  if (depth == 0)\n    return x * {one} + {two};\n  \
                 unsigned y = {first}(x * 5 + {one} >> {shift} % 3, depth - 1) + x;\n{twice}  return y ^ x >> {shift};\n}}\n"
            )
            .expect("text");
        }
        self.alone += &text;
        names[0].clone()
    }

    /// More values than there are registers, all needed over a loop.
    fn many_values(&mut self) -> String {
        let count = 12 + self.below(40);
        let (a, b, target) = (self.value(), self.value(), self.value());
        let mut text = String::from("  {\n");
        for i in 0..count {
            writeln!(text, "    unsigned x{i} = {a} * {}u + {b};", self.below(1 << 32)).expect("text");
        }
        writeln!(text, "    for (unsigned n = {b} % 4; n > 0; --n) {{").expect("text");
        for i in 0..count {
            let (j, k) = (self.below(count), self.below(count));
            let operator = ["+=", "^=", "-="][self.below(3) as usize];
            writeln!(text, "      x{i} {operator} x{j} * {}u + (x{k} >> {});", self.below(1 << 16) | 1, self.below(20))
                .expect("text");
        }
        text += "    }\n";
        let sum: Vec<String> = (0..count).map(|i| format!("x{i} * {}u", 2 * i + 1)).collect();
        writeln!(text, "    {target} ^= {};\n  }}", sum.join(" + ")).expect("text");
        text
    }

    /// Threads of a tile with each other.
    fn tile(&mut self) -> (String, String) {
        let (size, operation) = (1 << (1 + self.below(5)), self.below(10));
        let (to, from, other) = (self.below(VALUES), self.below(VALUES), self.below(VALUES));
        let device = format!("  s.v[{to}] += in_tile<{size}>({operation}, s.v[{from}], s.v[{other}]);\n");
        let host = format!(
            "  {{\n    std::vector<unsigned> values, others;\n    for (const S &one : s)\n      \
             values.push_back(one.v[{from}]), others.push_back(one.v[{other}]);\n    for (int t = 0; t < threads; ++t)\n      \
             s[t].v[{to}] += in_tile_model({size}, {operation}, values, others, t);\n  }}\n"
        );
        (device, host)
    }

    /// Threads of a warp that take a branch.
    fn together(&mut self) -> (String, String) {
        let operation = [0, 1, 4, 7, 9][self.below(5) as usize];
        let (to, from, other) = (self.below(VALUES), self.below(VALUES), self.below(VALUES));
        let condition = self.condition();
        let on_host = condition.replace("s.", "s[t].");
        let device =
            format!("  if ({condition})\n    s.v[{to}] ^= together({operation}, s.v[{from}], s.v[{other}]);\n");
        let host = format!(
            "  for (int warp = 0; warp < threads; warp += 32) {{\n    std::vector<unsigned> values;\n    std::vector<int> taken;\n    \
             for (int t = warp; t < warp + 32; ++t)\n      if ({on_host})\n        values.push_back(s[t].v[{from}]), taken.push_back(t);\n    \
             for (unsigned rank = 0; rank < taken.size(); ++rank) {{\n      S &one = s[taken[rank]];\n      \
             one.v[{to}] ^= together_model({operation}, values, one.v[{other}], rank);\n    }}\n  }}\n"
        );
        (device, host)
    }

    /// Atomics of 64 bits on cells of shared memory, of one kind between barriers.
    fn wide_atomics(&mut self) -> (String, String) {
        let operation = self.below(6);
        let [to, high, low, at] = [(); 4].map(|()| self.below(VALUES));
        let start = self.below(1 << 32);
        let condition = self.condition();
        let on_host = condition.replace("s.", "s[t].");
        let number = self.parts;
        self.parts += 1;
        let cells = format!("cells{number}");
        let device = format!(
            "  __shared__ Cell {cells}[CELLS];\n  for (int i = threadIdx.x; i < CELLS; i += blockDim.x)\n    {cells}[i] = wide_value({start}u, i);\n  \
             __syncthreads();\n  if ({condition})\n    wide_atomic({operation}, &{cells}[s.v[{at}] % CELLS], wide_value(s.v[{high}], s.v[{low}]));\n  \
             __syncthreads();\n  s.v[{to}] += {cells}[(threadIdx.x + 1) % CELLS] >> 32 ^ {cells}[threadIdx.x % CELLS];\n"
        );
        let host = format!(
            "  {{\n    Cell cells[CELLS];\n    for (int i = 0; i < CELLS; ++i)\n      cells[i] = wide_value({start}u, i);\n    \
             for (int t = 0; t < threads; ++t)\n      if ({on_host})\n        wide_model({operation}, cells[s[t].v[{at}] % CELLS], \
             wide_value(s[t].v[{high}], s[t].v[{low}]));\n    for (int t = 0; t < threads; ++t)\n      \
             s[t].v[{to}] += cells[(t + 1) % CELLS] >> 32 ^ cells[t % CELLS];\n  }}\n"
        );
        (device, host)
    }
}
