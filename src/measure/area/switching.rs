//! Switching activity of channels: how many bits of the payload differ from one flit to the next on the same channel,
//! in a sample of cycles.
//!
//! ```text
//!   cycle   0                        1 ... 32                      33 ... 250   251 ...
//!           what registers hold      a flit? bits that differ      nothing      as in 0
//! ```
//!
//! The output register of a router holds its last flit until the next one comes, so the first flit of a window has one
//! before it, too, and what is counted is what the wires do. Windows begin at fixed cycles: the sample depends on the
//! run alone, not on engine or threads. The period is a prime, which no burst, turn of beats or DRAM timing divides.
//! Registers are looked at, never wires, so no engine computes anything more, and no hardware is there for it. Overlays
//! are not sampled: they may have another clock.

use crate::{
    host::saved::{DamagedState, SavedBits, StateReader, StateWriter, Stateful, restored_bits, saved_bits},
    output_units::output_unit_taps,
};
use hdl::Bits;
use rtl::noc::{
    Fabric,
    fabric::PlacedOutput,
    output_unit::{REGISTER_PAYLOAD, REGISTER_VALID},
};
use serde::{Deserialize, Serialize};
use sim::{OutputHandle, SimError, Simulator};

/// Cycles from one window to the next.
pub const PERIOD: u64 = 251;
/// Cycles of a window in which flits are looked at.
pub const WINDOW: u64 = 32;

/// What the channels of a subnetwork have done in the sampled cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Switching {
    /// Flits, each with the one before it on its channel.
    pub flits: u64,
    /// Payload bits of these flits.
    pub bits: u64,
    /// Those of them that were not as in the flit before.
    pub changed: u64,
}

impl Switching {
    /// Part of the bits that change from flit to flit; `None` without flits.
    pub fn fraction(&self) -> Option<f64> {
        (self.bits > 0).then(|| self.changed as f64 / self.bits as f64)
    }

    fn flit(&mut self, before: &Bits, now: &Bits) {
        let differ = before.words().iter().zip(now.words()).map(|(a, b)| u64::from((a ^ b).count_ones()));
        self.changed += differ.sum::<u64>();
        self.bits += u64::from(now.width());
        self.flits += 1;
    }
}

/// The output register of a router.
struct Register {
    subnetwork: usize,
    valid: OutputHandle,
    payload: OutputHandle,
    held: Bits,
}

/// Looks at all channels that leave routers.
pub struct SwitchingSampler {
    registers: Vec<Register>,
    subnetworks: Vec<Switching>,
}

impl SwitchingSampler {
    /// For a simulation of something in whose top [`Fabric::build`] has placed `fabric`.
    pub fn new(fabric: &Fabric, simulator: &Simulator) -> Result<Self, SimError> {
        let nets = output_unit_taps(fabric, simulator, [REGISTER_VALID, REGISTER_PAYLOAD])?;
        let register = |(PlacedOutput { subnetwork, .. }, [valid, payload]): (_, [OutputHandle; 2])| {
            let held = Bits::zero(fabric.network_in(subnetwork).format.width);
            Register { subnetwork, valid, payload, held }
        };
        let subnetworks = vec![Switching::default(); fabric.subnetworks().len()];
        Ok(Self { registers: nets.into_iter().map(register).collect(), subnetworks })
    }

    /// After clock edge number `cycle`, counted from any; to be called after each.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        let at = cycle % PERIOD;
        if at > WINDOW {
            return;
        }
        for register in &mut self.registers {
            if at == 0 {
                register.held = simulator.peek_bits_at(register.payload);
            } else if simulator.peek_at(register.valid) == 1 {
                let now = simulator.peek_bits_at(register.payload);
                self.subnetworks[register.subnetwork].flit(&register.held, &now);
                register.held = now;
            }
        }
    }

    /// By subnetwork.
    pub fn finish(self) -> Vec<Switching> {
        self.subnetworks
    }
}

impl Stateful for SwitchingSampler {
    fn save(&self, to: &mut StateWriter) {
        to.put(&self.subnetworks);
        self.registers.iter().for_each(|register| to.put(&saved_bits(&register.held)));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        self.subnetworks = from.take()?;
        for register in &mut self.registers {
            register.held = restored_bits(&from.take::<SavedBits>()?);
        }
        Ok(())
    }
}
