//! Surfaces: arrays that kernels read and write.
//!
//! The object is a pointer to what a kernel has to know of its array (`program::surface_description`), so that kernels may have it from anywhere.

use super::{
    api, check, give,
    textures::{ARRAY, Resource},
};
use crate::{
    error::{Status, failure},
    host,
    textures::{ChannelDesc, SURFACE},
};
use measure::session::memory::address;
use program::{SURFACE_BYTES, surface_description};

api! {
    /// A surface object.
    fn cudaCreateSurfaceObject(object: *mut u64, resource: *const Resource) |runtime| {
        check(object)?;
        let resource = host::read(resource, "the description of the resource")?;
        if resource.kind != ARRAY {
            return failure(Status::InvalidChannelDescriptor, "a surface of something else than an array");
        }
        let (array, session) = runtime.array(resource.pointer)?;
        if array.flags & SURFACE == 0 {
            return failure(Status::InvalidValue, "a surface of an array that was made without cudaArraySurfaceLoadStore");
        }
        let Some(start) = address(array.pointer) else {
            return failure(Status::InvalidValue, "an array that is not on the device");
        };
        let sizes = [array.width, array.height.max(1), array.depth.max(1)].map(|size| size as u32);
        let words = surface_description(start as u32, sizes, array.texel_bytes() as u32);
        let handle = session.memory.allocate(SURFACE_BYTES as usize, 1)?;
        session.memory.bytes_mut(handle, SURFACE_BYTES as usize)?.copy_from_slice(&words.map(u32::to_le_bytes).concat());
        runtime.textures.surfaces.insert(handle, resource.pointer as usize);
        // SAFETY: as in C.
        unsafe { give(object, handle) }
    }

    /// No surface object any more.
    fn cudaDestroySurfaceObject(object: u64) |runtime| {
        match runtime.textures.surfaces.remove(&object) {
            Some(array) => {
                // Nobody marks it any more: what kernels have written stays with it.
                if runtime.textures.arrays.contains_key(&array) {
                    runtime.array(array as *const libc::c_void)?;
                }
                Ok(runtime.session()?.memory.free(object)?)
            }
            None => failure(Status::InvalidValue, "no such surface object"),
        }
    }

    /// The array of a surface object.
    fn cudaGetSurfaceObjectResourceDesc(resource: *mut Resource, object: u64) |runtime| {
        let Some(&array) = runtime.textures.surfaces.get(&object) else {
            return failure(Status::InvalidValue, "no such surface object");
        };
        let pointer = array as *mut libc::c_void;
        let of_array = Resource { kind: ARRAY, pointer, desc: ChannelDesc::default(), size: 0, height: 0, pitch: 0 };
        // SAFETY: as in C.
        unsafe { give(resource, of_array) }
    }
}
