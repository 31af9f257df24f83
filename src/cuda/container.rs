//! How PTX lies in an executable: in the place where nvcc puts what it calls a fat binary.
//!
//! `WMPTX002`, a word of flags (1: names are those of the program, `-rdc=true`), then two texts with their lengths
//! before them: the name of the source file, and the PTX. Words have 8 bytes, little-endian.

use program::link::PtxUnit;

/// First bytes.
const MAGIC: &[u8; 8] = b"WMPTX002";
/// PTX of more bytes is none of ours.
const LARGEST: u64 = 1 << 32;

/// The container of a file's PTX.
pub fn pack(unit: &PtxUnit) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    [MAGIC, &u64::from(unit.relocatable).to_le_bytes()[..], &text(&unit.file), &text(&unit.text)].concat()
}

/// What is in the container at an address.
///
/// # Safety
/// `at` points to a container, or to at least 8 readable bytes.
pub unsafe fn unpack(at: *const u8) -> Option<PtxUnit> {
    // SAFETY: as promised; lengths are believed once the first bytes are right.
    unsafe {
        if at.is_null() || std::slice::from_raw_parts(at, MAGIC.len()) != MAGIC {
            return None;
        }
        let word = |from: *const u8| Some(u64::from_le_bytes(std::slice::from_raw_parts(from, 8).try_into().ok()?));
        let text = |from: *const u8| {
            let length = word(from)?;
            let bytes = (length <= LARGEST).then(|| std::slice::from_raw_parts(from.add(8), length as usize))?;
            Some((std::str::from_utf8(bytes).ok()?.to_string(), from.add(8 + bytes.len())))
        };
        let flags = word(at.add(8))?;
        let (file, behind) = text(at.add(16))?;
        Some(PtxUnit { file, text: text(behind)?.0, relocatable: flags & 1 != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        for relocatable in [false, true] {
            let packed = pack(&PtxUnit { file: "a.cu".into(), text: ".version 3.2\n".into(), relocatable });
            // SAFETY: a container.
            let unit = unsafe { unpack(packed.as_ptr()) }.expect("it is one");
            assert_eq!((&*unit.file, &*unit.text, unit.relocatable), ("a.cu", ".version 3.2\n", relocatable));
        }
        // SAFETY: 8 bytes.
        assert!(unsafe { unpack([0; 8].as_ptr()) }.is_none());
    }
}
