//! The machine that executes the blocks of a launch: code, memory, barriers, and what has been executed.

use super::{
    barriers::Barriers, error::EmulationError, hazards::Hazards, pieces::Pieces, places::index_of, thread::Thread,
    thread_load::ThreadLoad, warp_mask::WARP,
};
use crate::{
    compile::checked_access::CheckedAccess,
    isa::{Instruction, PT},
    launch::Launch,
};
use std::sync::atomic::AtomicU64;

/// The blocks of a launch, one after the other, with their memory.
pub(super) struct EmulatedBlocks<'a> {
    pub code: Vec<Instruction>,
    pub lines: &'a [u32],
    /// Of each instruction, in code for checks.
    pub accesses: &'a [Option<CheckedAccess>],
    pub param: Pieces,
    pub memory: Pieces,
    pub shared: Pieces,
    pub executed: u64,
    pub limit: u64,
    /// Takes the place of `limit`, which is then the number at which to look at it.
    pub shared_limit: Option<&'a AtomicU64>,
    pub watched: Option<(u64, [u32; 3])>,
    /// Each load of a thread from global memory, if they are asked for.
    pub loads: Option<Vec<ThreadLoad>>,
    pub hazards: Option<Hazards>,
    /// The threads of a warp that act, and those that have not ended.
    pub together: Option<[u32; 2]>,
    pub barriers: Barriers,
    pub launch: &'a Launch,
}

impl<'a> EmulatedBlocks<'a> {
    /// At the start of a launch, with its own code.
    pub fn new(launch: &'a Launch, limit: u64) -> Self {
        let code = launch.kernel.code.iter().map_while(|&w| Instruction::decode(w)).collect();
        let memory = Pieces::whole(launch.memory_image());
        Self { limit, ..Self::with(launch, code, &launch.kernel.lines, memory, &launch.param_words()) }
    }

    /// A machine that stops at once: it has no limit yet.
    pub fn with(launch: &'a Launch, code: Vec<Instruction>, lines: &'a [u32], memory: Pieces, param: &[u32]) -> Self {
        Self {
            code,
            lines,
            accesses: &[],
            param: Pieces::whole(param.iter().flat_map(|word| word.to_le_bytes()).collect()),
            memory,
            shared: Pieces::whole(vec![]),
            executed: 0,
            limit: 0,
            shared_limit: None,
            watched: None,
            loads: None,
            hazards: None,
            together: None,
            barriers: Barriers::default(),
            launch,
        }
    }

    /// Clears shared memory and barriers for a new block.
    pub fn clear_shared(&mut self) {
        let warps = (self.launch.block_threads() as usize).div_ceil(WARP);
        self.hazards.iter_mut().for_each(|hazards| hazards.block(warps));
        self.barriers = Barriers::new(warps);
        self.shared = Pieces::whole(vec![0; self.launch.shared_bytes() as usize]);
    }

    /// Clears shared memory for a new block and makes its threads.
    pub fn start_block(&mut self) -> Vec<Thread> {
        self.clear_shared();
        let [bx, by, bz] = self.launch.block;
        (0..bx * by * bz)
            .map(|linear| {
                let mut predicates = [false; 8];
                predicates[usize::from(PT)] = true;
                let index = index_of(linear, self.launch.block);
                let registers = [0; 256];
                Thread { registers, predicates, pc: 0, index, linear, ended: false, high_part: None, low_part: None }
            })
            .collect()
    }

    /// The instruction at `pc`, counted for so many threads.
    pub fn fetch(&mut self, pc: usize, threads: u32) -> Result<Instruction, EmulationError> {
        let Some(&instruction) = self.code.get(pc) else { return Err(EmulationError::NoInstruction { pc }) };
        self.executed += u64::from(threads);
        if self.executed > self.limit {
            self.look_at_limit()?;
        }
        Ok(instruction)
    }

    /// PTX line of the instruction at `pc`.
    pub fn line(&self, pc: usize) -> u32 {
        self.lines.get(pc).copied().unwrap_or(0)
    }
}
