//! DRAM timing: the rules that the controller obeys and the device checks.

use common::parameters;

parameters! {
    /// Delays between DRAM commands, in core cycles (the chip has one clock).
    ///
    /// Defaults: GDDR3 as in Bakhoda 2014, tables 3.2 and 6.1 (tCL 9, tRP 13, tRC 34, tRAS 21, tRCD 12, tRRD 8). The burst follows
    /// from the same table: 141.7 GB/s over 8 channels at 1107 MHz are 16 bytes a cycle, so 64 bytes take 4 cycles.
    ///
    /// The thesis names no rule for leaving a row after an access. Here a row may be closed `burst` cycles after a read
    /// command and `t_cl + burst` cycles after a write command, when the data is in; writes have the latency of reads, so that
    /// the data bus needs no turn-around. Refresh is not modelled.
    #[derive(Copy, Hash)]
    pub struct DramTiming {
        /// Read or write command to first data.
        t_cl: u32 = 9, range(1, 255) cycles;
        /// Precharge to activate of the same bank.
        t_rp: u32 = 13, range(1, 255) cycles;
        /// Activate to activate of the same bank.
        t_rc: u32 = 34, range(1, 255) cycles;
        /// Activate to precharge of the same bank.
        t_ras: u32 = 21, range(1, 255) cycles;
        /// Activate to read or write of the same bank.
        t_rcd: u32 = 12, range(1, 255) cycles;
        /// Activate to activate of different banks.
        t_rrd: u32 = 8, range(1, 255) cycles;
        /// How long the line of a burst occupies the data bus.
        burst: u32 = 4, range(1, 64) cycles;
    }
}

impl DramTiming {
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
