//! Files of numpy (`.npy`): a header that tells type and shape, then raw data.

use super::Element;

/// Bytes of a header that are read at most.
pub const LONGEST_HEADER: usize = 1 << 16;

/// What every file begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// How numpy calls a type.
fn name_of(ty: Element) -> &'static str {
    match ty {
        Element::F32 => "<f4",
        Element::F64 => "<f8",
        Element::U64 => "<u8",
        Element::S64 => "<i8",
        Element::U32 => "<u4",
        Element::S32 => "<i4",
        Element::U16 => "<u2",
        Element::U8 => "|u1",
    }
}

/// The data of a file, whose elements have to be of type `ty`.
///
/// # Errors
/// What is wrong with the file.
pub fn data(file: &[u8], ty: Element) -> Result<&[u8], String> {
    let rest = file.strip_prefix(MAGIC).ok_or("it is no `.npy` file")?;
    let (length, rest) = match rest {
        [1, _, low, high, rest @ ..] => (usize::from(u16::from_le_bytes([*low, *high])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err("its version is none of 1, 2, 3".into()),
    };
    let (header, data) = rest.split_at_checked(length).ok_or("it ends within its header")?;
    let header = String::from_utf8_lossy(header);
    let value = |key: &str| {
        let (_, behind) = header.split_once(&format!("'{key}':")).ok_or(format!("its header has no `{key}`"))?;
        Ok::<_, String>(behind.trim_start())
    };
    let found = value("descr")?.trim_start_matches('\'').split('\'').next().unwrap_or_default();
    if found != name_of(ty) {
        return Err(format!("its elements are of type {found}, not {}", name_of(ty)));
    }
    if !value("fortran_order")?.starts_with("False") {
        return Err("it is in order of Fortran".into());
    }
    let shape = value("shape")?.trim_start_matches('(').split(')').next().unwrap_or_default();
    let sides = shape.split(',').map(str::trim).filter(|side| !side.is_empty());
    let elements = sides.map(|side| side.parse::<usize>().ok()).try_fold(1usize, |all, side| all.checked_mul(side?));
    match elements.and_then(|elements| elements.checked_mul(ty.bytes())) {
        Some(bytes) if bytes == data.len() => Ok(data),
        _ => Err(format!("its shape ({shape}) is not that of {} bytes", data.len())),
    }
}

/// A file of one dimension.
pub fn file(data: &[u8], ty: Element) -> Vec<u8> {
    let (name, count) = (name_of(ty), data.len() / ty.bytes());
    let header = format!("{{'descr': '{name}', 'fortran_order': False, 'shape': ({count},), }}");
    // Data starts at a multiple of 64, behind a line end.
    let before = MAGIC.len() + 4;
    let length = (before + header.len() + 1).next_multiple_of(64) - before;
    let header = format!("{header:<width$}\n", width = length - 1);
    [MAGIC, &[1, 0], &(length as u16).to_le_bytes(), header.as_bytes(), data].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for ty in [Element::F32, Element::F64, Element::U8, Element::S64] {
            let bytes = vec![7; 3 * ty.bytes()];
            let written = file(&bytes, ty);
            assert_eq!(data(&written, ty), Ok(bytes.as_slice()));
            assert_eq!((written.len() - bytes.len()) % 64, 0);
            for end in 0..written.len() {
                assert!(data(&written[..end], ty).is_err(), "{end}");
            }
            assert!(data(&written, Element::U16).is_err());
        }
    }
}
