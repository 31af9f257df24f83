//! DRAM timing: the rules that the controller obeys and the device checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Delays between DRAM commands, in core cycles (the chip has one clock), each 1 to 255.
///
/// Defaults: GDDR3 as in Bakhoda 2014, tables 3.2 and 6.1 (tCL 9, tRP 13, tRC 34, tRAS 21, tRCD 12, tRRD 8). The burst follows
/// from the same table: 141.7 GB/s over 8 channels at 1107 MHz are 16 bytes a cycle, so 64 bytes take 4 cycles.
///
/// The thesis names no rule for leaving a row after an access. Here a row may be closed `burst` cycles after a read
/// command and `t_cl + burst` cycles after a write command, when the data is in; writes have the latency of reads, so that
/// the data bus needs no turn-around. Refresh is not modelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DramTiming {
    /// Read or write command to first data, cycles (1 to 255).
    pub t_cl: u32,
    /// Precharge to activate of the same bank, cycles (1 to 255).
    pub t_rp: u32,
    /// Activate to activate of the same bank, cycles (1 to 255).
    pub t_rc: u32,
    /// Activate to precharge of the same bank, cycles (1 to 255).
    pub t_ras: u32,
    /// Activate to read or write of the same bank, cycles (1 to 255).
    pub t_rcd: u32,
    /// Activate to activate of different banks, cycles (1 to 255).
    pub t_rrd: u32,
    /// Cycles that the 64 bytes of a burst occupy the data bus (1 to 64).
    pub burst: u32,
}

impl Default for DramTiming {
    fn default() -> Self {
        Self { t_cl: 9, t_rp: 13, t_rc: 34, t_ras: 21, t_rcd: 12, t_rrd: 8, burst: 4 }
    }
}

/// A timing value out of range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("DRAM timing {name} = {value}: allowed are 1 to {most} cycles")]
pub struct TimingError {
    /// Field.
    pub name: &'static str,
    /// Its value.
    pub value: u32,
    /// Greatest legal value.
    pub most: u32,
}

impl DramTiming {
    /// Every field in its range.
    pub fn check(&self) -> Result<(), TimingError> {
        let fields = [
            ("t_cl", self.t_cl, 255),
            ("t_rp", self.t_rp, 255),
            ("t_rc", self.t_rc, 255),
            ("t_ras", self.t_ras, 255),
            ("t_rcd", self.t_rcd, 255),
            ("t_rrd", self.t_rrd, 255),
            ("burst", self.burst, 64),
        ];
        match fields.into_iter().find(|&(_, value, most)| value == 0 || value > most) {
            Some((name, value, most)) => Err(TimingError { name, value, most }),
            None => Ok(()),
        }
    }

    /// Cycles from a read or write command to the end of its burst, when the 64 bytes move as one word.
    pub fn latency(&self) -> u32 {
        self.t_cl + self.burst
    }

    /// Read command to precharge of the same bank, cycles.
    pub fn read_to_precharge(&self) -> u32 {
        self.burst
    }

    /// Write command to precharge of the same bank, cycles.
    pub fn write_to_precharge(&self) -> u32 {
        self.latency()
    }
}
