//! The functions of the runtime as C has them, and the program that calls them: five kernels in PTX, two variables, a
//! texture.

use super::SYMBOL;
use std::ffi::c_void;
use warpmesh::{cuda::container, program::link::PtxUnit};

const PTX: &str = include_str!("kernels.ptx");

pub type Pointer = *mut c_void;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

#[repr(C)]
pub struct Wrapper {
    magic: u32,
    version: u32,
    data: *const u8,
    unused: Pointer,
}

unsafe extern "C" {
    pub fn __cudaRegisterFatBinary(wrapper: *const Wrapper) -> *mut Pointer;
    pub fn __cudaRegisterFunction(
        handle: *mut Pointer,
        function: Pointer,
        device: *mut i8,
        name: *const i8,
        threads: i32,
        a: Pointer,
        b: Pointer,
        c: Pointer,
        d: Pointer,
        e: *mut i32,
    ) -> i32;
    pub fn __cudaRegisterVar(
        handle: *mut Pointer,
        shadow: Pointer,
        device: *mut i8,
        name: *const i8,
        external: i32,
        bytes: usize,
        constant: i32,
        global: i32,
    );
    pub fn __cudaRegisterTexture(
        handle: *mut Pointer,
        reference: Pointer,
        device: *const Pointer,
        name: *const i8,
        dimensions: i32,
        normalized: i32,
        external: i32,
    );
    pub fn cudaDeviceReset() -> i32;
    pub fn cudaGetLastError() -> i32;
    pub fn cudaPeekAtLastError() -> i32;
    pub fn cudaMalloc(pointer: *mut Pointer, bytes: usize) -> i32;
    pub fn cudaFree(pointer: Pointer) -> i32;
    pub fn cudaMemcpy(to: Pointer, from: Pointer, bytes: usize, kind: i32) -> i32;
    pub fn cudaMemcpyAsync(to: Pointer, from: Pointer, bytes: usize, kind: i32, stream: Pointer) -> i32;
    pub fn cudaMemcpy2D(
        to: Pointer,
        tp: usize,
        from: Pointer,
        fp: usize,
        width: usize,
        height: usize,
        kind: i32,
    ) -> i32;
    pub fn cudaMemset(pointer: Pointer, value: i32, bytes: usize) -> i32;
    pub fn cudaMemset2D(pointer: Pointer, pitch: usize, value: i32, width: usize, height: usize) -> i32;
    pub fn cudaMemcpyToSymbol(symbol: Pointer, from: Pointer, bytes: usize, offset: usize, kind: i32) -> i32;
    pub fn cudaMemcpyFromSymbol(to: Pointer, symbol: Pointer, bytes: usize, offset: usize, kind: i32) -> i32;
    pub fn cudaGetSymbolAddress(pointer: *mut Pointer, symbol: Pointer) -> i32;
    pub fn cudaLaunchKernel(
        f: Pointer,
        grid: Dim3,
        block: Dim3,
        args: *mut Pointer,
        shared: usize,
        stream: Pointer,
    ) -> i32;
    pub fn cudaMemsetAsync(pointer: Pointer, value: i32, bytes: usize, stream: Pointer) -> i32;
    pub fn cudaMallocAsync(pointer: *mut Pointer, bytes: usize, stream: Pointer) -> i32;
    pub fn cudaMallocFromPoolAsync(pointer: *mut Pointer, bytes: usize, pool: Pointer, stream: Pointer) -> i32;
    pub fn cudaFreeAsync(pointer: Pointer, stream: Pointer) -> i32;
    pub fn cudaMemPoolCreate(pool: *mut Pointer, properties: *const c_void) -> i32;
    pub fn cudaMemPoolDestroy(pool: Pointer) -> i32;
    pub fn cudaStreamBeginCapture(stream: Pointer, mode: i32) -> i32;
    pub fn cudaStreamEndCapture(stream: Pointer, graph: *mut Pointer) -> i32;
    pub fn cudaStreamWaitEvent(stream: Pointer, event: Pointer, flags: u32) -> i32;
    pub fn cudaGraphInstantiate(made: *mut Pointer, graph: Pointer, node: Pointer, log: Pointer, bytes: usize) -> i32;
    pub fn cudaGraphLaunch(executable: Pointer, stream: Pointer) -> i32;
    pub fn cudaGraphExecDestroy(executable: Pointer) -> i32;
    pub fn cudaGraphDestroy(graph: Pointer) -> i32;
    pub fn cudaCreateSurfaceObject(object: *mut u64, resource: Pointer) -> i32;
    pub fn cudaDestroySurfaceObject(object: u64) -> i32;
    pub fn cudaHostAlloc(pointer: *mut Pointer, bytes: usize, flags: u32) -> i32;
    pub fn cudaFreeHost(pointer: Pointer) -> i32;
    pub fn cudaHostRegister(pointer: Pointer, bytes: usize, flags: u32) -> i32;
    pub fn cudaHostUnregister(pointer: Pointer) -> i32;
    pub fn cudaStreamCreate(stream: *mut Pointer) -> i32;
    pub fn cudaStreamDestroy(stream: Pointer) -> i32;
    pub fn cudaStreamSynchronize(stream: Pointer) -> i32;
    pub fn cudaEventCreate(event: *mut Pointer) -> i32;
    pub fn cudaEventDestroy(event: Pointer) -> i32;
    pub fn cudaEventRecord(event: Pointer, stream: Pointer) -> i32;
    pub fn cudaEventElapsedTime(milliseconds: *mut f32, start: Pointer, stop: Pointer) -> i32;
    pub fn cudaBindTexture(
        offset: *mut usize,
        texture: Pointer,
        pointer: Pointer,
        desc: *const [i32; 5],
        bytes: usize,
    ) -> i32;
    pub fn cudaUnbindTexture(texture: Pointer) -> i32;
    pub fn cudaMallocArray(array: *mut Pointer, desc: *const [i32; 5], width: usize, height: usize, flags: u32) -> i32;
    pub fn cudaFreeArray(array: Pointer) -> i32;
    pub fn cudaMemcpyToArray(to: Pointer, x: usize, y: usize, from: Pointer, bytes: usize, kind: i32) -> i32;
    pub fn cudaMemcpyFromArray(to: Pointer, from: Pointer, x: usize, y: usize, bytes: usize, kind: i32) -> i32;
}

/// The addresses by which the program knows its kernels, variables and texture.
pub static FUNCTIONS: [u8; 5] = [0; 5];
pub static SHADOWS: [[u8; SYMBOL]; 2] = [[0; SYMBOL]; 2];
pub static REFERENCE: [i32; 10] = [0; 10];

pub fn address<T>(of: &T) -> Pointer {
    (&raw const *of).cast_mut().cast()
}

/// Tells the runtime of the program, once in a process.
pub fn register() {
    let unit = PtxUnit { file: "api.cu".into(), text: PTX.into(), relocatable: false };
    let data = container::pack(&unit).leak().as_ptr();
    let wrapper = Wrapper { magic: 0x466243b1, version: 1, data, unused: std::ptr::null_mut() };
    let null = std::ptr::null_mut::<c_void>();
    // SAFETY: what the compiler's start-up code does.
    unsafe {
        let handle = __cudaRegisterFatBinary(&raw const wrapper);
        for (function, name) in FUNCTIONS.iter().zip([c"fill", c"mix", c"symbols", c"fetch", c"draw"]) {
            let none = std::ptr::null_mut();
            let name = name.as_ptr().cast();
            __cudaRegisterFunction(handle, address(function), none, name, -1, null, null, null, null, none.cast());
        }
        for (i, name) in [c"var", c"con"].into_iter().enumerate() {
            let none = std::ptr::null_mut();
            __cudaRegisterVar(handle, address(&SHADOWS[i]), none, name.as_ptr().cast(), 0, SYMBOL, i as i32, 0);
        }
        __cudaRegisterTexture(handle, address(&REFERENCE), std::ptr::null(), c"tr".as_ptr().cast(), 1, 0, 0);
    }
}
