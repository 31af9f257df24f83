//! Launches.

use super::{api, give};
use crate::{
    call::{Arguments, Configuration, Dim3},
    error::{ErrorCode, Status, failure},
    host::{self, HostAccess},
    runtime::{enter, look},
};
use libc::{c_int, c_uint, c_void};

/// Between `<<<` and `>>>`: kept for the stub of the kernel. Not 0: the kernel is not called.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaPushCallConfiguration(grid: Dim3, block: Dim3, shared: usize, stream: *mut c_void) -> c_uint {
    enter("__cudaPushCallConfiguration", |runtime| {
        let stream = stream as usize;
        runtime.configurations.push(Configuration { grid, block, shared, stream, arguments: vec![] });
        Ok(())
    }) as c_uint
}

api! {
    /// Gives the stub what was kept.
    fn __cudaPopCallConfiguration(grid: *mut Dim3, block: *mut Dim3, shared: *mut usize, stream: *mut *mut c_void) |runtime| {
        let Some(kept) = runtime.configurations.pop() else {
            return failure(Status::MissingConfiguration, "a kernel is called without `<<<...>>>`");
        };
        // SAFETY: the compiler's stub gives places for all.
        unsafe {
            give(grid, kept.grid)?;
            give(block, kept.block)?;
            give(shared, kept.shared)?;
            give(stream, kept.stream as *mut c_void)
        }
    }

    /// Launches a kernel and waits for its end.
    fn cudaLaunchKernel(function: *const c_void, grid: Dim3, block: Dim3, args: *mut *mut c_void, shared: usize, stream: *mut c_void) |runtime| {
        let configuration = Configuration { grid, block, shared, stream: stream as usize, arguments: vec![] };
        // SAFETY: the stub has been compiled with the kernel.
        unsafe { runtime.launch(function as usize, &configuration, &Arguments::Pointers(args)) }
    }

    /// The old way to launch: first the configuration...
    fn cudaConfigureCall(grid: Dim3, block: Dim3, shared: usize, stream: *mut c_void) |runtime| {
        runtime.configurations.push(Configuration { grid, block, shared, stream: stream as usize, arguments: vec![] });
        Ok(())
    }

    /// ...then each argument...
    fn cudaSetupArgument(argument: *const c_void, bytes: usize, offset: usize) |runtime| {
        let Some(open) = runtime.configurations.last_mut() else {
            return failure(Status::MissingConfiguration, "an argument without cudaConfigureCall");
        };
        if argument.is_null() || offset.saturating_add(bytes) > 1 << 16 {
            return failure(Status::InvalidValue, "an argument that is null, or behind 65536 bytes of others");
        }
        host::check(argument, bytes, HostAccess::Read)?;
        open.arguments.resize(open.arguments.len().max(offset + bytes), 0);
        // SAFETY: it can be read.
        let given = unsafe { std::slice::from_raw_parts(argument.cast::<u8>(), bytes) };
        open.arguments[offset..offset + bytes].copy_from_slice(given);
        Ok(())
    }

    /// ...then the kernel.
    fn cudaLaunch(function: *const c_void) |runtime| {
        let Some(open) = runtime.configurations.pop() else {
            return failure(Status::MissingConfiguration, "cudaLaunch without cudaConfigureCall");
        };
        // SAFETY: the arguments are bytes of the runtime's own.
        unsafe { runtime.launch(function as usize, &open, &Arguments::Bytes(&open.arguments)) }
    }

    /// The caches of a core are those of the configuration.
    fn cudaFuncSetCacheConfig(function: *const c_void, _config: c_int) |runtime| { runtime.registry.is_kernel(function as usize) }

    /// Banks are those of the configuration.
    fn cudaFuncSetSharedMemConfig(function: *const c_void, _config: c_int) |runtime| { runtime.registry.is_kernel(function as usize) }

    /// A kernel may have all the shared memory that there is, without asking.
    fn cudaFuncSetAttribute(function: *const c_void, _attribute: c_int, _value: c_int) |runtime| { runtime.registry.is_kernel(function as usize) }

    /// What a kernel needs.
    fn cudaFuncGetAttributes(attributes: *mut FunctionAttributes, function: *const c_void) |runtime| {
        let threads = 32 * runtime.session()?.chip().config().core.warps;
        let (_, kernel) = runtime.registry.kernel(function as usize)?;
        let constants = kernel.constants.last().map_or(0, |last| last.end() as usize - program::CONSTANTS_START as usize);
        let attributes_of = FunctionAttributes {
            shared_bytes: kernel.shared_bytes as usize,
            constant_bytes: constants,
            local_bytes: kernel.local.map_or(0, |local| local.bytes as usize)
                + kernel.spill.map_or(0, |spill| spill.bytes as usize),
            max_threads: threads.min(1024) as c_int,
            registers: kernel.registers as c_int,
            ptx_version: 35,
            binary_version: 35,
        };
        // SAFETY: as in C.
        unsafe { give(attributes, attributes_of) }
    }
}

/// `cudaFuncAttributes`.
#[repr(C)]
pub struct FunctionAttributes {
    shared_bytes: usize,
    constant_bytes: usize,
    local_bytes: usize,
    max_threads: c_int,
    registers: c_int,
    ptx_version: c_int,
    binary_version: c_int,
}

/// The last error, which is then forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn cudaGetLastError() -> ErrorCode {
    look(|runtime| runtime.last_error(true))
}

/// The last error.
#[unsafe(no_mangle)]
pub extern "C" fn cudaPeekAtLastError() -> ErrorCode {
    look(|runtime| runtime.last_error(false))
}
