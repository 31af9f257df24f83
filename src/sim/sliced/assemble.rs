//! Puts the engine together: finds the work, gives everything its place, generates the code.
//!
//! [`choose`](mod@super::choose) says for which tiles, [`live_outs`](super::live_outs) what has to come out of them,
//! [`addresses`](super::addresses) where it is kept; [`linker`](super::linker) and [`state_map`](super::state_map) turn that
//! into what runs.

use super::{
    addresses::Addresses,
    aliases::Aliases,
    boundary::Finder,
    build::{Builder, Work},
    bundles::Bundles,
    choose::PartPlan,
    counters::Counter,
    datapath::classify::Payload,
    datapath::lower::PayloadLowering,
    emit::{self, Planned},
    engine::{Part, Run, Sliced},
    lanes::LaneSet,
    linker::Linker,
    live_outs::{moves, probes, writes},
    order::order,
    state::{ArrayOfPlanes, Export},
    template::Template,
    transfers::ReadRun,
};
use crate::{
    code::failure,
    equivalence::ModuleClasses,
    error::SimError,
    layout::Layout,
    options::Options,
    passes::selection::Pass,
    profile::{BundleName, MaybeBoard},
    regions::TileRegions,
    source::Observed,
    state::{Scope, Sites},
};
use hdl::NetId;
use netlist::Design;
use rustc_hash::FxHashMap;

/// What the engine is made from.
#[derive(Clone, Copy)]
pub(crate) struct Assembly<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub scopes: &'a [Scope],
    pub sites: &'a Sites,
    /// What is observed: outputs of tiles among them have to be in the state after every clock edge.
    pub observed: &'a Observed,
}

impl<'a> Assembly<'a> {
    /// The engine for these tiles.
    pub fn build(&self, parts: &[PartPlan], options: &Options, board: &MaybeBoard) -> Result<Sliced, SimError> {
        let Assembly { design, scopes, .. } = *self;
        let wide = options.passes.has(Pass::Wide);
        let vector = emit::vector(wide);
        let classes = ModuleClasses::new(design);
        let groups: Vec<_> = (parts.iter().enumerate())
            .flat_map(|(part, plan)| plan.groups.iter().map(move |tiles| (part, tiles.clone())))
            .collect();
        let domains: Vec<usize> = parts.iter().map(|plan| plan.domain).collect();
        let template = Template::new(design, &classes, scopes, &groups);
        let bundles = Bundles::new(design, &classes, &template, vector);
        let payload = Payload::new(design, &bundles);
        let mut builder = Builder::new(design, &bundles, &payload);
        let boundary = Finder::new(design, &template, &bundles.places, &mut builder).find(&self.observed_top());
        let exports = self.exports(&template, &bundles, &mut builder, &boundary);
        let moves = moves(&template, &bundles, &mut builder);
        let writes = writes(&template, &bundles, &mut builder);
        let probes = probes(&bundles, &mut builder);
        let observed_wires = self.observed_wires(&template, &bundles, &mut builder);
        builder.finish();
        let aliases = Aliases::take(&bundles, &mut builder, &boundary.unpacked(&template, &bundles, design));
        let Builder { mut work, units, .. } = builder;
        let steps = order(&units).map_err(|waiting| {
            failure(&design.top.name, format!("{} units of the sliced engine wait for each other", waiting.len()))
        })?;
        let planned = emit::plan(&steps, &units, &mut work);
        let places = Addresses::new(design, &bundles, &payload, &work, domains.len());
        let about = about(design, &template, &bundles, &work, &planned, vector);
        let linker = Linker {
            assembly: self,
            template: &template,
            bundles: &bundles,
            work: &work,
            aliases: &aliases,
            places: &places,
        };
        let mut lowering = PayloadLowering::new(&linker, &boundary, domains.len());
        let part = |&domain: &usize| Part { domain, ..Part::default() };
        let mut parts: Vec<Part> = domains.iter().map(part).collect();
        let read = |step: &Planned| match step {
            Planned::Code(_) => vec![],
            Planned::Read(bundle, number) => lowering.read(*bundle, *number),
        };
        let reads: Vec<Vec<ReadRun>> = planned.iter().map(read).collect();
        lowering.unpacks();
        lowering.moves(&moves);
        lowering.writes(&writes);
        let PayloadLowering { scratch, transfers, links: flags, .. } = lowering;
        let (links, constant): (Vec<_>, Vec<_>) =
            linker.links(&boundary).into_iter().partition(|(_, run)| !run.links.is_empty() || !run.imports.is_empty());
        let (mut wires, mut store) = (ArrayOfPlanes::new(scratch.wire_words), ArrayOfPlanes::new(scratch.store_words));
        scratch.wires.iter().for_each(|&(at, word)| wires[at] = word);
        scratch.store.iter().for_each(|&(at, word)| store[at] = word);
        constant.iter().for_each(|(_, run)| wires[run.to] = run.constant);
        for (bundle, work) in work.iter().enumerate() {
            for (slot, words) in &work.constants {
                for (word, value) in words.iter().enumerate() {
                    wires[linker.wire(bundle, *slot, word)] = *value;
                }
            }
        }
        let exports = linker.exports(&exports);
        let shown = |(_, export): &(usize, Export)| export.places.iter().flatten().copied().collect::<Vec<_>>();
        let regions = TileRegions::new(linker.regions(), exports.iter().flat_map(shown));
        links.iter().chain(&flags).for_each(|(part, run)| parts[*part].links.push(run));
        parts.iter_mut().zip(transfers).for_each(|(part, transfers)| part.transfers = transfers);
        let made = word_codes(&parts, wide).map_err(|message| failure(&design.top.name, message))?;
        let (code, kernels) = linker.compile(&planned, vector, made, options.cache)?;
        let mut kernels = kernels.into_iter();
        for (step, reads) in planned.iter().zip(reads) {
            let (bundle, runs) = match step {
                Planned::Code(code) => {
                    (code.bundle, vec![Run::Kernel(kernels.next().expect("a kernel for each piece of code"))])
                }
                Planned::Read(bundle, _) => (*bundle, reads.into_iter().map(Run::Read).collect()),
            };
            let part = &mut parts[bundles.bundles[bundle].part];
            part.bundles.extend(runs.iter().map(|_| bundle as u32));
            part.steps.extend(runs);
        }
        for part in &mut parts {
            if let (Some(links), Some(selections)) = (kernels.next(), kernels.next()) {
                part.links.done_by(links);
                part.transfers.selections.done_by(selections);
            }
        }
        let mut counters: Vec<Vec<Counter>> = parts.iter().map(|_| vec![]).collect();
        linker.counters(&probes).into_iter().for_each(|(part, run)| counters[part].push(run));
        linker.assertions().into_iter().for_each(|(part, run)| parts[part].assertions.push(run));
        exports.into_iter().for_each(|(part, run)| parts[part].exports.push(run));
        for ((part, planes), counters) in parts.iter_mut().zip(&places.parts).zip(counters) {
            (part.planes, part.counters) = (planes.clone(), counters.into());
        }
        // Outputs are shown by the caller's thread: what they show had better be in its cache.
        parts.sort_by_key(|part| std::cmp::Reverse(part.exports.len()));
        Ok(Sliced {
            tiles: linker.tiles(&boundary),
            regions,
            shown: vec![],
            ahead: false,
            parts,
            resets: linker.resets(),
            quiet: linker.quiet(),
            registers: linker.registers(),
            at_place: FxHashMap::default(),
            observed_wires: linker.observed_wires(&observed_wires),
            memories: linker.memories(),
            present: ArrayOfPlanes::new(places.register_words),
            next: ArrayOfPlanes::new(places.register_words),
            wires,
            store,
            about,
            board: board.clone(),
            names: (0..bundles.bundles.len()).map(|bundle| name(design, &bundles, bundle)).collect(),
            lanes: LaneSet::detect(wide),
            _code: code,
        })
    }

    /// Nets of the top that are observed.
    fn observed_top(&self) -> Vec<NetId> {
        let top = self.design.modules.len() - 1;
        self.observed.iter().filter(|(module, _)| *module == top).map(|&(_, net)| net).collect()
    }
}

/// Machine code for links and selections of each part, where there is such code for this processor.
#[cfg(all(target_arch = "x86_64", unix))]
fn word_codes(parts: &[Part], wide: bool) -> Result<Vec<Vec<u8>>, String> {
    if !(wide && super::word_code::available()) {
        return Ok(vec![]);
    }
    let codes = parts.iter().flat_map(|part| [part.links.code(), part.transfers.selections.code()]);
    codes.map(|code| code.and_then(|code| code.bytes()).map_err(|e| e.to_string())).collect()
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
fn word_codes(_: &[Part], _: bool) -> Result<Vec<Vec<u8>>, String> {
    Ok(vec![])
}

/// What a profile calls a bundle: its kind, and that of the tiles around it (the first, should it serve several kinds).
fn name(design: &Design, bundles: &Bundles, bundle: usize) -> BundleName {
    let kind = |bundle: usize| design.modules[bundles.bundles[bundle].module].module.kind.clone();
    let mut tile = bundle;
    while let Some(&(parent, _)) = bundles.bundles[tile].parents.first() {
        tile = parent;
    }
    BundleName { kind: kind(bundle), tile: kind(tile) }
}

/// A line for each group and bundle.
fn about(
    design: &Design,
    template: &Template,
    bundles: &Bundles,
    work: &[Work],
    planned: &[Planned],
    vector: usize,
) -> Vec<String> {
    let mut out = vec![];
    for group in &template.groups {
        let name = &design.modules[template.nodes[group.root].module].module.kind;
        out.push(format!("group {name}: {} lanes", group.tiles.len()));
    }
    let mut total = 0;
    for (b, bundle) in bundles.bundles.iter().enumerate() {
        let codes = planned.iter().filter_map(|p| match p {
            Planned::Code(code) if code.bundle == b => Some(code),
            _ => None,
        });
        let sizes: Vec<usize> = codes.map(|code| emit::size(code, &work[b].gates)).collect();
        let (gates, steps) = (sizes.iter().sum::<usize>(), bundle.words().div_ceil(vector));
        total += gates * steps;
        let lanes: u32 = bundle.valid.iter().map(|v| v.count_ones()).sum();
        out.push(format!(
            "bundle {}: {} words, {lanes} lanes, {gates} gates in {} functions, {} operations a cycle",
            design.modules[bundle.module].module.name,
            bundle.words(),
            sizes.len(),
            gates * steps
        ));
    }
    out.push(format!("{total} operations a cycle"));
    out
}
