//! For every processor.

use super::Lanes;
use std::mem::MaybeUninit;

#[derive(Clone, Copy)]
pub(in super::super) struct Portable;

impl Lanes for Portable {
    type Sixteen = [u32; 16];

    #[inline(always)]
    fn load(self, from: &[u32; 16]) -> [u32; 16] {
        *from
    }

    #[inline(always)]
    fn store(self, places: [u32; 16], to: &mut [u32; 16]) {
        *to = places;
    }

    #[inline(always)]
    fn all(self, place: u32) -> [u32; 16] {
        [place; 16]
    }

    #[inline(always)]
    fn sum(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn moved(self, places: [u32; 16], lanes: u16, step: u32) -> [u32; 16] {
        std::array::from_fn(|i| places[i].wrapping_add(step & everywhere(lanes, i)))
    }

    #[inline(always)]
    fn choose(self, places: [u32; 16], lanes: u16, other: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| places[i] ^ (places[i] ^ other[i]) & everywhere(lanes, i))
    }

    #[inline(always)]
    fn below(self, places: [u32; 16], limit: u32) -> u16 {
        (0..16).fold(0, |below, i| below | u16::from(places[i] < limit) << i)
    }

    #[inline(always)]
    fn pack(self, places: [u32; 16], lanes: u16, to: &mut [MaybeUninit<u32>; 16]) {
        let mut count = 0;
        for (lane, place) in places.into_iter().enumerate() {
            to[count].write(place);
            count += usize::from(lanes >> lane & 1);
        }
    }

    #[inline(always)]
    fn words(self, planes: &[u64], lanes: usize, words: &mut [u64; 64]) {
        for eight in 0..lanes.div_ceil(8) {
            let words = &mut words[8 * eight..8 * eight + 8];
            words.fill(0);
            for (byte, planes) in planes.chunks(8).enumerate() {
                let bits = planes.iter().enumerate();
                let bytes = bits.fold(0, |all, (bit, plane)| all | spread(plane >> (8 * eight) & 0xff) << bit);
                let bytes = bytes.to_le_bytes().into_iter();
                words.iter_mut().zip(bytes).for_each(|(word, value)| *word |= u64::from(value) << (8 * byte));
            }
        }
    }

    #[inline(always)]
    unsafe fn planes<const N: usize>(
        self,
        store: *const u64,
        places: &[[u32; 16]; N],
        lanes: usize,
        count: usize,
        mut plane: impl FnMut(usize, u64),
    ) {
        let (mut words, mut planes) = ([0; 64], [0; 64]);
        for (word, &place) in words.iter_mut().zip(places.as_flattened()).take(lanes) {
            // SAFETY: the caller's care.
            *word = unsafe { *store.add(place as usize) };
        }
        for (eight, words) in words.chunks_exact(8).enumerate().take(lanes.div_ceil(8)) {
            for (byte, planes) in planes[..count].chunks_mut(8).enumerate() {
                let bytes = u64::from_le_bytes(std::array::from_fn(|lane| (words[lane] >> (8 * byte)) as u8));
                for (bit, plane) in planes.iter_mut().enumerate() {
                    // The lowest bits of eight bytes meet in the top byte of the product.
                    let low = bytes >> bit & 0x0101_0101_0101_0101;
                    *plane |= (low.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * eight);
                }
            }
        }
        planes[..count].iter().copied().enumerate().for_each(|(bit, value)| plane(bit, value));
    }
}

/// All ones if the lane is one of `lanes`.
#[inline(always)]
fn everywhere(lanes: u16, lane: usize) -> u32 {
    0u32.wrapping_sub(u32::from(lanes >> lane & 1))
}

/// Bit `i` of a byte spread to the lowest bit of byte `i`.
#[inline(always)]
fn spread(byte: u64) -> u64 {
    // Copies of the byte, one bit of each, then that bit to the bottom of its byte.
    let copies = byte.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (copies + 0x0040_6070_787c_7e7f) >> 7 & 0x0101_0101_0101_0101
}
