//! DRAM schedulers in plain Rust, as lists and absolute times: which command is given in each cycle.

use warpmesh::memory::{DramScheduler, DramTiming, ServiceParams, controller::command};

/// A request in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    pub write: bool,
    pub bank: usize,
    pub row: u32,
    pub column: u32,
}

/// A command on the pins: code, and what of bank, row and column belongs to it.
pub type Command = (u64, usize, u32);

#[derive(Clone, Copy, Default)]
struct Bank {
    open: Option<u32>,
    activated: Option<u64>,
    precharged: Option<u64>,
    read: Option<u64>,
    written: Option<u64>,
    /// Requests that went before the oldest, in a row.
    streak: u32,
    slot: Option<Request>,
}

/// A scheduler and the banks that it knows of.
pub struct ControllerModel {
    timing: DramTiming,
    service: ServiceParams,
    replies: usize,
    waiting: Vec<Request>,
    banks: Vec<Bank>,
    prio: usize,
    outstanding: usize,
    activated: Option<u64>,
    accessed: [Option<u64>; 2],
    now: u64,
}

fn after(now: u64, event: Option<u64>, cycles: u32) -> bool {
    event.is_none_or(|at| now >= at + u64::from(cycles))
}

impl ControllerModel {
    pub fn new(timing: DramTiming, service: ServiceParams, banks: usize, replies: usize) -> Self {
        let banks = vec![Bank::default(); banks];
        let (waiting, accessed) = (vec![], [None; 2]);
        Self { timing, service, replies, waiting, banks, prio: 0, outstanding: 0, activated: None, accessed, now: 0 }
    }

    /// One cycle in which `arrival` is taken and a reply leaves or not; the command that is decided upon.
    pub fn cycle(&mut self, arrival: Option<Request>, reply_leaves: bool) -> Option<Command> {
        let (command, accesses) = match self.service.scheduler {
            DramScheduler::Fifo => self.head(),
            DramScheduler::FrFcfsGlobal => self.global(),
            DramScheduler::FifoBanks | DramScheduler::FrFcfs => self.slots(),
            DramScheduler::Own(_) => unreachable!("the model has the rows of the table"),
        };
        self.outstanding = self.outstanding + usize::from(accesses) - usize::from(reply_leaves);
        self.waiting.extend(arrival);
        self.now += 1;
        command
    }

    // -- what the rules allow ------------------------------------------------------------------------------------------

    fn can_activate(&self, bank: usize) -> bool {
        let (t, b) = (self.timing, self.banks[bank]);
        b.open.is_none()
            && after(self.now, b.activated, t.t_rc)
            && after(self.now, b.precharged, t.t_rp)
            && after(self.now, self.activated, t.t_rrd)
    }

    fn can_precharge(&self, bank: usize) -> bool {
        let (t, b) = (self.timing, self.banks[bank]);
        b.open.is_some()
            && after(self.now, b.activated, t.t_ras)
            && after(self.now, b.read, t.burst)
            && after(self.now, b.written, t.write_delay() + t.burst)
    }

    fn can_access(&self, r: &Request) -> bool {
        let t = self.timing;
        let data = |write: bool| u64::from(if write { t.write_delay() } else { t.t_cl });
        let starts = self.now + data(r.write);
        let bus = [false, true].into_iter().all(|kind| {
            let Some(at) = self.accessed[usize::from(kind)] else { return true };
            let ends = at + data(kind) + u64::from(t.burst);
            let turn = match (kind, r.write) {
                (false, true) => after(self.now, Some(at), t.t_rtw),
                (true, false) => t.t_wtr == 0 || self.now >= ends + u64::from(t.t_wtr),
                _ => true,
            };
            starts >= ends && after(self.now, Some(at), t.t_ccd) && turn
        });
        let b = &self.banks[r.bank];
        b.open == Some(r.row) && after(self.now, b.activated, t.t_rcd) && bus && self.outstanding != self.replies
    }

    /// What `r` can have now.
    fn next(&self, r: &Request) -> u64 {
        let open = self.banks[r.bank].open;
        match open {
            Some(row) if row == r.row && self.can_access(r) => [command::READ, command::WRITE][usize::from(r.write)],
            Some(row) if row != r.row && self.can_precharge(r.bank) => command::PRECHARGE,
            None if self.can_activate(r.bank) => command::ACTIVATE,
            _ => command::NONE,
        }
    }

    /// Gives it.
    fn give(&mut self, r: &Request, code: u64) -> Command {
        let (now, bank) = (Some(self.now), &mut self.banks[r.bank]);
        match code {
            command::ACTIVATE => {
                (bank.open, bank.activated, self.activated) = (Some(r.row), now, now);
                (code, r.bank, r.row)
            }
            command::PRECHARGE => {
                (bank.open, bank.precharged) = (None, now);
                (code, r.bank, 0)
            }
            _ => {
                *(if r.write { &mut bank.written } else { &mut bank.read }) = now;
                self.accessed[usize::from(r.write)] = now;
                (code, r.bank, r.column)
            }
        }
    }

    // -- the schedulers ------------------------------------------------------------------------------------------------

    fn head(&mut self) -> (Option<Command>, bool) {
        let Some(&r) = self.waiting.first() else { return (None, false) };
        let code = self.next(&r);
        if code == command::NONE {
            return (None, false);
        }
        let accesses = code >= command::READ;
        if accesses {
            self.waiting.remove(0);
        }
        (Some(self.give(&r, code)), accesses)
    }

    /// Requests of `bank` by number, the oldest first; at the limit of its streak the oldest alone.
    fn may_go(&self, bank: usize) -> Vec<usize> {
        let all = (0..self.waiting.len()).filter(|&i| self.waiting[i].bank == bank);
        let limit = self.service.row_streak_max;
        let most = if limit > 0 && self.banks[bank].streak == limit { 1 } else { usize::MAX };
        all.take(most).collect()
    }

    fn went(&mut self, i: usize) {
        let bank = self.waiting[i].bank;
        let oldest = self.waiting.iter().position(|r| r.bank == bank) == Some(i);
        self.banks[bank].streak = if oldest { 0 } else { self.banks[bank].streak + 1 };
    }

    fn global(&mut self) -> (Option<Command>, bool) {
        let mut candidates: Vec<_> = (0..self.banks.len()).flat_map(|bank| self.may_go(bank)).collect();
        candidates.sort();
        let wanted = |i: usize| {
            let bank = self.waiting[i].bank;
            candidates
                .iter()
                .any(|&j| self.waiting[j].bank == bank && self.banks[bank].open == Some(self.waiting[j].row))
        };
        let code = |i: usize| self.next(&self.waiting[i]);
        let is_open = |i: &usize| self.banks[self.waiting[*i].bank].open == Some(self.waiting[*i].row);
        let first_of_row = |i: &usize| {
            let of_bank = |j: &usize| self.waiting[*j].bank == self.waiting[*i].bank;
            is_open(i) && candidates.iter().find(|j| of_bank(j) && is_open(j)) == Some(i)
        };
        let column = candidates.iter().copied().find(|i| first_of_row(i) && code(*i) >= command::READ);
        let in_row = |i: &usize| match code(*i) {
            command::ACTIVATE => true,
            command::PRECHARGE => !wanted(*i),
            _ => false,
        };
        let Some(i) = column.or_else(|| candidates.iter().copied().find(in_row)) else { return (None, false) };
        let (r, code) = (self.waiting[i], code(i));
        if column.is_some() {
            self.went(i);
            self.waiting.remove(i);
        }
        (Some(self.give(&r, code)), column.is_some())
    }

    /// The request that moves to a slot.
    fn pick(&self) -> Option<usize> {
        let is_free = |bank: usize| self.banks[bank].slot.is_none();
        if self.service.scheduler == DramScheduler::FifoBanks {
            return self.waiting.first().filter(|r| is_free(r.bank)).map(|_| 0);
        }
        let bank = self.rotation().into_iter().find(|&b| is_free(b) && self.waiting.iter().any(|r| r.bank == b))?;
        let candidates = self.may_go(bank);
        let open = candidates.iter().find(|&&i| self.banks[bank].open == Some(self.waiting[i].row));
        open.or(candidates.first()).copied()
    }

    fn rotation(&self) -> Vec<usize> {
        (0..self.banks.len()).map(|i| (self.prio + i) % self.banks.len()).collect()
    }

    fn slots(&mut self) -> (Option<Command>, bool) {
        let picked = self.pick();
        let ready = |bank: &usize| self.banks[*bank].slot.is_some_and(|r| self.next(&r) != command::NONE);
        let chosen = self.rotation().into_iter().find(ready).and_then(|bank| self.banks[bank].slot);
        let command = chosen.map(|r| {
            let code = self.next(&r);
            self.give(&r, code)
        });
        if let Some(i) = picked {
            if self.service.scheduler == DramScheduler::FrFcfs {
                self.went(i);
            }
            let r = self.waiting.remove(i);
            self.banks[r.bank].slot = Some(r);
            self.prio = (self.prio + 1) % self.banks.len();
        }
        match command {
            Some((code, bank, _)) if code >= command::READ => {
                self.banks[bank].slot = None;
                return (command, true);
            }
            Some((_, bank, _)) => self.prio = (bank + 1) % self.banks.len(),
            None => {}
        }
        (command, false)
    }
}
