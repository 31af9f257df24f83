//! For processors with AVX2: a plane is spread over bytes, and bytes of lanes change places with bytes of words by
//! interleaving.
//!
//! | register bits, position bits | what |
//! |---|---|
//! | `b2 b1 b0`, `l3 l2 l1 l0` | eight columns: byte `b` of 16 lanes |
//! | `l3 l2 l1`, `l0 b2 b1 b0` | the words of 16 lanes, two a register |
//! | `l3 l2`, `l1 l0 b1 b0` | their lower halves, four a register |
//! | `l3`, `l2 l1 l0 b0` | the lower halves of those |
//!
//! To interleave two registers makes the register bit in which they differ the lowest position bit, and the highest
//! position bit a register bit.

use super::Lanes;
use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Self(()))
    }
}

/// Numbers of the ones of a byte, lowest first, a byte each.
const ONES: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut count, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= bit << (8 * count);
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "in all: a value of the type says that the processor has the instructions; what is read and written has the size"
)]
impl Lanes for Avx2 {
    type Sixteen = [__m256i; 2];

    #[inline(always)]
    fn load(self, from: &[u32; 16]) -> [__m256i; 2] {
        let from: *const __m256i = from.as_ptr().cast();
        unsafe { [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))] }
    }

    #[inline(always)]
    fn store(self, places: [__m256i; 2], to: &mut [u32; 16]) {
        let to: *mut __m256i = to.as_mut_ptr().cast();
        unsafe {
            _mm256_storeu_si256(to, places[0]);
            _mm256_storeu_si256(to.add(1), places[1]);
        }
    }

    #[inline(always)]
    fn all(self, place: u32) -> [__m256i; 2] {
        unsafe { [_mm256_set1_epi32(place as i32); 2] }
    }

    #[inline(always)]
    fn sum(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        unsafe { [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])] }
    }

    #[inline(always)]
    fn moved(self, places: [__m256i; 2], lanes: u16, step: u32) -> [__m256i; 2] {
        unsafe {
            let ([low, high], step) = (everywhere(lanes), _mm256_set1_epi32(step as i32));
            [
                _mm256_add_epi32(places[0], _mm256_and_si256(low, step)),
                _mm256_add_epi32(places[1], _mm256_and_si256(high, step)),
            ]
        }
    }

    #[inline(always)]
    fn choose(self, places: [__m256i; 2], lanes: u16, other: [__m256i; 2]) -> [__m256i; 2] {
        unsafe {
            let [low, high] = everywhere(lanes);
            [_mm256_blendv_epi8(places[0], other[0], low), _mm256_blendv_epi8(places[1], other[1], high)]
        }
    }

    #[inline(always)]
    fn below(self, places: [__m256i; 2], limit: u32) -> u16 {
        let not_below = |places| unsafe {
            let greater = _mm256_max_epu32(places, _mm256_set1_epi32(limit as i32));
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(greater, places))) as u16
        };
        !(not_below(places[0]) | not_below(places[1]) << 8)
    }

    #[inline(always)]
    fn pack(self, places: [__m256i; 2], lanes: u16, to: &mut [MaybeUninit<u32>; 16]) {
        let first = (lanes as u8).count_ones() as usize;
        let packed = |places, lanes: u8| unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(ONES[usize::from(lanes)] as i64));
            _mm256_permutevar8x32_epi32(places, order)
        };
        // SAFETY: eight follow, and `first` is at most eight.
        unsafe {
            _mm256_storeu_si256(to.as_mut_ptr().cast(), packed(places[0], lanes as u8));
            _mm256_storeu_si256(to.as_mut_ptr().add(first).cast(), packed(places[1], (lanes >> 8) as u8));
        }
    }

    #[inline(always)]
    fn words(self, planes: &[u64], lanes: usize, words: &mut [u64; 64]) {
        unsafe { to_words(planes, lanes, words) }
    }

    #[inline(always)]
    unsafe fn planes<const N: usize>(
        self,
        store: *const u64,
        places: &[[__m256i; 2]; N],
        lanes: usize,
        count: usize,
        plane: impl FnMut(usize, u64),
    ) {
        let mut at = [[0; 16]; N];
        for (at, places) in at.iter_mut().zip(places) {
            self.store(*places, at);
        }
        unsafe { to_planes(store, &at, lanes, count, plane) }
    }
}

/// All ones in the lanes of a mask.
///
/// # Safety
/// The processor has the instructions.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn everywhere(lanes: u16) -> [__m256i; 2] {
    let all = _mm256_set1_epi32(i32::from(lanes));
    let low = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let of = |bits| _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits);
    [of(low), of(_mm256_slli_epi32(low, 8))]
}

/// Registers that differ in a bit of their number, interleaved; the new register bit takes the place of the old one.
///
/// # Safety
/// The processor has the instructions.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn interleave<const BIT: usize, const REGISTERS: usize>(
    registers: [__m128i; REGISTERS],
) -> [__m128i; REGISTERS] {
    let mut out = registers;
    for low in 0..REGISTERS {
        if low & BIT == 0 {
            let [a, b] = [registers[low], registers[low | BIT]];
            out[low] = _mm_unpacklo_epi8(a, b);
            out[low | BIT] = _mm_unpackhi_epi8(a, b);
        }
    }
    out
}

/// Columns of the low `BYTES` bytes (those of a `T`) of words of 16 lanes.
///
/// # Safety
/// The processor has the instructions; the places of the first `used` lanes are in the store.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn columns<T: Copy + Default, const BYTES: usize>(
    store: *const u64,
    places: &[u32; 16],
    used: usize,
) -> [__m128i; BYTES] {
    const { assert!(size_of::<T>() == BYTES) };
    let mut words = [T::default(); 16];
    for (word, &place) in words.iter_mut().zip(places).take(used) {
        // SAFETY: the caller's care; the low bytes of a word come first.
        *word = unsafe { store.add(place as usize).cast::<T>().read() };
    }
    let mut registers = [_mm_setzero_si128(); BYTES];
    for (number, register) in registers.iter_mut().enumerate() {
        // SAFETY: words of so many bytes fill as many registers of 16 bytes.
        *register = unsafe { _mm_loadu_si128(words.as_ptr().cast::<__m128i>().add(number)) };
    }
    // SAFETY: the caller's care.
    unsafe {
        match BYTES {
            8 => {
                // From `l3 l2 l1` with `l0` on top of positions: after `l3`, `l2` and `l1`, register bits are `l0 b2 b1`,
                // and `b0 b2 b1` in the end.
                registers = interleave::<1, BYTES>(interleave::<2, BYTES>(interleave::<4, BYTES>(registers)));
                registers = interleave::<4, BYTES>(registers);
                let mixed = registers;
                for (byte, register) in registers.iter_mut().enumerate() {
                    *register = mixed[(byte & 1) << 2 | byte >> 1];
                }
            }
            // From `l3 l2` with `l1 l0` on top of positions to `l1 l0`, and to `b1 b0`.
            4 => {
                registers = interleave::<1, BYTES>(interleave::<2, BYTES>(registers));
                registers = interleave::<1, BYTES>(interleave::<2, BYTES>(registers));
            }
            2 => {
                registers = interleave::<1, BYTES>(interleave::<1, BYTES>(registers));
                registers = interleave::<1, BYTES>(interleave::<1, BYTES>(registers));
            }
            _ => {}
        }
    }
    registers
}

/// # Safety
/// The processor has the instructions.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn to_words(planes: &[u64], lanes: usize, words: &mut [u64; 64]) {
    // Byte of a word, and half of the lanes.
    let mut columns = [[_mm256_setzero_si256(); 2]; 8];
    // Which byte of 32 lanes has the bit of a lane, and that bit.
    let byte = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
    for (column, planes) in columns.iter_mut().zip(planes.chunks(8)) {
        for (half, column) in column.iter_mut().enumerate().take(lanes.div_ceil(32)) {
            // Highest bit first: what there is moves up.
            for &plane in planes.iter().rev() {
                let spread = _mm256_shuffle_epi8(_mm256_set1_epi32((plane >> (32 * half)) as i32), byte);
                let ones = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
                *column = _mm256_sub_epi8(_mm256_add_epi8(*column, *column), ones);
            }
        }
    }
    for (sixteen, words) in words.chunks_exact_mut(16).enumerate().take(lanes.div_ceil(16)) {
        let mut registers = [_mm_setzero_si128(); 8];
        for (register, column) in registers.iter_mut().zip(&columns) {
            let half = column[sixteen / 2];
            *register = if sixteen % 2 == 0 { _mm256_castsi256_si128(half) } else { _mm256_extracti128_si256(half, 1) };
        }
        // From `b2 b1 b0` to `l3 l2 l1`.
        // SAFETY: the caller's care.
        registers = unsafe { interleave::<1, 8>(interleave::<2, 8>(interleave::<4, 8>(registers))) };
        for (two, register) in words.chunks_exact_mut(2).zip(registers) {
            // SAFETY: two words have 16 bytes.
            unsafe { _mm_storeu_si128(two.as_mut_ptr().cast(), register) };
        }
    }
}

/// # Safety
/// The processor has the instructions; the places of the first `lanes` lanes are in the store.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn to_planes<const N: usize>(
    store: *const u64,
    places: &[[u32; 16]; N],
    lanes: usize,
    count: usize,
    mut plane: impl FnMut(usize, u64),
) {
    // By sixteen and byte.
    let mut bytes = [[_mm_setzero_si128(); 8]; 4];
    for (sixteen, places) in places.iter().enumerate() {
        let used = lanes.saturating_sub(16 * sixteen);
        // SAFETY: the caller's care.
        unsafe {
            match count {
                0..=8 => bytes[sixteen][..1].copy_from_slice(&columns::<u8, 1>(store, places, used)),
                9..=16 => bytes[sixteen][..2].copy_from_slice(&columns::<u16, 2>(store, places, used)),
                17..=32 => bytes[sixteen][..4].copy_from_slice(&columns::<u32, 4>(store, places, used)),
                _ => bytes[sixteen] = columns::<u64, 8>(store, places, used),
            }
        }
    }
    for (byte, first) in (0..count).step_by(8).enumerate() {
        let bits = (count - first).min(8);
        let pair = |low: usize| _mm256_set_m128i(bytes[low + 1][byte], bytes[low][byte]);
        // The highest bit wanted of a byte goes to its top, then the others one after the other.
        let top = _mm_cvtsi32_si128(8 - bits as i32);
        let mut low = _mm256_sll_epi64(pair(0), top);
        if N <= 2 {
            for bit in (0..bits).rev() {
                plane(first + bit, u64::from(_mm256_movemask_epi8(low) as u32));
                low = _mm256_add_epi8(low, low);
            }
        } else {
            let mut high = _mm256_sll_epi64(pair(2), top);
            for bit in (0..bits).rev() {
                let below = u64::from(_mm256_movemask_epi8(low) as u32);
                plane(first + bit, below | u64::from(_mm256_movemask_epi8(high) as u32) << 32);
                (low, high) = (_mm256_add_epi8(low, low), _mm256_add_epi8(high, high));
            }
        }
    }
}
