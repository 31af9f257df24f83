//! Writes of less than a chunk to a DRAM without a mask: random streams against a byte-accurate memory that answers
//! lines in any order.

use crate::matrix::options;
use std::{
    collections::{HashMap, VecDeque},
    path::Path,
};
use warpmesh::program::random::Random;
use warpmesh::{
    chip::load,
    hdl::Bits,
    host::{
        Limits,
        device::{LineData, ZEROS, pack, unpack},
        run,
    },
    memory::{PartialWritesParams, partial_writes, protocol::Protocol},
    netlist::elaborate,
    program::kernels,
    report::Verdict,
    sim::Simulator,
};

const LINES: u64 = 6;

/// What is asked for: line, write, mask of words, mask of bytes, data.
#[derive(Clone)]
struct PartialWritesRequest {
    line: u64,
    write: bool,
    words: u64,
    bytes: u64,
    data: LineData,
}

fn change(line: &mut LineData, request: &PartialWritesRequest, line_bytes: u32) {
    for byte in (0..line_bytes as usize).filter(|i| request.words >> (i / 4) & request.bytes >> (i % 4) & 1 == 1) {
        line[byte] = request.data[byte];
    }
}

/// A request below, as it was taken.
struct Below {
    line: u64,
    write: bool,
    tag: u64,
    data: LineData,
    words: u64,
    bytes: u64,
}

/// The memory: requests for a line in order, of different ones in any.
struct PartialWritesMemory {
    waiting: VecDeque<Below>,
    lines: HashMap<u64, LineData>,
    shown: Option<(Below, LineData)>,
}

impl PartialWritesMemory {
    fn show(&mut self, random: &mut Random) {
        if self.shown.is_some() || self.waiting.is_empty() || random.below(3) == 0 {
            return;
        }
        let any = random.below(self.waiting.len() as u64) as usize;
        let line = self.waiting[any].line;
        let first = self.waiting.iter().position(|below| below.line == line).expect("there is one");
        let below = self.waiting.remove(first).expect("it is there");
        let kept = self.lines.entry(below.line).or_insert(ZEROS);
        if below.write {
            let written =
                PartialWritesRequest { line, write: true, words: below.words, bytes: below.bytes, data: below.data };
            change(kept, &written, 128);
        }
        self.shown = Some((below, *kept));
    }
}

fn check(line_bytes: u32, entries: u32, seed: u64, count: usize) -> u64 {
    let p = PartialWritesParams { protocol: Protocol { line_bytes, tag_bits: 5 }, entries };
    let design = elaborate(&partial_writes(&p)).unwrap_or_else(|error| panic!("{error}"));
    let mut block = Simulator::new(&design, &options()).expect("simulates");
    block.reset(2);
    let mut random = Random::new(seed);
    let mut memory = PartialWritesMemory { waiting: VecDeque::new(), lines: HashMap::new(), shown: None };
    // As if each request were carried out when it is taken.
    let mut model: HashMap<u64, LineData> = HashMap::new();
    let mut expected: HashMap<u64, (bool, LineData)> = HashMap::new();
    let mut free: Vec<u64> = (0..32).collect();
    let mut offered: Option<(u64, PartialWritesRequest)> = None;
    let (mut sent, mut answered, mut idle) = (0, 0, 0);
    let chunks = |words: u64, bytes: u64| {
        (0..line_bytes / 16).all(|c| {
            let of_chunk = words >> (4 * c) & 15;
            of_chunk == 0 || bytes == 0 || of_chunk == 15 && bytes == 15
        })
    };
    while answered < count {
        if offered.is_none() && sent < count && !free.is_empty() && random.below(4) > 0 {
            let words = match random.below(3) {
                0 => (1 << (line_bytes / 4)) - 1,
                1 => 0b1111,
                _ => 1 + random.below((1 << (line_bytes / 4)) - 1),
            };
            let bytes = if random.below(2) == 0 { 15 } else { 1 + random.below(15) };
            let data = std::array::from_fn(|_| random.next_u64() as u8);
            let request =
                PartialWritesRequest { line: random.below(LINES), write: random.below(2) == 0, words, bytes, data };
            offered = Some((free.swap_remove(random.below(free.len() as u64) as usize), request));
        }
        block.poke("request_valid", offered.is_some().into());
        if let Some((tag, request)) = &offered {
            block.poke("request_write", request.write.into());
            block.poke("request_tag", *tag);
            block.poke("request_line", request.line);
            block.poke("request_words", request.words);
            block.poke("request_bytes", request.bytes);
            block.poke_bits("request_data", &pack(&request.data, line_bytes));
        }
        memory.show(&mut random);
        block.poke("downstream_reply_valid", memory.shown.is_some().into());
        if let Some((below, line)) = &memory.shown {
            block.poke("downstream_reply_write", below.write.into());
            block.poke("downstream_reply_tag", below.tag);
            let shown: Bits = pack(line, line_bytes);
            block.poke_bits("downstream_reply_data", &shown);
        }
        let takes_reply = random.below(3) > 0;
        let valid = block.peek("reply_valid") == 1;
        block.poke("reply_taken", (valid && takes_reply).into());
        let takes = block.peek("downstream_valid") == 1 && memory.waiting.len() < 8 && random.below(3) > 0;
        block.poke("downstream_taken", takes.into());
        if takes {
            let [line, write, tag, words, bytes] =
                ["line", "write", "tag", "words", "bytes"].map(|field| block.peek(&format!("downstream_{field}")));
            assert!(write == 0 || chunks(words, bytes), "a part of a chunk is written: {words:x}, {bytes:x}");
            let data = unpack(&block.peek_bits("downstream_data"));
            memory.waiting.push_back(Below { line, write: write == 1, tag, data, words, bytes });
        }
        if block.peek("request_taken") == 1 {
            let (tag, request) = offered.take().expect("it is shown");
            let line = model.entry(request.line).or_insert(ZEROS);
            if request.write {
                change(line, &request, line_bytes);
            }
            expected.insert(tag, (request.write, *line));
            sent += 1;
        }
        if valid && takes_reply {
            let tag = block.peek("reply_tag");
            let (write, line) = expected.remove(&tag).expect("it was asked for");
            assert_eq!(block.peek("reply_write") == 1, write);
            if !write {
                assert_eq!(block.peek_bits("reply_data"), pack(&line, line_bytes), "reply {answered}, seed {seed}");
            }
            free.push(tag);
            answered += 1;
        }
        if block.peek("downstream_reply_taken") == 1 {
            memory.shown = None;
        }
        idle = if valid && takes_reply { 0 } else { idle + 1 };
        assert!(idle < 2000, "no reply for {idle} cycles after {answered}, seed {seed}");
        block.step().unwrap_or_else(|error| panic!("{error}"));
    }
    for (line, data) in &model {
        let kept = memory.lines.get(line).unwrap_or(&ZEROS);
        assert_eq!(kept[..line_bytes as usize], data[..line_bytes as usize], "line {line}, seed {seed}");
    }
    block.probes().iter().find(|probe| probe.name == "reads_first").expect("a statistic").count
}

#[test]
fn reads_see_what_was_written_and_no_part_of_a_chunk_is_written() {
    for (seed, (line_bytes, entries)) in [(32, 2), (64, 4), (128, 4), (64, 2), (64, 7)].into_iter().enumerate() {
        assert!(check(line_bytes, entries, 1 + seed as u64, 3000) > 300);
    }
}

#[test]
fn kernels_verify_without_a_mask() {
    let kinds: [&[&str]; 4] = [
        &[],
        &["memory.write_reply=none", "network.vcs=2", "memory.scheduler=fr-fcfs"],
        &["cache.l2.bytes=4096", "clocks.dram=400"],
        &["clocks.noc=500", "cache.l1d.bytes=2048", "memory.line_bytes=128"],
    ];
    for kind in kinds {
        let overrides = kind.iter().chain(&["memory.partial_write=read-modify-write"]).map(|o| o.to_string());
        let overrides: Vec<_> = overrides.collect();
        let chip = load(Some(Path::new("small.toml")), &overrides).unwrap_or_else(|error| panic!("{error}"));
        for (kernel, size) in [("transpose", 40), ("bfs", 100), ("vector_add", 301)] {
            let launch = kernels::find(kernel).expect("one").launch(Some(size), 1, &chip.target());
            let launch = launch.unwrap_or_else(|error| panic!("{error}"));
            let report = run(&chip, &launch, &options(), Limits::default(), 1, |_, _| Ok(()));
            let report = report.unwrap_or_else(|error| panic!("{kernel}: {error}"));
            assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{kind:?}: {report}");
        }
    }
}
