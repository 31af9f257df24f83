//! Memory of the device, and copies.

use super::{api, give};
use crate::{
    error::{Failure, Status, failure},
    runtime::{Managed, Runtime, is_device},
};
use libc::{c_int, c_uint, c_void};
use program::launch::MEMORY_LIMIT;

/// Rows of cudaMallocPitch begin at multiples of this.
const PITCH: usize = 256;
/// Pages of managed memory.
const PAGE: usize = 4096;

/// Directions of a copy, by their numbers.
pub const HOST_TO_HOST: c_int = 0;
/// To the device.
pub const HOST_TO_DEVICE: c_int = 1;
/// From the device.
pub const DEVICE_TO_HOST: c_int = 2;
/// On the device.
pub const DEVICE_TO_DEVICE: c_int = 3;
/// As the pointers say.
pub const BY_POINTERS: c_int = 4;

/// One end of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Host,
    Device,
}

/// Which ends a direction has, for messages.
fn ends(kind: c_int) -> Option<([Option<End>; 2], &'static str)> {
    let (host, device) = (Some(End::Host), Some(End::Device));
    match kind {
        HOST_TO_HOST => Some(([host, host], "cudaMemcpyHostToHost")),
        HOST_TO_DEVICE => Some(([host, device], "cudaMemcpyHostToDevice")),
        DEVICE_TO_HOST => Some(([device, host], "cudaMemcpyDeviceToHost")),
        DEVICE_TO_DEVICE => Some(([device, device], "cudaMemcpyDeviceToDevice")),
        BY_POINTERS => Some(([None, None], "cudaMemcpyDefault")),
        _ => None,
    }
}

impl Runtime {
    /// Where `bytes` from a pointer on are; managed memory is where the host has it.
    fn end(&self, pointer: *const c_void, bytes: usize) -> End {
        match is_device(pointer) && !self.managed_at(pointer as u64, bytes) {
            true => End::Device,
            false => End::Host,
        }
    }

    /// The pointers are what the direction says.
    fn direction(
        &self,
        to: *const c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) -> Result<[End; 2], Failure> {
        let Some((said, name)) = ends(kind) else {
            return failure(Status::InvalidMemcpyDirection, format!("there is no direction {kind}"));
        };
        let mut found = [End::Host; 2];
        for ((end, said), (pointer, what)) in found.iter_mut().zip(said).zip([(from, "source"), (to, "destination")]) {
            *end = self.end(pointer, bytes);
            // Managed memory is both.
            let managed = *end == End::Host && is_device(pointer);
            if pointer.is_null() && bytes > 0 {
                return failure(Status::InvalidValue, format!("the {what} is a null pointer"));
            }
            if !managed && said.is_some_and(|said| said != *end) {
                let of = if *end == End::Host { "one of the host's" } else { "one of the device's" };
                return failure(
                    Status::InvalidMemcpyDirection,
                    format!("{name}, but the {what}, {pointer:?}, is {of} pointers"),
                );
            }
        }
        Ok(found)
    }

    /// Copies bytes.
    ///
    /// # Safety
    /// Host memory is as long.
    pub unsafe fn copy(
        &mut self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) -> Result<(), Failure> {
        let ends = self.direction(to, from, bytes, kind)?;
        if bytes == 0 {
            return Ok(());
        }
        let memory = &mut self.session()?.memory;
        match ends {
            // SAFETY: as promised; they may overlap.
            [End::Host, End::Host] => unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes) },
            // SAFETY: as promised.
            [End::Host, End::Device] => memory
                .bytes_mut(to as u64, bytes)?
                .copy_from_slice(unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }),
            [End::Device, End::Host] => {
                let data = memory.bytes(from as u64, bytes)?;
                // SAFETY: as promised; the device's memory is nowhere in the program's.
                unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), to.cast::<u8>(), bytes) };
            }
            [End::Device, End::Device] => memory.copy(to as u64, from as u64, bytes)?,
        }
        Ok(())
    }

    /// Copies rows.
    ///
    /// # Safety
    /// Host memory is as long.
    pub unsafe fn copy_rows(
        &mut self,
        (to, to_pitch): (*mut c_void, usize),
        (from, from_pitch): (*const c_void, usize),
        [width, height]: [usize; 2],
        kind: c_int,
    ) -> Result<(), Failure> {
        if width > to_pitch.min(from_pitch) {
            return failure(
                Status::InvalidValue,
                format!("rows of {width} bytes do not fit pitches of {to_pitch} and {from_pitch}"),
            );
        }
        for row in 0..height {
            let (to, from) = (to.wrapping_byte_add(row * to_pitch), from.wrapping_byte_add(row * from_pitch));
            // SAFETY: as promised.
            unsafe { self.copy(to, from, width, kind)? };
        }
        Ok(())
    }

    fn fill(&mut self, pointer: *mut c_void, value: c_int, bytes: usize) -> Result<(), Failure> {
        if bytes == 0 {
            return Ok(());
        }
        if self.managed_at(pointer as u64, bytes) {
            // SAFETY: it is mapped.
            unsafe { pointer.cast::<u8>().write_bytes(value as u8, bytes) };
            return Ok(());
        }
        self.session()?.memory.bytes_mut(pointer as u64, bytes)?.fill(value as u8);
        Ok(())
    }

    fn managed(&mut self, pointer: *mut *mut c_void, bytes: usize) -> Result<(), Failure> {
        let room = bytes.max(1).next_multiple_of(PAGE);
        let at = self.session()?.memory.allocate(room, PAGE)?;
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory in a place where nothing is.
        let mapped =
            unsafe { libc::mmap(at as *mut c_void, room, protection, flags | libc::MAP_FIXED_NOREPLACE, -1, 0) };
        if mapped as u64 != at {
            self.session()?.memory.free(at)?;
            return failure(Status::MemoryAllocation, format!("the host has something at {at:#x} already"));
        }
        self.managed.insert(at, Managed { bytes: room });
        // SAFETY: as in C.
        unsafe { give(pointer, at as *mut c_void) }
    }
}

/// Memory of the host.
fn host(pointer: *mut *mut c_void, bytes: usize) -> Result<(), Failure> {
    let mut found = std::ptr::null_mut();
    // SAFETY: a place for the result.
    let outcome = unsafe { libc::posix_memalign(&mut found, PAGE, bytes.max(1)) };
    match outcome {
        // SAFETY: as in C.
        0 => unsafe { give(pointer, found) },
        _ => failure(Status::MemoryAllocation, format!("the host has no {bytes} bytes")),
    }
}

api! {
    /// Memory of the device.
    fn cudaMalloc(pointer: *mut *mut c_void, bytes: usize) |runtime| {
        let at = runtime.session()?.memory.allocate(bytes, 1)?;
        // SAFETY: as in C.
        unsafe { give(pointer, at as *mut c_void) }
    }

    /// Rows of memory of the device.
    fn cudaMallocPitch(pointer: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) |runtime| {
        let Some(of_row) = width.checked_next_multiple_of(PITCH) else {
            return failure(Status::MemoryAllocation, "rows are too long");
        };
        let bytes = of_row.saturating_mul(height);
        let at = runtime.session()?.memory.allocate(bytes, 1)?;
        // SAFETY: as in C.
        unsafe {
            give(pitch, of_row)?;
            give(pointer, at as *mut c_void)
        }
    }

    /// Memory of the host.
    fn cudaMallocHost(pointer: *mut *mut c_void, bytes: usize) |_runtime| { host(pointer, bytes) }

    /// Memory of the host; the device does not see it.
    fn cudaHostAlloc(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) |runtime| {
        /// cudaHostAllocMapped.
        const MAPPED: c_uint = 2;
        if flags & MAPPED != 0 { runtime.managed(pointer, bytes) } else { host(pointer, bytes) }
    }

    /// Of mapped memory the same pointer.
    fn cudaHostGetDevicePointer(device: *mut *mut c_void, pointer: *mut c_void, _flags: c_uint) |runtime| {
        if !runtime.managed_at(pointer as u64, 1) {
            return failure(Status::InvalidValue, format!("{pointer:?} is no mapped memory of the host"));
        }
        // SAFETY: as in C.
        unsafe { give(device, pointer) }
    }

    /// Memory of both.
    fn cudaMallocManaged(pointer: *mut *mut c_void, bytes: usize, _flags: c_uint) |runtime| { runtime.managed(pointer, bytes) }

    /// Frees memory of the device, or of both.
    fn cudaFree(pointer: *mut c_void) |runtime| {
        if pointer.is_null() {
            // Programs do so to start the device.
            return runtime.session().map(drop);
        }
        if let Some(managed) = runtime.managed.remove(&(pointer as u64)) {
            // SAFETY: it was mapped, and nobody else knows it.
            unsafe { libc::munmap(pointer, managed.bytes) };
        }
        Ok(runtime.session()?.memory.free(pointer as u64)?)
    }

    /// Frees memory of the host.
    fn cudaFreeHost(pointer: *mut c_void) |runtime| {
        if let Some(managed) = runtime.managed.remove(&(pointer as u64)) {
            // SAFETY: it was mapped, and nobody else knows it.
            unsafe { libc::munmap(pointer, managed.bytes) };
            return Ok(runtime.session()?.memory.free(pointer as u64)?);
        }
        if is_device(pointer) {
            return failure(Status::InvalidValue, format!("{pointer:?} is memory of the device; cudaFree frees it"));
        }
        // SAFETY: as in C: it comes from cudaMallocHost, or is null.
        unsafe { libc::free(pointer) };
        Ok(())
    }

    /// What is left.
    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) |runtime| {
        let used = runtime.session()?.memory.used();
        // SAFETY: as in C.
        unsafe {
            give(free, MEMORY_LIMIT.saturating_sub(used))?;
            give(total, MEMORY_LIMIT)
        }
    }

    /// Copies.
    fn cudaMemcpy(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy(to, from, bytes, kind) }
    }

    /// Copies, at once.
    fn cudaMemcpyAsync(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int, _stream: *mut c_void) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy(to, from, bytes, kind) }
    }

    /// Copies rows.
    fn cudaMemcpy2D(to: *mut c_void, to_pitch: usize, from: *const c_void, from_pitch: usize, width: usize, height: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy_rows((to, to_pitch), (from, from_pitch), [width, height], kind) }
    }

    /// Copies rows, at once.
    fn cudaMemcpy2DAsync(to: *mut c_void, to_pitch: usize, from: *const c_void, from_pitch: usize, width: usize, height: usize, kind: c_int, _stream: *mut c_void) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy_rows((to, to_pitch), (from, from_pitch), [width, height], kind) }
    }

    /// Fills with a byte.
    fn cudaMemset(pointer: *mut c_void, value: c_int, bytes: usize) |runtime| { runtime.fill(pointer, value, bytes) }

    /// Fills with a byte, at once.
    fn cudaMemsetAsync(pointer: *mut c_void, value: c_int, bytes: usize, _stream: *mut c_void) |runtime| {
        runtime.fill(pointer, value, bytes)
    }

    /// Fills rows with a byte.
    fn cudaMemset2D(pointer: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize) |runtime| {
        if width > pitch {
            return failure(Status::InvalidValue, format!("rows of {width} bytes do not fit a pitch of {pitch}"));
        }
        (0..height).try_for_each(|row| runtime.fill(pointer.wrapping_byte_add(row * pitch), value, width))
    }

    /// Nothing to do: all of it goes to the chip before each launch.
    fn cudaMemPrefetchAsync(_pointer: *const c_void, _bytes: usize, _device: c_int, _stream: *mut c_void) |_runtime| { Ok(()) }
}
