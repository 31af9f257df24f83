//! Nets in the state of sixteen tiles: words of 32 bits, those of all tiles side by side.

use super::lower::limbs;

/// Tiles in a vector.
pub(super) const LANES: usize = 16;

/// Words of 32 bits that a word of the common layout takes.
pub(super) const WORD: usize = 2 * LANES;

/// A net's place in a tile (words of the common layout), and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub offset: u32,
    pub width: u32,
}

/// Copies a net of a lane out of interleaved words.
pub(super) fn get(from: &[u32], slot: Slot, lane: usize, to: &mut [u64]) {
    let at = slot.offset as usize * WORD + lane;
    assert!(at + (limbs(slot.width) - 1) * LANES < from.len());
    // SAFETY: the last word that is read is inside.
    unsafe { get_at(from.as_ptr(), slot, lane, to) }
}

/// Copies a net of a lane into interleaved words.
pub(super) fn set(to: &mut [u32], slot: Slot, lane: usize, from: &[u64]) {
    let at = slot.offset as usize * WORD + lane;
    assert!(at + (limbs(slot.width) - 1) * LANES < to.len());
    // SAFETY: the last word that is written is inside.
    unsafe { set_at(to.as_mut_ptr(), slot, lane, from) }
}

/// As [`get`].
///
/// # Safety
/// The words of the net are there.
pub(super) unsafe fn get_at(from: *const u32, slot: Slot, lane: usize, to: &mut [u64]) {
    // SAFETY: the caller's.
    unsafe {
        let from = from.add(slot.offset as usize * WORD + lane);
        if slot.width == 1 {
            to[0] = u64::from(*from & 1);
            return;
        }
        for limb in 0..limbs(slot.width) {
            let value = u64::from(*from.add(limb * LANES));
            if limb % 2 == 0 {
                to[limb / 2] = value;
            } else {
                to[limb / 2] |= value << 32;
            }
        }
    }
}

/// As [`set`].
///
/// # Safety
/// The words of the net are there.
pub(super) unsafe fn set_at(to: *mut u32, slot: Slot, lane: usize, from: &[u64]) {
    // SAFETY: the caller's.
    unsafe {
        let to = to.add(slot.offset as usize * WORD + lane);
        if slot.width == 1 {
            *to = if from[0] & 1 == 1 { u32::MAX } else { 0 };
            return;
        }
        for limb in 0..limbs(slot.width) {
            *to.add(limb * LANES) = (from[limb / 2] >> (32 * (limb % 2))) as u32;
        }
    }
}
