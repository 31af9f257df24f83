//! Arrays, and what textures are bound to.

use super::{api, give, memory::BY_POINTERS};
use crate::{
    error::{Failure, Status, failure},
    runtime::Runtime,
    textures::{Array, ChannelDesc, Sampling, Source},
};
use libc::{c_int, c_uint, c_void};
use measure::session::Session;
use program::TextureBinding;

/// Columns and rows of an array.
const LARGEST: usize = 65536;

/// `cudaResourceDesc`: a kind, then a union whose largest part this is.
#[repr(C)]
pub struct Resource {
    kind: c_int,
    /// Array, or start of memory.
    pointer: *mut c_void,
    desc: ChannelDesc,
    /// Bytes, or texels in a row.
    size: usize,
    height: usize,
    pitch: usize,
}

/// `cudaTextureDesc`, as far as it is looked at.
#[repr(C)]
pub struct TextureDesc {
    address: [c_int; 3],
    filter: c_int,
    read_mode: c_int,
    srgb: c_int,
    border: [f32; 4],
    normalized: c_int,
}

/// Kinds of resources.
const ARRAY: c_int = 0;
const LINEAR: c_int = 2;
const PITCHED: c_int = 3;

impl Runtime {
    fn array(&mut self, handle: *const c_void) -> Result<(&mut Array, &mut Session), Failure> {
        let (textures, _, session) = self.texture_parts()?;
        match textures.arrays.get_mut(&(handle as usize)) {
            Some(array) => Ok((array, session)),
            None => failure(Status::InvalidResourceHandle, "no such array"),
        }
    }

    /// Memory in one dimension: as much of it as there is.
    fn linear(&mut self, pointer: *const c_void, desc: ChannelDesc, bytes: usize) -> Result<Source, Failure> {
        desc.channels()?;
        let room = self.session()?.memory.room(pointer as u64)?;
        if bytes != usize::MAX && bytes > room {
            return failure(Status::InvalidValue, format!("{bytes} bytes from {pointer:?} on: there are {room}"));
        }
        Ok(Source::Linear { pointer: pointer as u64, bytes: bytes.min(room), desc })
    }

    /// Memory in two dimensions, with room for it in tiles.
    fn pitched(
        &mut self,
        pointer: *const c_void,
        desc: ChannelDesc,
        [width, height, pitch]: [usize; 3],
    ) -> Result<Source, Failure> {
        if desc.channels()? != 1 {
            return failure(Status::NotSupported, "several channels in two dimensions; the chip has one");
        }
        if width == 0 || height == 0 || width > LARGEST || height > LARGEST || width * 4 > pitch {
            return failure(
                Status::InvalidValue,
                format!("{width} x {height} texels with {pitch} bytes from row to row"),
            );
        }
        let binding = TextureBinding { buffer: 0, width: width as u32, height: height as u32, channels: 1 };
        let memory = &mut self.session()?.memory;
        memory.bytes(pointer as u64, (height - 1) * pitch + width * 4)?;
        let tiled = memory.allocate(binding.bytes(true) as usize, 1)?;
        Ok(Source::Pitched { pointer: pointer as u64, width, height, pitch, tiled })
    }

    /// Gives back what a source has of its own.
    fn release(&mut self, source: Option<Source>) -> Result<(), Failure> {
        if let Some(Source::Pitched { tiled, .. }) = source {
            self.session()?.memory.free(tiled)?;
        }
        Ok(())
    }

    fn bind(&mut self, reference: *const c_void, source: Source) -> Result<(), Failure> {
        if !self.registry.textures.contains_key(&(reference as usize)) {
            return failure(Status::InvalidTexture, "no texture reference of this program");
        }
        let before = self.textures.references.insert(reference as usize, source);
        self.release(before)
    }

    /// # Safety
    /// Host memory is as long.
    unsafe fn write_array(
        &mut self,
        to: *mut c_void,
        [x, y]: [usize; 2],
        (from, pitch): (*const c_void, usize),
        [width, height]: [usize; 2],
    ) -> Result<(), Failure> {
        let (array, _) = self.array(to)?;
        let (row, rows) = (array.width * array.texel_bytes(), array.height.max(1));
        if x + width > row || y + height > rows {
            let message = format!("{width} bytes in {height} rows from {x}, {y} on; the array has {row} in {rows}");
            return failure(Status::InvalidValue, message);
        }
        for i in 0..height {
            let mut bytes = vec![0u8; width];
            // SAFETY: as promised.
            unsafe { self.copy(bytes.as_mut_ptr().cast(), from.wrapping_byte_add(i * pitch), width, BY_POINTERS)? };
            let (array, _) = self.array(to)?;
            array.texels[(y + i) * row + x..][..width].copy_from_slice(&bytes);
        }
        let (array, session) = self.array(to)?;
        array.update(session)
    }
}

api! {
    /// An array.
    fn cudaMallocArray(array: *mut *mut c_void, desc: *const ChannelDesc, width: usize, height: usize, _flags: c_uint) |runtime| {
        // SAFETY: as in C.
        let Some(&desc) = (unsafe { desc.as_ref() }) else {
            return failure(Status::InvalidChannelDescriptor, "no channel descriptor");
        };
        let channels = desc.channels()?;
        if width == 0 || width > LARGEST * if height == 0 { 1 << 11 } else { 1 } || height > LARGEST {
            return failure(Status::InvalidValue, format!("an array of {width} x {height} texels"));
        }
        if height > 0 && channels > 1 {
            return failure(Status::NotSupported, format!("{channels} channels in two dimensions; the chip has one"));
        }
        let rows = height.max(1);
        let binding = TextureBinding { buffer: 0, width: width as u32, height: rows as u32, channels };
        let pointer = runtime.session()?.memory.allocate(binding.bytes(height > 0) as usize, 1)?;
        let handle = runtime.handle();
        let texels = vec![0; width * rows * 4 * channels as usize];
        runtime.textures.arrays.insert(handle, Array { desc, width, height, texels, pointer });
        // SAFETY: as in C.
        unsafe { give(array, handle as *mut c_void) }
    }

    /// No array any more.
    fn cudaFreeArray(array: *mut c_void) |runtime| {
        if array.is_null() {
            return Ok(());
        }
        let pointer = runtime.array(array)?.0.pointer;
        runtime.textures.arrays.remove(&(array as usize));
        Ok(runtime.session()?.memory.free(pointer)?)
    }

    /// Copies bytes to an array, whose rows follow each other.
    fn cudaMemcpyToArray(to: *mut c_void, x: usize, y: usize, from: *const c_void, bytes: usize, _kind: c_int) |runtime| {
        let (array, _) = runtime.array(to)?;
        let row = array.width * array.texel_bytes();
        if bytes <= row - x.min(row) {
            // SAFETY: as in C.
            return unsafe { runtime.write_array(to, [x, y], (from, bytes), [bytes, 1]) };
        }
        if x != 0 || !bytes.is_multiple_of(row) {
            return failure(Status::NotSupported, "bytes of several rows that do not begin and end with one");
        }
        // SAFETY: as in C.
        unsafe { runtime.write_array(to, [0, y], (from, row), [row, bytes / row]) }
    }

    /// Copies rows to an array.
    fn cudaMemcpy2DToArray(to: *mut c_void, x: usize, y: usize, from: *const c_void, pitch: usize, width: usize, height: usize, _kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.write_array(to, [x, y], (from, pitch), [width, height]) }
    }

    /// A reference reads memory in one dimension.
    fn cudaBindTexture(offset: *mut usize, reference: *const c_void, pointer: *const c_void, desc: *const ChannelDesc, bytes: usize) |runtime| {
        // SAFETY: as in C.
        let desc = unsafe { desc.as_ref() }.copied().unwrap_or_default();
        let source = runtime.linear(pointer, desc, bytes)?;
        if !offset.is_null() {
            // SAFETY: as in C.
            unsafe { offset.write(0) };
        }
        runtime.bind(reference, source)
    }

    /// A reference reads memory in two dimensions.
    fn cudaBindTexture2D(offset: *mut usize, reference: *const c_void, pointer: *const c_void, desc: *const ChannelDesc, width: usize, height: usize, pitch: usize) |runtime| {
        // SAFETY: as in C.
        let desc = unsafe { desc.as_ref() }.copied().unwrap_or_default();
        let source = runtime.pitched(pointer, desc, [width, height, pitch])?;
        if !offset.is_null() {
            // SAFETY: as in C.
            unsafe { offset.write(0) };
        }
        runtime.bind(reference, source)
    }

    /// A reference reads an array.
    fn cudaBindTextureToArray(reference: *const c_void, array: *const c_void, _desc: *const ChannelDesc) |runtime| {
        runtime.array(array)?;
        runtime.bind(reference, Source::Array(array as usize))
    }

    /// A reference reads nothing any more.
    fn cudaUnbindTexture(reference: *const c_void) |runtime| {
        let before = runtime.textures.references.remove(&(reference as usize));
        runtime.release(before)
    }

    /// Where texels begin: at the pointer.
    fn cudaGetTextureAlignmentOffset(offset: *mut usize, _reference: *const c_void) |_runtime| {
        // SAFETY: as in C.
        unsafe { give(offset, 0) }
    }

    /// A texture object.
    fn cudaCreateTextureObject(object: *mut u64, resource: *const Resource, texture: *const TextureDesc, view: *const c_void) |runtime| {
        // SAFETY: as in C.
        let (Some(resource), Some(texture)) = (unsafe { resource.as_ref() }, unsafe { texture.as_ref() }) else {
            return failure(Status::InvalidValue, "no description of the resource or the texture");
        };
        if !view.is_null() {
            return failure(Status::NotSupported, "a resource view");
        }
        if texture.read_mode != 0 {
            return failure(Status::NotSupported, "cudaReadModeNormalizedFloat: the chip gives texels as they are");
        }
        let pointer = resource.pointer;
        let source = match resource.kind {
            ARRAY => {
                runtime.array(pointer)?;
                Source::Array(pointer as usize)
            }
            LINEAR => runtime.linear(pointer, resource.desc, resource.size)?,
            PITCHED => runtime.pitched(pointer, resource.desc, [resource.size, resource.height, resource.pitch])?,
            _ => return failure(Status::NotSupported, "mipmapped arrays"),
        };
        let TextureDesc { normalized, filter, address, .. } = *texture;
        let handle = runtime.handle() as u64;
        runtime.textures.objects.insert(handle, (source, Sampling { normalized, filter, address }));
        // SAFETY: as in C.
        unsafe { give(object, handle) }
    }

    /// No texture object any more.
    fn cudaDestroyTextureObject(object: u64) |runtime| {
        match runtime.textures.objects.remove(&object) {
            Some((source, _)) => runtime.release(Some(source)),
            None => failure(Status::InvalidResourceHandle, "no such texture object"),
        }
    }
}
