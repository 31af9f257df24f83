//! DRAM timing: the rules that the controller obeys and the device checks.
//!
//! ```text
//!  ACT -- tRCD --> RD/WR          PRE -- tRP --> ACT            ACT -- tRAS --> PRE   ACT -- tRC --> ACT   (one bank)
//!  ACT -- tRRD --> ACT            (banks apart)
//!  RD  -- tCCD, data bus --> RD   RD -- tRTW, data bus --> WR   WR -- tWL + burst + tWTR --> RD            (any banks)
//!  RD  -- tCL --> data (burst)    WR -- tWL --> data (burst)
//! ```

use common::parameters;

parameters! {
    /// Delays between DRAM commands, in cycles of the DRAM. One command moves a line.
    ///
    /// Defaults: GDDR3 as in Bakhoda 2014, tables 3.2 and 6.1 (tCL 9, tRP 13, tRC 34, tRAS 21, tRCD 12, tRRD 8). The burst follows
    /// from the same table: 141.7 GB/s over 8 channels at 1107 MHz are 16 bytes a cycle, so 64 bytes take 4 cycles. The tables name no
    /// other rule; by default writes have the latency of reads, so that the data bus needs no turn-around. The shipped
    /// configurations `gddr3` and `gddr5` have the other rules, too.
    ///
    /// A row may be closed `burst` cycles after a read command and when the data of a write is in. Refresh is not modelled.
    #[derive(Copy, Hash)]
    pub struct DramTiming {
        /// Read command to first data.
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
        /// Read to read and write to write, where that is more than `burst`.
        t_ccd: u32 = 1, range(1, 64) cycles;
        /// Write command to first data; 0: as `t_cl`.
        t_wl: u32 = 0, range(0, 255) cycles;
        /// End of a write's data to a read command; 0: only the data bus counts.
        t_wtr: u32 = 0, range(0, 255) cycles;
        /// Read command to write command, where that is more than the data bus requires.
        t_rtw: u32 = 0, range(0, 255) cycles;
    }
}

impl DramTiming {
    /// Cycles from a read command to the end of its burst, when the line moves as one word.
    pub fn latency(&self) -> u32 {
        self.t_cl + self.burst
    }

    /// Write command to first data, cycles.
    pub fn write_delay(&self) -> u32 {
        if self.t_wl == 0 { self.t_cl } else { self.t_wl }
    }

    /// Cycles from a write command to the end of its burst, when the line moves as one word.
    pub fn write_latency(&self) -> u32 {
        self.write_delay() + self.burst
    }

    /// Read command to precharge of the same bank, cycles.
    pub fn read_to_precharge(&self) -> u32 {
        self.burst
    }

    /// Write command to precharge of the same bank, cycles.
    pub fn write_to_precharge(&self) -> u32 {
        self.write_latency()
    }

    /// Read to read and write to write command, cycles.
    pub fn column_to_column(&self) -> u32 {
        self.burst.max(self.t_ccd)
    }

    /// Read to write command, cycles: the read's data is off the bus when the write's comes.
    pub fn read_to_write(&self) -> u32 {
        self.latency().saturating_sub(self.write_delay()).max(self.t_rtw).max(self.t_ccd)
    }

    /// Write to read command, cycles: `t_wtr` after the data, or else when the data is off the bus.
    pub fn write_to_read(&self) -> u32 {
        let bus = self.write_latency().saturating_sub(self.t_cl).max(self.t_ccd);
        if self.t_wtr == 0 { bus } else { bus.max(self.write_latency() + self.t_wtr) }
    }
}
