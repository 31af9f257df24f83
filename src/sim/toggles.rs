//! Switching activity: what changes from one clock edge to the next, by block.
//!
//! Just before each edge every net of every instance is compared with its value before the last one. The counts tell
//! which registers run free (they change although nothing depends on them), what an engine that skips what stands still
//! can win, and where a chip would burn dynamic power. For that each net has to be computed, in a place of its own: by
//! words, without passes and intrinsics ([`Options::activity`](crate::Options::activity)). The value of each operator is
//! a net then, too ([`hdl::with_operator_nets`]), so that the gates behind it are known; totals leave it out, and a sample
//! of the edges is enough for it.

use super::{
    clocks::Edges,
    layout::{Area, Layout},
    state::{Scope, State},
};
use hdl::{NetId, is_operator_net, words_for};
use netlist::Design;
use std::collections::BTreeMap;

/// Numbers of neighbouring instances for [`ToggleCounts::any`].
pub const NEIGHBOURS: [usize; 3] = [16, 64, 512];

/// What changed at all edges that were looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct SwitchingActivity {
    /// Clock edges; those of several clocks at the same time are one.
    pub edges: u64,
    /// Kinds of tiles, in the order of the instances; the top, whose own nets are the wiring between tiles, first.
    pub tiles: Vec<TileActivity>,
}

/// Tiles of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct TileActivity {
    /// Their kind.
    pub kind: String,
    /// Of the tiles, with all blocks inside.
    pub counts: ToggleCounts,
    /// Kinds of blocks inside, and the tile itself: own nets only. What changes most is first.
    pub blocks: Vec<BlockActivity>,
    /// Registers, as `block.register`, and changes of all instances together. What changes most is first.
    pub registers: Vec<(String, u64)>,
}

/// Blocks of one kind inside tiles of one kind, without what is inside them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct BlockActivity {
    /// Their kind.
    pub kind: String,
    /// Of their own nets.
    pub counts: ToggleCounts,
    /// Bit toggles, of all instances together: the module by its position in [`Design::modules`], its net. Aliases of other nets (outputs of
    /// blocks inside, among others) and nets of operators are here, too, from a sample of the edges; they are in no total.
    pub nets: Vec<(usize, NetId, u64)>,
    /// Writes, likewise: the module, its write port.
    pub writes: Vec<(usize, usize, u64)>,
}

/// Sums over all instances and edges.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct ToggleCounts {
    /// Instances there are.
    pub instances: usize,
    /// Registers there are, in all instances.
    pub registers: usize,
    /// Nets there are, registers among them.
    pub nets: usize,
    /// Changes of registers, of nets, and of bits of nets.
    pub changed_registers: u64,
    /// See there.
    pub changed_nets: u64,
    /// See there.
    pub changed_bits: u64,
    /// Writes to memories.
    pub memory_writes: u64,
    /// Instances in which any net changed.
    pub active: u64,
    /// For each of [`NEIGHBOURS`]: nets that changed in at least one of so many neighbouring instances; and nets of all
    /// such groups, which are none where there are fewer instances of a module.
    pub any: [(u64, u64); NEIGHBOURS.len()],
}

impl BlockActivity {
    fn new(kind: &str, counts: ToggleCounts) -> Self {
        Self { kind: kind.into(), counts, ..Self::default() }
    }
}

impl ToggleCounts {
    /// `other` is inside: its instances and whether they are active do not count.
    fn include(&mut self, other: &Self) {
        self.registers += other.registers;
        self.nets += other.nets;
        self.changed_registers += other.changed_registers;
        self.changed_nets += other.changed_nets;
        self.changed_bits += other.changed_bits;
        self.memory_writes += other.memory_writes;
        for (sum, one) in self.any.iter_mut().zip(other.any) {
            *sum = (sum.0 + one.0, sum.1 + one.1);
        }
    }
}

/// A kind of block inside tiles of one kind.
#[derive(Debug)]
struct Block {
    tile: usize,
    kind: String,
    counts: ToggleCounts,
}

/// What a net is to the totals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    /// Shares the place of another net, which is counted.
    Alias,
    /// The value of an operator.
    Operator,
    /// In the totals.
    Counted,
}

/// A net of all instances of a module in tiles of one kind.
#[derive(Debug)]
struct Net {
    block: usize,
    module: usize,
    id: NetId,
    name: String,
    words: usize,
    area: Area,
    role: Role,
    /// Offset and scope of each instance.
    sites: Vec<(usize, usize)>,
    changes: u64,
    changed_bits: u64,
}

/// A write port of an instance.
#[derive(Debug)]
struct Write {
    block: usize,
    module: usize,
    port: usize,
    count: u64,
    /// Offset of the enable in the storage.
    enable: usize,
    /// Domain of the top.
    domain: usize,
}

/// Whose instance a scope is.
#[derive(Clone, Copy, Debug)]
struct Owner {
    block: usize,
    /// Scope of the tile around it.
    tile: usize,
}

/// Compares and counts.
#[derive(Debug)]
pub(crate) struct ToggleMeter {
    tiles: Vec<(String, ToggleCounts)>,
    blocks: Vec<Block>,
    nets: Vec<Net>,
    writes: Vec<Write>,
    owners: Vec<Owner>,
    /// Values before the last edge.
    before: State,
    edges: u64,
    /// Nets that are in no total are compared at edge 1 and at each so many edges later, which stand for all.
    period: u64,
    /// Per scope: the edge before which something in it changed last; of a tile, also inside.
    changed: Vec<u64>,
    changed_inside: Vec<u64>,
}

impl ToggleMeter {
    /// Begins with this state.
    pub fn new(design: &Design, layouts: &[Layout], scopes: &[Scope], state: &State, period: u64) -> Self {
        let mut meter = Self {
            tiles: vec![],
            blocks: vec![],
            nets: vec![],
            writes: vec![],
            owners: vec![],
            before: state.clone(),
            edges: 0,
            period: period.max(1),
            changed: vec![0; scopes.len()],
            changed_inside: vec![0; scopes.len()],
        };
        let kind_of = |scope: usize| &design.modules[scopes[scope].module].module.kind;
        let mut nets: BTreeMap<(usize, usize, usize), Net> = BTreeMap::new();
        for (number, scope) in scopes.iter().enumerate() {
            let tile = match scope.parent {
                Some((parent, _)) if parent > 0 => meter.owners[parent].tile,
                _ => number,
            };
            let block = meter.block(kind_of(tile), kind_of(number));
            meter.owners.push(Owner { block, tile });
            let Block { tile: of, counts, .. } = &mut meter.blocks[block];
            counts.instances += 1;
            meter.tiles[*of].1.instances += usize::from(tile == number);
            let (layout, module) = (&layouts[scope.module], &design.modules[scope.module].module);
            for (net, &alias) in layout.alias.iter().enumerate() {
                let place = scope.bases.of(layout.places[net]);
                let about = module.net(NetId(net as u32));
                let role = match (alias, is_operator_net(about)) {
                    (true, _) => Role::Alias,
                    (false, true) => Role::Operator,
                    (false, false) => Role::Counted,
                };
                counts.nets += usize::from(role == Role::Counted);
                counts.registers += usize::from(role == Role::Counted && place.area == Area::Registers);
                let new = || {
                    let (name, words) = (about.name.clone(), words_for(about.width));
                    let (module, id) = (scope.module, NetId(net as u32));
                    let (sites, changes, changed_bits) = (vec![], 0, 0);
                    Net { block, module, id, name, words, area: place.area, role, sites, changes, changed_bits }
                };
                let all = nets.entry((block, scope.module, net)).or_insert_with(new);
                all.sites.push((place.offset as usize, number));
            }
            let ports = module.writes.iter().zip(&layout.writes).enumerate();
            meter.writes.extend(ports.map(|(number, (port, slots))| Write {
                block,
                module: scope.module,
                port: number,
                count: 0,
                enable: (scope.bases.storage + slots.enable) as usize,
                domain: scope.domains[module.memories[port.memory.index()].domain.index()] as usize,
            }));
        }
        meter.nets = nets.into_values().collect();
        // Aliases first: what they share a place with brings it up to date.
        meter.nets.sort_by_key(|net| net.role);
        meter
    }

    /// The position of a kind of block in tiles of a kind.
    fn block(&mut self, tile: &str, kind: &str) -> usize {
        let of = self.tiles.iter().position(|(known, _)| known == tile).unwrap_or_else(|| {
            self.tiles.push((tile.into(), ToggleCounts::default()));
            self.tiles.len() - 1
        });
        let known = self.blocks.iter().position(|block| block.tile == of && block.kind == kind);
        known.unwrap_or_else(|| {
            self.blocks.push(Block { tile: of, kind: kind.into(), counts: ToggleCounts::default() });
            self.blocks.len() - 1
        })
    }

    /// Offsets in the rest of everything that has to be computed.
    pub fn wires(&self) -> impl Iterator<Item = usize> + '_ {
        let wires = self.nets.iter().filter(|net| net.area == Area::Storage && net.role != Role::Alias);
        wires.flat_map(|net| net.sites.iter().map(|&(offset, _)| offset))
    }

    /// Edges of these clocks follow, and everything is computed.
    pub fn sample(&mut self, state: &State, clocks: Edges) {
        self.edges += 1;
        let Self { tiles, blocks, nets, writes, owners, before, edges, period, changed, changed_inside } = self;
        for net in nets {
            let counts = &mut blocks[net.block].counts;
            let (now, before) = match net.area {
                Area::Registers => (&state.registers, &mut before.registers),
                Area::Storage => (&state.storage, &mut before.storage),
            };
            if net.role != Role::Counted {
                let sites = || net.sites.iter().flat_map(|&(offset, _)| offset..offset + net.words);
                if (*edges - 1).is_multiple_of(*period) {
                    let changed = sites().map(|at| u64::from((now[at] ^ before[at]).count_ones()));
                    net.changed_bits += changed.sum::<u64>();
                }
                if edges.is_multiple_of(*period) && net.role == Role::Operator {
                    sites().for_each(|at| before[at] = now[at]);
                }
                continue;
            }
            let mut any = [false; NEIGHBOURS.len()];
            for (number, &(offset, scope)) in net.sites.iter().enumerate() {
                let mut bits = 0;
                for at in offset..offset + net.words {
                    bits += u64::from((now[at] ^ before[at]).count_ones());
                    before[at] = now[at];
                }
                if bits > 0 {
                    any = [true; NEIGHBOURS.len()];
                    net.changes += 1;
                    net.changed_bits += bits;
                    counts.changed_nets += 1;
                    counts.changed_registers += u64::from(net.area == Area::Registers);
                    counts.changed_bits += bits;
                    changed[scope] = *edges;
                }
                for ((any, sum), size) in any.iter_mut().zip(&mut counts.any).zip(NEIGHBOURS) {
                    if (number + 1) % size == 0 {
                        *sum = (sum.0 + u64::from(std::mem::take(any)), sum.1 + 1);
                    }
                }
            }
        }
        for owner in owners.iter().zip(&*changed).filter(|(_, at)| **at == *edges).map(|(owner, _)| owner) {
            let Block { tile, counts, .. } = &mut blocks[owner.block];
            counts.active += 1;
            if std::mem::replace(&mut changed_inside[owner.tile], *edges) != *edges {
                tiles[*tile].1.active += 1;
            }
        }
        for write in writes.iter_mut().filter(|write| clocks.has(write.domain)) {
            let now = state.storage[write.enable] & 1;
            write.count += now;
            blocks[write.block].counts.memory_writes += now;
        }
    }

    /// What was counted.
    pub fn finish(self) -> SwitchingActivity {
        let Self { tiles, blocks, nets, writes, edges, period, .. } = self;
        let mut of_blocks: Vec<_> = blocks.iter().map(|block| BlockActivity::new(&block.kind, block.counts)).collect();
        for net in nets.iter().filter(|net| net.changed_bits > 0) {
            let (all, sampled) = if net.role == Role::Counted { (1, 1) } else { (edges, edges.div_ceil(period)) };
            of_blocks[net.block].nets.push((net.module, net.id, net.changed_bits * all / sampled));
        }
        let mut ports: BTreeMap<(usize, usize, usize), u64> = BTreeMap::new();
        for write in writes.iter().filter(|write| write.count > 0) {
            *ports.entry((write.block, write.module, write.port)).or_default() += write.count;
        }
        for ((block, module, port), count) in ports {
            of_blocks[block].writes.push((module, port, count));
        }
        let tiles = tiles.into_iter().enumerate().map(|(number, (kind, mut counts))| {
            let inside = blocks.iter().zip(&mut of_blocks).filter(|(block, _)| block.tile == number);
            let mut inside: Vec<_> = inside.map(|(_, activity)| std::mem::take(activity)).collect();
            inside.iter().for_each(|block| counts.include(&block.counts));
            inside.sort_by_key(|block| std::cmp::Reverse(block.counts.changed_nets));
            let mut registers: BTreeMap<String, u64> = BTreeMap::new();
            let of_tile = |net: &&Net| {
                net.area == Area::Registers && net.role == Role::Counted && blocks[net.block].tile == number
            };
            for net in nets.iter().filter(of_tile) {
                *registers.entry(format!("{}.{}", blocks[net.block].kind, net.name)).or_default() += net.changes;
            }
            let mut registers: Vec<_> = registers.into_iter().collect();
            registers.sort_by_key(|&(_, changes)| std::cmp::Reverse(changes));
            TileActivity { kind, counts, blocks: inside, registers }
        });
        SwitchingActivity { edges, tiles: tiles.collect() }
    }
}
