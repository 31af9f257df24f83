//! How many blocks of a kernel are on a core together.

use super::{api, give};
use crate::{
    error::{Failure, Status, failure},
    runtime::Runtime,
};
use libc::{c_int, c_uint, c_void};
use measure::host::{HostError, residency};
use program::Launch;

impl Runtime {
    /// As many as its dispatcher puts there; none, if the kernel does not fit.
    fn blocks_on_core(&mut self, function: *const c_void, threads: c_int, shared: usize) -> Result<c_int, Failure> {
        self.session()?;
        let (_, kernel) = self.registry.kernel(function as usize)?;
        let mut kernel = kernel.clone();
        let Some(threads) = u32::try_from(threads).ok().filter(|&threads| threads > 0) else {
            return failure(Status::InvalidValue, format!("blocks of {threads} threads"));
        };
        kernel.set_dynamic_shared(u32::try_from(shared).unwrap_or(u32::MAX));
        let name = kernel.name.clone();
        let (grid, block) = ([1; 3], [threads, 1, 1]);
        let launch =
            Launch { name, kernel, grid, block, buffers: vec![], args: vec![], checks: vec![], placement: None };
        match residency(self.session()?.chip(), &launch) {
            Ok(found) => Ok(found.slots as c_int),
            Err(HostError::DoesNotFit { .. }) => Ok(0),
            Err(error) => failure(Status::LaunchOutOfResources, error.to_string()),
        }
    }
}

api! {
    /// Blocks of a kernel on a core.
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: *const c_void, threads: c_int, shared: usize) |runtime| {
        let found = runtime.blocks_on_core(function, threads, shared)?;
        // SAFETY: as in C.
        unsafe { give(blocks, found) }
    }
    /// Blocks of a kernel on a core.
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks: *mut c_int, function: *const c_void, threads: c_int, shared: usize, _flags: c_uint) |runtime| {
        let found = runtime.blocks_on_core(function, threads, shared)?;
        // SAFETY: as in C.
        unsafe { give(blocks, found) }
    }
}
