//! Random netlists: modules that nobody would write, with every operator, statement and kind of net.

use hdl::{Bits, Builder, MemoryHandle, Module, Signal, concat, mux, params, priority_mux, select};
use std::hash::{DefaultHasher, Hash, Hasher};
use verilog::lockstep::Rng;

const WIDTHS: [u32; 12] = [1, 1, 1, 2, 3, 8, 16, 31, 33, 64, 65, 130];

struct NetlistGenerator<'m> {
    m: &'m Builder,
    rng: Rng,
    pool: Vec<Signal<'m>>,
    memories: Vec<MemoryHandle<'m>>,
    /// Memories of other clock domains.
    foreign: Vec<MemoryHandle<'m>>,
    registers: Vec<Signal<'m>>,
    names: u32,
    /// Before every name: what tells clock domains apart.
    prefix: &'static str,
}

impl<'m> NetlistGenerator<'m> {
    fn new(m: &'m Builder, seed: u64, prefix: &'static str) -> Self {
        let (pool, memories, foreign, registers) = (vec![], vec![], vec![], vec![]);
        Self { m, rng: Rng::new(seed), pool, memories, foreign, registers, names: 0, prefix }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u64) as usize
    }

    fn width(&mut self) -> u32 {
        self.choice(&WIDTHS)
    }

    fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{}{what}{}", self.prefix, self.names)
    }

    /// Something made before, preferably lately.
    fn any(&mut self) -> Signal<'m> {
        let recent = self.pool.len().min(24);
        let from = if self.rng.chance(0.5) { self.pool.len() - recent } else { 0 };
        let at = from + self.below(self.pool.len() - from);
        self.pool[at]
    }

    /// Something of this width.
    fn of(&mut self, width: u32) -> Signal<'m> {
        let constant = self.rng.chance(0.08);
        if constant {
            return match self.below(3) {
                0 => Bits::zero(width),
                1 => Bits::ones(width),
                _ => self.rng.bits(width),
            }
            .signal(self.m);
        }
        self.variable(width)
    }

    /// Something of this width that is no constant.
    fn variable(&mut self, width: u32) -> Signal<'m> {
        let fitting: Vec<_> = self.pool.iter().copied().filter(|s| s.width() == width).collect();
        if !fitting.is_empty() && self.rng.chance(0.7) {
            return self.choice(&fitting);
        }
        let some = self.any();
        if some.width() > width {
            let lo = self.below((some.width() - width + 1) as usize) as u32;
            some.bits(lo, width)
        } else if self.rng.chance(0.5) {
            some.extend(width)
        } else {
            some.sign_extend(width)
        }
    }

    fn choice<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn bit(&mut self) -> Signal<'m> {
        self.of(1)
    }

    fn expression(&mut self) -> Signal<'m> {
        let width = self.width();
        let (a, b) = (self.of(width), self.of(width));
        let amount_width = self.choice(&[1, 3, 7, 9, 40, 70]);
        match self.below(30) {
            0 => !a,
            1 => a & b,
            2 => a | b,
            3 => a ^ b,
            4 => a + b,
            5 => a - b,
            6 => a * b,
            7 => a.eq(b),
            8 => a.ne(b),
            9 => a.lt(b),
            10 => a.ge(b),
            11 => a.lt_signed(b),
            12 => !a.lt_signed(b),
            13 => a << self.of(amount_width),
            14 => a >> self.of(amount_width),
            15 => a.shr_signed(self.of(amount_width)),
            16 => mux(self.bit(), a, b),
            17 => concat(&[a, self.any(), b]).resize(width * 2),
            18 => a.bits_at(self.of(amount_width), (width / 2).max(1)),
            19 => a.at(self.of(amount_width)),
            20 => a.any(),
            21 => a.all(),
            22 => a.parity(),
            23 => {
                let third = self.of(width);
                priority_mux(&[(self.bit(), a), (self.bit(), b)], third)
            }
            24 => {
                // All rows of a table, or some.
                let items: Vec<_> = (0..5).map(|_| self.of(width)).collect();
                let count = if width.is_multiple_of(2) { 8 } else { 5 };
                select(self.of(3), &(0..count).map(|row| items[row % 5]).collect::<Vec<_>>())
            }
            25 => {
                let memory = self.choice(&[&self.memories[..], &self.foreign].concat());
                let width = self.choice(&[1, 2, memory.address_width(), 9]);
                memory.read(self.of(width))
            }
            26 => a.part_at(self.of(3), (width / 4).max(1)),
            27 => a << (self.below(width as usize + 2) as u64),
            28 => a.repeat(2).resize(width + 1),
            _ => (a + b).bits(width / 2, width - width / 2),
        }
    }

    fn grow(&mut self, expressions: usize) {
        for _ in 0..expressions {
            let mut new = self.expression();
            if new.width() > 200 {
                new = new.bits(0, 200);
            }
            if self.rng.chance(0.15) {
                let name = self.name("w");
                new = new.named(&name);
            }
            self.pool.push(new);
        }
    }

    /// Assignments to `target` under random conditions; `clocked` for registers.
    fn statements(&mut self, target: Signal<'m>, clocked: bool, depth: u32) {
        let m = self.m;
        let put =
            |place: Signal<'m>, value: Signal<'m>| if clocked { m.set(place, value) } else { m.assign(place, value) };
        for i in 0..1 + self.below(2) {
            // As they were drawn: other draws are other modules, each of which has to be without warnings.
            let from = if i > 0 && depth > 0 { 1 } else { 0 };
            match from + self.below(if depth == 0 { 2 } else { 5 - from }) {
                0 => put(target, self.of(target.width())),
                1 => {
                    let width = 1 + self.below(target.width() as usize) as u32;
                    let lo = self.below((target.width() - width + 1) as usize) as u32;
                    put(target.bits(lo, width), self.of(width));
                }
                2 => {
                    let condition = self.bit();
                    m.when(condition, || self.statements(target, clocked, depth - 1));
                }
                3 => {
                    let condition = self.bit();
                    // Two closures, one generator: the second is recorded after the first has returned.
                    let otherwise = m.when(condition, || self.statements(target, clocked, depth - 1));
                    otherwise.otherwise(|| self.statements(target, clocked, depth - 1));
                }
                _ => {
                    let value = self.of([1, 3][depth as usize % 2]);
                    let cases = 1 + self.below(1 << value.width());
                    let default = self.rng.chance(0.6);
                    m.switch(value, |case| {
                        for constant in 0..cases {
                            case.is(constant as u64, || self.statements(target, clocked, depth - 1));
                        }
                        if default {
                            case.default(|| self.statements(target, clocked, depth - 1));
                        }
                    });
                }
            }
        }
    }

    fn memory_write(&mut self, memory: &MemoryHandle<'m>) {
        for _ in 0..1 + self.below(2) {
            let condition = self.bit();
            let address_width = self.choice(&[memory.address_width(), 1, 9]);
            // Yosys makes registers of a memory that is written at constant addresses only.
            let address = self.variable(address_width);
            let data = self.of(memory.width());
            let parts = self.choice(&[1, 2, 4]);
            if self.rng.chance(0.5) && memory.width().is_multiple_of(parts) {
                let mask = self.of(parts);
                self.m.when(condition, || memory.write_masked(address, data, mask));
            } else {
                self.m.when(condition, || memory.write(address, data));
            }
        }
    }
}

/// A random module; `children` are instantiated in it. All of it can be exported and linted: every bit of a register is
/// assigned.
pub fn random_module(seed: u64, size: usize, children: &[Module]) -> Module {
    random(seed, size, children, false)
}

/// A random module with registers that hold under conditions, and probes.
pub fn random_holding_module(seed: u64, size: usize, children: &[Module]) -> Module {
    random(seed, size, children, true)
}

fn random(seed: u64, size: usize, children: &[Module], holding: bool) -> Module {
    let m = Builder::new("random", params! { seed, size, children: children.len() });
    let mut g = NetlistGenerator::new(&m, seed, "");
    g.inputs();
    g.state(false);
    for _ in 0..4 {
        g.grow(size / 5);
        g.wires();
        children.iter().for_each(|child| g.child(child));
    }
    g.grow(size / 5);
    g.close(holding);
    g.outputs();
    m.finish()
}

/// What a netlist is made of: a number for each thing, from which everything about that thing follows. Leaving out
/// numbers gives a smaller netlist, so that a property test can find the smallest that fails.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Recipe {
    pub expressions: Vec<u64>,
    pub wires: Vec<u64>,
    pub registers: Vec<u64>,
    pub memories: Vec<u64>,
    /// Children, each instantiated as often as there are numbers.
    pub children: Vec<(Recipe, Vec<u64>)>,
    /// With registers that hold, and statistics.
    pub holding: bool,
}

/// The module of a recipe.
pub fn module_of(recipe: &Recipe) -> Module {
    let mut hash = DefaultHasher::new();
    recipe.hash(&mut hash);
    let m = Builder::new("netlist", params! { recipe: hash.finish() });
    let mut g = NetlistGenerator::new(&m, 0, "");
    g.inputs();
    // One memory at least: expressions read some.
    for &number in [0].iter().chain(&recipe.memories) {
        g.rng = Rng::new(number);
        let (name, depth, width) = (g.name("memory"), g.choice(&[1, 4, 5, 16, 20]), g.choice(&[4, 8, 12, 64, 130]));
        g.memories.push(m.memory(&name, depth, width));
    }
    for &number in &recipe.registers {
        g.rng = Rng::new(number);
        g.register();
    }
    let (before, after) = recipe.expressions.split_at(recipe.expressions.len() / 2);
    for &number in before {
        g.rng = Rng::new(number);
        g.grow(1);
    }
    for &number in &recipe.wires {
        g.rng = Rng::new(number);
        g.wire();
    }
    for (child, instances) in &recipe.children {
        let child = module_of(child);
        for &number in instances {
            g.rng = Rng::new(number);
            g.child(&child);
        }
    }
    for &number in after {
        g.rng = Rng::new(number);
        g.grow(1);
    }
    for (register, &number) in g.registers.clone().into_iter().zip(&recipe.registers) {
        g.rng = Rng::new(!number);
        g.drive(register, recipe.holding);
    }
    for (memory, &number) in g.memories.clone().iter().zip([0].iter().chain(&recipe.memories)) {
        g.rng = Rng::new(!number);
        g.memory_write(memory);
    }
    if recipe.holding {
        g.statistics();
    }
    g.outputs();
    m.finish()
}

/// Names of the clock domains of a [`random_clocked_module`], the default one first, and what the names in each begin
/// with.
pub const DOMAINS: [(&str, &str); 3] = [("clock", ""), ("second", "b_"), ("third", "c_")];

/// A random module with several clocks, between which synchronisers and crossing memories lead. `children` may have
/// several clocks too; which of ours these are, is random.
pub fn random_clocked_module(seed: u64, size: usize, clocks: usize, children: &[Module], holding: bool) -> Module {
    let m = Builder::new("random_clocked", params! { seed, size, clocks, children: children.len() });
    let mut domains = vec![m.clock()];
    domains.extend(DOMAINS[1..clocks].iter().map(|(name, _)| m.domain(name)));
    let mut rng = Rng::new(!seed);
    let mut all: Vec<_> = (0..clocks).map(|i| NetlistGenerator::new(&m, seed << 8 | i as u64, DOMAINS[i].1)).collect();
    for (g, &domain) in all.iter_mut().zip(&domains) {
        m.in_domain(domain, || {
            g.inputs();
            g.state(true);
        });
    }
    for to in 0..clocks {
        for from in (0..clocks).filter(|&from| from != to) {
            let (registers, memories) = (all[from].registers.clone(), all[from].memories.clone());
            let g = &mut all[to];
            g.foreign.extend(memories);
            for register in registers.into_iter().step_by(2) {
                let name = g.name("seen");
                let seen = m.in_domain(domains[to], || m.synchronise(&name, register, 2 + (to as u32 & 1)));
                g.pool.push(seen);
            }
        }
    }
    for _ in 0..3 {
        for (g, &domain) in all.iter_mut().zip(&domains) {
            m.in_domain(domain, || {
                g.grow(size / 5);
                g.wires();
            });
        }
        for child in children {
            let name = all[0].name("child");
            let bound: Vec<usize> = child.domains.iter().map(|_| rng.below(clocks as u64) as usize).collect();
            let instance = m.instance_in(domains[bound[0]], &name, child);
            child.domains[1..].iter().zip(&bound[1..]).for_each(|(d, &to)| instance.clocked(&d.name, domains[to]));
            let of = |port: &str| {
                let inner = (1..child.domains.len()).find(|&i| port.starts_with(DOMAINS[i].1)).unwrap_or(0);
                bound[inner]
            };
            for &port in &child.inputs {
                let port = child.net(port);
                let value = all[of(&port.name)].of(port.width);
                instance.drive(&port.name, value);
            }
            for &port in child.outputs.iter().step_by(3) {
                let name = &child.net(port).name;
                all[of(name)].pool.push(instance.get(name));
            }
        }
    }
    for (g, &domain) in all.iter_mut().zip(&domains) {
        m.in_domain(domain, || {
            g.grow(size / 5);
            g.close(holding);
            g.outputs();
        });
    }
    m.finish()
}

/// The parts of a module, in the order in which they are made.
impl<'m> NetlistGenerator<'m> {
    fn inputs(&mut self) {
        for (i, width) in WIDTHS.into_iter().enumerate() {
            self.pool.push(self.m.input(format!("{}i{i}", self.prefix), width));
        }
    }

    fn state(&mut self, crossing: bool) {
        let m = self.m;
        for (depth, width) in [(1, 4), (4, 8), (5, 12), (16, 64), (20, 130)] {
            let name = self.name("memory");
            let memory = if crossing { m.crossing_memory(&name, depth, width) } else { m.memory(&name, depth, width) };
            self.memories.push(memory);
        }
        (0..8).for_each(|_| self.register());
    }

    fn register(&mut self) {
        let (m, name, width) = (self.m, self.name("r"), self.width());
        let reset = self.rng.bits(width);
        let register =
            if self.rng.chance(0.5) { m.register_bits(&name, reset) } else { m.register_payload(&name, width) };
        self.registers.push(register);
        self.pool.push(register);
    }

    fn wires(&mut self) {
        (0..3).for_each(|_| self.wire());
    }

    fn wire(&mut self) {
        let (name, width) = (self.name("s"), self.width());
        let wire = self.m.wire_later(&name, width);
        self.m.comment(&format!("Statements for {name}."));
        self.m.assign(wire, self.of(width));
        self.statements(wire, false, 3);
        self.pool.push(wire);
    }

    fn child(&mut self, child: &Module) {
        let name = self.name("child");
        let instance = self.m.instance(&name, child);
        for &port in &child.inputs {
            let port = child.net(port);
            instance.drive(&port.name, self.of(port.width));
        }
        // Some outputs stay unread.
        for &port in child.outputs.iter().step_by(3) {
            self.pool.push(instance.get(&child.net(port).name));
        }
    }

    /// What registers and memories take, and statistics.
    fn close(&mut self, holding: bool) {
        self.registers.clone().into_iter().for_each(|register| self.drive(register, holding));
        self.memories.clone().iter().for_each(|memory| self.memory_write(memory));
        if holding {
            self.statistics();
        }
    }

    /// What a register takes.
    fn drive(&mut self, register: Signal<'m>, holding: bool) {
        let m = self.m;
        if !holding || self.rng.chance(0.3) {
            m.set(register, self.of(register.width()));
        } else if self.rng.chance(0.7) {
            let (enable, value) = (self.bit(), self.of(register.width()));
            m.when(enable, || m.set(register, value));
        }
        self.statements(register, true, 3);
    }

    fn statistics(&mut self) {
        let m = self.m;
        let [counted, summed, sorted, listed] =
            ["counted", "summed", "sorted", "listed"].map(|name| format!("{}{name}", self.prefix));
        m.count(&counted, self.bit());
        m.sum(&summed, self.bit(), self.of(16));
        m.histogram(&sorted, self.bit(), self.of(3));
        m.histogram(&listed, self.bit(), self.of(31));
    }

    fn outputs(&mut self) {
        let shown: Vec<_> = self.pool.iter().copied().skip(WIDTHS.len()).step_by(5).collect();
        for (i, signal) in shown.into_iter().enumerate() {
            self.m.output_of(format!("{}o{i}", self.prefix), signal);
        }
    }
}
