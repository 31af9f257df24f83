//! Operators on words, bit by bit, as synthesis builds them: prefix adders, comparators, multipliers, shifters.

use super::{
    arrival::{Arrival, Tree},
    delay::DelayModel,
};

/// Carry out of a group of bits: made in it, or passed through it.
#[derive(Clone, Copy)]
struct Carry {
    made: Arrival,
    passed: Arrival,
}

/// The nodes of Brent and Kung's prefix tree over `n` places, in order: each joins a place with one below it.
fn each_node(n: usize, mut join: impl FnMut(usize, usize)) {
    let up: Vec<usize> = (0..).map(|level| 1 << level).take_while(|half| *half < n).collect();
    for &half in &up {
        (2 * half - 1..n).step_by(2 * half).for_each(|place| join(place - half, place));
    }
    for &half in up.iter().rev() {
        (3 * half - 1..n).step_by(2 * half).for_each(|place| join(place - half, place));
    }
}

impl DelayModel {
    /// Of each bit; the operands begin at bit 0 and are equally long.
    fn carries(&self, a: &[Arrival], b: &[Arrival]) -> Vec<Carry> {
        let of = |(&a, &b): (&Arrival, &Arrival)| Carry { made: self.and([a, b]), passed: self.or([a, b]) };
        a.iter().zip(b).map(of).collect()
    }

    fn after(&self, low: Carry, high: Carry) -> Carry {
        let passed = self.and([high.passed, low.passed]);
        let made = match (high.made.value(), high.passed.value(), low.made.value()) {
            (None, None, None) => Arrival::gate(&[high.made, high.passed, low.made], self.carry),
            // With constants it is AND and OR, of which trees are made.
            _ => self.or([high.made, self.and([high.passed, low.made])]),
        };
        Carry { made, passed }
    }

    /// The sum, with a carry into bit 0: Brent and Kung's prefix tree.
    pub fn add(&self, a: &[Arrival], b: &[Arrival], carry_in: Arrival) -> Vec<Arrival> {
        let n = a.len();
        let mut prefix = self.carries(a, b);
        if let Some(first) = prefix.first_mut() {
            *first = self.after(Carry { made: carry_in, passed: Arrival::ZERO }, *first);
        }
        each_node(n, |low, high| prefix[high] = self.after(prefix[low], prefix[high]));
        let carry = |bit: usize| if bit == 0 { carry_in } else { prefix[bit - 1].made };
        (0..n).map(|bit| self.xor([self.xor([a[bit], b[bit]]), carry(bit)])).collect()
    }

    /// The carry out of the sum alone, which decides comparisons.
    pub fn carry_out(&self, a: &[Arrival], b: &[Arrival], carry_in: bool) -> Arrival {
        let mut groups = self.carries(a, b);
        if let (true, Some(first)) = (carry_in, groups.first_mut()) {
            first.made = first.passed;
        }
        while groups.len() > 1 {
            groups = groups
                .chunks(2)
                .map(|pair| if pair.len() == 2 { self.after(pair[0], pair[1]) } else { pair[0] })
                .collect();
        }
        groups.first().map_or(Arrival::ZERO, |all| all.made)
    }

    /// The low half of the product: the sum of partial products.
    pub fn multiply(&self, a: &[Arrival], b: &[Arrival]) -> Vec<Arrival> {
        let n = a.len();
        let row = |shift: usize, by: Arrival| {
            let bits = (0..n).map(|at| if at < shift { Arrival::ZERO } else { self.and([a[at - shift], by]) });
            bits.map(|bit| Arrival { tree: Tree::None, ..bit }).collect::<Vec<_>>()
        };
        let rows = b.iter().enumerate().map(|(shift, &by)| row(shift, by));
        self.sum(rows.filter(|row| row.iter().any(|bit| bit.value() != Some(false))).collect(), n)
    }

    /// The sum of several words, the complements of which stand for negative ones: full adders make two of the three earliest, until an adder
    /// takes the last two, and a single bit as its carry.
    pub fn sum(&self, mut rows: Vec<Vec<Arrival>>, width: usize) -> Vec<Arrival> {
        let latest = |row: &Vec<Arrival>| row.iter().map(|bit| bit.time).max().unwrap_or(0);
        rows.iter_mut().for_each(|row| row.resize(width, Arrival::ZERO));
        let single = |row: &Vec<Arrival>| row.iter().skip(1).all(|bit| bit.value() == Some(false));
        let carry = match rows.iter().position(single) {
            Some(at) if rows.len() > 2 => rows.swap_remove(at)[0],
            _ => Arrival::ZERO,
        };
        while rows.len() > 2 {
            rows.sort_by_key(|row| std::cmp::Reverse(latest(row)));
            let three = rows.split_off(rows.len() - 3);
            let (mut sums, mut carries) = (vec![], vec![Arrival::ZERO]);
            for ((&x, &y), &z) in three[0].iter().zip(&three[1]).zip(&three[2]) {
                let (sum, carry) = self.full_adder(x, y, z);
                sums.push(sum);
                carries.push(carry);
            }
            carries.truncate(width);
            rows.extend([sums, carries]);
        }
        let mut rows = rows.into_iter();
        let first = rows.next().unwrap_or_else(|| vec![Arrival::ZERO; width]);
        match rows.next() {
            Some(second) => self.add(&first, &second, carry),
            None => first,
        }
    }

    /// Sum and carry of three bits, of which constants are left out.
    fn full_adder(&self, x: Arrival, y: Arrival, z: Arrival) -> (Arrival, Arrival) {
        if [x, y, z].iter().any(|bit| bit.value().is_some()) {
            let sum = self.xor([x, y, z]);
            let carry = self.or([self.and([x, y]), self.and([z, self.or([x, y])])]);
            return (sum, carry);
        }
        let sum = Arrival::gate(&[x, y, z], self.full_adder).after(0, 1);
        (sum, sum)
    }

    /// For each bit, whether a lower one is set; `with_bit`: and itself.
    pub fn below(&self, bits: &[Arrival], with_bit: bool) -> Vec<Arrival> {
        let n = bits.len();
        let mut any = bits.to_vec();
        let node = |low: Arrival, high: Arrival| match (low.value(), high.value()) {
            (None, None) => Arrival::gate(&[low, high], self.prefix),
            _ => self.or([low, high]),
        };
        each_node(n, |low, high| any[high] = node(any[low], any[high]));
        let lower = std::iter::once(Arrival::ZERO).chain(any).map(|any| Arrival { tree: Tree::None, ..any });
        let with = |(any, &bit): (Arrival, &Arrival)| if with_bit { self.and([bit, any.complement()]) } else { any };
        lower.zip(bits).map(with).collect()
    }

    /// Whether all bits of two words are equal, or one of them is not.
    pub fn equal(&self, a: &[Arrival], b: &[Arrival]) -> Arrival {
        self.and(a.iter().zip(b).map(|(&a, &b)| self.xor([a, b]).complement()))
    }

    /// Bits `width` from bit `amount` on, `fill` above the value: a multiplexer for each bit of the amount, the earliest first.
    pub fn shift_right(&self, value: &[Arrival], amount: &[Arrival], width: usize, fill: Arrival) -> Vec<Arrival> {
        let mut stages: Vec<(usize, Arrival)> = amount.iter().copied().enumerate().collect();
        stages.sort_by_key(|(_, bit)| bit.time);
        let mut bits = value.to_vec();
        let (near, far): (Vec<_>, Vec<_>) = stages
            .into_iter()
            .partition(|(place, _)| *place < usize::BITS as usize - 1 && 1 << place < value.len().max(width));
        for (place, select) in near {
            let distance = 1usize << place;
            let moved = |at: usize| bits.get(at + distance).copied().unwrap_or(fill);
            bits = (0..bits.len()).map(|at| self.level(select, moved(at), bits[at])).collect();
        }
        bits.resize(width, fill);
        let away = self.or(far.into_iter().map(|(_, bit)| bit));
        if away.value() == Some(false) {
            return bits;
        }
        bits.into_iter().map(|bit| self.choose(away, fill, bit)).collect()
    }

    /// A level of a tree of multiplexers.
    fn level(&self, select: Arrival, then: Arrival, otherwise: Arrival) -> Arrival {
        match (select.value(), then.value(), otherwise.value()) {
            (None, None, None) => Arrival::gate(&[select, then, otherwise], self.mux_level),
            _ => self.choose(select, then, otherwise),
        }
    }

    /// Zeros come in from below.
    pub fn shift_left(&self, value: &[Arrival], amount: &[Arrival]) -> Vec<Arrival> {
        let mirrored: Vec<_> = value.iter().rev().copied().collect();
        let mut bits = self.shift_right(&mirrored, amount, value.len(), Arrival::ZERO);
        bits.reverse();
        bits
    }

    /// A word of a memory of flip-flops: a tree of multiplexers, in which the latest bits of the address come last. `width`: of the word,
    /// all of whose bits arrive together.
    pub fn read_cells(&self, words: usize, width: u32, address: &[Arrival]) -> Arrival {
        let mut address: Vec<_> = address.iter().copied().filter(|bit| bit.value().is_none()).collect();
        address.sort_by_key(|bit| bit.time);
        let mut word = Arrival::start(self.clock_to_q);
        let levels = words.max(1).next_power_of_two().trailing_zeros() as usize;
        let first = address.len().saturating_sub(levels);
        for (level, bit) in address[first..].iter().enumerate() {
            let driven = (words >> (level + 1)).max(1) as u32 * width;
            word = Arrival::gate(&[word, bit.after(self.buffers(driven), 0)], self.mux_level);
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: DelayModel =
        DelayModel { and: 1, xor: 1, carry: 1, mux_level: 1, fan_out: 0, clock_to_q: 0, ..DelayModel::FITTED };

    fn word(bits: usize) -> Vec<Arrival> {
        vec![Arrival::start(0); bits]
    }

    fn constant(bits: usize, value: u64) -> Vec<Arrival> {
        (0..bits).map(|bit| Arrival::constant(value >> bit & 1 == 1)).collect()
    }

    #[test]
    fn adders_are_logarithmic() {
        let latest = |bits: usize| M.add(&word(bits), &word(bits), Arrival::ZERO).iter().map(|bit| bit.time).max();
        // Carry of a bit, up, down, sum.
        assert_eq!(
            [latest(8), latest(16), latest(32)],
            [Some(1 + 3 + 1 + 1), Some(1 + 4 + 2 + 1), Some(1 + 5 + 3 + 1)]
        );
        assert_eq!(M.carry_out(&word(32), &word(32), true).time, 6);
        assert_eq!(M.add(&word(8), &word(8), Arrival::ZERO)[0].time, 1);
    }

    #[test]
    fn constants_cost_nothing() {
        assert_eq!(M.add(&word(8), &constant(8, 0), Arrival::ZERO).iter().map(|bit| bit.time).max(), Some(0));
        assert_eq!(M.multiply(&word(8), &constant(8, 4))[2].time, 0);
        assert_eq!(M.multiply(&word(8), &constant(8, 4))[1].value(), Some(false));
        assert_eq!(M.shift_right(&word(8), &constant(3, 4), 8, Arrival::ZERO)[4].value(), Some(false));
        assert_eq!(M.shift_left(&word(8), &constant(3, 4))[3].value(), Some(false));
    }

    #[test]
    fn shifters_and_memories_take_a_level_for_each_bit() {
        assert_eq!(M.shift_right(&word(32), &word(5), 32, Arrival::ZERO)[0].time, 5);
        assert_eq!(M.shift_right(&word(32), &word(5), 1, Arrival::ZERO).len(), 1);
        assert_eq!(M.read_cells(16, 8, &word(4)).time, 4);
        let mut late = word(4);
        late[0] = Arrival::start(100);
        assert_eq!(M.read_cells(16, 8, &late).time, 101);
    }
}
