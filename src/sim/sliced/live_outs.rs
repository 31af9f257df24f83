//! Live-outs: what has to come out of the tiles, found before the code that computes it: moves of payload, memory
//! writes, probes, outputs that are read outside, wires that is observed.

use super::{
    assemble::Assembly,
    boundary::{Boundary, Finder, Origin},
    build::{Builder, Plane},
    bundles::Bundles,
    datapath::trees::{Way, Ways},
    template::{NONE, Template},
};
use hdl::*;
use netlist::dependencies::nets_read;
use std::collections::BTreeSet;

/// A memory write port of a node.
pub(super) struct WritePlan {
    pub node: usize,
    pub memory: MemId,
    pub enable: u32,
    pub address: (u32, u32),
    pub data: Data,
    pub mask: Option<(u32, u32)>,
}

pub(super) enum Data {
    Bits(u32, u32),
    Payload(Vec<Way>),
}

/// A probe of a bundle: number, slot of the enable, slot and width of the value.
pub(super) struct ProbePlan {
    pub bundle: usize,
    pub probe: usize,
    pub enable: u32,
    pub value: Option<(u32, u32)>,
}

/// An output that is read outside: lanes (of a group) that show it from the same planes.
pub(super) struct ExportPlan {
    pub group: usize,
    pub output: usize,
    pub lanes: Vec<usize>,
    pub shown: Exported,
}

#[derive(PartialEq)]
pub(super) enum Exported {
    /// Per bit: the plane and word, or a constant.
    Bits(Vec<Result<(Plane, usize), bool>>),
    Payload(usize, NetId, usize),
}

impl Assembly<'_> {
    pub(super) fn exports(
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

/// A wire inside of a tile that is observed: bundle, net, slot and width.
pub(super) type ObservedPlan = (usize, NetId, u32, u32);

impl Assembly<'_> {
    /// Wires inside of tiles that are observed and are bits. With several clocks there are none: those of a part
    /// without an edge are not up to date.
    pub(super) fn observed_wires(
        &self,
        template: &Template,
        bundles: &Bundles,
        builder: &mut Builder,
    ) -> Vec<ObservedPlan> {
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

/// Nodes of a bundle, each once.
pub(super) fn nodes_of(bundles: &Bundles, bundle: usize) -> Vec<usize> {
    let nodes = bundles.bundles[bundle].origin.iter().flatten().filter(|(_, word)| *word == 0);
    nodes.map(|&(node, _)| node).collect()
}

/// A payload register: node, net, ways to the next value.
pub(super) type MovePlan = (usize, NetId, Vec<Way>);

pub(super) fn moves(template: &Template, bundles: &Bundles, builder: &mut Builder) -> Vec<MovePlan> {
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

pub(super) fn writes(template: &Template, bundles: &Bundles, builder: &mut Builder) -> Vec<WritePlan> {
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

pub(super) fn probes(bundles: &Bundles, builder: &mut Builder) -> Vec<ProbePlan> {
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
