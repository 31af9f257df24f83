//! Requests that wait, in the order of arrival, of which any can be taken out: a collapsing queue.
//!
//! ```text
//!  arrives, bank, word, is_open -->+---------------------------------------+
//!  service (rows that open, close)>| place 0: oldest ... place n - 1       |-> words (n)
//!  taken (n), one-hot or zero ---->| in bank b (n), row is open (n)        |-> in_bank(b) (n), is_open (n)
//!                                  +---------------------------------------+
//! ```
//!
//! Contract: a request that arrives in cycle t is behind all others from t + 1 on; what is taken out leaves no gap.
//! `is_open` follows the banks: one when the row of the request is the open row of its bank. Whether the oldest of some
//! is wanted, that is the lowest bit. Never: more requests than places (asserted).

use super::{
    scheduling::DramChannel,
    service::{DramCommand, Service},
    slots::SlotRequest,
};
use blocks::{index_one_hot, one_hot_mux, or_all};
use hdl::{Bundle, Signal, index_width, mux, row};

/// Requests that wait; see the [module documentation](self).
pub(super) struct Waiting<'m> {
    /// Those of each bank, a bit each.
    pub(super) in_bank: Vec<Signal<'m>>,
    /// Those whose row is open.
    pub(super) is_open: Signal<'m>,
    words: Vec<Signal<'m>>,
}

impl<'m> Waiting<'m> {
    pub(super) fn new(channel: &DramChannel<'_, 'm>) -> Self {
        let DramChannel { m, p, .. } = *channel;
        let n = p.queue_entries;
        Self {
            in_bank: (0..p.map.banks()).map(|b| m.register(("waiting_bank", b), n as u32, 0)).collect(),
            is_open: m.register("waiting_row_open", n as u32, 0),
            words: (0..n).map(|i| m.register_payload(("waiting", i), SlotRequest::width(p))).collect(),
        }
    }

    /// Those in banks of which the bit is set.
    pub(super) fn of_banks(&self, banks: Signal<'m>) -> Signal<'m> {
        one_hot_mux(banks, &self.in_bank)
    }

    /// Banks for which some wait.
    pub(super) fn banks(&self) -> Signal<'m> {
        row(self.in_bank.iter().map(|requests| requests.any()))
    }

    /// The request of a one-hot choice.
    pub(super) fn word(&self, chosen: Signal<'m>) -> Signal<'m> {
        one_hot_mux(chosen, &self.words)
    }

    /// Those that write.
    pub(super) fn writes(&self, channel: &DramChannel<'_, 'm>) -> Signal<'m> {
        row(self.words.iter().map(|&word| SlotRequest::unpack(word, channel.p).write))
    }

    /// At the end of the cycle: `taken` leaves, the arrival comes.
    pub(super) fn step(&self, channel: &DramChannel<'_, 'm>, service: &Service<'m>, taken: Signal<'m>) {
        let DramChannel { m, p, banks, arrives, .. } = *channel;
        let n = taken.width();
        let DramCommand { write, row: to_row, bank, column } = channel.request;
        // Ones below what is taken; all ones when nothing is.
        let stay = m.wire("stay", taken - 1);
        let collapsed = |x: Signal<'m>| if n == 1 { x & stay } else { x & stay | (x >> 1) & !stay };
        let left = collapsed(or_all(&self.in_bank));
        let tail = if n == 1 { !left } else { !left & (left << 1 | m.lit(n, 1)) };
        let behind = m.wire("behind", tail & arrives.repeat(n));
        m.always("a request that arrives has a place", !arrives | tail.any());
        let arriving_bank = index_one_hot(bank, p.map.banks() as u32);
        for (&requests, mine) in self.in_bank.iter().zip(arriving_bank.to_bits()) {
            m.set(requests, collapsed(requests) | behind & mine.repeat(n));
        }

        let concerned = self.of_banks(index_one_hot(service.bank, p.map.banks() as u32));
        let opened = row(self.words.iter().map(|&word| SlotRequest::unpack(word, p).row.eq(service.row)));
        let activated = self.is_open & !concerned | concerned & opened;
        let is_open = mux(service.activate, activated, self.is_open & !(concerned & service.precharge.repeat(n)));
        let comes_open = banks.is_open_next(service, bank, to_row);
        m.set(self.is_open, collapsed(is_open) | behind & comes_open.repeat(n));

        let place = channel.place.map_or(m.lit(index_width(p.queue_entries), 0), |place| place);
        let arrival = SlotRequest { write, row: to_row, column, place }.pack();
        for (i, &word) in self.words.iter().enumerate() {
            let comes = behind.bit(i as u32);
            let next = self.words.get(i + 1).map_or(arrival, |&next| mux(comes, arrival, next));
            m.when(comes | !stay.bit(i as u32), || m.set(word, next));
        }
    }
}
