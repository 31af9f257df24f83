//! The keys of a run file, as they are read and as the schema describes them.

use super::super::launch_file::format::{BufferSpec, Element, GridShape, Init, TextureSpec};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

/// The JSON schema.
pub fn schema() -> Value {
    schema_for!(File).to_value()
}

/// Several launches on memory that stays: kernels, buffers, and what is done with them in which order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// What can be launched.
    #[serde(default)]
    pub kernel: Vec<KernelSpec>,
    /// Global memory; as in a launch file, without `expect`.
    #[serde(default)]
    pub buffer: Vec<BufferSpec>,
    /// Global memory in structures, behind the buffers.
    #[serde(default)]
    pub structure: Vec<StructureSpec>,
    /// What is done, in this order.
    #[schemars(with = "Vec<StepSpec>")]
    pub step: Vec<Spanned<StepSpec>>,
}

/// A kernel.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelSpec {
    /// How steps call it.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The PTX file; paths are relative to the folder of the run file.
    #[schemars(with = "String")]
    pub ptx: Spanned<String>,
    /// The kernel in it; may be left out when there is one.
    #[schemars(with = "Option<String>")]
    pub entry: Option<Spanned<String>>,
    /// Variables in constant or global memory that do not start with what the PTX file says.
    #[serde(default)]
    pub constant: Vec<BufferSpec>,
    /// What its textures read: as in a launch file; the buffer may have other uses, and is read as it is when the kernel is launched.
    #[serde(default)]
    pub texture: Vec<TextureSpec>,
}

/// A buffer of structures: their fields one behind the other as C lays them out. Steps call a field `structure.field`, and the bytes of the whole `structure`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StructureSpec {
    /// Name of the buffer.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Structures.
    #[schemars(with = "u64", range(min = 1, max = 1_073_741_824))]
    pub count: Spanned<u64>,
    /// What is in each.
    pub field: Vec<FieldSpec>,
}

/// A field of a structure.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldSpec {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Of its elements.
    #[serde(rename = "type", default)]
    pub ty: Element,
    /// Elements in a structure [default: 1].
    #[schemars(with = "Option<u64>", range(min = 1, max = 65_536))]
    pub count: Option<Spanned<u64>>,
    /// Where it may begin: a multiple of this, 1 to 128, a power of two [default: the bytes of an element].
    #[schemars(with = "Option<u64>", range(min = 1, max = 128))]
    pub align: Option<Spanned<u64>>,
    /// What it holds at the start, in all structures one after the other, as the keys of a buffer say.
    #[schemars(with = "Option<Init>")]
    pub init: Option<Spanned<Init>>,
    /// See buffer.
    #[schemars(with = "Option<f64>")]
    pub start: Option<Spanned<f64>>,
    /// See buffer.
    #[schemars(with = "Option<f64>")]
    pub step: Option<Spanned<f64>>,
    /// See buffer.
    #[schemars(with = "Option<f64>")]
    pub low: Option<Spanned<f64>>,
    /// See buffer.
    #[schemars(with = "Option<f64>")]
    pub high: Option<Spanned<f64>>,
    /// See buffer.
    #[schemars(with = "Option<u64>")]
    pub seed: Option<Spanned<u64>>,
    /// See buffer.
    #[schemars(with = "Option<String>")]
    pub file: Option<Spanned<String>>,
}

impl FieldSpec {
    /// All its elements as a buffer.
    pub fn buffer(&self, elements: Spanned<u64>) -> BufferSpec {
        BufferSpec {
            name: self.name.clone(),
            ty: self.ty,
            count: Some(elements),
            init: self.init.clone(),
            start: self.start.clone(),
            step: self.step.clone(),
            low: self.low.clone(),
            high: self.high.clone(),
            seed: self.seed.clone(),
            file: self.file.clone(),
            expect: None,
            absolute: None,
            relative: None,
        }
    }
}

/// A step: it has exactly one of `launch`, `copy`, `fill`, `repeat`, `check` and `dump`, and the keys that belong to that.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields, default)]
pub struct StepSpec {
    /// Launches the kernel of this name.
    #[schemars(with = "Option<String>")]
    pub launch: Option<Spanned<String>>,
    /// `launch`: thread blocks, as in a launch file.
    #[schemars(with = "Option<Vec<u32>>")]
    pub grid: Option<Spanned<GridShape>>,
    /// `launch`: threads of a block, as in a launch file.
    #[schemars(with = "Option<Vec<u32>>")]
    pub block: Option<Spanned<GridShape>>,
    /// `launch`: one for each parameter: what a launch file takes, `{ buffer = "x", offset = BYTES }`, or `{ counter = "i" }`.
    #[schemars(with = "Option<Vec<Value>>")]
    pub args: Option<Spanned<Vec<Spanned<toml::Value>>>>,
    /// `launch`: bytes of dynamic shared memory.
    #[schemars(with = "Option<u32>")]
    pub shared: Option<Spanned<u32>>,
    /// Copies elements of this buffer to another one.
    #[schemars(with = "Option<String>")]
    pub copy: Option<Spanned<String>>,
    /// `copy`: the buffer that they are copied to.
    #[schemars(with = "Option<String>")]
    pub to: Option<Spanned<String>>,
    /// `copy`: the first element there [default: 0].
    #[schemars(with = "Option<u64>")]
    pub to_index: Option<Spanned<u64>>,
    /// Sets elements of this buffer to `value`.
    #[schemars(with = "Option<String>")]
    pub fill: Option<Spanned<String>>,
    /// `fill`: the value; `check`: what every element has to be.
    #[schemars(with = "Option<f64>")]
    pub value: Option<Spanned<toml::Value>>,
    /// Does its own steps so many times, or at most so many times with `until`.
    #[schemars(with = "Option<u64>", range(min = 1, max = 1_000_000))]
    pub repeat: Option<Spanned<u64>>,
    /// `repeat`: looked at behind each round; when it holds, the repetition ends. That it never holds is an error.
    #[schemars(with = "Option<UntilSpec>")]
    pub until: Option<Spanned<UntilSpec>>,
    /// `repeat`: name of a number that counts the rounds, for arguments within, and for names of dumps as `{name}`.
    #[schemars(with = "Option<String>")]
    pub counter: Option<Spanned<String>>,
    /// `repeat`: what the counter is in the first round [default: 0].
    #[schemars(with = "Option<i64>")]
    pub start: Option<Spanned<i64>>,
    /// `repeat`: what is added to the counter behind each round [default: 1].
    #[schemars(with = "Option<i64>")]
    pub increment: Option<Spanned<i64>>,
    /// `repeat`: what is repeated.
    #[schemars(with = "Vec<StepSpec>")]
    pub step: Vec<Spanned<StepSpec>>,
    /// Compares elements of this buffer with `file`, `against` or `value`.
    #[schemars(with = "Option<String>")]
    pub check: Option<Spanned<String>>,
    /// `check`: file of raw little-endian data, or `.npy`; `dump`: name of the file to write, raw or `.npy`.
    #[schemars(with = "Option<String>")]
    pub file: Option<Spanned<String>>,
    /// `check`: another buffer of the same type.
    #[schemars(with = "Option<String>")]
    pub against: Option<Spanned<String>>,
    /// `check`: floats may differ by `absolute + relative * |expected|`; without both, the bytes are the same.
    #[schemars(with = "Option<f64>", range(min = 0))]
    pub absolute: Option<Spanned<f64>>,
    /// See `absolute`.
    #[schemars(with = "Option<f64>", range(min = 0))]
    pub relative: Option<Spanned<f64>>,
    /// Writes elements of this buffer to a file.
    #[schemars(with = "Option<String>")]
    pub dump: Option<Spanned<String>>,
    /// `copy`, `fill`, `check`, `dump`: the first element [default: 0].
    #[schemars(with = "Option<u64>")]
    pub index: Option<Spanned<u64>>,
    /// `copy`, `fill`, `check`, `dump`: elements [default: all from `index` on].
    #[schemars(with = "Option<u64>")]
    pub count: Option<Spanned<u64>>,
}

/// What ends a repetition: an element of a buffer that has a value.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UntilSpec {
    /// The buffer.
    #[schemars(with = "String")]
    pub buffer: Spanned<String>,
    /// The element [default: 0].
    #[schemars(with = "Option<u64>")]
    pub index: Option<Spanned<u64>>,
    /// The value.
    #[schemars(with = "f64")]
    pub equals: Spanned<toml::Value>,
}
