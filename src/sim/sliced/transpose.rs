//! Bit-matrix transposition between planes (one word per bit, lane = bit of the word) and lanes (one byte per lane).
//!
//! Eight planes and 64 bytes hold the same 512 bits. On processors with AVX-512BW a plane is a mask register, so both directions
//! take one or two instructions a plane; elsewhere a portable version works byte by byte.

use std::mem::MaybeUninit;

/// 64 lanes of one byte.
pub(super) type Column = [u8; 64];

/// Both directions, as this processor does them best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transpose {
    wide: bool,
}

impl Transpose {
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self {
            wide: is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt"),
        };
        #[cfg(not(target_arch = "x86_64"))]
        return Self { wide: false };
    }

    /// The processor has AVX-512F and BW, BMI1, BMI2 and POPCNT.
    pub fn is_wide(self) -> bool {
        self.wide
    }

    /// Up to eight planes, lowest bit first, as the bytes of the lanes; all of `out` is written.
    #[inline(always)]
    pub fn lanes(self, planes: &[u64], out: &mut MaybeUninit<Column>) {
        debug_assert!(planes.len() <= 8, "a byte has eight bits");
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: `wide` says that the processor has AVX-512F and BW.
            unsafe { wide::lanes(planes, out) };
            return;
        }
        out.write(portable_lanes(planes));
    }
}

impl Transpose {
    /// The low `count` bits of words of the lanes as planes; calls `plane` with each bit and its plane.
    #[inline(always)]
    pub fn words(self, words: &[u64; 64], count: usize, mut plane: impl FnMut(usize, u64)) {
        let mut planes = [const { MaybeUninit::uninit() }; 64];
        let planes = self.all_planes(words, &mut planes[..count.min(64)]);
        planes.iter().enumerate().for_each(|(bit, &value)| plane(bit, value));
    }

    #[inline(always)]
    fn all_planes<'a>(self, words: &[u64; 64], planes: &'a mut [MaybeUninit<u64>]) -> &'a [u64] {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: `wide` says that the processor has AVX-512F and BW; all planes are written.
            return unsafe {
                wide::all_planes(words, planes);
                planes.assume_init_ref()
            };
        }
        planes.fill(MaybeUninit::new(0));
        // SAFETY: all planes are written.
        let planes = unsafe { planes.assume_init_mut() };
        for (byte, planes) in planes.chunks_mut(8).enumerate() {
            portable_planes(&std::array::from_fn(|lane| (words[lane] >> (8 * byte)) as u8), planes);
        }
        planes
    }
}

/// Bit `i` of a byte spread to the lowest bit of byte `i`.
fn spread(byte: u64) -> u64 {
    // Copies of the byte, one bit of each, then that bit to the bottom of its byte.
    let copies = byte.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (copies + 0x0040_6070_787c_7e7f) >> 7 & 0x0101_0101_0101_0101
}

fn portable_lanes(planes: &[u64]) -> Column {
    let mut out = [0; 64];
    for (group, bytes) in out.chunks_exact_mut(8).enumerate() {
        let mut eight = 0;
        for (bit, plane) in planes.iter().enumerate() {
            eight |= spread(plane >> (8 * group) & 0xff) << bit;
        }
        bytes.copy_from_slice(&eight.to_le_bytes());
    }
    out
}

fn portable_planes(lanes: &Column, planes: &mut [u64]) {
    planes.fill(0);
    for (group, bytes) in lanes.chunks_exact(8).enumerate() {
        let eight = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        for (bit, plane) in planes.iter_mut().enumerate() {
            // The lowest bits of eight bytes meet in the top byte of the product.
            let low = eight >> bit & 0x0101_0101_0101_0101;
            *plane |= (low.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * group);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::Column;
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    /// # Safety
    /// The processor has AVX-512F and AVX-512BW.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe fn lanes(planes: &[u64], out: &mut MaybeUninit<Column>) {
        let mut bytes = _mm512_setzero_si512();
        for (bit, &plane) in planes.iter().enumerate() {
            bytes = _mm512_or_si512(bytes, _mm512_maskz_set1_epi8(plane, 1 << bit));
        }
        // SAFETY: a column has the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), bytes) };
    }

    /// # Safety
    /// The processor has AVX-512F and AVX-512BW.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe fn all_planes(words: &[u64; 64], planes: &mut [MaybeUninit<u64>]) {
        let eight = |group: usize| {
            // SAFETY: there are eight groups of eight words.
            unsafe { _mm512_loadu_si512(words.as_ptr().add(8 * group).cast()) }
        };
        let eights: [__m512i; 8] = std::array::from_fn(eight);
        for (byte, planes) in planes.chunks_mut(8).enumerate() {
            let shift = _mm_cvtsi32_si128(8 * byte as i32);
            let bytes = eights.map(|eight| _mm512_cvtepi64_epi8(_mm512_srl_epi64(eight, shift)));
            let pair = |i: usize| _mm_unpacklo_epi64(bytes[2 * i], bytes[2 * i + 1]);
            let low = _mm256_set_m128i(pair(1), pair(0));
            let high = _mm256_set_m128i(pair(3), pair(2));
            let column = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
            for (bit, plane) in planes.iter_mut().enumerate() {
                plane.write(_mm512_test_epi8_mask(column, _mm512_set1_epi8((1u8 << bit) as i8)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_are_the_definition_and_each_other_backwards() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for count in 1..=8 {
            for _ in 0..200 {
                let planes: Vec<u64> = (0..count).map(|_| random()).collect();
                let expected: Vec<u8> = (0..64)
                    .map(|lane| planes.iter().enumerate().map(|(b, p)| ((p >> lane & 1) as u8) << b).sum())
                    .collect();
                for transpose in [Transpose { wide: false }, Transpose::detect()] {
                    let mut lanes = MaybeUninit::uninit();
                    transpose.lanes(&planes, &mut lanes);
                    // SAFETY: all of it is written.
                    let lanes = unsafe { lanes.assume_init() };
                    assert_eq!(lanes[..], expected[..], "{transpose:?}");
                    let words: [u64; 64] = std::array::from_fn(|lane| u64::from(lanes[lane]) << 11 | 7);
                    let mut found = vec![0; 11 + count];
                    transpose.words(&words, 11 + count, |bit, plane| found[bit] = plane);
                    assert_eq!(found[11..], planes[..], "{transpose:?}");
                    assert_eq!(found[..4], [u64::MAX, u64::MAX, u64::MAX, 0], "{transpose:?}");
                }
            }
        }
    }
}
