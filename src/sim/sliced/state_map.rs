//! Where the state of the tiles, their statistics and assertions are in the arrays of the engine.

use super::{
    arrays::Planes,
    assemble::Assembly,
    build::{Arena, Plane},
    counters::{Counter, Instances},
    linker::Linker,
    live_outs::{ObservedPlan, ProbePlan},
    state::{MemorySite, RegisterSite, RegisterStorage},
    template::NONE,
};
use crate::{layout::Area, state::first_probes};
use hdl::*;
use rustc_hash::FxHashMap;

impl Linker<'_> {
    pub fn assertions(&self) -> Vec<(usize, (usize, u64))> {
        let mut out = vec![];
        for (bundle, work) in self.work.iter().enumerate() {
            if let Some(slot) = work.failed() {
                let valid = self.bundles.bundles[bundle].valid.iter().enumerate();
                let part = self.part(bundle);
                out.extend(valid.map(|(word, &valid)| (part, (self.wire(bundle, slot, word), valid))));
            }
        }
        out
    }

    pub fn counters(&self, probes: &[ProbePlan]) -> Vec<(usize, Counter)> {
        let Assembly { layouts, scopes, sites, .. } = *self.assembly;
        let first_probe = first_probes(layouts, scopes);
        let mut out = vec![];
        for plan in probes {
            let bundle = &self.bundles.bundles[plan.bundle];
            for (word, &valid) in bundle.valid.iter().enumerate().filter(|(_, valid)| **valid != 0) {
                let lanes = self.scopes(plan.bundle, word);
                let first = lanes.iter().flatten().next().expect("a lane is valid");
                let counters = layouts[scopes[*first].module].probes[plan.probe].counters;
                let base = |scope: &Option<usize>| scope.map_or(0, |s| scopes[s].bases.storage);
                let table = |scope: &Option<usize>| {
                    scope.and_then(|s| sites.probes[first_probe[s] + plan.probe].table).unwrap_or_default()
                };
                let lanes =
                    Instances { bases: lanes.iter().map(base).collect(), tables: lanes.iter().map(table).collect() };
                let enable = self.wire(plan.bundle, plan.enable, word);
                let value = plan.value.map(|v| self.planes(plan.bundle, v, word));
                out.push((bundle.part, Counter::new(enable, valid, value, counters, lanes)));
            }
        }
        out
    }

    /// Where all engines say that a probe counts now; for these tiles nobody does.
    pub fn quiet(&self) -> Vec<usize> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let all = self.template.nodes.iter().flat_map(|node| &node.scopes).filter(|&&scope| scope != NONE);
        let enables = |&scope: &usize| {
            let at = &scopes[scope];
            layouts[at.module].probes.iter().map(|slots| (at.bases.storage + slots.enable) as usize)
        };
        all.flat_map(enables).collect()
    }

    pub fn resets(&self) -> Vec<(usize, u64)> {
        let mut out = vec![];
        for bundle in 0..self.work.len() {
            let module = self.module(bundle);
            for net in module.registers() {
                let NetKind::Register { reset: Some(value) } = &module.net(net).kind else { continue };
                for bit in 0..module.net(net).width {
                    let slot = self.work[bundle].registers[&net] + bit;
                    let plane = self.plane(Plane { arena: Arena::Registers, bundle, slot, offset: 0 });
                    let word = if value.bit(bit) { u64::MAX } else { 0 };
                    out.extend((0..self.words(bundle)).map(|w| (plane + w, word)));
                }
            }
        }
        out
    }

    /// Per place in the storage: planes, and lane.
    pub fn observed_wires(&self, observed_wires: &[ObservedPlan]) -> FxHashMap<usize, (Planes, usize)> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let mut out = FxHashMap::default();
        for &(bundle, net, slot, width) in observed_wires {
            for word in 0..self.words(bundle) {
                for (lane, scope) in self.scopes(bundle, word).into_iter().enumerate() {
                    let Some(at) = scope.map(|scope| &scopes[scope]) else { continue };
                    let place = at.bases.of(layouts[at.module].places[net.index()]);
                    if place.area == Area::Storage {
                        out.insert(place.offset as usize, (self.planes(bundle, (slot, width), word), lane));
                    }
                }
            }
        }
        out
    }

    pub fn registers(&self) -> Vec<RegisterSite> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let mut out = vec![];
        for bundle in 0..self.work.len() {
            let module = self.module(bundle);
            for net in module.registers() {
                let width = module.net(net).width;
                for word in 0..self.words(bundle) {
                    let flag = self.flag(bundle, net, word);
                    let storage = match self.places.payload.get(&(bundle, net, word)) {
                        Some(&first) => RegisterStorage::Payload { flag, first, words: words_for(width) },
                        None => RegisterStorage::Bits(Planes {
                            first: flag,
                            count: width as usize,
                            stride: self.words(bundle),
                        }),
                    };
                    let place = |scope: &Option<usize>| {
                        let at = &scopes[(*scope)?];
                        Some(at.bases.of(layouts[at.module].places[net.index()]).offset as usize)
                    };
                    let places: Vec<_> = self.scopes(bundle, word).iter().map(place).collect();
                    if places.iter().any(Option::is_some) {
                        out.push(RegisterSite { storage, places });
                    }
                }
            }
        }
        out
    }

    pub fn memories(&self) -> Vec<MemorySite> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let mut out = vec![];
        for bundle in 0..self.work.len() {
            for memory in 0..self.module(bundle).memories.len() {
                for word in 0..self.words(bundle) {
                    let place = |scope: &Option<usize>| {
                        let at = &scopes[(*scope)?];
                        Some((at.bases.storage + layouts[at.module].memories[memory]) as usize)
                    };
                    let places: Vec<_> = self.scopes(bundle, word).iter().map(place).collect();
                    if places.iter().any(Option::is_some) {
                        let place = self.places.memories[&(bundle, MemId(memory as u32), word)];
                        out.push(MemorySite { place, places });
                    }
                }
            }
        }
        out
    }
}
