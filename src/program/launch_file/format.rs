//! The keys of a launch file, as they are read and as the schema describes them.

use super::super::launch::BLOCK_THREADS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

/// The JSON schema.
pub fn schema() -> Value {
    schema_for!(File).to_value()
}

/// How to run a kernel of one's own: its PTX file, grid, arguments and buffers.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The PTX file; paths are relative to the folder of the launch file.
    #[schemars(with = "String")]
    pub ptx: Spanned<String>,
    /// The kernel; may be left out when the PTX file has one.
    #[schemars(with = "Option<String>")]
    pub entry: Option<Spanned<String>>,
    /// Thread blocks in x, y and z, or in x alone; up to 2^40 together.
    #[schemars(schema_with = "grid")]
    pub grid: Spanned<GridShape>,
    /// Threads of a block in x, y and z, or in x alone; up to 1024 together.
    #[schemars(schema_with = "block")]
    pub block: Spanned<GridShape>,
    /// One for each parameter of the kernel: the name of a buffer, an integer or a float, as the parameter's type wants it.
    #[schemars(schema_with = "arguments")]
    pub args: Spanned<Vec<Spanned<toml::Value>>>,
    /// Bytes of dynamic shared memory of a block, where the kernel has an array there (`.extern .shared`).
    #[schemars(with = "Option<u32>")]
    pub shared: Option<Spanned<u32>>,
    /// Global memory of the kernel.
    #[serde(default)]
    pub buffer: Vec<BufferSpec>,
    /// Variables in constant or global memory that do not start with what the PTX file says; named as there, without `expect`.
    #[serde(default)]
    pub constant: Vec<BufferSpec>,
    /// Textures that the kernel reads.
    #[serde(default)]
    pub texture: Vec<TextureSpec>,
}

/// A texture: the buffer that it reads, with texels of 4 bytes, row by row.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextureSpec {
    /// Name in the PTX file.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Name of a buffer, which is put in the order of the texture: no other one may use it, nor may it be checked.
    #[schemars(with = "String")]
    pub buffer: Spanned<String>,
    /// Texels in a row.
    #[schemars(with = "u32", range(min = 1, max = 65_536))]
    pub width: Spanned<u32>,
    /// Rows, of a texture in two dimensions.
    #[schemars(with = "Option<u32>", range(min = 1, max = 65_536))]
    pub height: Option<Spanned<u32>>,
    /// Channels of a texel, 4 bytes each: 1 (the default), 2 or 4; in two dimensions 1.
    #[schemars(with = "Option<u32>", range(min = 1, max = 4))]
    pub channels: Option<Spanned<u32>>,
}

/// Blocks of a grid or threads of a block.
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged, expecting = "expected a number or a list of one to three numbers, each from 0 to 4294967295")]
pub enum GridShape {
    X(u32),
    One([u32; 1]),
    Two([u32; 2]),
    Three([u32; 3]),
}

impl GridShape {
    /// All three.
    pub fn xyz(self) -> [u32; 3] {
        match self {
            GridShape::X(x) | GridShape::One([x]) => [x, 1, 1],
            GridShape::Two([x, y]) => [x, y, 1],
            GridShape::Three(all) => all,
        }
    }
}

/// A buffer: what it holds at the start, and what it has to hold at the end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BufferSpec {
    /// For `args` and messages; of a constant, its name in the PTX file.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Of its elements.
    #[serde(rename = "type", default)]
    pub ty: Element,
    /// Elements; may be left out with `init = "file"`. All buffers together have at most 2^30 bytes.
    #[schemars(with = "Option<u64>", range(min = 1, max = 1_073_741_824))]
    pub count: Option<Spanned<u64>>,
    /// What it holds at the start; without it, zeros.
    #[schemars(with = "Option<Init>")]
    pub init: Option<Spanned<Init>>,
    /// First value of a ramp [default: 0]; every value fits the type.
    #[schemars(with = "Option<f64>")]
    pub start: Option<Spanned<f64>>,
    /// Difference between two values of a ramp [default: 1].
    #[schemars(with = "Option<f64>")]
    pub step: Option<Spanned<f64>>,
    /// Least random value [default: 0].
    #[schemars(with = "Option<f64>")]
    pub low: Option<Spanned<f64>>,
    /// Greatest random value [default: 1].
    #[schemars(with = "Option<f64>")]
    pub high: Option<Spanned<f64>>,
    /// Seed of the random values; without it, from `--seed`.
    #[schemars(with = "Option<u64>")]
    pub seed: Option<Spanned<u64>>,
    /// File of raw little-endian data, or `.npy` of the buffer's type, with `init = "file"`.
    #[schemars(with = "Option<String>")]
    pub file: Option<Spanned<String>>,
    /// File of the raw little-endian data, or `.npy`, that it has to start with at the end; without it, it is not checked.
    #[schemars(with = "Option<String>")]
    pub expect: Option<Spanned<String>>,
    /// Floats may differ from what is expected by `absolute + relative * |expected|`; without both, the bytes are the same.
    #[schemars(with = "Option<f32>", range(min = 0))]
    pub absolute: Option<Spanned<f32>>,
    /// See `absolute`.
    #[schemars(with = "Option<f32>", range(min = 0))]
    pub relative: Option<Spanned<f32>>,
}

/// Type of a buffer's elements.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// Single-precision floats.
    #[default]
    F32,
    /// Unsigned 32-bit integers.
    U32,
    /// Signed 32-bit integers.
    S32,
    /// Unsigned 16-bit integers.
    U16,
    /// Bytes; structures are such, too.
    U8,
    /// Double-precision floats.
    F64,
    /// Unsigned 64-bit integers.
    U64,
    /// Signed 64-bit integers.
    S64,
}

/// What a buffer holds at the start.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Init {
    /// Zeros.
    Zero,
    /// `start`, `start + step`, ...
    Ramp,
    /// From `low` to `high`.
    Random,
    /// What is in `file`.
    File,
}

impl Element {
    /// Of one.
    pub fn bytes(self) -> usize {
        match self {
            Element::F64 | Element::U64 | Element::S64 => 8,
            Element::F32 | Element::U32 | Element::S32 => 4,
            Element::U16 => 2,
            Element::U8 => 1,
        }
    }

    /// Least and greatest value.
    pub fn range(self) -> (f64, f64) {
        match self {
            Element::F32 => (f32::MIN.into(), f32::MAX.into()),
            Element::U32 => (0.0, u32::MAX.into()),
            Element::S32 => (i32::MIN.into(), i32::MAX.into()),
            Element::U16 => (0.0, u16::MAX.into()),
            Element::U8 => (0.0, u8::MAX.into()),
            Element::F64 => (f64::MIN, f64::MAX),
            Element::U64 => (0.0, u64::MAX as f64),
            Element::S64 => (i64::MIN as f64, i64::MAX as f64),
        }
    }

    /// Little-endian bytes of a value of its range; integers lose what is behind the point.
    pub fn encode(self, value: f64) -> Vec<u8> {
        match self {
            Element::F32 => (value as f32).to_le_bytes().into(),
            Element::U32 => (value as u32).to_le_bytes().into(),
            Element::S32 => (value as i32).to_le_bytes().into(),
            Element::U16 => (value as u16).to_le_bytes().into(),
            Element::U8 => vec![value as u8],
            Element::F64 => value.to_le_bytes().into(),
            Element::U64 => (value as u64).to_le_bytes().into(),
            Element::S64 => (value as i64).to_le_bytes().into(),
        }
    }

    /// Least and greatest number, exactly, for people.
    pub fn limits(self) -> (String, String) {
        match self {
            Element::U64 => (u64::MIN.to_string(), u64::MAX.to_string()),
            Element::S64 => (i64::MIN.to_string(), i64::MAX.to_string()),
            Element::F32 | Element::F64 => {
                let (low, high) = self.range();
                (format!("{low:e}"), format!("{high:e}"))
            }
            _ => {
                let (low, high) = self.range();
                (low.to_string(), high.to_string())
            }
        }
    }

    /// Little-endian bytes of a number that is in its range, exactly; floats may be infinite or no number.
    pub fn encode_toml(self, value: &toml::Value) -> Option<Vec<u8>> {
        let (low, high) = self.range();
        match *value {
            toml::Value::Integer(integer) => match self {
                Element::U64 => Some(u64::try_from(integer).ok()?.to_le_bytes().into()),
                Element::S64 => Some(integer.to_le_bytes().into()),
                _ => (low..=high).contains(&(integer as f64)).then(|| self.encode(integer as f64)),
            },
            toml::Value::Float(float) if self.is_float() => {
                (!float.is_finite() || (low..=high).contains(&float)).then(|| self.encode(float))
            }
            _ => None,
        }
    }

    /// Floats, of either precision.
    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F64)
    }
}

/// A number, or a list of one to three.
fn shape(most: [u64; 3]) -> Schema {
    let number = |most: u64| json_schema!({ "type": "integer", "minimum": 1, "maximum": most });
    json_schema!({
        "anyOf": [
            number(most[0]),
            { "type": "array", "prefixItems": most.map(number), "items": false, "minItems": 1, "maxItems": 3 },
        ],
    })
}

fn grid(_: &mut SchemaGenerator) -> Schema {
    shape([crate::launch::GRID_X.into(), 65_535, 65_535])
}

fn block(_: &mut SchemaGenerator) -> Schema {
    shape([BLOCK_THREADS.into(), BLOCK_THREADS.into(), 64])
}

fn arguments(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": ["string", "number"] } })
}
