//! For processors with AVX-512.

use super::Lanes;
use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The processor has AVX-512F, BW and VL, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy)]
pub(in super::super) struct Wide(());

impl Wide {
    pub fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Self(()))
    }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "in all: a value of the type says that the processor has the instructions; what is read and written has the size"
)]
impl Lanes for Wide {
    type Sixteen = __m512i;

    #[inline(always)]
    fn load(self, from: &[u32; 16]) -> __m512i {
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, places: __m512i, to: &mut [u32; 16]) {
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), places) }
    }

    #[inline(always)]
    fn all(self, place: u32) -> __m512i {
        unsafe { _mm512_set1_epi32(place as i32) }
    }

    #[inline(always)]
    fn sum(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn moved(self, places: __m512i, lanes: u16, step: u32) -> __m512i {
        unsafe { _mm512_mask_add_epi32(places, lanes, places, _mm512_set1_epi32(step as i32)) }
    }

    #[inline(always)]
    fn choose(self, places: __m512i, lanes: u16, other: __m512i) -> __m512i {
        unsafe { _mm512_mask_mov_epi32(places, lanes, other) }
    }

    #[inline(always)]
    fn below(self, places: __m512i, limit: u32) -> u16 {
        unsafe { _mm512_cmplt_epu32_mask(places, _mm512_set1_epi32(limit as i32)) }
    }

    #[inline(always)]
    fn pack(self, places: __m512i, lanes: u16, to: &mut [MaybeUninit<u32>; 16]) {
        // To a register first: to memory it is slow on some processors.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(lanes, places)) }
    }

    #[inline(always)]
    fn words(self, planes: &[u64], lanes: usize, words: &mut [u64; 64]) {
        unsafe { to_words(planes, lanes, words) }
    }

    #[inline(always)]
    unsafe fn planes<const N: usize>(
        self,
        store: *const u64,
        places: &[__m512i; N],
        lanes: usize,
        count: usize,
        plane: impl FnMut(usize, u64),
    ) {
        unsafe { to_planes(store, places, lanes, count, plane) }
    }
}

/// # Safety
/// The processor has the instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn to_words(planes: &[u64], lanes: usize, words: &mut [u64; 64]) {
    let mut columns = [const { MaybeUninit::<[u8; 64]>::uninit() }; 8];
    let bytes = planes.len().div_ceil(8).min(8);
    for (column, planes) in columns.iter_mut().zip(planes.chunks(8)) {
        // Highest bit first, so that all bits need is a one.
        let mut bytes = _mm512_setzero_si512();
        for &plane in planes.iter().rev() {
            let above = _mm512_add_epi8(bytes, bytes);
            bytes = _mm512_mask_add_epi8(above, plane, above, _mm512_set1_epi8(1));
        }
        // SAFETY: a column has the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(column.as_mut_ptr().cast(), bytes) };
    }
    for (eight, words) in words.chunks_exact_mut(8).enumerate().take(lanes.div_ceil(8)) {
        let mut all = _mm512_setzero_si512();
        for (byte, column) in columns[..bytes].iter().enumerate() {
            // SAFETY: the first columns are written; a column has eight times eight bytes.
            let here = unsafe { _mm_loadl_epi64(column.as_ptr().cast::<u8>().add(8 * eight).cast()) };
            let shift = _mm_cvtsi32_si128(8 * byte as i32);
            all = _mm512_or_si512(all, _mm512_sll_epi64(_mm512_cvtepu8_epi64(here), shift));
        }
        // SAFETY: there are eight words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), all) };
    }
}

/// # Safety
/// The processor has the instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn to_planes<const N: usize>(
    store: *const u64,
    places: &[__m512i; N],
    lanes: usize,
    count: usize,
    mut plane: impl FnMut(usize, u64),
) {
    let mut eights = [_mm512_setzero_si512(); 8];
    for (sixteen, places) in places.iter().enumerate() {
        for (half, at) in
            [_mm512_castsi512_si256(*places), _mm512_extracti64x4_epi64(*places, 1)].into_iter().enumerate()
        {
            let eight = 2 * sixteen + half;
            let here = lanes.saturating_sub(8 * eight).min(8);
            let (zero, used) = (_mm512_setzero_si512(), ((1u32 << here) - 1) as u8);
            // Places are 32 bits without a sign.
            let at = _mm512_cvtepu32_epi64(at);
            // SAFETY: the places of used lanes are in the store.
            eights[eight] = unsafe { _mm512_mask_i64gather_epi64(zero, used, at, store.cast(), 8) };
        }
    }
    let byte_of = |eight, shift| _mm512_cvtepi64_epi8(_mm512_srl_epi64(eight, shift));
    for first in (0..count).step_by(8) {
        let (shift, bits) = (_mm_cvtsi32_si128(first as i32), (count - first).min(8));
        // The highest bit wanted of a byte goes to its top, then the others one after the other.
        let top = _mm_cvtsi32_si128(8 - bits as i32);
        if N == 1 {
            let bytes = _mm_unpacklo_epi64(byte_of(eights[0], shift), byte_of(eights[1], shift));
            let mut bytes = _mm_sll_epi64(bytes, top);
            for bit in (0..bits).rev() {
                plane(first + bit, u64::from(_mm_movemask_epi8(bytes) as u16));
                bytes = _mm_add_epi8(bytes, bytes);
            }
        } else {
            let mut bytes = [_mm_setzero_si128(); 8];
            for (bytes, eight) in bytes.iter_mut().zip(eights) {
                *bytes = byte_of(eight, shift);
            }
            let pair = |i: usize| _mm_unpacklo_epi64(bytes[2 * i], bytes[2 * i + 1]);
            let low = _mm256_set_m128i(pair(1), pair(0));
            let high = _mm256_set_m128i(pair(3), pair(2));
            let mut bytes = _mm512_sll_epi64(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1), top);
            for bit in (0..bits).rev() {
                plane(first + bit, _mm512_movepi8_mask(bytes));
                bytes = _mm512_add_epi8(bytes, bytes);
            }
        }
    }
}
