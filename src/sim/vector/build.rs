//! Puts the engine together: where everything of a group is in a tile and in the frame, and state for the code that
//! works on it.

use super::{
    Vectors,
    block::{Block, Phase},
    boundary::Found,
    choose::VectorChoice,
    compile::{Functions, compiled, skips_idle},
    group::{Group, GroupCode, ProbeSite, WriteSite},
    lower::{Context, VECTOR, activity_at, bytes, frame, limbs},
    slots::{LANES, Slot, get_at, set, set_at},
    unite::{United, Uniting},
};
use crate::{
    aligned::AlignedWords,
    code::failure,
    equivalence::ModuleClasses,
    error::SimError,
    layout::{Area, Bases, Counters},
    options::Options,
    plan::blocks,
    source::Source,
    state::{Scope, first_probes, usable_intrinsic, write_ports},
};
use hdl::*;
use netlist::Design;

/// What code says of an intrinsic; it begins with what calls it.
#[repr(C)]
pub(super) struct IntrinsicSite {
    run: unsafe extern "C" fn(site: *const IntrinsicSite, storage: *mut u32, lanes: u32),
    intrinsic: Intrinsic,
    /// Of the instance.
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    /// Most words of either.
    words: usize,
    /// Position of the module in the design.
    module: usize,
}

/// Intrinsics with more words of inputs or outputs are called with memory from the heap.
const INTRINSIC_WORDS: usize = 16;

/// Calls the intrinsic for the lanes that are needed.
///
/// # Safety
/// `storage` is that of an instance of the intrinsic's module in a block.
unsafe extern "C" fn run_intrinsic(site: *const IntrinsicSite, storage: *mut u32, lanes: u32) {
    // SAFETY: code has the address from the table of its group, which owns the site.
    let IntrinsicSite { intrinsic, inputs, outputs, words, .. } = unsafe { &*site };
    let (mut array, mut heap) = ([0; 2 * INTRINSIC_WORDS], vec![]);
    let buffer = match *words <= INTRINSIC_WORDS {
        true => &mut array[..],
        false => {
            heap.resize(2 * words, 0);
            &mut heap[..]
        }
    };
    let (from, to) = buffer.split_at_mut(buffer.len() / 2);
    let mut left = lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let mut at = 0;
        for &slot in inputs {
            // SAFETY: the slots are those of the module.
            unsafe { get_at(storage, slot, lane, &mut from[at..]) };
            at += words_for(slot.width);
        }
        (intrinsic.call)(from.as_ptr(), to.as_mut_ptr());
        let mut at = 0;
        for &slot in outputs {
            // SAFETY: likewise.
            unsafe { set_at(storage, slot, lane, &to[at..]) };
            at += words_for(slot.width);
        }
    }
}

impl IntrinsicSite {
    /// Of a module.
    fn new(source: Source, module: usize, intrinsic: Intrinsic) -> Self {
        let (about, layout) = (&source.design.modules[module].module, &source.layouts[module]);
        let slot = |&net: &NetId| Slot { offset: layout.places[net.index()].offset, width: about.net(net).width };
        let slots = |nets: &[NetId]| nets.iter().map(slot).collect::<Vec<_>>();
        let (inputs, outputs) = (slots(&about.inputs), slots(&about.outputs));
        let words = |slots: &[Slot]| slots.iter().map(|slot| words_for(slot.width)).sum::<usize>();
        let words = words(&inputs).max(words(&outputs));
        Self { run: run_intrinsic, intrinsic, inputs, outputs, words, module }
    }
}

/// The engine for the tiles that are chosen; `None` when there are none.
pub(crate) fn build(
    source: Source,
    choices: &[VectorChoice],
    options: &Options,
) -> Result<Option<Box<Vectors>>, SimError> {
    let chosen: Vec<&VectorChoice> = choices.iter().filter(|choice| choice.chosen).collect();
    if chosen.is_empty() {
        return Ok(None);
    }
    let Source { design, layouts, .. } = source;
    let fail = |e: String| failure(&design.top.name, e);
    let classes = ModuleClasses::new(design);
    let uniting = Uniting::new(design, &classes);
    let parts: Vec<Parts> = chosen.iter().map(|choice| Parts::of(source, uniting, choice)).collect();
    let frame = FrameLayout::new(design, &parts);
    let (coder, functions) = compiled(source, &chosen, &parts, frame, options).map_err(fail)?;
    let Functions { table, around, constants } = functions;
    let code = coder.finish().map_err(fail)?;
    // SAFETY: every function is declared with this signature.
    let phase = |function: u32| unsafe { std::mem::transmute::<*const u8, Phase>(code.address(function)) };
    let mut groups = vec![];
    for ((choice, parts), [fetch, edge, silent_edge, compare_outputs]) in chosen.into_iter().zip(parts).zip(around) {
        let tile = &design.top.instances[choice.tiles[0]].module;
        let module = design.index_of(tile);
        let function = |late: bool| table.get(&Context::function(module, late)).map(|&id| phase(id));
        let Some(late) = function(true) else { continue };
        let intrinsic = |module: usize| usable_intrinsic(&design.modules[module]).filter(|_| options.intrinsics);
        let intrinsics = blocks(design, tile).into_iter();
        let intrinsics: Vec<IntrinsicSite> =
            intrinsics.filter_map(|module| Some(IntrinsicSite::new(source, module, intrinsic(module)?))).collect();
        let module_of = |tile: &usize| design.index_of(&design.top.instances[*tile].module);
        let registers = layouts[module].registers;
        let room = Bases { registers, storage: parts.united.blocks.storage };
        // What follows in some of them is not used.
        let storage = choice.tiles.iter().map(|tile| layouts[module_of(tile)].storage).min().unwrap_or_default();
        let size = Bases { registers, storage };
        let block = |(number, tiles): (usize, &[usize])| {
            let mut words = AlignedWords::new(frame.constants as usize / 4 + constants.len());
            let mut writer = FrameWriter(&mut words);
            writer.words(frame.constants, &constants);
            writer.address(frame::PROFILED_MODULE, source.board.as_ref().map_or(0, |board| board.module() as u64));
            for (&number, &id) in &table {
                writer.address(frame::TABLE + 8 * number as i32, code.address(id) as u64);
            }
            for site in &intrinsics {
                let number = Context::intrinsic(design, site.module) as i32;
                writer.address(frame::TABLE + 8 * number, &raw const *site as u64);
            }
            let bases = tiles.iter().map(|&tile| layouts[layouts.len() - 1].children[tile]).collect();
            let mut block = Block::new(number * LANES, bases, room, words);
            for (lane, module) in tiles.iter().map(module_of).enumerate() {
                for &(select, other) in &parts.united.selects {
                    let is_it = [u64::from(uniting.is_of(module, other))];
                    set(&mut block.storage, Slot { offset: select, width: 1 }, lane, &is_it);
                }
            }
            block
        };
        let blocks = choice.tiles.chunks(LANES).enumerate().map(block).collect();
        let code = GroupCode {
            early: function(false),
            late,
            inputs: parts.inputs,
            fetch_all: phase(fetch),
            edge: phase(edge),
            silent_edge: phase(silent_edge),
            compare_outputs: phase(compare_outputs),
            size,
            outputs: parts.outputs,
            early_outputs: parts.early_outputs,
            registers: parts.registers,
            resets: parts.resets,
            writes: parts.writes,
            probes: parts.probes,
            events: parts.events,
            counts: frame.counts as usize / 4,
            flags: frame.flags as usize / 4,
            quiet: parts.quiet,
            activity: skips_idle(options).then_some(parts.activity),
            _intrinsics: intrinsics,
        };
        let kind = design.modules[module].module.kind.clone();
        let (tiles, domain) = (choice.tiles.clone(), choice.domain);
        let mut group = Group { tiles, kind, domain, code, blocks, uncounted: 0 };
        group.wake();
        groups.push(group);
    }
    // Threads take what is largest first.
    groups.sort_by_key(|group: &Group| std::cmp::Reverse(group.code.registers.len()));
    Ok(Some(Box::new(Vectors::new(source, groups, code))))
}

/// Where things are in a frame, in bytes, after the table of functions; the same for all groups.
#[derive(Clone, Copy)]
pub(super) struct FrameLayout {
    pub counts: i32,
    pub shown: i32,
    pub flags: i32,
    pub constants: i32,
}

impl FrameLayout {
    fn new(design: &Design, parts: &[Parts]) -> Self {
        let events = parts.iter().map(|parts| parts.events.len()).max().unwrap_or(0) as i32;
        let outputs = |parts: &Parts| parts.early_outputs.iter().map(|slot| limbs(slot.width)).sum();
        let outputs: usize = parts.iter().map(outputs).max().unwrap_or(0);
        let found =
            parts.iter().map(|parts| parts.found.len().max(parts.early_outputs.len())).max().unwrap_or(0) as i32;
        let entries = Context::intrinsic(design, design.modules.len()) as i32;
        let counts = (frame::TABLE + 8 * entries + VECTOR - 1) / VECTOR * VECTOR;
        let shown = counts + events * VECTOR;
        let flags = shown + outputs as i32 * VECTOR;
        Self { counts, shown, flags, constants: flags + (2 * found + 3) / 4 * 4 }
    }
}

/// Fills a frame.
struct FrameWriter<'a>(&'a mut [u32]);

impl FrameWriter<'_> {
    fn words(&mut self, at: i32, words: &[u32]) {
        self.0[at as usize / 4..][..words.len()].copy_from_slice(words);
    }

    fn address(&mut self, at: i32, address: u64) {
        self.words(at, &[address as u32, (address >> 32) as u32]);
    }
}

/// Scopes inside a tile, and itself, in the order of all.
pub(super) fn scopes_of(scopes: &[Scope], tile: usize) -> Vec<usize> {
    let mut found = vec![scopes[0].children[tile]];
    let mut at = 0;
    while at < found.len() {
        found.extend(&scopes[found[at]].children);
        at += 1;
    }
    found.sort_unstable();
    found
}

/// What there is in a tile of a group; places are relative to the tile.
pub(super) struct Parts {
    /// What tells its tiles apart.
    pub united: United,
    pub inputs: Vec<Slot>,
    /// Outputs that are registers, and others.
    outputs: Vec<Slot>,
    pub early_outputs: Vec<Slot>,
    registers: Vec<Slot>,
    resets: Vec<(Slot, Bits)>,
    writes: Vec<WriteSite>,
    probes: Vec<ProbeSite>,
    /// Events that are counted, and their counters.
    pub events: Vec<(Slot, u32)>,
    /// What a clock edge looks for: writes, probes that do more than count, outputs that are registers.
    pub found: Vec<Found>,
    /// Events that others would count.
    quiet: Vec<u32>,
    /// Per instance, the tile first: its activity, late and early, as words of a block's storage.
    activity: Vec<[usize; 2]>,
}

impl Parts {
    fn of(source: Source, uniting: Uniting, choice: &VectorChoice) -> Self {
        let Source { design, layouts, scopes, sites, .. } = source;
        let all: Vec<Vec<usize>> = choice.tiles.iter().map(|&tile| scopes_of(scopes, tile)).collect();
        let first_probe = first_probes(layouts, scopes);
        let tile = &scopes[all[0][0]];
        let (module, layout) = (&design.modules[tile.module].module, &layouts[tile.module]);
        let slot = |&net: &NetId| Slot { offset: layout.places[net.index()].offset, width: module.net(net).width };
        let registers = |net: &&NetId| layout.places[net.index()].area == Area::Registers;
        let (outputs, early_outputs): (Vec<&NetId>, Vec<&NetId>) = module.outputs.iter().partition(registers);
        let modules = choice.tiles.iter().map(|&tile| design.index_of(&design.top.instances[tile].module));
        let mut parts = Self {
            united: uniting.united(layouts, modules),
            inputs: module.inputs.iter().map(slot).collect(),
            outputs: outputs.into_iter().map(slot).collect(),
            early_outputs: early_outputs.into_iter().map(slot).collect(),
            registers: vec![],
            resets: vec![],
            writes: vec![],
            probes: vec![],
            events: vec![],
            found: vec![],
            quiet: vec![],
            activity: vec![],
        };
        let mut found_probes = vec![];
        for (number, &scope) in all[0].iter().enumerate() {
            let (module, layout) = (&design.modules[scopes[scope].module].module, &layouts[scopes[scope].module]);
            let bases = scopes[scope].bases;
            let bases = Bases {
                registers: bases.registers - tile.bases.registers,
                storage: bases.storage - tile.bases.storage,
            };
            let activity = |late| (bytes(bases.storage) + activity_at(layout, late)) as usize / 4;
            parts.activity.push([activity(true), activity(false)]);
            for net in module.registers() {
                let place = bases.of(layout.places[net.index()]);
                let slot = Slot { offset: place.offset, width: module.net(net).width };
                parts.registers.push(slot);
                if let NetKind::Register { reset: Some(value) } = &module.net(net).kind {
                    parts.resets.push((slot, value.clone()));
                }
            }
            let slot = |offset: u32, width: u32| Slot { offset: bases.storage + offset, width };
            let width = |expr: ExprId| module.expr(expr).width;
            for ((port, slots), write) in module.writes.iter().zip(&layout.writes).zip(write_ports(module, layout)) {
                let mask = slots.mask.zip(port.mask).map(|(offset, mask)| slot(offset, width(mask)));
                let operands = [slot(slots.address, width(port.address)), slot(slots.data, width(port.data))];
                let operands = operands.into_iter().chain(mask).collect();
                parts.writes.push(WriteSite { operands, base: bases.storage, port: write });
                parts.found.push(Found::Set(slot(slots.enable, 1)));
                parts.quiet.push(bases.storage + slots.enable);
            }
            for (index, (probe, slots)) in module.probes.iter().zip(&layout.probes).enumerate() {
                let enable = slot(slots.enable, 1);
                parts.quiet.push(enable.offset);
                let at = |offset: u32| bases.storage + offset;
                let counters = match slots.counters {
                    Counters::Count { count } => {
                        parts.events.push((enable, at(count)));
                        continue;
                    }
                    Counters::Sum { count, sum } => Counters::Sum { count: at(count), sum: at(sum) },
                    Counters::Bins { first, bins } => Counters::Bins { first: at(first), bins },
                    Counters::Table => Counters::Table,
                };
                let table = |inside: &Vec<usize>| sites.probes[first_probe[inside[number]] + index].table;
                let value = slots.value.zip(probe.value).map(|(at, value)| slot(at, width(value).min(64)));
                parts.probes.push(ProbeSite { value, counters, tables: all.iter().filter_map(table).collect() });
                found_probes.push(Found::Set(enable));
            }
        }
        parts.found.extend(found_probes);
        parts.found.extend(parts.outputs.iter().map(|&slot| Found::Changes(slot)));
        parts
    }
}
