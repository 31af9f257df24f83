//! Arrays, and what textures are bound to.

use super::{
    api, check, give,
    memory::{BY_POINTERS, DEVICE_TO_DEVICE},
    volumes::Extent,
};
use crate::{
    error::{Failure, Status, failure},
    host,
    runtime::Runtime,
    textures::{Array, CUBEMAP, ChannelDesc, GATHER, LAYERED, SURFACE, Sampling, TextureMemory},
};
use libc::{c_int, c_uint, c_void};
use measure::session::Session;
use program::{launch::MEMORY_LIMIT, stored_bytes};

/// Columns and rows of an array.
const LARGEST: usize = 65536;
/// Columns, rows and slices of one in three dimensions.
pub const LARGEST_VOLUME: usize = 4096;
/// Layers of an array.
pub const LARGEST_LAYERS: usize = 2048;

/// `cudaResourceDesc`: a kind, then a union whose largest part this is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Resource {
    pub(super) kind: c_int,
    /// Array, or start of memory.
    pub(super) pointer: *mut c_void,
    pub(super) desc: ChannelDesc,
    /// Bytes, or texels in a row.
    pub(super) size: usize,
    pub(super) height: usize,
    pub(super) pitch: usize,
}

/// `cudaTextureDesc`, as far as it is looked at.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TextureDesc {
    address: [c_int; 3],
    filter: c_int,
    read_mode: c_int,
    srgb: c_int,
    border: [f32; 4],
    normalized: c_int,
}

/// Kinds of resources.
pub(super) const ARRAY: c_int = 0;
const LINEAR: c_int = 2;
const PITCHED: c_int = 3;

impl Runtime {
    /// An array with what it holds now.
    pub(super) fn array(&mut self, handle: *const c_void) -> Result<(&mut Array, &mut Session), Failure> {
        let (textures, _, session) = self.texture_parts()?;
        match textures.arrays.get_mut(&(handle as usize)) {
            Some(array) => {
                array.refresh(session)?;
                Ok((array, session))
            }
            None => failure(Status::InvalidValue, "no such array"),
        }
    }

    /// Memory in one dimension: as much of it as there is.
    fn linear(&mut self, pointer: *const c_void, desc: ChannelDesc, bytes: usize) -> Result<TextureMemory, Failure> {
        let texel = desc.bytes()?;
        let memory = &mut self.session()?.memory;
        // More than the allocation has is as on a GPU: what a kernel reads is what there is.
        let bytes = bytes.min(memory.room(pointer as u64)?);
        let whole_words = texel >= 4 || bytes.is_multiple_of(4) && (pointer as usize).is_multiple_of(4);
        let copy = if whole_words { None } else { Some(memory.allocate(bytes.next_multiple_of(4), 1)?) };
        Ok(TextureMemory::Linear { pointer: pointer as u64, bytes, desc, copy })
    }

    /// Memory in two dimensions, with room for it in tiles.
    fn pitched(
        &mut self,
        pointer: *const c_void,
        desc: ChannelDesc,
        [width, height, pitch]: [usize; 3],
    ) -> Result<TextureMemory, Failure> {
        let texel = desc.bytes()?;
        if width == 0 || height == 0 || width > LARGEST || height > LARGEST || width * texel > pitch {
            return failure(
                Status::InvalidValue,
                format!("{width} x {height} texels with {pitch} bytes from row to row"),
            );
        }
        let memory = &mut self.session()?.memory;
        let rows = (height - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width * texel));
        memory.bytes(pointer as u64, rows.unwrap_or(usize::MAX))?;
        let tiled = memory.allocate(stored_bytes([width as u32, height as u32, 1], 2, texel as u32) as usize, 1)?;
        Ok(TextureMemory::Pitched { pointer: pointer as u64, width, height, pitch, desc, tiled })
    }

    /// Gives back what a source has of its own.
    fn release(&mut self, source: Option<TextureMemory>) -> Result<(), Failure> {
        match source {
            Some(TextureMemory::Pitched { tiled: own, .. } | TextureMemory::Linear { copy: Some(own), .. }) => {
                Ok(self.session()?.memory.free(own)?)
            }
            _ => Ok(()),
        }
    }

    /// It is a texture reference.
    fn is_texture(&self, reference: *const c_void) -> Result<(), Failure> {
        match self.registry.textures.contains_key(&(reference as usize)) {
            true => Ok(()),
            false => failure(Status::InvalidTexture, "no texture reference of this program"),
        }
    }

    fn bind(&mut self, reference: *const c_void, source: TextureMemory) -> Result<(), Failure> {
        if let Err(wrong) = self.is_texture(reference) {
            self.release(Some(source))?;
            return Err(wrong);
        }
        let before = self.textures.references.insert(reference as usize, source);
        self.release(before)
    }

    /// Bytes of a texel of an array, and its rows in each of its slices.
    pub fn texel_and_rows(&mut self, array: *const c_void) -> Result<(usize, usize), Failure> {
        let (array, _) = self.array(array)?;
        Ok((array.texel_bytes(), array.height.max(1)))
    }

    /// Bytes of a row of an array, in which there are `width` bytes in `height` rows from a place on.
    fn row(&mut self, array: *const c_void, [x, y]: [usize; 2], [width, height]: [usize; 2]) -> Result<usize, Failure> {
        let (array, _) = self.array(array)?;
        let (row, rows) = (array.width * array.texel_bytes(), array.height.max(1) * array.depth.max(1));
        let fits = |at: usize, count: usize, of: usize| at.checked_add(count).is_some_and(|end| end <= of);
        match fits(x, width, row) && fits(y, height, rows) {
            true => Ok(row),
            false => {
                let message = format!("{width} bytes in {height} rows from {x}, {y} on; the array has {row} in {rows}");
                failure(Status::InvalidValue, message)
            }
        }
    }

    /// # Safety
    /// Host memory is as long.
    pub unsafe fn write_array(
        &mut self,
        to: *mut c_void,
        [x, y]: [usize; 2],
        (from, pitch): (*const c_void, usize),
        [width, height]: [usize; 2],
        kind: c_int,
    ) -> Result<(), Failure> {
        let row = self.row(to, [x, y], [width, height])?;
        self.other_end(from, width, kind, true)?;
        if height > 1 && width > pitch {
            return failure(Status::InvalidPitchValue, format!("rows of {width} bytes do not fit a pitch of {pitch}"));
        }
        let mut bytes = vec![0u8; width * height];
        let packed = (bytes.as_mut_ptr().cast::<c_void>(), width);
        // SAFETY: as promised.
        unsafe { self.copy_rows(packed, (from, pitch.max(width)), [width, height], BY_POINTERS)? };
        let (array, session) = self.array(to)?;
        for (i, bytes) in bytes.chunks(width.max(1)).enumerate() {
            array.texels[(y + i) * row + x..][..width].copy_from_slice(bytes);
        }
        array.update(session)
    }

    /// # Safety
    /// Host memory is as long.
    pub unsafe fn read_array(
        &mut self,
        (to, pitch): (*mut c_void, usize),
        from: *const c_void,
        [x, y]: [usize; 2],
        [width, height]: [usize; 2],
        kind: c_int,
    ) -> Result<(), Failure> {
        let row = self.row(from, [x, y], [width, height])?;
        self.other_end(to, width, kind, false)?;
        let (array, _) = self.array(from)?;
        let rows = (y..y + height).flat_map(|y| &array.texels[y * row + x..][..width]);
        let bytes: Vec<u8> = rows.copied().collect();
        // SAFETY: as promised.
        unsafe { self.copy_rows((to, pitch), (bytes.as_ptr().cast(), width), [width, height], BY_POINTERS) }
    }

    /// Bytes of an array, whose rows follow each other, as a part of a row or whole rows.
    fn rows_of(
        &mut self,
        array: *const c_void,
        [x, y]: [usize; 2],
        bytes: usize,
    ) -> Result<([usize; 2], [usize; 2]), Failure> {
        let (array, _) = self.array(array)?;
        let row = array.width * array.texel_bytes();
        if bytes <= row - x.min(row) {
            return Ok(([x, y], [bytes, 1]));
        }
        if x != 0 || !bytes.is_multiple_of(row) {
            return failure(Status::NotSupported, "bytes of several rows that do not begin and end with one");
        }
        Ok(([0, y], [row, bytes / row]))
    }

    /// # Safety
    /// Host memory is as long.
    unsafe fn write_bytes(
        &mut self,
        to: *mut c_void,
        at: [usize; 2],
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) -> Result<(), Failure> {
        let (at, rows) = self.rows_of(to, at, bytes)?;
        // SAFETY: as promised.
        unsafe { self.write_array(to, at, (from, rows[0]), rows, kind) }
    }

    fn new_array(
        &mut self,
        array: *mut *mut c_void,
        desc: *const ChannelDesc,
        sizes: [usize; 3],
        flags: c_uint,
    ) -> Result<(), Failure> {
        check(array)?;
        if desc.is_null() {
            return failure(Status::InvalidChannelDescriptor, "no channel descriptor");
        }
        let desc = host::read(desc, "the channel descriptor")?;
        let texel = desc.bytes()?;
        let [width, height, depth] = sizes;
        let (layered, cubemap) = (flags & LAYERED != 0, flags & CUBEMAP != 0);
        if flags & !(LAYERED | SURFACE | CUBEMAP | GATHER) != 0 {
            return failure(Status::NotSupported, format!("an array with flags {flags:#x}"));
        }
        let allowed = match (height, depth) {
            _ if cubemap => {
                let layers = if layered { depth > 0 && depth.is_multiple_of(6) } else { depth == 6 };
                width == height && width <= LARGEST && layers && depth <= 6 * LARGEST_LAYERS
            }
            _ if layered => (1..=LARGEST_LAYERS).contains(&depth) && width <= LARGEST && height <= LARGEST,
            (0, 0) => width <= LARGEST << 11,
            (_, 0) => width <= LARGEST && height <= LARGEST,
            _ => height > 0 && sizes.iter().all(|size| *size <= LARGEST_VOLUME),
        };
        if width == 0 || !allowed {
            let kind = match (cubemap, layered) {
                (true, _) => "a cube's sides are equal, up to 65536, and it has 6 faces, or 6 in each layer",
                (false, true) => "1 to 2048 layers of 1 to 65536 columns and up to 65536 rows",
                (false, false) => "1 to 2^27 columns, 65536 in two dimensions, 4096 in three",
            };
            return failure(Status::InvalidValue, format!("an array of {width} x {height} x {depth} texels: {kind}"));
        }
        let dimensions = 1 + u32::from(height > 0) + u32::from(depth > 0);
        let stored =
            stored_bytes([width, height.max(1), depth.max(1)].map(|size| size as u32), dimensions, texel as u32);
        let Some(stored) = usize::try_from(stored).ok().filter(|&bytes| bytes <= MEMORY_LIMIT) else {
            return failure(
                Status::MemoryAllocation,
                format!("no room for an array of {width} x {height} x {depth} texels"),
            );
        };
        let texels = vec![0; width * height.max(1) * depth.max(1) * texel];
        // Texels are read by words.
        let pointer = self.session()?.memory.allocate(stored.next_multiple_of(4), 1)?;
        let handle = self.handle();
        self.textures.arrays.insert(handle, Array { desc, width, height, depth, flags, stale: false, texels, pointer });
        // SAFETY: as in C.
        unsafe { give(array, handle as *mut c_void) }
    }
}

api! {
    /// An array.
    fn cudaMallocArray(array: *mut *mut c_void, desc: *const ChannelDesc, width: usize, height: usize, flags: c_uint) |runtime| {
        runtime.new_array(array, desc, [width, height, 0], flags)
    }

    /// An array in up to three dimensions.
    fn cudaMalloc3DArray(array: *mut *mut c_void, desc: *const ChannelDesc, extent: Extent, flags: c_uint) |runtime| {
        runtime.new_array(array, desc, [extent.width, extent.height, extent.depth], flags)
    }

    /// Its texels.
    fn cudaGetChannelDesc(desc: *mut ChannelDesc, array: *const c_void) |runtime| {
        let found = runtime.array(array)?.0.desc;
        // SAFETY: as in C.
        unsafe { give(desc, found) }
    }

    /// Its texels, sizes and flags; what is not asked for is a null pointer.
    fn cudaArrayGetInfo(desc: *mut ChannelDesc, extent: *mut Extent, flags: *mut c_uint, array: *const c_void) |runtime| {
        let array = runtime.array(array)?.0;
        let sizes = Extent { width: array.width, height: array.height, depth: array.depth };
        let (of_array, with) = (array.desc, array.flags);
        // SAFETY: as in C.
        unsafe {
            if !desc.is_null() {
                give(desc, of_array)?;
            }
            if !extent.is_null() {
                give(extent, sizes)?;
            }
            if flags.is_null() { Ok(()) } else { give(flags, with) }
        }
    }

    /// The reference itself.
    fn cudaGetTextureReference(reference: *mut *const c_void, symbol: *const c_void) |runtime| {
        runtime.is_texture(symbol)?;
        // SAFETY: as in C.
        unsafe { give(reference, symbol) }
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
    fn cudaMemcpyToArray(to: *mut c_void, x: usize, y: usize, from: *const c_void, bytes: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.write_bytes(to, [x, y], from, bytes, kind) }
    }

    /// Copies bytes to an array, at once.
    fn cudaMemcpyToArrayAsync(to: *mut c_void, x: usize, y: usize, from: *const c_void, bytes: usize, kind: c_int, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        // SAFETY: as in C.
        unsafe { runtime.write_bytes(to, [x, y], from, bytes, kind) }
    }

    /// Copies bytes from an array, whose rows follow each other.
    fn cudaMemcpyFromArray(to: *mut c_void, from: *const c_void, x: usize, y: usize, bytes: usize, kind: c_int) |runtime| {
        let (at, rows) = runtime.rows_of(from, [x, y], bytes)?;
        // SAFETY: as in C.
        unsafe { runtime.read_array((to, rows[0]), from, at, rows, kind) }
    }

    /// Copies bytes from an array to another.
    fn cudaMemcpyArrayToArray(to: *mut c_void, to_x: usize, to_y: usize, from: *const c_void, from_x: usize, from_y: usize, bytes: usize, kind: c_int) |runtime| {
        if !matches!(kind, DEVICE_TO_DEVICE | BY_POINTERS) {
            return failure(Status::InvalidMemcpyDirection, "arrays are on the device");
        }
        let mut data = vec![0u8; bytes.min(MEMORY_LIMIT)];
        let (at, rows) = runtime.rows_of(from, [from_x, from_y], bytes)?;
        // SAFETY: as many bytes.
        unsafe {
            runtime.read_array((data.as_mut_ptr().cast(), rows[0]), from, at, rows, BY_POINTERS)?;
            runtime.write_bytes(to, [to_x, to_y], data.as_ptr().cast(), bytes, BY_POINTERS)
        }
    }

    /// Copies rows to an array.
    fn cudaMemcpy2DToArray(to: *mut c_void, x: usize, y: usize, from: *const c_void, pitch: usize, width: usize, height: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.write_array(to, [x, y], (from, pitch), [width, height], kind) }
    }

    /// Copies rows to an array, at once.
    fn cudaMemcpy2DToArrayAsync(to: *mut c_void, x: usize, y: usize, from: *const c_void, pitch: usize, width: usize, height: usize, kind: c_int, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        // SAFETY: as in C.
        unsafe { runtime.write_array(to, [x, y], (from, pitch), [width, height], kind) }
    }

    /// Copies rows from an array.
    fn cudaMemcpy2DFromArray(to: *mut c_void, pitch: usize, from: *const c_void, x: usize, y: usize, width: usize, height: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.read_array((to, pitch), from, [x, y], [width, height], kind) }
    }

    /// A reference reads memory in one dimension.
    fn cudaBindTexture(offset: *mut usize, reference: *const c_void, pointer: *const c_void, desc: *const ChannelDesc, bytes: usize) |runtime| {
        let desc = if desc.is_null() { ChannelDesc::default() } else { host::read(desc, "the channel descriptor")? };
        let source = runtime.linear(pointer, desc, bytes)?;
        if !offset.is_null() {
            // SAFETY: as in C.
            unsafe { give(offset, 0)? };
        }
        runtime.bind(reference, source)
    }

    /// A reference reads memory in two dimensions.
    fn cudaBindTexture2D(offset: *mut usize, reference: *const c_void, pointer: *const c_void, desc: *const ChannelDesc, width: usize, height: usize, pitch: usize) |runtime| {
        let desc = if desc.is_null() { ChannelDesc::default() } else { host::read(desc, "the channel descriptor")? };
        let source = runtime.pitched(pointer, desc, [width, height, pitch])?;
        if !offset.is_null() {
            // SAFETY: as in C.
            unsafe { give(offset, 0)? };
        }
        runtime.bind(reference, source)
    }

    /// A reference reads an array.
    fn cudaBindTextureToArray(reference: *const c_void, array: *const c_void, _desc: *const ChannelDesc) |runtime| {
        runtime.array(array)?;
        runtime.bind(reference, TextureMemory::Array(array as usize))
    }

    /// A reference reads nothing any more.
    fn cudaUnbindTexture(reference: *const c_void) |runtime| {
        runtime.is_texture(reference)?;
        let before = runtime.textures.references.remove(&(reference as usize));
        runtime.release(before)
    }

    /// Where texels begin: at the pointer.
    fn cudaGetTextureAlignmentOffset(offset: *mut usize, reference: *const c_void) |runtime| {
        runtime.is_texture(reference)?;
        if !runtime.textures.references.contains_key(&(reference as usize)) {
            return failure(Status::InvalidTextureBinding, "the texture is not bound");
        }
        // SAFETY: as in C.
        unsafe { give(offset, 0) }
    }

    /// A texture object.
    fn cudaCreateTextureObject(object: *mut u64, resource: *const Resource, texture: *const TextureDesc, view: *const c_void) |runtime| {
        check(object)?;
        let resource = host::read(resource, "the description of the resource")?;
        let texture = host::read(texture, "the description of the texture")?;
        if !view.is_null() {
            return failure(Status::NotSupported, "a resource view");
        }
        if texture.srgb != 0 {
            return failure(Status::NotSupported, "sRGB: the chip gives texels as they are");
        }
        if texture.address.contains(&3) && texture.border != [0.0; 4] {
            return failure(Status::NotSupported, "a border of another colour than zeros");
        }
        let pointer = resource.pointer;
        let source = match resource.kind {
            ARRAY => {
                runtime.array(pointer)?;
                TextureMemory::Array(pointer as usize)
            }
            LINEAR => runtime.linear(pointer, resource.desc, resource.size)?,
            PITCHED => runtime.pitched(pointer, resource.desc, [resource.size, resource.height, resource.pitch])?,
            _ => return failure(Status::NotSupported, "mipmapped arrays"),
        };
        let TextureDesc { normalized, filter, address, .. } = texture;
        let handle = runtime.handle() as u64;
        runtime.textures.objects.insert(handle, (source, Sampling { normalized, filter, address }));
        // SAFETY: as in C.
        unsafe { give(object, handle) }
    }

    /// No texture object any more.
    fn cudaDestroyTextureObject(object: u64) |runtime| {
        match runtime.textures.objects.remove(&object) {
            Some((source, _)) => runtime.release(Some(source)),
            None => failure(Status::InvalidValue, "no such texture object"),
        }
    }
}
