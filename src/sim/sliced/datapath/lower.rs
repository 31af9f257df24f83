//! Turns what is wanted of payload and memories into [`transfers`](crate::sliced::transfers).
//!
//! All sources of payload become places in the store that a table and a flag tell: registers of the same tile;
//! registers of other tiles, whose flags come over links; memories, whose addresses are turned into places once for all
//! who want them; what is bits or comes from the top level, by way of words in the store.

use crate::sliced::{
    arrays::{Planes, span},
    boundary::{Boundary, Origin, PayloadOrigin},
    datapath::trees::{Choice, Leaf, Way},
    linker::{Linker, in_order, lanes_by_word},
    links::{Link, LinkRun},
    live_outs::{Data, MovePlan, WritePlan},
    scratch::{Scratch, place},
    transfers::{
        Address, AddressRun, Condition, ImportRun, MoveRun, PackRun, ReadRun, Selection, Spot, Transfers, WordSource,
        Words, WriteRun,
    },
};
use hdl::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Lanes with bits of registers, as (lane, lane there), and the planes there.
type OfBits = BTreeMap<(usize, usize), Vec<(usize, usize)>>;

/// Makes transfers.
pub(in crate::sliced) struct PayloadLowering<'a, 'w> {
    linker: &'a Linker<'w>,
    boundary: &'a Boundary,
    pub scratch: Scratch,
    /// Per part.
    pub transfers: Vec<Transfers>,
    /// Flags that come from tile to tile, with the part that wants them.
    pub links: Vec<(usize, LinkRun)>,
    /// Tables of entries: part, first plane of the address and first place of the memory.
    entries: FxHashMap<(usize, usize, usize), usize>,
    /// Flags that were linked, by part.
    flags: FxHashMap<(usize, Vec<Link>), usize>,
    /// Packed words: part, planes, and the plane that says where they are wanted. Position among the packs.
    packs: FxHashMap<(usize, Planes, Option<usize>), usize>,
    inputs: FxHashMap<(usize, NetId, usize), Vec<(u64, Spot)>>,
    selections: FxHashMap<(usize, u64, Vec<Condition>), usize>,
}

impl<'a, 'w> PayloadLowering<'a, 'w> {
    pub fn new(linker: &'a Linker<'w>, boundary: &'a Boundary, parts: usize) -> Self {
        let modules = &linker.assembly.design.modules;
        let nets = modules.iter().flat_map(|about| about.module.nets.iter().map(|net| net.width));
        let memories = modules.iter().flat_map(|about| about.module.memories.iter().map(|memory| memory.width));
        let longest = nets.chain(memories).max().map_or(1, words_for);
        Self {
            linker,
            boundary,
            scratch: Scratch::new(linker.places, longest),
            transfers: (0..parts).map(|_| Transfers::default()).collect(),
            links: vec![],
            entries: FxHashMap::default(),
            flags: FxHashMap::default(),
            packs: FxHashMap::default(),
            inputs: FxHashMap::default(),
            selections: FxHashMap::default(),
        }
    }

    // -- reads ---------------------------------------------------------------------------------------------------------

    /// A memory read whose word is needed as bits: for each word of lanes.
    pub fn read(&mut self, bundle: usize, number: usize) -> Vec<ReadRun> {
        let linker = self.linker;
        let read = linker.work[bundle].reads[number];
        let module = linker.module(bundle);
        let address = (read.address_slot, module.expr(read.address).width);
        let width = module.memories[read.memory.index()].width;
        let words = linker.bundles.bundles[bundle].valid.iter().enumerate().filter(|(_, valid)| **valid != 0);
        let run = |(word, &valid): (usize, &u64)| {
            let address = self.address(bundle, read.memory, address, word);
            ReadRun {
                from: Words::Memory { address, zero: place(self.scratch.zero) },
                valid,
                to: linker.planes(bundle, (read.slot, width), word),
            }
        };
        words.map(run).collect()
    }

    fn address(&mut self, bundle: usize, memory: MemId, (slot, width): (u32, u32), word: usize) -> Address {
        let place = self.linker.places.memories[&(bundle, memory, word)];
        let lanes = span(self.linker.bundles.bundles[bundle].valid[word]);
        let planes = self.linker.planes(bundle, (slot, width), word);
        let needed = (usize::BITS - (place.depth - 1).leading_zeros()) as usize;
        let low = needed.min(width as usize);
        Address {
            planes: planes.part(0, low),
            beyond: planes.part(low, width as usize - low),
            table: self.scratch.table((0..lanes).map(|lane| place.of(lane))),
            words: place.words as u32,
            size: (place.depth < 1 << low).then_some((place.depth * place.words) as u32),
        }
    }

    /// Inputs that are needed as bits and come from payload registers.
    pub fn unpacks(&mut self) {
        let linker = self.linker;
        for (g, group, net, position, slot) in linker.group_inputs() {
            let (bundle, first) = linker.bundles.places[group.root];
            for (word, lanes) in lanes_by_word(group) {
                let mut sources = vec![None; lanes.len()];
                for lane in lanes {
                    let origin = self.boundary.bits[g][position][lane].first();
                    if let Some(&Origin::Payload { node, net, lane: there, .. }) = origin {
                        sources[lane % 64] = Some((node, net, there));
                    }
                }
                let valid =
                    (0..64).zip(&sources).fold(0, |valid, (lane, source)| valid | u64::from(source.is_some()) << lane);
                if valid != 0 {
                    let spot = self.registers(group.part, &sources);
                    let to = linker.planes(bundle, (slot, linker.module(bundle).net(net).width), first + word);
                    let run = ReadRun { from: Words::Payload(spot), valid, to };
                    self.transfers[group.part].unpacks.push(run);
                }
            }
        }
    }

    // -- copies --------------------------------------------------------------------------------------------------------

    pub fn moves(&mut self, moves: &[MovePlan]) {
        let linker = self.linker;
        for (node, net, ways) in moves {
            let (bundle, first) = linker.bundles.places[*node];
            let part = linker.part(bundle);
            let words = words_for(linker.module(bundle).net(*net).width);
            for (word, valid) in self.words_of(*node) {
                let at = linker.places.payload[&(bundle, *net, first + word)];
                let run = MoveRun {
                    flag: Some(linker.flag(bundle, *net, first + word)),
                    table: self.scratch.table((0..span(valid)).map(|lane| at + (2 * lane + 1) * words)),
                    step: (words as u32).wrapping_neg(),
                    words,
                    sources: self.sources(bundle, *node, word, ways),
                    sixteens: span(valid).div_ceil(16),
                    bundle: bundle as u32,
                };
                self.transfers[part].moves.push(run);
            }
        }
        // Copies of equally many words are made together.
        self.transfers.iter_mut().for_each(|part| part.moves.sort_by_key(|run| run.words));
    }

    pub fn writes(&mut self, writes: &[WritePlan]) {
        let linker = self.linker;
        for plan in writes {
            let (bundle, first) = linker.bundles.places[plan.node];
            let part = linker.part(bundle);
            for (group_word, valid) in self.words_of(plan.node) {
                let word = first + group_word;
                let address = self.address(bundle, plan.memory, plan.address, word);
                let planes = |slots| linker.planes(bundle, slots, word);
                let (mut sources, mut masked) = (vec![], None);
                match (&plan.data, plan.mask) {
                    (Data::Bits(slot, width), Some(mask)) => masked = Some((planes((*slot, *width)), planes(mask))),
                    (Data::Bits(slot, width), None) => {
                        let wanted = Some(linker.wire(bundle, plan.enable, word));
                        let at = self.packed(bundle, planes((*slot, *width)), wanted, span(valid));
                        let words = words_for(*width);
                        let from = self.constant_spot((0..span(valid)).map(|lane| at + lane * words));
                        sources.push(WordSource { selected: self.selected(part, valid, vec![]), from });
                    }
                    (Data::Payload(ways), _) => {
                        for way in ways {
                            let found = self.sources(bundle, plan.node, group_word, std::slice::from_ref(way));
                            let read = matches!(way.leaf, Leaf::Memory(..));
                            let kept = |source| if read { self.kept(bundle, source, valid, &address) } else { source };
                            sources.extend(found.into_iter().map(kept));
                        }
                    }
                }
                let run = WriteRun {
                    enable: linker.wire(bundle, plan.enable, word),
                    valid,
                    address,
                    sources,
                    masked,
                    bundle: bundle as u32,
                };
                self.transfers[part].writes.push(run);
            }
        }
        // As above; ports of a memory stay in order.
        self.transfers.iter_mut().for_each(|part| part.writes.sort_by_key(|run| run.address.words));
    }

    /// Words of lanes in which a node occurs, and those lanes.
    fn words_of(&self, node: usize) -> impl Iterator<Item = (usize, u64)> + use<> {
        let words = self.linker.template.nodes[node].valid().into_iter().enumerate();
        words.filter(|(_, valid)| *valid != 0)
    }

    /// What a write port has from a memory is copied while that is what it was before the clock edge.
    fn kept(&mut self, bundle: usize, source: WordSource, valid: u64, address: &Address) -> WordSource {
        let (words, lanes) = (address.words as usize, span(valid));
        let at = self.scratch.block(lanes * words);
        let spot = self.constant_spot((0..lanes).map(|lane| at + lane * words));
        let run = MoveRun {
            flag: None,
            table: spot.table,
            step: 0,
            words,
            sources: vec![source],
            sixteens: lanes.div_ceil(16),
            bundle: bundle as u32,
        };
        self.transfers[self.linker.part(bundle)].moves.push(run);
        WordSource { from: spot, ..source }
    }

    // -- sources -------------------------------------------------------------------------------------------------------

    /// For a transfer of a bundle.
    fn sources(&mut self, bundle: usize, node: usize, word: usize, ways: &[Way]) -> Vec<WordSource> {
        let linker = self.linker;
        let part = linker.part(bundle);
        let nodes = &linker.template.nodes;
        let mut out = vec![];
        for way in ways {
            let restricted = way.within.iter().map(|&n| nodes[n].valid()[word]);
            let lanes = restricted.fold(nodes[node].valid()[word], |lanes, valid| lanes & valid);
            let condition = |&Choice { node, slot, value }: &Choice| {
                let (bundle, first) = linker.bundles.places[node];
                Condition { wire: linker.wire(bundle, slot, first + word), inverted: if value { 0 } else { !0 } }
            };
            let conditions: Vec<Condition> = way.choices.iter().map(condition).collect();
            let from = match &way.leaf {
                Leaf::Register(from, net) => self.register(part, *from, *net, word),
                Leaf::Memory(from, memory, slot) => self.entry(part, *from, *memory, *slot, word),
                Leaf::Constant(value) => {
                    let at = self.scratch.constant(value.words());
                    self.constant_spot([at; 64])
                }
                Leaf::Input(net) => {
                    for (of, from) in self.input(bundle, nodes[node].group, *net, word) {
                        let selected = self.selected(part, lanes & of, conditions.clone());
                        out.push(WordSource { selected, from });
                    }
                    continue;
                }
            };
            out.push(WordSource { selected: self.selected(part, lanes, conditions), from });
        }
        out
    }

    /// The plane of these lanes where the conditions hold.
    fn selected(&mut self, part: usize, lanes: u64, conditions: Vec<Condition>) -> usize {
        let key = (part, lanes, conditions);
        if let Some(&at) = self.selections.get(&key) {
            return at;
        }
        let to = self.scratch.plane(part);
        if key.2.is_empty() {
            self.scratch.wires.push((to, lanes));
        } else {
            self.transfers[part].selections.list.push(Selection { lanes, conditions: key.2.clone(), to });
        }
        self.selections.insert(key, to);
        to
    }

    /// The same in every evaluation.
    fn constant_spot(&mut self, places: impl IntoIterator<Item = usize>) -> Spot {
        Spot { table: self.scratch.table(places), flag: self.scratch.no_flag, step: 0 }
    }

    /// A payload register of the same tile.
    fn register(&mut self, part: usize, node: usize, net: NetId, word: usize) -> Spot {
        let valid = self.linker.template.nodes[node].valid()[word];
        let source = |lane: usize| (valid >> lane & 1 == 1).then_some((node, net, 64 * word + lane));
        let sources: Vec<_> = (0..span(valid)).map(source).collect();
        self.registers(part, &sources)
    }

    /// For each lane here a payload register: node, net, and lane in the group there; or zero.
    fn registers(&mut self, part: usize, sources: &[Option<(usize, NetId, usize)>]) -> Spot {
        let linker = self.linker;
        let (mut flags, mut places, mut step): (BTreeMap<usize, Vec<(u32, u32)>>, _, _) = (BTreeMap::new(), vec![], 0);
        for (here, source) in sources.iter().enumerate() {
            places.push(source.map_or(self.scratch.zero, |(node, net, lane)| {
                let (bundle, first) = linker.bundles.places[node];
                let (word, there) = (first + lane / 64, lane % 64);
                let words = words_for(linker.module(bundle).net(net).width);
                debug_assert!(step == 0 || step == words as u32, "what comes to one port is equally wide");
                step = words as u32;
                flags.entry(linker.flag(bundle, net, word)).or_default().push((there as u32, here as u32));
                linker.places.payload[&(bundle, net, word)] + there * 2 * words
            }));
        }
        let links: Vec<_> = flags.into_iter().flat_map(|(at, lanes)| in_order(at, lanes)).collect();
        let flag = *self.flags.entry((part, links.clone())).or_insert_with(|| {
            let to = self.scratch.plane(part);
            self.links.push((part, LinkRun { to, constant: 0, links, imports: vec![] }));
            to
        });
        Spot { table: self.scratch.table(places), flag, step }
    }

    /// A word of a memory of the same tile, at an observed address.
    fn entry(&mut self, part: usize, node: usize, memory: MemId, slot: u32, word: usize) -> Spot {
        let (bundle, first) = self.linker.bundles.places[node];
        let width = self.linker.address_width(bundle, slot);
        let address = self.address(bundle, memory, (slot, width), first + word);
        let key = (part, address.planes.first, self.linker.places.memories[&(bundle, memory, first + word)].first);
        let table = *self.entries.entry(key).or_insert_with(|| {
            let to = self.scratch.slot();
            let lanes = span(self.linker.bundles.bundles[bundle].valid[first + word]);
            let zero = place(self.scratch.zero);
            let run = AddressRun { address, zero, to, sixteens: lanes.div_ceil(16), bundle: bundle as u32 };
            self.transfers[part].addresses.push(run);
            to
        });
        Spot { table, flag: self.scratch.no_flag, step: 0 }
    }

    /// Where the payload of an input of tiles comes from, in one word of lanes: sources and the lanes that they serve.
    fn input(&mut self, bundle: usize, group: usize, net: NetId, word: usize) -> Vec<(u64, Spot)> {
        if let Some(known) = self.inputs.get(&(group, net, word)) {
            return known.clone();
        }
        let linker = self.linker;
        let part = linker.part(bundle);
        let (design, layouts, scopes) = (linker.assembly.design, linker.assembly.layouts, linker.assembly.scopes);
        let root = linker.template.groups[group].root;
        let module = &design.modules[linker.template.nodes[root].module].module;
        let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
        let words = words_for(module.net(net).width);
        let (mut of_registers, mut of_bits, mut imported) = (vec![None; 64], OfBits::new(), vec![]);
        for (lane, &scope) in linker.template.nodes[root].scopes.iter().enumerate().skip(64 * word).take(64) {
            let here = lane % 64;
            match self.boundary.payload[group][position][lane].expect("it is payload") {
                PayloadOrigin::Tile { node, net, lane } => of_registers[here] = Some((node, net, lane)),
                PayloadOrigin::Bits(first) => {
                    let at = (linker.plane(first.plane) + first.word, first.plane.bundle);
                    of_bits.entry(at).or_default().push((here, first.lane as usize));
                }
                PayloadOrigin::Import => {
                    let at = &scopes[scope];
                    let port = design.modules[at.module].module.inputs[position];
                    let from = at.bases.of(layouts[at.module].places[port.index()]).offset as usize;
                    imported.push((here, from));
                }
            }
        }
        let mask = |lanes: &mut dyn Iterator<Item = usize>| lanes.fold(0, |mask, lane| mask | 1u64 << lane);
        let mut out = vec![];
        let lanes = mask(&mut (0..64).filter(|&lane| of_registers[lane].is_some()));
        if lanes != 0 {
            out.push((lanes, self.registers(part, &of_registers[..span(lanes)])));
        }
        if !imported.is_empty() {
            let (mut places, to) = (vec![self.scratch.zero; 64], self.scratch.block(64 * words));
            for &(here, from) in &imported {
                places[here] = to + here * words;
                self.transfers[part].imports.push(ImportRun { from, to: places[here], words });
            }
            out.push((mask(&mut imported.iter().map(|i| i.0)), self.constant_spot(places)));
        }
        for ((first, there), lanes) in of_bits {
            let planes = Planes { first, count: module.net(net).width as usize, stride: linker.words(there) };
            let used = lanes.iter().map(|lane| lane.1 + 1).max().unwrap_or(0);
            let (at, mut places) = (self.packed(bundle, planes, None, used), vec![self.scratch.zero; 64]);
            lanes.iter().for_each(|&(here, there)| places[here] = at + there * words);
            out.push((mask(&mut lanes.iter().map(|lane| lane.0)), self.constant_spot(places)));
        }
        self.inputs.insert((group, net, word), out.clone());
        out
    }

    /// Bits as words in the store: the place of lane 0. Wires are wanted by one write port, where a plane says so;
    /// registers by anybody.
    fn packed(&mut self, bundle: usize, from: Planes, wanted: Option<usize>, lanes: usize) -> usize {
        let part = self.linker.part(bundle);
        let packs = &mut self.transfers[part].packs;
        let number = *self.packs.entry((part, from, wanted)).or_insert_with(|| {
            let to = self.scratch.block(64 * from.count.div_ceil(64));
            packs.push(PackRun { from, wanted, lanes, to, bundle: bundle as u32 });
            packs.len() - 1
        });
        let run = &mut packs[number];
        run.lanes = run.lanes.max(lanes);
        run.to
    }
}
