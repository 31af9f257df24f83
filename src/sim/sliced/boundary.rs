//! What comes into tiles and what others want to see of them.
//!
//! An input bit of a tile is a constant, a register bit of another tile of the engine (a *link*), an input of the top,
//! or something that the top level computes and leaves in the state (an *import*). An output that somebody outside of
//! the engine reads is written to the state after each clock edge that changed it (an *export*).

use super::{
    build::{Arena, BitSource, Builder, Plane},
    bundles::Bundles,
    datapath::trees::{Leaf, Way, Ways},
    template::{Group, Template},
};
use hdl::*;
use netlist::{
    Design,
    dependencies::{nets_read, outputs_behind},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A register bit of a tile: plane of its group's root bundle, word of that bundle and lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TileBit {
    pub plane: Plane,
    pub word: usize,
    pub lane: u32,
}

/// Where an input bit comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Constant(bool),
    Tile(TileBit),
    /// Bit of a payload register of a node, in a lane of its group.
    Payload {
        node: usize,
        net: NetId,
        lane: usize,
        bit: u32,
    },
    /// Bit of an input of the top.
    Top {
        net: NetId,
        bit: u32,
    },
    /// From the state, where the top level leaves the input of the tile.
    Import,
}

/// Where a payload input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PayloadOrigin {
    /// Register of a node, in a lane of its group.
    Tile {
        node: usize,
        net: NetId,
        lane: usize,
    },
    /// A register that is kept as bits, in planes one after the other: the lowest.
    Bits(TileBit),
    Import,
}

/// The way into and out of the groups.
pub(super) struct Boundary {
    /// Per group, input position and lane: origins of the bits, lowest first; empty for payload.
    pub bits: Vec<Vec<Vec<Vec<Origin>>>>,
    /// Per group, input position and lane, for payload.
    pub payload: Vec<Vec<Vec<Option<PayloadOrigin>>>>,
    /// Tiles and positions of their inputs that are imported.
    pub imports: FxHashMap<usize, BTreeSet<usize>>,
    /// Outputs read outside: group, lane and position.
    pub exports: Vec<(usize, usize, usize)>,
}

impl Boundary {
    /// Inputs of tiles that are brought from payload to bits.
    pub fn unpacked(&self, template: &Template, bundles: &Bundles, design: &Design) -> FxHashSet<(usize, NetId)> {
        let mut out = FxHashSet::default();
        for (group, positions) in template.groups.iter().zip(&self.bits) {
            let inputs = &design.modules[template.nodes[group.root].module].module.inputs;
            for (&net, lanes) in inputs.iter().zip(positions) {
                if lanes.iter().any(|bits| matches!(bits.first(), Some(Origin::Payload { .. }))) {
                    out.insert((bundles.places[group.root].0, net));
                }
            }
        }
        out
    }
}

/// Finds boundaries.
pub(super) struct Finder<'a, 'b> {
    pub design: &'a Design,
    pub template: &'a Template,
    pub places: &'a [(usize, usize)],
    pub builder: &'a mut Builder<'b>,
    /// Per tile of the engine: group and lane.
    pub lanes: FxHashMap<usize, (usize, usize)>,
}

impl<'a, 'b> Finder<'a, 'b> {
    pub fn new(
        design: &'a Design,
        template: &'a Template,
        places: &'a [(usize, usize)],
        builder: &'a mut Builder<'b>,
    ) -> Self {
        let lane = |(g, group): (usize, &Group)| {
            group.tiles.iter().enumerate().map(|(l, &tile)| (tile, (g, l))).collect::<Vec<_>>()
        };
        let lanes = template.groups.iter().enumerate().flat_map(lane).collect();
        Self { design, template, places, builder, lanes }
    }

    /// `observed`: nets of the top that are observed.
    pub fn find(mut self, observed: &[NetId]) -> Boundary {
        let mut out = Boundary { bits: vec![], payload: vec![], imports: FxHashMap::default(), exports: vec![] };
        let mut roots = self.outside_roots();
        let top = &self.design.top;
        for group in &self.template.groups {
            let bundle = self.places[group.root].0;
            let module = self.builder.module(bundle);
            let (mut bits, mut payload) = (vec![], vec![]);
            for (position, &port) in module.inputs.iter().enumerate() {
                let is_payload = self.builder.payload.net(bundle, port);
                let (mut port_bits, mut port_payload) = (vec![], vec![]);
                for &tile in &group.tiles {
                    let driver = top.instances[tile].inputs[position].expect("inputs are driven");
                    let width = module.net(port).width;
                    let imported = if is_payload {
                        let origin = self.payload_origin(driver);
                        port_payload.push(Some(origin));
                        port_bits.push(vec![]);
                        origin == PayloadOrigin::Import
                    } else {
                        let origins: Vec<_> = (0..width).map(|bit| self.origin(driver, bit)).collect();
                        let import = origins.contains(&Origin::Import) || self.is_part_of_payload(&origins);
                        port_bits.push(if import { vec![Origin::Import; width as usize] } else { origins });
                        port_payload.push(None);
                        import
                    };
                    if imported {
                        out.imports.entry(tile).or_default().insert(position);
                        roots.push(driver);
                    }
                }
                bits.push(port_bits);
                payload.push(port_payload);
            }
            out.bits.push(bits);
            out.payload.push(payload);
        }
        out.exports = self.exports(&roots, observed);
        out
    }

    /// Values that the top level needs for itself and for tiles of others.
    fn outside_roots(&self) -> Vec<ExprId> {
        let top = &self.design.top;
        let stateful = |i: &usize| !matches!(top.nets[*i].kind, NetKind::Wire);
        let mut roots: Vec<_> = (0..top.nets.len()).filter(stateful).filter_map(|i| top.drivers[i]).collect();
        roots.extend(top.writes.iter().flat_map(|w| [Some(w.enable), Some(w.address), Some(w.data), w.mask]).flatten());
        roots.extend(top.probes.iter().flat_map(|p| [Some(p.enable), p.value]).flatten());
        roots.extend(top.assertions.iter().map(|c| c.condition));
        let outside = top.instances.iter().enumerate().filter(|(i, _)| !self.lanes.contains_key(i));
        roots.extend(outside.flat_map(|(_, instance)| instance.inputs.iter().copied().flatten()));
        roots
    }

    /// Outputs of tiles of the engine that these values and nets depend on.
    fn exports(&self, roots: &[ExprId], nets: &[NetId]) -> Vec<(usize, usize, usize)> {
        let top = &self.design.top;
        let read = roots.iter().flat_map(|&root| nets_read(top, root));
        let behind = outputs_behind(top, read.chain(nets.iter().copied()));
        let ours = behind.into_iter().filter_map(|(instance, output)| {
            let &(group, lane) = self.lanes.get(&instance.index())?;
            Some((group, lane, output as usize))
        });
        ours.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// There are bits of payload, but not just all bits of one register in order: those the top level has to put
    /// together.
    fn is_part_of_payload(&self, origins: &[Origin]) -> bool {
        let payload = origins.iter().find(|origin| matches!(origin, Origin::Payload { .. }));
        let Some(&Origin::Payload { node, net, lane, .. }) = payload else { return false };
        let whole = |bit| Origin::Payload { node, net, lane, bit };
        let width = self.builder.module(self.places[node].0).net(net).width;
        width as usize != origins.len() || !origins.iter().copied().eq((0..width).map(whole))
    }

    fn origin(&mut self, expr: ExprId, bit: u32) -> Origin {
        let design = self.design;
        let top = &design.top;
        match &top.expr(expr).op {
            Op::Const(value) => Origin::Constant(value.bit(bit)),
            Op::Slice { value, lo } => self.origin(*value, lo + bit),
            Op::Unary(UnaryOp::ZeroExtend, a) if bit >= top.expr(*a).width => Origin::Constant(false),
            Op::Unary(UnaryOp::ZeroExtend, a) => self.origin(*a, bit),
            Op::Concat(parts) => {
                let mut bit = bit;
                for &part in parts.iter().rev() {
                    let width = top.expr(part).width;
                    if bit < width {
                        return self.origin(part, bit);
                    }
                    bit -= width;
                }
                Origin::Import
            }
            Op::Net(net) => match top.net(*net).kind {
                NetKind::Wire | NetKind::Output => {
                    top.drivers[net.index()].map_or(Origin::Import, |driver| self.origin(driver, bit))
                }
                NetKind::InstanceOutput { instance, output } => match self.lanes.get(&instance.index()) {
                    Some(&(group, lane)) => match self.payload_register(group, lane, output as usize) {
                        Some((node, net)) => Origin::Payload { node, net, lane, bit },
                        None => self.output_bit(group, lane, output as usize, bit),
                    },
                    None => Origin::Import,
                },
                NetKind::Input => Origin::Top { net: *net, bit },
                _ => Origin::Import,
            },
            _ => Origin::Import,
        }
    }

    /// A bit of an output of a tile, which is a register.
    pub fn output_bit(&mut self, group: usize, lane: usize, output: usize, bit: u32) -> Origin {
        let (bundle, first) = self.places[self.template.groups[group].root];
        let port = self.builder.module(bundle).outputs[output];
        let mut source = self.builder.source(bundle, port, bit);
        let word = first + lane / 64;
        loop {
            source = match source {
                BitSource::Constant(value) => return Origin::Constant(value),
                BitSource::Plane(plane) if plane.arena == Arena::Registers => {
                    return Origin::Tile(TileBit { plane, word, lane: lane as u32 % 64 });
                }
                BitSource::Variants(variants) => {
                    let here = variants.into_iter().find(|(lanes, _)| lanes[word] >> (lane % 64) & 1 == 1);
                    here.expect("every lane has a variant").1
                }
                _ => unreachable!("outputs of tiles are registers"),
            }
        }
    }

    fn payload_origin(&mut self, expr: ExprId) -> PayloadOrigin {
        let design = self.design;
        let top = &design.top;
        let Op::Net(net) = top.expr(expr).op else { return PayloadOrigin::Import };
        match top.net(net).kind {
            NetKind::Wire | NetKind::Output => {
                top.drivers[net.index()].map_or(PayloadOrigin::Import, |driver| self.payload_origin(driver))
            }
            NetKind::InstanceOutput { instance, output } => match self.lanes.get(&instance.index()) {
                Some(&(group, lane)) => match self.payload_register(group, lane, output as usize) {
                    Some((node, net)) => PayloadOrigin::Tile { node, net, lane },
                    None => self.whole_register(group, lane, output as usize),
                },
                None => PayloadOrigin::Import,
            },
            _ => PayloadOrigin::Import,
        }
    }

    /// An output whose bits are those of a register in order.
    fn whole_register(&mut self, group: usize, lane: usize, output: usize) -> PayloadOrigin {
        let module = self.builder.module(self.places[self.template.groups[group].root].0);
        let width = module.net(module.outputs[output]).width;
        let Origin::Tile(first) = self.output_bit(group, lane, output, 0) else { return PayloadOrigin::Import };
        let in_order = (1..width).all(|bit| {
            let plane = Plane { slot: first.plane.slot + bit, ..first.plane };
            self.output_bit(group, lane, output, bit) == Origin::Tile(TileBit { plane, ..first })
        });
        if in_order { PayloadOrigin::Bits(first) } else { PayloadOrigin::Import }
    }

    /// The payload register that an output of a tile shows, if it does.
    pub fn payload_register(&mut self, group: usize, lane: usize, output: usize) -> Option<(usize, NetId)> {
        let root = self.template.groups[group].root;
        let bundle = self.places[root].0;
        let port = self.builder.module(bundle).outputs[output];
        if !self.builder.payload.net(bundle, port) {
            return None;
        }
        let mut ways = vec![];
        let way = Way { choices: vec![], within: vec![], leaf: Leaf::Input(port) };
        Ways { template: self.template, bundle_of: self.places, builder: self.builder }.net(root, port, way, &mut ways);
        let nodes = &self.template.nodes;
        let here = |way: &&Way| way.within.iter().all(|&n| nodes[n].scopes[lane] != super::template::NONE);
        match ways.iter().find(here) {
            Some(Way { choices, leaf: Leaf::Register(node, net), .. }) if choices.is_empty() => Some((*node, *net)),
            _ => None,
        }
    }
}
