//! Surfaces: arrays that kernels read and write.
//!
//! The object is a pointer to what a kernel has to know of its array (`program::surface_description`), so that kernels
//! may have it from anywhere. A surface reference is a variable of the device that holds an object.

use super::{
    api, check, give,
    textures::{ARRAY, Resource},
};
use crate::{
    error::{Failure, Status, failure},
    host,
    runtime::Runtime,
    textures::{CUBEMAP, ChannelDesc, LAYERED, SURFACE},
};
use libc::c_void;
use measure::session::memory::address;
use program::{SURFACE_BYTES, SurfaceShape, surface_description};

impl Runtime {
    /// A new surface object of an array.
    fn surface_object(&mut self, pointer: *const c_void) -> Result<u64, Failure> {
        let (array, session) = self.array(pointer)?;
        if array.flags & SURFACE == 0 {
            return failure(
                Status::InvalidValue,
                "a surface of an array that was made without cudaArraySurfaceLoadStore",
            );
        }
        let Some(start) = address(array.pointer) else {
            return failure(Status::InvalidValue, "an array that is not on the device");
        };
        let sizes = [array.width, array.height.max(1), array.depth.max(1)].map(|size| size as u32);
        let shape = SurfaceShape::of(array.height, array.depth, array.flags & (LAYERED | CUBEMAP) != 0);
        let words = surface_description(start as u32, sizes, array.texel_bytes() as u32, shape);
        let handle = session.memory.allocate(SURFACE_BYTES as usize, 1)?;
        session
            .memory
            .bytes_mut(handle, SURFACE_BYTES as usize)?
            .copy_from_slice(&words.map(u32::to_le_bytes).concat());
        self.textures.surfaces.insert(handle, pointer as usize);
        Ok(handle)
    }

    /// No surface object any more.
    fn drop_surface(&mut self, object: u64) -> Result<(), Failure> {
        let Some(array) = self.textures.surfaces.remove(&object) else {
            return failure(Status::InvalidValue, "no such surface object");
        };
        // Nobody marks it any more: what kernels have written stays with it.
        if self.textures.arrays.contains_key(&array) {
            self.array(array as *const c_void)?;
        }
        Ok(self.session()?.memory.free(object)?)
    }

    /// A surface reference reads and writes an array.
    fn bind_surface(&mut self, reference: *const c_void, array: *const c_void) -> Result<(), Failure> {
        let Some(variable) = self.registry.surface(reference as usize) else {
            return failure(Status::InvalidSurface, "no surface reference of this program");
        };
        let object = self.surface_object(array)?;
        let place = self.place(&variable)?;
        self.session()?.memory.bytes_mut(place, size_of::<u64>())?.copy_from_slice(&object.to_le_bytes());
        match self.textures.surface_references.insert(reference as usize, object) {
            Some(before) => self.drop_surface(before),
            None => Ok(()),
        }
    }
}

api! {
    /// A surface object.
    fn cudaCreateSurfaceObject(object: *mut u64, resource: *const Resource) |runtime| {
        check(object)?;
        let resource = host::read(resource, "the description of the resource")?;
        if resource.kind != ARRAY {
            return failure(Status::InvalidChannelDescriptor, "a surface of something else than an array");
        }
        let handle = runtime.surface_object(resource.pointer)?;
        // SAFETY: as in C.
        unsafe { give(object, handle) }
    }

    /// No surface object any more.
    fn cudaDestroySurfaceObject(object: u64) |runtime| {
        runtime.drop_surface(object)
    }

    /// A reference reads and writes an array.
    fn cudaBindSurfaceToArray(reference: *const c_void, array: *const c_void, _desc: *const ChannelDesc) |runtime| {
        runtime.bind_surface(reference, array)
    }

    /// The reference itself.
    fn cudaGetSurfaceReference(reference: *mut *const c_void, symbol: *const c_void) |runtime| {
        if runtime.registry.surface(symbol as usize).is_none() {
            return failure(Status::InvalidSurface, "no surface reference of this program");
        }
        // SAFETY: as in C.
        unsafe { give(reference, symbol) }
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
