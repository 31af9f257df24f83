//! The sending half: packet places, flits, virtual channels.

use super::{DATA_BITS, HEADER_BITS, InterfaceParams, MessageClass, layout};
use crate::{
    blocks::{ArbiterKind, arbitrate, credit_counter, one_hot_index},
    hdl::{Builder, MemoryHandle, Signal, concat, index_width, mux, select},
    noc::allocator::gather,
};

pub(super) fn half(m: &Builder, p: &InterfaceParams) {
    let format = p.format;
    let (class, width) = (p.sends, format.width);
    let here = m.input("here", format.node_bits);
    let tx = m.input("tx_valid", 1);
    let write = m.input("tx_write", 1);
    let control = concat(&[m.input("tx_dest", format.node_bits), write, m.input("tx_tag", format.tag_bits)]);
    let (header, data) = (m.input("tx_header", HEADER_BITS), m.input("tx_data", DATA_BITS));

    m.comment("Packets wait in a ring of places: their words in a memory each, their control fields in another.");
    let places = Places::new(m, p.tx_places);
    let controls = Storage::new(m, "tx_controls", p.tx_places, control.width());
    m.when(tx, || controls.write(places.enter, control));
    let most = class.most_flits(width);
    let words: Vec<_> = (0..most)
        .map(|i| {
            let words = Storage::new(m, &format!("tx_words{i}"), p.tx_places, width);
            let (short, value) = word(m, class, width, i, write, header, data);
            m.when(short.map_or(tx, |has_word| tx & has_word), || words.write(places.enter, value));
            words
        })
        .collect();
    let oldest = controls.read(places.leave);
    let dest = oldest.bits(1 + format.tag_bits, format.node_bits);
    let write = oldest.bit(format.tag_bits);
    let tag = oldest.bits(0, format.tag_bits);

    let sending = m.wire_later("sending", 1);
    let (first, last, payload) = sequence(m, class, width, write, sending, &words, places.leave);

    m.comment("A packet takes the next VC of its class that has a credit.");
    let group = p.group();
    let (available_vc, choose) = (m.wire_later("available_vc", group), m.wire_later("chosen_vc", group));
    let credit = m.input("out_inject0_credit", format.vcs);
    let own = class.first_vc(format.vcs);
    let counters = (0..group).map(|v| {
        let counter = m.instance(&format!("credits_vc{}", own + v), &credit_counter(p.depth));
        counter.drive("send", sending & choose.bit(v));
        // The whole word is looked at: credits of the other class do not come, and no bit is left unread.
        counter.drive("credit", (credit & m.lit(format.vcs, 1 << (own + v))).any());
        counter.get("available")
    });
    m.assign(available_vc, gather(counters.collect::<Vec<_>>().into_iter()));
    let next = arbitrate(m, "vc_arbiter", ArbiterKind::RoundRobin, available_vc, first & sending);
    match first_only(most) {
        true => m.assign(choose, next),
        false => {
            let kept = m.register("kept_vc", group, 0);
            m.when(sending, || m.set(kept, choose));
            m.assign(choose, mux(first, next, kept));
        }
    }
    m.assign(sending, places.waiting & (choose & available_vc).any());
    let leaves = m.wire("packet_leaves", sending & last);
    places.count(m, tx, leaves);

    let register = |name: &str, value: Signal<'_>| {
        let register = m.register_payload(name, value.width());
        m.when(sending, || m.set(register, value));
        m.output_of(&format!("out_inject0_{name}"), register);
    };
    m.output_of("out_inject0_valid", m.delayed("valid", sending));
    register("head", first);
    register("tail", last);
    let others = m.lit(group, 0);
    register("vc", one_hot_index(if own == 0 { others.join(choose) } else { choose.join(others) }));
    register("dest", dest);
    m.output_of("out_inject0_yx", m.lit(1, 0));
    register("info", concat(&[here, write, tag]));
    register("payload", payload);
    m.output_of("tx_credit", m.delayed("place_free", leaves));
    m.count("packets_sent", leaves);
    m.count("flits_sent", sending);
    m.count("send_stalls", places.waiting & !sending);
}

fn first_only(flits: u32) -> bool {
    flits == 1
}

/// The ring of packet places.
struct Places<'m> {
    enter: Signal<'m>,
    leave: Signal<'m>,
    waiting: Signal<'m>,
    used: Signal<'m>,
    places: usize,
}

impl<'m> Places<'m> {
    fn new(m: &'m Builder, places: usize) -> Self {
        let pointer = |name: &str| {
            if places == 1 { m.lit(1, 0) } else { m.register(name, index_width(places), 0) }
        };
        let used = m.register("places_used", index_width(places + 1), 0);
        Self { enter: pointer("enter_at"), leave: pointer("leave_at"), waiting: used.any(), used, places }
    }

    fn count(&self, m: &'m Builder, enters: Signal<'m>, leaves: Signal<'m>) {
        if self.places > 1 {
            for (pointer, step) in [(self.enter, enters), (self.leave, leaves)] {
                let next = if self.places.is_power_of_two() {
                    pointer + 1
                } else {
                    mux(pointer.eq(self.places - 1), 0, pointer + 1)
                };
                m.when(step, || m.set(pointer, next));
            }
        }
        m.when(enters ^ leaves, || m.set(self.used, mux(enters, self.used + 1, self.used - 1)));
        m.always("a packet comes only for a free place", !enters | self.used.ne(self.places));
    }
}

/// One word for each place: a memory, or a register for a single place.
#[derive(Clone, Copy)]
enum Storage<'m> {
    Memory(MemoryHandle<'m>),
    Register(Signal<'m>),
}

impl<'m> Storage<'m> {
    fn new(m: &'m Builder, name: &str, places: usize, width: u32) -> Self {
        match places {
            1 => Storage::Register(m.register_payload(name, width)),
            _ => Storage::Memory(m.memory(name, places, width)),
        }
    }

    /// Under the conditions around the call.
    fn write(self, place: Signal<'m>, value: Signal<'m>) {
        match self {
            Storage::Memory(words) => words.write(place, value),
            Storage::Register(word) => value.builder().set(word, value),
        }
    }

    fn read(self, place: Signal<'m>) -> Signal<'m> {
        match self {
            Storage::Memory(words) => words.read(place),
            Storage::Register(word) => word,
        }
    }
}

/// Word `i` of a packet, and, when only one kind of packet has it, the condition that it is of that kind.
fn word<'m>(
    m: &'m Builder,
    class: MessageClass,
    width: u32,
    i: u32,
    write: Signal<'m>,
    header: Signal<'m>,
    data: Signal<'m>,
) -> (Option<Signal<'m>>, Signal<'m>) {
    let of = |is_write: bool| {
        let (header_at, data_at) = layout(class, is_write);
        // Parts from the top: the fill, the data, the header.
        let mut parts = vec![];
        let mut covered = 0;
        for (part, at) in [(header, header_at), (data, data_at)] {
            let Some(at) = at else { continue };
            let (lo, hi) = ((i * width).max(at), ((i + 1) * width).min(at + part.width()));
            if lo < hi {
                parts.insert(0, part.bits(lo - at, hi - lo));
                covered += hi - lo;
            }
        }
        if covered < width {
            parts.insert(0, m.lit(width - covered, 0));
        }
        concat(&parts)
    };
    match (i < class.flits(false, width), i < class.flits(true, width)) {
        (true, true) => (None, mux(write, of(true), of(false))),
        (true, false) => (Some(!write), of(false)),
        _ => (Some(write), of(true)),
    }
}

/// Steps through the words of the oldest packet: first flit, last flit, and the word to send now.
fn sequence<'m>(
    m: &'m Builder,
    class: MessageClass,
    width: u32,
    write: Signal<'m>,
    sending: Signal<'m>,
    words: &[Storage<'m>],
    place: Signal<'m>,
) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
    let reads: Vec<_> = words.iter().map(|w| w.read(place)).collect();
    if first_only(words.len() as u32) {
        return (m.lit(1, 1), m.lit(1, 1), reads[0]);
    }
    let index = m.register("flit_index", index_width(words.len()), 0);
    let last_of = |is_write| m.lit(index.width(), u64::from(class.flits(is_write, width) - 1));
    let last = m.wire("last_flit", index.eq(mux(write, last_of(true), last_of(false))));
    m.when(sending, || m.set(index, mux(last, 0, index + 1)));
    (m.wire("first_flit", index.is_zero()), last, select(index, &reads))
}
