//! What a simulation records for its energy: bits that switch on channels, reads and writes of arrays.

use crate::area::NETWORK_HERTZ;
use std::path::Path;
use warpmesh::{
    area::{
        Array, ArrayTechnology, ArrayUse, ChipArea, FlitActivity, Layout, NetworkPower, PowerTechnology, Switching,
        SwitchingSampler, Technology, TechnologyNode, inventory,
        inventory::ClockedBits,
        structure::{Counting, Structure, by_block},
        switching::{PERIOD, WINDOW},
    },
    chip::{self, Chip},
    hdl::{Bits, Builder, Bundle, Module, mux, params},
    host::{self, Limits},
    netlist::elaborate,
    noc::{
        Fabric, FabricParams, FlitFormat, InterfaceParams, MessageClass, NetworkParams, NodeKind, Nodes,
        network_interface, packet::SentPacket,
    },
    program::{
        Launch,
        emulator::run_lockstep,
        isa::{Instruction, OperandB, Operands, RZ},
        kernels,
    },
    report::{ArrayPower, ChipCost, ChipWork, Operations, RunReport, TileUse},
    sim::{Engine, Options, Simulator},
};

/// Flits of a packet: a payload of 576 bits.
const FLITS: u32 = 9;

/// A core at node 0 that may send packets to a memory node beside it, which takes all.
fn two_nodes() -> (Fabric, Module) {
    let nodes = Nodes::new(2, 1, &[1]).expect("legal");
    let flows = nodes.flows();
    let network = NetworkParams::new(FlitFormat::new(2, 64, 2, 1), 8, 2);
    let fabric = Fabric::new(FabricParams::new(nodes, network), &flows).expect("legal");
    let m = Builder::new("two_nodes", params! {});
    for terminal in fabric.build(&m).expect("legal") {
        let (n, kind) = (terminal.node.number, terminal.node.kind);
        let sends = if kind == NodeKind::Core { MessageClass::Request } else { MessageClass::Reply };
        let interface = InterfaceParams { tx_queue_packets: 2, rx_queue_packets: 2, ..fabric.interface(kind, sends) };
        let tile = m.tile(format!("interface{n}"), &network_interface(&interface).expect("legal"));
        terminal.attach(&m, &interface, tile);
        SentPacket::inputs(&m, format!("node{n}_tx"), &interface.sent()).drive(tile, "tx", &interface.sent());
        m.output_of(format!("node{n}_tx_credit"), tile.get("tx_credit"));
        m.output_of(format!("node{n}_rx_valid"), tile.get("rx_valid"));
        tile.drive("rx_credit", tile.get("rx_valid"));
    }
    (fabric, m.finish())
}

/// Sends packets whose flits are those of `packet`, which is told their number; `cycles` cycles.
fn send(cycles: u64, engine: Engine, packet: impl Fn(u64) -> [u64; 9]) -> Switching {
    let (fabric, top) = two_nodes();
    let design = elaborate(&top).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &Options { engine, ..Options::default() }).expect("can be simulated");
    sim.reset(2);
    let mut sampler = SwitchingSampler::new(&fabric, &sim).expect("the routers are there");
    let (mut places, mut number) = (2, 0);
    sim.poke("node0_tx_dest", 1);
    sim.poke("node0_tx_flits", FLITS.into());
    for cycle in 0..cycles {
        sim.poke("node0_tx_valid", u64::from(places > 0));
        if places > 0 {
            sim.poke_bits("node0_tx_payload", &Bits::from_words(64 * FLITS, &packet(number)));
            (places, number) = (places - 1, number + 1);
        }
        places += sim.peek("node0_tx_credit");
        sim.step().unwrap_or_else(|e| panic!("{e}"));
        // Not the first window: what is held at power-on is no flit.
        if cycle >= PERIOD {
            sampler.cycle(&mut sim, cycle);
        }
    }
    let found = sampler.finish();
    assert_eq!(found.len(), 1);
    found[0]
}

const CYCLES: u64 = 20_000;

fn fraction(packet: impl Fn(u64) -> [u64; 9]) -> f64 {
    let found = send(CYCLES, Engine::Auto, packet);
    // Of two channels, in 79 windows, most cycles with a flit.
    assert!((3_000..=2 * WINDOW * 79).contains(&found.flits), "{found:?}");
    assert_eq!(found.bits, 64 * found.flits);
    found.fraction().expect("flits")
}

#[test]
fn known_payload_switches_known_bits() {
    let ones = u64::MAX;
    assert_eq!(fraction(|_| [0; 9]), 0.0);
    assert_eq!(fraction(|_| [ones; 9]), 0.0);
    // A packet has an odd number of flits: every other one begins with ones.
    let alternate = |number: u64| std::array::from_fn(|i| if (number + i as u64).is_multiple_of(2) { ones } else { 0 });
    assert_eq!(fraction(alternate), 1.0);
    let half = |number: u64| alternate(number).map(|word| word & 0x00ff_00ff_00ff_00ff);
    assert_eq!(fraction(half), 0.5);
    // No data: what switches are the 20 bits of the header, once when it comes and once when it goes.
    let header = fraction(|_| [0xf_ffff, 0, 0, 0, 0, 0, 0, 0, 0]);
    let expected = 2.0 * 20.0 / (9.0 * 64.0);
    println!("header of 20 bits: {header:.4}, {expected:.4} expected");
    assert!((header / expected - 1.0).abs() < 0.05, "{header} {expected}");
}

#[test]
fn every_engine_finds_the_same_switching() {
    let packet = |number: u64| std::array::from_fn(|i| (number * 9 + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let [word, sliced] = [Engine::Word, Engine::Sliced].map(|engine| send(2_000, engine, packet));
    assert_eq!(word, sliced);
    assert!((word.fraction().expect("flits") - 0.5).abs() < 0.05, "products are about random: {word:?}");
    // Nobody has looked: no flits, no fraction.
    assert_eq!(send(PERIOD, Engine::Word, packet), Switching::default());
    assert_eq!(Switching::default().fraction(), None);
}

fn load(config: &str, overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    chip::load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// Of the same flits, channels and crossbars cost in proportion to what was sampled; buffers and allocators do not.
#[test]
fn channels_cost_what_was_recorded() {
    let chip = load("dci-2p.toml", &[]);
    let fabric = chip.fabric();
    let area = ChipArea::new(&chip, Layout::Tile, &Technology::NM65);
    let power = |changed: [u64; 2]| {
        let mut activity = FlitActivity::idle(fabric, 1000.0);
        for router in &mut activity.routers {
            router.vcs.iter_mut().for_each(|vc| (vc.flits, vc.tiles) = (10.0, 10.0));
        }
        let switching = changed.map(|changed| Switching { flits: 10, bits: 640, changed }).to_vec();
        NetworkPower::new(
            fabric,
            &activity.with_switching(switching),
            &area,
            &PowerTechnology::at(TechnologyNode::Nm65),
            NETWORK_HERTZ,
        )
    };
    let [none, quarter, half, first] = [[0, 0], [160, 160], [320, 320], [320, 0]].map(power);
    assert_eq!((none.link_j, none.crossbar_j), (0.0, 0.0));
    assert!(none.buffer_j > 0.0 && none.buffer_j == half.buffer_j && none.allocator_j == half.allocator_j);
    assert!(
        (half.link_j / quarter.link_j - 2.0).abs() < 1e-9 && (half.crossbar_j / quarter.crossbar_j - 2.0).abs() < 1e-9
    );
    // Two subnetworks alike, each with a sample of its own.
    assert!((half.link_j / first.link_j - 2.0).abs() < 1e-9, "{} {}", half.link_j, first.link_j);
    assert_eq!((first.toggle, first.toggle_flits), (vec![0.5, 0.0], vec![10, 10]));
    let mut assumed = FlitActivity::idle(fabric, 1000.0);
    assumed.switching = vec![Switching::default(); 2];
    let assumed = NetworkPower::new(fabric, &assumed, &area, &PowerTechnology::at(TechnologyNode::Nm65), NETWORK_HERTZ);
    assert_eq!((assumed.toggle, assumed.toggle_flits), (vec![0.5; 2], vec![0, 0]));
}

fn run(chip: &Chip, kernel: &str, size: u32) -> (RunReport, Launch) {
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let report = host::run(chip, &launch, &Options::default(), Limits::default(), 1, |_, _| Ok(()));
    let report = report.unwrap_or_else(|error| panic!("{kernel}: {error}"));
    assert_eq!(report.verified, Some(true), "{report}");
    (report, launch)
}

fn array<'a>(report: &'a RunReport, name: &str) -> &'a ArrayPower {
    report.cost.arrays.iter().find(|array| array.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Registers that an instruction reads, and one if it writes one through the lanes.
fn uses(i: &Instruction) -> (u64, u64) {
    let registers = |all: &[u8]| all.iter().filter(|&&register| register != RZ).count() as u64;
    let b = if let OperandB::Register(b) = i.b { b } else { RZ };
    let read = match i.opcode.operands() {
        Operands::None | Operands::Branch | Operands::Logic | Operands::Barrier => 0,
        Operands::B => registers(&[b]),
        Operands::Ab | Operands::Abp | Operands::Compare => registers(&[i.a, b]),
        Operands::Abc => registers(&[i.a, b, i.c]),
        Operands::Load => registers(&[i.a]),
        Operands::Store => registers(&[i.a, i.dst]),
        Operands::Atomic | Operands::Double => registers(&[i.a, b, i.c]),
    };
    // Loads of parameters come through the lanes, too.
    let memory = ["LDG", "LDS"].iter().any(|of| i.opcode.mnemonic().starts_with(of));
    let lane = i.opcode.writes_register() && i.dst != RZ && !memory;
    (read, u64::from(lane))
}

/// Whole warps that load and store whole lines: every count follows from the program and the size.
#[test]
fn arrays_of_a_vector_addition_are_counted_as_its_instructions_say() {
    let chip = load("small.toml", &[]);
    let n = 1024;
    let (report, launch) = run(&chip, "vector_add", n);
    let (warps, beats) = (u64::from(n) / 32, u64::from(chip.core().beats()));
    let issued = run_lockstep(&launch, 1 << 30).expect("runs").issued;
    let code: Vec<_> = launch.kernel.code.iter().map(|&word| Instruction::decode(word).expect("legal")).collect();
    let sum = |each: &dyn Fn(&Instruction) -> u64| issued.iter().zip(&code).map(|(n, i)| n * each(i)).sum::<u64>();
    let loads = sum(&|i| u64::from(i.opcode.mnemonic().starts_with("LDG")));
    assert_eq!(loads, 2 * warps, "the kernel loads two words");
    let file = array(&report, "register file");
    assert_eq!(file.reads, beats * sum(&|i| uses(i).0));
    // A line of 16 words comes in as many beats as they are lanes.
    assert_eq!(file.writes, beats * (sum(&|i| uses(i).1) + loads));
    let lines = u64::from(n) / 16;
    let of = |name| (array(&report, name).reads, array(&report, name).writes);
    assert_eq!(of("lines of loads"), (2 * lines, 2 * lines));
    assert_eq!(of("request queue"), (3 * lines, 3 * lines));
    assert_eq!(of("reply queue"), (3 * lines, 3 * lines));
    assert_eq!(of("shared memory"), (0, 0));
    let fetches = array(&report, "instruction memory").reads;
    println!("{fetches} fetches for {} instructions", report.warp_instructions);
    assert!(fetches >= report.warp_instructions && fetches <= 2 * report.warp_instructions, "{fetches}");
    assert!(report.cost.network.toggle_flits[0] > 0, "{:?}", report.cost.network);
    let toggle = report.cost.network.toggle[0];
    assert!(toggle > 0.05 && toggle < 0.6, "{toggle}");
}

/// Reads of registers of programs with loops, divergence and barriers; banks of one that has no conflicts and no
/// broadcast.
#[test]
fn registers_and_banks_are_counted_as_the_emulator_says() {
    let chip = load("small.toml", &[]);
    let beats = u64::from(chip.core().beats());
    for (kernel, size) in [("transpose", 32), ("reduction", 512), ("collatz", 64)] {
        let (report, launch) = run(&chip, kernel, size);
        let issued = run_lockstep(&launch, 1 << 30).expect("runs").issued;
        let code: Vec<_> = launch.kernel.code.iter().map(|&word| Instruction::decode(word).expect("legal")).collect();
        let sum = |each: &dyn Fn(&Instruction) -> u64| issued.iter().zip(&code).map(|(n, i)| n * each(i)).sum::<u64>();
        assert_eq!(array(&report, "register file").reads, beats * sum(&|i| uses(i).0), "{kernel}");
        assert!(array(&report, "register file").writes >= beats * sum(&|i| uses(i).1), "{kernel}");
        let banks = array(&report, "shared memory");
        if kernel == "transpose" {
            // Each element of a matrix of 32 by 40 is stored once and loaded once.
            assert_eq!((banks.reads, banks.writes), (32 * 40, 32 * 40));
        }
        assert_eq!(banks.writes > 0, kernel != "collatz", "{kernel}");
    }
}

/// A chip that does nothing leaks; energies are counts times those of accesses, and the whole is the sum of its parts.
#[test]
fn energy_is_that_of_accesses_and_leakage() {
    let chip = load("small.toml", &[]);
    let idle = ArrayUse::of_chip(&chip, |_| 0);
    let design = elaborate(&chip::build(&chip).expect("a chip")).expect("legal");
    let tiles = inventory(&design, &Counting::default());
    let work = |arrays, thread_instructions| ChipWork {
        network: None,
        arrays,
        cycles: 1000,
        thread_instructions,
        tiles: &tiles,
        busy: TileUse::default(),
        operations: Operations { fma: thread_instructions as f64, ..Operations::default() },
        dram_bytes: 64 * thread_instructions,
    };
    let cost = ChipCost::new(&chip, work(&idle, 0));
    assert_eq!((cost.arrays_w, cost.lanes_w, cost.dram_w, cost.pj_per_instruction), (0.0, 0.0, 0.0, None));
    // An idle chip leaks, and the clock of what has no enable runs on.
    let seconds = 1000.0 / NETWORK_HERTZ;
    assert!((cost.energy_j / ((cost.chip_leakage_w + cost.clock_w) * seconds) - 1.0).abs() < 1e-9);
    assert!(cost.clock_w > 0.0 && cost.chip_leakage_w > 0.0);
    let busy = ArrayUse::of_chip(&chip, |_| 100);
    let cost = ChipCost::new(&chip, work(&busy, 500));
    let joules = cost.arrays_w * 1000.0 / NETWORK_HERTZ;
    let parts = |a: &ArrayPower| (a.reads as f64 * a.read_pj + a.writes as f64 * a.write_pj) * 1e-12;
    let sum: f64 = cost.arrays.iter().map(parts).sum();
    assert!(sum > 0.0 && (joules / sum - 1.0).abs() < 1e-9, "{joules} {sum}");
    // 500 products with a sum: 4.6 pJ at 45 nm and 0.9 V.
    let lanes = 500.0 * 4.6e-12 * (65.0 / 45.0) * (1.1_f64 / 0.9).powi(2);
    assert!((cost.lanes_w * seconds / lanes - 1.0).abs() < 1e-9);
    let still = (cost.chip_leakage_w + cost.clock_w) * seconds;
    assert!((cost.energy_j / (still + lanes + sum) - 1.0).abs() < 1e-9);
    assert!((cost.dynamic_j / (cost.clock_w * seconds + lanes + sum) - 1.0).abs() < 1e-9);
    let each = cost.pj_per_instruction.expect("instructions");
    assert!((each / (cost.energy_j * 1e12 / 500.0) - 1.0).abs() < 1e-9);
    assert!(cost.not_counted.iter().any(|what| what == "control logic"));
}

/// Clocks behind enables of a core run as often as its issue slots are used, one or two.
#[test]
fn a_core_works_as_its_issue_slots_are_used() {
    for slots in ["core.issue_slots=1", "core.issue_slots=2"] {
        let (report, _) = run(&load("small.toml", &[slots]), "reduction", 512);
        let core = report.cost.tiles.iter().find(|tile| tile.kind == "core").expect("cores");
        let used = report.issue.slots.issued as f64 / report.issue.slots.total as f64;
        assert!(used > 0.1 && (core.works / used - 1.0).abs() < 0.05, "{slots}: {} of {used}", core.works);
    }
}

/// The tiles are those of the chip; every flip-flop hangs on a clock; a router's output register keeps its value.
#[test]
fn an_inventory_has_every_flip_flop_on_its_clock() {
    for config in ["small.toml", "bakhoda-ch6.toml"] {
        let chip = load(config, &[]);
        let design = elaborate(&chip::build(&chip).expect("a chip")).expect("legal");
        let counting = Counting::default();
        let tiles = inventory(&design, &counting);
        let groups = by_block(&design, &counting, 1);
        assert_eq!(tiles.len(), groups.len());
        let domains = chip.config().clocks.domains();
        for (tile, group) in tiles.iter().zip(&groups) {
            let of = |structure: &Structure| (structure.register_bits, structure.macro_bits, structure.gates());
            assert_eq!((&tile.kind, tile.count), (&group.path[0], group.count()));
            assert_eq!(of(&tile.structure), of(&group.structure), "{config} {}", tile.kind);
            let bits: u64 = tile.clocked.values().map(|bits| bits.every_cycle + bits.enabled).sum();
            // Besides registers a word for each write port of small memories.
            assert!(bits >= tile.structure.register_bits, "{config} {}: {bits}", tile.kind);
            assert!(tile.clocked.keys().all(|name| domains.contains(&name.as_str())), "{:?}", tile.clocked);
        }
        let core = tiles.iter().find(|tile| tile.kind == "core").expect("cores");
        let clock = core.clocked["clock"];
        assert!(clock.enabled > 0 && clock.every_cycle > 0, "{clock:?}");
    }
}

/// A register with an enable is told from one that takes a new value in every cycle, through wires and nested choices.
#[test]
fn enables_are_found() {
    let m = Builder::new("tile", params! {});
    let (enable, other, data) = (m.input("enable", 1), m.input("other", 1), m.input("data", 8));
    let [free, kept, nested] = ["free", "kept", "nested"].map(|name| m.register(name, 8, 0));
    m.set(free, data);
    m.when(enable, || m.set(kept, data));
    let both = m.wire("both", other & enable);
    let next = m.wire("next", mux(both, nested + data, nested));
    m.set(nested, next);
    for (name, register) in [("a", free), ("b", kept), ("c", nested)] {
        m.output_of(name, register);
    }
    let tile = m.finish();
    let top = Builder::new("top", params! {});
    let child = top.tile("tile", &tile);
    for (port, width) in [("enable", 1), ("other", 1), ("data", 8)] {
        child.drive(port, top.input(port, width));
    }
    for name in ["a", "b", "c"] {
        top.output_of(name, child.get(name));
    }
    let tiles = inventory(&elaborate(&top.finish()).expect("legal"), &Counting::default());
    assert_eq!(tiles[0].clocked["clock"], ClockedBits { every_cycle: 8, enabled: 16 });
}

/// Arrays are as large as the configuration makes them.
#[test]
fn arrays_follow_the_configuration() {
    let array = |overrides: &[&str], name: &str| {
        let all = ArrayUse::of_chip(&load("default.toml", overrides), |_| 1);
        *all.iter().find(|array| array.name == name).map(|array| &array.array).unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(array(&[], "register file"), Array::ram(8 * 64 * 4, 8 * 32));
    assert_eq!(array(&["core.lanes=16"], "register file"), Array::ram(8 * 64 * 2, 16 * 32));
    assert_eq!(array(&["core.registers=32"], "register file"), Array::ram(8 * 32 * 4, 8 * 32));
    assert_eq!(array(&[], "shared memory"), Array::ram(16 * 1024 / 4 / 8, 32));
    let pj = |array: Array| array.cost(&ArrayTechnology::scaled(65, 1.1)).energy_pj;
    // As many rows of twice the width cost twice as much.
    let (narrow, wide) =
        (pj(array(&[], "register file")), pj(array(&["core.lanes=16", "core.registers=128"], "register file")));
    assert!((wide / narrow - 2.0).abs() < 0.01, "{narrow} {wide}");
}
