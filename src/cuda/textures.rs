//! Textures: arrays, references and objects, and what the textures of a kernel read.
//!
//! PTX does not tell how a texture is read; the launch does. A kernel whose textures are not what the compiler takes
//! for granted (docs/ptx.md) is compiled again for them, once for each way to read them.

use crate::{
    error::{Failure, Status, failure},
    registry::Name,
    runtime::Runtime,
};
use measure::session::{BoundTexture, Session};
use program::ptx::handles::object_place;
use program::{
    Beyond, Kernel, Slices, Texel, Texture, TextureFormat, TextureFormats, compile_for, from_tiles, in_tiles,
};
use std::collections::HashMap;

/// A channel descriptor of the host.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChannelDesc {
    /// Bits of each channel, and the kind of number.
    pub x: i32,
    /// Of the second.
    pub y: i32,
    /// Of the third.
    pub z: i32,
    /// Of the fourth.
    pub w: i32,
    /// Kind of number.
    pub f: i32,
}

impl ChannelDesc {
    /// Channels, bits of each, and what they mean.
    pub fn texel(self) -> Result<(u32, u32, Texel), Failure> {
        let bits = self.x;
        let channels = match [self.y, self.z, self.w] {
            [0, 0, 0] => 1,
            [y, 0, 0] if y == bits => 2,
            [y, z, w] if [y, z, w] == [bits; 3] => 4,
            _ => 0,
        };
        match (channels, bits, self.f) {
            (1 | 2 | 4, 8 | 16 | 32, SIGNED) => Ok((channels, bits as u32, Texel::Signed)),
            (1 | 2 | 4, 8 | 16 | 32, UNSIGNED | NONE) => Ok((channels, bits as u32, Texel::Unsigned)),
            (1 | 2 | 4, 16 | 32, FLOAT) => Ok((channels, bits as u32, Texel::Float)),
            _ => failure(
                Status::InvalidChannelDescriptor,
                format!(
                    "texels of {self:?}: allowed are 1, 2 or 4 channels of the same kind of 8, 16 or 32 bits, floats of 16 or 32"
                ),
            ),
        }
    }

    /// Bytes of a texel.
    pub fn bytes(self) -> Result<usize, Failure> {
        let (channels, bits, _) = self.texel()?;
        Ok((channels * bits / 8) as usize)
    }
}

/// Kinds of numbers.
const SIGNED: i32 = 0;
const UNSIGNED: i32 = 1;
const FLOAT: i32 = 2;
const NONE: i32 = 3;

/// How a texture is read; a texture reference of the host begins with the same.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampling {
    /// Coordinates from 0 to 1.
    pub normalized: i32,
    /// Nearest texel, or between four.
    pub filter: i32,
    /// Beyond the edge.
    pub address: [i32; 3],
}

impl Sampling {
    /// The same for the compiler.
    fn format(self, dimensions: u32, desc: ChannelDesc) -> Result<TextureFormat, Failure> {
        let (channels, bits, texel) = desc.texel()?;
        let normalized = self.normalized != 0;
        let mut beyond = [Beyond::Clamp; 3];
        for (beyond, mode) in beyond.iter_mut().zip(self.address).take(dimensions as usize) {
            *beyond = match mode {
                // These two are for normalised coordinates alone.
                0 | 2 if !normalized => Beyond::Clamp,
                0 => Beyond::Wrap,
                1 => Beyond::Clamp,
                2 => Beyond::Mirror,
                3 => Beyond::Border,
                other => return failure(Status::InvalidValue, format!("{other} is no address mode of a texture")),
            };
        }
        let linear = match self.filter {
            0 => false,
            1 => true,
            other => return failure(Status::InvalidValue, format!("{other} is no filter mode of a texture")),
        };
        Ok(TextureFormat { dimensions, channels, bits, texel, normalized, linear, beyond })
    }
}

/// The slices of an array are layers.
pub const LAYERED: u32 = 1;
/// Kernels may write an array.
pub const SURFACE: u32 = 2;
/// The slices of an array are the faces of cubes.
pub const CUBEMAP: u32 = 4;
/// Four texels of an array can be gathered.
pub const GATHER: u32 = 8;

/// An array.
pub struct Array {
    /// Its texels.
    pub desc: ChannelDesc,
    /// Texels in a row.
    pub width: usize,
    /// Rows; 0 in one dimension.
    pub height: usize,
    /// Slices, layers or faces; 0 where there are none.
    pub depth: usize,
    /// As [`LAYERED`] and its like.
    pub flags: u32,
    /// A kernel may have written it since `texels` was read.
    pub stale: bool,
    /// As the host has written them, row by row.
    pub texels: Vec<u8>,
    /// The same on the chip; in two dimensions in tiles.
    pub pointer: u64,
}

impl Array {
    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> usize {
        (self.desc.x + self.desc.y + self.desc.z + self.desc.w) as usize / 8
    }

    /// Dimensions and slices, as a kernel has to read them.
    pub fn shape(&self) -> (u32, Slices) {
        let plain = 1 + u32::from(self.height > 0) + u32::from(self.depth > 0);
        match (self.flags & CUBEMAP != 0, self.flags & LAYERED != 0) {
            (true, true) => (3, Slices::Cubes),
            (true, false) => (3, Slices::Cube),
            (false, true) if self.height == 0 => (3, Slices::Rows),
            (false, true) => (3, Slices::Layers),
            (false, false) => (plain, Slices::Plain),
        }
    }

    /// Columns and rows of a slice that is stored in tiles.
    fn tiled(&self) -> Option<[u32; 2]> {
        (self.height > 0 || self.depth > 0).then(|| [self.width as u32, self.height.max(1) as u32])
    }

    /// Brings the texels to the chip.
    pub fn update(&self, session: &mut Session) -> Result<(), Failure> {
        let bytes = match self.tiled() {
            None => self.texels.clone(),
            Some(sides) => in_tiles(&self.texels, sides, self.texel_bytes() as u32),
        };
        session.memory.bytes_mut(self.pointer, bytes.len())?.copy_from_slice(&bytes);
        Ok(())
    }

    /// Brings what kernels may have written from the chip.
    pub fn refresh(&mut self, session: &Session) -> Result<(), Failure> {
        if !std::mem::take(&mut self.stale) {
            return Ok(());
        }
        let sizes = [self.width, self.height.max(1), self.depth.max(1)].map(|size| size as u32);
        let (texel, bytes) = (self.texel_bytes() as u32, self.texels.len());
        self.texels = match self.tiled() {
            None => session.memory.bytes(self.pointer, bytes)?.to_vec(),
            Some(sides) => {
                let stored = program::stored_bytes(sizes, 3, texel) as usize;
                from_tiles(session.memory.bytes(self.pointer, stored)?, sides, texel)
            }
        };
        Ok(())
    }
}

/// What a reference or an object reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextureMemory {
    /// An array, by handle.
    Array(usize),
    /// Memory in one dimension.
    Linear {
        /// Start.
        pointer: u64,
        /// Bytes.
        bytes: usize,
        /// Its texels.
        desc: ChannelDesc,
        /// A copy in whole words, made before each launch, where the memory does not end with one.
        copy: Option<u64>,
    },
    /// Memory in two dimensions, row by row; of it a copy in tiles is made before each launch.
    Pitched {
        /// Start.
        pointer: u64,
        /// Texels in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Bytes from row to row.
        pitch: usize,
        /// Its texels.
        desc: ChannelDesc,
        /// The copy.
        tiled: u64,
    },
}

/// What is bound to what.
#[derive(Default)]
pub struct Textures {
    /// By handle.
    pub arrays: HashMap<usize, Array>,
    /// By the address of the host's reference.
    pub references: HashMap<usize, TextureMemory>,
    /// By handle.
    pub objects: HashMap<u64, (TextureMemory, Sampling)>,
    /// The arrays that surface objects read and write, by handle: the pointer to what a kernel has to know of one.
    pub surfaces: HashMap<u64, usize>,
    /// The surface object in a surface reference, by the address of the host's reference.
    pub surface_references: HashMap<usize, u64>,
    /// Kernels for textures that are read in a certain way: by file, name and formats.
    compiled: HashMap<(usize, String, TextureFormats), Kernel>,
}

impl Textures {
    /// What the kernels were compiled for has changed.
    pub fn forget_compiled(&mut self) {
        self.compiled.clear();
    }

    /// A kernel has run: what surfaces hold may be something else.
    pub fn kernel_has_run(&mut self) {
        for handle in self.surfaces.values() {
            if let Some(array) = self.arrays.get_mut(handle) {
                array.stale = true;
            }
        }
    }
}

impl Runtime {
    /// What the textures of a kernel of file `module` read, and the kernel for it.
    pub fn bound_textures(
        &mut self,
        module: usize,
        kernel: Kernel,
        args: &[Vec<u8>],
    ) -> Result<(Vec<BoundTexture>, Kernel), Failure> {
        let (mut bound, mut formats) = (vec![], TextureFormats::new());
        for texture in &kernel.textures {
            let name = &texture.name;
            let found = match object_place(name) {
                Some((param, offset)) => self.object(&kernel, args, param, offset),
                None => {
                    let (module, name) = self.registry.named(module, name);
                    self.reference(Name { module, name })
                }
            };
            // A texture that the launch does not read need not be bound.
            let Some((source, sampling)) = found.filter(|(source, _)| self.is_there(source)) else { continue };
            let (texels, format) = self.bound(&kernel, texture, (source, sampling))?;
            bound.push(texels);
            if !format.is_plain() {
                formats.insert(name.clone(), format);
            }
        }
        let kernel = if formats.is_empty() { kernel } else { self.specialised(module, kernel, formats)? };
        Ok((bound, kernel))
    }

    /// A kernel for textures that are read in this way.
    fn specialised(&mut self, module: usize, kernel: Kernel, formats: TextureFormats) -> Result<Kernel, Failure> {
        let key = (module, kernel.name.clone(), formats);
        if let Some(kernel) = self.textures.compiled.get(&key) {
            return Ok(kernel.clone());
        }
        let target = self.target()?;
        let Some(source) = &kernel.source else { return Ok(kernel) };
        let compiled = compile_for(&source.text, &source.file, Some(&kernel.name), &target, &key.2);
        let compiled = match compiled {
            // Variables are in memory already.
            Ok(compiled) => Kernel { globals: kernel.globals, ..compiled },
            Err(problem) => {
                let formats: Vec<String> = key.2.iter().map(|(name, format)| format!("{name}: {format:?}")).collect();
                let problem = miette::Report::new(*problem);
                return failure(
                    Status::InvalidTextureBinding,
                    format!(
                        "kernel `{}` cannot be compiled for its textures, {}:\n{problem:?}",
                        kernel.name,
                        formats.join(", ")
                    ),
                );
            }
        };
        self.textures.compiled.insert(key, compiled.clone());
        Ok(compiled)
    }

    /// The texture object in an argument, if it is one.
    fn object(
        &self,
        kernel: &Kernel,
        args: &[Vec<u8>],
        param: &str,
        offset: usize,
    ) -> Option<(TextureMemory, Sampling)> {
        let arg = kernel.params.iter().position(|p| p.name == param).and_then(|i| args[i].get(offset..offset + 8));
        let handle = arg.map_or(0, |bytes| bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte)));
        self.textures.objects.get(&handle).copied()
    }

    /// What is bound to the texture reference of this name, if anything is.
    fn reference(&self, name: Name) -> Option<(TextureMemory, Sampling)> {
        let host = self.registry.textures.iter().find(|(_, known)| **known == name).map(|(&host, _)| host)?;
        let source = *self.textures.references.get(&host)?;
        // SAFETY: the program has registered a texture reference of its own there.
        Some((source, unsafe { *(host as *const Sampling) }))
    }

    /// What a texture reads has not been freed.
    fn is_there(&self, source: &TextureMemory) -> bool {
        let memory = self.session_so_far().map(|session| &session.memory);
        match *source {
            TextureMemory::Array(handle) => self.textures.arrays.contains_key(&handle),
            TextureMemory::Linear { pointer, bytes, .. } => {
                memory.is_some_and(|memory| memory.bytes(pointer, bytes).is_ok())
            }
            TextureMemory::Pitched { pointer, .. } => memory.is_some_and(|memory| memory.bytes(pointer, 1).is_ok()),
        }
    }

    fn bound(
        &mut self,
        kernel: &Kernel,
        texture: &Texture,
        (source, sampling): (TextureMemory, Sampling),
    ) -> Result<(BoundTexture, TextureFormat), Failure> {
        let Texture { name, dimensions, slices, .. } = texture;
        let (desc, [width, height, depth], has) = match source {
            TextureMemory::Array(handle) => {
                let Some(array) = self.textures.arrays.get(&handle) else {
                    return failure(
                        Status::InvalidResourceHandle,
                        format!("the array of texture `{name}` has been freed"),
                    );
                };
                let sizes = [array.width, array.height, array.depth];
                (array.desc, sizes, array.shape())
            }
            TextureMemory::Linear { bytes, desc, .. } => (desc, [bytes / desc.bytes()?, 0, 0], (1, Slices::Plain)),
            TextureMemory::Pitched { width, height, desc, .. } => (desc, [width, height, 0], (2, Slices::Plain)),
        };
        if has != (*dimensions, *slices) {
            return failure(
                Status::InvalidTexture,
                format!(
                    "kernel `{}` reads texture `{name}` in {}; it has {}",
                    kernel.name,
                    shape_text((*dimensions, *slices)),
                    shape_text(has)
                ),
            );
        }
        if width == 0 {
            return failure(Status::InvalidTexture, format!("texture `{name}` has no texels"));
        }
        // Memory in one dimension is read by whole numbers, as it is.
        let sampling = match source {
            TextureMemory::Linear { .. } => Sampling { address: [1; 3], ..Sampling::default() },
            _ => sampling,
        };
        let format = sampling.format(*dimensions, desc)?;
        let pointer = match source {
            TextureMemory::Array(handle) => self.textures.arrays.get(&handle).map_or(0, |array| array.pointer),
            TextureMemory::Linear { pointer, copy: None, .. } => pointer,
            TextureMemory::Linear { pointer, bytes, copy: Some(copy), .. } => {
                let memory = &mut self.session()?.memory;
                let texels = memory.bytes(pointer, bytes)?.to_vec();
                memory.bytes_mut(copy, bytes)?.copy_from_slice(&texels);
                copy
            }
            TextureMemory::Pitched { pointer, width, height, pitch, tiled, .. } => {
                let texel = format.texel_bytes();
                let memory = &mut self.session()?.memory;
                let mut texels = vec![];
                for row in 0..height {
                    texels.extend_from_slice(memory.bytes(pointer + (row * pitch) as u64, texel as usize * width)?);
                }
                let tiles = in_tiles(&texels, [width as u32, height as u32], texel);
                memory.bytes_mut(tiled, tiles.len())?.copy_from_slice(&tiles);
                tiled
            }
        };
        let [width, height, depth] = [width, height.max(1), depth.max(1)].map(|size| size as u32);
        Ok((BoundTexture { name: name.clone(), pointer, width, height, depth, channels: format.channels }, format))
    }
}

/// Dimensions and slices in words.
fn shape_text((dimensions, slices): (u32, Slices)) -> String {
    match slices {
        Slices::Plain if dimensions == 1 => "1 dimension".into(),
        Slices::Plain => format!("{dimensions} dimensions"),
        Slices::Rows => "layers of 1 dimension".into(),
        Slices::Layers => "layers of 2 dimensions".into(),
        Slices::Cube => "the faces of a cube".into(),
        Slices::Cubes => "layers of cubes".into(),
    }
}
