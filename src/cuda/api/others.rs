//! Functions for several devices and several processes, of which there is one each, and hints to caches that the chip
//! has not.

use super::{api, device::only, give, memory::BY_POINTERS};
use crate::{
    error::{Failure, Status, failure},
    host,
};
use libc::{c_char, c_int, c_uint, c_void};
use std::ffi::CStr;

/// The place of the device among others, as text.
const PLACE: &CStr = c"0000:00:00.0";
/// The place of no device that could be asked for.
fn no_peer<T>(peer: c_int) -> Result<T, Failure> {
    failure(Status::InvalidDevice, format!("device {peer} is no peer of the one that there is"))
}

/// Memory and events are those of one process.
fn one_process<T>() -> Result<T, Failure> {
    failure(Status::NotSupported, "the device's memory and events are those of one process")
}

/// `cudaIpcMemHandle_t` and its like.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IpcHandle([u8; 64]);

/// `cudaStreamAttrValue`, as large as its largest part.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StreamAttribute([u64; 4]);

api! {
    /// There is nobody else.
    fn cudaDeviceDisablePeerAccess(peer: c_int) |_runtime| { no_peer(peer) }
    /// There is nobody else.
    fn cudaDeviceGetP2PAttribute(_value: *mut c_int, _attribute: c_int, device: c_int, peer: c_int) |_runtime| {
        only(device)?;
        no_peer(peer)
    }
    /// Copies on the device, in the order of a stream.
    fn cudaMemcpyPeerAsync(to: *mut c_void, to_device: c_int, from: *const c_void, from_device: c_int, bytes: usize, stream: *mut c_void) |runtime| {
        only(to_device)?;
        only(from_device)?;
        let (to, from) = (to as usize, from as usize);
        // SAFETY: as in C.
        runtime.on_stream(stream, move |runtime| unsafe { runtime.copy(to as *mut c_void, from as *const c_void, bytes, BY_POINTERS) })
    }
    /// The place of the device, as text.
    fn cudaDeviceGetPCIBusId(id: *mut c_char, length: c_int, device: c_int) |_runtime| {
        only(device)?;
        let text = PLACE.to_bytes_with_nul();
        let room = usize::try_from(length).unwrap_or(0);
        if room < text.len() {
            return failure(Status::InvalidValue, format!("{length} bytes for a text of {}", text.len()));
        }
        host::check(id.cast(), text.len(), host::HostAccess::Write)?;
        // SAFETY: there are as many bytes.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr().cast(), id, text.len()) };
        Ok(())
    }
    /// The device at a place.
    fn cudaDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) |_runtime| {
        if id.is_null() {
            return failure(Status::InvalidValue, "a null pointer");
        }
        // SAFETY: as in C.
        if unsafe { CStr::from_ptr(id) } != PLACE {
            return failure(Status::InvalidDevice, format!("the device is at {}", PLACE.to_string_lossy()));
        }
        // SAFETY: as in C.
        unsafe { give(device, 0) }
    }

    /// There is one process.
    fn cudaIpcGetMemHandle(_handle: *mut IpcHandle, _pointer: *mut c_void) |_runtime| { one_process() }
    /// There is one process.
    fn cudaIpcOpenMemHandle(_pointer: *mut *mut c_void, _handle: IpcHandle, _flags: c_uint) |_runtime| { one_process() }
    /// There is one process.
    fn cudaIpcCloseMemHandle(_pointer: *mut c_void) |_runtime| { one_process() }
    /// There is one process.
    fn cudaIpcGetEventHandle(_handle: *mut IpcHandle, _event: *mut c_void) |_runtime| { one_process() }
    /// There is one process.
    fn cudaIpcOpenEventHandle(_event: *mut *mut c_void, _handle: IpcHandle) |_runtime| { one_process() }

    /// Managed memory is that of all streams.
    fn cudaStreamAttachMemAsync(stream: *mut c_void, _pointer: *mut c_void, _bytes: usize, _flags: c_uint) |runtime| { runtime.stream(stream).map(drop) }
    /// A hint without effect.
    fn cudaStreamSetAttribute(stream: *mut c_void, _attribute: c_int, _value: *const StreamAttribute) |runtime| { runtime.stream(stream).map(drop) }
    /// No hint has an effect.
    fn cudaStreamGetAttribute(stream: *mut c_void, _attribute: c_int, value: *mut StreamAttribute) |runtime| {
        runtime.stream(stream)?;
        // SAFETY: as in C.
        unsafe { give(value, StreamAttribute([0; 4])) }
    }
    /// No lines are kept.
    fn cudaCtxResetPersistingL2Cache() |_runtime| { Ok(()) }
}
