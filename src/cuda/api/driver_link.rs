//! The linker of the driver interface: PTX is put together, and is the image.

use super::{
    check,
    driver::{driver, driver_code, text_of},
    give,
};
use crate::{
    error::{ErrorCode, Failure, Status, failure},
    linker::LinkerInput,
    runtime::{Runtime, enter},
};
use libc::{c_char, c_int, c_uint, c_void};

impl Runtime {
    fn link(&mut self, state: *mut c_void) -> Result<&mut LinkerInput, Failure> {
        match self.links.get_mut(&(state as usize)) {
            Some(link) => Ok(link),
            None => failure(Status::InvalidResourceHandle, "no such linker"),
        }
    }

    fn add_to_link(&mut self, state: *mut c_void, kind: c_int, text: String) -> Result<(), Failure> {
        self.link(state)?.add(kind, text)
    }
}

driver! {
    /// A linker; options are for the compiler of a GPU.
    fn cuLinkCreate_v2(_count: c_uint, _options: *mut c_int, _values: *mut *mut c_void, state: *mut *mut c_void) |runtime| {
        check(state)?;
        let handle = runtime.handle();
        runtime.links.insert(handle, LinkerInput::default());
        // SAFETY: as in C.
        unsafe { give(state, handle as *mut c_void) }
    }
    /// PTX in memory.
    fn cuLinkAddData_v2(
        state: *mut c_void, kind: c_int, data: *mut c_void, bytes: usize, _name: *const c_char, _count: c_uint, _options: *mut c_int, _values: *mut *mut c_void,
    ) |runtime| {
        if data.is_null() {
            return failure(Status::InvalidValue, "a null pointer");
        }
        // SAFETY: as in C.
        let text = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), bytes) };
        let text = String::from_utf8_lossy(text).trim_end_matches('\0').to_string();
        runtime.add_to_link(state, kind, text)
    }
    /// PTX in a file.
    fn cuLinkAddFile_v2(state: *mut c_void, kind: c_int, file: *const c_char, _count: c_uint, _options: *mut c_int, _values: *mut *mut c_void) |runtime| {
        // SAFETY: as in C.
        let file = unsafe { text_of(file)? };
        match std::fs::read_to_string(file) {
            Ok(text) => runtime.add_to_link(state, kind, text.trim_end_matches('\0').into()),
            Err(error) => failure(Status::FileNotFound, format!("{file}: {error}")),
        }
    }
    /// The image, which stays until the linker is destroyed.
    fn cuLinkComplete(state: *mut c_void, image: *mut *mut c_void, bytes: *mut usize) |runtime| {
        check(image)?;
        let whole = runtime.link(state)?.complete()?;
        let (at, size) = (whole.as_mut_ptr(), whole.len());
        // SAFETY: as in C.
        unsafe {
            if !bytes.is_null() {
                give(bytes, size)?;
            }
            give(image, at.cast())
        }
    }
    /// No linker any more.
    fn cuLinkDestroy(state: *mut c_void) |runtime| {
        runtime.link(state)?;
        runtime.links.remove(&(state as usize));
        Ok(())
    }
    /// There is one context.
    fn cuCtxEnablePeerAccess(_peer: *mut c_void, _flags: c_uint) |_runtime| {
        failure(Status::InvalidDevice, "there is one device, and it is no peer of its own")
    }
    /// There is one context.
    fn cuCtxDisablePeerAccess(_peer: *mut c_void) |_runtime| {
        failure(Status::InvalidDevice, "there is one device, and it is no peer of its own")
    }
}
