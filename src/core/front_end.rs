//! Front end: instruction memory, decoder, the warps' contexts and the scheduler.
//!
//! ```text
//!                 +-------+  fetch, pc   +---------+     +--------+  hazards
//!                 | warp 0|------------->| program |---->| decode |----------> back to the warp
//!  start -------->|  ...  |  round robin | memory  |     +--------+
//!  results ------>| warp n|              +---------+          | controls
//!  release ------>+-------+                                   v
//!                     | ready  +------------------+     +------------+
//!                     +------->| round robin,     |---->| controls   |--> issued instruction: valid, warp, mask, slot, within,
//!                              | in the last beat |     | (per warp) |    controls (registers, stable for all beats)
//!                     +--------+------------------+     +------------+
//!  beat <-------------+
//!  taken (32): the executing threads of the issued instruction whose guard holds, from the operand stage, in beat 0
//! ```
//!
//! Contract: beats count 0 to `beats - 1` all the time. One instruction of one warp is chosen in each last beat; it is shown from
//! the next beat 0 on for all beats. It is carried out (pc, stack, barrier) in beat 0. From the choice of an instruction to that of the
//! next one of the same warp it takes one turn of the beats (four cycles) when its fetch is not held up.
//!
//! Tests: `tests/core/control.rs`.

use super::{
    bundle::row,
    decode::{controls, decode},
    params::{CoreParams, WARP},
    warp::warp,
};
use crate::{
    blocks::{ArbiterKind, arbitrate, index_one_hot, one_hot_index, one_hot_mux, popcount},
    hdl::{Builder, Module, Signal},
    params,
};

/// The front end.
pub fn front_end(p: &CoreParams) -> Module {
    let m =
        Builder::new("front_end", params! { w: p.warps, l: p.lanes, r: p.registers, b: p.blocks, i: p.program_words });
    m.doc(
        "Instruction memory, decoder, warps and scheduler: issues one instruction of one warp per turn of the beats.",
    );
    let (warps, n) = (p.warps, p.warps as usize);
    let program = m.memory("program", p.program_words as usize, 64);
    let address = m.input("program_address", 16);
    let loads = m.input("program_write", 1) & within(address, p.program_words);
    m.when(loads, || program.write(address.bits(0, p.program_bits()), m.input("program_data", 64)));

    let beat = m.register("beat_now", p.beat_bits(), 0);
    m.set(beat, beat + 1);
    let last_beat = m.wire("last_beat", beat.eq(p.beats() - 1));
    let issued = m.register("issued", 1, 0);
    let issued_warp = m.register("issued_warp", warps, 0);
    let control = m.register_payload("control", controls(p).width());
    let first = m.wire("first", issued & beat.is_zero());

    let module = warp(p);
    let contexts: Vec<_> = (0..n).map(|w| m.instance(&format!("warp{w}"), &module)).collect();
    let gather = |port: &str| row(contexts.iter().map(|c| c.get(port)));
    let each = |port: &str| contexts.iter().map(|c| c.get(port)).collect::<Vec<_>>();

    m.comment("Fetch: one warp a cycle; the instruction is decoded in the next.");
    let fetch = arbitrate(&m, "fetch_arbiter", ArbiterKind::RoundRobin, gather("fetch"), m.lit(1, 1));
    let fetch = m.wire("fetch", fetch);
    let pc = m.wire("fetch_pc", one_hot_mux(fetch, &each("pc")));
    let instruction = program.read_sync("instruction", pc.bits(0, p.program_bits()), fetch.any());
    let fetched = m.delayed("fetched", fetch);
    m.always("a program counter stays within the instruction memory", !fetch.any() | within(pc, p.program_words));
    let decoder = m.instance("decode", &decode(p));
    decoder.drive("instruction", instruction);
    let decoded = m.memory("decoded", n, controls(p).width());
    m.when(fetched.any(), || decoded.write(one_hot_index(fetched), decoder.get("controls")));

    m.comment("Issue: in the last beat, one of the ready warps.");
    let ready = m.wire("ready", gather("ready") & last_beat.repeat(warps));
    let chosen = m.wire("chosen", arbitrate(&m, "scheduler", ArbiterKind::RoundRobin, ready, m.lit(1, 1)));
    let number = m.wire("chosen_number", one_hot_index(chosen));
    let registers = [
        ("mask", m.register("issued_mask", WARP, 0)),
        ("slot", m.register("issued_slot", p.slot_bits(), 0)),
        ("within", m.register("issued_within", p.warp_bits(), 0)),
    ];
    let issued_number = m.register("issued_number", p.warp_bits(), 0);
    m.when(last_beat, || {
        m.set(issued, chosen.any());
        m.set(issued_warp, chosen);
        m.set(issued_number, number);
        m.set(control, decoded.read(number));
        for (port, register) in registers {
            m.set(register, one_hot_mux(chosen, &each(port)));
        }
    });

    m.comment("Beat 0: the instruction is carried out in its warp's stack.");
    let get = |name| controls(p).get(control, name);
    let taken = m.input("taken", WARP);
    let immediate = get("immediate");
    let broadcast = [
        ("start", 1),
        ("start_slot", p.slot_bits()),
        ("start_base", p.warp_bits()),
        ("block_warps", p.warp_count_bits()),
        ("block_threads", 11),
        ("hold_loads", 1),
        ("hold_stores", 1),
        ("hold_shared", 1),
        ("hold_lanes", 1),
    ]
    .map(|(port, width)| (port, m.input(port, width)));
    let (loads_open, stores_open) = (m.input("loads_open", warps), m.input("stores_open", warps));
    let release = m.input("release", warps);
    let results = ["lane", "load", "shared", "predicate"].map(|kind| {
        let done = m.input(&format!("{kind}_done"), 1);
        let warp = index_one_hot(m.input(&format!("{kind}_warp"), p.warp_bits()), warps) & done.repeat(warps);
        let (port, width) = if kind == "predicate" { ("number", 3) } else { ("register", p.register_bits()) };
        let port = format!("{kind}_{port}");
        let number = m.input(&port, width);
        (format!("{kind}_done"), m.wire(&format!("{kind}_of_warp"), warp), port, number)
    });
    for (w, context) in contexts.iter().enumerate() {
        let w = w as u32;
        context.drive("index", m.lit(p.warp_bits(), w.into()));
        broadcast.iter().for_each(|(port, value)| context.drive(port, *value));
        context.drive("granted", fetch.bit(w));
        context.drive("fetched", fetched.bit(w));
        context.drive("hazards", decoder.get("hazards"));
        context.drive("issue", chosen.bit(w));
        context.drive("step", first & issued_warp.bit(w));
        for port in ["branch", "exit", "barrier"] {
            context.drive(port, get(port));
        }
        context.drive("taken", taken);
        context.drive("target", immediate.bits(0, 16));
        context.drive("meet", immediate.bits(16, 16));
        context.drive("release", release.bit(w));
        context.drive("loads_open", loads_open.bit(w));
        context.drive("stores_open", stores_open.bit(w));
        for (done, warp, port, number) in &results {
            context.drive(done, warp.bit(w));
            context.drive(port, *number);
        }
    }

    m.output_of("beat", beat);
    m.output_of("issue_valid", issued);
    m.output_of("issue_warp", issued_number);
    m.output_of("issue_control", control);
    for (port, register) in registers {
        m.output_of(&format!("issue_{port}"), register);
    }
    m.output_of("active", gather("active"));
    m.output_of("at_barrier", gather("at_barrier"));
    m.output_of("slots", gather("slot"));

    let active = gather("active");
    m.count("fetches", fetch.any());
    m.count("instructions", first);
    m.sum("thread_instructions", first, popcount(taken));
    m.histogram("active_warps", last_beat, popcount(active));
    m.count("idle_cycles", !active.any());
    m.comment("Why nothing was issued: the first of these reasons that holds for any warp.");
    let mut lost = m.wire("lost_slot", last_beat & active.any() & !chosen.any());
    let reasons = [("results", "waits_for_result"), ("units", "waits_for_unit"), ("barriers", "at_barrier")];
    for (reason, port) in reasons {
        let waiting = gather(port).any();
        m.count(&format!("slots_lost_to_{reason}"), lost & waiting);
        lost = lost & !waiting;
    }
    m.count("slots_lost_to_fetch", lost);
    let guarded = taken.ne(registers[0].1);
    m.always("a barrier has no guard", !(first & get("barrier") & guarded));
    m.finish()
}

/// `address` (16 bits) names one of `words` words.
fn within(address: Signal<'_>, words: u32) -> Signal<'_> {
    let m = address.builder();
    if words >= 1 << 16 { m.lit(1, 1) } else { address.lt(words) }
}
