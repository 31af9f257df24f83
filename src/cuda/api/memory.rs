//! Memory of the device, and copies.

use super::{api, check, give};
use crate::{
    error::{Failure, Status, failure},
    host::{self, HostAccess},
    runtime::{Managed, Runtime, is_device},
};
use libc::{c_int, c_uint, c_void};
use measure::session::memory;
use program::launch::MEMORY_LIMIT;
use std::collections::BTreeMap;

/// Rows of cudaMallocPitch begin at multiples of this.
pub const PITCH: usize = 256;
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
enum CopyEnd {
    Host,
    Device,
}

/// Which ends a direction has, for messages.
fn ends(kind: c_int) -> Option<([Option<CopyEnd>; 2], &'static str)> {
    let (host, device) = (Some(CopyEnd::Host), Some(CopyEnd::Device));
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
    fn end(&self, pointer: *const c_void, bytes: usize) -> CopyEnd {
        match is_device(pointer) && !self.managed_at(pointer as u64, bytes) {
            true => CopyEnd::Device,
            false => CopyEnd::Host,
        }
    }

    /// The pointers are what the direction says.
    fn direction(
        &self,
        to: *const c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) -> Result<[CopyEnd; 2], Failure> {
        let Some((said, name)) = ends(kind) else {
            return failure(Status::InvalidMemcpyDirection, format!("there is no direction {kind}"));
        };
        let mut found = [CopyEnd::Host; 2];
        // Where nothing is copied, pointers may be anything.
        if bytes == 0 {
            return Ok(found);
        }
        for ((end, said), (pointer, what)) in found.iter_mut().zip(said).zip([(from, "source"), (to, "destination")]) {
            *end = self.end(pointer, bytes);
            // Managed memory is both.
            let managed =
                *end == CopyEnd::Host && (is_device(pointer) || self.managed_variable(pointer as u64).is_some());
            if pointer.is_null() {
                return failure(Status::InvalidValue, format!("the {what} is a null pointer"));
            }
            if !managed && said.is_some_and(|said| said != *end) {
                let of = if *end == CopyEnd::Host { "one of the host's" } else { "one of the device's" };
                return failure(Status::InvalidValue, format!("{name}, but the {what}, {pointer:?}, is {of} pointers"));
            }
        }
        Ok(found)
    }

    /// The end of a copy that is not an array is what the direction says.
    pub fn other_end(&self, pointer: *const c_void, bytes: usize, kind: c_int, is_source: bool) -> Result<(), Failure> {
        let array = memory::pointer(0) as *const c_void;
        let (to, from) = if is_source { (array, pointer) } else { (pointer, array) };
        self.direction(to, from, bytes, kind).map(drop)
    }

    /// All rows of an end of a copy are there.
    fn rows(
        &mut self,
        pointer: *const c_void,
        pitch: usize,
        [width, height]: [usize; 2],
        access: HostAccess,
    ) -> Result<(), Failure> {
        if !is_device(pointer) {
            return host::check_rows(pointer, pitch, [width, height], access);
        }
        let bytes = (height - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width)).unwrap_or(usize::MAX);
        match self.managed_at(pointer as u64, bytes) {
            true => Ok(()),
            false => Ok(self.session()?.memory.bytes(pointer as u64, bytes).map(drop)?),
        }
    }

    /// Copies bytes.
    ///
    /// # Safety
    /// Host memory may be overwritten.
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
        // What is wrong on the device is told first.
        match ends {
            [CopyEnd::Device, CopyEnd::Host] => _ = memory.bytes(from as u64, bytes)?,
            [CopyEnd::Host, CopyEnd::Device] => _ = memory.bytes(to as u64, bytes)?,
            _ => {}
        }
        if ends[0] == CopyEnd::Host {
            host::check(from, bytes, HostAccess::Read)?;
        }
        if ends[1] == CopyEnd::Host {
            host::check(to, bytes, HostAccess::Write)?;
        }
        match ends {
            // SAFETY: as promised; they may overlap.
            [CopyEnd::Host, CopyEnd::Host] => unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes) },
            // SAFETY: as promised.
            [CopyEnd::Host, CopyEnd::Device] => memory
                .bytes_mut(to as u64, bytes)?
                .copy_from_slice(unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }),
            [CopyEnd::Device, CopyEnd::Host] => {
                let data = memory.bytes(from as u64, bytes)?;
                // SAFETY: as promised; the device's memory is nowhere in the program's.
                unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), to.cast::<u8>(), bytes) };
            }
            [CopyEnd::Device, CopyEnd::Device] => memory.copy(to as u64, from as u64, bytes)?,
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
                Status::InvalidPitchValue,
                format!("rows of {width} bytes do not fit pitches of {to_pitch} and {from_pitch}"),
            );
        }
        self.direction(to, from, width.min(height).min(1), kind)?;
        if width == 0 || height == 0 {
            return Ok(());
        }
        self.rows(to, to_pitch, [width, height], HostAccess::Write)?;
        self.rows(from, from_pitch, [width, height], HostAccess::Read)?;
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
        if self.managed_at(pointer as u64, bytes) || self.managed_variable(pointer as u64).is_some() {
            host::check(pointer, bytes, HostAccess::Write)?;
            // SAFETY: it is there.
            unsafe { pointer.cast::<u8>().write_bytes(value as u8, bytes) };
            return Ok(());
        }
        self.session()?.memory.bytes_mut(pointer as u64, bytes)?.fill(value as u8);
        Ok(())
    }

    /// Fills rows with a byte.
    pub fn fill_rows(
        &mut self,
        pointer: *mut c_void,
        pitch: usize,
        value: c_int,
        [width, height]: [usize; 2],
    ) -> Result<(), Failure> {
        if width == 0 || height == 0 {
            return Ok(());
        }
        if width > pitch {
            return failure(Status::InvalidValue, format!("rows of {width} bytes do not fit a pitch of {pitch}"));
        }
        if !is_device(pointer) && self.managed_variable(pointer as u64).is_none() {
            self.session()?.memory.bytes(pointer as u64, width)?;
        }
        self.rows(pointer, pitch, [width, height], HostAccess::Write)?;
        (0..height).try_for_each(|row| self.fill(pointer.wrapping_byte_add(row * pitch), value, width))
    }

    fn managed(&mut self, pointer: *mut *mut c_void, bytes: usize, mapped: bool) -> Result<(), Failure> {
        check(pointer)?;
        let Some(room) = bytes.max(1).checked_next_multiple_of(PAGE).filter(|&room| room <= MEMORY_LIMIT) else {
            return failure(Status::MemoryAllocation, format!("no room for {bytes} bytes"));
        };
        let at = self.session()?.memory.allocate(room, PAGE)?;
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory in a place where nothing is.
        let found =
            unsafe { libc::mmap(at as *mut c_void, room, protection, flags | libc::MAP_FIXED_NOREPLACE, -1, 0) };
        if found as u64 != at {
            self.session()?.memory.free(at)?;
            return failure(Status::MemoryAllocation, format!("the host has something at {at:#x} already"));
        }
        self.managed.insert(at, Managed { bytes: room, mapped });
        // SAFETY: as in C.
        unsafe { give(pointer, at as *mut c_void) }
    }
}

/// Memory of the host that the device sees, in flags.
const MAPPED: c_uint = 2;

/// `cudaPointerAttributes`.
#[repr(C)]
pub struct PointerAttributes {
    kind: c_int,
    device: c_int,
    /// The device's, and the host's.
    pointers: [*mut c_void; 2],
}

/// All flags of `cudaHostAlloc`, and of `cudaHostRegister`.
const HOST_FLAGS: c_uint = 7;

/// The bytes of memory that this machine has.
fn machine() -> usize {
    // SAFETY: always possible; -1 where it is not known.
    let [pages, page] = [libc::_SC_PHYS_PAGES, libc::_SC_PAGESIZE].map(|name| unsafe { libc::sysconf(name) });
    usize::try_from(pages).unwrap_or(usize::MAX).saturating_mul(usize::try_from(page).unwrap_or(PAGE))
}

impl Runtime {
    /// Memory of the host, in pages of its own: what the program does to its heap does not concern it.
    fn pinned(&mut self, pointer: *mut *mut c_void, bytes: usize) -> Result<(), Failure> {
        check(pointer)?;
        let none = || failure(Status::MemoryAllocation, format!("the host has no {bytes} bytes"));
        let Some(room) = bytes.max(1).checked_next_multiple_of(PAGE).filter(|&room| room <= machine()) else {
            return none();
        };
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory.
        let found = unsafe { libc::mmap(std::ptr::null_mut(), room, protection, flags, -1, 0) };
        if found == libc::MAP_FAILED {
            return none();
        }
        self.pinned.insert(found as usize, room);
        // SAFETY: as in C.
        unsafe { give(pointer, found) }
    }

    /// The registered or given memory of the host that has some of `bytes` from a pointer on.
    fn host_memory(&self, pointer: usize, bytes: usize) -> Option<usize> {
        let end = pointer.saturating_add(bytes.max(1));
        let meets = |all: &BTreeMap<usize, usize>| {
            let before = all.range(..end).next_back();
            before.filter(|(start, bytes)| *start + **bytes > pointer).map(|(start, _)| *start)
        };
        meets(&self.pinned).or(meets(&self.registered))
    }

    /// Frees managed memory, which `mapped` tells of what kind.
    fn free_managed(&mut self, pointer: *mut c_void, mapped: bool) -> Result<(), Failure> {
        match self.managed.get(&(pointer as u64)) {
            Some(managed) if managed.mapped == mapped => {
                // SAFETY: it was mapped, and nobody else knows it.
                unsafe { libc::munmap(pointer, managed.bytes) };
                self.managed.remove(&(pointer as u64));
                Ok(self.session()?.memory.free(pointer as u64)?)
            }
            _ => {
                let right = if mapped { "cudaFree" } else { "cudaFreeHost" };
                failure(Status::InvalidValue, format!("{pointer:?} is memory that {right} frees"))
            }
        }
    }

    /// Managed memory, all of it from a pointer on.
    fn only_managed(&self, pointer: *const c_void, bytes: usize) -> Result<(), Failure> {
        match self.managed_at(pointer as u64, bytes) || self.managed_variable(pointer as u64).is_some() {
            true => Ok(()),
            false => failure(Status::InvalidValue, format!("{bytes} bytes from {pointer:?} on: no managed memory")),
        }
    }
}

api! {
    /// Memory of the device.
    fn cudaMalloc(pointer: *mut *mut c_void, bytes: usize) |runtime| {
        check(pointer)?;
        let at = runtime.session()?.memory.allocate(bytes, 1)?;
        // SAFETY: as in C.
        unsafe { give(pointer, at as *mut c_void) }
    }

    /// Rows of memory of the device.
    fn cudaMallocPitch(pointer: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) |runtime| {
        check(pointer)?;
        check(pitch)?;
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
    fn cudaMallocHost(pointer: *mut *mut c_void, bytes: usize) |runtime| { runtime.pinned(pointer, bytes) }

    /// Memory of the host; the device does not see it.
    fn cudaHostAlloc(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) |runtime| {
        match flags {
            _ if flags & !HOST_FLAGS != 0 => failure(Status::InvalidValue, format!("{flags:#x} are no flags of it")),
            _ if flags & MAPPED != 0 => runtime.managed(pointer, bytes, true),
            _ => runtime.pinned(pointer, bytes),
        }
    }

    /// Of mapped memory the same pointer.
    fn cudaHostGetDevicePointer(device: *mut *mut c_void, pointer: *mut c_void, _flags: c_uint) |runtime| {
        if runtime.registered.range(..=pointer as usize).next_back().is_some_and(|(at, bytes)| pointer as usize - at < *bytes) {
            let message = "memory of cudaHostRegister: the device sees that of cudaHostAlloc with cudaHostAllocMapped alone";
            return failure(Status::NotSupported, message);
        }
        if !runtime.managed_at(pointer as u64, 1) {
            return failure(Status::InvalidValue, format!("{pointer:?} is no mapped memory of the host"));
        }
        // SAFETY: as in C.
        unsafe { give(device, pointer) }
    }

    /// Memory of both.
    fn cudaMallocManaged(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) |runtime| {
        if bytes == 0 || !matches!(flags, 1 | 2) {
            return failure(Status::InvalidValue, format!("{bytes} bytes with flags {flags:#x}: cudaMemAttachGlobal or Host"));
        }
        runtime.managed(pointer, bytes, false)
    }

    /// Frees memory of the device, or of both.
    fn cudaFree(pointer: *mut c_void) |runtime| {
        if pointer.is_null() {
            // Programs do so to start the device.
            return runtime.session().map(drop);
        }
        if runtime.managed.contains_key(&(pointer as u64)) {
            return runtime.free_managed(pointer, false);
        }
        Ok(runtime.session()?.memory.free(pointer as u64)?)
    }

    /// Frees memory of the host.
    fn cudaFreeHost(pointer: *mut c_void) |runtime| {
        if pointer.is_null() {
            return Ok(());
        }
        if runtime.managed.contains_key(&(pointer as u64)) {
            return runtime.free_managed(pointer, true);
        }
        if let Some(bytes) = runtime.pinned.remove(&(pointer as usize)) {
            // SAFETY: the runtime has mapped it, and nobody else knows it.
            unsafe { libc::munmap(pointer, bytes) };
            return Ok(());
        }
        let what = match is_device(pointer) {
            true => "is memory of the device; cudaFree frees it",
            false => "does not come from cudaMallocHost or cudaHostAlloc, or was freed before",
        };
        failure(Status::InvalidValue, format!("{pointer:?} {what}"))
    }

    /// What is left.
    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) |runtime| {
        let used = runtime.session()?.memory.used();
        // Some programs want one of them only.
        for (place, bytes) in [(free, MEMORY_LIMIT.saturating_sub(used)), (total, MEMORY_LIMIT)] {
            if !place.is_null() {
                // SAFETY: as in C.
                unsafe { give(place, bytes)? };
            }
        }
        Ok(())
    }

    /// Copies.
    fn cudaMemcpy(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy(to, from, bytes, kind) }
    }

    /// Copies, at once.
    fn cudaMemcpyAsync(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int, stream: *mut c_void) |runtime| {
        let (to, from) = (to as usize, from as usize);
        // SAFETY: as in C.
        runtime.on_stream(stream, move |runtime| unsafe { runtime.copy(to as *mut c_void, from as *const c_void, bytes, kind) })
    }

    /// Copies rows.
    fn cudaMemcpy2D(to: *mut c_void, to_pitch: usize, from: *const c_void, from_pitch: usize, width: usize, height: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy_rows((to, to_pitch), (from, from_pitch), [width, height], kind) }
    }

    /// Copies rows, at once.
    fn cudaMemcpy2DAsync(to: *mut c_void, to_pitch: usize, from: *const c_void, from_pitch: usize, width: usize, height: usize, kind: c_int, stream: *mut c_void) |runtime| {
        let (to, from) = (to as usize, from as usize);
        runtime.on_stream(stream, move |runtime| {
            let (to, from) = ((to as *mut c_void, to_pitch), (from as *const c_void, from_pitch));
            // SAFETY: as in C.
            unsafe { runtime.copy_rows(to, from, [width, height], kind) }
        })
    }

    /// Fills with a byte.
    fn cudaMemset(pointer: *mut c_void, value: c_int, bytes: usize) |runtime| { runtime.fill(pointer, value, bytes) }

    /// Fills with a byte, at once.
    fn cudaMemsetAsync(pointer: *mut c_void, value: c_int, bytes: usize, stream: *mut c_void) |runtime| {
        let pointer = pointer as usize;
        runtime.on_stream(stream, move |runtime| runtime.fill(pointer as *mut c_void, value, bytes))
    }

    /// Fills rows with a byte.
    fn cudaMemset2D(pointer: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize) |runtime| {
        runtime.fill_rows(pointer, pitch, value, [width, height])
    }

    /// Fills rows with a byte, at once.
    fn cudaMemset2DAsync(pointer: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, stream: *mut c_void) |runtime| {
        let pointer = pointer as usize;
        runtime.on_stream(stream, move |runtime| runtime.fill_rows(pointer as *mut c_void, pitch, value, [width, height]))
    }

    /// Copies on the one device.
    fn cudaMemcpyPeer(to: *mut c_void, to_device: c_int, from: *const c_void, from_device: c_int, bytes: usize) |runtime| {
        if to_device != 0 || from_device != 0 {
            return failure(Status::InvalidDevice, "there is one device, with number 0");
        }
        // SAFETY: as in C.
        unsafe { runtime.copy(to, from, bytes, DEVICE_TO_DEVICE) }
    }

    /// Of no consequence.
    fn cudaMemAdvise(pointer: *const c_void, bytes: usize, _advice: c_int, _device: c_int) |runtime| { runtime.only_managed(pointer, bytes) }

    /// All memory of the host is where copies find it.
    fn cudaHostRegister(pointer: *mut c_void, bytes: usize, flags: c_uint) |runtime| {
        if flags & !HOST_FLAGS != 0 || bytes == 0 || pointer.is_null() || is_device(pointer) {
            return failure(Status::InvalidValue, format!("{bytes} bytes from {pointer:?} on, with flags {flags:#x}"));
        }
        host::check(pointer, bytes, HostAccess::Read)?;
        if let Some(start) = runtime.host_memory(pointer as usize, bytes) {
            let message = format!("{pointer:?}: the memory from {start:#x} on is registered, or from cudaMallocHost");
            return failure(Status::HostMemoryAlreadyRegistered, message);
        }
        runtime.registered.insert(pointer as usize, bytes);
        Ok(())
    }

    /// No longer registered.
    fn cudaHostUnregister(pointer: *mut c_void) |runtime| {
        match runtime.registered.remove(&(pointer as usize)) {
            Some(_) => Ok(()),
            None if pointer.is_null() => failure(Status::InvalidValue, "a null pointer"),
            None => failure(Status::HostMemoryNotRegistered, format!("{pointer:?} was not registered")),
        }
    }

    /// Whose memory a pointer points to.
    fn cudaPointerGetAttributes(attributes: *mut PointerAttributes, pointer: *const c_void) |runtime| {
        let mapped = runtime.managed.range(..=pointer as u64).next_back().is_some_and(|(_, managed)| managed.mapped);
        let managed = runtime.managed_at(pointer as u64, 1) || runtime.managed_variable(pointer as u64).is_some();
        let (host, none) = (pointer.cast_mut(), std::ptr::null_mut());
        let of_device = is_device(pointer) && runtime.session()?.memory.bytes(pointer as u64, 1).is_ok();
        let found = match (managed, of_device) {
            (true, _) if mapped => PointerAttributes { kind: 1, device: 0, pointers: [host, host] },
            (true, _) => PointerAttributes { kind: 3, device: 0, pointers: [host, host] },
            (false, true) => PointerAttributes { kind: 2, device: 0, pointers: [host, none] },
            _ if runtime.host_memory(pointer as usize, 1).is_some() => {
                PointerAttributes { kind: 1, device: 0, pointers: [none, host] }
            }
            // Of nobody that the runtime knows.
            _ => PointerAttributes { kind: 0, device: 0, pointers: [none, host] },
        };
        // SAFETY: as in C.
        unsafe { give(attributes, found) }
    }

    /// Nothing to do: all of it goes to the chip before each launch.
    fn cudaMemPrefetchAsync(pointer: *const c_void, bytes: usize, _device: c_int, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        runtime.only_managed(pointer, bytes)
    }
}
