//! A core with its surroundings: host, dispatcher, and a memory that answers late and out of order.

use crate::{matrix::options, pooled::Pooled};
use hdl::{Bits, index_width};
use memory::{map::AddressMap, packets::MemoryPackets};
use netlist::{Design, elaborate};
use noc::MessageClass;
use program::{
    isa::{AtomicOp, Instruction, Opcode, Predicate},
    semantics,
};
use sim::{Engine, Options, Simulator};
use simt_core::{CoreParams, core};
use std::collections::VecDeque;
use verilog::lockstep::{Agreement, Feed, ModelOptions, Recorder, VerilatedModel};

/// Parameters of the core under test: those of the default chip, with four memory nodes.
pub fn params() -> CoreParams {
    let map = AddressMap::new(&[0, 3, 12, 15], 16, 8, 2048).expect("a legal map");
    CoreParams { atomics: true, ..CoreParams::new(map) }
}

/// Threads per block and blocks per grid.
#[derive(Clone, Copy)]
pub struct Launch {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_bytes: u32,
}

impl Launch {
    pub fn line(blocks: u32, threads: u32) -> Self {
        Self { grid: [blocks, 1, 1], block: [threads, 1, 1], shared_bytes: 0 }
    }
}

/// A request on its way: when its memory access happens and when it is answered.
struct Flight {
    access: u64,
    answer: u64,
    write: bool,
    tag: u64,
    address: u32,
    mask: u128,
    /// Words of an atomic.
    atomic: Option<u64>,
    data: Bits,
}

impl Flight {
    /// Does an atomic on its line; what is answered.
    fn atomic(&mut self, words: u64, line: &mut [u8]) {
        let (at, wide) = (4 * words.trailing_zeros() as usize, words.count_ones() == 2);
        let place = &mut line[at..at + if wide { 8 } else { 4 }];
        let old = place.iter().rev().fold(0, |old, &byte| old << 8 | u64::from(byte));
        let [operand, compare] = [0, 64].map(|low| self.data.slice(low, 64).to_u64());
        let op = AtomicOp::ALL[self.data.slice(128, 4).to_u64() as usize];
        if let Some(new) = semantics::atomic(op, wide, old, operand, compare) {
            place.copy_from_slice(&new.to_le_bytes()[..place.len()]);
        }
        self.write = self.data.slice(132, 1).to_u64() == 0;
        let pair = if wide { old } else { old << 32 | old };
        self.data = Bits::from_words(self.data.width(), &vec![pair; self.data.width() as usize / 64]);
    }
}

pub struct CoreRig {
    pub sim: Pooled,
    pub params: CoreParams,
    pub memory: Vec<u8>,
    random: Random,
    flights: Vec<Flight>,
    credits_due: VecDeque<u64>,
    /// Replies that the core can take.
    places: usize,
    now: u64,
    /// Greatest latency of a memory access.
    pub slowness: u64,
    /// Verilog that runs beside the simulation.
    beside: Option<(Recorder, Feed)>,
}

impl CoreRig {
    pub fn new(params: &CoreParams, seed: u64) -> Self {
        Self::build(params, seed, options(), false)
    }

    /// With the exported Verilog beside it, in Verilator.
    pub fn with_verilog(params: &CoreParams, seed: u64) -> Self {
        Self::build(params, seed, options(), true)
    }

    /// With the interpreter beside the native engine, and without native intrinsics in it.
    pub fn validated(params: &CoreParams, seed: u64) -> Self {
        Self::build(params, seed, Options { validate: Some(Engine::Interpreter), ..options() }, false)
    }

    fn build(params: &CoreParams, seed: u64, options: Options, verilog: bool) -> Self {
        let design = || elaborate(&core(params)).unwrap_or_else(|e| panic!("{e}"));
        let start = |design: &Design| {
            let mut sim = Simulator::new(design, &options).unwrap_or_else(|e| panic!("{e}"));
            if params.has_caches() {
                sim.poke("flush", 0);
            }
            sim
        };
        let reset = || {
            let mut sim = start(&design());
            sim.reset(2);
            sim
        };
        let beside = verilog.then(design);
        let sim = match &beside {
            Some(design) => Pooled::alone(start(design)),
            None => Pooled::new(format!("{params:?}, {options:?}"), reset),
        };
        let mut rig = Self {
            sim,
            params: params.clone(),
            memory: vec![0; 1 << 18],
            random: Random::new(seed),
            flights: vec![],
            credits_due: VecDeque::new(),
            places: CoreParams::RX_PLACES,
            now: 0,
            slowness: 60,
            beside: None,
        };
        if let Some(design) = beside {
            let model = VerilatedModel::build(&design, &ModelOptions { optimise: "-O0", ..ModelOptions::default() })
                .unwrap_or_else(|e| panic!("{e}"));
            let feed = model.start().unwrap_or_else(|e| panic!("{e}"));
            rig.beside = Some((Recorder::new(&design, &rig.sim).unwrap_or_else(|e| panic!("{e}")), feed));
            for _ in 0..2 {
                rig.sample(true);
                rig.sim.reset(1);
            }
        }
        rig
    }

    /// Gives the present cycle to the Verilog, if it runs; false when that has found a difference.
    fn sample(&mut self, reset: bool) -> bool {
        let Some((recorder, feed)) = &mut self.beside else { return true };
        recorder.sample(&mut self.sim, reset, feed).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Compares the last cycles with the Verilog and says what was compared.
    pub fn agreement(self) -> Agreement {
        let (recorder, feed) = self.beside.expect("the Verilog runs beside");
        feed.finish().unwrap_or_else(|e| panic!("{e}"));
        recorder.agreement()
    }

    pub fn word(&self, address: u32) -> u32 {
        let at = address as usize;
        u32::from_le_bytes(self.memory[at..at + 4].try_into().expect("four bytes"))
    }

    pub fn load(&mut self, program: &[Instruction], parameters: &[u32]) {
        if self.params.instruction_cache.is_some() {
            let base = self.memory.len().next_multiple_of(256);
            self.memory.resize(base, 0);
            self.memory.extend(program.iter().flat_map(|instruction| instruction.encode().to_le_bytes()));
            self.memory.resize(self.memory.len().next_multiple_of(256), 0);
            self.sim.poke("program_base", base as u64 / u64::from(self.params.map.line_bytes()));
        } else {
            self.sim.poke("program_write", 1);
            for (i, instruction) in program.iter().enumerate() {
                self.sim.poke("program_address", i as u64);
                self.sim.poke("program_data", instruction.encode());
                self.cycle();
            }
            self.sim.poke("program_write", 0);
        }
        self.sim.poke("param_write", 1);
        for (i, word) in parameters.iter().enumerate() {
            self.sim.poke("param_address", i as u64);
            self.sim.poke("param_data", u64::from(*word));
            self.cycle();
        }
        self.sim.poke("param_write", 0);
    }

    /// Loads and runs a kernel with its data.
    pub fn run_program(&mut self, launch: &program::Launch) -> u64 {
        let code: Vec<_> =
            launch.kernel.code.iter().map(|w| Instruction::decode(*w).expect("an instruction")).collect();
        self.flush();
        self.memory = launch.memory_image();
        self.memory.resize(self.memory.len().next_multiple_of(128), 0);
        self.load(&code, &launch.param_words());
        self.run(Launch { grid: launch.grid, block: launch.block, shared_bytes: launch.kernel.shared_bytes })
    }

    /// Between two kernels: caches forget what they hold.
    fn flush(&mut self) {
        if self.params.has_caches() {
            self.sim.poke("flush", 1);
            while self.sim.peek("flushed") == 0 {
                self.cycle();
            }
            self.sim.poke("flush", 0);
            self.cycle();
            self.cycle();
        }
    }

    /// Runs the loaded program to its end; returns the cycles it took.
    pub fn run(&mut self, launch: Launch) -> u64 {
        let threads: u32 = launch.block.iter().product();
        let block_warps = threads.div_ceil(32);
        let mut slots = (self.params.warps / block_warps).min(self.params.blocks);
        if let Some(fit) = self.params.shared_bytes.checked_div(launch.shared_bytes) {
            slots = slots.min(fit);
        }
        assert!(slots > 0, "the block fits the core");
        for (axis, i) in [("x", 0), ("y", 1), ("z", 2)] {
            self.sim.poke(&format!("block_dim_{axis}"), launch.block[i].into());
            self.sim.poke(&format!("grid_dim_{axis}"), launch.grid[i].into());
        }
        self.sim.poke("block_warps", block_warps.into());
        self.sim.poke("block_threads", threads.into());
        self.sim.poke("shared_stride", launch.shared_bytes.into());
        assert!(slots < 1 << index_width(self.params.blocks as usize + 1));
        let blocks: u32 = launch.grid.iter().product();
        let (mut next, mut done, mut free) = (0, 0, (1u64 << slots) - 1);
        let start = self.now;
        while done < blocks {
            assert!(self.now - start < 400_000, "the kernel ends");
            let give = next < blocks && free != 0;
            if give {
                let slot = free.trailing_zeros();
                free &= !(1 << slot);
                let [x, y, _] = launch.grid;
                self.sim.poke("block_slot", slot.into());
                self.sim.poke("block_x", (next % x).into());
                self.sim.poke("block_y", (next / x % y).into());
                self.sim.poke("block_z", (next / x / y).into());
                next += 1;
            }
            self.sim.poke("block_valid", give.into());
            self.cycle();
            let ended = self.sim.peek("block_done");
            done += ended.count_ones();
            free |= ended;
        }
        self.sim.poke("block_valid", 0);
        for _ in 0..2 {
            self.cycle();
        }
        assert_eq!(self.sim.peek("idle"), 1, "the core is idle at the end");
        assert!(self.flights.is_empty(), "nothing is in flight at the end");
        self.now - start
    }

    /// One clock cycle of the core and the memory.
    pub fn cycle(&mut self) {
        if self.sim.peek("tx_valid") == 1 {
            let (packets, payload) = (self.params.packets(), self.sim.peek_bits("tx_payload"));
            let header = MemoryPackets::header(&payload);
            let (write, tag) = packets.write_and_tag(self.sim.peek("tx_sideband"));
            let protocol = self.params.protocol();
            let (line_bytes, line_bits, words) = (protocol.line_bytes, protocol.line_number_bits(), protocol.words());
            let address = (header as u32 & (u32::MAX >> (32 - line_bits))) * line_bytes;
            let (words, bytes) = (header >> line_bits & ((1 << words) - 1), header >> (line_bits + words) & 15);
            assert_eq!(self.sim.peek("tx_dest"), self.params.map.node(address) as u64);
            let written = |i: &u32| words >> (i / 4) & 1 == 1 && bytes >> (i % 4) & 1 == 1;
            let mask = (0..line_bytes).filter(written).map(|i| 1 << i).sum();
            let access = self.now + 1 + self.random.below(self.slowness);
            self.flights.push(Flight {
                access,
                answer: access + self.random.below(self.slowness),
                write,
                tag,
                address,
                mask,
                atomic: (write && bytes == 0).then_some(words),
                data: packets.line(MessageClass::Request, &payload),
            });
            let credit = self.now + 1 + self.random.below(6);
            self.credits_due.push_back(credit.max(self.credits_due.back().map_or(0, |last| last + 1)));
        }
        let credit = self.credits_due.front().is_some_and(|due| *due <= self.now);
        if credit {
            self.credits_due.pop_front();
        }
        self.sim.poke("tx_credit", credit.into());
        for flight in self.flights.iter_mut().filter(|f| f.access == self.now) {
            let bytes = self.params.map.line_bytes();
            if (flight.address + bytes) as usize > self.memory.len() {
                assert!(self.params.prefetches() && !flight.write, "{:#x} is beyond memory", flight.address);
                flight.data = Bits::zero(8 * bytes);
                continue;
            }
            let line = &mut self.memory[flight.address as usize..flight.address as usize + bytes as usize];
            if let Some(words) = flight.atomic {
                flight.atomic(words, line);
            } else if flight.write {
                let written = (0..bytes as usize).filter(|i| flight.mask >> i & 1 == 1);
                written.for_each(|i| line[i] = flight.data.slice(8 * i as u32, 8).to_u64() as u8);
            } else {
                let words: Vec<_> =
                    line.chunks(8).map(|c| u64::from_le_bytes(c.try_into().expect("eight bytes"))).collect();
                flight.data = Bits::from_words(8 * bytes, &words);
            }
        }
        self.places += self.sim.peek("rx_credit") as usize;
        let mut flights = self.flights.iter();
        let due = flights.position(|f| self.places > 0 && f.answer <= self.now && f.access < self.now);
        self.places -= usize::from(due.is_some());
        self.sim.poke("rx_valid", due.is_some().into());
        if let Some(i) = due {
            let flight = self.flights.swap_remove(i);
            self.sim.poke("rx_sideband", self.params.packets().sideband(flight.write, flight.tag));
            self.sim.poke_bits("rx_payload", &flight.data);
        }
        if !self.sample(false) {
            let (_, feed) = self.beside.take().expect("it found the difference");
            feed.finish().unwrap_or_else(|e| panic!("{e}"));
        }
        self.sim.step().unwrap_or_else(|e| panic!("{e}"));
        self.now += 1;
    }
}

// -- assembling ----------------------------------------------------------------------------------------------------------

pub use crate::{assembling::*, random_program::ProgramRandom as Random};
pub use Opcode::*;

pub fn parameter(dst: u8, word: u32) -> Instruction {
    opi(LdP32, dst, 255, 4 * word)
}

/// Predicate `dst` = `a` compared with an immediate.
pub fn compare(opcode: Opcode, code: u8, dst: u8, a: u8, immediate: u32) -> Instruction {
    opi(opcode, Instruction::predicate_dst(code, dst), a, immediate)
}

/// A program with labels.
#[derive(Default)]
pub struct Assembly {
    code: Vec<Instruction>,
    labels: Vec<(&'static str, u16)>,
    branches: Vec<(usize, &'static str, &'static str)>,
}

impl Assembly {
    pub fn new(start: &[Instruction]) -> Self {
        Self { code: start.to_vec(), ..Self::default() }
    }

    pub fn put(&mut self, instructions: &[Instruction]) -> &mut Self {
        self.code.extend_from_slice(instructions);
        self
    }

    pub fn label(&mut self, name: &'static str) -> &mut Self {
        self.labels.push((name, self.code.len() as u16));
        self
    }

    /// A branch to `target` whose paths meet at `meet` (empty: only at the end).
    pub fn branch(&mut self, guard: Option<(u8, bool)>, target: &'static str, meet: &'static str) -> &mut Self {
        self.branches.push((self.code.len(), target, meet));
        let (index, negate) = guard.unwrap_or((7, false));
        self.code.push(Instruction { guard: Predicate { index, negate }, ..Instruction::branch(0, 0) });
        self
    }

    pub fn finish(&self) -> Vec<Instruction> {
        let mut code = self.code.clone();
        let at = |name: &str| {
            if name.is_empty() { 0xffff } else { self.labels.iter().find(|l| l.0 == name).expect("a label").1 }
        };
        for (i, target, meet) in &self.branches {
            code[*i].b = Instruction::branch(at(target), at(meet)).b;
        }
        code
    }
}
