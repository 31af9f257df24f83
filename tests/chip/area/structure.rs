//! Structural counts: against hand counts, against each other, and against Yosys.

use crate::campaign::part_or_all;
use warpmesh::{
    area::{
        self, Cells, ChipArea, CrossbarModel, Layout, Leaf, LeafCosts, RouterShape, Technology, TechnologyNode,
        TileGroup, inventory,
        structure::{Counting, Structure, by_block, total},
        synthesise, synthesised,
    },
    chip::{self, EMBEDDED},
    hdl::{Builder, Module, mux, params},
    netlist::{Design, elaborate},
    noc::{Connectivity, FlitFormat, NetworkParams, Ports, RouterParams, crossbar, router},
    registry::BlockKind,
};

const COUNTING: Counting = Counting { array_bits: None };

fn design(module: &Module) -> Design {
    elaborate(module).unwrap_or_else(|error| panic!("{error}"))
}

/// A register of 8 bits that is loaded or counts, a comparator, a memory of 16 words of 4 bits; and a register that
/// nobody reads.
fn sample() -> Module {
    let m = Builder::new("sample", params! {});
    let (load, data) = (m.input("load", 1), m.input("data", 8));
    let count = m.register("count", 8, 0);
    m.set(count, mux(load, data, count + 1));
    m.output_of("same", count.eq(data));
    let memory = m.memory("table", 16, 4);
    m.when(load, || memory.write(data.bits(0, 4), data.bits(4, 4)));
    m.output_of("word", memory.read(count.bits(0, 4)));
    let unread = m.register("unread", 32, 0);
    m.set(unread, unread + 1);
    m.finish()
}

#[test]
fn a_sample_is_counted_as_by_hand() {
    let s = total(&design(&sample()), &COUNTING);
    assert_eq!((s.register_bits, s.memory_bits_1r, s.memory_bits_nr), (8, 64, 0));
    // 8 for the choice, 15 x 4 to read, 64 to write; two inputs each.
    assert_eq!(s.mux_input_bits(), 2 * (8 + 60 + 64));
    // The lowest bit of the sum is a complement.
    assert_eq!((s.adder_bits(), s.comparator_bits()), (7, 8));
}

/// Constants are carried through, bits that are not assigned cost nothing, and shapes are counted as what synthesis makes of them.
#[test]
fn operators_are_counted_bit_by_bit() {
    let m = Builder::new("operators", params! {});
    let (a, b, x, enable) = (m.input("a", 4), m.input("b", 4), m.input("x", 8), m.input("enable", 1));
    m.output_of("product", a.extend(16) * b.extend(16));
    m.output_of("low", x & m.lit(8, 0x0f));
    m.output_of("first", x & !(x - 1));
    m.output_of("small", (a.extend(8) + b.extend(8)).bits(0, 5).lt(m.lit(5, 9)));
    let word = m.register_payload("word", 32);
    m.when(enable, || m.set(word.bits(8, 8), x));
    m.output_of("kept", word);
    let wire = m.wire("known", m.lit(3, 5));
    let choices: Vec<_> = [7, 3, 9, 1, 4, 12, 6, 2].map(|row| m.lit(4, row)).into();
    m.output_of("table", warpmesh::hdl::select(a.bits(0, 3), &choices) ^ mux(wire.bit(0), a, b));
    let leaves = total(&design(&m.finish()), &COUNTING).leaves;
    let count = |leaf| leaves.count(&[leaf]);
    // Sixteen partial products in seven columns.
    assert_eq!((count(Leaf::ProductAdder), count(Leaf::Gate)), (9, 16));
    assert_eq!((count(Leaf::FirstOne), count(Leaf::HalfAdder), count(Leaf::Inverter)), (7, 1, 0));
    // The fifth bit of the sum is a carry.
    assert_eq!((count(Leaf::FullAdder), count(Leaf::LessConstant)), (3, 5));
    assert_eq!((count(Leaf::Enable), count(Leaf::Mux), count(Leaf::FlipFlop)), (8, 0, 32));
    // Four bits of 8 rows: 8 / 3 each.
    assert_eq!((count(Leaf::Table), count(Leaf::Xor)), (11, 4));
}

#[test]
fn large_memories_are_arrays() {
    let counted = |array_bits| total(&design(&sample()), &Counting { array_bits });
    let (cells, array) = (counted(Some(65)), counted(Some(64)));
    assert_eq!((cells.macro_bits, array.macro_bits, array.memory_bits()), (0, 64, 64));
    assert!(array.gate_equivalents() < cells.gate_equivalents() && array.macros_mm2_at_130 > 0.0);
}

#[derive(Clone, Copy, PartialEq)]
struct StructureKind {
    half: bool,
    ports: u32,
    bytes: u32,
    vcs: u32,
    depth: usize,
}

impl StructureKind {
    fn params(self) -> RouterParams {
        let ports = Ports { injects: self.ports, ejects: self.ports, ..Ports::interior() };
        let connectivity = if self.half { Connectivity::half(&ports) } else { Connectivity::full(&ports) };
        let network = NetworkParams::new(FlitFormat::new(self.vcs, 8 * self.bytes, 36, 6), self.depth, 2);
        RouterParams::plain(6, 6, connectivity, network)
    }

    fn design(self) -> Design {
        design(&router(&self.params()).unwrap_or_else(|error| panic!("{error}")))
    }

    fn counted(self) -> Structure {
        total(&self.design(), &COUNTING)
    }
}

const FULL: StructureKind = StructureKind { half: false, ports: 1, bytes: 2, vcs: 4, depth: 2 };

#[test]
fn routers_grow_with_their_parameters() {
    let base = FULL.counted();
    for (what, more) in [
        ("width", StructureKind { bytes: 4, ..FULL }),
        ("ports", StructureKind { ports: 2, ..FULL }),
        ("VCs", StructureKind { vcs: 6, ..FULL }),
        ("depth", StructureKind { depth: 6, ..FULL }),
    ] {
        let s = more.counted();
        assert!(s.gate_equivalents() > base.gate_equivalents(), "{what}: {s:?} {base:?}");
        assert!(
            s.register_bits >= base.register_bits && s.memory_bits() > base.memory_bits(),
            "{what}: {s:?} {base:?}"
        );
    }
    let half = StructureKind { half: true, ..FULL }.counted();
    assert!(half.gate_equivalents() < base.gate_equivalents() && half.mux_input_bits() < base.mux_input_bits());
    // Flit buffers hold payload and control of every VC of every input.
    assert!(base.memory_bits() > 5 * 4 * 2 * 16);
}

/// A crossbar of multiplexers by the formula is that of the netlist; a half-router, several ports, switch inputs.
#[test]
fn a_crossbar_of_multiplexers_is_that_of_the_netlist() {
    for (half, ports, speedup) in
        [(false, 1, 1), (true, 1, 1), (false, 2, 1), (true, 3, 1), (false, 1, 2), (true, 2, 3)]
    {
        let ports = Ports { injects: ports, ejects: ports, ..Ports::interior() };
        let matrix = if half { Connectivity::half(&ports) } else { Connectivity::full(&ports) };
        let matrix = matrix.with_speedup(speedup);
        let counted = |width| total(&design(&crossbar::crossbar(&matrix, 8, width)), &COUNTING).gate_equivalents();
        let technology = Technology::NM65.with_crossbars(Some(CrossbarModel::Mux));
        let formula = area::crossbar::area(&RouterShape::new(&matrix, 1), 64, &technology);
        // Two widths apart, control and selection are the same.
        let built = Cells::NANGATE45.mm2(counted(128) - counted(64), 65);
        assert!((formula / built - 1.0).abs() < 1e-9, "{half} {ports:?} {speedup}: {formula} {built}");
    }
}

/// Crossbars beyond the range of the matrix formula are multiplexers; within it routers are no larger with multiplexers than with matrices.
#[test]
fn large_crossbars_are_multiplexers() {
    for (name, _) in
        EMBEDDED.iter().step_by(part_or_all(7, 1)).chain(EMBEDDED.iter().filter(|(name, _)| LARGE.contains(name)))
    {
        let chip = chip::load(Some(name.as_ref()), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let of = |model| ChipArea::new(&chip, Layout::Tile, &Technology::NM65.with_crossbars(Some(model)));
        let [matrix, mux] = CrossbarModel::ALL.map(of);
        assert_eq!(matrix.beyond.is_some(), LARGE.contains(name), "{name}: {:?}", matrix.beyond);
        match matrix.beyond {
            Some(_) => assert_eq!(matrix.network, mux.network, "{name}"),
            None => assert!(mux.network.routers_mm2() <= matrix.network.routers_mm2(), "{name}"),
        }
        assert_eq!(mux.network.links_mm2(), matrix.network.links_mm2(), "{name}");
    }
}

/// The chips of [`large_crossbars_are_multiplexers`].
const LARGE: [&str; 4] = ["crossbar.toml", "fermi.toml", "kim-ch2.toml", "kim-ch5.toml"];

/// What is counted is what Yosys makes of it: of all blocks that `docs/synthesis.md` has but for six of few gates, within 20 %.
#[test]
fn blocks_are_as_large_as_synthesised() {
    let (mut far, mut off) = (vec![], vec![]);
    for reference in synthesised::blocks() {
        let block = BlockKind::find(reference.block).unwrap_or_else(|error| panic!("{}", error.message));
        let values = block.values(reference.given()).unwrap_or_else(|error| panic!("{}", error.message));
        let module = block.build(&values).unwrap_or_else(|error| panic!("{}", error.message));
        let ratio = total(&design(&module), &Counting::default()).gate_equivalents() / reference.gates;
        off.push((ratio - 1.0).abs());
        if (ratio - 1.0).abs() > 0.2 {
            far.push((ratio, reference));
        }
    }
    assert_eq!(off.len(), 44);
    assert!(off.iter().sum::<f64>() / 44.0 < 0.105, "{off:?}");
    assert!(far.len() <= 6, "{far:?}");
    assert!(far.iter().all(|(ratio, of)| of.gates < 2000.0 && (0.65..2.4).contains(ratio)), "{far:?}");
}

/// And of six chips, to three of which nothing was fitted: every kind of tile within 15 %, the whole within 5 %.
#[test]
fn chips_are_as_large_as_synthesised() {
    let tiles = synthesised::tiles();
    let mut names: Vec<_> = tiles.iter().map(|tiles| tiles.chip).collect();
    names.dedup();
    assert_eq!((names.len(), tiles.len()), (6, 33));
    for name in names {
        let chip = chip::load(Some(name.as_ref()), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let built = inventory(&design(&chip::build(&chip).expect("a chip")), &Counting::default());
        let (mut counted, mut synthesised) = (0.0, 0.0);
        for tiles in tiles.iter().filter(|tiles| tiles.chip == name) {
            let same = built.iter().find(|built| built.kind == tiles.kind && built.count == tiles.count);
            let gates = same.unwrap_or_else(|| panic!("{name}: {tiles:?}")).structure.gate_equivalents();
            assert!((gates / tiles.gates - 1.0).abs() < 0.15, "{name}: {gates} {tiles:?}");
            counted += gates;
            synthesised += tiles.gates;
        }
        assert_eq!(built.len(), tiles.iter().filter(|tiles| tiles.chip == name).count(), "{name}");
        assert!((counted / synthesised - 1.0).abs() < 0.05, "{name}: {counted} {synthesised}");
    }
}

/// The reference can be made again: every module of a router alone, with its memories as flip-flops or as arrays; and a router with another one
/// in ratio.
#[test]
fn routers_are_as_large_as_synthesised() {
    let half = StructureKind { half: true, ports: 2, ..FULL };
    let counted = |kind: StructureKind, counting| {
        let design = kind.design();
        let found = synthesise(&design, None, counting, true).unwrap_or_else(|error| panic!("{error}")).total();
        let cells = Cells::NANGATE45;
        assert!(found.cells.keys().all(|cell| cells.of_yosys(cell).is_some()), "{:?}", found.cells);
        [total(&design, counting).gate_equivalents(), found.gate_equivalents.expect("of known cells")]
    };
    let arrays = Counting { array_bits: Some(64) };
    let all = [counted(FULL, &COUNTING), counted(half, &COUNTING), counted(half, &arrays)];
    for [counted, synthesised] in all {
        assert!((counted / synthesised - 1.0).abs() < 0.1, "{all:?}");
    }
    let [one, other] = [0, 1].map(|by| all[1][by] / all[0][by]);
    assert!((one / other - 1.0).abs() < 0.05 && all[2][0] < 0.85 * all[1][0], "{all:?}");
}

/// What a key adds to a chip is there, in the kind of tile that it is in and in no other but for wider fields; the formulas of the thesis
/// know nothing of most of it.
#[test]
fn what_is_built_takes_area_and_leaks() {
    let of = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        let chip = chip::load(Some("small.toml".as_ref()), &overrides).unwrap_or_else(|error| panic!("{error}"));
        inventory(&design(&chip::build(&chip).expect("a chip")), &Counting::default())
    };
    let leaf = LeafCosts::at(TechnologyNode::Nm65, 1.1);
    let base = of(&[]);
    for (kind, overrides) in [
        ("core", ["core.atomics=true"].as_slice()),
        ("core", &["core.double=1/2"]),
        ("core", &["core.special_units=4"]),
        ("core", &["core.barriers=16"]),
        ("core", &["core.issue_slots=2"]),
        ("core", &["core.shared_bytes=32768"]),
        ("core", &["core.load_entries=16"]),
        ("memory_partition", &["memory.queue_entries=64"]),
        ("memory_partition", &["core.atomics=true"]),
        ("router", &["network.vc_depth=16"]),
        ("router", &["network.channel_bytes=32"]),
        ("network_interface", &["network.tx_queue_packets=8"]),
    ] {
        let larger = of(overrides);
        let pick = |tiles: &[TileGroup]| {
            let tile = tiles.iter().find(|tile| tile.kind == kind).expect("is there");
            (tile.mm2(65), tile.leakage_w(&leaf))
        };
        let (before, after) = (pick(&base), pick(&larger));
        // Reports have the leakage of routers from the formulas.
        assert!(
            after.0 > before.0 && (kind == "router" || after.1 > before.1),
            "{overrides:?}: {kind} {before:?}, then {after:?}"
        );
    }
}

/// The levels add up: what is below a block is in it, and all tiles together are the chip but for what stands beside
/// them.
#[test]
fn blocks_add_up() {
    for config in ["small.toml", "default.toml"] {
        assert!(EMBEDDED.iter().any(|(name, _)| *name == config));
        let chip = chip::load(Some(config.as_ref()), &[]).expect("shipped");
        let design = design(&chip::build(&chip).expect("a chip"));
        let counting = Counting::default();
        let blocks = by_block(&design, &counting, 2);
        let all = total(&design, &counting);
        let tops = blocks.iter().filter(|b| b.path.len() == 1);
        let tiles: f64 = tops.clone().map(|b| b.structure.gate_equivalents()).sum();
        assert!(
            tiles <= all.gate_equivalents() * (1.0 + 1e-9) && tiles > 0.9 * all.gate_equivalents(),
            "{tiles} {all:?}"
        );
        for top in tops {
            let children = blocks.iter().filter(|b| b.path.len() == 2 && b.path[0] == top.path[0]);
            let bits: u64 = children.map(|b| b.structure.register_bits).sum();
            assert!(bits <= top.structure.register_bits, "{config}: {:?}", top.path);
        }
        let routers = blocks.iter().find(|b| b.path == ["router"]).expect("routers");
        assert_eq!(routers.count() as usize, chip.nodes());
    }
}
