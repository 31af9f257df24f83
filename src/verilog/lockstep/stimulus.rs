//! What drives the inputs of a module under test.

use super::rows::{Ports, Values};
use hdl::{Bits, random::Rng};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Drives the inputs, cycle by cycle.
pub trait Stimulus {
    /// Sets the inputs of `cycle` (0 is the first cycle; `inputs` holds the values of the cycle before). `seen` are the
    /// outputs of the cycle before, all zero at first: credit protocols need them.
    fn drive(&mut self, cycle: u64, seen: &Values, inputs: &mut Values);
}

impl<F: FnMut(u64, &Values, &mut Values)> Stimulus for F {
    fn drive(&mut self, cycle: u64, seen: &Values, inputs: &mut Values) {
        self(cycle, seen, inputs);
    }
}

/// How one port is driven.
enum StimulusPlan {
    /// Every bit is one with this probability.
    Ones(f64),
    Constant(Bits),
    /// A number in `low..=high`.
    Range(u64, u64),
}

/// Independent random values on every input: uniform bits, now and then corners (zero, all ones, one bit, the value of the
/// cycle before), or what is asked for a port.
pub struct RandomStimulus {
    rng: Rng,
    plans: FxHashMap<String, StimulusPlan>,
}

impl RandomStimulus {
    /// Reproducible by `seed`.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), plans: FxHashMap::default() }
    }

    /// Each bit of `port` is one with probability `weight`.
    pub fn weight(mut self, port: &str, weight: f64) -> Self {
        self.plans.insert(port.into(), StimulusPlan::Ones(weight));
        self
    }

    /// `port` stays at `value`.
    pub fn constant(mut self, port: &str, value: u64) -> Self {
        self.plans.insert(port.into(), StimulusPlan::Constant(Bits::new(64, value)));
        self
    }

    /// `port` takes values from `low` to `high`, both included.
    pub fn range(mut self, port: &str, low: u64, high: u64) -> Self {
        self.plans.insert(port.into(), StimulusPlan::Range(low, high));
        self
    }

    fn corner(&mut self, width: u32, before: Bits) -> Bits {
        match self.rng.below(12) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => {
                let mut one = Bits::zero(width);
                one.set_bit(self.rng.below(u64::from(width)) as u32, true);
                one
            }
            3 => before,
            // Small numbers, for offsets and amounts.
            4 => Bits::new(width, self.rng.below(2 * u64::from(width) + 2)),
            _ => self.rng.bits(width),
        }
    }

    fn value(&mut self, ports: &Arc<Ports>, position: usize, before: Bits) -> Bits {
        let port = &ports.list[position];
        match self.plans.get(&port.name) {
            None => self.corner(port.width, before),
            Some(StimulusPlan::Constant(bits)) => bits.clone(),
            Some(&StimulusPlan::Range(low, high)) => Bits::new(64, low + self.rng.below(high - low + 1)),
            Some(&StimulusPlan::Ones(weight)) => {
                let mut bits = Bits::zero(port.width);
                (0..port.width).for_each(|bit| bits.set_bit(bit, self.rng.chance(weight)));
                bits
            }
        }
    }
}

impl Stimulus for RandomStimulus {
    fn drive(&mut self, _: u64, _: &Values, inputs: &mut Values) {
        let ports = inputs.ports().clone();
        for position in 0..ports.list.len() {
            let value = self.value(&ports, position, inputs.at(position));
            inputs.set_at(position, &value);
        }
    }
}
