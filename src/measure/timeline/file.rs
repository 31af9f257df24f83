//! The tracks.
//!
//! ```text
//!  core0 ---+- issue slots, warps            what issues, or what is waited for
//!           +- memory accesses (in flight)   ▐ read 0x1240  [coalescer|core to network|interface0 injection queue|router0|...]
//!  network -+- packets of core0 (in flight)  ▐ read request [interface0 injection queue|router0|router4|ejection]
//!  memory0 -+- data bus                      ▐ read ▐ read ▐
//!           +- bank 0                        ▐ row 0x12        ▐ row 0x40
//! ```
//!
//! What is on its way at the same time stands in as many tracks as are needed. A flow joins an access, its packets and
//! its burst.

use super::{
    SCALE,
    follow::{Access, Journey, Leg},
    join::{Joined, Stage},
};
use crate::{
    perfetto::{Annotation, Slice, Trace},
    report::IssueSlots,
};
use rtl::{memory::AddressMap, noc::MessageClass};
use std::collections::BTreeMap;

/// The file.
pub(super) fn file(joined: &Joined, slots: Option<&IssueSlots>, map: &AddressMap) -> Vec<u8> {
    let mut trace = Trace::default();
    let offset = map.line_bytes().ilog2();
    let mut accesses: BTreeMap<usize, Vec<Slice>> = BTreeMap::new();
    for (number, access) in joined.found.accesses.iter().enumerate() {
        if joined.shows(access.shown, access.replied) {
            accesses.entry(access.core).or_default().push(of_access(joined, number, access, offset));
        }
    }
    let cores = joined.found.core_of_node.len();
    for core in 0..cores {
        let above = trace.track(&format!("core{core}"), None, core as u64);
        let mut next = 0;
        if let Some(slots) = slots {
            for part in slots.cores.iter().filter(|part| part.core == core) {
                slots.tracks(&mut trace, part, above, next, SCALE);
                next += slots.warps as u64 + 1;
            }
        }
        lanes(&mut trace, "memory accesses", above, next, accesses.remove(&core).unwrap_or_default());
    }
    packets(&mut trace, joined, cores as u64, offset);
    memories(&mut trace, joined, cores as u64 + 1);
    trace.into_bytes()
}

fn inside(stages: Vec<Stage>) -> Vec<Slice<'static>> {
    let slice = |Stage { name, from, until }| Slice { from, until, name: name.into(), ..Slice::default() };
    stages.into_iter().map(slice).collect()
}

/// Number of the flow of a packet; 0 means none.
fn flow(packet: usize) -> u64 {
    packet as u64 + 1
}

fn of_access(joined: &Joined, number: usize, access: &Access, offset: u32) -> Slice<'static> {
    let until = access.replied.unwrap_or(joined.found.end);
    let served = joined.served_by[number];
    let address = u64::from(access.line) << offset;
    let packet = match served {
        None => "none",
        Some((_, true)) => "merged",
        Some((_, false)) => "own",
    };
    let mut annotations = vec![
        ("kind", Annotation::Text(access.kind.name().into())),
        ("core", Annotation::Number(access.core as u64)),
        ("warp", Annotation::Number(access.warp)),
        ("address", Annotation::Number(address)),
        ("core_cycles", Annotation::Number((until - access.shown) / SCALE)),
        ("packet", Annotation::Text(packet.into())),
    ];
    if let Some((packet, _)) = served {
        let journey = &joined.found.journeys[packet];
        annotations.push(("memory_node", Annotation::Number(journey.request.key.destination.into())));
    }
    if access.replied.is_none() {
        annotations.push(("outstanding", Annotation::Number(1)));
    }
    Slice {
        from: access.shown,
        until,
        name: format!("{} {address:#x}", access.kind.name()).into(),
        annotations,
        flows: served.map(|(packet, _)| flow(packet)).into_iter().collect(),
        inner: inside(joined.stages_of_access(number)),
    }
}

fn packets(trace: &mut Trace, joined: &Joined, rank: u64, offset: u32) {
    let mut by_node: BTreeMap<u32, Vec<Slice>> = BTreeMap::new();
    for (number, journey) in joined.found.journeys.iter().enumerate() {
        for leg in [Some(&journey.request), journey.reply.as_ref()].into_iter().flatten() {
            if joined.shows(leg.sent.0, leg.received.map(|(at, _)| at)) {
                by_node.entry(leg.key.source).or_default().push(of_leg(joined, number, journey, leg, offset));
            }
        }
    }
    let above = trace.track("network", None, rank);
    for (rank, (node, mut slices)) in (0..).zip(by_node) {
        let core = joined.found.core_of_node.get(&node).map(|core| format!("core{core}"));
        let memory = joined.found.controller_of_node.get(&node).map(|memory| format!("memory{memory}"));
        let name = core.or(memory).unwrap_or(format!("node{node}"));
        slices.sort_by_key(|slice| slice.from);
        lanes(trace, &format!("packets of {name}"), above, rank, slices);
    }
}

fn of_leg(joined: &Joined, number: usize, journey: &Journey, leg: &Leg, offset: u32) -> Slice<'static> {
    let class = if leg.key.class == MessageClass::Request { "request" } else { "reply" };
    let mut annotations = vec![
        ("class", Annotation::Text(class.into())),
        ("kind", Annotation::Text(journey.kind.name().into())),
        ("source", Annotation::Number(leg.key.source.into())),
        ("destination", Annotation::Number(leg.key.destination.into())),
        ("tag", Annotation::Number(leg.key.tag)),
        ("address", Annotation::Number(u64::from(journey.line) << offset)),
    ];
    match leg.received {
        Some((_, cycle)) => annotations.push(("network_cycles", Annotation::Number(cycle - leg.sent.1))),
        None => annotations.push(("outstanding", Annotation::Number(1))),
    }
    Slice {
        from: leg.sent.0,
        until: leg.received.map_or(joined.found.end, |(at, _)| at),
        name: format!("{} {class}", journey.kind.name()).into(),
        annotations,
        flows: vec![flow(number)],
        inner: inside(joined.stages_of_leg(leg)),
    }
}

fn memories(trace: &mut Trace, joined: &Joined, first: u64) {
    let found = &joined.found;
    let mut of_dram = vec![None; found.dram.len()];
    for (packet, dram) in joined.dram_of.iter().enumerate() {
        if let Some(dram) = dram {
            of_dram[*dram].get_or_insert(packet);
        }
    }
    for controller in 0..found.controller_of_node.len() {
        let above = trace.track(&format!("memory{controller}"), None, first + controller as u64);
        let bus = trace.track("data bus", Some(above), 0);
        let mut bursts: Vec<_> = (found.dram.iter().zip(&of_dram))
            .filter(|(one, _)| one.at.controller == controller)
            .filter_map(|(one, packet)| Some((one, one.command?.1, packet)))
            .filter(|&(_, until, _)| joined.shows(until.saturating_sub(found.burst), Some(until)))
            .collect();
        bursts.sort_by_key(|&(_, until, _)| until);
        for (one, until, packet) in bursts {
            let annotations = [("bank", one.at.bank), ("row", one.at.row), ("column", one.at.column)]
                .map(|(name, value)| (name, Annotation::Number(value.into())));
            let slice = Slice {
                from: until.saturating_sub(found.burst),
                until,
                name: if one.write { "write" } else { "read" }.into(),
                annotations: annotations.into(),
                flows: packet.map(flow).into_iter().collect(),
                inner: vec![],
            };
            trace.slice(bus, &slice);
        }
        let mut banks: BTreeMap<u32, Vec<Slice>> = BTreeMap::new();
        for row in found.rows.iter().filter(|row| row.controller == controller) {
            if joined.shows(row.from, row.until) {
                let until = row.until.unwrap_or(found.end);
                let name = format!("row {:#x}", row.row).into();
                banks.entry(row.bank).or_default().push(Slice { from: row.from, until, name, ..Slice::default() });
            }
        }
        for (bank, rows) in banks {
            let track = trace.track(&format!("bank {bank}"), Some(above), u64::from(bank) + 1);
            rows.iter().for_each(|row| trace.slice(track, row));
        }
    }
}

/// Tracks of this name, one after another, as many as are needed that no two slices of a track overlap. Slices come in
/// the order in which they begin.
fn lanes(trace: &mut Trace, name: &str, above: u64, first: u64, slices: Vec<Slice>) {
    let mut tracks: Vec<(u64, u64)> = vec![];
    let group = (!slices.is_empty()).then(|| trace.track(name, Some(above), first));
    let mut sorted: Vec<Vec<Slice>> = vec![];
    for slice in slices {
        let lane = tracks.iter().position(|&(_, free)| free <= slice.from).unwrap_or_else(|| {
            let rank = tracks.len() as u64;
            tracks.push((trace.track(&format!("in flight {rank}"), group, rank), 0));
            sorted.push(vec![]);
            tracks.len() - 1
        });
        tracks[lane].1 = slice.until;
        sorted[lane].push(slice);
    }
    for ((track, _), slices) in tracks.iter().zip(&sorted) {
        slices.iter().for_each(|slice| trace.slice(*track, slice));
    }
}
