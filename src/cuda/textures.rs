//! Textures: arrays, references and objects, and what the textures of a kernel read.
//!
//! The chip has texels of one, two or four channels of 32 bits in one dimension and of one channel in two, takes the nearest one and stops at
//! the edge (docs/ptx.md). Whoever asks for more is told so when it is bound, or when a kernel is launched that reads it.

use crate::{
    error::{Failure, Status, failure},
    ptx::object_place,
    registry::Name,
    runtime::Runtime,
};
use measure::session::{BoundTexture, Session};
use program::{Kernel, in_tiles};
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
    /// How many channels of 32 bits.
    pub fn channels(self) -> Result<u32, Failure> {
        match [self.x, self.y, self.z, self.w] {
            [32, 0, 0, 0] => Ok(1),
            [32, 32, 0, 0] => Ok(2),
            [32, 32, 32, 32] => Ok(4),
            other => failure(
                Status::NotSupported,
                format!("texels with channels of {other:?} bits; the chip has 1, 2 or 4 channels of 32 bits"),
            ),
        }
    }
}

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

/// Address mode in which what lies beyond the edge is 0.
const BORDER: i32 = 3;

impl Sampling {
    fn check(self) -> Result<(), Failure> {
        let refuse = |what: &str| {
            failure(
                Status::NotSupported,
                format!("{what}: the chip takes the nearest texel at whole coordinates, and at an edge the last one"),
            )
        };
        match self {
            Self { normalized, .. } if normalized != 0 => refuse("normalized coordinates"),
            Self { filter, .. } if filter != 0 => refuse("cudaFilterModeLinear"),
            Self { address, .. } if address[0] == BORDER => refuse("cudaAddressModeBorder"),
            _ => Ok(()),
        }
    }
}

/// An array.
pub struct Array {
    /// Its texels.
    pub desc: ChannelDesc,
    /// Texels in a row.
    pub width: usize,
    /// Rows; 0 in one dimension.
    pub height: usize,
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

    /// Brings the texels to the chip.
    pub fn update(&self, session: &mut Session) -> Result<(), Failure> {
        let bytes = match self.height {
            0 => self.texels.clone(),
            height => in_tiles(&self.texels, self.width as u32, height as u32),
        };
        session.memory.bytes_mut(self.pointer, bytes.len())?.copy_from_slice(&bytes);
        Ok(())
    }
}

/// What a reference or an object reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
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
    pub references: HashMap<usize, Source>,
    /// By handle.
    pub objects: HashMap<u64, (Source, Sampling)>,
}

impl Runtime {
    /// What the textures of a kernel of file `module` read.
    pub fn bound_textures(
        &mut self,
        module: usize,
        kernel: &Kernel,
        args: &[Vec<u8>],
    ) -> Result<Vec<BoundTexture>, Failure> {
        let mut bound = vec![];
        for texture in &kernel.textures {
            let name = &texture.name;
            let (source, sampling) = match object_place(name) {
                Some((param, offset)) => self.object(kernel, args, param, offset)?,
                None => {
                    let (module, name) = self.registry.named(module, name);
                    self.reference(Name { module, name })?
                }
            };
            sampling.check()?;
            bound.push(self.bound(kernel, name, texture.is_2d, source)?);
        }
        Ok(bound)
    }

    /// The texture object in an argument.
    fn object(
        &self,
        kernel: &Kernel,
        args: &[Vec<u8>],
        param: &str,
        offset: usize,
    ) -> Result<(Source, Sampling), Failure> {
        let arg = kernel.params.iter().position(|p| p.name == param).and_then(|i| args[i].get(offset..offset + 8));
        let handle = arg.map_or(0, |bytes| bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte)));
        match self.textures.objects.get(&handle) {
            Some(&object) => Ok(object),
            None => failure(
                Status::InvalidTexture,
                format!("kernel `{}`: {handle:#x} in `{param}` is no texture object", kernel.name),
            ),
        }
    }

    /// What is bound to the texture reference of this name.
    fn reference(&self, name: Name) -> Result<(Source, Sampling), Failure> {
        let host = self.registry.textures.iter().find(|(_, known)| **known == name).map(|(&host, _)| host);
        let source = host.and_then(|host| Some((host, *self.textures.references.get(&host)?)));
        match source {
            // SAFETY: the program has registered a texture reference of its own there.
            Some((host, source)) => Ok((source, unsafe { *(host as *const Sampling) })),
            None => failure(Status::InvalidTextureBinding, format!("texture `{}` is not bound", name.name)),
        }
    }

    fn bound(&mut self, kernel: &Kernel, name: &str, is_2d: bool, source: Source) -> Result<BoundTexture, Failure> {
        let dimensions = |has: &str| {
            let wants = if is_2d { "two dimensions" } else { "one" };
            failure(
                Status::InvalidTexture,
                format!("kernel `{}` reads texture `{name}` in {wants}, it has {has}", kernel.name),
            )
        };
        let name = name.to_string();
        match source {
            Source::Array(handle) => {
                let Some(array) = self.textures.arrays.get(&handle) else {
                    return failure(
                        Status::InvalidResourceHandle,
                        format!("the array of texture `{name}` has been freed"),
                    );
                };
                if is_2d != (array.height > 0) {
                    return dimensions(if is_2d { "one" } else { "two" });
                }
                let (width, height, channels) =
                    (array.width as u32, array.height.max(1) as u32, array.desc.channels()?);
                if is_2d && channels != 1 {
                    return failure(
                        Status::NotSupported,
                        format!("texture `{name}`: {channels} channels in two dimensions; the chip has one"),
                    );
                }
                Ok(BoundTexture { name, pointer: array.pointer, width, height, channels })
            }
            Source::Linear { .. } if is_2d => dimensions("one"),
            Source::Linear { pointer, bytes, desc } => {
                let channels = desc.channels()?;
                let width = bytes as u32 / (4 * channels);
                Ok(BoundTexture { name, pointer, width, height: 1, channels })
            }
            Source::Pitched { .. } if !is_2d => dimensions("two"),
            Source::Pitched { pointer, width, height, pitch, tiled } => {
                let memory = &mut self.session()?.memory;
                let mut texels = vec![];
                for row in 0..height {
                    texels.extend_from_slice(memory.bytes(pointer + (row * pitch) as u64, 4 * width)?);
                }
                let tiles = in_tiles(&texels, width as u32, height as u32);
                memory.bytes_mut(tiled, tiles.len())?.copy_from_slice(&tiles);
                Ok(BoundTexture { name, pointer: tiled, width: width as u32, height: height as u32, channels: 1 })
            }
        }
    }
}
