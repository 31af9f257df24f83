//! *Behavioural*, off the chip: a DRAM channel that holds the data and checks every timing of its controller.
//!
//! Called once a cycle with the pins of that cycle. It keeps absolute cycle numbers of past commands and compares
//! distances, so that it shares no code and no counters with the controller. Memory is kept in sparse pages; what was
//! never written reads zero.

use super::saved::{DamagedState, StateReader, StateWriter, Stateful};
use hdl::{Bits, PortName};
use rtl::memory::{
    controller::command,
    map::{AddressMap, Location},
    timing::DramTiming,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sim::Simulator;
use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

/// Bytes of the longest line.
const LINE: usize = 128;
/// A line of data, one burst; of shorter lines the first bytes.
pub type LineData = [u8; LINE];
/// No data.
pub const ZEROS: LineData = [0; LINE];

/// Bytes that are kept together.
const PAGE: usize = 4096;

/// What the controller shows on its pins in one cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DramPins {
    /// See [`command`].
    pub command: u64,
    /// Bank of the command.
    pub bank: u32,
    /// Row of an activate command.
    pub row: u32,
    /// Column of a read or write command.
    pub column: u32,
    /// Data of the write whose burst ends in this cycle.
    pub write_data: LineData,
    /// Bytes of it that are written, bit `i` for byte `i`.
    pub write_mask: u128,
}

impl DramPins {
    /// Reads them from output ports of a running design: `<prefix>_command`, `<prefix>_bank`, ...
    pub fn of(simulator: &mut Simulator, prefix: impl PortName) -> Self {
        let mut bits = |pin: &str| simulator.peek_bits(&(&prefix, pin).text());
        Self {
            command: bits("command").to_u64(),
            bank: bits("bank").to_u64() as u32,
            row: bits("row").to_u64() as u32,
            column: bits("column").to_u64() as u32,
            write_data: unpack(&bits("write_data")),
            write_mask: wide(&bits("write_mask")),
        }
    }
}

/// The first `bytes` of a line as the data pins show them, byte 0 least significant.
pub fn pack(line: &LineData, bytes: u32) -> Bits {
    let words = line[..bytes as usize].chunks_exact(8);
    let words: Vec<_> = words.map(|c| c.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b))).collect();
    Bits::from_words(8 * bytes, &words)
}

/// The inverse of [`pack`].
pub fn unpack(bits: &Bits) -> LineData {
    std::array::from_fn(|i| bits.words().get(i / 8).map_or(0, |word| (word >> (i % 8 * 8)) as u8))
}

/// Up to 128 bits as a number.
pub fn wide(bits: &Bits) -> u128 {
    bits.words().iter().rev().fold(0, |number, &word| number << 64 | u128::from(word))
}

/// A command that came too early, or makes no sense in the bank's state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("DRAM channel {channel}, cycle {cycle}, bank {bank}: {rule}: {detail}")]
pub struct TimingViolation {
    /// Number of the controller.
    pub channel: usize,
    /// Cycle of the offending command.
    pub cycle: u64,
    /// Its bank.
    pub bank: u32,
    /// Broken rule: `tRP`, `tRC`, ...
    pub rule: &'static str,
    /// The two times and what was allowed.
    pub detail: String,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Bank {
    open: Option<u32>,
    activated: Option<u64>,
    precharged: Option<u64>,
    read: Option<u64>,
    written: Option<u64>,
}

/// A burst in flight.
#[derive(Serialize, Deserialize)]
struct Burst {
    end: u64,
    line: u64,
    write: bool,
}

/// A DRAM channel.
pub struct DramDevice {
    channel: usize,
    map: AddressMap,
    timing: DramTiming,
    banks: Vec<Bank>,
    last_activate: Option<(u64, u32)>,
    last_access: Option<(u64, bool)>,
    bursts: VecDeque<Burst>,
    pages: FxHashMap<u64, Box<[u8; PAGE]>>,
    cycle: u64,
    read_data: LineData,
    accessed: Option<LineAccess>,
}

/// A line that a command reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineAccess {
    /// Number of the controller.
    pub channel: usize,
    /// Cycle of the command.
    pub cycle: u64,
    /// First address of the line; `None` when no address leads there.
    pub address: Option<u32>,
    /// Bytes of the line.
    pub bytes: u32,
    /// It is written.
    pub write: bool,
}

impl Stateful for DramDevice {
    fn save(&self, to: &mut StateWriter) {
        to.put(&(&self.banks, self.last_activate, self.last_access, &self.bursts, self.cycle));
        let pages: BTreeMap<_, _> = self.pages.iter().collect();
        to.put(&pages.len());
        for (number, page) in pages {
            to.put(number);
            to.put_bytes(&page[..]);
        }
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        let banks: Vec<Bank>;
        (banks, self.last_activate, self.last_access, self.bursts, self.cycle) = from.take()?;
        if banks.len() != self.banks.len() {
            return Err(DamagedState);
        }
        self.banks = banks;
        self.pages.clear();
        for _ in 0..from.take::<usize>()? {
            let number = from.take()?;
            let page: [u8; PAGE] = from.take_bytes()?.try_into().map_err(|_| DamagedState)?;
            self.pages.insert(number, Box::new(page));
        }
        Ok(())
    }
}

impl DramDevice {
    /// The channel of controller `channel`, all rows closed, all data zero.
    pub fn new(channel: usize, map: &AddressMap, timing: DramTiming) -> Self {
        Self {
            channel,
            map: map.clone(),
            timing,
            banks: vec![Bank::default(); map.banks()],
            last_activate: None,
            last_access: None,
            bursts: VecDeque::new(),
            pages: FxHashMap::default(),
            cycle: 0,
            read_data: ZEROS,
            accessed: None,
        }
    }

    /// As after power-on, but for the data: rows closed, nothing in flight. To be called when the controller is reset.
    pub fn restart(&mut self) {
        self.banks.fill(Bank::default());
        (self.last_activate, self.last_access) = (None, None);
        self.bursts.clear();
    }

    /// Takes the pins of this cycle; returns the read data that the device shows in the same cycle (it belongs to a command
    /// `tCL + burst` cycles ago; zero when none ends now).
    pub fn cycle(&mut self, pins: &DramPins) -> Result<&LineData, TimingViolation> {
        (self.read_data, self.accessed) = (ZEROS, None);
        if self.bursts.front().is_some_and(|burst| burst.end == self.cycle)
            && let Some(burst) = self.bursts.pop_front()
        {
            if burst.write {
                self.store(burst.line, &pins.write_data, pins.write_mask);
            } else {
                self.read_data = self.line(burst.line);
            }
        }
        match pins.command {
            command::NONE => {}
            command::ACTIVATE => self.activate(pins.bank, pins.row)?,
            command::PRECHARGE => self.precharge(pins.bank)?,
            command::READ => self.access(pins, false)?,
            command::WRITE => self.access(pins, true)?,
            code => return Err(self.broken(pins.bank, "command", format!("there is no command {code}"))),
        }
        self.cycle += 1;
        Ok(&self.read_data)
    }

    /// Takes a cycle without a command, if no burst ends in it. Returns whether it did.
    pub fn skip_idle_cycle(&mut self) -> bool {
        let idle = self.bursts.front().is_none_or(|burst| burst.end != self.cycle);
        if idle {
            self.accessed = None;
            self.cycle += 1;
        }
        idle
    }

    /// The line that the command of the last cycle reads or writes.
    pub fn accessed(&self) -> Option<LineAccess> {
        self.accessed
    }

    /// A write burst ends in this cycle: only then `write_data` and `write_mask` are looked at.
    pub fn takes_data(&self) -> bool {
        self.bursts.front().is_some_and(|burst| burst.write && burst.end == self.cycle)
    }

    fn activate(&mut self, bank: u32, row: u32) -> Result<(), TimingViolation> {
        let t = self.timing;
        let state = self.bank(bank)?;
        if let Some(open) = state.open {
            return Err(self.broken(bank, "activate", format!("row {open} is open")));
        }
        self.spaced(bank, "tRP", "precharge", state.precharged, t.t_rp)?;
        self.spaced(bank, "tRC", "activate", state.activated, t.t_rc)?;
        if let Some((at, other)) = self.last_activate.filter(|&(_, other)| other != bank) {
            self.spaced(bank, "tRRD", &format!("activate of bank {other}"), Some(at), t.t_rrd)?;
        }
        let now = self.cycle;
        let state = &mut self.banks[bank as usize];
        (state.open, state.activated) = (Some(row), Some(now));
        self.last_activate = Some((now, bank));
        Ok(())
    }

    fn precharge(&mut self, bank: u32) -> Result<(), TimingViolation> {
        let t = self.timing;
        let state = self.bank(bank)?;
        if state.open.is_none() {
            return Err(self.broken(bank, "precharge", "no row is open".into()));
        }
        self.spaced(bank, "tRAS", "activate", state.activated, t.t_ras)?;
        self.spaced(bank, "read to precharge", "read", state.read, t.read_to_precharge())?;
        self.spaced(bank, "write to precharge", "write", state.written, t.write_to_precharge())?;
        let now = self.cycle;
        let state = &mut self.banks[bank as usize];
        (state.open, state.precharged) = (None, Some(now));
        Ok(())
    }

    fn access(&mut self, pins: &DramPins, write: bool) -> Result<(), TimingViolation> {
        let (t, bank) = (self.timing, pins.bank);
        let state = self.bank(bank)?;
        let Some(row) = state.open else {
            return Err(self.broken(bank, if write { "write" } else { "read" }, "no row is open".into()));
        };
        self.spaced(bank, "tRCD", "activate", state.activated, t.t_rcd)?;
        self.column_spaced(bank, write)?;
        let columns = 1u64 << self.map.column_bits();
        if u64::from(pins.column) >= columns {
            return Err(self.broken(bank, "column", format!("{} of {columns}", pins.column)));
        }
        let now = self.cycle;
        let state = &mut self.banks[bank as usize];
        *(if write { &mut state.written } else { &mut state.read }) = Some(now);
        self.last_access = Some((now, write));
        let line = self.line_number(row, bank, pins.column);
        self.bursts.push_back(Burst { end: now + self.data_at(write) + u64::from(t.burst), line, write });
        let (channel, place) =
            (self.channel, Location { controller: self.channel, row, bank, column: pins.column, byte: 0 });
        let (address, bytes) = (self.map.address(place), self.map.line_bytes());
        self.accessed = Some(LineAccess { channel, cycle: now, address, bytes, write });
        Ok(())
    }

    /// Cycles from a command to its first data.
    fn data_at(&self, write: bool) -> u64 {
        u64::from(if write { self.timing.write_delay() } else { self.timing.t_cl })
    }

    /// Between column commands of any banks: their data one after the other, and the rules for the turn of the bus.
    fn column_spaced(&self, bank: u32, write: bool) -> Result<(), TimingViolation> {
        let Some((at, wrote)) = self.last_access else { return Ok(()) };
        let t = self.timing;
        if let Some(before) = self.bursts.back()
            && self.cycle + self.data_at(write) < before.end
        {
            let data = self.cycle + self.data_at(write);
            let detail = format!("data from cycle {data} on, the bus is in use up to cycle {}", before.end);
            return Err(self.broken(bank, "data bus", detail));
        }
        self.spaced(bank, "tCCD", "burst command", Some(at), t.t_ccd)?;
        match (wrote, write) {
            (false, true) => self.spaced(bank, "tRTW", "read", Some(at), t.t_rtw),
            (true, false) if t.t_wtr > 0 => {
                let data_end = at + self.data_at(true) + u64::from(t.burst);
                self.spaced(bank, "tWTR", "end of the data", Some(data_end), t.t_wtr)
            }
            _ => Ok(()),
        }
    }

    fn bank(&self, bank: u32) -> Result<Bank, TimingViolation> {
        let found = self.banks.get(bank as usize).copied();
        found.ok_or_else(|| self.broken(bank, "bank", format!("the channel has {} banks", self.banks.len())))
    }

    fn spaced(
        &self,
        bank: u32,
        rule: &'static str,
        earlier: &str,
        at: Option<u64>,
        least: u32,
    ) -> Result<(), TimingViolation> {
        match at {
            Some(at) if self.cycle < at + u64::from(least) => {
                let since = self.cycle as i64 - at as i64;
                let detail = format!("{since} cycles after the {earlier} of cycle {at}, allowed from {least}");
                Err(self.broken(bank, rule, detail))
            }
            _ => Ok(()),
        }
    }

    fn broken(&self, bank: u32, rule: &'static str, detail: String) -> TimingViolation {
        TimingViolation { channel: self.channel, cycle: self.cycle, bank, rule, detail }
    }

    // -- the data ------------------------------------------------------------------------------------------------------

    fn line_number(&self, row: u32, bank: u32, column: u32) -> u64 {
        ((u64::from(row) << self.map.bank_bits() | u64::from(bank)) << self.map.column_bits()) | u64::from(column)
    }

    /// Page of a line, and its bytes in the page.
    fn place(&self, line: u64) -> (u64, Range<usize>) {
        let bytes = self.map.line_bytes() as usize;
        let first = (line as usize * bytes) % PAGE;
        (line * bytes as u64 / PAGE as u64, first..first + bytes)
    }

    fn line(&self, line: u64) -> LineData {
        let (page, bytes) = self.place(line);
        let mut out = ZEROS;
        if let Some(page) = self.pages.get(&page) {
            out[..bytes.len()].copy_from_slice(&page[bytes]);
        }
        out
    }

    fn store(&mut self, line: u64, data: &LineData, mask: u128) {
        let (page, bytes) = self.place(line);
        let page = self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE]));
        for (i, byte) in page[bytes].iter_mut().enumerate().filter(|(i, _)| mask >> i & 1 == 1) {
            *byte = data[i];
        }
    }

    /// The host's view, without time: the bytes from `address` on, all of one line of this channel.
    pub fn read(&self, address: u32, bytes: &mut [u8]) {
        let at = self.map.locate(address);
        debug_assert_eq!(at.controller, self.channel, "the address belongs to this channel");
        let line = self.line(self.line_number(at.row, at.bank, at.column));
        bytes.copy_from_slice(&line[at.byte as usize..][..bytes.len()]);
    }

    /// The host's view, without time: sets the bytes from `address` on, all of one line of this channel.
    pub fn write(&mut self, address: u32, bytes: &[u8]) {
        let at = self.map.locate(address);
        debug_assert_eq!(at.controller, self.channel, "the address belongs to this channel");
        let (page, place) = self.place(self.line_number(at.row, at.bank, at.column));
        // Memory that was never written is zero.
        if bytes.iter().all(|&byte| byte == 0) && !self.pages.contains_key(&page) {
            return;
        }
        let page = self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE]));
        page[place][at.byte as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    /// The host's view, without time: the byte at `address`, which must belong to this channel.
    pub fn peek(&self, address: u32) -> u8 {
        let at = self.map.locate(address);
        debug_assert_eq!(at.controller, self.channel, "the address belongs to this channel");
        self.line(self.line_number(at.row, at.bank, at.column))[at.byte as usize]
    }

    /// The host's view, without time: sets the byte at `address`, which must belong to this channel.
    pub fn poke(&mut self, address: u32, value: u8) {
        let at = self.map.locate(address);
        debug_assert_eq!(at.controller, self.channel, "the address belongs to this channel");
        let line = self.line_number(at.row, at.bank, at.column);
        self.store(line, &[value; LINE], 1 << at.byte);
    }
}
