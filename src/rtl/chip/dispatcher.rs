//! Block dispatcher tile: the host loads a kernel through it, and it gives thread blocks to the cores, breadth first.
//!
//! ```text
//!                      +----------------------------------------------+
//!  host_write     (1)->|  registers of the launch (map below) --------|-> block_dim_x.., grid_dim_x.., block_warps,
//!  host_address  (20)->|                                              |   block_threads, shared_stride   (to all cores)
//!  host_data     (64)->|  program and parameter words ----------------|-> program_write.., param_write.. (to all cores)
//!  host_start     (1)->|  next block (x, y, z) -----------------------|-> block_x, block_y, block_z      (to all cores)
//!                      |  busy slots per core -> free -> distribution |-> block_slot                     (to all cores)
//!  block_done{i}      >|                                              |-> block_valid{i} (1)             (to core i)
//!      (slots)         |                                              |-> flush (1, to all caches)
//!  flushed{c} (1)     >+----------------------------------------------+-> host_done (1)
//! ```
//!
//! Contract: all outputs are registers. While it runs, the dispatcher gives one block a cycle: x fastest, then y, then
//! z, each block to a core that has a free slot ([`BlockDistribution`]; by default the next one in turn), there into
//! the lowest free one. `host_done` rises when every block has been given and has ended and, where there are caches
//! that write back, all of them are `flushed` (the last of them with `flush_memory`, when the others are); it falls at
//! the next `host_start`. After reset it waits; the launch registers are zero. Never: a `host_start` or a host write
//! while it runs, a `block_done` of a slot that is free (asserted).
//!
//! Where cores have instruction caches, the program lies in global memory: `program_base` (number of its first line)
//! replaces `program_write..`.
//!
//! Host addresses ([`region`], [`register`]): region in bits 19..16, word in bits 15..0.
//!
//! Source: breadth-first thread-block distribution, Bakhoda 2014, section 2.1 and GPGPU-Sim. Testbench:
//! `testbenches/block_dispatcher/`; tests: `tests/chip/dispatcher.rs`, `tests/memory/lockstep.rs`.

use blocks::{lowest_set, one_hot_index, one_hot_mux, or_all};
use hdl::{Builder, Module, Signal, bundle, index_width, mux, params, ports, row, statistics, taps};
use protocol::ADDRESS_BITS;
use serde::Serialize;
use simt_core::block_distribution::{BlockDistribution, Cores};
use simt_core::ports::{BlockDim, BlockSize, GridIndex, ParameterWrite, ProgramWrite};

taps! {
    "block_dispatcher" {
        /// Of each core: slots with a block, a bit each.
        BUSY_SLOTS,
    }
}

statistics! {
    "block_dispatcher" {
        /// Blocks given to cores.
        BLOCKS: blocks in "blocks";
        /// Cycles in which a kernel runs.
        RUNNING_CYCLES: running_cycles in "cycles";
        /// Cycles in which blocks are left and no core has room for one.
        CORE_WAIT_CYCLES: core_wait_cycles in "cycles";
        /// Cycles after the last block in which caches are flushed.
        FLUSH_CYCLES: flush_cycles in "cycles";
    }
}

/// Bits 19..16 of a host address.
pub mod region {
    /// Instruction memory of all cores: word address, 64-bit data.
    pub const PROGRAM: u64 = 0;
    /// Kernel parameter memory of all cores: word address (10 bits), 32-bit data.
    pub const PARAM: u64 = 1;
    /// Launch registers, see [`register`](super::register).
    pub const LAUNCH: u64 = 2;
}

/// Launch registers: low bits of a host address in [`region::LAUNCH`].
pub mod register {
    /// Threads per block in x (11 bits).
    pub const BLOCK_DIM_X: u64 = 0;
    /// Threads per block in y (11 bits).
    pub const BLOCK_DIM_Y: u64 = 1;
    /// Threads per block in z (7 bits).
    pub const BLOCK_DIM_Z: u64 = 2;
    /// Blocks in x (32 bits).
    pub const GRID_DIM_X: u64 = 3;
    /// Blocks in y (16 bits).
    pub const GRID_DIM_Y: u64 = 4;
    /// Blocks in z (16 bits).
    pub const GRID_DIM_Z: u64 = 5;
    /// Warps per block, rounded up.
    pub const BLOCK_WARPS: u64 = 6;
    /// Threads per block (11 bits).
    pub const BLOCK_THREADS: u64 = 7;
    /// Bytes of shared memory between resident blocks (16 bits).
    pub const SHARED_STRIDE: u64 = 8;
    /// Resident blocks a core takes of this kernel.
    pub const SLOTS: u64 = 9;
    /// Address of the program in global memory, the start of a line; where cores have instruction caches.
    pub const PROGRAM_BASE: u64 = 10;
}

/// The host address of `word` in `region`.
pub fn host_address(region: u64, word: u64) -> u64 {
    region << 16 | word & 0xffff
}

/// Parameters of a [`dispatcher`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct DispatcherParams {
    /// Cores, 1 and up.
    pub cores: usize,
    /// Warps of a core, 1 and up.
    pub warps: usize,
    /// Block slots of a core, 1 and up.
    pub blocks: usize,
    /// Caches that are flushed when all blocks have ended.
    pub flushed: usize,
    /// How many of these, the last, are flushed when the others are: memory partitions where writes are not answered.
    pub later: usize,
    /// Bytes of a line of the program, where it lies in global memory.
    pub program_line: Option<u32>,
    /// Which core gets the next block.
    pub distribution: BlockDistribution,
}

bundle! {
    /// The host port of a chip.
    pub struct HostPort(_p: &()) {
        /// The host writes a word.
        write: 1,
        /// To this [address](host_address).
        address: 20,
        data: 64,
        /// The kernel starts.
        start: 1,
    }
}

ports! {
    /// Ports of a [`dispatcher`].
    pub struct DispatcherPorts(p: &DispatcherParams) of Dispatcher {
        /// What the host writes, and that the kernel starts.
        in host: bundle HostPort(&()),
        /// Words for the instruction memories of all cores.
        maybe (p.program_line.is_none()) out program: bundle ProgramWrite(&()),
        /// Words for the kernel parameter memories of all cores.
        out param: bundle ParameterWrite(&()),
        /// Threads of a block.
        out block_dim: bundle BlockDim(&()),
        /// Blocks of the grid.
        out grid_dim: bundle GridIndex(&()),
        /// Sizes of all blocks.
        out block_size as "": bundle BlockSize(&p.warps),
        /// Number of the first line of the program.
        maybe (p.program_line.is_some()) out program_base: ADDRESS_BITS - p.program_line.unwrap_or(1).ilog2(),
        /// Slots of a core whose block has ended.
        in block_done[core: usize in 0..p.cores]: p.blocks as u32,
        /// A core gets a block.
        out block_valid[core: usize in 0..p.cores]: 1,
        /// In this slot.
        out block_slot: index_width(p.blocks),
        /// Index of that block.
        out block: bundle GridIndex(&()),
        /// A cache has done what it does at the end of a kernel.
        in flushed[cache: usize in 0..p.flushed]: 1,
        /// The blocks have ended, for caches.
        maybe (p.flushed > 0) out flush: 1,
        /// The caches of the cores are flushed, for the last ones.
        maybe (p.flushed > 0 && p.later > 0) out flush_memory: 1,
        /// The kernel is over.
        out host_done: 1,
    }
}

/// A block dispatcher; see the [module documentation](self).
pub fn dispatcher(p: &DispatcherParams) -> Module {
    let DispatcherParams { cores, warps, blocks, flushed, later, program_line, distribution } = *p;
    let m = Builder::new("block_dispatcher", params! { cores, warps, blocks }.and(p));
    m.doc("Block dispatcher tile: loads a kernel for the host and gives thread blocks to the cores, breadth first.");
    let running = m.register("running", 1, 0);
    let io = DispatcherPorts::new(&m, p);
    let host = io.host().registered(&m);
    m.always("the host is silent while a kernel runs", !(running & (host.write | host.start)));
    load_ports(&m, io, &host, program_line.is_none());

    let field = |name: &str, at: u64, width: u32| {
        let register = m.register((name, "launch"), width, 0);
        m.when(host.writes(region::LAUNCH, at), || m.set(register, host.data.bits(0, width)));
        register
    };
    let block_dim = BlockDim {
        x: field("block_dim_x", register::BLOCK_DIM_X, 11),
        y: field("block_dim_y", register::BLOCK_DIM_Y, 11),
        z: field("block_dim_z", register::BLOCK_DIM_Z, 7),
    };
    io.block_dim(block_dim);
    let grid_dim = GridIndex {
        x: field("grid_dim_x", register::GRID_DIM_X, 32),
        y: field("grid_dim_y", register::GRID_DIM_Y, 16),
        z: field("grid_dim_z", register::GRID_DIM_Z, 16),
    };
    io.grid_dim(grid_dim);
    io.block_size(BlockSize {
        block_warps: field("block_warps", register::BLOCK_WARPS, index_width(warps + 1)),
        block_threads: field("block_threads", register::BLOCK_THREADS, 11),
        shared_stride: field("shared_stride", register::SHARED_STRIDE, 16),
    });
    program_line.iter().for_each(|line| program_base(&m, io, &host, *line));
    let slots = field("slots", register::SLOTS, index_width(blocks + 1));

    // Which slots this kernel may use, and which of them are taken.
    let usable = m.wire("usable", row((0..blocks).map(|slot| slots.gt(slot))));
    let busy: Vec<_> = (0..cores).map(|core| m.register(("busy", core), blocks as u32, 0)).collect();
    busy.iter().for_each(|&busy| m.tap(BUSY_SLOTS, busy));
    let free: Vec<_> = busy.iter().map(|&busy| usable & !busy).collect();
    let has_free_slot = m.wire("has_free_slot", row(free.iter().map(|free| free.any())));

    // One block a cycle.
    let left = m.register("blocks_left", 1, 0);
    let give = m.wire("give", left & has_free_slot.any());
    let to = distribution.policy().choose(&Cores { m: &m, has_free_slot, busy: &busy, give });
    let slot = lowest_of(&m, to, &free);
    for (core, &busy) in busy.iter().enumerate() {
        let done = io.block_done(core);
        let given = m.wire(("given", core), give & to.bit(core as u32));
        m.set(busy, (busy | (slot & given.repeat(blocks as u32))) & !done);
        io.block_valid(core, m.delayed(("valid", core), given));
        m.always("only a block that was given ends", (done & !busy).is_zero());
    }
    let slot_number = m.delayed("slot_number", one_hot_index(slot));
    io.block_slot(slot_number);

    io.block(next_block(&m, &host, give, left, grid_dim));

    let ended = m.wire("all_ended", !left & !or_all(&busy).any());
    let flush = m.register("flushing", 1, 0);
    let idle = if flushed == 0 {
        ended
    } else {
        let all = row((0..flushed).map(|c| io.flushed(c)));
        let clean = m.wire("all_flushed", all.all());
        io.flush(flush);
        let over = m.wire("flush_over", flush & clean);
        m.comment("What caches of a slower clock still show of the last flush does not end this one.");
        m.set(flush, running & ended & !over & (flush | all.is_zero()));
        if later > 0 {
            let last = m.register("flushing_memory", 1, 0);
            m.set(last, flush & !over & all.bits(0, (flushed - later) as u32).all());
            io.flush_memory(last);
        }
        over
    };
    let done = m.register("done", 1, 0);
    m.when(host.start, || {
        m.set(running, 1);
        m.set(done, 0);
    })
    .otherwise(|| {
        m.when(running & idle, || {
            m.set(running, 0);
            m.set(done, 1);
        });
    });
    io.host_done(done);
    m.count(BLOCKS, give);
    m.count(RUNNING_CYCLES, running & !flush);
    m.count(FLUSH_CYCLES, flush);
    m.count(CORE_WAIT_CYCLES, left & !has_free_slot.any());
    m.finish()
}

impl<'m> HostPort<'m> {
    /// Registered once, at the pins.
    fn registered(self, m: &'m Builder) -> Self {
        Self {
            write: m.delayed("host_write_in", self.write),
            address: m.delayed("host_address_in", self.address),
            data: m.delayed("host_data_in", self.data),
            start: m.delayed("host_start_in", self.start),
        }
    }

    fn region(&self, region: u64) -> Signal<'m> {
        self.write & self.address.bits(16, 4).eq(region)
    }

    fn writes(&self, region: u64, word: u64) -> Signal<'m> {
        self.region(region) & self.address.bits(0, 16).eq(word)
    }
}

/// Where the program lies in global memory: the number of its first line.
fn program_base<'m>(m: &'m Builder, io: DispatcherPorts<'m>, host: &HostPort<'m>, line_bytes: u32) {
    let offset_bits = line_bytes.ilog2();
    let base = m.register(("program_base", "launch"), ADDRESS_BITS - offset_bits, 0);
    let written = host.data.bits(offset_bits, ADDRESS_BITS - offset_bits);
    m.when(host.writes(region::LAUNCH, register::PROGRAM_BASE), || m.set(base, written));
    io.program_base(base);
}

/// The load ports of all cores.
fn load_ports<'m>(m: &'m Builder, io: DispatcherPorts<'m>, host: &HostPort<'m>, has_program: bool) {
    let program = has_program.then(|| m.delayed("program_enable", host.region(region::PROGRAM)));
    let param = m.delayed("param_enable", host.region(region::PARAM));
    let address = m.captured("load_address", host.write, host.address.bits(0, 16));
    let data = m.captured("load_data", host.write, host.data);
    if let Some(write) = program {
        io.program(ProgramWrite { write, address, data });
    }
    io.param(ParameterWrite { write: param, address: address.bits(0, 10), data: data.bits(0, 32) });
}

/// The lowest free slot (one-hot) of the core that `to` (one-hot) points at. It is known of all cores before `to` is.
fn lowest_of<'m>(m: &'m Builder, to: Signal<'m>, free: &[Signal<'m>]) -> Signal<'m> {
    let lowest: Vec<_> = free.iter().map(|&free| lowest_set(free)).collect();
    m.wire("slot_there", one_hot_mux(to, &lowest))
}

/// Walks through the grid, x fastest, one step with each `give`; `left` is one while blocks are left. The block that was given last.
fn next_block<'m>(
    m: &'m Builder,
    host: &HostPort<'m>,
    give: Signal<'m>,
    left: Signal<'m>,
    grid: GridIndex<'m>,
) -> GridIndex<'m> {
    let mut carry = give;
    let mut axis = |name: &str, blocks: Signal<'m>| {
        let at = m.register(("next", name), blocks.width(), 0);
        let last = m.wire(("last", name), (at + 1).eq(blocks));
        m.when(carry, || m.set(at, mux(last, 0, at + 1)));
        m.when(host.start, || m.set(at, 0));
        carry = m.wire(("carry", name), carry & last);
        m.captured(("given", name), give, at)
    };
    let block = GridIndex { x: axis("x", grid.x), y: axis("y", grid.y), z: axis("z", grid.z) };
    m.when(carry, || m.set(left, 0));
    let empty = grid.x.is_zero() | grid.y.is_zero() | grid.z.is_zero();
    m.when(host.start, || m.set(left, !empty));
    block
}
