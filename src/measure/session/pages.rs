//! What a launch has changed in memory, by pages: buffer, offset, length and contents of each.

use program::Buffer;

/// Bytes that are kept or not kept together.
pub(super) const PAGE: usize = 4096;

/// Appends the pages of buffers, each before and after the launch, that differ.
pub(super) fn put_changes<'d>(to: &mut Vec<u8>, buffers: impl IntoIterator<Item = (&'d [u8], &'d [u8])>) {
    let number = |to: &mut Vec<u8>, number: u64| to.extend(number.to_le_bytes());
    for (i, (before, after)) in buffers.into_iter().enumerate() {
        for (page, (before, after)) in before.chunks(PAGE).zip(after.chunks(PAGE)).enumerate() {
            if before != after {
                number(to, i as u64);
                number(to, (page * PAGE) as u64);
                number(to, after.len() as u64);
                to.extend(after);
            }
        }
    }
}

/// Puts pages into memory; `None` when they are no pages of these buffers, which are then of no use.
pub(super) fn apply_changes(mut rest: &[u8], buffers: &mut [Buffer]) -> Option<()> {
    while !rest.is_empty() {
        let [buffer, at, bytes] = [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?].map(|n| n as usize);
        let (page, behind) = rest.split_at_checked(bytes)?;
        buffers.get_mut(buffer)?.data.get_mut(at..at.checked_add(bytes)?)?.copy_from_slice(page);
        rest = behind;
    }
    Some(())
}

/// The number that bytes begin with, which is taken from them.
pub(super) fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (word, behind) = bytes.split_first_chunk()?;
    *bytes = behind;
    Some(u64::from_le_bytes(*word))
}
