//! Tables of numbers as Apache Parquet, after the specification of the format (github.com/apache/parquet-format).
//!
//! ```text
//!  "PAR1" | column: page, page ... | column | ... | FileMetaData | its length | "PAR1"
//!           page: PageHeader, values in DELTA_BINARY_PACKED: what is constant takes half a bit a value
//! ```
//!
//! All that a table of counters needs, and no more: one row group, integers of 64 bits without sign, no value missing,
//! no compression. A column is encoded while it grows, so a long run costs little memory. The library of Apache Arrow is
//! a tenth of the release build; tests read these files with it. [`super::parquet_reader`] reads them back.
//! [`super::frame`] has tables of other values.
//!
//! Tests: `tests/chip/statistics.rs`.

use crate::varint::varint;
use serde::{Deserialize, Serialize};

/// Rows of a page; its length is a number of 32 bits.
pub(super) const PAGE: u32 = 1 << 20;
/// Differences that are packed together.
pub(super) const BLOCK: usize = 128;
/// Differences that have as many bits each.
pub(super) const MINIBLOCK: usize = 32;
pub(super) const MINIBLOCKS: usize = BLOCK / MINIBLOCK;

pub(super) const MAGIC: &[u8] = b"PAR1";

// Numbers of the specification.
pub(super) const INT64: i32 = 2;
pub(super) const REQUIRED: i32 = 0;
pub(super) const UINT_64: i32 = 14;
pub(super) const UNCOMPRESSED: i32 = 0;
pub(super) const DATA_PAGE: i32 = 0;
pub(super) const RLE: i32 = 3;
pub(super) const DELTA_BINARY_PACKED: i32 = 5;

/// A table with named columns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    columns: Vec<Column>,
}

/// A column, encoded so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Column {
    name: String,
    /// Pages that are complete, with their headers.
    pages: Vec<u8>,
    rows: u64,
    page: Page,
}

/// A page that is being filled.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Page {
    rows: u32,
    first: u64,
    last: u64,
    /// Of a block that is not complete.
    differences: Vec<i64>,
    blocks: Vec<u8>,
}

impl Table {
    /// Without rows.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self { columns: names.into_iter().map(|name| Column { name, ..Column::default() }).collect() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.columns.first().map_or(0, |column| column.rows)
    }

    /// Adds a row, with a value for each column.
    pub fn push(&mut self, row: impl IntoIterator<Item = u64>) {
        self.columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }

    /// The file.
    pub fn file(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        let mut chunks = vec![];
        for column in &self.columns {
            let at = file.len();
            file.extend_from_slice(&column.pages);
            column.page.finish(&mut file);
            chunks.push(column.chunk(at, file.len() - at));
        }
        let schema = self.columns.iter().map(Column::schema).collect();
        finished(file, "statistics", self.rows(), schema, chunks)
    }
}

/// The file with its footer behind the pages: one row group of columns.
pub(super) fn finished(mut file: Vec<u8>, name: &str, rows: u64, schema: Vec<Struct>, chunks: Vec<Struct>) -> Vec<u8> {
    let bytes = (file.len() - MAGIC.len()) as i64;
    let rows = rows as i64;
    let root = Struct::default().binary(4, name).i32(5, schema.len() as i32);
    let group = || Struct::default().structs(1, chunks).i64(2, bytes).i64(3, rows);
    let groups = if rows == 0 { vec![] } else { vec![group()] };
    let about = Struct::default()
        .i32(1, 2)
        .structs(2, [root].into_iter().chain(schema).collect())
        .i64(3, rows)
        .structs(4, groups)
        .binary(6, concat!("warpmesh ", env!("CARGO_PKG_VERSION")))
        .end();
    file.extend_from_slice(&about);
    file.extend_from_slice(&(about.len() as u32).to_le_bytes());
    file.extend_from_slice(MAGIC);
    file
}

impl Column {
    fn push(&mut self, value: u64) {
        self.rows += 1;
        self.page.push(value);
        if self.page.rows == PAGE {
            std::mem::take(&mut self.page).finish(&mut self.pages);
        }
    }

    /// SchemaElement.
    fn schema(&self) -> Struct {
        let without_sign = Struct::default().i8(1, 64).no(2);
        Struct::default()
            .i32(1, INT64)
            .i32(3, REQUIRED)
            .binary(4, &self.name)
            .i32(6, UINT_64)
            .structure(10, Struct::default().structure(10, without_sign))
    }

    /// ColumnChunk, so many bytes from there on.
    fn chunk(&self, at: usize, bytes: usize) -> Struct {
        let (at, bytes) = (at as i64, bytes as i64);
        let about = Struct::default()
            .i32(1, INT64)
            .i32s(2, &[DELTA_BINARY_PACKED])
            .binaries(3, &[&self.name])
            .i32(4, UNCOMPRESSED)
            .i64(5, self.rows as i64)
            .i64(6, bytes)
            .i64(7, bytes)
            .i64(9, at);
        Struct::default().i64(2, at).structure(3, about)
    }
}

impl Page {
    fn push(&mut self, value: u64) {
        if self.rows == 0 {
            self.first = value;
        } else {
            self.differences.push(value.wrapping_sub(self.last) as i64);
        }
        if self.differences.len() == BLOCK {
            block(&self.differences, &mut self.blocks);
            self.differences.clear();
        }
        self.last = value;
        self.rows += 1;
    }

    /// Appends it with its header to `into`; nothing, when it has no rows.
    fn finish(&self, into: &mut Vec<u8>) {
        if self.rows == 0 {
            return;
        }
        let mut values = vec![];
        for number in [BLOCK as u64, MINIBLOCKS as u64, self.rows.into(), zigzag(self.first as i64)] {
            varint(number, &mut values);
        }
        values.extend_from_slice(&self.blocks);
        if !self.differences.is_empty() {
            block(&self.differences, &mut values);
        }
        let bytes = values.len() as i32;
        let page = Struct::default().i32(1, self.rows as i32).i32(2, DELTA_BINARY_PACKED).i32(3, RLE).i32(4, RLE);
        let header = Struct::default().i32(1, DATA_PAGE).i32(2, bytes).i32(3, bytes).structure(5, page);
        into.extend_from_slice(&header.end());
        into.extend_from_slice(&values);
    }
}

/// A block of at most [`BLOCK`] differences: the least of them, the bits of each miniblock, and how much more the
/// differences are. Miniblocks without any have no bits.
fn block(differences: &[i64], into: &mut Vec<u8>) {
    let least = differences.iter().copied().min().unwrap_or(0);
    varint(zigzag(least), into);
    let miniblocks: Vec<Vec<u64>> = differences
        .chunks(MINIBLOCK)
        .map(|miniblock| miniblock.iter().map(|difference| difference.wrapping_sub(least) as u64).collect())
        .collect();
    let bits = |miniblock: &Vec<u64>| 64 - miniblock.iter().fold(0, |all, more| all | more).leading_zeros();
    let bits: Vec<u32> = miniblocks.iter().map(bits).collect();
    into.extend((0..MINIBLOCKS).map(|at| bits.get(at).map_or(0, |&bits| bits as u8)));
    miniblocks.iter().zip(bits).for_each(|(miniblock, bits)| pack(miniblock, bits, into));
}

/// So many bits of each value, the first one lowest; a whole miniblock.
fn pack(values: &[u64], bits: u32, into: &mut Vec<u8>) {
    let (mut held, mut filled) = (0u128, 0);
    for value in values.iter().copied().chain(std::iter::repeat(0)).take(MINIBLOCK) {
        held |= u128::from(value) << filled;
        filled += bits;
        while filled >= 8 {
            into.push(held as u8);
            held >>= 8;
            filled -= 8;
        }
    }
}

/// Small numbers of either sign as small ones without.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// A structure in Thrift's compact protocol; its fields are added in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

/// Kinds of fields.
pub(super) mod kind {
    pub const FALSE: u8 = 2;
    pub const I8: u8 = 3;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const STRUCT: u8 = 12;
}

impl Struct {
    fn field(mut self, number: u8, kind: u8, content: &[u8]) -> Self {
        self.bytes.push((number - self.last) << 4 | kind);
        self.bytes.extend_from_slice(content);
        self.last = number;
        self
    }

    fn no(self, number: u8) -> Self {
        self.field(number, kind::FALSE, &[])
    }

    fn i8(self, number: u8, value: i8) -> Self {
        self.field(number, kind::I8, &value.to_le_bytes())
    }

    pub(super) fn i32(self, number: u8, value: i32) -> Self {
        self.field(number, kind::I32, &integer(value.into()))
    }

    pub(super) fn i64(self, number: u8, value: i64) -> Self {
        self.field(number, kind::I64, &integer(value))
    }

    pub(super) fn binary(self, number: u8, text: &str) -> Self {
        self.field(number, kind::BINARY, &binary(text))
    }

    pub(super) fn structure(self, number: u8, content: Self) -> Self {
        self.field(number, kind::STRUCT, &content.end())
    }

    fn list(self, number: u8, kind: u8, elements: &[Vec<u8>]) -> Self {
        let mut content = vec![];
        match elements.len() {
            few @ 0..15 => content.push((few as u8) << 4 | kind),
            many => {
                content.push(0xf0 | kind);
                varint(many as u64, &mut content);
            }
        }
        elements.iter().for_each(|element| content.extend_from_slice(element));
        self.field(number, kind::LIST, &content)
    }

    fn structs(self, number: u8, elements: Vec<Self>) -> Self {
        let elements: Vec<_> = elements.into_iter().map(Self::end).collect();
        self.list(number, kind::STRUCT, &elements)
    }

    pub(super) fn i32s(self, number: u8, elements: &[i32]) -> Self {
        let elements: Vec<_> = elements.iter().map(|&element| integer(element.into())).collect();
        self.list(number, kind::I32, &elements)
    }

    pub(super) fn binaries(self, number: u8, elements: &[&str]) -> Self {
        let elements: Vec<_> = elements.iter().map(|element| binary(element)).collect();
        self.list(number, kind::BINARY, &elements)
    }

    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn integer(value: i64) -> Vec<u8> {
    let mut bytes = vec![];
    varint(zigzag(value), &mut bytes);
    bytes
}

fn binary(text: &str) -> Vec<u8> {
    let mut bytes = vec![];
    varint(text.len() as u64, &mut bytes);
    bytes.extend_from_slice(text.as_bytes());
    bytes
}
