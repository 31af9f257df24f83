//! Uniform random traffic on a mesh, as BookSim makes it, and what BookSim 2 measured: `tests/noc/networks/curve.rs` holds a few
//! points and `benches/booksim.rs` prints all.
//!
//! The pins are packed, a bit a node, so that a cycle costs what moves in it and not what there is. A source has an
//! unbounded queue; a packet may be born in every cycle, with equal probability and independently, and goes to any
//! node, its own included. A source decides in the cycle in which a packet is new, and the flit is on the channel in
//! the next; a head takes the next VC in turn that is not full. A sink takes every flit in the cycle after it was on
//! the channel and gives the credit back at once.

use std::{collections::VecDeque, fs};
use warpmesh::{
    hdl::{Builder, Module, concat},
    netlist::elaborate,
    noc::{FlitFormat, NetworkParams, NodeKind, Nodes, mesh, mesh::full_router, paths::all_pairs},
    sim::{InputHandle, Options, OutputHandle, Simulator, Snapshot},
    verilog::lockstep::Rng,
};

/// Nodes in a row and in a column of what BookSim measured.
pub const SIDE: u32 = 6;

/// Mean number of routers that a packet passes, its own node being a destination like the others: in each of the
/// two dimensions it makes `(SIDE - 1 / SIDE) / 3` steps on average.
pub fn mean_routers() -> f64 {
    let side = f64::from(SIDE);
    1.0 + 2.0 * (side - 1.0 / side) / 3.0
}

/// A line of BookSim's table.
#[derive(Clone, Debug)]
pub struct Line {
    pub vcs: u32,
    pub flits: u32,
    pub offered: f64,
    /// Packet latency less zero-load latency, cycles; `None` when the network was not stable.
    pub contention: Option<f64>,
}

/// BookSim's table, `data/booksim-6x6-uniform.csv`.
pub fn booksim() -> Vec<Line> {
    let file = crate::repository("tests/testkit/data/booksim-6x6-uniform.csv");
    let text = fs::read_to_string(file).expect("the table is in the repository");
    let lines = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    lines
        .map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            let number = |i: usize| fields[i].parse::<f64>().expect("a number");
            let contention = (!fields[6].is_empty()).then(|| number(6));
            Line { vcs: number(0) as u32, flits: number(1) as u32, offered: number(2), contention }
        })
        .collect()
}

/// Mean latency without traffic: two channels of the terminals, five cycles a router, and the other flits.
pub fn zero_load(flits: u32) -> f64 {
    2.0 + 5.0 * mean_routers() + f64::from(flits) - 1.0
}

/// The load at which the latency is three times that without traffic, from contentions at loads around it. Between two
/// points one over the contention is nearly a straight line, as it is for a queue.
pub fn knee(flits: u32, points: &[(f64, f64)]) -> Option<f64> {
    let wanted = 1.0 / (2.0 * zero_load(flits));
    let pair = points.windows(2).find(|pair| 1.0 / pair[0].1 >= wanted && 1.0 / pair[1].1 < wanted)?;
    let [(low, before), (high, after)] = [pair[0], pair[1]];
    let (before, after) = (1.0 / before, 1.0 / after);
    Some(low + (high - low) * (before - wanted) / (before - after))
}

/// The routers of BookSim's table. The tags number the packets.
pub fn routers_of_booksim(vcs: u32) -> NetworkParams {
    NetworkParams::new(FlitFormat::new(vcs, 8, SIDE * SIDE, 24), 8, 1)
}

/// The mesh, compiled once for all loads.
pub struct Loaded {
    sim: Simulator,
    fresh: Snapshot,
    vcs: u32,
    depth: usize,
    /// Cycles from channel to channel without traffic.
    hop: u32,
    nodes: usize,
    valid: InputHandle,
    flits: Vec<InputHandle>,
    credits: Vec<OutputHandle>,
    came: OutputHandle,
    ejected: Vec<OutputHandle>,
    returned: Vec<InputHandle>,
}

/// Mean contention of the packets that were born in `cycles` cycles after a warm-up.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub contention: f64,
    pub packets: u64,
    /// Cycles simulated.
    pub cycles: u64,
}

/// A source's view.
#[derive(Clone, Default)]
struct UniformSource {
    /// Slots of the packets that wait; the first is being sent.
    queue: VecDeque<usize>,
    sent: u32,
    vc: usize,
    credits: Vec<usize>,
}

/// A packet in flight.
#[derive(Clone, Copy)]
struct UniformPacket {
    born: u64,
    dest: u32,
    zero_load: u64,
}

impl Loaded {
    /// Of a square mesh with the routers of `params`, whose tags number the packets.
    pub fn new(params: &NetworkParams, options: &Options) -> Self {
        let design = elaborate(&packed_mesh(params)).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulator::new(&design, options).expect("the design can be simulated");
        sim.reset(2);
        let nodes = (SIDE * SIDE) as usize;
        let vcs = params.format.vcs;
        Self {
            fresh: sim.save(),
            vcs,
            depth: params.depth,
            hop: params.hop(),
            nodes,
            valid: sim.input("valid").expect("port"),
            flits: (0..nodes).map(|n| sim.input(&format!("flit{n}")).expect("port")).collect(),
            credits: (0..vcs).map(|v| sim.output(&format!("credit_vc{v}")).expect("port")).collect(),
            came: sim.output("came").expect("port"),
            ejected: (0..nodes).map(|n| sim.output(&format!("ejected{n}")).expect("port")).collect(),
            returned: (0..vcs).map(|v| sim.input(&format!("returned_vc{v}")).expect("port")).collect(),
            sim,
        }
    }

    /// The network of BookSim's table.
    pub fn like_booksim(vcs: u32, options: &Options) -> Self {
        Self::new(&routers_of_booksim(vcs), options)
    }

    /// Packets of `flits` flits at `offered` flits a node and cycle. `None`: more than `most` packets wait, the load is
    /// above saturation.
    pub fn run(&mut self, flits: u32, offered: f64, cycles: u64, seed: u64, most: usize) -> Option<Measured> {
        self.sim.restore(&self.fresh).expect("of this design");
        let warm_up = 2_000;
        let end = warm_up + cycles;
        let mut random = Rng::new(seed);
        let chance = offered / f64::from(flits);
        let mut sources =
            vec![
                UniformSource { credits: vec![self.depth; self.vcs as usize], ..UniformSource::default() };
                self.nodes
            ];
        let (mut packets, mut unused): (Vec<UniformPacket>, Vec<usize>) = (vec![], vec![]);
        let (mut counted, mut sum, mut to_come) = (0, 0, 0_u64);
        let (mut to_send, mut owed) = (0, vec![0; self.vcs as usize]);
        for cycle in 0.. {
            if cycle >= end && to_come == 0 {
                return Some(Measured { contention: sum as f64 / counted as f64, packets: counted, cycles: cycle });
            }
            if packets.len() - unused.len() > most {
                return None;
            }
            self.sim.poke_at(self.valid, to_send);
            for (port, word) in self.returned.iter().zip(&mut owed) {
                self.sim.poke_at(*port, std::mem::take(word));
            }
            to_send = 0;
            // What the sources decide now is on the channels in the next cycle, so it is driven after the clock edge.
            let mut words = vec![];
            for (n, source) in sources.iter_mut().enumerate() {
                if random.chance(chance) {
                    let dest = random.below(self.nodes as u64) as u32;
                    let (x, y) = (n as u32 % SIDE, n as u32 / SIDE);
                    let routers = x.abs_diff(dest % SIDE) + y.abs_diff(dest / SIDE) + 1;
                    let packet =
                        UniformPacket { born: cycle, dest, zero_load: u64::from(2 + self.hop * routers + flits - 1) };
                    let slot = unused.pop().unwrap_or(packets.len());
                    if slot == packets.len() {
                        packets.push(packet)
                    } else {
                        packets[slot] = packet
                    }
                    source.queue.push_back(slot);
                    to_come += u64::from((warm_up..end).contains(&cycle));
                }
                if let Some(slot) = source.decide() {
                    let (head, tail) = (source.sent == 0, source.sent + 1 == flits);
                    words.push((n, word(head, tail, source.vc as u64, packets[slot].dest, slot)));
                    to_send |= 1 << n;
                    source.sent += 1;
                    if tail {
                        source.sent = 0;
                        source.queue.pop_front();
                    }
                }
            }
            for (v, port) in self.credits.iter().enumerate() {
                for n in ones(self.sim.peek_at(*port)) {
                    sources[n].credits[v] += 1;
                }
            }
            for n in ones(self.sim.peek_at(self.came)) {
                let word = self.sim.peek_at(self.ejected[n]);
                owed[(word >> 1 & 0xf) as usize] |= 1 << n;
                if word & 1 == 1 {
                    let slot = (word >> 5) as usize;
                    let packet = packets[slot];
                    assert_eq!(packet.dest, n as u32, "a packet goes where it is sent");
                    if (warm_up..end).contains(&packet.born) {
                        sum += cycle + 1 - packet.born - packet.zero_load;
                        counted += 1;
                        to_come -= 1;
                    }
                    unused.push(slot);
                }
            }
            self.sim.step().unwrap_or_else(|e| panic!("{e}"));
            words.into_iter().for_each(|(n, word)| self.sim.poke_at(self.flits[n], word));
        }
        unreachable!("the loop returns")
    }
}

impl UniformSource {
    /// The packet whose next flit can be sent, in VC `vc`; its credit is taken.
    fn decide(&mut self) -> Option<usize> {
        let slot = *self.queue.front()?;
        if self.sent == 0 {
            let vcs = self.credits.len();
            self.vc = (1..=vcs).map(|i| (self.vc + i) % vcs).find(|&v| self.credits[v] > 0)?;
        }
        self.credits[self.vc] = self.credits[self.vc].checked_sub(1)?;
        Some(slot)
    }
}

/// A flit as in [`packed_mesh`]: head, tail, 4 bits of VC, 8 of destination, and the packet.
fn word(head: bool, tail: bool, vc: u64, dest: u32, slot: usize) -> u64 {
    u64::from(head) | u64::from(tail) << 1 | vc << 2 | u64::from(dest) << 6 | (slot as u64) << 14
}

fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (at < 64).then_some(at as usize)
    })
}

/// A mesh with packed pins, a bit a node: `valid`, `came`, and for each VC `credit_vc` and `returned_vc`; and a word
/// for each flit.
fn packed_mesh(p: &NetworkParams) -> Module {
    let format = p.format;
    let m = Builder::new("packed_mesh", warpmesh::hdl::params! { side: SIDE, vcs: format.vcs, depth: p.depth });
    let topology = Nodes::with_kinds(SIDE, SIDE, |_| NodeKind::Core).expect("legal");
    let nodes = topology.len();
    let shape = |node| full_router(&topology, node);
    let routers = mesh(&m, &topology, p, shape, all_pairs(nodes)).expect("a legal network");
    let valid = m.input("valid", nodes);
    let returned: Vec<_> = (0..format.vcs).map(|v| m.input(format!("returned_vc{v}"), nodes)).collect();
    for (n, router) in (0..).zip(&routers) {
        let flit = m.input(format!("flit{n}"), 64);
        let fields = [
            ("valid", valid.bit(n)),
            ("head", flit.bit(0)),
            ("tail", flit.bit(1)),
            ("vc", flit.bits(2, format.vc_bits())),
            ("dest", flit.bits(6, format.node_bits)),
            ("route_class", m.lit(1, 0)),
            ("info", flit.bits(14, format.info_bits())),
            ("payload", m.lit(format.width, 0)),
        ];
        fields.into_iter().for_each(|(field, value)| router.tile.drive(format!("in_inject0_{field}"), value));
        let credits: Vec<_> = returned.iter().rev().map(|r| r.bit(n)).collect();
        router.tile.drive("out_eject0_credit", concat(&credits));
        let [info, vc, tail] = ["info", "vc", "tail"].map(|f| router.tile.get(format!("out_eject0_{f}")));
        m.output_of(format!("ejected{n}"), concat(&[info, vc.extend(4), tail]));
    }
    m.output_of("came", concat(&routers.iter().rev().map(|r| r.tile.get("out_eject0_valid")).collect::<Vec<_>>()));
    for v in 0..format.vcs {
        let credits = routers.iter().rev().map(|r| r.tile.get("in_inject0_credit").bit(v)).collect::<Vec<_>>();
        m.output_of(format!("credit_vc{v}"), concat(&credits));
    }
    m.finish()
}
