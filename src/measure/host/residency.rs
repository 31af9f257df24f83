//! How many blocks of a kernel a core takes at a time, and what of a kernel a chip does not have.

use super::HostError;
use program::Launch;
use rtl::chip::Chip;

/// How a kernel's blocks fit a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Residency {
    /// Warps of a block.
    pub block_warps: u32,
    /// Bytes of shared memory between blocks.
    pub shared_stride: u32,
    /// Blocks that a core takes at a time.
    pub slots: u32,
    /// The key that keeps it from taking another one.
    pub limit: &'static str,
}

/// Shared memory of a block starts at a multiple of this: one word for each of 32 threads.
const SHARED_ALIGN: u32 = 128;

/// Registers of a thread are given out in fours.
const REGISTER_ALIGN: u64 = 4;

/// How many blocks of `launch` are resident on a core of `chip`, or what does not fit.
pub fn residency(chip: &Chip, launch: &Launch) -> Result<Residency, HostError> {
    let core = &chip.config().core;
    let kernel = &launch.kernel;
    let fits = |needs: u64, what: &'static str, has: u64, key: &'static str| match needs <= has {
        true => Ok(()),
        false => Err(HostError::DoesNotFit { kernel: kernel.name.clone(), needs, what, has, key }),
    };
    if chip.config().cache.instruction.bytes == 0 {
        fits(kernel.code.len() as u64, "instructions", core.program_words.into(), "core.program_words")?;
    }
    fits(kernel.registers as u64, "registers per thread", core.registers.into(), "core.registers")?;
    fits(launch.shared_bytes().into(), "bytes of shared memory", core.shared_bytes.into(), "core.shared_bytes")?;
    for needs in kernel.requirements() {
        let (has, key) = chip.amount_of(needs.feature);
        if needs.amount > has {
            let line = kernel.code_line(needs.line);
            return Err(HostError::Lacks { kernel: kernel.name.clone(), needs, line, has, key });
        }
    }
    let block_warps = launch.block_threads().div_ceil(rtl::core::WARP);
    fits(block_warps.into(), "warps per block", core.warps.into(), "core.warps")?;
    let by_registers = match core.register_file {
        0 => u32::MAX,
        file => {
            let threads = u64::from(rtl::core::WARP * block_warps);
            let of_block = threads * (kernel.registers as u64).next_multiple_of(REGISTER_ALIGN);
            fits(of_block, "registers per block", file.into(), "core.register_file")?;
            u64::from(file).checked_div(of_block).map_or(u32::MAX, |blocks| blocks as u32)
        }
    };
    let shared_stride = launch.shared_bytes().next_multiple_of(SHARED_ALIGN);
    let by_shared = core.shared_bytes.checked_div(shared_stride).unwrap_or(u32::MAX).max(1);
    let limits = [
        (core.warps / block_warps, "core.warps"),
        (by_shared, "core.shared_bytes"),
        (by_registers, "core.register_file"),
        (core.blocks, "core.blocks"),
    ];
    // Of equal ones the first.
    let (slots, limit) = limits.into_iter().min_by_key(|(blocks, _)| *blocks).expect("four");
    Ok(Residency { block_warps, shared_stride, slots, limit })
}
