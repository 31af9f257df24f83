//! What machine code works on: the registers of a warp, and a [`MachineContext`] with memory and what an instruction
//! may ask for. Where it cannot or will not go on by itself, it calls [`step`], which does one instruction in the
//! interpreter.

use super::slots::{predicate, register};
use crate::{
    emulator::{
        barriers::Arrival,
        error::EmulationError,
        lane::{HighPart, Lane, LowPart},
        machine::EmulatedBlocks,
        places::index_of,
        warp_control::WarpControl,
        warp_mask::{WARP, first, lanes},
    },
    isa::{BARRIER_SUM, OperandB, Operands, PT, Predicate, RZ},
};
use std::{ffi::c_void, ptr};

/// A word of each thread of a warp.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct WarpWord(pub [u32; WARP]);

impl WarpWord {
    /// The same in all threads.
    pub const fn all(word: u32) -> Self {
        Self([word; WARP])
    }

    /// All ones in the threads of `mask`.
    fn mask(mask: u32) -> Self {
        Self(std::array::from_fn(|t| 0u32.wrapping_sub(mask >> t & 1)))
    }
}

/// A part of a memory in which machine code may load or store without asking.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Region {
    /// Its first byte.
    pub base: *mut u8,
    /// The address of that byte: a multiple of [`ALIGN`].
    pub low: u32,
    /// Its bytes: a multiple of 4.
    pub size: u32,
}

/// Regions start at multiples of this: no access needs more.
const ALIGN: u32 = 16;

/// Which [`Region`] an instruction works in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum RegionKind {
    /// All global memory.
    Global,
    /// Global memory behind constants.
    Written,
    /// Constants without holes.
    Const,
    /// Shared memory of a block.
    Shared,
    /// Parameters.
    Param,
}

/// No byte at all.
const NOWHERE: Region = Region { base: ptr::null_mut(), low: 0, size: 0 };

/// How many there are.
const PARTS: usize = 5;

/// What machine code gets beside registers.
#[repr(C)]
pub struct MachineContext {
    /// All ones in the threads that execute a block.
    pub lanes: WarpWord,
    /// Where a load or store goes, from the start of its region.
    pub offsets: WarpWord,
    /// By [`RegionKind`].
    pub regions: [Region; PARTS],
    /// In code for checks: the region of each instruction that works in global memory, which is the piece where it was before.
    pub own_regions: *mut Region,
    /// Special registers that are the same in a warp, by number.
    pub specials: [u32; 16],
    /// Thread instructions before the block.
    pub executed: u64,
    /// Threads that execute it.
    pub threads: u32,
    /// How many they are.
    pub count: u32,
    /// [`step`].
    pub step: unsafe extern "C" fn(*mut MachineContext, u32, u32) -> u32,
    machine: *mut c_void,
    warp: *mut Warp,
    block: [u32; 3],
    /// Why machine code has stopped.
    pub error: Option<EmulationError>,
    pieces: Vec<Region>,
}

/// A block in machine code: gets registers of a warp and the index of its threads by direction; returns the threads that the last instruction acts in, or
/// [`STOPPED`].
pub type BlockCode = unsafe extern "C" fn(*mut MachineContext, *mut WarpWord, *const [WarpWord; 3], u32) -> u64;

/// Something is wrong: [`MachineContext::error`].
pub const STOPPED: u64 = 1 << 32;

impl MachineContext {
    /// Of a machine; `checked`: its code is for checks.
    pub fn new(machine: &mut EmulatedBlocks, checked: bool) -> Self {
        let mut pieces = if checked { vec![NOWHERE; machine.code.len()] } else { vec![] };
        let mut specials = [0; 16];
        specials[3..6].copy_from_slice(&machine.launch.block);
        specials[9..12].copy_from_slice(&machine.launch.grid);
        let mut context = Self {
            lanes: WarpWord::all(0),
            offsets: WarpWord::all(0),
            regions: [NOWHERE; PARTS],
            own_regions: pieces.as_mut_ptr(),
            specials,
            executed: 0,
            threads: 0,
            count: 0,
            step,
            machine: ptr::null_mut(),
            warp: ptr::null_mut(),
            block: [0; 3],
            error: None,
            pieces,
        };
        context.regions[RegionKind::Param as usize] = whole(machine.param.bytes());
        if checked {
            return context;
        }
        let constants = constants(machine);
        context.regions[RegionKind::Const as usize] = region(machine.memory.bytes(), constants);
        let behind = machine.launch.kernel.constants.iter().map(|constant| constant.end()).max().unwrap_or(0);
        let global = machine.memory.bytes();
        // No variable is below: what the compiler stores to there is a message.
        let written = behind.max(crate::launch::FIRST_BUFFER as u32)..global.len() as u32;
        context.regions[RegionKind::Written as usize] = region(global, written);
        context.regions[RegionKind::Global as usize] = whole(global);
        context
    }

    /// Shared memory is a new one.
    pub fn start_block(&mut self, machine: &mut EmulatedBlocks) {
        self.regions[RegionKind::Shared as usize] = whole(machine.shared.bytes());
    }

    /// Executes a block of `length` instructions; returns the threads that its last instruction acts in.
    ///
    /// # Safety
    /// `code` is of the machine's kernel, and the warp has its slots.
    pub unsafe fn call(
        &mut self,
        [full, partial]: [BlockCode; 2],
        (machine, warp): (&mut EmulatedBlocks, &mut Warp),
        (block, threads): ([u32; 3], u32),
    ) -> Result<u32, EmulationError> {
        self.enter(machine, warp, block, threads);
        let code = if threads == u32::MAX {
            full
        } else {
            self.lanes = WarpWord::mask(threads);
            partial
        };
        let (registers, index) = (warp.slots.as_mut_ptr(), ptr::from_ref(&warp.index));
        self.warp = ptr::from_mut(warp);
        self.machine = ptr::from_mut(machine).cast();
        // SAFETY: as the caller says; code stays in the slots, and in the regions, which are the machine's memory until
        // it starts another block. It uses machine and warp only through this context, while nobody else does.
        let acting = unsafe { code(self, registers, index, threads) };
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(acting as u32),
        }
    }

    fn enter(&mut self, machine: &EmulatedBlocks, warp: &Warp, block: [u32; 3], threads: u32) {
        self.executed = machine.executed;
        self.threads = threads;
        self.count = threads.count_ones();
        self.specials[BARRIER_SUM as usize] = machine.barriers.sum(warp.number as usize);
        if self.block != block || self.specials[13] != warp.number {
            self.block = block;
            self.specials[6..9].copy_from_slice(&block);
            self.specials[13] = warp.number;
        }
    }
}

/// The part of `bytes` at these addresses.
fn region(bytes: &mut [u8], range: std::ops::Range<u32>) -> Region {
    let low = range.start.next_multiple_of(ALIGN);
    let size = range.end.min(bytes.len() as u32).saturating_sub(low) & !3;
    match bytes.get_mut(low as usize..) {
        Some(bytes) => Region { base: bytes.as_mut_ptr(), low, size },
        None => NOWHERE,
    }
}

fn whole(bytes: &mut [u8]) -> Region {
    let end = bytes.len() as u32;
    region(bytes, 0..end)
}

/// Addresses that are constants without a gap: the longest there are.
fn constants(machine: &EmulatedBlocks) -> std::ops::Range<u32> {
    let (mut longest, mut run) = (0..0, 0..0u32);
    for constant in &machine.launch.kernel.constants {
        let joins = constant.address == run.end;
        run = if joins { run.start..constant.end() } else { constant.address..constant.end() };
        if run.len() > longest.len() {
            longest = run.clone();
        }
    }
    longest
}

/// Does the instruction at `pc`, the one with this number in its block, from 1, in the interpreter; 0: it is done.
///
/// # Safety
/// Called by the code of a block with the context it was given.
unsafe extern "C" fn step(context: *mut MachineContext, pc: u32, number: u32) -> u32 {
    // SAFETY: code has the context from `MachineContext::call`, where machine and warp are lent to it and are nobody
    // else's meanwhile.
    let (context, machine, warp) = unsafe {
        let context = &mut *context;
        let machine = &mut *context.machine.cast::<EmulatedBlocks>();
        let warp = &mut *context.warp;
        (context, machine, warp)
    };
    machine.executed = context.executed + u64::from(number) * u64::from(context.count);
    match warp.data(machine, pc as usize, context.threads, context.block) {
        Ok(()) => {
            if let Some(region) = context.pieces.get_mut(pc as usize) {
                *region = piece(machine, pc as usize);
            }
            0
        }
        Err(error) => {
            context.error = Some(error);
            1
        }
    }
}

/// The piece of global memory that was worked in last, if the load or store at `pc` may go on in it unasked.
fn piece(machine: &mut EmulatedBlocks, pc: usize) -> Region {
    let store = machine.code[pc].opcode.operands() == Operands::Store;
    let must_be_constant = machine.code[pc].opcode.is_constant();
    let Some((start, bytes)) = machine.memory.found() else { return NOWHERE };
    let (first, end) = (bytes.as_mut_ptr(), bytes.len() as u32);
    let is_constant = machine.is_constant(start);
    let Ok(start) = u32::try_from(start) else { return NOWHERE };
    if is_constant && store || must_be_constant && !is_constant || !start.is_multiple_of(ALIGN) {
        return NOWHERE;
    }
    Region { base: first, low: start, size: end & !3 }
}

/// A warp: its registers by number, then by thread.
pub struct Warp {
    pub control: WarpControl,
    slots: Vec<WarpWord>,
    /// Index of each thread in its block, by direction.
    index: [WarpWord; 3],
    number: u32,
    high_parts: [Option<HighPart>; WARP],
    low_parts: [Option<LowPart>; WARP],
}

impl Warp {
    /// The warp with this number of a block of that shape, with so many slots.
    pub fn new(number: u32, block: [u32; 3], slots: usize) -> Self {
        let first_thread = number * WARP as u32;
        let index = |t| index_of(first_thread + t as u32, block);
        let index = [0, 1, 2].map(|direction| WarpWord(std::array::from_fn(|t| index(t)[direction])));
        let mut warp = Self {
            control: WarpControl::new(0),
            slots: vec![WarpWord::all(0); slots],
            index,
            number,
            high_parts: [None; WARP],
            low_parts: [None; WARP],
        };
        warp.reset(block);
        warp
    }

    /// Puts it at the start of a block of the same shape.
    pub fn reset(&mut self, block: [u32; 3]) {
        let threads = block.iter().product::<u32>() - self.number * WARP as u32;
        self.control = WarpControl::new(first(threads as usize));
        self.slots.fill(WarpWord::all(0));
        self.slots[predicate(PT)] = WarpWord::all(u32::MAX);
        self.high_parts = [None; WARP];
        self.low_parts = [None; WARP];
    }

    /// The threads in which a predicate holds.
    pub fn holding(&self, p: Predicate) -> u32 {
        let words = &self.slots[predicate(p.index)].0;
        let bits = words.iter().enumerate().fold(0, |bits, (t, &word)| bits | (word & 1) << t);
        if p.negate { !bits } else { bits }
    }

    /// What these threads say at the instruction, if it is a barrier.
    pub fn arrival(
        &self,
        machine: &EmulatedBlocks,
        pc: usize,
        threads: u32,
    ) -> Result<Option<Arrival>, EmulationError> {
        let Some(i) = machine.code.get(pc).filter(|i| i.opcode.is_barrier()) else { return Ok(None) };
        let word = |t: usize| match i.b {
            OperandB::Register(RZ) => 0,
            OperandB::Register(number) => self.slots[register(number)].0[t],
            OperandB::Immediate(value) => value,
        };
        let holding = (threads & self.holding(i.p)).count_ones();
        Arrival::new(machine, (pc, i), lanes(threads).map(word), holding).map(Some)
    }

    /// Does an instruction that steers nothing, for those of `threads` whose guard holds.
    pub fn data(
        &mut self,
        machine: &mut EmulatedBlocks,
        pc: usize,
        threads: u32,
        block: [u32; 3],
    ) -> Result<(), EmulationError> {
        let Some(&i) = machine.code.get(pc) else { return Err(EmulationError::NoInstruction { pc }) };
        let acting = threads & self.holding(i.guard);
        machine.together = Some([acting, self.control.live()]);
        lanes(acting).try_for_each(|thread| machine.data(&i, &mut LaneOf { warp: self, thread }, block, pc))
    }
}

/// A thread of a warp.
struct LaneOf<'a> {
    warp: &'a mut Warp,
    thread: usize,
}

impl LaneOf<'_> {
    fn slot(&mut self, slot: usize) -> &mut u32 {
        &mut self.warp.slots[slot].0[self.thread]
    }
}

impl Lane for LaneOf<'_> {
    fn register(&self, number: u8) -> u32 {
        self.warp.slots[register(number)].0[self.thread]
    }

    fn set_register(&mut self, number: u8, value: u32) {
        *self.slot(register(number)) = value;
    }

    fn holds(&self, p: Predicate) -> bool {
        (self.warp.slots[predicate(p.index)].0[self.thread] != 0) ^ p.negate
    }

    fn set_predicate(&mut self, index: u8, value: bool) {
        *self.slot(predicate(index)) = 0u32.wrapping_sub(value.into());
    }

    fn index(&self) -> [u32; 3] {
        [0, 1, 2].map(|direction| self.warp.index[direction].0[self.thread])
    }

    fn linear(&self) -> u32 {
        self.warp.number * WARP as u32 + self.thread as u32
    }

    fn high_part(&mut self) -> &mut Option<HighPart> {
        &mut self.warp.high_parts[self.thread]
    }

    fn low_part(&mut self) -> &mut Option<LowPart> {
        &mut self.warp.low_parts[self.thread]
    }
}
