//! First ready, first come first served over one pool: in each cycle the oldest of all requests that can be read or
//! written, or else the oldest that can get its row opened, or the wrong row closed. A row is not closed while requests
//! wait for it, and these are served in the order of arrival, reads and writes alike.
//!
//! With a limit of streaks, so many requests of a bank at most go before its oldest one; then the row is closed for it
//! if need be.
//!
//! Source: Rixner 2000.

use super::{
    scheduling::{DramChannel, Scheduling},
    service::Service,
    slots::SlotRequest,
    streak::Streaks,
    waiting::Waiting,
};
use blocks::{fixed::PlacedDramBank, lowest_set, one_hot_index, or_all};
use hdl::{Bundle, Signal, mux, row};

pub(super) struct FrFcfsGlobal;

impl Scheduling for FrFcfsGlobal {
    fn may_overtake(&self) -> bool {
        true
    }

    fn schedule<'m>(&self, channel: &DramChannel<'_, 'm>) -> Service<'m> {
        let DramChannel { m, p, banks, reply_free, .. } = *channel;
        let (waiting, streaks) = (Waiting::new(channel), Streaks::new(channel));
        let n = waiting.is_open.width();
        // Of each bank, who may go: all, or at the limit the oldest alone.
        let at_limit = streaks.at_limit(channel).to_bits();
        let may_go: Vec<_> = waiting
            .in_bank
            .iter()
            .zip(at_limit)
            .map(
                |(&requests, at_limit)| {
                    if streaks.limited() { mux(at_limit, lowest_set(requests), requests) } else { requests }
                },
            )
            .collect();
        let of_banks = |requests: &[Signal<'m>], banks: Signal<'m>| {
            let masked: Vec<_> = requests.iter().zip(banks.to_bits()).map(|(r, bank)| *r & bank.repeat(n)).collect();
            or_all(&masked)
        };
        // Of requests for one row the oldest comes first, even when the bus would take a younger one of the other kind.
        let firsts: Vec<_> = may_go.iter().map(|requests| lowest_set(*requests & waiting.is_open)).collect();
        let accesses =
            of_banks(&firsts, banks.all(PlacedDramBank::can_access)) & banks.bus_free(waiting.writes(channel));
        let accesses = m.wire("accesses", accesses & reply_free.repeat(n));
        let activates = of_banks(&may_go, banks.all(PlacedDramBank::can_activate)) & banks.row_wait_over.repeat(n);
        let unwanted = row(may_go.iter().map(|requests| (*requests & waiting.is_open).is_zero()));
        let precharges = of_banks(&may_go, banks.all(PlacedDramBank::can_precharge) & unwanted);
        let access = accesses.any();
        let chosen = m.wire("chosen", lowest_set(mux(access, accesses, activates | precharges)));
        let SlotRequest { write, row: to_row, column, place } = SlotRequest::unpack(waiting.word(chosen), p);
        let chosen_bank = m.wire("chosen_bank", row(waiting.in_bank.iter().map(|requests| (*requests & chosen).any())));
        let service = Service {
            activate: (chosen & activates).any() & !access,
            precharge: (chosen & precharges).any() & !access,
            access,
            write,
            bank: one_hot_index(chosen_bank),
            row: to_row,
            column,
            place: Some(place),
            valid: chosen.any(),
        };
        waiting.step(channel, &service, chosen & access.repeat(n));
        if streaks.limited() {
            let overtakes = row(waiting.in_bank.iter().map(|&requests| chosen.ne(lowest_set(requests))));
            streaks.step(channel, chosen_bank & access.repeat(chosen_bank.width()), overtakes);
        }
        service
    }
}
