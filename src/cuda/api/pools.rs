//! Memory in the order of a stream, and pools of it. Streams do their work at once, so an allocation is there when the
//! call returns; a pool has no memory of its own.

use super::{api, check, device::only, give};
use crate::{
    error::{Failure, Status, failure},
    runtime::Runtime,
};
use libc::{c_int, c_void};

/// The device's own pool: a handle that no other thing has.
const DEFAULT_POOL: usize = 0x20;

impl Runtime {
    fn pool(&self, pool: *mut c_void) -> Result<(), Failure> {
        match pool as usize == DEFAULT_POOL || self.pools.contains(&(pool as usize)) {
            true => Ok(()),
            false => failure(Status::InvalidResourceHandle, "no such memory pool"),
        }
    }

    fn allocate_for(&mut self, pointer: *mut *mut c_void, bytes: usize, stream: *mut c_void) -> Result<(), Failure> {
        check(pointer)?;
        self.stream(stream)?;
        let at = self.session()?.memory.allocate(bytes, 1)?;
        // SAFETY: as in C.
        unsafe { give(pointer, at as *mut c_void) }
    }
}

api! {
    /// Memory of the device.
    fn cudaMallocAsync(pointer: *mut *mut c_void, bytes: usize, stream: *mut c_void) |runtime| {
        runtime.allocate_for(pointer, bytes, stream)
    }
    /// Memory of the device.
    fn cudaMallocFromPoolAsync(pointer: *mut *mut c_void, bytes: usize, pool: *mut c_void, stream: *mut c_void) |runtime| {
        runtime.pool(pool)?;
        runtime.allocate_for(pointer, bytes, stream)
    }
    /// Frees it.
    fn cudaFreeAsync(pointer: *mut c_void, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        Ok(runtime.session()?.memory.free(pointer as u64)?)
    }
    /// The device's pool.
    fn cudaDeviceGetDefaultMemPool(pool: *mut *mut c_void, device: c_int) |_runtime| {
        only(device)?;
        // SAFETY: as in C.
        unsafe { give(pool, DEFAULT_POOL as *mut c_void) }
    }
    /// The device's pool.
    fn cudaDeviceGetMemPool(pool: *mut *mut c_void, device: c_int) |_runtime| {
        only(device)?;
        // SAFETY: as in C.
        unsafe { give(pool, DEFAULT_POOL as *mut c_void) }
    }
    /// All pools take from the same memory.
    fn cudaDeviceSetMemPool(device: c_int, pool: *mut c_void) |runtime| {
        only(device)?;
        runtime.pool(pool)
    }
    /// A pool.
    fn cudaMemPoolCreate(pool: *mut *mut c_void, _properties: *const c_void) |runtime| {
        check(pool)?;
        let handle = runtime.handle();
        runtime.pools.insert(handle);
        // SAFETY: as in C.
        unsafe { give(pool, handle as *mut c_void) }
    }
    /// No pool any more.
    fn cudaMemPoolDestroy(pool: *mut c_void) |runtime| {
        runtime.pool(pool)?;
        runtime.pools.remove(&(pool as usize));
        Ok(())
    }
    /// A pool keeps nothing.
    fn cudaMemPoolTrimTo(pool: *mut c_void, _bytes: usize) |runtime| { runtime.pool(pool) }
    /// A pool keeps nothing.
    fn cudaMemPoolSetAttribute(pool: *mut c_void, _attribute: c_int, _value: *mut c_void) |runtime| { runtime.pool(pool) }
}
