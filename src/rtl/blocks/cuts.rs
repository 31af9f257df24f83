//! Registers within arithmetic: where a data path can be cut, and which of the cuts are registers.
//!
//! ```text
//!           enable (a bit a register)
//!                 |          |
//!  operands --logic--|--logic--.--logic--|--logic--> result      | register   . left out
//! ```
//!
//! A unit says how long its logic is in front of each of its points and behind the last, and takes a number of
//! registers: they stand where the longest logic between two of them is shortest. Each register has an enable: bit `k`
//! says that what stands in front of register `k` is a result that somebody wants. So idle logic does not toggle, and
//! with the enables of a pipeline whose registers hold still the unit is, in every cycle, equal to one with all its
//! registers behind the logic ([`Builder::equal`]).

use hdl::{Builder, Parameters, Signal, params};

/// Where the registers between operands and results stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Registers {
    /// Within the arithmetic.
    Within,
    /// Behind it: the same in every cycle, with arithmetic that has intrinsics.
    Behind,
}

impl Registers {
    /// They stand behind it.
    pub fn are_behind(self) -> bool {
        self == Self::Behind
    }

    /// How many of `all` stand within arithmetic that has places for `most`, when a register has to stand behind it.
    pub fn within(self, all: u32, most: u32) -> u32 {
        if self == Self::Within { all.min(most) } else { 0 }
    }
}

/// The points of a unit that is being described, in order.
pub struct Cuts<'m> {
    builder: &'m Builder,
    /// Of each point, whether it is a register.
    registers: Vec<bool>,
    /// Of each register.
    enables: Vec<Signal<'m>>,
    /// Points and registers passed.
    passed: (usize, usize),
}

impl<'m> Cuts<'m> {
    /// A unit with `count` registers and their enables. `delays`: of the logic between the points, the first and the
    /// last piece included, in any unit.
    pub fn new(m: &'m Builder, (count, enable): (u32, Option<Signal<'m>>), delays: &[u32]) -> Self {
        let most = delays.len() as u32 - 1;
        m.require(count <= most, &format!("{count} registers, there are places for {most}"));
        let count = count.min(most);
        let enables = enable.map_or(vec![], Signal::to_bits);
        Self { builder: m, registers: places(count, delays), enables, passed: (0, 0) }
    }

    /// The next point: all that later logic needs, with names for registers. Behind it are these values, or registers of them.
    #[track_caller]
    pub fn at<const N: usize>(&mut self, values: [(&str, Signal<'m>); N]) -> [Signal<'m>; N] {
        let (point, register) = self.passed;
        self.passed.0 += 1;
        if !self.registers.get(point).is_some_and(|registered| *registered) {
            return values.map(|(_, value)| value);
        }
        self.passed.1 += 1;
        let named = values.map(|(name, value)| (format!("stage{}_{name}", register + 1), value));
        self.builder.captured_together(self.enables[register], named)
    }
}

/// Parameters of a unit with so many registers within.
pub fn registers_within(registers: u32) -> Parameters {
    params! { registers: (registers > 0).then_some(registers) }
}

/// Which points are registers, so that the longest logic between two of them is as short as it can be.
fn places(count: u32, delays: &[u32]) -> Vec<bool> {
    let points = delays.len() - 1;
    let registers = |set: u32| (0..points).map(move |point| set >> point & 1 == 1);
    let longest = |set: u32| {
        let (longest, last) = registers(set).zip(delays).fold((0, 0), |(longest, run), (register, delay)| {
            let run = run + delay;
            (u32::max(longest, run), if register { 0 } else { run })
        });
        longest.max(last + delays[points])
    };
    let best = (0..1 << points).filter(|set: &u32| set.count_ones() == count).min_by_key(|&set| longest(set));
    registers(best.unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn the_longest_piece_is_as_short_as_it_can_be() {
        assert_eq!(places(0, &[3, 1]), [false]);
        assert_eq!(places(1, &[3, 1, 1, 4]), [false, true, false]);
        assert_eq!(places(2, &[3, 1, 1, 4]), [true, false, true]);
        assert_eq!(places(3, &[3, 1, 1, 4]), [true, true, true]);
    }
}
