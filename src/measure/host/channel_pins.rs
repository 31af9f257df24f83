//! *Behavioural*, off the chip: the pins of a DRAM channel between its controller and its device.

use super::{
    device::{DramDevice, DramPins, LineData, TimingViolation, ZEROS, pack, unpack, wide},
    pins::Pins,
};
use hdl::PortName;
use rtl::{chip::Chip, memory::controller::command};
use sim::SimError;

/// The pins of a DRAM channel.
pub(super) struct ChannelPins<P: Pins> {
    command: P::Output,
    bank: P::Output,
    row: P::Output,
    column: P::Output,
    write_data: P::Output,
    write_mask: P::Output,
    read_data: P::Input,
    /// Of a line.
    bytes: u32,
    /// The read data pins carry something.
    pub shows: bool,
}

impl<P: Pins> ChannelPins<P> {
    /// Of controller `c`.
    pub fn new(simulator: &P, c: usize, chip: &Chip) -> Result<Self, SimError> {
        let pin = |name: &str| simulator.output(&("dram", c, name).text());
        Ok(Self {
            command: pin("command")?,
            bank: pin("bank")?,
            row: pin("row")?,
            column: pin("column")?,
            write_data: pin("write_data")?,
            write_mask: pin("write_mask")?,
            read_data: simulator.input(&("dram", c, "read_data").text())?,
            bytes: chip.map().line_bytes(),
            shows: false,
        })
    }

    /// One cycle of the device; returns whether a command came.
    pub fn cycle(&mut self, device: &mut DramDevice, simulator: &mut P) -> Result<bool, TimingViolation> {
        let command = simulator.peek_at(self.command);
        if command == command::NONE && device.skip_idle_cycle() {
            self.show(&ZEROS, false, simulator);
            return Ok(false);
        }
        let mut pins = DramPins { command, bank: 0, row: 0, column: 0, write_data: ZEROS, write_mask: 0 };
        if command != command::NONE {
            let mut read = |pin| simulator.peek_at(pin) as u32;
            (pins.bank, pins.row, pins.column) = (read(self.bank), read(self.row), read(self.column));
        }
        if device.takes_data() {
            pins.write_data = unpack(&simulator.peek_bits_at(self.write_data));
            pins.write_mask = wide(&simulator.peek_bits_at(self.write_mask));
        }
        let shown = device.cycle(&pins)?;
        self.show(shown, shown.iter().any(|&byte| byte != 0), simulator);
        Ok(command != command::NONE)
    }

    /// Drives the read data pins, where they change; `shows`: the data are not all zero.
    fn show(&mut self, data: &LineData, shows: bool, simulator: &mut P) {
        if shows || self.shows {
            simulator.poke_bits_at(self.read_data, &pack(data, self.bytes));
        }
        self.shows = shows;
    }
}
