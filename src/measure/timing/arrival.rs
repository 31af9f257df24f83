//! When a bit is there, and how gates add to that.
//!
//! Synthesis does not keep the chains that a description has: it builds trees of AND, OR and XOR in which the latest
//! inputs pass the fewest gates. Of leaves that arrive at `t` through levels of `d` such a tree takes `d log2(sum of
//! 2^(t/d))`, which can be computed gate by gate: a bit carries it as [`Arrival::chain`] beside its own time.

use super::delay::DelayModel;
use std::sync::OnceLock;

/// The operator of a tree, whose inputs may be regrouped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tree {
    /// Not one: the bit stands as it is.
    None,
    /// All of the inputs.
    And,
    /// Any of the inputs.
    Or,
    /// Their parity.
    Xor,
    /// One of them: multiplexers behind multiplexers.
    Mux,
}

/// A bit within a clock cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// After the clock edge, thousandths of an FO4; negative for a constant.
    pub time: i32,
    /// Of the tree that it is the root of, as if levels could be shared out in fractions.
    pub chain: i32,
    /// The bit that it waited for, by its place in the evaluation.
    pub from: u32,
    /// Levels of logic since the inputs of the module.
    pub levels: u16,
    /// Which tree it is the root of.
    pub tree: Tree,
    /// Time and levels of the latest leaf of a tree of AND, OR or XOR: a description that builds it as a chain has passed more gates.
    pub leaf: (i32, u16),
}

/// Nothing is waited for: a register, an input.
pub const START: u32 = u32::MAX;

impl Arrival {
    /// Always zero.
    pub const ZERO: Arrival = Arrival { time: -2, chain: 0, from: START, levels: 0, tree: Tree::None, leaf: (0, 0) };
    /// Always one.
    pub const ONE: Arrival = Arrival { time: -1, ..Self::ZERO };

    /// As an input of a module, whose levels are counted from there.
    pub fn entering(self) -> Self {
        Self { from: START, levels: 0, leaf: (self.time, 0), ..self }
    }

    /// A constant.
    pub fn constant(value: bool) -> Self {
        if value { Self::ONE } else { Self::ZERO }
    }

    /// Where a path starts.
    pub fn start(time: i32) -> Self {
        Self { time, ..Self::ZERO }
    }

    /// Its value, if it is a constant.
    pub fn value(&self) -> Option<bool> {
        (self.time < 0).then_some(self.time == Self::ONE.time)
    }

    /// The complement, which costs nothing: cells come with inverted inputs and outputs.
    pub fn complement(self) -> Self {
        match (self.value(), self.tree) {
            (Some(value), _) => Self { from: self.from, ..Self::constant(!value) },
            (None, Tree::And) => Self { tree: Tree::Or, ..self },
            (None, Tree::Or) => Self { tree: Tree::And, ..self },
            (None, _) => self,
        }
    }

    /// `delay` later, through `levels` gates, no root of a tree.
    pub fn after(self, delay: i32, levels: u16) -> Self {
        match self.value() {
            Some(_) => self,
            None => Self { time: self.time + delay, levels: self.levels + levels, tree: Tree::None, ..self },
        }
    }

    /// The later one.
    pub fn later(self, other: Self) -> Self {
        if other.time > self.time { other } else { self }
    }

    /// The latest of several, through one gate.
    pub fn gate(inputs: &[Self], delay: i32) -> Self {
        let latest = inputs.iter().copied().reduce(Self::later).unwrap_or(Self::ZERO);
        latest.after(delay, 1)
    }
}

/// `max(a, b) + d log2(1 + 2^(-|a - b| / d))`: two trees with levels of `d` as one.
fn joined(a: i32, b: i32, d: i32) -> i32 {
    /// Entries for a difference of one level.
    const FINE: i32 = 64;
    static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
    let table =
        TABLE.get_or_init(|| (0..=8 * FINE).map(|i| (1.0 + (-f64::from(i) / f64::from(FINE)).exp2()).log2()).collect());
    if d == 0 {
        return a.max(b);
    }
    let step = (i64::from((a - b).abs()) * i64::from(FINE) / i64::from(d)) as usize;
    a.max(b) + table.get(step).map_or(0, |more| (more * f64::from(d)).round() as i32)
}

/// A tree that is being built.
struct TreeBuilder {
    tree: Tree,
    delay: i32,
    /// The only input so far, or the latest one.
    latest: Option<Arrival>,
    /// Time and levels of the latest leaf.
    leaf: (i32, u16),
    inputs: u32,
    chain: i32,
    /// No input passes less than one gate.
    least: i32,
    /// What constants have made of it.
    inverted: bool,
    decided: bool,
}

impl TreeBuilder {
    /// Without inputs.
    fn new(tree: Tree, model: &DelayModel) -> Self {
        let delay = if tree == Tree::Xor { model.xor } else { model.and };
        Self { tree, delay, latest: None, leaf: (0, 0), inputs: 0, chain: 0, least: 0, inverted: false, decided: false }
    }

    /// One more input.
    fn add(&mut self, input: Arrival) {
        match (input.value(), self.tree) {
            (Some(value), Tree::Xor) => return self.inverted ^= value,
            (Some(value), tree) => return self.decided |= value == (tree == Tree::Or),
            (None, _) => {}
        }
        let own = input.tree == self.tree;
        let chain = if own { input.chain } else { input.time };
        self.chain = if self.inputs == 0 { chain } else { joined(self.chain, chain, self.delay) };
        self.least = self.least.max(if own { input.time } else { input.time + self.delay });
        if self.latest.is_none_or(|latest| input.time > latest.time) {
            self.latest = Some(input);
            self.leaf = if own { input.leaf } else { (input.time, input.levels) };
        }
        self.inputs += 1;
    }

    /// The root.
    fn root(self) -> Arrival {
        let neutral = Arrival::constant(match self.tree {
            Tree::Xor => self.inverted,
            tree => tree == Tree::And,
        });
        match (self.latest, self.inputs) {
            _ if self.decided => neutral.complement(),
            (None, _) => neutral,
            (Some(only), 1) => {
                if self.inverted {
                    only.complement()
                } else {
                    only
                }
            }
            (Some(latest), _) => {
                let time = self.least.max(self.chain);
                let (leaf, before) = self.leaf;
                let levels = (time - leaf + self.delay / 2) / self.delay.max(1);
                let levels = before + levels.max(1) as u16;
                Arrival { time, chain: self.chain, levels, tree: self.tree, from: latest.from, leaf: self.leaf }
            }
        }
    }
}

impl DelayModel {
    /// All of the inputs.
    pub fn and(&self, inputs: impl IntoIterator<Item = Arrival>) -> Arrival {
        self.tree(Tree::And, inputs)
    }

    /// Any of the inputs.
    pub fn or(&self, inputs: impl IntoIterator<Item = Arrival>) -> Arrival {
        self.tree(Tree::Or, inputs)
    }

    /// Parity of the inputs.
    pub fn xor(&self, inputs: impl IntoIterator<Item = Arrival>) -> Arrival {
        self.tree(Tree::Xor, inputs)
    }

    fn tree(&self, tree: Tree, inputs: impl IntoIterator<Item = Arrival>) -> Arrival {
        let mut builder = TreeBuilder::new(tree, self);
        inputs.into_iter().for_each(|input| builder.add(input));
        builder.root()
    }

    /// One of two.
    pub fn choose(&self, select: Arrival, then: Arrival, otherwise: Arrival) -> Arrival {
        match (select.value(), then.value(), otherwise.value()) {
            (Some(true), ..) => then,
            (Some(false), ..) => otherwise,
            (_, Some(a), Some(b)) if a == b => then,
            (_, Some(true), Some(_)) => select,
            (_, Some(false), Some(_)) => select.complement(),
            (_, Some(true), None) => self.or([select, otherwise]),
            (_, Some(false), None) => self.and([select.complement(), otherwise]),
            (_, None, Some(true)) => self.or([select.complement(), then]),
            (_, None, Some(false)) => self.and([select, then]),
            _ => self.mux(select, then, otherwise),
        }
    }

    /// A chain of multiplexers is a sum of products, whose terms are regrouped like those of other trees.
    fn mux(&self, select: Arrival, then: Arrival, otherwise: Arrival) -> Arrival {
        let term = |arm: Arrival| match arm.tree {
            Tree::Mux => (arm.chain, arm.time),
            _ => (arm.time.max(select.time), arm.time + self.mux),
        };
        let ((a, a_least), (b, b_least)) = (term(then), term(otherwise));
        let chain = joined(a, b, self.mux_level).max(select.time + self.mux_level);
        let time = chain.max(a_least).max(b_least).max(select.time + self.mux);
        let latest = [then, otherwise].into_iter().fold(select, |latest, arm| {
            let due = |bit: Arrival| if bit.tree == Tree::Mux { bit.time - self.mux } else { bit.time };
            if due(arm) > due(latest) { arm } else { latest }
        });
        let levels = ((time - latest.time + self.mux / 2) / self.mux.max(1)).max(0) as u16;
        let leaf = (latest.time, latest.levels);
        Arrival { time, chain, tree: Tree::Mux, levels: latest.levels + levels, from: latest.from, leaf }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: DelayModel = DelayModel { and: 100, xor: 200, ..DelayModel::FITTED };

    fn at(time: i32) -> Arrival {
        Arrival::start(time)
    }

    /// Early inputs of a tree count for a part of a level.
    fn near(found: Arrival, time: i32) {
        assert!((found.time - time).abs() <= 10, "{found:?}");
    }

    #[test]
    fn a_chain_is_a_tree() {
        let chain = (0..16).map(|_| at(0)).reduce(|a, b| M.and([a, b])).expect("some");
        near(chain, 400);
        assert_eq!(chain.levels, 4);
        near(M.and((0..16).map(|_| at(0))), 400);
    }

    #[test]
    fn a_late_input_passes_one_gate() {
        let early = M.and((0..8).map(|_| at(0)));
        near(early, 300);
        near(M.and([early, at(1000)]), 1100);
        near(M.and([at(1000), at(0), at(0)]), 1100);
    }

    #[test]
    fn constants_decide_or_vanish() {
        assert_eq!(M.and([at(5), Arrival::ONE]).time, 5);
        assert_eq!(M.and([at(5), Arrival::ZERO]).value(), Some(false));
        assert_eq!(M.or([]).value(), Some(false));
        assert_eq!(M.xor([Arrival::ONE, Arrival::ZERO]).value(), Some(true));
        assert_eq!(M.choose(at(7), Arrival::ONE, Arrival::ZERO).time, 7);
        assert_eq!(M.choose(at(7), at(9), Arrival::ZERO).tree, Tree::And);
    }

    #[test]
    fn de_morgan() {
        let any = M.or([at(0), at(0)]);
        near(M.and([any.complement(), M.or([at(0), at(0)]).complement()]), 200);
        near(M.and([any, any]), 200);
        near(M.and([any.complement(), at(0), at(0), at(0), at(0), at(0), at(0)]), 300);
    }
}
