//! Service slots: a request in each bank that gets the bank's commands; banks in rotation.
//!
//! ```text
//!  pick (a bank each) -->+--------------------------------------------+
//!  word, is_open      -->| slot b: valid, row is open, word           |-> free (a bit each bank)
//!                        | first legal command from bank `prio` on    |-> service
//!  banks ---------------->                                            |-> prio
//!                        +--------------------------------------------+
//! ```
//!
//! Contract: a request picked in cycle t gets commands from t + 1 on; it leaves with its read or write, and its slot
//! can be filled in the cycle after. At most one command a cycle: the first bank from `prio` on whose request can have
//! one gets it (read or write when its row is open, activate when none is, precharge when another is). `prio` is the
//! bank after the one that got an activate or a precharge, or else, after a pick, one further.
//!
//! Source: the rule of the memory model of GPGPU-Sim, on which Bakhoda 2014 is based.

use super::{
    scheduling::{DramChannel, SchedulingParams},
    service::Service,
};
use blocks::{fixed::PlacedDramBank, lowest_set, one_hot_index, one_hot_mux};
use hdl::{Bundle, Signal, bundle, index_width, mux, row};

bundle! {
    /// A request in a queue or a slot.
    pub(super) struct SlotRequest(p: &SchedulingParams) {
        write: 1,
        row: p.map.row_bits(),
        column: p.map.column_bits(),
        /// Where its payload is kept.
        place: index_width(p.queue_entries),
    }
}

/// The slots of all banks; see the [module documentation](self).
pub(super) struct Slots<'m> {
    valid: Signal<'m>,
    is_open: Signal<'m>,
    words: Vec<Signal<'m>>,
    /// The bank that comes first.
    prio: Signal<'m>,
}

/// The request that moves to a slot.
pub(super) struct Pick<'m> {
    /// Its bank, one-hot; zero for none.
    pub(super) bank: Signal<'m>,
    /// [`SlotRequest`] as a word.
    pub(super) word: Signal<'m>,
    /// Its row is open.
    pub(super) is_open: Signal<'m>,
}

impl<'m> Slots<'m> {
    pub(super) fn new(channel: &DramChannel<'_, 'm>) -> Self {
        let DramChannel { m, p, .. } = *channel;
        let banks = p.map.banks() as u32;
        Self {
            valid: m.register("slot_valid", banks, 0),
            is_open: m.register("slot_row_open", banks, 0),
            words: (0..banks).map(|b| m.register_payload(("slot", b), SlotRequest::width(p))).collect(),
            prio: m.register("prio", p.map.bank_bits(), 0),
        }
    }

    /// Banks whose slot is empty.
    pub(super) fn free(&self) -> Signal<'m> {
        !self.valid
    }

    /// The first of `some` banks from `prio` on, one-hot; zero when there is none.
    pub(super) fn first(&self, some: Signal<'m>) -> Signal<'m> {
        let m = some.builder();
        let before = (m.lit(some.width(), 1) << self.prio) - 1;
        let rest = some & !before;
        mux(rest.any(), lowest_set(rest), lowest_set(some))
    }

    /// The command of this cycle.
    pub(super) fn serve(&self, channel: &DramChannel<'_, 'm>) -> Service<'m> {
        let DramChannel { m, p, banks, reply_free, .. } = *channel;
        let Self { valid, is_open, .. } = *self;
        let each = |bit: Signal<'m>| bit.repeat(valid.width());
        let writes = row(self.words.iter().map(|&word| SlotRequest::unpack(word, p).write));
        let accesses =
            valid & is_open & banks.all(PlacedDramBank::can_access) & banks.bus_free(writes) & each(reply_free);
        let activates = valid & banks.all(PlacedDramBank::can_activate) & each(banks.row_wait_over);
        let precharges = valid & !is_open & banks.all(PlacedDramBank::can_precharge);
        let ready = m.wire("ready_banks", accesses | activates | precharges);
        let chosen = m.wire("chosen_bank", self.first(ready));
        let SlotRequest { write, row, column, place } = SlotRequest::unpack(one_hot_mux(chosen, &self.words), p);
        let done = |kind: Signal<'m>| (chosen & kind).any();
        Service {
            activate: done(activates),
            precharge: done(precharges),
            access: done(accesses),
            write,
            bank: one_hot_index(chosen),
            row,
            column,
            place: Some(place),
            valid: ready.any(),
        }
    }

    /// At the end of the cycle: what was served leaves, what was picked comes.
    pub(super) fn step(&self, channel: &DramChannel<'_, 'm>, service: &Service<'m>, pick: &Pick<'m>) {
        let m = channel.m;
        let chosen = (m.lit(self.valid.width(), 1) << service.bank).named("served_bank");
        let each = |bit: Signal<'m>| bit.repeat(self.valid.width());
        m.set(self.valid, self.valid & !(chosen & each(service.access)) | pick.bank);
        let opened = self.is_open | chosen & each(service.activate);
        m.set(self.is_open, opened & !pick.bank | pick.bank & each(pick.is_open));
        for (&word, picked) in self.words.iter().zip(pick.bank.to_bits()) {
            m.when(picked, || m.set(word, pick.word));
        }
        let further = mux(pick.bank.any(), self.prio + 1, self.prio);
        m.set(self.prio, mux(service.activate | service.precharge, service.bank + 1, further));
        m.always("an empty slot is filled", (pick.bank & self.valid).is_zero());
    }
}
