//! What curves of a chip are measured by, and how many of them there is room for.

use crate::record::{RecordError, StoredRecord};
use serde::Serialize;

/// Bytes of samples or floor plans; with the library the page stays below 5 MB.
pub(super) const ROOM: usize = 3_000_000;

/// What curves are measured by.
#[derive(Serialize)]
pub(super) struct ChipNumbers {
    /// Thread instructions a cycle.
    peak_ipc: Option<f64>,
    /// Parts of a core that issue.
    issue_slots: u64,
    /// Cycles of DRAM in one of the cores.
    dram_cycles: f64,
}

impl ChipNumbers {
    /// Of the chip of a record.
    pub(super) fn of(record: &StoredRecord, peak_ipc: Option<f64>) -> Result<Self, RecordError> {
        let config = record.config_table()?;
        // A key that is not there has no effect on this chip.
        let number = |table: &str, key: &str| config.get(table)?.get(key)?.as_integer();
        let megahertz = |clock| number("clocks", clock).unwrap_or(1) as f64;
        Ok(Self {
            peak_ipc,
            issue_slots: number("core", "issue_slots").unwrap_or(1) as u64,
            dram_cycles: megahertz("dram") / megahertz("core"),
        })
    }
}
