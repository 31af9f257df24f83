//! How PTX lies in an executable: in the place where nvcc puts what it calls a fat binary.
//!
//! `WMPTX001`, then two texts with their lengths before them (8 bytes each, little-endian): the name of the source file, and the PTX.

/// First bytes.
const MAGIC: &[u8; 8] = b"WMPTX001";
/// PTX of more bytes is none of ours.
const LARGEST: u64 = 1 << 32;

/// The container of a file's PTX.
pub fn pack(file: &str, ptx: &str) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    [MAGIC, &text(file)[..], &text(ptx)].concat()
}

/// File name and PTX of a container at an address.
///
/// # Safety
/// `at` points to a container, or to at least 8 readable bytes.
pub unsafe fn unpack(at: *const u8) -> Option<(String, String)> {
    // SAFETY: as promised; lengths are believed once the first bytes are right.
    unsafe {
        if at.is_null() || std::slice::from_raw_parts(at, MAGIC.len()) != MAGIC {
            return None;
        }
        let text = |from: *const u8| {
            let length = u64::from_le_bytes(std::slice::from_raw_parts(from, 8).try_into().ok()?);
            let bytes = (length <= LARGEST).then(|| std::slice::from_raw_parts(from.add(8), length as usize))?;
            Some((std::str::from_utf8(bytes).ok()?.to_string(), from.add(8 + bytes.len())))
        };
        let (file, behind) = text(at.add(MAGIC.len()))?;
        Some((file, text(behind)?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        let packed = pack("a.cu", ".version 3.2\n");
        // SAFETY: a container, and 8 bytes that are none.
        unsafe {
            assert_eq!(unpack(packed.as_ptr()), Some(("a.cu".into(), ".version 3.2\n".into())));
            assert_eq!(unpack([0; 8].as_ptr()), None);
        }
    }
}
