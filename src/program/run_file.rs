//! Run files: TOML in which a user says how to run several launches on memory that stays.
//!
//! ```toml
//! [[kernel]]
//! name = "bfs"                       # how steps call it
//! ptx = "../bfs.ptx"                 # in the folder of the run file; `entry` as in a launch file
//!
//! [[buffer]]                         # as in a launch file, without `expect`; also [[kernel.constant]]
//! name = "level"
//! type = "s32"
//! count = 600
//!
//! [[structure]]                      # fields as C lays them out: steps call them "bodies.velocity"
//! name = "bodies"
//! count = 64
//!
//! [[structure.field]]                # `type`, `count` (1), `align`, and `init` with its keys
//! name = "velocity"
//! count = 3
//!
//! [[step]]
//! fill = "level"                     # elements `index` to `index + count`, or all
//! value = -1
//!
//! [[step]]
//! repeat = 100                       # so many times, or with `until` at most so many times
//! until = { buffer = "again", index = 0, equals = 0 }
//! counter = "depth"                  # `start` (0), `increment` (1)
//!
//! [[step.step]]                      # what is repeated
//! launch = "bfs"
//! grid = 5
//! block = 128
//! args = ["level", { buffer = "level", offset = 16 }, { counter = "depth" }, 600]
//!
//! [[step]]
//! copy = "level"                     # `index`, `count`; `to_index`
//! to = "saved"
//!
//! [[step]]
//! check = "level"                    # against `file` (raw, `.npy`), `against` (a buffer) or `value`; `absolute`, `relative`
//! file = "level.bin"
//!
//! [[step]]
//! dump = "level"
//! file = "level.npy"                 # raw with another end; in a repetition with its counter: "level-{depth}.npy"
//! ```

mod compare;
mod format;
mod steps;
mod structure;

pub use compare::{BufferComparison, Closeness, Difference, compare, show};
pub use structure::NamedElements;

use super::compile::{Kernel, Target, TextureBinding, in_tiles};
use super::launch::{Buffer, MEMORY_LIMIT};
use super::launch_file::LaunchFileReader;
pub use super::launch_file::{Element, LaunchFileError};
use common::{
    files::{TOML_LIMIT, read_text},
    toml_text::TomlText,
};
use format::{File, KernelSpec};
use serde_json::Value as Json;
use std::path::Path;
use steps::Steps;
use toml::Spanned;

/// Several launches.
#[derive(Clone, Debug)]
pub struct RunFile {
    /// Its name, for messages.
    pub file: String,
    /// What steps launch.
    pub kernels: Vec<Kernel>,
    /// What their textures read.
    pub textures: Vec<RunTexture>,
    /// Global memory at the start.
    pub buffers: Vec<Buffer>,
    /// What steps have names for: the buffers, and fields of structures.
    pub places: Vec<NamedElements>,
    /// Counters of all repetitions.
    pub counters: Vec<Counter>,
    /// What is done.
    pub steps: Vec<RunStep>,
}

/// A texture of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTexture {
    /// Index of the kernel.
    pub kernel: usize,
    /// Name in the kernel.
    pub name: String,
    /// Index of the buffer with its texels, row by row.
    pub source: usize,
    /// Where they are on the chip: that buffer, or, in two dimensions, one for the texels in tiles, as they are when the kernel is launched.
    pub bound: TextureBinding,
}

/// A number that counts rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name; empty where nobody reads it.
    pub name: String,
    /// In the first round.
    pub start: i64,
    /// Added behind each.
    pub increment: i64,
}

/// A step.
#[derive(Clone, Debug)]
pub struct RunStep {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What it does.
    pub action: Action,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Launches a kernel.
    Launch(LaunchStep),
    /// Copies elements.
    Copy {
        /// From there.
        from: ElementRange,
        /// To there, as many bytes.
        to: ElementRange,
    },
    /// Sets elements.
    Fill {
        /// These.
        part: ElementRange,
        /// To these bytes, each.
        value: Vec<u8>,
    },
    /// Does steps several times.
    Repeat {
        /// At most, or exactly without `until`.
        times: u64,
        /// Ends it.
        until: Option<Until>,
        /// Index of its counter.
        counter: usize,
        /// These.
        steps: Vec<RunStep>,
    },
    /// Compares elements.
    Check {
        /// These.
        part: ElementRange,
        /// With that.
        expected: Expected,
        /// Of floats.
        closeness: Option<Closeness>,
    },
    /// Writes elements to a file.
    Dump {
        /// These.
        part: ElementRange,
        /// Its name, with `{counter}` where a counter goes.
        file: String,
    },
}

/// Elements of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementRange {
    /// Index of the place.
    pub place: usize,
    /// First element.
    pub index: usize,
    /// Elements.
    pub count: usize,
}

/// What elements have to be.
#[derive(Clone, Debug)]
pub enum Expected {
    /// This data.
    Data(Vec<u8>),
    /// What another place holds from its start on.
    Place(usize),
    /// These bytes, each.
    Value(Vec<u8>),
}

/// What ends a repetition.
#[derive(Clone, Debug)]
pub struct Until {
    /// An element...
    pub part: ElementRange,
    /// ...that is this.
    pub equals: Vec<u8>,
}

/// A launch.
#[derive(Clone, Debug)]
pub struct LaunchStep {
    /// How the file calls the kernel.
    pub name: String,
    /// Index of the kernel.
    pub kernel: usize,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// One for each parameter.
    pub args: Vec<Arg>,
}

/// An argument: so many bytes...
#[derive(Clone, Debug)]
pub struct Arg {
    /// As the parameter has.
    pub size: usize,
    /// ...with this.
    pub value: ArgValue,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgValue {
    /// The address of a byte of a buffer: buffer and offset.
    Pointer(usize, u64),
    /// What a buffer holds.
    Contents(usize),
    /// A counter, by index.
    Counter(usize),
    /// A number, sign-extended.
    Bits(u64),
}

/// Whether a text is a run file: it is TOML with steps. Other files are for [`launch_file`](crate::launch_file).
pub fn is_run_file(text: &str) -> bool {
    text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("step"))
}

/// The JSON schema of a run file.
pub fn schema() -> Json {
    format::schema()
}

/// Reads a run file and everything that it names, or `None` if it is a launch file. `seed` is for random buffers without a seed of their own.
pub fn load(path: &Path, seed: u64, target: &Target) -> Result<Option<RunFile>, LaunchFileError> {
    let text = read_text(path, TOML_LIMIT)
        .map_err(|cause| LaunchFileError::Read { path: path.into(), reason: cause.to_string() })?;
    if !is_run_file(&text) {
        return Ok(None);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    parse(&text, &path.display().to_string(), folder, seed, target).map(Some)
}

/// As [`load`], from the text of a run file; `file` is its name for messages, `folder` where its paths start.
pub fn parse(text: &str, file: &str, folder: &Path, seed: u64, target: &Target) -> Result<RunFile, LaunchFileError> {
    let reader = LaunchFileReader { toml: TomlText { text, file }, folder };
    let spec: File = reader.toml.parse()?;
    let mut kernels = Vec::new();
    for (index, kernel) in spec.kernel.iter().enumerate() {
        let kernel = read_kernel(&reader, (&spec.kernel[..index], &kernels), kernel, seed, target)?;
        kernels.push(kernel);
    }
    let (mut buffers, places) = read_buffers(&reader, &spec, seed)?;
    let textures = bind_textures(&reader, &spec.kernel, &mut kernels, &mut buffers)?;
    let mut steps = Steps::new(&reader, &spec.kernel, &kernels, buffers, &places);
    let actions = steps.read(&spec.step, &[])?;
    let (buffers, counters) = steps.finish();
    Ok(RunFile { file: file.into(), kernels, textures, buffers, places, counters, steps: actions })
}

/// A kernel with its constants; `before` are those that have been read.
fn read_kernel(
    reader: &LaunchFileReader,
    (before, kernels): (&[KernelSpec], &[Kernel]),
    spec: &KernelSpec,
    seed: u64,
    target: &Target,
) -> Result<Kernel, LaunchFileError> {
    let name = spec.name.get_ref();
    if before.iter().any(|other| other.name.get_ref() == name) {
        return Err(reader.mistake(spec.name.span(), format!("kernel `{name}` is there twice"), None));
    }
    let mut kernel = reader.kernel(&spec.ptx, spec.entry.as_ref(), target)?;
    for (index, constant) in spec.constant.iter().enumerate() {
        let variable = constant.name.get_ref();
        // Those in global memory are there once, and stay.
        if kernels.iter().flat_map(|kernel| &kernel.globals).any(|global| global.name == *variable) {
            let message = format!("variable `{variable}` is in global memory, and another kernel above has it, too");
            let help = "set it there; all kernels find what is in it";
            return Err(reader.mistake(constant.name.span(), message, Some(help.into())));
        }
        reader.constant(&spec.constant[..index], constant, seed.wrapping_add(index as u64), &mut kernel)?;
    }
    // Variables of two files are both at the start of the room for variables.
    if let Some(other) = before.iter().find(|other| other.ptx.get_ref() != spec.ptx.get_ref())
        && !kernel.globals.is_empty()
    {
        let message =
            format!("kernel `{name}` has variables in global memory, and `{}` another file", other.ptx.get_ref());
        let help =
            "with `.global` variables all kernels of a run are from one PTX file, or that kernel is the first one";
        return Err(reader.mistake(spec.ptx.span(), message, Some(help.into())));
    }
    Ok(kernel)
}

/// Binds the textures of all kernels; those in two dimensions get a buffer for their tiles.
fn bind_textures(
    reader: &LaunchFileReader,
    specs: &[KernelSpec],
    kernels: &mut [Kernel],
    buffers: &mut Vec<Buffer>,
) -> Result<Vec<RunTexture>, LaunchFileError> {
    let (named, mut textures) = (buffers.len(), Vec::<RunTexture>::new());
    for (number, (spec, kernel)) in specs.iter().zip(kernels).enumerate() {
        for texture in &spec.texture {
            let name = texture.name.get_ref();
            if textures.iter().any(|other| other.kernel == number && other.name == *name) {
                return Err(reader.mistake(texture.name.span(), format!("texture `{name}` is there twice"), None));
            }
            let mut bound = reader.texture_of(texture, kernel, &buffers[..named])?;
            let source = bound.buffer;
            if texture.height.is_some() {
                bound.buffer = buffers.len();
                let data = in_tiles(&buffers[source].data, [bound.width, bound.height], 4);
                buffers.push(Buffer { name: format!("tiles of {}", texture.buffer.get_ref()), data });
            }
            kernel.bind_texture(name, bound);
            textures.push(RunTexture { kernel: number, name: name.clone(), source, bound });
        }
    }
    Ok(textures)
}

/// Buffers and structures, and what steps have names for in them.
fn read_buffers(
    reader: &LaunchFileReader,
    file: &File,
    seed: u64,
) -> Result<(Vec<Buffer>, Vec<NamedElements>), LaunchFileError> {
    let (mut buffers, mut places) = (Vec::<Buffer>::new(), Vec::new());
    let mut room = MEMORY_LIMIT;
    let is_new =
        |buffers: &[Buffer], name: &Spanned<String>| match buffers.iter().any(|other| other.name == *name.get_ref()) {
            true => Err(reader.mistake(name.span(), format!("buffer `{}` is there twice", name.get_ref()), None)),
            false => Ok(()),
        };
    for (index, spec) in file.buffer.iter().enumerate() {
        let name = spec.name.get_ref();
        is_new(&buffers, &spec.name)?;
        if let Some(expect) = &spec.expect {
            let message = "key `expect` has no effect here: a run file compares with a step".into();
            let help = format!("add: [[step]] check = \"{name}\", file = \"{}\"", expect.get_ref());
            return Err(reader.mistake(expect.span(), message, Some(help)));
        }
        // What is left refuses tolerances.
        reader.check(spec, index, 0)?;
        let data = reader.contents(spec, seed.wrapping_add(index as u64), room)?;
        room = room.saturating_sub(data.len());
        if data.is_empty() || !data.len().is_multiple_of(spec.ty.bytes()) {
            let message = format!("buffer `{name}` of {} bytes has no whole elements", data.len());
            return Err(reader.mistake(spec.name.span(), message, None));
        }
        places.push(NamedElements::whole(name, index, spec.ty, data.len()));
        buffers.push(Buffer { name: name.clone(), data });
    }
    for spec in &file.structure {
        let (name, index) = (spec.name.get_ref(), buffers.len());
        is_new(&buffers, &spec.name)?;
        // Each field has a seed of its own.
        let seed = seed.wrapping_add((index as u64) << 16);
        let (data, fields) = structure::read(reader, spec, index, seed, room)?;
        room = room.saturating_sub(data.len());
        places.push(NamedElements::whole(name, index, Element::U8, data.len()));
        places.extend(fields);
        buffers.push(Buffer { name: name.clone(), data });
    }
    Ok((buffers, places))
}
