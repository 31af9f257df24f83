//! How an input is driven.

use hdl::{Bits, random::Rng};
use serde::Deserialize;
use sim::Simulator;
use std::collections::BTreeMap;

/// A value: a number, or hexadecimal digits in quotes for one of more than 63 bits.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Written")]
struct StimulusValue(Vec<u64>);

/// As it stands in the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Digits(String),
}

impl TryFrom<Written> for StimulusValue {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let text = match written {
            Written::Number(number) => return Ok(Self(vec![number])),
            Written::Digits(text) => text,
        };
        let word = |chunk: &[u8]| u64::from_str_radix(str::from_utf8(chunk).ok()?, 16).ok();
        let digits = text.strip_prefix("0x").filter(|digits| !digits.is_empty() && !digits.starts_with('+'));
        let words = digits.and_then(|digits| digits.as_bytes().rchunks(16).map(word).collect::<Option<Vec<_>>>());
        words
            .map(Self)
            .ok_or_else(|| format!("invalid value `{text}`, expected a number or `0x` and hexadecimal digits"))
    }
}

impl StimulusValue {
    /// Its low bits.
    fn of_width(&self, width: u32) -> Bits {
        Bits::from_words(width, &self.0)
    }
}

/// The rule for one input; the default is a uniformly random word each cycle.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// These values in turn, from the first again after the last.
    #[serde(default)]
    values: Vec<StimulusValue>,
    /// One of these values each cycle.
    #[serde(default)]
    one_of: Vec<StimulusValue>,
    /// Each bit is one with this probability, in percent.
    percent: Option<u64>,
    /// One random bit; zero where `percent` says that there is none.
    #[serde(default)]
    one_hot: bool,
    /// Only bits that are one in this output, as it was at the last clock edge.
    within: Option<String>,
    /// Changes only in front of edges of this clock.
    pub(super) clock: Option<String>,
    /// Zero unless each of these outputs has one of these values.
    #[serde(default)]
    only_if: BTreeMap<String, Vec<u64>>,
}

impl Drive {
    /// The value for an input of `width` bits in cycle `cycle`. Outputs are read with the inputs of the last cycle, so those
    /// named in the rule should depend on registers alone.
    pub fn value(&self, cycle: u64, width: u32, random: &mut Rng, block: &mut Simulator) -> Bits {
        let free = self.unconstrained(cycle, width, random);
        if self.only_if.iter().any(|(port, allowed)| !allowed.contains(&block.peek(port))) {
            return Bits::zero(width);
        }
        let Some(port) = &self.within else {
            return free;
        };
        let bounds = block.peek_bits(port);
        let words: Vec<_> = free.words().iter().zip(bounds.words()).map(|(a, b)| a & b).collect();
        Bits::from_words(width, &words)
    }

    /// Draws the same random numbers in every case, so that a change of the block does not change what follows.
    fn unconstrained(&self, cycle: u64, width: u32, random: &mut Rng) -> Bits {
        if !self.values.is_empty() {
            return self.values[(cycle % self.values.len() as u64) as usize].of_width(width);
        }
        if !self.one_of.is_empty() {
            return self.one_of[below(random, self.one_of.len() as u64) as usize].of_width(width);
        }
        let mut bits = Bits::zero(width);
        if self.one_hot {
            let (place, some) = (below(random, u64::from(width)) as u32, below(random, 100));
            bits.set_bit(place, some < self.percent.unwrap_or(100));
        } else {
            let percent = self.percent.unwrap_or(50);
            (0..width).for_each(|i| bits.set_bit(i, below(random, 100) < percent));
        }
        bits
    }
}

/// A number below `n`; near enough to uniform for a stimulus, and as the recorded traces have it.
fn below(random: &mut Rng, n: u64) -> u64 {
    random.next_u64() % n
}
