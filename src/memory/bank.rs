//! State of one DRAM bank as its controller sees it: which command it may be given in this cycle.
//!
//! ```text
//!                 +-----------------------+
//!  activate   (1)->|  open                 |-> open          (1, register)
//!  precharge  (1)->|  age:  since activate |-> can_activate  (1)
//!  read       (1)->|  hold: until the row  |-> can_precharge (1)
//!  write      (1)->|        may change     |-> can_access    (1)
//!                 +-----------------------+
//! ```
//!
//! Contract: a command strobe in cycle t changes the outputs from cycle t + 1 on; the `can_` outputs depend on registers only.
//! After reset the bank is closed and may be activated at once. Never: a strobe whose `can_` output is low, two strobes in
//! one cycle (asserted).
//!
//! `age` counts the cycles since the last activate and stops at tRC; `hold` counts down the distance from the last read,
//! write or precharge to the next precharge or activate. Rules between banks (tRRD, data bus) are the controller's.
//!
//! Source: rules and values, see [`DramTiming`]. Tested with its controller in `tests/memory.rs`.

use super::timing::DramTiming;
use crate::{
    hdl::{Builder, Module, index_width, mux},
    params,
};

/// State of one bank; see the [module documentation](self).
pub fn bank(timing: DramTiming) -> Module {
    let DramTiming { t_rp, t_rc, t_ras, t_rcd, .. } = timing;
    let (after_read, after_write) = (timing.read_to_precharge(), timing.write_to_precharge());
    let m = Builder::new("dram_bank", params! { t_rp, t_rc, t_ras, t_rcd, after_read, after_write });
    m.doc("State of one DRAM bank as its controller sees it: which command it may be given in this cycle.");
    let activate = m.input("activate", 1);
    let precharge = m.input("precharge", 1);
    let read = m.input("read", 1);
    let write = m.input("write", 1);

    // Counters show in cycle t + n what was loaded with n - 1 at the end of cycle t.
    let age_top = t_rc.max(t_ras).max(t_rcd) - 1;
    let age = m.register("age", index_width(age_top as usize + 1), u64::from(age_top));
    let hold_top = t_rp.max(after_read).max(after_write) - 1;
    let hold = m.register("hold", index_width(hold_top as usize + 1), 0);
    let open = m.register("row_open", 1, 0);

    let held = m.wire("held", hold.any());
    let less = m.wire("hold_less", mux(held, hold - 1, hold));
    let aged = |cycles: u32| if cycles > 1 { age.ge(cycles - 1) } else { m.lit(1, 1) };
    let can_activate = m.wire("may_activate", !open & !held & aged(t_rc));
    let can_precharge = m.wire("may_precharge", open & !held & aged(t_ras));
    let can_access = m.wire("may_access", open & aged(t_rcd));

    m.set(age, mux(age.eq(age_top), age, age + 1));
    m.set(hold, less);
    m.when(activate, || {
        m.set(age, 0);
        m.set(open, 1);
    });
    m.when(precharge, || {
        m.set(hold, t_rp - 1);
        m.set(open, 0);
    });
    m.comment("A read must not shorten the wait that an earlier write asked for.");
    m.when(read & hold.le(after_read - 1), || m.set(hold, after_read - 1));
    m.when(write, || m.set(hold, after_write - 1));

    m.output_of("open", open);
    m.output_of("can_activate", can_activate);
    m.output_of("can_precharge", can_precharge);
    m.output_of("can_access", can_access);
    m.always("activate only a closed bank after tRP and tRC", !activate | can_activate);
    m.always("precharge only an open bank after tRAS and its last access", !precharge | can_precharge);
    m.always("access only an open bank after tRCD", !(read | write) | can_access);
    m.always("one command at a time", !(activate & precharge) & !((activate | precharge) & (read | write)));
    m.always("an access reads or writes", !(read & write));
    m.finish()
}
