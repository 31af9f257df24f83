//! Tables of numbers and texts in which values may be missing, as Apache Parquet.
//!
//! ```text
//!  page: PageHeader | length, which values are there (a bit each) | values that are there, PLAIN
//! ```
//!
//! One row group, one page a column, no compression. What has a value in each row and grows while a run goes is a
//! [`super::Table`].
//!
//! Tests: `tests/cli/studies.rs`, with Apache Arrow's library.

use super::parquet::{DATA_PAGE, INT64, MAGIC, RLE, Struct, UNCOMPRESSED, finished};
use crate::varint::varint;

// Numbers of the specification.
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;
const PLAIN: i32 = 0;

/// What is in a column; none: missing.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
}

/// A table with named columns of as many values.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// Its name in the file.
    pub name: &'static str,
    /// The columns.
    pub columns: Vec<(String, Values)>,
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    /// One value as text; empty: missing.
    pub fn shown(&self, row: usize) -> String {
        let text = match self {
            Self::Whole(values) => values[row].map(|value| value.to_string()),
            Self::Number(values) => values[row].map(|value| value.to_string()),
            Self::Text(values) => values[row].clone(),
        };
        text.unwrap_or_default()
    }

    fn kind(&self) -> i32 {
        match self {
            Self::Whole(_) => INT64,
            Self::Number(_) => DOUBLE,
            Self::Text(_) => BYTE_ARRAY,
        }
    }

    /// A page without its header.
    fn page(&self) -> Vec<u8> {
        fn of<T>(values: &[Option<T>], put: impl Fn(&T, &mut Vec<u8>)) -> Vec<u8> {
            let mut there = vec![];
            varint((values.len().div_ceil(8) as u64) << 1 | 1, &mut there);
            let bits = |eight: &[Option<T>]| {
                (0..).zip(eight).fold(0, |all, (at, value)| all | u8::from(value.is_some()) << at)
            };
            there.extend(values.chunks(8).map(bits));
            let mut page = (there.len() as u32).to_le_bytes().to_vec();
            page.extend(there);
            values.iter().flatten().for_each(|value| put(value, &mut page));
            page
        }
        match self {
            Self::Whole(values) => of(values, |value, page| page.extend(value.to_le_bytes())),
            Self::Number(values) => of(values, |value, page| page.extend(value.to_le_bytes())),
            Self::Text(values) => of(values, |value, page| {
                page.extend((value.len() as u32).to_le_bytes());
                page.extend(value.as_bytes());
            }),
        }
    }
}

impl Frame {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| values.len())
    }

    /// Names of its columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// As Parquet.
    pub fn parquet(&self) -> Vec<u8> {
        let (mut file, mut chunks, rows) = (MAGIC.to_vec(), vec![], self.rows());
        for (name, values) in &self.columns {
            let (at, page) = (file.len() as i64, values.page());
            let about = Struct::default().i32(1, rows as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
            let bytes = page.len() as i32;
            let header = Struct::default().i32(1, DATA_PAGE).i32(2, bytes).i32(3, bytes).structure(5, about);
            file.extend(header.end());
            file.extend(page);
            let bytes = file.len() as i64 - at;
            let about = Struct::default()
                .i32(1, values.kind())
                .i32s(2, &[PLAIN, RLE])
                .binaries(3, &[name])
                .i32(4, UNCOMPRESSED)
                .i64(5, rows as i64)
                .i64(6, bytes)
                .i64(7, bytes)
                .i64(9, at);
            chunks.push(Struct::default().i64(2, at).structure(3, about));
        }
        let schema = |(name, values): &(String, Values)| {
            let element = Struct::default().i32(1, values.kind()).i32(3, OPTIONAL).binary(4, name);
            match values {
                Values::Text(_) => {
                    element.i32(6, UTF8).structure(10, Struct::default().structure(1, Struct::default()))
                }
                _ => element,
            }
        };
        finished(file, self.name, rows as u64, self.columns.iter().map(schema).collect(), chunks)
    }
}
