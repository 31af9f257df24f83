//! Litmus programs: what a thread sees of the accesses of others, on networks that reorder. `docs/memory.md` has the
//! rules.
//!
//! Half of the blocks write, the other half read. Each thread of a writer counts a word of its data up and then its
//! flag, again and again; a thread of a reader, on another core, looks at both until the flag has come to its end, and
//! keeps how often it saw what may not be. All data is in one controller, which is busy, and the flags are in the
//! others.

use crate::campaign::part_or_all;
use crate::matrix::options;
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
    &["network.routing=adaptive", "core.merge_loads=true", "core.issue_slots=2"],
    &["cache.l2.bytes=4096", "network.routing=adaptive", "memory.scheduler=fr-fcfs"],
    &["cache.l1d.bytes=2048", "network.routing=o1-turn", "clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"],
];

/// The network in which most is reordered.
const ROMM: &[&str] = &["network.routing=romm"];

/// Chips that do not answer writes, on networks that keep the order of requests to a controller.
const POSTED: [&[&str]; 6] = [
    POSTED_CROSSBAR,
    &["memory.write_reply=none", "network.vcs=2"],
    &["memory.write_reply=none", "network.vcs=2", "cache.l2.bytes=4096", "core.issue_slots=2"],
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

/// Message passing: `write` stands between the writes of data and flag, `read` between the reads of flag and of
/// `second`.
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
fn violations(chip: &Chip, host: &mut Host, passing: &Passing, delays: &[u32]) -> usize {
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
        let mut launch = Launch {
            name,
            kernel,
            grid: [2 * PAIRS, 1, 1],
            block: [32, 1, 1],
            buffers,
            args,
            checks: vec![],
            placement: None,
        };
        let [both, out] = launch.buffer_addresses()[..] else { panic!("two buffers") };
        launch.args[1] = Argument::Word(both + chunk);
        host.start(&launch).expect("it fits");
        let limits = Limits { max_cycles: 400_000, ..Limits::default() };
        let (verdict, _) = host.run(limits, |_, _| Ok(())).expect("no rule is broken");
        assert_eq!(verdict, Verdict::Completed);
        let found = host.read_memory(out, 4 * THREADS as usize);
        seen += found.chunks(4).filter(|word| word.iter().any(|&byte| byte != 0)).count();
    }
    seen
}

/// A host of the chip. What is tried on a chip is tried on one host, as its simulation takes longer to build than to run.
fn host(chip: &Chip) -> Host {
    Host::new(chip, &options()).expect("a chip")
}

/// Who sees the flag and passes a fence sees the data that was written, with a fence behind it, before the flag. Volatile
/// loads of a thread are carried out in order, so it never sees an older value of a word after a newer one, nor old data
/// behind a new flag.
#[test]
fn messages_arrive_with_their_data_and_volatile_loads_keep_their_order() {
    let by_line = CHIPS.iter().chain(&POSTED).map(|overrides| chip(overrides, "line"));
    let all = by_line.chain([chip(ROMM, "warp"), chip(POSTED_CROSSBAR, "warp")]);
    for (i, chip) in all.enumerate().step_by(part_or_all(4, 1)) {
        let mut host = host(&chip);
        assert_eq!(violations(&chip, &mut host, &FENCED, &[150]), 0, "{:?}", chip.config());
        let second = ["flag", "data"][i / part_or_all(4, 1) % 2];
        let passing = Passing { read: "", second, ..FENCED };
        assert_eq!(violations(&chip, &mut host, &passing, &[150]), 0, "{second}: {:?}", chip.config());
    }
}

/// The programs above can fail: without fences a flag overtakes its data, without order a load another one.
#[test]
fn without_fences_messages_arrive_before_their_data() {
    let chip = chip(ROMM, "line");
    let mut host = host(&chip);
    let mut seen = |passing| violations(&chip, &mut host, &passing, &[1, 40, 150, 300]);
    assert!(seen(Passing { write: "", ..FENCED }) > 0);
    assert!(seen(Passing { load: "ld", read: "", ..FENCED }) > 0);
}

/// A kernel of atomics: `body` gets the address of the counters and data in `%at`, the number of the thread in `%me`,
/// of its block in `%block`, and has registers `%r<16>` and predicates `%p<4>`.
fn atomics(chip: &Chip, host: &mut Host, body: &str, grid: u32, words: usize) -> Vec<u32> {
    let source = format!(
        ".version 6.0\n.target sm_30\n.address_size 32\n.visible .entry atomics(.param .u32 words) {{\n\
         .reg .u32 %r<16>;\n.reg .u32 %at;\n.reg .u32 %me;\n.reg .u32 %block;\n.reg .pred %p<4>;\n.reg .f32 %f<4>;\n\
         ld.param.u32 %at, [words];\nmov.u32 %block, %ctaid.x;\nmov.u32 %me, %tid.x;\nmov.u32 %r0, %ntid.x;\n\
         mad.lo.u32 %me, %block, %r0, %me;\n{body}\nret;\n}}\n"
    );
    let kernel = compile(&source, "atomics.ptx", None, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let buffers = vec![Buffer { name: "words".into(), data: vec![0; 4 * words] }];
    let (name, args) = ("atomics".into(), vec![Argument::Buffer(0)]);
    let launch =
        Launch { name, kernel, grid: [grid, 1, 1], block: [64, 1, 1], buffers, args, checks: vec![], placement: None };
    host.start(&launch).expect("it fits");
    let limits = Limits { max_cycles: 1_000_000, ..Limits::default() };
    let (verdict, _) = host.run(limits, |_, _| Ok(())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verdict, Verdict::Completed, "{:?}", chip.config());
    let found = host.read_memory(launch.buffer_addresses()[0], 4 * words);
    found.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// What chips are tried with atomics: all networks, both orders.
fn atomic_chips() -> Vec<Chip> {
    const MORE: [&[&str]; 4] = [
        &["cache.l2.bytes=4096", "cache.l1d.bytes=2048", "core.issue_slots=2", "memory.atomic_entries=2"],
        &["cache.l1d.bytes=2048", "cache.l1d.write_hit=through", "cache.l1d.write_miss=allocate"],
        &["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107", "memory.atomic_entries=2"],
        &["memory.line_bytes=32", "cache.l2.bytes=2048", "cache.l2.write_hit=through", "cache.l2.write_miss=allocate"],
    ];
    let chip = |overrides: &[&str], order| chip(&[overrides, &["core.atomics=true"]].concat(), order);
    // Loads that share a reply and atomics do not go together.
    let apart = CHIPS.iter().filter(|overrides| !overrides.contains(&"core.merge_loads=true"));
    let by_line = apart.chain(&MORE).map(|overrides| chip(overrides, "line"));
    by_line.chain([chip(ROMM, "warp"), chip(MORE[0], "warp")]).collect()
}

#[test]
fn atomics_of_all_cores_are_exact_and_in_order() {
    for (i, chip) in atomic_chips().iter().step_by(part_or_all(6, 1)).enumerate() {
        let mut host = host(chip);
        counters_are_exact(chip, &mut host);
        locks_are_held_by_one(chip, &mut host, i % 2 == 0);
        a_thread_sees_its_atomics_in_order(chip, &mut host);
    }
}

/// Threads of all cores count: each old value is seen once, and the sum is exact.
fn counters_are_exact(chip: &Chip, host: &mut Host) {
    let body = "atom.global.add.u32 %r1, [%at], 1;\n\
        mad.lo.u32 %r2, %r1, 4, %at;\nadd.u32 %r3, %me, 1;\nst.global.u32 [%r2+256], %r3;\n\
        red.global.add.u32 [%at+4], %r3;\nred.global.max.u32 [%at+68], %r3;\n\
        and.b32 %r4, %me, 31;\nmad.lo.u32 %r5, %r4, 4, %at;\nred.global.inc.u32 [%r5+128], 100;";
    let threads = 12 * 64;
    let found = atomics(chip, host, body, 12, 64 + threads as usize);
    assert_eq!((found[0], found[1], found[17]), (threads, threads * (threads + 1) / 2, threads), "{:?}", chip.config());
    assert!(found[32..64].iter().all(|&count| count == threads / 32), "{:?}", chip.config());
    let mut seen = found[64..].to_vec();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(1..=threads), "each thread had a number of its own: {:?}", chip.config());
}

/// Locks of a word each, by compare-and-swap and by exchange: what they guard is counted with plain accesses.
fn locks_are_held_by_one(chip: &Chip, host: &mut Host, by_swap: bool) {
    // One thread a block tries; the words: lock, counter, both in different lines; volatile, as data caches are not
    // coherent.
    let lock = |take: &str| {
        format!(
            "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nmov.u32 %r2, 0;\nAGAIN:\n\
             TAKE:\n{take}\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra TAKE;\nmembar.gl;\n\
             ld.volatile.global.u32 %r4, [%at+512];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%at+512], %r4;\n\
             membar.gl;\natom.global.exch.b32 %r5, [%at], 0;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 4;\n\
             @%p2 bra AGAIN;\nDONE:"
        )
    };
    let body = lock(match by_swap {
        true => "atom.global.cas.b32 %r3, [%at], 0, 1;",
        false => "atom.acq_rel.gpu.global.exch.b32 %r3, [%at], 1;",
    });
    let found = atomics(chip, host, &body, 12, 160);
    assert_eq!((found[0], found[128]), (0, 48), "{:?}", chip.config());
}

/// An atomic is a load and a store of its thread: it sees the store before it and is seen by the load behind it, in the
/// data cache, too.
fn a_thread_sees_its_atomics_in_order(chip: &Chip, host: &mut Host) {
    let body = "mad.lo.u32 %r1, %me, 4, %at;\nld.global.u32 %r9, [%r1];\nst.global.u32 [%r1], %me;\nld.global.u32 %r9, [%r1];\n\
        atom.global.add.u32 %r2, [%r1], 10;\nld.global.u32 %r3, [%r1];\nred.global.xor.b32 [%r1], 1024;\nld.global.u32 %r4, [%r1];\n\
        st.global.u32 [%r1], 5;\natom.global.exch.b32 %r5, [%r1], %r4;\n\
        sub.u32 %r2, %r2, %me;\nsub.u32 %r3, %r3, %me;\nxor.b32 %r4, %r4, 1024;\nsub.u32 %r4, %r4, %me;\n\
        mad.lo.u32 %r6, %me, 16, %at;\nst.global.u32 [%r6+4096], %r2;\nst.global.u32 [%r6+4100], %r3;\n\
        st.global.u32 [%r6+4104], %r4;\nst.global.u32 [%r6+4108], %r5;";
    let found = atomics(chip, host, body, 12, 1024 + 4 * 768);
    for (me, of) in found[1024..].chunks(4).enumerate() {
        let expected = (&[0, 10, 10, 5][..], (me as u32 + 10) ^ 1024);
        assert_eq!((of, found[me]), expected, "thread {me}, {:?}", chip.config());
    }
}
