//! State of one DRAM bank as its controller sees it: which command it may be given in this cycle.
//!
//! ```text
//!                        +------------------------+
//!  activate          (1)->|  state: closed, open   |-> open          (1, register)
//!  precharge         (1)->|  age:  since activate  |-> can_activate  (1)
//!  read, write       (1)->|  hold: until the row   |-> can_precharge (1)
//!  t_rp, t_rc        (8)->|        may change      |-> can_access    (1)
//!  t_ras, t_rcd      (8)->|                        |
//!  after_read, after_write (9)                     |
//!                        +------------------------+
//! ```
//!
//! Contract: a command strobe in cycle t changes the outputs from cycle t + 1 on; the `can_` outputs depend on
//! registers and on the timing inputs, which the parent ties to constants (in cycles, each at least 1). After reset the
//! bank is closed and may be activated at once. Never: a strobe whose `can_` output is low, two strobes in one cycle
//! (the user asserts it: a rust-hdl block cannot).
//!
//! * `t_rp`: precharge to activate; `t_rc`: activate to activate; `t_ras`: activate to precharge; `t_rcd`: activate to read or
//!   write; `after_read`, `after_write`: read, write to precharge.
//! * `age` counts the cycles since the last activate and stops at 255; `hold` counts down the distance from the last read, write
//!   or precharge to the next precharge or activate. Rules between banks (tRRD, data bus) are the controller's.
//!
//! Source: the rules of every DRAM data sheet; values for GDDR3 in Bakhoda 2014, tables 3.2 and 6.1. Tested in
//! `tests/simulation/rust_hdl/fixed.rs` against rust-hdl's simulator and against a model that remembers command times.

use hdl::{Module, ports};
use rust_hdl::{prelude::*, widgets::edge_ff::EdgeDFF};
use rusthdl::import;

/// Whether a row is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, LogicState)]
enum BankState {
    Closed,
    Open,
}

/// The bank as a rust-hdl block; see the [module documentation](self).
#[derive(LogicBlock)]
pub struct DramBank {
    /// The clock.
    pub clock: Signal<In, Clock>,
    /// A row is opened in this cycle.
    pub activate: Signal<In, Bit>,
    /// The row is closed in this cycle.
    pub precharge: Signal<In, Bit>,
    /// A read command is given in this cycle.
    pub read: Signal<In, Bit>,
    /// A write command is given in this cycle.
    pub write: Signal<In, Bit>,
    /// Precharge to activate, cycles.
    pub t_rp: Signal<In, Bits<8>>,
    /// Activate to activate, cycles.
    pub t_rc: Signal<In, Bits<8>>,
    /// Activate to precharge, cycles.
    pub t_ras: Signal<In, Bits<8>>,
    /// Activate to read or write, cycles.
    pub t_rcd: Signal<In, Bits<8>>,
    /// Read to precharge, cycles.
    pub after_read: Signal<In, Bits<9>>,
    /// Write to precharge, cycles.
    pub after_write: Signal<In, Bits<9>>,
    /// A row is open.
    pub open: Signal<Out, Bit>,
    /// A row may be opened.
    pub can_activate: Signal<Out, Bit>,
    /// The row may be closed.
    pub can_precharge: Signal<Out, Bit>,
    /// The row may be read and written.
    pub can_access: Signal<Out, Bit>,
    state: DFF<BankState>,
    age: EdgeDFF<Bits<8>>,
    hold: DFF<Bits<9>>,
    held: Signal<Local, Bit>,
}

impl Default for DramBank {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            activate: Default::default(),
            precharge: Default::default(),
            read: Default::default(),
            write: Default::default(),
            t_rp: Default::default(),
            t_rc: Default::default(),
            t_ras: Default::default(),
            t_rcd: Default::default(),
            after_read: Default::default(),
            after_write: Default::default(),
            open: Default::default(),
            can_activate: Default::default(),
            can_precharge: Default::default(),
            can_access: Default::default(),
            state: Default::default(),
            age: EdgeDFF::new(255_u32.to_bits()),
            hold: Default::default(),
            held: Default::default(),
        }
    }
}

impl Logic for DramBank {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, hold);
        self.age.clk.next = self.clock.val();
        self.age.d.next = self.age.q.val();
        if !self.age.q.val().all() {
            self.age.d.next = self.age.q.val() + 1;
        }
        self.held.next = self.hold.q.val().any();
        if self.held.val() {
            self.hold.d.next = self.hold.q.val() - 1;
        }

        // Counters show in cycle t + n what was loaded with n - 1 at the end of cycle t.
        self.open.next = false;
        self.can_activate.next = false;
        self.can_precharge.next = false;
        self.can_access.next = false;
        match self.state.q.val() {
            BankState::Closed => {
                self.can_activate.next = !self.held.val() & (self.age.q.val() >= self.t_rc.val() - 1);
                if self.activate.val() {
                    self.state.d.next = BankState::Open;
                    self.age.d.next = 0.into();
                }
            }
            BankState::Open => {
                self.open.next = true;
                self.can_precharge.next = !self.held.val() & (self.age.q.val() >= self.t_ras.val() - 1);
                self.can_access.next = self.age.q.val() >= self.t_rcd.val() - 1;
                // A read must not shorten the wait that an earlier write asked for.
                if self.read.val() & (self.hold.q.val() < self.after_read.val()) {
                    self.hold.d.next = self.after_read.val() - 1;
                }
                if self.write.val() {
                    self.hold.d.next = self.after_write.val() - 1;
                }
                if self.precharge.val() {
                    self.state.d.next = BankState::Closed;
                    self.hold.d.next = bit_cast::<9, 8>(self.t_rp.val() - 1);
                }
            }
        }
    }
}

ports! {
    /// Ports of [`dram_bank_state`].
    pub struct DramBankPorts(_p: &()) of PlacedDramBank {
        /// A row is opened in this cycle.
        in activate: 1,
        /// The row is closed in this cycle.
        in precharge: 1,
        /// A read command is given in this cycle.
        in read: 1,
        /// A write command is given in this cycle.
        in write: 1,
        /// Precharge to activate, cycles.
        in t_rp: 8,
        /// Activate to activate, cycles.
        in t_rc: 8,
        /// Activate to precharge, cycles.
        in t_ras: 8,
        /// Activate to read or write, cycles.
        in t_rcd: 8,
        /// Read to precharge, cycles.
        in after_read: 9,
        /// Write to precharge, cycles.
        in after_write: 9,
        /// A row is open.
        out open: 1,
        /// A row may be opened.
        out can_activate: 1,
        /// The row may be closed.
        out can_precharge: 1,
        /// The row may be read and written.
        out can_access: 1,
    }
}

/// The bank state machine; ports in the [module documentation](self).
pub fn dram_bank_state() -> Module {
    import(&DramBank::default(), "dram_bank_state")
}
