//! The device: there is one.

use super::{
    api, give,
    textures::{LARGEST_LAYERS, LARGEST_VOLUME},
};
use crate::{
    error::{ErrorCode, Status, failure},
    runtime::{Runtime, look},
};
use libc::{c_char, c_int, c_uint};
use program::{
    STACK_BYTES,
    launch::{BLOCK_THREADS, GRID_X, MEMORY_LIMIT},
};
use std::{
    ffi::CStr,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// `cudaDeviceProp`, as the headers have it.
#[repr(C)]
pub struct Properties {
    name: [u8; 256],
    total_global: usize,
    shared_per_block: usize,
    registers_per_block: c_int,
    warp_size: c_int,
    pitch: usize,
    threads_per_block: c_int,
    threads_dim: [c_int; 3],
    grid_size: [c_int; 3],
    clock_rate: c_int,
    total_constant: usize,
    major: c_int,
    minor: c_int,
    texture_alignment: usize,
    texture_pitch_alignment: usize,
    device_overlap: c_int,
    multiprocessors: c_int,
    timeout: c_int,
    integrated: c_int,
    can_map: c_int,
    compute_mode: c_int,
    texture_1d: c_int,
    texture_1d_linear: c_int,
    texture_2d: [c_int; 2],
    concurrent_kernels: c_int,
    ecc: c_int,
    pci: [c_int; 3],
    tcc: c_int,
    async_engines: c_int,
    unified_addressing: c_int,
    memory_clock_rate: c_int,
    memory_bus_width: c_int,
    l2_bytes: c_int,
    threads_per_multiprocessor: c_int,
    shared_per_multiprocessor: usize,
    registers_per_multiprocessor: c_int,
    managed: c_int,
    concurrent_managed: c_int,
    blocks_per_multiprocessor: c_int,
    texture_3d: [c_int; 3],
    texture_1d_layered: [c_int; 2],
    texture_2d_layered: [c_int; 3],
    stream_priorities: c_int,
    global_l1: c_int,
    local_l1: c_int,
    multi_gpu_board: [c_int; 2],
    host_atomics: c_int,
    single_to_double: c_int,
    pageable: c_int,
    preemption: c_int,
    registered_pointers: c_int,
    cooperative: [c_int; 2],
    surface_alignment: usize,
    shared_per_block_optin: usize,
    persisting_l2: [c_int; 2],
}

impl Properties {
    fn of(runtime: &mut Runtime) -> Result<Self, crate::error::Failure> {
        let chip = runtime.session()?.chip();
        let config = chip.config();
        let core = &config.core;
        let threads = 32 * core.warps;
        let registers = if core.register_file == 0 { core.registers * threads } else { core.register_file };
        let mut name = [0; 256];
        let text = format!("warpmesh {}", config.name);
        name.iter_mut().zip(text.bytes().take(255)).for_each(|(place, byte)| *place = byte);
        let shared = core.shared_bytes as usize;
        let int = |value: u32| c_int::try_from(value).unwrap_or(c_int::MAX);
        Ok(Self {
            name,
            total_global: MEMORY_LIMIT,
            shared_per_block: shared,
            registers_per_block: int(registers),
            warp_size: 32,
            pitch: MEMORY_LIMIT,
            threads_per_block: int(threads.min(BLOCK_THREADS)),
            threads_dim: [int(BLOCK_THREADS), int(BLOCK_THREADS), 64],
            grid_size: [GRID_X as c_int, 65535, 65535],
            clock_rate: int(config.clocks.core * 1000),
            total_constant: 65536,
            major: 6,
            minor: 0,
            texture_alignment: 256,
            texture_pitch_alignment: 32,
            device_overlap: 1,
            multiprocessors: int(chip.core_nodes().len() as u32),
            timeout: 0,
            integrated: 0,
            can_map: 1,
            compute_mode: 0,
            texture_1d: 65536,
            texture_1d_linear: 1 << 27,
            texture_2d: [65536, 65535],
            concurrent_kernels: 0,
            ecc: 0,
            pci: [0; 3],
            tcc: 0,
            async_engines: 1,
            unified_addressing: 1,
            memory_clock_rate: int(config.clocks.dram * 1000),
            memory_bus_width: int(chip.map().controllers() as u32 * 64),
            l2_bytes: 0,
            threads_per_multiprocessor: int(threads),
            shared_per_multiprocessor: shared,
            registers_per_multiprocessor: int(registers),
            managed: 1,
            concurrent_managed: 0,
            blocks_per_multiprocessor: int(core.blocks),
            texture_3d: [LARGEST_VOLUME as c_int; 3],
            texture_1d_layered: [65536, LARGEST_LAYERS as c_int],
            texture_2d_layered: [65536, 65536, LARGEST_LAYERS as c_int],
            stream_priorities: 0,
            global_l1: c_int::from(config.cache.l1d.bytes > 0),
            local_l1: c_int::from(config.cache.l1d.bytes > 0),
            multi_gpu_board: [0; 2],
            host_atomics: 0,
            single_to_double: core.double.lanes_of_unit().map_or(0, |lanes| int(8 / lanes.max(1))),
            pageable: 0,
            preemption: 0,
            registered_pointers: 0,
            cooperative: [c_int::from(core.atomics), 0],
            surface_alignment: 256,
            shared_per_block_optin: shared,
            persisting_l2: [0; 2],
        })
    }
}

/// Stack, output of printf, heap.
fn is_limit(limit: c_int) -> Result<(), crate::error::Failure> {
    match limit {
        0..=2 => Ok(()),
        other => failure(Status::UnsupportedLimit, format!("limit {other} is not known")),
    }
}

/// The most that CUDA gives a thread of local memory.
const MOST_STACK_BYTES: usize = 512 << 10;

fn set_limit(runtime: &mut Runtime, limit: c_int, value: usize) -> Result<(), crate::error::Failure> {
    is_limit(limit)?;
    if limit != 0 {
        return Ok(());
    }
    if value > MOST_STACK_BYTES {
        let message = format!("a stack of {value} bytes a thread; it has at most {MOST_STACK_BYTES}");
        return failure(Status::MemoryAllocation, message);
    }
    // At least what the default is: less would only make programs fail.
    runtime.set_stack_bytes((value as u32).next_multiple_of(16).max(STACK_BYTES))
}

pub(super) fn only(device: c_int) -> Result<(), crate::error::Failure> {
    match device {
        0 => Ok(()),
        _ => failure(Status::InvalidDevice, format!("device {device}: there is one, with number 0")),
    }
}

api! {
    /// One.
    fn cudaGetDeviceCount(count: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(count, 1) }
    }

    /// Number 0.
    fn cudaGetDevice(device: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(device, 0) }
    }

    /// Takes 0.
    fn cudaSetDevice(device: c_int) |_runtime| { only(device) }

    /// Of no consequence.
    fn cudaSetDeviceFlags(_flags: c_uint) |_runtime| { Ok(()) }

    /// What the configuration says.
    fn cudaGetDeviceProperties(properties: *mut Properties, device: c_int) |runtime| {
        only(device)?;
        let of_chip = Properties::of(runtime)?;
        // SAFETY: as in C.
        unsafe { give(properties, of_chip) }
    }

    /// Device 0.
    fn cudaChooseDevice(device: *mut c_int, _properties: *const Properties) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(device, 0) }
    }

    /// Some of the properties by number.
    fn cudaDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) |runtime| {
        only(device)?;
        let p = Properties::of(runtime)?;
        let found = match attribute {
            1 => p.threads_per_block,
            2..=4 => p.threads_dim[attribute as usize - 2],
            5..=7 => p.grid_size[attribute as usize - 5],
            8 => p.shared_per_block as c_int,
            9 => p.total_constant as c_int,
            10 => p.warp_size,
            12 => p.registers_per_block,
            13 => p.clock_rate,
            16 => p.multiprocessors,
            11 => p.pitch as c_int,
            14 => p.texture_alignment as c_int,
            15 => p.device_overlap,
            19 => p.can_map,
            40 => p.async_engines,
            21 => p.texture_1d,
            22 | 23 => p.texture_2d[attribute as usize - 22],
            24..=26 => p.texture_3d[attribute as usize - 24],
            27..=29 => p.texture_2d_layered[attribute as usize - 27],
            30 => p.surface_alignment as c_int,
            42 | 43 => p.texture_1d_layered[attribute as usize - 42],
            51 => p.texture_pitch_alignment as c_int,
            69 => p.texture_1d_linear,
            // What the chip has not: timeouts, peers, host pages, priorities, persisting lines, other processes.
            17 | 18 | 20 | 32..=35 | 50 | 78 | 84..=86 | 88..=91 | 96 | 100..=102 | 108 | 109 | 111 | 119 => 0,
            79 => p.global_l1,
            80 => p.local_l1,
            87 => p.single_to_double,
            97 => p.shared_per_block_optin as c_int,
            99 | 115 => 1,
            106 => p.blocks_per_multiprocessor,
            95 => p.cooperative[0],
            31 => p.concurrent_kernels,
            41 => p.unified_addressing,
            36 => p.memory_clock_rate,
            37 => p.memory_bus_width,
            38 => p.l2_bytes,
            39 => p.threads_per_multiprocessor,
            75 => p.major,
            76 => p.minor,
            81 => p.shared_per_multiprocessor as c_int,
            82 => p.registers_per_multiprocessor,
            83 => p.managed,
            other => return failure(Status::InvalidValue, format!("attribute {other} is not known")),
        };
        // SAFETY: as in C.
        unsafe { give(value, found) }
    }

    /// A launch has ended when it returns.
    fn cudaDeviceSynchronize() |_runtime| { Ok(()) }
    /// The same, by its old name.
    fn cudaThreadSynchronize() |_runtime| { Ok(()) }
    /// The caches are those of the configuration.
    fn cudaDeviceSetCacheConfig(_config: c_int) |_runtime| { Ok(()) }
    /// The banks are those of the configuration.
    fn cudaDeviceSetSharedMemConfig(_config: c_int) |_runtime| { Ok(()) }
    /// They are the configuration's.
    fn cudaDeviceGetCacheConfig(config: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(config, 0) }
    }
    /// The same, by its old name.
    fn cudaThreadSetCacheConfig(_config: c_int) |_runtime| { Ok(()) }
    /// Banks of four bytes.
    fn cudaDeviceGetSharedMemConfig(config: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(config, 1) }
    }
    /// printf has a megabyte; the heap is not limited by it.
    fn cudaDeviceGetLimit(value: *mut usize, limit: c_int) |runtime| {
        let found = match limit {
            0 => runtime.stack_bytes() as usize,
            2 => 0,
            1 => 1 << 20,
            other => return is_limit(other),
        };
        // SAFETY: as in C.
        unsafe { give(value, found) }
    }
    /// The same as cudaDeviceSetLimit, by its old name.
    fn cudaThreadSetLimit(limit: c_int, value: usize) |runtime| { set_limit(runtime, limit, value) }
    /// None.
    fn cudaGetDeviceFlags(flags: *mut c_uint) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(flags, 0) }
    }
    /// There is one device.
    fn cudaSetValidDevices(_devices: *mut c_int, _count: c_int) |_runtime| { Ok(()) }
    /// There is nobody else.
    fn cudaDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) |_runtime| {
        only(device)?;
        only(peer)?;
        // SAFETY: as in C.
        unsafe { give(can, 0) }
    }
    /// There is nobody else.
    fn cudaDeviceEnablePeerAccess(peer: c_int, _flags: c_uint) |_runtime| {
        failure(Status::InvalidDevice, format!("device {peer} is no peer of the one that there is"))
    }
    /// Streams are in order.
    fn cudaDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe {
            give(least, 0)?;
            give(greatest, 0)
        }
    }
    /// The stack of a thread is that of recursive functions. The heap of device code and the output of printf are not limited by it.
    fn cudaDeviceSetLimit(limit: c_int, value: usize) |runtime| { set_limit(runtime, limit, value) }

    /// The version whose functions these are.
    fn cudaDriverGetVersion(version: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(version, 11000) }
    }
    /// The same.
    fn cudaRuntimeGetVersion(version: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(version, 11000) }
    }
    /// Every launch is measured.
    fn cudaProfilerStart() |_runtime| { Ok(()) }
    /// Every launch is measured.
    fn cudaProfilerStop() |_runtime| { Ok(()) }
}

fn text(found: Option<&'static CStr>) -> *const c_char {
    found.unwrap_or(c"unrecognized error code").as_ptr()
}

/// What an error means.
#[unsafe(no_mangle)]
pub extern "C" fn cudaGetErrorString(error: ErrorCode) -> *const c_char {
    text(Status::texts(error).map(|(_, text)| text))
}

/// What an error is called.
#[unsafe(no_mangle)]
pub extern "C" fn cudaGetErrorName(error: ErrorCode) -> *const c_char {
    text(Status::texts(error).map(|(name, _)| name))
}

/// Gives back all memory and everything else on the device, also after an error of a kernel.
#[unsafe(no_mangle)]
pub extern "C" fn cudaDeviceReset() -> ErrorCode {
    // Nothing leaves: what is left then is left.
    let _ = catch_unwind(AssertUnwindSafe(|| look(Runtime::reset)));
    Status::Success as ErrorCode
}

/// The same, by its old name.
#[unsafe(no_mangle)]
pub extern "C" fn cudaThreadExit() -> ErrorCode {
    cudaDeviceReset()
}
