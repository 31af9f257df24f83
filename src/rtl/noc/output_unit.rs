//! Output unit: the upstream view of one output port: which packets own its virtual channels, and how many places are
//! free behind it; and the output register.
//!
//! ```text
//!                             +--------------------------+
//!  taken (V) ---------------->| owned_v                  |-> free (V): may be given to a packet
//!  sender (inputs, one-hot) ->|                          |
//!  send_vc (inputs * V) ----->| credit counter v         |-> available (V): a place is free
//!  send_tail (inputs) ------->|                          |
//!  out_credit (V) ----------->|                          |-> [load]: places taken behind it
//!  valid, control, payload -->| output register          |-> out_valid, out_head, ... out_payload
//!                             +--------------------------+
//! ```
//!
//! Contract: `available` and, but for what follows, `free` come from registers. A VC taken in cycle t is not free from t + 1 on; it is free
//! again in the cycle after its tail won the switch, whether or not that tail has left the next buffer; where VCs are
//! reallocated with the tail ([`VcReallocation`](super::VcReallocation)), in that cycle already, and `free` and `places`
//! follow `sender`, `send_vc` and `send_tail` in the same cycle. A flit that
//! wins the switch takes a credit at once; a credit that comes in cycle t can be used in t + 1. A flit from the
//! crossbar is on the channel one cycle later. After reset all VCs are free with `depth` credits each. With
//! `extra_latency` so many registers follow the output register; credits are not delayed. Where the router has one
//! stage, a VC may be taken and used in the same cycle. Never: a flit is sent on a VC that nobody owns, a VC is taken
//! twice, credits under- or overflow (asserted; the last in the credit counter).
//!
//! Testbench: `testbenches/output_unit/`; tests: `tests/noc/`.

use super::{
    VcDepths, VcSets,
    channel::{Control, Flit, FlitFormat, Traversing},
};
use blocks::{CreditCounter, credit_counter, one_hot_mux};
use hdl::{Builder, Bundle, Module, index_width, mux, params, ports, row, statistics, taps};
use serde::Serialize;

statistics! {
    "output_unit" {
        /// Flits sent on the link, by virtual channel.
        FLITS_VC: flits_vc in "flits";
    }
}

taps! {
    "output_unit" {
        /// The output register holds a flit.
        REGISTER_VALID,
        /// Payload of the flit in the output register, or of the last one.
        REGISTER_PAYLOAD,
        /// A flit is on the channel.
        FLIT,
        /// It is the head of its packet.
        FLIT_HEAD,
        /// The packet's destination.
        FLIT_DEST,
        /// The packet's source and sideband.
        FLIT_INFO,
    }
}

/// Parameters of an [`output_unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OutputUnitParams {
    /// Inputs that may send here, 1 and up.
    pub inputs: u32,
    /// The channel.
    pub format: FlitFormat,
    /// Places of VCs in the receiver, 1 and up.
    pub depths: VcDepths,
    /// VC and switch allocation are merged (VA+SA): a packet may send in the cycle in which it takes its VC.
    pub va_sa: bool,
    /// VCs are reallocated with the tail.
    pub with_tail: bool,
    /// Registers behind the output register.
    pub extra_latency: u32,
    /// VCs of the adaptive routing class are given away only with as many places free behind them, or all where they have fewer.
    pub whole: Option<WholeVcs>,
    /// It tells how many places are taken behind it: `load`.
    pub load: bool,
    /// It tells how many places are free behind each VC: `places` (V * R).
    pub free_places: Option<u32>,
}

/// VCs that are given to packets that fit whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct WholeVcs {
    /// Classes of all VCs.
    pub sets: VcSets,
    /// Routing classes, 2 and up: those of the last one.
    pub classes: u32,
    /// Flits of the longest packet.
    pub places: usize,
}

impl WholeVcs {
    /// Which VCs they are.
    fn contains(self, vc: u32) -> bool {
        self.sets.class(vc) % self.classes == self.classes - 1
    }
}

impl OutputUnitParams {
    /// Bits of the places taken behind all VCs.
    fn load_bits(&self) -> u32 {
        index_width(self.depths.sum(self.format.vcs) + 1)
    }
}

ports! {
    /// Ports of an [`output_unit`].
    pub struct OutputUnitPorts(p: &OutputUnitParams) of OutputUnit {
        /// VCs that are given to packets.
        in taken: p.format.vcs,
        /// The input that sends, one-hot, or none.
        in sender: p.inputs,
        /// Of each input: the VC that it sends on, one-hot.
        in send_vc: p.inputs * p.format.vcs,
        /// Of each input: it sends a tail.
        in send_tail: p.inputs,
        /// Free places behind each VC.
        maybe (p.free_places.is_some()) out places: p.format.vcs * p.free_places.unwrap_or(0),
        /// Places taken behind all VCs.
        maybe (p.load) out load: p.load_bits(),
        /// VCs with a place behind them.
        out available: p.format.vcs,
        /// VCs that may be given to a packet.
        out free: p.format.vcs,
        /// The flit behind the crossbar.
        in traversing as "": bundle Traversing(&p.format),
        /// The flit on the channel.
        out out: bundle Flit(&p.format) with credit: p.format.vcs,
    }
}

/// An output unit; see the [module documentation](self).
pub fn output_unit(p: OutputUnitParams) -> Module {
    let OutputUnitParams { inputs, format, depths, va_sa, with_tail, extra_latency, whole, free_places, load } = p;
    let FlitFormat { vcs, width, .. } = format;
    let names = params! { inputs, vcs, depth: depths.of(0), width }.and(&p);
    let m = Builder::new("output_unit", names);
    m.doc("Credit counters and owners of the virtual channels behind an output, and its register.");

    let io = OutputUnitPorts::new(&m, &p);
    let (taken, sender, send_vcs) = (io.taken(), io.sender(), io.send_vc().parts(vcs));
    let sent = m.wire("sent", one_hot_mux(sender, &send_vcs));
    let tail = (sender & io.send_tail()).any().named("sent_tail");

    let owned = m.register("owned", vcs, 0);
    let ends = sent & tail.repeat(vcs);
    let owned_still = if with_tail { owned & !ends } else { owned };
    m.set(owned, if va_sa { (owned | taken) & !ends } else { (owned & !ends) | taken });
    let credit = io.out().answer();
    let counters: Vec<_> = (0..vcs)
        .map(|v| {
            let counter = CreditCounter(m.instance(("credits_vc", v), &credit_counter(depths.of(v))));
            counter.send(sent.bit(v));
            counter.credit(credit.bit(v));
            counter
        })
        .collect();
    // Behind what is being sent, where a VC may be given away with it.
    let left = |v: u32| {
        let count = counters[v as usize].count();
        if with_tail { mux(sent.bit(v), count - 1, count) } else { count }
    };
    if let Some(bits) = free_places {
        io.places(row((0..vcs).map(|v| left(v).resize(bits))));
    }
    if load {
        m.comment("Places taken behind all virtual channels.");
        let bits = p.load_bits();
        let free = counters.iter().map(|counter| counter.count().resize(bits)).reduce(|a, b| a + b);
        let all = m.lit(bits, depths.sum(vcs) as u64);
        io.load(free.map_or(all, |free| all - free));
    }
    io.available(row(counters.iter().map(|counter| counter.available())));
    let free = match whole {
        None => !owned_still,
        Some(whole) => {
            m.comment("An adaptive VC is for packets that fit whole: no head waits behind another packet's flits.");
            let fits = |v: u32| match whole.contains(v) {
                true => left(v).ge(whole.places.min(depths.of(v))),
                false => m.lit(1, 1),
            };
            !owned_still & row((0..vcs).map(fits))
        }
    };
    io.free(free);

    let mut flit = io.traversing().registered(&m, "output");
    m.tap(REGISTER_VALID, flit.valid);
    m.tap(REGISTER_PAYLOAD, flit.payload);
    for stage in 1..=extra_latency {
        flit = flit.registered(&m, ("link", stage));
    }
    let control = Control::unpack(flit.control, &format);
    let shown = io.out().shows(Flit::new(flit.valid, control, flit.payload, &format));
    for (tap, net) in [(FLIT, shown.valid), (FLIT_HEAD, shown.head), (FLIT_DEST, shown.dest), (FLIT_INFO, shown.info)] {
        m.tap(tap, net);
    }

    let owners = if va_sa { owned | taken } else { owned };
    m.always("only owners send", (sent & !owners).is_zero());
    m.always("a VC is taken while it is free", (taken & owned_still).is_zero());
    for v in 0..vcs {
        m.count(FLITS_VC.at(v), sent.bit(v));
    }
    m.finish()
}
