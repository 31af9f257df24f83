//! Buffers against what they have to hold: all differences counted, the first ones shown.

use super::super::launch_file::Element;
use std::fmt;

/// Differences that are shown.
const SHOWN: usize = 10;

/// How close floats have to be: `|x - expected| <= absolute + relative |expected|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// Absolute part.
    pub absolute: f64,
    /// Relative part.
    pub relative: f64,
}

/// An element that is not what it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its index in the buffer.
    pub index: usize,
    /// What it is.
    pub found: String,
    /// What it has to be.
    pub expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element {}: found {}, expected {}", self.index, self.found, self.expected)
    }
}

/// What a comparison has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferComparison {
    /// Elements that were compared.
    pub count: usize,
    /// Those of them that are wrong.
    pub wrong: usize,
    /// The first ones of these.
    pub first: Vec<Difference>,
}

/// Compares elements of a type, of which the first has index `first` in its buffer.
pub fn compare(
    ty: Element,
    first: usize,
    found: &[u8],
    expected: &[u8],
    closeness: Option<Closeness>,
) -> BufferComparison {
    let size = ty.bytes();
    let mut comparison = BufferComparison { count: expected.len() / size, wrong: 0, first: vec![] };
    for (i, (found, expected)) in found.chunks(size).zip(expected.chunks(size)).enumerate() {
        if same(ty, found, expected, closeness) {
            continue;
        }
        comparison.wrong += 1;
        if comparison.first.len() < SHOWN {
            let (found, expected) = (show(ty, found), show(ty, expected));
            comparison.first.push(Difference { index: first + i, found, expected });
        }
    }
    comparison
}

fn same(ty: Element, found: &[u8], expected: &[u8], closeness: Option<Closeness>) -> bool {
    let Some(Closeness { absolute, relative }) = closeness else { return found == expected };
    let (Some(found), Some(expected)) = (float(ty, found), float(ty, expected)) else { return found == expected };
    if found == expected || found.is_nan() && expected.is_nan() {
        return true;
    }
    expected.is_finite() && (found - expected).abs() <= absolute + relative * expected.abs()
}

/// The value of a float.
fn float(ty: Element, bytes: &[u8]) -> Option<f64> {
    match ty {
        Element::F32 => Some(f32::from_le_bytes(bytes.try_into().ok()?).into()),
        Element::F64 => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
        _ => None,
    }
}

/// An element as text.
pub fn show(ty: Element, bytes: &[u8]) -> String {
    let mut word = [0; 8];
    word[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
    let word = u64::from_le_bytes(word);
    match ty {
        Element::F32 => format!("{:?}", f32::from_bits(word as u32)),
        Element::F64 => format!("{:?}", f64::from_bits(word)),
        Element::S32 => (word as i32).to_string(),
        Element::S64 => (word as i64).to_string(),
        Element::U64 | Element::U32 | Element::U16 | Element::U8 => word.to_string(),
    }
}
