//! The DRAM as its controller sees it: which commands each bank may be given in this cycle, and what the banks share.
//!
//! ```text
//!                        +-----------------------------------------+
//!  activate, precharge,  | state of each bank (blocks::fixed)|-> all(can_activate), ... (a bit each bank)
//!  access, write      -->| open rows                               |-> open_row(bank), is_open_row(bank, row)
//!  bank, row             | waits: after an activate, read, write   |-> row_wait_over, read_free, write_free (1 each)
//!                        +-----------------------------------------+
//! ```
//!
//! Contract: outputs depend on registers only; a command in cycle t shows in cycle t + 1. A command may be given when
//! its bank and the wait for its kind allow it. Never: two commands in one cycle (asserted), a command that is not
//! allowed (checked by the device).

use super::{
    service::Service,
    statistics::{ACTIVATES, BURSTS, BUS_BUSY_CYCLES, PRECHARGES, READ_COMMANDS, ROW_HITS},
};
use crate::{map::AddressMap, timing::DramTiming};
use blocks::{
    at_most_one,
    fixed::{PlacedDramBank, dram_bank_state},
    index_one_hot, one_hot_mux,
};
use hdl::{Builder, Signal, concat, index_width, mux, row, select};

/// The banks of a channel; see the [module documentation](self).
pub(super) struct Banks<'m> {
    m: &'m Builder,
    timing: DramTiming,
    states: Vec<PlacedDramBank<'m>>,
    /// A register each, so that all can be compared at once.
    open_rows: Vec<Signal<'m>>,
    activate: Signal<'m>,
    access: Signal<'m>,
    access_writes: Signal<'m>,
    /// An activate may be given, as far as other banks matter.
    pub(super) row_wait_over: Signal<'m>,
    /// A read may be given, as far as the data bus matters.
    pub(super) read_free: Signal<'m>,
    /// A write may be given, as far as the data bus matters.
    pub(super) write_free: Signal<'m>,
}

impl<'m> Banks<'m> {
    pub(super) fn new(m: &'m Builder, map: &AddressMap, timing: DramTiming) -> Self {
        let state = dram_bank_state();
        let states: Vec<_> = (0..map.banks()).map(|b| PlacedDramBank(m.instance(("bank", b), &state))).collect();
        let open_rows = (0..map.banks()).map(|b| m.register_payload(("open_row", b), map.row_bits())).collect();
        let [activate, access, access_writes] =
            ["activate", "access", "access_writes"].map(|name| m.wire_later(name, 1));
        let row_wait_over = spaced(m, "row_wait", activate, (access_writes, [timing.t_rrd; 2]));
        let same = timing.column_to_column();
        let (to_read, to_write) = ([same, timing.write_to_read()], [timing.read_to_write(), same]);
        let [read_free, write_free] = if to_read == to_write {
            [spaced(m, "bus_wait", access, (access_writes, to_read)); 2]
        } else {
            let read_free = spaced(m, "read_wait", access, (access_writes, to_read));
            [read_free, spaced(m, "write_wait", access, (access_writes, to_write))]
        };
        Self { m, timing, states, open_rows, activate, access, access_writes, row_wait_over, read_free, write_free }
    }

    /// An output of all banks, a bit each.
    pub(super) fn all(&self, output: fn(PlacedDramBank<'m>) -> Signal<'m>) -> Signal<'m> {
        row(self.states.iter().map(|&bank| output(bank)))
    }

    /// An output of one bank.
    pub(super) fn of(&self, bank: Signal<'m>, output: fn(PlacedDramBank<'m>) -> Signal<'m>) -> Signal<'m> {
        select(bank, &self.states.iter().map(|&state| output(state)).collect::<Vec<_>>())
    }

    /// The row that was opened last in `bank`.
    pub(super) fn open_row(&self, bank: Signal<'m>) -> Signal<'m> {
        select(bank, &self.open_rows)
    }

    /// Whether this is `row`: compared with the rows of all banks while `bank` selects one.
    pub(super) fn is_open_row(&self, bank: Signal<'m>, row: Signal<'m>) -> Signal<'m> {
        let equal = self.open_rows.iter().map(|open| open.eq(row)).collect::<Vec<_>>();
        one_hot_mux(index_one_hot(bank, equal.len() as u32), &equal)
    }

    /// Whether the row of a request will be the open one of its bank in the next cycle, when `service` is done in this one.
    pub(super) fn is_open_next(&self, service: &Service<'m>, bank: Signal<'m>, row: Signal<'m>) -> Signal<'m> {
        let is_open = self.of(bank, PlacedDramBank::open) & self.open_row(bank).eq(row);
        let concerned = service.bank.eq(bank);
        mux(concerned & service.activate, service.row.eq(row), is_open & !(concerned & service.precharge))
    }

    /// Requests that may be read or written, as far as the data bus matters; `write`: those that write.
    pub(super) fn bus_free(&self, write: Signal<'m>) -> Signal<'m> {
        if self.read_free.same(self.write_free) {
            return self.read_free.repeat(write.width());
        }
        let [reads, writes] = [self.read_free, self.write_free].map(|free| free.repeat(write.width()));
        write & writes | !write & reads
    }

    /// Gives the banks the command of this cycle.
    pub(super) fn obey(&self, service: &Service<'m>) {
        let Service { activate, precharge, access, write, bank, row, .. } = *service;
        let (m, timing) = (self.m, self.timing);
        m.assign(self.activate, activate);
        m.assign(self.access, access);
        m.assign(self.access_writes, write);
        for (b, state) in self.states.iter().enumerate() {
            let mine = m.wire(("command_for_bank", b), bank.eq(b));
            state.t_rp(timing.t_rp);
            state.t_rc(timing.t_rc);
            state.t_ras(timing.t_ras);
            state.t_rcd(timing.t_rcd);
            state.after_read(timing.read_to_precharge());
            state.after_write(timing.write_to_precharge());
            state.activate(activate & mine);
            m.when(activate & mine, || m.set(self.open_rows[b], row));
            state.precharge(precharge & mine);
            state.read(access & mine & !write);
            state.write(access & mine & write);
        }
        m.always("one DRAM command a cycle", at_most_one(concat(&[activate, precharge, access])));
        self.count(service);
    }

    fn count(&self, service: &Service<'m>) {
        let Service { activate, precharge, access, write, bank, .. } = *service;
        let (m, banks) = (self.m, self.states.len() as u32);
        let fresh = m.register("freshly_opened", banks, 0);
        let mine = index_one_hot(bank, banks);
        m.when(activate, || m.set(fresh, fresh | mine));
        m.when(access, || m.set(fresh, fresh & !mine));
        m.count(ROW_HITS, access & (fresh & mine).is_zero());
        m.count(ACTIVATES, activate);
        m.count(PRECHARGES, precharge);
        m.count(BURSTS, access);
        m.count(READ_COMMANDS, access & !write);
        let bus_free = spaced(m, "bus_busy_wait", access, (write, [self.timing.burst; 2]));
        m.count(BUS_BUSY_CYCLES, access | !bus_free);
    }
}

/// One when a command may be given, as far as `event` matters: so many cycles after it last was, `[0]` if it was not of the `kind`, `[1]`
/// if it was. 1 bit, from registers.
fn spaced<'m>(m: &'m Builder, name: &str, event: Signal<'m>, (kind, cycles): (Signal<'m>, [u32; 2])) -> Signal<'m> {
    let most = cycles[0].max(cycles[1]);
    if most <= 1 {
        return m.lit(1, 1);
    }
    let wait = m.register(name, index_width(most as usize), 0);
    let [not, is] = cycles.map(|cycles| m.lit(wait.width(), u64::from(cycles.max(1) - 1)));
    let from = if cycles[0] == cycles[1] { not } else { mux(kind, is, not) };
    let waits = wait.any();
    m.set(wait, mux(event, from, mux(waits, wait - 1, wait)));
    !waits
}
