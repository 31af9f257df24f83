//! The driver interface, as far as it concerns one device: contexts, which are all the same, modules from PTX,
//! launches, memory, streams and events. It works on what the runtime interface works on, so that a program may use
//! both.

use super::{check, device::only, give};
use crate::{
    api::memory::{BY_POINTERS, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE},
    call::{Arguments, Configuration, Dim3},
    container,
    error::{ErrorCode, Failure, Status, failure},
    registry::Name,
    runtime::{Runtime, enter},
};
use libc::{c_char, c_int, c_uint, c_void};
use program::link::PtxUnit;
use std::ffi::CStr;

/// A pointer of the device, which the driver has as a number.
type DevicePointer = u64;
/// A driver's code where the runtime's is another: a wrong argument.
const INVALID_VALUE: ErrorCode = 1;
/// There is no function or variable of this name.
const NOT_FOUND: ErrorCode = 500;
/// The device cannot be made.
const NOT_INITIALIZED: ErrorCode = 3;

/// The driver's number for a status of the runtime; from 100 on they are the same.
pub(super) fn driver_code(code: ErrorCode) -> ErrorCode {
    const OUT_OF_MEMORY: ErrorCode = Status::MemoryAllocation as ErrorCode;
    match code {
        0 | INVALID_VALUE | OUT_OF_MEMORY | NOT_INITIALIZED => code,
        c if c == Status::InvalidSymbol as ErrorCode || c == Status::InvalidDeviceFunction as ErrorCode => NOT_FOUND,
        ..100 => INVALID_VALUE,
        _ => code,
    }
}

/// Functions of the driver interface, like [`api!`](super::api).
macro_rules! driver {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) |$runtime:ident| $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As in C: pointers are valid for what the function does.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> ErrorCode {
                driver_code(enter(stringify!($name), |$runtime| $body))
            }
        )*
    };
}

pub(super) use driver;

/// The one context: a handle that is not null.
const CONTEXT: usize = 0x10;
/// Modules are numbers of files from 1 on.
type ModuleHandle = *mut c_void;

/// What is read has a place.
fn not_null<T>(from: *const T) -> Result<(), Failure> {
    match from.is_null() {
        true => failure(Status::InvalidValue, "a null pointer"),
        false => Ok(()),
    }
}

/// A text of the program's.
///
/// # Safety
/// `text` is null or a C string.
pub(super) unsafe fn text_of<'a>(text: *const c_char) -> Result<&'a str, Failure> {
    not_null(text)?;
    // SAFETY: as promised.
    match unsafe { CStr::from_ptr(text) }.to_str() {
        Ok(text) => Ok(text),
        Err(_) => failure(Status::InvalidValue, "a text that is not UTF-8"),
    }
}

/// The PTX of an image: text, or what `warpmesh cc` puts into an object.
///
/// # Safety
/// `image` is null, or has at least 8 bytes; PTX ends with a zero.
unsafe fn unit_of(image: *const c_void) -> Result<PtxUnit, Failure> {
    not_null(image)?;
    // SAFETY: as promised.
    unsafe {
        match container::unpack(image.cast()) {
            Some(unit) => Ok(unit),
            None => Ok(PtxUnit { file: "module".into(), text: text_of(image.cast())?.into(), relocatable: false }),
        }
    }
}

impl Runtime {
    /// A module of PTX, compiled.
    fn load(&mut self, module: *mut ModuleHandle, unit: PtxUnit) -> Result<(), Failure> {
        check(module)?;
        if !unit.text.contains(".version") {
            return failure(
                Status::InvalidPtx,
                "an image that is no PTX: it has no `.version`; the chip does not run machine code of GPUs",
            );
        }
        self.session()?;
        let number = self.registry.add(unit);
        self.session()?;
        if let Some(problem) = self.registry.modules[number].problem() {
            return failure(Status::InvalidPtx, format!("the PTX cannot be read:\n{problem}"));
        }
        // SAFETY: as in C.
        unsafe { give(module, (number + 1) as ModuleHandle) }
    }

    /// The number of a module's file.
    fn module(&self, module: ModuleHandle) -> Result<usize, Failure> {
        let number = (module as usize).wrapping_sub(1);
        match number < self.registry.modules.len() {
            true => Ok(number),
            false => failure(Status::InvalidResourceHandle, "no such module"),
        }
    }

    fn fill_with(&mut self, to: DevicePointer, pattern: &[u8], count: usize) -> Result<(), Failure> {
        let data = pattern.repeat(count);
        // SAFETY: the data is the runtime's own.
        unsafe { self.copy(to as *mut c_void, data.as_ptr().cast(), data.len(), BY_POINTERS) }
    }
}

driver! {
    /// Nothing to do: the device is made when it is first used.
    fn cuInit(flags: c_uint) |_runtime| {
        match flags {
            0 => Ok(()),
            _ => failure(Status::InvalidValue, "the flags of cuInit are 0"),
        }
    }
    /// The version of the interface.
    fn cuDriverGetVersion(version: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(version, 11000) }
    }
    /// There is one device.
    fn cuDeviceGetCount(count: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(count, 1) }
    }
    /// The device of a number.
    fn cuDeviceGet(device: *mut c_int, number: c_int) |_runtime| {
        only(number)?;
        // SAFETY: as in C.
        unsafe { give(device, 0) }
    }
    /// Its name.
    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) |runtime| {
        only(device)?;
        check(name)?;
        let text = format!("warpmesh {}", runtime.session()?.chip().config().name);
        let kept = text.len().min(usize::try_from(length).unwrap_or(0).saturating_sub(1));
        // SAFETY: as in C: there are `length` bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, kept);
            if length > 0 { name.add(kept).write(0) }
        }
        Ok(())
    }
    /// Bytes of its memory.
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) |_runtime| {
        only(device)?;
        // SAFETY: as in C.
        unsafe { give(bytes, program::launch::MEMORY_LIMIT) }
    }
    /// The current context.
    fn cuCtxCreate_v2(context: *mut *mut c_void, _flags: c_uint, device: c_int) |runtime| {
        only(device)?;
        runtime.session()?;
        // SAFETY: as in C.
        unsafe { give(context, CONTEXT as *mut c_void) }
    }
    /// The memory of a context stays until the end of the program.
    fn cuCtxDestroy_v2(_context: *mut c_void) |_runtime| { Ok(()) }
    /// There is one.
    fn cuCtxSetCurrent(_context: *mut c_void) |_runtime| { Ok(()) }
    /// There is one.
    fn cuCtxPushCurrent_v2(_context: *mut c_void) |_runtime| { Ok(()) }
    /// The context.
    fn cuCtxPopCurrent_v2(context: *mut *mut c_void) |_runtime| {
        // SAFETY: as in C: null where it is not wanted.
        if context.is_null() { Ok(()) } else { unsafe { give(context, CONTEXT as *mut c_void) } }
    }
    /// The context.
    fn cuCtxGetCurrent(context: *mut *mut c_void) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(context, CONTEXT as *mut c_void) }
    }
    /// Its device.
    fn cuCtxGetDevice(device: *mut c_int) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(device, 0) }
    }
    /// All has been done.
    fn cuCtxSynchronize() |_runtime| { Ok(()) }
    /// The context.
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) |_runtime| {
        only(device)?;
        // SAFETY: as in C.
        unsafe { give(context, CONTEXT as *mut c_void) }
    }
    /// It stays.
    fn cuDevicePrimaryCtxRelease_v2(device: c_int) |_runtime| { only(device) }

    /// A module from a file of PTX.
    fn cuModuleLoad(module: *mut ModuleHandle, file: *const c_char) |runtime| {
        // SAFETY: as in C.
        let file = unsafe { text_of(file)? };
        match std::fs::read_to_string(file) {
            Ok(text) => {
                // What `nvcc -fatbin` writes ends with a zero.
                let text = text.trim_end_matches('\0').into();
                runtime.load(module, PtxUnit { file: file.into(), text, relocatable: false })
            }
            Err(error) => failure(Status::FileNotFound, format!("{file}: {error}")),
        }
    }
    /// A module from PTX in memory, or from what `warpmesh cc` puts into an object.
    fn cuModuleLoadData(module: *mut ModuleHandle, image: *const c_void) |runtime| {
        // SAFETY: as in C.
        runtime.load(module, unsafe { unit_of(image)? })
    }
    /// The same; options are for the compiler of a GPU.
    fn cuModuleLoadDataEx(module: *mut ModuleHandle, image: *const c_void, _count: c_uint, _options: *mut c_int, _values: *mut *mut c_void) |runtime| {
        // SAFETY: as in C.
        runtime.load(module, unsafe { unit_of(image)? })
    }
    /// Its variables stay until the end of the program.
    fn cuModuleUnload(module: ModuleHandle) |runtime| { runtime.module(module).map(drop) }
    /// A kernel of a module.
    fn cuModuleGetFunction(function: *mut *mut c_void, module: ModuleHandle, name: *const c_char) |runtime| {
        check(function)?;
        let module = runtime.module(module)?;
        // SAFETY: as in C.
        let name = Name { module, name: unsafe { text_of(name)? }.into() };
        let handle = match runtime.registry.functions.iter().find(|(_, other)| **other == name) {
            Some((&handle, _)) => handle,
            None => {
                let handle = runtime.handle();
                runtime.registry.functions.insert(handle, name);
                if let Err(failure) = runtime.registry.kernel(handle) {
                    runtime.registry.functions.remove(&handle);
                    return Err(failure);
                }
                handle
            }
        };
        // SAFETY: as in C.
        unsafe { give(function, handle as *mut c_void) }
    }
    /// A variable of a module; either result may be left out.
    fn cuModuleGetGlobal_v2(pointer: *mut DevicePointer, bytes: *mut usize, module: ModuleHandle, name: *const c_char) |runtime| {
        let module = runtime.module(module)?;
        // SAFETY: as in C.
        let name = unsafe { text_of(name)? };
        let target = runtime.target()?;
        let Some((size, constant)) = runtime.registry.modules[module].declared(name, &target) else {
            return failure(Status::InvalidSymbol, format!("the module has no variable `{name}`"));
        };
        let (registry, session) = runtime.parts()?;
        let of = &mut registry.modules[module];
        let at = match constant {
            true => of.constant_place(name, size, &mut session.memory, &target)?,
            false => of.global(name, size, &mut session.memory, &target)?,
        };
        // SAFETY: as in C.
        unsafe {
            if !pointer.is_null() { pointer.write(at) }
            if !bytes.is_null() { bytes.write(size) }
        }
        Ok(())
    }

    /// Launches a kernel and waits for its end.
    fn cuLaunchKernel(
        function: *mut c_void, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared: c_uint, stream: *mut c_void, params: *mut *mut c_void, extra: *mut *mut c_void,
    ) |runtime| {
        let (grid, block) = (Dim3 { x: grid_x, y: grid_y, z: grid_z }, Dim3 { x: block_x, y: block_y, z: block_z });
        let configuration = Configuration { grid, block, shared: shared as usize, stream: stream as usize, arguments: vec![] };
        // SAFETY: as in C: pointers to all parameters, or one to all of them in a row.
        unsafe {
            match extra.is_null() {
                true => runtime.launch(function as usize, &configuration, &Arguments::Pointers(params)),
                false => runtime.launch(function as usize, &configuration, &Arguments::Bytes(row(extra)?)),
            }
        }
    }

    /// Memory of the device.
    fn cuMemAlloc_v2(pointer: *mut DevicePointer, bytes: usize) |runtime| {
        check(pointer)?;
        if bytes == 0 {
            return failure(Status::InvalidValue, "an allocation of 0 bytes");
        }
        let at = runtime.session()?.memory.allocate(bytes, 1)?;
        // SAFETY: as in C.
        unsafe { give(pointer, at) }
    }
    /// No memory any more.
    fn cuMemFree_v2(pointer: DevicePointer) |runtime| { Ok(runtime.session()?.memory.free(pointer)?) }
    /// Copies to the device.
    fn cuMemcpyHtoD_v2(to: DevicePointer, from: *const c_void, bytes: usize) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy(to as *mut c_void, from, bytes, HOST_TO_DEVICE) }
    }
    /// Copies to the device, at once.
    fn cuMemcpyHtoDAsync_v2(to: DevicePointer, from: *const c_void, bytes: usize, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        // SAFETY: as in C.
        unsafe { runtime.copy(to as *mut c_void, from, bytes, HOST_TO_DEVICE) }
    }
    /// Copies from the device.
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: DevicePointer, bytes: usize) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy(to, from as *const c_void, bytes, DEVICE_TO_HOST) }
    }
    /// Copies from the device, at once.
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: DevicePointer, bytes: usize, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        // SAFETY: as in C.
        unsafe { runtime.copy(to, from as *const c_void, bytes, DEVICE_TO_HOST) }
    }
    /// Copies on the device.
    fn cuMemcpyDtoD_v2(to: DevicePointer, from: DevicePointer, bytes: usize) |runtime| {
        // SAFETY: both are the device's.
        unsafe { runtime.copy(to as *mut c_void, from as *const c_void, bytes, DEVICE_TO_DEVICE) }
    }
    /// Copies as the pointers say.
    fn cuMemcpy(to: DevicePointer, from: DevicePointer, bytes: usize) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy(to as *mut c_void, from as *const c_void, bytes, BY_POINTERS) }
    }
    /// Fills with a byte.
    fn cuMemsetD8_v2(to: DevicePointer, value: u8, count: usize) |runtime| { runtime.fill_with(to, &[value], count) }
    /// Fills with 16 bits.
    fn cuMemsetD16_v2(to: DevicePointer, value: u16, count: usize) |runtime| { runtime.fill_with(to, &value.to_le_bytes(), count) }
    /// Fills with 32 bits.
    fn cuMemsetD32_v2(to: DevicePointer, value: u32, count: usize) |runtime| { runtime.fill_with(to, &value.to_le_bytes(), count) }
    /// Nothing to prefer.
    fn cuFuncSetCacheConfig(_function: *mut c_void, _config: c_int) |_runtime| { Ok(()) }
}

/// The parameters behind each other in the list of `cuLaunchKernel`: a buffer (1), its size (2), the end (0).
///
/// # Safety
/// As in C.
unsafe fn row<'a>(extra: *mut *mut c_void) -> Result<&'a [u8], Failure> {
    let (mut buffer, mut bytes) = (std::ptr::null(), None);
    // SAFETY: as promised: it ends with 0.
    unsafe {
        for pair in 0..2 {
            match *extra.add(2 * pair) as usize {
                0 => break,
                1 => buffer = (*extra.add(2 * pair + 1)).cast::<u8>().cast_const(),
                2 => bytes = (*extra.add(2 * pair + 1)).cast::<usize>().as_ref(),
                other => return failure(Status::InvalidValue, format!("no such launch parameter: {other}")),
            }
        }
        match bytes {
            Some(&bytes) if !buffer.is_null() => Ok(std::slice::from_raw_parts(buffer, bytes)),
            _ => failure(Status::InvalidValue, "the parameters have no buffer or no size"),
        }
    }
}

/// Functions that are the runtime's by another name.
macro_rules! same {
    ($($name:ident = $runtime:path, ($($arg:ident: $ty:ty),*);)*) => {
        $(
            /// As in the runtime.
            ///
            /// # Safety
            /// As in C.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> ErrorCode {
                // SAFETY: as promised.
                driver_code(unsafe { $runtime($($arg),*) })
            }
        )*
    };
}

same! {
    cuDeviceGetAttribute = super::device::cudaDeviceGetAttribute, (value: *mut c_int, attribute: c_int, device: c_int);
    cuDeviceCanAccessPeer = super::device::cudaDeviceCanAccessPeer, (can: *mut c_int, device: c_int, peer: c_int);
    cuOccupancyMaxActiveBlocksPerMultiprocessor = super::occupancy::cudaOccupancyMaxActiveBlocksPerMultiprocessor, (blocks: *mut c_int, function: *const c_void, threads: c_int, shared: usize);
    cuMemGetInfo_v2 = super::memory::cudaMemGetInfo, (free: *mut usize, total: *mut usize);
    cuMemAllocHost_v2 = super::memory::cudaMallocHost, (pointer: *mut *mut c_void, bytes: usize);
    cuMemFreeHost = super::memory::cudaFreeHost, (pointer: *mut c_void);
    cuStreamCreate = super::events::cudaStreamCreateWithFlags, (stream: *mut *mut c_void, flags: c_uint);
    cuStreamDestroy_v2 = super::events::cudaStreamDestroy, (stream: *mut c_void);
    cuStreamSynchronize = super::events::cudaStreamSynchronize, (stream: *mut c_void);
    cuStreamQuery = super::events::cudaStreamQuery, (stream: *mut c_void);
    cuStreamWaitEvent = super::events::cudaStreamWaitEvent, (stream: *mut c_void, event: *mut c_void, flags: c_uint);
    cuEventCreate = super::events::cudaEventCreateWithFlags, (event: *mut *mut c_void, flags: c_uint);
    cuEventRecord = super::events::cudaEventRecord, (event: *mut c_void, stream: *mut c_void);
    cuEventSynchronize = super::events::cudaEventSynchronize, (event: *mut c_void);
    cuEventQuery = super::events::cudaEventQuery, (event: *mut c_void);
    cuEventElapsedTime = super::events::cudaEventElapsedTime, (milliseconds: *mut f32, start: *mut c_void, stop: *mut c_void);
    cuEventDestroy_v2 = super::events::cudaEventDestroy, (event: *mut c_void);
}

/// The number of threads with which most of them are on a core, and the blocks for all cores.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuOccupancyMaxPotentialBlockSize(
    grid: *mut c_int,
    block: *mut c_int,
    function: *const c_void,
    shared_of: Option<unsafe extern "C" fn(c_int) -> usize>,
    shared: usize,
    limit: c_int,
) -> ErrorCode {
    if grid.is_null() || block.is_null() {
        return INVALID_VALUE;
    }
    let (mut cores, mut threads, mut best) = (0, 0, (0, 0, 0));
    // SAFETY: as promised. 16 and 1 are the attributes' numbers.
    unsafe {
        let code = cuDeviceGetAttribute(&raw mut cores, 16, 0).max(cuDeviceGetAttribute(&raw mut threads, 1, 0));
        if code != 0 {
            return code;
        }
        if limit > 0 {
            threads = threads.min(limit);
        }
        while threads > 0 {
            let bytes = shared_of.map_or(shared, |of| of(threads));
            let mut blocks = 0;
            match cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, function, threads, bytes) {
                0 if blocks * threads > best.0 => best = (blocks * threads, blocks, threads),
                0 => {}
                code => return code,
            }
            threads = (threads - 1) / 32 * 32;
        }
        grid.write(best.1 * cores);
        block.write(best.2);
    }
    if best.0 > 0 { 0 } else { Status::LaunchOutOfResources as ErrorCode }
}

/// Compute capability, two numbers.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, device: c_int) -> ErrorCode {
    // SAFETY: as promised. 75 and 76 are the attributes' numbers.
    unsafe {
        match cuDeviceGetAttribute(major, 75, device) {
            0 => cuDeviceGetAttribute(minor, 76, device),
            code => code,
        }
    }
}

/// What a code means.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(code: ErrorCode, text: *mut *const c_char) -> ErrorCode {
    // SAFETY: as promised.
    unsafe { describe(code, text, |(_, meaning)| meaning) }
}

/// Its name, of the runtime interface.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(code: ErrorCode, text: *mut *const c_char) -> ErrorCode {
    // SAFETY: as promised.
    unsafe { describe(code, text, |(name, _)| name) }
}

/// # Safety
/// `text` is null or can be written.
unsafe fn describe(
    code: ErrorCode,
    text: *mut *const c_char,
    which: fn((&'static CStr, &'static CStr)) -> &'static CStr,
) -> ErrorCode {
    if text.is_null() {
        return INVALID_VALUE;
    }
    let found = Status::texts(code);
    // SAFETY: as promised.
    unsafe { text.write(found.map_or(std::ptr::null(), |texts| which(texts).as_ptr())) };
    if found.is_some() { 0 } else { INVALID_VALUE }
}
