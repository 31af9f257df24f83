//! In order with lookahead over the banks: the oldest request moves to its bank's service slot when that is empty, one
//! a cycle. Nothing overtakes the oldest in the queue; requests of different banks are read and written in any order.
//!
//! Source: FIFO scheduling as in the memory model of GPGPU-Sim, on which Bakhoda 2014, section 3.5.6, is based.

use super::{
    queue::queue,
    scheduling::{DramChannel, Scheduling},
    service::{DramCommand, Service},
    slots::{Pick, SlotRequest, Slots},
};
use blocks::{fixed::PlacedDramBank, index_one_hot};
use hdl::{Bundle, Signal};

pub(super) struct FifoBanks;

impl Scheduling for FifoBanks {
    fn schedule<'m>(&self, channel: &DramChannel<'_, 'm>) -> Service<'m> {
        let DramChannel { m, p, banks, .. } = *channel;
        let slots = Slots::new(channel);
        let DramCommand { write, row, bank, column } = channel.request;
        let place = channel.place.unwrap_or(column);
        let arrival: Signal<'m> = bank.join(SlotRequest { write, row, column, place }.pack());
        let commands = queue(m, "commands", p.queue_entries, channel.arrives, arrival);
        let head = commands.data();
        let word = head.bits(0, SlotRequest::width(p));
        let bank = head.bits(SlotRequest::width(p), p.map.bank_bits()).named("head_bank");
        let wanted = index_one_hot(bank, p.map.banks() as u32) & commands.valid().repeat(p.map.banks() as u32);
        let picked = m.wire("picked", wanted & slots.free());
        commands.pop(picked.any());
        let service = slots.serve(channel);
        let is_open = banks.of(bank, PlacedDramBank::open) & banks.open_row(bank).eq(SlotRequest::unpack(word, p).row);
        slots.step(channel, &service, &Pick { bank: picked, word, is_open });
        service
    }
}
