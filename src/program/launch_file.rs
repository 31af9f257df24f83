//! Launch files: TOML in which a user says how to run a kernel of their own.
//!
//! ```toml
//! ptx = "scale.ptx"              # in the folder of the launch file
//! entry = "scale"                # may be left out when the PTX file has one kernel
//! grid = [8, 1, 1]               # or a number: x alone
//! block = 128
//! args = ["x", "y", 2.5, 1000]   # a buffer by name, or a number, as the kernel's parameter wants it; { value = "x" }: what buffer x
//!                                # holds, by value, for a structure
//! shared = 4096                  # bytes of dynamic shared memory (`extern __shared__`); left out: none
//!
//! [[buffer]]
//! name = "x"
//! type = "f32"                   # f32, f64, u64, s64, u32, s32, u16, u8
//! count = 1000                   # elements
//! init = "random"                # zero, ramp (start, step), random (low, high, seed), file (file)
//! low = -1.0
//! high = 1.0
//!
//! [[buffer]]
//! name = "y"
//! type = "f32"
//! count = 1000
//! expect = "y.bin"               # raw little-endian data; left out: not checked
//! absolute = 1e-6                # |x - expected| <= absolute + relative |expected|; left out: the same bytes
//! relative = 1e-5
//!
//! [[constant]]                   # what a `.const` or `.global` variable holds; left out: what the PTX file says
//! name = "filter"
//! count = 9                      # and type, init, ... as of a buffer
//! init = "ramp"
//!
//! [[texture]]
//! name = "image"                 # of the `.texref` variable
//! buffer = "pixels"              # of 4 bytes each, width x height of them
//! width = 40
//! height = 25                    # left out: a texture in one dimension, whose texels may have 2 or 4 `channels` of 4 bytes
//! ```

pub(super) mod format;
pub mod npy;

use super::compile::{CONSTANT_BYTES, Constant, Kernel, Param, Target, TextureBinding, compile, in_tiles};
use super::error::{PtxError, PtxErrorKind};
use super::launch::*;
use super::ptx::types::{ScalarType, TypeFamily};
use super::random::Random;
pub use common::toml_text::FileMistake;
use common::{
    files::{PTX_LIMIT, TOML_LIMIT, read, read_text},
    toml_text::TomlText,
};
pub use format::Element;
use format::{BufferSpec, File, Init, TextureSpec};
use miette::Diagnostic;
use serde_json::Value;
use std::io;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::Spanned;

/// What can be wrong with a launch file.
#[derive(Debug, Error, Diagnostic)]
pub enum LaunchFileError {
    /// A mistake in the file itself.
    #[error(transparent)]
    #[diagnostic(transparent)]
    File(#[from] Box<FileMistake>),
    /// A mistake in the PTX file that it names.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Ptx(#[from] Box<PtxError>),
    /// The launch file cannot be read.
    #[error("cannot read launch file {}: {reason}", path.display())]
    #[diagnostic(help(
        "a launch file is TOML: the PTX file, grid, block, arguments and buffers; docs/command-line.md shows one"
    ))]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
}

/// The JSON schema of a launch file, with the meaning and range of every key.
pub fn schema() -> Value {
    format::schema()
}

/// Reads a launch file and everything that it names. `seed` is for random buffers without a seed of their own.
pub fn load(path: &Path, seed: u64, target: &Target) -> Result<Launch, LaunchFileError> {
    let text = read_text(path, TOML_LIMIT)
        .map_err(|cause| LaunchFileError::Read { path: path.into(), reason: cause.to_string() })?;
    let folder = path.parent().unwrap_or(Path::new("."));
    parse(&text, &path.display().to_string(), folder, seed, target)
}

/// As [`load`], from text; `file` is its name for messages, `folder` where its paths start.
pub fn parse(text: &str, file: &str, folder: &Path, seed: u64, target: &Target) -> Result<Launch, LaunchFileError> {
    let reader = LaunchFileReader { toml: TomlText { text, file }, folder };
    if crate::run_file::is_run_file(text) {
        let message = "this file has several launches (steps): a single launch is needed here".into();
        return Err(reader.mistake(0..0, message, Some("`warpmesh run --launch` takes it".into())));
    }
    let spec: File = reader.toml.parse()?;
    let mut kernel = reader.kernel(&spec.ptx, spec.entry.as_ref(), target)?;
    let (mut buffers, mut checks) = (Vec::<Buffer>::new(), Vec::new());
    let mut room = MEMORY_LIMIT;
    for (index, buffer) in spec.buffer.iter().enumerate() {
        if buffers.iter().any(|b| b.name == *buffer.name.get_ref()) {
            let message = format!("buffer `{}` is there twice", buffer.name.get_ref());
            return Err(reader.mistake(buffer.name.span(), message, None));
        }
        let data = reader.contents(buffer, seed.wrapping_add(index as u64), room)?;
        room = room.saturating_sub(data.len());
        checks.extend(reader.check(buffer, index, data.len())?);
        buffers.push(Buffer { name: buffer.name.get_ref().clone(), data });
    }
    for (index, constant) in spec.constant.iter().enumerate() {
        let seed = seed.wrapping_add((spec.buffer.len() + index) as u64);
        reader.constant(&spec.constant[..index], constant, seed, &mut kernel)?;
    }
    if let Some(shared) = &spec.shared
        && !kernel.set_dynamic_shared(*shared.get_ref())
    {
        let message = "`shared` is for dynamic shared memory, and the kernel declares none (`.extern .shared`)".into();
        return Err(reader.mistake(shared.span(), message, None));
    }
    for (index, texture) in spec.texture.iter().enumerate() {
        reader.texture(&spec, index, texture, &mut kernel, (&mut buffers, &checks))?;
    }
    let mut args = Vec::new();
    for (index, arg) in spec.args.get_ref().iter().enumerate() {
        args.push(reader.argument(arg, &buffers, kernel.params.get(index), kernel.address_bits)?);
    }
    let (grid, block) = (spec.grid.get_ref().xyz(), spec.block.get_ref().xyz());
    let launch = Launch { name: kernel.name.clone(), kernel, grid, block, buffers, args, checks, placement: None };
    launch.validate().map_err(|e| {
        let span = match &e {
            LaunchError::ArgumentCount { .. } => spec.args.span(),
            LaunchError::ArgumentType { index, .. } | LaunchError::ArgumentRange { index, .. } => {
                spec.args.get_ref().get(*index).map_or(spec.args.span(), Spanned::span)
            }
            LaunchError::Shape { what: "grid", .. } => spec.grid.span(),
            LaunchError::Shape { .. } => spec.block.span(),
            LaunchError::Texture { name, .. } => {
                let texture = spec.texture.iter().find(|texture| texture.name.get_ref() == name);
                texture.map_or(spec.ptx.span(), |texture| texture.name.span())
            }
            LaunchError::Memory { .. } | LaunchError::Check { .. } => 0..0,
        };
        reader.mistake(span, e.to_string(), None)
    })?;
    Ok(launch)
}

/// A file of launches and its folder.
pub(super) struct LaunchFileReader<'a> {
    pub toml: TomlText<'a>,
    pub folder: &'a Path,
}

impl LaunchFileReader<'_> {
    pub fn mistake(&self, span: Range<usize>, message: String, help: Option<String>) -> LaunchFileError {
        LaunchFileError::File(self.toml.mistake(span, message, help))
    }

    /// The kernel `entry` of a PTX file, or its only one.
    pub fn kernel(
        &self,
        ptx: &Spanned<String>,
        entry: Option<&Spanned<String>>,
        target: &Target,
    ) -> Result<Kernel, LaunchFileError> {
        let path = self.folder.join(ptx.get_ref());
        let text = read_text(&path, PTX_LIMIT).map_err(|cause| self.unreadable(ptx, &cause))?;
        let name = entry.map(|entry| entry.get_ref().as_str());
        compile(&text, &path.display().to_string(), name, target).map_err(|error| match error.kind {
            PtxErrorKind::Entry => {
                let here = entry.unwrap_or(ptx).span();
                self.mistake(here, format!("{}: {}", error.file, error.message), error.help)
            }
            _ => LaunchFileError::Ptx(error),
        })
    }

    /// A file that the launch file names but that cannot be read.
    pub fn unreadable(&self, name: &Spanned<String>, cause: &io::Error) -> LaunchFileError {
        let message = format!("cannot read `{}`: {cause}", name.get_ref());
        let help = "paths in a launch file are relative to its folder";
        self.mistake(name.span(), message, Some(help.into()))
    }

    /// Data of elements of a type, at most `room` bytes: raw, or `.npy`.
    pub fn read(&self, name: &Spanned<String>, ty: Element, room: usize) -> Result<Vec<u8>, LaunchFileError> {
        let is_npy = name.get_ref().ends_with(".npy");
        let header = if is_npy { npy::LONGEST_HEADER } else { 0 };
        let file = read(&self.folder.join(name.get_ref()), (room + header) as u64)
            .map_err(|cause| self.unreadable(name, &cause))?;
        if !is_npy {
            return Ok(file);
        }
        let data = npy::data(&file, ty).map_err(|problem| {
            let help = "`.npy` files hold what numpy.save writes, in order of C, of the buffer's type";
            self.mistake(name.span(), format!("`{}`: {problem}", name.get_ref()), Some(help.into()))
        })?;
        if data.len() > room {
            let cause = io::Error::other(format!("it has {} bytes of data; at most {room} are read", data.len()));
            return Err(self.unreadable(name, &cause));
        }
        Ok(data.to_vec())
    }

    /// What a buffer holds at the start; `room` bytes of device memory are left.
    pub fn contents(&self, spec: &BufferSpec, seed: u64, room: usize) -> Result<Vec<u8>, LaunchFileError> {
        let init = spec.init.as_ref().map_or(Init::Zero, |i| *i.get_ref());
        let here = spec.init.as_ref().map_or(spec.name.span(), Spanned::span);
        // A key that this way of filling does not read would be silently without effect.
        let used: &[(&str, Init, Option<Range<usize>>)] = &[
            ("start", Init::Ramp, spec.start.as_ref().map(Spanned::span)),
            ("step", Init::Ramp, spec.step.as_ref().map(Spanned::span)),
            ("low", Init::Random, spec.low.as_ref().map(Spanned::span)),
            ("high", Init::Random, spec.high.as_ref().map(Spanned::span)),
            ("seed", Init::Random, spec.seed.as_ref().map(Spanned::span)),
            ("file", Init::File, spec.file.as_ref().map(Spanned::span)),
        ];
        for (key, needs, span) in used {
            if let Some(span) = span
                && *needs != init
            {
                let needs = format!("{needs:?}").to_lowercase();
                let message = format!("key `{key}` has no effect here: it belongs to init = \"{needs}\"");
                return Err(self.mistake(span.clone(), message, None));
            }
        }
        if init == Init::File {
            let Some(file) = &spec.file else {
                let help = "add: file = \"data.bin\"";
                return Err(self.mistake(here, "init = \"file\" needs the key `file`".into(), Some(help.into())));
            };
            let data = self.read(file, spec.ty, room)?;
            let wanted = spec.count.as_ref().map(|c| c.get_ref().saturating_mul(spec.ty.bytes() as u64));
            if wanted.is_some_and(|bytes| bytes != data.len() as u64) {
                let message = format!("`{}` has {} bytes, not count times the type's size", file.get_ref(), data.len());
                return Err(self.mistake(
                    file.span(),
                    message,
                    Some("leave out `count` to take the whole file".into()),
                ));
            }
            return Ok(data);
        }
        let Some(count) = &spec.count else {
            let message = format!("buffer `{}` needs the key `count`", spec.name.get_ref());
            return Err(self.mistake(spec.name.span(), message, Some("count = number of elements".into())));
        };
        let most = (MEMORY_LIMIT / spec.ty.bytes()) as u64;
        if !(1..=most).contains(count.get_ref()) {
            let message = format!("invalid value {} for `count`", count.get_ref());
            return Err(self.mistake(count.span(), message, Some(format!("allowed: 1 to {most}"))));
        }
        if *count.get_ref() as usize * spec.ty.bytes() > room {
            let message =
                format!("buffer `{}` is too large: {room} bytes of device memory are left", spec.name.get_ref());
            let help = format!("the buffers of a launch may use {MEMORY_LIMIT} bytes together");
            return Err(self.mistake(count.span(), message, Some(help)));
        }
        if init == Init::Zero {
            return Ok(vec![0; *count.get_ref() as usize * spec.ty.bytes()]);
        }
        let number = |v: &Option<Spanned<f64>>, default: f64| v.as_ref().map_or(default, |v| *v.get_ref());
        let (start, step) = (number(&spec.start, 0.0), number(&spec.step, 1.0));
        let (low, high) = (number(&spec.low, 0.0), number(&spec.high, 1.0));
        if init == Init::Random && !(low.is_finite() && high.is_finite() && low <= high) {
            let message = format!("invalid range of random values: {low} to {high}");
            return Err(self.mistake(here, message, Some("low is at most high, both are finite".into())));
        }
        let last = start + step * (*count.get_ref() - 1) as f64;
        let ends = match init {
            Init::Ramp => vec![("start", start, &spec.start), ("the last value of the ramp", last, &spec.step)],
            Init::Random => vec![("low", low, &spec.low), ("high", high, &spec.high)],
            Init::Zero | Init::File => vec![],
        };
        let (least, greatest) = spec.ty.range();
        for (what, value, given) in ends {
            if !(least..=greatest).contains(&value) {
                let span = given.as_ref().map_or(here.clone(), Spanned::span);
                let message =
                    format!("{what}, {}, does not fit the type of buffer `{}`", short(value), spec.name.get_ref());
                return Err(self.mistake(
                    span,
                    message,
                    Some(format!("allowed: {} to {}", short(least), short(greatest))),
                ));
            }
        }
        let mut random = Random::new(spec.seed.as_ref().map_or(seed, |s| *s.get_ref()));
        let value = |i: u64| match init {
            Init::Ramp => start + step * i as f64,
            Init::Random => low + (high - low) * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64,
            Init::Zero | Init::File => 0.0,
        };
        Ok((0..*count.get_ref()).map(value).flat_map(|v| spec.ty.encode(v)).collect())
    }

    /// Sets a variable in constant memory; `before` are those that have been set.
    pub fn constant(
        &self,
        before: &[BufferSpec],
        spec: &BufferSpec,
        seed: u64,
        kernel: &mut Kernel,
    ) -> Result<(), LaunchFileError> {
        let name = spec.name.get_ref();
        if before.iter().any(|other| other.name.get_ref() == name) {
            return Err(self.mistake(spec.name.span(), format!("constant `{name}` is there twice"), None));
        }
        if let Some(expect) = &spec.expect {
            return Err(self.mistake(expect.span(), "constants do not change: `expect` is for buffers".into(), None));
        }
        self.check(spec, 0, 0)?;
        let data = self.contents(spec, seed, CONSTANT_BYTES as usize)?;
        // Parameters are given as arguments, also where they are in constant memory.
        let is_param = |constant: &&Constant| kernel.params.iter().any(|p| p.constant == Some(constant.address));
        let constants = || kernel.constants.iter().filter(|constant| !is_param(constant));
        let variables = || constants().chain(&kernel.globals);
        let names: Vec<_> = variables().map(|constant| constant.name.as_str()).collect();
        let help = match names.is_empty() {
            true => "the kernel has no variable in constant or global memory (`.const`, `.global`)".into(),
            false => format!("constants of the kernel: {}", names.join(", ")),
        };
        let Some(size) = variables().find(|constant| constant.name == *name).map(|c| c.data.len()) else {
            return Err(self.mistake(spec.name.span(), format!("there is no constant `{name}`"), Some(help)));
        };
        if !kernel.set_constant(name, &data) {
            let message = format!("constant `{name}` has {size} bytes, not {}", data.len());
            return Err(self.mistake(spec.name.span(), message, None));
        }
        Ok(())
    }

    /// The index of a texture's buffer, and what the texture is to read there.
    pub fn texture_of(
        &self,
        spec: &TextureSpec,
        kernel: &Kernel,
        buffers: &[Buffer],
    ) -> Result<TextureBinding, LaunchFileError> {
        let (name, buffer) = (spec.name.get_ref(), spec.buffer.get_ref());
        let Some(texture) = kernel.textures.iter().find(|texture| texture.name == *name) else {
            let names: Vec<_> = kernel.textures.iter().map(|texture| texture.name.as_str()).collect();
            let help = match names.is_empty() {
                true => "the kernel reads no texture".into(),
                false => format!("textures of the kernel: {}", names.join(", ")),
            };
            return Err(self.mistake(spec.name.span(), format!("there is no texture `{name}`"), Some(help)));
        };
        if texture.dimensions > 2 {
            let message = format!("the kernel reads texture `{name}` in three dimensions");
            let help = "launch files have textures in one and two, CUDA programs in three";
            return Err(self.mistake(spec.name.span(), message, Some(help.into())));
        }
        let is_2d = texture.dimensions == 2;
        if is_2d != spec.height.is_some() {
            let wanted = if is_2d { "two dimensions: `height` is needed" } else { "one dimension: without `height`" };
            return Err(self.mistake(spec.name.span(), format!("the kernel reads texture `{name}` in {wanted}"), None));
        }
        let Some(at) = buffers.iter().position(|b| b.name == *buffer) else {
            return Err(self.mistake(spec.buffer.span(), format!("there is no buffer `{buffer}`"), None));
        };
        let (width, height) = (*spec.width.get_ref(), spec.height.as_ref().map_or(1, |height| *height.get_ref()));
        let most = if is_2d { 65_536 } else { 1 << 27 };
        if !(1..=most).contains(&width) || !(1..=most).contains(&height) {
            let message = format!("a texture of {width} x {height} texels");
            let help = "allowed: 1 to 65536 in each of two dimensions, 1 to 134217728 in one";
            return Err(self.mistake(spec.width.span(), message, Some(help.into())));
        }
        let channels = spec.channels.as_ref().map_or(1, |channels| *channels.get_ref());
        if let Some(spec) = spec.channels.as_ref().filter(|_| ![1, 2, 4].contains(&channels) || is_2d && channels > 1) {
            let message = format!("a texture of {channels} channels");
            return Err(self.mistake(spec.span(), message, Some("allowed: 1, 2 or 4; in two dimensions 1".into())));
        }
        let bytes = 4 * channels;
        let (has, needs) = (buffers[at].data.len() as u64, u64::from(bytes) * u64::from(width) * u64::from(height));
        if has != needs {
            let message =
                format!("buffer `{buffer}` has {has} bytes, not {needs}: {width} x {height} texels of {bytes} bytes");
            return Err(self.mistake(spec.buffer.span(), message, None));
        }
        Ok(TextureBinding { buffer: at, offset: 0, width, height, depth: 1, channels })
    }

    /// Binds texture `index` of the file, whose buffer is put in its order.
    fn texture(
        &self,
        file: &File,
        index: usize,
        spec: &TextureSpec,
        kernel: &mut Kernel,
        (buffers, checks): (&mut [Buffer], &[Check]),
    ) -> Result<(), LaunchFileError> {
        let bound = self.texture_of(spec, kernel, buffers)?;
        let (at, buffer) = (bound.buffer, spec.buffer.get_ref());
        let before = file.texture[..index].iter().any(|other| other.buffer.get_ref() == buffer);
        let as_argument = |arg: &Spanned<toml::Value>| arg.get_ref().as_str() == Some(buffer);
        if before || checks.iter().any(|check| check.buffer == at) || file.args.get_ref().iter().any(as_argument) {
            let message =
                format!("buffer `{buffer}` of a texture has another use: it is put in the order of the texture");
            return Err(self.mistake(spec.buffer.span(), message, None));
        }
        if spec.height.is_some() {
            buffers[at].data = in_tiles(&buffers[at].data, [bound.width, bound.height], 4);
        }
        kernel.bind_texture(spec.name.get_ref(), bound);
        Ok(())
    }

    pub fn check(&self, spec: &BufferSpec, buffer: usize, available: usize) -> Result<Option<Check>, LaunchFileError> {
        let tolerance_keys = [("absolute", &spec.absolute), ("relative", &spec.relative)];
        let Some(expect) = &spec.expect else {
            for (key, value) in tolerance_keys {
                if let Some(value) = value {
                    let message = format!("key `{key}` has no effect without `expect`");
                    return Err(self.mistake(value.span(), message, None));
                }
            }
            return Ok(None);
        };
        for (key, value) in tolerance_keys {
            if let Some(value) = value
                && (spec.ty != Element::F32 || !value.get_ref().is_finite() || *value.get_ref() < 0.0)
            {
                let message = format!("`{key}` is a finite number of at least 0, and only for buffers of type \"f32\"");
                return Err(self.mistake(value.span(), message, None));
            }
        }
        let expected = self.read(expect, spec.ty, MEMORY_LIMIT)?;
        if expected.is_empty() || expected.len() > available || expected.len() % spec.ty.bytes() != 0 {
            let message = format!("`{}` has {} bytes, the buffer {available}", expect.get_ref(), expected.len());
            let help = "expected data is raw, whole elements, and not longer than the buffer";
            return Err(self.mistake(expect.span(), message, Some(help.into())));
        }
        let tolerance = if spec.absolute.is_none() && spec.relative.is_none() {
            Tolerance::Exact
        } else {
            let value = |v: &Option<Spanned<f32>>| v.as_ref().map_or(0.0, |v| *v.get_ref());
            Tolerance::Float { absolute: value(&spec.absolute), relative: value(&spec.relative) }
        };
        Ok(Some(Check { buffer, expected, tolerance }))
    }

    pub fn argument(
        &self,
        arg: &Spanned<toml::Value>,
        buffers: &[Buffer],
        param: Option<&Param>,
        address_bits: u32,
    ) -> Result<Argument, LaunchFileError> {
        let float = param.is_some_and(|p| p.ty.is_float());
        let double = param.is_some_and(|p| p.ty == ScalarType::F64);
        let floats = param.is_none_or(|p| matches!(p.ty.family(), TypeFamily::Float | TypeFamily::Bits));
        let misfit = |what: String, allowed: String| {
            let message = match param {
                Some(param) => format!("{what} does not fit parameter `{}` of type .{}", param.name, param.ty),
                None => format!("{what} does not fit any parameter"),
            };
            self.mistake(arg.span(), message, Some(format!("allowed: {allowed}")))
        };
        match arg.get_ref() {
            toml::Value::String(name) if address_bits == 64 && param.is_some_and(|param| param.size < 8) => {
                let numbers = if float {
                    "a number".into()
                } else {
                    param.map_or(String::new(), |param| integers_of(&param.range()))
                };
                Err(misfit(format!("the address of buffer `{name}`, 64 bits,"), numbers))
            }
            toml::Value::String(name) => {
                buffers.iter().position(|b| b.name == *name).map(Argument::Buffer).ok_or_else(|| {
                    let names: Vec<&str> = buffers.iter().map(|b| b.name.as_str()).collect();
                    let help = format!("buffers: {}", names.join(", "));
                    self.mistake(arg.span(), format!("there is no buffer `{name}`"), Some(help))
                })
            }
            toml::Value::Table(table) if table.len() == 1 && table.contains_key("value") => {
                let name = table.get("value").and_then(toml::Value::as_str).unwrap_or_default();
                buffers.iter().position(|b| b.name == name).map(Argument::Value).ok_or_else(|| {
                    let names: Vec<&str> = buffers.iter().map(|b| b.name.as_str()).collect();
                    let help = format!("buffers: {}", names.join(", "));
                    self.mistake(arg.span(), format!("there is no buffer `{name}`"), Some(help))
                })
            }
            toml::Value::Float(value) if double => Ok(Argument::Long(value.to_bits())),
            toml::Value::Integer(value) if double => Ok(Argument::Long((*value as f64).to_bits())),
            toml::Value::Float(value) if floats && value.is_finite() && (*value as f32).is_infinite() => {
                Err(misfit(format!("{value:e}"), format!("{:e} to {:e}", f32::MIN, f32::MAX)))
            }
            toml::Value::Float(value) => Ok(Argument::Float(*value as f32)),
            toml::Value::Integer(value) if float => Ok(Argument::Float(*value as f32)),
            toml::Value::Integer(value) if param.is_some_and(|p| p.size == 8) => Ok(Argument::Long(*value as u64)),
            toml::Value::Integer(value) => {
                let range = param.map_or(i64::from(i32::MIN)..=i64::from(u32::MAX), Param::range);
                match range.contains(value) {
                    true => Ok(Argument::Word(*value as u32)),
                    false => Err(misfit(value.to_string(), integers_of(&range))),
                }
            }
            other => {
                let message = format!("an argument cannot be of type {}", other.type_str());
                let help = "a buffer's name in quotation marks, an integer or a float";
                Err(self.mistake(arg.span(), message, Some(help.into())))
            }
        }
    }
}

/// A range for people.
fn integers_of(range: &RangeInclusive<i64>) -> String {
    format!("{} to {}", range.start(), range.end())
}

/// A number without a row of zeros.
pub(super) fn short(value: f64) -> String {
    if value.abs() < 1e15 { value.to_string() } else { format!("{value:e}") }
}
