//! Global and shared memory: how many requests and cycles an access takes, and what it leaves.

use crate::rig::*;
use program::isa::Instruction;
use simt_core::CoreParams;

/// A core after one warp has made one access, `R2` holding `address(lane)` and `R3` the lane in every byte.
fn after(access: Instruction, address: impl Fn(u32) -> u32) -> CoreRig {
    after_on(&params(), access, &address)
}

/// The same, on a core of these parameters.
fn after_on(p: &CoreParams, access: Instruction, address: &dyn Fn(u32) -> u32) -> CoreRig {
    let mut rig = CoreRig::new(p, 1);
    // The addresses come from a table at 0x4000: two lines.
    let program =
        [special(0, 12), opi(Shl, 1, 0, 2), opi(LdG32, 2, 1, 0x4000), opi(Mul, 3, 0, 0x0101_0101), access, exit()];
    rig.load(&program, &[]);
    for lane in 0..32 {
        let at = 0x4000 + 4 * lane as usize;
        rig.memory[at..at + 4].copy_from_slice(&address(lane).to_le_bytes());
    }
    rig.run(Launch { shared_bytes: 0x2000, ..Launch::line(1, 32) });
    rig
}

fn count(rig: &mut CoreRig, path: &str, name: &str) -> u64 {
    let probes = rig.sim.probes();
    let found = probes.iter().find(|p| p.path == path && p.name == name);
    found.unwrap_or_else(|| panic!("there is a probe {path}.{name}")).value()
}

fn reads(address: impl Fn(u32) -> u32) -> u64 {
    count(&mut after(opi(LdG32, 4, 2, 0), address), "memory_port", "read_requests") - 2
}

#[test]
fn loads_of_one_line_are_one_request() {
    assert_eq!(reads(|lane| 0x1000 + 4 * lane), 2, "128 bytes in a row");
    assert_eq!(reads(|lane| 0x1004 + 4 * lane), 3, "128 bytes in a row, not aligned");
    assert_eq!(reads(|_| 0x1234), 1, "one word");
    assert_eq!(reads(|lane| 0x1000 + 64 * lane), 32, "a line each");
    assert_eq!(reads(|lane| 0x1000 + 64 * (lane % 5) + 4 * (lane % 7)), 5, "five lines, mixed");
    assert_eq!(reads(|lane| 0x107c - 4 * lane), 2, "backwards");
}

#[test]
fn stores_of_one_line_are_one_request_per_byte_position() {
    let writes = |opcode, address: fn(u32) -> u32| {
        let mut rig = after(opi(opcode, 3, 2, 0), address);
        (count(&mut rig, "memory_port", "write_requests"), rig)
    };
    let (requests, rig) = writes(StG32, |lane| 0x1000 + 4 * lane);
    assert_eq!(requests, 2);
    (0..32).for_each(|lane| assert_eq!(rig.word(0x1000 + 4 * lane), lane * 0x0101_0101));
    let (requests, rig) = writes(StG8, |lane| 0x1000 + lane);
    assert_eq!(requests, 4, "four byte positions in one line");
    (0..32).for_each(|lane| assert_eq!(u32::from(rig.memory[0x1000 + lane as usize]), lane));
    let (requests, rig) = writes(StG16, |lane| 0x1000 + 2 * lane);
    assert_eq!(requests, 2, "two half-word positions in one line");
    (0..32).for_each(|lane| assert_eq!(rig.memory[0x1000 + 2 * lane as usize..][..2], [lane as u8; 2]));
    let (requests, rig) = writes(StG32, |lane| 0x1000 + 4 * (lane / 4));
    assert_eq!(requests, 1);
    (0..8).for_each(|word| {
        assert_eq!(rig.word(0x1000 + 4 * word), (4 * word + 3) * 0x0101_0101, "the highest lane wins")
    });
}

#[test]
fn shared_memory_serves_conflicts_one_after_the_other() {
    let conflicts = |opcode, address: fn(u32) -> u32| {
        let mut rig = after(opi(opcode, 3, 2, 0), address);
        // A block can end before its last stores to shared memory are carried out.
        (0..40).for_each(|_| rig.cycle());
        assert_eq!(count(&mut rig, "shared_memory", "accesses"), 1);
        assert_eq!(count(&mut rig, "shared_memory", "groups"), 4);
        count(&mut rig, "shared_memory", "conflict_cycles")
    };
    for opcode in [LdS32, StS32] {
        assert_eq!(conflicts(opcode, |lane| 4 * lane), 0, "neighbours");
        assert_eq!(conflicts(opcode, |lane| 12 * lane), 0, "an odd stride");
        assert_eq!(conflicts(opcode, |lane| 8 * lane), 4, "every second bank: two lanes each");
        assert_eq!(conflicts(opcode, |lane| 32 * lane), 28, "one bank");
    }
    assert_eq!(conflicts(LdS32, |_| 100), 0, "the same word: broadcast");
    assert_eq!(conflicts(LdSU8, |lane| lane), 0, "bytes of the same words");
    assert_eq!(conflicts(StS8, |lane| lane), 12, "stores to one word follow each other");
}

/// Accesses of independent warps follow each other in every issue interval, 32 / lanes cycles: loads, stores, and loads
/// between results of the lanes, which have the registers' write port before them.
#[test]
fn shared_memory_takes_an_access_in_every_issue_interval() {
    use simt_core::SharedGroup;
    let cycles = |p: &CoreParams, stride: u32, instructions: &[Instruction]| {
        let run = |times: usize| {
            let mut program = vec![special(0, 12), opi(Mul, 1, 0, stride)];
            program.extend(instructions.repeat(times));
            program.push(exit());
            let mut rig = CoreRig::new(p, 1);
            rig.load(&program, &[]);
            rig.run(Launch { shared_bytes: 0x2000, ..Launch::line(1, 32 * 16) })
        };
        (run(60) - run(20)) as f64 / (40 * 16 * instructions.len()) as f64
    };
    let (load, store) = (opi(LdS32, 2, 1, 0), opi(StS32, 1, 1, 0));
    for lanes in [8, 16, 32] {
        let interval = f64::from(32 / lanes);
        let p = CoreParams { lanes, warps: 16, tag_bits: 4, ..params() };
        let halves = CoreParams { shared_banks: 16, shared_conflict_group: SharedGroup::HalfWarp, ..p.clone() };
        let about = |expected: f64, found: f64| {
            assert!((expected..1.02 * expected).contains(&found), "{lanes} lanes: {found} cycles instead of {expected}")
        };
        for access in [load, store] {
            about(interval, cycles(&p, 4, &[access]));
            about(interval.max(2.0), cycles(&halves, 4, &[access]));
            about(interval, cycles(&p, 0, &[load]));
            about(2.0 * interval, cycles(&p, 8, &[access]));
        }
        about(interval, cycles(&p, 4, &[load, opi(Add, 3, 0, 1), store, opi(Add, 4, 0, 1)]));
    }
}

#[test]
fn several_loads_are_in_flight() {
    let mut rig = CoreRig::new(&params(), 3);
    rig.slowness = 400;
    let mut program = vec![special(0, 12), opi(Shl, 1, 0, 2)];
    program.extend((0..8).map(|i| opi(LdG32, 10 + i, 1, 0x1000 + 0x100 * u32::from(i))));
    program.push(op(Mov, 2, 255, 255));
    program.extend((0..8).map(|i| op(Add, 2, 2, 10 + i)));
    program.extend([opi(StG32, 2, 1, 0), exit()]);
    rig.load(&program, &[]);
    for i in 0..0x400 {
        rig.memory[0x1000 + 4 * i] = i as u8;
    }
    let cycles = rig.run(Launch::line(1, 32));
    for lane in 0..32 {
        let sum: u32 = (0..8).map(|i| (lane + 64 * i) & 0xff).sum();
        assert_eq!(rig.word(4 * lane), sum, "lane {lane}");
    }
    let tags =
        rig.sim.probes().into_iter().find(|p| p.path == "load_store.pending_request_table" && p.name == "tags_in_use");
    let tags = tags.expect("the probe");
    assert!(tags.sum > 6 * tags.count, "on average more than 6 requests in flight");
    assert!(cycles < 2000, "{cycles} cycles: much less than eight loads one after the other");
}

/// Conflicts are those of the threads that are served together, at 8, 16 or 32 banks; equal words are one access.
#[test]
fn conflicts_are_those_of_a_group() {
    use simt_core::SharedGroup;
    let conflicts = |lanes, banks, group, address: &dyn Fn(u32) -> u32| {
        let p = CoreParams { lanes, shared_banks: banks, shared_conflict_group: group, ..params() };
        let mut rig = after_on(&p, opi(LdS32, 4, 2, 0), address);
        count(&mut rig, "shared_memory", "conflict_cycles")
    };
    let word = |stride: u32| move |lane: u32| 4 * stride * lane;
    use SharedGroup::{HalfWarp, Lanes, Warp};
    for lanes in [8, 16, 32] {
        assert_eq!(conflicts(lanes, 16, HalfWarp, &word(1)), 0, "words in a row");
        assert_eq!(conflicts(lanes, 16, HalfWarp, &word(2)), 2, "two words of each half in a bank");
        assert_eq!(conflicts(lanes, 16, HalfWarp, &word(16)), 30, "all of a half in one bank");
        assert_eq!(conflicts(lanes, 16, HalfWarp, &|_| 64), 0, "one word for all");
        assert_eq!(conflicts(lanes, 32, Warp, &word(1)), 0);
        assert_eq!(conflicts(lanes, 32, Warp, &word(2)), 1);
        assert_eq!(conflicts(lanes, 32, Warp, &word(32)), 31);
        assert_eq!(conflicts(lanes, 16, Warp, &word(1)), 1, "a warp on half as many banks");
        assert_eq!(conflicts(lanes, 0, Lanes, &word(1)), 0);
    }
    assert_eq!(conflicts(8, 8, Lanes, &word(2)), 4, "two words of each beat in a bank");
    assert_eq!(conflicts(8, 8, HalfWarp, &word(1)), 2, "two threads of a half in a bank");
}

/// Requests of half-warps, and of segments of 32, 64 and 128 bytes by the size of the access.
#[test]
fn halves_and_segments_are_requests_of_their_own() {
    use simt_core::Coalescing;
    let requests = |coalescing, line, access, address: &dyn Fn(u32) -> u32| {
        [8, 16, 32].map(|lanes| {
            let map = params().map.with_line_bytes(line);
            let p = CoreParams { lanes, coalescing, map, ..params() };
            let all = count(&mut after_on(&p, opi(access, 4, 2, 0), address), "memory_port", "read_requests");
            // The table of addresses: words in a row.
            all - if coalescing == Coalescing::Line { 128 / line } else { (128 / line).max(2) } as u64
        })
    };
    use Coalescing::{Cuda1x, HalfWarp, Line};
    let all = |requests: [u64; 3], expected: u64| assert_eq!(requests, [expected; 3]);
    all(requests(Line, 128, LdG32, &|lane| 0x1000 + 4 * lane), 1);
    all(requests(HalfWarp, 128, LdG32, &|lane| 0x1000 + 4 * lane), 2);
    all(requests(HalfWarp, 64, LdG32, &|lane| 0x1000 + 4 * lane), 2);
    all(requests(HalfWarp, 64, LdG32, &|_| 0x1000), 2);
    all(requests(HalfWarp, 64, LdG32, &|lane| 0x1000 + 4 * (lane ^ 16)), 2);
    all(requests(HalfWarp, 64, LdG32, &|lane| 0x1000 + 64 * lane), 32);
    all(requests(Cuda1x, 128, LdG32, &|lane| 0x1000 + 4 * lane), 2);
    all(requests(Cuda1x, 128, LdG32, &|lane| 0x1000 + 8 * lane), 2);
    all(requests(Cuda1x, 128, LdGU16, &|lane| 0x1000 + 8 * lane), 4);
    all(requests(Cuda1x, 128, LdGU16, &|lane| 0x1000 + 4 * lane), 2);
    all(requests(Cuda1x, 128, LdGU8, &|lane| 0x1000 + 4 * lane), 4);
    all(requests(Cuda1x, 64, LdGU8, &|lane| 0x1000 + 4 * lane), 4);
    all(requests(Cuda1x, 32, LdG32, &|lane| 0x1000 + 4 * lane), 4);
}

/// A segment of which only one half is touched shrinks.
#[test]
fn segments_shrink() {
    use simt_core::Coalescing;
    let bytes = |address: &dyn Fn(u32) -> u32| {
        let map = params().map.with_line_bytes(128);
        let p = CoreParams { coalescing: Coalescing::Cuda1x, map, ..params() };
        // The table of addresses takes 64 bytes for each half.
        count(&mut after_on(&p, opi(LdG32, 4, 2, 0), address), "load_store.coalescer", "segment_bytes") - 128
    };
    assert_eq!(bytes(&|lane| 0x1000 + 4 * lane), 128, "half a segment each");
    assert_eq!(bytes(&|lane| 0x1000 + 4 * (lane % 8)), 64, "a quarter each");
    assert_eq!(bytes(&|lane| 0x1020 + 4 * (lane % 16)), 256, "both halves, not aligned");
    assert_eq!(bytes(&|_| 0x1064), 64, "a word each");
}
