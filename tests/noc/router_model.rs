//! A router against a cycle model of it, written from its contract: the same flits in the same cycles on every channel,
//! with every pipeline and every way to give a VC to the next packet.

use crate::{
    router::{middle, network},
    support::NetworkRig,
};
use noc::{Connectivity, Direction, FlitFormat, Input, NetworkParams, Output, Ports, VcReallocation, VcSets, router};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verilog::lockstep::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Flit {
    head: bool,
    tail: bool,
    vc: usize,
    dest: u64,
    /// Packet and number in it.
    payload: u64,
}

/// A requester and a resource.
type Point = (usize, usize);

/// One iteration of iSLIP over the possible `points`.
struct Islip {
    points: Vec<Point>,
    next_row: BTreeMap<usize, usize>,
    next_column: BTreeMap<usize, usize>,
}

impl Islip {
    fn new(points: Vec<Point>) -> Self {
        Self { points, next_row: BTreeMap::new(), next_column: BTreeMap::new() }
    }

    /// The first of `members` from `from` on, around, that is in `set`, by its place.
    fn first(members: &[Point], from: usize, set: &BTreeSet<Point>) -> Option<usize> {
        (0..members.len()).map(|i| (from + i) % members.len()).find(|at| set.contains(&members[*at]))
    }

    fn allocate(&mut self, requests: &BTreeSet<Point>) -> BTreeSet<Point> {
        let columns: BTreeSet<_> = requests.iter().map(|point| point.1).collect();
        let rows: BTreeSet<_> = requests.iter().map(|point| point.0).collect();
        let members = |line: fn(&Point) -> usize, at: usize| {
            self.points.iter().copied().filter(|point| line(point) == at).collect::<Vec<_>>()
        };
        let mut offers = BTreeMap::new();
        for column in columns {
            let all = members(|point| point.1, column);
            let from = self.next_row.get(&column).copied().unwrap_or(0);
            offers.extend(Self::first(&all, from, requests).map(|at| (all[at], (at + 1) % all.len())));
        }
        let offered = offers.keys().copied().collect();
        let mut grants = BTreeSet::new();
        for row in rows {
            let all = members(|point| point.0, row);
            let from = self.next_column.get(&row).copied().unwrap_or(0);
            if let Some(at) = Self::first(&all, from, &offered) {
                self.next_column.insert(row, (at + 1) % all.len());
                self.next_row.insert(all[at].1, offers[&all[at]]);
                grants.insert(all[at]);
            }
        }
        grants
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Idle,
    Waiting,
    Active,
}

/// A VC of an input.
#[derive(Clone)]
struct InputVc {
    flits: VecDeque<Flit>,
    state: State,
    output: usize,
    output_vc: usize,
}

/// A VC of an output.
#[derive(Clone, Copy)]
struct OutputVc {
    owned: bool,
    credits: usize,
}

/// What a router does, by cycles.
struct Model {
    network: NetworkParams,
    matrix: Connectivity,
    inputs: Vec<Vec<InputVc>>,
    outputs: Vec<Vec<OutputVc>>,
    next_vc: Vec<usize>,
    vcs: Islip,
    switch: Islip,
    /// Flits on their way to each channel, the next first.
    leaving: Vec<VecDeque<Option<Flit>>>,
    /// VCs of each input whose credit is on the channel.
    credits: Vec<u64>,
}

impl Model {
    fn new(network: NetworkParams, matrix: &Connectivity) -> Self {
        let (vcs, sets) = (network.format.vcs as usize, VcSets::equal(network.format.vcs, network.classes));
        let (inputs, outputs) = (matrix.inputs().len(), matrix.outputs().len());
        let (mut of_vcs, mut of_switch) = (vec![], vec![]);
        for i in 0..inputs {
            for v in 0..vcs {
                for o in matrix.outputs_of(i) {
                    let class = sets.of(sets.class(v as u32));
                    of_vcs.extend(class.map(|w| (i * vcs + v, o * vcs + w as usize)));
                }
            }
            of_switch.extend(matrix.outputs_of(i).into_iter().map(|o| (i, o)));
        }
        let input_vc = InputVc { flits: VecDeque::new(), state: State::Idle, output: 0, output_vc: 0 };
        let registers = usize::from(network.pipeline > 3) + network.extra_latency as usize;
        Self {
            network,
            matrix: matrix.clone(),
            inputs: vec![vec![input_vc; vcs]; inputs],
            outputs: vec![vec![OutputVc { owned: false, credits: network.depth }; vcs]; outputs],
            next_vc: vec![0; inputs],
            vcs: Islip::new(of_vcs),
            switch: Islip::new(of_switch),
            leaving: vec![vec![None; registers].into(); outputs],
            credits: vec![0; inputs],
        }
    }

    /// XY from (1, 1).
    fn route(&self, flit: Flit) -> usize {
        let output = match (flit.dest % 3, flit.dest / 3) {
            (2, _) => Output::To(Direction::East),
            (0, _) => Output::To(Direction::West),
            (_, 0) => Output::To(Direction::North),
            (_, 2) => Output::To(Direction::South),
            _ => Output::Eject(0),
        };
        self.matrix.outputs().iter().position(|other| *other == output).expect("an output")
    }

    /// The packet of `head` starts in a VC.
    fn start(&mut self, (i, v): Point, head: Flit) {
        assert!(head.head);
        let output = self.route(head);
        let vc = &mut self.inputs[i][v];
        (vc.state, vc.output) = (State::Waiting, output);
    }

    /// VC allocation among these; they are active from then on.
    fn allocate_vcs(&mut self, asking: &[Point]) {
        let vcs = self.network.format.vcs as usize;
        let mut requests = BTreeSet::new();
        for &(i, v) in asking {
            let output = self.inputs[i][v].output;
            let own = self.vcs.points.iter().filter(|point| point.0 == i * vcs + v && point.1 / vcs == output);
            requests.extend(own.filter(|point| !self.outputs[output][point.1 % vcs].owned));
        }
        for (row, column) in self.vcs.allocate(&requests) {
            let vc = &mut self.inputs[row / vcs][row % vcs];
            (vc.state, vc.output_vc) = (State::Active, column % vcs);
            self.outputs[column / vcs][column % vcs].owned = true;
        }
    }

    /// A cycle: `arriving` flits are in the channel registers, `credits` come back to the outputs. What is on the channels in the next cycle.
    fn step(&mut self, arriving: &[Option<Flit>], credits: &[u64]) -> Vec<Option<Flit>> {
        let NetworkParams { pipeline, vc_reuse_delay, vc_reallocation, .. } = self.network;
        let with_tail = vc_reallocation == VcReallocation::WithTail && pipeline > 1;
        let all: Vec<Point> =
            (0..self.inputs.len()).flat_map(|i| (0..self.inputs[i].len()).map(move |v| (i, v))).collect();
        let arrives = |(i, v): Point| arriving[i].filter(|flit| flit.vc == v);
        let mut asking: Vec<_> =
            all.iter().copied().filter(|&(i, v)| self.inputs[i][v].state == State::Waiting).collect();
        for &(i, v) in &all {
            let vc = &self.inputs[i][v];
            if vc.state == State::Idle
                && let Some(head) = vc.flits.front().copied().or(arrives((i, v)))
            {
                self.start((i, v), head);
                asking.extend((pipeline <= 2).then_some((i, v)));
            }
        }
        if pipeline == 1 {
            self.allocate_vcs(&asking);
        }
        // The switch.
        let ready = |&(i, v): &Point| {
            let vc = &self.inputs[i][v];
            let flit = vc.flits.front().copied().or(arrives((i, v)));
            vc.state == State::Active && flit.is_some() && self.outputs[vc.output][vc.output_vc].credits > 0
        };
        let ready: Vec<_> = all.iter().copied().filter(ready).collect();
        let requests = ready.iter().map(|&(i, v)| (i, self.inputs[i][v].output)).collect();
        let grants = self.switch.allocate(&requests);
        let mut sent = vec![None; self.outputs.len()];
        let mut popped = vec![0; self.inputs.len()];
        let mut done = vec![];
        let vcs = self.network.format.vcs as usize;
        for (i, o) in grants {
            let may = |v: &usize| ready.contains(&(i, *v)) && self.inputs[i][*v].output == o;
            let v = (0..vcs).map(|at| (self.next_vc[i] + at) % vcs).find(may).expect("one that asked");
            self.next_vc[i] = (v + 1) % vcs;
            popped[i] = 1 << v;
            let output_vc = self.inputs[i][v].output_vc;
            let stored = self.inputs[i][v].flits.pop_front();
            let flit = stored.or(arrives((i, v))).expect("it is ready");
            self.outputs[o][output_vc].credits -= 1;
            sent[o] = Some(Flit { vc: output_vc, ..flit });
            if flit.tail {
                done.push((i, v, stored.is_some()));
            }
        }
        let mut freed = vec![];
        for (i, v, was_stored) in done {
            let InputVc { output, output_vc, .. } = self.inputs[i][v];
            self.inputs[i][v].state = State::Idle;
            match with_tail {
                true => self.outputs[output][output_vc].owned = false,
                false => freed.push((output, output_vc)),
            }
            if !with_tail && vc_reuse_delay > 0 {
                continue;
            }
            let behind = self.inputs[i][v].flits.front().copied();
            if let Some(head) = behind.or(arrives((i, v)).filter(|_| was_stored)) {
                self.start((i, v), head);
                asking.extend((with_tail && (behind.is_some() || pipeline <= 2)).then_some((i, v)));
            }
        }
        if pipeline > 1 {
            self.allocate_vcs(&asking);
        }
        freed.into_iter().for_each(|(o, w)| self.outputs[o][w].owned = false);
        // What arrived and did not go on is stored.
        for (i, flit) in arriving.iter().enumerate().filter_map(|(i, flit)| flit.map(|flit| (i, flit))) {
            let passed = sent.iter().flatten().any(|other| other.payload == flit.payload);
            if !passed {
                self.inputs[i][flit.vc].flits.push_back(flit);
            }
        }
        for (output, credit) in self.outputs.iter_mut().zip(credits) {
            (0..).zip(output).for_each(|(w, vc)| vc.credits += (credit >> w & 1) as usize);
        }
        self.credits = popped;
        let pipes = self.leaving.iter_mut().zip(sent);
        pipes
            .map(|(pipe, flit)| {
                pipe.push_back(flit);
                pipe.pop_front().expect("pushed")
            })
            .collect()
    }
}

/// What sends to an input: a packet at a time on each VC, while there are credits.
struct Sender {
    credits: Vec<usize>,
    /// By VC: destination, packet, flits sent and in all.
    open: Vec<Option<(u64, u64, u64, u64)>>,
}

impl Sender {
    fn flit(&mut self, random: &mut Rng, load: f64, packets: &mut u64, dests: &[u64]) -> Option<Flit> {
        let vc = random.below(self.open.len() as u64) as usize;
        if self.credits[vc] == 0 || !random.chance(load) {
            return None;
        }
        let (dest, packet, at, flits) = self.open[vc].unwrap_or_else(|| {
            *packets += 1;
            let dest = dests[random.below(dests.len() as u64) as usize];
            (dest, *packets, 0, [1, 1, 2, 5][random.below(4) as usize])
        });
        let tail = at + 1 == flits;
        self.open[vc] = (!tail).then_some((dest, packet, at + 1, flits));
        self.credits[vc] -= 1;
        Some(Flit { head: at == 0, tail, vc, dest, payload: packet * 8 + at })
    }
}

/// Both for `cycles` cycles, under the same traffic.
fn agrees(network: NetworkParams, cycles: u64, seed: u64) {
    let matrix = Connectivity::full(&Ports::interior());
    let what = format!("{} stages, {:?}, {}", network.pipeline, network.vc_reallocation, network.vc_reuse_delay);
    let mut rig = NetworkRig::new(&router(&middle(matrix.clone(), network)).expect("legal"), false);
    rig.sim.poke("here_x", 1);
    rig.sim.poke("here_y", 1);
    let mut model = Model::new(network, &matrix);
    let (vcs, mut random) = (network.format.vcs as usize, Rng::new(seed));
    // XY: from north and south on in the column.
    let dests = |input: &Input| match input {
        Input::From(Direction::North) => vec![4, 7],
        Input::From(Direction::South) => vec![4, 1],
        Input::From(Direction::East) => vec![0, 3, 1, 7, 4],
        Input::From(Direction::West) => vec![2, 5, 1, 7, 4],
        _ => vec![0, 1, 2, 3, 5, 6, 7, 8],
    };
    let mut senders: Vec<_> = matrix
        .inputs()
        .iter()
        .map(|input| (dests(input), Sender { credits: vec![network.depth; vcs], open: vec![None; vcs] }))
        .collect();
    let mut owed = vec![vec![0_u64; vcs]; matrix.outputs().len()];
    let (mut packets, mut sent) = (0, 0);
    let mut on_channel: Vec<Option<Flit>> = vec![None; senders.len()];
    let mut arriving = on_channel.clone();
    let mut expected: Vec<Option<Flit>> = vec![None; owed.len()];
    for cycle in 0..cycles {
        // Busy and idle spells.
        let load = if cycle / 200 % 3 == 2 { 0.2 } else { 1.0 };
        for (o, output) in matrix.outputs().iter().enumerate() {
            let field = |rig: &mut NetworkRig, name: &str| rig.sim.peek(&format!("out_{output}_{name}"));
            let valid = field(&mut rig, "valid") == 1;
            let is = valid.then(|| Flit {
                head: field(&mut rig, "head") == 1,
                tail: field(&mut rig, "tail") == 1,
                vc: field(&mut rig, "vc") as usize,
                dest: field(&mut rig, "dest"),
                payload: field(&mut rig, "payload"),
            });
            assert_eq!(is, expected[o], "{what}: {output} in cycle {cycle}");
            if let Some(flit) = is {
                owed[o][flit.vc] += 1;
                sent += 1;
            }
        }
        let mut credits = vec![0; owed.len()];
        for (o, output) in matrix.outputs().iter().enumerate() {
            for (w, owed) in owed[o].iter_mut().enumerate() {
                if *owed > 0 && random.chance(0.8) {
                    *owed -= 1;
                    credits[o] |= 1 << w;
                }
            }
            rig.sim.poke(&format!("out_{output}_credit"), credits[o]);
        }
        for (i, input) in matrix.inputs().iter().enumerate() {
            let back = rig.sim.peek(&format!("in_{input}_credit"));
            assert_eq!(back, model.credits[i], "{what}: credits of {input} in cycle {cycle}");
            let (dests, sender) = &mut senders[i];
            (0..).zip(&mut sender.credits).for_each(|(v, count)| *count += (back >> v & 1) as usize);
            on_channel[i] = sender.flit(&mut random, load, &mut packets, dests);
            let mut poke = |name: &str, value: u64| rig.sim.poke(&format!("in_{input}_{name}"), value);
            poke("valid", on_channel[i].is_some().into());
            if let Some(Flit { head, tail, vc, dest, payload }) = on_channel[i] {
                let fields = [("head", head.into()), ("tail", tail.into()), ("vc", vc as u64), ("dest", dest)];
                fields.into_iter().chain([("payload", payload)]).for_each(|(name, value)| poke(name, value));
            }
        }
        expected = model.step(&arriving, &credits);
        arriving.clone_from(&on_channel);
        rig.step();
    }
    assert!(sent > cycles, "{what}: {sent} flits in {cycles} cycles");
}

#[test]
fn a_router_is_its_model() {
    let shapes = [network(2, 32, 4, 2), network(4, 32, 3, 2), NetworkParams::new(FlitFormat::new(1, 32, 9, 16), 8, 1)];
    for (shape, seed) in shapes.into_iter().zip(1..) {
        for pipeline in 1..=4 {
            for vc_reallocation in [VcReallocation::BehindTail, VcReallocation::WithTail] {
                agrees(NetworkParams { pipeline, vc_reallocation, extra_latency: pipeline % 2, ..shape }, 1_500, seed);
            }
            if pipeline > 2 {
                agrees(NetworkParams { pipeline, vc_reuse_delay: 0, ..shape }, 1_500, seed);
            }
        }
    }
}
