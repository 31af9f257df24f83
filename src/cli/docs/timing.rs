//! `docs/timing.md`: the delay model, how far it is off, and which chips meet their clocks by it.

use super::tables::{code, table};
use crate::{Failure, chip_args::ChipArgs, chip_args::design, timing::chip_timing};
use measure::{
    area::{TechnologyNode, structure::Counting},
    report::PartRow,
    timing::{
        DelayModel, MARGIN, TimedPath, fo4_ps, ns,
        reference::{COMMAND, NM, Reference, references, reviewed},
        timing, wanted_ns,
    },
};
use netlist::{Design, elaborate};
use rtl::registry::BlockKind;
use std::path::PathBuf;

/// Chips of the second table: those whose cores, controllers or routers differ. Others are these in another size or with other places of
/// controllers.
const CHIPS: [&str; 24] = [
    "default",
    "small",
    "fermi",
    "gddr5",
    "baseline-tb-dor",
    "cp-cr",
    "cp-cr-2p",
    "dci-2p",
    "dcie-2p",
    "double-cp-cr",
    "cmesh",
    "flattened-butterfly",
    "crossbar",
    "torus",
    "ring-64",
    "bakhoda-ch3",
    "bakhoda-ch6",
    "kim-ch2",
    "kim-ch4",
    "kim-ch5",
    "ari-xy-baseline",
    "ari-ada",
    "da2mesh",
    "intra-clustering",
];

/// Clocks of Bakhoda's thesis and of GTX 280, MHz.
const CLOCKS: [(&str, f64); 3] = [("core", 1296.0), ("noc", 602.0), ("dram", 1107.0)];

const NODE: TechnologyNode = TechnologyNode::Nm65;

/// The page.
pub fn page() -> Result<String, Failure> {
    Ok([heading(), model(), blocks()?, chips()?].join("\n"))
}

fn heading() -> String {
    format!(
        "# Timing\n\n`warpmesh timing [CONFIG]` says how long the longest paths between registers take, by clock domain against `clocks.*`, \
         by\nblock, and operator by operator with instance, net and source line; `--block NAME` does so for a block. It is a model of \
         the\nnetlist, not a synthesis: it takes less than a second and needs no other program. Wires have no length; {:.0} % of a period \
         are\nleft for them, and for skew and jitter of the clock. A chip *meets* its clock when its longest path fits into the rest.\n\n\
         Arrival is known for every bit, so that a slice of a word waits for that slice alone. Equal modules with equal arrivals \
         at\ntheir inputs are timed once. A path begins at a register, at a memory or at an input of the top (at 0), and ends at \
         a\nregister, at a memory or at an output. The first register of a synchroniser ends none. Logic that only probes and \
         assertions\nneed is left out.\n",
        100.0 * MARGIN
    )
}

fn model() -> String {
    let m = DelayModel::FITTED;
    let fo4 = |time: i32| format!("{:.2}", f64::from(time) / 1000.0);
    let rows = [
        (
            "AND, OR; `all`, `any`, `equal`; NOT is free",
            "tree: late inputs pass few gates",
            "a level of two inputs",
            m.and,
        ),
        ("XOR, parity", "tree", "a level of two inputs", m.xor),
        ("multiplexer; `switch`", "alone; as AND-OR tree of all cases", "a multiplexer", m.mux),
        (
            "shift, part at an offset, multiplexer chains, memory of flip-flops",
            "a level for each bit, late ones last",
            "a level",
            m.mux_level,
        ),
        ("add, subtract, less than", "prefix tree of Brent and Kung", "a level of carries", m.carry),
        ("multiply, sums of three and more", "rows of full adders, then an adder", "a full adder", m.full_adder),
        ("first one (`x & ~(x - 1)`)", "prefix tree of OR", "a level", m.prefix),
        ("what drives several inputs", "buffers", "a doubling", m.fan_out),
        ("flip-flop", "", "clock to output", m.clock_to_q),
        ("flip-flop", "", "setup", m.setup),
    ];
    let rows = rows.map(|(what, built, each, time)| [what.into(), built.into(), each.into(), fo4(time)]);
    format!(
        "## The model\n\nConstants are in FO4, the delay of an inverter that drives four: {:.1} ps at 65 nm, as the name of the node \
         ({:.1} ps measured in the\nlibrary below at 130 nm). They were fitted to the blocks below. Constants in a netlist are \
         carried through. Memories from 2 Kbit are arrays with\nthe access time of [area-power.md](area-power.md#arrays-and-cams). \
         `src/measure/timing`.\n\n{}",
        fo4_ps(NODE),
        fo4_ps(NODE) * NM / f64::from(NODE.nm()),
        table(["operators", "built as", "of which", "FO4"], rows)
    )
}

fn blocks() -> Result<String, Failure> {
    let mut rows = vec![];
    let (mut off, mut path_off, mut count) = (0.0, 0.0, 0);
    for reference in references() {
        let [logic, path] = longest(&reference)?;
        let at_130 = |path: &TimedPath| ns(path.time, NODE) * NM / f64::from(NODE.nm());
        let (here, path_here) = (at_130(&logic), at_130(&path));
        off += (here / reference.ns - 1.0).abs();
        path_off += (path_here / reference.path_ns - 1.0).abs();
        count += 1;
        let wanted = CLOCKS.iter().find(|(clock, _)| *clock == reference.clock);
        let flip_flop = ns(DelayModel::FITTED.clock_to_q + DelayModel::FITTED.setup, NODE);
        let target =
            wanted.map_or(String::new(), |(clock, mhz)| format!("{:.2} ({clock})", wanted_ns(*mhz) - flip_flop));
        rows.push([
            format!("{} {}", code(reference.block), reference.parameters).trim_end().to_string(),
            logic.levels.to_string(),
            reference.cells_deep.to_string(),
            format!("{here:.2}"),
            format!("{:.2}", reference.ns),
            format!("{:.2}", here / reference.ns),
            format!("{path_here:.2}"),
            format!("{:.2}", reference.path_ns),
            format!("{:.2}", path_here / reference.path_ns),
            format!("{:.2}", ns(logic.time, NODE)),
            target,
        ]);
    }
    let columns = [
        "block",
        "levels",
        "cells",
        "logic here",
        "by abc",
        "ratio",
        "path here",
        "by OpenSTA",
        "ratio",
        "logic at 65 nm",
        "wanted",
    ];
    Ok(format!(
        "## Against synthesis\n\nLogic alone, from inputs and registers to registers and outputs, without clock to output and setup, by \
         Yosys 0.23\nand its abc (`&dch`, `&nf`, buffers, sizing, `stime`); and whole paths from clock edge to clock edge, with both, by \
         OpenSTA 2.0.17. All in\ncells of the free library IHP SG13G2, ns at 130 nm, without wires, from\n`{COMMAND}`.\n`wanted` is what \
         is left for logic of a period of the thesis' clocks (core 1296 MHz, network 602, DRAM 1107) at 65 nm.\nThe mean difference is \
         {:.0} % for logic, {:.0} % for paths.\n\n{}\nWhat is off: logic of few inputs, which a tool minimises as a \
         whole (`route_unit`, `switch_allocator`), while this model adds up its operators; the\nDRAM scheduler, in which abc puts more than ten buffers \
         in a row; first ones of which abc leaves carry chains (`cam`). Levels are gates of two inputs here \
         and\ncells of up to five there. A review with NanGate 45 nm and other settings, times scaled by 65/45, had ns of\n{}.\n",
        100.0 * off / f64::from(count),
        100.0 * path_off / f64::from(count),
        table(columns, rows),
        reviewed().into_iter().map(|(block, ns)| format!("{ns} for {block}")).collect::<Vec<_>>().join(", ")
    ))
}

/// A block that a synthesis tool was given, with its parameters.
pub(super) fn reference_design(block: &str, given: Vec<(&str, &str)>) -> Result<Design, Failure> {
    let wrong = |message: String| Failure::new(1, format!("reference of {block}: {message}"));
    let kind = BlockKind::find(block).map_err(|error| wrong(error.message))?;
    let values = kind.values(given).map_err(|error| wrong(error.message))?;
    let module = kind.build(&values).map_err(|error| wrong(error.message))?;
    elaborate(&module).map_err(|mistakes| wrong(mistakes.to_string()))
}

/// The longest path through logic of a block, and with clock to output and setup; its memories are flip-flops, as Yosys has them.
fn longest(reference: &Reference) -> Result<[TimedPath; 2], Failure> {
    let design = reference_design(reference.block, reference.given())?;
    let counting = Counting { array_bits: None };
    let of = |model: &DelayModel| {
        let found = timing(&design, model, &counting, 1);
        let paths = found.domains.into_iter().flat_map(|domain| domain.paths);
        paths.max_by_key(|path| path.time).ok_or_else(|| Failure::new(1, format!("{} has no path", reference.block)))
    };
    Ok([of(&DelayModel::FITTED.logic_only())?, of(&DelayModel::FITTED)?])
}

/// Kinds of tiles that most chips have; their column.
const PARTS: [(&str, &str); 5] = [
    ("core", "core"),
    ("block_dispatcher", "dispatcher"),
    ("network_interface", "interface"),
    ("router", "router"),
    ("memory_partition", "memory"),
];

/// Why what does not fit is one cycle: kind of tile, blocks in one of which most of the path passes, reason.
const REASONS: [(&str, &[&str], &str); 16] = [
    (
        "block_dispatcher",
        &["block_dispatcher"],
        "A block starts in each cycle: the core is chosen by how many blocks each has, and has one more at the next edge.",
    ),
    (
        "core",
        &["fp32_add"],
        "Float atomics in shared memory: a word is read in one cycle, added to and written in the next, so that the next atomic finds the sum.",
    ),
    (
        "core",
        &["shared_memory"],
        "In each cycle the lanes without conflict are found, served and taken off the access; in two steps every access takes a cycle more.",
    ),
    (
        "core",
        &["line_order", "cache"],
        "The reply at the head of the queue says which loads wait for its line and which entry it frees, in the cycle in which it leaves; a \
         register in between is a cycle of each miss.",
    ),
    (
        "memory_partition",
        &["fp32_add"],
        "Float atomics at the L2: the word that returns is added to and goes on in a cycle; registers in it are cycles of each atomic.",
    ),
    (
        "memory_partition",
        &["memory_controller"],
        "FR-FCFS chooses among all requests, of which the command of the cycle before has changed banks and rows: a command in each cycle of DRAM.",
    ),
    (
        "memory_partition",
        &["cache"],
        "A bank takes an access in each cycle: what it finds decides at once whether the access leaves its queue, and what is written.",
    ),
    (
        "network_interface",
        &["path_choice"],
        "The intermediate router of checkerboard routing is chosen as a packet enters; with two ports the second choice waits for the first.",
    ),
    (
        "network_interface",
        &["route_unit"],
        "The route of the packet at the head of the queue says to which injection port it goes, in the cycle in which it leaves.",
    ),
    ("network_interface", &["flit_buffer"], "A flit is read from its buffer and joins its packet in one cycle."),
    (
        "overlay_router",
        &["route_unit"],
        "The clock of the overlay leaves five gates between flip-flops; a hop of DA2mesh is one cycle, with route and buffer.",
    ),
    (
        "overlay_sink",
        &["overlay_sink_lane"],
        "The clock of the overlay leaves five gates between flip-flops; a flit is read from its buffer and joins its packet in one cycle.",
    ),
    (
        "overlay_source",
        &["fifo"],
        "The clock of the overlay leaves five gates between flip-flops; a packet is read from its queue and cut into flits in one cycle.",
    ),
    (
        "overlay_source_crossing",
        &["clock_crossing_fifo"],
        "The pointers of the crossing, in Gray code, count at the clock of the overlay.",
    ),
    (
        "ring_hub",
        &["ring_hub"],
        "A packet passes the hub in one cycle: from the head of one queue, in turn with another, into the next.",
    ),
    (
        "router",
        &["round_robin_arbiter", "switch_allocator", "lfsr", "flit_buffer", "input_unit"],
        "A flit that may go asks the switch allocator, which has two rounds of arbiters, and the winner is read from its buffer: one stage (with \
         fewer stages, with VC allocation or the crossbar). A stage more is a cycle of each hop.",
    ),
];

/// Why a path is one cycle.
fn reason(part: &str, block: &str) -> Result<&'static str, Failure> {
    let found = REASONS.iter().find(|(kind, blocks, _)| *kind == part && blocks.contains(&block));
    found
        .map(|(.., why)| *why)
        .ok_or_else(|| Failure::new(1, format!("no reason for the path of `{part}` in `{block}`")))
}

/// A path that does not fit, with the chips that have it.
struct Late {
    part: String,
    ns: f64,
    path: String,
    why: &'static str,
    chips: Vec<String>,
}

fn chips() -> Result<String, Failure> {
    let (mut rows, mut late) = (vec![], vec![]);
    for name in CHIPS {
        let args = ChipArgs::each(&[PathBuf::from(name)], &[]).remove(0);
        let chip = args.chip()?;
        let report = chip_timing(&chip, &design(&chip)?, name.into(), NODE, 1);
        let number = |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
        for domain in &report.domains {
            let part = |(kind, _): (&str, &str)| {
                let found = report.parts.iter().find(|part| part.kind == kind && part.domain == domain.domain);
                found.map_or(String::new(), |part| format!("{:.2}", part.path.ns))
            };
            let met = if domain.met == Some(true) { "yes" } else { "no" };
            let [core, dispatcher, interface, router, memory] = PARTS.map(part);
            rows.push([
                code(name),
                domain.domain.clone(),
                number(domain.mhz, 0),
                number(domain.wanted_ns, 2),
                met.into(),
                core,
                dispatcher,
                interface,
                router,
                memory,
            ]);
        }
        for part in report.parts.iter().filter(|part| part.slack_ns.is_some_and(|slack| slack < 0.0)) {
            add(&mut late, part, name)?;
        }
    }
    let [core, dispatcher, interface, router, memory] = PARTS.map(|(_, column)| column);
    let columns = ["chip", "domain", "MHz", "wanted", "met", core, dispatcher, interface, router, memory];
    late.sort_by(|a: &Late, b: &Late| {
        (&a.part, b.ns).partial_cmp(&(&b.part, a.ns)).unwrap_or(std::cmp::Ordering::Equal)
    });
    // Reasons stand below, with their numbers.
    let mut reasons: Vec<&str> = vec![];
    for late in &late {
        if !reasons.contains(&late.why) {
            reasons.push(late.why);
        }
    }
    let number = |why: &str| reasons.iter().position(|known| *known == why).map_or(0, |at| at + 1);
    let late = late.into_iter().map(|late| {
        [late.part, format!("{:.2}", late.ns), late.path, number(late.why).to_string(), late.chips.join(", ")]
    });
    let late = table(["ends in", "ns", "path", "reason", "chips"], late);
    let reasons: String = reasons.iter().enumerate().map(|(at, why)| format!("{}. {why}\n", at + 1)).collect();
    Ok(format!(
        "## Shipped chips\n\nLongest path that ends in each kind of tile, ns at 65 nm, with clock to output and setup; `met`: all of them are \
         shorter than what is\nwanted. Configurations whose tiles are those of another one are left out. `warpmesh timing CONFIG` has \
         all blocks and paths of each,\n`warpmesh check CONFIG` warns.\n\n{}\n### Paths that do not fit\n\nThe longest path that ends in each kind of tile, and why it is one cycle: to \
         cut it takes a cycle more where these chips have the latencies of\ntheir papers. Others are behind them, which `warpmesh timing CONFIG --paths N` \
         shows.\n\n{late}\n{reasons}",
        table(columns, rows),
    ))
}

/// Chips with the same path share a row.
fn add(late: &mut Vec<Late>, part: &PartRow, chip: &str) -> Result<(), Failure> {
    let block = part.path.longest_block().unwrap_or_default();
    let within = |end: &str| end.split_once('.').map_or(end, |(_, rest)| rest).to_string();
    let path = format!(
        "{} to {}, most of it in {}",
        code(&within(&part.path.from)),
        code(&within(&part.path.to)),
        code(block)
    );
    let same =
        |known: &&mut Late| known.part == part.kind && known.path == path && (known.ns - part.path.ns).abs() < 0.005;
    match late.iter_mut().find(same) {
        Some(known) => known.chips.push(chip.into()),
        None => late.push(Late {
            part: part.kind.clone(),
            ns: part.path.ns,
            path,
            why: reason(&part.kind, block)?,
            chips: vec![chip.into()],
        }),
    }
    Ok(())
}
