//! Where a host meets the chip: ports by handle and a clock, of whatever simulates the chip.
//!
//! [`Simulator`] is one; a foreign model of the exported Verilog (Verilator's, say) is another, which the very same
//! [`Host`](super::Host) and DRAM devices then drive.

use crate::statistics::HardwareStatistics;
use hdl::Bits;
use rtl::core::front_end::INSTRUCTIONS;
use sim::{ClockHandle, InputHandle, OutputHandle, SimError, Simulator};

/// A running model of a chip, as a host sees it: its pins and its clock.
pub trait Pins {
    /// An input pin.
    type Input: Copy;
    /// An output pin.
    type Output: Copy;
    /// A clock pin.
    type Clock: Copy;

    /// The input called `port`.
    fn input(&self, port: &str) -> Result<Self::Input, SimError>;
    /// The output called `port`.
    fn output(&self, port: &str) -> Result<Self::Output, SimError>;
    /// The clock called `name` (without `clock_` in front; `clock`: the default one).
    fn clock(&self, name: &str) -> Result<Self::Clock, SimError>;
    /// Drives a pin of up to 64 bits; it keeps the value until driven again.
    fn poke_at(&mut self, port: Self::Input, value: u64);
    /// Drives a pin of any width.
    fn poke_bits_at(&mut self, port: Self::Input, value: &Bits);
    /// The low 64 bits of an output, now.
    fn peek_at(&mut self, port: Self::Output) -> u64;
    /// An output, now.
    fn peek_bits_at(&mut self, port: Self::Output) -> Bits;
    /// Computes what outputs show, so that looking at them costs nothing more; a model that computes it anyway does nothing.
    fn settle(&mut self) {}
    /// Parts that are no hardware are at work from now on, or no more: for profiles.
    fn behavioural(&mut self, _at_work: bool) {}
    /// One clock edge; with several clocks: the edges of the next instant at which any of them has one.
    fn step(&mut self) -> Result<(), SimError>;
    /// As `step`, with the resets high.
    fn reset_step(&mut self);
    /// Has this clock an edge in the next step?
    fn has_edge(&self, clock: Self::Clock) -> bool;
    /// Edges of the default clock so far.
    fn cycle(&self) -> u64;
    /// Edges of a clock so far.
    fn cycle_of(&self, clock: Self::Clock) -> u64;
    /// Warp instructions issued so far; `None` when the model does not know.
    fn instructions(&mut self) -> Option<u64>;
}

impl Pins for Simulator {
    type Input = InputHandle;
    type Output = OutputHandle;
    type Clock = ClockHandle;

    fn input(&self, port: &str) -> Result<InputHandle, SimError> {
        self.input(port)
    }

    fn output(&self, port: &str) -> Result<OutputHandle, SimError> {
        self.output(port)
    }

    fn clock(&self, name: &str) -> Result<ClockHandle, SimError> {
        self.clock(name)
    }

    fn poke_at(&mut self, port: InputHandle, value: u64) {
        self.poke_at(port, value);
    }

    fn poke_bits_at(&mut self, port: InputHandle, value: &Bits) {
        self.poke_bits_at(port, value);
    }

    fn peek_at(&mut self, port: OutputHandle) -> u64 {
        self.peek_at(port)
    }

    fn peek_bits_at(&mut self, port: OutputHandle) -> Bits {
        self.peek_bits_at(port)
    }

    fn settle(&mut self) {
        self.settle();
    }

    fn behavioural(&mut self, at_work: bool) {
        self.behavioural(at_work);
    }

    fn step(&mut self) -> Result<(), SimError> {
        self.step()
    }

    fn reset_step(&mut self) {
        self.reset_step();
    }

    fn has_edge(&self, clock: ClockHandle) -> bool {
        self.has_edge(clock)
    }

    fn cycle(&self) -> u64 {
        self.cycle()
    }

    fn cycle_of(&self, clock: ClockHandle) -> u64 {
        self.cycle_of(clock)
    }

    fn instructions(&mut self) -> Option<u64> {
        Some(HardwareStatistics::from(self.probes()).total(INSTRUCTIONS))
    }
}
