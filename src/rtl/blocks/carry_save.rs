//! Products and long sums without carries that run: full adders make two words of three until two are left (C. S. Wallace,
//! *A suggestion for a fast multiplier*, IEEE Trans. Electronic Computers EC-13(1), 1964). The two are a good place for a register, and
//! what is to be added to them joins the tree or costs one more full adder.

use hdl::Signal;

/// A word whose lowest bit has weight `2^lo`.
#[derive(Clone, Copy)]
pub struct Summand<'m> {
    /// Weight of its lowest bit.
    pub lo: u32,
    /// Unsigned.
    pub word: Signal<'m>,
}

impl<'m> Summand<'m> {
    fn end(self) -> u32 {
        self.lo + self.word.width()
    }

    /// As bits `lo` to `end`, which hold it.
    fn placed(self, lo: u32, end: u32) -> Signal<'m> {
        let word = self.word.extend(end - self.lo);
        if lo == self.lo { word } else { word.join(word.builder().lit(self.lo - lo, 0)) }
    }
}

/// The product as a summand for each bit of `b`.
pub fn partial_products<'m>(a: Signal<'m>, b: Signal<'m>) -> Vec<Summand<'m>> {
    let bits = b.to_bits().into_iter();
    bits.zip(0..).map(|(bit, lo)| Summand { lo, word: a & bit.repeat(a.width()) }).collect()
}

/// Two words of `width` bits with the sum of `summands`, of which no more bits are kept. Of a sum that has no more bits, nothing is lost
/// between the two. `name`: of the wires of full adders.
pub fn carry_save<'m>(name: &str, mut summands: Vec<Summand<'m>>, width: u32) -> [Signal<'m>; 2] {
    let mut level = 0;
    while summands.len() > 2 {
        let three = summands.chunks(3).enumerate();
        let adders = |(group, three)| full_adders(three, width, &format!("{name}_level{level}_{group}"));
        summands = three.flat_map(adders).collect();
        level += 1;
    }
    let mut words = summands.iter().map(|summand| summand.placed(0, width));
    let first = words.next().expect("there is a summand");
    [first, words.next().unwrap_or_else(|| first.builder().lit(width, 0))]
}

/// Sum and carries of three summands; fewer stay as they are.
fn full_adders<'m>(three: &[Summand<'m>], width: u32, name: &str) -> Vec<Summand<'m>> {
    let &[x, y, z] = three else { return three.to_vec() };
    let m = x.word.builder();
    let lo = [x, y, z].map(|summand| summand.lo).into_iter().fold(width, u32::min);
    let end = [x, y, z].map(Summand::end).into_iter().fold(0, u32::max);
    let [x, y, z] = [x, y, z].map(|summand| summand.placed(lo, end));
    let either = m.wire((name, "either"), x ^ y);
    let sum = m.wire((name, "sum"), either ^ z);
    let carry = m.wire((name, "carry"), x & y | either & z);
    let kept = (end - lo).min(width - lo - 1);
    vec![Summand { lo, word: sum }, Summand { lo: lo + 1, word: carry.bits(0, kept) }]
}
