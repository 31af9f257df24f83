//! Bits that go from tile to tile: lanes that change places.
//!
//! A plane of inputs gets its bits from planes of registers, of each some lanes in order. The bits of a port go the
//! same ways, so a way is described once for all of them, and is a turn of the word where its lanes keep their
//! distances.

#![expect(unsafe_op_in_unsafe_fn, reason = "each of them is a list of places that the part vouches for")]

use super::arrays::{Arrays, Kernel, lanes_of};
#[cfg(all(target_arch = "x86_64", unix))]
use super::word_code::WordCode;
#[cfg(all(target_arch = "x86_64", unix))]
use iced_x86::IcedError;

/// Bits of one word of a plane of inputs that come from planes of registers, in order: those of `from`, in `lanes`, go
/// to `to_lanes`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Link {
    pub from: usize,
    pub lanes: u64,
    pub to_lanes: u64,
}

/// All that comes into one word of a plane of inputs.
#[derive(Clone, Debug)]
pub(super) struct LinkRun {
    pub to: usize,
    pub constant: u64,
    pub links: Vec<Link>,
    pub imports: Vec<Import>,
}

/// A bit of the state and the lanes it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Import {
    pub at: usize,
    pub bit: u32,
    pub lanes: u64,
}

impl Import {
    /// A bit of the value at a place in the storage, for one lane.
    pub fn of(place: u32, bit: u32, lane: u32) -> Self {
        Self { at: (place + bit / 64) as usize, bit: bit % 64, lanes: 1 << lane }
    }
}

/// Many of them: the bits of a port go the same ways, so those are listed once for all of them.
#[derive(Default)]
pub(super) struct Links {
    /// Does some of them.
    code: Option<Kernel>,
    /// The others.
    buses: Vec<Bus>,
}

/// Planes that get their bits by equal ways.
#[derive(Clone, Debug)]
pub(super) struct Bus {
    pub constant: u64,
    pub ways: Vec<Way>,
    /// For each plane: where it is.
    pub to: Vec<u32>,
    /// For each plane, or none.
    imports: Vec<Vec<Import>>,
}

/// How some lanes of other planes come to some lanes here.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub there: u64,
    pub here: u64,
    /// All of them are so many lanes higher here, in a circle.
    pub turned: Option<u32>,
    /// For each plane of the bus.
    pub from: Vec<u32>,
}

impl Way {
    fn new(there: u64, here: u64) -> Self {
        let by = here.trailing_zeros().wrapping_sub(there.trailing_zeros()) & 63;
        Self { there, here, turned: (there.rotate_left(by) == here).then_some(by), from: vec![] }
    }
}

/// Planes that are put together at a time.
const ROWS: usize = 32;

impl Links {
    pub fn push(&mut self, run: &LinkRun) {
        let imports = !run.imports.is_empty();
        let fits = |bus: &Bus| {
            let ways = bus.ways.iter().map(|way| (way.there, way.here));
            bus.constant == run.constant
                && ways.eq(run.links.iter().map(|link| (link.lanes, link.to_lanes)))
                && bus.imports.is_empty() != imports
        };
        // Ports come one after the other.
        let near = self.buses.len().saturating_sub(8);
        let bus = match self.buses[near..].iter().position(fits) {
            Some(position) => &mut self.buses[near + position],
            None => {
                let ways = run.links.iter().map(|link| Way::new(link.lanes, link.to_lanes)).collect();
                self.buses.push(Bus { constant: run.constant, ways, to: vec![], imports: vec![] });
                self.buses.last_mut().expect("it was just added")
            }
        };
        bus.to.push(run.to as u32);
        bus.ways.iter_mut().zip(&run.links).for_each(|(way, link)| way.from.push(link.from as u32));
        bus.imports.extend(imports.then(|| run.imports.clone()));
    }

    /// Those that code can do: it does not know the state outside.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub fn code(&self) -> Result<WordCode, IcedError> {
        let mut code = WordCode::default();
        self.buses.iter().filter(|bus| bus.imports.is_empty()).try_for_each(|bus| code.bus(bus))?;
        Ok(code)
    }

    /// They are done by this.
    pub fn done_by(&mut self, code: Kernel) {
        self.code = Some(code);
        self.buses.retain(|bus| !bus.imports.is_empty());
    }
}

/// Moves bits between tiles.
///
/// # Safety
/// The arrays are those that the links were made for.
#[inline(always)]
pub(super) unsafe fn run_links(links: &Links, arrays: &Arrays) {
    if let Some(code) = links.code {
        arrays.call(code);
    }
    for bus in &links.buses {
        for first in (0..bus.to.len()).step_by(ROWS) {
            let to = &bus.to[first..bus.to.len().min(first + ROWS)];
            let mut words = [bus.constant; ROWS];
            for way in &bus.ways {
                let rows = words.iter_mut().zip(&way.from[first..first + to.len()]);
                match way.turned {
                    Some(by) => rows.for_each(|(word, &from)| {
                        *word |= arrays.present(from as usize).rotate_left(by) & way.here;
                    }),
                    None => rows.for_each(|(word, &from)| {
                        *word |= moved(arrays.present(from as usize), way.there, way.here);
                    }),
                }
            }
            for (word, imports) in words.iter_mut().zip(bus.imports.iter().skip(first)) {
                for &Import { at, bit, lanes } in imports {
                    *word |= lanes & 0u64.wrapping_sub(arrays.storage(at) >> bit & 1);
                }
            }
            to.iter().zip(words).for_each(|(&to, word)| arrays.set_wire(to as usize, word));
        }
    }
}

/// The bits of `from`, in order, at those of `to`.
fn moved(word: u64, from: u64, to: u64) -> u64 {
    lanes_of(from).zip(lanes_of(to)).fold(0, |out, (f, t)| out | (word >> f & 1) << t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_move_is_the_instruction_pair() {
        use std::arch::x86_64::{_pdep_u64, _pext_u64};
        if !is_x86_feature_detected!("bmi2") {
            return;
        }
        let mut word = 0x0123_4567_89ab_cdefu64;
        for shift in 0..32 {
            word = word.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (from, to) = (0xff00_0000_00ff_1111u64 >> (shift % 8), 0x0f0f_0f0f_0f0f_0f0fu64 >> (shift % 4));
            let count = from.count_ones().min(to.count_ones());
            let first = |mask: u64| lanes_of(mask).take(count as usize).fold(0, |m, lane| m | 1 << lane);
            let (from, to) = (first(from), first(to));
            // SAFETY: the processor has the instructions.
            let expected = unsafe { _pdep_u64(_pext_u64(word, from), to) };
            assert_eq!(moved(word, from, to), expected);
        }
    }

    #[test]
    fn lanes_that_keep_their_distances_are_turned() {
        let turned = |there, here| Way::new(there, here).turned;
        assert_eq!(turned(0b0111, 0b1110), Some(1));
        assert_eq!(turned(0b1110, 0b0111), Some(63));
        assert_eq!(turned(1 << 63, 1), Some(1));
        assert_eq!(turned(1, 1 << 63), Some(63));
        assert_eq!(turned(0b0101, 0b0110), None);
        // The lowest lane goes to the lowest one: not a circle.
        assert_eq!(turned(1 << 63 | 1 << 62, 1 << 63 | 1), None);
        for (there, here) in [(0xff00u64, 0xffu64), (1 << 63 | 1 << 40, 1 << 23 | 1), (0x8421, 0x8421_0000)] {
            let by = turned(there, here).expect("they keep their distances");
            for lane in lanes_of(there) {
                assert_eq!((1u64 << lane).rotate_left(by) & here, moved(1 << lane, there, here));
            }
        }
    }
}
