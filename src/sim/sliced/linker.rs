//! Turns what is wanted into lists of places, which [`links`](super::links) and others execute, and kernels into code.
//! Payload and memories: [`datapath::lower`](super::datapath::lower).

use super::{
    addresses::Addresses,
    aliases::Aliases,
    arrays::{Kernel, Planes},
    assemble::Assembly,
    boundary::{Boundary, Origin},
    build::{Arena, Plane, Work},
    bundles::Bundles,
    emit::{self, Code, Planned},
    links::{Import, Link, LinkRun},
    live_outs::{ExportPlan, Exported},
    state::{Export, Shown},
    template::{Group, NONE, Template},
};
use crate::{
    code::{Coder, Executable, failure},
    error::SimError,
    layout::Area,
};
use cranelift_module::FuncId;
use hdl::*;
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Turns plans into lists of places.
pub(super) struct Linker<'a> {
    pub assembly: &'a Assembly<'a>,
    pub template: &'a Template,
    pub bundles: &'a Bundles,
    pub work: &'a [Work],
    pub aliases: &'a Aliases,
    pub places: &'a Addresses,
}

impl Linker<'_> {
    pub fn part(&self, bundle: usize) -> usize {
        self.bundles.bundles[bundle].part
    }

    pub fn words(&self, bundle: usize) -> usize {
        self.bundles.bundles[bundle].words()
    }

    /// Where a plane is, in which array.
    pub fn spot(&self, plane: Plane) -> (Arena, usize) {
        let plane = self.aliases.resolve(plane);
        let first = match plane.arena {
            Arena::Registers => self.places.registers[plane.bundle],
            Arena::Wires => self.places.wires[plane.bundle],
        };
        (plane.arena, first + plane.slot as usize * self.words(plane.bundle) + plane.offset as usize)
    }

    /// Where a plane is in its own array.
    pub fn plane(&self, plane: Plane) -> usize {
        let (arena, place) = self.spot(plane);
        debug_assert_eq!(arena, plane.arena, "only code reads a plane that is in another array");
        place
    }

    /// A word of a plane of wires.
    pub fn wire(&self, bundle: usize, slot: u32, word: usize) -> usize {
        self.plane(Plane { arena: Arena::Wires, bundle, slot, offset: 0 }) + word
    }

    pub fn planes(&self, bundle: usize, (slot, count): (u32, u32), word: usize) -> Planes {
        Planes { first: self.wire(bundle, slot, word), count: count as usize, stride: self.words(bundle) }
    }

    /// Word of the flag of a payload register.
    pub fn flag(&self, bundle: usize, net: NetId, word: usize) -> usize {
        let slot = self.work[bundle].registers[&net];
        self.plane(Plane { arena: Arena::Registers, bundle, slot, offset: 0 }) + word
    }

    pub fn module(&self, bundle: usize) -> &ModuleDef {
        &self.assembly.design.modules[self.bundles.bundles[bundle].module].module
    }

    /// Scopes of the lanes of a word of a bundle.
    pub fn scopes(&self, bundle: usize, word: usize) -> Vec<Option<usize>> {
        let Some((node, group_word)) = self.bundles.bundles[bundle].origin[word] else { return vec![] };
        let lanes = self.template.nodes[node].scopes.chunks(64).nth(group_word).unwrap_or_default();
        lanes.iter().map(|&scope| Some(scope).filter(|&s| s != NONE)).collect()
    }

    /// Functions for the kernels, then those that are machine code already. `cached`: code of earlier functions may be used.
    pub fn compile(
        &self,
        planned: &[Planned],
        vector: usize,
        made: Vec<Vec<u8>>,
        cached: bool,
    ) -> Result<(Executable, Vec<Kernel>), SimError> {
        let name = &self.assembly.design.top.name;
        let failed = |message| failure(name, message);
        let mut coder = Coder::new(&[], cached).map_err(failed)?;
        let mut ids: Vec<FuncId> = vec![];
        for code in planned.iter().filter_map(|p| if let Planned::Code(code) = p { Some(code) } else { None }) {
            let (work, words) = (&self.work[code.bundle], self.words(code.bundle));
            let name = self.name_of(code, ids.len());
            ids.push(emit::emit(&mut coder, &name, code, work, (words, vector), |p| self.spot(p)).map_err(failed)?);
        }
        for (number, bytes) in made.into_iter().enumerate() {
            ids.push(emit::define(&mut coder, &format!("sliced.words.{number}"), bytes).map_err(failed)?);
        }
        let executable = coder.finish().map_err(failed)?;
        let kernel = |id: &FuncId| {
            // SAFETY: every function is declared with the signature of `Kernel`.
            unsafe { std::mem::transmute::<*const u8, Kernel>(executable.address(id.as_u32())) }
        };
        let kernels = ids.iter().map(kernel).collect();
        Ok((executable, kernels))
    }

    pub fn name_of(&self, code: &Code, number: usize) -> String {
        format!("{}.sliced.{number}", self.module(code.bundle).name)
    }

    pub fn tiles(&self, boundary: &Boundary) -> FxHashMap<usize, BTreeSet<usize>> {
        let tiles = self.template.groups.iter().flat_map(|group| &group.tiles);
        tiles.map(|&tile| (tile, boundary.imports.get(&tile).cloned().unwrap_or_default())).collect()
    }

    /// The tiles, and where each is in the register arrays and in the storage.
    pub fn regions(&self) -> impl Iterator<Item = (usize, [Range<usize>; 2])> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let Template { groups, nodes, .. } = self.template;
        let tiles = groups.iter().flat_map(|group| group.tiles.iter().zip(&nodes[group.root].scopes));
        tiles.map(|(&tile, &scope)| {
            let (at, layout) = (scopes[scope].bases, &layouts[scopes[scope].module]);
            let (registers, storage) = (at.registers as usize, at.storage as usize);
            (tile, [registers..registers + layout.registers as usize, storage..storage + layout.storage as usize])
        })
    }

    /// Width of an observed value.
    pub fn address_width(&self, bundle: usize, slot: u32) -> u32 {
        self.work[bundle].observed_width(self.module(bundle), slot)
    }

    // -- boundary ------------------------------------------------------------------------------------------------------

    /// The inputs of tiles that are needed as bits: group and its number, net, position among the inputs and first
    /// slot.
    pub fn group_inputs(&self) -> impl Iterator<Item = (usize, &Group, NetId, usize, u32)> {
        self.template.groups.iter().enumerate().flat_map(|(g, group)| {
            let bundle = self.bundles.places[group.root].0;
            let inputs = &self.module(bundle).inputs;
            let position = |net: NetId| inputs.iter().position(|&i| i == net).expect("inputs are listed");
            self.work[bundle].inputs().into_iter().map(move |(net, slot)| (g, group, net, position(net), slot))
        })
    }

    pub fn links(&self, boundary: &Boundary) -> Vec<(usize, LinkRun)> {
        let mut out = vec![];
        for (g, group, net, position, slot) in self.group_inputs() {
            let (bundle, first) = self.bundles.places[group.root];
            for bit in 0..self.module(bundle).net(net).width {
                for (word, lanes) in lanes_by_word(group) {
                    let to = self.wire(bundle, slot + bit, first + word);
                    let origins = lanes.map(|lane| (lane, boundary.bits[g][position][lane][bit as usize]));
                    out.push((group.part, self.link(group, position, bit, to, origins)));
                }
            }
        }
        out
    }

    /// A bit of an input of a group, in one word of lanes.
    fn link(
        &self,
        group: &Group,
        position: usize,
        bit: u32,
        to: usize,
        origins: impl Iterator<Item = (usize, Origin)>,
    ) -> LinkRun {
        let Assembly { design, layouts, scopes, .. } = *self.assembly;
        let mut run = LinkRun { to, constant: 0, links: vec![], imports: vec![] };
        let mut from: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
        for (lane, origin) in origins {
            let here = lane as u32 % 64;
            match origin {
                Origin::Constant(value) => run.constant |= u64::from(value) << here,
                Origin::Tile(tile) => {
                    let at = self.plane(tile.plane) + tile.word;
                    from.entry(at).or_default().push((tile.lane, here));
                }
                Origin::Payload { .. } => {}
                Origin::Import => {
                    let at = &scopes[self.template.nodes[group.root].scopes[lane]];
                    let port = design.modules[at.module].module.inputs[position];
                    let place = at.bases.of(layouts[at.module].places[port.index()]).offset;
                    run.imports.push(Import::of(place, bit, here));
                }
                // One for all lanes.
                Origin::Top { net, bit } => {
                    let place = layouts[layouts.len() - 1].places[net.index()].offset;
                    let import = Import::of(place, bit, here);
                    match run.imports.iter_mut().find(|i| (i.at, i.bit) == (import.at, import.bit)) {
                        Some(same) => same.lanes |= import.lanes,
                        None => run.imports.push(import),
                    }
                }
            }
        }
        run.links = from.into_iter().flat_map(|(at, lanes)| in_order(at, lanes)).collect();
        run
    }

    pub fn exports(&self, exports: &[ExportPlan]) -> Vec<(usize, Export)> {
        let Assembly { design, layouts, scopes, .. } = *self.assembly;
        let export = |plan: &ExportPlan| {
            let root = &self.template.nodes[self.template.groups[plan.group].root];
            let mut places: Vec<Option<(Area, usize)>> = vec![None; 64];
            let mut lanes = 0;
            for &lane in &plan.lanes {
                let at = &scopes[root.scopes[lane]];
                let port = design.modules[at.module].module.outputs[plan.output];
                let place = at.bases.of(layouts[at.module].places[port.index()]);
                places[lane % 64] = Some((place.area, place.offset as usize));
                lanes |= 1 << (lane % 64);
            }
            let kept = match &plan.shown {
                Exported::Bits(bits) => {
                    let bit = |bit: &Result<(Plane, usize), bool>| bit.map(|(plane, word)| self.plane(plane) + word);
                    Shown::Bits(bits.iter().map(bit).collect())
                }
                Exported::Payload(node, net, word) => {
                    let (bundle, first) = self.bundles.places[*node];
                    Shown::Payload {
                        flag: self.flag(bundle, *net, first + word),
                        first: self.places.payload[&(bundle, *net, first + word)],
                        words: words_for(self.module(bundle).net(*net).width),
                    }
                }
            };
            let count = if let Shown::Bits(bits) = &kept { bits.len() } else { 1 };
            let export = Export { kept, last: vec![0; count], fresh: false, lanes, places };
            (self.template.groups[plan.group].part, export)
        };
        exports.iter().map(export).collect()
    }
}

/// The lanes of a group, by word.
pub(super) fn lanes_by_word(group: &Group) -> impl Iterator<Item = (usize, Range<usize>)> {
    let lanes = group.tiles.len();
    (0..lanes.div_ceil(64)).map(move |word| (word, 64 * word..lanes.min(64 * word + 64)))
}

/// Moves of bits (from lane, to lane) as few links that keep the order of lanes.
pub(super) fn in_order(from: usize, mut lanes: Vec<(u32, u32)>) -> Vec<Link> {
    lanes.sort_unstable();
    let mut out: Vec<(Link, u32)> = vec![];
    for (lane, to) in lanes {
        let fits = |(link, last): &&mut (Link, u32)| *last < to && link.lanes >> lane & 1 == 0;
        match out.iter_mut().find(fits) {
            Some((link, last)) => {
                link.lanes |= 1 << lane;
                link.to_lanes |= 1 << to;
                *last = to;
            }
            None => out.push((Link { from, lanes: 1 << lane, to_lanes: 1 << to }, to)),
        }
    }
    out.into_iter().map(|(link, _)| link).collect()
}
