//! Strictly in order: only the oldest request gets commands. Precharge when its bank has a wrong row open, activate
//! when none, read or write when its own. It then leaves, so that the next one's commands overlap its burst.
//!
//! Source: in-order (FIFO) scheduling, Bakhoda 2014, table 3.2.

use super::{
    queue::queue,
    scheduling::{DramChannel, Scheduling},
    service::{DramCommand, Service},
};
use blocks::fixed::PlacedDramBank;
use hdl::Bundle;

pub(super) struct Fifo;

impl Scheduling for Fifo {
    fn is_in_order(&self) -> bool {
        true
    }

    fn schedule<'m>(&self, channel: &DramChannel<'_, 'm>) -> Service<'m> {
        let DramChannel { m, p, banks, .. } = *channel;
        let commands = queue(m, "commands", p.queue_entries, channel.arrives, channel.request.pack());
        let valid = commands.valid();
        let DramCommand { write, row, bank, column } = DramCommand::unpack(commands.data(), &p.map);
        let (row, bank) = (row.named("head_row"), bank.named("head_bank"));
        let hit = m.wire("row_open_for_head", banks.is_open_row(bank, row));
        let activate = valid & banks.of(bank, PlacedDramBank::can_activate) & banks.row_wait_over;
        let access =
            valid & banks.of(bank, PlacedDramBank::can_access) & hit & banks.bus_free(write) & channel.reply_free;
        let precharge = m.wire("precharge", valid & banks.of(bank, PlacedDramBank::can_precharge) & !hit);
        commands.pop(access);
        Service { activate, precharge, access, write, bank, row, column, place: None, valid }
    }
}
