//! Litmus programs: what a thread sees of the accesses of others, on networks that reorder. `docs/memory.md` has the rules.
//!
//! Half of the blocks write, the other half read. Each thread of a writer counts a word of its data up and then its flag, again and again; a thread
//! of a reader, on another core, looks at both until the flag has come to its end, and keeps how often it saw what may not be. All data is in
//! one controller, which is busy, and the flags are in the others.

#[path = "support/matrix.rs"]
mod matrix;

use matrix::options;
use std::path::Path;
use warpmesh::{
    chip::*,
    host::{Host, Limits},
    program::{Argument, Buffer, Launch, compile},
    report::Verdict,
};

/// Pairs of a writing and a reading block.
const PAIRS: u32 = 6;
/// What a writer counts to.
const ROUNDS: u32 = 6;
const THREADS: u32 = 32 * PAIRS;

/// Chips whose networks differ in what they may reorder.
const CHIPS: [&[&str]; 10] = [
    &[],
    &["network.routing=o1-turn"],
    ROMM,
    &["network.routing=adaptive"],
    &["network.organisation=combined", "network.channel_bytes=8"],
    &["network.organisation=dedicated", "network.channel_bytes=8"],
    &["network.model=ideal"],
    &["network.routing=adaptive", "core.merge_loads=true"],
    &["cache.l2.bytes=4096", "network.routing=adaptive", "memory.scheduler=fr-fcfs"],
    &["cache.l1d.bytes=2048", "network.routing=o1-turn", "clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"],
];

/// The network in which most is reordered.
const ROMM: &[&str] = &["network.routing=romm"];

/// Chips that do not answer writes, on networks that keep the order of requests to a controller.
const POSTED: [&[&str]; 6] = [
    POSTED_CROSSBAR,
    &["memory.write_reply=none", "network.vcs=2"],
    &["memory.write_reply=none", "network.vcs=2", "network.routing=class-based", "cache.l2.bytes=4096"],
    &["memory.write_reply=none", "network.organisation=dedicated", "network.vcs=1", "cache.l1d.bytes=2048"],
    &["memory.write_reply=none", "network.model=ideal", "memory.scheduler=fr-fcfs"],
    &[
        "memory.write_reply=none",
        "network.vcs=2",
        "cache.l1d.bytes=2048",
        "cache.l2.bytes=4096",
        "clocks.core=1296",
        "clocks.noc=602",
        "clocks.dram=1107",
    ],
];
const POSTED_CROSSBAR: &[&str] = &["memory.write_reply=none", "network.topology=crossbar", "network.vcs=2"];

fn chip(overrides: &[&str], order: &str) -> Chip {
    let order = format!("core.memory_order={order}");
    let overrides: Vec<_> = overrides.iter().copied().chain([order.as_str()]).map(String::from).collect();
    load(Some(Path::new("default.toml")), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// Message passing: `write` stands between the writes of data and flag, `read` between the reads of flag and of `second`.
struct Passing {
    write: &'static str,
    load: &'static str,
    read: &'static str,
    second: &'static str,
}

/// As a program should be.
const FENCED: Passing = Passing { write: "membar.gl;", load: "ld.volatile", read: "membar.gl;", second: "data" };

fn source(p: &Passing, stride: u32) -> String {
    let Passing { write, load, read, second } = p;
    format!(
        r"
.version 6.0
.target sm_30
.address_size 32
.visible .entry passing(.param .u32 pdata, .param .u32 pflag, .param .u32 pout, .param .u32 delay) {{
    .reg .u32 %r<16>;
    .reg .u32 %data;
    .reg .u32 %flag;
    .reg .pred %p<3>;
    mov.u32 %r1, %ctaid.x;
    shr.u32 %r2, %r1, 1;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r3, %r2, 32, %r3;
    mul.lo.u32 %r4, %r3, {stride};
    ld.param.u32 %data, [pdata];
    add.u32 %data, %data, %r4;
    ld.param.u32 %flag, [pflag];
    add.u32 %flag, %flag, %r4;
    ld.param.u32 %r5, [pout];
    mad.lo.u32 %r5, %r3, 4, %r5;
    and.b32 %r1, %r1, 1;
    setp.eq.u32 %p1, %r1, 1;
    @%p1 bra READER;
    ld.param.u32 %r6, [delay];
WAIT:
    sub.u32 %r6, %r6, 1;
    setp.ne.u32 %p2, %r6, 0;
    @%p2 bra WAIT;
    mov.u32 %r7, 0;
WRITE:
    add.u32 %r7, %r7, 1;
    st.global.u32 [%data], %r7;
    {write}
    st.global.u32 [%flag], %r7;
    setp.lt.u32 %p2, %r7, {ROUNDS};
    @%p2 bra WRITE;
    ret;
READER:
    mov.u32 %r8, 0;
READ:
    {load}.global.u32 %r9, [%flag];
    {read}
    {load}.global.u32 %r10, [%{second}];
    setp.lt.u32 %p2, %r10, %r9;
    @%p2 add.u32 %r8, %r8, 1;
    setp.lt.u32 %p2, %r9, {ROUNDS};
    @%p2 bra READ;
    st.global.u32 [%r5], %r8;
    ret;
}}
"
    )
}

/// How many threads have seen what may not be, in one run for each delay of the writers.
fn violations(chip: &Chip, passing: &Passing, delays: &[u32]) -> usize {
    let map = chip.map();
    let stride = (chip.config().memory.line_bytes..).find(|stride| {
        stride.is_power_of_two() && (1..THREADS).all(|t| map.controller(t * stride) == map.controller(0))
    });
    let stride = stride.expect("all controllers take turns");
    let kernel = compile(&source(passing, stride), "passing.ptx", None, &chip.target());
    let kernel = kernel.unwrap_or_else(|error| panic!("{error}"));
    let mut seen = 0;
    for &delay in delays {
        // Flags are a chunk behind the data: at the next controller.
        let chunk = (1..stride).find(|at| map.controller(*at) != map.controller(0)).unwrap_or(0);
        let bytes = (THREADS * stride + chunk) as usize;
        let buffers = vec![
            Buffer { name: "both".into(), data: vec![0; bytes] },
            Buffer { name: "out".into(), data: vec![0xff; 4 * THREADS as usize] },
        ];
        let args = vec![Argument::Buffer(0), Argument::Word(0), Argument::Buffer(1), Argument::Word(delay)];
        let (name, kernel) = ("passing".into(), kernel.clone());
        let mut launch =
            Launch { name, kernel, grid: [2 * PAIRS, 1, 1], block: [32, 1, 1], buffers, args, checks: vec![] };
        let [both, out] = launch.buffer_addresses()[..] else { panic!("two buffers") };
        launch.args[1] = Argument::Word(both + chunk);
        let mut host = Host::new(chip, &options()).expect("a chip");
        host.start(&launch).expect("it fits");
        let limits = Limits { max_cycles: 400_000, ..Limits::default() };
        let (verdict, _) = host.run(limits, |_, _| Ok(())).expect("no rule is broken");
        assert_eq!(verdict, Verdict::Completed);
        let found = host.read_memory(out, 4 * THREADS as usize);
        seen += found.chunks(4).filter(|word| word.iter().any(|&byte| byte != 0)).count();
    }
    seen
}

/// Who sees the flag and passes a fence sees the data that was written, with a fence behind it, before the flag.
#[test]
fn messages_arrive_with_their_data() {
    let by_line = CHIPS.iter().chain(&POSTED).map(|overrides| chip(overrides, "line"));
    for chip in by_line.chain([chip(ROMM, "warp"), chip(POSTED_CROSSBAR, "warp")]) {
        assert_eq!(violations(&chip, &FENCED, &[150]), 0, "{:?}", chip.config());
    }
}

/// The programs above can fail: without fences a flag overtakes its data, without order a load another one.
#[test]
fn without_fences_messages_arrive_before_their_data() {
    let chip = chip(ROMM, "line");
    assert!(violations(&chip, &Passing { write: "", ..FENCED }, &[1, 40, 150, 300]) > 0);
    assert!(violations(&chip, &Passing { load: "ld", read: "", ..FENCED }, &[1, 40, 150, 300]) > 0);
}

/// Volatile loads of a thread are carried out in order, so it never sees an older value of a word after a newer one, nor old data
/// behind a new flag.
#[test]
fn volatile_loads_keep_their_order() {
    let by_line = CHIPS.iter().chain(&POSTED).map(|overrides| chip(overrides, "line"));
    for chip in by_line.chain([chip(ROMM, "warp"), chip(POSTED_CROSSBAR, "warp")]) {
        for second in ["flag", "data"] {
            let passing = Passing { read: "", second, ..FENCED };
            assert_eq!(violations(&chip, &passing, &[150]), 0, "{second}: {:?}", chip.config());
        }
    }
}
