//! What the host writes before it starts a kernel: into DRAM, by itself, and into the chip, as a list. The driver plays
//! it on the simulation, and the exported test bench on the Verilog.

use crate::host::{HostError, Residency, residency};
use program::Launch;
use rtl::chip::{
    Chip,
    dispatcher::{host_address, region, register},
};

/// One word through the host port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostWrite {
    /// Host address (20 bits).
    pub address: u64,
    /// Its data.
    pub data: u64,
}

/// The program in global memory, with its address, for a chip that fetches it from there.
fn program_in_memory(chip: &Chip, launch: &Launch) -> Option<(u32, Vec<u8>)> {
    chip.core()
        .instruction_cache
        .map(|_| (launch.program_address(), launch.kernel.code.iter().flat_map(|word| word.to_le_bytes()).collect()))
}

/// What lies in global memory, with its address, and is only read: constants, and a program that is fetched from there.
pub fn read_only(chip: &Chip, launch: &Launch) -> Vec<(u32, Vec<u8>)> {
    let constants = launch.constant_values().map(|(address, data)| (address, data.to_vec()));
    constants.chain(program_in_memory(chip, launch)).collect()
}

/// What global memory holds at the start, by address: buffers, variables, and what is only [read](read_only).
pub fn initial_memory<'l>(
    launch: &'l Launch,
    read_only: &'l [(u32, Vec<u8>)],
) -> impl Iterator<Item = (u32, &'l [u8])> {
    let buffers = launch.buffer_addresses().into_iter().zip(launch.buffers.iter().map(|buffer| &buffer.data[..]));
    let variables = launch.kernel.globals.iter().map(|variable| (variable.address, &variable.data[..]));
    buffers.chain(variables).chain(read_only.iter().map(|(address, data)| (*address, &data[..])))
}

/// Global memory at the start, from address 0: whole lines.
pub fn memory_image(chip: &Chip, launch: &Launch) -> Vec<u8> {
    let mut image = launch.memory_image();
    if let Some((address, program)) = program_in_memory(chip, launch) {
        image.resize(address as usize, 0);
        image.extend(program);
        image.resize(image.len().next_multiple_of(chip.map().line_bytes() as usize), 0);
    }
    image
}

/// Everything that the host writes into `chip` before it starts `launch`, in order: program, where it does not lie in memory, parameters,
/// launch registers.
pub fn loading(chip: &Chip, launch: &Launch) -> Result<Vec<HostWrite>, HostError> {
    let Residency { block_warps, shared_stride, slots, .. } = residency(chip, launch)?;
    let param_words = launch.param_words();
    let fetches = chip.core().instruction_cache.is_some();
    let program = launch.kernel.code.iter().filter(|_| !fetches).enumerate();
    let program = program.map(|(i, &word)| (region::PROGRAM, i as u64, word));
    let param = param_words.iter().enumerate().map(|(i, &word)| (region::PARAM, i as u64, u64::from(word)));
    let [block, grid] = [launch.block, launch.grid].map(|dims| dims.map(u64::from));
    // With one slot the stride is never used; it may be as large as the register is not.
    let stride = if slots == 1 { 0 } else { shared_stride };
    let registers = [
        (register::BLOCK_DIM_X, block[0]),
        (register::BLOCK_DIM_Y, block[1]),
        (register::BLOCK_DIM_Z, block[2]),
        (register::GRID_DIM_X, grid[0]),
        (register::GRID_DIM_Y, grid[1]),
        (register::GRID_DIM_Z, grid[2]),
        (register::BLOCK_WARPS, block_warps.into()),
        (register::BLOCK_THREADS, launch.block_threads().into()),
        (register::SHARED_STRIDE, stride.into()),
        (register::SLOTS, slots.into()),
    ];
    let base = fetches.then(|| (register::PROGRAM_BASE, launch.program_address().into()));
    let registers = registers.into_iter().chain(base).map(|(word, data)| (region::LAUNCH, word, data));
    let write = |(region, word, data)| HostWrite { address: host_address(region, word), data };
    Ok(program.chain(param).chain(registers).map(write).collect())
}

/// Cycles without a write between the last of so many words and the start: until then the chip clears its caches, which
/// is no time of the kernel. A small program's cycles do not depend on how large its caches are.
pub fn idle_cycles(chip: &Chip, words: usize) -> u64 {
    chip.clear_cycles().saturating_sub(words as u64)
}
