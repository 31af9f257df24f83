//! Places in buffers that steps have names for: whole buffers, and fields of structures.

use super::super::launch_file::{Element, LaunchFileError, LaunchFileReader};
use super::format::StructureSpec;
use std::ops::Range;

/// Elements that steps have a name for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedElements {
    /// The name: of a buffer, or `structure.field`.
    pub name: String,
    /// Index of the buffer.
    pub buffer: usize,
    /// Of an element.
    pub ty: Element,
    /// Elements.
    pub elements: usize,
    /// Bytes before the first one.
    pub offset: usize,
    /// Elements that lie together.
    pub together: usize,
    /// Bytes from such a group to the next.
    pub stride: usize,
}

impl NamedElements {
    /// All of a buffer of so many bytes.
    pub fn whole(name: &str, buffer: usize, ty: Element, bytes: usize) -> Self {
        let elements = bytes / ty.bytes();
        Self { name: name.into(), buffer, ty, elements, offset: 0, together: elements, stride: bytes }
    }

    /// Bytes in the buffer of each run of elements that lie together, from element `index` on, `count` elements.
    pub fn runs(&self, index: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
        let (size, end) = (self.ty.bytes(), index + count);
        let mut at = index;
        std::iter::from_fn(move || {
            let within = at % self.together;
            let length = (self.together - within).min(end.checked_sub(at).filter(|&left| left > 0)?);
            let start = self.offset + at / self.together * self.stride + within * size;
            at += length;
            Some(start..start + length * size)
        })
    }
}

/// A field in its structure: offset and elements.
struct StructField {
    offset: usize,
    count: usize,
}

/// Where fields are, and the bytes of a structure.
fn layout(
    reader: &LaunchFileReader,
    spec: &StructureSpec,
    room: usize,
) -> Result<(Vec<StructField>, usize), LaunchFileError> {
    let (mut fields, mut end, mut strictest) = (Vec::new(), 0usize, 1);
    for field in &spec.field {
        let count = field.count.as_ref().map_or(1, |count| *count.get_ref());
        if let Some(given) = field.count.as_ref().filter(|_| !(1..=65_536).contains(&count)) {
            let message = format!("invalid value {count} for `count`");
            return Err(reader.mistake(given.span(), message, Some("allowed: 1 to 65536".into())));
        }
        let align = field.align.as_ref().map_or(field.ty.bytes() as u64, |align| *align.get_ref());
        if let Some(given) = field.align.as_ref().filter(|_| !align.is_power_of_two() || align > 128) {
            let message = format!("invalid value {align} for `align`");
            return Err(reader.mistake(given.span(), message, Some("allowed: a power of two, 1 to 128".into())));
        }
        let align = align as usize;
        let offset = end.next_multiple_of(align);
        let count = count as usize;
        end = offset + count * field.ty.bytes();
        strictest = strictest.max(align);
        fields.push(StructField { offset, count });
    }
    let bytes = end.next_multiple_of(strictest);
    let count = *spec.count.get_ref();
    if count == 0 || count.saturating_mul(bytes as u64) > room as u64 {
        let message = format!("invalid value {count} for `count`");
        let help = format!("allowed: 1 to {}: a structure has {bytes} bytes, {room} are left", room / bytes.max(1));
        return Err(reader.mistake(spec.count.span(), message, Some(help)));
    }
    Ok((fields, bytes))
}

/// Contents of a buffer of structures, index `buffer`, and the places of its fields. `room` bytes are left.
pub fn read(
    reader: &LaunchFileReader,
    spec: &StructureSpec,
    buffer: usize,
    seed: u64,
    room: usize,
) -> Result<(Vec<u8>, Vec<NamedElements>), LaunchFileError> {
    let name = spec.name.get_ref();
    if spec.field.is_empty() {
        let help = "add fields: [[structure.field]]";
        return Err(reader.mistake(spec.name.span(), format!("structure `{name}` has no fields"), Some(help.into())));
    }
    let (fields, stride) = layout(reader, spec, room)?;
    let structures = *spec.count.get_ref() as usize;
    let mut data = vec![0; structures * stride];
    let mut places = Vec::<NamedElements>::new();
    for (StructField { offset, count }, field) in fields.into_iter().zip(&spec.field) {
        let full = format!("{name}.{}", field.name.get_ref());
        let well_formed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !field.name.get_ref().chars().all(well_formed) || field.name.get_ref().is_empty() {
            let message = format!("`{}` cannot be the name of a field", field.name.get_ref());
            return Err(reader.mistake(field.name.span(), message, Some("allowed: letters, digits and `_`".into())));
        }
        if places.iter().any(|place| place.name == full) {
            return Err(reader.mistake(field.name.span(), format!("field `{full}` is there twice"), None));
        }
        let elements = structures * count;
        let place = NamedElements { name: full, buffer, ty: field.ty, elements, offset, together: count, stride };
        let of_all = toml::Spanned::new(spec.count.span(), elements as u64);
        let contents = reader.contents(&field.buffer(of_all), seed.wrapping_add(places.len() as u64), room)?;
        for (run, bytes) in place.runs(0, elements).zip(contents.chunks(count * field.ty.bytes())) {
            data[run].copy_from_slice(bytes);
        }
        places.push(place);
    }
    Ok((data, places))
}
