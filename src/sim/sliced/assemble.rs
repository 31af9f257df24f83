//! Puts the engine together: finds the work, gives everything its place, generates the code.

use super::{
    ArrayOfPlanes, Counter, Crew, Kernel, Part, Run, Sliced,
    aliases::Aliases,
    alike::Classes,
    boundary::{Boundary, Finder, Origin, PayloadOrigin},
    build::{Arena, Builder, Plane, Work},
    bundles::Bundles,
    counters::Lanes,
    emit::{self, Code, Planned},
    estimate::Estimate,
    order::order,
    payload::Payload,
    payloads::{Choice, Leaf, Way, Ways},
    state::{Export, Kept, MemorySite, RegisterSite, Shown},
    template::{NONE, Template, alike_tiles},
    transfers::{
        Condition, Distant, From, Link, LinkRun, MoveRun, Place, Planes, ReadRun, Source, UnpackRun, WriteRun,
    },
    transpose::Transpose,
};
use crate::{
    hdl::*,
    netlist::{Design, dependencies::nets_read},
    sim::{
        code::{Coder, Executable, failure},
        error::SimError,
        layout::{Area, Layout},
        native::used_domains,
        passes::{Observed, Pass},
        profile::{BundleName, Seen},
        simulator::Options,
        state::{Scope, Sites},
    },
};
use cranelift_module::FuncId;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

/// What the engine is made from.
#[derive(Clone, Copy)]
pub(crate) struct Assembly<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub scopes: &'a [Scope],
    pub sites: &'a Sites,
    /// What somebody looks at: outputs of tiles among them have to be in the state after every clock edge.
    pub observed: &'a Observed,
}

/// Tiles for one part of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PartPlan {
    /// Position of their clock domain among those of the top.
    pub domain: usize,
    /// Sets of alike tiles (positions in the instances of the top).
    pub groups: Vec<Vec<usize>>,
}

/// A set of alike tiles, and whether it is evaluated bit-sliced.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GroupChoice {
    pub tiles: Vec<usize>,
    pub estimate: Estimate,
    pub sliced: bool,
}

/// Threads that may be used at most; `threads` as in [`Options`].
fn threads_for(threads: usize) -> usize {
    match threads {
        Options::AUTOMATIC_THREADS => std::thread::available_parallelism().map_or(1, |cores| cores.get()),
        given => given,
    }
}

/// A memory write port of a node.
struct WritePlan {
    node: usize,
    memory: MemId,
    enable: u32,
    address: (u32, u32),
    data: Data,
    mask: Option<(u32, u32)>,
}

enum Data {
    Bits(u32, u32),
    Payload(Vec<Way>),
}

/// A probe of a bundle: number, slot of the enable, slot and width of the value.
struct ProbePlan {
    bundle: usize,
    probe: usize,
    enable: u32,
    value: Option<(u32, u32)>,
}

/// An output that is read outside: lanes (of a group) that show it from the same planes.
struct ExportPlan {
    group: usize,
    output: usize,
    lanes: Vec<usize>,
    shown: Exported,
}

#[derive(PartialEq)]
enum Exported {
    /// Per bit: the plane and word, or a constant.
    Bits(Vec<Result<(Plane, usize), bool>>),
    Payload(usize, NetId, usize),
}

impl<'a> Assembly<'a> {
    /// Which tiles to evaluate bit-sliced, and in which parts: all that one clock domain clocks, or (not `all`) the groups
    /// that gain by it, without those that are `watched`. With several threads a domain has several parts, when it has more tiles of a kind than a word has lanes.
    pub fn choose(&self, all: bool, threads: usize, watched: &BTreeSet<usize>) -> (Vec<PartPlan>, Vec<GroupChoice>) {
        let design = self.design;
        let classes = Classes::new(design);
        let mut of_domain: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for tile in (0..design.top.instances.len()).filter(|i| design.top.instances[*i].tile && !watched.contains(i)) {
            match used_domains(design, tile)[..] {
                [] => of_domain.entry(0).or_default().push(tile),
                [domain] => of_domain.entry(domain as usize).or_default().push(tile),
                _ => {}
            }
        }
        let (mut parts, mut choices) = (vec![], vec![]);
        for (domain, tiles) in of_domain {
            let groups = alike_tiles(design, &classes, &tiles);
            let module = |tile: usize| design.index_of(&design.top.instances[tile].module);
            let estimate = |tiles: Vec<usize>| {
                let estimate = Estimate::of(design, module(tiles[0]), tiles.len());
                GroupChoice { sliced: all || estimate.gains(), tiles, estimate }
            };
            let mut groups: Vec<GroupChoice> = groups.into_iter().map(estimate).collect();
            // What is linked with tiles that are sliced.
            let kinds: Vec<String> = groups.iter().filter(|g| g.sliced).map(|g| self.kind(g)).collect();
            for group in &mut groups {
                group.sliced |= !kinds.is_empty() && group.estimate.follows(kinds.contains(&self.kind(group)));
            }
            let chosen: Vec<&GroupChoice> = groups.iter().filter(|group| group.sliced).collect();
            let most = chosen.iter().map(|group| group.tiles.len()).max().unwrap_or(0);
            let shares = threads_for(threads).min(most.div_ceil(64)).max(1);
            for share in 0..shares {
                let of_share = |group: &&GroupChoice| {
                    let tiles = &group.tiles;
                    tiles[tiles.len() * share / shares..tiles.len() * (share + 1) / shares].to_vec()
                };
                let groups: Vec<_> = chosen.iter().map(of_share).filter(|tiles| !tiles.is_empty()).collect();
                if !groups.is_empty() {
                    parts.push(PartPlan { domain, groups });
                }
            }
            choices.extend(groups);
        }
        (parts, choices)
    }

    fn kind(&self, group: &GroupChoice) -> String {
        self.design.top.instances[group.tiles[0]].module.kind.clone()
    }

    /// The engine for these tiles.
    pub fn build(&self, parts: &[PartPlan], options: &Options, board: &Seen) -> Result<Sliced, SimError> {
        let Assembly { design, scopes, .. } = *self;
        let vector = emit::vector(options.passes.has(Pass::Wide));
        let classes = Classes::new(design);
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
        let looks = self.looks(&template, &bundles, &mut builder);
        builder.finish();
        let aliases = Aliases::take(&bundles, &mut builder, &boundary.unpacked(&template, &bundles, design));
        let Builder { mut work, units, .. } = builder;
        let steps = order(&units).map_err(|waiting| {
            failure(&design.top.name, format!("{} units of the sliced engine wait for each other", waiting.len()))
        })?;
        let planned = emit::plan(&steps, &units, &mut work);
        let places = Places::new(design, &bundles, &payload, &work, domains.len());
        let about = about(design, &template, &bundles, &work, &planned, vector);
        let wiring = Wiring {
            assembly: self,
            template: &template,
            bundles: &bundles,
            work: &work,
            aliases: &aliases,
            places: &places,
        };
        let (code, kernels) = wiring.compile(&planned, vector)?;
        let mut kernels = kernels.into_iter();
        let mut run = |step: &Planned| match step {
            Planned::Code(_) => Run::Kernel(kernels.next().expect("a kernel for each piece of code")),
            Planned::Read(bundle, number) => Run::Read(wiring.read(*bundle, *number)),
        };
        let part = |&domain: &usize| Part { domain, ..Part::default() };
        let mut parts: Vec<Part> = domains.iter().map(part).collect();
        for step in &planned {
            let bundle = match step {
                Planned::Code(code) => code.bundle,
                Planned::Read(bundle, _) => *bundle,
            };
            let part = &mut parts[bundles.bundles[bundle].part];
            part.steps.push(run(step));
            part.bundles.push(bundle as u32);
        }
        let (links, constant): (Vec<_>, Vec<_>) =
            wiring.links(&boundary).into_iter().partition(|(_, run)| !run.links.is_empty() || !run.imports.is_empty());
        let mut wires = ArrayOfPlanes::new(places.wire_words);
        constant.iter().for_each(|(_, run)| wires[run.to] = run.constant);
        for (bundle, work) in work.iter().enumerate() {
            for (slot, words) in &work.constants {
                for (word, value) in words.iter().enumerate() {
                    wires[wiring.wire(bundle, *slot, word)] = *value;
                }
            }
        }
        let exports = wiring.exports(&exports);
        let shown = |(_, export): &(usize, Export)| export.places.iter().flatten().copied().collect::<Vec<_>>();
        let exported = exports.iter().flat_map(shown).collect();
        links.iter().for_each(|(part, run)| parts[*part].links.push(run));
        wiring.unpacks(&boundary).into_iter().for_each(|(part, run)| parts[part].unpacks.push(run));
        wiring.moves(&moves, &boundary).into_iter().for_each(|(part, run)| parts[part].moves.push(run));
        wiring.writes(&writes, &boundary).into_iter().for_each(|(part, run)| parts[part].writes.push(run));
        wiring.counters(&probes).into_iter().for_each(|(part, run)| parts[part].counters.push(run));
        wiring.claims().into_iter().for_each(|(part, run)| parts[part].claims.push(run));
        exports.into_iter().for_each(|(part, run)| parts[part].exports.push(run));
        for (part, planes) in parts.iter_mut().zip(&places.parts) {
            part.planes = planes.clone();
        }
        Ok(Sliced {
            tiles: wiring.tiles(&boundary),
            hidden: wiring.regions(),
            order: template.groups.iter().flat_map(|group| group.tiles.iter().copied()).collect(),
            exported,
            shown: vec![],
            crew: (parts.len() > 1)
                .then(|| Crew::new(parts.len().min(threads_for(options.threads))))
                .filter(|c| c.size() > 1),
            threads: 1,
            parts,
            resets: wiring.resets(),
            quiet: wiring.quiet(),
            registers: wiring.registers(),
            at_place: HashMap::new(),
            looks: wiring.looks(&looks),
            memories: wiring.memories(),
            present: ArrayOfPlanes::new(places.register_words),
            next: ArrayOfPlanes::new(places.register_words),
            wires,
            store: vec![0; places.store_words],
            transpose: Transpose::detect(),
            about,
            board: board.clone(),
            names: (0..bundles.bundles.len()).map(|bundle| name(design, &bundles, bundle)).collect(),
            _code: code,
        })
    }

    /// Nets of the top that somebody looks at.
    fn observed_top(&self) -> Vec<NetId> {
        let top = self.design.modules.len() - 1;
        self.observed.iter().filter(|(module, _)| *module == top).map(|&(_, net)| net).collect()
    }

    fn exports(
        &self,
        template: &Template,
        bundles: &Bundles,
        builder: &mut Builder,
        boundary: &Boundary,
    ) -> Vec<ExportPlan> {
        let mut out: Vec<ExportPlan> = vec![];
        let mut finder = Finder::new(self.design, template, &bundles.places, builder);
        for &(group, lane, output) in &boundary.exports {
            let word = lane / 64;
            let shown = match finder.payload_register(group, lane, output) {
                Some((node, net)) => Exported::Payload(node, net, word),
                None => {
                    let module = &self.design.modules[template.nodes[template.groups[group].root].module].module;
                    let width = module.net(module.outputs[output]).width;
                    let bit = |bit| match finder.output_bit(group, lane, output, bit) {
                        Origin::Tile(bit) => Ok((bit.plane, bit.word)),
                        Origin::Constant(value) => Err(value),
                        _ => unreachable!("outputs are registers, and this one is no payload"),
                    };
                    Exported::Bits((0..width).map(bit).collect())
                }
            };
            match out.iter_mut().find(|e| e.group == group && e.output == output && e.shown == shown) {
                Some(export) if export.lanes[0] / 64 == word => export.lanes.push(lane),
                _ => out.push(ExportPlan { group, output, lanes: vec![lane], shown }),
            }
        }
        out
    }
}

/// A wire inside of a tile that somebody looks at: bundle, net, slot and width.
type LookPlan = (usize, NetId, u32, u32);

impl Assembly<'_> {
    /// Wires inside of tiles that somebody looks at and that are bits. With several clocks there are none: those of a part without an
    /// edge are not up to date.
    fn looks(&self, template: &Template, bundles: &Bundles, builder: &mut Builder) -> Vec<LookPlan> {
        let Assembly { design, scopes, observed, .. } = *self;
        let mut out = vec![];
        if design.top.crosses_clocks() {
            return out;
        }
        for bundle in 0..bundles.bundles.len() {
            let nodes = nodes_of(bundles, bundle).into_iter();
            let present = nodes.flat_map(|node| &template.nodes[node].scopes).filter(|&&scope| scope != NONE);
            let modules: BTreeSet<usize> = present.map(|&scope| scopes[scope].module).collect();
            let module = builder.module(bundle);
            for (i, net) in module.nets.iter().enumerate() {
                let id = NetId(i as u32);
                let wanted = modules.iter().any(|&module| observed.contains(&(module, id)));
                let Some(driver) = module.drivers[i].filter(|_| wanted && matches!(net.kind, NetKind::Wire)) else {
                    continue;
                };
                let read = nets_read(module, driver);
                if [id].iter().chain(&read).all(|&net| !builder.payload.net(bundle, net)) {
                    out.push((bundle, id, builder.observe(bundle, driver), net.width));
                }
            }
        }
        out
    }
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

/// Nodes of a bundle, each once.
fn nodes_of(bundles: &Bundles, bundle: usize) -> Vec<usize> {
    let nodes = bundles.bundles[bundle].origin.iter().flatten().filter(|(_, word)| *word == 0);
    nodes.map(|&(node, _)| node).collect()
}

/// Payload registers: node, net, ways to the next value.
fn moves(template: &Template, bundles: &Bundles, builder: &mut Builder) -> Vec<(usize, NetId, Vec<Way>)> {
    let mut out = vec![];
    for bundle in 0..bundles.bundles.len() {
        let module = builder.module(bundle);
        for net in module.registers().filter(|&net| builder.payload.net(bundle, net)).collect::<Vec<_>>() {
            for node in nodes_of(bundles, bundle) {
                let driver = module.drivers[net.index()].expect("registers are driven");
                let ways = Ways { template, bundle_of: &bundles.places, builder }.of(node, driver, Some(net));
                out.push((node, net, ways));
            }
        }
    }
    out
}

fn writes(template: &Template, bundles: &Bundles, builder: &mut Builder) -> Vec<WritePlan> {
    let mut out = vec![];
    for bundle in 0..bundles.bundles.len() {
        let module = builder.module(bundle);
        for port in &module.writes {
            let width = |expr: ExprId| module.expr(expr).width;
            let enable = builder.observe(bundle, port.enable);
            let address = (builder.observe(bundle, port.address), width(port.address));
            let moved = port.mask.is_none() && builder.payload.expr(module, bundle, port.data);
            for node in nodes_of(bundles, bundle) {
                let data = if moved {
                    let mut ways = Ways { template, bundle_of: &bundles.places, builder };
                    Data::Payload(ways.of(node, port.data, None))
                } else {
                    Data::Bits(builder.observe(bundle, port.data), width(port.data))
                };
                let mask = port.mask.map(|mask| (builder.observe(bundle, mask), width(mask)));
                out.push(WritePlan { node, memory: port.memory, enable, address, data, mask });
            }
        }
    }
    out
}

fn probes(bundles: &Bundles, builder: &mut Builder) -> Vec<ProbePlan> {
    let mut out = vec![];
    for bundle in 0..bundles.bundles.len() {
        let module = builder.module(bundle);
        for (probe, about) in module.probes.iter().enumerate() {
            let enable = builder.observe(bundle, about.enable);
            let value = about.value.map(|v| (builder.observe(bundle, v), module.expr(v).width));
            out.push(ProbePlan { bundle, probe, enable, value });
        }
    }
    out
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

/// Where everything is.
struct Places {
    /// Per bundle: first word of its planes of registers, of wires.
    registers: Vec<usize>,
    wires: Vec<usize>,
    register_words: usize,
    wire_words: usize,
    /// Per part: its words among the planes of registers.
    parts: Vec<Range<usize>>,
    /// Per bundle, payload register and word: places of lane 0.
    payload: HashMap<(usize, NetId, usize), usize>,
    /// Per bundle, memory and word.
    memories: HashMap<(usize, MemId, usize), Place>,
    store_words: usize,
}

impl Places {
    fn new(design: &Design, bundles: &Bundles, payload: &Payload, work: &[Work], parts: usize) -> Self {
        let count = bundles.bundles.len();
        let mut out = Self {
            registers: vec![0; count],
            wires: vec![0; count],
            register_words: 0,
            wire_words: 0,
            parts: vec![0..0; parts],
            payload: HashMap::new(),
            memories: HashMap::new(),
            store_words: 0,
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&b| bundles.bundles[b].part);
        for b in order {
            let (bundle, work) = (&bundles.bundles[b], &work[b]);
            (out.registers[b], out.wires[b]) = (out.register_words, out.wire_words);
            let planes = |slots: u32| (slots as usize * bundle.words()).next_multiple_of(8);
            out.register_words += planes(work.register_slots);
            out.wire_words += planes(work.wire_slots());
            let part = &mut out.parts[bundle.part];
            let first = if part.start == part.end { out.registers[b] } else { part.start };
            *part = first..out.register_words;
            let module = &design.modules[bundle.module].module;
            for (word, valid) in bundle.valid.iter().enumerate() {
                let lanes = 64 - valid.leading_zeros() as usize;
                for net in module.registers().filter(|&net| payload.net(b, net)) {
                    out.payload.insert((b, net, word), out.store_words);
                    out.store_words += lanes * 2 * words_for(module.net(net).width);
                }
                for (i, memory) in module.memories.iter().enumerate() {
                    let place = Place { first: out.store_words, depth: memory.depth, words: words_for(memory.width) };
                    out.memories.insert((b, MemId(i as u32), word), place);
                    out.store_words += lanes * place.depth * place.words;
                }
            }
        }
        out
    }
}

/// Turns plans into lists of places.
struct Wiring<'a> {
    assembly: &'a Assembly<'a>,
    template: &'a Template,
    bundles: &'a Bundles,
    work: &'a [Work],
    aliases: &'a Aliases,
    places: &'a Places,
}

impl Wiring<'_> {
    fn part(&self, bundle: usize) -> usize {
        self.bundles.bundles[bundle].part
    }

    fn words(&self, bundle: usize) -> usize {
        self.bundles.bundles[bundle].words()
    }

    /// Where a plane is, in which array.
    fn spot(&self, plane: Plane) -> (Arena, usize) {
        let plane = self.aliases.resolve(plane);
        let first = match plane.arena {
            Arena::Registers => self.places.registers[plane.bundle],
            Arena::Wires => self.places.wires[plane.bundle],
        };
        (plane.arena, first + plane.slot as usize * self.words(plane.bundle) + plane.offset as usize)
    }

    /// Where a plane is in its own array.
    fn plane(&self, plane: Plane) -> usize {
        let (arena, place) = self.spot(plane);
        debug_assert_eq!(arena, plane.arena, "only code reads a plane that is in another array");
        place
    }

    /// A word of a plane of wires.
    fn wire(&self, bundle: usize, slot: u32, word: usize) -> usize {
        self.plane(Plane { arena: Arena::Wires, bundle, slot, offset: 0 }) + word
    }

    fn planes(&self, bundle: usize, (slot, count): (u32, u32), word: usize) -> Planes {
        Planes { first: self.wire(bundle, slot, word), count: count as usize, stride: self.words(bundle) }
    }

    /// Word of the flag of a payload register.
    fn flag(&self, bundle: usize, net: NetId, word: usize) -> usize {
        let slot = self.work[bundle].registers[&net];
        self.plane(Plane { arena: Arena::Registers, bundle, slot, offset: 0 }) + word
    }

    fn module(&self, bundle: usize) -> &ModuleDef {
        &self.assembly.design.modules[self.bundles.bundles[bundle].module].module
    }

    /// Scopes of the lanes of a word of a bundle.
    fn scopes(&self, bundle: usize, word: usize) -> Vec<Option<usize>> {
        let Some((node, group_word)) = self.bundles.bundles[bundle].origin[word] else { return vec![] };
        let lanes = self.template.nodes[node].scopes.chunks(64).nth(group_word).unwrap_or_default();
        lanes.iter().map(|&scope| Some(scope).filter(|&s| s != NONE)).collect()
    }

    fn compile(&self, planned: &[Planned], vector: usize) -> Result<(Executable, Vec<Kernel>), SimError> {
        let name = &self.assembly.design.top.name;
        let failed = |message| failure(name, message);
        let mut coder = Coder::new(&[]).map_err(failed)?;
        let mut ids: Vec<FuncId> = vec![];
        for code in planned.iter().filter_map(|p| if let Planned::Code(code) = p { Some(code) } else { None }) {
            let (work, words) = (&self.work[code.bundle], self.words(code.bundle));
            let name = self.name_of(code, ids.len());
            ids.push(emit::emit(&mut coder, &name, code, work, (words, vector), |p| self.spot(p)).map_err(failed)?);
        }
        let executable = coder.finish().map_err(failed)?;
        let kernel = |id: &FuncId| {
            // SAFETY: every function is declared with the signature of `Kernel`.
            unsafe { std::mem::transmute::<*const u8, Kernel>(executable.address(*id)) }
        };
        let kernels = ids.iter().map(kernel).collect();
        Ok((executable, kernels))
    }

    fn name_of(&self, code: &Code, number: usize) -> String {
        format!("{}.sliced.{number}", self.module(code.bundle).name)
    }

    fn tiles(&self, boundary: &Boundary) -> HashMap<usize, BTreeSet<usize>> {
        let tiles = self.template.groups.iter().flat_map(|group| &group.tiles);
        tiles.map(|&tile| (tile, boundary.imports.get(&tile).cloned().unwrap_or_default())).collect()
    }

    /// Where the tiles are in the register arrays and in the rest.
    fn regions(&self) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let tiles = self.template.groups.iter().flat_map(|group| &self.template.nodes[group.root].scopes);
        let region = |&scope: &usize| {
            let (at, layout) = (scopes[scope].bases, &layouts[scopes[scope].module]);
            let (registers, rest) = (at.registers as usize, at.rest as usize);
            (registers..registers + layout.registers as usize, rest..rest + layout.rest as usize)
        };
        tiles.map(region).unzip()
    }

    fn read(&self, bundle: usize, number: usize) -> ReadRun {
        let read = self.work[bundle].reads[number];
        let module = self.module(bundle);
        let address_width = module.expr(read.address).width;
        let valid = &self.bundles.bundles[bundle].valid;
        let place = |(word, &valid): (usize, &u64)| (valid, self.places.memories[&(bundle, read.memory, word)]);
        ReadRun {
            address: self.planes(bundle, (read.address_slot, address_width), 0),
            result: self.planes(bundle, (read.slot, module.memories[read.memory.index()].width), 0),
            places: valid.iter().enumerate().map(place).collect(),
        }
    }

    // -- payload and memories ------------------------------------------------------------------------------------------

    fn moves(&self, moves: &[(usize, NetId, Vec<Way>)], boundary: &Boundary) -> Vec<(usize, MoveRun)> {
        let mut out = vec![];
        for (node, net, ways) in moves {
            let (bundle, first) = self.bundles.places[*node];
            for word in 0..self.template.nodes[*node].valid().len() {
                let run = MoveRun {
                    flag: self.flag(bundle, *net, first + word),
                    first: self.places.payload[&(bundle, *net, first + word)],
                    words: words_for(self.module(bundle).net(*net).width),
                    sources: self.sources(*node, word, ways, boundary),
                    bundle: bundle as u32,
                };
                out.push((self.part(bundle), run));
            }
        }
        out
    }

    fn writes(&self, writes: &[WritePlan], boundary: &Boundary) -> Vec<(usize, WriteRun)> {
        let mut out = vec![];
        for plan in writes {
            let (bundle, first) = self.bundles.places[plan.node];
            let valid = self.template.nodes[plan.node].valid();
            for (group_word, &valid) in valid.iter().enumerate() {
                let word = first + group_word;
                let place = self.places.memories[&(bundle, plan.memory, word)];
                let sources = match &plan.data {
                    Data::Payload(ways) => self.sources(plan.node, group_word, ways, boundary),
                    Data::Bits(slot, width) => {
                        let from = From::Wires(self.planes(bundle, (*slot, *width), word));
                        vec![Source { lanes: valid, conditions: vec![], from }]
                    }
                };
                let width = self.module(bundle).memories[plan.memory.index()].width;
                let part = |count: u32| (width / count) as usize;
                let run = WriteRun {
                    enable: self.wire(bundle, plan.enable, word),
                    valid,
                    address: self.planes(bundle, plan.address, word),
                    place,
                    sources,
                    mask: plan.mask.map(|mask| (self.planes(bundle, mask, word), part(mask.1))),
                    bundle: bundle as u32,
                };
                out.push((self.part(bundle), run));
            }
        }
        out
    }

    fn sources(&self, node: usize, word: usize, ways: &[Way], boundary: &Boundary) -> Vec<Source> {
        let group = self.template.nodes[node].group;
        let sources = |way: &Way| {
            let restricted = way.within.iter().map(|&n| self.template.nodes[n].valid()[word]);
            let lanes = restricted.fold(self.template.nodes[node].valid()[word], |lanes, valid| lanes & valid);
            let condition = |&Choice { node, slot, value }: &Choice| {
                let (bundle, first) = self.bundles.places[node];
                Condition { wire: self.wire(bundle, slot, first + word), inverted: !value }
            };
            let from = match &way.leaf {
                Leaf::Register(node, net) => {
                    let (bundle, first) = self.bundles.places[*node];
                    let place = self.places.payload[&(bundle, *net, first + word)];
                    From::Register { flag: self.flag(bundle, *net, first + word), first: place }
                }
                Leaf::Memory(node, memory, slot) => {
                    let (bundle, first) = self.bundles.places[*node];
                    let width = self.address_width(bundle, *slot);
                    let place = self.places.memories[&(bundle, *memory, first + word)];
                    From::Memory { address: self.planes(bundle, (*slot, width), first + word), place }
                }
                Leaf::Input(net) => {
                    let inputs = self.payload_inputs(group, *net, word, boundary);
                    let conditions: Vec<_> = way.choices.iter().map(condition).collect();
                    let source = |(of, from)| Source { lanes: lanes & of, conditions: conditions.clone(), from };
                    return inputs.into_iter().map(source).collect();
                }
                Leaf::Constant(value) => From::Constant(value.words().to_vec()),
            };
            vec![Source { lanes, conditions: way.choices.iter().map(condition).collect(), from }]
        };
        ways.iter().flat_map(sources).collect()
    }

    /// Width of an observed value.
    fn address_width(&self, bundle: usize, slot: u32) -> u32 {
        self.work[bundle].observed_width(self.module(bundle), slot)
    }

    /// Where the payload of an input of tiles comes from, in one word of lanes: sources and the lanes that they serve.
    fn payload_inputs(&self, group: usize, net: NetId, word: usize, boundary: &Boundary) -> Vec<(u64, From)> {
        let Assembly { design, layouts, scopes, .. } = *self.assembly;
        let root = self.template.groups[group].root;
        let module = &design.modules[self.template.nodes[root].module].module;
        let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
        let lanes = self.template.nodes[root].scopes.iter().enumerate().skip(64 * word).take(64);
        let mut distant = vec![Distant::Zero; 64];
        let mut bits: BTreeMap<(usize, usize), (u64, Vec<u8>)> = BTreeMap::new();
        let mut others = 0;
        for (lane, &scope) in lanes {
            let here = lane % 64;
            others |= 1 << here;
            match boundary.payload[group][position][lane].expect("it is payload") {
                PayloadOrigin::Tile { node, net, lane } => distant[here] = self.distant(node, net, lane),
                PayloadOrigin::Import => {
                    let at = &scopes[scope];
                    let port = design.modules[at.module].module.inputs[position];
                    let place = at.bases.of(layouts[at.module].places[port.index()]);
                    distant[here] = Distant::Rest(place.offset as usize);
                }
                PayloadOrigin::Bits(first) => {
                    others &= !(1 << here);
                    let at = (self.plane(first.plane) + first.word, first.plane.bundle);
                    let (of, there) = bits.entry(at).or_insert_with(|| (0, vec![0; 64]));
                    *of |= 1 << here;
                    there[here] = first.lane as u8;
                }
            }
        }
        let count = module.net(net).width as usize;
        let kept = |((first, bundle), (of, lanes))| {
            (of, From::Bits { planes: Planes { first, count, stride: self.words(bundle) }, lanes })
        };
        let mut out: Vec<_> = bits.into_iter().map(kept).collect();
        if others != 0 {
            out.push((others, From::Input(distant)));
        }
        out
    }

    /// A payload register in a lane of its group.
    fn distant(&self, node: usize, net: NetId, lane: usize) -> Distant {
        let (bundle, first) = self.bundles.places[node];
        let (word, bit) = (first + lane / 64, lane % 64);
        let words = words_for(self.module(bundle).net(net).width);
        let first = self.places.payload[&(bundle, net, word)] + bit * 2 * words;
        Distant::Payload { flag: self.flag(bundle, net, word), bit: bit as u32, first }
    }

    // -- boundary ------------------------------------------------------------------------------------------------------

    fn links(&self, boundary: &Boundary) -> Vec<(usize, LinkRun)> {
        let Assembly { design, layouts, scopes, .. } = *self.assembly;
        let mut out = vec![];
        for (g, group) in self.template.groups.iter().enumerate() {
            let (bundle, first) = self.bundles.places[group.root];
            let module = self.module(bundle);
            for (net, slot) in self.work[bundle].inputs() {
                let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
                for bit in 0..module.net(net).width {
                    for word in 0..group.tiles.len().div_ceil(64) {
                        let to = self.wire(bundle, slot + bit, first + word);
                        let mut run = LinkRun { to, constant: 0, links: vec![], imports: vec![] };
                        let mut from: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
                        for lane in 64 * word..group.tiles.len().min(64 * word + 64) {
                            let here = lane as u32 % 64;
                            match boundary.bits[g][position][lane][bit as usize] {
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
                                    run.imports.push((place as usize + bit as usize / 64, bit % 64, here));
                                }
                            }
                        }
                        run.links = from.into_iter().flat_map(|(at, lanes)| in_order(at, lanes)).collect();
                        out.push((group.part, run));
                    }
                }
            }
        }
        out
    }

    fn unpacks(&self, boundary: &Boundary) -> Vec<(usize, UnpackRun)> {
        let mut out = vec![];
        for (g, group) in self.template.groups.iter().enumerate() {
            let (bundle, first) = self.bundles.places[group.root];
            let module = self.module(bundle);
            for (net, slot) in self.work[bundle].inputs() {
                let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
                for word in 0..group.tiles.len().div_ceil(64) {
                    let to = self.planes(bundle, (slot, module.net(net).width), first + word);
                    let mut run = UnpackRun { to, lanes: 0, sources: vec![Distant::Zero; 64] };
                    for lane in 64 * word..group.tiles.len().min(64 * word + 64) {
                        if let Some(&Origin::Payload { node, net, lane: there, .. }) =
                            boundary.bits[g][position][lane].first()
                        {
                            run.lanes |= 1 << (lane % 64);
                            run.sources[lane % 64] = self.distant(node, net, there);
                        }
                    }
                    if run.lanes != 0 {
                        out.push((group.part, run));
                    }
                }
            }
        }
        out
    }

    fn exports(&self, exports: &[ExportPlan]) -> Vec<(usize, Export)> {
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

    // -- state ---------------------------------------------------------------------------------------------------------

    fn claims(&self) -> Vec<(usize, (usize, u64))> {
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

    fn counters(&self, probes: &[ProbePlan]) -> Vec<(usize, Counter)> {
        let Assembly { layouts, scopes, sites, .. } = *self.assembly;
        let mut first_probe = vec![];
        let mut number = 0;
        for scope in scopes {
            first_probe.push(number);
            number += layouts[scope.module].probes.len();
        }
        let mut out = vec![];
        for plan in probes {
            let bundle = &self.bundles.bundles[plan.bundle];
            for (word, &valid) in bundle.valid.iter().enumerate().filter(|(_, valid)| **valid != 0) {
                let lanes = self.scopes(plan.bundle, word);
                let first = lanes.iter().flatten().next().expect("a lane is valid");
                let counters = layouts[scopes[*first].module].probes[plan.probe].counters;
                let base = |scope: &Option<usize>| scope.map_or(0, |s| scopes[s].bases.rest);
                let table = |scope: &Option<usize>| {
                    scope.and_then(|s| sites.probes[first_probe[s] + plan.probe].table).unwrap_or_default()
                };
                let lanes =
                    Lanes { bases: lanes.iter().map(base).collect(), tables: lanes.iter().map(table).collect() };
                let enable = self.wire(plan.bundle, plan.enable, word);
                let value = plan.value.map(|v| self.planes(plan.bundle, v, word));
                out.push((bundle.part, Counter::new(enable, valid, value, counters, lanes)));
            }
        }
        out
    }

    /// Where all engines say that a probe counts now; for these tiles nobody does.
    fn quiet(&self) -> Vec<usize> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let all = self.template.nodes.iter().flat_map(|node| &node.scopes).filter(|&&scope| scope != NONE);
        let enables = |&scope: &usize| {
            let at = &scopes[scope];
            layouts[at.module].probes.iter().map(|slots| (at.bases.rest + slots.enable) as usize)
        };
        all.flat_map(enables).collect()
    }

    fn resets(&self) -> Vec<(usize, u64)> {
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

    /// Per place in the rest: planes, and lane.
    fn looks(&self, looks: &[LookPlan]) -> HashMap<usize, (Planes, usize)> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let mut out = HashMap::new();
        for &(bundle, net, slot, width) in looks {
            for word in 0..self.words(bundle) {
                for (lane, scope) in self.scopes(bundle, word).into_iter().enumerate() {
                    let Some(at) = scope.map(|scope| &scopes[scope]) else { continue };
                    let place = at.bases.of(layouts[at.module].places[net.index()]);
                    if place.area == Area::Rest {
                        out.insert(place.offset as usize, (self.planes(bundle, (slot, width), word), lane));
                    }
                }
            }
        }
        out
    }

    fn registers(&self) -> Vec<RegisterSite> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let mut out = vec![];
        for bundle in 0..self.work.len() {
            let module = self.module(bundle);
            for net in module.registers() {
                let width = module.net(net).width;
                for word in 0..self.words(bundle) {
                    let flag = self.flag(bundle, net, word);
                    let kept = match self.places.payload.get(&(bundle, net, word)) {
                        Some(&first) => Kept::Payload { flag, first, words: words_for(width) },
                        None => Kept::Bits(Planes { first: flag, count: width as usize, stride: self.words(bundle) }),
                    };
                    let place = |scope: &Option<usize>| {
                        let at = &scopes[(*scope)?];
                        Some(at.bases.of(layouts[at.module].places[net.index()]).offset as usize)
                    };
                    let places: Vec<_> = self.scopes(bundle, word).iter().map(place).collect();
                    if places.iter().any(Option::is_some) {
                        out.push(RegisterSite { kept, places });
                    }
                }
            }
        }
        out
    }

    fn memories(&self) -> Vec<MemorySite> {
        let Assembly { layouts, scopes, .. } = *self.assembly;
        let mut out = vec![];
        for bundle in 0..self.work.len() {
            for memory in 0..self.module(bundle).memories.len() {
                for word in 0..self.words(bundle) {
                    let place = |scope: &Option<usize>| {
                        let at = &scopes[(*scope)?];
                        Some((at.bases.rest + layouts[at.module].memories[memory]) as usize)
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

/// Moves of bits (from lane, to lane) as few links that keep the order of lanes.
fn in_order(from: usize, mut lanes: Vec<(u32, u32)>) -> Vec<Link> {
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
