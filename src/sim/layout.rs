//! Where everything of an instance lives.
//!
//! The state of a design is three arrays of 64-bit words. Two hold the registers: their present values and their next
//! values; a clock edge exchanges the two arrays. The third holds the rest: inputs, wires, pending memory writes,
//! statistics and memories. An instance owns one contiguous region in the register arrays and one in the storage, its
//! children's regions inside its own; the offsets within them are the same for all instances of a module. Both engines,
//! save and restore, peek and waveforms use this layout.
//!
//! A net that only renames another one (an output that shows a register, an instance output seen from the parent) has
//! no place of its own: it shares the other's.

use super::error::SimError;
use hdl::*;
use netlist::Design;
use std::ops::Range;

/// Which array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Area {
    /// Present value of registers.
    Registers,
    /// Everything else.
    Storage,
}

/// A place relative to an instance, in words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub area: Area,
    pub offset: u32,
}

/// Where a region starts, relative to the parent's (or, flattened, absolute), in words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bases {
    pub registers: u32,
    pub storage: u32,
}

impl Bases {
    /// The region of a child at `inner` inside the region at `self`.
    pub fn then(self, inner: Bases) -> Bases {
        Bases { registers: self.registers + inner.registers, storage: self.storage + inner.storage }
    }

    /// A place as an absolute one.
    pub fn of(self, place: Place) -> Place {
        let base = match place.area {
            Area::Registers => self.registers,
            Area::Storage => self.storage,
        };
        Place { area: place.area, offset: base + place.offset }
    }
}

/// A pending memory write, in the storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteSlots {
    pub enable: u32,
    pub address: u32,
    pub data: u32,
    pub mask: Option<u32>,
}

/// A probe, in the storage: what evaluation says of the present cycle, and what the cycles before add up to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeSlots {
    /// The present cycle counts.
    pub enable: u32,
    /// With this value, if the probe has any; its low word.
    pub value: Option<u32>,
    pub counters: Counters,
}

/// Statistics up to the last clock edge, in the storage.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counters {
    /// One counter.
    Count { count: u32 },
    /// Number of enabled cycles, sum.
    Sum { count: u32, sum: u32 },
    /// One counter per value.
    Bins { first: u32, bins: u32 },
    /// Too many values for counters in the storage: they are in the tables outside.
    Table,
}

/// Widest histogram value (bits) that has its counters in the state.
pub(crate) const BINS_WIDTH: u32 = 6;

/// Largest region, so that a byte offset fits in 31 bits.
const LIMIT: u64 = (1 << 31) / 8 - 1;

/// Tiles start on cache line boundaries (two lines, for prefetchers), so that threads do not share lines.
const TILE_ALIGN: u64 = 16;

/// The layout of one module.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Per net.
    pub places: Vec<Place>,
    /// Per net: shares the place of another net, so nothing is to be computed.
    pub alias: Vec<bool>,
    /// Per memory: first word, in the storage.
    pub memories: Vec<u32>,
    /// Per write port.
    pub writes: Vec<WriteSlots>,
    /// Per probe.
    pub probes: Vec<ProbeSlots>,
    /// In the storage: a word in which an engine keeps whether the instance is active.
    pub activity: u32,
    /// Size of the part of the storage that is the instance's own, without memories; memories and children follow.
    pub own: u32,
    /// Where counters start in that part; nothing else follows.
    pub statistics: u32,
    /// Counters and memories: what an evaluation does not compute anew.
    pub kept: Range<u32>,
    /// Per instance.
    pub children: Vec<Bases>,
    /// Size of the region in the register arrays.
    pub registers: u32,
    /// Size of the region in the storage.
    pub storage: u32,
}

/// A block without children, in which nothing is kept from cycle to cycle and nobody is told anything.
pub(crate) fn is_stateless_leaf(module: &ModuleDef) -> bool {
    module.instances.is_empty()
        && module.registers().next().is_none()
        && module.memories.is_empty()
        && module.probes.is_empty()
        && module.assertions.is_empty()
        && module.intrinsic.is_none()
}

/// Layouts of all modules, in the order of [`Design::modules`].
pub(crate) fn layouts(design: &Design) -> Result<Vec<Layout>, SimError> {
    let mut done: Vec<Layout> = vec![];
    for about in &design.modules {
        let layout = lay_out(&about.module, |i| &done[design.index_of(&about.module.instances[i].module)])?;
        done.push(layout);
    }
    Ok(done)
}

/// Hands out words, and remembers when there were too many.
struct Room {
    next: u64,
}

impl Room {
    fn take(&mut self, words: usize) -> u32 {
        let at = self.next;
        self.next += words as u64;
        at.min(LIMIT) as u32
    }

    fn align(&mut self, to: u64) {
        self.next = self.next.next_multiple_of(to);
    }
}

fn lay_out<'a>(module: &ModuleDef, child: impl Fn(usize) -> &'a Layout) -> Result<Layout, SimError> {
    let (mut registers, mut storage) = (Room { next: 0 }, Room { next: 0 });
    let words = |net: NetId| words_for(module.net(net).width);
    let mut places: Vec<Option<Place>> = vec![None; module.nets.len()];
    let mut alias = vec![false; module.nets.len()];
    for &net in &module.inputs {
        places[net.index()] = Some(Place { area: Area::Storage, offset: storage.take(words(net)) });
    }
    // An intrinsic writes all outputs one after the other, so none of them may share a place.
    if module.intrinsic.is_some() {
        for &net in &module.outputs {
            places[net.index()] = Some(Place { area: Area::Storage, offset: storage.take(words(net)) });
        }
    }
    for (i, net) in module.nets.iter().enumerate() {
        let id = NetId(i as u32);
        match net.kind {
            NetKind::Register { .. } => {
                places[i] = Some(Place { area: Area::Registers, offset: registers.take(words(id)) });
            }
            NetKind::InstanceOutput { .. } => alias[i] = true,
            NetKind::Wire | NetKind::Output if places[i].is_none() => {
                let driver = module.drivers[i].map(|d| &module.expr(d).op);
                if matches!(driver, Some(Op::Net(_))) {
                    alias[i] = true;
                } else {
                    places[i] = Some(Place { area: Area::Storage, offset: storage.take(words(id)) });
                }
            }
            _ => {}
        }
    }
    let writes = module
        .writes
        .iter()
        .map(|port| WriteSlots {
            enable: storage.take(1),
            address: storage.take(words_for(module.expr(port.address).width)),
            data: storage.take(words_for(module.expr(port.data).width)),
            mask: port.mask.map(|m| storage.take(words_for(module.expr(m).width))),
        })
        .collect();
    let now: Vec<_> = module.probes.iter().map(|p| (storage.take(1), p.value.map(|_| storage.take(1)))).collect();
    let activity = storage.take(1);
    let first_statistic = storage.next.min(LIMIT) as u32;
    let mut counters = |probe: &Probe| match (probe.kind, probe.value.map(|v| module.expr(v).width)) {
        (ProbeKind::Sum, Some(_)) => Counters::Sum { count: storage.take(1), sum: storage.take(1) },
        (ProbeKind::Histogram, Some(width)) if width > BINS_WIDTH => Counters::Table,
        (ProbeKind::Histogram, Some(width)) => Counters::Bins { first: storage.take(1 << width), bins: 1 << width },
        _ => Counters::Count { count: storage.take(1) },
    };
    let slots = |(probe, (enable, value))| ProbeSlots { enable, value, counters: counters(probe) };
    let probes = module.probes.iter().zip(now).map(slots).collect();
    let first_memory = storage.next.min(LIMIT) as u32;
    let memories = module.memories.iter().map(|m| storage.take(m.depth * words_for(m.width))).collect();
    let kept = first_statistic..storage.next.min(LIMIT) as u32;
    // Modules that differ in blocks without state have all else in the same places.
    let (last, first): (Vec<usize>, Vec<usize>) =
        (0..module.instances.len()).partition(|&i| is_stateless_leaf(&module.instances[i].module));
    let mut children = vec![Bases::default(); module.instances.len()];
    for i in first.into_iter().chain(last) {
        let inner = child(i);
        if module.instances[i].tile {
            registers.align(TILE_ALIGN);
            storage.align(TILE_ALIGN);
        }
        children[i] = Bases {
            registers: registers.take(inner.registers as usize),
            storage: storage.take(inner.storage as usize),
        };
    }
    let words = registers.next.max(storage.next);
    if words > LIMIT {
        return Err(SimError::TooLarge { module: module.name.clone(), words, limit: LIMIT });
    }
    for i in 0..places.len() {
        resolve(module, NetId(i as u32), &mut places, &children, &child);
    }
    let places = places.into_iter().map(|p| p.expect("every net was resolved")).collect();
    Ok(Layout {
        places,
        alias,
        memories,
        writes,
        probes,
        activity,
        own: first_memory,
        statistics: first_statistic,
        kept,
        children,
        registers: registers.next as u32,
        storage: storage.next as u32,
    })
}

/// The place of a net, following renamings.
fn resolve<'a>(
    module: &ModuleDef,
    net: NetId,
    places: &mut Vec<Option<Place>>,
    children: &[Bases],
    child: &impl Fn(usize) -> &'a Layout,
) -> Place {
    if let Some(place) = places[net.index()] {
        return place;
    }
    let place = match module.net(net).kind {
        NetKind::InstanceOutput { instance, output } => {
            let port = module.instances[instance.index()].module.outputs[output as usize];
            children[instance.index()].of(child(instance.index()).places[port.index()])
        }
        _ => match module.drivers[net.index()].map(|d| &module.expr(d).op) {
            Some(Op::Net(source)) => resolve(module, *source, places, children, child),
            _ => unreachable!("only renaming nets are left without a place"),
        },
    };
    places[net.index()] = Some(place);
    place
}
