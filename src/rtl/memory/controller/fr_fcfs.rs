//! First ready, first come first served, by banks (FR-FCFS). In each cycle one request moves to the service slot of its
//! bank: from a bank on that rotates, the first bank with an empty slot for which requests wait; in it the oldest
//! request for the open row if there is one, or else the oldest. The slots then get commands in rotation (`slots`).
//!
//! With a limit of streaks, so many requests of a bank at most go before its oldest one.
//!
//! Source: Rixner 2000; Bakhoda 2014, section 3.2.4, in the form of GPGPU-Sim's memory model.

use super::{
    scheduling::{DramChannel, Scheduling},
    service::Service,
    slots::{Pick, Slots},
    streak::Streaks,
    waiting::Waiting,
};
use blocks::lowest_set;
use hdl::mux;

pub(super) struct FrFcfs;

impl Scheduling for FrFcfs {
    fn may_overtake(&self) -> bool {
        true
    }

    fn schedule<'m>(&self, channel: &DramChannel<'_, 'm>) -> Service<'m> {
        let m = channel.m;
        let (waiting, slots, streaks) = (Waiting::new(channel), Slots::new(channel), Streaks::new(channel));
        let bank = m.wire("picked_bank", slots.first(waiting.banks() & slots.free()));
        let candidates = m.wire("candidates", waiting.of_banks(bank));
        let may_overtake = (bank & streaks.at_limit(channel)).is_zero();
        let for_open_row = candidates & waiting.is_open & may_overtake.repeat(candidates.width());
        let picked = m.wire("picked", lowest_set(mux(for_open_row.any(), for_open_row, candidates)));
        let service = slots.serve(channel);
        let is_open = (picked & waiting.is_open).any();
        slots.step(channel, &service, &Pick { bank, word: waiting.word(picked), is_open });
        waiting.step(channel, &service, picked);
        let overtakes = picked.ne(lowest_set(candidates));
        streaks.step(channel, bank, overtakes.repeat(bank.width()));
        service
    }
}
