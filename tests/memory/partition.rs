//! The memory controller against its DRAM device and against a flat byte array.

use crate::matrix::options;
use std::collections::{HashMap, VecDeque};
use warpmesh::{
    common::random::Random,
    hdl::{Bits, Builder, Module, params},
    host::{
        DramDevice, DramPins,
        device::{LineData, ZEROS, pack},
    },
    memory::{packets::MemoryPackets, protocol::LINE_SIZES, *},
    netlist::elaborate,
    sim::Simulator,
};

fn map(controllers: usize) -> AddressMap {
    let nodes: Vec<_> = (0..controllers).map(|c| c * 2 + 1).collect();
    AddressMap::new(&nodes, 36, 8, 2048).expect("legal")
}

fn params(timing: DramTiming) -> PartitionParams {
    PartitionParams {
        map: map(4),
        timing,
        tag_bits: 8,
        queue_entries: 32,
        reply_entries: 8,
        tx_queue_packets: 2,
        service: ServiceParams::default(),
        l2: None,
        atomics: 0,
        crosses_clocks: false,
        write_reply: WriteReply::default(),
        partial_write: PartialWrite::default(),
        flit_bits: 128,
    }
}

/// A tile with the map's hardware functions.
fn map_unit(map: &AddressMap) -> Module {
    let m = Builder::new("map_unit", params! { c: map.controllers() });
    let line = m.input("address", 32).bits(map.line_bytes().ilog2(), 32 - map.line_bytes().ilog2());
    let at = map.coordinates(map.local_line(&m, line));
    m.output_of("node", map.destination(&m, line));
    m.output_of("row", at.row);
    m.output_of("bank", at.bank);
    m.output_of("column", at.column);
    m.finish()
}

#[test]
fn controller_is_a_tile_and_the_map_elaborates() {
    for controllers in [1, 2, 3, 8, 11] {
        let module = map_unit(&map(controllers));
        if let Err(error) = elaborate(&module) {
            panic!("{error}");
        }
    }
    for timing in [
        DramTiming::default(),
        DramTiming { t_cl: 1, t_rp: 1, t_rc: 1, t_ras: 1, t_rcd: 1, t_rrd: 1, burst: 1, ..DramTiming::default() },
    ] {
        let module = partition(&params(timing));
        let design = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        assert!(design.about(&module).registered.iter().all(|r| *r), "every output is a register");
    }
}

// -- the map in hardware -------------------------------------------------------------------------------------------------

#[test]
fn the_map_in_hardware_is_the_map() {
    for controllers in [1, 2, 3, 4, 5, 8, 11] {
        let map = map(controllers);
        let mut chip = simulator(&map_unit(&map));
        let mut random = Random::new(controllers as u64 + 1);
        for i in 0..2000u32 {
            let address = if i == 0 { u32::MAX } else { random.next_u64() as u32 };
            chip.poke("address", u64::from(address));
            let at = map.locate(address);
            let found = ["node", "row", "bank", "column"].map(|port| chip.peek(port) as u32);
            assert_eq!(found, [map.node(address) as u32, at.row, at.bank, at.column], "{address:#x}, {controllers}");
        }
    }
}

fn simulator(module: &Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|error| panic!("{error}"));
    let mut simulator = Simulator::new(&design, &options()).expect("simulates");
    simulator.reset(2);
    simulator
}

fn line(random: &mut Random) -> LineData {
    std::array::from_fn(|_| random.next_u64() as u8)
}

// -- the controller ------------------------------------------------------------------------------------------------------

/// What a reply must be: destination, tag, write, data for a read.
type MemoryExpected = (u64, u64, bool, LineData);

/// How requests and credits come.
struct MemoryLoad {
    seed: u64,
    requests: usize,
    /// Percent of cycles that try to send a request, and that give a reply credit back.
    send: u64,
    credit: u64,
    /// Addresses come from this many lines of the controller, `stride` bytes apart.
    lines: u64,
    stride: u64,
}

/// Runs `load` on a controller with `p` and a device with `timing`; checks every reply against a flat model.
fn run(p: &PartitionParams, timing: DramTiming, load: &MemoryLoad) -> Result<Simulator, String> {
    let mut chip = simulator(&partition(p));
    let mut device = DramDevice::new(0, &p.map, timing);
    let mut random = Random::new(load.seed);
    let mut memory: HashMap<u32, LineData> = HashMap::new();
    let mut expected: VecDeque<MemoryExpected> = VecDeque::new();
    let (mut credits, mut owed, mut sent, mut received, mut idle) = (p.queue_entries, 0, 0, 0, 0);
    while received < load.requests {
        let send = credits > 0 && sent < load.requests && random.below(100) < load.send;
        chip.poke("rx_valid", u64::from(send));
        if send {
            let bytes_of_line = p.map.line_bytes();
            let local = (random.below(load.lines) * load.stride) as u32 & !(bytes_of_line - 1);
            let address = local / 256 * 256 * p.map.controllers() as u32 + local % 256;
            let (write, tag, src) = (random.below(2) == 1, random.below(1 << p.tag_bits), random.below(36));
            let words = random.next_u64() >> (64 - bytes_of_line / 4);
            let (bytes, protocol) = (if random.below(4) == 0 { random.below(16) } else { 15 }, p.protocol());
            let data = line(&mut random);
            chip.poke("rx_src", src);
            chip.poke("rx_sideband", p.packets().sideband(write, tag));
            let line_bits = protocol.line_number_bits();
            let number = u64::from(address / bytes_of_line);
            let header = number | words << line_bits | bytes << (line_bits + protocol.words());
            chip.poke_bits("rx_payload", &MemoryPackets::request_payload(header, &pack(&data, bytes_of_line)));
            let line = memory.entry(address).or_insert(ZEROS);
            if write {
                let kept = |i: usize| i >= bytes_of_line as usize || words >> (i / 4) & bytes >> (i % 4) & 1 == 0;
                *line = std::array::from_fn(|i| if kept(i) { line[i] } else { data[i] });
            }
            expected.push_back((src, tag, write, *line));
            (sent, credits) = (sent + 1, credits - 1);
        }
        let credit = owed > 0 && random.below(100) < load.credit;
        chip.poke("tx_credit", u64::from(credit));
        owed -= usize::from(credit);
        let pins = DramPins::of(&mut chip, "dram");
        let shown = device.cycle(&pins).map_err(|violation| violation.to_string())?;
        chip.poke_bits("dram_read_data", &pack(shown, p.map.line_bytes()));
        credits += chip.peek("rx_credit") as usize;
        idle += 1;
        if chip.peek("tx_valid") == 1 {
            let (src, tag, write, line) = expected.pop_front().ok_or("a reply without a request")?;
            assert_eq!(chip.peek("tx_dest"), src, "reply {received}");
            assert_eq!(p.packets().write_and_tag(chip.peek("tx_sideband")), (write, tag), "reply {received}");
            let payload = chip.peek_bits("tx_payload");
            let flits = if write { 1 } else { p.map.line_bytes().div_ceil(16) };
            assert_eq!(chip.peek("tx_flits"), u64::from(flits), "reply {received}");
            if write {
                assert_eq!(payload.slice(0, 128), Bits::zero(128), "the only flit of reply {received}");
            } else {
                assert_eq!(payload, pack(&line, p.map.line_bytes()), "reply {received}");
            }
            (received, owed, idle) = (received + 1, owed + 1, 0);
        }
        assert!(idle < 3000, "no reply for {idle} cycles after {received} replies");
        chip.step().map_err(|error| error.to_string())?;
    }
    assert!(expected.is_empty() && credits <= p.queue_entries);
    Ok(chip)
}

fn probe(chip: &mut Simulator, name: &str) -> u64 {
    chip.probes().iter().find(|p| p.path == "controller" && p.name == name).expect("a probe of the controller").count
}

#[test]
fn random_requests_agree_with_a_byte_array() {
    let tight =
        DramTiming { t_cl: 1, t_rp: 1, t_rc: 1, t_ras: 1, t_rcd: 1, t_rrd: 1, burst: 1, ..DramTiming::default() };
    let slow =
        DramTiming { t_cl: 20, t_rp: 30, t_rc: 90, t_ras: 33, t_rcd: 25, t_rrd: 40, burst: 8, ..DramTiming::default() };
    let mut seed = 1;
    for timing in [DramTiming::default(), tight, slow] {
        for (lines, stride) in [(16, 64), (64, 256), (4096, 64 * 1023)] {
            for (send, credit) in [(100, 100), (30, 100), (100, 10)] {
                seed += 1;
                let load = MemoryLoad { seed, requests: 300, send, credit, lines, stride };
                run(&params(timing), timing, &load).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    let narrow = PartitionParams { queue_entries: 1, reply_entries: 1, tx_queue_packets: 1, ..params(tight) };
    let load = MemoryLoad { seed: 3, requests: 300, send: 60, credit: 60, lines: 64, stride: 512 };
    run(&narrow, tight, &load).unwrap_or_else(|error| panic!("{error}"));
    let odd = PartitionParams { map: map(3), ..params(tight) };
    run(&odd, tight, &load).unwrap_or_else(|error| panic!("{error}"));
    for line_bytes in LINE_SIZES {
        let other = PartitionParams { map: map(3).with_line_bytes(line_bytes), ..params(tight) };
        run(&other, tight, &load).unwrap_or_else(|error| panic!("lines of {line_bytes} bytes: {error}"));
    }
}

#[test]
fn streams_hit_the_open_row_and_fill_the_bus() {
    let p = params(DramTiming::default());
    let load = MemoryLoad { seed: 9, requests: 1000, send: 100, credit: 100, lines: 32, stride: 64 };
    let mut chip = run(&p, p.timing, &load).expect("runs");
    let read = |chip: &mut Simulator, names: [&str; 4]| names.map(|name| probe(chip, name));
    let [requests, hits, activates, busy] = read(&mut chip, ["requests", "row_hits", "activates", "bus_busy_cycles"]);
    assert_eq!((requests, hits, activates, busy), (1000, 999, 1, 4000));
    assert!(chip.cycle() < 4100, "{} cycles for 1000 bursts of 4 cycles", chip.cycle());
}

#[test]
fn a_wrong_timing_parameter_is_caught_by_the_device() {
    let right = DramTiming { t_rc: 50, t_ras: 21, ..DramTiming::default() };
    let wrong = [
        ("tRP", DramTiming { t_rp: right.t_rp - 1, t_rc: 1, ..right }, DramTiming { t_rc: 1, ..right }),
        ("tRCD", DramTiming { t_rcd: right.t_rcd - 1, ..right }, right),
        ("tRC", DramTiming { t_rc: right.t_rc - 1, ..right }, right),
        ("tRAS", DramTiming { t_ras: 40 - 1, ..right }, DramTiming { t_ras: 40, ..right }),
        ("tRRD", DramTiming { t_rrd: 29, ..right }, DramTiming { t_rrd: 30, ..right }),
        ("data bus", DramTiming { burst: right.burst - 1, t_cl: right.t_cl + 1, ..right }, right),
    ];
    for (rule, built, device) in wrong {
        // Accesses follow each other most closely in an open row.
        let (lines, stride) = if rule == "data bus" { (32, 64) } else { (4096, 64 * 29) };
        let load = MemoryLoad { seed: 5, requests: 400, send: 100, credit: 100, lines, stride };
        let error = run(&params(built), device, &load).err().unwrap_or_else(|| panic!("{rule} is not checked"));
        assert!(error.contains(&format!(": {rule}: ")) && error.starts_with("DRAM channel 0, cycle "), "{error}");
        run(&params(device), device, &load).unwrap_or_else(|error| panic!("{error}"));
    }
}
