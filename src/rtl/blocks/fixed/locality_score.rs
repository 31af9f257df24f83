//! Locality scoring system: which kind of locality the loads of a core have shown, as the sign of a score.
//!
//! ```text
//!                        +---------------------+
//!  clear             (1)->|  score: saturating  |-> prefer_rr (1, register)
//!  miss, intra, inter (1)->|  misses: run since  |-> score  (16, register)
//!  max_misses        (5)->|  the last inter hit |-> misses (5, register)
//!                        +---------------------+
//! ```
//!
//! Contract: a strobe in cycle t changes the outputs from cycle t + 1 on. `miss`: a primary miss; `intra`: a hit or a
//! merged miss on a line that the same warp asked for; `inter`: that another one asked for; at most one of the three in
//! a cycle (the user asserts it: a rust-hdl block cannot). A miss and an intra access add one, an inter access takes
//! the misses since the last one and one more; of the misses the last `max_misses` count at most. `prefer_rr` is one
//! when the score is below zero. `clear`, at the start of a kernel, resets.
//!
//! `score` is kept with its sign inverted, so that zero is 32,768; it stops at both ends (at -32,767 below), as a score
//! that wrapped around would turn the policy over.
//!
//! Source: Kim's thesis, section 2.5, figures 2.5 to 2.7. Tested in `tests/simulation/rust_hdl/fixed.rs` against rust-hdl's
//! simulator and against a model.

use hdl::Module;
use rust_hdl::{prelude::*, widgets::edge_ff::EdgeDFF};
use rusthdl::import;

/// A score of zero.
pub const ZERO_SCORE: u32 = 1 << 15;

/// The scoring system as a rust-hdl block; see the [module documentation](self).
#[derive(LogicBlock)]
pub struct LocalityScore {
    /// The clock.
    pub clock: Signal<In, Clock>,
    /// Back to zero.
    pub clear: Signal<In, Bit>,
    /// A primary miss.
    pub miss: Signal<In, Bit>,
    /// A hit or merged miss of the warp that brought the line.
    pub intra: Signal<In, Bit>,
    /// A hit or merged miss of another warp.
    pub inter: Signal<In, Bit>,
    /// Misses that count at most.
    pub max_misses: Signal<In, Bits<5>>,
    /// The score is below zero: the fair policy is the better one.
    pub prefer_rr: Signal<Out, Bit>,
    /// The score, and 32,768.
    pub score: Signal<Out, Bits<16>>,
    /// Misses since the last inter access.
    pub misses: Signal<Out, Bits<5>>,
    value: EdgeDFF<Bits<16>>,
    run: DFF<Bits<5>>,
    fall: Signal<Local, Bits<16>>,
}

impl Default for LocalityScore {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            clear: Default::default(),
            miss: Default::default(),
            intra: Default::default(),
            inter: Default::default(),
            max_misses: Default::default(),
            prefer_rr: Default::default(),
            score: Default::default(),
            misses: Default::default(),
            value: EdgeDFF::new(ZERO_SCORE.to_bits()),
            run: Default::default(),
            fall: Default::default(),
        }
    }
}

impl Logic for LocalityScore {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, run);
        self.value.clk.next = self.clock.val();
        self.value.d.next = self.value.q.val();
        self.score.next = self.value.q.val();
        self.misses.next = self.run.q.val();
        self.prefer_rr.next = !self.value.q.val().get_bit(15);
        self.fall.next = bit_cast::<16, 5>(self.run.q.val()) + 1;
        if (self.miss.val() | self.intra.val()) & !self.value.q.val().all() {
            self.value.d.next = self.value.q.val() + 1;
        }
        if self.miss.val() & (self.run.q.val() < self.max_misses.val()) {
            self.run.d.next = self.run.q.val() + 1;
        }
        if self.inter.val() {
            self.run.d.next = 0.into();
            if self.value.q.val() > self.fall.val() {
                self.value.d.next = self.value.q.val() - self.fall.val();
            } else {
                self.value.d.next = 1.into();
            }
        }
        if self.clear.val() {
            self.value.d.next = 32_768.into();
            self.run.d.next = 0.into();
        }
    }
}

/// The locality scoring system; ports in the [module documentation](self).
pub fn locality_score() -> Module {
    import(&LocalityScore::default(), "locality_score")
}
