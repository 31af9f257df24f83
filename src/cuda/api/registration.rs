//! What the compiler's start-up code calls before `main`.

use crate::{
    container,
    registry::{Name, Variable},
    runtime::look,
};
use libc::{c_char, c_int, c_void};
use program::Target;
use std::{
    ffi::CStr,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What the compiler puts around a fat binary.
#[repr(C)]
pub struct Wrapper {
    magic: u32,
    version: u32,
    data: *const u8,
    unused: *mut c_void,
}

/// Registers the PTX of a file; the handle is the number of the file, from 1.
///
/// # Safety
/// `wrapper` is what the compiler makes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterFatBinary(wrapper: *const Wrapper) -> *mut *mut c_void {
    // SAFETY: as promised.
    let found = unsafe { wrapper.as_ref().and_then(|wrapper| container::unpack(wrapper.data)) };
    match found {
        Some(unit) => {
            let number = look(|runtime| {
                runtime.program_begins();
                runtime.registry.add(unit)
            });
            (number + 1) as *mut *mut c_void
        }
        None => {
            eprintln!(
                "warpmesh: a file of this program was not compiled with `warpmesh cc`: its kernels cannot be used"
            );
            std::ptr::null_mut()
        }
    }
}

/// Registers the PTX of a file that was compiled to be linked with others (`-rdc=true`), and what `register` knows of it. `warpmesh cc` gives the
/// function this name, which has a number of its own in each file: nvcc's linker would write one for each.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpmeshRegisterLinkedBinary(
    register: Option<extern "C" fn(*mut *mut c_void)>,
    wrapper: *const Wrapper,
    _id: *const c_char,
    _: *mut c_void,
) {
    // SAFETY: as promised.
    let handle = unsafe { __cudaRegisterFatBinary(wrapper) };
    if let (Some(register), false) = (register, handle.is_null()) {
        register(handle);
    }
}

/// Where the program, or a library of it, has its managed variables; each file says so before it registers any.
#[unsafe(no_mangle)]
pub extern "C" fn __warpmeshManaged(start: *mut c_void, stop: *mut c_void) {
    if !start.is_null() {
        let section = (start as usize, stop as usize);
        quietly(|| look(|runtime| runtime.managed_sections.push(section)));
    }
}

/// Everything of the file has been registered.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaRegisterFatBinaryEnd(_: *mut *mut c_void) {}

/// At the end of the process, where memory is given back anyway.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaUnregisterFatBinary(_: *mut *mut c_void) {}

/// The name of a thing in a file.
///
/// # Safety
/// `name` is null or a C string.
unsafe fn name_of(handle: *mut *mut c_void, name: *const c_char) -> Option<Name> {
    let module = (handle as usize).checked_sub(1)?;
    // SAFETY: as promised.
    let name = unsafe { (!name.is_null()).then(|| CStr::from_ptr(name))? };
    Some(Name { module, name: name.to_string_lossy().into_owned() })
}

/// Nothing leaves, whatever happens.
fn quietly(body: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(body));
}

/// Registers a kernel by the address of its stub.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterFunction(
    handle: *mut *mut c_void,
    function: *const c_void,
    _device: *mut c_char,
    name: *const c_char,
    _threads: c_int,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_int,
) -> c_int {
    // SAFETY: as promised.
    if let Some(name) = unsafe { name_of(handle, name) } {
        quietly(|| look(|runtime| drop(runtime.registry.functions.insert(function as usize, name))));
    }
    0
}

/// Registers a variable by the address of its shadow.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterVar(
    handle: *mut *mut c_void,
    shadow: *const c_char,
    _device: *mut c_char,
    name: *const c_char,
    _external: c_int,
    bytes: usize,
    constant: c_int,
    _global: c_int,
) {
    // SAFETY: as promised.
    if let Some(name) = unsafe { name_of(handle, name) } {
        quietly(|| {
            look(|runtime| {
                let at = shadow as usize;
                let managed = runtime.managed_sections.iter().any(|&(start, end)| (start..end).contains(&at));
                if managed {
                    let initial = runtime.registry.modules[name.module].initial(&name.name, bytes, &Target::default());
                    // SAFETY: the variable of the program's, before anybody looks at it.
                    unsafe { std::ptr::copy_nonoverlapping(initial.as_ptr(), at as *mut u8, bytes) };
                }
                runtime.registry.variables.insert(at, Variable { name, bytes, constant: constant != 0, managed });
            });
        });
    }
}

/// Registers a texture reference.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterTexture(
    handle: *mut *mut c_void,
    reference: *const c_void,
    _device: *const *const c_void,
    name: *const c_char,
    _dimensions: c_int,
    _normalized: c_int,
    _external: c_int,
) {
    // SAFETY: as promised.
    if let Some(name) = unsafe { name_of(handle, name) } {
        quietly(|| look(|runtime| drop(runtime.registry.textures.insert(reference as usize, name))));
    }
}

/// Registers a surface reference: on the device a variable that holds a surface object.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterSurface(
    handle: *mut *mut c_void,
    reference: *const c_void,
    _device: *const *const c_void,
    name: *const c_char,
    _dimensions: c_int,
    _external: c_int,
) {
    // SAFETY: as promised.
    if let Some(name) = unsafe { name_of(handle, name) } {
        let variable = Variable { name, bytes: size_of::<u64>(), constant: false, managed: false };
        quietly(|| look(|runtime| drop(runtime.registry.surfaces.insert(reference as usize, variable))));
    }
}
