//! What is done lane by lane, as a processor does it best.
//!
//! A plane has a bit of 64 lanes in a word; these are the ways from planes to something in every lane: to words
//! ([`Lanes::words`]), back ([`Lanes::planes`]), and to places in the store, of 16 lanes at a time, that are chosen and
//! moved on where planes say so. On processors with AVX-512BW a plane is a mask register, and all of that is one or two
//! instructions a plane; with AVX2 it takes about five times as many; elsewhere a portable version goes through the
//! lanes.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(target_arch = "x86_64")]
mod wide;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
pub(super) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(super) use wide::Wide;

/// The instructions that a processor has for lanes.
#[derive(Clone, Copy)]
pub(super) enum LaneSet {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Wide(Wide),
}

impl LaneSet {
    /// The best that this processor has; AVX-512 where `wide` allows it.
    pub fn detect(wide: bool) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(wide) = Wide::detect().filter(|_| wide) {
                return Self::Wide(wide);
            }
            if let Some(avx2) = Avx2::detect() {
                return Self::Avx2(avx2);
            }
        }
        _ = wide;
        Self::Portable
    }
}

use std::mem::MaybeUninit;

/// Instructions for lanes. A value of the type says that the processor has them.
pub(super) trait Lanes: Copy {
    /// Places (or offsets) of 16 lanes.
    type Sixteen: Copy;

    fn load(self, from: &[u32; 16]) -> Self::Sixteen;

    fn store(self, places: Self::Sixteen, to: &mut [u32; 16]);

    /// The same in all lanes.
    fn all(self, place: u32) -> Self::Sixteen;

    fn sum(self, a: Self::Sixteen, b: Self::Sixteen) -> Self::Sixteen;

    /// `step` higher in `lanes`; sums wrap around.
    fn moved(self, places: Self::Sixteen, lanes: u16, step: u32) -> Self::Sixteen;

    /// `other` in `lanes`, `places` elsewhere.
    fn choose(self, places: Self::Sixteen, lanes: u16, other: Self::Sixteen) -> Self::Sixteen;

    /// Lanes with less than this.
    fn below(self, places: Self::Sixteen, limit: u32) -> u16;

    /// Those of `lanes` one after the other; what follows them is anything.
    fn pack(self, places: Self::Sixteen, lanes: u16, to: &mut [MaybeUninit<u32>; 16]);

    /// Up to 64 planes, lowest bit first, as words of the first `lanes` lanes; what follows them is anything.
    fn words(self, planes: &[u64], lanes: usize, words: &mut [u64; 64]);

    /// The low `count` bits of words at the places of the first `lanes` lanes, as planes; bits of other lanes are
    /// anything.
    ///
    /// # Safety
    /// The places of these lanes are in the store.
    unsafe fn planes<const N: usize>(
        self,
        store: *const u64,
        places: &[Self::Sixteen; N],
        lanes: usize,
        count: usize,
        plane: impl FnMut(usize, u64),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    /// Of words that are in the store in another order.
    fn planes_of<L: Lanes>(lanes: L, words: &[u64; 64], used: usize, count: usize, plane: impl FnMut(usize, u64)) {
        let place = |lane: usize| if lane < used { (3 + 5 * lane as u32) % 64 } else { !0 };
        let mut store = [0; 64];
        (0..used).for_each(|lane| store[place(lane) as usize] = words[lane]);
        let sixteen = |i: usize| lanes.load(&std::array::from_fn(|lane| place(16 * i + lane)));
        let at = store.as_ptr();
        // SAFETY: places of used lanes are less than 64.
        unsafe {
            match used.div_ceil(16) {
                1 => lanes.planes::<1>(at, &[sixteen(0)], used, count, plane),
                2 => lanes.planes::<2>(at, &std::array::from_fn(sixteen), used, count, plane),
                3 => lanes.planes::<3>(at, &std::array::from_fn(sixteen), used, count, plane),
                _ => lanes.planes::<4>(at, &std::array::from_fn(sixteen), used, count, plane),
            }
        }
    }

    fn words_and_planes(lanes: impl Lanes, seed: &mut u64) {
        for count in 1..=64 {
            for used in [1, 7, 8, 9, 16, 36, 63, 64] {
                let planes: Vec<u64> = (0..count).map(|_| random(seed)).collect();
                let word = |lane: usize| planes.iter().enumerate().fold(0, |w, (b, p)| w | (p >> lane & 1) << b);
                let mut words = [0; 64];
                lanes.words(&planes, used, &mut words);
                (0..used).for_each(|lane| assert_eq!(words[lane], word(lane), "{count} planes, lane {lane} of {used}"));
                let mut back = vec![];
                let mask = !0 >> (64 - used);
                planes_of(lanes, &words, used, count, |bit, plane| back.push((bit, plane & mask)));
                let expected: Vec<_> = planes.iter().map(|plane| plane & mask).enumerate().collect();
                back.sort_unstable();
                assert_eq!(back, expected, "{count} planes of {used} lanes");
            }
        }
    }

    fn places(lanes: impl Lanes, seed: &mut u64) {
        for _ in 0..1000 {
            let [a, b]: [[u32; 16]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random(seed) as u32));
            let (mask, step, limit) = (random(seed) as u16, random(seed) as u32, random(seed) as u32);
            let [x, y] = [&a, &b].map(|places| lanes.load(places));
            let back = |places| {
                let mut out = [0; 16];
                lanes.store(places, &mut out);
                out
            };
            let each = |f: &dyn Fn(usize, bool) -> u32| std::array::from_fn::<u32, 16, _>(|i| f(i, mask >> i & 1 == 1));
            assert_eq!(back(lanes.all(step)), [step; 16]);
            assert_eq!(back(lanes.sum(x, y)), each(&|i, _| a[i].wrapping_add(b[i])));
            assert_eq!(
                back(lanes.moved(x, mask, step)),
                each(&|i, here| a[i].wrapping_add(if here { step } else { 0 }))
            );
            assert_eq!(back(lanes.choose(x, mask, y)), each(&|i, here| if here { b[i] } else { a[i] }));
            let below = (0..16).fold(0, |below, i| below | u16::from(a[i] < limit) << i);
            assert_eq!(lanes.below(x, limit), below);
            let mut packed = [const { MaybeUninit::uninit() }; 16];
            lanes.pack(x, mask, &mut packed);
            let expected: Vec<u32> = (0..16).filter(|i| mask >> i & 1 == 1).map(|i| a[i]).collect();
            // SAFETY: as many are written as lanes are wanted.
            let packed: Vec<u32> =
                packed[..expected.len()].iter().map(|place| unsafe { place.assume_init() }).collect();
            assert_eq!(packed, expected);
        }
    }

    #[test]
    fn every_version_is_the_definition() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        words_and_planes(Portable, &mut seed);
        places(Portable, &mut seed);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx2) = Avx2::detect() {
                words_and_planes(avx2, &mut seed);
                places(avx2, &mut seed);
            }
            if let Some(wide) = Wide::detect() {
                words_and_planes(wide, &mut seed);
                places(wide, &mut seed);
            }
        }
    }
}
