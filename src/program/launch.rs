//! A launch: a compiled kernel, its grid, its data, and how to check what it did.
//!
//! Made from the kernels that come with the project ([`super::kernels`]) or from a user's launch file
//! ([`super::launch_file`]); run by the chip's driver or by the emulator.

use super::compile::{Constant, EXCHANGE_BYTES, Kernel, Param, TRAP_ADDRESSES, Texture, Trap};
use super::ptx::types::ScalarType;
use crate::emulator::memory_pool;
use std::ops::Range;
use thiserror::Error;

/// Buffers start at multiples of this: one interleave chunk of the memory controllers.
const BUFFER_ALIGN: usize = 256;
/// What a warp has in memory of its registers starts at multiples of this: a line of all threads.
const SPILL_ALIGN: usize = 128;
/// Nothing is at address 0 up to here, so that a null pointer points to no buffer.
pub(super) const FIRST_BUFFER: usize = 256;
/// Bytes of global memory that a launch may use.
pub const MEMORY_LIMIT: usize = 1 << 30;
/// Blocks of a grid: more than any simulation gets through, and their threads can still be counted in 64 bits.
const MAX_BLOCKS: u64 = 1 << 40;
/// Threads of a block.
pub const BLOCK_THREADS: u32 = 1024;
/// Most blocks of a grid in x, as of compute capability 3.0 on.
pub const GRID_X: u32 = i32::MAX as u32;

/// Global memory that a kernel gets.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// For messages.
    pub name: String,
    /// Contents at the start.
    pub data: Vec<u8>,
}

impl Buffer {
    /// A buffer of 32-bit words.
    pub fn words(name: &str, words: impl IntoIterator<Item = u32>) -> Self {
        Self { name: name.into(), data: words.into_iter().flat_map(u32::to_le_bytes).collect() }
    }

    /// A buffer of floats.
    pub fn floats(name: &str, values: &[f32]) -> Self {
        Self::words(name, values.iter().map(|v| v.to_bits()))
    }
}

/// A kernel argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// The address of a buffer, by index.
    Buffer(usize),
    /// A 32-bit integer or anything else with 32 bits.
    Word(u32),
    /// A 64-bit integer.
    Long(u64),
    /// A float.
    Float(f32),
    /// What a buffer holds at the start, by value: a structure.
    Value(usize),
}

/// How close a result has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// The same bytes.
    Exact,
    /// Floats `x` with `|x - expected| <= absolute + relative |expected|`.
    Float {
        /// Absolute part.
        absolute: f32,
        /// Relative part.
        relative: f32,
    },
}

/// What a buffer has to hold at the end.
#[derive(Clone, Debug)]
pub struct Check {
    /// Index of the buffer.
    pub buffer: usize,
    /// Expected contents, from the start of the buffer.
    pub expected: Vec<u8>,
    /// How close.
    pub tolerance: Tolerance,
}

/// A kernel with everything that it needs to run.
#[derive(Clone, Debug)]
pub struct Launch {
    /// For reports.
    pub name: String,
    /// What runs.
    pub kernel: Kernel,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Global memory.
    pub buffers: Vec<Buffer>,
    /// One for each kernel parameter.
    pub args: Vec<Argument>,
    /// What to verify at the end; nothing: the run cannot be verified.
    pub checks: Vec<Check>,
    /// Of one of several launches on the same memory: where everything is.
    pub placement: Option<Placement>,
}

/// Where the buffers of a launch are, whose addresses others know: they may be in buffers themselves, or in arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The address of each buffer. They ascend, are multiples of 256 behind all constants, and the buffers do not overlap.
    pub addresses: Vec<u32>,
    /// The arguments as bytes, one for each parameter of the kernel and as long; [`Launch::args`] is empty.
    pub args: Vec<Vec<u8>>,
    /// Textures may be unbound: a read of one is a read through a null pointer.
    pub unbound_textures: bool,
    /// The high word of pointers, which the chip does without: a single bit, or none. 0 is one, too.
    pub window: u32,
}

/// A launch that cannot be.
#[derive(Debug, Error, PartialEq)]
pub enum LaunchError {
    /// Wrong number of arguments.
    #[error("kernel `{kernel}` takes {wanted} arguments ({params}), the launch gives {given}")]
    ArgumentCount {
        /// Kernel name.
        kernel: String,
        /// Number of parameters.
        wanted: usize,
        /// Their types.
        params: String,
        /// Number of arguments.
        given: usize,
    },
    /// An argument that does not fit its parameter.
    #[error("argument {index} of kernel `{kernel}`: {given} does not fit parameter `{param}` of type .{ty}")]
    ArgumentType {
        /// Kernel name.
        kernel: String,
        /// From 0.
        index: usize,
        /// What the launch gives.
        given: &'static str,
        /// Parameter name.
        param: String,
        /// PTX type.
        ty: ScalarType,
    },
    /// A number that its parameter has too few bits for.
    #[error(
        "argument {index} of kernel `{kernel}`: {given} does not fit parameter `{param}` of type .{ty}: {low} to {high}"
    )]
    ArgumentRange {
        /// Kernel name.
        kernel: String,
        /// From 0.
        index: usize,
        /// The number.
        given: i64,
        /// Parameter name.
        param: String,
        /// PTX type.
        ty: ScalarType,
        /// Least number that fits.
        low: i64,
        /// Greatest.
        high: i64,
    },
    /// Grid or block out of range.
    #[error("invalid {what} {given:?}: allowed: {allowed}")]
    Shape {
        /// "grid" or "block".
        what: &'static str,
        /// As given.
        given: [u32; 3],
        /// What is.
        allowed: &'static str,
    },
    /// Too much memory.
    #[error(
        "buffers, variables and local memory need {bytes} bytes, more than the {MEMORY_LIMIT} that a launch may use"
    )]
    Memory {
        /// Bytes wanted.
        bytes: usize,
    },
    /// A texture that reads no buffer, or one that is too small.
    #[error("texture `{name}` of kernel `{kernel}`: {problem}")]
    Texture {
        /// Kernel name.
        kernel: String,
        /// Name of the texture.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A check that names no buffer, or expects more than it holds.
    #[error("the check of buffer {buffer} expects {expected} bytes, but there are {available}")]
    Check {
        /// Index.
        buffer: usize,
        /// Expected bytes.
        expected: usize,
        /// Bytes of the buffer; 0 if it does not exist.
        available: usize,
    },
}

/// The first difference from what was expected.
#[derive(Debug, Error, Clone, PartialEq)]
#[error(
    "buffer `{buffer}`, element {element}: found {found}, expected {expected} ({wrong} of {count} elements are wrong)"
)]
pub struct Mismatch {
    /// Buffer name.
    pub buffer: String,
    /// Index of the first wrong element: of 4 bytes, or of 1 when the size is no multiple of 4.
    pub element: usize,
    /// As text.
    pub found: String,
    /// As text.
    pub expected: String,
    /// Wrong elements.
    pub wrong: usize,
    /// All elements.
    pub count: usize,
}

impl Launch {
    /// Checks that everything fits together. The other functions rely on it.
    pub fn validate(&self) -> Result<(), LaunchError> {
        let [gx, gy, gz] = self.grid;
        let shape = |what, given, allowed| Err(LaunchError::Shape { what, given, allowed });
        let blocks: u64 = self.grid.iter().fold(1, |product, &n| product.saturating_mul(n.into()));
        let sides =
            (1..=u64::from(GRID_X)).contains(&u64::from(gx)) && (1..=65535).contains(&gy) && (1..=65535).contains(&gz);
        if !sides || blocks > MAX_BLOCKS {
            return shape(
                "grid",
                self.grid,
                "x from 1 to 2^31 - 1, y and z from 1 to 65535, together up to 2^40 blocks",
            );
        }
        let [bx, by, bz] = self.block.map(u64::from);
        let threads = bx.saturating_mul(by).saturating_mul(bz);
        if !(1..=u64::from(BLOCK_THREADS)).contains(&threads) || bz > 64 {
            return shape("block", self.block, "1 to 1024 threads together, z up to 64");
        }
        let (bytes, kernel) = (self.memory_bytes(), &self.kernel);
        if bytes > MEMORY_LIMIT {
            return Err(LaunchError::Memory { bytes });
        }
        if let Some(placement) = &self.placement {
            self.validate_placement(placement)?;
        } else if self.args.len() != kernel.params.len() {
            let types: Vec<String> = kernel.params.iter().map(|p| format!(".{}", p.ty)).collect();
            return Err(LaunchError::ArgumentCount {
                kernel: kernel.name.clone(),
                wanted: kernel.params.len(),
                params: types.join(", "),
                given: self.args.len(),
            });
        }
        for (index, (arg, param)) in self.args.iter().zip(&kernel.params).enumerate() {
            let ok = match arg {
                // It is filled from the value of a buffer alone.
                Argument::Buffer(_) | Argument::Word(_) | Argument::Long(_) | Argument::Float(_)
                    if param.constant.is_some() =>
                {
                    false
                }
                Argument::Buffer(b) => {
                    let address = param.size == 8 || param.size == 4 && kernel.address_bits != 64;
                    *b < self.buffers.len() && address && !param.ty.is_float()
                }
                Argument::Word(_) => param.size <= 8 && !param.ty.is_float(),
                Argument::Long(_) => param.size == 8,
                Argument::Value(b) => self.buffers.get(*b).is_some_and(|b| b.data.len() == param.size as usize),
                Argument::Float(_) => param.size == 4 && matches!(param.ty, ScalarType::F32 | ScalarType::B32),
            };
            if !ok {
                let given = match arg {
                    Argument::Buffer(_) => "a buffer",
                    Argument::Word(_) => "a 32-bit integer",
                    Argument::Long(_) => "a 64-bit integer",
                    Argument::Float(_) => "a float",
                    Argument::Value(_) => "the value of a buffer of another size",
                };
                let (param, ty) = (param.name.clone(), param.ty);
                return Err(LaunchError::ArgumentType { kernel: kernel.name.clone(), index, given, param, ty });
            }
            // Whether 32 bits are meant as a signed number, they do not say.
            if let Argument::Word(word) = *arg
                && ![i64::from(word), i64::from(word as i32)].iter().any(|value| param.range().contains(value))
            {
                return Err(self.out_of_range(index, word.into()));
            }
        }
        self.validate_textures()?;
        for check in &self.checks {
            let available = self.buffers.get(check.buffer).map_or(0, |b| b.data.len());
            if check.expected.len() > available {
                let (buffer, expected) = (check.buffer, check.expected.len());
                return Err(LaunchError::Check { buffer, expected, available });
            }
        }
        Ok(())
    }

    /// There are as many arguments as parameters, each as long, and buffers are apart.
    fn validate_placement(&self, placement: &Placement) -> Result<(), LaunchError> {
        let kernel = &self.kernel;
        let sizes = placement.args.iter().map(Vec::len);
        if !sizes.eq(kernel.params.iter().map(|param| param.size as usize)) {
            let types: Vec<String> = kernel.params.iter().map(|p| format!(".{}", p.ty)).collect();
            return Err(LaunchError::ArgumentCount {
                kernel: kernel.name.clone(),
                wanted: kernel.params.len(),
                params: types.join(", "),
                given: placement.args.len(),
            });
        }
        let mut end = self.first_buffer() as u64;
        for (buffer, &address) in self.buffers.iter().zip(&placement.addresses) {
            assert!(u64::from(address) >= end, "buffers ascend and do not overlap");
            end = u64::from(address) + buffer.data.len() as u64;
        }
        assert_eq!(self.buffers.len(), placement.addresses.len(), "every buffer has an address");
        Ok(())
    }

    /// Every texture reads a buffer that is large enough.
    fn validate_textures(&self) -> Result<(), LaunchError> {
        for texture in &self.kernel.textures {
            let (kernel, name) = (self.kernel.name.clone(), texture.name.clone());
            let refuse = |problem: String| Err(LaunchError::Texture { kernel, name, problem });
            let Some(bound) = texture.bound else {
                if self.placement.as_ref().is_some_and(|placement| placement.unbound_textures) {
                    continue;
                }
                return refuse("the launch binds no buffer to it".into());
            };
            let Some(buffer) = self.buffers.get(bound.buffer) else {
                return refuse(format!("there is no buffer {}", bound.buffer));
            };
            let sizes = [bound.width, bound.height, bound.depth];
            let beyond = sizes.get(texture.dimensions as usize..).unwrap_or_default();
            if sizes.contains(&0)
                || beyond.iter().any(|size| *size != 1)
                || bound.height > 1 << 16
                || bound.depth > 1 << 16
            {
                return refuse(format!(
                    "{} x {} x {} texels; the kernel reads it in {}, or there are none",
                    bound.width,
                    bound.height,
                    bound.depth,
                    ["one dimension", "two dimensions", "three dimensions"][texture.dimensions as usize - 1]
                ));
            }
            let channels_wanted = match texture.format {
                Some(format) => bound.channels == format.channels,
                None => [1, 2, 4].contains(&bound.channels) && (texture.dimensions == 1 || bound.channels == 1),
            };
            if !channels_wanted {
                return refuse(format!("{} channels: there are 1, 2 or 4, in two dimensions 1", bound.channels));
            }
            let (needs, has) = (bound.bytes(texture), buffer.data.len() as u64);
            if needs > has {
                return refuse(format!(
                    "{} x {} texels need {needs} bytes, buffer `{}` has {has}",
                    bound.width, bound.height, buffer.name
                ));
            }
        }
        Ok(())
    }

    /// Argument `index` does not take `given`.
    fn out_of_range(&self, index: usize, given: i64) -> LaunchError {
        let param = &self.kernel.params[index];
        let (low, high) = param.range().into_inner();
        let (kernel, param, ty) = (self.kernel.name.clone(), param.name.clone(), param.ty);
        LaunchError::ArgumentRange { kernel, index, given, param, ty, low, high }
    }

    /// What the high word of a pointer may be beside 0.
    pub(super) fn window(&self) -> u32 {
        self.placement.as_ref().map_or(0, |placement| placement.window)
    }

    /// Threads of a block.
    pub fn block_threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Where buffers start in global memory: behind constants and variables.
    fn first_buffer(&self) -> usize {
        let variables = self.kernel.constants.last().into_iter().chain(self.kernel.globals.last());
        let end = variables.map(|last| last.end() as usize).max().unwrap_or(0);
        end.next_multiple_of(BUFFER_ALIGN).max(FIRST_BUFFER)
    }

    /// Address of each buffer in global memory.
    pub fn buffer_addresses(&self) -> Vec<u32> {
        let mut addresses = self.addresses();
        addresses.truncate(self.buffers.len());
        addresses
    }

    /// The same, and behind them that of local memory.
    pub(super) fn addresses(&self) -> Vec<u32> {
        if let Some(placement) = &self.placement {
            let mut addresses = placement.addresses.clone();
            addresses.push(self.buffers_end() as u32);
            return addresses;
        }
        let mut at = self.first_buffer();
        let address = |b: &Buffer| {
            let here = at;
            at += b.data.len().max(1).next_multiple_of(BUFFER_ALIGN);
            here as u32
        };
        let mut addresses: Vec<u32> = self.buffers.iter().map(address).collect();
        addresses.push(at as u32);
        addresses
    }

    /// Shared memory of a thread block in bytes, with that by which its warps exchange values.
    pub fn shared_bytes(&self) -> u32 {
        let own = self.kernel.shared_bytes;
        let warps = self.block_threads().div_ceil(32);
        self.kernel.exchange.map_or(own, |_| own.next_multiple_of(EXCHANGE_BYTES) + warps * EXCHANGE_BYTES)
    }

    /// Bytes of local memory, of all threads.
    pub(super) fn local_bytes(&self) -> usize {
        let Some(local) = self.kernel.local else { return 0 };
        let dims = self.grid.iter().chain(&self.block);
        dims.fold(local.bytes as usize, |bytes, &n| bytes.saturating_mul(n as usize))
    }

    /// Bytes behind local memory for registers that cores have not, of all warps.
    fn spill_bytes(&self) -> usize {
        let Some(spill) = self.kernel.spill else { return 0 };
        let of_block = (spill.bytes * self.block_threads().next_multiple_of(32)) as usize;
        self.grid.iter().fold(of_block, |bytes, &n| bytes.saturating_mul(n as usize))
    }

    /// Where these begin, if local memory is at `local`.
    fn spill_address(&self, local: u32) -> u32 {
        (local as usize + self.local_bytes()).next_multiple_of(SPILL_ALIGN) as u32
    }

    /// Bytes of local memory and of what is behind it.
    pub(super) fn private_bytes(&self) -> usize {
        match self.spill_bytes() {
            0 => self.local_bytes(),
            bytes => self
                .local_bytes()
                .checked_next_multiple_of(SPILL_ALIGN)
                .map_or(usize::MAX, |at| at.saturating_add(bytes)),
        }
    }

    /// Bytes of global memory from address 0 to the end of the last buffer and of local memory, rounded up to a buffer boundary.
    pub fn memory_bytes(&self) -> usize {
        self.buffers_end()
            .saturating_add(self.private_bytes())
            .checked_next_multiple_of(BUFFER_ALIGN)
            .unwrap_or(usize::MAX)
    }

    /// Behind the last buffer.
    fn buffers_end(&self) -> usize {
        let rounded = |b: &Buffer| b.data.len().max(1).next_multiple_of(BUFFER_ALIGN);
        match self.placement.as_ref().map(|placement| self.buffers.last().zip(placement.addresses.last())) {
            Some(Some((buffer, &address))) => address as usize + rounded(buffer),
            Some(None) => self.first_buffer(),
            None => self.first_buffer() + self.buffers.iter().map(rounded).sum::<usize>(),
        }
    }

    /// Where the program lies on a chip that fetches it from global memory: behind all else.
    pub fn program_address(&self) -> u32 {
        self.memory_bytes() as u32
    }

    /// Global memory at the start, from address 0.
    pub fn memory_image(&self) -> Vec<u8> {
        let bytes = self.memory_bytes();
        let mut image = memory_pool::with_room(bytes);
        // They ascend: each is written once, and so is what is between them.
        for (buffer, address) in self.buffers.iter().zip(self.buffer_addresses()) {
            image.resize(address as usize, 0);
            image.extend_from_slice(&buffer.data);
        }
        image.resize(bytes, 0);
        for (address, data) in self.initial_values() {
            image[address as usize..][..data.len()].copy_from_slice(data);
        }
        image
    }

    /// What constants and variables hold at the start, with their addresses.
    pub(super) fn initial_values(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let globals = self.kernel.globals.iter().map(|global| (global.address, &global.data[..]));
        self.constant_values().chain(globals)
    }

    /// What is in constant memory, with addresses: parameters may be among it.
    pub fn constant_values(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let value = |constant: &Constant| {
            let param = self.kernel.params.iter().position(|param| param.constant == Some(constant.address));
            param.and_then(|index| self.structure(index))
        };
        self.kernel.constants.iter().map(move |constant| (constant.address, value(constant).unwrap_or(&constant.data)))
    }

    /// A structure by value that the launch gives for a parameter.
    fn structure(&self, index: usize) -> Option<&[u8]> {
        match (&self.placement, self.args.get(index)) {
            (Some(placement), _) => placement.args.get(index).map(Vec::as_slice),
            (None, Some(Argument::Value(buffer))) => Some(&self.buffers.get(*buffer)?.data),
            _ => None,
        }
    }

    /// The parameter block, as 32-bit words from address 0.
    pub fn param_words(&self) -> Vec<u32> {
        self.param_words_with(&self.addresses())
    }

    /// The same for buffers and local memory at other addresses.
    pub(super) fn param_words_with(&self, addresses: &[u32]) -> Vec<u32> {
        let mut bytes = vec![0u8; self.kernel.param_bytes().next_multiple_of(4) as usize];
        let given = self.placement.iter().flat_map(|placement| &placement.args);
        let in_block = |param: &Param| param.constant.is_none();
        for (arg, param) in given.zip(&self.kernel.params).filter(|(_, param)| in_block(param)) {
            bytes[param.offset as usize..][..arg.len()].copy_from_slice(arg);
        }
        for (arg, param) in self.args.iter().zip(&self.kernel.params).filter(|(_, param)| in_block(param)) {
            let value = match *arg {
                Argument::Value(b) => {
                    let place = &mut bytes[param.offset as usize..][..param.size as usize];
                    place.copy_from_slice(&self.buffers[b].data);
                    continue;
                }
                Argument::Buffer(b) => u64::from(addresses[b]),
                // Sign-extended, so that -1 is -1 in 64 bits, too.
                Argument::Word(word) => i64::from(word as i32) as u64,
                Argument::Long(long) => long,
                Argument::Float(float) => u64::from(float.to_bits()),
            };
            let size = param.size.min(8) as usize;
            bytes[param.offset as usize..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        for texture in &self.kernel.textures {
            // One that is not bound has a texel where nothing is.
            let none = crate::TextureBinding { buffer: 0, offset: 0, width: 1, height: 1, depth: 1, channels: 1 };
            let words =
                texture.bound.map_or(none.words(0, texture), |bound| bound.words(addresses[bound.buffer], texture));
            let place = &mut bytes[texture.offset as usize..][..Texture::PARAM_BYTES as usize];
            place.copy_from_slice(&words.map(u32::to_le_bytes).concat());
        }
        if let (Some(local), Some(address)) = (self.kernel.local, addresses.get(self.buffers.len())) {
            bytes[local.offset as usize..][..4].copy_from_slice(&address.to_le_bytes());
        }
        if let (Some(spill), Some(&address)) = (self.kernel.spill, addresses.get(self.buffers.len())) {
            bytes[spill.offset as usize..][..4].copy_from_slice(&self.spill_address(address).to_le_bytes());
        }
        if let Some(exchange) = self.kernel.exchange {
            let start = self.kernel.shared_bytes.next_multiple_of(EXCHANGE_BYTES);
            bytes[exchange.offset as usize..][..4].copy_from_slice(&start.to_le_bytes());
        }
        bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
    }

    /// The parts of global memory that the kernel may write, ascending: variables of the file, buffers, local memory.
    pub fn writable(&self) -> Vec<Range<u64>> {
        let range = |start: u32, bytes: usize| u64::from(start)..u64::from(start) + bytes as u64;
        let addresses = self.addresses();
        let globals = self.kernel.globals.iter().map(|global| range(global.address, global.data.len()));
        let buffers = self.buffers.iter().zip(&addresses).map(|(buffer, &start)| range(start, buffer.data.len()));
        let local = addresses.last().map(|&start| range(start, self.private_bytes()));
        globals.chain(buffers).chain(local).filter(|range| !range.is_empty()).collect()
    }

    /// The PTX line at which a thread has trapped, if any has, and why; `read` gives bytes at an address.
    pub fn trapped(&self, mut read: impl FnMut(u32, usize) -> Vec<u8>) -> Option<(u32, Trap)> {
        TRAP_ADDRESSES.iter().find_map(|&address| {
            // Another value is that of a stray store: those are the business of memory checks.
            let line = word(&read(address, 4))?;
            Some((line, self.kernel.trap_at(line, address.into())?))
        })
    }

    /// Compares global memory at the end with what is expected; `read` gives bytes at an address.
    pub fn verify(&self, mut read: impl FnMut(u32, usize) -> Vec<u8>) -> Result<(), Mismatch> {
        let addresses = self.buffer_addresses();
        for check in &self.checks {
            let found = read(addresses[check.buffer], check.expected.len());
            compare(&self.buffers[check.buffer].name, check, &found)?;
        }
        Ok(())
    }
}

fn word(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn same(found: &[u8], expected: &[u8], tolerance: Tolerance) -> bool {
    let Tolerance::Float { absolute, relative } = tolerance else { return found == expected };
    let (Some(found), Some(expected)) = (word(found), word(expected)) else { return false };
    let (found, expected) = (f32::from_bits(found), f32::from_bits(expected));
    if found == expected || found.is_nan() && expected.is_nan() {
        return true;
    }
    expected.is_finite() && (found - expected).abs() <= absolute + relative * expected.abs()
}

fn show(bytes: &[u8], tolerance: Tolerance) -> String {
    match (tolerance, word(bytes)) {
        (Tolerance::Float { .. }, Some(word)) => format!("{:?}", f32::from_bits(word)),
        (_, Some(word)) => format!("{word:#010x}"),
        (_, None) => bytes.iter().map(|b| format!("{b:#04x}")).collect::<Vec<_>>().join(" "),
    }
}

fn compare(name: &str, check: &Check, found: &[u8]) -> Result<(), Mismatch> {
    let words = check.expected.len().is_multiple_of(4) || check.tolerance != Tolerance::Exact;
    let size = if words { 4 } else { 1 };
    let expected: Vec<&[u8]> = check.expected.chunks(size).collect();
    let found: Vec<&[u8]> = found.chunks(size).collect();
    let at = |i: usize| found.get(i).copied().unwrap_or(&[]);
    let wrong: Vec<usize> = (0..expected.len()).filter(|&i| !same(at(i), expected[i], check.tolerance)).collect();
    let Some(&element) = wrong.first() else { return Ok(()) };
    Err(Mismatch {
        buffer: name.into(),
        element,
        found: show(at(element), check.tolerance),
        expected: show(expected[element], check.tolerance),
        wrong: wrong.len(),
        count: expected.len(),
    })
}
